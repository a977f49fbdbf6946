//! How the animals of a recording move: positions, velocities and changes of velocity, frame by frame.

use std::collections::HashMap;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::tracks::Tracks;
use super::vectors::{Arena, dot, length};
use flockscope_sim::Row;

/// Speeds do not vary if their standard deviation is below this share of their mean.
const STEADY: f64 = 1e-3;
/// How many states are enough for an autocorrelation.
const ENOUGH: usize = 10_000;

/// The states of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// The animals that are fitted, by id.
    pub(super) animals: &'a [Row],
    /// Whether the velocity of each animal is known.
    pub(super) is_moving: &'a [bool],
    /// Those that hunt them.
    pub(super) predators: &'a [Row],
}

/// The motion of all animals. Times are in frames.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) dim: usize,
    /// The mean speed, in u/frame.
    pub(super) speed: f64,
    /// The standard deviation of speeds, in u/frame.
    pub(super) speed_deviation: f64,
    /// States, by frame and then by id.
    pub(super) rows: Vec<Row>,
    /// Where each frame begins in the rows, and the number of rows.
    pub(super) starts: Vec<usize>,
    /// The predators of each frame.
    pub(super) predators: Vec<Vec<Row>>,
    /// The changes of velocity that were observed, in u/frame²; `None` at the ends of tracks.
    pub(super) changes: Vec<Option<[f64; 3]>>,
    /// Whether the velocity of a row is known.
    pub(super) is_moving: Vec<bool>,
    /// The row of the same animal one frame later, if there is one.
    pub(super) after: Vec<Option<u32>>,
}

impl Motion {
    /// The motion in tracks, with the velocities of the file if they are exact, and else with states that are smoothed in a window of this
    /// half-width; 1 smooths nothing.
    pub(super) fn in_window(tracks: &Tracks, half_width: usize) -> Self {
        let mut tracks = tracks.clone();
        if !tracks.has_exact_velocities {
            tracks.derive_velocities(half_width);
        }
        let changes = (0..tracks.rows.len()).map(|row| tracks.change(row)).collect();
        let is_moving = tracks.before.iter().map(|before| tracks.has_exact_velocities || before.is_some()).collect();
        let Tracks { dim, rows, starts, predators, after, .. } = tracks;
        let mut motion =
            Self { dim, speed: 0.0, speed_deviation: 0.0, rows, starts, predators, changes, is_moving, after };
        (motion.speed, motion.speed_deviation) = mean_and_deviation(&motion.speeds());
        motion
    }

    /// The same tracks, each shifted in time as a whole by a random amount, circularly between its first and its last frame, with its
    /// gaps. No step crosses the seam. So animals move as they do, and have neighbors of another time.
    pub(super) fn shifted(&self, seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut ends: HashMap<u32, [usize; 2]> = HashMap::new();
        for (frame, row) in self.by_frame(1) {
            ends.entry(self.rows[row].id).or_insert([frame; 2])[1] = frame;
        }
        let mut ids: Vec<u32> = ends.keys().copied().collect();
        ids.sort_unstable();
        let shifts: HashMap<u32, usize> =
            ids.into_iter().map(|id| (id, random.random_range(0..=ends[&id][1] - ends[&id][0]))).collect();
        let mut order: Vec<(usize, u32, usize)> = Vec::with_capacity(self.rows.len());
        for (frame, row) in self.by_frame(1) {
            let id = self.rows[row].id;
            let [first, last] = ends[&id];
            order.push((first + (frame - first + shifts[&id]) % (last - first + 1), id, row));
        }
        order.sort_unstable();
        let mut places = vec![(0, 0); self.rows.len()];
        order.iter().enumerate().for_each(|(place, (frame, _, row))| places[*row] = (*frame, place as u32));
        let after = order.iter().map(|&(frame, _, row)| {
            let (other, place) = places[self.after[row]? as usize];
            (other == frame + 1).then_some(place)
        });
        let starts = (0..=self.frames()).map(|frame| order.partition_point(|(other, ..)| *other < frame)).collect();
        Self {
            starts,
            after: after.collect(),
            rows: order.iter().map(|(_, _, row)| self.rows[*row]).collect(),
            changes: order.iter().map(|(_, _, row)| self.changes[*row]).collect(),
            is_moving: order.iter().map(|(_, _, row)| self.is_moving[*row]).collect(),
            predators: self.predators.clone(),
            ..*self
        }
    }

