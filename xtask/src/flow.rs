//! `cargo xtask flow put|get|pass`: source files that a message enters, in the order of their first entry.
//!
//! Lives here: the walk over the calls that callgrind counted. Lives elsewhere: the messages (the example
//! `instructions` of `perf`), and the map that the order is compared with (`ARCHITECTURE.md`).
//!
//! Always: calls below the function that is followed count, where they are made for each message. Callgrind
//! counts calls and keeps no order; the order is that of the call sites, in the development build, which
//! inlines almost nothing. A tool that is absent is reported as SKIPPED, which is not a pass.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::instructions::has_valgrind;
use crate::steps;

const BUILD: &[&str] = &["cargo", "build", "--quiet", "--package", "perf", "--example", "instructions"];
const PROGRAM: &str = "target/debug/examples/instructions";

/// Where callgrind leaves the calls that it counted.
const COUNTED: &str = "target/flow.callgrind";

/// The file with the functions that are followed, one of the name of each flow.
const FLOWS: &str = "crates/perf/examples/instructions/flows.rs";

/// Messages of a flow: a call for each is told from one that few make.
const MESSAGES: u64 = 100;

/// Share of the messages that a call is made for at least, in percent: the first and the last may go another
/// way.
const SHARE_PERCENT: u64 = 80;

/// Follows the flow that is asked for and prints its files.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let [flow @ ("put" | "get" | "pass")] = arguments else {
        bail!("`cargo xtask flow` takes put (onto a queue), get (from it), or pass (to a getter that waits)");
    };
    if !has_valgrind() {
        steps::say_skipped("valgrind is not installed (on Debian: apt-get install valgrind)");
        return Ok(ExitCode::SUCCESS);
    }
    steps::program(root, BUILD, &[])?;
    // A name as the linker has it: with its length before it.
    let followed = format!("5flows{}{flow}", flow.len());
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--demangle=no"])
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--toggle-collect=*{followed}*"))
        .arg(format!("--callgrind-out-file={COUNTED}"))
        .args([PROGRAM, "flow", flow, &MESSAGES.to_string()])
        .current_dir(root)
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the flow failed under valgrind:\n{said}");
    let counted = std::fs::read_to_string(root.join(COUNTED)).context("callgrind wrote nothing")?;
    let calls = Calls::read(&counted, &format!("{}/", root.display()), MESSAGES * SHARE_PERCENT / 100)?;
    let files = calls.files_from(|function| function.file == FLOWS && function.name.contains(&followed));
    ensure!(!files.is_empty(), "callgrind counted no call of {flow} in {FLOWS}");
    files.iter().for_each(|file| println!("{file}"));
    Ok(ExitCode::SUCCESS)
}

/// A function: its file, from the root of the project where it is ours, and its name as the linker has it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Function {
    file: String,
    name: String,
}

/// Functions that each function calls, by the place of the call.
#[derive(Default)]
struct Calls(BTreeMap<Function, BTreeMap<u64, Vec<Function>>>);

impl Calls {
    /// Reads what callgrind wrote; calls made less often than `least` are left out.
    fn read(counted: &str, root: &str, least: u64) -> Result<Self> {
        let ours = |file: &str| file.strip_prefix(root).unwrap_or(file).to_owned();
        let mut calls = Self::default();
        // The function whose calls are told, the file of the lines that follow, and the function it calls.
        let (mut caller, mut file, mut called_file, mut called) = (None, String::new(), None, None);
        let mut lines = counted.lines();
        while let Some(line) = lines.next() {
            let Some((key, value)) = line.split_once('=') else { continue };
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
                        calls.0.entry(caller).or_default().entry(site).or_default().push(called);
                    }
                }
                _ => {}
            }
        }
        Ok(calls)
    }

    /// Files of ours in the order of their first entry, from the functions that are roots on.
    fn files_from(&self, is_root: impl Fn(&Function) -> bool) -> Vec<&str> {
        let mut files = Vec::new();
        let mut seen = HashSet::new();
        let mut ahead: Vec<&Function> = self.0.keys().filter(|function| is_root(function)).collect();
        while let Some(function) = ahead.pop() {
            if !seen.insert(function) {
                continue;
            }
            let file = function.file.as_str();
            if file.starts_with("crates/") && !files.contains(&file) {
                files.push(file);
            }
            // The first call is followed to its end before the second begins.
            ahead.extend(self.0.get(function).into_iter().flat_map(BTreeMap::values).flatten().rev());
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `run` calls `verb` and then `write`; `verb`, a helper of the library, and that one `queue`.
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
cfi=/rustc/core/option.rs
cfn=_3map
calls=100 0x60
0x31 2 900
cfi=/p/crates/d/src/lib.rs
cfn=_5write
calls=100 0x50
0x32 2 900

fl=/rustc/core/option.rs
fn=_3map
cfi=/p/crates/c/src/lib.rs
cfn=_5queue
calls=100 0x70
0x61 2 900
";

    #[test]
    fn files_stand_in_the_order_of_their_calls_and_each_once() {
        let calls = Calls::read(COUNTED, "/p/", 80).unwrap();
        let files = calls.files_from(|function| function.name == "_3run");
        assert_eq!(files, ["a", "b", "c", "d"].map(|name| format!("crates/{name}/src/lib.rs")));
        assert_eq!(calls.files_from(|function| function.name == "_5other"), [""; 0]);
    }

    #[test]
    fn a_call_that_few_messages_make_is_left_out() {
        let calls = Calls::read(COUNTED, "/p/", 95).unwrap();
        let root = Function { file: "crates/a/src/lib.rs".to_owned(), name: "_3run".to_owned() };
        let called: Vec<_> = calls.0[&root].values().flatten().map(|called| called.name.as_str()).collect();
        assert_eq!(called, ["_4verb"]);
        assert!(Calls::read("fn=a\ncfn=b\ncalls=x 0x1\n0x1 1\n", "/p/", 1).is_err());
        assert!(Calls::read("fn=a\ncfn=b\ncalls=1 0x1\n", "/p/", 1).is_err());
    }
}
