//! Contract: a session that was steered with every kind of command is saved however the program ends, and its replay is the
//! same on any number of threads and any kind of SIMD.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::program;
use crate::terminal::{Terminal, at_home, ends_within, number_after, viewer};
use ratatui::layout::Position;
use tempfile::TempDir;

const LEFT: u8 = 0;
const MIDDLE: u8 = 1;
const RIGHT: u8 = 2;
/// A motion report.
const MOVED: u8 = 32;
/// The wait between two commands, in which ticks pass.
const PAUSE: Duration = Duration::from_millis(60);

fn verify(file: &Path, args: &[&str], simd: &str) -> String {
    let file = file.to_str().unwrap();
    let mut command = program::flockscope(&[&["replay", "--verify", file], args].concat());
    command.env("FLOCKSCOPE_SIMD", simd);
    program::prints(command)
}

/// Checks that each hash in a session file agrees. A session that ends early may have none, unless it `must_have` one.
fn agrees(file: &Path, must_have: bool) {
    let verified = program::flockscope(&["replay", "--verify", file.to_str().unwrap()]).output().unwrap();
    let said = String::from_utf8([verified.stdout, verified.stderr].concat()).unwrap();
    assert!(said.contains("agree") || !must_have && said.contains("nothing to verify"), "{said}");
}

/// The only session file in a folder.
fn session_in(home: &TempDir) -> PathBuf {
    let paths = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut sessions: Vec<_> = paths.filter(|path| path.extension().is_some_and(|end| end == "flock")).collect();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    sessions.remove(0)
}

fn keys(terminal: &mut Terminal, keys: &[&str]) {
    for key in keys {
        terminal.press(key);
        terminal.settle(PAUSE);
    }
}

fn drag(terminal: &mut Terminal, button: u8, from: impl Into<Position>, to: impl Into<Position>) {
    let (from, to) = (from.into(), to.into());
    terminal.mouse(button, from, true);
    for step in 1..=8_u16 {
        let along = |from: u16, to: u16| (from * (8 - step) + to * step) / 8;
        terminal.mouse(button + MOVED, Position::new(along(from.x, to.x), along(from.y, to.y)), true);
        terminal.settle(PAUSE / 3);
    }
    terminal.mouse(button, to, false);
    terminal.settle(PAUSE);
}

fn signal(terminal: &Terminal, name: &str) {
    let process = terminal.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-s", name, &process]).status().unwrap().success());
}

