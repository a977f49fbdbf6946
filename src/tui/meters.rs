//! What goes over the wire.

/// How often the terminal is looked at, and how much goes over the wire.
#[derive(Clone, Copy, Debug, Default)]
pub struct Meters {
    /// Frames a second, as drawn.
    pub frames_per_second: f32,
    /// Bytes a second, as written.
    pub bytes_per_second: f32,
}
