//! The limits of a tick: how they change velocities, and how a recording shows them.

use std::collections::HashSet;

use super::motion::Motion;
use super::vectors::{Matrix, across, apply, dot, length, scaled, times, unit};

/// Numbers that are equal to this share belong to a limit …
const EQUAL: f64 = 1e-6;
/// … if this share of all does, and no more than the second share is beyond it.
const AT_LIMIT: f64 = 0.003;
const BEYOND: f64 = 0.01;
/// … and these animals have them.
const FEWEST_ANIMALS: usize = 3;

/// The limits of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// The largest steering, in u/frame²; infinite if there is no limit.
    pub(super) force: f64,
    /// The largest turn, in radians; 0 if there is no limit.
    pub(super) turn: f64,
    pub(super) speeds: [f64; 2],
    /// The mean of the cosine of random turns.
    pub(super) straightness: f64,
}

impl Limits {
    pub(super) const NONE: Self =
        Self { force: f64::INFINITY, turn: 0.0, speeds: [0.0, f64::INFINITY], straightness: 1.0 };

    /// The limits that a motion shows: many speeds, turns or accelerations of several animals are equal.
    pub(super) fn seen_in(motion: &Motion) -> Self {
        let velocity = |row: usize| motion.rows[row].velocity.map(f64::from);
        let rows = || 0..motion.rows.len();
        let speed = |row: usize| Some(length(velocity(row)));
        let acceleration = |row: usize| motion.changes[row].map(length);
        let sorted = |of: &dyn Fn(usize) -> Option<f64>| {
            let mut numbers: Vec<f64> = rows().filter_map(of).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            numbers
        };
        let turns = sorted(&|row| {
            let (before, after) = (velocity(row), velocity(motion.after[row]? as usize));
            let cosine = dot(before, after) / (length(before) * length(after));
            cosine.is_finite().then(|| cosine.clamp(-1.0, 1.0).acos())
        });
        // Each animal may have its usual speed.
        let is_shared = |of: &dyn Fn(usize) -> Option<f64>, limit: &f64| {
            let at_limit = rows().filter(|row| of(*row).is_some_and(|number| (number - limit).abs() <= EQUAL * limit));
            at_limit.map(|row| motion.rows[row].id).collect::<HashSet<_>>().len()
                >= FEWEST_ANIMALS.min(motion.largest_frame())
        };
        let [low, high] = limits_of(&sorted(&speed)).map(|limit| limit.filter(|limit| is_shared(&speed, limit)));
        let force = limits_of(&sorted(&acceleration))[1].filter(|limit| is_shared(&acceleration, limit));
        let mut limits = Self {
            force: force.unwrap_or(f64::INFINITY),
            turn: turn_limit(&turns),
            speeds: [low.unwrap_or(0.0), high.unwrap_or(f64::INFINITY)],
            straightness: 1.0,
        };
        // Where there are limits, few speeds may be at the other one.
        if limits.are_seen() && high.is_none() {
            limits.speeds[1] = motion.speeds().into_iter().fold(0.0, f64::max);
        }
        limits
    }

    /// Whether there is a limit.
    pub(super) fn are_seen(&self) -> bool {
        (self.force, self.turn, self.speeds) != (Self::NONE.force, Self::NONE.turn, Self::NONE.speeds)
    }
}

/// The change of velocity in a tick, and its derivatives.
pub(super) struct Change {
    /// The difference between the velocities after and before the tick.
    pub(super) velocity: [f64; 3],
    /// The derivative by the steering, row by row; the identity if no limit is reached.
    by_force: Option<Matrix>,
    /// The derivative by the limit of force.
    pub(super) force_slope: [f64; 3],
    straightness: f64,
}

impl Change {
    /// Steering, then the limits of force, turn and speed, as in a tick (`docs/models.md`).
    pub(super) fn new(velocity: [f64; 3], mut force: [f64; 3], limits: &Limits) -> Self {
        let mut slope: Option<Matrix> = None;
        let mut force_slope = [0.0; 3];
        let strength = length(force);
        if strength > limits.force {
            let direction = unit(force);
            slope = Some(scaled(&across(direction), limits.force / strength));
            force = direction.map(|axis| axis * limits.force);
            force_slope = direction;
        }
        let mut then = |matrix: Matrix, force_slope: &mut [f64; 3]| {
            *force_slope = apply(&matrix, *force_slope);
            slope = Some(slope.map_or(matrix, |slope| times(&matrix, &slope)));
        };
        let mut turned = [0, 1, 2].map(|axis| velocity[axis] + force[axis]);
        if limits.turn > 0.0 && dot(unit(velocity), unit(turned)) < limits.turn.cos() {
            let (limited, matrix) = limit_turn(velocity, turned, limits.turn);
            then(matrix, &mut force_slope);
            turned = limited;
        }
        let speed = length(turned);
        let clamped = speed.clamp(limits.speeds[0], limits.speeds[1]);
        if clamped != speed && speed > 0.0 {
            then(scaled(&across(unit(turned)), clamped / speed), &mut force_slope);
            turned = turned.map(|axis| axis * clamped / speed);
        }
        let straight = limits.straightness;
        Self {
            velocity: [0, 1, 2].map(|axis| straight * turned[axis] - velocity[axis]),
            by_force: slope,
            force_slope: force_slope.map(|axis| axis * straight),
            straightness: straight,
        }
    }