#[test]
fn a_steered_session_verifies_on_any_number_of_threads() {
    let home = TempDir::new().unwrap();
    fs::create_dir_all(home.path().join("flockscope")).unwrap();
    let config = home.path().join("flockscope/config.toml");
    fs::write(&config, "no-intro = true\n").unwrap();
    // A world of automatic size.
    let mut terminal = at_home(home.path(), &["-p", "starlings", "-n", "150", "-s", "1"]);
    // Counts, parameters in small and large steps, typed, at both ends, reset, undone and redone; wind.
    keys(&mut terminal, &["+", "+", "-", "p", "p", "P", "j", "\x1b[C", "\x1b[1;2C", "\x1b[D", "\x1b[F", "\x1b[H"]);
    keys(&mut terminal, &["\r", "7", "\r", "\x7f", "\x1b[3~", "u", "\x12", "w", "w", "w"]);
    // Zones: placed, moved, removed, placed by key and from the palette.
    terminal.click(MIDDLE, (20, 10));
    terminal.settle(PAUSE);
    drag(&mut terminal, MIDDLE, (20, 10), (50, 25));
    terminal.click(MIDDLE, (50, 25));
    terminal.settle(PAUSE);
    keys(&mut terminal, &["o", "o", ":place-food", "\r"]);
    terminal.click(LEFT, (60, 12));
    keys(&mut terminal, &[":place-roost", "\r"]);
    // The pointer, the size of the terminal, the config.
    drag(&mut terminal, LEFT, (10, 30), (70, 8));
    drag(&mut terminal, RIGHT, (70, 8), (30, 20));
    terminal.resize(100, 30);
    terminal.settle(PAUSE);
    fs::write(&config, "no-intro = true\n[set]\nalignment.weight = 0.02\n").unwrap();
    signal(&terminal, "USR1");
    terminal.settle(3 * PAUSE);
    // Restarts, and steps back and forward with a change between them.
    keys(&mut terminal, &["r", "+", "R", "p", " ", ",", ",", ",", "+", ".", ".", " "]);
    // A morph that is interrupted by another one, and a world of another shape, in three dimensions.
    keys(&mut terminal, &["3", "\x1b[C", "2", "p", "4", "+", ":clear-zones", "\r"]);
    drag(&mut terminal, LEFT, (30, 20), (50, 22));
    keys(&mut terminal, &["R", "5"]);
    terminal.press("\x13");
    terminal.wait_for_text("session saved as ./");
    terminal.press("q");
    let (status, text) = terminal.end();
    let file = session_in(&home);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(status == 0 && text.contains(&format!("flockscope replay ./{name}")), "{text}");
    let saved = fs::read_to_string(&file).unwrap();
    let kinds = [
        "set",
        "set-all",
        "boids",
        "predators",
        "reseed",
        "resize",
        "add-zone",
        "move-zone",
        "remove-zone",
        "morph",
        "new-flock",
        "pointer",
        "hash",
        "end",
    ];
    for kind in kinds.map(|kind| format!("{{\"{kind}\":")).iter().map(String::as_str).chain(["\"restart\"]"]) {
        assert!(saved.lines().skip(1).any(|line| line.contains(kind)), "{kind} is missing in\n{saved}");
    }
    assert!(saved.contains("alignment.weight=0.02"), "{saved}");
    assert!(saved.lines().count() > 60, "{saved}");
    let first = verify(&file, &["-j", "1"], "");
    assert!(first.contains(" hashes agree") && !first.contains(" 0 hashes"), "{first}");
    for (args, simd) in [(["-j", "2"], ""), (["-j", "3"], ""), (["-j", "1"], "scalar")] {
        assert_eq!(verify(&file, &args, simd), first);
    }
}

#[test]
fn a_session_is_saved_on_exit_after_a_signal_and_after_a_panic() {
    for end in ["q", "TERM", "HUP", "panic"] {
        let home = TempDir::new().unwrap();
        let mut command = viewer(&["-p", "drones", "-s", "1", "-n", "50", "--save-session", "mine.flock"]);
        command.cwd(home.path());
        if end == "panic" {
            command.env("TEST_FLOCKSCOPE_PANIC", "90");
        }
        let mut terminal = Terminal::with(120, 40, command);
        terminal.press("+");
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 9));
        match end {
            "q" => terminal.press("q"),
            "panic" => {}
            name => signal(&terminal, name),
        }
        let (_, text) = terminal.end();
        let file = session_in(&home);
        assert!(fs::read_to_string(&file).unwrap().contains("{\"boids\":55}"), "{end}");
        assert!(end != "q" || text.contains("flockscope replay mine.flock"), "{text}");
        agrees(&file, end == "q");
    }
}

#[test]
fn a_replay_shows_the_session_and_pauses_at_its_end() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1", "--save-session", "first.flock"]);
    terminal.press("+");
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 30));
    keys(&mut terminal, &["p", "q"]);
    terminal.end();
    let first = home.path().join("first.flock");
    let mut command = viewer(&["replay", "first.flock", "--rate", "200", "--save-session", "second.flock"]);
    command.cwd(home.path());
    let mut terminal = Terminal::with(120, 40, command);
    terminal.wait_for_text("paused");
    // Back over the last command, and forward again.
    keys(&mut terminal, &[","; 8]);
    keys(&mut terminal, &[" "]);
    terminal.wait_for_text("paused");
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(text.contains("flockscope replay second.flock"), "{text}");
    let lines = |path: &Path| -> Vec<String> {
        // The headers differ in the tick rate.
        fs::read_to_string(path).unwrap().lines().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(lines(&home.path().join("second.flock")), lines(&first));
}

