//! What of the world the canvas is asked to show.

use glam::Vec3;

use crate::sim::{Edge, World};

/// How far one can zoom in.
pub const MAX_ZOOM: f32 = 64.0;
/// How steeply a deep world can be looked at, up or down, in radians.
const STEEPEST: f32 = 1.4;

/// Whom the middle of the view stays with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Follow {
    /// Nobody.
    #[default]
    Nobody,
    /// The boid that was nearest to the middle when this was asked for.
    Middle,
    /// The agent with this id.
    Agent(u32),
    /// The largest flock.
    Largest,
}

/// Where the canvas looks. Unless somebody says otherwise it shows the whole world, and goes slowly
/// around one that is deep.
///
/// In a deep world who zooms in comes nearer: at a zoom above 2.6 the eye is inside the world's ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// How many times larger things are than in the view of the whole world: 1 … [`MAX_ZOOM`].
    pub zoom: f32,
    /// What is in the middle, in u; where there is none the middle of the world.
    pub center: Option<[f32; 3]>,
    /// Who is, instead.
    pub follow: Follow,
    /// From which side a deep world is seen, in radians; else it turns by itself.
    pub yaw: Option<f32>,
    /// From how far below it is seen, in radians; else from where it always is.
    pub pitch: Option<f32>,
}

impl Default for Aim {
    fn default() -> Self {
        Self { zoom: 1.0, center: None, follow: Follow::Nobody, yaw: None, pitch: None }
    }
}

impl Aim {
    /// Whether it is at the whole world.
    #[must_use]
    pub fn shows_whole_world(&self) -> bool {
        self.zoom <= 1.0 && self.center.is_none() && self.follow == Follow::Nobody
    }

    /// The same within bounds: no nearer than one can zoom, and with its middle in the world, around
    /// one that wraps. Who flies in the open is looked for anywhere.
    #[must_use]
    pub fn clamped(self, world: &World, edge: Edge) -> Self {
        let (origin, size) = (Vec3::from_array(world.origin()), Vec3::from_array(world.size()));
        let center = self.center.map(|center| {
            let from_origin = Vec3::from_array(center) - origin;
            let inside = match edge {
                Edge::Open => from_origin,
                Edge::Wrap => around(from_origin, size),
                Edge::Turn | Edge::Push | Edge::Reflect | Edge::Sphere => from_origin.clamp(Vec3::ZERO, size),
            };
            (origin + inside).to_array()
        });
        Self {
            zoom: self.zoom.clamp(1.0, MAX_ZOOM),
            center,
            pitch: self.pitch.map(|pitch| pitch.clamp(-STEEPEST, STEEPEST)),
            ..self
        }
    }
}

/// A place in a world that wraps, counted from its origin; an axis without extent is left alone.
pub(crate) fn around(place: Vec3, size: Vec3) -> Vec3 {
    let around = |at: f32, size: f32| if size > 0.0 { at.rem_euclid(size) } else { at };
    Vec3::new(around(place.x, size.x), around(place.y, size.y), around(place.z, size.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_stays_in_the_world_goes_around_it_or_anywhere() {
        let world = World::Rect([100.0, 50.0]);
        let clamped = |edge| {
            let aim = Aim { zoom: 1e3, center: Some([130.0, -10.0, 0.0]), pitch: Some(9.0), ..Aim::default() };
            let aim = aim.clamped(&world, edge);
            assert_eq!((aim.zoom, aim.pitch), (MAX_ZOOM, Some(STEEPEST)));
            aim.center.unwrap()
        };
        assert_eq!(clamped(Edge::Turn), [100.0, 0.0, 0.0]);
        assert_eq!(clamped(Edge::Wrap), [30.0, 40.0, 0.0]);
        assert_eq!(clamped(Edge::Open), [130.0, -10.0, 0.0]);
    }
}
