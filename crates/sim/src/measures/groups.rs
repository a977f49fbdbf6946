//! Connected groups of boids: each boid is within a radius of another one of its group.

use std::ops::Range;

use super::{Analyzer, count};
use crate::math::{Wide, sum};
use crate::neighbors::{Block, CellList, Visitor};
use crate::simd::{Lanes, MAX_LANES, Simd, Task};
use crate::snapshot::Snapshot;
use crate::world::Metric;

/// The mean size of the group of a boid, `Σ s² / Σ s`.
pub(super) fn weighted_mean(sizes: &[usize]) -> f64 {
    let sum = |power| sizes.iter().map(|size| count(*size).powi(power)).sum::<f64>();
    if sizes.is_empty() { 0.0 } else { sum(2) / sum(1) }
}

/// A connected group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// Number of boids.
    pub boids: usize,
    /// Mean position, in u; on a torus it can be beyond the border.
    pub center: [f32; 3],
    /// Mean velocity, in u/tick.
    pub velocity: [f32; 3],
    /// Id of the boid nearest to the mean position.
    pub member: u32,
}

/// Size ratio above which another group replaces the current largest one.
const SWITCH_RATIO: (usize, usize) = (5, 4);

impl Analyzer {
    /// The sizes of the connected groups of sorted boids, in no particular order.
    pub(super) fn group_sizes<const D: usize>(&mut self, flock: Snapshot<'_>) -> Vec<usize> {
        self.connect::<D>(flock);
        let mut sizes = sizes(&mut self.parents);
        sizes.retain(|size| *size > 0);
        sizes
    }

    /// The indices of the largest group of connected boids, in ascending order; of the one with the lowest id among equals.
    pub(super) fn largest_members(&mut self) -> Vec<u32> {
        let Some(largest) = self.largest_root() else { return Vec::new() };
        (0..self.parents.len())
            .filter(|&index| root(&mut self.parents, index) == largest)
            .map(|index| index as u32)
            .collect()
    }

    /// The largest connected group, or the one with the lowest id among equals; `None` without boids. The group of the
    /// boid `stay` remains the largest until another is larger by a quarter.
    pub fn largest<'a>(&mut self, flock: impl Into<Snapshot<'a>>, stay: Option<u32>) -> Option<Group> {
        let flock = flock.into();
        self.sort(flock);
        in_dimensions!(flock, self.largest_in(flock, stay))
    }

    /// Joins sorted boids within the group radius of each other; all of them if it is infinite.
    fn connect<const D: usize>(&mut self, flock: Snapshot<'_>) {
        let radius = self.group_radius.unwrap_or_else(|| flock.model().group_radius(flock.params));
        let mut parents = std::mem::take(&mut self.parents);
        parents.clear();
        if radius.is_infinite() {
            parents.resize(flock.boids(), 0);
        } else {
            parents.extend((0_u32..).take(flock.boids()));
            Simd::default().run(Connect::<D> {
                prey: &self.prey,
                metric: flock.metric(),
                radius,
                parents: &mut parents,
            });
        }
        self.parents = parents;
    }

    fn largest_in<const D: usize>(&mut self, flock: Snapshot<'_>, stay: Option<u32>) -> Option<Group> {
        self.connect::<D>(flock);
        let largest = self.largest_root()?;
        let sizes = sizes(&mut self.parents);
        let ids = self.prey.agents.ids();
        let mut group = |index: u32| root(&mut self.parents, index as usize);
        let kept = self.by_id.iter().find(|index| Some(ids[**index as usize]) == stay).map(|&index| group(index));
        let kept = kept.filter(|kept| sizes[*kept] * SWITCH_RATIO.0 >= sizes[largest] * SWITCH_RATIO.1);
        let mut members = self.by_id.clone();
        members.retain(|&index| group(index) == kept.unwrap_or(largest));
        Some(self.describe::<D>(flock, &members))
    }

    /// The root of the largest tree, or of the one with the lowest id among equals. Sorts boids by id.
    fn largest_root(&mut self) -> Option<usize> {
        self.prey.agents.order_by_id(&mut self.by_id);
        let sizes = sizes(&mut self.parents);
        let roots = self.by_id.iter().map(|&index| root(&mut self.parents, index as usize));
        roots.reduce(|largest, other| if sizes[other] > sizes[largest] { other } else { largest })
    }

    /// Describes a group, with its members in order of ids.
    fn describe<const D: usize>(&self, flock: Snapshot<'_>, members: &[u32]) -> Group {
        let prey = &self.prey.agents;
        let metric = flock.metric();
        let first: Wide<f32, D> = prey.position(members[0] as usize);
        let offset = |index: usize| metric.offset(first, prey.position(index));
        let [x, y, z, vx, vy, vz] = sum(members, |index| {
            let ([x, y, z], [vx, vy, vz]) = (offset(index).axes(), prey.velocity_array(index));
            [x, y, z, vx, vy, vz].map(f64::from)
        })
        .map(|total| (total / count(members.len())) as f32);
        let mean = Wide::splat([x, y, z]);
        let distance = |index: u32| (offset(index as usize) - mean).length_squared();
        let nearest = members.iter().copied().min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        Group {
            boids: members.len(),
            center: (first + mean).axes(),
            velocity: [vx, vy, vz],
            member: prey.ids()[nearest.unwrap_or(members[0]) as usize],
        }
    }
}

