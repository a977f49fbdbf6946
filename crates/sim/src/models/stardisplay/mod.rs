//! Hildenbrandt, Carere & Hemelrijk 2010, *Self-organized aerial displays of thousands of starlings: a model*, Behav. Ecol.
//! 21, 1349–1359, with the values of Hemelrijk & Hildenbrandt 2011, *Some causes of the variable shape of flocks of birds*,
//! `PLoS ONE` 6, e22479. Escape: Hemelrijk, van Zuidam & Hildenbrandt 2015, *What underlies waves of agitation in starling
//! flocks*, Behav. Ecol. Sociobiol. 69, 755–764.
//!
//! A unit of length is a meter and a tick 1/60 s. Forces are in newtons. The third axis of a bird is up, that of the world
//! is the second, which points down.

mod flight;
mod social;

use rand::RngExt;

use flight::{Body, Escape, Threat};
use social::Social;

use super::{Boids, ModelRow, Reach};
use crate::agents::Mood;
use crate::forces::Environment;
use crate::math::{Purpose, Stage, Stopwatch, Wide, direction_in_space};
use crate::neighbors::{Block, ListSearch};
use crate::params::{Edge, Model, Params};
use crate::simd::{Lanes, MAX_LANES, Task};

/// Ticks per second.
const SECOND: f32 = 60.0;
/// Mass of a bird, in kg.
const MASS: f32 = 0.08;
/// The acceleration of a bird by a newton, in u/tick².
const NEWTON: f32 = 1.0 / (MASS * SECOND * SECOND);
/// A bird turns from the border with full strength if the sine of the angle between its heading and straight outward is at
/// least 1 over this. With the published sign, a flock that heads straight outward breaks in two.
const TURN: f32 = 3.0;
/// The largest vertical force toward the band of altitudes, in N.
const MAX_LEVEL: f32 = 2.0;
/// The published reaction time of 50 ms, in ticks, for which a random force is constant.
const REACTION: f32 = 0.05 * SECOND;

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::StarDisplay,
    version: 2,
    keys: Some(&[
        "perception.angle",
        "separation.radius",
        "separation.weight",
        "alignment.weight",
        "cohesion.weight",
        "flee.radius",
        "flee.weight",
        "hunt.radius",
        "hunt.weight",
        "hunt.target",
        "hunt.speed",
        "hunt.separation",
        "hunt.stamina",
        "hunt.rest",
        "hunt.catch",
        "hunt.respawn",
        "pointer.weight",
        "pointer.radius",
    ]),
    groups: &["stardisplay", "vision"],
    dimensions: Some(3),
    edges: &[Edge::Open],
    has_predators: true,
    has_banks: true,
    reach,
    most_neighbors: |_, id| Some(social::neighbors_of(id)),
    min_parallel: |_| 1000,
    advance: [advance, advance],
    ..ModelRow::BASE
};

fn reach(params: &Params) -> Reach {
    // The search begins at about the distance of the eighth neighbor.
    let Params { separation, vision, .. } = params;
    Reach { search: 0.5 * separation.radius, perception: vision.radius, group: separation.radius }
}

fn advance(boids: Boids<'_, '_>) {
    let simd = boids.execution.simd;
    Stopwatch::time(boids.stopwatch, Stage::Perceive, || simd.run(Fly(boids)));
}

/// A chunk of birds flies.
struct Fly<'a, 'b>(Boids<'a, 'b>);

impl Task for Fly<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Boids { environment, neighbors, range, next, .. } = self.0;
        let (flock, params) = (&neighbors.flock, environment.params);
        let escape = Escape::new(params);
        let mut search = ListSearch::new(flock, environment.metric, [reach(params).search, params.vision.radius]);
        for boids in flock.blocks(range, F::WIDTH) {
            let block: Block<F, 3> = Block::new(&flock.agents, boids.clone());
            let body: Body<F> = Body::load(&flock.agents, &block);
            let social = Social::of(&block, &body, neighbors, &mut search, environment, &escape);
            let threat = Threat::of(&block, &neighbors.predators, params);

            let roost = roost_force(&block.position, &body, environment);
            let pointer = environment.point(block.position) * F::splat(1.0 / NEWTON);
            let steering = social.force(&body, params) + roost + threat.force + pointer + noise(environment, &block);

            let mood = Mood::load(&flock.agents.moods()[boids.clone()]);
            let starts = F::or(social.copies, threat.is_near);
            let (left, roll) = escape.advance(mood.escape(), starts);
            let (velocity, bank) = body.advance(steering, roll, params.speed.max);
            next.write_all(boids, [block.position + velocity, velocity], Mood::escaping(left), bank);
        }
    }
}

/// The force that keeps birds above the roost, in N: sideways, toward the inside, the stronger the farther outside and the more
/// a bird heads outward; and vertical, toward the band of altitudes at the middle of the world.
#[inline(always)]
fn roost_force<F: Lanes>(position: &Wide<F, 3>, body: &Body<F>, environment: &Environment<'_>) -> Wide<F, 3> {
    let (zero, half) = (F::splat(0.0), F::splat(0.5));
    let offset = *position - Wide::splat(environment.world.center());
    let parameters = &environment.params.stardisplay;
    let flat = Wide([offset[0], zero, offset[2]]);
    let (outward, _) = flat.unit();
    let beyond = (flat.length() - F::splat(parameters.roost)).max(zero);
    let strength = beyond * F::splat(parameters.pull) * (half + half * body.heading.dot(outward));
    let (left, right) = (F::splat(-1.0), F::splat(1.0));
    let turn = (body.side.dot(outward) * F::splat(-TURN)).min(right).max(left);
    let sideways = body.side * (strength * turn);

    let half_band = F::splat(0.5 * parameters.height);
    let depth = offset[1] - offset[1].min(half_band).max(-half_band);
    let level = (depth * F::splat(-parameters.level)).min(F::splat(MAX_LEVEL)).max(F::splat(-MAX_LEVEL));
    sideways + Wide([zero, level, zero])
}

/// The random force on each bird, in N: drawn more often than published, and the stronger, so that velocities diffuse alike.
#[inline(always)]
fn noise<F: Lanes>(environment: &Environment<'_>, block: &Block<'_, F, 3>) -> Wide<F, 3> {
    let strength = environment.params.stardisplay.noise;
    if strength == 0.0 {
        return Wide::zero();
    }
    let (mut us, mut ws) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    for (lane, &id) in block.agents.ids()[block.boids.clone()].iter().enumerate() {
        let mut rng = environment.stream(id, Purpose::Noise);
        (us[lane], ws[lane]) = (rng.random(), rng.random());
    }
    direction_in_space(F::load(&us), F::load(&ws)) * F::splat(strength * REACTION.sqrt())
}
