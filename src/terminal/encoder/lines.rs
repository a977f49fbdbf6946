//! Writes a buffer as lines of text, for a terminal that shows no screen of the program.

use ratatui::buffer::Buffer;

use super::packed_cell::{GraphemeTable, PackedCell};
use super::pen::{Pen, push_word};
use crate::terminal::Charset;

/// The lines of a buffer without the blank cells at their ends, each followed by a line feed. Every line starts and ends with
/// the default colors: a terminal that scrolls fills the new row with the current background.
pub(crate) fn encode_lines(buffer: &Buffer, charset: Charset) -> Vec<u8> {
    let mut graphemes = GraphemeTable::new(charset);
    let mut bytes = Vec::new();
    for line in buffer.content.chunks(usize::from(buffer.area.width).max(1)) {
        let cells: Vec<PackedCell> = line.iter().map(|cell| graphemes.pack(cell)).collect();
        let end = cells.iter().rposition(|cell| *cell != PackedCell::BLANK).map_or(0, |last| last + 1);
        let (mut pen, mut column) = (Pen::PLAIN, 0);
        while column < end {
            let cell = cells[column];
            let glyph = cell.glyph();
            pen.change(Pen::of(cell), &mut bytes);
            pen = Pen::of(cell);
            if glyph.is_special() {
                bytes.extend_from_slice(graphemes.symbol(glyph).as_bytes());
            } else {
                push_word(&mut bytes, glyph.word(), glyph.len());
            }
            column += cell.width();
        }
        pen.change(Pen::PLAIN, &mut bytes);
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::{Color, Modifier, Style};

    fn lines(buffer: &Buffer, charset: Charset) -> String {
        String::from_utf8(encode_lines(buffer, charset)).unwrap().replace('\x1b', "^")
    }

    #[test]
    fn each_line_ends_with_default_colors_and_without_blanks() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 8, 3));
        buffer.set_string(0, 0, "red", Style::new().fg(Color::Indexed(1)).add_modifier(Modifier::ITALIC));
        buffer.set_string(2, 2, "鳥e\u{301}", Style::new());
        buffer[(7, 2)].set_bg(Color::Rgb(1, 2, 3));
        assert_eq!(lines(&buffer, Charset::Unicode), "^[3;31mred^[m\n\n  鳥e\u{301}  ^[48;2;1;2;3m ^[m\n");
        assert!(lines(&buffer, Charset::Ascii).contains("  ? ?  "));
    }
}
