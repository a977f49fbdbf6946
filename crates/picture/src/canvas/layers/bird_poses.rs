//! Birds as seen from the camera, found in blocks, so that loops over a block vectorize.
#![allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]

use std::f32::consts::FRAC_PI_2;
use std::ops::Range;

use glam::{Vec2, Vec3};

use super::bodies::wing_beat;
use crate::canvas::camera::Camera;
use crate::canvas::projection::BLOCK;
use crate::canvas::smoothing::new_weight;
use flockscope_sim::{Kind, Snapshot, VectorLoop, run_vectorized};

/// The area in squared wing spans of the wings seen from above, and of the body seen from any side.
const WINGS: f32 = 0.22;
const BODY: f32 = 0.07;
/// The area in dots from which the outline is drawn. A smaller bird is as many dots as its area.
pub(super) const OUTLINE: f32 = 6.0;
/// The bank of a bird, of a model without banks, is the arc tangent of its turn per tick to the right, times this.
const BANK: f32 = 25.0;
/// Time constant of such banks, in ticks.
const BANK_WINDOW: f32 = 10.0;

/// A bird as seen from the camera.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bird {
    pub(super) at: Vec2,
    pub(super) depth: f32,
    /// Half of the wings to the right, and the body from its middle to its head, in dots.
    pub(super) wing: Vec2,
    pub(super) body: Vec2,
    /// How far the tips of the wings are above the body; 0 without an outline.
    pub(super) lift: Vec2,
    /// The share of the wings that is seen, 0 … 1.
    pub(super) shown: f32,
    /// The area that the bird covers, in dots.
    pub(super) area: f32,
}

/// Banks of the birds of a model that has none, from their turns since the last picture.
#[derive(Debug, Default)]
pub(super) struct Banks {
    /// The heading at the last picture and the bank, by id.
    birds: Vec<(Vec3, f32)>,
}

impl Banks {
    /// The bank of the bird with an id, `elapsed` ticks after the last picture, in which a new bank has this weight.
    fn update(&mut self, id: u32, course: &Course, elapsed: f32, weight: f32) -> f32 {
        let index = id as usize;
        if self.birds.len() <= index {
            self.birds.resize(index + 1, (Vec3::ZERO, 0.0));
        }
        let (last, bank) = &mut self.birds[index];
        if elapsed > 0.0 && *last != Vec3::ZERO {
            let turn = (course.heading - *last).dot(course.right) / elapsed;
            *bank += weight * (arc_tangent(BANK * turn) - *bank);
        }
        *last = course.heading;
        *bank
    }
}

/// The unit vectors ahead of a bird and, level, to its right.
#[derive(Clone, Copy, Debug)]
struct Course {
    heading: Vec3,
    right: Vec3,
}

impl Course {
    /// The course of a bird, seen in perspective, where the y axis points down, or in a flat world from above.
    #[inline(always)]
    fn new(velocity: [f32; 3], in_perspective: bool) -> Self {
        let heading = unit_or(Vec3::from_array(velocity), Vec3::X);
        let right =
            if in_perspective { Vec3::new(heading.z, 0.0, -heading.x) } else { Vec3::new(-heading.y, heading.x, 0.0) };
        Self { heading, right: unit_or(right, Vec3::Z) }
    }
}

/// The unit vector, or another one for zero. Unlike `glam`'s it vectorizes.
#[inline(always)]
fn unit_or(vector: Vec3, other: Vec3) -> Vec3 {
    let squared = vector.length_squared();
    let unit = vector * (1.0 / f32::sqrt(squared));
    if squared > 0.0 { unit } else { other }
}

/// The numbers of each course of a block, by column.
type Courses = [[f32; BLOCK]; 6];
/// The same of each bird.
type Birds = [[f32; BLOCK]; 11];

impl Course {
    #[inline(always)]
    fn numbers(&self) -> [f32; 6] {
        let Self { heading, right } = self;
        [heading.x, heading.y, heading.z, right.x, right.y, right.z]
    }

