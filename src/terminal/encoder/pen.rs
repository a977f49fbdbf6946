//! What the terminal writes with, and the shortest way to change it (ECMA-48, SGR).

use ratatui::style::Modifier;

use super::Tolerance;
use super::byte_buffer::ByteBuffer;
use super::color_distance::ColorDistance;
use super::packed_cell::{CellAttrs, ColorKind, Glyph, PackedCell, PackedColor};

/// The terminal's colors and modifiers of the moment: what it would write a blank of one column with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pen(PackedCell);

impl Pen {
    /// As a terminal has it after a reset.
    pub(crate) const PLAIN: Self = Self(PackedCell::BLANK);

    pub(crate) const fn new(fg: PackedColor, bg: PackedColor, modifier: Modifier) -> Self {
        Self(PackedCell::new(Glyph::BLANK, fg, CellAttrs::new(bg, modifier, 1)))
    }

    /// The pen that an ink needs.
    #[inline]
    pub(crate) fn of(ink: PackedCell) -> Self {
        Self::new(ink.fg(), ink.bg(), ink.modifier())
    }

    /// With this color, and else as an ink is written.
    #[inline]
    pub(crate) fn with(fg: PackedColor, how: CellAttrs) -> Self {
        Self(PackedCell::new(Glyph::BLANK, fg, how))
    }

    pub(crate) fn fg(self) -> PackedColor {
        self.0.fg()
    }

    pub(crate) fn bg(self) -> PackedColor {
        self.0.bg()
    }

    pub(crate) fn modifier(self) -> Modifier {
        self.0.modifier()
    }

    /// Writes how it becomes another pen.
    pub(crate) fn change(self, to: Self, page: &mut ByteBuffer) {
        if self == to {
            return;
        }
        page.write(b"\x1b[");
        if to == Self::PLAIN {
            page.write(b"m");
            return;
        }
        let mut from = self;
        let lost = from.modifier() - to.modifier();
        // Each modifier that goes costs its own number; the whole reset costs `0;` and what stays.
        if !lost.is_empty() {
            page.write(b"0;");
            from = Self::PLAIN;
        }
        if from.modifier() != to.modifier() {
            modifiers(to.modifier() - from.modifier(), page);
        }
        if from.fg() != to.fg() {
            color(to.fg(), b'3', page);
        }
        if from.bg() != to.bg() {
            color(to.bg(), b'4', page);
        }
        // The last semicolon becomes the end.
        page.end(b'm');
    }

    /// What becomes of an ink that it writes.
    #[inline]
    pub(crate) fn ink(self, ink: PackedCell) -> PackedCell {
        let mut shown = ink;
        shown.set_bg(self.bg());
        shown.set_fg(self.fg());
        shown
    }

    /// CellAttrs it writes, but for its own color.
    #[inline]
    pub(crate) const fn how(self) -> CellAttrs {
        self.0.how()
    }

    /// Whether it writes an ink of one column as it is.
    #[inline]
    pub(crate) fn is_of(self, ink: PackedCell) -> bool {
        (self.0.how() == ink.how()) & ((self.0.fg() == ink.fg()) | ink.is_blank())
    }

    /// Whether nobody sees that it writes an ink, but for its own color.
    #[inline]
    pub(crate) fn is_alike_but_for_fg(
        self,
        ink: PackedCell,
        distance: &mut ColorDistance,
        tolerance: Tolerance,
    ) -> bool {
        // Most are just alike.
        self.0.how() == ink.how() || self.is_alike_behind(ink, distance, tolerance)
    }

    #[inline(never)]
    fn is_alike_behind(self, ink: PackedCell, distance: &mut ColorDistance, tolerance: Tolerance) -> bool {
        self.modifier() == ink.modifier() && distance.alike(self.bg(), ink.bg(), tolerance.rest)
    }
}

fn modifiers(modifier: Modifier, page: &mut ByteBuffer) {
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
        page.write(&[*number, b';']);
    }
}

/// A color's numbers, each with a semicolon behind it; `ground` is `3` for what stands before, `4` for what is behind.
#[inline]
fn color(color: PackedColor, ground: u8, page: &mut ByteBuffer) {
    match color.shade() {
        ColorKind::Own => page.write(&[ground, b'9', b';']),
        ColorKind::Indexed(index @ 0..8) => page.write(&[ground, b'0' + index, b';']),
        ColorKind::Indexed(index @ 8..16) => {
            // 90 … 97 before, 100 … 107 behind.
            page.write(if ground == b'3' { b"9" } else { b"10" });
            page.write(&[b'0' + index - 8, b';']);
        }
        ColorKind::Indexed(index) => {
            page.write(&[ground, b'8', b';', b'5', b';']);
            channel(index, page);
        }
        ColorKind::Rgb(red, green, blue) => {
            page.write(&[ground, b'8', b';', b'2', b';']);
            channel(red, page);
            channel(green, page);
            channel(blue, page);
        }
    }
}

/// A number and a semicolon.
#[inline]
fn channel(number: u8, page: &mut ByteBuffer) {
    let number = usize::from(number);
    page.add(DIGITS[number].into(), digits(number) + 1);
}

/// A number in decimal digits.
#[inline]
pub(crate) fn number(number: usize, page: &mut ByteBuffer) {
    if let Some(text) = DIGITS.get(number) {
        page.add((*text).into(), digits(number));
    } else {
        page.write(number.to_string().as_bytes());
    }
}

/// An order to the terminal with one number.
#[inline]
pub(crate) fn order(number: usize, end: u8, page: &mut ByteBuffer) {
    const CSI: u64 = u16::from_le_bytes(*b"\x1b[") as u64;
    if let Some(text) = DIGITS.get(number) {
        let many = digits(number);
        // The semicolon becomes the end.
        let text = u64::from(*text) ^ (u64::from(b';' ^ end) << (8 * many));
        page.add(CSI | (text << 16), many + 3);
    } else {
        page.write(format!("\x1b[{number}{}", char::from(end)).as_bytes());
    }
}

/// CellAttrs many digits a number below a thousand has.
#[inline]
const fn digits(number: usize) -> usize {
    1 + (number >= 10) as usize + (number >= 100) as usize
}

/// The digits of numbers below a thousand, the first one lowest, and a semicolon.
static DIGITS: [u32; 1000] = {
    let mut numbers = [0; 1000];
    let mut number = 0;
    while number < numbers.len() {
        let (mut left, mut text) = (number, b';' as u32);
        let mut many = digits(number);
        while many > 0 {
            // Each comes before the ones below it.
            text = (text << 8) | (b'0' as u32 + (left % 10) as u32);
            (left, many) = (left / 10, many - 1);
        }
        numbers[number] = text;
        number += 1;
    }
    numbers
};

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    fn way(from: Pen, to: Pen) -> String {
        let mut page = ByteBuffer::default();
        from.change(to, &mut page);
        std::str::from_utf8(page.text()).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn only_what_changes_is_written() {
        let pen = |fg: Color, bg: Color, modifier| Pen::new(fg.into(), bg.into(), modifier);
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
            let mut page = ByteBuffer::default();
            page.write(b"#");
            number(wanted, &mut page);
            order(wanted, b'C', &mut page);
            assert_eq!(page.text(), format!("#{wanted}\x1b[{wanted}C").as_bytes());
        }
    }
}
