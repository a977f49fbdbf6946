//! The boids and predators of a flock, as a structure of arrays.

mod mood;
mod slices;

use std::mem;
use std::ops::Range;

use crate::math::Wide;
use crate::params::choices;
use crate::simd::prefetch;

pub(crate) use mood::Mood;
pub(crate) use slices::{AgentsMut, AxisSlices};

/// The columns of numbers: three axes of positions, three of velocities, moods and banks.
const COLUMNS: usize = 8;
const VELOCITY: usize = 3;
const MOOD: usize = 6;
const BANK: usize = 7;

choices! {
    /// The kind of an agent.
    pub enum Kind {
        /// A boid.
        Prey = "prey",
        /// A predator.
        Predator = "predator",
        /// A caught boid that waits to respawn; no rule, view or measure includes it.
        Caught = "caught",
    }
}

/// The state of one agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Id, unique in the flock.
    pub id: u32,
    /// Kind of agent.
    pub kind: Kind,
    /// Position in u; the third axis is 0 in 2-D.
    pub position: [f32; 3],
    /// Velocity in u/tick; the third axis is 0 in 2-D.
    pub velocity: [f32; 3],
    /// Mood, as in [`Agents::moods`]; 0 if moods are not stored.
    pub mood: f32,
    /// Bank in radians, as in [`Agents::banks`]; 0 if banks are not stored.
    pub bank: f32,
}

/// Positions (u), velocities (u/tick), ids, kinds, moods and banks of all agents.
///
/// The order in memory follows the grid and changes every tick; ids identify agents. All slices have the same order.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    dim: usize,
    /// Those of the third axis are empty in 2-D, and so are moods and banks if they are not stored; all are then 0.
    columns: [Vec<f32>; COLUMNS],
    id: Vec<u32>,
    kind: Vec<Kind>,
    pub(crate) has_moods: bool,
    has_banks: bool,
}

impl Agents {
    /// No agents, in `dim` dimensions.
    pub(crate) fn new(dim: usize) -> Self {
        Self { dim, ..Self::default() }
    }

