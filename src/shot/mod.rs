//! A picture of the viewer's screen, drawn without a terminal: one file for each format.
//!
//! The viewer draws its cells as ever; a [`Page`] is what they look like, and each format makes of it
//! what it can.

mod ansi;
mod font;
mod glyph;
mod page;
mod png;
mod raster;
mod svg;
mod text;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use ratatui::buffer::Buffer;

pub use page::{Ground, Page};
pub use raster::Raster;

use crate::cli::{Color, Shot};
use crate::config::{Error, Preset, Theme, is_closed_pipe};
use crate::engine::in_pool;
use crate::export::Target;
use crate::headless::Progress;
use crate::launch::{Launch, simd, threads};
use crate::signals::Signals;
use crate::tui::{ColorDepth, Colors, Marker, Start, Still};

/// Flies, and takes a picture at the end. Returns the signal that ended it early, if one did; there
/// is no picture then.
///
/// # Errors
///
/// [`Error`], with what was wrong and what would be right; nothing half-written stands anywhere then.
pub fn shot(args: &Shot) -> Result<Option<i32>, Error> {
    let format = Format::of(&args.output)?;
    let theme = Theme::load(&args.theme)?;
    let ground = Ground::of(&theme);
    let preset = Preset::load(&args.flock.preset)?;
    let simd = simd()?;
    let launch = Launch::new(&args.flock, preset, Still::shape(args.size, !args.panel))?;
    let (mut flock, told) = (launch.flock, args.flock.seed.is_some() || args.panel);
    // All that the viewer can be asked for and that a picture shows is passed on here.
    let depth = match args.color {
        Color::Auto => ColorDepth::detect(),
        Color::Depth(depth) => depth,
    };
    let start = Start {
        rate: launch.preset.rate,
        preset: launch.preset,
        setup: launch.setup,
        auto_world: launch.auto_world,
        input: None,
        marker: Marker::Braille,
        colors: Colors { theme, chosen: true, depth, guessed: false },
        clean: !args.panel,
    };
    let mut still = Still::new(start, args.size);
    // Opened before the flight, which may take long; but nobody listens yet to what may wait for a reader.
    let target = Target::open(&args.output)?;
    let wrong = |source| Error::File { path: args.output.clone(), source };
    let signals = Signals::listen().and_then(Signals::once).map_err(wrong)?;

    let signal = in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        let progress = Progress::new(args.ticks);
        for tick in 1..=args.ticks {
            flock.step(scratch);
            still.watch(&flock);
            progress.show(tick);
            if let Some(signal) = signals.pending() {
                return Some(signal);
            }
        }
        None
    });
    if signal.is_some() {
        return Ok(signal);
    }
    let mut out = BufWriter::new(target);
    let written = format.write(still.draw(&flock), ground, &mut out).and_then(|()| Ok(out.into_inner()?.finish()?));
    match written {
        Err(error) if !is_closed_pipe(&error) => return Err(wrong(error)),
        _ => {}
    }
    if !told {
        writeln!(io::stderr(), "seed {}", flock.seed())
            .map_err(|source| Error::File { path: "standard error".into(), source })?;
    }
    Ok(None)
}

/// What a picture is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    Png,
    /// Dots, areas and text that stay sharp at any size.
    Svg,
    /// Text with colours, as a terminal shows it.
    Ansi,
    /// Text alone.
    Text,
}

impl Format {
    /// By the end of a file's name; standard output is a terminal as a rule, and takes what one shows.
    ///
    /// # Errors
    ///
    /// [`Error::Flag`] with the endings that there are.
    pub fn of(path: &Path) -> Result<Self, Error> {
        if path == Path::new("-") {
            return Ok(Self::Ansi);
        }
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
        match end.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            Some("ansi") => Ok(Self::Ansi),
            Some("txt") => Ok(Self::Text),
            _ => Err(Error::Flag {
                flag: format!("--output {}", path.display()),
                message: "a picture's name ends in .png, .svg, .ansi or .txt, or is - for ANSI".into(),
            }),
        }
    }

    /// Writes a screen.
    ///
    /// # Errors
    ///
    /// What `out` answers.
    pub fn write(self, screen: &Buffer, ground: Ground, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Png => png::write(&Raster::new(&Page::new(screen, ground)), out),
            Self::Svg => svg::write(&Page::new(screen, ground), out),
            Self::Ansi => ansi::write(screen, out),
            Self::Text => text::write(screen, out),
        }
    }
}

#[cfg(test)]
mod tests;
