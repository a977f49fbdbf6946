//! Contract: one tick of each preset from the literature, from random states, agrees with the formulas of the models
//! page for every boid, predators included; so does one tick of every other variant of every rule.
//!
//! The formulas are computed here once more, independently: in `f64`, over all pairs, stage by stage.
#![cfg(feature = "app")]

mod by_hand;
mod compare;
mod drawn;
mod heed;
mod model;
mod presets;
mod rules;
mod vector;
