//! Contract: completion scripts contain every command, every option and its values, their shells accept them,
//! and Bash and fish complete with them.

use crate::program;

use std::io::Write;
use std::process::{Command, Stdio};

use clap::{Command as Cmd, CommandFactory, ValueEnum};
use flockscope::commands::args::{Cli, Shell};
use flockscope::commands::completions;
use flockscope::commands::completions::script;
use flockscope::config::{PRESETS, THEMES};
use flockscope::viewer::Marker;

const SHELLS: [Shell; 5] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Nushell];

fn name(shell: Shell) -> String {
    shell.to_possible_value().unwrap().get_name().to_owned()
}

/// Every command, including the top level, except `help`.
fn commands(command: &Cmd) -> Vec<Cmd> {
    let below =
        command.get_subcommands().filter(|sub| sub.get_name() != "help" && !sub.is_hide_set()).flat_map(commands);
    std::iter::once(command.clone()).chain(below).collect()
}

#[test]
fn scripts_contain_every_command_option_and_value() {
    let mut root = Cli::command();
    root.build();
    for shell in SHELLS {
        let script = script(shell);
        for command in commands(&root) {
            assert!(script.contains(command.get_name()), "{}: {}", name(shell), command.get_name());
            for long in command.get_arguments().filter_map(|arg| arg.get_long()) {
                let known = [format!("--{long}"), format!("-l {long} ")].iter().any(|form| script.contains(form));
                assert!(known, "{}: --{long} of {}", name(shell), command.get_name());
            }
        }
        // PowerShell's generator does not support option values.
        if shell != Shell::PowerShell {
            let presets = PRESETS.iter().map(|file| file.name);
            for word in presets.chain(THEMES.iter().map(|file| file.name)).chain(Marker::ALL.map(Marker::name)) {
                assert!(script.contains(word), "{}: {word}", name(shell));
            }
        }
    }
}

#[test]
fn the_command_prints_the_script() {
    for shell in SHELLS {
        let output = program::flockscope(&["completions", &name(shell)]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), script(shell), "{}", name(shell));
    }
}

#[test]
fn shells_accept_the_scripts() {
    for (shell, check) in [(Shell::Bash, "bash"), (Shell::Zsh, "zsh"), (Shell::Fish, "fish")] {
        let Ok(mut child) =
            Command::new(check).arg("-n").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
        else {
            eprintln!("{check} is not installed, and its script is not tried");
            continue;
        };
        child.stdin.take().unwrap().write_all(script(shell).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{check}: {said}");
    }
}

/// Bash's completions for the last of these words; `None` without Bash.
fn bash_completions(words: &str) -> Option<Vec<String>> {
    const TRY: &str = r#"
        eval "$1"; read -ra COMP_WORDS <<< "$2"; COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
        _flockscope flockscope "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let output = Command::new("bash").args(["-c", TRY, "bash", &script(Shell::Bash), words]).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// fish's completions for the end of this line; `None` without fish.
fn fish_completions(line: &str) -> Option<Vec<String>> {
    let mut script = tempfile::NamedTempFile::new().unwrap();
    script.write_all(completions::script(Shell::Fish).as_bytes()).unwrap();
    // An external command is not completed.
    let attempt = r"function flockscope; end; source $argv[1]; complete -C $argv[2]";
    let home = tempfile::tempdir().unwrap();
    let mut fish = Command::new("fish");
    fish.args(["--no-config", "-c", attempt]).arg(script.path()).arg(line).env("HOME", home.path());
    let output = fish.output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let bash_completions = String::from_utf8(output.stdout).unwrap();
    Some(bash_completions.lines().map(|line| line.split('\t').next().unwrap_or_default().to_owned()).collect())
}

#[test]
fn fish_completes_words_before_a_command_behind_it_and_alone() {
    for (line, right) in [
        ("flockscope -p sta", &["starlings"][..]),
        ("flockscope -n 300 --theme pap", &["paper"]),
        ("flockscope --clean --view hea", &["heads", "heat"]),
        ("flockscope run --preset spa", &["sparrows"]),
        ("flockscope completions z", &["zsh"]),
        ("flockscope params show separation.f", &["separation.falloff"]),
        ("flockscope keys show paus", &["pause"]),
        ("flockscope presets show dro", &["drones"]),
        ("flockscope ru", &["run"]),
    ] {
        let Some(bash_completions) = fish_completions(line) else {
            return eprintln!("fish is not installed, and is not tried");
        };
        assert_eq!(bash_completions, right, "{line}");
    }
}

#[test]
fn bash_completes() {
    for (words, right) in [
        ("flockscope --the", &["--theme"][..]),
        ("flockscope ru", &["run"]),
        ("flockscope comp", &["completions"]),
        ("flockscope -p starl", &["starlings"]),
        ("flockscope run --preset spa", &["sparrows"]),
        ("flockscope --theme pap", &["paper"]),
        ("flockscope shot --marker o", &["octant"]),
        ("flockscope --view he", &["heads", "heat"]),
        ("flockscope run --log-level d", &["debug"]),
        ("flockscope completions z", &["zsh"]),
        ("flockscope params show max_t", &["max_turn"]),
        ("flockscope keys show paus", &["pause"]),
        ("flockscope presets show dro", &["drones"]),
    ] {
        let Some(bash_completions) = bash_completions(words) else {
            return eprintln!("bash is not installed, and is not tried");
        };
        assert_eq!(bash_completions, right, "{words}");
    }
}
