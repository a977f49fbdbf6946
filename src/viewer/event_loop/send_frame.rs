//! Drawing frames and sending them as fast as the terminal takes them.

use std::time::{Duration, Instant};

use ratatui::layout::{Position, Rect, Size};

use super::options::ViewerError;
use super::{EventLoop, dot_height, window_size};
use crate::engine::Request;
use crate::picture::Charset;
use crate::terminal::{FrameOptions, SendDecision, Tolerance};

/// The longest time between two corrections of a still screen.
const CORRECTION_PERIOD: Duration = Duration::from_millis(20);
/// How soon to look for the first states of the flock while the first frame waits.
const FIRST_FRAME_RETRY: Duration = Duration::from_millis(4);
/// How long to wait for a frame that is being written before asking the pacer again.
const WRITE_RETRY: Duration = Duration::from_millis(100);

impl EventLoop {
    /// Draws and sends a frame, if the screen has changed and the terminal is ready.
    pub(super) fn frame(&mut self, now: Instant) -> Result<(), ViewerError> {
        // Until the first frame is drawn, no state is missed, so that plots begin with the first one.
        if !self.has_drawn && self.app.context.client.take_frame(&mut self.engine).is_some() {
            self.has_frame = true;
            self.app.on_frame();
        }
        if let Some((charset, Some(deadline))) = self.charset_query {
            if now < deadline {
                self.due = deadline;
                return Ok(());
            }
            self.set_charset(Charset::Ascii);
            self.charset_query = Some((charset, None));
        }
        if let Some((_, deadline)) = self.width_query
            && now < deadline
        {
            self.due = deadline.min(now + FIRST_FRAME_RETRY);
            return Ok(());
        }
        if self.pacer.link.is_mute() {
            self.give_up_background();
        }
        self.update_frame_rate();
        self.app.update_drag(self.buffer.area);
        self.stale |= self.app.animate(now) | self.update_size()?;
        let marker = self.app.context.display.marker;
        if std::mem::replace(&mut self.drawn_marker, marker) != marker {
            // Glyphs that the terminal takes for wide ones have moved what it shows.
            self.reset_screen(self.buffer.area.as_size());
        }
        self.has_frame |= self.engine.has_new_frame();
        let changed = self.engine.has_new_frame() || self.stale;
        let draws = self.throughput.update(now) || changed;
        // Corrections of a still screen are no frames.
        let period = if draws { self.period } else { self.period.min(CORRECTION_PERIOD) };
        self.due = (self.due + period).max(now);
        if !self.has_frame || !(draws || self.encoder.is_dirty(self.pacer.quality().is_best())) {
            self.idle(now);
        } else if let Some(budget) = self.try_send_budget(changed, now) {
            self.retry = None;
            // What a key changed in panel, status line and popup goes out before the flock.
            let chrome_first = self.stale;
            if draws {
                self.draw(changed);
            }
            self.send(budget, changed, chrome_first, now);
            self.report_slow_frame(now);
        }
        Ok(())
    }

    /// Adapts the frame rate: fewer frames in a slideshow, which runs for hours, and few if the user looks elsewhere, but the full rate on a
    /// clean screen, which is there to be seen beside other work.
    fn update_frame_rate(&mut self) {
        let slow = !self.has_focus && !self.app.context.display.clean;
        let fps = self.options.start.options.fps;
        let fps = match self.app.screensaver.is_slideshow() {
            true => fps.slideshow,
            false if slow => fps.unfocused,
            false => fps.focused,
        };
        let period = Duration::from_secs_f32(1.0 / fps);
        if period != self.period {
            (self.period, self.pacer.fps) = (period, fps);
            self.app.context.client.request(Request::Fps(fps));
        }
    }

    /// Skips a frame in which nothing changes. The loop sleeps until something does.
    fn idle(&mut self, now: Instant) {
        self.send_requests();
        // After a slow connection, the full quality returns even on a still screen.
        let is_painted_again = self.pacer.idle(now);
        self.stale |= is_painted_again;
        (self.is_idle, self.retry) = (!is_painted_again, None);
    }

