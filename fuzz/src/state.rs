//! A flock's state as CSV.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use flockscope::config::Preset;
use flockscope::export::csv::{StateCsv, read_from};
use flockscope::export::{FlockWriter, OutputFile};
use flockscope::sim::{Flock, Setup};
use tempfile::TempDir;

use super::sentence;

/// Presets with a flat world and a deep one: a state may be of either.
static PRESETS: LazyLock<[Preset; 2]> =
    LazyLock::new(|| ["drones", "sphere"].map(|name| Preset::load(name).expect("it is built in")));
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("there is shortest for a file"));

pub fn body(data: &[u8]) {
    for preset in PRESETS.iter() {
        let setup = preset.setup(1, 1.6);
        match read_from(data, Path::new("mine.csv")) {
            Ok(state) => match state.into_flock(&setup) {
                Ok(flock) => returns(&flock, &setup),
                Err(error) => sentence::check(&error),
            },
            Err(error) => return sentence::check(&error),
        }
    }
}

/// A flock that is written down goes on from there as it is.
fn returns(flock: &Flock, setup: &Setup) {
    let file = FOLDER.path().join("state.csv");
    let mut out = StateCsv::new(OutputFile::open(&file).unwrap(), true).unwrap();
    out.write(flock).unwrap();
    Box::new(out).finish().unwrap();
    let again = read_from(&fs::read(&file).unwrap()[..], &file).and_then(|state| state.into_flock(setup)).unwrap();
    assert_eq!((again.tick(), again.hash()), (flock.tick(), flock.hash()));
}
