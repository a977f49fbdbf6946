//! How the animals of a recording move: positions, velocities and changes of velocity, without the noise of tracking.
//!
//! Positions are smoothed by local polynomials if they have errors. A fit takes the same mean of what its rules predict as of the changes.

use std::collections::HashMap;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::smoothing::{change_kernel, polynomial_kernels};
use super::tracks::{Tracks, walk};
use super::vectors::{dot, length};
use flockscope_sim::Row;

/// Speeds do not vary if their standard deviation is below this share of their mean.
const STEADY: f64 = 1e-3;

/// The states of a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame<'a> {
    /// The animals that are fitted, by id.
    pub(super) animals: &'a [Row],
    /// Those that hunt them.
    pub(super) predators: &'a [Row],
}

/// The motion of all animals. Times are in frames.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) dim: usize,
    /// The mean speed, in u/frame.
    pub(super) speed: f64,
    /// Smoothed states, by frame and then by id.
    pub(super) rows: Vec<Row>,
    /// Where each frame begins in the rows, and the number of rows.
    pub(super) starts: Vec<usize>,
    /// The predators of each frame.
    pub(super) predators: Vec<Vec<Row>>,
    /// The changes of velocity that were observed, in u/frame²; `None` at the ends of tracks.
    pub(super) changes: Vec<Option<[f64; 3]>>,
    /// The row of the same animal one frame before, if there is one.
    pub(super) before: Vec<Option<u32>>,
    /// The row of the same animal one frame later, if there is one.
    pub(super) after: Vec<Option<u32>>,
    /// The weights of successive changes in a change that was observed. Their sum is 1; a single one if nothing is smoothed.
    pub(super) kernel: Vec<f64>,
    /// The standard deviation of the noise in each coordinate, in u; 0 if it is too small to be seen.
    pub(super) noise: f64,
    /// The standard deviation of an observed change that noise causes, in u/frame².
    pub(super) change_noise: f64,
}

impl Motion {
    /// The motion in tracks: with the velocities of the file if they are exact, else in the widest window that the path allows.
    pub(super) fn new(tracks: &Tracks) -> Self {
        if tracks.has_exact_velocities {
            return Self::in_window(tracks, 1, 0.0);
        }
        let (half_width, noise) = tracks.choose_window();
        Self::in_window(tracks, half_width, noise)
    }

    /// The motion in the window of this half-width; 1 smooths nothing.
    pub(super) fn in_window(tracks: &Tracks, half_width: usize, noise: f64) -> Self {
        let mut tracks = tracks.clone();
        if !tracks.has_exact_velocities {
            tracks.derive_velocities(half_width);
        }
        let kernel = change_kernel(half_width);
        let changes = (0..tracks.rows.len()).map(|row| tracks.change(row, &kernel)).collect();
        let curvature = polynomial_kernels(half_width).1;
        let change_noise = noise * curvature.iter().map(|weight| weight * weight).sum::<f64>().sqrt();
        let Tracks { dim, rows, starts, predators, before, after, .. } = tracks;
        let speeds = rows.iter().map(|row| length(row.velocity.map(f64::from)));
        let speed = speeds.sum::<f64>() / rows.len().max(1) as f64;
        Self { dim, speed, rows, starts, predators, changes, before, after, kernel, noise, change_noise }
    }

    /// The same tracks, each shifted in time by an amount of its own, circularly within its stretch. No step crosses the seam. So animals
    /// move as they do, and have neighbors of another time.
    pub(super) fn shifted(&self, seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut shifted = self.clone();
        for first in (0..self.rows.len()).filter(|row| self.before[*row].is_none()) {
            let stretch: Vec<usize> =
                std::iter::successors(Some(first), |row| self.after[*row].map(|row| row as usize)).collect();
            let shift = random.random_range(0..stretch.len());
            for (place, &row) in stretch.iter().enumerate() {
                let from = stretch[(place + shift) % stretch.len()];
                (shifted.rows[row], shifted.changes[row]) = (self.rows[from], self.changes[from]);
            }
            if shift > 0 {
                let seam = stretch.len() - shift;
                (shifted.after[stretch[seam - 1]], shifted.before[stretch[seam]]) = (None, None);
            }
        }
        shifted
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
        let own: Vec<[f64; 3]> = (self.rows.iter())
            .map(|row| {
                let (sum, count) = means[&row.id];
                [0, 1, 2].map(|axis| f64::from(row.velocity[axis]) - sum[axis] / count)
            })
            .collect();
        let variance = own.iter().map(|own| dot(*own, *own)).sum::<f64>() / own.len().max(1) as f64;
        let mut later: Vec<Option<usize>> = (0..self.rows.len()).map(Some).collect();
        for lag in 1..self.frames() {
            let (mut sum, mut count) = (0.0, 0.0f64);
            for (row, later) in later.iter_mut().enumerate() {
                *later = later.and_then(|row| self.after[row]).map(|row| row as usize);
                if let Some(later) = *later {
                    (sum, count) = (sum + dot(own[row], own[later]), count + 1.0);
                }
            }
            if sum < variance * count / std::f64::consts::E {
                return lag;
            }
        }
        self.frames()
    }

