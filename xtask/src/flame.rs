//! `cargo xtask flame WORKLOAD`: where the processor time of a workload goes, drawn as a flame graph.
//!
//! Clients and queue manager are recorded together, told apart by the names of their threads, those of one
//! kind as one; the graph is kept in `docs/performance/profiles`. Recorded by the clock, which every machine
//! has; stacks are unwound by the tables in the program, so that it is the program as it is built otherwise.
//!
//! Always: a tool that is absent is reported as SKIPPED, which is not a pass; a graph that is kept is small
//! and whole.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};

use crate::steps;

/// The program with the names of its functions, as it is built and where it is then.
const BUILD: &[&str] = &[
    "cargo",
    "build",
    "--quiet",
    "--profile",
    "release-lite",
    "--package",
    "cli",
    "--package",
    "ferry-bench",
];
const PROGRAM: &str = "target/release-lite/ferry-bench";

/// Where graphs are kept.
const PROFILES: &str = "docs/performance/profiles";

/// Graphs to make: the name, the subject, and the bench that is recorded.
const WORKLOADS: &[(&str, &str, &[&str])] = &[
    ("np-asynchronous", "request/reply, non-persistent, asynchronous, 64 clients", &["rr", "-c", "64"]),
    (
        "np-round-trips",
        "request/reply, non-persistent, every call a round trip, 64 clients",
        &["rr", "-c", "64", "--round-trips"],
    ),
    (
        "p-units",
        "request/reply, persistent in units of work, 100 clients",
        &["rr", "-P", "--syncpoint", "-c", "100"],
    ),
    ("put-fastpath", "put and get in one process", &["fastpath"]),
];

/// Long enough for some thousand samples of two processors, short enough for stacks that can be kept.
const SHORT: &[&str] = &["-t", "2s", "-r", "1"];

/// Samples a second of each processor; a prime, so that it keeps no step with timers.
const SAMPLES_PER_SECOND: &str = "499";

/// Way of finding stacks: by unwinding so many bytes of each, which those of the reactor need.
const STACKS: &str = "dwarf,32768";

/// Parts of a graph narrower than this, in percent, say nothing and make the file long.
const NARROWEST_PERCENT: &str = "1.5";

/// The longest graph that is kept.
const BYTES_MAX: usize = 100 << 10;

/// The tools, and what brings them.
const TOOLS: &[(&str, &str)] = &[
    ("perf", "on Debian: apt-get install linux-perf"),
    ("inferno-collapse-perf", "cargo install inferno"),
    ("inferno-flamegraph", "cargo install inferno"),
];

/// Records and draws one workload, or all of them.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let wanted = wanted(arguments)?;
    for (tool, brings) in TOOLS {
        let is_here = Command::new(tool).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if is_here.is_err() {
            println!("SKIPPED: {tool} is not installed ({brings})");
            return Ok(ExitCode::SUCCESS);
        }
    }
    steps::program(root, BUILD, &[])?;
    std::fs::create_dir_all(root.join(PROFILES)).with_context(|| format!("cannot create {PROFILES}"))?;
    for (name, what, bench) in wanted {
        let path = format!("{PROFILES}/{name}.svg");
        draw(root, what, bench, &root.join(&path)).with_context(|| format!("cannot draw {name}"))?;
        println!("wrote {path}");
    }
    Ok(ExitCode::SUCCESS)
}

type Workload = (&'static str, &'static str, &'static [&'static str]);

/// The workloads that are named; all where none is.
fn wanted(names: &[&str]) -> Result<Vec<Workload>> {
    for name in names {
        let all: Vec<&str> = WORKLOADS.iter().map(|(name, ..)| *name).collect();
        ensure!(
            all.contains(name),
            "`cargo xtask flame` does not know \"{name}\"; it draws {}",
            all.join(", ")
        );
    }
    Ok(WORKLOADS.iter().filter(|(name, ..)| names.is_empty() || names.contains(name)).copied().collect())
}

