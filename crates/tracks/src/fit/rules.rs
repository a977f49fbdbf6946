//! The rules that a fit tries, and their sums in each frame of a recording.

use std::collections::HashMap;

use rayon::prelude::*;
use strum::{IntoStaticStr, VariantArray};

use super::motion::{Frame, Motion};
use super::regression::{BLOCKS, Block, Column, Sample};
use super::vectors::{Arena, length};
use flockscope_sim::{
    AlignmentResponse, Cohesion, Edge, Falloff, Flee, Flock, Param, Params, Response, Row, Scratch, Separation, Setup,
    Value, World,
};

/// A steering rule.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Rule {
    /// Away from neighbors.
    Separation,
    /// To the velocity of neighbors.
    Alignment,
    /// Toward neighbors.
    Cohesion,
    /// Away from predators.
    Flee,
    /// Back to a speed.
    Cruise,
    /// Away from the border.
    Edge,
    /// A constant.
    Wind,
}

impl Rule {
    /// All rules, in the order of the table.
    pub const ALL: &'static [Self] = Self::VARIANTS;
    /// The rules between neighbors.
    pub const SOCIAL: [Self; 3] = [Self::Separation, Self::Alignment, Self::Cohesion];

    /// The prefix of its parameters.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The name of its form in these parameters.
    pub fn form(self, params: &Params) -> &'static str {
        match self {
            Self::Separation => params.separation.falloff.name(),
            Self::Flee => params.flee.falloff.name(),
            Self::Alignment => params.alignment.response.name(),
            Self::Cohesion => params.cohesion.response.name(),
            Self::Edge => params.edge.mode.name(),
            Self::Cruise | Self::Wind => "",
        }
    }

    /// Whether neighbors cause it.
    pub fn is_interaction(self) -> bool {
        Self::SOCIAL.contains(&self)
    }

    /// The key of its radius, or of the margin of the edge.
    pub(super) fn radius_key(self) -> Option<&'static str> {
        match self {
            Self::Separation => Some("separation.radius"),
            Self::Alignment => Some("alignment.radius"),
            Self::Cohesion => Some("cohesion.radius"),
            Self::Flee => Some("flee.radius"),
            Self::Edge => Some("edge.margin"),
            Self::Cruise | Self::Wind => None,
        }
    }

    /// The keys of its weights. The two weights of a cruise are not parameters themselves.
    pub(super) fn weight_keys(self, dim: usize) -> &'static [&'static str] {
        match self {
            Self::Separation => &["separation.weight"],
            Self::Alignment => &["alignment.weight"],
            Self::Cohesion => &["cohesion.weight"],
            Self::Flee => &["flee.weight"],
            Self::Cruise => &[],
            Self::Edge => &["edge.strength"],
            Self::Wind => &["wind.x", "wind.y", "wind.z"][..dim],
        }
    }

    /// The number of its weights.
    pub(super) fn weights(self, dim: usize) -> usize {
        match self {
            Self::Cruise => 2,
            Self::Wind => dim,
            _ => 1,
        }
    }

    /// Whether its weights may be negative.
    pub(super) fn is_signed(self) -> bool {
        matches!(self, Self::Cruise | Self::Wind)
    }

    /// Its forms: those that recordings of animals can tell apart.
    pub(super) fn forms(self, params: &Params) -> Vec<Params> {
        const FALLOFFS: [Falloff; 3] = [Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare];
        let mut params = *params;
        params.separation.response = Response::Sum;
        params.alignment.response = AlignmentResponse::Difference;
        params.edge.mode = Edge::Turn;
        match self {
            Self::Separation => FALLOFFS
                .map(|falloff| Params { separation: Separation { falloff, ..params.separation }, ..params })
                .into(),
            Self::Flee => FALLOFFS.map(|falloff| Params { flee: Flee { falloff, ..params.flee }, ..params }).into(),
            Self::Cohesion => [Response::Mean, Response::Sum, Response::Unit]
                .map(|response| Params { cohesion: Cohesion { response, ..params.cohesion }, ..params })
                .into(),
            Self::Alignment | Self::Cruise | Self::Edge | Self::Wind => vec![params],
        }
    }
}

