//! What the camera is asked to show.

use glam::Vec3;

use crate::sim::{Edge, World};

/// The highest zoom.
pub const MAX_ZOOM: f32 = 64.0;
/// The steepest pitch in radians, up or down.
const MAX_PITCH: f32 = 1.4;

/// What stays in the middle of the view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Nothing: the camera stands still.
    #[default]
    Nobody,
    /// The boid nearest to the middle at the time of the request.
    Middle,
    /// The agent with this id.
    Agent(u32),
    /// The largest group of boids.
    Largest,
}

/// Where the camera looks. The default shows the whole world; in three dimensions it frames the flock and orbits slowly.
///
/// In three dimensions zooming in moves the camera closer, even into the flock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// Magnification relative to the default view: 1 … [`MAX_ZOOM`].
    pub zoom: f32,
    /// The point in the middle of the view, in u; by default the middle of the world, or in three dimensions of the flock.
    pub center: Option<[f32; 3]>,
    /// What to follow instead of `center`.
    pub follow: Follow,
    /// Rotation around the vertical axis, in radians; by default the camera orbits.
    pub yaw: Option<f32>,
    /// How far below the horizon the camera is, in radians; by default a fixed angle.
    pub pitch: Option<f32>,
}

impl Default for Aim {
    fn default() -> Self {
        Self { zoom: 1.0, center: None, follow: Follow::Nobody, yaw: None, pitch: None }
    }
}

impl Aim {
    /// Whether the whole world is in view, or in three dimensions the whole flock.
    #[must_use]
    pub fn shows_whole_world(&self) -> bool {
        self.zoom <= 1.0 && self.center.is_none() && self.follow == Follow::Nobody
    }

    /// The same with zoom and pitch in range and the center in the world, unless the world is open.
    #[must_use]
    pub fn clamped(self, world: &World, edge: Edge) -> Self {
        let (origin, size) = (Vec3::from_array(world.origin()), Vec3::from_array(world.size()));
        let center = self.center.map(|center| {
            let offset = Vec3::from_array(center) - origin;
            let inside = match edge {
                Edge::Open => offset,
                Edge::Wrap => wrap(offset, size),
                Edge::Turn | Edge::Push | Edge::Reflect | Edge::Sphere => offset.clamp(Vec3::ZERO, size),
            };
            (origin + inside).to_array()
        });
        Self {
            zoom: self.zoom.clamp(1.0, MAX_ZOOM),
            center,
            pitch: self.pitch.map(|pitch| pitch.clamp(-MAX_PITCH, MAX_PITCH)),
            ..self
        }
    }
}

/// Wraps a position, relative to the world's origin, into a torus. Axes of size 0 stay as they are.
pub(super) fn wrap(position: Vec3, size: Vec3) -> Vec3 {
    Vec3::select(size.cmpgt(Vec3::ZERO), position.rem_euclid(size), position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamps_the_center_by_edge_mode() {
        let center = |edge| {
            let aim = Aim { zoom: 1e3, center: Some([130.0, -10.0, 0.0]), pitch: Some(9.0), ..Aim::default() };
            let aim = aim.clamped(&World::Rect([100.0, 50.0]), edge);
            assert_eq!((aim.zoom, aim.pitch), (MAX_ZOOM, Some(MAX_PITCH)));
            aim.center.unwrap()
        };
        assert_eq!(center(Edge::Turn), [100.0, 0.0, 0.0]);
        assert_eq!(center(Edge::Wrap), [30.0, 40.0, 0.0]);
        assert_eq!(center(Edge::Open), [130.0, -10.0, 0.0]);
    }
}
