//! A flock without a terminal: run it at full speed and measure it.
//!
//! `cargo run --release --example headless`

use flockscope::sim::{Analyzer, Error, Flock, Scratch, Setup, World};

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
        let measures = analyzer.measure(&flock, usize::MAX);
        println!("{:>6}  {:>12.3}  {:>6}", flock.tick(), measures.polarization, analyzer.flocks(&flock).count);
    }

    // The same setup ends in the same state, bit for bit, on every machine.
    println!("hash {} {:016x}", flock.tick(), flock.hash());
    Ok(())
}
