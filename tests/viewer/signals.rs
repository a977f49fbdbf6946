//! Contract: signals that end or stop the viewer, and closed terminals. The terminal is restored,
//! whatever the viewer is doing.

use std::io::{Read, Write};
#[cfg(target_os = "linux")]
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::program;
use crate::terminal;
use crate::terminal::{SHOW_AFTER, Terminal, bare, ends_within, is_cooked, number_after};
use crate::tools;

/// Signals that end it, and their numbers.
const ENDING: [(&str, u32); 4] = [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)];

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status().unwrap();
    assert!(sent.success(), "kill -{name} {process}");
}

fn process(terminal: &Terminal) -> u32 {
    terminal.child.process_id().unwrap()
}

/// Exits with this status, and restores the terminal.
fn exits_cleanly(terminal: &mut Terminal, status: u32, when: &str) {
    let (ended, text) = terminal.end();
    let screen = terminal.parser.screen();
    assert_eq!(ended, status, "{when}: {text}");
    assert!(!screen.alternate_screen() && !screen.hide_cursor(), "{when}: {text}");
    assert!(is_cooked(terminal), "{when}: lines, echo and signals are on again");
}

#[test]
fn each_signal_ends_it_with_its_number() {
    for (name, number) in ENDING {
        let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
        terminal.tick();
        signal(name, process(&terminal));
        exits_cleanly(&mut terminal, 128 + number, name);
    }
}

#[test]
fn a_signal_ends_it_whatever_is_open() {
    for keys in [":", ":separation.weight 1", "?", "0", "\r1", " ", "S", "]]f"] {
        let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
        terminal.tick();
        terminal.press(keys);
        terminal.settle(Duration::from_millis(100));
        signal("TERM", process(&terminal));
        exits_cleanly(&mut terminal, 128 + 15, keys);
    }
}

#[test]
fn two_signals_at_once_end_it_as_well_as_one() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
    terminal.tick();
    let process = process(&terminal);
    let sent = Command::new("sh").args(["-c", &format!("kill -INT {process}; kill -INT {process}; true")]).status();
    assert!(sent.unwrap().success());
    exits_cleanly(&mut terminal, 128 + 2, "twice");
}

#[test]
fn a_signal_during_startup_restores_the_terminal() {
    for step in 0..24 {
        let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
        thread::sleep(Duration::from_millis(3 * step));
        signal("TERM", process(&terminal));
        let begun = Instant::now();
        // Before the handler is installed, the default action ends it.
        let status = terminal.end().0;
        assert!(status != 0 && begun.elapsed() < Duration::from_secs(5), "after {} ms: {status}", 3 * step);
        assert!(!terminal.parser.screen().alternate_screen() && is_cooked(&terminal), "after {} ms", 3 * step);
    }
}

