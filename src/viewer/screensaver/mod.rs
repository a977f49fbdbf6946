//! The intro, the screensaver, and the slideshow that starts when the user is idle.

pub(crate) mod intro;
pub(crate) mod shuffle;
mod slideshow;
mod together;

use std::time::{Duration, Instant, SystemTime};

use ratatui::layout::Position;

use super::client::Client;
use super::context::Context;
use super::letters::{Letters, Subject};
use crate::picture::{Marker, View};
use intro::{INTRO_LENGTH, Intro};
pub use slideshow::SlideshowMode;
use slideshow::{Animation, Slideshow};
use together::Together;

/// How far the pointer moves before that ends a slideshow, in cells: a jolt of the table does not.
const MOTION: u16 = 3;
/// How long input at the start of a screensaver does not count.
const GRACE: Duration = Duration::from_millis(300);

/// What ends a slideshow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ExitOn {
    /// A key, a button or the wheel.
    #[default]
    Key,
    /// Motion of the pointer as well.
    Motion,
}

/// The running intro or slideshow, and the idle timer.
#[derive(Debug, Default)]
pub struct Screensaver {
    play: Option<Playing>,
    /// The time without input after which a slideshow starts; `None` is never.
    pub idle_timeout: Option<Duration>,
    /// What ends a slideshow.
    pub exit_on: ExitOn,
    /// Where the pointer was first during the slideshow.
    pointer: Option<Position>,
    /// What boids form in the screensaver: a text between two scenes, or the time all along.
    pub letters: Option<Subject>,
    /// The time of the last input.
    last_activity: Option<Instant>,
}

#[derive(Debug)]
enum Playing {
    /// The intro, and when its first frame was shown.
    Intro(Intro, Option<Instant>),
    Scenes(Box<Slideshow>),
    Together(Together),
}

impl Screensaver {
    /// The running intro.
    pub fn intro(&self) -> Option<&Intro> {
        if let Some(Playing::Intro(intro, _)) = &self.play { Some(intro) } else { None }
    }

    /// The name of the scene, and how visible it is, 0 … 1.
    pub fn caption(&self) -> Option<(&str, f32)> {
        let Some(Playing::Scenes(slideshow)) = &self.play else { return None };
        slideshow.caption.as_ref().map(|(name, opacity)| (name.as_str(), *opacity))
    }

    /// Whether scenes follow each other.
    pub fn is_slideshow(&self) -> bool {
        matches!(self.play, Some(Playing::Scenes(_) | Playing::Together(_)))
    }

    /// Whether the loss of the focus ends it. Several windows of the show that is the same on every screen cannot all have the focus.
    pub fn ends_without_focus(&self) -> bool {
        matches!(self.play, Some(Playing::Scenes(_))) && !self.is_idle()
    }

    /// Whether input does nothing: the key that started the screensaver may still be down.
    pub fn ignores_input(&self, now: Instant) -> bool {
        match &self.play {
            Some(Playing::Scenes(slideshow)) => !self.is_idle() && now - slideshow.begun < GRACE,
            Some(Playing::Together(show)) => now - show.started < GRACE,
            _ => false,
        }
    }

    /// Whether an idle slideshow runs, which must not change the user's flock.
    pub fn is_idle(&self) -> bool {
        matches!(&self.play, Some(Playing::Scenes(slideshow)) if matches!(slideshow.mode, SlideshowMode::Idle))
    }

    /// Starts the intro, if the screen is large enough and has colors for it.
    pub fn start_intro(&mut self, context: &Context) {
        if context.theme.depth().can_blend() && context.display.marker != Marker::Ascii {
            let intro = Intro::new(context.client.controls().setup.seed, context.display.canvas());
            self.play = intro.map(|intro| Playing::Intro(intro, None));
        }
    }

    /// Skips the intro on a slow connection, or in a terminal without the glyphs for it.
    pub fn skip_intro(&mut self) {
        self.play.take_if(|play| matches!(play, Playing::Intro(..)));
    }

