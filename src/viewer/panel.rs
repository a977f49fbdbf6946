//! The panel: a header with counts, the gauges, and the sparklines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::context::Context;
use super::gauges::Gauges;
use super::plots::history::MeasureHistory;
use super::plots::sparklines;
use super::text::{format_number, grouped, left, line, right, wrap};
use crate::engine::{Controls, Frame};
use crate::sim::{ModelRow, PredatorMode, World};

/// The height of the header including a blank line.
const HEADER_HEIGHT: u16 = 5;
/// The height of the selected parameter's description.
const DESCRIPTION_HEIGHT: u16 = 3;
/// The minimum height for gauges next to plots.
const MIN_GAUGES_HEIGHT: u16 = 8;

/// The parts of the panel inside its border.
struct PanelLayout {
    inner: Rect,
    gauges: Rect,
    description: u16,
    plots: u16,
}

fn parts(area: Rect) -> PanelLayout {
    let inner = Rect { x: area.x + 2, width: area.width - 3, ..area };
    let below = Rect { y: inner.y + HEADER_HEIGHT, height: inner.height.saturating_sub(HEADER_HEIGHT), ..inner };
    let plots = if below.height >= MIN_GAUGES_HEIGHT + DESCRIPTION_HEIGHT + sparklines::HEIGHT {
        sparklines::HEIGHT
    } else {
        0
    };
    let description = if below.height >= MIN_GAUGES_HEIGHT + DESCRIPTION_HEIGHT { DESCRIPTION_HEIGHT } else { 0 };
    PanelLayout { inner, gauges: Rect { height: below.height - plots - description, ..below }, description, plots }
}

/// The area of the gauges in a panel.
pub fn gauges(area: Rect) -> Rect {
    parts(area).gauges
}

/// The area of the plots in a panel.
pub fn sparklines(area: Rect) -> Rect {
    let PanelLayout { inner, plots, .. } = parts(area);
    Rect { y: inner.bottom() - plots, height: plots, ..inner }
}

/// Draws the panel.
pub fn draw(buffer: &mut Buffer, area: Rect, gauges: &Gauges, history: &MeasureHistory, context: &Context) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(context.theme.resolved().dim);
    }
    let PanelLayout { inner, gauges: gauge_area, description, .. } = parts(area);
    head(buffer, inner, context);
    let used = gauges.draw(buffer, gauge_area, context);
    let after = Rect { y: gauge_area.y + used, height: description, ..inner };
    describe(buffer, after, gauges, context);
    sparklines::draw(buffer, sparklines(area), history, context);
}

/// Draws preset, theme, seed, counts and world.
fn head(buffer: &mut Buffer, area: Rect, context: &Context) {
    let frame = context.client.frame();
    let theme = context.theme.resolved();
    left(buffer, line(area, 0), &context.presets.base.name, theme.accent.add_modifier(Modifier::BOLD));
    right(buffer, line(area, 0), context.theme.name(), theme.dim);
    left(buffer, line(area, 1), &format!("seed {}", frame.controls.seed), theme.text);
    let (boids, caught) = (grouped(frame.boids as u64), grouped(frame.caught as u64));
    let word = if frame.boids == 1 { "boid" } else { "boids" };
    let boids = if frame.caught == 0 { format!("{boids} {word}") } else { format!("{boids} + {caught} caught") };
    left(buffer, line(area, 2), &boids, theme.text);
    right(buffer, line(area, 2), &size(&frame.world), theme.dim);
    if ModelRow::of(&frame.controls.current_params).has_predators {
        predators(buffer, line(area, 3), context);
    }
}

fn predators(buffer: &mut Buffer, area: Rect, context: &Context) {
    let theme = context.theme.resolved();
    let Frame { controls: Controls { predators: count, current_params, .. }, measured, .. } = context.client.frame();
    let count = *count;
    let [hunting, resting] = ["hunting", "resting"].map(|name| (measured.value(name) as usize).min(count));
    let noun = if count == 1 { "predator" } else { "predators" };
    let style = if count == 0 { theme.dim } else { theme.predator };
    let counted = format!("{} {noun}", grouped(count as u64));
    left(buffer, area, &counted, style);
    let with_verb = |count: usize, verb: &str| format!("{count} {verb}{}", if count == 1 { "s" } else { "" });
    let activity = match current_params.hunt.mode {
        _ if count == 0 => return,
        PredatorMode::Hunt if resting > 0 => {
            let both = format!("{}, {}", with_verb(hunting, "hunt"), with_verb(resting, "rest"));
            // Long counts leave space for one of the two.
            let fits = counted.width() + both.width() < area.width.into();
            if fits { both } else { with_verb(resting, "rest") }
        }
        PredatorMode::Hunt => with_verb(hunting, "hunt"),
        PredatorMode::Flock => with_verb(count, "flock"),
    };
    right(buffer, area, &activity, style.remove_modifier(Modifier::BOLD));
}

fn size(world: &World) -> String {
    match world {
        World::Rect(sides) => format!("{} × {} u", format_number(sides[0]), format_number(sides[1])),
        World::Cuboid(sides) => sides.map(format_number).join(" × "),
        World::Sphere(radius) => format!("ball of {} u", format_number(*radius)),
    }
}

/// Draws the selected parameter's description.
fn describe(buffer: &mut Buffer, area: Rect, gauges: &Gauges, context: &Context) {
    for (row, text) in area.rows().zip(wrap(gauges.selected(context).summary, usize::from(area.width))) {
        left(buffer, row, &text, context.theme.resolved().dim);
    }
}
