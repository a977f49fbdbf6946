//! Contract: a limit of the memory or of the size of files ends in a sentence, never in a broken terminal or a part of a file.

use std::fs;
use std::path::Path;

use portable_pty::CommandBuilder;

use crate::program;
use crate::terminal::{Terminal, clean_command, is_cooked};

/// The viewer under a limit of the shell, in a folder.
fn limited(limit: &str, folder: &Path, args: &[&str]) -> CommandBuilder {
    let mut command = clean_command("sh");
    command.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]);
    command.arg(program::path());
    command.args(["-p", "drones", "-s", "7"]);
    command.args(args);
    command.cwd(folder);
    command
}

fn files(folder: &Path) -> Vec<String> {
    fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect()
}

fn is_restored(terminal: &Terminal) -> bool {
    let screen = terminal.parser.screen();
    !screen.alternate_screen() && !screen.hide_cursor() && is_cooked(terminal)
}

#[cfg(target_os = "linux")]
#[test]
fn a_flock_beyond_the_memory_is_one_sentence() {
    let folder = tempfile::TempDir::new().unwrap();
    let memory = "-v 1000000";
    let mut terminal = Terminal::with(100, 30, limited(memory, folder.path(), &["-n", "10000000"]));
    let (status, text) = terminal.end();
    assert!(status == 2 && text.contains("memory") && text.lines().count() <= 2, "{status}: {text}");
    assert!(is_restored(&terminal), "{text}");
    // The running flock is kept.
    let mut terminal = Terminal::with(100, 30, limited(memory, folder.path(), &["-n", "50", "-j", "1"]));
    terminal.wait_for_text("▶ running");
    terminal.press(":boids 10000000\r");
    terminal.wait_for_text("memory");
    let tick = terminal.tick();
    terminal
        .wait_for("a later tick", |screen| crate::terminal::number_after(screen, "tick ").filter(|now| *now > tick));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    assert!(is_restored(&terminal));
}

#[test]
fn a_file_beyond_the_limit_is_a_message() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut terminal = Terminal::with(100, 30, limited("-f 0", folder.path(), &[]));
    terminal.wait_for_text("▶ running");
    terminal.press("\x13");
    terminal.wait_for_text("File too large");
    assert_eq!(files(folder.path()), [""; 0]);
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    assert!(is_restored(&terminal));
}

#[test]
fn a_file_beyond_the_limit_ends_no_command_by_a_signal() {
    let folder = tempfile::TempDir::new().unwrap();
    let commands: [&[&str]; 5] = [
        &["run", "--ticks", "5", "-o", "rows.csv"],
        &["shot", "-o", "flock.png"],
        &["record", "--duration", "0.2s", "-o", "flock.gif"],
        &["sweep", "--ticks", "5", "-o", "sweep.csv"],
        &["man"],
    ];
    for args in commands {
        let page = fs::File::create(folder.path().join("page")).unwrap();
        let mut command = program::clean_command("sh");
        command.args(["-c", "ulimit -f 0; exec \"$0\" \"$@\""]).arg(program::path()).args(args);
        let output = command.current_dir(folder.path()).stdout(page).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {error}");
        assert!(error.contains("File too large") && error.lines().count() == 1, "{args:?}: {error}");
        assert_eq!(files(folder.path()), ["page"], "{args:?}");
    }
}

#[test]
fn a_session_beyond_the_limit_is_an_error_at_the_end() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut terminal = Terminal::with(100, 30, limited("-f 0", folder.path(), &["--save-session", "flight.flock"]));
    terminal.wait_for_text("▶ running");
    terminal.press("q");
    let (status, text) = terminal.end();
    assert!(status == 1 && text.contains("flight.flock: File too large"), "{status}: {text}");
    assert!(is_restored(&terminal), "{text}");
    assert_eq!(files(folder.path()), [""; 0]);
}
