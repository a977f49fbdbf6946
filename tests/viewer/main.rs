//! The viewer in a pseudo-terminal.

#![cfg(unix)]

#[path = "../common/program.rs"]
mod program;
#[path = "../common/terminal.rs"]
mod terminal;
#[path = "../common/tools.rs"]
mod tools;

mod breeding;
mod camera;
mod clips;
mod emulators;
mod encoder;
mod features;
mod frames;
mod identities;
mod idle;
mod key_families;
mod keys_and_frames;
mod letters;
mod limits;
mod mouse;
mod palette;
mod panics;
mod piped_text;
mod plots;
#[cfg(target_os = "linux")]
mod quiet;
mod recordings;
mod replying;
mod screensaver;
mod sessions;
mod signals;
mod slow_links;
#[cfg(target_os = "linux")]
mod soak;
mod startup;
mod undo_and_save;
mod window_sizes;
