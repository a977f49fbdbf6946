//! The viewer, from the command line.

mod reload;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use color_eyre::eyre::{Result, bail};

use super::args::{CliCommand, ColorChoice, WatchArgs};
use super::replay::session;
use super::settings::ResolvedArgs;
use super::setup::{PreparedFlock, threads};
use crate::config::{ConfigError, FlockFile, Preset, Theme, simd};
use crate::export::OutputFile;
use crate::export::session::EXTENSION;
use crate::sim::{ReplayError, SessionLog};
use crate::terminal::{Charset, tty};
use crate::viewer::{self, ColorDepth, Colors, InitialState, Marker, Startup, Viewer, ViewerExit};

/// The default maximum of frames per second.
const FPS: f32 = 60.0;
const FPS_OVER_SSH: f32 = 30.0;
/// The default theme on a dark background.
const THEME: &str = "dusk";

/// Runs the viewer until the user quits.
///
/// # Errors
///
/// Invalid options, or a terminal that cannot run the viewer; the terminal is restored.
pub fn watch(resolved: ResolvedArgs) -> Result<ViewerExit> {
    let args = &resolved.cli.watch;
    theme(args)?;
    let preset = Preset::load(&args.flock.preset)?;
    check_terminal()?;
    let shape = viewer::canvas_aspect_ratio(is_clean(args)).unwrap_or(1.0);
    let prepared = PreparedFlock::new(&args.flock, preset, shape)?;
    let rate = prepared.preset.rate;
    show(resolved, prepared, rate, None)
}

/// Replays a session in the viewer.
///
/// # Errors
///
/// As [`watch`], or a file that is no session.
pub fn replay(resolved: ResolvedArgs, path: PathBuf) -> Result<ViewerExit> {
    check_terminal()?;
    let file = session::open(&path)?;
    let start = file.log.start();
    let invalid = |error| session::impossible(&path, &ReplayError { event: None, error });
    let flock = start.flock().map_err(invalid)?;
    let prepared = PreparedFlock { preset: file.preset, setup: start.setup.clone(), flock, world_is_auto: false };
    show(resolved, prepared, file.rate, Some((path, file.log)))
}

fn is_clean(args: &WatchArgs) -> bool {
    args.viewer.clean || args.screensaver
}

/// Shows a flock at this tick rate, unless an option sets another, with the commands of a session if there is one.
fn show(
    resolved: ResolvedArgs,
    prepared: PreparedFlock,
    rate: f32,
    session: Option<(PathBuf, SessionLog)>,
) -> Result<ViewerExit> {
    let args = &resolved.cli.watch;
    let (replay_file, replay) = session.unzip();
    let theme = theme(args)?;
    check_session_file(args.viewer.save_session.as_deref())?;
    let depth = args.viewer.color.depth();
    // A detected depth of 16 or 256 colors may be raised by the replies of the terminal.
    let guessed =
        args.viewer.color == ColorChoice::Auto && matches!(depth, ColorDepth::Colors256 | ColorDepth::Colors16);
    let charset = Charset::detect();
    log_terminal(depth, charset);
    let initial_preset = prepared.preset.clone();
    let input = args.flock.input.clone().filter(|_| replay.is_none());
    let start = InitialState {
        rate: args.viewer.rate.unwrap_or(rate),
        preset: prepared.preset,
        input: input.map(|path| FlockFile { path, boids: prepared.setup.boids, predators: prepared.setup.predators }),
        setup: prepared.setup,
        world_is_auto: prepared.world_is_auto,
        colors: Colors { theme, chosen: args.viewer.theme.is_some(), depth, guessed },
        marker: marker(args, charset),
        view: args.viewer.view,
        aim: args.viewer.camera.aim(),
        clean: is_clean(args),
        keymap: resolved.settings.keymap.clone(),
    };
    let asked = match &resolved.cli.command {
        Some(CliCommand::Replay(args)) => args.threads,
        _ => args.flock.threads,
    };
    let viewer = Viewer {
        start,
        charset,
        // The Linux console prints queries that it does not know.
        query_terminal: env("TERM") != "linux",
        bandwidth: args.viewer.bandwidth,
        fps: fps(args),
        threads: threads(asked),
        simd: simd()?,
        duration: args.viewer.duration,
        opening: if replay.is_some() { Startup::Plain } else { startup(args) },
        idle: idle(args),
        mouse: !args.viewer.no_mouse,
        named: resolved.settings.names(),
        history: args.viewer.history,
        replay,
        replay_file,
        save_session: args.viewer.save_session.clone(),
        reload: reload::reloader(resolved, initial_preset, charset)?,
    };
    Ok(viewer.show(prepared.flock)?)
}

/// Fails early if the session cannot be saved.
fn check_session_file(path: Option<&Path>) -> Result<(), ConfigError> {
    let Some(path) = path else { return Ok(()) };
    if OutputFile::extension(path) != EXTENSION {
        let flag = format!("--save-session {}", path.display());
        return Err(ConfigError::Flag { flag, message: format!("the name must end in .{EXTENSION}") });
    }
    // A pipe has its reader only once.
    if OutputFile::may_wait(path) { Ok(()) } else { OutputFile::open(path).map(drop) }
}

/// Fails early if the viewer cannot run: making the flock may take long.
fn check_terminal() -> Result<()> {
    if !io::stdout().is_terminal() {
        bail!("the viewer needs a terminal, and standard output is not a terminal; `flockscope run` works without one");
    }
    if env("TERM") == "dumb" {
        bail!("the viewer needs a terminal with cursor movement, and TERM is dumb; `flockscope run` works without one");
    }
    Ok(())
}

fn log_terminal(depth: ColorDepth, charset: Charset) {
    let environment = ["TERM", "COLORTERM", "TERM_PROGRAM", "SSH_TTY", "NO_COLOR"].map(env);
    let size = tty::window_size().ok().map(|window| (window.columns, window.rows));
    tracing::info!(?environment, ?size, depth = depth.name(), ?charset, "terminal");
}

fn theme(args: &WatchArgs) -> Result<Theme, ConfigError> {
    Theme::load(args.viewer.theme.as_deref().unwrap_or(THEME))
}

fn marker(args: &WatchArgs, charset: Charset) -> Marker {
    args.viewer.marker.unwrap_or(Marker::of(charset))
}

fn fps(args: &WatchArgs) -> f32 {
    args.viewer.fps.unwrap_or_else(|| if is_over_ssh() { FPS_OVER_SSH } else { FPS })
}

fn is_over_ssh() -> bool {
    ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| std::env::var_os(name).is_some())
}

fn idle(args: &WatchArgs) -> Option<Duration> {
    (args.viewer.idle > 0.0).then(|| Duration::from_secs_f32(60.0 * args.viewer.idle))
}

/// What the viewer starts with. The title plays only for an interactive start.
fn startup(args: &WatchArgs) -> Startup {
    let has_task = args.flock.input.is_some() || args.viewer.duration.is_some();
    if args.screensaver {
        Startup::Screensaver
    } else if args.no_intro || args.viewer.clean || is_over_ssh() || has_task {
        Startup::Plain
    } else {
        Startup::Intro
    }
}

/// An environment variable, or an empty string.
fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
