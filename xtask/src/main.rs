//! Every chore of the project: `cargo xtask help` lists them.

mod check;
mod compatible;
mod constants;
mod determinism;
mod dev;
mod facts;
mod flame;
mod flow;
mod generated;
mod headers;
mod install;
mod instructions;
mod interop;
mod libraries;
mod marks;
mod package;
mod pages;
mod peers;
mod processor;
mod quick;
mod reasons;
mod results;
mod rows;
mod sanitize;
mod scrapes;
mod security;
mod setup;
mod site;
mod steps;
mod suites;
mod test;
mod tidy;
mod times;
mod tools;
mod torture;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask check               formatting, generated files, tidiness, lints, documentation
cargo xtask quick               the short loop: format, tidiness, lints and unit tests of what changed since main and what depends on it
cargo xtask hook                runs quick before each push, by a hook of git
cargo xtask scenario NAME       the scenarios whose file or heading has NAME, on the engine
cargo xtask test                set-up, check, every test, then the gates, as `.ci/run` calls it: keeps the time of each step in
                                perf/results/ci.csv; says last what was SKIPPED and what FAILED
cargo xtask test --quick        the same without set-up, the gates small
cargo xtask test --long         the same as without, the gates large, for a night
cargo xtask test --only STEP... these steps of it
cargo xtask test --list         the steps and what they run
cargo xtask suites              every crate's own tests, as many test programs at a time as there are processors
cargo xtask torture [--id R1] [--seeds N] [--minutes M] [--record]
                                cuts power, rots files, fails calls; --help lists figures and options
cargo xtask instructions [--record]
                                counts the instructions of the hot paths and compares with perf/instructions.csv
cargo xtask rows [--sample ROWS] [--seed NUMBER] [--all] [ROW...]
                                runs the commands of a sample of requirements that `ferry report rows` shows, three minutes at
                                most, and of every row that changed since main; --all and names run those
cargo xtask scrapes [--prefix DIR]
                                the cost of figures of 10,000 queues each 5 s beside request/reply, with its bounds
cargo xtask flow NAME           source files that a message or a command enters, in the order of their first entry, with the
                                number of entries: put, get, pass, publish, transfer, sender, define; needs valgrind
cargo xtask flow --check        compares the flows that ARCHITECTURE.md describes with these
cargo xtask flame [WORKLOAD...] flame graphs of workloads, kept in docs/performance/profiles; needs perf and inferno
cargo xtask peers [OPTIONS] [BROKER...]
                                other brokers beside ours, in turns: installs, runs, compares; --help lists brokers and options
cargo xtask sanitize [--miri | --thread [PACKAGE]]
                                the tests under Miri and ThreadSanitizer, which need a nightly toolchain
cargo xtask install --prefix DIR [--mq-names]
                                the program, the C headers and the libraries, in DIR/bin, DIR/inc and DIR/lib64;
                                --mq-names adds the commands that scripts know (crtmqm, runmqsc, …), each a link to ferry
cargo xtask interop jms|amqp [--prefix DIR] [--part NAME] [--login]
                                stock clients of JMS and of AMQP 1.0, unchanged, against the queue manager; needs the network
cargo xtask interop jms-xa [--prefix DIR] [--part NAME]
                                ferry-jms-xa with Narayana, pooled-jms and PostgreSQL: transfers between a row and a queue, their process
                                killed between any two steps; needs the network
cargo xtask interop cms         200 protected messages to `openssl cms` and 200 of its own, every bit of two of them flipped
cargo xtask interop xa [--long] [--part queues|postgres|mariadb] [--prefix DIR]
                                 transactions with another queue manager and with databases, processes killed at each step
cargo xtask interop metrics --mq-prometheus PROGRAM [--prefix DIR]
                                the exporter of the family for Prometheus, unchanged, against the queue manager
