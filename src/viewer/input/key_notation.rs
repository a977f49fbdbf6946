//! How keys are written in the config and on the screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::error::nearest;

const MODIFIERS: [(&str, KeyModifiers); 3] =
    [("ctrl", KeyModifiers::CONTROL), ("alt", KeyModifiers::ALT), ("shift", KeyModifiers::SHIFT)];
/// Keys with a name, besides the function keys.
const NAMED: [KeyCode; 17] = [
    KeyCode::Char(' '),
    KeyCode::Char('-'),
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::BackTab,
    KeyCode::Backspace,
    KeyCode::Delete,
    KeyCode::Insert,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
];
/// Names of keys, for suggestions.
const NAMES: &str = "space enter esc tab backtab backspace delete insert home end pageup pagedown up down left right minus \
                     f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12";
/// Keys that the help shows as arrows.
const ARROWS: [(char, KeyCode, &str); 4] = [
    ('←', KeyCode::Left, "Left"),
    ('→', KeyCode::Right, "Right"),
    ('↑', KeyCode::Up, "Up"),
    ('↓', KeyCode::Down, "Down"),
];

/// Parses a key, such as `shift-left`, `Ctrl-C` or `H`.
///
/// # Errors
///
/// What is wrong, with a suggestion.
pub fn parse(text: &str) -> Result<KeyEvent, String> {
    let (modifiers, name) = split_modifiers(text);
    let code = match parse_code(name).ok_or_else(|| unknown_key(text))? {
        // With Ctrl, terminals do not report the case, and people write Ctrl-C.
        KeyCode::Char(letter) if modifiers.contains(KeyModifiers::CONTROL) => {
            KeyCode::Char(letter.to_ascii_lowercase())
        }
        code => code,
    };
    let key = normalize(KeyEvent::new(code, modifiers));
    let is_symbol = matches!(code, KeyCode::Char(char) if !char.is_alphabetic() && char != ' ');
    let problem = if is_symbol && modifiers.contains(KeyModifiers::SHIFT) {
        Some("depends on the keyboard layout; use the character that it types, such as ! or +".to_owned())
    } else {
        conflict(key)
    };
    problem.map_or(Ok(key), |why| Err(format!("`{}` {why}", text.escape_debug())))
}

/// Splits off modifiers.
fn split_modifiers(text: &str) -> (KeyModifiers, &str) {
    let (mut modifiers, mut rest) = (KeyModifiers::NONE, text);
    while let Some((first, behind)) = rest.split_once('-').filter(|(_, behind)| !behind.is_empty()) {
        let Some((_, modifier)) = MODIFIERS.iter().find(|(name, _)| first.eq_ignore_ascii_case(name)) else { break };
        modifiers.insert(*modifier);
        rest = behind;
    }
    (modifiers, rest)
}

/// Parses a key without modifiers.
fn parse_code(name: &str) -> Option<KeyCode> {
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(char), None) => match ARROWS.iter().find(|(arrow, ..)| *arrow == char) {
            Some((_, code, _)) => Some(*code),
            None => (!char.is_control()).then_some(KeyCode::Char(char)),
        },
        _ => parse_name(&name.to_ascii_lowercase()),
    }
}

fn parse_name(name: &str) -> Option<KeyCode> {
    match name {
        "minus" => Some(KeyCode::Char('-')),
        "del" => Some(KeyCode::Delete),
        "ins" => Some(KeyCode::Insert),
        _ => {
            let mut codes = NAMED.into_iter().chain((1..=24).map(KeyCode::F));
            codes.find(|code| code_name(*code).eq_ignore_ascii_case(name))
        }
    }
}

fn code_name(code: KeyCode) -> String {
    match code {
        KeyCode::Char(' ') => "Space".into(),
        KeyCode::Char('-') => "Hyphen".into(),
        KeyCode::Char(char) => char.to_ascii_lowercase().into(),
        KeyCode::F(number) => format!("F{number}"),
        code => format!("{code:?}"),
    }
}

fn unknown_key(text: &str) -> String {
    let hint = suggest(text).map_or_else(
        || ": use a character such as x or +, or a name such as space or f5, after ctrl-, alt- or shift-".into(),
        |key| format!("; did you mean `{key}`?"),
    );
    format!("`{}` is not a key{hint}", text.escape_debug())
}

/// The key that is spelled most like the text.
fn suggest(text: &str) -> Option<String> {
    let text = text.to_lowercase();
    let parts: Vec<&str> = text.split('-').collect();
    let (name, modifiers) = parts.split_last()?;
    let names = MODIFIERS.map(|(name, _)| name);
    let modifiers = modifiers.iter().map(|part| {
        // Emacs writes `C-x`.
        let initial = names.into_iter().find(|name| part.len() == 1 && name.starts_with(part));
        initial.or_else(|| nearest(part, names))
    });
    let name = if parse_code(name).is_some() { Some(*name) } else { nearest(name, NAMES.split(' ')) };
    let parts: Option<Vec<&str>> = modifiers.chain([name]).collect();
    let key = parts.map(|parts| parts.join("-")).filter(|key| parse(key).is_ok());
    key.or_else(|| nearest(&text, NAMES.split(' ')).map(str::to_owned))
}