    /// The row of an animal in a frame.
    pub(super) fn row_of(&self, frame: usize, id: u32) -> Option<usize> {
        let found = self.frame(frame).animals.binary_search_by_key(&id, |row| row.id);
        found.ok().map(|place| self.starts[frame] + place)
    }

    /// The number of frames after which velocities are no longer alike: the autocorrelation of the velocity about each animal's mean is below
    /// 1/e. The number of frames, if it never is.
    pub(super) fn memory(&self) -> usize {
        let mut means: HashMap<u32, ([f64; 3], f64)> = HashMap::new();
        for row in &self.rows {
            let (sum, count) = means.entry(row.id).or_default();
            (0..3).for_each(|axis| sum[axis] += f64::from(row.velocity[axis]));
            *count += 1.0;
        }
        let own = |row: usize| {
            let row = &self.rows[row];
            let (sum, count) = means[&row.id];
            [0, 1, 2].map(|axis| f64::from(row.velocity[axis]) - sum[axis] / count)
        };
        let step = self.frames() * self.largest_frame() / ENOUGH;
        let chosen: Vec<(usize, usize)> = self.by_frame(step.clamp(1, self.frames() / 200 + 1)).collect();
        let variance =
            chosen.iter().map(|(_, row)| dot(own(*row), own(*row))).sum::<f64>() / chosen.len().max(1) as f64;
        for lag in 1..self.frames() {
            let (mut sum, mut count) = (0.0, 0.0f64);
            for &(frame, row) in chosen.iter().filter(|(frame, _)| frame + lag < self.frames()) {
                if let Some(later) = self.row_of(frame + lag, self.rows[row].id) {
                    (sum, count) = (sum + dot(own(row), own(later)), count + 1.0);
                }
            }
            if sum < variance * count / std::f64::consts::E {
                return lag;
            }
        }
        self.frames()
    }

    /// The rows of every `step`th frame, after their frames.
    fn by_frame(&self, step: usize) -> impl Iterator<Item = (usize, usize)> {
        let frames = (0..self.frames()).step_by(step);
        frames.flat_map(|frame| (self.starts[frame]..self.starts[frame + 1]).map(move |row| (frame, row)))
    }

    pub(super) fn frames(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of observed changes of velocity.
    pub(super) fn change_count(&self) -> usize {
        self.changes.iter().flatten().count()
    }

    /// The largest number of animals in a frame.
    pub(super) fn largest_frame(&self) -> usize {
        self.starts.windows(2).map(|ends| ends[1] - ends[0]).max().unwrap_or(0)
    }

    pub(super) fn frame(&self, frame: usize) -> Frame<'_> {
        let rows = self.starts[frame]..self.starts[frame + 1];
        let predators = self.predators.get(frame).map_or(&[][..], Vec::as_slice);
        Frame { animals: &self.rows[rows.clone()], is_moving: &self.is_moving[rows], predators }
    }

    /// The ends of all positions on each axis.
    pub(super) fn extent(&self) -> Arena {
        [0, 1, 2].map(|axis| {
            let places = self.rows.iter().map(|row| f64::from(row.position[axis]));
            places.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], at| [low.min(at), high.max(at)])
        })
    }

    pub(super) fn has_predators(&self) -> bool {
        self.predators.iter().any(|predators| !predators.is_empty())
    }

    /// The speeds in all states with a velocity, in u/frame.
    pub(super) fn speeds(&self) -> Vec<f64> {
        let rows = (0..self.rows.len()).filter(|row| self.is_moving[*row] || self.after[*row].is_some());
        rows.map(|row| length(self.rows[row].velocity.map(f64::from))).collect()
    }

    /// Whether the animals differ in speed from each other or from time to time, by more than rounding and errors of positions.
    pub(super) fn has_varying_speeds(&self) -> bool {
        self.speed_deviation > STEADY * self.speed
    }
}

