//! Contract: `--zone` and `[[zone]]` add zones, pictures show them, and invalid ones are
//! rejected in one sentence.

use crate::program;

use std::process::Output;

fn flockscope(args: &[&str]) -> Output {
    program::flockscope(args).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A picture in plain characters.
fn picture(more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("flock.txt");
    let file = file.to_str().unwrap();
    let args = ["shot", "-o", file, "-s", "7", "-n", "20", "--world", "300x200", "--ticks", "5", "-m", "ascii"];
    let preset = if more.contains(&"-p") { &[][..] } else { &["-p", "starlings"] };
    let output = flockscope(&[&args[..], preset, more].concat());
    assert!(output.status.success(), "{}", said(&output));
    std::fs::read_to_string(file).unwrap()
}

#[test]
fn a_picture_shows_zones() {
    let counts = |picture: &str| ['%', ',', '~'].map(|sign| picture.matches(sign).count());
    assert_eq!(counts(&picture(&[])), [0; 3]);
    let all = picture(&["--zone", "obstacle:60,60:30", "--zone", "food:150,100:30", "--zone", "roost:240,140:30"]);
    assert!(counts(&all).iter().all(|count| *count > 10), "{all}");
}

#[test]
fn a_flag_replaces_the_zones_of_a_preset() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pillar.toml");
    let text = "world = \"300x200\"\n\n[[zone]]\nkind = \"obstacle\"\nat = [0.5, 0.5]\nradius = 40\n";
    std::fs::write(&file, text).unwrap();
    let preset = ["-p", file.to_str().unwrap()];
    assert!(picture(&preset).contains('%'));
    assert!(!picture(&[&preset[..], &["--zone", "none"]].concat()).contains('%'));
    let other = picture(&[&preset[..], &["--zone", "food:50,50:20"]].concat());
    assert!(!other.contains('%') && other.contains(','), "{other}");
}

#[test]
fn invalid_zones_are_rejected() {
    for (zones, why) in [
        (&["tree:1,2:3"][..], "invalid zone"),
        (&["food:10,10:20"], "not completely inside the world 300x200"),
        (&["obstacle:150,100:99"], "more than a quarter"),
        (&["obstacle:100,100:20", "obstacle:142,100:20"], "obstacle.clearance"),
    ] {
        let flags: Vec<&str> = zones.iter().flat_map(|zone| ["--zone", zone]).collect();
        let output =
            flockscope(&[&["run", "-p", "starlings", "--ticks", "1", "--world", "300x200"][..], &flags].concat());
        let said = said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why) && !said.contains("backtrace"), "{said}");
    }
}

#[test]
fn a_run_with_zones_is_deterministic() {
    let hash = |threads: &str| {
        // Enough boids for several threads.
        let flock = ["-n", "4500", "--world", "720x460"];
        let args =
            [&["run", "-p", "starlings", "-s", "7", "--ticks", "30", "--hash", "-j", threads][..], &flock].concat();
        let zones = ["--zone", "obstacle:100,100:40", "--zone", "food:250,160:30", "--set", "wind.gust=0.1"];
        let output = flockscope(&[&args[..], &zones].concat());
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(hash("1"), hash("2"));
}
