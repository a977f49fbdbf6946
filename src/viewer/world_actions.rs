//! Actions on the world: the numbers of boids and predators, new flocks, zones and wind.

use glam::Vec3;

use super::actions::Action;
use super::context::Context;
use super::text::{format_number, grouped};
use crate::config::random_seed;
use crate::picture::Ray;
use crate::sim::{Command, Edge, MAX_BOIDS, MAX_PREDATORS, ModelRow, Param, Params, Value, World, Zone, ZoneKind};

/// The radius of a new zone, as a share of the world's shortest side.
const RADIUS: f32 = 0.06;
/// The strength of a breeze, as a share of `speed.max` …
const BREEZE: f32 = 0.015;
/// … and at most this share of the strength with which an edge turns boids back: more would press them against it.
const MOST_OF_EDGE: f32 = 0.5;
/// The strength of gusts, relative to a breeze.
const GUSTS: f32 = 2.0;

/// Performs an action at the cursor: a line of sight, if the flock is in view. Returns whether it is one of these.
pub fn act(action: Action, cursor: Option<Ray>, context: &mut Context) -> bool {
    let controls = context.client.controls();
    match (action, cursor) {
        (Action::PlaceObstacle, Some(ray)) => match zone_at(ray, context) {
            Some(index) => remove_zone(index, context),
            None => _ = place_zone(ZoneKind::Obstacle, ray, context),
        },
        (Action::PlaceFood, Some(ray)) => _ = place_zone(ZoneKind::Food, ray, context),
        (Action::PlaceRoost, Some(ray)) => _ = place_zone(ZoneKind::Roost, ray, context),
        (Action::RemoveZone, Some(ray)) => match zone_at(ray, context) {
            Some(index) => remove_zone(index, context),
            None => context.show_message("no zone here"),
        },
        (Action::PlaceObstacle | Action::PlaceFood | Action::PlaceRoost | Action::RemoveZone, None) => {}
        (Action::NewSeed, _) => {
            let seed = random_seed();
            context.client.reseed(seed);
            context.show_message(format!("new flock from seed {seed}"));
        }
        (Action::Restart, _) => {
            let seed = controls.setup.seed;
            context.client.command(Command::Restart);
            context.show_message(format!("restarted from seed {seed}"));
        }
        (Action::MoreBoids, _) => set_boids(more(controls.setup.boids), context),
        (Action::FewerBoids, _) => set_boids(fewer(controls.setup.boids), context),
        (Action::MorePredators, _) => set_predators(controls.setup.predators + 1, context),
        (Action::FewerPredators, _) => set_predators(controls.setup.predators.saturating_sub(1), context),
        (Action::ClearZones, _) => clear_zones(context),
        (Action::Wind, _) => cycle_wind(context),
        _ => return false,
    }
    true
}

fn set_boids(boids: usize, context: &mut Context) {
    let changed = context.client.set_boids(boids);
    match boids {
        0 | 1 if !changed => context.show_message("only one boid left"),
        1 => context.report("1 boid"),
        _ if boids > MAX_BOIDS => context.show_message(format!("{MAX_BOIDS} boids is the maximum")),
        _ => context.report(format!("{} boids", grouped(boids as u64))),
    }
}

fn set_predators(predators: usize, context: &mut Context) {
    let changed = context.client.set_predators(predators);
    match predators {
        0 if !changed => context.show_message("no predators left"),
        1 => context.report("1 predator"),
        _ if predators > MAX_PREDATORS => context.show_message(format!("{MAX_PREDATORS} predators is the maximum")),
        _ => context.report(format!("{} predators", grouped(predators as u64))),
    }
}

/// 10 % more boids, at least one.
fn more(boids: usize) -> usize {
    boids + (boids / 10).max(1)
}

/// The inverse of [`more`], where there is one.
fn fewer(boids: usize) -> usize {
    let least = (boids * 10 / 11).saturating_sub(1);
    (least..boids).find(|fewer| more(*fewer) >= boids).unwrap_or(0)
}

/// Places a zone where `ray` passes nearest to the center of the world. Returns its index.
pub fn place_zone(kind: ZoneKind, ray: Ray, context: &mut Context) -> Option<usize> {
    let world = context.client.controls().setup.world;
    let center = ray.nearest(world.center());
    if !contains(&world, center) {
        context.show_message("outside the world");
        return None;
    }
    let shortest = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
    let zone = Zone::new(kind, center, RADIUS * shortest).moved_inside(&world);
    context.show_message(format!("{} placed", kind.name()));
    Some(context.client.add_zone(zone))
}

