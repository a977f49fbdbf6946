//! The program in surroundings of its own: nobody's settings, and nothing of what the shell that runs the tests says
//! of settings, colors, languages and networks.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;

use assert_cmd::Command;

/// What the program goes by beside the variables that bear its name.
const TOLD: [&str; 16] = [
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLORTERM",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "ConEmuANSI",
    "ANSICON",
    "LC_ALL",
    "LC_CTYPE",
    "SSH_TTY",
    "SSH_CONNECTION",
    "COLUMNS",
    "LINES",
];

static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nobody");
    fs::create_dir_all(&home).unwrap();
    let left = fs::read_dir(&home).unwrap().next();
    assert!(left.is_none(), "a test has left something in nobody's home: {left:?}");
    home
});

pub fn path() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("flockscope")
}

/// A home in which nothing lies, and nothing is put: who keeps something has one of his own.
pub fn home() -> &'static Path {
    &HOME
}

/// The variables of whoever runs the tests that are not to come along.
pub fn foreign() -> impl Iterator<Item = OsString> {
    let named = env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().contains("FLOCKSCOPE_"));
    TOLD.iter().map(OsString::from).chain(named)
}

/// Any program, such as a shell that starts flockscope, in these surroundings.
pub fn by_itself(program: impl AsRef<OsStr>) -> process::Command {
    let mut command = process::Command::new(program);
    for name in foreign() {
        command.env_remove(name);
    }
    command.env("HOME", home()).env("XDG_CONFIG_HOME", home());
    command
}

/// flockscope with these arguments, to be started and waited for.
pub fn process(args: &[&str]) -> process::Command {
    let mut command = by_itself(path());
    command.args(args);
    command
}

/// flockscope with these arguments, to be run.
pub fn flockscope(args: &[&str]) -> Command {
    Command::from_std(process(args))
}

/// What it prints.
pub fn says(args: &[&str]) -> String {
    prints(flockscope(args))
}

/// Runs, expects this status and nothing on standard output, and returns standard error.
pub fn fails(args: &[&str], status: i32) -> String {
    refuses(flockscope(args), status)
}

/// What this run prints.
pub fn prints(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What this run complains of.
pub fn refuses(mut command: Command, status: i32) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{command:?}: {error}");
    assert!(output.stdout.is_empty(), "{command:?} wrote to standard output");
    assert!(!error.contains("panicked") && !error.contains("RUST_BACKTRACE"), "{command:?}: {error}");
    error
}
