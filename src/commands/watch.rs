//! The viewer, from the command line, also with a text on standard input.

use std::path::Path;
use std::sync::Arc;

use clap::{Args, Command};
use color_eyre::eyre::{Result, bail};

use super::args::{LiveArgs, ReplayArgs, ViewerArgs, WatchArgs, ZoneArg, is_over_ssh};
use super::flock_setup::{PreparedFlock, load_preset, setup, threads, unused_notice};
use super::replay_file::{self, Opened};
use super::settings::{ParsedArgs, ResolvedArgs};
use crate::config::{FlockFile, Preset, Theme, WorldSize, simd};
use crate::error::{InputError, note_text};
use crate::export::session::EXTENSION;
use crate::export::{OutputFile, Replaces, stdout};
use crate::picture::{Aim, ColorDepth, GlyphTable};
use crate::sim::{Edge, ModelRow, Session, Setup};
use crate::terminal::{CharsetGuess, background_from_env, tty};
use crate::viewer::{
    self, Colors, ConfigReloader, ExitOn, InitialState, PipedText, Reloaded, Startup, Subject, TerminalBackground,
    Viewer, ViewerExit, read_piped_text, window_size,
};

/// Runs the viewer until the user quits. It shows the text on standard input, if there is one.
///
/// # Errors
///
/// Invalid options or input, or a terminal that cannot run the viewer; the terminal is restored.
pub fn watch(mut resolved: ResolvedArgs) -> Result<ViewerExit> {
    // Mistakes come before a wait for input.
    let load = |args: &WatchArgs| -> Result<(Option<Theme>, Preset)> { Ok((theme(args)?, load_preset(&args.flock)?)) };
    let (mut theme, mut preset) = load(&resolved.cli.watch)?;
    check_motion(&resolved.cli.watch.viewer)?;
    check_terminal()?;
    let text = read_text(&resolved)?.map(Arc::new);
    if let Some(text) = &text {
        adapt_to_text(&mut resolved, text);
        (theme, preset) = load(&resolved.cli.watch)?;
    }
    let args = &resolved.cli.watch;
    let shape = viewer::canvas_aspect_ratio(args.is_clean()).unwrap_or(1.0);
    let prepared = PreparedFlock::new(&args.flock, preset, shape)?;
    if text.is_some() {
        ModelRow::of(&prepared.setup.params).check_perches().map_err(InputError::from)?;
    }
    let unused = unused_notice(&args.flock, &prepared.preset);
    let notice = unused.or_else(|| Theme::notice(args.viewer.live.theme.as_deref()));
    let PreparedFlock { preset, setup, flock, world_is_auto } = prepared;
    let session = Session::begin(flock, args.flock.input.is_none(), args.viewer.history);
    let viewer = Viewer { notice, ..viewer(resolved, theme, Shown { preset, setup, world_is_auto }, text)? };
    Ok(viewer.show(Box::new(session))?)
}

/// Replays a session or a recording in the viewer.
///
/// # Errors
///
/// As [`watch`], or a file that is no session and no recording.
pub fn replay(resolved: ResolvedArgs, args: &ReplayArgs) -> Result<ViewerExit> {
    let ReplayArgs { files, recording, beside, .. } = args;
    check_motion(&resolved.cli.watch.viewer)?;
    check_terminal()?;
    let (opened, notes) = replay_file::open(files, recording, beside, resolved.cli.watch.viewer.history)?;
    let Opened { timeline, preset, rate, recording: recorded, glyphs, .. } = opened;
    let path = &files[0];
    if let Some(save) = resolved.cli.watch.viewer.save_session.as_deref().filter(|_| recorded.is_some()) {
        let flag = format!("--save-session {}", save.display());
        return Err(InputError::flag(
            flag,
            format!("{} is a recording, and only sessions can be saved", path.display()),
        )
        .into());
    }
    let args = &resolved.cli.watch.viewer;
    let rate = args.live.rate.unwrap_or(rate);
    let theme = theme(&resolved.cli.watch)?;
    let shown = Shown { preset, setup: timeline.snapshot().setup(), world_is_auto: false };
    let mut viewer = Viewer {
        opening: Startup::Plain,
        replay: timeline.session().map(|session| session.log().lock().clone()),
        replay_file: Some(path.clone()),
        command: recorded.is_some().then(|| recording.command(files) + &beside.command()),
        notice: (!notes.is_empty()).then(|| notes.iter().map(note_text).collect::<Vec<_>>().join("; ")),
        ..viewer(resolved, theme, shown, None)?
    };
    (viewer.start.rate, viewer.start.recording, viewer.start.glyphs) = (rate, recorded, glyphs);
    Ok(viewer.show(timeline)?)
}

