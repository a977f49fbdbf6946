//! How a flock looks in a terminal, computed from the cells of a picture. A braille dot covers 7 to 20 % of its place: with `DejaVu`
//! Sans Mono, 7 % in foot at 9 points, 15 to 25 % in kitty and xterm at 11. `.ci/looks` measures the same in these terminals.

use std::num::NonZeroU16;

use palette::{IntoColor, LinSrgb, Mix, Oklab, Srgb};

use crate::program::says;

const SIZE: (u16, u16) = (120, 40);
/// The share of its place that a dot covers.
const DOTS: [f32; 2] = [0.07, 0.2];
/// The blur of the eye across cells, as wide as nine pixels at 9 points.
const BLUR: [f32; 3] = [0.15, 0.7, 0.15];

#[derive(Clone, Copy)]
struct Cell {
    dots: u8,
    fg: LinSrgb,
    bg: LinSrgb,
}

fn lab(color: LinSrgb) -> Oklab {
    color.into_color()
}

/// The cells of a picture, row by row.
fn shot(scene: &str) -> Vec<Cell> {
    let size = format!("{}x{}", SIZE.0, SIZE.1);
    let args = ["shot", "-o", "-", "-s", "7", "--color", "truecolor", "--size", &size].into_iter();
    let text = says(&args.chain(scene.split_whitespace()).collect::<Vec<_>>());
    let [rows, columns] = [SIZE.1, SIZE.0].map(|side| NonZeroU16::new(side).unwrap());
    let mut parser = vt100::Parser::new(rows, columns, 0);
    parser.process(text.trim_end().replace('\n', "\r\n").as_bytes());
    let color = |color| match color {
        vt100::Color::Rgb(r, g, b) => Srgb::new(r, g, b).into_linear(),
        _ => LinSrgb::new(0.0, 0.0, 0.0),
    };
    let places = (0..SIZE.1).flat_map(|row| (0..SIZE.0).map(move |column| (row, column)));
    let cells = places.map(|(row, column)| {
        let cell = parser.screen().cell(row, column).unwrap();
        let char = cell.contents().chars().next().unwrap_or(' ') as u32;
        let dots = if (0x2800..0x2900).contains(&char) { (char - 0x2800) as u8 } else { 0 };
        Cell { dots, fg: color(cell.fgcolor()), bg: color(cell.bgcolor()) }
    });
    cells.collect()
}

/// The lightness of each cell once the eye has merged the dots, which cover a share of their places.
fn seen(cells: &[Cell], dot: f32) -> Vec<f32> {
    let columns = usize::from(SIZE.0);
    let merged: Vec<LinSrgb> =
        cells.iter().map(|cell| cell.bg.mix(cell.fg, dot * cell.dots.count_ones() as f32 / 8.0)).collect();
    let blurred = (0..cells.len()).map(|at| {
        let row = at / columns * columns;
        let near = [at.max(row + 1) - 1, at, (at + 1).min(row + columns - 1)];
        near.iter().zip(BLUR).fold(LinSrgb::new(0.0, 0.0, 0.0), |sum, (at, share)| sum + merged[*at] * share)
    });
    blurred.map(|color| lab(color).l).collect()
}

fn percentile(values: &mut [f32], percent: usize) -> f32 {
    values.sort_by(f32::total_cmp);
    values[(values.len() - 1) * percent / 100]
}

#[test]
fn predators_keep_off_the_text_of_a_picture() {
    for text in ["--say hello", "--clock=12:34"] {
        let dots = |predators: &str, ticks: u32| -> Vec<u8> {
            shot(&format!("-p herring {text} --predators {predators} --ticks {ticks}"))
                .iter()
                .map(|cell| cell.dots)
                .collect()
        };
        // The dots that are set at all these times without predators.
        let all = [450, 600, 750, 900, 1050].map(|ticks| dots("0", ticks)).into_iter();
        let written = all.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a & b).collect()).unwrap();
        let count = |dots: &[u8]| dots.iter().map(|dots| dots.count_ones()).sum::<u32>();
        for ticks in [600, 750, 900] {
            let set: Vec<u8> = dots("3", ticks).into_iter().zip(&written).map(|(dots, text)| dots & text).collect();
            assert!(
                10 * count(&set) >= 9 * count(&written),
                "{text}, tick {ticks}: {} of {}",
                count(&set),
                count(&written)
            );
        }
    }
}

