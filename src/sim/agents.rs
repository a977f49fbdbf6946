//! The boids and predators of a flock, as a structure of arrays.

#![allow(clippy::inline_always, reason = "compiled once per SIMD kind, which requires inlining")]

use std::ops::Range;

use super::math::parallel::join;
use super::math::vector::Vector;
use super::math::wide::Wide;
use super::neighbors::simd::{Lanes, prefetch};
use super::snapshot::Row;

/// The kind of an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A boid.
    #[default]
    Prey,
    /// A predator.
    Predator,
    /// A caught boid that waits to respawn; no rule, view or measure includes it.
    Caught,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Prey, Self::Predator, Self::Caught];

    /// The word in files: `prey`, `predator` or `caught`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prey => "prey",
            Self::Predator => "predator",
            Self::Caught => "caught",
        }
    }
}

/// A vector per axis; the third is empty in 2-D.
type Axes = [Vec<f32>; 3];

/// Positions (u), velocities (u/tick), ids, kinds and moods of all agents.
///
/// The order in memory follows the grid and changes every tick; ids identify agents. All slices have the same order.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    dim: usize,
    position: Axes,
    velocity: Axes,
    id: Vec<u32>,
    kind: Vec<Kind>,
    /// Empty if moods are not stored; all are then 0.
    mood: Vec<f32>,
    has_moods: bool,
}

