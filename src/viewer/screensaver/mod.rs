//! The intro, the screensaver, and the slideshow that starts when the user is idle.

pub(crate) mod intro;
pub(crate) mod lettering;
mod scenes;
mod shuffle;
mod slideshow;

use std::time::{Duration, Instant};

use super::Marker;
use super::app::{App, Effect};
use crate::canvas::View;
use intro::{INTRO_LENGTH, Intro};
use slideshow::{Mode, Slideshow};

/// The running intro or slideshow, and the idle timer.
#[derive(Debug, Default)]
pub struct Screensaver {
    play: Option<Playing>,
    /// The time without input after which a slideshow starts; `None` is never.
    idle_timeout: Option<Duration>,
    /// The time of the last input.
    last_activity: Option<Instant>,
}

#[derive(Debug)]
enum Playing {
    /// The intro, and when its first frame was shown.
    Intro(Intro, Option<Instant>),
    Scenes(Box<Slideshow>),
}

impl Screensaver {
    /// The running intro.
    #[must_use]
    pub fn intro(&self) -> Option<&Intro> {
        if let Some(Playing::Intro(intro, _)) = &self.play { Some(intro) } else { None }
    }

    /// Whether an idle slideshow runs, which must not change the user's flock.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        matches!(&self.play, Some(Playing::Scenes(slideshow)) if matches!(slideshow.mode, Mode::Idle(_)))
    }
}

impl App {
    /// Starts the intro, if the screen is large enough and has colors for it.
    pub fn start_intro(&mut self) {
        if self.theme.depth().can_blend() && self.display.marker != Marker::Ascii {
            let intro = Intro::new(self.session.state().seed, self.display.canvas());
            self.screensaver.play = intro.map(|intro| Playing::Intro(intro, None));
        }
    }

    /// Skips the intro on a slow connection.
    pub fn skip_intro(&mut self) {
        if self.screensaver.intro().is_some() {
            self.screensaver.play = None;
        }
    }

    /// Starts the screensaver: presets, themes and views change until the next input, which quits. A theme or a view
    /// that the user chose stays.
    pub fn start_screensaver(&mut self, now: Instant) {
        let mode =
            Mode::Screensaver { keeps_theme: self.theme.active().1, keeps_view: self.display.view != View::Auto };
        self.start_slideshow(now, mode);
    }

    /// Starts a slideshow of themes and views of the current flock. The next input restores the screen.
    pub fn start_idle_slideshow(&mut self, now: Instant) {
        let mode = Mode::Idle(self.save_screen());
        self.start_slideshow(now, mode);
    }

    /// Sets the time without input after which a slideshow starts; `None` is never.
    pub fn set_idle_timeout(&mut self, time: Option<Duration>) {
        self.screensaver.idle_timeout = time;
    }

    /// Ends an idle slideshow; a screensaver continues.
    pub fn end_idle_slideshow(&mut self, now: Instant) {
        if self.screensaver.is_idle() {
            self.note_activity(now);
        }
    }

    /// Restarts a running slideshow after a reload, because its scenes hold indices of presets and themes.
    pub(crate) fn restart_slideshow(&mut self, now: Instant) {
        match self.screensaver.play.take() {
            Some(Playing::Scenes(slideshow)) => {
                self.theme.set_flock_fade(0.0);
                self.start_slideshow(now, slideshow.mode);
            }
            play => self.screensaver.play = play,
        }
    }

    /// Advances all animations. Returns whether the screen changed.
    pub fn animate(&mut self, now: Instant) -> bool {
        let forgotten = self.expire_message(now);
        let played = match self.screensaver.play.take() {
            Some(Playing::Intro(mut intro, begun)) => {
                let begun = begun.unwrap_or(now);
                let time = now - begun;
                if time < INTRO_LENGTH && intro.canvas() == self.display.canvas() {
                    intro.seek(time);
                    self.screensaver.play = Some(Playing::Intro(intro, Some(begun)));
                }
                true
            }
            Some(Playing::Scenes(mut slideshow)) => {
                let changed = self.play_scene(&mut slideshow, now);
                self.screensaver.play = Some(Playing::Scenes(slideshow));
                changed
            }
            None => self.check_idle(now),
        };
        forgotten || played
    }

