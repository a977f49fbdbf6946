//! The boids and predators of a flock, as a structure of arrays.

#![allow(clippy::inline_always, reason = "this is compiled for each kind of SIMD, which only inlining brings about")]

use std::ops::Range;

use super::math::parallel::join;
use super::math::vector::Vector;
use super::math::wide::Wide;
use super::neighbors::simd::{Lanes, prefetch};

/// What an agent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A boid.
    #[default]
    Prey,
    /// One that boids flee.
    Predator,
    /// A boid that was caught, and is to come back: nobody sees it, and it counts for nothing meanwhile.
    Caught,
}

impl Kind {
    /// All that an agent can be.
    pub const ALL: [Self; 3] = [Self::Prey, Self::Predator, Self::Caught];

    /// The word for it in files: `prey`, `predator` or `caught`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prey => "prey",
            Self::Predator => "predator",
            Self::Caught => "caught",
        }
    }
}

/// One axis of all agents after another; in a flat world the third stays empty.
type Axes = [Vec<f32>; 3];

/// Positions (u), velocities (u/tick), ids, kinds and moods of all agents.
///
/// The order of agents in memory follows the grid and carries no meaning: ids name them.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    dim: usize,
    position: Axes,
    velocity: Axes,
    id: Vec<u32>,
    kind: Vec<Kind>,
    /// Empty where no rule heeds moods: all are 0 then.
    mood: Vec<f32>,
    has_moods: bool,
}

impl Agents {
    /// No agents, in `dim` dimensions.
    pub(crate) fn new(dim: usize) -> Self {
        Self { dim, ..Self::default() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// How many dimensions they move in.
    #[must_use]
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The ids, in memory's order.
    #[must_use]
    pub fn ids(&self) -> &[u32] {
        &self.id
    }

    /// The kinds, in memory's order.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kind
    }

    /// The moods, in memory's order; empty where no rule heeds them, and all are 0.
    ///
    /// A boid's is its alarm, 0 … 1, or below 0 the ticks for which it still rests; a predator's is how
    /// tired it is, likewise. Who is caught has the ticks until it comes back.
    #[must_use]
    pub fn moods(&self) -> &[f32] {
        &self.mood
    }

    /// The mood of the agent at this place in memory; 0 where none are kept, and past the end.
    #[must_use]
    #[inline]
    pub fn mood(&self, index: usize) -> f32 {
        self.mood.get(index).copied().unwrap_or(0.0)
    }

    /// One axis of all positions, in u and in memory's order; the third is empty in a flat world.
    ///
    /// # Panics
    ///
    /// Where `axis` is above 2.
    #[must_use]
    pub fn positions(&self, axis: usize) -> &[f32] {
        &self.position[axis]
    }

    /// One axis of all velocities, in u/tick and in memory's order; the third is empty in a flat world.
    ///
    /// # Panics
    ///
    /// Where `axis` is above 2.
    #[must_use]
    pub fn velocities(&self, axis: usize) -> &[f32] {
        &self.velocity[axis]
    }

    /// The position of the agent at this place in memory, in u.
    ///
    /// # Panics
    ///
    /// Past the end, and for a [`Vec3`](glam::Vec3) in a flat world.
    #[must_use]
    #[inline]
    pub fn position<V: Vector>(&self, index: usize) -> V {
        load(&self.position, index)
    }

    /// The velocity of the agent at this place in memory, in u/tick.
    ///
    /// # Panics
    ///
    /// Past the end, and for a [`Vec3`](glam::Vec3) in a flat world.
    #[must_use]
    #[inline]
    pub fn velocity<V: Vector>(&self, index: usize) -> V {
        load(&self.velocity, index)
    }

    /// Where the agent at this place in memory stands, in u: 0 along a flat world's third axis, and past the end.
    #[must_use]
    #[inline]
    pub fn position_array(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.position[axis].get(index).copied().unwrap_or(0.0))
    }

