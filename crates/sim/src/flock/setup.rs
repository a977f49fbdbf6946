//! The setup of a flock, its initial positions and velocities, and the check of saved rows.

use std::f32::consts::PI;

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::agents::{Kind, Row};
use crate::error::Error;
use crate::forces::{Zone, edges};
use crate::math::{Purpose, Wide, direction, from_axes, perpendicular, stream};
use crate::models::ModelRow;
use crate::params::{Edge, Params, PredatorMode, choices};
use crate::world::World;

/// Largest id of a saved row, which leaves room for new ids.
const MAX_ID: u32 = u32::MAX / 2;

/// How a flock starts.
///
/// ```
/// use flockscope_sim::{Flock, Setup, World};
///
/// let setup = Setup::new(World::Rect([400.0, 250.0])).with_boids(400).with_predators(1).with_seed(7);
/// let flock = Flock::new(&setup)?;
/// # Ok::<(), flockscope_sim::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// Parameters of the rules.
    pub params: Params,
    /// Shape and size of the world.
    pub world: World,
    /// Initial positions and velocities.
    pub start: Start,
    /// Number of boids, from 1 to [`MAX_BOIDS`](crate::MAX_BOIDS).
    pub boids: usize,
    /// Number of predators.
    pub predators: usize,
    /// Random seed.
    pub seed: u64,
    /// Zones in the world.
    pub zones: Vec<Zone>,
}

impl Default for Setup {
    fn default() -> Self {
        Self::new(World::Rect([800.0, 600.0]))
    }
}

impl Setup {
    /// 200 scattered boids with default parameters and seed 1, without predators and zones.
    pub fn new(world: World) -> Self {
        Self {
            params: Params::default(),
            world,
            start: Start::Scatter,
            boids: 200,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        }
    }

    /// Sets the parameters.
    #[must_use]
    pub fn with_params(self, params: Params) -> Self {
        Self { params, ..self }
    }

    /// Sets the initial positions and velocities.
    #[must_use]
    pub fn with_start(self, start: Start) -> Self {
        Self { start, ..self }
    }

    /// Sets the number of boids.
    #[must_use]
    pub fn with_boids(self, boids: usize) -> Self {
        Self { boids, ..self }
    }

    /// Sets the number of predators.
    #[must_use]
    pub fn with_predators(self, predators: usize) -> Self {
        Self { predators, ..self }
    }

    /// Sets the random seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the zones.
    #[must_use]
    pub fn with_zones(self, zones: Vec<Zone>) -> Self {
        Self { zones, ..self }
    }

    /// Checks that a saved row fits this setup.
    ///
    /// # Errors
    ///
    /// [`Error::State`], which names the invalid number.
    pub fn check_row(&self, row: &Row) -> Result<(), Error> {
        let invalid = |text: String| Err(Error::State(text));
        if row.id > MAX_ID {
            return invalid(format!("id = {} is out of range: expected 0 to {MAX_ID}", row.id));
        }
        let names = [["x", "y", "z"], ["vx", "vy", "vz"]];
        for (names, numbers) in names.iter().zip([row.position, row.velocity]) {
            for (axis, number) in numbers.into_iter().enumerate() {
                if !number.is_finite() || number.abs() > 1e9 {
                    return invalid(format!("{} = {number} is out of range: expected -1e9 to 1e9", names[axis]));
                }
                if axis >= self.world.dim() && number != 0.0 {
                    return invalid(format!("{} = {number}: expected 0 in the 2-D world {}", names[axis], self.world));
                }
            }
        }
        row.check_mood_and_bank()?;
        let [x, y, z] = row.position;
        if self.contains(row) {
            Ok(())
        } else {
            invalid(format!("({x}, {y}, {z}) is outside the world {}", self.world))
        }
    }

    /// Whether the edge leaves the position of a row unchanged.
    fn contains(&self, row: &Row) -> bool {
        let mut inside = *row;
        edges::move_inside(&mut inside, &self.params, &self.world);
        let distance = (Wide::<f32, 3>::splat(inside.position) - Wide::splat(row.position)).length();
        // The clamp of a spherical world rounds in proportion to the distance from the center.
        let margin = if self.params.edge.mode == Edge::Sphere { self.params.edge.margin } else { 0.0 };
        distance <= 1e-5 * (self.world.size()[0] + margin)
    }
}

impl Row {
    /// Checks that mood and bank are in their ranges.
    ///
    /// # Errors
    ///
    /// [`Error::State`], which names the invalid number.
    pub fn check_mood_and_bank(&self) -> Result<(), Error> {
        let [min, max] = Self::mood_range(self.kind);
        if !(min..=max).contains(&self.mood) {
            let kind = self.kind.name();
            let text = format!("mood = {} is out of range for kind {kind}: expected {min} to {max}", self.mood);
            return Err(Error::State(text));
        }
        if !(-PI..=PI).contains(&self.bank) {
            return Err(Error::State(format!("bank = {} is out of range: expected {} to {PI}", self.bank, -PI)));
        }
        Ok(())
    }
}

