//! Contract: the command line: lists, invalid input (one clear sentence, status 1 or 2, nothing
//! written), closed pipes, and the hash of a run.

use crate::program;

use std::fs;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt;
use std::process::{Command as Process, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use crate::program::{clean_command, fails, flockscope, path, process, says};
use flockscope::config::{PRESETS, Preset, THEMES, WorldSize};
use flockscope::sim::{ModelRow, Param};
use flockscope::viewer::Action;
use tempfile::TempDir;

#[test]
fn unknown_names_get_a_suggestion_and_status_2() {
    for (args, right) in [
        (&["run", "-p", "sparows"][..], "sparrows"),
        (&["-p", "starling"], "starlings"),
        (&["-t", "papper"], "paper"),
        (&["run", "--set", "cohesion.wieght=1"], "cohesion.weight"),
        (&["run", "--set", "speed.mx=1"], "speed.max"),
        (&["presets", "show", "drone"], "drones"),
        (&["themes", "show", "dsk"], "dusk"),
        (&["params", "show", "max_turns"], "max_turn"),
        (&["keys", "show", "pase"], "pause"),
        (&["--sed", "7"], "--seed"),
        (&["--color", "256colors"], "256"),
    ] {
        let error = fails(args, 2);
        assert!(error.contains(right), "{args:?}: {error}");
    }
}

#[test]
fn invalid_values_name_valid_ones() {
    for (args, right) in [
        (&["run", "--set", "speed.max=-1"][..], "0 to 1000"),
        (&["run", "--set", "speed.max=nan"], "0 to 1000"),
        (&["run", "--set", "separation.falloff=cubic"], "inverse-cube"),
        (&["run", "--set", "separation.weight"], "KEY=VALUE"),
        (
            &["run", "-p", "starlings", "--set", "speed.min=3", "--set", "speed.max=2"],
            "speed.min = 3 is above speed.max = 2",
        ),
        (&["run", "-p", "parker", "--set", "edge.mode=wrap"], "edge.mode = wrap"),
        (&["run", "-p", "drones", "--set", "edge.mode=sphere"], "spherical world"),
        (&["run", "--boids", "0"], "1 to 10000000"),
        (&["run", "--boids", "many"], "1 to 10000000"),
        (&["run", "--predators", "1001"], "0 to 1000"),
        (&["run", "--start", "flok"], "scatter, rest, streams, drift, flocks, flock"),
        (&["run", "--world", "800"], "WIDTHxHEIGHT"),
        (&["run", "--world", "-5x5"], "WIDTHxHEIGHT"),
        (&["run", "--every", "0"], "whole number from 1"),
        (&["run", "--output", "a.csv", "--measures", "a.csv"], "need different files"),
        (&["run", "--output", "a.csv", "--measures", "./a.csv"], "need different files"),
        (&["run", "--output", "a.json"], "the format is CSV; use a name such as a.csv"),
        (&["run", "--measures", "a.PNG"], "the format is CSV; use a name such as a.csv"),
        (&["run", "-p", "starlings", "--zone", "none", "--zone", "food:50,50:9"], "`--zone none` excludes other zones"),
        (&["shot", "-p", "drones", "-o", "a.txt", "--follow", "99999"], "no boid or predator has this id at tick 300"),
        (&["run", "--zone", "obstacle:50,50:9:0.5"], "only food has an amount"),
        (&["run", "-p", "starlings", "--zone", "food:50,50:9:1.5"], "an amount from 0 to 1"),
        (&["params", "show", "zzzz"], "`flockscope params` lists them"),
        (&["keys", "show", "zzzz"], "`flockscope keys` lists them"),
        (&["run", "-s", "abc"], "whole number from 0"),
        (&["run", "--ticks", "-1"], "whole number from 0"),
        (&["shot", "-o", "a.png", "--size", "120"], "COLUMNSxROWS"),
        (&["shot", "-o", "a.png", "--size", "501x40"], "500x300"),
        (&["shot", "-o", "a.png", "--size", "0x0"], "500x300"),
        (&["shot", "-o", "a"], ".png, .svg, .ansi or .txt"),
        (&["shot"], "--output"),
        (&["--fps", "0"], "1 to 240"),
        (&["--rate", "inf"], "0.1 to 960"),
        (&["run", "-j", "0"], "1 to 256"),
        (&["run", "-j", "100000"], "1 to 256"),
        (&["run", "--output", "-", "--measures", "-"], "need different files"),
    ] {
        let error = fails(args, 2);
        assert!(error.contains(right), "{args:?}: {error}");
    }
}

#[test]
fn viewer_options_after_a_subcommand_are_explained() {
    for option in ["--rate", "--fps", "--theme", "--bandwidth"] {
        for command in ["run", "bench"] {
            let error = fails(&[command, option, "30"], 2);
            let right = format!("the viewer has this option: `flockscope {option}`");
            assert!(error.contains(&right) && !error.contains("similar"), "{error}");
        }
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_protected_files_are_not_written() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let [link, real, kept] = ["link.csv", "real.csv", "kept.csv"].map(|name| folder.path().join(name));
    symlink("real.csv", &link).unwrap();
    // The link is dangling at first.
    for _ in 0..2 {
        says(&["run", "-p", "drones", "-n", "2", "--ticks", "1", "-o", link.to_str().unwrap()]);
        assert!(link.is_symlink() && fs::read_to_string(&real).unwrap().starts_with("tick,"));
    }
    // Two names of one file that does not exist yet.
    let [far, near, both] = ["far.csv", "near.csv", "both.csv"].map(|name| folder.path().join(name));
    symlink("near.csv", &far).unwrap();
    symlink("both.csv", &near).unwrap();
    let names = [far.to_str().unwrap(), both.to_str().unwrap()];
    let error = fails(&["run", "-p", "drones", "--ticks", "1", "-o", names[0], "--measures", names[1]], 2);
    assert!(error.contains("need different files") && !both.exists(), "{error}");
    fs::write(&kept, "mine").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o444)).unwrap();
    // Root may write it.
    if fs::File::options().write(true).open(&kept).is_err() {
        let error = fails(&["run", "-p", "drones", "-n", "2", "--ticks", "1", "-o", kept.to_str().unwrap()], 1);
        assert!(error.contains("kept.csv"), "{error}");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "mine");
    }
}

