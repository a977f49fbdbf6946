//! Contract: features of the simulation can be turned on in the viewer, and the
//! screen shows their effect.

use std::collections::BTreeSet;
use std::time::Duration;

use crate::terminal::{BAR, Terminal, number_after};
use vt100::{Color, Screen};

/// The screen's size, and the flock's part of it.
const SCREEN: (u16, u16) = (120, 40);
const FLOCK: (u16, u16) = (92, 38);

fn viewer(args: &[&str]) -> Terminal {
    let mut terminal = Terminal::new(SCREEN.0, SCREEN.1, &[args, &["-s", "1", "--no-intro", "-t", "dusk"]].concat());
    terminal.wait_for_text("▶ running");
    terminal
}

/// Sets a parameter in the palette, and waits until its gauge shows it.
fn set(terminal: &mut Terminal, key: &str, value: &str) {
    terminal.press(&format!(":{key} {value}\r"));
    terminal.wait_for_text(&format!("\n {key} "));
    let name = key.rsplit('.').next().unwrap();
    terminal.wait_for(key, |screen| {
        let line = screen.lines().find(|line| line.contains(&format!("▸{name} ")))?;
        let figure = line.rsplit(BAR).next()?.trim();
        let number = figure.trim_end_matches(|sign: char| !sign.is_ascii_digit());
        (number == value || line.contains(&format!("‹{value}›"))).then_some(())
    });
}

/// Runs an action in the palette, and waits for its message.
fn act(terminal: &mut Terminal, action: &str, answer: &str) {
    terminal.press(&format!(":{action}\r"));
    terminal.wait_for(answer, |screen| {
        let last = screen.lines().last()?;
        (last.trim() == answer).then_some(())
    });
}

/// A non-empty cell in the flock's part of the screen.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    column: u16,
    row: u16,
    sign: String,
    color: Color,
    bold: bool,
}

fn drawn(screen: &Screen) -> Vec<Drawn> {
    let places = (0..FLOCK.1).flat_map(|row| (0..FLOCK.0).map(move |column| (column, row)));
    let drawn = places.filter_map(|(column, row)| {
        let cell = screen.cell(row, column)?;
        let (sign, color, bold) = (cell.contents().to_owned(), cell.fgcolor(), cell.bold());
        // The border of the world is no boid.
        let is_boid = !sign.trim().is_empty() && !sign.contains(['─', '│', '╌', '╎', '┌', '┐', '└', '┘']);
        is_boid.then_some(Drawn { column, row, sign, color, bold })
    });
    drawn.collect()
}

fn colors(screen: &Screen) -> BTreeSet<[u8; 3]> {
    let colors = drawn(screen).into_iter().filter_map(|cell| match cell.color {
        Color::Rgb(r, g, b) => Some([r, g, b]),
        _ => None,
    });
    colors.collect()
}

/// The flock's part of the screen, without colors, which may differ by an invisible amount.
type Picture = Vec<(u16, u16, String)>;

fn cells(screen: &Screen) -> Picture {
    drawn(screen).into_iter().map(|cell| (cell.column, cell.row, cell.sign)).collect()
}

/// The picture once it no longer changes.
fn picture(terminal: &mut Terminal) -> Picture {
    loop {
        let before = cells(terminal.parser.screen());
        terminal.settle(Duration::from_millis(250));
        let picture = cells(terminal.parser.screen());
        if picture == before {
            return picture;
        }
    }
}

/// Waits until the flock is drawn as before, or no longer is, and stays so. On a loaded machine the message may appear
/// before the picture changes.
fn expect_picture(terminal: &mut Terminal, before: &Picture, same: bool, what: &str) {
    terminal.wait_to_see(what, |screen| ((cells(screen) == *before) == same).then_some(()));
    assert_eq!(picture(terminal) == *before, same, "{what}");
}

