//! What carries on from picture to picture moves with the world as the camera moves.

use glam::Vec2;

use crate::sim::{VectorLoop, run_vectorized};

/// How far the world has moved on the canvas and what is kept of it has not: less than one step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scroll {
    owed: Vec2,
}

impl Scroll {
    /// Moves on by so many dots; returns how many whole steps of `step` dots that makes.
    pub(crate) fn go(&mut self, dots: Vec2, step: Vec2) -> (isize, isize) {
        self.owed += dots;
        let steps = (self.owed / step).round();
        self.owed -= steps * step;
        (steps.x as isize, steps.y as isize)
    }
}

/// Moves what stands in rows of so many `columns`; what comes in from outside is `blank`.
pub(crate) fn shift<T: Copy>(values: &mut [T], columns: usize, (right, down): (isize, isize), blank: T) {
    if columns == 0 || (right, down) == (0, 0) {
        return;
    }
    let rows = values.len() / columns;
    let (across, along) = (right.unsigned_abs().min(columns), down.unsigned_abs().min(rows) * columns);
    let end = rows * columns;
    if down >= 0 {
        values.copy_within(..end - along, along);
        values[..along].fill(blank);
    } else {
        values.copy_within(along..end, 0);
        values[end - along..end].fill(blank);
    }
    for row in values.chunks_exact_mut(columns).filter(|_| across > 0) {
        if right >= 0 {
            row.copy_within(..columns - across, across);
            row[..across].fill(blank);
        } else {
            row.copy_within(across.., 0);
            row[columns - across..].fill(blank);
        }
    }
}

/// Lets a mean over time follow what is seen now by a `share` of the way; where nothing is known yet
/// (not a number) it is that at once.
pub(crate) fn follow(means: &mut [f32], fresh: &[f32], share: f32) {
    run_vectorized(MixMeans { means, fresh, share });
}

struct MixMeans<'a> {
    means: &'a mut [f32],
    fresh: &'a [f32],
    share: f32,
}

impl VectorLoop for MixMeans<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]
    fn run(self) {
        for (mean, fresh) in self.means.iter_mut().zip(self.fresh) {
            *mean = if mean.is_nan() { *fresh } else { *mean + self.share * (fresh - *mean) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shifted_stands_where_it_should_and_the_rest_is_blank() {
        let shifted = |by| {
            let mut values = [1, 2, 3, 4, 5, 6];
            shift(&mut values, 3, by, 0);
            values
        };
        assert_eq!(shifted((1, 0)), [0, 1, 2, 0, 4, 5]);
        assert_eq!(shifted((-2, 1)), [0, 0, 0, 3, 0, 0]);
        assert_eq!(shifted((0, -1)), [4, 5, 6, 0, 0, 0]);
        assert_eq!(shifted((9, 0)), [0; 6]);
        assert_eq!(shifted((0, -9)), [0; 6]);
    }

    #[test]
    fn what_nobody_knew_is_known_at_once() {
        let mut means = [f32::NAN, 2.0];
        follow(&mut means, &[8.0, 8.0], 0.5);
        assert_eq!(means, [8.0, 5.0]);
    }

    #[test]
    fn small_moves_add_up() {
        let mut drift = Scroll::default();
        let steps: isize = (0..100).map(|_| drift.go(Vec2::new(0.3, 0.0), Vec2::new(2.0, 4.0)).0).sum();
        assert_eq!(steps, 15);
    }
}
