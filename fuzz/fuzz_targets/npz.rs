#![no_main]

use flockscope_fuzz::npz;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| npz::body(data));
