//! Recorded trajectories as CSV and as extended XYZ.

use std::path::Path;
use std::sync::Arc;

use flockscope::error::InputError;
use flockscope::export::columns::Columns;
use flockscope::export::state::{StateFormat, StateWriter};
use flockscope::sim::{Analyzer, Measure, Timeline};
use flockscope::tracks::{Player, ReadOptions, read_text};

use super::sentence;

/// Frames that are written and read again.
const FRAMES: usize = 20;

pub fn body(data: &[u8]) {
    for name in ["mine.csv", "mine.xyz", "mine.dump"] {
        let recording = match read_text(data, Path::new(name), &ReadOptions::default()) {
            Ok((recording, _)) => Arc::new(recording),
            Err(error) => {
                sentence::check(&InputError::from(error));
                continue;
            }
        };
        let mut player = Player::new(&recording);
        let (mut rows, format) = (Vec::new(), StateFormat::Csv(Columns::State));
        let mut writer = StateWriter::new(&format, &player, Some(&recording), "fuzz").unwrap();
        writer.write_header(&mut rows).unwrap();
        let mut states = 0;
        for frame in 0..recording.frames().min(FRAMES) {
            player.show(frame);
            writer.write(&player, &mut rows).unwrap();
            player.draw_between(false, 0.5, &mut |picture| {
                assert!(picture.agents.iter().flat_map(|row| row.position).all(f32::is_finite));
            });
            let measures = [&Measure::POLARIZATION, &Measure::NEAREST_NEIGHBOR];
            let values = Analyzer::new().values(&player, usize::MAX, &measures);
            // The distance is NaN for fewer than two animals.
            assert!(values[0] <= 1.0 && (values[1].is_nan() || values[1] >= 0.0), "{values:?}");
            states += recording.rows(frame).len();
        }
        // Frames without animals leave no rows.
        let (again, _) = read_text(&rows[..], Path::new("again.csv"), &ReadOptions::default()).unwrap();
        assert_eq!((0..again.frames()).map(|frame| again.rows(frame).len()).sum::<usize>(), states);
    }
}
