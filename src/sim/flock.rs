//! The flock: its state, and what one tick does to it.

use glam::{Vec2, Vec3};

use super::agents::{Agents, Kind};
use super::edges;
use super::fate::Fate;
use super::field::Field;
use super::glide::{self, Glide};
use super::grounds::{Grounds, covers};
use super::metric::Metric;
use super::params::Params;
use super::rest::take_off;
use super::scratch::Scratch;
use super::sense::Senses;
use super::snapshot::{self, Row};
use super::sorted::Sorted;
use super::spawn::{Start, spawn};
use super::tick::Tick;
use super::tunable::{Tunable, Value};
use super::vector::Vector;
use super::{Command, Error, Pointer, Spot, Use, World};

/// The most boids that a flock can have.
pub const MAX_BOIDS: usize = 10_000_000;
/// The most predators.
pub const MAX_PREDATORS: usize = 1000;
/// The longest time, in ticks, that a mood can tell of.
const MAX_MOOD: f32 = 1e6;
/// The largest id that a row may bring; from there on there is room for new ones.
const MAX_ID: u32 = u32::MAX / 2;

/// All that says how a flock begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The rules.
    pub params: Params,
    /// Where they live.
    pub world: World,
    /// Where they stand at first.
    pub start: Start,
    /// How many boids there are.
    pub boids: usize,
    /// How many predators.
    pub predators: usize,
    /// From which all that is random follows.
    pub seed: u64,
    /// What stands in the world.
    pub spots: Vec<Spot>,
}

impl Setup {
    /// Checks that an agent with this state can be in a flock of this setup.
    ///
    /// # Errors
    ///
    /// [`Error::State`], which names the number that is wrong.
    pub fn check_row(&self, row: &Row) -> Result<(), Error> {
        let wrong = |text: String| Err(Error::State(text));
        if row.id > MAX_ID {
            return wrong(format!("id {} is above {MAX_ID}", row.id));
        }
        let names = [["x", "y", "z"], ["vx", "vy", "vz"]];
        for (names, numbers) in names.iter().zip([row.position, row.velocity]) {
            for (axis, number) in numbers.into_iter().enumerate() {
                if !number.is_finite() || number.abs() > 1e9 {
                    return wrong(format!("{} = {number} is not a number between -1e9 and 1e9", names[axis]));
                }
                if axis >= self.world.dim() && number != 0.0 {
                    return wrong(format!("{} = {number} is not 0, and the world {} is flat", names[axis], self.world));
                }
            }
        }
        let (what, least, most) = match row.kind {
            Kind::Prey => ("a boid's alarm", -MAX_MOOD, 1.0),
            Kind::Predator => ("how tired a predator is", -MAX_MOOD, 1.0),
            Kind::Gone => ("how long one is gone", 0.0, MAX_MOOD),
        };
        if !(least..=most).contains(&row.mood) {
            return wrong(format!("mood = {} is {what}, and takes {least} to {most}", row.mood));
        }
        let [x, y, z] = row.position;
        if self.holds(row.position) {
            Ok(())
        } else {
            wrong(format!("({x}, {y}, {z}) lies outside the world {}", self.world))
        }
    }

    /// Whether a position is one that the world's edge leaves alone.
    fn holds(&self, position: [f32; 3]) -> bool {
        let (kept, _) = edges::bring_in(position, [0.0; 3], &self.params, &self.world);
        let apart = Vec3::from_array(kept) - Vec3::from_array(position);
        // A round world's own last resort rounds by a hair.
        Vector::length(apart) <= 1e-5 * self.world.size()[0]
    }
}

/// A flock of boids, and the predators among it.
///
/// Its next state is a pure function of state, rules, seed and tick.
#[derive(Clone, Debug)]
pub struct Flock {
    params: Params,
    world: World,
    start: Start,
    seed: u64,
    tick: u64,
    agents: Agents,
    predators: usize,
    gone: usize,
    grounds: Grounds,
    pointer: Option<Pointer>,
    /// The way to other rules, while they are not reached.
    glide: Option<Glide>,
}

