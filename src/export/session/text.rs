//! The parts of a session file as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::FORMAT;
use super::perch::{perch_text, read_perch};
use crate::config::{NamedFile, Preset};
use crate::export::Shortest;
use crate::sim::{
    Command, FirstAgents, Formation, Kind, Param, Params, Perch, Plane, Pointer, Row, SessionStart, Setup, Start, Zone,
};

/// Maximum length of the text of a preset.
const MAX_PRESET_BYTES: usize = 1 << 20;
/// The name of a preset that no file can have.
const UNNAMED: &str = "session";

/// The first line.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Header {
    #[serde(rename = "flockscope-session")]
    format: u32,
    pub program: String,
    preset: PresetText,
    pub rate: f32,
    // Read by `Header::read`: to flatten, serde would hold every unknown field of a foreign file in memory.
    #[serde(flatten, skip_deserializing)]
    setup: SetupText,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<StateText>,
}

#[derive(Debug, Deserialize, Serialize)]
struct PresetText {
    name: String,
    text: String,
}

#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct SetupText {
    seed: u64,
    boids: usize,
    predators: usize,
    world: String,
    start: String,
    params: BTreeMap<ParamKey, String>,
    zones: Vec<ZoneText>,
}

/// The tick, and each agent as `id,kind,x,y,z,vx,vy,vz,mood`, and `,bank` unless it is 0.
#[derive(Debug, Deserialize, Serialize)]
struct StateText {
    tick: u64,
    agents: Vec<RowText>,
}

/// What follows the tick in a line.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum EventText {
    /// `KEY=VALUE`.
    Set(String),
    Boids(usize),
    Predators(usize),
    Reseed(u64),
    Restart,
    Resize(String),
    AddZone(String),
    /// The number of the zone and the new center.
    MoveZone(usize, String),
    RemoveZone(usize),
    /// The number of ticks and the setup.
    Morph(u32, SetupText),
    NewFlock(SetupText),
    Pointer(Option<String>),
    Call(FormationText),
    Place(FormationText),
    Release,
    Hash(String),
    End(Option<String>),
}

impl Header {
    pub(super) fn of(preset: &Preset, rate: f32, start: &SessionStart) -> Self {
        let agents = |rows: &Vec<Row>| rows.iter().copied().map(RowText).collect();
        Self {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            preset: PresetText { name: preset.name.clone(), text: preset.text() },
            rate,
            setup: SetupText::of(&start.setup),
            state: match &start.agents {
                FirstAgents::At(tick, rows) => Some(StateText { tick: *tick, agents: agents(rows) }),
                FirstAgents::FromSetup | FirstAgents::Recorded(_) => None,
            },
        }
    }

    /// Reads the first line of a file.
    pub(super) fn read(line: &[u8]) -> serde_json::Result<Self> {
        Ok(Self { setup: serde_json::from_slice(line)?, ..serde_json::from_slice(line)? })
    }

    pub(super) fn preset(&self) -> Result<Preset, String> {
        let PresetText { name, text } = &self.preset;
        if text.len() > MAX_PRESET_BYTES {
            return Err(format!("the preset is longer than {MAX_PRESET_BYTES} bytes"));
        }
        // The name of a preset that was loaded by path may be anything.
        let name = if Preset::check_name(name).is_ok() { name } else { UNNAMED };
        Preset::from_text(name, text).map_err(|error| format!("invalid preset: {error}"))
    }

    pub(super) fn start(&self) -> Result<SessionStart, String> {
        let at = |state: &StateText| FirstAgents::At(state.tick, state.agents.iter().map(|row| row.0).collect());
        let agents = self.state.as_ref().map_or(FirstAgents::FromSetup, at);
        Ok(SessionStart { setup: self.setup.read()?, agents })
    }
}

impl SetupText {
    fn of(setup: &Setup) -> Self {
        let param = |param: &'static Param| (ParamKey(param.key), param.get(&setup.params).to_string());
        Self {
            seed: setup.seed,
            boids: setup.boids,
            predators: setup.predators,
            world: setup.world.to_string(),
            start: setup.start.name().to_owned(),
            params: Param::table().iter().map(param).collect(),
            zones: setup.zones.iter().copied().map(ZoneText).collect(),
        }
    }

