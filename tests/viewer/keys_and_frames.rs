//! Contract: in a pseudo-terminal, frames arrive, keys work, the window can be resized,
//! and the terminal is restored.

use std::time::{Duration, Instant};

use crate::terminal;
use crate::terminal::{Terminal, dots, gauge, is_cooked, number_after, viewer};

#[test]
fn frames_arrive_and_the_flock_moves() {
    let mut terminal = Terminal::new(120, 40, &["-s", "1"]);
    terminal.wait_for("dots", |screen| (dots(screen) > 100).then_some(()));
    let (before, picture) = (terminal.tick(), terminal.text());
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > before + 20));
    assert_ne!(terminal.text(), picture);
    for word in ["starlings", "seed 1", "2 200 boids", "2 predators", "separation", "polarization", "running"] {
        assert!(terminal.text().contains(word), "{word}");
    }
    assert_eq!(terminal.parser.callbacks().title, "flockscope");
}

/// Frames per second, measured for half a second at a time until there are as many as wanted.
fn wait_for_frame_rate(terminal: &mut Terminal, what: &str, wanted: impl Fn(f64) -> bool) {
    let end = Instant::now() + terminal::SHOW_AFTER;
    loop {
        terminal.listen();
        let begun = Instant::now();
        terminal.settle(Duration::from_millis(500));
        let rate = terminal.heard().matches("\x1b[?2026h").count() as f64 / begun.elapsed().as_secs_f64();
        if wanted(rate) {
            return;
        }
        assert!(Instant::now() < end, "{what}: {rate} frames a second");
    }
}

const FOCUS_IN: &str = "\x1b[I";
const FOCUS_OUT: &str = "\x1b[O";

#[test]
fn without_the_focus_it_draws_few_frames_and_ticks_as_fast_as_before() {
    for (args, most) in [(&[][..], 12.0), (&["--unfocused-fps", "3"], 5.0)] {
        let mut terminal = Terminal::new(80, 24, &[&["-p", "drones", "-s", "1", "--no-mouse"], args].concat());
        terminal.tick();
        terminal.press(FOCUS_OUT);
        wait_for_frame_rate(&mut terminal, "no focus", |rate| 0.0 < rate && rate <= most);
        let (before, begun) = (terminal.tick(), Instant::now());
        terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > before + 60));
        let heard = terminal.heard().matches("\x1b[?2026h").count() as f64;
        assert!(heard / (0.5 + begun.elapsed().as_secs_f64()) <= most, "{heard} frames for 60 ticks");
        terminal.press(FOCUS_IN);
        wait_for_frame_rate(&mut terminal, "the focus", |rate| rate > 15.0);
        terminal.press(FOCUS_OUT);
        wait_for_frame_rate(&mut terminal, "no focus", |rate| rate <= most);
        // Only a terminal with the focus sends keys.
        terminal.press("x");
        wait_for_frame_rate(&mut terminal, "a key", |rate| rate > 15.0);
    }
}

#[test]
fn walls_and_chosen_frame_rates_ignore_the_focus() {
    for args in [&["--clean"][..], &["--screensaver"], &["--fps", "60"]] {
        let mut terminal = Terminal::new(80, 24, &[&["-p", "drones", "-s", "1"], args].concat());
        terminal.wait_for("dots", |screen| (dots(screen) > 10).then_some(()));
        terminal.press(FOCUS_OUT);
        terminal.settle(Duration::from_millis(200));
        wait_for_frame_rate(&mut terminal, "no focus", |rate| rate > 15.0);
    }
}

