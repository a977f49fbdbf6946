//! Contract: after an hour of random user actions, memory is flat, no descriptor
//! or thread leaks, no tick is missed without cause, the screen is right, and the
//! terminal is restored.
//!
//! `.ci/soak [MINUTES]` runs it. `FLOCKSCOPE_SOAK_SEED` repeats a run, `FLOCKSCOPE_SOAK_BIN` names another binary.

mod action;
mod checkup;
mod keystroke;
mod process;
mod user;

use std::collections::BTreeMap;
use std::env;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};

use action::{Dice, UserAction};
use process::{Checkup, judge};
use user::SimulatedUser;

/// Default duration.
const MINUTES: f64 = 60.0;
/// Number of checkups per run, and the minimum and maximum interval.
const CHECKUPS: f64 = 12.0;
const BETWEEN: (f64, f64) = (20.0, 300.0);

#[test]
#[ignore = "it takes an hour: .ci/soak runs it"]
fn an_hour_of_random_actions_leaks_nothing() {
    let minutes: f64 = setting("FLOCKSCOPE_SOAK_MINUTES").unwrap_or(MINUTES);
    let seed: u64 = setting("FLOCKSCOPE_SOAK_SEED").unwrap_or_else(random_seed);
    println!("FLOCKSCOPE_SOAK_SEED={seed} FLOCKSCOPE_SOAK_MINUTES={minutes}");
    let mut dice = Dice::seed_from_u64(seed);
    let mut user = SimulatedUser::start();
    let between = Duration::from_secs_f64((minutes * 60.0 / CHECKUPS).clamp(BETWEEN.0, BETWEEN.1));
    let end = Instant::now() + Duration::from_secs_f64(minutes * 60.0);

    println!("{}", Checkup::HEADER);
    let (mut checkups, mut counts) = (vec![user.check_up()], BTreeMap::new());
    println!("{}", checkups[0]);
    while Instant::now() < end {
        let pause = (Instant::now() + between).min(end);
        while Instant::now() < pause {
            let action = UserAction::draw(&mut dice);
            *counts.entry(action.name).or_insert(0_u32) += 1;
            user.perform(action);
            user.live(Duration::from_millis(dice.random_range(5..250)));
        }
        let checkup = user.check_up();
        println!("{checkup}");
        checkups.push(checkup);
    }
    user.leave();
    let all: u32 = counts.values().sum();
    println!("{all} actions: {counts:?}");
    judge(&checkups);
}

/// A number from the environment.
fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} takes a number, not {text}")))
}

/// A random seed.
fn random_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_millis() as u64)
}
