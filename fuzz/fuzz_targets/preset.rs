#![no_main]

use flockscope_fuzz::preset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| preset::body(data));