    /// Half the width of the window in which positions were smoothed; 1 if they were not.
    pub(super) fn half_width(&self) -> usize {
        self.kernel.len().div_ceil(2)
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
        let animals = &self.rows[self.starts[frame]..self.starts[frame + 1]];
        Frame { animals, predators: self.predators.get(frame).map_or(&[], Vec::as_slice) }
    }

    pub(super) fn has_predators(&self) -> bool {
        self.predators.iter().any(|predators| !predators.is_empty())
    }

    /// The speeds in all states, in u/frame.
    pub(super) fn speeds(&self) -> Vec<f64> {
        self.rows.iter().map(|row| length(row.velocity.map(f64::from))).collect()
    }

    /// Whether the animals differ in speed from each other or from time to time, by more than rounding and errors of positions.
    pub(super) fn has_varying_speeds(&self) -> bool {
        self.speed_variance().sqrt() > STEADY * self.speed
    }

    pub(super) fn speed_variance(&self) -> f64 {
        let squares: f64 = self.speeds().into_iter().map(|speed| (speed - self.speed).powi(2)).sum();
        squares / self.rows.len().max(1) as f64
    }

    /// The rows whose changes are averaged into the observed change of a row; none if there is no such change.
    pub(super) fn averaged(&self, row: usize) -> Option<Vec<usize>> {
        self.changes[row]?;
        walk(&self.before, &self.after, row, self.kernel.len() / 2)
    }
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
        let motion = Motion::in_window(&tracks().every(4), 1, 0.0);
        assert_eq!((motion.frames(), motion.rows.len()), (10, 40));
        let of = |frame: usize, id: usize| (motion.rows[4 * frame + id].velocity[0], motion.changes[4 * frame + id]);
        // From 4² to 8², and the second difference of (4k)².
        assert_eq!(of(2, 0), (48.0, Some([32.0, 0.0, 0.0])));
        // Between frames 8 and 12, the track of animal 3 has a gap.
        assert_eq!((motion.after[4 * 2 + 3], motion.before[4 * 3 + 3], of(2, 3).1), (None, None, None));
        assert_eq!(of(5, 3), of(5, 1));
    }

    #[test]
    fn shifted_tracks_have_no_step_across_the_seam() {
        let motion = Motion::in_window(&tracks(), 1, 0.0);
        let shifted = motion.shifted(3);
        let places = |motion: &Motion, id: u32| -> Vec<f32> {
            motion.rows.iter().filter(|row| row.id == id).map(|row| row.position[0]).collect()
        };
        let mut shifts = Vec::new();
        for id in 0..3 {
            let (own, moved) = (places(&motion, id), places(&shifted, id));
            let shift = own.iter().position(|place| *place == moved[0]).unwrap();
            assert!((0..40).all(|k| moved[k] == own[(k + shift) % 40]), "{id}: {moved:?}");
            shifts.push(shift);
        }
        assert!(shifts[0] != shifts[1] && shifts[1] != shifts[2], "{shifts:?}");
        for (row, after) in shifted.after.iter().enumerate() {
            let Some(after) = after else { continue };
            assert!(
                shifted.rows[*after as usize].position[0] > shifted.rows[row].position[0],
                "a step across the seam"
            );
        }
        assert_eq!(shifted.change_count(), motion.change_count());
    }
}
