//! Contract: the README's tables are the program's own.

use flockscope::config::{Preset, Theme};
use flockscope::sim::Param;
use flockscope::viewer::{Action, BaseKeymap, Keymap};

const README: &str = include_str!("../../README.md");

/// Where a table is not to be found, says how it should read.
fn stands(head: &str, rows: impl Iterator<Item = String>) {
    let rule = format!("|{}", " --- |".repeat(head.matches('|').count() - 1));
    let lines: Vec<String> = [head.to_owned(), rule].into_iter().chain(rows).collect();
    let table = lines.join("\n");
    assert!(README.contains(&table), "the README lacks this table as it should be:\n\n{table}\n");
}

fn code(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}

#[test]
fn keys() {
    let keymap = Keymap::default();
    let row =
        |action: &Action| format!("| {} | `{}` | {} |", code(&keymap.keys(*action)), action.id(), action.sentence());
    stands("| keys | action | what it does |", Action::ALL.iter().map(row));
}

#[test]
fn bases() {
    let row = |base: BaseKeymap| {
        let keymap = Keymap::from_base(base);
        let rows = base.rows().iter();
        let rows: Vec<String> =
            rows.map(|(action, _)| format!("`{}`: {}", action.id(), code(&keymap.keys(*action)))).collect();
        let says = if rows.is_empty() { "the table above".to_owned() } else { rows.join(" · ") };
        format!("| `{}` | {says} |", base.name())
    };
    stands("| base | what it says otherwise |", BaseKeymap::ALL.into_iter().map(row));
}

#[test]
fn parameters() {
    let row = |row: &Param| {
        let unit = if row.unit().is_empty() { String::new() } else { format!(" {}", row.unit()) };
        format!("| `{}` | {}{unit} | {} | {} |", row.key, row.default(), row.range(), row.summary)
    };
    stands("| key | default | takes | what it does |", Param::table().iter().map(row));
}

#[test]
fn presets() {
    let row = |preset: Preset| {
        let counts = format!("{} + {}", preset.boids, preset.predators);
        format!("| `{}` | {counts} | {} | {} |", preset.name, preset.summary, preset.source)
    };
    stands("| preset | boids + predators | what one sees | source |", Preset::builtin().into_iter().map(row));
}

#[test]
fn themes() {
    let row = |theme: Theme| {
        let sky = if theme.colors.sky.is_empty() { "" } else { "; a sky" };
        format!("| `{}` | {}{sky} |", theme.name, theme.colors.summary)
    };
    stands("| theme | looks |", Theme::builtin().into_iter().map(row));
}

#[test]
fn pictures() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = README.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let pictures: Vec<&str> = named.filter(|name| name.starts_with("docs/pictures/")).collect();
    assert!(pictures.len() >= 3);
    for picture in pictures {
        let path = folder.join(picture);
        let size = std::fs::metadata(&path).unwrap_or_else(|error| panic!("{picture}: {error}")).len();
        let most = if path.extension().is_some_and(|end| end == "gif") { 1_500_000 } else { 150_000 };
        assert!(size < most, "{picture} has {size} bytes");
    }
}
