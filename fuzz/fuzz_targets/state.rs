#![no_main]

use flockscope_fuzz::state;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| state::body(data));
