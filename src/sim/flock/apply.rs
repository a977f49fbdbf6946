//! Commands: changes to a flock between two ticks.

use glam::Vec3;

use super::morph::{self, Morph};
use super::{Flock, MAX_BOIDS, MAX_PREDATORS};
use crate::sim::agents::{Agents, Kind};
use crate::sim::environment::rest::take_off;
use crate::sim::environment::zone::{Zones, is_on_roost};
use crate::sim::environment::{Environment, edges};
use crate::sim::math::metric::Metric;
use crate::sim::params::table::{Param, Value};
use crate::sim::{Command, Error, Pointer, Setup, World, ZoneKind};

impl Flock {
    /// Applies a command.
    ///
    /// # Errors
    ///
    /// If the command is invalid; the flock is then unchanged:
    ///
    /// - [`Error::UnknownKey`], [`Error::WrongKind`] or [`Error::OutOfRange`] for a parameter;
    /// - [`Error::Count`] for a number of boids or predators;
    /// - [`Error::World`] for a world;
    /// - [`Error::Conflict`] if parameters contradict each other or the world, or the world has another shape;
    /// - [`Error::Zone`] for a zone or pointer, or a parameter that leaves too little room for one.
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
                let params = *self.morph_target().0;
                self.zones.add(*zone, &params, &self.world)?;
                self.zones_changed();
            }
            Command::MoveZone(number, center) => {
                let params = *self.morph_target().0;
                self.zones.shift(*number, *center, &params, &self.world)?;
                self.zones_changed();
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
        let (target, world) = self.morph_target();
        let mut params = *target;
        params.set(key, value)?;
        params.check(&world)?;
        if key.starts_with("edge.") || key.starts_with("obstacle.") {
            self.zones.check(&params, &self.world)?;
        }
        match (&mut self.morph, Param::find(key)) {
            (Some(morph), Some(param)) => {
                morph.pin(param, value);
                self.params = morph.now().0;
            }
            _ => self.params = params,
        }
        if key.starts_with("edge.") {
            self.move_inside();
        }
        Ok(())
    }

    /// Starts a morph into another setup; see [`morph`].
    fn morph(&mut self, into: &Setup, ticks: u32) -> Result<(), Error> {
        check_counts(into.boids, into.predators)?;
        into.params.check(&into.world.check()?)?;
        if !self.world.same_shape(&into.world) {
            return Err(Error::Conflict(format!(
                "cannot morph from {} into {}: the worlds have different shapes",
                self.world, into.world
            )));
        }
        let zones = Zones::new(&into.zones, &into.params, &into.world)?;
        self.rescale(into.world.scale_from(&self.world));
        self.start_morph(into, zones, ticks);
        self.set_counts(into.boids, into.predators);
        if ticks == 0 {
            self.advance_morph();
        }
        Ok(())
    }

    /// Multiplies all lengths of parameters, world, pointer and agents by `scale`.
    fn rescale(&mut self, scale: f32) {
        self.params = morph::scaled(&self.params, scale);
        self.world = self.world.scaled(scale);
        let scaled = |axes: [f32; 3]| axes.map(|along| along * scale);
        self.pointer = self.pointer.map(|pointer| Pointer { at: scaled(pointer.at), ..pointer });
        self.agents.map_motion(|position, velocity| (scaled(position), scaled(velocity)));
    }

    fn start_morph(&mut self, into: &Setup, zones: Zones, ticks: u32) {
        // Zones of the new setup need the size of its world from the start.
        let from = if into.zones.is_empty() { self.world } else { into.world };
        let morph = Morph::new((self.params, from), (into.params, into.world), ticks);
        let (params, world) = morph.now();
        (self.params, self.morph) = (params, Some(morph));
        (self.start, self.zones) = (into.start, zones);
        self.stretch_to(world);
        self.move_inside();
        self.wake_stranded();
    }

    /// Advances the morph by one tick.
    pub(super) fn advance_morph(&mut self) {
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
        // The margin may have changed without the world.
        self.move_inside();
    }

    /// Changes the size of the world, and moves the agents with it.
    fn stretch_to(&mut self, world: World) {
        let (from, to) = (self.world, world);
        self.world = world;
        if from == to {
            return;
        }
        let (center, to_center, size, to_size) = (from.center(), to.center(), from.size(), to.size());
        self.agents.map_motion(|mut position, velocity| {
            for axis in 0..to.dim() {
                position[axis] = to_center[axis] + (position[axis] - center[axis]) * (to_size[axis] / size[axis]);
            }
            (position, velocity)
        });
    }

    /// Moves agents out of new obstacles, and wakes boids whose roost has gone.
    pub(super) fn zones_changed(&mut self) {
        self.push_out();
        self.wake_stranded();
    }

    fn push_out(&mut self) {
        if !self.zones.has(ZoneKind::Obstacle) {
            return;
        }
        let now = (self.seed, self.tick);
        let environment = Environment::new(&self.params, &self.world, self.zones.as_slice(), self.pointer, now);
        let dim = self.world.dim();
        self.agents.map_motion(|position, velocity| environment.push_out(position, velocity, dim));
    }

    /// Lets boids take off that rest where there is no roost.
    fn wake_stranded(&mut self) {
        let metric = Metric::new(&self.params, &self.world);
        for index in 0..self.agents.len() {
            let position = Vec3::from_array(self.agents.position_array(index));
            if self.agents.mood(index) < 0.0
                && self.agents.kinds()[index] == Kind::Prey
                && !is_on_roost(self.zones.as_slice(), position, &metric)
            {
                let velocity =
                    take_off(&self.params, self.world.dim(), (self.seed, self.tick), self.agents.ids()[index]);
                self.agents.set_motion(index, position.to_array(), velocity);
                self.agents.set_mood(index, 0.0);
            }
        }
    }

    /// Sets the numbers of boids and predators, boids first.
    pub(super) fn set_counts(&mut self, boids: usize, predators: usize) {
        self.set_count(Kind::Prey, boids);
        self.set_count(Kind::Predator, predators);
    }

    /// Adds agents of a kind, or removes the newest, until there are `count`.
    fn set_count(&mut self, kind: Kind, count: usize) {
        let now = if kind == Kind::Predator { self.predators } else { self.total_boids() };
        let first = self.next_id();
        (first..).take(count.saturating_sub(now)).for_each(|id| self.add(id, kind));
        self.push_out();
        if count < now {
            // Caught boids count as boids.
            let is_kind = |of: Kind| (of == Kind::Predator) == (kind == Kind::Predator);
            let agents = self.agents.ids().iter().zip(self.agents.kinds());
            let mut ids: Vec<u32> = agents.filter(|(_, of)| is_kind(**of)).map(|(id, _)| *id).collect();
            let (_, &mut first_removed, _) = ids.select_nth_unstable(count);
            self.agents.retain(|id, of| !is_kind(of) || id < first_removed);
            self.predators = self.count(Kind::Predator);
            self.caught = self.count(Kind::Caught);
        }
    }

    fn count(&self, kind: Kind) -> usize {
        self.agents.kinds().iter().filter(|of| **of == kind).count()
    }

    /// Restarts at tick 0, at the end of a morph if one is going on.
    fn restart(&mut self) {
        let (params, world) = self.morph_target();
        (self.params, self.world) = (*params, world);
        self.morph = None;
        let (boids, predators) = (self.total_boids(), self.predators);
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
                "cannot resize {} to {world}: the worlds have different dimensions",
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

    /// Moves the zones inside the world, with the parameters at the end of a morph.
    fn fit_zones(&mut self) {
        let params = *self.morph_target().0;
        self.zones.fit(&params, &self.world);
    }

    /// Moves all agents inside the world and out of obstacles.
    fn move_inside(&mut self) {
        let (params, world) = (&self.params, &self.world);
        self.agents.map_motion(|position, velocity| edges::move_inside(position, velocity, params, world));
        self.push_out();
    }
}

pub(super) fn check_counts(boids: usize, predators: usize) -> Result<(), Error> {
    check_boids(boids)?;
    check_predators(predators)
}

fn check_boids(count: usize) -> Result<(), Error> {
    check_count("boids", count, 1, MAX_BOIDS)
}

fn check_predators(count: usize) -> Result<(), Error> {
    check_count("predators", count, 0, MAX_PREDATORS)
}

fn check_count(what: &'static str, value: usize, min: usize, max: usize) -> Result<(), Error> {
    if (min..=max).contains(&value) { Ok(()) } else { Err(Error::Count { what, value, min, max }) }
}
