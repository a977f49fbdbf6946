//! A show that is the same on every screen: scene k is the k-th minute since 1970 (UTC), and its flock has flown since that minute began.

use std::time::{Duration, Instant, SystemTime};

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use crate::config::{Preset, Theme};
use crate::engine::Request;
use crate::picture::View;
use crate::viewer::context::Context;
use crate::viewer::theme::preset_themes::SHOW_PIECES;

/// How long a scene lasts, in seconds.
const SCENE: u64 = 60;
/// How long a flock fades in and out, in seconds.
const FADE: f32 = 1.0;
/// The shape (width / height) of a world that otherwise follows the window.
const SHAPE: f32 = 16.0 / 9.0;
/// The engine follows the monotonic clock. A difference from this on corrects it.
const DRIFT: Duration = Duration::from_millis(20);
/// From how many missing ticks on the flock is hidden and catches up.
const BEHIND: f32 = 20.0;
/// How many seconds the flock may be ahead of the clock until the scene is computed again.
const AHEAD: f32 = 2.0;
/// How often the hash of the flock is logged, in seconds.
const HASH_INTERVAL: f32 = 10.0;
/// The largest seed.
const MAX_SEED: u64 = 9999;

/// What a scene shows.
#[derive(Debug, PartialEq)]
struct MinuteScene {
    minute: u64,
    preset: &'static str,
    theme: &'static str,
    seed: u64,
}

impl MinuteScene {
    /// The scene of a minute. It depends on the built-in presets and themes alone: all are shown before one repeats.
    fn of(minute: u64) -> Self {
        let count = SHOW_PIECES.len() as u64;
        let mut order: Vec<_> = SHOW_PIECES.iter().collect();
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(minute / count));
        let (preset, themes) = order[(minute % count) as usize];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(minute);
        let theme = themes.choose(&mut random).expect("each show piece has themes");
        Self { minute, preset, theme, seed: random.random_range(0..=MAX_SEED) }
    }
}

/// The running show.
#[derive(Debug)]
pub(super) struct Together {
    pub(super) started: Instant,
    /// The scene on the screen.
    scene: Option<Following>,
}

#[derive(Clone, Copy, Debug)]
struct Following {
    minute: u64,
    /// Ticks per second.
    rate: f32,
    /// When the minute began by the clock that the engine follows.
    begun: Instant,
}

impl Together {
    pub(super) fn new(now: Instant) -> Self {
        Self { started: now, scene: None }
    }

    /// Shows what belongs to a moment. Returns whether the screen changed.
    pub(super) fn play(&mut self, now: Instant, wall: SystemTime, context: &mut Context) -> bool {
        let since_1970 = wall.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let minute = since_1970.as_secs() / SCENE;
        let since = since_1970.saturating_sub(Duration::from_secs(minute * SCENE));
        let Some(begun) = now.checked_sub(since) else { return false };
        let Some(scene) = self.scene.filter(|scene| scene.minute == minute) else {
            self.start(&MinuteScene::of(minute), begun, context);
            return true;
        };
        let drift = begun.max(scene.begun) - begun.min(scene.begun);
        if drift > DRIFT {
            self.follow(Following { begun, ..scene }, context);
        }
        // Otherwise the frame is of an earlier flock.
        let tick = if context.client.is_settled() { context.client.frame().tick as f32 } else { 0.0 };
        let (seconds, missing) = (since.as_secs_f32(), since.as_secs_f32() * scene.rate - tick);
        if missing < -AHEAD * scene.rate {
            self.scene = None;
        }
        let fade = (FADE - seconds).max(seconds - SCENE as f32 + FADE) / FADE;
        context.theme.set_flock_fade(if missing > BEHIND { 1.0 } else { fade.max(0.0) })
    }

    fn follow(&mut self, scene: Following, context: &mut Context) {
        self.scene = Some(scene);
        let every = (HASH_INTERVAL * scene.rate) as u64;
        context.client.request(Request::Follow { begun: scene.begun, scene: scene.minute, every });
    }

