//! The names of commands.

use crate::config::Preset;
use crate::sim::{Command, Value};
use crate::viewer::presets::preset_of;
use crate::viewer::text::format_number;

/// The name of a command for the timeline.
pub fn command_name(command: &Command, presets: &[Preset]) -> String {
    match command {
        Command::SetParam(param, Value::Number(number)) => format!("{} = {}", param.key, format_number(*number)),
        Command::SetParam(param, value) => format!("{} = {value}", param.key),
        Command::SetBoids(boids) => format!("boids = {boids}"),
        Command::SetPredators(predators) => format!("predators = {predators}"),
        Command::Reseed(seed) => format!("new seed {seed}"),
        Command::Restart => "restart".to_owned(),
        Command::Resize(world) => format!("world = {world}"),
        Command::AddZone(zone) => zone.kind.name().to_owned(),
        Command::MoveZone(..) => "zone moved".to_owned(),
        Command::RemoveZone(_) => "zone removed".to_owned(),
        Command::SetPointer(Some(pointer)) if pointer.attracts => "mouse attracts".to_owned(),
        Command::SetPointer(Some(_)) => "mouse repels".to_owned(),
        Command::SetPointer(None) => "mouse released".to_owned(),
        Command::Morph(setup, _) | Command::Replace(setup) => match preset_of(setup, presets) {
            Some(preset) => format!("preset {}", preset.name),
            None => "new flock".to_owned(),
        },
    }
}
