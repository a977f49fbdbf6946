//! The terminal: taken over, written to, and given back as it was found.

use std::io::{self, Stdout, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::style::ResetColor;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, SetTitle, disable_raw_mode, enable_raw_mode};
use crossterm::{Command, QueueableCommand};

/// Whether the terminal is ours at the moment.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Holds the terminal, and gives it back when dropped.
#[derive(Debug)]
pub struct Guard(());

impl Guard {
    /// Takes the terminal over: raw mode, the alternate screen, no cursor, a title.
    ///
    /// # Errors
    ///
    /// What the terminal answers; it is as it was then.
    pub fn take() -> io::Result<Self> {
        let guard = Self(());
        take()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
    }
}

/// Takes the terminal over, again after it has been given back.
pub fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let mut out = io::stdout();
    out.queue(PushTitle)?.queue(SetTitle("flockscope"))?.queue(EnterAlternateScreen)?.queue(Hide)?;
    out.flush()
}

/// Gives the terminal back; once is enough, more does no harm. What goes wrong is let go: there is
/// nothing better to be done, and often nobody there any more.
pub fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // The modes first: a terminal that takes no more words still takes them.
        let _ = disable_raw_mode();
        let mut out = io::stdout();
        let _ = out.write_all(&farewell()).and_then(|()| out.flush());
    }
}

/// The same from a thread that must not wait: standard output may be held by one that does.
#[cfg(unix)]
pub fn wrest_back() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let _ = disable_raw_mode();
    let out = io::stdout();
    let patience = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    if poll(&mut [PollFd::new(&out, PollFlags::OUT)], Some(&patience)).is_ok_and(|ready| ready > 0) {
        let _ = rustix::io::write(&out, &farewell());
    }
}

/// What the terminal is told in the end.
fn farewell() -> Vec<u8> {
    let mut words = b"\x1b[?2026l".to_vec();
    // Writing to memory cannot fail.
    let _ = words
        .queue(ResetColor)
        .and_then(|words| words.queue(Show))
        .and_then(|words| words.queue(LeaveAlternateScreen))
        .and_then(|words| words.queue(PopTitle));
    words
}

/// Gives the terminal back before a panic, on any thread, is reported.
pub fn install_panic_hook() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        give_back();
        report(panic);
    }));
}

/// Keeps the window's title on the terminal's stack of titles.
struct PushTitle;

/// Takes it from there again.
struct PopTitle;

impl Command for PushTitle {
    fn write_ansi(&self, out: &mut impl std::fmt::Write) -> std::fmt::Result {
        out.write_str("\x1b[22;2t")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Command for PopTitle {
    fn write_ansi(&self, out: &mut impl std::fmt::Write) -> std::fmt::Result {
        out.write_str("\x1b[23;2t")
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that hands each frame to the terminal in one piece, and counts the bytes.
#[derive(Debug)]
pub struct Wire {
    out: Stdout,
    frame: Vec<u8>,
    written: Arc<AtomicU64>,
}

impl Wire {
    /// A wire to standard output, which adds the bytes it writes to `written`.
    #[must_use]
    pub fn new(written: Arc<AtomicU64>) -> Self {
        Self { out: io::stdout(), frame: Vec::new(), written }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.frame.is_empty() {
            // The terminal shows nothing of the frame until it is whole.
            self.frame.extend_from_slice(b"\x1b[?2026h");
        }
        self.frame.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.frame.is_empty() {
            return Ok(());
        }
        // After a panic on another thread the terminal belongs to its report.
        if !TAKEN.load(Ordering::SeqCst) {
            self.frame.clear();
            return Ok(());
        }
        self.frame.extend_from_slice(b"\x1b[?2026l");
        self.written.fetch_add(self.frame.len() as u64, Ordering::Relaxed);
        let sent = self.out.write_all(&self.frame).and_then(|()| self.out.flush());
        self.frame.clear();
        sent
    }
}
