//! Contract: the palette finds and runs everything.

use crate::terminal::{Terminal, gauge};

#[test]
fn a_parameter_can_be_set_and_selected() {
    let mut terminal = Terminal::of_drones();
    terminal.press(":separation.weight 0.5");
    terminal.wait_for_text("▸separation.weight = 0.5");
    terminal.press("\r");
    terminal.wait_for("the value", |screen| (gauge(screen, "separation", "weight")? == "0.5").then_some(()));
    terminal.press(":cohrad\r");
    terminal.wait_for_text("▸radius");
    terminal.wait_for_text("boids move toward their");
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("--set separation.weight=0.5"), "{text}");
}

#[test]
fn counts_rates_and_seeds_can_be_set() {
    let mut terminal = Terminal::of_drones();
    for (typed, done, shown) in [
        ("boids 55", "boids = 55", "55 boids"),
        ("predators 5", "predators = 5", "5 predators"),
        ("rate 31", "rate = 31", "31/31 t/s"),
        ("seed 9", "seed = 9", "seed 9"),
    ] {
        terminal.press(&format!(":{typed}"));
        terminal.wait_for_text(&format!("▸{done}"));
        terminal.press("\r");
        terminal.wait_for_text(shown);
    }
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("-s 9 -n 55 --predators 5 --rate 31"), "{text}");
}

#[test]
fn a_selected_theme_is_previewed() {
    let mut terminal = Terminal::of_drones();
    terminal.press(":theme heather\x1b[B");
    terminal.wait_for_text("heather ");
    terminal.wait_for("the preview", |screen| screen.lines().next()?.trim_end().ends_with("heather").then_some(()));
    terminal.press("\x1b");
    terminal.wait_for("the theme before", |screen| screen.lines().next()?.trim_end().ends_with("neon").then_some(()));
    terminal.press(":theme heather\r");
    terminal.wait_for_text("theme: heather");
    terminal.press(":preset coder\r");
    terminal.wait_for_text("50 boids");
    assert!(terminal.text().lines().next().unwrap().trim_end().ends_with("heather"));
}

#[test]
fn actions_run_and_unknown_names_get_a_suggestion() {
    let mut terminal = Terminal::of_drones();
    terminal.press(":pause\r");
    terminal.wait_for_text("‖ paused");
    terminal.press(":separtaion.wieght");
    terminal.wait_for_text("Did you mean `separation.weight`?");
    terminal.press("\r");
    terminal.wait_for("closed", |screen| (!screen.contains("Did you mean")).then_some(()));
    terminal.press(":speed.max 1e9");
    terminal.wait_for_text("out of range: expected 0 to 1000");
    terminal.press("\x1b");
    terminal.wait_for("closed", |screen| (!screen.contains("out of range")).then_some(()));
    terminal.press(":\t\t");
    terminal.wait_for_text("▸view");
    terminal.press("\x1b[A\x1b[A\x1b[A");
    terminal.wait_for_text("▸mouse plot");
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 0);
}
