//! Contract: pacing with terminals that acknowledge frames, that do not, and with
//! limited terminals.

use std::io::{Read, Write};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::{number_after, size, viewer};
use flockscope::terminal::Charset;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Timeout for every wait. A loaded machine is slow.
const TIMEOUT: Duration = Duration::from_secs(20);
/// Polling interval.
const LOOK: Duration = Duration::from_millis(5);
/// Between the two halves of a reply.
const GAP: Duration = Duration::from_millis(20);

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
const ASK: &str = "\x1b[6n";
/// No searched text is longer.
const LONGEST: usize = 16;

/// A cheap flock, at a rate that every machine sustains.
const SMALL: [&str; 6] = ["-s", "5", "-n", "200", "--fps", "20"];

/// How a terminal replies.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ReplyMode {
    AtOnce,
    After(Duration),
    /// In two halves.
    Split,
    Twice,
    Never,
}

/// Queries other than for the cursor position, each with the terminal's reply.
type Replies = &'static [(&'static str, &'static str)];

/// A reply on its way.
struct Answer {
    due: Instant,
    text: String,
    mode: ReplyMode,
    /// The frame that it acknowledges, counted from 1, if it does.
    frame: Option<usize>,
}

/// What has come from the viewer, and what became of it.
struct Session {
    mode: ReplyMode,
    replies: Replies,
    output: Vec<u8>,
    /// So far the output has been searched.
    searched: usize,
    /// Times and sizes of received chunks.
    chunks: Vec<(Instant, usize)>,
    begins: usize,
    frames: usize,
    asked: usize,
    answered: usize,
    /// Maximum number of frames in flight.
    most: usize,
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
            if rest.starts_with(ASK.as_bytes()) {
                let row = row_before(&self.output[..self.searched]);
                self.asked += 1;
                self.most = self.most.max(self.asked - self.answered);
                answer(format!("\x1b[{row};1R"), Some(self.asked));
            } else if rest.starts_with(BEGIN.as_bytes()) {
                self.begins += 1;
            } else if rest.starts_with(END.as_bytes()) {
                self.frames += 1;
            } else if let Some((_, reply)) = self.replies.iter().find(|(query, _)| rest.starts_with(query.as_bytes())) {
                answer((*reply).to_owned(), None);
            }
            self.searched += 1;
        }
        answers
    }

    fn text(&self) -> String {
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
struct Terminal {
    _master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keys: Keys,
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
    fn new(mode: ReplyMode, args: &[&str]) -> Self {
        Self::with(mode, &[], viewer(args))
    }

    fn with(mode: ReplyMode, replies: Replies, command: CommandBuilder) -> Self {
        let (columns, rows) = (100, 30);
        let pty_size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(pty_size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let session = Arc::new(Mutex::new(Session {
            mode,
            replies,
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
        let reply_sender = send_replies(Arc::clone(&session), Arc::clone(&keys));
        listen(pair.master.try_clone_reader().unwrap(), Arc::clone(&session), reply_sender);
        let parser = vt100::Parser::new(size(rows), size(columns), 0);
        Self { _master: pair.master, child, keys, session, parser, parsed: 0 }
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap()
    }

    /// Numbers of queries and of frames.
    fn counts(&self) -> (usize, usize) {
        let session = self.session();
        (session.asked, session.frames)
    }

    /// Opens each box over the flock in turn; the last one stays open.
    fn open_every_box(&mut self) {
        self.press("?");
        self.wait_for_text("Select the parameter above.");
        self.press("?y");
        self.wait_for_text("command for this flock");
        self.press("y0");
        self.wait_for_text(" presets ");
    }

    fn press(&self, keys: &str) {
        write(&self.keys, &[keys]);
    }

    fn answer(&self, mode: ReplyMode) {
        self.session().mode = mode;
    }

    fn screen(&mut self) -> String {
        let session = self.session.lock().unwrap();
        self.parser.process(&session.output[self.parsed..]);
        self.parsed = session.output.len();
        drop(session);
        self.parser.screen().contents()
    }

    /// Waits until there is an answer, and returns it.
    fn wait_for<T>(&mut self, what: &str, answer: impl Fn(&str, &Session) -> Option<T>) -> T {
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

    fn wait_for_text(&mut self, text: &str) {
        self.wait_for(text, |screen, _| screen.contains(text).then_some(()));
    }

    /// Waits for this many more frames.
    fn wait_for_frames(&mut self, count: usize) {
        let before = self.session().frames;
        self.wait_for("another frame", |_, session| (session.frames >= before + count).then_some(()));
    }

    /// Number of frames in this time.
    fn frames_in(&self, time: Duration) -> usize {
        let before = self.session().frames;
        thread::sleep(time);
        self.session().frames - before
    }

    fn number(&mut self, word: &str) -> u64 {
        self.wait_for(word, |screen, _| number_after(screen, word))
    }

    /// Waits for the program to exit; returns its status and the screen.
    fn end(&mut self) -> (u32, String) {
        let end = Instant::now() + TIMEOUT;
        while self.child.try_wait().unwrap().is_none() || !self.session().closed {
            let screen = self.screen();
            assert!(Instant::now() < end, "it does not end; the screen shows\n{screen}");
            thread::sleep(LOOK);
        }
        (self.child.wait().unwrap().exit_code(), self.screen())
    }

    /// Quits, whatever is open, and returns the whole output.
    fn quit(&mut self) -> String {
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

fn theme(screen: &str) -> &str {
    screen.lines().next().unwrap_or_default().trim_end().rsplit(' ').next().unwrap_or_default()
}

#[test]
fn with_fast_replies_frames_flow_and_a_paused_flock_costs_nothing() {
    let mut terminal = Terminal::new(ReplyMode::AtOnce, &SMALL);
    terminal.wait_for_frames(30);
    let (asked, frames) = terminal.counts();
    // The first query belongs to no frame.
    assert!(asked.abs_diff(frames) <= 2, "every frame asks: {asked} {frames}");
    terminal.press(" ");
    terminal.wait_for_text("paused");
    terminal.wait_for_text(" 0/60 t/s");
    // The throughput display settles; then nothing is written.
    thread::sleep(Duration::from_millis(2500));
    let before = terminal.session().output.len();
    thread::sleep(Duration::from_secs(1));
    let more = terminal.session().output[before..].to_vec();
    assert!(more.is_empty(), "{:?}", String::from_utf8_lossy(&more));
    terminal.press(" ");
    terminal.wait_for_text("running");
    terminal.wait_for_frames(10);
    terminal.quit();
}

/// With any form of reply, no key is lost, none is invented, and frames continue.
fn keys_are_keys(mode: ReplyMode) {
    let mut terminal = Terminal::new(mode, &["-p", "drones", "-s", "5", "--predators", "1", "--fps", "20"]);
    terminal.wait_for_text("1 predator ");
    terminal.wait_for_frames(20);
    // While replies arrive.
    for count in 2..=6 {
        terminal.press("p");
        terminal.wait_for_text(&format!("{count} predators"));
    }
    let tick = terminal.number("tick ");
    terminal.wait_for_frames(20);
    terminal.wait_for("later ticks", |screen, _| number_after(screen, "tick ").filter(|now| *now > tick));
    let screen = terminal.screen();
    for word in ["drones", "seed 5", "97 boids", "6 predators", "running", "afterglow"] {
        assert!(screen.contains(word), "{word}\n{screen}");
    }
    // Every action shows a message in the status line or opens a box; neither is visible.
    assert!(screen.lines().last().is_some_and(|line| line.contains("t/s")), "{screen}");
    assert!(!screen.contains('┌') && !screen.contains('╭'), "{screen}");
    // Restarted as it is, the flock has an exact command.
    terminal.press("R");
    let text = terminal.quit();
    assert!(text.contains("flockscope -p drones -s 5 ") && text.contains("--predators 6"), "{}", terminal.screen());
    assert!(!text.contains("--set"), "no rule was touched: {}", terminal.screen());
}

#[test]
fn split_replies_are_not_keys() {
    keys_are_keys(ReplyMode::Split);
}

#[test]
fn duplicate_replies_are_not_keys() {
    keys_are_keys(ReplyMode::Twice);
}

#[test]
fn a_silent_terminal_gets_all_frames_and_no_more_queries() {
    let mut terminal = Terminal::new(ReplyMode::Never, &SMALL);
    terminal.wait_for_text("tick ");
    thread::sleep(Duration::from_millis(1500));
    let asked = terminal.session().asked;
    let frames = terminal.frames_in(Duration::from_secs(2));
    assert!(frames >= 10, "{frames}");
    assert_eq!(terminal.session().asked, asked);
    terminal.quit();
}

#[test]
fn late_replies_limit_the_frames_in_flight() {
    let mut terminal = Terminal::new(ReplyMode::After(Duration::from_millis(300)), &SMALL);
    terminal.wait_for_frames(20);
    let frames = terminal.frames_in(Duration::from_secs(3));
    assert!(frames >= 12, "{frames}");
    // At 20 frames per second, 0.3 s in flight; on a loaded machine 0.35.
    let most = terminal.session().most;
    assert!(most <= 8, "{most}");
    terminal.quit();
}

#[test]
fn a_terminal_that_stops_replying_is_probed_once_per_second() {
    let mut terminal = Terminal::new(ReplyMode::AtOnce, &SMALL);
    terminal.wait_for_frames(20);
    for turn in 0..2 {
        terminal.answer(ReplyMode::Never);
        // A silence this short may be a delay.
        thread::sleep(Duration::from_millis(2800));
        let frames = terminal.frames_in(Duration::from_secs(4));
        assert!((1..=5).contains(&frames), "{frames}");
        if turn == 0 {
            terminal.press(" ");
            terminal.wait_for_text("paused");
            terminal.press(" ");
            terminal.wait_for_text("running");
            terminal.answer(ReplyMode::AtOnce);
            terminal.wait_for_frames(20);
        }
    }
    let begun = Instant::now();
    terminal.quit();
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

/// Waits until the screen has colors, or has none. They return step by step, each after some seconds.
fn wait_for_colors(terminal: &mut Terminal, colored: bool) {
    let end = Instant::now() + 3 * TIMEOUT;
    loop {
        terminal.screen();
        let screen = terminal.parser.screen();
        let cells = (0..30).flat_map(|row| (0..100).filter_map(move |column| screen.cell(row, column)));
        // The foreground of a blank is invisible, and not rewritten.
        let visible = cells.filter(|cell| !cell.contents().trim().is_empty());
        let count = visible.filter(|cell| matches!(cell.fgcolor(), vt100::Color::Rgb(..))).count();
        if (count > 20) == colored {
            return;
        }
        assert!(Instant::now() < end, "colors: {colored}, in {count} cells");
        thread::sleep(LOOK);
    }
}

#[test]
fn a_paused_screen_regains_its_colors() {
    let mut terminal = Terminal::new(ReplyMode::AtOnce, &SMALL);
    terminal.wait_for_frames(20);
    wait_for_colors(&mut terminal, true);
    terminal.answer(ReplyMode::Never);
    wait_for_colors(&mut terminal, false);
    terminal.press(" ");
    terminal.wait_for_text("paused");
    terminal.answer(ReplyMode::AtOnce);
    wait_for_colors(&mut terminal, true);
    terminal.wait_for_text("paused");
    terminal.quit();
}

/// Lets the viewer exit in a shell, with late replies, and returns the input left for the shell.
fn left_for_the_shell(args: &[&str], key: Option<&str>) -> String {
    // In raw mode, read everything that arrives within a second.
    const SCRIPT: &str = "\"$@\"; stty -icanon -echo min 0 time 10; echo \"got:$(cat | od -An -c):\"";
    let mut shell = viewer(args);
    let call = ["sh", "-c", SCRIPT, "sh"].map(Into::into).into_iter().chain(shell.get_argv().clone());
    *shell.get_argv_mut() = call.collect();
    let replies: Replies = &[
        ("\x1b[?2026$p", "\x1b[?2026;2$y"),
        ("\x1b]11;?\x1b\\", "\x1b]11;rgb:0000/0000/0000\x1b\\"),
        ("\x1bP$qm\x1b\\", "\x1bP1$r48:2:1:2:3m\x1b\\"),
        ("\x1b[c", "\x1b[?62;22c"),
    ];
    let mut terminal = Terminal::with(ReplyMode::After(Duration::from_millis(100)), replies, shell);
    if let Some(key) = key {
        terminal.wait_for_frames(20);
        terminal.press(key);
    }
    let screen = terminal.wait_for("the rest", |screen, _| {
        let rest = screen.split("got:").nth(1)?;
        rest.contains(':').then(|| screen.to_owned())
    });
    assert_eq!(terminal.end().0, 0);
    assert!(!screen.contains("^["), "an answer is shown as it would be typed\n{screen}");
    screen.split("got:").nth(1).unwrap().trim().trim_end_matches(':').trim().to_owned()
}

#[test]
fn late_replies_are_not_left_to_the_shell() {
    assert_eq!(left_for_the_shell(&SMALL, Some("q")), "");
}

#[test]
fn quitting_before_the_first_reply_leaves_none() {
    assert_eq!(left_for_the_shell(&["-s", "5", "-n", "200", "--duration", "20ms"], None), "");
    assert_eq!(left_for_the_shell(&["-s", "5", "-n", "200", "--duration", "80ms"], None), "");
}

#[test]
fn the_bandwidth_limit_holds_in_every_second() {
    let mut terminal = Terminal::new(ReplyMode::AtOnce, &["-s", "5", "--bandwidth", "20K"]);
    terminal.wait_for_text("running");
    thread::sleep(Duration::from_secs(5));
    terminal.press(" ");
    terminal.wait_for_text("paused");
    // Cells that do not fit into a frame come with the next ones.
    terminal.wait_for("the status line", |screen, _| {
        let last = screen.lines().last()?.trim_end();
        let rest = last.strip_prefix(" ‖ paused  tick ")?;
        rest.contains("  0/60 t/s  ? help  q quit  Space resume  ").then_some(())
    });
    let screen = terminal.screen();
    for word in ["starlings", "afterglow", "seed 5", "2 200 boids", "separation"] {
        assert!(screen.contains(word), "{word}\n{screen}");
    }
    let chunks = terminal.session().chunks.clone();
    let second = |start: Instant| -> usize {
        let inside = chunks.iter().filter(|(at, _)| (start..start + Duration::from_secs(1)).contains(at));
        inside.map(|(_, bytes)| bytes).sum()
    };
    let seconds: Vec<usize> = chunks.iter().map(|(at, _)| second(*at)).collect();
    let (least, most) = (seconds[..seconds.len() / 2].iter().min().unwrap(), seconds.iter().max().unwrap());
    // 10 % more than the limit: bytes are counted when they are read, which may be later than they were sent.
    assert!(*most <= 22_000, "{most}");
    // The limit is effective, not just a flock that needs less.
    assert!(*least >= 8_000, "{least}");
    terminal.quit();
}

#[test]
fn synchronized_output_is_used_only_if_supported() {
    for (says, keeps) in [("\x1b[?2026;0$y", false), ("\x1b[?2026;2$y", true)] {
        let replies: Replies =
            if keeps { &[("\x1b[?2026$p", "\x1b[?2026;2$y")] } else { &[("\x1b[?2026$p", "\x1b[?2026;0$y")] };
        let mut terminal = Terminal::with(ReplyMode::AtOnce, replies, viewer(&SMALL));
        terminal.wait_for_text("tick ");
        thread::sleep(Duration::from_millis(700));
        let begins = terminal.session().begins;
        let (asked, _) = terminal.counts();
        terminal.wait_for("more questions", |_, session| (session.asked >= asked + 20).then_some(()));
        let more = terminal.session().begins - begins;
        assert_eq!(more > 0, keeps, "{says:?}: {more}");
        terminal.quit();
    }
}

#[test]
fn the_default_theme_suits_the_background_of_the_terminal() {
    const QUESTION: &str = "\x1b]11;?\x1b\\";
    const WHITE: Replies = &[(QUESTION, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\")];
    const SHORT: Replies = &[(QUESTION, "\x1b]11;rgb:ff/ff/ff\x07")];
    const BLACK: Replies = &[(QUESTION, "\x1b]11;rgb:1000/1000/1000\x1b\\")];
    for (mode, replies, args, shown) in [
        (ReplyMode::AtOnce, WHITE, &["--no-sky"][..], "day"),
        (ReplyMode::AtOnce, SHORT, &["--no-sky"], "day"),
        (ReplyMode::Split, WHITE, &["--no-sky"], "day"),
        (ReplyMode::AtOnce, BLACK, &["--no-sky"], "dusk"),
        (ReplyMode::AtOnce, WHITE, &[], "afterglow"),
        (ReplyMode::AtOnce, WHITE, &["-t", "dusk"], "dusk"),
    ] {
        let mut terminal = Terminal::with(mode, replies, viewer(&[&SMALL[..], args].concat()));
        if shown == "day" {
            terminal.wait_for(shown, |screen, _| (theme(screen) == shown).then_some(()));
        }
        terminal.wait_for_frames(20);
        assert_eq!(theme(&terminal.screen()), shown, "{mode:?} {replies:?} {args:?}");
        terminal.quit();
    }
}

#[test]
fn a_dumb_terminal_is_rejected() {
    let mut command = viewer(&SMALL);
    command.env("TERM", "dumb");
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &[], command);
    let (status, _) = terminal.end();
    let text = terminal.session().text();
    assert_eq!(status, 1, "{text}");
    assert!(
        text.starts_with("flockscope: the viewer needs a terminal with cursor movement") && text.lines().count() == 1,
        "{text}"
    );
    assert!(!text.contains('\x1b'), "{text:?}");
}

#[test]
fn the_linux_console_gets_half_blocks() {
    let mut command = viewer(&SMALL);
    command.env("TERM", "linux");
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &[], command);
    terminal.wait_for_frames(20);
    assert!(terminal.screen().contains(['▀', '▄', '█']), "{}", terminal.screen());
    // Overlays too.
    terminal.open_every_box();
    terminal.press("0");
    terminal.wait_for_frames(3);
    let text = terminal.quit();
    for question in ["\x1b]11", "\x1bP", "$p", "\x1b[c"] {
        assert!(!text.contains(question), "{question:?}");
    }
    assert!(text.contains(ASK));
    let odd: String = text.chars().filter(|sign| Charset::Console.substitute(*sign) != *sign).collect();
    assert!(odd.is_empty(), "{odd}");
}

#[test]
fn a_locale_of_another_charset_gets_ascii() {
    let mut command = viewer(&SMALL);
    command.env("LC_ALL", "en_US.ISO-8859-1");
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &[], command);
    terminal.wait_for_frames(20);
    terminal.open_every_box();
    terminal.press("0 ");
    terminal.wait_for_text("paused");
    terminal.quit();
    let odd: Vec<u8> = terminal.session().output.iter().copied().filter(|byte| !byte.is_ascii()).collect();
    assert!(odd.is_empty(), "{}", String::from_utf8_lossy(&odd));
}
