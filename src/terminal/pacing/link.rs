//! What is known of the way to the terminal: how long it is, how wide, and what is on it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Without an answer for so long the terminal is taken for one that never answers.
const SILENCE: Duration = Duration::from_secs(1);
/// Until the first answer comes, frames that nobody has acknowledged go out no faster than this.
const UNSURE: Duration = Duration::from_millis(100);
/// An answer that is overdue by so much will not come: the other end sleeps, or has gone.
const LOST: Duration = Duration::from_secs(2);
/// The other end is tried again so often.
const PROBE: Duration = Duration::from_secs(1);
/// What is on the way may take so much longer than the shortest way there and back.
const QUEUE: Duration = Duration::from_millis(100);
/// The shortest way is forgotten after so long: networks change.
const MEMORY: Duration = Duration::from_secs(60);
/// Over how many answers the rate is taken.
const SAMPLES: usize = 8;
/// What says too little about the rate.
const SMALL: usize = 500;

/// A frame that has not been acknowledged.
#[derive(Clone, Copy, Debug)]
struct Sent {
    row: u16,
    bytes: usize,
    at: Instant,
}

/// Whether the other end acknowledges frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplyMode {
    /// Nothing has come yet since then.
    Unknown(Instant),
    Answers,
    Silent,
}

/// What an answer's row tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowReports {
    Unknown,
    /// The frame, which asked at that row; so one that comes twice is known.
    Rows,
    /// Nothing: whatever stands between answers for the terminal. Answers are only counted.
    Nothing,
}

/// The way to the terminal and back.
#[derive(Debug)]
pub(crate) struct Link {
    /// Whether answers would be heard.
    hears: bool,
    habit: ReplyMode,
    telling: RowReports,
    /// The most frames a second.
    fps: f32,
    under_way: VecDeque<Sent>,
    last_sent: Option<Instant>,
    last_answer: Option<Instant>,
    /// The shortest way there and back, and when it was found.
    shortest: Option<(Duration, Instant)>,
    /// Bytes, and the time they took.
    samples: VecDeque<(usize, Duration)>,
    next_row: u16,
}

impl Link {
    pub(crate) fn new(fps: f32, now: Instant) -> Self {
        Self {
            hears: true,
            habit: ReplyMode::Unknown(now),
            telling: RowReports::Unknown,
            fps,
            under_way: VecDeque::new(),
            last_sent: None,
            last_answer: None,
            shortest: None,
            samples: VecDeque::new(),
            // From the first one comes also what tells nothing.
            next_row: 1,
        }
    }

    /// One whose answers nobody would hear.
    pub(crate) fn deaf(fps: f32, now: Instant) -> Self {
        Self { hears: false, ..Self::new(fps, now) }
    }

    /// At most so many frames a second from now on.
    pub(crate) fn set_fps(&mut self, fps: f32) {
        self.fps = fps;
    }

    /// Nothing is under way any more, and nothing that was will be answered. Who never answered may be another now.
    pub(crate) fn forget(&mut self, now: Instant) {
        self.under_way.clear();
        if self.habit == ReplyMode::Silent {
            self.habit = ReplyMode::Unknown(now);
        }
    }

    /// The screen has other rows now, so answers tell others than were asked at.
    pub(crate) fn resize(&mut self) {
        if self.telling != RowReports::Nothing {
            self.under_way.clear();
        }
    }

    /// The row at which the next frame asks for an answer, on a screen of so many rows; none where nobody answers.
    pub(crate) fn ask_at(&self, rows: u16) -> Option<u16> {
        (self.hears && self.habit != ReplyMode::Silent).then_some(self.next_row % rows.max(1))
    }

    /// A frame has gone out that asks for an answer at this row, or asks for none.
    pub(crate) fn sent(&mut self, bytes: usize, row: Option<u16>, now: Instant) {
        self.last_sent = Some(now);
        if let Some(row) = row {
            self.under_way.push_back(Sent { row, bytes, at: now });
            self.next_row = self.next_row.wrapping_add(1);
        }
    }

