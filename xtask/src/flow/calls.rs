//! Calls that callgrind counted, and the tour of source files along them.
//!
//! Always: a file is *entered* when a function of at least [`LINES_MIN`] lines is called from another file.
//! A shorter function, whose body is one line, is read where it is called, as is one of a library or of the
//! stand-ins of the run: its calls count as those of its caller. A closure belongs to the function around it.
//! A function is followed at its first call; each later call from another file is an entry.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::tidy::sources::{FunctionLines, functions_of};

/// Lines of a function that is worth a look of its own: its head, its end, and more than one between them.
const LINES_MIN: usize = 4;

/// Folders whose files are there for the run alone: the program, and the simulated machine.
const STAND_INS: &[&str] = &["crates/perf/", "crates/platform/src/simulated/"];

/// Marks the name of a closure, as the linker has it.
const CLOSURE: &str = "$u7b$$u7b$closure$u7d$$u7d$";

/// Files in the order of their first entry, each with its entries.
pub(super) type Tour = Vec<(String, usize)>;

/// A function: its file, from the root of the project where it is ours, and its name as the linker has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Function {
    pub(super) file: String,
    pub(super) name: String,
}

/// Functions that each function calls, by the place of the call, and a line of each function.
#[derive(Default)]
pub(super) struct Calls {
    by_caller: BTreeMap<Function, BTreeMap<u64, Vec<Function>>>,
    lines: HashMap<Function, usize>,
}

impl Calls {
    /// Reads what callgrind wrote; calls made less often than `least` are left out. A file is ours if what
    /// stands behind some folder in its path is.
    pub(super) fn read(counted: &str, is_ours: impl Fn(&str) -> bool, least: u64) -> Result<Self> {
        // The folder in which a shared target directory was filled may be another than the root.
        let ours = |file: &str| match file.rfind("/crates/").map(|at| &file[at + 1..]) {
            Some(inner) if is_ours(inner) => inner.to_owned(),
            _ => file.to_owned(),
        };
        let mut calls = Self::default();
        // The function whose calls are told, the file of the lines that follow, and the function it calls.
        let (mut caller, mut file, mut called_file, mut called) = (None, String::new(), None, None);
        let mut lines = counted.lines();
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once('=') else {
                if let Some(caller) = caller.as_ref().filter(|caller: &&Function| caller.file == file) {
                    calls.note_line(caller, line);
                }
                continue;
            };
            match key {
                "fl" | "fi" | "fe" => file = ours(value),
                "fn" => caller = Some(Function { file: file.clone(), name: value.to_owned() }),
                "cfi" | "cfl" => called_file = Some(ours(value)),
                "cfn" => {
                    let file = called_file.take().unwrap_or_else(|| file.clone());
                    called = Some(Function { file, name: value.to_owned() });
                }
                "calls" => {
                    let count: u64 = value.split(' ').next().unwrap_or_default().parse()?;
                    let site = lines.next().and_then(|cost| cost.strip_prefix("0x")?.split(' ').next());
                    let site = u64::from_str_radix(site.context("a call without a place")?, 16)?;
                    let caller = caller.clone().context("a call outside any function")?;
                    let called = called.take().context("a call of no function")?;
                    if count >= least {
                        calls.by_caller.entry(caller).or_default().entry(site).or_default().push(called);
                    }
                }
                _ => {}
            }
        }
        Ok(calls)
    }

    /// Notes the line of a cost, `0x10 7 100`, where it is the first of its function. Line 0 is none.
    fn note_line(&mut self, function: &Function, cost: &str) {
        let line = cost.split(' ').nth(1).and_then(|line| line.parse().ok()).filter(|line| *line > 0);
        if let Some(line) = line
            && !self.lines.contains_key(function)
        {
            self.lines.insert(function.clone(), line);
        }
    }

    /// Files of ours that are entered, from the functions that are roots on.
    pub(super) fn tour(&self, is_root: impl Fn(&Function) -> bool, lengths: &Lengths) -> Tour {
        let mut tour = Tour::new();
        let mut followed = HashSet::new();
        let mut ahead: Vec<(&Function, Option<&str>)> =
            self.by_caller.keys().filter(|function| is_root(function)).map(|root| (root, None)).collect();
        while let Some((function, from)) = ahead.pop() {
            let file = function.file.as_str();
            let is_entered = self.is_long(function, lengths);
            if is_entered && from != Some(file) {
                match tour.iter_mut().find(|(known, _)| known == file) {
                    Some((_, entries)) => *entries += 1,
                    None => tour.push((file.to_owned(), 1)),
                }
            }
            let belongs_to_file = is_entered || function.name.contains(CLOSURE) && is_of_flow(file);
            let here = if belongs_to_file { Some(file) } else { from };
            if !followed.insert((function, here)) {
                continue;
            }
            // The first call is followed to its end before the second begins.
            let calls = self.by_caller.get(function).into_iter().flat_map(BTreeMap::values).flatten();
            ahead.extend(calls.rev().map(|called| (called, here)));
        }
        tour
    }

    fn is_long(&self, function: &Function, lengths: &Lengths) -> bool {
        let line = self.lines.get(function).filter(|_| is_of_flow(&function.file));
        let is_closure = function.name.contains(CLOSURE);
        !is_closure && line.is_some_and(|line| lengths.of(&function.file, *line) >= LINES_MIN)
    }
}