fn check_motion(args: &ViewerArgs) -> Result<(), InputError> {
    if args.no_mouse && args.exit_on == ExitOn::Motion {
        return Err(InputError::flag("--exit-on motion", "needs the mouse, which --no-mouse disables"));
    }
    Ok(())
}

/// What the viewer shows first.
struct Shown {
    preset: Preset,
    setup: Setup,
    world_is_auto: bool,
}

/// The viewer of a flock, and of a text from standard input if there is one.
fn viewer(
    resolved: ResolvedArgs,
    theme: Option<Theme>,
    shown: Shown,
    text: Option<Arc<PipedText>>,
) -> Result<Viewer, InputError> {
    let args = &resolved.cli.watch;
    let Shown { preset, setup, world_is_auto } = shown;
    check_session_file(args.viewer.save_session.as_deref())?;
    let depth = args.viewer.color.depth();
    // A detected depth of 16 or 256 colors may be raised by the replies of the terminal.
    let guessed = args.viewer.color.0.is_none() && matches!(depth, ColorDepth::Colors256 | ColorDepth::Colors16);
    let charset = CharsetGuess::detect();
    let environment = ["TERM", "COLORTERM", "TERM_PROGRAM", "SSH_TTY", "NO_COLOR"].map(env);
    let size = tty::window_size().ok().map(|window| (window.columns, window.rows));
    tracing::info!(?environment, ?size, depth = depth.name(), ?charset, "terminal");
    let aim = args.viewer.camera.aim();
    let input = args.flock.input.clone();
    // The Linux console prints queries that it does not know.
    let query_terminal = env("TERM") != "linux" && tty::owns_input();
    let unknown = if query_terminal { TerminalBackground::Awaited } else { TerminalBackground::Assumed };
    let start = InitialState {
        rate: args.viewer.live.rate.unwrap_or(preset.rate),
        preset: preset.clone(),
        recording: None,
        glyphs: GlyphTable::default(),
        input: input.map(|path| FlockFile { path, boids: setup.boids, predators: setup.predators }),
        aim: if text.is_some() { text_aim(aim, &setup) } else { aim },
        setup,
        world_is_auto,
        colors: Colors { depth, guessed, background: background_from_env().map_or(unknown, TerminalBackground::Known) },
        reduced_motion: args.viewer.reduced_motion,
        options: args.live_options(theme, resolved.settings.keymap.clone(), resolved.settings.names()),
    };
    Ok(Viewer {
        start,
        charset,
        query_terminal,
        threads: threads(args.flock.threads),
        simd: simd()?,
        duration: args.viewer.duration,
        opening: if text.is_some() { Startup::Plain } else { startup(args) },
        together: args.viewer.together.then(|| args.viewer.part.map_or((0, 1), |shard| (shard.part - 1, shard.parts))),
        letters: letters(args).filter(|_| text.is_none()),
        text: text.clone(),
        once: args.once,
        mouse: !args.viewer.no_mouse,
        exit_on: args.viewer.exit_on,
        notice: None,
        replay: None,
        replay_file: None,
        command: None,
        save_session: args.viewer.save_session.clone(),
        reload: reloader(resolved, preset, text),
    })
}

/// Fails early if the session cannot be saved.
fn check_session_file(path: Option<&Path>) -> Result<(), InputError> {
    let Some(path) = path else { return Ok(()) };
    if OutputFile::extension(path) != EXTENSION {
        let flag = format!("--save-session {}", path.display());
        return Err(InputError::flag(flag, format!("the name must end in .{EXTENSION}")));
    }
    // A pipe has its reader only once.
    if OutputFile::may_wait(path) {
        return Ok(());
    }
    Replaces::Nothing.check(path)?;
    OutputFile::open(path, Replaces::Nothing).map(drop)
}

/// Fails early if the viewer cannot run: making the flock may take long.
fn check_terminal() -> Result<()> {
    if !stdout().is_terminal() {
        bail!("the viewer needs a terminal, and standard output is not a terminal; `flockscope run` works without one");
    }
    if env("TERM") == "dumb" {
        bail!("the viewer needs a terminal with cursor movement, and TERM is dumb; `flockscope run` works without one");
    }
    Ok(())
}

/// The theme that the user chose.
fn theme(args: &WatchArgs) -> Result<Option<Theme>, InputError> {
    args.viewer.live.theme.as_deref().map(Theme::load).transpose()
}

