//! The viewer: what is on the screen, and what keys do.
//!
//! It holds no flock. Session leave as [`Request`](crate::engine::Request)s, pictures come in as
//! [`Frame`](crate::engine::Frame)s, and colors are put on them here.

pub(crate) mod app;
pub(crate) mod event_loop;
pub(crate) mod input;
pub(crate) mod offscreen;
pub(crate) mod screensaver;
pub(crate) mod theme;
pub(crate) mod views;

pub use crate::terminal::ColorDepth;
pub use app::InitialState;
pub use app::actions::Action;
pub use app::config_reload::{ConfigChanges, ConfigReloader};
pub use event_loop::viewer::{SaveScreenshot, Startup, Viewer, ViewerError, ViewerExit, canvas_shape};
pub use input::base_keymaps::BaseKeymap;
pub use input::keymap::Keymap;
pub use offscreen::Offscreen;
pub use theme::Colors;
pub use theme::marker::Marker;
pub use theme::resolved::Coloring;
pub use views::flock::widget::{FlockWidget, Paints};
