//! The terminal's current colors and modifiers, and the shortest SGR sequence to change them (ECMA-48; the bright colors, 90 to
//! 97 and 100 to 107, are those of aixterm).

use ratatui::style::{Color, Modifier};

use crate::picture::{CellAttrs, PackedCell, PackedColor, set_bits};

/// Colors and modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pen {
    pub(super) fg: PackedColor,
    /// Background, modifiers and the width of cells that it writes exactly: one column.
    pub(super) attrs: CellAttrs,
}

impl Pen {
    /// The pen after a reset.
    pub(super) const PLAIN: Self = Self::new(PackedColor::DEFAULT, PackedColor::DEFAULT, Modifier::empty());

    pub(super) const fn new(fg: PackedColor, bg: PackedColor, modifier: Modifier) -> Self {
        Self { fg, attrs: CellAttrs::new(bg, modifier, 1) }
    }

    /// The pen that writes a cell exactly.
    #[inline]
    pub(super) fn of(cell: PackedCell) -> Self {
        Self::new(cell.fg(), cell.bg(), cell.modifier())
    }

    /// Writes the change to another pen.
    pub(super) fn change(self, to: Self, bytes: &mut Vec<u8>) {
        if self == to {
            return;
        }
        bytes.extend_from_slice(b"\x1b[");
        if to == Self::PLAIN {
            bytes.extend_from_slice(b"m");
            return;
        }
        let mut from = self;
        let modifier = to.attrs.modifier();
        // To reset everything is shorter than to remove modifiers one by one.
        if !(from.attrs.modifier() - modifier).is_empty() {
            bytes.extend_from_slice(b"0;");
            from = Self::PLAIN;
        }
        // The bits of ratatui are in the order of the numbers of modifiers.
        for bit in set_bits([u64::from((modifier - from.attrs.modifier()).bits())]) {
            bytes.extend_from_slice(&[b'1' + bit as u8, b';']);
        }
        if from.fg != to.fg {
            write_color(to.fg, b'3', bytes);
        }
        if from.attrs.bg() != to.attrs.bg() {
            write_color(to.attrs.bg(), b'4', bytes);
        }
        // The last semicolon becomes the end of the sequence.
        if let Some(last) = bytes.last_mut() {
            *last = b'm';
        }
    }

    /// What the terminal shows when this pen writes a cell.
    #[inline]
    pub(super) fn paint(self, cell: PackedCell) -> PackedCell {
        let mut shown = cell;
        shown.set_bg(self.attrs.bg());
        shown.set_fg(self.fg);
        shown
    }

    /// Whether the pen writes a cell of one column exactly.
    #[inline]
    pub(super) fn is_exact_for(self, cell: PackedCell) -> bool {
        (self.attrs == cell.attrs) & ((self.fg == cell.fg()) | cell.is_blank())
    }
}

/// Writes the numbers of a color, each with a semicolon behind it. `layer` is `3` for the foreground, `4` for the background.
#[inline]
fn write_color(color: PackedColor, layer: u8, bytes: &mut Vec<u8>) {
    match Color::from(color) {
        Color::Indexed(index @ 0..8) => bytes.extend_from_slice(&[layer, b'0' + index, b';']),
        Color::Indexed(index @ 8..16) => {
            // 90 to 97 for the foreground, 100 to 107 for the background.
            bytes.extend_from_slice(if layer == b'3' { b"9" } else { b"10" });
            bytes.extend_from_slice(&[b'0' + index - 8, b';']);
        }
        Color::Indexed(index) => {
            bytes.extend_from_slice(&[layer, b'8', b';', b'5', b';']);
            write_parameter(index, bytes);
        }
        Color::Rgb(red, green, blue) => {
            bytes.extend_from_slice(&[layer, b'8', b';', b'2', b';']);
            write_parameter(red, bytes);
            write_parameter(green, bytes);
            write_parameter(blue, bytes);
        }
        _ => bytes.extend_from_slice(&[layer, b'9', b';']),
    }
}

/// Writes a number and a semicolon.
#[inline]
fn write_parameter(number: u8, bytes: &mut Vec<u8>) {
    let number = usize::from(number);
    push_word(bytes, DIGITS[number].into(), digit_count(number) + 1);
}

