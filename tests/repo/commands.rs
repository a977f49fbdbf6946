//! Documents: every command of the README and of the pages in `docs/` runs, and every output that they show is the program's.
//!
//! The commands are those of `sh` blocks. All of a document run in one folder, one after the other. The outputs are `text`
//! blocks below a comment: `<!-- output -->` for that of the block before, `<!-- output: COMMAND -->` for that of another
//! command. With `INSTA_UPDATE=always` the test writes them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::documents::{is_update, pages, root};
use crate::program::{clean_command, path};
use crate::terminal::{self, Terminal, number_after};

/// Programs that may be missing. Of a line with one of them, only what is piped into it runs.
const OTHER_PROGRAMS: [&str; 9] =
    ["asciinema", "cargo", "fastfetch", "ffmpeg", "git", "less", "parallel", "ssh", "tmux"];
/// Options whose value is a number of ticks, of which a hundredth is enough.
const TICKS: [&str; 7] = ["--ticks", "--warmup", "--hold", "--settle", "--at", "--from", "--to"];
/// Ticks that a viewer simulates: more than any shortened command reads of its session.
const VIEWER_TICKS: u64 = 20;

#[test]
fn every_command_runs_and_every_output_is_the_programs() {
    let mut documents = pages();
    documents.push(root().join("README.md"));
    thread::scope(|scope| {
        for document in &documents {
            scope.spawn(|| check(document));
        }
    });
}

/// Runs the commands of a document, and compares or replaces its outputs.
fn check(document: &Path) {
    let name = document.file_name().unwrap().to_str().unwrap();
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("docs/trajectories")).unwrap();
    for copy in ["fish.csv", "docs/trajectories/fish.csv"] {
        fs::copy(root().join("docs/trajectories/fish.csv"), folder.path().join(copy)).unwrap();
    }
    // Viewers without the title animation.
    fs::create_dir_all(folder.path().join(".config/flockscope")).unwrap();
    fs::write(folder.path().join(".config/flockscope/config.toml"), "no-intro = true\n").unwrap();
    let text = fs::read_to_string(document).unwrap();
    // Prose and blocks in turn.
    let mut parts: Vec<String> = text.split("```").map(str::to_owned).collect();
    let mut last = String::new();
    for index in (1..parts.len()).step_by(2) {
        let (language, code) = parts[index].split_once('\n').unwrap();
        match language {
            "sh" => {
                let is_shown = parts[index + 1].trim() == "<!-- output -->";
                let line = |line: &str| if is_shown { line.to_owned() } else { shorten(line) };
                let lines = code.replace("\\\n", "");
                last = lines.lines().map(line).map(|line| run(name, &line, folder.path())).collect();
            }
            "text" => {
                let marker = parts[index - 1].trim_end().rsplit_once("<!-- output").map(|(_, marker)| marker);
                let marker = marker.and_then(|marker| marker.strip_suffix(" -->"));
                let marker = marker.unwrap_or_else(|| panic!("{name}: no command makes the output\n{code}"));
                let output = match marker.strip_prefix(": ") {
                    Some(command) => run(name, command, folder.path()),
                    None => last.clone(),
                };
                if is_update() {
                    parts[index] = format!("text\n{output}");
                } else {
                    assert!(output == code, "{name} shows\n{code}\nbut the program prints\n{output}");
                }
            }
            _ => {}
        }
    }
    let new = parts.join("```");
    if new != text {
        fs::write(document, new).unwrap();
    }
}