#[test]
fn a_session_is_moved_through_branched_and_restored() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1", "-n", "50"]);
    let at = |tick: u64| move |screen: &str| (number_after(screen, "tick ")? == tick).then_some(());
    let ticks = |least: u64| move |screen: &str| number_after(screen, "tick ").filter(|tick| *tick > least);
    terminal.wait_for("ticks", ticks(90));
    terminal.press("+");
    terminal.wait_for_text("55 boids");
    terminal.wait_for("ticks", ticks(150));
    terminal.press(" ");
    terminal.wait_for_text(" now ");
    let end = terminal.tick();
    terminal.press("(");
    terminal.wait_for("the first tick", at(0));
    terminal.wait_for_text(" past ");
    terminal.wait_for_text("50 boids");
    terminal.press(")");
    terminal.wait_for("the last tick", at(end));
    terminal.wait_for_text("55 boids");
    // A branch, and back to the session.
    terminal.press("(}");
    terminal.wait_for("a second", at(60));
    terminal.press("p");
    terminal.wait_for_text("this change at 0:01 replaces what followed; u restores it");
    terminal.wait_for_text(" now ");
    terminal.wait_for_text("4 predators");
    terminal.press("\x13");
    terminal.wait_for_text("saved as ./drones-1-60.flock");
    terminal.press("u");
    terminal.wait_for_text(" past ");
    terminal.wait_for_text("3 predators");
    terminal.press(")");
    terminal.wait_for("the last tick again", at(end));
    terminal.wait_for_text("55 boids");
    terminal.press("\x13");
    terminal.wait_for_text(&format!("saved as ./drones-1-{end}.flock"));
    terminal.press("(\x12");
    terminal.wait_for_text("redo: the change replaces what followed");
    terminal.wait_for_text("4 predators");
    terminal.wait_for_text(" 60 of 60");
    terminal.press("b");
    terminal.wait_for("the first tick", at(0));
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(text.contains("flockscope -p drones -s 1 -n 50"), "unchanged at the first tick: {text}");
    let saved = |name: &str| {
        let file = home.path().join(name);
        assert!(verify(&file, &[], "").contains("agree"), "{name}");
        fs::read_to_string(file).unwrap()
    };
    let (branch, session) = (saved("drones-1-60.flock"), saved(&format!("drones-1-{end}.flock")));
    assert!(branch.contains("{\"predators\":4}") && !branch.contains("{\"boids\":55}"), "{branch}");
    assert!(!session.contains("{\"predators\":4}") && session.contains("{\"boids\":55}"), "{session}");
}

#[test]
fn a_pointer_that_both_branches_share_stays_as_it_was() {
    let home = TempDir::new().unwrap();
    let rules = ["--set", "pointer.radius=1000", "--set", "pointer.weight=1", "--save-session", "x.flock"];
    let mut terminal = at_home(home.path(), &[&["-p", "drones", "-s", "1"][..], &rules].concat());
    keys(&mut terminal, &[" "]);
    terminal.mouse(LEFT, (70, 20), true);
    terminal.settle(PAUSE);
    keys(&mut terminal, &["."; 5]);
    terminal.mouse(LEFT, (70, 20), false);
    terminal.settle(PAUSE);
    keys(&mut terminal, &["."; 3]);
    keys(&mut terminal, &[","; 8]);
    terminal.click(LEFT, (62, 15));
    terminal.settle(PAUSE);
    keys(&mut terminal, &["u", "q"]);
    terminal.end();
    assert!(verify(&home.path().join("x.flock"), &[], "").contains("agree"));
}

#[test]
fn a_session_that_is_saved_during_an_undo_has_no_hash_of_the_other_branch() {
    let home = TempDir::new().unwrap();
    let args = ["-p", "drones", "-s", "1", "-n", "20000", "--history", "0", "--rate", "10"];
    let mut terminal = at_home(home.path(), &args);
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 20));
    keys(&mut terminal, &[" "]);
    keys(&mut terminal, &[","; 12]);
    terminal.press("\x1b[F");
    terminal.wait_for_text("replaces what followed");
    keys(&mut terminal, &["."; 12]);
    terminal.press("u\x13");
    // The end of the undo may replace the message about the file before it is drawn.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) {
        let mut files = fs::read_dir(home.path()).unwrap().flatten();
        if files.any(|file| file.path().extension().is_some_and(|end| end == "flock")) {
            break;
        }
        thread::sleep(Duration::from_millis(20));
    }
    terminal.press("q");
    terminal.end();
    let file = session_in(&home);
    agrees(&file, false);
}

