//! Contract: `replay --verify`, and `--session` of `run`, `shot` and `record`.

use std::fs;
use std::path::PathBuf;

use crate::program::{fails, flockscope, prints, says};
use flockscope::config::Preset;
use flockscope::export::session::write;
use flockscope::picture::GlyphTable;
use flockscope::sim::{Command, Flock, Scratch, SessionLog, SessionStart, Value};
use serde_json::json;
use tempfile::TempDir;

/// The last tick.
const END: u64 = 400;

/// A session of 30 boids with changes at ticks 10, 20 and 200.
struct Saved {
    folder: TempDir,
    /// The hash of the flock at each tick, as of `--hash`.
    hashes: Vec<u64>,
}

impl Saved {
    fn new() -> Self {
        let (folder, preset) = (TempDir::new().unwrap(), Preset::load("drones").unwrap());
        let mut flock = Flock::new(&preset.setup(7, 1.6).with_boids(30)).unwrap();
        let mut log = SessionLog::new(SessionStart::of(&flock, true));
        let (mut scratch, mut hashes) = (Scratch::new(), vec![flock.hash()]);
        for tick in 1..=END {
            flock.step(&mut scratch);
            log.record_tick(&mut flock);
            let command = match tick {
                10 => Command::set("cohesion.weight", Value::Number(0.002)).unwrap(),
                20 => Command::SetBoids(40),
                200 => Command::Reseed(9),
                _ => {
                    hashes.push(flock.hash());
                    continue;
                }
            };
            flock.apply(&command).unwrap();
            log.record(command);
            hashes.push(flock.hash());
        }
        let saved = Self { folder, hashes };
        let mut file = fs::File::create(saved.path()).unwrap();
        write(&preset, preset.rate, &log, &GlyphTable::default(), Some(flock.session_hash()), &mut file).unwrap();
        saved
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("a.flock")
    }

    fn name(&self) -> String {
        self.path().to_str().unwrap().to_owned()
    }

    fn edit(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.path()).unwrap();
        assert!(text.contains(from), "{from} is not in\n{text}");
        fs::write(self.path(), text.replacen(from, to, 1)).unwrap();
    }
}

#[test]
fn verify_compares_every_hash() {
    let saved = Saved::new();
    assert_eq!(says(&["replay", "--verify", &saved.name()]), "400 ticks, 4 hashes agree\n");
    let text = fs::read_to_string(saved.path()).unwrap();
    let piped = prints({
        let mut command = flockscope(&["replay", "--verify", "-"]);
        command.write_stdin(text.clone());
        command
    });
    assert_eq!(piped, "400 ticks, 4 hashes agree\n");
    // Another number of boids: the first hash after it differs.
    saved.edit("{\"boids\":40}", "{\"boids\":41}");
    let error = fails(&["replay", "--verify", &saved.name()], 1);
    let hash = text.split("[128,{\"hash\":\"").nth(1).unwrap().split('"').next().unwrap();
    let expected = format!("a.flock:4: tick 128 differs: expected the hash {hash}, found ");
    assert!(error.contains(&expected) && error.contains("recorded with flockscope "), "{error}");
}

#[test]
fn a_session_may_begin_with_a_byte_order_mark() {
    let saved = Saved::new();
    saved.edit("{", "\u{feff}{");
    assert_eq!(says(&["replay", "--verify", &saved.name()]), "400 ticks, 4 hashes agree\n");
    saved.edit("session\":2", "session\":0");
    let error = fails(&["replay", "--verify", &saved.name()], 1);
    assert!(error.contains("a.flock:1: there is no session format 0: expected a whole number from 1 to 2"), "{error}");
}

#[test]
fn a_truncated_session_is_verified_up_to_its_last_whole_line() {
    let saved = Saved::new();
    let text = fs::read_to_string(saved.path()).unwrap();
    fs::write(saved.path(), &text[..text.find("[200,").unwrap() + 7]).unwrap();
    let output = flockscope(&["replay", "--verify", &saved.name()]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "128 ticks, 1 hash agrees\n");
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("a.flock: the end of the session is missing: it is replayed up to tick 128"), "{note}");
}

#[test]
fn run_gives_the_state_at_any_tick() {
    let saved = Saved::new();
    for tick in [0, 9, 10, 20, 199, 200, 300, END] {
        let said = says(&["run", "--session", &saved.name(), "--at", &tick.to_string(), "--hash"]);
        let flock_tick = if tick < 200 { tick } else { tick - 200 };
        assert_eq!(said, format!("hash {flock_tick} {:016x}\n", saved.hashes[tick as usize]));
    }
    let last = says(&["run", "--session", &saved.name(), "--hash"]);
    assert_eq!(last, format!("hash 200 {:016x}\n", saved.hashes[END as usize]));
    let measures = says(&["run", "--session", &saved.name(), "--from", "8", "--to", "20", "--measures", "-"]);
    let ticks: Vec<&str> = measures.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(ticks, (8..=20).map(|tick| tick.to_string()).collect::<Vec<_>>());
}

