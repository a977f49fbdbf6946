//! The viewer looked over: brought to what is alike each time, measured, and its screen compared with a new one.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use palette::color_difference::EuclideanDistance;
use palette::{FromColor, Oklab, Srgb};

use super::deed::{Halt, Manner, escape, find};
use super::guest::{Guest, SIZE};
use super::health::Checkup;
use crate::terminal::{SHOW_AFTER, number_after};

/// How long ticks are counted.
const COUNTING: Duration = Duration::from_secs(6);
/// How long what a key does may take to be seen.
const SOON: Duration = Duration::from_millis(2500);
/// A screen that stays as it is for so long is finished.
const STILLNESS: Duration = Duration::from_millis(1500);
/// How far apart in `OKLab` colors may be that the viewer takes for one another on a wire that is not the best.
const LIKE: f32 = 0.125;

impl Guest {
    /// Brings the viewer to what is alike each time, and looks it over.
    pub fn check_up(&mut self) -> Checkup {
        self.go_home();
        self.live(Duration::from_secs(5));
        let (rate, over, waited) = self.count_ticks();
        self.live(Duration::from_millis(500));
        let holdings = self.viewer.holdings();
        self.compare_screens();
        self.tidy_up();
        Checkup { at: self.begun.elapsed(), holdings, rate, over, waited }
    }

    /// One preset, one size, one theme, nothing open, nothing held.
    fn go_home(&mut self) {
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
        self.ask_for("theme dusk", "theme dusk");
        self.ask_for("reset-all", "the rules of drones again");
        self.ask_for("whole", "the whole world");
        self.cycle("m", "drawn with braille");
        self.cycle("v", "view: what suits");
        self.cycle("c", "color shows heading");
        self.write(b"R");
        self.see("another beginning", |screen| {
            let text = screen.contents();
            (text.contains("drones") && text.contains("97 boids") && text.contains("again from seed")).then_some(())
        });
        self.cycle(" ", "▶ flying");
    }

    /// Has the palette do something, until it says this: on a machine that is slow enough an Escape and what
    /// follows may come as one.
    fn ask_for(&mut self, thing: &str, said: &str) {
        for _ in 0..8 {
            self.go_through(find(thing));
            if self.comes(said) {
                return;
            }
        }
        panic!("{thing} never says {said}");
    }

    /// Whether the screen soon shows this.
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

    /// Presses a key until it says this.
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

    /// Ticks a second as asked for and as flown, over how long, and for how much of it threads waited for a core.
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

    /// What stands on the screen after all that was drawn over it is what a whole new screen shows.
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
                assert!(alike, "column {column}, row {row}: {was:?} and anew {is:?}\n{}", before.contents());
            }
        }
        self.cycle(" ", "▶ flying");
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

    /// Throws the pictures away, and sees that nothing else has been left behind.
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

/// Whether the viewer takes two colors for one another, where it has all of them: on a slow wire it may do with fewer.
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
