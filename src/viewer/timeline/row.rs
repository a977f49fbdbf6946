//! The timeline of the session: a row over the end of the flock's region.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};

use super::{LONG_SEEK, Timeline};
use crate::config::Preset;
use crate::picture::{Marker, UnicodeWidthStr};
use crate::sim::{Command, SessionPosition, Value};
use crate::viewer::actions::Action;
use crate::viewer::context::Context;
use crate::viewer::presets::preset_of;
use crate::viewer::text::{format_number, left, right};

/// The minimum width of the bar.
const MIN_BAR: u16 = 12;
/// The width of the bar from which the ticks are shown beside the time.
const TICKS_FROM: u16 = 24;
/// The minimum height of the flock's region.
pub(super) const MIN_HEIGHT: u16 = 5;
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

/// The ends of the marked part.
const PART: [&str; 2] = ["[", "]"];

/// The place of the timeline on the screen, and its ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimelineRow {
    /// The whole row.
    pub area: Rect,
    /// The columns of the ticks.
    bar: Rect,
    position: SessionPosition,
}

impl TimelineRow {
    /// Places the timeline; `None` if it is hidden.
    pub fn new(timeline: &Timeline, context: &Context, screen: Rect, popup: Option<Rect>) -> Option<Self> {
        let position = context.client.frame().position;
        let regions = context.regions(screen);
        let flock = regions.flock;
        if !timeline.is_shown(context) || flock.height < MIN_HEIGHT || regions.status.is_none() {
            return None;
        }
        let area = Rect { y: flock.bottom() - 1, height: 1, ..flock };
        if popup.is_some_and(|popup| popup.intersects(area)) {
            return None;
        }
        let used = LABEL + times(timeline, position.last, position, context).width() as u16 + 3;
        let ticks = ticks_width(position, context);
        let used = if area.width >= used + ticks + TICKS_FROM { used + ticks } else { used };
        let bar = Rect { x: area.x + LABEL, width: area.width.saturating_sub(used), ..area };
        (bar.width >= MIN_BAR).then_some(Self { area, bar, position })
    }

    /// The tick of a column; the nearest end outside the bar.
    pub fn tick_at(&self, column: u16) -> u64 {
        let column = column.saturating_sub(self.bar.x).min(self.bar.width - 1);
        self.position.first + rounded(self.length() * u128::from(column), self.steps())
    }

    /// The column of a tick, counted from the beginning of the bar.
    fn column(&self, tick: u64) -> u16 {
        let SessionPosition { first, last, .. } = self.position;
        if last <= first {
            return self.bar.width - 1;
        }
        rounded(u128::from(tick.clamp(first, last) - first) * self.steps(), self.length()) as u16
    }

    /// The ticks of a column: those that are nearer to it than to others.
    fn ticks(&self, column: u16) -> Range<u64> {
        let begin = |column: u16| {
            let half_columns = (2 * u128::from(column)).saturating_sub(1);
            self.position.first + (self.length() * half_columns).div_ceil(2 * self.steps()) as u64
        };
        let end = if column + 1 >= self.bar.width { self.position.last + 1 } else { begin(column + 1) };
        begin(column)..end
    }

    fn length(&self) -> u128 {
        u128::from(self.position.last.saturating_sub(self.position.first))
    }

    fn steps(&self) -> u128 {
        u128::from(self.bar.width - 1)
    }

    /// The name of the last command under the mouse, if that hovers over the bar, or else at the handle.
    pub fn command(&self, timeline: &Timeline, hovered: Option<Position>, context: &Context) -> Option<String> {
        let hovered = hovered.filter(|cell| self.bar.contains(*cell));
        let column = hovered.map_or(self.column(self.position.target()), |cell| cell.x - self.bar.x);
        let command = timeline.last_command_in(self.ticks(column))?;
        Some(command_name(&command, &context.presets.all))
    }

