//! Values of flags, and names of saved presets: the flag, a space, and the text.

use std::path::{Component, Path};

use clap::{CommandFactory, FromArgMatches};
use flockscope::commands::args::Cli;
use flockscope::config::{NamedFile, Preset, Theme, WorldSize};
use flockscope::error::InputError;
use flockscope::sim::{Param, Params, Setup, Start, World, Zone};

use super::sentence;

/// The flags whose values are tried.
const FLAGS: [&str; 12] =
    ["set", "zone", "world", "boids", "predators", "seed", "rate", "zoom", "duration", "bandwidth", "marker", "color"];

pub fn body(data: &[u8]) {
    let Ok((door, text)) = std::str::from_utf8(data).map(|data| data.split_once(' ').unwrap_or((data, ""))) else {
        return;
    };
    match door {
        "name" => name(text),
        "set" => set(text),
        "zone" => zone(text),
        "world" => world(text),
        _ => {}
    }
    if FLAGS.contains(&door) {
        flag(door, text);
    }
}

/// A value as the command line takes it, of which a refusal speaks.
fn flag(name: &str, text: &str) {
    thread_local! {
        static COMMAND: std::cell::RefCell<clap::Command> = Cli::command().into();
    }
    let words = ["flockscope".to_owned(), format!("--{name}={text}")];
    match COMMAND.with_borrow_mut(|command| command.try_get_matches_from_mut(words)) {
        Ok(matches) => drop(Cli::from_arg_matches(&matches).unwrap()),
        Err(error) => assert!(error.use_stderr() && !error.to_string().is_empty()),
    }
}

/// What is a name is a plain file's, in a folder that it does not leave.
fn name(text: &str) {
    for checked in [Preset::check_name(text), Theme::check_name(text)] {
        match checked {
            Ok(()) => {
                let parts: Vec<Component> = Path::new(text).components().collect();
                assert!(matches!(parts[..], [Component::Normal(part)] if part == text));
                assert!(text.is_ascii() && !text.contains('.') && !text.starts_with('-'));
            }
            Err(error) => sentence::check(&error),
        }
    }
}

fn set(text: &str) {
    let Some((key, value)) = text.split_once('=') else { return };
    let Some(row) = Param::find(key) else { return };
    let Ok(value) = row.parse(value) else { return };
    assert_eq!(row.parse(&value.to_string()), Ok(value));
    let mut params = Params::default();
    if params.set(key, value).is_ok() {
        assert_eq!(row.get(&params), value);
    }
}

fn zone(text: &str) {
    let Ok(zone) = text.parse::<Zone>() else { return };
    let again: Zone = zone.to_string().parse().expect("written text is valid");
    for world in [World::Rect([300.0, 200.0]), World::Cuboid([300.0, 200.0, 100.0]), World::Sphere(90.0)] {
        assert_eq!(again.check(&world).is_ok(), zone.check(&world).is_ok());
        if zone.check(&world).is_ok() {
            assert_eq!(again, zone);
            assert_eq!(zone.moved_inside(&world).check(&world), Ok(()));
        }
    }
}

fn world(text: &str) {
    match text.parse::<WorldSize>() {
        Ok(size) => {
            assert_eq!(size.to_string().parse::<WorldSize>().unwrap(), size);
            let WorldSize::Fixed(world) = size else { return };
            let setup = Setup {
                params: Params::default(),
                world,
                start: Start::Scatter,
                boids: 3,
                predators: 1,
                seed: 1,
                zones: Vec::new(),
            };
            if let Err(error) = flockscope::sim::Flock::new(&setup) {
                sentence::check(&error.into());
            }
        }
        Err(InputError::Sim(_)) => {}
        Err(error) => panic!("{error}"),
    }
}
