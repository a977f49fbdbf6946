//! The density around each cell, smoothed over time, and what shows it: the glow, and the heat map with two samples per cell, one
//! above the other.

use glam::Vec2;

use crate::canvas::camera::Camera;
use crate::canvas::picture::{
    DOTS_HIGH, DOTS_WIDE, Glow, HYSTERESIS, Picture, coarse_density, follow_step, heading_byte, unit_byte,
};
use crate::canvas::projection::{BoxCounts, count_boxes};
use crate::canvas::raster::{CellSums, SPECIES};
use crate::canvas::smoothing::{BlurBuffers, Exposure, PEAK, Scroll, SmoothedField, Smoothing, new_weight, shift};
use flockscope_sim::{Snapshot, VectorLoop, run_vectorized};

/// Time constant of the smoothing, in ticks.
const WINDOW: f32 = 9.0;
/// The same where the density falls: a glow that lingers is a ghost beside the flock.
const FALL_WINDOW: f32 = 2.5;
/// The percentile of occupied cells that counts as full density.
const FULL_PERCENT: usize = 95;
/// The fewest dots per cell that count as full density: sparse flocks would be spots of light.
const LEAST_FULL: f32 = 0.7;
/// The share of full density below which nothing glows.
const THRESHOLD: f32 = 0.1;
/// From this many cells per boid on, a flock is sparse: each boid has a light of its own.
const SPARSE: usize = 8;
/// The density at a boid far from others in a sparse flock, as a share of full density.
const ALONE: f32 = 0.5;
/// A density d of a sparse flock counts as d / (a + b d), so that single boids are visible and crowds have a form.
const SOFTENED: (f32, f32) = (0.6, 1.33);
/// Steps of a glow's heading and speed, as bytes.
const HEADING_STEP: u8 = 16;
const SPEED_STEP: u8 = 32;
/// How many times more frequent another species must be before the glow changes to it.
const SPECIES_RATIO: f32 = 1.25;
/// The share of light that the farthest boids lose.
const HAZE: f32 = 0.7;
/// Ticks between two changes of the light, which is slow, and costs many bytes.
const INTERVAL: f32 = 3.0;

/// Smoothed sums per cell, and the glow computed from them.
#[derive(Debug, Default)]
pub(crate) struct GlowLayer {
    count: SmoothedField,
    heading: [SmoothedField; 2],
    speed: SmoothedField,
    /// Empty in two dimensions.
    depth: SmoothedField,
    /// Counts per species; empty if there is only one.
    species: [SmoothedField; SPECIES],
    buffers: BlurBuffers,
    exposure: Exposure,
    /// The factor that scales full density to 1.
    scale: f32,
    /// The factor that scales the density with the strongest light to 1.
    light_scale: f32,
    is_sparse: bool,
    levels: Vec<f32>,
    glow: Vec<Glow>,
    /// Ticks since the last change.
    ticks: f32,
    scroll: Scroll,
    /// Whether cells at an edge are unknown since the last picture.
    is_scrolled: bool,
}

impl GlowLayer {
    /// Updates the densities, with so many `boids` in view and `elapsed` ticks after the last picture, and draws the glow if
    /// the picture has one.
    pub(crate) fn draw(
        &mut self,
        sums: &CellSums,
        flock: Snapshot<'_>,
        boids: usize,
        elapsed: f32,
        picture: &mut Picture,
    ) {
        let len = picture.cells.all().len();
        self.ticks += elapsed;
        self.is_sparse = boids * SPARSE <= len;
        // The light of a single boid would stay behind it.
        let is_due =
            self.is_sparse || self.glow.len() != len || self.ticks >= INTERVAL || std::mem::take(&mut self.is_scrolled);
        if picture.layers.glow && !is_due {
            return picture.glow.clone_from(&self.glow);
        }
        self.update_densities(sums, boids, picture.columns, len);
        if picture.layers.glow {
            self.glow.resize(len, Glow::default());
            self.smooth(sums, flock, picture.columns, len);
            self.update_motion(flock);
            self.update_species();
            self.update_levels();
            picture.glow.clone_from(&self.glow);
        }
        self.ticks = 0.0;
    }

    /// Smooths the counts, and finds what counts as full density.
    fn update_densities(&mut self, sums: &CellSums, boids: usize, columns: usize, len: usize) {
        let (weight, fall) = if self.is_sparse {
            (1.0, 1.0)
        } else {
            (new_weight(self.ticks, WINDOW), new_weight(self.ticks, FALL_WINDOW))
        };
        let smoothing = Smoothing { columns, wide: !self.is_sparse, weight, fall };
        let (cells, buffers) = (&sums.cells[..len], &mut self.buffers);
        self.count.update(cells.iter().map(|sum| sum.count), &smoothing, buffers);
        let occupied = self.count.values.iter().zip(cells).filter(|(_, sum)| sum.count > 0.0);
        self.scale = self.exposure.update(occupied.map(|(density, _)| *density), FULL_PERCENT, self.ticks);
        self.light_scale = if self.is_sparse {
            let mean = cells.iter().map(|sum| sum.count).sum::<f32>() / boids.max(1) as f32;
            ALONE / (PEAK * mean.max(f32::MIN_POSITIVE))
        } else {
            self.scale.min(1.0 / LEAST_FULL)
        };
    }

