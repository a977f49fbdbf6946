//! What is asked of a flock while it flies.

use arbitrary::{Arbitrary, Unstructured};
use flockscope::sim::{
    Command, Domain, Edge, Flock, Param, Params, Pointer, Scratch, Setup, Start, Value, World, Zone, ZoneKind,
    check_params,
};

use super::bounds::check_bounds;

/// The most that is done to a flock.
const MAX_ACTIONS: usize = 40;
/// Maximum number of ticks between two actions.
const TICKS: u8 = 8;

/// An initial flock and a list of actions on it.
#[derive(Arbitrary, Debug)]
struct Story {
    begin: Begin,
    actions: Vec<Action>,
}

/// How one begins, or what it becomes.
#[derive(Arbitrary, Debug)]
struct Begin {
    place: Place,
    rules: Vec<Rule>,
    start: u8,
    boids: u8,
    predators: u8,
    seed: u8,
    zones: Vec<Site>,
}

/// Where it lives.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Place {
    Flat([Length; 2]),
    Deep([Length; 3]),
    Round(Length),
}

/// A length in u, as worlds have them, or any at all.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Length {
    Usual(u8),
    Long(u16),
    Largest,
    Any(f32),
}

/// A tunable and what it becomes.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Rule {
    row: u8,
    amount: Amount,
}

/// A tunable's value: within its range, at its ends, or any at all.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Amount {
    Least,
    Most,
    Infinite,
    Share(u8),
    Little(u8),
    Any(f32),
}

/// What stands somewhere, in shares of the world, or anywhere at all.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Site {
    kind: u8,
    at: Spotted,
    radius: u8,
}

/// A place in a world.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Spotted {
    Inside([u8; 3]),
    Any([f32; 3]),
}

/// What is done.
#[derive(Arbitrary, Debug)]
enum Action {
    Fly(u8),
    Set(Rule),
    Boids(u8),
    Predators(u8),
    Reseed(u8),
    Restart,
    Resize(Place),
    Place(Site),
    Shift(u8, Spotted),
    Remove(u8),
    Morph(Begin, u8),
    Point(Spotted, [i8; 3], bool),
    Lift,
}

pub fn body(data: &[u8]) {
    let Ok(story) = Story::arbitrary_take_rest(Unstructured::new(data)) else { return };
    let setup = story.begin.setup();
    let Ok(mut flock) = Flock::new(&setup) else { return };
    let (mut boids, mut predators) = (setup.boids, setup.predators);
    let mut scratch = Scratch::new();
    check_bounds(&flock, boids, predators).unwrap();
    for action in story.actions.iter().take(MAX_ACTIONS) {
        let Some(command) = action.command(&flock) else {
            fly(&mut flock, &mut scratch, action, boids, predators);
            continue;
        };
        let before = (flock.hash(), *flock.params(), flock.world(), flock.zones().to_vec());
        match (flock.apply(&command), &command) {
            (Err(error), _) => {
                let now = (flock.hash(), *flock.params(), flock.world(), flock.zones().to_vec());
                assert!(before == now, "refused ({error}), and yet: {command:?}");
            }
            (Ok(()), Command::SetBoids(count)) => boids = *count,
            (Ok(()), Command::SetPredators(count)) => predators = *count,
            (Ok(()), Command::Morph(into, _)) => (boids, predators) = (into.boids, into.predators),
            (Ok(()), _) => {}
        }
        check_bounds(&flock, boids, predators).unwrap_or_else(|why| panic!("{why}, after {command:?}"));
        flock.step(&mut scratch);
        check_bounds(&flock, boids, predators).unwrap_or_else(|why| panic!("{why}, a tick after {command:?}"));
    }
    can_go_on(&flock, &setup);
}

fn fly(flock: &mut Flock, scratch: &mut Scratch, action: &Action, boids: usize, predators: usize) {
    let Action::Fly(ticks) = action else { return };
    for _ in 0..ticks % TICKS {
        flock.step(scratch);
        check_bounds(flock, boids, predators).unwrap();
    }
}

/// Who lives is one whom another run can go on with, from the very same state; not on the way to other rules.
fn can_go_on(flock: &Flock, setup: &Setup) {
    if flock.morph_target() != (flock.params(), flock.world()) {
        return;
    }
    let setup = Setup { params: *flock.params(), world: flock.world(), zones: flock.zones().to_vec(), ..setup.clone() };
    let again = Flock::from_rows(&setup, flock.tick(), &flock.rows()).unwrap();
    assert_eq!(again.hash(), flock.hash());
}

