//! The measures of the session over time, run by run.
//!
//! A new flock, another seed or a restart begins a run without samples. A move to an earlier tick or run keeps what came
//! later, until a change replaces it. A morph into another preset continues the run.

use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::Range;

use super::measure::{PLOT_MEASURES, PlotMeasure, Sample};
use crate::config::Preset;
use crate::engine::Frame;
use crate::export::columns::quoted;
use crate::sim::{Command, Param, Value};
use crate::viewer::presets::preset_of;

/// The most samples kept: 20 minutes at five per second, in less than 1 MB.
const MAX_SAMPLES: usize = 6000;

/// The samples of all runs of the session, of which those of the current run are shown.
#[derive(Clone, Debug, Default)]
pub struct MeasureHistory {
    /// The run of the last frame.
    run: u64,
    branches: u64,
    measure_count: u64,
    /// By run and tick.
    samples: VecDeque<Sample>,
    /// The tick of the last frame.
    now: u64,
    /// Whether the last frame was in the past of the session.
    is_past: bool,
}

impl MeasureHistory {
    /// Records the new measures of a frame.
    pub fn record(&mut self, frame: &Frame) {
        if frame.position.branches != self.branches {
            // The change was made between the two frames.
            let kept = (self.run, self.now).min((frame.run.number, frame.tick));
            self.samples.truncate(self.samples.partition_point(|sample| sample.place() <= kept));
            self.branches = frame.position.branches;
        }
        (self.run, self.now, self.is_past) = (frame.run.number, frame.tick, frame.position.is_past());
        if frame.measured.count != self.measure_count {
            self.measure_count = frame.measured.count;
            self.insert(Sample {
                run: frame.run.number,
                tick: frame.measured.tick,
                boids: frame.boids,
                values: frame.measured.values.clone(),
                ticks_per_second: frame.ticks_per_second,
            });
        }
    }

    /// Inserts a sample at its place. A flock is measured again after a change, and when a tick is repeated.
    fn insert(&mut self, sample: Sample) {
        let place = self.samples.partition_point(|known| known.place() < sample.place());
        match self.samples.get_mut(place) {
            Some(known) if known.place() == sample.place() => *known = sample,
            _ => self.samples.insert(place, sample),
        }
        if self.samples.len() > MAX_SAMPLES {
            self.samples.pop_front();
        }
    }

    /// The samples of a run before a tick, as the first run of another session.
    pub fn before(&self, run: u64, tick: u64) -> Self {
        let samples = self.samples.iter().filter(|sample| sample.run == run && sample.tick < tick);
        let samples = samples.map(|sample| Sample { run: 0, ..sample.clone() }).collect();
        Self { samples, now: tick, ..Self::default() }
    }

    /// The current tick, if later ones are known.
    pub fn past_tick(&self) -> Option<u64> {
        self.is_past.then_some(self.now)
    }

