//! Agents one by one: their bodies, and what of them is drawn that is no sum.

use glam::Vec2;

use super::shapes;
use super::shapes::{BodyPose, BodySize};
use crate::canvas::camera::Camera;
use crate::canvas::picture::quantize::{coarse_heading, coarse_level, compass, level};
use crate::canvas::picture::{Cell, Content, Picture};
use crate::sim::{Flock, Kind};

/// How many dots the largest body reaches from its middle.
const REACH: f32 = 12.0;

/// Draws the boids' bodies around their heads.
pub(crate) fn boids(flock: &Flock, camera: &Camera, size: BodySize, picture: &mut Picture) {
    for agent in agents(flock, Kind::Prey) {
        let spot = camera.project(agent.position);
        let Some(size) = size.seen(spot.size).filter(|_| picture.holds(spot.at, REACH)) else { continue };
        let heading = camera.heading(agent.velocity);
        let wings = shapes::beat(flock.tick(), agent.id, false);
        let pose = BodyPose { at: spot.at, heading: unit(heading), wings };
        let flies = flies(flock, &agent, heading, spot.depth);
        shapes::boid(pose, size, |dot| {
            let Some((cell, bit)) = picture.locate(dot.x, dot.y) else { return };
            let cell = picture.cells.draw(cell);
            cell.dots |= bit;
            // What stands alone in its cell takes its color from its own boid.
            if cell.content == Content::Empty {
                cell.content = Content::Prey;
                (cell.heading, cell.speed, cell.depth) = flies;
                cell.species = flock.params().species_of(agent.id);
                cell.alarm = alarm_step(agent.alarm);
            }
        });
    }
}

/// Marks the cells of those who lead.
pub(crate) fn leaders(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for leader in agents(flock, Kind::Prey).filter(|agent| flock.params().is_leader(agent.id)) {
        let spot = camera.project(leader.position).at;
        if let Some((cell, _)) = picture.locate(spot.x, spot.y) {
            picture.cells.draw(cell).leads = true;
        }
    }
}

/// Draws the predators over the boids: a cell that one of them touches shows nobody else.
pub(crate) fn predators(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for agent in agents(flock, Kind::Predator) {
        let spot = camera.project(agent.position);
        let heading = camera.heading(agent.velocity);
        let wings = shapes::beat(flock.tick(), agent.id, true);
        let pose = BodyPose { at: spot.at, heading: heading.try_normalize().unwrap_or(Vec2::X), wings };
        let head = picture.locate(spot.at.x, spot.at.y).map(|(cell, _)| cell);
        let flies = flies(flock, &agent, heading, spot.depth);
        shapes::predator(pose, |dot| {
            let Some((at, bit)) = picture.locate(dot.x, dot.y) else { return };
            let cell = picture.cells.draw(at);
            if cell.content != Content::Predator {
                (cell.content, cell.dots, cell.count) = (Content::Predator, 0, 0);
            }
            cell.dots |= bit;
            cell.alarm = 0;
            (cell.heading, cell.speed, cell.depth) = flies;
        });
        if let Some(cell) = head {
            picture.cells.draw(cell).count += 1;
        }
    }
}

/// Heading, speed and depth of one agent, as a [`Cell`] has them.
fn flies(flock: &Flock, agent: &Agent, heading: Vec2, depth: f32) -> (u8, u8, u8) {
    (coarse_heading(compass(heading.x, heading.y)), coarse_level(pace(flock, agent.speed())), level(depth))
}

/// One agent, as the canvas sees it.
pub(crate) struct Agent {
    pub(crate) id: u32,
    pub(crate) position: [f32; 3],
    pub(crate) velocity: [f32; 3],
    pub(crate) alarm: f32,
}

impl Agent {
    pub(crate) fn speed(&self) -> f32 {
        let [x, y, z] = self.velocity;
        (x * x + y * y + z * z).sqrt()
    }
}

/// The agents of a kind, one by one; over all boids of a large flock [`lens::look`](crate::canvas::raster::projection::look)
/// is faster.
pub(crate) fn agents(flock: &Flock, kind: Kind) -> impl Iterator<Item = Agent> {
    /// So many are passed over at once where none is of the kind: predators are few.
    const RUN: usize = 64;
    let agents = flock.agents();
    let runs = agents.kinds().chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, kinds)| kinds.iter().fold(0, |any, of| any | u8::from(*of == kind)) > 0);
    let places = runs.flat_map(|(run, kinds)| kinds.iter().enumerate().map(move |(at, of)| (run * RUN + at, *of)));
    places.filter(move |(_, of)| *of == kind).map(move |(index, _)| Agent {
        id: agents.ids()[index],
        position: agents.position_array(index),
        velocity: agents.velocity_array(index),
        alarm: agents.mood(index).max(0.0),
    })
}

/// The unit vector along a heading; 0 for none. `glam`'s own takes its root from a library call.
#[inline]
pub(crate) fn unit(heading: Vec2) -> Vec2 {
    let length = heading.length_squared();
    if length > 0.0 { heading * (1.0 / f32::sqrt(length)) } else { Vec2::ZERO }
}

/// An alarm as one of few steps; the least is seen only by who knows it.
pub(crate) fn alarm_step(alarm: f32) -> u8 {
    (alarm * f32::from(Cell::ALARMS) + 0.6) as u8
}

/// A speed as a place between the flock's least and most.
pub(crate) fn pace(flock: &Flock, speed: f32) -> u8 {
    let limits = flock.params().speed;
    level((speed - limits.min) / (limits.max - limits.min).max(1e-6))
}
