//! Contract: screensaver, idle slideshow and intro in a pseudo-terminal.

use std::time::{Duration, Instant};

use crate::terminal::{Terminal, dots, is_cooked, number_after, viewer};

/// The line beneath the name in the intro.
const LINE: &str = "? help   Space pause   q quit";
/// A notch of the mouse wheel over the flock.
const WHEEL: &str = "\x1b[<64;20;10M";

#[test]
fn any_key_ends_the_screensaver_and_restores_the_terminal() {
    for key in ["x", " ", "\x1b[A", "?", "\x1b", "\r", WHEEL] {
        let mut terminal = Terminal::new(100, 30, &["--screensaver", "-s", "3", "-n", "300"]);
        terminal.wait_for("dots", |screen| (dots(screen) > 50).then_some(()));
        let screen = terminal.parser.screen();
        assert!(screen.alternate_screen() && screen.hide_cursor());
        for word in ["separation", "tick", "help", "running"] {
            assert!(!terminal.text().contains(word), "{word}\n{}", terminal.text());
        }
        // The key that started it may still be down.
        terminal.settle(Duration::from_millis(400));
        terminal.press(key);
        let (status, text) = terminal.end();
        let screen = terminal.parser.screen();
        assert_eq!(status, 0, "{key:?}: {text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && is_cooked(&terminal), "{key:?}");
        assert!(text.starts_with("flockscope -p starlings -s 3 -n 300"), "{text}");
    }
}

#[test]
fn a_key_restores_an_idle_screen() {
    // Three seconds.
    let mut terminal = Terminal::new(100, 30, &["--idle", "0.05", "-s", "3", "-n", "200", "--no-intro"]);
    terminal.wait_for_text("separation");
    terminal.press("t?");
    terminal.wait_for_text("Select the parameter above.");
    terminal.wait_for("the flock alone", |screen| {
        let bare = ["parameter", "separation", "running"].iter().all(|word| !screen.contains(word));
        (bare && dots(screen) > 20).then_some(())
    });
    // The key only wakes the screen: open boxes are open again.
    terminal.press("q");
    terminal.wait_for_text("Select the parameter above.");
    terminal.press("\x1b");
    terminal.wait_for_text("seed 3");
    assert!(terminal.text().contains("sakura"), "{}", terminal.text());
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_paused_viewer_does_not_become_idle() {
    let mut terminal = Terminal::new(100, 30, &["--idle", "0.03", "-s", "3", "-n", "200", "--no-intro"]);
    terminal.wait_for_text("separation");
    terminal.press(" ");
    terminal.wait_for_text("paused");
    terminal.settle(Duration::from_millis(2600));
    assert!(terminal.text().contains("separation"), "{}", terminal.text());
}

#[test]
fn a_key_ends_a_slideshow_started_from_the_palette() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "200", "--no-intro"]);
    terminal.wait_for_text("200 boids");
    for wakes in ["x", WHEEL] {
        terminal.press(":screensaver\r");
        terminal.wait_for("the flock alone", |screen| (!screen.contains("200 boids")).then_some(()));
        terminal.press(wakes);
        terminal.wait_for_text("200 boids");
        assert!(!terminal.text().contains("zoom"), "{}", terminal.text());
    }
}

#[test]
fn the_wheel_counts_as_input() {
    let mut terminal = Terminal::new(100, 30, &["--idle", "0.04", "-s", "3", "-n", "200", "--no-intro"]);
    terminal.wait_for_text("200 boids");
    for _ in 0..5 {
        terminal.press(WHEEL);
        terminal.settle(Duration::from_millis(700));
        assert!(terminal.text().contains("200 boids"), "{}", terminal.text());
    }
    terminal.wait_for("the flock alone", |screen| (!screen.contains("200 boids")).then_some(()));
}

#[test]
fn the_intro_appears_and_disappears() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "100"]);
    terminal.wait_for_text(LINE);
    assert!(terminal.text().contains("running"), "the flock flies from the first frame");
    terminal.wait_for("the flock alone", |screen| (!screen.contains(LINE)).then_some(()));
    let tick = terminal.tick();
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 20));
}

#[test]
fn a_key_ends_the_intro_and_works() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "100"]);
    terminal.wait_for_text(LINE);
    let begun = Instant::now();
    terminal.press(" ");
    terminal.wait_for_text("paused");
    terminal.wait_for("the flock alone", |screen| (!screen.contains(LINE)).then_some(()));
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
}

#[test]
fn the_intro_is_skipped_where_documented() {
    type Place = (&'static [&'static str], &'static [(&'static str, &'static str)], (u16, u16));
    let places: [Place; 9] = [
        (&["--clean"], &[], (100, 30)),
        (&["--screensaver"], &[], (100, 30)),
        (&["--no-intro"], &[], (100, 30)),
        (&["--duration", "1m"], &[], (100, 30)),
        (&["--color", "16"], &[], (100, 30)),
        (&[], &[("NO_COLOR", "1")], (100, 30)),
        (&[], &[("SSH_TTY", "/dev/pts/9")], (100, 30)),
        (&[], &[("SSH_CONNECTION", "10.0.0.1 5000 10.0.0.2 22")], (100, 30)),
        (&[], &[], (43, 12)),
    ];
    for (args, environment, (columns, rows)) in places {
        let mut command = viewer(&[&["-s", "3", "-n", "100"], args].concat());
        for (name, value) in environment {
            command.env(name, value);
        }
        let mut terminal = Terminal::with(columns, rows, command);
        terminal.wait_for("dots", |screen| (dots(screen) > 10).then_some(()));
        let end = Instant::now() + Duration::from_millis(1700);
        while Instant::now() < end {
            terminal.settle(Duration::from_millis(20));
            assert!(!terminal.text().contains("pause   q quit"), "{args:?} {environment:?}");
        }
    }
}
