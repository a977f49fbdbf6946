//! Output files and messages shared by `run`, `shot` and `record`.

use std::io::{self, Write};
use std::path::Path;

use super::args::FlockArgs;
use crate::config::{ConfigError, remove_temp_files};
use crate::export::OutputFile;
use crate::terminal::Signals;

/// Opens output files before the simulation, which may take long, and starts to listen for signals.
///
/// # Errors
///
/// [`ConfigError::File`] if a file cannot be opened, or the signal handler cannot be installed.
pub(super) fn open<const N: usize>(
    paths: [Option<&Path>; N],
) -> Result<([Option<OutputFile>; N], Signals), ConfigError> {
    let mut files = [const { None }; N];
    // Opening a pipe waits for its reader. Until signals are handled, they end the program there, and no temporary file
    // exists that would be left behind.
    for (file, path) in files.iter_mut().zip(paths) {
        *file = path.filter(|path| OutputFile::may_wait(path)).map(OutputFile::open).transpose()?;
    }
    let signals = Signals::for_termination(remove_temp_files).map_err(ConfigError::io("signals"))?;
    for (file, path) in files.iter_mut().zip(paths) {
        if let (None, Some(path)) = (&file, path) {
            *file = Some(OutputFile::open(path)?);
        }
    }
    Ok((files, signals))
}

/// The same for a single file.
pub(super) fn open_one(path: &Path) -> Result<(OutputFile, Signals), ConfigError> {
    let ([file], signals) = open([Some(path)])?;
    Ok((file.expect("a path was given"), signals))
}

/// Prints the seed to standard error if it was picked at random.
///
/// # Errors
///
/// [`ConfigError::File`] if standard error cannot be written to.
pub(super) fn print_random_seed(args: &FlockArgs, seed: u64) -> Result<(), ConfigError> {
    if args.seed.is_some() {
        return Ok(());
    }
    writeln!(io::stderr(), "seed {seed}").map_err(ConfigError::io("standard error"))
}
