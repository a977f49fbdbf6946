//! What a person can set up: presets, themes and keys, by name or as a file, and how errors in them read.

pub(crate) mod errors;
pub mod files;
pub(crate) mod presets;
pub(crate) mod seed;
pub(crate) mod simd;
pub(crate) mod themes;

pub use errors::error::{Error, is_closed_pipe};
pub use errors::excerpt::{brief, escaped};
pub use errors::suggest::{did_you_mean, did_you_mean_or, nearest};
pub use files::atomic_file::{draft, sweep};
pub use files::config_file::{Assignment, Entry, Settings};
pub use files::key_bindings::{Binding, Bindings, Word};
pub use files::user_files::Gathered;
pub(crate) use presets::preset::room;
pub use presets::preset::{BUILTIN as PRESETS, Preset, RATES};
pub use presets::reproduce::{Input, Revival};
pub use presets::world_size::WorldSize;
pub use presets::writer::{quoted, written};
pub use presets::zones::Stand;
pub use seed::{note_seed, noted_seed, random_seed};
pub use simd::{SIMD, simd};
pub use themes::theme::{BUILTIN as THEMES, Paint, Palette, Rgb, Stop, Theme};
