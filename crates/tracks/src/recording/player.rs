//! The player of a recording: the agents of a frame, or on their way between two.

use std::sync::Arc;

use flockscope_sim::{Agents, RecordedFrame, ReplayError, Row, Scratch, SessionPosition, Snapshot, Timeline};

use super::{Beside, RecordedState, Recording};

/// Shows the frames of a recording, and perhaps a flock beside the animals.
#[derive(Clone, Debug)]
pub struct Player {
    shown: Moment,
    beside: Option<Beside>,
    /// The animals with the flock.
    picture: Option<Moment>,
    /// The frame that the next piece of work shows, and whether that is a move to another one.
    target: Option<(usize, bool)>,
}

/// The agents of a recording at a time.
#[derive(Clone, Debug)]
struct Moment {
    recording: Arc<Recording>,
    frame: usize,
    agents: Agents,
    /// The coordinates of each agent in the file.
    coordinates: Vec<[f64; 3]>,
    /// The first id of a flock beside the animals.
    flock_from: Option<u32>,
}

impl Player {
    /// A player at the first frame.
    pub fn new(recording: &Arc<Recording>) -> Self {
        let shown = Moment::new(recording, 0);
        Self { shown, beside: None, picture: None, target: None }
    }

    /// The same with a flock beside the animals. Pictures show it; measures and files have the animals alone.
    #[must_use]
    pub fn with_beside(self, beside: Beside) -> Self {
        let frame = self.frame();
        let mut player = Self { beside: Some(beside), ..self };
        player.show(frame);
        player
    }

    /// The recording.
    pub fn recording(&self) -> &Arc<Recording> {
        &self.shown.recording
    }

    /// The index of the frame, from 0.
    pub fn frame(&self) -> usize {
        self.shown.frame
    }

    /// Shows a frame, or the last one if there are not so many. A flock beside the animals moves with it.
    pub fn show(&mut self, frame: usize) {
        self.shown = Moment::new(self.recording(), frame);
        if let Some(beside) = &mut self.beside {
            beside.show(&self.shown.recording, self.shown.frame);
            self.picture = Some(self.shown.clone().with_boids(beside, 0.0));
        }
    }

    /// A moment with the flock beside the animals, if there is one, as it is this share of a frame later.
    fn with_flock(&self, moment: Moment, ahead: f32) -> Moment {
        match &self.beside {
            Some(beside) => moment.with_boids(beside, ahead),
            None => moment,
        }
    }

    /// The picture on the way to the next frame, or `backward` to the frame before. `share` is the completed share of the way,
    /// from 0 to 1. An animal that the other frame lacks stays where it is. `None` at the end.
    fn between(&self, backward: bool, share: f32) -> Option<Moment> {
        let (recording, frame) = (self.recording(), self.frame());
        let other = if backward { frame.checked_sub(1)? } else { frame + 1 };
        if other >= recording.frames() {
            return None;
        }
        let states = recording.states(frame).iter().map(|state| match recording.state(other, state.id) {
            Some(other) => recording.on_the_way(state, other, backward, share),
            None => *state,
        });
        let moment = Moment::of_states(recording.clone(), frame, &states.collect::<Vec<_>>());
        Some(self.with_flock(moment, if backward { -share } else { share }))
    }
}

impl Moment {
    /// A frame, or the last one if there are not so many.
    fn new(recording: &Arc<Recording>, frame: usize) -> Self {
        let frame = frame.min(recording.frames().saturating_sub(1));
        Self::of_states(recording.clone(), frame, recording.states(frame))
    }

    fn of_states(recording: Arc<Recording>, frame: usize, states: &[RecordedState]) -> Self {
        let rows = states.iter().map(|state| recording.row(state));
        let agents = RecordedFrame::agents_of(rows, &recording.params, recording.world);
        let coordinates = states.iter().map(|state| state.coordinates).collect();
        Self { recording, frame, agents, coordinates, flock_from: None }
    }

