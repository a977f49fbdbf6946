//! The viewer: what is on the screen, and what keys do.
//!
//! It holds no flock. Wishes leave as [`Request`](crate::engine::Request)s, pictures come in as
//! [`Frame`](crate::engine::Frame)s, and colours are put on them here.

mod action;
mod amount;
mod app;
mod bases;
mod blend;
mod coat;
mod director;
mod doing;
mod dress;
#[cfg(unix)]
mod ear;
mod entries;
mod flying;
mod glow;
mod hands;
mod history;
mod input;
mod intro;
mod keeping;
mod key;
mod keymap;
mod knob;
mod layout;
mod lettering;
mod look;
mod mailbox;
mod marker;
mod meters;
mod outlook;
mod overlay;
mod palette;
mod photographer;
mod picture;
#[cfg(unix)]
mod pieces;
mod prompt;
mod ramp;
mod reload;
mod run;
mod scenes;
mod showing;
mod sky;
mod species;
mod spots;
mod stage;
mod still;
mod terminal;
mod timeline;
mod tuning;
mod typing;
mod veil;
mod view;
mod viewer;
mod watchdog;
mod wind;
mod wishes;
mod words;
mod writer;

pub use crate::wire::ColorDepth;
pub use action::Action;
pub use app::Start;
pub use bases::Base;
pub use dress::Colors;
#[cfg(unix)]
pub use ear::Ear;
pub use input::{Answer, Happening};
pub use keymap::Keymap;
pub use look::Coloring;
pub use marker::Marker;
pub use picture::{FlockPicture, Paints};
pub use reload::{Reload, Reloaded};
pub use still::Still;
pub(crate) use terminal::window;
pub use terminal::{give_up, note_reported, say_what_is_owed};
pub use viewer::{Ending, Failure, Opening, Photograph, Viewer, canvas_shape};
