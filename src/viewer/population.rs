//! The number of boids and predators, and new flocks.

use super::actions::Action;
use super::context::Context;
use super::text::grouped;
use crate::config::random_seed;
use crate::sim::{MAX_BOIDS, MAX_PREDATORS};

/// Performs an action. Returns whether it is one of these.
pub fn act(action: Action, context: &mut Context) -> bool {
    let controls = context.client.controls();
    match action {
        Action::NewSeed => {
            let seed = random_seed();
            context.client.reseed(seed);
            context.show_message(format!("new flock from seed {seed}"));
        }
        Action::Restart => {
            let seed = controls.seed;
            context.client.restart();
            context.show_message(format!("restarted from seed {seed}"));
        }
        Action::MoreBoids => set_boids(more(controls.boids), context),
        Action::FewerBoids => set_boids(fewer(controls.boids), context),
        Action::MorePredators => set_predators(controls.predators + 1, context),
        Action::FewerPredators => set_predators(controls.predators.saturating_sub(1), context),
        _ => return false,
    }
    true
}

fn set_boids(boids: usize, context: &mut Context) {
    let changed = context.client.set_boids(boids);
    match boids {
        0 | 1 if !changed => context.show_message("only one boid left"),
        _ if boids > MAX_BOIDS => context.show_message(format!("{MAX_BOIDS} boids is the maximum")),
        _ => context.report(format!("{} boids", grouped(boids as u64))),
    }
}

fn set_predators(predators: usize, context: &mut Context) {
    let changed = context.client.set_predators(predators);
    match predators {
        0 if !changed => context.show_message("no predators left"),
        1 => context.report("1 predator"),
        _ if predators > MAX_PREDATORS => context.show_message(format!("{MAX_PREDATORS} predators is the maximum")),
        _ => context.report(format!("{} predators", grouped(predators as u64))),
    }
}

/// 10 % more boids, at least one.
fn more(boids: usize) -> usize {
    boids + (boids / 10).max(1)
}

/// The inverse of [`more`], where there is one.
fn fewer(boids: usize) -> usize {
    let least = (boids * 10 / 11).saturating_sub(1);
    (least..boids).find(|fewer| more(*fewer) >= boids).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_is_the_inverse_of_more() {
        for boids in (1..3000).chain([123_456, 10_000_000]) {
            assert_eq!(fewer(more(boids)), boids);
            assert!(fewer(boids) < boids, "{boids}");
        }
    }
}
