//! The world's border: soft edges steer boids back.

use crate::params::{Domain, Edge, Lanes, RADIUS, Steered, WEIGHT, Wide, World, number, rule};

rule! {
    /// The world's border.
    edge: EdgeParams, World, |_, _| true => {
        mode: Edge = Edge::Wrap, "edge.mode", Domain::Choice(Edge::NAMES), "What happens at the world's border.", "wall bounce torus" => Never;
        margin: f32 = 40.0, "edge.margin", RADIUS, "Distance from the border at which the edge begins to act." => Never;
        strength: f32 = 0.2, "edge.strength", WEIGHT, "How strongly boids are pushed back at a turn, push or sphere edge.";
        restitution: f32 = 1.0, "edge.restitution", number("", 0.0, 1.0, 0.05), "Fraction of speed that a boid keeps when it bounces off a reflecting edge." => Never;
        random: bool = false, "edge.random", Domain::Switch, "Keep a random fraction of speed at each bounce instead of edge.restitution." => Never;
    }
}

impl EdgeParams {
    #[inline(always)]
    pub(crate) fn steer<F: Lanes, const D: usize>(&self, boids: &Steered<'_, F, D>) -> Wide<F, D> {
        self.push(boids.position, boids.world)
    }

    /// The steering that soft edges add, in u/tick².
    #[inline(always)]
    pub(crate) fn push<F: Lanes, const D: usize>(&self, position: Wide<F, D>, world: &World) -> Wide<F, D> {
        let (margin, strength) = (self.margin, self.strength);
        let size = world.size();
        let (none, one) = (F::splat(0.0), F::splat(1.0));
        match self.mode {
            Edge::Wrap | Edge::Reflect | Edge::Open => Wide::zero(),
            Edge::Turn => Wide::new(|axis| {
                let (low, high) =
                    (position[axis].lt(F::splat(margin)), F::splat(size[axis] - margin).lt(position[axis]));
                F::splat(strength) * (F::select(low, one, none) - F::select(high, one, none))
            }),
            Edge::Push => Wide::new(|axis| {
                let low = (F::splat(margin) - position[axis]).max(none);
                let high = (position[axis] - F::splat(size[axis] - margin)).max(none);
                F::splat(strength) * (low - high)
            }),
            Edge::Sphere => {
                let radius = 0.5 * size[0];
                let from_center = position.length();
                let gap = (F::splat(radius) - from_center).max(one);
                let (outward, nonzero) = position.unit();
                let near = F::and(nonzero, F::splat(radius - margin).lt(from_center));
                (-outward * (F::splat(strength) / (gap * gap))).masked(near)
            }
        }
    }
}
