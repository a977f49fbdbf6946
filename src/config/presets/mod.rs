//! Presets: the parameters and the initial state of a flock under a name.

mod reproduce;
mod world;
mod writer;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use toml::de::DeValue;

use crate::config::files::{BuiltinFile, Document, Entry, NamedFile, entries, scalar_text, suggest_param};
use crate::config::themes::Theme;
use crate::error::InputError;
use crate::sim::{
    self, Error, Flock, MAX_BOIDS, MAX_PREDATORS, ModelRow, Param, Params, Setup, Start, Value, World, Zone,
    check_params, fit_zones,
};
pub(crate) use reproduce::shell_path;
pub use reproduce::{FlockFile, ReproduceCommand};
pub(crate) use world::auto_world;
use world::read_zones;
pub use world::{WorldSize, ZoneDefinition};
pub use writer::{toml_list, toml_string, toml_value};

/// The range of tick rates, in ticks per second.
pub const RATE_RANGE: (f32, f32) = (0.1, 960.0);

/// The heading above the user's presets in lists.
const OWN_HEADING: &str = "Your presets";

/// A list of presets in an error names at most this many.
const MAX_NAMED: usize = 4;

/// The keys of a preset file other than parameters.
const KEYS: [&str; 13] = [
    "summary",
    "phrase",
    "source",
    "boids",
    "predators",
    "world",
    "area",
    "rate",
    "theme",
    "water",
    "corner",
    "start",
    "zone",
];

/// Parameters and initial state of a flock, under a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// The name, as displayed.
    pub name: String,
    /// The name or path it was loaded by.
    pub origin: String,
    /// A description in one line.
    pub summary: String,
    /// What it shows in a few words, or an empty string.
    pub phrase: String,
    /// Where the rules come from: a publication, or another preset.
    pub source: String,
    /// Number of boids.
    pub boids: usize,
    /// Number of predators.
    pub predators: usize,
    /// Size of the world.
    pub world: WorldSize,
    /// Area per boid in an automatic world, in u².
    pub area: f32,
    /// Ticks per second.
    pub rate: f32,
    /// Its theme, or an empty string.
    pub theme: String,
    /// Whether it is under water, where predators are sharks.
    pub water: bool,
    /// Where the world begins in that of the recording that the preset was fitted to, in u.
    pub corner: [f32; 3],
    /// Initial arrangement of the boids.
    pub start: Start,
    /// The parameters.
    pub params: Params,
    /// The zones of the world.
    pub zone_definitions: Vec<ZoneDefinition>,
    /// The keys of parameters that the config file sets for this preset.
    pub customized: Vec<&'static str>,
    /// Whether it comes from the user's folder.
    pub from_user: bool,
}

impl NamedFile for Preset {
    const KIND: &'static str = "preset";
    const MAX_BYTES: u64 = 1 << 20;
    const BUILTIN: &'static [BuiltinFile] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

    fn parse(name: &str, document: Document<'_>) -> Result<Self, InputError> {
        let mut preset = Self::named(name);
        let table = document.table()?;
        let entries = entries(&table);
        for entry in &entries {
            preset.read_entry(document, entry)?;
        }
        preset.validate(document, &entries)
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn set_origin(&mut self, origin: &str, from_user: bool) {
        origin.clone_into(&mut self.origin);
        self.from_user = from_user;
    }

    /// A preset that replaces a built-in one keeps the place of that one.
    fn heading(&self) -> &'static str {
        let builtin = Self::BUILTIN.iter().find(|file| file.name == self.origin);
        builtin.map_or(OWN_HEADING, |file| file.heading)
    }
}

impl Preset {
    /// Loads a preset by name or path; the user's presets come first.
    ///
    /// # Errors
    ///
    /// [`InputError::Unknown`] with the nearest name, [`InputError::File`] or [`InputError::At`].
    pub fn load(name: &str) -> Result<Self, InputError> {
        Ok(Self::load_with_text(name)?.0)
    }

