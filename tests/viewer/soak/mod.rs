//! Contract: an hour of everything that a terminal can do to it leaves no trace: memory stays flat, no descriptor
//! and no thread is lost, no tick is missed beyond what the machine kept back, the screen is right, and the
//! terminal is given back.
//!
//! `.ci/soak [MINUTES]` runs it. `FLOCKSCOPE_SOAK_SEED` has a run again, `FLOCKSCOPE_SOAK_BIN` names another binary.

mod checkup;
mod deed;
mod guest;
mod health;
mod keystroke;

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use deed::{Deed, Dice};
use guest::Guest;
use health::{Checkup, judge};

/// How long it goes on, unless somebody says otherwise.
const MINUTES: f64 = 60.0;
/// How often the viewer is looked over, as a share of all the time, and at least and most.
const CHECKUPS: f64 = 12.0;
const BETWEEN: (f64, f64) = (20.0, 300.0);

#[test]
#[ignore = "it takes an hour: .ci/soak runs it"]
fn an_hour_of_everything_leaves_no_trace() {
    let minutes: f64 = setting("FLOCKSCOPE_SOAK_MINUTES").unwrap_or(MINUTES);
    let seed: u64 = setting("FLOCKSCOPE_SOAK_SEED").unwrap_or_else(some_seed);
    println!("FLOCKSCOPE_SOAK_SEED={seed} FLOCKSCOPE_SOAK_MINUTES={minutes}");
    let mut dice = Dice::seed_from_u64(seed);
    let mut guest = Guest::sit_down();
    let between = Duration::from_secs_f64((minutes * 60.0 / CHECKUPS).clamp(BETWEEN.0, BETWEEN.1));
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);

    println!("{}", Checkup::HEADER);
    let (mut checkups, mut counts) = (vec![guest.check_up()], BTreeMap::new());
    println!("{}", checkups[0]);
    while Instant::now() < end {
        let pause = (Instant::now() + between).min(end);
        while Instant::now() < pause {
            let deed = Deed::draw(&mut dice);
            *counts.entry(deed.name).or_insert(0_u32) += 1;
            guest.carry_out(deed);
            guest.live(Duration::from_millis(dice.random_range(5..250)));
        }
        let checkup = guest.check_up();
        println!("{checkup}");
        checkups.push(checkup);
    }
    guest.leave();
    let all: u32 = counts.values().sum();
    println!("{all} deeds: {counts:?}");
    judge(&checkups);
}

/// A number from the environment.
fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} takes a number, not {text}")))
}

/// A seed that nobody chose.
fn some_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_millis() as u64)
}
