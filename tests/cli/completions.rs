//! Contract: completion scripts contain every command, every option and its values, their shells accept them,
//! and Bash, zsh and fish complete with them.

use crate::{program, tools};

use std::io::Write;
use std::process::{Command, Stdio};

use clap::{Command as Cmd, CommandFactory, ValueEnum};
use flockscope::commands::args::{Cli, Shell};
use flockscope::commands::completions::script;
use flockscope::config::{PRESETS, THEMES};
use flockscope::picture::Marker;

const SHELLS: [Shell; 5] = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Nushell];

fn name(shell: Shell) -> String {
    shell.to_possible_value().unwrap().get_name().to_owned()
}

/// Every command, including the top level, except `help`.
fn commands(command: &Cmd) -> Vec<Cmd> {
    let below = command.get_subcommands().filter(|sub| sub.get_name() != "help").flat_map(commands);
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
        if !tools::has(check, &["--version"]) {
            continue;
        }
        let mut command = Command::new(check);
        command.arg("-n").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(script(shell).as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{check}: {said}");
    }
}

/// Bash divides words at `=` and calls the function with the word before the cursor, which is not `=` itself.
const BASH: &str = r#"
source _flockscope
# It works only while Bash itself completes.
compopt() { :; }
while IFS= read -r line; do
    read -ra COMP_WORDS <<< "${line//=/ = }"
    if [[ $line == *" " ]]; then COMP_WORDS+=(""); fi
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))
    word=${COMP_WORDS[COMP_CWORD]}
    _flockscope flockscope "${word#=}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done < lines
"#;

/// An external command is not completed, so it is a function.
const FISH: &str = r"
function flockscope; end
source _flockscope
while read -l line
    set -l words (complete -C $line | string replace -r '\t.*' '' | string replace -r '^--[^=]*=' '')
    echo $words
end < lines
";

/// The line editor needs a terminal.
const ZSH: &str = r"
zmodload zsh/zpty
zpty inner 'zsh -f -i'
zpty -w inner 'source ./inner.zsh'
while zpty -r inner shown; do :; done
cat errors >&2
cat found
";

/// Completes each line as Tab does, and writes what it offers.
const ZSH_INNER: &str = r#"
fpath=($PWD $fpath)
autoload -U compinit && compinit -D -u
flockscope() { }
compadd() {
    if (( ! ${argv[(I)-[OAD]]} )); then
        local -a matches
        builtin compadd -O matches "$@"
        offered+=($matches)
    fi
    builtin compadd "$@"
}
zle -C complete complete-word _main_complete
complete-lines() {
    local line
    for line in "${(@f)$(< lines)}"; do
        offered=()
        BUFFER=$line CURSOR=$#line
        zle complete 2>> errors
        print -r -- $offered >> found
    done
    exit
}
zle -N zle-line-init complete-lines
"#;

/// What a shell offers for the end of each line; `None` without the shell. It must not complain.
fn completed<L: AsRef<str>>(shell: Shell, lines: &[L]) -> Option<Vec<Vec<String>>> {
    let (program, args, attempt) = match shell {
        Shell::Bash => ("bash", ["--norc", "attempt"], BASH),
        Shell::Fish => ("fish", ["--no-config", "attempt"], FISH),
        Shell::Zsh => ("zsh", ["-f", "attempt"], ZSH),
        Shell::PowerShell | Shell::Nushell => unreachable!("not tried"),
    };
    if !tools::has(program, &["--version"]) {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("_flockscope", &script(shell));
    write("attempt", attempt);
    write("inner.zsh", ZSH_INNER);
    write("lines", &lines.iter().fold(String::new(), |all, line| all + line.as_ref() + "\n"));
    let output = Command::new(program).args(args).env("HOME", folder.path()).current_dir(&folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{program}: {said}");
    let offered = String::from_utf8(output.stdout).unwrap();
    let offered: Vec<_> = offered.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    assert_eq!(offered.len(), lines.len(), "{program}");
    Some(offered)
}

/// Shells in which completions are tried.
const TRIED: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];

#[test]
fn tab_completes_words_before_a_command_behind_it_and_alone() {
    let expected = [
        ("flockscope -p sta", "stardisplay starlings"),
        ("flockscope -n 300 --theme pap", "paper"),
        ("flockscope --theme=aft", "afterglow"),
        ("flockscope --clean --view hea", "heads heat"),
        ("flockscope --set cohesion.r", "cohesion.radius= cohesion.response="),
        ("flockscope sweep --over hunt.s", "hunt.separation= hunt.speed= hunt.stamina="),
        ("flockscope keys s", "show"),
        ("flockscope keys x", ""),
        ("flockscope run --preset spa", "sparrows"),
        ("flockscope run --preset=spa", "sparrows"),
        ("flockscope shot -n 9 --start=fl", "flock flocks"),
        ("flockscope shot --marker o", "octant"),
        ("flockscope run --log-level d", "debug"),
        ("flockscope completions z", "zsh"),
        ("flockscope params show max_t", "max_turn"),
        ("flockscope params show separation.f", "separation.falloff"),
        ("flockscope keys show paus", "pause"),
        ("flockscope presets show dro", "drones"),
        ("flockscope --screens", "--screensaver"),
        ("flockscope swe", "sweep"),
    ];
    let lines = expected.map(|(line, _)| line);
    for shell in TRIED {
        for ((line, right), mut offered) in expected.iter().zip(completed(shell, &lines).unwrap_or_default()) {
            offered.sort();
            assert_eq!(offered.join(" "), *right, "{}: {line}", name(shell));
        }
    }
}

#[test]
fn tab_behind_every_option_offers_its_values() {
    let mut root = Cli::command();
    root.build();
    let mut expected: Vec<(String, Vec<String>)> = Vec::new();
    for command in commands(&root) {
        let start = command.get_bin_name().unwrap_or("flockscope");
        // A flag with `=false` is a flag in the scripts.
        let flags = command.get_arguments().filter(|arg| arg.get_action().takes_values());
        for arg in flags.filter(|arg| !arg.is_require_equals_set()) {
            let values: Vec<String> =
                arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
            match arg.get_long() {
                Some(long) => expected.extend(["=", " "].map(|end| (format!("{start} --{long}{end}"), values.clone()))),
                None => expected.push((format!("{start} "), values)),
            }
        }
    }
    let lines: Vec<&String> = expected.iter().map(|(line, _)| line).collect();
    for shell in TRIED {
        for ((line, values), offered) in expected.iter().zip(completed(shell, &lines).unwrap_or_default()) {
            let missing: Vec<_> = values.iter().filter(|value| !offered.contains(value)).collect();
            assert!(missing.is_empty(), "{}: {line} offers {offered:?} without {missing:?}", name(shell));
        }
    }
}
