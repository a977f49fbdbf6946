//! The parameters of the rules, and the table that describes them.
//!
//! A parameter is one row of [`parameters!`] below, or of the file of its rule in `rules`. Gauges, `--set`, presets, help, the
//! manual and range errors read the table, so a new parameter needs its row and the code that uses it, nothing else.

mod response;
mod rule;
#[allow(clippy::trivially_copy_pass_by_ref, reason = "rules are called alike, whatever their size")]
mod rules {
    pub(super) mod alarm;
    pub(super) mod alignment;
    pub(super) mod cohesion;
    pub(super) mod cruise;
    pub(super) mod edge;
    pub(super) mod flee;
    pub(super) mod leaders;
    pub(super) mod separation;
    pub(super) mod species;
    pub(super) mod wind;
}
mod table;

use std::sync::LazyLock;

use crate::error::Error;
use crate::math::Wide;
use crate::simd::Lanes;
use crate::world::{Metric, World};
use table::{group, parameters, rule};

pub use response::{Falloff, Response};
use rule::Stage;
pub(crate) use rule::{Perceived, Steered, Sum};
pub use table::{Domain, Mutation, Param, Role, Value};
pub(crate) use table::{ParamField, choices};

/// Largest finite radius or margin, in u.
pub const MAX_RADIUS: f32 = 100_000.0;
/// Largest speed, in u/tick.
pub const MAX_SPEED: f32 = 1000.0;
/// Largest weight.
pub const MAX_WEIGHT: f32 = 100.0;
/// Largest value of `perception.nearest`.
pub(crate) const MAX_NEAREST: f32 = 64.0;
/// Largest number of species.
pub const MAX_SPECIES: f32 = 8.0;
/// Largest number of leaders; every boid checks all of them.
const MAX_LEADERS: f32 = 100.0;
/// Longest duration, in ticks.
pub const MAX_TICKS: f32 = 100_000.0;

const fn number(unit: &'static str, min: f32, max: f32, step: f32) -> Domain {
    Domain::Number { unit, min, max, step, infinite: false, integer: false }
}

const fn integer(unit: &'static str, min: f32, max: f32, step: f32) -> Domain {
    Domain::Number { unit, min, max, step, infinite: false, integer: true }
}

const RADIUS: Domain = number("u", 0.0, MAX_RADIUS, 1.0);
const RADIUS_OR_INF: Domain =
    Domain::Number { unit: "u", min: 0.0, max: MAX_RADIUS, step: 1.0, infinite: true, integer: false };
const WEIGHT: Domain = number("", 0.0, MAX_WEIGHT, 0.01);
const FRACTION: Domain = number("", 0.0, 1.0, 0.01);
const SPEED: Domain = number("u/tick", 0.0, MAX_SPEED, 0.1);

const fn acceleration(min: f32) -> Domain {
    number("u/tick²", min, MAX_WEIGHT, 0.01)
}

const fn ticks(min: f32) -> Domain {
    integer("ticks", min, MAX_TICKS, 10.0)
}

choices! {
    /// The model of collective motion that moves the boids.
    pub enum Model {
        /// Steering rules, with predators, zones and wind (Reynolds 1987).
        Boids = "boids",
        /// Headings align to the mean heading nearby, with noise (Vicsek et al. 1995).
        Vicsek = "vicsek",
        /// Zones of repulsion, orientation and attraction (Couzin et al. 2002).
        Couzin = "couzin",
        /// Limited turns, with separation from the nearest bird (Wilensky 1998).
        NetLogo = "netlogo",
        /// The flocking benchmark of the comparison of agent-based modeling frameworks.
        Abm = "abm",
        /// Starlings in aerial display, which bank in turns (Hildenbrandt et al. 2010).
        StarDisplay = "stardisplay",
    }

    /// Which velocity moves a boid of the Vicsek model.
    pub enum MoveBy {
        /// The velocity before the update (Vicsek et al. 1995).
        Old = "old",
        /// The velocity after the update (Grégoire & Chaté 2004).
        New = "new",
    }

    /// How alignment turns the velocities of the neighbors into steering.
    pub enum AlignmentResponse {
        /// The weighted sum of the velocities.
        Sum = "sum",
        /// The weighted mean velocity.
        Mean = "mean",
        /// The weighted difference between the mean velocity and the boid's own.
        Difference = "difference",
        /// The weighted direction of the summed velocities.
        Unit = "unit",
        /// Steering toward full speed in that direction, limited to `max_force` (Reynolds 1999).
        Steer = "steer",
        /// The heading becomes the mean heading of the neighbors and the boid (Vicsek et al. 1995).
        Replace = "replace",
    }

    /// How predators move.
    pub enum PredatorMode {
        /// They hunt prey and follow no other rule but the edge and obstacles.
        Hunt = "hunt",
        /// They follow all rules of the flock and count as neighbors.
        Flock = "flock",
    }

    /// The prey in sight that a predator chases. Ties go to the nearest, then to the lowest id.
    pub enum HuntTarget {
        /// The nearest boid.
        Nearest = "nearest",
        /// The mean position of all prey in sight.
        Center = "center",
        /// The boid with the most others in its own and the adjacent cells, a quarter of `hunt.radius` wide.
        Densest = "densest",
        /// The boid with the fewest others there.
        Isolated = "isolated",
    }

    /// What happens at the world's border.
    pub enum Edge {
        /// The world is a torus: boids that leave on one side enter on the opposite side.
        Wrap = "wrap",
        /// A constant push inward, within the margin.
        Turn = "turn",
        /// A push inward that grows with the depth in the margin.
        Push = "push",
        /// Boids bounce at the inner edge of the margin.
        Reflect = "reflect",
        /// No border.
        Open = "open",
        /// A push toward the center that grows near the surface of a spherical world.
        Sphere = "sphere",
    }
}

