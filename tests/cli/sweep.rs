//! Contract: `sweep` does the runs of a grid as `run` does them, in order, on any number of threads, in shards and in
//! several attempts; its file has complete rows only, and is never that of two sweeps.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use flockscope::config::{PRESETS, Preset};
use flockscope::sim::Start;
use tempfile::TempDir;

#[cfg(unix)]
use crate::program::clean_command;
use crate::program::{fails, flockscope, process, refuses, says};
#[cfg(unix)]
use crate::terminal::Terminal;

/// Twelve short runs.
const GRID: [&str; 14] = [
    "sweep",
    "-p",
    "drones",
    "-n",
    "30",
    "--over",
    "noise.angle=0:60:30",
    "--over",
    "boids,world=20,90x90;40,120x100",
    "--seeds",
    "2",
    "--ticks",
    "40",
    "--yes",
];
const HEADER: &str = "noise.angle,boids,world,seed,width,height,depth,density,\
    polarization,polarization_error,polarization_variance,polarization_tau,hash";

fn grid(more: &[&str]) -> String {
    says(&[&GRID[..], more].concat())
}

/// A folder with a file.
struct Folder {
    folder: TempDir,
}

impl Folder {
    fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.name(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

fn fields(row: &str) -> Vec<&str> {
    row.split(',').collect()
}

#[test]
fn rows_are_in_the_order_of_the_grid_on_any_number_of_threads() {
    let rows = grid(&["-j", "1"]);
    assert_eq!(rows, grid(&["-j", "5"]));
    let starts: Vec<String> = rows.lines().skip(1).map(|row| fields(row)[..4].join(",")).collect();
    let mut expected = Vec::new();
    for angle in ["0", "30", "60"] {
        for flock in ["20,90x90", "40,120x100"] {
            expected.extend([1, 2].map(|seed| format!("{angle},{flock},{seed}")));
        }
    }
    assert_eq!(rows.lines().next(), Some(HEADER));
    assert_eq!(starts, expected);
}

#[test]
fn a_row_is_the_run_with_the_same_values() {
    let rows = grid(&["-s", "7", "--warmup", "10"]);
    let row = fields(rows.lines().last().unwrap());
    assert_eq!(row[..4], ["60", "40", "120x100", "8"]);
    let run = ["run", "-p", "drones", "-n", "40", "--world", "120x100", "-s", "8", "--set", "noise.angle=60"];
    let hash = says(&[&run[..], &["--ticks", "50", "--hash"]].concat());
    assert_eq!(hash.trim(), format!("hash 50 {}", row[12]));
    assert_eq!(row[4..7], ["120", "100", "0"]);
    assert_eq!(row[7].parse::<f32>().unwrap(), 40.0 / 12_000.0);
    let ticks = says(&[&run[..], &["--warmup", "10", "--ticks", "40", "--measures", "-"]].concat());
    let values = ticks.lines().skip(1).map(|row| f64::from(fields(row)[1].parse::<f32>().unwrap()));
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let number = |column: usize| row[column].parse::<f64>().unwrap();
    assert!((mean - number(8)).abs() < 1e-14 && (variance - number(10)).abs() < 1e-14, "{mean} {variance} {row:?}");
    assert!((number(9).powi(2) - 2.0 * number(11) * variance / (count - 1.0)).abs() < 1e-14, "{row:?}");
}

#[test]
fn a_row_has_the_size_and_the_density_of_the_world() {
    for (world, size, volume) in
        [("8x5", "8,5,0", 40.0), ("8x5x2", "8,5,2", 80.0), ("round:3", "6,6,6", 36.0 * std::f32::consts::PI)]
    {
        let preset = if world.starts_with("round") { "sphere" } else { "vicsek" };
        let flock = ["-p", preset, "-n", "20", "--predators", "0", "--world", world, "--zone", "none"];
        let edge = ["--set", "edge.margin=1"];
        let edge = if preset == "sphere" { &edge[..] } else { &[] };
        let rows = says(&[&["sweep", "--ticks", "1"], &flock[..], edge].concat());
        let row = fields(rows.lines().nth(1).unwrap());
        assert_eq!(row[..5].join(","), format!("1,20,{size}"), "{rows}");
        assert!((row[5].parse::<f32>().unwrap() * volume / 20.0 - 1.0).abs() < 1e-6, "{rows}");
    }
}

#[test]
fn moments_of_a_sweep_give_the_susceptibility_and_the_cumulant() {
    let names = "polarization,polarization_squared,polarization_fourth,susceptibility,binder_cumulant";
    let rows = says(&["sweep", "-p", "vicsek", "-n", "50", "--world", "4x4", "--ticks", "90", "--measure", names]);
    let row: Vec<f64> = fields(rows.lines().nth(1).unwrap())[6..14].iter().map(|text| text.parse().unwrap()).collect();
    let [mean, _, variance, _, squared, fourth, susceptibility, cumulant] = row[..] else { panic!("{rows}") };
    for (found, expected) in [
        (squared - mean * mean, variance),
        (susceptibility, 50.0 * variance),
        (cumulant, 1.0 - fourth / (3.0 * squared * squared)),
    ] {
        assert!((found - expected).abs() < 1e-13, "{found} and not {expected}");
    }
}

#[test]
fn every_preset_has_the_same_hash_as_its_run() {
    for name in PRESETS.iter().map(|preset| preset.name) {
        let flock = ["-p", name, "-n", "30", "-s", "3"];
        let rows = says(&[&["sweep", "--ticks", "3", "--yes"], &flock[..]].concat());
        let hash = says(&[&["run", "--ticks", "3", "--hash"], &flock[..]].concat());
        assert_eq!(rows.trim().rsplit(',').next(), hash.trim().rsplit(' ').next(), "{name}");
    }
}

#[test]
fn each_initial_state_is_that_of_a_run() {
    let flock = ["-p", "drones", "-n", "30", "-s", "3", "--ticks", "3"];
    let run = |start: &[&str]| says(&[&["run", "--hash"], &flock[..], start].concat());
    let over = format!("start={}", Start::NAMES.join(","));
    let rows = says(&[&["sweep", "--over", &over][..], &flock].concat());
    let mut hashes = BTreeSet::new();
    for (row, start) in rows.lines().skip(1).zip(Start::NAMES) {
        let hash = fields(row).pop().unwrap().to_owned();
        assert!(row.starts_with(&format!("{start},3,")), "{row}");
        assert_eq!(run(&["--start", start]).trim(), format!("hash 3 {hash}"));
        hashes.insert(hash);
    }
    assert_eq!(hashes.len(), Start::NAMES.len());
    let preset = Preset::load("drones").unwrap().start.name();
    assert_eq!(run(&["--start", preset]), run(&[]));
}

#[test]
fn a_saved_state_is_where_every_run_starts() {
    let folder = Folder::new();
    let start = folder.name("start.csv");
    says(&["run", "-p", "drones", "-s", "2", "-n", "25", "--ticks", "9", "-o", &start]);
    let rows =
        says(&["sweep", "-p", "drones", "--input", &start, "--over", "noise.angle=0,20", "--ticks", "5", "--yes"]);
    for (row, set) in rows.lines().skip(1).zip(["noise.angle=0", "noise.angle=20"]) {
        let hash = says(&["run", "-p", "drones", "-s", "1", "--input", &start, "--set", set, "--ticks", "5", "--hash"]);
        assert_eq!(format!("hash 14 {}", fields(row).last().unwrap()), hash.trim());
    }
}

#[test]
fn shards_have_the_rows_of_the_whole_sweep() {
    let folder = Folder::new();
    let whole = grid(&[]);
    let mut together = String::new();
    for part in 1..=5 {
        let name = format!("{part}.csv");
        grid(&["--shard", &format!("{part}/5"), "-o", &folder.name(&name)]);
        let text = folder.read(&name);
        assert!(text.starts_with(HEADER) && text.lines().count() <= 4, "{text}");
        together += &text;
    }
    let sorted = |text: &str| {
        let mut rows: Vec<String> = text.lines().filter(|row| *row != HEADER).map(str::to_owned).collect();
        rows.sort();
        rows
    };
    assert_eq!(sorted(&together), sorted(&whole));
    // Concatenated as they are, without one of them, and completed.
    let without_third = together.replace(&folder.read("3.csv"), "");
    let file = folder.write("all.csv", &without_third);
    grid(&["--resume", "-o", &file]);
    assert_eq!(folder.read("all.csv"), whole);
}

/// Also with a preset whose name has a blank, and an option that a shell would change.
#[test]
#[cfg(unix)]
fn the_listed_commands_write_the_output_of_the_sweep() {
    let folder = Folder::new();
    let preset = folder.write("my 'drones.toml", &says(&["presets", "show", "drones"]));
    let args = [&["sweep", "-p", &preset], &GRID[3..], &["--zone", "food:30,40:5"]].concat();
    let list = says(&[&args[..], &["--list"]].concat());
    assert_eq!(list.lines().count(), 12);
    let rows = list.lines().map(|command| {
        let output = clean_command("sh").args(["-c", command]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    });
    assert_eq!(rows.collect::<String>(), says(&args));
}

#[test]
fn a_list_needs_a_command_line_that_can_be_repeated() {
    for (args, right) in [
        (&["--list", "--shard", "1/2"][..], "cannot be used with"),
        (&["--list", "-o", "phi.csv"], "cannot be used with"),
        (&["--no-header", "--resume", "-o", "phi.csv"], "cannot be used with"),
        (&["--list", "--over", "speed.min=3", "--over", "speed.max=4,2"], "speed.min = 3 is above speed.max = 2"),
    ] {
        let error = fails(&[&["sweep", "-p", "starlings"], args].concat(), 2);
        assert!(error.contains(right), "{args:?}: {error}");
    }
    let mut from_stdin = flockscope(&["sweep", "-p", "drones", "--input", "-", "--list"]);
    from_stdin.write_stdin("tick,id,kind,x,y,z,vx,vy,vz\n3,0,prey,1,2,0,1,0,0\n");
    assert!(refuses(from_stdin, 2).contains("the commands cannot all read standard input; use --input FILE"));
}

#[test]
fn more_shards_than_runs_leave_some_empty() {
    assert_eq!(grid(&["--shard", "13/13"]), format!("{HEADER}\n"));
}

#[test]
fn a_file_that_was_cut_anywhere_is_completed() {
    let folder = Folder::new();
    let whole = grid(&[]);
    let lines: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in [0, 5, lines[0], lines[0] + 9, lines[4], lines[4] - 1, lines[11] + 30, lines[12]] {
        let file = folder.write("cut.csv", &whole[..cut]);
        grid(&["--resume", "-o", &file]);
        assert_eq!(folder.read("cut.csv"), whole, "{cut}");
    }
    // A gap, as Ctrl-C leaves it behind a run that takes long.
    let gap = format!("{}{}", &whole[..lines[3]], &whole[lines[5]..lines[8]]);
    let file = folder.write("gap.csv", &gap);
    grid(&["--resume", "-o", &file]);
    assert_eq!(folder.read("gap.csv"), whole);
    let new = folder.name("new.csv");
    grid(&["--resume", "-o", &new]);
    assert_eq!(folder.read("new.csv"), whole);
}

#[test]
fn a_file_that_another_program_saved_is_completed_in_the_usual_form() {
    let folder = Folder::new();
    let whole = grid(&[]);
    let lines: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in [lines[0], lines[4], lines[12]] {
        let rows = &whole[..cut];
        let quoted = format!("\"{}\"\n", rows.trim().replace(',', "\",\"").replace('\n', "\"\n\""));
        for saved in [
            rows.replace('\n', "\r\n"),
            format!("\u{feff}{rows}"),
            quoted.clone(),
            rows.replace(',', " , "),
            format!("{rows}\n"),
            format!("\n{rows} \n\n"),
            format!("\u{feff}{}\r\n", quoted.replace('\n', "\r\n")),
        ] {
            let file = folder.write("saved.csv", &saved);
            grid(&["--resume", "-o", &file]);
            assert_eq!(folder.read("saved.csv"), whole, "{saved:?}");
        }
    }
    let other = format!("\u{feff}{}", whole.replace('\n', "\r\n").replacen("0.", "0.9", 1));
    let file = folder.write("other.csv", &other);
    let error = fails(&[&GRID[..], &["--resume", "-o", &file]].concat(), 1);
    assert!(error.contains("the file belongs to another sweep"), "{error}");
    assert_eq!(folder.read("other.csv"), other);
}

#[test]
fn the_name_of_a_rule_is_its_weight() {
    let sweep = |alignment: &str, spec: &str| {
        let over = format!("{alignment}={spec}");
        says(&["sweep", "-p", "drones", "-n", "9", "--ticks", "3", "--over", &over])
    };
    assert_eq!(sweep("alignment", "0,0.1"), sweep("alignment.weight", "0,0.1"));
    assert!(sweep("alignment", "0,0.1").starts_with("alignment.weight,seed,"));
    let run =
        |key: &str| says(&["run", "-p", "starlings", "-n", "99", "--ticks", "3", "-s", "1", "--hash", "--set", key]);
    for name in ["separation", "alignment", "cohesion", "flee", "hunt"] {
        assert_eq!(run(&format!("{name}=0")), run(&format!("{name}.weight=0")), "{name}");
    }
    let ramp = ["sweep", "-p", "drones", "-n", "9", "--hold", "3", "--ticks", "1", "--ramp", "cohesion=0:0.1:0.1"];
    assert!(says(&ramp).starts_with("seed,cohesion.weight,direction,"));
    for unclear in ["leaders=1", "alarm=1", "speed=1", "align=1", ".weight=1", "=1"] {
        let error = refuses(flockscope(&["run", "-p", "drones", "--set", unclear]), 2);
        assert!(error.contains("unknown parameter"), "{unclear}: {error}");
    }
}

#[test]
fn a_file_of_another_sweep_is_refused_and_kept() {
    let folder = Folder::new();
    let whole = grid(&[]);
    let cut = &whole[..whole.len() / 2];
    let file = folder.write("phi.csv", cut);
    for (other, expected) in [
        (&["--set", "alignment.weight=0.5"][..], "the file belongs to another sweep: with these options"),
        (&["--warmup", "1"], "the file belongs to another sweep: with these options"),
        (&["-p", "sparrows"], "the file belongs to another sweep: with these options"),
        (&["--measure", "rotation"], "phi.csv:1: the file belongs to another sweep: its columns are"),
        (&["--over", "speed.max=3"], "phi.csv:1: the file belongs to another sweep"),
        (&["-s", "2"], "phi.csv:2: the file belongs to another sweep: this one has no run `0,20,90x90,1,"),
        (&["--shard", "2/2"], "phi.csv:2: the file belongs to another sweep: this one has no run"),
    ] {
        // The last preset counts.
        let args: Vec<&str> =
            GRID.iter().copied().filter(|word| other[0] != "-p" || !["-p", "drones"].contains(word)).collect();
        let error = fails(&[&args[..], other, &["--resume", "-o", &file]].concat(), 1);
        assert!(error.contains(expected) && error.lines().count() == 1, "{other:?}: {error}");
        assert_eq!(folder.read("phi.csv"), cut, "{other:?}");
    }
    for text in ["tick,polarization\n", "# notes", "\u{0}\u{1}\n", &format!("{HEADER}\n1,2\n"), &"x".repeat(70_000)] {
        let file = folder.write("mine", text);
        fails(&[&GRID[..], &["--resume", "-o", &file]].concat(), 1);
        assert_eq!(folder.read("mine"), text);
    }
    let twice = format!("{whole}{}\n", whole.lines().last().unwrap());
    let file = folder.write("twice.csv", &twice);
    let error = fails(&[&GRID[..], &["--resume", "-o", &file]].concat(), 1);
    assert!(error.contains("expected each run once"), "{error}");
}

#[test]
fn a_file_with_content_is_not_replaced() {
    let folder = Folder::new();
    let file = folder.write("phi.csv", "mine");
    let error = fails(&[&GRID[..], &["-o", &file]].concat(), 1);
    assert!(error.contains("phi.csv") && error.contains("--resume"), "{error}");
    assert_eq!(folder.read("phi.csv"), "mine");
    folder.write("phi.csv", "");
    grid(&["-o", &file]);
    assert_eq!(folder.read("phi.csv"), grid(&[]));
}

#[test]
fn a_ramp_goes_up_and_down_in_one_run() {
    let ramp = ["sweep", "-p", "drones", "-n", "30", "--ramp", "noise.angle=0:90:45", "--hold", "20", "--yes"];
    let ramp = |more: &[&str]| says(&[&ramp[..], more].concat());
    let rows = ramp(&["--seeds", "2", "--warmup", "5", "--measure", "polarization,binder_cumulant"]);
    let mut lines = rows.lines();
    let header = "seed,noise.angle,direction,boids,width,height,depth,density,polarization,polarization_error,\
                  polarization_variance,polarization_tau,binder_cumulant,hash";
    assert_eq!(lines.next(), Some(header));
    let starts: Vec<String> = lines.map(|row| fields(row)[..3].join(",")).collect();
    let steps = ["0,up", "45,up", "90,up", "45,down", "0,down"];
    let expected: Vec<String> = [1, 2].iter().flat_map(|seed| steps.map(|step| format!("{seed},{step}"))).collect();
    assert_eq!(starts, expected);
    // The first value equals a separate run.
    let hash =
        says(&["run", "-p", "drones", "-n", "30", "-s", "1", "--set", "noise.angle=0", "--ticks", "25", "--hash"]);
    assert_eq!(hash.trim().rsplit(' ').next(), rows.lines().nth(1).unwrap().rsplit(',').next());
    // It continues in the middle of a run.
    let folder = Folder::new();
    let whole = ramp(&["--seeds", "2"]);
    let cut = whole.match_indices('\n').nth(3).unwrap().0 + 9;
    let file = folder.write("loop.csv", &whole[..cut]);
    ramp(&["--seeds", "2", "--resume", "-o", &file]);
    assert_eq!(folder.read("loop.csv"), whole);
}

#[test]
fn invalid_sweeps_are_one_sentence_and_write_nothing() {
    let folder = Folder::new();
    let file = folder.name("phi.csv");
    let ramp = ["--ramp", "noise.angle=0:90:45", "--hold", "20"];
    for (args, right) in [
        (&["--measure", "polarisation"][..], "unknown measure `polarisation`; did you mean `polarization`?"),
        (&["--over", "noise.angel=1"], "unknown parameter `noise.angel`; did you mean `noise.angle`?"),
        (&["--over", "noise.angle"], "expected KEY=SPEC"),
        (&["--over", "noise.angle=360:0:15"], "the range 360:0:15 is empty"),
        (&["--over", "noise.angle=0:360:0"], "the step of 0:360:0 is 0"),
        (&["--over", "noise.angle=0:400:100"], "noise.angle = 400 is out of range: expected 0 to 360"),
        (&["--over", "boids,world=40,3x3;100"], "number of values in `100` is 1: expected 2 (boids,world)"),
        (&["--over", "noise.angle=1", "--over", "noise.angle=2"], "the key is swept twice"),
        (&["--over", "speed.min=3", "--over", "speed.max=4,2"], "speed.min = 3 is above speed.max = 2"),
        (&["--over", "boids=1:100000:1", "--over", "noise.angle=0:360:1"], "more than 10000000 rows"),
        (&["--shard", "5/4"], "expected I/N with I from 1 to N"),
        (&["--shard", "0/4"], "expected I/N with I from 1 to N"),
        (&[&ramp[..], &["--shard", "1/2"]].concat(), "cannot be used with"),
        (&["--ramp", "noise.angle=0:90:45"], "--hold"),
        (&["--hold", "20"], "--ramp"),
        (&[&ramp[..], &["--ticks", "21"]].concat(), "at most the 20 ticks of --hold"),
        (&[&ramp[..], &["--over", "noise.angle=1"]].concat(), "the key is swept twice"),
        (&["--ramp", "boids=10:20:1", "--hold", "20"], "only parameters change during a run"),
        (&["-o", "phi.json"], "the format is CSV; use a name such as phi.csv"),
        (&["--seeds", "0"], "whole number from 1"),
        (&["--ticks", "0"], "whole number from 1"),
        (&["-s", "18446744073709551615", "--seeds", "2"], "beyond the largest number"),
        (&["--input", "a.csv", "--over", "boids=1,2"], "--input has the number already"),
        (&["--input", "a.csv", "--over", "start=rest"], "--input has the first state already"),
        (&["--input", "a.csv", "--start", "rest"], "cannot be used with"),
        (&["--over", "start=rest,flok"], "start = flok is not one of scatter, rest, streams, drift, flocks, flock"),
        (&["--seeds", "1000000", "--ticks", "1", "-n", "1"], "1000000 rows take about"),
        (&["--over", "boids=100,200", "--ticks", "1000000000000"], "add --yes to start"),
    ] {
        let output = if args.contains(&"-o") { &[][..] } else { &["-o", &file] };
        let error = fails(&[&["sweep", "-p", "starlings"], output, args].concat(), 2);
        assert!(error.contains(right), "{args:?}: {error}");
        assert!(!Path::new(&file).exists(), "{args:?}");
    }
    let error = fails(&["sweep", "--resume", "--ticks", "1"], 2);
    assert!(error.contains("expected the name of a file to continue, such as sweep.csv"), "{error}");
    for resume in [&["--resume", "phi.csv"][..], &["--resume=phi.csv"]] {
        let error = fails(&[&["sweep"], resume].concat(), 2);
        assert!(error.contains("'--resume' takes no value; name the file with '--output <FILE>'"), "{error}");
    }
    let error = fails(&["sweep", "--ticks", "1", "-o", &folder.name("not/there.csv")], 1);
    assert!(error.contains("there.csv") && error.lines().count() == 1, "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_sentence() {
    let error = fails(&[&GRID[..], &["-o", "/dev/full"]].concat(), 1);
    assert!(error.contains("/dev/full: No space left on device") && error.lines().count() == 1, "{error}");
}

#[cfg(unix)]
#[test]
fn a_limit_of_the_file_size_leaves_complete_rows() {
    let folder = Folder::new();
    let (whole, file) = (grid(&[]), folder.name("phi.csv"));
    // In blocks of 512 bytes: the header and some rows.
    let shell = "ulimit -f 1; exec \"$0\" \"$@\"";
    let mut limited = crate::program::clean_command("sh");
    let output =
        limited.args(["-c", shell]).arg(crate::program::path()).args(GRID).args(["-o", &file]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("phi.csv: File too large"), "{error}");
    let rows = folder.read("phi.csv");
    assert!(whole.starts_with(&rows) && rows.ends_with('\n') && rows.lines().count() > 2, "{rows}");
    grid(&["--resume", "-o", &file]);
    assert_eq!(folder.read("phi.csv"), whole);
}

#[cfg(unix)]
#[test]
fn a_signal_keeps_the_finished_rows() {
    let folder = Folder::new();
    let file = folder.name("phi.csv");
    // The second run takes long, on one thread; the others end on the other one.
    let short = ["sweep", "-p", "drones", "-n", "20", "--seeds", "9", "--ticks", "10"];
    let long = ["sweep", "-p", "drones", "--over", "boids=5,3000,6,7", "--ticks", "20000", "-j", "2", "--yes"];
    folder.write("phi.csv.json", "{\"flockscope\": \"0.0.1\"}");
    let mut sweep = process(&long).args(["-o", &file]).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path("phi.csv").exists() || folder.read("phi.csv").lines().count() < 2 {
        assert!(sweep.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let error = fails(&[&long[..], &["-o", &file, "--resume"]].concat(), 1);
    assert!(error.contains("phi.csv: another flockscope writes this file"), "{error}");
    assert!(Process::new("kill").args(["-TERM", &sweep.id().to_string()]).status().unwrap().success());
    let message = BufReader::new(sweep.stderr.take().unwrap()).lines().last().unwrap().unwrap();
    assert_eq!(sweep.wait().unwrap().code(), Some(128 + 15));
    assert!(!folder.path("phi.csv.json").exists());
    let rows = folder.read("phi.csv");
    assert!(rows.ends_with('\n') && rows.lines().nth(1).unwrap().starts_with("5,1,"), "{rows}");
    let finished = rows.lines().count() - 1;
    assert_eq!(message, format!("{finished} of 4 rows are finished; --resume continues"));
    // Rows on standard output, with a closed reader.
    let mut closed = process(&short).stdout(Stdio::piped()).spawn().unwrap();
    drop(closed.stdout.take());
    assert_eq!(closed.wait().unwrap().code(), Some(0));
}

#[cfg(unix)]
#[test]
fn a_terminal_shows_rows_and_time_left_until_ctrl_c() {
    let folder = Folder::new();
    let file = folder.name("phi.csv");
    let args = ["sweep", "-p", "drones", "-n", "50", "--seeds", "900", "--ticks", "2000", "--yes", "-o", &file];
    let mut terminal = Terminal::new(100, 20, &args);
    terminal.wait_for_text("/900 rows, ");
    terminal.press("\x03");
    let (status, text) = terminal.end();
    assert_eq!(status, 128 + 2, "{text}");
    assert!(text.contains("of 900 rows are finished; --resume continues"), "{text}");
}

#[test]
fn settings_apply_as_to_a_run() {
    let folder = Folder::new();
    let config = folder.write("config.toml", "boids = 12\nseed = 5\n[set]\nnoise.angle = 7\n");
    let command = |name: &str| flockscope(&[name, "-p", "drones", "--ticks", "3", "--config", &config]);
    let rows = crate::program::prints(command("sweep"));
    let mut run = command("run");
    run.arg("--hash");
    let hash = crate::program::prints(run);
    assert_eq!(rows.trim().rsplit(',').next(), hash.trim().rsplit(' ').next());
}

#[test]
fn rows_that_no_sweep_writes_are_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rows.csv").to_str().unwrap().to_owned();
    let args = [
        "sweep",
        "-p",
        "drones",
        "-n",
        "9",
        "--over",
        "alignment.weight=0,0.1",
        "--seeds",
        "2",
        "--ticks",
        "9",
        "-o",
        &file,
    ];
    says(&args);
    let whole = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    // A row that is not computed again.
    let row: Vec<&str> = lines[2].split(',').collect();
    for (column, value) in [
        ("polarization", "99999"),
        ("polarization", "null"),
        ("polarization_error", "-1"),
        ("polarization_tau", "1e400"),
        ("hash", "zzz"),
        ("boids", "8"),
        ("width", "1"),
    ] {
        let at = lines[0].split(',').position(|name| name == column).unwrap();
        let mut wrong = row.clone();
        wrong[at] = value;
        let text = whole.replace(lines[2], &wrong.join(","));
        std::fs::write(&file, &text).unwrap();
        let error = fails(&[&args[..], &["--resume"]].concat(), 1);
        assert!(error.contains("rows.csv:3: ") && error.contains("another file"), "{column}: {error}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}
