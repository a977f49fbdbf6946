//! Force maps: the mean acceleration of animals by the place of their neighbors, as in Katz, Tunstrøm, Ioannou, Huepe & Couzin
//! 2011, *Inferring the structure and dynamics of interactions in schooling fish*, PNAS 108, 18720.

use super::motion::Motion;
use super::samples::Prediction;
use super::vectors::{dot, length, unit, way};
use flockscope_sim::Metric;

/// The number of cells on each side of a map.
pub const SIDE: usize = 21;

/// The mean acceleration by the place of a neighbor: its distance ahead and to the right.
#[derive(Clone, Debug, Default)]
pub struct ForceMap {
    /// Half the side of the map, in u.
    pub reach: f64,
    /// The cells, from behind on the left to ahead on the right: `SIDE` places to the right for each place ahead.
    pub cells: Vec<Cell>,
}

/// A cell of a force map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// How far ahead its center is, in u.
    pub ahead: f64,
    /// How far to the right its center is, in u.
    pub right: f64,
    /// The number of neighbors.
    pub count: usize,
    /// The mean acceleration of the animals along their heading and to their right, in u/frame².
    pub data: [f64; 2],
    /// The same as the rules predict it.
    pub fit: [f64; 2],
}

impl ForceMap {
    /// The map of predicted changes up to a distance. In 3-D, *right* is level, and the third axis is left out.
    pub(super) fn new(motion: &Motion, metric: &Metric, predictions: &[Prediction], reach: f64) -> Self {
        let width = 2.0 * reach / SIDE as f64;
        let center = |place: usize| (place as f64 + 0.5) * width - reach;
        let mut cells: Vec<Cell> = (0..SIDE * SIDE)
            .map(|cell| Cell { ahead: center(cell / SIDE), right: center(cell % SIDE), ..Cell::default() })
            .collect();
        for Prediction { row, change, predicted } in predictions {
            let own = motion.rows[*row];
            let heading = unit(own.velocity.map(f64::from));
            let right = right_of(heading, motion.dim);
            let frame = motion.starts.partition_point(|start| start <= row) - 1;
            for other in motion.frame(frame).animals.iter().filter(|other| other.id != own.id) {
                let offset = way(metric, &own, other);
                if length(offset) >= reach {
                    continue;
                }
                let at = [dot(offset, heading), dot(offset, right)];
                let [ahead, beside] = at.map(|at| (((at + reach) / width) as usize).min(SIDE - 1));
                let cell = &mut cells[ahead * SIDE + beside];
                cell.count += 1;
                for (k, axis) in [heading, right].into_iter().enumerate() {
                    cell.data[k] += dot(*change, axis);
                    cell.fit[k] += dot(*predicted, axis);
                }
            }
        }
        for cell in cells.iter_mut().filter(|cell| cell.count > 0) {
            cell.data = cell.data.map(|sum| sum / cell.count as f64);
            cell.fit = cell.fit.map(|sum| sum / cell.count as f64);
        }
        Self { reach, cells }
    }
}

/// The direction to the right of a heading where y points down, as on a screen and in most videos; where y points up, it is to the left.
fn right_of(heading: [f64; 3], dim: usize) -> [f64; 3] {
    unit(if dim == 2 { [-heading[1], heading[0], 0.0] } else { [-heading[2], 0.0, heading[0]] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_is_clockwise_where_y_points_down() {
        assert_eq!(right_of([1.0, 0.0, 0.0], 2), [0.0, 1.0, 0.0]);
        assert_eq!(right_of([0.0, 1.0, 0.0], 2), [-1.0, 0.0, 0.0]);
        assert_eq!(right_of([0.0, 0.6, 0.8], 3), [-1.0, 0.0, 0.0]);
    }
}
