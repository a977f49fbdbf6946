#![no_main]

use flockscope_fuzz::keys;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| keys::body(data));
