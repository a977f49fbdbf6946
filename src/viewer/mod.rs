//! The interactive viewer. It sends [`Request`](crate::engine::Request)s to the engine and draws the
//! [`Frame`](crate::engine::Frame)s that come back.

mod actions;
mod app;
mod breeding;
mod change_effect;
mod client;
mod context;
pub(crate) mod event_loop;
mod flock;
mod gauges;
mod input;
mod layout;
pub(crate) mod lettering;
mod letters;
mod offscreen;
mod palette;
mod panel;
mod piped_text;
mod plots;
mod popups;
mod presets;
mod render_clip;
mod screensaver;
mod status;
mod text;
pub(crate) mod theme;
mod timeline;
mod viewport;
mod world_actions;

pub use crate::export::clip::{CastVersion, ClipFormat};
pub use actions::{Action, Mode};
pub use app::{ClipSettings, ConfigReloader, FrameRates, InitialState, LiveOptions, Reloaded};
pub use event_loop::canvas_aspect_ratio;
pub use event_loop::options::{Startup, Viewer, ViewerError, ViewerExit};
pub(crate) use event_loop::window_size;
pub use input::keymap::{BaseKeymap, Keymap};
pub(crate) use letters::{ClockFormat, Subject, TimeOfDay};
pub use offscreen::Offscreen;
pub use piped_text::{NotText, PipedText, PipedTextError, TextCell, TextReader, read_piped_text};
pub use render_clip::MAX_CLIP;
pub(crate) use render_clip::{RenderedFlock, Simulation};
pub use screensaver::ExitOn;
pub use theme::{Colors, TerminalBackground, default_theme};
