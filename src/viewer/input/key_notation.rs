//! How a key is written: in files, and for people.

use crokey::{KeyCombination, KeyCombinationFormat, OneToThree, parse_key_code};
use crossterm::event::{KeyCode, KeyModifiers};

use crate::config::nearest;

/// What can be held while a key is pressed.
const HELD: [(&str, KeyModifiers); 3] =
    [("ctrl", KeyModifiers::CONTROL), ("alt", KeyModifiers::ALT), ("shift", KeyModifiers::SHIFT)];
/// The keys with a name, for who has misspelt one.
const NAMES: &[&str] = &[
    "space",
    "enter",
    "esc",
    "tab",
    "backtab",
    "backspace",
    "delete",
    "insert",
    "home",
    "end",
    "pageup",
    "pagedown",
    "up",
    "down",
    "left",
    "right",
    "minus",
    "f1",
    "f2",
    "f3",
    "f4",
    "f5",
    "f6",
    "f7",
    "f8",
    "f9",
    "f10",
    "f11",
    "f12",
];
/// Signs for keys, as the help writes them.
const ARROWS: [(char, KeyCode, &str); 4] = [
    ('←', KeyCode::Left, "Left"),
    ('→', KeyCode::Right, "Right"),
    ('↑', KeyCode::Up, "Up"),
    ('↓', KeyCode::Down, "Down"),
];

/// The key that is written so.
///
/// # Errors
///
/// What is wrong with it, and what would be right.
pub fn read(text: &str) -> Result<KeyCombination, String> {
    let (held, name) = held(text);
    let Some(code) = code(name) else { return Err(unknown(text)) };
    let key = match code {
        KeyCode::Char(sign) if !sign.is_alphabetic() && sign != ' ' && held.contains(KeyModifiers::SHIFT) => {
            return Err(format!(
                "`{}` depends on the keyboard; write the sign that comes of it, as `!` or `+`",
                text.escape_debug()
            ));
        }
        // With Ctrl a terminal knows no case, and people write Ctrl-C.
        KeyCode::Char(letter) if held.contains(KeyModifiers::CONTROL) => KeyCode::Char(letter.to_ascii_lowercase()),
        code => code,
    };
    let key = normal(KeyCombination::one_key(key, held));
    match trouble(key) {
        None => Ok(key),
        Some(why) => Err(format!("`{}` {why}", text.escape_debug())),
    }
}

/// What is held, and the rest.
fn held(text: &str) -> (KeyModifiers, &str) {
    let (mut held, mut rest) = (KeyModifiers::NONE, text);
    while let Some((first, behind)) = rest.split_once('-').filter(|(_, behind)| !behind.is_empty()) {
        let Some((_, modifier)) = HELD.iter().find(|(name, _)| first.eq_ignore_ascii_case(name)) else { break };
        held.insert(*modifier);
        rest = behind;
    }
    (held, rest)
}

/// The key of a name or a sign.
fn code(name: &str) -> Option<KeyCode> {
    let mut signs = name.chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) => match ARROWS.iter().find(|(arrow, ..)| *arrow == sign) {
            Some((_, code, _)) => Some(*code),
            None => (!sign.is_control()).then_some(KeyCode::Char(sign)),
        },
        _ => parse_key_code(&name.to_ascii_lowercase(), false).ok(),
    }
}

fn unknown(text: &str) -> String {
    let hint = nearest_key(text).map_or_else(
        || ": a key is a sign, as x or +, or a name, as space or f5, with ctrl-, alt- or shift- before it".into(),
        |key| format!("; did you mean `{key}`?"),
    );
    format!("`{}` is no key{hint}", text.escape_debug())
}

/// The key most like what was written.
fn nearest_key(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let parts: Vec<&str> = text.split('-').collect();
    let (last, before) = parts.split_last()?;
    let held = before.iter().map(|part| nearest(part, HELD.map(|(name, _)| name)));
    let name = if code(last).is_some() { Some(*last) } else { nearest(last, NAMES.iter().copied()) };
    let whole: Option<Vec<&str>> = held.chain([name]).collect();
    let whole = whole.map(|parts| parts.join("-")).filter(|key| read(key).is_ok());
    whole.or_else(|| nearest(&text, NAMES.iter().copied()).map(str::to_owned))
}