    /// The samples of the current run, oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = &Sample> {
        let start = self.samples.partition_point(|sample| sample.run < self.run);
        let end = self.samples.partition_point(|sample| sample.run <= self.run);
        self.samples.range(start..end)
    }

    /// The ticks of the first and of the last sample; `None` without samples.
    pub fn ticks(&self) -> Option<(u64, u64)> {
        let mut samples = self.samples();
        let first = samples.next()?.tick;
        Some((first, samples.next_back().map_or(first, |last| last.tick)))
    }

    /// The latest values of a measure up to the current tick, newest first.
    pub fn newest(&self, measure: &PlotMeasure) -> impl Iterator<Item = f64> {
        let known = self.samples().rev().skip_while(|sample| sample.tick > self.now);
        known.map(|sample| measure.value(sample)).filter(|value| !value.is_nan())
    }

    /// The samples in a range of ticks, and one beyond each end, so that lines reach the border.
    pub(super) fn samples_in(&self, range: &Range<u64>) -> Vec<&Sample> {
        let mut all: Vec<&Sample> = self.samples().collect();
        let first = all.partition_point(|sample| sample.tick < range.start).saturating_sub(1);
        let end = all.partition_point(|sample| sample.tick <= range.end);
        all.truncate(end + 1);
        all.split_off(first)
    }

    /// The samples of the current run as CSV: a column for each measure, and the rules that changed since the row before.
    pub fn csv(&self, changes: &[RuleChange]) -> String {
        let names: Vec<&str> = PLOT_MEASURES.iter().map(|measure| measure.name).collect();
        let mut text = format!("tick,{},changes\n", names.join(","));
        let mut changes = changes.iter().peekable();
        for sample in self.samples() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}", sample.tick);
            for measure in PLOT_MEASURES.iter() {
                let _ = match measure.value(sample) {
                    unknown if unknown.is_nan() => write!(text, ","),
                    // Without the digits that a number gets by the conversion from f32.
                    value => write!(text, ",{}", value as f32),
                };
            }
            let mut values = Vec::new();
            while let Some(change) = changes.next_if(|change| change.tick <= sample.tick) {
                values.push(change.csv());
            }
            let _ = writeln!(text, ",{}", quoted(&values.join(";")));
        }
        text
    }
}

/// The most changes kept. Dragging a gauge makes up to one per frame.
const MAX_CHANGES: usize = 2000;

/// A change of the rules or of the numbers of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleChange {
    /// The first tick with the new values.
    pub tick: u64,
    /// The keys and their new values. A preset has the key `preset` and no others beside it.
    values: Vec<(String, String)>,
}

