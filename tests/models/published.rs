//! Contract: a tick of each published model agrees with its formula, here in `f64` over all pairs, for every boid, from
//! random states and in each of 100 ticks, on any number of threads and any kind of SIMD.

use std::f64::consts::{PI, TAU};
use std::num::NonZeroUsize;

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Flock, Model, MoveBy, Params, Row, Setup, Simd, World};

use super::vector::Vector;

/// The largest error of a position (u) or a heading in one tick.
const TOLERANCE: f64 = 2e-4;
/// Neighbors this near to the border of a zone may be on either side of it, in u.
const BORDER: f64 = 1e-4;

/// A boid in `f64`.
#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    position: Vector,
    heading: Vector,
}

/// The flock at the beginning of a tick.
struct State<'a> {
    birds: Vec<Bird>,
    params: &'a Params,
    world: World,
}

impl<'a> State<'a> {
    fn of(flock: &'a Flock) -> Self {
        let bird = |row: Row| Bird {
            id: row.id,
            position: Vector::from(row.position),
            heading: unit(Vector::from(row.velocity)),
        };
        Self { birds: flock.rows().into_iter().map(bird).collect(), params: flock.params(), world: flock.world() }
    }

    /// The offset from one position to another's nearest image.
    fn offset(&self, from: Vector, to: Vector) -> Vector {
        let (sides, wraps) = (self.world.size(), self.params.edge.mode == flockscope::sim::Edge::Wrap);
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
        let [inner, middle] = [couzin.repulsion, couzin.repulsion + couzin.orientation];
        let near = self.neighbors(me, &[inner, middle, middle + couzin.attraction])?;
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
        let limit = f64::from(self.params.limits.max_turn).to_radians();
        let angle = me.heading.dot(desired).clamp(-1.0, 1.0).acos();
        if limit == 0.0 || angle <= limit {
            return Some(desired);
        }
        if angle > PI - 1e-2 {
            return None;
        }
        let aside = unit(desired - me.heading * me.heading.dot(desired));
        Some(me.heading * limit.cos() + aside * limit.sin())
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
        for (other, _, distance) in near {
            let straight = other.position - me.position;
            sum = sum + straight * (f64::from(cohesion.weight) / count);
            sum = sum + other.heading * (f64::from(alignment.weight) / count);
            if distance < f64::from(separation.radius) {
                sum = sum - straight * (f64::from(separation.weight) / count);
            }
        }
        direction(sum)
    }

