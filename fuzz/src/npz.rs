//! A flock's state as NPZ.

use std::io::Cursor;
use std::path::Path;
use std::sync::LazyLock;

use flockscope::config::Preset;
use flockscope::export::npz::read_from;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::sim::Setup;

use super::sentence;

static SETUP: LazyLock<Setup> = LazyLock::new(|| Preset::load("drones").expect("it is built in").setup(1, 1.6));

pub fn body(data: &[u8]) {
    let read =
        |data: &[u8]| read_from(Cursor::new(data), Path::new("mine.npz")).and_then(|state| state.into_flock(&SETUP));
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
