//! Contract: with no terminal, an unusual one, no locale, no home or a full disk, flockscope works as far as
//! possible, and reports in one sentence what does not work.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::program::{clean_command, path};
use crate::terminal::{Terminal, dots, is_cooked, number_after, viewer};
use portable_pty::CommandBuilder;
use tempfile::TempDir;

/// A shell line in which `$0` is flockscope, in a session without a terminal and an empty folder.
fn without_terminal(line: &str, folder: &Path) -> Output {
    clean_command("setsid")
        .args(["--wait", "sh", "-c", line])
        .arg(path())
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .output()
        .unwrap()
}

/// A shell line in a terminal.
fn in_terminal(line: &str) -> Terminal {
    let mut shell = viewer(&[]);
    *shell.get_argv_mut() = vec!["sh".into(), "-c".into(), line.into(), path().into()];
    Terminal::with(100, 30, shell)
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn without_a_terminal_it_reports_one_sentence() {
    let folder = TempDir::new().unwrap();
    for line in [
        "\"$0\" < /dev/null",
        "\"$0\" < /dev/null | cat; exit 1",
        "\"$0\" > file; s=$?; [ -s file ] || rm file; exit $s",
        "echo q | \"$0\"",
        "\"$0\" --screensaver < /dev/null",
        "\"$0\" < /dev/null >&-",
        "exec \"$0\" <&- >&-",
    ] {
        let ran = without_terminal(line, folder.path());
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{line}: {said}");
        assert!(
            said.starts_with("flockscope: the viewer needs a terminal, and standard output is not a terminal")
                && said.lines().count() == 1,
            "{said}"
        );
        assert!(is_empty(folder.path()), "{line}");
    }
}

#[test]
fn without_standard_error_the_status_reports_the_failure() {
    let folder = TempDir::new().unwrap();
    for (line, status) in [
        ("exec \"$0\" >&- 2>&-", 1),
        ("exec \"$0\" -p sparows 2>&-", 2),
        ("exec \"$0\" --wrld 2>&-", 2),
        ("exec \"$0\" run --ticks 1 --hash 2>&- > /dev/null", 0),
        ("exec \"$0\" run --ticks 1 -n 9 --output - > /dev/full", 1),
        ("exec \"$0\" presets > /dev/full", 1),
        ("exec \"$0\" --help > /dev/full", 1),
        ("exec \"$0\" run --ticks 1 --hash > /dev/full", 1),
    ] {
        let ran = without_terminal(line, folder.path());
        assert_eq!(ran.status.code(), Some(status), "{line}: {}", String::from_utf8_lossy(&ran.stderr));
    }
}

#[test]
fn keys_come_from_the_terminal_if_standard_input_is_redirected() {
    for line in [": | \"$0\" -n 50", "\"$0\" -n 50 2> /dev/null", "\"$0\" -n 50 2>&-"] {
        let mut terminal = in_terminal(line);
        terminal.tick();
        terminal.press(":");
        terminal.wait_for_text("actions, parameters");
        terminal.press("\x1b");
        terminal.settle(Duration::from_millis(200));
        terminal.press("q");
        assert_eq!(terminal.end().0, 0, "{line}");
        assert!(is_cooked(&terminal), "{line}");
    }
}

#[test]
fn without_any_input_it_reports_an_error() {
    let mut shell = viewer(&[]);
    *shell.get_argv_mut() = vec!["sh".into(), "-c".into(), ": | exec \"$0\" -n 50".into(), path().into()];
    // Without a controlling terminal there is no fallback.
    shell.set_controlling_tty(false);
    let mut terminal = Terminal::with(100, 30, shell);
    let (status, text) = terminal.end();
    assert_eq!(status, 1, "{text}");
    assert!(text.starts_with("flockscope: cannot read keys") && !terminal.parser.screen().alternate_screen(), "{text}");
}

fn with_env(names: &[(&str, Option<&str>)]) -> Terminal {
    let mut command = viewer(&["-s", "3", "-n", "50"]);
    for (name, value) in names {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        }
    }
    // The home may be missing.
    command.cwd("/");
    Terminal::with(100, 30, command)
}

#[test]
fn unknown_terminals_work() {
    for term in [None, Some(""), Some("xyzzy"), Some("vt100"), Some("\u{1b}[31m")] {
        let mut terminal = with_env(&[("TERM", term), ("COLORTERM", None)]);
        terminal.wait_for_text("50 boids");
        terminal.tick();
        terminal.press("q");
        assert_eq!(terminal.end().0, 0, "TERM {term:?}");
        assert!(!terminal.parser.screen().alternate_screen() && is_cooked(&terminal), "TERM {term:?}");
    }
}

