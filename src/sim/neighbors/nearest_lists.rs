//! The nearest neighbors of each boid of a block, as lists.
//!
//! A block of boids visits its candidates, one boid in each lane, and remembers those that are among the nearest of any boid
//! so far. At the end, each boid has a list of its own, so that the rest of the work is done for neighbors only.

use super::block::Block;
use super::cell_list::CellList;
use super::nearest::{BATCH, Smallest};
use crate::sim::simd::{Lanes, MAX_LANES};

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
    /// The neighbors of each boid, in order of memory.
    indices: [[u32; BATCH + MAX_LANES]; MAX_LANES],
}

impl<F: Lanes> NearestLists<F> {
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
    /// The first radius of the next block, in u; the result does not depend on it.
    radius: f32,
    /// The largest radius, in u.
    max_radius: f32,
    /// The squared distances of the candidates that are remembered, by lane, and their indices.
    squared: [Line; REMEMBERED],
    indices: [u32; REMEMBERED + MAX_LANES],
    len: usize,
}

impl<'a> ListSearch<'a> {
    #[inline(always)]
    pub(crate) fn new(flock: &'a CellList, radius: f32, max_radius: f32) -> Self {
        let (squared, indices) = ([Line([0.0; MAX_LANES]); REMEMBERED], [NONE; REMEMBERED + MAX_LANES]);
        Self { flock, radius, max_radius, squared, indices, len: 0 }
    }

    /// The nearest neighbors of the boids of a block, without periodic images: those that are nearer than the limit, which
    /// follows from the squared distances to the nearest others, ascending.
    #[inline(always)]
    pub(crate) fn find<F: Lanes, const D: usize>(
        &mut self,
        block: &Block<'_, F, D>,
        limit: impl Fn(&[F; BATCH]) -> F,
    ) -> NearestLists<F> {
        let mut radius = self.radius.max(MIN_RADIUS).min(self.max_radius);
        let squared = loop {
            let squared = self.visit(block, radius);
            let farthest = farthest(squared[BATCH - 1], block.boids.len());
            if farthest < radius * radius || radius >= self.max_radius {
                self.radius = MARGIN * farthest.sqrt();
                break squared;
            }
            radius = (GROWTH * radius).min(self.max_radius);
        };
        NearestLists { squared, indices: self.lists(limit(&squared), block.boids.len()) }
    }

    /// Visits the agents within a radius; returns the smallest squared distances.
    #[inline(always)]
    fn visit<F: Lanes, const D: usize>(&mut self, block: &Block<'_, F, D>, radius: f32) -> [F; BATCH] {
        let mut smallest: Smallest<F, BATCH> = Smallest::new(BATCH, F::splat(radius * radius));
        // Locals, so that they stay in registers.
        let (mut len, mut ranked, mut limit) = (0, 0, F::splat(radius * radius));
        for (run, _) in self.flock.runs(self.flock.window(block.bounds(), radius)) {
            let (positions, _) = block.agents.run::<D>(run.clone());
            let is_own = block.overlaps(&run);
            for slot in 0..positions.len() {
                let mut d2 = (positions.splat::<F>(slot) - block.position).length_squared();
                if is_own {
                    d2 += block.self_distance(run.start + slot);
                }
                // Writes first and counts later: a branch on the distance would be mispredicted often.
                d2.store(&mut self.squared[len].0);
                self.indices[len] = (run.start + slot) as u32;
                len += usize::from(F::any(d2.lt(limit)));
                if len - ranked == BATCH {
                    limit = self.rank(ranked, &mut smallest);
                    ranked = len;
                    if len > REMEMBERED - 2 * BATCH {
                        self.len = len;
                        self.forget(limit);
                        (len, ranked) = (self.len, self.len);
                    }
                }
            }
        }
        self.squared[len..][..BATCH].fill(Line([f32::INFINITY; MAX_LANES]));
        self.rank(ranked, &mut smallest);
        self.len = len;
        smallest.squared
    }

    /// Ranks a batch; returns the largest of the smallest squared distances.
    #[inline(always)]
    fn rank<F: Lanes>(&self, first: usize, smallest: &mut Smallest<F, BATCH>) -> F {
        let batch = &self.squared[first..first + BATCH];
        smallest.add(std::array::from_fn(|index| F::load(&batch[index].0)));
        smallest.squared[BATCH - 1]
    }

    /// Forgets the candidates that are not below a limit.
    #[inline(always)]
    fn forget<F: Lanes>(&mut self, limit: F) {
        let mut kept = 0;
        for index in 0..self.len {
            let squared = F::load(&self.squared[index].0);
            squared.store(&mut self.squared[kept].0);
            self.indices[kept] = self.indices[index];
            kept += usize::from(F::any(squared.lt(limit)));
        }
        self.len = kept;
    }

    /// The candidates below a limit, for each boid.
    #[inline(always)]
    fn lists<F: Lanes>(&mut self, limit: F, boids: usize) -> [[u32; BATCH + MAX_LANES]; MAX_LANES] {
        self.forget(limit);
        // A bit for each boid that has the candidate in its list.
        let mut bits = [0; REMEMBERED + MAX_LANES];
        for (bits, squared) in bits.iter_mut().zip(&self.squared).take(self.len) {
            *bits = F::bits(F::load(&squared.0).lt(limit));
        }
        let mut lists = [[NONE; BATCH + MAX_LANES]; MAX_LANES];
        for (boid, list) in (0..).zip(&mut lists[..boids]) {
            let mut place = 0;
            for first in (0..self.len).step_by(F::WIDTH) {
                let bits = F::load_words(&bits[first..]);
                let is_listed = F::has_bit(bits, boid);
                let indices = F::pack_words(F::load_words(&self.indices[first..]), is_listed);
                F::store_words(indices, &mut list[place..]);
                place += F::bits(is_listed).count_ones() as usize;
            }
            F::store_words(F::splat_words(NONE), &mut list[place..]);
        }
        lists
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
    use crate::sim::agents::{Agents, Kind, Row};
    use crate::sim::math::Execution;
    use crate::sim::neighbors::{GridLayout, Placement};
    use crate::sim::simd::{Simd, Task};

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
            let mut search = ListSearch::new(flock, 1.0, max_radius);
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
        let find = |boid: usize| {
            let d2 = |other: usize| (agents.position::<3>(other) - agents.position(boid)).length_squared();
            let mut squared: Vec<f32> = (0..agents.len()).filter(|&other| other != boid).map(d2).collect();
            squared.sort_by(f32::total_cmp);
            let limit = squared.get(LISTED).copied().unwrap_or(f32::INFINITY).min(max_radius * max_radius);
            (0..agents.len()).filter(|&other| other != boid && d2(other) < limit).map(|other| other as u32).collect()
        };
        (0..agents.len()).map(find).collect()
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
