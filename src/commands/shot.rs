//! `flockscope shot`: render a picture.

use super::args::ShotArgs;
use super::output::{open_one, print_random_seed};
use super::rendered::{RenderedFlock, Simulation, prepare};
use super::setup::threads;
use crate::config::{ConfigError, simd};
use crate::engine::in_pool;
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::viewer::{ColorDepth, Offscreen};

/// Simulates, then renders the screen. Returns the signal that stopped it early, if any; there is no picture then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn shot(args: &ShotArgs) -> Result<Option<i32>, ConfigError> {
    let format = PictureFormat::of(&args.output)?;
    // Without colors, signs show what colors would.
    let depth = if format == PictureFormat::Text { ColorDepth::Mono } else { args.screen.color.depth() };
    let (flock, start) = prepare(&args.flock, &args.screen, depth)?;
    let default_colors = DefaultColors::of(&start.colors.theme);
    let mut rendered = RenderedFlock { flock, screen: Offscreen::new(start, args.screen.size) };
    let (mut file, signals) = open_one(&args.output)?;
    let simd = simd()?;
    let simulated = in_pool(threads(args.flock.threads), |scratch| {
        scratch.set_simd(simd);
        Simulation::new(scratch, &signals, args.ticks).advance(&mut rendered, args.ticks)
    });
    if simulated.is_err() {
        return Ok(signals.pending());
    }
    let cells = rendered.screen.draw(&rendered.flock).clone();
    rendered.check_follow_target()?;
    let written = format.write(&cells, default_colors, &mut file).and_then(|()| file.finish());
    written.map_err(ConfigError::io(&args.output))?;
    print_random_seed(&args.flock, rendered.flock.seed())?;
    Ok(None)
}
