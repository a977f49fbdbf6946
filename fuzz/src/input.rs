//! Terminal input. The byte 0xfe, which no terminal sends, means a pause.

use std::sync::LazyLock;

use flockscope::terminal::InputDecoder;
use flockscope::terminal::events::TerminalEvent;
use flockscope::viewer::{Keymap, Mode};

/// The byte that means a pause.
const PAUSE: u8 = 0xfe;
/// More bytes than the decoder ever holds.
const TOO_MANY: usize = 1100;

static KEYS: LazyLock<Keymap> = LazyLock::new(Keymap::default);

pub fn body(data: &[u8]) {
    let whole = decode(data, |_| usize::MAX);
    let in_chunks = decode(data, |byte| 1 + usize::from(byte) % 5);
    assert_eq!(whole, in_chunks);
}

/// All events and their actions as text, for input in chunks of these lengths.
fn decode(data: &[u8], length: impl Fn(u8) -> usize) -> Vec<String> {
    let (mut decoder, mut events) = (InputDecoder::default(), Vec::new());
    for segment in data.split(|byte| *byte == PAUSE) {
        let mut rest = segment;
        while let [first, ..] = rest {
            let (chunk, behind) = rest.split_at(length(*first).min(rest.len()));
            events.extend(decoder.feed(chunk).iter().map(describe));
            assert!(decoder.pending() < TOO_MANY);
            rest = behind;
        }
        events.extend(decoder.flush().iter().map(describe));
    }
    // Ctrl-C works after any input.
    events.extend(decoder.feed(b"\x03").iter().map(describe));
    let last = events.last().map(String::as_str).unwrap_or_default();
    assert!(last.contains("Quit"), "{data:?} ends in {last}");
    events
}

fn describe(event: &TerminalEvent) -> String {
    let action = match event {
        TerminalEvent::Key(key) => KEYS.bound(*key, Mode::Flying).action,
        _ => None,
    };
    format!("{event:?} {action:?}")
}
