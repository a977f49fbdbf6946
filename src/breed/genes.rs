//! Which parameters of a flock mutate, and how the weight of a rule follows its radius and its form.

use crate::sim::{Falloff, MAX_WEIGHT, ModelRow, Mutation, Param, Params, Response, Role, Setup, Value};

/// The parameters that have an effect in a flock and may mutate, the more important ones several times.
pub(super) fn genes(setup: &Setup) -> Vec<&'static Param> {
    let params = &setup.params;
    let genes = Param::table().iter().filter(|param| ModelRow::of(params).uses(param) && has_effect(param, setup));
    let genes = genes.flat_map(|param| {
        let times = match param.mutation {
            Mutation::Often => 3,
            Mutation::IfOn if param.get(params) == Value::Number(0.0) => 0,
            Mutation::Usual | Mutation::IfOn => 1,
            Mutation::Never => 0,
        };
        std::iter::repeat_n(param, times)
    });
    genes.collect()
}

fn has_effect(param: &Param, setup: &Setup) -> bool {
    let params = &setup.params;
    // Without a weight, the radius and the form of a rule do nothing. Published models have other weights.
    let weight = Param::find(&format!("{}.weight", param.group)).filter(|weight| ModelRow::of(params).uses(weight));
    (param.has_effect)(params, setup.predators)
        && weight.is_none_or(|weight| weight == param || weight.get(params) != Value::Number(0.0))
}

/// The distance of neighbors, as a fraction of the radius of separation: boids gather to less than their mean distance in the world.
const SPACING: f64 = 0.5;
/// How much of the steering is left where neighbors on opposite sides pull against each other.
const ASYMMETRY: f64 = 0.5;

/// Changes the weights of rules whose radius or form changed, so that the steering of each stays about equal.
pub(super) fn balance(parent: &Setup, params: &mut Params) {
    let [before, after] = [&parent.params, &*params].map(|params| steering(params, parent));
    let weights = [&mut params.separation.weight, &mut params.alignment.weight, &mut params.cohesion.weight];
    for (place, weight) in weights.into_iter().enumerate() {
        let factor = (before[place] / after[place]).clamp(0.01, 100.0);
        let balanced = rounded(f64::from(*weight) * factor);
        // A weight beyond its range stays.
        if factor != 1.0 && balanced <= MAX_WEIGHT {
            *weight = balanced;
        }
    }
}

/// Whether a parameter changes along with another one: the weight of a rule that responds to a sum, with its form and with the limits of motion,
/// and the smallest speed with the largest one.
pub(super) fn follows(param: &Param, other: &Param) -> bool {
    match param.role {
        Role::Weight if Param::find(&format!("{}.response", param.group)).is_some() => {
            param != other
                && (other.group == param.group || matches!(other.role, Role::LowestSpeed | Role::HighestSpeed))
        }
        Role::LowestSpeed => other.role == Role::HighestSpeed,
        _ => false,
    }
}

/// The approximate steering of each rule with a weight of 1.
fn steering(params: &Params, parent: &Setup) -> [f64; 3] {
    let dim = parent.world.dim() as f64;
    let spacing = SPACING * f64::from(parent.params.separation.radius).max(1e-3);
    let widest = libm::pow(parent.world.volume(), 1.0 / dim) / 2.0;
    // The mean of a power of the distance over a ball.
    let mean = |radius: f64, power: f64| dim / (dim + power).max(0.5) * libm::pow(radius, power);
    let speed = f64::from(params.speed.max);
    let respond = |response: Response, radius: f64, strength: f64| match response {
        Response::Sum => ASYMMETRY * strength * libm::pow(radius / spacing, dim).max(1.0),
        Response::Mean => ASYMMETRY * strength,
        Response::Unit => 1.0,
        Response::Steer if params.limits.max_force > 0.0 => f64::from(params.limits.max_force).min(speed),
        Response::Steer => speed,
    };
    let [separation, alignment, cohesion] = [params.separation.radius, params.alignment.radius, params.cohesion.radius]
        .map(|radius| f64::from(radius).clamp(1e-3, widest));
    let push = match params.separation.falloff {
        Falloff::Flat => mean(separation, 1.0),
        Falloff::Linear => separation * mean(separation, 1.0) - mean(separation, 2.0),
        Falloff::Inverse => 1.0,
        Falloff::InverseSquare => mean(separation, -1.0),
        Falloff::InverseCube => mean(separation, -2.0),
    };
    let aligned = Response::from_name(params.alignment.response.name());
    [
        respond(params.separation.response, separation, push),
        aligned.map_or(ASYMMETRY * speed, |response| respond(response, alignment, speed)),
        respond(params.cohesion.response, cohesion, mean(cohesion, 1.0)),
    ]
}

/// A number with three significant digits, so that presets are easy to read.
pub(super) fn rounded(number: f64) -> f32 {
    format!("{number:.2e}").parse().unwrap_or(number as f32)
}
