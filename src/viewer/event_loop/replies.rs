//! What the terminal replies: its characters and their widths, its background, its modes, and acknowledgements of frames.

use std::time::{Duration, Instant};

use super::EventLoop;
use crate::picture::{Charset, Marker};
use crate::terminal::events::Reply;
use crate::terminal::widths::{WidthQuery, Widths};
use crate::terminal::{ScreenEncoder, tty};
use crate::viewer::TerminalBackground;

/// Maximum delay of the first frame until the terminal replies. Later replies count as well.
pub(super) const REPLY_WAIT: Duration = Duration::from_millis(20);

impl EventLoop {
    pub(super) fn on_reply(&mut self, reply: Reply, received: Instant) {
        match reply {
            Reply::CursorRow(row) => tracing::trace!(row, "cursor report"),
            reply => tracing::info!(?reply, "terminal reply"),
        }
        if let (Some((charset, _)), Reply::CursorRow(_) | Reply::CursorColumn(_)) = (self.charset_query, reply) {
            // The terminal replies in the order of the requests, so that this is not about a frame.
            let is_utf8 = reply == Reply::CursorColumn(tty::UTF8_COLUMN);
            self.set_charset(if is_utf8 { charset } else { Charset::Ascii });
            let queries = self.ask_widths(self.charset);
            return self.send_control(&queries, None);
        }
        if let (Some((query, _)), Reply::CursorRow(_) | Reply::CursorColumn(_)) = (&mut self.width_query, reply)
            && !query.skip_earlier(reply)
        {
            if let Some(widths) = query.report(reply) {
                self.set_widths(widths);
            }
            return;
        }
        match reply {
            Reply::Background(color) if std::mem::take(&mut self.awaits_background) => {
                self.knows_background = true;
                self.stale |= self.app.context.theme.set_background(TerminalBackground::Known(color));
            }
            Reply::Attributes => self.give_up_background(),
            Reply::ReportsTheme => self.send_with_frame(tty::report_theme()),
            Reply::ScrollsByArrows => self.send_with_frame(tty::stop_scrolling_by_arrows()),
            Reply::ThemeChanged => self.ask_background(),
            // A background color that was not asked for could be one of many.
            Reply::CursorColumn(_) | Reply::Background(_) => {}
            Reply::CursorRow(row) => {
                self.pacer.link.acknowledged(row, received);
                self.retry = None;
            }
            Reply::Synchronized(supported) => self.synchronized = supported,
            Reply::KeyboardProtocol => self.send_with_frame(tty::use_keyboard_protocol()),
            Reply::Truecolor => self.stale |= self.app.context.theme.confirm_truecolor(),
        }
    }

    pub(super) fn set_charset(&mut self, charset: Charset) {
        tracing::info!(?charset, "charset");
        (self.charset, self.charset_query) = (charset, None);
        self.encoder = ScreenEncoder::new(self.buffer.area.as_size(), charset);
        // A substitute glyph for an arrow would look like another key.
        self.app.context.keymap.uses_key_names = charset.substitute('←') != '←';
        self.app.context.display.marker = self.options.start.options.marker.unwrap_or(Marker::of(charset));
        if self.app.context.display.marker == Marker::Ascii {
            self.app.screensaver.skip_intro();
        }
        (self.stale, self.due) = (true, Instant::now());
    }

    /// Requests the widths of characters, which differ among terminals that show all of Unicode.
    pub(super) fn ask_widths(&mut self, charset: Charset) -> Vec<u8> {
        if charset != Charset::Unicode || !tty::replies_supported() || !self.options.query_terminal {
            return Vec::new();
        }
        self.width_query = Some((WidthQuery::after(self.pacer.link.frames_in_flight()), Instant::now() + REPLY_WAIT));
        WidthQuery::request()
    }

    /// Replaces the characters that do not take one cell each.
    fn set_widths(&mut self, widths: Widths) {
        tracing::info!(?widths, "widths");
        (self.width_query, self.stale, self.due) = (None, true, Instant::now());
        let Widths { braille, octants, ambiguous } = widths;
        let shown = [(Marker::Braille, braille), (Marker::Octant, octants), (Marker::HalfBlock, ambiguous)];
        let display = &mut self.app.context.display;
        display.missing_markers = shown.iter().filter(|(_, is_shown)| !is_shown).map(|(marker, _)| *marker).collect();
        if !ambiguous {
            // A terminal that shows bytes one by one, against the locale, moves the cursor by three for braille.
            self.set_charset(if braille { Charset::WideAmbiguous } else { Charset::Ascii });
        }
        let display = &mut self.app.context.display;
        if display.missing_markers.contains(&display.marker) {
            let missing = display.marker;
            display.marker = if braille { Marker::Braille } else { missing.next(&display.missing_markers) };
            if self.options.start.options.marker == Some(missing) {
                let (missing, marker) = (missing.name(), display.marker.name());
                self.app
                    .context
                    .show_message(format!("this terminal does not show the glyphs {missing}: {marker} instead"));
            }
            self.reset_screen(self.buffer.area.as_size());
        }
    }

    /// Asks a terminal that has told its background color for it again, as it may have changed.
    pub(super) fn ask_background(&mut self) {
        if self.knows_background {
            self.awaits_background = true;
            self.send_with_frame(tty::BACKGROUND_QUERY);
        }
    }

    /// Draws for any background, since the terminal does not tell its own.
    pub(super) fn give_up_background(&mut self) {
        if !self.knows_background && self.options.query_terminal {
            let context = &mut self.app.context;
            self.stale |= context.theme.give_up_terminal_background();
            if context.theme.leaves_out_colors() {
                tracing::info!("no colors: 16, and the terminal does not tell its background");
                context.show_message("no colors: unknown background; --color 16 shows them".to_owned());
            }
        }
    }
}
