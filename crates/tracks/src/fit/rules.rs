//! The rules that a fit tries, and their sums in each frame of a recording.

use std::collections::HashMap;

use rayon::prelude::*;

use super::limits::Limits;
use super::motion::Motion;
use super::regression::{Block, Column, Sample};
use flockscope_sim::{
    AlignmentResponse, Edge, Falloff, Flock, Param, Params, Response, Row, Scratch, Setup, Value, World,
};

/// A steering rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Away from neighbors.
    Separation,
    /// To the velocity of neighbors.
    Alignment,
    /// Toward neighbors.
    Cohesion,
    /// Away from the border.
    Edge,
    /// A constant.
    Wind,
}

impl Rule {
    /// All rules, in the order of the parameter table.
    pub const ALL: [Self; 5] = [Self::Separation, Self::Alignment, Self::Cohesion, Self::Edge, Self::Wind];

    /// The prefix of its parameters.
    pub fn name(self) -> &'static str {
        match self {
            Self::Separation => "separation",
            Self::Alignment => "alignment",
            Self::Cohesion => "cohesion",
            Self::Edge => "edge",
            Self::Wind => "wind",
        }
    }

    /// Whether neighbors cause it.
    pub fn is_interaction(self) -> bool {
        matches!(self, Self::Separation | Self::Alignment | Self::Cohesion)
    }

    /// The key of its radius, or of the margin of the edge.
    pub(super) fn radius_key(self) -> Option<&'static str> {
        match self {
            Self::Separation => Some("separation.radius"),
            Self::Alignment => Some("alignment.radius"),
            Self::Cohesion => Some("cohesion.radius"),
            Self::Edge => Some("edge.margin"),
            Self::Wind => None,
        }
    }

    /// The keys of its weights.
    pub(super) fn weight_keys(self, dim: usize) -> &'static [&'static str] {
        match self {
            Self::Separation => &["separation.weight"],
            Self::Alignment => &["alignment.weight"],
            Self::Cohesion => &["cohesion.weight"],
            Self::Edge => &["edge.strength"],
            Self::Wind => &["wind.x", "wind.y", "wind.z"][..dim],
        }
    }

    /// Its forms: all falloffs and responses.
    pub(super) fn forms(self, params: &Params) -> Vec<Params> {
        let with = |change: &dyn Fn(&mut Params)| {
            let mut params = *params;
            change(&mut params);
            params
        };
        let responses = [Response::Sum, Response::Mean, Response::Unit, Response::Steer];
        match self {
            Self::Separation => {
                let falloffs =
                    [Falloff::Flat, Falloff::Linear, Falloff::Inverse, Falloff::InverseSquare, Falloff::InverseCube];
                let pairs = falloffs.into_iter().flat_map(|falloff| responses.map(|response| (falloff, response)));
                let form = |(falloff, response)| {
                    with(&|params| (params.separation.falloff, params.separation.response) = (falloff, response))
                };
                pairs.map(form).collect()
            }
            Self::Alignment => {
                use AlignmentResponse as A;
                let responses = [A::Sum, A::Mean, A::Difference, A::Unit, A::Steer];
                responses.into_iter().map(|response| with(&|params| params.alignment.response = response)).collect()
            }
            Self::Cohesion => {
                responses.into_iter().map(|response| with(&|params| params.cohesion.response = response)).collect()
            }
            Self::Edge => [Edge::Turn, Edge::Push].map(|mode| with(&|params| params.edge.mode = mode)).to_vec(),
            Self::Wind => vec![*params],
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

/// The area in which the animals stay, as its ends on each axis.
pub type Arena = [[f64; 2]; 3];

/// Computes the sums of all rows of a frame.
type FrameSums<'a> = dyn Fn(&mut Scratch, &[Row]) -> Vec<[f32; 3]> + Sync + 'a;

/// Frames of a recording whose sums are computed.
pub(super) struct Frames<'a> {
    world: World,
    wraps: bool,
    arena: Arena,
    blocks: Vec<FrameBlock<'a>>,
    kernel: Vec<f64>,
}

/// Frames of a block of time.
struct FrameBlock<'a> {
    frames: Vec<&'a [Row]>,
    /// The rows over which each sample averages.
    averaged: Vec<u32>,
}

impl<'a> Frames<'a> {
    /// Frames of blocks of time with about this many samples in all, whose sums are those of `lag` frames before.
    pub(super) fn choose(
        motion: &'a Motion,
        (setup, arena): (&Setup, Arena),
        (samples, blocks): (usize, usize),
        lag: usize,
    ) -> (Self, Vec<Block>) {
        let (frames, reach) = (motion.frames(), motion.kernel.len() / 2);
        let per_frame = motion.changes.iter().flatten().count().div_ceil(frames.max(1)).max(1);
        let wanted = samples.div_ceil(per_frame * blocks).max(1);
        let (mut chosen, mut all) = (Vec::new(), Vec::new());
        for block in 0..blocks {
            let (from, to) = (frames * block / blocks, frames * (block + 1) / blocks);
            let chosen_frames: Vec<usize> = if reach == 0 {
                // Frames far apart say more than successive ones.
                let count = wanted.min(to - from);
                (0..count).map(|k| from + (to - from) * k / count).collect()
            } else {
                let skipped = (to - from).saturating_sub(wanted + 2 * reach) / 2;
                (from + skipped..to.min(from + skipped + wanted + 2 * reach)).collect()
            };
            let chosen_frames: Vec<usize> = chosen_frames.into_iter().filter(|frame| *frame >= lag).collect();
            let (samples, averaged) = samples_of(motion, &chosen_frames, lag);
            if !samples.is_empty() {
                let frames = chosen_frames.into_iter().map(|frame| motion.frame(frame - lag)).collect();
                chosen.push(FrameBlock { frames, averaged });
                all.push(Block { dim: motion.dim, samples });
            }
        }
        let wraps = setup.params.edge.mode == Edge::Wrap;
        (Self { world: setup.world, wraps, arena, blocks: chosen, kernel: motion.kernel.clone() }, all)
    }

