//! Contract: what fuzzing found stays fixed. Each fuzz target runs its corpus and thousands of mutations of it.

#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use targets::Body;

/// Number of mutations per target.
const MUTATIONS: usize = 3000;

/// The corpus of a target, in order of file names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Runs a target; prints the input of a panic in escaped form.
fn run(target: &str, body: Body, data: &[u8]) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| body(data))) {
        eprintln!("{target}: {}", data.escape_ascii());
        panic::resume_unwind(panic);
    }
}

fn all(target: &str) {
    let (_, body) = targets::TARGETS.iter().find(|(name, _)| *name == target).unwrap();
    let corpus = corpus(target);
    assert!(corpus.len() >= 5, "{target} has {} files", corpus.len());
    for data in &corpus {
        run(target, *body, data);
    }
    let mut draw = Draw(target.bytes().map(u64::from).sum());
    for _ in 0..MUTATIONS {
        run(target, *body, &draw.mutation(&corpus));
    }
}

/// A reproducible sequence of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        // Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(24)).min(length)
    }

    /// A mutation: parts removed, doubled, changed, or taken from another input.
    fn mutation(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut data = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(4) {
            let here = self.range(data.len());
            let other = &corpus[self.below(corpus.len())];
            let put = match self.below(6) {
                0 => Vec::new(),
                1 => data[here.clone()].repeat(2 + self.below(300)),
                2 => other[self.range(other.len())].to_vec(),
                3 => vec![self.below(256) as u8],
                4 => [&b"\x1b[31m"[..], b"nan", b"-", b"\xe2\x80\xae", b"\"", b"\0", b"99999999999", b"\n"]
                    [self.below(8)]
                .to_vec(),
                _ => data[here.clone()].iter().map(|byte| byte ^ (1 << self.below(8))).collect(),
            };
            data.splice(here, put);
        }
        data
    }
}

macro_rules! targets {
    ($($(#[$when:meta])* $target:ident)*) => {
        $($(#[$when])* #[test] fn $target() { all(stringify!($target)); })*

        #[test]
        fn every_target_is_tried() {
            let mut tried = 0;
            $($(#[$when])* { tried += usize::from(targets::TARGETS.iter().any(|(name, _)| *name == stringify!($target))); })*
            assert_eq!(tried, targets::TARGETS.len());
        }
    };
}

targets! { config flock #[cfg(unix)] input keys npz preset session state text theme trajectories values }
