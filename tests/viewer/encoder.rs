//! Contract: the encoded bytes make every terminal show exactly the drawn cells, whatever it showed
//! before and however few bytes a frame may take, and no more bytes than needed.

use std::panic::{self, AssertUnwindSafe};

use flockscope::picture::{CellRow, Charset, Surface};
use flockscope::terminal::{FrameOptions, ScreenEncoder, Tolerance};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier, Style};

use crate::emulators::{Screen, Tmux};

const WHOLE: FrameOptions =
    FrameOptions { tolerance: Tolerance::EXACT, exact_background: false, ..FrameOptions::WHOLE };

/// A letter and a combining character.
const ACCENTED: &str = "e\u{301}";

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![
        2 => Just(Color::Reset),
        2 => (0..16_u8).prop_map(Color::Indexed),
        1 => (16..=255_u8).prop_map(Color::Indexed),
        4 => (0..4_u8, 0..4_u8).prop_map(|(r, g)| Color::Rgb(120 + r, 60 + 2 * g, 200)),
        1 => any::<[u8; 3]>().prop_map(|[r, g, b]| Color::Rgb(r, g, b)),
    ]
}

fn symbol() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(" "),
        8 => prop::sample::select(vec!["⣿", "⠁", "⢀", "⡇", "\u{2800}", "▀", "│"]),
        3 => prop::sample::select(vec!["a", "Z", "~", "é", "ñ"]),
        1 => prop::sample::select(vec!["鳥", ACCENTED, "\u{1cd00}"]),
    ]
}

