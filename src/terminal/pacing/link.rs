//! Estimates delay, rate and backlog of the link from acknowledgements.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Without any reply for this long, assume that the terminal never replies.
pub(crate) const SILENCE: Duration = Duration::from_secs(1);
/// Minimum time between frames until the first reply.
const AWAITED_INTERVAL: Duration = Duration::from_millis(100);
/// A reply overdue by this much is lost.
const LOST: Duration = Duration::from_secs(2);
/// Time between probes of a terminal that has stopped replying.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// The longest transmission time of one frame, or of one part of a larger frame.
const FRAME_TIME: Duration = Duration::from_millis(150);
/// The transmission time of what may still wait when the next frame goes out: it bridges jitter.
const BACKLOG: Duration = Duration::from_millis(30);
/// A reply that is late by this much shows that the link has become slower.
const GRACE: Duration = Duration::from_millis(100);
/// A link that carries nothing for longer may carry frames and lose replies.
const LONGEST_STALL: Duration = Duration::from_secs(6);
/// Bytes of a frame while the rate is unknown. At 40 KB/s they take 150 ms.
const FIRST_FRAME: usize = 6000;
/// The minimum bytes of a frame: a few rows.
const SMALLEST_BUDGET: usize = 1500;
/// The minimum round trip is taken over one to two times this time, since networks change.
const DELAY_MEMORY: Duration = Duration::from_secs(30);
/// Number of acknowledgements over which the rate is averaged.
const SAMPLES: usize = 6;
/// Acknowledgements of fewer bytes are not used to measure the rate.
const SMALLEST_SAMPLE: usize = 500;
/// The shortest transmission time that is measured reliably.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(200);
/// The most frames in flight, and so the most replies that may arrive after the end: with a round trip of 1 s, 16 frames per second.
const MAX_IN_FLIGHT: usize = 16;
/// How long a reply may take. At the end it is waited for, or the shell would read it as typed text.
const LONGEST_ROUND_TRIP: Duration = Duration::from_millis(2800);
/// How soon to look again while frames are in flight. Acknowledgements usually come sooner.
const RECHECK: Duration = Duration::from_millis(50);

/// A frame that has not been acknowledged.
#[derive(Clone, Copy, Debug)]
struct InFlight {
    row: u16,
    bytes: usize,
    at: Instant,
}

/// What the terminal's cursor reports are worth as acknowledgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replies {
    /// They cannot be read, so none is requested.
    NotReadable,
    /// None has come yet; the first one was requested then.
    Awaited(Instant),
    /// None ever comes.
    Absent,
    /// They come; it is not known yet whether their rows identify frames.
    Ambiguous,
    /// The row identifies the frame, so that a duplicate is harmless.
    ByRow,
    /// The row says nothing, since something like a multiplexer replies in the terminal's place. Replies are counted.
    ByCount,
}

/// The least delay of one to two [`DELAY_MEMORY`].
#[derive(Clone, Copy, Debug)]
struct LeastDelay {
    /// The least of the period before this one, and of this one.
    least: [Duration; 2],
    /// When this period began.
    since: Instant,
}

/// The link to the terminal and back.
#[derive(Debug)]
pub(crate) struct Link {
    replies: Replies,
    in_flight: VecDeque<InFlight>,
    next_row: u16,
    last_sent: Option<Instant>,
    last_reply: Option<Instant>,
    delay: Option<LeastDelay>,
    /// Bytes and transmission time of the last acknowledgements.
    samples: VecDeque<(usize, Duration)>,
    /// Bytes per second that the first reply proves.
    least_rate: f64,
}

impl Link {
    /// `readable` says whether replies can be read.
    pub(super) fn new(readable: bool, now: Instant) -> Self {
        Self {
            replies: if readable { Replies::Awaited(now) } else { Replies::NotReadable },
            in_flight: VecDeque::new(),
            // A multiplexer that replies in place of the terminal always reports row 0.
            next_row: 1,
            last_sent: None,
            last_reply: None,
            delay: None,
            samples: VecDeque::new(),
            least_rate: 0.0,
        }
    }

    /// Forgets frames in flight. A terminal that never replied gets another chance.
    pub(crate) fn reset(&mut self, now: Instant) {
        self.in_flight.clear();
        if self.replies == Replies::Absent {
            self.replies = Replies::Awaited(now);
        }
    }

    /// On a screen with other rows, the rows of earlier frames mean nothing. Counted replies still count.
    pub(super) fn resize(&mut self) {
        if self.replies != Replies::ByCount {
            self.in_flight.clear();
        }
    }

