//! A simulated user: performs random actions and examines the viewer from time to time.

use std::collections::VecDeque;
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::action::{CONT, Halt, Manner, Step, TSTP, UserAction, escape};
use super::process::Process;
use crate::terminal::{SHOW_AFTER, Terminal, is_cooked, viewer};

/// The viewer as a shell job: after SIGSTOP (147) or SIGTSTP (148) it resumes when a line is typed;
/// at the end its status is printed. No loop: a stopped job ends those of bash.
const SHELL: &str = r#"
look() {
    if [ $status = 147 ] || [ $status = 148 ]; then
        halts=$((halts + 1)); echo "halted $halts"; read -r line
        fg > told; status=$?
        look
    fi
}
"$0" "$@" 2> complaints; status=$?
look
echo "over $status"; read -r line
"#;
/// Number of recent actions to print after a failure.
const TOLD: usize = 200;
/// Maximum number of boids: the machine is shared.
const CROWD: u64 = 8000;
/// Window size for comparisons.
pub const SIZE: (u16, u16) = (120, 40);

pub struct SimulatedUser {
    pub terminal: Terminal,
    pub viewer: Process,
    pub home: TempDir,
    pub begun: Instant,
    pub manner: Manner,
    /// Pending replies of the terminal, with their times.
    answers: VecDeque<(Instant, String)>,
    halts: usize,
    done: VecDeque<(Duration, UserAction)>,
}

impl SimulatedUser {
    /// Starts the viewer in its own folder, with its own settings.
    pub fn start() -> Self {
        let home = TempDir::new().unwrap();
        let binary = std::env::var_os("FLOCKSCOPE_SOAK_BIN");
        let mut command = viewer(&[]);
        let path = binary.unwrap_or_else(|| command.get_argv()[0].clone());
        let options = ["-s", "1", "--no-intro", "--idle", "0.4"];
        let shell = ["bash", "--norc", "-mc", SHELL];
        let argv = shell.iter().map(Into::into).chain([path]).chain(options.iter().map(Into::into));
        *command.get_argv_mut() = argv.collect();
        command.env("HOME", home.path());
        command.env("XDG_CONFIG_HOME", home.path().join("config"));
        command.env("XDG_STATE_HOME", home.path().join("state"));
        command.cwd(home.path());
        let terminal = Terminal::with(SIZE.0, SIZE.1, command);
        let mut user = Self {
            viewer: Process(terminal.child.process_id().unwrap()),
            terminal,
            home,
            begun: Instant::now(),
            manner: Manner::AtOnce,
            answers: VecDeque::new(),
            halts: 0,
            done: VecDeque::new(),
        };
        user.see("the flock", |screen| screen.contents().contains("▶ running").then_some(()));
        user.viewer = user.viewer.child().expect("the shell's job");
        user
    }

    /// Performs an action, and checks that the viewer survives it.
    pub fn perform(&mut self, action: UserAction) {
        let steps = action.steps.clone();
        self.done.push_back((self.begun.elapsed(), action));
        if self.done.len() > TOLD {
            self.done.pop_front();
        }
        let reading = Arc::clone(&self.terminal.reading);
        let mut stalled = None;
        for step in &steps {
            self.take(step, &reading, &mut stalled);
        }
        drop(stalled);
        assert!(self.viewer.lives(), "the viewer has ended");
        if crowd(&self.terminal.text()).is_some_and(|boids| boids > CROWD) {
            self.go_through(escape());
            self.terminal.press("2");
        }
    }

