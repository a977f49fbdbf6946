//! Saving pictures, measures and the session on a key, never over existing files. A clip is rendered in the background, while the flock flies
//! on.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::EventLoop;
use super::background_job::Job;
use super::new_file::{open_new, save_new};
use super::save_on_exit::TICK_TIMEOUT;
use crate::engine::ShownBrood;
use crate::error::InputError;
use crate::export::clip::{ClipTiming, duration};
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::sim::{Scratch, Session, SessionPosition, Timeline};
use crate::viewer::app::{App, ClipSettings};
use crate::viewer::offscreen::{LONGEST_MEMORY, Offscreen};
use crate::viewer::plots::Plots;
use crate::viewer::render_clip::{CLIP_FPS, MAX_CLIP, RenderedFlock, Simulation};

/// The minimum size of a picture of plots, in cells.
const PLOTS_SIZE: (u16, u16) = (80, 24);

/// Files that were saved.
pub(crate) struct Saved {
    message: String,
    /// The file of the session, if it is one of them.
    session: Option<PathBuf>,
}

impl Saved {
    fn new(message: String) -> Self {
        Self { message, session: None }
    }

    fn session(path: PathBuf) -> Self {
        Self { message: format!("session saved as {}", path.display()), session: Some(path) }
    }
}

impl EventLoop {
    /// Saves a screenshot of the flock in the background, unless something is being saved.
    pub(super) fn save_screenshot(&mut self) {
        self.save(|app, canvas| {
            let mut screenshot = Buffer::empty(canvas);
            app.draw_flock_alone(&mut screenshot);
            let (name, colors) = (file_name(app), DefaultColors::of(&app.context.theme.colors()));
            Box::new(move |_| {
                let paths = save_new(Path::new("."), &name, &[(".png", png(&screenshot, colors)?)])?;
                Ok(Saved::new(format!("screenshot saved as {}", paths[0].display())))
            })
        });
    }

    /// Saves the measures of this run and a picture of their plots in the background, unless something is being saved.
    pub(super) fn save_plots(&mut self) {
        if self.app.plots.history.ticks().is_none() {
            return self.app.context.show_message("no measures to save yet");
        }
        self.save(|app, canvas| {
            let (width, height) = (canvas.width.max(PLOTS_SIZE.0), canvas.height.max(PLOTS_SIZE.1));
            let area = Rect { width, height, ..canvas };
            let mut picture = Buffer::empty(area);
            app.draw_plots_alone(&mut picture);
            let (name, colors) = (file_name(app), DefaultColors::of(&app.context.theme.colors()));
            let (history, changes) = (app.plots.history.clone(), Plots::changes(&app.timeline, &app.context));
            Box::new(move |_| {
                let measures = history.csv(&changes).into_bytes();
                let files = [("-measures.csv", measures), ("-plots.png", png(&picture, colors)?)];
                let paths = save_new(Path::new("."), &name, &files)?;
                let [measures, plots] = [0, 1].map(|index| paths[index].display());
                Ok(Saved::new(format!("measures saved as {measures}, plots as {plots}")))
            })
        });
    }

    /// Saves the session in the background, unless something is being saved.
    pub(super) fn save_session(&mut self) {
        let Some(session) = self.session.clone() else { return };
        self.save(|app, _| {
            let name = file_name(app);
            // Before the requests of later keys.
            let read = session.reader.read();
            Box::new(move |_| {
                let mut bytes = Vec::new();
                let (log, hash) = read(TICK_TIMEOUT);
                session.write(&log, hash, &mut bytes).map_err(InputError::io("session"))?;
                let path = save_new(Path::new("."), &name, &[(".flock", bytes)])?.remove(0);
                Ok(Saved::session(path))
            })
        });
    }

    /// Notes files that were saved or could not be. Returns a message about them.
    pub(super) fn saved(&mut self, result: Result<Saved, InputError>) -> String {
        match result {
            Ok(Saved { message, session }) => {
                self.saved_session = session.or(self.saved_session.take());
                message
            }
            Err(error) => error.to_string(),
        }
    }

    /// Prepares what to save from the latest frame and the area of the flock, and saves it in the background.
    pub(super) fn save(&mut self, prepare: impl FnOnce(&App, Rect) -> Job<Saved>) {
        if self.saving.is_busy() {
            return self.app.context.show_message("not saved: another file is still being saved");
        }
        if !self.has_frame {
            return;
        }
        let canvas = self.app.regions(self.buffer.area).flock;
        let job = prepare(&self.app, Rect::new(0, 0, canvas.width, canvas.height));
        if let Err(error) = self.saving.start(job, self.events.sender()) {
            self.app.context.show_message(error.to_string());
        }
        self.stale = true;
    }
}

/// The beginning of the names of files about the flock in a frame.
pub(super) fn file_name(app: &App) -> String {
    let frame = app.context.client.frame();
    let name = app.context.name();
    if frame.recording.is_some() {
        return format!("{name}-{}", frame.tick);
    }
    format!("{name}-{}-{}", frame.controls.setup.seed, frame.tick)
}

fn png(screen: &Buffer, colors: DefaultColors) -> Result<Vec<u8>, InputError> {
    let mut bytes = Vec::new();
    let written = PictureFormat::Png.write(screen, colors, &mut bytes);
    written.map_err(InputError::io(Path::new("picture")))?;
    Ok(bytes)
}

