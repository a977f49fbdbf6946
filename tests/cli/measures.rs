//! Contract: `run --measure`, `--warmup` and `--summary`.

use std::fs;

use flockscope::sim::{Curve, Measure};

use crate::program::{fails, flockscope, prints, says};

const RUN: &[&str] = &["run", "-p", "sparrows", "-s", "4", "-n", "40"];

fn run(args: &[&str]) -> String {
    says(&[RUN, args].concat())
}

#[test]
fn measures_choose_columns_in_their_order() {
    let header =
        |args: &[&str]| run(&[&["--ticks", "0", "--measures", "-"], args].concat()).lines().next().unwrap().to_owned();
    assert_eq!(
        header(&[]),
        "tick,polarization,rotation,mean_speed,speed_deviation,nearest_neighbor,neighbors,flocks,largest_flock,predators,\
         hunting,prey_in_sight,resting,caught"
    );
    assert_eq!(header(&["--measure", "rotation,correlation_length,rotation"]), "tick,rotation,correlation_length");
    let of_tick = Measure::table().iter().filter(|measure| !measure.is_per_run()).map(|measure| measure.name);
    assert_eq!(header(&["--measure", "all"]), ["tick"].into_iter().chain(of_tick).collect::<Vec<_>>().join(","));
}

#[test]
fn nothing_is_written_during_the_warmup() {
    let all = run(&["--ticks", "30", "--measures", "-", "--measure", "polarization,flocks"]);
    let late = run(&["--warmup", "20", "--ticks", "10", "--measures", "-", "--measure", "polarization,flocks"]);
    let (header, rows) = late.split_once('\n').unwrap();
    assert!(all.starts_with(header) && all.ends_with(rows) && rows.starts_with("20,"), "{late}");
    let states = run(&["--warmup", "20", "--ticks", "10", "--every", "7", "-o", "-"]);
    let ticks: Vec<&str> =
        states.lines().filter_map(|line| line.split_once(",0,prey,").map(|(tick, _)| tick)).collect();
    assert_eq!(ticks, ["20", "27", "30"]);
    assert_eq!(run(&["--warmup", "20", "--ticks", "10", "--hash"]), run(&["--ticks", "30", "--hash"]));
}