impl Flock {
    /// A flock at tick 0.
    ///
    /// # Errors
    ///
    /// [`Error::Count`], [`Error::World`], [`Error::Conflict`] or [`Error::Spot`] where the setup makes no sense.
    pub fn new(setup: &Setup) -> Result<Self, Error> {
        check_count("boids", setup.boids, 1, MAX_BOIDS)?;
        check_count("predators", setup.predators, 0, MAX_PREDATORS)?;
        let mut flock = Self::empty(setup)?;
        flock.populate(setup.boids, setup.predators);
        Ok(flock)
    }

    /// A flock that goes on from rows of another one's state, at that one's tick.
    ///
    /// The counts of `setup` are not used: the rows are who there is.
    ///
    /// # Errors
    ///
    /// As [`Flock::new`], and [`Error::State`] where ids repeat or a row cannot be of this world.
    pub fn from_rows(setup: &Setup, tick: u64, rows: &[Row]) -> Result<Self, Error> {
        let mut flock = Self::empty(setup)?;
        let mut ids: Vec<u32> = rows.iter().map(|row| row.id).collect();
        ids.sort_unstable();
        if let Some(id) = ids.windows(2).find_map(|pair| (pair[0] == pair[1]).then_some(pair[0])) {
            return Err(Error::State(format!("id {id} stands there twice")));
        }
        let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
        (flock.predators, flock.gone) = (count(Kind::Predator), count(Kind::Gone));
        flock.agents.keep_moods(flock.heeds_moods());
        for (index, row) in rows.iter().enumerate() {
            setup.check_row(row)?;
            flock.agents.push(row.id, row.kind, row.position, row.velocity);
            flock.agents.feel(index, row.mood);
        }
        check_count("boids", flock.size(), 1, MAX_BOIDS)?;
        check_count("predators", flock.predators, 0, MAX_PREDATORS)?;
        flock.tick = tick;
        // Nobody where these very spots stood before.
        flock.put_out();
        Ok(flock)
    }

    fn empty(setup: &Setup) -> Result<Self, Error> {
        let world = setup.world.check()?;
        setup.params.check(&world)?;
        Ok(Self {
            params: setup.params,
            world,
            start: setup.start,
            seed: setup.seed,
            tick: 0,
            agents: Agents::new(world.dim()),
            predators: 0,
            gone: 0,
            grounds: Grounds::new(&setup.spots, &setup.params, &world)?,
            pointer: None,
            glide: None,
        })
    }

    /// Fills an empty flock: boids first, then predators.
    fn populate(&mut self, boids: usize, predators: usize) {
        self.become_many(Kind::Prey, 0, boids);
        self.become_many(Kind::Predator, 0, predators);
    }

    fn add(&mut self, id: u32, kind: Kind) {
        let (position, velocity) = spawn(self.start, &self.params, &self.world, self.seed, id, kind);
        let (position, velocity) = edges::bring_in(position, velocity, &self.params, &self.world);
        self.agents.push(id, kind, position, velocity);
        self.predators += usize::from(kind == Kind::Predator);
    }

    fn next_id(&self) -> u32 {
        self.agents.ids().iter().max().map_or(0, |id| id + 1)
    }

    /// Flies one tick.
    pub fn step(&mut self, scratch: &mut Scratch) {
        if self.glide.is_some() {
            self.glide_on();
        }
        match self.world.dim() {
            2 => self.step_in::<Vec2, 2>(scratch),
            _ => self.step_in::<Vec3, 3>(scratch),
        }
    }