#[test]
fn the_viewer_requires_a_terminal() {
    // The error comes before the flock is created, which may take long.
    for args in [&[][..], &["--input", "no/such/file.csv"]] {
        let error = fails(args, 1);
        assert!(error.contains("not a terminal") && error.contains("flockscope run"), "{error}");
    }
}

#[test]
fn counts_conflict_with_input() {
    let error = fails(&["run", "-n", "5", "--input", "a.csv"], 2);
    assert!(error.contains("--input"), "{error}");
}

#[test]
fn a_missing_folder_is_an_error() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("not/there.csv");
    let error = fails(&["run", "--ticks", "1", "--output", file.to_str().unwrap()], 1);
    assert!(error.contains("there.csv") && error.lines().count() == 1, "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn an_invalid_preset_file_names_the_position() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("mine.toml");
    fs::write(&file, "world = \"800x600\"\n\n[cohesion]\nweight = -2\n").unwrap();
    let error = fails(&["run", "-p", file.to_str().unwrap()], 1);
    assert!(error.contains("mine.toml:4:10: cohesion.weight = -2 is out of range: expected 0 to 100"), "{error}");
    let error = fails(&["run", "-p", "no/such/file.toml"], 1);
    assert!(error.contains("no/such/file.toml"), "{error}");
}

