//! The status line: the state of the simulation and the most useful keys, or a prompt or message.

use std::time::{Duration, Instant};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use super::actions::Action;
use super::context::Context;
use super::input::keymap::Navigation;
use super::popups::{Overlay, Prompt, PromptKind};
use super::text::{Hint, draw_hints, elide_middle, elide_start, format_number, hint_width, left, skip};
use crate::engine::{Frame, ShownBrood};
use crate::picture::UnicodeWidthStr;
use crate::sim::Param;

/// The number of key hints that take precedence over statistics in a narrow terminal.
const FIRST_HINTS: usize = 5;
/// The same while breeding.
const FIRST_BREEDING_HINTS: usize = 4;

/// How often the throughput is updated.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Frames and bytes sent to the terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Throughput {
    /// Frames drawn per second.
    pub frames_per_second: f32,
    /// Bytes written per second.
    pub bytes_per_second: f32,
}

/// Measures the throughput.
#[derive(Clone, Copy, Debug)]
pub struct ThroughputMeter {
    /// The throughput up to the last update.
    pub measured: Throughput,
    /// Frames drawn since then.
    pub frames: u32,
    /// Bytes written since then.
    pub bytes: usize,
    since: Instant,
}

impl ThroughputMeter {
    /// Starts counting.
    pub fn new(now: Instant) -> Self {
        Self { measured: Throughput::default(), frames: 0, bytes: 0, since: now }
    }

    /// When an update may change the frame rate; `None` if it is zero and no frame was drawn.
    pub fn next_update(&self) -> Option<Instant> {
        (self.frames > 0 || self.measured.frames_per_second > 0.0).then(|| self.since + UPDATE_INTERVAL)
    }

    /// Once a second, measures the throughput and starts counting again. Returns whether the frame rate changed.
    pub fn update(&mut self, now: Instant) -> bool {
        let elapsed = now - self.since;
        if elapsed < UPDATE_INTERVAL {
            return false;
        }
        let per_second = 1.0 / elapsed.as_secs_f32();
        let measured = Throughput {
            frames_per_second: self.frames as f32 * per_second,
            bytes_per_second: self.bytes as f32 * per_second,
        };
        let changed = measured.frames_per_second != self.measured.frames_per_second;
        *self = Self { measured, ..Self::new(now) };
        changed
    }
}

/// What the status line shows besides the state of the flock.
#[derive(Debug)]
pub struct Status<'a> {
    /// The open popup or prompt.
    pub overlay: Option<&'a Overlay>,
    /// Whether the open popup has more lines than it shows.
    pub scrolls: bool,
    /// Whether the key that quits closes the plots first.
    pub quit_closes: bool,
    /// The selected parameter, which a prompt sets.
    pub selected: &'static Param,
    /// The name of the command at the handle of the timeline.
    pub command: Option<String>,
    /// Frames and bytes sent.
    pub throughput: Throughput,
}

/// Draws the prompt, the message, or the state.
pub fn draw(buffer: &mut Buffer, area: Rect, status: &Status<'_>, context: &Context) {
    if let Some(Overlay::Prompt(prompt)) = status.overlay {
        draw_prompt(buffer, area, prompt, status.selected, context);
    } else if let Some(notice) = context.notice(area.width.saturating_sub(1).into()) {
        let place = skip(area, 1);
        left(buffer, place, &elide_middle(&notice, place.width.into()), context.theme.resolved().accent);
    } else {
        draw_state(buffer, area, status, context);
    }
}

