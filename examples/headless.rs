//! A flock without a terminal: flown as fast as it goes, and measured on the way.
//!
//! `cargo run --release --example headless`

use flockscope::sim::{Analyzer, Error, Flock, Params, Scratch, Setup, Start, World};

fn main() -> Result<(), Error> {
    let setup = Setup {
        params: Params::default(),
        world: World::Rect([400.0, 250.0]),
        start: Start::Scatter,
        boids: 400,
        predators: 1,
        seed: 7,
        zones: Vec::new(),
    };
    let mut flock = Flock::new(&setup)?;
    // Room to work in, and to measure in, is kept from tick to tick.
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
