//! Access to a range of agents.

use std::ops::Range;

use super::{Agents, BANK, COLUMNS, Kind, MOOD, Mood, VELOCITY};
use crate::math::{Wide, join};
use crate::simd::Lanes;

/// The positions or velocities of a range of agents, by axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisSlices<'a, const D: usize> {
    /// All have the same length.
    pub(crate) axes: [&'a [f32]; D],
}

impl<const D: usize> AxisSlices<'_, D> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.axes[0].len()
    }

    /// The vector at this index, the same in every lane.
    #[inline(always)]
    pub(crate) fn splat<F: Lanes>(&self, index: usize) -> Wide<F, D> {
        Wide::new(|axis| F::splat(self.axes[axis][index]))
    }
}

/// Mutable access to a range of agents.
pub(crate) struct AgentsMut<'a> {
    /// The index of the first.
    first: usize,
    columns: [&'a mut [f32]; COLUMNS],
    id: &'a mut [u32],
    kind: &'a mut [Kind],
}

impl Agents {
    /// Mutable access to all agents, which can be split.
    pub(crate) fn as_mut(&mut self) -> AgentsMut<'_> {
        AgentsMut {
            first: 0,
            columns: self.columns.each_mut().map(Vec::as_mut_slice),
            id: &mut self.id,
            kind: &mut self.kind,
        }
    }
}

impl AgentsMut<'_> {
    /// Calls `fly` with ranges of at most `max` agents, on several threads if `parallel`.
    pub(crate) fn fill(mut self, max: usize, parallel: bool, fly: &(impl Fn(&mut Self) + Sync)) {
        if self.id.len() <= max {
            return fly(&mut self);
        }
        let left = self.split_off(self.id.len() / 2);
        join(parallel, || left.fill(max, parallel, fly), || self.fill(max, parallel, fly));
    }

    /// Splits off the first `many` agents.
    pub(crate) fn split_off(&mut self, many: usize) -> Self {
        let (first, len) = (self.first, many.min(self.id.len()));
        self.first += many;
        // Columns that are not stored are empty, and stay so.
        let columns = self.columns.each_mut().map(|column| column.split_off_mut(..len.min(column.len())));
        Self {
            first,
            columns: columns.map(Option::unwrap_or_default),
            id: self.id.split_off_mut(..len).unwrap_or_default(),
            kind: self.kind.split_off_mut(..len).unwrap_or_default(),
        }
    }

    /// The indices of the range.
    pub(crate) fn places(&self) -> Range<usize> {
        self.first..self.first + self.id.len()
    }

    /// The indices that [`gather`](Self::gather) reads, stored in place of the ids.
    pub(crate) fn order(&mut self) -> &mut [u32] {
        self.id
    }

    /// Copies the agents of `source` whose indices are in [`order`](Self::order), in that order.
    pub(crate) fn gather(self, source: &Agents) {
        fn pick<T: Copy>(into: &mut [T], from: &[T], order: &[u32]) {
            for (into, &index) in into.iter_mut().zip(order) {
                *into = from[index as usize];
            }
        }
        for (into, from) in self.columns.into_iter().zip(&source.columns) {
            pick(into, from, self.id);
        }
        pick(self.kind, &source.kind, self.id);
        for id in self.id {
            *id = source.id[*id as usize];
        }
    }

    /// Writes positions and velocities from an index on, up to the end of the range.
    #[inline(always)]
    pub(crate) fn write<F: Lanes, const D: usize>(&mut self, place: usize, position: Wide<F, D>, velocity: Wide<F, D>) {
        self.store(0, place, position);
        self.write_velocity(place, velocity);
    }

    /// Writes velocities only.
    #[inline(always)]
    pub(crate) fn write_velocity<F: Lanes, const D: usize>(&mut self, place: usize, velocity: Wide<F, D>) {
        self.store(VELOCITY, place, velocity);
    }

    #[inline(always)]
    fn store<F: Lanes, const D: usize>(&mut self, column: usize, place: usize, values: Wide<F, D>) {
        let index = place - self.first;
        let end = self.id.len().min(index + F::WIDTH);
        for axis in 0..D {
            values[axis].store_slice(&mut self.columns[column + axis][index..end]);
        }
    }

    /// The new positions from an index on.
    #[inline(always)]
    pub(crate) fn position<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| self.load(axis, place))
    }

    /// The new velocities from an index on.
    #[inline(always)]
    pub(crate) fn velocity<F: Lanes, const D: usize>(&self, place: usize) -> Wide<F, D> {
        Wide::new(|axis| self.load(VELOCITY + axis, place))
    }

    /// The new moods from an index on; 0 past the end.
    #[inline(always)]
    pub(crate) fn moods<F: Lanes>(&self, place: usize) -> Mood<F> {
        Mood(self.load(MOOD, place))
    }

    #[inline(always)]
    fn load<F: Lanes>(&self, column: usize, place: usize) -> F {
        F::load_or(&self.columns[column][place - self.first..], 0.0)
    }

    /// Copies the moods and banks of the range from `agents`, if they are stored.
    pub(crate) fn copy_moods_and_banks(&mut self, agents: &Agents) {
        for column in [MOOD, BANK].into_iter().filter(|&column| agents.is_stored(column)) {
            let places = self.places();
            self.columns[column].copy_from_slice(&agents.columns[column][places]);
        }
    }

    /// Writes positions, velocities, moods and banks of these agents, at most one for each lane.
    #[inline(always)]
    pub(crate) fn write_all<F: Lanes>(
        &mut self,
        places: Range<usize>,
        [position, velocity]: [Wide<F, 3>; 2],
        mood: Mood<F>,
        bank: F,
    ) {
        let own = places.start - self.first..places.end - self.first;
        let all = position.0.into_iter().chain(velocity.0).chain([mood.0, bank]);
        for (column, values) in self.columns.iter_mut().zip(all) {
            values.store_slice(&mut column[own.clone()]);
        }
    }

    /// Sets the mood of the agent at an index, if moods are stored.
    pub(crate) fn set_mood(&mut self, place: usize, mood: Mood) {
        if let Some(own) = self.columns[MOOD].get_mut(place - self.first) {
            *own = mood.0;
        }
    }
}
