//! Contract: the next state is a pure function of state, parameters, seed and tick.
//!
//! One hash per preset is pinned. A changed hash is a changed model: the CHANGELOG must name it.

use std::num::NonZeroUsize;

use crate::bounds::steered_presets;
use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{Analyzer, Command, Flock, Measure, ModelRow, Row, Scratch, Setup, Value, World};

/// The shape of an `auto` world.
const SHAPE: f32 = 1.6;

/// The hash after 300 ticks from seed 7.
const GOLDEN: &[(&str, u64)] = &[
    ("murmuration", 0x8d9c_fc39_3918_f375),
    ("starlings", 0x21d6_1232_e8fa_fbe8),
    ("trio", 0x7b8e_fcc5_57d4_712f),
    ("baitball", 0x5b75_430c_051d_5383),
    ("herring", 0xcf32_bb34_111f_e749),
    ("mosquitoes", 0xa7ad_79ce_e281_424c),
    ("locusts", 0xa6ab_4d09_ef24_297d),
    ("swifts", 0xb398_4106_7157_ab29),
    ("bats", 0x7fd0_25ec_ac0c_4490),
    ("geese", 0xa844_176e_4080_e5b5),
    ("sheep", 0x7942_1bac_d367_0713),
    ("pigeons", 0xcf49_a62d_3329_ae01),
    ("drones", 0x6a56_9ffb_be85_dd34),
    ("sparrows", 0xdd6d_b3c5_fd84_d5f6),
    ("sphere", 0x4517_8128_8b05_ed46),
    ("parker", 0x7d3f_54ba_d287_238c),
    ("coderholic", 0x100d_e090_ad91_4ba0),
    ("stardisplay", 0xf7d4_fb21_f36e_5bd7),
    ("vicsek", 0x76ff_ef56_869a_4a6f),
    ("bands", 0xdba1_2ece_d9f8_4354),
    ("couzin-torus", 0xb2d5_bb46_2ae7_e50f),
    ("couzin-swarm", 0xc141_1f44_d66d_2c81),
    ("couzin-dynamic", 0x2ac1_753d_94fa_d106),
    ("couzin-parallel", 0x4b6b_d43f_bc02_06fc),
    ("netlogo", 0xedc7_4803_1de4_580d),
    ("abm-small", 0xfe1c_fd08_2b0c_a34e),
    ("abm-large", 0x4018_a476_e19d_8b88),
];

fn setup(preset: &str) -> Setup {
    Preset::load(preset).unwrap().setup(7, SHAPE)
}

fn fly(flock: &mut Flock, ticks: u64, threads: usize) {
    in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| (0..ticks).for_each(|_| flock.step(scratch)));
}

fn run(setup: &Setup, ticks: u64, threads: usize) -> Flock {
    let mut flock = Flock::new(setup).unwrap();
    fly(&mut flock, ticks, threads);
    flock
}

/// A setup in which every random feature is on.
fn random_setup(preset: &str) -> Setup {
    let mut setup = setup(preset);
    setup.params.noise.angle = 30.0;
    setup.params.limits.max_neighbors = 7.0;
    setup.params.limits.max_turn = 20.0;
    setup.params.edge.random = true;
    setup.predators = 5;
    setup
}

/// The preset as it is, and with every random feature, if its model has them.
fn setups(preset: &Preset) -> impl Iterator<Item = Setup> {
    let random = ModelRow::of(&preset.params).has_steering.then(|| random_setup(&preset.name));
    [setup(&preset.name)].into_iter().chain(random)
}

/// The same with enough boids for several threads, at the same density.
fn parallel_setup(setup: Setup) -> Setup {
    let boids = 4500;
    let more = boids as f32 / setup.boids as f32;
    let world = match setup.world {
        World::Rect(sides) => World::Rect(sides.map(|side| side * more.sqrt())),
        World::Cuboid(sides) => World::Cuboid(sides.map(|side| side * more.cbrt())),
        World::Sphere(radius) => World::Sphere(radius * more.cbrt()),
    };
    Setup { boids, world, ..setup }
}

#[test]
fn presets_have_their_golden_hashes() {
    assert_eq!(GOLDEN.len(), Preset::builtin().len(), "each built-in preset has its hash");
    let found: Vec<(&str, u64)> = GOLDEN.iter().map(|(name, _)| (*name, run(&setup(name), 300, 2).hash())).collect();
    let text = |hashes: &[(&str, u64)]| {
        let lines: Vec<String> = hashes.iter().map(|(name, hash)| format!("{name} {hash:#018x}")).collect();
        lines.join("\n")
    };
    assert_eq!(text(&found), text(GOLDEN));
}

#[test]
fn threads_do_not_change_the_state() {
    for preset in steered_presets() {
        for setup in setups(&preset).map(parallel_setup) {
            let one = run(&setup, 10, 1).rows();
            for threads in [2, 3, 8] {
                assert!(run(&setup, 10, threads).rows() == one, "{} on {threads} threads", preset.name);
            }
        }
    }
}