    #[inline(always)]
    fn of(numbers: [f32; 6]) -> Self {
        Self { heading: Vec3::from_slice(&numbers), right: Vec3::from_slice(&numbers[3..]) }
    }
}

impl Bird {
    #[inline(always)]
    fn numbers(&self) -> [f32; 11] {
        let Self { at, depth, wing, body, lift, shown, area } = self;
        [at.x, at.y, wing.x, wing.y, body.x, body.y, lift.x, lift.y, *depth, *shown, *area]
    }

    #[inline(always)]
    fn of(numbers: [f32; 11]) -> Self {
        let [at, wing, body, lift] = [0, 2, 4, 6].map(|first| Vec2::from_slice(&numbers[first..]));
        let [.., depth, shown, area] = numbers;
        Self { at, depth, wing, body, lift, shown, area }
    }

    /// A bird with wings as wide as `span`, in dots in the middle of the view.
    #[inline(always)]
    fn new(position: [f32; 3], course: &Course, bank: f32, camera: &Camera, span: f32) -> Self {
        let point = camera.project(position);
        let span = span * point.magnification;
        let [forward, level] = [course.heading, course.right].map(|axis| camera.rotate(axis));
        let up = level.cross(forward);
        let (sin, cos) = sine_and_cosine(bank);
        let (right, up) = (level * cos - up * sin, up * cos + level * sin);
        let shown = up.z.abs();
        Self {
            at: point.at,
            depth: point.depth,
            wing: right.truncate() * (0.5 * span),
            body: forward.truncate() * (0.3 * span),
            lift: up.truncate() * (0.12 * span),
            shown,
            area: span * span * (WINGS * shown + BODY),
        }
    }

    /// The bird with the beat of its wings, 1 at the top and −1 at the bottom, if that can be seen.
    fn beating(self, tick: u64, id: u32) -> Self {
        let beat = if self.area < OUTLINE { 0.0 } else { wing_beat(tick, id, false) };
        Self { lift: self.lift * beat, ..self }
    }
}

/// The arc tangent within 0.005, which no picture shows (Rajan et al. 2006, *Efficient approximations for the arctangent
/// function*).
#[inline(always)]
fn arc_tangent(x: f32) -> f32 {
    let is_steep = x.abs() > 1.0;
    let ratio = if is_steep { 1.0 / x } else { x };
    let angle = ratio / (1.0 + 0.28 * ratio * ratio);
    if is_steep { FRAC_PI_2.copysign(x) - angle } else { angle }
}

/// The sine and the cosine within 0.0002 from −π/2 to π/2: Taylor polynomials.
#[inline(always)]
fn sine_and_cosine(x: f32) -> (f32, f32) {
    let square = x * x;
    let sine = x * (1.0 - square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0)));
    (sine, 1.0 - square / 2.0 * (1.0 - square / 12.0 * (1.0 - square / 30.0 * (1.0 - square / 56.0))))
}

/// Calls `visit` with the index of each boid and the bird that it is, `elapsed` ticks after the last picture.
pub(super) fn visit_birds(
    flock: Snapshot<'_>,
    camera: &Camera,
    banks: &mut Banks,
    span: f32,
    elapsed: f32,
    mut visit: impl FnMut(usize, &Bird),
) {
    let (agents, weight) = (flock.agents, new_weight(elapsed, BANK_WINDOW));
    let estimates_banks = camera.is_perspective() && !flock.uses_banks();
    let zeros = [0.0; BLOCK];
    let (mut courses, mut bank, mut birds): (Courses, _, Birds) = ([zeros; 6], zeros, [zeros; 11]);
    for start in (0..agents.len()).step_by(BLOCK) {
        let range = start..agents.len().min(start + BLOCK);
        let boids = || range.clone().enumerate().filter(|(_, index)| agents.kinds()[*index] == Kind::Prey);
        let velocities = columns(|axis| agents.velocities(axis), &range);
        run_vectorized(FindCourses { courses: &mut courses, velocities, camera });
        for (at, index) in boids() {
            bank[at] = if estimates_banks {
                banks.update(agents.ids()[index], &Course::of(row(&courses, at)), elapsed, weight)
            } else {
                agents.bank(index)
            };
        }
        let positions = columns(|axis| agents.positions(axis), &range);
        run_vectorized(FindBirds { birds: &mut birds, courses: &courses, banks: &bank, positions, camera, span });
        for (at, index) in boids() {
            visit(index, &Bird::of(row(&birds, at)).beating(flock.picture_tick(), agents.ids()[index]));
        }
    }
}

