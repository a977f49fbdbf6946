//! The timeline of the session: a row over the end of the flock's region.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};
use unicode_width::UnicodeWidthStr;

use super::layout::Regions;
use super::popups;
use super::text::{left, right};
use crate::engine::SessionPosition;
use crate::viewer::app::App;
use crate::viewer::{Action, Marker};

/// The minimum width of the bar.
const MIN_BAR: u16 = 12;
/// The width of the bar from which the tick is shown beside the time.
const TICK_FROM: u16 = 24;
/// The minimum height of the flock's region.
const MIN_HEIGHT: u16 = 5;
/// The width of the longest state and its gaps.
const LABEL: u16 = 8;

/// The symbols of the bar.
struct Glyphs {
    /// The part up to the handle: no command, one, several.
    played: [&'static str; 3],
    /// The part after it.
    rest: [&'static str; 3],
    handle: &'static str,
    /// The handle while its tick is being computed.
    target: &'static str,
}

const LINES: Glyphs =
    Glyphs { played: ["━", "┿", "╋"], rest: ["─", "┼", "╫"], handle: "●", target: "○" };
const ASCII: Glyphs = Glyphs { played: ["=", "+", "#"], rest: ["-", "+", "#"], handle: "O", target: "o" };

/// The place of the timeline on the screen, and its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineRow {
    /// The whole row.
    pub area: Rect,
    /// The columns that stand for ticks.
    bar: Rect,
    position: SessionPosition,
}

impl App {
    /// Whether the timeline is wanted: always in a replay, else while the session is paused, in the past, or moving there.
    pub(in crate::viewer) fn shows_timeline(&self) -> bool {
        let state = self.session.state();
        let moves = state.paused || state.is_past() || state.position.backward;
        (self.timeline.is_replay() || moves) && !self.display.clean && self.display.canvas().1 >= MIN_HEIGHT.into()
    }

    /// The time of the position and of the end.
    fn times(&self, position: SessionPosition) -> String {
        format!("{} / {}", self.time(self.session.state().target()), self.time(position.last))
    }
}

impl TimelineRow {
    /// Places the timeline; `None` if it is hidden.
    pub fn new(app: &App, screen: Rect) -> Option<Self> {
        let position = app.session.state().position;
        let regions = Regions::new(screen, app.display.clean);
        let flock = regions.flock;
        if !app.shows_timeline() || flock.height < MIN_HEIGHT || regions.status.is_none() {
            return None;
        }
        let area = Rect { y: flock.bottom() - 1, height: 1, ..flock };
        let popup = popups::opened(app, regions.above_status(screen));
        if popup.is_some_and(|popup| popup.area.intersects(area)) {
            return None;
        }
        let end = app.time(position.last).width() as u16;
        let used = LABEL + 2 * end + 3 + 3;
        let tick = tick_width(position);
        let used = if area.width >= used + tick + TICK_FROM { used + tick } else { used };
        let bar = Rect { x: area.x + LABEL, width: area.width.saturating_sub(used), ..area };
        (bar.width >= MIN_BAR).then_some(Self { area, bar, position })
    }

    /// The tick that a column stands for; the nearest end outside the bar.
    pub fn tick_at(&self, column: u16) -> u64 {
        let SessionPosition { first, last, .. } = self.position;
        let steps = f64::from(self.bar.width - 1);
        let share = f64::from(column.saturating_sub(self.bar.x).min(self.bar.width - 1)) / steps;
        first + ((last - first) as f64 * share).round() as u64
    }

    /// The column of a tick, counted from the beginning of the bar.
    fn column(&self, tick: u64) -> u16 {
        let SessionPosition { first, last, .. } = self.position;
        if last <= first {
            return self.bar.width - 1;
        }
        let share = tick.saturating_sub(first) as f64 / (last - first) as f64;
        (share.min(1.0) * f64::from(self.bar.width - 1)).round() as u16
    }

    /// The ticks of a column: those that are nearer to it than to others.
    fn ticks(&self, column: u16) -> Range<u64> {
        let begin = |column: u16| {
            let SessionPosition { first, last, .. } = self.position;
            let share = (f64::from(column) - 0.5) / f64::from(self.bar.width - 1);
            first + ((last - first) as f64 * share).max(0.0).ceil() as u64
        };
        let end = if column + 1 >= self.bar.width { self.position.last + 1 } else { begin(column + 1) };
        begin(column)..end
    }

    /// The name of the command under the mouse, if that hovers over the bar, or else at the handle.
    pub fn command(&self, app: &App) -> Option<String> {
        let hovered = app.hovered_cell().filter(|cell| self.bar.contains((*cell).into()));
        let column = hovered.map_or(self.column(app.session.state().target()), |(column, _)| column - self.bar.x);
        app.commands_at(self.ticks(column))
    }

    /// Draws the row. Returns its area.
    pub fn draw(&self, buffer: &mut Buffer, app: &App) -> Rect {
        let theme = app.theme.resolved();
        Clear.render(self.area, buffer);
        buffer.set_style(self.area, theme.text);
        let label = Rect { width: LABEL, ..self.area };
        left(buffer, label, &format!(" {}", self.state(app)), theme.accent.add_modifier(Modifier::BOLD));
        self.draw_bar(buffer, app);
        let beside = Rect { x: self.bar.right() + 1, width: self.area.right() - self.bar.right() - 2, ..self.area };
        let rest = left(buffer, beside, &app.times(self.position), theme.text);
        if rest.width >= tick_width(self.position) {
            right(buffer, rest, &format!("tick {}", self.position.tick), theme.dim);
        }
        if let Some((_, share)) = self.position.seeking {
            let cancel = app.keymap.key(Action::Close).map_or(String::new(), |key| format!("  {key} cancels"));
            let progress = format!("  {:.0} %{cancel} ", (100.0 * share).floor());
            right(
                buffer,
                Rect { x: self.bar.x, width: self.area.right() - self.bar.x, ..self.area },
                &progress,
                theme.accent,
            );
        }
        self.area
    }

    fn draw_bar(&self, buffer: &mut Buffer, app: &App) {
        let theme = app.theme.resolved();
        let glyphs = if app.display.marker == Marker::Ascii { &ASCII } else { &LINES };
        let mut commands = vec![0_usize; self.bar.width.into()];
        app.timeline.visit_marks(self.position.first, |tick, _| {
            commands[usize::from(self.column(tick))] += 1;
            true
        });
        let handle = self.column(app.session.state().target());
        for (column, commands) in (0..).zip(&commands) {
            let (symbols, line): (_, Style) =
                if column < handle { (&glyphs.played, theme.gauge) } else { (&glyphs.rest, theme.dim) };
            let style = if *commands == 0 { line } else { theme.accent };
            buffer[(self.bar.x + column, self.bar.y)].set_symbol(symbols[(*commands).min(2)]).set_style(style);
        }
        let symbol = if self.position.seeking.is_some() { glyphs.target } else { glyphs.handle };
        let style = theme.accent.add_modifier(Modifier::BOLD);
        buffer[(self.bar.x + handle, self.bar.y)].set_symbol(symbol).set_style(style);
    }

    /// Whether the session is at its end, in its past, or a replay of a file.
    fn state(&self, app: &App) -> &'static str {
        if app.timeline.is_in_file(self.position.last) && !app.session.undo_stack.has_branch() {
            "replay"
        } else if app.session.state().is_past() {
            "past"
        } else {
            "now"
        }
    }
}

/// The width of the tick beside the time.
fn tick_width(position: SessionPosition) -> u16 {
    ("  tick ".len() + position.last.to_string().len()) as u16
}
