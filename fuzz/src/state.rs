//! A flock's state as CSV.

use std::path::Path;
use std::sync::LazyLock;

use flockscope::config::Preset;
use flockscope::error::InputError;
use flockscope::export::columns::Columns;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::sim::{Flock, Setup};
use flockscope::tracks::states::{SavedState, read_csv_states};

use super::sentence;

/// Presets with a flat world and a deep one: a state may be of either.
static PRESETS: LazyLock<[Preset; 2]> =
    LazyLock::new(|| ["drones", "sphere"].map(|name| Preset::load(name).expect("it is built in")));

pub fn body(data: &[u8]) {
    for preset in PRESETS.iter() {
        let setup = preset.setup(1, 1.6);
        match read_csv_states(data, Path::new("mine.csv")).map_err(InputError::from) {
            Ok(state) => match flock_of(&state, &setup) {
                Ok(flock) => returns(&flock, &setup),
                Err(error) => sentence::check(&error),
            },
            Err(error) => return sentence::check(&error),
        }
    }
}

/// The flock that continues from a state.
pub(super) fn flock_of(state: &SavedState, setup: &Setup) -> Result<Flock, InputError> {
    let flock = Flock::from_rows(setup, state.tick, &state.sorted_rows());
    flock.map_err(|error| state.invalid_row(setup).map_or(error.into(), InputError::from))
}

/// A flock that is written down goes on from there as it is.
fn returns(flock: &Flock, setup: &Setup) {
    let mut rows = Vec::new();
    let mut writer = StateWriter::new(&StateFormat::Csv(Columns::State), flock, None, "fuzz").unwrap();
    writer.write_header(&mut rows).unwrap();
    writer.write(flock, &mut rows).unwrap();
    let again = flock_of(&read_csv_states(&rows[..], Path::new("state.csv")).unwrap(), setup).unwrap();
    assert_eq!((again.tick(), again.hash()), (flock.tick(), flock.hash()));
}