/// Writes a control sequence with one parameter: `CSI number last`.
#[inline]
pub(super) fn write_csi(number: usize, last: u8, bytes: &mut Vec<u8>) {
    const CSI: u64 = u16::from_le_bytes(*b"\x1b[") as u64;
    if let Some(digits) = DIGITS.get(number) {
        let count = digit_count(number);
        // The semicolon becomes the last byte.
        let digits = u64::from(*digits) ^ (u64::from(b';' ^ last) << (8 * count));
        push_word(bytes, CSI | (digits << 16), count + 3);
    } else {
        bytes.extend_from_slice(format!("\x1b[{number}{}", char::from(last)).as_bytes());
    }
}

/// Appends the lowest `count` bytes of a word, lowest first. It stores all eight, since a branch on the count would be
/// mispredicted often.
#[inline]
pub(super) fn push_word(bytes: &mut Vec<u8>, word: u64, count: usize) {
    let len = bytes.len() + count;
    bytes.extend_from_slice(&word.to_le_bytes());
    bytes.truncate(len);
}

/// Number of digits of a number below 1000.
#[inline]
const fn digit_count(number: usize) -> usize {
    1 + (number >= 10) as usize + (number >= 100) as usize
}

/// The digits of numbers below 1000, the first one lowest, and a semicolon.
static DIGITS: [u32; 1000] = {
    let mut table = [0; 1000];
    let mut number = 0;
    while number < table.len() {
        let (mut rest, mut text) = (number, b';' as u32);
        let mut count = digit_count(number);
        while count > 0 {
            text = (text << 8) | (b'0' as u32 + (rest % 10) as u32);
            (rest, count) = (rest / 10, count - 1);
        }
        table[number] = text;
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    fn change(from: Pen, to: Pen) -> String {
        let mut bytes = Vec::new();
        from.change(to, &mut bytes);
        std::str::from_utf8(&bytes).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn only_differences_are_written() {
        let pen = |fg: Color, bg: Color, modifier| Pen::new(fg.into(), bg.into(), modifier);
        let none = Modifier::empty();
        let red = pen(Color::Rgb(255, 0, 7), Color::Reset, none);
        assert_eq!(change(Pen::PLAIN, red), "^[38;2;255;0;7m");
        assert_eq!(change(red, Pen::PLAIN), "^[m");
        assert_eq!(change(red, red), "");
        assert_eq!(change(red, pen(Color::Rgb(255, 0, 7), Color::Indexed(99), none)), "^[48;5;99m");
        let bold = pen(Color::LightBlue, Color::Reset, Modifier::BOLD);
        assert_eq!(change(Pen::PLAIN, bold), "^[1;94m");
        assert_eq!(change(bold, pen(Color::LightBlue, Color::DarkGray, none)), "^[0;94;100m");
        assert_eq!(change(red, pen(Color::Reset, Color::Green, none)), "^[39;42m");
    }

    #[test]
    fn modifiers_have_their_numbers() {
        let all = Pen::new(PackedColor::DEFAULT, PackedColor::DEFAULT, Modifier::all());
        assert_eq!(change(Pen::PLAIN, all), "^[1;2;3;4;5;6;7;8;9m");
        for (modifier, number) in [(Modifier::BOLD, 1), (Modifier::UNDERLINED, 4), (Modifier::CROSSED_OUT, 9)] {
            let pen = Pen::new(PackedColor::DEFAULT, PackedColor::DEFAULT, modifier);
            assert_eq!(change(Pen::PLAIN, pen), format!("^[{number}m"));
        }
    }

    #[test]
    fn each_of_the_sixteen_colors_has_its_own_numbers() {
        let numbers = (30..38).chain(90..98).zip((40..48).chain(100..108));
        for (index, (fg, bg)) in (0..16).zip(numbers) {
            let (color, none) = (Color::Indexed(index).into(), Modifier::empty());
            assert_eq!(change(Pen::PLAIN, Pen::new(color, PackedColor::DEFAULT, none)), format!("^[{fg}m"));
            assert_eq!(change(Pen::PLAIN, Pen::new(PackedColor::DEFAULT, color, none)), format!("^[{bg}m"));
        }
    }

    #[test]
    fn numbers_are_written_in_decimal() {
        for number in (0..1100).chain([65_535]) {
            let mut bytes = Vec::new();
            write_csi(number, b'C', &mut bytes);
            assert_eq!(bytes, format!("\x1b[{number}C").as_bytes());
        }
    }
}
