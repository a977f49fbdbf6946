//! Contract: a tick of the model stardisplay agrees with its formulas, here in `f64` over all pairs, for every bird and in each
//! of 100 ticks, with and without a falcon, on any number of threads and any kind of SIMD.

use std::num::NonZeroUsize;

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Command, Flock, Kind, Params, Pointer, Row, Setup, Simd};

use super::vector::Vector;

/// Ticks per second.
const SECOND: f64 = 60.0;
/// Mass in kg.
const MASS: f64 = 0.08;
/// Gravity in m/s².
const GRAVITY: f64 = 9.81;
/// The largest error of a velocity (u/tick), and of a bank (rad) in one tick.
const TOLERANCE: f64 = 1e-5;
/// Numbers this near to a limit may be on either side of it.
const BORDER: f64 = 1e-4;

struct Bird {
    row: Row,
    position: Vector,
    velocity: Vector,
    bank: f64,
    mood: f64,
}

/// A bird after the tick.
struct Prediction {
    velocity: Vector,
    bank: f64,
    mood: f64,
}

struct State {
    birds: Vec<Bird>,
    params: Params,
    center: Vector,
    pointer: Option<Pointer>,
}

impl State {
    fn of(flock: &Flock) -> Self {
        let bird = |row: Row| Bird {
            row,
            position: Vector::from(row.position),
            velocity: Vector::from(row.velocity),
            bank: f64::from(row.bank),
            mood: f64::from(row.mood),
        };
        Self {
            birds: flock.rows().into_iter().map(bird).collect(),
            params: *flock.params(),
            center: Vector::from(flock.world().center()),
            pointer: flock.pointer(),
        }
    }

    /// The other prey, nearest first, with offset and distance.
    fn others(&self, me: &Bird) -> Vec<(&Bird, Vector, f64)> {
        let prey = self.birds.iter().filter(|other| other.row.kind == Kind::Prey && other.row.id != me.row.id);
        let mut others: Vec<_> =
            prey.map(|other| (other, other.position - me.position, (other.position - me.position).length())).collect();
        others.sort_by(|a, b| a.2.total_cmp(&b.2));
        others
    }

    /// The bird after the tick; `None` where rounding decides.
    fn predict(&self, me: &Bird) -> Option<Prediction> {
        let (params, heading) = (&self.params, unit(me.velocity));
        let [x, _, z] = heading.0;
        let side = unit(Vector([z, 0.0, -x]));
        let (social, copies) = self.social(me, heading)?;
        let (fear, is_near) = self.fear(me)?;
        let force = social + fear + self.roost(me, heading, side) + self.pointer(me);

        let (mood, roll) = self.escape(me, copies || is_near);
        let up = side.cross(heading);
        let wing_up = up * me.bank.cos() + side * me.bank.sin();
        let cruise = f64::from(params.speed.max) * SECOND;
        let speed = me.velocity.length() * SECOND;
        let (lift, default_drag) = ((speed / cruise).powi(2) * MASS * GRAVITY, MASS * GRAVITY / 3.3);
        let along = MASS * (cruise - speed) + default_drag - lift / 3.3;
        let weight = Vector([0.0, MASS * GRAVITY, 0.0]);
        let total = force + heading * along + wing_up * lift + weight;
        let velocity = me.velocity + total * (1.0 / (MASS * SECOND * SECOND));
        let fastest = 2.0 * f64::from(params.speed.max);
        let velocity = if velocity.length() > fastest { unit(velocity) * fastest } else { velocity };

        let bank = me.bank + 10.0 * (force.dot(side) - lift * me.bank.sin()) / SECOND + roll;
        Some(Prediction { velocity, bank: bank.clamp(-1.5, 1.5), mood })
    }

