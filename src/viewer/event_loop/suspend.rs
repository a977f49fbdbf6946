//! Hands the terminal to the shell: at the end, or while suspended.

use std::thread;
use std::time::{Duration, Instant};

use super::options::{Startup, ViewerError};
use super::{EventLoop, window_size};
use crate::terminal::events::{SuspendScope, TerminalEvent, WakeOn};
use crate::terminal::{Signals, tty};
use crate::viewer::app::Effect;

/// How long to wait for the terminal's last replies. The shell would read them as typed text.
pub(crate) const REPLY_TIMEOUT: Duration = Duration::from_millis(2800);
/// The same after a signal.
pub(crate) const REPLY_TIMEOUT_ON_SIGNAL: Duration = Duration::from_millis(650);
/// How long keys that follow the one that ended the screensaver are swallowed: the shell would run what was typed into a dark screen.
const SWALLOW: Duration = Duration::from_millis(150);
/// How long to wait for the engine's answer to the last requests.
pub(crate) const REQUEST_TIMEOUT: Duration = Duration::from_millis(400);
/// How long a slow terminal has to show the shell's screen before the shell continues.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// By then a signal that arrived while the process was stopped has been noted.
const SIGNAL_DELAY: Duration = Duration::from_millis(50);

impl EventLoop {
    /// Waits until all output is written and all replies have arrived, but not longer than `timeout`.
    pub(crate) fn settle(&mut self, timeout: Duration) {
        let (deadline, swallowed) = (Instant::now() + timeout, Instant::now() + SWALLOW);
        if self.options.opening == Startup::Screensaver && tty::owns_input() {
            self.drain(|_| Some(swallowed));
        }
        self.drain(|event_loop| event_loop.writer.is_busy().then_some(deadline));
        self.stop_reports();
        self.drain(|event_loop| {
            let replies = event_loop.pacer.link.replies_until().map(|until| until.min(deadline));
            if event_loop.writer.is_busy() { Some(deadline) } else { replies }
        });
    }

    /// Handles what arrives except for input, `until` this time, while there is one.
    fn drain(&mut self, until: impl Fn(&Self) -> Option<Instant>) {
        while let Some(until) = until(self).filter(|until| *until > Instant::now()) {
            self.events.wait(Some(until), WakeOn::Output);
            match self.events.pop() {
                None | Some((_, TerminalEvent::Mouse(_) | TerminalEvent::Paste(_))) => {}
                Some((_, TerminalEvent::Key(key))) if !key.is_ctrl_c() => {}
                Some((arrived, event)) => {
                    if self.on_event(event, arrived).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Waits until a frame includes all requests, but not longer than `timeout`.
    pub(crate) fn await_requests(&mut self, timeout: Duration) {
        let start = Instant::now();
        self.send_requests();
        while !self.app.context.client.is_settled() && start.elapsed() < timeout {
            if self.app.context.client.take_frame(&mut self.engine).is_none() {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Ends reports of mouse and focus, which the shell would read as typed text.
    fn stop_reports(&mut self) {
        if self.writer.is_busy() {
            return;
        }
        let mut sequences = tty::reports_off();
        if sequences.is_empty() {
            return;
        }
        // The last report comes before the reply to this query.
        let ack_row = self.pacer.link.ack_row(self.buffer.area.height);
        if let Some(row) = ack_row {
            sequences.extend_from_slice(&tty::cursor_query(row));
        }
        self.send_control(&sequences, ack_row);
    }

    /// Restores the terminal and stops until the shell continues the program.
    pub(crate) fn suspend(&mut self, signals: &Signals, scope: SuspendScope) -> Result<(), ViewerError> {
        tracing::info!("suspend");
        if !tty::has_job_control() {
            return Ok(());
        }
        self.settle(REPLY_TIMEOUT);
        // Ctrl-C or a signal may have ended the program meanwhile, or a signal continued it.
        let quits = self.app.effects.contains(&Effect::Quit) || signals.pending().is_some();
        if quits || (scope == SuspendScope::Process && !signals.is_stopping()) {
            return Ok(());
        }
        tty::restore();
        tty::finish_restore(Some(DRAIN_TIMEOUT));
        signals.stop(scope);
        self.resume(signals)
    }

    /// Takes over the terminal after another program may have used it, unless a signal ends the program.
    pub(crate) fn resume(&mut self, signals: &Signals) -> Result<(), ViewerError> {
        // A job in the background that changes terminal modes is stopped, and would find another job's modes.
        while tty::is_in_background() && tty::has_job_control() {
            thread::sleep(SIGNAL_DELAY);
            if signals.pending().is_some() {
                return Ok(());
            }
            signals.stop(SuspendScope::Job);
        }
        // Further requests to suspend are done with.
        self.app.effects.retain(|effect| !matches!(effect, Effect::Suspend(_)));
        tty::enter()?;
        tracing::info!("resume");
        self.pacer.link.reset(Instant::now());
        if !self.app.screensaver.is_together() {
            self.app.note_activity(Instant::now());
        }
        self.reset_screen(window_size()?);
        self.ask_background();
        (self.stale, self.has_focus) = (true, true);
        Ok(())
    }
}
