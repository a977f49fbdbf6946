//! Contract: called boids land on their perches, one on each, and stay until something drives them off, their time is over or
//! they are called off.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::Arc;

use flockscope::config::Preset;
use flockscope::engine::in_pool;
use flockscope::sim::{
    Command, Flock, Formation, Perch, Plane, Pointer, Row, Scratch, Session, SessionEvent, SessionLog, SessionStart,
    Setup, Shelter, Simd, Timeline, Value, World, Zone, ZoneKind,
};

fn setup(preset: &str) -> Setup {
    Preset::load(preset).unwrap().setup(7, 1.6)
}

/// A line of points through the middle of the world, over half of its width.
fn line(world: World, count: usize) -> Vec<Perch> {
    let (center, width) = (world.center(), world.size()[0]);
    let at = |nth: usize| center[0] + width * (0.5 * (nth as f32 + 0.5) / count as f32 - 0.25);
    (0..count).map(|nth| Perch { at: [at(nth), center[1], center[2]], number: None }).collect()
}

fn formation(perches: &[Perch]) -> Arc<Formation> {
    Arc::new(Formation { perches: perches.to_vec(), plane: None, shelter: None })
}

fn call(perches: &[Perch]) -> Command {
    Command::Call(formation(perches))
}

/// A flock whose boids rest on a line of points.
struct Landed {
    flock: Flock,
    points: Vec<Perch>,
    scratch: Scratch,
}

impl Landed {
    /// Of boids without predators, with a parameter of the perches.
    fn new(preset: &str, key: &str, value: f32) -> Self {
        let mut setup = Setup { predators: 0, ..setup(preset) };
        setup.params.set(key, Value::Number(value)).unwrap();
        let mut flock = Flock::new(&setup).unwrap();
        let points = line(setup.world, setup.boids / 4);
        flock.apply(&call(&points)).unwrap();
        Self { flock, points, scratch: Scratch::new() }
    }

    fn with_all_at_rest(preset: &str) -> Self {
        let mut landed = Self::new(preset, "perch.free", 10.0);
        landed.step_until(5000, |landed| landed.count() == landed.points.len());
        landed
    }

    fn step(&mut self) {
        self.flock.step(&mut self.scratch);
    }

    fn step_until(&mut self, most: usize, condition: impl Fn(&Self) -> bool) {
        for _ in 0..most {
            if condition(self) {
                return;
            }
            self.step();
        }
        panic!("after {most} ticks {} of {} boids rest", self.count(), self.points.len());
    }

    /// How many points have a boid at rest on them.
    fn count(&self) -> usize {
        let key = |at: [f32; 3]| at.map(f32::to_bits);
        let rows = self.flock.rows();
        let at_rest = rows.iter().filter(|row| row.velocity == [0.0; 3]).map(|row| key(row.position));
        let at_rest: HashSet<_> = at_rest.collect();
        self.points.iter().filter(|perch| at_rest.contains(&key(perch.at))).count()
    }
}

#[test]
fn called_boids_land_in_all_presets_of_the_steering_rules() {
    for preset in crate::bounds::steered_presets() {
        let mut landed = Landed::with_all_at_rest(&preset.name);
        (0..50).for_each(|_| landed.step());
        assert_eq!(landed.count(), landed.points.len(), "{}", preset.name);
    }
}

#[test]
fn called_boids_do_not_settle_on_a_roost_on_their_way() {
    let mut setup = Setup { predators: 0, ..setup("starlings") };
    let [width, height, _] = setup.world.size();
    setup.zones = vec![Zone::new(ZoneKind::Roost, setup.world.center(), 0.3 * width.min(height))];
    setup.params.roost.chance = 1.0;
    let mut flock = Flock::new(&setup).unwrap();
    let points = line(setup.world, setup.boids / 4);
    flock.apply(&call(&points)).unwrap();
    let mut landed = Landed { flock, points, scratch: Scratch::new() };
    landed.step_until(5000, |landed| landed.count() == landed.points.len());
}

#[test]
fn fewer_boids_take_the_first_points() {
    let mut flock = Flock::new(&Setup { boids: 20, predators: 0, ..setup("starlings") }).unwrap();
    let points = line(flock.world(), 50);
    flock.apply(&call(&points)).unwrap();
    let perches = flock.perches().unwrap();
    let mut called: Vec<f32> = (0..20).map(|id| perches.called_to(id).unwrap().at[0]).collect();
    called.sort_by(f32::total_cmp);
    assert!(called.into_iter().eq(points[..20].iter().map(|perch| perch.at[0])));
}

