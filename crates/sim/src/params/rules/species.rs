//! Several species in one flock: boids avoid the others.
//!
//! Each pushes with a strength of 1 nearby, falling to 0 at the cohesion radius. The mean keeps a crowd from acting like
//! a wall.

use crate::params::{Lanes, MAX_SPECIES, Steered, WEIGHT, Wide, integer, number, rule};

rule! {
    /// Several species in one flock.
    species: Species, Groups, |_, perceived| perceived.avoids_species => {
        => |params, _| params.species.count > 1.0;
        count: f32 = 1.0, "species.count", integer("", 1.0, MAX_SPECIES, 1.0), "Number of species; boids flock with their own.", "kinds tribes flocks" => Never;
        avoid: f32 = 0.0, "species.avoid", WEIGHT, "How strongly boids avoid other species within the cohesion radius.";
        follow: f32 = 0.0, "species.follow", number("", 0.0, 1.0, 0.05), "How strongly boids fly with other species, relative to 1 for their own.";
    }
}

impl Species {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        let others = boids.perceived.other_species.load(boids.slot);
        let has_neighbors = F::splat(0.0).lt(others.count);
        (-others.total * (F::splat(self.avoid) / others.count)).masked(has_neighbors)
    }
}
