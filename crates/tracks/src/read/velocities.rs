//! Compares the velocities of a file with the steps of its positions: they may be per frame or per second, or those of another part
//! of the body.

use super::clock::FrameClock;
use crate::error::Note;
use crate::read::observations::{Observations, quantile};
use flockscope_sim::Metric;

/// How much the ratio of velocities and steps may differ from the expected one.
const TOLERANCE: f64 = 0.2;
/// The lowest square of the correlation of velocities and steps.
const AGREEMENT: f64 = 0.5;
/// How many times as long as the median the steps are that do not count, as they may be mistakes.
const LONG: f64 = 10.0;
/// The most steps that are looked at for their median.
const SAMPLE: usize = 1_000_000;

/// Makes velocities those per frame, or drops them if they do not fit the positions. Returns a note on that.
pub(super) fn compare(observations: &mut Observations, clock: &FrameClock, metric: &Metric) -> Option<Note> {
    let unit = observations.velocity_unit.as_deref();
    let is_per_second =
        unit.is_some_and(|unit| unit.ends_with("/s") || unit.ends_with("s^-1") || unit.ends_with("/sec"));
    let is_per_frame = unit.is_some_and(|unit| unit.ends_with("/frame"));
    let in_unit = |name: &str| unit.map_or(String::new(), |unit| format!(", as `{name}` in {unit}"));
    let rate = clock.frame_rate;
    let ratios = ratios(observations, clock, metric);
    let fits = |expected: f64| ratios.iter().flatten().any(|ratio| ratio.is_near(expected));
    let per_second = rate.filter(|rate| !is_per_frame && (ratios.is_none() && is_per_second || fits(*rate)));
    if !is_per_second && (ratios.is_none() || fits(1.0)) {
        return ratios.map(|_| "velocities are per frame".to_owned().into());
    }
    let Some(rate) = per_second else {
        observations.has_velocities = false;
        let text = format!(
            "the velocities do not fit the steps of the positions{}, so they follow from the positions",
            in_unit("vx")
        );
        return Some(text.into());
    };
    for row in &mut observations.rows {
        row.velocity = row.velocity.map(|along| (f64::from(along) / rate) as f32);
    }
    Some(format!("velocities are per second, and become those per frame at {rate} frames per second").into())
}

/// Sums of products of velocities and steps.
#[derive(Clone, Copy, Debug, Default)]
struct Ratio {
    velocities: f64,
    steps: f64,
    products: f64,
}

impl Ratio {
    fn add(&mut self, velocity: [f32; 3], step: [f64; 3]) {
        for (velocity, step) in velocity.map(f64::from).into_iter().zip(step) {
            self.velocities += velocity * velocity;
            self.steps += step * step;
            self.products += velocity * step;
        }
    }

    /// Whether velocities are `expected` times the steps, by the slope of either over the other one.
    fn is_near(&self, expected: f64) -> bool {
        let Self { velocities, steps, products } = *self;
        let is_near = |slope: f64| (slope / expected - 1.0).abs() <= TOLERANCE;
        products > 0.0
            && products * products >= AGREEMENT * velocities * steps
            && (is_near(products / steps) || is_near(velocities / products))
    }
}

/// The velocities in relation to the step before, to the step after, and to their mean; `None` if nothing moves.
fn ratios(observations: &Observations, clock: &FrameClock, metric: &Metric) -> Option<[Ratio; 3]> {
    let rows = &observations.rows;
    let step = |[before, index]: [usize; 2]| {
        let [from, to] = [&rows[before], &rows[index]];
        let numbers = clock.numbers_between(from, to);
        [0, 1, 2].map(|axis| metric.exact_offset(axis, from.position[axis], to.position[axis]) / numbers)
    };
    let square = |step: [f64; 3]| step.iter().map(|along| along * along).sum::<f64>();
    let every = rows.len().div_ceil(SAMPLE);
    let sample = observations.steps().step_by(every).map(|pair| square(step(pair))).filter(|square| *square > 0.0);
    let limit = LONG * LONG * quantile(sample.collect(), 0.5)?;
    let mut ratios = [Ratio::default(); 3];
    // Of each animal: the step to its last row.
    let mut last = vec![None; observations.animals.count()];
    for pair @ [before, index] in observations.steps() {
        let after = step(pair);
        let known = last[rows[index].animal as usize].replace(after);
        if square(after) > limit {
            continue;
        }
        ratios[0].add(rows[index].velocity, after);
        ratios[1].add(rows[before].velocity, after);
        if let Some(earlier) = known.filter(|earlier| square(*earlier) <= limit) {
            ratios[2].add(rows[before].velocity, [0, 1, 2].map(|axis| f64::midpoint(earlier[axis], after[axis])));
        }
    }
    Some(ratios)
}
