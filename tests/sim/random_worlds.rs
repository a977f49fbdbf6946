//! Contract: with any flock, world, rules and commands, every coordinate stays finite, no boid is
//! inside an obstacle or outside the world, and no agent is lost.

use crate::bounds::{Draw, check_bounds, steered_presets};
use flockscope::config::Preset;
use flockscope::sim::{
    Command, Domain, Edge, Flock, HuntTarget, ModelRow, Param, Params, Pointer, PredatorMode, Scratch, Setup, Start,
    Value, World, Zone, ZoneKind, check_params,
};
use proptest::prelude::*;

// --- every preset, with everything on

/// A preset with every feature on, at the same density.
fn everything(preset: &Preset, boids: usize, predators: usize) -> Setup {
    let mut setup = preset.setup(7, 1.6);
    let more = boids as f32 / setup.boids as f32;
    setup.world = match setup.world {
        World::Rect(sides) => World::Rect(sides.map(|side| side * more.sqrt())),
        World::Cuboid(sides) => World::Cuboid(sides.map(|side| side * more.cbrt())),
        World::Sphere(radius) => World::Sphere(radius * more.cbrt()),
    };
    setup.zones = preset.zones(&setup.world);
    (setup.boids, setup.predators) = (boids, predators);
    let rules = &mut setup.params;
    let fastest = rules.speed.max;
    (rules.hunt.mode, rules.hunt.target, rules.hunt.speed) = (PredatorMode::Hunt, HuntTarget::Isolated, 1.3 * fastest);
    (rules.hunt.stamina, rules.hunt.rest, rules.hunt.catch, rules.hunt.respawn) =
        (60.0, 80.0, (3.0 * fastest).max(10.0), 50.0);
    (rules.alarm.spread, rules.noise.angle) = (0.9, 5.0);
    (rules.wind.x, rules.gusts.strength) = (0.01 * fastest, 0.05 * fastest);
    (rules.cruise.weight, rules.cruise.speed) = (0.1, fastest);
    (rules.leaders.count, rules.perception.angle, rules.perception.nearest) = (5.0, 280.0, 7.0);
    rules.species.count = 3.0;
    (rules.species.avoid, rules.species.follow) = (if rules.cohesion.radius.is_finite() { 0.1 } else { 0.0 }, 0.3);
    (rules.roost.chance, rules.roost.rest, rules.food.regrowth) = (1.0, 40.0, 0.001);
    setup
}

/// Adds as many obstacles as fit, up to this number, and food and roosts; returns how many obstacles fit.
fn add_zones(flock: &mut Flock, obstacles: usize) -> usize {
    let (mut draw, world) = (Draw(11), flock.world());
    let room = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
    let mut stand = 0;
    for _ in 0..20 * obstacles {
        let zone = Zone::new(ZoneKind::Obstacle, draw.place(&world), room * (0.01 + 0.03 * draw.next()));
        stand += usize::from(stand < obstacles && flock.apply(&Command::AddZone(zone)).is_ok());
    }
    for kind in [ZoneKind::Food, ZoneKind::Roost, ZoneKind::Roost] {
        // A corner of the bounding box is outside the sphere.
        while flock.apply(&Command::AddZone(Zone::new(kind, draw.place(&world), 0.08 * room))).is_err() {}
    }
    stand
}

fn stress(boids: usize, ticks: u64) {
    // With infinite radii a long run takes hours; `WORLDS=geese,bats` selects presets.
    let only = std::env::var("WORLDS").ok();
    let is_asked = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|asked| asked == name));
    for preset in steered_presets().filter(|preset| is_asked(&preset.name)) {
        let setup = everything(&preset, boids, 20);
        let mut flock = Flock::new(&setup).unwrap();
        let obstacles = add_zones(&mut flock, 50);
        assert!(obstacles >= 20, "{}: {obstacles} obstacles", preset.name);
        let (mut scratch, mut caught, mut rested) = (Scratch::new(), 0, 0);
        for tick in 0..=ticks {
            check_bounds(&flock, boids, 20).unwrap_or_else(|why| panic!("{} at tick {tick}: {why}", preset.name));
            caught = caught.max(flock.caught());
            rested += usize::from(flock.agents().moods().iter().any(|mood| *mood < 0.0));
            flock.step(&mut scratch);
        }
        assert!(caught > 0 && rested > 0, "{}: no boid was caught, or none rested", preset.name);
    }
}

