//! Presets: rules and constants, and how a run with them begins.

use std::str::FromStr;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::zones;
use super::zones::ZoneDefinition;
use crate::config::errors::suggest::did_you_mean;
use crate::config::files::document::{Document, scalar_text};
use crate::config::files::user_files;
use crate::config::files::user_files::Catalog;
use crate::config::{Error, WorldSize};
use crate::sim::{
    Edge, Flock, MAX_BOIDS, MAX_PREDATORS, MAX_ZONES, Param, Params, Setup, Start, World, Zone, fit_zones,
};

/// The presets that are built in, in the order of their keys; the first is the default.
pub const BUILTIN: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// The slowest and the fastest tick rate, in ticks a second.
pub const RATE_RANGE: (f32, f32) = (0.1, 960.0);

/// How many times its edges' margin a world is long on each side at least: in a smaller one boids turn back everywhere,
/// and most of them are out of it.
const MIN_WORLD_MARGINS: f32 = 4.0;

/// The largest preset file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// The keys of a preset file that are not tunables.
const KEYS: &[&str] = &["summary", "source", "boids", "predators", "world", "area", "rate", "start", "zone"];

/// Rules and constants under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name, as shown.
    pub name: String,
    /// What it was asked for by: the name, or a file's path.
    pub origin: String,
    /// What one sees, in a line.
    pub summary: String,
    /// Where its rules come from.
    pub source: String,
    /// How many boids.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// Where they live.
    pub world: WorldSize,
    /// The area that each boid has in a world of its own size, in u².
    pub area: f32,
    /// Ticks a second.
    pub rate: f32,
    /// Where they stand at first.
    pub start: Start,
    /// The rules.
    pub params: Params,
    /// What stands in its world.
    pub zone_definitions: Vec<ZoneDefinition>,
    /// Whether it is one of the user's own, by name.
    pub from_user: bool,
}

impl Preset {
    /// Whether it is from a file that was asked for by its path.
    #[must_use]
    pub fn is_from_path(&self) -> bool {
        self.origin != self.name
    }

    /// A preset of the user's own or a built-in one by name, or one from a file.
    ///
    /// # Errors
    ///
    /// [`Error::Unknown`] with the nearest name, [`Error::File`], or what is wrong in the file.
    pub fn load(name: &str) -> Result<Self, Error> {
        Self::find(name).map(|(preset, _)| preset)
    }

    /// The text of its file, once it has been found right.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load) has them.
    pub fn file(name: &str) -> Result<String, Error> {
        Self::find(name).map(|(_, text)| text)
    }

    /// A preset and its text.
    fn find(name: &str) -> Result<(Self, String), Error> {
        let (source, own) = user_files::PRESET_FOLDER.find(BUILTIN, name, MAX_FILE_BYTES)?;
        let file = own.as_deref().unwrap_or(name);
        let preset = Self::parse(&source.name, Document { file, text: &source.text })?;
        Ok((Self { origin: name.to_owned(), from_user: own.is_some(), ..preset }, source.text.into_owned()))
    }