#[test]
fn a_shown_preset_is_a_valid_preset_file() {
    let folder = TempDir::new().unwrap();
    for name in PRESETS.iter().map(|preset| preset.name) {
        let file = folder.path().join(format!("{name}.toml"));
        fs::write(&file, says(&["presets", "show", name])).unwrap();
        let run = |preset: &str| says(&["run", "-p", preset, "-s", "3", "--ticks", "5", "--hash"]);
        assert_eq!(run(file.to_str().unwrap()), run(name), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_shown_file_is_read_once() {
    // A pipe can be read only once.
    let text = "world = \"800x600\"\n";
    let output = flockscope(&["presets", "show", "/dev/stdin"]).write_stdin(text).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
}

#[test]
fn lists_are_complete() {
    let names = |list: &str| -> Vec<String> {
        let lines = says(&[list]);
        let rows = lines.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        rows.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    let headings: Vec<String> =
        says(&["presets"]).lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect();
    assert_eq!(headings, ["# Show pieces", "# After other programs", "# Published models"]);
    assert_eq!(names("presets"), PRESETS.iter().map(|file| file.name).collect::<Vec<_>>());
    assert_eq!(names("themes"), THEMES.iter().map(|file| file.name).collect::<Vec<_>>());
    assert_eq!(names("params"), Param::table().iter().map(|row| row.key).collect::<Vec<_>>());
    assert_eq!(names("keys"), Action::ALL.iter().map(|action| action.id()).collect::<Vec<_>>());
    assert!(says(&["params"]).lines().any(|line| line.starts_with("separation.weight ") && line.contains("0 to 100")));
    assert!(says(&["keys"]).lines().any(|line| line.starts_with("pause ") && line.contains("Space")));
    assert_eq!(says(&["keys", "show", "pause"]), "# Pause or resume.\npause = [\"space\"]\n");
    assert!(says(&["params", "show", "max_turn"]).ends_with("\nmax_turn = 0\n"));
    assert!(says(&["themes", "show", "paper"]).contains("heading = ["));
}

#[test]
fn a_picture_is_the_same_for_the_same_seed_in_every_format() {
    let folder = TempDir::new().unwrap();
    let shot = |name: &str, threads: &str, more: &[&str]| {
        let file = folder.path().join(name);
        let args = ["shot", "-s", "7", "--ticks", "20", "--size", "100x30", "-o", file.to_str().unwrap()];
        // Enough boids for several threads.
        let shared = ["-n", "4500", "-j", threads];
        assert_eq!(says(&[&args[..], &shared, more].concat()), "", "{name}");
        fs::read(file).unwrap()
    };
    for panel in [&[][..], &["--panel"], &["-t", "afterglow", "--color", "256"]] {
        for format in ["png", "svg", "ansi", "txt"] {
            let first = shot(&format!("a.{format}"), "1", panel);
            assert!(first == shot(&format!("b.{format}"), "2", panel), "{format} {panel:?}");
            assert!(first.len() > 500, "{format} {panel:?}");
        }
    }
    assert!(shot("a.PNG", "1", &[]).starts_with(b"\x89PNG"));
    let svg = String::from_utf8(shot("a.svg", "1", &["--panel"])).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    assert!(document.descendants().any(|node| node.text() == Some("seed 7")), "the panel is there");
}

#[test]
fn text_pictures_have_no_escapes_and_ansi_pictures_do() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flock.txt");
    let args = ["shot", "-s", "7", "--ticks", "5", "--size", "90x20", "--panel"];
    says(&[&args[..], &["-o", file.to_str().unwrap()]].concat());
    let plain = fs::read_to_string(file).unwrap();
    assert_eq!(plain.lines().count(), 20);
    assert!(plain.contains("seed 7") && plain.contains("tick 5") && !plain.contains('\u{1b}'), "{plain}");
    assert!(plain.chars().any(|sign| ('\u{2801}'..='\u{28ff}').contains(&sign)));
    let ansi = says(&[&args[..], &["-o", "-"]].concat());
    assert!(ansi.contains("\u{1b}[38;2;") && ansi.lines().count() == 20, "{ansi}");
    let mono = says(&[&args[..], &["-o", "-", "--color", "mono"]].concat());
    assert!(!mono.contains("38;") && !mono.contains("48;"), "{mono}");
}

#[test]
fn a_picture_follows_its_options() {
    let shot = |args: &[&str]| says(&[&["shot", "-s", "7", "--ticks", "3", "--panel", "-o", "-"], args].concat());
    let shown = shot(&["-p", "drones", "-n", "33", "--predators", "5", "--world", "500x400", "-t", "paper"]);
    for text in ["drones", "33 boids", "5 predators", "500 × 400 u", "paper"] {
        assert!(shown.contains(text), "{text}: {shown}");
    }
    let folder = TempDir::new().unwrap();
    let rows = folder.path().join("rows.csv");
    says(&["run", "-p", "drones", "-s", "7", "-n", "9", "--ticks", "40", "--output", rows.to_str().unwrap()]);
    let shown = shot(&["-p", "drones", "--input", rows.to_str().unwrap()]);
    assert!(shown.contains("tick 43") && shown.contains("9 boids"), "{shown}");
}

#[test]
fn a_failed_picture_leaves_no_file() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("flock.png");
    let path = file.to_str().unwrap();
    fs::write(&file, "what was there\n").unwrap();
    let error = fails(&["shot", "-o", &path.replace("png", "jpg")], 2);
    assert!(error.contains(".png, .svg, .ansi or .txt"), "{error}");
    fails(&["shot", "-o", path, "-t", "no/such.toml"], 1);
    fails(&["shot", "-o", path, "--set", "speed.min=3", "--set", "speed.max=2"], 2);
    fails(&["shot", "-o", "no/such/folder/flock.png"], 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn shot_prints_a_random_seed() {
    let output = flockscope(&["shot", "--ticks", "1", "-n", "5", "-o", "-"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.trim().strip_prefix("seed ").is_some_and(|seed| seed.parse::<u64>().is_ok()), "{said}");
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut head = process(&["run", "-n", "2000", "--ticks", "50", "--output", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(head.stdout.take());
    let output = head.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_closed_reader_leaves_the_other_file_complete() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("measures.csv");
    let mut head = process(&["run", "-n", "500", "--ticks", "40", "--output", "-", "--measures"])
        .arg(&file)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(head.stdout.take());
    assert_eq!(head.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1 + 41);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_blocked_run() {
    let folder = TempDir::new().unwrap();
    let (pipe, file) = (folder.path().join("pipe"), folder.path().join("rows.csv"));
    let (pipe, file) = (pipe.to_str().unwrap(), file.to_str().unwrap());
    assert!(Process::new("mkfifo").arg(pipe).status().unwrap().success());
    // Not SIGINT, which background jobs of a script ignore. The reader of the last one reads nothing.
    for args in [
        &["--input", "-"][..],
        &["--output", pipe],
        &["--output", file, "--measures", pipe],
        &["-n", "5000", "--output", "-"],
    ] {
        let mut run = process(&["run"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(800));
        assert!(Process::new("kill").args(["-TERM", &run.id().to_string()]).status().unwrap().success());
        let end = Instant::now() + Duration::from_secs(5);
        while run.try_wait().unwrap().is_none() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
        let ended = run.try_wait().unwrap();
        let _ = run.kill();
        assert_eq!(ended.and_then(|status| status.signal()), Some(15), "{args:?}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{args:?} leaves nothing behind");
    }
}

#[cfg(unix)]
#[test]
fn two_signals_leave_no_temporary_file() {
    // As `timeout` does, which signals a program and then its group, and as a closing window does.
    for pause in [0, 0, 0, 700] {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("rows.csv");
        let args = ["run", "-n", "200000", "--ticks", "100000", "--output", file.to_str().unwrap()];
        let mut run = process(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let kill = format!("kill -TERM {0}; sleep 0.{pause:03}; kill -HUP {0}", run.id());
        Process::new("bash").args(["-c", &kill]).stderr(Stdio::null()).status().unwrap();
        run.wait().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "after {pause} ms");
    }
}

#[cfg(unix)]
#[test]
fn streams_opened_by_the_shell_are_written_not_replaced() {
    let run = format!("{} run -n 2 --ticks 1 --output", program::path().display());
    for (script, before, after) in [
        (format!("{{ echo first; {run} /dev/stdout; echo last; }} > x"), "first\ntick,id,", "\nlast\n"),
        (format!("echo old > x; {run} /dev/fd/1 >> x"), "old\ntick,id,", "\n"),
        (format!("echo old > x; {run} /dev/fd/5 5>> x"), "old\ntick,id,", "\n"),
        (format!("{{ echo first; {run} /dev/stderr; echo last >&2; }} 2> x 1>&2"), "first\ntick,id,", "\nlast\n"),
        (format!("ln -s /dev/stdout y; {run} y --hash > x"), "tick,id,", "\n"),
    ] {
        let folder = TempDir::new().unwrap();
        let mut bash = program::clean_command("bash");
        bash.args(["-c", &script]).current_dir(folder.path()).stderr(Stdio::null());
        assert!(bash.status().unwrap().success(), "{script}");
        let text = fs::read_to_string(folder.path().join("x")).unwrap();
        assert!(text.starts_with(before) && text.ends_with(after), "{script}: {text}");
        assert!(!text.contains("hash"), "{script}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn invalid_file_names_fail_before_the_run() {
    let folder = TempDir::new().unwrap();
    for (name, why) in [("results/", "no such directory"), (&"x".repeat(300), "File name too long")] {
        let path = format!("{}/{name}", folder.path().display());
        let said = fails(&["run", "--ticks", "1000000000", "--output", &path], 1);
        assert!(said.contains(why), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn nothing_is_written_before_all_files_are_open() {
    fails(&["run", "--ticks", "1", "--output", "-", "--measures", "no/such/folder/x.csv"], 1);
}

#[test]
fn a_run_prints_one_hash_for_any_number_of_threads() {
    // `tests/sim/models` compares the threads of published models.
    for Preset { name, world, .. } in
        Preset::builtin().into_iter().filter(|preset| ModelRow::of(&preset.params).has_steering)
    {
        // Enough boids for several threads, at the usual density.
        let world = if world.is_3d() { world } else { WorldSize::Auto }.to_string();
        let flock = ["run", "-p", &name, "-s", "7", "-n", "4500", "--world", &world];
        let hash = |threads: &str| says(&[&flock[..], &["--ticks", "12", "--hash", "-j", threads]].concat());
        let one = hash("1");
        assert!(one.starts_with("hash 12 ") && one.trim_end().len() == "hash 12 ".len() + 16, "{one}");
        assert_eq!(hash("2"), one, "{name}");
        assert_eq!(hash("5"), one, "{name}");
    }
}

#[test]
fn with_rows_on_standard_output_the_hash_goes_to_standard_error() {
    let output =
        flockscope(&["run", "-p", "starlings", "-s", "1", "-n", "3", "--ticks", "2", "--output", "-", "--hash"])
            .output()
            .unwrap();
    let (rows, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(rows.starts_with("tick,id,kind,x,y,z,vx,vy,vz\n0,0,prey,") && !rows.contains("hash"));
    assert!(said.starts_with("hash 2 "), "{said}");
}

#[test]
fn run_prints_a_random_seed() {
    let output = flockscope(&["run", "-n", "2", "--ticks", "1"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let seed = said.split("seed ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    assert!(seed.parse::<u64>().is_ok(), "{said}");
}

#[test]
fn a_file_appears_only_when_complete() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rows.csv");
    fs::write(&file, "what was there\n").unwrap();
    let state = folder.path().join("bad.csv");
    fs::write(&state, "tick,id,kind,x,y,z,vx,vy,vz\n0,0,prey,1,1,0,NaN,0,0\n").unwrap();
    fails(&["run", "--input", state.to_str().unwrap(), "--output", file.to_str().unwrap()], 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there\n");
    says(&["run", "-n", "2", "--ticks", "1", "--output", file.to_str().unwrap()]);
    assert!(fs::read_to_string(&file).unwrap().starts_with("tick,id,"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no temporary file is left beside rows.csv.json");
}

#[cfg(unix)]
#[test]
fn a_new_file_has_default_permissions_and_an_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("rows.csv");
    let write = |mask: &str| {
        let run = format!("umask {mask}; \"$0\" run -s 1 -n 2 --ticks 1 --output \"$1\"");
        let mut shell = clean_command("sh");
        shell.arg("-c").arg(run).arg(path()).arg(&file);
        assert!(shell.status().unwrap().success());
        fs::metadata(&file).unwrap().permissions().mode() & 0o777
    };
    assert_eq!(write("027"), 0o640);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o606)).unwrap();
    assert_eq!(write("077"), 0o606);
}

#[cfg(unix)]
#[test]
fn special_files_are_written_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Process::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    says(&["run", "-n", "2", "--ticks", "1", "--output", pipe.to_str().unwrap()]);
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(reader.join().unwrap().starts_with("tick,id,"));
}
