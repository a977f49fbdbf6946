//! Contract: a session that is written to a file and read back gives the same states, bit for bit, whatever the commands, and
//! every tick of a session is reached bit for bit, in any order.

use std::collections::BTreeMap;
use std::path::Path;

use crate::random_worlds::{begin, edits};
use flockscope::config::Preset;
use flockscope::export::session::{read_from, write};
use flockscope::picture::GlyphTable;
use flockscope::sim::{
    Command, Direction, Flock, Scratch, Session, SessionLog, SessionStart, SharedLog, Timeline, Undone,
};
use proptest::prelude::*;

/// Everything that a later tick depends on.
fn state(flock: &Flock) -> String {
    let mut rows: Vec<String> = flock.rows().iter().map(|row| format!("{row:?}")).collect();
    let (params, world) = flock.morph_target();
    rows.push(format!("{:?} {:?} {:?} {:?}", flock.setup(), flock.pointer(), params, world));
    rows.push(format!("{} {:016x}", flock.tick(), flock.session_hash()));
    rows.join("\n")
}

/// The log as it is read from a file.
fn written_and_read(log: &SessionLog, hash: u64) -> SessionLog {
    let (mut file, preset) = (Vec::new(), Preset::load("drones").unwrap());
    write(&preset, preset.rate, log, &GlyphTable::default(), Some(hash), &mut file).unwrap();
    let read = read_from(&file[..], Path::new("a.flock")).unwrap();
    assert!(!read.truncated);
    read.log
}

/// Replays a saved session up to its end. Returns the replay.
fn replay_of(log: &SessionLog) -> Session {
    let (mut replay, mut scratch) = (Session::open(log.clone(), 0).unwrap(), Scratch::new());
    replay.finish(&mut scratch).unwrap();
    while replay.position().tick < log.tick() {
        replay.advance(&mut scratch).unwrap();
    }
    replay
}

/// A session that is played, and the state at each of its ticks as it was when the tick was first reached.
struct Played {
    session: Session,
    states: BTreeMap<u64, String>,
    /// The ends that are not in the session, each with the tick at which it begins: those of branches to undo, and to redo.
    replaced: [Vec<(u64, BTreeMap<u64, String>)>; 2],
    scratch: Scratch,
}

impl Played {
    fn new(flock: Flock, start: SessionStart, budget: usize) -> Self {
        let log = SharedLog::new(SessionLog::new(start));
        let mut new = Self {
            session: Session::new(flock, log, budget),
            states: BTreeMap::new(),
            replaced: Default::default(),
            scratch: Scratch::new(),
        };
        new.finish();
        new.record();
        new
    }

    fn tick(&self) -> u64 {
        self.session.position().tick
    }

    fn last(&self) -> u64 {
        self.session.position().last
    }

    fn finish(&mut self) {
        self.session.finish(&mut self.scratch).unwrap();
    }

    fn record(&mut self) {
        self.states.insert(self.tick(), state(self.session.flock()));
    }

    /// Whether the state is the one that this tick had before.
    fn is_as_before(&self) -> bool {
        self.states.get(&self.tick()) == Some(&state(self.session.flock()))
    }

    fn seek(&mut self, tick: u64) -> bool {
        self.session.seek(tick);
        self.finish();
        self.tick() == tick.min(self.last()) && self.is_as_before()
    }

    fn apply(&mut self, command: Command) {
        let (tick, changes) = (self.tick(), changes_param(&command, self.session.flock()));
        if let Ok(is_branch) = self.session.apply(command, false, &mut self.scratch) {
            let later = self.states.split_off(&tick);
            if is_branch || changes {
                self.replaced[1].clear();
            }
            if is_branch {
                self.replaced[0].push((tick, later));
            }
            self.record();
        }
    }

    fn step(&mut self) -> bool {
        let is_last = self.tick() == self.last();
        self.session.step(&mut self.scratch);
        self.finish();
        if is_last {
            self.record();
        }
        self.is_as_before()
    }

