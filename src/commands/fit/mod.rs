//! `flockscope fit`: the rules of a recording as a table, a preset and force maps.

mod report;
mod table;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use super::args::FitArgs;
use super::flock_setup::threads;
use super::output::{check_outputs, check_preset_name, in_background, open, print_table};
use super::replay_file;
use crate::config::{Preset, shell_path};
use crate::error::{InputError, escape_control, shell_word};
use crate::export::columns::Columns;
use crate::export::metadata::Metadata;
use crate::export::{OutputFile, Replaces, csv};
use crate::sim::{Flock, Measure, Start};
use crate::tracks::Recording;
use crate::tracks::fit::{self, Comparison, Fit, FitError, Verdict};
use crate::tracks::{EXTENSIONS, LengthUnit, is_recording};
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
    let states = args.output.as_deref().filter(|output| !OutputFile::is_stream(output)).map(|preset| {
        let stem = preset.file_stem().unwrap_or_default().to_string_lossy();
        preset.with_file_name(format!("{stem}-states.csv"))
    });
    let outputs = [
        ("--output", args.output.as_deref(), Replaces::PRESET),
        ("--report", args.report.as_deref(), Replaces::Any),
        ("--output", states.as_deref(), Replaces::Nothing),
    ];
    check_outputs(&outputs, &args.files.iter().map(|file| ("", &**file)).collect::<Vec<_>>())?;
    let (recording, notes) = replay_file::read_recording(&args.files, &args.recording)?;
    let recording = Arc::new(recording);
    replay_file::print_notes(&args.files, &notes)?;
    let (files, signals) = open(&outputs)?;
    let arena = args.arena.map(|arena| {
        let [x, y] = [0, 1].map(|axis| arena[axis].map(|end| end - recording.origin[axis]));
        [x, y, [0.0, f64::from(recording.world.size()[2])]]
    });
    let recorded = recording.clone();
    let result = in_background("fitting", threads(args.threads), &signals, move |watch| {
        let fit = fit::fit(&recorded, arena, &watch)?;
        let comparisons = fit::compare(&fit, &recorded);
        Ok::<_, FitError>((fit, comparisons))
    })?;
    let result = match result {
        Ok(result) => result,
        Err(signal) => return Ok(Some(signal)),
    };
    let (fit, comparisons) = result.map_err(|error| InputError::file(path, problem(&error, args)))?;
    let preset = Preset { corner: fit.corner, ..preset_of(args, &recording, &fit, &comparisons) };
    let [preset_file, report_file, states_file] = <[_; 3]>::try_from(files).unwrap_or_default();
    if let Some(format) = format {
        report_file.write_and_finish(|out| report::write(&fit, &names(args), &recording.unit, format, out))?;
    }
    let mut text = table::tables(&fit, &comparisons, &recording, &names(args));
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
    preset_file.write_and_finish(|out| out.write_all((comment(&fit) + &preset.text()).as_bytes()))?;
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

/// Units of length, each 1,000 times as long as the one before.
const METRIC: [&str; 5] = ["nm", "µm", "mm", "m", "km"];

/// Why there is no fit, with a unit in which there is one: a metric one, or else a multiple of a unit such as px, which keeps its name.
fn problem(error: &FitError, args: &FitArgs) -> String {
    let FitError::OutOfRange { unit, thousands: Some(thousands), .. } = error else { return error.to_string() };
    let longer = METRIC.iter().position(|name| name == unit).and_then(|at| at.checked_add_signed(*thousands as isize));
    let metric = longer.and_then(|at| METRIC.get(at));
    let given = args.recording.unit.as_ref().map_or(1.0, |unit| unit.factor);
    let factor = given * 1000f64.powi(-thousands);
    let option =
        shell_word(&LengthUnit { factor, name: metric.map_or(unit.clone(), |name| (*name).to_owned()) }.to_string());
    let meaning =
        if metric.is_some() { String::new() } else { format!(", with lengths in {} {unit}", 1000f64.powi(*thousands)) };
    format!("{error}; --unit {option} makes it fit{meaning}")
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

/// What a preset says of the rules that are shared.
fn comment(fit: &Fit) -> String {
    let names = table::names_of(fit, Verdict::Shared);
    if names.is_empty() {
        names
    } else {
        format!("# {names}: animals do this at the same moments, maybe without responding to each other.\n")
    }
}
