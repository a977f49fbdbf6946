//! Contract: CSV, extended XYZ and NPZ of any program are measured, drawn and exported as recorded trajectories, and a mistake in
//! them is one sentence with its line.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::layouts::proposal;
use crate::program::{flockscope, prints};
use crate::tools;

const FISH: [&str; 4] = ["--columns-of", "id=track,x=cx,y=cy", "--unit", "px"];

/// The sample of the documentation, in a folder.
fn fish() -> TempDir {
    let folder = TempDir::new().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/trajectories/fish.csv");
    fs::copy(sample, folder.path().join("fish.csv")).unwrap();
    folder
}

fn run_in(folder: &TempDir, args: &[&[&str]]) -> String {
    let mut command = flockscope(&["run"]);
    command.current_dir(folder).args(args.concat());
    prints(command)
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// The measures of a recording with this text.
fn measures_of(name: &str, text: &str, args: &[&str]) -> Vec<Vec<f64>> {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), text).unwrap();
    let measures = ["--measure", "polarization,mean_speed,nearest_neighbor", "--measures", "-"];
    let rows = run_in(&folder, &[&["--session", name], args, &measures]);
    rows.lines().skip(1).map(|row| row.split(',').map(|number| number.parse().unwrap()).collect()).collect()
}

#[test]
fn every_format_gives_the_same_measures_and_coordinates() {
    let folder = fish();
    let recording = [&["--session", "fish.csv"][..], &FISH].concat();
    let measured = |recording: &[&str]| run_in(&folder, &[recording, &["--measures", "-"]]);
    let expected = measured(&recording);
    assert_eq!(expected.lines().count(), 251, "each frame has a row");
    for file in ["out.csv", "out.xyz", "out.npz"] {
        run_in(&folder, &[&recording, &["-o", file]]);
        assert_eq!(measured(&["--session", file]), expected, "{file}");
    }
    run_in(&folder, &[&recording, &["-o", "tracks.csv", "--columns", "tick,id,x,y"]]);
    let sorted = |name| {
        let text = read(&folder, name);
        let rows = text.lines().skip(1).map(|row| row.split(',').map(|number| number.parse().unwrap()).collect());
        let mut rows: Vec<Vec<f64>> = rows.collect();
        rows.sort_by(|one, other| one.partial_cmp(other).unwrap());
        rows
    };
    assert!(sorted("tracks.csv") == sorted("fish.csv"), "coordinates are those of the file");
}

/// Computes polarization and distances to the nearest neighbor from the columns of the file.
const COMPARE: &str = "
import csv
import numpy as np
tracks = {}
for row in csv.DictReader(open('fish.csv')):
    tracks.setdefault(row['track'], {})[int(row['frame'])] = np.array([float(row['cx']), float(row['cy'])])
def velocity(track, frame):
    steps = [track[frame + k] - track[frame + k - 1] for k in (0, 1) if frame + k in track and frame + k - 1 in track]
    return np.mean(steps, axis=0)
for row in csv.DictReader(open('phi.csv')):
    frame = int(row['tick'])
    here = [track for track in tracks.values() if frame in track]
    v = np.array([velocity(track, frame) for track in here])
    x = np.array([track[frame] for track in here])
    polarization = np.linalg.norm((v / np.linalg.norm(v, axis=1, keepdims=True)).mean(axis=0))
    distance = np.linalg.norm(x[:, None] - x, axis=2)
    np.fill_diagonal(distance, np.inf)
    for name, value in [('polarization', polarization), ('nearest_neighbor', distance.min(axis=1).mean())]:
        assert abs(float(row[name]) / value - 1) < 1e-6, (frame, name, row[name], value)
";

#[test]
fn measures_are_those_of_numpy() {
    if !tools::has_numpy() {
        return;
    }
    let folder = fish();
    run_in(&folder, &[&["--session", "fish.csv"], &FISH, &["--measures", "phi.csv"]]);
    let compared = Command::new("python3").args(["-c", COMPARE]).current_dir(&folder).output().unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stderr));
}

