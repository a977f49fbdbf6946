//! Breeding toward given measures: an evolution strategy with families, whose flocks grow from one generation to the next.

use std::collections::BTreeMap;
use std::iter::successors;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::mutation::{Child, mutate};
use super::test_flight::{Flight, reduced};
use super::traits::statistics;
use crate::sim::{Measure, Params, Recorder, Setup};

/// The boids of a flock before the first generation, and in the last one. Small flocks are cheap, so that many fly. But rules that make few boids mill
/// may not make many mill, so that the last flocks are large.
const BOIDS: [usize; 2] = [200, 2000];
/// The boids of all children of a generation. The larger flocks are, the fewer fly.
const BUDGET: usize = 40_000;
/// The ticks before the first measurement, and all ticks of a flight in a generation.
const TICKS: [u64; 2] = [500, 900];
/// The flights in the end.
const FINAL: Flight = Flight { boids: 5000, settle: 600, ticks: 1000 };
/// The flights of each flock in the end.
const FINAL_SEEDS: u64 = 3;
/// The flocks that survive a generation.
const PARENTS: usize = 6;
/// The survivors of a family, its niche. They are few, so that several families survive. They are two, so that a child that is lucky once does not
/// replace its parent.
const NICHE: usize = 2;
/// The strengths of mutations: small steps to improve, large ones to find something else.
const STRENGTHS: [f32; 4] = [0.25, 0.5, 0.75, 1.0];

/// A measure, and the value that a flock is bred to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The measure.
    pub measure: &'static Measure,
    /// The value.
    pub value: f64,
}

/// A flock in a line of descent.
#[derive(Clone, Debug)]
pub struct Ancestor {
    /// Its generation; 0 for the first flock.
    pub generation: u64,
    /// Its parameters, and how they differ from those of its parent.
    pub child: Child,
    /// The mean of each target's measure over its latest flights.
    pub means: Vec<f64>,
    /// Its mean distance to the targets over these flights and their ticks, in units of the spread of each measure.
    pub distance: f64,
    /// The number of the child of the first flock from which it descends.
    family: u64,
    parent: Option<Arc<Self>>,
}

impl Ancestor {
    fn new(generation: u64, child: Child, family: u64, parent: Option<Arc<Self>>) -> Self {
        Self { generation, child, means: Vec::new(), distance: f64::INFINITY, family, parent }
    }
}

/// Breeds a flock toward targets for so many generations. Returns the line of descent of the nearest flock, from the first flock on. The result depends
/// on the arguments alone. `watch` gets the completed share.
pub fn evolve(setup: &Setup, targets: &[Target], generations: u64, watch: &(dyn Fn(f64) + Sync)) -> Vec<Ancestor> {
    let first = Ancestor::new(0, Child { params: setup.params, changes: Vec::new() }, 0, None);
    let mut search = Search { setup, targets, units: Vec::new(), stage: 0, stages: generations + 1, watch };
    let mut parents = Vec::new();
    for generation in 1..=generations {
        let boids = grown(setup.boids, generation as f64 / generations as f64);
        let children = search.children(parents.iter().chain([&first]), generation, BUDGET / boids);
        parents.extend(children);
        search.rank(&mut parents, Flight { boids, settle: TICKS[0], ticks: TICKS[1] }, 1);
        let mut families = BTreeMap::new();
        parents.retain(|flock| {
            let size = families.entry(flock.family).or_insert(0);
            *size += 1;
            *size <= NICHE
        });
        parents.truncate(PARENTS);
    }
    // After a single flight, the nearest flock may be so by luck. Thus it competes with its ancestors.
    let nearest = Some(parents.swap_remove(0));
    let mut line: Vec<Ancestor> = successors(nearest, |flock| flock.parent.as_deref().cloned()).collect();
    search.rank(&mut line, FINAL, FINAL_SEEDS);
    let last = line[0].generation;
    line.retain(|flock| flock.generation <= last);
    line.sort_by_key(|flock| flock.generation);
    line
}

/// The boids of a flock after this share of the generations: growth by the same factor in each.
fn grown(boids: usize, share: f64) -> usize {
    let [start, end] = BOIDS;
    let factor = boids.clamp(start, end) as f64 / start as f64;
    (start as f64 * libm::pow(factor, share)) as usize
}

struct Search<'a> {
    setup: &'a Setup,
    targets: &'a [Target],
    /// The unit of each target.
    units: Vec<f64>,
    /// How often flocks were ranked, and how often they will be.
    stage: u64,
    stages: u64,
    watch: &'a (dyn Fn(f64) + Sync),
}

