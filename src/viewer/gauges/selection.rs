//! Which parameters have a gauge.

use crate::sim::{Domain, Model, ModelRow, Param, Params, Value};
use crate::viewer::context::Context;

/// So many numbers at the beginning of a group have a gauge if the preset uses the group: mostly a weight and a radius.
const LEADING: usize = 2;

/// The parameters that have an effect in the current model and world.
pub fn params(context: &Context) -> impl Iterator<Item = &'static Param> {
    Param::table().iter().filter(|param| has_effect(param, context))
}

/// Whether a parameter has an effect in the current model and world: `wind.z` needs a 3-D one. The model belongs to the
/// preset and has no gauge.
pub fn has_effect(param: &Param, context: &Context) -> bool {
    let controls = context.client.controls();
    let needs_depth = param.key == "wind.z";
    param.key != "model"
        && ModelRow::of(&controls.setup.params).uses(param)
        && (controls.setup.world.dim() == 3 || !needs_depth)
}

/// Whether the preset uses a parameter, or the user has changed it: a number that leads a group that the preset uses, or
/// that differs from the default. Published models use every number that is not 0.
pub fn is_used(param: &Param, context: &Context) -> bool {
    let (preset, now) = (&context.presets.base.params, &context.client.controls().setup.params);
    let value = param.get(preset);
    if param.get(now) != value {
        return true;
    }
    if !matches!(param.domain, Domain::Number { .. }) || is_off(param, context) {
        return false;
    }
    if preset.model.name != Model::Boids {
        return value != Value::Number(0.0);
    }
    let leads = numbers(param.group, context).take(LEADING).any(|leading| leading == param);
    differs(param, preset) || (leads && numbers(param.group, context).any(|row| differs(row, preset)))
}

fn numbers<'a>(group: &'a str, context: &'a Context) -> impl Iterator<Item = &'static Param> + use<'a> {
    params(context).filter(move |row| row.group == group && matches!(row.domain, Domain::Number { .. }))
}

fn differs(param: &Param, preset: &Params) -> bool {
    param.get(preset) != param.default()
}

/// Whether the first number of the parameter's group, which is its weight or count, turns the group off.
fn is_off(param: &Param, context: &Context) -> bool {
    let is_zero = |row: &Param| {
        let off = Value::Number(0.0);
        let can_be_negative = matches!(row.domain, Domain::Number { min, .. } if min < 0.0);
        !can_be_negative
            && row.get(&context.presets.base.params) == off
            && row.get(&context.client.controls().setup.params) == off
    };
    numbers(param.group, context).next().is_some_and(is_zero)
}
