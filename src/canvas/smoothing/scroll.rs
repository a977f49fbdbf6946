//! Scrolls smoothed values when the camera moves.

use glam::Vec2;

/// Turns movements in dots into whole steps, and carries the rest over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Scroll {
    rest: Vec2,
}

impl Scroll {
    /// Adds a movement in dots. Returns the whole steps of `step` dots, right and down.
    pub(crate) fn steps(&mut self, dots: Vec2, step: Vec2) -> (isize, isize) {
        self.rest += dots;
        let steps = (self.rest / step).round();
        self.rest -= steps * step;
        (steps.x as isize, steps.y as isize)
    }
}

/// Moves values, in rows of `columns`, right and down. Values that come in from outside are `blank`.
pub(crate) fn shift<T: Copy>(values: &mut [T], columns: usize, (right, down): (isize, isize), blank: T) {
    if columns == 0 || (right, down) == (0, 0) {
        return;
    }
    let rows = values.len() / columns;
    let height = down.unsigned_abs().min(rows).cast_signed() * down.signum();
    shift_run(&mut values[..rows * columns], height * columns.cast_signed(), blank);
    let width = right.unsigned_abs().min(columns).cast_signed() * right.signum();
    values.chunks_exact_mut(columns).for_each(|row| shift_run(row, width, blank));
}

fn shift_run<T: Copy>(values: &mut [T], by: isize, blank: T) {
    let (len, moved) = (values.len(), by.unsigned_abs());
    if by >= 0 {
        values.copy_within(..len - moved, moved);
        values[..moved].fill(blank);
    } else {
        values.copy_within(moved.., 0);
        values[len - moved..].fill(blank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_values_and_blanks_the_rest() {
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
    fn small_movements_add_up() {
        let mut scroll = Scroll::default();
        let steps: isize = (0..100).map(|_| scroll.steps(Vec2::new(0.3, 0.0), Vec2::new(2.0, 4.0)).0).sum();
        assert_eq!(steps, 15);
    }
}
