//! What is put into the world, and taken away, by key or by mouse.

use glam::Vec3;

use crate::canvas::Ray;
use crate::sim::{World, Zone, ZoneKind};
use crate::viewer::app::App;

/// The radius of what is put into the world, as a share of its shortest side.
const RADIUS: f32 = 0.06;

impl App {
    /// Puts something where a line of sight comes nearest to the world's middle; returns its number.
    pub fn put(&mut self, what: ZoneKind, line: Ray) -> Option<usize> {
        let world = self.session.world;
        let center = line.nearest(world.center());
        if !self.is_in_world(center) {
            self.show_message("that is outside the world");
            return None;
        }
        let shortest = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        let radius = RADIUS * shortest;
        self.session.place(Zone::new(what, center, radius).moved_inside(&world));
        self.show_message(format!("{} here", article(what)));
        Some(self.session.zones.len() - 1)
    }

    /// Takes a zone away.
    pub fn remove_zone(&mut self, number: usize) {
        if let Some(zone) = self.session.remove(number) {
            self.show_message(format!("the {} is gone", zone.kind.name()));
        }
    }

    /// Puts something where the mouse was pressed last, or in the middle of the view.
    pub fn place_at_cursor(&mut self, what: ZoneKind) {
        if let Some(line) = self.here() {
            self.put(what, line);
        }
    }

    /// Puts an obstacle there, or takes away what stands there.
    pub fn toggle_obstacle(&mut self) {
        let Some(line) = self.here() else { return };
        match self.zone_at(line) {
            Some(number) => self.remove_zone(number),
            None => {
                self.put(ZoneKind::Obstacle, line);
            }
        }
    }

    /// Takes away what stands there.
    pub fn remove_at_cursor(&mut self) {
        let Some(line) = self.here() else { return };
        match self.zone_at(line) {
            Some(number) => self.remove_zone(number),
            None => self.show_message("nothing stands here"),
        }
    }

    /// Takes everything away.
    pub fn clear_spots(&mut self) {
        let count = self.session.zones.iter().filter(|zone| !zone.is_depleted()).count();
        (0..self.session.zones.len()).rev().for_each(|number| {
            self.session.remove(number);
        });
        self.show_message(if count == 0 {
            "nothing stands in the world"
        } else {
            "nothing stands in the world any more"
        });
    }

    /// The zone that a line of sight meets, the one put there last; nobody sees food that is eaten up.
    pub fn zone_at(&self, line: Ray) -> Option<usize> {
        self.session.zones.iter().rposition(|zone| {
            let apart = Vec3::from_array(line.nearest(zone.center)) - Vec3::from_array(zone.center);
            apart.length() <= zone.radius && !zone.is_depleted()
        })
    }

    /// Whether a point lies in the world.
    fn is_in_world(&self, point: [f32; 3]) -> bool {
        let world = self.session.world;
        if let World::Sphere(most) = world {
            return Vec3::from_array(point).length() <= most;
        }
        (0..world.dim()).all(|axis| (0.0..=world.size()[axis]).contains(&point[axis]))
    }

    fn here(&self) -> Option<Ray> {
        self.mouse.pressed.or_else(|| self.mouse.middle(self.canvas()))
    }
}

fn article(what: ZoneKind) -> &'static str {
    match what {
        ZoneKind::Obstacle => "an obstacle",
        ZoneKind::Food => "food",
        ZoneKind::Roost => "a roost",
    }
}
