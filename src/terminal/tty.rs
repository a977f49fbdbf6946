//! The terminal: taken over, written to, and given back as it was found.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, SetTitle, WindowSize, disable_raw_mode,
    enable_raw_mode, is_raw_mode_enabled,
};
use crossterm::{Command, QueueableCommand};

use super::input::reader::REPLIES_SUPPORTED;

/// Whether the terminal is ours at the moment.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether it has been given back for good: somebody reports a fault on it.
static LOST: AtomicBool = AtomicBool::new(false);
/// Whether that fault has been reported.
static REPORTED: AtomicBool = AtomicBool::new(false);
/// Whether its mouse is listened to while it is.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Whether it has been given back and not been told so, as it took no words.
static OWED: AtomicBool = AtomicBool::new(false);
/// Whose turn it is to take it or to give it back.
static TURN: Mutex<()> = Mutex::new(());

/// How long the terminal has to take what it is told in the end: a slow one takes a few KB at a time.
const SHOW_AFTER: Duration = Duration::from_millis(600);
/// How long it is waited for who takes the terminal or gives it back, which includes that patience; who is stuck there
/// is passed by.
const COURTESY: Duration = Duration::from_millis(700);

/// Holds the terminal, and gives it back when dropped.
#[derive(Debug)]
pub struct TerminalGuard(());

