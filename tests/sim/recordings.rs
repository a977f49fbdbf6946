//! Contract: a flock of recorded trajectories shows each frame as it was recorded, moves to any frame at once, and is never changed.

use std::sync::Arc;

use flockscope::sim::{
    Command, Edge, Error, FirstAgents, Flock, Kind, RecordedState, Replay, Scratch, Session, SessionLog, SessionStart,
    Setup, SharedLog, Trajectories, Value, World,
};

/// The point that positions are relative to.
const ORIGIN: [f64; 3] = [1e6, 0.0, 0.0];

fn state(frame: u32, id: u32, x: f32, vx: f32) -> RecordedState {
    let coordinates = [f64::from(x) + ORIGIN[0], 5.0, 0.0];
    RecordedState { coordinates, velocity: [vx, 0.0, 0.0], mood: 0.0, bank: 0.0, frame, id, kind: Kind::Prey }
}

fn trajectories_of(states: Vec<RecordedState>) -> Trajectories {
    let mut trajectories = Trajectories::new(states);
    trajectories.origin = ORIGIN;
    trajectories
}

/// Animal 1 in frames 0 to 9, and animal 2 except in frames 3 to 5. Frames are numbered 100, 102, 104 …
fn trajectories() -> Trajectories {
    let states = (0..10).flat_map(|frame| {
        let x = 2.0 * frame as f32;
        let second = (!(3..=5).contains(&frame)).then(|| state(frame, 2, 50.0 - x, -2.0));
        [Some(state(frame, 1, x, 2.0)), second].into_iter().flatten()
    });
    let mut trajectories = trajectories_of(states.collect());
    (trajectories.first, trajectories.last, trajectories.stride) = (100, 118, 2);
    trajectories
}

fn log(trajectories: Trajectories, edge: Edge) -> SessionLog {
    let mut setup = Setup::new(World::Rect([100.0, 100.0]));
    setup.params.edge.mode = edge;
    SessionLog::new(SessionStart { setup, agents: FirstAgents::Recorded(Arc::new(trajectories)) })
}

fn ids(flock: &Flock) -> Vec<u32> {
    flock.rows().iter().map(|row| row.id).collect()
}

#[test]
fn frames_follow_each_other_with_the_animals_that_they_have() {
    let mut replay = Replay::new(SharedLog::new(log(trajectories(), Edge::Open))).unwrap();
    let mut scratch = Scratch::new();
    for frame in 0..10 {
        let flock = replay.flock();
        let expected = if (3..=5).contains(&frame) { vec![1] } else { vec![1, 2] };
        assert_eq!((flock.tick(), ids(flock), flock.boids()), (100 + 2 * frame, expected.clone(), expected.len()));
        assert_eq!(flock.rows()[0].position[0], 2.0 * frame as f32);
        assert_eq!(flock.recorded_coordinates(1), Some([1e6 + 2.0 * frame as f64, 5.0, 0.0]));
        assert_eq!((replay.tick(), replay.last_tick()), (100 + frame, 109));
        replay.step(&mut scratch).unwrap();
    }
    assert_eq!(replay.flock().tick(), 118, "the last frame stays");
}

#[test]
fn a_session_moves_to_any_frame_at_once() {
    let log = SharedLog::new(log(trajectories(), Edge::Open));
    let flock = log.lock().start().flock().unwrap();
    let (mut session, mut scratch) = (Session::new(flock, log, 1 << 20), Scratch::new());
    session.finish(&mut scratch).unwrap();
    for tick in [109, 100, 105, 104, 9000, 0] {
        session.seek(tick);
        let mut pieces = 0;
        while session.is_busy() {
            session.work(&mut scratch).unwrap();
            pieces += 1;
        }
        let shown = tick.clamp(100, 109);
        assert_eq!((session.position().tick, session.flock().tick()), (shown, 100 + 2 * (shown - 100)));
        assert!(pieces <= 3, "{pieces} pieces to {tick}");
    }
    session.seek(109);
    session.finish(&mut scratch).unwrap();
    session.step(&mut scratch);
    session.finish(&mut scratch).unwrap();
    assert_eq!((session.position().tick, session.position().last), (109, 109), "it does not become longer");
    assert_eq!(session.history_bytes(), 0);
}

#[test]
fn every_change_is_refused_with_what_a_recording_lacks() {
    let mut flock = log(trajectories(), Edge::Open).start().flock().unwrap();
    let before = flock.rows();
    for (command, lacking) in [
        (Command::set("speed.max", Value::Number(2.0)).unwrap(), "rules"),
        (Command::SetPredators(1), "predators to add or remove"),
        (Command::SetBoids(9), "boids to add or remove"),
        (Command::Reseed(2), "seed"),
        (Command::RemoveZone(0), "zones"),
        (Command::Release, "boids to call"),
    ] {
        assert_eq!(flock.apply(&command), Err(Error::Recorded(lacking)));
        assert_eq!(flock.apply(&command).unwrap_err().to_string(), format!("a recording has no {lacking}"));
    }
    assert_eq!(flock.rows(), before);
}

#[test]
fn animals_are_shown_on_their_way_between_frames() {
    let flock = log(trajectories(), Edge::Open).start().flock().unwrap();
    let between = |flock: &Flock, backward, share| flock.between_frames(backward, share).map(|flock| flock.rows());
    assert_eq!(between(&flock, false, 0.25).unwrap()[0].position, [0.5, 5.0, 0.0]);
    assert_eq!(between(&flock, true, 0.25), None, "nothing is before the first frame");
    let mut replay = Replay::new(SharedLog::new(log(trajectories(), Edge::Open))).unwrap();
    let mut scratch = Scratch::new();
    (0..2).for_each(|_| replay.step(&mut scratch).unwrap());
    let rows = between(replay.flock(), false, 0.5).unwrap();
    let x = |index: usize| rows[index].position[0];
    assert_eq!((x(0), x(1)), (5.0, 46.0), "animal 2 is not in the next frame, and stays until then");
    assert_eq!(between(replay.flock(), true, 0.5).unwrap()[1].position, [47.0, 5.0, 0.0]);
    (0..7).for_each(|_| replay.step(&mut scratch).unwrap());
    assert_eq!(between(replay.flock(), false, 0.5), None, "nothing follows the last frame");
}

#[test]
fn derived_velocities_make_paths_smooth() {
    // x = t², whose central differences are its derivative.
    let states = (0..5).map(|frame| state(frame, 1, (frame * frame) as f32, 2.0 * frame as f32)).collect();
    let mut trajectories = trajectories_of(states);
    trajectories.has_derived_velocities = true;
    let mut replay = Replay::new(SharedLog::new(log(trajectories, Edge::Open))).unwrap();
    (0..2).for_each(|_| replay.step(&mut Scratch::new()).unwrap());
    let x = |backward, share| replay.flock().between_frames(backward, share).unwrap().rows()[0].position[0];
    assert_eq!((x(false, 0.5), x(true, 0.5)), (6.25, 2.25));
}

#[test]
fn animals_cross_the_edge_of_a_torus_the_shorter_way() {
    let states = vec![state(0, 1, 99.0, 3.0), state(1, 1, 2.0, 3.0)];
    let flock = log(trajectories_of(states), Edge::Wrap).start().flock().unwrap();
    let x = |share| flock.between_frames(false, share).unwrap().rows()[0].position[0];
    assert!((x(0.2) - 99.6).abs() < 1e-4 && (x(0.5) - 0.5).abs() < 1e-4, "{} {}", x(0.2), x(0.5));
}
