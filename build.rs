//! Lists the built-in presets and themes, and passes commit, target and compiler to the program, as far as they are
//! known.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

fn main() -> io::Result<()> {
    list_files("src/config/presets/builtin", "presets.rs")?;
    list_files("themes", "themes.rs")?;
    set_variable("BUILD_TARGET", env::var("TARGET").ok());
    set_variable("BUILD_RUSTC", env::var("RUSTC").ok().and_then(|rustc| output(&rustc, &["--version"])));
    let commit = packaged_commit().or_else(git_commit);
    set_variable("BUILD_DATE", commit.as_ref().and_then(|commit| commit.split(' ').nth(1)).map(str::to_owned));
    set_variable("BUILD_COMMIT", commit);
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// Writes the names, texts and headings of a folder's TOML files as a Rust slice: the files in `order.txt` first, below the
/// headings that start with `#` there, then the others by name. To add a file to the program, it is enough to add it to the
/// folder.
fn list_files(folder: &str, list: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={folder}");
    let order = fs::read_to_string(Path::new(folder).join("order.txt"))?;
    let rank = |name: &str| order.lines().position(|line| line == name).unwrap_or(usize::MAX);
    let heading =
        |rank: usize| order.lines().take(rank).filter_map(|line| line.strip_prefix("# ")).last().unwrap_or("");
    let mut files: Vec<(String, String)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize()?;
        if let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".toml")) {
            files.push((name.to_owned(), path.to_str().ok_or(io::ErrorKind::InvalidFilename)?.to_owned()));
        }
    }
    files.sort_by_cached_key(|(name, _)| (rank(name), name.clone()));
    let rows = files.iter().map(|(name, path)| {
        let heading = heading(rank(name));
        format!("BuiltinFile {{ name: {name:?}, text: include_str!({path:?}), heading: {heading:?} }},\n")
    });
    let rows: String = rows.collect();
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join(list), format!("&[\n{rows}]\n"))
}

/// Sets an environment variable for `env!`; empty if the value is unknown.
fn set_variable(name: &str, value: Option<String>) {
    println!("cargo::rustc-env={name}={}", value.unwrap_or_default());
}

/// The commit of a packaged crate. Checked before git: the crate may be unpacked inside another repository.
fn packaged_commit() -> Option<String> {
    let file = ".cargo_vcs_info.json";
    if !Path::new(file).exists() {
        return None;
    }
    println!("cargo::rerun-if-changed={file}");
    let text = fs::read_to_string(file).ok()?;
    let hash = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
    hash.get(..9).map(str::to_owned)
}

/// The commit of the working tree and its date, with `+` after the hash if the sources are modified.
fn git_commit() -> Option<String> {
    // Only for releases: otherwise each commit would cause a rebuild.
    if env::var("PROFILE").ok()? != "release" {
        return None;
    }
    // Ignore a surrounding repository that does not contain this crate.
    output("git", &["ls-files", "--error-unmatch", "build.rs"])?;
    let commit = output("git", &["show", "--no-patch", "--abbrev=9", "--format=%h %cs", "HEAD"])?;
    let changes = output("git", &["status", "--porcelain", "--untracked-files=no", "--", "."])?;
    for path in ["HEAD", "logs/HEAD"] {
        let path = output("git", &["rev-parse", "--git-path", path])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    for sources in ["src", "crates", "themes", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    Some(if changes.is_empty() { commit } else { commit.replacen(' ', "+ ", 1) })
}

/// The standard output of a command, if it succeeds.
fn output(program: &str, args: &[&str]) -> Option<String> {
    let output = Command::new(program).args(args).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
