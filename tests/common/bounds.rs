//! The bounds that `docs/models.md` promises for everyone in a flock, and numbers to try them with.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use flockscope::sim::{Agents, Edge, Flock, Kind, Params, World, Zone, ZoneKind};

/// Everyone is a number, where the edge allows, outside every obstacle; and they are as many as they should be.
pub fn all_is_well(flock: &Flock, boids: usize, predators: usize) -> Result<(), String> {
    let agents = flock.agents();
    let count = |kind| agents.kinds().iter().filter(|of| **of == kind).count();
    let counts = (count(Kind::Prey) + count(Kind::Caught), count(Kind::Predator));
    if counts != (boids, predators)
        || (flock.size(), flock.predators()) != counts
        || flock.caught() != count(Kind::Caught)
    {
        return Err(format!("{counts:?} boids and predators, and there should be {:?}", (boids, predators)));
    }
    for index in 0..agents.len() {
        let values: [fn(&Agents, usize) -> &[f32]; 2] = [Agents::positions, Agents::velocities];
        let [position, velocity] =
            values.map(|values| [0, 1, 2].map(|axis| values(agents, axis).get(index).copied().unwrap_or_default()));
        let who =
            || format!("{} {} at {position:?} flying {velocity:?}", agents.kinds()[index].name(), agents.ids()[index]);
        let mood = agents.mood(index);
        if !position.iter().chain(&velocity).chain([&mood]).all(|number| number.is_finite()) {
            return Err(format!("{}, of mood {mood}: no number", who()));
        }
        let place = position.map(f64::from);
        stands_in(flock.params(), &flock.world(), place).map_err(|why| format!("{} {why}", who()))?;
        for zone in flock.zones().iter().filter(|zone| zone.kind == ZoneKind::Obstacle) {
            let apart = distance(flock, place, zone);
            if apart < f64::from(zone.radius) {
                return Err(format!("{} stands {apart} u from the middle of {zone} in {}", who(), flock.world()));
            }
        }
    }
    Ok(())
}

/// The bounds that each edge promises.
fn stands_in(params: &Params, world: &World, place: [f64; 3]) -> Result<(), String> {
    let margin = f64::from(params.edge.margin);
    let size = world.size().map(f64::from);
    let within = |least: f64, most: [f64; 3]| (0..world.dim()).all(|axis| (least..=most[axis]).contains(&place[axis]));
    let stands = match params.edge.mode {
        Edge::Open => true,
        Edge::Wrap => within(0.0, size),
        Edge::Turn | Edge::Push | Edge::Reflect => within(-margin, size.map(|side| (side + margin) * (1.0 + 1e-7))),
        // A length is rounded by a hair.
        Edge::Sphere => length(place) <= (0.5 * size[0] + margin) * (1.0 + 1e-6),
    };
    let mode = params.edge.mode.name();
    if stands { Ok(()) } else { Err(format!("is outside {world}, whose edge is {mode} with a margin of {margin} u")) }
}

/// How far it is to a zone's middle.
pub fn distance(flock: &Flock, place: [f64; 3], zone: &Zone) -> f64 {
    length(offset(flock, place, zone))
}

/// The offset of a place from a zone's middle, the shortest way around where the world wraps.
pub fn offset(flock: &Flock, place: [f64; 3], zone: &Zone) -> [f64; 3] {
    let size = flock.world().size();
    [0, 1, 2].map(|axis| {
        let straight = place[axis] - f64::from(zone.center[axis]);
        let around = f64::from(size[axis]);
        if flock.params().edge.mode == Edge::Wrap && around > 0.0 {
            straight - around * (straight / around).round()
        } else {
            straight
        }
    })
}

fn length(offset: [f64; 3]) -> f64 {
    offset.iter().map(|along| along * along).sum::<f64>().sqrt()
}

/// Numbers from 0 to 1 that seem random, the same in every run.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> f32 {
        // Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1_u64 << 24) as f32
    }

    pub fn place(&mut self, world: &World) -> [f32; 3] {
        let (origin, size) = (world.origin(), world.size());
        [0, 1, 2].map(|axis| origin[axis] + size[axis] * self.next())
    }
}
