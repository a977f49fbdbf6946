//! Models of self-propelled particles: each boid takes its heading from its neighbors and flies at a constant speed.

use rand::rngs::Xoshiro256PlusPlus;

use super::{Boids, ModelRow};
use crate::agents::Agents;
use crate::forces::{BoidLanes, Environment, NeighborIndex, edges};
use crate::math::{Purpose, Stage, Stopwatch, Wide, stream};
use crate::neighbors::{Block, Visitor};
use crate::params::MoveBy;
use crate::simd::{Lanes, MAX_LANES, Task};

/// The rule of a model: sums over neighbors, and the heading that follows from them.
pub(super) trait Rule<const D: usize>: Copy {
    /// The sums of a block of boids, one in each lane.
    type Sums<F: Lanes>;

    /// The squared distances within which boids are neighbors, in u²; `radius` is the largest distance that the model needs.
    #[inline(always)]
    fn radius2<F: Lanes>(&self, radius: f32, _: &Self::Sums<F>) -> F {
        F::splat(radius * radius)
    }
    /// The speeds, as multiples of `speed.max`.
    #[inline(always)]
    fn speed<F: Lanes>(&self, _: &Self::Sums<F>) -> F {
        F::splat(1.0)
    }
    /// The sums of boids without neighbors.
    fn start<F: Lanes>(&self, boids: &Particles<'_, F, D>) -> Self::Sums<F>;
    /// Adds a boid in the lanes in which it is near.
    fn add<F: Lanes>(&self, sums: &mut Self::Sums<F>, other: &Neighbor<F, D>);
    /// The next headings, unit vectors.
    fn heading<F: Lanes>(&self, sums: Self::Sums<F>, boids: &Particles<'_, F, D>) -> Wide<F, D>;
}

/// Gives boids the headings that the rule returns, and moves them along their new or their old headings.
pub(super) fn advance<const D: usize>(boids: Boids<'_, '_>, moves_by: MoveBy, rule: impl Rule<D>) {
    let simd = boids.execution.simd;
    Stopwatch::time(boids.stopwatch, Stage::Perceive, || simd.run(Advance { boids, moves_by, rule }));
}

/// A chunk of boids takes new headings and moves.
struct Advance<'a, 'b, R, const D: usize> {
    boids: Boids<'a, 'b>,
    moves_by: MoveBy,
    rule: R,
}

impl<R: Rule<D>, const D: usize> Task for Advance<'_, '_, R, D> {
    type Output = ();

    #[inline(always)]
    fn run<F: Lanes>(self) {
        let Self { boids: Boids { environment, neighbors, range, next, .. }, moves_by, rule } = self;
        let (params, flock) = (environment.params, &neighbors.flock);
        let radius = ModelRow::of(params).search_radius(params);
        for boids in flock.blocks(range, F::WIDTH) {
            let block: Block<F, D> = Block::new(&flock.agents, boids);
            let particles = Particles::new(environment, neighbors, block);
            let (own, block) = (particles.heading, &particles.block);
            let (agents, headings) = (block.agents, neighbors.headings.axes());
            let sums = rule.start(&particles);
            let (radius2, speed) = (rule.radius2(radius, &sums), rule.speed(&sums) * F::splat(params.speed.max));
            let visitor = AddUp { rule, agents, headings, radius2, sums };
            let sums = flock.visit(block, &environment.metric, radius, visitor).sums;
            let velocity = rule.heading(sums, &particles) * speed;
            let travel = if moves_by == MoveBy::Old { own * speed } else { velocity };
            let moved = BoidLanes { position: block.position + travel, velocity };
            let stream = |lane| environment.stream(block.agents.ids()[block.boids.start + lane], Purpose::Bounce);
            let moved = edges::contain(moved, params, environment.world, stream);
            next.write(block.boids.start, moved.position, moved.velocity);
        }
    }
}

/// A block adds up its neighbors.
struct AddUp<'a, F: Lanes, R: Rule<D>, const D: usize> {
    rule: R,
    agents: &'a Agents,
    headings: [&'a [f32]; D],
    radius2: F,
    sums: R::Sums<F>,
}

impl<F: Lanes, R: Rule<D>, const D: usize> Visitor<F, D> for AddUp<'_, F, R, D> {
    #[inline(always)]
    fn visit(&mut self, index: usize, offset: Wide<F, D>, d2: F) {
        let heading = Wide::new(|axis| F::splat(self.headings[axis][index]));
        let other = Neighbor { agents: self.agents, index, is_near: d2.lt(self.radius2), offset, d2, heading };
        self.rule.add(&mut self.sums, &other);
    }
}

/// Another boid as the boid in each lane sees it.
pub(super) struct Neighbor<'a, F: Lanes, const D: usize> {
    agents: &'a Agents,
    pub index: usize,
    /// Whether it is nearer than the radius of the rule.
    pub is_near: F::Mask,
    /// From the boid to the neighbor's nearest image, in u.
    pub offset: Wide<F, D>,
    /// The squared length of the offset.
    pub d2: F,
    /// A unit vector, or zero.
    pub heading: Wide<F, D>,
}