    /// What an empty file says, without an area.
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            origin: name.to_owned(),
            summary: String::new(),
            phrase: String::new(),
            source: String::new(),
            boids: 1000,
            predators: 0,
            world: WorldSize::Auto,
            area: f32::NAN,
            rate: 60.0,
            theme: String::new(),
            water: false,
            corner: [0.0; 3],
            start: Start::Scatter,
            params: Params::default(),
            zone_definitions: Vec::new(),
            customized: Vec::new(),
            from_user: false,
        }
    }

    /// A preset with the rules, the world and the numbers of a flock, without a file.
    pub fn of_setup(name: &str, setup: &Setup, rate: f32) -> Self {
        let [width, height, _] = setup.world.size();
        Self {
            boids: setup.boids,
            predators: setup.predators,
            world: WorldSize::Fixed(setup.world),
            area: width * height / setup.boids.max(1) as f32,
            rate,
            start: setup.start,
            params: setup.params,
            zone_definitions: setup.zones.iter().map(|zone| ZoneDefinition::of(zone, &setup.world)).collect(),
            ..Self::named(name)
        }
    }

    /// Reads the text of a preset file.
    ///
    /// # Errors
    ///
    /// [`InputError::At`].
    pub fn from_text(name: &str, text: &str) -> Result<Self, InputError> {
        Self::parse(name, Document { file: name, text })
    }

    /// All built-in presets, in order.
    pub fn builtin() -> Vec<Self> {
        Self::all_builtin()
    }

    /// Whether it was loaded by path.
    pub fn is_from_path(&self) -> bool {
        self.origin != self.name
    }

    /// Whether it is the user's and hides a built-in preset of the same name.
    pub fn shadows_builtin(&self) -> bool {
        self.from_user && Self::BUILTIN.iter().any(|file| file.name == self.name)
    }

    /// The setup of the preset's flock; `shape` is width / height of an automatic world.
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

    /// The zones of the preset that fit into a world.
    pub fn zones(&self, world: &World) -> Vec<Zone> {
        let zones: Vec<Zone> = self.zone_definitions.iter().map(|definition| definition.zone(world)).collect();
        fit_zones(&zones, &self.params, world)
    }

    /// The fixed world, or an automatic world for this many boids and this width / height.
    pub fn world_for(&self, boids: usize, shape: f32) -> World {
        match self.world {
            WorldSize::Fixed(world) => world,
            WorldSize::Auto => auto_world(self.area * boids as f32, shape, &self.params),
        }
    }

    fn read_entry(&mut self, document: Document<'_>, (key, span, value): &Entry<'_, '_>) -> Result<(), InputError> {
        if key == "zone" {
            self.zone_definitions = read_zones(document, value)?;
            return Ok(());
        }
        let param = Param::find(key);
        if param.is_none() && !KEYS.contains(&&**key) {
            let hint = suggest_param(key, value.get_ref(), KEYS);
            return Err(document.at(span.clone(), format!("unknown key `{key}`{hint}")));
        }
        let at_value = |message: String| document.at(value.span(), message);
        let text = scalar_text(value.get_ref()).ok_or_else(|| at_value(format!("{key} takes a single value")))?;
        if let Some(row) = param {
            let value = row.parse(&text).map_err(|error| at_value(error.to_string()))?;
            return self.params.set(key, value).map_err(|error| at_value(error.to_string()));
        }
        match &**key {
            "summary" => self.summary = text,
            "phrase" => self.phrase = text,
            "source" => self.source = text,
            "theme" => {
                Theme::load(&text).map_err(|error| at_value(error.to_string()))?;
                self.theme = text;
            }
            "water" => {
                self.water = text.parse().map_err(|_| at_value(format!("water = {text} is not true or false")))?;
            }
            "corner" => {
                let numbers: Option<Vec<f32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
                let corner = numbers.and_then(|numbers| <[f32; 3]>::try_from(numbers).ok());
                self.corner = corner.filter(|corner| corner.iter().all(|axis| axis.is_finite())).ok_or_else(|| {
                    at_value(format!("corner = {text} is not three finite numbers such as \"12,3.5,0\""))
                })?;
            }
            "boids" => self.boids = number(key, &text, 1, MAX_BOIDS).map_err(at_value)?,
            "predators" => self.predators = number(key, &text, 0, MAX_PREDATORS).map_err(at_value)?,
            "world" => self.world = text.parse().map_err(|error: InputError| at_value(error.to_string()))?,
            "area" => self.area = number(key, &text, 1e-3, 1e6).map_err(at_value)?,
            "rate" => self.rate = number(key, &text, RATE_RANGE.0, RATE_RANGE.1).map_err(at_value)?,
            _ => {
                self.start = Start::from_name(&text)
                    .ok_or_else(|| at_value(format!("start = {text} is not one of {}", Start::NAMES.join(", "))))?;
            }
        }
        Ok(())
    }

    /// Checks combinations of keys, and computes the area per boid of a fixed world.
    fn validate(mut self, document: Document<'_>, entries: &[Entry<'_, '_>]) -> Result<Self, InputError> {
        let end = document.text.trim_end().len();
        let conflict = |error: sim::Error| {
            document.at(last_setting(&error, entries).unwrap_or(end..end), with_users(error).to_string())
        };
        match self.world {
            WorldSize::Auto if self.area.is_nan() => {
                let message = "missing key `area`: the u² per boid of a world = \"auto\" (the default)";
                return Err(document.at(end..end, message));
            }
            WorldSize::Auto => {}
            WorldSize::Fixed(world) => {
                let [width, height, _] = world.size();
                self.area = width * height / self.boids as f32;
            }
        }
        let world = self.world_for(self.boids, 1.0);
        check_params(&self.params, &world).map_err(conflict)?;
        // Zones may not fit into an automatic world; `fit_zones` drops those.
        if let WorldSize::Fixed(world) = self.world {
            let zones: Vec<Zone> = self.zone_definitions.iter().map(|definition| definition.zone(&world)).collect();
            let small = Setup { boids: 1, predators: self.predators.min(1), ..self.setup(0, 1.0) };
            let error_of_first =
                |count: usize| Flock::new(&Setup { zones: zones[..count].to_vec(), ..small.clone() }).err();
            if error_of_first(zones.len()).is_some()
                && let Some((count, error)) = (0..=zones.len()).find_map(|count| Some((count, error_of_first(count)?)))
            {
                return Err(match zone_span(entries, count) {
                    Some(span) => document.at(span, error.to_string()),
                    None => conflict(error),
                });
            }
        }
        Ok(self)
    }
}