    /// The social force, and whether the bird copies an escape.
    fn social(&self, me: &Bird, heading: Vector) -> Option<(Vector, bool)> {
        let params = &self.params;
        let others = self.others(me);
        let number = if me.row.id % 2 == 1 { 7 } else { 6 };
        if others.windows(2).take(8).any(|pair| pair[1].2 - pair[0].2 < BORDER) {
            return None;
        }
        let near: Vec<_> =
            others.iter().take(number).filter(|other| other.2 < f64::from(params.vision.radius)).collect();
        let half_view = f64::from(params.perception.angle).to_radians() / 2.0;
        let sigma = 1.37 * f64::from(params.separation.radius) / 4.0;
        let mut separation = Vector::ZERO;
        let (mut cohesion, mut headings, mut seen) = (Vector::ZERO, Vector::ZERO, 0.0);
        for (other, offset, distance) in near.iter().map(|other| (other.0, other.1, other.2)) {
            let direction = unit(offset);
            separation = separation + direction * (-((distance - 0.2).max(0.0) / sigma).powi(2)).exp();
            let angle = heading.dot(direction).clamp(-1.0, 1.0).acos();
            if (angle - half_view).abs() < BORDER || (distance - 0.2).abs() < BORDER {
                return None;
            }
            if angle < half_view {
                headings = headings + unit(other.velocity);
                seen += 1.0;
                if distance > 0.2 {
                    cohesion = cohesion + direction;
                }
            }
        }
        let count = (near.len() as f64).max(1.0);
        let vision = f64::from(params.vision.radius);
        let twice = 2.0 * others.get(number).map_or(vision, |first_beyond| first_beyond.2.min(vision));
        if others.iter().any(|other| (other.2 - twice).abs() < BORDER) {
            return None;
        }
        let around: Vec<Vector> =
            others.iter().take_while(|other| other.2 < twice).map(|other| unit(other.1)).collect();
        let centrality = around.iter().sum::<Vector>().length() / (around.len() as f64).max(1.0);
        if (centrality - 0.35).abs() < BORDER {
            return None;
        }
        let centrality = if centrality < 0.35 { 0.0 } else { centrality };
        let mut force = separation * (-f64::from(params.separation.weight) / count);
        if seen > 0.0 {
            force = force + cohesion * (f64::from(params.cohesion.weight) * centrality / seen);
            force = force + (headings * (1.0 / seen) - heading) * f64::from(params.alignment.weight);
        }
        let first = near.iter().take(params.stardisplay.copy as usize);
        Some((force, first.into_iter().any(|other| self.is_copied(other.0))))
    }

    /// The ticks since the start of the escape.
    fn elapsed(&self, mood: f64) -> f64 {
        (3.0 * f64::from(self.params.stardisplay.escape) * (1.0 - mood)).round()
    }

    fn is_copied(&self, bird: &Bird) -> bool {
        let elapsed = self.elapsed(bird.mood);
        bird.mood > 0.0
            && elapsed + 1.0 >= f64::from(self.params.stardisplay.reaction)
            && elapsed < f64::from(self.params.stardisplay.escape)
    }

    /// The mood after the tick, and the roll.
    fn escape(&self, me: &Bird, starts: bool) -> (f64, f64) {
        let duration = f64::from(self.params.stardisplay.escape);
        let elapsed = match me.mood {
            0.0 if starts => 0.0,
            0.0 => return (0.0, 0.0),
            mood => self.elapsed(mood) + 1.0,
        };
        let rate = 2.0 * f64::from(self.params.stardisplay.roll).to_radians() / duration;
        let roll = if elapsed < duration / 2.0 { -rate } else { rate };
        (1.0 - elapsed / (3.0 * duration), if elapsed < duration { roll } else { 0.0 })
    }

    /// The force away from falcons, and whether one is near.
    fn fear(&self, me: &Bird) -> Option<(Vector, bool)> {
        let (radius, weight) = (f64::from(self.params.flee.radius), f64::from(self.params.flee.weight));
        let (mut force, mut is_near) = (Vector::ZERO, false);
        for falcon in self.birds.iter().filter(|other| other.row.kind == Kind::Predator && other.mood >= 0.0) {
            let offset = falcon.position - me.position;
            let distance = offset.length();
            if (distance - radius).abs() < BORDER {
                return None;
            }
            if distance < radius {
                is_near = true;
                force = force - unit(offset) * (weight * (1.0 - distance / radius));
            }
        }
        Some((force, is_near))
    }

    fn roost(&self, me: &Bird, heading: Vector, side: Vector) -> Vector {
        let parameters = &self.params.stardisplay;
        let [x, y, z] = (me.position - self.center).0;
        let flat = Vector([x, 0.0, z]);
        let beyond = (flat.length() - f64::from(parameters.roost)).max(0.0);
        let outward = unit(flat);
        let turn = (3.0 * side.dot(outward)).clamp(-1.0, 1.0);
        let strength = f64::from(parameters.pull) * beyond * (0.5 + 0.5 * heading.dot(outward));
        let half = 0.5 * f64::from(parameters.height);
        let level = (f64::from(parameters.level) * (y - y.clamp(-half, half))).clamp(-2.0, 2.0);
        side * (-strength * turn) - Vector([0.0, level, 0.0])
    }