#[test]
fn a_signal_does_not_wait_for_a_tick() {
    // With infinite radii a tick of this many boids takes minutes.
    let mut terminal = Terminal::new(80, 24, &["-p", "parker", "-n", "1000000", "-s", "1", "--set", "max_neighbors=0"]);
    terminal.wait_for_text("tick 0");
    signal("TERM", process(&terminal));
    let begun = Instant::now();
    exits_cleanly(&mut terminal, 128 + 15, "in a long tick");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// The first line of the session of 50 boids.
fn header(folder: &Path) -> String {
    let mut command = terminal::viewer(&["-p", "drones", "-n", "50", "-s", "1", "--save-session", "small.flock"]);
    command.cwd(folder);
    let mut terminal = Terminal::with(100, 30, command);
    terminal.wait_for_text("▶ running");
    terminal.press("q");
    terminal.end();
    let file = folder.join("small.flock");
    let session = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(file).unwrap();
    session.lines().next().unwrap().to_owned()
}

/// The processor time of a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_a_command_without_terminal_in_a_long_tick() {
    let folder = tempfile::TempDir::new().unwrap();
    // A tick in which each boid sees all others takes minutes.
    let header = header(folder.path()).replace("\"boids\":50", "\"boids\":200000").replace("800x600", "10x10");
    let session =
        format!("{header}\n[100,{{\"hash\":\"0afceaff43e4be06\"}}]\n[200,{{\"end\":\"d41d3f48f6bf354b\"}}]\n");
    std::fs::write(folder.path().join("crowd.flock"), session).unwrap();
    let flock = ["-p", "starlings", "-n", "200000", "--world", "10x10", "--set", "max_neighbors=0"];
    let commands: [(&str, &[&str]); 4] = [
        ("run", &["--ticks", "5", "-o", "rows.csv"]),
        ("shot", &["--ticks", "5", "-o", "flock.png"]),
        ("record", &["-o", "flock.gif"]),
        ("sweep", &["--ticks", "5", "--yes", "-o", "sweep.csv"]),
    ];
    let flocks = commands.map(|(name, args)| [&[name], &flock[..], args].concat());
    for args in flocks.into_iter().chain([vec!["replay", "--verify", "crowd.flock"]]) {
        let mut child = Command::new(program::path()).args(&args).current_dir(folder.path()).spawn().unwrap();
        let begun = Instant::now();
        while processor_time(child.id()) < 100 && begun.elapsed() < SHOW_AFTER {
            assert!(child.try_wait().unwrap().is_none(), "{args:?}");
            thread::sleep(Duration::from_millis(10));
        }
        signal("TERM", child.id());
        let begun = Instant::now();
        assert_eq!(child.wait().unwrap().signal(), Some(15), "{args:?}");
        // Under load, a part of the second that it has.
        assert!(begun.elapsed() < Duration::from_secs(3), "{args:?}: {:?}", begun.elapsed());
        let mut files: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        // A sweep keeps its header.
        files.retain(|file| file != "crowd.flock" && file != "sweep.csv");
        assert_eq!(files, [""; 0], "{args:?}");
    }
}

#[test]
fn a_signal_ends_a_replay_of_many_large_flocks() {
    let folder = tempfile::TempDir::new().unwrap();
    let header = header(folder.path()).replace("\"boids\":50", "\"boids\":300000");
    let reseeds: Vec<String> = (1..=200_000).map(|seed| format!("[0,{{\"reseed\":{seed}}}]")).collect();
    std::fs::write(
        folder.path().join("many.flock"),
        format!("{header}\n{}\n[1,{{\"end\":\"0\"}}]\n", reseeds.join("\n")),
    )
    .unwrap();
    let mut command = terminal::viewer(&["replay", "many.flock", "--save-session", "again.flock"]);
    command.cwd(folder.path());
    let mut terminal = Terminal::with(100, 30, command);
    terminal.wait_for_text("tick 0");
    signal("TERM", process(&terminal));
    let begun = Instant::now();
    exits_cleanly(&mut terminal, 128 + 15, "in a replay of reseeds");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn a_signal_ends_it_with_a_blocked_terminal() {
    for (name, _) in ENDING {
        let (pair, mut child, mut reader) = bare(&["-s", "3", "-t", "neon"], true);
        // Without a reader the terminal's buffer fills up, and writes block.
        thread::sleep(Duration::from_millis(1500));
        signal(name, child.process_id().unwrap());
        assert!(ends_within(&mut child, Duration::from_secs(2)), "{name}");
        let flags = format!("{:?}", pair.master.get_termios().unwrap().local_flags);
        assert!(flags.contains("ICANON") && flags.contains("ECHO"), "{name}: {flags}");
        // What is still in the buffer ends with the shell's screen.
        drop(pair.slave);
        let heard = rest_of(&mut reader);
        assert!(!cfg!(target_os = "linux") || heard.contains("\x1b[?1049l"), "{name}: {}", heard.escape_debug());
    }
}

/// All output that the system has for a terminal.
fn rest_of(reader: &mut impl Read) -> String {
    let (mut heard, mut bytes) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = reader.read(&mut bytes) {
        heard.extend_from_slice(&bytes[..count]);
    }
    String::from_utf8_lossy(&heard).into_owned()
}

#[test]
fn a_stalled_terminal_is_restored() {
    let (pair, mut child, mut reader) = bare(&["-s", "3", "-t", "neon"], true);
    thread::sleep(Duration::from_millis(1500));
    pair.master.take_writer().unwrap().write_all(b"q").unwrap();
    // Longer than the timeout for a broken terminal.
    thread::sleep(Duration::from_millis(1500));
    drop(pair.slave);
    let heard = rest_of(&mut reader);
    assert!(ends_within(&mut child, Duration::from_secs(2)));
    let screen = heard.find("\x1b[?1049l").expect("the shell's screen");
    assert!(heard.contains("\x1b[?25h") && heard.contains("\x1b[?1002l") && heard.contains("\x1b[?2004l"));
    assert!(heard[screen..].contains("flockscope -p starlings -s 3"), "{}", &heard[screen..]);
}

#[test]
fn an_ignored_hangup_is_ignored() {
    let mut shell = terminal::clean_command("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" -s 3 -n 50", program::path().to_str().unwrap()]);
    let mut terminal = Terminal::with(100, 30, shell);
    let tick = terminal.tick();
    signal("HUP", process(&terminal));
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 30));
    terminal.press("q");
    exits_cleanly(&mut terminal, 0, "nohup");
}

