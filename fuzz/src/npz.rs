//! A flock's state as NPZ.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use flockscope::config::Preset;
use flockscope::error::InputError;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::sim::{Flock, Setup};
use flockscope::tracks::npz::read_states;

use super::sentence;
use super::state::flock_of;

static SETUP: LazyLock<Setup> = LazyLock::new(|| Preset::load("drones").expect("it is built in").setup(1, 1.6));

pub fn body(data: &[u8]) {
    let read = |data: &[u8]| -> Result<Flock, InputError> {
        flock_of(&read_states(Cursor::new(data), Path::new("mine.npz"))?, &SETUP)
    };
    let flock = match read(data) {
        Ok(flock) => flock,
        Err(error) => return sentence::check(&error),
    };
    let mut bytes = Vec::new();
    let mut writer = StateWriter::new(&StateFormat::Npz("-".into()), &flock, None, "fuzz").unwrap();
    writer.write(&flock, &mut bytes).unwrap();
    writer.finish(&mut bytes).unwrap();
    let again = read(&bytes).unwrap();
    assert_eq!((again.tick(), again.hash()), (flock.tick(), flock.hash()));
}