    fn take<'a>(&mut self, step: &Step, reading: &'a Mutex<()>, stalled: &mut Option<MutexGuard<'a, ()>>) {
        match step {
            // The palette's selection is unknown: it may be quit.
            Step::Type(keys) if keys == b"\r" && self.terminal.text().contains("actions, parameters, presets") => {
                self.go_through(escape());
            }
            Step::Type(keys) => self.write(keys),
            Step::Wait(time) if stalled.is_some() => thread::sleep(*time),
            Step::Wait(time) => self.live(*time),
            Step::Resize(0, _) => {
                let none = portable_pty::PtySize { rows: 0, cols: 0, pixel_width: 0, pixel_height: 0 };
                self.terminal.master.resize(none).unwrap();
            }
            Step::Resize(columns, rows) => self.terminal.resize(*columns, *rows),
            Step::Signal(name, number) => self.signal(name, *number),
            Step::Halt(halt) => self.halt(*halt),
            Step::Read(reads) => *stalled = if *reads { None } else { reading.lock().ok() },
            Step::Answer(manner) => self.manner = *manner,
            Step::Settings(text) => {
                let folder = self.home.path().join("config/flockscope");
                fs::create_dir_all(&folder).unwrap();
                fs::write(folder.join("config.toml"), text).unwrap();
            }
        }
    }

    pub fn go_through(&mut self, steps: impl IntoIterator<Item = Step>) {
        for step in steps {
            match step {
                Step::Type(keys) => self.write(&keys),
                Step::Wait(time) => self.live(time),
                other => unreachable!("{other:?}"),
            }
        }
    }

    pub fn write(&mut self, keys: &[u8]) {
        use std::io::Write;
        self.terminal.keys.write_all(keys).unwrap();
        self.terminal.keys.flush().unwrap();
    }

    /// Reads and replies for a while, as a terminal does.
    pub fn live(&mut self, time: Duration) {
        let end = Instant::now() + time;
        loop {
            self.hear();
            let now = Instant::now();
            if now >= end {
                return;
            }
            let next = self.answers.front().map_or(end, |(due, _)| end.min(*due));
            if let Ok(bytes) = self.terminal.output.recv_timeout(next.saturating_duration_since(now)) {
                self.terminal.parser.process(&bytes);
            }
        }
    }

    /// Sends the replies that are due.
    fn hear(&mut self) {
        let now = Instant::now();
        for answer in std::mem::take(&mut self.terminal.parser.callbacks_mut().answers) {
            match self.manner {
                Manner::AtOnce => self.answers.push_back((now, answer)),
                Manner::Late(time) => self.answers.push_back((now + time, answer)),
                Manner::Twice => self.answers.extend([(now, answer.clone()), (now, answer)]),
                Manner::Never => {}
                Manner::Alike => self.answers.push_back((now, "\x1b[1;1R".to_owned())),
            }
        }
        while self.answers.front().is_some_and(|(due, _)| *due <= now) {
            let (_, answer) = self.answers.pop_front().unwrap();
            self.write(answer.as_bytes());
        }
    }

    /// Runs until the screen is as expected.
    pub fn see<T>(&mut self, what: &str, answer: impl Fn(&vt100::Screen) -> Option<T>) -> T {
        let end = Instant::now() + SHOW_AFTER;
        loop {
            if let Some(answer) = answer(self.terminal.parser.screen()) {
                return answer;
            }
            assert!(Instant::now() < end, "{what} does not come");
            self.live(Duration::from_millis(20));
        }
    }

    fn signal(&self, name: &str, number: u32) {
        // It may end on a signal it does not handle.
        if name == "WINCH" || self.viewer.answers(number) {
            kill(name, self.viewer);
        }
    }

    /// Stops the viewer, checks that the shell has its terminal, and resumes it.
    pub fn halt(&mut self, halt: Halt) {
        let halt = match halt {
            Halt::Asked if !self.viewer.answers(TSTP) => Halt::Key,
            // Without SIGCONT it cannot take the terminal again.
            Halt::Forced if !self.viewer.answers(CONT) => Halt::Key,
            halt => halt,
        };
        match halt {
            Halt::Key => self.write(b"\x1a"),
            Halt::Asked => kill("TSTP", self.viewer),
            Halt::Forced => kill("STOP", self.viewer),
        }
        self.halts += 1;
        let word = format!("halted {}", self.halts);
        self.see(&word, |screen| screen.contents().contains(&word).then_some(()));
        if !matches!(halt, Halt::Forced) {
            let screen = self.terminal.parser.screen();
            assert!(!screen.alternate_screen() && !screen.hide_cursor(), "a screen that is not restored");
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
            assert!(is_cooked(&self.terminal), "modes that are not restored");
        }
        self.write(b"\n");
        self.see("the viewer's screen", |screen| {
            (screen.alternate_screen() && !screen.contents().contains(&word)).then_some(())
        });
    }

    /// Quits, and checks that everything is restored.
    pub fn leave(&mut self) {
        self.write(b"q");
        let status = self.see("the end", |screen| {
            let text = screen.contents();
            let (_, rest) = text.split_once("over ")?;
            rest.split_whitespace().next()?.parse::<i32>().ok()
        });
        let screen = self.terminal.parser.screen();
        assert_eq!(status, 0, "{}", screen.contents());
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        assert!(screen.contents().contains("flockscope -p "), "{}", screen.contents());
        assert!(is_cooked(&self.terminal));
        self.tidy_up();
        self.write(b"\n");
        assert_eq!(self.terminal.end().0, 0);
    }
}

impl Drop for SimulatedUser {
    /// After a failure, prints the recent actions.
    fn drop(&mut self) {
        if thread::panicking() {
            for (at, action) in &self.done {
                eprintln!("{:9.3} s  {}: {:?}", at.as_secs_f64(), action.name, action.steps);
            }
            let complaints = fs::read_to_string(self.home.path().join("complaints")).unwrap_or_default();
            eprintln!("after {:?}; the screen shows\n{}\n{complaints}", self.begun.elapsed(), self.terminal.text());
            if self.viewer.lives() {
                kill("KILL", self.viewer);
            }
        }
    }
}

fn kill(signal: &str, process: Process) {
    let status = Command::new("kill").args([&format!("-{signal}"), &process.0.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()), "kill -{signal}");
}

/// Number of boids in the panel.
fn crowd(screen: &str) -> Option<u64> {
    let line = screen.lines().find(|line| line.contains(" boids") && line.contains("seed "))?;
    let (before, _) = line.split_once(" boids")?;
    let figure = before.rsplit('│').next()?;
    figure.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}