    /// The force of a pointer that attracts, along its line of sight.
    fn pointer(&self, me: &Bird) -> Vector {
        let Some(pointer) = self.pointer else { return Vector::default() };
        let (straight, along) = (Vector::from(pointer.at) - me.position, unit(Vector::from(pointer.along)));
        let offset = straight - along * straight.dot(along);
        let q = offset.length() / f64::from(self.params.pointer.radius);
        let strength = f64::from(self.params.pointer.weight) * f64::from(self.params.speed.max);
        if q < 1.0 {
            unit(offset) * (4.0 * q * (1.0 - q) * strength * MASS * SECOND * SECOND)
        } else {
            Vector::default()
        }
    }

    /// Compares all birds after the tick with the formulas.
    fn compare(&self, after: &Flock) -> Result<(), String> {
        let mut compared = 0;
        let rows = after.rows();
        for (me, row) in self.birds.iter().zip(&rows).filter(|(me, _)| me.row.kind == Kind::Prey) {
            let Some(expected) = self.predict(me) else { continue };
            let error = (Vector::from(row.velocity) - expected.velocity).length();
            let bank = (f64::from(row.bank) - expected.bank).abs();
            let mood = (f64::from(row.mood) - expected.mood).abs();
            let moved = (Vector::from(row.position) - me.position - Vector::from(row.velocity)).length();
            if error > TOLERANCE || bank > 10.0 * TOLERANCE || mood > BORDER || moved > BORDER {
                return Err(format!(
                    "{row:?}, expected {:?}, bank {}, mood {}",
                    expected.velocity, expected.bank, expected.mood
                ));
            }
            compared += 1;
        }
        if compared * 10 > 8 * rows.len() { Ok(()) } else { Err(format!("only {compared} birds are decided")) }
    }
}

fn unit(vector: Vector) -> Vector {
    vector.direction().unwrap_or_default()
}

fn setup(change: impl Fn(&mut Setup)) -> Setup {
    let mut setup = Preset::load("stardisplay").unwrap().setup(5, 1.0);
    setup.boids = 400;
    setup.params.stardisplay.noise = 0.0;
    change(&mut setup);
    setup
}

/// The preset, and variants in which each rule has something to do.
fn setups() -> Vec<(&'static str, Setup)> {
    let start = |setup: &mut Setup| {
        (setup.predators, setup.params.flee.radius, setup.params.hunt.speed) = (4, 20.0, 0.6);
    };
    vec![
        ("falcon", setup(|_| ())),
        ("falcons", setup(start)),
        ("small roost", setup(|setup| (setup.params.stardisplay.roost, setup.params.stardisplay.pull) = (10.0, 0.05))),
        ("thin band", setup(|setup| (setup.params.stardisplay.height, setup.params.stardisplay.level) = (0.5, 0.5))),
        ("scattered", setup(|setup| setup.start = flockscope::sim::Start::Scatter)),
        ("few", setup(|setup| setup.boids = 5)),
        (
            "copies one",
            setup(|setup| {
                start(setup);
                (setup.params.stardisplay.copy, setup.params.stardisplay.reaction) = (1.0, 2.0);
            }),
        ),
    ]
}

#[test]
fn one_tick_and_each_of_100_ticks_follow_the_formulas() {
    for (name, setup) in setups() {
        let mut flock = Flock::new(&setup).unwrap();
        in_pool(NonZeroUsize::MIN, |scratch| {
            for tick in 0..100 {
                let before = State::of(&flock);
                flock.step(scratch);
                before.compare(&flock).unwrap_or_else(|why| panic!("{name}, tick {tick}: {why}"));
            }
        });
    }
}

