//! Contract: boids write a text on the screen as in a picture, from a flag, a key and the palette, and their sessions replay.

use std::path::Path;

use crate::program;
use crate::terminal::{Terminal, at_home};
use tempfile::TempDir;

/// Nothing drives these boids off their letters.
const WRITERS: [&str; 9] = ["-p", "starlings", "-s", "7", "-n", "120", "--predators", "0", "--clean"];

/// The characters of a screen, row by row; an empty braille cell is blank.
fn cells(screen: &str) -> Vec<Vec<char>> {
    screen.lines().map(|line| line.chars().map(|cell| if cell == '\u{2800}' { ' ' } else { cell }).collect()).collect()
}

/// The cells of a text that stands: those that pictures at different ticks have in common.
fn letters(text: &str, size: &str) -> Vec<(usize, usize, char)> {
    let folder = TempDir::new().unwrap();
    let pictures: Vec<_> = ["2000", "2400", "2900"]
        .iter()
        .map(|ticks| {
            let file = folder.path().join("text.txt");
            let mut command = program::process(&["shot", "--size", size, "--ticks", ticks, "--say", text]);
            command.args(&WRITERS[..8]).arg("-o").arg(&file);
            assert!(command.output().unwrap().status.success());
            cells(&std::fs::read_to_string(file).unwrap())
        })
        .collect();
    let all = pictures[0].iter().enumerate();
    let all = all.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, cell)| (row, column, *cell)));
    let common = all.filter(|(row, column, cell)| {
        *cell != ' ' && pictures.iter().all(|picture| picture[*row].get(*column) == Some(cell))
    });
    let common: Vec<_> = common.collect();
    assert!(common.len() > 30, "{common:?}");
    common
}

fn stands(screen: &str, letters: &[(usize, usize, char)]) -> bool {
    let cells = cells(screen);
    letters.iter().all(|(row, column, cell)| cells.get(*row).and_then(|cells| cells.get(*column)) == Some(cell))
}

fn wait_for_letters(terminal: &mut Terminal, letters: &[(usize, usize, char)]) {
    terminal.wait_for("the text", |screen| stands(screen, letters).then_some(()));
}

#[test]
fn a_text_stands_as_in_a_picture() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let expected = letters("hi", &format!("{columns}x{rows}"));
        let mut terminal = Terminal::new(columns, rows, &[&WRITERS[..], &["--say", "hi", "--rate", "960"]].concat());
        wait_for_letters(&mut terminal, &expected);
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
    }
}

#[test]
fn keys_and_palette_write_and_let_go() {
    let (hello, ho) = (letters("hello", "80x24"), letters("ho", "80x24"));
    let mut terminal = Terminal::new(80, 24, &[&WRITERS[..], &["--rate", "960"]].concat());
    terminal.wait_for("boids", |screen| cells(screen).concat().iter().any(|cell| *cell != ' ').then_some(()));
    terminal.press("a");
    terminal.wait_for_text("say:");
    terminal.press("hello\r");
    wait_for_letters(&mut terminal, &hello);
    terminal.press(":say: ho");
    terminal.wait_for_text("▸say: ho");
    terminal.press("\r");
    wait_for_letters(&mut terminal, &ho);
    terminal.press("a");
    terminal.wait_for_text("the boids are free");
    terminal.wait_for("a flock", |screen| (!stands(screen, &ho)).then_some(()));
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
    terminal.wait_for_text("boids of the model vicsek do not fly to letters; use a preset");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