// --- stopping

/// A shell with job control that runs flockscope as a job, inside a script.
fn in_bash(columns: u16, rows: u16, args: &str) -> Terminal {
    let mut shell = terminal::clean_command("bash");
    shell.args(["--norc", "--noprofile", "-i"]);
    shell.env("PS1", "ready> ");
    shell.env("HISTFILE", "");
    let mut terminal = Terminal::with(columns, rows, shell);
    terminal.wait_for_text("ready>");
    let path = program::path();
    // The whole job stops, not only the viewer.
    terminal.press(&format!("bash -c '{} -s 3 -n 50 {args}; echo over $?'\r", path.display()));
    terminal.tick();
    terminal
}

/// The viewer that runs as a job.
fn viewer(terminal: &Terminal) -> u32 {
    let session = process(terminal).to_string();
    let found = Command::new("pgrep").args(["-s", &session, "flockscope"]).output().unwrap();
    String::from_utf8(found.stdout).unwrap().trim().parse().unwrap()
}

/// Waits until the shell has the terminal and the viewer has stopped. A script of the job stops at once, and the shell may
/// print before.
fn wait_until_stopped(terminal: &mut Terminal) {
    terminal.wait_for_output(&["Stopped", "ready>"]);
    let viewer = viewer(terminal).to_string();
    let end = Instant::now() + SHOW_AFTER;
    while !Command::new("ps").args(["-o", "state=", "-p", &viewer]).output().unwrap().stdout.starts_with(b"T") {
        assert!(Instant::now() < end, "the viewer does not stop");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Stopped, with the shell's terminal settings; then resumed, with the whole screen.
fn stops_and_resumes(terminal: &mut Terminal, stop: impl FnOnce(&mut Terminal)) {
    // The tick of the newest frame, not of one that waits to be read.
    terminal.settle(Duration::ZERO);
    let (before, begun) = (terminal.tick(), Instant::now());
    terminal.listen();
    stop(terminal);
    wait_until_stopped(terminal);
    terminal.wait_to_see("the shell's screen", |screen| {
        (!screen.alternate_screen() && !screen.hide_cursor()).then_some(())
    });
    assert!(terminal.heard().contains("\x1b[?1004l"), "the focus is no longer reported");
    let ran_before = begun.elapsed();
    thread::sleep(Duration::from_secs(2));
    let resumed = Instant::now();
    terminal.press("clear; fg\r");
    let after = terminal.tick();
    assert!(terminal.parser.screen().alternate_screen());
    let ran = ran_before + resumed.elapsed();
    let most = before + 60 + (60.0 * ran.as_secs_f64()) as u64;
    assert!((before..most).contains(&after), "the flock stood still meanwhile: {before}, then {after} and not {most}");
    terminal.wait_for("the whole screen", |screen| screen.contains("50 boids").then_some(()));
}

#[test]
fn suspend_and_resume_hand_over_the_terminal() {
    let mut terminal = in_bash(100, 30, "");
    for _ in 0..2 {
        stops_and_resumes(&mut terminal, |terminal| terminal.press("\x1a"));
    }
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
}

#[test]
fn a_stopped_job_can_be_ended() {
    for how in ["kill %1", "kill -HUP %1", "kill -STOP %1; kill -TERM %1; kill -CONT %1"] {
        let mut terminal = in_bash(100, 30, "");
        terminal.listen();
        terminal.press("\x1a");
        wait_until_stopped(&mut terminal);
        terminal.press(&format!("clear; {how}; sleep 1; wait; echo \"$(jobs | wc -l)\" left\r"));
        terminal.wait_for_text("\n0 left");
        let session = process(&terminal).to_string();
        let begun = Instant::now();
        while Command::new("pgrep").args(["-s", &session, "flockscope"]).status().unwrap().success() {
            assert!(begun.elapsed() < Duration::from_secs(10), "{how}: it is still there");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

#[test]
fn a_job_resumed_in_the_background_restores_the_terminal() {
    let mut terminal = in_bash(100, 30, "; stty -a");
    terminal.listen();
    terminal.press("\x1a");
    wait_until_stopped(&mut terminal);
    terminal.press("clear; bg\r");
    thread::sleep(Duration::from_millis(1500));
    terminal.press("clear; fg\r");
    terminal.tick();
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
    let text = terminal.parser.screen().contents();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches(';')).collect();
    assert!(["icanon", "echo", "icrnl", "isig", "opost"].iter().all(|mode| words.contains(mode)), "{text}");
}

#[test]
fn two_simultaneous_stops_are_one() {
    let mut terminal = in_bash(100, 30, "");
    stops_and_resumes(&mut terminal, |terminal| terminal.press("\x1a\x1a"));
    let tick = terminal.tick();
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 30));
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
}

#[test]
fn a_resume_before_the_stop_cancels_it() {
    let mut terminal = in_bash(100, 30, "");
    let viewer = viewer(&terminal);
    for _ in 0..3 {
        let tick = terminal.tick();
        signal("TSTP", viewer);
        signal("CONT", viewer);
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 30));
    }
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
}