    fn read(&self) -> Result<Setup, String> {
        let mut params = Params::default();
        for (key, text) in &self.params {
            let value = find(key.0)?.parse(text);
            value.and_then(|value| params.set(key.0, value)).map_err(|error| error.to_string())?;
        }
        let start = Start::from_name(&self.start)
            .ok_or_else(|| format!("start = {} is not one of {}", self.start, Start::NAMES.join(", ")))?;
        Ok(Setup {
            params,
            world: parse(&self.world)?,
            start,
            boids: self.boids,
            predators: self.predators,
            seed: self.seed,
            zones: self.zones.iter().map(|zone| zone.0).collect(),
        })
    }
}

impl EventText {
    pub(super) fn of_command(command: &Command) -> Self {
        match command {
            Command::SetParam(param, value) => Self::Set(format!("{}={value}", param.key)),
            Command::SetBoids(count) => Self::Boids(*count),
            Command::SetPredators(count) => Self::Predators(*count),
            Command::Reseed(seed) => Self::Reseed(*seed),
            Command::Restart => Self::Restart,
            Command::Resize(world) => Self::Resize(world.to_string()),
            Command::AddZone(zone) => Self::AddZone(zone_text(zone)),
            Command::MoveZone(number, center) => Self::MoveZone(*number, numbers(*center)),
            Command::RemoveZone(number) => Self::RemoveZone(*number),
            Command::Morph(setup, ticks) => Self::Morph(*ticks, SetupText::of(setup)),
            Command::Replace(setup) => Self::NewFlock(SetupText::of(setup)),
            Command::SetPointer(pointer) => Self::Pointer(pointer.as_ref().map(pointer_text)),
            Command::Call(formation) => Self::Call(FormationText::of(formation)),
            Command::Place(formation) => Self::Place(FormationText::of(formation)),
            Command::Release => Self::Release,
        }
    }

    /// The command; `None` for a hash and the end.
    pub(super) fn command(&self) -> Result<Option<Command>, String> {
        Ok(Some(match self {
            Self::Set(text) => {
                let invalid = || format!("invalid parameter `{text}`: expected KEY=VALUE");
                let (key, value) = text.split_once('=').ok_or_else(invalid)?;
                let param = find(key)?;
                Command::SetParam(param, param.parse(value).map_err(|error| error.to_string())?)
            }
            Self::Boids(count) => Command::SetBoids(*count),
            Self::Predators(count) => Command::SetPredators(*count),
            Self::Reseed(seed) => Command::Reseed(*seed),
            Self::Restart => Command::Restart,
            Self::Resize(world) => Command::Resize(parse(world)?),
            Self::AddZone(zone) => Command::AddZone(read_zone(zone)?),
            Self::MoveZone(number, center) => {
                let invalid = || format!("invalid center `{center}`: expected x,y,z");
                Command::MoveZone(*number, read_numbers(center).ok_or_else(invalid)?)
            }
            Self::RemoveZone(number) => Command::RemoveZone(*number),
            Self::Morph(ticks, setup) => Command::Morph(Box::new(setup.read()?), *ticks),
            Self::NewFlock(setup) => Command::Replace(Box::new(setup.read()?)),
            Self::Pointer(pointer) => Command::SetPointer(pointer.as_ref().map(|text| read_pointer(text)).transpose()?),
            Self::Call(formation) => Command::Call(formation.read()),
            Self::Place(formation) => Command::Place(formation.read()),
            Self::Release => Command::Release,
            Self::Hash(_) | Self::End(_) => return Ok(None),
        }))
    }
}

/// A hash as text.
pub(super) fn hash(number: u64) -> String {
    format!("{number:016x}")
}

pub(super) fn read_hash(text: &str) -> Result<u64, String> {
    u64::from_str_radix(text, 16).map_err(|_| format!("invalid hash `{text}`: expected 16 hexadecimal digits"))
}

fn parse<T: std::str::FromStr<Err = crate::sim::Error>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: crate::sim::Error| error.to_string())
}

fn find(key: &str) -> Result<&'static Param, String> {
    Param::find(key).ok_or_else(|| format!("unknown parameter `{key}`"))
}

/// The key of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ParamKey(&'static str);

/// A zone as text.
#[derive(Clone, Copy, Debug)]
struct ZoneText(Zone);

/// A formation. Perches and plane are text.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct FormationText {
    perches: Vec<PerchText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plane: Option<PlaneText>,
}

impl FormationText {
    fn of(formation: &Formation) -> Self {
        let perches = formation.perches.iter().cloned().map(PerchText).collect();
        Self { perches, plane: formation.plane.map(PlaneText) }
    }

    fn read(&self) -> Arc<Formation> {
        let perches = self.perches.iter().map(|perch| perch.0.clone()).collect();
        Arc::new(Formation { perches, plane: self.plane.as_ref().map(|plane| plane.0) })
    }
}

