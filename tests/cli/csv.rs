//! Contract: states survive CSV bit for bit; errors in a file name the line.

use crate::program;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

const PRESETS: [&str; 6] = ["starlings", "drones", "sparrows", "sphere", "parker", "coderholic"];
const HEADER: &str = "tick,id,kind,x,y,z,vx,vy,vz\n";

fn run(args: &[&str]) -> String {
    program::says(&[&["run"], args].concat())
}

fn error_of(folder: &Path, text: &str, args: &[&str]) -> String {
    let file = folder.join("state.csv");
    fs::write(&file, text).unwrap();
    let mut run = program::flockscope(&["run", "-p", "drones", "--input"]);
    run.arg(&file).arg("--output").arg(folder.join("out.csv")).args(args);
    let error = program::refuses(run, 1);
    assert!(!folder.join("out.csv").exists(), "nothing is written");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn a_run_continued_from_a_file_equals_the_uninterrupted_one() {
    let folder = TempDir::new().unwrap();
    for preset in PRESETS {
        for extra in [&[][..], &["--set", "noise.angle=40", "--set", "max_neighbors=5", "--set", "hunt.mode=hunt"]] {
            for (from, ticks) in [("0", "1"), ("100", "100")] {
                let file = folder.path().join("state.csv");
                let file = file.to_str().unwrap();
                let common = [&["-p", preset, "-s", "7"], extra].concat();
                run(&[&common[..], &["--ticks", from, "--every", "1000", "--output", file]].concat());
                let continued = run(&[&common[..], &["--input", file, "--ticks", ticks, "--hash"]].concat());
                let total = (from.parse::<u64>().unwrap() + ticks.parse::<u64>().unwrap()).to_string();
                let whole = run(&[&common[..], &["--ticks", &total, "--hash"]].concat());
                assert_eq!(continued, whole, "{preset} {extra:?} from tick {from}");
            }
        }
    }
}

#[test]
fn moods_and_caught_boids_survive_csv() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("state.csv");
    let file = file.to_str().unwrap();
    let alive = ["hunt.stamina=30", "hunt.rest=20", "hunt.catch=9", "hunt.respawn=60", "alarm.spread=0.9"];
    let mut common = vec!["-p", "starlings", "-s", "7"];
    for set in alive {
        common.extend(["--set", set]);
    }
    let begun = [&common[..], &["--predators", "20"]].concat();
    run(&[&begun[..], &["--ticks", "100", "--every", "1000", "--output", file]].concat());
    let rows = fs::read_to_string(file).unwrap();
    assert!(rows.starts_with(&HEADER.replace('\n', ",mood\n")) && rows.contains(",caught,"));
    let continued = run(&[&common[..], &["--input", file, "--ticks", "50", "--hash"]].concat());
    assert_eq!(continued, run(&[&begun[..], &["--ticks", "150", "--hash"]].concat()));

    let header = HEADER.replace('\n', ",mood\n");
    for (row, said) in [
        ("0,1,prey,10,10,0,1,1,0", ":2: this row has 9 fields"),
        ("0,1,prey,10,10,0,1,1,0,NaN", ":2: mood = NaN is not a finite number"),
        ("0,1,prey,10,10,0,1,1,0,2", ":2: mood = 2 is out of range for kind prey: expected -1500000 to 1"),
        ("0,1,caught,10,10,0,1,1,0,-3", ":2: mood = -3 is out of range for kind caught: expected 0 to 1500000"),
    ] {
        let error = error_of(folder.path(), &format!("{header}{row}\n"), &[]);
        assert!(error.contains(said), "{row}: {error}");
    }
}

#[test]
fn rows_are_written_at_the_start_every_k_ticks_and_at_the_end() {
    let rows = run(&["-p", "drones", "-s", "1", "--ticks", "10", "--every", "4", "--output", "-"]);
    let ticks: Vec<&str> = rows.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    let mut distinct = ticks.clone();
    distinct.dedup();
    assert_eq!(distinct, ["0", "4", "8", "10"]);
    assert_eq!(ticks.len(), 4 * 100);
    assert_eq!(rows.lines().filter(|row| row.contains(",predator,")).count(), 4 * 3);
}

#[test]
fn ids_kinds_counts_and_tick_come_from_the_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("state.csv");
    let rows = "41,9,predator,10,20,0,1,0,0\n42,9,predator,11,20,0,1,0,0\n42,1000,prey,400,300,0,1,-0.5,0\n";
    fs::write(&file, format!("{HEADER}{rows}")).unwrap();
    let out = run(&["-p", "drones", "--input", file.to_str().unwrap(), "--ticks", "0", "--output", "-"]);
    assert_eq!(out, format!("{HEADER}{}", rows.split_once('\n').unwrap().1), "the last tick only, as it was");
}