choices! {
    /// Initial positions and velocities of a flock.
    pub enum Start {
        /// Uniform positions, headings and speeds within the limits.
        Scatter = "scatter",
        /// Uniform positions, at rest.
        Rest = "rest",
        /// Two opposed streams in a square of 25 u next to the center (Parker).
        Streams = "streams",
        /// Uniform positions; each velocity component is 0.1, 0.2 … or 1.0 u/tick (coderholic).
        Drift = "drift",
        /// A few flocks with different headings.
        Flocks = "flocks",
        /// One flock that flies past the center, all with the same heading.
        Flock = "flock",
        /// A ring around the center, in which all fly the same way round.
        Ring = "ring",
    }
}

/// Mean distance of neighbors in [`Start::Flock`], as a fraction of the radius of separation.
const SPACING: f32 = 0.3;
/// The proportions of [`Start::Flock`] along the axes, of about the volume (in 2-D the area) of a ball. In 3-D they are those of
/// flocks of starlings (Ballerini et al. 2008, *Empirical investigation of starling flocks*, Anim. Behav. 76, 201).
const PROPORTIONS: [[f32; 3]; 2] = [[1.4, 0.7, 0.0], [2.24, 0.4, 1.12]];
/// Its distance from the center of the world, as a fraction of the width. A flock that flew straight outward would break in two
/// where it turns.
const BESIDE: f32 = 0.1;
/// Number of flocks of [`Start::Flocks`].
const FLOCKS: u32 = 7;
/// Their radius, as a fraction of the world's shortest side.
const FLOCK_SIZE: f32 = 0.16;
/// Maximum deviation of headings within a flock, in radians.
const FLOCK_SPREAD: f32 = 0.5;
/// The inner and the outer radius of [`Start::Ring`], as fractions of the world's shortest side.
const RING: [f32; 2] = [0.08, 0.37];
/// Side of the square of [`Start::Streams`], in u.
const STREAM_SQUARE: f32 = 25.0;
/// Largest velocity component of [`Start::Streams`], in u/tick.
const STREAM_SPEED: f32 = 2.0;

/// Places a new agent.
pub(crate) struct Spawner<'a> {
    pub start: Start,
    pub params: &'a Params,
    pub world: &'a World,
    pub seed: u64,
    pub id: u32,
    pub kind: Kind,
}

