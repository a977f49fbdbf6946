//! From command-line options to a flock.

use std::io::Write;
use std::num::NonZeroUsize;
use std::thread;

use super::args::{FlockArgs, ParamSetting};
use crate::config::{Preset, WorldSize, random_seed, set_current_seed, simd, with_users};
use crate::engine::in_pool;
use crate::error::InputError;
use crate::export::stderr;
use crate::sim::{self, Flock, ModelRow, Param, Role, Scratch, Setup, check_params};
use crate::tracks::read_states;
use crate::tracks::states::SavedState;

/// The shape (width / height) of an `auto` world without a canvas.
pub(super) const WORLD_SHAPE: f32 = 16.0 / 10.0;

/// A flock at its first tick, and what it was made from.
#[derive(Debug)]
pub struct PreparedFlock {
    /// The preset.
    pub preset: Preset,
    /// The setup.
    pub setup: Setup,
    /// The flock.
    pub flock: Flock,
    /// Whether the world takes the shape of the canvas.
    pub world_is_auto: bool,
}

impl PreparedFlock {
    /// Makes the flock for a canvas of this shape (width / height).
    pub fn new(args: &FlockArgs, preset: Preset, shape: f32) -> Result<Self, InputError> {
        let state = args.input.as_deref().map(read_states).transpose()?;
        Self::from_state(args, preset, shape, state)
    }

    /// Makes the flock as [`new`](Self::new), with the state of `--input` as it was read.
    pub(super) fn from_state(
        args: &FlockArgs,
        preset: Preset,
        shape: f32,
        state: Option<SavedState>,
    ) -> Result<Self, InputError> {
        let setup = setup(args, &preset, shape, state.as_ref().map(SavedState::counts))?;
        let flock = match state {
            Some(state) => flock_of(&state, &setup).map_err(|error| match error {
                InputError::Sim(error) => with_sources(error, args),
                error => error,
            })?,
            None => Flock::new(&setup).map_err(|error| with_sources(error, args))?,
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

/// The flock that continues from a state.
pub(super) fn flock_of(state: &SavedState, setup: &Setup) -> Result<Flock, InputError> {
    let flock = Flock::from_rows(setup, state.tick, &state.sorted_rows());
    flock.map_err(|error| state.invalid_row(setup).map_or(error.into(), InputError::from))
}

/// The setup for a canvas of this shape (width / height). `counts` overrides the numbers of boids and predators.
pub fn setup(
    args: &FlockArgs,
    preset: &Preset,
    shape: f32,
    counts: Option<(usize, usize)>,
) -> Result<Setup, InputError> {
    let mut setup = preset.setup(args.seed.unwrap_or_else(random_seed), shape);
    let (_, unused) = unused_settings(args, preset);
    for param in args.set.iter().filter(|param| !unused.contains(param)) {
        setup.params.set(param.key, param.value)?;
    }
    (setup.boids, setup.predators) =
        counts.unwrap_or_else(|| (args.boids.unwrap_or(preset.boids), args.predators.unwrap_or(preset.predators)));
    setup.start = args.start.unwrap_or(preset.start);
    let world = args.world.unwrap_or(preset.world);
    // The size of an auto world depends on the edge parameters, which --set may change.
    let changed = Preset { world, params: setup.params, ..preset.clone() };
    setup.world = changed.world_for(setup.boids, shape);
    check_params(&setup.params, &setup.world).map_err(|error| with_sources(error, args))?;
    if args.zone.len() > 1 && args.zone.iter().any(|zone| zone.0.is_none()) {
        return Err(with_sources(sim::Error::Zone("`--zone none` excludes other zones".into()), args));
    }
    setup.zones = match args.zone[..] {
        [] => changed.zones(&setup.world),
        _ => args.zone.iter().filter_map(|zone| zone.0).collect(),
    };
    Ok(setup)
}

/// The preset of the options, with the parameters of the config file for it.
pub fn load_preset(args: &FlockArgs) -> Result<Preset, InputError> {
    Ok(args.presets.apply(Preset::load(&args.preset)?)?)
}

/// Loads the preset as [`load_preset`], and reports settings without effect on standard error.
pub(super) fn load_preset_with_notice(args: &FlockArgs) -> Result<Preset, InputError> {
    let preset = load_preset(args)?;
    if let Some(notice) = unused_notice(args, &preset) {
        writeln!(stderr(), "flockscope: {notice}").map_err(InputError::io("standard error"))?;
    }
    Ok(preset)
}

/// The notice about settings of the config file that the model does not use. They may serve other presets.
pub fn unused_notice(args: &FlockArgs, preset: &Preset) -> Option<String> {
    let (model, unused) = unused_settings(args, preset);
    let named: Vec<String> =
        unused.iter().map(|param| format!("{} (set in {})", param.key, args.sources[param.key])).collect();
    (!named.is_empty()).then(|| format!("the model {} does not use {}", model.name(), named.join(", ")))
}

/// The model, and the settings of the config file that it does not use.
fn unused_settings<'a>(args: &'a FlockArgs, preset: &Preset) -> (&'static ModelRow, Vec<&'a ParamSetting>) {
    let mut params = preset.params;
    for set in &args.set {
        if let Some(model) = Param::find(set.key).filter(|param| param.role == Role::Model) {
            model.assign(&mut params, set.value);
        }
    }
    let model = ModelRow::of(&params);
    let unused = args.set.iter().filter(|param| {
        let row = Param::find(param.key);
        args.sources.contains_key(param.key)
            && row.is_some_and(|row| !model.uses(row) && row.get(&params) != param.value)
    });
    (model, unused.collect())
}

/// Adds where the config file has the settings in question: it is easily forgotten.
fn with_sources(error: sim::Error, args: &FlockArgs) -> InputError {
    let error = with_users(error);
    let option = match &error {
        sim::Error::Conflict(conflict) if conflict.has_world => Some("world"),
        sim::Error::Zone(_) => Some("zone"),
        _ => None,
    };
    let names = error.keys().iter().copied().chain(option);
    let sources: Vec<String> =
        names.filter_map(|name| Some(format!("{name} is set in {}", args.sources.get(name)?))).collect();
    if sources.is_empty() { error.into() } else { InputError::Setup { error, sources } }
}

/// Simulates with this number of threads, or one for each core, and the SIMD instruction set of the environment.
pub(super) fn in_simd_pool<T: Send>(
    requested: Option<NonZeroUsize>,
    simulate: impl FnOnce(&mut Scratch) -> Result<T, InputError> + Send,
) -> Result<T, InputError> {
    let simd = simd()?;
    in_pool(threads(requested), |scratch| {
        scratch.set_simd(simd);
        simulate(scratch)
    })
}

/// The number of threads to simulate with: that of `--threads`, or one for each core.
pub fn threads(requested: Option<NonZeroUsize>) -> NonZeroUsize {
    requested.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::commands::args::Cli;

    #[test]
    fn an_auto_world_has_room_for_the_edges() {
        for margin in [40.0, 100.0] {
            let set = format!("edge.margin={margin}");
            let cli = Cli::try_parse_from(["flockscope", "-n", "50", "-s", "1", "--set", &set]).unwrap();
            let prepared = PreparedFlock::new(&cli.watch.flock, Preset::load("starlings").unwrap(), 1.6).unwrap();
            let [width, height, _] = prepared.setup.world.size();
            assert!(prepared.world_is_auto && height >= 3.9 * margin && width > height, "{width} {height}");
        }
    }
}