#[test]
fn reload_signals_do_not_pile_up() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
    terminal.tick();
    let flood = format!("for i in {{1..400}}; do kill -USR1 {}; sleep 0.001; done", process(&terminal));
    assert!(Command::new("bash").args(["-c", &flood]).status().unwrap().success());
    let begun = Instant::now();
    terminal.press("q");
    exits_cleanly(&mut terminal, 0, "after a flood");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn an_open_palette_survives_a_stop() {
    let mut terminal = in_bash(100, 30, "");
    terminal.press(":pau");
    terminal.wait_for_text("pause");
    terminal.listen();
    terminal.press("\x1a");
    wait_until_stopped(&mut terminal);
    terminal.press("clear; fg\r");
    terminal.wait_for_text("pause");
    terminal.press("\x1b");
    terminal.wait_for("the palette gone", |screen| (!screen.contains(":pau")).then_some(()));
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
}

#[test]
fn it_stops_on_sigtstp() {
    let mut terminal = in_bash(100, 30, "");
    let job = Command::new("pgrep").args(["-P", &process(&terminal).to_string()]).output().unwrap();
    let script: u32 = String::from_utf8(job.stdout).unwrap().trim().parse().unwrap();
    for _ in 0..2 {
        // The whole process group, as `kill -TSTP %1` does.
        stops_and_resumes(&mut terminal, |_| {
            let sent = Command::new("kill").args(["-TSTP", "--", &format!("-{script}")]).status().unwrap();
            assert!(sent.success());
        });
    }
    terminal.press("q");
    terminal.wait_for_text("\nover 0");
}

#[test]
fn after_sigstop_the_whole_screen_is_redrawn() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
    terminal.tick();
    signal("STOP", process(&terminal));
    terminal.settle(Duration::from_millis(300));
    // Another program has written over it.
    terminal.parser.process(b"\x1b[H\x1b[2J");
    signal("CONT", process(&terminal));
    terminal.wait_for("the whole screen", |screen| screen.contains("50 boids").then_some(()));
    assert!(terminal.parser.screen().alternate_screen());
    terminal.press("q");
    exits_cleanly(&mut terminal, 0, "after a stop");
}

#[test]
fn without_job_control_it_does_not_stop() {
    let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
    for stop in [true, false] {
        let tick = terminal.tick();
        if stop {
            terminal.press("\x1a");
        } else {
            signal("TSTP", process(&terminal));
        }
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 30));
        assert!(terminal.parser.screen().alternate_screen());
    }
    terminal.press("q");
    exits_cleanly(&mut terminal, 0, "after a stop that was none");
}

