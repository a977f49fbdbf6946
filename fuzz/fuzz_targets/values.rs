#![no_main]

use flockscope_fuzz::values;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| values::body(data));
