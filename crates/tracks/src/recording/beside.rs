//! A flock that flies beside recorded animals.

use std::collections::VecDeque;

use flockscope_sim::{Error, Flock, Kind, Row, Scratch, Setup};

use super::Recording;

/// A flock of as many boids as a frame has animals, from their states, with a tick per frame. States are kept, so that it can be shown
/// backward.
#[derive(Clone, Debug)]
pub struct Beside {
    setup: Setup,
    /// The corner of its world, in u from that of the recording.
    corner: [f32; 3],
    /// The memory for states, in bytes.
    budget: usize,
    /// The first id of its boids, above those of all animals.
    pub(super) first_id: u32,
    /// The frame in which it starts.
    start: usize,
    /// The frame of the first state.
    first: usize,
    states: VecDeque<Vec<Row>>,
    /// The flock at the last of the states.
    flock: Option<Flock>,
}

impl Beside {
    /// A flock with the rules and the world of a setup, whose corner is at this point of the recording's world. It starts in the first frame
    /// that has most of the animals. Its states take at most `budget` bytes.
    ///
    /// # Errors
    ///
    /// If no flock can have the setup.
    pub fn new(mut setup: Setup, corner: [f32; 3], recording: &Recording, budget: usize) -> Result<Self, Error> {
        (setup.predators, setup.zones) = (0, Vec::new());
        let start = recording.first_full_frame();
        let first_id = recording.largest_id().map_or(0, |largest| largest + 1);
        let states = VecDeque::new();
        let mut beside = Self { setup, corner, budget, first_id, start, first: 0, states, flock: None };
        beside.restart(recording, start)?;
        Ok(beside)
    }

    /// Moves to a frame: to a known state, by a tick, or from the animals there if it is neither.
    pub(super) fn show(&mut self, recording: &Recording, frame: usize) {
        let next = self.first + self.states.len();
        if frame < self.start || (self.first..next).contains(&frame) {
            return;
        }
        match &mut self.flock {
            Some(flock) if frame == next => {
                flock.step(&mut Scratch::new());
                self.states.push_back(flock.rows());
            }
            // The setup was valid in the first frame.
            _ => _ = self.restart(recording, frame),
        }
        let bytes = self.states.back().map_or(0, |rows| size_of_val(&**rows));
        if self.states.len() > 2 && self.states.len() * bytes > self.budget {
            self.states.pop_front();
            self.first += 1;
        }
    }

    fn restart(&mut self, recording: &Recording, frame: usize) -> Result<(), Error> {
        let flock = Flock::from_rows(&self.setup, 0, &recording.boids(frame, &self.setup, self.corner))?;
        (self.first, self.states) = (frame, VecDeque::from([flock.rows()]));
        self.flock = Some(flock);
        Ok(())
    }

    /// The boids in a frame, in the world of the recording and with velocities per number of a frame, `ahead` frames later if they
    /// flew straight on. Empty in frames without a known state.
    pub(super) fn boids(&self, recording: &Recording, frame: usize, ahead: f32) -> impl Iterator<Item = Row> {
        let known = frame.checked_sub(self.first).and_then(|index| self.states.get(index));
        let stride = recording.stride as f32;
        known.into_iter().flatten().zip(self.first_id..).map(move |(row, id)| {
            let position = [0, 1, 2].map(|axis| row.position[axis] + self.corner[axis] + row.velocity[axis] * ahead);
            Row { id, position, velocity: row.velocity.map(|axis| axis / stride), mood: 0.0, bank: 0.0, ..*row }
        })
    }
}

impl Recording {
    /// The first frame in which more than half of the animals are that a frame has at most.
    pub fn first_full_frame(&self) -> usize {
        let most = (0..self.frames()).map(|frame| self.rows(frame).len()).max().unwrap_or(0);
        (0..self.frames()).find(|frame| 2 * self.rows(*frame).len() > most).unwrap_or(0)
    }

    /// The animals of a frame as boids with a tick per frame, in the world of a setup whose corner is at this point. The few that are
    /// outside are left out.
    pub fn boids(&self, frame: usize, setup: &Setup, corner: [f32; 3]) -> Vec<Row> {
        let animals = self.rows(frame).filter(|row| row.kind == Kind::Prey);
        let boids = animals.map(|row| {
            let position = [0, 1, 2].map(|axis| row.position[axis] - corner[axis]);
            let velocity = row.velocity.map(|axis| axis * self.stride as f32);
            Row { position, velocity, mood: 0.0, bank: 0.0, ..row }
        });
        boids.filter(|row| setup.check_row(row).is_ok()).collect()
    }
}
