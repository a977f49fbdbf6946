//! How a flock looks in a tile.

use crate::sim::{Flock, Kind};

/// The number of scales of a picture, from its size down.
pub(super) const SCALES: usize = 10;
/// So many boids are paired at most.
const PAIRED: usize = 200;
/// About the columns and rows of dots in a tile.
const DOTS: [usize; 2] = [52, 40];
/// A flock is visible on so many dots, or on one for so many boids.
const VISIBLE: (usize, usize) = (30, 5);

/// The boids of a flock in a picture of the world from the side: their places in u, and the axes.
fn boids(flock: &Flock) -> (Vec<[f64; 2]>, [usize; 2]) {
    let axes = [0, flock.world().dim() - 1];
    let boids = flock.agents().iter().filter(|agent| agent.kind == Kind::Prey);
    (boids.map(|boid| axes.map(|axis| boid.position[axis].into())).collect(), axes)
}

/// Whether the boids are on enough different dots: they are neither all in one point nor in a few.
pub(super) fn is_visible(flock: &Flock) -> bool {
    let (boids, axes) = boids(flock);
    let world = flock.world();
    let dots = boids.iter().map(|boid| {
        [0, 1].map(|at| {
            let [origin, size] = [world.origin(), world.size()].map(|side| f64::from(side[axes[at]]));
            ((boid[at] - origin) / size * DOTS[at] as f64) as usize
        })
    });
    let mut dots: Vec<[usize; 2]> = dots.collect();
    dots.sort_unstable();
    dots.dedup();
    dots.len() >= VISIBLE.0.min(boids.len() / VISIBLE.1)
}

/// The shares of pairs of boids that are nearer than the size of the picture, and than each smaller scale by a factor of √2.
pub(super) fn near_pairs(flock: &Flock) -> [f64; SCALES] {
    let (boids, axes) = boids(flock);
    let world = flock.world();
    let metric = flock.params().metric(&world);
    let area: f64 = axes.iter().map(|axis| f64::from(world.size()[*axis])).product();
    let boids: Vec<[f64; 2]> = boids.iter().step_by(boids.len() / PAIRED + 1).copied().collect();
    let mut shares = [0.0; SCALES];
    let share = 2.0 / (boids.len() * boids.len().saturating_sub(1)).max(1) as f64;
    for (place, one) in boids.iter().enumerate() {
        for other in &boids[..place] {
            let square: f64 = [0, 1].map(|at| metric.exact_offset(axes[at], one[at], other[at]).powi(2)).iter().sum();
            let scale = usize::try_from(-1 - libm::ilogb((square / area).max(1e-12))).unwrap_or(0);
            shares[..=scale.min(SCALES - 1)].iter_mut().for_each(|nearer| *nearer += share);
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Row, World};

    #[test]
    fn pairs_are_as_near_as_the_shortest_way() {
        let mut setup = Preset::load("drones").unwrap().setup(7, 1.0).with_boids(2);
        (setup.world, setup.params.edge.mode) = (World::Rect([100.0; 2]), crate::sim::Edge::Wrap);
        let shares = |from: f32, to: f32| {
            let rows = [(0, from), (1, to)].map(|(id, x)| Row {
                id,
                kind: Kind::Prey,
                position: [x, 50.0, 0.0],
                velocity: [1.0, 0.0, 0.0],
                mood: 0.0,
                bank: 0.0,
            });
            near_pairs(&Flock::from_rows(&setup, 0, &rows).unwrap())
        };
        // 30 is nearer than 100, 71, 50 and 35.
        let expected = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!([shares(10.0, 40.0), shares(10.0, 80.0)], [expected; 2]);
        assert_eq!(shares(10.0, 10.0), [1.0; SCALES]);
    }
}
