//! Contract: changes can be taken back, rules and pictures kept, and one preset becomes another.

use std::fs;

use crate::program;
use crate::terminal::{Terminal, gauge, number_after, viewer};
use flockscope::config::Preset;
use flockscope::sim::Flock;
use tempfile::TempDir;

/// The viewer, in a folder of its own, with settings of its own.
fn at_home(home: &TempDir, args: &[&str]) -> Terminal {
    let mut command = viewer(args);
    command.env("XDG_CONFIG_HOME", home.path());
    command.cwd(home.path());
    let mut terminal = Terminal::with(120, 40, command);
    terminal.wait_for_text("▶ flying");
    terminal
}

#[test]
fn changes_of_the_rules_are_undone_and_redone() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(&home, &["-p", "drones", "-s", "1"]);
    terminal.press("u");
    terminal.wait_for_text("there is nothing to undo");
    // A run of presses is one step, a typed value another.
    terminal.press("j\x1b[C\x1b[C\x1b[C");
    terminal.wait_for("more", |screen| (gauge(screen, "separation", "weight")? == "0.00115").then_some(()));
    terminal.press("k\r77\r");
    terminal.wait_for("more", |screen| (gauge(screen, "separation", "radius")? == "77 u").then_some(()));
    terminal.press("u");
    terminal.wait_for_text("separation.radius back to 20");
    terminal.press("u");
    terminal.wait_for_text("separation.weight back to 0.001");
    terminal.press("\x12");
    terminal.wait_for_text("separation.weight again 0.00115");
    terminal.press("\x12\x12");
    terminal.wait_for_text("there is nothing to redo");
    // All rules at once are one step too.
    terminal.press("\x1b[3~");
    terminal.wait_for_text("the rules of drones again");
    terminal.press("u");
    terminal.wait_for_text("2 rules as they were");
    terminal.wait_for("both", |screen| (gauge(screen, "separation", "radius")? == "77 u").then_some(()));
    terminal.press("w");
    terminal.wait_for_text("a breeze to the right, wind.x = 0.075");
    terminal.press("u");
    terminal.wait_for_text("back to 0");
}

#[test]
fn rules_are_saved_listed_and_flown_again() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(&home, &["-p", "drones", "-s", "1", "-n", "60"]);
    terminal.press("\r33\rS");
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
    // Another one of that name goes only after asking.
    terminal.press("\x1b");
    terminal.wait_for("closed", |screen| (!screen.contains("yours")).then_some(()));
    terminal.press("\r44\rSgannets\r");
    terminal.wait_for_text("is there already");
    assert_eq!(fs::read_to_string(&file).unwrap(), saved);
    terminal.press("\r");
    terminal.wait_for_text("saved as gannets");
    assert!(fs::read_to_string(&file).unwrap().contains("radius = 44"));
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(text.contains("flockscope -p gannets -s 1"), "{text}");

    let mut list = program::flockscope(&["presets"]);
    list.env("XDG_CONFIG_HOME", home.path());
    let listed = program::prints(list);
    assert!(listed.lines().any(|line| line.starts_with("gannets") && line.contains("(yours)")), "{listed}");
    let mut terminal = at_home(&home, &["-p", "gannets", "-s", "1"]);
    terminal.wait_for("the rule", |screen| (gauge(screen, "separation", "radius")? == "44 u").then_some(()));
    // Behind the built-in ones, and before them.
    terminal.press("\t");
    terminal.wait_for_text("2 200 boids");
    terminal.press("\x1b[Z");
    terminal.wait_for_text("60 boids");
}

#[test]
fn ones_own_preset_stands_in_for_a_built_in_one_and_a_broken_one_is_told() {
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
    assert!(listed.contains("yours, instead of the built-in one") && listed.contains("broken.toml:1:"), "{listed}");
    assert!(run(&["presets", "show", "drones"]).contains("mine"));
    assert!(run(&["run", "-p", "broken", "--ticks", "1"]).contains("broken.toml:1:9"));
}

#[test]
fn a_picture_is_kept_and_no_other_is_lost() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(&home, &["-p", "drones", "-s", "3"]);
    // The tick is in the name: that of the first picture is not to end as the second one's will.
    terminal.wait_for("ticks", |screen: &str| number_after(screen, "tick ").filter(|tick| *tick > 9));
    terminal.press(" ");
    terminal.wait_for_text("‖ paused");
    terminal.press("s");
    terminal.wait_for_text("a picture, in ");
    terminal.press("s");
    terminal.wait_for_text("-2.png");
    let mut names: Vec<String> =
        fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("drones-3-")), "{names:?}");
    assert!(fs::read(home.path().join(&names[0])).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn who_leaves_while_a_picture_is_taken_gets_it_and_who_leaves_first_none() {
    for (keys, expected) in [("sq", 1), ("qs", 0)] {
        let home = TempDir::new().unwrap();
        let mut terminal = at_home(&home, &["-p", "drones", "-s", "3"]);
        terminal.tick();
        terminal.press(keys);
        let (status, text) = terminal.end();
        let names: Vec<_> =
            fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert_eq!((status, names.len()), (0, expected), "{keys}: {names:?}\n{text}");
        let told = |name: &String| text.contains(&format!("a picture, in ./{name}"));
        assert!(names.iter().all(|name| name.starts_with("drones-3-") && told(name)), "{keys}: {names:?}\n{text}");
    }
}

#[test]
fn a_preset_becomes_another_and_the_command_owns_to_it() {
    let home = TempDir::new().unwrap();
    let mut terminal = at_home(&home, &["-p", "drones", "-s", "5", "--set", "morph=3"]);
    let later = |screen: &str| number_after(screen, "tick ").filter(|tick| *tick > 40);
    terminal.wait_for("ticks", later);
    terminal.press(":preset coderholic\r");
    terminal.wait_for_text("50 boids");
    assert!(terminal.tick() > 40, "the flock flies on");
    terminal.wait_for("on its way", |screen| {
        let radius = gauge(screen, "cohesion", "radius")?;
        let radius: f32 = radius.strip_suffix(" u")?.parse().ok()?;
        (radius > 50.0 && radius < 200.0).then_some(())
    });
    terminal.wait_for("there", |screen| (gauge(screen, "cohesion", "radius")? == "200 u").then_some(()));
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(text.contains("-p coderholic -s 5 --set morph=3"), "{text}");
    assert!(text.contains("# this flock came from another preset"), "{text}");
}

#[test]
fn without_a_morph_and_into_another_dimension_it_begins_anew() {
    let home = TempDir::new().unwrap();
    for (args, next) in [(&["-p", "drones", "--set", "morph=0"][..], "3"), (&["-p", "drones"], "4")] {
        let mut terminal = at_home(&home, args);
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 100));
        terminal.press(&format!(" {next}"));
        terminal.wait_for("a beginning", |screen| number_after(screen, "tick ").filter(|tick| *tick < 100));
        terminal.press("q");
        assert!(!terminal.end().1.contains("came from another"));
    }
}
