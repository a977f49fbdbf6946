//! Contract: the table of modules in `src/lib.rs` is true. Each module imports exactly the modules that the table names, and
//! the imports have no cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules that each module imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn names_in_backticks(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split('`').skip(1).step_by(2).map(str::to_owned)
}

fn documented() -> Imports {
    let page = fs::read_to_string(source().join("lib.rs")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | ")).skip(2);
    rows.map(|row| {
        let columns: Vec<&str> = row.split(" | ").collect();
        (names_in_backticks(columns[0]).next().unwrap(), names_in_backticks(columns[2]).collect())
    })
    .collect()
}

/// The files of a module, without its tests.
fn files(module: &str) -> Vec<PathBuf> {
    let mut found = vec![source().join(format!("{module}.rs"))];
    let mut folders = vec![source().join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.exists());
    found
}

/// The first names after each `crate::`, also inside braces, outside comments and unit tests.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let code: String = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let name = |text: &str| {
        text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect::<String>()
    };
    let mut names = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            names.insert(name(after));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for character in list.chars() {
            match character {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.extend([name(std::mem::take(&mut item).trim())]),
                character => item.push(character),
            }
        }
        names.insert(name(item.trim()));
    }
    names
}

#[test]
fn modules_import_what_the_table_says() {
    let page = fs::read_to_string(source().join("lib.rs")).unwrap();
    let declared = page.lines().filter_map(|line| {
        line.trim_start_matches("pub ").trim_start_matches("pub(crate) ").strip_prefix("mod ")?.strip_suffix(';')
    });
    let modules: BTreeSet<String> = declared.map(str::to_owned).collect();
    let imported = |module: &String| {
        let names: BTreeSet<String> =
            files(module).iter().flat_map(|path| imports(&fs::read_to_string(path).unwrap())).collect();
        names.into_iter().filter(|name| name != module && modules.contains(name)).collect()
    };
    let found: Imports = modules.iter().map(|module| (module.clone(), imported(module))).collect();
    assert!(found.len() == 9 && found["viewer"].len() > 4, "{found:?}");
    assert_eq!(documented(), found);
}

#[test]
fn imports_have_no_cycle() {
    let mut remaining = documented();
    while !remaining.is_empty() {
        let free: Vec<String> =
            remaining.iter().filter(|(_, imports)| imports.is_empty()).map(|(name, _)| name.clone()).collect();
        assert!(!free.is_empty(), "these modules import each other: {remaining:?}");
        for module in free {
            remaining.remove(&module);
            for imports in remaining.values_mut() {
                imports.remove(&module);
            }
        }
    }
}