/// The setting that an error is about; of several, the last one in the file.
fn last_setting(error: &sim::Error, entries: &[Entry<'_, '_>]) -> Option<Range<usize>> {
    let has_world = matches!(error, sim::Error::Conflict(conflict) if conflict.has_world);
    let concerned =
        entries.iter().filter(|(key, ..)| error.keys().contains(&key.as_str()) || (has_world && key == "world"));
    concerned.map(|(_, span, _)| span.clone()).max_by_key(|span| span.start)
}

/// The place of the zone with this number, counted from 1.
fn zone_span(entries: &[Entry<'_, '_>], number: usize) -> Option<Range<usize>> {
    let (.., zones) = entries.iter().find(|(key, ..)| key == "zone")?;
    let DeValue::Array(zones) = zones.get_ref() else { return None };
    Some(zones.get(number.checked_sub(1)?)?.span())
}

fn number<T: Copy + FromStr + PartialOrd + Display>(key: &str, text: &str, min: T, max: T) -> Result<T, String> {
    let is_whole = text.trim_start_matches(['+', '-']).bytes().all(|digit| digit.is_ascii_digit());
    let problem = match (text.parse::<T>(), text.parse::<f64>()) {
        (Ok(number), _) if (min..=max).contains(&number) => return Ok(number),
        (Ok(_), _) => "out of range",
        // Too large for the type, or negative.
        (Err(_), Ok(_)) if is_whole => "out of range",
        (Err(_), Ok(_)) => "not a whole number",
        (Err(_), Err(_)) => "not a number",
    };
    Err(format!("{key} = {text} is {problem}: expected {min} to {max}"))
}

/// Adds to an error about a parameter that the model does not use which presets do.
pub(crate) fn with_users(error: sim::Error) -> sim::Error {
    match error {
        sim::Error::Conflict(conflict) => match conflict.unused.and_then(Param::find) {
            Some(param) => conflict.with_advice(users(param)).into(),
            None => conflict.into(),
        },
        error => error,
    }
}

