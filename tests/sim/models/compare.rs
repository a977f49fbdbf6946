//! Random states, and a flock compared with the model.

use super::model::{Bird, Model, Prediction, Tally};
use super::presets::preset;
use flockscope::sim::{Edge, Flock, Kind, Params, PredatorMode, Row, Scratch, Setup, World};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Tolerance per component, as a fraction of the boid's speed limit. The contract is 1e-3.
const TOLERANCE: f64 = 2e-4;

/// A flock to be compared with the model.
#[derive(Clone)]
pub struct Case {
    pub name: String,
    pub setup: Setup,
}

impl Case {
    pub fn of_preset(name: &str) -> Self {
        Self { name: name.to_owned(), setup: preset(name).setup(1, 1.6) }
    }

    pub fn with_predators(mut self, predators: usize) -> Self {
        self.setup.predators = predators;
        self
    }

    /// Compares one tick from each of several random states.
    pub fn compare(&self, seeds: u64) -> Tally {
        let mut tally = Tally::default();
        for seed in 1..=seeds {
            let rows = random_rows(&self.setup, seed);
            let mut flock = Flock::from_rows(&Setup { seed, ..self.setup.clone() }, 10 * seed, &rows).unwrap();
            tally.add(&compare_tick(&self.name, &mut flock, &mut Scratch::new()));
        }
        tally.assert_few_doubts(&self.name);
        tally
    }
}

/// Runs one tick and compares every boid with the model.
pub fn compare_tick(name: &str, flock: &mut Flock, scratch: &mut Scratch) -> Tally {
    let (before, params) = (flock.rows(), *flock.params());
    let zones = flock.zones().to_vec();
    let perches = flock.perches().cloned();
    let model = Model { zones, pointer: flock.pointer(), perches, ..Model::new(&params, flock.world(), &before) };
    flock.step(scratch);
    let mut tally = Tally::default();
    for (me, row) in model.birds.iter().zip(&flock.rows()) {
        let next = model.predict(me, None);
        tally.mark("doubtful", next.doubtful);
        if !next.doubtful {
            tally.mark("compared", true);
            tally.add(&next.tally);
            if let Err(difference) = agrees(&model, me, &next, row) {
                panic!("{name}, tick {}: {me:?}\n{difference}\nin the model: {:?}", flock.tick(), next.tally);
            }
        }
    }
    tally
}

/// Whether a row is what the model predicts.
pub fn agrees(model: &Model<'_>, me: &Bird, next: &Prediction, row: &Row) -> Result<(), String> {
    let got = Bird::from(row);
    let tolerance = TOLERANCE * model.speed_limit(me, next.mood);
    let mut off = got.at - next.at;
    if model.params.edge.mode == Edge::Wrap {
        for (off, size) in off.0.iter_mut().zip(model.size().0).take(model.world.dim()) {
            *off -= size * (*off / size).round();
        }
    }
    let right_velocity = (0..3).all(|axis| {
        let (got, want) = (got.velocity.0[axis], next.velocity.0[axis]);
        // A random restitution leaves between none and all of the speed, reversed.
        let (low, high) = if next.bounced[axis] { ((-want).min(0.0), (-want).max(0.0)) } else { (want, want) };
        (low - tolerance..=high + tolerance).contains(&got)
    });
    let right_mood = (got.mood - next.mood).abs() <= TOLERANCE;
    if got.id == me.id && got.kind == me.kind && off.largest() <= tolerance && right_velocity && right_mood {
        Ok(())
    } else {
        let Prediction { at, velocity, mood, .. } = next;
        Err(format!("got {got:?}\nnot at {at:?}, velocity {velocity:?}, mood {mood}, to {tolerance}"))
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Random states.

pub struct Draw(pub Xoshiro256PlusPlus);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.0.random::<f32>()
    }

    /// Anywhere in a ball, or in a disc.
    pub fn in_ball(&mut self, dim: usize, radius: f32) -> [f32; 3] {
        loop {
            let point = [0, 1, 2].map(|axis| if axis < dim { self.between(-1.0, 1.0) } else { 0.0 });
            if length(point) <= 1.0 {
                return point.map(|share| share * radius);
            }
        }
    }
}

pub fn length(point: [f32; 3]) -> f32 {
    point.iter().map(|axis| axis * axis).sum::<f32>().sqrt()
}

/// A random state: half the flock anywhere, half in clusters; some at rest; unordered ids; with a soft edge,
/// some inside the margin and some outside by less than a margin.
pub fn random_rows(setup: &Setup, seed: u64) -> Vec<Row> {
    let mut draw = Draw::new(seed);
    let clusters: Vec<[f32; 3]> = (0..setup.boids.div_ceil(24)).map(|_| random_place(setup, &mut draw)).collect();
    let count = setup.boids + setup.predators;
    (0..count)
        .map(|nth| {
            let kind = if nth < setup.boids { Kind::Prey } else { Kind::Predator };
            let position = match nth % 2 {
                0 => random_place(setup, &mut draw),
                _ => place_near(clusters[nth % clusters.len()], setup, &mut draw),
            };
            // 7919 and 10007 are primes: no two ids are the same.
            let id = (7919 * nth as u32 + 13) % 10_007;
            Row { id, kind, position, velocity: random_velocity(setup, kind, &mut draw), mood: 0.0, bank: 0.0 }
        })
        .collect()
}

/// Distance outside the world that the edge allows.
fn leeway(setup: &Setup) -> f32 {
    match setup.params.edge.mode {
        Edge::Wrap => 0.0,
        Edge::Open => 50.0,
        _ => 0.95 * setup.params.edge.margin,
    }
}

pub fn random_place(setup: &Setup, draw: &mut Draw) -> [f32; 3] {
    let (leeway, size) = (leeway(setup), setup.world.size());
    if let World::Sphere(radius) = setup.world {
        return draw.in_ball(3, radius + leeway);
    }
    [0, 1, 2].map(|axis| if axis < setup.world.dim() { draw.between(-leeway, size[axis] + leeway) } else { 0.0 })
}

fn place_near(center: [f32; 3], setup: &Setup, draw: &mut Draw) -> [f32; 3] {
    let (leeway, size) = (leeway(setup), setup.world.size());
    loop {
        let aside = draw.in_ball(setup.world.dim(), 0.8 * sight(&setup.params));
        let place = [0, 1, 2].map(|axis| center[axis] + aside[axis]);
        let is_inside = match setup.world {
            World::Sphere(radius) => length(place) < radius + leeway,
            _ => (0..setup.world.dim()).all(|axis| (-leeway..size[axis] + leeway).contains(&place[axis])),
        };
        if is_inside {
            return place;
        }
    }
}

/// The largest finite radius of the three rules.
pub fn sight(params: &Params) -> f32 {
    let radii = [params.separation.radius, params.alignment.radius, params.cohesion.radius];
    radii.into_iter().filter(|radius| radius.is_finite()).fold(0.0, f32::max)
}

fn random_velocity(setup: &Setup, kind: Kind, draw: &mut Draw) -> [f32; 3] {
    let hunts = kind == Kind::Predator && setup.params.hunt.mode == PredatorMode::Hunt;
    let most = if hunts { setup.params.hunt.speed } else { setup.params.speed.max };
    if draw.between(0.0, 1.0) < 0.05 { [0.0; 3] } else { draw.in_ball(setup.world.dim(), most) }
}
