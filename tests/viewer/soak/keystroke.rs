//! The bytes that a terminal sends for a key.

use flockscope::viewer::Action;

/// The bytes that a terminal sends for a key of the action table.
///
/// # Panics
///
/// If the notation of the key is unknown here.
pub fn keystroke(name: &str) -> Vec<u8> {
    let (held, key) = match name.rsplit_once('-') {
        Some((held, key)) if !key.is_empty() => (held, key),
        _ => ("", name),
    };
    let letter = key.chars().next().filter(|_| key.chars().count() == 1);
    let number = match held {
        "" => None,
        "shift" => Some(2),
        "alt" => Some(3),
        "ctrl" => Some(5),
        _ => panic!("no terminal sends {name} here"),
    };
    let end = match key {
        "up" => Some('A'),
        "down" => Some('B'),
        "right" => Some('C'),
        "left" => Some('D'),
        "home" => Some('H'),
        "end" => Some('F'),
        _ => None,
    };
    match (end, number, key) {
        (Some(end), None, _) => format!("\x1b[{end}").into(),
        (Some(end), Some(number), _) => format!("\x1b[1;{number}{end}").into(),
        (None, None, "enter") => b"\r".to_vec(),
        (None, None, "space") => b" ".to_vec(),
        (None, None, "tab") => b"\t".to_vec(),
        (None, None, "backtab") => b"\x1b[Z".to_vec(),
        (None, None, "backspace") => b"\x7f".to_vec(),
        (None, None, "delete") => b"\x1b[3~".to_vec(),
        (None, None, "pageup") => b"\x1b[5~".to_vec(),
        (None, None, "pagedown") => b"\x1b[6~".to_vec(),
        (None, None, "esc") => b"\x1b".to_vec(),
        (None, None, "f1") => b"\x1bOP".to_vec(),
        _ => match (number, letter) {
            (None, Some(sign)) => sign.to_string().into(),
            (Some(2), Some(sign)) => sign.to_uppercase().to_string().into(),
            (Some(3), Some(sign)) => format!("\x1b{sign}").into(),
            (Some(5), Some(sign)) if sign.is_ascii_alphabetic() => vec![sign as u8 & 0x1f],
            _ => panic!("no terminal sends {name} here"),
        },
    }
}

#[test]
fn every_key_of_the_table_can_be_pressed() {
    for name in Action::ALL.iter().flat_map(|action| action.default_keys()) {
        assert!(!keystroke(name).is_empty(), "{name}");
    }
    assert_eq!(keystroke("shift-left"), b"\x1b[1;2D");
    assert_eq!(keystroke("ctrl-r"), b"\x12");
    assert_eq!(keystroke("-"), b"-");
}
