//! Gusts: wind that differs from place to place and from time to time.

use super::compare::Draw;
use super::rules::{DEEP, FLAT};
use super::vector::Vector;
use super::worked_examples::calm;
use flockscope::sim::{Edge, Flock, Kind, Params, Row, Scratch, Setup, Start, World};
use std::collections::BTreeMap;

/// Gust at each of these places at a tick.
fn wind_at(params: &Params, world: World, tick: u64, places: &[[f32; 3]]) -> Vec<Vector> {
    let row = |(id, place): (usize, &[f32; 3])| Row {
        id: id as u32,
        kind: Kind::Prey,
        position: *place,
        velocity: [0.0; 3],
        mood: 0.0,
        bank: 0.0,
    };
    let rows: Vec<Row> = places.iter().enumerate().map(row).collect();
    let setup =
        Setup { params: *params, world, start: Start::Scatter, boids: 1, predators: 0, seed: 5, zones: Vec::new() };
    let mut flock = Flock::from_rows(&setup, tick, &rows).unwrap();
    flock.step(&mut Scratch::new());
    flock.rows().iter().map(|row| Vector::from(row.velocity) * (1.0 / f64::from(params.gusts.strength))).collect()
}

/// A lattice: spacing, range of points, and period (if it wraps) on each axis.
struct Lattice {
    width: [f64; 3],
    points: [(i32, i32); 3],
    around: [Option<i32>; 3],
}

impl Lattice {
    fn points(&self) -> Vec<[i32; 3]> {
        let [x, y, z] = self.points.map(|(first, last)| first..=last);
        x.flat_map(|x| {
            let z = z.clone();
            y.clone().flat_map(move |y| z.clone().map(move |z| [x, y, z]))
        })
        .collect()
    }

    /// The point on a lattice that closes.
    fn closed(&self, point: [i32; 3]) -> [i32; 3] {
        [0, 1, 2].map(|axis| self.around[axis].map_or(point[axis], |around| point[axis].rem_euclid(around)))
    }
}

fn smooth(share: f64) -> f64 {
    share * share * (3.0 - 2.0 * share)
}

/// The values of a lattice are random: read them at its points and time slices, then check that the wind everywhere else
/// and at every other tick interpolates them.
fn compare_gusts(params: &Params, world: World, lattice: &Lattice) {
    let (points, dim, mut draw) = (lattice.points(), world.dim(), Draw::new(3));
    let layers: Vec<BTreeMap<[i32; 3], Vector>> = (2..=4)
        .map(|layer| {
            let place = |point: &[i32; 3]| [0, 1, 2].map(|axis| (f64::from(point[axis]) * lattice.width[axis]) as f32);
            let places: Vec<[f32; 3]> = points.iter().map(place).collect();
            let numbers = wind_at(params, world, (f64::from(layer) * f64::from(params.gusts.period)) as u64, &places);
            points.iter().copied().zip(numbers).collect()
        })
        .collect();
    let drawn: Vec<f64> =
        layers.iter().flat_map(BTreeMap::values).flat_map(|number| number.0[..dim].to_vec()).collect();
    assert!(drawn.iter().all(|number| number.abs() <= 1.0 + 1e-5), "{world}");
    for quarter in 0..4 {
        let share = drawn.iter().filter(|number| ((*number + 1.0) * 2.0) as i32 == quarter).count() as f64;
        assert!((0.12..0.38).contains(&(share / drawn.len() as f64)), "quarter {quarter} in {world}: {share}");
    }

    let places: Vec<[f32; 3]> = (0..200)
        .map(|_| {
            [0, 1, 2].map(|axis| {
                let ((first, last), width) = (lattice.points[axis], lattice.width[axis] as f32);
                let last = if lattice.around[axis].is_some() { last + 1 } else { last };
                if axis < dim { draw.between(first as f32 * width, last as f32 * width) } else { 0.0 }
            })
        })
        .collect();
    let period = params.gusts.period as u64;
    for tick in [2 * period, 2 * period + 7, 3 * period - 1, 3 * period + period / 2, 4 * period - 1] {
        let (layer, late) = ((tick / period - 2) as usize, smooth((tick % period) as f64 / period as f64));
        for (place, got) in places.iter().zip(wind_at(params, world, tick, &places)) {
            let at = [0, 1, 2].map(|axis| f64::from(place[axis]) / lattice.width[axis]);
            let mut expected = Vector::ZERO;
            for corner in 0..1 << dim {
                let ends = [0, 1, 2].map(|axis| corner >> axis & 1);
                let share = |axis: usize| {
                    let share = smooth(at[axis] - at[axis].floor());
                    if ends[axis] == 1 { share } else { 1.0 - share }
                };
                let point = lattice.closed([0, 1, 2].map(|axis| at[axis].floor() as i32 + ends[axis]));
                let between = layers[layer][&point] * (1.0 - late) + layers[layer + 1][&point] * late;
                expected = expected + between * (0..dim).map(share).product();
            }
            assert!((got - expected).largest() < 1e-4, "{world}, tick {tick}, {place:?}: {got:?}, not {expected:?}");
        }
    }
}

#[test]
fn gusts_go_smoothly_from_number_to_number() {
    let mut params = calm();
    (params.gusts.strength, params.gusts.scale, params.gusts.period) = (2.0, 40.0, 60.0);
    // A flat world has no third axis.
    let flat = ((0, 0), None);
    let open = [((-2, 9), None), ((-2, 8), None), flat];
    compare_gusts(&params, FLAT, &lattice([40.0, 40.0, 1.0], open));
    compare_gusts(&params, DEEP, &lattice([40.0; 3], [((-1, 5), None), ((-1, 4), None), ((-1, 4), None)]));
    // Sides of 300 and 240 u hold 7.5 and 6 of the scale: eight and six.
    params.edge.mode = Edge::Wrap;
    let closed = |points: i32| ((0, points - 1), Some(points));
    compare_gusts(&params, FLAT, &lattice([37.5, 40.0, 1.0], [closed(8), closed(6), flat]));
    params.gusts.scale = 38.0;
    compare_gusts(&params, DEEP, &lattice([40.0, 35.0, 40.0], [closed(4), closed(4), closed(3)]));
}

fn lattice(width: [f64; 3], axes: [((i32, i32), Option<i32>); 3]) -> Lattice {
    Lattice { width, points: axes.map(|(points, _)| points), around: axes.map(|(_, around)| around) }
}
