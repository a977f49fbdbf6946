//! Splits input into complete sequences: keys, mouse reports, replies and pastes.
//!
//! Replies come many times a second, so one may directly follow a person's Escape or a sequence that was cut off. Neither may
//! turn the rest of the reply into keys.

use std::time::Duration;

use super::key_sequences::{decode_character, normalize};
use crate::terminal::events::Key;

/// An escape sequence that pauses for this long was the Escape key.
pub(super) const ESCAPE_TIMEOUT: Duration = Duration::from_millis(50);
/// The rest of a reply or of a paste may take longer.
const REPLY_TIMEOUT: Duration = Duration::from_secs(1);
/// Except for a sequence that is too long for a reply.
const OVERLONG_TIMEOUT: Duration = Duration::from_millis(100);

const ESCAPE: u8 = 0x1b;
const BELL: u8 = 0x07;
/// Longer sequences are discarded up to their end; of a paste the beginning is kept.
const MAX_LENGTH: usize = 1024;
/// How many of the last bytes of a longer one are kept: its end, or a key in one that lacks its end.
const TAIL_LENGTH: usize = 32;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
/// No sequence contains it, and terminals remove it from pastes: inside of one that lacks its end, it is the key.
const CTRL_C: u8 = 0x03;

/// Splits bytes that arrive in chunks of any size.
#[derive(Debug, Default)]
pub(super) struct EscapeSplitter {
    /// The incomplete sequence.
    pub(super) pending: Vec<u8>,
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

    /// How long to wait for the rest of the pending bytes; `None` if there are none.
    pub(super) fn timeout(&self) -> Option<Duration> {
        match self.pending.len() {
            0 => None,
            // A key that a person pressed, rather than the beginning of a reply.
            1..=2 => Some(ESCAPE_TIMEOUT),
            MAX_LENGTH.. if !self.pending.starts_with(PASTE_BEGIN) => Some(OVERLONG_TIMEOUT),
            _ => Some(REPLY_TIMEOUT),
        }
    }

