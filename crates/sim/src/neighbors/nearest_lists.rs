//! The nearest neighbors of each boid of a block, as lists.
//!
//! A block of boids visits its candidates, one boid in each lane, and remembers those that are among the nearest of any boid
//! so far. Then it lists the neighbors of each boid, so that the caller computes nothing for other candidates.

use super::block::Block;
use super::candidates::Visitor;
use super::cell_list::CellList;
use super::nearest::{BATCH, Smallest};
use crate::math::Wide;
use crate::simd::{Lanes, MAX_LANES};
use crate::world::Metric;

/// The maximum number of neighbors.
pub(crate) const LISTED: usize = BATCH - 1;
/// The smallest radius of a search, in u, from which it can grow.
const MIN_RADIUS: f32 = 1e-3;
/// The growth of the radius if too few are found.
const GROWTH: f32 = 1.5;
/// The first radius of a block, as a multiple of the distance to the farthest neighbor of the block before it.
const MARGIN: f32 = 1.25;
/// The maximum number of candidates that are remembered: twice as many as can be neighbors of a block.
const REMEMBERED: usize = 2 * LISTED * MAX_LANES;
/// A number for each lane, in one line of the cache: to load or store across two lines takes twice as long.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([f32; MAX_LANES]);

/// Marks an empty place in a list.
const NONE: u32 = u32::MAX;

/// The nearest neighbors of each boid of a block.
pub(crate) struct NearestLists<F> {
    /// The squared distances to the nearest others in u², ascending.
    pub(crate) squared: [F; BATCH],
    /// Neighbors have a squared distance (u²) below this.
    pub(crate) limit: F,
    /// The neighbors of each boid, in order of memory.
    indices: [[u32; BATCH + MAX_LANES]; MAX_LANES],
}

impl<F: Lanes> NearestLists<F> {
    /// The largest distance below which the first few boids have neighbors, in u.
    #[inline(always)]
    pub(crate) fn farthest(&self, boids: usize) -> f32 {
        farthest(self.limit, boids).sqrt()
    }

    /// Columns of the agents at this place of the lists; `rest` where a list is shorter.
    #[inline(always)]
    pub(crate) fn gather<const N: usize>(&self, place: usize, columns: [&[f32]; N], rest: f32) -> [F; N] {
        let mut lanes = [[rest; MAX_LANES]; N];
        let agents = columns[0].len();
        let columns = columns.map(|column| &column[..agents]);
        for lane in 0..F::WIDTH {
            let index = self.indices[lane][place] as usize;
            if index < agents {
                for (lanes, column) in lanes.iter_mut().zip(columns) {
                    lanes[lane] = column[index];
                }
            }
        }
        lanes.map(|lanes| F::load(&lanes))
    }
}

/// The search for the nearest neighbors.
pub(crate) struct ListSearch<'a> {
    flock: &'a CellList,
    metric: Metric,
    /// The first radius of the next block, in u; the result does not depend on it.
    radius: f32,
    /// The largest radius, in u.
    max_radius: f32,
    memory: Memory,
}

impl<'a> ListSearch<'a> {
    #[inline(always)]
    pub(crate) fn new(flock: &'a CellList, metric: Metric, [radius, max_radius]: [f32; 2]) -> Self {
        Self { flock, metric, radius, max_radius, memory: Memory::new() }
    }

    /// The nearest neighbors of the boids of a block: those that are nearer than the limit, which follows from the squared
    /// distances to the nearest others, ascending.
    #[inline(always)]
    pub(crate) fn find<F: Lanes, const D: usize>(
        &mut self,
        block: &Block<'_, F, D>,
        limit: impl Fn(&[F; BATCH]) -> F,
    ) -> NearestLists<F> {
        let mut radius = self.radius.max(MIN_RADIUS).min(self.max_radius);
        let (squared, len) = loop {
            let remember = Remember::new(&mut self.memory, radius);
            let (squared, len) = self.flock.visit(block, &self.metric, radius, remember).end();
            let farthest = farthest(squared[BATCH - 1], block.boids.len());
            if farthest < radius * radius || radius >= self.max_radius {
                self.radius = MARGIN * farthest.sqrt();
                break (squared, len);
            }
            radius = (GROWTH * radius).min(self.max_radius);
        };
        let limit = limit(&squared);
        NearestLists { squared, limit, indices: self.memory.lists(len, limit, block.boids.len()) }
    }
}