    /// Undoes or repeats the last step, and saves the session before that is complete.
    fn undo(&mut self, direction: Direction) -> bool {
        let undone = self.session.undo(direction, &mut self.scratch);
        let is_valid = self.saves();
        self.finish();
        is_valid
            && match undone {
                Undone::Nothing | Undone::NotAtEnd => true,
                Undone::Values(_) => {
                    self.record();
                    true
                }
                Undone::Branch => {
                    let [from, to] = if direction == Direction::Undo { [0, 1] } else { [1, 0] };
                    let (tick, states) = self.replaced[from].pop().unwrap();
                    self.replaced[to].push((tick, self.states.split_off(&tick)));
                    self.states.extend(states);
                    self.tick() == tick && self.is_as_before()
                }
            }
    }

    /// Whether the session as it would be saved now repeats the states at its ticks.
    fn saves(&mut self) -> bool {
        let (log, hash) = self.session.log_and_hash();
        let log = hash.map_or(log.clone(), |hash| written_and_read(&log, hash));
        let replay = replay_of(&log);
        replay.divergence().is_none() && replay.position().tick == log.tick()
    }
}

/// Whether a command changes the value of a parameter.
fn changes_param(command: &Command, flock: &Flock) -> bool {
    matches!(command, Command::SetParam(param, value) if param.get(flock.morph_target().0) != *value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_tick_of_a_random_session_is_reached_bit_for_bit(
        shape in 0_u8..3,
        sides in [0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0],
        rules in edits(30),
        loaded in any::<bool>(),
        budget in prop::sample::select(vec![0, 30_000, 200_000, 64 << 20]),
        commands in prop::collection::vec((0_u8..24, prop_oneof![Just(0), 1_u64..24], 0_u64..300), 30),
        edits in edits(30),
    ) {
        let (mut flock, setup) = begin(shape, 300.0, sides, &rules);
        if loaded {
            (0..9).for_each(|_| flock.step(&mut Scratch::new()));
        }
        let start = SessionStart::of(&flock, !loaded);
        let first = start.tick();
        let mut played = Played::new(flock, start, budget);
        for (edit, (kind, ticks, target)) in edits.iter().zip(commands) {
            match kind {
                0..4 => prop_assert!(played.seek(first + target)),
                4 | 5 => {
                    // Saved on the way to another tick.
                    played.session.seek(first + target);
                    played.session.work(&mut played.scratch).unwrap();
                    prop_assert!(played.saves());
                    played.finish();
                    prop_assert!(played.is_as_before());
                }
                6..9 => prop_assert!(played.undo(Direction::Undo)),
                9..11 => prop_assert!(played.undo(Direction::Redo)),
                11..14 => {
                    let pointer = edit.pointer(played.session.flock(), shape);
                    played.apply(pointer);
                }
                14 => played.apply(Command::Replace(Box::new(setup.clone()))),
                _ => {
                    let command = edit.command(played.session.flock(), shape);
                    played.apply(command);
                }
            }
            for _ in 0..ticks {
                prop_assert!(played.step());
            }
            prop_assert!(played.session.history_bytes() <= budget);
        }
        let last = played.last();
        prop_assert!([last, first, last, u64::midpoint(first, last)].iter().all(|tick| played.seek(*tick)));
        let (log, hash) = played.session.log_and_hash();
        let log = written_and_read(&log, hash.unwrap());
        let mut replay = Session::open(log, 0).unwrap();
        replay.finish(&mut played.scratch).unwrap();
        for (tick, expected) in played.states {
            while replay.position().tick < tick {
                replay.advance(&mut played.scratch).unwrap();
            }
            prop_assert_eq!((replay.position().tick, state(replay.flock())), (tick, expected));
        }
        prop_assert_eq!((replay.position().tick, replay.divergence()), (last, None));
    }
}
