//! The metadata that `run` writes beside a file of states.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use serde_json::Value as Json;

use crate::sim::{Param, Params, World};

/// Maximum size of the metadata, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// What the metadata say about the flock.
#[derive(Debug)]
pub(super) struct Sidecar {
    pub preset: String,
    pub world: World,
    pub params: Params,
}

impl Sidecar {
    /// The metadata beside a file, if `run` wrote them about a simulated flock.
    pub(super) fn of(file: &Path) -> Option<Self> {
        let mut path = file.as_os_str().to_owned();
        path.push(".json");
        let metadata: Json = serde_json::from_reader(BufReader::new(File::open(path).ok()?.take(MAX_BYTES))).ok()?;
        metadata.get("flockscope")?;
        let mut params = Params::default();
        for (key, value) in metadata.get("params")?.as_object()? {
            let param = Param::find(key)?;
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            params.set(param.key, param.parse(&text).ok()?).ok()?;
        }
        let world = metadata.get("world")?.get("size")?.as_str()?.parse().ok()?;
        let preset = metadata.get("preset")?.get("name")?.as_str()?.to_owned();
        // A value of the model would be among the parameters otherwise.
        let model = metadata.get("model")?.get("name")?.as_str()?;
        let param = Param::find("model")?;
        params.set(param.key, param.parse(model).ok()?).ok()?;
        Some(Self { preset, world, params })
    }
}
