//! The panel: a header with counts, the gauges or the rules of a recording, and the sparklines.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::context::Context;
use super::gauges::Gauges;
use super::plots::history::MeasureHistory;
use super::plots::sparklines;
use super::text::{format_number, grouped, left, line, right, wrap};
use crate::engine::{Controls, Frame};
use crate::picture::UnicodeWidthStr;
use crate::sim::{ModelRow, PredatorMode, World};

/// The height of the header.
const HEADER_HEIGHT: u16 = 3;
/// The height of the header with the size of the world and a blank line, and the height of a panel that has space for it.
const LONG_HEADER: (u16, u16) = (HEADER_HEIGHT + 2, 28);
/// The height of the selected parameter's description.
const DESCRIPTION_HEIGHT: u16 = 3;
/// The minimum height for gauges next to a description.
const MIN_GAUGES_HEIGHT: u16 = 8;
/// The minimum height for gauges next to sparklines: at least ten, with the headings of their groups.
const GAUGES_BEFORE_PLOTS: u16 = 15;

/// The parts of the panel inside its border.
struct PanelLayout {
    header: Rect,
    /// A recording has none.
    gauges: Option<Rect>,
    /// The height below the gauges that are drawn.
    description: u16,
    plots: Rect,
}

fn parts(area: Rect, context: &Context) -> PanelLayout {
    // A blank column on the right keeps numbers off the edge of the screen.
    let inner = Rect { x: area.x + 1, width: area.width - 2, ..area };
    let header = if area.height >= LONG_HEADER.1 { LONG_HEADER.0 } else { HEADER_HEIGHT };
    let below = Rect { y: inner.y + header, height: inner.height.saturating_sub(header), ..inner };
    let is_recording = context.is_recording();
    let has_description = !is_recording && below.height >= MIN_GAUGES_HEIGHT + DESCRIPTION_HEIGHT;
    let description = if has_description { DESCRIPTION_HEIGHT } else { 0 };
    let before = if is_recording { 0 } else { GAUGES_BEFORE_PLOTS + description };
    let plots = sparklines::fitting_height(below.height.saturating_sub(before), is_recording);
    PanelLayout {
        header: Rect { height: header, ..inner },
        gauges: (!is_recording).then(|| Rect { height: below.height - plots - description, ..below }),
        description,
        plots: Rect { y: if is_recording { below.y } else { below.bottom() - plots }, height: plots, ..below },
    }
}

/// The area of the gauges in a panel, if it has gauges.
pub fn gauges(area: Rect, context: &Context) -> Option<Rect> {
    parts(area, context).gauges
}

/// The area of the sparklines in a panel.
pub fn sparklines(area: Rect, context: &Context) -> Rect {
    parts(area, context).plots
}

/// Draws the panel.
pub fn draw(buffer: &mut Buffer, area: Rect, gauges: &Gauges, history: &MeasureHistory, context: &Context) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(context.theme.resolved().dim);
    }
    let PanelLayout { header, gauges: gauge_area, description, plots } = parts(area, context);
    head(buffer, header, context);
    if let Some(gauge_area) = gauge_area {
        let used = gauges.draw(buffer, gauge_area, context);
        let y = gauge_area.y + used;
        let height = if description > 0 { gauge_area.bottom() + description - y } else { 0 };
        let after = Rect { y, height, ..gauge_area };
        describe(buffer, after, gauges, context);
    }
    sparklines::draw(buffer, plots, history, context);
}

/// Draws preset, theme, counts and seed, and the world if there is space.
fn head(buffer: &mut Buffer, area: Rect, context: &Context) {
    let frame = context.client.frame();
    let theme = context.theme.resolved();
    let pair = |buffer: &mut Buffer, row: Rect, (name, style), other: &str| {
        let rest = left(buffer, row, name, style);
        if other.width() < rest.width.into() {
            right(buffer, rest, other, theme.dim);
        }
    };
    let name = (context.name(), theme.accent.add_modifier(Modifier::BOLD));
    pair(buffer, line(area, 0), name, context.theme.name());
    let (boids, caught) = (grouped(frame.boids as u64), grouped(frame.caught as u64));
    let recording = context.client.recording();
    let word = match (recording, frame.boids) {
        (None, 1) => "boid",
        (None, _) => "boids",
        (Some(_), 1) => "animal",
        (Some(_), _) => "animals",
    };
    let boids = if frame.caught == 0 { format!("{boids} {word}") } else { format!("{boids} + {caught} caught") };
    let origin = match recording.map(|recording| recording.frame_rate) {
        None => format!("seed {}", frame.controls.setup.seed),
        Some(Some(rate)) => format!("{} frames/s", format_number(rate as f32)),
        Some(None) => String::new(),
    };
    pair(buffer, line(area, 1), (&boids, theme.text), &origin);
    let has_predators = ModelRow::of(&frame.controls.current_params).has_predators;
    if has_predators && (recording.is_none() || frame.controls.setup.predators > 0) {
        predators(buffer, line(area, 2), context);
    }
    if area.height > HEADER_HEIGHT {
        let unit = recording.map_or("u", |recording| &recording.unit);
        left(buffer, line(area, 3), &size(&frame.world, unit), theme.dim);
    }
}

fn predators(buffer: &mut Buffer, area: Rect, context: &Context) {
    let theme = context.theme.resolved();
    let Frame { controls: Controls { setup, current_params, .. }, measured, .. } = context.client.frame();
    let count = setup.predators;
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

fn size(world: &World, unit: &str) -> String {
    match world {
        World::Rect(sides) => format!("{} × {} {unit}", format_number(sides[0]), format_number(sides[1])),
        World::Cuboid(sides) => {
            let sides = sides.map(format_number).join(" × ");
            // Three sides of a preset leave no space for the unit, which is always the same.
            if unit == "u" { sides } else { format!("{sides} {unit}") }
        }
        World::Sphere(radius) => format!("ball of {} {unit}", format_number(*radius)),
    }
}

/// Draws the selected parameter's description.
fn describe(buffer: &mut Buffer, area: Rect, gauges: &Gauges, context: &Context) {
    let mut lines = wrap(gauges.selected(context).summary, usize::from(area.width));
    if lines.len() > usize::from(area.height) {
        lines.truncate(area.height.into());
        if let Some(last) = lines.last_mut() {
            // One column is left for it: a line is filled only rarely.
            last.push('…');
        }
    }
    for (row, text) in area.rows().zip(lines) {
        left(buffer, row, &text, context.theme.resolved().dim);
    }
}
