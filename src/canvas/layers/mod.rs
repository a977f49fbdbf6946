//! Layers.

pub(crate) mod bodies;
pub(crate) mod glow;
pub(crate) mod heat;
pub(crate) mod minimap;
pub(crate) mod scenery;
pub(crate) mod shapes;
pub(crate) mod trails;