#[test]
fn the_mass_of_a_flock_stands_out_from_the_sky() {
    for (scene, ticks, core, middle) in
        [("", 600, 0.45, 0.22), ("-p herring", 300, 0.45, 0.22), ("-p starlings", 300, 0.38, 0.16)]
    {
        let flock = shot(&format!("{scene} --predators 0 --ticks {ticks}"));
        let sky = shot(&format!("{scene} --predators 0 --ticks 1 -n 1"));
        for dot in DOTS {
            let difference = seen(&flock, dot).into_iter().zip(seen(&sky, dot)).map(|(one, other)| (one - other).abs());
            let mut difference: Vec<f32> = difference.filter(|difference| *difference > 0.04).collect();
            let found = [98, 50].map(|percent| percentile(&mut difference, percent));
            assert!(found[0] >= core && found[1] >= middle, "{scene} {dot}: {found:?}");
        }
        let columns = usize::from(SIZE.0);
        let light: Vec<f32> = flock.iter().map(|cell| lab(cell.bg).l).collect();
        // The edges of silhouettes are steep.
        let is_inside = |at: usize| (light[at] - lab(sky[at].bg).l).abs() > 0.1;
        let steps = |apart: usize, most: f32| {
            let pairs = (apart..light.len()).filter(|at| *at % columns > 0 && is_inside(*at) && is_inside(at - apart));
            let (small, large): (Vec<_>, Vec<_>) = pairs.partition(|at| (light[*at] - light[at - apart]).abs() <= most);
            small.len() as f32 / (small.len() + large.len()) as f32
        };
        let (row, column) = (steps(1, 0.05), steps(columns, 0.09));
        assert!(row >= 0.95 && column >= 0.9, "{scene}: {row} of the pairs in a row, {column} in a column");
        for (cell, sky) in flock.iter().zip(&sky) {
            let sky = lab(sky.bg).l;
            if cell.dots > 0 && !(0.37..=0.63).contains(&sky) {
                let contrast = (lab(cell.fg).l - lab(cell.bg).l).abs();
                assert!(contrast >= 0.18, "{scene}: {contrast} between a dot and its cell");
            }
        }
    }
}

#[test]
fn boids_of_a_sparse_flock_are_visible() {
    for scene in ["-n 200", "-p geese", "-p sparrows"] {
        let flock = shot(&format!("{scene} --predators 0 --ticks 200"));
        let sky = shot(&format!("{} --predators 0 -n 1 --ticks 1", scene.replace("-n 200", "")));
        let (shown, behind) = (seen(&flock, DOTS[0]), seen(&sky, DOTS[0]));
        let columns = usize::from(SIZE.0);
        let drawn = (0..flock.len()).filter(|at| flock[*at].dots > 0);
        // Trails are paler.
        let boids: Vec<usize> = drawn.filter(|at| !(0.15..0.9).contains(&lab(flock[*at].fg).l)).collect();
        // Neither light nor dark differs enough from the last light of an evening.
        let clear = boids.iter().filter(|at| !(0.37..=0.72).contains(&behind[**at]));
        let faint = clear.filter(|&&at| {
            // A body reaches into the cells around that of its head.
            let rows = [at.saturating_sub(columns), at, (at + columns).min(flock.len() - 1)];
            let mut around = rows.into_iter().flat_map(|row| row.saturating_sub(1)..(row + 2).min(flock.len()));
            around.all(|near| (shown[near] - behind[near]).abs() < 0.1)
        });
        let faint = faint.count();
        // At most a few tips of wings.
        assert!(boids.len() > 50 && faint * 100 <= boids.len(), "{scene}: {faint} of {} cells", boids.len());
    }
}

#[test]
fn a_predator_is_alone_in_a_gap_of_the_light() {
    let flock = shot("--ticks 420");
    let sky = shot("--ticks 1 -n 1 --predators 0");
    let [slow, fast] =
        [Srgb::new(0x2f_u8, 0xd3, 0xff), Srgb::new(0x62, 0xe2, 0xff)].map(|color| lab(color.into_linear()));
    let columns = usize::from(SIZE.0);
    let is_predator =
        |at: usize| flock[at].dots > 0 && [slow, fast].iter().any(|color| distance(lab(flock[at].fg), *color) < 0.06);
    let found: Vec<usize> = (0..flock.len()).filter(|at| is_predator(*at)).collect();
    assert!(found.len() > 4, "{} cells", found.len());
    for at in found {
        assert!(distance(lab(flock[at].fg), lab(sky[at].bg)) >= 0.25);
        for near in [at - columns, at - 1, at, at + 1, at + columns] {
            assert_eq!(flock[near].bg, sky[near].bg, "light beside a predator");
            assert!(is_predator(near) || flock[near].dots == 0, "a boid beside a predator");
        }
    }
}

fn distance(one: Oklab, other: Oklab) -> f32 {
    ((one.l - other.l).powi(2) + (one.a - other.a).powi(2) + (one.b - other.b).powi(2)).sqrt()
}
