//! `flockscope breed`: a flock bred toward given measures, its line of descent as a table, and a preset.

use std::io::Write;

use super::args::BreedArgs;
use super::flock_setup::{WORLD_SHAPE, load_preset_with_notice, setup, threads};
use super::lists::{columns, significant};
use super::output::{check_outputs, check_preset_name, in_background, open, print_random_seed, print_table};
use crate::breed::{Ancestor, Target, evolve};
use crate::config::Preset;
use crate::error::InputError;
use crate::export::Replaces;
use crate::export::metadata::Metadata;
use crate::sim::{Flock, Setup};

/// Significant digits of measures and distances.
const DIGITS: usize = 3;
/// The columns of the changes.
const CAPTION: usize = 60;

/// Breeds a flock, prints its line of descent and writes its preset. Returns the signal that stopped it early, if any; no file is written then.
///
/// # Errors
///
/// [`InputError`] for invalid options, or if a file cannot be written.
pub fn run(args: &BreedArgs) -> Result<Option<i32>, InputError> {
    check_targets(args)?;
    let path = args.output.as_deref();
    path.map_or(Ok(()), check_preset_name)?;
    let outputs = [("--output", path, Replaces::PRESET)];
    check_outputs(&outputs, &[])?;
    let preset = load_preset_with_notice(&args.flock)?;
    let setup = setup(&args.flock, &preset, WORLD_SHAPE, None)?;
    // The predators and the zones must fit as well; boids are not needed for that.
    Flock::new(&Setup { boids: 1, ..setup.clone() })?;
    print_random_seed(&args.flock, Some(setup.seed))?;
    let (mut files, signals) = open(&outputs)?;
    let (first, goals, generations) = (setup.clone(), args.toward.clone(), args.generations);
    let bred = in_background("breeding", threads(args.flock.threads), &signals, move |watch| {
        evolve(&first, &goals, generations, watch)
    });
    let line = match bred? {
        Ok(line) => line,
        Err(signal) => return Ok(Some(signal)),
    };
    let preset = preset_of(args, &preset, &setup, &line);
    files.remove(0).write_and_finish(|out| out.write_all(preset.text().as_bytes()))?;
    if let Some(path) = path {
        let nearest = setup.clone().with_params(preset.params);
        Metadata { seed: Some(setup.seed), ..Metadata::new(&preset, &nearest) }.write(path)?;
    }
    print_table(&table(&args.toward, &line), &[path])?;
    Ok(None)
}

fn check_targets(args: &BreedArgs) -> Result<(), InputError> {
    if args.flock.input.is_some() {
        return Err(InputError::flag("--input", "`breed` starts its flocks itself; choose how with --start"));
    }
    for (place, target) in args.toward.iter().enumerate() {
        if args.toward[..place].iter().any(|other| other.measure == target.measure) {
            let message = format!("{} is given twice; expected one value", target.measure.name);
            return Err(InputError::flag("--toward", message));
        }
    }
    Ok(())
}

/// The flock as a preset, with the numbers and the world of the options.
fn preset_of(args: &BreedArgs, base: &Preset, setup: &Setup, line: &[Ancestor]) -> Preset {
    let stem = args.output.as_deref().and_then(|path| path.file_stem()).map(|stem| stem.to_string_lossy().into_owned());
    let name = stem.unwrap_or_else(|| "breed".to_owned());
    let goals: Vec<String> =
        args.toward.iter().map(|target| format!("{}={}", target.measure.name, target.value)).collect();
    let goals = goals.join(",");
    let nearest = setup.clone().with_params(line.last().map_or(setup.params, |flock| flock.child.params));
    let bred = Preset::of_setup(&name, &nearest, base.rate);
    Preset {
        summary: format!("bred from {} toward {}", base.name, goals.replace(',', ", ").replace('=', " ")),
        source: format!("flockscope breed -p {} -s {} --toward {goals}", base.name, setup.seed),
        world: args.flock.world.unwrap_or(base.world),
        area: if base.area.is_nan() { bred.area } else { base.area },
        ..bred
    }
}

/// The line of descent.
fn table(targets: &[Target], line: &[Ancestor]) -> String {
    let measures = |values: &mut dyn Iterator<Item = String>| values.collect::<Vec<_>>().join("  ");
    let names = measures(&mut targets.iter().map(|target| target.measure.name.to_owned()));
    let header = ["generation".to_owned(), "changes".to_owned(), names, "distance".to_owned()];
    let rows = line.iter().map(|flock| {
        let values = flock.means.iter().zip(targets).map(|(mean, target)| {
            let width = target.measure.name.len();
            format!("{:width$}", significant(*mean, DIGITS))
        });
        let changes = if flock.generation == 0 { "-".to_owned() } else { flock.child.caption(CAPTION) };
        [flock.generation.to_string(), changes, measures(&mut values.into_iter()), significant(flock.distance, DIGITS)]
    });
    columns([header].into_iter().chain(rows))
}
