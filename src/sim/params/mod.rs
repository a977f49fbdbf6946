//! The rules' constants, and the one table of all that can be tuned.

pub(crate) mod table;

use super::{Error, World};
use table::{Domain, Param, Value, choices, parameters};

/// The largest finite radius or margin, in u.
pub const MAX_RADIUS: f32 = 100_000.0;
/// The fastest speed that can be asked for, in u/tick.
pub const MAX_SPEED: f32 = 1000.0;
/// The heaviest weight.
pub const MAX_WEIGHT: f32 = 100.0;
/// The most neighbors that the nearest can be counted to.
pub(crate) const MAX_NEAREST: f32 = 64.0;
/// The most species.
pub const MAX_SPECIES: f32 = 8.0;
/// The most leaders: everyone looks at all of them.
const MAX_LEADERS: f32 = 100.0;
/// The longest time that can be asked for, in ticks.
pub const MAX_TICKS: f32 = 100_000.0;

const fn radius() -> Domain {
    Domain::Number { unit: "u", least: 0.0, most: MAX_RADIUS, step: 1.0, infinite: false, whole: false }
}

const fn radius_or_inf() -> Domain {
    Domain::Number { unit: "u", least: 0.0, most: MAX_RADIUS, step: 1.0, infinite: true, whole: false }
}

const fn weight() -> Domain {
    number("", 0.0, MAX_WEIGHT, 0.01)
}

const fn number(unit: &'static str, least: f32, most: f32, step: f32) -> Domain {
    Domain::Number { unit, least, most, step, infinite: false, whole: false }
}

const fn count(most: f32) -> Domain {
    Domain::Number { unit: "", least: 0.0, most, step: 1.0, infinite: false, whole: true }
}

const fn share() -> Domain {
    number("", 0.0, 1.0, 0.01)
}

const fn ticks(least: f32) -> Domain {
    Domain::Number { unit: "ticks", least, most: MAX_TICKS, step: 10.0, infinite: false, whole: true }
}

choices! {
    /// How a push fades with distance `d` inside a rule's radius `R`; it multiplies the offset.
    pub enum Falloff {
        /// 1: the push is as long as the offset.
        Flat = "flat",
        /// `R − d`.
        Linear = "linear",
        /// `1/d`: the push is 1 wherever the neighbor is.
        Inverse = "inverse",
        /// `1/d²`.
        InverseSquare = "inverse-square",
        /// `1/d³`.
        InverseCube = "inverse-cube",
    }

    /// How separation and cohesion turn a sum over neighbors into steering.
    pub enum Response {
        /// The sum, weighted.
        Sum = "sum",
        /// The mean over the neighbors, weighted.
        Mean = "mean",
        /// The sum's direction, weighted.
        Unit = "unit",
        /// Toward the full speed in the sum's direction, limited in force (Reynolds 1999).
        Steer = "steer",
    }

    /// How alignment turns its neighbors' velocities into steering.
    pub enum AlignmentResponse {
        /// The sum of velocities, weighted.
        Sum = "sum",
        /// The mean velocity, weighted.
        Mean = "mean",
        /// The mean velocity less one's own, weighted.
        Difference = "difference",
        /// The direction of the summed velocities, weighted.
        Unit = "unit",
        /// Toward the full speed in that direction, limited in force (Reynolds 1999).
        Steer = "steer",
        /// The heading replaced by the mean one, one's own counted in (Vicsek et al. 1995).
        Replace = "replace",
    }

    /// What predators do.
    pub enum PredatorMode {
        /// They hunt prey, and follow no other rule but the edge.
        Hunt = "hunt",
        /// They follow every rule of the flock, and are neighbors like any boid.
        Flock = "flock",
    }

    /// Which of the prey in sight a predator flies at.
    pub enum HuntTarget {
        /// The nearest; among equals the one with the least id.
        Nearest = "nearest",
        /// The mean position of all in sight.
        Center = "center",
        /// Where prey is densest: the one with the most others in its own cell and those around it, cells
        /// being a quarter of the radius wide; among equals the nearest, then the one with the least id.
        Densest = "densest",
        /// The one that strays: with the fewest others there; among equals likewise.
        Isolated = "isolated",
    }

    /// What happens at the world's border.
    pub enum Edge {
        /// The world is a torus: what leaves on one side comes in on the other.
        Wrap = "wrap",
        /// A constant push inward beyond the margin's line.
        Turn = "turn",
        /// A push inward that grows with the depth beyond the margin's line.
        Push = "push",
        /// A bounce at the margin's line.
        Reflect = "reflect",
        /// No border at all.
        Open = "open",
        /// A push toward the centre that grows near the surface of a round world.
        Sphere = "sphere",
    }
}

