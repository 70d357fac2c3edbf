//! `cargo xtask flow NAME`: source files that a message or a command enters, in the order of their first
//! entry, and how often it enters each; `--check` compares `ARCHITECTURE.md` with all flows.
//!
//! Lives here: the flows, and their run under valgrind. Lives elsewhere: the walk over the calls that
//! callgrind counted (`calls`), the flows as the document describes them (`described`), the program that does
//! the calls (the example `instructions` of `perf`).
//!
//! Always: calls below the function that is followed count, where they are made for each message. Callgrind
//! counts calls and keeps no order; the order is that of the call sites, in the development build, which
//! inlines almost nothing. A tool that is absent is reported as SKIPPED, which is not a pass.

mod calls;
mod described;

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread;

use anyhow::{Context, Result, anyhow, bail, ensure};

use crate::instructions::has_valgrind;
use crate::steps;
use calls::{Calls, Tour};

/// The flows, each with the thing that goes through the files.
const FLOWS: &[(&str, &str)] = &[
    ("put", "a persistent message onto a queue, from its frame to the reply"),
    ("get", "a message from a queue"),
    ("pass", "a put to a getter that waits, up to both replies"),
    ("publish", "a persistent publication to sixteen subscriptions"),
    ("transfer", "a durable message of AMQP onto a queue, up to its disposition"),
    ("sender", "a message from a transmission queue to a partner, up to the end of its batch"),
    ("define", "a command that defines a queue"),
];

/// With the features of the whole workspace: the tests have built the program with them.
const BUILD: &[&str] = &["cargo", "build", "--quiet", "--workspace", "--example", "instructions"];
const PROGRAM: &str = "target/debug/examples/instructions";

/// The file with the functions that are followed, one of the name of each flow.
const FOLLOWED_IN: &str = "crates/perf/examples/instructions/flows.rs";

/// The function whose calls belong to no flow, as the linker has it: it is called by one that is followed, so
/// that the second toggle ends the first.
const ELSEWHERE: &str = "5flows9elsewhere";

/// Messages of a flow: a call for each is told from one that few make.
const MESSAGES: u64 = 100;

/// Share of the messages that a call is made for at least, in percent: the first and the last may go another
/// way.
const SHARE_PERCENT: u64 = 80;

/// The crates whose files and entries are summed up apart.
const ENGINE: [&str; 2] = ["crates/queues/", "crates/queue-manager/"];

/// Follows the flow that is asked for and prints its files, or compares the document with all of them.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let flow = match arguments {
        ["--check"] => None,
        [flow] if FLOWS.iter().any(|(name, _)| name == flow) => Some(*flow),
        _ => {
            let list = FLOWS.iter().map(|(name, what)| format!("  {name:<9} {what}\n"));
            bail!("`cargo xtask flow` takes --check or one of these:\n{}", list.collect::<String>());
        }
    };
    if !has_valgrind() {
        steps::say_skipped(
            "flows are not compared: valgrind is not installed (on Debian: apt-get install valgrind)",
        );
        return Ok(ExitCode::SUCCESS);
    }
    steps::program(root, BUILD, &[])?;
    match flow {
        Some(flow) => print(&follow(root, flow)?),
        None => check(root)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares the flows that the document describes with those that are followed.
fn check(root: &Path) -> Result<()> {
    let text = std::fs::read_to_string(root.join(described::PAGE)).context(described::PAGE)?;
    let sections = described::read(&text);
    let mut tours = Vec::new();
    // Each takes one processor for some seconds, most of them to start.
    let at_once = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    for flows in FLOWS.chunks(at_once) {
        let followed = thread::scope(|threads| {
            let runs: Vec<_> =
                flows.iter().map(|(flow, _)| (*flow, threads.spawn(|| follow(root, flow)))).collect();
            let joined = runs.into_iter().map(|(flow, run)| (flow, run.join()));
            joined.collect::<Vec<_>>()
        });
        for (flow, tour) in followed {
            let tour = tour.map_err(|_| anyhow!("the thread that follows {flow} panicked"))??;
            println!("{flow}: {}", sum(&tour));
            tours.push((flow, tour));
        }
    }
    let faults = described::compare(&sections, &tours);
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// Runs a flow under callgrind and reads the files that it enters.
fn follow(root: &Path, flow: &str) -> Result<Tour> {
    let counted = format!("target/flow-{flow}.callgrind");
    // A name as the linker has it: with its length before it.
    let followed = format!("5flows{}{flow}", flow.len());
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--dump-instr=yes", "--demangle=no"])
        .args(["--compress-strings=no", "--compress-pos=no"])
        .arg(format!("--toggle-collect=*{followed}*"))
        .arg(format!("--toggle-collect=*{ELSEWHERE}*"))
        .arg(format!("--callgrind-out-file={counted}"))
        .args([PROGRAM, "flow", flow, &MESSAGES.to_string()])
        .current_dir(root)
        .output()
        .context("cannot start valgrind")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the flow {flow} failed under valgrind:\n{said}");
    let counted = std::fs::read_to_string(root.join(counted)).context("callgrind wrote nothing")?;
    let calls = Calls::read(&counted, |file| root.join(file).is_file(), MESSAGES * SHARE_PERCENT / 100)?;
    let is_root =
        |function: &calls::Function| function.file == FOLLOWED_IN && function.name.contains(&followed);
    let tour = calls.tour(is_root, &calls::Lengths::below(root));
    ensure!(!tour.is_empty(), "callgrind counted no call of {flow} in {FOLLOWED_IN}");
    Ok(tour)
}

fn print(tour: &Tour) {
    println!("ENTRIES  FILE");
    tour.iter().for_each(|(file, entries)| println!("{entries:>7}  {file}"));
    println!("{}", sum(tour));
}

/// Files and entries, those of the engine apart.
fn sum(tour: &Tour) -> String {
    let entries = |is_meant: &dyn Fn(&str) -> bool| {
        let meant: Vec<usize> =
            tour.iter().filter(|(file, _)| is_meant(file)).map(|(_, entries)| *entries).collect();
        (meant.len(), meant.iter().sum::<usize>())
    };
    let (files, all) = entries(&|_| true);
    let (of_engine, in_engine) = entries(&|file| ENGINE.iter().any(|engine| file.starts_with(engine)));
    let again = tour.iter().filter(|(_, entries)| *entries > 1).count();
    format!(
        "{files} files, {all} entries, {again} files entered twice or more; of the engine {of_engine} files, {in_engine} entries"
    )
}
