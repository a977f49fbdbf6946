//! Contract: imports point one way, between files, subfolders and modules, in all crates; and each module of the program
//! imports exactly the modules that the table in `src/lib.rs` names. A name that a module re-exports counts as an import of
//! the file that defines it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use flockscope::sim::Param;

/// A path such as `crate::engine::Frame`, or that of a module from the root of its crate, in parts.
type Names = Vec<String>;
type Edges = BTreeSet<(Names, Names)>;

struct Import {
    /// `*` for all names.
    name: String,
    path: Names,
    public: bool,
}

#[derive(Default)]
struct Source {
    imports: Vec<Import>,
    /// Paths outside `use`.
    paths: Vec<Names>,
    words: BTreeSet<String>,
}

/// The source files of a crate, without unit tests, by module.
struct Crate(BTreeMap<Names, Source>);

impl Crate {
    fn read(folder: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut sources = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let module = path.strip_prefix(&root).unwrap().with_extension("");
                let mut module: Names = module.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
                let file = module.last().unwrap();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs")
                    && file != "main"
                    && !file.ends_with("tests")
                {
                    if file == "mod" || file == "lib" {
                        module.pop();
                    }
                    sources.insert(module, Source::parse(&fs::read_to_string(path).unwrap()));
                }
            }
        }
        Self(sources)
    }

    /// The module whose file defines what a path in the module `at` names; `None` for modules and other crates.
    fn definition(&self, at: &[String], path: &[String]) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let import = |name: &str| self.0.get(at)?.imports.iter().find(|import| import.name == name);
        let parent = &at[..at.len().saturating_sub(1)];
        match first.as_str() {
            "crate" => return self.inside(&[], rest),
            "self" => return self.inside(at, rest),
            "super" if rest.first().is_some_and(|name| name == "super") => return self.definition(parent, rest),
            "super" => return self.inside(parent, rest),
            _ => {}
        }
        let known = self.0.contains_key(&[at, &path[..1]].concat()) || import(first).is_some();
        if known { self.inside(at, path) } else { None }
    }

    fn inside(&self, module: &[String], path: &[String]) -> Option<Names> {
        let (name, rest) = path.split_first()?;
        let child = [module, &path[..1]].concat();
        if self.0.contains_key(&child) {
            return self.inside(&child, rest);
        }
        let imports = &self.0.get(module)?.imports;
        // `use glam::glam` names another crate.
        if let Some(import) = imports.iter().find(|import| import.name == *name) {
            return if import.path[0] == *name {
                None
            } else {
                self.definition(module, &[&import.path, rest].concat())
            };
        }
        match imports.iter().find(|import| import.public && import.name == "*") {
            Some(all) => self.definition(module, &[&all.path[..all.path.len() - 1], path].concat()),
            None => Some(module.to_vec()),
        }
    }

    /// Which files import which. To re-export a name is not to import it, unless the file also uses it.
    fn imports(&self) -> Edges {
        let mut edges = Edges::new();
        for (module, source) in &self.0 {
            let imports = source.imports.iter().filter(|import| !import.public || source.words.contains(&import.name));
            for path in imports.map(|import| &import.path).chain(&source.paths) {
                edges.extend(self.definition(module, path).map(|definition| (module.clone(), definition)));
            }
        }
        edges.retain(|(from, to)| from != to);
        edges
    }
}

impl Source {
    fn parse(text: &str) -> Self {
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
        let tokens = tokens(code);
        let is_name = |token: &str| token.starts_with(|first: char| first.is_alphabetic() || first == '_');
        let mut source = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            let before = if at == 0 { "" } else { &tokens[at - 1] };
            if tokens[at] == "use" && tokens.get(at + 1).is_some_and(|next| next != "<") {
                let end = at + tokens[at..].iter().position(|token| token == ";").unwrap();
                source.add_use(&tokens[at + 1..end], &mut Names::new(), before == "pub" || before == ")");
                at = end;
            } else if is_name(&tokens[at]) && before != "::" {
                let mut path = vec![tokens[at].clone()];
                while tokens.get(at + 1).is_some_and(|token| token == "::") && is_name(&tokens[at + 2]) {
                    at += 2;
                    path.push(tokens[at].clone());
                }
                source.words.insert(path[0].clone());
                if path.len() > 1 {
                    source.paths.push(path);
                }
            }
            at += 1;
        }
        source
    }

    /// Adds the names of a tree such as `a::{b, c::d as e}`.
    fn add_use(&mut self, tree: &[String], prefix: &mut Names, public: bool) {
        let length = prefix.len();
        let mut at = 0;
        while at < tree.len() && tree[at] != "{" && tree[at] != "as" {
            if tree[at] != "::" && (tree[at] != "self" || prefix.is_empty()) {
                prefix.push(tree[at].clone());
            }
            at += 1;
        }
        if tree.get(at).is_some_and(|token| token == "{") {
            let mut depth = 0;
            let items = tree[at + 1..tree.len() - 1].split(|token| {
                depth += i32::from(token == "{") - i32::from(token == "}");
                depth == 0 && token == ","
            });
            for item in items.filter(|item| !item.is_empty()) {
                self.add_use(item, prefix, public);
            }
        } else {
            self.imports.push(Import { name: tree.last().unwrap().clone(), path: prefix.clone(), public });
            let import = self.imports.last_mut().unwrap();
            if import.name == "self" {
                import.name.clone_from(import.path.last().unwrap());
            }
        }
        prefix.truncate(length);
    }
}

