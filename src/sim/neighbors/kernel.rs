//! The neighbor kernel: lanes are boids.
//!
//! A block of boids that stand side by side in one row of the grid meets its candidates one by
//! one, each boid in a lane of its own. Every lane adds its own candidates in their order, and who
//! is out of a radius adds exactly 0, so the sums are the same bit for bit however boids are put
//! into blocks, and however many lanes the machine adds at once.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::hint::black_box;
use std::ops::Range;

use super::coincidence::{COINCIDENT, PARTING, parting};
use super::grid::{Bounds, Shift};
use super::perceived::{Perceived, Sum};
use super::simd::{Lanes, MAX_LANES};
use crate::sim::agents::{Agents, AxisSlices};
use crate::sim::math::metric::Metric;
use crate::sim::math::wide::Wide;
use crate::sim::params::{Falloff, Params, Response};
use crate::sim::rules::falloff_factor;

/// A window on this, of as many numbers as there are lanes, has infinity in one lane and 0 elsewhere:
/// added to squared distances, it keeps that boid from meeting itself.
const ITSELF: [f32; 2 * MAX_LANES] = {
    let mut numbers = [0.0; 2 * MAX_LANES];
    numbers[MAX_LANES] = f32::INFINITY;
    numbers
};

/// A sum over neighbors, for each lane.
#[derive(Clone, Copy)]
struct CountedSum<F: Lanes, const D: usize> {
    total: Wide<F, D>,
    count: F::Words,
}

impl<F: Lanes, const D: usize> CountedSum<F, D> {
    #[inline(always)]
    fn zero() -> Self {
        Self { total: Wide::zero(), count: F::words(0) }
    }

    /// Adds each lane's term where the mask holds, and exactly 0 elsewhere.
    #[inline(always)]
    fn add(&mut self, mask: F::Mask, term: Wide<F, D>) {
        self.total = Wide::new(|axis| self.total[axis].add_where(mask, term[axis]));
    }

    /// The same by the units for products.
    #[inline(always)]
    fn add_once(&mut self, mask: F::Mask, term: Wide<F, D>, one: F) {
        self.total = Wide::new(|axis| self.total[axis].add_once_where(mask, term[axis], one));
    }

    #[inline(always)]
    fn count(&mut self, mask: F::Mask) {
        self.count = F::count(self.count, mask);
    }

    #[inline(always)]
    fn sum(self) -> Sum<F, D> {
        Sum { total: self.total, count: F::numbers(self.count) }
    }
}

/// What a block has met so far.
#[derive(Clone, Copy)]
struct Accumulators<F: Lanes, const D: usize> {
    separation: CountedSum<F, D>,
    alignment: CountedSum<F, D>,
    cohesion: CountedSum<F, D>,
    /// The least squared distance to another.
    nearest: F,
}

impl<F: Lanes, const D: usize> Accumulators<F, D> {
    #[inline(always)]
    fn nobody() -> Self {
        let zero = CountedSum::zero();
        Self { separation: zero, alignment: zero, cohesion: zero, nearest: F::splat(f32::INFINITY) }
    }
}

/// What the rules see: the innermost loop is compiled for each, as plain as it can be, for sums that do
/// not fit the processor's registers cost a third more.
pub(crate) mod sight {
    /// Alignment and cohesion see the same; nobody asks how many separation sees.
    pub const SAME: u8 = 0;
    /// Each has its own radius.
    pub const APART: u8 = 1;
    /// Cohesion also sees nobody who is too near, and separation's neighbors are counted.
    pub const FULL: u8 = 2;
}

/// The falloffs, each at its own number: the innermost loop is compiled for each.
const FALLOFFS: [Falloff; 5] =
    [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare, Falloff::InverseCube];

/// The rules' radii and falloff, worked out once a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(crate) metric: Metric,
    pub(crate) falloff: Falloff,
    /// Radii in u; 0 where infinite, as those sums come from totals.
    pub(crate) separation: f32,
    pub(crate) alignment: f32,
    pub(crate) cohesion: f32,
    pub(crate) inner: f32,
    /// Whether separation asks how many neighbors it has.
    counted: bool,
    /// 1, which the compiler does not know.
    one: f32,
}

