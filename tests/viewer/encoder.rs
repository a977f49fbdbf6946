//! Contract: the encoded bytes make a terminal show exactly the drawn cells, whatever it showed
//! before and however few bytes a frame may take, and no more bytes than needed.

use std::num::NonZero;

use flockscope::terminal::{CellRow, Charset, FrameOptions, ScreenEncoder, Tolerance};
use palette::color_difference::EuclideanDistance;
use palette::{IntoColor, Oklab, Srgb};
use proptest::prelude::*;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};

const WHOLE: FrameOptions =
    FrameOptions { tolerance: Tolerance::EXACT, exact_background: false, ..FrameOptions::WHOLE };

/// A screen to draw on, and a terminal that parses the bytes.
struct Pair {
    encoder: ScreenEncoder,
    buffer: Buffer,
    parser: vt100::Parser,
}

impl Pair {
    fn new(columns: u16, rows: u16) -> Self {
        let encoder = ScreenEncoder::new(Size::new(columns, rows), Charset::Unicode);
        let buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let size = |length| NonZero::new(length).unwrap();
        Self { encoder, buffer, parser: vt100::Parser::new(size(rows), size(columns), 0) }
    }

    /// Draws a screen.
    fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) {
        self.buffer.reset();
        draw(&mut self.buffer);
        self.encoder.draw_buffer(&self.buffer, self.buffer.area);
    }

    /// Draws a screen and sends all of it, `budget` bytes per frame. Returns the drawn buffer.
    fn show(&mut self, options: FrameOptions, draw: impl FnOnce(&mut Buffer)) -> Buffer {
        self.draw(draw);
        self.send(options);
        self.buffer.clone()
    }

    /// Sends one frame, as much as the budget allows.
    fn step(&mut self, options: FrameOptions) {
        let mut bytes = Vec::new();
        self.encoder.encode(options, &mut bytes);
        assert!(bytes.len() <= options.budget, "{} of {}", bytes.len(), options.budget);
        self.parser.process(&bytes);
    }

    /// Sends everything that is missing.
    fn send(&mut self, options: FrameOptions) {
        for frames in 0.. {
            self.step(options);
            // Checked afterwards: a stricter tolerance alone causes writes.
            if !self.encoder.is_dirty(false) {
                return;
            }
            assert!(frames < 10_000, "it never ends");
        }
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.encoder.resize(Size::new(columns, rows));
        self.buffer.resize(Rect::new(0, 0, columns, rows));
        let size = |length| NonZero::new(length).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
    }

    /// The terminal shows exactly this; colors may differ by the tolerance.
    fn check(&self, wanted: &Buffer, tolerance: Tolerance) {
        let Rect { width, height, .. } = wanted.area;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (want, show) = (&wanted[(x, y)], self.parser.screen().cell(y, x).unwrap());
            if show.is_wide_continuation() {
                continue;
            }
            let place = format!("column {x}, row {y}");
            let glyph = if want.symbol() == "\u{2800}" { " " } else { want.symbol() };
            assert_eq!(if show.contents().is_empty() { " " } else { show.contents() }, glyph, "{place}");
            let seen = glyph != " " || want.modifier.intersects(Modifier::REVERSED | Modifier::UNDERLINED);
            assert!(near(want.bg, show.bgcolor(), tolerance.rest), "{place}: {want:?} {:?}", show.bgcolor());
            let fg_tolerance = if matches!(glyph.chars().next(), Some('\u{2801}'..='\u{28ff}')) {
                tolerance.dots
            } else {
                tolerance.rest
            };
            assert!(!seen || near(want.fg, show.fgcolor(), fg_tolerance), "{place}: {want:?} {:?}", show.fgcolor());
            let shown = [show.bold(), show.dim(), show.italic()];
            let asked = [Modifier::BOLD, Modifier::DIM, Modifier::ITALIC].map(|one| want.modifier.contains(one));
            assert!(!seen || glyph == " " || shown == asked, "{place}: {want:?}");
            let shown = [show.inverse(), show.underline()];
            assert_eq!(
                shown,
                [Modifier::REVERSED, Modifier::UNDERLINED].map(|one| want.modifier.contains(one)),
                "{place}"
            );
        }
    }
}

