//! Contract: the page of plots shows the measures over time, is used with keys and mouse, and can be saved.

use std::fs;

use crate::terminal::{Terminal, dots, viewer};
use tempfile::TempDir;

const LEFT: u8 = 0;

#[test]
fn the_page_shows_measures_and_changes_of_rules() {
    let mut terminal = Terminal::of_drones();
    terminal.press("g");
    terminal.wait_for("the flock above the plots", |screen| {
        (screen.contains("g plots alone") && dots(screen) > 50).then_some(())
    });
    terminal.press("g");
    for text in ["drones, seed 1", "polarization", "rotation", "nearest neighbor (u)", "last 1000 ticks", "[ zoom"] {
        terminal.wait_for_text(text);
    }
    terminal.wait_for("a time axis", |screen| {
        screen.lines().any(|line| line.contains(" 800 ") && line.contains(" tick ")).then_some(())
    });
    terminal.wait_for("a line", |screen| (dots(screen) > 2).then_some(()));
    terminal.press("\x1b[C");
    terminal.wait_for_text("▾separation.weight = 0.002");
    terminal.press("]");
    terminal.wait_for_text("last 500 ticks");
    terminal.press("v");
    terminal.wait_for("a phase plot", |screen| {
        let is_bottom = screen.lines().nth(37)?.contains("polarization");
        (is_bottom && screen.contains('●')).then_some(())
    });
    // Another run starts another series.
    terminal.press("vR");
    terminal.wait_for("an empty axis", |screen| (!screen.contains("▾separation.weight")).then_some(()));
    terminal.press("q");
    terminal.wait_for("the flock", |screen| (!screen.contains("last 500 ticks")).then_some(()));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn measures_are_chosen_from_a_list() {
    let mut terminal = Terminal::of_drones();
    terminal.press("M");
    terminal.wait_for_text("measures to plot");
    terminal.wait_for_text("▸ 1 polarization");
    terminal.press("\r");
    terminal.wait_for_text("▸   polarization");
    let place = terminal.place_of("mean speed");
    terminal.click(LEFT, place);
    terminal.wait_for_text("▸ 3 mean speed");
    terminal.press("\x1b");
    terminal.wait_for_text("mean speed (u/tick)");
}

#[test]
fn a_click_on_a_sparkline_opens_its_plot() {
    let mut terminal = Terminal::of_drones();
    let place = terminal.place_of("nearest neighbor");
    terminal.click(LEFT, place);
    terminal.wait_for_text("nearest neighbor (u)");
    terminal.wait_for("one plot", |screen| (!screen.contains("rotation")).then_some(()));
    // The wheel over the page changes the window.
    terminal.mouse(64, (20, 30), true);
    terminal.wait_for_text("last 500 ticks");
    terminal.press("gg");
    terminal.wait_for("the flock", |screen| (!screen.contains("last 500 ticks")).then_some(()));
}

#[test]
fn measures_and_plots_are_saved_together() {
    let home = TempDir::new().unwrap();
    let mut command = viewer(&["-p", "drones", "-s", "3"]);
    command.cwd(home.path());
    let mut terminal = Terminal::with(120, 40, command);
    terminal.wait_for("a measure", |screen| screen.contains("nearest neighbor").then_some(()));
    terminal.tick();
    terminal.press("\x1b[C");
    terminal.press(" ");
    terminal.wait_for_text("‖ paused");
    terminal.press("G");
    terminal.wait_for_text("measures saved as ");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    let mut names: Vec<String> =
        fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let [csv, png] = &names[..] else { panic!("{names:?}") };
    assert!(csv.starts_with("drones-3-") && csv.ends_with("-measures.csv"), "{csv}");
    assert_eq!(png.strip_suffix("-plots.png"), csv.strip_suffix("-measures.csv"));
    assert!(fs::read(home.path().join(png)).unwrap().starts_with(b"\x89PNG"));
    let text = fs::read_to_string(home.path().join(csv)).unwrap();
    let mut rows = text.lines();
    assert!(rows.next().unwrap().starts_with("tick,polarization,"), "{text}");
    assert!(rows.next().unwrap().starts_with("0,"), "{text}");
    assert!(text.contains(",separation.weight=0.002\n"), "{text}");
}