impl Kernel {
    pub(crate) fn new(params: &Params, metric: Metric) -> Self {
        let finite = |radius: f32| if radius.is_finite() { radius } else { 0.0 };
        Self {
            metric,
            falloff: params.separation.falloff,
            separation: params.separation.radius,
            alignment: finite(params.alignment.radius),
            cohesion: finite(params.cohesion.radius),
            inner: params.cohesion.inner,
            counted: params.separation.response == Response::Mean,
            one: black_box(1.0),
        }
    }

    /// Which falloff, and which [`sight`], the rules ask for.
    #[inline]
    fn shape(&self) -> (Falloff, u8) {
        let sight = if self.inner > 0.0 || self.counted {
            sight::FULL
        } else if self.alignment == self.cohesion {
            sight::SAME
        } else {
            sight::APART
        };
        (self.falloff, sight)
    }
}

/// Up to a lane each of boids that stand side by side in one row of the grid.
pub(crate) struct Block<'a, F: Lanes, const D: usize> {
    pub(crate) agents: &'a Agents,
    pub(crate) places: Range<usize>,
    /// Where they stand.
    pub(crate) at: Wide<F, D>,
}

impl<'a, F: Lanes, const D: usize> Block<'a, F, D> {
    /// The boids at these places, at least one and at most a lane each.
    #[inline(always)]
    pub(crate) fn new(agents: &'a Agents, places: Range<usize>) -> Self {
        // Lanes without a boid stand where nobody meets them.
        let at = Wide::new(|axis| F::load_or(&agents.positions(axis)[places.clone()], f32::INFINITY));
        Self { agents, places, at }
    }

    /// How they fly; lanes without a boid rest.
    #[inline(always)]
    pub(crate) fn velocities(&self) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.agents.velocities(axis)[self.places.clone()], 0.0))
    }

    /// The box around its boids.
    #[inline(always)]
    pub(crate) fn bounds(&self) -> Bounds {
        let mut bounds = ([0.0; 3], [0.0; 3]);
        for axis in 0..D {
            let at = &self.agents.positions(axis)[self.places.clone()];
            let (mut low, mut high) = (at[0], at[0]);
            for &at in &at[1..] {
                low = if at < low { at } else { low };
                high = if at > high { at } else { high };
            }
            (bounds.0[axis], bounds.1[axis]) = (low, high);
        }
        bounds
    }

    /// Their ids; `rest` in lanes without a boid.
    #[inline(always)]
    pub(crate) fn ids(&self, rest: u32) -> F::Words {
        let mut ids = [rest; MAX_LANES];
        ids[..self.places.len()].copy_from_slice(&self.agents.ids()[self.places.clone()]);
        F::load_words(&ids)
    }

    /// Whether any of its boids stand in a run.
    #[inline(always)]
    pub(crate) fn is_among(&self, run: &Range<usize>) -> bool {
        self.places.start < run.end && run.start < self.places.end
    }

    /// Infinity in the lane of the boid at this place, where it is of the block, and 0 in all others.
    #[inline(always)]
    pub(crate) fn itself(&self, place: usize) -> F {
        // Whoever stands before the block wraps to far behind it.
        let lane = place.wrapping_sub(self.places.start).min(MAX_LANES);
        F::load(&ITSELF[MAX_LANES - lane..])
    }
}

/// The rules' squared radii, none of them beyond the limit up to which a boid heeds others.
#[derive(Clone, Copy)]
struct Radii<F> {
    near: F,
    matched: F,
    far: F,
    inner: F,
    /// The radius of separation, as it is.
    separation: F,
    one: F,
}

impl<F: Lanes> Radii<F> {
    #[inline(always)]
    fn new(kernel: &Kernel, limit: F) -> Self {
        let Kernel { separation, alignment, cohesion, inner, .. } = *kernel;
        let [near, matched, far] = [separation, alignment, cohesion].map(|radius| F::splat(radius * radius));
        Self {
            near: near.min(limit),
            matched: matched.min(limit),
            far: far.min(limit),
            inner: F::splat(inner * inner),
            separation: F::splat(separation),
            one: F::splat(kernel.one),
        }
    }
}

/// What a block has met: the sums of the three rules.
pub(crate) struct Neighbors<F, const D: usize> {
    separation: Sum<F, D>,
    alignment: Sum<F, D>,
    cohesion: Sum<F, D>,
}

