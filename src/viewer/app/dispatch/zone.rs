//! Actions on the world: zones and wind.

use glam::Vec3;

use crate::canvas::{Ray, size_in_dots};
use crate::sim::{ModelRow, Param, Params, Value, World, Zone, ZoneKind};
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;
use crate::viewer::app::session::undo::ParamValues;

/// The radius of a new zone, as a share of the world's shortest side.
const RADIUS: f32 = 0.06;
/// The speed of a breeze, as a share of `speed.max`.
const BREEZE: f32 = 0.015;
/// The strength of gusts, relative to a breeze.
const GUSTS: f32 = 2.0;

impl App {
    /// Places a zone where `ray` passes nearest to the center of the world. Returns its index.
    pub fn place_zone(&mut self, kind: ZoneKind, ray: Ray) -> Option<usize> {
        let world = self.session.state().world;
        let center = ray.nearest(world.center());
        if !contains(&world, center) {
            self.show_message("outside the world");
            return None;
        }
        let shortest = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        let zone = Zone::new(kind, center, RADIUS * shortest).moved_inside(&world);
        self.show_message(format!("{} placed", kind.name()));
        Some(self.session.add_zone(zone))
    }

    /// Places a zone at the last click, or in the middle of the view.
    pub fn place_at_cursor(&mut self, kind: ZoneKind) {
        if let Some(ray) = self.cursor() {
            self.place_zone(kind, ray);
        }
    }

    /// Places an obstacle at the last click, or removes the zone there.
    pub fn toggle_obstacle(&mut self) {
        let Some(ray) = self.cursor() else { return };
        match self.zone_at(ray) {
            Some(index) => self.remove_zone(index),
            None => {
                self.place_zone(ZoneKind::Obstacle, ray);
            }
        }
    }

    /// Removes the zone at the last click.
    pub fn remove_at_cursor(&mut self) {
        let Some(ray) = self.cursor() else { return };
        match self.zone_at(ray) {
            Some(index) => self.remove_zone(index),
            None => self.show_message("no zone here"),
        }
    }

    /// Removes a zone.
    pub fn remove_zone(&mut self, index: usize) {
        if let Some(zone) = self.session.remove_zone(index) {
            self.show_message(format!("{} removed", zone.kind.name()));
        }
    }

    /// Removes all zones.
    pub fn clear_zones(&mut self) {
        let zones = &self.session.state().zones;
        let (count, visible) = (zones.len(), zones.iter().any(|zone| !zone.is_depleted()));
        for index in (0..count).rev() {
            self.session.remove_zone(index);
        }
        self.show_message(if visible { "all zones removed" } else { "no zones to remove" });
    }

    /// The visible zone that a ray hits; the newest, if there are several.
    pub fn zone_at(&self, ray: Ray) -> Option<usize> {
        self.session.state().zones.iter().rposition(|zone| {
            let apart = Vec3::from_array(ray.nearest(zone.center)) - Vec3::from_array(zone.center);
            apart.length() <= zone.radius && !zone.is_depleted()
        })
    }

    /// The line of sight through the last click, or through the center of the view.
    fn cursor(&self) -> Option<Ray> {
        let (columns, rows) = self.display.canvas();
        let center = || Some(self.viewport.camera()?.ray(size_in_dots(columns, rows) * 0.5));
        self.mouse.clicked.or_else(center)
    }

    /// Switches the wind: none, breeze, gusts.
    pub fn cycle_wind(&mut self) {
        let params = &self.session.state().params;
        if !ModelRow::of(params).has_steering {
            return self.show_message(format!("no wind in the model {}", params.model.name.name()));
        }
        let (name, values) = next_wind(&self.session.state().params);
        self.session.set_all(&values);
        let strength = format_number(BREEZE * self.session.state().params.speed.max);
        let strength = if name == "none" { String::new() } else { format!(", wind.x = {strength}") };
        self.show_message(format!("wind: {name}{strength}"));
    }
}

/// Whether a point lies in the world.
fn contains(world: &World, point: [f32; 3]) -> bool {
    if let World::Sphere(radius) = *world {
        return Vec3::from_array(point).length() <= radius;
    }
    (0..world.dim()).all(|axis| (0.0..=world.size()[axis]).contains(&point[axis]))
}

/// The wind that follows the current one: its name and parameters.
fn next_wind(params: &Params) -> (&'static str, ParamValues) {
    let breeze = BREEZE * params.speed.max;
    let is_steady = [params.wind.x, params.wind.y, params.wind.z].iter().any(|speed| *speed != 0.0);
    let (name, steady, gusts) = match (is_steady, params.gusts.strength != 0.0) {
        (_, true) => ("none", 0.0, 0.0),
        (true, false) => ("gusts", breeze, GUSTS * breeze),
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
        assert_eq!(winds, [breeze, ("gusts", true, true), ("none", false, false), breeze]);
    }
}