/// Draws the state of the simulation and the most useful keys.
fn draw_state(buffer: &mut Buffer, area: Rect, status: &Status<'_>, context: &Context) {
    let (theme, controls) = (context.theme.resolved(), context.client.controls());
    let state = match controls.pointer {
        _ if controls.paused => "‖ paused",
        _ if controls.backward => "◀ backward",
        Some(pointer) if pointer.attracts => "◉ attracting",
        Some(_) => "◎ repelling",
        None if context.client.is_breeding() => "▶ breeding",
        None => "▶ running",
    };
    let mut rest = left(buffer, area, &format!(" {state}"), theme.accent.add_modifier(Modifier::BOLD));
    let hints = hints(status, context);
    let first = if context.client.is_breeding() { FIRST_BREEDING_HINTS } else { FIRST_HINTS };
    let kept: u16 = hints.iter().take(first).map(|(key, word)| hint_width(key, word)).sum();
    let mut facts = facts(context.client.frame(), status.throughput);
    if context.theme.is_limited() && !context.client.is_breeding() {
        facts.insert(2, "fewer colors: slow link".to_owned());
    }
    if let Some(progress) = context.progress() {
        let cancel = context.keymap.key(Action::Close).map_or(String::new(), |key| format!("  {key} cancels"));
        rest = left(buffer, skip(rest, 2), &format!("{progress}{cancel}"), theme.accent);
    }
    if let Some(command) = &status.command {
        // The tick comes first, where both fit.
        if facts[0].width() + command.width() + 4 <= rest.width.into() {
            rest = left(buffer, skip(rest, 2), &facts.remove(0), theme.text);
        }
        rest = left(buffer, skip(rest, 2), command, theme.accent);
    }
    for fact in facts {
        if 2 + fact.width() as u16 + kept > rest.width {
            break;
        }
        rest = left(buffer, skip(rest, 2), &fact, theme.text);
    }
    draw_hints(buffer, rest, &hints, theme);
}

/// Tick, rates and bandwidth, or the brood. While paused, and in a clip, no frames are sent to measure.
fn facts(frame: &Frame, throughput: Throughput) -> Vec<String> {
    if let Some(ShownBrood { brood, generation, .. }) = &frame.brood {
        let strength = (10.0 * brood.strength).round() / 10.0;
        return vec![format!("generation {generation}"), format!("strength {strength}")];
    }
    let (tick, per_second) = if frame.recording.is_some() { ("frame", "frames/s") } else { ("tick", "t/s") };
    let mut facts = vec![
        format!("{tick} {}", frame.tick),
        format!(
            "{}/{} {per_second}",
            format_number(frame.ticks_per_second.round()),
            format_number(frame.controls.rate)
        ),
    ];
    if !frame.controls.paused && throughput.frames_per_second > 0.0 {
        facts.extend([format!("{:.0} fps", throughput.frames_per_second), bytes(throughput.bytes_per_second)]);
    }
    facts
}

fn draw_prompt(buffer: &mut Buffer, area: Rect, prompt: &Prompt, param: &Param, context: &Context) {
    let theme = context.theme.resolved();
    let (question, hint) = question(prompt, param);
    // The typed text takes precedence over the question.
    let space = usize::from(area.width).saturating_sub(prompt.text.width() + 1);
    let rest = left(buffer, area, &elide_start(&question, space), theme.accent);
    let rest = left(buffer, rest, &prompt.text, theme.text);
    let rest = left(buffer, rest, "▏", theme.accent);
    let answer = context.message().map(|message| {
        // The prompt already shows the parameter and the value.
        message.strip_prefix(&format!("{}{} is ", question.trim_start(), prompt.text)).unwrap_or(message)
    });
    left(buffer, skip(rest, 1), answer.unwrap_or(&hint), theme.dim);
}

/// The prompt's question and a hint.
fn question(prompt: &Prompt, param: &Param) -> (String, String) {
    match prompt.kind {
        PromptKind::Value => (format!(" {} = ", param.key), format!("({})", param.range())),
        PromptKind::Text => (" say: ".into(), "(boids write it)".into()),
        PromptKind::Name => (" save these rules as ".into(), "(letters, digits, - and _)".into()),
        PromptKind::Overwrite => {
            (" save these rules as ".into(), "is there already: Enter replaces it, Esc keeps it".into())
        }
    }
}

