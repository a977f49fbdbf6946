//! Contract: a session that is written to a file and read back gives the same states, bit for bit, whatever the commands, and
//! every tick of a session is reached bit for bit, in any order.

use std::collections::BTreeMap;
use std::path::Path;

use crate::random_worlds::{begin, edits};
use flockscope::config::Preset;
use flockscope::export::session::{read_from, write};
use flockscope::sim::{Command, Flock, Scratch, SessionLog, SessionPlayer, SessionReplay, SessionStart, SharedLog};
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
    write((&preset, preset.rate), log, Some(hash), &mut file).unwrap();
    let read = read_from(&file[..], Path::new("a.flock")).unwrap();
    assert!(!read.truncated);
    read.log
}

/// A session that is played, and the state at each of its ticks as it was when the tick was first reached.
struct Played {
    player: SessionPlayer,
    states: BTreeMap<u64, String>,
    /// What each branch replaced, with the tick at which it begins.
    replaced: Vec<(u64, BTreeMap<u64, String>)>,
    scratch: Scratch,
}

impl Played {
    fn new(flock: Flock, start: SessionStart, budget: usize) -> Self {
        let log = SharedLog::new(SessionLog::new(start));
        let mut new = Self {
            player: SessionPlayer::new(flock, log, budget),
            states: BTreeMap::new(),
            replaced: Vec::new(),
            scratch: Scratch::new(),
        };
        new.record();
        new
    }

    fn record(&mut self) {
        self.states.insert(self.player.tick(), state(self.player.flock()));
    }

    /// Whether the state is the one that this tick had before.
    fn is_as_before(&self) -> bool {
        self.states.get(&self.player.tick()) == Some(&state(self.player.flock()))
    }

    fn seek(&mut self, tick: u64) -> bool {
        let seek = self.player.seek(tick);
        self.player.finish(seek, &mut self.scratch);
        self.player.tick() == tick.min(self.player.ticks().1) && self.is_as_before()
    }

    fn apply(&mut self, command: Command) {
        let (tick, last) = (self.player.tick(), self.player.ticks().1);
        if self.player.apply(command).is_ok() {
            let later = self.states.split_off(&tick);
            if tick < last {
                self.replaced.push((tick, later));
            }
            self.record();
        }
    }

    fn step(&mut self) -> bool {
        let is_last = self.player.tick() == self.player.ticks().1;
        self.player.step(&mut self.scratch).unwrap();
        if is_last {
            self.record();
        }
        self.is_as_before()
    }

    /// Undoes the last branch, then does it again and undoes it once more.
    fn undo_branch(&mut self) -> bool {
        let Some((tick, states)) = self.replaced.pop() else { return true };
        let undone = self.player.undo_branch().unwrap();
        self.player.finish(undone, &mut self.scratch);
        let branch = std::mem::replace(&mut self.states, states.clone());
        let restored = self.player.tick() == tick && self.is_as_before();
        let again = self.player.redo_branch().unwrap();
        self.player.finish(again, &mut self.scratch);
        self.states = branch;
        let repeated = self.player.tick() == tick && self.is_as_before();
        let undone = self.player.undo_branch().unwrap();
        self.player.finish(undone, &mut self.scratch);
        self.states.split_off(&tick);
        self.states.extend(states);
        restored && repeated && self.is_as_before()
    }
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
        commands in prop::collection::vec((0_u8..20, 1_u64..24, 0_u64..300), 20),
        edits in edits(20),
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
                0..5 => prop_assert!(played.seek(first + target)),
                5 => prop_assert!(played.undo_branch()),
                6 => played.apply(Command::Replace(Box::new(setup.clone()))),
                _ => {
                    let command = edit.command(played.player.flock(), shape);
                    played.apply(command);
                }
            }
            for _ in 0..ticks {
                prop_assert!(played.step());
            }
            prop_assert!(played.player.history_bytes() <= budget);
        }
        let (_, last) = played.player.ticks();
        prop_assert!([last, first, last, u64::midpoint(first, last)].iter().all(|tick| played.seek(*tick)));
        let (log, hash) = played.player.snapshot();
        let log = written_and_read(&log, hash.unwrap());
        let mut replay = SessionReplay::new(&log).unwrap();
        for (tick, expected) in played.states {
            while replay.tick() < tick {
                replay.step(&mut played.scratch).unwrap();
            }
            prop_assert_eq!((replay.tick(), state(replay.flock())), (tick, expected));
        }
        prop_assert_eq!((replay.tick(), replay.divergence()), (last, None));
    }
}