#[test]
fn the_color_depth_is_respected() {
    for (args, colored) in [(&["-s", "1"][..], false), (&["-s", "1", "--color", "truecolor"], true)] {
        let mut command = viewer(args);
        command.env("NO_COLOR", "1");
        let mut terminal = Terminal::with(120, 40, command);
        terminal.wait_for("dots", |screen| (dots(screen) > 100).then_some(()));
        let screen = terminal.parser.screen();
        let cells = (0..39).flat_map(|row| (0..94).filter_map(move |column| screen.cell(row, column)));
        let colors = cells.filter(|cell| matches!(cell.fgcolor(), vt100::Color::Rgb(..))).count();
        assert_eq!(colors > 100, colored, "{args:?}: {colors}");
    }
}

#[test]
fn arrows_change_a_gauge_and_the_rule() {
    let mut terminal = Terminal::new(120, 40, &["-p", "drones", "-s", "1"]);
    let read = |screen: &str| gauge(screen, "separation", "weight");
    assert_eq!(terminal.wait_for("the gauge", read), "0.001");
    terminal.press("\x1b[C");
    terminal.wait_for("more", |screen| (read(screen)? == "0.002").then_some(()));
    terminal.press("\x1b[1;2C");
    terminal.wait_for("coarse", |screen| (read(screen)? == "0.016").then_some(()));
    terminal.press("\x1b[1;3D");
    terminal.wait_for("fine", |screen| (read(screen)? == "0.0139").then_some(()));
    // The value came back from the simulation, and the command contains it.
    terminal.press("y");
    terminal.wait_for_text("--set separation.weight=0.0139288");
}

#[test]
fn quit_keys_close_an_open_text_first() {
    let mut terminal = Terminal::of_drones();
    let sign = "flockscope -p drones";
    terminal.press("y");
    terminal.wait_for_text(sign);
    terminal.press("q");
    terminal.wait_for("what was open to be closed", |screen| (!screen.contains(sign)).then_some(()));
    // A typed letter is inserted.
    for (key, title, typed) in [
        ("?", " keys ", "keys: qu▏"),
        ("0", " presets ", "presets: qu▏"),
        ("C", " themes ", "themes: qu▏"),
        (":", "actions, parameters", ":qu▏"),
    ] {
        terminal.press(key);
        terminal.wait_for_text(title);
        terminal.press("qu");
        terminal.wait_for_text(typed);
        terminal.press("\x1b");
        terminal.wait_for("closed", |screen| (!screen.contains(typed)).then_some(()));
    }
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn a_value_is_typed_reset_and_set_to_its_limits() {
    let mut terminal = Terminal::new(120, 40, &["-p", "drones", "-s", "1"]);
    let read = |screen: &str| gauge(screen, "separation", "weight");
    terminal.wait_for_text("separation");
    terminal.press("\r12x");
    terminal.wait_for_text("separation.weight = 12x");
    terminal.press("\x7f.5\r");
    terminal.wait_for("the value", |screen| (read(screen)? == "12.5").then_some(()));
    terminal.press("\x7f");
    terminal.wait_for("the preset's", |screen| (read(screen)? == "0.001").then_some(()));
    terminal.press("\x1b[H");
    terminal.wait_for("the least", |screen| (read(screen)? == "0").then_some(()));
    terminal.press("\r9e9\r");
    terminal.wait_for_text("out of range: expected 0 to 100");
    // The typed text remains for correction.
    terminal.press("\x7f\x7f5\r");
    terminal.wait_for("the corrected value", |screen| (read(screen)? == "95").then_some(()));
    terminal.press("\x1b[3~");
    terminal.wait_for("all the preset's", |screen| (read(screen)? == "0.001").then_some(()));
}

#[test]
fn pause_step_and_step_back_work() {
    let mut terminal = Terminal::new(100, 30, &["-s", "1", "-n", "200", "--view", "heads"]);
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > 10));
    terminal.press(" ");
    terminal.wait_for_text("paused");
    terminal.settle(Duration::from_millis(200));
    let tick = terminal.tick();
    terminal.settle(Duration::from_millis(400));
    assert_eq!(terminal.tick(), tick, "paused");
    terminal.press(".");
    terminal.wait_for("one tick", |screen| number_after(screen, "tick ").filter(|now| *now == tick + 1));
    terminal.press("..");
    terminal.wait_for("two more", |screen| number_after(screen, "tick ").filter(|now| *now == tick + 3));
    terminal.settle(Duration::from_millis(300));
    assert_eq!(terminal.tick(), tick + 3, "no tick but those asked for");
    // Back past the pause, to identical cells, and forward again.
    let flock = |terminal: &Terminal| -> Vec<String> {
        // Erased cells differ from written spaces.
        terminal.parser.screen().rows(0, 72).take(29).map(|row| row.trim_end().to_owned()).collect()
    };
    let now = flock(&terminal);
    terminal.press(",,,,,");
    terminal.wait_for("five back", |screen| number_after(screen, "tick ").filter(|now| *now == tick - 2));
    terminal.settle(Duration::from_millis(300));
    assert!(terminal.tick() == tick - 2 && flock(&terminal) != now);
    terminal.press(".....");
    terminal.wait_for("five on", |screen| number_after(screen, "tick ").filter(|now| *now == tick + 3));
    terminal.settle(Duration::from_millis(300));
    assert_eq!(flock(&terminal), now);
    // Back across a restart, and as far as the first tick.
    terminal.press("R,");
    terminal.wait_for("before the restart", |screen| number_after(screen, "tick ").filter(|now| *now == tick + 2));
    terminal.press(&",".repeat(tick as usize + 3));
    terminal.wait_for_text("tick 0 is the first one");
    terminal.press(" ");
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|now| *now > tick + 10));
}