    /// Starts a slideshow after the idle timeout, unless the simulation is paused.
    fn check_idle(&mut self, now: Instant) -> bool {
        let idle = now - *self.screensaver.last_activity.get_or_insert(now);
        let begins =
            self.screensaver.idle_timeout.is_some_and(|timeout| idle >= timeout) && !self.session.state().paused;
        if begins {
            self.start_idle_slideshow(now);
        }
        begins
    }

    /// Ends the intro or slideshow on input. Returns whether that consumes the input: a key that ends a slideshow has no
    /// other effect, one that ends the intro does.
    pub fn note_activity(&mut self, now: Instant) -> bool {
        self.screensaver.last_activity = Some(now);
        let Some(Playing::Scenes(slideshow)) = self.screensaver.play.take() else { return false };
        match slideshow.mode {
            Mode::Idle(saved) => self.restore_screen(saved),
            Mode::Screensaver { .. } => self.request(Effect::Quit),
        }
        true
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
    use crate::viewer::input::prompt::LineEdit;

    const FRAME: Duration = Duration::from_millis(50);

    /// Animates for some minutes and inspects each frame.
    fn watch(app: &mut App, from: Instant, minutes: u32, mut look: impl FnMut(&App)) -> Instant {
        let end = from + minutes * Duration::from_secs(60);
        let mut now = from;
        while now < end {
            app.animate(now);
            look(app);
            now += FRAME;
        }
        now
    }

    #[test]
    fn a_screensaver_shows_many_presets_and_themes_until_a_key() {
        let (mut app, start) = (app(40), Instant::now());
        app.display.clean = true;
        app.start_screensaver(start);
        let (mut presets, mut themes) = (HashSet::new(), HashSet::new());
        let now = watch(&mut app, start, 10, |app| {
            presets.insert(app.session.preset.name.clone());
            themes.insert(app.theme.name().to_owned());
            assert!(app.message().is_none() && app.display.clean);
        });
        assert!(presets.len() > 3 && !presets.contains("coderholic"), "{presets:?}");
        assert!(themes.len() > 5 && !themes.contains("paper"), "{themes:?}");
        let flies = |request: &Request| matches!(request, Request::NewFlock(_) | Request::Flock(Command::Morph(..)));
        let begun = app.requests().into_iter().filter(flies).count();
        assert!((14..=25).contains(&begun), "{begun}");
        assert_eq!((app.note_activity(now), app.effects.pop_front()), (true, Some(Effect::Quit)));
    }

    #[test]
    fn the_flock_changes_only_while_faded_out() {
        let (mut app, start) = (app(40), Instant::now());
        app.start_screensaver(start);
        let (mut last, mut changes) = (app.session.preset.name.clone(), 0);
        let mut most: f32 = 0.0;
        watch(&mut app, start, 3, |app| {
            most = most.max(app.theme.flock_fade());
            if app.session.preset.name != last {
                assert!(app.theme.flock_fade() > 0.97, "{}", app.theme.flock_fade());
                last.clone_from(&app.session.preset.name);
                changes += 1;
            }
        });
        assert!(changes > 3 && most == 1.0, "{changes} {most}");
    }

    #[test]
    fn a_slideshow_survives_a_reload_of_themes() {
        let (mut app, start) = (app(40), Instant::now());
        app.start_screensaver(start);
        let (mut now, themes) = (start, <crate::config::Theme as crate::config::NamedFile>::all().all);
        for _ in 0..12 {
            // Go to the middle of a transition.
            while app.theme.active().0 == 0 || app.theme.flock_fade() == 0.0 {
                now += FRAME;
                app.animate(now);
            }
            app.theme.set_themes(themes[..2].to_vec());
            app.restart_slideshow(now);
            now = watch(&mut app, now, 1, |_| {});
            app.theme.set_themes(themes.clone());
            app.restart_slideshow(now);
        }
    }

    #[test]
    fn a_chosen_theme_stays() {
        let (mut app, start) = (app(40), Instant::now());
        app.act(Action::NextTheme);
        app.act(Action::View);
        app.start_screensaver(start);
        let (theme, view) = (app.theme.active(), app.display.view);
        let mut presets = HashSet::new();
        watch(&mut app, start, 5, |app| {
            assert!(app.theme.active() == theme && app.display.view == view);
            presets.insert(app.session.preset.name.clone());
        });
        assert!(presets.len() > 3);
    }

    #[test]
    fn an_idle_slideshow_keeps_the_flock_and_restores_the_screen() {
        let (mut app, start) = (app(40), Instant::now());
        app.act(Action::NextTheme);
        app.act(Action::Coloring);
        app.act(Action::EditValue);
        app.edit_text(LineEdit::Insert('7'));
        app.requests();
        app.act(Action::ZoomIn);
        app.requests();
        let saved = (
            app.display.clean,
            app.overlay.clone(),
            app.theme.active(),
            app.display.view,
            app.display.coloring,
            app.format().aim,
        );
        app.set_idle_timeout(Some(Duration::from_secs(300)));
        let now = watch(&mut app, start, 4, |app| assert!(!app.display.clean));
        let mut looks = HashSet::new();
        let now = watch(&mut app, now, 10, |app| {
            if app.display.clean {
                looks.insert((app.theme.name().to_owned(), app.display.view.name(), app.coloring().name()));
            }
        });
        assert!(looks.len() > 10, "{looks:?}");
        app.resize(Rect::new(0, 0, 120, 40), 1.0);
        assert!(app.note_activity(now) && app.effects.is_empty());
        assert_eq!(
            (
                app.display.clean,
                app.overlay.clone(),
                app.theme.active(),
                app.display.view,
                app.display.coloring,
                app.format().aim
            ),
            saved
        );
        assert_eq!(app.theme.flock_fade(), 0.0);
        let requests = app.requests();
        assert!(requests.iter().all(|request| matches!(request, Request::Canvas(_))), "{requests:?}");
        // The next key has its usual effect.
        assert!(!app.note_activity(now));
    }

    #[test]
    fn input_and_a_pause_prevent_a_slideshow() {
        let (mut app, mut now) = (app(40), Instant::now());
        app.set_idle_timeout(Some(Duration::from_secs(90)));
        for _ in 0..5 {
            now = watch(&mut app, now, 1, |app| assert!(!app.display.clean));
            app.note_activity(now);
        }
        app.act(Action::Pause);
        now = watch(&mut app, now, 10, |app| assert!(!app.display.clean));
        app.act(Action::Pause);
        app.note_activity(now);
        watch(&mut app, now, 2, |_| {});
        assert!(app.display.clean);
    }

    #[test]
    fn the_intro_ends_in_time_on_input_on_a_resize_and_when_skipped() {
        let ends: [fn(&mut App, Instant); 4] = [
            |app, now| assert!(app.animate(now + INTRO_LENGTH)),
            |app, now| assert!(!app.note_activity(now)),
            |app, now| {
                app.resize(Rect::new(0, 0, 90, 30), 1.0);
                app.animate(now);
            },
            |app, _| app.skip_intro(),
        ];
        for end in ends {
            let (mut app, now) = (app(40), Instant::now());
            app.start_intro();
            // Its clock starts with the first frame.
            assert!(app.animate(now) && app.animate(now + INTRO_LENGTH / 2) && app.screensaver.intro().is_some());
            end(&mut app, now);
            assert!(app.screensaver.intro().is_none() && !app.animate(now + INTRO_LENGTH));
        }
    }

    #[test]
    fn few_colors_and_ascii_have_no_intro() {
        let mut few = app(40);
        few.theme.limit_depth(ColorDepth::Colors16);
        few.start_intro();
        let mut plain = app(40);
        plain.display.marker = Marker::Ascii;
        plain.start_intro();
        assert!(few.screensaver.intro().is_none() && plain.screensaver.intro().is_none());
    }
}