    /// A preset from the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong in it.
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        Self::parse(name, Document { file: name, text })
    }

    /// Every preset that has a name, the user's own among them.
    #[must_use]
    pub fn all() -> Catalog<Self> {
        user_files::PRESET_FOLDER.gather(Self::builtin(), |preset| &preset.name, Self::load)
    }

    /// Whether it stands in the place of a built-in one.
    #[must_use]
    pub fn shadows_builtin(&self) -> bool {
        self.from_user && BUILTIN.iter().any(|(name, _)| *name == self.name)
    }

    /// Every built-in preset.
    ///
    /// # Panics
    ///
    /// Never: a test reads them all.
    #[must_use]
    pub fn builtin() -> Vec<Self> {
        BUILTIN.iter().map(|(name, text)| Self::from_text(name, text).expect("built-in presets are right")).collect()
    }

    /// How a run of this preset begins, with its own counts, in a world of this shape (width : height).
    #[must_use]
    pub fn setup(&self, seed: u64, shape: f32) -> Setup {
        let world = self.world_for(self.boids, shape);
        Setup {
            params: self.params,
            world,
            start: self.start,
            boids: self.boids,
            predators: self.predators,
            seed,
            zones: self.zones(&world),
        }
    }

    /// What stands in a world that may not be its own, as far as it fits.
    #[must_use]
    pub fn zones(&self, world: &World) -> Vec<Zone> {
        let zones: Vec<Zone> = self.zone_definitions.iter().map(|stand| stand.zone(world)).collect();
        fit_zones(&zones, &self.params, world)
    }

    /// The world for this many boids: the fixed one, or one that keeps the density, where there is room between its edges.
    #[must_use]
    pub fn world_for(&self, boids: usize, shape: f32) -> World {
        match self.world {
            WorldSize::Fixed(world) => world,
            WorldSize::Auto => room(self.area * boids as f32, shape, &self.params),
        }
    }

    fn parse(name: &str, document: Document<'_>) -> Result<Self, Error> {
        let table = document.table()?;
        let mut preset = Self {
            name: name.to_owned(),
            origin: document.file.to_owned(),
            summary: String::new(),
            source: String::new(),
            boids: 1000,
            predators: 0,
            world: WorldSize::Auto,
            area: f32::NAN,
            rate: 60.0,
            start: Start::Scatter,
            params: Params::default(),
            zone_definitions: Vec::new(),
            from_user: false,
        };
        preset.read_table(document, &table, "")?;
        preset.validate(document)
    }

    /// Reads a table whose keys stand under `prefix`.
    fn read_table(&mut self, document: Document<'_>, table: &DeTable<'_>, prefix: &str) -> Result<(), Error> {
        for (key, value) in table {
            let full = format!("{prefix}{}", key.get_ref());
            match value.get_ref() {
                DeValue::Table(inner) if !KEYS.contains(&&*full) && (prefix.is_empty() || is_group(&full)) => {
                    if !is_group(&full) {
                        return Err(unknown(document, key, &full));
                    }
                    self.read_table(document, inner, &format!("{full}."))?;
                }
                DeValue::Array(list) if full == "zone" => {
                    self.zone_definitions = zones::read(document, list)?;
                    if self.zone_definitions.len() > MAX_ZONES {
                        return Err(document.at(value.span(), format!("a world has {MAX_ZONES} zones at most")));
                    }
                }
                _ => self.read_value(document, key, &full, value)?,
            }
        }
        Ok(())
    }

    fn read_value(
        &mut self,
        document: Document<'_>,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        full: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), Error> {
        let complain = |message: String| document.at(value.span(), message);
        let text = scalar_text(value.get_ref()).ok_or_else(|| complain(format!("{full} takes {}", form(full))))?;
        if let Some(row) = Param::find(full) {
            let value = row.parse(&text).map_err(|error| complain(error.to_string()))?;
            return self.params.set(full, value).map_err(|error| complain(error.to_string()));
        }
        match full {
            "summary" => self.summary = text,
            "source" => self.source = text,
            "boids" => self.boids = number(full, &text, 1, MAX_BOIDS).map_err(complain)?,
            "predators" => self.predators = number(full, &text, 0, MAX_PREDATORS).map_err(complain)?,
            "world" => self.world = text.parse().map_err(|error: Error| complain(error.to_string()))?,
            "area" => self.area = number(full, &text, 1e-3, 1e6).map_err(complain)?,
            "rate" => self.rate = number(full, &text, RATE_RANGE.0, RATE_RANGE.1).map_err(complain)?,
            "start" => self.start = start(&text).map_err(complain)?,
            "zone" => return Err(complain(format!("{full} takes {}", form(full)))),
            _ => return Err(unknown(document, key, full)),
        }
        Ok(())
    }

    /// Checks what no single key can see, and fills in what follows from the rest.
    fn validate(mut self, document: Document<'_>) -> Result<Self, Error> {
        let last = document.text.trim_end().len();
        let end = last..last;
        self.area = match (self.world, self.area.is_nan()) {
            (WorldSize::Auto, true) => {
                return Err(document
                    .at(end, "a world of \"auto\", as it is where none is named, needs area: the u² for each boid"));
            }
            (WorldSize::Auto, false) => self.area,
            (WorldSize::Fixed(world), _) => {
                let [width, height, _] = world.size();
                width * height / self.boids as f32
            }
        };
        let world = self.world_for(self.boids, 1.0);
        self.params.check(&world).map_err(|error| document.at(end.clone(), error.to_string()))?;
        // What an auto world has room for depends on the screen.
        if let WorldSize::Fixed(world) = self.world {
            let zones = self.zone_definitions.iter().map(|stand| stand.zone(&world)).collect();
            let alone = Setup { zones, boids: 1, predators: 0, ..self.setup(0, 1.0) };
            Flock::new(&alone).map_err(|error| document.at(end, error.to_string()))?;
        }
        Ok(self)
    }
}

