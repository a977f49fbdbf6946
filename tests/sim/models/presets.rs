//! The presets from the literature.

use super::compare::{Case, compare_tick, length};
use super::model::Tally;
use flockscope::config::{Preset, WorldSize};
use flockscope::sim::{
    Alignment, AlignmentResponse, Cohesion, Command, Edge, Falloff, Flee, Flock, Hunt, HuntTarget, Kind, Limits, Noise,
    Params, PredatorMode, Response, Row, Scratch, Separation, Speed, Start, Wind, World,
};

pub fn preset(name: &str) -> Preset {
    Preset::load(name).unwrap()
}

#[test]
fn drones_agree_with_the_formulas() {
    let tally = Case::of_preset("drones").compare(6);
    tally.assert_saw(&["separation", "alignment", "cohesion", "flee", "edge"], 100);
    tally.assert_saw(&["lengthened", "shortened"], 10);
}

#[test]
fn sparrows_agree_with_the_formulas() {
    let tally = Case::of_preset("sparrows").compare(8);
    tally.assert_saw(&["separation", "alignment", "cohesion", "spared", "flee", "edge", "shortened"], 50);
    tally.assert_saw(&["hunt"], 10);
}

#[test]
fn sphere_agrees_with_the_formulas() {
    let tally = Case::of_preset("sphere").compare(1);
    tally.assert_saw(&["separation", "alignment", "cohesion", "edge", "lengthened", "shortened"], 100);
}

#[test]
fn parker_agrees_with_the_formulas() {
    let tally = Case::of_preset("parker").compare(4);
    tally.assert_saw(&["separation", "alignment", "cohesion", "shortened"], 100);
    tally.assert_saw(&["edge"], 20);
}

#[test]
fn coderholic_agrees_with_the_formulas() {
    let tally = Case::of_preset("coderholic").compare(12);
    tally.assert_saw(&["alignment", "cohesion"], 100);
    tally.assert_saw(&["separation", "bounced"], 40);
}

#[test]
fn presets_agree_with_the_formulas_in_the_states_that_they_fly_through() {
    for name in ["drones", "sparrows", "parker", "coderholic"] {
        let mut flock = Flock::new(&preset(name).setup(7, 1.6)).unwrap();
        let (mut scratch, mut tally) = (Scratch::new(), Tally::default());
        for _ in 0..80 {
            tally.add(&compare_tick(name, &mut flock, &mut scratch));
        }
        tally.assert_few_doubts(name);
        tally.assert_saw(&["alignment", "cohesion"], 100);
    }
}

#[test]
fn predators_added_to_a_preset_without_flee_hunt_with_the_defaults() {
    for name in ["parker", "coderholic", "sphere"] {
        let tally = Case::of_preset(name).with_predators(30).compare(1);
        tally.assert_saw(&["flee", "hunt"], 3);

        let mut flock = Flock::new(&preset(name).setup(3, 1.6)).unwrap();
        flock.apply(&Command::SetPredators(5)).unwrap();
        assert_eq!((flock.params().hunt, flock.params().flee), (Hunt::default(), Flee::default()), "{name}");
        assert_eq!(flock.rows().iter().filter(|row| row.kind == Kind::Predator).count(), 5, "{name}");
        compare_tick(name, &mut flock, &mut Scratch::new());
    }
}

/// The constants of a preset, copied from the models page.
struct Page {
    name: &'static str,
    counts: (usize, usize),
    world: World,
    rate: f32,
    start: Start,
    separation: Separation,
    alignment: Alignment,
    cohesion: Cohesion,
    flee: Flee,
    hunt: Hunt,
    speed: Speed,
    edge: (Edge, f32),
    max_neighbors: f32,
}

fn pages() -> [Page; 5] {
    [drones_page(), sparrows_page(), sphere_page(), parker_page(), coderholic_page()]
}