#[test]
fn species_and_leaders_have_distinct_colors() {
    for preset in ["starlings", "drones"] {
        let mut terminal = viewer(&["-p", preset, "-n", "200", "--predators", "0", "--view", "heads"]);
        let many = terminal.wait_to_see("headings", |screen| Some(colors(screen).len()).filter(|many| *many > 5));
        set(&mut terminal, "species.count", "3");
        terminal.wait_to_see("three colors", |screen| (colors(screen).len() == 3).then_some(()));
        terminal.press("c");
        terminal.wait_for_text("coloring: ");
        terminal.wait_to_see("other colors", |screen| (colors(screen).len() != 3).then_some(()));
        terminal.press("ccc");
        terminal.wait_for_text("coloring: species");
        terminal.wait_to_see("three colors", |screen| (colors(screen).len() == 3).then_some(()));
        assert!(drawn(terminal.parser.screen()).iter().all(|cell| !cell.bold), "no boid leads");
        set(&mut terminal, "leaders.count", "1");
        terminal.wait_to_see("one leader", |screen| {
            (drawn(screen).iter().filter(|cell| cell.bold).count() == 1).then_some(())
        });
        terminal.press("uu");
        terminal.wait_for_text("undo: species.count = 1");
        terminal.wait_to_see("headings", |screen| (colors(screen).len() > many / 2).then_some(()));
        terminal.wait_to_see("no leading boid", |screen| drawn(screen).iter().all(|cell| !cell.bold).then_some(()));
    }
}

#[test]
fn leaders_and_species_are_visible_in_three_dimensions() {
    let mut terminal = viewer(&["-p", "sphere", "-n", "200", "--view", "heads"]);
    set(&mut terminal, "leaders.count", "2");
    terminal.wait_to_see("leaders", |screen| drawn(screen).iter().any(|cell| cell.bold).then_some(()));
    set(&mut terminal, "species.count", "2");
    set(&mut terminal, "species.avoid", "0.5");
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    for change in ["leaders.count=2", "species.count=2", "species.avoid=0.5"] {
        assert!(text.contains(change), "{text}");
    }
}

#[test]
fn perception_parameters_change_the_measures() {
    let mut terminal = viewer(&["-p", "drones"]);
    set(&mut terminal, "perception.angle", "200");
    terminal.wait_for_text("Field of view around");
    set(&mut terminal, "perception.nearest", "7");
    terminal.wait_for_text("How many of its nearest");
    // A restart with the same rules is exact.
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("perception.angle=200") && text.contains("perception.nearest=7"), "{text}");
}

#[test]
fn the_panel_counts_resting_predators_and_caught_boids() {
    let mut terminal = viewer(&["-p", "starlings", "-n", "300"]);
    terminal.wait_for_text("2 hunt");
    set(&mut terminal, "hunt.target", "densest");
    set(&mut terminal, "hunt.stamina", "20");
    terminal
        .wait_for("one rests", |screen| ["1 rests", "2 rest"].iter().any(|line| screen.contains(line)).then_some(()));
    set(&mut terminal, "hunt.rest", "30");
    set(&mut terminal, "hunt.stamina", "0");
    terminal.wait_for_text("2 hunt");
    assert!(!terminal.text().contains(" caught"), "no boid is caught where no predator catches");
    set(&mut terminal, "hunt.catch", "30");
    let (left, gone) = terminal.wait_for("a boid is gone", |screen| {
        let line = screen.lines().find(|line| line.contains(" caught"))?;
        let (left, gone) = line.rsplit_once('│')?.1.split_once(" + ")?;
        Some((left.trim().parse::<u64>().ok()?, number_after(&format!("+{gone}"), "+")?))
    });
    assert!(gone > 0 && left + gone == 300, "{left} + {gone}");
    set(&mut terminal, "hunt.respawn", "1");
    set(&mut terminal, "hunt.catch", "0");
    terminal.wait_for_text("300 boids");
}

/// Fraction of boids that are nearly white.
fn pale(screen: &Screen) -> f32 {
    let cells = drawn(screen);
    let pale = cells.iter().filter(|cell| match cell.color {
        Color::Rgb(r, g, b) => u16::from(r.min(g).min(b)) * 10 > u16::from(r.max(g).max(b)) * 8 && r > 128,
        _ => false,
    });
    pale.count() as f32 / cells.len().max(1) as f32
}

