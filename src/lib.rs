//! Flockscope: a flock of boids that flies in a terminal, and whose rules are turned while it flies.
//!
//! Its goals, in order of rank:
//!
//! 1. **Exact.** A tick does what the models say, and the next state is a pure function of state,
//!    rules, seed and tick: the same bits for any number of threads, on every machine.
//! 2. **Unbreakable.** The terminal is given back as it was found; a mistake gets one clear sentence.
//! 3. **Live.** Engine and viewer never wait for each other: a slow terminal drops frames, never
//!    ticks, and a slow tick never delays a key.
//! 4. **Beautiful**, at any size and with any number of colors.
//! 5. **Fast**, and light on the wire.
//!
//! # The rooms
//!
//! A frame goes one way: flock → [`canvas`] → [frame](engine::Frame) → widgets → terminal. A wish
//! goes the other: key or mouse → [action](viewer::Action) → [request](engine::Request) → flock, clock or canvas.
//! A request changes the flock, begins another, changes how time goes, or gives the canvas another size or view.
//!
//! | room | what it does | knows |
//! | --- | --- | --- |
//! | [`sim`] | the flock and its tick: rules, grid, measures; no clock, no file, no terminal | – |
//! | `bits` | cells as bits, of which most are not set | – |
//! | [`canvas`] | from flock to cells and dots | `bits`, `sim` |
//! | [`config`] | presets, themes and the config file, and how errors in them read | `sim` |
//! | [`export`] | what a run writes, and reads again | `config`, `sim` |
//! | [`engine`] | the timer thread, which owns flock and canvas | `canvas`, `sim` |
//! | [`signals`] | what ends or stops the program from outside | – |
//! | [`wire`] | from the screen's cells to bytes: as few as possible, and no more than the other end takes | `bits`, `config` |
//! | [`tui`] | the viewer: actions, keys, the mouse, wishes, colors, one file for each region of the screen | `canvas`, `config`, `engine`, `signals`, `sim`, `wire` |
//! | [`version`] | what this program is, what it was made of and for | `config`, `sim` |
//! | [`cli`] | the command line, as clap reads it | `canvas`, `config`, `sim`, `tui`, `version` |
//! | [`completions`] | what shells are told of the command line | `cli` |
//! | [`log`] | what is written down, by `tracing`, to a file and never to the screen | `cli`, `config`, `version` |
//! | [`layers`] | what stands in for flags that are not typed: the environment, and the config file | `cli`, `config`, `log`, `sim`, `tui` |
//! | [`manual`] | what readers are told of the command line and of both tables | `cli`, `layers`, `sim`, `tui`, `version` |
//! | [`lists`] | what presets, themes, parameters and keys there are | `config`, `sim`, `tui` |
//! | [`launch`] | from the command line to a flock | `cli`, `config`, `export`, `sim` |
//! | `progress` | how far long work is | – |
//! | [`headless`] | a run without a terminal | `cli`, `config`, `engine`, `export`, `launch`, `progress`, `signals`, `sim` |
//! | [`shot`] | a picture of the viewer's screen without a terminal, one file for each format | `cli`, `config`, `engine`, `export`, `launch`, `progress`, `signals`, `sim`, `tui`, `wire` |
//! | [`record`] | a clip of the viewer's screen without a terminal, one file for each format | `cli`, `config`, `engine`, `export`, `launch`, `progress`, `shot`, `signals`, `sim`, `tui`, `wire` |
//! | [`bench`](mod@bench) | how fast ticks and frames are | `canvas`, `cli`, `config`, `engine`, `progress`, `sim`, `tui`, `wire` |
//! | [`watch`] | from the command line to the viewer | `cli`, `config`, `launch`, `layers`, `shot`, `sim`, `tui`, `wire` |
//! | [`report`] | how the program speaks of what went wrong | `config`, `log`, `tui`, `version` |
//!
//! Without default features the library is [`sim`] alone.
//!
//! # Two tables that everything hangs on
//!
//! [`sim::Param::table`] has a row for each parameter: gauges, keys, `--set`, files, range errors
//! and the README are read from it. [`viewer::Action::ALL`] has a row for each action: keymap, help and
//! the README are read from it.
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
//! [`viewer::FlockWidget`] is a widget of ratatui's: it paints what a [`canvas::Canvas`] has drawn, in the colors
//! of a theme. `examples/` has a program with one, a flock without a terminal, and rules of one's own.
//!
//! # What stays
//!
//! Versions follow [Semantic Versioning](https://semver.org/spec/v2.0.0.html). The promise is given for [`sim`]
//! and [`canvas`], of [`config`] for [`Preset`](config::Preset), [`Theme`](config::Theme),
//! [`WorldSize`](config::WorldSize) and [`Error`](config::Error), and of [`tui`] for
//! [`FlockWidget`](viewer::FlockWidget), [`Paints`](viewer::Paints), [`Coloring`](viewer::Coloring),
//! [`ColorDepth`](viewer::ColorDepth) and [`Marker`](viewer::Marker). The other rooms are public for the program and its
//! tests, and change as these need.
//!
//! Three things count as no break: another row in a table (so make [`Params`](sim::Params) from its default or from a
//! preset, and not field by field), another variant of what is `#[non_exhaustive]`, and another word for what is chosen
//! by one, as [`Edge`](sim::Edge), [`View`](canvas::View) or [`Marker`](viewer::Marker) are (so match these with a `_`). A
//! change of what a tick computes is one, and is named in the changelog, even where no signature changes: whoever keeps
//! a hash may rely on it.

#[cfg(feature = "app")]
pub(crate) mod bits;
#[cfg(feature = "app")]
pub mod canvas;
#[cfg(feature = "app")]
pub mod commands;
#[cfg(feature = "app")]
pub mod config;
#[cfg(feature = "app")]
pub mod engine;
#[cfg(feature = "app")]
pub mod export;
pub mod sim;
#[cfg(feature = "app")]
pub mod terminal;
#[cfg(feature = "app")]
pub mod viewer;

/// The example of the documentation.
#[cfg(all(doctest, feature = "app"))]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
