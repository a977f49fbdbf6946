//! Which columns of a file without a header may be which, by what its first rows hold.

use std::collections::BTreeMap;

use super::dates::Times;
use super::fields::{is_missing, number};

/// The first columns, of which two may be animals and frames: all pairs of hundreds would take minutes.
const MOST: usize = 12;
/// The share of the steps of frames that are as long as their median.
const REGULAR: f64 = 0.8;
/// How much a time may differ from a multiple of the frame, as a share of all times.
const ROUNDING: f64 = 1e-3;

/// The columns that a user named, if any.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    pub(super) id: Option<usize>,
    pub(super) at: Option<usize>,
    pub(super) position: [Option<usize>; 2],
}

/// One way to read the columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) id: Option<usize>,
    pub(super) at: usize,
    /// Whether the numbers in `at` are whole.
    is_frame: bool,
    pub(super) position: Vec<usize>,
    /// 0 if animals and frames come before positions, 1 in any other order, and 2 more if no column has animals.
    pub(super) rank: u8,
    /// The share of constant steps of frames.
    pub(super) regularity: f64,
}

impl Reading {
    /// The reading of a layout.
    pub(super) fn of(id: usize, at: usize, position: [usize; 2], regularity: f64) -> Self {
        Self { id: Some(id), at, is_frame: true, position: position.to_vec(), rank: 0, regularity }
    }

    /// The columns by their numbers, as in `id=2,frame=1,x=3,y=4`.
    pub(super) fn names(&self) -> String {
        let at = if self.is_frame { "frame" } else { "time" };
        let order = self.id.map(|id| ("id", id)).into_iter().chain([(at, self.at)]);
        let order = order.chain(["x", "y", "z"].into_iter().zip(self.position.iter().copied()));
        order.map(|(column, index)| format!("{column}={}", index + 1)).collect::<Vec<_>>().join(",")
    }
}

/// The first rows of a file.
pub(super) struct Evidence<'a> {
    rows: &'a [Vec<String>],
    /// The numbers of each column; `None` if it has text. Missing values are NaN.
    columns: Vec<Option<Vec<f64>>>,
}

impl<'a> Evidence<'a> {
    pub(super) fn of(rows: &'a [Vec<String>], decimal_comma: bool) -> Self {
        let columns = (0..rows.first().map_or(0, Vec::len)).map(|column| {
            let fields = rows.iter().map(|row| Some(row.get(column)?.as_bytes()));
            fields
                .map(|field| number(field?, decimal_comma).or_else(|| is_missing(field?).then_some(f64::NAN)))
                .collect()
        });
        Self { rows, columns: columns.collect() }
    }

    pub(super) fn numbers(&self, column: usize) -> Option<&[f64]> {
        self.columns.get(column)?.as_deref()
    }

    /// Whether a column has the same number in all rows.
    pub(super) fn is_constant(&self, column: usize) -> bool {
        self.numbers(column).is_some_and(|numbers| numbers.iter().all(|number| *number == numbers[0]))
    }

    /// The share of constant steps if frames rise from row to row of an animal by one, and no animal has two rows in a frame.
    pub(super) fn regularity(&self, id: Option<usize>, at: usize) -> Option<f64> {
        let times = self.numbers(at).filter(|_| {
            id.is_none_or(|id| match self.numbers(id) {
                Some(numbers) => id != at && numbers.iter().all(|number| number.fract() == 0.0),
                // Dates are no names.
                None => Times::default().seconds(self.rows[0][id].as_bytes(), None, false).is_err(),
            })
        })?;
        let tracks = self.tracks(id, times);
        let steps = tracks.iter().flat_map(|track| track.windows(2)).map(|pair| times[pair[1]] - times[pair[0]]);
        let mut steps: Vec<f64> = steps.collect();
        steps.sort_by(f64::total_cmp);
        let median = steps.get(steps.len() / 2).copied().filter(|_| steps[0] > 0.0)?;
        let regular = steps.iter().filter(|step| (*step / median - 1.0).abs() < 0.01).count();
        Some(regular as f64 / steps.len() as f64).filter(|share| *share >= REGULAR)
    }

    /// Whether the numbers in a column are above those in another one, or above 0.
    pub(super) fn is_above(&self, column: usize, other: Option<usize>) -> bool {
        let (numbers, below) = (self.numbers(column), other.and_then(|other| self.numbers(other)));
        numbers.is_some_and(|all| (0..all.len()).all(|row| all[row] > below.map_or(0.0, |below| below[row])))
    }

    /// Whether numbers may be times of day such as 235959: they go on to another minute, and none has minutes or seconds above 59.
    pub(super) fn is_time_of_day(&self, column: usize) -> bool {
        let numbers = self.numbers(column).unwrap_or_default();
        let is_clock = numbers.iter().all(|number| {
            (10_000.0..240_000.0).contains(number) && number % 100.0 < 60.0 && number / 100.0 % 100.0 < 60.0
        });
        is_clock && numbers.iter().any(|number| (number / 100.0).floor() != (numbers[0] / 100.0).floor())
    }

