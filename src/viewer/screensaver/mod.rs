//! What plays by itself: the start, a screensaver's scenes, and the same while nobody is there.

pub(crate) mod intro;
pub(crate) mod lettering;
pub(crate) mod scenes;
pub(crate) mod shuffle;

use std::time::{Duration, Instant};

use super::Marker;
use super::app::overlay::Overlay;
use super::app::{App, Wish};
use super::theme::resolved::Coloring;
use crate::canvas::{Aim, Follow, View};
use intro::{Intro, LENGTH};
use scenes::{Kept, offers};
use shuffle::{Director, Scene};

/// What plays, and when scenes begin.
#[derive(Debug, Default)]
pub struct Stage {
    play: Option<Play>,
    /// After which time without a key scenes begin; none is never.
    idle: Option<Duration>,
    /// When somebody was there last.
    stirred: Option<Instant>,
}

#[derive(Debug)]
enum Play {
    /// The program's name, since the first time that it was seen.
    Intro(Intro, Option<Instant>),
    Scenes(Box<Wander>),
}

/// A wandering through scenes.
#[derive(Debug)]
struct Wander {
    director: Director,
    begun: Instant,
    /// The scene that is on.
    on: Scene,
    /// The change that is going on, where one is.
    change: Option<Change>,
    /// What somebody asked for.
    kept: Kept,
    /// The screen as a person left it, who finds it so again; none where nobody comes back.
    left: Option<Left>,
}

/// A change from one scene to the next.
#[derive(Clone, Copy, Debug)]
struct Change {
    to: Scene,
    /// The theme that was worn before.
    from: usize,
    /// Whether the flock goes out, and another comes in.
    hides: bool,
}

/// The screen as somebody left it.
#[derive(Debug)]
struct Left {
    clean: bool,
    overlay: Option<Overlay>,
    theme: (usize, bool),
    view: View,
    coloring: Option<Coloring>,
    aim: Aim,
}

/// How near a scene from near is.
const NEAR: f32 = 1.8;

impl Stage {
    /// The program's name, where it is on its way.
    #[must_use]
    pub fn intro(&self) -> Option<&Intro> {
        match &self.play {
            Some(Play::Intro(intro, _)) => Some(intro),
            _ => None,
        }
    }

    /// Whether a person's flock flies on alone: nothing may change it.
    #[must_use]
    pub fn holds_flock(&self) -> bool {
        matches!(&self.play, Some(Play::Scenes(wander)) if wander.kept.flock)
    }
}

impl App {
    /// Begins with the program's name, where there is room and there are colours for it.
    pub fn begin_intro(&mut self) {
        let plain = !self.dress.shown().mixes() || self.marker == Marker::Ascii;
        if !plain {
            self.stage.play = Intro::new(self.wishes.seed, self.canvas).map(|intro| Play::Intro(intro, None));
        }
    }

    /// Wanders through presets and themes until somebody comes. A theme or a view that was asked for stays.
    pub fn begin_scenes(&mut self, now: Instant) {
        let kept = Kept { flock: false, theme: self.dress.worn().1, view: self.view != View::Auto };
        self.wander(now, kept, None);
    }

    /// Does so with the flock that flies whenever nobody has pressed a key for this time; none is never.
    pub fn idle_after(&mut self, time: Option<Duration>) {
        self.stage.idle = time;
    }

    /// Ends the scenes that play while nobody is there, as a key does; a screensaver plays on.
    pub fn come_back(&mut self, now: Instant) {
        let is_away = matches!(&self.stage.play, Some(Play::Scenes(wander)) if wander.left.is_some());
        if is_away {
            self.stir(now);
        }
    }

    /// Begins the scenes that play anew: those of before count by other presets and themes.
    pub(crate) fn begin_scenes_anew(&mut self, now: Instant) {
        match self.stage.play.take() {
            Some(Play::Scenes(wander)) => {
                self.dress.hide(0.0);
                self.wander(now, wander.kept, wander.left);
            }
            play => self.stage.play = play,
        }
    }

