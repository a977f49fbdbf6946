//! A flock's state as CSV.

use std::path::Path;
use std::sync::LazyLock;

use flockscope::config::Preset;
use flockscope::export::columns::Columns;
use flockscope::export::csv::read_from;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::sim::{Flock, Setup};

use super::sentence;

/// Presets with a flat world and a deep one: a state may be of either.
static PRESETS: LazyLock<[Preset; 2]> =
    LazyLock::new(|| ["drones", "sphere"].map(|name| Preset::load(name).expect("it is built in")));

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
    let mut rows = Vec::new();
    let mut writer = StateWriter::new(&StateFormat::Csv(Columns::State), flock, None, "fuzz").unwrap();
    writer.write_header(&mut rows).unwrap();
    writer.write(flock, &mut rows).unwrap();
    let again = read_from(&rows[..], Path::new("state.csv")).and_then(|state| state.into_flock(setup)).unwrap();
    assert_eq!((again.tick(), again.hash()), (flock.tick(), flock.hash()));
}
