//! Symbols as cells: those of more than one character get numbers.

use std::collections::HashMap;

use ratatui::buffer::Cell;

use crate::picture::{CellAttrs, Charset, PackedCell, PackedGlyph, symbol_width};

/// Numbers symbols of more than one character, so that they fit into a [`PackedGlyph`].
#[derive(Debug, Default)]
pub(super) struct GraphemeTable {
    charset: Charset,
    numbers: HashMap<String, u32>,
    symbols: Vec<String>,
}

impl GraphemeTable {
    pub(super) fn new(charset: Charset) -> Self {
        Self { charset, ..Self::default() }
    }

    /// Packs a cell of ratatui.
    #[inline]
    pub(super) fn pack(&mut self, cell: &Cell) -> PackedCell {
        let (glyph, width) = self.glyph(cell.symbol());
        PackedCell::new(glyph, cell.fg.into(), CellAttrs::new(cell.bg.into(), cell.modifier, width)).normalize()
    }

    #[inline]
    fn glyph(&mut self, symbol: &str) -> (PackedGlyph, u16) {
        let mut chars = symbol.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) => match self.charset.substitute(char) {
                // ASCII, lines, blocks, braille and octants are one column wide everywhere.
                char @ (' '..='~' | '\u{2500}'..='\u{259f}' | '\u{2801}'..='\u{28ff}' | '\u{1cd00}'..='\u{1cedf}') => {
                    (PackedGlyph::of(char), 1)
                }
                // The braille cell without dots, and control characters, which the terminal would execute.
                '\u{2800}' | '\0'..='\x1f' | '\x7f'..='\u{9f}' => (PackedGlyph::BLANK, 1),
                char => (PackedGlyph::of(char), symbol_width(symbol)),
            },
            (None, _) => (PackedGlyph::BLANK, 1),
            _ if symbol.chars().any(char::is_control) => (PackedGlyph::BLANK, 1),
            _ if matches!(self.charset, Charset::Unicode | Charset::WideAmbiguous) => {
                (self.number(symbol), symbol_width(symbol))
            }
            _ => (PackedGlyph::of('?'), 1),
        }
    }

    fn number(&mut self, symbol: &str) -> PackedGlyph {
        let number = *self.numbers.entry(symbol.to_owned()).or_insert_with(|| {
            self.symbols.push(symbol.to_owned());
            self.symbols.len() as u32 - 1
        });
        PackedGlyph::special(number)
    }

    /// The text of a special glyph.
    #[cold]
    pub(super) fn symbol(&self, glyph: PackedGlyph) -> &str {
        self.symbols.get(glyph.number() as usize).map_or(" ", String::as_str)
    }
}
