//! The models of collective motion. Each is a row with what it needs and supports, and a function that advances boids by a
//! tick.
//!
//! All boids read the state at the beginning of the tick. Sums are in the order of memory, which depends only on the state.

mod abm;
mod boids;
mod by_heading;
mod couzin;
mod netlogo;
mod stardisplay;
mod vicsek;

use std::ops::Range;

pub(crate) use boids::steering;

use crate::agents::AgentsMut;
use crate::error::{Conflict, Error};
use crate::forces::{Environment, NeighborIndex};
use crate::math::{Execution, MIN_PARALLEL, Stopwatch};
use crate::neighbors::GridLayout;
use crate::params::{Edge, Model, Param, Params, Speed};
use crate::world::World;

/// The parameters that all models use.
const COMMON: [&str; 4] = ["speed.max", "edge.mode", "model", "morph"];

/// What a model needs and supports, and the function that advances its boids.
#[allow(clippy::struct_excessive_bools, reason = "they are independent of each other")]
pub struct ModelRow {
    /// The model.
    pub model: Model,
    /// The version of its rules. A change of the model's results raises it.
    pub version: u32,
    /// The parameters that it uses besides the common ones and those of its groups; `None` for all but those of the groups of other
    /// models.
    keys: Option<&'static [&'static str]>,
    /// The groups of parameters that it uses, and the model boids does not.
    groups: &'static [&'static str],
    /// The dimensions of worlds that it supports; `None` for both two and three.
    dimensions: Option<usize>,
    /// The edges that it supports.
    edges: &'static [Edge],
    /// Whether predators hunt its boids, and the pointer attracts or repels them.
    pub has_predators: bool,
    /// Whether steering rules move its boids, so that zones and wind do so too, and speeds have a minimum.
    pub has_steering: bool,
    /// Whether its boids bank in turns.
    pub has_banks: bool,
    /// Whether its boids read the headings of others, as unit vectors.
    pub has_headings: bool,
    reach: fn(&Params) -> Reach,
    /// The largest number of others with which the boid with an id interacts, if it is limited.
    most_neighbors: fn(&Params, u32) -> Option<usize>,
    /// The number of agents from which on a tick takes less time on several threads than on one.
    pub(crate) min_parallel: fn(&Params) -> usize,
    /// The first combination of parameters and world that this model alone rules out.
    conflict: fn(&Params, &World) -> Option<Conflict>,
    /// Advances boids, in two and in three dimensions.
    advance: [fn(Boids<'_, '_>); 2],
}

/// How far boids look for others, in u.
struct Reach {
    /// The radius with which the search begins; only a search for the nearest boids goes farther.
    search: f32,
    /// The largest distance at which boids perceive others; may be infinite.
    perception: f32,
    /// The distance within which boids belong to one group; may be infinite.
    group: f32,
}

impl Reach {
    /// One radius for all.
    fn of(radius: f32) -> Self {
        Self { search: radius, perception: radius, group: radius }
    }
}

/// A chunk of boids, and the inputs of their tick.
pub(crate) struct Boids<'a, 'b> {
    pub environment: &'a Environment<'a>,
    pub execution: Execution,
    pub stopwatch: Option<&'a Stopwatch>,
    pub neighbors: &'a NeighborIndex,
    /// Their indices.
    pub range: Range<usize>,
    /// Their next state.
    pub next: &'a mut AgentsMut<'b>,
}

impl ModelRow {
    /// What most models have; each row replaces the other fields.
    const BASE: Self = Self {
        model: Model::Boids,
        version: 1,
        keys: Some(&[]),
        groups: &[],
        dimensions: None,
        edges: &[Edge::Wrap, Edge::Open],
        has_predators: false,
        has_steering: false,
        has_banks: false,
        has_headings: true,
        reach: |_| Reach::of(0.0),
        most_neighbors: |_, _| None,
        min_parallel: |_| MIN_PARALLEL,
        conflict: |_, _| None,
        advance: [|_| (), |_| ()],
    };

