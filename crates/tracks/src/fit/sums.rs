//! The sums of all rules, forms and radii in one pass over the pairs of a frame.

use super::motion::{Frame, Motion};
use super::rules::{Rule, cruise, inward, number, set_number};
use super::vectors::{Arena, difference, dot, length, offset, unit};
use flockscope_sim::{Metric, Params, Row, Setup};

/// A weight of a model, and the sum that it multiplies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) rule: Rule,
    /// The place of the form in [`Rule::forms`].
    pub(super) form: usize,
    /// The radius or margin in u.
    pub(super) radius: f64,
    /// The place among the weights of the rule.
    pub(super) part: usize,
}

impl Term {
    /// The place of an animal in the arena: without others, animals may return to a place of their own.
    pub(super) const OWN_PLACE: Self = Self { rule: Rule::Wind, form: 1, radius: 0.0, part: 0 };

    /// The terms of a rule, with the form and radius of these parameters.
    pub(super) fn of(rule: Rule, params: &Params, dim: usize) -> Vec<Self> {
        let is_same = |form: &Params| {
            (form.separation.falloff, form.cohesion.response, form.flee.falloff)
                == (params.separation.falloff, params.cohesion.response, params.flee.falloff)
        };
        let form = rule.forms(params).iter().position(is_same).unwrap_or(0);
        let radius = rule.radius_key().map_or(0.0, |key| number(params, key));
        (0..rule.weights(dim)).map(|part| Self { rule, form, radius, part }).collect()
    }

    /// Sets the form and the radius of its rule.
    pub(super) fn apply(&self, params: &mut Params) {
        *params = self.rule.forms(params)[self.form];
        self.rule.radius_key().into_iter().for_each(|key| set_number(params, key, self.radius));
    }
}

/// What sums need to know about a motion besides the states.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) metric: Metric,
    pub(super) arena: Arena,
    pub(super) mean_speed: f64,
    /// Whether speeds do not vary, so that only accelerations across the heading count.
    keeps_speed: bool,
    pub(super) dim: usize,
}

impl Place {
    pub(super) fn new(setup: &Setup, arena: Arena, motion: &Motion) -> Self {
        let metric = setup.params.metric(&setup.world);
        Self { metric, arena, mean_speed: motion.speed, keeps_speed: !motion.has_varying_speeds(), dim: motion.dim }
    }

    /// The part of an acceleration that can change a velocity: that across the heading if speeds do not vary.
    pub(super) fn effective(&self, acceleration: [f64; 3], velocity: [f32; 3]) -> [f64; 3] {
        if !self.keeps_speed {
            return acceleration;
        }
        let heading = unit(velocity.map(f64::from));
        let ahead = dot(acceleration, heading);
        [0, 1, 2].map(|axis| acceleration[axis] - ahead * heading[axis])
    }
}

/// The sums over others within a radius.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    offset: [f64; 3],
    /// Offsets times their length, in units of length, and divided by its square.
    scaled: [f64; 3],
    unit: [f64; 3],
    inverse: [f64; 3],
    velocity: [f64; 3],
}

impl Sums {
    fn add(&mut self, offset: [f64; 3], distance: f64, velocity: [f32; 3]) {
        self.count += 1.0;
        let near = distance.max(f64::MIN_POSITIVE);
        for (axis, value) in offset.into_iter().enumerate() {
            self.offset[axis] += value;
            self.scaled[axis] += value * distance;
            self.unit[axis] += value / near;
            self.inverse[axis] += value / (near * near);
            self.velocity[axis] += f64::from(velocity[axis]);
        }
    }

    fn plus(&mut self, other: &Self) {
        self.count += other.count;
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

/// The sums of these terms for all animals of a frame, an animal after the other.
pub(super) fn of_frame(frame: &Frame<'_>, terms: &[Term], place: &Place) -> Vec<[f32; 3]> {
    let mut radii: Vec<f64> = terms
        .iter()
        .filter(|term| term.rule.is_interaction() || term.rule == Rule::Flee)
        .map(|term| term.radius)
        .collect();
    radii.sort_unstable_by(f64::total_cmp);
    radii.dedup();
    let shell = |radius: f64| radii.partition_point(|other| *other <= radius);
    let mut all = Vec::with_capacity(frame.animals.len() * terms.len());
    for own in frame.animals {
        let around = |others: &[Row]| {
            let mut shells = vec![Sums::default(); radii.len() + 1];
            for other in others.iter().filter(|other| other.id != own.id) {
                let offset = offset(&place.metric, own.position.map(f64::from), other.position.map(f64::from));
                let distance = length(offset);
                shells[shell(distance)].add(offset, distance, other.velocity);
            }
            for at in 1..shells.len() {
                let inner = shells[at - 1];
                shells[at].plus(&inner);
            }
            shells
        };
        let (neighbors, predators) = (around(frame.animals), around(frame.predators));
        let velocity = own.velocity.map(f64::from);
        let cruises = cruise(own.velocity, place.mean_speed);
        for term in terms {
            let within = |shells: &[Sums]| shells[radii.partition_point(|other| *other < term.radius)];
            let near = within(&neighbors);
            let sum = match term.rule {
                Rule::Separation => near.push(term.form, term.radius),
                Rule::Flee => within(&predators).push(term.form, term.radius),
                Rule::Alignment if near.count > 0.0 => {
                    difference(near.velocity.map(|axis| axis / near.count), velocity)
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
                Rule::Cruise => cruises[term.part].map(f64::from),
                Rule::Edge => inward(own.position, &place.arena, term.radius, place.dim).map(f64::from),
                Rule::Wind if *term == Term::OWN_PLACE => [0, 1, 2]
                    .map(|axis| f64::from(own.position[axis]) - 0.5 * (place.arena[axis][0] + place.arena[axis][1])),
                Rule::Wind => [0, 1, 2].map(|axis| f64::from(u8::from(axis == term.part))),
            };
            all.push(place.effective(sum, own.velocity));
        }
    }
    all.into_iter().map(|sum| sum.map(|axis| axis as f32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockscope_sim::{Edge, Kind, World};

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
            dim: 2,
        };
        // The neighbors are at distances of 5 and 10.
        let animals = [
            animal(0, [40.0, 90.0], [3.0, 4.0]),
            animal(1, [43.0, 94.0], [1.0, 0.0]),
            animal(2, [40.0, 80.0], [2.0, 2.0]),
        ];
        let predators = [animal(9, [44.0, 90.0], [0.0; 2])];
        let frame = Frame { animals: &animals, predators: &predators };
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
        let sums = of_frame(&frame, &terms, &place);
        // The heading is (0.6, 0.8).
        let across = of_frame(&frame, &terms, &Place { keeps_speed: true, ..place });
        for ((term, [x, y]), (sum, across)) in cases.iter().zip(sums.iter().zip(&across)) {
            assert!((sum[0] - x).abs() < 1e-6 && (sum[1] - y).abs() < 1e-6, "{term:?}: {sum:?}");
            let ahead = 0.6 * x + 0.8 * y;
            let expected = [x - 0.6 * ahead, y - 0.8 * ahead];
            let [x, y] = [0, 1].map(|axis| (across[axis] - expected[axis]).abs());
            assert!(x < 1e-5 && y < 1e-5, "{term:?}: {across:?}");
        }
    }
}
