//! The loop over the candidates of a block, which the models share.

use std::ops::Range;

use super::block::Block;
use super::cell_list::CellList;
use super::grid::Shift;
use crate::math::Wide;
use crate::simd::Lanes;
use crate::world::Metric;

/// What a block of boids does with its candidates.
pub(crate) trait Visitor<F: Lanes, const D: usize> {
    /// Looks at the agent at an index: its offset from the boid in each lane, in u, and their squared distance, which is infinite
    /// in the agent's own lane.
    fn visit(&mut self, index: usize, offset: Wide<F, D>, d2: F);

    /// Whether nothing changes if the visitor does not look at any of these agents.
    #[inline(always)]
    fn skips(&self, run: &Range<usize>) -> bool {
        let _ = run;
        false
    }
}

/// The periodic image in which candidates are neighbors; loops are compiled for each.
pub(crate) mod image {
    /// Where they are.
    pub const SELF: u8 = 0;
    /// All of a run in the image that is `shift` away.
    pub const SHIFTED: u8 = 1;
    /// Each in its nearest image.
    pub const NEAREST: u8 = 2;
}

impl CellList {
    /// Shows a visitor every agent that may be within `radius` (u) of a block, in the order of memory.
    #[inline(always)]
    pub(crate) fn visit<F: Lanes, const D: usize, V: Visitor<F, D>>(
        &self,
        block: &Block<'_, F, D>,
        metric: &Metric,
        radius: f32,
        mut visitor: V,
    ) -> V {
        let window = self.window(block.bounds(), radius);
        for (run, shift) in self.runs(window) {
            if visitor.skips(&run) {
                continue;
            }
            visitor = match (window.is_ambiguous, shift != [0.0; 3]) {
                (true, _) => visit_run::<F, D, V, { image::NEAREST }>(block, metric, (run, shift), visitor),
                (false, true) => visit_run::<F, D, V, { image::SHIFTED }>(block, metric, (run, shift), visitor),
                (false, false) => visit_run::<F, D, V, { image::SELF }>(block, metric, (run, shift), visitor),
            };
        }
        visitor
    }
}

/// The innermost loop. The visitor is passed by value, so that it stays in registers.
#[inline(always)]
fn visit_run<F: Lanes, const D: usize, V: Visitor<F, D>, const IMAGE: u8>(
    block: &Block<'_, F, D>,
    metric: &Metric,
    (run, shift): (Range<usize>, Shift),
    mut visitor: V,
) -> V {
    let (positions, _) = block.agents.run::<D>(run.clone());
    let shift: Wide<F, D> = Wide::splat(shift);
    let is_own = block.overlaps(&run);
    for slot in 0..positions.len() {
        let mut offset = positions.splat::<F>(slot) - block.position;
        if IMAGE == image::SHIFTED {
            offset = offset - shift;
        } else if IMAGE == image::NEAREST {
            offset = metric.minimum_image(offset);
        }
        let index = run.start + slot;
        let mut d2 = offset.length_squared();
        if is_own {
            d2 += block.self_distance(index);
        }
        visitor.visit(index, offset, d2);
    }
    visitor
}
