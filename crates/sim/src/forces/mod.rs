//! What moves the agents: the rules, predators, and the environment, each a function over SIMD lanes, one lane per boid;
//! `f32` is a single lane.

pub(crate) mod environment;
pub(crate) mod heading;
pub(crate) mod hunt;
pub(crate) mod leaders;
mod perception;
pub(crate) mod perch;
mod prey_search;
pub(crate) mod roosting;
pub(crate) mod threat;

pub(crate) use environment::{Environment, edges, obstacles};
pub use environment::{MAX_ZONES, Pointer, Zone, ZoneKind, fit_zones};
pub(crate) use environment::{Zones, is_on_roost, take_off};
pub(crate) use perception::{NeighborIndex, NeighborQuery};
pub use perch::{Formation, MAX_PERCHES, Perch, Perches, Plane, Shelter};

use super::agents::{Agents, Kind, Row};
use super::math::Wide;
use super::params::{Params, PredatorMode};
use super::simd::Lanes;

/// Boids at the beginning of the tick, one per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoidLanes<F, const D: usize> {
    pub position: Wide<F, D>,
    pub velocity: Wide<F, D>,
}

impl<F: Lanes, const D: usize> BoidLanes<F, D> {
    /// The boids from this index on; lanes past the last one hold anything.
    #[inline(always)]
    pub(crate) fn load(agents: &Agents, first: usize) -> Self {
        Self {
            position: Wide::new(|axis| F::load_or(&agents.positions(axis)[first..], 0.0)),
            velocity: Wide::new(|axis| F::load_or(&agents.velocities(axis)[first..], 0.0)),
        }
    }
}

impl BoidLanes<f32, 3> {
    /// A single agent. In 2-D its third axis is 0, and no edge or obstacle changes that.
    fn of_row(row: &Row) -> Self {
        Self { position: Wide(row.position), velocity: Wide(row.velocity) }
    }

    fn store(self, row: &mut Row) {
        (row.position, row.velocity) = (self.position.0, self.velocity.0);
    }
}

/// Whether agents of a kind follow the rules of the flock.
pub(crate) fn follows_rules(params: &Params, kind: Kind) -> bool {
    match kind {
        Kind::Prey => true,
        Kind::Predator => params.hunt.mode == PredatorMode::Flock,
        Kind::Caught => false,
    }
}

/// Whether the agent at this index leads.
fn is_leader(agents: &Agents, params: &Params, index: usize) -> bool {
    params.is_leader(agents.ids()[index]) && agents.kinds()[index] == Kind::Prey
}