#[test]
fn every_preset_survives_with_every_feature() {
    stress(400, 300);
}

#[test]
#[ignore = "takes minutes"]
fn every_preset_survives_long_with_every_feature() {
    stress(10_000, 10_000);
}

// --- any world, any rules, any commands

/// A value of a parameter: a limit as often as anything between.
fn value_of(row: &Param, pick: f32) -> Value {
    match row.domain {
        Domain::Number { min: least, max: most, infinite, integer: whole, .. } => {
            let number = match pick {
                ..0.2 => least,
                0.2..0.4 => most,
                0.4..0.5 if infinite => f32::INFINITY,
                // Favor small values, where more happens.
                _ => least + (most - least) * ((pick - 0.5) / 0.5).max(0.0).powi(6),
            };
            Value::Number(if whole { number.round() } else { number.clamp(least, most.max(number)) })
        }
        Domain::Choice(words) => Value::Choice(words[(pick * words.len() as f32) as usize]),
        Domain::Switch => Value::Switch(pick < 0.5),
    }
}

fn world_of(shape: u8, scale: f32, [x, y, z]: [f32; 3]) -> World {
    let side = |share: f32| (scale * (0.3 + share)).clamp(1.0, flockscope::sim::MAX_SIDE);
    match shape {
        0 => World::Rect([side(x), side(y)]),
        1 => World::Cuboid([side(x), side(y), side(z)]),
        _ => World::Sphere(side(x)),
    }
}

/// A command to a flock, and its random numbers.
#[derive(Clone, Debug)]
pub struct Edit {
    kind: u8,
    pick: usize,
    at: [f32; 3],
    share: f32,
}

pub fn edits(count: usize) -> impl Strategy<Value = Vec<Edit>> {
    let share = || 0.0_f32..1.0;
    let edit = (0_u8..14, 0_usize..1000, [share(), share(), share()], share());
    prop::collection::vec(edit.prop_map(|(kind, pick, at, share)| Edit { kind, pick, at, share }), 0..count)
}

impl Edit {
    fn setting(&self) -> (&'static Param, Value) {
        let row = &Param::table()[self.pick % Param::table().len()];
        (row, value_of(row, self.share))
    }