impl Begin {
    /// Few enough to fly many of them; a rule that the others do not agree with is left out.
    fn setup(&self) -> Setup {
        let world = self.place.world();
        let mut params = Params::default();
        if let World::Sphere(_) = world {
            params.edge.mode = Edge::Sphere;
        }
        for rule in self.rules.iter().take(MAX_ACTIONS) {
            let (key, value) = rule.setting();
            let mut other = params;
            if other.set(key, value).is_ok() && check_params(&other, &world).is_ok() {
                params = other;
            }
        }
        let start = Start::from_name(Start::NAMES[usize::from(self.start) % Start::NAMES.len()]);
        Setup {
            params,
            world,
            start: start.expect("it is one of the names"),
            boids: usize::from(self.boids % 50),
            predators: usize::from(self.predators % 8),
            seed: self.seed.into(),
            zones: self.zones.iter().take(6).map(|site| site.zone(&world)).collect(),
        }
    }
}

impl Place {
    fn world(self) -> World {
        match self {
            Self::Flat(sides) => World::Rect(sides.map(Length::u)),
            Self::Deep(sides) => World::Cuboid(sides.map(Length::u)),
            Self::Round(radius) => World::Sphere(radius.u()),
        }
    }
}

impl Length {
    fn u(self) -> f32 {
        match self {
            Self::Usual(length) => 1.0 + f32::from(length),
            Self::Long(length) => 1.0 + f32::from(length),
            Self::Largest => flockscope::sim::MAX_SIDE,
            Self::Any(length) => length,
        }
    }
}

impl Rule {
    fn setting(self) -> (&'static str, Value) {
        let row = &Param::table()[usize::from(self.row) % Param::table().len()];
        (row.key, self.amount.of(&row.domain))
    }
}

impl Amount {
    fn of(self, domain: &Domain) -> Value {
        match (*domain, self) {
            (Domain::Number { min: least, .. }, Self::Least) => Value::Number(least),
            (Domain::Number { max: most, .. }, Self::Most) => Value::Number(most),
            (Domain::Number { min: least, max: most, integer: whole, .. }, Self::Share(share)) => {
                let number = least + (most - least) * f32::from(share) / 255.0;
                Value::Number(if whole { number.round() } else { number })
            }
            (Domain::Number { .. }, Self::Infinite) => Value::Number(f32::INFINITY),
            (Domain::Number { integer: whole, .. }, Self::Little(share)) => {
                Value::Number(if whole { f32::from(share % 8) } else { f32::from(share) / 16.0 })
            }
            (Domain::Number { .. }, Self::Any(number)) => Value::Number(number),
            (Domain::Choice(words), Self::Share(share) | Self::Little(share)) => {
                Value::Choice(words[usize::from(share) % words.len()])
            }
            (Domain::Choice(words), _) => Value::Choice(words[0]),
            (Domain::Switch, amount) => Value::Switch(matches!(amount, Self::Most | Self::Share(128..))),
        }
    }
}

impl Spotted {
    fn place(self, world: &World) -> [f32; 3] {
        let (origin, size) = (world.origin(), world.size());
        match self {
            Self::Inside(shares) => [0, 1, 2].map(|axis| origin[axis] + size[axis] * f32::from(shares[axis]) / 255.0),
            Self::Any(place) => place,
        }
    }
}

impl Site {
    fn zone(self, world: &World) -> Zone {
        let kind = [ZoneKind::Obstacle, ZoneKind::Food, ZoneKind::Roost][usize::from(self.kind) % 3];
        let shortest = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        Zone::new(kind, self.at.place(world), shortest * f32::from(self.radius) / 600.0)
    }
}

impl Action {
    fn command(&self, flock: &Flock) -> Option<Command> {
        let world = flock.world();
        // One more than there are, so that a wrong number is among them.
        let number = |number: u8| usize::from(number) % (flock.zones().len() + 1);
        Some(match self {
            Self::Fly(_) => return None,
            Self::Set(rule) => {
                let (key, value) = rule.setting();
                Command::set(key, value).expect("the table has this key")
            }
            Self::Boids(count) => Command::SetBoids((*count).into()),
            Self::Predators(count) => Command::SetPredators(usize::from(*count) % 40),
            Self::Reseed(seed) => Command::Reseed((*seed).into()),
            Self::Restart => Command::Restart,
            Self::Resize(place) => Command::Resize(place.world()),
            Self::Place(site) => Command::AddZone(site.zone(&world)),
            Self::Shift(zone, to) => Command::MoveZone(number(*zone), to.place(&world)),
            Self::Remove(zone) => Command::RemoveZone(number(*zone)),
            Self::Morph(into, ticks) => Command::Morph(Box::new(into.setup()), (*ticks % 32).into()),
            Self::Point(at, along, attracts) => Command::SetPointer(Some(Pointer {
                at: at.place(&world),
                along: along.map(f32::from),
                attracts: *attracts,
            })),
            Self::Lift => Command::SetPointer(None),
        })
    }
}
