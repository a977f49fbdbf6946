//! The errors and the time of `fit` on flocks with known rules: `cargo bench --bench fit`, or with `-- NAME` for some of the flocks. `-- null=N`
//! adds N flocks without rules.
//!
//! A line for each flock has the largest relative error of its radii and weights, and the bound.

use std::sync::Arc;
use std::time::Instant;

use flockscope::config::Preset;
use flockscope::sim::{Edge, Flock, Kind, Param, Scratch, Setup, Value, World};
use flockscope::tracks::fit::{self, Fit, Rule, RuleFit};
use flockscope::tracks::{RecordedState, Recording};

/// A flock with known rules: name, preset, settings, world, boids, ticks, largest error.
struct Case {
    name: &'static str,
    preset: &'static str,
    settings: &'static str,
    world: &'static str,
    boids: usize,
    ticks: usize,
    bound: f64,
}

const CASES: [Case; 9] = [
    case("drones", "drones", "", "800x600", 97, 600, 0.03),
    case("starlings", "starlings", "", "192x120", 200, 600, 0.1),
    case("trio", "trio", "species.count=1", "192x120", 200, 600, 0.1),
    case("murmuration", "murmuration", "wind.gust=0", "240x180x240", 200, 600, 0.1),
    case(
        "inverse",
        "drones",
        "separation.radius=6 separation.weight=0.05 separation.falloff=inverse separation.response=sum alignment.radius=12 \
         alignment.weight=0.06 alignment.response=difference cohesion.radius=15 cohesion.weight=0.0004 cohesion.response=sum \
         speed.min=0.5 speed.max=1.5 edge.mode=wrap noise.angle=6",
        "160x120",
        150,
        400,
        0.05,
    ),
    case(
        "cruise",
        "drones",
        "separation.radius=6 separation.weight=0.01 separation.falloff=linear separation.response=sum alignment.radius=10 \
         alignment.weight=0.05 alignment.response=difference cohesion.radius=14 cohesion.weight=0.002 cohesion.response=mean \
         cruise.weight=0.1 cruise.speed=1 speed.min=0 speed.max=9 edge.mode=turn edge.margin=20 edge.strength=0.04 noise.angle=6",
        "160x120",
        150,
        400,
        0.05,
    ),
    case(
        "limited",
        "drones",
        "separation.radius=8 separation.weight=0.2 separation.falloff=inverse-square separation.response=sum alignment.radius=16 \
         alignment.weight=0.06 alignment.response=difference cohesion.radius=16 cohesion.weight=0.03 cohesion.response=unit \
         max_force=0.05 speed.min=0.4 speed.max=1.5 edge.mode=wrap noise.angle=3",
        "200x150",
        120,
        400,
        0.05,
    ),
    case(
        "all",
        "drones",
        "separation.radius=5 separation.weight=0.03 separation.falloff=inverse separation.response=sum alignment.radius=inf \
         alignment.weight=0.04 alignment.response=difference cohesion.radius=inf cohesion.weight=0.002 cohesion.response=mean \
         speed.min=0.2 speed.max=1.5 edge.mode=turn edge.margin=20 edge.strength=0.06 noise.angle=6",
        "160x120",
        100,
        400,
        0.05,
    ),
    case(
        "cuboid",
        "drones",
        "separation.radius=7 separation.weight=0.006 separation.falloff=linear separation.response=sum alignment.radius=14 \
         alignment.weight=0.06 alignment.response=difference cohesion.radius=20 cohesion.weight=0.03 cohesion.response=unit \
         wind.x=0.004 speed.min=0.4 speed.max=1.4 max_turn=20 edge.mode=turn edge.margin=20 edge.strength=0.05 noise.angle=4",
        "90x60x90",
        150,
        400,
        0.05,
    ),
];

const fn case(
    name: &'static str,
    preset: &'static str,
    settings: &'static str,
    world: &'static str,
    boids: usize,
    ticks: usize,
    bound: f64,
) -> Case {
    Case { name, preset, settings, world, boids, ticks, bound }
}

impl Case {
    fn setup(&self, seed: u64) -> Setup {
        let world: World = self.world.parse().expect("a valid world");
        let preset = Preset::load(self.preset).expect("a built-in preset");
        let mut setup = Setup { world, boids: self.boids, predators: 0, ..preset.setup(seed, 1.0) };
        for (key, value) in self.settings.split_whitespace().filter_map(|setting| setting.split_once('=')) {
            let param = Param::find(key).expect("a parameter");
            param.assign(&mut setup.params, param.parse(value).expect("a valid value"));
        }
        setup
    }
}

