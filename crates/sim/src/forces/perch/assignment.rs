//! Which boid flies to which perch: boids and perches are halved together along the longest side of the perches, again and
//! again, so that paths are short and hardly cross.

use super::Perch;
use crate::agents::Row;
use crate::math::Wide;
use crate::world::Metric;

/// How many free boids compete for each perch. More give shorter paths, but draw boids from one side of the flock only.
const CANDIDATES: usize = 2;

/// An id or an index, and its offset from the center of the perches.
type Place = (u32, [f32; 3]);

/// Assigns boids to the perches with the indices `open`: first those that leave other perches, then the nearest free ones. Both
/// lists are in order of ids. Returns ids with indices; boids may be too few.
pub(super) fn assign(
    perches: &[Perch],
    open: Vec<u32>,
    [leaving, free]: [Vec<Row>; 2],
    metric: &Metric,
) -> Vec<(u32, u32)> {
    if open.is_empty() {
        return Vec::new();
    }
    let center = center(open.iter().map(|index| perches[*index as usize].at), open.len());
    let place = |id: u32, at: [f32; 3]| {
        let offset: Wide<f32, 3> = metric.minimum_image(Wide::splat(at) - Wide::splat(center));
        (id, offset.axes())
    };
    let boids = |rows: Vec<Row>| rows.into_iter().map(|row| place(row.id, row.position));
    let mut candidates: Vec<Place> = boids(leaving).collect();
    if candidates.len() < open.len() {
        let needed = CANDIDATES * (open.len() - candidates.len());
        let mut free: Vec<Place> = boids(free).collect();
        free.sort_by(|(id, at), (other_id, other_at)| square(*at).total_cmp(&square(*other_at)).then(id.cmp(other_id)));
        candidates.extend(free.into_iter().take(needed));
    }
    let mut open: Vec<Place> = open.into_iter().map(|index| place(index, perches[index as usize].at)).collect();
    open.truncate(candidates.len());
    let mut assigned = Vec::with_capacity(open.len());
    halve(&mut open, &mut candidates, &mut assigned);
    assigned
}

fn center(points: impl Iterator<Item = [f32; 3]>, count: usize) -> [f32; 3] {
    let sum = points.fold([0.0; 3], |sum, at| [0, 1, 2].map(|axis| sum[axis] + f64::from(at[axis])));
    sum.map(|axis| (axis / count as f64) as f32)
}

fn square([x, y, z]: [f32; 3]) -> f32 {
    x * x + y * y + z * z
}

/// Assigns at least as many boids as perches.
fn halve(perches: &mut [Place], boids: &mut [Place], assigned: &mut Vec<(u32, u32)>) {
    match perches {
        [] => {}
        [(index, at)] => {
            let d2 = |boid: &Place| square([0, 1, 2].map(|axis| boid.1[axis] - at[axis]));
            let nearest = boids.iter().min_by(|a, b| d2(a).total_cmp(&d2(b)).then(a.0.cmp(&b.0)));
            assigned.extend(nearest.map(|boid| (boid.0, *index)));
        }
        _ => {
            let axis = longest_side(perches);
            let along = |a: &Place, b: &Place| a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0));
            perches.sort_unstable_by(along);
            boids.sort_unstable_by(along);
            let middle = perches.len() / 2;
            let (low, high) = perches.split_at_mut(middle);
            let (low_boids, high_boids) = boids.split_at_mut(boids.len() * middle / (low.len() + high.len()));
            halve(low, low_boids, assigned);
            halve(high, high_boids, assigned);
        }
    }
}

fn longest_side(places: &[Place]) -> usize {
    let side = |axis: usize| {
        let coordinates = || places.iter().map(|(_, at)| at[axis]);
        coordinates().fold(f32::NEG_INFINITY, f32::max) - coordinates().fold(f32::INFINITY, f32::min)
    };
    (1..3).fold(0, |best, axis| if side(axis) > side(best) { axis } else { best })
}

#[cfg(test)]
mod tests {
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::agents::Kind;
    use crate::params::Params;
    use crate::world::World;

    fn perch(at: [f32; 3]) -> Perch {
        Perch { at, number: None }
    }

    /// Boids with successive ids.
    fn boids(first: u32, points: Vec<[f32; 3]>) -> Vec<Row> {
        let still = Row { id: 0, kind: Kind::Prey, position: [0.0; 3], velocity: [0.0; 3], mood: 0.0, bank: 0.0 };
        (first..).zip(points).map(|(id, position)| Row { id, position, ..still }).collect()
    }

    /// Random points in a square of 100 u.
    fn points(count: usize, seed: u64) -> Vec<[f32; 3]> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..count).map(|_| [100.0 * rng.random::<f32>(), 100.0 * rng.random::<f32>(), 0.0]).collect()
    }

    fn metric() -> Metric {
        Params::default().metric(&World::Rect([1000.0, 1000.0]))
    }

    fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
        square([0, 1, 2].map(|axis| a[axis] - b[axis])).sqrt()
    }

    #[test]
    fn each_perch_has_one_boid() {
        for (count, perches) in [(50, 50), (300, 50), (20, 50), (1, 1), (7, 3)] {
            let places: Vec<Perch> = points(perches, 1).into_iter().map(perch).collect();
            let free = boids(0, points(count, 2));
            let assigned = assign(&places, (0..perches as u32).collect(), [Vec::new(), free], &metric());
            let (mut ids, mut indices): (Vec<u32>, Vec<u32>) = assigned.into_iter().unzip();
            ids.sort_unstable();
            ids.dedup();
            indices.sort_unstable();
            assert_eq!(ids.len(), count.min(perches));
            assert!(indices.into_iter().eq(0..count.min(perches) as u32), "the first perches come first");
        }
    }

    #[test]
    fn paths_are_little_longer_than_the_shortest_possible_ones() {
        // The shortest paths of seven boids, from all permutations.
        fn shortest(perches: &[[f32; 3]], left: &mut Vec<[f32; 3]>) -> f32 {
            let Some((first, rest)) = perches.split_first() else { return 0.0 };
            (0..left.len()).fold(f32::INFINITY, |best, taken| {
                let boid = left.swap_remove(taken);
                let length = distance(*first, boid) + shortest(rest, left);
                left.push(boid);
                let last = left.len() - 1;
                left.swap(taken, last);
                best.min(length)
            })
        }
        let (mut total, mut best) = (0.0, 0.0);
        for seed in 0..20 {
            let (perches, starts) = (points(7, 2 * seed), points(7, 2 * seed + 1));
            let places: Vec<Perch> = perches.iter().copied().map(perch).collect();
            let free = boids(0, starts.clone());
            for (id, index) in assign(&places, (0..7).collect(), [Vec::new(), free], &metric()) {
                total += distance(perches[index as usize], starts[id as usize]);
            }
            best += shortest(&perches, &mut starts.clone());
        }
        assert!(total < 1.35 * best, "{total} {best}");
    }

    #[test]
    fn boids_that_leave_other_perches_come_first() {
        let places: Vec<Perch> = points(5, 1).into_iter().map(perch).collect();
        let (leaving, free) = (boids(90, points(5, 3)), boids(0, points(50, 2)));
        let assigned = assign(&places, (0..5).collect(), [leaving, free], &metric());
        assert!(assigned.len() == 5 && assigned.iter().all(|(id, _)| *id >= 90), "{assigned:?}");
    }
}