/// The built-in presets that use a parameter: "the presets vicsek and bands do".
fn users(param: &Param) -> String {
    let presets = Preset::builtin();
    let users = presets.iter().filter(|preset| ModelRow::of(&preset.params).uses(param));
    let mut names: Vec<String> = users.map(|preset| preset.name.clone()).collect();
    if names.len() > MAX_NAMED {
        let others = names.split_off(MAX_NAMED - 1).len();
        names.push(format!("{others} others"));
    }
    match names.split_last() {
        None => String::new(),
        Some((name, [])) => format!("the preset {name} does"),
        Some((last, first)) => format!("the presets {} and {last} do", first.join(", ")),
    }
}

/// A parameter for one preset.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetSetting {
    /// The parameter.
    pub param: &'static Param,
    /// Its value.
    pub value: Value,
    /// Where it was set: "config.toml:3".
    pub source: String,
}

/// The parameters for single presets, by the name of the preset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PresetSettings(BTreeMap<String, Vec<PresetSetting>>);

impl PresetSettings {
    /// Sets the parameters for a preset.
    pub fn insert(&mut self, name: &str, settings: Vec<PresetSetting>) {
        self.0.insert(name.to_owned(), settings);
    }

    /// The parameters for the preset with this name or path.
    pub fn of(&self, origin: &str) -> &[PresetSetting] {
        self.0.get(origin).map_or(&[], Vec::as_slice)
    }

