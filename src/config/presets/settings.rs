//! Parameters of the config file for single presets, and errors about parameters that a preset does not use.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::preset::Preset;
use crate::sim::{Error, ModelRow, Param, Value, check_params};

/// A list of presets in an error names at most this many.
const MAX_NAMED: usize = 4;

/// A parameter for one preset.
#[derive(Clone, Debug, PartialEq)]
pub struct PresetSetting {
    /// The parameter.
    pub param: &'static Param,
    /// Its value.
    pub value: Value,
    /// Where it was set: "in config.toml:3".
    pub source: Arc<str>,
}

/// The parameters for single presets, by the name of the preset.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PresetSettings(BTreeMap<String, Vec<PresetSetting>>);

impl PresetSettings {
    /// Sets the parameters for a preset.
    pub fn insert(&mut self, name: &str, settings: Vec<PresetSetting>) {
        self.0.insert(name.to_owned(), settings);
    }

    /// The parameters for the preset with this name or path.
    #[must_use]
    pub fn of(&self, origin: &str) -> &[PresetSetting] {
        self.0.get(origin).map_or(&[], Vec::as_slice)
    }

    /// The preset with the parameters for it.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] for parameters that do not fit each other or the preset.
    pub fn apply(&self, mut preset: Preset) -> Result<Preset, Error> {
        let settings = self.of(&preset.origin);
        for PresetSetting { param, value, .. } in settings {
            preset.params.set(param.key, *value)?;
        }
        preset.customized = settings.iter().map(|setting| setting.param.key).collect();
        check_params(&preset.params, &preset.world_for(preset.boids, 1.0)).map_err(with_users)?;
        Ok(preset)
    }
}

/// Adds to an error about a parameter that the model does not use which presets do.
pub(crate) fn with_users(error: Error) -> Error {
    match error {
        Error::Conflict(conflict) => match conflict.unused.and_then(Param::find) {
            Some(param) => conflict.with_advice(users(param)).into(),
            None => conflict.into(),
        },
        error => error,
    }
}

/// The built-in presets that use a parameter: "the presets vicsek and bands do".
fn users(param: &Param) -> String {
    let presets = Preset::builtin();
    let users = presets.iter().filter(|preset| ModelRow::of(&preset.params).uses(param));
    let mut names: Vec<String> = users.map(|preset| preset.name.clone()).collect();
    if names.len() > MAX_NAMED {
        let others = names.split_off(MAX_NAMED - 1).len();
        names.push(format!("{others} others"));
    }
    match names.split_last() {
        None => String::new(),
        Some((name, [])) => format!("the preset {name} does"),
        Some((last, first)) => format!("the presets {} and {last} do", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_a_parameter_of_another_model_names_the_presets_that_use_it() {
        let error = |preset: &str, key: &str| {
            let row = ModelRow::of(&Preset::load(preset).unwrap().params);
            with_users(row.unused(Param::find(key).unwrap()).into()).to_string()
        };
        let few = error("drones", "vicsek.vectorial");
        assert_eq!(few, "the model boids does not use vicsek.vectorial; the presets vicsek and bands do");
        let many = error("vicsek", "separation.radius");
        let start = "the model vicsek does not use separation.radius; the presets murmuration, starlings, trio and ";
        assert!(many.starts_with(start) && many.ends_with(" others do"), "{many}");
    }

    #[test]
    fn settings_apply_to_their_preset_and_only_there() {
        let param = Param::find("cohesion.weight").unwrap();
        let setting = PresetSetting { param, value: Value::Number(0.05), source: "in config.toml:2".into() };
        let mut settings = PresetSettings::default();
        settings.insert("herring", vec![setting]);
        let weight = |name: &str| settings.apply(Preset::load(name).unwrap()).unwrap().params.cohesion.weight;
        assert_eq!(weight("herring"), 0.05);
        assert_eq!(weight("drones"), Preset::load("drones").unwrap().params.cohesion.weight);
    }
}
