//! Steps that no animal makes: exchanged identities, and states far from the rest of a track.

use std::collections::{HashMap, HashSet};

use super::vectors::{length, offset, quantile};
use flockscope_sim::{Metric, Row};

/// No step of an animal is this many times as long as the quantile of all steps.
const LONGEST: f64 = 4.0;
const QUANTILE: f64 = 0.99;

/// A state of an animal, and its coordinates in f64.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) row: Row,
    pub(super) path: [f64; 3],
}

/// What a fit leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// How often two animals exchange their identities.
    pub exchanges: usize,
    /// The number of other steps that no animal makes.
    pub jumps: usize,
    /// The number of states that no such step joins to the rest of their track.
    pub states: usize,
}

/// The steps that no animal makes.
#[derive(Default)]
pub(super) struct Jumps {
    /// Frame and id of states to which no step of an animal leads.
    pub(super) cut: HashSet<(usize, u32)>,
    /// Frame and id of states that are not part of any track.
    pub(super) dropped: HashSet<(usize, u32)>,
    pub(super) left_out: LeftOut,
}

impl Jumps {
    pub(super) fn find(frames: &[Vec<State>], metric: &Metric) -> Self {
        let distance = |a: &State, b: &State| length(offset(metric, a.path, b.path));
        let steps = |frame: usize| -> Vec<[State; 2]> {
            let earlier: HashMap<u32, State> = frames[frame - 1].iter().map(|state| (state.row.id, *state)).collect();
            frames[frame].iter().filter_map(|to| Some([*earlier.get(&to.row.id)?, *to])).collect()
        };
        let mut lengths: Vec<f64> = (1..frames.len()).flat_map(&steps).map(|[from, to]| distance(&from, &to)).collect();
        // A quantile, which the few steps that are wrong do not change.
        let longest = LONGEST * quantile(&mut lengths, QUANTILE);
        let mut found = Self::default();
        if longest == 0.0 || lengths.iter().all(|length| *length <= longest) {
            return found;
        }
        for frame in 1..frames.len() {
            let mut long = steps(frame);
            long.retain(|[from, to]| distance(from, to) > longest);
            let exchanged = long.iter().filter(|[from, to]| {
                long.iter().any(|[before, after]| distance(from, after) <= longest && distance(before, to) <= longest)
            });
            let exchanged = exchanged.count();
            // Both animals of an exchange have such a step.
            found.left_out.exchanges += exchanged / 2;
            found.left_out.jumps += long.len() - exchanged;
            found.cut.extend(long.iter().map(|[_, to]| (frame, to.row.id)));
        }
        for &(frame, id) in &found.cut {
            // A state between two such steps, or between one and the end of a track, belongs to no track.
            let goes_on = frames.get(frame + 1).is_some_and(|rows| rows.iter().any(|state| state.row.id == id));
            if !goes_on || found.cut.contains(&(frame + 1, id)) {
                found.dropped.insert((frame, id));
            }
        }
        found.left_out.states = found.dropped.len();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockscope_sim::{Kind, Params, World};

    /// Two animals that move by 1 along x, at y = 0 and y = 100.
    fn frames(place: impl Fn(usize, u32) -> [f64; 2]) -> Vec<Vec<State>> {
        let state = |frame, id| {
            let [x, y] = place(frame, id);
            let row = Row { id, kind: Kind::Prey, position: [0.0; 3], velocity: [0.0; 3], mood: 0.0, bank: 0.0 };
            State { row, path: [x, y, 0.0] }
        };
        (0..200).map(|frame| vec![state(frame, 0), state(frame, 1)]).collect()
    }

    fn found(place: impl Fn(usize, u32) -> [f64; 2]) -> Jumps {
        let params = Params {
            edge: flockscope_sim::EdgeParams { mode: flockscope_sim::Edge::Open, ..Default::default() },
            ..Params::default()
        };
        Jumps::find(&frames(place), &params.metric(&World::Rect([300.0, 300.0])))
    }

    #[test]
    fn exchanges_and_outliers_are_left_out() {
        let own = |frame: usize, id: u32| [frame as f64, 100.0 * f64::from(id)];
        assert_eq!(found(own).left_out, LeftOut::default());
        let exchanged = found(|frame, id| own(frame, if frame == 50 { 1 - id } else { id }));
        assert_eq!(exchanged.left_out, LeftOut { exchanges: 2, jumps: 0, states: 2 });
        assert!(exchanged.dropped.contains(&(50, 0)));
        assert!(exchanged.cut.contains(&(51, 1)) && !exchanged.cut.contains(&(52, 1)));
        let for_good = found(|frame, id| own(frame, if frame >= 50 { 1 - id } else { id }));
        assert_eq!(for_good.left_out, LeftOut { exchanges: 1, jumps: 0, states: 0 });
        let outlier = found(|frame, id| if (frame, id) == (50, 1) { [900.0, 900.0] } else { own(frame, id) });
        assert_eq!(outlier.left_out, LeftOut { exchanges: 0, jumps: 2, states: 1 });
    }
}
