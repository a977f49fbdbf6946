//! Contract: the config file. Flag over file over preset over default; a mistake is reported
//! with its position and the nearest valid name; the template is valid; a reload applies all changes, and
//! an invalid file none.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

#[cfg(unix)]
use crate::terminal;

use crate::program::{self, prints};
#[cfg(unix)]
use crate::terminal::{Terminal, dots, exactly, gauge, number_after};
use flockscope::config::Preset;

/// flockscope in a folder that is also its home, with an empty environment.
fn flockscope(home: &Path, args: &[&str]) -> Command {
    let mut command = program::flockscope(args);
    command.current_dir(home).env("HOME", home).env("XDG_CONFIG_HOME", home);
    command
}

/// A home with this config file.
fn home(config: &str) -> TempDir {
    let home = TempDir::new().unwrap();
    fs::create_dir(home.path().join("flockscope")).unwrap();
    fs::write(home.path().join("flockscope/config.toml"), config).unwrap();
    home
}

fn complains(command: Command) -> String {
    program::refuses(command, 1)
}

/// The initial number of boids of a run.
fn boids(mut command: Command) -> usize {
    command.args(["--ticks", "0", "--output", "-"]);
    prints(command).lines().filter(|line| line.contains(",prey,")).count()
}

/// The initial number of boids of the default preset.
fn default_boids() -> usize {
    Preset::load("murmuration").unwrap().boids
}

/// The hash of a short run.
fn hash(mut command: Command) -> String {
    command.args(["-s", "3", "--ticks", "4", "--hash"]);
    prints(command)
}

#[test]
fn flags_override_the_file_and_the_preset() {
    let home = home("boids = 50\npreset = \"drones\"\n");
    for (args, count) in [
        (&["-n", "30"][..], 30),
        (&[], 50),
        (&["-p", "parker"], 50),
        (&["--no-config", "-p", "drones"], 97),
        (&["--no-config"], default_boids()),
    ] {
        let mut command = flockscope(home.path(), &["run"]);
        // The environment sets no options.
        command.args(args).env("FLOCKSCOPE_BOIDS", "40").env("FLOCKSCOPE_NO_SUCH_OPTION", "1");
        assert_eq!(boids(command), count, "{args:?}");
    }
}

#[test]
fn rules_merge_and_typed_rules_win() {
    let home = home("preset = \"drones\"\n[set]\nseparation.weight = 9\nspeed.max = 3\n[set.cohesion]\nweight = 2\n");
    let plain = |rules: &[&str]| {
        let rules = rules.iter().flat_map(|rule| ["--set", rule]);
        let mut command = flockscope(home.path(), &["run", "--no-config", "-p", "drones"]);
        command.args(rules);
        hash(command)
    };
    let layered = |args: &[&str]| {
        let mut command = flockscope(home.path(), &["run"]);
        command.args(args);
        hash(command)
    };
    let all = ["separation.weight=9", "speed.max=3", "cohesion.weight=2"];
    assert_eq!(layered(&[]), plain(&all));
    assert_eq!(layered(&["--set", "speed.max=5"]), plain(&[all[0], "speed.max=5", all[2]]));
}

