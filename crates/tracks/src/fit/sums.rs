//! The sums of all rules, forms and radii in one pass over the pairs of a frame.

use super::dictionary::{Rule, Term, cruise, inward};
use super::motion::Frame;
use super::vectors::{Arena, difference, length, way};
use flockscope_sim::{Metric, Row};

/// Animals within so many steps of a wall may be stopped or turned by it.
const WALL: f64 = 1.5;

/// What sums need to know about a motion besides the states.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) metric: Metric,
    pub(super) arena: Arena,
    pub(super) mean_speed: f64,
    pub(super) dim: usize,
    /// Whether speeds do not vary, so that only accelerations across the heading count.
    pub(super) keeps_speed: bool,
    /// The ends of the positions on each axis, near which walls change velocities.
    pub(super) walls: Option<Arena>,
}

impl Place {
    /// Whether an animal may reach a wall in its next step.
    pub(super) fn is_at_wall(&self, row: &Row) -> bool {
        let step = WALL * (length(row.velocity.map(f64::from)) + self.mean_speed);
        self.walls.is_some_and(|walls| {
            let mut places = walls[..self.dim].iter().zip(row.position.map(f64::from));
            places.any(|([low, high], at)| (at - low).min(high - at) < step)
        })
    }
}

/// The sums over others within a radius.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    /// The number of those whose velocity is known, and the sum of their velocities.
    movers: f64,
    velocity: [f64; 3],
    offset: [f64; 3],
    /// Offsets times their length, in units of length, and divided by its square.
    scaled: [f64; 3],
    unit: [f64; 3],
    inverse: [f64; 3],
}

impl Sums {
    fn add(&mut self, offset: [f64; 3], distance: f64, velocity: Option<[f32; 3]>) {
        self.count += 1.0;
        for (axis, value) in offset.into_iter().enumerate() {
            self.offset[axis] += value;
            self.scaled[axis] += value * distance;
            self.unit[axis] += value / distance;
            self.inverse[axis] += value / (distance * distance);
        }
        if let Some(velocity) = velocity {
            self.movers += 1.0;
            self.velocity = [0, 1, 2].map(|axis| self.velocity[axis] + f64::from(velocity[axis]));
        }
    }

    fn plus(&mut self, other: &Self) {
        self.count += other.count;
        self.movers += other.movers;
        for axis in 0..3 {
            self.offset[axis] += other.offset[axis];
            self.scaled[axis] += other.scaled[axis];
            self.unit[axis] += other.unit[axis];
            self.inverse[axis] += other.inverse[axis];
            self.velocity[axis] += other.velocity[axis];
        }
    }

    /// The push of separation or flight.
    fn push(&self, form: usize, radius: f64) -> [f64; 3] {
        match form {
            0 => [0, 1, 2].map(|axis| self.scaled[axis] - radius * self.offset[axis]),
            1 => self.unit.map(|axis| -axis),
            _ => self.inverse.map(|axis| -axis),
        }
    }
}