impl Agents {
    /// No agents, in `dim` dimensions.
    pub(crate) fn new(dim: usize) -> Self {
        Self { dim, ..Self::default() }
    }

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The number of dimensions: 2 or 3.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The ids.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.id
    }

    /// The kinds.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kind
    }

    /// The moods; empty if they are not stored.
    ///
    /// From 0 to 1, the mood is the alarm of a boid or the fatigue of a predator. Below 0 it is minus the number of ticks
    /// left to rest. For caught boids it is the number of ticks until they respawn.
    #[must_use]
    pub fn moods(&self) -> &[f32] {
        &self.mood
    }

    /// The mood of the agent at an index; 0 past the end, or if moods are not stored.
    #[must_use]
    #[inline]
    pub fn mood(&self, index: usize) -> f32 {
        self.mood.get(index).copied().unwrap_or(0.0)
    }

    /// The positions along an axis, in u; the third axis is empty in 2-D.
    ///
    /// # Panics
    ///
    /// If `axis` is above 2.
    #[must_use]
    pub fn positions(&self, axis: usize) -> &[f32] {
        &self.position[axis]
    }

    /// The velocities along an axis, in u/tick; the third axis is empty in 2-D.
    ///
    /// # Panics
    ///
    /// If `axis` is above 2.
    #[must_use]
    pub fn velocities(&self, axis: usize) -> &[f32] {
        &self.velocity[axis]
    }

    /// The position of the agent at an index, in u.
    ///
    /// # Panics
    ///
    /// Past the end, or for a [`Vec3`](glam::Vec3) in 2-D.
    #[must_use]
    #[inline]
    pub fn position<V: Vector>(&self, index: usize) -> V {
        load(&self.position, index)
    }

    /// The velocity of the agent at an index, in u/tick.
    ///
    /// # Panics
    ///
    /// Past the end, or for a [`Vec3`](glam::Vec3) in 2-D.
    #[must_use]
    #[inline]
    pub fn velocity<V: Vector>(&self, index: usize) -> V {
        load(&self.velocity, index)
    }

    /// The position of the agent at an index, in u; 0 along missing axes and past the end.
    #[must_use]
    #[inline]
    pub fn position_array(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.position[axis].get(index).copied().unwrap_or(0.0))
    }

    /// The velocity of the agent at an index, in u/tick; 0 along missing axes and past the end.
    #[must_use]
    #[inline]
    pub fn velocity_array(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.velocity[axis].get(index).copied().unwrap_or(0.0))
    }

    /// The state of the agent at an index.
    ///
    /// # Panics
    ///
    /// Past the end.
    #[must_use]
    pub fn row(&self, index: usize) -> Row {
        Row {
            id: self.id[index],
            kind: self.kind[index],
            position: self.position_array(index),
            velocity: self.velocity_array(index),
            mood: self.mood(index),
        }
    }

    /// The states of all agents, in memory order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row> + '_ {
        (0..self.len()).map(|index| self.row(index))
    }

    /// The positions and velocities of a range of agents.
    #[inline(always)]
    pub(crate) fn run<const D: usize>(&self, run: Range<usize>) -> (AxisSlices<'_, D>, AxisSlices<'_, D>) {
        (AxisSlices::new(&self.position, run.clone()), AxisSlices::new(&self.velocity, run))
    }

    pub(crate) fn push(&mut self, id: u32, kind: Kind, position: [f32; 3], velocity: [f32; 3]) {
        for axis in 0..self.dim {
            self.position[axis].push(position[axis]);
            self.velocity[axis].push(velocity[axis]);
        }
        if self.has_moods() {
            self.mood.push(0.0);
        }
        self.id.push(id);
        self.kind.push(kind);
    }

    /// Whether moods are stored.
    #[inline]
    pub(crate) fn has_moods(&self) -> bool {
        self.has_moods
    }

    /// Starts to store moods, all 0 at first, or stops.
    pub(crate) fn track_moods(&mut self, keep: bool) {
        self.mood.resize(if keep { self.len() } else { 0 }, 0.0);
        self.has_moods = keep;
    }

    /// Sets the mood of the agent at an index, if moods are stored.
    pub(crate) fn set_mood(&mut self, index: usize, mood: f32) {
        if let Some(own) = self.mood.get_mut(index) {
            *own = mood;
        }
    }

    pub(crate) fn set_kind(&mut self, index: usize, kind: Kind) {
        self.kind[index] = kind;
    }

    pub(crate) fn set_motion(&mut self, index: usize, position: [f32; 3], velocity: [f32; 3]) {
        for axis in 0..self.dim {
            self.position[axis][index] = position[axis];
            self.velocity[axis][index] = velocity[axis];
        }
    }

    /// Replaces the position and velocity of every agent by those that `change` returns.
    pub(crate) fn map_motion(&mut self, change: impl Fn([f32; 3], [f32; 3]) -> ([f32; 3], [f32; 3])) {
        for index in 0..self.len() {
            let (position, velocity) = change(self.position_array(index), self.velocity_array(index));
            self.set_motion(index, position, velocity);
        }
    }

    /// Keeps the agents for which `keep(id, kind)` holds.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32, Kind) -> bool) {
        let has_moods = self.has_moods();
        let mut kept = 0;
        for index in 0..self.len() {
            if keep(self.id[index], self.kind[index]) {
                for axes in [&mut self.position, &mut self.velocity] {
                    axes[..self.dim].iter_mut().for_each(|axis| axis[kept] = axis[index]);
                }
                if has_moods {
                    self.mood[kept] = self.mood[index];
                }
                self.id[kept] = self.id[index];
                self.kind[kept] = self.kind[index];
                kept += 1;
            }
        }
        for axes in [&mut self.position, &mut self.velocity] {
            axes[..self.dim].iter_mut().for_each(|axis| axis.truncate(kept));
        }
        self.id.truncate(kept);
        self.kind.truncate(kept);
        self.mood.truncate(kept);
    }

    /// Removes all agents and sets the number of dimensions.
    pub(crate) fn clear(&mut self, dim: usize) {
        self.resize(dim, 0);
    }

    /// Adds the agents of a kind in `source`, from index `first` on, with their moods.
    pub(crate) fn extend_with(&mut self, kind: Kind, source: &Self, first: usize) {
        self.track_moods(source.has_moods());
        for (index, _) in source.kind.iter().enumerate().skip(first).filter(|(_, of)| **of == kind) {
            self.push(source.id[index], kind, source.position_array(index), source.velocity_array(index));
            self.set_mood(self.len() - 1, source.mood(index));
        }
    }

    /// Sets the number of agents and dimensions, with unspecified states.
    pub(crate) fn resize(&mut self, dim: usize, len: usize) {
        self.dim = dim;
        for axes in [&mut self.position, &mut self.velocity] {
            for (axis, values) in axes.iter_mut().enumerate() {
                values.resize(if axis < dim { len } else { 0 }, 0.0);
            }
        }
        self.id.resize(len, 0);
        self.kind.resize(len, Kind::Prey);
        self.track_moods(false);
    }

    /// Mutable access to all agents, which can be split.
    pub(crate) fn as_mut(&mut self) -> AgentsMut<'_> {
        AgentsMut {
            position: self.position.each_mut().map(Vec::as_mut_slice),
            velocity: self.velocity.each_mut().map(Vec::as_mut_slice),
            id: &mut self.id,
            kind: &mut self.kind,
            mood: &mut self.mood,
        }
    }

    /// Prefetches the positions, velocities and ids around an index.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: usize) {
        self.position.iter().chain(&self.velocity).for_each(|axis| prefetch(axis, place));
        prefetch(&self.id, place);
    }

    /// Fills `order` with the indices of all agents, in order of ids.
    pub(crate) fn order_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        order.extend((0_u32..).take(self.len()));
        order.sort_unstable_by_key(|&index| self.id[index as usize]);
    }

    /// Swaps ids and kinds with `other`.
    pub(crate) fn swap_order(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.id, &mut other.id);
        std::mem::swap(&mut self.kind, &mut other.kind);
    }

    /// Mutable access to the motion of all agents, which can be split.
    pub(crate) fn motion(&mut self) -> MotionMut<'_> {
        MotionMut {
            first: 0,
            len: self.id.len(),
            position: self.position.each_mut().map(Vec::as_mut_slice),
            velocity: self.velocity.each_mut().map(Vec::as_mut_slice),
            mood: &mut self.mood,
        }
    }
}