/// The most useful keys in the current state; unbound actions are left out.
fn hints(status: &Status<'_>, context: &Context) -> Vec<Hint> {
    let Some(overlay) = status.overlay else {
        let hints = action_hints(context).into_iter();
        return hints
            .map(|(key, word)| (key, if status.quit_closes && word == "quit" { "close" } else { word }))
            .collect();
    };
    let (down, close) = ((Navigation::Down, "down"), (Navigation::Close, "close"));
    let moves = match overlay {
        Overlay::Presets(_) | Overlay::Themes(_) => vec![down, (Navigation::Confirm, "select"), close],
        Overlay::Measures(_) => vec![down, (Navigation::Confirm, "show or hide"), close],
        Overlay::Palette(palette) => match palette.selected() {
            Some(entry) => vec![(Navigation::Next, "down"), (Navigation::Confirm, entry.action.verb()), close],
            None => vec![close],
        },
        Overlay::Help(_) | Overlay::Command(_) if status.scrolls => {
            vec![(Navigation::Down, "scroll"), close, (Navigation::PageDown, "page")]
        }
        Overlay::Help(_) | Overlay::Command(_) | Overlay::Prompt(_) => vec![close],
    };
    moves.into_iter().filter_map(|(key, word)| Some((context.keymap.navigation_key(key)?, word))).collect()
}

/// The keys of the most useful actions, those that a new user needs first.
fn action_hints(context: &Context) -> Vec<Hint> {
    let controls = context.client.controls();
    let of_breeding: Vec<(&[Action], &'static str)>;
    let rows: &[(&[Action], &'static str)] = if context.client.is_breeding() {
        let groups = Action::ALL.chunk_by(|action, next| action.breeding_hint() == next.breeding_hint());
        let hinted = groups.map(|group| (group, group[0].breeding_hint())).filter(|(_, hint)| !hint.is_empty());
        of_breeding = hinted.chain([(&[Action::SavePreset][..], "save"), (&[Action::Help], "help")]).collect();
        &of_breeding
    } else if controls.paused {
        &[
            (&[Action::Help], "help"),
            (&[Action::Quit], "quit"),
            (&[Action::Pause], "resume"),
            (&[Action::Step], "step"),
            (&[Action::StepBack], "back"),
            (&[Action::SkipBack], "back 1 s"),
            (&[Action::LastTick], "last tick"),
        ]
    } else if context.client.frame().position.is_past() {
        &[
            (&[Action::Help], "help"),
            (&[Action::Quit], "quit"),
            (&[Action::Pause], "pause"),
            (&[Action::LastTick], "last tick"),
            (&[Action::PlayBackward], if controls.backward { "play forward" } else { "play backward" }),
            (&[Action::SkipBack], "back 1 s"),
            (&[Action::SkipForward], "forward 1 s"),
            (&[Action::FirstTick], "first tick"),
        ]
    } else {
        &[
            (&[Action::PreviousParameter, Action::NextParameter], "rule"),
            (&[Action::Decrease, Action::Increase], "change"),
            (&[Action::NextPreset], "flock"),
            (&[Action::Help], "help"),
            (&[Action::Clean], "full"),
            (&[Action::Quit], "quit"),
            (&[Action::Sky], "no sky"),
            (&[Action::Pause], "pause"),
            (&[Action::Palette], "find"),
            (&[Action::Undo], "undo"),
            (&[Action::EditValue], "type a value"),
            (&[Action::ResetParameter], "reset"),
            (&[Action::DecreaseCoarse, Action::IncreaseCoarse], "large steps"),
            (&[Action::Minimum, Action::Maximum], "low and high end"),
            (&[Action::Plots], "plots"),
            (&[Action::NextTheme], "theme"),
            (&[Action::NewSeed], "reseed"),
        ]
    };
    let has_sky = context.theme.resolved().sky().is_some();
    let hints = rows.iter().filter_map(|(actions, word)| {
        let keys = actions.iter().map(|action| {
            let is_useful = action.works_in(context.mode()) && (has_sky || *action != Action::Sky);
            context.keymap.key(*action).filter(|_| is_useful)
        });
        let keys = keys.collect::<Option<Vec<String>>>()?;
        let gap = if keys.iter().all(|key| key.width() == 1) { "" } else { " " };
        Some((keys.join(gap), *word))
    });
    hints.collect()
}

/// A bandwidth in KB/s or MB/s.
fn bytes(per_second: f32) -> String {
    if per_second < 1e6 { format!("{:.0} KB/s", per_second / 1e3) } else { format!("{:.1} MB/s", per_second / 1e6) }
}
