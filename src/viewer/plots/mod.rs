//! Plots of the measures: the sparklines of the panel, and a page with the chosen measures over some ticks.

mod axes;
pub mod history;
pub mod measure;
pub mod page;
pub mod sparklines;
mod time;

use std::mem;
use std::ops::Range;

use super::actions::Action;
use super::context::Context;
use super::layout::PlotsPlace;
use super::timeline::Timeline;
use history::{MeasureHistory, RuleChange};
use measure::{PLOT_MEASURES, PlotMeasure};

/// The initial length of the time axis, in ticks.
const WINDOW: u64 = 1000;
/// The shortest and the longest time axis, in ticks.
const WINDOWS: (u64, u64) = (50, 100_000_000);
/// The time axis moves on by one part in this many of its length, so that the plots stay still in between.
const STEPS: u64 = 20;
/// The measures that are shown first: those of most figures.
const INITIAL: [&str; 3] = ["polarization", "rotation", "nearest_neighbor"];

/// The measures so far, and the state of the page.
#[derive(Clone, Debug)]
pub struct Plots {
    /// The measures of the session.
    pub history: MeasureHistory,
    place: PlotsPlace,
    /// Whether it plots two measures against each other instead of over time.
    pub is_phase: bool,
    /// The measures to plot over time, in the order in which they were chosen.
    pub(super) chosen: Vec<&'static PlotMeasure>,
    /// The length of the time axis, in ticks.
    pub(super) window: u64,
    /// The end of the time axis; `None` is the latest tick, or half of the axis after the current tick if that is in the past.
    end: Option<u64>,
}

impl Default for Plots {
    fn default() -> Self {
        let chosen = INITIAL.into_iter().filter_map(PlotMeasure::find).collect();
        let history = MeasureHistory::default();
        Self { history, place: PlotsPlace::default(), is_phase: false, chosen, window: WINDOW, end: None }
    }
}

impl Plots {
    /// Performs an action. Without a flock above them, the plots take the actions of the camera. Returns whether it is one of
    /// the plots'.
    pub fn act(&mut self, action: Action, context: &Context) -> bool {
        match action {
            Action::Plots => self.place = self.place.next(context.display.region().height),
            _ if !self.is_alone(context) => return false,
            Action::ZoomIn => self.zoom(true),
            Action::ZoomOut => self.zoom(false),
            Action::PanLeft => self.pan(true),
            Action::PanRight => self.pan(false),
            Action::ResetView => (self.window, self.end) = (WINDOW, None),
            Action::View | Action::PreviousView => self.is_phase = !self.is_phase,
            _ => return false,
        }
        true
    }

    /// The changes of the rules in the current run.
    pub fn changes(timeline: &Timeline, context: &Context) -> Vec<RuleChange> {
        let marks = timeline.marks_of_run(context.client.frame());
        RuleChange::of_commands(marks.iter().map(|(tick, command)| (*tick, command)), &context.presets.all)
    }

    /// Where the user wants the page.
    pub fn place(&self) -> PlotsPlace {
        self.place
    }

    /// Moves, opens or closes the page. Returns where it was.
    pub fn set_place(&mut self, place: PlotsPlace) -> PlotsPlace {
        mem::replace(&mut self.place, place)
    }

    /// Whether the page covers the flock.
    pub fn is_alone(&self, context: &Context) -> bool {
        self.place.fitted(context.display.region().height) == PlotsPlace::Alone
    }

    /// Opens the page unless it is open.
    pub fn open(&mut self) {
        if self.place == PlotsPlace::Hidden {
            self.place = PlotsPlace::BelowFlock;
        }
    }

    /// Adds the measure at an index at the end, or removes it.
    pub fn toggle(&mut self, index: usize) {
        let Some(measure) = PLOT_MEASURES.get(index) else { return };
        let before = self.chosen.len();
        self.chosen.retain(|known| *known != measure);
        if self.chosen.len() == before {
            self.chosen.push(measure);
        }
    }

    /// Opens the page with one measure over time.
    pub fn show_only(&mut self, measure: &'static PlotMeasure) {
        self.open();
        (self.is_phase, self.chosen) = (false, vec![measure]);
    }

    /// Whether the time axis ends before the latest tick.
    pub fn is_past(&self) -> bool {
        self.history.ticks().is_some_and(|(_, last)| self.range().end < last)
    }

    /// The ticks of the time axis.
    pub fn range(&self) -> Range<u64> {
        let (first, last) = self.history.ticks().unwrap_or_default();
        let step = self.window / STEPS;
        let latest = last.next_multiple_of(step);
        let end = self.end.or_else(|| {
            let end = (self.history.past_tick()? + self.window / 2).next_multiple_of(step);
            Some(end.max(first / step * step + self.window))
        });
        let end = end.filter(|end| *end < last).unwrap_or(latest);
        let start = end.saturating_sub(self.window).max(first / step * step);
        start..start + self.window
    }

