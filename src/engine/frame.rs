//! Frames: what the engine hands to the viewer.

use std::mem;
use std::sync::Arc;

use super::request::{Breed, Controls, Request, RequestError};
use super::tiles::{ShownBrood, TiledFlocks};
use crate::picture::{Camera, Canvas, CanvasFormat, Picture, ViewInfo};
use crate::sim::{Analyzer, Direction, Measure, ReplayError, Run, SessionPosition, Snapshot, Undone, World};
use crate::tracks::Recording;

/// The number of boids over which distances are averaged.
const MEASURE_SAMPLE: usize = 1000;
/// Connected groups are found in flocks of at most so many boids: unlike distances, they need all of them.
const MAX_GROUPED: usize = 5000;

/// The latest measurement of the flock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// How often the flock was measured.
    pub count: u64,
    /// The tick that was measured.
    pub tick: u64,
    /// The values of the [quick measures](Measure::quick), in their order. Those of groups are NaN in most measurements of a
    /// large flock and in all of a very large one, as finding the groups takes long.
    pub values: Vec<f64>,
}

impl Measured {
    /// The value of a quick measure; 0 before the first measurement.
    pub fn value(&self, name: &str) -> f64 {
        let index = Measure::quick().position(|measure| measure.name == name);
        index.and_then(|index| self.values.get(index)).copied().unwrap_or(0.0)
    }

    /// Pretends that a measure has a value.
    #[cfg(test)]
    pub(crate) fn set(&mut self, name: &str, value: f64) {
        self.values.resize(Measure::quick().count(), 0.0);
        self.values[Measure::quick().position(|measure| measure.name == name).unwrap()] = value;
    }
}

/// The boids that form letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FormationState {
    /// Whether boids are called.
    pub called: bool,
    /// How many boids rest on perches.
    pub resting: usize,
}

impl FormationState {
    fn of(flock: Snapshot<'_>) -> Self {
        let Some(perches) = flock.perches else { return Self::default() };
        Self { called: perches.has_called(), resting: perches.resting(flock.agents) }
    }
}

/// What the engine reports besides the state of the flock.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// A request failed.
    Refused(RequestError),
    /// A request to undo or redo was answered.
    Undone(Direction, Undone),
    /// A command at this tick replaced what followed.
    Branch(u64),
    /// A command of the session cannot be repeated.
    Impossible(ReplayError),
    /// The replay differs from the session from this tick at the latest.
    Diverged(u64),
}

/// A picture of the flock and the values that the panel shows.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of the last request that has been handled, counted from 1. The move that it began may be under way.
    pub request: u64,
    /// The latest notice, and how many there were.
    pub notice: (u64, Option<Notice>),
    /// The cells.
    pub picture: Picture,
    /// The camera that projected them.
    pub camera: Camera,
    /// What is in view, and the camera's target.
    pub view_info: ViewInfo,
    /// The tick of the flock.
    pub tick: u64,
    /// The place in the session.
    pub position: SessionPosition,
    /// The run of the flock.
    pub run: Run,
    /// The values that the user controls.
    pub controls: Controls,
    /// The current world.
    pub world: World,
    /// How many boids are alive.
    pub boids: usize,
    /// How many boids were caught and will respawn.
    pub caught: usize,
    /// The boids that form letters.
    pub formation: FormationState,
    /// The number of species in the picture.
    pub species: usize,
    /// The recording that it shows a frame of.
    pub recording: Option<Arc<Recording>>,
    /// The brood whose flocks the picture shows instead of the session's flock.
    pub brood: Option<ShownBrood>,
    /// The latest measurement.
    pub measured: Measured,
    /// The measured tick rate; 0 while paused.
    pub ticks_per_second: f32,
}

impl Frame {
    /// A frame without a picture.
    pub fn new(controls: Controls) -> Self {
        Self {
            request: 0,
            notice: (0, None),
            picture: Picture::default(),
            camera: Camera::default(),
            view_info: ViewInfo::default(),
            tick: 0,
            position: SessionPosition::default(),
            run: Run::default(),
            world: controls.setup.world,
            boids: controls.setup.boids,
            controls,
            caught: 0,
            formation: FormationState::default(),
            species: 1,
            recording: None,
            brood: None,
            measured: Measured::default(),
            ticks_per_second: 0.0,
        }
    }

    /// Copies the values that need no measuring.
    pub fn describe<'a>(&mut self, flock: impl Into<Snapshot<'a>>) {
        let flock = flock.into();
        self.tick = flock.tick;
        self.controls.follow(flock);
        self.world = flock.world;
        self.boids = flock.boids();
        self.caught = flock.caught;
        self.formation = FormationState::of(flock);
    }

    /// Whether panel and plots of another frame look the same.
    pub(super) fn has_same_values(&self, other: &Self) -> bool {
        let counts = |frame: &Self| (frame.request, frame.boids, frame.caught, frame.ticks_per_second);
        counts(self) == counts(other) && self.measured == other.measured && self.controls == other.controls
    }
}

