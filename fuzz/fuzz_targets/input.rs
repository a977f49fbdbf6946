#![no_main]

use flockscope_fuzz::input;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| input::body(data));
