//! Contract: the help fits its screen, lists every option, contains only valid examples, and unknown words
//! get a suggestion.

use crate::program::{flockscope, prints, refuses};
use clap::{CommandFactory, Parser};
use flockscope::commands::args::Cli;
use flockscope::sim::Simd;

fn says(args: &[&str], columns: &str) -> String {
    let mut command = flockscope(args);
    command.env("COLUMNS", columns);
    prints(command)
}

/// The error of an invalid command line.
fn fails(args: &[&str]) -> String {
    // An invalid command line may still name a log.
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = flockscope(args);
    command.current_dir(folder.path());
    refuses(command, 2)
}

#[test]
fn the_short_help_is_one_screen() {
    let help = says(&["-h"], "80");
    assert!(help.lines().count() <= 42, "{} lines:\n{help}", help.lines().count());
    for command in
        ["", "run", "sweep", "fit", "breed", "shot", "record", "replay", "bench", "presets", "completions", "man"]
    {
        let args: Vec<&str> = [command, "-h"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = says(&args, "80");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{command}:\n{help}");
        assert!(help.lines().count() <= 42, "{command}:\n{help}");
    }
    for heading in ["Flock:", "Picture:", "Viewer:", "Program:"] {
        assert!(help.lines().any(|line| line == heading), "{heading}");
    }
}

#[test]
fn the_long_help_lists_every_option() {
    for columns in ["60", "100"] {
        let help = says(&["--help"], columns);
        for arg in Cli::command().get_arguments() {
            let long = format!("--{}", arg.get_long().unwrap());
            assert!(help.contains(&long), "{long}");
        }
        // A single word is not broken.
        let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= columns.parse().unwrap(), "{longest} of {columns}");
    }
}

#[test]
fn the_last_paragraph_is_filled() {
    for columns in [60, 80, 100] {
        let help = says(&["--help"], &columns.to_string());
        let paragraph = help.trim_end().rsplit("\n\n").next().unwrap();
        let lines: Vec<&str> = paragraph.lines().collect();
        assert!(lines.len() > 1, "{paragraph}");
        for pair in lines.windows(2) {
            // The words in backticks are broken as well.
            let next = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() + 1 + next.len() >= columns, "{columns}:\n{paragraph}");
        }
    }
}

#[test]
fn examples_work() {
    let mut tried = 0;
    for command in [
        &["--help"][..],
        &["run", "--help"],
        &["sweep", "--help"],
        &["shot", "--help"],
        &["record", "--help"],
        &["completions", "--help"],
        &["man", "--help"],
    ] {
        let help = says(command, "200");
        for line in help.lines().filter(|line| line.starts_with("  flockscope")) {
            let words = line.split_whitespace().take_while(|word| !matches!(*word, "|" | ">" | ">>"));
            // As a shell passes them.
            let parsed = Cli::try_parse_from(words.map(|word| word.trim_matches('\'')));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            tried += 1;
        }
    }
    assert!(tried >= 20, "{tried}");
}

#[test]
fn unknown_words_get_a_suggestion_and_a_pointer_to_help() {
    for (args, right) in [
        (&["rnu"][..], "'run'"),
        (&["presest"], "'presets'"),
        (&["presets", "sohw"], "'show'"),
        (&["sparrows"], "--preset sparrows"),
        (&["-p", "drones", "run"], "flockscope run …"),
        (&["--log-file", "a.log", "run"], "flockscope run …"),
        (&["run", "--tikcs", "3"], "--ticks"),
        (&["run", "--theme", "dusk"], "flockscope --theme"),
        (&["--marker", "brail"], "'braille'"),
        (&["--marker"], "octant"),
        (&["--view", "heatt"], "'heat'"),
        (&["--color", "truecolr"], "'truecolor'"),
        (&["completions", "zhs"], "zsh"),
        (&["completions"], "<SHELL>"),
        (&["man", "confg"], "'config'"),
        (&["--log-file", "a.log", "--log-level", "wran"], "'warn'"),
        (&["--log-level", "debug"], "--log-file"),
    ] {
        let said = fails(args);
        assert!(said.contains(right), "{args:?}: {said}");
        assert_eq!(said.matches("--help").count(), 1, "{args:?}: {said}");
    }
}

#[test]
fn the_version_names_commit_and_target() {
    assert_eq!(says(&["-V"], "80"), format!("flockscope {}\n", env!("CARGO_PKG_VERSION")));
    let version = says(&["--version"], "80");
    assert!(version.starts_with(&format!("flockscope {}", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(version.contains(std::env::consts::ARCH), "{version}");
    for kind in Simd::available() {
        assert!(version.contains(kind.name()), "{version}");
    }
    let forced = |simd: &str| {
        let mut command = flockscope(&["--version"]);
        command.env("FLOCKSCOPE_SIMD", simd);
        prints(command)
    };
    assert!(forced("scalar").contains("using scalar"));
    assert!(!forced("mmx\x1b").contains('\x1b'), "{:?}", forced("mmx\x1b"));
}
