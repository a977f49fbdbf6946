//! A flock's state as rows in order of ids, and its hash.

use super::agents::{Agents, Kind};

/// One agent's state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its id, unique in its flock.
    pub id: u32,
    /// What it is.
    pub kind: Kind,
    /// Its position in u; in a flat world the third axis is 0.
    pub position: [f32; 3],
    /// Its velocity in u/tick; in a flat world the third axis is 0.
    pub velocity: [f32; 3],
    /// Its mood, as in [`Agents::moods`]; 0 where none are kept.
    pub mood: f32,
}

/// All agents as rows, in order of ids.
pub(crate) fn rows(agents: &Agents) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..agents.len())
        .map(|index| Row {
            id: agents.ids()[index],
            kind: agents.kinds()[index],
            position: agents.position_array(index),
            velocity: agents.velocity_array(index),
            mood: agents.mood(index),
        })
        .collect();
    rows.sort_unstable_by_key(|row| row.id);
    rows
}

/// A 64-bit hash (FNV-1a) of ids, positions, velocities and moods in order of ids, bit for bit; a mood
/// of 0 is as good as none.
///
/// Two flocks with the same hash, of the same kinds and with as much food left, are to all intents in the same state.
#[must_use]
pub fn hash(rows: &[Row]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let eat = |hash: u64, word: u32| {
        word.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
    };
    rows.iter().fold(OFFSET, |hash, row| {
        let mood = Some(&row.mood).filter(|mood| **mood != 0.0);
        let numbers = row.position.iter().chain(&row.velocity).chain(mood);
        numbers.fold(eat(hash, row.id), |hash, number| eat(hash, number.to_bits()))
    })
}
