//! `flockscope fit`: the rules of a recording as a table, a preset and force maps.

mod report;

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::FitArgs;
use super::flock_setup::threads;
use super::lists::{columns, significant};
use super::output::{check_outputs, check_preset_name, in_background, open, print_table};
use super::replay_file;
use crate::config::{Preset, shell_word};
use crate::error::{InputError, note_text};
use crate::export::columns::Columns;
use crate::export::metadata::Metadata;
use crate::export::{OutputFile, Replaces, counted, csv};
use crate::sim::{Edge, Flock, Params, Start};
use crate::tracks::Recording;
use crate::tracks::fit::{self, Absent, Arena, Comparison, Estimate, Fit, FitError, Rule, RuleFit};
use crate::tracks::{EXTENSIONS, is_recording};
use report::ReportFormat;

/// Boids start as one flock if the animals were polarized like this.
const ONE_FLOCK: f64 = 0.8;
/// Frames per second of a recording without times.
const FRAME_RATE: f64 = 10.0;

/// Fits a recording, prints the tables and writes the files. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`InputError`] if the recording cannot be read, has too few data, or a file cannot be written.
pub fn run(args: &FitArgs) -> Result<Option<i32>, InputError> {
    let path = &*args.files[0];
    if !is_recording(path) {
        return Err(InputError::file(path, format!("expected a recording ({EXTENSIONS})")));
    }
    let format = args.report.as_deref().map(ReportFormat::of).transpose()?;
    args.output.as_deref().map_or(Ok(()), check_preset_name)?;
    let states = args.output.as_deref().filter(|output| !OutputFile::is_stream(output)).map(states_path);
    let outputs = [
        ("--output", args.output.as_deref(), Replaces::PRESET),
        ("--report", args.report.as_deref(), Replaces::Any),
        ("--output", states.as_deref(), Replaces::Nothing),
    ];
    let inputs: Vec<(&str, &Path)> = args.files.iter().map(|file| ("", &**file)).collect();
    check_outputs(&outputs, &inputs)?;
    let (recording, notes) = replay_file::read_recording(&args.files, &args.recording)?;
    let recording = Arc::new(recording);
    notes.iter().try_for_each(|note| replay_file::note(path, &note_text(note)))?;
    let (files, signals) = open(&outputs)?;
    let (arena, recorded) = (arena_of(args, &recording), recording.clone());
    let result = in_background("fitting", threads(args.threads), &signals, move |watch| {
        let fit = fit::fit(&recorded, arena, &watch)?;
        let comparisons = fit::compare(&fit, &recorded);
        Ok::<_, FitError>((fit, comparisons))
    })?;
    let result = match result {
        Ok(result) => result,
        Err(signal) => return Ok(Some(signal)),
    };
    let (fit, comparisons) = result.map_err(|error| InputError::file(path, error.to_string()))?;
    let preset = preset_of(args, &recording, &fit, &comparisons);
    let [preset_file, report_file, states_file] = <[_; 3]>::try_from(files).unwrap_or_default();
    preset_file.write_and_finish(|out| out.write_all(preset.text().as_bytes()))?;
    if let Some(path) = &args.output {
        let mut information = Metadata::new(&preset, &fit.setup).with_recording(&recording);
        information.session = Some(names(args));
        information.corner = Some(fit.corner);
        information.write(path)?;
    }
    if let Some(format) = format {
        report_file.write_and_finish(|out| report::write(&fit, &names(args), &recording.unit, format, out))?;
    }
    let mut text = tables(&fit, &comparisons, &recording, &names(args));
    // Without an animal inside the fitted area there is no first state.
    let rows = recording.boids(recording.first_full_frame(), &fit.setup, fit.corner);
    let first = Flock::from_rows(&fit.setup, 0, &rows).ok();
    if let (Some(preset), Some(states), Some(first)) = (&args.output, &states, first) {
        let columns = Columns::State.of((&first).into());
        states_file.write_and_finish(|out| {
            csv::write_header(&columns, out).and_then(|()| csv::write(&first, None, &columns, 0, out))
        })?;
        let (preset, states) = [preset, states].map(|path| shell_word(&path.to_string_lossy())).into();
        let replay = args.recording.command(&args.files);
        let _ = write!(text, "\nbeside the animals: {replay} --beside {preset}");
        let _ = writeln!(text, "\nalone from the same start: flockscope -p {preset} --input {states}");
    }
    print_table(&text, &[args.output.as_deref(), args.report.as_deref()])?;
    Ok(None)
}

