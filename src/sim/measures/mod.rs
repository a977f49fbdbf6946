//! What can be said of a flock in a few numbers.

use glam::{Vec2, Vec3};

use super::agents::Kind;
use super::flock::Flock;
use super::math::circle::Circle;
use super::math::metric::Metric;
use super::math::parallel::{Execution, should_parallelize};
use super::math::totals::{pairwise_sum, sum};
use super::math::vector::Vector;
use super::neighbors::cell_list::{CellList, Placement};
use super::neighbors::grid::GridLayout;
use super::neighbors::simd::Simd;
use super::params::{Edge, PredatorMode};
use super::world::World;

/// The state of the boids (predators not counted) and what the predators do.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measures {
    /// Polarization φ, the order parameter: 1 where all fly one way, near 0 where each its own.
    pub polarization: f32,
    /// Milling about the flock's centre: 1 where all circle it one way.
    pub rotation: f32,
    /// u/tick.
    pub mean_speed: f32,
    /// The standard deviation of speeds, in u/tick.
    pub speed_deviation: f32,
    /// The mean distance from a boid to its nearest neighbor, in u; 0 for a lone boid.
    pub nearest_neighbor: f32,
    /// The mean number of neighbors inside the perception radius.
    pub neighbors: f32,
    /// How many predators there are.
    pub predators: usize,
    /// How many of them have prey in sight, and do not rest.
    pub hunting: usize,
    /// How many of them rest.
    pub resting: usize,
    /// How many boids are in sight of any predator that does not rest.
    pub prey_in_sight: usize,
    /// How many boids were caught, and are to come back; none of the other measures counts them.
    pub caught: usize,
}

/// Connected groups of boids, each within the cohesion radius of another of its group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flocks {
    /// How many groups there are; a lone boid is one.
    pub count: usize,
    /// How many boids the largest has.
    pub largest: usize,
}

/// One of the connected groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// How many boids it has.
    pub boids: usize,
    /// Their mean position, in u; on a torus it may lie beyond the border.
    pub center: [f32; 3],
    /// Their mean velocity, in u/tick.
    pub velocity: [f32; 3],
    /// The id of the one nearest to that middle.
    pub member: u32,
}

/// A group is left for another only where that is larger by so much.
const LARGER: (usize, usize) = (5, 4);

/// Room to measure in; it carries nothing from one measure to the next.
#[derive(Debug, Default)]
pub struct Analyzer {
    prey: CellList,
    by_id: Vec<u32>,
    parents: Vec<u32>,
    seen: Vec<bool>,
}

impl Analyzer {
    /// An analyzer who has seen nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Measures a flock. Distances and neighbors are means over about `sample` boids, evenly
    /// spread over the flock; all of them with `usize::MAX`.
    ///
    /// Inside a thread pool of `rayon` several of its threads do so; the measures are the same for any number.
    pub fn measure(&mut self, flock: &Flock, sample: usize) -> Measures {
        match flock.world().dim() {
            2 => self.measure_in::<Vec2>(flock, sample),
            _ => self.measure_in::<Vec3>(flock, sample),
        }
    }

    /// Finds the connected groups.
    pub fn flocks(&mut self, flock: &Flock) -> Flocks {
        match flock.world().dim() {
            2 => self.flocks_in::<Vec2>(flock),
            _ => self.flocks_in::<Vec3>(flock),
        }
    }

    /// The largest of the connected groups, of equal ones that of the lowest id. The group of the boid
    /// `stay` counts as the largest until another is larger by a quarter. `None` where there are no boids.
    pub fn largest(&mut self, flock: &Flock, stay: Option<u32>) -> Option<Group> {
        match flock.world().dim() {
            2 => self.largest_in::<Vec2>(flock, stay),
            _ => self.largest_in::<Vec3>(flock, stay),
        }
    }

