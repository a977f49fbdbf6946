//! Contract: the mouse works over the flock, the panel and the lists, and the terminal gets it back.

use std::time::Duration;

use crate::terminal::{Terminal, gauge, number_after, viewer};
use vt100::{MouseProtocolEncoding as Encoding, MouseProtocolMode as Mode};

const LEFT: u8 = 0;
const MIDDLE: u8 = 1;
const RIGHT: u8 = 2;
/// The wheel, away from the user.
const WHEEL_UP: u8 = 64;
/// A motion report.
const MOVED: u8 = 32;
/// A motion without a button.
const BARE: u8 = 35;

#[test]
fn a_held_button_attracts_or_repels() {
    let mut terminal = Terminal::of_drones();
    for (button, state) in [(LEFT, "attracting"), (RIGHT, "repelling")] {
        terminal.mouse(button, (30, 20), true);
        terminal.wait_for_text(state);
        terminal.mouse(button + MOVED, (35, 22), true);
        terminal.settle(Duration::from_millis(100));
        terminal.wait_for_text(state);
        terminal.mouse(button, (35, 22), false);
        terminal.wait_for_text("▶ running");
    }
}

/// A report that may mean that the button was released.
type End = fn(&mut Terminal);

#[test]
fn a_lost_release_is_detected() {
    let mut terminal = Terminal::of_drones();
    let ends: [(&str, End); 5] = [
        ("another window has the focus", |terminal| terminal.press("\x1b[O")),
        ("a motion without a button", |terminal| terminal.mouse(BARE, (31, 20), true)),
        ("a box", |terminal| terminal.press("y\x1b")),
        ("a pause", |terminal| terminal.press("  ")),
        ("beside the flock", |terminal| terminal.mouse(LEFT + MOVED, (100, 2), true)),
    ];
    for (what, end) in ends {
        terminal.mouse(LEFT, (30, 20), true);
        terminal.wait_for_text("attracting");
        end(&mut terminal);
        terminal.wait_for(what, |screen| screen.contains("▶ running").then_some(()));
        terminal.settle(Duration::from_millis(60));
    }
    // Another button takes over.
    terminal.mouse(LEFT, (30, 20), true);
    terminal.wait_for_text("attracting");
    terminal.mouse(RIGHT, (30, 20), true);
    terminal.wait_for_text("repelling");
}

#[test]
fn the_timeline_is_clicked_dragged_and_scrolled() {
    let mut terminal = Terminal::of_drones();
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 100));
    terminal.press(" ");
    terminal.wait_for_text("paused");
    let (_, row) = terminal.place_of(" now ");
    let end = terminal.tick();
    let at = |tick: u64| move |screen: &str| (number_after(screen, "tick ")? == tick).then_some(());
    terminal.mouse(LEFT, (8, row), true);
    terminal.wait_for("the first tick", at(0));
    terminal.mouse(LEFT + MOVED, (30, row - 9), true);
    terminal.wait_for("a tick between", |screen| number_after(screen, "tick ").filter(|tick| (1..end).contains(tick)));
    terminal.mouse(LEFT + MOVED, (100, row), true);
    terminal.wait_for("the last tick", at(end));
    terminal.mouse(LEFT, (8, row), false);
    terminal.wait_for("the first tick", at(0));
    terminal.mouse(WHEEL_UP, (20, row), true);
    terminal.wait_for("a second", at(60));
    terminal.mouse(WHEEL_UP + 1, (20, row), true);
    terminal.wait_for("the first tick", at(0));
    // Ticks go on after a drag, as before it.
    terminal.press(" ");
    terminal.click(LEFT, (8, row));
    terminal.wait_for_text("▶ running");
    // During the move to the first tick the screen may say neither.
    terminal.wait_for("later ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 30));
    terminal.wait_for("now", |screen| (!screen.contains(" past ")).then_some(()));
    assert!(terminal.tick() >= end, "no command was sent");
}

#[test]
fn gauges_can_be_clicked_dragged_and_scrolled() {
    let mut terminal = Terminal::of_drones();
    terminal.press("i");
    terminal.wait_for_text("‹linear›");
    let read = |screen: &str| gauge(screen, "separation", "weight");
    let (column, row) = terminal.place_of("weight ");
    // A bar is nine cells wide, after a name of eight; its end is eight times the preset's value.
    let bar = column + 8;
    terminal.mouse(LEFT, (bar + 8, row), true);
    terminal.wait_for("the bar's end", |screen| (read(screen)? == "0.008").then_some(()));
    terminal.mouse(LEFT + MOVED, (bar, row), true);
    terminal.wait_for("its beginning", |screen| (read(screen)? == "0").then_some(()));
    // Outside the bar the drag continues.
    terminal.mouse(LEFT + MOVED, (3, 30), true);
    terminal.mouse(LEFT, (3, 30), false);
    terminal.settle(Duration::from_millis(100));
    terminal.wait_for("still", |screen| (read(screen)? == "0").then_some(()));
    terminal.wait_for_text("▸weight");
    // A drag is one undo step.
    terminal.press("u");
    terminal.wait_for_text("undo: separation.weight = 0.001");
    terminal.mouse(65, (column + 2, row), true);
    terminal.wait_for_text("▸radius");
    let place = terminal.place_of("‹linear›");
    terminal.click(LEFT, place);
    terminal.wait_for_text("‹inverse›");
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("--set separation.falloff=inverse") && !text.contains("weight"), "{text}");
}