    /// Starts the screensaver: presets, themes and views change until the next input, which quits. A theme or a view
    /// that the user chose stays.
    pub fn start(&mut self, now: Instant, context: &Context) {
        let (keeps_theme, keeps_view) = (context.theme.active().1, context.display.view != View::Auto);
        self.play_slideshow(now, SlideshowMode::Screensaver { keeps_theme, keeps_view }, context);
    }

    /// Starts the screensaver that is the same on every screen.
    pub fn start_together(&mut self, now: Instant, client: &mut Client) {
        // Each scene starts at tick 0.
        client.skips_morphs = true;
        self.play = Some(Playing::Together(Together::new(now)));
    }

    /// Whether the show is the same on every screen, so that nothing may depend on this one.
    pub fn is_together(&self) -> bool {
        matches!(self.play, Some(Playing::Together(_)))
    }

    /// Starts a slideshow, until the next input.
    pub fn play_slideshow(&mut self, now: Instant, mode: SlideshowMode, context: &Context) {
        self.pointer = None;
        self.play = Some(Playing::Scenes(Box::new(Slideshow::new(now, mode, context))));
    }

    /// Restarts a running slideshow after a reload, because its scenes hold indices of presets and themes.
    pub fn restart(&mut self, now: Instant, context: &mut Context) {
        if let Some(Playing::Scenes(slideshow)) = self.play.take_if(|play| matches!(play, Playing::Scenes(_))) {
            context.theme.set_flock_fade(0.0);
            self.play_slideshow(now, slideshow.mode, context);
        }
    }

    /// Advances all animations.
    pub fn animate(&mut self, now: Instant, context: &mut Context) -> Animation {
        match &mut self.play {
            Some(Playing::Intro(intro, begun)) => {
                let time = now - *begun.get_or_insert(now);
                if time < INTRO_LENGTH && intro.canvas == context.display.canvas() {
                    intro.seek(time);
                } else {
                    self.play = None;
                }
                Animation { changed: true, ..Animation::default() }
            }
            Some(Playing::Scenes(slideshow)) => slideshow.play(now, context),
            Some(Playing::Together(show)) => {
                Animation { changed: show.play(now, SystemTime::now(), context), ..Animation::default() }
            }
            None => {
                // A paused flock stays on the screen.
                let idle = now - *self.last_activity.get_or_insert(now);
                let is_over = self.idle_timeout.is_some_and(|timeout| idle >= timeout);
                let starts_idle = is_over && !context.client.controls().paused;
                Animation { changed: starts_idle, starts_idle, scene: None }
            }
        }
    }

    /// Calls boids to form letters at the end of a scene, and lets them go after it.
    pub fn update_letters(&self, now: Instant, letters: &mut Letters, context: &mut Context) {
        let (Some(Playing::Scenes(slideshow)), Some(subject)) = (&self.play, &self.letters) else { return };
        // The time is there all along.
        let shows = slideshow.shows_letters(now) || matches!(subject, Subject::Clock(_));
        match (shows, letters.is_called()) {
            (true, false) => letters.call(subject.clone()),
            (false, true) => letters.release(context),
            _ => {}
        }
    }

    /// When [`animate`](Self::animate) may change something: `next_frame` during an animation, `None` if only input can.
    pub fn next_change(&self, next_frame: Instant, context: &Context) -> Option<Instant> {
        if self.play.is_some() {
            return Some(next_frame);
        }
        let timeout = self.idle_timeout.filter(|_| !context.client.controls().paused)?;
        Some(self.last_activity? + timeout)
    }

    /// Whether motion of the pointer to a cell counts as input.
    pub fn counts_motion(&mut self, cell: Position) -> bool {
        match (self.exit_on, &self.play) {
            (ExitOn::Key, _) | (_, Some(Playing::Intro(..))) => false,
            (ExitOn::Motion, None) => true,
            (ExitOn::Motion, Some(Playing::Scenes(_) | Playing::Together(_))) => {
                let from = *self.pointer.get_or_insert(cell);
                from.x.abs_diff(cell.x).max(from.y.abs_diff(cell.y)) > MOTION
            }
        }
    }