parameters! {
    /// Everything that can be tuned while a flock flies.
    Params {
        /// Boids push each other apart.
        separation: Separation {
            radius: f32 = 12.0, "separation.radius", radius(), "Neighbors nearer than this are pushed away from.";
            weight: f32 = 0.1, "separation.weight", weight(), "How strongly boids keep apart.";
            falloff: Falloff = Falloff::Inverse, "separation.falloff", Domain::Choice(Falloff::NAMES), "How the push fades with distance.";
            response: Response = Response::Sum, "separation.response", Domain::Choice(Response::NAMES), "How the pushes of all neighbors become steering.";
        }
        /// Boids fly the way their neighbors do.
        alignment: Alignment {
            radius: f32 = 25.0, "alignment.radius", radius_or_inf(), "Neighbors nearer than this are elapsed along with.";
            weight: f32 = 0.05, "alignment.weight", weight(), "How strongly boids take on their neighbors' velocity.";
            response: AlignmentResponse = AlignmentResponse::Difference, "alignment.response", Domain::Choice(AlignmentResponse::NAMES), "How the neighbors' velocities become steering.";
        }
        /// Boids draw together.
        cohesion: Cohesion {
            radius: f32 = 25.0, "cohesion.radius", radius_or_inf(), "Neighbors nearer than this are drawn to.";
            inner: f32 = 0.0, "cohesion.inner", radius(), "Neighbors nearer than this are near enough, and not drawn to.";
            weight: f32 = 0.005, "cohesion.weight", weight(), "How strongly boids draw together.";
            response: Response = Response::Mean, "cohesion.response", Domain::Choice(Response::NAMES), "How the pulls of all neighbors become steering.";
        }
        /// Boids fly from predators.
        flee: Flee {
            radius: f32 = 40.0, "flee.radius", radius(), "Predators nearer than this are fled.";
            weight: f32 = 0.5, "flee.weight", weight(), "How strongly boids flee.";
            falloff: Falloff = Falloff::Inverse, "flee.falloff", Domain::Choice(Falloff::NAMES), "How fear fades with distance.";
        }
        /// Predators fly at prey.
        hunt: Hunt {
            mode: PredatorMode = PredatorMode::Hunt, "hunt.mode", Domain::Choice(PredatorMode::NAMES), "Whether predators hunt, or fly with the flock and flee each other.";
            radius: f32 = 80.0, "hunt.radius", radius(), "Prey nearer than this is seen by a hunting predator.";
            weight: f32 = 0.01, "hunt.weight", weight(), "How strongly a predator turns to its prey.";
            target: HuntTarget = HuntTarget::Nearest, "hunt.target", Domain::Choice(HuntTarget::NAMES), "What a predator flies at.";
            speed: f32 = 4.0, "hunt.speed", number("u/tick", 0.0, MAX_SPEED, 0.1), "The fastest that a hunting predator flies.";
            separation: f32 = 0.0, "hunt.separation", radius(), "Predators that hunt nearer to each other than this turn apart; 0 is never.";
            stamina: f32 = 0.0, "hunt.stamina", ticks(0.0), "How long a predator chases prey until it is spent; 0 is for ever.";
            rest: f32 = 240.0, "hunt.rest", ticks(0.0), "How long a predator rests that is spent or fed, and hunts nobody.";
            catch: f32 = 0.0, "hunt.catch", radius(), "Prey nearer than this is caught by the predator that flies at it; 0 is never.";
            respawn: f32 = 300.0, "hunt.respawn", ticks(1.0), "How long after it was caught a boid comes back, at the world's border.";
        }
        /// What happens at the world's border.
        edge: EdgeParams {
            mode: Edge = Edge::Wrap, "edge.mode", Domain::Choice(Edge::NAMES), "What happens at the world's border.";
            margin: f32 = 40.0, "edge.margin", radius(), "How far inside the border the edge begins to act.";
            strength: f32 = 0.2, "edge.strength", weight(), "How strongly turn, push and sphere steer inward.";
            restitution: f32 = 1.0, "edge.restitution", number("", 0.0, 1.0, 0.05), "How much speed a bounce off a reflecting edge leaves.";
            random: bool = false, "edge.random", Domain::Switch, "Each bounce leaves a random share of the speed instead.";
        }
        /// How slow and how fast boids fly.
        speed: Speed {
            min: f32 = 1.0, "speed.min", number("u/tick", 0.0, MAX_SPEED, 0.1), "The slowest that anyone flies.";
            max: f32 = 4.0, "speed.max", number("u/tick", 0.0, MAX_SPEED, 0.1), "The fastest that boids fly.";
        }
        /// What a boid can do in one tick.
        limits: Limits {
            max_force: f32 = 0.0, "max_force", number("u/tick²", 0.0, MAX_SPEED, 0.01), "The strongest steering in one tick; 0 is no limit.";
            max_turn: f32 = 0.0, "max_turn", number("°", 0.0, 180.0, 1.0), "The sharpest turn in one tick; 0 is no limit.";
            max_neighbors: f32 = 0.0, "max_neighbors", count(1000.0), "How many neighbors a boid heeds at most; 0 is all.";
        }
        /// Headings apply_noise.
        noise: Noise {
            angle: f32 = 0.0, "noise.angle", number("°", 0.0, 360.0, 1.0), "Each heading wavers by up to half of this to either side, each tick.";
        }
        /// A constant push on every boid.
        wind: Wind {
            x: f32 = 0.0, "wind.x", number("u/tick²", -MAX_WEIGHT, MAX_WEIGHT, 0.01), "Wind to the right.";
            y: f32 = 0.0, "wind.y", number("u/tick²", -MAX_WEIGHT, MAX_WEIGHT, 0.01), "Wind downward.";
            z: f32 = 0.0, "wind.z", number("u/tick²", -MAX_WEIGHT, MAX_WEIGHT, 0.01), "Wind into the depth of a 3-D world.";
        }
        /// A push that differs from place to place and from time to time.
        gusts: GustParams {
            strength: f32 = 0.0, "wind.gust", number("u/tick²", 0.0, MAX_WEIGHT, 0.01), "How strongly gusts push at most, along each axis.";
            scale: f32 = 80.0, "wind.scale", number("u", 1.0, MAX_RADIUS, 1.0), "How far it is from gust to gust.";
            period: f32 = 120.0, "wind.period", number("ticks", 1.0, 1e6, 1.0), "How long a gust lasts.";
        }
        /// The pointer draws boids near, or drives them off.
        pointer: PointerParams {
            weight: f32 = 0.1, "pointer.weight", weight(), "How strongly the mouse attracts boids, or repels them.";
            radius: f32 = 60.0, "pointer.radius", radius(), "Boids nearer to the mouse than this heed it.";
        }
        /// Boids steer around obstacles.
        obstacle: ObstacleParams {
            weight: f32 = 0.3, "obstacle.weight", weight(), "How strongly boids turn aside from an obstacle in their way.";
            lookahead: f32 = 15.0, "obstacle.lookahead", number("ticks", 0.0, 1000.0, 1.0), "How far ahead boids look for obstacles, in ticks of their flight.";
            clearance: f32 = 4.0, "obstacle.clearance", radius(), "A body length: boids pass obstacles at one, and obstacles stand two apart.";
        }
        /// Boids fly to food, and eat it up.
        food: FoodParams {
            radius: f32 = 80.0, "food.radius", radius(), "Food whose rim is nearer than this is seen.";
            weight: f32 = 0.1, "food.weight", weight(), "How strongly food draws boids.";
            consumption: f32 = 0.00002, "food.consumption", number("/tick", 0.0, 1.0, 0.00001), "Which share of a food a boid on it eats in a tick.";
            regrowth: f32 = 0.0, "food.regrowth", number("/tick", 0.0, 1.0, 0.0001), "Which share of a food grows again in a tick; where it is 0, what is eaten up is gone until the flock begins anew.";
        }
        /// Boids fly to roosts, and rest there.
        roost: RoostParams {
            radius: f32 = 80.0, "roost.radius", radius(), "A roost whose rim is nearer than this is seen.";
            weight: f32 = 0.1, "roost.weight", weight(), "How strongly a roost draws boids that are drowsy.";
            chance: f32 = 0.05, "roost.chance", number("/tick", 0.0, 1.0, 0.01), "How likely a drowsy boid on a roost is to settle in a tick.";
            rest: f32 = 400.0, "roost.rest", number("ticks", 1.0, 1e6, 10.0), "How long boids rest, on the mean, and how long they stay drowsy or awake.";
            wake: f32 = 4.0, "roost.wake", number("", 0.0, 1000.0, 1.0), "So many boids that fly past together take one that rests along; 0 is never.";
        }
        /// Whom of those who are near boids heed.
        perception: Perception {
            angle: f32 = 360.0, "perception.angle", number("°", 0.0, 360.0, 5.0), "How wide a field of view boids have about their heading; 360 is all round.";
            nearest: f32 = 0.0, "perception.nearest", count(MAX_NEAREST), "How many of the nearest neighbors a boid heeds; 0 is all in its radii.";
        }
        /// Flocks of several species.
        species: Species {
            count: f32 = 1.0, "species.count", Domain::Number { unit: "", least: 1.0, most: MAX_SPECIES, step: 1.0, infinite: false, whole: true }, "How many species there are; boids flock with their own.";
            avoid: f32 = 0.0, "species.avoid", weight(), "How strongly boids keep clear of other species inside the cohesion radius.";
            follow: f32 = 0.0, "species.follow", number("", 0.0, 1.0, 0.05), "How much other species count in alignment and cohesion; 1 is as much as one's own.";
        }
        /// Boids that wander by themselves, and are followed.
        leaders: Leaders {
            count: f32 = 0.0, "leaders.count", count(MAX_LEADERS), "How many boids lead; the others follow the nearest.";
            radius: f32 = 120.0, "leaders.radius", radius(), "Leaders nearer than this are followed.";
            weight: f32 = 0.1, "leaders.weight", weight(), "How strongly boids follow their leader.";
            distance: f32 = 10.0, "leaders.distance", radius(), "How far behind a leader its followers begin, and how clear they keep of its way.";
            angle: f32 = 0.0, "leaders.angle", number("°", 0.0, 90.0, 1.0), "At which angle two arms of followers spread behind a leader; 0 is a single file.";
            wander: f32 = 0.05, "leaders.wander", weight(), "How strongly leaders wander.";
        }
        /// Prey tells its neighbors that a predator hunts.
        alarm: Alarm {
            radius: f32 = 15.0, "alarm.radius", radius(), "Alarmed neighbors nearer than this alarm a boid too.";
            spread: f32 = 0.0, "alarm.spread", share(), "The share of the strongest neighbor's alarm that a boid takes on; 0 is none.";
            decay: f32 = 0.15, "alarm.decay", share(), "The share of its alarm that a boid loses each tick.";
            weight: f32 = 0.2, "alarm.weight", weight(), "How strongly alarmed boids turn the way that others flee.";
            speed: f32 = 0.3, "alarm.speed", number("", 0.0, 10.0, 0.05), "By which share an alarmed boid may fly faster than the fastest.";
        }
        /// How one preset becomes another. The simulation itself knows no seconds: who asks for a morph reads it.
        change: MorphParams {
            morph: f32 = 1.0, "morph", number("s", 0.0, 10.0, 0.1), "How long one preset takes to become another; 0 begins anew.";
        }
    }
}