    /// The tick: everyone reads the state as it was when the tick began.
    fn step_in<V: Vector, const D: usize>(&mut self, scratch: &mut Scratch) {
        self.agents.keep_moods(self.heeds_moods());
        let how = scratch.prepare(&self.agents, &self.params, &self.world, self.predators);
        if self.predators > 0 {
            scratch.hunt::<V, D>(&self.params, &self.world, how);
        }
        let spots = self.grounds.spots();
        let tick = Tick {
            params: &self.params,
            world: &self.world,
            field: Field::new(&self.params, &self.world, spots, self.pointer, (self.seed, self.tick)),
            seed: self.seed,
            number: self.tick,
            how,
            stopwatch: scratch.stopwatch.as_ref(),
        };
        tick.fly::<V, D>(&scratch.senses, self.agents.motion());
        if self.grounds.has(Use::Food) {
            self.eat::<V>(&scratch.senses.flock);
        }
        self.agents.swap_order(&mut scratch.senses.flock.agents);
        self.decide_fates(&scratch.senses);
        self.tick += 1;
    }

    /// Takes caught prey out of the flock, and brings back whose time has come.
    fn decide_fates(&mut self, senses: &Senses) {
        if self.gone == 0 && (self.params.hunt.catch == 0.0 || self.predators == 0) {
            return;
        }
        let now = (self.seed, self.tick);
        let field = Field::new(&self.params, &self.world, self.grounds.spots(), self.pointer, now);
        let fate = Fate { params: &self.params, world: &self.world, field: &field, now };
        if self.gone > 0 {
            let apart = senses.flock.in_cells()..self.agents.len();
            self.gone -= fate.bring_back(&mut self.agents, apart);
        }
        if self.params.hunt.catch > 0.0 && self.predators > 0 {
            self.gone += fate.take(&mut self.agents, &senses.hunters);
        }
    }

    /// Whether anything depends on moods; else they are not kept, and cost nothing.
    #[must_use]
    pub fn heeds_moods(&self) -> bool {
        self.gone > 0 || self.params.tires() || self.params.alarms() || self.grounds.has(Use::Roost)
    }

    /// Those who stand on food eat of it.
    fn eat<V: Vector>(&mut self, flock: &Sorted) {
        let metric = Metric::new(&self.params, &self.world);
        self.grounds.eat(&self.params, |spot| {
            let mut eaters = 0;
            flock.near(V::from_axes(spot.center), spot.radius, |place| {
                let stands = covers(spot, flock.agents.position::<V>(place), &metric);
                eaters += u32::from(stands && flock.agents.kinds()[place] == Kind::Prey);
            });
            eaters
        });
    }

