//! Draws a flock bird by bird. A bird is a flat plate of wings with a body: it covers the more dots, and adds the more
//! light, the nearer it is and the more of its wings it shows.

use glam::{Vec2, Vec3};

use super::bird_poses::{Banks, Bird, OUTLINE, visit_birds};
use super::bodies::{Agent, agent, is_on_perch, motion_bytes};
use crate::canvas::camera::Camera;
use crate::canvas::picture::{
    Cell, Content, DOTS_HIGH, DOTS_WIDE, Picture, coarse_heading, coarse_level, heading_byte, unit_byte,
};
use crate::canvas::projection::{BoxCounts, count_boxes, unit_or_zero};
use crate::canvas::raster::{CellSum, CellSums, SPECIES};
use crate::canvas::refill;
use crate::canvas::smoothing::new_weight;
use flockscope_sim::Snapshot;

/// Wing span in dots where each boid has one dot: in two dimensions of the canvas, in three of the space around boids. It
/// grows with the square root of the dots per boid, so that a flock looks as dense on every canvas.
const SPAN: (f32, f32) = (0.6, 2.1);
/// Time constant of the wing span, in ticks.
const SPAN_WINDOW: f32 = 90.0;
/// The density is counted in boxes of 2 to this power dots.
const BOX: u32 = 3;
/// The shortest and the longest wing span, in dots.
const SPANS: (f32, f32) = (1.0, 16.0);
/// The share of its light that the farthest bird loses.
const HAZE: f32 = 0.5;
/// Spreads the thresholds of consecutive ids evenly: the golden ratio.
const PHASE: f32 = 0.618_034;

/// Draws birds, and keeps the storage for their sums per cell.
#[derive(Debug, Default)]
pub(crate) struct BirdLayer {
    sums: CellSums,
    /// The depth of the nearest bird in each cell.
    depths: Vec<f32>,
    counts: Vec<BoxCounts>,
    /// The wing span in the middle of the view, in dots.
    span: Option<f32>,
    banks: Banks,
}

impl BirdLayer {
    /// Draws the birds, `elapsed` ticks after the last picture, if `boids` of them are in view. Returns their sums per
    /// cell, weighted by the area that they cover.
    pub(crate) fn draw(
        &mut self,
        flock: Snapshot<'_>,
        camera: &Camera,
        boids: usize,
        elapsed: f32,
        picture: &mut Picture,
    ) -> &CellSums {
        let len = picture.cells.all().len();
        let span = self.update_span(flock, camera, boids, elapsed, picture);
        refill(&mut self.sums.cells, len, CellSum::default());
        refill(&mut self.sums.species, if flock.species() > 1 { len } else { 0 }, [0; SPECIES]);
        refill(&mut self.depths, len, f32::INFINITY);
        let mut banks = std::mem::take(&mut self.banks);
        visit_birds(flock, camera, &mut banks, span, elapsed, |index, bird| {
            if picture.contains(bird.at, SPANS.1) {
                self.add(bird, &agent(flock, index), flock, camera, picture);
            }
        });
        self.banks = banks;
        let limits = flock.params.speed;
        let speed_scale = 1.0 / (limits.max - limits.min).max(1e-6);
        picture.cells.for_each_drawn(|at, cell| {
            let sum = &self.sums.cells[at];
            if sum.count > 0.0 {
                cell.heading = coarse_heading(heading_byte(sum.heading[0], sum.heading[1]));
                cell.speed = coarse_level(unit_byte((sum.speed / sum.count - limits.min) * speed_scale));
            }
        });
        &self.sums
    }

    fn update_span(
        &mut self,
        flock: Snapshot<'_>,
        camera: &Camera,
        boids: usize,
        elapsed: f32,
        picture: &Picture,
    ) -> f32 {
        let dots = [picture.columns * DOTS_WIDE, picture.rows * DOTS_HIGH];
        let per_boid = (dots[0] * dots[1]) as f32 / boids.max(1) as f32;
        let wanted = if camera.is_perspective() {
            // The mean number of others in the box of a boid.
            let whole_boxes = dots.map(|dots| dots.next_multiple_of(1 << BOX));
            let counts = count_boxes(flock, camera, whole_boxes, [BOX; 2], &mut self.counts);
            let (boids, pairs) =
                counts.fold((0, 0), |(boids, pairs), count| (boids + count, pairs + count * count - count));
            let around = (1 << (2 * BOX)) as f32 * boids as f32 / pairs.max(1) as f32;
            SPAN.1 * around.min(per_boid).sqrt()
        } else {
            SPAN.0 * per_boid.sqrt()
        };
        let wanted = wanted.clamp(SPANS.0, SPANS.1);
        let span = self.span.map_or(wanted, |span| span + new_weight(elapsed, SPAN_WINDOW) * (wanted - span));
        *self.span.insert(span)
    }

