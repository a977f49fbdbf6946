//! Breeds flocks: mutations of their rules, what these flocks do, and which of them differ most (Dawkins 1986; Sims 1991).
//!
//! 1. `genes` has the parameters that mutate, and keeps the steering of a rule about equal when its radius or form changes;
//! 2. `mutation` draws children and crosses two flocks;
//! 3. `test_flight` flies them off the screen, with fewer boids at the same density;
//! 4. `picture` measures how a flock looks in a tile;
//! 5. `traits` describes a flock by measures and pictures of such a flight;
//! 6. `selection` chooses the children that differ most;
//! 7. `evolution` breeds toward given measures.

mod evolution;
mod genes;
mod mutation;
mod picture;
mod selection;
mod test_flight;
mod traits;

pub use evolution::{Ancestor, Target, evolve};
pub use mutation::{Change, Child, cross, mutate};
pub use selection::{Brood, choose};
pub use test_flight::reduced;
pub use traits::Traits;