#[test]
fn settings_that_the_model_does_not_use_are_a_notice() {
    let home = home("preset = \"vicsek\"\n[set]\nspeed.max = 2\nseparation.weight = 9\ncohesion.weight = 2\n");
    let run = |args: &[&str]| {
        let mut command = flockscope(home.path(), &["run", "-s", "3", "--ticks", "4", "--hash"]);
        let output = command.args(args).output().unwrap();
        assert!(output.status.success());
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (ignored, notice) = run(&[]);
    let place = path(&home);
    let unused = format!("separation.weight (set in {place}:4), cohesion.weight (set in {place}:5)");
    assert_eq!(notice, format!("flockscope: the model vicsek does not use {unused}\n"));
    assert_eq!(ignored, run(&["--no-config", "-p", "vicsek", "--set", "speed.max=2"]).0);
    assert_eq!(run(&["-p", "drones"]).1, "", "the model of drones uses all of them");
    // A typed one is an error.
    let typed = program::refuses(
        flockscope(home.path(), &["run", "--no-config", "-p", "drones", "--set", "vicsek.vectorial=1"]),
        2,
    );
    let error = "the model boids does not use vicsek.vectorial; the presets vicsek and bands do\n";
    assert!(typed.ends_with(error) && typed.lines().count() == 1, "{typed}");
}

#[test]
fn a_table_for_a_preset_applies_to_it_alone_and_wins_over_the_general_one() {
    let home = home(
        "[set]\ncohesion.weight = 1\n[presets.drones]\ncohesion.weight = 2\nspeed.max = 5\n[presets.mine.speed]\nmax = 6\n",
    );
    let folder = home.path().join("flockscope/presets");
    fs::create_dir(&folder).unwrap();
    let text = prints(flockscope(home.path(), &["presets", "show", "parker"]));
    fs::write(folder.join("mine.toml"), text).unwrap();
    let plain = |preset: &str, rules: &[&str]| {
        let mut command = flockscope(home.path(), &["run", "--no-config", "-p", preset]);
        command.args(rules.iter().flat_map(|rule| ["--set", rule]));
        hash(command)
    };
    let layered = |preset: &str, rules: &[&str]| {
        let mut command = flockscope(home.path(), &["run", "-p", preset]);
        command.args(rules.iter().flat_map(|rule| ["--set", rule]));
        hash(command)
    };
    assert_eq!(layered("drones", &[]), plain("drones", &["cohesion.weight=2", "speed.max=5"]));
    assert_eq!(layered("parker", &[]), plain("parker", &["cohesion.weight=1"]));
    assert_eq!(layered("mine", &[]), plain("mine", &["cohesion.weight=1", "speed.max=6"]));
    let typed = layered("drones", &["cohesion.weight=4"]);
    assert_eq!(typed, plain("drones", &["cohesion.weight=4", "speed.max=5"]));
    // A conflict with a typed value names the place of the other one.
    let conflict = program::refuses(flockscope(home.path(), &["run", "-p", "drones", "--set", "speed.min=5.5"]), 2);
    let says = format!("speed.max is set in {}:5", path(&home));
    assert!(conflict.trim_end().ends_with(&says), "{conflict}");
}

#[test]
fn conflicts_name_their_source() {
    let home = home("preset = \"drones\"\n[set]\nspeed.max = 3\nspeed.min = 2.5\n");
    let says = |args: &[&str]| {
        let mut command = flockscope(home.path(), &["run", "--ticks", "1"]);
        command.args(args);
        program::refuses(command, 2)
    };
    // Typed values need no explanation; overruled values do not matter.
    let typed = says(&["--set", "speed.max=2"]);
    assert!(typed.contains("speed.min = 2.5 is above speed.max = 2; speed.min is set in "), "{typed}");
    assert!(typed.trim_end().ends_with("flockscope/config.toml:4"), "{typed}");
    let both = says(&["--set", "speed.max=2", "--set", "speed.min=3"]);
    assert!(both.trim_end().ends_with("speed.min = 3 is above speed.max = 2"), "{both}");
}

#[test]
fn worlds_and_zones_that_do_not_fit_name_their_source() {
    let home = home("preset = \"drones\"\nworld = \"300x200\"\nzone = [\"obstacle:5000,5000:10\"]\n");
    let says = |args: &[&str]| {
        let mut command = flockscope(home.path(), &["run", "--ticks", "1"]);
        command.args(args);
        program::refuses(command, 2).trim_end().to_owned()
    };
    let ball = says(&["-p", "sphere"]);
    assert!(
        ball.contains("needs a spherical world") && ball.ends_with(&format!("; world is set in {}:2", path(&home))),
        "{ball}"
    );
    let far = says(&[]);
    assert!(
        far.contains("is not completely inside the world 300x200; zone is set in ") && far.ends_with("config.toml:3"),
        "{far}"
    );
    // Typed values need no explanation.
    let typed = says(&["--zone", "food:9,9:30"]);
    assert!(typed.ends_with("is not completely inside the world 300x200"), "{typed}");
}

/// The path of a home's config file in messages.
fn path(home: &TempDir) -> String {
    home.path().join("flockscope/config.toml").display().to_string()
}

#[test]
fn a_named_file_must_exist() {
    let home = home("boids = 50\n");
    fs::write(home.path().join("other.toml"), "boids = 60\n").unwrap();
    let at = |args: &[&str], named: &str| {
        let mut command = flockscope(home.path(), &["run"]);
        command.args(args).env("FLOCKSCOPE_CONFIG", named);
        command
    };
    assert_eq!(boids(at(&["--config", "other.toml"], "")), 60);
    assert_eq!(boids(at(&[], "other.toml")), 60);
    assert_eq!(boids(at(&["--config", "flockscope/config.toml"], "other.toml")), 50);
    assert_eq!(boids(at(&["--no-config"], "other.toml")), default_boids());
    assert!(complains(at(&["--config", "no.toml"], "")).contains("no.toml"));
    assert!(complains(at(&[], "no.toml")).contains("no.toml"));
    if cfg!(unix) {
        assert_eq!(boids(at(&[], "/dev/null")), default_boids());
    }
    // The default file may be missing.
    let own = home.path().join("flockscope/config.toml");
    fs::remove_file(&own).unwrap();
    assert_eq!(boids(at(&[], "")), default_boids());
    // A dangling link is an error.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("gone.toml", &own).unwrap();
        assert!(complains(at(&[], "")).contains("config.toml"));
    }
}

