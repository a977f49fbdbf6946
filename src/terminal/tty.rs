//! Takes over the terminal, reads from it and writes to it, and restores it. Several threads may do so: the event loop, a panic hook and the
//! watchdog.

use std::env;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode, is_raw_mode_enabled};

use super::events::{EventSender, TerminalEvent};
use super::system;
pub(crate) use super::system::{InputReader, has_job_control, is_in_background, window_size};
use crate::picture::ColorDepth;

/// Whether requests to the terminal are answered by events. A Windows console reports replies as key presses.
pub(crate) fn replies_supported() -> bool {
    cfg!(unix) && owns_input()
}

/// Whether the terminal's input and its modes belong to this process. If not, another program reads the keys, such as the script that
/// started a screensaver, and would read replies and reports as keys.
pub(crate) fn owns_input() -> bool {
    static OWNS_INPUT: OnceLock<bool> = OnceLock::new();
    *OWNS_INPUT.get_or_init(system::owns_input)
}

/// Whether the terminal is taken over.
static ACTIVE: AtomicBool = AtomicBool::new(false);
/// Whether it was restored for good, for a panic message.
static RELEASED: AtomicBool = AtomicBool::new(false);
/// Whether that message has been printed, so that the event loop ends.
pub(crate) static PANIC_REPORTED: AtomicBool = AtomicBool::new(false);
/// Whether the terminal reports the mouse while it is taken over.
static MOUSE: AtomicBool = AtomicBool::new(false);
/// Whether it also reports motion without a button.
static MOTION: AtomicBool = AtomicBool::new(false);
/// Whether the terminal has the keyboard protocol of kitty.
static KEYBOARD_PROTOCOL: AtomicBool = AtomicBool::new(false);
/// Whether the terminal uses it.
static KEYBOARD_ENABLED: AtomicBool = AtomicBool::new(false);
/// Whether the terminal reports changes of its theme.
static THEME_REPORTS: AtomicBool = AtomicBool::new(false);
/// Whether the wheel no longer counts as arrow keys, as it did.
static ARROWS_STOPPED: AtomicBool = AtomicBool::new(false);
/// Whether the sequences that restore the screen are still to be written, since the terminal accepted no output.
static RESTORE_PENDING: AtomicBool = AtomicBool::new(false);
/// Whether a thread is writing, perhaps to a terminal that does not read.
static WRITING: AtomicBool = AtomicBool::new(false);
/// Held while the terminal is taken over or restored.
static LOCK: Mutex<()> = Mutex::new(());

/// How long the terminal has to accept the last bytes: a slow one takes a few KB at a time.
const RESTORE_TIMEOUT: Duration = Duration::from_millis(600);
/// How often frames are dropped at most, and the pause before each time.
const MAX_DISCARDS: u32 = 50;
const DISCARD_PAUSE: Duration = Duration::from_millis(3);
/// How long to wait for [`LOCK`]. A holder that is stuck is ignored.
const LOCK_TIMEOUT: Duration = Duration::from_millis(700);

