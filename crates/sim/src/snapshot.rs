//! What is drawn, measured and written of a flock.

use crate::agents::{Agents, Kind, Row, hash};
use crate::flock::{Flock, Setup, uses_moods};
use crate::forces::{Perches, Pointer, Zone};
use crate::models::ModelRow;
use crate::params::Params;
use crate::world::{Metric, World};

/// The state of a flock at one tick, or of a recording at one frame: what pictures, measures and files need.
///
/// A flock lends it: `Snapshot::from(&flock)`. So does the player of a recording.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// The parameters that measures and pictures use.
    pub params: &'a Params,
    /// The world.
    pub world: World,
    /// The number of ticks since the start, or the number of the frame.
    pub tick: u64,
    /// All agents, in memory order.
    pub agents: &'a Agents,
    /// The number of predators.
    pub predators: usize,
    /// The number of caught boids that wait to respawn.
    pub caught: usize,
    /// Whether anything depends on moods. If not, they are not stored.
    pub uses_moods: bool,
    /// The zones of the world, in the order in which they were added.
    pub zones: &'a [Zone],
    /// The pointer, if one is set.
    pub pointer: Option<Pointer>,
    /// The perches, if boids are called or perches have numbers.
    pub perches: Option<&'a Perches>,
    /// The flock, unless it is a recording.
    pub simulated: Option<&'a Flock>,
    /// The frame, if it is one of a recording.
    pub recorded: Option<RecordedFrame<'a>>,
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
        agents.track(true, true);
        rows.into_iter().for_each(|row| agents.push(row));
        let caught = agents.kinds().iter().filter(|kind| **kind == Kind::Caught).count();
        agents.track(uses_moods(params, caught), ModelRow::of(params).has_banks);
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
            tick: flock.tick(),
            agents: flock.agents(),
            predators: flock.predators(),
            caught: flock.caught(),
            uses_moods: flock.uses_moods(),
            zones: flock.zones(),
            pointer: flock.pointer(),
            perches: flock.perches(),
            simulated: Some(flock),
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
            tick: number,
            agents: frame.agents,
            predators,
            caught,
            uses_moods: uses_moods(params, caught),
            zones: &[],
            pointer: None,
            perches: None,
            simulated: None,
            recorded: Some(frame),
        }
    }

    /// The clock of pictures, which drives the camera, wings and trails: the tick, or the index of a recorded frame.
    pub fn picture_tick(&self) -> u64 {
        self.recorded.map_or(self.tick, |frame| frame.index)
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

    /// The setup of the flock, but for the states of agents, a morph and the pointer. A recording has no rules: its setup has the
    /// world, the counts, and the parameters that measures and pictures use.
    pub fn setup(&self) -> Setup {
        if let Some(flock) = self.simulated {
            return flock.setup();
        }
        let setup = Setup::new(self.world).with_params(*self.params).with_predators(self.predators);
        setup.with_boids(self.agents.len() - self.predators)
    }

    /// The world at the end of a morph, or the current one.
    pub fn target_world(&self) -> World {
        self.simulated.map_or(self.world, |flock| flock.morph_target().1)
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
