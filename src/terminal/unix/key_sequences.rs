//! Keys in forms that termina does not know: xterm's modifyOtherKeys, rxvt, st, keypads, and all of kitty's protocol.
//!
//! Sources: terminfo (`infocmp -x`), <https://invisible-island.net/xterm/modified-keys.html>,
//! <https://pod.tst.eu/http://cvs.schmorp.de/rxvt-unicode/doc/rxvt.7.pod#Key_Codes>,
//! <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.

use std::borrow::Cow;
use std::env;
use std::sync::LazyLock;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::terminal::events::Key;

/// Whether the terminal is st, where `ESC [ P` is Delete. In the protocol of kitty, which st lacks, it is F1.
static IS_ST: LazyLock<bool> =
    LazyLock::new(|| env::var("TERM").is_ok_and(|term| term == "st" || term.starts_with("st-")));

/// The sequence in the form of xterm or kitty.
pub(super) fn normalize(sequence: &[u8]) -> Cow<'_, [u8]> {
    let with_modifiers = |number: &[u8], modifiers: &[u8], end: u8| {
        let bytes: [&[u8]; 5] = [b"\x1b[", number, b";", modifiers, &[end]];
        Cow::from(bytes.concat())
    };
    match sequence {
        // modifyOtherKeys: `27 ; modifiers ; code ~`.
        [b'\x1b', b'[', b'2', b'7', b';', rest @ .., b'~'] => {
            match rest.split(|byte| *byte == b';').collect::<Vec<_>>()[..] {
                [modifiers, code] => with_modifiers(code, modifiers, b'u'),
                _ => sequence.into(),
            }
        }
        // rxvt with Shift, Ctrl and both.
        [b'\x1b', b'[', number @ .., b'$'] if is_number(number) => with_modifiers(number, b"2", b'~'),
        [b'\x1b', b'[', number @ .., b'^'] if is_number(number) => with_modifiers(number, b"5", b'~'),
        [b'\x1b', b'[', number @ .., b'@'] if is_number(number) => with_modifiers(number, b"6", b'~'),
        [b'\x1b', b'[', arrow @ b'a'..=b'd'] => with_modifiers(b"1", b"2", arrow.to_ascii_uppercase()),
        [b'\x1b', b'O', arrow @ b'a'..=b'd'] => with_modifiers(b"1", b"5", arrow.to_ascii_uppercase()),
        [b'\x1b', b'[', b'P'] if *IS_ST => b"\x1b[3~".into(),
        // The keypad in application mode.
        [b'\x1b', b'O', b'M'] => b"\r".into(),
        [b'\x1b', b'O', b'X'] => b"=".into(),
        [b'\x1b', b'O', key @ b'j'..=b'y'] => vec![key - 0x40].into(),
        // Modifiers in the short form of a function key, `ESC O 5 P` for `ESC [ 1 ; 5 P`.
        [b'\x1b', b'O', modifiers @ .., key] if !modifiers.is_empty() => with_modifiers(b"1", modifiers, *key),
        _ => sequence.into(),
    }
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// A key that types a character, as `CSI code : shifted : US code ; modifiers : event ; text u`.
pub(super) fn decode_character(sequence: &[u8]) -> Option<Key> {
    let fields = str::from_utf8(sequence).ok()?.strip_prefix("\x1b[")?.strip_suffix('u')?;
    let mut fields =
        fields.split(';').map(|field| field.split(':').map(|number| number.parse::<u32>().ok()).collect::<Vec<_>>());
    let codes = fields.next()?;
    let code = |index: usize| codes.get(index).copied().flatten().and_then(char::from_u32);
    let held = fields.next().and_then(|modifiers| modifiers.first().copied().flatten()).unwrap_or(1).saturating_sub(1);
    let texts = fields.next().unwrap_or_default();

    let modifier = |bits: u32, modifier| if held & bits == 0 { KeyModifiers::NONE } else { modifier };
    let modifiers =
        modifier(1, KeyModifiers::SHIFT) | modifier(4, KeyModifiers::CONTROL) | modifier(2 | 8 | 32, KeyModifiers::ALT);
    let shifted = code(1).filter(|_| modifiers.contains(KeyModifiers::SHIFT));
    let text = match texts[..] {
        [Some(text)] if (modifiers - KeyModifiers::SHIFT).is_empty() => char::from_u32(text),
        _ => None,
    };
    // An input method types without a key, which is then 0. Other control characters and the private ones are keys with a name.
    let key = if code(0) == Some('\0') { text } else { code(0) };
    let key = key.filter(|key| !key.is_control() && !('\u{e000}'..='\u{f8ff}').contains(key))?;
    let typed = KeyEvent::new(KeyCode::Char(text.or(shifted).unwrap_or(key)), modifiers);
    let on_us_keyboard = match code(2) {
        Some(place) => Some(KeyEvent::new(KeyCode::Char(place), modifiers)),
        None => on_us_keyboard(typed),
    };
    Some(Key { typed, on_us_keyboard })
}

/// The letters of a keyboard layout, and those in the same places on a US keyboard.
const LAYOUTS: [(&str, &str); 2] = [
    ("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,."),
    ("ςερτυθιοπασδφγηξκλζχψωβνμ", "wertyuiopasdfghjklzxcvbnm"),
];

/// The key in the place of a Cyrillic or Greek letter, for terminals that do not report it.
pub(super) fn on_us_keyboard(typed: KeyEvent) -> Option<KeyEvent> {
    let KeyCode::Char(letter) = typed.code else { return None };
    let small = letter.to_lowercase().next()?;
    let place =
        |(letters, places): &(&str, &str)| places.chars().nth(letters.chars().position(|known| known == small)?);
    let place = LAYOUTS.iter().find_map(place)?;
    let place = if letter == small { place } else { place.to_ascii_uppercase() };
    Some(KeyEvent { code: KeyCode::Char(place), ..typed })
}