fn near(wanted: Color, shown: vt100::Color, tolerance: f32) -> bool {
    match (wanted, shown) {
        (Color::Reset, vt100::Color::Default) => true,
        (Color::Indexed(wanted), vt100::Color::Idx(shown)) => wanted == shown,
        (Color::Rgb(r, g, b), vt100::Color::Rgb(red, green, blue)) => {
            let lab = |rgb: Srgb<u8>| -> Oklab { rgb.into_format::<f32>().into_linear().into_color() };
            lab(Srgb::new(r, g, b)).distance(lab(Srgb::new(red, green, blue))) <= tolerance + 1e-6
        }
        _ => false,
    }
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        2 => Just(Color::Reset),
        2 => (0..16_u8).prop_map(Color::Indexed),
        // Indices from 16 on are left out: `near` knows no tolerance for them.
        4 => (0..4_u8, 0..4_u8).prop_map(|(r, g)| Color::Rgb(120 + r, 60 + 2 * g, 200)),
        1 => any::<[u8; 3]>().prop_map(|[r, g, b]| Color::Rgb(r, g, b)),
    ]
}

fn symbol() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(" "),
        8 => prop::sample::select(vec!["⣿", "⠁", "⢀", "⡇", "\u{2800}", "▀", "│"]),
        3 => prop::sample::select(vec!["a", "Z", "~", "é", "ñ"]),
        1 => prop::sample::select(vec!["鳥", "e\u{301}", "\u{1cd00}"]),
    ]
}

fn modifier() -> impl Strategy<Value = Modifier> {
    prop::sample::select(vec![
        Modifier::empty(),
        Modifier::empty(),
        Modifier::empty(),
        Modifier::BOLD,
        Modifier::DIM | Modifier::UNDERLINED,
        Modifier::REVERSED,
    ])
}

