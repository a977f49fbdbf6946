//! Flocks that show recorded trajectories. No rule moves them.

use std::sync::Arc;

use super::{Flock, Setup};
use crate::agents::{Agents, Row};
use crate::error::Error;
use crate::math::Wide;
use crate::trajectories::Trajectories;
use crate::world::Metric;

/// Trajectories, and the frame of them that a flock shows.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    trajectories: Arc<Trajectories>,
    frame: usize,
    companions: Option<Companions>,
}

impl Recording {
    pub(super) fn next_frame(&self) -> usize {
        (self.frame + 1).min(self.trajectories.frames().saturating_sub(1))
    }

    fn rows(&self, frame: usize) -> impl Iterator<Item = Row> {
        let companions = self.companions.iter().flat_map(move |companions| companions.rows(frame));
        self.trajectories.rows(frame).chain(companions)
    }

    fn find(&self, frame: usize, id: u32) -> Option<Row> {
        match &self.companions {
            Some(companions) if id >= companions.first_id => companions.find(frame, id),
            _ => self.trajectories.find(frame, id),
        }
    }
}

/// Agents that are shown beside those of a recording, in some of its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Companions {
    trajectories: Arc<Trajectories>,
    /// The frame of the recording that has the first of their frames.
    start: usize,
    /// Their ids count from this one, which follows those of the recording.
    first_id: u32,
}

impl Companions {
    /// The agents of other trajectories, with ids from 0, whose frames follow each other from frame `start` of the recording.
    pub fn new(recording: &Trajectories, trajectories: Arc<Trajectories>, start: usize) -> Self {
        let next_id = |trajectories: &Trajectories| trajectories.largest_id().map_or(0, |id| id.saturating_add(1));
        // If a file has ids up to the last one, a few animals look like companions.
        let first_id = next_id(recording).min(u32::MAX - next_id(&trajectories));
        Self { trajectories, start, first_id }
    }

    fn rows(&self, frame: usize) -> impl Iterator<Item = Row> {
        let rows = frame.checked_sub(self.start).map(|frame| self.trajectories.rows(frame));
        rows.into_iter().flatten().map(|row| Row { id: row.id + self.first_id, ..row })
    }

    fn find(&self, frame: usize, id: u32) -> Option<Row> {
        let row = self.trajectories.find(frame.checked_sub(self.start)?, id - self.first_id)?;
        Some(Row { id, ..row })
    }
}

impl Flock {
    /// A flock that shows the first frame of recorded trajectories, in the world of `setup`, which may have any size. Measures and
    /// pictures use the parameters.
    ///
    /// # Errors
    ///
    /// [`Error::Zone`] if the setup has invalid zones.
    pub fn recorded(setup: &Setup, trajectories: Arc<Trajectories>) -> Result<Self, Error> {
        let mut flock = Self::unchecked(setup)?;
        flock.recording = Some(Recording { trajectories, frame: 0, companions: None });
        flock.show_frame(0);
        Ok(flock)
    }

    /// The recorded trajectories, if it shows some.
    pub fn trajectories(&self) -> Option<&Arc<Trajectories>> {
        self.recording.as_ref().map(|recording| &recording.trajectories)
    }

    /// The coordinates of an animal in the file of its recording, which has this animal in the current frame.
    pub fn recorded_coordinates(&self, id: u32) -> Option<[f64; 3]> {
        self.recording.as_ref().and_then(|recording| recording.trajectories.coordinates(recording.frame, id))
    }

    /// The clock of pictures, which drives the camera, wings and trails: the tick, or the index of a recorded frame.
    pub fn picture_tick(&self) -> u64 {
        self.recording.as_ref().map_or(self.tick, |recording| recording.frame as u64)
    }

    /// This recording with companions, as another species, for pictures.
    #[must_use]
    pub fn with_companions(&self, companions: Companions) -> Self {
        let mut flock = self.clone();
        flock.params.species.count = 2.0;
        if let Some(recording) = &mut flock.recording {
            recording.companions = Some(companions);
            let frame = recording.frame;
            flock.show_frame(frame);
        }
        flock
    }

    /// The number of companions in the current frame; `None` in a flock without companions.
    pub fn companions(&self) -> Option<usize> {
        let Recording { companions, frame, .. } = self.recording.as_ref()?;
        Some(companions.as_ref()?.rows(*frame).count())
    }

    /// The species of the boid with this id, counted from 0.
    pub fn species_of(&self, id: u32) -> u8 {
        let companions = self.recording.as_ref().and_then(|recording| recording.companions.as_ref());
        companions.map_or_else(|| self.params.species_of(id), |companions| u8::from(id >= companions.first_id))
    }

