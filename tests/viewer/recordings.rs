//! Contract: the viewer shows recorded trajectories frame by frame, moves through them, and says what they lack.

use std::path::{Path, PathBuf};

use crate::terminal::{Terminal, at_home, dots, number_after};
use tempfile::TempDir;

fn fish() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trajectories/fish.csv")
}

/// The sample of the documentation in a viewer, whose folder is `home`.
fn watch(home: &TempDir) -> Terminal {
    std::fs::copy(fish(), home.path().join("fish.csv")).unwrap();
    let options = ["--columns-of", "id=track,x=cx,y=cy", "--unit", "px", "--frame-rate", "25"];
    at_home(home.path(), &[&["replay", "fish.csv"][..], &options].concat())
}

fn wait_for_frame(terminal: &mut Terminal, frame: u64) {
    terminal
        .wait_for(&format!("frame {frame}"), |screen| (number_after(screen, "frame ") == Some(frame)).then_some(()));
}

#[test]
fn keys_move_through_the_frames_of_a_recording() {
    let home = TempDir::new().unwrap();
    let mut terminal = watch(&home);
    terminal.wait_for("fish and their measures", |screen| {
        let words = ["animals", "25 frames/s", "px/frame", "largest flock"];
        (dots(screen) > 20 && words.iter().all(|word| screen.contains(word))).then_some(())
    });
    terminal.press(" ");
    terminal.wait_for_text("‖ paused");
    terminal.press("(");
    wait_for_frame(&mut terminal, 0);
    terminal.press(".");
    wait_for_frame(&mut terminal, 1);
    terminal.press("}");
    wait_for_frame(&mut terminal, 26);
    terminal.press(")");
    wait_for_frame(&mut terminal, 249);
    // The end stays the end, and a resumed recording starts again.
    terminal.press(".");
    terminal.press(",");
    wait_for_frame(&mut terminal, 248);
    terminal.press(")");
    wait_for_frame(&mut terminal, 249);
    terminal.press(" ");
    terminal.wait_for("the first frames again", |screen| {
        number_after(screen, "frame ").filter(|frame| screen.contains("▶ running") && *frame < 200)
    });
    terminal.press("q");
    let (status, text) = terminal.end();
    let command = "flockscope replay fish.csv --columns-of 'id=track,x=cx,y=cy' --unit px --frame-rate 25";
    assert!(status == 0 && text.contains(command), "{text}");
}

#[test]
fn changes_are_refused_with_what_a_recording_lacks() {
    let home = TempDir::new().unwrap();
    let mut terminal = watch(&home);
    for (keys, message) in [
        ("\x1b[C", "a recording has no rules to change or undo"),
        ("p", "a recording has no boids or predators to change, and no seed"),
        ("u", "a recording has no rules to change or undo"),
        ("o", "a recording has no zones and no wind"),
        ("\t", "a recording has no rules"),
        ("a", "a recording has no boids to call"),
        (":speed.max 9\r", "a recording has no rules"),
        ("\x13", "a recording has no session to save"),
    ] {
        terminal.press(keys);
        terminal.wait_for_text(message);
        // Another message, so that the next one is known to be new.
        terminal.press("v");
        terminal.wait_for_text("view:");
    }
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn pictures_are_drawn_between_frames() {
    let home = TempDir::new().unwrap();
    std::fs::copy(fish(), home.path().join("fish.csv")).unwrap();
    let options = ["--columns-of", "id=track,x=cx,y=cy", "--rate", "0.2"];
    let mut terminal = at_home(home.path(), &[&["replay", "fish.csv"][..], &options].concat());
    let heads = |screen: &str| screen.lines().map(|line| line.chars().take(80).collect()).collect::<Vec<String>>();
    let first = terminal.wait_for("the first frame", |screen| (dots(screen) > 20).then(|| heads(screen)));
    // A frame lasts five seconds here.
    terminal.wait_for("animals on their way", |screen| {
        (heads(screen) != first && number_after(screen, "frame ") == Some(0)).then_some(())
    });
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