/// A number of a parameter.
pub(super) fn number(params: &Params, key: &str) -> f64 {
    match Param::find(key).map(|param| param.get(params)) {
        Some(Value::Number(number)) => f64::from(number),
        _ => 0.0,
    }
}

/// Sets a number of a parameter.
pub(super) fn set_number(params: &mut Params, key: &str, number: f64) {
    if let Some(param) = Param::find(key) {
        param.assign(params, Value::Number(number as f32));
    }
}

/// Computes the sums of all rows of a frame.
type FrameSums<'a> = dyn Fn(&mut Scratch, &Frame<'_>) -> Vec<[f32; 3]> + Sync + 'a;

/// Frames of a recording whose sums are computed.
pub(super) struct Frames<'a> {
    world: World,
    wraps: bool,
    arena: Arena,
    /// The mean speed.
    pub(super) speed: f64,
    blocks: Vec<FrameBlock<'a>>,
    kernel: Vec<f64>,
}

/// Frames of a block of time.
struct FrameBlock<'a> {
    frames: Vec<Frame<'a>>,
    /// The rows over which each sample averages.
    averaged: Vec<u32>,
}

impl<'a> Frames<'a> {
    /// Frames of blocks of time with about this many samples in all.
    pub(super) fn choose(
        motion: &'a Motion,
        (setup, arena): (&Setup, Arena),
        samples: usize,
        are_successive: bool,
    ) -> (Self, Vec<Block>) {
        let (frames, reach) = (motion.frames(), motion.kernel.len() / 2);
        let per_frame = motion.change_count().div_ceil(frames.max(1)).max(1);
        let wanted = samples.div_ceil(per_frame * BLOCKS).max(1);
        let (mut chosen, mut all) = (Vec::new(), Vec::new());
        for block in 0..BLOCKS {
            let (from, to) = (frames * block / BLOCKS, frames * (block + 1) / BLOCKS);
            let chosen_frames: Vec<usize> = if are_successive {
                let skipped = (to - from).saturating_sub(wanted + 2 * reach) / 2;
                (from + skipped..to.min(from + skipped + wanted + 2 * reach)).collect()
            } else {
                // Frames far apart say more than successive ones.
                let count = wanted.min(to - from);
                (0..count).map(|k| from + (to - from) * k / count).collect()
            };
            let (samples, averaged) = samples_of(motion, &chosen_frames);
            if !samples.is_empty() {
                let frames = chosen_frames.into_iter().map(|frame| motion.frame(frame)).collect();
                chosen.push(FrameBlock { frames, averaged });
                all.push(Block { dim: motion.dim, samples });
            }
        }
        let wraps = setup.params.edge.mode == Edge::Wrap;
        let kernel = motion.kernel.clone();
        (Self { world: setup.world, wraps, arena, speed: motion.speed, blocks: chosen, kernel }, all)
    }

