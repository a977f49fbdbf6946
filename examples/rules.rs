//! Rules of one's own: as fields, by the names that `--set` and the gauges know, and in mid-flight.
//!
//! `cargo run --release --example rules`

use flockscope::sim::{Analyzer, Command, Error, Flock, Param, Params, Scratch, Setup, Start, Value, World};

fn main() -> Result<(), Error> {
    let mut params = Params::default();
    params.separation.radius = 9.0;
    params.cohesion.weight = 0.01;
    // By name every value is checked against the table of parameters.
    for (key, text) in [("perception.angle", "270"), ("separation.falloff", "linear"), ("noise.angle", "10")] {
        let row = Param::find(key).expect("a row of the table");
        params.set(key, row.parse(text)?)?;
    }
    let setup = Setup {
        params,
        world: World::Cuboid([160.0, 120.0, 120.0]),
        start: Start::Scatter,
        boids: 300,
        predators: 0,
        seed: 1,
        zones: Vec::new(),
    };
    let mut flock = Flock::new(&setup)?;
    let (mut scratch, mut analyzer) = (Scratch::new(), Analyzer::new());
    for weight in [0.01, 0.05, 0.2] {
        flock.apply(&Command::SetParam("alignment.weight".to_owned(), Value::Number(weight)))?;
        for _ in 0..400 {
            flock.step(&mut scratch);
        }
        let polarization = analyzer.measure(&flock, usize::MAX).polarization;
        println!("alignment.weight {weight}: polarization {polarization:.3} at tick {}", flock.tick());
    }

    // What is out of range is refused, with what would be right.
    if let Err(error) = params.set("separation.weight", Value::Number(1000.0)) {
        println!("refused: {error}");
    }
    Ok(())
}
