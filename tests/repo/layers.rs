//! Contract: the table of modules in `src/lib.rs` is true. Each module imports exactly the modules that the table names, and
//! the imports have no cycle, neither between modules nor between the subfolders and files of a module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, or the parts of a module, that each one imports.
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

/// The code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text);
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// The first names after each occurrence of a path such as `crate::`, also inside braces.
fn names_after(code: &str, path: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(path) {
        // Part of a longer path, such as `super::super::`.
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_' || before == ':') {
            continue;
        }
        let after = &code[at + path.len()..];
        let Some(list) = after.strip_prefix('{') else {
            names.insert(first_name(after));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for character in list.chars() {
            match character {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => names.extend([first_name(std::mem::take(&mut item).trim())]),
                character => item.push(character),
            }
        }
        names.insert(first_name(item.trim()));
    }
    names
}

/// The parts of a module that re-exported names come from.
fn re_exports(code: &str) -> BTreeMap<String, String> {
    let mut origins = BTreeMap::new();
    for statement in code.split("pub").skip(1).filter_map(|text| {
        let text = text.strip_prefix("(crate)").unwrap_or(text);
        text.trim_start().strip_prefix("use ")?.split(';').next()
    }) {
        let path = statement.trim_start_matches("self::");
        let Some((part, names)) = path.split_once("::") else { continue };
        for name in names.split(['{', '}', ',', ':']).map(str::trim).filter(|name| !name.is_empty()) {
            let name = name.rsplit(' ').next().unwrap_or(name);
            origins.insert(name.to_owned(), part.to_owned());
        }
    }
    origins
}

/// The imports between the subfolders and files of a module.
fn parts(module: &str) -> Imports {
    let root = source().join(module);
    let own = root.join("mod.rs");
    let origins = if own.exists() { re_exports(&code(&own)) } else { BTreeMap::new() };
    let part_of = |path: &Path| -> Option<(String, usize)> {
        let inside = path.strip_prefix(&root).ok()?;
        let depth = inside.components().count() - usize::from(inside.ends_with("mod.rs"));
        (depth > 0).then(|| (first_name(&inside.components().next().unwrap().as_os_str().to_string_lossy()), depth))
    };
    let files: Vec<_> = files(module).into_iter().filter_map(|path| Some((part_of(&path)?, path))).collect();
    let mut imports: Imports = files.iter().map(|((part, _), _)| (part.clone(), BTreeSet::new())).collect();
    for ((part, depth), path) in &files {
        let code = code(path);
        let paths = [format!("crate::{module}::"), "super::".repeat(*depth)];
        let names = paths.iter().flat_map(|path| names_after(&code, path));
        let resolved = names.filter_map(|name| {
            let is_part = files.iter().any(|((part, _), _)| *part == name);
            if is_part { Some(name) } else { origins.get(&name).or_else(|| origins.get("*")).cloned() }
        });
        let found: BTreeSet<String> = resolved.filter(|name| name != part && imports.contains_key(name)).collect();
        imports.entry(part.clone()).or_default().extend(found);
    }
    imports
}

/// The imports that remain after repeatedly removing each name that imports nothing.
fn cycles(mut imports: Imports) -> Imports {
    loop {
        let free: Vec<String> =
            imports.iter().filter(|(_, imports)| imports.is_empty()).map(|(name, _)| name.clone()).collect();
        if free.is_empty() {
            return imports;
        }
        for name in free {
            imports.remove(&name);
            for others in imports.values_mut() {
                others.remove(&name);
            }
        }
    }
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
            files(module).iter().flat_map(|path| names_after(&code(path), "crate::")).collect();
        names.into_iter().filter(|name| name != module && modules.contains(name)).collect()
    };
    let found: Imports = modules.iter().map(|module| (module.clone(), imported(module))).collect();
    assert!(found.len() == 9 && found["viewer"].len() > 4, "{found:?}");
    assert_eq!(documented(), found);
}

#[test]
fn imports_have_no_cycle() {
    let left = cycles(documented());
    assert!(left.is_empty(), "these modules import each other: {left:?}");
}

#[test]
fn parts_of_modules_have_no_cycle() {
    assert!(parts("sim")["neighbors"].contains("agents") && parts("sim")["session"].contains("flock"));
    let circular: Imports = documented()
        .keys()
        .flat_map(|module| {
            cycles(parts(module)).into_iter().map(move |(part, imports)| (format!("{module}::{part}"), imports))
        })
        .collect();
    assert!(circular.is_empty(), "these parts import each other: {circular:#?}");
}