    /// Whether a column rises from row to row, as numbers of rows do.
    fn is_counter(&self, column: usize) -> bool {
        self.numbers(column).is_some_and(|numbers| numbers.windows(2).all(|pair| pair[1] > pair[0]))
    }

    /// All readings in which frames rise by a constant step from row to row of an animal.
    pub(super) fn readings(&self, known: &Known) -> Vec<Reading> {
        let mut readings = Vec::new();
        let taken = known.position.map(|place| place.unwrap_or(usize::MAX));
        let near = (0..self.columns.len()).filter(|at| *at < MOST || [known.id, known.at].contains(&Some(*at)));
        let columns: Vec<usize> = near.filter(|column| !taken.contains(column)).collect();
        for at in
            columns.iter().copied().filter(|at| known.at.is_none_or(|known| known == *at) && !self.is_constant(*at))
        {
            let Some(times) = self.numbers(at).filter(|times| times.iter().all(|time| *time >= 0.0)) else { continue };
            let is_frame = times.iter().all(|time| time.fract() == 0.0);
            let ids = columns.iter().copied().map(Some).chain([None]);
            for id in ids.filter(|id| known.id.is_none_or(|known| *id == Some(known))) {
                let Some(regularity) = self.regularity(id, at) else { continue };
                let tracks = self.tracks(id, times);
                // The number of a row is no frame.
                if tracks.len() > 1 && self.is_counter(at) {
                    continue;
                }
                for position in self.positions(id, at, &tracks, known) {
                    let is_ordered = position.iter().all(|place| id.max(Some(at)) < Some(*place));
                    let rank = 2 * u8::from(id.is_none()) + u8::from(!is_ordered);
                    readings.push(Reading { id, at, is_frame, position, rank, regularity });
                }
            }
        }
        readings
    }

    /// The rows of each animal, in the order of times.
    fn tracks(&self, id: Option<usize>, times: &[f64]) -> Vec<Vec<usize>> {
        let mut tracks: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (index, row) in self.rows.iter().enumerate() {
            tracks.entry(id.and_then(|id| row.get(id)).map_or("", |name| name)).or_default().push(index);
        }
        let mut tracks: Vec<Vec<usize>> = tracks.into_values().collect();
        for track in &mut tracks {
            track.sort_by(|a, b| times[*a].total_cmp(&times[*b]));
        }
        tracks
    }

    /// Which columns may be coordinates.
    fn positions(&self, id: Option<usize>, at: usize, tracks: &[Vec<usize>], known: &Known) -> Vec<Vec<usize>> {
        if let [Some(x), Some(y)] = known.position {
            return vec![vec![x, y]];
        }
        let others = (0..self.columns.len()).filter(|column| Some(*column) != id && *column != at);
        let numbers = others.filter(|column| self.numbers(*column).is_some());
        let free: Vec<usize> = numbers.filter(|column| tracks.len() <= 1 || !self.is_counter(*column)).collect();
        if let [x, y] = free[..] {
            return if self.is_constant(x) && self.is_constant(y) { Vec::new() } else { vec![free] };
        }
        let moving: Vec<usize> = free.into_iter().filter(|column| !self.is_constant(*column)).collect();
        let untimed: Vec<usize> = moving.iter().copied().filter(|column| !self.is_time(*column, at)).collect();
        let mut positions = choices(&moving);
        if tracks.len() > 1 && untimed.len() < moving.len() {
            positions.extend(choices(&untimed));
        }
        positions
    }

    /// Whether a column grows with the frame alone.
    fn is_time(&self, column: usize, at: usize) -> bool {
        let (Some(values), Some(times)) = (self.numbers(column), self.numbers(at)) else { return false };
        let last = (0..times.len()).max_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap_or(0);
        let first = (0..times.len()).min_by(|a, b| times[*a].total_cmp(&times[*b])).unwrap_or(0);
        let range = values[last] - values[first];
        let slope = range / (times[last] - times[first]);
        let expected = times.iter().map(|time| values[first] + slope * (time - times[first]));
        values.iter().zip(expected).all(|(value, expected)| (value - expected).abs() <= ROUNDING * range.abs())
    }
}

/// Which of the columns that are not constant may be coordinates.
fn choices(moving: &[usize]) -> Vec<Vec<usize>> {
    match moving.len() {
        0 | 1 => Vec::new(),
        2 => vec![moving.to_vec()],
        3 => vec![moving[..2].to_vec(), moving.to_vec()],
        _ => moving.chunks_exact(2).map(<[usize]>::to_vec).collect(),
    }
}