/// Bracketed pastes (mode 2004) are reported as text and not as keys.
const PASTE_ON: &[u8] = b"\x1b[?2004h";
const PASTE_OFF: &[u8] = b"\x1b[?2004l";
/// Reports of the focus (mode 1004). A Windows console always has them.
const FOCUS_ON: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1004h" };
const FOCUS_OFF: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1004l" };
/// Presses, releases, drags and the wheel (mode 1002) in a form for wide screens (1006). A Windows console has calls for these.
const MOUSE_ON: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1002h\x1b[?1006h" };
const MOUSE_OFF: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1006l\x1b[?1002l" };
/// Motion without a button (mode 1003), which a Windows console always reports.
const MOTION_ON: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1003h" };
const MOTION_OFF: &[u8] = if cfg!(windows) { b"" } else { b"\x1b[?1003l" };
/// Reports all keys (8) with ambiguous ones told apart (1), with those of a US keyboard (4) and the text that they type (16), in
/// the protocol of kitty: <https://sw.kovidgoyal.net/kitty/keyboard-protocol/>.
const KEYBOARD_ON: &[u8] = b"\x1b[>29u";
const KEYBOARD_OFF: &[u8] = b"\x1b[<u";
/// Reports of a change between a dark and a bright theme (mode 2031).
const THEME_ON: &[u8] = b"\x1b[?2031h";
const THEME_OFF: &[u8] = b"\x1b[?2031l";
/// The wheel as arrow keys on the alternate screen (mode 1007).
const ARROWS_ON: &[u8] = b"\x1b[?1007h";
const ARROWS_OFF: &[u8] = b"\x1b[?1007l";
/// Saves the title, sets it, enters the alternate screen and hides the cursor.
const ENTER: &[u8] = concat!("\x1b[22;2t\x1b]0;", env!("CARGO_PKG_NAME"), "\x07\x1b[?1049h\x1b[?25l").as_bytes();
/// Resets what an earlier program may have left: margins, insert mode, origin mode, the character set, the modes of the keypad and of the
/// arrow keys, and reports of the mouse.
const RESET: &[u8] = b"\x1b[r\x1b[4l\x1b[?6l\x1b(B\x0f\x1b>\x1b[?1l\x1b[?1000;1002;1003;1005;1006;1015;1016l";
/// Resets xterm's modifyOtherKeys. A terminal that takes it for the attribute 4, underlined, then resets that.
const RESET_OTHER_KEYS: &[u8] = b"\x1b[>4m\x1b[m";
/// Cancels a sequence that was cut off, and ends a synchronized update.
const CANCEL: &[u8] = b"\x18\x1b[?2026l";
/// Resets colors, clears the screen for terminals without an alternate one, and undoes [`ENTER`].
const LEAVE: &[u8] = b"\x1b[0m\x1b[1;1H\x1b[2J\x1b[?25h\x1b[?1049l\x1b[23;2t";

/// Keeps the terminal taken over until dropped.
#[derive(Debug)]
pub(crate) struct TerminalGuard(());

impl TerminalGuard {
    /// Takes over the terminal: raw mode, alternate screen, no cursor, and reports of the mouse and of its motion if asked for.
    pub(crate) fn new(mouse: bool, motion: bool) -> io::Result<Self> {
        let mouse = mouse && owns_input();
        MOUSE.store(mouse, Ordering::SeqCst);
        MOTION.store(mouse && motion, Ordering::SeqCst);
        let guard = Self(());
        enter()?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        restore();
    }
}

/// Takes over the terminal, possibly again, after [`restore`] or after another program changed it.
pub(crate) fn enter() -> io::Result<()> {
    // If it is taken over already, its title would be saved twice.
    restore();
    let _lock = lock();
    // The panic message is on the shell's screen, which the alternate screen would hide.
    if RELEASED.load(Ordering::SeqCst) {
        return Ok(());
    }
    // `restore` leaves the modes alone in the background.
    if is_raw_mode_enabled()? {
        disable_raw_mode()?;
    }
    if owns_input() {
        enable_raw_mode()?;
    }
    // Before the first byte: if a write fails or blocks, the sequences before it are undone.
    ACTIVE.store(true, Ordering::SeqCst);
    RESTORE_PENDING.store(false, Ordering::SeqCst);
    #[cfg(not(unix))]
    system::enable(MOUSE.load(Ordering::SeqCst))?;
    let mut out = io::stdout();
    out.write_all(ENTER)?;
    if replies_supported() {
        out.write_all(RESET)?;
        out.write_all(RESET_OTHER_KEYS)?;
        out.write_all(PASTE_ON)?;
    }
    out.write_all(keyboard_on())?;
    out.write_all(if_set(&THEME_REPORTS, THEME_ON))?;
    out.write_all(if_set(&ARROWS_STOPPED, ARROWS_OFF))?;
    if owns_input() {
        out.write_all(FOCUS_ON)?;
    }
    out.write_all(if_set(&MOUSE, MOUSE_ON))?;
    out.write_all(if_set(&MOTION, MOTION_ON))?;
    out.flush()
}

/// A sequence, or none if the flag for it is not set.
fn if_set(flag: &AtomicBool, sequence: &'static [u8]) -> &'static [u8] {
    if flag.load(Ordering::SeqCst) { sequence } else { b"" }
}

/// Restores the terminal if it is taken over. Errors are ignored: nothing better can be done about them.
pub(crate) fn restore() {
    if restore_modes() {
        finish_restore(Some(RESTORE_TIMEOUT));
    }
}

/// The first part of [`restore`]. Returns whether the terminal was taken over.
fn restore_modes() -> bool {
    let _lock = lock();
    let was_active = ACTIVE.swap(false, Ordering::SeqCst);
    if was_active {
        // Modes first: they can be set even if the terminal accepts no output. In the background they are another job's.
        if !is_in_background() {
            let _ = disable_raw_mode();
        }
        RESTORE_PENDING.store(true, Ordering::SeqCst);
    }
    was_active
}

/// Restores the terminal before the process ends. Drops the frames that the terminal does not accept, so that the sequences fit.
pub(crate) fn force_restore() {
    restore_modes();
    for _ in 0..MAX_DISCARDS {
        // A write that has begun fills the system's buffer again.
        let is_writing = WRITING.load(Ordering::SeqCst);
        if !RESTORE_PENDING.load(Ordering::SeqCst) || system::wait_writable(Some(DISCARD_PAUSE)) && !is_writing {
            break;
        }
        system::discard_output();
        thread::sleep(DISCARD_PAUSE);
    }
    finish_restore(Some(Duration::ZERO));
}

/// Restores the terminal and prevents another takeover.
pub(crate) fn restore_for_good() {
    RELEASED.store(true, Ordering::SeqCst);
    restore();
}

/// Writes the sequences that `restore` could not write, if any. Without a timeout it waits as long as the terminal takes.
pub(crate) fn finish_restore(timeout: Option<Duration>) {
    // The wait may be long, so the lock comes after it; by then another thread may have written the sequences.
    let accepts = RESTORE_PENDING.load(Ordering::SeqCst) && system::wait_writable(timeout);
    let _lock = lock();
    if accepts && RESTORE_PENDING.swap(false, Ordering::SeqCst) {
        #[cfg(not(unix))]
        system::disable(MOUSE.load(Ordering::SeqCst));
        let paste_off = if replies_supported() { PASTE_OFF } else { b"" };
        let arrows_on = if_set(&ARROWS_STOPPED, ARROWS_ON);
        let _ = write_all(&[CANCEL, paste_off, arrows_on, &reports_off(), LEAVE].concat());
    }
}

/// Waits for other threads that take over or restore the terminal, so that their output does not mix.
fn lock() -> Option<MutexGuard<'static, ()>> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match LOCK.try_lock() {
            Ok(lock) => return Some(lock),
            Err(TryLockError::Poisoned(lock)) => return Some(lock.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

/// Ends reports of the focus and of the mouse, and the keyboard protocol, which must be sent. It goes out before the last frames, so that
/// no report is left for the shell.
pub(crate) fn reports_off() -> Vec<u8> {
    if !owns_input() {
        return Vec::new();
    }
    // Once only: the sequence pops a stack, whose other entries belong to the shell.
    let keyboard = if KEYBOARD_ENABLED.swap(false, Ordering::SeqCst) { KEYBOARD_OFF } else { b"" };
    let mouse = [if_set(&MOTION, MOTION_OFF), if_set(&MOUSE, MOUSE_OFF)].concat();
    [FOCUS_OFF, &mouse, keyboard, if_set(&THEME_REPORTS, THEME_OFF)].concat()
}

/// Has the terminal no longer report the wheel as arrow keys until it is restored. Returns the sequence for that.
pub(crate) fn stop_scrolling_by_arrows() -> &'static [u8] {
    ARROWS_STOPPED.store(true, Ordering::SeqCst);
    ARROWS_OFF
}

/// Has the terminal report changes of its theme, which it can. Returns the sequence for that.
pub(crate) fn report_theme() -> &'static [u8] {
    THEME_REPORTS.store(true, Ordering::SeqCst);
    THEME_ON
}

/// Notes that the terminal has the keyboard protocol of kitty. Returns the sequence that enables it.
pub(crate) fn use_keyboard_protocol() -> &'static [u8] {
    KEYBOARD_PROTOCOL.store(true, Ordering::SeqCst);
    keyboard_on()
}

/// Enables the keyboard protocol, if the terminal has it and does not use it yet.
fn keyboard_on() -> &'static [u8] {
    let enables = KEYBOARD_PROTOCOL.load(Ordering::SeqCst) && !KEYBOARD_ENABLED.swap(true, Ordering::SeqCst);
    if enables { KEYBOARD_ON } else { b"" }
}

