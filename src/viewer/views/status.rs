//! The status line: the state of the simulation and the most useful keys, or a prompt or message.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr;

use super::text::{elide_middle, elide_start, left};
use crate::engine::Frame;
use crate::viewer::Action;
use crate::viewer::app::App;
use crate::viewer::app::overlay::Overlay;
use crate::viewer::app::param_step::format_number;
use crate::viewer::app::stats::Throughput;
use crate::viewer::input::prompt::{Prompt, PromptKind};

/// The number of key hints that take precedence over statistics in a narrow terminal.
const FIRST_HINTS: usize = 2;

/// Draws the status line.
pub fn draw(buffer: &mut Buffer, area: Rect, app: &App, frame: &Frame, throughput: Throughput) {
    if has_message(buffer, area, app) {
        return;
    }
    let theme = app.theme.resolved();
    let state = match frame.pointer {
        _ if frame.paused => "‖ paused",
        Some(pointer) if pointer.attracts => "◉ attracting",
        Some(_) => "◎ repelling",
        None => "▶ running",
    };
    let mut x = left(buffer, area, &format!(" {state}"), theme.accent.add_modifier(Modifier::BOLD));
    let hints = keyed(app);
    let kept: u16 = hints.iter().take(FIRST_HINTS).map(|(key, word)| hint_width(key, word)).sum();
    for fact in facts(frame, throughput) {
        if x + 2 + fact.width() as u16 + kept > area.right() {
            break;
        }
        x = left(buffer, after(area, x, 2), &fact, theme.text);
    }
    for (key, word) in hints {
        if x + hint_width(&key, word) > area.right() {
            break;
        }
        x = left(buffer, after(area, x, 2), &key, theme.accent);
        x = left(buffer, after(area, x, 1), word, theme.dim);
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

/// Draws a message or a prompt over the flock's last line where there is no status line.
pub fn draw_over(buffer: &mut Buffer, line: Rect, app: &App) {
    has_message(buffer, line, app);
}

/// Draws the prompt or the message; returns false if there is none.
fn has_message(buffer: &mut Buffer, area: Rect, app: &App) -> bool {
    let theme = app.theme.resolved();
    let blank = " ".repeat(usize::from(area.width));
    if let Some(Overlay::Prompt(prompt)) = &app.overlay {
        let (question, hint) = question(app, prompt);
        left(buffer, area, &blank, theme.text);
        // The typed text takes precedence over the question.
        let space = usize::from(area.width).saturating_sub(prompt.text.width() + 1);
        let x = left(buffer, area, &elide_start(&question, space), theme.accent);
        let x = left(buffer, after(area, x, 0), &prompt.text, theme.text);
        let x = left(buffer, after(area, x, 0), "▏", theme.accent);
        let said = app.message().map(|message| {
            // The prompt already shows the parameter and the value.
            message.strip_prefix(&format!("{}{} is ", question.trim_start(), prompt.text)).unwrap_or(message)
        });
        left(buffer, after(area, x, 1), said.unwrap_or(&hint), theme.dim);
        return true;
    }
    if let Some(message) = app.message() {
        left(buffer, area, &blank, theme.text);
        let space = usize::from(area.width).saturating_sub(1);
        left(buffer, after(area, area.x, 1), &elide_middle(message, space), theme.accent);
        return true;
    }
    false
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

/// The rest of a line after a column and a gap.
fn after(area: Rect, x: u16, gap: u16) -> Rect {
    let x = (x + gap).min(area.right());
    Rect { x, width: area.right() - x, ..area }
}

/// The most useful keys in the current state.
fn hints(app: &App) -> Vec<(Action, &'static str)> {
    match &app.overlay {
        Some(Overlay::Presets(_)) => {
            vec![(Action::NextParameter, "down"), (Action::EditValue, "run"), (Action::Close, "close")]
        }
        Some(Overlay::Palette(_)) => {
            vec![(Action::NextPreset, "down"), (Action::EditValue, "run"), (Action::Close, "close")]
        }
        Some(Overlay::Help(_) | Overlay::Command(_)) if app.last_line() > 0 => {
            vec![(Action::NextParameter, "scroll"), (Action::Close, "close"), (Action::PageDown, "page")]
        }
        Some(Overlay::Help(_) | Overlay::Command(_)) => vec![(Action::Close, "close")],
        _ if app.session.state().paused => vec![
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Pause, "resume"),
            (Action::Step, "step"),
            (Action::StepBack, "back"),
            (Action::Increase, "more"),
        ],
        _ => vec![
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Pause, "pause"),
            (Action::Palette, "find"),
            (Action::NextParameter, "select"),
            (Action::Increase, "more"),
            (Action::NextPreset, "preset"),
            (Action::NextTheme, "theme"),
            (Action::NewSeed, "reseed"),
        ],
    }
}

/// The hints with their bound keys; unbound actions are left out.
fn keyed(app: &App) -> Vec<(String, &'static str)> {
    let key = |action| {
        let steering = app.overlay.as_ref().and_then(|_| app.keymap.navigation_key(action));
        steering.or_else(|| app.keymap.key(action))
    };
    hints(app).into_iter().filter_map(|(action, word)| Some((key(action)?, word))).collect()
}

/// The width of a hint including its gaps.
fn hint_width(key: &str, word: &str) -> u16 {
    (2 + key.width() + 1 + word.width()) as u16
}

/// A bandwidth in KB/s or MB/s.
fn bytes(per_second: f32) -> String {
    if per_second < 1e6 { format!("{:.0} KB/s", per_second / 1e3) } else { format!("{:.1} MB/s", per_second / 1e6) }
}