fn drones_page() -> Page {
    Page {
        name: "drones",
        counts: (97, 3),
        world: World::Rect([800.0, 600.0]),
        rate: 60.0,
        start: Start::Scatter,
        separation: Separation { radius: 20.0, weight: 0.001, falloff: Falloff::Linear, response: Response::Sum },
        alignment: Alignment { radius: 50.0, weight: 0.01, response: AlignmentResponse::Difference },
        cohesion: Cohesion { radius: 50.0, inner: 0.0, weight: 0.0003, response: Response::Mean },
        flee: Flee { radius: 150.0, weight: 0.00005, falloff: Falloff::Linear },
        hunt: Hunt { mode: PredatorMode::Flock, ..Hunt::default() },
        speed: Speed { min: 1.0, max: 5.0 },
        edge: (Edge::Turn, 50.0),
        max_neighbors: 0.0,
    }
}

fn sparrows_page() -> Page {
    Page {
        name: "sparrows",
        counts: (70, 3),
        world: World::Rect([960.0, 640.0]),
        rate: 30.0,
        start: Start::Rest,
        separation: Separation { radius: 30.0, weight: 1.0, falloff: Falloff::Flat, response: Response::Sum },
        alignment: Alignment { radius: 75.0, weight: 0.5, response: AlignmentResponse::Sum },
        cohesion: Cohesion { radius: 75.0, inner: 30.0, weight: 0.025, response: Response::Sum },
        flee: Flee { radius: 75.0, weight: 1.5, falloff: Falloff::Flat },
        hunt: Hunt {
            mode: PredatorMode::Hunt,
            radius: 75.0,
            weight: 1.0,
            target: HuntTarget::Nearest,
            speed: 6.0,
            ..Hunt::default()
        },
        speed: Speed { min: 0.0, max: 10.0 },
        edge: (Edge::Push, 100.0),
        max_neighbors: 0.0,
    }
}

fn sphere_page() -> Page {
    Page {
        name: "sphere",
        counts: (2000, 0),
        world: World::Sphere(100.0),
        rate: 60.0,
        start: Start::Scatter,
        separation: Separation { radius: 6.0, weight: 0.5, falloff: Falloff::InverseCube, response: Response::Unit },
        alignment: Alignment { radius: 15.0, weight: 0.05, response: AlignmentResponse::Unit },
        cohesion: Cohesion { radius: 15.0, inner: 0.0, weight: 0.03, response: Response::Unit },
        flee: Flee::default(),
        hunt: Hunt::default(),
        speed: Speed { min: 1.0, max: 1.0 },
        edge: (Edge::Sphere, 6.0),
        max_neighbors: 64.0,
    }
}

fn parker_page() -> Page {
    Page {
        name: "parker",
        counts: (150, 0),
        world: World::Rect([900.0, 600.0]),
        rate: 60.0,
        start: Start::Streams,
        separation: Separation { radius: 20.0, weight: 1.0, falloff: Falloff::Flat, response: Response::Sum },
        alignment: Alignment { radius: f32::INFINITY, weight: 0.125, response: AlignmentResponse::Difference },
        cohesion: Cohesion { radius: f32::INFINITY, inner: 0.0, weight: 0.01, response: Response::Mean },
        flee: Flee::default(),
        hunt: Hunt::default(),
        speed: Speed { min: 0.0, max: 4.0 },
        edge: (Edge::Turn, 10.0),
        max_neighbors: 0.0,
    }
}

fn coderholic_page() -> Page {
    Page {
        name: "coderholic",
        counts: (50, 0),
        world: World::Rect([800.0, 600.0]),
        rate: 60.0,
        start: Start::Drift,
        separation: Separation { radius: 20.0, weight: 0.2, falloff: Falloff::Inverse, response: Response::Sum },
        alignment: Alignment { radius: 200.0, weight: 0.025, response: AlignmentResponse::Mean },
        cohesion: Cohesion { radius: 200.0, inner: 0.0, weight: 0.01, response: Response::Mean },
        flee: Flee::default(),
        hunt: Hunt::default(),
        speed: Speed { min: 0.0, max: 10.0 },
        edge: (Edge::Reflect, 25.0),
        max_neighbors: 0.0,
    }
}

