//! A flock on a screen without a terminal, as `shot` and `record` render it.

use std::fs;
use std::io::{self, Write};
use std::time::Duration;

use ratatui::layout::Size;

use crate::commands::args::{FlockArgs, RecordArgs, ScreenArgs, ShotArgs};
use crate::commands::flock_setup::{PreparedFlock, in_simd_pool, load_preset_with_notice};
use crate::commands::output::{Progress, open_one, print_random_seed};
use crate::commands::replay_file::{self, Opened, ReplayedFile, TickRange, output_error, report_divergence};
use crate::config::Theme;
use crate::error::{InputError, escape_control};
use crate::export::clip::{ClipTiming, duration};
use crate::export::picture::PictureFormat;
use crate::export::{OutputFile, gif, stderr};
use crate::picture::ColorDepth;
use crate::sim::Flock;
use crate::terminal::Signals;
use crate::viewer::{ClipFormat, Colors, InitialState, LiveOptions, MAX_CLIP, Offscreen, RenderedFlock, Simulation};

/// The flock or the session, and the initial state of the screen that shows it.
fn prepare(
    flock: &FlockArgs,
    session: Option<Opened>,
    screen: &ScreenArgs,
    depth: ColorDepth,
) -> Result<(Opened, InitialState), InputError> {
    let clean = !screen.panel;
    let (opened, world_is_auto) = if let Some(opened) = session {
        (opened, false)
    } else {
        let preset = load_preset_with_notice(flock)?;
        let PreparedFlock { preset, flock, world_is_auto, .. } =
            PreparedFlock::new(flock, preset, Offscreen::shape(screen.size, clean))?;
        (Opened::of_flock(flock, preset), world_is_auto)
    };
    if let Some(notice) = Theme::notice(screen.theme.as_deref()) {
        writeln!(stderr(), "flockscope: {notice}").map_err(InputError::io("standard error"))?;
    }
    let theme = screen.theme.as_deref().map(Theme::load).transpose()?;
    let start = InitialState {
        rate: opened.rate,
        preset: opened.preset.clone(),
        recording: opened.recording.clone(),
        setup: opened.timeline.snapshot().setup(),
        world_is_auto,
        input: None,
        glyphs: opened.glyphs.clone(),
        colors: Colors::fixed(depth),
        aim: screen.camera.aim(),
        reduced_motion: false,
        options: LiveOptions {
            marker: Some(screen.marker),
            view: screen.view,
            clean,
            presets: flock.presets.clone(),
            theme,
            ..LiveOptions::default()
        },
    };
    Ok((opened, start))
}

fn new_screen(start: InitialState, args: &ScreenArgs) -> Offscreen {
    let mut screen = Offscreen::new(start, args.size);
    if args.breed {
        screen.breed();
    }
    screen
}

/// Fails if the agent that `--follow` names does not exist. The screen must have been drawn before.
fn check_follow_target(rendered: &RenderedFlock) -> Result<(), InputError> {
    rendered.screen.missing().map_or(Ok(()), |id| {
        let flock = rendered.timeline.snapshot();
        let message = match flock.recorded {
            Some(_) => format!("no animal has this id in frame {}", flock.tick),
            None => format!("no boid or predator has this id at tick {}", flock.tick),
        };
        Err(InputError::flag(format!("--follow {id}"), message))
    })
}

/// Calls boids to write the text of `--say` or `--clock`.
fn write_text(rendered: &mut RenderedFlock, screen: &ScreenArgs) -> Result<(), InputError> {
    let say = screen.say.clone().map(|text| (format!("--say {text}"), text));
    let text = say.or_else(|| screen.clock.map(|time| (format!("--clock={time}"), time.to_string())));
    let Some((option, text)) = text else { return Ok(()) };
    let formation = rendered.screen.formation(&text, (&*rendered.timeline).into(), screen.clock.is_some());
    let formation = formation.map_err(|error| InputError::flag(option.clone(), error.to_string()))?;
    let Some(session) = rendered.timeline.session_mut() else {
        return Err(InputError::flag(option, "a recording has no boids to call"));
    };
    session.call(formation).map_err(|error| InputError::flag(option, error.to_string()))
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

/// Simulates, then renders the screen. Returns the signal that stopped it early, if any; there is no picture then.
///
/// # Errors
///
/// [`InputError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn shot(args: &ShotArgs) -> Result<Option<i32>, InputError> {
    let format = PictureFormat::of(&args.output)?;
    // Without colors, signs show what colors would.
    let depth = if format == PictureFormat::Text { ColorDepth::Mono } else { args.screen.color.depth() };
    let session = replay_file::open_optional(&args.session, &args.beside, &[("--at", args.at.at)])?;
    let (Opened { timeline, file: replayed, .. }, start) = prepare(&args.flock, session, &args.screen, depth)?;
    let ticks = match &replayed {
        Some(file) => TickRange::at(&args.at, file)?.last(),
        None => args.ticks,
    };
    let mut rendered = RenderedFlock { timeline, screen: new_screen(start, &args.screen) };
    let default_colors = rendered.screen.default_colors();
    write_text(&mut rendered, &args.screen)?;
    let (mut file, signals) = open_one(&args.output)?;
    let simulated = in_simd_pool(args.flock.threads, |scratch| {
        let advanced = Simulation::new(scratch, &mut on_tick(ticks, &signals)).advance(&mut rendered, ticks);
        advanced
            .map_err(|error| output_error(error, args.session.session.first().map(|session| &**session), &args.output))
    });
    if let Err(error) = simulated {
        return signals.pending().map(Some).ok_or(error);
    }
    let cells = rendered.screen.draw(&*rendered.timeline).clone();
    check_follow_target(&rendered)?;
    if format == PictureFormat::Ansi {
        file.allow_control_sequences();
    }
    let written = format.write(&cells, default_colors, &mut file).and_then(|()| file.finish());
    written.map_err(InputError::io(&args.output))?;
    match replayed {
        Some(file) => report_divergence(&file, &*rendered.timeline)?,
        None => print_random_seed(&args.flock, rendered.timeline.snapshot().simulated.map(Flock::seed))?,
    }
    Ok(None)
}

