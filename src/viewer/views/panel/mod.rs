//! The panel: who flies, the gauges, and the plots.

pub mod gauges;
pub(crate) mod plots;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::text::{grouped, left, line, right, wrap};

use crate::engine::Frame;
use crate::sim::{Measures, Params, PredatorMode, World};
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;

/// The lines of the head, the one left free below them counted in.
const HEAD: u16 = 5;
/// How many lines the chosen parameter's sentence gets.
const SENTENCE: u16 = 3;
/// Below so many lines for gauges the plots give way.
const GAUGES: u16 = 8;

/// The panel's parts, inside its border.
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

/// The room for gauges in a panel.
#[must_use]
pub fn gauges(area: Rect) -> Rect {
    parts(area).gauges
}

/// What the panel says of a frame. While it says the same, and nothing else has happened, so does the panel.
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
    /// How many requests have been done: what one is refused stands as it was before.
    requests_done: u64,
}

impl PanelData {
    /// What it says of this one.
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
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, facts: &PanelData) {
    for y in area.top()..area.bottom() {
        buffer[(area.x, y)].set_symbol("│").set_style(app.theme.resolved().dim);
    }
    let PanelLayout { inner, gauges: room, sentence, plots } = parts(area);
    head(buffer, inner, app, facts);
    let used = gauges::draw(buffer, room, app);
    let after = Rect { y: room.y + used, height: sentence.min(inner.bottom() - room.y - used), ..inner };
    explain(buffer, after, app);
    plots::draw(buffer, Rect { y: inner.bottom() - plots, height: plots, ..inner }, app, facts);
}

/// Preset, seed, world and counts.
fn head(buffer: &mut Buffer, area: Rect, app: &App, facts: &PanelData) {
    let look = app.theme.resolved();
    left(buffer, line(area, 0), &app.session.preset().name, look.accent.add_modifier(Modifier::BOLD));
    right(buffer, line(area, 0), app.theme.name(), look.dim);
    left(buffer, line(area, 1), &format!("seed {}", facts.seed), look.text);
    let (boids, caught) = (grouped(facts.boids as u64), grouped(facts.caught as u64));
    let word = if facts.boids == 1 { "boid" } else { "boids" };
    let boids = if facts.caught == 0 { format!("{boids} {word}") } else { format!("{boids} + {caught} caught") };
    left(buffer, line(area, 2), &boids, look.text);
    right(buffer, line(area, 2), &size(&facts.world), look.dim);
    predators(buffer, line(area, 3), app, facts);
}

fn predators(buffer: &mut Buffer, area: Rect, app: &App, facts: &PanelData) {
    let look = app.theme.resolved();
    let count = facts.predators;
    let (hunting, resting) = (facts.measures.hunting.min(count), facts.measures.resting.min(count));
    let noun = if count == 1 { "predator" } else { "predators" };
    let style = if count == 0 { look.dim } else { look.predator };
    let told = format!("{} {noun}", grouped(count as u64));
    left(buffer, area, &told, style);
    let doing = match facts.params.hunt.mode {
        _ if count == 0 => return,
        PredatorMode::Hunt if resting > 0 => {
            let both = format!("{hunting} hunt, {resting} {}", if resting == 1 { "rests" } else { "rest" });
            // Of a thousand there is room for one of the two.
            let fits = told.width() + both.width() < area.width.into();
            if fits { both } else { format!("{resting} resting") }
        }
        PredatorMode::Hunt if hunting > 0 => format!("{hunting} hunting"),
        PredatorMode::Hunt => "none hunting".to_owned(),
        PredatorMode::Flock => "in the flock".to_owned(),
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

/// The chosen parameter's sentence.
fn explain(buffer: &mut Buffer, area: Rect, app: &App) {
    for (number, text) in (0..).zip(wrap(app.selected_param().summary, usize::from(area.width))) {
        left(buffer, line(area, number), &text, app.theme.resolved().dim);
    }
}
