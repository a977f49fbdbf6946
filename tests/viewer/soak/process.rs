//! The state of a process: its resources, and how long it waited for a processor.

use std::fmt;
use std::fs;
use std::time::Duration;

/// Allowed growth of memory from the second third of the checkups to the last, in KiB.
const GROWTH: u64 = 8 * 1024;
/// Allowed missed ticks beyond those caused by waiting for a processor.
const SLACK: f64 = 10.0;

/// A process in /proc.
#[derive(Clone, Copy, Debug)]
pub struct Process(pub u32);

impl Process {
    /// Its first child.
    pub fn child(self) -> Option<Self> {
        let children = self.read(&format!("task/{}/children", self.0));
        children.split_whitespace().next()?.parse().ok().map(Self)
    }

    fn read(self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.0)).unwrap_or_default()
    }

    fn count(self, folder: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{folder}", self.0)).map_or(0, Iterator::count)
    }

    pub fn lives(self) -> bool {
        self.count("task") > 0 && !self.read("stat").contains(") Z ")
    }

    /// A line of its status file.
    fn status(self, word: &str) -> String {
        let status = self.read("status");
        let line = status.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(':'));
        line.unwrap_or_default().trim().to_owned()
    }

    fn kib(self, word: &str) -> u64 {
        self.status(word).trim_end_matches(" kB").parse().unwrap_or(0)
    }

    /// Whether it handles or blocks a signal.
    pub fn answers(self, signal: u32) -> bool {
        let mask = |word| u64::from_str_radix(&self.status(word), 16).unwrap_or(0);
        (mask("SigCgt") | mask("SigBlk")) >> (signal - 1) & 1 == 1
    }

    /// Total time that its threads waited for a processor.
    pub fn waited(self) -> Duration {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.0)).into_iter().flatten().flatten();
        let waits = tasks.filter_map(|task| {
            let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split_whitespace().nth(1)?.parse::<u64>().ok()
        });
        Duration::from_nanos(waits.sum())
    }

    /// Its current resources.
    pub fn holdings(self) -> Holdings {
        Holdings {
            memory: self.kib("VmRSS"),
            peak: self.kib("VmHWM"),
            descriptors: self.count("fd"),
            threads: self.count("task"),
        }
    }
}

/// Resources of a process.
#[derive(Clone, Copy, Debug)]
pub struct Holdings {
    /// In KiB.
    pub memory: u64,
    /// The maximum so far, in KiB.
    pub peak: u64,
    pub descriptors: usize,
    pub threads: usize,
}

/// Measured in the same state each time: one preset, one size, nothing open.
#[derive(Clone, Copy, Debug)]
pub struct Checkup {
    /// Since the start.
    pub at: Duration,
    pub holdings: Holdings,
    /// Requested and actual ticks per second.
    pub rate: (f64, f64),
    /// Duration of the count.
    pub over: Duration,
    /// Time that threads waited for a processor.
    pub waited: Duration,
}

impl Checkup {
    pub const HEADER: &str = "   time    memory      peak  descriptors  threads  ticks/s  waited";

    /// Missed ticks, and those explained by waiting for a processor.
    fn missed(&self) -> (f64, f64) {
        let missed = (self.rate.0 - self.rate.1) * self.over.as_secs_f64();
        (missed, self.rate.0 * self.waited.as_secs_f64())
    }
}

impl fmt::Display for Checkup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Holdings { memory, peak, descriptors, threads } = self.holdings;
        let [memory, peak] = [memory, peak].map(|kib| kib as f64 / 1024.0);
        let (at, waited) = (self.at.as_secs(), self.waited.as_secs_f64() / self.over.as_secs_f64());
        write!(out, "{:4}:{:02} {memory:6.1} MB {peak:6.1} MB {descriptors:12} {threads:8}", at / 60, at % 60)?;
        write!(out, " {:8.2} {:6.1}%", self.rate.1, 100.0 * waited)
    }
}

/// Panics if the checkups show a leak or missed ticks.
pub fn judge(checkups: &[Checkup]) {
    let first = checkups[0].holdings;
    for checkup in checkups {
        let Holdings { descriptors, threads, .. } = checkup.holdings;
        assert_eq!((descriptors, threads), (first.descriptors, first.threads), "descriptors and threads: {checkup}");
        let (missed, blameless) = checkup.missed();
        assert!(missed < blameless + SLACK, "{missed:.0} ticks missed, {blameless:.0} for want of a core: {checkup}");
        assert!(missed > -SLACK, "{:.0} ticks too many: {checkup}", -missed);
    }
    // The first third is warm-up: buffers grow to the size of the largest screen and flock.
    let thirds = checkups.len() / 3;
    let median = |part: &[Checkup]| {
        let mut memory: Vec<u64> = part.iter().map(|checkup| checkup.holdings.memory).collect();
        memory.sort_unstable();
        memory[memory.len() / 2]
    };
    if thirds > 0 {
        let last = checkups.len() - thirds;
        let (before, after) = (median(&checkups[last - thirds..last]), median(&checkups[last..]));
        assert!(after < before + GROWTH, "memory grows: {before} KiB, and later {after} KiB");
    }
}
