//! A fitted flock: the rules of a model in the area of the animals.

use super::dictionary::{FALLOFFS, RESPONSES, Rule, Term, cruise_speed};
use super::motion::Motion;
use super::search::Model;
use super::vectors::{Arena, quantile};
use super::{Data, FitError, rounded};
use flockscope_sim::{
    Alignment, AlignmentResponse, Cohesion, Cruise, Edge, EdgeParams, Flee, Flock, MAX_SIDE, MAX_SPEED, Params,
    Response, Scratch, Separation, Setup, Start, Wind, World,
};

/// Smaller random turns are those of rounding, in degrees; and smaller random accelerations, as a share of the mean speed.
const SMALLEST_NOISE: f64 = 0.2;
const SMALLEST_KICK: f64 = 1e-3;
/// The shares of speeds between which a fitted flock flies.
const USUAL: [f64; 2] = [0.001, 0.999];

/// What a fitted flock flies by.
pub(super) struct Flying<'a> {
    pub(super) data: &'a Data,
    pub(super) model: &'a Model,
    /// The rules of the model that fly.
    pub(super) rules: Vec<Rule>,
}

impl Flying<'_> {
    /// The flock with the rules of a model, random accelerations in u/frame², and random turns by up to an angle in radians.
    pub(super) fn setup(&self, [kick, turn]: [f64; 2]) -> Setup {
        let (motion, model, world) = (&self.data.smooth, self.model, self.data.setup.world);
        let mut params = Params::default();
        (params.separation.weight, params.alignment.weight) = (0.0, 0.0);
        (params.cohesion.weight, params.flee.weight) = (0.0, 0.0);
        params.edge.mode = match (self.data.setup.params.edge.mode, world) {
            (Edge::Wrap, _) => Edge::Wrap,
            (_, World::Sphere(_)) => Edge::Open,
            _ => Edge::Reflect,
        };
        params.edge.margin = 0.0;
        for rule in self.rules.iter().copied() {
            if let Some(term) = model.term(rule) {
                set_rule(&mut params, &term, &model.weights_of(rule), motion.speed);
            }
        }
        let noise = 2.0 * turn.to_degrees();
        params.noise.angle = if noise > SMALLEST_NOISE { rounded(noise.min(360.0)) as f32 } else { 0.0 };
        params.noise.force = if kick > SMALLEST_KICK * motion.speed { rounded(kick) as f32 } else { 0.0 };
        if params.noise.force > 0.0 && !self.rules.iter().any(|rule| matches!(rule, Rule::Cruise | Rule::Alignment)) {
            // Random accelerations would add up without a return to a speed, which keeps the spread of speeds if it is as strong as this.
            // Those across the heading add to speeds, too.
            let (mean, variance) = (motion.speed, motion.speed_deviation.powi(2).max(f64::MIN_POSITIVE));
            // With a return of weight w, random accelerations of variance k² spread speeds by a variance of k² / 2w if w is small.
            let weight = (0.5 * kick.powi(2) / variance).min(1.0);
            let speed = (mean - (motion.dim - 1) as f64 * variance / mean).max(0.0);
            params.cruise = Cruise { weight: rounded(weight) as f32, speed: rounded(speed) as f32 };
        }
        let limits = model.limits;
        params.limits.max_turn = rounded(limits.turn.to_degrees()) as f32;
        params.limits.max_force = if limits.force.is_finite() { rounded(limits.force) as f32 } else { 0.0 };
        let [low, high] = self.speeds().map(rounded);
        (params.speed.min, params.speed.max) = (low as f32, high as f32);
        let boids = motion.rows.len().div_ceil(motion.frames().max(1));
        Setup { params, ..Setup::new(self.world()).with_boids(boids).with_start(Start::Scatter) }
    }

    /// The world, as large as the arena.
    fn world(&self) -> World {
        let sides = self.data.place.arena.map(|[low, high]| (high - low) as f32);
        match self.data.setup.world {
            World::Cuboid(_) => World::Cuboid(sides),
            World::Rect(_) => World::Rect([sides[0], sides[1]]),
            World::Sphere(_) => self.data.setup.world,
        }
    }

    /// The limits of speeds that the animals show, or else those between which most of their speeds are; one speed if speeds do not vary.
    fn speeds(&self) -> [f64; 2] {
        if !self.data.smooth.has_varying_speeds() {
            return [self.data.smooth.speed; 2];
        }
        let mut speeds = self.data.smooth.speeds();
        let [slowest, fastest] = USUAL.map(|share| quantile(&mut speeds, share));
        let [low, high] = self.model.limits.speeds;
        [if low > 0.0 { low } else { slowest }, if high.is_finite() { high } else { fastest }]
    }

    /// The corner of the fitted world. Round worlds are centered at the origin.
    pub(super) fn corner(&self) -> [f32; 3] {
        let is_round = matches!(self.data.setup.world, World::Sphere(_));
        self.data.place.arena.map(|[low, _]| if is_round { 0.0 } else { low as f32 })
    }
}

