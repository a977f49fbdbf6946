//! Contract: `fit` finds the rules of a recorded flock and writes them as a preset that flies; it finds no rules where there are none,
//! says what it cannot determine, and refuses what it cannot use.

use std::fmt::Write as _;
use std::fs;

use flockscope::config::Preset;
use flockscope::sim::{AlignmentResponse, Edge, Falloff, Response};
use tempfile::TempDir;

use crate::program::{fails, says};

/// A folder with a run of a preset, and the path of a file in it.
fn recording(name: &str, args: &[&str]) -> (TempDir, impl Fn(&str) -> String) {
    let folder = TempDir::new().unwrap();
    let root = folder.path().to_owned();
    let path = move |name: &str| root.join(name).to_str().unwrap().to_owned();
    says(&[&["run", "-p", "drones", "--predators", "0", "-s", "7", "-o", &path(name)], args].concat());
    (folder, path)
}

/// Whether a number is that of the rules, to within a share.
fn is_near(fitted: f32, number: f32, share: f32) -> bool {
    (fitted - number).abs() < share * number
}

#[test]
fn rules_are_recovered_and_fly() {
    let (_folder, path) = recording("drones.csv", &["-n", "30", "--world", "400x300", "--ticks", "120"]);
    let (recorded, preset, report) = (path("drones.csv"), path("fitted.toml"), path("map.csv"));
    fs::write(&preset, "boids = 9\n").unwrap();
    let error = fails(&["fit", &recorded, "-o", &preset], 1);
    assert!(error.contains("fitted.toml: the file exists, and flockscope did not write it"), "{error}");
    fs::remove_file(&preset).unwrap();
    let table = says(&["fit", &recorded, "-o", &preset, "--report", &report]);
    let fitted = Preset::load(&preset).unwrap();
    let params = fitted.params;
    assert_eq!((params.separation.falloff, params.separation.response), (Falloff::Linear, Response::Sum), "{table}");
    assert_eq!((params.alignment.response, params.cohesion.response), (AlignmentResponse::Difference, Response::Mean));
    assert_eq!((params.edge.mode, params.limits.max_force, params.noise.angle), (Edge::Turn, 0.0, 0.0), "{table}");
    for (fitted, number) in [
        (params.separation.weight, 0.001),
        (params.separation.radius, 20.0),
        (params.alignment.weight, 0.01),
        (params.alignment.radius, 50.0),
        (params.cohesion.weight, 0.0003),
        (params.cohesion.radius, 50.0),
        (params.edge.strength, 0.5),
        (params.edge.margin, 50.0),
        (params.speed.min, 1.0),
        (params.speed.max, 5.0),
    ] {
        assert!(is_near(fitted, number, 0.03), "{fitted} for {number}\n{table}");
    }
    assert!(table.contains("drones.csv: 30 animals, 121 frames"), "{table}");
    assert!(table.lines().any(|line| line.starts_with("wind") && line.contains("not seen")), "{table}");
    let polarization = table.lines().find(|line| line.starts_with("polarization")).unwrap();
    assert!(polarization.contains("agrees"), "{table}");
    let map = fs::read_to_string(&report).unwrap();
    assert!(map.starts_with("ahead,right,count,along,to_right,fit_along,fit_to_right\n"));
    assert_eq!(map.lines().count(), 1 + 21 * 21);
    assert!(fs::read_to_string(format!("{preset}.json")).unwrap().contains("\"recording\""));
    assert!(says(&["run", "-p", &preset, "-s", "1", "--ticks", "10", "--hash"]).starts_with("hash 10 "));

    let states = path("fitted-states.csv");
    let [beside, alone] = ["beside the animals: ", "alone from the same start: "].map(|start| {
        let command = table.lines().find_map(|line| line.strip_prefix(start)).unwrap();
        command.strip_prefix("flockscope ").unwrap().to_owned()
    });
    assert_eq!(beside, format!("replay {recorded} --beside {preset}"));
    assert_eq!(alone, format!("-p {preset} --input {states}"));
    assert!(says(&["run", "-p", &preset, "--input", &states, "--ticks", "10", "--hash"]).starts_with("hash 10 "));
    let shot = |more: &[&str]| {
        let frame = ["shot", "--session", &recorded, "--at", "40", "-o", "-", "--color", "truecolor"];
        says(&[&frame[..], more].concat())
    };
    assert_ne!(shot(&[]), shot(&["--beside", &preset]));
    let error = fails(&["shot", "--session", &recorded, "-o", "-", "--beside", "sphere"], 2);
    assert!(error.contains("--beside sphere: the preset has 3 dimensions, and the recording 2"), "{error}");
    let error = fails(&["shot", "-o", "-", "--beside", "drones"], 2);
    assert!(error.contains("--session"), "{error}");
}

