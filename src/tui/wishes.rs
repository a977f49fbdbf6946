//! What the viewer wishes of the engine: the flock as it will be when all that was asked is done.

use super::layout::shape;
use crate::canvas::Format;
use crate::config::{Input, Preset, RATES, Revival, WorldSize, random_seed};
use crate::engine::{Clock, Frame, Request};
use crate::sim::{Command, Error, MAX_BOIDS, MAX_PREDATORS, Params, Setup, Spot, Tunable, Value, World};

/// The flock as wished for, and the requests that make it so.
#[derive(Debug)]
pub struct Wishes {
    /// The preset that gauges are measured by.
    pub preset: Preset,
    /// The file that the flock began from, until it begins anew.
    input: Option<Input>,
    /// The rules.
    pub rules: Params,
    /// How many boids, those who are gone among them.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// The seed.
    pub seed: u64,
    /// The world.
    pub world: World,
    /// What stands in it.
    pub spots: Vec<Spot>,
    auto_area: Option<f32>,
    /// Ticks a second.
    pub rate: f32,
    /// Whether time stands still.
    pub paused: bool,
    outbox: Vec<Request>,
    sent: u64,
    refused: u64,
}

impl Wishes {
    /// A flock that flies as it was set up.
    #[must_use]
    pub fn new(preset: Preset, setup: &Setup, auto_world: bool, rate: f32, input: Option<Input>) -> Self {
        Self {
            preset,
            input,
            rules: setup.params,
            boids: setup.boids,
            predators: setup.predators,
            seed: setup.seed,
            world: setup.world,
            spots: setup.spots.clone(),
            auto_area: auto_world.then(|| area(&setup.world)),
            rate,
            paused: false,
            outbox: Vec::new(),
            sent: 0,
            refused: 0,
        }
    }

    /// Takes the requests that have come up.
    pub fn requests(&mut self) -> Vec<Request> {
        self.sent += self.outbox.len() as u64;
        std::mem::take(&mut self.outbox)
    }

    fn ask(&mut self, request: Request) {
        self.outbox.push(request);
    }

    /// Whether a frame was made after all that was asked for; with requests still on their way it is older
    /// than the wishes.
    #[must_use]
    pub fn are_done(&self, frame: &Frame) -> bool {
        frame.answered == self.sent && self.outbox.is_empty()
    }

    /// Takes in what the engine did of what was asked; returns why it refused, where that is news.
    pub fn notice(&mut self, frame: &Frame) -> Option<String> {
        if self.are_done(frame) {
            self.rules = frame.params;
            self.boids = frame.boids + frame.gone;
            self.predators = frame.predators;
            self.seed = frame.seed;
            self.world = frame.world;
            self.spots.clone_from(&frame.spots);
            self.paused = frame.paused;
            self.rate = frame.rate;
        }
        let (number, why) = frame.refusal.as_ref().filter(|(number, _)| *number > self.refused)?;
        self.refused = *number;
        Some(why.clone())
    }

    /// What brings this flock back.
    #[must_use]
    pub fn revival(&self) -> Revival<'_> {
        Revival {
            preset: &self.preset,
            seed: self.seed,
            boids: self.boids,
            predators: self.predators,
            world: self.world,
            rate: self.rate,
            params: &self.rules,
            spots: &self.spots,
            input: self.input.as_ref(),
        }
    }

    /// A canvas in this format.
    pub fn show(&mut self, format: Format) {
        self.ask(Request::Canvas(format));
    }

    /// A canvas of another size, in cells, which a world without a size of its own fills.
    pub fn resize(&mut self, format: Format) {
        self.show(format);
        if let Some(area) = self.auto_area {
            self.world = World::of_area(area, shape((format.columns, format.rows)));
            self.ask(Request::Flock(Command::Resize(self.world)));
        }
    }

    /// A tunable's value, where the rules allow it.
    ///
    /// # Errors
    ///
    /// What would be wrong then.
    pub fn set(&mut self, row: &'static Tunable, value: Value) -> Result<(), Error> {
        let mut rules = self.rules;
        rules.set(row.key, value)?;
        rules.check(&self.world)?;
        if row.get(&self.rules) != value {
            self.rules = rules;
            self.ask(Request::Flock(Command::Set(row.key.to_owned(), value)));
        }
        Ok(())
    }

    /// The preset's rules, set in an order in which each step is allowed.
    pub fn reset(&mut self) {
        let home = self.preset.params;
        // Two passes: what a conflict holds back in the first, the second can set.
        for _ in 0..2 {
            for row in Tunable::table() {
                let _ = self.set(row, row.get(&home));
            }
        }
    }

    /// Time that stands still, or goes on.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
        self.ask(Request::Clock(Clock::Pause(paused)));
    }

    /// One tick; time stands still then.
    pub fn step(&mut self) {
        self.paused = true;
        self.ask(Request::Clock(Clock::Step));
    }

    /// Another tick rate, as near as there is one.
    pub fn pace(&mut self, rate: f32) {
        let rate = rate.clamp(RATES.0, RATES.1);
        if rate != self.rate {
            self.rate = rate;
            self.ask(Request::Clock(Clock::Rate(rate)));
        }
    }

    /// So many boids, as near as is possible.
    pub fn populate(&mut self, boids: usize) {
        let boids = boids.clamp(1, MAX_BOIDS);
        if boids != self.boids {
            self.boids = boids;
            self.ask(Request::Flock(Command::Boids(boids)));
        }
    }

    /// So many predators, likewise.
    pub fn prey_on(&mut self, predators: usize) {
        let predators = predators.min(MAX_PREDATORS);
        if predators != self.predators {
            self.predators = predators;
            self.ask(Request::Flock(Command::Predators(predators)));
        }
    }

    /// A new beginning from a seed that nobody chose.
    pub fn reseed(&mut self) {
        (self.seed, self.input) = (random_seed(), None);
        self.ask(Request::Flock(Command::Reseed(self.seed)));
    }

    /// A new beginning from the same seed.
    pub fn restart(&mut self) {
        self.input = None;
        self.ask(Request::Flock(Command::Restart));
    }

    /// A new beginning with a preset, from the seed of now.
    pub fn begin(&mut self, preset: Preset, canvas: (usize, usize)) {
        let setup = preset.setup(self.seed, shape(canvas));
        self.auto_area = (preset.world == WorldSize::Auto).then(|| area(&setup.world));
        (self.rules, self.boids, self.predators, self.world) =
            (setup.params, setup.boids, setup.predators, setup.world);
        self.spots.clone_from(&setup.spots);
        self.rate = preset.rate;
        self.input = None;
        self.ask(Request::Begin(Box::new(setup)));
        self.ask(Request::Clock(Clock::Rate(preset.rate)));
        self.preset = preset;
    }
}

/// The area that a world keeps when it takes another shape.
fn area(world: &World) -> f32 {
    let [width, height, _] = world.size();
    width * height
}
