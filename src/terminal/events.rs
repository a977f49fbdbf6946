//! Events for the event loop, and the queue that holds them.
//!
//! A channel would wake the loop for every event. This queue does not wake it for acknowledgements and finished writes, which
//! can wait for the next frame, so that the loop wakes once per frame instead of three times. Nor does it for a notice, unless
//! the loop sleeps because there is nothing to draw.
//!
//! A flood of input delays nothing else: other events and Ctrl-C come first.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseEvent, MouseEventKind};

use crate::picture::Rgb;

/// A pressed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// What it types.
    pub typed: KeyEvent,
    /// The key in its place on a US keyboard, if that types something else. Bindings work on any keyboard layout.
    pub on_us_keyboard: Option<KeyEvent>,
}

impl From<KeyEvent> for Key {
    fn from(typed: KeyEvent) -> Self {
        Self { typed, on_us_keyboard: None }
    }
}

impl Key {
    /// Whether it is Ctrl-C, with or without Alt. On a keyboard layout without Latin letters, its place counts.
    pub(crate) fn is_ctrl_c(self) -> bool {
        let key = match self.typed.code {
            KeyCode::Char(typed) if !typed.is_ascii() => self.on_us_keyboard.unwrap_or(self.typed),
            _ => self.typed,
        };
        matches!(key.code, KeyCode::Char('c' | 'C')) && key.modifiers - KeyModifiers::ALT == KeyModifiers::CONTROL
    }
}

/// Something that the event loop reacts to.
#[derive(Debug)]
pub enum TerminalEvent {
    /// A key was pressed.
    Key(Key),
    /// The mouse was pressed, released, dragged or scrolled.
    Mouse(MouseEvent),
    /// Text was pasted; a long one is cut off.
    Paste(String),
    /// The window received or lost the focus.
    Focus(bool),
    /// The window may have another size.
    Resized,
    /// The terminal replied to a request.
    Reply(Reply),
    /// A signal arrived.
    Signal(SignalEvent),
    /// A frame was written or could not be. Its buffer returns, empty.
    FrameWritten(Vec<u8>, io::Result<()>),
    /// No more input comes.
    InputClosed(io::Error),
}

impl TerminalEvent {
    /// Whether the event waits for its turn among the user's input.
    fn is_input(&self) -> bool {
        match self {
            Self::Key(key) => !key.is_ctrl_c(),
            Self::Mouse(_) | Self::Paste(_) | Self::Focus(_) | Self::InputClosed(_) => true,
            _ => false,
        }
    }
}

/// What a terminal replies to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The cursor is in this row, counted from 0. Everything before the request has been displayed.
    CursorRow(u16),
    /// The cursor is in this column, counted from 0, but not in the first one: only the request that asks for the charset moves it there.
    CursorColumn(u16),
    /// Whether it supports synchronized output (mode 2026).
    Synchronized(bool),
    /// Its background color (OSC 11).
    Background(Rgb),
    /// It has set a 24-bit color (DECRQSS).
    Truecolor,
    /// It has the keyboard protocol of kitty.
    KeyboardProtocol,
    /// It can report changes between a dark and a bright theme (mode 2031).
    ReportsTheme,
    /// It reports the wheel as arrow keys on the alternate screen (mode 1007).
    ScrollsByArrows,
    /// Its theme has changed between dark and bright.
    ThemeChanged,
    /// Its attributes (DA1), which every terminal reports: it has replied to all requests before that it knows.
    Attributes,
}

/// A signal for the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEvent {
    /// End the program.
    Terminate,
    /// Suspend until the shell continues the program.
    Suspend,
    /// Read the config again.
    Reload,
    /// The program continues after being stopped; the terminal may have another state or size.
    Resume,
}

/// Which processes to suspend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspendScope {
    /// The process group, as Ctrl-Z does.
    Job,
    /// This process only, since the signal was sent to it alone.
    Process,
}

/// What ends a wait besides input and signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum WakeOn {
    /// Nothing else.
    #[default]
    Input,
    /// Also acknowledgements and finished writes.
    Output,
    /// Also a [notice](EventSender::notify).
    Notice,
}

/// Holds events until the event loop takes them.
#[derive(Debug, Default)]
pub(crate) struct EventQueue(Arc<Shared>);

/// Sends events into a queue. When it is dropped it sends a notice: its thread has ended.
#[derive(Debug)]
pub(crate) struct EventSender(Arc<Shared>);

/// How much of what the terminal sends waits; more is dropped.
const MAX_QUEUED: usize = 1000;

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when an event arrives.
    arrival: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The user's input, each event with the time of its arrival.
    input: VecDeque<(Instant, TerminalEvent)>,
    /// All other events, and Ctrl-C.
    events: VecDeque<(Instant, TerminalEvent)>,
    /// What ends the last wait.
    wake_on: WakeOn,
    /// Whether a notice was sent since then.
    noticed: bool,
    closed: bool,
}

impl State {
    fn queue_of(&mut self, event: &TerminalEvent) -> &mut VecDeque<(Instant, TerminalEvent)> {
        if event.is_input() { &mut self.input } else { &mut self.events }
    }

