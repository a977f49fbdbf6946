//! Parameters of the config file for single presets.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::preset::{Preset, with_users};
use crate::sim::{Error, Param, Value, check_params};

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

#[cfg(test)]
mod tests {
    use super::*;

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