    /// The sums of a rule, with the radius, the form and the perception of these parameters.
    pub(super) fn columns(&self, rule: Rule, params: &Params, limits: &Limits) -> Vec<Column> {
        let of_frames = |of_frame: &FrameSums<'_>| -> Column {
            let of_block = |block: &FrameBlock<'_>| {
                let sums = block.frames.par_iter().map_init(Scratch::new, |scratch, rows| of_frame(scratch, rows));
                let sums = sums.collect::<Vec<_>>().concat();
                block.averaged.chunks(self.kernel.len()).map(|rows| self.average(&sums, rows)).collect()
            };
            self.blocks.iter().map(of_block).collect()
        };
        match rule {
            Rule::Edge => vec![of_frames(&|_, rows| rows.iter().map(|row| self.edge(row, params)).collect())],
            Rule::Wind => {
                let axis =
                    |axis| of_frames(&|_, rows| vec![[0, 1, 2].map(|k| f32::from(u8::from(k == axis))); rows.len()]);
                (0..self.world.dim()).map(axis).collect()
            }
            _ => {
                let setup = Setup::new(self.world).with_params(self.alone(rule, params, limits));
                vec![of_frames(&|scratch, rows| steering(&setup, scratch, rows))]
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

    /// Parameters with a single rule, of weight 1, and no limits but those that are part of it.
    fn alone(&self, rule: Rule, params: &Params, limits: &Limits) -> Params {
        let mut alone = Params { perception: params.perception, ..Params::default() };
        alone.edge.mode = if self.wraps { Edge::Wrap } else { Edge::Open };
        let is = |other| if rule == other { 1.0 } else { 0.0 };
        alone.separation = params.separation;
        alone.alignment = params.alignment;
        alone.cohesion = params.cohesion;
        (alone.separation.weight, alone.alignment.weight, alone.cohesion.weight) =
            (is(Rule::Separation), is(Rule::Alignment), is(Rule::Cohesion));
        for other in [Rule::Separation, Rule::Alignment, Rule::Cohesion].into_iter().filter(|other| *other != rule) {
            other.radius_key().into_iter().for_each(|key| set_number(&mut alone, key, 0.0));
        }
        alone.cohesion.inner *= is(Rule::Cohesion);
        let steers = match rule {
            Rule::Separation => alone.separation.response == Response::Steer,
            Rule::Alignment => alone.alignment.response == AlignmentResponse::Steer,
            _ => alone.cohesion.response == Response::Steer,
        };
        if steers {
            alone.speed.max = limits.speeds[1] as f32;
            alone.limits.max_force = if limits.force.is_finite() { limits.force as f32 } else { 0.0 };
        }
        alone.speed.min = 0.0;
        alone
    }

    /// The direction away from the border, or the depth in the margin.
    fn edge(&self, row: &Row, params: &Params) -> [f32; 3] {
        let margin = f64::from(params.edge.margin);
        let mut push = [0.0; 3];
        for (axis, push) in push.iter_mut().enumerate().take(self.world.dim()) {
            let [low, high] = self.arena[axis];
            let at = f64::from(row.position[axis]);
            let (from_low, from_high) = (low + margin - at, at - (high - margin));
            let strength = |depth: f64| if params.edge.mode == Edge::Turn { 1.0 } else { depth };
            if from_low > 0.0 {
                *push += strength(from_low) as f32;
            }
            if from_high > 0.0 {
                *push -= strength(from_high) as f32;
            }
        }
        push
    }
}

/// The steering of all rows of a frame, in their order.
fn steering(setup: &Setup, scratch: &mut Scratch, rows: &[Row]) -> Vec<[f32; 3]> {
    let Ok(flock) = Flock::from_rows(setup, 0, rows) else { return vec![[0.0; 3]; rows.len()] };
    let mut steering = flock.steering(scratch);
    steering.sort_unstable_by_key(|(id, _)| *id);
    steering.into_iter().map(|(_, steering)| steering).collect()
}

/// The samples of these frames, and the rows over which they average, `lag` frames before and counted from the first of them.
fn samples_of(motion: &Motion, frames: &[usize], lag: usize) -> (Vec<Sample>, Vec<u32>) {
    let rows =
        |lag: usize| frames.iter().flat_map(move |&frame| motion.starts[frame - lag]..motion.starts[frame - lag + 1]);
    let places: HashMap<usize, u32> = rows(lag).zip(0..).collect();
    let place = |row: usize| {
        let earlier = (0..lag).try_fold(row, |row, _| motion.before[row].map(|row| row as usize))?;
        places.get(&earlier).copied()
    };
    let (mut samples, mut averaged) = (Vec::new(), Vec::new());
    for row in rows(0) {
        let Some((change, rows)) = motion.changes[row].zip(motion.averaged(row)) else { continue };
        let Some(rows) = rows.into_iter().map(place).collect::<Option<Vec<_>>>() else { continue };
        let Row { id, velocity, .. } = motion.rows[row];
        samples.push(Sample { row: row as u32, id, velocity: velocity.map(f64::from), change });
        averaged.extend(rows);
    }
    (samples, averaged)
}