    /// The same with the boids of a flock beside the animals, as they are this share of a frame later.
    fn with_boids(self, beside: &Beside, ahead: f32) -> Self {
        let Recording { params, world, origin, .. } = &*self.recording;
        let boids: Vec<Row> = beside.boids(&self.recording, self.frame, ahead).collect();
        let rows = self.agents.iter().chain(boids.iter().copied());
        let agents = RecordedFrame::agents_of(rows, params, *world);
        let places = boids.iter().map(|row| [0, 1, 2].map(|axis| f64::from(row.position[axis]) + origin[axis]));
        let coordinates = self.coordinates.iter().copied().chain(places).collect();
        Self { agents, coordinates, flock_from: Some(beside.first_id), ..self }
    }
}

/// Each frame is a tick, and the first one has the number of the first frame.
impl Timeline for Player {
    fn snapshot(&self) -> Snapshot<'_> {
        self.into()
    }

    /// The animals of the frame, with the flock beside them.
    fn picture(&self) -> Snapshot<'_> {
        self.picture.as_ref().unwrap_or(&self.shown).into()
    }

    fn position(&self) -> SessionPosition {
        let Recording { first, .. } = **self.recording();
        let at = |frame: usize| first + frame as u64;
        let last = at(self.recording().frames().saturating_sub(1));
        let seeking = self.target.map(|(target, _)| (at(target), 0.0));
        SessionPosition { first, tick: at(self.frame()), last, seeking, ..SessionPosition::default() }
    }

    fn is_busy(&self) -> bool {
        self.target.is_some()
    }

    fn is_seeking(&self) -> bool {
        self.target.is_some_and(|(_, is_move)| is_move)
    }

    fn work(&mut self, _: &mut Scratch) -> Result<(), ReplayError> {
        self.target.take().into_iter().for_each(|(target, _)| self.show(target));
        Ok(())
    }

    fn step(&mut self, _: &mut Scratch) {
        self.target = Some((self.frame() + 1, false));
    }

    fn seek(&mut self, tick: u64) {
        let SessionPosition { first, last, .. } = self.position();
        self.target = Some(((tick.clamp(first, last) - first) as usize, true));
    }

    fn cancel(&mut self) {
        self.target = None;
    }

    fn visit_before(&self, ticks: u64, _: &mut Scratch, visit: &mut dyn FnMut(Option<Snapshot<'_>>) -> bool) {
        let now = self.frame();
        let mut frames = now.saturating_sub(ticks as usize)..now;
        // Of a flock beside the animals, the states that are known.
        let _ = frames.all(|frame| visit(Some((&self.with_flock(Moment::new(self.recording(), frame), 0.0)).into())));
    }

    fn draw_between(&self, backward: bool, share: f32, draw: &mut dyn FnMut(Snapshot<'_>)) -> bool {
        self.between(backward, share).map(|moment| draw((&moment).into())).is_some()
    }

    fn near(&self, tick: u64) -> Option<Box<dyn Timeline>> {
        let mut player = self.clone();
        player.show(tick.saturating_sub(self.recording().first) as usize);
        Some(Box::new(player))
    }
}

impl<'a> From<&'a Player> for Snapshot<'a> {
    fn from(player: &'a Player) -> Self {
        (&player.shown).into()
    }
}

impl<'a> From<&'a Moment> for Snapshot<'a> {
    fn from(moment: &'a Moment) -> Self {
        let Moment { recording, frame, agents, coordinates, flock_from } = moment;
        let Recording { origin, params, world, .. } = &**recording;
        let (index, flock_from) = (*frame as u64, *flock_from);
        let shown = RecordedFrame { index, agents, coordinates, origin: *origin, flock_from };
        Self::of_recording(shown, recording.number(*frame), params, *world)
    }
}

