//! Events for the event loop, and the queue that holds them.
//!
//! A channel would wake the loop for every event. This queue does not wake it for acknowledgements and finished writes, which
//! can wait for the next frame, so that the loop wakes once per frame instead of three times.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crossterm::event::{KeyEvent, MouseEvent};

use crate::config::Rgb;

/// Something that the event loop reacts to.
#[derive(Debug)]
pub enum TerminalEvent {
    /// A key was pressed.
    Key(KeyEvent),
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
    /// Whether the event need not wake the loop, except while a delayed frame waits for it.
    pub(crate) fn can_wait(&self) -> bool {
        matches!(self, Self::Reply(Reply::CursorRow(_)) | Self::FrameWritten(_, Ok(())))
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
}

/// A signal for the event loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalEvent {
    /// End the program, by this signal.
    Terminate(i32),
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

/// Holds events until the event loop takes them.
#[derive(Debug, Default)]
pub(crate) struct EventQueue(Arc<Shared>);

/// Sends events into a queue.
#[derive(Debug)]
pub(crate) struct EventSender(Arc<Shared>);

/// The events at which input has to wait: a flood of it stays in the terminal.
const MAX_QUEUED: usize = 1000;

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when an event arrives.
    arrival: Condvar,
    /// Notified when there is space for input again.
    space: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Events with the time of their arrival.
    events: VecDeque<(Instant, TerminalEvent)>,
    /// Whether the last wait was for any event.
    wakes_for_any: bool,
    closed: bool,
}

impl State {
    fn wakes_for(&self, event: &TerminalEvent) -> bool {
        self.wakes_for_any || !event.can_wait()
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

    /// Adds input as [`send`](Self::send), but waits while the queue is full.
    pub(crate) fn send_input(&self, event: TerminalEvent) -> bool {
        let mut state = self.0.lock();
        while state.events.len() >= MAX_QUEUED && !state.closed {
            state = self.0.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.push(state, event)
    }

    fn push(&self, mut state: MutexGuard<'_, State>, event: TerminalEvent) -> bool {
        if state.closed {
            return false;
        }
        let wakes = state.wakes_for(&event);
        state.events.push_back((Instant::now(), event));
        drop(state);
        if wakes {
            self.0.arrival.notify_one();
        }
        true
    }
}

impl EventQueue {
    /// A sender into this queue.
    pub(crate) fn sender(&self) -> EventSender {
        EventSender(Arc::clone(&self.0))
    }

    /// Waits for an event until `deadline`; for one that [can wait](TerminalEvent::can_wait) only if `any`.
    pub(crate) fn wait(&self, deadline: Instant, any: bool) {
        let mut state = self.0.lock();
        state.wakes_for_any = any;
        while !state.events.iter().any(|(_, event)| state.wakes_for(event)) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.0.arrival.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the oldest event, with the time of its arrival.
    pub(crate) fn pop(&self) -> Option<(Instant, TerminalEvent)> {
        let event = self.0.lock().events.pop_front();
        self.0.space.notify_one();
        event
    }
}

impl Drop for EventQueue {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.space.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

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
        queue.wait(start + Duration::from_millis(20), false);
        assert!(start.elapsed() >= Duration::from_millis(20));
        queue.wait(start + LONG, true);
        sender.send(TerminalEvent::Resized);
        queue.wait(start + LONG, false);
        assert!(start.elapsed() < LONG);
        let (first, reply) = queue.pop().unwrap();
        let (second, resized) = queue.pop().unwrap();
        assert!(first <= second && matches!((reply, resized), (TerminalEvent::Reply(_), TerminalEvent::Resized)));
        assert!(queue.pop().is_none());
    }

    #[test]
    fn input_waits_while_the_queue_is_full() {
        let queue = EventQueue::default();
        let sender = queue.sender();
        let other = thread::spawn(move || (0..=MAX_QUEUED).all(|_| sender.send_input(acknowledgement())));
        while queue.0.lock().events.len() < MAX_QUEUED {
            thread::yield_now();
        }
        // Other events do not wait.
        assert!(queue.sender().send(TerminalEvent::Resized));
        assert!(!other.is_finished() && queue.0.lock().events.len() == MAX_QUEUED + 1);
        let _ = (queue.pop(), queue.pop());
        assert!(other.join().unwrap());
    }

    #[test]
    fn another_thread_wakes_the_queue_until_it_is_dropped() {
        let queue = EventQueue::default();
        for (any, event) in [(false, TerminalEvent::Resized), (true, acknowledgement())] {
            let (start, sender) = (Instant::now(), queue.sender());
            let other = thread::spawn(move || {
                thread::sleep(Duration::from_millis(20));
                sender.send(event)
            });
            queue.wait(start + LONG, any);
            assert!(start.elapsed() < LONG && queue.pop().is_some() && other.join().unwrap());
        }
        let sender = queue.sender();
        drop(queue);
        assert!(!sender.send(acknowledgement()));
    }
}
