//! Flying in the terminal.

pub(crate) mod reload;

use std::io::{self, IsTerminal};
use std::time::Duration;

use color_eyre::eyre::{Result, bail};

use super::args::{ColorChoice, Watch};
use super::settings::ResolvedArgs;
use super::setup::{PreparedFlock, threads};
use crate::config::{Error, FlockFile, Preset, Theme, simd};
use crate::terminal::{Charset, tty};
use crate::viewer::{ColorDepth, Colors, InitialState, Marker, Startup, Viewer, ViewerExit};
use reload::reader;

/// The most frames a second, unless somebody says otherwise.
const FPS: f32 = 60.0;
/// The same where the terminal is at the other end of a network.
const FPS_OVER_SSH: f32 = 30.0;

/// The theme, unless somebody chooses one or the terminal's background is bright.
const THEME: &str = "dusk";

/// Shows the flock that is asked for, until somebody quits.
///
/// # Errors
///
/// What was wrong in one sentence; the terminal is as it was then.
pub fn watch(resolved: ResolvedArgs) -> Result<ViewerExit> {
    let args = &resolved.cli.watch;
    let theme = theme(args)?;
    let preset = Preset::load(&args.flock.preset)?;
    // Before the flock is made: that may take long.
    if !io::stdout().is_terminal() {
        bail!("standard output is not a terminal, and the viewer needs one; `flockscope run` flies without");
    }
    if env("TERM") == "dumb" {
        bail!(
            "this terminal can only print (TERM is dumb), and the viewer needs one that moves its cursor; `flockscope run` flies without"
        );
    }
    let clean = args.clean || args.screensaver;
    let shape = crate::viewer::canvas_shape(clean).unwrap_or(1.0);
    let launch = PreparedFlock::new(&args.flock, preset, shape)?;
    let depth = args.color.depth();
    // Who wants no colors is not asked for more.
    let guessed = args.color == ColorChoice::Auto && matches!(depth, ColorDepth::Indexed | ColorDepth::Ansi);
    let colors = Colors { theme, chosen: args.theme.is_some(), depth, guessed };
    let charset = Charset::detect();
    let said = ["TERM", "COLORTERM", "TERM_PROGRAM", "SSH_TTY", "NO_COLOR"].map(env);
    let size = tty::window_size().ok().map(|window| (window.columns, window.rows));
    tracing::info!(?said, ?size, ?depth, ?charset, "terminal");
    let (named, begun) = (resolved.layers.named(), launch.preset.clone());
    let start = InitialState {
        rate: args.rate.unwrap_or(launch.preset.rate),
        preset: launch.preset,
        input: args.flock.input.clone().map(|path| {
            let (boids, predators) = (launch.setup.boids, launch.setup.predators);
            FlockFile { path, boids, predators }
        }),
        setup: launch.setup,
        world_is_auto: launch.world_is_auto,
        colors,
        marker: marker(args, charset),
        view: args.view,
        aim: args.aim.aim(),
        clean,
        keymap: resolved.layers.keymap.clone(),
    };
    let viewer = Viewer {
        start,
        charset,
        // The Linux console prints what it does not understand.
        query_terminal: env("TERM") != "linux",
        bandwidth: args.bandwidth,
        fps: fps(args),
        threads: threads(&args.flock),
        simd: simd()?,
        duration: args.duration,
        opening: opening(args),
        idle: idle(args),
        mouse: !args.no_mouse,
        save_picture: crate::viewer::app::picture_file::keep,
        named,
        reload: reader(resolved, begun, charset)?,
    };
    Ok(viewer.show(launch.flock)?)
}

fn theme(args: &Watch) -> Result<Theme, Error> {
    Theme::load(args.theme.as_deref().unwrap_or(THEME))
}

fn marker(args: &Watch, charset: Charset) -> Marker {
    args.marker.unwrap_or(Marker::of(charset))
}

fn fps(args: &Watch) -> f32 {
    args.fps.unwrap_or_else(|| if is_remote() { FPS_OVER_SSH } else { FPS })
}

/// Whether a network lies between the program and its terminal.
fn is_remote() -> bool {
    ["SSH_TTY", "SSH_CONNECTION"].iter().any(|name| std::env::var_os(name).is_some())
}

fn idle(args: &Watch) -> Option<Duration> {
    (args.idle > 0.0).then(|| Duration::from_secs_f32(60.0 * args.idle))
}

/// What plays at first. The program's name is for people who sit before it and come to see a flock.
fn opening(args: &Watch) -> Startup {
    let busy = args.flock.input.is_some() || args.duration.is_some();
    if args.screensaver {
        Startup::Screensaver
    } else if args.no_intro || args.clean || is_remote() || busy {
        Startup::Plain
    } else {
        Startup::Intro
    }
}

/// What the environment says, or nothing.
fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}