cargo xtask package [--check] [--target TRIPLE] [--out DIR] [--profile NAME]
                                Debian packages, an image, a Helm chart and an archive, the same bytes for the same commit;
                                --check tries them on a small Debian system (needs root, mmdebstrap, bubblewrap)
cargo xtask release [--out DIR] [--profile NAME] [--tag]
                                the same with notes and sums, for each kind of machine that there are tools for; uploads nothing
cargo xtask compatible ARCHIVE|--kept [--prefix DIR]
                                the programs of a kept release with those of this tree, both ways, and its folder opened;
                                --kept takes each archive in the folder that FERRY_KEPT_RELEASES names
cargo xtask interop mqi [--prefix DIR] [--rates] [--cph PROGRAM] [-t SECONDS]
                                open bindings for Python, Node and Go, unchanged, against the library; needs the network;
                                --rates measures instead: the library beside the client for Rust, each for so many seconds
cargo xtask golden              write the data directory of this version that later ones must read (crates/server/tests/golden)
cargo xtask tidy [--lower]      the tidy checks alone; --lower writes down the counts that fell
cargo xtask lines [SEED]        60 lines of documentation, chosen by a seed, to restate as a reader who is new here
cargo xtask generate            write the files that are made from tables
cargo xtask constants           the same, known by its first use
cargo xtask docs                the documents as a site, in target/site/html; needs mdbook
cargo xtask headers             the C headers, layouts and constants among them, for which nothing is compiled
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<ExitCode> {
    let root = root();
    match arguments {
        ["quick"] => quick::run(&root),
        ["hook"] => quick::hook(&root),
        ["scenario", name] => quick::scenario(&root, name),
        ["check"] => Ok(check::run(&root)),
        ["tidy"] => tidy::check(&root, false).map(|()| ExitCode::SUCCESS),
        ["tidy", "--lower"] => tidy::check(&root, true).map(|()| ExitCode::SUCCESS),
        ["lines"] => tidy::sample(&root, "1").map(|()| ExitCode::SUCCESS),
        ["lines", seed] => tidy::sample(&root, seed).map(|()| ExitCode::SUCCESS),
        ["test", options @ ..] => test::run(&root, &test::TestOptions::parse(options)?),
        ["suites"] => suites::run(&root),
        ["instructions", options @ ..] => instructions::run(&root, options),
        ["rows", options @ ..] => rows::run(&root, options),
        ["install", options @ ..] => install::run(&root, options),
        ["package", options @ ..] => package::run(&root, options),
        ["release", options @ ..] => package::release(&root, options),
        ["compatible", options @ ..] => compatible::run(&root, options),
        ["interop", options @ ..] => interop::run(&root, options),
        ["scrapes", options @ ..] => scrapes::run(&root, options),
        ["flow", options @ ..] => flow::run(&root, options),
        ["flame", workloads @ ..] => flame::run(&root, workloads),
        ["peers", options @ ..] => peers::run(&root, options),
        ["sanitize", options @ ..] => sanitize::run(&root, options),
        ["golden"] => golden(&root),
        ["torture", options @ ..] => torture::run(&root, options),
        ["docs"] => site::run(&root),
        ["generate" | "constants" | "headers"] => {
            let paths = match arguments {
                ["headers"] => generated::write_sources(&root)?,
                _ => generated::write(&root)?,
            };
            for path in paths {
                println!("wrote {path}");
            }
            Ok(ExitCode::SUCCESS)
        }
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        other => bail!("no chore is called \"{}\"; these are:\n{HELP}", other.join(" ")),
    }
}

/// Makes the golden data directory of this version; the test that reads all of them writes it.
fn golden(root: &Path) -> Result<ExitCode> {
    let test = ["cargo", "test", "--package", "server", "--test", "it", "golden"];
    steps::program(root, &test, &[("FERRY_WRITE_GOLDEN", "1")])?;
    Ok(ExitCode::SUCCESS)
}

/// The folder that holds the workspace manifest.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}