impl Spawner<'_> {
    pub(crate) fn spawn(&self) -> Row {
        let mut rng = stream(self.seed, 0, self.id, Purpose::Start);
        let rng = &mut rng;
        let (position, velocity) = match self.start {
            Start::Rest => (self.anywhere(rng), Wide::zero()),
            Start::Streams => self.in_a_stream(rng),
            Start::Drift => (self.anywhere(rng), self.world.vector(|_| f32::from(rng.random_range(1..=10_u8)) / 10.0)),
            Start::Flocks if self.kind == Kind::Prey => self.in_a_flock(rng),
            Start::Flock if self.kind == Kind::Prey => self.in_the_flock(rng),
            Start::Ring if self.kind == Kind::Prey => self.in_a_ring(rng),
            Start::Scatter | Start::Flocks | Start::Flock | Start::Ring => {
                (self.anywhere(rng), self.direction(rng) * self.speed(rng))
            }
        };
        Row { id: self.id, kind: self.kind, position: position.axes(), velocity: velocity.axes(), mood: 0.0, bank: 0.0 }
    }

    /// A uniform position in the world.
    fn anywhere(&self, rng: &mut Xoshiro256PlusPlus) -> Wide<f32, 3> {
        let (origin, size) = (self.world.origin(), self.world.size());
        loop {
            let position = self.world.vector(|axis| origin[axis] + size[axis] * rng.random::<f32>());
            match self.world {
                World::Sphere(radius) if position.length() > *radius => {}
                _ => return position,
            }
        }
    }

    fn direction(&self, rng: &mut Xoshiro256PlusPlus) -> Wide<f32, 3> {
        direction(self.world.dim(), rng.random(), rng.random())
    }

    /// A uniform speed within the limits of its kind.
    fn speed(&self, rng: &mut Xoshiro256PlusPlus) -> f32 {
        let [least, most] = ModelRow::of(self.params).start_speeds(self.params);
        let hunts = self.kind == Kind::Predator && self.params.hunt.mode == PredatorMode::Hunt;
        let most = if hunts { self.params.hunt.speed } else { most };
        let least = least.min(most);
        least + (most - least) * rng.random::<f32>()
    }

    /// The number of its flock; each flock has one species.
    fn flock(&self) -> u32 {
        let species = (self.params.species.count as u32).max(1);
        let flocks = (FLOCKS / species).max(1);
        self.id % species + species * (self.id / species % flocks)
    }

    /// A position in a round flock, and a velocity near that of the flock.
    fn in_a_flock(&self, rng: &mut Xoshiro256PlusPlus) -> (Wide<f32, 3>, Wide<f32, 3>) {
        let mut flock = stream(self.seed, 0, self.flock(), Purpose::Cluster);
        let center = self.anywhere(&mut flock);
        let heading = self.direction(&mut flock);
        let (size, dim) = (self.world.size(), self.world.dim());
        let radius = FLOCK_SIZE * self.shortest_side();
        // A margin to the border, so that a flock starts in one piece.
        let center = match self.world {
            World::Sphere(world) => center.limit(world - radius),
            _ if self.params.edge.mode == Edge::Wrap => center,
            _ => self.world.vector(|axis| center[axis].min(size[axis] - radius).max(radius)),
        };
        // The square root of a uniform number is uniform in a disc.
        let position = center + self.direction(rng) * (radius * rng.random::<f32>().sqrt());
        let position = match self.world {
            World::Sphere(world) => position.limit(*world),
            _ => self.world.vector(|axis| position[axis].rem_euclid(size[axis]).min(size[axis] * 0.999_999)),
        };
        let turn = rng.random::<f32>() * std::f32::consts::TAU;
        let aside = if dim == 2 { from_axes([-heading[1], heading[0], 0.0]) } else { perpendicular(heading, turn) };
        let heading = heading + aside * (FLOCK_SPREAD * (2.0 * rng.random::<f32>() - 1.0));
        (position, heading.unit().0 * self.speed(rng))
    }

    /// A position in the one flock, which fills from its center in order of ids, and the velocity of all.
    fn in_the_flock(&self, rng: &mut Xoshiro256PlusPlus) -> (Wide<f32, 3>, Wide<f32, 3>) {
        let (dim, number) = (self.world.dim(), self.id as f32 + 1.0);
        let radius = if dim == 2 { (number / PI).sqrt() } else { libm::cbrtf(number * 0.75 / PI) };
        let (center, place) = (self.world.center(), self.direction(rng) * radius);
        let unit = SPACING * self.params.separation.radius;
        let heading = direction(2, stream(self.seed, 0, 0, Purpose::Cluster).random(), 0.0);
        let side = self.level([-heading[1], heading[0]]) * (BESIDE * self.world.size()[0]);
        let heading = self.level([heading[0], heading[1]]);
        let position =
            self.world.vector(|axis| center[axis] + side[axis] + PROPORTIONS[dim - 2][axis] * unit * place[axis]);
        (position, heading * self.speed(rng))
    }

    /// A uniform position between the radii of the ring, and a velocity along it.
    fn in_a_ring(&self, rng: &mut Xoshiro256PlusPlus) -> (Wide<f32, 3>, Wide<f32, 3>) {
        let [inner, outer] = RING.map(|radius| radius * self.shortest_side());
        let outward = direction(2, rng.random(), 0.0);
        let radius = (inner * inner + (outer * outer - inner * inner) * rng.random::<f32>()).sqrt();
        let turn = if stream(self.seed, 0, 0, Purpose::Cluster).random::<bool>() { 1.0 } else { -1.0 };
        let position = Wide(self.world.center()) + self.level([outward[0], outward[1]]) * radius;
        (position, self.level([-outward[1] * turn, outward[0] * turn]) * self.speed(rng))
    }

    fn shortest_side(&self) -> f32 {
        self.world.size()[..self.world.dim()].iter().fold(f32::INFINITY, |least, side| least.min(*side))
    }

    /// A horizontal vector: in 3-D the second axis is vertical.
    fn level(&self, [x, y]: [f32; 2]) -> Wide<f32, 3> {
        if self.world.dim() == 2 { Wide([x, y, 0.0]) } else { Wide([x, 0.0, y]) }
    }

    /// The start of the JavaScript version of Conrad Parker's pseudocode.
    fn in_a_stream(&self, rng: &mut Xoshiro256PlusPlus) -> (Wide<f32, 3>, Wide<f32, 3>) {
        let center = self.world.center();
        let position = self.world.vector(|axis| center[axis] + STREAM_SQUARE * rng.random::<f32>());
        let sign = if rng.random::<bool>() { STREAM_SPEED } else { -STREAM_SPEED };
        (position, self.world.vector(|_| sign * rng.random::<f32>()))
    }
}
