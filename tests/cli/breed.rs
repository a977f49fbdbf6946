//! Contract: `breed` comes nearer to the given measures, says how, and writes a preset that flies, the same on any number of threads; it
//! refuses what it cannot breed.

use std::fs;

use flockscope::config::Preset;
use tempfile::TempDir;

use crate::program::{fails, says};

const BREED: [&str; 11] =
    ["breed", "-p", "drones", "-n", "12", "-s", "7", "--generations", "2", "--toward", "polarization=0.2,rotation=0.5"];

#[test]
fn the_line_of_descent_ends_in_a_preset_that_flies() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let breed = |threads: &str, name: &str| says(&[&BREED[..], &["-j", threads, "-o", &path(name)]].concat());
    fs::write(path("bred.toml"), "boids = 9\n").unwrap();
    let error = fails(&[&BREED[..], &["-o", &path("bred.toml")]].concat(), 1);
    assert!(error.contains("bred.toml: the file exists, and flockscope did not write it"), "{error}");
    assert_eq!(fs::read_to_string(path("bred.toml")).unwrap(), "boids = 9\n");
    // One that it wrote is replaced.
    fs::write(path("bred.toml"), "source = \"flockscope breed -p drones\"\n").unwrap();
    let (table, other) = (breed("1", "bred.toml"), breed("2", "other.toml"));
    assert_eq!(table, other);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("generation  changes"), "{table}");
    assert!(lines[0].ends_with("polarization  rotation  distance"), "{table}");
    assert!(lines[1].starts_with("0           -"), "{table}");
    let preset = Preset::load(&path("bred.toml")).unwrap();
    assert_eq!(preset.params, Preset::load(&path("other.toml")).unwrap().params);
    assert_ne!(preset.params, Preset::load("drones").unwrap().params);
    assert_eq!(preset.boids, 12);
    let metadata = fs::read_to_string(path("bred.toml.json")).unwrap();
    assert!(metadata.contains("\"breed\"") && metadata.contains("\"seed\": 7"), "{metadata}");
    assert!(says(&["run", "-p", &path("bred.toml"), "-s", "1", "--ticks", "10", "--hash"]).starts_with("hash 10 "));
}

#[test]
fn a_preset_on_standard_output_is_alone_there() {
    let args =
        ["breed", "-p", "vicsek", "-n", "9", "-s", "7", "--generations", "1", "--toward", "polarization=1", "-o", "-"];
    let preset = Preset::from_text("bred", &says(&args)).unwrap();
    assert_eq!(preset.summary, "bred from vicsek toward polarization 1");
}

#[test]
fn what_cannot_be_bred_is_refused() {
    for (args, text) in [
        (&[][..], "--toward"),
        (&["--toward", "polarisation=1"], "unknown measure `polarisation`; did you mean `polarization`?"),
        (&["--toward", "zzz=1"], "`flockscope breed --help` lists them"),
        (&["--toward", "rotation"], "expected MEASURE=VALUE, e.g. rotation=0.8"),
        (&["--toward", "rotation=2"], "expected a number from 0 to 1 for rotation"),
        (&["--toward", "flocks=-1"], "expected a number of at least 0 for flocks"),
        (&["--toward", "rotation=1,rotation=0"], "rotation is given twice"),
        (&["--toward", "rotation=1", "-o", "a.csv"], "a preset file ends in .toml"),
        (&["--toward", "rotation=1", "--input", "a.csv"], "`breed` starts its flocks itself"),
        (&["--toward", "rotation=1", "--generations", "0"], "expected a whole number from 1"),
    ] {
        let error = fails(&[&["breed", "-p", "drones", "-s", "1"], args].concat(), 2);
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn pictures_and_clips_show_a_flock_and_its_children() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let flock = ["-p", "drones", "-n", "60", "-s", "3", "--ticks", "40", "--breed", "--size", "75x19"];
    let draw = |threads: &str, name: &str| {
        says(&[&["shot"][..], &flock, &["-j", threads, "-o", &path(name)]].concat());
        fs::read_to_string(path(name)).unwrap()
    };
    let picture = draw("1", "one.txt");
    assert_eq!(picture, draw("2", "two.txt"));
    let captions: Vec<&str> = picture.lines().skip(4).step_by(6).collect();
    assert!(captions[1].contains(" yours "), "{picture}");
    assert!(
        captions.iter().all(|line| line.split("   ").filter(|part| !part.trim().is_empty()).count() == 3),
        "{picture}"
    );
    says(&[&["record"][..], &flock, &["--duration", "1s", "-o", &path("clip.cast")]].concat());
    assert!(fs::read_to_string(path("clip.cast")).unwrap().contains("yours"));
    fails(&["shot", "--breed", "--say", "hi", "-o", &path("three.txt")], 2);
}