/// Recognises a file of ours that is not there for the run alone.
fn is_of_flow(file: &str) -> bool {
    file.starts_with("crates/") && !STAND_INS.iter().any(|folder| file.starts_with(folder))
}

/// Lengths of functions of the sources below a folder, each file read when it is first asked for.
pub(super) struct Lengths {
    root: PathBuf,
    files: RefCell<HashMap<String, Vec<FunctionLines>>>,
}

impl Lengths {
    pub(super) fn below(root: &Path) -> Self {
        Self { root: root.to_owned(), files: RefCell::default() }
    }

    /// Lines of the innermost function around a line; 0 where there is none of several lines.
    fn of(&self, file: &str, line: usize) -> usize {
        let mut files = self.files.borrow_mut();
        let functions = files.entry(file.to_owned()).or_insert_with(|| {
            functions_of(&std::fs::read_to_string(self.root.join(file)).unwrap_or_default())
        });
        let around = functions
            .iter()
            .filter(|function| (function.first..function.first + function.lines).contains(&line));
        around.map(|function| function.lines).min().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `run` calls `verb` and then `write`; `verb`, a helper of the library, `short` and `write`; the helper
    /// `queue`; `short`, of two lines, `deep` and a closure of `verb`, and that one `write`.
    const COUNTED: &str = "\
events: Ir
fl=/p/crates/a/src/lib.rs
fn=_3run
0x10 1 5
cfi=/p/crates/d/src/lib.rs
cfn=_5write
calls=90 0x50
0x19 3 900
cfi=/p/crates/b/src/lib.rs
cfn=_4verb
calls=100 0x30
0x12 2 900
cfn=_5start
calls=1 0x80
0x11 2 900

fl=/p/crates/b/src/lib.rs
fn=_4verb
0x30 1 5
cfi=/rustc/core/option.rs
cfn=_3map
calls=100 0x60
0x31 2 900
cfi=/p/crates/e/src/lib.rs
cfn=_5short
calls=100 0x90
0x32 2 900

fl=/rustc/core/option.rs
fn=_3map
0x60 7 5
cfi=/p/crates/c/src/lib.rs
cfn=_5queue
calls=100 0x70
0x61 2 900

fl=/p/crates/c/src/lib.rs
fn=_5queue
0x70 0 5
0x71 1 5

fl=/p/crates/d/src/lib.rs
fn=_5write
fi=/rustc/core/option.rs
0x50 500 5
fe=/p/crates/d/src/lib.rs
0x51 3 5

fl=/p/crates/e/src/lib.rs
fn=_5short
0x90 9 5
cfi=/p/crates/c/src/lib.rs
cfn=_5queue
calls=100 0x70
0x91 9 900
cfi=/p/crates/b/src/lib.rs
cfn=_4verb28_$u7b$$u7b$closure$u7d$$u7d$17h0E
calls=100 0x95
0x92 9 900

fl=/p/crates/b/src/lib.rs
fn=_4verb28_$u7b$$u7b$closure$u7d$$u7d$17h0E
0x95 4 5
cfi=/p/crates/d/src/lib.rs
cfn=_5write
calls=100 0x50
0x96 4 900
";

    /// A function of eight lines, and one of two.
    const SOURCE: &str = "fn long() {\n\n\n\n\n\n\n}\nfn short() {\n}\n";

    fn sources() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for name in ["a", "b", "c", "d", "e"] {
            let folder = root.path().join(format!("crates/{name}/src"));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("lib.rs"), SOURCE).unwrap();
        }
        root
    }

    fn read(least: u64) -> Calls {
        Calls::read(COUNTED, |file| file.starts_with("crates/"), least).unwrap()
    }

    #[test]
    fn files_stand_in_the_order_of_their_calls_with_each_entry() {
        let root = sources();
        let lengths = Lengths::below(root.path());
        let tour = read(80).tour(|function| function.name == "_3run", &lengths);
        // `short` is none, `queue` is called for `verb` by the library and by `short`, `write` by the closure
        // and by `run`.
        let expected = [("a", 1), ("b", 1), ("c", 2), ("d", 2)];
        assert_eq!(tour, expected.map(|(name, entries)| (format!("crates/{name}/src/lib.rs"), entries)));
        assert_eq!(read(80).tour(|function| function.name == "_5other", &lengths), []);
    }

    #[test]
    fn a_call_that_few_messages_make_is_left_out() {
        let calls = read(95);
        let root = Function { file: "crates/a/src/lib.rs".to_owned(), name: "_3run".to_owned() };
        let called: Vec<_> =
            calls.by_caller[&root].values().flatten().map(|called| called.name.as_str()).collect();
        assert_eq!(called, ["_4verb"]);
        assert!(Calls::read("fn=a\ncfn=b\ncalls=x 0x1\n0x1 1\n", |_| true, 1).is_err());
        assert!(Calls::read("fn=a\ncfn=b\ncalls=1 0x1\n", |_| true, 1).is_err());
    }

    #[test]
    fn a_function_is_as_long_as_the_innermost_around_its_line() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("a.rs"), "fn a() {\n    fn b() {\n    }\n}\nfn c() {}\n").unwrap();
        let lengths = Lengths::below(root.path());
        let found = [1, 2, 3, 4, 5].map(|line| lengths.of("a.rs", line));
        assert_eq!(found, [4, 2, 2, 4, 0]);
        assert_eq!(lengths.of("absent.rs", 1), 0);
    }
}
