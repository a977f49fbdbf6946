//! What the program says of its own making: commit, target, compiler. Nothing here can fail a build.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    tell("MADE_TARGET", env::var("TARGET").ok());
    tell("MADE_RUSTC", env::var("RUSTC").ok().and_then(|rustc| said(&rustc, &["--version"])));
    let commit = packed_commit().or_else(commit);
    tell("MADE_DAY", commit.as_ref().and_then(|commit| commit.split(' ').nth(1)).map(str::to_owned));
    tell("MADE_COMMIT", commit);
    println!("cargo::rerun-if-changed=build.rs");
}

fn tell(name: &str, value: Option<String>) {
    println!("cargo::rustc-env={name}={}", value.unwrap_or_default());
}

/// The commit that a packed crate was made of. It comes first: a crate may be unpacked inside somebody's
/// own repository.
fn packed_commit() -> Option<String> {
    let file = Path::new(".cargo_vcs_info.json");
    if !file.exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={}", file.display());
    let text = std::fs::read_to_string(file).ok()?;
    let digits = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
    digits.get(..9).map(str::to_owned)
}

/// The commit of this folder, and its day; with a `+` where the sources are not that commit's.
fn commit() -> Option<String> {
    // What is built for oneself is built all the time: each commit would build it again for a line.
    if env::var("PROFILE").ok()? != "release" {
        return None;
    }
    // Another's repository, that this folder only lies in, is not asked.
    said("git", &["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = said("git", &["show", "--no-patch", "--abbrev=9", "--format=%h %cs", "HEAD"])?;
    let changed = said("git", &["status", "--porcelain", "--untracked-files=no", "--", "."])?;
    for path in ["HEAD", "logs/HEAD"] {
        let path = said("git", &["rev-parse", "--git-path", path])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for sources in ["src", "themes", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    Some(if changed.is_empty() { commit } else { commit.replacen(' ', "+ ", 1) })
}

/// What a program says, where it succeeds.
fn said(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