/// A range of each column; 0 behind its end and for a third axis that there is not.
fn columns<'a>(column: impl Fn(usize) -> &'a [f32], range: &Range<usize>) -> [[f32; BLOCK]; 3] {
    [0, 1, 2].map(|axis| {
        let mut values = [0.0; BLOCK];
        if let Some(column) = column(axis).get(range.clone()) {
            values[..column.len()].copy_from_slice(column);
        }
        values
    })
}

#[inline(always)]
fn row<const N: usize>(columns: &[[f32; BLOCK]; N], at: usize) -> [f32; N] {
    columns.each_ref().map(|column| column[at])
}

#[inline(always)]
fn set_row<const N: usize>(columns: &mut [[f32; BLOCK]; N], at: usize, numbers: [f32; N]) {
    for (column, number) in columns.iter_mut().zip(numbers) {
        column[at] = number;
    }
}

/// Finds the courses of a block.
struct FindCourses<'a> {
    courses: &'a mut Courses,
    velocities: [[f32; BLOCK]; 3],
    camera: &'a Camera,
}

impl VectorLoop for FindCourses<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let in_perspective = self.camera.is_perspective();
        for at in 0..BLOCK {
            set_row(self.courses, at, Course::new(row(&self.velocities, at), in_perspective).numbers());
        }
    }
}

/// Finds the birds of a block from their courses and banks.
struct FindBirds<'a> {
    birds: &'a mut Birds,
    courses: &'a Courses,
    banks: &'a [f32; BLOCK],
    positions: [[f32; BLOCK]; 3],
    camera: &'a Camera,
    span: f32,
}

impl VectorLoop for FindBirds<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { birds, courses, banks, positions, camera, span } = self;
        for (at, bank) in banks.iter().enumerate() {
            let course = Course::of(row(courses, at));
            set_row(birds, at, Bird::new(row(&positions, at), &course, *bank, camera, span).numbers());
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A bird with a bank that flies along the x axis.
    pub(in crate::canvas::layers) fn bird(bank: f32, z: f32, camera: &Camera, span: f32) -> Bird {
        let course = Course::new([1.0, 0.0, 0.0], camera.is_perspective());
        Bird::new([0.0, 0.0, z], &course, bank, camera, span).beating(0, 0)
    }

    #[test]
    fn approximations_are_as_close_as_stated() {
        for step in -1000..=1000_i16 {
            let x = f32::from(step) * 0.01;
            assert!((arc_tangent(x) - x.atan()).abs() < 0.005, "{x}");
            let angle = f32::from(step) * 0.001 * FRAC_PI_2;
            let (sine, cosine) = sine_and_cosine(angle);
            assert!((sine - angle.sin()).abs() < 2e-4 && (cosine - angle.cos()).abs() < 2e-4, "{angle}");
        }
    }

    #[test]
    fn birds_bank_into_their_turns() {
        let weight = new_weight(1.0, BANK_WINDOW);
        let banks = |turn: f32| {
            let mut banks = Banks::default();
            let courses = (0..60u16).map(|tick| {
                let (sin, cos) = (turn * f32::from(tick)).sin_cos();
                Course::new([cos, 0.0, -sin], true)
            });
            courses.map(|course| banks.update(0, &course, 1.0, weight)).last().unwrap()
        };
        assert!(banks(0.03) > 0.5 && banks(-0.03) < -0.5 && banks(0.0) == 0.0);
    }
}
