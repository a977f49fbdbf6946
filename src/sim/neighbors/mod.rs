//! Neighbor search: what each boid perceives of the others in one tick.
//!
//! [`NeighborIndex`](query::NeighborIndex) sorts the agents by grid cell. [`NeighborQuery`](query::NeighborQuery) holds
//! the rules of the tick, and its `perceive` fills [`Perceived`](perceived::Perceived), the sums that the rules steer
//! by, for a chunk of boids at a time:
//!
//! 1. `topological` finds the distance of the nearest few neighbors, if the rules ask for them;
//! 2. `kernel` adds up the neighbors of a block of boids, one boid in each SIMD lane;
//! 3. `scalar` repeats the few boids that the kernel cannot resolve: coincident boids, ties, the neighbor cap.

pub(crate) mod block;
pub(crate) mod cell_list;
pub(crate) mod coincidence;
pub(crate) mod field_of_view;
pub(crate) mod grid;
mod kernel;
mod perceive;
pub(crate) mod perceived;
pub(crate) mod query;
mod scalar;
pub(crate) mod simd;
pub(crate) mod species;
pub(crate) mod topological;
