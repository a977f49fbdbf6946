//! From what the command line asks for to a flock.

use std::num::NonZeroUsize;
use std::thread;

use super::args::{FlockArgs, Setting};
use crate::config::{Error, Preset, WorldSize, random_seed, set_current_seed};
use crate::export::csv::SavedState;
use crate::sim::{Flock, Setup};
use crate::{export, sim};

/// A flock, ready to fly.
#[derive(Debug)]
pub struct PreparedFlock {
    /// The preset it follows.
    pub preset: Preset,
    /// How it begins.
    pub setup: Setup,
    /// The flock.
    pub flock: Flock,
    /// Whether its world takes the canvas's shape.
    pub world_is_auto: bool,
}

impl PreparedFlock {
    /// Makes the flock of a preset, for a canvas of this shape (width : height).
    ///
    /// # Errors
    ///
    /// [`Error`], with what was wrong and what would be right.
    pub fn new(args: &FlockArgs, preset: Preset, shape: f32) -> Result<Self, Error> {
        let state = args.input.as_deref().map(export::csv::read).transpose()?;
        let setup = setup(args, &preset, shape, state.as_ref().map(SavedState::counts))?;
        let flock = match state {
            Some(state) => state.into_flock(&setup).map_err(|error| match error {
                Error::Sim(error) => traced(error, args),
                error => error,
            })?,
            None => Flock::new(&setup).map_err(|error| traced(error, args))?,
        };
        set_current_seed(setup.seed);
        tracing::info!(
            preset = ?preset.name,
            boids = setup.boids,
            predators = setup.predators,
            seed = setup.seed,
            world = ?setup.world,
            set = ?args.set,
            input = ?args.input,
            "flock"
        );
        let world_is_auto = args.world.unwrap_or(preset.world) == WorldSize::Auto;
        Ok(Self { preset, setup, flock, world_is_auto })
    }
}

/// How the flock of a preset begins, for a canvas of this shape (width : height), with as many boids and predators as
/// `counts` says, or as are asked for.
///
/// # Errors
///
/// What does not go together, and where it stands.
pub fn setup(args: &FlockArgs, preset: &Preset, shape: f32, counts: Option<(usize, usize)>) -> Result<Setup, Error> {
    let mut setup = preset.setup(args.seed.unwrap_or_else(random_seed), shape);
    for setting in &args.set {
        setup.params.set(setting.key, setting.value)?;
    }
    let asked = || (args.boids.unwrap_or(preset.boids), args.predators.unwrap_or(preset.predators));
    (setup.boids, setup.predators) = counts.unwrap_or_else(asked);
    let world = args.world.unwrap_or(preset.world);
    // By the rules as they are set: edges ask for room.
    let asked = Preset { world, params: setup.params, ..preset.clone() };
    setup.world = asked.world_for(setup.boids, shape);
    setup.params.check(&setup.world).map_err(|error| traced(error, args))?;
    if args.zone.len() > 1 && args.zone.iter().any(|asked| asked.0.is_none()) {
        return Err(traced(sim::Error::Zone("`--zone none` stands alone, and not beside a zone".into()), args));
    }
    setup.zones = match args.zone[..] {
        [] => asked.zones(&setup.world),
        _ => args.zone.iter().filter_map(|asked| asked.0).collect(),
    };
    Ok(setup)
}

/// A refusal, with where that stands which was not typed: a config file is easily forgotten.
fn traced(error: sim::Error, args: &FlockArgs) -> Error {
    let option =
        |name: &str| args.places.get(name).map_or_else(String::new, |place| format!("; {name} is set {place}"));
    match error {
        sim::Error::Conflict(text) => {
            let world = if text.contains("this one is") { option("world") } else { String::new() };
            sim::Error::Conflict(rules_in(&text, &args.set).fold(text.clone(), |text, place| text + &place) + &world)
                .into()
        }
        sim::Error::Zone(text) => sim::Error::Zone(text + &option("zone")).into(),
        error => error.into(),
    }
}

/// Where the rules of which a text speaks stand, as far as they were not typed.
fn rules_in(text: &str, set: &[Setting]) -> impl Iterator<Item = String> {
    let is_last = |at: usize| set[at + 1..].iter().all(|later| later.key != set[at].key);
    let sides = set.iter().enumerate().filter(move |(at, setting)| is_last(*at) && text.contains(setting.key));
    sides.filter_map(|(_, side)| Some(format!("; {} is set {}", side.key, side.place.as_ref()?)))
}

/// How many threads to fly with: as asked for, or the machine's cores.
#[must_use]
pub fn threads(args: &FlockArgs) -> NonZeroUsize {
    args.threads.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::commands::args::Cli;

    #[test]
    fn a_world_has_room_for_the_edges_that_are_asked_for() {
        for margin in [40.0, 100.0] {
            let set = format!("edge.margin={margin}");
            let cli = Cli::try_parse_from(["flockscope", "-n", "50", "-s", "1", "--set", &set]).unwrap();
            let launch = PreparedFlock::new(&cli.watch.flock, Preset::load("starlings").unwrap(), 1.6).unwrap();
            let [width, height, _] = launch.setup.world.size();
            assert!(launch.world_is_auto && height >= 3.9 * margin && width > height, "{width} {height}");
        }
    }
}