impl Params {
    /// Puts `value` into the tunable named `key`, after checking its kind and range.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownKey`], [`Error::WrongKind`] or [`Error::OutOfRange`]; nothing has changed then.
    pub fn set(&mut self, key: &str, value: Value) -> Result<(), Error> {
        let row = Param::find(key).ok_or_else(|| Error::UnknownKey(key.to_owned()))?;
        row.check(value)?;
        row.put(self, value);
        Ok(())
    }

    /// Checks every row, and what no single row can see: the parameters among themselves and against the world.
    ///
    /// # Errors
    ///
    /// [`Error::OutOfRange`] where a number is none that its row takes; [`Error::Conflict`], which
    /// names both sides.
    pub fn check(&self, world: &World) -> Result<(), Error> {
        let conflict = |text: String| Err(Error::Conflict(text));
        for row in Param::table() {
            row.check(row.get(self))?;
        }
        if self.speed.min > self.speed.max {
            return conflict(format!("speed.min = {} is above speed.max = {}", self.speed.min, self.speed.max));
        }
        let mode = self.edge.mode.name();
        match (self.edge.mode, world) {
            (Edge::Open, _) | (Edge::Sphere, World::Sphere(_)) => {}
            (Edge::Sphere, _) => {
                return conflict(format!(
                    "edge.mode = sphere needs a round world, as round:100, and this one is {world}"
                ));
            }
            (_, World::Sphere(_)) => {
                return conflict(format!(
                    "edge.mode = {mode} needs a box world, and this one is {world}; there edge.mode is sphere or open"
                ));
            }
            _ => {}
        }
        for (key, radius) in [("alignment.radius", self.alignment.radius), ("cohesion.radius", self.cohesion.radius)] {
            if radius.is_infinite() && self.edge.mode == Edge::Wrap {
                return conflict(format!("{key} = inf has no meaning in a wrapping world (edge.mode = wrap)"));
            }
        }
        if self.species.count > 1.0 && self.species.avoid > 0.0 && self.cohesion.radius.is_infinite() {
            let avoid = self.species.avoid;
            return conflict(format!("species.avoid = {avoid} needs a finite cohesion.radius, and it is inf"));
        }
        Ok(())
    }