/// Simulates and renders a clip. Returns the signal that stopped it early, if any; there is no clip then.
///
/// # Errors
///
/// [`InputError`] for contradictory options or a file that cannot be read or written; no partial file is left.
pub fn record(args: &RecordArgs) -> Result<Option<i32>, InputError> {
    let format = format(args)?;
    let session = replay_file::open_optional(
        &args.session,
        &args.beside,
        &[("--from", args.range.from), ("--to", args.range.to)],
    )?;
    let (Opened { timeline, file: replayed, .. }, mut start) =
        prepare(&args.flock, session, &args.screen, args.screen.color.depth())?;
    start.rate = args.rate.unwrap_or(start.rate);
    let (skipped, length) = match &replayed {
        Some(file) => part(args, file, start.rate)?,
        None => (args.ticks, args.duration),
    };
    let timing = ClipTiming::new(length, args.fps, start.rate);
    let (mut file, signals) = open_one(&args.output)?;
    let write_error = |error| output_error(error, args.session.session.first().map(|session| &**session), &args.output);
    print_estimate(args, format, timing)?;
    let recorded = in_simd_pool(args.flock.threads, |scratch| {
        let ticks = skipped.saturating_add(format.passes() * timing.last_tick());
        let mut on_tick = on_tick(ticks, &signals);
        let mut simulation = Simulation::new(scratch, &mut on_tick);
        let screen = new_screen(start, &args.screen).at_fps(args.fps);
        let mut rendered = RenderedFlock { timeline, screen };
        simulation.advance(&mut rendered, skipped).map_err(write_error)?;
        rendered.screen.draw(&*rendered.timeline);
        check_follow_target(&rendered)?;
        write_text(&mut rendered, &args.screen)?;
        simulation.write_clip(&mut rendered, format, timing, &mut file).map_err(write_error)?;
        Ok(rendered.timeline)
    });
    if let (Err(_), Some(signal)) = (&recorded, signals.pending()) {
        return Ok(Some(signal));
    }
    let timeline = recorded?;
    file.finish().map_err(write_error)?;
    if let Some(written) = fs::metadata(&args.output).ok().filter(fs::Metadata::is_file) {
        writeln!(stderr(), "{}: {}", escape_control(&args.output.display().to_string()), timing.summary(written.len()))
            .map_err(InputError::io("standard error"))?;
    }
    match replayed {
        Some(file) => report_divergence(&file, &*timeline)?,
        None => print_random_seed(&args.flock, timeline.snapshot().simulated.map(Flock::seed))?,
    }
    Ok(None)
}

/// Prints about how large a GIF becomes, for a person who may stop it.
fn print_estimate(args: &RecordArgs, format: ClipFormat, timing: ClipTiming) -> Result<(), InputError> {
    if format != ClipFormat::Gif || !stderr().is_terminal() {
        return Ok(());
    }
    let Size { width: columns, height: rows } = args.screen.size;
    let estimate = timing.estimate(u64::from(columns) * u64::from(rows));
    writeln!(stderr(), "{}: {estimate}", escape_control(&args.output.display().to_string()))
        .map_err(InputError::io("standard error"))
}

/// The part of a session for the clip: the ticks before it, and its length.
fn part(args: &RecordArgs, file: &ReplayedFile, rate: f32) -> Result<(u64, Duration), InputError> {
    let range = TickRange::between(&args.range, file)?;
    let length = duration(range.ticks, rate);
    if length <= MAX_CLIP {
        return Ok((range.skipped, length));
    }
    let message = format!("a clip can last an hour at most, and these are {} ticks: use --from and --to", range.ticks);
    Err(InputError::flag(format!("--session {}", file.path.display()), message))
}

/// The format by file extension; standard output takes a .cast.
fn format(args: &RecordArgs) -> Result<ClipFormat, InputError> {
    match OutputFile::extension(&args.output).as_str() {
        "cast" | "-" => Ok(ClipFormat::Cast(args.cast_version.unwrap_or_default())),
        "gif" if args.cast_version.is_some() => {
            Err(InputError::flag("--cast-version", "applies to a .cast, and the output is a .gif"))
        }
        "gif" if args.fps <= gif::MAX_FPS => Ok(ClipFormat::Gif),
        "gif" => {
            let message = "a .gif takes at most 50 frames per second, a .cast 60";
            Err(InputError::flag(format!("--fps {}", args.fps), message))
        }
        _ => {
            let message = "the name must end in .gif or .cast, or be - for a .cast on standard output";
            Err(InputError::flag(format!("--output {}", args.output.display()), message))
        }
    }
}
