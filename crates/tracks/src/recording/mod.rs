//! Recordings: the states of animals that were observed, frame by frame.

mod beside;
mod player;
mod typical;

use std::collections::HashSet;

use chrono::{DateTime, TimeDelta};

pub use beside::Beside;
use flockscope_sim::{Edge, Kind, Metric, Params, Row, World};
pub use player::Player;
pub(crate) use typical::{quantile, typical_params};

/// The states of animals in successive frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The name, such as that of the first file without its extension.
    pub name: String,
    /// The world, whose corner is at the origin. It may have any size.
    pub world: World,
    /// The parameters that measures and pictures use: the radii of neighbors, the range of speeds and the edge.
    pub params: Params,
    /// The preset of the run that wrote the file, if one did.
    pub preset: Option<String>,
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
    /// The instant of time 0, if the times of the file are dates.
    pub start_date: Option<String>,
    /// The states, by frame and then by id.
    states: Vec<RecordedState>,
    /// Where each frame begins in the states, and the number of states.
    starts: Vec<usize>,
}

/// The state of an animal in a frame. A file may have tens of millions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordedState {
    /// As in the file, but in the unit of the recording.
    pub coordinates: [f64; 3],
    /// In units per frame number.
    pub velocity: [f32; 3],
    /// As in [`Row`].
    pub mood: f32,
    /// As in [`Row`].
    pub bank: f32,
    /// The index of the frame.
    pub frame: u32,
    /// The id of the animal.
    pub id: u32,
    /// What it is.
    pub kind: Kind,
}

impl Recording {
    /// A recording of states in any order, in an open world. A frame has one state of each animal at most.
    pub fn new(mut states: Vec<RecordedState>, world: World) -> Self {
        states.sort_unstable_by_key(|state| (state.frame, state.id));
        let frames = states.last().map_or(0, |state| state.frame as usize + 1);
        let mut starts = vec![0; frames + 1];
        for state in &states {
            starts[state.frame as usize + 1] += 1;
        }
        for frame in 0..frames {
            starts[frame + 1] += starts[frame];
        }
        let last = frames.saturating_sub(1) as u64;
        let mut params = Params::default();
        params.edge.mode = Edge::Open;
        Self {
            name: "recording".to_owned(),
            world,
            params,
            preset: None,
            origin: [0.0; 3],
            unit: "u".to_owned(),
            frame_rate: None,
            first: 0,
            last,
            stride: 1,
            start_time: 0.0,
            names: Vec::new(),
            has_derived_velocities: false,
            start_date: None,
            states,
            starts,
        }
    }

    /// The date and the time of a frame, such as `2015-09-10 07:00:05`, if the file has dates; without seconds if a minute or more is
    /// between frames.
    pub fn date_of(&self, frame: usize) -> Option<String> {
        let start = DateTime::parse_from_rfc3339(self.start_date.as_ref()?).ok()?;
        let interval = self.frame_rate?.recip();
        let seconds = self.start_time + frame as f64 * interval;
        let date = start.checked_add_signed(TimeDelta::microseconds((seconds * 1e6).round() as i64))?;
        Some(date.format(if interval.round() < 60.0 { "%Y-%m-%d %H:%M:%S" } else { "%Y-%m-%d %H:%M" }).to_string())
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of animals in all frames together.
    pub fn animals(&self) -> usize {
        self.states.iter().map(|state| state.id).collect::<HashSet<u32>>().len()
    }

    /// The largest id; `None` without animals.
    pub fn largest_id(&self) -> Option<u32> {
        self.states.iter().map(|state| state.id).max()
    }

    /// The states of a frame, in order of ids; empty past the last one.
    pub fn rows(&self, frame: usize) -> impl ExactSizeIterator<Item = Row> {
        self.states(frame).iter().map(|state| self.row(state))
    }

    /// The state of an animal in a frame.
    pub fn find(&self, frame: usize, id: u32) -> Option<Row> {
        self.state(frame, id).map(|state| self.row(state))
    }

    fn states(&self, frame: usize) -> &[RecordedState] {
        let bounds = self.starts.get(frame).zip(self.starts.get(frame + 1));
        bounds.map_or(&[], |(begin, end)| &self.states[*begin..*end])
    }

    fn state(&self, frame: usize, id: u32) -> Option<&RecordedState> {
        let states = self.states(frame);
        states.binary_search_by_key(&id, |state| state.id).ok().map(|index| &states[index])
    }

    fn row(&self, state: &RecordedState) -> Row {
        let RecordedState { coordinates, velocity, mood, bank, id, kind, .. } = *state;
        let position = [0, 1, 2].map(|axis| (coordinates[axis] - self.origin[axis]) as f32);
        Row { id, kind, position, velocity, mood, bank }
    }

    /// A state on the way to another one of the same animal, which is the next or, if `backward`, the one before; by a share from 0
    /// to 1. The path is a cubic Hermite spline if velocities are derived from positions, otherwise a line.
    fn on_the_way(&self, from: &RecordedState, to: &RecordedState, backward: bool, share: f32) -> RecordedState {
        let metric = Metric::new(&self.world, self.params.edge.mode == Edge::Wrap);
        // Velocities are per number of a frame.
        let pace = self.stride as f64 * if backward { -1.0 } else { 1.0 };
        let s = f64::from(share);
        let (s2, s3) = (s * s, s * s * s);
        let coordinates = [0, 1, 2].map(|axis| {
            let way = metric.exact_offset(axis, from.coordinates[axis], to.coordinates[axis]);
            let tangent = |state: &RecordedState| {
                if self.has_derived_velocities { f64::from(state.velocity[axis]) * pace } else { way }
            };
            let moved = way * (3.0 * s2 - 2.0 * s3) + tangent(from) * (s3 - 2.0 * s2 + s) + tangent(to) * (s3 - s2);
            let origin = self.origin[axis];
            origin + metric.exact_wrap(axis, from.coordinates[axis] + moved - origin)
        });
        let velocity = [0, 1, 2].map(|axis| from.velocity[axis] + (to.velocity[axis] - from.velocity[axis]) * share);
        RecordedState { coordinates, velocity, ..*from }
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
        self.state(frame, id).map(|state| state.coordinates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_sorted_by_frame_and_id() {
        let state = |frame, id, x| {
            let coordinates = [x, 0.0, 0.0];
            RecordedState { coordinates, velocity: [0.0; 3], mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
        };
        let world = World::Rect([9.0, 9.0]);
        let recording = Recording::new(vec![state(2, 1, 3.0), state(0, 5, 1.0), state(0, 2, 2.0)], world);
        let ids = [0, 1, 2, 3].map(|frame| recording.rows(frame).map(|row| row.id).collect::<Vec<_>>());
        assert_eq!(ids, [vec![2, 5], vec![], vec![1], vec![]]);
        let x = |frame, id| recording.coordinates(frame, id).map(|[x, ..]| x);
        assert_eq!([x(0, 2), x(0, 5), x(2, 1), x(2, 5), x(9, 1)], [Some(2.0), Some(1.0), Some(3.0), None, None]);
        assert_eq!((recording.frames(), recording.animals(), Recording::new(Vec::new(), world).frames()), (3, 3, 0));
    }
}