#[test]
fn coordinates_far_from_zero_lose_nothing() {
    let [near, far] = [(0.0, 0.0), (629_635.0, 4_599_110.0)].map(|(east, north)| {
        let mut text = "id,frame,x,y\n".to_owned();
        for (frame, id) in (0..20).flat_map(|frame| (0..5).map(move |id| (frame, id))) {
            let (x, y) = (east + f64::from(id * 3 + frame) * 0.01, north + f64::from(id * id) * 0.01);
            writeln!(text, "{id},{frame},{x:.2},{y:.2}").unwrap();
        }
        measures_of("a.csv", &text, &[])
    });
    for (near, far) in near.iter().flatten().zip(far.iter().flatten()) {
        assert!((near - far).abs() <= 1e-6 * near.abs(), "{near} {far}");
    }
}

#[test]
fn gaps_units_times_and_names_are_understood() {
    // An animal that is away for a frame has steps on both sides of it only.
    let text = "frame;id;x;y\n0;a b;0;0\n1;a b;1;0\n3;a b;9;0\n4;a b;11;0\n2;c;0;0\n3;c;0;4\n";
    let rows = measures_of("a.csv", text, &["--unit", "0.5mm"]);
    let speeds: Vec<f64> = rows.iter().map(|row| row[2]).collect();
    assert_eq!(speeds, [0.5, 0.5, 2.0, 1.5, 1.0]);
    // An animal without a frame before or after has the speed to its next row.
    let text = "frame,id,x,y\n0,1,0,0\n2,1,3,0\n3,2,0,0\n4,2,0,1\n5,2,0,2\n";
    let speeds: Vec<f64> = measures_of("a.csv", text, &[]).iter().map(|row| row[2]).collect();
    assert_eq!(speeds, [1.5, 1.5, 1.0, 1.0, 1.0], "and a frame without animals has no row");
    // Dates as R writes them, with the column names of trackdf.
    let text = "id,frame,x,y\n1,0,0,0\n1,1,NA,0\n1,2,,\n1,3,6,NaN\n1,4,8,0\n";
    let rows = measures_of("a.csv", text, &["--skip-missing"]);
    assert_eq!(rows.iter().map(|row| (row[0], row[2])).collect::<Vec<_>>(), [(0.0, 2.0), (4.0, 2.0)]);
    let text = "id,t,x,y\n1,2015-09-10,0,0\n1,2015-09-10 00:00:00.5,1,0\n1,2015-09-10 00:00:01.5,2,0\n1,2015-09-10 00:00:02,3,0\n";
    let rows = measures_of("a.csv", text, &[]);
    assert_eq!(
        rows.iter().map(|row| (row[0], row[2])).collect::<Vec<_>>(),
        [(0.0, 1.0), (1.0, 1.0), (3.0, 1.0), (4.0, 1.0)]
    );
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.csv"), "id,frame,x,y\n\"Ann, the 1st\",0,1,1\nBob,0,2,2\n").unwrap();
    let states = run_in(&folder, &[&["--session", "a.csv", "-o", "-", "--columns", "id,x"]]);
    assert_eq!(states, "id,x\n\"Ann, the 1st\",1\nBob,2\n");
}

#[test]
fn files_of_run_have_their_world_and_their_radii() {
    let folder = TempDir::new().unwrap();
    let flock =
        ["-p", "drones", "--world", "400x300", "--set", "edge.mode=wrap", "-s", "7", "--ticks", "50", "--every", "10"];
    for file in ["a.csv", "a.xyz", "a.npz"] {
        let expected = run_in(&folder, &[&flock, &["-o", file, "--measures", "-"]]);
        let found = run_in(&folder, &[&["--session", file, "--measures", "-"]]);
        assert_eq!(expected.lines().count(), 7);
        for (expected, found) in expected.lines().zip(found.lines()).skip(1) {
            for (expected, found) in expected.split(',').zip(found.split(',')) {
                let [expected, found] = [expected, found].map(|number| number.parse::<f64>().unwrap());
                assert!((expected - found).abs() <= 2e-6 * expected.abs(), "{file}: {expected} {found}");
            }
        }
    }
    // The steps of tracks without velocities cross the edge the shorter way.
    run_in(&folder, &[&flock, &["-o", "b.csv", "--columns", "id,tick,x,y"]]);
    let speeds = run_in(&folder, &[&["--session", "b.csv", "--measure", "mean_speed", "--measures", "-"]]);
    assert!(
        speeds.lines().skip(1).all(|row| row.split(',').nth(1).unwrap().parse::<f64>().unwrap() < 50.0),
        "{speeds}"
    );
}

