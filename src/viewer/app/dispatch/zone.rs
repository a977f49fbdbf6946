//! Actions on the world: zones and wind.

use glam::Vec3;

use crate::canvas::Ray;
use crate::sim::{Param, Params, Value, World, Zone, ZoneKind};
use crate::viewer::app::App;
use crate::viewer::app::param_step::format_number;

/// The radius of a new zone, as a share of the world's shortest side.
const RADIUS: f32 = 0.06;
/// The speed of a breeze, as a share of `speed.max`.
const BREEZE: f32 = 0.015;
/// The strength of gusts, relative to a breeze.
const GUSTS: f32 = 2.0;

impl App {
    /// Places a zone where `ray` passes nearest to the center of the world. Returns its index.
    pub fn place_zone(&mut self, kind: ZoneKind, ray: Ray) -> Option<usize> {
        let world = self.session.world();
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
        let visible = self.session.zones().iter().any(|zone| !zone.is_depleted());
        for index in (0..self.session.zones().len()).rev() {
            self.session.remove_zone(index);
        }
        self.show_message(if visible { "all zones removed" } else { "no zones to remove" });
    }

    /// The visible zone that a ray hits; the newest, if there are several.
    pub fn zone_at(&self, ray: Ray) -> Option<usize> {
        self.session.zones().iter().rposition(|zone| {
            let apart = Vec3::from_array(ray.nearest(zone.center)) - Vec3::from_array(zone.center);
            apart.length() <= zone.radius && !zone.is_depleted()
        })
    }

    fn cursor(&self) -> Option<Ray> {
        self.mouse.clicked().or_else(|| self.mouse.center_ray(self.canvas()))
    }

    /// Switches the wind: none, breeze, gusts.
    pub fn cycle_wind(&mut self) {
        let level = WindLevel::of(self.session.params()).next();
        let values = level.values(self.session.params());
        self.session.set_all(&values);
        let strength = format_number(BREEZE * self.session.params().speed.max);
        self.show_message(match level {
            WindLevel::Calm => "wind: none".to_owned(),
            WindLevel::Breeze => format!("wind: breeze, wind.x = {strength}"),
            WindLevel::Gusty => format!("wind: gusts, wind.x = {strength}"),
        });
    }
}

/// Whether a point lies in the world.
fn contains(world: &World, point: [f32; 3]) -> bool {
    if let World::Sphere(radius) = *world {
        return Vec3::from_array(point).length() <= radius;
    }
    (0..world.dim()).all(|axis| (0.0..=world.size()[axis]).contains(&point[axis]))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WindLevel {
    Calm,
    Breeze,
    Gusty,
}

impl WindLevel {
    fn of(params: &Params) -> Self {
        let blows = |param: &Param| param.get(params) != Value::Number(0.0);
        match (steady_wind().any(blows), blows(gust())) {
            (_, true) => Self::Gusty,
            (true, false) => Self::Breeze,
            (false, false) => Self::Calm,
        }
    }

    fn next(self) -> Self {
        match self {
            Self::Calm => Self::Breeze,
            Self::Breeze => Self::Gusty,
            Self::Gusty => Self::Calm,
        }
    }

    /// The wind parameters at this level.
    fn values(self, params: &Params) -> Vec<(&'static Param, Value)> {
        let breeze = BREEZE * params.speed.max;
        let steady = |param: &'static Param| {
            let blows = self != Self::Calm && param.key == "wind.x";
            (param, Value::Number(if blows { breeze } else { 0.0 }))
        };
        let gusts = if self == Self::Gusty { GUSTS * breeze } else { 0.0 };
        steady_wind().map(steady).chain([(gust(), Value::Number(gusts))]).collect()
    }
}

fn steady_wind() -> impl Iterator<Item = &'static Param> {
    ["wind.x", "wind.y", "wind.z"].into_iter().filter_map(Param::find)
}

fn gust() -> &'static Param {
    Param::find("wind.gust").expect("the table has this parameter")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wind_levels_cycle() {
        let mut params = Params::default();
        let mut levels = Vec::new();
        for _ in 0..4 {
            let level = WindLevel::of(&params).next();
            for (param, value) in level.values(&params) {
                params.set(param.key, value).unwrap();
            }
            assert_eq!(WindLevel::of(&params), level);
            levels.push(level);
        }
        let calm = levels.iter().position(|level| *level == WindLevel::Calm).unwrap();
        assert_eq!((levels[0], calm), (WindLevel::Breeze, 2));
    }
}
