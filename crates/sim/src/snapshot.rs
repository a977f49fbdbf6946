//! What is drawn, measured and written of a flock.

use crate::agents::{Agents, Kind, Row, hash};
use crate::flock::{Flock, Setup, Start, uses_moods};
use crate::forces::{Perches, Pointer, Zone};
use crate::models::ModelRow;
use crate::params::Params;
use crate::world::{Metric, World};

/// The state of a flock at one tick, or of a recording at one frame: what pictures, measures and files need.
///
/// A flock lends it: `Snapshot::from(&flock)`. So does the player of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    pub(crate) params: &'a Params,
    pub(crate) world: World,
    /// The parameters and the world at the end of a morph.
    pub(crate) target: (&'a Params, World),
    pub(crate) start: Start,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    pub(crate) agents: &'a Agents,
    pub(crate) predators: usize,
    pub(crate) caught: usize,
    pub(crate) is_morphing: bool,
    pub(crate) uses_moods: bool,
    pub(crate) zones: &'a [Zone],
    pub(crate) pointer: Option<Pointer>,
    pub(crate) perches: Option<&'a Perches>,
    pub(crate) recorded: Option<RecordedFrame<'a>>,
}

/// What the agents of a flock lack and those of a recording have.
#[derive(Clone, Copy, Debug)]
pub struct RecordedFrame<'a> {
    /// The index of the frame, from 0.
    pub index: u64,
    /// The agents, in order of ids.
    pub agents: &'a Agents,
    /// Their positions before rounding, relative to a point of the file, in u.
    pub coordinates: &'a [[f64; 3]],
    /// Where the world's origin is in these coordinates.
    pub origin: [f64; 3],
    /// The first id of a flock that flies beside the animals, if one does. It is a second species.
    pub flock_from: Option<u32>,
}

impl RecordedFrame<'_> {
    /// Agents with these states, in their order. Moods and banks are stored if flocks with these parameters have them.
    pub fn agents_of(rows: impl IntoIterator<Item = Row>, params: &Params, world: World) -> Agents {
        let mut agents = Agents::new(world.dim());
        agents.track_moods(true);
        agents.track_banks(true);
        rows.into_iter().for_each(|row| agents.push(row));
        let caught = agents.kinds().iter().filter(|kind| **kind == Kind::Caught).count();
        agents.track_moods(uses_moods(params, caught));
        agents.track_banks(ModelRow::of(params).has_banks);
        agents
    }

    /// The coordinates of an agent.
    pub fn find(&self, id: u32) -> Option<[f64; 3]> {
        let index = self.agents.ids().binary_search(&id).ok()?;
        self.coordinates.get(index).copied()
    }
}

impl<'a> From<&'a Flock> for Snapshot<'a> {
    fn from(flock: &'a Flock) -> Self {
        Self {
            params: flock.params(),
            world: flock.world(),
            target: flock.morph_target(),
            start: flock.start(),
            seed: flock.seed(),
            tick: flock.tick(),
            agents: flock.agents(),
            predators: flock.predators(),
            caught: flock.caught(),
            is_morphing: flock.is_morphing(),
            uses_moods: flock.uses_moods(),
            zones: flock.zones(),
            pointer: flock.pointer(),
            perches: flock.perches(),
            recorded: None,
        }
    }
}

impl<'a> Snapshot<'a> {
    /// A recorded frame with a number, in a world. Measures and pictures use the parameters.
    pub fn of_recording(frame: RecordedFrame<'a>, number: u64, params: &'a Params, world: World) -> Self {
        let count = |kind| frame.agents.kinds().iter().filter(|other| **other == kind).count();
        let (predators, caught) = (count(Kind::Predator), count(Kind::Caught));
        Self {
            params,
            world,
            target: (params, world),
            start: Start::Scatter,
            seed: 0,
            tick: number,
            agents: frame.agents,
            predators,
            caught,
            is_morphing: false,
            uses_moods: uses_moods(params, caught),
            zones: &[],
            pointer: None,
            perches: None,
            recorded: Some(frame),
        }
    }

    /// The parameters that measures and pictures use.
    pub fn params(&self) -> &'a Params {
        self.params
    }

    /// The world.
    pub fn world(&self) -> World {
        self.world
    }

    /// The parameters and the world at the end of a morph, or the current ones.
    pub fn morph_target(&self) -> (&'a Params, World) {
        self.target
    }

    /// The random seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The number of ticks since the start, or the number of the frame.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The clock of pictures, which drives the camera, wings and trails: the tick, or the index of a recorded frame.
    pub fn picture_tick(&self) -> u64 {
        self.recorded.map_or(self.tick, |frame| frame.index)
    }

    /// All agents, in memory order.
    pub fn agents(&self) -> &'a Agents {
        self.agents
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

    /// The number of boids in the world, without predators and caught boids.
    pub fn boids(&self) -> usize {
        self.agents.len() - self.predators - self.caught
    }

    /// The setup, but for the states of agents, a morph and the pointer.
    pub fn setup(&self) -> Setup {
        let Self { start, predators, seed, zones, .. } = *self;
        let setup = Setup::new(self.world).with_params(*self.params).with_boids(self.agents.len() - predators);
        Setup { start, predators, seed, zones: zones.to_vec(), ..setup }
    }

    /// The number of caught boids that wait to respawn.
    pub fn caught(&self) -> usize {
        self.caught
    }

    /// The number of predators.
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// The zones of the world, in the order in which they were added.
    pub fn zones(&self) -> &'a [Zone] {
        self.zones
    }

    /// The pointer, if one is set.
    pub fn pointer(&self) -> Option<Pointer> {
        self.pointer
    }

    /// The perches, if boids are called or perches have payloads.
    pub fn perches(&self) -> Option<&'a Perches> {
        self.perches
    }

    /// The frame, if it is one of a recording.
    pub fn recorded(&self) -> Option<RecordedFrame<'a>> {
        self.recorded
    }

    /// The number of species.
    pub fn species(&self) -> usize {
        let is_beside = self.recorded.is_some_and(|frame| frame.flock_from.is_some());
        if is_beside { 2 } else { self.params.species.count as usize }
    }

    /// The species of the agent with an id, from 0.
    pub fn species_of(&self, id: u32) -> u8 {
        match self.recorded.and_then(|frame| frame.flock_from) {
            Some(from) => u8::from(id >= from),
            None => self.params.species_of(id),
        }
    }

    /// Whether the flock is on its way to another setup.
    pub fn is_morphing(&self) -> bool {
        self.is_morphing
    }

    /// Whether anything depends on moods. If not, they are not stored.
    pub fn uses_moods(&self) -> bool {
        self.uses_moods
    }

    /// Whether the model banks in turns.
    pub fn uses_banks(&self) -> bool {
        self.model().has_banks
    }

    /// The distances in the world.
    pub(crate) fn metric(&self) -> Metric {
        self.params.metric(&self.world)
    }

    /// The row of the model.
    pub(crate) fn model(&self) -> &'static ModelRow {
        ModelRow::of(self.params)
    }
}
