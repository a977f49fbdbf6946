//! Presets as TOML.

use std::fmt::Write;
use std::path::PathBuf;

use super::Preset;
use super::world::WorldSize;
use crate::config::files::save;
use crate::error::InputError;
use crate::sim::{ModelRow, Param, Value};

impl Preset {
    /// The preset as the text of a file, which reads back as the same preset.
    pub fn text(&self) -> String {
        let mut lines = vec![
            format!("summary = {}", toml_string(&self.summary)),
            format!("source = {}", toml_string(&self.source)),
            format!("boids = {}", self.boids),
            format!("predators = {}", self.predators),
            format!("world = {}", toml_string(&self.world.to_string())),
        ];
        if !self.phrase.is_empty() {
            lines.insert(1, format!("phrase = {}", toml_string(&self.phrase)));
        }
        if self.world == WorldSize::Auto {
            lines.push(format!("area = {}", self.area));
        }
        lines.push(format!("rate = {}", self.rate));
        if !self.theme.is_empty() {
            lines.push(format!("theme = {}", toml_string(&self.theme)));
        }
        if self.water {
            lines.push("water = true".to_owned());
        }
        if self.corner != [0.0; 3] {
            lines.push(format!("corner = {}", toml_string(&self.corner.map(|axis| axis.to_string()).join(","))));
        }
        lines.push(format!("start = {}", toml_string(self.start.name())));
        let model = ModelRow::of(&self.params);
        let used = Param::table().iter().filter(|row| model.uses(row));
        let (grouped, plain): (Vec<&Param>, Vec<&Param>) = used.partition(|row| row.key.contains('.'));
        lines.extend(plain.iter().map(|row| format!("{} = {}", row.key, toml_value(row.get(&self.params)))));
        // Rows with the same prefix are adjacent in the table of parameters; a test there checks it.
        let mut table = "";
        for row in grouped {
            let (group, key) = row.key.split_once('.').unwrap_or(("", row.key));
            if group != table {
                table = group;
                lines.push(format!("\n[{group}]"));
            }
            lines.push(format!("{key} = {}", toml_value(row.get(&self.params))));
        }
        for zone in &self.zone_definitions {
            let ([x, y, z], kind, radius) = (zone.at, toml_string(zone.kind.name()), zone.radius);
            lines.push(format!("\n[[zone]]\nkind = {kind}\nat = [{x}, {y}, {z}]\nradius = {radius}"));
        }
        lines.join("\n") + "\n"
    }

    /// Saves the preset under its name in the user's folder.
    ///
    /// # Errors
    ///
    /// [`InputError::Name`], or [`InputError::File`], also if the file exists and `overwrite` is false.
    pub fn save(&self, overwrite: bool) -> Result<PathBuf, InputError> {
        save::<Self>(&self.name, &self.text(), overwrite)
    }
}

/// The value of a parameter in TOML.
pub fn toml_value(value: Value) -> String {
    match value {
        Value::Choice(word) => toml_string(word),
        value => value.to_string(),
    }
}

/// A list of strings in TOML.
pub fn toml_list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<String> = words.iter().map(|word| toml_string(word.as_ref())).collect();
    format!("[{}]", words.join(", "))
}

/// A basic string in TOML, with quotes.
pub fn toml_string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Writing to a string cannot fail.
            _ if c.is_control() => write!(quoted, "\\u{:04X}", c as u32).unwrap_or_default(),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Flock, Scratch};

    #[test]
    fn presets_read_back_as_written() {
        for mut preset in Preset::builtin() {
            preset.summary = "a \"quoted\" \\ line\nbreak\u{7f}, ü".into();
            preset.params.speed.max += 1.0 / 3.0;
            let again = Preset::from_text(&preset.name, &preset.text()).unwrap();
            assert_eq!(again, preset);
            let hash = |preset: &Preset| {
                let mut flock = Flock::new(&preset.setup(3, 1.6)).unwrap();
                (0..20).for_each(|_| flock.step(&mut Scratch::new()));
                flock.hash()
            };
            assert_eq!(hash(&again), hash(&preset));
        }
    }
}
