//! What a person can set up: presets, themes and keys, by name or as a file, and how errors in them read.

mod bindings;
mod document;
mod draft;
mod error;
mod excerpt;
pub mod own;
mod preset;
mod revival;
mod scheme;
mod scribe;
mod seed;
mod settings;
mod simd;
mod source;
mod stand;
mod suggest;
mod theme;
mod world_size;

pub use bindings::{Binding, Bindings, Word};
pub use draft::{draft, sweep};
pub use error::{Error, is_closed_pipe};
pub use excerpt::{brief, escaped};
pub use own::Gathered;
pub(crate) use preset::room;
pub use preset::{BUILTIN as PRESETS, Preset, RATES};
pub use revival::{Input, Revival};
pub use scribe::{quoted, written};
pub use seed::{note_seed, noted_seed, random_seed};
pub use settings::{Assignment, Entry, Settings};
pub use simd::{SIMD, simd};
pub use stand::Stand;
pub use suggest::{did_you_mean, did_you_mean_or, nearest};
pub use theme::{BUILTIN as THEMES, Paint, Palette, Rgb, Stop, Theme};
pub use world_size::WorldSize;
