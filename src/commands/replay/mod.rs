//! `flockscope replay --verify`: compare a session with its replay.

pub(super) mod session;

use std::io::{self, Write};

use crate::commands::args::ReplayArgs;
use crate::commands::progress::Progress;
use crate::commands::setup::threads;
use crate::config::{ConfigError, remove_temp_files, simd};
use crate::engine::in_pool;
use crate::sim::{Replay, Scratch, SessionEvent};
use crate::terminal::Signals;
use session::{impossible, open, replay};

/// Replays a session and compares every hash in its file. Returns the signal that stopped it early, if any.
///
/// # Errors
///
/// [`ConfigError`] if the file cannot be read, a command is impossible, or a hash differs.
pub fn verify(args: &ReplayArgs) -> Result<Option<i32>, ConfigError> {
    let path = &args.file;
    let file = open(path)?;
    let simd = simd()?;
    let signals = Signals::for_termination(remove_temp_files).map_err(ConfigError::io("signals"))?;
    let (start, end) = (file.log.start().tick(), file.log.tick());
    let progress = Progress::new(end - start);
    let body = |scratch: &mut Scratch| {
        scratch.set_simd(simd);
        let mut replay = replay(path, &file)?;
        while replay.tick() < end && replay.divergence().is_none() && signals.pending().is_none() {
            replay.step(scratch).map_err(|error| impossible(path, &error))?;
            progress.show(replay.tick() - start);
        }
        Ok::<Replay, ConfigError>(replay)
    };
    let replayed = in_pool(threads(args.threads), body)?;
    if let Some(divergence) = replayed.divergence() {
        let message = format!("{divergence} (recorded with flockscope {})", file.program);
        let line = divergence.event as u64 + 2;
        return Err(ConfigError::Line { file: path.display().to_string(), line, message });
    }
    if let Some(signal) = signals.pending() {
        return Ok(Some(signal));
    }
    let hashes = file.log.events().iter().filter(|(_, event)| matches!(event, SessionEvent::Hash(_))).count();
    let agree = if hashes == 1 { "hash agrees" } else { "hashes agree" };
    writeln!(io::stdout(), "{} ticks, {hashes} {agree}", end - start).map_err(ConfigError::io("-"))?;
    Ok(None)
}