    /// Shows a frame of the recorded trajectories.
    pub(crate) fn show_frame(&mut self, frame: usize) {
        let Some(recording) = &mut self.recording else { return };
        recording.frame = frame;
        let recording = recording.clone();
        self.tick = recording.trajectories.number(frame);
        self.show_rows(recording.rows(frame));
    }

    fn show_rows(&mut self, rows: impl Iterator<Item = Row>) {
        self.agents = Agents::new(self.world.dim());
        self.agents.track_moods(true);
        self.agents.track_banks(true);
        rows.for_each(|row| self.agents.push(row));
        self.count_kinds();
        self.track_states();
    }

    /// The flock on its way to the next frame, or `backward` to the frame before. `share` is the completed share of the way, from 0 to 1. An
    /// animal that the other frame lacks stays where it is. `None` without recorded trajectories or at their end.
    pub fn between_frames(&self, backward: bool, share: f32) -> Option<Self> {
        let recording = self.recording.as_ref()?;
        let Recording { trajectories, frame, .. } = recording;
        let other = if backward { frame.checked_sub(1)? } else { frame + 1 };
        if other >= trajectories.frames() {
            return None;
        }
        let metric = self.metric();
        let mut between = self.clone();
        between.show_rows(recording.rows(*frame).map(|row| {
            let Some(other) = recording.find(other, row.id) else { return row };
            // Velocities are per number of a frame.
            let pace = trajectories.stride as f32 * if backward { -1.0 } else { 1.0 };
            let pace = trajectories.has_derived_velocities.then_some(pace);
            let path = Path { from: &row, to: &other, pace };
            if self.world.dim() == 2 { path.at::<2>(share, &metric) } else { path.at::<3>(share, &metric) }
        }));
        Some(between)
    }
}

/// The path of an animal between two frames.
struct Path<'a> {
    from: &'a Row,
    to: &'a Row,
    /// If it is a cubic Hermite spline, what velocities are multiplied by for its tangents; otherwise it is a line.
    pace: Option<f32>,
}

impl Path<'_> {
    fn at<const D: usize>(&self, share: f32, metric: &Metric) -> Row {
        let Self { from, to, .. } = self;
        let start = Wide::<f32, D>::splat(from.position);
        let way = metric.offset(start, Wide::splat(to.position));
        let tangent = |row: &Row| self.pace.map_or(way, |pace| Wide::splat(row.velocity) * pace);
        let (s, s2, s3) = (share, share * share, share * share * share);
        let moved = way * (3.0 * s2 - 2.0 * s3) + tangent(from) * (s3 - 2.0 * s2 + s) + tangent(to) * (s3 - s2);
        let velocity = [0, 1, 2].map(|axis| from.velocity[axis] + (to.velocity[axis] - from.velocity[axis]) * share);
        Row { position: metric.wrap(start + moved).axes(), velocity, ..**from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::trajectories::RecordedState;
    use crate::world::World;

    /// Trajectories of agents with these ids, each at its id in all of so many frames.
    fn trajectories(ids: &[u32], frames: u32) -> Trajectories {
        let state = |frame, id| RecordedState {
            coordinates: [f64::from(id), 1.0, 0.0],
            velocity: [1.0, 0.0, 0.0],
            mood: 0.0,
            bank: 0.0,
            frame,
            id,
            kind: Kind::Prey,
        };
        Trajectories::new((0..frames).flat_map(|frame| ids.iter().map(move |id| state(frame, *id))).collect())
    }

    #[test]
    fn companions_follow_the_animals_in_some_frames_as_another_species() {
        let recording = Arc::new(trajectories(&[2, 5], 4));
        let companions = Companions::new(&recording, Arc::new(trajectories(&[0, 1], 2)), 1);
        let setup = Setup::new(World::Rect([50.0, 50.0]));
        let mut flock = Flock::recorded(&setup, recording).unwrap();
        let mut ids = Vec::new();
        for frame in 0..4 {
            flock.show_frame(frame);
            let both = flock.with_companions(companions.clone());
            ids.push(both.rows().iter().map(|row| row.id).collect::<Vec<_>>());
            assert_eq!((flock.companions(), both.companions()), (None, Some(both.boids() - flock.boids())));
            let between = both.between_frames(false, 0.5).map(|flock| flock.boids());
            assert_eq!(between, (frame < 3).then(|| both.boids()));
        }
        assert_eq!(ids, [vec![2, 5], vec![2, 5, 6, 7], vec![2, 5, 6, 7], vec![2, 5]]);
        let both = flock.with_companions(companions);
        assert_eq!([2, 5, 6, 7].map(|id| both.species_of(id)), [0, 0, 1, 1]);
    }
}
