//! What lies under a dot of the canvas.

use glam::Vec3;

/// A line of sight into the world; in a flat one a point of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// A point on it, in u, as far away as the one in the middle of the view.
    pub at: [f32; 3],
    /// Where it goes from there into the depth: a unit vector, 0 in a flat world.
    pub along: [f32; 3],
}

impl Ray {
    /// The point of it that is nearest to another one, in u.
    #[must_use]
    pub fn nearest(self, to: [f32; 3]) -> [f32; 3] {
        let (at, along) = (Vec3::from_array(self.at), Vec3::from_array(self.along));
        let length = along.length_squared();
        let far = if length > 0.0 { (Vec3::from_array(to) - at).dot(along) / length } else { 0.0 };
        (at + along * far).to_array()
    }
}