    fn add(&mut self, bird: &Bird, agent: &Agent, flock: Snapshot<'_>, camera: &Camera, picture: &mut Picture) {
        let species = flock.species_of(agent.id);
        if let Some((index, _)) = picture.locate(bird.at) {
            let sum = &mut self.sums.cells[index];
            let heading = unit_or_zero(bird.body);
            let weight = bird.area * (1.0 - HAZE * bird.depth);
            sum.heading[0] += heading.x * weight;
            sum.heading[1] += heading.y * weight;
            sum.speed += Vec3::from_array(agent.velocity).length() * weight;
            sum.count += weight;
            if let Some(counts) = self.sums.species.get_mut(index) {
                counts[usize::from(species)] += 1;
            }
        }
        if is_on_perch(flock, agent) {
            return;
        }
        let threshold = ((agent.id % 4096) as f32 * PHASE).fract();
        let mut motion = None;
        bird.plot(threshold, |dot| {
            let Some((index, bit)) = picture.locate(dot) else { return };
            let cell = picture.cells.draw(index);
            cell.dots |= bit;
            cell.alarm = cell.alarm.max(Cell::alarm_level(agent.alarm));
            // A cell without heads takes its values from the nearest bird that reaches into it.
            if bird.depth < self.depths[index] {
                self.depths[index] = bird.depth;
                cell.content = Content::Prey;
                (cell.heading, cell.speed) = *motion.get_or_insert_with(|| motion_bytes(flock, camera, agent));
                cell.species = species;
            }
        });
        if let Some((index, _)) = picture.locate(bird.at) {
            let cell = picture.cells.draw(index);
            cell.count = cell.count.saturating_add(u16::from(cell.dots > 0));
        }
    }
}

impl Bird {
    /// Calls `plot` with each dot. A bird smaller than its next dot has that dot if its share is above a `threshold`.
    fn plot(&self, threshold: f32, mut plot: impl FnMut(Vec2)) {
        let Self { at, wing, body, lift, area, .. } = *self;
        if area < OUTLINE {
            let ahead = unit_or_zero(body);
            let side = unit_or_zero(if wing == Vec2::ZERO { ahead.perp() } else { wing });
            let dots = [Vec2::ZERO, -ahead, side - ahead * 0.6, -side - ahead * 0.6, ahead, side * 1.6 - ahead];
            return dots.iter().take((area + threshold) as usize).for_each(|dot| plot(at + *dot));
        }
        let steps = (body.abs().max_element() * 2.0).ceil().max(1.0) as usize;
        (0..=steps).for_each(|step| plot(at + body * (1.0 - 2.0 * step as f32 / steps as f32)));
        let steps = wing.abs().max_element().ceil().max(1.0) as usize;
        for step in 1..=steps {
            let out = step as f32 / steps as f32;
            let back = lift * out - body * (0.7 * out * out);
            for side in [wing, -wing] {
                plot(at + body * 0.25 + side * out + back);
                // Wings are broad at the shoulder and end in a point.
                if out < 0.6 {
                    plot(at - body * 0.15 + side * out + back);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bird_poses::tests::bird;
    use super::*;
    use crate::canvas::Layers;
    use flockscope_sim::{Edge, Flock, Kind, Params, Row, Setup, Start, World};

    /// Birds at these positions that fly along the x axis, in a world of 200 u.
    fn flock(positions: impl IntoIterator<Item = [f32; 3]>) -> Flock {
        let mut params = Params::default();
        params.edge.mode = Edge::Open;
        let setup = Setup {
            params,
            world: World::Sphere(100.0),
            start: Start::Scatter,
            boids: 1,
            predators: 0,
            seed: 1,
            zones: Vec::new(),
        };
        let row =
            |(position, id)| Row { id, kind: Kind::Prey, position, velocity: [1.0, 0.0, 0.0], mood: 0.0, bank: 0.0 };
        let rows: Vec<Row> = positions.into_iter().zip(0..).map(row).collect();
        Flock::from_rows(&setup, 0, &rows).unwrap()
    }

    fn count(bird: &Bird, threshold: f32) -> usize {
        let mut dots = Vec::new();
        bird.plot(threshold, |dot: Vec2| dots.push((dot.x.floor() as i32, dot.y.floor() as i32)));
        dots.sort_unstable();
        dots.dedup();
        dots.len()
    }

    #[test]
    fn a_bird_that_banks_shows_more_of_its_wings_and_a_near_one_is_larger() {
        let camera = Camera::new(&flock([[0.0; 3]]), 120, 40);
        let bird = |bank, z| bird(bank, z, &camera, 4.0);
        let (level, banked) = (bird(0.0, 0.0), bird(1.0, 0.0));
        assert!(banked.shown > 1.5 * level.shown && banked.area > 1.3 * level.area, "{} {}", level.area, banked.area);
        assert!(bird(1.0, -80.0).area > banked.area && banked.area > bird(1.0, 80.0).area);
    }

    #[test]
    fn the_mean_number_of_dots_is_the_area_that_a_bird_covers() {
        let camera = Camera::new(&flock([[0.0; 3]]), 120, 40);
        for span in [1.0, 1.5, 2.0, 3.0, 4.0] {
            let bird = bird(1.0, 0.0, &camera, span);
            let total: usize = (0..100).map(|id| count(&bird, (id as f32 * PHASE).fract())).sum();
            let mean = total as f32 / 100.0;
            assert!((mean - bird.area).abs() < 0.1 + 0.15 * bird.area, "{span}: {mean} {}", bird.area);
        }
        let mut last = 0;
        for span in [4.0, 6.0, 9.0, 14.0] {
            let dots = count(&bird(1.0, 0.0, &camera, span), 0.5);
            assert!(dots > last, "{span}: {dots}");
            last = dots;
        }
    }

    #[test]
    fn crowded_birds_are_smaller() {
        let span = |spacing: f32| {
            let positions = (0..900).map(|at| [(at % 30) as f32 * spacing, 0.0, (at / 30) as f32 * spacing]);
            let flock = flock(positions);
            let (mut layer, mut picture) = (BirdLayer::default(), Picture::default());
            picture.clear(120, 40, Layers::default());
            layer.draw((&flock).into(), &Camera::new(&flock, 120, 40), 900, 0.0, &mut picture);
            layer.span.unwrap()
        };
        assert!(span(0.5) < span(2.5));
    }
}