    /// An answer has come from this row. One that nobody waits for says nothing.
    pub(crate) fn answered(&mut self, row: u16, now: Instant) {
        let Some(place) = self.meant(row, now) else { return };
        let is_first = self.habit != ReplyMode::Answers;
        self.habit = ReplyMode::Answers;
        let Some(sent) = self.under_way.drain(..=place).next_back() else { return };
        self.learn(sent, now, is_first);
        self.last_answer = Some(now);
    }

    /// Which frame an answer from this row acknowledges.
    fn meant(&mut self, row: u16, now: Instant) -> Option<usize> {
        let last = self.under_way.len().checked_sub(1)?;
        let place = self.under_way.iter().position(|sent| sent.row == row);
        if self.habit == ReplyMode::Silent && place.is_none() {
            // A key that looks like an answer.
            return None;
        }
        if self.is_lost(now) && (self.telling != RowReports::Rows || place.is_none()) {
            // Answers have gone for good, and counting those that come would be off by them from now on.
            self.telling = RowReports::Unknown;
            return Some(last);
        }
        match (self.telling, place) {
            (RowReports::Rows, place) => place,
            (RowReports::Nothing, _) => Some(0),
            (RowReports::Unknown, Some(place)) => {
                if row > 0 {
                    self.telling = RowReports::Rows;
                }
                Some(place)
            }
            (RowReports::Unknown, None) => {
                self.telling = RowReports::Nothing;
                Some(0)
            }
        }
    }

    /// Whether what is under way will not be answered any more.
    fn is_lost(&self, now: Instant) -> bool {
        let since = |then: Instant| now.saturating_duration_since(then);
        let overdue = |sent: &Sent| since(sent.at) > LOST + self.shortest();
        self.habit == ReplyMode::Answers
            && self.under_way.front().is_some_and(overdue)
            && self.last_answer.is_none_or(|answer| since(answer) > LOST)
    }

    /// Learns how long the way is, and how wide; of the first answer of all nobody knows which of the two took the time.
    fn learn(&mut self, sent: Sent, now: Instant, is_first: bool) {
        let trip = now.saturating_duration_since(sent.at);
        // Until then the frame had to wait for what was before it, or was on its way.
        let arrived = sent.at + self.shortest();
        let began = self.last_answer.map_or(arrived, |answer| arrived.max(answer));
        if sent.bytes >= SMALL && !is_first {
            let took = now.saturating_duration_since(began).max(Duration::from_micros(200));
            self.samples.push_back((sent.bytes, took));
            if self.samples.len() > SAMPLES {
                self.samples.pop_front();
            }
        }
        let way =
            self.width().map_or(trip, |rate| trip.saturating_sub(Duration::from_secs_f64(sent.bytes as f64 / rate)));
        if self.shortest.is_none_or(|(shortest, found)| way < shortest || now - found > MEMORY) {
            self.shortest = Some((way, now));
        }
    }

    fn shortest(&self) -> Duration {
        self.shortest.map_or(Duration::ZERO, |(shortest, _)| shortest)
    }

    /// Bytes a second, as measured.
    fn rate(&self) -> Option<f64> {
        let bytes: usize = self.samples.iter().map(|(bytes, _)| bytes).sum();
        let time: Duration = self.samples.iter().map(|(_, time)| *time).sum();
        (bytes > 0).then(|| bytes as f64 / time.as_secs_f64())
    }

    /// Bytes a second at their quickest: how wide the way is at least. The mean tells no more than what was sent, and
    /// less after a standstill.
    fn width(&self) -> Option<f64> {
        let rates = self.samples.iter().map(|(bytes, time)| *bytes as f64 / time.as_secs_f64());
        rates.max_by(f64::total_cmp)
    }

    /// CellAttrs many frames may be under way.
    fn room(&self) -> usize {
        ((self.fps * self.shortest().as_secs_f32()).ceil() as usize + 1).max(2)
    }

