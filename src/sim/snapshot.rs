//! The state of a flock as rows in order of ids, and its hash.

use super::agents::{Agents, Kind};

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
}

/// All agents, in order of ids.
pub(crate) fn rows(agents: &Agents) -> Vec<Row> {
    let mut rows: Vec<Row> = agents.iter().collect();
    rows.sort_unstable_by_key(|row| row.id);
    rows
}

/// A 64-bit FNV-1a hash of the bits of ids, positions, velocities and nonzero moods, for rows in order of ids.
///
/// It does not include kinds or the amount of food.
#[must_use]
pub fn hash(rows: &[Row]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let add = |hash: u64, word: u32| {
        word.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    };
    rows.iter().fold(OFFSET, |hash, row| {
        let mood = Some(&row.mood).filter(|mood| **mood != 0.0);
        let numbers = row.position.iter().chain(&row.velocity).chain(mood);
        numbers.fold(add(hash, row.id), |hash, number| add(hash, number.to_bits()))
    })
}