#[test]
fn frame_numbers_of_the_file_select_frames() {
    let folder = TempDir::new().unwrap();
    let mut text = "id,frame,x,y\n".to_owned();
    (0..10).for_each(|frame| writeln!(text, "1,{},{frame},0", 100 + 5 * frame).unwrap());
    fs::write(folder.path().join("a.csv"), text).unwrap();
    let ticks = |args: &[&str]| {
        let rows = run_in(&folder, &[&["--session", "a.csv", "-o", "-", "--columns", "tick,x"], args]);
        rows.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(ticks(&["--at", "115"]), ["115,3"]);
    assert_eq!(ticks(&["--from", "130", "--to", "140"]), ["130,6", "135,7", "140,8"]);
    assert_eq!(ticks(&["--every", "4"]), ["100,0", "120,4", "140,8", "145,9"]);
    for (at, error) in [
        ("146", "--at 146: the recording has the frames 100 to 145"),
        ("111", "--at 111: the recording has the frames 110 and 115"),
    ] {
        let mut command = flockscope(&["run", "--session", "a.csv", "--at", at]);
        let output = command.current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("flockscope: {error}\n"));
    }
    let speeds =
        run_in(&folder, &[&["--session", "a.csv", "--measure", "mean_speed", "--measures", "-", "--at", "115"]]);
    assert_eq!(speeds, "tick,mean_speed\n115,0.2\n", "speeds are per number of a frame");
}

#[test]
fn pictures_and_clips_show_recordings() {
    let folder = fish();
    let recording = [&["--session", "fish.csv", "--size", "100x24"][..], &FISH].concat();
    let mut command = flockscope(&["shot", "-o", "-", "--panel", "--at", "100"]);
    command.current_dir(&folder).args(&recording);
    let picture = prints(command);
    assert!(picture.contains("animals") && picture.contains("px") && picture.contains("frame 100"), "{picture}");
    let mut command =
        flockscope(&["record", "--from", "0", "--to", "50", "--frame-rate", "25", "--fps", "50", "-o", "-"]);
    command.current_dir(&folder).args(&recording);
    let clip = prints(command);
    // Twice as many pictures as frames: each shows the animals elsewhere.
    assert!(clip.lines().filter(|line| line.contains("\"o\"")).count() > 80, "{clip}");
}

#[test]
fn an_output_never_replaces_the_recording() {
    let folder = fish();
    let before = read(&folder, "fish.csv");
    for output in ["-o", "--measures"] {
        let mut command = flockscope(&["run", "--session", "fish.csv", output, "./fish.csv"]);
        let result = command.current_dir(&folder).args(FISH).output().unwrap();
        let error = String::from_utf8_lossy(&result.stderr);
        assert!(error.contains("would replace --session fish.csv") && result.status.code() == Some(2), "{error}");
    }
    assert!(read(&folder, "fish.csv") == before);
}

