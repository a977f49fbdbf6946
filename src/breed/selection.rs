//! The children of a flock that differ most.

use std::collections::HashSet;

use rayon::prelude::*;

use super::mutation::{Child, cross, mutate};
use super::traits::Traits;
use crate::sim::{Params, Setup};

/// The number of children that are drawn at a time.
const CHILDREN: usize = 40;
/// The number of such draws: the most different ones of more children differ more.
const ROUNDS: usize = 3;
/// Multiplies the strength: a user sees which children are of use, so that they may differ more than in `evolve`.
const WILD: f32 = 2.2;
/// Multiplies distances to known flocks, so that no child looks like its parent.
const FROM_KNOWN: f64 = 0.7;
/// The flights of the parent with other seeds: what they show is luck, not a difference.
const OTHER_SEEDS: u64 = 3;

/// The children of a flock, or of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Brood {
    /// The flock.
    pub parent: Setup,
    /// The rules of the other flock of a cross.
    pub mate: Option<Params>,
    /// Multiplies the logarithms of factors.
    pub strength: f32,
    /// The seed of the draws.
    pub seed: u64,
    /// The number of children that are shown.
    pub count: usize,
}

impl Brood {
    /// The first children that are drawn, before they fly.
    pub fn first(&self) -> Vec<Child> {
        (0..self.count).map(|number| self.draw(number)).collect()
    }

    /// Draws children, flies each, and returns the living ones that differ most from the flock and from each other, the most different
    /// one first. The result depends on the brood alone.
    pub fn select(&self) -> Vec<(Child, Traits)> {
        let parent = &self.parent;
        let flights: Vec<Traits> = (0..=OTHER_SEEDS)
            .into_par_iter()
            .map(|number| Traits::of(&parent.clone().with_seed(parent.seed.wrapping_add(number))))
            .collect();
        let (mut children, mut traits, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
        let mut captions = HashSet::new();
        for round in 0..ROUNDS {
            let drawn = (round * CHILDREN..(round + 1) * CHILDREN).map(|number| self.draw(number));
            // A caption names one child, and few rules have few crosses.
            let different: Vec<Child> = drawn.filter(|child| captions.insert(child.caption(0))).collect();
            traits.par_extend(different.par_iter().map(|child| Traits::of(&parent.clone().with_params(child.params))));
            children.extend(different);
            chosen = choose(&flights, &traits, self.count);
            // Each rule of a cross comes from a parent, if there are enough crosses.
            if self.mate.is_some() && chosen.len() == self.count {
                break;
            }
        }
        chosen.into_iter().map(|place| (children[place].clone(), traits[place])).collect()
    }

    /// The same children, without how they fly.
    pub fn selected(&self) -> Vec<Child> {
        self.select().into_iter().map(|(child, _)| child).collect()
    }

    /// The child with a number. Mutations follow the crosses of two flocks.
    fn draw(&self, number: usize) -> Child {
        match &self.mate {
            Some(mate) if number < CHILDREN => cross(&self.parent, mate, self.seed, number as u64),
            _ => mutate(&self.parent, WILD * self.strength, self.seed, number as u64),
        }
    }
}

/// The places of so many living flocks that differ most from the known ones and from each other, the most different one first
/// (farthest-point selection, Gonzalez 1985).
pub fn choose(known: &[Traits], candidates: &[Traits], count: usize) -> Vec<usize> {
    let nearest =
        |candidate: &Traits| FROM_KNOWN * known.iter().map(|other| other.distance(candidate)).fold(f64::MAX, f64::min);
    let mut distances: Vec<f64> =
        candidates.iter().map(|candidate| if candidate.is_dead() { 0.0 } else { nearest(candidate) }).collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let farthest = (0..candidates.len())
            .max_by(|one, other| distances[*one].total_cmp(&distances[*other]).then(other.cmp(one)));
        let Some(next) = farthest.filter(|next| distances[*next] > 0.0) else { break };
        chosen.push(next);
        for (distance, candidate) in distances.iter_mut().zip(candidates) {
            *distance = distance.min(candidate.distance(&candidates[next]));
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;

    fn setup(preset: &str) -> Setup {
        Preset::load(preset).unwrap().setup(7, 1.6)
    }

    #[test]
    fn the_farthest_living_flocks_are_chosen() {
        let parent = setup("drones");
        let mut still = parent.params;
        (still.speed.min, still.speed.max) = (0.0, 0.0);
        let mut noisy = parent.params;
        noisy.noise.angle = 180.0;
        let mut similar = parent.params;
        similar.alignment.weight *= 1.001;
        let traits =
            [parent.params, still, similar, noisy].map(|params| Traits::of(&parent.clone().with_params(params)));
        assert_eq!(traits.map(|traits| traits.is_dead()), [false, true, false, false]);
        assert_eq!(choose(&traits[..1], &traits[1..], 1), [2]);
        assert!(!choose(&traits[..1], &traits, 4).contains(&0), "the parent is not its own child");
        // Of the distances to several known flocks, the smallest counts.
        let mut between = parent.params;
        between.noise.angle = 30.0;
        let between = Traits::of(&parent.clone().with_params(between));
        assert_eq!(choose(&[traits[0], traits[3]], &[traits[2], between], 1), [1]);
        assert!(!choose(&traits[..1], &traits, 4).contains(&1));
    }

    #[test]
    fn a_flock_in_one_point_is_dead() {
        let mut parent = setup("drones");
        parent.params.separation.weight = 0.0;
        parent.params.alignment.weight = 1.0;
        parent.params.cohesion.weight = 0.5;
        parent.params.cohesion.radius = f32::INFINITY;
        parent.params.speed.min = 0.0;
        assert!(Traits::of(&parent).is_dead());
    }

    #[test]
    fn a_brood_is_reproducible_and_alive() {
        let parent = setup("drones");
        let brood = Brood { parent, mate: None, strength: 1.0, seed: 3, count: 8 };
        let captions = || brood.select().into_iter().map(|(child, _)| child.caption(80)).collect::<Vec<_>>();
        let first = captions();
        assert_eq!(first.len(), 8);
        assert_eq!(first, rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(captions));
    }

    #[test]
    fn a_brood_of_two_flocks_begins_with_crosses() {
        let parent = setup("drones");
        let mut mate = parent.params;
        (mate.alignment.weight, mate.cohesion.radius) = (0.05, 9.0);
        let brood = Brood { parent: parent.clone(), mate: Some(mate), strength: 1.0, seed: 3, count: 8 };
        for Child { params, .. } in brood.first() {
            assert!([parent.params.alignment, mate.alignment].contains(&params.alignment));
            assert!([parent.params.cohesion, mate.cohesion].contains(&params.cohesion));
        }
        let children = brood.select();
        let captions: HashSet<String> = children.iter().map(|(child, _)| child.caption(80)).collect();
        assert_eq!((children.len(), captions.len()), (8, 8));
    }
}
