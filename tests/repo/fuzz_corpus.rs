//! Contract: what fuzzing has found stays found. Every door by which text, bytes or wishes come in is tried with all
//! of its corpus, and with thousands of things like it.

#[path = "../../fuzz/src/lib.rs"]
mod doors;

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;

use doors::Body;

/// How many things like those of the corpus are tried at each door.
const MUTATIONS: usize = 3000;

/// What lies in a door's corpus, in the order of its names.
fn corpus(door: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(door);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// Tries a door; what goes wrong is shown as text that a test can be made of.
fn knock(door: &str, body: Body, data: &[u8]) {
    if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| body(data))) {
        eprintln!("{door}: {}", data.escape_ascii());
        panic::resume_unwind(panic);
    }
}

fn all(door: &str) {
    let (_, body) = doors::DOORS.iter().find(|(name, _)| *name == door).unwrap();
    let corpus = corpus(door);
    assert!(corpus.len() >= 5, "{door} has {} files", corpus.len());
    for data in &corpus {
        knock(door, *body, data);
    }
    let mut draw = Draw(door.bytes().map(u64::from).sum());
    for _ in 0..MUTATIONS {
        knock(door, *body, &draw.mutation(&corpus));
    }
}

/// Numbers that seem random, the same in every run.
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

    /// Something like a thing of the corpus: parts of it gone, doubled, changed, or another one's.
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

macro_rules! doors {
    ($($(#[$when:meta])* $door:ident)*) => {
        $($(#[$when])* #[test] fn $door() { all(stringify!($door)); })*

        #[test]
        fn every_door_is_tried() {
            let mut tried = 0;
            $($(#[$when])* { tried += usize::from(doors::DOORS.iter().any(|(name, _)| *name == stringify!($door))); })*
            assert_eq!(tried, doors::DOORS.len());
        }
    };
}

doors! { config flock #[cfg(unix)] input keys preset scheme state theme values }