#[test]
fn a_pointer_drives_boids_off_and_they_return() {
    let mut landed = Landed::with_all_at_rest("starlings");
    let at = landed.points[landed.points.len() / 2].at;
    landed.flock.apply(&Command::SetPointer(Some(Pointer { at, along: [0.0; 3], attracts: false }))).unwrap();
    landed.step();
    let driven_off = landed.points.len() - landed.count();
    let near = landed.points.iter().filter(|perch| (perch.at[0] - at[0]).abs() < 10.0).count();
    assert!(near > 1 && driven_off == near, "{driven_off} of {near}");
    landed.flock.apply(&Command::SetPointer(None)).unwrap();
    landed.step_until(3000, |landed| landed.count() == landed.points.len());
}

#[test]
fn a_predator_breaks_the_line_and_it_forms_again() {
    let mut landed = Landed::with_all_at_rest("murmuration");
    landed.flock.apply(&Command::SetPredators(1)).unwrap();
    landed.step_until(3000, |landed| landed.count() < landed.points.len() - 2);
    landed.flock.apply(&Command::SetPredators(0)).unwrap();
    landed.step_until(3000, |landed| landed.count() == landed.points.len());
}

#[test]
fn predators_strike_a_sheltered_line_once_in_a_while_and_it_forms_again() {
    const CALM: u64 = 600;
    let setup = setup("murmuration");
    let mut flock = Flock::new(&setup).unwrap();
    let (points, center) = (line(setup.world, 200), setup.world.center());
    let area = Plane { center, right: [90.0, 0.0, 0.0], down: [0.0, 20.0, 0.0] };
    let shelter = Shelter { area, eye: [0.0, 0.0, -300.0], calm: CALM as f32 };
    let formation = Formation { perches: points.clone(), plane: None, shelter: Some(shelter) };
    flock.apply(&Command::Call(Arc::new(formation))).unwrap();
    let mut landed = Landed { flock, points, scratch: Scratch::new() };
    landed.step_until(500, |landed| landed.count() == landed.points.len());
    let mut strikes: Vec<u64> = Vec::new();
    for tick in landed.flock.tick()..12_000 {
        landed.step();
        if landed.count() < landed.points.len() && strikes.last().is_none_or(|last| tick > last + CALM / 2) {
            strikes.push(tick);
        }
        let since = strikes.last().map_or(0, |strike| tick - strike);
        assert!(since < 300 || landed.count() == landed.points.len(), "broken {since} ticks after {strikes:?}");
    }
    assert!(strikes.len() >= 2 && strikes[0] >= CALM, "{strikes:?}");
    assert!(strikes.windows(2).all(|pair| pair[1] - pair[0] >= CALM), "{strikes:?}");
}

#[test]
fn boids_leave_for_good_when_their_time_is_over() {
    let mut landed = Landed::new("starlings", "perch.hold", 30.0);
    landed.step_until(3000, |landed| landed.count() > landed.points.len() / 10);
    landed.step_until(5000, |landed| landed.flock.perches().is_none());
    assert_eq!(landed.count(), 0);
}

#[test]
fn boids_that_are_called_off_leave_one_after_the_other() {
    let mut landed = Landed::with_all_at_rest("starlings");
    landed.flock.apply(&Command::Release).unwrap();
    let mut counts: Vec<usize> = Vec::new();
    landed.step_until(61, |landed| landed.count() == 0 || landed.flock.perches().is_none());
    let mut again = Landed::with_all_at_rest("starlings");
    again.flock.apply(&Command::Release).unwrap();
    for _ in 0..61 {
        again.step();
        counts.push(again.count());
    }
    let steps = counts.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!(steps > 30 && counts.ends_with(&[0]), "{counts:?}");
    assert!(again.flock.perches().is_none(), "nothing is left of perches without numbers");
}