impl<F: Lanes, const D: usize> Neighbors<F, D> {
    /// Writes them for the boids from `index` on.
    #[inline(always)]
    pub(crate) fn store(self, perceived: &mut Perceived, index: usize) {
        perceived.separation.store(index, self.separation);
        perceived.alignment.store(index, self.alignment);
        perceived.cohesion.store(index, self.cohesion);
    }
}

/// A block on its way through its candidates.
pub(crate) struct FastPass<'a, F: Lanes, const D: usize> {
    radii: Radii<F>,
    shape: (Falloff, u8),
    block: &'a Block<'a, F, D>,
    met: Accumulators<F, D>,
}

impl<'a, F: Lanes, const D: usize> FastPass<'a, F, D> {
    /// Each boid heeds those whose squared distance is below its `limit`.
    #[inline(always)]
    pub(crate) fn new(kernel: &Kernel, block: &'a Block<'a, F, D>, limit: F) -> Self {
        Self { radii: Radii::new(kernel, limit), shape: kernel.shape(), block, met: Accumulators::nobody() }
    }

    /// Meets a run of candidates; on a torus, all of them in their image `shift` away.
    #[inline(always)]
    pub(crate) fn meet(&mut self, run: Range<usize>, shift: Shift) {
        macro_rules! shapes {
            ($falloff:ident $sight:ident) => {
                self.meet_shaped::<{ Falloff::$falloff as usize }, { sight::$sight }>(run, shift)
            };
            ($($falloff:ident)*) => {
                match self.shape {
                    $((Falloff::$falloff, sight::SAME) => shapes!($falloff SAME),
                    (Falloff::$falloff, sight::APART) => shapes!($falloff APART),
                    (Falloff::$falloff, _) => shapes!($falloff FULL),)*
                }
            };
        }
        shapes!(Flat Linear Inverse InverseSquare InverseCube);
    }

    #[inline(always)]
    fn meet_shaped<const FALLOFF: usize, const SIGHT: u8>(&mut self, run: Range<usize>, shift: Shift) {
        match (shift == [0.0; 3], self.block.is_among(&run)) {
            (true, false) => self.pass::<FALLOFF, SIGHT, false, false>(run, shift),
            (true, true) => self.pass::<FALLOFF, SIGHT, false, true>(run, shift),
            (false, false) => self.pass::<FALLOFF, SIGHT, true, false>(run, shift),
            (false, true) => self.pass::<FALLOFF, SIGHT, true, true>(run, shift),
        }
    }

    /// Passes along candidates, among whom the block's own boids are where `OWN`.
    #[inline(always)]
    fn pass<const FALLOFF: usize, const SIGHT: u8, const SHIFTED: bool, const OWN: bool>(
        &mut self,
        run: Range<usize>,
        shift: Shift,
    ) {
        let Radii { near, matched, far, inner, separation, one } = self.radii;
        let shift: Wide<F, D> = Wide::splat(shift);
        let at = self.block.at;
        let (positions, velocities) = self.block.agents.run::<D>(run.clone());
        // A copy, so that sums stay in registers.
        let mut met = self.met;
        for place in 0..positions.len() {
            let mut offset = positions.at::<F>(place) - at;
            if SHIFTED {
                offset = offset - shift;
            }
            let mut d2 = offset.length_squared();
            if OWN {
                d2 += self.block.itself(run.start + place);
            }
            met.nearest = d2.min(met.nearest);

            let velocity = velocities.at::<F>(place);
            let seen = d2.lt(matched);
            met.alignment.count(seen);
            met.alignment.add_once(seen, velocity, one);
            match SIGHT {
                sight::SAME => met.cohesion.add_once(seen, offset, one),
                sight::APART => {
                    let drawn = d2.lt(far);
                    met.cohesion.count(drawn);
                    met.cohesion.add_once(drawn, offset, one);
                }
                _ => {
                    let drawn = F::and(d2.lt(far), inner.le(d2));
                    met.cohesion.count(drawn);
                    met.cohesion.add_once(drawn, offset, one);
                }
            }
            let close = d2.lt(near);
            if SIGHT == sight::FULL {
                met.separation.count(close);
            }
            met.separation.add(close, offset * falloff_factor(FALLOFFS[FALLOFF], d2, separation));
        }
        self.met = met;
    }

