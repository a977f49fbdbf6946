//! Contract: a paused viewer sleeps, and wakes for a key or a new size.

use std::time::{Duration, Instant};
use std::{fs, thread};

use flockscope::picture::{CellRow, Charset, Surface};
use flockscope::terminal::{FrameOptions, ScreenEncoder};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::style::{Color, Modifier, Style};

use crate::terminal::{SHOW_AFTER, Terminal};

/// How long no thread may wake.
const ASLEEP: Duration = Duration::from_secs(2);

/// How often the threads of the viewer have waited, and thus were woken.
fn wakeups(terminal: &Terminal) -> u64 {
    let threads = fs::read_dir(format!("/proc/{}/task", terminal.child.process_id().unwrap())).unwrap();
    let counts = threads.map(|thread| {
        let status = fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        let count = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        count.trim().parse::<u64>().unwrap()
    });
    counts.sum()
}

/// Waits until the viewer sleeps.
fn falls_asleep(terminal: &mut Terminal, case: &str) {
    let begun = Instant::now();
    let (mut last, mut since) = (wakeups(terminal), begun);
    while since.elapsed() < ASLEEP {
        assert!(begun.elapsed() < SHOW_AFTER, "{case}: it still wakes up\n{}", terminal.text());
        terminal.settle(Duration::from_millis(100));
        let now = wakeups(terminal);
        if now != last {
            (last, since) = (now, Instant::now());
        }
    }
}

#[test]
fn a_paused_viewer_sleeps() {
    let cases: [((u16, u16), &[&str], &str); 9] = [
        ((80, 24), &[], ""),
        ((80, 24), &[], "?"),
        ((120, 40), &[], ":"),
        ((120, 40), &[], "gg"),
        ((80, 24), &["--color", "16"], ""),
        ((80, 24), &["--fps", "240"], ""),
        ((80, 24), &["--fps", "1"], ""),
        ((200, 50), &["-p", "murmuration"], ""),
        ((80, 24), &["--idle", "0.02"], "z"),
    ];
    // A terminal that is not read meanwhile looks like a stalled link.
    thread::scope(|scope| {
        for ((columns, rows), args, keys) in cases {
            scope.spawn(move || {
                let mut terminal = Terminal::new(columns, rows, &[&["-s", "7"], args].concat());
                terminal.wait_for_text("▶ running");
                terminal.press(" ");
                terminal.wait_for_text("‖ paused");
                terminal.press(keys);
                falls_asleep(&mut terminal, &format!("{columns}x{rows} {args:?} {keys}"));
            });
        }
    });
}

#[test]
fn a_sleeping_viewer_wakes_for_keys_frames_and_a_new_size() {
    let mut terminal = Terminal::new(80, 24, &["-s", "7"]);
    terminal.wait_for_text("▶ running");
    terminal.press(" ");
    terminal.wait_for_text("‖ paused");
    falls_asleep(&mut terminal, "paused");
    let tick = terminal.tick();
    terminal.press(".");
    terminal.wait_for_text(&format!("tick {}", tick + 1));
    falls_asleep(&mut terminal, "after a step");
    terminal.resize(100, 30);
    terminal.wait_for("the status line in the last row", |screen| {
        screen.lines().nth(29).is_some_and(|line| line.contains("paused")).then_some(())
    });
    falls_asleep(&mut terminal, "after a resize");
    terminal.press(" ");
    terminal.wait_for_text(&format!("tick {}", tick + 30));
}

#[test]
fn a_popup_over_the_flock_settles() {
    let (columns, rows) = (40, 10);
    let mut encoder = ScreenEncoder::new(Size::new(columns, rows), Charset::Unicode);
    let mut flock = CellRow::new(columns);
    flock.clear(Color::Rgb(40, 30, 60).into());
    for column in (3..37).step_by(3) {
        flock.cell_mut(column).set_char('⠿', Color::Rgb(200, 180, 90).into(), Modifier::empty());
    }
    let mut popup = Buffer::empty(Rect::new(5, 2, 20, 5));
    popup.set_style(popup.area, Style::new().bg(Color::Rgb(40, 31, 60)));
    popup.set_string(6, 3, "a popup", Style::new());
    encoder.cover(&[popup.area]);
    // Each frame corrects the background of one row.
    let frames = (0..=rows).map(|_| {
        (0..rows).for_each(|row| encoder.draw_row(0, row, &flock));
        encoder.draw_buffer(&popup, popup.area);
        let mut bytes = Vec::new();
        encoder.encode(FrameOptions::WHOLE, &mut bytes);
        (bytes.len(), encoder.is_dirty(true))
    });
    let frames: Vec<(usize, bool)> = frames.collect();
    assert!(frames[0].0 > 0, "{frames:?}");
    assert_eq!(frames[usize::from(rows)], (0, false), "{frames:?}");
}
