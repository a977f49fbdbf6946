//! Somebody who sits before the viewer: does what the dice say, and looks it over now and then.

use std::collections::VecDeque;
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::deed::{CONT, Deed, Halt, Manner, Step, TSTP, escape};
use super::health::Process;
use crate::terminal::{SHOW_AFTER, Terminal, is_cooked, viewer};

/// The viewer as a job, as a shell has it: where SIGSTOP (147) or SIGTSTP (148) stops it, it is let go on as soon as
/// a line is typed; in the end its status is told. No loop: a stopped job ends those of bash.
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
/// How many deeds are told of where one went wrong.
const TOLD: usize = 200;
/// How many boids there may be: the machine is not ours alone.
const CROWD: u64 = 8000;
/// The window that is looked at.
pub const SIZE: (u16, u16) = (120, 40);

pub struct Guest {
    pub terminal: Terminal,
    pub viewer: Process,
    pub home: TempDir,
    pub begun: Instant,
    pub manner: Manner,
    /// What the terminal is still to answer, and when.
    answers: VecDeque<(Instant, String)>,
    halts: usize,
    done: VecDeque<(Duration, Deed)>,
}

impl Guest {
    /// Starts the viewer in a folder of its own, with settings of its own.
    pub fn sit_down() -> Self {
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
        let mut guest = Self {
            viewer: Process(terminal.child.process_id().unwrap()),
            terminal,
            home,
            begun: Instant::now(),
            manner: Manner::AtOnce,
            answers: VecDeque::new(),
            halts: 0,
            done: VecDeque::new(),
        };
        guest.see("the flock", |screen| screen.contents().contains("▶ flying").then_some(()));
        guest.viewer = guest.viewer.child().expect("the shell's job");
        guest
    }

    /// Does something, and sees that the viewer has lived through it.
    pub fn carry_out(&mut self, deed: Deed) {
        let steps = deed.steps.clone();
        self.done.push_back((self.begun.elapsed(), deed));
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
            // Nobody knows what the palette has marked: it may be to quit.
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

    /// Reads and answers for a while, as a terminal does.
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

    /// Answers what has been asked, as far as it is time.
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

    /// Lives until the screen is as it is to be.
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
        // What it has nothing to say to may well end it.
        if name == "WINCH" || self.viewer.answers(number) {
            kill(name, self.viewer);
        }
    }

    /// Has the viewer stopped, sees that the shell has its terminal, and lets it go on.
    pub fn halt(&mut self, halt: Halt) {
        let halt = match halt {
            Halt::Asked if !self.viewer.answers(TSTP) => Halt::Key,
            // Who is not told that it goes on cannot take the terminal again.
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
            assert!(!screen.alternate_screen() && !screen.hide_cursor(), "a screen that is not given back");
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
            assert!(is_cooked(&self.terminal), "modes that are not given back");
        }
        self.write(b"\n");
        self.see("the viewer's screen", |screen| {
            (screen.alternate_screen() && !screen.contents().contains(&word)).then_some(())
        });
    }

    /// Quits, and sees that all is as it was found.
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

impl Drop for Guest {
    /// Where something went wrong, tells what was done before.
    fn drop(&mut self) {
        if thread::panicking() {
            for (at, deed) in &self.done {
                eprintln!("{:9.3} s  {}: {:?}", at.as_secs_f64(), deed.name, deed.steps);
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

/// How many boids the panel tells of.
fn crowd(screen: &str) -> Option<u64> {
    let line = screen.lines().find(|line| line.contains(" boids") && line.contains(" u"))?;
    let (before, _) = line.split_once(" boids")?;
    let figure = before.rsplit('│').next()?;
    figure.chars().filter(char::is_ascii_digit).collect::<String>().parse().ok()
}