#[test]
fn boids_with_numbers_return_to_their_own_perches() {
    let mut flock = Flock::new(&Setup { boids: 60, predators: 0, ..setup("starlings") }).unwrap();
    let points: Vec<Perch> =
        line(flock.world(), 60).iter().zip(0..).map(|(perch, nth)| Perch { number: Some(nth), ..*perch }).collect();
    flock.apply(&Command::Place(formation(&points))).unwrap();
    let numbers = |flock: &Flock| -> Vec<u32> {
        let perches = flock.perches().unwrap();
        (0..60).map(|id| perches.perch_of(id).unwrap().number.unwrap()).collect()
    };
    let first = numbers(&flock);
    assert!(flock.rows().iter().zip(points.iter()).all(|(row, perch)| row.position == perch.at));
    let mut scratch = Scratch::new();
    flock.apply(&Command::Release).unwrap();
    (0..300).for_each(|_| flock.step(&mut scratch));
    assert!(flock.rows().iter().all(|row| row.velocity != [0.0; 3]));
    assert_eq!(numbers(&flock), first, "in flight they keep their numbers");
    flock.apply(&call(&points)).unwrap();
    (0..3000).for_each(|_| flock.step(&mut scratch));
    assert!(flock.rows().iter().zip(points.iter()).all(|(row, perch)| row.position == perch.at));
    assert_eq!(numbers(&flock), first);
}

#[test]
fn boids_on_points_of_both_calls_stay() {
    let mut landed = Landed::with_all_at_rest("starlings");
    let before = landed.flock.rows();
    let half = landed.points[..landed.points.len() / 2].to_vec();
    let above = half.iter().map(|perch| Perch { at: [perch.at[0], perch.at[1] - 9.0, 0.0], number: None });
    let points: Vec<Perch> = half.iter().copied().chain(above).collect();
    landed.flock.apply(&call(&points)).unwrap();
    landed.step();
    let rests = |row: &Row| row.velocity == [0.0; 3];
    let pairs: Vec<(Row, Row)> = before.into_iter().zip(landed.flock.rows()).collect();
    let stayed =
        pairs.iter().filter(|(before, after)| rests(before) && rests(after) && before.position == after.position);
    assert_eq!(stayed.count(), half.len());
}

#[test]
fn threads_simd_and_replays_make_no_difference() {
    let setup = Setup { predators: 1, ..setup("murmuration") };
    let commands = |flock: &Flock| {
        let points = line(flock.world(), 900);
        [(20, call(&points)), (500, Command::Release), (600, call(&points))]
    };
    let run = |threads: usize, simd: Simd| {
        let mut flock = Flock::new(&setup).unwrap();
        let commands = commands(&flock);
        in_pool(NonZeroUsize::new(threads).unwrap(), |scratch| {
            scratch.set_simd(simd);
            for tick in 0..700 {
                for (_, command) in commands.iter().filter(|(at, _)| *at == tick) {
                    flock.apply(command).unwrap();
                }
                flock.step(scratch);
            }
        });
        flock
    };
    let one = run(1, Simd::fastest());
    assert_eq!(one.session_hash(), run(3, Simd::Scalar).session_hash());
    let flock = Flock::new(&setup).unwrap();
    let mut log = SessionLog::new(SessionStart::of(&flock, true));
    for (tick, command) in commands(&flock) {
        log.push_at(tick, SessionEvent::Command(command));
    }
    log.push_at(700, SessionEvent::Hash(one.session_hash()));
    let (mut replay, mut scratch) = (Session::open(log, 0).unwrap(), Scratch::new());
    replay.finish(&mut scratch).unwrap();
    (0..700).for_each(|_| replay.advance(&mut scratch).unwrap());
    assert_eq!(replay.divergence(), None);
}

#[test]
fn other_models_refuse_a_call_in_one_sentence() {
    for preset in ["vicsek", "couzin-torus", "stardisplay", "netlogo", "abm-small"] {
        let mut flock = Flock::new(&setup(preset)).unwrap();
        let error = flock.apply(&call(&line(flock.world(), 5))).unwrap_err().to_string();
        let (_, advised) = error.split_once("do not fly to letters; use a preset of other boids, such as ").unwrap();
        let mut flock = Flock::new(&setup(advised)).unwrap();
        flock.apply(&call(&line(flock.world(), 5))).unwrap();
    }
    let mut flock = Flock::new(&setup("starlings")).unwrap();
    let invalid = |at| call(&[Perch { at, number: None }]);
    assert!(flock.apply(&invalid([f32::NAN, 0.0, 0.0])).is_err());
    assert!(flock.apply(&call(&[])).is_err() && flock.perches().is_none());
}