    /// The derivative by the weight of a sum.
    pub(super) fn slope(&self, sum: [f32; 3]) -> [f64; 3] {
        let sum = sum.map(|axis| f64::from(axis) * self.straightness);
        self.by_force.as_ref().map_or(sum, |matrix| apply(matrix, sum))
    }
}

/// A velocity after a turn by at most an angle (radians), and its derivative by the velocity before this limit.
fn limit_turn(before: [f64; 3], after: [f64; 3], largest: f64) -> ([f64; 3], Matrix) {
    let (ahead, speed, heading) = (unit(before), length(after), unit(after));
    let beside = [0, 1, 2].map(|axis| after[axis] - dot(after, ahead) * ahead[axis]);
    let aside = unit(beside);
    let (sine, cosine) = largest.sin_cos();
    let direction = [0, 1, 2].map(|axis| cosine * ahead[axis] + sine * aside[axis]);
    // A change of the velocity along the heading changes the speed, and one across the plane of the turn tilts this plane.
    let swing = speed * sine / length(beside).max(f64::MIN_POSITIVE);
    let free = times(&across(ahead), &across(aside));
    let slope =
        [0, 1, 2].map(|row| [0, 1, 2].map(|column| direction[row] * heading[column] + swing * free[row][column]));
    (direction.map(|axis| axis * speed), slope)
}

/// The lower and the upper limit of sorted numbers, where many are equal.
fn limits_of(sorted: &[f64]) -> [Option<f64>; 2] {
    let least = (sorted.len() as f64 * AT_LIMIT).max(10.0) as usize;
    let beyond = (sorted.len() as f64 * BEYOND) as usize;
    let mut limits = [None; 2];
    let mut best = [least; 2];
    let mut first = 0;
    for at in 0..sorted.len() {
        while sorted[at] - sorted[first] > EQUAL * sorted[at] {
            first += 1;
        }
        let count = at - first;
        for (end, outside) in [first, sorted.len() - 1 - at].into_iter().enumerate() {
            if count > best[end] && outside <= beyond {
                (best[end], limits[end]) = (count, Some(0.5 * (sorted[at] + sorted[first])));
            }
        }
    }
    limits
}

/// The limit of turns, which single precision blurs more than speeds; 0 if there is none.
fn turn_limit(sorted: &[f64]) -> f64 {
    let Some(largest) = sorted.get((sorted.len() as f64 * (1.0 - 1e-4)) as usize) else { return 0.0 };
    let count = sorted.iter().filter(|turn| (**turn / largest - 1.0).abs() < 1e-4).count() as f64;
    if *largest > 1e-3 && count > AT_LIMIT * sorted.len() as f64 { *largest } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_those_of_small_changes() {
        let limits = Limits { force: 0.3, turn: 0.2, speeds: [0.5, 1.1], straightness: 0.97 };
        let velocity = [0.8, -0.3, 0.4];
        for force in [[0.05, 0.0, 0.02], [0.9, 0.1, -0.4], [-0.6, 0.9, 0.1], [0.1, 0.02, 0.3]] {
            let change = Change::new(velocity, force, &limits);
            for axis in 0..3 {
                let mut moved = force;
                moved[axis] += 1e-6;
                let slope = change.slope([0, 1, 2].map(|other| if other == axis { 1.0 } else { 0.0 }));
                let moved = Change::new(velocity, moved, &limits);
                for (k, slope) in slope.into_iter().enumerate() {
                    let expected = (moved.velocity[k] - change.velocity[k]) / 1e-6;
                    assert!((slope - expected).abs() < 1e-4, "{force:?} {axis} {k}: {slope} {expected}");
                }
            }
        }
    }

    #[test]
    fn limits_are_where_many_numbers_are_equal() {
        let range = (0..1000).map(|k| 1.0 + f64::from(k) / 1000.0);
        let mut speeds: Vec<f64> = range.clone().chain([1.0; 50]).chain([2.0; 80]).collect();
        speeds.sort_unstable_by(f64::total_cmp);
        assert_eq!(limits_of(&speeds), [Some(1.0), Some(2.0)]);
        assert_eq!(limits_of(&range.collect::<Vec<_>>()), [None, None]);
    }
}
