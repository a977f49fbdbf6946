//! What only the viewer knows, and what actions do to it.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::history::History;
use super::knob::{Knob, Stride};
use super::layout::shape;
use super::look::{Coloring, Look};
use super::{Action, ColorDepth, Keymap};
use crate::config::{Preset, RATES, Revival, Theme, WorldSize, random_seed};
use crate::engine::{Clock, Frame, Request};
use crate::sim::{Command, MAX_BOIDS, MAX_PREDATORS, Params, Setup, Tunable, Value, World};

/// How long a message stands.
const MESSAGE_TIME: Duration = Duration::from_secs(4);

/// What lies over the flock.
#[derive(Clone, Debug, PartialEq)]
pub enum Overlay {
    /// The keys, scrolled down by so many lines.
    Help(usize),
    /// The presets, one of them marked.
    Presets(usize),
    /// A value being typed.
    Prompt(String),
    /// The command that brings the flock back.
    Command,
}

/// What the viewer is asked to do beside drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To leave.
    Quit,
    /// To hand the terminal to the shell for a while.
    Suspend,
}

/// How the viewer begins.
#[derive(Debug)]
pub struct Start {
    /// The preset.
    pub preset: Preset,
    /// The flock to begin with.
    pub setup: Setup,
    /// Whether its world takes the canvas's shape.
    pub auto_world: bool,
    /// The file that the flock began from.
    pub input: Option<PathBuf>,
    /// Ticks a second.
    pub rate: f32,
    /// The colours.
    pub theme: Theme,
    /// How many of them.
    pub depth: ColorDepth,
    /// Whether panel and status line are hidden.
    pub clean: bool,
}

/// The viewer's state.
#[derive(Debug)]
pub struct App {
    /// The preset that gauges are measured by.
    pub preset: Preset,
    /// The file that the flock began from, until it begins anew.
    input: Option<PathBuf>,
    /// Every preset there is.
    pub presets: Vec<Preset>,
    themes: Vec<Theme>,
    theme: usize,
    depth: ColorDepth,
    /// The theme at work.
    pub look: Look,
    /// What colours tell.
    pub coloring: Coloring,
    /// The keys.
    pub keymap: Keymap,
    /// Whether panel and status line are hidden.
    pub clean: bool,
    /// The rules, as wished for.
    pub rules: Params,
    /// The flock's counts and seed, as wished for.
    pub boids: usize,
    predators: usize,
    seed: u64,
    /// The world, as wished for.
    pub world: World,
    auto_area: Option<f32>,
    /// Ticks a second, as wished for.
    pub rate: f32,
    /// Whether time is wished to stand still.
    pub paused: bool,
    canvas: (usize, usize),
    chosen: usize,
    /// What lies over the flock.
    pub overlay: Option<Overlay>,
    message: Option<(String, Instant)>,
    /// The last measures.
    pub history: History,
    outbox: Vec<Request>,
    sent: u64,
    refused: u64,
    wish: Option<Wish>,
}

impl App {
    /// The viewer as it begins, on a canvas of this many cells.
    #[must_use]
    pub fn new(start: Start, canvas: (usize, usize)) -> Self {
        let mut themes = Theme::builtin();
        let theme = themes.iter().position(|theme| *theme == start.theme).unwrap_or_else(|| {
            themes.insert(0, start.theme.clone());
            0
        });
        let mut presets = Preset::builtin();
        if presets.iter().all(|preset| preset.origin != start.preset.origin) {
            presets.push(start.preset.clone());
        }
        let setup = start.setup;
        let [width, height, _] = setup.world.size();
        Self {
            look: Look::new(&start.theme, start.depth),
            preset: start.preset,
            input: start.input,
            presets,
            themes,
            theme,
            depth: start.depth,
            coloring: Coloring::default(),
            keymap: Keymap::default(),
            clean: start.clean,
            rules: setup.params,
            boids: setup.boids,
            predators: setup.predators,
            seed: setup.seed,
            world: setup.world,
            auto_area: start.auto_world.then_some(width * height),
            rate: start.rate,
            paused: false,
            canvas,
            chosen: 0,
            overlay: None,
            message: None,
            history: History::default(),
            outbox: Vec::new(),
            sent: 0,
            refused: 0,
            wish: None,
        }
    }