    /// Notes input. Ends a running slideshow, which consumes the input, and returns its mode; the intro goes on to the key's effect.
    pub fn note_activity(&mut self, now: Instant) -> Option<SlideshowMode> {
        self.last_activity = Some(now);
        match self.play.take()? {
            Playing::Scenes(slideshow) => Some(slideshow.mode),
            Playing::Together(_) => Some(SlideshowMode::Screensaver { keeps_theme: false, keeps_view: false }),
            Playing::Intro(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use ratatui::layout::Rect;

    use super::*;
    use crate::engine::Request;
    use crate::picture::ColorDepth;
    use crate::sim::Command;
    use crate::viewer::Action;
    use crate::viewer::app::tests::app;
    use crate::viewer::app::{App, Effect};
    use crate::viewer::text::LineEdit;

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
    fn motion_of_more_than_a_few_cells_ends_a_slideshow_by_choice() {
        let (mut app, start) = (app(40), Instant::now());
        app.screensaver.start(start, &app.context);
        let moves =
            |app: &mut App| [(10, 10), (13, 8), (14, 10)].map(|cell| app.screensaver.counts_motion(cell.into()));
        assert_eq!(moves(&mut app), [false; 3]);
        app.screensaver.exit_on = ExitOn::Motion;
        assert_eq!(moves(&mut app), [false, false, true]);
        let later = start + Duration::from_secs(1);
        assert!(
            app.note_activity(later) && app.screensaver.counts_motion(Position::new(9, 9)),
            "it delays the next one"
        );
    }

    #[test]
    fn a_screensaver_shows_many_presets_and_themes_until_a_key() {
        let (mut app, start) = (app(40), Instant::now());
        app.context.display.clean = true;
        app.screensaver.start(start, &app.context);
        let (mut presets, mut themes) = (HashSet::new(), HashSet::new());
        let now = watch(&mut app, start, 10, |app| {
            presets.insert(app.context.presets.base.name.clone());
            themes.insert(app.context.theme.name().to_owned());
            assert!(app.context.message().is_none() && app.context.display.clean);
        });
        assert!(presets.len() > 3 && !presets.contains("coderholic"), "{presets:?}");
        assert!(themes.len() > 5 && !themes.contains("paper"), "{themes:?}");
        let begun = app.requests().into_iter().filter(|request| {
            matches!(request, Request::Flock { command: Command::Replace(_) | Command::Morph(..), .. })
        });
        let begun = begun.count();
        assert!((14..=25).contains(&begun), "{begun}");
        assert_eq!((app.note_activity(now), app.effects.pop_front()), (true, Some(Effect::Quit)));
    }

    #[test]
    fn the_flock_changes_only_while_faded_out() {
        let (mut app, start) = (app(40), Instant::now());
        app.screensaver.start(start, &app.context);
        let (mut last, mut changes) = (app.context.presets.base.name.clone(), 0);
        let mut most: f32 = 0.0;
        watch(&mut app, start, 3, |app| {
            most = most.max(app.context.theme.flock_fade());
            if app.context.presets.base.name != last {
                assert!(app.context.theme.flock_fade() > 0.97, "{}", app.context.theme.flock_fade());
                last.clone_from(&app.context.presets.base.name);
                changes += 1;
            }
        });
        assert!(changes > 3 && most == 1.0, "{changes} {most}");
    }

    #[test]
    fn a_slideshow_survives_a_reload_of_themes() {
        let (mut app, start) = (app(40), Instant::now());
        app.screensaver.start(start, &app.context);
        let (mut now, themes) = (start, <crate::config::Theme as crate::config::NamedFile>::all().all);
        for _ in 0..12 {
            // Go to the middle of a transition.
            while app.context.theme.active().0 == 0 || app.context.theme.flock_fade() == 0.0 {
                now += FRAME;
                app.animate(now);
            }
            app.context.theme.set_themes(themes[..2].to_vec());
            app.screensaver.restart(now, &mut app.context);
            now = watch(&mut app, now, 1, |_| {});
            app.context.theme.set_themes(themes.clone());
            app.screensaver.restart(now, &mut app.context);
        }
    }

    #[test]
    fn a_chosen_theme_stays() {
        let (mut app, start) = (app(40), Instant::now());
        app.act(Action::NextTheme);
        app.act(Action::View);
        app.screensaver.start(start, &app.context);
        let (theme, view) = (app.context.theme.active(), app.context.display.view);
        let mut presets = HashSet::new();
        watch(&mut app, start, 5, |app| {
            assert!(app.context.theme.active() == theme && app.context.display.view == view);
            presets.insert(app.context.presets.base.name.clone());
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
            app.context.display.clean,
            app.overlay.clone(),
            app.context.theme.active(),
            app.context.display.view,
            app.context.display.coloring,
            app.format().aim,
        );
        app.screensaver.idle_timeout = Some(Duration::from_secs(300));
        let now = watch(&mut app, start, 4, |app| assert!(!app.context.display.clean));
        let mut looks = HashSet::new();
        let now = watch(&mut app, now, 10, |app| {
            if app.context.display.clean {
                looks.insert((
                    app.context.theme.name().to_owned(),
                    app.context.display.view.name(),
                    app.context.coloring().name(),
                ));
            }
        });
        assert!(looks.len() > 10, "{looks:?}");
        app.resize(Rect::new(0, 0, 120, 40), 1.0);
        assert!(app.note_activity(now) && app.effects.is_empty());
        assert_eq!(
            (
                app.context.display.clean,
                app.overlay.clone(),
                app.context.theme.active(),
                app.context.display.view,
                app.context.display.coloring,
                app.format().aim
            ),
            saved
        );
        assert_eq!(app.context.theme.flock_fade(), 0.0);
        let requests = app.requests();
        assert!(requests.iter().all(|request| matches!(request, Request::Canvas(..))), "{requests:?}");
        // The next key has its usual effect.
        assert!(!app.note_activity(now));
    }

    #[test]
    fn input_and_a_pause_prevent_a_slideshow() {
        let (mut app, mut now) = (app(40), Instant::now());
        app.screensaver.idle_timeout = Some(Duration::from_secs(90));
        for _ in 0..5 {
            now = watch(&mut app, now, 1, |app| assert!(!app.context.display.clean));
            app.note_activity(now);
        }
        app.act(Action::Pause);
        now = watch(&mut app, now, 10, |app| assert!(!app.context.display.clean));
        app.act(Action::Pause);
        app.note_activity(now);
        watch(&mut app, now, 2, |_| {});
        assert!(app.context.display.clean);
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
            |app, _| app.screensaver.skip_intro(),
        ];
        for end in ends {
            let (mut app, now) = (app(40), Instant::now());
            app.screensaver.start_intro(&app.context);
            // Its clock starts with the first frame.
            assert!(app.animate(now) && app.animate(now + INTRO_LENGTH / 2) && app.screensaver.intro().is_some());
            end(&mut app, now);
            assert!(app.screensaver.intro().is_none() && !app.animate(now + INTRO_LENGTH));
        }
    }

    #[test]
    fn few_colors_and_ascii_have_no_intro() {
        let mut few = app(40);
        few.context.theme.limit_depth(ColorDepth::Colors16);
        few.screensaver.start_intro(&few.context);
        let mut plain = app(40);
        plain.context.display.marker = Marker::Ascii;
        plain.screensaver.start_intro(&plain.context);
        assert!(few.screensaver.intro().is_none() && plain.screensaver.intro().is_none());
    }
}