/// The candidates that are remembered.
struct Memory {
    /// Their squared distances, by lane.
    squared: [Line; REMEMBERED],
    indices: [u32; REMEMBERED + MAX_LANES],
}

impl Memory {
    fn new() -> Self {
        Self { squared: [Line([0.0; MAX_LANES]); REMEMBERED], indices: [NONE; REMEMBERED + MAX_LANES] }
    }

    /// Forgets those of the first few that are not below a limit; returns the number of the others.
    #[inline(always)]
    fn forget<F: Lanes>(&mut self, len: usize, limit: F) -> usize {
        let mut kept = 0;
        for index in 0..len {
            let squared = F::load(&self.squared[index].0);
            squared.store(&mut self.squared[kept].0);
            self.indices[kept] = self.indices[index];
            kept += usize::from(F::any(squared.lt(limit)));
        }
        kept
    }

    /// Those of the first few that are below a limit, for each boid.
    #[inline(always)]
    fn lists<F: Lanes>(&mut self, len: usize, limit: F, boids: usize) -> [[u32; BATCH + MAX_LANES]; MAX_LANES] {
        let len = self.forget(len, limit);
        // A bit for each boid that has the candidate in its list.
        let mut bits = [0; REMEMBERED + MAX_LANES];
        for (bits, squared) in bits.iter_mut().zip(&self.squared).take(len) {
            *bits = F::bits(F::load(&squared.0).lt(limit));
        }
        let mut lists = [[NONE; BATCH + MAX_LANES]; MAX_LANES];
        for (boid, list) in (0..).zip(&mut lists[..boids]) {
            let mut place = 0;
            for first in (0..len).step_by(F::WIDTH) {
                let is_listed = F::has_bit(F::load_words(&bits[first..]), boid);
                let indices = F::pack_words(F::load_words(&self.indices[first..]), is_listed);
                F::store_words(indices, &mut list[place..]);
                place += F::bits(is_listed).count_ones() as usize;
            }
            // Packing leaves words of unlisted candidates behind the last.
            F::store_words(F::splat_words(NONE), &mut list[place..]);
        }
        lists
    }
}

/// A block that remembers the candidates which are among the nearest of any boid so far.
struct Remember<'a, F: Lanes> {
    memory: &'a mut Memory,
    len: usize,
    /// The number of remembered candidates that are ranked.
    ranked: usize,
    smallest: Smallest<F, BATCH>,
    /// The largest of the smallest squared distances.
    limit: F,
}

impl<'a, F: Lanes> Remember<'a, F> {
    #[inline(always)]
    fn new(memory: &'a mut Memory, radius: f32) -> Self {
        let limit = F::splat(radius * radius);
        Self { memory, len: 0, ranked: 0, smallest: Smallest::new(BATCH, limit), limit }
    }

    #[inline(always)]
    fn rank(&mut self) {
        let batch = &self.memory.squared[self.ranked..self.ranked + BATCH];
        self.smallest.add(std::array::from_fn(|index| F::load(&batch[index].0)));
        self.limit = self.smallest.squared[BATCH - 1];
        self.ranked = self.len;
    }

    /// The smallest squared distances, and the number of remembered candidates.
    #[inline(always)]
    fn end(mut self) -> ([F; BATCH], usize) {
        self.memory.squared[self.len..][..BATCH].fill(Line([f32::INFINITY; MAX_LANES]));
        self.rank();
        (self.smallest.squared, self.len)
    }
}

