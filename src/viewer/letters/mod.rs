//! Letters: a text or the time of day, which boids form on the canvas until they are let go.

mod formation;
mod text_flight;
mod time_zone;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use chrono::Timelike;

use super::actions::Action;
use super::context::Context;
use super::piped_text::PipedText;
use crate::picture::{Canvas, CanvasFormat, GlyphTable, Picture};
use crate::sim::{Command, Formation, Snapshot};
pub use formation::form;
use formation::{Circumstances, is_steady, perches_of};
use text_flight::TextFlight;
use time_zone::local_time;

/// The time between two strikes of predators on a text, in seconds. They keep off the time of day.
pub const STRIKES: f32 = 30.0;

/// What boids form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A text.
    Text(String),
    /// The local time.
    Clock(ClockFormat),
}

impl Subject {
    fn text(&self, now: SystemTime) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Clock(format) => format.text(TimeOfDay::local(now)),
        }
    }
}

/// What boids are to form, and the text and the circumstances of the last call.
#[derive(Debug, Default)]
pub struct Letters {
    subject: Option<Subject>,
    last_call: Option<(String, Circumstances)>,
    /// A text from standard input, in place of a subject.
    flight: Option<TextFlight>,
}

impl Letters {
    /// Whether boids are called, or will be.
    pub fn is_called(&self) -> bool {
        self.subject.is_some()
    }

    /// Calls boids to form letters, from the next frame on.
    pub fn call(&mut self, subject: Subject) {
        (self.subject, self.last_call, self.flight) = (Some(subject), None, None);
    }

    /// Shows a text from standard input on a canvas of this format, from the first frame on. Returns what a flock forms for it;
    /// `None` if a part of the canvas is outside its world.
    pub fn show(
        &mut self,
        text: &Arc<PipedText>,
        flock: Snapshot<'_>,
        format: CanvasFormat,
        glyphs: &GlyphTable,
    ) -> Option<Arc<Formation>> {
        let mut canvas = Canvas::with_format(format);
        canvas.draw(flock, &mut Picture::default());
        let (camera, zoom) = (canvas.camera(), canvas.view_info().zoom);
        let formation = perches_of(text, glyphs, &camera, zoom, &flock.world, flock.params);
        let formation = Some(Arc::new(formation)).filter(|formation| formation.perches.len() == text.cells.len())?;
        self.flight = Some(TextFlight::new(text.clone(), formation.clone()));
        Some(formation)
    }

    /// Whether a text from standard input rests, and so has the colors of the input.
    pub fn shows_text(&self) -> bool {
        self.flight.as_ref().is_some_and(TextFlight::rests)
    }

    /// Whether a text from standard input has landed.
    pub fn has_landed(&self, context: &Context) -> bool {
        self.flight.as_ref().is_some_and(|flight| flight.has_landed(context))
    }

    /// Whether a text from standard input has flown and is down again.
    pub fn is_text_down(&self) -> bool {
        self.flight.as_ref().is_some_and(TextFlight::is_down)
    }

    /// Lets the boids go.
    pub fn release(&mut self, context: &mut Context) {
        if self.subject.take().is_some() && self.last_call.take().is_some() {
            context.client.command(Command::Release);
        }
    }

    /// Performs an action. Returns whether it is one of these. A text is asked for by the prompt.
    pub fn act(&mut self, action: Action, context: &mut Context) -> bool {
        match action {
            Action::Say => match &mut self.flight {
                Some(flight) => flight.toggle(context),
                None if self.subject.is_some() => {
                    self.release(context);
                    context.show_message("the boids are free");
                }
                None => return false,
            },
            Action::Clock => match &self.subject {
                Some(Subject::Clock(_)) => self.release(context),
                _ => self.call(Subject::Clock(ClockFormat::default())),
            },
            _ => return false,
        }
        true
    }

    /// Calls boids when it is time: for a new text, and again when the flock, the world or the canvas changes.
    pub fn on_frame(&mut self, context: &mut Context, now: SystemTime) {
        if let Some(flight) = &mut self.flight {
            return flight.on_frame(context);
        }
        let Some(subject) = &self.subject else { return };
        if !is_steady(context) {
            return;
        }
        let (frame, call) = (context.client.frame(), (subject.text(now), Circumstances::of(context)));
        if self.last_call.as_ref() == Some(&call) {
            if !frame.formation.called && matches!(subject, Subject::Text(_)) {
                // Their time is over.
                (self.subject, self.last_call) = (None, None);
            }
            return;
        }
        let ticks_of_calm = match subject {
            Subject::Text(_) => STRIKES * frame.controls.rate,
            Subject::Clock(_) => f32::INFINITY,
        };
        match form(&call.0, frame, ticks_of_calm, &context.glyphs.table) {
            Ok(formation) => context.client.command(Command::Call(Arc::new(formation))),
            Err(error) => context.show_message(error.to_string()),
        }
        self.last_call = Some(call);
    }

    /// When the letters change next, although no frame of the engine arrives.
    pub fn next_change(&self, now: SystemTime) -> Option<Instant> {
        let Some(Subject::Clock(_)) = &self.subject else { return None };
        Some(Instant::now() + to_next_minute(now))
    }
}

/// How a clock counts hours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::EnumString, strum::VariantNames)]
pub enum ClockFormat {
    /// From 1 to 12, with AM or PM.
    #[strum(serialize = "12")]
    Hours12,
    /// From 00 to 23.
    #[default]
    #[strum(serialize = "24")]
    Hours24,
}

/// Hours and minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay {
    hour: u32,
    minute: u32,
}

impl ClockFormat {
    /// The time in digits, with AM or PM on a 12-hour clock.
    pub fn text(self, TimeOfDay { hour, minute }: TimeOfDay) -> String {
        match self {
            Self::Hours12 => {
                let half = if hour < 12 { "AM" } else { "PM" };
                format!("{}:{minute:02} {half}", (hour + 11) % 12 + 1)
            }
            Self::Hours24 => format!("{hour:02}:{minute:02}"),
        }
    }
}

impl TimeOfDay {
    /// The local time at a moment.
    pub fn local(now: SystemTime) -> Self {
        let time = local_time(now);
        Self { hour: time.hour(), minute: time.minute() }
    }
}

impl FromStr for TimeOfDay {
    type Err = &'static str;

    /// Parses `HH:MM`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str, end: u32| {
            let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| is_number && *number < end)
        };
        let time = text.split_once(':').filter(|(_, minute)| minute.len() == 2);
        let time = time.and_then(|(hour, minute)| Some((number(hour, 24)?, number(minute, 60)?)));
        let (hour, minute) = time.ok_or("expected a time from 00:00 to 23:59, e.g. 12:34")?;
        Ok(Self { hour, minute })
    }
}

/// As on a 24-hour clock.
impl fmt::Display for TimeOfDay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&ClockFormat::Hours24.text(*self))
    }
}

/// How long the minute of a moment still lasts. Time zones differ by whole minutes.
fn to_next_minute(now: SystemTime) -> Duration {
    const MINUTE: u128 = 60_000;
    let millis = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_millis() % MINUTE;
    Duration::from_millis((MINUTE - millis) as u64)
}

#[cfg(test)]
mod tests;
