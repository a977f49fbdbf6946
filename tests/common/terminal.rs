//! A pseudo-terminal that runs flockscope, with keys to type and a screen to read.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use crate::program;

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtyPair, PtySize, native_pty_system};
use ratatui::layout::Position;

/// Timeout for every wait. A loaded machine is slow.
pub const SHOW_AFTER: Duration = Duration::from_secs(20);

/// A pseudo-terminal that runs flockscope.
pub struct Terminal {
    pub master: Box<dyn MasterPty + Send>,
    pub child: Box<dyn Child + Send + Sync>,
    pub keys: Box<dyn Write + Send>,
    pub output: Receiver<Vec<u8>>,
    /// Holding this lock stops the terminal from reading.
    pub reading: Arc<Mutex<()>>,
    pub parser: vt100::Parser<Window>,
    /// Output since `listen`, on either screen.
    heard: Option<Vec<u8>>,
}

/// Control sequences that do not change the screen.
#[derive(Default)]
pub struct Window {
    pub title: String,
    /// Replies to queries, oldest first; sending one removes it.
    pub answers: Vec<String>,
}

impl vt100::Callbacks for Window {
    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.title = String::from_utf8_lossy(title).into_owned();
    }

    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        second: Option<u8>,
        numbers: &[&[u16]],
        end: char,
    ) {
        let (row, column) = screen.cursor_position();
        self.answers.extend(match (first, second, numbers, end) {
            (None, None, [[6]], 'n') => Some(format!("\x1b[{};{}R", row + 1, column + 1)),
            (None, None, _, 'c') => Some("\x1b[?62;22c".to_owned()),
            (Some(b'?'), Some(b'$'), [[mode]], 'p') => Some(format!("\x1b[?{mode};2$y")),
            _ => None,
        });
    }

    fn unhandled_osc(&mut self, _: &mut vt100::Screen, words: &[&[u8]]) {
        if words == [&b"11"[..], b"?"] {
            self.answers.push("\x1b]11;rgb:1010/1010/1818\x1b\\".to_owned());
        }
    }
}

pub fn size(length: u16) -> NonZero<u16> {
    NonZero::new(length).unwrap()
}

/// flockscope with these arguments, in a truecolor terminal; without a preset or a replay it shows starlings, whose rules
/// are those that tests change.
pub fn viewer(args: &[&str]) -> CommandBuilder {
    if args.iter().any(|arg| ["-p", "--preset", "--input", "replay"].contains(arg)) {
        return exactly(args);
    }
    exactly(&[&["-p", "starlings"], args].concat())
}

/// flockscope with these arguments and no others, in a truecolor terminal: the preset may be set elsewhere.
pub fn exactly(args: &[&str]) -> CommandBuilder {
    let mut command = clean_command(program::path());
    command.args(args);
    command.env("COLORTERM", "truecolor");
    command
}

/// The viewer in a folder with its own settings, as soon as it runs.
pub fn at_home(home: &Path, args: &[&str]) -> Terminal {
    let mut command = viewer(args);
    command.env("XDG_CONFIG_HOME", home);
    command.cwd(home);
    let mut terminal = Terminal::with(120, 40, command);
    terminal.wait_for_text("▶ running");
    terminal
}

/// Any program, such as a shell that starts flockscope, in a terminal and a clean environment.
pub fn clean_command(program: impl AsRef<OsStr>) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    for name in program::foreign() {
        command.env_remove(name);
    }
    command.env("HOME", program::home());
    command.env("XDG_CONFIG_HOME", program::home());
    command.env("TERM", "xterm-256color");
    command.env("LANG", "C.UTF-8");
    command
}

impl Terminal {
    pub fn new(columns: u16, rows: u16, args: &[&str]) -> Self {
        Self::with(columns, rows, viewer(args))
    }

