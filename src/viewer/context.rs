//! What the components of the viewer share.

use std::time::{Duration, Instant};

use super::client::Client;
use super::display::Display;
use super::input::keymap::Keymap;
use super::presets::Presets;
use super::theme::{Coloring, ThemeState};

/// How long a message is shown.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// The flock as the engine shows it, and how the screen shows the flock.
#[derive(Debug)]
pub struct Context {
    /// The engine.
    pub client: Client,
    /// The presets, and the one that gauges are relative to.
    pub presets: Presets,
    /// The colors.
    pub theme: ThemeState,
    /// View, glyphs and the size of the canvas.
    pub display: Display,
    /// The key bindings.
    pub keymap: Keymap,
    message: Option<(String, Instant)>,
}

impl Context {
    /// A context that shows a message, if there is one.
    pub fn new(
        (client, presets): (Client, Presets),
        (theme, display): (ThemeState, Display),
        keymap: Keymap,
        message: Option<String>,
    ) -> Self {
        Self { client, presets, theme, display, keymap, message: message.map(|text| (text, Instant::now())) }
    }

    /// The message in the status line, if any.
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    /// Shows a message for a few seconds.
    pub fn show_message(&mut self, text: impl Into<String>) {
        let text = text.into();
        tracing::debug!(text, "message");
        self.message = Some((text, Instant::now()));
    }

    /// Shows a change, if there is no panel that does.
    pub fn report(&mut self, text: impl Into<String>) {
        if !self.display.has_panel() && self.message.is_none() {
            self.show_message(text);
        }
    }

    /// Removes the message.
    pub fn clear_message(&mut self) {
        self.message = None;
    }

    /// Removes the message once its time is up. Returns whether it did.
    pub fn expire_message(&mut self, now: Instant) -> bool {
        self.message.take_if(|(_, since)| now.duration_since(*since) > MESSAGE_TIME).is_some()
    }

    /// The active coloring: the selected one, else by species if there are several, by density in 3-D, or by heading.
    pub fn coloring(&self) -> Coloring {
        let mixed = self.is_mixed();
        let chosen = self.display.coloring.filter(|coloring| *coloring != Coloring::Species || mixed);
        // A flock in three dimensions is a body of light and shade; all its birds fly the same way.
        let is_deep = self.client.controls().world.dim() == 3;
        let plain = if is_deep { Coloring::Density } else { Coloring::Heading };
        chosen.unwrap_or(if mixed { Coloring::Species } else { plain })
    }

    /// Whether the flock has several species.
    pub fn is_mixed(&self) -> bool {
        self.client.controls().params.species.count > 1.0
    }
}