/// Why a terminal never reports the key as such: many combinations send the same bytes.
fn conflict(key: KeyEvent) -> Option<String> {
    let [ctrl, alt, shift] = MODIFIERS.map(|(_, modifier)| key.modifiers.contains(modifier));
    let same = |name: &str| Some(format!("is the same as `{name}` in a terminal; use `{name}`"));
    let with = |modifiers| to_config(KeyEvent { modifiers, ..key });
    let unshifted = || with(key.modifiers - KeyModifiers::SHIFT);
    match key.code {
        KeyCode::Esc if ctrl || alt || shift => same("esc"),
        KeyCode::Enter | KeyCode::Backspace | KeyCode::Tab if ctrl || shift => {
            same(&with(key.modifiers & KeyModifiers::ALT))
        }
        KeyCode::BackTab if ctrl || alt => same("backtab"),
        KeyCode::Char(' ') if shift => same(&unshifted()),
        KeyCode::Char(char) if ctrl => match char.to_ascii_lowercase() {
            'i' => same("tab"),
            'm' => same("enter"),
            '[' => same("esc"),
            '\\' => same("ctrl-4"),
            ']' => same("ctrl-5"),
            '^' => same("ctrl-6"),
            '_' | '/' => same("ctrl-7"),
            'a'..='z' if shift => same(&unshifted()),
            'a'..='z' | '4'..='7' | ' ' => None,
            _ => Some("is not sent by terminals; with ctrl they send a to z, space and 4 to 7".into()),
        },
        KeyCode::Char('[' | ']' | 'O' | 'P') if alt => {
            Some("begins the sequences of other keys; use another key".into())
        }
        _ => None,
    }
}

/// Unifies the forms in which terminals report a key: an uppercase letter implies Shift, and other characters ignore it.
pub fn normalize(key: KeyEvent) -> KeyEvent {
    let mut key = KeyEvent::new(key.code, key.modifiers);
    match key.code {
        KeyCode::Char('\r' | '\n') => key.code = KeyCode::Enter,
        KeyCode::Char(char) if !char.is_alphabetic() && char != ' ' => {
            key.modifiers.remove(KeyModifiers::SHIFT);
        }
        KeyCode::Char(letter) if letter.is_uppercase() => key.modifiers.insert(KeyModifiers::SHIFT),
        KeyCode::Char(letter) if key.modifiers.contains(KeyModifiers::SHIFT) => {
            let mut upper = letter.to_uppercase();
            if let (Some(upper), None) = (upper.next(), upper.next()) {
                key.code = KeyCode::Char(upper);
            }
        }
        KeyCode::BackTab => key.modifiers.insert(KeyModifiers::SHIFT),
        KeyCode::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => {
            key.code = KeyCode::BackTab;
        }
        _ => {}
    }
    key
}

/// The key as in the config: `shift-left`, `shift-h`.
pub fn to_config(key: KeyEvent) -> String {
    if key == KeyEvent::new(KeyCode::Char('-'), KeyModifiers::NONE) {
        return "-".into();
    }
    name(key).chars().map(lower).collect()
}

/// The key with its modifiers, such as `Shift-Left`. Shift is implied in `BackTab`.
fn name(key: KeyEvent) -> String {
    let is_implied = key.code == KeyCode::BackTab && key.modifiers == KeyModifiers::SHIFT;
    let labels = ["Ctrl-", "Alt-", "Shift-"].into_iter().zip(MODIFIERS);
    let held = labels.filter(|(_, (_, modifier))| key.modifiers.contains(*modifier) && !is_implied);
    let modifiers: String = held.map(|(label, _)| label).collect();
    modifiers + &code_name(key.code)
}

/// The lowercase letter, if its uppercase form is this letter again.
fn lower(letter: char) -> char {
    let mut lowercase = letter.to_lowercase();
    match (lowercase.next(), lowercase.next()) {
        (Some(lowercase), None) if lowercase.to_uppercase().eq([letter]) => lowercase,
        _ => letter,
    }
}

/// The key as on the screen: `Shift-←`, `H`; with `spelled`, arrows are words.
pub fn to_label(key: KeyEvent, spelled: bool) -> String {
    match (key.code, key.modifiers) {
        (KeyCode::Char(' '), KeyModifiers::NONE) => return "Space".into(),
        (KeyCode::Char('-'), KeyModifiers::NONE) => return "-".into(),
        (KeyCode::BackTab, _) => return "Shift-Tab".into(),
        (KeyCode::Char(letter), KeyModifiers::SHIFT) => return letter.to_string(),
        _ => {}
    }
    let text = name(key);
    match ARROWS.iter().find(|(_, code, _)| key.code == *code) {
        Some((arrow, _, word)) if !spelled => text.replace(word, &arrow.to_string()),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips() {
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
            let key = parse(text).unwrap();
            assert_eq!(to_config(key), text);
            assert_eq!((parse(&to_label(key, false)), parse(&to_label(key, true))), (Ok(key), Ok(key)), "{text}");
        }
    }

    #[test]
    fn spelling_variants_are_accepted() {
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
            assert_eq!(parse(text), parse(same), "{text}");
            assert!(parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn unknown_keys_get_a_suggestion() {
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
            assert_eq!(parse(text), Err(format!("`{text}` is not a key; did you mean `{key}`?")));
        }
        for text in ["", "qqq", "ctrl-", "\u{7}", "cmd-x", "a-b", "\u{1b}[31m"] {
            let why = parse(text).unwrap_err();
            assert!(why.contains("is not a key") && !why.contains('\u{1b}') && !why.contains('\u{7}'), "{why}");
        }
    }

    #[test]
    fn ambiguous_keys_are_rejected() {
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
            assert_eq!(parse(text), Err(format!("`{text}` is the same as `{same}` in a terminal; use `{same}`")));
            assert!(parse(same).is_ok(), "{same}");
        }
        assert!(parse("ctrl-+").unwrap_err().contains("not sent by terminals"));
        assert!(parse("shift-1").unwrap_err().contains("use the character"));
        assert!(parse("alt-[").unwrap_err().contains("use another key"));
    }
}