/// Shows a braille character, requests the cursor position and erases the row: the cursor is in column 2 if the terminal decodes UTF-8,
/// and elsewhere if it shows the bytes one by one, none of which is a control character. A report from row 1 could be a key.
pub(crate) const CHARSET_QUERY: &[u8] = b"\x1b[2H\xe2\xa0\xbf\x1b[6n\x1b[2K";
/// The column, counted from 0, of the cursor of a terminal that decodes UTF-8.
pub(crate) const UTF8_COLUMN: u16 = 1;

/// Requests the background color (OSC 11).
pub(crate) const BACKGROUND_QUERY: &[u8] = b"\x1b]11;?\x1b\\";

/// The same through GNU screen, which passes the contents of a device control string on to its terminal.
const SCREEN_BACKGROUND_QUERY: &[u8] = b"\x1bP\x1b]11;?\x07\x1b\\";

/// Requests to send at startup: with `all`, synchronized output (mode 2026), the keyboard protocol and, if colors are used, reports of the
/// theme (mode 2031), the background color, and whether a 24-bit color can be set (DECRQSS); without the mouse, whether the wheel counts as
/// arrow keys (mode 1007); and always the cursor position, which acknowledges frames.
pub(crate) fn capability_queries(all: bool, depth: ColorDepth) -> Vec<u8> {
    let mut queries = Vec::new();
    if all {
        queries.extend_from_slice(b"\x1b[?2026$p\x1b[?u");
        if depth != ColorDepth::Mono {
            queries.extend_from_slice(b"\x1b[?2031$p");
            queries.extend_from_slice(BACKGROUND_QUERY);
            if env::var_os("STY").is_some() {
                queries.extend_from_slice(SCREEN_BACKGROUND_QUERY);
            }
            queries.extend_from_slice(b"\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1b[m");
        }
        if !MOUSE.load(Ordering::SeqCst) {
            queries.extend_from_slice(b"\x1b[?1007$p");
        }
        // Every terminal knows this one: what it has not replied to before, it does not support.
        queries.extend_from_slice(b"\x1b[c");
    }
    queries.extend_from_slice(b"\x1b[H\x1b[6n");
    queries
}

