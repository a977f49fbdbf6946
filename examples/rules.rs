//! A user-defined rule, and changing the parameters of the built-in ones.
//!
//! The rule makes boids circle the center of the world: it steers them toward a ring and along it.
//!
//! `cargo run --release --example rules`

use flockscope::sim::{Analyzer, Command, Error, Flock, Measure, Param, Params, Row, Scratch, Setup, Value, World};

/// Distance of the ring from the center, in u.
const RING: f32 = 80.0;

/// The steering of one agent, in u/tick²: counterclockwise along the ring, and back to it.
fn circle(agent: &Row, [center_x, center_y, _]: [f32; 3]) -> [f32; 3] {
    let (x, y) = (agent.position[0] - center_x, agent.position[1] - center_y);
    let distance = x.hypot(y).max(1.0);
    let outward = [x / distance, y / distance];
    let tangent = [outward[1], -outward[0]];
    let back = 0.002 * (RING - distance);
    [0.05 * tangent[0] + back * outward[0], 0.05 * tangent[1] + back * outward[1], 0.0]
}

fn main() -> Result<(), Error> {
    let mut params = Params::default();
    params.separation.radius = 9.0;
    params.cohesion.weight = 0.01;
    // Values set by key are checked against the parameter table.
    for (key, text) in [("perception.angle", "270"), ("separation.falloff", "linear"), ("noise.angle", "10")] {
        let param = Param::find(key).expect("a parameter of the table");
        params.set(key, param.parse(text)?)?;
    }

    let world = World::Rect([320.0, 240.0]);
    let setup = Setup::new(world).with_params(params).with_boids(300);
    let mut flock = Flock::new(&setup)?;
    let (mut scratch, mut analyzer) = (Scratch::new(), Analyzer::new());
    for weight in [0.01, 0.05, 0.2] {
        flock.apply(&Command::set("alignment.weight", Value::Number(weight)).unwrap())?;
        for _ in 0..400 {
            flock.steer(|agent| circle(agent, world.center()));
            flock.step(&mut scratch);
        }
        let rotation = analyzer.value(&flock, usize::MAX, &Measure::ROTATION);
        println!("alignment.weight {weight}: rotation {rotation:.3} at tick {}", flock.tick());
    }

    // The states of agents are rows with id, kind, position and velocity.
    let center = world.center();
    let distances = flock.agents().iter().map(|agent| {
        let [x, y, _] = agent.position;
        (x - center[0]).hypot(y - center[1])
    });
    println!("mean distance from the center: {:.1} u", distances.sum::<f32>() / flock.boids() as f32);

    // Values out of range are errors.
    if let Err(error) = params.set("separation.weight", Value::Number(1000.0)) {
        println!("error: {error}");
    }
    Ok(())
}