    /// Lets time pass. Says whether anything else is to be seen.
    pub fn pass(&mut self, now: Instant) -> bool {
        let forgotten = self.forget(now);
        let played = match self.stage.play.take() {
            Some(Play::Intro(intro, begun)) => self.play_intro(intro, begun.unwrap_or(now), now),
            Some(Play::Scenes(wander)) => self.play_scene(wander, now),
            None => self.rest(now),
        };
        forgotten || played
    }

    /// Somebody is there. Says whether that was all they wanted to say: who wakes the screen wants nothing
    /// else, and who presses a key at the start wants what that key does.
    pub fn stir(&mut self, now: Instant) -> bool {
        self.stage.stirred = Some(now);
        match self.stage.play.take() {
            Some(Play::Scenes(wander)) => {
                match wander.left {
                    Some(left) => self.find(left),
                    None => self.asked.push_back(Wish::Quit),
                }
                true
            }
            Some(Play::Intro(..)) | None => false,
        }
    }

    /// The wire is slow: what is not needed goes.
    pub fn spare(&mut self) {
        if self.stage.intro().is_some() {
            self.stage.play = None;
        }
    }

    fn play_intro(&mut self, mut intro: Intro, begun: Instant, now: Instant) -> bool {
        let time = now - begun;
        if time < LENGTH && intro.canvas() == self.canvas {
            intro.seek(time);
            self.stage.play = Some(Play::Intro(intro, Some(begun)));
        }
        true
    }

    /// Nothing plays: scenes begin when it has been quiet for long enough. Who lets time stand still looks
    /// at something.
    fn rest(&mut self, now: Instant) -> bool {
        let stirred = *self.stage.stirred.get_or_insert(now);
        let begins = self.stage.idle.is_some_and(|idle| now - stirred >= idle) && !self.wishes.paused;
        if begins {
            self.leave(now);
        }
        begins
    }

    /// Wanders through themes and views of the flock that flies, until a key gives the screen back as it is now.
    pub fn leave(&mut self, now: Instant) {
        let left = Left {
            clean: std::mem::replace(&mut self.clean, true),
            overlay: self.overlay.take(),
            theme: self.dress.worn(),
            view: self.view,
            coloring: self.coloring,
            aim: self.outlook.aim(),
        };
        self.hush();
        self.wander(now, Kept { flock: true, ..Kept::default() }, Some(left));
    }

    fn wander(&mut self, now: Instant, kept: Kept, left: Option<Left>) {
        let preset = if kept.flock { None } else { self.preset_place() };
        let on = Scene { preset, theme: self.dress.worn().0, view: self.view, coloring: self.coloring, near: false };
        let director = Director::new(self.wishes.seed, on);
        self.stage.play = Some(Play::Scenes(Box::new(Wander { director, begun: now, on, change: None, kept, left })));
    }

    /// Gives the screen back as it was left.
    fn find(&mut self, left: Left) {
        (self.clean, self.overlay) = (left.clean, left.overlay);
        self.dress.put_on(left.theme.0, left.theme.1);
        self.dress.hide(0.0);
        self.show_as(left.view, left.coloring, left.aim);
    }

    fn play_scene(&mut self, mut wander: Box<Wander>, now: Instant) -> bool {
        let (scene, share) = wander.director.at(now - wander.begun, || offers(self, wander.kept));
        let turns = scene != wander.on || wander.change.is_some();
        let changed = turns && self.change_scene(&mut wander, scene, share);
        self.stage.play = Some(Play::Scenes(wander));
        changed
    }

