//! The measures of the current run over time, and the changes of its rules.
//!
//! A history belongs to one run: a new flock, another seed or a restart begins an empty one. A step back removes what
//! came later. A morph into another preset continues the run, as one change.

use std::collections::VecDeque;
use std::fmt::Write;

use super::measure::{PLOT_MEASURES, PlotMeasure};
use crate::engine::Frame;
use crate::sim::{Flocks, Measures, Param, Params};

/// The most samples kept: 20 minutes at five per second, in less than 1 MB.
const MAX_SAMPLES: usize = 6000;
/// The most changes kept. Dragging a gauge makes up to one per frame.
const MAX_CHANGES: usize = 2000;

/// The measures of one tick.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The tick.
    pub tick: u64,
    /// The number of boids that are alive.
    pub boids: usize,
    /// The measures.
    pub measures: Measures,
    /// The connected groups, unless the flock is too large to find them.
    pub flocks: Option<Flocks>,
    /// The measured tick rate.
    pub ticks_per_second: f32,
}

/// A change of the rules or of the numbers of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The first tick with the new values.
    pub tick: u64,
    /// The name of the parameter, or a summary of several.
    pub name: String,
    /// The new values, as `key=value`, separated by `;`.
    values: String,
}

/// What changes are relative to.
#[derive(Clone, Copy, Debug)]
struct KnownRules {
    tick: u64,
    params: Params,
    boids: usize,
    predators: usize,
}

/// The samples and changes of a run, oldest first.
#[derive(Clone, Debug, Default)]
pub struct MeasureHistory {
    runs: u64,
    measure_count: u64,
    samples: VecDeque<Sample>,
    changes: VecDeque<RuleChange>,
    known: Option<KnownRules>,
    /// The preset into which the flock will morph.
    announced_preset: Option<String>,
}

impl MeasureHistory {
    /// Records the new measures and changes of a frame.
    pub fn record(&mut self, frame: &Frame) {
        if frame.runs != self.runs {
            *self = Self { runs: frame.runs, measure_count: self.measure_count, ..Self::default() };
        }
        if self.known.is_some_and(|known| frame.tick < known.tick) {
            self.rewind(frame.tick);
        }
        self.record_changes(frame);
        if frame.measure_count != self.measure_count {
            self.measure_count = frame.measure_count;
            let (tick, boids) = (frame.measured_tick, frame.boids);
            // A paused flock is measured again after a change.
            pop_while(&mut self.samples, |last| last.tick >= tick);
            push(
                &mut self.samples,
                MAX_SAMPLES,
                Sample {
                    tick,
                    boids,
                    measures: frame.measures,
                    flocks: frame.flocks,
                    ticks_per_second: frame.ticks_per_second,
                },
            );
        }
    }

    /// Names the next change after a preset, which sets many parameters at once.
    pub fn announce_preset(&mut self, name: &str) {
        self.announced_preset = Some(name.to_owned());
    }

    /// Removes samples and changes later than a tick. The step back also restored the rules.
    fn rewind(&mut self, tick: u64) {
        pop_while(&mut self.samples, |sample| sample.tick > tick);
        pop_while(&mut self.changes, |change| change.tick > tick);
        self.known = None;
    }