    fn zone(&self, world: &World) -> Zone {
        let (origin, size) = (world.origin(), world.size());
        let center = [0, 1, 2].map(|axis| origin[axis] + size[axis] * self.at[axis]);
        let kind = [ZoneKind::Obstacle, ZoneKind::Obstacle, ZoneKind::Obstacle, ZoneKind::Food, ZoneKind::Roost]
            [self.pick % 5];
        let room = size[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        Zone::new(kind, center, room * self.share * 0.3)
    }

    pub fn pointer(&self, flock: &Flock, shape: u8) -> Command {
        Command::SetPointer((self.share < 0.8).then(|| Pointer {
            at: self.zone(&flock.world()).center,
            along: if shape == 0 { [0.0; 3] } else { self.at },
            attracts: self.at[0] < 0.5,
        }))
    }

    pub fn command(&self, flock: &Flock, shape: u8) -> Command {
        let world = flock.world();
        let scale = world.size()[0];
        let zones = flock.zones().len() + 1;
        match self.kind {
            0..=2 => {
                let (param, value) = self.setting();
                Command::SetParam(param, value)
            }
            3 => Command::SetParams(vec![self.setting()], (self.pick % 12) as u32),
            4 | 5 => Command::AddZone(self.zone(&world)),
            6 => Command::MoveZone(self.pick % zones, self.zone(&world).center),
            7 => Command::RemoveZone(self.pick % zones),
            8 => Command::SetBoids(self.pick % 300),
            9 => Command::SetPredators(self.pick % 40),
            10 => Command::Resize(world_of(shape, scale, self.at)),
            11 => self.pointer(flock, shape),
            12 => {
                let mut into = Setup {
                    params: *flock.params(),
                    world: world_of(shape, scale, self.at),
                    start: Start::Scatter,
                    boids: 1 + self.pick % 200,
                    predators: self.pick % 9,
                    seed: 1,
                    zones: Vec::new(),
                };
                into.params.edge.margin *= self.share;
                into.params.speed.max *= 1.0 + self.share;
                let zone = self.zone(&into.world);
                into.zones.extend(zone.check(&into.world).is_ok().then_some(zone));
                Command::Morph(Box::new(into), (self.pick % 12) as u32)
            }
            _ if self.share < 0.5 => Command::Restart,
            _ => Command::Reseed(self.pick as u64),
        }
    }
}

/// A flock in this world, with the preset's rules changed by these edits as far as they are valid.
pub fn begin(shape: u8, scale: f32, sides: [f32; 3], rules: &[Edit]) -> (Flock, Setup) {
    let world = world_of(shape, scale, sides);
    let mut params = Params::default();
    if shape == 2 {
        params.edge.mode = Edge::Sphere;
    }
    for edit in rules {
        let (param, value) = edit.setting();
        let mut other = params;
        if other.set(param.key, value).is_ok() && check_params(&other, &world).is_ok() {
            params = other;
        }
    }
    let start = Start::from_name(Start::NAMES[rules.len() % Start::NAMES.len()]).unwrap();
    let predators = if ModelRow::of(&params).has_steering { 6 } else { 0 };
    let setup = Setup { params, world, start, boids: 120, predators, seed: 3, zones: Vec::new() };
    (Flock::new(&setup).unwrap(), setup)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_commands_keep_the_bounds(
        shape in 0_u8..3,
        scale in prop::sample::select(&[1.0_f32, 40.0, 300.0, 1e4, 1e6][..]),
        sides in [0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0],
        rules in edits(30),
        edits in edits(20),
    ) {
        let (mut flock, setup) = begin(shape, scale, sides, &rules);
        let (mut boids, mut predators) = (setup.boids, setup.predators);
        let mut scratch = Scratch::new();
        for (number, edit) in edits.iter().enumerate() {
            let command = edit.command(&flock, shape);
            let before = (flock.hash(), *flock.params(), flock.world(), flock.zones().to_vec());
            match (flock.apply(&command), &command) {
                (Err(_), _) => {
                    let now = (flock.hash(), *flock.params(), flock.world(), flock.zones().to_vec());
                    prop_assert!(before == now, "refused, and yet: {command:?}");
                }
                (Ok(()), Command::SetBoids(count)) => boids = *count,
                (Ok(()), Command::SetPredators(count)) => predators = *count,
                (Ok(()), Command::Morph(into, _)) => (boids, predators) = (into.boids, into.predators),
                (Ok(()), _) => {}
            }
            for tick in 0..6 {
                check_bounds(&flock, boids, predators)
                    .map_err(|why| TestCaseError::fail(format!("{why}, {tick} ticks after {command:?}, edit {number}")))?;
                flock.step(&mut scratch);
            }
        }
        check_bounds(&flock, boids, predators).map_err(TestCaseError::fail)?;
        // The final state is a valid initial state.
        let setup = Setup { params: *flock.params(), world: flock.world(), ..setup };
        for row in flock.rows() {
            setup.check_row(&row).map_err(|error| TestCaseError::fail(format!("{row:?}: {error}")))?;
        }
    }
}
