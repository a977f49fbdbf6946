//! Vectors, random numbers, sums with a fixed order, and work on several threads.

pub(crate) mod metric;
pub(crate) mod parallel;
pub(crate) mod random;
pub(crate) mod totals;
pub(crate) mod trigonometry;
pub(crate) mod vector;
pub(crate) mod wide;