#[test]
fn measures_are_taken_every_k_ticks_and_at_the_end() {
    let ticks = |options: &[&str]| -> Vec<u64> {
        let rows = run(&[&["--ticks", "10", "--measures", "-", "--measure", "polarization"], options].concat());
        rows.lines().skip(1).map(|row| row.split(',').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(ticks(&["--every", "4"]), [0, 4, 8, 10]);
    assert_eq!(ticks(&["--measure-every", "6"]), [0, 6, 10]);
    assert_eq!(ticks(&["--every", "4", "--measure-every", "5"]), [0, 5, 10]);
    assert_eq!(ticks(&[]), (0..=10).collect::<Vec<_>>());
}

#[test]
fn the_summary_covers_the_rows_of_the_file() {
    let options = ["--warmup", "30", "--ticks", "200", "--measure", "polarization,binder_cumulant,largest_flock"];
    let rows = run(&[&options[..], &["--measures", "-"]].concat());
    let values: Vec<f64> = rows.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let summary = run(&[&options[..], &["--summary"]].concat());
    let table: Vec<Vec<&str>> = summary.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(table[0], ["measure", "mean", "standard_error", "variance", "tau", "min", "max", "unit"]);
    assert_eq!(
        table[1..].iter().map(|row| row[0]).collect::<Vec<_>>(),
        ["polarization", "binder_cumulant", "largest_flock"]
    );
    let number = |row: usize, column: usize| table[row][column].parse::<f64>().unwrap();
    let close = |found: f64, expected: f64| assert!((found - expected).abs() < 2e-6, "{found} and not {expected}");
    assert_eq!(values.len(), 201);
    close(number(1, 1), values.iter().sum::<f64>() / 201.0);
    close(number(1, 5), values.iter().copied().fold(1.0, f64::min));
    close(number(1, 6), values.iter().copied().fold(0.0, f64::max));
    let moment = |power| values.iter().map(|value| value.powi(power)).sum::<f64>() / 201.0;
    close(number(1, 3), moment(2) - moment(1).powi(2));
    let error = (2.0 * number(1, 4) * number(1, 3) / 200.0).sqrt();
    assert!((number(1, 2) / error - 1.0).abs() < 0.01, "{summary}");
    close(number(2, 1), 1.0 - moment(4) / (3.0 * moment(2).powi(2)));
    assert_eq!(table[2][2..], ["-"; 5]);
    assert_eq!(table[3][7], "boids");
}

#[test]
fn the_summary_has_rows_of_the_hunt_only_with_predators_or_by_name() {
    let rows = |args: &[&str]| run(&[&["--ticks", "5", "--summary"], args].concat());
    assert!(rows(&[]).contains("\npredators ") && rows(&[]).contains("\ncaught "));
    let without = rows(&["--predators", "0"]);
    assert!(without.contains("\nlargest_flock ") && !without.contains("predators") && !without.contains("caught"));
    assert!(rows(&["--predators", "0", "--measure", "caught"]).contains("\ncaught "));
}

#[test]
fn with_rows_on_standard_output_the_summary_goes_to_standard_error() {
    let args = ["--ticks", "50", "--measures", "-", "--measure", "mean_speed", "--summary", "--hash"];
    let output = flockscope(&[RUN, &args].concat()).output().unwrap();
    let (rows, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(rows.starts_with("tick,mean_speed\n") && rows.lines().count() == 52, "{rows}");
    assert!(said.starts_with("measure ") && said.contains("hash 50 "), "{said}");
}

#[test]
fn too_few_ticks_for_an_error_are_reported() {
    let args = ["--ticks", "5", "--measure", "mean_speed", "--summary"];
    let said = String::from_utf8(flockscope(&[RUN, &args].concat()).output().unwrap().stderr).unwrap();
    assert_eq!(said, "too few ticks: the standard error is only a lower bound for mean_speed\n");
}

#[test]
fn invalid_measures_are_refused() {
    for (args, right) in [
        (
            &["--measure", "polarisation", "--summary"][..],
            "unknown measure `polarisation`; did you mean `polarization`?",
        ),
        (
            &["--measure", "rotation,zzz", "--summary"],
            "unknown measure `zzz`; `flockscope run --help` and `flockscope sweep --help` list them",
        ),
        (
            &["--measure", "", "--summary"],
            "unknown measure ``; `flockscope run --help` and `flockscope sweep --help` list them",
        ),
        (&["--measure", "rotation"], "add --measures FILE or --summary"),
        (&["--measure", "binder_cumulant", "--measures", "x.csv"], "add --summary"),
        (&["--warmup", "-3"], "whole number from 0"),
        (&["--group-radius", "-3"], "a number from 0"),
        (&["--curve", "flock_sizes"], "expected NAME=FILE"),
        (&["--curve", "flock_size=a"], "unknown curve `flock_size`; did you mean `flock_sizes`?"),
        (&["--curve", "flock_sizes=a.png"], "the format is CSV"),
        (&["--curve", "flock_sizes=a.csv", "--measures", "a.csv"], "need different files"),
    ] {
        let error = fails(&[&["run", "--ticks", "1"], args].concat(), 2);
        assert!(error.contains(right) && error.lines().next().unwrap().len() < 120, "{args:?}: {error}");
    }
}

#[test]
fn help_and_manual_list_every_measure() {
    let mut command = flockscope(&["run", "--help"]);
    command.env("COLUMNS", "200");
    let (help, manual) = (prints(command), says(&["man", "run"]));
    for measure in Measure::table() {
        assert!(help.contains(&format!("  {}", measure.name)) && help.contains(measure.summary), "{}", measure.name);
        assert!(manual.contains(measure.name), "{}", measure.name);
    }
    for curve in Curve::table() {
        assert!(
            help.contains(curve.name) && help.contains(curve.summary) && manual.contains(curve.name),
            "{}",
            curve.name
        );
    }
}

#[test]
fn a_curve_averages_the_measured_ticks() {
    let sizes = |args: &[&str]| -> Vec<(f64, f64)> {
        let rows = run(&[&["--curve", "flock_sizes=-"], args].concat());
        assert_eq!(rows.lines().next(), Some("size,flocks"));
        let rows = rows.lines().skip(1).map(|row| row.split_once(',').unwrap());
        rows.map(|(size, flocks)| (size.parse().unwrap(), flocks.parse().unwrap())).collect()
    };
    let number = |rows: &[(f64, f64)]| rows.iter().map(|(_, flocks)| flocks).sum::<f64>();
    let (first, second) = (sizes(&["--warmup", "20", "--ticks", "0"]), sizes(&["--warmup", "23", "--ticks", "0"]));
    let both = sizes(&["--warmup", "20", "--ticks", "3", "--measure-every", "3"]);
    assert!((2.0 * number(&both) - number(&first) - number(&second)).abs() < 1e-4, "{both:?}");
    assert!((both.iter().map(|(size, flocks)| size * flocks).sum::<f64>() - 40.0).abs() < 1e-3);
    assert_eq!(sizes(&["--ticks", "3", "--group-radius", "inf"]), [(40.0, 1.0)]);
}

#[test]
fn several_curves_and_measures_go_to_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let curves = Curve::table().iter().map(|curve| format!("{}={}", curve.name, path(curve.name)));
    let curves: Vec<String> = curves.flat_map(|curve| ["--curve".to_owned(), curve]).collect();
    let measures = path("measures.csv");
    let args: Vec<&str> = curves.iter().map(String::as_str).chain(["--measures", &measures, "--ticks", "30"]).collect();
    assert_eq!(run(&args), "");
    for curve in Curve::table() {
        let text = fs::read_to_string(path(curve.name)).unwrap();
        let columns = curve.columns.len();
        assert!(text.lines().count() > 1 && text.lines().all(|line| line.split(',').count() == columns), "{text}");
        let metadata = fs::read_to_string(path(&format!("{}.json", curve.name))).unwrap();
        let metadata: serde_json::Value = serde_json::from_str(&metadata).unwrap();
        assert_eq!(metadata["columns"][0]["name"], curve.columns[0].name, "{metadata}");
    }
    assert_eq!(fs::read_to_string(measures).unwrap().lines().count(), 32);
}
