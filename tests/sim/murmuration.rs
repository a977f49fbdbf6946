//! What the default flock promises: it keeps its form and changes it, its falcon passes now and then, and the picture shows both.

use flockscope::config::Preset;
use flockscope::picture::{Canvas, Picture};
use flockscope::sim::{Flock, Kind, Measure, Recorder, Scratch};

const SECOND: u64 = 60;

fn flock(seed: u64) -> (Flock, Scratch) {
    (Flock::new(&Preset::load("murmuration").unwrap().setup(seed, 1.5)).unwrap(), Scratch::new())
}

fn percentile(mut values: Vec<f64>, percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(values.len() - 1) * percent / 100]
}

/// The seconds between the starts of passes: moments with at least 20 boids within 15 u of the falcon, and less than 4 s apart.
fn intervals(near: &[u64]) -> Vec<f64> {
    let mut starts: Vec<u64> = Vec::new();
    let mut last = None;
    for tick in near {
        if last.is_none_or(|last| tick - last > 4 * SECOND) {
            starts.push(*tick);
        }
        last = Some(*tick);
    }
    starts.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / SECOND as f64).collect()
}

#[test]
fn the_flock_keeps_its_form_and_changes_it() {
    let (mut flock, mut scratch) = flock(3);
    let measures =
        ["polarization", "largest_flock", "axis_1", "axis_2", "axis_3"].map(|name| Measure::find(name).unwrap());
    let (mut recorder, mut rows, mut near) = (Recorder::new(&measures), Vec::new(), Vec::new());
    while flock.tick() < 9000 {
        flock.step(&mut scratch);
        if flock.tick() < 1800 || !flock.tick().is_multiple_of(20) {
            continue;
        }
        rows.push(recorder.record(&flock));
        let agents = flock.agents();
        let position = |index: usize| glam::Vec3::from_array(agents.position_array(index));
        let falcon = agents.kinds().iter().position(|kind| *kind == Kind::Predator).unwrap();
        let close = (0..agents.len()).filter(|index| position(*index).distance(position(falcon)) < 15.0).count();
        if close > 20 {
            near.push(flock.tick());
        }
    }
    let of = |value: fn(&[f64]) -> f64, percent| percentile(rows.iter().map(|row| value(row)).collect(), percent);
    let polarization = |percent| of(|row| row[0], percent);
    assert!(polarization(50) >= 0.6 && polarization(10) >= 0.4, "{} {}", polarization(50), polarization(10));
    assert!(of(|row| row[1], 50) >= 0.85, "{}", of(|row| row[1], 50));
    assert!(of(|row| row[2] / row[4], 50) >= 2.8, "flat: {}", of(|row| row[2] / row[4], 50));
    let length = |percent| of(|row| row[2] / row[3], percent);
    assert!(length(95) >= 2.5 && length(5) <= 1.35, "long and round in turn: {} {}", length(95), length(5));
    let interval = percentile(intervals(&near), 50);
    assert!((9.0..25.0).contains(&interval), "{interval} s between passes");
}

#[test]
fn the_first_minute_is_in_the_picture() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let (mut flock, mut scratch) = flock(2);
        let (mut canvas, mut picture, mut out) = (Canvas::new(columns, rows), Picture::default(), 0);
        while flock.tick() < 3600 {
            flock.step(&mut scratch);
            canvas.draw(&flock, &mut picture);
            let size = [(columns * 2) as f32, (rows * 4) as f32];
            let agents = flock.agents();
            let at = |index| canvas.camera().project(agents.position_array(index)).at;
            let is_inside = |index: &usize| (0..2).all(|axis| (0.0..size[axis]).contains(&at(*index)[axis]));
            let of = |kind| (0..agents.len()).filter(move |index| agents.kinds()[*index] == kind);
            out = if of(Kind::Predator).any(|index| is_inside(&index)) { 0 } else { out + 1 };
            assert!(out < 5 * SECOND, "no falcon at tick {}", flock.tick());
            if (30..=600).contains(&flock.tick()) && flock.tick().is_multiple_of(30) {
                let boids: Vec<usize> = of(Kind::Prey).collect();
                let inside = boids.iter().filter(|index| is_inside(index)).count();
                assert!(inside * 100 >= boids.len() * 97, "{inside} boids at tick {}", flock.tick());
                let across: Vec<f64> = boids.iter().map(|index| f64::from(at(*index).x / size[0])).collect();
                let width = percentile(across.clone(), 97) - percentile(across, 3);
                assert!(width < 0.67, "{width} of the width at tick {}", flock.tick());
            }
        }
    }
}
