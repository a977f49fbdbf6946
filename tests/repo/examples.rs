//! Contract: the examples run, and show what they say.

#[cfg(unix)]
use crate::terminal;

use std::path::PathBuf;
use std::process::{Command, Stdio};
#[cfg(unix)]
use std::time::Duration;

/// Where an example stands, built as it now reads.
fn example(name: &str) -> PathBuf {
    let package = if name == "widget" { "flockscope-picture" } else { "flockscope" };
    let arguments = ["build", "--quiet", "--locked", "--profile", "test", "-p", package, "--example", name];
    let built = Command::new(env!("CARGO")).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap();
    assert!(built.success(), "{name} does not compile");
    let program = assert_cmd::cargo::cargo_bin!("flockscope");
    program.with_file_name("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// What an example prints, which must be the same twice.
fn printed(name: &str) -> String {
    let program = example(name);
    let print = || {
        let output = Command::new(&program).stdin(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = print();
    assert_eq!(text, print());
    text
}

#[test]
fn a_flock_flies_without_a_terminal() {
    let text = printed("headless");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 8, "{text}");
    let polarization = |line: &str| line.split_whitespace().nth(1).unwrap().parse::<f32>().unwrap();
    assert!(polarization(lines[6]) > polarization(lines[1]), "they come to fly one way:\n{text}");
    let hash = lines[7].strip_prefix("hash 600 ").unwrap();
    assert!(hash.len() == 16 && hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{text}");
}

#[test]
fn a_user_defined_rule_makes_boids_circle() {
    let text = printed("rules");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("alignment.weight")).collect();
    assert!(lines.len() == 3 && lines[2].contains("at tick 1200"), "{text}");
    let number_after = |start: &str| -> f32 {
        let rest = text.rsplit_once(start).unwrap().1;
        rest.split_whitespace().next().unwrap().parse().unwrap()
    };
    assert!(number_after("rotation ") > 0.8, "{text}");
    assert!((60.0..=100.0).contains(&number_after("from the center: ")), "{text}");
    let error = text.lines().last().unwrap();
    assert!(error.starts_with("error: ") && error.contains("separation.weight"), "{text}");
}

#[cfg(unix)]
#[test]
fn a_flock_is_a_widget_in_another_program() {
    let mut command = terminal::viewer(&[]);
    *command.get_argv_mut() = vec![example("widget").into()];
    let mut terminal = terminal::Terminal::with(60, 20, command);
    terminal.wait_for_text(" a flock ");
    terminal.wait_for_text(" minute ");
    terminal.wait_for("boids", |screen| (terminal::dots(screen) > 10).then_some(()));
    terminal.resize(80, 10);
    terminal.wait_for("the new size", |screen| screen.lines().any(|row| row.chars().count() == 80).then_some(()));
    // crossterm may drop a key that arrives together with a resize event.
    while terminal.child.try_wait().unwrap().is_none() {
        terminal.press("q");
        terminal.settle(Duration::from_millis(100));
    }
    assert_eq!(terminal.end().0, 0);
}