    /// How many bytes may be sent now. If the terminal is busy, returns `None` and schedules another try. A frame that
    /// cannot be sent is not drawn either, as the next one will be newer.
    fn try_send_budget(&mut self, changed: bool, now: Instant) -> Option<usize> {
        let wait = match self.pacer.decide(changed, now) {
            SendDecision::Now(budget) if !self.writer.is_busy() => return Some(budget),
            SendDecision::Now(_) => {
                if changed {
                    self.pacer.frame_delayed();
                }
                WRITE_RETRY
            }
            SendDecision::Wait(wait) => wait,
        };
        (self.due, self.retry) = (now, Some(now + wait));
        None
    }

    /// Draws the latest frame.
    fn draw(&mut self, changed: bool) {
        let quality = self.pacer.quality();
        self.stale |= self.app.context.theme.limit_depth(quality.depth);
        if !quality.is_best() {
            self.app.screensaver.skip_intro();
        }
        let had_timeline = self.app.timeline.is_shown(&self.app.context);
        let values_changed = self.app.context.client.take_frame(&mut self.engine);
        self.app.on_frame();
        // It covers a row of the page of plots.
        self.stale |= self.app.timeline.is_shown(&self.app.context) != had_timeline;
        let with_values = self.stale || values_changed == Some(true);
        let throughput = self.throughput.measured;
        let parts = self.app.draw_chrome(&mut self.buffer, throughput, with_values);
        self.encoder.cover(&parts);
        self.app.draw_flock(&mut self.encoder, self.buffer.area);
        for part in parts {
            self.encoder.draw_buffer(&self.buffer, part);
        }
        if changed {
            self.throughput.frames += 1;
        }
        (self.stale, self.has_drawn) = (false, true);
        self.app.resize(self.buffer.area, self.dot_height);
        self.send_requests();
    }

    /// Sends what differs from the terminal's screen.
    fn send(&mut self, budget: usize, changed: bool, chrome_first: bool, now: Instant) {
        let Some(mut bytes) = self.writer.take_buffer() else { return };
        let ack_row = self.pacer.link.ack_row(self.buffer.area.height);
        let quality = self.pacer.quality();
        // A color error that is invisible in a cell shows on a large background such as a glow or a sky.
        let (exact_background, synchronized) = (quality.is_best(), self.synchronized);
        let is_exact = exact_background && self.app.letters.shows_text();
        let tolerance = if is_exact { Tolerance::EXACT } else { quality.tolerance };
        let options = FrameOptions { budget, tolerance, exact_background, chrome_first, synchronized, ack_row };
        let complete = self.encoder.encode(options, &mut bytes);
        bytes.append(&mut self.controls);
        if bytes.is_empty() {
            return self.writer.return_buffer(bytes);
        }
        tracing::trace!(bytes = bytes.len(), budget, changed, "frame");
        // Repainting the throughput is not counted; otherwise each update would trigger another.
        if changed {
            self.throughput.bytes += bytes.len();
        }
        self.pacer.frame_sent(bytes.len(), complete, ack_row, now);
        self.writer.write(bytes);
    }

    /// Logs a frame that takes longer than the time between two frames.
    fn report_slow_frame(&mut self, start: Instant) {
        let (now, allowed) = (Instant::now(), self.period);
        let took = now - start;
        if took > allowed
            && let Some(times) = self.slow_frames.count(now)
        {
            tracing::warn!(?took, ?allowed, times, size = %self.buffer.area.as_size(), "slow frame");
        }
    }

    /// Adapts to the size of the window. Returns whether it changed.
    fn update_size(&mut self) -> Result<bool, ViewerError> {
        let size = window_size()?;
        let changed = size != self.buffer.area.as_size();
        if changed {
            tracing::info!(columns = size.width, rows = size.height, "resized");
            self.pacer.resize();
            self.reset_screen(size);
        }
        Ok(changed)
    }

    /// Assumes a screen of this size with unknown content, so that the next frame draws all of it.
    pub(super) fn reset_screen(&mut self, size: Size) {
        self.dot_height = dot_height();
        self.encoder.resize(size);
        self.buffer.resize(Rect::from((Position::ORIGIN, size)));
    }
}
