//! Splits input into complete sequences: keys, mouse reports, replies and pastes.
//!
//! Replies come many times a second, so one may directly follow a person's Escape or a sequence that was cut off. Neither may
//! turn the rest of the reply into keys.

use std::time::Duration;

/// An escape sequence that pauses for this long was the Escape key.
pub(super) const ESCAPE_TIMEOUT: Duration = Duration::from_millis(50);
/// The rest of a reply or of a paste may take longer.
const REPLY_TIMEOUT: Duration = Duration::from_secs(1);

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
/// Longer sequences are discarded; of a paste the beginning is kept.
const MAX_LENGTH: usize = 1024;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// Terminals remove it from pastes: inside of one that lacks its end, it is the key.
const CTRL_C: u8 = 0x03;

/// Splits bytes that arrive in chunks of any size.
#[derive(Debug, Default)]
pub(super) struct EscapeSplitter {
    /// The incomplete sequence.
    pending: Vec<u8>,
}

/// How a byte relates to the sequence before it.
enum Fit {
    Inside,
    End,
    /// It begins another sequence; the one before is cut off.
    Foreign,
}

impl EscapeSplitter {
    /// Adds bytes. Returns the sequences that are complete.
    pub(super) fn split(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut sequences = Vec::new();
        for byte in bytes {
            self.push(*byte, &mut sequences);
        }
        sequences
    }

    pub(super) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// How long to wait for the rest of the pending bytes; `None` if there are none.
    pub(super) fn timeout(&self) -> Option<Duration> {
        match self.pending.len() {
            0 => None,
            // A key that a person pressed, rather than the beginning of a reply.
            1..=2 => Some(ESCAPE_TIMEOUT),
            _ => Some(REPLY_TIMEOUT),
        }
    }

    /// Ends the pending sequence: a single Escape is the key, and anything else is discarded.
    pub(super) fn flush(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.pending)).filter(|pending| *pending == [ESCAPE])
    }

    fn push(&mut self, byte: u8, sequences: &mut Vec<Vec<u8>>) {
        if self.pending.len() >= MAX_LENGTH {
            if self.pending.starts_with(PASTE_BEGIN) {
                // The last bytes may begin its end.
                self.pending.remove(MAX_LENGTH - PASTE_END.len());
            } else {
                self.pending.clear();
            }
        }
        match fit(&self.pending, byte) {
            Fit::Inside => self.pending.push(byte),
            Fit::End => {
                self.pending.push(byte);
                sequences.push(std::mem::take(&mut self.pending));
            }
            Fit::Foreign => {
                // In a string, the Escape was not the beginning of its end but of another sequence.
                let ends_with_escape = self.pending.len() > 1 && self.pending.last() == Some(&ESCAPE);
                sequences.extend(self.flush());
                if ends_with_escape {
                    self.pending.push(ESCAPE);
                }
                self.push(byte, sequences);
            }
        }
    }
}

fn fit(pending: &[u8], byte: u8) -> Fit {
    match pending {
        [] if byte == ESCAPE => Fit::Inside,
        [ESCAPE, b']' | b'P', string @ ..] => fit_string(string, byte),
        paste if paste.starts_with(PASTE_BEGIN) && byte == CTRL_C => Fit::Foreign,
        paste if paste.starts_with(PASTE_BEGIN) => {
            end_if(byte == b'~' && paste.ends_with(&PASTE_END[..PASTE_END.len() - 1]))
        }
        _ if byte == ESCAPE => Fit::Foreign,
        [] | [ESCAPE] if utf8_length(byte) > 1 => Fit::Inside,
        [ESCAPE] if b"[]PO".contains(&byte) => Fit::Inside,
        // Some terminals put modifiers before the letter.
        [ESCAPE, b'O', ..] => end_if(!(byte.is_ascii_digit() || byte == b';')),
        [] | [ESCAPE] => Fit::End,
        [ESCAPE, b'[', parameters @ ..] => fit_csi(parameters, byte),
        [ESCAPE, char @ ..] | char => fit_utf8(char, byte),
    }
}

/// OSC and DCS end with BEL or `ESC \`.
fn fit_string(string: &[u8], byte: u8) -> Fit {
    let is_escaped = string.last() == Some(&ESCAPE);
    match byte {
        b'\\' if is_escaped => Fit::End,
        _ if is_escaped => Fit::Foreign,
        byte => end_if(byte == BELL),
    }
}

