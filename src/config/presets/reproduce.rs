//! The command that reproduces a flock.

use std::path::{Path, PathBuf};

use super::Preset;
use super::world::WorldSize;
use crate::error::shell_word;
use crate::sim::{ModelRow, Param, Setup, Zone};

/// The comment below the command of a flock that was changed.
const CHANGED: &str = "# flies with the same rules again; --save-session FILE also keeps every change";

/// The file that a flock was read from, and the flock's size in it.
#[derive(Clone, Debug)]
pub struct FlockFile {
    /// The path; `-` is standard input.
    pub path: PathBuf,
    /// Number of boids.
    pub boids: usize,
    /// Number of predators.
    pub predators: usize,
}

/// A flock, as needed for the command that reproduces it.
#[derive(Clone, Debug)]
pub struct ReproduceCommand<'a> {
    /// The preset; the command lists only differences from it.
    pub preset: &'a Preset,
    /// The setup that starts it.
    pub setup: &'a Setup,
    /// Ticks per second.
    pub rate: f32,
    /// The file that the flock was read from; it determines the numbers of boids and predators.
    pub input: Option<&'a FlockFile>,
    /// Whether boids formed a text from standard input.
    pub has_piped_text: bool,
    /// The command that shows the recording, if there is one.
    pub recording: Option<&'a str>,
    /// The options and parameters set by the config file, which the command must override.
    pub named: &'a [String],
    /// Whether the flock was changed since it started, so that the command starts another one with the same rules.
    pub changed: bool,
}

impl ReproduceCommand<'_> {
    /// The command, with every option that differs from the preset or is set elsewhere.
    pub fn command(&self) -> String {
        let Self { preset, setup, .. } = self;
        let differs = |option: &str, differs: bool| differs || self.named.iter().any(|name| name == option);
        let mut words =
            vec!["flockscope".to_owned(), format!("-p {}", shell_word(&preset.origin)), format!("-s {}", setup.seed)];
        if let Some(input) = self.input {
            words.push(format!("--input {}", shell_path(&input.path)));
        } else {
            if differs("boids", setup.boids != preset.boids) {
                words.push(format!("-n {}", setup.boids));
            }
            if differs("predators", setup.predators != preset.predators) {
                words.push(format!("--predators {}", setup.predators));
            }
            if differs("start", setup.start != preset.start) {
                words.push(format!("--start {}", setup.start.name()));
            }
        }
        if differs("world", preset.world != WorldSize::Fixed(setup.world)) {
            words.push(format!("--world {}", setup.world));
        }
        if differs("rate", self.rate != preset.rate) {
            words.push(format!("--rate {}", self.rate));
        }
        for row in Param::table() {
            let value = row.get(&setup.params);
            if !ModelRow::of(&setup.params).uses(row) {
                continue;
            }
            if differs(row.key, value != row.get(&preset.params) || preset.customized.contains(&row.key)) {
                words.push(format!("--set {}={value}", row.key));
            }
        }
        // A new flock starts with all of its food.
        let zones: Vec<Zone> = setup.zones.iter().map(|zone| zone.refilled()).collect();
        if differs("zone", zones != preset.zones(&setup.world)) {
            if zones.is_empty() {
                words.push("--zone none".to_owned());
            }
            words.extend(zones.iter().map(|zone| format!("--zone {zone}")));
        }
        words.join(" ")
    }

    /// The command, followed by comments on what it cannot reproduce.
    pub fn text(&self) -> String {
        if let Some(recording) = self.recording {
            return recording.to_owned();
        }
        let mut lines = vec![self.command()];
        if self.changed {
            lines.push(CHANGED.to_owned());
        }
        if self.input.is_some_and(|input| input.path == Path::new("-")) {
            lines.push("# the flock was read from standard input: provide the same rows again".into());
        }
        if self.has_piped_text {
            lines.push("# the text was read from standard input: provide the same text again".into());
        }
        lines.join("\n")
    }

    /// The text to print on exit. If the session was saved in a file, the command that replays it is exact, and replaces
    /// the command of a changed flock.
    pub fn text_at_end(&self, session: Option<&Path>) -> String {
        let session = session.filter(|_| self.recording.is_none());
        let replay = session.map(|file| format!("flockscope replay {}", shell_path(file)));
        match replay {
            Some(replay) if self.changed => replay,
            Some(replay) => format!("{}\n{replay}", self.text()),
            None => self.text(),
        }
    }
}

