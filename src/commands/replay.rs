//! `flockscope replay --verify`: compares a session with its replay.

use std::io::Write;

use super::args::ReplayArgs;
use super::flock_setup::in_simd_pool;
use super::output::{Progress, signals};
use super::replay_file::{impossible, open_session};
use crate::error::InputError;
use crate::export::{counted, stdout};
use crate::sim::{ReplayError, Scratch, Session, SessionEvent, Timeline};
use crate::tracks::is_recording;

/// Replays a session and compares every hash in its file. Returns the signal that stopped it early, if any.
///
/// # Errors
///
/// [`InputError`] if the file cannot be read, a command is impossible, or a hash differs.
pub fn verify(args: &ReplayArgs) -> Result<Option<i32>, InputError> {
    let path = &args.files[0];
    if is_recording(path) {
        return Err(InputError::flag("--verify", "a recording has no hashes to compare; expected a .flock file"));
    }
    let file = open_session(path)?;
    let signals = signals()?;
    let (start, end) = (file.log.start().tick(), file.log.tick());
    let progress = Progress::new(end - start);
    let replay = |scratch: &mut Scratch| {
        let mut session = Session::open(file.log.clone(), 0)?;
        session.finish(scratch)?;
        while session.position().tick < end && session.divergence().is_none() && signals.pending().is_none() {
            session.advance(scratch)?;
            progress.show(session.position().tick - start);
        }
        Ok(session)
    };
    let replayed =
        in_simd_pool(args.threads, |scratch| replay(scratch).map_err(|error: ReplayError| impossible(path, &error)))?;
    if let Some(divergence) = replayed.divergence() {
        let message = format!("{divergence} (recorded with flockscope {})", file.program);
        return Err(InputError::line(path, divergence.event as u64 + 2, message));
    }
    if let Some(signal) = signals.pending() {
        return Ok(Some(signal));
    }
    let hashes = file.log.events().iter().filter(|(_, event)| matches!(event, SessionEvent::Hash(_))).count();
    if hashes == 0 {
        let message = format!("nothing to verify: the file has no hash up to its last tick, {end}");
        return Err(InputError::file(path, message));
    }
    let (ticks, agree) = (counted(end - start, "tick", "ticks"), counted(hashes, "hash agrees", "hashes agree"));
    writeln!(stdout(), "{ticks}, {agree}").map_err(InputError::io("-"))?;
    Ok(None)
}
