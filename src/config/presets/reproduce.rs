//! The command that brings a flock back.

use std::path::{Path, PathBuf};

use crate::config::errors::excerpt::is_unprintable;
use crate::config::{Preset, WorldSize};
use crate::sim::{Param, Params, World, Zone};

/// The file that a flock began from, and who was there.
#[derive(Clone, Debug)]
pub struct FlockFile {
    /// Where it is; `-` is standard input.
    pub path: PathBuf,
    /// How many boids it has.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
}

/// All that the command says.
#[derive(Clone, Debug)]
pub struct ReproduceCommand<'a> {
    /// What the rules are compared with.
    pub preset: &'a Preset,
    /// The seed.
    pub seed: u64,
    /// How many boids.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// The world.
    pub world: World,
    /// Ticks a second.
    pub rate: f32,
    /// The rules.
    pub params: &'a Params,
    /// What stands in the world.
    pub zones: &'a [Zone],
    /// The file that it began from, which then says who there is.
    pub input: Option<&'a FlockFile>,
    /// The options and tunables that a config says something of: what is typed must say them too.
    pub named: &'a [String],
    /// Whether it came from another preset without beginning anew.
    pub morphed: bool,
    /// Whether anything of it was changed while it flew.
    pub changed: bool,
}

impl ReproduceCommand<'_> {
    /// The command: preset and seed, and whatever is not the preset's own or would be the config's.
    #[must_use]
    pub fn command(&self) -> String {
        let preset = self.preset;
        let mut words =
            vec!["flockscope".to_owned(), format!("-p {}", shell_word(&preset.origin)), format!("-s {}", self.seed)];
        if let Some(input) = self.input {
            words.push(format!("--input {}", shell_word(&input.path.to_string_lossy())));
        }
        if self.input.is_none() && (self.boids != preset.boids || self.is_named("boids")) {
            words.push(format!("-n {}", self.boids));
        }
        if self.input.is_none() && (self.predators != preset.predators || self.is_named("predators")) {
            words.push(format!("--predators {}", self.predators));
        }
        if preset.world != WorldSize::Fixed(self.world) || self.is_named("world") {
            words.push(format!("--world {}", self.world));
        }
        if self.rate != preset.rate || self.is_named("rate") {
            words.push(format!("--rate {}", self.rate));
        }
        words.extend(Param::table().iter().filter_map(|row| {
            let value = row.get(self.params);
            (value != row.get(&preset.params) || self.is_named(row.key)).then(|| format!("--set {}={value}", row.key))
        }));
        words.extend(self.spots_command());
        words.join(" ")
    }

    /// Whether there are as many as in the file that it began from.
    fn has_all_of(&self, input: &FlockFile) -> bool {
        (input.boids, input.predators) == (self.boids, self.predators)
    }

    fn is_named(&self, what: &str) -> bool {
        self.named.iter().any(|name| name == what)
    }

    /// What stands in the world, where that is not what the preset puts there.
    fn spots_command(&self) -> Vec<String> {
        let home = self.preset.zones(&self.world);
        // The flock begins anew, and so does its food.
        let put: Vec<Zone> = self.zones.iter().map(|zone| zone.refilled()).collect();
        if put == home && !self.is_named("zone") {
            return Vec::new();
        }
        match put[..] {
            [] => vec!["--zone none".to_owned()],
            _ => put.iter().map(|zone| format!("--zone {zone}")).collect(),
        }
    }

    /// The command, and below it as a comment what no command can say.
    #[must_use]
    pub fn text(&self) -> String {
        let mut lines = vec![self.command()];
        if self.morphed {
            lines.push(
                "# this flock came from another preset, which no seed brings back: the command begins anew".into(),
            );
        } else if self.changed && self.input.is_none_or(|input| self.has_all_of(input)) {
            lines.push("# this flock was changed while it flew: the command begins with it as it is now".into());
        }
        if let Some(input) = self.input {
            if input.path == Path::new("-") {
                lines.push("# standard input had the flock: give it the same rows again".into());
            }
            if !self.has_all_of(input) {
                let (boids, predators) = (self.boids, self.predators);
                lines.push(format!("# the file's flock was then changed: boids {boids}, predators {predators}"));
            }
        }
        lines.join("\n")
    }
}

