//! The bounds that `docs/models.md` guarantees for every agent, and pseudo-random numbers.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use flockscope::config::Preset;
use flockscope::sim::{Agents, Edge, Flock, Kind, Model, ModelRow, Param, Params, World, Zone, ZoneKind};

/// The built-in presets with steering rules, to which predators, zones and all other features can be added.
pub fn steered_presets() -> impl Iterator<Item = Preset> {
    Preset::builtin().into_iter().filter(|preset| ModelRow::of(&preset.params).has_steering)
}

/// The parameters of the steering rules.
pub fn steering_params() -> impl Iterator<Item = &'static Param> {
    Param::table().iter().filter(|param| param.key != "model" && ModelRow::find(Model::Boids).uses(param))
}

/// Checks that every coordinate is finite, inside the edge and outside every obstacle, and that the counts match.
pub fn check_bounds(flock: &Flock, boids: usize, predators: usize) -> Result<(), String> {
    let agents = flock.agents();
    let count = |kind| agents.kinds().iter().filter(|of| **of == kind).count();
    let counts = (count(Kind::Prey) + count(Kind::Caught), count(Kind::Predator));
    if counts != (boids, predators)
        || (flock.total_boids(), flock.predators()) != counts
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
        check_place(flock.params(), &flock.world(), place).map_err(|why| format!("{} {why}", who()))?;
        for zone in flock.zones().iter().filter(|zone| zone.kind == ZoneKind::Obstacle) {
            let apart = distance(flock, place, zone);
            if apart < f64::from(zone.radius) {
                return Err(format!("{} stands {apart} u from the middle of {zone} in {}", who(), flock.world()));
            }
        }
    }
    Ok(())
}

/// The bounds that each edge guarantees.
fn check_place(params: &Params, world: &World, place: [f64; 3]) -> Result<(), String> {
    let margin = f64::from(params.edge.margin);
    let size = world.size().map(f64::from);
    let within = |least: f64, most: [f64; 3]| (0..world.dim()).all(|axis| (least..=most[axis]).contains(&place[axis]));
    let stands = match params.edge.mode {
        Edge::Open => true,
        Edge::Wrap => within(0.0, size),
        Edge::Turn | Edge::Push | Edge::Reflect => within(-margin, size.map(|side| (side + margin) * (1.0 + 1e-7))),
        // A length has a rounding error.
        Edge::Sphere => length(place) <= (0.5 * size[0] + margin) * (1.0 + 1e-6),
    };
    let mode = params.edge.mode.name();
    if stands { Ok(()) } else { Err(format!("is outside {world}, whose edge is {mode} with a margin of {margin} u")) }
}

/// Distance to a zone's center.
pub fn distance(flock: &Flock, place: [f64; 3], zone: &Zone) -> f64 {
    length(offset(flock, place, zone))
}

/// Offset from a zone's center; the shortest one in a wrapping world.
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

/// A reproducible sequence of numbers in [0, 1).
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
