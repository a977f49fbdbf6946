//! The recent past of a flock, to step back in time.
//!
//! The history keeps a snapshot every few ticks, and all commands. A tick is deterministic, so the states between
//! snapshots can be replayed bit for bit.

use std::collections::VecDeque;

use crate::sim::{Command, Flock, Scratch};

/// Ticks between two snapshots.
const STRIDE: u64 = 32;
/// The most boids in all snapshots together: some 25 MB, or 35 MB in three dimensions. That is four minutes of 2000
/// boids.
const CAPACITY: usize = 1 << 20;
/// The size of a snapshot besides its agents, in boids.
const OVERHEAD: usize = 64;
/// Flocks with more agents have no history.
pub(super) const MAX_AGENTS: usize = CAPACITY / 8 - OVERHEAD;

/// Snapshots and commands.
#[derive(Debug, Default)]
pub(super) struct FlockHistory {
    /// Each as it was right after its tick, oldest first.
    snapshots: VecDeque<Flock>,
    /// The commands since the oldest snapshot, with the tick at which they were applied.
    commands: VecDeque<(u64, Command)>,
}

impl FlockHistory {
    /// Discards the history and starts again with a flock.
    pub(super) fn restart(&mut self, flock: &Flock) {
        (self.snapshots, self.commands) = Default::default();
        self.push_snapshot(flock);
    }

    /// Records a tick.
    pub(super) fn record_tick(&mut self, flock: &Flock) {
        if flock.tick().is_multiple_of(STRIDE) {
            self.push_snapshot(flock);
        }
    }

    /// Records a command that was applied at a tick.
    pub(super) fn record_command(&mut self, tick: u64, command: Command) {
        if !self.snapshots.is_empty() {
            self.commands.push_back((tick, command));
        }
    }

    /// The oldest tick on record; `None` if the flock is too large.
    pub(super) fn oldest_tick(&self) -> Option<u64> {
        self.snapshots.front().map(Flock::tick)
    }

    /// The flock at a tick, with the commands applied at that tick. Discards what came later. `None` if the tick is
    /// not on record.
    pub(super) fn rewind(&mut self, tick: u64, scratch: &mut Scratch) -> Option<Flock> {
        let last = self.snapshots.iter().rposition(|snapshot| snapshot.tick() <= tick)?;
        self.snapshots.truncate(last + 1);
        self.commands.retain(|(at, _)| *at <= tick);
        let mut between = Vec::new();
        let flock = self.replay(last, tick, scratch, |flock| between.push(flock.clone()));
        // Another step back is likely to follow.
        if self.snapshots.len() + between.len() <= CAPACITY / size(&flock) {
            self.snapshots.extend(between.into_iter().skip(1));
        }
        Some(flock)
    }

    /// Calls `visit` with the flock at each of the `ticks` before a tick.
    pub(super) fn visit_before(&self, tick: u64, ticks: u64, scratch: &mut Scratch, mut visit: impl FnMut(&Flock)) {
        let from = tick.saturating_sub(ticks);
        let first = self.snapshots.iter().rposition(|snapshot| snapshot.tick() <= from).unwrap_or(0);
        if self.snapshots.get(first).is_some_and(|snapshot| snapshot.tick() < tick) {
            self.replay(first, tick, scratch, |flock| {
                if (from..tick).contains(&flock.tick()) {
                    visit(flock);
                }
            });
        }
    }

    /// Replays from a snapshot to a tick. Calls `visit` with the flock at each tick, before that tick's commands.
    fn replay(&self, snapshot: usize, tick: u64, scratch: &mut Scratch, mut visit: impl FnMut(&Flock)) -> Flock {
        let mut flock = self.snapshots[snapshot].clone();
        let start = flock.tick();
        let mut commands = self.commands.iter().skip_while(|(at, _)| *at < start).peekable();
        loop {
            visit(&flock);
            let now = flock.tick();
            while let Some((_, command)) = commands.next_if(|(at, _)| *at == now) {
                // It succeeded the first time, so it succeeds again.
                let _ = flock.apply(command);
            }
            if flock.tick() >= tick {
                return flock;
            }
            flock.step(scratch);
        }
    }