    /// Brings the change to a scene as far as this share of it.
    fn change_scene(&mut self, wander: &mut Wander, to: Scene, share: f32) -> bool {
        let begun = Change { to, from: self.dress.worn().0, hides: wander.on.hides(&to) };
        let change = *wander.change.get_or_insert(begun);
        let mut changed = self.dress.turn(change.from, change.to.theme, share);
        let hidden = if change.hides { 1.0 - (2.0 * share - 1.0).abs() } else { 0.0 };
        changed |= self.dress.hide(hidden);
        if share >= 0.5 && wander.on != change.to {
            self.set_scene(wander.on, change.to);
            wander.on = change.to;
        }
        if share >= 1.0 {
            wander.change = None;
        }
        changed
    }

    /// Sets a scene, the last one being still there.
    fn set_scene(&mut self, last: Scene, scene: Scene) {
        if let Some(preset) = scene.preset.filter(|_| scene.preset != last.preset) {
            self.fly(preset);
            self.hush();
        }
        let aim =
            if scene.near { Aim { zoom: NEAR, follow: Follow::Largest, ..Aim::default() } } else { Aim::default() };
        self.show_as(scene.view, scene.coloring, aim);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::layout::Rect;

    use super::*;
    use crate::engine::Request;
    use crate::sim::Command;
    use crate::viewer::Action;
    use crate::viewer::ColorDepth;
    use crate::viewer::app::tests::app;
    use crate::viewer::input::prompt::Edit;

    const FRAME: Duration = Duration::from_millis(50);

    /// Lets so many minutes pass, and asks at each frame.
    fn watch(app: &mut App, from: Instant, minutes: u32, mut look: impl FnMut(&App)) -> Instant {
        let end = from + minutes * Duration::from_secs(60);
        let mut now = from;
        while now < end {
            app.pass(now);
            look(app);
            now += FRAME;
        }
        now
    }

    #[test]
    fn a_screensaver_flies_many_presets_in_many_themes_and_a_key_leaves_it() {
        let (mut app, start) = (app(40), Instant::now());
        app.clean = true;
        app.begin_scenes(start);
        let (mut presets, mut themes) = (HashSet::new(), HashSet::new());
        let now = watch(&mut app, start, 10, |app| {
            presets.insert(app.wishes.preset.name.clone());
            themes.insert(app.dress.name().to_owned());
            assert!(app.message().is_none() && app.clean);
        });
        assert!(presets.len() > 3 && !presets.contains("coderholic"), "{presets:?}");
        assert!(themes.len() > 5 && !themes.contains("paper"), "{themes:?}");
        let flies = |request: &Request| matches!(request, Request::Begin(_) | Request::Flock(Command::Morph(..)));
        let begun = app.requests().into_iter().filter(flies).count();
        assert!((14..=25).contains(&begun), "{begun}");
        assert_eq!((app.stir(now), app.wish()), (true, Some(Wish::Quit)));
    }

    #[test]
    fn another_flock_comes_where_nothing_is_seen() {
        let (mut app, start) = (app(40), Instant::now());
        app.begin_scenes(start);
        let (mut last, mut changes) = (app.wishes.preset.name.clone(), 0);
        let mut most: f32 = 0.0;
        watch(&mut app, start, 3, |app| {
            most = most.max(app.dress.hidden());
            if app.wishes.preset.name != last {
                assert!(app.dress.hidden() > 0.97, "{}", app.dress.hidden());
                last.clone_from(&app.wishes.preset.name);
                changes += 1;
            }
        });
        assert!(changes > 3 && most == 1.0, "{changes} {most}");
    }

    #[test]
    fn scenes_go_on_where_themes_have_gone() {
        let (mut app, start) = (app(40), Instant::now());
        app.begin_scenes(start);
        let (mut now, themes) = (start, crate::config::Theme::all().all);
        for _ in 0..12 {
            // Into the middle of a change.
            while app.dress.worn().0 == 0 || app.dress.hidden() == 0.0 {
                now += FRAME;
                app.pass(now);
            }
            app.dress.hang(themes[..2].to_vec());
            app.begin_scenes_anew(now);
            now = watch(&mut app, now, 1, |_| {});
            app.dress.hang(themes.clone());
            app.begin_scenes_anew(now);
        }
    }

    #[test]
    fn a_theme_that_was_asked_for_stays() {
        let (mut app, start) = (app(40), Instant::now());
        app.act(Action::NextTheme);
        app.act(Action::View);
        app.begin_scenes(start);
        let (theme, view) = (app.dress.worn(), app.view);
        let mut presets = HashSet::new();
        watch(&mut app, start, 5, |app| {
            assert!(app.dress.worn() == theme && app.view == view);
            presets.insert(app.wishes.preset.name.clone());
        });
        assert!(presets.len() > 3);
    }

    #[test]
    fn while_nobody_is_there_only_the_looks_change_and_all_is_given_back() {
        let (mut app, start) = (app(40), Instant::now());
        app.act(Action::NextTheme);
        app.act(Action::Coloring);
        app.act(Action::TypeValue);
        app.write(Edit::Sign('7'));
        app.requests();
        app.act(Action::ZoomIn);
        app.requests();
        let left = (app.clean, app.overlay.clone(), app.dress.worn(), app.view, app.coloring, app.format().aim);
        app.idle_after(Some(Duration::from_secs(300)));
        let now = watch(&mut app, start, 4, |app| assert!(!app.clean));
        let mut looks = HashSet::new();
        let now = watch(&mut app, now, 10, |app| {
            if app.clean {
                looks.insert((app.dress.name().to_owned(), app.view.name(), app.coloring().name()));
            }
        });
        assert!(looks.len() > 10, "{looks:?}");
        app.resize(Rect::new(0, 0, 120, 40), 1.0);
        assert!(app.stir(now) && app.wish().is_none());
        assert_eq!((app.clean, app.overlay.clone(), app.dress.worn(), app.view, app.coloring, app.format().aim), left);
        assert_eq!(app.dress.hidden(), 0.0);
        let requests = app.requests();
        assert!(requests.iter().all(|request| matches!(request, Request::Canvas(_))), "{requests:?}");
        // And the next key is a key again.
        assert!(!app.stir(now));
    }

    #[test]
    fn keys_and_a_pause_keep_it_awake() {
        let (mut app, mut now) = (app(40), Instant::now());
        app.idle_after(Some(Duration::from_secs(90)));
        for _ in 0..5 {
            now = watch(&mut app, now, 1, |app| assert!(!app.clean));
            app.stir(now);
        }
        app.act(Action::Pause);
        now = watch(&mut app, now, 10, |app| assert!(!app.clean));
        app.act(Action::Pause);
        app.stir(now);
        watch(&mut app, now, 2, |_| {});
        assert!(app.clean);
    }

    #[test]
    fn the_start_ends_by_itself_by_a_key_by_another_size_and_on_a_slow_wire() {
        let ends: [fn(&mut App, Instant); 4] = [
            |app, now| assert!(app.pass(now + LENGTH)),
            |app, now| assert!(!app.stir(now)),
            |app, now| {
                app.resize(Rect::new(0, 0, 90, 30), 1.0);
                app.pass(now);
            },
            |app, _| app.spare(),
        ];
        for end in ends {
            let (mut app, now) = (app(40), Instant::now());
            app.begin_intro();
            // Its time begins with the first frame.
            assert!(app.pass(now) && app.pass(now + LENGTH / 2) && app.stage.intro().is_some());
            end(&mut app, now);
            assert!(app.stage.intro().is_none() && !app.pass(now + LENGTH));
        }
    }

    #[test]
    fn few_colours_and_plain_characters_have_no_start() {
        let mut few = app(40);
        few.dress.limit(ColorDepth::Ansi);
        few.begin_intro();
        let mut plain = app(40);
        plain.marker = Marker::Ascii;
        plain.begin_intro();
        assert!(few.stage.intro().is_none() && plain.stage.intro().is_none());
    }
}
