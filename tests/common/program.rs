//! The program in a clean environment: an empty home, and no variables for settings, colors, locale or SSH.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::LazyLock;

use assert_cmd::Command;

/// Variables that the program reads beside those with its own prefix.
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
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("empty-home");
    fs::create_dir_all(&home).unwrap();
    let left = fs::read_dir(&home).unwrap().next();
    assert!(left.is_none(), "a test wrote into the empty home: {left:?}");
    home
});

pub fn path() -> &'static Path {
    assert_cmd::cargo::cargo_bin!("flockscope")
}

/// An empty home directory. Tests that write use their own.
pub fn home() -> &'static Path {
    &HOME
}

/// Variables of the test runner's environment to remove.
pub fn foreign() -> impl Iterator<Item = OsString> {
    let named = env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().contains("FLOCKSCOPE_"));
    TOLD.iter().map(OsString::from).chain(named)
}

/// Any program, such as a shell that starts flockscope, in the clean environment.
pub fn clean_command(program: impl AsRef<OsStr>) -> process::Command {
    let mut command = process::Command::new(program);
    for name in foreign() {
        command.env_remove(name);
    }
    command.env("HOME", home()).env("XDG_CONFIG_HOME", home());
    command
}

/// flockscope with these arguments, as a process to start and wait for.
pub fn process(args: &[&str]) -> process::Command {
    let mut command = clean_command(path());
    command.args(args);
    command
}

/// Whether a folder has a file that is not complete.
pub fn is_writing(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name().to_string_lossy().starts_with(".flockscope-"))
}

/// flockscope with these arguments.
pub fn flockscope(args: &[&str]) -> Command {
    Command::from_std(process(args))
}

/// Its standard output.
pub fn says(args: &[&str]) -> String {
    prints(flockscope(args))
}

/// Runs, expects this status and nothing on standard output, and returns standard error.
pub fn fails(args: &[&str], status: i32) -> String {
    refuses(flockscope(args), status)
}

/// The standard output of this command.
pub fn prints(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The standard error of this command, which must fail with this status.
pub fn refuses(mut command: Command, status: i32) -> String {
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{command:?}: {error}");
    assert!(output.stdout.is_empty(), "{command:?} wrote to standard output");
    assert!(!error.contains("panicked") && !error.contains("RUST_BACKTRACE"), "{command:?}: {error}");
    error
}