#[test]
fn threads_do_not_change_the_measures() {
    for preset in ["starlings", "sphere"] {
        // Enough for several threads, and not a multiple of the chunk size.
        let flock = run(&Setup { boids: 9001, predators: 0, ..setup(preset) }, 20, 2);
        let measures: Vec<&Measure> = Measure::quick().collect();
        let measure = |threads| {
            in_pool(NonZeroUsize::new(threads).unwrap(), |_| Analyzer::new().values(&flock, usize::MAX, &measures))
        };
        let one = measure(1);
        assert!([2, 3, 8].into_iter().all(|threads| measure(threads) == one), "{preset}");

        let rows = flock.rows();
        let speed = |row: &Row| row.velocity.iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
        let mean = rows.iter().map(speed).sum::<f64>() / rows.len() as f64;
        let along = |axis: usize| rows.iter().map(|row| f64::from(row.velocity[axis]) / speed(row)).sum::<f64>();
        let order = [0, 1, 2].map(along).iter().map(|sum| sum * sum).sum::<f64>().sqrt() / rows.len() as f64;
        let value = |measure| one[measures.iter().position(|other| *other == measure).unwrap()];
        let off = [value(&Measure::MEAN_SPEED) - mean, value(&Measure::POLARIZATION) - order].map(f64::abs);
        assert!(off.iter().all(|off| *off < 1e-6), "{preset}: {off:?}");
    }
}

#[test]
fn a_run_continued_from_rows_equals_the_uninterrupted_run() {
    for preset in Preset::builtin() {
        for setup in setups(&preset) {
            let mut whole = Flock::new(&setup).unwrap();
            for (from, ticks) in [(0, 1), (1, 99), (100, 100)] {
                let mut rows = whole.rows();
                // The order of the rows does not matter.
                rows.reverse();
                // Food continues with the amount that is left.
                let setup = Setup { zones: whole.zones().to_vec(), ..setup.clone() };
                let mut resumed = Flock::from_rows(&setup, from, &rows).unwrap();
                fly(&mut whole, ticks, 1);
                fly(&mut resumed, ticks, 1);
                assert_eq!(resumed.tick(), whole.tick());
                assert!(resumed.rows() == whole.rows(), "{} from tick {from}", preset.name);
            }
        }
    }
}

#[test]
fn a_reused_scratch_changes_nothing() {
    let mut scratch = Scratch::new();
    let mut other = Flock::new(&setup("sphere")).unwrap();
    other.step(&mut scratch);
    let mut flock = Flock::new(&setup("drones")).unwrap();
    (0..20).for_each(|_| flock.step(&mut scratch));
    assert_eq!(flock.hash(), run(&setup("drones"), 20, 1).hash());
}

#[test]
fn seeds_differ_and_a_restart_repeats_the_flock() {
    let setup = setup("starlings");
    let mut flock = run(&setup, 20, 1);
    let later = flock.hash();
    flock.apply(&Command::Restart).unwrap();
    assert_eq!((flock.tick(), flock.hash()), (0, Flock::new(&setup).unwrap().hash()));
    fly(&mut flock, 20, 1);
    assert_eq!(flock.hash(), later);
    flock.apply(&Command::Reseed(8)).unwrap();
    assert_ne!(flock.hash(), Flock::new(&setup).unwrap().hash());
    assert_eq!(flock.hash(), Flock::new(&Setup { seed: 8, ..setup }).unwrap().hash());
}

#[test]
fn changing_the_count_keeps_ids_and_states() {
    let mut flock = run(&setup("sparrows"), 10, 1);
    let before = flock.rows();
    flock.apply(&Command::SetBoids(100)).unwrap();
    flock.apply(&Command::SetPredators(5)).unwrap();
    assert_eq!((flock.boids(), flock.predators()), (100, 5));
    let grown = flock.rows();
    assert!(grown.iter().filter(|row| row.id < 73).eq(before.iter()), "those who were there");
    assert!(grown.windows(2).all(|pair| pair[0].id < pair[1].id), "ids are unique");
    flock.apply(&Command::SetBoids(30)).unwrap();
    flock.apply(&Command::SetPredators(1)).unwrap();
    assert_eq!((flock.boids(), flock.predators()), (30, 1));
    assert!(flock.rows().iter().all(|row| before.contains(row)), "the newest went first");
}

#[test]
fn a_refused_command_changes_nothing() {
    let mut flock = run(&setup("parker"), 5, 1);
    let (hash, params) = (flock.hash(), *flock.params());
    for command in [
        Command::set("speed.max", Value::Number(-1.0)).unwrap(),
        Command::set("speed.min", Value::Number(50.0)).unwrap(),
        Command::set("edge.mode", Value::Choice("wrap")).unwrap(),
        Command::set("edge.mode", Value::Choice("sphere")).unwrap(),
        Command::SetBoids(0),
        Command::SetPredators(1001),
        Command::Resize(World::Rect([0.0, 5.0])),
        Command::Resize(World::Cuboid([50.0, 50.0, 50.0])),
    ] {
        assert!(flock.apply(&command).is_err(), "{command:?}");
    }
    assert_eq!((flock.hash(), *flock.params()), (hash, params));
    assert!(Command::set("cohesion.wieght", Value::Number(1.0)).is_err());
}

#[test]
fn a_shrinking_world_moves_agents_inside() {
    for preset in ["starlings", "drones", "coderholic", "parker"] {
        let mut flock = run(&setup(preset), 50, 1);
        let margin = flock.params().edge.margin;
        flock.apply(&Command::Resize(World::Rect([60.0, 40.0]))).unwrap();
        for row in flock.rows() {
            let [x, y, _] = row.position;
            assert!(
                (-margin..=60.0 + margin).contains(&x) && (-margin..=40.0 + margin).contains(&y),
                "{preset} {row:?}"
            );
        }
        fly(&mut flock, 10, 1);
    }
}
