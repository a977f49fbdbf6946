#![no_main]

use flockscope_fuzz::theme;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| theme::body(data));