    /// The species of the boid with this id, counted from 0.
    #[must_use]
    pub fn species_of(&self, id: u32) -> u8 {
        (id % (self.species.count as u32).max(1)) as u8
    }

    /// Whether the boid with this id leads.
    #[must_use]
    pub fn is_leader(&self, id: u32) -> bool {
        id < self.leaders.count as u32
    }

    /// Whether predators tire, or feed, and rest then.
    ///
    /// Where predators flock, none of them hunts: nobody tires, nobody is caught, nobody is alarmed.
    #[must_use]
    #[inline]
    pub fn tires(&self) -> bool {
        self.hunt.mode == PredatorMode::Hunt && (self.hunt.stamina > 0.0 || self.hunt.catch > 0.0)
    }

    /// Whether a predator of this mood rests.
    #[inline]
    pub(crate) fn rests(&self, mood: f32) -> bool {
        mood < 0.0 && self.tires()
    }

    /// Whether prey is alarmed by predators that hunt, and by each other.
    #[must_use]
    pub fn alarms(&self) -> bool {
        self.hunt.mode == PredatorMode::Hunt && self.alarm.spread > 0.0
    }

    /// The reach: the largest of the three rules' finite radii, in u.
    #[must_use]
    pub fn reach(&self) -> f32 {
        [self.separation.radius, self.alignment.radius, self.cohesion.radius]
            .into_iter()
            .filter(|radius| radius.is_finite())
            .fold(0.0, f32::max)
    }

    /// The perception radius: the largest of the three rules' radii, in u, an infinite one included.
    #[must_use]
    pub fn perception(&self) -> f32 {
        self.separation.radius.max(self.alignment.radius).max(self.cohesion.radius)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_takes_its_own_default_and_names_itself_once() {
        let params = Params::default();
        for (index, row) in Param::table().iter().enumerate() {
            row.check(row.get(&params)).unwrap();
            assert_eq!(row.get(&params), row.default(), "{}", row.key);
            assert_eq!(Param::table().iter().position(|other| other.key == row.key), Some(index));
        }
    }

    #[test]
    fn a_refused_value_changes_nothing() {
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
        params.set("cohesion.radius", Value::Number(f32::INFINITY)).unwrap();
        assert!(params.check(&World::Rect([100.0, 100.0])).is_err(), "inf in a wrapping world");
    }
}
