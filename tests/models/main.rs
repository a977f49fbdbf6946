//! Contract: one tick of each preset from the literature, from random states, agrees with the formulas of the models
//! page for every boid, predators included; so does one tick of every other variant of every rule, of alarm and
//! tiredness, and of what fills the world. Who is caught, comes back, eats or settles, `predators.rs` and `field.rs`
//! beside this folder follow over many ticks.
//!
//! The formulas are computed here once more, independently: in `f64`, over all pairs, stage by stage.
#![cfg(feature = "app")]

mod alarm;
mod by_hand;
mod compare;
mod drawn;
mod field;
mod gusts;
mod heed;
mod model;
mod oracle;
mod presets;
mod rules;
mod vector;