    /// The number of agents.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// The number of dimensions: 2 or 3.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The memory that the columns take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let values: usize = self.columns.iter().map(Vec::len).sum();
        values * size_of::<f32>() + self.len() * (size_of::<u32>() + size_of::<Kind>())
    }

    /// The ids.
    pub fn ids(&self) -> &[u32] {
        &self.id
    }

    /// The kinds.
    pub fn kinds(&self) -> &[Kind] {
        &self.kind
    }

    /// The moods; empty if they are not stored.
    ///
    /// From 0 to 1, the mood is the alarm of a boid or the fatigue of a predator. Below 0 it is minus the number of ticks
    /// left to rest. For caught boids it is the number of ticks until they respawn. In the model stardisplay it is 1 when a
    /// boid starts to escape, and falls to 0, when the boid can escape again.
    pub fn moods(&self) -> &[f32] {
        &self.columns[MOOD]
    }

    /// The mood of the agent at an index; 0 past the end, or if moods are not stored.
    #[inline]
    pub fn mood(&self, index: usize) -> f32 {
        self.value(MOOD, index)
    }

    /// The mood of the agent at an index, as a type with a method for each meaning.
    #[inline]
    pub(crate) fn mood_of(&self, index: usize) -> Mood {
        Mood(self.mood(index))
    }

    /// The alarm of the boid at an index.
    pub fn alarm(&self, index: usize) -> f32 {
        self.mood_of(index).alarm()
    }

    /// The alarms of the boids at these indices, with meaningless numbers for other agents; empty if moods are not stored.
    #[inline(always)]
    pub fn alarms(&self, range: Range<usize>) -> impl Iterator<Item = f32> {
        self.moods().get(range).unwrap_or_default().iter().map(|mood| Mood(*mood).alarm())
    }

    /// The banks in radians, from −π to π; empty if they are not stored.
    ///
    /// The bank of a bird is its roll around its velocity: positive with the right wing down, 0 with both wings level.
    pub fn banks(&self) -> &[f32] {
        &self.columns[BANK]
    }

    /// The bank of the agent at an index, in radians; 0 past the end, or if banks are not stored.
    #[inline]
    pub fn bank(&self, index: usize) -> f32 {
        self.value(BANK, index)
    }

    /// The positions along an axis, in u; the third axis is empty in 2-D.
    ///
    /// # Panics
    ///
    /// If `axis` is above 2.
    pub fn positions(&self, axis: usize) -> &[f32] {
        &self.columns[..VELOCITY][axis]
    }

    /// The velocities along an axis, in u/tick; the third axis is empty in 2-D.
    ///
    /// # Panics
    ///
    /// If `axis` is above 2.
    pub fn velocities(&self, axis: usize) -> &[f32] {
        &self.columns[VELOCITY..MOOD][axis]
    }

    /// The position of the agent at an index, in u; 0 along missing axes and past the end.
    #[inline]
    pub fn position_array(&self, index: usize) -> [f32; 3] {
        [0, 1, 2].map(|column| self.value(column, index))
    }

    /// The velocity of the agent at an index, in u/tick; 0 along missing axes and past the end.
    #[inline]
    pub fn velocity_array(&self, index: usize) -> [f32; 3] {
        [3, 4, 5].map(|column| self.value(column, index))
    }

    #[inline]
    fn value(&self, column: usize, index: usize) -> f32 {
        self.columns[column].get(index).copied().unwrap_or(0.0)
    }

    /// The state of the agent at an index.
    ///
    /// # Panics
    ///
    /// Past the end.
    pub fn row(&self, index: usize) -> Row {
        Row {
            id: self.id[index],
            kind: self.kind[index],
            position: self.position_array(index),
            velocity: self.velocity_array(index),
            mood: self.mood(index),
            bank: self.bank(index),
        }
    }

    /// The states of all agents, in memory order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row> + '_ {
        (0..self.len()).map(|index| self.row(index))
    }

    /// The position of the agent at an index, in u.
    #[inline(always)]
    pub(crate) fn position<const D: usize>(&self, index: usize) -> Wide<f32, D> {
        Wide::new(|axis| self.columns[axis][index])
    }

    /// The positions and velocities of a range of agents.
    #[inline(always)]
    pub(crate) fn run<const D: usize>(&self, run: Range<usize>) -> (AxisSlices<'_, D>, AxisSlices<'_, D>) {
        let slices = |first: usize| {
            let len = run.len();
            // The same length for each lets the compiler drop bounds checks.
            AxisSlices { axes: std::array::from_fn(|axis| &self.columns[first + axis][run.clone()][..len]) }
        };
        (slices(0), slices(VELOCITY))
    }

    fn is_stored(&self, column: usize) -> bool {
        match column {
            MOOD => self.has_moods,
            BANK => self.has_banks,
            _ => column % VELOCITY < self.dim,
        }
    }

    pub(crate) fn push(&mut self, row: Row) {
        for (column, value) in columns(&row) {
            if self.is_stored(column) {
                self.columns[column].push(value);
            }
        }
        self.id.push(row.id);
        self.kind.push(row.kind);
    }

    /// Replaces the state of the agent at an index; its mood and bank only if they are stored.
    pub(crate) fn set(&mut self, index: usize, row: &Row) {
        for (column, value) in columns(row) {
            if self.is_stored(column) {
                self.columns[column][index] = value;
            }
        }
        self.id[index] = row.id;
        self.kind[index] = row.kind;
    }

    /// Changes the state of every agent.
    pub(crate) fn update(&mut self, change: impl Fn(&mut Row)) {
        for index in 0..self.len() {
            let mut row = self.row(index);
            change(&mut row);
            self.set(index, &row);
        }
    }

    /// Stores moods and banks from now on, all 0 at first, or no longer.
    pub(crate) fn track(&mut self, moods: bool, banks: bool) {
        (self.has_moods, self.has_banks) = (moods, banks);
        for column in [MOOD, BANK] {
            let len = if self.is_stored(column) { self.len() } else { 0 };
            self.columns[column].resize(len, 0.0);
        }
    }

    /// Keeps the agents for which `keep(id, kind)` holds.
    pub(crate) fn retain(&mut self, keep: impl Fn(u32, Kind) -> bool) {
        fn retain<T>(column: &mut Vec<T>, is_kept: &[bool]) {
            let mut is_kept = is_kept.iter();
            column.retain(|_| is_kept.next() == Some(&true));
        }
        let is_kept: Vec<bool> = self.id.iter().zip(&self.kind).map(|(&id, &kind)| keep(id, kind)).collect();
        self.columns.iter_mut().for_each(|column| retain(column, &is_kept));
        retain(&mut self.id, &is_kept);
        retain(&mut self.kind, &is_kept);
    }

    /// Sets the number of agents, with the columns of `source` and unspecified states.
    pub(crate) fn resize_like(&mut self, source: &Self, len: usize) {
        (self.dim, self.has_moods, self.has_banks) = (source.dim, source.has_moods, source.has_banks);
        for column in 0..COLUMNS {
            let len = if self.is_stored(column) { len } else { 0 };
            self.columns[column].resize(len, 0.0);
        }
        self.id.resize(len, 0);
        self.kind.resize(len, Kind::Prey);
    }

    /// Prefetches the positions, velocities and ids around an index.
    #[inline(always)]
    pub(crate) fn prefetch(&self, place: usize) {
        self.columns[..MOOD].iter().for_each(|column| prefetch(column, place));
        prefetch(&self.id, place);
    }

    /// Fills `order` with the indices of all agents, in order of ids.
    pub(crate) fn order_by_id(&self, order: &mut Vec<u32>) {
        order.clear();
        order.extend((0_u32..).take(self.len()));
        order.sort_unstable_by_key(|&index| self.id[index as usize]);
    }

    /// Swaps ids and kinds with `other`.
    pub(crate) fn swap_order(&mut self, other: &mut Self) {
        mem::swap(&mut self.id, &mut other.id);
        mem::swap(&mut self.kind, &mut other.kind);
    }
}

/// The numbers of a row, by column.
fn columns(row: &Row) -> impl Iterator<Item = (usize, f32)> {
    row.position.into_iter().chain(row.velocity).chain([row.mood, row.bank]).enumerate()
}

/// A 64-bit FNV-1a hash of the bits of ids, positions, velocities, nonzero moods and nonzero banks, for rows in order of ids.
///
/// It does not include kinds or the amount of food.
pub fn hash(rows: &[Row]) -> u64 {
    let hash = rows.iter().fold(WordHash::default(), |hash, row| {
        let others = [&row.mood, &row.bank].into_iter().filter(|number| **number != 0.0);
        let numbers = row.position.iter().chain(&row.velocity).chain(others);
        numbers.fold(hash.add(row.id), |hash, number| hash.add(number.to_bits()))
    });
    hash.0
}

/// A 64-bit FNV-1a hash of 32-bit words.
#[derive(Clone, Copy)]
pub(crate) struct WordHash(pub u64);

impl Default for WordHash {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl WordHash {
    pub(crate) fn add(self, word: u32) -> Self {
        const PRIME: u64 = 0x0100_0000_01b3;
        Self(word.to_le_bytes().iter().fold(self.0, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME)))
    }
}
