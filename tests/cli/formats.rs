//! Contract: `--columns` selects the columns of CSV, `.xyz` selects extended XYZ, and both have the numbers of the state.

use crate::program::{fails, flockscope, refuses, says};

use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// Two boids and a predator at tick 30, in the flat world of the preset `drones`.
const STATE: &str = "\
tick,id,kind,x,y,z,vx,vy,vz
30,0,prey,1.5,2,0,0.1,-0.25,0
30,1,prey,700,3,0,1,0,0
30,1000,predator,400,300.5,0,0,1e-7,0
";

/// Writes the state without a tick, with these arguments.
fn rewrite(state: &str, args: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let input = folder.path().join("state.csv");
    fs::write(&input, state).unwrap();
    let common = ["run", "-s", "1", "--ticks", "0", "--input", input.to_str().unwrap()];
    says(&[&common[..], args].concat())
}

fn rewrite_to(state: &str, name: &str, args: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join(name);
    assert_eq!(rewrite(state, &[args, &["-o", output.to_str().unwrap()]].concat()), "");
    fs::read_to_string(output).unwrap()
}

#[test]
fn the_state_is_the_default() {
    for args in [&[][..], &["--columns", "state"]] {
        assert_eq!(rewrite(STATE, &[&["-p", "drones", "-o", "-"], args].concat()), STATE);
    }
}

#[test]
fn lists_have_their_order() {
    let csv = rewrite(STATE, &["-p", "drones", "-o", "-", "--columns", "vy, id,mood,tick"]);
    assert_eq!(csv, "vy,id,mood,tick\n-0.25,0,0,30\n0,1,0,30\n1e-7,1000,0,30\n");
}

#[test]
fn tracks_have_ticks_as_time_and_z_in_three_dimensions() {
    let flat = "id,frame,time,x,y,kind\n0,0,30,1.5,2,prey\n1,0,30,700,3,prey\n1000,0,30,400,300.5,predator\n";
    assert_eq!(rewrite(STATE, &["-p", "drones", "-o", "-", "--columns", "tracks"]), flat);
    let deep = STATE.replace("2,0,0.1", "2,7,0.1");
    let deep = rewrite(&deep, &["-p", "drones", "--world", "800x600x500", "-o", "-", "--columns", "tracks"]);
    assert!(deep.starts_with("id,frame,time,x,y,z,kind\n0,0,30,1.5,2,7,prey\n1,0,30,700,3,0,prey\n"), "{deep}");
}

#[test]
fn frames_count_the_written_states() {
    let args = ["run", "-p", "drones", "-s", "1", "-n", "1", "--predators", "0", "--ticks", "10", "--every", "4"];
    let csv = says(&[&args[..], &["-o", "-", "--columns", "frame,tick"]].concat());
    assert_eq!(csv, "frame,tick\n0,0\n1,4\n2,8\n3,10\n");
}

#[test]
fn a_file_with_all_columns_of_the_state_continues_in_any_order() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("state.csv");
    let columns = "frame,mood,vz,vy,vx,z,y,x,kind,id,time,tick";
    fs::write(&output, rewrite(STATE, &["-p", "drones", "-o", "-", "--columns", columns])).unwrap();
    let args = ["run", "-p", "drones", "-s", "1", "--ticks", "0", "--input", output.to_str().unwrap(), "-o", "-"];
    assert_eq!(says(&args), STATE);
}

#[test]
fn a_file_without_a_column_of_the_state_cannot_continue() {
    let expected = "state.csv:1: unexpected header: expected tick,id,kind,x,y,z,vx,vy,vz, and optionally mood and bank";
    let header = STATE.lines().next().unwrap();
    for (header, problem) in [
        (
            "id,frame,time,x,y,kind",
            "; this file lacks tick,z,vx,vy,vz, which `run` writes unless --columns selects others",
        ),
        (&format!("{header},mod"), "; unknown column `mod`; did you mean `mood`?"),
        (&format!("{header},x"), "; duplicate column x"),
        ("a,b", ""),
    ] {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("state.csv"), format!("{header}\n")).unwrap();
        let mut command = flockscope(&["run", "-p", "drones", "--input", "state.csv", "-o", "out.csv"]);
        command.current_dir(&folder);
        assert_eq!(refuses(command, 1), format!("flockscope: {expected}{problem}\n"));
        assert!(!folder.path().join("out.csv").exists(), "nothing is written");
    }
}