/// The mean of numbers and their standard deviation.
pub(super) fn mean_and_deviation(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (mean, (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::{RecordedState, Recording};
    use flockscope_sim::{Kind, Setup, World};

    /// The tracks of four animals whose x is the square of the frame. Animal 3 is missing in frame 9.
    fn tracks() -> Tracks {
        let state = |frame: u32, id: u32| {
            let coordinates = [f64::from(frame * frame), f64::from(id), 0.0];
            RecordedState { coordinates, velocity: [0.0; 3], mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
        };
        let all = (0..40).flat_map(|frame| (0..4).map(move |id| state(frame, id)));
        let states = all.filter(|state| (state.frame, state.id) != (9, 3)).collect();
        let mut recording = Recording::new(states, World::Rect([2000.0, 9.0]));
        recording.has_derived_velocities = true;
        let setup = Setup::new(recording.world).with_params(recording.params);
        Tracks::new(&recording, &setup)
    }

    #[test]
    fn every_fourth_frame_has_steps_of_four() {
        let motion = Motion::in_window(&tracks().every(4), 1);
        assert_eq!((motion.frames(), motion.rows.len()), (10, 40));
        let of = |frame: usize, id: usize| (motion.rows[4 * frame + id].velocity[0], motion.changes[4 * frame + id]);
        // From 4² to 8², and the second difference of (4k)².
        assert_eq!(of(2, 0), (48.0, Some([32.0, 0.0, 0.0])));
        // Between frames 8 and 12, the track of animal 3 has a gap.
        assert_eq!((motion.after[4 * 2 + 3], of(2, 3).1), (None, None));
        assert!(motion.after.iter().all(|after| *after != Some(4 * 3 + 3)));
        assert_eq!(of(5, 3), of(5, 1));
    }

    #[test]
    fn tracks_are_shifted_as_a_whole_with_their_gaps() {
        let motion = Motion::in_window(&tracks(), 1);
        let shifted = motion.shifted(3);
        // The x of an animal is the square of its frame before the shift.
        let frames = |id: u32| -> Vec<Option<usize>> {
            let rows = (0..40).map(|frame| shifted.row_of(frame, id));
            rows.map(|row| Some(shifted.rows[row?].position[0].sqrt() as usize)).collect()
        };
        let shifts: Vec<usize> = (0..3).map(|id| frames(id)[0].unwrap()).collect();
        assert!(shifts[0] != shifts[1] && shifts[1] != shifts[2], "{shifts:?}");
        for id in 0..4 {
            let own = frames(id);
            let shift = own.iter().flatten().zip(own.iter().position(Option::is_some)).next().unwrap();
            let shift = (shift.0 + 40 - shift.1) % 40;
            let expected: Vec<Option<usize>> = (0..40)
                .map(|frame| (frame + shift) % 40)
                .map(|frame| ((frame, id) != (9, 3)).then_some(frame))
                .collect();
            assert_eq!(own, expected, "{id}");
        }
        for (row, after) in shifted.after.iter().enumerate() {
            let Some(after) = after else { continue };
            let [from, to] = [row, *after as usize].map(|row| shifted.rows[row].position[0]);
            assert!(to > from, "a step across the seam: {from} {to}");
        }
        assert_eq!(shifted.change_count(), motion.change_count());
    }

    #[test]
    fn memory_counts_frames_of_a_track_with_gaps() {
        // numpy: the autocorrelation of cos(2π t / 40) falls below 1/e after 8 of 40 frames: cos(2π · 8 / 40) is 0.309.
        let state = |frame: u32, id: u32| {
            let angle = std::f64::consts::TAU * f64::from(frame + 3 * id) / 40.0;
            let coordinates = [500.0 + 60.0 * angle.sin(), 500.0 - 60.0 * angle.cos(), 0.0];
            RecordedState { coordinates, velocity: [0.0; 3], mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
        };
        let all = (0..400).flat_map(|frame| (0..4).map(move |id| state(frame, id)));
        let states = all.filter(|state| (state.frame * 7 + state.id) % 10 != 0).collect();
        let mut recording = Recording::new(states, World::Rect([1000.0, 1000.0]));
        recording.has_derived_velocities = true;
        let setup = Setup::new(recording.world).with_params(recording.params);
        assert_eq!(Motion::in_window(&Tracks::new(&recording, &setup), 1).memory(), 8);
    }
}