    /// Smooths headings, speeds, depths and species.
    fn smooth(&mut self, sums: &CellSums, flock: Snapshot<'_>, columns: usize, len: usize) {
        let weight = new_weight(self.ticks, WINDOW);
        let smoothing = Smoothing { columns, wide: !self.is_sparse, weight, fall: weight };
        let (cells, buffers) = (&sums.cells[..len], &mut self.buffers);
        self.heading[0].update(cells.iter().map(|sum| sum.heading[0]), &smoothing, buffers);
        self.heading[1].update(cells.iter().map(|sum| sum.heading[1]), &smoothing, buffers);
        self.speed.update(cells.iter().map(|sum| sum.speed), &smoothing, buffers);
        if sums.depths.is_empty() {
            self.depth = SmoothedField::default();
        } else {
            self.depth.update(sums.depths[..len].iter().copied(), &smoothing, buffers);
        }
        let species = if sums.species.is_empty() { 0 } else { flock.species() };
        self.species[species..].fill_with(SmoothedField::default);
        for (number, field) in self.species[..species].iter_mut().enumerate() {
            field.update(sums.species[..len].iter().map(|counts| counts[number] as f32), &smoothing, buffers);
        }
    }

    /// Sets the density of each cell drawn.
    pub(crate) fn set_densities(&self, picture: &mut Picture) {
        let densities = &self.count.values;
        picture.cells.for_each_drawn(|at, cell| cell.density = coarse_density(unit_byte(densities[at] * self.scale)));
    }

    /// Scrolls by a number of dots, on a canvas of `columns` cells.
    pub(crate) fn scroll(&mut self, dots: Vec2, columns: usize) {
        let by = self.scroll.steps(dots, Vec2::new(DOTS_WIDE as f32, DOTS_HIGH as f32));
        self.is_scrolled |= by != [0, 0];
        let Self { count, heading, speed, depth, species, .. } = self;
        let fields = [count, speed, depth].into_iter().chain(heading).chain(species);
        fields.for_each(|field| field.scroll(columns, by));
        shift(&mut self.glow, columns, by, Glow::default());
    }

    /// Updates the level of each glow.
    fn update_levels(&mut self) {
        self.levels.resize(self.glow.len(), 0.0);
        run_vectorized(FindLevels {
            levels: &mut self.levels,
            counts: &self.count.values,
            depths: &self.depth.values,
            scale: self.light_scale,
            softened: if self.is_sparse { SOFTENED } else { (1.0, 0.0) },
        });
        for (glow, level) in self.glow.iter_mut().zip(&self.levels) {
            follow_step(&mut glow.level, *level);
        }
    }

    /// Updates heading and speed of each glow.
    fn update_motion(&mut self, flock: Snapshot<'_>) {
        let limits = flock.params.speed;
        let speed_scale = 1.0 / (limits.max - limits.min).max(1e-6);
        let [x, y] = &self.heading;
        let motion = self.count.values.iter().zip(&self.speed.values).zip(x.values.iter().zip(&y.values));
        for (glow, ((count, speed), (x, y))) in self.glow.iter_mut().zip(motion) {
            if *count * self.light_scale < THRESHOLD {
                continue;
            }
            // In steps with hysteresis: a light that changes a little in each frame would cost bytes, and flicker.
            glow.heading = follow_on_ring(glow.heading, heading_byte(*x, *y), HEADING_STEP);
            let speed = unit_byte((speed / count - limits.min) * speed_scale);
            let step = follow_on_ring(glow.speed, speed, SPEED_STEP);
            // Unlike headings, speeds do not wrap from the last step to the first.
            glow.speed = if step == 0 && speed > 128 { u8::MAX - SPEED_STEP + 1 } else { step };
        }
    }

    /// Sets the species of each glow to the most frequent one, unless the current one is nearly as frequent.
    fn update_species(&mut self) {
        let species = self.species.iter().take_while(|field| !field.values.is_empty()).count();
        if species == 0 {
            return self.glow.iter_mut().for_each(|glow| glow.species = 0);
        }
        for (at, glow) in self.glow.iter_mut().enumerate() {
            let count = |species: u8| self.species[usize::from(species)].values.get(at).copied().unwrap_or(0.0);
            let most = (0..species as u8).fold(0, |most, other| if count(other) > count(most) { other } else { most });
            if usize::from(glow.species) >= species || count(most) > SPECIES_RATIO * count(glow.species) {
                glow.species = most;
            }
        }
    }
}