#[test]
fn rare_frames_and_ranges_keep_their_numbers() {
    let folder = TempDir::new().unwrap();
    let numbers = |frames: &[u64], args: &[&str]| {
        let mut text = "id,frame,x,y\n".to_owned();
        for frame in frames {
            writeln!(text, "1,{frame},{frame},0").unwrap();
        }
        fs::write(folder.path().join("a.csv"), text).unwrap();
        let states = run_in(&folder, &[&["--session", "a.csv", "-o", "-", "--columns", "tick,vx"], args]);
        states.lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(numbers(&[0, 100, 101], &[]), ["0,1", "100,1", "101,1"], "the speed is that of the animal");
    assert_eq!(numbers(&[0, 30, 60, 90, 100], &[]), ["0,1", "30,1", "60,1", "90,1", "100,1"]);
    assert_eq!(numbers(&[0, 30, 60, 90, 100], &["--from", "31", "--to", "100"]), ["60,1", "90,1", "100,1"]);
    assert_eq!(numbers(&[0, 30, 60, 90, 100], &["--from", "0", "--to", "59"]), ["0,1", "30,1"]);
    let mut command = flockscope(&["run", "--session", "a.csv", "--from", "31", "--to", "32"]);
    let output = command.current_dir(&folder).output().unwrap();
    let error = "flockscope: --to 32: the recording has no frame from 31 to 32, only every 30th\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), error);
}

#[test]
fn cells_of_extended_xyz_are_worlds() {
    let tank = |z: f64, pbc: &str| {
        let header = format!("Lattice=\"3 0 0 0 2 0 0 0 1\" Properties=species:S:1:pos:R:3:id:I:1 {pbc}");
        let frame = |x: f64, z: f64| format!("1\n{header}\nA {x} 1 {z} 7\n");
        let rows = measures_of("a.xyz", &(frame(2.9, 0.2) + &frame(0.1, 0.2 + z)), &[]);
        rows[0][2]
    };
    assert!((tank(0.0, "pbc=\"T T F\"") - 0.2).abs() < 1e-6, "flat, and across the edge");
    assert!((tank(0.0, "pbc=\"F F F\"") - 2.8).abs() < 1e-6);
    assert!((tank(0.1, "pbc=\"F F F\"") - f64::hypot(2.8, 0.1)).abs() < 1e-6, "a tank of one unit has a depth");
    assert!((tank(0.1, "") - f64::hypot(0.2, 0.1)).abs() < 1e-6, "without pbc, cells are periodic");
}

#[test]
fn comments_species_and_angles_of_other_programs_do_no_harm() {
    let text = "# made by, a tool\nid;frame;x;y;kind;bank\n# a comment\n1;0;0;0;guppy;30\n1;1;1;0;guppy;30\n";
    assert_eq!(measures_of("a.csv", text, &[]).len(), 2);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.csv"), text.replace("1;1;1", "1;1;one")).unwrap();
    let mut command = flockscope(&["run", "--session", "a.csv", "--summary"]);
    let output = command.current_dir(&folder).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "flockscope: a.csv:5: x = one; expected a finite number\n");
}

#[test]
fn options_that_a_format_cannot_use_are_refused() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| {
        let mut command = flockscope(&["run"]);
        let output = command.current_dir(&folder).args(args).output().unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    fs::write(folder.path().join("a.xyz"), "1\n\nA 1 2 3\n").unwrap();
    assert!(
        run(&["--session", "a.xyz", "--columns-of", "x=cx"])
            .contains("only tables of text and NPZ have columns with other names")
    );
    assert!(
        run(&["--session", "a.xyz", "--skip-missing"]).contains("only tables of text have rows without a position")
    );
    run_in(&folder, &[&["-p", "drones", "-s", "7", "--ticks", "3", "-o", "a.npz"]]);
    assert!(run(&["--session", "a.npz", "--columns-of", "velocity=speed"]).contains("the file has no array `speed`"));
    assert!(run(&["--session", "a.npz", "--columns-of", "x=cx"]).contains("NPZ has no column x"));
    assert!(run(&["--session", "a.npz", "--unit", "2m"]).contains("the lengths of a.npz are those of its model"));
}

#[test]
fn exported_recordings_keep_their_unit_and_their_times() {
    let folder = fish();
    run_in(
        &folder,
        &[&["--session", "fish.csv", "--frame-rate", "25"], &FISH, &["-o", "out.csv", "--columns", "tracks"]],
    );
    assert!(read(&folder, "out.csv").lines().nth(21).unwrap().starts_with("1,1,0.04,"), "times are seconds");
    let summary = run_in(&folder, &[&["--session", "out.csv", "--measure", "mean_speed", "--summary"]]);
    assert!(summary.contains("px/frame"), "{summary}");
    run_in(&folder, &[&["--session", "out.csv", "-o", "again.csv", "--columns", "tracks"]]);
    assert!(read(&folder, "again.csv") == read(&folder, "out.csv"));
}

#[test]
fn the_frame_rate_of_an_option_must_be_that_of_the_times() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("a.csv"), "id,t,x,y\n1,0,0,0\n1,0.04,1,0\n1,0.08,2,0\n").unwrap();
    let mut command = flockscope(&["run", "--session", "a.csv", "--frame-rate", "50", "--summary"]);
    let output = command.current_dir(&folder).output().unwrap();
    let error = "flockscope: a.csv: the times have 25 frames per second, not 50\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), error);
}

