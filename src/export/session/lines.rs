//! The lines of a session file as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::FORMAT;
use super::values::{
    ParamKey, PerchText, PerchWithGlyph, PlaneText, RowText, ShelterText, ZoneText, find, hash, numbers, parse,
    pointer_text, read_hash, read_numbers, read_pointer, read_zone, zone_text,
};
use crate::config::{NamedFile, Preset};
use crate::picture::GlyphTable;
use crate::sim::{
    Command, FirstAgents, Formation, Param, Params, Perch, Row, SessionEvent, SessionStart, Setup, Start,
};

/// Maximum length of the text of a preset.
const MAX_PRESET_BYTES: usize = 1 << 20;
/// The name of a preset that no file can have.
const UNNAMED: &str = "session";

/// The first line.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct SessionHeader {
    #[serde(rename = "flockscope-session")]
    format: u32,
    pub program: String,
    preset: PresetText,
    pub rate: f32,
    // Read by `SessionHeader::read`: to flatten, serde would hold every unknown field of a foreign file in memory.
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
    /// The number of ticks of the change, and the parameters.
    SetAll(u32, BTreeMap<ParamKey, String>),
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

impl SessionHeader {
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
                FirstAgents::FromSetup => None,
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
        let agents = match &self.state {
            Some(state) => FirstAgents::At(state.tick, state.agents.iter().map(|row| row.0).collect()),
            None => FirstAgents::FromSetup,
        };
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
    pub(super) fn of(event: &SessionEvent, glyphs: &GlyphTable) -> Self {
        let command = match event {
            SessionEvent::Hash(number) => return Self::Hash(hash(*number)),
            SessionEvent::Command(command) => command,
        };
        match command {
            Command::SetParam(param, value) => Self::Set(format!("{}={value}", param.key)),
            Command::SetParams(values, ticks) => Self::SetAll(
                *ticks,
                values.iter().map(|(param, value)| (ParamKey(param.key), value.to_string())).collect(),
            ),
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
            Command::Call(formation) => Self::Call(FormationText::of(formation, glyphs)),
            Command::Place(formation) => Self::Place(FormationText::of(formation, glyphs)),
            Command::Release => Self::Release,
        }
    }

    /// The end of a session whose last state has this hash, if it is known.
    pub(super) fn end(last: Option<u64>) -> Self {
        Self::End(last.map(hash))
    }

    /// The event, whose glyphs join the table; `None` for the end without a hash.
    pub(super) fn event(self, glyphs: &GlyphTable) -> Result<Option<SessionEvent>, String> {
        let command = match self {
            Self::Hash(text) | Self::End(Some(text)) => return Ok(Some(SessionEvent::Hash(read_hash(&text)?))),
            Self::End(None) => return Ok(None),
            Self::Set(text) => {
                let invalid = || format!("invalid parameter `{text}`: expected KEY=VALUE");
                let (key, value) = text.split_once('=').ok_or_else(invalid)?;
                let param = find(key)?;
                Command::SetParam(param, param.parse(value).map_err(|error| error.to_string())?)
            }
            Self::SetAll(ticks, values) => {
                let values = values.iter().map(|(key, text)| {
                    let param = find(key.0)?;
                    Ok((param, param.parse(text).map_err(|error| error.to_string())?))
                });
                Command::SetParams(values.collect::<Result<_, String>>()?, ticks)
            }
            Self::Boids(count) => Command::SetBoids(count),
            Self::Predators(count) => Command::SetPredators(count),
            Self::Reseed(seed) => Command::Reseed(seed),
            Self::Restart => Command::Restart,
            Self::Resize(world) => Command::Resize(parse(&world)?),
            Self::AddZone(zone) => Command::AddZone(read_zone(&zone)?),
            Self::MoveZone(number, center) => {
                let invalid = || format!("invalid center `{center}`: expected x,y,z");
                Command::MoveZone(number, read_numbers(&center).ok_or_else(invalid)?)
            }
            Self::RemoveZone(number) => Command::RemoveZone(number),
            Self::Morph(ticks, setup) => Command::Morph(Box::new(setup.read()?), ticks),
            Self::NewFlock(setup) => Command::Replace(Box::new(setup.read()?)),
            Self::Pointer(pointer) => Command::SetPointer(pointer.map(|text| read_pointer(&text)).transpose()?),
            Self::Call(formation) => Command::Call(formation.read(glyphs)),
            Self::Place(formation) => Command::Place(formation.read(glyphs)),
            Self::Release => Command::Release,
        };
        Ok(Some(SessionEvent::Command(command)))
    }
}

/// A formation. Perches, plane and shelter are text.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct FormationText {
    perches: Vec<PerchText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    plane: Option<PlaneText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shelter: Option<ShelterText>,
}

impl FormationText {
    fn of(formation: &Formation, glyphs: &GlyphTable) -> Self {
        let perches = formation.perches.iter();
        let perches = perches.map(|perch| {
            let glyph = perch.number.and_then(|number| glyphs.glyph(number));
            PerchText(PerchWithGlyph { at: perch.at, glyph })
        });
        Self {
            perches: perches.collect(),
            plane: formation.plane.map(PlaneText),
            shelter: formation.shelter.map(ShelterText),
        }
    }

    fn read(self, glyphs: &GlyphTable) -> Arc<Formation> {
        let perches = self.perches.into_iter();
        let perches = perches.map(|PerchText(perch)| {
            let number = perch.glyph.map(|glyph| glyphs.number(&glyph));
            Perch { at: perch.at, number }
        });
        let (plane, shelter) = (self.plane.map(|plane| plane.0), self.shelter.map(|shelter| shelter.0));
        Arc::new(Formation { perches: perches.collect(), plane, shelter })
    }
}