    /// Ends the pending sequence: a single Escape is the key, as is Alt with the beginning of a string that no terminal sends
    /// unasked, and anything else is discarded.
    pub(super) fn flush(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.pending))
            .filter(|pending| matches!(pending[..], [ESCAPE] | [ESCAPE, b'X' | b'^' | b'_']))
    }

    fn push(&mut self, byte: u8, sequences: &mut Vec<Vec<u8>>) {
        // Ctrl-C as an escape sequence must also end a paste or a string that lacks its end.
        if let Some(start) = self.pending.iter().rposition(|byte| *byte == ESCAPE)
            && matches!(byte, b'u' | b'~')
            && is_ctrl_c(&[&self.pending[start..], &[byte]].concat())
        {
            self.pending.drain(..start);
        }
        if self.pending.len() >= MAX_LENGTH {
            self.pending.remove(MAX_LENGTH - TAIL_LENGTH);
        }
        match fit(&self.pending, byte) {
            Fit::Inside => self.pending.push(byte),
            Fit::End => {
                self.pending.push(byte);
                let sequence = std::mem::take(&mut self.pending);
                // The parser would take SOS, PM and APC for Alt and further keys, and so the last byte of a sequence with an intermediate
                // byte. Of these, only DECRPM (`$y`) is a reply, and reports of the mouse in the old form have any bytes.
                let is_unknown = match sequence[..] {
                    [ESCAPE, b'[', b'M', ..] => false,
                    [ESCAPE, b'[', .., b' '..=b'/', last @ b'@'..=b'~'] => last != b'y',
                    [ESCAPE, b'X' | b'^' | b'_', ..] => true,
                    _ => false,
                };
                if sequence.len() < MAX_LENGTH && !is_unknown || sequence.starts_with(PASTE_BEGIN) {
                    sequences.push(sequence);
                }
            }
            Fit::Foreign => {
                // In a string, the Escape was not the beginning of its end but of another sequence.
                let ends_with_escape = self.pending.len() > 1 && self.pending.last() == Some(&ESCAPE);
                if ends_with_escape {
                    self.pending.pop();
                }
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
        // Before strings and pastes, which take any other byte.
        [_, ..] if byte == CTRL_C => Fit::Foreign,
        [ESCAPE, b']' | b'P' | b'X' | b'^' | b'_', string @ ..] => fit_string(string, byte),
        paste if paste.starts_with(PASTE_BEGIN) => {
            end_if(byte == b'~' && paste.ends_with(&PASTE_END[..PASTE_END.len() - 1]))
        }
        _ if byte == ESCAPE => Fit::Foreign,
        [] | [ESCAPE] if utf8_length(byte) > 1 => Fit::Inside,
        [ESCAPE] if b"[]PX^_O".contains(&byte) => Fit::Inside,
        // Some terminals put modifiers before the letter.
        [ESCAPE, b'O', ..] => end_if(!(byte.is_ascii_digit() || byte == b';')),
        [] | [ESCAPE] => Fit::End,
        [ESCAPE, b'[', parameters @ ..] => fit_csi(parameters, byte),
        [ESCAPE, char @ ..] | char => fit_utf8(char, byte),
    }
}

/// Whether a sequence is Ctrl-C in the protocol of kitty or in xterm's form.
fn is_ctrl_c(sequence: &[u8]) -> bool {
    decode_character(&normalize(sequence)).is_some_and(Key::is_ctrl_c)
}

/// OSC, DCS, SOS, PM and APC end with BEL or `ESC \`.
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
        assert!(splitter.pending.is_empty());
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
    fn a_sequence_with_an_intermediate_byte_is_no_key() {
        assert_eq!(split("\x1b[ q\x1b[$q\x1b[2 qx"), ["x"]);
        // A reply, and a report of the mouse.
        for kept in ["\x1b[?2026;2$y", "\x1b[M !q"] {
            assert_eq!(split(kept), [kept]);
        }
    }

    #[test]
    fn a_sequence_of_any_length_is_discarded_up_to_its_end() {
        for (begin, end) in [
            ("\x1b]11;", "\x07"),
            ("\x1b]11;", "\x1b\\"),
            ("\x1bP1$r", "\x1b\\"),
            ("\x1b_G", "\x1b\\"),
            ("\x1b^", "\x1b\\"),
            ("\x1bX", "\x1b\\"),
            ("\x1b[1", "m"),
            ("\x1bO1", "P"),
        ] {
            let (name, filling) = (begin.escape_debug(), if "mP".contains(end) { "1;" } else { "rq" });
            for length in [MAX_LENGTH / 2 - 4, MAX_LENGTH, 70 * MAX_LENGTH] {
                let sequence = [begin, &filling.repeat(length), end].concat();
                let is_short_enough = sequence.len() < MAX_LENGTH;
                let is_kept = is_short_enough && !matches!(begin.as_bytes()[1], b'X' | b'^' | b'_');
                assert_eq!(split(&[&sequence, "x"].concat()).len(), 1 + usize::from(is_kept), "{name} {length}");
                // Without an end, Ctrl-C in any form and silence end it.
                let sequence = &sequence[..sequence.len() - end.len()];
                for key in ["\x03", "\x1b[99;5u", "\x1b[27;5;99~"] {
                    assert_eq!(split(&[sequence, key, "x"].concat()), [key, "x"], "{name} {length}");
                }
                let mut splitter = EscapeSplitter::default();
                assert!(splitter.split(sequence.as_bytes()).is_empty());
                let is_short = splitter.timeout() == Some(OVERLONG_TIMEOUT);
                assert!(is_short != is_short_enough && splitter.flush().is_none(), "{name} {length}");
            }
        }
    }

    #[test]
    fn ctrl_c_is_a_key_inside_of_any_sequence() {
        for begin in [
            "\x1b",
            "\x1b[",
            "\x1b[[",
            "\x1b[M ",
            "\x1b[1;",
            "\x1bO",
            "\x1bO5",
            "\x1b]",
            "\x1b]1\x1b",
            "\x1bP",
            "\x1bX",
            "\x1b^",
            "\x1b_",
            "\x1b[200~",
            "\x1b[200~\x1b[20",
            "\x1b\x1b",
        ] {
            let sequences = split(&format!("{begin}\x03x"));
            assert_eq!(sequences[sequences.len() - 2..], ["\x03", "x"], "{}", begin.escape_debug());
        }
        let mut splitter = EscapeSplitter::default();
        assert_eq!(splitter.split(b"\xf0\x9f\x03"), [b"\x03"]);
    }

    #[test]
    fn alt_with_the_beginning_of_a_string_is_a_key_unless_more_follows() {
        for key in ["\x1bX", "\x1b^", "\x1b_"] {
            assert_eq!(split(key), [key]);
            assert_eq!(split(&format!("{key}\x1b[A")), [key, "\x1b[A"]);
            assert_eq!(split(&format!("{key}Gi=31;OK\x1b\\x")), ["x"]);
        }
    }

    #[test]
    fn ctrl_c_ends_a_paste_in_every_form() {
        let filling = "quit~".repeat(MAX_LENGTH);
        for key in ["\x03", "\x1b[99;5u", "\x1b[99;69u", "\x1b[1089::99;5u", "\x1b[27;5;99~", "\x1b[99;7u"] {
            for text in ["", "u", "\x1b[A", &filling] {
                assert_eq!(split(&format!("\x1b[200~{text}{key}x")), [key, "x"], "{}", key.escape_debug());
            }
        }
        let paste = "\x1b[200~\x1b[113u\x1b[99u\x1b[201~";
        assert_eq!(split(paste), [paste]);
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
