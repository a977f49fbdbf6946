//! Force maps as pictures and as numbers.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use crate::commands::lists::significant;
use crate::error::InputError;
use crate::export::OutputFile;
use crate::tracks::fit::{Cell, Fit, SIDE};

/// The format of a report, by the extension of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReportFormat {
    Csv,
    Svg,
}

impl ReportFormat {
    pub(super) fn of(path: &Path) -> Result<Self, InputError> {
        match &*OutputFile::extension(path) {
            "svg" => Ok(Self::Svg),
            "csv" | "-" => Ok(Self::Csv),
            _ => {
                let message = "the file name must end in .svg or .csv, or be - for CSV";
                Err(InputError::flag(format!("--report {}", path.display()), message))
            }
        }
    }
}

/// Writes the force maps.
pub(super) fn write(fit: &Fit, title: &str, unit: &str, format: ReportFormat, out: &mut impl Write) -> io::Result<()> {
    match format {
        ReportFormat::Csv => write_csv(fit, out),
        ReportFormat::Svg => out.write_all(svg(fit, title, unit).as_bytes()),
    }
}

fn write_csv(fit: &Fit, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "ahead,right,count,along,to_right,fit_along,fit_to_right")?;
    for Cell { ahead, right, count, data, fit } in &fit.force_map.cells {
        write!(out, "{ahead:.6},{right:.6},{count}")?;
        for mean in [data[0], data[1], fit[0], fit[1]] {
            if *count > 0 { write!(out, ",{mean:e}")? } else { write!(out, ",")? }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The side of a map, and the space around it, in pixels.
const MAP: f64 = 210.0;
const GAP: f64 = 34.0;
const TOP: f64 = 64.0;
const LEFT: f64 = 76.0;
/// Cells with fewer neighbors are left out.
const FEWEST: usize = 5;
/// The share of cells whose accelerations the colors tell apart; stronger ones have the last color.
const RANGE: f64 = 0.95;

/// Two rows of maps, for the acceleration along and across the heading: data, fit and difference.
fn svg(fit: &Fit, title: &str, unit: &str) -> String {
    let (width, height) = (LEFT + 3.0 * (MAP + GAP), TOP + 2.0 * (MAP + GAP) + 26.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\"><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    label(&mut text, LEFT, 20.0, "start", &format!("{title}: mean acceleration by the place of a neighbor"));
    for (row, name) in ["along the heading", "to the right"].into_iter().enumerate() {
        let y = TOP + row as f64 * (MAP + GAP);
        let range = range(fit, row);
        for (column, what) in ["animals", "fitted rules", "animals − rules"].into_iter().enumerate() {
            let x = LEFT + column as f64 * (MAP + GAP);
            if row == 0 {
                label(&mut text, x + MAP / 2.0, TOP - 10.0, "middle", what);
            }
            map(&mut text, fit, [x, y], |cell| {
                let [data, fitted] = [cell.data[row], cell.fit[row]];
                [data, fitted, data - fitted][column] / range
            });
        }
        let rotated = format!("rotate(-90 {} {})", LEFT - 46.0, y + MAP / 2.0);
        let _ = writeln!(
            text,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" transform=\"{rotated}\">{name}, ±{range:.2e}</text>",
            LEFT - 46.0,
            y + MAP / 2.0
        );
        label(&mut text, LEFT - 6.0, y + 10.0, "end", "ahead");
        label(&mut text, LEFT - 6.0, y + MAP, "end", "behind");
    }
    let below = TOP + 2.0 * MAP + GAP + 16.0;
    label(&mut text, LEFT, below, "start", "left");
    label(&mut text, LEFT + MAP, below, "end", "right");
    let width = significant(2.0 * fit.force_map.reach, 3);
    let legend =
        format!("each map is {width} {unit} wide; red is forward or to the right, blue backward or to the left");
    label(&mut text, LEFT, below + 22.0, "start", &legend);
    text + "</svg>\n"
}

fn label(text: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(text, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}

/// The acceleration that has the last color.
fn range(fit: &Fit, row: usize) -> f64 {
    let cells = fit.force_map.cells.iter().filter(|cell| cell.count >= FEWEST);
    let mut sizes: Vec<f64> = cells.map(|cell| cell.data[row].abs().max(cell.fit[row].abs())).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    let last = sizes.get(((sizes.len() as f64 - 1.0) * RANGE) as usize);
    last.copied().unwrap_or(0.0).max(f64::MIN_POSITIVE)
}

fn map(text: &mut String, fit: &Fit, [x, y]: [f64; 2], value: impl Fn(&Cell) -> f64) {
    let side = MAP / SIDE as f64;
    for (index, cell) in fit.force_map.cells.iter().enumerate().filter(|(_, cell)| cell.count >= FEWEST) {
        let (ahead, right) = (index / SIDE, index % SIDE);
        let (x, y) = (x + right as f64 * side, y + (SIDE - 1 - ahead) as f64 * side);
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{}\"/>",
            color(value(cell))
        );
    }
    let (middle, center) = (x + MAP / 2.0, y + MAP / 2.0);
    let _ =
        writeln!(text, "<rect x=\"{x}\" y=\"{y}\" width=\"{MAP}\" height=\"{MAP}\" fill=\"none\" stroke=\"#888\"/>");
    let (back, front) = (center + 5.0, center - 7.0);
    let _ = writeln!(text, "<path d=\"M{middle} {front}L{} {back}L{} {back}z\"/>", middle + 4.0, middle - 4.0);
}

/// Blue for −1, near white for 0, red for 1.
fn color(value: f64) -> String {
    let [from, to] = if value < 0.0 {
        [[247.0, 247.0, 247.0], [33.0, 102.0, 172.0]]
    } else {
        [[247.0, 247.0, 247.0], [178.0, 24.0, 43.0]]
    };
    let share = value.abs().min(1.0);
    let [red, green, blue]: [f64; 3] = [0, 1, 2].map(|k| from[k] + (to[k] - from[k]) * share);
    format!("#{:02x}{:02x}{:02x}", red as u8, green as u8, blue as u8)
}
