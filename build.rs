//! The presets and themes that are built in, and what the program says of its own making: commit, target,
//! compiler. What of the latter is not to be had is left out.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() -> io::Result<()> {
    shelve("src/config/presets/builtin", "presets.rs")?;
    shelve("themes", "themes.rs")?;
    tell("BUILD_TARGET", env::var("TARGET").ok());
    tell("BUILD_RUSTC", env::var("RUSTC").ok().and_then(|rustc| said(&rustc, &["--version"])));
    let commit = packed_commit().or_else(commit);
    tell("BUILD_DATE", commit.as_ref().and_then(|commit| commit.split(' ').nth(1)).map(str::to_owned));
    tell("BUILD_COMMIT", commit);
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Writes a list of a folder's files, a name and a text for each: first those that its `order.txt` names, then the
/// others by name. So a new one is a file, and no more.
fn shelve(folder: &str, list: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={folder}");
    let order = fs::read_to_string(Path::new(folder).join("order.txt"))?;
    let place = |name: &str| order.lines().position(|line| line == name).unwrap_or(usize::MAX);
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let files =
        entries.into_iter().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let mut shelf: Vec<(String, PathBuf)> =
        files.filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path.canonicalize().ok()?))).collect();
    shelf.sort_by_cached_key(|(name, _)| (place(name), name.clone()));
    // Quoted as Rust quotes it.
    let row =
        |(name, path): &(String, PathBuf)| path.to_str().map(|path| format!("({name:?}, include_str!({path:?})),"));
    let rows: Option<Vec<String>> = shelf.iter().map(row).collect();
    let rows = rows.ok_or(io::ErrorKind::InvalidFilename)?.join("\n");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join(list), format!("&[\n{rows}\n]\n"))
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
