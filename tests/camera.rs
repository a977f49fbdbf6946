//! Contract: the keys that move the view, in a real pseudo-terminal: each does what it says, and the
//! screen says so.
#![cfg(all(feature = "app", unix))]

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::Command;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

/// How long anything may take before the test says it does not come. A loaded machine is slow.
const PATIENCE: Duration = Duration::from_secs(20);

/// A terminal of 120 by 40 with flockscope in it.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
}

impl Terminal {
    fn new(args: &[&str]) -> Self {
        let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin!("flockscope"));
        command.args(args);
        for (name, value) in [("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")] {
            command.env(name, value);
        }
        for name in ["LC_ALL", "LC_CTYPE", "NO_COLOR", "SSH_TTY"] {
            command.env_remove(name);
        }
        let size = PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let keys = pair.master.take_writer().unwrap();
        let (sender, output) = mpsc::channel();
        thread::spawn(move || {
            // The terminal lives as long as it is read.
            let _master = pair.master;
            let mut bytes = vec![0; 1 << 16];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        let size = |length| NonZero::new(length).unwrap();
        Self { child, keys, output, parser: vt100::Parser::new(size(40), size(120), 0) }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Takes in output until the screen answers, and returns the answer.
    fn wait_for<T>(&mut self, what: &str, answer: impl Fn(&str) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            let screen = self.parser.screen().contents();
            if let Some(answer) = answer(&screen) {
                return answer;
            }
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(error) => panic!("{what}: {error}; the screen shows\n{screen}"),
            }
        }
    }

    fn says(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text).then_some(()));
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// Whether a map stands in the corner, above the status line.
fn has_map(screen: &str) -> bool {
    screen.lines().nth(38).is_some_and(|line| line.starts_with("└──────"))
}

/// Dots in the cells of the flock's part of the screen.
fn dots(screen: &str) -> u32 {
    let lines = screen.lines().take(28);
    let signs = lines.flat_map(|line| line.chars().take(88)).map(u32::from);
    signs.filter(|sign| (0x2801..=0x28ff).contains(sign)).map(|sign| (sign - 0x2800).count_ones()).sum()
}

#[test]
fn zoom_follow_and_pan_do_what_they_say_in_a_flat_world() {
    let mut terminal = Terminal::new(&["-p", "drones", "-s", "7"]);
    terminal.says("pause");
    assert!(!has_map(&terminal.parser.screen().contents()));
    terminal.press("]");
    terminal.says("zoom 1.4×");
    terminal.press("]");
    terminal.says("zoom 2×");
    terminal.wait_for("a map", |screen| has_map(screen).then_some(()));
    terminal.press("f");
    terminal.says("following boid ");
    // Row 19 of 39, column 44 of 88: the corners stand around the middle, one row above and below.
    terminal.wait_for("corners around the middle", |screen| {
        let line: Vec<char> = screen.lines().nth(18)?.chars().collect();
        (line.get(41) == Some(&'┌') && line.get(47) == Some(&'┐')).then_some(())
    });
    terminal.press("f");
    terminal.says("following the largest flock");
    terminal.press("f");
    terminal.says("following nobody");
    terminal.press("\x1b[1;5D");
    terminal.says("the view's middle is at ");
    terminal.press("\\");
    terminal.says("the whole world");
    terminal.wait_for("no map", |screen| (!has_map(screen)).then_some(()));
}

#[test]
fn while_time_stands_still_the_view_glides_all_the_same() {
    let mut terminal = Terminal::new(&["-p", "drones", "-s", "7"]);
    terminal.says("tick ");
    terminal.press(" ");
    terminal.says("paused");
    let whole = terminal.wait_for("dots", |screen| Some(dots(screen)).filter(|dots| *dots > 0));
    (0..8).for_each(|_| terminal.press("]"));
    terminal.says("zoom 16×");
    // Of the ninety-seven next to nobody is left in view.
    terminal.wait_for("an emptier view", |screen| (dots(screen) * 2 < whole).then_some(()));
    terminal.press("\x1b[1;5H");
    terminal.says("the whole world");
    // Without the trails: those of another view are forgotten.
    terminal.wait_for("all of them again", |screen| (dots(screen) * 2 > whole).then_some(()));
}

#[test]
fn in_three_dimensions_one_goes_around() {
    let mut terminal = Terminal::new(&["-p", "sphere", "-s", "7", "--zoom", "2", "--follow", "largest"]);
    terminal.wait_for("a map", |screen| has_map(screen).then_some(()));
    terminal.press("\x1b[1;5A");
    terminal.says("10° below");
    terminal.press("\x1b[1;5A\x1b[1;5A");
    terminal.says("10° above");
    terminal.press("\x1b[1;5C");
    terminal.says("° around");
}

#[test]
fn a_picture_looks_where_it_is_told_to() {
    let picture = |args: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("flockscope"));
        command.args(["shot", "-p", "drones", "-s", "7", "--ticks", "40", "-o", "-", "--size", "60x20"]).args(args);
        let output = command.output().unwrap();
        (output.status.code(), output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (whole, near) = (picture(&[]), picture(&["--zoom", "3", "--follow", "largest"]));
    assert_eq!((whole.0, near.0), (Some(0), Some(0)));
    assert_ne!(whole.1, near.1);
    assert_eq!(near.1, picture(&["--zoom", "3", "--follow", "largest"]).1);
    assert_eq!(whole.1, picture(&["--zoom", "1"]).1);
    for (args, word) in [(["--zoom", "0.5"], "from 1 to 64"), (["--follow", "larges"], "did you mean")] {
        let (status, _, error) = picture(&args);
        assert!(status == Some(2) && error.contains(word), "{error}");
    }
}