    /// The row, counted from 0, in which the next frame requests a reply. `None` if the terminal does not reply.
    pub(crate) fn ack_row(&self, rows: u16) -> Option<u16> {
        let is_asked = !matches!(self.replies, Replies::NotReadable | Replies::Absent);
        is_asked.then_some(self.next_row % rows.max(1))
    }

    pub(super) fn sent(&mut self, bytes: usize, ack_row: Option<u16>, now: Instant) {
        self.last_sent = Some(now);
        if let Some(row) = ack_row {
            // The wait for the first reply begins with the first request.
            if let (Replies::Awaited(since), true) = (&mut self.replies, self.in_flight.is_empty()) {
                *since = now;
            }
            self.in_flight.push_back(InFlight { row, bytes, at: now });
            self.next_row = self.next_row.wrapping_add(1);
        }
    }

    /// A cursor report has come from this row.
    pub(crate) fn acknowledged(&mut self, row: u16, now: Instant) {
        let is_first = matches!(self.replies, Replies::Awaited(_) | Replies::Absent);
        let was_stalled = self.oldest_due().is_some_and(|due| now.saturating_duration_since(due) > LOST);
        let Some(last) = self.acknowledged_frame(row, now) else { return };
        let bytes = self.in_flight.range(..=last).map(|frame| frame.bytes).sum();
        // The link keeps the order, so the frames before this one have arrived, too.
        let Some(frame) = self.in_flight.drain(..=last).next() else { return };
        if is_first {
            // One round trip does not tell delay and transmission time apart.
            self.least_rate = bytes as f64 / now.saturating_duration_since(frame.at).max(SHORTEST_SAMPLE).as_secs_f64();
            self.note_delay(now.saturating_duration_since(frame.at), now);
        } else if !was_stalled {
            // After a stall the time would be that of the stall.
            self.measure(bytes, frame.at, now);
        }
        self.last_reply = Some(now);
    }

    /// The last frame that a report from this row acknowledges, and with it all before.
    fn acknowledged_frame(&mut self, row: u16, now: Instant) -> Option<usize> {
        let last = self.in_flight.len().checked_sub(1)?;
        let same_row = self.in_flight.iter().position(|frame| frame.row == row);
        match (self.replies, same_row) {
            // A modified F3 key looks like a report.
            (Replies::Absent, None) => None,
            (Replies::ByRow, Some(index)) => Some(index),
            // Some replies will never come: take this one as the reply to the newest frame, and identify rows again.
            _ if self.replies_are_lost(now) => {
                self.replies = Replies::Ambiguous;
                Some(last)
            }
            (Replies::ByRow, None) => None,
            (Replies::ByCount, _) => Some(0),
            (_, Some(index)) => {
                self.replies = if row > 0 { Replies::ByRow } else { Replies::Ambiguous };
                Some(index)
            }
            (_, None) => {
                self.replies = Replies::ByCount;
                Some(0)
            }
        }
    }

    fn is_replying(&self) -> bool {
        matches!(self.replies, Replies::Ambiguous | Replies::ByRow | Replies::ByCount)
    }

    /// Whether the replies to all frames in flight are lost.
    fn replies_are_lost(&self, now: Instant) -> bool {
        self.is_replying()
            && self.oldest_due().is_some_and(|due| now.saturating_duration_since(due) > LOST)
            && self.last_reply.is_none_or(|reply| now.saturating_duration_since(reply) > LOST)
    }

    /// Whether nothing is known of what the link carries: no reply has come yet, or that to the oldest frame is late.
    pub(super) fn is_stalled(&self, now: Instant) -> bool {
        if matches!(self.replies, Replies::Awaited(_)) {
            return true;
        }
        let late = self.oldest_due().filter(|_| self.is_replying()).map(|due| now.saturating_duration_since(due));
        late.is_some_and(|late| late > GRACE && late < LONGEST_STALL)
    }