#[test]
fn nothing_is_written_while_paused() {
    let mut terminal = Terminal::new(100, 30, &["-s", "1", "-n", "200"]);
    terminal.wait_for_text("60/60 t/s");
    terminal.press(" ");
    terminal.wait_for_text(" 0/60 t/s");
    // The throughput display settles, and a loaded machine may restore colors; then nothing is
    // written.
    let end = Instant::now() + terminal::SHOW_AFTER;
    while let Ok(more) = terminal.output.recv_timeout(Duration::from_millis(4500)) {
        assert!(Instant::now() < end, "{:?}", String::from_utf8_lossy(&more));
    }
}

#[test]
fn a_new_flock_has_a_new_seed_and_a_restart_the_same() {
    let mut terminal = Terminal::new(100, 30, &["-s", "11", "-n", "200"]);
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > 30));
    assert_eq!(terminal.seed(), 11);
    terminal.press(" R");
    terminal.wait_for("tick 0", |screen| number_after(screen, "tick ").filter(|tick| *tick == 0));
    assert_eq!(terminal.seed(), 11);
    terminal.press("r");
    terminal.wait_for("another seed", |screen| number_after(screen, "seed ").filter(|seed| *seed != 11));
}

#[test]
fn counts_change() {
    let mut terminal = Terminal::new(100, 30, &["-s", "1", "-n", "100", "--predators", "1"]);
    terminal.wait_for_text("1 predator ");
    terminal.press("pp");
    terminal.wait_for_text("3 predators");
    terminal.press("P");
    terminal.wait_for_text("2 predators");
    terminal.press("++");
    terminal.wait_for_text("121 boids");
    terminal.press("-");
    terminal.wait_for_text("110 boids");
    terminal.press("PPP");
    terminal.wait_for_text("no predators left");
}

