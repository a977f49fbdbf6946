//! Documents: links, pictures and named files exist, the book lists every page, pages are short, and the README stays short and light.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use flockscope::viewer::{Action, Keymap};

const README: &str = include_str!("../../README.md");
/// References, which are looked up and not read, and the methods of `fit`.
const LONG_PAGES: [&str; 9] =
    ["fit", "keys", "layouts", "measures", "models", "parameters", "presets", "reproduced", "themes"];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Whether the tests update the documents instead of comparing them.
pub fn is_update() -> bool {
    env::var("INSTA_UPDATE").is_ok_and(|mode| mode == "always")
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
    let anchors = headings.map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|character| character.is_alphanumeric() || "-_".contains(*character)).collect()
    });
    anchors.collect()
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

/// `a/{b,c}.rs` names `a/b.rs` and `a/c.rs`.
fn files_of(name: &str) -> Vec<String> {
    let Some((start, rest)) = name.split_once('{') else { return vec![name.to_owned()] };
    let (names, end) = rest.split_once('}').unwrap();
    names.split(',').map(|name| format!("{start}{name}{end}")).collect()
}

#[test]
fn files_that_are_named_exist() {
    let mut documents = pages();
    documents.push(root().join("CONTRIBUTING.md"));
    let mut count = 0;
    for document in documents {
        let text = fs::read_to_string(&document).unwrap();
        let code = text.split('`').skip(1).step_by(2).filter(|code| !code.contains(char::is_whitespace));
        let folders = ["src/", "crates/", "tests/", "docs/", ".ci/"];
        let paths = code.filter(|code| folders.iter().any(|folder| code.starts_with(folder)));
        for file in paths.flat_map(files_of) {
            assert!(root().join(&file).exists(), "{} names {file}", document.display());
            count += 1;
        }
    }
    assert!(count > 60, "{count} files");
}

#[test]
fn pages_are_short_unless_they_are_references() {
    for page in pages() {
        let name = page.file_stem().unwrap().to_str().unwrap();
        let words = fs::read_to_string(&page).unwrap().split_whitespace().count();
        assert!(
            words <= 2000 || LONG_PAGES.contains(&name),
            "docs/{name}.md has {words} words; a page has at most 2000"
        );
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
