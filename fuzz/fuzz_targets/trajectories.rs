#![no_main]

use flockscope_fuzz::trajectories;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| trajectories::body(data));
