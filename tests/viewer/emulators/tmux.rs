//! tmux, which is asked for what it shows.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{Alacritty, Emulator, ShownCell};
use crate::{program, terminal, tools};

/// A tmux server whose only pane shows the bytes of a pipe.
pub struct Tmux {
    socket: String,
    pipe: File,
    folder: TempDir,
    size: (u16, u16),
    /// Whether it shows octants. It drops characters that the C library does not know, and glibc knows those of Unicode 16
    /// from 2.41 on: <https://github.com/tmux/tmux/issues/328>.
    knows_octants: bool,
    /// The number of times that all bytes have been parsed.
    settled: usize,
    /// What tmux showed then.
    shown: Alacritty,
}

impl Tmux {
    /// `None` if tmux is not installed.
    pub fn new(name: &str, columns: u16, rows: u16) -> Option<Self> {
        if !tools::has("tmux", &["-V"]) {
            return None;
        }
        let folder = TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let socket = format!("flockscope-test-{name}-{}", std::process::id());
        let pane = format!("stty raw -echo; exec cat '{}'", pipe.display());
        let [width, height] = [columns, rows].map(|length| length.to_string());
        let start = ["-f", "/dev/null", "new-session", "-d", "-x", &width, "-y", &height, &pane];
        let no_status = [";", "set", "-g", "status", "off"];
        run(&socket, &[&start[..], &no_status].concat());
        // Opened for reading too, so that the end of `cat` is noticed by no write.
        let pipe = OpenOptions::new().read(true).write(true).open(pipe).unwrap();
        let (size, shown) = ((columns, rows), Alacritty::new(columns, rows));
        let mut tmux = Self { socket, pipe, folder, size, knows_octants: false, settled: 0, shown };
        tmux.resize(columns, rows);
        tmux.feed("\u{1cd00}x".as_bytes());
        tmux.settle();
        tmux.knows_octants = tmux.cell(1, 0).unwrap().text == "x";
        if !tmux.knows_octants {
            tools::skip("this tmux drops octants");
        }
        Some(tmux)
    }

    /// Waits until tmux reports this.
    fn wait_for(&self, format: &str, wanted: &str) {
        let end = Instant::now() + terminal::SHOW_AFTER;
        loop {
            let reported = run(&self.socket, &["display-message", "-p", format]);
            if reported.trim_end() == wanted {
                return;
            }
            assert!(Instant::now() < end, "tmux reports {reported:?} instead of {wanted:?}, {:?}", self.folder);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn run(socket: &str, args: &[&str]) -> String {
    let ran = program::clean_command("tmux").args(["-u", "-L", socket]).args(args).env("LANG", "C.UTF-8").output();
    String::from_utf8(ran.unwrap().stdout).unwrap()
}

impl Emulator for Tmux {
    fn name(&self) -> &'static str {
        "tmux"
    }

    fn feed(&mut self, bytes: &[u8]) {
        self.pipe.write_all(bytes).unwrap();
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.settle();
        run(&self.socket, &["resize-window", "-x", &columns.to_string(), "-y", &rows.to_string()]);
        self.wait_for("#{pane_width} #{pane_height}", &format!("{columns} {rows}"));
        self.size = (columns, rows);
    }

    fn settle(&mut self) {
        // The title is set after everything before it.
        self.settled += 1;
        let title = format!("settled {}", self.settled);
        self.feed(format!("\x1b]2;{title}\x07").as_bytes());
        self.wait_for("#{pane_title}", &title);
        let screen = run(&self.socket, &["capture-pane", "-e", "-p", "-N"]);
        self.shown = Alacritty::new(self.size.0, self.size.1);
        let rows = screen.lines().enumerate().map(|(row, line)| format!("\x1b[{}H{line}", row + 1));
        self.shown.feed(rows.collect::<String>().as_bytes());
    }

    fn cell(&self, column: u16, row: u16) -> Option<ShownCell> {
        self.shown.cell(column, row)
    }

    fn knows(&self, symbol: &str) -> bool {
        self.knows_octants || !symbol.contains(|char| char >= '\u{1cc00}')
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        run(&self.socket, &["kill-server"]);
    }
}
