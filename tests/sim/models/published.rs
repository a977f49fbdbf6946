//! Contract: a tick of each published model agrees with its formula, here in `f64` over all pairs, for every boid, from
//! random states and in each of 100 ticks, on any number of threads and any kind of SIMD.

use std::f64::consts::{PI, TAU};
use std::num::NonZeroUsize;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Edge, Flock, Model, MoveBy, Params, Row, Setup, Simd, World};

use super::vector::Vector;

/// The largest error of a position (u) or a heading in one tick.
const TOLERANCE: f64 = 2e-4;
/// Neighbors this near to the border of a zone may be on either side of it, in u.
const BORDER: f64 = 1e-4;

/// A boid in `f64`.
#[derive(Clone, Copy)]
pub struct Bird {
    id: u32,
    position: Vector,
    pub heading: Vector,
}

/// The flock at the beginning of a tick.
pub struct State<'a> {
    pub birds: Vec<Bird>,
    params: &'a Params,
    world: World,
    seed: u64,
}

impl<'a> State<'a> {
    pub fn of(flock: &'a Flock) -> Self {
        let bird = |row: Row| Bird {
            id: row.id,
            position: Vector::from(row.position),
            heading: unit(Vector::from(row.velocity)),
        };
        let birds = flock.rows().into_iter().map(bird).collect();
        Self { birds, params: flock.params(), world: flock.world(), seed: flock.seed() }
    }

    /// The offset from one position to another's nearest image.
    fn offset(&self, from: Vector, to: Vector) -> Vector {
        let (sides, wraps) = (self.world.size(), self.params.edge.mode == Edge::Wrap);
        Vector(std::array::from_fn(|axis| {
            let straight = to.0[axis] - from.0[axis];
            let period = f64::from(sides[axis]);
            if wraps && axis < self.world.dim() { straight - period * (straight / period).round() } else { straight }
        }))
    }

    /// All others within a radius, with offset and distance; `None` if one is at the border of any of these radii.
    fn neighbors(&self, me: &Bird, radii: &[f32]) -> Option<Vec<(Bird, Vector, f64)>> {
        let largest = radii.iter().fold(0.0_f64, |max, radius| max.max(f64::from(*radius)));
        let mut near = vec![];
        for other in self.birds.iter().filter(|other| other.id != me.id) {
            let offset = self.offset(me.position, other.position);
            let distance = offset.length();
            if radii.iter().any(|radius| (distance - f64::from(*radius)).abs() < BORDER) {
                return None;
            }
            if distance < largest {
                near.push((*other, offset, distance));
            }
        }
        Some(near)
    }

    /// The heading after the tick, without noise; `None` where rounding decides.
    fn next_heading(&self, me: &Bird) -> Option<Vector> {
        match self.params.model.name {
            Model::Vicsek => self.vicsek(me),
            Model::Couzin => self.couzin(me),
            Model::NetLogo => self.netlogo(me),
            Model::Abm => self.abm(me),
            Model::Boids | Model::StarDisplay => unreachable!("not a published model"),
        }
    }

    fn vicsek(&self, me: &Bird) -> Option<Vector> {
        let near = self.neighbors(me, &[self.params.alignment.radius])?;
        direction(near.iter().fold(me.heading, |sum, (other, ..)| sum + other.heading))
    }

    fn couzin(&self, me: &Bird) -> Option<Vector> {
        let couzin = &self.params.couzin;
        let [_, turn, zones @ ..] = self.factors(me.id);
        let mean = [couzin.repulsion, couzin.orientation, couzin.attraction];
        let [inner, middle, outer] = [0, 1, 2].map(|zone| mean[zone] * zones[zone] as f32);
        let (middle, outer) = (inner + middle, inner + middle + outer);
        let near = self.neighbors(me, &[inner, middle, outer])?;
        let half = f64::from(self.params.perception.angle).to_radians() / 2.0;
        let (mut away, mut social) = (Vector::ZERO, Vector::ZERO);
        let mut is_crowded = false;
        for (other, offset, distance) in near {
            let angle = me.heading.dot(unit(offset)).clamp(-1.0, 1.0).acos();
            if distance < f64::from(inner) {
                is_crowded = true;
                away = away - unit(offset);
            } else if (angle - half).abs() < BORDER && half < PI {
                return None;
            } else if angle <= half {
                social = social + if distance < f64::from(middle) { other.heading } else { unit(offset) };
            }
        }
        let sum = if is_crowded { away } else { social };
        let desired = if sum.length() == 0.0 { me.heading } else { direction(sum)? };
        let limit = f64::from(self.params.limits.max_turn).to_radians() * turn;
        let angle = me.heading.dot(desired).clamp(-1.0, 1.0).acos();
        if self.params.limits.max_turn == 0.0 || angle <= limit {
            return Some(desired);
        }
        if angle > PI - 1e-2 {
            return None;
        }
        let aside = unit(desired - me.heading * me.heading.dot(desired));
        Some(me.heading * limit.cos() + aside * limit.sin())
    }

