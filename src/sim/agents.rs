//! The boids and predators of a flock, as a structure of arrays.

use std::ops::Range;

use super::vector::Vector;

/// What an agent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A boid.
    #[default]
    Prey,
    /// One that boids flee.
    Predator,
}

impl Kind {
    /// The word for it in files: `prey` or `predator`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Prey => "prey",
            Self::Predator => "predator",
        }
    }
}

/// One axis of all agents after another; in a flat world the third stays empty.
type Axes = [Vec<f32>; 3];

/// Positions (u), velocities (u/tick), ids and kinds of all agents.
///
/// The order of agents in memory follows the grid and carries no meaning: ids name them.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    dim: usize,
    position: Axes,
    velocity: Axes,
    id: Vec<u32>,
    kind: Vec<Kind>,
}

impl Agents {
    /// No agents, in `dim` dimensions.
    pub(super) fn new(dim: usize) -> Self {
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

    /// One axis of all positions, in memory's order; the third is empty in a flat world.
    #[must_use]
    pub fn positions(&self, axis: usize) -> &[f32] {
        &self.position[axis]
    }

    /// One axis of all velocities, in memory's order; the third is empty in a flat world.
    #[must_use]
    pub fn velocities(&self, axis: usize) -> &[f32] {
        &self.velocity[axis]
    }

    /// The position of the agent at this place in memory.
    #[must_use]
    #[inline]
    pub fn position<V: Vector>(&self, index: usize) -> V {
        load(&self.position, index)
    }

    /// The velocity of the agent at this place in memory.
    #[must_use]
    #[inline]
    pub fn velocity<V: Vector>(&self, index: usize) -> V {
        load(&self.velocity, index)
    }

    /// Where the agent at this place in memory stands; in a flat world the third axis is 0.
    #[inline]
    pub(super) fn place_of(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|axis| self.position[axis].get(index).copied().unwrap_or(0.0))
    }

    /// The positions of a run of agents.
    #[inline]
    pub(super) fn run_of_positions(&self, run: Range<usize>) -> Run<'_> {
        Run::new(&self.position, run)
    }

    /// The velocities of a run of agents.
    #[inline]
    pub(super) fn run_of_velocities(&self, run: Range<usize>) -> Run<'_> {
        Run::new(&self.velocity, run)
    }

    pub(super) fn push(&mut self, id: u32, kind: Kind, position: [f32; 3], velocity: [f32; 3]) {
        for axis in 0..self.dim {
            self.position[axis].push(position[axis]);
            self.velocity[axis].push(velocity[axis]);
        }
        self.id.push(id);
        self.kind.push(kind);
    }

    pub(super) fn place<V: Vector>(&mut self, index: usize, position: V, velocity: V) {
        let (position, velocity) = (position.axes(), velocity.axes());
        for axis in 0..V::DIM {
            self.position[axis][index] = position[axis];
            self.velocity[axis][index] = velocity[axis];
        }
    }

    /// Keeps the agents that `keep(id, kind)` names.
    pub(super) fn retain(&mut self, keep: impl Fn(u32, Kind) -> bool) {
        let mut kept = 0;
        for index in 0..self.len() {
            if keep(self.id[index], self.kind[index]) {
                for axes in [&mut self.position, &mut self.velocity] {
                    axes[..self.dim].iter_mut().for_each(|axis| axis[kept] = axis[index]);
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
    }

    /// Becomes the agents of `source` at the places `order`, in that order.
    pub(super) fn gather(&mut self, source: &Self, order: &[u32]) {
        fn pick<T: Copy>(into: &mut Vec<T>, from: &[T], order: &[u32]) {
            into.clear();
            into.extend(order.iter().map(|&index| from[index as usize]));
        }
        self.dim = source.dim;
        for axis in 0..3 {
            let order = if axis < source.dim { order } else { &[] };
            pick(&mut self.position[axis], &source.position[axis], order);
            pick(&mut self.velocity[axis], &source.velocity[axis], order);
        }
        pick(&mut self.id, &source.id, order);
        pick(&mut self.kind, &source.kind, order);
    }

    /// Fills `order` with everyone's place in memory, in order of ids.
    pub(super) fn order_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        order.extend((0_u32..).take(self.len()));
        order.sort_unstable_by_key(|&index| self.id[index as usize]);
    }

    /// Takes over who stands where from `other`, whose motion is about to be written here.
    pub(super) fn reorder(&mut self, other: &Self) {
        self.id.copy_from_slice(&other.id);
        self.kind.copy_from_slice(&other.kind);
    }

    /// A window on all agents, through which their motion can be written in parts.
    pub(super) fn motion(&mut self) -> Motion<'_> {
        Motion {
            first: 0,
            len: self.id.len(),
            position: self.position.each_mut().map(Vec::as_mut_slice),
            velocity: self.velocity.each_mut().map(Vec::as_mut_slice),
        }
    }
}