    fn record_changes(&mut self, frame: &Frame) {
        // A morph changes the current parameters in every tick, but its target once.
        let (params, world) = frame.morph_target;
        let is_morphing = (params, world) != (frame.params, frame.world);
        let (tick, boids, predators) = (frame.tick, frame.boids + frame.caught, frame.predators);
        let Some(known) = self.known.replace(KnownRules { tick, params, boids, predators }) else { return };
        if (params, boids, predators) == (known.params, known.boids, known.predators) {
            return;
        }
        let changed = |param: &&Param| param.get(&params) != param.get(&known.params);
        let mut values: Vec<(&str, String)> = if params == known.params {
            Vec::new()
        } else {
            Param::table().iter().filter(changed).map(|param| (param.key, param.get(&params).to_string())).collect()
        };
        // A morph adds and removes agents over time.
        if !is_morphing || self.announced_preset.is_some() {
            let counts = [("boids", boids, known.boids), ("predators", predators, known.predators)];
            let counts = counts.into_iter().filter(|(_, now, before)| now != before);
            values.extend(counts.map(|(key, now, _)| (key, now.to_string())));
        }
        if let Some(name) = self.announced_preset.take() {
            let values = format!("preset={name}");
            return push(&mut self.changes, MAX_CHANGES, RuleChange { tick, name, values });
        }
        let name = match &values[..] {
            [] => return,
            [(key, _)] => (*key).to_owned(),
            [(first, _), (second, _)] => format!("{first}, {second}"),
            many => format!("{} parameters", many.len()),
        };
        let values: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        push(&mut self.changes, MAX_CHANGES, RuleChange { tick, name, values: values.join(";") });
    }

    /// The samples, oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = &Sample> {
        self.samples.iter()
    }

    /// The changes, oldest first.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = &RuleChange> {
        self.changes.iter()
    }

    /// The ticks of the first and of the last sample; `None` without samples.
    pub fn ticks(&self) -> Option<(u64, u64)> {
        Some((self.samples.front()?.tick, self.samples.back()?.tick))
    }

    /// The latest values of a measure, newest first.
    pub fn newest(&self, measure: &PlotMeasure) -> impl Iterator<Item = f64> {
        self.samples.iter().rev().map(|sample| measure.value(sample))
    }

    /// All samples as CSV: a column for each measure, and the rules that changed since the row before.
    pub fn csv(&self) -> String {
        let names: Vec<&str> = PLOT_MEASURES.iter().map(|measure| measure.name).collect();
        let mut text = format!("tick,{},changes\n", names.join(","));
        let mut changes = self.changes.iter().peekable();
        for sample in &self.samples {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", sample.tick);
            for measure in &PLOT_MEASURES {
                let _ = match measure.value(sample) {
                    unknown if unknown.is_nan() => write!(text, ","),
                    // Without the digits that a number gets by the conversion from f32.
                    value => write!(text, ",{}", value as f32),
                };
            }
            let mut values = Vec::new();
            while let Some(change) = changes.next_if(|change| change.tick <= sample.tick) {
                values.push(change.values.as_str());
            }
            let _ = writeln!(text, ",{}", quoted(&values.join(";")));
        }
        text
    }
}

/// Appends to a list of at most `max` entries; the oldest is dropped.
fn push<T>(list: &mut VecDeque<T>, max: usize, entry: T) {
    if list.len() == max {
        list.pop_front();
    }
    list.push_back(entry);
}

/// Removes the last entries as long as the condition holds.
fn pop_while<T>(list: &mut VecDeque<T>, condition: impl Fn(&T) -> bool) {
    while list.back().is_some_and(&condition) {
        list.pop_back();
    }
}

