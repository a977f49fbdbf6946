//! Independent terminal emulators, to which the same bytes are sent.

mod screen;
mod tmux;

use std::num::NonZero;

use alacritty_terminal::event::VoidListener;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Flags;
use alacritty_terminal::term::test::TermSize;
use alacritty_terminal::term::{Config, Term};
use alacritty_terminal::vte::ansi::{self, NamedColor, Processor};
use ratatui::style::{Color, Modifier};

pub use screen::Screen;
pub use tmux::Tmux;

/// A terminal emulator without a window.
pub trait Emulator {
    fn name(&self) -> &'static str;

    fn feed(&mut self, bytes: &[u8]);

    fn resize(&mut self, columns: u16, rows: u16);

    /// Waits until all bytes have been parsed.
    fn settle(&mut self) {}

    /// A cell; `None` for the right half of a wide character.
    fn cell(&self, column: u16, row: u16) -> Option<ShownCell>;

    /// Whether a cell can be bold and dim. Otherwise the last attribute replaces the first.
    fn is_bold_and_dim(&self) -> bool {
        true
    }

    /// Whether it shows this symbol in as many cells as it should.
    fn knows(&self, _symbol: &str) -> bool {
        true
    }
}

/// What an emulator shows in a cell.
#[derive(Debug)]
pub struct ShownCell {
    /// Empty or a space in a blank cell.
    pub text: String,
    pub fg: Color,
    pub bg: Color,
    pub modifier: Modifier,
}

impl ShownCell {
    fn new(text: String, [fg, bg]: [Color; 2], modifiers: &[(Modifier, bool)]) -> Self {
        let set = modifiers.iter().filter(|(_, is_set)| *is_set).map(|(modifier, _)| *modifier);
        Self { text, fg, bg, modifier: set.collect() }
    }
}

/// The emulators that run in this process.
pub fn all(columns: u16, rows: u16) -> Vec<Box<dyn Emulator>> {
    vec![
        Box::new(Vt100::new(columns, rows)),
        Box::new(Avt(avt::Terminal::new(columns.into(), rows.into()).unwrap())),
        Box::new(Alacritty::new(columns, rows)),
    ]
}

/// <https://docs.rs/vt100>
struct Vt100(vt100::Parser);

impl Vt100 {
    fn new(columns: u16, rows: u16) -> Self {
        Self(vt100::Parser::new(NonZero::new(rows).unwrap(), NonZero::new(columns).unwrap(), 0))
    }
}

impl Emulator for Vt100 {
    fn name(&self) -> &'static str {
        "vt100"
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.0.process(bytes);
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.0.screen_mut().set_size(NonZero::new(rows).unwrap(), NonZero::new(columns).unwrap());
    }

    fn cell(&self, column: u16, row: u16) -> Option<ShownCell> {
        let color = |color| match color {
            vt100::Color::Default => Color::Reset,
            vt100::Color::Idx(index) => Color::Indexed(index),
            vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
        };
        let cell = self.0.screen().cell(row, column).unwrap();
        let modifiers = [
            (Modifier::BOLD, cell.bold()),
            (Modifier::DIM, cell.dim()),
            (Modifier::ITALIC, cell.italic()),
            (Modifier::UNDERLINED, cell.underline()),
            (Modifier::REVERSED, cell.inverse()),
        ];
        let shown = ShownCell::new(cell.contents().to_owned(), [cell.fgcolor(), cell.bgcolor()].map(color), &modifiers);
        (!cell.is_wide_continuation()).then_some(shown)
    }

    fn is_bold_and_dim(&self) -> bool {
        false
    }
}

/// asciinema's: <https://docs.rs/avt>
struct Avt(avt::Terminal);

impl Emulator for Avt {
    fn name(&self) -> &'static str {
        "avt"
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(str::from_utf8(bytes).unwrap());
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.0.resize(columns.into(), rows.into());
    }

    fn cell(&self, column: u16, row: u16) -> Option<ShownCell> {
        let color = |color| match color {
            None => Color::Reset,
            Some(avt::Color::Indexed(index)) => Color::Indexed(index),
            Some(avt::Color::RGB(rgb)) => Color::Rgb(rgb.r, rgb.g, rgb.b),
        };
        let cell = self.0.screen().line(row.into()).unwrap().cells()[usize::from(column)];
        let pen = cell.pen();
        let modifiers = [
            (Modifier::BOLD, pen.is_bold()),
            (Modifier::DIM, pen.is_faint()),
            (Modifier::ITALIC, pen.is_italic()),
            (Modifier::UNDERLINED, pen.is_underline()),
            (Modifier::REVERSED, pen.is_inverse()),
        ];
        let colors = [pen.foreground(), pen.background()].map(color);
        (cell.width() > 0).then(|| ShownCell::new(cell.char().to_string(), colors, &modifiers))
    }

    fn is_bold_and_dim(&self) -> bool {
        false
    }

    /// A combining character takes a separate cell: <https://github.com/asciinema/avt/issues/27>.
    fn knows(&self, symbol: &str) -> bool {
        symbol.chars().count() == 1
    }
}

/// <https://docs.rs/alacritty_terminal>
struct Alacritty {
    term: Term<VoidListener>,
    processor: Processor,
}

impl Alacritty {
    fn new(columns: u16, rows: u16) -> Self {
        let config = Config { scrolling_history: 0, ..Config::default() };
        let term = Term::new(config, &TermSize::new(columns.into(), rows.into()), VoidListener);
        Self { term, processor: Processor::new() }
    }
}

impl Emulator for Alacritty {
    fn name(&self) -> &'static str {
        "Alacritty"
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.processor.advance(&mut self.term, bytes);
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.term.resize(TermSize::new(columns.into(), rows.into()));
    }

    fn cell(&self, column: u16, row: u16) -> Option<ShownCell> {
        let color = |color| match color {
            ansi::Color::Named(NamedColor::Foreground | NamedColor::Background) => Color::Reset,
            // The first 16 names have the numbers of their colors.
            ansi::Color::Named(name) => Color::Indexed(u8::try_from(name as usize).unwrap()),
            ansi::Color::Indexed(index) => Color::Indexed(index),
            ansi::Color::Spec(rgb) => Color::Rgb(rgb.r, rgb.g, rgb.b),
        };
        let cell = &self.term.grid()[Line(row.into())][Column(column.into())];
        let flags = [
            (Modifier::BOLD, Flags::BOLD),
            (Modifier::DIM, Flags::DIM),
            (Modifier::ITALIC, Flags::ITALIC),
            (Modifier::UNDERLINED, Flags::UNDERLINE),
            (Modifier::REVERSED, Flags::INVERSE),
        ];
        let modifiers = flags.map(|(modifier, flag)| (modifier, cell.flags.contains(flag)));
        let text = [cell.c].iter().chain(cell.zerowidth().unwrap_or_default()).collect();
        let is_half = cell.flags.contains(Flags::WIDE_CHAR_SPACER);
        (!is_half).then(|| ShownCell::new(text, [cell.fg, cell.bg].map(color), &modifiers))
    }
}