/// The line with fewer ticks, values and boids, and without what it pipes into other programs.
fn shorten(line: &str) -> String {
    let programs = line.split(" | ").take_while(|stage| {
        let program = stage.split_whitespace().next();
        program.is_none_or(|program| !OTHER_PROGRAMS.contains(&program))
    });
    let line = programs.collect::<Vec<_>>().join(" | ");
    let mut option = "";
    let words = line.split(' ').map(|word| {
        let number = word.parse().map(|number: u64| (number / 100).to_string());
        let short = match (std::mem::replace(&mut option, word), number) {
            (before, Ok(short)) if TICKS.contains(&before) => Some(short),
            ("-n", Ok(short)) if line.contains("flockscope bench") => Some(short),
            ("--duration", _) => Some("100ms".to_owned()),
            ("--over" | "--ramp", _) => widen(word),
            _ => None,
        };
        short.unwrap_or_else(|| word.to_owned())
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let add = |line: String, command: &str, unless: &[&str], option: &str| {
        if unless.iter().any(|word| line.contains(word)) {
            line
        } else {
            line.replace(&format!("flockscope {command}"), &format!("flockscope {command} {option}"))
        }
    };
    let line = add(line, "bench", &["-n "], "-n 1000");
    let line = add(line, "breed", &["-n "], "-n 9 --generations 1");
    let line = add(line, "shot", &["--ticks ", "--session "], "--ticks 3");
    let line = add(line, "record", &["--ticks ", "--session "], "--ticks 3");
    add(line, "record", &["--duration ", "--session "], "--duration 100ms")
}

/// A range of values, `KEY=A:B:STEP`, with four times its step.
fn widen(range: &str) -> Option<String> {
    let (ends, step) = range.rsplit_once(':')?;
    Some(format!("{ends}:{}", 4.0 * step.parse::<f64>().ok()?))
}

/// Runs a line of a shell. Returns its output, which a viewer does not have.
fn run(document: &str, line: &str, folder: &Path) -> String {
    let begun = Instant::now();
    let output = output(document, line, folder);
    println!("{:5.1} s  {document}: {line}", begun.elapsed().as_secs_f32());
    output
}

fn output(document: &str, line: &str, folder: &Path) -> String {
    if is_viewer(line) {
        watch(document, line, folder);
        return String::new();
    }
    let mut shell = clean_command("sh");
    let output = shell.args(["-c", line]).envs(variables(folder)).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{document}: {line}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn is_viewer(line: &str) -> bool {
    let last = line.rsplit(" | ").next().unwrap_or_default();
    let mut words = last.split_whitespace().take_while(|word| !word.starts_with('#'));
    words.next() == Some("flockscope")
        && match words.next() {
            None => true,
            Some("replay") => !line.contains("--verify"),
            Some(word) => word.starts_with('-') && word != "--print-config",
        }
}

/// Runs a viewer in a terminal until it has shown some ticks.
fn watch(document: &str, line: &str, folder: &Path) {
    let mut shell = terminal::clean_command("sh");
    shell.args(["-c", line]);
    for (name, value) in variables(folder) {
        shell.env(name, value);
    }
    shell.cwd(folder);
    let mut terminal = Terminal::with(120, 40, shell);
    let shows_ticks = !["--clean", "--screensaver", " < ", " | "].iter().any(|option| line.contains(option));
    terminal.wait_for(&format!("{document}: {line}"), |screen| {
        let tick = number_after(screen, "tick ").or_else(|| number_after(screen, "frame "));
        let is_drawn = if shows_ticks { tick >= Some(VIEWER_TICKS) } else { !screen.trim().is_empty() };
        is_drawn.then_some(())
    });
    // Before, keys do not end a screensaver.
    terminal.settle(Duration::from_millis(if line.contains("--screensaver") { 400 } else { 0 }));
    terminal.press("q");
    let (status, text) = terminal.end();
    assert_eq!(status, 0, "{document}: {line}\n{text}");
}

/// The folder as home, the repository, and the variables of a Slurm task.
fn variables(folder: &Path) -> Vec<(&'static str, OsString)> {
    let mut programs = path().parent().unwrap().as_os_str().to_owned();
    programs.push(":");
    programs.push(env::var_os("PATH").unwrap());
    vec![
        ("HOME", folder.into()),
        ("XDG_CONFIG_HOME", folder.join(".config").into()),
        ("PATH", programs),
        ("REPOSITORY", root().into()),
        ("SLURM_ARRAY_TASK_ID", "1".into()),
        ("SLURM_CPUS_PER_TASK", "2".into()),
    ]
}
