#![no_main]

use flockscope_fuzz::session;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| session::body(data));
