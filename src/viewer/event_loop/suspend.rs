//! How the viewer leaves the terminal to others: for good, or until it is let on again.

use std::thread;
use std::time::{Duration, Instant};

use super::Screen;
use super::viewer::{Failure, window};
use crate::terminal::input::reader::Happening;
use crate::terminal::signals::{Call, Signals, Who};
use crate::terminal::tty;
use crate::viewer::app::Wish;

/// How long the end waits at most for the terminal's last answers, which the shell would take for keys.
pub(crate) const PARTING: Duration = Duration::from_millis(400);
/// The same where a signal calls for haste.
pub(crate) const HASTE: Duration = Duration::from_millis(50);
/// How long a slow terminal has to show the shell's screen again before the shell has it.
const FAREWELL: Duration = Duration::from_secs(2);
/// How long it takes at most until a signal is known that came while the program was stopped.
const A_MOMENT: Duration = Duration::from_millis(50);

impl Screen {
    /// Waits until the terminal has nothing more to say and nothing more to be told, but not for long:
    /// an answer that comes later would be typed into the shell.
    pub(crate) fn settle(&mut self, patience: Duration) {
        // What the mouse still reports would be typed into the shell too.
        let last_words = tty::words_to_the_mouse();
        if !last_words.is_empty()
            && let Some(mut words) = self.writer.room()
        {
            words.extend_from_slice(last_words);
            // What it has reported before it heard that comes before the answer.
            let ask = self.pace.ask_at(self.size.height);
            if let Some(row) = ask {
                words.extend_from_slice(&tty::question_at(row));
            }
            self.pace.told(words.len(), ask, Instant::now());
            self.writer.write(words);
        }
        let start = Instant::now();
        loop {
            let answers = self.pace.outstanding().unwrap_or_default();
            let wait = if self.writer.is_busy() { patience } else { answers.min(patience) };
            let left = (start + wait).saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            self.mailbox.wait(Instant::now() + left, true);
            match self.mailbox.take() {
                None => return,
                // They are nobody's any more.
                Some((_, Happening::Key(_) | Happening::Mouse(_) | Happening::Pasted(_))) => {}
                Some((_, Happening::Pictured(saved))) => self.photographer.keep(saved),
                Some((then, happening)) => {
                    if self.take(happening, then).is_err() {
                        return;
                    }
                }
            }
        }
    }

    /// Hands the terminal to the shell, until it lets us go on.
    pub(crate) fn suspend(&mut self, signals: &Signals, who: Who) -> Result<(), Failure> {
        tracing::info!("suspended");
        self.settle(PARTING);
        if signals.pending().is_some() || (who == Who::Myself && !signals.is_stopping()) {
            // Who has been told to end does not stop first, nor who has been let go on meanwhile.
            return Ok(());
        }
        tty::give_back();
        tty::say_what_is_owed(Some(FAREWELL));
        signals.stop(who);
        self.come_back(signals)
    }

    /// Takes a terminal over that somebody else may have used meanwhile; not where a signal ends the program.
    pub(crate) fn come_back(&mut self, signals: &Signals) -> Result<(), Failure> {
        while tty::is_lent_away() {
            // A signal that came before is known a moment later.
            thread::sleep(A_MOMENT);
            if signals.pending().is_some() {
                return Ok(());
            }
            // Who touches it from behind is stopped, and finds modes there that are another's.
            let stopped = Instant::now();
            signals.stop(Who::Job);
            if stopped.elapsed() < A_MOMENT {
                // There is no shell that could.
                break;
            }
        }
        // What asked for the same is done.
        self.called.retain(|call| *call != Call::Stop);
        self.app.forgo(Wish::Suspend);
        tty::take()?;
        tracing::info!("goes on");
        if let Some(word) = self.photographer.untold() {
            self.app.say(word);
        }
        self.pace.forget(Instant::now());
        self.app.stir(Instant::now());
        self.begin_anew(window()?);
        self.stale = true;
        Ok(())
    }

    /// Waits for the picture that is still being saved. Says what has become of it.
    pub(crate) fn last_picture(&mut self) -> Option<String> {
        self.photographer.finish(&self.mailbox)
    }
}
