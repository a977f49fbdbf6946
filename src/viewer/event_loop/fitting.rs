//! Fitting rules to the recording in the background, and flying them: first beside the animals, then alone.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Instant;

use super::background_job::{BackgroundJob, Job, JobMonitor};
use super::options::{Startup, ViewerError};
use super::save_on_exit::SessionSource;
use super::{EventLoop, canvas};
use crate::config::{ConfigError, PRESETS, Preset};
use crate::engine::{Clock, thread_pool};
use crate::fit::{self, Fit, FitError, Flight};
use crate::sim::{Param, Setup, Trajectories};
use crate::viewer::Action;
use crate::viewer::app::{App, InitialState};

/// What the work in the background has found.
pub(crate) enum Fitted {
    /// The rules.
    Rules(Box<Result<Fit, FitError>>),
    /// Their flock in the frames that follow; `None` if it cannot start from this frame.
    Flight(Option<Arc<Flight>>),
}

/// The options that a command sets, besides all parameters, to start the fitted flock.
const OPTIONS: [&str; 5] = ["boids", "predators", "start", "world", "rate"];

impl EventLoop {
    /// Fits rules to the recording. Once they are known, flies them beside the animals, from the frame on the screen.
    pub(super) fn fit(&mut self) {
        let context = &mut self.app.context;
        let frame = context.client.frame();
        let Some(recording) = frame.trajectories.clone() else {
            return context.show_message("fit needs recorded animals: this flock has rules already");
        };
        if self.fitting.is_busy() {
            let key = context.keymap.key(Action::Close).unwrap_or_else(|| "Ctrl-c".to_owned());
            return context.show_message(format!("the rules are being fitted; {key} cancels"));
        }
        let (setup, threads) = (frame.controls.setup.clone(), self.options.threads);
        let job: Job<Fitted> = match context.fitting.fit.clone() {
            None => Box::new(move |monitor| {
                fit_rules(&setup, &recording, threads, monitor).map(|result| Fitted::Rules(Box::new(result)))
            }),
            Some(fit) => {
                // Nothing follows the last frame.
                let start = if frame.position.is_past() { self.frame_on_screen() } else { 0 };
                Box::new(move |_| Ok(Fitted::Flight(Flight::new(&fit, &recording, start).map(Arc::new))))
            }
        };
        if let Err(error) = self.fitting.start(job, self.events.sender()) {
            self.app.context.show_message(error.to_string());
        }
    }

    /// Shows what the work in the background has found.
    pub(super) fn fitted(&mut self, result: Result<Fitted, ConfigError>) {
        let context = &mut self.app.context;
        match result {
            Ok(Fitted::Rules(result)) => match *result {
                Ok(fit) => {
                    context.fitting.fit = Some(Arc::new(fit));
                    self.fit();
                }
                Err(error) => context.show_message(error.to_string()),
            },
            Ok(Fitted::Flight(Some(flight))) => {
                let position = context.client.frame().position;
                if !position.is_past() {
                    context.client.clock(Clock::Seek(position.first + flight.start as u64));
                    context.client.clock(Clock::Pause(false));
                }
                context.show_fitted(Some(flight));
                let key = |action| context.keymap.key(action).unwrap_or_else(|| format!(":{}", action.id()));
                let (alone, hide) = (key(Action::EditValue), key(Action::Close));
                context
                    .show_message(format!("boids with the fitted rules: {alone} flies them alone, {hide} hides them"));
            }
            Ok(Fitted::Flight(None)) => {
                context.show_message(
                    "no animal is inside the area of the fitted flock: go to another frame, and fit again",
                );
            }
            Err(error) => context.show_message(error.to_string()),
        }
    }

    /// The index of the recorded frame on the screen.
    fn frame_on_screen(&self) -> usize {
        let position = self.app.context.client.frame().position;
        (position.tick - position.first) as usize
    }

    /// Continues with the fitted flock alone, in a new session.
    pub(super) fn fly_fitted(&mut self) -> Result<(), ViewerError> {
        let context = &self.app.context;
        let Some(flight) = &context.fitting.flight else { return Ok(()) };
        let flock = match flight.flock(self.frame_on_screen()) {
            Ok(flock) => flock,
            Err(error) => {
                self.app.context.show_message(error.to_string());
                return Ok(());
            }
        };
        let start = self.start_of(&flock.setup());
        let theme = context.theme.active();
        let canvas = canvas(start.clean)?;
        let mut app = App::new(start.clone(), (canvas.columns, canvas.rows), canvas.dot_height);
        app.context.theme.activate(theme.0, theme.1);
        app.context.presets.is_fitted = true;
        let options = &mut self.options;
        (options.start, options.opening, options.letters) = (start, Startup::Plain, None);
        (options.replay, options.replay_file, options.recording, options.notice) = (None, None, None, None);
        options.named =
            OPTIONS.into_iter().chain(Param::table().iter().map(|row| row.key)).map(str::to_owned).collect();
        let engine = options.start_engine(flock, None, false, app.format(), &self.events)?;
        options.set_up(&mut app, &engine);
        let (preset, rate) = (options.start.preset.clone(), options.start.rate);
        self.session = SessionSource { preset, rate, reader: engine.session() };
        // A fit that still runs is about the recording.
        self.fitting.cancel();
        self.fitting = BackgroundJob::default();
        (self.app, self.engine, self.has_frame, self.due) = (app, engine, false, Instant::now());
        self.app.context.show_message("the fitted flock: change its rules with the arrow keys");
        Ok(())
    }

    /// The state of a viewer that shows the fitted flock as this one shows the recording.
    fn start_of(&self, setup: &Setup) -> InitialState {
        let context = &self.app.context;
        let rate = context.client.controls().rate;
        let name = format!("{} fit", context.presets.base.name);
        // A command that starts this flock again sets everything in a preset that exists.
        let preset = Preset { origin: PRESETS[0].name.to_owned(), ..Preset::of_setup(&name, setup, rate) };
        InitialState {
            preset,
            setup: setup.clone(),
            world_is_auto: false,
            input: None,
            rate,
            marker: context.display.marker,
            view: context.display.view,
            clean: context.display.clean,
            keymap: context.keymap.clone(),
            preset_settings: context.presets.settings.clone(),
            ..self.options.start.clone()
        }
    }
}

fn fit_rules(
    setup: &Setup,
    recording: &Trajectories,
    threads: NonZeroUsize,
    monitor: &JobMonitor,
) -> Result<Result<Fit, FitError>, ConfigError> {
    let watch = |share: f64| {
        monitor.report(format!("fitting rules {:.0} %", 100.0 * share));
        if monitor.is_canceled() { Err(FitError::Canceled) } else { Ok(()) }
    };
    let pool = thread_pool(threads.get() - 1).map_err(ConfigError::io("threads"))?;
    Ok(pool.install(|| {
        watch(0.0)?;
        fit::fit(setup, recording, None, &watch)
    }))
}