#[inline]
fn load<V: Vector>(axes: &Axes, index: usize) -> V {
    V::from_axes([axes[0][index], axes[1][index], if V::DIM == 3 { axes[2][index] } else { 0.0 }])
}

/// The positions or velocities of a range of agents, by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisSlices<'a, const D: usize> {
    /// All have the same length.
    pub(crate) axes: [&'a [f32]; D],
}

impl<'a, const D: usize> AxisSlices<'a, D> {
    #[inline(always)]
    fn new(axes: &'a Axes, run: Range<usize>) -> Self {
        let len = run.len();
        // The same length for each lets the compiler drop bounds checks.
        Self { axes: std::array::from_fn(|axis| &axes[axis][run.clone()][..len]) }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.axes[0].len()
    }
}

/// Mutable access to a range of agents.
pub(crate) struct AgentsMut<'a> {
    position: [&'a mut [f32]; 3],
    velocity: [&'a mut [f32]; 3],
    id: &'a mut [u32],
    kind: &'a mut [Kind],
    mood: &'a mut [f32],
}

impl AgentsMut<'_> {
    /// Splits off the first `many` agents.
    pub(crate) fn split(self, many: usize) -> (Self, Self) {
        let (position, rest_position) = split_axes(self.position, many);
        let (velocity, rest_velocity) = split_axes(self.velocity, many);
        let many = many.min(self.id.len());
        let (id, rest_id) = self.id.split_at_mut(many);
        let (kind, rest_kind) = self.kind.split_at_mut(many);
        let (mood, rest_mood) = split_slice(self.mood, many);
        (
            Self { position, velocity, id, kind, mood },
            Self { position: rest_position, velocity: rest_velocity, id: rest_id, kind: rest_kind, mood: rest_mood },
        )
    }

    /// The indices that [`gather`](Self::gather) reads, stored in place of the ids.
    pub(crate) fn order(&mut self) -> &mut [u32] {
        self.id
    }

    /// Copies the agents of `source` whose indices are in [`order`](Self::order), in that order.
    pub(crate) fn gather(self, source: &Agents) {
        fn pick<T: Copy>(into: &mut [T], from: &[T], order: &[u32]) {
            for (into, &index) in into.iter_mut().zip(order) {
                *into = from[index as usize];
            }
        }
        for (axis, into) in self.position.into_iter().enumerate() {
            pick(into, &source.position[axis], self.id);
        }
        for (axis, into) in self.velocity.into_iter().enumerate() {
            pick(into, &source.velocity[axis], self.id);
        }
        pick(self.kind, &source.kind, self.id);
        pick(self.mood, &source.mood, self.id);
        for id in self.id {
            *id = source.id[*id as usize];
        }
    }
}

