//! What is drawn, measured and written of a flock.

use std::sync::Arc;

use crate::agents::{Agents, Row, hash};
use crate::flock::Flock;
use crate::forces::{Perches, Pointer, Zone};
use crate::models::ModelRow;
use crate::params::Params;
use crate::trajectories::Trajectories;
use crate::world::{Metric, World};

/// The state of a flock at one tick, or of a recording at one frame: what pictures, measures and files need.
///
/// A flock lends it: `Snapshot::from(&flock)`.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    pub(crate) params: &'a Params,
    pub(crate) world: World,
    /// The parameters and the world at the end of a morph.
    pub(crate) target: (&'a Params, World),
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    pub(crate) picture_tick: u64,
    pub(crate) agents: &'a Agents,
    pub(crate) predators: usize,
    pub(crate) caught: usize,
    pub(crate) is_morphing: bool,
    pub(crate) uses_moods: bool,
    pub(crate) zones: &'a [Zone],
    pub(crate) pointer: Option<Pointer>,
    pub(crate) perches: Option<&'a Perches>,
    pub(crate) trajectories: Option<&'a Arc<Trajectories>>,
}

impl<'a> From<&'a Flock> for Snapshot<'a> {
    fn from(flock: &'a Flock) -> Self {
        Self {
            params: flock.params(),
            world: flock.world(),
            target: flock.morph_target(),
            seed: flock.seed(),
            tick: flock.tick(),
            picture_tick: flock.picture_tick(),
            agents: flock.agents(),
            predators: flock.predators(),
            caught: flock.caught(),
            is_morphing: flock.is_morphing(),
            uses_moods: flock.uses_moods(),
            zones: flock.zones(),
            pointer: flock.pointer(),
            perches: flock.perches(),
            trajectories: flock.trajectories(),
        }
    }
}

impl<'a> Snapshot<'a> {
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
        self.picture_tick
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

    /// The perches, if boids are called or show glyphs.
    pub fn perches(&self) -> Option<&'a Perches> {
        self.perches
    }

    /// The recorded trajectories, if it is a frame of some.
    pub fn trajectories(&self) -> Option<&'a Arc<Trajectories>> {
        self.trajectories
    }

    /// The coordinates of an animal in the file of its recording, which has this animal in the frame.
    pub fn recorded_coordinates(&self, id: u32) -> Option<[f64; 3]> {
        self.trajectories?.coordinates(self.picture_tick as usize, id)
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
