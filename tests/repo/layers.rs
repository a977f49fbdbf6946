//! Contract: the map of the house at the top of the library is true. Each room knows the rooms that it names, and no
//! others, and none knows itself by way of another.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms that each room knows.
type Map = BTreeMap<String, BTreeSet<String>>;

fn text_of(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The names that stand in backticks.
fn quoted(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

/// The map, as the library's first page has it.
fn told(root: &Path) -> Map {
    let page = text_of(&root.join("lib.rs"));
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | ")).skip(2);
    rows.map(|row| {
        let columns: Vec<&str> = row.split(" | ").collect();
        (quoted(columns[0]).next().unwrap(), quoted(columns[2]).collect())
    })
    .collect()
}

/// The files of a room but for its tests.
fn files(source: &Path, room: &str) -> Vec<PathBuf> {
    let mut found = vec![source.join(format!("{room}.rs"))];
    let mut folders = vec![source.join(room)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.exists());
    found
}

/// What a file takes from the crate: the first names behind `crate::`, also of those in braces.
fn taken(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let name = |text: &str| text.chars().take_while(|sign| sign.is_alphanumeric() || *sign == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            names.insert(name(after));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for sign in list.chars() {
            match sign {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.extend([name(std::mem::take(&mut item).trim())]),
                sign => item.push(sign),
            }
        }
        names.insert(name(item.trim()));
    }
    names
}

#[test]
fn the_map_tells_who_knows_whom() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let page = text_of(&root.join("lib.rs"));
    let modules =
        page.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    let rooms: BTreeSet<String> = modules.map(str::to_owned).collect();
    let known = |room: &String| {
        let names: BTreeSet<String> = files(&root, room).iter().flat_map(|path| taken(&text_of(path))).collect();
        names.into_iter().filter(|name| name != room && rooms.contains(name)).collect()
    };
    let found: Map = rooms.iter().map(|room| (room.clone(), known(room))).collect();
    assert!(found.len() > 15 && found["tui"].len() > 4, "{found:?}");
    assert_eq!(told(&root), found);
}

#[test]
fn the_rooms_form_no_circle() {
    let mut map = told(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    // Again and again those leave who know nobody that is still there.
    while !map.is_empty() {
        let free: Vec<String> =
            map.iter().filter(|(_, known)| known.is_empty()).map(|(room, _)| room.clone()).collect();
        assert!(!free.is_empty(), "these know each other: {map:?}");
        for room in free {
            map.remove(&room);
            for known in map.values_mut() {
                known.remove(&room);
            }
        }
    }
}
