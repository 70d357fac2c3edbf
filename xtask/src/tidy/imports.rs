//! The import graph of a crate's files: circles, and arrows that run up from room to room.
//!
//! An arrow leads from a file to each file that it takes a name from, by `use` or by a path in its code. A
//! name that is re-exported leads to the file behind the re-export. A name behind a glob leads to the file
//! with the glob. Items of tests, `src/bin`, and a `main.rs` beside a `lib.rs` are left out.

use std::collections::{BTreeMap, BTreeSet};

use super::rooms::ORDERED;
use super::sources::SourceFile;

/// Re-exports followed for one name; a chain longer than this is a circle of re-exports.
const REEXPORTS_MAX: usize = 16;

/// Path of a module below the root of its crate.
type Module = Vec<String>;

/// The files of a crate by module, and the arrows between them.
pub(super) struct Graph {
    files: BTreeMap<Module, String>,
    arrows: BTreeMap<Module, BTreeSet<Module>>,
}

/// Arrows from a room to one above it, from one to the other as "room -> room" and "file -> file".
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ArrowsUp {
    pub(super) of_rooms: BTreeSet<String>,
    pub(super) of_files: BTreeSet<String>,
}

/// One name that a file imports.
struct Import {
    path: Vec<String>,
    /// The name it has in the file.
    name: String,
}

impl Graph {
    /// Reads the graph from the product files of the crate in `folder`, each with its code.
    pub(super) fn read(folder: &str, files: &[(&SourceFile, String)]) -> Self {
        let root = format!("{folder}/src/");
        let has_library = files.iter().any(|(file, _)| file.path == format!("{root}lib.rs"));
        let mut modules = BTreeMap::new();
        let (mut imports, mut codes) = (BTreeMap::new(), BTreeMap::new());
        for (file, code) in files {
            let Some(inner) = file.path.strip_prefix(&root) else { continue };
            if inner.starts_with("bin/") || has_library && inner == "main.rs" {
                continue;
            }
            let (imported, code) = imports_and_rest(code);
            modules.insert(module_of(inner), file.path.clone());
            imports.insert(module_of(inner), imported);
            codes.insert(module_of(inner), code);
        }
        let names = Names { modules: modules.keys().cloned().collect(), imports: &imports };
        let mut arrows: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for (module, code) in &codes {
            let imported = imports[module].iter().map(|import| import.path.clone());
            let targets = imported.chain(paths_in(code)).filter_map(|path| names.file_of(module, &path));
            arrows.insert(module.clone(), targets.filter(|target| target != module).collect());
        }
        Self { files: modules, arrows }
    }

    /// The files from which a way along the arrows leads back to them.
    pub(super) fn in_circles(&self) -> Vec<&str> {
        let returns = |module: &Module| {
            let mut reached = BTreeSet::new();
            let mut waiting = vec![module];
            while let Some(next) = waiting.pop() {
                waiting.extend(self.arrows[next].iter().filter(|target| reached.insert(*target)));
            }
            reached.contains(module)
        };
        self.files.iter().filter(|(module, _)| returns(module)).map(|(_, file)| file.as_str()).collect()
    }

    /// Arrows from a room to a later one. A room without a place in the order is a fault.
    pub(super) fn arrows_up(&self, folder: &str, faults: &mut Vec<String>) -> Option<ArrowsUp> {
        let (_, order) = ORDERED.iter().find(|(ordered, _)| *ordered == folder)?;
        let place = |room: &str| order.iter().position(|ordered| *ordered == room);
        let rooms: BTreeSet<&str> =
            self.files.keys().filter_map(|module| Some(module.first()?.as_str())).collect();
        for room in rooms.iter().filter(|room| place(room).is_none()) {
            faults.push(format!(
                "{folder}: the room `{room}` has no place in xtask/src/tidy/rooms.rs: give it one"
            ));
        }
        for room in order.iter().filter(|room| !rooms.contains(**room)) {
            faults.push(format!(
                "{folder}: xtask/src/tidy/rooms.rs names `{room}`, which is gone: remove the line"
            ));
        }
        let mut up = ArrowsUp::default();
        for (from, targets) in &self.arrows {
            for target in targets {
                let (Some(from_room), Some(room)) = (from.first(), target.first()) else { continue };
                if place(room) > place(from_room) {
                    up.of_rooms.insert(format!("{from_room} -> {room}"));
                    up.of_files.insert(format!("{} -> {}", self.files[from], self.files[target]));
                }
            }
        }
        Some(up)
    }
}

