//! The sky of a theme, and the ground at its foot.

use palette::{Mix, Oklab};
use ratatui_core::style::{Color, Modifier};

use super::colors::ThemeColors;
use super::ramp::rgb;
use crate::cell::{CellRow, PackedColor};
use crate::color::{ColorDepth, Rgb, ThemeColor, oklab};

/// The vertical resolution of a sky.
const STEPS: usize = 256;
/// The ground is at most so many rows high, and this share of an area.
const GROUND: (f32, f32) = (3.0, 0.1);
/// The fewest rows with a ground.
const MIN_ROWS: u16 = 12;
/// A tall tree: its place as a share of the width, and the heights of its columns in heights of the ground.
const TREE: (f32, [f32; 7]) = (0.83, [0.5, 0.9, 1.35, 1.5, 1.4, 1.0, 0.55]);

/// A theme's sky: a vertical color gradient behind the flock, in true color, with a line of trees in its last rows. The 256 colors
/// would be bands of other hues.
#[derive(Debug)]
pub struct Sky {
    /// From top to bottom.
    ramp: Vec<Color>,
    ground: Option<PackedColor>,
}

impl Sky {
    /// `None` if the theme has no sky or the terminal has too few colors for it.
    pub fn new(colors: &ThemeColors, depth: ColorDepth) -> Option<Self> {
        let stops: Vec<Oklab> = colors.sky.iter().map(|stop| oklab(stop.0)).collect();
        let is_shown = !stops.is_empty() && depth == ColorDepth::Truecolor;
        let shown = |color: Rgb| depth.color(ThemeColor::Rgb(color));
        let ramp = (0..STEPS).map(|step| {
            let at = step as f32 / (STEPS - 1) as f32 * (stops.len() - 1) as f32;
            let above = (at as usize).min(stops.len() - 1);
            let below = (above + 1).min(stops.len() - 1);
            shown(rgb(stops[above].mix(stops[below], at.fract())))
        });
        is_shown.then(|| Self { ramp: ramp.collect(), ground: colors.ground.map(|ground| shown(ground.0).into()) })
    }

    /// The color of a row in an area of `rows` rows.
    #[inline]
    pub fn color(&self, row: u16, rows: u16) -> Color {
        let height = (f32::from(row) + 0.5) / f32::from(rows);
        self.ramp[((height * STEPS as f32) as usize).min(STEPS - 1)]
    }

    /// The color of the ground, if the theme has one.
    pub fn ground(&self) -> Option<PackedColor> {
        self.ground
    }

    /// Paints a row of an area of `rows` rows; the ground in whole cells only if `ascii`.
    pub fn paint(&self, row: u16, rows: u16, has_ground: bool, ascii: bool, into: &mut CellRow) {
        let color = PackedColor::from(self.color(row, rows));
        into.cells_mut().iter_mut().for_each(|cell| cell.set_bg(color));
        let Some(ground) = self.ground.filter(|_| has_ground && rows >= MIN_ROWS) else { return };
        let height = (GROUND.1 * f32::from(rows)).min(GROUND.0);
        let below = f32::from(rows - 1 - row);
        if below > height * TREE.1[3] {
            return;
        }
        let columns = into.cells().len();
        for (column, cell) in into.cells_mut().iter_mut().enumerate() {
            let eighths = ((height * skyline(column, columns) - below) * 8.0).round();
            match eighths as i32 {
                ..1 => {}
                8.. => cell.set_bg(ground),
                _ if ascii => {}
                eighths => {
                    let char = char::from_u32(0x2580 + eighths as u32).unwrap_or(' ');
                    cell.set_char(char, ground, Modifier::empty());
                }
            }
        }
    }
}

/// The height of the trees in a column, in heights of the ground.
fn skyline(column: usize, columns: usize) -> f32 {
    let trunk = (TREE.0 * columns as f32) as usize;
    let tree = (column + TREE.1.len() / 2).checked_sub(trunk).and_then(|at| TREE.1.get(at)).copied().unwrap_or(0.0);
    let at = column as f32;
    (0.12 + 0.4 * noise(at / 19.0) + 0.28 * noise(at / 4.6) + 0.16 * noise(at)).max(tree)
}

/// Smooth noise, 0 … 1, with a random number at each integer.
fn noise(at: f32) -> f32 {
    let random =
        |number: u32| (number.wrapping_mul(0x9e37_79b1) ^ 0x5bd1).wrapping_mul(0x85eb_ca6b) as f32 / u32::MAX as f32;
    let share = at.fract();
    let smooth = share * share * (3.0 - 2.0 * share);
    random(at as u32) * (1.0 - smooth) + random(at as u32 + 1) * smooth
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::builtin;

    /// The sky over 22 rows.
    fn sky(theme: &str, depth: ColorDepth) -> Option<[Color; 22]> {
        let sky = Sky::new(&builtin::theme(theme), depth)?;
        Some(std::array::from_fn(|row| sky.color(row as u16, 22)))
    }

    #[test]
    fn a_sky_runs_from_its_first_stop_to_its_last() {
        let sky = sky("abyss", ColorDepth::Truecolor).unwrap();
        let stops = builtin::theme("abyss").sky;
        let near = |color: Color, stop: Rgb| {
            let Color::Rgb(r, g, b) = color else { panic!("no sky") };
            [(r, stop.red), (g, stop.green), (b, stop.blue)].iter().all(|(a, b)| a.abs_diff(*b) < 12)
        };
        assert!(near(sky[0], stops[0].0) && near(sky[21], stops.last().unwrap().0));
    }

    #[test]
    fn few_colors_and_plain_themes_have_no_sky() {
        for depth in [ColorDepth::Colors256, ColorDepth::Colors16, ColorDepth::Mono] {
            assert_eq!(sky("abyss", depth), None);
        }
        assert_eq!(sky("dusk", ColorDepth::Truecolor), None);
    }

    #[test]
    fn trees_stand_in_the_last_rows_and_nowhere_else() {
        let sky = Sky::new(&builtin::theme("nightfall"), ColorDepth::Truecolor).unwrap();
        let ground = |row, rows| {
            let mut cells = CellRow::new(80);
            sky.paint(row, rows, true, false, &mut cells);
            cells
                .cells()
                .iter()
                .filter(|cell| Some(cell.bg()) == sky.ground || cell.char().is_some_and(|c| c != ' '))
                .count()
        };
        assert!(ground(23, 24) == 80 && ground(22, 24) > 20 && (1..10).contains(&ground(20, 24)), "one tall tree");
        assert_eq!([ground(18, 24), ground(44, 50), ground(10, 11)], [0; 3]);
    }
}
