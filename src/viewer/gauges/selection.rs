//! Which parameters have a gauge.

use crate::sim::{Domain, Model, ModelRow, Param, Params, Role, Value};
use crate::viewer::context::Context;

/// So many numbers at the beginning of a group have a gauge if the preset uses the group: mostly a weight and a radius.
const LEADING: usize = 2;

/// The parameters that have an effect in the current model and world.
pub fn params(context: &Context) -> impl Iterator<Item = &'static Param> {
    Param::table().iter().filter(|param| has_effect(param, context))
}

/// Whether a parameter has an effect in the current model and world. The model belongs to the
/// preset and has no gauge.
pub fn has_effect(param: &Param, context: &Context) -> bool {
    let controls = context.client.controls();
    let has_effect = match param.role {
        Role::Model => false,
        Role::Depth => controls.setup.world.dim() == 3,
        _ => true,
    };
    has_effect && ModelRow::of(&controls.setup.params).uses(param)
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
    let rows = Param::table().iter().filter(move |row| row.group == group);
    rows.filter(|row| matches!(row.domain, Domain::Number { .. }) && has_effect(row, context))
}

fn differs(param: &Param, preset: &Params) -> bool {
    param.get(preset) != param.default()
}

/// Whether the first number of the parameter's group, which is its weight or count, turns the group off.
fn is_off(param: &Param, context: &Context) -> bool {
    numbers(param.group, context).next().is_some_and(|row| {
        let off = Value::Number(0.0);
        let can_be_negative = matches!(row.domain, Domain::Number { min, .. } if min < 0.0);
        !can_be_negative
            && row.get(&context.presets.base.params) == off
            && row.get(&context.client.controls().setup.params) == off
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewer::actions::Action;
    use crate::viewer::app::tests::app;

    /// The keys of the gauges of a preset that is used.
    fn used(context: &Context) -> Vec<&'static str> {
        params(context).filter(|param| is_used(param, context)).map(|param| param.key).collect()
    }

    #[test]
    fn a_preset_has_gauges_for_the_rules_that_it_uses() {
        let mut app = app(24);
        let rules =
            ["separation.weight", "separation.radius", "alignment.weight", "alignment.radius", "cohesion.weight"];
        assert_eq!(used(&app.context)[..5], rules);
        for unused in ["separation.falloff", "alarm.spread", "leaders.count", "food.weight", "wind.gust"] {
            assert!(!used(&app.context).contains(&unused), "{unused}");
        }
        // A change adds a gauge.
        let gust = Param::find("wind.gust").unwrap();
        crate::viewer::gauges::set(gust, Value::Number(0.1), &mut app.context);
        assert!(used(&app.context).contains(&"wind.gust"));
    }

    #[test]
    fn a_rule_whose_weight_is_0_has_no_gauge() {
        let mut app = app(24);
        let geese = app.context.presets.all.iter().position(|preset| preset.name == "geese").unwrap();
        app.load_preset(geese);
        let used = used(&app.context);
        assert!(used.contains(&"separation.weight") && used.contains(&"leaders.count"), "{used:?}");
        assert!(!used.contains(&"alignment.weight") && !used.contains(&"alignment.radius"), "{used:?}");
        app.act(Action::AllParameters);
        for _ in 0..4 {
            app.act(Action::NextParameter);
        }
        assert_eq!(app.gauges.selected(&app.context).key, "alignment.weight");
    }
}
