//! `flockscope shot`: render a picture.

use super::args::{FlockArgs, ScreenArgs, ShotArgs};
use super::output::{file_error, open_one, print_random_seed};
use super::progress::Progress;
use super::setup::{PreparedFlock, threads};
use crate::config::{Error, Preset, Theme, simd};
use crate::engine::in_pool;
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::sim::Flock;
use crate::terminal::Signals;
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Offscreen};

/// Simulates, then renders the screen. Returns the signal that stopped it early, if any; there is no picture then.
///
/// # Errors
///
/// [`Error`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn shot(args: &ShotArgs) -> Result<Option<i32>, Error> {
    let format = PictureFormat::of(&args.output)?;
    // Without colors, signs show what colors would.
    let depth = if format == PictureFormat::Text { ColorDepth::Mono } else { args.screen.color.depth() };
    let (mut flock, start) = prepare(&args.flock, &args.screen, depth)?;
    let default_colors = DefaultColors::of(&start.colors.theme);
    let mut screen = Offscreen::new(start, args.screen.size);
    let (mut file, signals) = open_one(&args.output)?;
    if let Some(signal) = simulate(args, &mut flock, &mut screen, &signals)? {
        return Ok(Some(signal));
    }
    let cells = screen.draw(&flock).clone();
    check_follow_target(&screen, &flock)?;
    let written = format.write(&cells, default_colors, &mut file).and_then(|()| file.finish());
    written.map_err(|error| file_error(&args.output, error))?;
    print_random_seed(&args.flock, flock.seed())?;
    Ok(None)
}

/// The flock, and the initial state of the screen that shows it.
pub(super) fn prepare(
    flock: &FlockArgs,
    screen: &ScreenArgs,
    depth: ColorDepth,
) -> Result<(Flock, InitialState), Error> {
    let theme = Theme::load(&screen.theme)?;
    let preset = Preset::load(&flock.preset)?;
    let clean = !screen.panel;
    let prepared = PreparedFlock::new(flock, preset, Offscreen::shape(screen.size, clean))?;
    let start = InitialState {
        rate: prepared.preset.rate,
        preset: prepared.preset,
        setup: prepared.setup,
        world_is_auto: prepared.world_is_auto,
        input: None,
        colors: Colors { theme, chosen: true, depth, guessed: false },
        marker: screen.marker,
        view: screen.view,
        aim: screen.camera.aim(),
        clean,
        keymap: Keymap::default(),
    };
    Ok((prepared.flock, start))
}

/// Fails if the agent that `--follow` names does not exist. The screen must have been drawn before.
pub(super) fn check_follow_target(screen: &Offscreen, flock: &Flock) -> Result<(), Error> {
    screen.missing().map_or(Ok(()), |id| {
        let message = format!("no boid or predator has this id at tick {}", flock.tick());
        Err(Error::Flag { flag: format!("--follow {id}"), message })
    })
}

/// Returns the signal that arrived, if any.
fn simulate(
    args: &ShotArgs,
    flock: &mut Flock,
    screen: &mut Offscreen,
    signals: &Signals,
) -> Result<Option<i32>, Error> {
    let simd = simd()?;
    let progress = Progress::new(args.ticks);
    Ok(in_pool(threads(&args.flock), |scratch| {
        scratch.set_simd(simd);
        (1..=args.ticks).find_map(|tick| {
            flock.step(scratch);
            screen.watch(flock, args.ticks - tick);
            progress.show(tick);
            signals.pending()
        })
    }))
}
