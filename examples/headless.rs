//! A flock without a terminal: flown as fast as it goes, and measured on the way.
//!
//! `cargo run --release --example headless`

use flockscope::sim::{Error, Flock, Observer, Params, Scratch, Setup, Start, World};

fn main() -> Result<(), Error> {
    let setup = Setup {
        params: Params::default(),
        world: World::Flat([400.0, 250.0]),
        start: Start::Scatter,
        boids: 400,
        predators: 1,
        seed: 7,
        spots: Vec::new(),
    };
    let mut flock = Flock::new(&setup)?;
    // Room to work in, and to measure in, is kept from tick to tick.
    let (mut scratch, mut observer) = (Scratch::new(), Observer::new());

    println!("  tick  polarisation  flocks");
    for _ in 0..6 {
        for _ in 0..100 {
            flock.step(&mut scratch);
        }
        let measures = observer.measure(&flock, usize::MAX);
        println!("{:>6}  {:>12.3}  {:>6}", flock.tick(), measures.polarisation, observer.flocks(&flock).count);
    }

    // The same setup ends in the same state, bit for bit, on every machine.
    println!("hash {} {:016x}", flock.tick(), flock.hash());
    Ok(())
}