/// A word as a shell reads it back, and as it does a terminal no harm.
fn shell_word(word: &str) -> String {
    if word.chars().any(is_unprintable) {
        return format!("$'{}'", word.chars().map(written_out).collect::<String>());
    }
    let plain = |c: char| c.is_alphanumeric() || "-_./".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A character as it stands between `$'` and `'`.
fn written_out(character: char) -> String {
    match character {
        '\'' | '\\' => format!("\\{character}"),
        _ if is_unprintable(character) && character.is_ascii() => format!("\\x{:02x}", u32::from(character)),
        _ if is_unprintable(character) => format!("\\u{:04x}", u32::from(character)),
        _ => character.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Setup;

    /// A flock of a preset as it begins from seed 7.
    fn plain<'a>(preset: &'a Preset, setup: &'a Setup) -> ReproduceCommand<'a> {
        ReproduceCommand {
            preset,
            seed: 7,
            boids: setup.boids,
            predators: setup.predators,
            world: setup.world,
            rate: preset.rate,
            params: &setup.params,
            zones: &[],
            input: None,
            named: &[],
            morphed: false,
            changed: false,
        }
    }

    #[test]
    fn only_what_is_not_the_presets_own_is_said() {
        let mut preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let mut params = setup.params;
        let plain = plain(&preset, &setup);
        assert_eq!(plain.command(), "flockscope -p drones -s 7");
        assert_eq!(plain.text(), plain.command());

        let file = FlockFile { path: "a b.csv".into(), boids: 5, predators: 0 };
        let from_file = ReproduceCommand { input: Some(&file), boids: 5, predators: 0, ..plain.clone() };
        assert_eq!(from_file.text(), "flockscope -p drones -s 7 --input 'a b.csv'");
        let changed = ReproduceCommand { boids: 7, ..from_file }.text();
        assert!(changed.starts_with("flockscope -p drones -s 7 --input 'a b.csv'\n# "), "{changed}");
        assert!(changed.contains("boids 7, predators 0"), "{changed}");
        let piped = FlockFile { path: "-".into(), ..file };
        let piped = ReproduceCommand { input: Some(&piped), boids: 5, predators: 0, ..plain.clone() }.text();
        assert!(piped.contains("--input -\n# standard input") && !piped.contains("boids 5"), "{piped}");

        preset.origin = "my preset's.toml".into();
        params.cohesion.weight = 0.25;
        params.edge.mode = crate::sim::Edge::Open;
        let turned = ReproduceCommand {
            preset: &preset,
            boids: 200,
            predators: 0,
            rate: 30.0,
            params: &params,
            seed: 7,
            world: setup.world,
            zones: &[],
            input: None,
            named: &[],
            morphed: true,
            changed: true,
        };
        assert!(turned.text().contains("\n# this flock came from another preset"));
        assert_eq!(
            turned.command(),
            r"flockscope -p 'my preset'\''s.toml' -s 7 -n 200 --predators 0 --rate 30 --set cohesion.weight=0.25 --set edge.mode=open"
        );
    }

    #[test]
    fn what_a_config_would_say_otherwise_is_said() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let named = ["boids", "world", "fps", "cohesion.weight", "zone"].map(str::to_owned);
        let revival = ReproduceCommand { named: &named, ..plain(&preset, &setup) };
        let (world, weight) = (setup.world, setup.params.cohesion.weight);
        let command = format!("-n 97 --world {world} --set cohesion.weight={weight} --zone none");
        assert_eq!(revival.command(), format!("flockscope -p drones -s 7 {command}"));
    }

    #[test]
    fn a_name_that_would_command_the_terminal_is_written_out() {
        assert_eq!(shell_word("it's\n\\\u{1b}[2J\u{9b}\u{202e}"), r"$'it\'s\x0a\\\x1b[2J\u009b\u202e'");
        assert_eq!(shell_word("it's ü"), r"'it'\''s ü'");
    }

    #[test]
    fn spots_are_said_where_they_are_not_the_presets_own() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let plain = plain(&preset, &setup);
        // Eaten or not, it is the same zone; and what the preset has, but is gone, is said too.
        let zone: Zone = "food:120.5,80:15".parse().unwrap();
        let eaten = ReproduceCommand { zones: &[Zone { left: 0.25, ..zone }], ..plain.clone() };
        assert_eq!(eaten.command(), "flockscope -p drones -s 7 --zone food:120.5,80:15");
        let half = ReproduceCommand { zones: &[Zone { left: 0.25, ..zone.with_amount(0.5) }], ..plain.clone() };
        assert_eq!(half.command(), "flockscope -p drones -s 7 --zone food:120.5,80:15:0.5");
        let mut furnished = Preset::load("drones").unwrap();
        furnished.zone_definitions =
            vec![crate::config::ZoneDefinition { kind: crate::sim::ZoneKind::Food, at: [0.5; 3], radius: 9.0 }];
        let zones = furnished.zones(&setup.world);
        let furnished = ReproduceCommand { preset: &furnished, zones: &zones, ..plain };
        assert_eq!(furnished.command(), "flockscope -p drones -s 7");
        assert_eq!(ReproduceCommand { zones: &[], ..furnished }.command(), "flockscope -p drones -s 7 --zone none");
    }
}