impl EventLoop {
    /// Saves the marked part of the session, or its last seconds, as a clip in the background, unless something is being saved.
    pub(super) fn save_clip(&mut self) {
        let Range { start, end } = clip_ticks(&self.app, self.options.start.options.clips);
        let rate = self.app.context.client.controls().rate;
        if duration(end - start, rate) > MAX_CLIP {
            return self.app.context.show_message("not saved: a clip can last an hour at most; mark a shorter part");
        }
        let (format, screen) = (self.options.start.options.clips.format, self.buffer.area);
        let brood = self.app.context.client.frame().brood.clone();
        // Tiles begin where the clip does, beside a flock that the screen does not show.
        let brood = brood.map(|shown| ShownBrood { tick: start, ..shown });
        let timeline: Box<dyn FnOnce() -> Option<Box<dyn Timeline>> + Send> = match &brood {
            Some(shown) => {
                let parent = shown.parent_flock();
                Box::new(move || Some(Box::new(Session::begin(parent.ok()?, true, 0))))
            }
            None => Box::new(self.engine.near(start.saturating_sub(LONGEST_MEMORY))),
        };
        self.save(move |app, _| {
            let has_tiles = brood.is_some();
            let (name, mut app) = (file_name(app), app.appearance());
            app.context.client.show_frame(|frame| frame.brood = brood);
            Box::new(move |monitor| {
                let mut timeline = timeline()
                    .ok_or_else(|| InputError::io("clip")(io::Error::other("the session has no first state")))?;
                let mut scratch = Scratch::new();
                // The viewer has reported an impossible command.
                let _ = timeline.finish(&mut scratch);
                let SessionPosition { tick, last, .. } = timeline.position();
                // Another branch may have replaced the session on the way.
                let (start, end) =
                    if has_tiles { (tick, tick + end - start) } else { (start.max(tick), end.min(last).max(start)) };
                let timing = ClipTiming::new(duration(end - start, rate), CLIP_FPS, rate);
                let mut file = open_new(Path::new("."), &name, &format!(".{}", format.name()))?;
                let path = file.path().to_owned();
                let io_error = InputError::io(&path);
                let skipped = start - tick;
                let total = skipped + format.passes() * timing.last_tick();
                let label = path.file_name().unwrap_or_default().to_string_lossy();
                let mut on_tick = |ticks: u64| {
                    monitor.report(format!("saving {label} {} %", 100 * ticks / total.max(1)));
                    if monitor.is_canceled() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
                };
                let history = &mut app.plots.history;
                *history = history.before(timeline.run().number, timeline.snapshot().tick);
                let mut rendered = RenderedFlock { timeline, screen: Offscreen::of(app, screen).at_fps(CLIP_FPS) };
                let mut simulation = Simulation::new(&mut scratch, &mut on_tick).skipping_impossible();
                let simulated = simulation.advance(&mut rendered, skipped);
                let written = simulated.and_then(|()| simulation.write_clip(&mut rendered, format, timing, &mut file));
                match written.and_then(|()| file.finish()) {
                    Err(_) if monitor.is_canceled() => Ok(Saved::new("clip not saved: canceled".to_owned())),
                    Err(error) => Err(io_error(error)),
                    Ok(path) => {
                        let bytes = fs::metadata(&path).map_err(io_error)?.len();
                        Ok(Saved::new(format!("clip saved as {} ({})", path.display(), timing.summary(bytes))))
                    }
                }
            })
        });
    }
}

/// The ticks of the session, or of the tiles, that a clip shows: the marked part, or the seconds before the tick on the screen.
fn clip_ticks(app: &App, settings: ClipSettings) -> Range<u64> {
    let frame = app.context.client.frame();
    let (first, tick) = match &frame.brood {
        Some(brood) => (0, brood.tick),
        None => (frame.position.first, frame.position.tick),
    };
    if let Some((begin, end)) = app.timeline.part().filter(|_| frame.brood.is_none()) {
        return begin..end;
    }
    let rate = f64::from(app.context.client.controls().rate);
    let length = (settings.length.as_secs_f64() * rate).round() as u64;
    tick.saturating_sub(length).max(first)..tick
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::export::clip::ClipFormat;
    use crate::sim::SessionPosition;
    use crate::viewer::Action;
    use crate::viewer::app::tests::{app, show};

    #[test]
    fn a_clip_ends_at_the_tick_on_the_screen_unless_a_part_is_marked() {
        let mut app = app(20);
        let mut at = |tick, seconds, mark: bool| {
            let position = SessionPosition { first: 5, tick, last: 900, ..SessionPosition::default() };
            show(&mut app, |frame| frame.position = position);
            if mark {
                app.act(Action::MarkPart);
            }
            let settings = ClipSettings { length: Duration::from_secs(seconds), format: ClipFormat::Gif };
            let Range { start, end } = clip_ticks(&app, settings);
            (start, end)
        };
        assert_eq!((at(500, 1, false), at(500, 10, false)), ((440, 500), (5, 500)));
        // One end is no part yet.
        assert_eq!((at(300, 1, true), at(200, 1, true), at(700, 1, false)), ((240, 300), (200, 300), (200, 300)));
        assert_eq!(at(700, 1, true), (640, 700));
    }
}