    /// CellAttrs long a frame of about this size waits before it is worth asking again; `None` where it may go.
    pub(crate) fn wait(&mut self, bytes: usize, now: Instant) -> Option<Duration> {
        /// Answers come between two looks.
        const SOON: Duration = Duration::from_millis(50);
        let since = |then: Option<Instant>| then.map_or(Duration::MAX, |then| now.saturating_duration_since(then));
        if self.under_way.is_empty() {
            return None;
        }
        match self.habit {
            ReplyMode::Silent => None,
            ReplyMode::Unknown(start) if now.saturating_duration_since(start) >= SILENCE => {
                // What is under way may be answered yet: then the way is just that long.
                self.habit = ReplyMode::Silent;
                None
            }
            ReplyMode::Unknown(_) => {
                let rest = UNSURE.saturating_sub(since(self.last_sent));
                (self.under_way.len() >= 2 && !rest.is_zero()).then_some(rest)
            }
            ReplyMode::Answers if self.is_lost(now) => {
                let rest = PROBE.saturating_sub(since(self.last_sent));
                (!rest.is_zero()).then_some(rest)
            }
            ReplyMode::Answers => {
                let on_the_way: usize = self.under_way.iter().map(|sent| sent.bytes).sum();
                let time = (self.shortest() + QUEUE).as_secs_f64();
                let full = self.rate().is_some_and(|rate| (on_the_way + bytes) as f64 > rate * time);
                (full || self.under_way.len() >= self.room()).then_some(SOON)
            }
        }
    }

