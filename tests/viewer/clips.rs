//! Contract: a key saves the last seconds or a marked part of the session as a clip, in the background, and no incomplete file is left.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::program;
use crate::terminal::{Terminal, at_home, number_after};
use gif::{ColorOutput, DecodeOptions};
use tempfile::TempDir;

const DRONES: [&str; 6] = ["-p", "drones", "-s", "3", "-n", "60"];
/// A clip of all ticks up to now.
const OF_ALL: [&str; 8] = ["-p", "drones", "-s", "3", "-n", "60", "--clip-length", "1h"];

/// The names of the files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The size of a GIF, and its number of frames.
fn decoded(path: &Path) -> ((u16, u16), usize) {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let bytes = fs::read(path).unwrap();
    let mut clip = options.read_info(&bytes[..]).unwrap();
    let mut frames = 0;
    while clip.read_next_frame().unwrap().is_some() {
        frames += 1;
    }
    ((clip.width(), clip.height()), frames)
}

fn wait_for_tick(terminal: &mut Terminal, least: u64) {
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick >= least));
}

/// Begins to save a clip of thousands of frames: at one tick per second, each tick has 25.
fn begin_long_clip(home: &Path) -> Terminal {
    let mut terminal = at_home(home, &OF_ALL);
    wait_for_tick(&mut terminal, 150);
    terminal.press("<<<<<<");
    terminal.wait_for_text("0.938 ticks per second");
    terminal.press("e");
    terminal.wait_for_text("saving drones-3-");
    terminal
}

#[test]
fn the_last_seconds_are_saved_while_the_flock_flies() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &[&DRONES[..], &["--clip-length", "1s"]].concat());
    wait_for_tick(&mut terminal, 70);
    terminal.press("e");
    terminal.wait_for_text("clip saved as ./drones-3-");
    terminal.wait_for_text(", 1.0 s, 25 frames)");
    let names = files(home.path());
    assert_eq!(names.len(), 1, "{names:?}");
    assert_eq!(decoded(&home.path().join(&names[0])), ((1200, 800), 25));
    let saved: u64 = names[0].trim_start_matches("drones-3-").trim_end_matches(".gif").parse().unwrap();
    wait_for_tick(&mut terminal, saved + 1);
}

#[test]
fn a_clip_is_the_one_that_record_makes_of_the_session() {
    let home = TempDir::new().unwrap();
    let args = ["--rate", "240", "--clip-format", "cast", "--clip-length", "500ms"];
    let mut terminal = at_home(home.path(), &[&DRONES[..], &args].concat());
    wait_for_tick(&mut terminal, 400);
    // Predators come while the clip is on; `record` shows the flock alone.
    terminal.press("pz ");
    terminal.wait_for_text("‖ paused");
    terminal.press("e");
    terminal.wait_for_text("clip saved as ./drones-3-");
    terminal.press("\x13");
    terminal.wait_for_text("session saved as ./drones-3-");
    let names = files(home.path());
    assert_eq!(names.len(), 2, "{names:?}");
    let end: u64 = names[0].trim_start_matches("drones-3-").trim_end_matches(".cast").parse().unwrap();
    let (from, to) = ((end - 120).to_string(), end.to_string());
    let [clip, session, expected] = [&names[0], &names[1], "expected.cast"].map(|name| home.path().join(name));
    let range = ["--from", &from, "--to", &to, "--fps", "25", "-o", expected.to_str().unwrap()];
    let recorded = program::flockscope(&[&["record", "--session", session.to_str().unwrap()], &range[..]].concat());
    program::prints(recorded);
    assert!(fs::read(clip).unwrap() == fs::read(expected).unwrap(), "the clips differ");
}

#[test]
fn a_marked_part_is_saved_instead() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &DRONES);
    wait_for_tick(&mut terminal, 130);
    terminal.press(" {");
    let first = terminal
        .wait_for("an earlier tick", |screen| number_after(screen, "tick ").filter(|_| screen.contains(" past ")));
    terminal.press("n");
    terminal.wait_for_text("n at another tick marks its end");
    terminal.press(")");
    wait_for_tick(&mut terminal, first + 60);
    terminal.press("n");
    terminal.wait_for_text("e saves it as a clip");
    terminal.press("e");
    terminal.wait_for_text(", 1.0 s, 25 frames)");
    terminal.press("n");
    terminal.wait_for_text("no part marked");
    let names = files(home.path());
    assert_eq!((names.len(), decoded(&home.path().join(&names[0])).1), (1, 25));
}

#[test]
fn a_long_clip_shows_its_progress_refuses_another_and_can_be_canceled() {
    let home = TempDir::new().unwrap();
    let mut terminal = begin_long_clip(home.path());
    terminal.wait_for("progress", |screen| number_after(screen, ".gif ").filter(|percent| *percent > 0));
    terminal.press("e");
    terminal.wait_for_text("not saved: another file is still being saved");
    terminal.press("\x1b");
    terminal.wait_for_text("clip not saved: canceled");
    assert_eq!(files(home.path()), Vec::<String>::new());
    terminal.press("s");
    terminal.wait_for_text("screenshot saved as ");
}

#[test]
fn quitting_waits_for_a_clip_unless_a_signal_comes() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &[&DRONES[..], &["--clip-length", "1s"]].concat());
    wait_for_tick(&mut terminal, 70);
    terminal.press("eq");
    let (status, text) = terminal.end();
    let names = files(home.path());
    assert!(status == 0 && text.contains(&format!("clip saved as ./{} (", names[0])), "{text}");
    assert_eq!(decoded(&home.path().join(&names[0])).1, 25);

    let home = TempDir::new().unwrap();
    let mut terminal = begin_long_clip(home.path());
    terminal.press("\x03");
    let (status, text) = terminal.end();
    assert!(status == 0 && text.contains("not saved: canceled"), "{text}");
    assert_eq!(files(home.path()), Vec::<String>::new());

    // Before its progress is shown.
    for pause in [0, 5, 15, 30, 100] {
        let home = TempDir::new().unwrap();
        let mut terminal = at_home(home.path(), &OF_ALL);
        wait_for_tick(&mut terminal, 150);
        terminal.press("e");
        terminal.settle(Duration::from_millis(pause));
        let begun = Instant::now();
        terminal.press("\x03");
        assert_eq!(terminal.end().0, 0, "{pause}");
        assert!(begun.elapsed() < Duration::from_millis(1200), "{pause}: {:?}", begun.elapsed());
        assert_eq!(files(home.path()), Vec::<String>::new(), "{pause}");
    }

    for signal in ["INT", "TERM"] {
        let home = TempDir::new().unwrap();
        let mut terminal = begin_long_clip(home.path());
        let expected = if signal == "INT" {
            terminal.press("q");
            terminal.wait_for_text("Ctrl-c cancels");
            terminal.press("\x03");
            130
        } else {
            let process = terminal.child.process_id().unwrap().to_string();
            assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
            143
        };
        assert_eq!(terminal.end().0, expected, "{signal}");
        assert_eq!(files(home.path()), Vec::<String>::new(), "{signal}");
    }
}