    fn measure_in<V: Vector>(&mut self, flock: &Flock, sample: usize) -> Measures {
        let mut measures = Measures { predators: flock.predators(), caught: flock.caught(), ..Measures::default() };
        self.sort(flock, spacing(flock));
        if flock.boids() > 0 {
            self.motion::<V>(flock, &mut measures);
            self.distances::<V>(flock, sample, &mut measures);
        }
        self.hunters::<V>(flock, &mut measures);
        measures
    }

    /// Puts the prey in order, for looking as far as `reach`.
    fn sort(&mut self, flock: &Flock, reach: f32) {
        let layout = GridLayout::new(&flock.world(), flock.params().edge.mode, reach, flock.boids());
        let execution = Execution { simd: Simd::default(), parallel: should_parallelize(flock.agents().len()) };
        self.prey.sort(layout, flock.agents(), [Placement::InCells, Placement::Omitted, Placement::Omitted], execution);
    }

    /// The sum of `term(place)` over all prey.
    fn over_all<const N: usize>(&self, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        self.over_every(1, term)
    }

    /// The sum of `term(place)` over the prey at each so many places.
    fn over_every<const N: usize>(&self, every: usize, term: impl Fn(usize) -> [f64; N] + Sync) -> [f64; N] {
        let prey = self.prey.agents.len();
        pairwise_sum(0..prey.div_ceil(every), should_parallelize(prey), &|at| term(at * every))
    }

    /// Polarization, rotation and speeds.
    fn motion<V: Vector>(&self, flock: &Flock, measures: &mut Measures) {
        let prey = &self.prey.agents;
        let count = count(prey.len());
        let heading = |index: usize| prey.velocity::<V>(index).unit().unwrap_or_default();
        let [x, y, z, speed, square] = self.over_all(|index| {
            let [x, y, z] = heading(index).axes().map(f64::from);
            let speed = f64::from(prey.velocity::<V>(index).length());
            [x, y, z, speed, speed * speed]
        });
        measures.polarization = (length([x, y, z]) / count) as f32;
        measures.mean_speed = (speed / count) as f32;
        measures.speed_deviation = (square / count - (speed / count).powi(2)).max(0.0).sqrt() as f32;

        let center = V::from_axes(self.center(flock));
        let metric = Metric::new(flock.params(), &flock.world());
        let least = blur(flock);
        let turning = self.over_all(|index| {
            let offset = metric.offset(center, prey.position::<V>(index));
            let from_center = offset.unit().filter(|_| offset.length() > least).unwrap_or_default();
            cross(heading(index).axes(), from_center.axes())
        });
        measures.rotation = (length(turning) / count) as f32;
    }

    /// The mean position; on a torus, where the mean over the circle of each axis points.
    fn center(&self, flock: &Flock) -> [f32; 3] {
        let prey = &self.prey.agents;
        let size = flock.world().size();
        let wraps = flock.params().edge.mode == Edge::Wrap;
        std::array::from_fn(|axis| {
            if axis >= prey.dim() {
                return 0.0;
            }
            let at = prey.positions(axis);
            if !wraps {
                let [total] = self.over_all(|index| [f64::from(at[index])]);
                return (total / count(prey.len())) as f32;
            }
            let circle = Circle::of(size[axis]);
            let [x, y] = self.over_all(|index| circle.point(at[index]).to_array().map(f64::from));
            circle.toward(Vec2::new(x as f32, y as f32))
        })
    }

    /// Nearest neighbors, and how many are perceived.
    fn distances<V: Vector>(&self, flock: &Flock, sample: usize, measures: &mut Measures) {
        let metric = Metric::new(flock.params(), &flock.world());
        let every = self.prey.agents.len().div_ceil(sample.max(1)).max(1);
        let sampled = self.prey.agents.len().div_ceil(every);
        let reach = flock.params().perception();
        let [nearest, neighbors] = self.over_every(every, |index| {
            let (mut seen, mut least) = (0.0, f32::INFINITY);
            if reach.is_finite() {
                self.within::<V>(metric, index, reach, |_, d2| {
                    seen += 1.0;
                    least = least.min(d2);
                });
            } else {
                seen = count(self.prey.agents.len()) - 1.0;
            }
            // Who perceives nobody has a nearest one all the same, farther away.
            let nearest = if least.is_finite() { least.sqrt() } else { self.nearest::<V>(flock, metric, index) };
            [f64::from(nearest), seen]
        });
        measures.nearest_neighbor = (nearest / count(sampled)) as f32;
        measures.neighbors = (neighbors / count(sampled)) as f32;
    }