#[test]
fn paths_are_relative_to_the_config_file() {
    let home = home("preset = \"./mine.toml\"\n");
    let text = prints(flockscope(home.path(), &["presets", "show", "drones"])).replace("boids = 97", "boids = 12");
    fs::write(home.path().join("flockscope/mine.toml"), text).unwrap();
    let count = |args: &[&str]| {
        let mut command = flockscope(home.path(), &["run"]);
        command.args(args);
        boids(command)
    };
    assert_eq!(count(&[]), 12);
    fs::write(home.path().join("flockscope/config.toml"), "preset = \"~/flockscope/mine.toml\"\n").unwrap();
    assert_eq!(count(&[]), 12);
}

#[test]
fn typed_options_override_conflicting_settings() {
    let home = home("boids = 50\npredators = 3\npreset = \"drones\"\n");
    let file = home.path().join("flock.csv");
    prints(flockscope(
        home.path(),
        &["run", "--no-config", "-p", "drones", "-s", "1", "-n", "8", "--ticks", "2", "--output", "flock.csv"],
    ));
    let command = flockscope(home.path(), &["run", "--input", file.to_str().unwrap()]);
    assert_eq!(boids(command), 8);
}

#[test]
fn pictures_read_the_config_and_benchmarks_do_not() {
    let home = home("preset = \"drones\"\nboids = 40\ntheme = \"moon\"\nfps = 30\nclean = true\nseed = 5\n");
    let picture = |args: &[&str]| {
        prints(flockscope(home.path(), &[&["shot", "-o", "-", "--ticks", "1", "--size", "40x10"][..], args].concat()))
    };
    assert_eq!(picture(&[]), picture(&["--no-config", "-p", "drones", "-n", "40", "-t", "moon", "-s", "5"]));
    assert_ne!(picture(&[]), picture(&["-t", "paper"]));
    let report = prints(flockscope(home.path(), &["bench", "-n", "200", "-j", "1", "--json"]));
    assert!(report.contains("\"boids\":200") && report.contains("uniform"), "{report}");
}

#[test]
fn lists_work_with_a_broken_config() {
    let home = home("broken");
    for args in
        [&["--help"][..], &["-h"], &["run", "--help"], &["--version"], &["--print-config"], &["presets"], &["params"]]
    {
        assert!(!prints(flockscope(home.path(), args)).is_empty(), "{args:?}");
    }
    for args in [&[][..], &["run"], &["shot", "-o", "-"]] {
        let error = complains(flockscope(home.path(), args));
        assert!(error.contains("config.toml:1:") && error.contains("--no-config"), "{args:?}: {error}");
    }
    assert!(!hash(flockscope(home.path(), &["run", "--no-config"])).is_empty());
}