    /// The factors by which the speed, the largest turn and the widths of the zones of a boid differ from the mean.
    pub fn factors(&self, id: u32) -> [f64; 5] {
        let mut rng = variation_stream(self.seed, id);
        let mut pair = || {
            let (u, v): (f32, f32) = (rng.random(), rng.random());
            let (length, angle) = ((-2.0 * (1.0 - f64::from(u)).ln()).sqrt(), TAU * f64::from(v));
            [length * angle.cos(), length * angle.sin()]
        };
        let [[speed, turn], [inner, middle], [outer, _]] = [pair(), pair(), pair()];
        let couzin = &self.params.couzin;
        let factor = |normal: f64, deviation: f32| (1.0 + f64::from(deviation) * normal.clamp(-3.0, 3.0)).max(0.0);
        let [inner, middle, outer] = [inner, middle, outer].map(|normal| factor(normal, couzin.zones_deviation));
        [factor(speed, couzin.speed_deviation), factor(turn, couzin.turn_deviation), inner, middle, outer]
    }

    fn netlogo(&self, me: &Bird) -> Option<Vector> {
        let near = self.neighbors(me, &[self.params.vision.radius, self.params.separation.radius])?;
        let netlogo = &self.params.netlogo;
        let Some(nearest) = near.iter().min_by(|a, b| a.2.total_cmp(&b.2)) else { return Some(me.heading) };
        if nearest.2 < f64::from(self.params.separation.radius) {
            return Some(turned(me.heading, -signed_angle(me.heading, nearest.0.heading)?, netlogo.separate));
        }
        let headings = direction(near.iter().fold(Vector::ZERO, |sum, (other, ..)| sum + other.heading))?;
        let toward = direction(near.iter().fold(Vector::ZERO, |sum, (_, offset, _)| sum + unit(*offset)))?;
        let aligned = turned(me.heading, signed_angle(me.heading, headings)?, netlogo.align);
        Some(turned(aligned, signed_angle(aligned, toward)?, netlogo.cohere))
    }

    fn abm(&self, me: &Bird) -> Option<Vector> {
        let near = self.neighbors(me, &[self.params.vision.radius, self.params.separation.radius])?;
        let Params { separation, alignment, cohesion, .. } = self.params;
        let count = (near.len() as f64).max(1.0);
        let mut sum = me.heading;
        for (other, offset, distance) in near {
            sum = sum + offset * (f64::from(cohesion.weight) / count);
            sum = sum + other.heading * (f64::from(alignment.weight) / count);
            if distance < f64::from(separation.radius) {
                sum = sum - offset * (f64::from(separation.weight) / count);
            }
        }
        direction(sum)
    }

    /// Compares the flock after the tick with the reference; returns the signed angles of noise in 2-D.
    pub fn compare(&self, after: &Flock, noise: f64) -> Vec<f64> {
        let mut angles = vec![];
        for (me, row) in self.birds.iter().zip(after.rows()) {
            let speed = f64::from(self.params.speed.max) * self.factors(me.id)[0];
            let (id, heading) = (me.id, unit(Vector::from(row.velocity)));
            assert!((Vector::from(row.velocity).length() - speed).abs() < TOLERANCE * speed, "speed of {id}");
            let old = self.params.model.name == Model::Vicsek && self.params.vicsek.r#move == MoveBy::Old;
            let travel = if old { me.heading } else { heading };
            let moved = self.offset(Vector::from(row.position), me.position + travel * speed);
            assert!(moved.length() < TOLERANCE, "position of {id}: {:?}", row.position);
            let Some(expected) = self.next_heading(me) else { continue };
            let error = (heading - expected).length();
            let largest = 2.0 * (noise / 4.0).sin();
            assert!(error < largest + TOLERANCE, "heading of {id}: {heading:?}, expected {expected:?}");
            if let Some(angle) = signed_angle(expected, heading) {
                angles.push(angle);
            }
        }
        assert!(angles.len() * 10 > self.birds.len() * 8, "too many undecided boids");
        angles
    }
}