fn fit_csi(parameters: &[u8], byte: u8) -> Fit {
    match (parameters, byte) {
        // Function keys of the Linux console, mouse reports in the old form, and the beginning of a paste.
        ([], b'[' | b'M') | (b"200", b'~') => Fit::Inside,
        // Also rxvt's keys with Shift.
        ([b'['], _) | ([b'0'..=b'9'] | [b'0'..=b'9', b'0'..=b'9'], b'$') => Fit::End,
        ([b'M', report @ ..], _) => end_if(report.len() == 2),
        (_, b' '..=b'~') => end_if(byte >= b'@'),
        _ => Fit::Foreign,
    }
}

fn fit_utf8(char: &[u8], byte: u8) -> Fit {
    match byte {
        0x80..=0xbf => end_if(char.len() + 1 == utf8_length(char[0])),
        _ => Fit::Foreign,
    }
}

fn end_if(is_end: bool) -> Fit {
    if is_end { Fit::End } else { Fit::Inside }
}

fn utf8_length(first_byte: u8) -> usize {
    match first_byte {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(bytes: &str) -> Vec<String> {
        let mut splitter = EscapeSplitter::default();
        let mut sequences = splitter.split(bytes.as_bytes());
        sequences.extend(splitter.flush());
        assert_eq!(splitter.pending(), 0);
        sequences.into_iter().map(|sequence| String::from_utf8(sequence).unwrap()).collect()
    }

    #[test]
    fn sequences_are_split_in_chunks_of_any_size() {
        let sequences = [
            "a",
            "ü",
            "漢",
            "🐦",
            "\x1ba",
            "\x1bü",
            "\x1b[A",
            "\x1b[1;5C",
            "\x1bOP",
            "\x1bO2R",
            "\x1bO5P",
            "\x1b[[A",
            "\x1b[M !!",
            "\r",
            "\x1b[<0;12;9M",
            "\x1b[12;1R",
            "\x1b[?2026;2$y",
            "\x1b]11;rgb:1/2/3\x1b\\",
            "\x1b]11;rgb:1/2/3\x07",
            "\x1bP1$r48:2:1:2:3m\x1b\\",
            "\x1b[?62;22c",
            "\x1b[200~q\x1b[A\r~ü\x1b[201~",
            "\x1b[200~\x1b[201~",
            "\x1b",
        ];
        assert_eq!(split(&sequences.concat()), sequences);
        let mut splitter = EscapeSplitter::default();
        let byte_by_byte = sequences.concat().bytes().flat_map(|byte| splitter.split(&[byte])).count();
        assert_eq!(byte_by_byte, sequences.len() - 1);
    }

    #[test]
    fn truncated_sequences_do_not_affect_the_next_one() {
        // An Escape key right before a reply.
        assert_eq!(split("\x1b\x1b[23;1R"), ["\x1b", "\x1b[23;1R"]);
        assert_eq!(split("\x1b\x1b\x1b[A"), ["\x1b", "\x1b", "\x1b[A"]);
        for truncated in ["\x1b[1;", "\x1b[<0;12", "\x1bO", "\x1b]11;rgb:10", "\x1bP1$r", "\x1b[M ", "\x1b[["] {
            let name = truncated.escape_debug();
            assert_eq!(split(&format!("{truncated}\x1b[23;1Rx")), ["\x1b[23;1R", "x"], "{name}");
            assert!(split(truncated).is_empty(), "{name}");
        }
        let mut splitter = EscapeSplitter::default();
        assert_eq!(splitter.split(b"\xe6\xbca\xf0\x1b[A\xff"), [&b"a"[..], b"\x1b[A", b"\xff"]);
        let endless = [&b"\x1b]"[..], &[b'x'; 2 * MAX_LENGTH], b"\x1b[A"].concat();
        assert_eq!(splitter.split(&endless).last().unwrap(), b"\x1b[A");
    }

    #[test]
    fn long_pastes_keep_their_beginning_and_produce_no_keys() {
        let mut splitter = EscapeSplitter::default();
        let sequences = splitter.split(&[PASTE_BEGIN, &b"qR".repeat(9 * MAX_LENGTH), PASTE_END, b"x"].concat());
        let [paste, key] = &sequences[..] else { panic!("{}", sequences.len()) };
        assert!(paste.starts_with(b"\x1b[200~qRqR") && paste.ends_with(PASTE_END));
        assert_eq!((paste.len(), &key[..]), (MAX_LENGTH, &b"x"[..]));
        // A paste without an end takes no key away.
        assert_eq!(splitter.split(b"\x1b[200~q\x1b[\x03x"), [&b"\x03"[..], b"x"]);
        assert!(splitter.split(b"\x1b[200~q").is_empty() && splitter.flush().is_none());
        assert_eq!(splitter.split(b"x"), [b"x"]);
    }
}