/// Names by the module that imports them.
struct Names<'a> {
    modules: BTreeSet<Module>,
    imports: &'a BTreeMap<Module, Vec<Import>>,
}

impl Names<'_> {
    /// The module of the file that a path means, read in a module; none for a path out of the crate.
    fn file_of(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut path = self.below_root(module, path)?;
        for _ in 0..REEXPORTS_MAX {
            let depth = (0..=path.len()).rev().find(|depth| self.modules.contains(&path[..*depth]))?;
            let (module, rest) = (path[..depth].to_vec(), &path[depth..]);
            let Some(name) = rest.first() else { return Some(module) };
            let Some(import) = self.imports[&module].iter().find(|import| import.name == *name) else {
                return Some(module);
            };
            match self.below_root(&module, &import.path) {
                Some(target) if target[..] != path[..=depth] => path = [&target[..], &rest[1..]].concat(),
                _ => return Some(module),
            }
        }
        None
    }

    /// A path as it is read from the root of the crate.
    fn below_root(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module.as_slice(), rest].concat()),
            "super" => {
                let ups = path.iter().take_while(|segment| *segment == "super").count();
                let above = &module[..module.len().checked_sub(ups)?];
                Some([above, &path[ups..]].concat())
            }
            _ => {
                let child = [module.as_slice(), std::slice::from_ref(first)].concat();
                let is_import = |import: &Import| import.name == *first && import.path.len() > 1;
                if self.modules.contains(&child) {
                    Some([module.as_slice(), path].concat())
                } else {
                    let import = self.imports[module].iter().find(|import| is_import(import))?;
                    let is_ours = matches!(import.path[0].as_str(), "crate" | "self" | "super");
                    is_ours.then(|| self.below_root(module, &[&import.path[..], rest].concat())).flatten()
                }
            }
        }
    }
}

/// `queue/mod.rs` and `queue.rs` are the module `queue`; `lib.rs` and `main.rs` are the root.
fn module_of(inner: &str) -> Module {
    let path = inner.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    match path {
        "lib" | "main" => Vec::new(),
        path => path.split('/').map(str::to_owned).collect(),
    }
}

/// Every name that `use` brings into a file, and its code without them.
fn imports_and_rest(code: &str) -> (Vec<Import>, String) {
    const USE: &str = "use ";
    let (mut imports, mut kept) = (Vec::new(), String::with_capacity(code.len()));
    let mut rest = code;
    while let Some(start) = rest.find(USE) {
        let is_part = rest[..start].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        let (before, after) = rest.split_at(start + USE.len());
        kept.push_str(before);
        rest = after;
        if let (false, Some(end)) = (is_part, rest.find(';')) {
            add_tree(&[], &rest[..end], &mut imports);
            rest = &rest[end..];
        }
    }
    kept.push_str(rest);
    (imports, kept)
}

/// Adds the leaves of `a::{b, c as d}`.
fn add_tree(prefix: &[String], tree: &str, imports: &mut Vec<Import>) {
    for branch in branches(tree) {
        let (path, inner) =
            branch.split_once('{').map_or((branch, None), |(path, inner)| (path, Some(inner)));
        let (path, renamed) =
            path.split_once(" as ").map_or((path, None), |(path, name)| (path, Some(name.trim())));
        let segments = path.split("::").map(str::trim).filter(|segment| !segment.is_empty());
        let mut full: Vec<String> = prefix.iter().cloned().chain(segments.map(str::to_owned)).collect();
        if let Some(inner) = inner.map(str::trim_end) {
            add_tree(&full, inner.strip_suffix('}').unwrap_or(inner), imports);
            continue;
        }
        if full.last().is_some_and(|last| last == "self") {
            full.pop();
        }
        let Some(last) = full.last() else { continue };
        let name = renamed.unwrap_or(last).to_owned();
        imports.push(Import { path: full, name });
    }
}