/// What boids form.
fn letters(args: &WatchArgs) -> Option<Subject> {
    let text = args.say.clone().map(Subject::Text);
    text.or(args.clock.map(Subject::Clock))
}

/// What the viewer starts with. The title plays only for an interactive start.
fn startup(args: &WatchArgs) -> Startup {
    let has_task = args.flock.input.is_some() || args.viewer.duration.is_some() || letters(args).is_some();
    if args.screensaver {
        return Startup::Screensaver;
    }
    if args.breed {
        return Startup::Breed;
    }
    if args.no_intro || args.viewer.reduced_motion || args.viewer.live.clean || is_over_ssh() || has_task {
        Startup::Plain
    } else {
        Startup::Intro
    }
}

/// An environment variable, or an empty string.
fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Makes the function that reads the options again. A contradictory config is rejected as a whole.
fn reloader(mut before: ResolvedArgs, mut preset: Preset, text: Option<Arc<PipedText>>) -> ConfigReloader {
    Box::new(move || {
        // The command line was valid at startup.
        let now = ParsedArgs::read().map_err(|error| InputError::flag("command line", error.kind().to_string()))?;
        let mut now = now.resolve()?;
        if let Some(text) = &text {
            adapt_to_text(&mut now, text);
        }
        let args = &now.cli.watch;
        if args.flock.preset != before.cli.watch.flock.preset {
            preset = load_preset(&args.flock)?;
        }
        setup(&args.flock, &preset, 1.0, None)?;
        let options = args.live_options(theme(args)?, now.settings.keymap.clone(), now.settings.names());
        let live = LiveArgs::augment_args(Command::new("viewer"));
        let mut later = now.settings.changed_options(&before.settings);
        later.retain(|option| live.get_arguments().all(|arg| arg.get_long() != Some(option)));
        before = now;
        Ok(Reloaded { options, later })
    })
}

/// The preset of a text, unless the user chooses another: its flocks stretch and split without losing letters.
const TEXT_PRESET: &str = "starlings";
/// Options that say what the viewer shows. If they are typed, standard input is not read.
const OTHER_SUBJECTS: [&str; 5] = ["input", "say", "clock", "screensaver", "breed"];

/// Reads the text on standard input, if there is one and the viewer is to show it.
///
/// # Errors
///
/// Standard input that cannot be read or is not text, and `--once` without a text.
fn read_text(resolved: &ResolvedArgs) -> Result<Option<PipedText>> {
    let is_free = !OTHER_SUBJECTS.iter().any(|option| resolved.is_typed(option));
    let screen = window_size()?;
    let text = if is_free { read_piped_text(screen.width, screen.height)? } else { None };
    if text.is_none() && resolved.cli.watch.once {
        let message = "there is no text on standard input; `flockscope --once < FILE` would be valid";
        return Err(InputError::flag("--once", message).into());
    }
    Ok(text)
}

/// Sets what the command line leaves open: a whole screen with the terminal's own background, a boid for each letter, and no hunters.
fn adapt_to_text(resolved: &mut ResolvedArgs, text: &PipedText) {
    let [clean, theme, no_sky, preset, world] =
        ["clean", "theme", "no_sky", "preset", "world"].map(|option| resolved.is_typed(option));
    let args = &mut resolved.cli.watch;
    args.viewer.live.clean |= !clean;
    if !theme {
        args.viewer.live.theme = None;
        args.viewer.live.no_sky |= !no_sky;
    }
    args.screensaver = false;
    let flock = &mut args.flock;
    let flies_letters = Preset::load(&flock.preset)
        .is_ok_and(|preset| !preset.world.is_3d() && ModelRow::of(&preset.params).check_perches().is_ok());
    if !preset && !flies_letters {
        TEXT_PRESET.clone_into(&mut flock.preset);
    }
    let is_flat = Preset::load(&flock.preset).is_ok_and(|preset| !preset.world.is_3d());
    if is_flat && !world {
        flock.world = Some(WorldSize::Auto);
    }
    flock.boids = flock.boids.max(Some(text.cells.len()));
    flock.predators.get_or_insert(0);
    if flock.zone.is_empty() {
        flock.zone.push(ZoneArg(None));
    }
}

/// The aim of the camera. In a flat world without a border it would follow the largest group, and so move the text.
fn text_aim(aim: Aim, setup: &Setup) -> Aim {
    let world = setup.world;
    let is_open = world.dim() == 2 && setup.params.edge.mode == Edge::Open;
    Aim { center: aim.center.or(is_open.then(|| world.center())), ..aim }
}
