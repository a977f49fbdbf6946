//! A preset as the file that a user would write.

use std::fmt::Write;

use crate::config::{Preset, WorldSize};
use crate::sim::{Param, Value};

impl Preset {
    /// The text of a file that says all of it; read again, it is the same preset.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = vec![
            format!("summary = {}", toml_string(&self.summary)),
            format!("source = {}", toml_string(&self.source)),
            format!("boids = {}", self.boids),
            format!("predators = {}", self.predators),
            format!("world = {}", toml_string(&self.world.to_string())),
        ];
        if self.world == WorldSize::Auto {
            lines.push(format!("area = {}", self.area));
        }
        lines.push(format!("rate = {}", self.rate));
        lines.push(format!("start = {}", toml_string(self.start.name())));
        let (grouped, plain): (Vec<&Param>, Vec<&Param>) = Param::table().iter().partition(|row| row.key.contains('.'));
        lines.extend(plain.iter().map(|row| format!("{} = {}", row.key, written(row.get(&self.params)))));
        let mut table = "";
        for row in grouped {
            let (group, key) = row.key.split_once('.').unwrap_or(("", row.key));
            if group != table {
                table = group;
                lines.push(format!("\n[{group}]"));
            }
            lines.push(format!("{key} = {}", written(row.get(&self.params))));
        }
        for stand in &self.zone_definitions {
            let [x, y, z] = stand.at;
            let (word, radius) = (toml_string(stand.kind.name()), stand.radius);
            lines.push(format!("\n[[zone]]\nkind = {word}\nat = [{x}, {y}, {z}]\nradius = {radius}"));
        }
        lines.join("\n") + "\n"
    }
}

/// A parameter's value as TOML has it.
#[must_use]
pub fn written(value: Value) -> String {
    match value {
        Value::Choice(word) => toml_string(word),
        value => value.to_string(),
    }
}

/// A basic string of TOML.
#[must_use]
pub fn toml_string(text: &str) -> String {
    let mut toml_string = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => toml_string.extend(['\\', character]),
            // Writing to a string cannot fail.
            _ if character.is_control() => write!(toml_string, "\\u{:04X}", character as u32).unwrap_or_default(),
            _ => toml_string.push(character),
        }
    }
    toml_string.push('"');
    toml_string
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Flock, Scratch};

    #[test]
    fn every_preset_reads_back_as_it_was_written() {
        for mut preset in Preset::builtin() {
            preset.summary = "a \"toml_string\" \\ line\nbreak\u{7f}, ü".into();
            preset.params.noise.angle = 1.0 / 3.0;
            let again = Preset::from_text(&preset.name, &preset.text()).unwrap();
            assert_eq!(again, preset);
            let fly = |preset: &Preset| {
                let mut flock = Flock::new(&preset.setup(3, 1.6)).unwrap();
                (0..20).for_each(|_| flock.step(&mut Scratch::new()));
                flock.hash()
            };
            assert_eq!(fly(&again), fly(&preset));
        }
    }
}