/// Removes a zone.
pub fn remove_zone(index: usize, context: &mut Context) {
    if let Some(zone) = context.client.remove_zone(index) {
        context.show_message(format!("{} removed", zone.kind.name()));
    }
}

fn clear_zones(context: &mut Context) {
    let zones = &context.client.controls().setup.zones;
    let (count, visible) = (zones.len(), zones.iter().any(|zone| !zone.is_depleted()));
    for index in (0..count).rev() {
        context.client.remove_zone(index);
    }
    context.show_message(if visible { "all zones removed" } else { "no zones to remove" });
}

/// The visible zone that a ray hits; the newest, if there are several.
pub fn zone_at(ray: Ray, context: &Context) -> Option<usize> {
    context.client.controls().setup.zones.iter().rposition(|zone| {
        let apart = Vec3::from_array(ray.nearest(zone.center)) - Vec3::from_array(zone.center);
        apart.length() <= zone.radius && !zone.is_depleted()
    })
}

/// Moves a zone to a ray, at its depth.
pub fn move_zone(index: usize, ray: Ray, context: &mut Context) {
    let controls = context.client.controls();
    if let Some(zone) = controls.setup.zones.get(index) {
        let moved = Zone { center: ray.nearest(zone.center), ..*zone }.moved_inside(&controls.setup.world);
        context.client.move_zone(index, moved.center);
    }
}

/// Switches the wind: none, breeze, gusts.
fn cycle_wind(context: &mut Context) {
    let params = &context.client.controls().setup.params;
    if !ModelRow::of(params).has_steering {
        let model = params.model.name.name();
        return context.show_message(format!("no wind in the model {model}"));
    }
    let (name, values) = next_wind(params);
    let strength = format_number(breeze(params));
    context.client.set_params(values, 0.0);
    let strength = if name == "none" { String::new() } else { format!(", wind.x = {strength}") };
    context.show_message(format!("wind: {name}{strength}"));
}

/// Whether a point lies in the world.
fn contains(world: &World, point: [f32; 3]) -> bool {
    if let World::Sphere(radius) = *world {
        return Vec3::from_array(point).length() <= radius;
    }
    (0..world.dim()).all(|axis| (0.0..=world.size()[axis]).contains(&point[axis]))
}

/// The strength of a breeze in u/tick², with at most four decimals.
fn breeze(params: &Params) -> f32 {
    let most = if params.edge.mode == Edge::Turn { MOST_OF_EDGE * params.edge.strength } else { f32::INFINITY };
    ((BREEZE * params.speed.max).min(most) * 1e4).round() / 1e4
}

/// The wind that follows the current one: its name and parameters.
fn next_wind(params: &Params) -> (&'static str, Vec<(&'static Param, Value)>) {
    let breeze = breeze(params);
    let is_steady = [params.wind.x, params.wind.y, params.wind.z].iter().any(|speed| *speed != 0.0);
    let (name, steady, gusts) = match (is_steady, params.gusts.strength != 0.0) {
        (true, true) => ("none", 0.0, 0.0),
        // The preset may have gusts without a wind.
        (true, false) | (false, true) => ("gusts", breeze, GUSTS * breeze),
        (false, false) => ("breeze", breeze, 0.0),
    };
    let values = [("wind.x", steady), ("wind.y", 0.0), ("wind.z", 0.0), ("wind.gust", gusts)];
    let known = values.into_iter().filter_map(|(key, value)| Some((Param::find(key)?, Value::Number(value))));
    (name, known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wind_levels_cycle() {
        let mut params = Params::default();
        let mut winds = Vec::new();
        for _ in 0..4 {
            let (name, values) = next_wind(&params);
            for (param, value) in values {
                params.set(param.key, value).unwrap();
            }
            winds.push((name, params.wind.x > 0.0, params.gusts.strength > 0.0));
        }
        let breeze = ("breeze", true, false);
        let gusts = ("gusts", true, true);
        assert_eq!(winds, [breeze, gusts, ("none", false, false), breeze]);
        params.wind.x = 0.0;
        params.gusts.strength = 0.008;
        assert_eq!(next_wind(&params).0, "gusts");
    }

    #[test]
    fn fewer_is_the_inverse_of_more() {
        for boids in (1..3000).chain([123_456, 10_000_000]) {
            assert_eq!(fewer(more(boids)), boids);
            assert!(fewer(boids) < boids, "{boids}");
        }
    }
}
