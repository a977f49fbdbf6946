//! Contract: the output of `flockscope bench`, and the selection of the SIMD kind.

use crate::program;

use crate::program::{fails, prints, refuses};
use assert_cmd::Command;
use flockscope::picture::{ColorDepth, View};
use flockscope::sim::Scratch;
use ratatui::layout::Size;
use serde_json::Value;

#[path = "../../benches/screen/mod.rs"]
mod screen;

use screen::{FrameBench, StockTerminal, consecutive_states};

fn flockscope(args: &[&str], simd: &str) -> Command {
    let mut command = program::flockscope(args);
    command.env("FLOCKSCOPE_SIMD", simd);
    command
}

fn lines(args: &[&str], simd: &str) -> Vec<String> {
    prints(flockscope(args, simd)).lines().map(str::to_owned).collect()
}

#[test]
fn json_has_one_object_per_line_and_both_kernels() {
    let lines = lines(&["bench", "--boids", "500", "--neighbors", "10", "--threads", "1", "--json"], "");
    let objects: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0]["simd"], "scalar");
    for object in &objects {
        assert_eq!((object["boids"].as_u64(), object["dim"].as_u64()), (Some(500), Some(2)));
        assert_eq!(object["threads"].as_u64(), Some(1));
        let found = object["neighbors"].as_f64().unwrap();
        assert!((9.0..11.0).contains(&found), "{found} neighbors for 10");
        let (rate, ns) = (object["ticks_per_second"].as_f64().unwrap(), object["ns_per_boid_tick"].as_f64().unwrap());
        assert!((rate * ns * 500.0 / 1e9 - 1.0).abs() < 1e-2, "{rate} ticks a second at {ns} ns a boid");
        let shares = object["stages"].as_object().unwrap();
        assert!(["sort", "sense", "steer", "move"].iter().all(|stage| shares.contains_key(*stage)));
        let sum: f64 = shares.values().map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6, "shares add up to {sum}");
    }
    if cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        assert_eq!(objects.len(), 2);
        assert!(objects[1]["vs_scalar"].as_f64().unwrap() > 0.0);
    }
}

#[test]
fn a_frame_has_fewer_bytes_than_with_the_stock_backend() {
    for size in [(80, 24), (200, 50), (400, 120)].map(Size::from) {
        let [mut flock, _] = consecutive_states(400, size).unwrap();
        for depth in [ColorDepth::Mono, ColorDepth::Colors16, ColorDepth::Colors256, ColorDepth::Truecolor] {
            let mut ours = FrameBench::new(&flock, size, depth, View::Heads).unwrap();
            let mut stock = StockTerminal::new(size, depth).unwrap();
            stock.draw(&flock).unwrap();
            let (mut our_bytes, mut stock_bytes) = (0, 0);
            let mut scratch = Scratch::new();
            for _ in 0..20 {
                flock.step(&mut scratch);
                our_bytes += ours.draw(&flock);
                stock_bytes += stock.draw(&flock).unwrap();
            }
            assert!((1..stock_bytes).contains(&our_bytes), "{size:?} {depth:?}: {our_bytes} of {stock_bytes}");
        }
    }
}

#[test]
fn a_table_of_a_settled_preset_and_of_three_dimensions() {
    for (args, name) in [
        (&["bench", "-p", "drones", "--settle", "20", "-j", "1"][..], "drones+20"),
        (&["bench", "-n", "300", "--dim", "3", "-j", "1"], "uniform-16"),
    ] {
        let lines = lines(args, "scalar");
        assert!(lines[0].contains("ns/boid") && lines[0].contains("neighbors"), "{lines:?}");
        assert_eq!(lines.len(), 2, "the one kind that was asked for");
        assert!(lines[1].starts_with(name) && lines[1].contains("scalar"), "{lines:?}");
    }
}

#[test]
fn every_available_simd_kind_has_the_same_hash() {
    let hash = |simd: &str| lines(&["run", "-s", "7", "-n", "500", "--ticks", "30", "--hash"], simd);
    for kind in flockscope::sim::Simd::available() {
        assert_eq!(hash(kind.name()), hash(""), "{}", kind.name());
    }
}

#[test]
fn an_unavailable_simd_kind_is_an_error() {
    for args in [&["run", "--ticks", "1"][..], &["bench", "-n", "10"]] {
        let error = refuses(flockscope(args, "mmx\u{1b}[31m"), 1);
        assert!(error.lines().count() == 1 && error.contains("FLOCKSCOPE_SIMD"), "{error}");
        assert!(error.contains("scalar") && !error.contains('\u{1b}'), "{error:?}");
    }
}

#[test]
fn invalid_combinations_are_usage_errors() {
    for args in [
        &["bench", "--boids", "0"][..],
        &["bench", "--dim", "4"],
        &["bench", "--neighbors", "0"],
        &["bench", "--settle", "5"],
        &["bench", "-p", "starlings", "--dim", "3"],
        &["bench", "-p", "starlngs"],
    ] {
        fails(args, 2);
    }
}
