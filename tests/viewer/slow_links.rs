//! Contract: pacing with terminals that acknowledge frames, that do not, and with
//! limited terminals.

use std::thread;
use std::time::{Duration, Instant};

use crate::replying::{LOOK, Replies, ReplyMode, TIMEOUT, Terminal, WIDTHS};
use crate::terminal::{number_after, viewer};
use flockscope::picture::Charset;
use flockscope::picture::UnicodeWidthChar;

/// A cheap flock, at a rate that every machine sustains.
const SMALL: [&str; 6] = ["-s", "5", "-n", "200", "--fps", "20"];

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
    for word in ["drones", "seed 5", "97 boids", "6 predators", "running", "neon"] {
        assert!(screen.contains(word), "{word}\n{screen}");
    }
    // Every action shows a message in the status line or opens a box; neither is visible.
    assert!(screen.lines().last().is_some_and(|line| line.contains("t/s")), "{screen}");
    // The border of the world has one such corner.
    assert!(screen.matches('┌').count() <= 1 && !screen.contains('╭'), "{screen}");
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
        let screen = terminal.cells();
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
    let pause = Instant::now();
    terminal.press(" ");
    terminal.wait_for_text("paused");
    // Cells that do not fit into a frame come with the next ones.
    terminal.wait_for("the status line", |screen, _| {
        let last = screen.lines().last()?.trim_end();
        let rest = last.strip_prefix(" ‖ paused  tick ")?;
        rest.contains("  0/60 t/s  ? help  q quit  Space resume  ").then_some(())
    });
    let screen = terminal.screen();
    for word in ["starlings", "dawn", "seed 5", "2 200 boids", "separation"] {
        assert!(screen.contains(word), "{word}\n{screen}");
    }
    let chunks = terminal.session().chunks.clone();
    let second = |start: Instant| -> usize {
        let inside = chunks.iter().filter(|(at, _)| (start..start + Duration::from_secs(1)).contains(at));
        inside.map(|(_, bytes)| bytes).sum()
    };
    let most = chunks.iter().map(|(at, _)| second(*at)).max().unwrap();
    let running = chunks.iter().filter(|(at, _)| *at + Duration::from_secs(1) <= pause);
    let mut seconds: Vec<usize> = running.map(|(at, _)| second(*at)).collect();
    seconds.sort_unstable();
    let usual = seconds[seconds.len() / 2];
    // 10 % more than the limit: bytes are counted when they are read, which may be later than they were sent.
    assert!(most <= 22_000, "{most}");
    // The limit is effective, not just a flock that needs less. On a loaded machine a single second may have fewer bytes.
    assert!(usual >= 10_000, "{usual}");
    terminal.quit();
}

#[test]
fn the_default_theme_suits_the_background_of_the_terminal() {
    const QUESTION: &str = "\x1b]11;?\x1b\\";
    const WHITE: Replies = &[(QUESTION, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\")];
    const SHORT: Replies = &[(QUESTION, "\x1b]11;rgb:ff/ff/ff\x07")];
    const BLACK: Replies = &[(QUESTION, "\x1b]11;rgb:1000/1000/1000\x1b\\")];
    for (mode, replies, args, shown) in [
        (ReplyMode::AtOnce, WHITE, &["--no-sky"][..], "dawn"),
        (ReplyMode::AtOnce, SHORT, &["--no-sky"], "dawn"),
        (ReplyMode::Split, WHITE, &["--no-sky"], "dawn"),
        (ReplyMode::AtOnce, BLACK, &["--no-sky"], "moon"),
        (ReplyMode::AtOnce, WHITE, &[], "dawn"),
        (ReplyMode::AtOnce, WHITE, &["-t", "dusk"], "dusk"),
    ] {
        let mut terminal = Terminal::with(mode, replies, viewer(&[&SMALL[..], args].concat()));
        if shown == "dawn" {
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
    let odd: String = text.chars().filter(|sign| Charset::Console.substitute(*sign) != *sign).collect();
    assert!(odd.is_empty(), "{odd}");
}

#[test]
fn characters_that_take_two_cells_are_replaced() {
    let wide: Vec<_> = WIDTHS[2..].iter().map(|(request, _)| (*request, "\x1b[2;4R")).collect();
    // Without a locale the widths are requested while the first acknowledgement is on its way.
    let without_locale = [("\x1b[2H\u{283f}\x1b[6n", "\x1b[2;2R")];
    for (has_locale, replies) in [(true, wide.clone()), (false, [&without_locale[..], &wide].concat())] {
        let mut command = viewer(&SMALL);
        if !has_locale {
            command.env_remove("LANG");
        }
        let mut terminal = Terminal::with(ReplyMode::AtOnce, &replies, command);
        terminal.wait_for_frames(20);
        terminal.open_every_box();
        terminal.press("0");
        terminal.wait_for_frames(3);
        let text = terminal.quit();
        let (_, text) = text.split_once("\r ▀\x1b[6n").unwrap();
        let odd: String = text.chars().filter(|sign| sign.width() != sign.width_cjk()).collect();
        let has_braille = text.contains(|sign: char| ('\u{2801}'..='\u{28ff}').contains(&sign));
        assert!(odd.is_empty() && has_braille, "locale: {has_locale}: {odd}");
    }
}

#[test]
fn a_terminal_that_does_not_decode_utf8_gets_ascii_against_the_locale() {
    let bytes = WIDTHS.map(|(request, _)| (request, "\x1b[2;5R"));
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &bytes, viewer(&SMALL));
    terminal.wait_for_frames(20);
    terminal.open_every_box();
    let text = terminal.quit();
    let (_, text) = text.split_once("\r ▀\x1b[6n").unwrap();
    assert!(text.is_ascii(), "{text}");
}

#[test]
fn glyphs_that_the_terminal_drops_are_not_used() {
    let none = [(WIDTHS[1].0, "\x1b[2;2R")];
    let mut terminal = Terminal::with(ReplyMode::AtOnce, &none, viewer(&[&SMALL[..], &["-m", "octant"]].concat()));
    terminal.wait_for_text("does not show the glyphs octant: braille instead");
    for name in ["half blocks", "ASCII", "braille", "half blocks"] {
        terminal.press("m");
        terminal.wait_for_text(&format!("glyphs: {name}"));
    }
    let text = terminal.quit();
    let (_, text) = text.split_once("\r ▀\x1b[6n").unwrap();
    assert!(!text.contains(|sign: char| ('\u{1cd00}'..='\u{1cdff}').contains(&sign)));
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