/// Whether tunables stand under this key.
pub(crate) fn is_group(prefix: &str) -> bool {
    Param::table().iter().any(|row| row.key.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.')))
}

/// What a key takes, where it was given something of another form.
fn form(key: &str) -> &'static str {
    if key == "zone" { "tables, each under [[zone]]" } else { "a single value" }
}

fn unknown(document: Document<'_>, key: &Spanned<std::borrow::Cow<'_, str>>, full: &str) -> Error {
    let words = Param::table().iter().map(|row| row.key).chain(KEYS.iter().copied());
    document.at(key.span(), format!("there is no key `{full}`{}", did_you_mean(full, words)))
}

fn number<T: Copy + FromStr + PartialOrd + std::fmt::Display>(
    key: &str,
    text: &str,
    least: T,
    most: T,
) -> Result<T, String> {
    let is_whole = |text: &str| text.trim_start_matches(['+', '-']).bytes().all(|digit| digit.is_ascii_digit());
    let why = match (text.parse::<T>(), text.parse::<f64>()) {
        (Ok(number), _) if (least..=most).contains(&number) => return Ok(number),
        (Ok(_), _) => "out of range",
        // What the type does not hold, the range does not either.
        (Err(_), Ok(_)) if is_whole(text) => "out of range",
        (Err(_), Ok(_)) => "not a whole number",
        (Err(_), Err(_)) => "not a number",
    };
    Err(format!("{key} = {text} is {why}: it takes {least} to {most}"))
}

/// A world of this area, in u², and shape (width : height); where boids turn back before its edges, one that is large
/// enough for there to be room between them.
pub(crate) fn room(area: f32, shape: f32, params: &Params) -> World {
    let margin = if params.edge.mode == Edge::Turn { params.edge.margin } else { 0.0 };
    let height = MIN_WORLD_MARGINS * margin * (1.0 / shape).max(1.0);
    World::of_area(area.max(height * height * shape), shape)
}