    fn start(&mut self, scene: &MinuteScene, begun: Instant, context: &mut Context) {
        let MinuteScene { minute, preset, theme, seed } = *scene;
        let preset =
            Preset::builtin().into_iter().find(|known| known.name == preset).expect("show pieces are built in");
        let rate = preset.rate;
        let setup = context.presets.start(preset, seed, SHAPE, &mut context.client);
        tracing::info!("scene {minute} {} seed {seed} world {}", context.presets.base.name, setup.world);
        self.follow(Following { minute, rate, begun }, context);
        // A theme of the user may have the same name.
        context.theme.set_themes(Theme::builtin());
        let index = context.theme.themes().iter().position(|known| known.name == theme);
        if let Some(index) = index {
            context.theme.activate(index, true);
        }
        (context.display.view, context.display.coloring) = (View::Auto, None);
        context.theme.set_flock_fade(1.0);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;

    use super::*;
    use crate::engine::FrameMaker;
    use crate::sim::{Command, Flock, Setup};
    use crate::viewer::app::App;
    use crate::viewer::app::tests::{app, show};

    const MINUTE: u64 = 29_871_234;

    fn at(minute: u64, seconds: f32) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(60 * minute) + Duration::from_secs_f32(seconds)
    }

    #[test]
    fn scenes_follow_from_the_minute_alone() {
        let scene = MinuteScene::of(MINUTE);
        let expected = MinuteScene { minute: MINUTE, preset: "sheep", theme: "heather", seed: 1907 };
        assert_eq!(scene, expected);
        let round = MINUTE / 12 * 12;
        let presets: HashSet<_> = (round..round + 12).map(|minute| MinuteScene::of(minute).preset).collect();
        assert_eq!(presets.len(), 12);
    }

    /// A viewer with a show at a moment, and the setup and the schedule that it asks of the engine.
    fn joined(wall: SystemTime, now: Instant) -> (App, Setup, Instant) {
        let mut app = app(40);
        app.context.display.clean = true;
        app.screensaver.start_together(now, &mut app.context.client);
        Together::new(now).play(now, wall, &mut app.context);
        let (mut setup, mut begun) = (None, None);
        for request in app.requests() {
            match request {
                Request::Flock { command: Command::Replace(replaced), .. } => setup = Some(*replaced),
                Request::Follow { begun: since, .. } => begun = Some(since),
                _ => {}
            }
        }
        (app, setup.unwrap(), begun.unwrap())
    }

    #[test]
    fn who_joins_later_and_in_another_window_follows_the_same_flock() {
        let now = Instant::now() + Duration::from_secs(100);
        let (_, setup, begun) = joined(at(MINUTE, 3.0), now);
        let (_, later, since) = joined(at(MINUTE, 23.5), now + Duration::from_millis(20_500));
        assert_eq!((setup, begun), (later, since));
    }

    #[test]
    fn the_flock_is_hidden_until_it_has_caught_up() {
        let now = Instant::now() + Duration::from_secs(100);
        let mut app = app(40);
        let mut shown = Together::new(now);
        let mut fade = |seconds: f32, tick: u64| {
            let requests = app.requests().len() as u64;
            show(&mut app, |frame| (frame.request, frame.tick) = (frame.request + requests, tick));
            shown.play(now, at(MINUTE, seconds), &mut app.context);
            app.context.theme.flock_fade()
        };
        assert_eq!([fade(30.0, 0), fade(30.0, 10), fade(30.0, 1790)], [1.0, 1.0, 0.0]);
        // The first one finds that the clock has moved.
        assert_eq!([fade(59.5, 3560), fade(59.5, 3560)], [1.0, 0.5]);
    }

    #[test]
    fn windows_side_by_side_show_one_picture() {
        let flock = Flock::new(&Preset::load("murmuration").unwrap().setup(3, SHAPE)).unwrap();
        let drawn = |columns: u16, part: (usize, usize)| {
            let mut app = app(30);
            (app.context.display.clean, app.context.display.part) = (true, part);
            app.resize(Rect::new(0, 0, columns, 30), 1.0);
            let mut maker = FrameMaker::new(app.context.client.frame().clone(), app.format());
            show(&mut app, |frame| maker.make((&flock).into(), (&flock).into(), 0.0, frame));
            let screen = Rect::new(0, 0, columns, 30);
            let mut buffer = Buffer::empty(screen);
            app.draw_flock(&mut buffer, screen);
            buffer
        };
        let whole = drawn(180, (0, 1));
        let parts = [0, 1, 2].map(|part| drawn(60, (part, 3)));
        for place in whole.area.positions() {
            let part = &parts[usize::from(place.x / 60)];
            assert_eq!(whole[place], part[(place.x % 60, place.y)], "{place}");
        }
    }
}