#[test]
fn every_key_has_an_effect() {
    let mut terminal = Terminal::new(120, 40, &["-s", "1", "-n", "300"]);
    terminal.tick();
    let open = |screen: &str| screen.contains("Select the parameter above.");
    terminal.press("?");
    terminal.wait_for("help", |screen| open(screen).then_some(()));
    terminal.press("\x1b");
    terminal.wait_for("no help", |screen| (!open(screen)).then_some(()));
    for (keys, shown) in [
        ("t", "theme: sakura"),
        (":previous-theme\r", "theme: dawn"),
        ("c", "coloring: speed"),
        (">", "120 ticks per second"),
        ("<", "60 ticks per second"),
        ("\t", "three colors flow"),
        ("\x1b[Z", "flocks stretch and merge"),
        ("4", "a ball of sardines splits"),
        ("0", " presets "),
        ("\x1b[B\x1b[B\r", "clouds dance around three lamps"),
        ("y", "flockscope -p mosquitoes -s 1"),
    ] {
        terminal.press(keys);
        terminal.wait_for_text(shown);
    }
    terminal.press("\x1b");
    terminal.wait_for("closed", |screen| (!screen.contains("command for this flock")).then_some(()));
    terminal.press("z");
    terminal.wait_for("clean", |screen| (!screen.contains("separation")).then_some(()));
    terminal.press("z");
    terminal.wait_for_text("separation");
}

#[test]
fn a_reply_after_an_escape_is_not_a_key() {
    let mut terminal = Terminal::of_drones();
    let open = |screen: &str| screen.contains("Select the parameter above.");
    for answer in ["\x1b[23;1R", "\x1b[?2026;2$y", "\x1b]11;rgb:1010/1010/1818\x1b\\"] {
        terminal.press("?");
        terminal.wait_for("help", |screen| open(screen).then_some(()));
        // Its digits would select presets, its last letter would restart.
        terminal.press(&format!("\x1b{answer}"));
        terminal.wait_for("no help", |screen| (!open(screen)).then_some(()));
        // A truncated reply takes no key with it.
        terminal.press("\x1b[1;\x1b[23;1R.");
        terminal.wait_for_text("paused");
        terminal.press(" ");
        terminal.wait_for_text("running");
    }
    assert!(terminal.text().contains("97 boids") && terminal.tick() > 10, "{}", terminal.text());
}

#[test]
fn pasted_text_is_not_keys() {
    let mut terminal = Terminal::of_drones();
    // It would quit, restart and switch the preset.
    terminal.press("\x1b[200~R1q\r\x1b[201~");
    terminal.wait_for_text("pasting works only in");
    terminal.press("\x1b[B\r\x1b[200~12.5\nq\x1b[201~");
    terminal.wait_for_text("= 12.5");
    // It may arrive in pieces; nothing is typed before its end.
    terminal.press("\x1b\x1b[200~R1q");
    terminal.press("\x1b[20");
    terminal.press("1~.");
    terminal.wait_for_text("paused");
    assert!(terminal.text().contains("97 boids"), "{}", terminal.text());
}

#[test]
fn a_preset_file_stays_in_the_list() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("mine.toml");
    let text = "summary = \"my very own\"\nboids = 60\nworld = \"400x300\"\n";
    std::fs::write(&file, text).unwrap();
    let mut terminal = Terminal::new(120, 40, &["-p", file.to_str().unwrap(), "-s", "1"]);
    terminal.wait_for_text("60 boids");
    terminal.press("\t");
    terminal.wait_for_text("2 500 boids");
    terminal.press("\x1b[Z");
    terminal.wait_for_text("mine: my very own");
    // A restart is exact, a morph is not.
    terminal.press("Rq");
    let (_, line) = terminal.end();
    assert!(line.contains("mine.toml"), "{line}");
}

#[test]
fn quitting_restores_the_terminal() {
    for keys in ["q", "\x03"] {
        let mut terminal = Terminal::new(100, 30, &["-s", "3", "-n", "50"]);
        terminal.wait_for("the alternate screen", |screen| number_after(screen, "tick "));
        assert!(terminal.parser.screen().alternate_screen() && terminal.parser.screen().hide_cursor());
        terminal.listen();
        terminal.press(keys);
        let (status, text) = terminal.end();
        let screen = terminal.parser.screen();
        assert_eq!(status, 0, "{text}");
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert!(terminal.heard().contains("\x1b[?1004l"), "the focus is no longer reported");
        assert!(text.starts_with("flockscope -p starlings -s 3 -n 50 --world "), "{text}");
        assert!(is_cooked(&terminal), "lines, echo and signals are on again");
    }
}