#[test]
fn no_rule_is_found_where_there_is_none() {
    let alone = ["separation.weight=0", "alignment.weight=0", "cohesion.weight=0", "edge.mode=wrap", "noise.angle=30"];
    let settings: Vec<&str> = alone.iter().flat_map(|setting| ["--set", setting]).collect();
    let args = [&["-n", "20", "--ticks", "60"], &settings[..]].concat();
    let (_folder, path) = recording("walk.csv", &args);
    let table = says(&["fit", &path("walk.csv")]);
    for rule in ["separation", "alignment", "cohesion", "wind"] {
        let row = table.lines().find(|line| line.starts_with(rule)).unwrap();
        assert!(["not found", "not determined", "not seen"].iter().any(|verdict| row.contains(verdict)), "{table}");
    }
    assert!(table.contains("No rule explains the changes of velocity."), "{table}");
    assert!(table.contains("turn at random by up to 1"), "{table}");
}

/// Animals at a constant speed turn toward the center of the others; positions have two decimals, and in frame 150 two of them are exchanged.
#[test]
fn cohesion_is_found_beside_an_exchange_of_identities() {
    let settings = [
        "separation.weight=0",
        "alignment.weight=0",
        "cohesion.radius=inf",
        "cohesion.response=unit",
        "cohesion.weight=0.4",
        "speed.min=8",
        "speed.max=8",
        "noise.angle=8",
        "edge.mode=open",
    ];
    let settings: Vec<&str> = settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let args = [&["-n", "12", "--world", "3000x3000", "--ticks", "300"], &settings[..]].concat();
    let (_folder, path) = recording("exact.csv", &args);
    let mut tracks = "frame,id,x,y\n".to_owned();
    for line in fs::read_to_string(path("exact.csv")).unwrap().lines().skip(1) {
        let [frame, id, _, x, y] = <[&str; 5]>::try_from(line.splitn(6, ',').take(5).collect::<Vec<_>>()).unwrap();
        let id = match (frame, id) {
            ("150", "0") => "1",
            ("150", "1") => "0",
            _ => id,
        };
        let [x, y] = [x, y].map(|number| number.parse::<f64>().unwrap());
        writeln!(tracks, "{frame},{id},{x:.2},{y:.2}").unwrap();
    }
    fs::write(path("tracks.csv"), tracks).unwrap();
    let table = says(&["fit", &path("tracks.csv"), "-o", &path("fitted.toml")]);
    assert!(table.contains("Left out: 2 exchanges of identities, 2 states between them."), "{table}");
    assert!(table.contains("Over 1, 2, 4, 8"), "{table}");
    let params = Preset::load(&path("fitted.toml")).unwrap().params;
    assert_eq!(params.cohesion.response, Response::Unit, "{table}");
    assert!(is_near(params.cohesion.weight, 0.4, 0.1) && params.cohesion.radius.is_infinite(), "{table}");
    assert_eq!((params.separation.weight, params.alignment.weight), (0.0, 0.0), "{table}");
    assert!(is_near(params.speed.min, 8.0, 1e-3) && params.speed.min == params.speed.max, "{table}");
    assert!(is_near(params.noise.angle, 8.0, 0.1), "{table}");
    let speed = table.lines().find(|line| line.starts_with("mean_speed")).unwrap();
    let speed = speed.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!(is_near(speed, 8.0, 1e-3), "a mean without the exchange: {table}");
}

