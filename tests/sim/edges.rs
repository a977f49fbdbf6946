//! Contract: no agent is farther outside the world than its edge allows.

use flockscope::config::Preset;
use flockscope::sim::{
    Command, Edge, Flock, Params, Scratch, Setup, Start, Value, World, Zone, ZoneKind, check_params,
};

/// Every agent's state is one that the setup accepts.
fn all_inside(flock: &Flock, setup: &Setup) -> Result<(), String> {
    let setup = Setup { params: *flock.params(), world: flock.world(), ..setup.clone() };
    flock.rows().iter().try_for_each(|row| setup.check_row(row).map_err(|error| format!("{row:?}: {error}")))
}

#[test]
fn the_initial_state_is_inside_a_world_of_any_size() {
    for preset in Preset::builtin() {
        let deep = preset.setup(7, 1.6).world.dim() == 3;
        for world in if deep { ["round:1", "round:3", "round:40"] } else { ["1x1", "10x10", "500x3"] } {
            let setup = Setup { world: world.parse().unwrap(), zones: Vec::new(), ..preset.setup(7, 1.6) };
            if check_params(&setup.params, &setup.world).is_ok() {
                let flock = Flock::new(&setup).unwrap();
                all_inside(&flock, &setup).unwrap_or_else(|outside| panic!("{} in {world}: {outside}", preset.name));
            }
        }
    }
}

#[test]
fn a_changed_edge_moves_agents_inside() {
    let mut params = Params::default();
    (params.edge.mode, params.edge.margin) = (Edge::Open, 50.0);
    let world = World::Rect([200.0, 100.0]);
    let setup = Setup { params, world, start: Start::Scatter, boids: 200, predators: 2, seed: 7, zones: Vec::new() };
    for mode in ["turn", "push", "reflect", "wrap"] {
        let mut flock = Flock::new(&setup).unwrap();
        let mut scratch = Scratch::new();
        (0..200).for_each(|_| flock.step(&mut scratch));
        flock.apply(&Command::set("edge.mode", Value::Choice(mode)).unwrap()).unwrap();
        all_inside(&flock, &setup).unwrap_or_else(|outside| panic!("{mode}: {outside}"));
        flock.apply(&Command::set("edge.margin", Value::Number(1.0)).unwrap()).unwrap();
        all_inside(&flock, &setup).unwrap_or_else(|outside| panic!("{mode}, narrower: {outside}"));
    }
}

/// A flock outside an open world still finds exactly its own neighbors.
#[test]
fn neighbors_are_found_far_outside_an_open_world() {
    let mut params = Params::default();
    params.edge.mode = Edge::Open;
    let world = World::Rect([300.0, 200.0]);
    let setup = Setup { params, world, start: Start::Scatter, boids: 100, predators: 0, seed: 7, zones: Vec::new() };
    let here = Flock::new(&setup).unwrap();
    // On a lattice, so that coordinates far away are exact.
    let mut rows = here.rows();
    for row in &mut rows {
        row.position = [(row.position[0] * 8.0).round() / 8.0, (row.position[1] * 8.0).round() / 8.0, 0.0];
        row.velocity = [0.0; 3];
    }
    let fly = |shift: [f32; 2]| {
        let mut rows = rows.clone();
        for row in &mut rows {
            (row.position[0], row.position[1]) = (row.position[0] + shift[0], row.position[1] + shift[1]);
        }
        let mut flock = Flock::from_rows(&setup, 0, &rows).unwrap();
        flock.step(&mut Scratch::new());
        flock.rows()
    };
    for shift in [[300.0, 0.0], [-4096.0, 512.0], [0.0, -2048.0]] {
        for (here, there) in fly([0.0; 2]).iter().zip(fly(shift)) {
            let apart = (here.velocity[0] - there.velocity[0]).hypot(here.velocity[1] - there.velocity[1]);
            // Sums have another order there.
            assert!(apart < 1e-3, "{here:?} {there:?}");
        }
    }
}

/// Fields are public: values that `--set` rejects are rejected here too.
#[test]
fn parameters_out_of_range_are_rejected() {
    let world = World::Rect([200.0, 100.0]);
    let spoil: [fn(&mut Params); 4] = [
        |params| params.limits.max_neighbors = 0.5,
        |params| params.separation.radius = f32::INFINITY,
        |params| params.cohesion.weight = f32::NAN,
        |params| params.alignment.radius = -1.0,
    ];
    for spoil in spoil {
        let mut setup = Setup {
            params: Params::default(),
            world,
            start: Start::Scatter,
            boids: 9,
            predators: 0,
            seed: 7,
            zones: Vec::new(),
        };
        assert!(Flock::new(&setup).is_ok());
        spoil(&mut setup.params);
        assert!(Flock::new(&setup).is_err(), "{:?}", setup.params);
    }
}

/// The final state of a run is a valid initial state, also at the limits of every parameter.
#[test]
fn a_final_state_can_be_continued() {
    let setup =
        |params, world, zones| Setup { params, world, start: Start::Scatter, boids: 300, predators: 0, seed: 7, zones };
    let goes_on = |setup: Setup, ticks: usize| {
        let (mut flock, mut scratch) = (Flock::new(&setup).unwrap(), Scratch::new());
        (0..ticks).for_each(|_| flock.step(&mut scratch));
        Flock::from_rows(&setup, flock.tick(), &flock.rows()).unwrap();
        flock
    };
    // The longest rest.
    let (mut params, world) = (Params::default(), World::Rect([300.0, 200.0]));
    (params.roost.rest, params.roost.chance, params.roost.wake) = (1e6, 1.0, 0.0);
    let flock = goes_on(setup(params, world, vec![Zone::new(ZoneKind::Roost, [150.0, 100.0, 0.0], 60.0)]), 100);
    assert!(flock.agents().moods().iter().any(|mood| *mood < -1e6), "a boid rests for longer than the mean");
    // A margin far wider than the world.
    let mut params = Params::default();
    (params.edge.mode, params.edge.margin, params.edge.strength) = (Edge::Sphere, 500.0, 0.0);
    params.speed.min = 4.0;
    let flock = goes_on(setup(params, World::Sphere(1.0), Vec::new()), 300);
    let out = flock.rows().iter().filter(|row| row.position.iter().map(|at| at * at).sum::<f32>() > 2.5e5).count();
    assert!(out > 100, "{out} are as far out as may be");
}