/// Sends keys, each of which takes a while, and then others in the same write.
fn flood(terminal: &mut Terminal, keys: &str) {
    terminal.press(&["t\t\x1b[C".repeat(300).as_str(), keys].concat());
}

#[test]
fn ctrl_c_waits_for_no_other_key() {
    for open in ["", ":", "0", "?", "a", "S", "\r", "d"] {
        let mut command = viewer(&["-p", "drones", "-s", "1", "-n", "50"]);
        command.env("TERM", "xterm-256color");
        command.env_remove("COLORTERM");
        let mut terminal = Terminal::with(100, 30, command);
        terminal.tick();
        terminal.press(open);
        terminal.settle(Duration::from_millis(100));
        let begun = Instant::now();
        flood(&mut terminal, "\x03");
        assert_eq!(terminal.end().0, 0, "{open:?}");
        assert!(begun.elapsed() < Duration::from_secs(3), "{open:?}: {:?}", begun.elapsed());
    }
}

#[test]
fn frames_are_drawn_between_many_keys() {
    let mut command = viewer(&["-p", "drones", "-s", "1", "-n", "50"]);
    command.env("TERM", "xterm-256color");
    command.env_remove("COLORTERM");
    let mut terminal = Terminal::with(100, 30, command);
    let before = terminal.tick();
    // The replies of the terminal come behind the keys.
    terminal.press(&":qqqqqqqq\x15".repeat(100));
    terminal.wait_for("ticks", |screen| number_after(screen, "tick ").filter(|tick| *tick > before + 5));
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn ctrl_c_quits_inside_of_every_sequence_and_everywhere() {
    let begin = ["\x1b", "\x1b[", "\x1bO", "\x1b]", "\x1bP", "\x1b_", "\x1b[200~q", "\x1b]11;"];
    let keys = begin.map(|begin| format!("{begin}\x03")).into_iter().chain(
        ["\x1b[200~q\x1b[99;5u", "\x1b[99;7u", "\x1b[27;5;99~", ":screensaver\r\x1b[99;5u", ":screensaver\r\x03"]
            .map(str::to_owned),
    );
    for keys in keys {
        let mut terminal = Terminal::of_drones();
        terminal.press(&keys);
        assert_eq!(terminal.end().0, 0, "{}", keys.escape_debug());
    }
    let mut terminal = Terminal::of_drones();
    terminal.press(":screensaver\r");
    terminal.wait_for("the screensaver", |screen| (!screen.contains("separation")).then_some(()));
    terminal.press("\x03");
    assert_eq!(terminal.end().0, 0, "in the screensaver of an idle viewer");
}

#[test]
fn a_reply_that_is_too_long_is_not_keys() {
    let mut terminal = Terminal::of_drones();
    for (begin, end) in [("\x1b]11;", "\x07"), ("\x1bP1$r", "\x1b\\"), ("\x1b_G", "\x1b\\"), ("\x1b[", "m")] {
        let letters = if end == "m" { "1;" } else { "Rq" };
        terminal.press(&[begin, &letters.repeat(3000), end, " "].concat());
        terminal.wait_for_text("paused");
        terminal.press(" ");
        terminal.wait_for_text("running");
        // Without an end, silence ends it.
        terminal.press(&[begin, &letters.repeat(600)].concat());
        terminal.settle(Duration::from_millis(400));
        terminal.press(" ");
        terminal.wait_for_text("paused");
        terminal.press(" ");
        terminal.wait_for_text("running");
    }
    assert!(terminal.text().contains("97 boids"), "{}", terminal.text());
}

#[test]
fn quitting_does_not_wait_for_a_tick() {
    // With infinite radii a tick of this many boids takes minutes.
    let mut terminal = Terminal::new(80, 24, &["-p", "parker", "-n", "1000000", "-s", "1", "--set", "max_neighbors=0"]);
    terminal.wait_for_text("tick 0");
    terminal.press("q");
    let begun = Instant::now();
    assert_eq!(terminal.end().0, 0);
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[test]
fn the_viewer_exits_after_its_duration() {
    let begun = Instant::now();
    let mut terminal = Terminal::new(60, 20, &["-s", "3", "-n", "50", "--duration", "300ms"]);
    while terminal.child.try_wait().unwrap().is_none() && begun.elapsed() < terminal::SHOW_AFTER {
        terminal.settle(Duration::from_millis(5));
    }
    assert!(begun.elapsed() >= Duration::from_millis(300), "{:?}", begun.elapsed());
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn auto_worlds_fit_the_canvas_and_fixed_worlds_keep_their_shape() {
    let mut terminal = Terminal::new(100, 30, &["-s", "1", "-n", "400"]);
    let world = |screen: &str| {
        let line = screen.lines().find(|line| line.contains(" × "))?;
        Some(line.rsplit('│').next()?.trim().to_owned())
    };
    let before = terminal.wait_for("a world", world);
    terminal.resize(160, 30);
    terminal.wait_for("another world", |screen| world(screen).filter(|now| *now != before));
    terminal.press("5");
    terminal.wait_for_text("300 × 200 u");
    terminal.resize(100, 50);
    terminal.settle(Duration::from_millis(300));
    terminal.wait_for_text("300 × 200 u");
}

#[test]
fn the_reproduce_command_is_exact() {
    let mut first = Terminal::new(120, 40, &["-n", "150", "-t", "ink"]);
    first.tick();
    // Another rule, paused at the start.
    first.press("\x1b[C\x1b[C PPR");
    first.wait_for("tick 0", |screen| {
        (number_after(screen, "tick ")? == 0 && screen.contains("paused") && screen.contains("0 predators"))
            .then_some(())
    });
    first.settle(Duration::from_millis(300));
    let picture = canvas(&first);
    first.press("q");
    let (_, text) = first.end();
    let line = text.lines().find(|line| line.starts_with("flockscope ")).unwrap().trim().to_owned();
    assert!(line.contains("--set separation.weight=") && line.contains("--predators 0"), "{text}");

    let args: Vec<&str> = line.split_whitespace().skip(1).chain(["-t", "ink", "--rate", "0.1", "--no-intro"]).collect();
    let mut second = Terminal::new(120, 40, &args);
    second.wait_for("the same picture", |screen| (number_after(screen, "tick ")? == 0).then_some(()));
    second.settle(Duration::from_millis(300));
    assert_eq!(canvas(&second), picture, "{line}");
}

#[test]
fn the_reproduce_command_knows_of_changes_in_flight() {
    let folder = tempfile::TempDir::new().unwrap();
    let file = folder.path().join("rows.csv");
    let rows = "tick,id,kind,x,y,z,vx,vy,vz\n7,1,prey,10,10,0,1,1,0\n7,2,prey,20,10,0,1,1,0\n";
    std::fs::write(&file, rows).unwrap();
    let mut terminal = Terminal::new(120, 40, &["-p", "drones", "-s", "1", "--input", file.to_str().unwrap()]);
    terminal.wait_for_text("2 boids");
    terminal.press("+p");
    terminal.wait_for_text("3 boids");
    terminal.wait_for_text("1 predator ");
    terminal.press("q");
    let (_, text) = terminal.end();
    assert!(text.contains("rows.csv") && text.contains("# flies with the same rules again; "), "{text}");
}

/// The flock's part of a screen of 120 × 40, without the row of the timeline.
fn canvas(terminal: &Terminal) -> Vec<String> {
    terminal.parser.screen().rows(0, 94).take(38).collect()
}
