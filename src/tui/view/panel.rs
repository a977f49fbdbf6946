//! The panel: who flies, the gauges, and the plots.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::text::{grouped, left, line, right, wrap};
use super::{gauges, plots};
use crate::engine::Frame;
use crate::sim::{Predators, World};
use crate::tui::app::App;
use crate::tui::knob::figure;

/// The lines of the head, the one left free below them counted in.
const HEAD: u16 = 5;
/// How many lines the chosen parameter's sentence gets.
const SENTENCE: u16 = 3;
/// Below so many lines for gauges the plots give way.
const GAUGES: u16 = 8;

/// The panel's parts, inside its border.
struct Parts {
    inner: Rect,
    gauges: Rect,
    sentence: u16,
    plots: u16,
}

fn parts(area: Rect) -> Parts {
    let inner = Rect { x: area.x + 2, width: area.width - 3, ..area };
    let below = Rect { y: inner.y + HEAD, height: inner.height.saturating_sub(HEAD), ..inner };
    let plots = if below.height >= GAUGES + SENTENCE + plots::HEIGHT { plots::HEIGHT } else { 0 };
    let sentence = if below.height >= GAUGES + SENTENCE { SENTENCE } else { 0 };
    Parts { inner, gauges: Rect { height: below.height - plots - sentence, ..below }, sentence, plots }
}

/// The room for gauges in a panel.
#[must_use]
pub fn gauges(area: Rect) -> Rect {
    parts(area).gauges
}

/// Draws the panel.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(app.dress.look.dim);
    }
    let Parts { inner, gauges: room, sentence, plots } = parts(area);
    head(buffer, inner, app, frame);
    let used = gauges::draw(buffer, room, app);
    let after = Rect { y: room.y + used, height: sentence.min(inner.bottom() - room.y - used), ..inner };
    explain(buffer, after, app);
    plots::draw(buffer, Rect { y: inner.bottom() - plots, height: plots, ..inner }, app, frame);
}

/// Preset, seed, world and counts.
fn head(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame) {
    let look = &app.dress.look;
    left(buffer, line(area, 0), &app.wishes.preset.name, look.accent.add_modifier(Modifier::BOLD));
    right(buffer, line(area, 0), app.dress.name(), look.dim);
    left(buffer, line(area, 1), &format!("seed {}", frame.seed), look.text);
    let (boids, gone) = (grouped(frame.boids as u64), grouped(frame.gone as u64));
    let word = if frame.boids == 1 { "boid" } else { "boids" };
    let boids = if frame.gone == 0 { format!("{boids} {word}") } else { format!("{boids} + {gone} gone") };
    left(buffer, line(area, 2), &boids, look.text);
    right(buffer, line(area, 2), &size(&frame.world), look.dim);
    predators(buffer, line(area, 3), app, frame);
}

fn predators(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame) {
    let look = &app.dress.look;
    let count = frame.predators;
    let (hunting, resting) = (frame.measures.hunting.min(count), frame.measures.resting.min(count));
    let noun = if count == 1 { "predator" } else { "predators" };
    let style = if count == 0 { look.dim } else { look.predator };
    left(buffer, area, &format!("{count} {noun}"), style);
    let doing = match frame.params.hunt.mode {
        _ if count == 0 => return,
        Predators::Hunt if resting > 0 => {
            format!("{hunting} hunt, {resting} {}", if resting == 1 { "rests" } else { "rest" })
        }
        Predators::Hunt if hunting > 0 => format!("{hunting} hunting"),
        Predators::Hunt => "none hunting".to_owned(),
        Predators::Flock => "in the flock".to_owned(),
    };
    right(buffer, area, &doing, style.remove_modifier(Modifier::BOLD));
}

fn size(world: &World) -> String {
    match world {
        World::Flat(sides) => format!("{} × {} u", figure(sides[0]), figure(sides[1])),
        World::Deep(sides) => sides.map(figure).join(" × "),
        World::Round(radius) => format!("ball of {} u", figure(*radius)),
    }
}

/// The chosen parameter's sentence.
fn explain(buffer: &mut Buffer, area: Rect, app: &App) {
    for (number, text) in (0..).zip(wrap(app.chosen().sentence, usize::from(area.width))) {
        left(buffer, line(area, number), &text, app.dress.look.dim);
    }
}
