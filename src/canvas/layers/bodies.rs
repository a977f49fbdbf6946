//! Draws agents one by one: winged boids, predators, and the marks of leaders.

use glam::Vec2;

use super::shapes::{self, BodyPose, BodySize};
use crate::canvas::camera::Camera;
use crate::canvas::picture::Picture;
use crate::canvas::picture::cells::{Cell, Content};
use crate::canvas::picture::quantize::{coarse_heading, coarse_level, heading_byte, unit_byte};
use crate::canvas::raster::projection::unit_or_zero;
use crate::sim::{Flock, Kind};

/// How many dots the largest body extends from its middle.
const REACH: f32 = 12.0;
/// Agents that are skipped together if none of them has the kind.
const RUN: usize = 64;

/// One agent of a flock.
pub(super) struct Agent {
    pub(super) id: u32,
    pub(super) position: [f32; 3],
    pub(super) velocity: [f32; 3],
    pub(super) alarm: f32,
    pub(super) bank: f32,
}

/// The agents of a kind. For all boids of a large flock
/// [`visit_blocks`](crate::canvas::raster::projection::visit_blocks) is faster.
pub(super) fn agents(flock: &Flock, kind: Kind) -> impl Iterator<Item = Agent> {
    let (agents, has_alarms) = (flock.agents(), flock.params().has_alarm());
    let runs = agents.kinds().chunks(RUN).enumerate();
    let runs = runs.filter(move |(_, kinds)| kinds.iter().fold(0, |any, of| any | u8::from(*of == kind)) > 0);
    let kinds = runs.flat_map(|(run, kinds)| kinds.iter().enumerate().map(move |(at, of)| (run * RUN + at, *of)));
    kinds.filter(move |(_, of)| *of == kind).map(move |(index, _)| Agent {
        id: agents.ids()[index],
        position: agents.position_array(index),
        velocity: agents.velocity_array(index),
        // Other moods are no alarm.
        alarm: if has_alarms { agents.alarm(index) } else { 0.0 },
        bank: agents.bank(index),
    })
}

/// An agent's heading and speed, as in [`Cell`].
pub(super) fn motion_bytes(flock: &Flock, camera: &Camera, agent: &Agent) -> (u8, u8) {
    let heading = camera.project_direction(agent.velocity);
    let [x, y, z] = agent.velocity;
    let limits = flock.params().speed;
    let speed = ((x * x + y * y + z * z).sqrt() - limits.min) / (limits.max - limits.min).max(1e-6);
    (coarse_heading(heading_byte(heading.x, heading.y)), coarse_level(unit_byte(speed)))
}

/// Draws winged bodies around the heads of the boids.
pub(crate) fn draw_boids(flock: &Flock, camera: &Camera, size: BodySize, picture: &mut Picture) {
    for agent in agents(flock, Kind::Prey) {
        let point = camera.project(agent.position);
        let size = size.magnified(point.magnification).filter(|_| picture.contains(point.at, REACH));
        let Some(size) = size else { continue };
        let heading = unit_or_zero(camera.project_direction(agent.velocity));
        let pose = BodyPose { at: point.at, heading, wings: shapes::wing_beat(flock.tick(), agent.id, false) };
        let motion = motion_bytes(flock, camera, &agent);
        shapes::boid(pose, size, |dot| {
            let Some((index, bit)) = picture.locate(dot) else { return };
            let cell = picture.cells.draw(index);
            cell.dots |= bit;
            // A cell without heads takes its values from the first boid that reaches into it.
            if cell.content == Content::Empty {
                cell.content = Content::Prey;
                (cell.heading, cell.speed) = motion;
                cell.depth = unit_byte(point.depth);
                cell.species = flock.params().species_of(agent.id);
                cell.alarm = Cell::alarm_level(agent.alarm);
            }
        });
    }
}

/// Marks the cells of leaders.
pub(crate) fn mark_leaders(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for leader in agents(flock, Kind::Prey).filter(|agent| flock.params().is_leader(agent.id)) {
        if let Some((index, _)) = picture.locate(camera.project(leader.position).at) {
            picture.cells.draw(index).leads = true;
        }
    }
}

/// Draws the predators over the boids. A cell with a part of a predator shows nothing else.
pub(crate) fn draw_predators(flock: &Flock, camera: &Camera, picture: &mut Picture) {
    for agent in agents(flock, Kind::Predator) {
        let point = camera.project(agent.position);
        let heading = camera.project_direction(agent.velocity).try_normalize().unwrap_or(Vec2::X);
        let pose = BodyPose { at: point.at, heading, wings: shapes::wing_beat(flock.tick(), agent.id, true) };
        let motion = motion_bytes(flock, camera, &agent);
        shapes::predator(pose, |dot| {
            let Some((index, bit)) = picture.locate(dot) else { return };
            let cell = picture.cells.draw(index);
            if cell.content != Content::Predator {
                (cell.content, cell.dots, cell.count) = (Content::Predator, 0, 0);
            }
            cell.dots |= bit;
            cell.alarm = 0;
            (cell.heading, cell.speed) = motion;
            cell.depth = unit_byte(point.depth);
        });
        if let Some((index, _)) = picture.locate(point.at) {
            picture.cells.draw(index).count += 1;
        }
    }
}
