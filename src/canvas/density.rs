//! How crowded each cell is, smoothed over its neighbourhood.

use super::picture::Picture;

/// Room to smooth in; it carries nothing from one picture to the next.
#[derive(Debug, Default)]
pub(super) struct Smoother {
    field: Vec<f32>,
    blurred: Vec<f32>,
    inhabited: Vec<f32>,
}

impl Smoother {
    /// Fills in every cell's density: counts blurred over five by five cells, exposed so that
    /// 255 stands at the 95th percentile of inhabited cells.
    pub(super) fn fill(&mut self, picture: &mut Picture) {
        let (columns, rows) = (picture.columns, picture.rows);
        self.field.clear();
        self.field.extend(picture.cells.iter().map(|cell| f32::from(cell.count)));
        self.blurred.resize(self.field.len(), 0.0);
        blur(&self.field, &mut self.blurred, columns, rows, 1, columns);
        blur(&self.blurred, &mut self.field, rows, columns, columns, 1);

        self.inhabited.clear();
        let cells = picture.cells.iter().zip(&self.field);
        self.inhabited.extend(cells.filter(|(cell, _)| cell.count > 0).map(|(_, density)| *density));
        if self.inhabited.is_empty() {
            return;
        }
        let at = self.inhabited.len() * 95 / 100;
        let (_, &mut full, _) = self.inhabited.select_nth_unstable_by(at, f32::total_cmp);
        let exposure = 255.0 / full.max(f32::MIN_POSITIVE);
        for (cell, density) in picture.cells.iter_mut().zip(&self.field) {
            cell.density = (density * exposure) as u8;
        }
    }
}

/// Blurs `lines` lines of `len` values with the weights 1 4 6 4 1, taken over the ends;
/// `step` leads from a value to the next, `stride` from a line to the next.
fn blur(from: &[f32], into: &mut [f32], len: usize, lines: usize, step: usize, stride: usize) {
    const WEIGHTS: [f32; 5] = [1.0 / 16.0, 4.0 / 16.0, 6.0 / 16.0, 4.0 / 16.0, 1.0 / 16.0];
    for line in 0..lines {
        for place in 0..len {
            let value = |offset: usize| {
                let at = (place + offset).saturating_sub(2).min(len - 1);
                from[line * stride + at * step]
            };
            into[line * stride + place * step] = WEIGHTS.iter().enumerate().map(|(k, weight)| weight * value(k)).sum();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_is_dense_in_its_middle_and_fades_outward() {
        let mut picture = Picture::default();
        picture.clear(9, 9);
        picture.cells[4 * 9 + 4].count = 100;
        picture.cells[0].count = 1;
        Smoother::default().fill(&mut picture);
        let density = |column: usize, row: usize| picture.cells[row * 9 + column].density;
        assert!(density(4, 4) > density(5, 4) && density(5, 4) > density(6, 4) && density(7, 4) == 0);
        assert_eq!(density(4, 4), 255);
    }
}