#[test]
fn pictures_and_clips_show_a_part_of_a_session() {
    let saved = Saved::new();
    let file = |name: &str| saved.folder.path().join(name).to_str().unwrap().to_owned();
    let picture = |at: &str, name: &str| {
        says(&["shot", "--session", &saved.name(), "--at", at, "--size", "100x40", "--panel", "-o", &file(name)]);
        fs::read_to_string(file(name)).unwrap()
    };
    let (before, after) = (picture("9", "9.txt"), picture("30", "30.txt"));
    assert!(before.contains("30 boids") && before.contains("0.0003"), "{before}");
    assert!(after.contains("40 boids") && after.contains("0.002"), "{after}");
    says(&[
        "record",
        "--session",
        &saved.name(),
        "--from",
        "10",
        "--to",
        "70",
        "--size",
        "40x12",
        "-o",
        &file("a.cast"),
    ]);
    let clip = fs::read_to_string(file("a.cast")).unwrap();
    assert!(clip.lines().next().unwrap().contains("from tick 10"), "{clip}");
}

#[test]
fn metadata_has_the_session_and_the_parameters_of_the_last_state() {
    let saved = Saved::new();
    let output = saved.folder.path().join("a.csv");
    says(&["run", "--session", &saved.name(), "--from", "5", "--to", "30", "-o", output.to_str().unwrap()]);
    let text = fs::read_to_string(saved.folder.path().join("a.csv.json")).unwrap();
    let metadata: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(metadata["session"], *saved.name());
    assert_eq!((&metadata["boids"], &metadata["params"]["cohesion.weight"]), (&json!(40), &json!(0.002)));
    assert_eq!(metadata["hash"], json!({ "tick": 30, "state": format!("{:016x}", saved.hashes[30]) }));
    assert_eq!((&metadata["warmup"], &metadata["ticks"]), (&json!(5), &json!(25)));
}

#[test]
fn contradictory_options_are_errors() {
    let saved = Saved::new();
    let name = saved.name();
    for option in [
        &["-n", "5"][..],
        &["-s", "5"],
        &["-p", "drones"],
        &["--set", "cohesion.weight=1"],
        &["--world", "9x9"],
        &["--zone", "none"],
        &["--input", "a.csv"],
        &["--predators", "1"],
        &["--start", "rest"],
        &["--ticks", "5"],
        &["--warmup", "5"],
    ] {
        let error = fails(&[&["run", "--session", &name][..], option].concat(), 2);
        assert!(error.contains("cannot be used with"), "{error}");
    }
    assert!(fails(&["record", "--session", &name, "--duration", "5s", "-o", "a.gif"], 2).contains("cannot be used"));
    assert!(fails(&["run", "--session", &name, "--at", "5", "--to", "6"], 2).contains("cannot be used with"));
    assert!(fails(&["run", "--at", "5"], 2).contains("--session <FILE>"));
    for (range, expected) in [
        (["--at", "401", "--hash"], "--at 401: the session has the ticks 0 to 400"),
        (["--from", "401", "--hash"], "--from 401: the session has the ticks 0 to 400"),
    ] {
        let error = fails(&[&["run", "--session", &name][..], &range].concat(), 2);
        assert!(error.contains(expected), "{error}");
    }
    let error = fails(&["run", "--session", &name, "--from", "9", "--to", "5"], 2);
    assert!(error.contains("--to 5: expected a tick of at least 9, that of --from"), "{error}");
}

#[test]
fn an_impossible_command_names_its_line() {
    let saved = Saved::new();
    saved.edit("{\"boids\":40}", "{\"remove-zone\":3}");
    let folder = saved.folder.path().to_str().unwrap().to_owned();
    for args in [
        &["replay", "--verify", &saved.name()][..],
        &["run", "--session", &saved.name(), "--hash"],
        &["shot", "--session", &saved.name(), "-o", &format!("{folder}/a.txt")],
        &["record", "--session", &saved.name(), "-o", &format!("{folder}/a.cast")],
    ] {
        let error = fails(args, 1);
        assert!(error.contains("a.flock:3: no zone 3: the number of zones is 0"), "{error}");
    }
    assert_eq!(fs::read_dir(saved.folder.path()).unwrap().count(), 1, "no partial file is left");
    saved.edit("\"boids\":30", "\"boids\":0");
    let error = fails(&["run", "--session", &saved.name(), "--hash"], 1);
    assert!(error.contains("a.flock:1: boids = 0 is out of range"), "{error}");
}

#[test]
fn a_difference_is_reported_and_the_session_goes_on() {
    let saved = Saved::new();
    saved.edit("{\"boids\":40}", "{\"boids\":41}");
    let name = saved.name();
    for args in [
        &["run", "--session", &name, "--hash"][..],
        &["record", "--session", &name, "--from", "120", "--size", "20x8", "-o", "-"],
    ] {
        let output = flockscope(args).output().unwrap();
        let note = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && note.contains("a.flock: tick 128 differs: expected the hash "), "{note}");
    }
}