#[test]
fn wrong_columns_are_refused() {
    let run = ["run", "--ticks", "0"];
    for (args, right) in [
        (&["-o", "-", "--columns", "id,tme,x"][..], "unknown column `tme`; did you mean `time`?"),
        (&["-o", "-", "--columns", "track"], "unknown column `track`; did you mean `tracks`?"),
        (&["-o", "-", "--columns", "heading"], "expected state, tracks, or a list of tick, frame, time, id, kind, x"),
        (&["-o", "-", "--columns", "id x"], "unknown column `id x`; separate columns by commas"),
        (&["-o", "-", "--columns", ""], "unknown column ``"),
        (&["-o", "-", "--columns", "id,x,id"], "duplicate column `id`"),
        (&["-o", "-", "--columns", "tracks,vx"], "`tracks` is a set of columns, which cannot be part of a list"),
        (&["--columns", "tracks"], "--output"),
        (&["-o", "a.xyz", "--columns", "tracks"], "--columns is for CSV; use a name such as a.csv"),
        (&["-o", "a.npz", "--columns", "tracks"], "--columns is for CSV; use a name such as a.csv"),
        (&["-o", "a.json"], "use a name such as a.csv, or a.xyz for extended XYZ, or a.npz for NPZ"),
        (&["-o", "a.txt"], "use a name such as a.csv, or a.xyz for extended XYZ, or a.npz for NPZ"),
        (&["-o", "a.xyz.gz"], "use a name such as a.csv, or a.xyz for extended XYZ, or a.npz for NPZ"),
        (&["--measures", "a.xyz"], "the format is CSV; use a name such as a.csv\n"),
    ] {
        let error = fails(&[&run[..], args].concat(), 2);
        assert!(error.contains(right), "{args:?}: {error}");
    }
    assert!(!Path::new("a.xyz").exists());
}

#[test]
fn xyz_has_the_world_as_its_cell() {
    let source = format!("flockscope={} preset=drones seed=1", env!("CARGO_PKG_VERSION"));
    let flat = format!(
        "\
3
Lattice=\"800 0 0 0 600 0 0 0 1\" Properties=species:S:1:pos:R:3:velo:R:3:id:I:1 pbc=\"T T F\" {source} Time=30 tick=30
B 1.5 2 0 0.1 -0.25 0 0
B 700 3 0 1 0 0 1
P 400 300.5 0 0 1e-7 0 1000
"
    );
    for name in ["flock.xyz", "flock.extXYZ"] {
        assert_eq!(rewrite_to(STATE, name, &["-p", "drones", "--set", "edge.mode=wrap"]), flat);
    }
    for (args, cell) in [
        (&["--world", "800x600x500"][..], "Lattice=\"800 0 0 0 600 0 0 0 500\" Properties"),
        (&["--world", "800x600x500", "--set", "edge.mode=wrap"], "pbc=\"T T T\""),
        (&["--set", "edge.mode=turn"], "pbc=\"F F F\""),
        (&["--set", "edge.mode=open"], "Lattice=\"800 0 0 0 600 0 0 0 1\" Properties"),
        (&["--set", "edge.mode=open"], "pbc=\"F F F\""),
        (
            &["--set", "edge.mode=sphere", "--world", "round:900"],
            "Lattice=\"1800 0 0 0 1800 0 0 0 1800\" Origin=\"-900 -900 -900\" Properties",
        ),
    ] {
        let xyz = rewrite_to(STATE, "flock.xyz", &[&["-p", "drones"], args].concat());
        assert!(xyz.lines().nth(1).unwrap().contains(cell), "{args:?}: {xyz}");
    }
}

#[test]
fn xyz_has_the_numbers_of_csv_in_every_frame() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flock.xyz");
    let args = ["run", "-p", "starlings", "-s", "7", "-n", "50", "--ticks", "9", "--every", "3"];
    let sets = ["--predators", "5", "--set", "hunt.catch=9", "--set", "hunt.respawn=60", "--set", "alarm.spread=0.9"];
    let args = [&args[..], &sets].concat();
    assert_eq!(says(&[&args[..], &["-o", file.to_str().unwrap()]].concat()), "");
    let csv = says(&[&args[..], &["-o", "-"]].concat());
    let expected: Vec<String> = csv
        .lines()
        .skip(1)
        .map(|row| {
            let [_, id, kind, x, y, z, vx, vy, vz, mood] = row.split(',').collect::<Vec<_>>()[..] else {
                panic!("{row}")
            };
            let species = match kind {
                "prey" => "B",
                "predator" => "P",
                "caught" => "C",
                _ => panic!("{kind}"),
            };
            [species, x, y, z, vx, vy, vz, id, mood].join(" ")
        })
        .collect();
    let xyz = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = xyz.lines().collect();
    let frames: Vec<&[&str]> = lines.chunks(57).collect();
    assert!(frames.iter().all(|frame| frame[0] == "55" && frame[1].contains(":id:I:1:mood:R:1 ")), "{xyz}");
    assert_eq!(frames.iter().flat_map(|frame| &frame[2..]).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    let ticks: Vec<&str> = frames.iter().map(|frame| frame[1].rsplit(' ').next().unwrap()).collect();
    assert_eq!(ticks, ["tick=0", "tick=3", "tick=6", "tick=9"]);
}
