//! Contract: one tick of each preset from the literature, from random states, agrees with the formulas of `docs/models.md` for
//! every agent; so does one tick of every variant of every rule, of alarm and fatigue, and of the environment. The tests in
//! `tests/sim` beside them cover catching, respawning, eating and resting over many ticks.
//!
//! The formulas are computed here independently: in `f64`, over all pairs, stage by stage.

mod alarm;
mod compare;
mod environment;
mod gusts;
mod model;
mod oracle;
mod perception;
mod perches;
mod presets;
mod published;
mod published_noise;
mod random;
mod rules;
mod stardisplay;
mod vector;
mod worked_examples;
