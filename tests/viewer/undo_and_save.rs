//! Contract: undo and redo, saved presets and pictures, and morphs between presets.

use std::fs;

use crate::program;
use crate::terminal::{Terminal, at_home, gauge, number_after, viewer};
use flockscope::config::Preset;
use flockscope::sim::Flock;
use tempfile::TempDir;

#[test]
fn changes_are_undone_and_redone() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1"]);
    terminal.press("u");
    terminal.wait_for_text("nothing to undo");
    // A run of key presses is one step, a typed value another.
    terminal.press("\x1b[C\x1b[C\x1b[C");
    terminal.wait_for("more", |screen| (gauge(screen, "separation", "weight")? == "0.008").then_some(()));
    terminal.press("j\r77\r");
    terminal.wait_for("more", |screen| (gauge(screen, "separation", "radius")? == "77 u").then_some(()));
    terminal.press("u");
    terminal.wait_for_text("undo: separation.radius = 20");
    terminal.press("u");
    terminal.wait_for_text("undo: separation.weight = 0.001");
    terminal.press("\x12");
    terminal.wait_for_text("redo: separation.weight = 0.008");
    terminal.press("\x12\x12");
    terminal.wait_for_text("nothing to redo");
    // Resetting all parameters is one step.
    terminal.press("\x1b[3~");
    terminal.wait_for_text("parameters reset to drones");
    terminal.press("u");
    terminal.wait_for_text("undo: 2 parameters");
    terminal.wait_for("both", |screen| (gauge(screen, "separation", "radius")? == "77 u").then_some(()));
    terminal.press("w");
    terminal.wait_for_text("wind: breeze, wind.x = 0.075");
    terminal.press("u");
    terminal.wait_for_text("undo: wind.x = 0");
}

#[test]
fn rules_are_saved_listed_and_loaded() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "1", "-n", "60"]);
    terminal.press("j\r33\rS");
    terminal.wait_for_text("save these rules as");
    terminal.press("../evil\r");
    terminal.wait_for_text("invalid preset name");
    terminal.press("\x7f\x7f\x7f\x7f\x7f\x7f\x7fgannets\r");
    terminal.wait_for_text("saved as gannets");
    let file = home.path().join("flockscope/presets/gannets.toml");
    let saved = fs::read_to_string(&file).unwrap();
    let preset = Preset::from_text("gannets", &saved).unwrap();
    assert_eq!((preset.boids, preset.predators, preset.params.separation.radius), (60, 3, 33.0));
    Flock::new(&preset.setup(1, 1.6)).unwrap();
    terminal.press("0");
    terminal.wait_for_text("gannets");
    terminal.wait_for_text("yours");
    // Overwriting requires confirmation.
    terminal.press("\x1b");
    terminal.wait_for("closed", |screen| (!screen.contains("yours")).then_some(()));
    terminal.press("\r44\rSgannets\r");
    terminal.wait_for_text("is there already");
    assert_eq!(fs::read_to_string(&file).unwrap(), saved);
    terminal.press("\r");
    terminal.wait_for_text("saved as gannets");
    assert!(fs::read_to_string(&file).unwrap().contains("radius = 44"));
    terminal.press("Rq");
    let (_, text) = terminal.end();
    assert!(text.contains("flockscope -p gannets -s 1"), "{text}");

    let mut list = program::flockscope(&["presets"]);
    list.env("XDG_CONFIG_HOME", home.path());
    let listed = program::prints(list);
    assert!(listed.lines().any(|line| line.starts_with("gannets") && line.contains("(yours)")), "{listed}");
    let mut terminal = at_home(home.path(), &["-p", "gannets", "-s", "1"]);
    terminal.wait_for("the rule", |screen| (gauge(screen, "separation", "radius")? == "44 u").then_some(()));
    // After the built-in ones, and before them.
    terminal.press("\t");
    terminal.wait_for_text("2 500 boids");
    terminal.press("\x1b[Z");
    terminal.wait_for_text("60 boids");
}

