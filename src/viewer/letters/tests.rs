//! When boids are called, and how often.

use std::time::{Duration, SystemTime};

use super::*;
use crate::engine::{FrameMaker, Request};
use crate::sim::Flock;
use crate::viewer::app::App;
use crate::viewer::app::tests::{app, show};

/// A viewer whose engine answers at once.
struct Scene {
    app: App,
    flock: Flock,
    calls: Vec<Arc<Formation>>,
    releases: usize,
}

impl Scene {
    fn new() -> Self {
        let app = app(20);
        let flock = Flock::new(&app.context.presets.base.setup(7, app.format().aspect_ratio())).unwrap();
        let mut scene = Self { app, flock, calls: Vec::new(), releases: 0 };
        scene.answer(3);
        scene
    }

    /// Shows frames, each of which includes all requests.
    fn answer(&mut self, frames: usize) {
        for _ in 0..frames {
            let requests = self.app.requests();
            let mut runs = 0;
            for request in requests {
                if let Request::Flock { command, .. } = request {
                    self.flock.apply(&command).unwrap();
                    runs += u64::from(command.starts_run());
                    match command {
                        Command::Call(formation) => self.calls.push(formation),
                        Command::Release => self.releases += 1,
                        _ => {}
                    }
                }
            }
            let (format, last) = (self.app.format(), self.app.context.client.last_request());
            let flock = &self.flock;
            show(&mut self.app, |frame| {
                frame.request = last;
                frame.run.number += runs;
                FrameMaker::new(frame.clone(), format).make(flock.into(), flock.into(), 0.0, frame);
            });
        }
    }
}

fn text(text: &str) -> Subject {
    Subject::Text(text.to_owned())
}

#[test]
fn a_text_is_called_once_and_released_by_the_same_key() {
    let mut scene = Scene::new();
    scene.app.letters.call(text("hi"));
    scene.answer(10);
    assert_eq!((scene.calls.len(), scene.app.context.client.frame().formation.called), (1, true));
    scene.app.act(Action::Say);
    scene.answer(3);
    assert_eq!((scene.calls.len(), scene.releases, scene.app.letters.is_called()), (1, 1, false));
    scene.app.act(Action::Say);
    assert!(scene.app.overlay.is_some(), "without letters the key asks for a text");
}

#[test]
fn boids_are_called_again_after_a_restart_and_on_another_canvas() {
    let mut scene = Scene::new();
    scene.app.letters.call(text("hi"));
    scene.answer(3);
    scene.app.act(Action::Restart);
    scene.answer(3);
    assert_eq!(scene.calls.len(), 2);
    let before = scene.calls[1].clone();
    scene.app.resize(ratatui::layout::Rect::new(0, 0, 60, 30), 1.0);
    scene.answer(4);
    assert!(scene.calls.len() > 2 && scene.calls[scene.calls.len() - 1] != before);
}

#[test]
fn a_text_whose_time_is_over_is_not_called_again() {
    let mut scene = Scene::new();
    scene.app.letters.call(text("hi"));
    scene.answer(3);
    scene.flock.apply(&Command::Release).unwrap();
    scene.answer(5);
    assert_eq!((scene.calls.len(), scene.app.letters.is_called()), (1, false));
}

#[test]
fn letters_change_nothing_in_the_past() {
    let mut scene = Scene::new();
    scene.app.letters.call(text("hi"));
    scene.answer(3);
    scene.app.letters.call(text("ho"));
    scene.app.context.client.show_frame(|frame| frame.position.last = 99);
    scene.answer(3);
    assert_eq!(scene.calls.len(), 1);
}

#[test]
fn a_clock_changes_with_the_minute_and_keeps_equal_digits() {
    let mut scene = Scene::new();
    scene.app.letters.call(Subject::Clock(ClockFormat::Hours24));
    let minute = |minutes: u64| SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(60 * minutes);
    let mut shown = Vec::new();
    for time in [minute(1), minute(1) + std::time::Duration::from_secs(59), minute(2)] {
        scene.app.letters.on_frame(&mut scene.app.context, time);
        for request in scene.app.requests() {
            if let Request::Flock { command: Command::Call(formation), .. } = request {
                shown.push(formation);
            }
        }
        let last = scene.app.context.client.last_request();
        scene.app.context.client.show_frame(|frame| frame.request = last);
    }
    assert_eq!(shown.len(), 2);
    let (first, second) = (&shown[0].perches, &shown[1].perches);
    let kept = first.iter().filter(|perch| second.contains(perch)).count();
    assert!(2 * kept > first.len(), "{kept} of {}", first.len());
}

#[test]
fn a_text_that_does_not_fit_is_reported() {
    let mut scene = Scene::new();
    scene.app.letters.call(text(&"word ".repeat(200)));
    scene.answer(2);
    let message = scene.app.context.message().unwrap_or_default();
    assert!(message.starts_with("the text does not fit: "), "{message}");
    assert!(scene.calls.is_empty());
}

#[test]
fn hours_count_to_12_or_24() {
    for (time, short, long) in [
        ("00:05", "12:05 AM", "00:05"),
        ("9:07", "9:07 AM", "09:07"),
        ("12:00", "12:00 PM", "12:00"),
        ("13:59", "1:59 PM", "13:59"),
        ("23:30", "11:30 PM", "23:30"),
    ] {
        let time: TimeOfDay = time.parse().unwrap();
        assert_eq!((ClockFormat::Hours12.text(time), ClockFormat::Hours24.text(time)), (short.into(), long.into()));
    }
    for text in ["", "12", "24:00", "12:60", "12:5", "+1:00", "1:+0", "12:34:56", "a:00"] {
        assert!(text.parse::<TimeOfDay>().is_err(), "{text}");
    }
}

#[test]
fn a_minute_ends_within_a_minute() {
    let at = |seconds: u64| to_next_minute(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
    assert_eq!((at(0), at(59), at(61)), (Duration::from_secs(60), Duration::from_secs(1), Duration::from_secs(59)));
}
