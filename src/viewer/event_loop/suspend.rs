//! How the viewer leaves the terminal to others: for good, or until it is let on again.

use std::thread;
use std::time::{Duration, Instant};

use super::EventLoop;
use super::viewer::{ViewerError, window};
use crate::terminal::events::TerminalEvent;
use crate::terminal::signals::{SignalEvent, Signals, SuspendScope};
use crate::terminal::tty;
use crate::viewer::app::Effect;

/// How long the end waits at most for the terminal's last answers, which the shell would take for keys.
pub(crate) const REPLY_TIMEOUT: Duration = Duration::from_millis(400);
/// The same where a signal calls for haste.
pub(crate) const REPLY_TIMEOUT_ON_SIGNAL: Duration = Duration::from_millis(50);
/// How long a slow terminal has to show the shell's screen again before the shell has it.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// How long it takes at most until a signal is known that came while the program was stopped.
const SIGNAL_DELAY: Duration = Duration::from_millis(50);

impl EventLoop {
    /// Waits until the terminal has nothing more to say and nothing more to be told, but not for long:
    /// an answer that comes later would be typed into the shell.
    pub(crate) fn settle(&mut self, patience: Duration) {
        // What the mouse still reports would be typed into the shell too.
        let last_words = tty::mouse_off_sequence();
        if !last_words.is_empty()
            && let Some(mut words) = self.writer.take_buffer()
        {
            words.extend_from_slice(last_words);
            // What it has reported before it heard that comes before the answer.
            let ask = self.pacer.ack_row(self.size.height);
            if let Some(row) = ask {
                words.extend_from_slice(&tty::cursor_query(row));
            }
            self.pacer.bytes_sent(words.len(), ask, Instant::now());
            self.writer.write(words);
        }
        let start = Instant::now();
        loop {
            let answers = self.pacer.ack_timeout().unwrap_or_default();
            let wait = if self.writer.is_busy() { patience } else { answers.min(patience) };
            let left = (start + wait).saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            self.events.wait(Instant::now() + left, true);
            match self.events.pop() {
                None => return,
                // They are nobody's any more.
                Some((_, TerminalEvent::Key(_) | TerminalEvent::Mouse(_) | TerminalEvent::Paste(_))) => {}
                Some((then, happening)) => {
                    if self.take(happening, then).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// MouseState the terminal to the shell, until it lets us go on.
    pub(crate) fn suspend(&mut self, signals: &Signals, who: SuspendScope) -> Result<(), ViewerError> {
        tracing::info!("suspended");
        self.settle(REPLY_TIMEOUT);
        if signals.pending().is_some() || (who == SuspendScope::Process && !signals.is_stopping()) {
            // SuspendScope has been told to end does not stop first, nor who has been let go on meanwhile.
            return Ok(());
        }
        tty::restore();
        tty::finish_restore(Some(DRAIN_TIMEOUT));
        signals.stop(who);
        self.resume(signals)
    }

    /// Takes a terminal over that somebody else may have used meanwhile; not where a signal ends the program.
    pub(crate) fn resume(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        while tty::is_in_background() {
            // A signal that came before is known a moment later.
            thread::sleep(SIGNAL_DELAY);
            if signals.pending().is_some() {
                return Ok(());
            }
            // SuspendScope touches it from behind is stopped, and finds modes there that are another's.
            let stopped = Instant::now();
            signals.stop(SuspendScope::Job);
            if stopped.elapsed() < SIGNAL_DELAY {
                // There is no shell that could.
                break;
            }
        }
        // What asked for the same is done.
        self.called.retain(|call| *call != SignalEvent::Suspend);
        self.app.cancel_effect(Effect::Suspend);
        tty::enter()?;
        tracing::info!("goes on");
        self.pacer.reset(Instant::now());
        self.app.note_activity(Instant::now());
        self.begin_anew(window()?);
        self.stale = true;
        Ok(())
    }

    /// Waits for the picture that is still being saved. Says what has become of it.
    pub(crate) fn last_picture(&mut self) -> Option<String> {
        self.screenshots.finish()
    }
}
