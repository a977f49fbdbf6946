//! The metadata that `run` writes beside a file of states.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use flockscope_sim::{Param, Params, World};

/// Maximum size of the metadata, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// What the metadata say about the states.
#[derive(Debug, Default)]
pub(super) struct Sidecar {
    /// The simulated flock, unless the states are a recording.
    pub flock: Option<SimulatedFlock>,
    /// The unit of length.
    pub unit: Option<String>,
    /// Frames per second.
    pub frame_rate: Option<f64>,
}

/// The flock of a run.
#[derive(Debug)]
pub(super) struct SimulatedFlock {
    pub preset: String,
    pub world: World,
    pub params: Params,
}

impl Sidecar {
    /// The metadata beside a file; nothing is known without metadata of `run`.
    pub(super) fn of(file: &Path) -> Self {
        Self::read(file).unwrap_or_default()
    }

    fn read(file: &Path) -> Option<Self> {
        let mut path = file.as_os_str().to_owned();
        path.push(".json");
        // A pipe would block, and files of the system in `/proc`, which have no size, may too.
        fs::metadata(&path).ok().filter(|found| found.is_file() && (1..=MAX_BYTES).contains(&found.len()))?;
        let metadata: Json = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        metadata.get("flockscope")?;
        let length = metadata.get("units").and_then(|units| units.get("length")?.as_str());
        Some(Self {
            flock: SimulatedFlock::read(&metadata),
            unit: length.map(str::to_owned),
            frame_rate: metadata.get("recording").and_then(|recording| recording.get("frame_rate")?.as_f64()),
        })
    }
}

impl SimulatedFlock {
    fn read(metadata: &Json) -> Option<Self> {
        let text = |object: &str, field: &str| metadata.get(object)?.get(field)?.as_str();
        let mut params = Params::default();
        let mut set = |key: &str, value: &str| {
            let param = Param::find(key)?;
            params.set(param.key, param.parse(value).ok()?).ok()
        };
        set("model", text("model", "name")?)?;
        for (key, value) in metadata.get("params")?.as_object()? {
            set(key, &value.as_str().map_or_else(|| value.to_string(), str::to_owned))?;
        }
        Some(Self { preset: text("preset", "name")?.to_owned(), world: text("world", "size")?.parse().ok()?, params })
    }
}
