//! The flock: its state, and one tick of it.

mod apply;
mod morph;

use glam::{Vec2, Vec3};

use super::agents::{Agents, Kind};
use super::environment::zone::Zones;
use super::environment::{Environment, edges};
use super::math::metric::Metric;
use super::math::vector::Vector;
use super::neighbors::cell_list::CellList;
use super::neighbors::query::NeighborIndex;
use super::params::Params;
use super::predators::respawn::Respawn;
use super::scratch::Scratch;
use super::setup::Setup;
use super::snapshot::{self, Row};
use super::spawn::{Start, spawn};
use super::tick::Tick;
use super::{Error, Pointer, World, Zone, ZoneKind};

use apply::check_counts;
use morph::Morph;

/// Maximum number of boids.
pub const MAX_BOIDS: usize = 10_000_000;
/// Maximum number of predators.
pub const MAX_PREDATORS: usize = 1000;
/// Latest tick that a flock can continue from; later ones are not exact as `f64`.
pub const MAX_TICK: u64 = 1 << 53;

/// A flock of boids and predators.
///
/// Its next state is a pure function of state, parameters, seed and tick.
#[derive(Clone, Debug)]
pub struct Flock {
    params: Params,
    world: World,
    start: Start,
    seed: u64,
    tick: u64,
    agents: Agents,
    predators: usize,
    caught: usize,
    zones: Zones,
    pointer: Option<Pointer>,
    morph: Option<Morph>,
}