    /// The sums of a rule, with the radius, the form and the perception of these parameters.
    pub(super) fn columns(&self, rule: Rule, params: &Params) -> Vec<Column> {
        let of_frames = |of_frame: &FrameSums<'_>| -> Column {
            let of_block = |block: &FrameBlock<'_>| {
                let sums = block.frames.par_iter().map_init(Scratch::new, |scratch, frame| of_frame(scratch, frame));
                let sums = sums.collect::<Vec<_>>().concat();
                block.averaged.chunks(self.kernel.len()).map(|rows| self.average(&sums, rows)).collect()
            };
            self.blocks.iter().map(of_block).collect()
        };
        match rule {
            Rule::Edge => {
                let (margin, dim) = (f64::from(params.edge.margin), self.world.dim());
                let sum = |row: &Row| inward(row.position, &self.arena, margin, dim);
                vec![of_frames(&|_, frame| frame.animals.iter().map(sum).collect())]
            }
            Rule::Cruise => [0, 1]
                .map(|k| {
                    let sum = |row: &Row| cruise(row.velocity, self.speed)[k];
                    of_frames(&|_, frame| frame.animals.iter().map(sum).collect())
                })
                .into(),
            Rule::Wind => {
                let axis = |axis| {
                    of_frames(&|_, frame| vec![[0, 1, 2].map(|k| f32::from(u8::from(k == axis))); frame.animals.len()])
                };
                (0..self.world.dim()).map(axis).collect()
            }
            _ => {
                let setup = Setup::new(self.world).with_params(self.alone(rule, params));
                vec![of_frames(&|scratch, frame| steering(&setup, scratch, frame))]
            }
        }
    }

    fn average(&self, sums: &[[f32; 3]], rows: &[u32]) -> [f32; 3] {
        if let [row] = rows {
            return sums[*row as usize];
        }
        let terms = rows.iter().zip(&self.kernel);
        let axis = |axis: usize| terms.clone().map(|(row, weight)| *weight as f32 * sums[*row as usize][axis]).sum();
        [axis(0), axis(1), axis(2)]
    }

    /// Parameters with a single rule, of weight 1, and no limits.
    fn alone(&self, rule: Rule, params: &Params) -> Params {
        let mut alone = Params::default();
        alone.edge.mode = if self.wraps { Edge::Wrap } else { Edge::Open };
        alone.speed.min = 0.0;
        (alone.separation, alone.alignment, alone.cohesion, alone.flee) =
            (params.separation, params.alignment, params.cohesion, params.flee);
        for other in [Rule::Separation, Rule::Alignment, Rule::Cohesion, Rule::Flee] {
            let weight = if other == rule { 1.0 } else { 0.0 };
            other.weight_keys(0).iter().for_each(|key| set_number(&mut alone, key, weight));
            if other != rule {
                other.radius_key().into_iter().for_each(|key| set_number(&mut alone, key, 0.0));
            }
        }
        alone
    }
}

/// The direction away from the border of an arena at a place in its margin.
pub(super) fn inward(position: [f32; 3], arena: &Arena, margin: f64, dim: usize) -> [f32; 3] {
    let mut push = [0.0; 3];
    for (axis, push) in push.iter_mut().enumerate().take(dim) {
        let ([low, high], at) = (arena[axis], f64::from(position[axis]));
        *push = f32::from(u8::from(at < low + margin)) - f32::from(u8::from(at > high - margin));
    }
    push
}

/// The return to a speed, as the sums of its two weights: the difference to a mean speed, and a constant, both along the heading. With the
/// mean speed, the two sums are nearly independent.
pub(super) fn cruise(velocity: [f32; 3], mean_speed: f64) -> [[f32; 3]; 2] {
    let velocity = velocity.map(f64::from);
    let speed = length(velocity);
    if speed == 0.0 {
        return [[0.0; 3]; 2];
    }
    [mean_speed - speed, 1.0].map(|factor| velocity.map(|axis| (axis / speed * factor) as f32))
}

/// The speed to which animals return with these weights, when the mean speed is this one.
pub(super) fn cruise_speed(weights: &[f64], mean: f64) -> f64 {
    mean + weights[1] / weights[0]
}

/// The steering of all animals of a frame, in their order.
fn steering(setup: &Setup, scratch: &mut Scratch, frame: &Frame<'_>) -> Vec<[f32; 3]> {
    let rows: Vec<Row> = frame.animals.iter().chain(frame.predators).copied().collect();
    let Ok(flock) = Flock::from_rows(setup, 0, &rows) else { return vec![[0.0; 3]; frame.animals.len()] };
    let mut steering = flock.steering(scratch);
    steering.sort_unstable_by_key(|(id, _)| *id);
    steering.into_iter().map(|(_, steering)| steering).collect()
}

/// The samples of these frames, and the rows over which they average, counted from the first of them.
fn samples_of(motion: &Motion, frames: &[usize]) -> (Vec<Sample>, Vec<u32>) {
    let rows = || frames.iter().flat_map(|&frame| motion.starts[frame]..motion.starts[frame + 1]);
    let places: HashMap<usize, u32> = rows().zip(0..).collect();
    let (mut samples, mut averaged) = (Vec::new(), Vec::new());
    for row in rows() {
        let Some((change, rows)) = motion.changes[row].zip(motion.averaged(row)) else { continue };
        let Some(rows) = rows.into_iter().map(|row| places.get(&row).copied()).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let Row { id, velocity, .. } = motion.rows[row];
        samples.push(Sample { row: row as u32, id, velocity: velocity.map(f64::from), change });
        averaged.extend(rows);
    }
    (samples, averaged)
}