#[test]
fn alarm_is_visible() {
    let mut terminal = viewer(&["-p", "starlings", "-n", "300", "--view", "heads"]);
    set(&mut terminal, "flee.radius", "60");
    terminal.settle(Duration::from_millis(300));
    let before = pale(terminal.parser.screen());
    assert!(before < 0.3, "fear alone is not seen: {before}");
    set(&mut terminal, "alarm.spread", "0.95");
    terminal.wait_to_see("pale boids", |screen| (pale(screen) > 0.6).then_some(()));
    set(&mut terminal, "alarm.spread", "0");
    terminal.wait_to_see("calm ones", |screen| (pale(screen) < 0.3).then_some(()));
}

#[test]
fn a_key_changes_the_wind() {
    let mut terminal = viewer(&["-p", "drones", "--view", "heads"]);
    for weather in ["wind: breeze, wind.x = 0.075", "wind: gusts", "wind: none"] {
        terminal.press("w");
        terminal.wait_for_text(weather);
    }
    set(&mut terminal, "wind.gust", "0.5");
    set(&mut terminal, "wind.y", "50");
    terminal.wait_to_see("everyone at the lower end", |screen| {
        let cells = drawn(screen);
        (!cells.is_empty() && cells.iter().all(|cell| cell.row > FLOCK.1 * 2 / 3)).then_some(())
    });
}

#[test]
fn zones_are_drawn_until_removed() {
    for preset in ["drones", "sphere"] {
        let mut terminal = viewer(&["-p", preset]);
        terminal.press(" ");
        terminal.wait_for_text("‖ paused");
        let empty = picture(&mut terminal);
        for (action, answer, gone) in
            [("place-food", "food placed", "food removed"), ("place-roost", "roost placed", "roost removed")]
        {
            act(&mut terminal, action, answer);
            expect_picture(&mut terminal, &empty, false, &format!("{preset}: {answer}"));
            act(&mut terminal, "remove-zone", gone);
            expect_picture(&mut terminal, &empty, true, &format!("{preset}: {gone}"));
        }
        act(&mut terminal, "remove-zone", "no zone here");
        act(&mut terminal, "place-obstacle", "obstacle placed");
        expect_picture(&mut terminal, &empty, false, &format!("{preset}: an obstacle"));
        act(&mut terminal, "place-food", "food placed");
        act(&mut terminal, "clear-zones", "all zones removed");
        act(&mut terminal, "clear-zones", "no zones to remove");
    }
}

/// Waits for this many ticks.
fn fly(terminal: &mut Terminal, ticks: u64) {
    let end = terminal.tick() + ticks;
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick >= end));
}

#[test]
fn food_disappears_when_eaten() {
    let mut terminal = viewer(&["-p", "starlings", "-n", "300", "--predators", "0", "--view", "heads"]);
    for (key, value) in [("food.consumption", "0.1"), ("food.radius", "200"), ("food.weight", "1")] {
        set(&mut terminal, key, value);
    }
    act(&mut terminal, "place-food", "food placed");
    fly(&mut terminal, 150);
    // Without zones there is nothing to remove.
    act(&mut terminal, "remove-zone", "no zone here");
}

/// Number of cells that stay unchanged for a while.
fn still(terminal: &mut Terminal) -> usize {
    let before = drawn(terminal.parser.screen());
    fly(terminal, 20);
    drawn(terminal.parser.screen()).iter().filter(|cell| before.contains(cell)).count()
}

#[test]
fn resting_boids_are_visible() {
    let mut terminal = viewer(&["-p", "starlings", "-n", "300", "--predators", "0", "--view", "heads"]);
    for (key, value) in [("roost.chance", "0"), ("roost.radius", "200"), ("roost.weight", "1"), ("roost.wake", "0")] {
        set(&mut terminal, key, value);
    }
    set(&mut terminal, "roost.rest", "9000");
    act(&mut terminal, "place-roost", "roost placed");
    fly(&mut terminal, 120);
    let roost = still(&mut terminal);
    set(&mut terminal, "roost.chance", "1");
    fly(&mut terminal, 120);
    let resting = still(&mut terminal);
    assert!(resting > roost + 10, "{resting} cells stay as they are, and {roost} did before");
}
