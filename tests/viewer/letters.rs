//! Contract: boids write a text on the screen as in a picture, from a flag, a key and the palette, and their sessions replay.

use std::path::Path;

use crate::program;
use crate::terminal::{Terminal, at_home};
use tempfile::TempDir;

/// So few boids that all of them write, and nothing drives them off.
const WRITERS: [&str; 9] = ["-p", "starlings", "-s", "7", "-n", "120", "--predators", "0", "--clean"];

/// The picture of a text that stands.
fn picture(text: &[&str], size: &str) -> String {
    let mut command = program::process(&["shot", "-o", "text.txt", "--size", size, "--ticks", "3000"]);
    command.args(&WRITERS[..8]).args(text);
    let folder = TempDir::new().unwrap();
    command.current_dir(folder.path());
    assert!(command.status().unwrap().success());
    without_blanks(&std::fs::read_to_string(folder.path().join("text.txt")).unwrap())
}

/// The lines without blanks at their ends; an empty braille cell is blank.
fn without_blanks(text: &str) -> String {
    let text = text.replace('\u{2800}', " ");
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

fn wait_for_picture(terminal: &mut Terminal, expected: &str) {
    terminal.wait_for("the text", |screen| (without_blanks(screen) == expected).then_some(()));
}

#[test]
fn a_text_stands_as_in_a_picture() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let expected = picture(&["--say", "hi"], &format!("{columns}x{rows}"));
        let mut terminal = Terminal::new(columns, rows, &[&WRITERS[..], &["--say", "hi", "--rate", "960"]].concat());
        wait_for_picture(&mut terminal, &expected);
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
    }
}

#[test]
fn keys_and_palette_write_and_let_go() {
    let (hello, ho) = (picture(&["--say", "hello"], "80x24"), picture(&["--say", "ho"], "80x24"));
    let mut terminal = Terminal::new(80, 24, &[&WRITERS[..], &["--rate", "960"]].concat());
    terminal.wait_for("boids", |screen| (!without_blanks(screen).is_empty()).then_some(()));
    terminal.press("a");
    terminal.wait_for_text("say:");
    terminal.press("hello\r");
    wait_for_picture(&mut terminal, &hello);
    terminal.press(":say: ho");
    terminal.wait_for_text("▸say: ho");
    terminal.press("\r");
    wait_for_picture(&mut terminal, &ho);
    terminal.press("a");
    terminal.wait_for_text("the boids are free");
    terminal.wait_for("a flock", |screen| (without_blanks(screen) != ho && !screen.contains("free")).then_some(()));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

fn verify(file: &Path) -> String {
    program::prints(program::flockscope(&["replay", "--verify", "-j", "3", file.to_str().unwrap()]))
}

#[test]
fn a_session_with_letters_replays() {
    for preset in ["starlings", "murmuration"] {
        let home = TempDir::new().unwrap();
        let args = ["-p", preset, "-s", "7", "--no-intro", "--say", "hi", "--rate", "240", "--save-session", "a.flock"];
        let mut terminal = at_home(home.path(), &args);
        terminal.wait_for("some ticks", |screen| {
            let tick = screen.split_once("tick ")?.1.split_whitespace().next()?;
            tick.parse().ok().filter(|tick: &u64| *tick > 400)
        });
        terminal.press("a");
        terminal.wait_for_text("the boids are free");
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
        let session = std::fs::read_to_string(home.path().join("a.flock")).unwrap();
        assert!(session.contains("{\"call\":{\"perches\":[\"") && session.contains("\"release\""), "{preset}");
        let verified = verify(&home.path().join("a.flock"));
        assert!(verified.contains("agree"), "{verified}");
    }
}

#[test]
fn a_model_without_perches_says_so() {
    let mut terminal = Terminal::new(100, 30, &["-p", "vicsek", "-s", "7", "--no-intro", "--say", "hi"]);
    terminal.wait_for_text("boids of the model vicsek do not fly to letters; use the model boids");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
