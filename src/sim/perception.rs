//! What a tick knows of one boid, and what that boid perceives of the others.

use super::agents::Kind;
use super::vector::Vector;

/// One agent, as the tick began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Boid<V> {
    pub id: u32,
    pub kind: Kind,
    pub position: V,
    pub velocity: V,
}

/// A sum over some neighbours, and how many they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum<V> {
    pub total: V,
    pub count: f32,
}

impl<V: Vector> Sum<V> {
    /// Adds one term.
    pub fn add(&mut self, term: V) {
        self.total += term;
        self.count += 1.0;
    }
}

/// The sums over one boid's neighbours, one for each rule.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Neighbors<V> {
    /// `Σ f(d)·r` over the neighbours to keep away from.
    pub separation: Sum<V>,
    /// `Σ v` over the neighbours to fly along with.
    pub alignment: Sum<V>,
    /// `Σ r` over the neighbours to draw near to.
    pub cohesion: Sum<V>,
}

/// All that one boid perceives.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen<V> {
    /// Its neighbours.
    pub neighbors: Neighbors<V>,
    /// `Σ f(d)·r` over the predators in sight.
    pub fear: V,
    /// The offset to what a predator flies at.
    pub target: Option<V>,
}
