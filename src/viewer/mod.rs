//! The viewer: what is on the screen, and what keys do.
//!
//! It holds no flock. Wishes leave as [`Request`](crate::engine::Request)s, pictures come in as
//! [`Frame`](crate::engine::Frame)s, and colours are put on them here.

pub(crate) mod app;
pub(crate) mod event_loop;
pub(crate) mod input;
pub(crate) mod offscreen;
pub(crate) mod screensaver;
pub(crate) mod theme;
pub(crate) mod views;

pub use crate::terminal::ColorDepth;
#[cfg(unix)]
pub use crate::terminal::input::decoder::Ear;
pub use crate::terminal::input::reader::{Answer, Happening};
pub(crate) use crate::terminal::tty::window;
pub use crate::terminal::tty::{give_up, note_reported, say_what_is_owed};
pub use app::Start;
pub use app::actions::Action;
pub use app::config_reload::{Reload, Reloaded};
pub use event_loop::viewer::{Ending, Failure, Opening, Photograph, Viewer, canvas_shape};
pub use input::base_keymaps::Base;
pub use input::keymap::Keymap;
pub use offscreen::Still;
pub use theme::Colors;
pub use theme::marker::Marker;
pub use theme::resolved::Coloring;
pub use views::flock::widget::{FlockPicture, Paints};
