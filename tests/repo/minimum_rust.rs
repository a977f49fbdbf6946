//! Contract: nothing that flockscope is built from asks for a newer Rust than `Cargo.toml` promises.

use std::process::Command;

use serde_json::Value;

/// A version of Rust as numbers that compare.
fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|part| part.parse().unwrap()).chain([0, 0]).take(3).collect()
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(metadata.status.success(), "{}", String::from_utf8_lossy(&metadata.stderr));
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let promised = version(env!("CARGO_PKG_RUST_VERSION"));
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "{} packages", packages.len());
    let newer: Vec<String> = packages
        .iter()
        .filter(|package| package["rust_version"].as_str().is_some_and(|needs| version(needs) > promised))
        .map(|package| format!("{} {}: {}", package["name"], package["version"], package["rust_version"]))
        .collect();
    assert!(newer.is_empty(), "these need more than Rust {promised:?}: {newer:#?}");
}