#[test]
fn two_clicks_at_one_place_change_one_parameter() {
    // A list longer than its area; the last visible gauge.
    let mut terminal = Terminal::new(80, 24, &["-p", "drones", "-s", "1"]);
    terminal.wait_for_text("▶ running");
    terminal.press(&format!("i{}", "\x1b[B".repeat(11)));
    let (column, row) = terminal.place_of("▸weight  ━━━┼─── 0.00005");
    assert_eq!(row, 17, "the last one: {}", terminal.text());
    terminal.press(&"\x1b[A".repeat(3));
    terminal.wait_for_text("▸radius");
    let bar = (column + 9, row);
    let read = |screen: &str| gauge(screen, "flee", "weight");
    terminal.mouse(LEFT, (bar.0 + 8, bar.1), true);
    terminal.mouse(LEFT, (bar.0 + 8, bar.1), false);
    terminal.wait_for("the bar's end", |screen| (read(screen)? == "0.0004").then_some(()));
    terminal.click(LEFT, bar);
    terminal.wait_for("its beginning", |screen| (read(screen)? == "0").then_some(()));
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("--set flee.weight=0") && text.matches("--set").count() == 1, "{text}");
}

#[test]
fn list_entries_can_be_clicked() {
    let mut terminal = Terminal::of_drones();
    terminal.press("0");
    let place = terminal.place_of(" coderholic");
    terminal.click(LEFT, place);
    terminal.wait_for_text("50 boids");
    terminal.press(":theme abyss");
    let place = terminal.place_of("▸theme abyss");
    terminal.click(LEFT, place);
    terminal.wait_for("closed", |screen| (!screen.contains("parameters, presets")).then_some(()));
    terminal.wait_for_text("abyss");
    // A click outside closes the box.
    terminal.press("?");
    terminal.wait_for_text("Select the parameter above.");
    terminal.click(LEFT, (1, 1));
    terminal.wait_for("closed", |screen| (!screen.contains("Select the parameter above.")).then_some(()));
}

#[test]
fn obstacles_can_be_added_moved_and_removed() {
    let mut terminal = Terminal::of_drones();
    terminal.click(MIDDLE, (30, 20));
    terminal.wait_for_text("obstacle placed");
    terminal.mouse(MIDDLE, (30, 20), true);
    terminal.mouse(MIDDLE + MOVED, (50, 10), true);
    terminal.settle(Duration::from_millis(200));
    terminal.mouse(MIDDLE, (50, 10), false);
    terminal.click(MIDDLE, (50, 10));
    terminal.wait_for_text("obstacle removed");
    // With the key: at the last position of the mouse.
    terminal.press("o");
    terminal.wait_for_text("obstacle placed");
    terminal.press("o");
    terminal.wait_for_text("obstacle removed");
}

#[test]
fn zones_at_the_border_are_moved_inside() {
    let mut terminal = Terminal::new(120, 40, &["-p", "starlings", "-s", "1"]);
    terminal.wait_for_text("▶ running");
    terminal.click(MIDDLE, (0, 0));
    terminal.wait_for_text("obstacle placed");
    terminal.settle(Duration::from_millis(300));
    let screen = terminal.text();
    assert!(!screen.contains("wholly inside"), "{screen}");
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("--zone obstacle:"), "{text}");
}

#[test]
fn without_a_mouse_an_obstacle_is_added_in_the_center() {
    let mut terminal = Terminal::new(120, 40, &["-p", "sphere", "-s", "1"]);
    terminal.wait_for_text("▶ running");
    terminal.press("o");
    terminal.wait_for_text("obstacle placed");
    terminal.press(":remove-zone\r");
    terminal.wait_for_text("obstacle removed");
    terminal.press(":clear-zones\r");
    terminal.wait_for_text("no zones to remove");
}

#[test]
fn the_wheel_zooms_around_the_pointer() {
    let mut terminal = Terminal::of_drones();
    terminal.mouse(64, (20, 10), true);
    terminal.wait_for_text("zoom 1.");
    terminal.mouse(65, (20, 10), true);
    terminal.wait_for_text("whole world");
}

#[test]
fn mouse_reporting_is_turned_off_on_exit_and_with_no_mouse() {
    for (args, listens) in [(&["-s", "1"][..], true), (&["-s", "1", "--no-mouse"], false)] {
        let mut terminal = Terminal::with(100, 30, viewer(args));
        terminal.wait_for_text("▶ running");
        let modes = |terminal: &Terminal| {
            let screen = terminal.parser.screen();
            (screen.mouse_protocol_mode(), screen.mouse_protocol_encoding())
        };
        let expected = if listens { (Mode::ButtonMotion, Encoding::Sgr) } else { (Mode::None, Encoding::Default) };
        assert_eq!(modes(&terminal), expected);
        terminal.press("q");
        terminal.end();
        assert_eq!(modes(&terminal), (Mode::None, Encoding::Default));
    }
}
