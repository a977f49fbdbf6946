//! Contract: `run -o FILE.npz` has the numbers of CSV, `NumPy` reads them without pickle, and `--input` continues from them.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::program::{flockscope, prints};
use crate::tools;

/// Predators that catch boids, and moods.
const HUNT: [&str; 12] = [
    "-p",
    "starlings",
    "-s",
    "7",
    "--set",
    "hunt.catch=9",
    "--set",
    "hunt.respawn=60",
    "--set",
    "alarm.spread=0.9",
    "--threads",
    "1",
];
const COUNTS: [&str; 4] = ["-n", "50", "--predators", "5"];

fn run_in(folder: &TempDir, args: &[&[&str]]) -> String {
    let mut command = flockscope(&["run"]);
    command.current_dir(folder).args(args.concat());
    prints(command)
}

#[test]
fn a_run_continued_from_npz_equals_the_uninterrupted_one() {
    let folder = TempDir::new().unwrap();
    for flock in [&[&HUNT[..], &COUNTS].concat()[..], &["-p", "sphere", "-s", "7"], &["-p", "stardisplay", "-s", "7"]] {
        let ticks = ["--ticks", "90", "--every", "40", "-o"];
        run_in(&folder, &[flock, &ticks, &["a.npz"]]);
        run_in(&folder, &[flock, &ticks, &["a.csv"]]);
        let flock: Vec<&str> = flock.iter().copied().filter(|word| !COUNTS.contains(word)).collect();
        let continued = |input| run_in(&folder, &[&flock, &["--input", input, "--ticks", "10", "--hash", "-o", "-"]]);
        assert_eq!(continued("a.npz"), continued("a.csv"), "{flock:?}");
        let metadata = fs::read_to_string(folder.path().join("a.npz.json")).unwrap();
        assert!(metadata.contains("ticks x agents x axes"), "{metadata}");
    }
}

/// Compares every number with that of CSV.
const COMPARE: &str = "
import csv, sys
import numpy as np
rows = list(csv.DictReader(open('a.csv')))
states = np.load('a.npz', allow_pickle=False)
ticks, agents = len(states['tick']), len(states['id'])
column = lambda name, of=float: np.array([of(row[name]) for row in rows]).reshape(ticks, agents)
assert (column('tick', int) == states['tick'][:, None]).all() and list(states['tick']) == [0, 40, 80, 90]
assert (column('id', int) == states['id']).all()
kinds = {'prey': 0, 'predator': 1, 'caught': 2}
assert (column('kind', kinds.get) == states['kind']).all() and (states['kind'] == 2).any()
for name, axes in [('position', 'x y'), ('velocity', 'vx vy')]:
    assert states[name].dtype == np.float32
    for axis, other in enumerate(axes.split()):
        assert (column(other).astype(np.float32) == states[name][:, :, axis]).all(), other
assert (column('mood').astype(np.float32) == states['mood']).all()
";

#[test]
fn numpy_reads_the_numbers_of_csv() {
    if !tools::has_numpy() {
        return;
    }
    let folder = TempDir::new().unwrap();
    for file in ["a.npz", "a.csv"] {
        run_in(&folder, &[&HUNT, &COUNTS, &["--ticks", "90", "--every", "40", "-o", file]]);
    }
    let compared = Command::new("python3").args(["-c", COMPARE]).current_dir(&folder).output().unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
}
