//! What the terminal's bytes mean: keys, the mouse, and its answers.
//!
//! They come in pieces of any length. Only a pause has a meaning of its own: it tells the Escape key from
//! what begins with Escape.

use std::iter;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::escape::csi::{Csi, Cursor, DecModeSetting, DecPrivateMode, DecPrivateModeCode, Mode, Sgr};
use termina::escape::dcs::{Dcs, DcsResponse};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::event as heard;
use termina::style::ColorSpec;
use termina::{Event, Parser};

use super::input::{Answer, Happening};
use super::pieces::Cutter;
use crate::config::Rgb;

/// Hears bytes, and tells what they mean.
#[derive(Debug, Default)]
pub struct Ear {
    cutter: Cutter,
}

impl Ear {
    /// Hears what has come, and tells all that is whole. Says whether anybody still listens.
    pub fn hear(&mut self, bytes: &[u8], mut tell: impl FnMut(Happening) -> bool) -> bool {
        self.cutter.cut(bytes).iter().all(|piece| understand(piece, &mut tell))
    }

    /// Hears that nothing follows for a while. Says whether anybody still listens.
    pub fn pause(&mut self, mut tell: impl FnMut(Happening) -> bool) -> bool {
        self.cutter.conclude().is_none_or(|escape| understand(&escape, &mut tell))
    }

    /// How many bytes it holds that wait for their end.
    #[must_use]
    pub fn held(&self) -> usize {
        self.cutter.held()
    }
}

/// Tells what a piece means, if anything. Says whether anybody still listens.
fn understand(piece: &[u8], tell: &mut impl FnMut(Happening) -> bool) -> bool {
    // One of its own for each: nothing of what it does not understand stays behind.
    let mut parser = Parser::default();
    parser.parse(piece, false);
    iter::from_fn(|| parser.pop()).filter_map(meaning).all(tell)
}

fn meaning(event: Event) -> Option<Happening> {
    let answer = match event {
        Event::Key(key) => return self::key(key).map(Happening::Key),
        Event::Mouse(mouse) => return Some(Happening::Mouse(self::mouse(mouse))),
        Event::FocusOut => return Some(Happening::Unfocused),
        Event::WindowResized(_) => return Some(Happening::Resized),
        Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, .. })) => Answer::Row(line.get_zero_based()),
        Event::Csi(Csi::Mode(Mode::ReportDecPrivateMode {
            mode: DecPrivateMode::Code(DecPrivateModeCode::SynchronizedOutput),
            setting,
        })) => Answer::Synchronized(setting != DecModeSetting::NotRecognized),
        Event::Osc(Osc::ChangeDynamicColors(DynamicColorNumber::TextBackgroundColor, colors)) => match colors[..] {
            [ColorOrQuery::Color(color)] => Answer::Background(Rgb::new(color.red, color.green, color.blue)),
            _ => return None,
        },
        Event::Dcs(Dcs::Response { is_request_valid: true, value: DcsResponse::GraphicRendition(colors) })
            if colors.iter().any(|color| matches!(color, Sgr::Background(ColorSpec::TrueColor(_)))) =>
        {
            Answer::Truecolor
        }
        _ => return None,
    };
    Some(Happening::Answer(answer))
}

/// A key in crossterm's words, which the keymap is written in.
fn key(key: heard::KeyEvent) -> Option<KeyEvent> {
    let code = match key.code {
        heard::KeyCode::Char(sign) => KeyCode::Char(sign),
        heard::KeyCode::Enter => KeyCode::Enter,
        heard::KeyCode::Backspace => KeyCode::Backspace,
        heard::KeyCode::Tab => KeyCode::Tab,
        heard::KeyCode::Escape => KeyCode::Esc,
        heard::KeyCode::Left => KeyCode::Left,
        heard::KeyCode::Right => KeyCode::Right,
        heard::KeyCode::Up => KeyCode::Up,
        heard::KeyCode::Down => KeyCode::Down,
        heard::KeyCode::Home => KeyCode::Home,
        heard::KeyCode::End => KeyCode::End,
        heard::KeyCode::BackTab => KeyCode::BackTab,
        heard::KeyCode::PageUp => KeyCode::PageUp,
        heard::KeyCode::PageDown => KeyCode::PageDown,
        heard::KeyCode::Insert => KeyCode::Insert,
        heard::KeyCode::Delete => KeyCode::Delete,
        heard::KeyCode::Function(number) => KeyCode::F(number),
        heard::KeyCode::Null => KeyCode::Null,
        _ => return None,
    };
    (key.kind != heard::KeyEventKind::Release).then_some(KeyEvent::new(code, modifiers(key.modifiers)))
}

/// What the mouse did, likewise.
fn mouse(mouse: heard::MouseEvent) -> MouseEvent {
    let button = |button| match button {
        heard::MouseButton::Left => MouseButton::Left,
        heard::MouseButton::Right => MouseButton::Right,
        heard::MouseButton::Middle => MouseButton::Middle,
    };
    let kind = match mouse.kind {
        heard::MouseEventKind::Down(down) => MouseEventKind::Down(button(down)),
        heard::MouseEventKind::Up(up) => MouseEventKind::Up(button(up)),
        heard::MouseEventKind::Drag(held) => MouseEventKind::Drag(button(held)),
        heard::MouseEventKind::Moved => MouseEventKind::Moved,
        heard::MouseEventKind::ScrollUp => MouseEventKind::ScrollUp,
        heard::MouseEventKind::ScrollDown => MouseEventKind::ScrollDown,
        heard::MouseEventKind::ScrollLeft => MouseEventKind::ScrollLeft,
        heard::MouseEventKind::ScrollRight => MouseEventKind::ScrollRight,
    };
    MouseEvent { kind, column: mouse.column, row: mouse.row, modifiers: modifiers(mouse.modifiers) }
}

fn modifiers(held: heard::Modifiers) -> KeyModifiers {
    let names = [
        (heard::Modifiers::SHIFT, KeyModifiers::SHIFT),
        (heard::Modifiers::CONTROL, KeyModifiers::CONTROL),
        (heard::Modifiers::ALT, KeyModifiers::ALT),
        (heard::Modifiers::SUPER, KeyModifiers::SUPER),
    ];
    let held = names.iter().filter(|(theirs, _)| held.contains(*theirs));
    held.fold(KeyModifiers::NONE, |all, (_, ours)| all | *ours)
}