#[test]
fn a_user_preset_replaces_a_built_in_one_and_an_invalid_one_is_reported() {
    let home = TempDir::new().unwrap();
    let folder = home.path().join("flockscope/presets");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("drones.toml"), "summary = \"mine\"\nboids = 12\nworld = \"400x300\"\n").unwrap();
    fs::write(folder.join("broken.toml"), "boids = no\n").unwrap();
    let mut command = viewer(&["-p", "drones", "-s", "1"]);
    command.env("XDG_CONFIG_HOME", home.path());
    let mut terminal = Terminal::with(140, 40, command);
    terminal.wait_for_text("12 boids");
    terminal.wait_for_text("broken.toml:1:");
    let run = |args: &[&str]| {
        let output = program::flockscope(args).env("XDG_CONFIG_HOME", home.path()).output().unwrap();
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    };
    let listed = run(&["presets"]);
    assert!(listed.contains("yours, replaces the built-in one") && listed.contains("broken.toml:1:"), "{listed}");
    assert!(run(&["presets", "show", "drones"]).contains("mine"));
    assert!(run(&["run", "-p", "broken", "--ticks", "1"]).contains("broken.toml:1:9"));
}

#[test]
fn a_picture_is_saved_without_overwriting() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "3"]);
    // The tick is part of the name; the two pictures must have different ticks.
    terminal.wait_for("ticks", |screen: &str| number_after(screen, "tick ").filter(|tick| *tick > 9));
    terminal.press(" ");
    terminal.wait_for_text("‖ paused");
    terminal.press("s");
    terminal.wait_for_text("screenshot saved as ");
    terminal.press("s");
    terminal.wait_for_text("-2.png");
    let mut names: Vec<String> =
        fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("drones-3-")), "{names:?}");
    assert!(fs::read(home.path().join(&names[0])).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn quitting_waits_for_a_picture_in_progress() {
    for (keys, expected) in [("sq", 1), ("qs", 0)] {
        let home = TempDir::new().unwrap();
        let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "3"]);
        terminal.tick();
        terminal.press(keys);
        let (status, text) = terminal.end();
        let names: Vec<_> =
            fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!((status, names.len()), (0, expected), "{keys}: {names:?}\n{text}");
        for name in names {
            let is_reported = text.contains(&format!("screenshot saved as ./{name}"));
            assert!(name.starts_with("drones-3-") && is_reported, "{keys}: {name}\n{text}");
        }
    }
}

#[test]
fn the_command_of_a_morphed_flock_starts_a_new_one() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(home.path(), &["-p", "drones", "-s", "5", "--set", "morph=3"]);
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 40));
    terminal.press(":preset coderholic\r");
    terminal.wait_for_text("50 boids");
    terminal.wait_for("on its way", |screen| {
        let radius = gauge(screen, "cohesion", "radius")?;
        let radius: f32 = radius.strip_suffix(" u")?.parse().ok()?;
        (radius > 50.0 && radius < 200.0).then_some(())
    });
    terminal.wait_for("there", |screen| (gauge(screen, "cohesion", "radius")? == "200 u").then_some(()));
    // During the morph a message may cover the tick.
    assert!(terminal.tick() > 40, "the flock flies on");
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(
        text.contains("flockscope -p coderholic ") && text.contains("# flies with the same rules again; "),
        "{text}"
    );
}

#[test]
fn without_a_morph_a_new_flock_starts() {
    let home = TempDir::new().unwrap();
    for (args, next) in [(&["-p", "drones", "--set", "morph=0"][..], "3"), (&["-p", "drones"], "4")] {
        let mut terminal = at_home(home.path(), args);
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 100));
        terminal.press(&format!(" {next}"));
        terminal.wait_for("a beginning", |screen| number_after(screen, "tick ").filter(|tick| *tick < 100));
        terminal.press("q");
        assert!(!terminal.end().1.contains("came from another"));
    }
}