/// Moves the cursor to a row, counted from 0, and requests its position.
pub(crate) fn cursor_query(row: u16) -> Vec<u8> {
    format!("\x1b[{}H\x1b[6n", u32::from(row) + 1).into_bytes()
}

/// Writes some of the bytes, and blocks until the terminal accepts them. Returns how many were written; `None` if the terminal
/// is not taken over: after a panic it belongs to the message.
pub(crate) fn write(bytes: &[u8]) -> io::Result<Option<usize>> {
    if !ACTIVE.load(Ordering::SeqCst) {
        return Ok(None);
    }
    WRITING.store(true, Ordering::SeqCst);
    let written = system::write(bytes);
    WRITING.store(false, Ordering::SeqCst);
    written.map(Some)
}

fn write_all(mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        let count = system::write(bytes)?;
        bytes = &bytes[count..];
    }
    Ok(())
}

/// Starts the thread that reads input, for the rest of the process.
pub(crate) fn read_input(mut reader: InputReader, events: EventSender) -> io::Result<()> {
    thread::Builder::new().name("input".into()).spawn(move || {
        let error = loop {
            match reader.read() {
                Ok(input) => {
                    if !input.into_iter().all(|event| events.send_input(event)) {
                        return;
                    }
                }
                Err(error) => break error,
            }
        };
        events.send(TerminalEvent::InputClosed(error));
    })?;
    Ok(())
}