/// The largest relative error of radii and weights, and the rules that are missing or too many.
fn compare(fit: &Fit, truth: &Setup) -> (f64, String) {
    let (mut worst, mut wrong) = (0.0f64, String::new());
    for param in Param::table() {
        let [is, should] = [&fit.setup.params, &truth.params].map(|params| param.get(params));
        match (is, should) {
            (Value::Number(is), Value::Number(should)) if is_compared(param.key, truth) => {
                let error = if is == should { 0.0 } else { (is - should).abs() / should.abs().max(f32::MIN_POSITIVE) };
                worst = worst.max(f64::from(error));
            }
            (Value::Choice(is), Value::Choice(should)) if is != should && is_form(param.key) => {
                wrong = format!("{wrong} {}={is}", param.key);
            }
            _ => {}
        }
    }
    let has_wind = truth.params.wind != flockscope::sim::Params::default().wind;
    if fit.rule(Rule::Wind).is_some_and(RuleFit::is_flown) != has_wind {
        wrong += " wind";
    }
    (worst, wrong)
}

fn is_form(key: &str) -> bool {
    key.ends_with(".falloff") && key.starts_with("separation") || key.ends_with(".response") || key == "edge.mode"
}

fn is_compared(key: &str, truth: &Setup) -> bool {
    let is_edge = key.starts_with("edge.") && truth.params.edge.mode == Edge::Turn;
    let is_cruise = key.starts_with("cruise.") && truth.params.cruise.weight > 0.0;
    let names = [".radius", ".weight", ".margin", ".strength"];
    let is_rule = ["separation", "alignment", "cohesion"].iter().any(|rule| key.starts_with(rule)) || is_edge;
    let is_limit = key == "max_force" && truth.params.limits.max_force > 0.0;
    is_limit || is_cruise || is_rule && names.iter().any(|name| key.ends_with(name))
}

/// A recording of a flock.
fn record(setup: &Setup, ticks: usize) -> Arc<Recording> {
    let mut flock = Flock::new(setup).expect("a valid setup");
    let mut scratch = Scratch::new();
    let mut states = Vec::new();
    for frame in 0..=ticks as u32 {
        for row in flock.rows() {
            let coordinates = row.position.map(f64::from);
            let velocity = row.velocity;
            states.push(RecordedState {
                coordinates,
                velocity,
                mood: 0.0,
                bank: 0.0,
                frame,
                id: row.id,
                kind: Kind::Prey,
            });
        }
        flock.step(&mut scratch);
    }
    let mut recording = Recording::new(states, setup.world);
    recording.params = setup.params;
    Arc::new(recording)
}

fn run(recording: &Recording) -> (Fit, f64) {
    let start = Instant::now();
    let fit = fit::fit(recording, None, &|_| ()).expect("enough data");
    (fit, start.elapsed().as_secs_f64())
}

fn recover(case: &Case) {
    let setup = case.setup(7);
    let (fit, seconds) = run(&record(&setup, case.ticks));
    let (worst, wrong) = compare(&fit, &setup);
    let verdict = if worst < case.bound && wrong.is_empty() { "ok" } else { "short" };
    println!("{:12} error {:.4} of {:.2}, {seconds:.1} s, {verdict}{wrong}", case.name, worst, case.bound);
}

/// Random walkers and Vicsek's model: the rules that are found.
fn without_rules(trials: u64) {
    for seed in 1..=trials {
        let settings = "separation.weight=0 alignment.weight=0 cohesion.weight=0 edge.mode=wrap noise.angle=30";
        for (name, preset, settings, world) in
            [("walkers", "drones", settings, "800x600"), ("vicsek", "vicsek", "", "5x5")]
        {
            let setup = case(name, preset, settings, world, 60, 300, 0.0).setup(seed);
            let (fit, seconds) = run(&record(&setup, 300));
            let found: Vec<&str> =
                fit.rules.iter().filter(|found| found.is_flown()).map(|found| found.rule.name()).collect();
            println!("{name} seed {seed}: {}, {seconds:.1} s", found.join(" "));
        }
    }
}

fn main() {
    let words = std::env::args_os().skip(1).filter_map(|arg| arg.into_string().ok());
    let args: Vec<String> = words.filter(|arg| arg != "--bench").collect();
    let chosen = CASES.iter().filter(|case| args.is_empty() || args.iter().any(|arg| arg == case.name));
    chosen.for_each(recover);
    args.iter().find_map(|arg| arg.strip_prefix("null=")?.parse().ok()).into_iter().for_each(without_rules);
}