#[test]
fn mistakes_are_one_sentence_and_nothing_is_written() {
    let folder = TempDir::new().unwrap();
    let header = "id,frame,x,y\n";
    for (name, text, error) in [
        (
            "a.csv",
            format!("{header}1,0,1,1\n2,0,2,2\n1,0,3,3\n"),
            "a.csv:4: animal 1 has frame 0 already, in line 2, at another position",
        ),
        (
            "a.csv",
            format!("{header}1,0,1,1\n1,1,NaN,2\n"),
            "a.csv:3: x = NaN; expected a finite number; --skip-missing leaves out rows without a position",
        ),
        (
            "a.csv",
            "frame,x,y\n0,1,1\n0,2,2\n".to_owned(),
            "a.csv:3: animal a has frame 0 already, in line 2, at another position; --columns-of id=NAME names the column of animals, \
             if the rows are those of several",
        ),
        (
            "a.csv",
            "fish,taxon,frame,head.x,head.y\n".to_owned(),
            "a.csv:1: the header has no column for id, x, y (the columns are \
             fish, taxon, frame, head.x, head.y); --columns-of id=NAME,x=NAME,y=NAME names them",
        ),
        (
            "a.csv",
            "id,frame,x,y,z\n1,0,1,1,1\n1,1,2,2,\n".to_owned(),
            "a.csv:3: z is empty; expected a finite number; --skip-missing leaves out rows without a position",
        ),
        ("a.csv", "id,frame,x,y,z\n1,0,1,1,1\n1,1,2,2\n".to_owned(), "a.csv:3: expected 5 columns, found 4"),
        (
            "a.csv",
            "id,t,x,y\n1,0,1,1\n1,0.04,2,1\n1,0.08,3,1\n1,0.09,3,1\n".to_owned(),
            "a.csv:5: time 0.09 of animal 1 is in the same frame as its row before at 25 frames per second; --frame-rate 100 separates all rows",
        ),
        (
            "a.csv",
            format!("{header}1,0.5,1,1\n"),
            "a.csv:2: frame = 0.5; expected a whole number from 0 to 9007199254740992; a column of times is named by time=NAME",
        ),
        (
            "a.csv",
            format!("{header}1,0,1,1\n1,1,1e300,1\n"),
            "a.csv:3: x = 1e300 is more than 1000000000.0 units from other positions",
        ),
        ("a.csv", header.to_owned(), "a.csv: the file has no rows"),
        ("a.csv", String::new(), "a.csv: the file is empty; expected a table with a header such as id,frame,x,y"),
        ("a.xyz", "2\nProperties=species:S:1:pos:R:3\nA 1 1 1\n".to_owned(), "a.xyz:4: the frame is incomplete"),
        ("a.xyz", "1\n\nA 1 nan 1\n".to_owned(), "a.xyz:3: nan is not a finite number"),
        (
            "a.xyz",
            "1\n\nA 1 1 1\n2\n\nA 1 1 1\nB 2 2 2\n".to_owned(),
            "a.xyz:7: the number of atoms changes, so each needs an id: add id:I:1 to Properties",
        ),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let mut command = flockscope(&["run", "--session", name, "-o", "out.csv", "--measures", "phi.csv"]);
        let output = command.current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("flockscope: {error}\n"));
        assert_eq!(output.status.code(), Some(1));
        if let Some(proposal) = proposal(error) {
            let run = flockscope(&["run", "--session", name, "--hash"]).args(&proposal).current_dir(&folder).output();
            assert!(run.unwrap().status.success(), "{proposal:?}");
        }
        fs::remove_file(folder.path().join(name)).unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "nothing is written");
    }
}

#[cfg(unix)]
#[test]
fn metadata_in_a_pipe_are_not_awaited() {
    let folder = fish();
    let pipe = folder.path().join("fish.csv.json");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    run_in(&folder, &[&["--session", "fish.csv"], &FISH, &["--measures", "-"]]);
}