/// The file of the first state of a fitted flock.
fn states_path(preset: &Path) -> PathBuf {
    let stem = preset.file_stem().unwrap_or_default().to_string_lossy();
    preset.with_file_name(format!("{stem}-states.csv"))
}

/// The arena of `--arena`, in the world of the recording. The third axis is that of the world.
fn arena_of(args: &FitArgs, recording: &Recording) -> Option<Arena> {
    let depth = f64::from(recording.world.size()[2]);
    args.arena.map(|arena| {
        let [x, y] = [0, 1].map(|axis| arena.0[axis].map(|end| end - recording.origin[axis]));
        [x, y, [0.0, depth]]
    })
}

fn names(args: &FitArgs) -> String {
    args.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// The fitted flock as a preset.
fn preset_of(args: &FitArgs, recording: &Recording, fit: &Fit, comparisons: &[Comparison]) -> Preset {
    let stem = args.output.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let polarization = comparisons.iter().find(|row| row.measure.name == "polarization").map_or(0.0, |row| row.data[0]);
    let start = if polarization > ONE_FLOCK { Start::Flock } else { Start::Scatter };
    let rate = recording.shown_per_second().unwrap_or(FRAME_RATE).clamp(0.1, 960.0) as f32;
    Preset {
        summary: format!("rules fitted to {}, R² {:.2}", names(args), fit.r_squared),
        source: format!("flockscope fit {}", names(args)),
        start,
        ..Preset::of_setup(stem.as_deref().unwrap_or("fit"), &fit.setup, rate)
    }
}

/// The tables of rules and of measures.
fn tables(fit: &Fit, comparisons: &[Comparison], recording: &Recording, names: &str) -> String {
    let unit = &recording.unit;
    let smoothed = if fit.window > 1 {
        let noise = significant(fit.tracking_noise, 2);
        format!("; positions have a noise of {noise} {unit} and are smoothed over {} frames", fit.window)
    } else {
        String::new()
    };
    let mut text = format!(
        "{names}: {}, {} frames, {} changes of velocity{smoothed}\n\n",
        counted(fit.animals, "animal", "animals"),
        fit.frames,
        fit.changes
    );
    let header = ["rule", "form", "radius", "weight", "share"].map(str::to_owned);
    let row = |rule: Rule| {
        let found = fit.rules.iter().find(|found| found.rule == rule);
        let absent = fit.absent.iter().find(|absent| absent.rule == rule);
        found
            .map(|found| rule_row(found, &fit.setup.params, unit))
            .or_else(|| absent.map(|absent| absent_row(*absent, fit)))
    };
    text += &columns([header].into_iter().chain(Rule::ALL.into_iter().filter_map(row)));
    let _ = write!(text, "\n{}\n{}\n\n", limits(fit, unit), quality(fit, unit));
    let header = ["measure", "animals", "from the first frame", "", "from scratch", "", "unit"].map(str::to_owned);
    let rows = comparisons.iter().map(|row| comparison_row(row, recording));
    text + &columns([header].into_iter().chain(rows))
}

fn estimate(estimate: Estimate) -> String {
    format!("{} ± {}", significant(estimate.value, 4), significant(estimate.error, 2))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share).ceil())
}