/// Quotes the name of a file for a shell. One that begins with a minus sign would be an option.
pub(crate) fn shell_path(path: &Path) -> String {
    let name = path.to_string_lossy();
    shell_word(&if name.len() > 1 && name.starts_with('-') { format!("./{name}") } else { name.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::presets::ZoneDefinition;
    use crate::sim::{Edge, Start, ZoneKind};

    fn unchanged<'a>(preset: &'a Preset, setup: &'a Setup) -> ReproduceCommand<'a> {
        ReproduceCommand {
            preset,
            setup,
            rate: preset.rate,
            input: None,
            has_piped_text: false,
            recording: None,
            named: &[],
            changed: false,
        }
    }

    #[test]
    fn lists_differences_from_the_preset() {
        let mut preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let plain = unchanged(&preset, &setup);
        assert_eq!(plain.command(), "flockscope -p drones -s 7");
        assert_eq!(plain.text(), plain.command());

        preset.origin = "my preset's.toml".into();
        let mut other = Setup { boids: 200, predators: 0, start: Start::Rest, ..setup };
        other.params.cohesion.weight = 0.25;
        other.params.edge.mode = Edge::Open;
        let changed = ReproduceCommand { rate: 30.0, changed: true, ..unchanged(&preset, &other) };
        assert_eq!(changed.text(), format!("{}\n{CHANGED}", changed.command()));
        assert_eq!(
            changed.command(),
            r"flockscope -p 'my preset'\''s.toml' -s 7 -n 200 --predators 0 --start rest --rate 30 --set cohesion.weight=0.25 --set edge.mode=open"
        );
    }

    #[test]
    fn a_saved_session_replaces_the_command_of_a_changed_flock() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let exact = unchanged(&preset, &setup);
        let changed = ReproduceCommand { changed: true, ..exact.clone() };
        let file = Some(Path::new("a.flock"));
        assert_eq!(exact.text_at_end(None), "flockscope -p drones -s 7");
        assert_eq!(exact.text_at_end(file), "flockscope -p drones -s 7\nflockscope replay a.flock");
        assert_eq!(changed.text_at_end(file), "flockscope replay a.flock");
        assert_eq!(changed.text_at_end(None), changed.text());
    }

    #[test]
    fn names_the_input_file() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let setup = Setup { boids: 5, predators: 0, ..setup };
        let plain = unchanged(&preset, &setup);
        let file = FlockFile { path: "a b.csv".into(), boids: 5, predators: 0 };
        let from_file = ReproduceCommand { input: Some(&file), ..plain.clone() };
        assert_eq!(from_file.text(), "flockscope -p drones -s 7 --input 'a b.csv'");
        let stdin = FlockFile { path: "-".into(), ..file };
        let piped = ReproduceCommand { input: Some(&stdin), ..plain }.text();
        assert!(piped.contains("--input -\n# the flock was read from standard input"), "{piped}");
        assert!(!piped.contains("boids 5"), "{piped}");
    }

    #[test]
    fn overrides_the_config_file() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let named = ["boids", "world", "fps", "cohesion.weight", "zone"].map(str::to_owned);
        let reproduce = ReproduceCommand { named: &named, ..unchanged(&preset, &setup) };
        let (world, weight) = (setup.world, setup.params.cohesion.weight);
        let options = format!("-n 97 --world {world} --set cohesion.weight={weight} --zone none");
        assert_eq!(reproduce.command(), format!("flockscope -p drones -s 7 {options}"));
    }

    #[test]
    fn escapes_control_characters() {
        assert_eq!(shell_word("it's\n\\\u{1b}[2J\u{9b}\u{e0041}a"), r"$'it\'s\x0a\\\x1b[2J\U0000009b\U000e0041a'");
        assert_eq!(shell_path(Path::new("-a.csv")), "./-a.csv");
        assert_eq!(shell_word("it's ü"), r"'it'\''s ü'");
    }

    #[test]
    fn lists_zones_that_differ_from_the_preset() {
        let preset = Preset::load("drones").unwrap();
        let setup = preset.setup(7, 1.6);
        let command = |preset: &Preset, zones: &[Zone]| {
            unchanged(preset, &Setup { zones: zones.to_vec(), ..setup.clone() }).command()
        };
        let zone: Zone = "food:120.5,80:15".parse().unwrap();
        let eaten = command(&preset, &[Zone { amount: 0.25, ..zone }]);
        assert_eq!(eaten, "flockscope -p drones -s 7 --zone food:120.5,80:15");
        let half = command(&preset, &[Zone { amount: 0.25, ..zone.with_amount(0.5) }]);
        assert_eq!(half, "flockscope -p drones -s 7 --zone food:120.5,80:15:0.5");
        let zone_definitions = vec![ZoneDefinition { kind: ZoneKind::Food, at: [0.5; 3], radius: 9.0 }];
        let with_zone = Preset { zone_definitions, ..preset.clone() };
        let zones = with_zone.zones(&setup.world);
        assert_eq!(command(&with_zone, &zones), "flockscope -p drones -s 7");
        assert_eq!(command(&with_zone, &[]), "flockscope -p drones -s 7 --zone none");
    }
}
