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
use crate::config::{Preset, shell_path};
use crate::error::{InputError, escape_control, note_text};
use crate::export::columns::Columns;
use crate::export::metadata::Metadata;
use crate::export::{OutputFile, Replaces, counted, csv};
use crate::sim::{Edge, Flock, Measure, Params, Start};
use crate::tracks::Recording;
use crate::tracks::fit::{
    self, Absent, Arena, Comparison, Estimate, Estimator, Fit, FitError, LeftOut, Reason, Rule, RuleFit, TimeScale,
};
use crate::tracks::{EXTENSIONS, is_recording};
use report::ReportFormat;

/// Boids start as one flock if the animals were polarized like this.
const ONE_FLOCK: f64 = 0.8;
/// A weight of which surrogates have this share may partly be what the animals share.
const SHARED: f64 = 0.1;
/// The radius of a rule that reaches all.
const ALL: &str = "all animals";
/// A weight of which surrogates have this share is mostly that.
const MOSTLY: f64 = 0.5;
/// R² without limits is named if it differs by more than this.
const LIMITS_MATTER: f64 = 0.01;
/// With fewer frames, a longer interval is not suggested.
const FEWEST_FRAMES: usize = 200;
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
    let (fit, comparisons) = result.map_err(|error| InputError::file(path, problem(&error)))?;
    let preset = Preset { corner: fit.corner, ..preset_of(args, &recording, &fit, &comparisons) };
    let [preset_file, report_file, states_file] = <[_; 3]>::try_from(files).unwrap_or_default();
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
        let (preset, states) = [preset, states].map(|path| shell_path(path)).into();
        let replay = args.recording.command(&args.files);
        let _ = write!(text, "\nbeside the animals: {replay} --beside {preset}");
        let _ = writeln!(text, "\nalone from the same start: flockscope -p {preset} --input {states}");
    }
    // Last, so that a full disk leaves no preset without its other files.
    preset_file.write_and_finish(|out| out.write_all(preset.text().as_bytes()))?;
    if let Some(path) = &args.output {
        let mut information = Metadata::new(&preset, &fit.setup).with_recording(&recording);
        information.session = Some(names(args));
        information.write(path)?;
        // A preset that does not open is an error.
        let written = Preset::load(&path.to_string_lossy())?;
        Flock::new(&written.setup(1, 1.0)).map_err(|error| InputError::file(path, error.to_string()))?;
    }
    print_table(&text, &[args.output.as_deref(), args.report.as_deref()])?;
    Ok(None)
}

/// Why there is no fit, with a unit in which there is one.
fn problem(error: &FitError) -> String {
    let FitError::OutOfRange { unit, thousands: Some(thousands), .. } = error else { return error.to_string() };
    let prefix = match thousands {
        1 => "k",
        2 => "M",
        3 => "G",
        -1 => "m",
        -2 => "µ",
        _ => "n",
    };
    let factor = 1000f64.powi(-thousands);
    format!("{error}; --unit {factor}{prefix}{unit} makes it fit")
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
        let [x, y] = [0, 1].map(|axis| arena[axis].map(|end| end - recording.origin[axis]));
        [x, y, [0.0, depth]]
    })
}

fn names(args: &FitArgs) -> String {
    args.files
        .iter()
        .map(|file| escape_control(&file.display().to_string()).into_owned())
        .collect::<Vec<_>>()
        .join(", ")
}

