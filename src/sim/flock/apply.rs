//! What can be asked of a flock between two ticks, and how it is done.

use glam::Vec3;

use super::morph;
use super::morph::Morph;
use super::{Flock, MAX_BOIDS, MAX_PREDATORS};
use crate::sim::agents::{Agents, Kind};
use crate::sim::environment::Environment;
use crate::sim::environment::edges;
use crate::sim::environment::rest::take_off;
use crate::sim::environment::zones::{Zones, is_on_roost};
use crate::sim::math::metric::Metric;
use crate::sim::params::table::{Param, Value};
use crate::sim::{Command, Error, Pointer, Setup, World, ZoneKind};

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
    /// - [`Error::Zone`] where a zone or a pointer cannot be there, a zone has no room by such rules, or there is none
    ///   of that number.
    pub fn apply(&mut self, command: &Command) -> Result<(), Error> {
        match command {
            Command::SetParam(key, value) => self.set(key, *value)?,
            Command::SetBoids(count) => {
                check_boids(*count)?;
                self.set_count(Kind::Prey, *count);
            }
            Command::SetPredators(count) => {
                check_predators(*count)?;
                self.set_count(Kind::Predator, *count);
            }
            Command::Reseed(seed) => {
                self.seed = *seed;
                self.restart();
            }
            Command::Restart => self.restart(),
            Command::Resize(world) => self.resize(*world)?,
            Command::AddZone(zone) => {
                let rules = *self.morph_target().0;
                self.zones.place(*zone, &rules, &self.world)?;
                self.clear_obstacles();
            }
            Command::MoveZone(number, center) => {
                let rules = *self.morph_target().0;
                self.zones.shift(*number, *center, &rules, &self.world)?;
                self.clear_obstacles();
            }
            Command::RemoveZone(number) => {
                self.zones.remove(*number)?;
                self.wake_stranded();
            }
            Command::SetPointer(pointer) => {
                pointer.iter().try_for_each(Pointer::check)?;
                self.pointer = *pointer;
            }
            Command::Morph(into, ticks) => self.morph(into, *ticks)?,
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let (morph_target, world) = self.morph_target();
        let mut params = *morph_target;
        params.set(key, value)?;
        params.check(&world)?;
        if key.starts_with("edge.") || key.starts_with("obstacle.") {
            self.zones.check(&params, &self.world)?;
        }
        match (&mut self.morph, Param::find(key)) {
            (Some(morph), Some(row)) => {
                morph.pin(row, value);
                self.params = morph.now().0;
            }
            _ => self.params = params,
        }
        if key.starts_with("edge.") {
            self.move_inside();
        }
        Ok(())
    }

    /// Goes over into a flock of another setup; see [`morph`].
    fn morph(&mut self, into: &Setup, ticks: u32) -> Result<(), Error> {
        check_counts(into.boids, into.predators)?;
        into.params.check(&into.world.check()?)?;
        self.check_same_shape(into.world)?;
        let zones = Zones::new(&into.zones, &into.params, &into.world)?;
        self.rescale(into.world.scale_from(&self.world));
        self.start_morph(into, zones, ticks);
        self.set_counts(into.boids, into.predators);
        if ticks == 0 {
            self.advance_morph();
        }
        Ok(())
    }

    /// Checks that a world is of the kind that this one is of.
    fn check_same_shape(&self, to: World) -> Result<(), Error> {
        let from = self.world;
        if from.same_shape(&to) {
            return Ok(());
        }
        Err(Error::Conflict(format!("a flock in {from} cannot go over into {to}: that is of another kind")))
    }

    /// Makes rules, world, pointer and everyone in it so many times as large.
    fn rescale(&mut self, scale: f32) {
        self.params = morph::scaled(&self.params, scale);
        self.world = self.world.scaled(scale);
        let scaled = |axes: [f32; 3]| axes.map(|along| along * scale);
        self.pointer = self.pointer.map(|pointer| Pointer { at: scaled(pointer.at), ..pointer });
        self.agents.map_motion(|position, velocity| (scaled(position), scaled(velocity)));
    }

    /// Sets out on the way from the rules and the world of now to those of a setup.
    fn start_morph(&mut self, into: &Setup, zones: Zones, ticks: u32) {
        // What stands in a world must have room there all the time.
        let from = if into.zones.is_empty() { self.world } else { into.world };
        let morph = Morph::new((self.params, from), (into.params, into.world), ticks);
        let (params, world) = morph.now();
        (self.params, self.morph) = (params, Some(morph));
        (self.start, self.zones) = (into.start, zones);
        self.stretch_to(world);
        self.move_inside();
        self.wake_stranded();
    }

    /// Goes a tick further on the way to other rules and another world.
    pub(crate) fn advance_morph(&mut self) {
        let Some(morph) = &mut self.morph else { return };
        morph.advance();
        let (params, world) = morph.now();
        if morph.is_over() {
            self.morph = None;
        }
        self.params = params;
        if world != self.world {
            self.stretch_to(world);
            self.fit_zones();
            self.wake_stranded();
        }
        // The edge's margin may be another too.
        self.move_inside();
    }

    /// Takes another world of the same kind on, and everyone's place in it.
    fn stretch_to(&mut self, world: World) {
        let (from, to) = (self.world, world);
        self.world = world;
        if from == to {
            return;
        }
        let (middle, to_middle, size, to_size) = (from.center(), to.center(), from.size(), to.size());
        self.agents.map_motion(|mut position, velocity| {
            for axis in 0..to.dim() {
                position[axis] = to_middle[axis] + (position[axis] - middle[axis]) * (to_size[axis] / size[axis]);
            }
            (position, velocity)
        });
    }

    /// Makes way for zones: nobody stands in an obstacle, and nobody rests where no roost is.
    pub(crate) fn clear_obstacles(&mut self) {
        self.push_out();
        self.wake_stranded();
    }

    /// Puts whoever stands in an obstacle on its rim.
    fn push_out(&mut self) {
        if !self.zones.has(ZoneKind::Obstacle) {
            return;
        }
        let now = (self.seed, self.tick);
        let environment = Environment::new(&self.params, &self.world, self.zones.zones(), self.pointer, now);
        let dim = self.world.dim();
        self.agents.map_motion(|position, velocity| environment.push_out(position, velocity, dim));
    }

    /// Those whose roost has caught from under them take off.
    fn wake_stranded(&mut self) {
        let metric = Metric::new(&self.params, &self.world);
        for index in 0..self.agents.len() {
            let at: Vec3 = Vec3::from_array(self.agents.position_array(index));
            if self.agents.mood(index) < 0.0
                && self.agents.kinds()[index] == Kind::Prey
                && !is_on_roost(self.zones.zones(), at, &metric)
            {
                let velocity =
                    take_off(&self.params, self.world.dim(), (self.seed, self.tick), self.agents.ids()[index]);
                self.agents.place(index, at.to_array(), velocity);
                self.agents.set_mood(index, 0.0);
            }
        }
    }

    /// Becomes so many boids and predators; of both, boids come first.
    pub(crate) fn set_counts(&mut self, boids: usize, predators: usize) {
        self.set_count(Kind::Prey, boids);
        self.set_count(Kind::Predator, predators);
    }

    /// Adds agents of a kind, or takes the newest away, until they are `count`.
    fn set_count(&mut self, kind: Kind, count: usize) {
        let now = if kind == Kind::Predator { self.predators } else { self.size() };
        let first = self.next_id();
        (first..).take(count.saturating_sub(now)).for_each(|id| self.add(id, kind));
        self.push_out();
        if count < now {
            // A boid that is caught is still one of the flock.
            let is_one = |of: Kind| (of == Kind::Predator) == (kind == Kind::Predator);
            let everyone = self.agents.ids().iter().zip(self.agents.kinds());
            let mut ids: Vec<u32> = everyone.filter(|(_, of)| is_one(**of)).map(|(id, _)| *id).collect();
            let (_, &mut first_to_go, _) = ids.select_nth_unstable(count);
            self.agents.retain(|id, of| !is_one(of) || id < first_to_go);
            self.predators = self.count(Kind::Predator);
            self.caught = self.count(Kind::Caught);
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.agents.kinds().iter().filter(|of| **of == kind).count()
    }

    fn restart(&mut self) {
        // What begins anew has arrived.
        let (params, world) = self.morph_target();
        (self.params, self.world) = (*params, world);
        self.morph = None;
        let (boids, predators) = (self.size(), self.predators);
        self.agents = Agents::new(self.world.dim());
        (self.predators, self.caught) = (0, 0);
        self.tick = 0;
        self.fit_zones();
        self.zones.refill();
        self.set_counts(boids, predators);
    }

    fn resize(&mut self, world: World) -> Result<(), Error> {
        let world = world.check()?;
        self.morph_target().0.check(&world)?;
        if world.dim() != self.world.dim() {
            return Err(Error::Conflict(format!(
                "a flock in {} cannot move to {world}: it has other dimensions",
                self.world
            )));
        }
        if let Some(morph) = &mut self.morph {
            morph.set_world(world);
            self.params = morph.now().0;
        }
        self.world = world;
        self.fit_zones();
        self.move_inside();
        self.wake_stranded();
        Ok(())
    }

    /// Brings what stands in the world into it, as far as it has room by the rules that are to come.
    fn fit_zones(&mut self) {
        let rules = *self.morph_target().0;
        self.zones.fit(&rules, &self.world);
    }

    /// Puts whoever stands outside the world where its edge allows, and nobody into an obstacle.
    fn move_inside(&mut self) {
        let (params, world) = (&self.params, &self.world);
        self.agents.map_motion(|position, velocity| edges::move_inside(position, velocity, params, world));
        self.push_out();
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
