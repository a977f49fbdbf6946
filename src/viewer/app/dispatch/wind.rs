//! The wind, from one weather to the next by one key.

use crate::sim::{Param, Params, Value};
use crate::viewer::app::App;

/// A breeze's strength, as a share of the fastest speed each tick.
const BREEZE: f32 = 0.015;
/// The strength of gusts, in breezes.
const GUSTS: f32 = 2.0;

/// How it blows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindLevel {
    Calm,
    Breeze,
    Gusty,
}

impl WindLevel {
    fn of(rules: &Params) -> Self {
        let blows = |row: &Param| row.get(rules) != Value::Number(0.0);
        match (rows().any(blows), blows(gust())) {
            (_, true) => Self::Gusty,
            (true, false) => Self::Breeze,
            (false, false) => Self::Calm,
        }
    }

    fn next(self) -> Self {
        match self {
            Self::Calm => Self::Breeze,
            Self::Breeze => Self::Gusty,
            Self::Gusty => Self::Calm,
        }
    }

    /// What it makes of the rules.
    fn settings(self, rules: &Params) -> Vec<(&'static Param, Value)> {
        let breeze = BREEZE * rules.speed.max;
        let wind = |row: &'static Param| {
            let value = if row.key == "wind.x" { breeze } else { 0.0 };
            (row, Value::Number(if self == Self::Calm { 0.0 } else { value }))
        };
        let gusts = if self == Self::Gusty { GUSTS * breeze } else { 0.0 };
        rows().map(wind).chain([(gust(), Value::Number(gusts))]).collect()
    }
}

/// The steady wind's tunables.
fn rows() -> impl Iterator<Item = &'static Param> {
    ["wind.x", "wind.y", "wind.z"].into_iter().filter_map(Param::find)
}

fn gust() -> &'static Param {
    Param::find("wind.gust").expect("it is in the table")
}

impl App {
    /// Lets another wind blow, and says which.
    pub fn cycle_wind(&mut self) {
        let weather = WindLevel::of(&self.session.rules).next();
        let settings = weather.settings(&self.session.rules);
        self.session.set_all(&settings);
        let strength = crate::viewer::app::param_step::format_number(BREEZE * self.session.rules.speed.max);
        self.show_message(match weather {
            WindLevel::Calm => "calm: no wind".to_owned(),
            WindLevel::Breeze => format!("a breeze to the right, wind.x = {strength}"),
            WindLevel::Gusty => format!("gusty, about a breeze to the right, wind.x = {strength}"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weather_goes_around() {
        let mut rules = Params::default();
        let mut weathers = Vec::new();
        for _ in 0..4 {
            let weather = WindLevel::of(&rules).next();
            for (row, value) in weather.settings(&rules) {
                rules.set(row.key, value).unwrap();
            }
            assert_eq!(WindLevel::of(&rules), weather);
            weathers.push(weather);
        }
        let back = weathers.iter().position(|weather| *weather == WindLevel::Calm).unwrap();
        assert_eq!((weathers[0], back), (WindLevel::Breeze, 2));
    }
}
