//! Programs that tests need beside flockscope: no test without its program is skipped in silence.
#![allow(dead_code, reason = "each file of tests uses a part of it")]

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread;

/// Whether this command succeeds, so that its program is there. On Linux, where `.ci/tools` installs it, CI fails without it.
pub fn has(program: &str, args: &[&str]) -> bool {
    let found = Command::new(program).args(args).output().is_ok_and(|output| output.status.success());
    if !found {
        let must_have = cfg!(target_os = "linux") && env::var_os("CI").is_some_and(|value| !value.is_empty());
        assert!(!must_have, "{program} {} fails, and CI must have it: see .ci/tools", args.join(" "));
        skip(&format!("{program} {} fails", args.join(" ")));
    }
    found
}

pub fn has_numpy() -> bool {
    has("python3", &["-c", "import numpy"])
}

/// Notes that the current test skips something, for the list that `.ci/run` prints.
pub fn skip(reason: &str) {
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join("skipped-tests.txt");
    let line = format!("{}: {reason}\n", thread::current().name().unwrap_or("a test"));
    // In one write: tests run at the same time.
    OpenOptions::new().create(true).append(true).open(list).unwrap().write_all(line.as_bytes()).unwrap();
}
