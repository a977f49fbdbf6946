#![no_main]

use flockscope_fuzz::config;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| config::body(data));