impl Flock {
    /// A flock at tick 0.
    ///
    /// # Errors
    ///
    /// [`Error::Count`], [`Error::World`], [`Error::Conflict`] or [`Error::Zone`] if the setup is invalid.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        check_counts(setup.boids, setup.predators)?;
        let mut flock = Self::empty(setup)?;
        flock.set_counts(setup.boids, setup.predators);
        Ok(flock)
    }

    /// A flock that continues from saved rows at `tick`. It ignores the counts of `setup`.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`], and [`Error::State`] if ids repeat, a row does not fit the setup, or the tick is above
    /// [`MAX_TICK`].
    pub fn from_rows(setup: &Setup, tick: u64, rows: &[Row]) -> Result<Self, Error> {
        let mut flock = Self::empty(setup)?;
        if tick > MAX_TICK {
            return Err(Error::State(format!("tick {tick} is out of range: expected at most {MAX_TICK}")));
        }
        let mut ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
        ids.sort_unstable();
        if let Some(id) = ids.windows(2).find_map(|pair| (pair[0] == pair[1]).then_some(pair[0])) {
            return Err(Error::State(format!("duplicate id {id}")));
        }
        let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
        (flock.predators, flock.caught) = (count(Kind::Predator), count(Kind::Caught));
        flock.agents.track_moods(true);
        for (index, row) in rows.iter().enumerate() {
            setup.check_row(row)?;
            flock.agents.push(row.id, row.kind, row.position, row.velocity);
            flock.agents.set_mood(index, row.mood);
        }
        check_counts(flock.total_boids(), flock.predators)?;
        flock.tick = tick;
        flock.zones_changed();
        flock.agents.track_moods(flock.uses_moods());
        Ok(flock)
    }

    fn empty(setup: &Setup) -> Result<Self, Error> {
        let world = setup.world.check()?;
        setup.params.check(&world)?;
        Ok(Self {
            params: setup.params,
            world,
            start: setup.start,
            seed: setup.seed,
            tick: 0,
            agents: Agents::new(world.dim()),
            predators: 0,
            caught: 0,
            zones: Zones::new(&setup.zones, &setup.params, &world)?,
            pointer: None,
            morph: None,
        })
    }

    fn add(&mut self, id: u32, kind: Kind) {
        let (position, velocity) = spawn(self.start, &self.params, &self.world, self.seed, id, kind);
        let (position, velocity) = edges::move_inside(position, velocity, &self.params, &self.world);
        self.agents.push(id, kind, position, velocity);
        self.predators += usize::from(kind == Kind::Predator);
    }

    fn next_id(&self) -> u32 {
        self.agents.ids().iter().max().map_or(0, |id| id + 1)
    }

    /// Advances by one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        if self.morph.is_some() {
            self.advance_morph();
        }
        match self.world.dim() {
            2 => self.step_in::<Vec2, 2>(scratch),
            _ => self.step_in::<Vec3, 3>(scratch),
        }
    }

    /// Every agent reads the state at the beginning of the tick.
    fn step_in<V: Vector, const D: usize>(&mut self, scratch: &mut Scratch) {
        self.agents.track_moods(self.uses_moods());
        let execution = scratch.sort(&self.agents, &self.params, &self.world, self.predators);
        if self.predators > 0 {
            scratch.hunt::<V, D>(&self.params, &self.world, execution);
        }
        let now = (self.seed, self.tick);
        let tick = Tick {
            params: &self.params,
            world: &self.world,
            environment: Environment::new(&self.params, &self.world, self.zones.as_slice(), self.pointer, now),
            seed: self.seed,
            number: self.tick,
            execution,
            stopwatch: scratch.stopwatch.as_ref(),
        };
        tick.advance::<V, D>(&scratch.neighbors, self.agents.motion());
        if self.zones.has(ZoneKind::Food) {
            self.eat::<V>(&scratch.neighbors.flock);
        }
        self.agents.swap_order(&mut scratch.neighbors.flock.agents);
        self.update_caught(&scratch.neighbors);
        self.tick += 1;
    }

    /// Respawns caught boids whose time is over, and removes newly caught ones.
    fn update_caught(&mut self, neighbors: &NeighborIndex) {
        if self.caught == 0 && (self.params.hunt.catch == 0.0 || self.predators == 0) {
            return;
        }
        let now = (self.seed, self.tick);
        let environment = Environment::new(&self.params, &self.world, self.zones.as_slice(), self.pointer, now);
        let respawn = Respawn { params: &self.params, world: &self.world, environment: &environment, now };
        if self.caught > 0 {
            let apart = neighbors.flock.count_in_cells()..self.agents.len();
            self.caught -= respawn.respawn(&mut self.agents, apart);
        }
        if self.params.hunt.catch > 0.0 && self.predators > 0 {
            self.caught += respawn.catch_prey(&mut self.agents, &neighbors.hunters);
        }
    }

    /// Whether anything depends on moods. If not, they are not stored.
    #[must_use]
    pub fn uses_moods(&self) -> bool {
        self.caught > 0 || self.params.tires() || self.params.alarms() || self.zones.has(ZoneKind::Roost)
    }

    /// Lets the boids on food eat.
    fn eat<V: Vector>(&mut self, flock: &CellList) {
        let metric = Metric::new(&self.params, &self.world);
        self.zones.eat(&self.params, |zone| {
            let mut eaters = 0;
            flock.near(V::from_axes(zone.center), zone.radius, |index| {
                let eats = zone.contains(flock.agents.position::<V>(index), &metric);
                eaters += u32::from(eats && flock.agents.kinds()[index] == Kind::Prey);
            });
            eaters
        });
    }

    /// Applies a user-defined rule: adds `rule(agent)`, in u/tick², to the velocity of each boid and predator.
    ///
    /// Call it between ticks; the next tick adds the built-in rules and applies the limits of speed and turning. Resting
    /// and caught boids are skipped, and so is steering that is not finite. Runs are reproducible if `rule` is a pure
    /// function.
    pub fn steer(&mut self, rule: impl Fn(&Row) -> [f32; 3]) {
        for index in 0..self.agents.len() {
            let agent = self.agents.row(index);
            let steering = rule(&agent);
            let moves = agent.kind == Kind::Predator || (agent.kind == Kind::Prey && agent.mood >= 0.0);
            if moves && steering.iter().all(|axis| axis.is_finite()) {
                let velocity = [0, 1, 2].map(|axis| agent.velocity[axis] + steering[axis]);
                self.agents.set_motion(index, agent.position, velocity);
            }
        }
    }

    /// The parameters and the world at the end of a morph, or the current ones.
    #[must_use]
    pub fn morph_target(&self) -> (&Params, World) {
        self.morph.as_ref().map_or((&self.params, self.world), Morph::end)
    }

    /// The current parameters.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The current world.
    #[must_use]
    pub fn world(&self) -> World {
        self.world
    }

    /// The random seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of ticks since the start.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The number of boids in the world, without predators and caught boids.
    #[must_use]
    pub fn boids(&self) -> usize {
        self.total_boids() - self.caught
    }

    /// The number of caught boids that wait to respawn.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.caught
    }

    /// The number of boids, caught ones included, as set by [`Command::SetBoids`](crate::sim::Command::SetBoids).
    #[must_use]
    pub fn total_boids(&self) -> usize {
        self.agents.len() - self.predators
    }

    /// The number of predators.
    #[must_use]
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// The zones of the world, in the order in which they were added.
    #[must_use]
    pub fn zones(&self) -> &[Zone] {
        self.zones.as_slice()
    }

    /// The pointer, if one is set.
    #[must_use]
    pub fn pointer(&self) -> Option<Pointer> {
        self.pointer
    }

    /// All agents, in memory order.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// The state of all agents, in order of ids.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        snapshot::rows(&self.agents)
    }

    /// A hash of the state: see [`hash`](crate::sim::hash).
    #[must_use]
    pub fn hash(&self) -> u64 {
        snapshot::hash(&self.rows())
    }
}
