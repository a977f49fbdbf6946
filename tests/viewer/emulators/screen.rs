//! A screen to draw on, and the emulators that show it.

use flockscope::picture::Charset;
use flockscope::terminal::{FrameOptions, ScreenEncoder, Tolerance};
use palette::color_difference::EuclideanDistance;
use palette::{IntoColor, Oklab, Srgb};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};

use super::{Emulator, ShownCell};

/// The program's own sequences at the start: the alternate screen, no cursor.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";

pub struct Screen {
    pub encoder: ScreenEncoder,
    pub buffer: Buffer,
    charset: Charset,
    emulators: Vec<Box<dyn Emulator>>,
}

impl Screen {
    /// A screen that all emulators of this process show.
    pub fn new(columns: u16, rows: u16) -> Self {
        Self::on(super::all(columns, rows), Size::new(columns, rows), Charset::Unicode)
    }

    pub fn on(mut emulators: Vec<Box<dyn Emulator>>, size: Size, charset: Charset) -> Self {
        for emulator in &mut emulators {
            emulator.feed(ENTER);
        }
        let encoder = ScreenEncoder::new(size, charset);
        Self { encoder, buffer: Buffer::empty(Rect::from((Position::ORIGIN, size))), charset, emulators }
    }

    /// Leaves out emulators that do not know this symbol.
    pub fn require(&mut self, symbol: &str) {
        self.emulators.retain(|emulator| emulator.knows(symbol));
    }

    /// Whether all emulators know this symbol.
    pub fn knows(&self, symbol: &str) -> bool {
        self.emulators.iter().all(|emulator| emulator.knows(symbol))
    }

    /// Draws a screen.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) {
        self.buffer.reset();
        draw(&mut self.buffer);
        self.encoder.draw_buffer(&self.buffer, self.buffer.area);
    }

    /// Draws a screen and sends all of it, `budget` bytes per frame. Returns the drawn buffer.
    pub fn show(&mut self, options: FrameOptions, draw: impl FnOnce(&mut Buffer)) -> Buffer {
        self.draw(draw);
        self.send(options);
        self.buffer.clone()
    }

    /// Sends one frame, as much as the budget allows.
    pub fn step(&mut self, options: FrameOptions) {
        let mut bytes = Vec::new();
        self.encoder.encode(options, &mut bytes);
        assert!(bytes.len() <= options.budget, "{} of {}", bytes.len(), options.budget);
        for emulator in &mut self.emulators {
            emulator.feed(&bytes);
        }
    }

    /// Sends everything that is missing.
    pub fn send(&mut self, options: FrameOptions) {
        for frames in 0.. {
            self.step(options);
            // Checked afterwards: a stricter tolerance alone causes writes.
            if !self.encoder.is_dirty(false) {
                return;
            }
            assert!(frames < 10_000, "it never ends");
        }
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.encoder.resize(Size::new(columns, rows));
        self.buffer.resize(Rect::new(0, 0, columns, rows));
        for emulator in &mut self.emulators {
            emulator.resize(columns, rows);
        }
    }

    /// The text of a row in the first emulator.
    pub fn row(&self, row: u16) -> String {
        let cells = (0..self.buffer.area.width).filter_map(|column| self.emulators[0].cell(column, row));
        cells.map(|cell| if cell.text.is_empty() { " ".to_owned() } else { cell.text }).collect()
    }

    /// All emulators show exactly this; colors may differ by the tolerance.
    pub fn check(&mut self, wanted: &Buffer, tolerance: Tolerance) {
        for emulator in &mut self.emulators {
            emulator.settle();
            let bold_and_dim = emulator.is_bold_and_dim();
            for place in wanted.area.positions() {
                let (Some(shown), mut wanted) = (emulator.cell(place.x, place.y), wanted[place].clone()) else {
                    continue;
                };
                if wanted.modifier.contains(Modifier::DIM) && !bold_and_dim {
                    wanted.modifier -= Modifier::BOLD;
                }
                let fault = difference(&wanted, &shown, self.charset, tolerance);
                assert!(fault.is_none(), "{}, {place}: {fault:?} {wanted:?} {shown:?}", emulator.name());
            }
        }
    }
}

/// The property in which a cell differs from the drawn one, if any.
fn difference(wanted: &Cell, shown: &ShownCell, charset: Charset, tolerance: Tolerance) -> Option<&'static str> {
    const ON_BLANKS: Modifier = Modifier::REVERSED.union(Modifier::UNDERLINED);
    let mut chars = wanted.symbol().chars();
    let glyph = match (chars.next(), chars.next()) {
        (Some('\u{2800}'), None) => " ".to_owned(),
        (Some(char), None) => charset.substitute(char).to_string(),
        (_, Some(_)) if charset != Charset::Unicode => "?".to_owned(),
        _ => wanted.symbol().to_owned(),
    };
    let is_blank = glyph == " " && !wanted.modifier.intersects(ON_BLANKS);
    let visible = if glyph == " " { ON_BLANKS } else { Modifier::all() };
    let is_dots = matches!(glyph.chars().next(), Some('\u{2801}'..='\u{28ff}'));
    let checks = [
        ("text", glyph == if shown.text.is_empty() { " " } else { &shown.text }),
        ("background", near(wanted.bg, shown.bg, if is_blank { tolerance.blank } else { tolerance.rest })),
        ("foreground", is_blank || near(wanted.fg, shown.fg, if is_dots { tolerance.dots } else { tolerance.rest })),
        ("modifiers", wanted.modifier & visible == shown.modifier & visible),
    ];
    checks.iter().find(|(_, is_right)| !is_right).map(|(name, _)| *name)
}

/// Two of xterm's 256 colors may differ by more than others: they are a visible step apart anyway.
fn near(wanted: Color, shown: Color, tolerance: f32) -> bool {
    let both = matches!((wanted, shown), (Color::Indexed(_), Color::Indexed(_)));
    let most = if both { 1.4 * tolerance } else { tolerance };
    let distance = oklab(wanted).zip(oklab(shown)).map(|(wanted, shown)| wanted.distance(shown));
    wanted == shown || tolerance > 0.0 && distance.is_some_and(|distance| distance <= most + 1e-6)
}

/// The color in `OKLab`, unless the terminal's user chooses it. xterm's colors are those of its `256colres.h`.
fn oklab(color: Color) -> Option<Oklab> {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let rgb = match color {
        Color::Rgb(red, green, blue) => Srgb::new(red, green, blue),
        Color::Indexed(index @ 16..232) => {
            let cube = usize::from(index - 16);
            Srgb::new(LEVELS[cube / 36], LEVELS[cube / 6 % 6], LEVELS[cube % 6])
        }
        Color::Indexed(index @ 232..) => {
            let gray = 8 + 10 * (index - 232);
            Srgb::new(gray, gray, gray)
        }
        _ => return None,
    };
    Some(rgb.into_format::<f32>().into_linear().into_color())
}
