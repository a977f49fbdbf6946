//! Contract: the recipes of `docs/idle.md` run as they are written, and leave a clean prompt.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use portable_pty::CommandBuilder;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::terminal::{Terminal, clean_command, dots, is_cooked};
use crate::{program, tools};

/// The block of the page in a language, with seconds in place of minutes.
fn recipe(language: &str) -> String {
    let page = include_str!("../../docs/idle.md");
    let block = page.split("```").find_map(|block| block.strip_prefix(&format!("{language}\n")));
    block.unwrap_or_else(|| panic!("no block {language}")).replace("300", "2")
}

/// A folder with programs that replace those of a desktop. It is the first one in `PATH`.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let desk = Self(folder);
        std::os::unix::fs::symlink(program::path(), desk.path().join("flockscope")).unwrap();
        // This terminal is the window: the command after the window's own options runs in it.
        let window = "while [ \"$1\" != flockscope ]; do shift; done; exec \"$@\"";
        for (name, body) in [
            ("hyprctl", "exit"),
            ("foot", window),
            ("kitty", window),
            ("alacritty", window),
            // Other tests run flockscope as well.
            ("pgrep", "exec /usr/bin/pgrep -P $PPID \"$@\""),
            ("pkill", "exec /usr/bin/pkill -P $PPID \"$@\""),
        ] {
            let file = desk.path().join(name);
            fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        desk
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file in the folder.
    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path().join(name), text).unwrap();
        self.path().join(name).to_str().unwrap().to_owned()
    }

    /// A program with these arguments in a terminal.
    fn run(&self, words: &[&str]) -> Terminal {
        let mut command: CommandBuilder = clean_command(words[0]);
        command.args(&words[1..]);
        command.env("PATH", format!("{}:{}", self.path().display(), std::env::var("PATH").unwrap()));
        command.env("COLORTERM", "truecolor");
        for home in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"] {
            command.env(home, self.path());
        }
        command.cwd(self.path());
        Terminal::with(100, 30, command)
    }
}

fn wait_for_flock(terminal: &mut Terminal) {
    terminal.wait_for("a flock", |screen| (dots(screen) > 50).then_some(()));
}

/// Waits until the main screen is back, whose prompt runs a command with nothing typed before it. On a slow machine the shell may be idle
/// again meanwhile, and a key of the command ends the next screensaver.
fn prompt_is_clean(terminal: &mut Terminal) {
    for _ in 0..20 {
        terminal.wait_to_see("the main screen", |screen| (!screen.alternate_screen()).then_some(()));
        terminal.press("echo cle''an\r");
        terminal.settle(Duration::from_millis(300));
        if terminal.text().lines().any(|line| line.trim() == "clean") {
            return;
        }
    }
    panic!("no clean prompt: {}", terminal.text());
}

#[test]
fn a_host_that_reads_the_keys_gets_them_alone() {
    let desk = Desk::new();
    let script = desk.write("omarchy", &recipe("omarchy"));
    let mut terminal = desk.run(&["bash", &script]);
    wait_for_flock(&mut terminal);
    terminal.listen();
    // Longer than its `read` waits.
    terminal.settle(Duration::from_secs(4));
    assert!(dots(&terminal.text()) > 50, "{}", terminal.text());
    let asked = &terminal.parser.callbacks().answers;
    assert!(asked.is_empty() && !terminal.heard().contains("\x1b[?100"), "{asked:?}");
    assert!(!is_raw(&terminal), "modes are the host's");
    terminal.press("x");
    let (status, text) = terminal.end();
    assert_eq!((status, text.trim().is_empty()), (0, false), "the command that shows the flock again");
    assert!(!terminal.parser.screen().alternate_screen() && !terminal.parser.screen().hide_cursor());
}

/// Whether keys send no signals.
fn is_raw(terminal: &Terminal) -> bool {
    !format!("{:?}", terminal.master.get_termios().unwrap().local_flags).contains("ISIG")
}

fn send(signal: Signal, terminal: &Terminal) {
    let pid = Pid::from_raw(terminal.child.process_id().unwrap().cast_signed());
    kill_process(pid.unwrap(), signal).unwrap();
}

#[test]
fn signals_end_it_where_it_reads_no_keys() {
    let desk = Desk::new();
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        let mut terminal = desk.run(&["sh", "-c", "exec flockscope --screensaver < /dev/null"]);
        wait_for_flock(&mut terminal);
        terminal.press("q");
        terminal.settle(Duration::from_millis(500));
        send(signal, &terminal);
        assert_eq!(terminal.end().0, 128 + signal.as_raw().cast_unsigned(), "{signal:?}");
        let screen = terminal.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && is_cooked(&terminal), "{signal:?}");
    }
}

#[test]
fn idle_shells_start_it_and_continue() {
    let desk = Desk::new();
    let zsh = recipe("zsh");
    desk.write(".zshrc", &format!("PS1='$ '\n{zsh}"));
    let bash = desk.write("bashrc", &format!("PS1='$ '\n{}", recipe("bash")));
    let fish = desk.write("fish", &recipe("fish"));
    for words in [&["zsh", "-i"][..], &["bash", "--rcfile", &bash, "-i"], &["fish", "-C", &format!("source {fish}")]] {
        if !tools::has(words[0], &["--version"]) {
            continue;
        }
        let mut terminal = desk.run(words);
        wait_for_flock(&mut terminal);
        terminal.settle(Duration::from_millis(400));
        // What follows at once is swallowed, or the shell would run it.
        terminal.press("xecho wro''ng\r");
        prompt_is_clean(&mut terminal);
        assert!(!terminal.text().contains("wrong"), "{words:?}: {}", terminal.text());
    }
}

#[test]
fn desktops_start_it_in_a_window_and_end_it() {
    let desk = Desk::new();
    let line = |text: &str, start: &str| text.split_once(start).unwrap().1.lines().next().unwrap().to_owned();
    let quoted = recipe("swayidle").split('\'').nth(1).unwrap().to_owned();
    let commands = [quoted, line(&recipe("hypridle"), "on-timeout = "), line(&recipe("i3"), " -- ")];
    for (command, ends) in commands.iter().zip(["\x1b[<35;20;10M\x1b[<35;30;10M", "\x1b[O", "x"]) {
        let mut terminal = desk.run(&["sh", "-c", command]);
        wait_for_flock(&mut terminal);
        terminal.settle(Duration::from_millis(400));
        terminal.press(ends);
        assert_eq!(terminal.end().0, 0, "{command}");
    }
}

#[test]
fn a_greeter_without_home_shows_the_time() {
    let desk = Desk::new();
    let mut terminal = desk.run(&["sh", "-c", &format!("exec {}", recipe("greeter"))]);
    terminal.wait_for("a flock", |screen| (screen.trim().len() > 50).then_some(()));
    send(Signal::TERM, &terminal);
    assert_eq!(terminal.end().0, 128 + 15);
}

#[test]
fn tmux_locks_with_it() {
    if !tools::has("tmux", &["-V"]) {
        return;
    }
    let desk = Desk::new();
    let config = desk.write("tmux.conf", &recipe("tmux"));
    let socket = format!("flockscope-idle-{}", std::process::id());
    let mut terminal = desk.run(&["tmux", "-L", &socket, "-f", &config, "new-session", "sh"]);
    wait_for_flock(&mut terminal);
    terminal.settle(Duration::from_millis(400));
    terminal.press("x");
    terminal.wait_for("tmux", |screen| screen.contains("[0]").then_some(()));
    terminal.press("exit\r");
    assert_eq!(terminal.end().0, 0);
}