    /// Updates rate and delay with frames that were acknowledged now, the first of them sent at `sent`.
    fn measure(&mut self, bytes: usize, sent: Instant, now: Instant) {
        // Transmission began when the previous frame was done, and all that takes a delay to be known here.
        let began = (sent + self.delay()).max(self.last_reply.unwrap_or(sent));
        let time = now.saturating_duration_since(began).max(SHORTEST_SAMPLE);
        if bytes >= SMALLEST_SAMPLE {
            self.samples.push_back((bytes, time));
            if self.samples.len() > SAMPLES {
                self.samples.pop_front();
            }
        }
        // The peak, as a stall is no delay of the link.
        let peak = self.samples.iter().map(|(bytes, time)| *bytes as f64 / time.as_secs_f64()).max_by(f64::total_cmp);
        let transmission = peak.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(bytes as f64 / rate));
        let queued = began.saturating_duration_since(sent + self.delay());
        self.note_delay(now.saturating_duration_since(sent).saturating_sub(transmission + queued), now);
    }

    fn note_delay(&mut self, delay: Duration, now: Instant) {
        let known = self.delay.get_or_insert(LeastDelay { least: [delay; 2], since: now });
        if now.saturating_duration_since(known.since) > DELAY_MEMORY {
            *known = LeastDelay { least: [known.least[1], delay], since: now };
        }
        known.least[1] = known.least[1].min(delay);
    }

    /// `D`: the round trip of the empty link.
    fn delay(&self) -> Duration {
        self.delay.map_or(Duration::ZERO, |known| known.least[0].min(known.least[1]))
    }

    /// `R`: bytes per second. `None` before the first frame is acknowledged.
    fn rate(&self) -> Option<f64> {
        let bytes: usize = self.samples.iter().map(|(bytes, _)| bytes).sum();
        let time: Duration = self.samples.iter().map(|(_, time)| *time).sum();
        (bytes > 0).then(|| bytes as f64 / time.as_secs_f64())
    }

    /// When each frame in flight is through the link, as seen from here: [`Self::delay`] before its reply is due.
    fn departures(&self) -> impl Iterator<Item = Instant> {
        let rate = self.rate();
        let mut free = self.last_reply.and_then(|reply| reply.checked_sub(self.delay()));
        self.in_flight.iter().map(move |frame| {
            let transmission = rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(frame.bytes as f64 / rate));
            let departure = free.map_or(frame.at, |free| free.max(frame.at)) + transmission;
            free = Some(departure);
            departure
        })
    }

    /// When the reply to the oldest frame in flight is due.
    fn oldest_due(&self) -> Option<Instant> {
        self.departures().next().map(|departure| departure + self.delay())
    }

    pub(crate) fn frames_in_flight(&self) -> usize {
        self.in_flight.len()
    }

    /// How long the next frame has to wait; `None` if it may go out now.
    pub(super) fn time_to_wait(&mut self, now: Instant) -> Option<Duration> {
        let since_sent = self.last_sent.map_or(Duration::MAX, |sent| now.saturating_duration_since(sent));
        let rest_of = |interval: Duration| Some(interval.saturating_sub(since_sent)).filter(|rest| !rest.is_zero());
        if self.in_flight.is_empty() {
            return None;
        }
        let bytes_in_flight: usize = self.in_flight.iter().map(|frame| frame.bytes).sum();
        match self.replies {
            Replies::NotReadable | Replies::Absent => None,
            Replies::Awaited(start) if now.saturating_duration_since(start) >= SILENCE => {
                // Frames stay in flight: a late reply shows that the link merely has a long delay.
                self.replies = Replies::Absent;
                None
            }
            // The queries at the start and the first frame go out at once.
            Replies::Awaited(_) if self.in_flight.len() < 2 => None,
            Replies::Awaited(_) => rest_of(AWAITED_INTERVAL),
            _ if self.replies_are_lost(now) => rest_of(PROBE_INTERVAL),
            _ if self.in_flight.len() >= MAX_IN_FLIGHT => Some(RECHECK),
            // The first frames are in flight, and their replies show the rate.
            _ if self.rate().is_none() && bytes_in_flight >= SMALLEST_SAMPLE => Some(RECHECK),
            _ if self.is_stalled(now) => Some(RECHECK),
            _ => {
                let backlog = self.departures().last().map(|free| free.saturating_duration_since(now))?;
                Some(backlog.saturating_sub(BACKLOG)).filter(|rest| !rest.is_zero())
            }
        }
    }

    /// How many bytes the next frame may have.
    pub(super) fn budget(&self) -> usize {
        match self.replies {
            Replies::NotReadable | Replies::Absent => usize::MAX,
            _ => match self.rate() {
                Some(rate) => ((rate * FRAME_TIME.as_secs_f64()) as usize).max(SMALLEST_BUDGET),
                None => ((self.least_rate * FRAME_TIME.as_secs_f64()) as usize).max(FIRST_FRAME),
            },
        }
    }

    /// Whether the terminal has never replied, in the time that a reply may take.
    pub(crate) fn is_mute(&self) -> bool {
        self.replies == Replies::Absent
    }

    /// Until when the outstanding replies may arrive; `None` if none is expected.
    pub(crate) fn replies_until(&self) -> Option<Instant> {
        let first = self.in_flight.front()?.at;
        match self.replies {
            Replies::NotReadable | Replies::Absent => None,
            Replies::Awaited(_) => Some(first + SILENCE),
            _ => self.in_flight.back().map(|frame| frame.at + LONGEST_ROUND_TRIP),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A finished simulation in steps of 1 ms.
    struct Run {
        link: Link,
        /// When frames went out.
        sent: Vec<u64>,
        /// Frames in flight at each step.
        in_flight: Vec<usize>,
    }

    impl Run {
        fn sent_in(&self, steps: std::ops::Range<u64>) -> usize {
            self.sent.iter().filter(|step| steps.contains(step)).count()
        }
    }

    /// Offers a frame every `period` ms for this many ms. `bytes(step)` is the frame's size; `reply(step, row)` is the arrival
    /// time and the reported row of the reply to a request, if one comes.
    fn simulate(
        duration: u64,
        period: u64,
        bytes: impl Fn(u64) -> usize,
        mut reply: impl FnMut(u64, u16) -> Option<(u64, u16)>,
    ) -> Run {
        let start = Instant::now();
        let mut link = Link::new(true, start);
        let (mut replies, mut sent, mut in_flight, mut next) = (VecDeque::new(), Vec::new(), Vec::new(), 0);
        for step in 0..duration {
            let now = start + ms(step);
            while replies.front().is_some_and(|(at, _)| *at <= step) {
                link.acknowledged(replies.pop_front().unwrap().1, now);
            }
            if step >= next && link.time_to_wait(now).is_none() {
                let row = link.ack_row(40);
                link.sent(bytes(step), row, now);
                replies.extend(row.and_then(|row| reply(step, row)));
                sent.push(step);
                next = step + period;
            }
            in_flight.push(link.in_flight.len());
        }
        Run { link, sent, in_flight }
    }

    /// Frames of 10 KB over a link with this round trip and rate for ten seconds; returns frames per second and the longest
    /// time in flight after the first second.
    fn fly(round_trip: u64, rate: f64, period: u64) -> (f32, u64) {
        const FRAME: usize = 10_000;
        let (mut free, mut longest) = (0.0_f64, 0);
        // The first request carries no frame.
        let size = |step| if step == 0 { 100 } else { FRAME };
        let run = simulate(10_000, period, size, |step, row| {
            free = free.max(step as f64) + size(step) as f64 / rate * 1000.0;
            let reply = free as u64 + round_trip;
            if step > 1000 {
                longest = longest.max(reply - step);
            }
            Some((reply, row))
        });
        (run.sent.len() as f32 / 10.0, longest)
    }

    #[test]
    fn a_fast_link_carries_all_frames_at_any_delay() {
        assert!(fly(40, 2e6, 33).0 > 28.0);
        assert!(fly(180, 2e6, 33).0 > 27.0);
    }

    #[test]
    fn a_slow_link_builds_no_queue() {
        let (frames, longest) = fly(40, 1e5, 17);
        assert!(frames > 6.0 && longest < 260, "{frames} {longest}");
    }

    #[test]
    fn a_fast_link_stays_fast_through_stalls_and_jitter() {
        for (round_trip, stall) in [(100, 3000..4000), (50, 3000..4000), (200, 3000..4000), (200, 0..0)] {
            let run = simulate(
                40_000,
                33,
                |step| 4000 + step as usize * 7919 % 9000,
                |step, row| {
                    let reply = step + round_trip + step * 31 % 9;
                    Some((if stall.contains(&reply) { stall.end } else { reply }, row))
                },
            );
            let last = run.sent_in(30_000..40_000);
            assert!(last > 270, "{round_trip} {stall:?}: {last} in ten seconds");
        }
    }

    #[test]
    fn lost_replies_do_not_stop_frames_for_long() {
        for by_row in [true, false] {
            let run = simulate(
                12_000,
                33,
                |_| 1000,
                |step, row| (!(1000..1100).contains(&step)).then_some((step + 10, if by_row { row } else { 0 })),
            );
            let longest = run.sent.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
            let last = run.sent_in(7000..12_000);
            assert!(last > 140 && longest < 3100, "{by_row} {last} {longest}");
        }
        // The first replies are the most likely ones to be lost.
        for lost in 1..4 {
            let run = simulate(12_000, 33, |_| 1000, |step, row| (step >= lost * 34).then_some((step + 10, row)));
            assert!(run.sent_in(7000..12_000) > 140, "{lost}");
        }
    }

    #[test]
    fn rows_may_begin_or_cease_to_identify_frames() {
        for row in [0, 7] {
            for begins in [true, false] {
                let run = simulate(
                    12_000,
                    33,
                    |_| 1000,
                    |step, own| Some((step + 10, if (step < 3000) == begins { row } else { own })),
                );
                assert!(run.sent_in(7000..12_000) > 140, "{row} {begins}");
            }
        }
    }

    #[test]
    fn a_delay_longer_than_the_silence_timeout_is_learned() {
        let run = simulate(20_000, 33, |_| 1000, |step, row| Some((step + 1500, row)));
        assert!(run.link.is_replying());
        let most = run.in_flight[6000..].iter().max().unwrap();
        assert_eq!(*most, MAX_IN_FLIGHT);
    }

    #[test]
    fn a_terminal_that_never_replies_gets_all_frames_after_a_second() {
        let run = simulate(1100, 10, |_| 1000, |_, _| None);
        let sent = run.sent_in(0..1000);
        assert!((10..=12).contains(&sent), "{sent}");
        assert!(run.sent_in(1000..1100) >= 9 && run.link.ack_row(24).is_none());
    }

    #[test]
    fn a_slow_start_leaves_the_first_reply_its_time() {
        let start = Instant::now();
        let mut link = Link::new(true, start);
        let late = start + ms(5000);
        link.sent(1000, link.ack_row(24), late);
        assert_eq!(link.time_to_wait(late + ms(10)), None);
        assert_eq!(link.ack_row(24), Some(2));
    }

    #[test]
    fn a_terminal_that_stops_replying_is_probed_once_a_second() {
        let run = simulate(10_000, 10, |_| 1000, |step, row| (step == 0).then_some((20, row)));
        assert!((8..=12).contains(&run.sent.len()), "{:?}", run.sent);
    }

    /// A link with frames of 1000 bytes sent a millisecond apart.
    fn link_with(frames: u64) -> (Link, Instant) {
        let start = Instant::now();
        let mut link = Link::new(true, start);
        for frame in 0..frames {
            link.sent(1000, link.ack_row(24), start + ms(frame));
        }
        (link, start)
    }

    #[test]
    fn duplicate_and_unrelated_replies_are_ignored() {
        let (mut link, start) = link_with(3);
        for (row, at) in [(1, 50), (1, 50), (2, 51), (2, 52), (17, 53)] {
            link.acknowledged(row, start + ms(at));
        }
        assert_eq!(link.in_flight.len(), 1);
        // A later reply includes those before it.
        link.sent(1000, link.ack_row(24), start + ms(54));
        link.acknowledged(4, start + ms(60));
        assert!(link.in_flight.is_empty());
    }

    #[test]
    fn replies_with_a_constant_row_are_counted() {
        let (mut link, start) = link_with(5);
        (0..4).for_each(|reply| link.acknowledged(0, start + ms(40 + reply)));
        assert_eq!(link.in_flight.len(), 1);
    }

    #[test]
    fn a_resize_forgets_the_rows_in_flight() {
        let (mut link, start) = link_with(1);
        link.acknowledged(1, start + ms(20));
        for frame in 0..2 {
            link.sent(1000, Some(50 + frame), start + ms(40));
        }
        assert!(link.time_to_wait(start + ms(60)).is_some());
        link.resize();
        assert_eq!(link.time_to_wait(start + ms(60)), None);
    }

    #[test]
    fn unreadable_replies_are_never_requested() {
        let start = Instant::now();
        let mut link = Link::new(false, start);
        for step in 0..100 {
            let now = start + ms(step * 33);
            assert_eq!((link.time_to_wait(now), link.ack_row(24)), (None, None));
            link.sent(1000, None, now);
        }
        link.reset(start + ms(4000));
        assert_eq!(link.ack_row(24), None);
    }

    #[test]
    fn replies_that_were_held_back_still_identify_frames() {
        let (mut link, start) = link_with(1);
        link.acknowledged(1, start + ms(10));
        let mut held = Vec::new();
        for step in 1..300 {
            let now = start + ms(step * 33);
            if link.time_to_wait(now).is_none() {
                held.extend(link.ack_row(40));
                link.sent(1000, link.ack_row(40), now);
            }
        }
        assert!((5..15).contains(&held.len()), "{held:?}");
        let now = start + ms(10_000);
        for (index, row) in held.into_iter().enumerate() {
            if index == 3 {
                link.sent(1000, link.ack_row(40), now);
            }
            link.acknowledged(row, now);
        }
        assert_eq!((link.replies, link.in_flight.len()), (Replies::ByRow, 1));
    }
}
