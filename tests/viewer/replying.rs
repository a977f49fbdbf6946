//! A pseudo-terminal that runs flockscope and replies to its requests, at once or late.

use std::fmt::Debug;
use std::io::{Read, Write};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::{number_after, shell_status, size, viewer};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Timeout for every wait. A loaded machine is slow.
pub const TIMEOUT: Duration = Duration::from_secs(20);
/// Polling interval.
pub const LOOK: Duration = Duration::from_millis(5);
/// Between the two halves of a reply.
const GAP: Duration = Duration::from_millis(20);

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
pub const ASK: &str = "\x1b[6n";
/// No searched text is longer.
const LONGEST: usize = 16;

/// How a terminal replies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReplyMode {
    AtOnce,
    After(Duration),
    /// In two halves.
    Split,
    Twice,
    Never,
}

/// Requests other than for the cursor position at the start of a row, each with the terminal's reply.
pub type Replies<'a> = &'a [(&'static str, &'static str)];

/// The requests for the widths of characters, with the replies of a terminal that shows each in one cell: braille, octants, and
/// lines, arrows, marks and blocks, whose width is ambiguous.
pub const WIDTHS: [(&str, &str); 6] = [
    ("\r \u{283f}\x1b[6n", "\x1b[2;3R"),
    ("\r \u{1cd00}\x1b[6n", "\x1b[2;3R"),
    ("\r ─\x1b[6n", "\x1b[2;3R"),
    ("\r →\x1b[6n", "\x1b[2;3R"),
    ("\r ●\x1b[6n", "\x1b[2;3R"),
    ("\r ▀\x1b[6n", "\x1b[2;3R"),
];

/// A reply on its way.
struct Answer {
    due: Instant,
    text: String,
    mode: ReplyMode,
    /// The frame that it acknowledges, counted from 1, if it does.
    frame: Option<usize>,
}

/// What has come from the viewer, and what became of it.
pub struct Session {
    mode: ReplyMode,
    replies: Vec<(&'static str, &'static str)>,
    pub output: Vec<u8>,
    /// So far the output has been searched.
    searched: usize,
    /// Times and sizes of received chunks.
    pub chunks: Vec<(Instant, usize)>,
    pub begins: usize,
    pub frames: usize,
    pub asked: usize,
    pub answered: usize,
    /// Maximum number of frames in flight.
    pub most: usize,
    closed: bool,
}

impl Session {
    /// Takes output, and returns the replies to its queries.
    fn receive(&mut self, bytes: &[u8]) -> Vec<Answer> {
        let now = Instant::now();
        self.output.extend_from_slice(bytes);
        self.chunks.push((now, bytes.len()));
        let due = if let ReplyMode::After(time) = self.mode { now + time } else { now };
        let mut answers = Vec::new();
        while let Some(rest) = self.output.get(self.searched..).filter(|rest| !rest.is_empty()) {
            let searched = [BEGIN, END, ASK].into_iter().chain(self.replies.iter().map(|(query, _)| *query));
            if rest.len() < LONGEST && searched.into_iter().any(|text| text.len() > rest.len() && is_part(rest, text)) {
                break;
            }
            let mut answer = |text: String, frame| answers.push(Answer { due, text, mode: self.mode, frame });
            if let Some((query, reply)) = self.replies.iter().find(|(query, _)| rest.starts_with(query.as_bytes())) {
                answer((*reply).to_owned(), None);
                self.searched += query.len();
                continue;
            } else if rest.starts_with(ASK.as_bytes()) {
                let row = row_before(&self.output[..self.searched]);
                self.asked += 1;
                self.most = self.most.max(self.asked - self.answered);
                answer(format!("\x1b[{row};1R"), Some(self.asked));
            } else if rest.starts_with(BEGIN.as_bytes()) {
                self.begins += 1;
            } else if rest.starts_with(END.as_bytes()) {
                self.frames += 1;
            }
            self.searched += 1;
        }
        answers
    }

