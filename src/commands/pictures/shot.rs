//! `flockscope shot`: render a picture.

use super::{check_follow_target, on_tick, prepare, write_text};
use crate::commands::args::ShotArgs;
use crate::commands::flock_setup::in_simd_pool;
use crate::commands::output::{open_one, print_random_seed};
use crate::commands::replay::{self, TickRange, output_error, report_divergence};
use crate::config::ConfigError;
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::viewer::{ColorDepth, Offscreen, RenderedFlock, Simulation};

/// Simulates, then renders the screen. Returns the signal that stopped it early, if any; there is no picture then.
///
/// # Errors
///
/// [`ConfigError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn shot(args: &ShotArgs) -> Result<Option<i32>, ConfigError> {
    let format = PictureFormat::of(&args.output)?;
    // Without colors, signs show what colors would.
    let depth = if format == PictureFormat::Text { ColorDepth::Mono } else { args.screen.color.depth() };
    let session = replay::open_optional(&args.session, &[("--at", args.at.at)])?;
    let (replay, start) = prepare(&args.flock, session.as_ref(), &args.screen, depth)?;
    let ticks = match &session {
        Some(session) => TickRange::at(&args.at, &session.file)?.last(),
        None => args.ticks,
    };
    let default_colors = DefaultColors::of(&start.colors.theme);
    let mut rendered = RenderedFlock { replay, screen: Offscreen::new(start, args.screen.size) };
    write_text(&mut rendered, &args.screen)?;
    let (mut file, signals) = open_one(&args.output)?;
    let simulated = in_simd_pool(args.flock.threads, |scratch| {
        let advanced = Simulation::new(scratch, &mut on_tick(ticks, &signals)).advance(&mut rendered, ticks);
        advanced.map_err(|error| output_error(error, args.session.session.as_deref(), &args.output))
    });
    if let Err(error) = simulated {
        return signals.pending().map(Some).ok_or(error);
    }
    let cells = rendered.screen.draw(rendered.replay.flock()).clone();
    check_follow_target(&rendered)?;
    let written = format.write(&cells, default_colors, &mut file).and_then(|()| file.finish());
    written.map_err(ConfigError::io(&args.output))?;
    match session {
        Some(session) => report_divergence(&session, &rendered.replay)?,
        None => print_random_seed(&args.flock, rendered.replay.flock().seed())?,
    }
    Ok(None)
}