/// A random force that is constant for Δu = 50 ms changes the velocity by F Δu/m in a random direction, so that in a time t
/// ⟨Δv²⟩ = (F/m)² Δu t.
#[test]
fn the_random_force_lets_velocities_diffuse_as_published() {
    const FORCE: f32 = 0.02;
    let rows = Flock::new(&setup(|_| ())).unwrap().rows();
    let velocities = |noise: f32, tick: u64| -> Vec<Vector> {
        let setup = setup(|setup| setup.params.stardisplay.noise = noise);
        let mut flock = Flock::from_rows(&setup, tick, &rows).unwrap();
        in_pool(NonZeroUsize::MIN, |scratch| flock.step(scratch));
        let prey = flock.rows().into_iter().filter(|row| row.kind == Kind::Prey);
        prey.map(|row| Vector::from(row.velocity) * SECOND).collect()
    };
    let calm = velocities(0.0, 0);
    let mut changes = vec![Vector::ZERO; calm.len()];
    for tick in 0..60 {
        for (change, (calm, shaken)) in changes.iter_mut().zip(calm.iter().zip(velocities(FORCE, tick))) {
            *change = *change + (shaken - *calm);
        }
    }
    let expected = (f64::from(FORCE) / MASS).powi(2) * 0.05;
    let mean = changes.iter().map(|change| change.dot(*change)).sum::<f64>() / changes.len() as f64;
    // The square of a sum of 60 random vectors has the relative standard deviation √(2/3).
    let error = (2.0 / 3.0 / changes.len() as f64).sqrt();
    assert!((mean / expected - 1.0).abs() < 4.0 * error, "{mean}, expected {expected}");
}

#[test]
fn the_pointer_attracts_birds() {
    let mut flock = Flock::new(&setup(|_| ())).unwrap();
    let [x, y, z] = flock.world().center();
    let pointer = Pointer { at: [x + 9.0, y - 4.0, z], along: [0.3, 0.1, 0.9], attracts: true };
    flock.apply(&Command::SetPointer(Some(pointer))).unwrap();
    in_pool(NonZeroUsize::MIN, |scratch| {
        let before = State::of(&flock);
        flock.step(scratch);
        before.compare(&flock).unwrap();
    });
}

#[test]
fn the_state_is_the_same_on_any_threads_and_simd() {
    let setup = Setup { boids: 4500, predators: 3, ..Preset::load("stardisplay").unwrap().setup(5, 1.0) };
    let hash = |threads: usize, simd: Simd| {
        let mut flock = Flock::new(&setup).unwrap();
        in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
            scratch.set_simd(simd);
            (0..20).for_each(|_| flock.step(scratch));
        });
        flock.hash()
    };
    let expected = hash(1, Simd::Scalar);
    for (threads, simd) in [1, 3].into_iter().flat_map(|threads| Simd::available().map(move |simd| (threads, simd))) {
        assert_eq!(hash(threads, simd), expected, "{threads} threads, {}", simd.name());
    }
}

#[test]
fn a_wave_of_agitation_is_faster_than_the_birds() {
    // A slow falcon at one end of the flock, which does not flee.
    let setup = setup(|setup| {
        (setup.boids, setup.params.flee.weight, setup.params.hunt.speed) = (3000, 0.0, 0.01);
    });
    let mut rows = Flock::new(&setup).unwrap().rows();
    let start: Vec<[f32; 3]> = rows.iter().map(|row| row.position).collect();
    let prey = rows.iter().filter(|row| row.kind == Kind::Prey);
    let end = prey.map(|row| row.position).max_by(|a, b| a[0].total_cmp(&b[0])).unwrap();
    for row in rows.iter_mut().filter(|row| row.kind == Kind::Predator) {
        row.position = [end[0] + 6.0, end[1], end[2]];
    }
    let mut flock = Flock::from_rows(&setup, 0, &rows).unwrap();
    // How far along the flock as it was at the start the wave has come after each tick, in u.
    let mut front: Vec<f32> = Vec::new();
    in_pool(NonZeroUsize::MIN, |scratch| {
        while front.last().is_none_or(|distance| *distance < 40.0) && flock.tick() < 300 {
            flock.step(scratch);
            let rows = flock.rows();
            let reached = rows.iter().filter(|row| row.kind == Kind::Prey && row.mood > 0.0);
            let distance = reached.map(|row| end[0] - start[row.id as usize][0]).fold(0.0, f32::max);
            front.push(distance);
        }
    });
    let near = front.iter().position(|distance| *distance > 10.0).unwrap();
    let speed = (front[front.len() - 1] - front[near]) / (front.len() - 1 - near) as f32;
    assert!(speed > 1.2 * setup.params.speed.max && front.len() < 300, "{speed} u/tick: {front:?}");
}