    /// Draws the row. Returns its area.
    pub fn draw(&self, buffer: &mut Buffer, timeline: &Timeline, context: &Context) -> Rect {
        let theme = context.theme.resolved();
        Clear.render(self.area, buffer);
        buffer.set_style(self.area, theme.text);
        let label = Rect { width: LABEL, ..self.area };
        left(buffer, label, &format!(" {}", self.state(timeline)), theme.accent.add_modifier(Modifier::BOLD));
        self.draw_bar(buffer, timeline, context);
        let end = self.area.right() - 1;
        let right_of = |x: u16| Rect { x, width: end - x, ..self.area };
        let is_long = timeline.seeking_since.is_some_and(|since| since.elapsed() >= LONG_SEEK);
        if let Some((_, share)) = self.position.seeking.filter(|_| is_long) {
            let cancel = context.keymap.key(Action::Close).map_or(String::new(), |key| format!("  {key} cancels"));
            // In a narrow terminal it covers the end of the bar, which keeps its scale.
            right(buffer, right_of(self.bar.x), &format!("  {:.0} %{cancel}", (100.0 * share).floor()), theme.accent);
            return self.area;
        }
        let times = times(timeline, self.position.target(), self.position, context);
        let rest = left(buffer, right_of(self.bar.right() + 1), &times, theme.text);
        if rest.width >= ticks_width(self.position, context) {
            // Not called the tick, which begins again at 0 when the flock restarts.
            let [now, last] =
                [self.position.target(), self.position.last].map(|tick| number(tick, self.position, context));
            let ticks = format!("{now} of {last}");
            right(buffer, rest, &ticks, theme.dim);
        }
        self.area
    }

    fn draw_bar(&self, buffer: &mut Buffer, timeline: &Timeline, context: &Context) {
        let theme = context.theme.resolved();
        let glyphs = if context.display.marker == Marker::Ascii { &ASCII } else { &LINES };
        let mut commands = vec![0_usize; self.bar.width.into()];
        timeline.visit_marks(self.position.first, |tick| commands[usize::from(self.column(tick))] += 1);
        let handle = self.column(self.position.target());
        let part = timeline.part.map(|part| (self.column(part.begin), part.end.map(|end| self.column(end))));
        let is_in_part =
            |column| part.is_some_and(|(begin, end)| end.is_some_and(|end| (begin..=end).contains(&column)));
        for (column, commands) in (0..).zip(&commands) {
            let (symbols, line): (_, Style) =
                if column < handle { (&glyphs.played, theme.gauge) } else { (&glyphs.rest, theme.dim) };
            let style = if *commands == 0 && !is_in_part(column) { line } else { theme.accent };
            buffer[(self.bar.x + column, self.bar.y)].set_symbol(symbols[(*commands).min(2)]).set_style(style);
        }
        let style = theme.accent.add_modifier(Modifier::BOLD);
        let (begin, end) = part.unzip();
        for (column, symbol) in [(begin, PART[0]), (end.flatten(), PART[1])] {
            if let Some(column) = column {
                buffer[(self.bar.x + column, self.bar.y)].set_symbol(symbol).set_style(style);
            }
        }
        let symbol = if self.position.seeking.is_some() { glyphs.target } else { glyphs.handle };
        buffer[(self.bar.x + handle, self.bar.y)].set_symbol(symbol).set_style(style);
    }

    /// Whether the session is at its end, in its past, or a replay of a file.
    fn state(&self, timeline: &Timeline) -> &'static str {
        if timeline.is_in_file(self.position.last) && !self.position.is_branched {
            "replay"
        } else if self.position.is_past() {
            "past"
        } else {
            "now"
        }
    }
}

/// A quotient, rounded to the nearest number.
fn rounded(dividend: u128, divisor: u128) -> u64 {
    ((2 * dividend + divisor) / (2 * divisor)) as u64
}

/// The time of a tick and that of the last one, or the date of the frame of a recording.
fn times(timeline: &Timeline, tick: u64, position: SessionPosition, context: &Context) -> String {
    let frame = tick.saturating_sub(position.first) as usize;
    let date = context.client.recording().and_then(|recording| recording.date_of(frame));
    date.unwrap_or_else(|| {
        let [now, last] = [tick, position.last].map(|tick| timeline.time_of(tick, context));
        format!("{now} / {last}")
    })
}

/// The width of the ticks beside the time.
fn ticks_width(position: SessionPosition, context: &Context) -> u16 {
    ("   of ".len() + 2 * number(position.last, position, context).to_string().len()) as u16
}

/// The number of a tick: that of its frame in a recording.
fn number(tick: u64, position: SessionPosition, context: &Context) -> u64 {
    let frame = tick.saturating_sub(position.first) as usize;
    context.client.recording().map_or(tick, |recording| recording.number(frame))
}