/// The parts between commas that stand in no braces.
fn branches(tree: &str) -> Vec<&str> {
    let (mut depth, mut from) = (0_usize, 0);
    let mut branches = Vec::new();
    for (at, byte) in tree.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                branches.push(&tree[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&tree[from..]);
    branches.into_iter().filter(|branch| !branch.trim().is_empty()).collect()
}

/// Every path of two or more segments in code.
fn paths_in(code: &str) -> impl Iterator<Item = Vec<String>> {
    let words = code.split(|character: char| !(character.is_alphanumeric() || "_:".contains(character)));
    let paths = words.filter(|word| word.contains("::"));
    paths.filter_map(|word| {
        let segments: Vec<String> = word.split("::").map(str::to_owned).collect();
        let is_path = segments[0].starts_with(|first: char| first.is_lowercase() || first == '_');
        is_path.then(|| segments.into_iter().take_while(|segment| !segment.is_empty()).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::lexer::code_of;

    fn graph(files: &[(&str, &str)]) -> Graph {
        let file =
            |(path, text): &(&str, &str)| SourceFile { path: format!("c/src/{path}"), text: (*text).into() };
        let files: Vec<SourceFile> = files.iter().map(file).collect();
        Graph::read("c", &with_code(&files))
    }

    fn with_code(files: &[SourceFile]) -> Vec<(&SourceFile, String)> {
        files.iter().map(|file| (file, code_of(&file.text))).collect()
    }

    #[test]
    fn a_circle_is_found_through_a_re_export() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;\npub use a::One;\n"),
            ("a/mod.rs", "mod inner;\npub(crate) use inner::{self as within, One};\n"),
            ("a/inner.rs", "use crate::b::Two;\npub struct One;\n"),
            ("b.rs", "use crate::{c::Three, a::{One as Uno}};\npub struct Two;\n"),
            ("c.rs", "pub struct Three;\n"),
        ];
        assert_eq!(graph(&files).in_circles(), ["c/src/a/inner.rs", "c/src/b.rs"]);
    }

    #[test]
    fn a_path_in_code_is_an_import_and_one_in_a_test_or_a_comment_is_none() {
        for (one, other, expected) in [
            ("fn f() { crate::b::g(); }", "fn g() { super::a::f() }", 2),
            ("use crate::b;\nfn f() { b::g(); }", "use crate::a::{f};", 2),
            ("// crate::b::g\n", "use crate::a::f;", 0),
            ("#[cfg(test)]\nmod tests { use crate::b::g; }", "use crate::a::f;", 0),
            ("use std::b::g;", "use crate::a::f;", 0),
        ] {
            let graph = graph(&[("lib.rs", "mod a; mod b;"), ("a.rs", one), ("b.rs", other)]);
            assert_eq!(graph.in_circles().len(), expected, "{one} beside {other}");
        }
    }

    #[test]
    fn re_exports_that_lead_to_each_other_end() {
        let files =
            [("lib.rs", "mod a; mod b;"), ("a.rs", "pub use crate::b::X;"), ("b.rs", "pub use crate::a::X;")];
        assert_eq!(graph(&files).in_circles(), Vec::<&str>::new());
    }

    #[test]
    fn arrows_up_are_those_against_the_order_and_every_room_has_a_place() {
        let file = |path: &str, text: &str| SourceFile {
            path: format!("crates/queue-manager/src/{path}"),
            text: text.to_owned(),
        };
        let mut files = vec![
            file("catalogue/mod.rs", "use crate::verbs::put::Put;\nuse crate::authority::Right;"),
            file(
                "catalogue/order.rs",
                "use crate::verbs::put::{Put, Target};\nfn f() { crate::verbs::put::g() }",
            ),
            file("verbs/put.rs", "use crate::catalogue::Queue;"),
            file("unheard_of.rs", ""),
        ];
        let (_, order) = ORDERED.iter().find(|(ordered, _)| *ordered == "crates/queue-manager").unwrap();
        files.extend(
            order
                .iter()
                .filter(|room| !["catalogue", "verbs", "manager"].contains(room))
                .map(|room| file(&format!("{room}.rs"), "")),
        );
        let mut faults = Vec::new();
        let graph = Graph::read("crates/queue-manager", &with_code(&files));
        let up = graph.arrows_up("crates/queue-manager", &mut faults).unwrap();
        assert_eq!(up.of_rooms, BTreeSet::from(["catalogue -> verbs".to_owned()]));
        let arrow = |from: &str| {
            format!("crates/queue-manager/src/catalogue/{from}.rs -> crates/queue-manager/src/verbs/put.rs")
        };
        assert_eq!(up.of_files, BTreeSet::from([arrow("mod"), arrow("order")]));
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].contains("unheard_of") && faults[1].contains("`manager`"), "{faults:?}");
    }
}