/// The names and signs of a file, without comments, strings and characters.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").unwrap() + 2
        } else if first == '"' {
            let mut escaped = true;
            1 + rest
                .find(|next| {
                    let end = next == '"' && !escaped;
                    escaped = next == '\\' && !escaped;
                    end
                })
                .unwrap()
        } else if rest.starts_with("'\\") {
            3 + rest[3..].find('\'').unwrap()
        } else if first == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at)
        } else {
            let name = rest.find(|next: char| !next.is_alphanumeric() && next != '_').unwrap_or(rest.len());
            let length = if name > 0 {
                name
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The imports that are part of a cycle: the imported file imports the other, directly or through more files.
fn cycles(edges: &Edges) -> Vec<String> {
    let mut imported: BTreeMap<&Names, Vec<&Names>> = BTreeMap::new();
    for (from, to) in edges {
        imported.entry(from).or_default().push(to);
    }
    let circular = edges.iter().filter(|(from, to)| {
        let mut reached = BTreeSet::from([to]);
        let mut left = vec![to];
        while let Some(file) = left.pop() {
            left.extend(imported.get(file).into_iter().flatten().filter(|next| reached.insert(next)));
        }
        reached.contains(from)
    });
    circular.map(|(from, to)| format!("{} -> {}", from.join("::"), to.join("::"))).collect()
}

/// The same without those of a file from the module that it is a part of: the file belongs to that module.
fn without_own_module(imports: &Edges) -> Edges {
    imports.iter().filter(|(from, to)| !from.starts_with(to)).cloned().collect()
}

/// The same imports between files and folders of the same folder.
fn between_siblings(imports: &Edges) -> Edges {
    let siblings = imports.iter().filter_map(|(from, to)| {
        let common = from.iter().zip(to).take_while(|(from, to)| from == to).count();
        Some((from.get(..=common)?.to_vec(), to.get(..=common)?.to_vec()))
    });
    siblings.collect()
}

#[test]
fn files_and_folders_have_no_cycle() {
    let [program, picture, simulation, tracks] = ["src", "crates/picture/src", "crates/sim/src", "crates/tracks/src"]
        .map(|folder| Crate::read(folder).imports());
    let import = ["neighbors::cell_list", "agents"].map(|path| path.split("::").map(str::to_owned).collect());
    // Through a re-export, and through a module.
    assert!(simulation.contains(&import.into()), "{simulation:?}");
    let counts = [&program, &picture, &simulation, &tracks].map(BTreeSet::len);
    assert!(counts.iter().zip([400, 60, 150, 30]).all(|(count, least)| *count > least), "{counts:?}");
    let found: Vec<String> = [program, picture, simulation, tracks]
        .into_iter()
        .flat_map(|imports| [cycles(&between_siblings(&imports)), cycles(&without_own_module(&imports))].concat())
        .collect();
    assert!(found.is_empty(), "these imports are circular:\n{}", found.join("\n"));
}

#[test]
fn modules_import_what_the_table_says() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let names = |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let rows = page.lines().filter_map(|line| line.strip_prefix("//! | ")).skip(2);
    let documented: BTreeMap<String, BTreeSet<String>> = rows
        .map(|row| {
            let columns: Vec<&str> = row.split(" | ").collect();
            (names(columns[0])[0].clone(), names(columns[2]).into_iter().collect())
        })
        .collect();

    let program = Crate::read("src");
    let mut found: BTreeMap<String, BTreeSet<String>> =
        program.0.keys().filter_map(|module| Some((module.first()?.clone(), BTreeSet::new()))).collect();
    for (from, to) in between_siblings(&program.imports()).into_iter().filter(|(from, _)| from.len() == 1) {
        found.entry(from[0].clone()).or_default().extend(to);
    }
    for (module, source) in program.0.iter().filter(|(module, _)| !module.is_empty()) {
        let paths = source.imports.iter().map(|import| &import.path).chain(&source.paths);
        let crates = paths.filter_map(|path| {
            path.get(1).filter(|name| path[0] == "crate" && ["picture", "sim", "tracks"].contains(&&***name))
        });
        found.entry(module[0].clone()).or_default().extend(crates.cloned());
    }
    assert!(found.len() == 8 && found["viewer"].len() > 4, "{found:?}");
    assert_eq!(documented, found);
}

/// Code that acts on particular parameters: flights of breeding, and the key for the wind.
const NAMES_PARAMETERS: [&str; 2] = ["src/breed/test_flight.rs", "src/viewer/world_actions.rs"];

/// Comparisons of names in place of a column of a table.
const COMPARISONS: [&str; 6] = [
    "param.key == \"",
    "param.group == \"",
    "param.name() == \"",
    "param.unit() == \"",
    "measure.name == \"",
    "key.starts_with(\"",
];

#[test]
fn parameters_are_described_in_their_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeSet::new();
    let mut folders: Vec<_> =
        ["src", "crates/picture/src", "crates/sim/src", "crates/tracks/src"].map(|folder| root.join(folder)).into();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let is_table = name.contains("sim/src/params") || name.contains("sim/src/models");
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if is_table || path.extension().is_none_or(|extension| extension != "rs") || name.ends_with("tests.rs") {
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let keys = Param::table().iter().map(|param| format!("\"{}\"", param.key)).filter(|key| key.contains('.'));
            if keys.into_iter().any(|key| code.contains(&key)) {
                found.insert(name.clone());
            }
            let compared = COMPARISONS.iter().find(|comparison| code.contains(**comparison));
            assert_eq!(compared, None, "{name} compares the name of a parameter or a measure");
        }
    }
    let known = NAMES_PARAMETERS.map(str::to_owned).into();
    assert_eq!(found, known, "what is decided about a parameter is a column of its table");
}
