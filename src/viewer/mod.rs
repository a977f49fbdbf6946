//! The interactive viewer. It sends [`Request`](crate::engine::Request)s to the engine and draws the
//! [`Frame`](crate::engine::Frame)s that come back.

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
pub use event_loop::run::{Startup, Viewer, ViewerError, ViewerExit};
pub use event_loop::window::canvas_aspect_ratio;
pub use input::base_keymaps::BaseKeymap;
pub use input::keymap::Keymap;
pub use offscreen::Offscreen;
pub use theme::marker::Marker;
pub use theme::{Coloring, Colors, ResolvedTheme};
pub use views::flock::widget::FlockWidget;
