//! Where one thing that a terminal sends ends and the next begins: a key, a report of the mouse, an answer, a paste.
//!
//! Answers come many times a second, so a person's Escape stands right before one, and what is cut off in its
//! middle before another: neither may let the rest of that one pass for keys.

/// What begins everything that is longer than a sign.
const ESCAPE: u8 = 0x1b;
/// What ends an answer that is a string, in the short form.
const BELL: u8 = 0x07;
/// No key and no answer is as long as this; what is longer is thrown away. Of a paste the beginning is kept.
const LONGEST: usize = 1024;
/// What a paste stands between.
const PASTE: [&[u8]; 2] = [b"\x1b[200~", b"\x1b[201~"];

/// Cuts bytes into whole pieces, however they come.
#[derive(Debug, Default)]
pub struct EscapeSplitter {
    /// What is not whole yet.
    piece: Vec<u8>,
}

/// What a byte is to the piece before it.
enum Fit {
    /// A part of it.
    Part,
    /// Its end.
    End,
    /// The beginning of another one: that one has been cut off.
    Foreign,
}

impl EscapeSplitter {
    /// The pieces that are whole with these bytes.
    pub fn cut(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut pieces = Vec::new();
        for byte in bytes {
            self.push(*byte, &mut pieces);
        }
        pieces
    }

    /// How many bytes wait for their end.
    pub fn held(&self) -> usize {
        self.piece.len()
    }

    /// Whether what waits may be a key that a person pressed, and not the beginning of what a terminal tells.
    pub fn may_be_key(&self) -> bool {
        self.piece.len() <= 2
    }

    /// Whether it is in the middle of a paste.
    pub fn is_in_paste(&self) -> bool {
        self.piece.starts_with(PASTE[0])
    }

    /// Nothing has followed: an Escape that stands alone is the key, and what was cut off is thrown away.
    pub fn conclude(&mut self) -> Option<Vec<u8>> {
        Some(std::mem::take(&mut self.piece)).filter(|piece| *piece == [ESCAPE])
    }

    fn push(&mut self, byte: u8, pieces: &mut Vec<Vec<u8>>) {
        if self.piece.len() >= LONGEST {
            if self.is_in_paste() {
                // What may be the beginning of its end stays.
                self.piece.remove(LONGEST - PASTE[1].len());
            } else {
                self.piece.clear();
            }
        }
        match fit(&self.piece, byte) {
            Fit::Part => self.piece.push(byte),
            Fit::End => {
                self.piece.push(byte);
                pieces.push(std::mem::take(&mut self.piece));
            }
            Fit::Foreign => {
                // An Escape in a string was to be its end, and begins something else.
                let begun = self.piece.len() > 1 && self.piece.last() == Some(&ESCAPE);
                pieces.extend(self.conclude());
                if begun {
                    self.piece.push(ESCAPE);
                }
                self.push(byte, pieces);
            }
        }
    }
}

fn fit(piece: &[u8], byte: u8) -> Fit {
    match piece {
        [] if byte == ESCAPE => Fit::Part,
        [ESCAPE, b']' | b'P', string @ ..] => fit_string(string, byte),
        paste if paste.starts_with(PASTE[0]) => fit_paste(paste, byte),
        _ if byte == ESCAPE => Fit::Foreign,
        [] | [ESCAPE] if length(byte) > 1 => Fit::Part,
        [ESCAPE] if b"[]PO".contains(&byte) => Fit::Part,
        // Some say so which keys are held with it.
        [ESCAPE, b'O', ..] => whole(!(byte.is_ascii_digit() || byte == b';')),
        [] | [ESCAPE] => Fit::End,
        [ESCAPE, b'[', numbers @ ..] => fit_sequence(numbers, byte),
        [ESCAPE, sign @ ..] | sign => fit_sign(sign, byte),
    }
}

/// In a string, which ends with an Escape and a backslash.
fn fit_string(string: &[u8], byte: u8) -> Fit {
    let escaped = string.last() == Some(&ESCAPE);
    match byte {
        b'\\' if escaped => Fit::End,
        _ if escaped => Fit::Foreign,
        byte => whole(byte == BELL),
    }
}

