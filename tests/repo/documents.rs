//! Documents: links and pictures exist, the book lists every page, and the README stays short and light.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use flockscope::viewer::{Action, Keymap};

const README: &str = include_str!("../../README.md");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// The targets of a document's links, without those to the web.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.starts_with("http")).collect()
}

/// The anchors of a document's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut documents = pages();
    documents.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root().join(name)));
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { document.clone() } else { document.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", document.display());
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.contains(anchor), "{}: {link}", document.display());
            }
        }
    }
}

#[test]
fn the_book_lists_every_page() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: BTreeSet<&str> = links(&summary).into_iter().collect();
    let files = pages();
    let names = files.iter().map(|page| page.file_name().unwrap().to_str().unwrap());
    assert_eq!(listed, names.filter(|name| *name != "SUMMARY.md").collect());
}

#[test]
fn the_citation_has_the_version_of_the_package() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let line = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|other| other == line), "CITATION.cff needs the line `{line}`");
}

#[test]
fn the_readme_says_where_to_get_it() {
    let repository = env!("CARGO_PKG_REPOSITORY");
    for place in [format!("git clone {repository}\n"), format!("({repository}/releases)")] {
        assert!(README.contains(&place), "{place}");
    }
}

#[test]
fn the_readme_is_short_and_its_pictures_are_small() {
    assert!((6_000..=8_192).contains(&README.len()), "{} bytes", README.len());
    let pictures: Vec<&str> = links(README).into_iter().filter(|link| link.starts_with("docs/pictures/")).collect();
    assert!(pictures.len() >= 3);
    for picture in pictures {
        let size = fs::metadata(root().join(picture)).unwrap_or_else(|error| panic!("{picture}: {error}")).len();
        let limit = if Path::new(picture).extension().is_some_and(|extension| extension == "gif") {
            1_500_000
        } else {
            150_000
        };
        assert!(size < limit, "{picture} has {size} bytes");
    }
}

#[test]
fn the_readme_has_the_essential_keys() {
    let keymap = Keymap::default();
    let rows = Action::ESSENTIAL.iter().map(|(actions, words)| {
        let keys: Vec<String> = actions.iter().map(|action| format!("`{}`", keymap.key(*action).unwrap())).collect();
        format!("| {} | {words} |", keys.join(" "))
    });
    let table = rows.collect::<Vec<_>>().join("\n");
    assert!(README.contains(&table), "the README needs the rows\n{table}");
}
