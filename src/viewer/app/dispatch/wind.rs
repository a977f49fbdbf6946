//! The wind, from one weather to the next by one key.

use crate::sim::{Params, Tunable, Value};
use crate::viewer::app::App;

/// A breeze's strength, as a share of the fastest speed each tick.
const BREEZE: f32 = 0.015;
/// The strength of gusts, in breezes.
const GUSTS: f32 = 2.0;

/// How it blows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    Calm,
    Breeze,
    Gusty,
}

impl Weather {
    fn of(rules: &Params) -> Self {
        let blows = |row: &Tunable| row.get(rules) != Value::Number(0.0);
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
    fn settings(self, rules: &Params) -> Vec<(&'static Tunable, Value)> {
        let breeze = BREEZE * rules.speed.max;
        let wind = |row: &'static Tunable| {
            let value = if row.key == "wind.x" { breeze } else { 0.0 };
            (row, Value::Number(if self == Self::Calm { 0.0 } else { value }))
        };
        let gusts = if self == Self::Gusty { GUSTS * breeze } else { 0.0 };
        rows().map(wind).chain([(gust(), Value::Number(gusts))]).collect()
    }
}

/// The steady wind's tunables.
fn rows() -> impl Iterator<Item = &'static Tunable> {
    ["wind.x", "wind.y", "wind.z"].into_iter().filter_map(Tunable::find)
}

fn gust() -> &'static Tunable {
    Tunable::find("wind.gust").expect("it is in the table")
}

impl App {
    /// Lets another wind blow, and says which.
    pub fn change_wind(&mut self) {
        let weather = Weather::of(&self.wishes.rules).next();
        let settings = weather.settings(&self.wishes.rules);
        self.wishes.set_all(&settings);
        let strength = crate::viewer::app::param_step::figure(BREEZE * self.wishes.rules.speed.max);
        self.say(match weather {
            Weather::Calm => "calm: no wind".to_owned(),
            Weather::Breeze => format!("a breeze to the right, wind.x = {strength}"),
            Weather::Gusty => format!("gusty, about a breeze to the right, wind.x = {strength}"),
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
            let weather = Weather::of(&rules).next();
            for (row, value) in weather.settings(&rules) {
                rules.set(row.key, value).unwrap();
            }
            assert_eq!(Weather::of(&rules), weather);
            weathers.push(weather);
        }
        let back = weathers.iter().position(|weather| *weather == Weather::Calm).unwrap();
        assert_eq!((weathers[0], back), (Weather::Breeze, 2));
    }
}