#[cfg(test)]
mod tests {
    use flockscope_sim::{Edge, Kind, Setup, World};

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
        Player::new(&Arc::new(Recording { first: 100, last: 118, stride: 2, ..recording }))
    }

    #[test]
    fn frames_have_their_numbers_and_the_animals_that_they_have() {
        let mut player = player();
        for frame in [0, 1, 4, 9, 3, 0] {
            player.show(frame);
            let shown = Snapshot::from(&player);
            let ids: Vec<u32> = shown.rows().iter().map(|row| row.id).collect();
            let expected = if (3..=5).contains(&frame) { vec![1] } else { vec![1, 2] };
            assert_eq!((shown.tick, shown.picture_tick(), ids), (100 + 2 * frame as u64, frame as u64, expected));
            assert_eq!(shown.rows()[0].position[0], 2.0 * frame as f32);
            let recorded = shown.recorded.unwrap();
            assert_eq!(recorded.find(1), Some([1e6 + 2.0 * frame as f64, 5.0, 0.0]));
            assert_eq!(recorded.find(2).is_some(), shown.boids() == 2);
        }
        player.show(9000);
        assert_eq!((player.frame(), Snapshot::from(&player).tick), (9, 118), "the last frame stays");
    }

    #[test]
    fn animals_are_on_their_way_between_frames() {
        let mut player = player();
        let x = |player: &Player, backward, share| {
            let between = player.between(backward, share)?;
            Some(Snapshot::from(&between).rows().iter().map(|row| row.position[0]).collect::<Vec<_>>())
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
        let mut player = Player::new(&Arc::new(recording));
        player.show(2);
        let x = |backward| Snapshot::from(&player.between(backward, 0.5).unwrap()).rows()[0].position[0];
        assert_eq!((x(false), x(true)), (6.25, 2.25));
    }

    #[test]
    fn animals_cross_the_edge_of_a_torus_the_shorter_way() {
        let mut recording = recording(vec![state(0, 1, 99.0, 3.0), state(1, 1, 2.0, 3.0)]);
        recording.params.edge.mode = Edge::Wrap;
        let player = Player::new(&Arc::new(recording));
        let x = |share| Snapshot::from(&player.between(false, share).unwrap()).rows()[0].position[0];
        assert!((x(0.2) - 99.6).abs() < 1e-4 && (x(0.5) - 0.5).abs() < 1e-4, "{} {}", x(0.2), x(0.5));
    }

    #[test]
    fn a_flock_flies_beside_the_animals_and_starts_again_after_a_jump() {
        let mut setup = Setup::new(World::Rect([100.0, 100.0]));
        setup.params.edge.mode = Edge::Open;
        (setup.params.speed.min, setup.params.speed.max) = (0.0, 100.0);
        [setup.params.separation.weight, setup.params.alignment.weight, setup.params.cohesion.weight] = [0.0; 3];
        let alone = player();
        let beside = |budget| Beside::new(setup.clone(), [10.0, 5.0, 0.0], alone.recording(), budget).unwrap();
        let mut player = alone.clone().with_beside(beside(1 << 20));
        let boids = |player: &Player| {
            let picture = player.picture();
            let rows = picture.rows().into_iter().filter(|row| picture.species_of(row.id) == 1);
            rows.map(|row| row.position[0]).collect::<Vec<_>>()
        };
        // Two numbers of a frame are one tick.
        assert_eq!(
            (boids(&player), Snapshot::from(&player).boids(), player.picture().boids()),
            (vec![0.0, 50.0], 2, 4)
        );
        for frame in 1..=4 {
            player.show(frame);
            assert_eq!(
                boids(&player),
                [4.0 * frame as f32, 50.0 - 4.0 * frame as f32],
                "without rules it flies straight on"
            );
        }
        player.show(2);
        assert_eq!(boids(&player), [8.0, 42.0], "a known state");
        player.show(9);
        assert_eq!(boids(&player), [18.0, 32.0], "the animals there");
        let mut short = alone.clone().with_beside(beside(1));
        (1..=9).for_each(|frame| short.show(frame));
        short.show(0);
        assert_eq!(boids(&short), [0.0, 50.0], "it starts again from the animals");
    }
}
