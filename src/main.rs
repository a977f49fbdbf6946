//! The program: parse, dispatch, report.
fn main() {}
