//! Contract: a session that is written to a file and read back gives the same states, bit for bit, whatever the commands, and
//! also after going back.

use std::path::Path;

use crate::random_worlds::{begin, edits};
use flockscope::config::Preset;
use flockscope::export::session::{read_from, write};
use flockscope::sim::{Command, Flock, Scratch, SessionLog, SessionReplay, SessionStart};
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn random_sessions_replay_bit_for_bit(
        shape in 0_u8..3,
        sides in [0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0],
        rules in edits(30),
        loaded in any::<bool>(),
        commands in prop::collection::vec((0_u8..30, 1_u64..24), 20),
        edits in edits(20),
    ) {
        let mut scratch = Scratch::new();
        let (mut flock, setup) = begin(shape, 300.0, sides, &rules);
        if loaded {
            (0..9).for_each(|_| flock.step(&mut scratch));
        }
        let mut log = SessionLog::new(SessionStart::of(&flock, !loaded));
        // The flock at ticks to go back to, with the commands at those ticks.
        let mut past: Vec<(u64, Flock)> = Vec::new();
        let mut states = Vec::new();
        for (edit, (kind, ticks)) in edits.iter().zip(commands) {
            let back = (kind == 0).then(|| past.pop()).flatten();
            if let Some((tick, before)) = back {
                flock = before;
                log.rewind(tick);
                states.retain(|(at, _)| *at <= tick);
            }
            let command =
                if kind == 1 { Command::Replace(Box::new(setup.clone())) } else { edit.command(&flock, shape) };
            if flock.apply(&command).is_ok() {
                log.record(command);
            }
            past.push((log.tick(), flock.clone()));
            states.retain(|(at, _)| *at < log.tick());
            states.push((log.tick(), state(&flock)));
            for _ in 0..ticks {
                flock.step(&mut scratch);
                log.record_tick(&flock);
                states.push((log.tick(), state(&flock)));
            }
        }
        let log = written_and_read(&log, flock.session_hash());
        let mut replay = SessionReplay::new(&log).unwrap();
        for (tick, expected) in states {
            while replay.tick() < tick {
                replay.step(&mut scratch).unwrap();
            }
            prop_assert_eq!((replay.tick(), state(replay.flock())), (tick, expected));
        }
        prop_assert_eq!((replay.tick(), replay.divergence()), (log.tick(), None));
    }
}
