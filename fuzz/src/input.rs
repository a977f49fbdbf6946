//! What the terminal sends. The byte 0xfe, which no terminal sends, stands for a pause.

use std::sync::LazyLock;

use flockscope::viewer::{InputDecoder, Keymap, TerminalEvent};

/// The byte that stands for a pause.
const PAUSE: u8 = 0xfe;
/// More than an ear ever holds, in bytes.
const MUCH: usize = 1100;

static KEYS: LazyLock<Keymap> = LazyLock::new(Keymap::default);

pub fn body(data: &[u8]) {
    let whole = heard(data, |_| usize::MAX);
    let in_pieces = heard(data, |byte| 1 + usize::from(byte) % 5);
    assert_eq!(whole, in_pieces);
}

/// All that is heard, in words, where the bytes come in pieces of these lengths.
fn heard(data: &[u8], length: impl Fn(u8) -> usize) -> Vec<String> {
    let (mut ear, mut told) = (InputDecoder::default(), Vec::new());
    for stretch in data.split(|byte| *byte == PAUSE) {
        let mut rest = stretch;
        while let [first, ..] = rest {
            let (piece, behind) = rest.split_at(length(*first).min(rest.len()));
            assert!(ear.hear(piece, |happening| listen(&mut told, &happening)));
            assert!(ear.held() < MUCH);
            rest = behind;
        }
        assert!(ear.pause(|happening| listen(&mut told, &happening)));
    }
    // Whatever came before, Ctrl-c is heard.
    ear.hear(b"\x03", |happening| listen(&mut told, &happening));
    let last = told.last().map(String::as_str).unwrap_or_default();
    assert!(last.contains("Quit"), "{data:?} ends in {last}");
    told
}

/// Keeps what happens in words, and what it does.
fn listen(told: &mut Vec<String>, happening: &TerminalEvent) -> bool {
    let action = match happening {
        TerminalEvent::Key(key) => KEYS.action(*key).or(Keymap::navigation(*key)),
        _ => None,
    };
    told.push(format!("{happening:?} {action:?}"));
    true
}