/// Makes the frames of a flock or of a recording, or of a brood in its place.
#[derive(Debug)]
pub struct FrameMaker {
    /// The next frame, except for the picture.
    pub frame: Frame,
    /// What draws the flock.
    pub canvas: Canvas,
    /// The flocks that are shown instead.
    pub tiles: Option<TiledFlocks>,
    focus: Option<usize>,
    analyzer: Analyzer,
}

impl FrameMaker {
    /// Makes frames that differ from this one by what they show.
    pub fn new(frame: Frame, format: CanvasFormat) -> Self {
        let (canvas, analyzer) = (Canvas::with_format(format), Analyzer::new());
        Self { frame, canvas, tiles: None, focus: None, analyzer }
    }

    /// Handles a request for another format, or for a step of breeding from the flock in the frame; other requests do nothing.
    ///
    /// # Errors
    ///
    /// [`RequestError`] if there is no generation before, or if the smaller flocks on the tiles are impossible, which then go.
    pub fn handle(&mut self, request: Request) -> Result<(), RequestError> {
        match request {
            Request::Canvas(format, focus) => {
                self.canvas.set_format(format);
                self.tiles.iter_mut().for_each(|tiles| tiles.set_format(format));
                self.focus = focus;
                Ok(())
            }
            Request::Breed(step, world) => self.breed(step, world),
            _ => Ok(()),
        }
    }

    fn breed(&mut self, step: Breed, world: Option<World>) -> Result<(), RequestError> {
        let controls = &mut self.frame.controls;
        if step == Breed::Start {
            let shown = ShownBrood::of(controls.setup.clone());
            self.tiles = Some(TiledFlocks::new(shown, controls.paused, self.canvas.format())?);
            (controls.paused, controls.backward) = (false, false);
        }
        let Some(tiles) = &mut self.tiles else { return Ok(()) };
        if step == Breed::Leave {
            controls.paused |= tiles.was_paused;
            self.tiles = None;
            return Ok(());
        }
        let bred = tiles.breed(step, world);
        if let Err(RequestError::Flock(_)) = bred {
            self.tiles = None;
        }
        bred
    }

    /// Measures the flock; its groups only if `is_grouped` and if it is not too large.
    pub fn measure(&mut self, flock: Snapshot<'_>, is_grouped: bool) {
        let is_grouped = is_grouped && flock.boids() <= MAX_GROUPED;
        let is_taken = |measure: &&Measure| is_grouped || !measure.needs_groups();
        let measures: Vec<&Measure> = Measure::quick().filter(is_taken).collect();
        let mut known = self.analyzer.values(flock, MEASURE_SAMPLE, &measures).into_iter();
        // A frame of a recording may have no animals.
        let is_empty = flock.recorded.is_some() && flock.boids() == 0;
        let value = |measure| if is_taken(&measure) { known.next().filter(|_| !is_empty) } else { None };
        let values = Measure::quick().map(value).map(|value| value.unwrap_or(f64::NAN)).collect();
        self.frame.measured = Measured { count: self.frame.measured.count + 1, tick: flock.tick, values };
    }

    /// Draws a picture, `seconds` after the last one.
    pub fn draw(&mut self, flock: Snapshot<'_>, seconds: f32, picture: &mut Picture) {
        if let Some(tiles) = &mut self.tiles {
            (self.frame.camera, self.frame.view_info) = Default::default();
            return tiles.draw(seconds, self.focus, picture);
        }
        self.canvas.draw(flock, picture);
        self.frame.species = flock.species();
        (self.frame.camera, self.frame.view_info) = (self.canvas.camera(), self.canvas.view_info());
    }

    /// Makes a frame of a flock, `seconds` after the last one. Its picture shows `picture`, which may have more than the flock.
    pub fn make(&mut self, flock: Snapshot<'_>, picture: Snapshot<'_>, seconds: f32, into: &mut Frame) {
        self.frame.describe(flock);
        self.frame.brood = self.tiles.as_ref().map(|tiles| tiles.shown.clone());
        self.draw(picture, seconds, &mut into.picture);
        self.copy_values(into);
    }

    /// Copies all but the picture into a frame.
    pub fn copy_values(&self, into: &mut Frame) {
        // Reuses the storage of an earlier picture.
        *into = Frame { picture: mem::take(&mut into.picture), ..self.frame.clone() };
    }
}