#[test]
fn presets_have_the_constants_of_the_page() {
    for page in pages() {
        let (name, preset) = (page.name, preset(page.name));
        assert_eq!((preset.boids, preset.predators), page.counts, "{name}");
        assert_eq!(preset.world, WorldSize::Fixed(page.world), "{name}");
        assert_eq!((preset.rate, preset.start), (page.rate, page.start), "{name}");
        let Params { separation, alignment, cohesion, flee, hunt, edge, speed, limits, noise, wind, .. } =
            preset.params;
        let Params { perception, species, leaders, .. } = preset.params;
        let none = Params::default();
        assert_eq!((perception, species, leaders), (none.perception, none.species, none.leaders), "{name}");
        assert_eq!(separation, page.separation, "{name}");
        assert_eq!(alignment, page.alignment, "{name}");
        assert_eq!(cohesion, page.cohesion, "{name}");
        assert_eq!(flee, page.flee, "{name}");
        assert_eq!(hunt, page.hunt, "{name}");
        assert_eq!(speed, page.speed, "{name}");
        assert_eq!((edge.mode, edge.margin), page.edge, "{name}");
        let limits_of_page = Limits { max_force: 0.0, max_turn: 0.0, max_neighbors: page.max_neighbors };
        assert_eq!(limits, limits_of_page, "{name}");
        assert_eq!((noise, wind), (Noise { angle: 0.0, force: 0.0 }, Wind { x: 0.0, y: 0.0, z: 0.0 }), "{name}");
    }
    let strength = |name| preset(name).params.edge.strength;
    assert_eq!(["drones", "sparrows", "sphere", "parker"].map(strength), [0.5, 1.0, 1.0, 1.0]);
    assert!(preset("coderholic").params.edge.random);
}

#[test]
fn presets_start_as_the_page_says() {
    for page in pages() {
        let flock = Flock::new(&preset(page.name).setup(11, 3.0)).unwrap();
        assert_eq!((flock.world(), flock.boids(), flock.predators()), (page.world, page.counts.0, page.counts.1));
        for row in flock.rows() {
            assert!(starts_right(&page, &row), "{}: {row:?}", page.name);
        }
        let spread = |axis: usize, above: bool| {
            flock.rows().iter().any(|row| (row.velocity[axis] > 0.0) == above && row.velocity[axis] != 0.0)
        };
        let all_ways = (0..2).all(|axis| spread(axis, true) && spread(axis, false));
        assert_eq!(all_ways, matches!(page.start, Start::Scatter | Start::Streams), "{}", page.name);
    }
}

fn starts_right(page: &Page, row: &Row) -> bool {
    let ([x, y, z], [vx, vy, vz]) = (row.position, row.velocity);
    let speed = length(row.velocity);
    let is_inside = match page.world {
        World::Sphere(radius) => length(row.position) <= radius,
        World::Cuboid(_) => false,
        World::Rect([width, height]) => {
            (0.0..width).contains(&x) && (0.0..height).contains(&y) && (z, vz) == (0.0, 0.0)
        }
    };
    let is_tenths = |v: f32| (1..=10_u8).any(|tenths| v == f32::from(tenths) / 10.0);
    let flies_right = match page.start {
        Start::Scatter => (page.speed.min - 1e-5..=page.speed.max + 1e-5).contains(&speed),
        Start::Rest => speed == 0.0,
        Start::Drift => is_tenths(vx) && is_tenths(vy),
        Start::Streams => {
            let in_square = (450.0..475.0).contains(&x) && (300.0..325.0).contains(&y);
            in_square && vx * vy >= 0.0 && vx.abs() <= 2.0 && vy.abs() <= 2.0
        }
        Start::Flocks | Start::Flock | Start::Ring => false,
    };
    is_inside && flies_right
}

#[test]
fn presets_that_start_anywhere_start_in_every_quarter() {
    for name in ["drones", "sparrows", "sphere", "coderholic"] {
        let flock = Flock::new(&preset(name).setup(5, 1.0)).unwrap();
        let [x, y, _] = flock.world().center();
        for quarter in [(false, false), (false, true), (true, false), (true, true)] {
            let count = flock.rows().iter().filter(|row| (row.position[0] > x, row.position[1] > y) == quarter).count();
            assert!(count > flock.boids() / 12, "{name}: {count} in one quarter");
        }
    }
}
