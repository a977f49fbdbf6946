//! The panel: the flock, the gauges, and the plots.

pub mod gauges;
pub(crate) mod plots;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::text::{grouped, left, line, right, wrap};
use crate::engine::Frame;
use crate::sim::{Measures, ModelRow, Params, PredatorMode, World};
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;

/// The height of the header including a blank line.
const HEAD: u16 = 5;
/// The height of the selected parameter's description.
const SENTENCE: u16 = 3;
/// The minimum height for gauges next to plots.
const GAUGES: u16 = 8;

/// The parts of the panel inside its border.
struct PanelLayout {
    inner: Rect,
    gauges: Rect,
    sentence: u16,
    plots: u16,
}

fn parts(area: Rect) -> PanelLayout {
    let inner = Rect { x: area.x + 2, width: area.width - 3, ..area };
    let below = Rect { y: inner.y + HEAD, height: inner.height.saturating_sub(HEAD), ..inner };
    let plots = if below.height >= GAUGES + SENTENCE + plots::HEIGHT { plots::HEIGHT } else { 0 };
    let sentence = if below.height >= GAUGES + SENTENCE { SENTENCE } else { 0 };
    PanelLayout { inner, gauges: Rect { height: below.height - plots - sentence, ..below }, sentence, plots }
}

/// The area of the gauges in a panel.
#[must_use]
pub fn gauges(area: Rect) -> Rect {
    parts(area).gauges
}

/// The area of the plots in a panel.
#[must_use]
pub fn plots(area: Rect) -> Rect {
    let PanelLayout { inner, plots, .. } = parts(area);
    Rect { y: inner.bottom() - plots, height: plots, ..inner }
}

/// The data of a frame that the panel shows. The panel needs a redraw only if it changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PanelData {
    seed: u64,
    boids: usize,
    caught: usize,
    predators: usize,
    params: Params,
    world: World,
    pub(crate) measures: Measures,
    measure_count: u64,
    pub(crate) ticks_per_second: f32,
    /// A rejected request also needs a redraw, to show the old value again.
    requests_done: u64,
}

impl PanelData {
    /// Reads the data from a frame.
    #[must_use]
    pub fn of(frame: &Frame) -> Self {
        Self {
            seed: frame.seed,
            boids: frame.boids,
            caught: frame.caught,
            predators: frame.predators,
            params: frame.params,
            world: frame.world,
            measures: frame.measures,
            measure_count: frame.measure_count,
            ticks_per_second: frame.ticks_per_second,
            requests_done: frame.requests_done,
        }
    }
}

/// Draws the panel.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, data: &PanelData) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(app.theme.resolved().dim);
    }
    let PanelLayout { inner, gauges: gauge_area, sentence, .. } = parts(area);
    head(buffer, inner, app, data);
    let used = gauges::draw(buffer, gauge_area, app);
    let after = Rect { y: gauge_area.y + used, height: sentence, ..inner };
    explain(buffer, after, app);
    plots::draw(buffer, plots(area), app, data);
}

/// Draws preset, theme, seed, counts and world.
fn head(buffer: &mut Buffer, area: Rect, app: &App, data: &PanelData) {
    let theme = app.theme.resolved();
    left(buffer, line(area, 0), &app.session.preset.name, theme.accent.add_modifier(Modifier::BOLD));
    right(buffer, line(area, 0), app.theme.name(), theme.dim);
    left(buffer, line(area, 1), &format!("seed {}", data.seed), theme.text);
    let (boids, caught) = (grouped(data.boids as u64), grouped(data.caught as u64));
    let word = if data.boids == 1 { "boid" } else { "boids" };
    let boids = if data.caught == 0 { format!("{boids} {word}") } else { format!("{boids} + {caught} caught") };
    left(buffer, line(area, 2), &boids, theme.text);
    right(buffer, line(area, 2), &size(&data.world), theme.dim);
    if ModelRow::of(&data.params).has_predators {
        predators(buffer, line(area, 3), app, data);
    }
}

fn predators(buffer: &mut Buffer, area: Rect, app: &App, data: &PanelData) {
    let theme = app.theme.resolved();
    let count = data.predators;
    let (hunting, resting) = (data.measures.hunting.min(count), data.measures.resting.min(count));
    let noun = if count == 1 { "predator" } else { "predators" };
    let style = if count == 0 { theme.dim } else { theme.predator };
    let told = format!("{} {noun}", grouped(count as u64));
    left(buffer, area, &told, style);
    let some = |count: usize, verb: &str| format!("{count} {verb}{}", if count == 1 { "s" } else { "" });
    let doing = match data.params.hunt.mode {
        _ if count == 0 => return,
        PredatorMode::Hunt if resting > 0 => {
            let both = format!("{}, {}", some(hunting, "hunt"), some(resting, "rest"));
            // Long counts leave space for one of the two.
            let fits = told.width() + both.width() < area.width.into();
            if fits { both } else { some(resting, "rest") }
        }
        PredatorMode::Hunt => some(hunting, "hunt"),
        PredatorMode::Flock => some(count, "flock"),
    };
    right(buffer, area, &doing, style.remove_modifier(Modifier::BOLD));
}

fn size(world: &World) -> String {
    match world {
        World::Rect(sides) => format!("{} × {} u", format_number(sides[0]), format_number(sides[1])),
        World::Cuboid(sides) => sides.map(format_number).join(" × "),
        World::Sphere(radius) => format!("ball of {} u", format_number(*radius)),
    }
}

/// Draws the selected parameter's description.
fn explain(buffer: &mut Buffer, area: Rect, app: &App) {
    for (row, text) in area.rows().zip(wrap(app.selected_param().summary, usize::from(area.width))) {
        left(buffer, row, &text, app.theme.resolved().dim);
    }
}
