//! A checkup of the viewer: bring it to a known state, measure it, and compare its screen with a redrawn one.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use palette::color_difference::EuclideanDistance;
use palette::{FromColor, Oklab, Srgb};

use super::action::{Halt, Manner, escape, find};
use super::process::Checkup;
use super::user::{SIZE, SimulatedUser};
use crate::terminal::{SHOW_AFTER, number_after};

/// Duration of a tick count.
const COUNTING: Duration = Duration::from_secs(6);
/// Timeout for the effect of a key.
const SOON: Duration = Duration::from_millis(2500);
/// A screen unchanged for this long is complete.
const STILLNESS: Duration = Duration::from_millis(1500);
/// Distance in `OKLab` up to which the viewer treats colors as equal on a reduced quality level.
const LIKE: f32 = 0.125;

impl SimulatedUser {
    /// Brings the viewer to a known state and examines it.
    pub fn check_up(&mut self) -> Checkup {
        self.go_to_known_state();
        self.live(Duration::from_secs(5));
        let (rate, over, waited) = self.count_ticks();
        self.live(Duration::from_millis(500));
        let holdings = self.viewer.holdings();
        self.compare_screens();
        self.tidy_up();
        Checkup { at: self.begun.elapsed(), holdings, rate, over, waited }
    }

    /// One preset, one size, one theme, nothing open, no button held.
    fn go_to_known_state(&mut self) {
        self.manner = Manner::AtOnce;
        self.terminal.resize(SIZE.0, SIZE.1);
        self.write(b"\x1b\\\x1b[I\x1b[<0;1;1m");
        for _ in 0..4 {
            self.go_through(escape());
        }
        self.see("the whole screen", |screen| screen.alternate_screen().then_some(()));
        self.live(STILLNESS);
        self.cycle("z", "seed ");
        self.ask_for("preset drones", "97 boids");
        self.ask_for("theme dusk", "theme: dusk");
        self.ask_for("reset-all", "parameters reset to drones");
        self.ask_for("reset-view", "whole world");
        self.cycle("m", "glyphs: braille");
        self.cycle("v", "view: auto");
        self.cycle("c", "coloring: heading");
        self.write(b"R");
        self.see("another beginning", |screen| {
            let text = screen.contents();
            (text.contains("drones") && text.contains("97 boids") && text.contains("restarted from seed")).then_some(())
        });
        self.cycle(" ", "▶ running");
    }

    /// Runs an entry of the palette until this message appears: on a slow machine an Escape and the
    /// following key may arrive together.
    fn ask_for(&mut self, thing: &str, said: &str) {
        for _ in 0..8 {
            self.go_through(find(thing));
            if self.comes(said) {
                return;
            }
        }
        panic!("{thing} never says {said}");
    }

    /// Whether the screen shows this soon.
    fn comes(&mut self, text: &str) -> bool {
        let end = Instant::now() + SOON;
        while !self.terminal.text().contains(text) {
            if Instant::now() > end {
                return false;
            }
            self.live(Duration::from_millis(50));
        }
        true
    }

    /// Presses a key until this message appears.
    fn cycle(&mut self, key: &str, said: &str) {
        if self.terminal.text().contains(said) {
            return;
        }
        for _ in 0..8 {
            self.write(key.as_bytes());
            if self.comes(said) {
                return;
            }
        }
        panic!("{key} never says {said}");
    }

    /// Requested and actual ticks per second, the duration, and the time that threads waited for a core.
    fn count_ticks(&mut self) -> ((f64, f64), Duration, Duration) {
        let tick = |screen: &vt100::Screen| number_after(&screen.contents(), "tick ");
        let rate = self.see("the rate", |screen| {
            let text = screen.contents();
            let (_, rest) = text.split_once(" t/s").and_then(|(before, _)| before.rsplit_once('/'))?;
            rest.parse().ok()
        });
        let (before, waited, start) = (self.see("a tick", tick), self.viewer.waited(), Instant::now());
        self.live(COUNTING);
        let (after, over) = (self.see("a tick", tick), start.elapsed());
        ((rate, (after - before) as f64 / over.as_secs_f64()), over, self.viewer.waited().saturating_sub(waited))
    }

    /// The screen after many partial updates equals a full redraw.
    fn compare_screens(&mut self) {
        self.cycle(" ", "‖ paused");
        self.wait_for_stillness();
        let before = self.terminal.parser.screen().clone();
        self.halt(Halt::Key);
        self.wait_for_stillness();
        let after = self.terminal.parser.screen();
        for row in 0..SIZE.1 - 1 {
            for column in 0..SIZE.0 {
                let (was, is) = (before.cell(row, column).unwrap(), after.cell(row, column).unwrap());
                let blank = was.contents().trim().is_empty();
                let alike = was.contents().trim() == is.contents().trim()
                    && is_like(was.bgcolor(), is.bgcolor())
                    && (blank || is_like(was.fgcolor(), is.fgcolor()));
                assert!(alike, "column {column}, row {row}: {was:?} and redrawn {is:?}\n{}", before.contents());
            }
        }
        self.cycle(" ", "▶ running");
    }

    fn wait_for_stillness(&mut self) {
        let end = Instant::now() + SHOW_AFTER;
        let mut since = Instant::now();
        let mut seen = self.terminal.text();
        while since.elapsed() < STILLNESS {
            assert!(Instant::now() < end, "a paused screen does not come to rest");
            self.live(Duration::from_millis(100));
            let now = self.terminal.text();
            if now != seen {
                (since, seen) = (Instant::now(), now);
            }
        }
    }

    /// Deletes the pictures, and checks that no other files remain.
    pub fn tidy_up(&self) {
        let complaints = fs::read_to_string(self.home.path().join("complaints")).unwrap();
        assert_eq!(complaints, "", "on standard error");
        for file in fs::read_dir(self.home.path()).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.extension().is_some_and(|ending| ending == "png") {
                fs::remove_file(&path).unwrap();
            } else {
                assert!(["config", "state", "complaints", "told"].contains(&&*name), "{name} is left behind");
            }
        }
        for file in fs::read_dir(self.home.path().join("config/flockscope/presets")).into_iter().flatten() {
            assert!(is_preset(&file.unwrap().path()), "a draft is left behind");
        }
    }
}

/// Whether the viewer treats two colors as equal at full quality.
fn is_like(one: vt100::Color, other: vt100::Color) -> bool {
    match (one, other) {
        (vt100::Color::Rgb(r, g, b), vt100::Color::Rgb(red, green, blue)) => {
            let [one, other] =
                [[r, g, b], [red, green, blue]].map(|parts| Oklab::from_color(Srgb::from(parts).into_format::<f32>()));
            one.distance(other) <= LIKE
        }
        _ => true,
    }
}

fn is_preset(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml")
}