/// Mutable access to positions, velocities and moods of a range of agents.
pub(crate) struct MotionMut<'a> {
    first: usize,
    len: usize,
    position: [&'a mut [f32]; 3],
    velocity: [&'a mut [f32]; 3],
    mood: &'a mut [f32],
}

impl MotionMut<'_> {
    /// Calls `fly` with ranges of at most `max` agents, on several threads if `parallel`.
    pub(crate) fn fill(mut self, max: usize, parallel: bool, fly: &(impl Fn(&mut Self) + Sync)) {
        if self.len <= max {
            return fly(&mut self);
        }
        let (left, right) = self.split();
        join(parallel, || left.fill(max, parallel, fly), || right.fill(max, parallel, fly));
    }

    /// The indices of the range.
    pub(crate) fn places(&self) -> Range<usize> {
        self.first..self.first + self.len
    }

    /// Writes positions and velocities from an index on, up to the end of the range.
    #[inline(always)]
    pub(crate) fn write<F: Lanes, const D: usize>(&mut self, place: usize, position: Wide<F, D>, velocity: Wide<F, D>) {
        let index = place - self.first;
        let end = self.len.min(index + F::WIDTH);
        for axis in 0..D {
            position[axis].store_slice(&mut self.position[axis][index..end]);
        }
        self.write_velocity(place, velocity);
    }

    /// Writes velocities only.
    #[inline(always)]
    pub(crate) fn write_velocity<F: Lanes, const D: usize>(&mut self, place: usize, velocity: Wide<F, D>) {
        let index = place - self.first;
        let end = self.len.min(index + F::WIDTH);
        for axis in 0..D {
            velocity[axis].store_slice(&mut self.velocity[axis][index..end]);
        }
    }

    /// Copies the range from `moods`, if moods are stored.
    pub(crate) fn copy_moods(&mut self, moods: &[f32]) {
        if !self.mood.is_empty() {
            self.mood.copy_from_slice(&moods[self.first..self.first + self.len]);
        }
    }

    /// The new positions from an index on.
    #[inline(always)]
    pub(crate) fn position<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.position[axis][place - self.first..], 0.0))
    }

    /// Sets the mood of the agent at an index, if moods are stored.
    pub(crate) fn set_mood(&mut self, place: usize, mood: f32) {
        if let Some(own) = self.mood.get_mut(place - self.first) {
            *own = mood;
        }
    }

    /// The new moods from an index on; 0 past the end.
    #[inline(always)]
    pub(crate) fn moods<F: Lanes>(&self, place: usize) -> F {
        F::load_or(&self.mood[place - self.first..], 0.0)
    }

    /// The new velocities from an index on.
    #[inline(always)]
    pub(crate) fn velocity<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.velocity[axis][place - self.first..], 0.0))
    }

    fn split(self) -> (Self, Self) {
        let half = self.len / 2;
        let (position, rest_position) = split_axes(self.position, half);
        let (velocity, rest_velocity) = split_axes(self.velocity, half);
        let (mood, rest_mood) = split_slice(self.mood, half);
        (
            Self { first: self.first, len: half, position, velocity, mood },
            Self {
                first: self.first + half,
                len: self.len - half,
                position: rest_position,
                velocity: rest_velocity,
                mood: rest_mood,
            },
        )
    }
}

/// Splits a slice at `half`; an empty one stays empty.
fn split_slice(run: &mut [f32], half: usize) -> (&mut [f32], &mut [f32]) {
    run.split_at_mut(half.min(run.len()))
}

/// Splits three slices at `half`; empty ones stay empty.
fn split_axes(axes: [&mut [f32]; 3], half: usize) -> ([&mut [f32]; 3], [&mut [f32]; 3]) {
    let [x, y, z] = axes.map(|axis| split_slice(axis, half));
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}