// A group is a struct. Its name need not equal the prefix of its keys: `gusts` has `wind.gust`. Rows with the same prefix must be
// adjacent, or a saved preset would have a table twice. `=>` names the file of a rule, which has its rows.
parameters! {
    /// All parameters of a simulation. They can change between two ticks.
    Params {
        /// The model of collective motion.
        model: ModelParams {
            name: Model = Model::Boids, "model", Domain::Choice(Model::NAMES), "Which model moves the boids; each uses different parameters." => Never as Model;
        }
        /// The model of Vicsek et al. (1995); it also uses `alignment.radius` and `noise.angle`.
        vicsek: Vicsek {
            vectorial: f32 = 0.0, "vicsek.vectorial", FRACTION, "How strongly boids misjudge the headings of their neighbors (vectorial noise of Grégoire & Chaté 2004, model vicsek).";
            r#move: MoveBy = MoveBy::Old, "vicsek.move", Domain::Choice(MoveBy::NAMES), "Whether boids move by their old velocity or by the new one (model vicsek).";
        }
        /// The model of Couzin et al. (2002); it also uses `perception.angle` and `max_turn`.
        couzin: Couzin {
            repulsion: f32 = 1.0, "couzin.repulsion", RADIUS, "Distance below which boids turn away from each other (model couzin)." => Often;
            orientation: f32 = 2.0, "couzin.orientation", RADIUS, "Width of the zone beyond repulsion in which boids turn to fly as others do (model couzin)." => Often;
            attraction: f32 = 14.0, "couzin.attraction", RADIUS, "Width of the zone beyond orientation in which boids turn toward others (model couzin)." => Often;
            error: f32 = 0.0, "couzin.error", number("°", 0.0, 180.0, 0.1), "How far boids stray at random from the direction that they turn to, as a standard deviation (model couzin)." => Often;
            speed_deviation: f32 = 0.0, "variation.speed", FRACTION, "How much boids differ in speed: the standard deviation as a fraction of the mean (model couzin)." => Often;
            turn_deviation: f32 = 0.0, "variation.turn", FRACTION, "How much boids differ in how far they can turn per tick: the standard deviation as a fraction of the mean (model couzin)." => Often;
            zones_deviation: f32 = 0.0, "variation.zones", FRACTION, "How much boids differ in the width of each zone: the standard deviation as a fraction of the mean (model couzin)." => Often;
        }
        /// The model of `NetLogo` (Wilensky 1998); it also uses `vision.radius` and `separation.radius`.
        netlogo: NetLogo {
            align: f32 = 5.0, "netlogo.align", number("°", 0.0, 180.0, 0.25), "Largest turn per tick toward the mean heading of the neighbors (model netlogo)." => Often;
            cohere: f32 = 3.0, "netlogo.cohere", number("°", 0.0, 180.0, 0.25), "Largest turn per tick toward the neighbors (model netlogo)." => Often;
            separate: f32 = 1.5, "netlogo.separate", number("°", 0.0, 180.0, 0.25), "Largest turn per tick away from the nearest boid's heading (model netlogo)." => Often;
        }
        separation: Separation => separation;
        alignment: Alignment => alignment;
        cohesion: Cohesion => cohesion;
        /// The distance at which boids of the models netlogo, abm and stardisplay see others.
        vision: Vision {
            radius: f32 = 5.0, "vision.radius", RADIUS, "Distance at which boids see others (models netlogo, abm and stardisplay)." => Often;
        }
        /// The model of Hildenbrandt et al. (2010); it also uses the weights of separation, alignment and cohesion, and predators.
        stardisplay: StarDisplay {
            roost: f32 = 150.0, "stardisplay.roost", RADIUS, "Radius of the area above the roost; boids that leave it turn back (model stardisplay).";
            pull: f32 = 0.01, "stardisplay.pull", number("N/u", 0.0, MAX_WEIGHT, 0.01), "How strongly boids outside the radius of the roost turn back to it (model stardisplay).";
            height: f32 = 8.0, "stardisplay.height", RADIUS, "Height of the layer of air in which nothing pulls boids up or down; the higher, the rounder the flock (model stardisplay).";
            level: f32 = 0.2, "stardisplay.level", number("N/u", 0.0, 1.0, 0.01), "How strongly boids above or below that layer return to it; the stronger, the flatter the flock (model stardisplay).";
            noise: f32 = 0.01, "stardisplay.noise", number("N", 0.0, MAX_WEIGHT, 0.01), "How strongly a random force shakes each boid (model stardisplay).";
            copy: f32 = 7.0, "stardisplay.copy", integer("", 0.0, 7.0, 1.0), "Number of nearest neighbors whose escape a boid copies; 0 stops waves of escape (model stardisplay).";
            reaction: f32 = 5.0, "stardisplay.reaction", ticks(1.0), "Time until a boid copies the escape of a neighbor; the shorter, the faster waves of escape run (model stardisplay).";
            escape: f32 = 36.0, "stardisplay.escape", ticks(1.0), "Duration of an escape, in which a boid rolls to the left and back (model stardisplay).";
            roll: f32 = 60.0, "stardisplay.roll", number("°", 0.0, 180.0, 5.0), "How far a boid rolls in an escape (model stardisplay).";
        }
        flee: Flee => flee;
        /// Predators hunt prey.
        hunt: Hunt {
            => |_, predators| predators > 0;
            weight: f32 = 0.01, "hunt.weight", WEIGHT, "How strongly predators turn toward their prey." as Weight;
            radius: f32 = 80.0, "hunt.radius", RADIUS, "Distance at which predators see prey; above the size of the world it has no further effect.";
            mode: PredatorMode = PredatorMode::Hunt, "hunt.mode", Domain::Choice(PredatorMode::NAMES), "Whether predators hunt, or fly with the flock and flee each other." => Never;
            target: HuntTarget = HuntTarget::Nearest, "hunt.target", Domain::Choice(HuntTarget::NAMES), "Which prey a predator chases.";
            speed: f32 = 4.0, "hunt.speed", SPEED, "Maximum speed of hunting predators; they catch up with boids only above speed.max.";
            separation: f32 = 0.0, "hunt.separation", RADIUS, "Distance below which hunting predators push each other apart; 0 turns it off." => Never;
            stamina: f32 = 0.0, "hunt.stamina", ticks(0.0), "How long a predator can chase before it must rest; 0 is unlimited.", "tire tired exhausted" => Never;
            rest: f32 = 240.0, "hunt.rest", ticks(0.0), "How long a predator rests when exhausted or after a catch.", "tire tired" => Never;
            catch: f32 = 0.0, "hunt.catch", RADIUS, "Distance at which a predator catches its target; 0 turns it off.", "kill eat die" => Never;
            respawn: f32 = 300.0, "hunt.respawn", ticks(1.0), "Time until a caught boid comes back at the world's border." => Never;
        }
        edge: EdgeParams => edge;
        /// Speed limits.
        speed: Speed {
            max: f32 = 4.0, "speed.max", SPEED, "Maximum speed of boids.", "fast velocity" as HighestSpeed;
            min: f32 = 1.0, "speed.min", SPEED, "Minimum speed of boids and predators.", "slow velocity" as LowestSpeed;
        }
        cruise: Cruise => cruise;
        /// Limits per tick.
        limits: Limits {
            max_force: f32 = 0.0, "max_force", number("u/tick²", 0.0, MAX_SPEED, 0.01), "How hard boids can steer: the less, the wider they turn; 0 is unlimited." as Limit;
            max_turn: f32 = 0.0, "max_turn", number("°", 0.0, 180.0, 1.0), "How far boids can turn per tick; 0 is unlimited.", "agility" as Limit;
            max_neighbors: f32 = 0.0, "max_neighbors", integer("", 0.0, 1000.0, 1.0), "How many neighbors a boid reacts to at most; 0 is unlimited." => IfOn as Limit;
        }
        /// Random changes of heading and velocity.
        noise: Noise {
            angle: f32 = 0.0, "noise.angle", number("°", 0.0, 360.0, 1.0), "Range of the random turn of each boid every tick; a wide one dissolves the flock.", "jitter wobble";
            force: f32 = 0.0, "noise.force", number("u/tick²", 0.0, MAX_SPEED, 0.01), "Standard deviation of the random acceleration of each boid along each axis; 0 turns it off.", "jitter diffusion" => IfOn;
        }
        wind: Wind => wind;
        /// Gusts: wind that varies in space and time.
        gusts: GustParams {
            => |params, _| params.gusts.strength > 0.0;
            strength: f32 = 0.0, "wind.gust", acceleration(0.0), "How strongly gusts push boids along each axis, at most.", "storm turbulence";
            scale: f32 = 80.0, "wind.scale", number("u", 1.0, MAX_RADIUS, 1.0), "Distance between gusts; boids much nearer to each other are pushed alike.";
            period: f32 = 120.0, "wind.period", number("ticks", 1.0, 1e6, 1.0), "How long a gust lasts.";
        }
        /// The pointer attracts or repels boids.
        pointer: PointerParams {
            weight: f32 = 0.1, "pointer.weight", WEIGHT, "How strongly the mouse attracts or repels boids.", "click drag" => Never as Weight;
            radius: f32 = 60.0, "pointer.radius", RADIUS, "Distance at which boids react to the mouse." => Never;
        }
        /// Boids steer around obstacles.
        obstacle: ObstacleParams {
            weight: f32 = 0.3, "obstacle.weight", WEIGHT, "How strongly boids steer around obstacles.", "rock wall" => Never as Weight;
            lookahead: f32 = 15.0, "obstacle.lookahead", number("ticks", 0.0, 1000.0, 1.0), "How far ahead boids look for obstacles, in ticks of flight." => Never;
            clearance: f32 = 4.0, "obstacle.clearance", RADIUS, "Distance that boids keep from obstacles; gaps between obstacles are twice as wide." => Never;
        }
        /// Boids seek food and eat it.
        food: FoodParams {
            weight: f32 = 0.1, "food.weight", WEIGHT, "How strongly food attracts boids." => Never as Weight;
            radius: f32 = 80.0, "food.radius", RADIUS, "Distance at which boids see food." => Never;
            consumption: f32 = 0.00002, "food.consumption", number("/tick", 0.0, 1.0, 0.00001), "Fraction of a food zone that one boid eats per tick." => Never;
            regrowth: f32 = 0.0, "food.regrowth", number("/tick", 0.0, 1.0, 0.0001), "Fraction of a food zone that regrows per tick; at 0, eaten food is gone until a restart." => Never;
        }
        /// Boids seek roosts and rest there.
        roost: RoostParams {
            weight: f32 = 0.1, "roost.weight", WEIGHT, "How strongly a roost attracts drowsy boids." => Never as Weight;
            radius: f32 = 80.0, "roost.radius", RADIUS, "Distance at which boids see a roost." => Never;
            chance: f32 = 0.05, "roost.chance", number("/tick", 0.0, 1.0, 0.01), "Probability per tick that a drowsy boid on a roost settles." => Never;
            rest: f32 = 400.0, "roost.rest", number("ticks", 1.0, 1e6, 10.0), "Mean time that boids rest, and how long they stay drowsy or awake." => Never;
            wake: f32 = 4.0, "roost.wake", number("", 0.0, 1000.0, 1.0), "Number of passing boids that wake a resting one; 0 turns it off." => Never;
        }
        /// Called boids fly to perches and rest there.
        perch: PerchParams {
            weight: f32 = 0.2, "perch.weight", FRACTION, "How strongly boids steer to the letters that they form; 0 turns it off." => Never as Weight;
            hold: f32 = f32::INFINITY, "perch.hold", Domain::Number { unit: "ticks", min: 1.0, max: MAX_TICKS, step: 60.0, infinite: true, integer: true }, "How long boids rest on a letter before they leave." => Never;
            free: f32 = 20.0, "perch.free", RADIUS, "Distance at which predators and the mouse drive boids from a letter." => Never;
        }
        /// Which of the nearby boids count as neighbors.
        perception: Perception {
            angle: f32 = 360.0, "perception.angle", number("°", 0.0, 360.0, 5.0), "Field of view around the heading; below 360°, boids ignore neighbors behind them.", "vision sight fov blind";
            nearest: f32 = 0.0, "perception.nearest", integer("", 0.0, MAX_NEAREST, 1.0), "How many of its nearest neighbors a boid reacts to; 0 is all of them.", "topological knn";
        }
        species: Species => species;
        leaders: Leaders => leaders;
        alarm: Alarm => alarm;
        /// The transition between presets. The viewer reads it; the simulation has no seconds.
        change: MorphParams {
            morph: f32 = 1.0, "morph", number("s", 0.0, 10.0, 0.1), "Duration of the transition between presets; 0 restarts instead.", "glide smooth" => Never;
        }
    }
}