/// A CSV field, in quotes if it needs them: the name of a preset may have any character.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Value;

    /// A frame that is measured at its tick.
    fn frame(tick: u64) -> Frame {
        let measures = Measures { polarization: 0.5, ..Measures::default() };
        Frame { tick, measured_tick: tick, measure_count: tick + 1, boids: 10, measures, ..Frame::default() }
    }

    /// The same with other values of parameters.
    fn with(tick: u64, values: &[(&str, f32)]) -> Frame {
        let mut frame = frame(tick);
        for (key, value) in values {
            frame.params.set(key, Value::Number(*value)).unwrap();
        }
        frame.morph_target.0 = frame.params;
        frame
    }

    fn record(frames: &[Frame]) -> MeasureHistory {
        let mut history = MeasureHistory::default();
        for frame in frames {
            history.record(frame);
        }
        history
    }

    fn ticks(history: &MeasureHistory) -> Vec<u64> {
        history.samples().map(|sample| sample.tick).collect()
    }

    fn changes(history: &MeasureHistory) -> Vec<(u64, &str)> {
        history.changes().map(|change| (change.tick, change.name.as_str())).collect()
    }

    #[test]
    fn each_measurement_is_recorded_once_at_its_tick() {
        let late = Frame { tick: 15, ..frame(12) };
        let history = record(&[frame(0), frame(0), late, Frame { tick: 16, ..frame(12) }]);
        assert_eq!(ticks(&history), [0, 12]);
        let again = Frame { measure_count: 99, boids: 4, ..frame(12) };
        let history = record(&[frame(0), frame(12), again]);
        assert_eq!((ticks(&history), history.samples().last().unwrap().boids), (vec![0, 12], 4));
    }

    #[test]
    fn samples_are_bounded() {
        let frames: Vec<Frame> = (0..MAX_SAMPLES as u64 + 10).map(frame).collect();
        let history = record(&frames);
        assert_eq!((history.samples().count(), history.ticks()), (MAX_SAMPLES, Some((10, MAX_SAMPLES as u64 + 9))));
    }

    #[test]
    fn another_run_starts_an_empty_history() {
        let changed = with(20, &[("speed.max", 9.0)]);
        let mut history = record(&[frame(0), frame(10), changed.clone()]);
        assert_eq!(changes(&history), [(20, "speed.max")]);
        history.record(&Frame { runs: 1, tick: 1, measured_tick: 1, ..changed });
        assert_eq!((ticks(&history), changes(&history)), (vec![], vec![]), "not measured yet");
        history.record(&Frame { runs: 1, ..frame(2) });
        assert_eq!(ticks(&history), [2]);
    }

    #[test]
    fn a_step_back_removes_later_samples() {
        let changed = with(20, &[("speed.max", 9.0)]);
        let mut history = record(&[frame(0), frame(10), changed]);
        history.record(&Frame { measure_count: 50, ..frame(19) });
        assert_eq!((ticks(&history), changes(&history)), (vec![0, 10, 19], vec![]));
    }

    #[test]
    fn changes_are_named_after_their_parameters() {
        let rules = [("speed.max", 9.0), ("noise.angle", 3.0), ("wind.x", 1.0)];
        let more = Frame { boids: 12, ..with(40, &rules) };
        let history = record(&[frame(0), with(10, &rules[..1]), with(20, &rules), more]);
        assert_eq!(changes(&history), [(10, "speed.max"), (20, "noise.angle, wind.x"), (40, "boids")]);
        let rows: Vec<String> = history.csv().lines().map(str::to_owned).collect();
        assert!(rows[0].starts_with("tick,polarization,rotation,") && rows[0].ends_with(",changes"));
        assert!(rows[1].starts_with("0,0.5,0,") && rows[1].ends_with(','), "{}", rows[1]);
        let ends = ["speed.max=9", "noise.angle=3;wind.x=1", "boids=12"];
        assert!(rows[2..].iter().zip(ends).all(|(row, end)| row.ends_with(&format!(",{end}"))), "{rows:?}");
        let fields = rows.iter().map(|row| row.split(',').count());
        assert!(fields.into_iter().all(|count| count == PLOT_MEASURES.len() + 2), "{rows:?}");
    }

    #[test]
    fn a_morph_is_one_change() {
        let mut history = record(&[frame(0)]);
        history.announce_preset("my, \"geese\"");
        let target = with(0, &[("speed.max", 9.0), ("noise.angle", 3.0)]).morph_target;
        // Frames from before the request.
        history.record(&frame(5));
        for (tick, boids) in [(10, 10), (20, 14), (30, 20)] {
            history.record(&Frame { morph_target: target, boids, ..frame(tick) });
        }
        let arrived = Frame { morph_target: target, params: target.0, boids: 20, ..frame(40) };
        history.record(&arrived);
        assert_eq!(changes(&history), [(10, "my, \"geese\"")]);
        assert!(history.csv().contains(",\"preset=my, \"\"geese\"\"\"\n"), "{}", history.csv());
    }
}