#[test]
fn a_stop_with_a_blocked_terminal_does_not_deadlock() {
    let (pair, mut child, reader) = bare(&["-s", "3", "-t", "neon"], true);
    thread::sleep(Duration::from_secs(1));
    signal("TSTP", child.process_id().unwrap());
    thread::sleep(Duration::from_secs(1));
    signal("CONT", child.process_id().unwrap());
    signal("TERM", child.process_id().unwrap());
    assert!(ends_within(&mut child, Duration::from_secs(3)));
    drop((reader, pair));
}

// --- under tmux

/// A tmux server for the test.
struct Tmux(String);

impl Tmux {
    fn new(name: &str) -> Self {
        let tmux = Self(format!("flockscope-test-{name}-{}", std::process::id()));
        tmux.run(&["-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "bash --norc --noprofile -i"]);
        tmux
    }

    fn run(&self, args: &[&str]) -> String {
        let mut tmux = program::clean_command("tmux");
        let ran = tmux.args(["-L", &self.0]).args(args).env("LANG", "C.UTF-8").env("HISTFILE", "").output().unwrap();
        String::from_utf8_lossy(&ran.stdout).into_owned()
    }

    fn type_in(&self, keys: &[&str]) {
        self.run(&[&["send-keys"], keys].concat());
    }

    fn wait_for(&self, what: &str, answer: impl Fn(&str) -> bool) {
        let end = Instant::now() + terminal::SHOW_AFTER;
        loop {
            let screen = self.run(&["capture-pane", "-p"]);
            if answer(&screen) {
                return;
            }
            assert!(Instant::now() < end, "{what} does not come; the screen shows\n{screen}");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Tmux {
    fn drop(&mut self) {
        self.run(&["kill-server"]);
    }
}

#[test]
fn it_stops_resumes_and_exits_in_tmux() {
    if !tools::has("tmux", &["-V"]) {
        return;
    }
    let path = program::path();
    let tmux = Tmux::new("stop");
    tmux.wait_for("a prompt", |screen| screen.contains('$') || screen.contains('#'));
    tmux.type_in(&[&format!("{} -s 3 -n 50 --no-intro", path.display()), "Enter"]);
    for (name, _) in ENDING {
        tmux.wait_for("a flock", |screen| screen.contains("50 boids") && screen.contains("tick "));
        tmux.type_in(&["C-z"]);
        tmux.wait_for("the shell", |screen| screen.contains("Stopped") && !screen.contains("50 boids"));
        tmux.type_in(&["clear; fg", "Enter"]);
        tmux.wait_for("the flock again", |screen| screen.contains("50 boids"));
        let shell = tmux.run(&["display-message", "-p", "#{pane_pid}"]);
        let found = Command::new("pgrep").args(["-P", shell.trim()]).output().unwrap();
        signal(name, String::from_utf8(found.stdout).unwrap().trim().parse().unwrap());
        tmux.wait_for("the shell again", |screen| !screen.contains("50 boids"));
        tmux.type_in(&["clear; stty -a; echo over $?", "Enter"]);
        tmux.wait_for("a cooked terminal", |screen| {
            screen.contains(" icanon") && screen.contains(" echo ") && screen.contains("over 0")
        });
        tmux.type_in(&[&format!("clear; {} -s 3 -n 50 --no-intro", path.display()), "Enter"]);
    }
}

// --- terminals that go away

#[test]
fn a_closed_terminal_ends_it() {
    // With SIGHUP, and without.
    for controlling in [true, false] {
        let (pair, mut child, reader) = bare(&["-s", "3", "-n", "50"], controlling);
        // The master closes with the last of its handles.
        drop((reader, pair.master));
        assert!(ends_within(&mut child, Duration::from_secs(2)), "controlling: {controlling}");
    }
}

#[test]
fn a_closed_terminal_ends_it_while_paused() {
    use std::io::Write;
    let (pair, mut child, reader) = bare(&["-s", "3", "-n", "50"], false);
    let mut keys = pair.master.take_writer().unwrap();
    keys.write_all(b" :").unwrap();
    thread::sleep(Duration::from_millis(500));
    drop((reader, keys, pair.master));
    assert!(ends_within(&mut child, Duration::from_secs(2)));
    let status = child.wait().unwrap();
    assert!(!status.success(), "{status:?}");
}
