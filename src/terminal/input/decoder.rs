//! What the terminal's bytes mean: keys, the mouse, and its answers.
//!
//! They come in pieces of any length. Only a pause has a meaning of its own: it tells the Escape key from
//! what begins with Escape.

use std::borrow::Cow;
use std::iter;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::escape::csi::{Csi, Cursor, DecModeSetting, DecPrivateMode, DecPrivateModeCode, Mode, Sgr};
use termina::escape::dcs::{Dcs, DcsResponse};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::event as heard;
use termina::style::ColorSpec;
use termina::{Event, Parser};

use super::escape_splitter::EscapeSplitter;
use super::reader::{Reply, TerminalEvent};
use crate::config::Rgb;

/// Hears bytes, and tells what they mean.
#[derive(Debug, Default)]
pub struct InputDecoder {
    cutter: EscapeSplitter,
}

impl InputDecoder {
    /// Hears what has come, and tells all that is whole. Says whether anybody still listens.
    pub fn hear(&mut self, bytes: &[u8], mut tell: impl FnMut(TerminalEvent) -> bool) -> bool {
        self.cutter.cut(bytes).iter().all(|piece| understand(piece, &mut tell))
    }

    /// Hears that nothing follows for a while. Says whether anybody still listens.
    pub fn pause(&mut self, mut tell: impl FnMut(TerminalEvent) -> bool) -> bool {
        self.cutter.conclude().is_none_or(|escape| understand(&escape, &mut tell))
    }

    /// Whether what it holds may be a key that a person pressed.
    #[must_use]
    pub fn may_hold_key(&self) -> bool {
        self.cutter.may_be_key()
    }

    /// Whether it is in the middle of a paste.
    #[must_use]
    pub fn is_in_paste(&self) -> bool {
        self.cutter.is_in_paste()
    }

    /// How many bytes it holds that wait for their end.
    #[must_use]
    pub fn held(&self) -> usize {
        self.cutter.held()
    }
}

/// A piece as most terminals send it: some say which keys are held in the short form of a function key.
fn spelled(piece: &[u8]) -> Cow<'_, [u8]> {
    match piece {
        [b'\x1b', b'O', held @ .., key] if !held.is_empty() => [b"\x1b[1;", held, &[*key]].concat().into(),
        _ => piece.into(),
    }
}

/// Tells what a piece means, if anything. Says whether anybody still listens.
fn understand(piece: &[u8], tell: &mut impl FnMut(TerminalEvent) -> bool) -> bool {
    // One of its own for each: nothing of what it does not understand stays behind.
    let mut parser = Parser::default();
    parser.parse(&spelled(piece), false);
    iter::from_fn(|| parser.pop()).filter_map(meaning).all(tell)
}

fn meaning(event: Event) -> Option<TerminalEvent> {
    let answer = match event {
        Event::Key(key) => return self::key(key).map(TerminalEvent::Key),
        Event::Mouse(mouse) => return Some(TerminalEvent::Mouse(self::mouse(mouse))),
        Event::FocusOut => return Some(TerminalEvent::FocusLost),
        Event::Paste(text) => return Some(TerminalEvent::Paste(text)),
        Event::WindowResized(_) => return Some(TerminalEvent::Resized),
        Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, col })) => match col.get_zero_based() {
            0 => Reply::Row(line.get_zero_based()),
            held => return f3(line.get_zero_based(), held).map(TerminalEvent::Key),
        },
        Event::Csi(Csi::Mode(Mode::ReportDecPrivateMode {
            mode: DecPrivateMode::Code(DecPrivateModeCode::SynchronizedOutput),
            setting,
        })) => Reply::Synchronized(setting != DecModeSetting::NotRecognized),
        Event::Osc(Osc::ChangeDynamicColors(DynamicColorNumber::TextBackgroundColor, colors)) => match colors[..] {
            [ColorOrQuery::Color(color)] => Reply::Background(Rgb::new(color.red, color.green, color.blue)),
            _ => return None,
        },
        Event::Dcs(Dcs::Response { is_request_valid: true, value: DcsResponse::GraphicRendition(colors) })
            if colors.iter().any(|color| matches!(color, Sgr::Background(ColorSpec::TrueColor(_)))) =>
        {
            Reply::Truecolor
        }
        _ => return None,
    };
    Some(TerminalEvent::Reply(answer))
}

/// F3 where keys are held with it, each of which has a bit: it is said just as where the cursor stands, which is always
/// asked at the beginning of a row.
fn f3(row: u16, held: u16) -> Option<KeyEvent> {
    let held = heard::Modifiers::from_bits(u8::try_from(held).ok()?)?;
    (row == 0).then(|| KeyEvent::new(KeyCode::F(3), modifiers(held)))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(bytes: &str) -> Vec<KeyEvent> {
        let (mut ear, mut keys) = (InputDecoder::default(), Vec::new());
        ear.hear(bytes.as_bytes(), |happening| {
            keys.extend(if let TerminalEvent::Key(key) = happening { Some(key) } else { None });
            true
        });
        keys
    }

    #[test]
    fn the_short_form_of_a_function_key_may_say_what_is_held_with_it() {
        let key = |number, modifiers| KeyEvent::new(KeyCode::F(number), modifiers);
        assert_eq!(heard("\x1bOP"), [key(1, KeyModifiers::NONE)]);
        assert_eq!(heard("\x1bO5P"), [key(1, KeyModifiers::CONTROL)]);
        assert_eq!(heard("\x1bO2S"), [key(4, KeyModifiers::SHIFT)]);
        assert_eq!(heard("\x1bO2R"), [key(3, KeyModifiers::SHIFT)]);
        assert_eq!(heard("\x1b[1;5R"), [key(3, KeyModifiers::CONTROL)]);
        // Answers: the terminal is asked at the beginning of a row.
        assert_eq!(heard("\x1b[1;1R\x1b[23;1R\x1b[23;5R"), []);
    }

    #[test]
    fn only_what_a_person_may_have_pressed_is_over_soon() {
        for (bytes, is_soon) in
            [("\x1b", true), ("\x1b[", true), ("\x1bO", true), ("\x1b[23;", false), ("\x1b]11;r", false)]
        {
            let mut ear = InputDecoder::default();
            ear.hear(bytes.as_bytes(), |_| true);
            assert_eq!((ear.held(), ear.may_hold_key()), (bytes.len(), is_soon), "{}", bytes.escape_debug());
        }
    }
}