    /// The row of the model of these parameters.
    pub fn of(params: &Params) -> &'static Self {
        Self::find(params.model.name)
    }

    /// The row of a model.
    pub fn find(model: Model) -> &'static Self {
        Self::all()[model as usize]
    }

    /// The rows, in the order of [`Model`].
    fn all() -> [&'static Self; 6] {
        [&boids::ROW, &vicsek::ROW, &couzin::ROW, &netlogo::ROW, &abm::ROW, &stardisplay::ROW]
    }

    /// The name of the model.
    pub fn name(&self) -> &'static str {
        self.model.name()
    }

    /// Whether a parameter has an effect in this model.
    pub fn uses(&self, param: &Param) -> bool {
        match self.keys {
            None => !Self::all().iter().any(|row| row.groups.contains(&param.group)),
            Some(keys) => {
                self.groups.contains(&param.group) || keys.contains(&param.key) || COMMON.contains(&param.key)
            }
        }
    }

    /// The error about a parameter without effect in this model.
    pub fn unused(&self, param: &Param) -> Conflict {
        let what = format!("the model {} does not use {}", self.name(), param.key);
        let advice = self.keys.map_or_else(String::new, |_| {
            let used = Param::table().iter().filter(|param| self.uses(param)).map(|param| param.key);
            format!("it uses {}", used.collect::<Vec<_>>().join(", "))
        });
        Conflict { unused: Some(param.key), ..Conflict::new(&[param.key, "model"], what).with_advice(advice) }
    }

    /// The lowest and the highest speed of a new boid, in u/tick.
    pub(crate) fn start_speeds(&self, params: &Params) -> [f32; 2] {
        let Speed { min, max } = params.speed;
        [if self.has_steering { min } else { max }, max]
    }

    /// The radius with which the search for neighbors begins, in u; only a search for the nearest boids goes farther.
    pub(crate) fn search_radius(&self, params: &Params) -> f32 {
        (self.reach)(params).search
    }

    /// The largest distance at which boids perceive others, in u; may be infinite.
    pub fn perception(&self, params: &Params) -> f32 {
        (self.reach)(params).perception
    }

    /// The largest number of others with which the boid with this id interacts, if it is limited.
    pub fn most_neighbors(&self, params: &Params, id: u32) -> Option<usize> {
        (self.most_neighbors)(params, id)
    }

    /// The distance within which boids belong to one group, in u; may be infinite.
    pub fn group_radius(&self, params: &Params) -> f32 {
        (self.reach)(params).group
    }

    /// The grid for searches up to `reach`, in u, among this many agents.
    pub(crate) fn grid(&self, params: &Params, world: &World, reach: f32, agents: usize) -> GridLayout {
        if self.edges == [Edge::Open] {
            // Without a border, a flock becomes flat and can be anywhere in space.
            return GridLayout::of_flat_flock(reach.min(self.search_radius(params)), agents);
        }
        GridLayout::new(world, params.edge.mode, reach, agents)
    }

    /// Advances boids by a tick.
    pub(crate) fn advance(&self, boids: Boids<'_, '_>) {
        let [in_two_dimensions, in_three_dimensions] = self.advance;
        let is_flat = boids.environment.world.dim() == 2;
        (if is_flat { in_two_dimensions } else { in_three_dimensions })(boids);
    }

    /// The first parameter, or the property of the world, that does not fit the model.
    fn conflict(&self, params: &Params, world: &World) -> Option<Conflict> {
        let (name, edge) = (self.name(), params.edge.mode);
        if let Some(param) =
            Param::table().iter().find(|param| !self.uses(param) && param.get(params) != param.default())
        {
            return Some(self.unused(param));
        }
        if !self.edges.contains(&edge) {
            let what = format!("edge.mode = {} is not part of the model {name}", edge.name());
            let valid: Vec<&str> = self.edges.iter().map(|edge| edge.name()).collect();
            let advice = format!("use edge.mode = {}", valid.join(" or "));
            return Some(Conflict::new(&["edge.mode", "model"], what).with_advice(advice));
        }
        if let Some(dim) = self.dimensions.filter(|dim| *dim != world.dim()) {
            let example = if dim == 2 { "100x100" } else { "300x60x300" };
            let what = format!("the model {name} needs a {dim}-D world such as {example}");
            return Some(Conflict::new(&["model"], what).with_world());
        }
        (self.conflict)(params, world)
    }

    /// Checks that boids of the model fly to perches.
    ///
    /// # Errors
    ///
    /// [`Error::Conflict`] if they do not.
    pub fn check_perches(&self) -> Result<(), Error> {
        if self.has_steering {
            return Ok(());
        }
        let what = format!("boids of the model {} do not fly to letters", self.name());
        let conflict = Conflict::new(&["model"], what);
        Err(conflict.with_advice("use a preset of other boids, such as starlings".to_owned()).into())
    }

    /// Checks that the model has predators and zones, if there are any.
    pub(crate) fn check_counts(&self, predators: usize, zones: usize) -> Result<(), Error> {
        let (what, keys): (_, &[_]) = if predators > 0 && !self.has_predators {
            ("predators", &["predators", "model"])
        } else if zones > 0 && !self.has_steering {
            ("zones", &["model"])
        } else {
            return Ok(());
        };
        Err(Conflict::new(keys, format!("no {what} in the model {}", self.name())).into())
    }
}

/// Checks each parameter, and the combinations of parameters, model and world.
///
/// # Errors
///
/// [`Error::OutOfRange`] for a value out of range; [`Error::Conflict`] for a combination.
pub fn check_params(params: &Params, world: &World) -> Result<(), Error> {
    params.check_ranges()?;
    let conflict = ModelRow::of(params).conflict(params, world).or_else(|| edge_conflict(params.edge.mode, world));
    conflict.map_or(Ok(()), |conflict| Err(conflict.into()))
}

fn edge_conflict(edge: Edge, world: &World) -> Option<Conflict> {
    let is_round = matches!(world, World::Sphere(_));
    let conflict = |what| Conflict::new(&["edge.mode"], what).with_world();
    if edge == Edge::Sphere && !is_round {
        let what = format!("edge.mode = sphere needs a spherical world such as round:100, not {world}");
        return Some(conflict(what));
    }
    if is_round && !matches!(edge, Edge::Sphere | Edge::Open) {
        let what = format!("edge.mode = {} needs a box world, not {world}", edge.name());
        return Some(conflict(what).with_advice("use edge.mode = sphere or open".to_owned()));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Value;

    #[test]
    fn rows_name_parameters_and_their_model() {
        for (row, name) in ModelRow::all().into_iter().zip(Model::NAMES) {
            assert_eq!(row.name(), *name, "a row takes its model from another");
            let keys = row.keys.unwrap_or_default();
            assert!(keys.iter().chain(&COMMON).all(|key| Param::find(key).is_some()), "{}", row.name());
            assert!(row.groups.iter().all(|group| Param::table().iter().any(|param| param.group == *group)));
        }
    }

    #[test]
    fn a_wrapping_world_has_no_infinite_radius() {
        let mut params = Params::default();
        params.set("cohesion.radius", Value::Number(f32::INFINITY)).unwrap();
        assert!(check_params(&params, &World::Rect([100.0, 100.0])).is_err());
    }
}