#[test]
fn the_template_changes_nothing_and_each_line_is_valid() {
    let home = home("");
    let file = home.path().join("flockscope/config.toml");
    let sample = prints(flockscope(home.path(), &["--print-config"]));
    let fly = || hash(flockscope(home.path(), &["run"]));
    let plain = fly();
    fs::write(&file, &sample).unwrap();
    assert_eq!(fly(), plain);
    // With every line active the flock is the same: the template shows the defaults.
    let let_in = |line: &str| match line.strip_prefix('#') {
        Some(rest) if rest.starts_with(|sign: char| sign.is_ascii_lowercase()) => rest.to_owned(),
        _ => line.to_owned(),
    };
    let whole: String = sample.lines().map(let_in).fold(String::new(), |text, line| text + &line + "\n");
    assert!(whole.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count() > 60);
    fs::write(&file, whole).unwrap();
    assert_eq!(fly(), plain);
    let keys = |args: &[&str]| prints(flockscope(home.path(), &[&["keys"], args].concat()));
    assert_eq!(keys(&[]), keys(&["--no-config"]));
    // Each line is valid alone.
    let (options, rules) = sample.split_once("[keys]").unwrap().0.split_once("[set]").unwrap();
    let lines = |part: &str| {
        part.lines().map(let_in).filter(|line| !line.starts_with('#') && line.contains(" = ")).collect::<Vec<_>>()
    };
    for (head, line) in
        lines(options).iter().map(|line| ("", line)).chain(lines(rules).iter().map(|line| ("[set]\n", line)))
    {
        fs::write(&file, format!("{head}{line}\n")).unwrap();
        prints(flockscope(home.path(), &["run", "--ticks", "0"]));
    }
}

/// Config files, each with one mistake.
const BROKEN: &[&str] = &[
    "fsp = 30",
    "Fps = 30",
    "fps = 0",
    "fps = 500",
    "fps = nan",
    "fps = \"fast\"",
    "fps = true",
    "fps = [30, 60]",
    "fps = { most = 30 }",
    "fps = []",
    "fps = 2026-11-21",
    "fps = ",
    "fps",
    "fps = 30 60",
    "fps = 30\nfps = 60",
    "fps = 30\n\nfps = 99999999999999999999999999999999999999999999",
    "boids = 0",
    "boids = 1.5",
    "boids = 20_000_000",
    "boids = -3",
    "predators = 1001",
    "seed = -1",
    "world = \"800\"",
    "world = \"9999999x1\"",
    "threads = 257",
    "preset = \"starling\"",
    "preset = \"nothing like it\"",
    "preset = \"mine.toml\"",
    "preset = [\"drones\", \"geese\"]",
    "theme = \"dusc\"",
    "theme = \"\"",
    "marker = \"brail\"",
    "view = \"tails\"",
    "color = \"256colors\"",
    "zoom = 65",
    "follow = \"biggest\"",
    "bandwidth = \"64Q\"",
    "bandwidth = 1",
    "rate = 961",
    "clean = 1",
    "clean = \"yes\"",
    "duration = 90",
    "duration = \"soon\"",
    "idle = -1",
    "zone = [\"obstacel:1,2:3\"]",
    "zone = [1]",
    "input = \"flock.csv\"",
    "config = \"other.toml\"",
    "set = \"separation.weight=3\"",
    "separation.weight = 3",
    "[separation]\nweight = 3",
    "[sets]\nseparation.weight = 3",
    "[set]\nseparation.wieght = 3",
    "[set]\nseparation.weight = 101",
    "[set]\nseparation.weight = \"heavy\"",
    "[set]\nseparation.weight = [1]",
    "[set]\nseparation = 3",
    "[set]\nseparation.weight = 3\nseparation.weight = 4",
    "[set.seperation]\nweight = 3",
    "[set]\nedge.mode = \"warp\"",
    "[set]\nmax_neighbors = 1.5",
    "[set]\nfps = 30",
    "[[set]]\nspeed.max = 3",
    "[set]\nspeed.max = 3\n[set]\nspeed.min = 1",
    "presets = 3",
    "[presets]\nherring = 3",
    "[presets.herrin]\ncohesion.weight = 1",
    "[presets.nothing-like-it]\ncohesion.weight = 1",
    "[presets.herring]\ncohesion.wieght = 1",
    "[presets.herring]\ncohesion.weight = 101",
    "[presets.herring]\ncohesion.weight = 1\nspeed.max = 0.1",
    "[presets.drones]\nspeed.max = 5\nvicsek.vectorial = 1",
    "[presets.herring.presets]\nspeed.max = 1",
    "keys = 3",
    "[keys]\npuase = \"f5\"",
    "[keys]\npause = 5",
    "[keys]\npause = [\"f55\"]",
    "[keys]\npause = \"f5\"\nstep = \"f5\"",
    "[keys]\nbase = \"emacs\"",
    "pause = \"f5\"",
    "# ünïcödé before the place\ntheme = \"鳥鳥\" # and behind",
    "\"\\u001b[31mred\" = 3",
    "theme = \"\\u001b[31mred\"",
    "\tfps\t=\t500",
    "fps = 30\r\ntheme = 'dusc'\r\n",
];