/// The fitted flock as a preset.
fn preset_of(args: &FitArgs, recording: &Recording, fit: &Fit, comparisons: &[Comparison]) -> Preset {
    let stem = args.output.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let compared = comparisons.iter().find(|row| row.measure == &Measure::POLARIZATION);
    let polarization = compared.map_or(0.0, |row| row.data[0]);
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
    let mut notes = String::new();
    if fit.tracking_noise > 0.0 {
        let noise = significant(fit.tracking_noise, 2);
        let _ = write!(notes, "Each coordinate has an error of about {noise} {unit}. ");
    }
    if fit.window > 1 {
        let _ = write!(notes, "Positions are smoothed over {} frames. ", fit.window);
    }
    if let Some(left_out) = left_out(fit) {
        notes += &left_out;
        notes.push(' ');
    }
    notes += match fit.estimator {
        Estimator::LeastSquares => "Velocities are exact: weights are those of least squares.",
        Estimator::Instruments => "Velocities follow from positions: weights are those of instruments.",
        Estimator::Flights => "Velocities follow from positions: weights are corrected by flights.",
    };
    let mut text = format!(
        "{names}: {}, {} frames, {} changes of velocity\n{notes}\n",
        counted(fit.animals, "animal", "animals"),
        fit.frames,
        fit.changes
    );
    let header = ["rule", "form", "radius", "weight", "if they ignore each other", "verdict"].map(str::to_owned);
    let row = |rule: Rule| {
        let found = fit.rules.iter().find(|found| found.rule == rule);
        let absent = fit.absent.iter().find(|absent| absent.rule == rule);
        found
            .map(|found| rule_row(found, &fit.setup.params, unit))
            .or_else(|| absent.map(|absent| absent_row(*absent, unit)))
    };
    text += &columns([header].into_iter().chain(Rule::ALL.iter().copied().filter_map(row)));
    let _ = writeln!(text, "\n{}\n{}", limits(fit, unit), quality(fit));
    let _ = time_scales(fit).map_or(Ok(()), |scales| writeln!(text, "{scales}"));
    text.push('\n');
    let header = ["measure", "animals", "from the first frame", "", "from scratch", "", "unit"].map(str::to_owned);
    let rows = comparisons.iter().map(|row| comparison_row(row, recording));
    text + &columns([header].into_iter().chain(rows))
}

/// What the fit leaves out, as a sentence.
fn left_out(fit: &Fit) -> Option<String> {
    let LeftOut { exchanges, jumps, states } = fit.left_out;
    let mut parts = Vec::new();
    if exchanges > 0 {
        parts.push(counted(exchanges, "exchange of identities", "exchanges of identities"));
    }
    if jumps > 0 {
        parts.push(counted(jumps, "step that no animal makes", "steps that no animal makes"));
    }
    if states > 0 {
        parts.push(counted(states, "state between them", "states between them"));
    }
    (!parts.is_empty()).then(|| format!("Left out: {}.", parts.join(", ")))
}

fn estimate(estimate: Estimate) -> String {
    format!("{} ± {}", significant(estimate.value, 4), significant(estimate.error, 2))
}

fn rule_row(fit: &RuleFit, params: &Params, unit: &str) -> [String; 6] {
    let form = match fit.speed {
        Some(speed) => format!("to {} {unit}/frame", estimate(speed)),
        None => fit.rule.form(params).to_owned(),
    };
    let radius = fit
        .radius
        .map(|radius| if radius.value.is_finite() { format!("{} {unit}", estimate(radius)) } else { ALL.to_owned() });
    let weights = fit.weights.iter().copied().map(estimate).collect::<Vec<_>>().join(", ");
    let surrogates = fit.surrogates.map(|weight| significant(weight, 2)).unwrap_or_default();
    let is_shared = fit.surrogates.is_some_and(|weight| weight > MOSTLY * fit.weights[0].value);
    let verdict = if is_shared { "found, most of it shared" } else { "found" };
    [fit.rule.name().to_owned(), form, radius.unwrap_or_default(), weights, surrogates, verdict.to_owned()]
}

/// A rule that was not found, and why.
fn absent_row(absent: Absent, unit: &str) -> [String; 6] {
    let (mut form, mut radius, mut weight) = (String::new(), String::new(), String::new());
    let verdict = match absent.reason {
        Reason::NotSeen => "not found".to_owned(),
        Reason::NotFound { most, form: of, radius: reach } => {
            form.push_str(of);
            radius = if reach.is_finite() { format!("{} {unit}", significant(reach, 3)) } else { ALL.to_owned() };
            weight = format!("< {}", significant(most, 2));
            "not found".to_owned()
        }
        Reason::Uncertain(found) => {
            weight = estimate(found);
            "not determined: record longer, or more animals".to_owned()
        }
        Reason::TooShort(frames) => format!("not determined: record at least {frames} frames"),
        Reason::TooFewAnimals => "not determined: record at least three animals".to_owned(),
    };
    [absent.rule.name().to_owned(), form, radius, weight, String::new(), verdict]
}

