//! Breeding toward given measures.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::flight::{Flight, reduced};
use super::mutation::{Child, cross, mutate};
use super::traits::statistics;
use crate::sim::{Measure, Params, Recorder, Setup};

/// The children of the first flock in the first generation, from which founders are taken.
const FOUNDERS: usize = 240;
/// The children of every other generation.
const CHILDREN: usize = 120;
/// The children that fly again, as a larger flock and with other seeds.
const TRIED: usize = 6;
/// The flocks that have children.
const PARENTS: usize = 4;
/// The ancestors of the best flock that it must beat in the end: later ones may be better by luck alone.
const EARLIER: usize = 3;
/// The flight of each child: few boids.
const FIRST: Flight = Flight { boids: 300, settle: 500, ticks: 900 };
/// The flights of the tried children and of their parents, in each generation with new seeds.
const SECOND: Flight = Flight { boids: 1000, settle: 700, ticks: 1300 };
/// The flights that decide in the end.
const LAST: Flight = Flight { boids: 5000, settle: 800, ticks: 1800 };
/// The number of flights of a flock, in a generation and in the end.
const SEEDS: [u64; 2] = [2, 3];
/// 2⁶⁴ over the golden ratio, which spreads seeds.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// The strengths of mutations: small steps to improve, large ones to find something else.
const STRENGTHS: [f32; 4] = [0.25, 0.5, 0.75, 1.0];
/// Of so many children, one is a cross, and another one is a child of the first flock.
const CROSSED: usize = 5;

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
    /// The mean of each target's measure over its flights.
    pub means: Vec<f64>,
    /// Its mean distance to the targets over flights and ticks, in units of the spread of each measure.
    pub distance: f64,
    flights: u64,
    /// The place of its parent.
    parent: Option<usize>,
}

impl Ancestor {
    fn new(generation: u64, child: Child, parent: Option<usize>) -> Self {
        Self { generation, child, means: Vec::new(), distance: 0.0, flights: 0, parent }
    }

    /// Adds a flight to the means.
    fn add(&mut self, flown: &Flown, units: &[f64]) {
        let flights = self.flights as f64;
        let update = |mean: &mut f64, value: f64| {
            *mean = if flights == 0.0 { value } else { (*mean * flights + value) / (flights + 1.0) };
        };
        update(&mut self.distance, distance(flown, units));
        self.means.resize(flown.len(), 0.0);
        self.means.iter_mut().zip(flown).for_each(|(mean, [value, _])| update(mean, *value));
        self.flights += 1;
    }
}

/// For each target the mean over a flight, and the root mean square difference to the target over its ticks: a flock must stay near, not only on
/// average. It is infinite for a dead flock.
type Flown = Vec<[f64; 2]>;

fn distance(flown: &Flown, units: &[f64]) -> f64 {
    flown.iter().zip(units).map(|([_, difference], unit)| (difference / unit).powi(2)).sum::<f64>().sqrt()
}

/// Breeds a flock toward targets for so many generations. Returns the line of descent of the nearest flock, from the first flock on. The result depends
/// on the arguments alone. `watch` gets the completed share.
pub fn evolve(setup: &Setup, targets: &[Target], generations: u64, watch: &(dyn Fn(f64) + Sync)) -> Vec<Ancestor> {
    let first = Ancestor::new(0, Child { params: setup.params, changes: Vec::new() }, None);
    let (flocks, flights) = (vec![first], AtomicU64::new(0));
    let mut breeder = Breeder { setup, targets, generations, flocks, units: Vec::new(), flights, watch };
    let seed = |generation: u64, number: u64| setup.seed.wrapping_add(SEEDS[0] * generation + number);
    let mut parents = vec![0];
    for generation in 1..=generations {
        let seeds: Vec<u64> = (0..SEEDS[0]).map(|number| seed(generation, number)).collect();
        for child in breeder.best_children(&parents, generation, &seeds[..1]) {
            parents.push(breeder.flocks.len());
            breeder.flocks.push(child);
        }
        breeder.compare(&mut parents, SECOND, &seeds);
        parents = breeder.best_of_each_founder(&parents);
    }
    let seeds: Vec<u64> = (0..SEEDS[1]).map(|number| seed(generations + 1, number)).collect();
    parents.extend(breeder.line(parents[0]).into_iter().skip(1).take(EARLIER));
    for place in &parents {
        breeder.flocks[*place].flights = 0;
    }
    breeder.compare(&mut parents, LAST, &seeds);
    breeder.line(parents[0]).into_iter().rev().map(|place| breeder.flocks[place].clone()).collect()
}

struct Breeder<'a> {
    setup: &'a Setup,
    targets: &'a [Target],
    generations: u64,
    /// All flocks that flew more than once.
    flocks: Vec<Ancestor>,
    /// The unit of each target.
    units: Vec<f64>,
    /// The flights so far.
    flights: AtomicU64,
    watch: &'a (dyn Fn(f64) + Sync),
}

