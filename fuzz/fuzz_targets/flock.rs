#![no_main]

use flockscope_fuzz::flock;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| flock::body(data));