fn limits(fit: &Fit, unit: &str) -> String {
    let Params { speed, cruise, limits, noise, edge, .. } = fit.setup.params;
    let mut parts = vec![format!("Speeds are between {} and {} {unit}/frame", speed.min, speed.max)];
    if limits.max_force > 0.0 {
        parts.push(format!("the steering is at most {} {unit}/frame²", limits.max_force));
    }
    if limits.max_turn > 0.0 {
        parts.push(format!("animals turn by at most {}° per frame", limits.max_turn));
    }
    if noise.angle > 0.0 {
        parts.push(format!("they turn at random by up to {}°", noise.angle / 2.0));
    }
    if noise.force > 0.0 {
        parts.push(format!("random accelerations have a standard deviation of {} {unit}/frame²", noise.force));
    }
    if cruise.weight > 0.0 && fit.rules.iter().all(|found| found.rule != Rule::Cruise) {
        parts.push("the preset returns to a speed, so that random accelerations do not add up".to_owned());
    }
    if edge.mode == Edge::Reflect {
        parts.push("the preset reflects boids at the border".to_owned());
    }
    parts.join("; ") + "."
}

fn quality(fit: &Fit) -> String {
    let r_squared = percent(fit.r_squared);
    let mut text = match fit.r_squared {
        ..0.0 => format!("R² of the changes of velocity is {r_squared}"),
        _ => format!("The rules explain {r_squared} of the changes of velocity (R²)"),
    };
    if let Some([own, surrogates]) = fit.surrogates {
        if fit.estimator != Estimator::Instruments && (own - fit.r_squared).abs() > LIMITS_MATTER {
            let _ = write!(text, ", {} without limits", percent(own));
        }
        let _ = write!(text, ", and {} in animals that ignore each other", percent(surrogates));
        if fit.r_squared <= surrogates && fit.rules.iter().any(|fit| fit.rule.is_interaction()) {
            text += ": the rules between neighbors predict no single change";
        }
    }
    text.push('.');
    if let Some([one, other]) = fit.collinear {
        let _ = write!(
            text,
            " The effects of {} and {} are nearly the same: only both together are known.",
            one.name(),
            other.name()
        );
    }
    let is_shared =
        |fit: &&RuleFit| fit.surrogates.is_some_and(|weight| weight.abs() > SHARED * fit.weights[0].value.abs());
    let shared: Vec<&str> = fit.rules.iter().filter(is_shared).map(|fit| fit.rule.name()).collect();
    if !shared.is_empty() {
        let _ = write!(text, " A wall, a place or a constant current may cause part of: {}.", shared.join(", "));
    }
    let world = &fit.setup.world;
    let half = 0.5 * f64::from(world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min));
    let is_wide = |rule: &&RuleFit| rule.rule.is_interaction() && rule.radius.is_some_and(|radius| radius.value > half);
    if let Some(rule) = fit.rules.iter().find(is_wide) {
        let _ = write!(
            text,
            " The radius of {} is beyond half of the area: a wall of another shape may look like it.",
            rule.rule.name()
        );
    }
    text
}

/// How much the rules explain over longer intervals, if the recording is long enough for two.
fn time_scales(fit: &Fit) -> Option<String> {
    let list =
        |number: &dyn Fn(&TimeScale) -> String| fit.time_scales.iter().map(number).collect::<Vec<_>>().join(", ");
    let frames = list(&|scale| scale.frames.to_string());
    let [own, surrogates] = [list(&|scale| tenths(scale.r_squared)), list(&|scale| tenths(scale.surrogates))];
    let advice = match fit.better_interval() {
        Some(frames) if fit.frames < FEWEST_FRAMES * frames => {
            format!(
                "weights would be more precise with --interval {frames}, which needs {} frames",
                FEWEST_FRAMES * frames
            )
        }
        Some(frames) => format!("weights would be more precise with --interval {frames}"),
        None => "a longer interval would not make weights more precise".to_owned(),
    };
    (fit.time_scales.len() > 1).then(|| {
        format!(
            "Over {frames} frames all rules without limits explain {own} %, and {surrogates} % in animals that ignore each other: {advice}."
        )
    })
}

fn tenths(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

fn percent(share: f64) -> String {
    format!("{} %", tenths(share))
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