    /// A number that grows with each frame, and the number of synchronized updates.
    pub fn counts(&self) -> (usize, usize) {
        (self.asked.max(self.frames), self.begins)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// Whether a text starts like this.
fn is_part(part: &[u8], text: &str) -> bool {
    text.as_bytes().starts_with(part)
}

/// The row of the last cursor movement.
fn row_before(text: &[u8]) -> u16 {
    let start = text.iter().rposition(|byte| *byte == 0x1b).expect("the cursor goes somewhere first");
    let movement = str::from_utf8(&text[start..]).unwrap();
    let row = movement.strip_prefix("\x1b[").and_then(|rest| rest.strip_suffix('H'));
    let row = row.unwrap_or_else(|| panic!("it goes to the start of a row, not {movement:?}"));
    if row.is_empty() { 1 } else { row.parse().unwrap() }
}

type Keys = Arc<Mutex<Box<dyn Write + Send>>>;

/// A terminal that runs flockscope and replies to queries.
pub struct Terminal {
    _master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Keys,
    replies: Sender<Answer>,
    session: Arc<Mutex<Session>>,
    parser: vt100::Parser,
    /// Output parsed so far.
    parsed: usize,
}

/// Writes the parts with a pause between them, and nothing else in between.
fn write(keys: &Keys, parts: &[&str]) {
    let mut keys = keys.lock().unwrap();
    for (number, part) in parts.iter().enumerate() {
        if number > 0 {
            thread::sleep(GAP);
        }
        // A closed terminal accepts nothing.
        let _ = keys.write_all(part.as_bytes()).and_then(|()| keys.flush());
    }
}

impl Terminal {
    pub fn new(mode: ReplyMode, args: &[&str]) -> Self {
        Self::with(mode, &[], viewer(args))
    }

    pub fn with(mode: ReplyMode, replies: Replies<'_>, command: CommandBuilder) -> Self {
        let (columns, rows) = (100, 30);
        let pty_size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(pty_size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let session = Arc::new(Mutex::new(Session {
            mode,
            // The first reply to a request counts.
            replies: replies.iter().chain(&WIDTHS).copied().collect(),
            output: Vec::new(),
            searched: 0,
            chunks: Vec::new(),
            begins: 0,
            frames: 0,
            asked: 0,
            answered: 0,
            most: 0,
            closed: false,
        }));
        let keys: Keys = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let replies = send_replies(Arc::clone(&session), Arc::clone(&keys));
        listen(pair.master.try_clone_reader().unwrap(), Arc::clone(&session), replies.clone());
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        Self { _master: pair.master, child, keys, replies, session, parser, parsed: 0 }
    }

    pub fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap()
    }

    /// Numbers of queries and of frames.
    pub fn counts(&self) -> (usize, usize) {
        let session = self.session();
        (session.asked, session.frames)
    }

    /// Opens each box over the flock in turn; the last one stays open.
    pub fn open_every_box(&mut self) {
        self.press("?");
        self.wait_for_text("Select the parameter above.");
        self.press("?y");
        self.wait_for_text("command for this flock");
        self.press("y0");
        self.wait_for_text(" presets ");
    }

    pub fn press(&self, keys: &str) {
        write(&self.keys, &[keys]);
    }

    /// Presses keys after all replies that are on their way.
    pub fn press_last(&self, keys: &str) {
        let last = Answer { due: Instant::now(), text: keys.to_owned(), mode: ReplyMode::AtOnce, frame: None };
        self.replies.send(last).unwrap();
    }

    pub fn answer(&self, mode: ReplyMode) {
        self.session().mode = mode;
    }

    pub fn screen(&mut self) -> String {
        self.cells().contents()
    }

    /// The screen with its colors and modes.
    pub fn cells(&mut self) -> &vt100::Screen {
        let session = self.session.lock().unwrap();
        self.parser.process(&session.output[self.parsed..]);
        self.parsed = session.output.len();
        drop(session);
        self.parser.screen()
    }

    /// Waits until there is an answer, and returns it.
    pub fn wait_for<T>(&mut self, what: &str, answer: impl Fn(&str, &Session) -> Option<T>) -> T {
        let end = Instant::now() + TIMEOUT;
        loop {
            let screen = self.screen();
            if let Some(answer) = answer(&screen, &self.session()) {
                return answer;
            }
            assert!(Instant::now() < end, "{what} does not come; the screen shows\n{screen}");
            thread::sleep(LOOK);
        }
    }

    /// Waits until this is read from the screen with its colors.
    pub fn wait_to_read<T: PartialEq + Debug>(&mut self, what: &str, wanted: &T, read: impl Fn(&vt100::Screen) -> T) {
        let end = Instant::now() + TIMEOUT;
        loop {
            let now = read(self.cells());
            if now == *wanted {
                return;
            }
            assert!(Instant::now() < end, "{what}: {now:?} and not {wanted:?}; the screen shows\n{}", self.screen());
            thread::sleep(LOOK);
        }
    }

    pub fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen, _| screen.contains(text).then_some(()));
    }

    /// Waits for this many more frames.
    pub fn wait_for_frames(&mut self, count: usize) {
        let before = self.session().frames;
        self.wait_for("another frame", |_, session| (session.frames >= before + count).then_some(()));
    }

    /// Number of frames in this time.
    pub fn frames_in(&self, time: Duration) -> usize {
        let before = self.session().frames;
        thread::sleep(time);
        self.session().frames - before
    }

    pub fn number(&mut self, word: &str) -> u64 {
        self.wait_for(word, |screen, _| number_after(screen, word))
    }

    /// Waits for the program to exit; returns its status and the screen.
    pub fn end(&mut self) -> (u32, String) {
        let end = Instant::now() + TIMEOUT;
        while self.child.try_wait().unwrap().is_none() || !self.session().closed {
            let screen = self.screen();
            assert!(Instant::now() < end, "it does not end; the screen shows\n{screen}");
            thread::sleep(LOOK);
        }
        (shell_status(&self.child.wait().unwrap()), self.screen())
    }

    /// Closes popups, quits, and returns the whole output.
    pub fn quit(&mut self) -> String {
        self.press("\x03");
        let (status, text) = self.end();
        assert_eq!(status, 0, "{text}");
        self.session().text()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// Reads the viewer's output.
fn listen(mut reader: Box<dyn Read + Send>, session: Arc<Mutex<Session>>, reply_sender: Sender<Answer>) {
    thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            for answer in session.lock().unwrap().receive(&bytes[..count]) {
                let _ = reply_sender.send(answer);
            }
        }
        session.lock().unwrap().closed = true;
    });
}

/// Sends replies, one after the other.
fn send_replies(session: Arc<Mutex<Session>>, keys: Keys) -> Sender<Answer> {
    let (reply_sender, answers) = mpsc::channel::<Answer>();
    thread::spawn(move || {
        for Answer { due, text, mode, frame } in answers {
            if mode == ReplyMode::Never {
                continue;
            }
            thread::sleep(due.saturating_duration_since(Instant::now()));
            if let Some(frame) = frame {
                session.lock().unwrap().answered = frame;
            }
            match mode {
                ReplyMode::Split => write(&keys, &[&text[..3], &text[3..]]),
                ReplyMode::Twice => write(&keys, &[&text.repeat(2)]),
                _ => write(&keys, &[&text]),
            }
        }
    });
    reply_sender
}