/// A shoal that mills with turns of at most 4° per tick: linear weights of its alignment and cohesion are far too small.
#[test]
fn no_bound_is_claimed_where_limits_may_hide_a_rule() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shoal.csv").to_str().unwrap().to_owned();
    says(&["run", "-p", "herring", "--predators", "0", "-n", "20", "-s", "3", "--ticks", "80", "-o", &path]);
    let table = says(&["fit", &path]);
    for rule in ["alignment", "cohesion"] {
        let row = table.lines().find(|line| line.starts_with(rule)).unwrap();
        assert!(row.ends_with("not determined: limits of turns or steering may hide it"), "{table}");
    }
    assert!(table.contains("No rule explains the changes of velocity."), "{table}");
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let (_folder, path) = recording("two.csv", &["-n", "2", "--ticks", "150"]);
    let recorded = path("two.csv");
    let table = says(&["fit", &recorded]);
    assert!(table.contains("not determined: record at least three animals"), "{table}");
    let short = path("short.csv");
    fs::write(&short, "frame,id,x,y\n0,1,0,0\n1,1,1,0\n2,1,2,1\n").unwrap();
    let fails_with = |args: &[&str], status, text: &str| {
        let error = fails(&[&["fit"], args].concat(), status);
        assert!(error.contains(text), "{error}");
    };
    let refused = |args: &[&str], text: &str| fails_with(args, 2, text);
    fails_with(&[&short], 1, "1 changes of velocity are too few to fit rules: expected at least 200");
    // Each block of time has changes with sums three frames earlier.
    let mut noisy = "frame,id,x,y\n".to_owned();
    for (frame, id) in (0..30u32).flat_map(|frame| (0..20u32).map(move |id| (frame, id))) {
        let error = f64::from((frame * 7919 + id * 104_729) % 101) / 50.0;
        writeln!(noisy, "{frame},{id},{:.2},{id}", f64::from(frame) + error).unwrap();
    }
    fs::write(path("noisy.csv"), noisy).unwrap();
    fails_with(&[&path("noisy.csv")], 1, "30 frames are too few to fit rules: expected at least 80");
    // Fifteen animals on a circle whose radius is a million, always near a wall. A proposed unit works as it is printed.
    let mut large = "frame,id,x,y\n".to_owned();
    for (frame, id) in (0..100u32).flat_map(|frame| (0..15u32).map(move |id| (frame, id))) {
        let angle = f64::from(frame) / 10.0 + f64::from(id * id);
        writeln!(large, "{frame},{id},{:.1},{:.1}", 1e6 * angle.cos(), 1e6 * angle.sin()).unwrap();
    }
    fs::write(path("large.csv"), large).unwrap();
    let out_of_range = |unit: &str, proposal: &str| {
        fails_with(&[&path("large.csv"), "--unit", unit], 1, &format!("--unit {proposal} makes it fit"));
        fails_with(&[&path("large.csv"), "--unit", proposal], 1, "do not determine weights of rules");
    };
    out_of_range("u", "0.001u");
    out_of_range("mm", "0.001m");
    out_of_range("2µm", "0.002mm");
    fails_with(&["flock.flock"], 1, "expected a recording");
    refused(&[&recorded, "-o", "a.csv"], "a preset file ends in .toml");
    refused(&[&recorded, "--report", "a.png"], "must end in .svg or .csv");
    refused(&[&recorded, "--report", &recorded], "it would replace");
    refused(&[&recorded, "--arena", "9,0,1,5"], "expected X0,Y0,X1,Y1 with X0 < X1");
}

/// Tracks of animals that ignore each other and follow a leader that is not recorded, with the places of two animals exchanged for one in
/// frame 300.
fn followers() -> String {
    let mut state = 7u64;
    let mut normal = move || {
        let uniform = (0..12).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / f64::from(1u32 << 24)
        });
        uniform.sum::<f64>() - 6.0
    };
    let (mut leader, mut heading) = ([0.0f64; 2], 0.0f64);
    let mut animals: Vec<[f64; 4]> = (0..24).map(|_| [30.0 * normal(), 30.0 * normal(), normal(), normal()]).collect();
    let mut tracks = "frame,id,x,y\n".to_owned();
    for frame in 0..900 {
        let home = (-leader[1]).atan2(-leader[0]);
        let is_far = leader[0].hypot(leader[1]) > 150.0;
        heading += 0.08 * normal() + if is_far { 0.02 * (home - heading).sin() } else { 0.0 };
        let velocity = [1.5 * heading.cos(), 1.5 * heading.sin()];
        leader = [leader[0] + velocity[0], leader[1] + velocity[1]];
        for animal in &mut animals {
            for axis in 0..2 {
                let pull = 0.0015 * (leader[axis] - animal[axis]) + 0.06 * (velocity[axis] - animal[axis + 2]);
                animal[axis + 2] += pull + 0.2 * normal();
                animal[axis] += animal[axis + 2];
            }
        }
        for (id, [x, y, ..]) in animals.iter().enumerate() {
            let [x, y] = if (frame, id) == (300, 5) { [animals[6][0], animals[6][1]] } else { [*x, *y] };
            writeln!(tracks, "{frame},{id},{x:.5},{y:.5}").unwrap();
        }
    }
    tracks
}

#[test]
fn a_common_cause_is_shared_and_not_found() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("followers.csv").to_str().unwrap().to_owned();
    fs::write(&path, followers()).unwrap();
    let preset = folder.path().join("followers.toml").to_str().unwrap().to_owned();
    let table = says(&["fit", &path, "-o", &preset]);
    let verdict = |rule: &str| table.lines().find(|line| line.starts_with(rule)).unwrap().to_owned();
    assert!(verdict("alignment").ends_with("shared"), "{table}");
    for rule in ["separation", "cohesion"] {
        assert!(!verdict(rule).ends_with("  found"), "{table}");
    }
    assert!(table.contains("they may respond to each other, or to something else"), "{table}");
    assert!(!table.contains("NaN"), "{table}");
    assert!(fs::read_to_string(preset).unwrap().starts_with("# alignment"), "a comment in the preset");
}