/// The name of a command for the timeline.
pub fn command_name(command: &Command, presets: &[Preset]) -> String {
    match command {
        Command::SetParam(param, Value::Number(number)) => format!("{} = {}", param.key, format_number(*number)),
        Command::SetParam(param, value) => format!("{} = {value}", param.key),
        Command::SetParams(values, _) => match values[..] {
            [(param, value)] => command_name(&Command::SetParam(param, value), presets),
            _ => format!("{} parameters", values.len()),
        },
        Command::SetBoids(boids) => format!("boids = {boids}"),
        Command::SetPredators(predators) => format!("predators = {predators}"),
        Command::Reseed(seed) => format!("new seed {seed}"),
        Command::Restart => "restart".to_owned(),
        Command::Resize(world) => format!("world = {world}"),
        Command::AddZone(zone) => zone.kind.name().to_owned(),
        Command::MoveZone(..) => "zone moved".to_owned(),
        Command::RemoveZone(_) => "zone removed".to_owned(),
        Command::SetPointer(Some(pointer)) if pointer.attracts => "mouse attracts".to_owned(),
        Command::SetPointer(Some(_)) => "mouse repels".to_owned(),
        Command::SetPointer(None) => "mouse released".to_owned(),
        Command::Call(_) | Command::Place(_) => "letters called".to_owned(),
        Command::Release => "letters released".to_owned(),
        Command::Morph(setup, _) | Command::Replace(setup) => match preset_of(setup, presets) {
            Some(preset) => format!("preset {}", preset.name),
            None => "new flock".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Size;

    use super::*;
    use crate::picture::{Charset, ColorDepth};
    use crate::sim::{
        Flock, Params, Pointer, SessionEvent, SessionLog, SessionStart, Setup, SharedLog, Zone, ZoneKind,
    };
    use crate::viewer::app::App;
    use crate::viewer::app::screen_tests::{painted_screen, scene_in_depth, screen};
    use crate::viewer::app::tests::show;

    /// A viewer of a session of 5:10 minutes at a tick.
    fn session(size: Size, depth: ColorDepth, file_end: Option<u64>, tick: u64) -> App {
        let mut app = scene_in_depth("drones", size.width, size.height, false, depth);
        let flock = Flock::new(&app.context.presets.base.setup(7, 1.6)).unwrap();
        let mut log = SessionLog::new(SessionStart::of(&flock, true));
        let pointer = Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true };
        for (tick, command) in [
            (1000, Command::SetPointer(Some(pointer))),
            (2500, Command::SetBoids(60)),
            (2510, Command::AddZone(Zone::new(ZoneKind::Obstacle, [99.0, 80.0, 0.0], 9.5))),
            (2520, Command::set("separation.weight", Value::Number(0.4)).unwrap()),
            (9000, Command::Reseed(7)),
            (12_000, Command::SetPredators(4)),
            (12_001, Command::SetPredators(5)),
        ] {
            log.push_at(tick, SessionEvent::Command(command));
        }
        log.advance_to(18_600);
        app.timeline.attach(SharedLog::new(log), file_end);
        let position = SessionPosition { tick, last: 18_600, ..SessionPosition::default() };
        show(&mut app, |frame| frame.position = position);
        app
    }

    /// The timeline and the status line.
    fn last_rows(app: &App, size: Size) -> String {
        screen(app, size.width, size.height).lines().skip(usize::from(size.height) - 2).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_past_in_sizes_and_states() {
        let mut rows = Vec::new();
        for size in [(40, 14), (80, 24), (120, 40)].map(Size::from) {
            let mut app = session(size, ColorDepth::Truecolor, None, 2520);
            rows.push(last_rows(&app, size));
            app.act(Action::Pause);
            app.act(Action::LastTick);
            show(&mut app, |frame| frame.position.tick = frame.position.last);
            rows.push(last_rows(&app, size));
            app.act(Action::PlayBackward);
            rows.push(last_rows(&app, size));
        }
        insta::assert_snapshot!(rows.join("\n"));
    }

    #[test]
    fn sixteen_colors() {
        let app = session(Size::new(80, 24), ColorDepth::Colors16, Some(18_600), 2520);
        let lines: Vec<String> = painted_screen(&app, Charset::Unicode).lines().skip(44).map(str::to_owned).collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn no_colors_and_plain_characters() {
        let mut app = session(Size::new(80, 24), ColorDepth::Mono, Some(18_600), 2520);
        app.context.display.marker = Marker::Ascii;
        let lines: Vec<String> = painted_screen(&app, Charset::Ascii).lines().skip(44).map(str::to_owned).collect();
        assert!(lines.iter().all(|line| line.replace('×', "").is_ascii()), "{lines:?}");
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn a_long_seek_shows_its_target_and_progress() {
        let size = Size::new(80, 24);
        let mut app = session(size, ColorDepth::Truecolor, None, 18_600);
        show(&mut app, |frame| frame.position.seeking = Some((9000, 0.475)));
        assert!(!last_rows(&app, size).contains('%'));
        app.timeline.prolong_seek();
        insta::assert_snapshot!(last_rows(&app, size));
    }

    #[test]
    fn a_marked_part_has_brackets_that_the_third_press_removes() {
        let size = Size::new(80, 24);
        let mut app = session(size, ColorDepth::Truecolor, None, 12_000);
        let mut rows = Vec::new();
        for tick in [12_000, 6000, 9000] {
            show(&mut app, |frame| frame.position.tick = tick);
            app.act(Action::MarkPart);
            rows.push((last_rows(&app, size), app.timeline.part()));
        }
        let ends = rows.iter().map(|(row, part)| {
            let bar = row.lines().next().unwrap();
            (["[", "]"].map(|end| bar.contains(end)), *part)
        });
        // The handle covers the end at its tick.
        let expected = [([false, false], None), ([false, true], Some((6000, 12_000))), ([false, false], None)];
        assert_eq!(ends.collect::<Vec<_>>(), expected);
        assert!(rows[0].0.contains("part from 3:20; n at another tick marks its end"), "{}", rows[0].0);
        assert!(rows[1].0.contains("part 1:40 – 3:20; e saves it as a clip"), "{}", rows[1].0);
    }

    #[test]
    fn a_marked_part_goes_with_its_ticks() {
        let mut app = session(Size::new(80, 24), ColorDepth::Truecolor, None, 12_000);
        app.act(Action::MarkPart);
        show(&mut app, |frame| frame.position.tick = 13_000);
        app.act(Action::MarkPart);
        assert_eq!(app.timeline.part(), Some((12_000, 13_000)));
        // A change of the past.
        show(&mut app, |frame| (frame.position.tick, frame.position.last) = (12_500, 12_500));
        assert_eq!(app.timeline.part(), None);
    }

    #[test]
    fn it_appears_only_when_it_is_needed() {
        let size = Size::new(80, 24);
        let area = Rect::new(0, 0, 80, 24);
        let mut app = session(size, ColorDepth::Truecolor, None, 18_600);
        let is_shown = |app: &App| app.timeline_row(area).is_some();
        assert!(!is_shown(&app));
        app.act(Action::Pause);
        assert!(is_shown(&app));
        // The canvas, and so the world, keeps its size.
        assert_eq!(app.format().rows, 23);
        app.act(Action::Help);
        assert!(!is_shown(&app));
        app.act(Action::Close);
        app.act(Action::Clean);
        assert!(!is_shown(&app));
        let app = session(size, ColorDepth::Truecolor, Some(18_600), 18_600);
        assert!(is_shown(&app) && app.timeline_row(Rect::new(0, 0, 30, 24)).is_none());
        assert!(app.timeline_row(Rect::new(0, 0, 80, 5)).is_none());
    }

    #[test]
    fn columns_and_ticks_correspond() {
        let app = session(Size::new(80, 24), ColorDepth::Truecolor, None, 2520);
        let timeline = app.timeline_row(Rect::new(0, 0, 80, 24)).unwrap();
        let mut next = 0;
        for column in 0..timeline.bar.width {
            let tick = timeline.tick_at(timeline.bar.x + column);
            let ticks = timeline.ticks(column);
            assert_eq!((timeline.column(tick), ticks.start), (column, next));
            assert!(ticks.contains(&tick) && ticks.clone().all(|tick| timeline.column(tick) == column), "{ticks:?}");
            next = ticks.end;
        }
        assert_eq!((next, timeline.tick_at(0), timeline.tick_at(79)), (18_601, 0, 18_600));
    }

    #[test]
    fn commands_are_named() {
        let presets = Preset::builtin();
        let pointer = Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true };
        let parker = Preset::load("parker").unwrap().setup(3, 1.6);
        let other = Preset { params: Params::default(), ..Preset::load("drones").unwrap() }.setup(1, 1.0);
        let other = Setup { params: Params { change: other.params.change, ..other.params }, ..other };
        for (command, name) in [
            (Command::set("separation.weight", Value::Number(0.4)).unwrap(), "separation.weight = 0.4"),
            (Command::set("wind.x", Value::Number(0.074_999_996)).unwrap(), "wind.x = 0.075"),
            (Command::SetBoids(300), "boids = 300"),
            (Command::Morph(Box::new(parker), 30), "preset parker"),
            (Command::Reseed(7), "new seed 7"),
            (Command::AddZone(Zone::new(ZoneKind::Obstacle, [9.0; 3], 4.0)), "obstacle"),
            (Command::SetPointer(Some(pointer)), "mouse attracts"),
        ] {
            assert_eq!(command_name(&command, &presets), name);
        }
        assert_eq!(command_name(&Command::Replace(Box::new(other)), &[]), "new flock");
    }
}