impl Params {
    /// Sets the parameter named `key`.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownKey`], [`Error::WrongKind`] or [`Error::OutOfRange`]; the parameters are then unchanged.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let param = Param::find(key).ok_or_else(|| Error::UnknownKey(key.to_owned()))?;
        param.check(value)?;
        param.assign(self, value);
        Ok(())
    }

    /// Checks that each parameter is in its range.
    pub(crate) fn check_ranges(&self) -> Result<(), Error> {
        Param::table().iter().try_for_each(|param| param.check(param.get(self)))
    }

    /// A steering force with a length of at most `max_force`.
    #[inline(always)]
    pub(crate) fn limited<F: Lanes, const D: usize>(&self, force: Wide<F, D>) -> Wide<F, D> {
        if self.limits.max_force > 0.0 { force.limit(self.limits.max_force) } else { force }
    }

    /// The distances in a world of these parameters.
    pub fn metric(&self, world: &World) -> Metric {
        Metric::new(world, self.edge.mode == Edge::Wrap)
    }

    /// Species of the boid with this id, counted from 0.
    pub fn species_of(&self, id: u32) -> u8 {
        (id % (self.species.count as u32).max(1)) as u8
    }

    /// Whether the boid with this id is a leader.
    pub fn is_leader(&self, id: u32) -> bool {
        id < self.leaders.count as u32
    }

    /// Whether predators hunt and can get exhausted or catch prey, and so rest.
    #[inline]
    pub fn predators_rest(&self) -> bool {
        self.hunt.mode == PredatorMode::Hunt && (self.hunt.stamina > 0.0 || self.hunt.catch > 0.0)
    }

    /// Whether hunting predators alarm boids, and alarm spreads.
    pub fn has_alarm(&self) -> bool {
        self.hunt.mode == PredatorMode::Hunt && self.alarm.spread > 0.0
    }

    /// The largest finite radius within which rules add up neighbors, in u.
    pub(crate) fn rule_reach(&self) -> f32 {
        self.reaches().filter(|radius| radius.is_finite()).fold(0.0, f32::max)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_defaults_are_valid() {
        let params = Params::default();
        for (index, param) in Param::table().iter().enumerate() {
            param.check(param.get(&params)).unwrap();
            assert_eq!(param.get(&params), param.default(), "{}", param.key);
            assert_eq!(Param::table().iter().position(|other| other.key == param.key), Some(index));
        }
        let mut prefixes: Vec<&str> =
            Param::table().iter().filter_map(|param| Some(param.key.split_once('.')?.0)).collect();
        prefixes.dedup();
        let unique: HashSet<&&str> = prefixes.iter().collect();
        assert_eq!(unique.len(), prefixes.len(), "rows with the same prefix are adjacent: {prefixes:?}");
    }

    #[test]
    fn invalid_values_change_nothing() {
        let mut params = Params::default();
        for (key, value) in [
            ("speed.max", Value::Number(-1.0)),
            ("speed.max", Value::Number(f32::NAN)),
            ("separation.radius", Value::Number(f32::INFINITY)),
            ("separation.falloff", Value::Choice("linaer")),
            ("edge.random", Value::Number(1.0)),
            ("max_neighbors", Value::Number(1.5)),
            ("cohesion.wieght", Value::Number(1.0)),
        ] {
            assert!(params.set(key, value).is_err(), "{key}");
        }
        assert_eq!(params, Params::default());
    }
}
