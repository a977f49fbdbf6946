//! Decodes the terminal's bytes into keys, mouse events and replies. termina parses them; the rest of the program uses
//! crossterm's event types.

use std::borrow::Cow;
use std::iter;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::escape::csi::{Csi, Cursor, DecModeSetting, DecPrivateMode, DecPrivateModeCode, Mode, Sgr};
use termina::escape::dcs::{Dcs, DcsResponse};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::event as parsed;
use termina::style::ColorSpec;
use termina::{Event, Parser};

use super::escape_splitter::EscapeSplitter;
use crate::terminal::Rgb;
use crate::terminal::events::{Reply, TerminalEvent};

/// Decodes bytes that arrive in chunks of any size.
#[derive(Debug, Default)]
pub struct InputDecoder {
    pub(super) splitter: EscapeSplitter,
}

impl InputDecoder {
    /// Adds bytes. Returns the events that are complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<TerminalEvent> {
        self.splitter.split(bytes).iter().flat_map(|sequence| decode(sequence)).collect()
    }

    /// Notes that no more bytes follow for a while: a pending Escape is the key, and anything else is discarded.
    pub fn flush(&mut self) -> Vec<TerminalEvent> {
        self.splitter.flush().iter().flat_map(|escape| decode(escape)).collect()
    }

    /// Number of pending bytes.
    pub fn pending(&self) -> usize {
        self.splitter.pending()
    }
}

/// Decodes one complete sequence. A new parser each time keeps nothing of a sequence that it does not know.
fn decode(sequence: &[u8]) -> Vec<TerminalEvent> {
    let mut parser = Parser::default();
    parser.parse(&normalize(sequence), false);
    iter::from_fn(|| parser.pop()).filter_map(convert).collect()
}

/// Some terminals add modifiers to the short form of a function key, `ESC O 5 P` for `ESC [ 1 ; 5 P`.
fn normalize(sequence: &[u8]) -> Cow<'_, [u8]> {
    match sequence {
        [b'\x1b', b'O', modifiers @ .., key] if !modifiers.is_empty() => {
            [b"\x1b[1;", modifiers, &[*key]].concat().into()
        }
        _ => sequence.into(),
    }
}

fn convert(event: Event) -> Option<TerminalEvent> {
    let reply = match event {
        Event::Key(key) => return convert_key(key).map(TerminalEvent::Key),
        Event::Mouse(mouse) => return Some(TerminalEvent::Mouse(convert_mouse(mouse))),
        Event::FocusIn => return Some(TerminalEvent::Focus(true)),
        Event::FocusOut => return Some(TerminalEvent::Focus(false)),
        Event::Paste(text) => return Some(TerminalEvent::Paste(text)),
        Event::WindowResized(_) => return Some(TerminalEvent::Resized),
        Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, col })) => {
            match (line.get_zero_based(), col.get_zero_based()) {
                (row, 0) => Reply::CursorRow(row),
                (0, column) => return modified_f3(column).map(TerminalEvent::Key),
                (_, column) => Reply::CursorColumn(column),
            }
        }
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
    Some(TerminalEvent::Reply(reply))
}

/// F3 with modifiers, which a terminal sends as a cursor position in row 0. Requested positions are in column 0 or in another row.
fn modified_f3(column: u16) -> Option<KeyEvent> {
    let modifiers = parsed::Modifiers::from_bits(u8::try_from(column).ok()?)?;
    Some(KeyEvent::new(KeyCode::F(3), convert_modifiers(modifiers)))
}

fn convert_key(key: parsed::KeyEvent) -> Option<KeyEvent> {
    let code = match key.code {
        parsed::KeyCode::Char(char) => KeyCode::Char(char),
        parsed::KeyCode::Enter => KeyCode::Enter,
        parsed::KeyCode::Backspace => KeyCode::Backspace,
        parsed::KeyCode::Tab => KeyCode::Tab,
        parsed::KeyCode::Escape => KeyCode::Esc,
        parsed::KeyCode::Left => KeyCode::Left,
        parsed::KeyCode::Right => KeyCode::Right,
        parsed::KeyCode::Up => KeyCode::Up,
        parsed::KeyCode::Down => KeyCode::Down,
        parsed::KeyCode::Home => KeyCode::Home,
        parsed::KeyCode::End => KeyCode::End,
        parsed::KeyCode::BackTab => KeyCode::BackTab,
        parsed::KeyCode::PageUp => KeyCode::PageUp,
        parsed::KeyCode::PageDown => KeyCode::PageDown,
        parsed::KeyCode::Insert => KeyCode::Insert,
        parsed::KeyCode::Delete => KeyCode::Delete,
        parsed::KeyCode::Function(number) => KeyCode::F(number),
        parsed::KeyCode::Null => KeyCode::Null,
        _ => return None,
    };
    (key.kind != parsed::KeyEventKind::Release).then_some(KeyEvent::new(code, convert_modifiers(key.modifiers)))
}

