#![no_main]

use flockscope_fuzz::scheme;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| scheme::body(data));
