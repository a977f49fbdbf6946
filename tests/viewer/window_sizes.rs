//! Contract: the viewer starts in windows of any size, survives resizing, and redraws the
//! whole screen afterwards.

use std::thread;
use std::time::Duration;

use crate::terminal;
use crate::terminal::{Terminal, dots, is_cooked, viewer};
use portable_pty::PtySize;

/// A window in cells.
fn window(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

/// The window's size; one without a size counts as 80 × 24.
fn resize(terminal: &mut Terminal, window: PtySize) {
    terminal.master.resize(window).unwrap();
    let known = |length, of_old| terminal::size(if length == 0 { of_old } else { length });
    terminal.parser.screen_mut().set_size(known(window.rows, 24), known(window.cols, 80));
}

fn quits(mut terminal: Terminal, when: &str) {
    terminal.press("q");
    assert_eq!(terminal.end().0, 0, "{when}: {}", terminal.text());
    assert!(is_cooked(&terminal), "{when}");
}

#[test]
fn it_starts_in_any_window() {
    for (columns, rows) in
        [(0, 0), (0, 24), (80, 0), (1, 1), (2, 1), (1, 2), (2, 2), (1, 200), (200, 1), (30, 5), (80, 5)]
    {
        let mut terminal = Terminal::sized(window(columns, rows), viewer(&["-s", "1", "-n", "40"]));
        terminal.settle(Duration::from_millis(300));
        if columns == 0 || rows == 0 {
            terminal.wait_for_text("running");
        }
        // Every list, prompt and overlay can be opened.
        for keys in ["?", "\x1b", "0", "\x1b", ":sep", "\x1b", "y", "\r1", "\x1b", "z", "]]", "f", "S", "\x1b"] {
            terminal.press(keys);
            // A key right after an Escape would become Alt plus the key.
            terminal.settle(Duration::from_millis(if keys == "\x1b" { 250 } else { 60 }));
        }
        quits(terminal, &format!("{columns} x {rows}"));
    }
}

#[test]
fn unusual_cell_proportions_keep_circles_round() {
    // Cells of 10 × 26 pixels, then of 10 × 20; the canvas is the screen without panel and status line.
    let pixels =
        |columns, rows, high| PtySize { rows, cols: columns, pixel_width: columns * 10, pixel_height: rows * high };
    let shape = |terminal: &mut Terminal, wanted: f64| {
        terminal.wait_for(&format!("a world of {wanted:.2} : 1"), |screen| {
            let line = screen.lines().find(|line| line.contains(" × "))?;
            let (width, height) = line.trim_end().strip_suffix(" u")?.split_once(" × ")?;
            let width: f64 = width.rsplit([' ', '│']).next()?.parse().ok()?;
            let height: f64 = height.parse().ok()?;
            ((width / height / wanted - 1.0).abs() < 0.02).then_some(())
        });
    };
    let mut terminal = Terminal::sized(pixels(120, 40, 26), viewer(&["-s", "1", "-n", "400"]));
    shape(&mut terminal, 94.0 * 10.0 / (39.0 * 26.0));
    resize(&mut terminal, pixels(120, 30, 20));
    shape(&mut terminal, 94.0 * 10.0 / (29.0 * 20.0));
    // Implausible cell sizes are ignored.
    resize(&mut terminal, pixels(120, 40, 90));
    shape(&mut terminal, 94.0 / (39.0 * 2.0));
    quits(terminal, "with cells of three shapes");
}

#[test]
fn it_fills_a_very_large_window() {
    let mut terminal =
        Terminal::sized(window(1000, 500), viewer(&["-s", "1", "-n", "400", "--fps", "10", "--color", "mono"]));
    terminal.wait_for("the panel", |screen| screen.contains("400 boids").then_some(()));
    terminal.wait_for("dots", |screen| (dots(screen) > 20).then_some(()));
    quits(terminal, "a wall");
}

#[test]
fn it_survives_every_size() {
    let mut terminal = Terminal::new(80, 24, &["-s", "1", "-n", "400"]);
    terminal.tick();
    let sizes = [(1, 1), (2, 1), (0, 0), (1, 200), (79, 24), (200, 50), (10, 4), (300, 3), (0, 5), (80, 9), (120, 40)];
    for keys in ["", ":", "\x1b", "?"] {
        terminal.press(keys);
        for (columns, rows) in sizes {
            resize(&mut terminal, window(columns, rows));
            terminal.settle(Duration::from_millis(60));
        }
    }
    terminal.press("\x1b");
    terminal.settle(Duration::from_millis(250));
    terminal.wait_for("the panel again", |screen| screen.contains("400 boids").then_some(()));
    terminal.wait_for("dots", |screen| (dots(screen) > 20).then_some(()));
    quits(terminal, "after many sizes");
}

#[test]
fn a_thousand_resizes_in_a_second_are_handled() {
    let mut terminal = Terminal::new(120, 40, &["-s", "1", "-n", "400"]);
    terminal.tick();
    for step in 0..1000_u16 {
        resize(&mut terminal, window(20 + step * 7 % 180, 5 + step * 3 % 55));
        if step % 10 == 0 {
            thread::sleep(Duration::from_millis(10));
        }
    }
    resize(&mut terminal, window(120, 40));
    // Content for another size may have scrolled; the whole screen is redrawn.
    terminal.settle(Duration::from_millis(500));
    terminal.wait_for("the panel", |screen| screen.contains("400 boids").then_some(()));
    terminal.wait_for("the status line in its place", |screen| {
        screen.lines().nth(39).filter(|line| line.contains("running") && line.contains("tick ")).map(drop)
    });
    quits(terminal, "after a thousand sizes");
}

#[test]
fn wide_worlds_fit_narrow_windows() {
    for (world, columns, rows) in
        [("2000x50", 20, 40), ("50x2000", 200, 6), ("10000x10000", 5, 3), ("30x30x900", 12, 30)]
    {
        let mut terminal =
            Terminal::new(columns, rows, &["-p", "drones", "-s", "1", "-n", "300", "--clean", "--world", world]);
        terminal.wait_for("dots", |screen| (dots(screen) > 0).then_some(()));
        quits(terminal, world);
    }
}
