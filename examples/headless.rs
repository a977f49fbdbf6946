//! A flock without a terminal: run it at full speed and measure it.
//!
//! `cargo run --release --example headless`

use flockscope::sim::{Analyzer, Error, Flock, Measure, Scratch, Setup, World};

fn main() -> Result<(), Error> {
    let setup = Setup::new(World::Rect([400.0, 250.0])).with_boids(400).with_predators(1).with_seed(7);
    let mut flock = Flock::new(&setup)?;
    // Buffers that are reused from tick to tick.
    let (mut scratch, mut analyzer) = (Scratch::new(), Analyzer::new());

    println!("  tick  polarization  flocks");
    for _ in 0..6 {
        for _ in 0..100 {
            flock.step(&mut scratch);
        }
        let values = analyzer.values(&flock, usize::MAX, &[&Measure::POLARIZATION, &Measure::FLOCKS]);
        println!("{:>6}  {:>12.3}  {:>6}", flock.tick(), values[0], values[1]);
    }

    // The same setup ends in the same state, bit for bit, on every machine.
    println!("hash {} {:016x}", flock.tick(), flock.hash());
    Ok(())
}