    /// CellAttrs long it is worth waiting for answers that are still to come.
    pub(crate) fn outstanding(&self) -> Option<Duration> {
        match self.habit {
            _ if self.under_way.is_empty() => None,
            ReplyMode::Silent => None,
            // They may be on their way, and nobody knows how long that is.
            ReplyMode::Unknown(_) | ReplyMode::Answers => Some(SILENCE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Flies frames of 10 KB over a way of this length and width for ten seconds; returns frames a
    /// second and the longest that a frame was under way, after the first second.
    fn fly(round_trip: Duration, rate: f64, fps: f32) -> (f32, Duration) {
        const FRAME: usize = 10_000;
        let start = Instant::now();
        let mut link = Link::new(fps, start);
        link.sent(100, link.ask_at(40), start);
        let mut coming = VecDeque::from([(start + round_trip, 0_u16, start)]);
        let (mut free, mut frames, mut longest) = (start, 0, Duration::ZERO);
        let mut next = start;
        for step in 0..10_000 {
            let now = start + ms(step);
            while coming.front().is_some_and(|(at, ..)| *at <= now) {
                let (at, row, sent) = coming.pop_front().unwrap();
                link.answered(row, now);
                if step > 1000 {
                    longest = longest.max(at - sent);
                }
            }
            if now >= next && link.wait(FRAME, now).is_none() {
                let row = link.ask_at(40).unwrap();
                link.sent(FRAME, Some(row), now);
                free = free.max(now) + Duration::from_secs_f64(FRAME as f64 / rate);
                coming.push_back((free + round_trip, row, now));
                next += Duration::from_secs_f32(1.0 / fps);
                next = next.max(now);
                frames += 1;
            }
        }
        (frames as f32 / 10.0, longest)
    }

    #[test]
    fn a_wide_way_carries_all_frames_however_long_it_is() {
        assert!(fly(ms(40), 2e6, 30.0).0 > 28.0);
        assert!(fly(ms(180), 2e6, 30.0).0 > 27.0);
    }

    #[test]
    fn nothing_piles_up_on_a_narrow_way() {
        let (frames, longest) = fly(ms(40), 1e5, 60.0);
        assert!(frames > 6.0 && longest < ms(260), "{frames} {longest:?}");
    }

    #[test]
    fn a_standstill_and_ways_that_waver_leave_a_wide_way_as_it_was() {
        for (round_trip, stall) in [(100, 3000..4000), (50, 3000..4000), (200, 3000..4000), (200, 0..0)] {
            let start = Instant::now();
            let mut link = Link::new(30.0, start);
            link.sent(100, link.ask_at(40), start);
            let mut coming = VecDeque::from([(round_trip, 1_u16)]);
            let (mut sent, mut next) = (Vec::new(), 0);
            for step in 0..40_000_u64 {
                let now = start + ms(step);
                while !stall.contains(&step) && coming.front().is_some_and(|(at, _)| *at <= step) {
                    link.answered(coming.pop_front().unwrap().1, now);
                }
                // Frames are of many sizes.
                let bytes = 4000 + step as usize * 7919 % 9000;
                if step >= next && link.wait(bytes, now).is_none() {
                    let row = link.ask_at(40).unwrap();
                    link.sent(bytes, Some(row), now);
                    coming.push_back((step + round_trip + step * 31 % 9, row));
                    sent.push(step);
                    next = step + 33;
                }
            }
            let last = sent.iter().filter(|step| **step >= 30_000).count();
            assert!(last > 270, "{round_trip} {stall:?}: {last} in ten seconds");
        }
    }

    #[test]
    fn a_screen_with_other_rows_waits_for_no_answer_from_those_it_had() {
        let start = Instant::now();
        let mut link = Link::new(30.0, start);
        link.sent(1000, link.ask_at(60), start);
        link.answered(1, start + ms(20));
        for frame in 0..2 {
            link.sent(1000, Some(50 + frame), start + ms(40));
        }
        assert!(link.wait(1000, start + ms(60)).is_some());
        link.resize();
        assert_eq!(link.wait(1000, start + ms(60)), None);
    }

    #[test]
    fn one_who_never_answers_is_sent_all_after_a_second() {
        let start = Instant::now();
        let mut link = Link::new(60.0, start);
        let mut sent = 0;
        for step in 0..100 {
            let now = start + ms(step * 10);
            if link.wait(1000, now).is_none() {
                link.sent(1000, link.ask_at(24), now);
                sent += 1;
            }
        }
        assert!((10..=12).contains(&sent), "{sent}");
        let later = start + ms(1100);
        assert_eq!((link.wait(1000, later), link.ask_at(24)), (None, None));
    }

    #[test]
    fn answers_that_come_twice_or_of_nothing_are_let_go() {
        let start = Instant::now();
        let mut link = Link::new(60.0, start);
        for frame in 0..3 {
            link.sent(1000, link.ask_at(24), start + ms(frame));
        }
        link.answered(1, start + ms(50));
        link.answered(1, start + ms(50));
        link.answered(2, start + ms(51));
        link.answered(2, start + ms(52));
        link.answered(17, start + ms(53));
        assert_eq!(link.under_way.len(), 1);
        // A later answer speaks for those before it.
        link.sent(1000, link.ask_at(24), start + ms(54));
        link.answered(4, start + ms(60));
        assert!(link.under_way.is_empty());
    }

    #[test]
    fn one_who_answers_the_same_each_time_is_counted() {
        let start = Instant::now();
        let mut link = Link::new(60.0, start);
        for frame in 0..5 {
            link.sent(1000, link.ask_at(24), start + ms(frame));
        }
        (0..4).for_each(|answer| link.answered(0, start + ms(40 + answer)));
        assert_eq!(link.under_way.len(), 1);
    }

    /// Sends a frame each 33 ms where it may go, and answers each from the row that `answer` tells, 10 ms later; returns
    /// in which milliseconds frames went out.
    fn converse(answer: impl Fn(u64, u16) -> Option<u16>) -> Vec<u64> {
        let start = Instant::now();
        let mut link = Link::new(30.0, start);
        let (mut coming, mut sent, mut next) = (VecDeque::new(), Vec::new(), 0);
        for step in 0..12_000 {
            while coming.front().is_some_and(|(at, _)| *at <= step) {
                link.answered(coming.pop_front().unwrap().1, start + ms(step));
            }
            if step >= next && link.wait(1000, start + ms(step)).is_none() {
                let row = link.ask_at(40).unwrap();
                link.sent(1000, Some(row), start + ms(step));
                coming.extend(answer(step, row).map(|row| (step + 10, row)));
                sent.push(step);
                next = step + 33;
            }
        }
        sent
    }

    /// CellAttrs many frames went out in the last five seconds.
    fn at_last(sent: &[u64]) -> usize {
        sent.iter().filter(|step| **step >= 7000).count()
    }

    #[test]
    fn answers_that_went_lost_hold_up_nothing_for_long() {
        let is_lost = |step| (1000..1100).contains(&step);
        for tells in [true, false] {
            let sent = converse(|step, row| (!is_lost(step)).then_some(if tells { row } else { 0 }));
            let longest = sent.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
            assert!(at_last(&sent) > 140 && longest < 3100, "{tells} {} {longest}", at_last(&sent));
        }
    }

    #[test]
    fn who_begins_or_ceases_to_tell_rows_is_understood() {
        // The first answers of all are the ones that most likely go lost.
        for lost in 1..4 {
            let sent = converse(|step, row| (step >= lost * 34).then_some(row));
            assert!(at_last(&sent) > 140, "{lost} {}", at_last(&sent));
        }
        for row in [0, 7] {
            let ceases = converse(|step, own| Some(if step < 3000 { own } else { row }));
            let begins = converse(|step, own| Some(if step < 3000 { row } else { own }));
            assert!(at_last(&ceases) > 140 && at_last(&begins) > 140, "{} {}", at_last(&ceases), at_last(&begins));
        }
    }

    #[test]
    fn who_answers_later_than_silence_lasts_is_paced_all_the_same() {
        let start = Instant::now();
        let mut link = Link::new(30.0, start);
        let (mut coming, mut longest) = (VecDeque::new(), 0);
        for step in 0..20_000 {
            let now = start + ms(step);
            while coming.front().is_some_and(|(at, _)| *at <= step) {
                link.answered(coming.pop_front().unwrap().1, now);
            }
            if step % 33 == 0 && link.wait(1000, now).is_none() {
                let row = link.ask_at(40);
                link.sent(1000, row, now);
                coming.extend(row.map(|row| (step + 1500, row)));
            }
            if step > 6000 {
                assert_eq!(link.habit, ReplyMode::Answers);
                longest = longest.max(link.under_way.len());
            }
        }
        assert!((30..60).contains(&longest), "{longest}");
    }

    #[test]
    fn whose_answers_nobody_hears_is_never_asked() {
        let start = Instant::now();
        let mut link = Link::deaf(30.0, start);
        for step in 0..100 {
            let now = start + ms(step * 33);
            assert_eq!((link.wait(1000, now), link.ask_at(24)), (None, None));
            link.sent(1000, None, now);
        }
        link.forget(start + ms(4000));
        assert_eq!(link.ask_at(24), None);
    }

    #[test]
    fn who_was_held_up_and_answers_all_at_once_is_understood_as_before() {
        let start = Instant::now();
        let mut link = Link::new(30.0, start);
        link.sent(1000, link.ask_at(40), start);
        link.answered(1, start + ms(10));
        let mut held = Vec::new();
        for step in 1..300 {
            let now = start + ms(step * 33);
            if link.wait(1000, now).is_none() {
                held.extend(link.ask_at(40));
                link.sent(1000, link.ask_at(40), now);
            }
        }
        assert!((5..15).contains(&held.len()), "{held:?}");
        // The next frame goes out between two of the answers.
        let now = start + ms(10_000);
        let (some, others) = held.split_at(3);
        for row in some {
            link.answered(*row, now);
        }
        link.sent(1000, link.ask_at(40), now);
        for row in others {
            link.answered(*row, now);
        }
        assert_eq!((link.telling, link.under_way.len()), (RowReports::Rows, 1));
    }

    #[test]
    fn one_who_falls_silent_is_asked_once_a_second() {
        let start = Instant::now();
        let mut link = Link::new(60.0, start);
        link.sent(1000, link.ask_at(24), start);
        link.answered(1, start + ms(20));
        let sent = (0..1000).filter(|step| {
            let now = start + ms(20 + step * 10);
            let goes = link.wait(1000, now).is_none();
            if goes {
                link.sent(1000, link.ask_at(24), now);
            }
            goes
        });
        assert!((8..=12).contains(&sent.count()));
    }
}