impl<F: Lanes, const D: usize> Neighbor<'_, F, D> {
    /// The id of the agent at an index.
    pub fn id_at(&self, index: usize) -> u32 {
        self.agents.ids()[index]
    }

    /// The direction to the neighbor's nearest image, where it is near; zero if the boids are coincident.
    #[inline(always)]
    pub fn direction(&self) -> Wide<F, D> {
        // Offsets of any length elsewhere would make `unit` scale all lanes.
        let any = Wide::new(|_| F::splat(1.0));
        Wide::select(self.is_near, self.offset, any).unit().0
    }
}

/// A block of boids that move at constant speeds.
pub(super) struct Particles<'a, F: Lanes, const D: usize> {
    environment: &'a Environment<'a>,
    pub block: Block<'a, F, D>,
    /// Unit vectors.
    pub heading: Wide<F, D>,
}

impl<'a, F: Lanes, const D: usize> Particles<'a, F, D> {
    #[inline(always)]
    fn new(environment: &'a Environment<'a>, neighbors: &'a NeighborIndex, block: Block<'a, F, D>) -> Self {
        let headings = neighbors.headings.axes::<D>();
        let heading = Wide::new(|axis| F::load_or(&headings[axis][block.boids.clone()], 0.0));
        // A boid at rest, as after `start = "rest"`, has no heading yet.
        let right = Wide::new(|axis| F::splat(if axis == 0 { 1.0 } else { 0.0 }));
        Self { environment, heading: Wide::select(heading.nonzero(), heading, right), block }
    }

    /// The direction of a sum; the boid's heading if the sum is zero.
    #[inline(always)]
    pub fn direction(&self, sum: Wide<F, D>) -> Wide<F, D> {
        let (direction, nonzero) = sum.unit();
        Wide::select(nonzero, direction, self.heading)
    }

    /// Numbers that follow from the random numbers of each boid in this tick; 0 in lanes without a boid.
    #[inline(always)]
    pub fn draw<const N: usize>(&self, draw: impl Fn(&mut Xoshiro256PlusPlus) -> [f32; N]) -> [F; N] {
        self.draw_from(|id| self.environment.stream(id, Purpose::Noise), draw)
    }

    /// The same from random numbers that each boid has at all ticks.
    #[inline(always)]
    pub fn draw_constants<const N: usize>(&self, draw: impl Fn(&mut Xoshiro256PlusPlus) -> [f32; N]) -> [F; N] {
        self.draw_from(|id| stream(self.environment.seed, 0, id, Purpose::Variation), draw)
    }

    #[inline(always)]
    fn draw_from<const N: usize>(
        &self,
        stream: impl Fn(u32) -> Xoshiro256PlusPlus,
        draw: impl Fn(&mut Xoshiro256PlusPlus) -> [f32; N],
    ) -> [F; N] {
        let mut numbers = [[0.0; MAX_LANES]; N];
        for (lane, &id) in self.block.agents.ids()[self.block.boids.clone()].iter().enumerate() {
            let drawn = draw(&mut stream(id));
            numbers.iter_mut().zip(drawn).for_each(|(numbers, drawn)| numbers[lane] = drawn);
        }
        numbers.map(|numbers| F::load(&numbers))
    }
}
