//! The panel: who flies, the gauges, and the plots.

pub mod gauges;
pub(crate) mod plots;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::text::{grouped, left, line, right, wrap};

use crate::engine::Frame;
use crate::sim::{Measures, Params, Predators, World};
use crate::viewer::app::App;
use crate::viewer::app::param_step::figure;

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

/// What the panel says of a frame. While it says the same, and nothing else has happened, so does the panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    seed: u64,
    boids: usize,
    gone: usize,
    predators: usize,
    params: Params,
    world: World,
    pub(crate) measures: Measures,
    measured: u64,
    pub(crate) ticks_per_second: f32,
    /// How many requests have been done: what one is refused stands as it was before.
    answered: u64,
}

impl Facts {
    /// What it says of this one.
    #[must_use]
    pub fn of(frame: &Frame) -> Self {
        Self {
            seed: frame.seed,
            boids: frame.boids,
            gone: frame.gone,
            predators: frame.predators,
            params: frame.params,
            world: frame.world,
            measures: frame.measures,
            measured: frame.measured,
            ticks_per_second: frame.ticks_per_second,
            answered: frame.answered,
        }
    }
}

/// Draws the panel.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, facts: &Facts) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(app.dress.look.dim);
    }
    let Parts { inner, gauges: room, sentence, plots } = parts(area);
    head(buffer, inner, app, facts);
    let used = gauges::draw(buffer, room, app);
    let after = Rect { y: room.y + used, height: sentence.min(inner.bottom() - room.y - used), ..inner };
    explain(buffer, after, app);
    plots::draw(buffer, Rect { y: inner.bottom() - plots, height: plots, ..inner }, app, facts);
}

/// Preset, seed, world and counts.
fn head(buffer: &mut Buffer, area: Rect, app: &App, facts: &Facts) {
    let look = &app.dress.look;
    left(buffer, line(area, 0), &app.wishes.preset.name, look.accent.add_modifier(Modifier::BOLD));
    right(buffer, line(area, 0), app.dress.name(), look.dim);
    left(buffer, line(area, 1), &format!("seed {}", facts.seed), look.text);
    let (boids, gone) = (grouped(facts.boids as u64), grouped(facts.gone as u64));
    let word = if facts.boids == 1 { "boid" } else { "boids" };
    let boids = if facts.gone == 0 { format!("{boids} {word}") } else { format!("{boids} + {gone} gone") };
    left(buffer, line(area, 2), &boids, look.text);
    right(buffer, line(area, 2), &size(&facts.world), look.dim);
    predators(buffer, line(area, 3), app, facts);
}

fn predators(buffer: &mut Buffer, area: Rect, app: &App, facts: &Facts) {
    let look = &app.dress.look;
    let count = facts.predators;
    let (hunting, resting) = (facts.measures.hunting.min(count), facts.measures.resting.min(count));
    let noun = if count == 1 { "predator" } else { "predators" };
    let style = if count == 0 { look.dim } else { look.predator };
    let told = format!("{} {noun}", grouped(count as u64));
    left(buffer, area, &told, style);
    let doing = match facts.params.hunt.mode {
        _ if count == 0 => return,
        Predators::Hunt if resting > 0 => {
            let both = format!("{hunting} hunt, {resting} {}", if resting == 1 { "rests" } else { "rest" });
            // Of a thousand there is room for one of the two.
            let fits = told.width() + both.width() < area.width.into();
            if fits { both } else { format!("{resting} resting") }
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