#[test]
fn terminfo_determines_the_colors() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminfo");
    let known = |color: vt100::Color| match color {
        vt100::Color::Rgb(..) => "truecolor",
        vt100::Color::Idx(16..) => "256",
        vt100::Color::Idx(_) => "16",
        vt100::Color::Default => "none",
    };
    for (term, wanted) in
        [("flock-full", "truecolor"), ("flock-256", "256"), ("flock", "16"), ("../f/flock-full", "16")]
    {
        let env = [("TERM", Some(term)), ("COLORTERM", None), ("TERMINFO", Some(folder))];
        let mut terminal = with_env(&env);
        terminal.wait_for("dots", |screen| (dots(screen) > 10).then_some(()));
        let screen = terminal.parser.screen();
        let cells = (0..29).flat_map(|row| (0..60).filter_map(move |column| screen.cell(row, column)));
        let shown: HashSet<&str> = cells.map(|cell| known(cell.fgcolor())).filter(|known| *known != "none").collect();
        assert_eq!(shown, HashSet::from([wanted]), "{term}");
    }
}

#[test]
fn a_time_zone_that_is_no_regular_file_blocks_nothing() {
    let folder = tempfile::TempDir::new().unwrap();
    let pipe = folder.path().join("zone");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for zone in ["/dev/zero", ":/dev/zero", "../../../dev/zero", pipe.to_str().unwrap()] {
        let mut command = viewer(&["-s", "3", "-n", "50", "--clock"]);
        command.env("TZ", zone);
        let mut terminal = Terminal::with(100, 30, command);
        let tick = terminal.tick();
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 30));
        terminal.press("q");
        assert_eq!(terminal.end().0, 0, "{zone}");
    }
}

fn is_plain(terminal: &Terminal) -> bool {
    terminal.text().chars().all(|sign| sign == '\n' || (' '..='~').contains(&sign))
}

#[test]
fn a_locale_of_another_charset_gets_ascii() {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
        let mut terminal = with_env(&[(name, Some("en_US.ISO-8859-1"))]);
        terminal.listen();
        terminal.wait_for_text("50 boids");
        terminal.tick();
        assert!(is_plain(&terminal) && !terminal.heard().contains('⠿'), "{name}\n{}", terminal.text());
    }
}

#[test]
fn without_a_locale_the_terminal_determines_the_characters() {
    let env: [&[(&str, Option<&str>)]; 3] = [&[("LANG", None)], &[("LANG", Some("C"))], &[("LC_ALL", Some("POSIX"))]];
    for env in env {
        for (column, is_utf8) in [(Some(2), true), (Some(4), false), (Some(1), false), (None, false)] {
            let mut terminal = with_env(env);
            terminal.listen();
            // The character is erased before the terminal can show it.
            terminal.wait_for_output(&["\x1b[?1049h", "\x1b[2H⠿\x1b[6n\x1b[2K"]);
            if let Some(column) = column {
                terminal.press(&format!("\x1b[2;{column}R"));
            }
            terminal.wait_for_text("50 boids");
            terminal.tick();
            let text = terminal.text();
            assert!(is_plain(&terminal) != is_utf8 && (dots(&text) > 0) == is_utf8, "{env:?}, {column:?}\n{text}");
        }
    }
}

#[test]
fn a_chosen_glyph_set_stays_in_a_terminal_that_is_asked() {
    let mut command = viewer(&["-s", "3", "-n", "50", "-m", "ascii"]);
    command.env_remove("LANG");
    let mut terminal = Terminal::with(100, 30, command);
    terminal.listen();
    terminal.wait_for_output(&["⠿\x1b[6n"]);
    terminal.press("\x1b[2;2R");
    terminal.wait_for_text("50 boids");
    terminal.tick();
    assert!(dots(&terminal.text()) == 0 && !is_plain(&terminal), "{}", terminal.text());
}

#[test]
fn no_color_is_respected() {
    let mut terminal = with_env(&[("NO_COLOR", Some("1"))]);
    terminal.tick();
    let screen = terminal.parser.screen();
    let cells = (0..30).flat_map(|row| (0..100).filter_map(move |column| screen.cell(row, column)));
    let colored =
        cells.filter(|cell| [cell.fgcolor(), cell.bgcolor()].iter().any(|color| *color != vt100::Color::Default));
    assert_eq!(colored.count(), 0);
}

