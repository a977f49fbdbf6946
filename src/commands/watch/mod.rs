//! The viewer, from the command line.

mod reload;

use std::io::{self, IsTerminal};
use std::time::Duration;

use color_eyre::eyre::{Result, bail};

use super::args::{ColorChoice, WatchArgs};
use super::settings::ResolvedArgs;
use super::setup::{PreparedFlock, threads};
use crate::config::{self, FlockFile, Preset, Theme, simd};
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
    let theme = theme(args)?;
    let preset = Preset::load(&args.flock.preset)?;
    check_terminal()?;
    let clean = args.clean || args.screensaver;
    let shape = viewer::canvas_aspect_ratio(clean).unwrap_or(1.0);
    let prepared = PreparedFlock::new(&args.flock, preset, shape)?;
    let depth = args.color.depth();
    // A detected depth of 16 or 256 colors may be raised by the replies of the terminal.
    let guessed = args.color == ColorChoice::Auto && matches!(depth, ColorDepth::Colors256 | ColorDepth::Colors16);
    let charset = Charset::detect();
    log_terminal(depth, charset);
    let initial_preset = prepared.preset.clone();
    let start = InitialState {
        rate: args.rate.unwrap_or(prepared.preset.rate),
        preset: prepared.preset,
        input: args.flock.input.clone().map(|path| FlockFile {
            path,
            boids: prepared.setup.boids,
            predators: prepared.setup.predators,
        }),
        setup: prepared.setup,
        world_is_auto: prepared.world_is_auto,
        colors: Colors { theme, chosen: args.theme.is_some(), depth, guessed },
        marker: marker(args, charset),
        view: args.view,
        aim: args.camera.aim(),
        clean,
        keymap: resolved.settings.keymap.clone(),
    };
    let viewer = Viewer {
        start,
        charset,
        // The Linux console prints queries that it does not know.
        query_terminal: env("TERM") != "linux",
        bandwidth: args.bandwidth,
        fps: fps(args),
        threads: threads(&args.flock),
        simd: simd()?,
        duration: args.duration,
        opening: startup(args),
        idle: idle(args),
        mouse: !args.no_mouse,
        named: resolved.settings.names(),
        replay: None,
        save_session: args.save_session.clone(),
        reload: reload::reloader(resolved, initial_preset, charset)?,
    };
    Ok(viewer.show(prepared.flock)?)
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

fn theme(args: &WatchArgs) -> Result<Theme, config::ConfigError> {
    Theme::load(args.theme.as_deref().unwrap_or(THEME))
}

fn marker(args: &WatchArgs, charset: Charset) -> Marker {
    args.marker.unwrap_or(Marker::of(charset))
}

fn fps(args: &WatchArgs) -> f32 {
    args.fps.unwrap_or_else(|| if is_over_ssh() { FPS_OVER_SSH } else { FPS })
}

fn is_over_ssh() -> bool {
    ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| std::env::var_os(name).is_some())
}

fn idle(args: &WatchArgs) -> Option<Duration> {
    (args.idle > 0.0).then(|| Duration::from_secs_f32(60.0 * args.idle))
}

/// What the viewer starts with. The title plays only for an interactive start.
fn startup(args: &WatchArgs) -> Startup {
    let has_task = args.flock.input.is_some() || args.duration.is_some();
    if args.screensaver {
        Startup::Screensaver
    } else if args.no_intro || args.clean || is_over_ssh() || has_task {
        Startup::Plain
    } else {
        Startup::Intro
    }
}

/// An environment variable, or an empty string.
fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