#[test]
fn what_would_be_wrong_in_silence_is_refused() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let wide: Vec<String> = (0..65).map(|at| format!("{}.5", at * 7 % 31)).collect();
    write("flat.csv", "id,frame,x,y\n0,0,1,1\n0,1,2,1\n");
    write("deep.csv", "id,frame,x,y,z\n1,0,1,1,1\n1,1,2,1,1\n");
    write("wide.csv", &(wide.join(",") + "\n").repeat(9));
    write("hidden.csv", "id,frame,x (p\u{202e}x),y\n0,0,1,1\n0,1,2,1\n");
    write("aside.csv", "id,frame,x,y\n0,0,1,1\n0,1,2,1\n");
    write("aside.csv.json", r#"{"columns":[{"name":"x","unit":"p\u001bx"}],"unit":"p\u001bx"}"#);
    let shown = |args: &[&str]| {
        let mut command = flockscope(args);
        let ran = command.current_dir(&folder).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    for (args, says) in [
        (&["--session", "flat.csv", "--session", "deep.csv"][..], "frames and 3 axes after frames and 2 axes"),
        (&["--session", "wide.csv"], "no header and 65 columns"),
        (&["--session", "hidden.csv"], "the unit `p\\u{202e}x` has characters that cannot be shown"),
        (&["--session", "flat.csv", "--unit", "m\u{200b}m"], "unprintable"),
    ] {
        let (status, error) = shown(&[&["run", "--summary"], args].concat());
        assert!(status != Some(0) && error.contains(says) && !error.contains('\u{202e}'), "{args:?}: {error}");
    }
    let (_, error) = shown(&["run", "--summary", "--session", "aside.csv"]);
    assert!(!error.contains('\u{1b}'), "{error:?}");
    let (status, note) = shown(&["run", "--summary", "--session", "flat.csv", "--interval", "9"]);
    assert!(status == Some(0) && note.contains("longer than the recording"), "{note}");
}

#[test]
fn a_preset_beside_animals_has_room_for_them_and_a_fit_keeps_its_corner() {
    let folder = TempDir::new().unwrap();
    run_in(&folder, &[&["-p", "starlings", "-n", "40", "--predators", "0", "-s", "7", "--ticks", "60", "-o", "b.csv"]]);
    fs::remove_file(folder.path().join("b.csv.json")).unwrap();
    let shot = |preset: &str| {
        let mut command = flockscope(&["shot", "--session", "b.csv", "--at", "50", "-o", "b.png", "--beside", preset]);
        String::from_utf8(command.current_dir(&folder).output().unwrap().stderr).unwrap()
    };
    for (preset, inside) in [("netlogo", 13), ("vicsek", 0)] {
        let says = format!("{inside} of 40 animals are inside the world of the preset");
        assert!(shot(preset).contains(&says), "{}", shot(preset));
    }
    let preset = "area = 90\ncorner = \"1,2.5,0\"\n";
    assert_eq!(flockscope::config::Preset::from_text("a", preset).unwrap().corner, [1.0, 2.5, 0.0]);
    let again = flockscope::config::Preset::from_text("a", preset).unwrap().text();
    assert!(again.contains("corner = \"1,2.5,0\"\n"), "{again}");
    for corner in ["1,2", "1,nan,0", "1,inf,0", "a,b,c"] {
        let text = format!("area = 90\ncorner = \"{corner}\"\n");
        let error = flockscope::config::Preset::from_text("a", &text).unwrap_err().to_string();
        assert!(error.contains("is not three finite numbers"), "{error}");
    }
}

#[test]
fn a_table_of_arrays_is_refused_by_their_headers() {
    if !tools::has_numpy() {
        return;
    }
    let folder = TempDir::new().unwrap();
    // The numbers are missing, so that reading them would be another error.
    let code = "import numpy as np, zipfile, io\nz = zipfile.ZipFile('big.npz', 'w')\n\
        for name in ['id', 'frame', 'x', 'y']:\n    b = io.BytesIO()\n    \
        np.lib.format.write_array_header_1_0(b, dict(descr='<f8', fortran_order=False, shape=(20_000_000,)))\n    \
        z.writestr(name + '.npy', b.getvalue())\nz.close()";
    let python = std::process::Command::new("python3").args(["-c", code]).current_dir(&folder).status();
    assert!(python.unwrap().success());
    let ran = flockscope(&["run", "--session", "big.npz", "--summary"]).current_dir(&folder).output().unwrap();
    let error = String::from_utf8(ran.stderr).unwrap();
    assert!(error.contains("has 4 arrays of 20000000 numbers; expected at most 20000000"), "{error}");
}