#[inline]
fn load<V: Vector>(axes: &Axes, index: usize) -> V {
    V::from_axes([axes[0][index], axes[1][index], if V::DIM == 3 { axes[2][index] } else { 0.0 }])
}

/// The positions, or velocities, of agents side by side in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run<'a> {
    axes: [&'a [f32]; 3],
}

impl<'a> Run<'a> {
    #[inline]
    fn new(axes: &'a Axes, run: Range<usize>) -> Self {
        let x = &axes[0][run.clone()];
        // All three of one length, so that the compiler need not check each by itself.
        let [y, z] = [1, 2].map(|axis| axes[axis].get(run.clone()).unwrap_or(x));
        Self { axes: [x, &y[..x.len()], &z[..x.len()]] }
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.axes[0].len()
    }

    /// The axes at one place of the run; in a flat world the third means nothing.
    #[inline]
    pub(super) fn axes(&self, place: usize) -> [f32; 3] {
        self.axes.map(|axis| axis[place])
    }
}

/// A run of agents whose positions and velocities are being written.
pub(super) struct Motion<'a> {
    first: usize,
    len: usize,
    position: [&'a mut [f32]; 3],
    velocity: [&'a mut [f32]; 3],
}

impl Motion<'_> {
    /// Calls `fly` with runs of agents, which it writes; on several threads where `parallel`.
    pub(super) fn fill(mut self, parallel: bool, fly: &(impl Fn(&mut Self) + Sync)) {
        /// Few enough to even out the load, enough to be worth a hand-over.
        #[cfg(feature = "parallel")]
        const GRAIN: usize = 256;
        #[cfg(feature = "parallel")]
        if parallel && self.len > GRAIN {
            let (left, right) = self.split();
            rayon::join(|| left.fill(parallel, fly), || right.fill(parallel, fly));
            return;
        }
        let _ = parallel;
        fly(&mut self);
    }

    /// The places in memory of the run.
    pub(super) fn places(&self) -> Range<usize> {
        self.first..self.first + self.len
    }

    /// Writes the motion of the agent at a place in memory.
    #[inline]
    pub(super) fn write<V: Vector>(&mut self, place: usize, position: V, velocity: V) {
        let (position, velocity) = (position.axes(), velocity.axes());
        for axis in 0..V::DIM {
            self.position[axis][place - self.first] = position[axis];
            self.velocity[axis][place - self.first] = velocity[axis];
        }
    }

    #[cfg(feature = "parallel")]
    fn split(self) -> (Self, Self) {
        let half = self.len / 2;
        let (position, later_position) = cut(self.position, half);
        let (velocity, later_velocity) = cut(self.velocity, half);
        (
            Self { first: self.first, len: half, position, velocity },
            Self { first: self.first + half, len: self.len - half, position: later_position, velocity: later_velocity },
        )
    }
}

/// Three runs, each cut in two at `half`; the empty third of a flat world stays empty.
#[cfg(feature = "parallel")]
fn cut(axes: [&mut [f32]; 3], half: usize) -> ([&mut [f32]; 3], [&mut [f32]; 3]) {
    let [x, y, z] = axes.map(|axis| axis.split_at_mut(half.min(axis.len())));
    ([x.0, y.0, z.0], [x.1, y.1, z.1])
}
