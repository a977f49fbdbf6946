//! The generated reference pages in `docs/`.

use std::fs;
use std::path::Path;

use flockscope::commands::docs::pages;
use tempfile::TempDir;

use crate::program::says;

#[test]
fn the_reference_pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, text) in pages(&folder) {
        let committed = fs::read_to_string(folder.join(name)).unwrap();
        assert!(committed == text, "docs/{name} is out of date; run `cargo run -- docs docs`");
    }
}

#[test]
fn the_command_writes_the_pages() {
    let folder = TempDir::new().unwrap();
    assert_eq!(says(&["docs", folder.path().to_str().unwrap()]), "");
    for (name, text) in pages(folder.path()) {
        assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), text, "{name}");
    }
}