/// In a paste, which takes everything, until it is said to be over.
fn fit_paste(paste: &[u8], byte: u8) -> Fit {
    whole(byte == b'~' && paste.ends_with(&PASTE[1][..PASTE[1].len() - 1]))
}

/// In a sequence of numbers, which a letter ends.
fn fit_sequence(numbers: &[u8], byte: u8) -> Fit {
    match (numbers, byte) {
        // The Linux console's function keys, a mouse that counts as of old, and a paste, which has only begun.
        ([], b'[' | b'M') | (b"200", b'~') => Fit::Part,
        ([b'['], _) => Fit::End,
        ([b'M', more @ ..], _) => whole(more.len() == 2),
        (_, b' '..=b'~') => whole(byte >= b'@'),
        _ => Fit::Foreign,
    }
}

/// In a sign of several bytes.
fn fit_sign(sign: &[u8], byte: u8) -> Fit {
    match byte {
        0x80..=0xbf => whole(sign.len() + 1 == length(sign[0])),
        _ => Fit::Foreign,
    }
}

fn whole(is_whole: bool) -> Fit {
    if is_whole { Fit::End } else { Fit::Part }
}

/// How many bytes a sign has that begins with this one.
fn length(lead: u8) -> usize {
    match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(bytes: &str) -> Vec<String> {
        let mut cutter = EscapeSplitter::default();
        let mut pieces = cutter.cut(bytes.as_bytes());
        pieces.extend(cutter.conclude());
        assert_eq!(cutter.held(), 0);
        pieces.into_iter().map(|piece| String::from_utf8(piece).unwrap()).collect()
    }

    #[test]
    fn pieces_are_cut_where_they_end_however_they_come() {
        let pieces = [
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
        assert_eq!(cut(&pieces.concat()), pieces);
        let mut cutter = EscapeSplitter::default();
        let one_by_one = pieces.concat().bytes().flat_map(|byte| cutter.cut(&[byte])).count();
        assert_eq!(one_by_one, pieces.len() - 1);
    }

    #[test]
    fn what_is_cut_off_takes_nothing_with_it() {
        // A person's Escape right before an answer.
        assert_eq!(cut("\x1b\x1b[23;1R"), ["\x1b", "\x1b[23;1R"]);
        assert_eq!(cut("\x1b\x1b\x1b[A"), ["\x1b", "\x1b", "\x1b[A"]);
        for torn in ["\x1b[1;", "\x1b[<0;12", "\x1bO", "\x1b]11;rgb:10", "\x1bP1$r", "\x1b[M ", "\x1b[["] {
            assert_eq!(cut(&format!("{torn}\x1b[23;1Rx")), ["\x1b[23;1R", "x"], "{}", torn.escape_debug());
            assert!(cut(torn).is_empty(), "{}", torn.escape_debug());
        }
        let mut cutter = EscapeSplitter::default();
        assert_eq!(cutter.cut(b"\xe6\xbca\xf0\x1b[A\xff"), [&b"a"[..], b"\x1b[A", b"\xff"]);
        // One that never ends.
        let pieces = cutter.cut(&[&b"\x1b]"[..], &[b'x'; 2 * LONGEST], b"\x1b[A"].concat());
        assert_eq!(pieces.last().unwrap(), b"\x1b[A");
    }

    #[test]
    fn of_a_long_paste_the_begin_is_kept_and_nothing_passes_for_keys() {
        let mut cutter = EscapeSplitter::default();
        let pieces = cutter.cut(&[PASTE[0], &b"qR".repeat(9 * LONGEST), PASTE[1], b"x"].concat());
        let [paste, key] = &pieces[..] else { panic!("{}", pieces.len()) };
        assert!(paste.starts_with(b"\x1b[200~qRqR") && paste.ends_with(b"\x1b[201~"));
        assert_eq!((paste.len(), &key[..]), (LONGEST, &b"x"[..]));
        // One that is never said to be over.
        assert!(cutter.cut(b"\x1b[200~q").is_empty() && cutter.conclude().is_none());
        assert_eq!(cutter.cut(b"x"), [b"x"]);
    }
}
