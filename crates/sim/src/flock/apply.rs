//! Commands: changes to a flock between two ticks.

use std::sync::Arc;

use super::morph::{self, Morph};
use super::setup::Spawner;
use super::{Flock, MAX_BOIDS, MAX_PREDATORS, Setup};
use crate::agents::{Agents, Kind, Mood, Row};
use crate::error::{Conflict, Error};
use crate::forces::{
    Environment, Formation, Perches, Pointer, Zone, ZoneKind, Zones, edges, fit_zones, is_on_roost, obstacles, take_off,
};
use crate::math::Wide;
use crate::models::{ModelRow, check_params};
use crate::params::{Param, Params, Value};
use crate::world::World;

/// The memory that an agent takes, with copies for the tick, the picture and the history: measured at 115 to 130 bytes.
const BYTES_PER_AGENT: usize = 160;

/// A change to a flock, applied with [`Flock::apply`]. An invalid one has no effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Sets a parameter.
    SetParam(&'static Param, Value),
    /// Sets parameters that are valid together, as a smooth change over this many ticks.
    SetParams(Vec<(&'static Param, Value)>, u32),
    /// Sets the number of boids, caught ones included. Existing boids keep their ids; the newest are removed first.
    SetBoids(usize),
    /// Sets the number of predators, in the same way.
    SetPredators(usize),
    /// Restarts with another seed and the current parameters, counts and world.
    Reseed(u64),
    /// Restarts with the same seed.
    Restart,
    /// Changes the size of the world. Agents and zones outside move inside; zones that no longer fit are dropped.
    Resize(World),
    /// Adds a zone at the end of the list. Boids under an obstacle move to its surface.
    AddZone(Zone),
    /// Moves the center of the zone with this number, counted from 0.
    MoveZone(usize, [f32; 3]),
    /// Removes the zone with this number.
    RemoveZone(usize),
    /// Changes smoothly to another setup, without its seed, over this many ticks.
    Morph(Box<Setup>, u32),
    /// Sets or removes the pointer.
    SetPointer(Option<Pointer>),
    /// Calls boids to these perches, one to each, the first ones first, in place of earlier perches.
    Call(Arc<Formation>),
    /// Puts boids on these perches at once, in order of ids.
    Place(Arc<Formation>),
    /// Calls the boids off; those at rest leave one after the other. Perches with numbers stay, as the boids keep the numbers in flight.
    Release,
    /// Replaces the flock by a new one at tick 0.
    Replace(Box<Setup>),
}

impl Command {
    /// Sets the parameter with a key.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownKey`].
    pub fn set(key: &str, value: Value) -> Result<Self, Error> {
        let param = Param::find(key).ok_or_else(|| Error::UnknownKey(key.to_owned()))?;
        Ok(Self::SetParam(param, value))
    }

    /// Sets parameters that are valid together, over this many ticks.
    pub fn set_all(values: Vec<(&'static Param, Value)>, ticks: u32) -> Self {
        match values[..] {
            [(param, value)] if ticks == 0 => Self::SetParam(param, value),
            _ => Self::SetParams(values, ticks),
        }
    }

    /// Whether it starts a new run of the flock, at tick 0.
    pub fn starts_run(&self) -> bool {
        matches!(self, Self::Reseed(_) | Self::Restart | Self::Replace(_))
    }

    /// Changes a setup as it changes that of a flock for which it is valid.
    pub fn change(&self, setup: &mut Setup) {
        match self {
            Self::SetParam(param, value) => param.assign(&mut setup.params, *value),
            Self::SetParams(values, _) => {
                for (param, value) in values {
                    param.assign(&mut setup.params, *value);
                }
            }
            Self::SetBoids(count) => setup.boids = *count,
            Self::SetPredators(count) => setup.predators = *count,
            Self::Reseed(seed) => setup.seed = *seed,
            Self::Resize(world) => {
                (setup.world, setup.zones) = (*world, fit_zones(&setup.zones, &setup.params, world));
            }
            Self::AddZone(zone) => setup.zones.push(*zone),
            Self::MoveZone(number, center) => {
                setup.zones.get_mut(*number).into_iter().for_each(|zone| zone.center = *center);
            }
            Self::RemoveZone(number) if *number < setup.zones.len() => _ = setup.zones.remove(*number),
            Self::Morph(into, _) => *setup = Setup { seed: setup.seed, ..(**into).clone() },
            Self::Replace(into) => setup.clone_from(into),
            Self::RemoveZone(_)
            | Self::Restart
            | Self::SetPointer(_)
            | Self::Call(_)
            | Self::Place(_)
            | Self::Release => {}
        }
    }

    /// The setup that it loads.
    pub fn loaded(&self) -> Option<&Setup> {
        if let Self::Morph(setup, _) | Self::Replace(setup) = self { Some(setup) } else { None }
    }
}

impl Flock {
    /// Applies a command.
    ///
    /// # Errors
    ///
    /// If the command is invalid; the flock is then unchanged:
    ///
    /// - [`Error::WrongKind`] or [`Error::OutOfRange`] for a parameter;
    /// - [`Error::Count`] or [`Error::Memory`] for a number of boids or predators;
    /// - [`Error::World`] for a world;
    /// - [`Error::Conflict`] if parameters contradict each other or the world, or the world has another shape;
    /// - [`Error::Zone`] for a zone, perch or pointer, or a parameter that leaves too little room for one.
    pub fn apply(&mut self, command: &Command) -> Result<(), Error> {
        match command {
            Command::SetParam(param, value) => self.set(&[(*param, *value)], 0)?,
            Command::SetParams(values, ticks) => self.set(values, *ticks)?,
            Command::SetBoids(count) => {
                check_counts(*count, self.predators, self.agents.len())?;
                self.set_count(Kind::Prey, *count);
            }
            Command::SetPredators(count) => {
                check_counts(self.total_boids(), *count, self.agents.len())?;
                ModelRow::of(self.morph_target().0).check_counts(*count, 0)?;
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
                ModelRow::of(&params).check_counts(0, 1)?;
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
                let model = ModelRow::of(&self.params);
                if pointer.is_some() && !model.has_predators {
                    let what = format!("boids of the model {} do not react to the pointer", model.name());
                    return Err(Conflict::new(&["model"], what).into());
                }
                self.pointer = *pointer;
            }
            Command::Call(formation) => {
                let formation = self.prepare(formation)?;
                let before = self.perches.take();
                let call = |environment: &Environment<'_>, agents: &mut Agents| {
                    Perches::call(formation, before.as_ref(), environment, agents)
                };
                self.perches = Some(self.with_agents(call));
            }
            Command::Place(formation) => {
                let formation = self.prepare(formation)?;
                self.drop_perches();
                self.perches = Some(Perches::place(formation, self.params.perch.hold, &mut self.agents));
            }
            Command::Release => {
                if let Some(mut perches) = self.perches.take() {
                    self.with_agents(|environment, agents| perches.release(environment, agents));
                    self.perches = Some(perches);
                }
            }
            Command::Morph(into, ticks) => self.morph(into, *ticks)?,
            Command::Replace(setup) => *self = Self::new(setup)?,
        }
        Ok(())
    }

    /// Checks a formation, and moves it inside the world. Stores moods from now on, as boids on perches rest.
    fn prepare(&mut self, formation: &Arc<Formation>) -> Result<Arc<Formation>, Error> {
        formation.check()?;
        ModelRow::of(self.morph_target().0).check_perches()?;
        self.agents.track(true, self.uses_banks());
        Ok(formation.inside(&self.metric()))
    }

    /// Forgets the perches; boids at rest take off at once. Returns what boids were called to.
    pub(crate) fn drop_perches(&mut self) -> Option<Arc<Formation>> {
        let perches = self.perches.take()?;
        self.with_agents(|environment, agents| perches.wake_all(environment, agents));
        perches.has_called().then(|| perches.formation().clone())
    }

    fn set(&mut self, values: &[(&'static Param, Value)], ticks: u32) -> Result<(), Error> {
        let (target, world) = self.morph_target();
        let mut params = *target;
        for (param, value) in values {
            param.check(*value)?;
            param.assign(&mut params, *value);
        }
        check_params(&params, &world)?;
        let model = ModelRow::of(&params);
        model.check_counts(self.predators, self.zones.as_slice().len())?;
        if self.perches.is_some() {
            model.check_perches()?;
        }
        let moves_edge = params.edge != target.edge;
        if moves_edge || params.obstacle != target.obstacle {
            self.zones.check(&params, &self.world)?;
        }
        match &mut self.morph {
            _ if ticks > 0 => self.morph_to(&[self.params, params], [self.world, world], ticks),
            Some(morph) => {
                for (param, value) in values {
                    morph.pin(param, *value);
                }
                self.params = morph.now().0;
            }
            None => self.params = params,
        }
        if moves_edge {
            self.move_inside();
        }
        Ok(())
    }

    /// Starts a morph into another setup; see [`morph`].
    fn morph(&mut self, into: &Setup, ticks: u32) -> Result<(), Error> {
        check_counts(into.boids, into.predators, self.agents.len())?;
        check_params(&into.params, &into.world.check()?)?;
        ModelRow::of(&into.params).check_counts(into.predators, into.zones.len())?;
        if !self.world.same_shape(&into.world) {
            let (from, into) = (self.world, into.world);
            let what = format!("cannot morph from {from} into {into}: the worlds have different shapes");
            return Err(Conflict::new(&[], what).with_world().into());
        }
        let zones = Zones::new(&into.zones, &into.params, &into.world)?;
        self.drop_perches();
        self.rescale(into.world.scale_from(&self.world));
        // Zones of the new setup need the size of its world from the start.
        let from = if into.zones.is_empty() { self.world } else { into.world };
        (self.start, self.zones) = (into.start, zones);
        self.morph_to(&[self.params, into.params], [from, into.world], ticks);
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
        self.agents.update(|row| (row.position, row.velocity) = (scaled(row.position), scaled(row.velocity)));
    }

    fn morph_to(&mut self, params: &[Params; 2], worlds: [World; 2], ticks: u32) {
        let morph = Morph::new(params, worlds, ticks);
        let (params, world) = morph.now();
        (self.params, self.morph) = (params, Some(morph));
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
        self.agents.update(|row| {
            for axis in 0..to.dim() {
                row.position[axis] =
                    to_center[axis] + (row.position[axis] - center[axis]) * (to_size[axis] / size[axis]);
            }
        });
    }

    /// Moves agents out of new obstacles, and wakes boids whose roost has gone.
    pub(super) fn zones_changed(&mut self) {
        self.push_out();
        self.wake_stranded();
    }

    fn push_out(&mut self) {
        if self.zones.has(ZoneKind::Obstacle) {
            self.with_agents(|environment, agents| agents.update(|row| obstacles::push_out(row, environment)));
        }
    }

    /// Lets boids take off that rest where there is no roost.
    fn wake_stranded(&mut self) {
        if !self.agents.has_moods {
            return;
        }
        let perches = self.perches.clone();
        let perch_of = |id: u32| perches.as_ref().and_then(|perches| perches.perch_of(id));
        self.with_agents(|environment, agents| {
            agents.update(|row| {
                let position: Wide<f32, 3> = Wide::splat(row.position);
                let is_on_perch = perch_of(row.id).is_some_and(|perch| perch.at == row.position);
                let rests = row.kind == Kind::Prey && row.mood().rest() > 0.0 && !is_on_perch;
                if rests && !is_on_roost(environment.zones, position, &environment.metric) {
                    *row = Row { velocity: take_off(environment, row.id), ..row.with_mood(Mood::CALM) };
                }
            });
        });
    }

    fn with_agents<T>(&mut self, change: impl FnOnce(&Environment<'_>, &mut Agents) -> T) -> T {
        let mut agents = std::mem::take(&mut self.agents);
        let result = change(&self.environment(), &mut agents);
        self.agents = agents;
        result
    }

    /// Sets the numbers of boids and predators, boids first.
    pub(super) fn set_counts(&mut self, boids: usize, predators: usize) {
        self.set_count(Kind::Prey, boids);
        self.set_count(Kind::Predator, predators);
    }

    /// Adds agents of a kind, or removes the newest, until there are `count`.
    fn set_count(&mut self, kind: Kind, count: usize) {
        // Caught boids count as boids.
        let is_kind = |of: Kind| (of == Kind::Predator) == (kind == Kind::Predator);
        let agents = self.agents.ids().iter().zip(self.agents.kinds());
        let mut ids: Vec<u32> = agents.filter(|(_, of)| is_kind(**of)).map(|(id, _)| *id).collect();
        let first = self.agents.ids().iter().max().map_or(0, |id| id + 1);
        for id in (first..).take(count.saturating_sub(ids.len())) {
            let Self { start, params, world, seed, .. } = self;
            let mut row = Spawner { start: *start, params, world, seed: *seed, id, kind }.spawn();
            edges::move_inside(&mut row, params, world);
            self.agents.push(row);
        }
        self.push_out();
        if count < ids.len() {
            let (_, &mut first_removed, _) = ids.select_nth_unstable(count);
            self.agents.retain(|id, of| !is_kind(of) || id < first_removed);
        }
        self.count_kinds();
    }

    pub(super) fn count_kinds(&mut self) {
        let count = |kind| self.agents.kinds().iter().filter(|of| **of == kind).count();
        (self.predators, self.caught) = (count(Kind::Predator), count(Kind::Caught));
    }

    /// Restarts at tick 0, at the end of a morph if one is going on.
    fn restart(&mut self) {
        let (params, world) = self.morph_target();
        (self.params, self.world) = (*params, world);
        (self.morph, self.perches) = (None, None);
        let (boids, predators) = (self.total_boids(), self.predators);
        self.agents = Agents::new(self.world.dim());
        self.tick = 0;
        self.fit_zones();
        self.zones.refill();
        self.set_counts(boids, predators);
    }

    fn resize(&mut self, world: World) -> Result<(), Error> {
        let world = world.check()?;
        check_params(self.morph_target().0, &world)?;
        if world.dim() != self.world.dim() {
            let what = format!("cannot resize {} to {world}: the worlds have different dimensions", self.world);
            return Err(Conflict::new(&[], what).with_world().into());
        }
        if let Some(morph) = &mut self.morph {
            morph.set_world(world);
            self.params = morph.now().0;
        }
        self.drop_perches();
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
        self.agents.update(|row| edges::move_inside(row, params, world));
        self.push_out();
    }
}

/// The memory that the rest of the program may need, in bytes.
const RESERVE: usize = 32 << 20;

/// Checks counts, and that there is memory for a flock that has `existing` agents already.
pub(super) fn check_counts(boids: usize, predators: usize, existing: usize) -> Result<(), Error> {
    let check = |what, value, min, max| {
        if (min..=max).contains(&value) { Ok(()) } else { Err(Error::Count { what, value, min, max }) }
    };
    check("boids", boids, 1, MAX_BOIDS)?;
    check("predators", predators, 0, MAX_PREDATORS)?;
    let bytes = (boids + predators).saturating_sub(existing) * BYTES_PER_AGENT;
    if bytes == 0 || can_allocate(bytes + RESERVE) { Ok(()) } else { Err(Error::Memory { boids, bytes }) }
}

/// Whether the system grants this much memory. A later allocation that it refuses would end the process.
pub(crate) fn can_allocate(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_changes_a_setup_as_it_changes_a_flock() {
        let mut setup = Setup::default().with_boids(20);
        let mut flock = Flock::new(&setup).unwrap();
        let zone = |x| Zone::new(ZoneKind::Food, [x, 100.0, 0.0], 9.0);
        let other = Setup { seed: 9, ..Setup::new(World::Rect([300.0, 200.0])).with_boids(7) };
        for command in [
            Command::set("speed.max", Value::Number(9.0)).unwrap(),
            Command::SetBoids(12),
            Command::SetPredators(2),
            Command::AddZone(zone(700.0)),
            Command::AddZone(zone(100.0)),
            Command::MoveZone(1, [90.0, 80.0, 0.0]),
            Command::Resize(World::Rect([400.0, 300.0])),
            Command::RemoveZone(0),
            Command::Reseed(5),
            Command::Restart,
            Command::SetParams(vec![(Param::find("speed.max").unwrap(), Value::Number(7.0))], 30),
            Command::Morph(Box::new(other.clone()), 30),
            Command::Replace(Box::new(other)),
        ] {
            flock.apply(&command).unwrap();
            command.change(&mut setup);
            let (params, world) = flock.morph_target();
            let changed = Setup { params: *params, world, ..flock.setup() };
            assert_eq!(setup, changed, "{command:?}");
        }
    }
}