#[test]
fn errors_name_the_line() {
    let folder = TempDir::new().unwrap();
    let good = "0,1,prey,10,10,0,1,1,0\n";
    for (rows, said) in [
        ("0,2,prey,10,NaN,0,1,1,0\n", ":3: y = NaN is not a finite number"),
        ("0,2,prey,10,10,0,inf,1,0\n", ":3: vx = inf is not a finite number"),
        ("0,2,prey,10,10,0,1,1\n", ":3: this row has 8 fields"),
        ("0,2,prey,10,10,0,1,1,0,5\n", ":3: this row has 10 fields"),
        ("0,2,hawk,10,10,0,1,1,0\n", ":3: kind = hawk is not prey, predator or caught"),
        ("0,-2,prey,10,10,0,1,1,0\n", ":3: id = -2 is not a whole number"),
        ("0,1,prey,20,10,0,1,1,0\n", ":3: duplicate id 1"),
        ("0,4000000000,prey,20,10,0,1,1,0\n", ":3: id = 4000000000 is out of range"),
        ("0,2,prey,10,10,5,1,1,0\n", ":3: z = 5: expected 0 in the 2-D world 800x600"),
        ("0,2,prey,10,10,0,1,1,5\n", ":3: vz = 5: expected 0"),
        ("0,2,prey,5000,10,0,1,1,0\n", ":3: (5000, 10, 0) is outside the world 800x600"),
        ("0,2,prey,1e30,10,0,1,1,0\n", ":3: x = "),
        ("x,2,prey,10,10,0,1,1,0\n", ":3: tick = x is not a whole number"),
        ("0,2,prey,\u{1b}[2J,10,0,1,1,0\n", "\\u{1b}[2J is not a finite number"),
    ] {
        let error = error_of(folder.path(), &format!("{HEADER}{good}{rows}"), &[]);
        assert!(error.contains("state.csv") && error.contains(said), "{rows}: {error}");
    }
    let error = error_of(folder.path(), "tick,id,x,y\n0,1,2,3\n", &[]);
    assert!(error.contains(":1: unexpected header: expected tick,id,kind"), "{error}");
    assert!(error_of(folder.path(), HEADER, &[]).contains("no rows"));
    assert!(error_of(folder.path(), "", &[]).contains("no rows"));
    let backward = format!("{HEADER}5,1,prey,10,10,0,1,1,0\n4,1,prey,10,10,0,1,1,0\n");
    assert!(error_of(folder.path(), &backward, &[]).contains(":3: tick 4 after tick 5"));
    let predators_only = format!("{HEADER}5,1,predator,10,10,0,1,1,0\n");
    assert!(error_of(folder.path(), &predators_only, &[]).contains(":2: no boids at tick 5"));
}

#[test]
fn lines_are_counted_with_any_line_ending() {
    let folder = TempDir::new().unwrap();
    let (good, bad) = ("0,1,prey,10,10,0,1,1,0", "0,2,prey,10,NaN,0,1,1,0");
    for (text, line) in [
        (format!("{}\r\n{good}\r\n{bad}\r\n", HEADER.trim_end()), 3),
        (format!("{}\r\n\r\n{good}\r\n\r\n\r\n{bad}", HEADER.trim_end()), 6),
        (format!("\n\n{HEADER}\n{good}\n\n{bad}\n\n"), 7),
        (format!("{HEADER}{good}\n\n0,\u{fffd}"), 4),
    ] {
        let error = error_of(folder.path(), &text, &[]);
        assert!(error.contains(&format!("state.csv:{line}: ")), "{text:?}: {error}");
    }
    // Valid rows are accepted with any line ending.
    let file = folder.path().join("state.csv");
    let rows = |text: String| {
        fs::write(&file, text).unwrap();
        run(&["-p", "drones", "-s", "1", "--input", file.to_str().unwrap(), "--ticks", "3", "--output", "-"])
    };
    let plain = rows(format!("{HEADER}{good}\n"));
    assert_eq!(rows(format!("{HEADER}{good}\n").replace('\n', "\r\n\r\n")), plain);
    assert_eq!(rows(format!("{HEADER}{good}")), plain);
}

#[test]
fn measures_have_one_row_per_tick() {
    let rows = run(&["-p", "sparrows", "-s", "4", "--ticks", "30", "--measures", "-"]);
    let mut lines = rows.lines();
    let header = lines.next().unwrap();
    assert!(header.starts_with("tick,polarization,rotation,mean_speed,"), "{header}");
    let columns = header.split(',').count();
    let rows: Vec<Vec<f64>> = lines.map(|row| row.split(',').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 31);
    assert!(rows.iter().all(|row| row.len() == columns && row.iter().all(|number| number.is_finite())));
    assert_eq!(rows[0][1], 0.0, "sparrows start at rest");
    assert!(rows[30][1] > 0.0);
}

#[test]
fn birds_fly_on_across_the_border() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("edge.csv");
    let far = [("50", "50", "52", "50"), ("99", "50", "1", "50"), ("1", "50", "99", "50"), ("50", "99", "50", "1")];
    for preset in ["abm-small", "abm-large"] {
        let headings = far.map(|(x, y, to_x, to_y)| {
            let rows = format!("{HEADER}0,0,prey,{x},{y},0,1,0,0\n0,1,prey,{to_x},{to_y},0,1,0,0\n");
            fs::write(&file, rows).unwrap();
            let input = ["-p", preset, "--world", "100x100", "--ticks", "1", "--input", file.to_str().unwrap()];
            let states = run(&[&input[..], &["--every", "1", "-o", "-"]].concat());
            let last = states.lines().rev().take(2).map(|row| row.split(',').collect::<Vec<_>>());
            last.map(|row| [6, 7].map(|at| row[at].parse::<f64>().unwrap())).collect::<Vec<_>>()
        });
        // Along the flight, and then across it: those at the border turn as little as others at the same distance.
        for heading in headings[..3].iter().flatten() {
            assert!((heading[0] - 1.0).abs() < 1e-6, "{preset}: {headings:?}");
        }
        for heading in &headings[3] {
            assert!(heading[0] > 0.99, "{preset}: {headings:?}");
        }
    }
}

#[test]
fn a_run_does_not_replace_its_input() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("state.csv");
    let text = format!("{HEADER}0,0,prey,1,1,0,1,0,0\n");
    fs::write(&file, &text).unwrap();
    let file = file.to_str().unwrap();
    for option in ["--output", "--measures"] {
        let error = program::fails(&["run", "-p", "drones", "--input", file, "--ticks", "2", option, file], 2);
        assert!(error.contains(&format!("it would replace --input {file}; expected another file")), "{error}");
        assert_eq!(fs::read_to_string(file).unwrap(), text);
    }
}