    fn push_snapshot(&mut self, flock: &Flock) {
        let most = if flock.agents().len() > MAX_AGENTS { 0 } else { CAPACITY / size(flock) };
        while self.snapshots.len() >= most.max(1) {
            self.snapshots.pop_front();
        }
        if most > 0 {
            self.snapshots.push_back(flock.clone());
        }
        let oldest = self.oldest_tick().unwrap_or(u64::MAX);
        while self.commands.front().is_some_and(|(at, _)| *at < oldest) {
            self.commands.pop_front();
        }
    }
}

/// The size of a snapshot, in boids.
fn size(flock: &Flock) -> usize {
    flock.agents().len() + OVERHEAD
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Pointer, Value};

    fn command_at(tick: u64) -> Option<Command> {
        Some(match tick {
            40 | 150 => Command::SetParam("cohesion.weight".into(), Value::Number(0.001 * tick as f32)),
            64 => Command::SetBoids(90),
            65 => Command::SetPredators(5),
            100..120 => {
                Command::SetPointer(Some(Pointer { at: [tick as f32, 50.0, 0.0], along: [0.0; 3], attracts: true }))
            }
            120 => Command::SetPointer(None),
            _ => return None,
        })
    }

    /// Runs and records 200 ticks with commands. Returns the hash after each tick and its command.
    fn run(flock: &mut Flock, history: &mut FlockHistory, scratch: &mut Scratch) -> Vec<u64> {
        let mut hashes = vec![flock.hash()];
        for _ in 0..200 {
            flock.step(scratch);
            history.record_tick(flock);
            if let Some(command) = command_at(flock.tick()) {
                flock.apply(&command).unwrap();
                history.record_command(flock.tick(), command);
            }
            hashes.push(flock.hash());
        }
        hashes
    }

    fn start() -> (Flock, FlockHistory) {
        let flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 1.6)).unwrap();
        let mut history = FlockHistory::default();
        history.restart(&flock);
        (flock, history)
    }

    #[test]
    fn every_tick_is_restored_bit_for_bit() {
        let (mut scratch, (mut flock, mut history)) = (Scratch::new(), start());
        let hashes = run(&mut flock, &mut history, &mut scratch);
        for tick in (0..200).rev() {
            flock = history.rewind(tick, &mut scratch).unwrap();
            assert_eq!((flock.tick(), flock.hash()), (tick, hashes[tick as usize]));
        }
        assert_eq!(run(&mut flock, &mut history, &mut scratch), hashes);
        // By several ticks, and to ticks with commands.
        for tick in [150, 149, 110, 65, 64, 33, 1] {
            flock = history.rewind(tick, &mut scratch).unwrap();
            assert_eq!(flock.hash(), hashes[tick as usize], "{tick}");
        }
        assert_eq!(history.commands.len(), 0);
    }

    #[test]
    fn ticks_before_another_are_visited_in_order() {
        let (mut scratch, (mut flock, mut history)) = (Scratch::new(), start());
        let hashes = run(&mut flock, &mut history, &mut scratch);
        let mut seen = Vec::new();
        history.visit_before(39, 6, &mut scratch, |flock| seen.push((flock.tick(), flock.hash())));
        assert_eq!(seen, (33..39).map(|tick| (tick, hashes[tick as usize])).collect::<Vec<_>>());
    }

    #[test]
    fn capacity_is_bounded_and_large_flocks_have_no_history() {
        let (mut flock, mut history) = start();
        flock.apply(&Command::SetBoids(MAX_AGENTS / 2)).unwrap();
        for tick in 0..20 {
            history.record_command(tick, Command::SetBoids(1));
            history.push_snapshot(&flock);
        }
        assert_eq!(history.snapshots.len(), CAPACITY / size(&flock));
        flock.apply(&Command::SetBoids(2 * MAX_AGENTS)).unwrap();
        history.push_snapshot(&flock);
        assert_eq!((history.oldest_tick(), history.commands.len()), (None, 0));
        assert!(history.rewind(0, &mut Scratch::new()).is_none());
    }
}
