//! Wilensky 1998, *`NetLogo` Flocking model*, Center for Connected Learning, Northwestern University: its rules and
//! parameters. `NetLogo` updates birds one after another; here all read the same state.

use glam::Vec2;

use super::by_heading::{self, Boid};
use super::{Boids, Dimensions, Keys, ModelRow, Reach};
use crate::sim::math::Wide;
use crate::sim::params::{Model, MoveBy, Params};

/// The row of the model.
pub(super) static ROW: ModelRow = ModelRow {
    model: Model::NetLogo,
    keys: Keys::Only(&["vision.radius", "separation.radius", "netlogo.align", "netlogo.cohere", "netlogo.separate"]),
    groups: &["netlogo", "vision"],
    dimensions: Dimensions::Two,
    reach: |params| Reach::of(params.vision.radius),
    advance: [advance, advance],
    ..by_heading::BASE
};

fn advance(boids: Boids<'_, '_>) {
    by_heading::advance(boids, MoveBy::New, next_heading);
}

/// If the nearest bird within `vision.radius` is nearer than `separation.radius`, a turn away from its *heading*.
/// Otherwise a turn toward the mean heading of all in sight, then one toward the mean direction to them. Each turn has a
/// limit. Of equally near birds the one with the lowest id counts.
fn next_heading(boid: &Boid<'_, 2>, params: &Params) -> Wide<f32, 2> {
    let (mut headings, mut directions) = (Wide::zero(), Wide::zero());
    let mut nearest: Option<(f32, u32, Wide<f32, 2>)> = None;
    boid.neighbors(params.vision.radius, |other| {
        headings += other.heading;
        directions += other.offset.unit().0;
        if nearest.is_none_or(|(d2, id, _)| (other.d2, other.id) < (d2, id)) {
            nearest = Some((other.d2, other.id, other.heading));
        }
    });
    let own = boid.heading;
    match nearest {
        None => own,
        Some((d2, _, heading)) if d2 < params.separation.radius * params.separation.radius => {
            turn(own, -angle_between(own, heading), params.netlogo.separate)
        }
        Some(_) => {
            let aligned = turn_toward(own, headings, params.netlogo.align);
            turn_toward(aligned, directions, params.netlogo.cohere)
        }
    }
}

/// Turns a heading toward a sum of unit vectors; a sum of zero has no direction.
fn turn_toward(heading: Wide<f32, 2>, sum: Wide<f32, 2>, max: f32) -> Wide<f32, 2> {
    let (direction, nonzero) = sum.unit();
    if nonzero { turn(heading, angle_between(heading, direction), max) } else { heading }
}

/// Turns a heading by an angle in radians, at most by `max` degrees to either side.
fn turn(heading: Wide<f32, 2>, angle: f32, max: f32) -> Wide<f32, 2> {
    let max = max.to_radians();
    let turned = Vec2::from_angle(angle.clamp(-max, max)).rotate(Vec2::new(heading[0], heading[1]));
    // Keeps the length at 1 over many ticks.
    Wide([turned.x, turned.y]).unit().0
}

/// The signed angle between two headings, in radians.
fn angle_between(from: Wide<f32, 2>, to: Wide<f32, 2>) -> f32 {
    libm::atan2f(from[0] * to[1] - from[1] * to[0], from.dot(to))
}
