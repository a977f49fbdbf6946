//! Social forces: separation, cohesion and alignment among the nearest six or seven birds.

use super::flight::{Body, Escape};
use crate::forces::{Environment, NeighborIndex};
use crate::math::Wide;
use crate::neighbors::{Block, COINCIDENT, FieldOfView, LISTED, ListSearch, ViewThreshold, Visitor};
use crate::params::Params;
use crate::simd::Lanes;

/// The distance up to which separation has its full strength and cohesion none, in u.
const HARD_RADIUS: f32 = 0.2;
/// The centrality below which a bird is inside the flock, where cohesion does not act.
const MIN_CENTRALITY: f32 = 0.35;
/// The width of the Gaussian of separation, as a fraction of its radius: 1.37 m for 4 m.
const SIGMA: f32 = 1.37 / 4.0;

/// The number of neighbors of a bird: seven for odd ids and six for even ones, so that the mean is 6.5.
pub(super) fn neighbors_of(id: u32) -> usize {
    if id % 2 == 1 { 7 } else { 6 }
}

/// The sums over the neighbors of birds, one bird in each lane.
pub(super) struct Social<F: Lanes> {
    /// `Σ g(d)·r̂`, with the offsets' directions `r̂`.
    separation: Wide<F, 3>,
    count: F,
    surroundings: Surroundings<F>,
    /// `Σ r̂` over the neighbors in view, but for those inside the hard radius.
    cohesion: Wide<F, 3>,
    /// `Σ ê` over the headings in view.
    headings: Wide<F, 3>,
    in_view: F,
    /// Whether a bird copies the escape of a neighbor.
    pub copies: F::Mask,
}

impl<F: Lanes> Social<F> {
    #[inline(always)]
    pub(super) fn of(
        block: &Block<'_, F, 3>,
        body: &Body<F>,
        neighbors: &NeighborIndex,
        search: &mut ListSearch<'_>,
        environment: &Environment<'_>,
        escape: &Escape,
    ) -> Self {
        let params = environment.params;
        let agents = &neighbors.flock.agents;
        let ([x, y, z], [hx, hy, hz]) = ([0, 1, 2].map(|axis| agents.positions(axis)), neighbors.headings.axes());
        let columns = [x, y, z, hx, hy, hz];
        // As in `neighbors_of`.
        let is_odd = F::has_bit(block.ids(0), 0);
        let nearest = search.find(block, |squared| F::select(is_odd, squared[LISTED], squared[LISTED - 1]));
        let limit = nearest.limit;
        let copy_limit = limit.min(nearest.squared[params.stardisplay.copy as usize]);
        let view = FieldOfView::new(body.heading, ViewThreshold::new(params.perception.angle));
        let inverse_sigma = 1.0 / (SIGMA * params.separation.radius).max(f32::MIN_POSITIVE);

        let (zero, one) = (F::splat(0.0), F::splat(1.0));
        let mut copies = zero;
        let radius = 2.0 * nearest.farthest(block.boids.len());
        let surroundings = Surroundings { radius2: limit * F::splat(4.0), directions: Wide::zero(), count: zero };
        let mut sums = Self {
            separation: Wide::zero(),
            count: zero,
            surroundings: neighbors.flock.visit(block, &environment.metric, radius, surroundings),
            cohesion: Wide::zero(),
            headings: Wide::zero(),
            in_view: zero,
            copies: one.lt(zero),
        };
        for place in 0..LISTED {
            // An empty place is infinitely far away.
            let [x, y, z, heading @ ..] = nearest.gather(place, columns, f32::INFINITY);
            let offset = Wide([x, y, z]) - block.position;
            let d2 = offset.length_squared();
            let is_neighbor = d2.lt(limit);
            let distance = d2.sqrt();
            let is_apart = F::and(is_neighbor, F::splat(COINCIDENT).lt(d2));
            let direction = (offset * (one / distance)).masked(is_apart);
            let excess = (distance - F::splat(HARD_RADIUS)).max(zero) * F::splat(inverse_sigma);
            sums.separation += direction * gaussian(excess);
            sums.count = sums.count.add_where(is_neighbor, one);

            let is_seen = F::and(is_neighbor, view.sees(offset, d2));
            sums.cohesion += direction.masked(F::and(is_seen, F::splat(HARD_RADIUS).lt(distance)));
            sums.headings += Wide(heading).masked(is_seen);
            sums.in_view = sums.in_view.add_where(is_seen, one);
            let [left] = nearest.gather(place, [agents.moods()], 0.0);
            let is_copied = escape.is_copied::<F>(left);
            copies = F::select(F::and(is_copied, d2.lt(copy_limit)), one, copies);
        }
        sums.copies = zero.lt(copies);
        sums
    }

    /// The sum of the social forces, in N.
    #[inline(always)]
    pub(super) fn force(&self, body: &Body<F>, params: &Params) -> Wide<F, 3> {
        let one = F::splat(1.0);
        let (mean, mean_in_view) = (one / self.count.max(one), one / self.in_view.max(one));
        let centrality = self.surroundings.centrality();
        let centrality = F::select(centrality.lt(F::splat(MIN_CENTRALITY)), F::splat(0.0), centrality);
        let alignment = (self.headings * mean_in_view - body.heading).masked(F::splat(0.0).lt(self.in_view));
        self.separation * (mean * F::splat(-params.separation.weight))
            + self.cohesion * (centrality * mean_in_view * F::splat(params.cohesion.weight))
            + alignment * F::splat(params.alignment.weight)
    }
}

/// The sums over the birds within twice the distance of the first bird that is not a neighbor, whether in view or not.
struct Surroundings<F: Lanes> {
    /// The square of that distance, in u².
    radius2: F,
    /// `Σ r̂`.
    directions: Wide<F, 3>,
    count: F,
}

impl<F: Lanes> Surroundings<F> {
    /// The length of the mean direction: large at the border of the flock, where the others are on one side.
    #[inline(always)]
    fn centrality(&self) -> F {
        self.directions.length() / self.count.max(F::splat(1.0))
    }
}

impl<F: Lanes> Visitor<F, 3> for Surroundings<F> {
    #[inline(always)]
    fn visit(&mut self, _: usize, offset: Wide<F, 3>, d2: F) {
        let (one, is_near) = (F::splat(1.0), d2.lt(self.radius2));
        if !F::any(is_near) {
            return;
        }
        let is_apart = F::and(is_near, F::splat(COINCIDENT).lt(d2));
        self.directions = self.directions.add_where(is_apart, offset * (one / d2.sqrt()));
        self.count = self.count.add_where(is_near, one);
    }
}

/// `exp(−x²)`, within 10⁻⁶: a Taylor polynomial of `exp(−x²/64)`, to the power of 64.
#[inline(always)]
fn gaussian<F: Lanes>(x: F) -> F {
    // Beyond, the result is below 10⁻⁶.
    let q = (x * x).min(F::splat(16.0)) * F::splat(1.0 / 64.0);
    let mut power = F::splat(1.0) - q * (F::splat(1.0) - q * (F::splat(0.5) - q * F::splat(1.0 / 6.0)));
    for _ in 0..6 {
        power = power * power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaussian_is_accurate() {
        for step in 0..2000_u16 {
            let x = f32::from(step) * 0.01;
            let error = f64::from(gaussian(x)) - (-f64::from(x) * f64::from(x)).exp();
            assert!(error.abs() < 3e-6, "{x}: {error}");
        }
    }
}