/// Finds the levels of all cells, not yet rounded.
struct FindLevels<'a> {
    levels: &'a mut [f32],
    counts: &'a [f32],
    /// Sums of depths, or empty.
    depths: &'a [f32],
    scale: f32,
    softened: (f32, f32),
}

impl VectorLoop for FindLevels<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "only inlined code is compiled for each SIMD kind")]
    fn run(self) {
        let Self { levels, counts, depths, scale, softened } = self;
        for (level, count) in levels.iter_mut().zip(counts) {
            let density = count * scale;
            let density = (density / (softened.0 + softened.1 * density)).min(1.0);
            let share = (density - THRESHOLD).max(0.0) / (1.0 - THRESHOLD);
            // Steeper at low densities: thin parts of a flock are visible too.
            *level = share * (1.35 - 0.35 * share) * f32::from(Glow::LEVELS);
        }
        for ((level, count), depth) in levels.iter_mut().zip(counts).zip(depths) {
            *level *= 1.0 - HAZE * depth / count.max(f32::MIN_POSITIVE);
        }
    }
}

/// The step nearest to a byte on a ring of 256, or `shown` if that is near enough.
fn follow_on_ring(shown: u8, byte: u8, step: u8) -> u8 {
    let distance = f32::from(byte.wrapping_sub(shown).cast_signed()).abs();
    if distance <= HYSTERESIS * f32::from(step) { shown } else { byte.wrapping_add(step / 2) / step * step }
}

/// Time constant of the smoothing, in ticks.
const HEAT_WINDOW: f32 = 5.0;
/// Levels of heat. More levels cost more bytes on the terminal.
const HEAT_STEPS: u16 = 28;
/// The percentile of occupied samples that is shown at full heat.
const HEAT_PERCENT: usize = 97;
/// Samples with a lower density do not count as occupied.
const OCCUPIED: f32 = 0.02;
/// The size of a sample in dots.
const SAMPLE: [usize; 2] = [DOTS_WIDE, DOTS_HIGH / 2];

/// The state that the heat map carries from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct HeatMap {
    counts: Vec<BoxCounts>,
    buffers: BlurBuffers,
    mean: SmoothedField,
    exposure: Exposure,
    shown: Vec<u8>,
    scroll: Scroll,
}

impl HeatMap {
    /// Fills in the heat of each cell, `elapsed` ticks after the last picture.
    pub(crate) fn draw(&mut self, flock: Snapshot<'_>, camera: &Camera, elapsed: f32, picture: &mut Picture) {
        let columns = picture.columns;
        let dots = [columns * DOTS_WIDE, picture.rows * DOTS_HIGH];
        let totals = count_boxes(flock, camera, dots, SAMPLE.map(usize::ilog2), &mut self.counts);
        let weight = new_weight(elapsed, HEAT_WINDOW);
        let smoothing = Smoothing { columns, wide: false, weight, fall: weight };
        self.mean.update(totals.map(|total| total as f32), &smoothing, &mut self.buffers);

        let means = &self.mean.values;
        let occupied = means.iter().copied().filter(|density| *density > OCCUPIED);
        let exposure = self.exposure.update(occupied, HEAT_PERCENT, elapsed);
        self.shown.resize(means.len(), 0);
        for (shown, mean) in self.shown.iter_mut().zip(means) {
            // Square root: densities span orders of magnitude.
            follow_step(shown, (mean * exposure).min(1.0).sqrt() * f32::from(HEAT_STEPS));
        }
        let byte = |step: u8| (u16::from(step) * 255 / HEAT_STEPS) as u8;
        for rows in self.shown.chunks_exact(2 * columns) {
            let (upper, lower) = rows.split_at(columns);
            picture.heat.extend(upper.iter().zip(lower).map(|(upper, lower)| [byte(*upper), byte(*lower)]));
        }
    }

    /// Scrolls by a number of dots, on a canvas of `columns` cells.
    pub(crate) fn scroll(&mut self, dots: Vec2, columns: usize) {
        let by = self.scroll.steps(dots, Vec2::from(SAMPLE.map(|side| side as f32)));
        self.mean.scroll(columns, by);
        shift(&mut self.shown, columns, by, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_on_a_ring_have_hysteresis() {
        let follow = |shown, byte| follow_on_ring(shown, byte, 8);
        assert_eq!([follow(8, 13), follow(8, 15), follow(0, 250), follow(0, 249)], [8, 16, 0, 248]);
        assert_eq!(follow(40, 254), 0);
    }
}