impl RuleChange {
    /// The changes by commands, each with its tick, in order. Those of one tick are one change; loading a preset is a change of
    /// its own. The oldest of many are left out.
    pub fn of_commands<'a>(commands: impl Iterator<Item = (u64, &'a Command)>, presets: &[Preset]) -> Vec<Self> {
        let mut changes: Vec<(u64, Vec<(String, String)>)> = Vec::new();
        for (tick, command) in commands {
            let text = |param: &Param, value: Value| (param.key.to_owned(), value.to_string());
            let new = match command {
                Command::SetParam(param, value) => vec![text(param, *value)],
                Command::SetParams(values, _) => values.iter().map(|(param, value)| text(param, *value)).collect(),
                Command::SetBoids(boids) => vec![("boids".to_owned(), boids.to_string())],
                Command::SetPredators(predators) => vec![("predators".to_owned(), predators.to_string())],
                Command::Morph(setup, _) => {
                    let name = preset_of(setup, presets).map_or("new rules", |preset| &preset.name);
                    changes.push((tick, vec![("preset".to_owned(), name.to_owned())]));
                    continue;
                }
                _ => continue,
            };
            match changes.last_mut().filter(|(at, values)| *at == tick && values[0].0 != "preset") {
                Some((_, values)) => {
                    for (key, value) in new {
                        match values.iter_mut().find(|(known, _)| *known == key) {
                            Some((_, known)) => *known = value,
                            None => values.push((key, value)),
                        }
                    }
                }
                None => changes.push((tick, new)),
            }
        }
        let surplus = changes.len().saturating_sub(MAX_CHANGES);
        changes.drain(..surplus);
        changes.into_iter().map(|(tick, values)| Self { tick, values }).collect()
    }

    /// The keys with their values, or a summary of many.
    pub fn label(&self) -> String {
        match &self.values[..] {
            [(key, name)] if key == "preset" => name.clone(),
            [(key, value)] => format!("{key} = {value}"),
            [(first, value), (second, other)] => format!("{first} = {value}, {second} = {other}"),
            many => format!("{} parameters", many.len()),
        }
    }

    /// The new values as `key=value`, separated by `;`.
    fn csv(&self) -> String {
        let values: Vec<String> = self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        values.join(";")
    }

    /// Whether another change sets the same keys.
    pub fn sets_the_same(&self, other: &Self) -> bool {
        let keys = |change: &Self| change.values.iter().map(|(key, _)| key.clone()).collect::<Vec<_>>();
        keys(self) == keys(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Controls, Measured};
    use crate::sim::{SessionPosition, Setup, Value};

    /// A frame that is measured at its tick.
    fn frame(tick: u64) -> Frame {
        let mut latest = Measured { tick, count: tick + 1, ..Measured::default() };
        latest.set("polarization", 0.5);
        Frame { tick, measured: latest, boids: 10, ..Frame::new(Controls::of_setup(Setup::default(), 60.0)) }
    }

    /// The same in the second run.
    fn in_second_run(mut frame: Frame) -> Frame {
        frame.run.number = 1;
        frame
    }

    /// The same measured for the `count`th time.
    fn measured_again(count: u64, mut frame: Frame) -> Frame {
        frame.measured.count = count;
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

    #[test]
    fn the_measures_before_a_tick_begin_another_session() {
        let mut history = MeasureHistory::default();
        for frame in [frame(10), in_second_run(frame(4)), in_second_run(frame(8)), in_second_run(frame(12))] {
            history.record(&frame);
        }
        let ticks = |run, tick| history.before(run, tick).samples().map(|sample| sample.tick).collect::<Vec<_>>();
        assert_eq!((ticks(1, 12), ticks(0, 50), ticks(2, 50)), (vec![4, 8], vec![10], vec![]));
        let mut later = history.before(1, 12);
        later.record(&frame(12));
        assert_eq!(later.ticks(), Some((4, 12)));
    }

    #[test]
    fn each_measurement_is_recorded_once_at_its_tick() {
        let late = Frame { tick: 15, ..frame(12) };
        let history = record(&[frame(0), frame(0), late, Frame { tick: 16, ..frame(12) }]);
        assert_eq!(ticks(&history), [0, 12]);
        let again = Frame { boids: 4, ..measured_again(99, frame(12)) };
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
    fn another_run_starts_without_samples() {
        let mut history = record(&[frame(0), frame(10)]);
        history.record(&in_second_run(Frame { tick: 1, ..frame(10) }));
        assert!(ticks(&history).is_empty(), "not measured yet");
        history.record(&in_second_run(frame(2)));
        assert_eq!(ticks(&history), [2]);
    }

    #[test]
    fn moving_to_another_run_keeps_the_samples_of_both() {
        let mut history = record(&[frame(0), frame(10), in_second_run(frame(2))]);
        history.record(&in_past(5, 50, 0));
        assert_eq!((ticks(&history), history.past_tick()), (vec![0, 5, 10], Some(5)));
        history.record(&in_second_run(in_past(3, 51, 0)));
        assert_eq!(ticks(&history), [2, 3]);
        // A change in the first run replaces the second one.
        history.record(&in_past(6, 52, 0));
        history.record(&in_past(7, 53, 1));
        assert_eq!(ticks(&history), [0, 5, 6, 7]);
        history.record(&in_second_run(in_past(0, 54, 1)));
        assert_eq!(ticks(&history), [0]);
    }

    /// A frame in a session whose last tick is 20, measured for the `count`th time.
    fn in_past(tick: u64, count: u64, branches: u64) -> Frame {
        let position = SessionPosition { tick, last: 20, branches, ..SessionPosition::default() };
        Frame { position, ..measured_again(count, frame(tick)) }
    }

    #[test]
    fn moving_through_the_session_keeps_all_samples() {
        let mut history = record(&[frame(0), frame(10), frame(20)]);
        history.record(&in_past(5, 50, 0));
        assert_eq!((ticks(&history), history.past_tick()), (vec![0, 5, 10, 20], Some(5)));
        history.record(&in_past(10, 51, 0));
        history.record(&in_past(20, 52, 0));
        assert_eq!((ticks(&history), history.past_tick()), (vec![0, 5, 10, 20], None));
    }

    #[test]
    fn a_branch_removes_later_samples() {
        let mut history = record(&[frame(0), frame(10), frame(20)]);
        history.record(&in_past(12, 50, 0));
        history.record(&in_past(13, 51, 1));
        assert_eq!(ticks(&history), [0, 10, 12, 13]);
    }

    #[test]
    fn csv_has_a_row_for_each_sample_with_the_changes_before_it() {
        let change = |tick, values: &str| {
            let (key, value) = values.split_once('=').unwrap();
            RuleChange { tick, values: vec![(key.to_owned(), value.to_owned())] }
        };
        let changes =
            [change(10, "speed.max=9"), change(12, "a=1"), change(20, "b=2"), change(35, "preset=my, \"geese\"")];
        let rows: Vec<String> =
            record(&[frame(0), frame(10), frame(20), frame(40)]).csv(&changes).lines().map(str::to_owned).collect();
        assert!(rows[0].starts_with("tick,polarization,rotation,") && rows[0].ends_with(",changes"));
        assert!(rows[1].starts_with("0,0.5,0,") && rows[1].ends_with(','), "{}", rows[1]);
        let ends = ["speed.max=9", "a=1;b=2", "\"preset=my, \"\"geese\"\"\""];
        assert!(rows[2..].iter().zip(ends).all(|(row, end)| row.ends_with(&format!(",{end}"))), "{rows:?}");
        let fields = rows[..4].iter().map(|row| row.split(',').count());
        assert!(fields.into_iter().all(|count| count == PLOT_MEASURES.len() + 2), "{rows:?}");
    }

    fn set(key: &str, value: f32) -> Command {
        Command::set(key, Value::Number(value)).unwrap()
    }

    fn changes(commands: &[(u64, Command)]) -> Vec<RuleChange> {
        RuleChange::of_commands(commands.iter().map(|(tick, command)| (*tick, command)), &Preset::builtin())
    }

    #[test]
    fn changes_are_labeled_with_their_parameters_and_values() {
        let found = changes(&[
            (10, set("speed.max", 9.0)),
            (20, set("noise.angle", 3.0)),
            (20, set("wind.x", 2.0)),
            (20, set("wind.x", 1.0)),
            (40, Command::SetBoids(12)),
            (41, Command::SetPointer(None)),
            (50, set("speed.min", 1.0)),
            (50, set("wind.y", 1.0)),
            (50, set("wind.z", 1.0)),
        ]);
        let found: Vec<_> = found.iter().map(|change| (change.tick, change.label(), change.csv())).collect();
        let expected = [
            (10, "speed.max = 9", "speed.max=9"),
            (20, "noise.angle = 3, wind.x = 1", "noise.angle=3;wind.x=1"),
            (40, "boids = 12", "boids=12"),
            (50, "3 parameters", "speed.min=1;wind.y=1;wind.z=1"),
        ];
        assert_eq!(found, expected.map(|(tick, label, csv)| (tick, label.to_owned(), csv.to_owned())));
    }

    #[test]
    fn a_morph_is_one_change() {
        let setup = Preset::load("parker").unwrap().setup(1, 1.0);
        let found =
            changes(&[(5, set("speed.max", 9.0)), (5, Command::Morph(Box::new(setup), 30)), (5, set("wind.x", 1.0))]);
        let labels: Vec<String> = found.iter().map(RuleChange::label).collect();
        assert_eq!(labels, ["speed.max = 9", "parker", "wind.x = 1"]);
        assert_eq!(found[1].csv(), "preset=parker");
    }

    #[test]
    fn changes_are_bounded() {
        let many: Vec<_> = (0..MAX_CHANGES as u64 + 10).map(|tick| (tick, Command::SetBoids(3))).collect();
        let found = changes(&many);
        assert_eq!((found.len(), found[0].tick), (MAX_CHANGES, 10));
    }
}