/// Records a bench and draws what was recorded.
fn draw(root: &Path, what: &str, bench: &[&str], path: &Path) -> Result<()> {
    let recorded = root.join("target/flame.data");
    let recorded = recorded.to_str().context("the project's folder has no name in text")?;
    let record =
        ["perf", "record", "-q", "-e", "cpu-clock", "-F", SAMPLES_PER_SECOND, "--call-graph", STACKS];
    let program = ["-o", recorded, "--", PROGRAM, "bench"];
    let command = [&record[..], &program, bench, SHORT].concat();
    steps::program(root, &command, &[])?;

    let mut stacks =
        spawn(Command::new("perf").args(["script", "--no-inline", "-i", recorded]).stderr(Stdio::null()))?;
    let output = stacks.stdout.take().context("perf script says nothing")?;
    let mut counts = spawn(Command::new("inferno-collapse-perf").stdin(output))?;
    let counted = said(&mut counts)?;
    ensure!(stacks.wait()?.success() && counts.wait()?.success(), "the stacks cannot be read");

    let title = format!("{what}: processor time of clients and queue manager");
    let mut graph = Command::new("inferno-flamegraph");
    // The same colours each time, so that two graphs can be compared.
    graph.args(["--deterministic", "--countname", "ns", "--title", &title, "--minwidth", NARROWEST_PERCENT]);
    let mut graph = spawn(graph.stdin(Stdio::piped()))?;
    let mut input = graph.stdin.take().context("inferno-flamegraph takes nothing")?;
    input.write_all(of_the_workload(&counted)?.as_bytes()).context("inferno-flamegraph takes no more")?;
    drop(input);
    let drawn = said(&mut graph)?;
    ensure!(graph.wait()?.success(), "inferno-flamegraph failed");
    ensure!(
        drawn.len() <= BYTES_MAX,
        "the graph has {} bytes, more than {BYTES_MAX}: leave out more of what is narrow",
        drawn.len()
    );
    std::fs::write(path, drawn).with_context(|| format!("cannot write {}", path.display()))?;
    std::fs::remove_file(recorded).with_context(|| format!("cannot remove {recorded}"))
}

fn spawn(command: &mut Command) -> Result<Child> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {name}"))
}

/// All that a program says.
fn said(child: &mut Child) -> Result<String> {
    let mut text = String::new();
    child.stdout.take().context("a program without output")?.read_to_string(&mut text)?;
    Ok(text)
}

/// Part of a bench before its workload: it measures the machine.
const BEFORE: &str = "perf::floors::";

/// Counted stacks of the workload alone, the threads of one kind as one: `requester 7;…` and `requester 8;…`
/// as `requester;…`.
fn of_the_workload(counted: &str) -> Result<String> {
    let mut stacks: BTreeMap<String, u64> = BTreeMap::new();
    for line in counted.lines().filter(|line| !line.contains(BEFORE)) {
        let (stack, count) = line.rsplit_once(' ').with_context(|| format!("not a counted stack: {line}"))?;
        let (thread, frames) = stack.split_once(';').unwrap_or((stack, ""));
        let kind = thread.trim_end_matches(|letter: char| letter.is_ascii_digit() || " _-".contains(letter));
        *stacks.entry(format!("{kind};{frames}")).or_default() += count.parse::<u64>()?;
    }
    Ok(stacks.iter().map(|(stack, count)| format!("{stack} {count}\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_drawn_unless_some_are_named() {
        let names = |arguments: &[&str]| {
            wanted(arguments).map(|all| all.into_iter().map(|(name, ..)| name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), WORKLOADS.len());
        assert_eq!(names(&["p-units"]).unwrap(), ["p-units"]);
        assert!(names(&["p-units", "other"]).unwrap_err().to_string().contains("put-fastpath"));
    }

    #[test]
    fn threads_of_one_kind_are_one_and_the_machine_is_left_out() {
        let counted = "requester 7;a;b 3\nrequester_12;a;b 4\nlog;a 1\nresponder 0;a 2\nferry;perf::floors::memory::measure 9\n";
        assert_eq!(of_the_workload(counted).unwrap(), "log;a 1\nrequester;a;b 7\nresponder;a 2\n");
        assert!(of_the_workload("nonsense").is_err());
    }
}
