//! What can be asked of a flock between two ticks, and how it is done.

use glam::Vec3;

use super::morph;
use super::morph::Glide;
use super::{Flock, MAX_BOIDS, MAX_PREDATORS};
use crate::sim::agents::{Agents, Kind};
use crate::sim::environment::Field;
use crate::sim::environment::edges;
use crate::sim::environment::rest::take_off;
use crate::sim::environment::zones::{Grounds, is_on_roost};
use crate::sim::math::metric::Metric;
use crate::sim::params::table::{Tunable, Value};
use crate::sim::{Command, Error, Pointer, Setup, Use, World};

impl Flock {
    /// Does what a command asks.
    ///
    /// # Errors
    ///
    /// The flock is as it was then:
    ///
    /// - [`Error::UnknownKey`], [`Error::WrongKind`] or [`Error::OutOfRange`] where a tunable takes no such value;
    /// - [`Error::Count`] of so many boids or predators;
    /// - [`Error::World`] of such a world;
    /// - [`Error::Conflict`] where rules do not go together or with the world, or a world is of another kind;
    /// - [`Error::Spot`] where a spot or a pointer cannot be there, a spot has no room by such rules, or there is none
    ///   of that number.
    pub fn apply(&mut self, command: &Command) -> Result<(), Error> {
        match command {
            Command::Set(key, value) => self.set(key, *value)?,
            Command::Boids(count) => {
                check_boids(*count)?;
                self.become_many(Kind::Prey, *count);
            }
            Command::Predators(count) => {
                check_predators(*count)?;
                self.become_many(Kind::Predator, *count);
            }
            Command::Reseed(seed) => {
                self.seed = *seed;
                self.restart();
            }
            Command::Restart => self.restart(),
            Command::Resize(world) => self.resize(*world)?,
            Command::Place(spot) => {
                let rules = *self.settled().0;
                self.grounds.place(*spot, &rules, &self.world)?;
                self.make_way();
            }
            Command::Shift(number, center) => {
                let rules = *self.settled().0;
                self.grounds.shift(*number, *center, &rules, &self.world)?;
                self.make_way();
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
        if key.starts_with("edge.") || key.starts_with("obstacle.") {
            self.grounds.check(&params, &self.world)?;
        }
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
        check_counts(into.boids, into.predators)?;
        into.params.check(&into.world.check()?)?;
        self.check_kind(into.world)?;
        let grounds = Grounds::new(&into.spots, &into.params, &into.world)?;
        self.measure_anew(into.world.ratio(&self.world));
        self.set_out(into, grounds, ticks);
        self.become_as_many(into.boids, into.predators);
        if ticks == 0 {
            self.glide_on();
        }
        Ok(())
    }

    /// Checks that a world is of the kind that this one is of.
    fn check_kind(&self, to: World) -> Result<(), Error> {
        let from = self.world;
        if from.is_like(&to) {
            return Ok(());
        }
        Err(Error::Conflict(format!("a flock in {from} cannot go over into {to}: that is of another kind")))
    }

    /// Makes rules, world, pointer and everyone in it so many times as large.
    fn measure_anew(&mut self, scale: f32) {
        self.params = morph::scaled(&self.params, scale);
        self.world = self.world.scaled(scale);
        let scaled = |axes: [f32; 3]| axes.map(|along| along * scale);
        self.pointer = self.pointer.map(|pointer| Pointer { at: scaled(pointer.at), ..pointer });
        self.agents.place_all(|position, velocity| (scaled(position), scaled(velocity)));
    }

    /// Sets out on the way from the rules and the world of now to those of a setup.
    fn set_out(&mut self, into: &Setup, grounds: Grounds, ticks: u32) {
        // What stands in a world must have room there all the time.
        let from = if into.spots.is_empty() { self.world } else { into.world };
        let glide = Glide::new((self.params, from), (into.params, into.world), ticks);
        let (params, world) = glide.now();
        (self.params, self.glide) = (params, Some(glide));
        (self.start, self.grounds) = (into.start, grounds);
        self.stretch(world);
        self.bring_in();
        self.rouse();
    }

    /// Goes a tick further on the way to other rules and another world.
    pub(crate) fn glide_on(&mut self) {
        let Some(glide) = &mut self.glide else { return };
        glide.advance();
        let (params, world) = glide.now();
        if glide.is_over() {
            self.glide = None;
        }
        self.params = params;
        if world != self.world {
            self.stretch(world);
            self.fit_grounds();
            self.rouse();
        }
        // The edge's margin may be another too.
        self.bring_in();
    }

    /// Takes another world of the same kind on, and everyone's place in it.
    fn stretch(&mut self, world: World) {
        let (from, to) = (self.world, world);
        self.world = world;
        if from == to {
            return;
        }
        let (middle, to_middle, size, to_size) = (from.center(), to.center(), from.size(), to.size());
        self.agents.place_all(|mut position, velocity| {
            for axis in 0..to.dim() {
                position[axis] = to_middle[axis] + (position[axis] - middle[axis]) * (to_size[axis] / size[axis]);
            }
            (position, velocity)
        });
    }

    /// Makes way for spots: nobody stands in an obstacle, and nobody rests where no roost is.
    pub(crate) fn make_way(&mut self) {
        self.put_out();
        self.rouse();
    }

    /// Puts whoever stands in an obstacle on its rim.
    fn put_out(&mut self) {
        if !self.grounds.has(Use::Obstacle) {
            return;
        }
        let now = (self.seed, self.tick);
        let field = Field::new(&self.params, &self.world, self.grounds.spots(), self.pointer, now);
        let dim = self.world.dim();
        self.agents.place_all(|position, velocity| field.put_out(position, velocity, dim));
    }

    /// Those whose roost has gone from under them take off.
    fn rouse(&mut self) {
        let metric = Metric::new(&self.params, &self.world);
        for index in 0..self.agents.len() {
            let at: Vec3 = Vec3::from_array(self.agents.place_of(index));
            if self.agents.mood(index) < 0.0
                && self.agents.kinds()[index] == Kind::Prey
                && !is_on_roost(self.grounds.spots(), at, &metric)
            {
                let velocity =
                    take_off(&self.params, self.world.dim(), (self.seed, self.tick), self.agents.ids()[index]);
                self.agents.place(index, at.to_array(), velocity);
                self.agents.feel(index, 0.0);
            }
        }
    }

    /// Becomes so many boids and predators; of both, boids come first.
    pub(crate) fn become_as_many(&mut self, boids: usize, predators: usize) {
        self.become_many(Kind::Prey, boids);
        self.become_many(Kind::Predator, predators);
    }

    /// Adds agents of a kind, or takes the newest away, until they are `count`.
    fn become_many(&mut self, kind: Kind, count: usize) {
        let now = if kind == Kind::Predator { self.predators } else { self.size() };
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
        self.fit_grounds();
        self.grounds.refill();
        self.become_as_many(boids, predators);
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
        self.fit_grounds();
        self.bring_in();
        self.rouse();
        Ok(())
    }

    /// Brings what stands in the world into it, as far as it has room by the rules that are to come.
    fn fit_grounds(&mut self) {
        let rules = *self.settled().0;
        self.grounds.fit(&rules, &self.world);
    }

    /// Puts whoever stands outside the world where its edge allows, and nobody into an obstacle.
    fn bring_in(&mut self) {
        let (params, world) = (&self.params, &self.world);
        self.agents.place_all(|position, velocity| edges::bring_in(position, velocity, params, world));
        self.put_out();
    }
}

pub(crate) fn check_counts(boids: usize, predators: usize) -> Result<(), Error> {
    check_boids(boids)?;
    check_predators(predators)
}

fn check_boids(count: usize) -> Result<(), Error> {
    check_count("boids", count, 1, MAX_BOIDS)
}

fn check_predators(count: usize) -> Result<(), Error> {
    check_count("predators", count, 0, MAX_PREDATORS)
}

fn check_count(what: &'static str, value: usize, least: usize, most: usize) -> Result<(), Error> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(Error::Count { what, value, least, most }) }
}