/// The sums of these terms for all animals of a frame, an animal after the other. Two animals at one place have no direction, and do not
/// count for each other.
pub(super) fn of_frame(frame: &Frame<'_>, terms: &[Term], place: &Place) -> Vec<[f32; 3]> {
    let between = terms.iter().filter(|term| term.rule.is_interaction() || term.rule == Rule::Flee);
    let mut radii: Vec<f64> = between.map(|term| term.radius).collect();
    radii.sort_unstable_by(f64::total_cmp);
    radii.dedup();
    let shells: Vec<usize> = terms.iter().map(|term| radii.partition_point(|radius| *radius < term.radius)).collect();
    let mut all = Vec::with_capacity(frame.animals.len() * terms.len());
    for own in frame.animals {
        let around = |others: &[Row], is_known: &dyn Fn(usize) -> bool| {
            let mut sums = vec![Sums::default(); radii.len() + 1];
            for (place_of, other) in others.iter().enumerate().filter(|(_, other)| other.id != own.id) {
                let offset = way(&place.metric, own, other);
                let distance = length(offset);
                if distance > 0.0 {
                    let shell = radii.partition_point(|radius| *radius <= distance);
                    sums[shell].add(offset, distance, is_known(place_of).then_some(other.velocity));
                }
            }
            // Each pair was added to one shell only, and a radius takes all shells within it.
            for at in 1..sums.len() {
                let inner = sums[at - 1];
                sums[at].plus(&inner);
            }
            sums
        };
        let neighbors = around(frame.animals, &|at| frame.is_moving[at]);
        let predators = around(frame.predators, &|_| false);
        let velocity = own.velocity.map(f64::from);
        let cruises = cruise(velocity, place.mean_speed);
        for (term, shell) in terms.iter().zip(&shells) {
            let near = neighbors[*shell];
            let sum = match term.rule {
                Rule::Separation => near.push(term.form, term.radius),
                Rule::Flee => predators[*shell].push(term.form, term.radius),
                Rule::Alignment if near.movers > 0.0 => {
                    difference(near.velocity.map(|axis| axis / near.movers), velocity)
                }
                Rule::Cohesion if near.count > 0.0 => {
                    let factor = match term.form {
                        0 => 1.0 / near.count,
                        1 => 1.0,
                        _ => 1.0 / length(near.offset).max(f64::MIN_POSITIVE),
                    };
                    near.offset.map(|axis| axis * factor)
                }
                Rule::Alignment | Rule::Cohesion => [0.0; 3],
                Rule::Cruise => cruises[term.part],
                Rule::Edge => inward(own.position, &place.arena, term.radius, place.dim),
                Rule::Wind if *term == Term::OWN_PLACE => [0, 1, 2]
                    .map(|axis| f64::from(own.position[axis]) - 0.5 * (place.arena[axis][0] + place.arena[axis][1])),
                Rule::Wind => [0, 1, 2].map(|axis| f64::from(u8::from(axis == term.part))),
            };
            all.push(sum.map(|axis| axis as f32));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockscope_sim::{Edge, Kind, Params, World};

    fn animal(id: u32, [x, y]: [f32; 2], [vx, vy]: [f32; 2]) -> Row {
        Row { id, kind: Kind::Prey, position: [x, y, 0.0], velocity: [vx, vy, 0.0], mood: 0.0, bank: 0.0 }
    }

    #[test]
    fn sums_are_those_of_the_formulas() {
        let mut params = Params::default();
        params.edge.mode = Edge::Open;
        let metric = params.metric(&World::Rect([100.0, 100.0]));
        let place = Place {
            metric,
            arena: [[0.0, 100.0], [0.0, 100.0], [0.0; 2]],
            mean_speed: 7.0,
            keeps_speed: false,
            walls: None,
            dim: 2,
        };
        // The neighbors are at distances of 5 and 10.
        let animals = [
            animal(0, [40.0, 90.0], [3.0, 4.0]),
            animal(1, [43.0, 94.0], [1.0, 0.0]),
            animal(2, [40.0, 80.0], [2.0, 2.0]),
        ];
        let predators = [animal(9, [44.0, 90.0], [0.0; 2])];
        let frame = Frame { animals: &animals, predators: &predators, is_moving: &[true; 3] };
        let term = |rule, form, radius, part| Term { rule, form, radius, part };
        let cases = [
            (term(Rule::Separation, 0, 6.0, 0), [-3.0, -4.0]),
            (term(Rule::Separation, 1, 6.0, 0), [-0.6, -0.8]),
            (term(Rule::Separation, 2, 6.0, 0), [-0.12, -0.16]),
            (term(Rule::Separation, 1, 20.0, 0), [-0.6, 0.2]),
            (term(Rule::Alignment, 0, 20.0, 0), [-1.5, -3.0]),
            (term(Rule::Alignment, 0, f64::INFINITY, 0), [-1.5, -3.0]),
            (term(Rule::Cohesion, 0, 20.0, 0), [1.5, -3.0]),
            (term(Rule::Cohesion, 1, 20.0, 0), [3.0, -6.0]),
            (term(Rule::Cohesion, 2, 6.0, 0), [0.6, 0.8]),
            (term(Rule::Cohesion, 0, 4.0, 0), [0.0, 0.0]),
            (term(Rule::Flee, 1, 6.0, 0), [-1.0, 0.0]),
            (term(Rule::Cruise, 0, 0.0, 0), [1.2, 1.6]),
            (term(Rule::Cruise, 0, 0.0, 1), [0.6, 0.8]),
            (term(Rule::Edge, 0, 15.0, 0), [0.0, -1.0]),
            (term(Rule::Wind, 0, 0.0, 1), [0.0, 1.0]),
            (Term::OWN_PLACE, [-10.0, 40.0]),
        ];
        let terms = cases.map(|(term, _)| term);
        for ((term, [x, y]), sum) in cases.iter().zip(of_frame(&frame, &terms, &place)) {
            assert!((sum[0] - x).abs() < 1e-6 && (sum[1] - y).abs() < 1e-6, "{term:?}: {sum:?}");
        }
        // Without the velocity of animal 1, and with an animal at the same place.
        let coincident = [animals[0], animals[1], animals[2], animal(3, [40.0, 90.0], [9.0, 9.0])];
        let frame = Frame { animals: &coincident, predators: &[], is_moving: &[true, false, true, true] };
        let sums = of_frame(&frame, &terms[..5], &place);
        assert_eq!(sums[4], [-1.0, -2.0, 0.0]);
        assert!((sums[2][0] + 0.12).abs() < 1e-6 && (sums[2][1] + 0.16).abs() < 1e-6, "{sums:?}");
    }
}