fn start(text: &str) -> Result<Start, String> {
    Start::from_name(text)
        .ok_or_else(|| format!("there is no start `{text}`: it is one of {}", Start::NAMES.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Scratch;

    fn complaint(text: &str) -> String {
        Preset::parse("mine", Document { file: "mine.toml", text }).unwrap_err().to_string()
    }

    #[test]
    fn every_builtin_preset_makes_a_flock() {
        for preset in Preset::builtin() {
            assert!(!preset.summary.is_empty() && !preset.source.is_empty(), "{}", preset.name);
            crate::sim::Flock::new(&preset.setup(1, 1.6)).unwrap();
        }
    }

    #[test]
    fn numbers_are_read_in_every_form_that_toml_has() {
        let boids = |number: &str| {
            let text = format!("boids = {number}\nworld = \"800x600\"\n[separation]\nradius = {number}\n");
            let preset = Preset::parse("mine", Document { file: "mine.toml", text: &text }).unwrap();
            assert_eq!(preset.params.separation.radius, preset.boids as f32);
            preset.boids
        };
        assert_eq!(["16", "+16", "0x10", "0o20", "0b1_0000"].map(boids), [16; 5]);
    }

    #[test]
    fn a_complaint_names_its_place_and_the_right_word() {
        let text = "world = \"800x600\"\n[cohesion]\n  wieght = 1\n";
        assert_eq!(
            complaint(text),
            "mine.toml:3:3: there is no key `cohesion.wieght`; did you mean `cohesion.weight`?"
        );
        assert!(complaint("boids = 0").starts_with("mine.toml:1:9: boids = 0 is out of range: it takes 1 to"));
        assert!(complaint("rate = 961").starts_with("mine.toml:1:8: rate = 961 is out of range: it takes 0.1 to 960"));
        assert!(complaint("world = \"auto\"").contains("needs area"));
        assert!(complaint("world = \"9x9\"\n[alignment]\nradius = inf").contains("edge.mode"));
        assert!(complaint("boids = [1]").contains("single value"));
        assert!(complaint("world = {}").contains("mine.toml:1:9: world takes a single value"));
        assert!(complaint("boids = -1").contains("boids = -1 is out of range: it takes 1 to"));
        assert!(complaint("boids = 1.5").contains("boids = 1.5 is not a whole number: it takes 1 to"));
        assert!(complaint("boids = \"\"").contains("boids =  is not a number: it takes 1 to"));
        assert!(complaint("[cohesoin]\nweight = 1").contains("mine.toml:1:2: there is no key `cohesoin`"));
        assert!(complaint("boids = ").starts_with("mine.toml:1:"));
    }

    #[test]
    fn few_boids_stay_in_their_world() {
        let preset = Preset::load("starlings").unwrap();
        for shape in [0.2, 0.7, 1.0, 1.6, 7.0] {
            let [width, height, _] = preset.world_for(3, shape).size();
            let least = MIN_WORLD_MARGINS * preset.params.edge.margin;
            assert!(
                (width.min(height) - least).abs() < 0.1 && (width / height - shape).abs() < 0.01,
                "{width} {height}"
            );
        }
        let full = preset.world_for(preset.boids, 1.6);
        assert_eq!(full, World::of_area(preset.area * preset.boids as f32, 1.6));
        for boids in [10, 40, 300] {
            let world = preset.world_for(boids, 1.6);
            let [width, height, _] = world.size();
            // One flock may be turning back just then.
            let inside = |seed: u64| {
                let mut flock = Flock::new(&Setup { world, boids, ..preset.setup(seed, 1.6) }).unwrap();
                let scratch = &mut Scratch::new();
                (0..400).for_each(|_| flock.step(scratch));
                let [x, y] = [0, 1].map(|axis| flock.agents().positions(axis));
                x.iter().zip(y).filter(|(x, y)| (0.0..width).contains(*x) && (0.0..height).contains(*y)).count()
            };
            let sum = (1..=12).map(inside).sum::<usize>();
            assert!(sum * 4 >= 12 * boids * 3, "{sum} of {}", 12 * boids);
        }
    }

    #[test]
    fn spots_stand_in_shares_of_the_world_and_complaints_name_their_place() {
        let text = "world = \"800x600\"\n[obstacle]\nclearance = 3\n[[zone]]\nkind = \"obstacle\"\nat = [0.5, 0.25]\nradius = 40\n";
        let preset = Preset::parse("mine", Document { file: "mine.toml", text }).unwrap();
        assert_eq!(preset.setup(1, 1.6).zones, [Zone::new(crate::sim::ZoneKind::Obstacle, [400.0, 150.0, 0.0], 40.0)]);
        let with = |from: &str, to: &str| complaint(&text.replace(from, to));
        assert_eq!(
            with("obstacle\"", "obstacel\""),
            "mine.toml:5:7: kind = obstacel is not obstacle, food, roost; did you mean `obstacle`?"
        );
        let wrong = with("radius =", "raduis =");
        assert!(wrong.starts_with("mine.toml:7:1: a zone has no key `raduis`; did you mean `radius`?"), "{wrong}");
        assert!(with("[0.5, 0.25]", "[0.5]").starts_with("mine.toml:6:6: at takes two or three shares"));
        assert!(with("[0.5, 0.25]", "[0.5, 1.25]").starts_with("mine.toml:6:6: at takes"));
        assert!(with("radius = 40", "radius = nan").starts_with("mine.toml:7:10: radius takes a number above 0"));
        assert!(with("radius = 40\n", "").contains("a zone needs all of kind, at and radius"));
        assert!(with("radius = 40", "radius = 400").contains("a quarter of the world"));
        assert!(with("[[zone]]", "[zone]").contains("mine.toml:4:1: zone takes tables, each under [[zone]]"));
        assert!(complaint("zone = [1]").starts_with("mine.toml:1:9: a zone is a table"));
    }
}
