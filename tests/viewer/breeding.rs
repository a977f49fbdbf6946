//! Contract: flocks are bred on tiles while the session waits; leaving with a flock is one event of the session and one undo step, and
//! pictures, clips, sizes and a stopped program work with tiles as without.

use std::fs;
use std::path::Path;

use crate::program;
use crate::terminal::{Terminal, at_home, number_after};
use tempfile::TempDir;

const DRONES: [&str; 8] = ["-p", "drones", "-s", "3", "-n", "60", "--clip-length", "1s"];

/// Waits until the children of a generation are chosen.
fn wait_for_generation(terminal: &mut Terminal, number: u32) {
    let generation = format!("generation {number}");
    terminal
        .wait_for(&generation, |screen| (screen.contains(&generation) && !screen.contains("breeding…")).then_some(()));
}

fn breed(home: &Path) -> Terminal {
    let mut terminal = at_home(home, &DRONES);
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick >= 20));
    terminal.press("d");
    wait_for_generation(&mut terminal, 1);
    terminal.wait_for_text("yours");
    terminal
}

/// The events of the only session in a folder, besides hashes.
fn events(home: &Path) -> Vec<String> {
    let files = fs::read_dir(home).unwrap().map(|entry| entry.unwrap().path());
    let session = files.into_iter().find(|path| path.extension().is_some_and(|end| end == "flock")).unwrap();
    let verified = program::says(&["replay", "--verify", session.to_str().unwrap()]);
    assert!(verified.contains("agree"), "{verified}");
    let text = fs::read_to_string(session).unwrap();
    let events = text.lines().skip(1).filter(|line| !line.contains("\"hash\"") && !line.contains("\"end\""));
    events.map(str::to_owned).collect()
}

#[test]
fn a_bred_flock_is_one_event_and_one_undo_step() {
    let home = TempDir::new().unwrap();
    let mut terminal = breed(home.path());
    terminal.press("\x1b[C\r");
    wait_for_generation(&mut terminal, 2);
    terminal.press("\x1b[A\x1b[Dn\x1b[B\r");
    wait_for_generation(&mut terminal, 3);
    terminal.press("\x1b");
    terminal.wait_for_text("the flock of generation 3 flies; u undoes");
    let tick = terminal.tick();
    terminal.wait_for("the end of the morph", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 150));
    terminal.press("u");
    terminal.wait_for_text("undo:");
    terminal.press("\x13");
    terminal.wait_for_text("session saved as ./drones-3-");
    let events = events(home.path());
    assert_eq!(events.len(), 2, "{events:?}");
    assert!(events[0].contains("{\"set-all\":[60,{"), "{}", events[0]);
}

#[test]
fn a_saved_child_gives_the_panel_its_name() {
    let home = TempDir::new().unwrap();
    let mut terminal = breed(home.path());
    terminal.press("\x1b[C\r");
    wait_for_generation(&mut terminal, 2);
    terminal.press("Skid\r");
    terminal.wait_for_text("saved as kid in ");
    terminal.press("\x1b");
    terminal.wait_for_text("the flock of generation 2 flies");
    terminal.wait_for_text("│kid ");
}

#[test]
fn a_flock_that_is_left_as_it_was_adds_nothing_to_the_session() {
    let home = TempDir::new().unwrap();
    let mut terminal = breed(home.path());
    terminal.press("\x1b[Cr+-\x1b");
    terminal.wait_for_text("the flock flies on unchanged");
    let tick = terminal.tick();
    terminal.wait_for("further ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 130));
    terminal.press("\x13");
    terminal.wait_for_text("session saved as ./drones-3-");
    assert_eq!(events(home.path()), [""; 0]);
}

#[test]
fn tiles_are_resized_saved_and_drawn_in_clips() {
    let home = TempDir::new().unwrap();
    let mut terminal = breed(home.path());
    terminal.resize(40, 14);
    terminal.wait_for("four tiles", |screen| (screen.lines().next()?.contains('╭')).then_some(()));
    terminal.resize(100, 30);
    terminal.wait_for("nine tiles", |screen| {
        (screen.lines().next()?.trim().is_empty() || !screen.lines().next()?.contains('╭')).then_some(())
    });
    terminal.press("tvz");
    terminal.press("zs");
    terminal.wait_for_text("screenshot saved as ./drones-3-");
    terminal.press("e");
    terminal.wait_for_text("clip saved as ./drones-3-");
    terminal.press("\x1b[CSpicked\r");
    terminal.wait_for_text("saved as picked");
    terminal.press("q");
    terminal.wait_for_text("the flock flies on unchanged");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
