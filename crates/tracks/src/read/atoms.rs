//! What the blocks of extended XYZ and of LAMMPS have in common: lines of atoms, whose words are columns.

use super::text::Lines;
use crate::error::Error;
use crate::read::observations::{Observation, Observations, UnitCell};
use flockscope_sim::Kind;

/// The columns of atoms, by the index of their first word.
#[derive(Default)]
pub(super) struct AtomColumns {
    /// How many words a line has.
    pub(super) words: usize,
    /// Without ids, atoms keep their order.
    pub(super) id: Option<usize>,
    pub(super) species: Option<usize>,
    pub(super) position: [Option<usize>; 3],
    pub(super) velocity: [Option<usize>; 3],
    pub(super) mood: Option<usize>,
    pub(super) bank: Option<usize>,
    /// The box that coordinates are shares of.
    pub(super) scale: Option<UnitCell>,
}

impl AtomColumns {
    /// Reads the next line, which is that of the atom with number `index` in the frame `at`.
    pub(super) fn read(
        &self,
        lines: &mut Lines<'_>,
        index: usize,
        at: f64,
        observations: &mut Observations,
    ) -> Result<(), Error> {
        let text = lines.expect()?;
        self.add(&text, index, at, lines.number, observations).map_err(|message| lines.error(message))
    }

    fn add(&self, text: &str, index: usize, at: f64, line: u64, observations: &mut Observations) -> Result<(), String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != self.words {
            return Err(format!("expected {} columns, found {}", self.words, words.len()));
        }
        let number = |at: Option<usize>| {
            let Some(word) = at.map(|at| words[at]) else { return Ok(0.0) };
            // Fortran writes exponents as in 1.0D0.
            let number = word.parse().or_else(|_| word.replace(['D', 'd'], "e").parse());
            let number = number.ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| format!("{} is not a finite number", word.escape_debug()))
        };
        let vector = |[x, y, z]: [Option<usize>; 3]| Ok::<_, String>([number(x)?, number(y)?, number(z)?]);
        let animal = match self.id {
            Some(id) => observations.animals.number(words[id]),
            None => observations.animals.number(&index.to_string()),
        };
        let Some(animal) = animal else { return Ok(()) };
        let mut position = vector(self.position)?;
        if let Some(cell) = self.scale {
            position = [0, 1, 2].map(|axis| cell.corner[axis] + position[axis] * cell.sides[axis]);
        }
        let mut row = Observation::new(animal, at, position);
        row.velocity = vector(self.velocity)?.map(|along| along as f32);
        // Other programs use other symbols, for animals of one kind.
        row.kind = match self.species.map(|at| words[at]) {
            Some("P") => Kind::Predator,
            Some("C") if self.mood.is_some() => Kind::Caught,
            _ => Kind::Prey,
        };
        let values = [number(self.mood)? as f32, number(self.bank)? as f32];
        observations.add(row, self.mood.or(self.bank).map(|_| values), line)
    }
}
