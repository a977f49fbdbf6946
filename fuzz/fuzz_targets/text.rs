#![no_main]

use flockscope_fuzz::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| text::body(data));