/// Joins boids within a radius of each other.
struct Connect<'a, const D: usize> {
    prey: &'a CellList,
    metric: Metric,
    radius: f32,
    parents: &'a mut [u32],
}

impl<const D: usize> Task for Connect<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { prey, metric, radius, parents } = self;
        for boids in prey.blocks(0..parents.len(), F::WIDTH) {
            let block: Block<F, D> = Block::new(&prey.agents, boids.clone());
            // Most are in one tree then, which is joined with others as a whole.
            for boid in boids.start + 1..boids.end {
                let offset = metric.offset(prey.agents.position::<D>(boid - 1), prey.agents.position(boid));
                if offset.length_squared() < radius * radius {
                    join(parents, boid - 1, boid);
                }
            }
            let (roots, radius2) = (F::splat_words(0), F::splat(radius * radius));
            let mut joiner = Joiner { boids, roots, common: 0, radius2, parents };
            joiner.find_roots();
            prey.visit(&block, &metric, radius, joiner).end();
        }
    }
}

/// A block joins its boids with those near them.
struct Joiner<'a, F: Lanes> {
    boids: Range<usize>,
    /// The roots of their trees.
    roots: F::Words,
    /// The root if all are in one tree, else no index.
    common: u32,
    radius2: F,
    parents: &'a mut [u32],
}

impl<F: Lanes> Joiner<'_, F> {
    #[inline(always)]
    fn find_roots(&mut self) {
        let mut roots = [root(self.parents, self.boids.start) as u32; MAX_LANES];
        for (root_of, boid) in roots.iter_mut().zip(self.boids.clone()) {
            *root_of = root(self.parents, boid) as u32;
        }
        self.roots = F::load_words(&roots);
        self.common = if roots.iter().all(|root| *root == roots[0]) { roots[0] } else { u32::MAX };
    }

    /// Lets later blocks see the root at once.
    #[inline(always)]
    fn end(self) {
        if self.common != u32::MAX {
            self.parents[self.boids].fill(self.common);
        }
    }
}

impl<F: Lanes, const D: usize> Visitor<F, D> for Joiner<'_, F> {
    const SKIPS: bool = true;

    #[inline(always)]
    fn visit(&mut self, index: usize, _: Wide<F, D>, d2: F) {
        let parent = F::splat_words(self.parents[index]);
        let differs = F::or(F::less_words(parent, self.roots), F::less_words(self.roots, parent));
        let joins = F::and(d2.lt(self.radius2), differs);
        if !F::any(joins) {
            return;
        }
        if self.common != u32::MAX {
            self.common = join(self.parents, self.common as usize, index) as u32;
            self.parents[index] = self.common;
            self.roots = F::splat_words(self.common);
            return;
        }
        let joins = F::select(joins, F::splat(1.0), F::splat(0.0)).to_array();
        for (boid, joins) in self.boids.clone().zip(joins) {
            if joins > 0.0 {
                join(self.parents, boid, index);
            }
        }
        self.find_roots();
    }

    /// If all are in the tree of the block already, or find the block when their turn comes.
    #[inline(always)]
    fn skips(&self, run: &Range<usize>) -> bool {
        run.start >= self.boids.end || self.parents[run.clone()].iter().all(|parent| *parent == self.common)
    }
}

/// Joins the trees of two nodes. Returns the root, which is the lower one.
fn join(parents: &mut [u32], one: usize, other: usize) -> usize {
    let (one, other) = (root(parents, one), root(parents, other));
    let low = one.min(other);
    parents[one.max(other)] = low as u32;
    low
}

/// The number of nodes of each tree of a forest, by its root, which is its own parent.
fn sizes(parents: &mut [u32]) -> Vec<usize> {
    let mut sizes = vec![0_usize; parents.len()];
    for index in 0..parents.len() {
        sizes[root(parents, index)] += 1;
    }
    sizes
}

/// The root of a tree, with path halving (Tarjan & van Leeuwen 1984).
fn root(parents: &mut [u32], mut index: usize) -> usize {
    while parents[index] as usize != index {
        parents[index] = parents[parents[index] as usize];
        index = parents[index] as usize;
    }
    index
}
