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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Params, Pointer, Setup, Zone, ZoneKind};

    #[test]
    fn commands_are_named() {
        let presets = Preset::builtin();
        let pointer = Pointer { at: [1.0; 3], along: [0.0; 3], attracts: true };
        let parker = Preset::load("parker").unwrap().setup(3, 1.6);
        let other = Preset { params: Params::default(), ..Preset::load("drones").unwrap() }.setup(1, 1.0);
        let other = Setup { params: Params { change: other.params.change, ..other.params }, ..other };
        for (command, name) in [
            (Command::set("separation.weight", Value::Number(0.4)).unwrap(), "separation.weight = 0.4"),
            (Command::set("wind.x", Value::Number(0.074_999_996)).unwrap(), "wind.x = 0.075"),
            (Command::SetBoids(300), "boids = 300"),
            (Command::Morph(Box::new(parker), 30), "preset parker"),
            (Command::Reseed(7), "new seed 7"),
            (Command::AddZone(Zone::new(ZoneKind::Obstacle, [9.0; 3], 4.0)), "obstacle"),
            (Command::SetPointer(Some(pointer)), "mouse attracts"),
        ] {
            assert_eq!(command_name(&command, &presets), name);
        }
        assert_eq!(command_name(&Command::Replace(Box::new(other)), &[]), "new flock");
    }
}