    /// How the agent at this place in memory moves, in u/tick, likewise.
    #[must_use]
    #[inline]
    pub fn velocity_array(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.velocity[axis].get(index).copied().unwrap_or(0.0))
    }

    /// The positions and the velocities of a run of agents.
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

    /// Whether anyone's mood is kept.
    #[inline]
    pub(crate) fn has_moods(&self) -> bool {
        self.has_moods
    }

    /// Begins to keep moods, all 0 at first, or gives them up.
    pub(crate) fn track_moods(&mut self, keep: bool) {
        self.mood.resize(if keep { self.len() } else { 0 }, 0.0);
        self.has_moods = keep;
    }

    /// Gives the agent at this place in memory a mood, where any are kept.
    pub(crate) fn set_mood(&mut self, index: usize, mood: f32) {
        if let Some(own) = self.mood.get_mut(index) {
            *own = mood;
        }
    }

    /// Makes something else of the agent at this place in memory.
    pub(crate) fn set_kind(&mut self, index: usize, kind: Kind) {
        self.kind[index] = kind;
    }

    /// Writes where the agent at this place in memory stands, and how it moves.
    pub(crate) fn place(&mut self, index: usize, position: [f32; 3], velocity: [f32; 3]) {
        for axis in 0..self.dim {
            self.position[axis][index] = position[axis];
            self.velocity[axis][index] = velocity[axis];
        }
    }

    /// Places everyone anew: from position and velocity to those that `change` makes of them.
    pub(crate) fn map_motion(&mut self, change: impl Fn([f32; 3], [f32; 3]) -> ([f32; 3], [f32; 3])) {
        for index in 0..self.len() {
            let (position, velocity) = change(self.position_array(index), self.velocity_array(index));
            self.place(index, position, velocity);
        }
    }

    /// Keeps the agents that `keep(id, kind)` names.
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

    /// Becomes no agents, in `dim` dimensions.
    pub(crate) fn clear(&mut self, dim: usize) {
        self.resize(dim, 0);
    }

    /// Adds the agents of a kind from a place in `source` on, with their moods.
    pub(crate) fn extend_with(&mut self, kind: Kind, source: &Self, first: usize) {
        self.track_moods(source.has_moods());
        for (index, _) in source.kind.iter().enumerate().skip(first).filter(|(_, of)| **of == kind) {
            self.push(source.id[index], kind, source.position_array(index), source.velocity_array(index));
            self.set_mood(self.len() - 1, source.mood(index));
        }
    }

    /// Becomes as many agents, of whatever state, in `dim` dimensions.
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

    /// A window on all agents, through which they can be written in parts.
    pub(crate) fn as_mut(&mut self) -> AgentsMut<'_> {
        AgentsMut {
            position: self.position.each_mut().map(Vec::as_mut_slice),
            velocity: self.velocity.each_mut().map(Vec::as_mut_slice),
            id: &mut self.id,
            kind: &mut self.kind,
            mood: &mut self.mood,
        }
    }

    /// Has positions, velocities and ids brought near that share a line of memory with those at `place`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: usize) {
        self.position.iter().chain(&self.velocity).for_each(|axis| prefetch(axis, place));
        prefetch(&self.id, place);
    }

    /// Fills `order` with everyone's place in memory, in order of ids.
    pub(crate) fn order_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        order.extend((0_u32..).take(self.len()));
        order.sort_unstable_by_key(|&index| self.id[index as usize]);
    }

    /// Takes over who stands where from `other`, who is left with what was here before.
    pub(crate) fn swap_order(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.id, &mut other.id);
        std::mem::swap(&mut self.kind, &mut other.kind);
    }

    /// A window on all agents, through which their motion can be written in parts.
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

/// The positions, or velocities, of agents side by side in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisSlices<'a, const D: usize> {
    /// All of one length.
    pub(crate) axes: [&'a [f32]; D],
}

impl<'a, const D: usize> AxisSlices<'a, D> {
    #[inline(always)]
    fn new(axes: &'a Axes, run: Range<usize>) -> Self {
        let len = run.len();
        // Each cut to the one length, so that the compiler need not check each by itself.
        Self { axes: std::array::from_fn(|axis| &axes[axis][run.clone()][..len]) }
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.axes[0].len()
    }
}

