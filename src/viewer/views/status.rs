//! The status line: the state of the simulation and the most useful keys, or a prompt or message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::text::{elide_middle, elide_start, left, skip};
use super::timeline::TimelineRow;
use crate::engine::Frame;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::format_number;
use crate::viewer::app::throughput::Throughput;
use crate::viewer::input::prompt::{Prompt, PromptKind};
use crate::viewer::theme::ResolvedTheme;

/// A key and what it does.
pub type Hint = (String, &'static str);

/// The number of key hints that take precedence over statistics in a narrow terminal.
const FIRST_HINTS: usize = 2;

/// Draws the prompt, the message, or the state.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame, throughput: Throughput) {
    if let Some(Overlay::Prompt(prompt)) = &app.overlay {
        draw_prompt(buffer, area, app, prompt);
    } else if let Some(message) = app.message() {
        let place = skip(area, 1);
        left(buffer, place, &elide_middle(message, place.width.into()), app.theme.resolved().accent);
    } else {
        draw_state(buffer, area, app, frame, throughput);
    }
}

/// Draws the state of the simulation and the most useful keys.
fn draw_state(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame, throughput: Throughput) {
    let theme = app.theme.resolved();
    let state = match frame.pointer {
        _ if app.session.state().paused => "‖ paused",
        _ if app.session.state().position.backward => "◀ backward",
        Some(pointer) if pointer.attracts => "◉ attracting",
        Some(_) => "◎ repelling",
        None => "▶ running",
    };
    let mut rest = left(buffer, area, &format!(" {state}"), theme.accent.add_modifier(Modifier::BOLD));
    let screen = Rect { y: 0, height: area.bottom(), ..area };
    if let Some(command) = TimelineRow::new(app, screen).and_then(|timeline| timeline.command(app)) {
        rest = left(buffer, skip(rest, 2), &command, theme.accent);
    }
    let hints = hints(app);
    let kept: u16 = hints.iter().take(FIRST_HINTS).map(|(key, word)| hint_width(key, word)).sum();
    for fact in facts(frame, throughput) {
        if 2 + fact.width() as u16 + kept > rest.width {
            break;
        }
        rest = left(buffer, skip(rest, 2), &fact, theme.text);
    }
    draw_hints(buffer, rest, &hints, theme);
}

/// Draws as many hints as fit.
pub fn draw_hints(buffer: &mut Buffer, mut rest: Rect, hints: &[Hint], theme: &ResolvedTheme) {
    for (key, word) in hints {
        if hint_width(key, word) > rest.width {
            break;
        }
        rest = left(buffer, skip(rest, 2), key, theme.accent);
        rest = left(buffer, skip(rest, 1), word, theme.dim);
    }
}

/// Tick, rates and bandwidth. While paused no frames arrive to measure.
fn facts(frame: &Frame, throughput: Throughput) -> Vec<String> {
    let mut facts = vec![
        format!("tick {}", frame.tick),
        format!("{}/{} t/s", format_number(frame.ticks_per_second.round()), format_number(frame.rate)),
    ];
    if !frame.paused {
        facts.extend([format!("{:.0} fps", throughput.frames_per_second), bytes(throughput.bytes_per_second)]);
    }
    facts
}

fn draw_prompt(buffer: &mut Buffer, area: Rect, app: &App, prompt: &Prompt) {
    let theme = app.theme.resolved();
    let (question, hint) = question(app, prompt);
    // The typed text takes precedence over the question.
    let space = usize::from(area.width).saturating_sub(prompt.text.width() + 1);
    let rest = left(buffer, area, &elide_start(&question, space), theme.accent);
    let rest = left(buffer, rest, &prompt.text, theme.text);
    let rest = left(buffer, rest, "▏", theme.accent);
    let said = app.message().map(|message| {
        // The prompt already shows the parameter and the value.
        message.strip_prefix(&format!("{}{} is ", question.trim_start(), prompt.text)).unwrap_or(message)
    });
    left(buffer, skip(rest, 1), said.unwrap_or(&hint), theme.dim);
}

/// The prompt's question and a hint.
fn question(app: &App, prompt: &Prompt) -> (String, String) {
    let row = app.selected_param();
    match prompt.kind {
        PromptKind::Value => (format!(" {} = ", row.key), format!("({})", row.range())),
        PromptKind::Name => (" save these rules as ".into(), "(letters, digits, - and _)".into()),
        PromptKind::Overwrite => {
            (" save these rules as ".into(), "is there already: Enter writes over it, Esc keeps it".into())
        }
    }
}

/// The most useful keys in the current state; unbound actions are left out.
fn hints(app: &App) -> Vec<Hint> {
    let position = app.session.state().position;
    let actions: &[(Action, &str)] = match &app.overlay {
        Some(Overlay::Presets(_)) => {
            &[(Action::NextParameter, "down"), (Action::EditValue, "select"), (Action::Close, "close")]
        }
        Some(Overlay::Measures(_)) => {
            &[(Action::NextParameter, "down"), (Action::EditValue, "show or hide"), (Action::Close, "close")]
        }
        Some(Overlay::Palette(palette)) => match palette.selected() {
            Some(entry) => {
                &[(Action::NextPreset, "down"), (Action::EditValue, entry.action.verb()), (Action::Close, "close")]
            }
            None => &[(Action::Close, "close")],
        },
        Some(Overlay::Help(_) | Overlay::Command(_)) if app.last_line() > 0 => {
            &[(Action::NextParameter, "scroll"), (Action::Close, "close"), (Action::PageDown, "page")]
        }
        Some(Overlay::Help(_) | Overlay::Command(_)) => &[(Action::Close, "close")],
        _ if app.session.state().paused => &[
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Pause, "resume"),
            (Action::Step, "step"),
            (Action::StepBack, "back"),
            (Action::SkipBack, "back 1 s"),
            (Action::LastTick, "last tick"),
            (Action::Increase, "more"),
        ],
        _ if app.session.state().is_past() => &[
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Pause, "pause"),
            (Action::LastTick, "last tick"),
            (Action::PlayBackward, if position.backward { "play forward" } else { "play backward" }),
            (Action::SkipBack, "back 1 s"),
            (Action::SkipForward, "forward 1 s"),
            (Action::FirstTick, "first tick"),
        ],
        _ => &[
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Pause, "pause"),
            (Action::Palette, "find"),
            (Action::Plots, "plots"),
            (Action::NextParameter, "select"),
            (Action::Increase, "more"),
            (Action::NextPreset, "preset"),
            (Action::NextTheme, "theme"),
            (Action::NewSeed, "reseed"),
        ],
    };
    let key = |action| {
        let steering = app.overlay.as_ref().and_then(|_| app.keymap.navigation_key(action));
        steering.or_else(|| app.keymap.key(action))
    };
    actions.iter().filter_map(|(action, word)| Some((key(*action)?, *word))).collect()
}

/// The width of a hint including its gaps.
fn hint_width(key: &str, word: &str) -> u16 {
    (2 + key.width() + 1 + word.width()) as u16
}

/// A bandwidth in KB/s or MB/s.
fn bytes(per_second: f32) -> String {
    if per_second < 1e6 { format!("{:.0} KB/s", per_second / 1e3) } else { format!("{:.1} MB/s", per_second / 1e6) }
}