    /// The distance to the nearest other, however far away; 0 for a lone boid.
    fn nearest<V: Vector>(&self, flock: &Flock, metric: Metric, index: usize) -> f32 {
        let prey = &self.prey.agents;
        let at: V = prey.position(index);
        let mut radius = spacing(flock);
        loop {
            let (mut met, mut least) = (0, f32::INFINITY);
            self.prey.near(at, radius, |other| {
                met += 1;
                if other != index {
                    least = least.min(metric.offset(at, prey.position::<V>(other)).length_squared());
                }
            });
            // One beyond the radius may hide a nearer one, but not from who has met all.
            if least < radius * radius || met == prey.len() {
                return if least.is_finite() { least.sqrt() } else { 0.0 };
            }
            radius *= 2.0;
        }
    }

    /// Calls `visit(place, squared distance)` with every other boid within `radius`.
    fn within<V: Vector>(&self, metric: Metric, index: usize, radius: f32, mut visit: impl FnMut(usize, f32)) {
        let prey = &self.prey.agents;
        let at: V = prey.position(index);
        self.prey.near(at, radius, |other| {
            let d2 = metric.offset(at, prey.position::<V>(other)).length_squared();
            if d2 < radius * radius && other != index {
                visit(other, d2);
            }
        });
    }

    /// What hunting predators see.
    fn hunters<V: Vector>(&mut self, flock: &Flock, measures: &mut Measures) {
        if flock.predators() == 0 || flock.params().hunt.mode == PredatorMode::Flock {
            return;
        }
        let metric = Metric::new(flock.params(), &flock.world());
        let radius = flock.params().hunt.radius;
        self.seen.clear();
        self.seen.resize(self.prey.agents.len(), false);
        let everyone = flock.agents();
        for (index, _) in everyone.kinds().iter().enumerate().filter(|(_, kind)| **kind == Kind::Predator) {
            if flock.params().rests(everyone.mood(index)) {
                measures.resting += 1;
                continue;
            }
            let at: V = everyone.position(index);
            let mut sees = false;
            self.prey.near(at, radius, |other| {
                if metric.offset(at, self.prey.agents.position::<V>(other)).length_squared() < radius * radius {
                    self.seen[other] = true;
                    sees = true;
                }
            });
            measures.hunting += usize::from(sees);
        }
        measures.prey_in_sight = self.seen.iter().filter(|seen| **seen).count();
    }

    fn flocks_in<V: Vector>(&mut self, flock: &Flock) -> Flocks {
        if flock.params().cohesion.radius.is_infinite() {
            return Flocks { count: flock.boids().min(1), largest: flock.boids() };
        }
        self.connect::<V>(flock);
        groups(&mut self.parents)
    }

    /// Joins boids that are within the cohesion radius of each other.
    fn connect<V: Vector>(&mut self, flock: &Flock) {
        let radius = flock.params().cohesion.radius;
        // Where it has no end all are one.
        let reach = if radius.is_finite() { radius } else { spacing(flock) };
        self.sort(flock, reach);
        let metric = Metric::new(flock.params(), &flock.world());
        let mut parents = std::mem::take(&mut self.parents);
        parents.clear();
        if radius.is_infinite() {
            parents.resize(flock.boids(), 0);
        } else {
            parents.extend((0_u32..).take(flock.boids()));
            for index in 0..flock.boids() {
                self.within::<V>(metric, index, radius, |other, _| {
                    if other < index {
                        let (a, b) = (root(&mut parents, index), root(&mut parents, other));
                        parents[a.max(b)] = index_of(a.min(b));
                    }
                });
            }
        }
        self.parents = parents;
    }

