//! Decodes the terminal's bytes into keys, mouse events and replies. termina parses them; the rest of the program uses
//! crossterm's event types.

use std::iter;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use termina::escape::csi::{
    Csi, Cursor, DecModeSetting, DecPrivateMode, DecPrivateModeCode, Device, Keyboard, Mode, Sgr,
};
use termina::escape::dcs::{Dcs, DcsResponse};
use termina::escape::osc::{ColorOrQuery, DynamicColorNumber, Osc};
use termina::style::ColorSpec;
use termina::{Event, Parser, event as parsed};

use super::escape_splitter::EscapeSplitter;
use super::key_sequences::{decode_character, normalize, on_us_keyboard};
use crate::picture::Rgb;
use crate::terminal::events::{Key, Reply, TerminalEvent};

const ESCAPE: &[u8] = b"\x1b";

/// Decodes bytes that arrive in chunks of any size.
#[derive(Debug, Default)]
pub struct InputDecoder {
    pub(super) splitter: EscapeSplitter,
    /// Whether the last sequence was an Escape with another one right behind it.
    holds_escape: bool,
}

impl InputDecoder {
    /// Adds bytes. Returns the events that are complete.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<TerminalEvent> {
        self.splitter.split(bytes).iter().flat_map(|sequence| self.decode_next(sequence)).collect()
    }

    /// Notes that no more bytes follow for a while: a pending Escape is the key, and anything else is discarded.
    pub fn flush(&mut self) -> Vec<TerminalEvent> {
        let held = std::mem::take(&mut self.holds_escape).then(|| ESCAPE.to_vec());
        held.into_iter().chain(self.splitter.flush()).flat_map(|escape| decode(&escape)).collect()
    }

    /// Decodes a sequence. An Escape before that of a key counts as Alt, as in rxvt and on macOS; before a reply, it is the key.
    fn decode_next(&mut self, sequence: &[u8]) -> Vec<TerminalEvent> {
        let held = std::mem::replace(&mut self.holds_escape, sequence == ESCAPE);
        let mut events = if self.holds_escape { Vec::new() } else { decode(sequence) };
        match &mut events[..] {
            [TerminalEvent::Key(key)] if held && sequence.starts_with(ESCAPE) => {
                key.typed.modifiers.insert(KeyModifiers::ALT);
            }
            _ if held => events.splice(..0, decode(ESCAPE)).for_each(drop),
            _ => {}
        }
        events
    }

    /// Number of pending bytes.
    pub fn pending(&self) -> usize {
        self.splitter.pending.len()
    }
}

/// Decodes one complete sequence. A new parser each time keeps nothing of a sequence that it does not know.
fn decode(sequence: &[u8]) -> Vec<TerminalEvent> {
    let sequence = normalize(sequence);
    if let Some(key) = decode_character(&sequence) {
        return vec![TerminalEvent::Key(key)];
    }
    // Set (1) or reset (2): termina does not know these modes.
    match &sequence[..] {
        b"\x1b[?2031;1$y" | b"\x1b[?2031;2$y" => return vec![TerminalEvent::Reply(Reply::ReportsTheme)],
        b"\x1b[?1007;1$y" => return vec![TerminalEvent::Reply(Reply::ScrollsByArrows)],
        _ => {}
    }
    let mut parser = Parser::default();
    parser.parse(&sequence, false);
    iter::from_fn(|| parser.pop()).filter_map(convert).collect()
}

fn convert(event: Event) -> Option<TerminalEvent> {
    let reply = match event {
        Event::Key(key) => return convert_key(key).map(TerminalEvent::Key),
        Event::Csi(Csi::Device(Device::DeviceAttributes(()))) => Reply::Attributes,
        Event::Csi(Csi::Mode(Mode::ReportTheme(_))) => Reply::ThemeChanged,
        Event::Csi(Csi::Keyboard(Keyboard::ReportFlags(_))) => Reply::KeyboardProtocol,
        Event::Mouse(mouse) => return Some(TerminalEvent::Mouse(convert_mouse(mouse))),
        Event::FocusIn => return Some(TerminalEvent::Focus(true)),
        Event::FocusOut => return Some(TerminalEvent::Focus(false)),
        Event::Paste(text) => return Some(TerminalEvent::Paste(text)),
        Event::WindowResized(_) => return Some(TerminalEvent::Resized),
        Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, col })) => {
            match (line.get_zero_based(), col.get_zero_based()) {
                // Acknowledgements are requested at the beginning of a row.
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
fn modified_f3(column: u16) -> Option<Key> {
    let modifiers = parsed::Modifiers::from_bits(u8::try_from(column).ok()?)?;
    Some(KeyEvent::new(KeyCode::F(3), convert_modifiers(modifiers)).into())
}

fn convert_key(key: parsed::KeyEvent) -> Option<Key> {
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
    let typed = KeyEvent::new(code, convert_modifiers(key.modifiers));
    (key.kind != parsed::KeyEventKind::Release).then(|| Key { typed, on_us_keyboard: on_us_keyboard(typed) })
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
        // xterm's Meta has the bit that is Super in the protocol of kitty.
        (parsed::Modifiers::SUPER, KeyModifiers::ALT),
        (parsed::Modifiers::META, KeyModifiers::ALT),
    ];
    let held = pairs.iter().filter(|(parsed, _)| modifiers.contains(*parsed));
    held.fold(KeyModifiers::NONE, |all, (_, modifier)| all | *modifier)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::unix::escape_splitter::ESCAPE_TIMEOUT;

    fn keys(bytes: &str) -> Vec<KeyEvent> {
        let mut decoder = InputDecoder::default();
        let events = decoder.feed(bytes.as_bytes()).into_iter().chain(decoder.flush());
        events.filter_map(|event| if let TerminalEvent::Key(key) = event { Some(key.typed) } else { None }).collect()
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