impl Search<'_> {
    /// Children of parents, in equal shares. Those of the first flock are immigrants: each founds a family, which can replace one that gets stuck.
    fn children<'a>(&self, parents: impl Iterator<Item = &'a Ancestor>, generation: u64, many: usize) -> Vec<Ancestor> {
        let parents: Vec<Arc<Ancestor>> = parents.cloned().map(Arc::new).collect();
        let child = |place: usize| {
            let (parent, round) = (&parents[place % parents.len()], place / parents.len());
            let number = generation * BUDGET as u64 + place as u64;
            let setup = self.setup.clone().with_params(parent.child.params);
            let child = mutate(&setup, STRENGTHS[round % STRENGTHS.len()], self.setup.seed, number);
            let family = if parent.generation == 0 { number } else { parent.family };
            Ancestor::new(generation, child, family, Some(Arc::clone(parent)))
        };
        (0..many).map(child).collect()
    }

    /// Flies flocks with new seeds, the same for each flock, and sorts them by distance.
    fn rank(&mut self, flocks: &mut [Ancestor], flight: Flight, seeds: u64) {
        let start = self.setup.seed.wrapping_add(self.stage);
        let (done, all) = (AtomicUsize::new(0), flocks.len());
        let fly = |flock: &Ancestor| -> Vec<Flown> {
            let seeds = (0..seeds).into_par_iter().map(|number| start.wrapping_add(number));
            let flown = seeds.map(|seed| self.fly(&flock.child.params, flight, seed)).collect();
            let share = done.fetch_add(1, Ordering::Relaxed) as f64 / all as f64;
            (self.watch)((self.stage as f64 + share) / self.stages as f64);
            flown
        };
        let flown: Vec<Vec<Flown>> = flocks.par_iter().map(fly).collect();
        if self.units.is_empty() {
            self.units = self.units(&flown.concat());
        }
        for (flock, flown) in flocks.iter_mut().zip(flown) {
            let mean = |of: &dyn Fn(&Flown) -> f64| flown.iter().map(of).sum::<f64>() / seeds as f64;
            flock.means = (0..self.targets.len()).map(|target| mean(&|flown| flown[target].0)).collect();
            flock.distance = mean(&|flown| self.distance(flown));
        }
        flocks.sort_by(|one, other| one.distance.total_cmp(&other.distance));
        self.stage += 1;
    }

    fn fly(&self, params: &Params, flight: Flight, seed: u64) -> Flown {
        let setup = reduced(&self.setup.clone().with_params(*params).with_seed(seed), flight.boids);
        let measures: Vec<&'static Measure> = self.targets.iter().map(|target| target.measure).collect();
        let mut recorder = Recorder::new(&measures);
        let is_alive = flight.fly(&setup, |flock| drop(recorder.record(flock)));
        let flown = recorder.summaries().into_iter().zip(self.targets).map(|(summary, target)| {
            let square = (summary.mean - target.value).powi(2) + summary.variance;
            (summary.mean, if !is_alive || square.is_nan() { f64::INFINITY } else { square })
        });
        flown.collect()
    }

    fn distance(&self, flown: &Flown) -> f64 {
        flown.iter().zip(&self.units).map(|((_, square), unit)| square / unit.powi(2)).sum::<f64>().sqrt()
    }

    /// The spread of each measure over flights, but at least a twentieth of its target, or of 1.
    fn units(&self, flown: &[Flown]) -> Vec<f64> {
        let units = self.targets.iter().enumerate().map(|(place, target)| {
            let means: Vec<f64> = flown.iter().map(|flown| flown[place].0).filter(|mean| mean.is_finite()).collect();
            statistics(&means).1.max(0.05 * if target.value > 0.0 { target.value } else { 1.0 })
        });
        units.collect()
    }
}

/// For each target the mean over a flight, and the mean square difference to the target over its ticks: a flock must stay near, not only on average.
/// The difference of a dead flock is infinite.
type Flown = Vec<(f64, f64)>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;

    #[test]
    fn breeding_comes_nearer_to_the_target_on_any_number_of_threads() {
        let setup = Preset::load("drones").unwrap().setup(7, 1.6).with_boids(12);
        let targets = [Target { measure: Measure::find("polarization").unwrap(), value: 0.2 }];
        let line = evolve(&setup, &targets, 2, &|_| ());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = pool.install(|| evolve(&setup, &targets, 2, &|_| ()));
        let distances = |line: &[Ancestor]| line.iter().map(|flock| flock.distance).collect::<Vec<_>>();
        assert_eq!(distances(&line), distances(&alone));
        assert!(line.len() > 1 && (line[line.len() - 1].means[0] - 0.2).abs() < 0.2, "{line:?}");
    }
}
