//! Saving pictures, measures and the session on a key, never over existing files. Clips are in [`save_clip`](super::save_clip).

use std::path::Path;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::EventLoop;
use super::background_save::{SaveJob, Saved, TICK_TIMEOUT};
use super::new_file::save_new;
use crate::config::{ConfigError, Theme};
use crate::export::picture::{DefaultColors, PictureFormat};
use crate::viewer::app::App;
use crate::viewer::plots::Plots;

/// The minimum size of a picture of plots, in cells.
const PLOTS_SIZE: (u16, u16) = (80, 24);

impl EventLoop {
    /// Saves a screenshot of the flock in the background, unless something is being saved.
    pub(super) fn save_screenshot(&mut self) {
        self.save(|app, canvas| {
            let mut screenshot = Buffer::empty(canvas);
            app.draw_flock_alone(&mut screenshot);
            let (name, theme) = (file_name(app), app.context.theme.theme().into_owned());
            Box::new(move |_| {
                let paths = save_new(Path::new("."), &name, &[(".png", png(&screenshot, &theme)?)])?;
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
            let (name, theme) = (file_name(app), app.context.theme.theme().into_owned());
            let (history, changes) = (app.plots.history.clone(), Plots::changes(&app.timeline, &app.context));
            Box::new(move |_| {
                let measures = history.csv(&changes).into_bytes();
                let files = [("-measures.csv", measures), ("-plots.png", png(&picture, &theme)?)];
                let paths = save_new(Path::new("."), &name, &files)?;
                let [measures, plots] = [0, 1].map(|index| paths[index].display());
                Ok(Saved::new(format!("measures saved as {measures}, plots as {plots}")))
            })
        });
    }

    /// Saves the session in the background, unless something is being saved.
    pub(super) fn save_session(&mut self) {
        let session = self.session.clone();
        self.save(|app, _| {
            let name = file_name(app);
            // Before the requests of later keys.
            let read = session.reader.read();
            Box::new(move |_| {
                let mut bytes = Vec::new();
                let (log, hash) = read(TICK_TIMEOUT);
                session.write(&log, hash, &mut bytes).map_err(ConfigError::io("session"))?;
                let path = save_new(Path::new("."), &name, &[(".flock", bytes)])?.remove(0);
                Ok(Saved::session(path))
            })
        });
    }

    /// Prepares what to save from the latest frame and the area of the flock, and saves it in the background.
    pub(super) fn save(&mut self, prepare: impl FnOnce(&App, Rect) -> SaveJob) {
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
    let name = &app.context.presets.base.name;
    if frame.trajectories.is_some() {
        return format!("{name}-{}", frame.tick);
    }
    format!("{name}-{}-{}", frame.controls.seed, frame.tick)
}

fn png(screen: &Buffer, theme: &Theme) -> Result<Vec<u8>, ConfigError> {
    let mut bytes = Vec::new();
    let written = PictureFormat::Png.write(screen, DefaultColors::of(theme), &mut bytes);
    written.map_err(ConfigError::io(Path::new("picture")))?;
    Ok(bytes)
}
