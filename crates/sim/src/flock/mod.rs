//! The flock: its state, and one tick of it.

mod apply;
mod morph;
mod setup;

pub(super) use apply::can_allocate;
use apply::check_counts;
use morph::Morph;

pub use apply::Command;
pub use setup::{Setup, Start};

use crate::agents::{Agents, Kind, Row, WordHash, hash};
use crate::error::Error;
use crate::forces::hunt::{catch_prey, respawn};
use crate::forces::{Environment, Perches, Pointer, Zone, ZoneKind, Zones};
use crate::math::Wide;
use crate::models::{self, ModelRow, check_params};
use crate::neighbors::CellList;
use crate::params::Params;
use crate::tick::{Scratch, Tick};
use crate::world::{Metric, World};

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
    perches: Option<Perches>,
    morph: Option<Morph>,
}

impl Flock {
    /// A flock at tick 0.
    ///
    /// # Errors
    ///
    /// [`Error::Count`], [`Error::World`], [`Error::Conflict`] or [`Error::Zone`] if the setup is invalid, and [`Error::Memory`].
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        check_counts(setup.boids, setup.predators, 0)?;
        ModelRow::of(&setup.params).check_counts(setup.predators, setup.zones.len())?;
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
        flock.agents.track(true, true);
        for row in rows {
            setup.check_row(row)?;
            flock.agents.push(*row);
        }
        flock.count_kinds();
        check_counts(flock.total_boids(), flock.predators, flock.agents.len())?;
        flock.model().check_counts(flock.predators, setup.zones.len())?;
        flock.tick = tick;
        flock.zones_changed();
        flock.agents.track(flock.uses_moods(), flock.uses_banks());
        Ok(flock)
    }

    fn empty(setup: &Setup) -> Result<Self, Error> {
        let world = setup.world.check()?;
        check_params(&setup.params, &world)?;
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
            perches: None,
            morph: None,
        })
    }

    pub(super) fn metric(&self) -> Metric {
        self.params.metric(&self.world)
    }

    /// The row of the model.
    pub(super) fn model(&self) -> &'static ModelRow {
        ModelRow::of(&self.params)
    }

    fn environment(&self) -> Environment<'_> {
        let Self { params, world, zones, pointer, seed, tick, .. } = self;
        let start_speeds = self.model().start_speeds(params);
        Environment::new(params, world, zones.as_slice(), *pointer, *seed, *tick, start_speeds)
    }

    /// Advances by one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        if self.morph.is_some() {
            self.advance_morph();
        }
        match self.world.dim() {
            2 => self.step_in::<2>(scratch),
            _ => self.step_in::<3>(scratch),
        }
    }

    /// Every agent reads the state at the beginning of the tick.
    fn step_in<const D: usize>(&mut self, scratch: &mut Scratch) {
        self.agents.track(self.uses_moods(), self.uses_banks());
        let execution = scratch.sort(&self.agents, &self.params, &self.world, self.predators);
        if self.predators > 0 {
            scratch.hunt::<D>(&self.params, &self.world, execution);
        }
        let mut agents = std::mem::take(&mut self.agents);
        let environment = self.environment();
        let tick = Tick { environment: &environment, execution, stopwatch: scratch.stopwatch.as_ref() };
        tick.advance::<D>(&scratch.neighbors, agents.as_mut());
        if self.zones.has(ZoneKind::Food) {
            self.eat::<D>(&scratch.neighbors.flock);
        }
        if let Some(mut perches) = self.perches.take() {
            let is_used = perches.advance::<D>(&self.environment(), &scratch.neighbors, &mut agents.as_mut());
            self.perches = Some(perches).filter(|_| is_used);
        }
        agents.swap_order(&mut scratch.neighbors.flock.agents);
        let environment = self.environment();
        let (waits, catches) = (self.caught > 0, self.params.hunt.catch > 0.0 && self.predators > 0);
        if waits {
            let apart = scratch.neighbors.flock.count_in_cells()..agents.len();
            respawn(&environment, &mut agents, apart);
        }
        if catches {
            catch_prey(&environment, &mut agents, &scratch.neighbors.hunters);
        }
        self.agents = agents;
        if waits || catches {
            self.count_kinds();
        }
        self.tick += 1;
    }

    /// Whether anything depends on moods. If not, they are not stored.
    pub fn uses_moods(&self) -> bool {
        uses_moods(&self.params, self.caught) || self.zones.has(ZoneKind::Roost) || self.perches.is_some()
    }

    /// Whether the model banks in turns. If not, banks are not stored.
    pub fn uses_banks(&self) -> bool {
        self.model().has_banks
    }

    /// Lets the boids on food eat.
    fn eat<const D: usize>(&mut self, flock: &CellList) {
        let metric = self.metric();
        self.zones.eat(&self.params, |zone| {
            let mut eaters = 0;
            flock.within(&metric, Wide::<f32, D>::splat(zone.center), zone.radius, |index, _, _| {
                eaters += u32::from(flock.agents.kinds()[index] == Kind::Prey);
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
        self.agents.update(|agent| {
            let steering = rule(agent);
            let moves = agent.kind == Kind::Predator || (agent.kind == Kind::Prey && agent.mood().rest() == 0.0);
            if moves && steering.iter().all(|axis| axis.is_finite()) {
                agent.velocity = [0, 1, 2].map(|axis| agent.velocity[axis] + steering[axis]);
            }
        });
    }

    /// The id and the steering of each boid in the current state, in u/tick²: the sum of all rules, limited to `max_force`, before
    /// noise and the limits of turns and speeds. In order of memory; empty if the model does not steer.
    pub fn steering(&self, scratch: &mut Scratch) -> Vec<(u32, [f32; 3])> {
        if !self.model().has_steering {
            return Vec::new();
        }
        let execution = scratch.sort(&self.agents, &self.params, &self.world, self.predators);
        let (environment, neighbors) = (self.environment(), &scratch.neighbors);
        let steering = match self.world.dim() {
            2 => models::steering::<2>(&environment, neighbors, execution.simd),
            _ => models::steering::<3>(&environment, neighbors, execution.simd),
        };
        neighbors.flock.agents.ids().iter().copied().zip(steering).collect()
    }

    /// The parameters and the world at the end of a morph, or the current ones.
    pub fn morph_target(&self) -> (&Params, World) {
        self.morph.as_ref().map_or((&self.params, self.world), Morph::end)
    }

    /// The current parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The current world.
    pub fn world(&self) -> World {
        self.world
    }

    /// The random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of ticks since the start.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The number of boids in the world, without predators and caught boids.
    pub fn boids(&self) -> usize {
        self.total_boids() - self.caught
    }

    /// The number of caught boids that wait to respawn.
    pub fn caught(&self) -> usize {
        self.caught
    }

    /// The number of boids, caught ones included, as set by [`Command::SetBoids`](crate::Command::SetBoids).
    pub fn total_boids(&self) -> usize {
        self.agents.len() - self.predators
    }

    /// The number of predators.
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// The zones of the world, in the order in which they were added.
    pub fn zones(&self) -> &[Zone] {
        self.zones.as_slice()
    }

    /// The pointer, if one is set.
    pub fn pointer(&self) -> Option<Pointer> {
        self.pointer
    }

    /// The perches, if boids are called or perches have numbers.
    pub fn perches(&self) -> Option<&Perches> {
        self.perches.as_ref()
    }

    /// All agents, in memory order.
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// The state of all agents, in order of ids.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.agents.iter().collect();
        rows.sort_unstable_by_key(|row| row.id);
        rows
    }

    /// A hash of the state: see [`hash`](crate::hash).
    pub fn hash(&self) -> u64 {
        hash(&self.rows())
    }

    /// A hash of all that changes from tick to tick, for sessions: seed, tick, agents with their kinds, moods and
    /// banks, food, perches, the world, and the progress of a morph. It does not depend on the order of the agents.
    pub fn session_hash(&self) -> u64 {
        let words = |hash: WordHash, number: u64| hash.add(number as u32).add((number >> 32) as u32);
        let agents = self.agents.iter().map(|row| {
            // A mood that is not stored is 0.
            let mood = if row.mood == 0.0 { 0.0 } else { row.mood };
            let bank = Some(row.bank).filter(|bank| *bank != 0.0);
            let numbers = row.position.into_iter().chain(row.velocity).chain([mood]).chain(bank).map(f32::to_bits);
            numbers.chain([row.id, row.kind as u32]).fold(0, mix)
        });
        let agents = agents.fold(0, u64::wrapping_add);
        let hash = [self.seed, self.tick, agents].into_iter().fold(WordHash::default(), words);
        let food = self.zones().iter().map(|zone| zone.amount);
        let hash = food.chain(self.world.size()).fold(hash, |hash, number| hash.add(number.to_bits()));
        let perches = self.perches.iter().flat_map(Perches::words);
        let hash = perches.fold(hash, WordHash::add);
        let (elapsed, ticks) = self.morph.as_ref().map_or((0, 0), Morph::progress);
        hash.add(elapsed).add(ticks).0
    }

    /// The setup of the flock as it is now, but for the states of its agents, a morph and the pointer.
    pub fn setup(&self) -> Setup {
        Setup {
            params: self.params,
            world: self.world,
            start: self.start,
            boids: self.total_boids(),
            predators: self.predators,
            seed: self.seed,
            zones: self.zones().to_vec(),
        }
    }

    /// The memory that the flock takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.agents.bytes()
            + size_of_val(self.zones())
            + self.perches.as_ref().map_or(0, Perches::bytes)
    }

    /// Whether the flock is on its way to another setup.
    pub fn is_morphing(&self) -> bool {
        self.morph.is_some()
    }
}

/// Whether moods matter to flocks with these parameters and this number of caught boids.
pub(crate) fn uses_moods(params: &Params, caught: usize) -> bool {
    ModelRow::of(params).has_banks || caught > 0 || params.predators_rest() || params.has_alarm()
}

/// A step of `FxHash`, as in Firefox and rustc: one multiplication per word, since large flocks are hashed while they fly.
fn mix(hash: u64, word: u32) -> u64 {
    (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
}