/// The random numbers that a boid has at all ticks, by `SplitMix64` of seed, id and purpose.
fn variation_stream(seed: u64, id: u32) -> Xoshiro256PlusPlus {
    const PURPOSE: u64 = 10;
    let mix = |z: u64| {
        let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    Xoshiro256PlusPlus::seed_from_u64(mix(mix(mix(seed)) ^ (u64::from(id) << 8) ^ PURPOSE))
}

pub fn unit(vector: Vector) -> Vector {
    vector.direction().unwrap_or_default()
}

/// The direction of a sum; `None` if rounding decides it.
fn direction(sum: Vector) -> Option<Vector> {
    (sum.length() > 1e-3).then(|| unit(sum))
}

/// The signed angle in the plane; `None` for nearly opposite vectors.
fn signed_angle(from: Vector, to: Vector) -> Option<f64> {
    let ([x, y, _], [u, v, _]) = (from.0, to.0);
    Some((x * v - y * u).atan2(x * u + y * v)).filter(|angle| angle.abs() < PI - 1e-2)
}

fn turned(heading: Vector, angle: f64, max: f32) -> Vector {
    let max = f64::from(max).to_radians();
    let (sin, cos) = angle.clamp(-max, max).sin_cos();
    let [x, y, _] = heading.0;
    Vector([x * cos - y * sin, x * sin + y * cos, 0.0])
}

pub fn setup(preset: &str, change: impl Fn(&mut Setup)) -> Setup {
    let mut setup = Preset::load(preset).unwrap().setup(5, 1.0);
    setup.params.noise.angle = 0.0;
    setup.params.couzin.error = Params::default().couzin.error;
    change(&mut setup);
    setup
}

fn vary(setup: &mut Setup) {
    let couzin = &mut setup.params.couzin;
    (couzin.speed_deviation, couzin.turn_deviation, couzin.zones_deviation) = (0.2, 0.5, 0.3);
}

/// One setup of each model and variant, without noise.
fn setups() -> Vec<(&'static str, Setup)> {
    let flat = |setup: &mut Setup| setup.world = World::Rect([12.0, 12.0]);
    vec![
        ("vicsek", setup("vicsek", |_| ())),
        ("vicsek, new", setup("vicsek", |setup| setup.params.vicsek.r#move = MoveBy::New)),
        ("vicsek, 3.1", setup("vicsek", |setup| setup.world = World::Rect([3.1, 3.1]))),
        ("vicsek, narrower than two radii", setup("vicsek", |setup| setup.world = World::Rect([1.5, 3.1]))),
        ("vicsek, 3-D", setup("vicsek", |setup| setup.world = World::Cuboid([3.1, 4.0, 5.0]))),
        ("couzin", setup("couzin-dynamic", |_| ())),
        ("couzin, any turn", setup("couzin-swarm", |setup| setup.params.limits.max_turn = 0.0)),
        ("couzin, 2-D", setup("couzin-torus", flat)),
        ("couzin, individuals", setup("couzin-dynamic", vary)),
        (
            "couzin, individuals in 2-D",
            setup("couzin-torus", |setup| {
                flat(setup);
                vary(setup);
                setup.params.edge.mode = Edge::Wrap;
            }),
        ),
        ("netlogo", setup("netlogo", |setup| setup.boids = 900)),
        ("abm", setup("abm-small", |_| ())),
        ("abm, large", setup("abm-large", |_| ())),
    ]
}

#[test]
fn one_tick_and_each_of_100_ticks_follow_the_formula() {
    for (name, setup) in setups() {
        println!("{name}");
        let mut flock = Flock::new(&setup).unwrap();
        in_pool(NonZeroUsize::new(2).unwrap(), |scratch| {
            for _ in 0..100 {
                let before = flock.clone();
                flock.step(scratch);
                State::of(&before).compare(&flock, 0.0);
            }
        });
    }
}

#[test]
fn the_state_is_the_same_on_any_threads_and_simd() {
    for (name, mut setup) in setups() {
        // Enough boids for several threads, at the same density.
        let more = 4500.0 / setup.boids as f32;
        setup.world = match setup.world {
            World::Rect(sides) => World::Rect(sides.map(|side| side * more.sqrt())),
            World::Cuboid(sides) => World::Cuboid(sides.map(|side| side * more.cbrt())),
            World::Sphere(_) => unreachable!("no published model has a spherical world"),
        };
        setup.boids = 4500;
        setup.params.noise.angle = if setup.params.model.name == Model::Vicsek { 30.0 } else { 0.0 };
        let hash = |threads: usize, simd: Simd| {
            let mut flock = Flock::new(&setup).unwrap();
            in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
                scratch.set_simd(simd);
                (0..3).for_each(|_| flock.step(scratch));
            });
            flock.hash()
        };
        let expected = hash(1, Simd::Scalar);
        for (threads, simd) in [1, 3].into_iter().flat_map(|threads| Simd::available().map(move |simd| (threads, simd)))
        {
            assert_eq!(hash(threads, simd), expected, "{name}, {threads} threads, {}", simd.name());
        }
    }
}
