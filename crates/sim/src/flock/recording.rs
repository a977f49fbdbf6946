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
}

impl Recording {
    pub(super) fn next_frame(&self) -> usize {
        (self.frame + 1).min(self.trajectories.frames().saturating_sub(1))
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
        flock.recording = Some(Recording { trajectories, frame: 0 });
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

    /// Shows a frame of the recorded trajectories.
    pub(crate) fn show_frame(&mut self, frame: usize) {
        let Some(recording) = &mut self.recording else { return };
        recording.frame = frame;
        let recording = recording.clone();
        self.tick = recording.trajectories.number(frame);
        self.show_rows(recording.trajectories.rows(frame));
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
        let Recording { trajectories, frame } = recording;
        let other = if backward { frame.checked_sub(1)? } else { frame + 1 };
        if other >= trajectories.frames() {
            return None;
        }
        let metric = self.metric();
        let mut between = self.clone();
        between.show_rows(trajectories.rows(*frame).map(|row| {
            let Some(other) = trajectories.find(other, row.id) else { return row };
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
