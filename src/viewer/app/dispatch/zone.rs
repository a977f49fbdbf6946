//! What is put into the world, and taken away, by key or by mouse.

use glam::Vec3;

use crate::canvas::SightLine;
use crate::sim::{Spot, Use, World};
use crate::viewer::app::App;

/// The radius of what is put into the world, as a share of its shortest side.
const RADIUS: f32 = 0.06;

impl App {
    /// Puts something where a line of sight comes nearest to the world's middle; returns its number.
    pub fn put(&mut self, what: Use, line: SightLine) -> Option<usize> {
        let world = self.wishes.world;
        let center = line.nearest(world.center());
        if !self.is_in_world(center) {
            self.say("that is outside the world");
            return None;
        }
        let shortest = world.size()[..world.dim()].iter().copied().fold(f32::INFINITY, f32::min);
        let radius = RADIUS * shortest;
        self.wishes.place(Spot::new(what, center, radius).brought_in(&world));
        self.say(format!("{} here", article(what)));
        Some(self.wishes.spots.len() - 1)
    }

    /// Takes a spot away.
    pub fn take_away(&mut self, number: usize) {
        if let Some(spot) = self.wishes.remove(number) {
            self.say(format!("the {} is gone", spot.r#use.name()));
        }
    }

    /// Puts something where the mouse was pressed last, or in the middle of the view.
    pub fn put_here(&mut self, what: Use) {
        if let Some(line) = self.here() {
            self.put(what, line);
        }
    }

    /// Puts an obstacle there, or takes away what stands there.
    pub fn put_or_take(&mut self) {
        let Some(line) = self.here() else { return };
        match self.spot_under(line) {
            Some(number) => self.take_away(number),
            None => {
                self.put(Use::Obstacle, line);
            }
        }
    }

    /// Takes away what stands there.
    pub fn take_here(&mut self) {
        let Some(line) = self.here() else { return };
        match self.spot_under(line) {
            Some(number) => self.take_away(number),
            None => self.say("nothing stands here"),
        }
    }

    /// Takes everything away.
    pub fn clear_spots(&mut self) {
        let count = self.wishes.spots.iter().filter(|spot| !spot.is_eaten_up()).count();
        (0..self.wishes.spots.len()).rev().for_each(|number| {
            self.wishes.remove(number);
        });
        self.say(if count == 0 { "nothing stands in the world" } else { "nothing stands in the world any more" });
    }

    /// The spot that a line of sight meets, the one put there last; nobody sees food that is eaten up.
    pub fn spot_under(&self, line: SightLine) -> Option<usize> {
        self.wishes.spots.iter().rposition(|spot| {
            let apart = Vec3::from_array(line.nearest(spot.center)) - Vec3::from_array(spot.center);
            apart.length() <= spot.radius && !spot.is_eaten_up()
        })
    }

    /// Whether a point lies in the world.
    fn is_in_world(&self, point: [f32; 3]) -> bool {
        let world = self.wishes.world;
        if let World::Round(most) = world {
            return Vec3::from_array(point).length() <= most;
        }
        (0..world.dim()).all(|axis| (0.0..=world.size()[axis]).contains(&point[axis]))
    }

    fn here(&self) -> Option<SightLine> {
        self.hands.pressed.or_else(|| self.hands.middle(self.canvas()))
    }
}

fn article(what: Use) -> &'static str {
    match what {
        Use::Obstacle => "an obstacle",
        Use::Food => "food",
        Use::Roost => "a roost",
    }
}