/// Sets a rule to the form and the radius of a term, and to these weights.
fn set_rule(params: &mut Params, term: &Term, weights: &[f64], mean_speed: f64) {
    let number = |number: f64| rounded(number) as f32;
    let (weight, radius) = (number(weights[0].max(0.0)), number(term.radius));
    match term.rule {
        Rule::Separation => {
            params.separation = Separation { weight, radius, falloff: FALLOFFS[term.form], response: Response::Sum };
        }
        Rule::Alignment => params.alignment = Alignment { weight, radius, response: AlignmentResponse::Difference },
        Rule::Cohesion => {
            params.cohesion = Cohesion { weight, radius, response: RESPONSES[term.form], ..params.cohesion };
        }
        Rule::Flee => params.flee = Flee { weight, radius, falloff: FALLOFFS[term.form] },
        Rule::Cruise => {
            let speed = cruise_speed(weights, mean_speed).clamp(0.0, f64::from(MAX_SPEED));
            params.cruise = Cruise { weight: number(weights[0].clamp(0.0, 1.0)), speed: number(speed) };
        }
        Rule::Edge => {
            params.edge = EdgeParams { mode: Edge::Turn, margin: radius, strength: weight, ..params.edge };
        }
        Rule::Wind => {
            let axis = |axis: usize| weights.get(axis).copied().map_or(0.0, number);
            params.wind = Wind { x: axis(0), y: axis(1), z: axis(2) };
        }
    }
}

/// Flies a boid for a tick.
pub(super) fn check_flies(fitted: &Setup) -> Result<(), FitError> {
    let flock = Flock::new(&fitted.clone().with_boids(1));
    flock.map_err(|error| FitError::CannotFly(error.to_string()))?.step(&mut Scratch::new());
    Ok(())
}

/// Whether a preset can have the sides of the arena and the speeds, in u and u/frame.
pub(super) fn check_ranges(motion: &Motion, arena: Arena, unit: &str) -> Result<(), FitError> {
    let sides = arena[..motion.dim].iter().map(|[low, high]| high - low);
    let (shortest, longest) = sides.fold((f64::INFINITY, 0.0f64), |(low, high), side| (low.min(side), high.max(side)));
    let fastest = quantile(&mut motion.speeds(), USUAL[1]);
    let (most, fast) = (f64::from(MAX_SIDE), f64::from(MAX_SPEED));
    let fits = |factor: f64| shortest * factor >= 1.0 && longest * factor <= most && fastest * factor <= fast;
    let (what, size, range) = match () {
        () if fits(1.0) => return Ok(()),
        () if fastest > fast => ("a speed", fastest, format!("at most {fast} per frame")),
        () if longest > most => ("an area with a side", longest, format!("at most {most}")),
        () => ("an area with a side", shortest, "at least 1".to_owned()),
    };
    let thousands = [1, -1, 2, -2, 3, -3].into_iter().find(|thousands| fits(1000f64.powi(-thousands)));
    let size = rounded(size).to_string();
    Err(FitError::OutOfRange { what, size, unit: unit.to_owned(), range, thousands })
}
