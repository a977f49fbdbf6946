//! A session file.

use std::path::Path;

use flockscope::export::session::{SessionFile, read_from, write};
use flockscope::sim::{Command, Scratch, Session, SessionEvent, Timeline};

use super::sentence;

/// Larger flocks take too long.
const MAX_AGENTS: usize = 2000;
/// The number of ticks to replay.
const TICKS: u64 = 8;

pub fn body(data: &[u8]) {
    match read_from(data, Path::new("mine.flock")) {
        Ok(file) => {
            returns(&file);
            replay(&file);
        }
        Err(error) => sentence::check(&error),
    }
}

/// What was read is written as it is.
fn returns(file: &SessionFile) {
    let mut bytes = Vec::new();
    write(&file.preset, file.rate, &file.log, &file.glyphs, None, &mut bytes).unwrap();
    let again = read_from(&bytes[..], Path::new("again.flock")).unwrap();
    let text = |file: &SessionFile| format!("{:?} {:?}", file.log.start(), file.log.events());
    assert_eq!((text(&again), again.log.tick()), (text(file), file.log.tick()));
}

/// A command is applied or refused.
fn replay(file: &SessionFile) {
    let setup = &file.log.start().setup;
    if setup.boids.saturating_add(setup.predators) > MAX_AGENTS || has_large_counts(file) {
        return;
    }
    let Ok(mut replay) = Session::open(file.log.clone(), 0) else { return };
    let mut scratch = Scratch::new();
    for _ in 0..TICKS {
        // The first time, also the commands at the first tick.
        if replay.finish(&mut scratch).and_then(|()| replay.advance(&mut scratch)).is_err() {
            return;
        }
    }
}

/// Whether a command makes the flock large.
fn has_large_counts(file: &SessionFile) -> bool {
    file.log.events().iter().any(|(_, event)| match event {
        SessionEvent::Command(Command::SetBoids(count) | Command::SetPredators(count)) => *count > MAX_AGENTS,
        SessionEvent::Command(Command::Morph(setup, _) | Command::Replace(setup)) => {
            setup.boids.saturating_add(setup.predators) > MAX_AGENTS
        }
        _ => false,
    })
}
