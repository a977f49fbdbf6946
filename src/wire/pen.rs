//! What the terminal writes with, and the shortest way to change it (ECMA-48, SGR).

use ratatui::style::Modifier;

use super::ink::{Ink, Shade, Tint, append};

/// The terminal's colours and modifiers of the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pen {
    pub fg: Tint,
    pub bg: Tint,
    pub modifier: Modifier,
}

impl Pen {
    /// As a terminal has it after a reset.
    pub(super) const PLAIN: Self = Self { fg: Tint::OWN, bg: Tint::OWN, modifier: Modifier::empty() };

    /// Writes how it becomes another pen.
    pub(super) fn change(self, to: Self, out: &mut Vec<u8>) {
        if self == to {
            return;
        }
        out.extend_from_slice(b"\x1b[");
        if to == Self::PLAIN {
            out.push(b'm');
            return;
        }
        let mut from = self;
        let lost = from.modifier - to.modifier;
        // Each modifier that goes costs its own number; the whole reset costs `0;` and what stays.
        if !lost.is_empty() {
            out.extend_from_slice(b"0;");
            from = Self::PLAIN;
        }
        if from.modifier != to.modifier {
            modifiers(to.modifier - from.modifier, out);
        }
        if from.fg != to.fg {
            color(to.fg, b'3', out);
        }
        if from.bg != to.bg {
            color(to.bg, b'4', out);
        }
        // The last semicolon becomes the end.
        if let Some(last) = out.last_mut() {
            *last = b'm';
        }
    }

    /// Whether it writes an ink as it is.
    #[inline]
    pub(super) fn is_of(&self, ink: &Ink) -> bool {
        self.bg == ink.bg && self.modifier == ink.modifier && (self.fg == ink.fg || ink.is_blank())
    }

    /// The pen that an ink needs.
    #[inline]
    pub(super) fn of(ink: &Ink) -> Self {
        Self { fg: ink.fg, bg: ink.bg, modifier: ink.modifier }
    }
}

fn modifiers(modifier: Modifier, out: &mut Vec<u8>) {
    const NUMBERS: [(Modifier, u8); 9] = [
        (Modifier::BOLD, b'1'),
        (Modifier::DIM, b'2'),
        (Modifier::ITALIC, b'3'),
        (Modifier::UNDERLINED, b'4'),
        (Modifier::SLOW_BLINK, b'5'),
        (Modifier::RAPID_BLINK, b'6'),
        (Modifier::REVERSED, b'7'),
        (Modifier::HIDDEN, b'8'),
        (Modifier::CROSSED_OUT, b'9'),
    ];
    for (_, number) in NUMBERS.iter().filter(|(one, _)| modifier.contains(*one)) {
        out.extend_from_slice(&[*number, b';']);
    }
}

/// A colour's numbers, each with a semicolon behind it; `ground` is `3` for what stands before, `4` for what is behind.
#[inline]
fn color(tint: Tint, ground: u8, out: &mut Vec<u8>) {
    match tint.shade() {
        Shade::Own => out.extend_from_slice(&[ground, b'9', b';']),
        Shade::Indexed(index @ 0..8) => out.extend_from_slice(&[ground, b'0' + index, b';']),
        Shade::Indexed(index @ 8..16) => {
            // 90 … 97 before, 100 … 107 behind.
            out.extend_from_slice(if ground == b'3' { b"9" } else { b"10" });
            out.extend_from_slice(&[b'0' + index - 8, b';']);
        }
        Shade::Indexed(index) => {
            out.extend_from_slice(&[ground, b'8', b';', b'5', b';']);
            number(index.into(), out);
            out.push(b';');
        }
        Shade::Rgb(red, green, blue) => {
            out.extend_from_slice(&[ground, b'8', b';', b'2', b';']);
            for channel in [red, green, blue] {
                number(channel.into(), out);
                out.push(b';');
            }
        }
    }
}

/// A number in decimal digits.
#[inline]
pub(super) fn number(number: usize, out: &mut Vec<u8>) {
    if let Some(digits) = DIGITS.get(number) {
        append(*digits, 1 + usize::from(number >= 10) + usize::from(number >= 100), out);
    } else {
        out.extend_from_slice(number.to_string().as_bytes());
    }
}

/// The digits of numbers below a thousand, and what fills them up to four bytes.
static DIGITS: [[u8; 4]; 1000] = {
    let mut numbers = [[0; 4]; 1000];
    let mut number = 0;
    while number < numbers.len() {
        let (mut left, mut digits, mut many) = (number, 0, 0);
        while many == 0 || left > 0 {
            // Each comes before the ones below it.
            digits = (digits << 8) | (b'0' as u32 + (left % 10) as u32);
            (left, many) = (left / 10, many + 1);
        }
        numbers[number] = digits.to_le_bytes();
        number += 1;
    }
    numbers
};

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    fn way(from: Pen, to: Pen) -> String {
        let mut out = Vec::new();
        from.change(to, &mut out);
        String::from_utf8(out).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn only_what_changes_is_written() {
        let pen = |fg: Color, bg: Color, modifier| Pen { fg: fg.into(), bg: bg.into(), modifier };
        let none = Modifier::empty();
        let red = pen(Color::Rgb(255, 0, 7), Color::Reset, none);
        assert_eq!(way(Pen::PLAIN, red), "^[38;2;255;0;7m");
        assert_eq!(way(red, Pen::PLAIN), "^[m");
        assert_eq!(way(red, red), "");
        assert_eq!(way(red, pen(Color::Rgb(255, 0, 7), Color::Indexed(99), none)), "^[48;5;99m");
        let bold = pen(Color::LightBlue, Color::Reset, Modifier::BOLD);
        assert_eq!(way(Pen::PLAIN, bold), "^[1;94m");
        assert_eq!(way(bold, pen(Color::LightBlue, Color::DarkGray, none)), "^[0;94;100m");
        assert_eq!(way(red, pen(Color::Reset, Color::Green, none)), "^[39;42m");
    }

    #[test]
    fn numbers_are_written_in_full() {
        for wanted in (0..1100).chain([65_535]) {
            let mut out = b"#".to_vec();
            number(wanted, &mut out);
            assert_eq!(out, format!("#{wanted}").into_bytes());
        }
    }
}
