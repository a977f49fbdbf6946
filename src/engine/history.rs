//! What has been flown: the flock as it was a tick ago, and before.
//!
//! A flock is kept every so many ticks, and what was done to it is noted. Its next state follows from the last one, so
//! every tick between can be flown again, and is the same to the bit.

use std::collections::VecDeque;

use crate::sim::{Command, Flock, Scratch};

/// How many ticks lie between two flocks that are kept.
const STRIDE: u64 = 32;
/// How many boids are kept in all, which takes some 25 MB, 35 in three dimensions: four minutes of 2000 boids.
const ROOM: usize = 1 << 20;
/// Larger flocks are not kept: a million boids fly in the memory that a million boids need.
const LARGEST: usize = ROOM / 8;

/// The ticks that can be gone back to.
#[derive(Debug, Default)]
pub(crate) struct FlockHistory {
    /// As they were when their tick had been flown, the earliest first.
    kept: VecDeque<Flock>,
    /// What was done since to which tick, in its order.
    done: VecDeque<(u64, Command)>,
}

impl FlockHistory {
    /// Forgets all, and begins with a flock.
    pub(crate) fn begin(&mut self, flock: &Flock) {
        (self.kept, self.done) = Default::default();
        self.keep(flock);
    }

    /// A tick has been flown.
    pub(crate) fn flown(&mut self, flock: &Flock) {
        if flock.tick().is_multiple_of(STRIDE) {
            self.keep(flock);
        }
    }

    /// Something was done to a flock, which was at this tick.
    pub(crate) fn done(&mut self, tick: u64, command: Command) {
        if !self.kept.is_empty() {
            self.done.push_back((tick, command));
        }
    }

    /// The earliest tick that is known.
    pub(crate) fn earliest(&self) -> Option<u64> {
        self.kept.front().map(Flock::tick)
    }

    /// The flock as it was when it left this tick; what came after is forgotten. None where that tick is not known.
    pub(crate) fn back(&mut self, tick: u64, scratch: &mut Scratch) -> Option<Flock> {
        let last = self.kept.iter().rposition(|kept| kept.tick() <= tick)?;
        self.kept.truncate(last + 1);
        self.done.retain(|(at, _)| *at <= tick);
        let mut between = Vec::new();
        let flock = self.fly(last, tick, scratch, |flock| between.push(flock.clone()));
        // Who goes back by one tick goes back by more.
        if self.kept.len() + between.len() <= ROOM / size(&flock) {
            self.kept.extend(between.into_iter().skip(1));
        }
        Some(flock)
    }

    /// Flies again from so many ticks before this one, and shows each.
    pub(crate) fn watch(&self, tick: u64, ticks: u64, scratch: &mut Scratch, mut see: impl FnMut(&Flock)) {
        let from = tick.saturating_sub(ticks);
        let first = self.kept.iter().rposition(|kept| kept.tick() <= from).unwrap_or(0);
        if self.kept.get(first).is_some_and(|kept| kept.tick() < tick) {
            self.fly(first, tick, scratch, |flock| {
                if (from..tick).contains(&flock.tick()) {
                    see(flock);
                }
            });
        }
    }

    /// Flies one of those that are kept to a tick again, with all that was done; `see` sees each tick as it was flown.
    fn fly(&self, kept: usize, tick: u64, scratch: &mut Scratch, mut see: impl FnMut(&Flock)) -> Flock {
        let mut flock = self.kept[kept].clone();
        let begun = flock.tick();
        let mut done = self.done.iter().skip_while(|(at, _)| *at < begun).peekable();
        loop {
            see(&flock);
            let now = flock.tick();
            while let Some((_, command)) = done.next_if(|(at, _)| *at == now) {
                // What was allowed then is allowed to the same flock again.
                let _ = flock.apply(command);
            }
            if flock.tick() >= tick {
                return flock;
            }
            flock.step(scratch);
        }
    }