    /// The preset with the parameters for it.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] for parameters that do not fit each other or the preset.
    pub fn apply(&self, mut preset: Preset) -> Result<Preset, Error> {
        let settings = self.of(&preset.origin);
        for PresetSetting { param, value, .. } in settings {
            preset.params.set(param.key, *value)?;
        }
        preset.customized = settings.iter().map(|setting| setting.param.key).collect();
        check_params(&preset.params, &preset.world_for(preset.boids, 1.0)).map_err(with_users)?;
        Ok(preset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_fit_the_status_line_and_themes_are_spread() {
        let presets = Preset::builtin();
        for preset in &presets {
            assert!((1..=50).contains(&preset.phrase.chars().count()), "{}: {}", preset.name, preset.phrase);
            let same = presets.iter().filter(|other| !other.theme.is_empty() && other.theme == preset.theme);
            assert!(same.count() <= 3, "{}", preset.theme);
        }
        let gulls = "area = 90\ntheme = \"gulls\"";
        let error = Preset::from_text("mine", gulls).unwrap_err().to_string();
        assert!(error.contains("unknown theme `gulls`"), "{error}");
    }
    use crate::sim::ZoneKind;

    fn parse(text: &str) -> Result<Preset, String> {
        Preset::from_text("mine.toml", text).map_err(|error| error.to_string())
    }

    fn error(text: &str) -> String {
        parse(text).unwrap_err()
    }

    #[test]
    fn builtin_presets_start() {
        for preset in Preset::builtin() {
            assert!(!preset.summary.is_empty() && !preset.source.is_empty(), "{}", preset.name);
            Flock::new(&preset.setup(1, 1.6)).unwrap();
        }
    }

    #[test]
    fn accepts_all_toml_integers() {
        for number in ["16", "+16", "0x10", "0o20", "0b1_0000"] {
            let text = format!("boids = {number}\nworld = \"800x600\"\n[separation]\nradius = {number}\n");
            let preset = parse(&text).unwrap();
            assert_eq!((preset.boids, preset.params.separation.radius), (16, 16.0));
        }
    }

    #[test]
    fn errors_name_the_place_and_the_fix() {
        for (text, start) in [
            (
                "world = \"800x600\"\n[cohesion]\n  wieght = 1\n",
                "mine.toml:3:3: unknown key `cohesion.wieght`; did you mean `cohesion.weight`?",
            ),
            ("boids = 0", "mine.toml:1:9: boids = 0 is out of range: expected 1 to"),
            ("boids = -1", "mine.toml:1:9: boids = -1 is out of range: expected 1 to"),
            ("boids = 1.5", "mine.toml:1:9: boids = 1.5 is not a whole number: expected 1 to"),
            ("boids = \"\"", "mine.toml:1:9: boids =  is not a number: expected 1 to"),
            ("boids = [1]", "mine.toml:1:9: boids takes a single value"),
            ("boids = ", "mine.toml:1:"),
            ("rate = 961", "mine.toml:1:8: rate = 961 is out of range: expected 0.1 to 960"),
            ("world = \"auto\"", "mine.toml:1:15: missing key `area`"),
            ("world = {}", "mine.toml:1:9: world takes a single value"),
            ("[cohesoin]\nweight = 1", "mine.toml:1:2: unknown key `cohesoin`"),
        ] {
            assert!(error(text).starts_with(start), "{}", error(text));
        }
    }

    #[test]
    fn conflicts_point_to_the_later_of_the_keys() {
        for (text, start) in [
            ("alignment.radius = inf\nrate = 9\n", "mine.toml:2:11: alignment.radius = inf"),
            ("speed.max = 2\nspeed.min = 3\nrate = 9\n", "mine.toml:3:7: speed.min = 3 is above speed.max = 2"),
            ("speed.min = 3\nspeed.max = 2\nrate = 9\n", "mine.toml:3:7: speed.min = 3 is above speed.max = 2"),
            ("vicsek.vectorial = 1\nboids = 9\n", "mine.toml:2:8: the model boids does not use vicsek.vectorial"),
            // The keys that the model uses are advice.
            (
                "model = \"vicsek\"\nseparation.radius = 3\nspeed.max = 2\n",
                "mine.toml:3:12: the model vicsek does not use separation.radius",
            ),
            ("predators = 1\nmodel = \"vicsek\"\nrate = 9\n", "mine.toml:3:1: no predators in the model vicsek"),
        ] {
            let error = error(&format!("world = \"9x9\"\n{text}"));
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn zones_are_relative_to_the_world() {
        let text = "world = \"800x600\"\n[obstacle]\nclearance = 3\n[[zone]]\nkind = \"obstacle\"\nat = [0.5, 0.25]\nradius = 40\n";
        let zone = Zone::new(ZoneKind::Obstacle, [400.0, 150.0, 0.0], 40.0);
        assert_eq!(parse(text).unwrap().setup(1, 1.6).zones, [zone]);
        for (from, to, expected) in [
            (
                "obstacle\"",
                "obstacel\"",
                "mine.toml:5:8: kind = obstacel is not one of obstacle, food, roost; did you mean `obstacle`?",
            ),
            ("radius =", "raduis =", "mine.toml:7:1: unknown key `raduis`; did you mean `radius`?"),
            ("[0.5, 0.25]", "[0.5]", "mine.toml:6:6: at takes two or three fractions"),
            ("[0.5, 0.25]", "[0.5, 1.25]", "mine.toml:6:6: at takes"),
            ("radius = 40", "radius = nan", "mine.toml:7:10: radius takes a number above 0"),
            ("radius = 40\n", "", "missing key `radius`"),
            ("radius = 40", "radius = 400", "mine.toml:4:1: invalid zone `obstacle:400,150:400`: it takes more than"),
            ("[[zone]]", "[zone]", "mine.toml:4:1: `zone` must be a list of tables"),
        ] {
            let error = error(&text.replace(from, to));
            assert!(error.contains(expected), "{error}");
        }
        assert!(error("zone = [1]").starts_with("mine.toml:1:9: each zone must be a table"));
    }

    #[test]
    fn an_error_about_a_parameter_of_another_model_names_the_presets_that_use_it() {
        let error = |preset: &str, key: &str| {
            let row = ModelRow::of(&Preset::load(preset).unwrap().params);
            with_users(row.unused(Param::find(key).unwrap()).into()).to_string()
        };
        let few = error("drones", "vicsek.vectorial");
        assert_eq!(few, "the model boids does not use vicsek.vectorial; the presets vicsek and bands do");
        let many = error("vicsek", "separation.radius");
        let start = "the model vicsek does not use separation.radius; the presets murmuration, starlings, trio and ";
        assert!(many.starts_with(start) && many.ends_with(" others do"), "{many}");
    }

    #[test]
    fn settings_apply_to_their_preset_and_only_there() {
        let param = Param::find("cohesion.weight").unwrap();
        let setting = PresetSetting { param, value: Value::Number(0.05), source: "config.toml:2".into() };
        let mut settings = PresetSettings::default();
        settings.insert("herring", vec![setting]);
        let weight = |name: &str| settings.apply(Preset::load(name).unwrap()).unwrap().params.cohesion.weight;
        assert_eq!(weight("herring"), 0.05);
        assert_eq!(weight("drones"), Preset::load("drones").unwrap().params.cohesion.weight);
    }
}