    /// Whether an event ends a wait. An acknowledgement need not wake the loop, except while a delayed frame waits for it.
    fn wakes_for(&self, event: &TerminalEvent) -> bool {
        let can_wait =
            matches!(event, TerminalEvent::Reply(Reply::CursorRow(_)) | TerminalEvent::FrameWritten(_, Ok(())));
        self.wake_on == WakeOn::Output || !can_wait
    }

    /// Whether a wait ends now. Events that can wait must not fill the queue.
    fn wakes(&self) -> bool {
        self.noticed && self.wake_on == WakeOn::Notice
            || !self.input.is_empty()
            || self.events.len() >= MAX_QUEUED
            || self.events.iter().any(|(_, event)| self.wakes_for(event))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic leaves no half-done change behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSender {
    /// Adds an event. Returns `false` if the queue is gone.
    pub(crate) fn send(&self, event: TerminalEvent) -> bool {
        self.push(self.0.lock(), event)
    }

    /// Adds what the terminal sends as [`send`](Self::send) does, but drops it while too much waits. Ctrl-C drops the input that
    /// waits instead.
    pub(crate) fn send_input(&self, event: TerminalEvent) -> bool {
        let mut state = self.0.lock();
        let queue = state.queue_of(&event);
        match (&event, queue.back()) {
            (TerminalEvent::Key(key), _) if key.is_ctrl_c() => state.input.clear(),
            // Of a drag, the last position counts.
            (TerminalEvent::Mouse(mouse), Some((_, TerminalEvent::Mouse(last))))
                if matches!(mouse.kind, MouseEventKind::Drag(_)) && mouse.kind == last.kind =>
            {
                queue.pop_back();
            }
            _ if queue.len() >= MAX_QUEUED => return !state.closed,
            _ => {}
        }
        self.push(state, event)
    }

    /// Notes that something outside the terminal has changed.
    pub(crate) fn notify(&self) {
        let mut state = self.0.lock();
        state.noticed = true;
        if state.wake_on == WakeOn::Notice {
            drop(state);
            self.0.arrival.notify_one();
        }
    }

    fn push(&self, mut state: MutexGuard<'_, State>, event: TerminalEvent) -> bool {
        if state.closed {
            return false;
        }
        let wakes = state.wakes_for(&event) || state.events.len() + 1 >= MAX_QUEUED;
        state.queue_of(&event).push_back((Instant::now(), event));
        drop(state);
        if wakes {
            self.0.arrival.notify_one();
        }
        true
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        self.notify();
    }
}

impl EventQueue {
    /// A sender into this queue.
    pub(crate) fn sender(&self) -> EventSender {
        EventSender(Arc::clone(&self.0))
    }

    /// Waits until something arrives that ends the wait, but not beyond the deadline.
    pub(crate) fn wait(&self, deadline: Option<Instant>, wake_on: WakeOn) {
        let mut state = self.0.lock();
        state.wake_on = wake_on;
        while !state.wakes() {
            state = if let Some(deadline) = deadline {
                let left = deadline.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    break;
                }
                self.0.arrival.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0
            } else {
                self.0.arrival.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
        (state.wake_on, state.noticed) = (WakeOn::Input, false);
    }

    /// Takes the oldest event that is no input, or else the oldest input, with the time of its arrival.
    pub(crate) fn pop(&self) -> Option<(Instant, TerminalEvent)> {
        let mut state = self.0.lock();
        state.events.pop_front().or_else(|| state.input.pop_front())
    }
}

impl Drop for EventQueue {
    fn drop(&mut self) {
        self.0.lock().closed = true;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use crossterm::event::MouseButton;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn acknowledgement() -> TerminalEvent {
        TerminalEvent::Reply(Reply::CursorRow(0))
    }

    #[test]
    fn acknowledgements_end_only_a_wait_for_any_event_and_order_is_kept() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        sender.send(acknowledgement());
        let start = Instant::now();
        queue.wait(Some(start + Duration::from_millis(20)), WakeOn::Input);
        assert!(start.elapsed() >= Duration::from_millis(20));
        queue.wait(Some(start + LONG), WakeOn::Output);
        sender.send(TerminalEvent::Resized);
        queue.wait(None, WakeOn::Input);
        assert!(start.elapsed() < LONG);
        let (first, reply) = queue.pop().unwrap();
        let (second, resized) = queue.pop().unwrap();
        assert!(first <= second && matches!((reply, resized), (TerminalEvent::Reply(_), TerminalEvent::Resized)));
        assert!(queue.pop().is_none());
    }

    fn key(symbol: char, modifiers: KeyModifiers) -> TerminalEvent {
        TerminalEvent::Key(KeyEvent::new(KeyCode::Char(symbol), modifiers).into())
    }

    #[test]
    fn a_flood_of_input_delays_neither_other_events_nor_ctrl_c() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        for _ in 0..2 * MAX_QUEUED {
            assert!(sender.send_input(key('x', KeyModifiers::NONE)) && sender.send_input(acknowledgement()));
        }
        let lengths = |state: &State| (state.input.len(), state.events.len());
        assert_eq!(lengths(&queue.0.lock()), (MAX_QUEUED, MAX_QUEUED));
        // Those of the program are never dropped.
        assert!(sender.send(TerminalEvent::Resized));
        for _ in 0..MAX_QUEUED {
            assert!(matches!(queue.pop(), Some((_, TerminalEvent::Reply(_)))));
        }
        assert!(matches!(queue.pop(), Some((_, TerminalEvent::Resized))));
        assert!(matches!(queue.pop(), Some((_, TerminalEvent::Key(_)))));
        assert!(sender.send_input(key('c', KeyModifiers::CONTROL)) && sender.send_input(key('y', KeyModifiers::NONE)));
        let left: Vec<KeyEvent> = std::iter::from_fn(|| match queue.pop()?.1 {
            TerminalEvent::Key(key) => Some(key.typed),
            _ => None,
        })
        .collect();
        let expected = [('c', KeyModifiers::CONTROL), ('y', KeyModifiers::NONE)];
        assert_eq!(left, expected.map(|(symbol, modifiers)| KeyEvent::new(KeyCode::Char(symbol), modifiers)));
    }

    #[test]
    fn of_a_drag_the_last_position_waits_and_its_end_is_kept() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        let mouse =
            |kind, column| TerminalEvent::Mouse(MouseEvent { kind, column, row: 0, modifiers: KeyModifiers::NONE });
        let button = MouseButton::Left;
        sender.send_input(mouse(MouseEventKind::Down(button), 0));
        for column in 1..=2 * MAX_QUEUED {
            sender.send_input(mouse(MouseEventKind::Drag(button), column as u16));
        }
        sender.send_input(mouse(MouseEventKind::Up(button), 7));
        let columns: Vec<u16> = std::iter::from_fn(|| match queue.pop()?.1 {
            TerminalEvent::Mouse(mouse) => Some(mouse.column),
            _ => None,
        })
        .collect();
        assert_eq!(columns, [0, 2 * MAX_QUEUED as u16, 7]);
    }

    #[test]
    fn ctrl_c_counts_with_alt_and_in_its_place_on_other_layouts() {
        let (ctrl, alt, shift) = (KeyModifiers::CONTROL, KeyModifiers::ALT, KeyModifiers::SHIFT);
        let typed = |symbol, modifiers| KeyEvent::new(KeyCode::Char(symbol), modifiers);
        let placed =
            |symbol, modifiers| Key { typed: typed(symbol, modifiers), on_us_keyboard: Some(typed('c', modifiers)) };
        for key in [typed('c', ctrl).into(), typed('c', ctrl | alt).into(), placed('с', ctrl), placed('ψ', ctrl | alt)]
        {
            assert!(key.is_ctrl_c(), "{key:?}");
        }
        // On a Dvorak keyboard, Ctrl-J is in the place of Ctrl-C. Terminals copy with Ctrl-Shift-C.
        for key in [typed('c', alt).into(), typed('C', ctrl | shift).into(), placed('j', ctrl), placed('с', shift)] {
            assert!(!key.is_ctrl_c(), "{key:?}");
        }
    }

    #[test]
    fn another_thread_wakes_the_queue_until_it_is_dropped() {
        let queue = EventQueue::default();
        for (wake_on, event) in [(WakeOn::Input, TerminalEvent::Resized), (WakeOn::Output, acknowledgement())] {
            let (start, sender) = (Instant::now(), queue.sender());
            let other = thread::spawn(move || {
                thread::sleep(Duration::from_millis(20));
                sender.send(event)
            });
            queue.wait(Some(start + LONG), wake_on);
            assert!(start.elapsed() < LONG && queue.pop().is_some() && other.join().unwrap());
        }
        let sender = queue.sender();
        drop(queue);
        assert!(!sender.send(acknowledgement()));
    }

    #[test]
    fn a_notice_or_the_end_of_a_sender_ends_only_a_wait_for_notices() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        let notices: [Box<dyn FnOnce(EventSender) + Send>; 2] = [Box::new(|sender| sender.notify()), Box::new(drop)];
        for notice in notices {
            let sender = queue.sender();
            thread::spawn(move || notice(sender));
            queue.wait(None, WakeOn::Notice);
        }
        sender.notify();
        let start = Instant::now();
        queue.wait(Some(start + Duration::from_millis(20)), WakeOn::Input);
        queue.wait(Some(start + Duration::from_millis(40)), WakeOn::Notice);
        assert!(start.elapsed() >= Duration::from_millis(40), "a notice before another wait is past");
    }

    #[test]
    fn a_full_queue_ends_every_wait() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        thread::spawn(move || (0..MAX_QUEUED).for_each(|_| _ = sender.send_input(acknowledgement())));
        queue.wait(None, WakeOn::Input);
        assert_eq!(queue.0.lock().events.len(), MAX_QUEUED);
    }
}
