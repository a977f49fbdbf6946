//! The loop over the candidates of a block, which the models share.

use std::ops::Range;

use super::block::Block;
use super::cell_list::CellList;
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
            visitor = if window.is_ambiguous || shift != [0.0; 3] {
                visit_run::<F, D, V, true>(block, metric, run, visitor)
            } else {
                visit_run::<F, D, V, false>(block, metric, run, visitor)
            };
        }
        visitor
    }
}

/// The innermost loop. `NEAREST` says that each candidate is seen in its nearest periodic image. The visitor is passed by value,
/// so that it stays in registers.
#[inline(always)]
fn visit_run<F: Lanes, const D: usize, V: Visitor<F, D>, const NEAREST: bool>(
    block: &Block<'_, F, D>,
    metric: &Metric,
    run: Range<usize>,
    mut visitor: V,
) -> V {
    let (positions, _) = block.agents.run::<D>(run.clone());
    let is_own = block.overlaps(&run);
    for slot in 0..positions.len() {
        let mut offset = positions.splat::<F>(slot) - block.position;
        if NEAREST {
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