fn rule_row(fit: &RuleFit, params: &Params, unit: &str) -> [String; 5] {
    let form = match fit.rule {
        Rule::Separation => format!("{}, {}", params.separation.falloff.name(), params.separation.response.name()),
        Rule::Alignment => params.alignment.response.name().to_owned(),
        Rule::Cohesion if params.cohesion.inner > 0.0 => {
            format!("{}, from {} {unit}", params.cohesion.response.name(), params.cohesion.inner)
        }
        Rule::Cohesion => params.cohesion.response.name().to_owned(),
        Rule::Edge => params.edge.mode.name().to_owned(),
        Rule::Wind => String::new(),
    };
    let radius = fit.radius.map(|radius| format!("{} {unit}", estimate(radius))).unwrap_or_default();
    let weights = fit.weights.iter().copied().map(estimate).collect::<Vec<_>>().join(", ");
    [fit.rule.name().to_owned(), form, radius, weights, format!("{:.0} %", 100.0 * fit.share)]
}

/// A rule that was not found, and what it could be.
fn absent_row(absent: Absent, fit: &Fit) -> [String; 5] {
    let text = if absent.is_determined {
        "not found"
    } else if fit.has_too_few_animals() {
        "not determined: record at least three animals"
    } else {
        "not determined: record longer, or animals that turn more"
    };
    [
        absent.rule.name().to_owned(),
        text.to_owned(),
        String::new(),
        String::new(),
        if absent.most < 1.0 { format!("< {}", percent(absent.most)) } else { String::new() },
    ]
}

fn limits(fit: &Fit, unit: &str) -> String {
    let Params { speed, limits, noise, perception, edge, .. } = fit.setup.params;
    let mut parts = vec![format!("speed {} to {} {unit}/frame", speed.min, speed.max)];
    if limits.max_force > 0.0 {
        parts.push(format!("steering up to {} {unit}/frame²", limits.max_force));
    }
    if limits.max_turn > 0.0 {
        parts.push(format!("turns up to {}°", limits.max_turn));
    }
    if noise.angle > 0.0 {
        parts.push(format!("random turns of ±{}°", noise.angle / 2.0));
    }
    if perception.angle < 360.0 {
        parts.push(format!("field of view {}°", perception.angle));
    }
    if perception.nearest > 0.0 {
        parts.push(format!("nearest {}", counted(perception.nearest, "neighbor", "neighbors")));
    }
    if edge.mode == Edge::Reflect {
        parts.push("the preset reflects boids at the border".to_owned());
    }
    parts.join(" · ")
}

fn quality(fit: &Fit, unit: &str) -> String {
    let mut parts = vec![
        format!("R² {:.3} in blocks that were left out", fit.r_squared),
        format!("condition number {}", significant(fit.condition, 2)),
    ];
    if let Some([one, other]) = fit.collinear {
        parts.push(format!("{} and {} are nearly collinear: only both together are known", one.name(), other.name()));
    }
    let world = &fit.setup.world;
    let half = 0.5 * f64::from(world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min));
    let is_wide = |rule: &&RuleFit| rule.rule.is_interaction() && rule.radius.is_some_and(|radius| radius.value > half);
    if let Some(rule) = fit.rules.iter().find(is_wide) {
        let name = rule.rule.name();
        parts.push(format!("{name} reaches beyond half of the area: walls of another shape may look like this rule"));
    }
    if fit.delay > 0 {
        parts.push(format!(
            "animals react after {}, which the preset leaves out",
            counted(fit.delay, "frame", "frames")
        ));
    }
    if let Some([rate, speed]) = fit.relaxation {
        let (rate, speed) = (estimate(rate), estimate(speed));
        parts.push(format!("speeds return to {speed} {unit}/frame by {rate} per frame, which the preset leaves out"));
    }
    parts.join(" · ")
}

fn comparison_row(row: &Comparison, recording: &Recording) -> [String; 7] {
    let number = |mean: f64, error: f64| format!("{} ± {}", significant(mean, 4), significant(error, 2));
    let agrees = |flights| if row.agrees(flights) { "agrees" } else { "differs" }.to_owned();
    [
        row.measure.name.to_owned(),
        number(row.data[0], row.data[1]),
        number(row.first[0], row.first[1]),
        agrees(row.first),
        number(row.scratch[0], row.scratch[1]),
        agrees(row.scratch),
        recording.unit_of(row.measure.unit),
    ]
}