    /// Compares the flock after the tick with the reference; returns the signed angles of noise in 2-D.
    fn compare(&self, after: &Flock, noise: f64) -> Vec<f64> {
        let mut angles = vec![];
        let speed = f64::from(self.params.speed.max);
        for (me, row) in self.birds.iter().zip(after.rows()) {
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

fn unit(vector: Vector) -> Vector {
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

fn setup(preset: &str, change: impl Fn(&mut Setup)) -> Setup {
    let mut setup = Preset::load(preset).unwrap().setup(5, 1.0);
    setup.params.noise.angle = 0.0;
    setup.params.couzin.error = Params::default().couzin.error;
    change(&mut setup);
    setup
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

/// Mean and variance.
fn moments(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (mean, numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count)
}

/// The angles by which noise turns headings, over some ticks.
fn noise_angles(setup: &Setup, largest: f64) -> Vec<f64> {
    let mut flock = Flock::new(setup).unwrap();
    let mut angles = vec![];
    in_pool(NonZeroUsize::MIN, |scratch| {
        for _ in 0..20 {
            let before = flock.clone();
            flock.step(scratch);
            angles.extend(State::of(&before).compare(&flock, largest));
        }
    });
    angles
}

#[test]
fn vicsek_noise_is_uniform() {
    let setup = setup("vicsek", |setup| setup.params.noise.angle = 120.0);
    let width = 120.0_f64.to_radians();
    let angles = noise_angles(&setup, width);
    let (mean, variance) = moments(&angles);
    assert!(mean.abs() < 0.03, "{mean}");
    assert!((variance / (width * width / 12.0) - 1.0).abs() < 0.05, "{variance}");
}

/// The angles between the headings after a tick and those expected without noise, in a world so large that boids have no
/// neighbors; and the mean of each squared component of the headings after 20 ticks, the sum of which is 1.
fn errors_in_space(setup: &Setup) -> (Vec<f64>, [f64; 3]) {
    let mut flock = Flock::new(setup).unwrap();
    let mut angles = vec![];
    let headings = |flock: &Flock| flock.rows().into_iter().map(|row| Vector::from(row.velocity)).collect::<Vec<_>>();
    in_pool(NonZeroUsize::MIN, |scratch| {
        for _ in 0..20 {
            let before = headings(&flock);
            flock.step(scratch);
            angles.extend(before.iter().zip(headings(&flock)).map(|(before, after)| before.angle_to(after)));
        }
    });
    let headings: Vec<Vector> = headings(&flock).into_iter().map(unit).collect();
    let mean = |axis: usize| headings.iter().map(|h| h.0[axis].powi(2)).sum::<f64>() / headings.len() as f64;
    (angles, [0, 1, 2].map(mean))
}

/// A mean, and whether it is within four standard errors of an expected one.
fn is_near(numbers: &[f64], expected: f64) -> (f64, bool) {
    let (mean, variance) = moments(numbers);
    (mean, (mean - expected).abs() < 4.0 * (variance / numbers.len() as f64).sqrt())
}

const EMPTY: World = World::Cuboid([5000.0; 3]);

#[test]
fn vicsek_noise_in_space_is_uniform_on_a_cap() {
    for degrees in [5.0_f32, 90.0, 250.0, 360.0] {
        let setup = setup("vicsek", |setup| {
            (setup.boids, setup.world, setup.params.noise.angle) = (1000, EMPTY, degrees);
        });
        let (angles, squares) = errors_in_space(&setup);
        let lowest = (f64::from(degrees).to_radians() / 2.0).cos();
        let cosines: Vec<f64> = angles.iter().map(|angle| angle.cos()).collect();
        assert!(cosines.iter().all(|cosine| *cosine > lowest - 1e-6), "{degrees}°");
        let (mean, is_exact) = is_near(&cosines, 0.5 * (1.0 + lowest));
        assert!(is_exact, "{degrees}°: {mean}");
        // A uniform number has the variance width²/12.
        let (_, variance) = moments(&cosines);
        assert!((variance * 12.0 / (1.0 - lowest).powi(2) - 1.0).abs() < 0.05, "{degrees}°: {variance}");
        if degrees == 360.0 {
            // ⟨cos⁴⟩ − ⟨cos²⟩² = 1/5 − 1/9.
            let error = (4.0 / 45.0 / 1000.0_f64).sqrt();
            assert!(squares.iter().all(|square| (square - 1.0 / 3.0).abs() < 4.0 * error), "{squares:?}");
        }
    }
}

#[test]
fn vectorial_noise_alone_turns_by_any_angle_at_full_amplitude() {
    // Without neighbors: the boid's heading plus a random unit vector, so half of the random angle.
    let setup = setup("vicsek", |setup| {
        setup.world = World::Rect([500.0, 500.0]);
        setup.params.vicsek.vectorial = 1.0;
    });
    let angles = noise_angles(&setup, TAU);
    let (mean, variance) = moments(&angles);
    assert!(mean.abs() < 0.05, "{mean}");
    assert!((variance / (PI * PI / 12.0) - 1.0).abs() < 0.05, "{variance}");
}

#[test]
fn the_error_of_couzin_is_gaussian() {
    let setup = setup("couzin-swarm", |setup| {
        setup.world = World::Rect([500.0, 500.0]);
        (setup.params.couzin.error, setup.params.limits.max_turn) = (10.0, 0.0);
    });
    let angles = noise_angles(&setup, TAU);
    let (mean, variance) = moments(&angles);
    let sigma = 10.0_f64.to_radians();
    assert!(mean.abs() < 0.02 && (variance.sqrt() / sigma - 1.0).abs() < 0.05, "{mean} {}", variance.sqrt());
    let beyond = angles.iter().filter(|angle| angle.abs() > 2.0 * sigma).count() as f64 / angles.len() as f64;
    assert!((beyond - 0.0455).abs() < 0.02, "{beyond}");
}

#[test]
fn the_error_of_couzin_in_space_is_a_wrapped_gaussian() {
    let setup = setup("couzin-swarm", |setup| {
        (setup.boids, setup.world) = (1000, EMPTY);
        (setup.params.couzin.error, setup.params.limits.max_turn) = (10.0, 0.0);
    });
    let (angles, _) = errors_in_space(&setup);
    let sigma = 10.0_f64.to_radians();
    let squares: Vec<f64> = angles.iter().map(|angle| angle * angle).collect();
    let (mean, is_exact) = is_near(&squares, 2.0 * sigma * sigma);
    assert!(is_exact, "{mean}");
    // A Rayleigh distribution: P(θ > x) = exp(−x²/2σ²).
    let beyond = angles.iter().filter(|angle| **angle > 2.0 * sigma).count() as f64 / angles.len() as f64;
    assert!((beyond - (-2.0_f64).exp()).abs() < 0.01, "{beyond}");
}

/// Every boid within the radius of every other: φ = sin(η/2)/(η/2), for many boids (Vicsek et al. 1995 in mean field).
#[test]
fn all_to_all_interaction_has_its_exact_polarization() {
    let setup = setup("vicsek", |setup| {
        (setup.boids, setup.world) = (4000, World::Rect([2.0, 2.0]));
        (setup.params.alignment.radius, setup.params.noise.angle) = (2.0, 180.0);
    });
    let mut flock = Flock::new(&setup).unwrap();
    let mut sum = 0.0;
    in_pool(NonZeroUsize::new(2).unwrap(), |scratch| {
        flock.step(scratch);
        for _ in 0..100 {
            flock.step(scratch);
            let total = State::of(&flock).birds.iter().fold(Vector::ZERO, |sum, bird| sum + bird.heading);
            sum += total.length() / 4000.0;
        }
    });
    let (measured, exact) = (sum / 100.0, 1.0 / (PI / 2.0));
    assert!((measured / exact - 1.0).abs() < 0.01, "{measured}, expected {exact}");
}