fn modifier() -> impl Strategy<Value = Modifier> {
    prop::sample::select(vec![
        Modifier::empty(),
        Modifier::empty(),
        Modifier::empty(),
        Modifier::BOLD,
        Modifier::BOLD | Modifier::DIM,
        Modifier::DIM | Modifier::UNDERLINED,
        Modifier::ITALIC,
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

/// The cells, with a letter in place of symbols that an emulator does not know.
fn known(cells: &Cells, screen: &Screen) -> Cells {
    let symbol = |symbol: &'static str| if screen.knows(symbol) { symbol } else { "k" };
    cells.iter().map(|(x, y, text, style)| (*x, *y, symbol(text), *style)).collect()
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

/// Draws one screen after the other, each with at most this many bytes per frame, some after a resize to another size.
fn play(screen: &mut Screen, screens: &[(Cells, usize, bool)], tolerance: Tolerance) {
    for (cells, budget, resized) in screens {
        if *resized {
            let (columns, rows) = (8 + (budget % 14) as u16, 1 + (budget % 6) as u16);
            screen.resize(columns, rows);
        }
        let options = FrameOptions { budget: *budget, tolerance, ack_row: (budget % 2 == 0).then_some(0), ..WHOLE };
        let cells = known(cells, screen);
        let shown = screen.show(options, |buffer| draw(buffer, &cells));
        screen.check(&shown, tolerance);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_terminal_shows_what_was_drawn(
        screens in prop::collection::vec((cells(), 200..900_usize, any::<bool>()), 1..6),
        [tolerant, combining] in any::<[bool; 2]>(),
    ) {
        let mut screen = Screen::new(20, 5);
        if combining {
            screen.require(ACCENTED);
        }
        play(&mut screen, &screens, if tolerant { Tolerance::FINE } else { Tolerance::EXACT });
    }
}

#[test]
fn tmux_shows_what_was_drawn() {
    let Some(tmux) = Tmux::new("encoder", 20, 5) else { return };
    let mut screen = Screen::on(vec![Box::new(tmux)], Size::new(20, 5), Charset::Unicode);
    let mut runner = TestRunner::deterministic();
    let screens = prop::collection::vec((cells(), 200..900_usize, prop::bool::weighted(0.2)), 40);
    for tolerance in [Tolerance::EXACT, Tolerance::FINE] {
        let screens = screens.new_tree(&mut runner).unwrap().current();
        play(&mut screen, &screens, tolerance);
    }
}

/// Screens wide enough for more than two words of bits.
const WIDTH: u16 = 150;

/// Drawn on a row: column, character, color.
type Drawn = Vec<(u16, char, Color)>;

/// A frame as the viewer draws it: rows of a flock, with boxes over them or beside.
#[derive(Clone, Debug)]
struct Layered {
    /// Each with its row and its background, and with symbols over it.
    lines: Vec<(u16, Color, Drawn, Cells)>,
    /// Every cell is drawn, as with a sky.
    all: bool,
    boxes: Vec<(Rect, Cells)>,
    /// At most this many bytes per frame.
    budget: usize,
    /// The terminal's content is unknown.
    redraws: bool,
}

fn layered() -> impl Strategy<Value = Layered> {
    let sign = prop::sample::select(vec!['⣿', '⠁', '⢀', 'x', ' ', '\u{2800}', '\u{1cd00}']);
    let ground = prop::sample::select(vec![Color::Reset, Color::Reset, Color::Rgb(9, 8, 7)]);
    let symbols = prop_oneof![2 => Just(Vec::new()), 1 => cells()];
    let line = (0..4_u16, ground, prop::collection::vec((0..WIDTH, sign, color()), 0..40), symbols);
    let area = (0..WIDTH, 0..4_u16, 1..30_u16, 1..3_u16).prop_map(|(x, y, width, height)| Rect { x, y, width, height });
    let boxes = prop::collection::vec((area, cells()), 0..3);
    let often = prop::bool::weighted(0.1);
    (prop::collection::vec(line, 0..7), any::<bool>(), boxes, 200..900_usize, often)
        .prop_map(|(lines, all, boxes, budget, redraws)| Layered { lines, all, boxes, budget, redraws })
}

/// Shows a symbol of a row. A wide one takes two cells, or is blank if it does not fit.
fn show_symbol(wanted: &mut Buffer, at: Position, end: u16, mut cell: Cell) {
    if cell.symbol() == "鳥" && at.x + 1 < end {
        wanted[(at.x + 1, at.y)].reset();
    } else if cell.symbol() == "鳥" {
        cell = Cell::EMPTY.clone().set_bg(cell.bg).clone();
    }
    if let Some(shown) = wanted.cell_mut(at) {
        *shown = cell;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn rows_and_overlays_are_shown_as_drawn(
        frames in prop::collection::vec(layered(), 1..6),
        start in prop::sample::select(vec![0, 0, 0, 1, 63, 64, 70]),
        width in 1..WIDTH + 20,
        [tolerant, combining] in any::<[bool; 2]>(),
    ) {
        let mut screen = Screen::new(WIDTH, 4);
        if combining {
            screen.require(ACCENTED);
        }
        let mut wanted = Buffer::empty(Rect::new(0, 0, WIDTH, 4));
        let whole = wanted.area;
        let flock = Rect { x: start, width, ..whole }.intersection(whole);
        for frame in &frames {
            if frame.redraws {
                screen.resize(WIDTH, 4);
                wanted.reset();
            }
            for (row, ground, drawn, symbols) in &frame.lines {
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
                for (column, _, symbol, style) in known(symbols, &screen).iter().filter(|(column, ..)| *column < width) {
                    let mut cell = Cell::new(symbol);
                    cell.set_style(*style);
                    line.set_symbol((*column).into(), cell.clone());
                    show_symbol(&mut wanted, Position::new(start + column, *row), flock.right(), cell);
                }
                screen.encoder.draw_row(start, *row, &line);
            }
            for (area, cells) in &frame.boxes {
                // Inside the flock or beside it: a wide character never crosses the border.
                let inside = area.intersection(flock);
                let area = if inside.is_empty() { area.intersection(whole) } else { inside };
                let mut sheet = Buffer::empty(area);
                for (x, y, symbol, style) in &known(cells, &screen) {
                    if *x < area.width && *y < area.height {
                        sheet.set_string(area.x + x, area.y + y, symbol, *style);
                    }
                }
                for place in area.positions() {
                    wanted[place] = sheet[place].clone();
                }
                screen.encoder.draw_buffer(&sheet, area);
            }
            // Half of it is sent; the next frame continues from there.
            let tolerance = if tolerant && frame.all { Tolerance::FINE } else { Tolerance::EXACT };
            let options = FrameOptions { budget: frame.budget, tolerance, ..WHOLE };
            if frame.budget % 3 == 0 {
                screen.step(options);
                continue;
            }
            screen.send(options);
            screen.check(&wanted, tolerance);
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
    let mut screen = Screen::new(80, 24);
    let count = |screen: &mut Screen, step, tolerance| {
        screen.draw(|buffer| flock(buffer, step));
        let mut bytes = Vec::new();
        screen.encoder.encode(FrameOptions { tolerance, ..WHOLE }, &mut bytes);
        bytes.len()
    };
    assert!(count(&mut screen, 0, Tolerance::EXACT) > 4000);
    assert_eq!(count(&mut screen, 0, Tolerance::EXACT), 0);
    let exact = count(&mut screen, 1, Tolerance::EXACT);
    let fine = count(&mut screen, 2, Tolerance::FINE);
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
        let (mut screen, options) = (Screen::new(80, 24), FrameOptions { tolerance, exact_background, ..WHOLE });
        let mut wanted = Buffer::empty(Rect::new(0, 0, 80, 24));
        for step in 0..40 {
            wanted = screen.show(options, |buffer| sky(buffer, step));
            screen.check(&wanted, tolerance);
        }
        let mut frames = 0;
        while screen.encoder.is_dirty(exact_background) {
            screen.step(options);
            frames += 1;
        }
        assert_eq!(frames, if exact_background { 23 } else { 0 }, "a row was put right with the last frame");
        if exact_background {
            screen.check(&wanted, exact);
            // In between, the screen may lose all of its rows.
            screen.show(options, |buffer| sky(buffer, 40));
            screen.encoder.resize(Size::ZERO);
            screen.step(options);
        } else {
            let off = panic::catch_unwind(AssertUnwindSafe(|| screen.check(&wanted, exact)));
            assert!(off.is_err(), "without that there is something off");
        }
    }
}

#[test]
fn a_row_of_a_thousand_colors_is_exact() {
    let mut screen = Screen::new(1000, 2);
    for turn in 0..2 {
        let shown = screen.show(WHOLE, |buffer| {
            for (index, cell) in buffer.content.iter_mut().enumerate() {
                let [high, low] = ((index * 31 + turn) as u16).to_be_bytes();
                cell.set_symbol("⣿").set_fg(Color::Rgb(high, low, 9)).set_bg(Color::Rgb(low, 7, high));
            }
        });
        screen.check(&shown, Tolerance::EXACT);
    }
}

#[test]
fn busy_rows_do_not_starve_the_others() {
    let mut screen = Screen::new(120, 12);
    let band = FrameOptions { budget: 300, ..WHOLE };
    for step in 0..40 {
        screen.draw(|buffer| {
            // All but the last change faster than they can be written.
            for (at, cell) in (step..).zip(&mut buffer.content[..11 * 120]) {
                cell.set_symbol("⣿").set_fg(Color::Rgb((at * 37 % 251) as u8, 9, (at % 7) as u8));
            }
            buffer.set_string(0, 11, "the last row", Style::new());
        });
        screen.step(band);
    }
    assert_eq!(screen.row(11).trim_end(), "the last row");
}

#[test]
fn an_empty_row_is_erased() {
    let mut screen = Screen::new(80, 2);
    screen.show(WHOLE, |buffer| buffer.set_string(0, 0, "x".repeat(80), Style::new()));
    screen.draw(|_| ());
    let mut bytes = Vec::new();
    screen.encoder.encode(WHOLE, &mut bytes);
    assert!(bytes.ends_with(b"\x1b[K\x1b[?2026l") && bytes.len() < 30, "{bytes:?}");
    // No bytes are needed to reach the cursor's position.
    screen.show(WHOLE, |buffer| buffer.set_string(0, 0, "x".repeat(80), Style::new()));
    screen.draw(|buffer| buffer.set_string(0, 0, "xy", Style::new()));
    bytes.clear();
    screen.encoder.encode(WHOLE, &mut bytes);
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