fn convert_mouse(mouse: parsed::MouseEvent) -> MouseEvent {
    let button = |button| match button {
        parsed::MouseButton::Left => MouseButton::Left,
        parsed::MouseButton::Right => MouseButton::Right,
        parsed::MouseButton::Middle => MouseButton::Middle,
    };
    let kind = match mouse.kind {
        parsed::MouseEventKind::Down(pressed) => MouseEventKind::Down(button(pressed)),
        parsed::MouseEventKind::Up(released) => MouseEventKind::Up(button(released)),
        parsed::MouseEventKind::Drag(held) => MouseEventKind::Drag(button(held)),
        parsed::MouseEventKind::Moved => MouseEventKind::Moved,
        parsed::MouseEventKind::ScrollUp => MouseEventKind::ScrollUp,
        parsed::MouseEventKind::ScrollDown => MouseEventKind::ScrollDown,
        parsed::MouseEventKind::ScrollLeft => MouseEventKind::ScrollLeft,
        parsed::MouseEventKind::ScrollRight => MouseEventKind::ScrollRight,
    };
    MouseEvent { kind, column: mouse.column, row: mouse.row, modifiers: convert_modifiers(mouse.modifiers) }
}

fn convert_modifiers(modifiers: parsed::Modifiers) -> KeyModifiers {
    let pairs = [
        (parsed::Modifiers::SHIFT, KeyModifiers::SHIFT),
        (parsed::Modifiers::CONTROL, KeyModifiers::CONTROL),
        (parsed::Modifiers::ALT, KeyModifiers::ALT),
        (parsed::Modifiers::SUPER, KeyModifiers::SUPER),
    ];
    let held = pairs.iter().filter(|(parsed, _)| modifiers.contains(*parsed));
    held.fold(KeyModifiers::NONE, |all, (_, modifier)| all | *modifier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::unix::escape_splitter::ESCAPE_TIMEOUT;

    fn keys(bytes: &str) -> Vec<KeyEvent> {
        let events = InputDecoder::default().feed(bytes.as_bytes());
        let keys =
            events.into_iter().filter_map(|event| if let TerminalEvent::Key(key) = event { Some(key) } else { None });
        keys.collect()
    }

    #[test]
    fn function_keys_in_short_form_can_have_modifiers() {
        let key = |number, modifiers| KeyEvent::new(KeyCode::F(number), modifiers);
        assert_eq!(keys("\x1bOP"), [key(1, KeyModifiers::NONE)]);
        assert_eq!(keys("\x1bO5P"), [key(1, KeyModifiers::CONTROL)]);
        assert_eq!(keys("\x1bO2S"), [key(4, KeyModifiers::SHIFT)]);
        assert_eq!(keys("\x1bO2R"), [key(3, KeyModifiers::SHIFT)]);
        assert_eq!(keys("\x1b[1;5R"), [key(3, KeyModifiers::CONTROL)]);
        // Replies: the position is requested at the beginning of a row.
        assert_eq!(keys("\x1b[1;1R\x1b[23;1R\x1b[23;5R"), []);
    }

    #[test]
    fn only_short_pending_input_may_be_a_key() {
        for (bytes, may_be_key) in
            [("\x1b", true), ("\x1b[", true), ("\x1bO", true), ("\x1b[23;", false), ("\x1b]11;r", false)]
        {
            let mut decoder = InputDecoder::default();
            decoder.feed(bytes.as_bytes());
            assert_eq!(
                (decoder.pending(), decoder.splitter.timeout() == Some(ESCAPE_TIMEOUT)),
                (bytes.len(), may_be_key),
                "{}",
                bytes.escape_debug()
            );
        }
    }
}