/// Cells to draw: place, symbol, style.
type Cells = Vec<(u16, u16, &'static str, Style)>;

fn cells() -> impl Strategy<Value = Cells> {
    let style = (color(), color(), modifier())
        .prop_map(|(fg, bg, modifier)| Style::reset().fg(fg).bg(bg).add_modifier(modifier));
    prop::collection::vec((0..24_u16, 0..6_u16, symbol(), style), 0..90)
}

fn draw(buffer: &mut Buffer, cells: &Cells) {
    for (x, y, symbol, style) in cells {
        // As ratatui writes text: a wide character takes two cells and is cut off at the edge.
        if *x < buffer.area.width && *y < buffer.area.height {
            buffer.set_string(*x, *y, symbol, *style);
        }
    }
    // The second cell of a wide character is free.
    for index in 1..buffer.content.len() {
        if buffer.content[index - 1].symbol() == "鳥" {
            buffer.content[index].reset();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_terminal_shows_what_was_drawn(
        screens in prop::collection::vec((cells(), 200..900_usize, any::<bool>()), 1..6),
        tolerant in any::<bool>(),
    ) {
        let mut pair = Pair::new(20, 5);
        let tolerance = if tolerant { Tolerance::FINE } else { Tolerance::EXACT };
        for (screen, budget, resized) in &screens {
            if *resized {
                let (columns, rows) = (8 + (budget % 14) as u16, 1 + (budget % 6) as u16);
                pair.resize(columns, rows);
            }
            let options = FrameOptions { budget: *budget, tolerance, ack_row: (budget % 2 == 0).then_some(0), ..WHOLE };
            let shown = pair.show(options, |buffer| draw(buffer, screen));
            pair.check(&shown, tolerance);
        }
    }
}

/// Screens wide enough for more than two words of bits.
const WIDTH: u16 = 150;

/// Drawn on a row: column, character, color.
type Drawn = Vec<(u16, char, Color)>;

/// A frame as the viewer draws it: rows of a flock, with boxes over them or beside.
#[derive(Clone, Debug)]
struct Layered {
    /// Each with its row and its background.
    lines: Vec<(u16, Color, Drawn)>,
    /// Every cell is drawn, as with a sky.
    all: bool,
    boxes: Vec<(Rect, Cells)>,
    /// At most this many bytes per frame.
    budget: usize,
    /// The terminal's content is unknown.
    anew: bool,
}

fn layered() -> impl Strategy<Value = Layered> {
    let sign = prop::sample::select(vec!['⣿', '⠁', '⢀', 'x', ' ', '\u{2800}', '\u{1cd00}']);
    let ground = prop::sample::select(vec![Color::Reset, Color::Reset, Color::Rgb(9, 8, 7)]);
    let line = (0..4_u16, ground, prop::collection::vec((0..WIDTH, sign, color()), 0..40));
    let area = (0..WIDTH, 0..4_u16, 1..30_u16, 1..3_u16).prop_map(|(x, y, width, height)| Rect { x, y, width, height });
    let boxes = prop::collection::vec((area, cells()), 0..3);
    let often = prop::bool::weighted(0.1);
    (prop::collection::vec(line, 0..7), any::<bool>(), boxes, 200..900_usize, often)
        .prop_map(|(lines, all, boxes, budget, anew)| Layered { lines, all, boxes, budget, anew })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn rows_and_overlays_are_shown_as_drawn(
        frames in prop::collection::vec(layered(), 1..6),
        start in prop::sample::select(vec![0, 0, 0, 1, 63, 64, 70]),
        width in 1..WIDTH + 20,
        tolerant in any::<bool>(),
    ) {
        let mut pair = Pair::new(WIDTH, 4);
        let mut wanted = Buffer::empty(Rect::new(0, 0, WIDTH, 4));
        let screen = wanted.area;
        let flock = Rect { x: start, width, ..screen }.intersection(screen);
        for frame in &frames {
            if frame.anew {
                pair.resize(WIDTH, 4);
                wanted.reset();
            }
            let encoder = &mut pair.encoder;
            for (row, ground, drawn) in &frame.lines {
                let mut line = CellRow::new(width);
                line.clear((*ground).into());
                if frame.all {
                    line.cells_mut();
                }
                for column in flock.left()..flock.right() {
                    wanted[(column, *row)] = Cell::EMPTY;
                    wanted[(column, *row)].set_bg(*ground);
                }
                for (column, sign, color) in drawn.iter().filter(|(column, ..)| *column < width) {
                    line.cell_mut((*column).into()).set_char(*sign, (*color).into(), Modifier::empty());
                    if let Some(cell) = wanted.cell_mut((start + column, *row)) {
                        cell.set_char(*sign).set_fg(*color);
                    }
                }
                encoder.draw_row(start, *row, &line);
            }
            for (area, cells) in &frame.boxes {
                // Inside the flock or beside it: a wide character never crosses the border.
                let inside = area.intersection(flock);
                let area = if inside.is_empty() { area.intersection(screen) } else { inside };
                let mut sheet = Buffer::empty(area);
                for (x, y, symbol, style) in cells {
                    if *x < area.width && *y < area.height {
                        sheet.set_string(area.x + x, area.y + y, symbol, *style);
                    }
                }
                for place in area.positions() {
                    wanted[place] = sheet[place].clone();
                }
                encoder.draw_buffer(&sheet, area);
            }
            // Half of it is sent; the next frame continues from there.
            let tolerance = if tolerant && frame.all { Tolerance::FINE } else { Tolerance::EXACT };
            let options = FrameOptions { budget: frame.budget, tolerance, ..WHOLE };
            if frame.budget % 3 == 0 {
                pair.step(options);
                continue;
            }
            pair.send(options);
            pair.check(&wanted, tolerance);
        }
    }
}

/// A screen of braille in slowly changing colors, one step further each time.
fn flock(buffer: &mut Buffer, step: u16) {
    let width = buffer.area.width;
    for (index, cell) in buffer.content.iter_mut().enumerate() {
        let (x, y) = (index as u16 % width, index as u16 / width);
        if (x * 7 + y * 13 + step) % 11 < 3 {
            let hue = ((x + step) * 2) as u8;
            *cell = Cell::new("⠒");
            cell.set_fg(Color::Rgb(100 + hue / 4, 120, 200 - hue / 4));
        }
    }
}

#[test]
fn unchanged_cells_cost_nothing_and_invisible_changes_little() {
    let mut pair = Pair::new(80, 24);
    let count = |pair: &mut Pair, step, tolerance| {
        pair.draw(|buffer| flock(buffer, step));
        let mut bytes = Vec::new();
        pair.encoder.encode(FrameOptions { tolerance, ..WHOLE }, &mut bytes);
        bytes.len()
    };
    assert!(count(&mut pair, 0, Tolerance::EXACT) > 4000);
    assert_eq!(count(&mut pair, 0, Tolerance::EXACT), 0);
    let exact = count(&mut pair, 1, Tolerance::EXACT);
    let fine = count(&mut pair, 2, Tolerance::FINE);
    assert!(fine * 3 < exact, "{fine} against {exact}");
}

#[test]
fn exact_backgrounds_are_corrected_row_by_row_once() {
    let sky = |buffer: &mut Buffer, step: u16| {
        for (index, cell) in buffer.content.iter_mut().enumerate() {
            let (x, y) = (index as u16 % 80, index as u16 / 80);
            let is_bird = (x * 7 + y * 13 + step).is_multiple_of(11);
            *cell = if is_bird { Cell::new("⠒") } else { Cell::EMPTY };
            let shade = 3 * y as u8 + (x % 5) as u8;
            cell.set_fg(Color::Rgb(250, 240, 90)).set_bg(Color::Rgb(30 + shade, 40 + shade, 70));
        }
    };
    let tolerance = Tolerance::FINE;
    let exact = Tolerance { rest: 0.0, ..tolerance };
    for exact_background in [false, true] {
        let (mut pair, options) = (Pair::new(80, 24), FrameOptions { tolerance, exact_background, ..WHOLE });
        let mut wanted = Buffer::empty(Rect::new(0, 0, 80, 24));
        for step in 0..40 {
            wanted = pair.show(options, |buffer| sky(buffer, step));
            pair.check(&wanted, tolerance);
        }
        let mut frames = 0;
        while pair.encoder.is_dirty(exact_background) {
            pair.step(options);
            frames += 1;
        }
        assert_eq!(frames, if exact_background { 23 } else { 0 }, "a row was put right with the last frame");
        if exact_background {
            pair.check(&wanted, exact);
            // In between, the screen may lose all of its rows.
            pair.show(options, |buffer| sky(buffer, 40));
            pair.encoder.resize(Size::ZERO);
            pair.step(options);
        } else {
            let off = std::panic::catch_unwind(|| pair.check(&wanted, exact));
            assert!(off.is_err(), "without that there is something off");
        }
    }
}

#[test]
fn a_row_of_a_thousand_colors_is_exact() {
    let mut pair = Pair::new(1000, 2);
    for turn in 0..2 {
        let shown = pair.show(WHOLE, |buffer| {
            for (index, cell) in buffer.content.iter_mut().enumerate() {
                let [high, low] = ((index * 31 + turn) as u16).to_be_bytes();
                cell.set_symbol("⣿").set_fg(Color::Rgb(high, low, 9)).set_bg(Color::Rgb(low, 7, high));
            }
        });
        pair.check(&shown, Tolerance::EXACT);
    }
}

#[test]
fn busy_rows_do_not_starve_the_others() {
    let mut pair = Pair::new(120, 12);
    let band = FrameOptions { budget: 300, ..WHOLE };
    for step in 0..40 {
        pair.draw(|buffer| {
            // All but the last change faster than they can be written.
            for (at, cell) in (step..).zip(&mut buffer.content[..11 * 120]) {
                cell.set_symbol("⣿").set_fg(Color::Rgb((at * 37 % 251) as u8, 9, (at % 7) as u8));
            }
            buffer.set_string(0, 11, "the last row", Style::new());
        });
        pair.step(band);
    }
    assert!(pair.parser.screen().contents().ends_with("the last row"));
}

#[test]
fn an_empty_row_is_erased() {
    let mut pair = Pair::new(80, 2);
    pair.show(WHOLE, |buffer| buffer.set_string(0, 0, "x".repeat(80), Style::new()));
    pair.draw(|_| ());
    let mut bytes = Vec::new();
    pair.encoder.encode(WHOLE, &mut bytes);
    assert!(bytes.ends_with(b"\x1b[K\x1b[?2026l") && bytes.len() < 30, "{bytes:?}");
    // No bytes are needed to reach the cursor's position.
    pair.show(WHOLE, |buffer| buffer.set_string(0, 0, "x".repeat(80), Style::new()));
    pair.draw(|buffer| buffer.set_string(0, 0, "xy", Style::new()));
    bytes.clear();
    pair.encoder.encode(WHOLE, &mut bytes);
    assert!(bytes.ends_with(b"y\x1b[K\x1b[?2026l"), "{bytes:?}");
}

#[test]
fn cells_cannot_emit_control_sequences() {
    let mut encoder = ScreenEncoder::new(Size::new(10, 1), Charset::Unicode);
    let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 1));
    for (cell, symbol) in buffer.content.iter_mut().zip(["\x1b", "\x07", "\u{9b}", "a\x1b[2J", "\n"]) {
        *cell = Cell::new(symbol);
    }
    encoder.draw_buffer(&buffer, buffer.area);
    let mut bytes = Vec::new();
    encoder.encode(FrameOptions { synchronized: false, ..WHOLE }, &mut bytes);
    let cleared = b"\x1b[m\x1b[H\x1b[2J";
    assert!(bytes.strip_prefix(cleared).is_some_and(|rest| !rest.iter().any(|byte| *byte < 0x20)), "{bytes:?}");
}