/// A perch as text.
#[derive(Clone, Debug)]
struct PerchText(Perch);

/// A plane as text.
#[derive(Clone, Copy, Debug)]
struct PlaneText(Plane);

/// An agent as text.
#[derive(Clone, Copy, Debug)]
struct RowText(Row);

/// Reads and writes a type as text. What is no such text ends the reading at once.
macro_rules! as_text {
    ($type:ident, $write:expr, $read:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.serialize_str(&$write(&self.0))
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                $read(&String::deserialize(input)?).map(Self).map_err(D::Error::custom)
            }
        }
    };
}

as_text!(ParamKey, str::to_owned, |text: &str| find(text).map(|param| param.key));
as_text!(ZoneText, zone_text, |text: &str| read_zone(text));
as_text!(PerchText, perch_text, |text: &str| read_perch(text));
as_text!(PlaneText, plane_text, |text: &str| read_plane(text));
as_text!(RowText, row_text, |text: &str| read_row(text));

/// A zone; if food is partly eaten, with ` of ` and the amount at the start.
fn zone_text(zone: &Zone) -> String {
    if zone.amount == zone.initial { zone.to_string() } else { format!("{zone} of {}", zone.initial) }
}

fn read_zone(text: &str) -> Result<Zone, String> {
    let Some((zone, initial)) = text.split_once(" of ") else { return parse(text) };
    let invalid = |_| format!("invalid zone `{text}`: expected an amount after `of`");
    Ok(Zone { initial: initial.parse().map_err(invalid)?, ..parse(zone)? })
}

/// `attract` or `repel`, a point, and the direction of the line in 3-D: `attract:1,2,3:0,0,1`.
fn pointer_text(pointer: &Pointer) -> String {
    let word = if pointer.attracts { "attract" } else { "repel" };
    format!("{word}:{}:{}", numbers(pointer.at), numbers(pointer.along))
}

fn read_pointer(text: &str) -> Result<Pointer, String> {
    let parts = || {
        let (word, place) = text.split_once(':')?;
        let (at, along) = place.split_once(':')?;
        let attracts = [("attract", true), ("repel", false)].into_iter().find(|(known, _)| *known == word)?.1;
        Some(Pointer { at: read_numbers(at)?, along: read_numbers(along)?, attracts })
    };
    parts().ok_or_else(|| format!("invalid pointer `{text}`: expected attract or repel, a point and a direction"))
}

/// The center, the way to the right and the way down: `1,2,3:4,0,0:0,5,0`.
fn plane_text(plane: &Plane) -> String {
    [plane.center, plane.right, plane.down].map(numbers).join(":")
}

fn read_plane(text: &str) -> Result<Plane, String> {
    let vectors: Option<Vec<[f32; 3]>> = text.split(':').map(read_numbers).collect();
    match vectors.as_deref() {
        Some(&[center, right, down]) => Ok(Plane { center, right, down }),
        _ => Err(format!("invalid plane `{text}`: expected a center, a way to the right and a way down")),
    }
}

fn row_text(row: &Row) -> String {
    let (kind, mood) = (row.kind.name(), Shortest(row.mood));
    let bank = if row.bank == 0.0 { String::new() } else { format!(",{}", Shortest(row.bank)) };
    format!("{},{kind},{},{},{mood}{bank}", row.id, numbers(row.position), numbers(row.velocity))
}

fn read_row(text: &str) -> Result<Row, String> {
    let row = || {
        let fields: Vec<&str> = text.split(',').collect();
        let [id, kind, x, y, z, vx, vy, vz, mood, ref bank @ ..] = fields[..] else { return None };
        let number = |text: &str| text.parse::<f32>().ok();
        let bank = match bank {
            [] => 0.0,
            [bank] => number(bank)?,
            _ => return None,
        };
        Some(Row {
            id: id.parse().ok()?,
            kind: Kind::from_name(kind)?,
            position: [number(x)?, number(y)?, number(z)?],
            velocity: [number(vx)?, number(vy)?, number(vz)?],
            mood: number(mood)?,
            bank,
        })
    };
    row().ok_or_else(|| format!("invalid agent `{text}`: expected id,kind,x,y,z,vx,vy,vz,mood and optionally bank"))
}

pub(super) fn numbers(numbers: [f32; 3]) -> String {
    let [x, y, z] = numbers.map(Shortest);
    format!("{x},{y},{z}")
}

pub(super) fn read_numbers(text: &str) -> Option<[f32; 3]> {
    let numbers: Vec<f32> = text.split(',').map(|text| text.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}