    /// Shows fewer or more ticks: 50, 100, 200, 500 and so on, up to the whole history.
    pub fn zoom(&mut self, closer: bool) {
        let (first, last) = self.history.ticks().unwrap_or_default();
        let is_five = self.window.to_string().starts_with('5');
        let is_two = self.window.to_string().starts_with('2');
        self.window = match closer {
            true if is_five => self.window / 5 * 2,
            true => self.window / 2,
            false if last - first <= self.window => self.window,
            false if is_two => self.window / 2 * 5,
            false => self.window * 2,
        }
        .clamp(WINDOWS.0, WINDOWS.1);
    }

    /// Moves the time axis by half of its length.
    fn pan(&mut self, back: bool) {
        let Some((first, last)) = self.history.ticks() else { return };
        let (end, half) = (self.range().end, self.window / 2);
        let end = if back { end.saturating_sub(half).max(first + self.window) } else { end + half };
        self.end = Some(end).filter(|end| *end < last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Controls, Frame, Measured};
    use crate::sim::{SessionPosition, Setup};

    /// A frame that was measured at its tick.
    fn frame(tick: u64) -> Frame {
        let measured = Measured { tick, count: tick + 1, ..Measured::default() };
        Frame { tick, measured, ..Frame::new(Controls::of_setup(Setup::default(), 60.0)) }
    }

    /// Plots of a sample every 10 ticks.
    fn plots(first: u64, last: u64) -> Plots {
        let mut plots = Plots::default();
        (first..=last).step_by(10).for_each(|tick| plots.history.record(&frame(tick)));
        plots
    }

    #[test]
    fn the_time_axis_starts_with_the_run_and_moves_on_in_steps() {
        assert_eq!(Plots::default().range(), 0..1000);
        assert_eq!(plots(0, 800).range(), 0..1000);
        assert_eq!(plots(0, 1010).range(), 50..1050);
        assert_eq!(plots(0, 1050).range(), 50..1050);
        // A flock that was loaded from a file.
        assert_eq!(plots(5020, 5100).range(), 5000..6000);
    }

    #[test]
    fn the_time_axis_shows_the_current_tick_of_the_past() {
        let mut plots = plots(0, 3000);
        for (tick, range) in [(10, 0..1000), (1200, 700..1700), (2600, 2000..3000), (2990, 2000..3000)] {
            let position = SessionPosition { tick, last: 3000, ..SessionPosition::default() };
            plots.history.record(&Frame { position, measured: frame(3000).measured, ..frame(tick) });
            assert_eq!((plots.range(), plots.is_past()), (range.clone(), range.end < 3000));
        }
    }

    #[test]
    fn zooming_goes_from_50_ticks_to_the_whole_history() {
        let mut plots = plots(0, 3000);
        let mut windows = |closer, times| -> Vec<u64> {
            let each = (0..times).map(|_| {
                plots.zoom(closer);
                plots.window
            });
            each.collect()
        };
        assert_eq!(windows(true, 6), [500, 200, 100, 50, 50, 50]);
        assert_eq!(windows(false, 8), [100, 200, 500, 1000, 2000, 5000, 5000, 5000]);
    }

    #[test]
    fn panning_stops_at_the_first_tick_and_returns_to_the_latest() {
        let mut plots = plots(0, 3000);
        let mut ranges = |back, times| -> Vec<Range<u64>> {
            let each = (0..times).map(|_| {
                plots.pan(back);
                plots.range()
            });
            each.collect()
        };
        assert_eq!(ranges(true, 6)[3..], [0..1000, 0..1000, 0..1000]);
        assert_eq!(ranges(false, 2), [500..1500, 1000..2000]);
        assert!(plots.is_past());
        (0..5).for_each(|_| plots.pan(false));
        assert!(!plots.is_past() && plots.range() == (2000..3000));
    }

    #[test]
    fn measures_are_shown_in_the_order_of_choice() {
        let mut plots = Plots::default();
        let names = |plots: &Plots| plots.chosen.iter().map(|measure| measure.name).collect::<Vec<_>>();
        assert_eq!(names(&plots), ["polarization", "rotation", "nearest_neighbor"]);
        let find = |name| PLOT_MEASURES.iter().position(|measure| measure.name == name).unwrap();
        for name in ["polarization", "caught", "polarization"] {
            plots.toggle(find(name));
        }
        assert_eq!(names(&plots), ["rotation", "nearest_neighbor", "caught", "polarization"]);
        assert_eq!(
            plots.chosen.first_chunk::<2>().unwrap().map(|measure| measure.name),
            ["rotation", "nearest_neighbor"]
        );
        plots.show_only(&PLOT_MEASURES[find("caught")]);
        assert!(plots.place == PlotsPlace::BelowFlock && plots.chosen.len() < 2);
        plots.toggle(find("caught"));
        assert_eq!(plots.chosen.len(), 0);
    }
}
