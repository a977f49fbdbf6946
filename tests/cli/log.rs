//! Contract: the log contains what a bug report needs, line by line as it happens, in the
//! named file only; without `--log-file` nothing is written.

#[cfg(unix)]
use crate::terminal;

use std::fs;
use std::path::Path;

use crate::program;
use tempfile::TempDir;

/// A folder, and the path of a log in it.
fn log_file() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("flock.log").to_str().unwrap().to_owned();
    (folder, log)
}

fn flockscope(args: &[&str]) -> (Option<i32>, String, String) {
    let output = program::flockscope(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn read(log: &str) -> String {
    fs::read_to_string(log).unwrap()
}

/// Every line starts with the time in UTC and a level.
fn is_well_formed(log: &str) {
    for line in log.lines() {
        let (time, rest) = line.split_once(' ').unwrap();
        assert!(time.len() == 27 && time.starts_with("20") && time.ends_with('Z'), "{line}");
        let level = rest.trim_start().split(' ').next().unwrap();
        assert!(["ERROR", "WARN", "INFO", "DEBUG", "TRACE"].contains(&level), "{line}");
    }
}

#[test]
fn it_records_version_command_and_machine() {
    let (_folder, file) = log_file();
    let run = ["run", "-p", "drones", "-s", "7", "-n", "9", "--ticks", "3", "--hash", "--log-file", &file];
    let (status, hash, said) = flockscope(&run);
    assert_eq!((status, &*said), (Some(0), ""));
    let log = read(&file);
    is_well_formed(&log);
    for part in [env!("CARGO_PKG_VERSION"), "\"drones\"", "seed=7", "boids=9", "threads=", "SIMD", "\"--hash\"", "exit"]
    {
        assert!(log.contains(part), "{part}: {log}");
    }
    // The flock and its output are unchanged.
    let (_, again, _) = flockscope(&run[..run.len() - 2]);
    assert_eq!(hash, again);
    // A second run appends.
    flockscope(&run);
    assert_eq!(read(&file).matches("INFO main start ").count(), 2);
}

#[test]
fn nothing_is_written_without_the_option() {
    let folder = TempDir::new().unwrap();
    let mut run = program::flockscope(&["run", "-n", "5", "--ticks", "2"]);
    run.current_dir(folder.path());
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR"] {
        run.env(name, folder.path());
    }
    assert!(run.output().unwrap().status.success());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_level_filters() {
    for (level, least, most) in [("off", 0, 0), ("error", 0, 0), ("warn", 0, 0), ("info", 3, 10), ("trace", 3, 100)] {
        let (_folder, file) = log_file();
        let (status, ..) = flockscope(&["run", "-n", "5", "--ticks", "2", "--log-file", &file, "--log-level", level]);
        assert_eq!(status, Some(0));
        let lines = read(&file).lines().count();
        assert!((least..=most).contains(&lines), "{level}: {lines}");
    }
}

#[test]
fn it_contains_every_fatal_error() {
    let (folder, file) = log_file();
    let broken = folder.path().join("broken.toml");
    fs::write(&broken, "boids = 5\nsomething = 7\n").unwrap();
    for (args, status, sentence) in [
        (&["run", "-p", "sparows"][..], 2, "unknown preset `sparows`; did you mean `sparrows`?"),
        (&["run", "-p", broken.to_str().unwrap()], 1, "broken.toml:2:1: "),
        (&["run", "-n", "0"], 2, "expected a whole number from 1 to 10000000"),
        (&["run", "--tikcs", "3"], 2, "--tikcs"),
        (&["shot", "-o", "no/such/folder/a.png"], 1, "no/such/folder"),
        (&[], 1, "not a terminal"),
    ] {
        let _ = fs::remove_file(&file);
        let (code, out, said) = flockscope(&[args, &["--log-file", &file]].concat());
        assert_eq!((code, &*out), (Some(status), ""), "{args:?}: {said}");
        assert!(said.contains(sentence), "{args:?}: {said}");
        let log = read(&file);
        is_well_formed(&log);
        assert!(log.lines().any(|line| line.contains("ERROR") && line.contains(sentence)), "{args:?}: {log}");
    }
}

#[test]
fn external_text_is_escaped() {
    let (_folder, file) = log_file();
    flockscope(&["run", "-p", "a\x1b]0;b\x07\nc.toml", "--log-file", &file]);
    let log = read(&file);
    assert!(!log.contains(['\x1b', '\x07']), "{log:?}");
    is_well_formed(&log);
}

#[test]
fn an_unwritable_log_is_an_error() {
    let (folder, file) = log_file();
    let rows = folder.path().join("rows.csv");
    for (log, right) in [(folder.path().join("no/such.log"), "such.log"), (folder.path().to_owned(), "directory")] {
        let args = ["run", "-n", "5", "--ticks", "1", "--output", rows.to_str().unwrap()];
        let (status, out, said) = flockscope(&[&args[..], &["--log-file", log.to_str().unwrap()]].concat());
        assert_eq!((status, &*out), (Some(1), ""), "{said}");
        assert!(said.contains(right) && said.lines().count() == 1, "{said}");
        assert!(!rows.exists());
    }
    assert!(!Path::new(&file).exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_does_not_stop_the_viewer() {
    let (status, hash, said) =
        flockscope(&["run", "-s", "7", "-n", "5", "--ticks", "2", "--hash", "--log-file", "/dev/full"]);
    assert!(status == Some(0) && hash.starts_with("hash 2 ") && said.is_empty(), "{said}");
}

#[cfg(unix)]
mod viewer {
    use std::process::Command;

    use super::terminal::Terminal;
    use super::{is_well_formed, log_file, read};

    #[test]
    fn it_records_terminal_and_actions_and_never_writes_to_the_screen() {
        let (_folder, file) = log_file();
        let args = ["-s", "7", "-n", "50", "--no-intro", "--log-file", &file, "--log-level", "trace"];
        let mut terminal = Terminal::new(120, 40, &args);
        terminal.tick();
        terminal.press(" ");
        terminal.wait_for_text("paused");
        assert!(!terminal.text().contains("INFO"));
        // The log is complete while the program runs.
        let log = read(&file);
        assert!(log.contains("action=\"pause\"") && log.contains("Pause(true)"), "{log}");
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
        let log = read(&file);
        is_well_formed(&log);
        for part in ["xterm-256color", "request: Pause(true)", "frame bytes=", "action=\"quit\"", "exit"] {
            assert!(log.contains(part), "{part}: {log}");
        }
    }

    #[test]
    fn it_records_signals() {
        let (_folder, file) = log_file();
        let mut terminal = Terminal::new(120, 40, &["-s", "7", "-n", "50", "--no-intro", "--log-file", &file]);
        terminal.tick();
        let process = terminal.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
        assert_eq!(terminal.end().0, 128 + 15);
        let log = read(&file);
        assert!(log.contains("signal=15"), "{log}");
    }

    #[test]
    fn a_log_to_the_terminal_is_rejected() {
        let mut terminal = Terminal::new(120, 40, &["--log-file", "/dev/tty"]);
        let (status, said) = terminal.end();
        assert!(status == 1 && said.contains("the log needs a file, not a terminal"), "{said}");
    }
}

#[test]
fn a_file_that_is_no_log_is_kept() {
    let (folder, log) = log_file();
    let other = folder.path().join("a.csv");
    let text = "id,frame,x,y\n0,0,1,1\n0,1,2,1\n";
    fs::write(&other, text).unwrap();
    let other = other.to_str().unwrap();
    for args in [&["run", "--session", other, "--summary"][..], &["run", "-p", "drones", "--ticks", "1", "--hash"]] {
        let (status, _, error) = flockscope(&[args, &["--log-file", other]].concat());
        assert!(status == Some(1) && error.contains("is no log"), "{error}");
        assert_eq!(read(other), text);
    }
    for _ in 0..2 {
        assert_eq!(flockscope(&["run", "-p", "drones", "--ticks", "1", "--hash", "--log-file", &log]).0, Some(0));
    }
    is_well_formed(&read(&log));
}