impl TerminalGuard {
    /// Takes the terminal over: raw mode, the alternate screen, no cursor, a title, and the mouse where that
    /// is wanted.
    ///
    /// # Errors
    ///
    /// What the terminal answers; it is as it was then.
    pub fn take(mouse: bool) -> io::Result<Self> {
        MOUSE.store(mouse, Ordering::SeqCst);
        let guard = Self(());
        take()?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes the terminal over, also again: after it has been given back, or after somebody else had it, who was not
/// given it.
///
/// # Errors
///
/// What the terminal answers.
pub fn take() -> io::Result<()> {
    restore();
    let _turn = turn();
    if LOST.load(Ordering::SeqCst) {
        // The report stands on it, or soon will.
        return Ok(());
    }
    // Not done where another job had the terminal.
    if is_raw_mode_enabled()? {
        disable_raw_mode()?;
    }
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    OWED.store(false, Ordering::SeqCst);
    let mut out = io::stdout();
    out.queue(PushTitle)?.queue(SetTitle("flockscope"))?.queue(EnterAlternateScreen)?.queue(Hide)?;
    out.write_all(PLAIN)?;
    if REPLIES_SUPPORTED {
        out.write_all(TELL_PASTES)?;
    }
    if MOUSE.load(Ordering::SeqCst) {
        out.queue(HearMouse)?;
    }
    out.flush()
}

/// Gives the terminal back, and lets nobody take it any more.
pub fn restore_for_good() {
    LOST.store(true, Ordering::SeqCst);
    restore();
}

/// Notes that the fault for which the terminal was given up has been reported: the program has nothing more to do.
pub fn mark_panic_reported() {
    REPORTED.store(true, Ordering::SeqCst);
}

/// Whether a fault has been reported, of whatever thread.
#[must_use]
pub fn panic_reported() -> bool {
    REPORTED.load(Ordering::SeqCst)
}

/// Gives the terminal back; once is enough, more does no harm. What goes wrong is let go: there is
/// nothing better to be done, and often nobody there any more.
pub fn restore() {
    let _turn = turn();
    if TAKEN.swap(false, Ordering::SeqCst) {
        // The modes first: a terminal that takes no more words still takes them.
        if !is_in_background() {
            let _ = disable_raw_mode();
        }
        OWED.store(true, Ordering::SeqCst);
        finish_restore(Some(SHOW_AFTER));
    }
}

/// Waits until nobody else takes the terminal or gives it back: what both write would stand in each other.
fn turn() -> Option<MutexGuard<'static, ()>> {
    let until = Instant::now() + COURTESY;
    loop {
        match TURN.try_lock() {
            Ok(turn) => return Some(turn),
            Err(TryLockError::Poisoned(turn)) => return Some(turn.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

/// Whether another job has the terminal in front by now, with modes of its own: our script was stopped before us,
/// and the shell was quick.
#[cfg(unix)]
pub fn is_in_background() -> bool {
    rustix::termios::tcgetpgrp(io::stdout()).is_ok_and(|front| front != rustix::process::getpgrp())
}

#[cfg(not(unix))]
pub fn is_in_background() -> bool {
    false
}

/// How large the terminal is, in cells and, where it knows, in pixels. What is written to is asked itself, which each
/// frame does: crossterm opens the terminal anew each time.
///
/// # Errors
///
/// What the terminal answers.
#[cfg(unix)]
pub fn window() -> io::Result<WindowSize> {
    let size = rustix::termios::tcgetwinsize(io::stdout())?;
    Ok(WindowSize { rows: size.ws_row, columns: size.ws_col, width: size.ws_xpixel, height: size.ws_ypixel })
}

/// How large the terminal is, in cells.
///
/// # Errors
///
/// What the terminal answers.
#[cfg(not(unix))]
pub fn window() -> io::Result<WindowSize> {
    let (columns, rows) = crossterm::terminal::size()?;
    Ok(WindowSize { rows, columns, width: 0, height: 0 })
}

/// Tells a terminal that has been given back its farewell, unless it has been told. It may be one that takes nothing any
/// more: who is about to write to it all the same waits for ever, and others for so long at most.
#[cfg(unix)]
pub fn finish_restore(patience: Option<Duration>) {
    if !OWED.swap(false, Ordering::SeqCst) {
        return;
    }
    if has_room(patience) {
        let _ = write_all(&farewell());
    } else {
        OWED.store(true, Ordering::SeqCst);
    }
}

/// Waits until the terminal takes words, for so long at most. Says whether it does.
#[cfg(unix)]
fn has_room(patience: Option<Duration>) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let (out, until) = (io::stdout(), patience.map(|patience| Instant::now() + patience));
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut [PollFd::new(&out, PollFlags::OUT)], left.as_ref()) {
            Err(rustix::io::Errno::INTR) => {}
            ready => return ready.is_ok_and(|ready| ready > 0),
        }
    }
}

/// Tells the console its farewell, unless it has been told.
#[cfg(not(unix))]
pub fn finish_restore(_: Option<Duration>) {
    if !OWED.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    #[cfg(windows)]
    if MOUSE.load(Ordering::SeqCst) {
        let _ = crossterm::event::DisableMouseCapture.execute_winapi();
    }
    let _ = out.write_all(&farewell()).and_then(|()| out.flush());
}

/// What the terminal is told in the end.
fn farewell() -> Vec<u8> {
    // Cancelled first: a frame may have been cut off in the middle of a word.
    let mut words = b"\x18\x1b[?2026l".to_vec();
    if REPLIES_SUPPORTED {
        words.extend_from_slice(HIDE_PASTES);
    }
    if MOUSE.load(Ordering::SeqCst) {
        words.extend_from_slice(DEAF);
    }
    // Writing to memory cannot fail.
    let _ = words
        .queue(ResetColor)
        // Where there is no alternate screen, the picture would stay under the shell's words.
        .and_then(|words| words.queue(MoveTo(0, 0)))
        .and_then(|words| words.queue(Clear(ClearType::All)))
        .and_then(|words| words.queue(Show))
        .and_then(|words| words.queue(LeaveAlternateScreen))
        .and_then(|words| words.queue(PopTitle));
    words
}

/// Presses, releases, what is dragged and the wheel, never every motion (mode 1002), in a form that knows wide
/// screens (1006), and when the window loses the focus (1004).
const HEAR: &str = "\x1b[?1002h\x1b[?1006h\x1b[?1004h";
/// Nothing of the mouse.
const DEAF: &[u8] = b"\x1b[?1004l\x1b[?1006l\x1b[?1002l";

/// No margins, no inserting, rows counted from the top, and ASCII as it is, whatever a program before has left.
const PLAIN: &[u8] = b"\x1b[r\x1b[4l\x1b[?6l\x1b(B\x0f";

/// What is pasted comes as such (mode 2004), and not as keys.
const TELL_PASTES: &[u8] = b"\x1b[?2004h";
/// As keys again.
const HIDE_PASTES: &[u8] = b"\x1b[?2004l";

/// Begins to listen to the mouse.
struct HearMouse;

impl Command for HearMouse {
    fn write_ansi(&self, out: &mut impl std::fmt::Write) -> std::fmt::Result {
        out.write_str(HEAR)
    }

    #[cfg(windows)]
    fn execute_winapi(&self) -> io::Result<()> {
        crossterm::event::EnableMouseCapture.execute_winapi()
    }

    #[cfg(windows)]
    fn is_ansi_code_supported(&self) -> bool {
        false
    }
}

/// The words that end the mouse's reports, where it is listened to: they come before the last frames, so that no
/// report is left for the shell.
#[must_use]
pub fn mouse_off_sequence() -> &'static [u8] {
    if MOUSE.load(Ordering::SeqCst) { DEAF } else { b"" }
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

/// What the terminal is asked at the start: where more may be asked, whether it knows synchronized output
/// (mode 2026), the color of its background (OSC 11), and whether it takes a color of 24 bits (DECRQSS);
/// and last, so that its answer is the last too, where the cursor is, which it acknowledges frames by.
#[must_use]
pub fn capability_queries(all: bool) -> Vec<u8> {
    let mut words = Vec::new();
    if all {
        words.extend_from_slice(b"\x1b[?2026$p\x1b]11;?\x1b\\");
        words.extend_from_slice(b"\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m");
        // What is not answered before this is not known there.
        words.extend_from_slice(b"\x1b[c");
    }
    words.extend_from_slice(b"\x1b[H\x1b[6n");
    words
}

/// Asks where the cursor is, once it is at the beginning of a row, counted from 0.
pub fn cursor_query(row: u16) -> Vec<u8> {
    format!("\x1b[{}H\x1b[6n", u32::from(row) + 1).into_bytes()
}

/// Writes a piece of a frame to the terminal, or the beginning of it, and waits for as long as that takes; none where
/// the terminal is not ours: after a panic on another thread it belongs to its report. Returns how many bytes of it
/// were written.
///
/// # Errors
///
/// What the terminal answers.
pub fn write(piece: &[u8]) -> io::Result<Option<usize>> {
    if TAKEN.load(Ordering::SeqCst) { write_some(piece).map(Some) } else { Ok(None) }
}

/// Writes all of it, whosever the terminal is.
#[cfg(unix)]
fn write_all(mut words: &[u8]) -> io::Result<()> {
    while !words.is_empty() {
        let count = write_some(words)?;
        words = &words[count..];
    }
    Ok(())
}

/// Not through standard output's lock: who gives the terminal back must not wait for who is stuck here.
#[cfg(unix)]
fn write_some(frame: &[u8]) -> io::Result<usize> {
    use rustix::io::Errno;
    let out = io::stdout();
    match rustix::io::write(&out, frame) {
        Ok(count) => Ok(count),
        Err(Errno::INTR) => Ok(0),
        // Somebody who shares the terminal has made it one that does not wait.
        Err(Errno::AGAIN) => {
            has_room(None);
            Ok(0)
        }
        Err(why) => Err(why.into()),
    }
}

#[cfg(not(unix))]
fn write_some(frame: &[u8]) -> io::Result<usize> {
    let mut out = io::stdout().lock();
    let count = out.write(frame)?;
    out.flush().map(|()| count)
}