    fn largest_in<V: Vector>(&mut self, flock: &Flock, stay: Option<u32>) -> Option<Group> {
        self.connect::<V>(flock);
        self.prey.agents.order_by_id(&mut self.by_id);
        let sizes = sizes(&mut self.parents);
        let ids = self.prey.agents.ids();
        let mut group = |index: u32| root(&mut self.parents, index as usize);
        let first = self.by_id.iter().map(|&index| group(index));
        let largest = first.reduce(|largest, other| if sizes[other] > sizes[largest] { other } else { largest })?;
        let kept = self.by_id.iter().find(|index| Some(ids[**index as usize]) == stay).map(|&index| group(index));
        let kept = kept.filter(|kept| sizes[*kept] * LARGER.0 >= sizes[largest] * LARGER.1);
        let mut members = self.by_id.clone();
        members.retain(|&index| group(index) == kept.unwrap_or(largest));
        Some(self.describe::<V>(flock, &members))
    }

    /// What is to be said of a group; its members in order of ids.
    fn describe<V: Vector>(&self, flock: &Flock, members: &[u32]) -> Group {
        let prey = &self.prey.agents;
        let metric = Metric::new(flock.params(), &flock.world());
        let first: V = prey.position(members[0] as usize);
        let offset = |index: usize| metric.offset(first, prey.position::<V>(index));
        let [x, y, z, vx, vy, vz] = sum(members, |index| {
            let ([x, y, z], [vx, vy, vz]) = (offset(index).axes(), prey.velocity::<V>(index).axes());
            [x, y, z, vx, vy, vz].map(f64::from)
        })
        .map(|total| (total / count(members.len())) as f32);
        let middle = V::from_axes([x, y, z]);
        let distance = |index: u32| (offset(index as usize) - middle).length_squared();
        let nearest = members.iter().copied().min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        Group {
            boids: members.len(),
            center: (first + middle).axes(),
            velocity: [vx, vy, vz],
            member: prey.ids()[nearest.unwrap_or(members[0]) as usize],
        }
    }
}

/// Counts groups and members in a forest whose roots are their own parents.
fn groups(parents: &mut [u32]) -> Flocks {
    let sizes = sizes(parents);
    Flocks { count: sizes.iter().filter(|size| **size > 0).count(), largest: sizes.into_iter().max().unwrap_or(0) }
}

/// How many members each tree of a forest has, by its root.
fn sizes(parents: &mut [u32]) -> Vec<usize> {
    let mut sizes = vec![0_usize; parents.len()];
    for index in 0..parents.len() {
        sizes[root(parents, index)] += 1;
    }
    sizes
}

/// The root of a tree, whose path is halved on the way (Tarjan & van Leeuwen 1984).
fn root(parents: &mut [u32], mut index: usize) -> usize {
    while parents[index] as usize != index {
        parents[index] = parents[parents[index] as usize];
        index = parents[index] as usize;
    }
    index
}

fn index_of(index: usize) -> u32 {
    index as u32
}

/// The side of the square, or cube, that each boid would have to itself if all stood evenly, in u.
fn spacing(flock: &Flock) -> f32 {
    let size = flock.world().size();
    let boids = count(flock.boids()) as f32;
    match flock.world() {
        World::Rect(_) => (size[0] * size[1] / boids).sqrt(),
        World::Cuboid(_) | World::Sphere(_) => libm::cbrtf(size[0] * size[1] / boids * size[2]),
    }
}

/// How near to the centre nobody has a direction from it, in u: on a torus angles tell where it is, and are rounded.
fn blur(flock: &Flock) -> f32 {
    let wraps = flock.params().edge.mode == Edge::Wrap;
    if wraps { flock.world().size().into_iter().fold(0.0, f32::max) * 1e-6 } else { 0.0 }
}

fn count(number: usize) -> f64 {
    number as f64
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|axis| axis * axis).sum::<f64>().sqrt()
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f64; 3] {
    let (a, b) = (Vec3::from_array(a), Vec3::from_array(b));
    a.cross(b).to_array().map(f64::from)
}