/// A run of agents that are being written.
pub(crate) struct AgentsMut<'a> {
    position: [&'a mut [f32]; 3],
    velocity: [&'a mut [f32]; 3],
    id: &'a mut [u32],
    kind: &'a mut [Kind],
    mood: &'a mut [f32],
}

impl AgentsMut<'_> {
    /// The first `many` of them, and the others.
    pub(crate) fn split(self, many: usize) -> (Self, Self) {
        let (position, later_position) = cut(self.position, many);
        let (velocity, later_velocity) = cut(self.velocity, many);
        let many = many.min(self.id.len());
        let (id, later_id) = self.id.split_at_mut(many);
        let (kind, later_kind) = self.kind.split_at_mut(many);
        let (mood, later_mood) = cut_one(self.mood, many);
        (
            Self { position, velocity, id, kind, mood },
            Self {
                position: later_position,
                velocity: later_velocity,
                id: later_id,
                kind: later_kind,
                mood: later_mood,
            },
        )
    }

    /// Where [`gather`](Self::gather) finds which agents to become: in the place of their ids.
    pub(crate) fn order(&mut self) -> &mut [u32] {
        self.id
    }

    /// Becomes the agents of `source` whose places there stand in [`order`](Self::order), in that order.
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

/// A run of agents whose positions, velocities and moods are being written.
pub(crate) struct MotionMut<'a> {
    first: usize,
    len: usize,
    position: [&'a mut [f32]; 3],
    velocity: [&'a mut [f32]; 3],
    mood: &'a mut [f32],
}

impl MotionMut<'_> {
    /// Calls `fly` with runs of at most `most` agents, which it writes; on several threads where `parallel`.
    pub(crate) fn fill(mut self, most: usize, parallel: bool, fly: &(impl Fn(&mut Self) + Sync)) {
        if self.len <= most {
            return fly(&mut self);
        }
        let (left, right) = self.split();
        join(parallel, || left.fill(most, parallel, fly), || right.fill(most, parallel, fly));
    }

    /// The places in memory of the run.
    pub(crate) fn places(&self) -> Range<usize> {
        self.first..self.first + self.len
    }

    /// Writes positions and velocities of agents from a place in memory on, as many as the run still has.
    #[inline(always)]
    pub(crate) fn write<F: Lanes, const D: usize>(&mut self, place: usize, position: Wide<F, D>, velocity: Wide<F, D>) {
        let index = place - self.first;
        let end = self.len.min(index + F::WIDTH);
        for axis in 0..D {
            position[axis].store_slice(&mut self.position[axis][index..end]);
        }
        self.write_velocity(place, velocity);
    }

    /// Writes velocities alone.
    #[inline(always)]
    pub(crate) fn write_velocity<F: Lanes, const D: usize>(&mut self, place: usize, velocity: Wide<F, D>) {
        let index = place - self.first;
        let end = self.len.min(index + F::WIDTH);
        for axis in 0..D {
            velocity[axis].store_slice(&mut self.velocity[axis][index..end]);
        }
    }

    /// Takes moods over as they were; where none are kept, there is nothing to do.
    pub(crate) fn track_moods(&mut self, moods: &[f32]) {
        if !self.mood.is_empty() {
            self.mood.copy_from_slice(&moods[self.first..self.first + self.len]);
        }
    }

    /// The positions that have been written, from a place in memory on.
    #[inline(always)]
    pub(crate) fn position<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.position[axis][place - self.first..], 0.0))
    }

    /// Writes the mood of the agent at a place in memory, where any are kept.
    pub(crate) fn set_mood(&mut self, place: usize, mood: f32) {
        if let Some(own) = self.mood.get_mut(place - self.first) {
            *own = mood;
        }
    }

    /// The moods that have been written, from a place in memory on; 0 behind the last.
    #[inline(always)]
    pub(crate) fn moods<F: Lanes>(&self, place: usize) -> F {
        F::load_or(&self.mood[place - self.first..], 0.0)
    }

    /// The velocities that have been written, from a place in memory on.
    #[inline(always)]
    pub(crate) fn velocity<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| F::load_or(&self.velocity[axis][place - self.first..], 0.0))
    }

    fn split(self) -> (Self, Self) {
        let half = self.len / 2;
        let (position, later_position) = cut(self.position, half);
        let (velocity, later_velocity) = cut(self.velocity, half);
        let (mood, later_mood) = cut_one(self.mood, half);
        (
            Self { first: self.first, len: half, position, velocity, mood },
            Self {
                first: self.first + half,
                len: self.len - half,
                position: later_position,
                velocity: later_velocity,
                mood: later_mood,
            },
        )
    }
}

/// A run cut in two at `half`; one that is empty stays empty.
fn cut_one(run: &mut [f32], half: usize) -> (&mut [f32], &mut [f32]) {
    run.split_at_mut(half.min(run.len()))
}

/// Three runs, each cut in two at `half`; the empty third of a flat world stays empty.
fn cut(axes: [&mut [f32]; 3], half: usize) -> ([&mut [f32]; 3], [&mut [f32]; 3]) {
    let [x, y, z] = axes.map(|axis| cut_one(axis, half));
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}