    pub fn with(columns: u16, rows: u16, command: CommandBuilder) -> Self {
        Self::sized(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }, command)
    }

    /// With a window size; a window without one counts as 80 × 24.
    pub fn sized(window: PtySize, command: CommandBuilder) -> Self {
        let known = |length, of_old| if length == 0 { of_old } else { length };
        let (columns, rows) = (known(window.cols, 80), known(window.rows, 24));
        let pair = native_pty_system().openpty(window).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = mpsc::channel();
        let reading = Arc::new(Mutex::new(()));
        let allowed = Arc::clone(&reading);
        thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
                drop(allowed.lock());
            }
        });
        let keys = pair.master.take_writer().unwrap();
        let parser = vt100::Parser::new_with_callbacks(size(rows), size(columns), 0, Window::default());
        Self { master: pair.master, child, keys, output, reading, parser, heard: None }
    }

    /// The `drones` preset with seed 1 at 120 × 40, after its first tick.
    pub fn of_drones() -> Self {
        let mut terminal = Self::new(120, 40, &["-p", "drones", "-s", "1"]);
        terminal.wait_for_text("▶ running");
        terminal
    }

    pub fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// A mouse report in mode 1006: a button (0 left, 1 middle, 2 right, 64 and 65 the wheel, 32 more while
    /// it moves), a cell counted from 0, and whether it is down.
    pub fn mouse(&mut self, button: u8, at: impl Into<Position>, down: bool) {
        let Position { x, y } = at.into();
        let end = if down { 'M' } else { 'm' };
        self.press(&format!("\x1b[<{button};{};{}{end}", x + 1, y + 1));
    }

    /// Presses and releases a button.
    pub fn click(&mut self, button: u8, at: impl Into<Position>) {
        let at = at.into();
        self.mouse(button, at, true);
        self.mouse(button, at, false);
    }

    /// Position of a text on the screen, once it appears.
    pub fn place_of(&mut self, text: &str) -> (u16, u16) {
        self.wait_for(text, |screen| {
            let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text))?;
            let before = &line[..line.find(text)?];
            Some((before.chars().count() as u16, row as u16))
        })
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
        self.parser.screen_mut().set_size(size(rows), size(columns));
    }

    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Reads output until the function finds an answer in the screen's text.
    pub fn wait_for<T>(&mut self, what: &str, answer: impl Fn(&str) -> Option<T>) -> T {
        self.wait_to_see(what, |screen| answer(&screen.contents()))
    }

    /// Reads output until the function finds an answer in the screen with its colors.
    pub fn wait_to_see<T>(&mut self, what: &str, answer: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        self.wait_until(what, |terminal| answer(terminal.parser.screen()))
    }

    fn wait_until<T>(&mut self, what: &str, answer: impl Fn(&Self) -> Option<T>) -> T {
        let end = Instant::now() + SHOW_AFTER;
        loop {
            if let Some(answer) = answer(self) {
                return answer;
            }
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("{what}: {error}; the screen shows\n{}", self.text()),
            }
        }
    }

    pub fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text).then_some(()));
    }

    fn take(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        if let Some(heard) = &mut self.heard {
            heard.extend_from_slice(bytes);
        }
    }

    /// Records output from now on.
    pub fn listen(&mut self) {
        self.heard = Some(Vec::new());
    }

    /// Output since `listen`.
    pub fn heard(&self) -> String {
        String::from_utf8_lossy(self.heard.as_deref().expect("listen was called")).into_owned()
    }

    /// Waits until these texts have appeared in this order since `listen`, on either screen.
    pub fn wait_for_output(&mut self, words: &[&str]) {
        self.wait_until(&format!("{words:?} in turn"), |terminal| {
            let rest = words.iter().try_fold(terminal.heard(), |rest, word| Some(rest.split_once(*word)?.1.to_owned()));
            rest.map(drop)
        });
    }

    /// Reads output for this long.
    pub fn settle(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(bytes) = self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            self.take(&bytes);
        }
    }

    pub fn tick(&mut self) -> u64 {
        self.wait_for("a tick", |screen| number_after(screen, "tick "))
    }

    pub fn seed(&mut self) -> u64 {
        self.wait_for("a seed", |screen| number_after(screen, "seed "))
    }

    /// Waits for the program to exit; returns its status as a shell has it, and the output after the last screen.
    pub fn end(&mut self) -> (u32, String) {
        let end = Instant::now() + SHOW_AFTER;
        loop {
            match self.output.recv_timeout(Duration::from_millis(20)) {
                Ok(bytes) => self.take(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    if self.child.try_wait().unwrap().is_some() {
                        break;
                    }
                    assert!(Instant::now() < end, "it does not end; the screen shows\n{}", self.text());
                }
            }
        }
        let status = self.child.wait().unwrap();
        // The last output has been written; the reader thread may still wait for a processor.
        self.settle(Duration::from_millis(300));
        (shell_status(&status), self.text())
    }
}

