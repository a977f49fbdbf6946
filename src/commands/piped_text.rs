//! Text on standard input, and the options of the viewer that shows it.

use color_eyre::eyre::Result;

use super::args::ZoneArg;
use super::flock_setup::PreparedFlock;
use super::settings::ResolvedArgs;
use crate::canvas::Aim;
use crate::config::{ConfigError, Preset, WorldSize};
use crate::sim::{Edge, ModelRow};
use crate::viewer::{PipedText, read_piped_text, window_size};

/// The preset of a text, unless the user chooses another: its flocks stretch and split without losing letters.
const PRESET: &str = "starlings";
/// Options that say what the viewer shows. If they are typed, standard input is not read.
const OTHER_SUBJECTS: [&str; 4] = ["input", "say", "clock", "screensaver"];

/// Reads the text on standard input, if there is one and the viewer is to show it.
///
/// # Errors
///
/// Standard input that cannot be read or is not text, and `--once` without a text.
pub fn read(resolved: &ResolvedArgs) -> Result<Option<PipedText>> {
    let is_free = !OTHER_SUBJECTS.iter().any(|option| resolved.is_typed(option));
    let screen = window_size()?;
    let text = if is_free { read_piped_text(screen.width, screen.height)? } else { None };
    if text.is_none() && resolved.cli.watch.once {
        let message = "there is no text on standard input; `flockscope --once < FILE` would be valid";
        return Err(ConfigError::flag("--once", message).into());
    }
    Ok(text)
}

/// Sets what the command line leaves open: a whole screen with the terminal's own background, a boid for each letter, and no hunters.
pub fn adapt(resolved: &mut ResolvedArgs, text: &PipedText) {
    let [clean, theme, preset, world] = ["clean", "theme", "preset", "world"].map(|option| resolved.is_typed(option));
    let args = &mut resolved.cli.watch;
    args.viewer.clean |= !clean;
    if !theme {
        (args.viewer.theme, args.viewer.no_sky) = (None, true);
    }
    args.screensaver = false;
    let flock = &mut args.flock;
    if !preset && !flies_letters(&flock.preset) {
        PRESET.clone_into(&mut flock.preset);
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

/// Whether boids of a preset can fly to letters, on a plane world.
fn flies_letters(preset: &str) -> bool {
    let preset = Preset::load(preset).ok();
    preset.is_some_and(|preset| !preset.world.is_3d() && ModelRow::of(&preset.params).check_perches().is_ok())
}

/// Checks that the boids can fly to letters.
///
/// # Errors
///
/// If their model cannot.
pub fn check(prepared: &PreparedFlock) -> Result<(), ConfigError> {
    Ok(ModelRow::of(&prepared.setup.params).check_perches()?)
}

/// The aim of the camera. In a flat world without a border it would follow the largest group, and so move the text.
pub fn aim(aim: Aim, prepared: &PreparedFlock) -> Aim {
    let world = prepared.setup.world;
    let is_open = world.dim() == 2 && prepared.setup.params.edge.mode == Edge::Open;
    Aim { center: aim.center.or(is_open.then(|| world.center())), ..aim }
}
