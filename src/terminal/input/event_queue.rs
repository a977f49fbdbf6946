//! Where all that happens waits for the viewer's loop.
//!
//! A channel wakes who waits at whatever comes. Here what has time, as each frame's acknowledgement has, waits for the
//! next look, so that the loop is woken once a frame, and not three times.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::reader::TerminalEvent;

/// Takes in what happens, for one who looks.
#[derive(Debug, Default)]
pub struct EventQueue(Arc<Shared>);

/// Tells a mailbox of what happens.
#[derive(Debug)]
pub struct EventSender(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    post: Mutex<Post>,
    bell: Condvar,
}

#[derive(Debug, Default)]
struct Post {
    /// What has happened, and when.
    happenings: VecDeque<(Instant, TerminalEvent)>,
    /// Whether who waits, or waited last, does so for whatever comes.
    eager: bool,
    /// Whether nobody looks any more.
    closed: bool,
}

impl Post {
    fn rings_at(&self, happening: &TerminalEvent) -> bool {
        self.eager || !happening.can_wait()
    }
}

impl Shared {
    fn post(&self) -> MutexGuard<'_, Post> {
        // Each change of it is whole.
        self.post.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EventSender {
    /// Tells of something that happens now. Says whether anybody still looks.
    pub fn tell(&self, happening: TerminalEvent) -> bool {
        let mut post = self.0.post();
        if post.closed {
            return false;
        }
        let rings = post.rings_at(&happening);
        post.happenings.push_back((Instant::now(), happening));
        drop(post);
        if rings {
            self.0.bell.notify_one();
        }
        true
    }
}

impl EventQueue {
    /// One who tells it.
    #[must_use]
    pub fn teller(&self) -> EventSender {
        EventSender(Arc::clone(&self.0))
    }

    /// Waits until something happens, at most until then; at what has time only where somebody is `eager`.
    pub fn wait(&self, until: Instant, eager: bool) {
        let mut post = self.0.post();
        post.eager = eager;
        while !post.happenings.iter().any(|(_, happening)| post.rings_at(happening)) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            post = self.0.bell.wait_timeout(post, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The first of what has happened, and when that was.
    #[must_use]
    pub fn take(&self) -> Option<(Instant, TerminalEvent)> {
        self.0.post().happenings.pop_front()
    }
}

impl Drop for EventQueue {
    fn drop(&mut self) {
        self.0.post().closed = true;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::super::reader::Reply;
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn shown() -> TerminalEvent {
        TerminalEvent::Reply(Reply::Row(0))
    }

    #[test]
    fn what_has_time_wakes_nobody_but_who_is_eager_and_all_comes_in_order() {
        let mailbox = EventQueue::default();
        let teller = mailbox.teller();
        teller.tell(shown());
        let start = Instant::now();
        mailbox.wait(start + Duration::from_millis(20), false);
        assert!(start.elapsed() >= Duration::from_millis(20), "an acknowledgement ends no waiting");
        mailbox.wait(start + LONG, true);
        teller.tell(TerminalEvent::Resized);
        mailbox.wait(start + LONG, false);
        assert!(start.elapsed() < LONG);
        let (first, answer) = mailbox.take().unwrap();
        let (second, resized) = mailbox.take().unwrap();
        assert!(first <= second && matches!((answer, resized), (TerminalEvent::Reply(_), TerminalEvent::Resized)));
        assert!(mailbox.take().is_none());
    }

    #[test]
    fn who_waits_is_woken_from_another_thread() {
        let mailbox = EventQueue::default();
        for (eager, happening) in [(false, TerminalEvent::Resized), (true, shown())] {
            let (start, teller) = (Instant::now(), mailbox.teller());
            let other = thread::spawn(move || {
                thread::sleep(Duration::from_millis(20));
                teller.tell(happening)
            });
            mailbox.wait(start + LONG, eager);
            assert!(start.elapsed() < LONG && mailbox.take().is_some() && other.join().unwrap());
        }
    }

    #[test]
    fn nobody_tells_a_mailbox_that_is_gone() {
        let mailbox = EventQueue::default();
        let teller = mailbox.teller();
        drop(mailbox);
        assert!(!teller.tell(shown()));
    }
}