impl Breeder<'_> {
    /// The place of a flock, and those of its ancestors up to the first flock.
    fn line(&self, place: usize) -> Vec<usize> {
        std::iter::successors(Some(place), |place| self.flocks[*place].parent).collect()
    }

    /// The children of a generation that are nearest to the targets.
    fn best_children(&mut self, parents: &[usize], generation: u64, seeds: &[u64]) -> Vec<Ancestor> {
        let many = if generation == 1 { FOUNDERS } else { CHILDREN };
        let children: Vec<Ancestor> = (0..many).map(|number| self.child(parents, generation, number)).collect();
        let flown = self.fly(&children.iter().collect::<Vec<_>>(), FIRST, seeds);
        if self.units.is_empty() {
            self.units = self.units(&flown);
        }
        let mut ranked: Vec<_> = flown.iter().map(|flown| distance(&flown[0], &self.units)).zip(children).collect();
        ranked.sort_by(|(one, _), (other, _)| one.total_cmp(other));
        ranked.into_iter().take(TRIED).map(|(_, child)| child).collect()
    }

    /// A child. Most are those of the best flock, which is the first of the parents.
    fn child(&self, parents: &[usize], generation: u64, number: usize) -> Ancestor {
        let seed = self.setup.seed.wrapping_add(generation.wrapping_mul(GOLDEN));
        let place = match number % CROSSED {
            1 => 0,
            _ if number.is_multiple_of(2) => parents[0],
            _ => parents[number / 2 % parents.len()],
        };
        let parent = self.setup.clone().with_params(self.flocks[place].child.params);
        let other = parents[number / CROSSED % parents.len()];
        let child = if number.is_multiple_of(CROSSED) && other != place {
            cross(&parent, &self.flocks[other].child.params, seed, number as u64)
        } else {
            mutate(&parent, STRENGTHS[number % STRENGTHS.len()], seed, number as u64)
        };
        Ancestor::new(generation, child, Some(place))
    }

    /// Flies flocks with each of the seeds, and sorts their places by distance.
    fn compare(&mut self, places: &mut [usize], flight: Flight, seeds: &[u64]) {
        let flocks: Vec<&Ancestor> = places.iter().map(|place| &self.flocks[*place]).collect();
        let flown = self.fly(&flocks, flight, seeds);
        for (place, flown) in places.iter().zip(&flown) {
            for flown in flown {
                self.flocks[*place].add(flown, &self.units);
            }
        }
        places.sort_by(|one, other| self.flocks[*one].distance.total_cmp(&self.flocks[*other].distance));
    }

    /// The first of the places in the line of each child of the first flock, so that parents differ.
    fn best_of_each_founder(&self, places: &[usize]) -> Vec<usize> {
        let founder = |place: &usize| self.line(*place).into_iter().rev().nth(1);
        let is_best = |at: &usize| places[..*at].iter().all(|better| founder(better) != founder(&places[*at]));
        (0..places.len()).filter(is_best).take(PARENTS).map(|at| places[at]).collect()
    }

    /// The flights of flocks with each of the seeds.
    fn fly(&self, flocks: &[&Ancestor], flight: Flight, seeds: &[u64]) -> Vec<Vec<Flown>> {
        let of_generation = CHILDREN as u64 + SEEDS[0] * (TRIED + PARENTS) as u64;
        let of_end = SEEDS[1] * (PARENTS + EARLIER) as u64;
        let all = FOUNDERS as u64 + self.generations * of_generation + of_end;
        let jobs: Vec<(Params, u64)> =
            flocks.iter().flat_map(|flock| seeds.iter().map(|seed| (flock.child.params, *seed))).collect();
        let fly = |(params, seed): &(Params, u64)| {
            let flown = self.fly_once(params, flight, *seed);
            (self.watch)((self.flights.fetch_add(1, Ordering::Relaxed) as f64 / all as f64).min(1.0));
            flown
        };
        let flown: Vec<Flown> = jobs.par_iter().map(fly).collect();
        flown.chunks(seeds.len()).map(<[Flown]>::to_vec).collect()
    }

    fn fly_once(&self, params: &Params, flight: Flight, seed: u64) -> Flown {
        let setup = self.setup.clone().with_params(*params).with_seed(seed);
        let measures: Vec<&'static Measure> = self.targets.iter().map(|target| target.measure).collect();
        let mut recorder = Recorder::new(&measures);
        let is_alive = flight.fly(&reduced(&setup, flight.boids), |flock| drop(recorder.record(flock)));
        let results = recorder.summaries().into_iter().zip(self.targets).map(|(summary, target)| {
            let variance = if summary.variance.is_nan() { 0.0 } else { summary.variance };
            let difference = ((summary.mean - target.value).powi(2) + variance).sqrt();
            [summary.mean, if !is_alive || difference.is_nan() { f64::INFINITY } else { difference }]
        });
        results.collect()
    }

    /// The spread of each measure over flights, but at least a twentieth of its target, or of 1.
    fn units(&self, flown: &[Vec<Flown>]) -> Vec<f64> {
        let means = |place: usize| {
            let means = flown.iter().map(|flown| flown[0][place][0]);
            means.filter(|mean| mean.is_finite()).collect::<Vec<_>>()
        };
        let least = |target: &Target| 0.05 * if target.value > 0.0 { target.value } else { 1.0 };
        let unit = |(place, target): (usize, &Target)| statistics(&means(place)).1.max(least(target));
        self.targets.iter().enumerate().map(unit).collect()
    }
}

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
