//! Recorded trajectories as CSV and as extended XYZ.

use std::path::Path;

use flockscope::export::columns::Columns;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::export::trajectory::{TrajectoryOptions, read_text};
use flockscope::sim::{Analyzer, Replay, Scratch, SharedLog};

use super::sentence;

/// Frames that are written and read again.
const FRAMES: usize = 20;

pub fn body(data: &[u8]) {
    for name in ["mine.csv", "mine.xyz", "mine.dump"] {
        let log = match read_text(data, Path::new(name), &TrajectoryOptions::default()) {
            Ok(recording) => recording.session.log,
            Err(error) => {
                sentence::check(&error);
                continue;
            }
        };
        let mut replay = Replay::new(SharedLog::new(log)).unwrap();
        let (mut rows, mut scratch) = (Vec::new(), Scratch::new());
        let mut writer = StateWriter::new(&StateFormat::Csv(Columns::State), replay.flock(), "fuzz").unwrap();
        writer.write_header(&mut rows).unwrap();
        let mut states = Vec::new();
        for _ in 0..FRAMES {
            writer.write(replay.flock(), &mut rows).unwrap();
            let between = replay.flock().between_frames(false, 0.5);
            let rows = between.iter().flat_map(|flock| flock.agents().iter());
            assert!(rows.flat_map(|row| row.position).all(f32::is_finite));
            let measures = Analyzer::new().measure(replay.flock(), usize::MAX);
            assert!(measures.polarization <= 1.0 && measures.nearest_neighbor >= 0.0, "{measures:?}");
            states.push(replay.flock().rows().len());
            if replay.tick() == replay.last_tick() {
                break;
            }
            replay.step(&mut scratch).unwrap();
        }
        // Frames without animals leave no rows.
        let again = read_text(&rows[..], Path::new("again.csv"), &TrajectoryOptions::default()).unwrap();
        let again = again.session.log.start().trajectories().unwrap().clone();
        let rows = (0..again.frames()).map(|frame| again.rows(frame).len());
        assert_eq!(rows.sum::<usize>(), states.iter().sum::<usize>());
    }
}
