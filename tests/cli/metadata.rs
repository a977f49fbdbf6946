//! Contract: a JSON file beside each file of `run` and `sweep` says how to make it again, and never describes other content.

use std::fs;
#[cfg(unix)]
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::program::{fails, flockscope, prints, says};

/// A run with two files.
const RUN: [&str; 17] = [
    "run",
    "-p",
    "drones",
    "-n",
    "20",
    "-s",
    "7",
    "--start",
    "rest",
    "--world",
    "90x80",
    "--set",
    "noise.angle=0.1",
    "--ticks",
    "30",
    "-o",
    "a.csv",
];

/// Runs in a folder.
fn run_in(folder: &TempDir, args: &[&str]) -> String {
    let mut command = flockscope(args);
    command.current_dir(folder.path());
    prints(command)
}

fn read(folder: &TempDir, name: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap()
}

fn names(metadata: &Value) -> String {
    let names = metadata["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap());
    names.collect::<Vec<_>>().join(",")
}

fn header(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap().lines().next().unwrap().to_owned()
}

#[test]
fn the_command_of_a_run_makes_the_same_files_again() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.csv.json"), "{\"flockscope\": \"0.0.1\"}").unwrap();
    let more = ["--warmup", "5", "--measures", "m.csv", "--every", "4", "--zone", "none"];
    run_in(&folder, &[&RUN[..], &more].concat());
    let metadata = read(&folder, "a.csv.json");
    assert_eq!(names(&metadata), header(&folder, "a.csv"));
    let measures = read(&folder, "m.csv.json");
    assert_eq!(names(&measures), header(&folder, "m.csv"));
    for (key, value) in [
        ("flockscope", json!(env!("CARGO_PKG_VERSION"))),
        ("preset", json!({ "name": "drones" })),
        ("model", json!({ "name": "boids", "version": 1 })),
        ("boids", json!(20)),
        ("start", json!("rest")),
        ("seed", json!(7)),
        ("world", json!({ "size": "90x80", "width": 90.0, "height": 80.0, "depth": 0.0 })),
        ("zones", json!([])),
        ("ticks", json!(30)),
        ("warmup", json!(5)),
        ("every", json!(4)),
        ("measure_every", json!(4)),
    ] {
        assert_eq!((&metadata[key], &measures[key]), (&value, &value), "{key}");
    }
    let params = &metadata["params"];
    assert_eq!((&params["noise.angle"], &params["edge.mode"]), (&json!(0.1), &json!("turn")));
    assert!(params["edge.random"].is_boolean() && params.get("vicsek.move").is_none(), "{params}");
    let mut command: Vec<&str> =
        metadata["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert_eq!(command.remove(0), "flockscope");
    let before = fs::read(folder.path().join("a.csv")).unwrap();
    let hash = run_in(&folder, &[&command[..], &["--hash"]].concat());
    let (tick, state) = (&metadata["hash"]["tick"], metadata["hash"]["state"].as_str().unwrap());
    assert_eq!(hash, format!("hash {tick} {state}\n"));
    assert_eq!(fs::read(folder.path().join("a.csv")).unwrap(), before);
}

#[test]
fn infinite_values_are_words_and_a_saved_state_has_no_start() {
    let folder = TempDir::new().unwrap();
    run_in(&folder, &["run", "-p", "parker", "-s", "1", "-n", "4", "--ticks", "2", "-o", "a.csv"]);
    let metadata = read(&folder, "a.csv.json");
    assert!(metadata["params"].as_object().unwrap().values().any(|value| *value == json!("inf")), "{metadata}");
    run_in(&folder, &["run", "-p", "parker", "-s", "1", "--input", "a.csv", "--ticks", "2", "-o", "b.xyz"]);
    let metadata = read(&folder, "b.xyz.json");
    assert_eq!((&metadata["input"], &metadata["boids"]), (&json!("a.csv"), &json!(4)));
    assert!(metadata.get("start").is_none() && metadata["hash"]["tick"] == json!(4), "{metadata}");
    let comment = fs::read_to_string(folder.path().join("b.xyz")).unwrap().lines().nth(1).unwrap().to_owned();
    let properties = comment.split("Properties=").nth(1).unwrap().split(' ').next().unwrap();
    let fields: Vec<&str> = properties.split(':').step_by(3).collect();
    assert_eq!(names(&metadata), fields.join(","));
    let version = env!("CARGO_PKG_VERSION");
    assert!(comment.contains(&format!(" flockscope={version} preset=parker seed=1 ")), "{comment}");
}

#[test]
fn a_sweep_has_its_grid_and_its_columns() {
    let folder = TempDir::new().unwrap();
    let sweep = [
        "sweep",
        "-p",
        "vicsek",
        "--over",
        "boids,world=10,3x3;20,4x4",
        "--over",
        "noise.angle=0:90:30",
        "--seeds",
        "2",
        "--ticks",
        "9",
        "--warmup",
        "3",
        "--measure",
        "polarization,mean_speed,susceptibility",
        "-o",
        "phi.csv",
    ];
    run_in(&folder, &sweep);
    let metadata = read(&folder, "phi.csv.json");
    assert_eq!(names(&metadata), header(&folder, "phi.csv"));
    for (key, value) in [
        ("seeds", json!({ "first": 1, "count": 2 })),
        ("boids", json!(null)),
        ("world", json!(null)),
        ("ticks", json!(9)),
        ("warmup", json!(3)),
        ("rows", json!(16)),
        (
            "over",
            json!([
                { "keys": ["boids", "world"], "values": [[10, "3x3"], [20, "4x4"]] },
                { "keys": ["noise.angle"], "values": [[0.0], [30.0], [60.0], [90.0]] },
            ]),
        ),
    ] {
        assert_eq!(metadata[key], value, "{key}");
    }
    // A file that is complete gets it again.
    fs::remove_file(folder.path().join("phi.csv.json")).unwrap();
    run_in(&folder, &[&sweep[..], &["--resume"]].concat());
    let mut again = read(&folder, "phi.csv.json");
    assert_eq!(again["command"].as_array_mut().unwrap().pop(), Some(json!("--resume")));
    assert_eq!(again, metadata);
    let ramp = ["--ramp", "noise.angle=0:60:30", "--hold", "8", "-o", "loop.csv"];
    run_in(&folder, &[&["sweep", "-p", "vicsek", "-n", "10"], &ramp[..]].concat());
    let metadata = read(&folder, "loop.csv.json");
    assert_eq!(names(&metadata), header(&folder, "loop.csv"));
    assert_eq!(metadata["ramp"], json!({ "key": "noise.angle", "values": [0.0, 30.0, 60.0], "hold": 8 }));
    assert_eq!((&metadata["ticks"], &metadata["rows"]), (&json!(4), &json!(5)));
}

#[test]
fn streams_have_none() {
    let folder = TempDir::new().unwrap();
    for output in [
        "-",
        #[cfg(unix)]
        "/dev/null",
        #[cfg(unix)]
        "/dev/stdout",
    ] {
        run_in(&folder, &[&RUN[..15], &["-o", output]].concat());
        run_in(&folder, &["sweep", "-p", "drones", "-n", "5", "--ticks", "2", "-o", output]);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    #[cfg(unix)]
    assert!(!["/dev/null.json", "/dev/stdout.json"].iter().any(|path| fs::exists(path).unwrap()));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_stopped_leaves_the_earlier_files() {
    let folder = TempDir::new().unwrap();
    run_in(&folder, &RUN);
    let files = || ["a.csv", "a.csv.json"].map(|name| fs::read(folder.path().join(name)).unwrap());
    let before = files();
    let mut long = crate::program::process(&["run", "-n", "2000", "--ticks", "10000000", "-o", "a.csv"]);
    let mut run = long.current_dir(folder.path()).stderr(Stdio::null()).spawn().unwrap();
    while !crate::program::is_writing(folder.path()) {
        assert!(run.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let kill = std::process::Command::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap();
    assert!(kill.success() && run.wait().unwrap().code() == Some(128 + 15));
    assert_eq!(files(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_file_of_another_program_beside_an_output_is_kept() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.csv");
    let other = "{\"name\": \"of another program\"}";
    fs::write(folder.path().join("a.csv.json"), other).unwrap();
    let output = ["-o", file.to_str().unwrap()];
    let measures = ["--measures", file.to_str().unwrap()];
    for (command, output) in [("run", output), ("run", measures), ("sweep", output)] {
        let args = [command, "--ticks", "3", "-p", "drones", "-n", "5"];
        let error = fails(&[&args[..], &output].concat(), 1);
        assert!(error.contains("a.csv.json: the file exists, and flockscope did not write it"), "{error}");
        assert!(error.lines().count() == 1 && !file.exists(), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join("a.csv.json")).unwrap(), other);
    }
    #[cfg(unix)]
    {
        fs::remove_file(folder.path().join("a.csv.json")).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.path().join("a.csv.json")).unwrap();
        let error = fails(&[&["run", "--ticks", "3", "-p", "drones"][..], &output].concat(), 1);
        assert!(error.contains("a.csv.json: not a regular file"), "{error}");
        fs::remove_file(folder.path().join("a.csv.json")).unwrap();
    }
    // An empty file, as `mktemp` makes it, has nothing to lose.
    fs::write(folder.path().join("a.csv.json"), "").unwrap();
    says(&[&["run", "--ticks", "3", "-p", "drones"][..], &output].concat());
    assert!(read(&folder, "a.csv.json")["flockscope"].is_string());
}

#[test]
fn metadata_that_cannot_be_written_is_one_sentence_before_the_run() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("a.csv");
    fs::create_dir(folder.path().join("a.csv.json")).unwrap();
    let output = ["-o", file.to_str().unwrap()];
    for command in [&["run", "--ticks", "3"][..], &["sweep", "--ticks", "3"]] {
        let error = fails(&[command, &["-p", "drones", "-n", "5"], &output].concat(), 1);
        assert!(error.contains("a.csv.json: ") && error.lines().count() == 1, "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
    fs::remove_dir(folder.path().join("a.csv.json")).unwrap();
    says(&[&["run", "--ticks", "3", "-p", "drones"][..], &output].concat());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