#[test]
fn a_tick_with_endless_commands_hears_keys_and_signals() {
    for end in ["q", "TERM"] {
        let home = TempDir::new().unwrap();
        let mut first = at_home(home.path(), &["-p", "drones", "-n", "100000", "--save-session", "long.flock"]);
        first.press("q");
        first.end();
        let file = home.path().join("long.flock");
        let saved = fs::read_to_string(&file).unwrap();
        // The tick takes minutes; the file is small, as a signal leaves less than a second to write it.
        let reseeds: Vec<String> = (0..5_000).map(|seed| format!("[0,{{\"reseed\":{seed}}}]")).collect();
        let (header, _) = saved.split_once('\n').unwrap();
        fs::write(&file, format!("{header}\n{}\n", reseeds.join("\n"))).unwrap();
        let mut command = viewer(&["replay", "long.flock", "--save-session", "again.flock"]);
        command.cwd(home.path());
        let mut terminal = Terminal::with(120, 40, command);
        terminal.wait_for_text("Esc cancels");
        terminal.press("j");
        match end {
            "q" => terminal.press("q"),
            name => signal(&terminal, name),
        }
        assert!(ends_within(&mut terminal.child, Duration::from_secs(20)), "{end}");
        assert!(home.path().join("again.flock").exists(), "{end}");
    }
}

#[test]
fn a_replay_that_was_changed_is_not_named_after_its_file() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1", "--save-session", "first.flock"]);
    terminal.press("+");
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 30));
    terminal.press("q");
    terminal.end();
    let changed = "# flies with the same rules again; --save-session FILE also keeps every change";
    // Keys, each with what shows that it has an effect.
    let cases: [(&[(&str, &str)], bool); 4] = [
        (&[], true),
        (&[("(", " 0 of "), ("p", "4 predators")], false),
        (&[("(", " 0 of "), ("p", "4 predators"), ("u", "3 predators"), (")", "paused")], true),
        (&[("p", "4 predators")], false),
    ];
    for (keys, is_exact) in cases {
        let mut command = viewer(&["replay", "first.flock"]);
        command.cwd(home.path());
        let mut terminal = Terminal::with(120, 40, command);
        terminal.wait_for_text(" replay ");
        terminal.wait_for_text("paused");
        for (key, shown) in keys {
            terminal.press(key);
            terminal.wait_for_text(shown);
        }
        if is_exact {
            terminal.wait_for("the last tick", |screen| number_after(screen, "tick ").filter(|tick| *tick > 30));
        }
        terminal.press("q");
        let (_, text) = terminal.end();
        let expected = if is_exact { "flockscope replay first.flock" } else { changed };
        assert!(text.contains(expected) && text.contains("flockscope -p drones -s 1") != is_exact, "{keys:?}: {text}");
    }
}

#[test]
fn a_session_takes_another_name_if_its_file_appears_meanwhile() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1", "--save-session", "mine.flock"]);
    terminal.wait_for_text("▶ running");
    fs::write(home.path().join("mine.flock"), "of another flight").unwrap();
    terminal.press("q");
    let (status, text) = terminal.end();
    assert!(status == 0 && text.contains("flockscope replay mine-2.flock"), "{text}");
    assert_eq!(fs::read_to_string(home.path().join("mine.flock")).unwrap(), "of another flight");
    agrees(&home.path().join("mine-2.flock"), true);
}

#[test]
fn the_name_of_a_session_file_is_checked_before_the_start() {
    let home = TempDir::new().unwrap();
    for (name, expected) in [
        ("a.csv", "the name must end in .flock"),
        ("-", "the name must end in .flock"),
        ("no/a.flock", "does not exist"),
        ("mine.flock", "mine.flock: the file exists; choose another name"),
    ] {
        fs::write(home.path().join("mine.flock"), "of another flight").unwrap();
        let mut command = viewer(&["--save-session", name]);
        command.cwd(home.path());
        let (status, text) = Terminal::with(120, 40, command).end();
        assert!(status != 0 && text.contains(expected), "{name}: {text}");
    }
}