/// Why a key never arrives as itself: many are one and the same to a terminal.
fn trouble(key: KeyCombination) -> Option<String> {
    let OneToThree::One(code) = key.codes else { return Some("is more than one key".into()) };
    let [ctrl, alt, shift] = HELD.map(|(_, modifier)| key.modifiers.contains(modifier));
    let same = |name: &str| Some(format!("is to a terminal the same as `{name}`; write that"));
    let with = |modifiers| written(KeyCombination { modifiers, ..key });
    let bare = || with(key.modifiers & KeyModifiers::ALT);
    let unshifted = || with(key.modifiers - KeyModifiers::SHIFT);
    match code {
        KeyCode::Esc if ctrl || alt || shift => same("esc"),
        KeyCode::Enter | KeyCode::Backspace | KeyCode::Tab if ctrl || shift => same(&bare()),
        KeyCode::BackTab if ctrl || alt => same("backtab"),
        KeyCode::Char(' ') if shift => same(&unshifted()),
        KeyCode::Char(sign) if ctrl => match sign.to_ascii_lowercase() {
            'i' => same("tab"),
            'm' => same("enter"),
            '[' => same("esc"),
            '\\' => same("ctrl-4"),
            ']' => same("ctrl-5"),
            '^' => same("ctrl-6"),
            '_' | '/' => same("ctrl-7"),
            'a'..='z' if shift => same(&unshifted()),
            'a'..='z' | '4'..='7' | ' ' => None,
            _ => Some("is sent by no terminal; with ctrl there are a to z, space and 4 to 7".into()),
        },
        KeyCode::Char('[' | ']' | 'O' | 'P') if alt => {
            Some("begins what a terminal sends for other keys; take another".into())
        }
        _ => None,
    }
}

/// One form for what terminals report in several: a letter's case and Shift say the same, and
/// Shift says nothing of a sign.
pub fn normal(key: KeyCombination) -> KeyCombination {
    let mut key = key.normalized();
    match key.codes {
        OneToThree::One(KeyCode::Char(sign)) if !sign.is_alphabetic() && sign != ' ' => {
            key.modifiers.remove(KeyModifiers::SHIFT);
        }
        OneToThree::One(KeyCode::Char(letter)) if letter.is_uppercase() => key.modifiers.insert(KeyModifiers::SHIFT),
        OneToThree::One(KeyCode::Char(letter)) if key.modifiers.contains(KeyModifiers::SHIFT) => {
            let mut upper = letter.to_uppercase();
            if let (Some(upper), None) = (upper.next(), upper.next()) {
                key.codes = OneToThree::One(KeyCode::Char(upper));
            }
        }
        OneToThree::One(KeyCode::BackTab) => key.modifiers.insert(KeyModifiers::SHIFT),
        OneToThree::One(KeyCode::Tab) if key.modifiers.contains(KeyModifiers::SHIFT) => {
            key.codes = OneToThree::One(KeyCode::BackTab);
        }
        _ => {}
    }
    key
}

/// A key as files have it: `shift-left`, `shift-h`.
pub fn written(key: KeyCombination) -> String {
    if key == KeyCombination::one_key(KeyCode::Char('-'), KeyModifiers::NONE) {
        return "-".into();
    }
    KeyCombinationFormat::default().to_string(key).chars().map(lower).collect()
}

/// A letter in its small form, where that leads back to it.
fn lower(letter: char) -> char {
    let mut small = letter.to_lowercase();
    match (small.next(), small.next()) {
        (Some(small), None) if small.to_uppercase().eq([letter]) => small,
        _ => letter,
    }
}

