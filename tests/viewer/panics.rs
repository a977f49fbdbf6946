//! Contract: after an internal panic the terminal is restored before the report, which says what to send.

use std::process::Stdio;

use crate::program;
use crate::terminal::{Terminal, is_cooked, viewer};

#[test]
fn a_panic_of_the_simulation_thread_restores_the_terminal_and_reports() {
    let folder = tempfile::TempDir::new().unwrap();
    let log = folder.path().join("flight.log");
    let flock = ["-s", "4711", "-n", "50"];
    let logged = [&flock[..], &["--log-file", log.to_str().unwrap()]].concat();
    // Before the terminal is taken over, and while running.
    for (args, tick) in [(&flock[..], "0"), (&flock, "40"), (&logged, "40")] {
        let mut command = viewer(args);
        command.env("TEST_FLOCKSCOPE_PANIC", tick);
        command.env_remove("RUST_BACKTRACE");
        let mut terminal = Terminal::with(200, 50, command);
        let (status, text) = terminal.end();
        let screen = terminal.parser.screen();
        assert_eq!(status, 1, "{text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && is_cooked(&terminal), "{text}");
        let version = concat!("flockscope ", env!("CARGO_PKG_VERSION"));
        // On the restored main screen, not on the alternate one.
        let left = screen.contents();
        for words in ["TEST_FLOCKSCOPE_PANIC", "src/engine/worker.rs", version, "seed 4711", "log"] {
            assert!(left.contains(words), "{words}: {left}\n\nof {text}");
        }
        assert!(text.contains("flockscope: an internal thread panicked"), "{text}");
    }
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("panic") && log.contains("TEST_FLOCKSCOPE_PANIC") && log.contains("failed"), "{log}");
}

#[test]
fn a_panic_of_another_thread_ends_the_viewer() {
    let home = tempfile::TempDir::new().unwrap();
    let mut command = viewer(&["-s", "4711", "-n", "50"]);
    command.env("TEST_FLOCKSCOPE_PANIC", "picture");
    command.env_remove("RUST_BACKTRACE");
    command.cwd(home.path());
    let mut terminal = Terminal::with(200, 50, command);
    terminal.tick();
    terminal.press("s");
    let (status, text) = terminal.end();
    let screen = terminal.parser.screen();
    assert_eq!(status, 1, "{text}");
    assert!(!screen.alternate_screen() && !screen.hide_cursor() && is_cooked(&terminal), "{text}");
    let left = screen.contents();
    for words in ["TEST_FLOCKSCOPE_PANIC", "src/viewer/event_loop/background_job.rs", "seed 4711"] {
        assert!(left.contains(words), "{words}: {left}\n\nof {text}");
    }
    assert!(text.contains("flockscope: an internal thread panicked"), "{text}");
}

#[test]
fn a_report_in_a_file_has_no_colors() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut shell = viewer(&[]);
    let words = ["sh", "-c", "exec \"$0\" -n 50 2>report", program::path().to_str().unwrap()];
    *shell.get_argv_mut() = words.map(Into::into).to_vec();
    shell.env("TEST_FLOCKSCOPE_PANIC", "0");
    shell.cwd(folder.path());
    let mut terminal = Terminal::with(100, 30, shell);
    assert_eq!(terminal.end().0, 1);
    let report = std::fs::read_to_string(folder.path().join("report")).unwrap();
    assert!(report.contains("src/engine/worker.rs") && !report.contains('\x1b'), "{report:?}");
}

#[test]
fn a_panic_without_standard_error_sets_the_exit_status() {
    // In a terminal with a closed standard error.
    let mut shell = viewer(&[]);
    *shell.get_argv_mut() = vec!["sh".into(), "-c".into(), "exec \"$0\" -n 50 2>&-".into(), program::path().into()];
    shell.env("TEST_FLOCKSCOPE_PANIC", "0");
    let mut terminal = Terminal::with(100, 30, shell);
    assert_eq!(terminal.end().0, 1);
    assert!(is_cooked(&terminal));
    // Without any terminal it fails earlier.
    let mut ran = program::process(&[]);
    ran.env("TEST_FLOCKSCOPE_PANIC", "0").stdin(Stdio::null()).stdout(Stdio::null());
    assert_eq!(ran.output().unwrap().status.code(), Some(1));
}