    /// Does what a command asks.
    ///
    /// # Errors
    ///
    /// Says what is wrong with the command; the flock is as it was then.
    pub fn apply(&mut self, command: &Command) -> Result<(), Error> {
        match command {
            Command::Set(key, value) => self.set(key, *value)?,
            Command::Boids(count) => {
                check_count("boids", *count, 1, MAX_BOIDS)?;
                self.become_many(Kind::Prey, self.size(), *count);
            }
            Command::Predators(count) => {
                check_count("predators", *count, 0, MAX_PREDATORS)?;
                self.become_many(Kind::Predator, self.predators, *count);
            }
            Command::Reseed(seed) => {
                self.seed = *seed;
                self.restart();
            }
            Command::Restart => self.restart(),
            Command::Resize(world) => self.resize(*world)?,
            Command::Place(spot) => {
                self.grounds.place(*spot, &self.params, &self.world)?;
                self.put_out();
            }
            Command::Shift(number, center) => {
                self.grounds.shift(*number, *center, &self.params, &self.world)?;
                self.put_out();
                self.rouse();
            }
            Command::Remove(number) => {
                self.grounds.remove(*number)?;
                self.rouse();
            }
            Command::Point(pointer) => {
                pointer.iter().try_for_each(Pointer::check)?;
                self.pointer = *pointer;
            }
            Command::Morph(into, ticks) => self.morph(into, *ticks)?,
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let (settled, world) = self.settled();
        let mut params = *settled;
        params.set(key, value)?;
        params.check(&world)?;
        match (&mut self.glide, Tunable::find(key)) {
            (Some(glide), Some(row)) => {
                glide.hold(row, value);
                self.params = glide.now().0;
            }
            _ => self.params = params,
        }
        if key.starts_with("edge.") {
            self.bring_in();
        }
        Ok(())
    }

    /// Goes over into a flock of another setup; see [`glide`].
    fn morph(&mut self, into: &Setup, ticks: u32) -> Result<(), Error> {
        check_count("boids", into.boids, 1, MAX_BOIDS)?;
        check_count("predators", into.predators, 0, MAX_PREDATORS)?;
        into.params.check(&into.world.check()?)?;
        if !self.world.is_like(&into.world) {
            let (from, to) = (self.world, into.world);
            return Err(Error::Conflict(format!(
                "a flock in {from} cannot go over into {to}: that is of another kind"
            )));
        }
        let grounds = Grounds::new(&into.spots, &into.params, &into.world)?;
        let scale = into.world.ratio(&self.world);
        let from = (glide::scaled(&self.params, scale), self.world.scaled(scale));
        self.start = into.start;
        self.grounds = grounds;
        self.pointer = self.pointer.map(|pointer| Pointer { at: pointer.at.map(|at| at * scale), ..pointer });
        for index in 0..self.agents.len() {
            let (position, velocity) = (self.agents.place_of(index), self.agents.motion_of(index));
            self.agents.place(index, position.map(|at| at * scale), velocity.map(|speed| speed * scale));
        }
        let glide = Glide::new(from, (into.params, into.world), ticks);
        ((self.params, self.world), self.glide) = (glide.now(), Some(glide));
        self.bring_in();
        self.rouse();
        self.become_many(Kind::Prey, self.size(), into.boids);
        self.become_many(Kind::Predator, self.predators, into.predators);
        if ticks == 0 {
            self.glide_on();
        }
        Ok(())
    }

    /// Goes a tick further on the way to other rules and another world.
    fn glide_on(&mut self) {
        let Some(glide) = &mut self.glide else { return };
        glide.advance();
        let (params, world) = glide.now();
        if glide.is_over() {
            self.glide = None;
        }
        self.params = params;
        self.stretch(world);
    }

    /// Takes another world of the same kind on, and everyone's place in it.
    fn stretch(&mut self, world: World) {
        let (from, to) = (self.world, world);
        self.world = world;
        if from == to {
            return;
        }
        let (middle, to_middle, size, to_size) = (from.center(), to.center(), from.size(), to.size());
        for index in 0..self.agents.len() {
            let (mut position, velocity) = (self.agents.place_of(index), self.agents.motion_of(index));
            for axis in 0..to.dim() {
                position[axis] = to_middle[axis] + (position[axis] - middle[axis]) * (to_size[axis] / size[axis]);
            }
            self.agents.place(index, position, velocity);
        }
        self.bring_in();
    }

    /// Puts whoever stands in an obstacle on its rim.
    fn put_out(&mut self) {
        if !self.grounds.has(Use::Obstacle) {
            return;
        }
        let now = (self.seed, self.tick);
        let field = Field::new(&self.params, &self.world, self.grounds.spots(), self.pointer, now);
        for index in 0..self.agents.len() {
            let (position, velocity) = (self.agents.place_of(index), self.agents.motion_of(index));
            let (position, velocity) = field.put_out(position, velocity, self.world.dim());
            self.agents.place(index, position, velocity);
        }
    }

    /// Those whose roost has gone from under them take off.
    fn rouse(&mut self) {
        let metric = Metric::new(&self.params, &self.world);
        for index in 0..self.agents.len() {
            let at: Vec3 = Vec3::from_array(self.agents.place_of(index));
            if self.agents.mood(index) < 0.0
                && self.agents.kinds()[index] == Kind::Prey
                && !self.grounds.is_roost(at, &metric)
            {
                let velocity =
                    take_off(&self.params, self.world.dim(), (self.seed, self.tick), self.agents.ids()[index]);
                self.agents.place(index, at.to_array(), velocity);
                self.agents.feel(index, 0.0);
            }
        }
    }

    /// Adds agents of a kind, or takes the newest away, until they are `count`.
    fn become_many(&mut self, kind: Kind, now: usize, count: usize) {
        let first = self.next_id();
        (first..).take(count.saturating_sub(now)).for_each(|id| self.add(id, kind));
        self.put_out();
        if count < now {
            // A boid that is gone is still one of the flock.
            let is_one = |of: Kind| (of == Kind::Predator) == (kind == Kind::Predator);
            let everyone = self.agents.ids().iter().zip(self.agents.kinds());
            let mut ids: Vec<u32> = everyone.filter(|(_, of)| is_one(**of)).map(|(id, _)| *id).collect();
            let (_, &mut first_to_go, _) = ids.select_nth_unstable(count);
            self.agents.retain(|id, of| !is_one(of) || id < first_to_go);
            self.predators = self.count(Kind::Predator);
            self.gone = self.count(Kind::Gone);
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.agents.kinds().iter().filter(|of| **of == kind).count()
    }

    fn restart(&mut self) {
        // What begins anew has arrived.
        let (params, world) = self.settled();
        (self.params, self.world) = (*params, world);
        self.glide = None;
        let (boids, predators) = (self.size(), self.predators);
        self.agents = Agents::new(self.world.dim());
        (self.predators, self.gone) = (0, 0);
        self.tick = 0;
        self.grounds.refill();
        self.populate(boids, predators);
    }

    fn resize(&mut self, world: World) -> Result<(), Error> {
        let world = world.check()?;
        self.settled().0.check(&world)?;
        if world.dim() != self.world.dim() {
            return Err(Error::Conflict(format!(
                "a flock in {} cannot move to {world}: it has other dimensions",
                self.world
            )));
        }
        if let Some(glide) = &mut self.glide {
            glide.stay_in(world);
            self.params = glide.now().0;
        }
        self.world = world;
        self.grounds.fit(&self.params, &self.world);
        self.bring_in();
        self.rouse();
        Ok(())
    }

    /// Puts whoever stands outside the world where its edge allows, and nobody into an obstacle.
    fn bring_in(&mut self) {
        for index in 0..self.agents.len() {
            let (position, velocity) = (self.agents.place_of(index), self.agents.motion_of(index));
            let (position, velocity) = edges::bring_in(position, velocity, &self.params, &self.world);
            self.agents.place(index, position, velocity);
        }
        self.put_out();
    }

    /// The rules and the world when all has been reached that is on its way: those of now where nothing is.
    #[must_use]
    pub fn settled(&self) -> (&Params, World) {
        self.glide.as_ref().map_or((&self.params, self.world), Glide::end)
    }

    /// The rules.
    #[must_use]
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> World {
        self.world
    }

    /// The seed that this run follows from.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many ticks have been flown.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// How many boids there are, predators and those who are gone not counted.
    #[must_use]
    pub fn boids(&self) -> usize {
        self.size() - self.gone
    }

    /// How many boids were caught, and are to come back.
    #[must_use]
    pub fn gone(&self) -> usize {
        self.gone
    }

    /// How many boids the flock has when all are back, as [`Command::Boids`] counts them.
    #[must_use]
    pub fn size(&self) -> usize {
        self.agents.len() - self.predators
    }

    /// How many predators there are.
    #[must_use]
    pub fn predators(&self) -> usize {
        self.predators
    }

    /// What stands in the world, in the order in which it was put there.
    #[must_use]
    pub fn spots(&self) -> &[Spot] {
        self.grounds.spots()
    }

    /// What is held over the flock.
    #[must_use]
    pub fn pointer(&self) -> Option<Pointer> {
        self.pointer
    }

    /// Everyone, in an order that carries no meaning.
    #[must_use]
    pub fn agents(&self) -> &Agents {
        &self.agents
    }

    /// Everyone's state, in order of ids.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        snapshot::rows(&self.agents)
    }

    /// A hash of the state: see [`snapshot::hash`](crate::sim::hash).
    #[must_use]
    pub fn hash(&self) -> u64 {
        snapshot::hash(&self.rows())
    }
}

fn check_count(what: &'static str, value: usize, least: usize, most: usize) -> Result<(), Error> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(Error::Count { what, value, least, most }) }
}
