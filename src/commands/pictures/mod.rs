//! A flock on a screen without a terminal, as `shot` and `record` render it.

pub mod record;
pub mod shot;

use std::io;

use crate::commands::args::{FlockArgs, ScreenArgs};
use crate::commands::output::Progress;
use crate::commands::replay::{self, OpenSession};
use crate::commands::setup::{PreparedFlock, load_preset_with_notice};
use crate::config::{ConfigError, Theme};
use crate::sim::{Replay, Scratch};
use crate::terminal::Signals;
use crate::viewer::{ColorDepth, Colors, InitialState, Keymap, Offscreen, default_theme};

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

/// A flock, and the screen that shows it.
struct RenderedFlock {
    pub replay: Replay,
    pub screen: Offscreen,
}

impl RenderedFlock {
    /// Calls boids to write the text of `--say` or `--clock`.
    fn write_text(&mut self, screen: &ScreenArgs) -> Result<(), ConfigError> {
        let Some((option, text)) = written_text(screen) else { return Ok(()) };
        let flock = self.replay.flock();
        let formation = self.screen.formation(&text, flock);
        let formation = formation.map_err(|error| ConfigError::flag(option.clone(), error.to_string()))?;
        self.replay.call(formation).map_err(|error| ConfigError::flag(option, error.to_string()))
    }

    /// Fails if the agent that `--follow` names does not exist. The screen must have been drawn before.
    fn check_follow_target(&self) -> Result<(), ConfigError> {
        self.screen.missing().map_or(Ok(()), |id| {
            let message = format!("no boid or predator has this id at tick {}", self.replay.flock().tick());
            Err(ConfigError::flag(format!("--follow {id}"), message))
        })
    }
}

/// The text that boids write, with the option that names it.
fn written_text(screen: &ScreenArgs) -> Option<(String, String)> {
    let say = screen.say.clone().map(|text| (format!("--say {text}"), text));
    say.or_else(|| screen.clock.map(|time| (format!("--clock={time}"), time.to_string())))
}

/// What simulates a rendered flock.
struct Simulation<'a> {
    scratch: &'a mut Scratch,
    signals: &'a Signals,
    progress: Progress,
    /// The ticks simulated so far.
    ticks: u64,
}

impl<'a> Simulation<'a> {
    /// A simulation of this many ticks in total.
    fn new(scratch: &'a mut Scratch, signals: &'a Signals, ticks: u64) -> Self {
        Self { scratch, signals, progress: Progress::new(ticks), ticks: 0 }
    }

    /// Simulates a number of ticks. A signal is an error, [`Interrupted`](io::ErrorKind::Interrupted), and so is an impossible
    /// command, a [`ReplayError`](crate::sim::ReplayError).
    fn advance(&mut self, rendered: &mut RenderedFlock, ticks: u64) -> io::Result<()> {
        for left in (0..ticks).rev() {
            self.check_signals()?;
            rendered.replay.step(self.scratch).map_err(io::Error::other)?;
            rendered.screen.watch(rendered.replay.flock(), left);
            self.ticks += 1;
            self.progress.show(self.ticks);
        }
        // At a low tick rate, many frames pass without a tick.
        self.check_signals()
    }

    fn check_signals(&self) -> io::Result<()> {
        self.signals.pending().map_or(Ok(()), |_| Err(io::ErrorKind::Interrupted.into()))
    }
}