/// The exit code, or 128 + N if signal N ended the program.
pub fn shell_status(status: &ExitStatus) -> u32 {
    // The status has the description of the signal, followed by its number on macOS.
    let descriptions = [("Hangup", 1), ("Interrupt", 2), ("Quit", 3), ("Terminated", 15)];
    let Some(signal) = status.signal() else { return status.exit_code() };
    let number = descriptions.iter().find(|(description, _)| signal.starts_with(description));
    128 + number.unwrap_or_else(|| panic!("ended by signal: {signal}")).1
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

pub fn number_after(screen: &str, word: &str) -> Option<u64> {
    screen.split(word).skip(1).find_map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        // A partial frame may cut a number short: accept one only if something follows it.
        (rest.len() > digits.len()).then(|| digits.parse().ok())?
    })
}

/// The viewer in a terminal whose output is no longer read after the first tick.
pub fn bare(args: &[&str], controlling: bool) -> (PtyPair, Box<dyn Child + Send + Sync>, Box<dyn Read + Send>) {
    let pair = native_pty_system().openpty(PtySize { rows: 40, cols: 120, pixel_width: 0, pixel_height: 0 }).unwrap();
    let mut command = viewer(args);
    command.set_controlling_tty(controlling);
    let child = pair.slave.spawn_command(command).unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (mut seen, mut bytes) = (String::new(), [0; 4096]);
    while !seen.contains("tick") {
        let count = reader.read(&mut bytes).unwrap();
        seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    (pair, child, reader)
}

/// Whether it exits within this time; otherwise it is killed.
pub fn ends_within(child: &mut Box<dyn Child + Send + Sync>, time: Duration) -> bool {
    let end = Instant::now() + time;
    while child.try_wait().unwrap().is_none() {
        if Instant::now() > end {
            let _ = child.kill();
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

/// The symbols of a gauge's bar.
pub const BAR: [char; 6] = ['─', '━', '╸', '┼', '┿', '▸'];

/// The value on a gauge's line.
pub fn gauge(screen: &str, group: &str, name: &str) -> Option<String> {
    let mut lines = screen.lines().skip_while(|line| !line.trim_end().ends_with(group));
    let line = lines.find(|line| line.contains(&format!("{name} ")) && line.contains(['─', '━']))?;
    Some(line.rsplit(BAR).next()?.trim().to_owned())
}

pub fn dots(screen: &str) -> usize {
    screen.chars().filter(|sign| ('\u{2801}'..='\u{28ff}').contains(sign)).count()
}

/// Whether the terminal is in cooked mode: line input, echo, signals.
#[cfg(unix)]
pub fn is_cooked(terminal: &Terminal) -> bool {
    let flags = terminal.master.get_termios().unwrap().local_flags;
    let flags = format!("{flags:?}");
    ["ICANON", "ECHO", "ISIG"].iter().all(|flag| flags.contains(flag))
}
