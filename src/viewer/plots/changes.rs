//! The changes of the rules that the plots mark.

use crate::config::Preset;
use crate::sim::Command;
use crate::viewer::presets::preset_of;

/// The most changes kept. Dragging a gauge makes up to one per frame.
const MAX_CHANGES: usize = 2000;

/// A change of the rules or of the numbers of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The first tick with the new values.
    pub tick: u64,
    /// The name of the parameter, or a summary of several.
    pub name: String,
    /// The new values, as `key=value`, separated by `;`.
    pub values: String,
}

impl RuleChange {
    /// The changes by commands, each with its tick, in order: one for each tick, except that a preset is one by itself. The
    /// oldest of many are left out.
    pub fn of_commands<'a>(commands: impl Iterator<Item = (u64, &'a Command)>, presets: &[Preset]) -> Vec<Self> {
        let mut changes: Vec<(u64, Vec<(String, String)>)> = Vec::new();
        for (tick, command) in commands {
            let (key, value) = match command {
                Command::SetParam(param, value) => (param.key.to_owned(), value.to_string()),
                Command::SetBoids(boids) => ("boids".to_owned(), boids.to_string()),
                Command::SetPredators(predators) => ("predators".to_owned(), predators.to_string()),
                Command::Morph(setup, _) => {
                    let name = preset_of(setup, presets).map_or("new rules", |preset| &preset.name);
                    changes.push((tick, vec![("preset".to_owned(), name.to_owned())]));
                    continue;
                }
                _ => continue,
            };
            match changes.last_mut().filter(|(at, values)| *at == tick && values[0].0 != "preset") {
                Some((_, values)) => match values.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, known)) => *known = value,
                    None => values.push((key, value)),
                },
                None => changes.push((tick, vec![(key, value)])),
            }
        }
        let surplus = changes.len().saturating_sub(MAX_CHANGES);
        changes.drain(..surplus);
        changes.into_iter().map(|(tick, values)| Self::new(tick, &values)).collect()
    }

    fn new(tick: u64, values: &[(String, String)]) -> Self {
        let name = match values {
            [(key, name)] if key == "preset" => name.clone(),
            [(key, _)] => key.clone(),
            [(first, _), (second, _)] => format!("{first}, {second}"),
            many => format!("{} parameters", many.len()),
        };
        let values: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Self { tick, name, values: values.join(";") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Value;

    fn set(key: &str, value: f32) -> Command {
        Command::set(key, Value::Number(value)).unwrap()
    }

    fn changes(commands: &[(u64, Command)]) -> Vec<RuleChange> {
        RuleChange::of_commands(commands.iter().map(|(tick, command)| (*tick, command)), &Preset::builtin())
    }

    #[test]
    fn changes_are_named_after_their_parameters() {
        let found = changes(&[
            (10, set("speed.max", 9.0)),
            (20, set("noise.angle", 3.0)),
            (20, set("wind.x", 2.0)),
            (20, set("wind.x", 1.0)),
            (40, Command::SetBoids(12)),
            (41, Command::SetPointer(None)),
            (50, set("speed.min", 1.0)),
            (50, set("wind.y", 1.0)),
            (50, set("wind.z", 1.0)),
        ]);
        let found: Vec<_> =
            found.iter().map(|change| (change.tick, change.name.as_str(), change.values.as_str())).collect();
        let expected = [
            (10, "speed.max", "speed.max=9"),
            (20, "noise.angle, wind.x", "noise.angle=3;wind.x=1"),
            (40, "boids", "boids=12"),
            (50, "3 parameters", "speed.min=1;wind.y=1;wind.z=1"),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_morph_is_one_change() {
        let setup = Preset::load("parker").unwrap().setup(1, 1.0);
        let found =
            changes(&[(5, set("speed.max", 9.0)), (5, Command::Morph(Box::new(setup), 30)), (5, set("wind.x", 1.0))]);
        let names: Vec<&str> = found.iter().map(|change| change.name.as_str()).collect();
        assert_eq!((names, found[1].values.as_str()), (vec!["speed.max", "parker", "wind.x"], "preset=parker"));
    }

    #[test]
    fn changes_are_bounded() {
        let many: Vec<_> = (0..MAX_CHANGES as u64 + 10).map(|tick| (tick, Command::SetBoids(3))).collect();
        let found = changes(&many);
        assert_eq!((found.len(), found[0].tick), (MAX_CHANGES, 10));
    }
}