    /// What was met; nothing where two stood in one place, which takes more care.
    #[inline(always)]
    pub(crate) fn neighbors(mut self) -> Option<Neighbors<F, D>> {
        if F::any(self.met.nearest.le(F::splat(COINCIDENT))) {
            return None;
        }
        let (_, sight) = self.shape;
        if sight == sight::SAME {
            self.met.cohesion.count = self.met.alignment.count;
        }
        if sight != sight::FULL {
            // Where their number plays no part, a sum of 0 tells that there are none.
            self.met.separation.count = F::words(1);
        }
        Some(self.met.neighbors())
    }
}

impl<F: Lanes, const D: usize> Accumulators<F, D> {
    #[inline(always)]
    fn neighbors(self) -> Neighbors<F, D> {
        Neighbors { separation: self.separation.sum(), alignment: self.alignment.sum(), cohesion: self.cohesion.sum() }
    }
}

/// A block on its way through its candidates, with care for boids in one place and for every image
/// of a small torus: slower, and the same sums.
pub(crate) struct CarefulPass<'a, F: Lanes, const D: usize> {
    kernel: &'a Kernel,
    radii: Radii<F>,
    block: &'a Block<'a, F, D>,
    ids: F::Words,
    met: Accumulators<F, D>,
}

impl<'a, F: Lanes, const D: usize> CarefulPass<'a, F, D> {
    /// Each boid heeds those whose squared distance is below its `limit`, and all in its place.
    #[inline(always)]
    pub(crate) fn new(kernel: &'a Kernel, block: &'a Block<'a, F, D>, limit: F) -> Self {
        Self { kernel, radii: Radii::new(kernel, limit), block, ids: block.ids(0), met: Accumulators::nobody() }
    }

    /// Meets a run of candidates.
    #[inline(always)]
    pub(crate) fn meet(&mut self, run: Range<usize>) {
        let Kernel { metric, falloff, .. } = *self.kernel;
        let Radii { near, matched, far, inner, separation, .. } = self.radii;
        let (positions, velocities) = self.block.agents.run::<D>(run.clone());
        let mut met = self.met;
        for place in 0..positions.len() {
            let offset = metric.minimum_image(positions.at::<F>(place) - self.block.at);
            let d2 = offset.length_squared() + self.block.itself(run.start + place);
            let velocity = velocities.at::<F>(place);

            let together = d2.le(F::splat(COINCIDENT));
            let apart = F::splat(COINCIDENT).lt(d2);
            let seen = F::and(apart, d2.lt(matched));
            met.alignment.count(seen);
            met.alignment.add(seen, velocity);
            let drawn = F::and(apart, F::and(d2.lt(far), inner.le(d2)));
            met.cohesion.count(drawn);
            met.cohesion.add(drawn, offset);
            let close = F::and(apart, d2.lt(near));
            met.separation.count(close);
            met.separation.add(close, offset * falloff_factor(falloff, d2, separation));
            if F::any(together) {
                let away = parting(self.ids, self.block.agents.ids()[run.start + place]);
                self.kernel.part(&mut met, together, away, velocity);
            }
        }
        self.met = met;
    }

    /// What was met.
    #[inline(always)]
    pub(crate) fn neighbors(self) -> Neighbors<F, D> {
        self.met.neighbors()
    }
}

impl Kernel {
    /// Adds a candidate where it stands in the very place of a lane's boid, taken to stand a little away.
    #[inline(always)]
    fn part<F: Lanes, const D: usize>(
        &self,
        met: &mut Accumulators<F, D>,
        together: F::Mask,
        away: Wide<F, D>,
        velocity: Wide<F, D>,
    ) {
        let distance = |radius: f32| radius * PARTING;
        if self.separation > 0.0 {
            let distance = F::splat(distance(self.separation));
            let faded = falloff_factor(self.falloff, distance * distance, F::splat(self.separation));
            met.separation.count(together);
            met.separation.add(together, away * distance * faded);
        }
        if self.alignment > 0.0 {
            met.alignment.count(together);
            met.alignment.add(together, velocity);
        }
        if self.cohesion > 0.0 && distance(self.cohesion) * distance(self.cohesion) >= self.inner * self.inner {
            met.cohesion.count(together);
            met.cohesion.add(together, away * F::splat(distance(self.cohesion)));
        }
    }
}

/// A run of candidates, each of which is met by all lanes.
impl<const D: usize> AxisSlices<'_, D> {
    #[inline(always)]
    pub(crate) fn at<F: Lanes>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| F::splat(self.axes[axis][place]))
    }
}