/// A key as people write it: `Shift-←`, `H`; its arrow as a word where it is to be spelled out.
pub fn shown(key: KeyCombination, spelled: bool) -> String {
    match (key.codes, key.modifiers) {
        (OneToThree::One(KeyCode::Char(' ')), KeyModifiers::NONE) => return "Space".into(),
        (OneToThree::One(KeyCode::Char('-')), KeyModifiers::NONE) => return "-".into(),
        (OneToThree::One(KeyCode::BackTab), _) => return "Shift-Tab".into(),
        (OneToThree::One(KeyCode::Char(letter)), KeyModifiers::SHIFT) => return letter.to_string(),
        _ => {}
    }
    let text = KeyCombinationFormat::default().to_string(key);
    match ARROWS.iter().find(|(_, code, _)| key.codes == OneToThree::One(*code)) {
        Some((arrow, _, word)) if !spelled => text.replace(word, &arrow.to_string()),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "x",
            "shift-x",
            "ctrl-x",
            "alt-x",
            "alt-shift-x",
            "ctrl-alt-x",
            "-",
            "alt-hyphen",
            "+",
            "space",
            "ctrl-space",
            "up",
            "shift-left",
            "ctrl-alt-pageup",
            "backtab",
            "f1",
            "alt-enter",
            "ä",
            "shift-ä",
            "shift-İ",
            "ctrl-4",
            "\"",
            "\\",
        ] {
            let key = read(text).unwrap();
            assert_eq!(written(key), text);
            assert_eq!((read(&shown(key, false)), read(&shown(key, true))), (Ok(key), Ok(key)), "{text}");
        }
    }

    #[test]
    fn a_key_can_be_written_in_several_ways() {
        for (text, same) in [
            ("R", "shift-r"),
            ("Ctrl-C", "ctrl-c"),
            ("SPACE", "space"),
            (" ", "space"),
            ("Alt-R", "alt-shift-r"),
            ("shift-tab", "backtab"),
            ("Shift-←", "shift-left"),
            ("ins", "insert"),
            ("alt--", "alt-hyphen"),
            ("minus", "-"),
            ("Ä", "shift-ä"),
        ] {
            assert_eq!(read(text), read(same), "{text}");
            assert!(read(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_no_key_gets_the_nearest_right_word() {
        for (text, key) in [
            ("spcae", "space"),
            ("cntrl-x", "ctrl-x"),
            ("control-x", "ctrl-x"),
            ("C-x", "ctrl-x"),
            ("page-up", "pageup"),
            ("escape", "esc"),
            ("ctrl-lfet", "ctrl-left"),
            ("f25", "f2"),
        ] {
            assert_eq!(read(text), Err(format!("`{text}` is no key; did you mean `{key}`?")));
        }
        for text in ["", "qqq", "ctrl-", "\u{7}", "cmd-x", "a-b", "\u{1b}[31m"] {
            let why = read(text).unwrap_err();
            assert!(why.contains("is no key") && !why.contains('\u{1b}') && !why.contains('\u{7}'), "{why}");
        }
    }

    #[test]
    fn a_key_that_never_arrives_as_itself_is_told_of() {
        for (text, same) in [
            ("ctrl-i", "tab"),
            ("ctrl-m", "enter"),
            ("ctrl-[", "esc"),
            ("ctrl-shift-r", "ctrl-r"),
            ("ctrl-alt-shift-r", "ctrl-alt-r"),
            ("ctrl-enter", "enter"),
            ("alt-ctrl-enter", "alt-enter"),
            ("shift-space", "space"),
            ("ctrl-tab", "tab"),
            ("alt-esc", "esc"),
            ("ctrl-/", "ctrl-7"),
        ] {
            assert_eq!(read(text), Err(format!("`{text}` is to a terminal the same as `{same}`; write that")));
            assert!(read(same).is_ok(), "{same}");
        }
        assert!(read("ctrl-+").unwrap_err().contains("sent by no terminal"));
        assert!(read("shift-1").unwrap_err().contains("write the sign"));
        assert!(read("alt-[").unwrap_err().contains("take another"));
    }
}