    fn keep(&mut self, flock: &Flock) {
        let most = if size(flock) > LARGEST { 0 } else { ROOM / size(flock) };
        while self.kept.len() >= most.max(1) {
            self.kept.pop_front();
        }
        if most > 0 {
            self.kept.push_back(flock.clone());
        }
        let earliest = self.earliest().unwrap_or(u64::MAX);
        while self.done.front().is_some_and(|(at, _)| *at < earliest) {
            self.done.pop_front();
        }
    }
}

/// How many boids there are, and some for all else.
fn size(flock: &Flock) -> usize {
    flock.agents().len() + 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Preset;
    use crate::sim::{Pointer, Value};

    /// What may be done at each tick.
    fn deed(tick: u64) -> Option<Command> {
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

    /// Flies `ticks` more ticks with all deeds, and notes the hash with which each tick is left.
    fn fly(flock: &mut Flock, past: &mut FlockHistory, ticks: u64, scratch: &mut Scratch) -> Vec<u64> {
        let mut hashes = vec![flock.hash()];
        for _ in 0..ticks {
            flock.step(scratch);
            past.flown(flock);
            if let Some(deed) = deed(flock.tick()) {
                flock.apply(&deed).unwrap();
                past.done(flock.tick(), deed);
            }
            hashes.push(flock.hash());
        }
        hashes
    }

    /// Drones after 200 ticks with all deeds, and the hash with which each tick was left.
    fn flown(scratch: &mut Scratch) -> (Flock, FlockHistory, Vec<u64>) {
        let mut flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 1.6)).unwrap();
        let mut past = FlockHistory::default();
        past.begin(&flock);
        let hashes = fly(&mut flock, &mut past, 200, scratch);
        (flock, past, hashes)
    }

    #[test]
    fn every_tick_comes_back_as_it_was_left_and_flies_on_as_it_did() {
        let mut scratch = Scratch::new();
        let (mut flock, mut past, hashes) = flown(&mut scratch);
        for tick in (0..200).rev() {
            flock = past.back(tick, &mut scratch).unwrap();
            assert_eq!((flock.tick(), flock.hash()), (tick, hashes[tick as usize]));
        }
        assert_eq!(fly(&mut flock, &mut past, 200, &mut scratch), hashes);
        // By more than one tick, and into what was changed at the last one.
        for tick in [150, 149, 110, 65, 64, 33, 1] {
            flock = past.back(tick, &mut scratch).unwrap();
            assert_eq!(flock.hash(), hashes[tick as usize], "{tick}");
        }
        assert_eq!(past.done.len(), 0);
    }

    #[test]
    fn what_was_before_is_seen_again_up_to_the_tick() {
        let mut scratch = Scratch::new();
        let (_, past, hashes) = flown(&mut scratch);
        let mut seen = Vec::new();
        past.watch(39, 6, &mut scratch, |flock| seen.push((flock.tick(), flock.hash())));
        assert_eq!(seen, (33..39).map(|tick| (tick, hashes[tick as usize])).collect::<Vec<_>>());
    }

    #[test]
    fn the_past_of_a_day_takes_no_more_room_than_there_is_and_large_flocks_have_none() {
        let mut past = FlockHistory::default();
        let mut flock = Flock::new(&Preset::load("drones").unwrap().setup(7, 1.6)).unwrap();
        past.begin(&flock);
        flock.apply(&Command::SetBoids(LARGEST / 2)).unwrap();
        for tick in 0..20 {
            past.done(tick, Command::SetBoids(1));
            past.keep(&flock);
        }
        assert_eq!(past.kept.len(), ROOM / size(&flock));
        flock.apply(&Command::SetBoids(2 * LARGEST)).unwrap();
        past.keep(&flock);
        assert_eq!((past.earliest(), past.done.len()), (None, 0));
        assert!(past.back(0, &mut Scratch::new()).is_none());
    }
}
