//! A flock of boids that flies in a terminal, and whose rules change while it flies.
//!
//! The design goals, in order:
//!
//! 1. **Exact.** A tick computes what the models page says. The next state is a pure function of state,
//!    parameters, seed and tick: the same bits on any number of threads and on every machine.
//! 2. **Unbreakable.** The terminal is always restored; a mistake gets one clear sentence.
//! 3. **Live.** The simulation and the viewer never wait for each other: a slow terminal drops frames, not ticks,
//!    and a slow tick does not delay a key.
//! 4. **Beautiful**, at any size and with any number of colors.
//! 5. **Fast**, and light on the connection.
//!
//! # Modules
//!
//! A frame flows one way: flock → [canvas](picture::Canvas) → [frame](engine::Frame) → widgets → encoder → terminal. A key press
//! flows the other way: decoder → keymap → [action](viewer::Action) → component → [request](engine::Request) → simulation thread.
//!
//! | module | what it does | imports |
//! | --- | --- | --- |
//! | [`breed`] | mutations of a flock, what their flights show, and which differ most | `sim` |
//! | [`engine`] | the simulation thread: timer, requests, one timeline, published frames | `breed`, `picture`, `sim`, `tracks` |
//! | [`error`] | why a file, a flag or a value cannot be used; excerpts and hints | `sim`, `tracks` |
//! | [`terminal`] | capabilities, raw mode, signals, input decoding, encoder, pacing | `picture` |
//! | [`config`] | presets, themes by name and the config file | `error`, `picture`, `sim` |
//! | [`export`] | one file per format: CSV, extended XYZ, NPZ, measures and sessions from a flock, pictures and clips from cells | `config`, `error`, `picture`, `sim`, `terminal`, `tracks` |
//! | [`viewer`] | the interactive program, and its screen drawn off-screen | `config`, `engine`, `error`, `export`, `picture`, `sim`, `terminal`, `tracks` |
//! | [`commands`] | one file per subcommand, the command line, settings, log | `breed`, `config`, `engine`, `error`, `export`, `picture`, `sim`, `terminal`, `tracks`, `viewer` |
//!
//! [`sim`] is the crate `flockscope-sim`: flock state and one tick of it, without clock, file and terminal. [`tracks`] is the crate
//! `flockscope-tracks`: recordings, their readers, and the rules of recorded animals. [`picture`] is the crate `flockscope-picture`:
//! from a flock or a frame of a recording to cells with colors.
//!
//! # Five tables
//!
//! [`sim::Param::table`] has one row per parameter: gauges, `--set`, preset files, range errors and the reference page are
//! generated from it. [`viewer::Action::ALL`] has one row per action: keymap, help, palette and the reference page are
//! generated from it. [`sim::Measure::table`] has one row per measure: `--measure`, CSV columns, help and the reference page are
//! generated from it. [`sim::ModelRow`] is the row of a model: which parameters it uses, what it needs and supports, and what moves
//! its boids. [`tracks::LAYOUTS`] has one row per layout of recordings.
//!
//! # A flock without a terminal
//!
//! ```
//! use flockscope::sim::{Flock, Params, Scratch, Setup, Start, World};
//!
//! let setup = Setup {
//!     params: Params::default(),
//!     world: World::Rect([300.0, 200.0]),
//!     start: Start::Scatter,
//!     boids: 100,
//!     predators: 1,
//!     seed: 7,
//!     zones: Vec::new(),
//! };
//! let mut flock = Flock::new(&setup)?;
//! let mut scratch = Scratch::new();
//! for _ in 0..60 {
//!     flock.step(&mut scratch);
//! }
//! assert_eq!(flock.tick(), 60);
//! # Ok::<(), flockscope::sim::Error>(())
//! ```
//!
//! # A flock in another program
//!
//! [`picture::FlockWidget`] is a ratatui widget that draws the [`Picture`](picture::Picture) of a flock in the colors of a theme. A
//! program with one needs `flockscope-picture` and `flockscope-sim` only, as `crates/picture/examples` shows.
//!
//! # Stability
//!
//! Versions follow [Semantic Versioning](https://semver.org/spec/v2.0.0.html). The promise covers [`sim`], [`tracks`],
//! [`Preset`](config::Preset), [`Theme`](config::Theme), [`WorldSize`](config::WorldSize) and
//! [`InputError`](error::InputError), and of [`picture`] the canvas and all that it draws, [`FlockWidget`](picture::FlockWidget),
//! [`ThemeColors`](picture::ThemeColors), [`ResolvedTheme`](picture::ResolvedTheme), [`Coloring`](picture::Coloring),
//! [`ColorDepth`](picture::ColorDepth) and [`Marker`](picture::Marker). Everything else is public for the binary and the tests.
//!
//! Three changes are not breaking: a new row in a table (so build [`Params`](sim::Params) from its default or a preset), a new variant
//! of a `#[non_exhaustive]` enum, and a new choice of a parameter such as [`Edge`](sim::Edge), [`View`](picture::View) or
//! [`Marker`](picture::Marker) (so match them with a `_`). A change of what a tick computes is breaking, even if no
//! signature changes, and the changelog names it.

pub mod breed;
pub mod commands;
pub mod config;
pub mod engine;
pub mod error;
pub mod export;
pub mod terminal;
pub mod viewer;

pub use flockscope_picture as picture;
pub use flockscope_sim as sim;
pub use flockscope_tracks as tracks;

/// The example of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
