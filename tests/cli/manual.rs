//! Contract: the manual contains every command, option, key and parameter, agrees with the help, and
//! renders without warnings.

use crate::{program, tools};

use std::io::Write;
use std::process::{Command, Output, Stdio};

use clap::CommandFactory;
use flockscope::commands::args::{Cli, MAN_PAGES};
use flockscope::commands::man::page;
use flockscope::sim::Param;
use flockscope::viewer::Action;

/// A page's text without escaped dashes.
fn text(name: &str) -> String {
    page(name).replace(r"\-", "-")
}

#[test]
fn the_command_prints_every_page() {
    let prints = |args: &[&str]| {
        let output = program::flockscope(args).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(prints(&["man"]), page("flockscope"));
    for name in MAN_PAGES {
        assert_eq!(prints(&["man", name]), page(name), "{name}");
    }
}

#[test]
fn the_program_pages_are_complete() {
    let main = text("flockscope");
    let mut root = Cli::command();
    root.build();
    for command in root.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = command.get_name();
        assert!(main.contains(&format!("flockscope-{name}(1)")), "{name}");
        let page = text(name);
        assert!(page.contains(&format!(".TH flockscope-{name} 1")), "{name}");
        let options = page.split("\n.SH DESCRIPTION\n").nth(1).unwrap();
        for long in command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(|arg| arg.get_long()) {
            assert!(options.contains(&format!(r"\fB--{long}\fR")), "--{long} of {name}");
        }
    }
    let options = main.split("\n.SH DESCRIPTION\n").nth(1).unwrap().split("\n.SH KEYS\n").next().unwrap();
    for arg in root.get_arguments() {
        assert!(options.contains(&format!(r"\fB--{}\fR", arg.get_long().unwrap())), "{arg}");
    }
    for param in Param::table() {
        assert!(main.contains(&format!(r"\fB{}\fR = {}", param.key, param.default())), "{}", param.key);
    }
    for action in Action::ALL {
        assert!(main.contains(&format!("   {}\n", action.id())), "{}", action.id());
    }
    for heading in ["FILES", "ENVIRONMENT", "\"EXIT STATUS\"", "EXAMPLES"] {
        assert!(main.contains(&format!("\n.SH {heading}\n")), "{heading}");
    }
}

#[test]
fn the_config_page_has_every_key() {
    let page = text("config");
    for key in ["theme", "fps", "no-intro", "boids"] {
        assert!(page.contains(&format!("\n\\fB{key}\\fR = ")), "{key}");
    }
    let options = page.split("\n.SH OPTIONS\n").nth(1).unwrap().split("\n.SH ").next().unwrap();
    assert!(options.contains("fBfps"));
    for key in ["help", "version", "set", "config", "input", "log-file"] {
        assert!(!options.contains(&format!("\n\\fB{key}\\fR = ")), "{key}");
    }
    for row in Param::table() {
        assert!(page.contains(&format!("\n\\fB{}\\fR = ", row.key)), "{}", row.key);
    }
    for action in Action::ALL {
        assert!(page.contains(&format!("\n\\fB{}\\fR = [", action.id())), "{}", action.id());
    }
}

/// Pipes a page to a program; `None` if it is not installed.
fn piped(program: &str, args: &[&str], page: &str) -> Option<Output> {
    if !tools::has("sh", &["-c", &format!("command -v {program}")]) {
        return None;
    }
    let pipes = Command::new(program)
        .args(args)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = pipes.unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let page = page.to_owned();
    let writer = std::thread::spawn(move || pipe.write_all(page.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    Some(output)
}

#[test]
fn manual_renderers_report_no_warning() {
    for name in MAN_PAGES {
        let source = page(name);
        if let Some(output) = piped("groff", &["-k", "-man", "-Tutf8", "-ww", "-z"], &source) {
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success() && said.is_empty(), "groff, {name}: {said}");
        }
        if let Some(output) = piped("mandoc", &["-T", "lint", "-W", "warning"], &source) {
            let said = String::from_utf8(output.stdout).unwrap();
            // A development build has no date.
            let complaints: Vec<&str> = said.lines().filter(|line| !line.contains("missing date")).collect();
            assert!(complaints.is_empty(), "mandoc, {name}: {complaints:#?}");
        }
    }
}

#[test]
fn a_page_renders_as_intended() {
    let Some(output) = piped("groff", &["-k", "-man", "-Tutf8", "-P-cbou"], &page("flockscope")) else { return };
    let shown = String::from_utf8(output.stdout).unwrap();
    for text in ["flockscope(1)", "--log-file <FILE>", "↑, k", r"\, Ctrl-Home", "separation.weight = 0.1 (0 to 100)"]
    {
        assert!(shown.contains(text), "{text}");
    }
}
