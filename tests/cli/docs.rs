//! The generated reference pages in `docs/`.

use std::fs;
use std::path::Path;

use flockscope::commands::docs::pages;
use tempfile::TempDir;

use crate::program::says;

#[test]
fn the_reference_pages_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, text) in pages() {
        let committed = fs::read_to_string(folder.join(name)).unwrap();
        assert!(committed == text, "docs/{name} is out of date; run `cargo run -- docs docs`");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.starts_with("https://")) {
            assert!(folder.join(link).exists(), "docs/{name} links to {link}");
        }
    }
}

#[test]
fn the_command_writes_the_pages() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path().join("new");
    assert_eq!(says(&["docs", folder.to_str().unwrap()]), "");
    for (name, text) in pages() {
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), text, "{name}");
    }
}
