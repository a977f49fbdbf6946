//! A flock on a screen without a terminal, as `shot` and `record` render it.

pub mod record;
pub mod shot;

use std::io;

use crate::commands::args::{FlockArgs, ScreenArgs};
use crate::commands::flock_setup::{PreparedFlock, load_preset_with_notice};
use crate::commands::output::Progress;
use crate::commands::replay::{self, OpenSession};
use crate::config::{ConfigError, Theme};
use crate::sim::Replay;
use crate::terminal::Signals;
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Offscreen, RenderedFlock, default_theme};

/// The flock or the session, and the initial state of the screen that shows it.
fn prepare(
    flock: &FlockArgs,
    session: Option<&OpenSession<'_>>,
    screen: &ScreenArgs,
    depth: ColorDepth,
) -> Result<(Replay, InitialState), ConfigError> {
    let theme = Theme::load(screen.theme.as_deref().unwrap_or_else(|| default_theme(depth, false, false)))?;
    let clean = !screen.panel;
    let (replay, preset, setup, world_is_auto, rate) = if let Some(OpenSession { path, file }) = session {
        let setup = file.log.start().setup.clone();
        (replay::replay(path, file)?, file.preset.clone(), setup, false, file.rate)
    } else {
        let preset = load_preset_with_notice(flock)?;
        let PreparedFlock { preset, setup, flock, world_is_auto } =
            PreparedFlock::new(flock, preset, Offscreen::shape(screen.size, clean))?;
        let rate = preset.rate;
        (Replay::of_flock(flock), preset, setup, world_is_auto, rate)
    };
    let start = InitialState {
        rate,
        preset,
        setup,
        world_is_auto,
        input: None,
        colors: Colors { theme, chosen: true, depth, guessed: false, no_sky: false },
        marker: screen.marker,
        view: screen.view,
        aim: screen.camera.aim(),
        clean,
        keymap: Keymap::default(),
        preset_settings: flock.presets.clone(),
    };
    Ok((replay, start))
}

/// Fails if the agent that `--follow` names does not exist. The screen must have been drawn before.
fn check_follow_target(rendered: &RenderedFlock) -> Result<(), ConfigError> {
    rendered.screen.missing().map_or(Ok(()), |id| {
        let flock = rendered.replay.flock();
        let message = match flock.trajectories() {
            Some(_) => format!("no animal has this id in frame {}", flock.tick()),
            None => format!("no boid or predator has this id at tick {}", flock.tick()),
        };
        Err(ConfigError::flag(format!("--follow {id}"), message))
    })
}

/// Calls boids to write the text of `--say` or `--clock`.
fn write_text(rendered: &mut RenderedFlock, screen: &ScreenArgs) -> Result<(), ConfigError> {
    let say = screen.say.clone().map(|text| (format!("--say {text}"), text));
    let text = say.or_else(|| screen.clock.map(|time| (format!("--clock={time}"), time.to_string())));
    let Some((option, text)) = text else { return Ok(()) };
    let formation = rendered.screen.formation(&text, rendered.replay.flock());
    let formation = formation.map_err(|error| ConfigError::flag(option.clone(), error.to_string()))?;
    rendered.replay.call(formation).map_err(|error| ConfigError::flag(option, error.to_string()))
}

/// Shows the progress of a simulation of this many ticks, and ends it by a signal: an error of the kind
/// [`Interrupted`](io::ErrorKind::Interrupted).
fn on_tick(ticks: u64, signals: &Signals) -> impl FnMut(u64) -> io::Result<()> {
    let progress = Progress::new(ticks);
    move |ticks| {
        progress.show(ticks);
        signals.pending().map_or(Ok(()), |_| Err(io::ErrorKind::Interrupted.into()))
    }
}