impl<F: Lanes, const D: usize> Visitor<F, D> for Remember<'_, F> {
    #[inline(always)]
    fn visit(&mut self, index: usize, _: Wide<F, D>, d2: F) {
        // Writes first and counts later: a branch on the distance would be mispredicted often.
        d2.store(&mut self.memory.squared[self.len].0);
        self.memory.indices[self.len] = index as u32;
        self.len += usize::from(F::any(d2.lt(self.limit)));
        if self.len - self.ranked == BATCH {
            self.rank();
            if self.len > REMEMBERED - 2 * BATCH {
                self.len = self.memory.forget(self.len, self.limit);
                self.ranked = self.len;
            }
        }
    }
}

/// The greatest in the first few lanes.
#[inline(always)]
fn farthest<F: Lanes>(squared: F, lanes: usize) -> f32 {
    squared.to_array()[..lanes].iter().fold(0.0, |max: f32, &squared| if squared > max { squared } else { max })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::agents::{Agents, Kind, Row};
    use crate::math::Execution;
    use crate::neighbors::{GridLayout, Placement};
    use crate::simd::{Simd, Task};

    fn flock(positions: impl Iterator<Item = [f32; 3]>) -> CellList {
        let mut agents = Agents::new(3);
        for (id, position) in (0..).zip(positions) {
            agents.push(Row { id, kind: Kind::Prey, position, velocity: [0.0; 3], mood: 0.0, bank: 0.0 });
        }
        let mut list = CellList::default();
        let layout = GridLayout::of_flat_flock(2.0, agents.len());
        list.sort(layout, &agents, [Placement::InCells; 3], Execution::default());
        list
    }

    /// The indices in the list of each boid.
    struct Lists<'a>(&'a CellList, f32);

    impl Task for Lists<'_> {
        type Output = Vec<Vec<u32>>;

        #[inline(always)]
        fn run<F: Lanes>(self) -> Vec<Vec<u32>> {
            let Self(flock, max_radius) = self;
            let mut search = ListSearch::new(flock, Metric::new(&World::Cuboid([1.0; 3]), false), [1.0, max_radius]);
            let mut all = vec![];
            for boids in flock.blocks(0..flock.agents.len(), F::WIDTH) {
                let block: Block<F, 3> = Block::new(&flock.agents, boids.clone());
                let lists = search.find(&block, |squared| squared[LISTED]);
                let list =
                    |lane: usize| lists.indices[lane].iter().copied().take_while(|&index| index != NONE).collect();
                all.extend((0..boids.len()).map(list));
            }
            all
        }
    }

    fn brute_force(flock: &CellList, max_radius: f32) -> Vec<Vec<u32>> {
        let agents = &flock.agents;
        let lists = (0..agents.len()).map(|boid| {
            let d2 = |other: usize| (agents.position::<3>(other) - agents.position(boid)).length_squared();
            let mut squared: Vec<f32> = (0..agents.len()).filter(|&other| other != boid).map(d2).collect();
            squared.sort_by(f32::total_cmp);
            let limit = squared.get(LISTED).copied().unwrap_or(f32::INFINITY).min(max_radius * max_radius);
            (0..agents.len()).filter(|&other| other != boid && d2(other) < limit).map(|other| other as u32).collect()
        });
        lists.collect()
    }

    #[test]
    fn lists_have_the_nearest() {
        let scattered = |scale: f32| {
            move |k: u32| [k * 37 % 101, k * 53 % 97, k * 71 % 89].map(|axis| 50.0 + axis as f32 * 0.1 * scale)
        };
        let flocks = [
            flock((0..700).map(scattered(1.0))),
            // More candidates than can be remembered, in one cell.
            flock((0..700).map(scattered(0.01))),
            // Distances with ties.
            flock((0..343_u16).map(|k| [k % 7, k / 7 % 7, k / 49].map(f32::from))),
            flock((0..300).map(|_| [1.0; 3])),
            // Too few, and one far away.
            flock((0..5).map(scattered(1.0)).chain([[1e4, 0.0, 0.0]])),
        ];
        for (flock, max_radius) in flocks.iter().flat_map(|flock| [(flock, 100.0), (flock, 0.7)]) {
            let expected = brute_force(flock, max_radius);
            for simd in Simd::available() {
                assert_eq!(simd.run(Lists(flock, max_radius)), expected, "{simd:?}");
            }
        }
    }
}