#[test]
fn mistakes_are_reported_with_position_and_suggestion() {
    let home = TempDir::new().unwrap();
    let mut all = String::new();
    for text in BROKEN {
        fs::write(home.path().join("config.toml"), text).unwrap();
        let error = complains(flockscope(home.path(), &["run", "--ticks", "0", "--config", "config.toml"]));
        assert!(!error.contains(|sign: char| sign.is_control() && sign != '\n'), "{text:?}: {error:?}");
        write!(all, "{}\n{error}\n", text.escape_debug()).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn a_binary_file_is_reported() {
    let home = TempDir::new().unwrap();
    let file = home.path().join("config.toml");
    let told = || complains(flockscope(home.path(), &["run", "--ticks", "0", "--config", "config.toml"]));
    let write = |bytes: &[u8]| fs::write(&file, bytes).unwrap();
    write(b"fps = 30\ntheme = \"\xff\"\n");
    assert!(told().starts_with("flockscope: config.toml:2:10: not valid UTF-8"), "{}", told());
    write(&vec![b'#'; (1 << 20) + 1]);
    assert!(told().contains("larger than the limit of 1048576 bytes"));
    write(format!("fps = {}", "[".repeat(100_000)).as_bytes());
    assert!(told().starts_with("flockscope: config.toml:1:"));
    write(format!("{}fps = 1{}", "[a".repeat(10_000), "]".repeat(10_000)).as_bytes());
    assert!(told().starts_with("flockscope: config.toml:1:"));
    write(b"\0");
    assert!(told().starts_with("flockscope: config.toml:1:"));
    // With a byte order mark and CRLF.
    write(b"\xef\xbb\xbfboids = 5\r\n");
    assert_eq!(boids(flockscope(home.path(), &["run", "--config", "config.toml"])), 5);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert!(told().contains("is a directory"));
    #[cfg(unix)]
    {
        fs::remove_dir(&file).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success());
        assert!(told().contains("not a regular file"));
    }
}

/// The viewer with this home.
#[cfg(unix)]
fn watch(home: &Path, args: &[&str]) -> Terminal {
    let mut command = exactly(args);
    command.env("XDG_CONFIG_HOME", home);
    command.env("HOME", home);
    Terminal::with(120, 40, command)
}

#[cfg(unix)]
#[test]
fn a_reload_applies_only_what_changed() {
    let home = home("preset = \"drones\"\nseed = 1\ntheme = \"moon\"\n[set]\ncohesion.radius = 77\n");
    let file = home.path().join("flockscope/config.toml");
    let mut terminal = watch(home.path(), &["--no-intro"]);
    terminal.wait_for_text("▶ running");
    terminal.wait_for("the rule", |screen| (gauge(screen, "cohesion", "radius")? == "77 u").then_some(()));
    // Changes made in the viewer stay, and the screen is redrawn.
    terminal.press("t");
    terminal.wait_for_text("theme: afterglow");
    terminal.press("\x0c");
    terminal.wait_for_text("config unchanged");
    fs::write(&file, "preset = \"drones\"\nseed = 2\nboids = 5\ntheme = \"moon\"\nrate = 12\n[set]\ncohesion.radius = 66\nseparation.radius = 11\n").unwrap();
    terminal.press("\x0c");
    terminal.wait_for_text("restart to apply boids, seed");
    terminal.wait_for("the rules", |screen| {
        (gauge(screen, "cohesion", "radius")? == "66 u" && gauge(screen, "separation", "radius")? == "11 u")
            .then_some(())
    });
    assert_eq!(terminal.seed(), 1);
    // A removed setting returns to the preset's value.
    fs::write(&file, "preset = \"drones\"\nseed = 1\nclean = true\nmarker = \"ascii\"\n[keys]\nquit = \"f5\"\n")
        .unwrap();
    terminal.press("\x0c");
    terminal.wait_for("a clean view", |screen| (!screen.contains("cohesion") && dots(screen) == 0).then_some(()));
    // A restart with the same rules has an exact command.
    terminal.press("R\x1b[15~");
    let (status, text) = terminal.end();
    assert!(status == 0 && text.contains("flockscope -p drones") && !text.contains("cohesion.radius=66"), "{text}");
}

#[cfg(unix)]
#[test]
fn the_viewer_applies_the_table_of_each_preset_and_reports_settings_without_effect() {
    let home =
        home("preset = \"vicsek\"\nseed = 1\n[set]\nseparation.weight = 9\n[presets.drones]\ncohesion.radius = 77\n");
    let file = home.path().join("flockscope/config.toml");
    let mut terminal = watch(home.path(), &["--no-intro"]);
    terminal.wait_for_text("the model vicsek does not use separation.weight (set in config.toml:4)");
    terminal.press(":preset drones\r");
    let radius =
        |value: &'static str| move |screen: &str| (gauge(screen, "cohesion", "radius")? == value).then_some(());
    terminal.wait_for("the value for drones", radius("77 u"));
    fs::write(&file, "preset = \"vicsek\"\nseed = 1\n[presets.drones]\ncohesion.radius = 66\n").unwrap();
    terminal.press("\x0c");
    terminal.wait_for_text("config reloaded");
    terminal.wait_for("the new value", radius("66 u"));
    terminal.press(":preset parker\r");
    terminal.wait_for_text("150 boids");
    terminal.press(":preset drones\r");
    terminal.wait_for("the value again", radius("66 u"));
    // The command also works without the file.
    terminal.press("Rq");
    let (status, text) = terminal.end();
    assert!(status == 0 && text.contains("--set cohesion.radius=66"), "{text}");
}

/// Sends the signal that reloads the config.
#[cfg(unix)]
fn ask_to_reload(terminal: &Terminal) {
    let id = terminal.child.process_id().unwrap().to_string();
    assert!(std::process::Command::new("kill").args(["-USR1", &id]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn a_reload_finds_new_themes_and_presets() {
    let home = home("preset = \"drones\"\nseed = 1\n");
    let mut terminal = watch(home.path(), &["--no-intro"]);
    terminal.wait_for_text("▶ running");
    let write = |folder: &str, name: &str, text: String| {
        let folder = home.path().join("flockscope").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text).unwrap();
    };
    let shown = |what: &str, name: &str| prints(flockscope(home.path(), &[what, "show", name]));
    write("themes", "fresh.toml", shown("themes", "moon").replacen("summary = \"", "summary = \"fresh, ", 1));
    write("presets", "mine.toml", shown("presets", "drones").replacen("boids = 97", "boids = 13", 1));
    terminal.press("\x0c");
    terminal.wait_for_text("config unchanged");
    terminal.press(":theme fresh");
    terminal.wait_for_text("fresh, ");
    terminal.press("\r");
    terminal.press(":preset mine\r");
    terminal.wait_for_text("13 boids");
    // Again while the list is open, which closes it, with the active theme's file removed.
    fs::remove_file(home.path().join("flockscope/themes/fresh.toml")).unwrap();
    write("presets", "mine.toml", shown("presets", "drones").replacen("boids = 97", "boids = 14", 1));
    terminal.press(":theme");
    terminal.wait_for_text("theme ink");
    ask_to_reload(&terminal);
    terminal.wait_for_text("config unchanged");
    terminal.press(":preset mine\r");
    terminal.wait_for_text("14 boids");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[cfg(unix)]
#[test]
fn a_reload_keeps_files_given_by_path() {
    let home = home("seed = 1\n");
    let file = |name: &str, text: String| {
        let path = home.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let shown = |what: &str, name: &str| prints(flockscope(home.path(), &[what, "show", name]));
    // One has the name of a built-in preset.
    let theme = file("moon.toml", shown("themes", "moon").replacen("summary = \"", "summary = \"otherwise ", 1));
    let preset = file("thirteen.toml", shown("presets", "drones").replacen("boids = 97", "boids = 13", 1));
    let mut terminal = watch(home.path(), &["--no-intro", "-t", &theme, "-p", &preset]);
    terminal.wait_for_text("13 boids");
    terminal.press("\t");
    terminal.wait_for("another", |screen| (!screen.contains("13 boids")).then_some(()));
    terminal.press("\x0c");
    terminal.wait_for_text("config unchanged");
    terminal.press(":theme moon");
    terminal.wait_for_text("otherwise ");
    terminal.press("\x1b");
    terminal.press("\x1b[Z");
    terminal.wait_for_text("13 boids");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[cfg(unix)]
#[test]
fn a_signal_reloads_and_an_invalid_file_changes_nothing() {
    let home = home("preset = \"drones\"\nseed = 1\n[set]\ncohesion.radius = 77\n");
    let file = home.path().join("flockscope/config.toml");
    let mut terminal = watch(home.path(), &["--no-intro"]);
    terminal.wait_for_text("▶ running");
    fs::write(&file, "preset = \"drones\"\nseed = 1\n[set]\ncohesion.radius = 66\nspeed.mx = 3\n").unwrap();
    ask_to_reload(&terminal);
    terminal.wait_for_text("config.toml:5:7");
    terminal.wait_for("the old", |screen| (gauge(screen, "cohesion", "radius")? == "77 u").then_some(()));
    // Invalid settings are rejected as a whole, each time.
    let apart = "preset = \"drones\"\nseed = 1\n[set]\ncohesion.radius = 66\nspeed.min = 9\nspeed.max = 3\n";
    fs::write(&file, apart).unwrap();
    for _ in 0..2 {
        ask_to_reload(&terminal);
        terminal.wait_for_text("speed.min = 9 is above speed.max = 3");
        terminal.wait_for("the old", |screen| (gauge(screen, "cohesion", "radius")? == "77 u").then_some(()));
        terminal.press("\x1b");
        terminal.wait_for("silence", |screen| (!screen.contains("is above speed.max")).then_some(()));
    }
    fs::write(&file, "preset = \"drones\"\nseed = 1\n[set]\ncohesion.radius = 66\n").unwrap();
    ask_to_reload(&terminal);
    terminal.wait_for("the new", |screen| (gauge(screen, "cohesion", "radius")? == "66 u").then_some(()));
    let tick = terminal.wait_for("ticks", |screen| number_after(screen, "tick "));
    assert!(tick > 0);
}

#[cfg(unix)]
#[test]
fn a_config_from_a_pipe_survives_a_reload() {
    let home = home("");
    let mut bash = terminal::clean_command("bash");
    let viewer = program::path().display();
    bash.args([
        "-c",
        &format!("{viewer} --no-intro -p drones -s 1 --config <(printf '[set]\\ncohesion.radius = 77\\n')"),
    ]);
    bash.cwd(home.path());
    let mut terminal = Terminal::with(120, 40, bash);
    terminal.wait_for("the rule", |screen| (gauge(screen, "cohesion", "radius")? == "77 u").then_some(()));
    terminal.press("\x0c");
    terminal.wait_for_text("screen redrawn; config unchanged");
    terminal.wait_for("the rule", |screen| (gauge(screen, "cohesion", "radius")? == "77 u").then_some(()));
}

#[cfg(unix)]
#[test]
fn the_reproduce_command_overrides_the_config() {
    let home = home("preset = \"drones\"\nseed = 1\nboids = 40\nrate = 50\n[set]\ncohesion.radius = 77\n");
    let mut terminal = watch(home.path(), &["--no-intro"]);
    terminal.wait_for_text("▶ running");
    // The preset's own rules, which the config would override.
    terminal.press("\x1b[3~");
    terminal.wait_for_text("parameters reset to drones");
    terminal.wait_for("the rule", |screen| (gauge(screen, "cohesion", "radius")? != "77 u").then_some(()));
    terminal.press("Rq");
    let text = terminal.end().1.replace('\n', "");
    assert!(text.contains("flockscope -p drones -s 1 -n 40 --rate 50 --set cohesion.radius="), "{text}");
}