#[test]
fn monochrome_sessions_send_no_color_sequence() {
    let mut by_variable = viewer(&["-s", "3"]);
    by_variable.env("NO_COLOR", "1");
    for command in [by_variable, viewer(&["-s", "3", "--color", "mono"])] {
        let mut terminal = Terminal::with(100, 30, command);
        terminal.listen();
        terminal.tick();
        terminal.press("?");
        terminal.wait_for_text("Select the parameter above.");
        terminal.press("\x1b");
        terminal.settle(Duration::from_millis(200));
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
        let heard = terminal.heard();
        assert!(heard.contains("\x1b[?2026$p"), "other capabilities are queried");
        for sequence in heard.split("\x1b[").skip(1) {
            let end = sequence.find(|byte: char| ('@'..='~').contains(&byte)).unwrap();
            // With `>` it sets how keys are reported.
            if &sequence[end..=end] == "m" && !sequence.starts_with('>') {
                let mut numbers = sequence[..end].split(';');
                let are_modifiers = numbers.all(|number| number.is_empty() || matches!(number.parse(), Ok(0..=9_u16)));
                assert!(are_modifiers, "{}", sequence[..=end].escape_debug());
            }
        }
        // The title is the only operating system command, and no setting is queried by DECRQSS.
        assert!(heard.split("\x1b]").skip(1).all(|command| command.starts_with("0;")) && !heard.contains("\x1bP"));
    }
}

// --- homes and disks

#[test]
fn without_a_home_it_runs_and_reports_what_it_cannot_save() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let no_folder = file.path().to_str().unwrap();
    for home in [None, Some("/proc/nowhere"), Some("/proc"), Some(""), Some(no_folder)] {
        let mut terminal = with_env(&[("HOME", home), ("XDG_CONFIG_HOME", None)]);
        terminal.wait_for_text("50 boids");
        // Without the variable the home comes from the user database, which the test does not touch.
        if home.is_some_and(|home| !home.is_empty()) {
            terminal.press("S");
            terminal.wait_for_text("save these rules as");
            terminal.press("mine\r");
            terminal.wait_for_text("mine.toml");
            assert!(!terminal.text().contains("saved as"), "HOME {home:?}\n{}", terminal.text());
        }
        terminal.settle(Duration::from_millis(200));
        terminal.press("q");
        assert_eq!(terminal.end().0, 0, "HOME {home:?}");
    }
}

#[test]
fn nothing_is_written_by_default() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().to_str().unwrap();
    let mut command: CommandBuilder = viewer(&["-s", "3", "-n", "50"]);
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "TMPDIR"] {
        command.env(name, home);
    }
    command.cwd(folder.path());
    let mut terminal = Terminal::with(100, 30, command);
    terminal.tick();
    terminal.press("\t");
    terminal.press("t:");
    terminal.settle(Duration::from_millis(200));
    terminal.press("\x1b");
    terminal.settle(Duration::from_millis(200));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    for line in
        ["\"$0\" presets", "\"$0\" run --ticks 3 --hash", "\"$0\" themes show moon", "\"$0\" shot -o - --ticks 3"]
    {
        let ran =
            without_terminal(&format!("HOME='{home}' XDG_CONFIG_HOME='{home}' TMPDIR='{home}' {line}"), folder.path());
        assert!(ran.status.success(), "{line}");
    }
    assert!(is_empty(folder.path()));
}

#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = TempDir::new().unwrap();
    for (name, args) in [
        ("rows.csv", "run -p drones -n 2000 --ticks 50 --output rows.csv"),
        ("phi.csv", "run -p drones -n 20 --ticks 2000 --measures phi.csv"),
        ("flock.png", "shot --ticks 3 --size 200x60 -o flock.png"),
        ("flock.svg", "shot --ticks 3 --size 200x60 -o flock.svg"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, "before").unwrap();
        // The file size limit makes writes fail, as on a full disk.
        let ran = without_terminal(&format!("trap '' XFSZ; ulimit -f 8; exec \"$0\" {args} -s 1"), folder.path());
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(1), "{args}: {said}");
        assert!(said.starts_with(&format!("flockscope: {name}: ")) && said.lines().count() == 1, "{said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "before", "{args}");
        fs::remove_file(&file).unwrap();
        assert!(is_empty(folder.path()), "{args}");
    }
}

#[test]
fn a_full_disk_leaves_no_partial_preset() {
    let home = TempDir::new().unwrap();
    let line = format!("trap '' XFSZ; ulimit -f 0; XDG_CONFIG_HOME='{}' exec \"$0\" -n 50", home.path().display());
    let mut terminal = in_terminal(&line);
    terminal.tick();
    terminal.press("S");
    terminal.wait_for_text("save these rules as");
    terminal.press("mine\r");
    terminal.wait_for_text("mine.toml: ");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
    let shelf = home.path().join("flockscope").join("presets");
    assert!(!shelf.exists() || is_empty(&shelf));
}
