//! Recorded trajectories: the states of animals that were observed, frame by frame.

use super::agents::Row;

/// The states of animals in successive frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectories {
    /// The coordinates of the point that positions are relative to. It was subtracted in f64: f32 is precise enough for the
    /// distance from a point nearby, but not for coordinates on a map.
    pub origin: [f64; 3],
    /// The unit of length.
    pub unit: String,
    /// Frames per second, counted by their numbers, if known.
    pub frame_rate: Option<f64>,
    /// The number of the first frame.
    pub first: u64,
    /// The number of the last frame.
    pub last: u64,
    /// The difference between the numbers of successive frames; the last one may follow early.
    pub stride: u64,
    /// The time of the frame with the number 0, in seconds.
    pub start_time: f64,
    /// The names of the animals by id, if they are not numbers.
    pub names: Vec<String>,
    /// Whether velocities were derived from the positions, so that both together describe smooth paths.
    pub has_derived_velocities: bool,
    /// The states, by frame and then by id.
    rows: Vec<Row>,
    /// Where each frame begins in the rows, and the number of rows.
    starts: Vec<usize>,
    /// The coordinates of each state.
    coordinates: Vec<[f64; 3]>,
}

/// The state of an animal in a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedState {
    /// The index of the frame.
    pub frame: usize,
    /// As in the file, but in the unit of the recording.
    pub coordinates: [f64; 3],
    /// The state, relative to the origin.
    pub row: Row,
}

impl Trajectories {
    /// Trajectories from states in any order. A frame has one state of each animal at most.
    pub fn new(mut states: Vec<RecordedState>) -> Self {
        states.sort_by_key(|state| (state.frame, state.row.id));
        let frames = states.last().map_or(0, |state| state.frame + 1);
        let mut starts = vec![0; frames + 1];
        for state in &states {
            starts[state.frame + 1] += 1;
        }
        for frame in 0..frames {
            starts[frame + 1] += starts[frame];
        }
        let rows = states.iter().map(|state| state.row).collect();
        let coordinates = states.iter().map(|state| state.coordinates).collect();
        let last = frames.saturating_sub(1) as u64;
        Self { unit: "u".to_owned(), last, stride: 1, rows, starts, coordinates, ..Self::default() }
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of animals in all frames together.
    pub fn animals(&self) -> usize {
        let mut ids: Vec<u32> = self.rows.iter().map(|row| row.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.len()
    }

    /// The states of a frame, in order of ids; empty past the last one.
    pub fn rows(&self, frame: usize) -> &[Row] {
        let bounds = self.starts.get(frame).zip(self.starts.get(frame + 1));
        bounds.map_or(&[], |(begin, end)| &self.rows[*begin..*end])
    }

    /// The states of all frames, frame by frame.
    pub fn all_rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of a frame in the file.
    pub fn number(&self, frame: usize) -> u64 {
        let number = self.first + frame as u64 * self.stride;
        if frame + 1 < self.frames() { number } else { self.last }
    }

    /// How many of the frames make a second, if known.
    pub fn shown_per_second(&self) -> Option<f64> {
        self.frame_rate.map(|rate| rate / self.stride as f64)
    }

    /// The name of an animal, if animals have names.
    pub fn name(&self, id: u32) -> Option<&str> {
        self.names.get(id as usize).map(String::as_str)
    }

    /// A unit of the simulation, such as u/tick, in those of the recording.
    pub fn unit_of(&self, unit: &str) -> String {
        let parts = unit.split('/').map(|part| match part {
            "u" => &self.unit,
            "tick" => "frame",
            "boids" => "animals",
            other => other,
        });
        parts.collect::<Vec<_>>().join("/")
    }

    /// The coordinates of an animal in a frame, as in the file but in the unit of the recording.
    pub fn coordinates(&self, frame: usize, id: u32) -> Option<[f64; 3]> {
        let index = self.rows(frame).binary_search_by_key(&id, |row| row.id).ok()?;
        self.coordinates.get(self.starts[frame] + index).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;

    #[test]
    fn states_are_sorted_by_frame_and_id() {
        let state = |frame, id, x| {
            let row = Row { id, kind: Kind::Prey, position: [0.0; 3], velocity: [0.0; 3], mood: 0.0, bank: 0.0 };
            RecordedState { frame, coordinates: [x, 0.0, 0.0], row }
        };
        let trajectories = Trajectories::new(vec![state(2, 1, 3.0), state(0, 5, 1.0), state(0, 2, 2.0)]);
        let ids = |frame| trajectories.rows(frame).iter().map(|row| row.id).collect::<Vec<_>>();
        assert_eq!([0, 1, 2, 3].map(ids), [vec![2, 5], vec![], vec![1], vec![]]);
        let x = |frame, id| trajectories.coordinates(frame, id).map(|[x, ..]| x);
        assert_eq!([x(0, 2), x(0, 5), x(2, 1), x(2, 5), x(9, 1)], [Some(2.0), Some(1.0), Some(3.0), None, None]);
        assert_eq!((trajectories.frames(), trajectories.animals(), Trajectories::new(Vec::new()).frames()), (3, 3, 0));
    }
}
