//! The player of a recording: the agents of a frame, or on their way between two.

use std::sync::Arc;

use flockscope_sim::{Agents, RecordedFrame, Snapshot};

use super::{RecordedState, Recording};

/// Shows the frames of a recording.
#[derive(Clone, Debug)]
pub struct Player {
    recording: Arc<Recording>,
    frame: usize,
    agents: Agents,
    /// The coordinates of each agent in the file.
    coordinates: Vec<[f64; 3]>,
}

impl Player {
    /// A player at the first frame.
    pub fn new(recording: Arc<Recording>) -> Self {
        let mut player = Self { recording, frame: 0, agents: Agents::default(), coordinates: Vec::new() };
        player.show(0);
        player
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.recording
    }

    /// The index of the frame, from 0.
    pub fn frame(&self) -> usize {
        self.frame
    }

    /// Shows a frame, or the last one if there are not so many.
    pub fn show(&mut self, frame: usize) {
        self.frame = frame.min(self.recording.frames().saturating_sub(1));
        let recording = self.recording.clone();
        self.show_states(recording.states(self.frame));
    }

    /// The animals on their way to the next frame, or `backward` to the frame before. `share` is the completed share of the way,
    /// from 0 to 1. An animal that the other frame lacks stays where it is. `None` at the end.
    #[must_use]
    pub fn between(&self, backward: bool, share: f32) -> Option<Self> {
        let recording = &*self.recording;
        let other = if backward { self.frame.checked_sub(1)? } else { self.frame + 1 };
        if other >= recording.frames() {
            return None;
        }
        let states = recording.states(self.frame).iter().map(|state| match recording.state(other, state.id) {
            Some(other) => recording.on_the_way(state, other, backward, share),
            None => *state,
        });
        let mut between = self.clone();
        between.show_states(&states.collect::<Vec<_>>());
        Some(between)
    }

    fn show_states(&mut self, states: &[RecordedState]) {
        let Recording { params, world, .. } = &*self.recording;
        self.agents = RecordedFrame::agents_of(states.iter().map(|state| self.recording.row(state)), params, *world);
        self.coordinates.clear();
        self.coordinates.extend(states.iter().map(|state| state.coordinates));
    }
}

impl<'a> From<&'a Player> for Snapshot<'a> {
    fn from(player: &'a Player) -> Self {
        let Player { recording, frame, agents, coordinates } = player;
        let shown = RecordedFrame { index: *frame as u64, agents, coordinates, origin: recording.origin };
        Self::of_recording(shown, recording.number(*frame), &recording.params, recording.world)
    }
}

#[cfg(test)]
mod tests {
    use flockscope_sim::{Edge, Kind, World};

    use super::*;

    /// The point that positions are relative to.
    const ORIGIN: [f64; 3] = [1e6, 0.0, 0.0];

    fn state(frame: u32, id: u32, x: f32, vx: f32) -> RecordedState {
        let coordinates = [f64::from(x) + ORIGIN[0], 5.0, 0.0];
        RecordedState { coordinates, velocity: [vx, 0.0, 0.0], mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
    }

    fn recording(states: Vec<RecordedState>) -> Recording {
        Recording { origin: ORIGIN, ..Recording::new(states, World::Rect([100.0, 100.0])) }
    }

    /// Animal 1 in frames 0 to 9, and animal 2 except in frames 3 to 5. Frames are numbered 100, 102, 104 …
    fn player() -> Player {
        let states = (0..10).flat_map(|frame| {
            let x = 2.0 * frame as f32;
            let second = (!(3..=5).contains(&frame)).then(|| state(frame, 2, 50.0 - x, -2.0));
            [Some(state(frame, 1, x, 2.0)), second].into_iter().flatten()
        });
        let recording = recording(states.collect());
        Player::new(Arc::new(Recording { first: 100, last: 118, stride: 2, ..recording }))
    }

    fn rows(player: &Player) -> Vec<flockscope_sim::Row> {
        Snapshot::from(player).rows()
    }

    #[test]
    fn frames_have_their_numbers_and_the_animals_that_they_have() {
        let mut player = player();
        for frame in [0, 1, 4, 9, 3, 0] {
            player.show(frame);
            let shown = Snapshot::from(&player);
            let ids: Vec<u32> = shown.rows().iter().map(|row| row.id).collect();
            let expected = if (3..=5).contains(&frame) { vec![1] } else { vec![1, 2] };
            assert_eq!((shown.tick(), shown.picture_tick(), ids), (100 + 2 * frame as u64, frame as u64, expected));
            assert_eq!(shown.rows()[0].position[0], 2.0 * frame as f32);
            let recorded = shown.recorded().unwrap();
            assert_eq!(recorded.find(1), Some([1e6 + 2.0 * frame as f64, 5.0, 0.0]));
            assert_eq!(recorded.find(2).is_some(), shown.boids() == 2);
        }
        player.show(9000);
        assert_eq!((player.frame(), Snapshot::from(&player).tick()), (9, 118), "the last frame stays");
    }

    #[test]
    fn animals_are_on_their_way_between_frames() {
        let mut player = player();
        let x = |player: &Player, backward, share| {
            let between = player.between(backward, share)?;
            Some(rows(&between).iter().map(|row| row.position[0]).collect::<Vec<_>>())
        };
        assert_eq!(x(&player, false, 0.25), Some(vec![0.5, 49.5]));
        assert_eq!(x(&player, true, 0.25), None, "nothing is before the first frame");
        player.show(2);
        assert_eq!(x(&player, false, 0.5), Some(vec![5.0, 46.0]), "animal 2 is not in the next frame, and stays");
        assert_eq!(x(&player, true, 0.5), Some(vec![3.0, 47.0]));
        player.show(9);
        assert_eq!(x(&player, false, 0.5), None, "nothing follows the last frame");
    }

    #[test]
    fn derived_velocities_make_paths_smooth() {
        // x = t², whose central differences are its derivative.
        let states = (0..5).map(|frame| state(frame, 1, (frame * frame) as f32, 2.0 * frame as f32)).collect();
        let recording = Recording { has_derived_velocities: true, ..recording(states) };
        let mut player = Player::new(Arc::new(recording));
        player.show(2);
        let x = |backward| rows(&player.between(backward, 0.5).unwrap())[0].position[0];
        assert_eq!((x(false), x(true)), (6.25, 2.25));
    }

    #[test]
    fn animals_cross_the_edge_of_a_torus_the_shorter_way() {
        let mut recording = recording(vec![state(0, 1, 99.0, 3.0), state(1, 1, 2.0, 3.0)]);
        recording.params.edge.mode = Edge::Wrap;
        let player = Player::new(Arc::new(recording));
        let x = |share| rows(&player.between(false, share).unwrap())[0].position[0];
        assert!((x(0.2) - 99.6).abs() < 1e-4 && (x(0.5) - 0.5).abs() < 1e-4, "{} {}", x(0.2), x(0.5));
    }
}