    /// Takes the requests that have come up.
    pub fn requests(&mut self) -> Vec<Request> {
        self.sent += self.outbox.len() as u64;
        std::mem::take(&mut self.outbox)
    }

    /// Takes what is wished for beside.
    pub fn wish(&mut self) -> Option<Wish> {
        self.wish.take()
    }

    /// The message to show, where there is one.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_ref().map(|(text, _)| text.as_str())
    }

    /// Lets the message go when its time is over. Says whether it went.
    pub fn forget(&mut self, now: Instant) -> bool {
        let over = self.message.as_ref().is_some_and(|(_, since)| now.duration_since(*since) > MESSAGE_TIME);
        if over {
            self.message = None;
        }
        over
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some((text.into(), Instant::now()));
    }

    fn ask(&mut self, request: Request) {
        self.outbox.push(request);
    }

    /// The rows that mean something in this world.
    pub fn rows(&self) -> impl Iterator<Item = &'static Tunable> + use<> {
        let flat = self.world.dim() == 2;
        Tunable::table().iter().filter(move |row| !(flat && row.key == "wind.z"))
    }

    /// The chosen row.
    #[must_use]
    pub fn chosen(&self) -> &'static Tunable {
        self.rows().nth(self.chosen).unwrap_or(&Tunable::table()[0])
    }

    /// The knob of a row.
    #[must_use]
    pub fn knob(&self, row: &'static Tunable) -> Knob {
        Knob::new(row, &self.rules, &self.preset.params)
    }

    /// The name of the theme.
    #[must_use]
    pub fn theme_name(&self) -> &str {
        &self.themes[self.theme].name
    }

    /// The command that brings this flock back.
    #[must_use]
    pub fn command(&self) -> String {
        Revival {
            preset: &self.preset,
            seed: self.seed,
            boids: self.boids,
            predators: self.predators,
            world: self.world,
            rate: self.rate,
            params: &self.rules,
            input: self.input.as_deref(),
        }
        .command()
    }

    /// Takes a frame's news in: what the engine did of what was asked, and the measures.
    pub fn notice(&mut self, frame: &Frame) {
        self.history.take(frame);
        if let Some((number, why)) = frame.refusal.as_ref().filter(|(number, _)| *number > self.refused) {
            self.refused = *number;
            self.say(why.clone());
        }
        // With requests still on their way the frame is older than the wishes.
        if frame.answered == self.sent && self.outbox.is_empty() {
            self.rules = frame.params;
            self.boids = frame.boids;
            self.predators = frame.predators;
            self.seed = frame.seed;
            self.world = frame.world;
            self.paused = frame.paused;
            self.rate = frame.rate;
        }
    }

    /// Tells that the canvas has another size.
    pub fn resize(&mut self, canvas: (usize, usize)) {
        if canvas == self.canvas {
            return;
        }
        self.canvas = canvas;
        self.ask(Request::Canvas(canvas.0, canvas.1));
        if let Some(area) = self.auto_area {
            self.world = World::of_area(area, shape(canvas));
            self.ask(Request::Flock(Command::Resize(self.world)));
        }
    }

    /// Does what a key asks for. What is open keeps to itself the keys that mean nothing to it.
    pub fn act(&mut self, action: Action) {
        self.message = None;
        if self.overlay.is_some() && !action.matters_in_a_box() {
            return;
        }
        match action {
            Action::PreviousParameter => self.choose(false),
            Action::NextParameter => self.choose(true),
            Action::Less => self.turn(false, Stride::Plain),
            Action::More => self.turn(true, Stride::Plain),
            Action::LessCoarse => self.turn(false, Stride::Coarse),
            Action::MoreCoarse => self.turn(true, Stride::Coarse),
            Action::LessFine => self.turn(false, Stride::Fine),
            Action::MoreFine => self.turn(true, Stride::Fine),
            Action::Least => self.end(false),
            Action::Most => self.end(true),
            Action::TypeValue => self.enter(),
            Action::ResetRule => self.set(self.chosen(), self.knob(self.chosen()).home),
            Action::ResetRules => self.reset(),
            Action::Pause => {
                self.paused = !self.paused;
                if self.clean {
                    self.say(if self.paused { "‖ paused" } else { "▶ flying" });
                }
                self.ask(Request::Clock(Clock::Pause(self.paused)));
            }
            Action::Step => {
                self.paused = true;
                self.ask(Request::Clock(Clock::Step));
            }
            Action::Reseed => self.reseed(),
            Action::Restart => {
                self.input = None;
                self.ask(Request::Flock(Command::Restart));
                self.say(format!("again from seed {}", self.seed));
            }
            Action::MoreBoids => self.populate(self.boids + (self.boids / 10).max(1)),
            Action::FewerBoids => self.populate(self.boids.saturating_sub((self.boids / 10).max(1))),
            Action::MorePredators => self.prey_on(self.predators + 1),
            Action::FewerPredators => self.prey_on(self.predators.saturating_sub(1)),
            Action::Slower => self.pace(self.rate * 0.5),
            Action::Faster => self.pace(self.rate * 2.0),
            Action::NextPreset => self.fly_neighbor(1),
            Action::PreviousPreset => self.fly_neighbor(self.presets.len() - 1),
            Action::ChoosePreset => self.overlay = Some(Overlay::Presets(self.preset_place().unwrap_or(0))),
            Action::NextTheme => self.dress(1),
            Action::PreviousTheme => self.dress(self.themes.len() - 1),
            Action::Coloring => {
                self.coloring = self.coloring.next();
                self.say(format!("colour shows {}", self.coloring.name()));
            }
            Action::Clean => self.clean = !self.clean,
            Action::ShowCommand => {
                self.overlay = if self.overlay == Some(Overlay::Command) { None } else { Some(Overlay::Command) };
            }
            Action::Help => {
                self.overlay =
                    if matches!(self.overlay, Some(Overlay::Help(_))) { None } else { Some(Overlay::Help(0)) };
            }
            Action::Close => self.overlay = None,
            Action::Suspend => self.wish = Some(Wish::Suspend),
            Action::Quit => self.wish = Some(Wish::Quit),
            Action::Preset1
            | Action::Preset2
            | Action::Preset3
            | Action::Preset4
            | Action::Preset5
            | Action::Preset6 => {
                self.fly(action.preset().unwrap_or(0));
            }
        }
    }

    /// Up and down: in a list through it, in the help through its lines, else through the parameters.
    fn choose(&mut self, down: bool) {
        let moved =
            |at: usize, count: usize| if down { (at + 1).min(count.saturating_sub(1)) } else { at.saturating_sub(1) };
        match &mut self.overlay {
            Some(Overlay::Presets(at)) => *at = moved(*at, self.presets.len()),
            Some(Overlay::Help(line)) => *line = moved(*line, Action::ALL.len()),
            _ => self.chosen = moved(self.chosen, self.rows().count()),
        }
    }

    /// Home and End: in what is open to its ends, else the chosen parameter to its own.
    fn end(&mut self, last: bool) {
        match &mut self.overlay {
            Some(Overlay::Presets(at)) => *at = if last { self.presets.len() - 1 } else { 0 },
            Some(Overlay::Help(line)) => *line = if last { Action::ALL.len() } else { 0 },
            Some(Overlay::Prompt(_) | Overlay::Command) => {}
            None => self.set(self.chosen(), self.knob(self.chosen()).end(last, &self.rules)),
        }
    }

    /// Enter: takes what is marked, or begins to type a value.
    fn enter(&mut self) {
        match self.overlay.take() {
            Some(Overlay::Presets(at)) => self.fly(at),
            Some(Overlay::Prompt(text)) => self.typed(&text),
            Some(Overlay::Help(_) | Overlay::Command) | None => self.overlay = Some(Overlay::Prompt(String::new())),
        }
    }

    /// A key that is typed into the prompt: a sign, or `None` to take the last one back.
    pub fn write(&mut self, sign: Option<char>) {
        self.message = None;
        if let Some(Overlay::Prompt(text)) = &mut self.overlay {
            match sign {
                Some(sign) if text.chars().count() < 16 && !sign.is_control() => text.push(sign),
                Some(_) => {}
                None => {
                    text.pop();
                }
            }
        }
    }

    fn typed(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match self.chosen().parse(text) {
            Ok(value) => self.set(self.chosen(), value),
            Err(error) => {
                self.say(error.to_string());
                self.overlay = Some(Overlay::Prompt(text.to_owned()));
            }
        }
    }

    fn turn(&mut self, up: bool, stride: Stride) {
        let row = self.chosen();
        self.set(row, self.knob(row).turned(up, stride, &self.rules));
    }

    /// Gives a tunable a value, where the rules allow it.
    fn set(&mut self, row: &'static Tunable, value: Value) {
        let mut rules = self.rules;
        match rules.set(row.key, value).and_then(|()| rules.check(&self.world)) {
            Ok(()) if row.get(&self.rules) == value => {}
            Ok(()) => {
                self.rules = rules;
                self.ask(Request::Flock(Command::Set(row.key.to_owned(), value)));
            }
            Err(error) => self.say(error.to_string()),
        }
    }

    /// Sets every rule back, in an order in which each step is allowed.
    fn reset(&mut self) {
        let home = self.preset.params;
        // Two passes: what a conflict holds back in the first, the second can set.
        for _ in 0..2 {
            for row in Tunable::table() {
                let mut rules = self.rules;
                let value = row.get(&home);
                if row.get(&rules) != value && rules.set(row.key, value).and_then(|()| rules.check(&self.world)).is_ok()
                {
                    self.rules = rules;
                    self.ask(Request::Flock(Command::Set(row.key.to_owned(), value)));
                }
            }
        }
        self.say(format!("the rules of {} again", self.preset.name));
    }

    fn reseed(&mut self) {
        (self.seed, self.input) = (random_seed(), None);
        self.ask(Request::Flock(Command::Reseed(self.seed)));
        self.say(format!("a new flock from seed {}", self.seed));
    }

    fn populate(&mut self, boids: usize) {
        let boids = boids.clamp(1, MAX_BOIDS);
        if boids != self.boids {
            self.boids = boids;
            self.ask(Request::Flock(Command::Boids(boids)));
        }
    }

    fn prey_on(&mut self, predators: usize) {
        let predators = predators.min(MAX_PREDATORS);
        if predators != self.predators {
            self.predators = predators;
            self.ask(Request::Flock(Command::Predators(predators)));
        }
    }

    fn pace(&mut self, rate: f32) {
        let rate = rate.clamp(RATES.0, RATES.1);
        if rate != self.rate {
            self.rate = rate;
            self.ask(Request::Clock(Clock::Rate(rate)));
        }
        self.say(format!("{} ticks a second", super::knob::figure(rate)));
    }

    fn dress(&mut self, by: usize) {
        self.theme = (self.theme + by) % self.themes.len();
        self.look = Look::new(&self.themes[self.theme], self.depth);
        self.say(format!("theme {}", self.theme_name()));
    }

    /// The place of the preset among the built-in ones.
    fn preset_place(&self) -> Option<usize> {
        self.presets.iter().position(|preset| preset.origin == self.preset.origin)
    }

    fn fly_neighbor(&mut self, by: usize) {
        let place = self.preset_place().map_or(0, |place| (place + by) % self.presets.len());
        self.fly(place);
    }

    /// Begins anew with a preset, from the seed of now.
    fn fly(&mut self, place: usize) {
        let Some(preset) = self.presets.get(place).cloned() else { return };
        self.overlay = None;
        let setup = preset.setup(self.seed, shape(self.canvas));
        let [width, height, _] = setup.world.size();
        self.auto_area = (preset.world == WorldSize::Auto).then_some(width * height);
        (self.rules, self.boids, self.predators, self.world) =
            (setup.params, setup.boids, setup.predators, setup.world);
        self.chosen = self.chosen.min(self.rows().count() - 1);
        self.rate = preset.rate;
        self.input = None;
        self.ask(Request::Begin(Box::new(setup)));
        self.ask(Request::Clock(Clock::Rate(preset.rate)));
        self.say(format!("{}: {}", preset.name, preset.summary));
        self.preset = preset;
        self.history = History::default();
    }
}
