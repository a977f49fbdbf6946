//! Neighbors.

pub(crate) mod cap;
pub(crate) mod cell_list;
pub(crate) mod coincidence;
pub(crate) mod field_of_view;
pub(crate) mod filtered_kernel;
pub(crate) mod grid;
pub(crate) mod kernel;
pub(crate) mod perceived;
pub(crate) mod query;
pub(crate) mod scalar_fallback;
pub(crate) mod search_limits;
pub(crate) mod simd;
pub(crate) mod species;
pub(crate) mod topological;
