//! Other brokers on the workloads of `ferry bench`, in turns with ours, on this machine.
//!
//! Lives here: brokers (`brokers`), their protocols (`clients` over `socket`), installing and running them
//! (`install`, `process`), the workloads for any of them (`request_reply`, `one_way`, `fan_out`,
//! `null_publish`) and the common part of three of these (`measuring`), those of JMS (`jms`), the points of
//! comparison (`points`) and the comparison (`compare`), our own publish/subscribe for them (`ours`), every
//! turn of it in a file (`kept`) and a page made from that (`page`).
//! Lives elsewhere: our other clients and their measuring (`perf`).
//!
//! Always: a run with a message that is not accounted for is not reported, a workload that cannot be run is
//! said to be not run, and every process that was started ends with this one.

mod broker;
mod brokers;
mod clients;
mod compare;
mod fan_out;
mod figures;
mod install;
mod jms;
mod kept;
mod links;
mod measuring;
mod null_publish;
mod one_way;
mod ours;
mod page;
mod points;
mod process;
mod request_reply;
mod socket;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Parser;

use compare::{Comparison, Plan};
use perf::interrupt;
use points::{Run, WORKLOADS};

/// Other brokers beside ours, in turns, on this machine
#[derive(Debug, Parser)]
#[command(name = "perf-peers")]
struct Arguments {
    /// Brokers to compare with [default: all]
    #[arg(value_name = "BROKER")]
    peers: Vec<String>,
    /// Workloads to compare by: rr, rr-durable, rr-window, rr-window-durable, one-way,
    /// one-way-durable, preloaded, jms, jms-durable, fan-out, null-publish [default: all]
    #[arg(short, long, value_name = "WORKLOAD", value_delimiter = ',')]
    workloads: Vec<String>,
    /// The first and the last point of each workload, ours, the other and ours once, for a second each: all
    /// brokers in less than a quarter of an hour
    #[arg(long)]
    quick: bool,
    /// Numbers of clients that ask
    #[arg(short, long, value_name = "CLIENTS", value_delimiter = ',', default_value = "1,16,64")]
    clients: Vec<u32>,
    /// Messages that lie on the reply queue in `preloaded`, beside none and a hundredth of them
    #[arg(long, value_name = "MESSAGES", default_value_t = 100_000)]
    preloaded: u64,
    /// Bytes of a message
    #[arg(short, long, value_name = "BYTES", default_value_t = 2048)]
    size: usize,
    /// Measure so many seconds in each turn
    #[arg(
        short,
        long,
        value_name = "SECONDS",
        default_value = "5",
        default_value_if("quick", "true", "1"),
        value_parser = seconds
    )]
    time: Duration,
    /// Run so many seconds before measuring
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "1",
        default_value_if("quick", "true", "0.3"),
        value_parser = seconds
    )]
    warm_up: Duration,
    /// The same in `jms` and `jms-durable`, where clients of Java are started for each turn
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "10",
        default_value_if("quick", "true", "2"),
        value_parser = seconds
    )]
    jms_warm_up: Duration,
    /// Turns of the other broker at each point; ours has one more
    #[arg(short, long, value_name = "TIMES", default_value = "3", default_value_if("quick", "true", "1"))]
    repeat: usize,
    /// Links between two brokers of a kind, which are cut and whose ends are killed, instead of workloads
    #[arg(long)]
    links: bool,
    /// Cut each link so often; behind each fifth cut one end is killed
    #[arg(long, value_name = "CUTS", requires = "links", default_value_t = 30)]
    cuts: u32,
    /// The seed that cuts and kills follow from
    #[arg(long, value_name = "NUMBER", requires = "links", default_value_t = 1)]
    seed: u64,
    /// Install no broker: what is not here is not run
    #[arg(long)]
    no_install: bool,
    /// Keep every turn in this directory, behind those that peers.jsonl there keeps, and write
    /// peers.md from all of them
    #[arg(long, value_name = "DIRECTORY")]
    results: Option<PathBuf>,
    /// Measure nothing: write peers.md in this directory again, from the turns that it keeps
    #[arg(long, value_name = "DIRECTORY", exclusive = true)]
    from: Option<PathBuf>,
    /// The program ferry [default: the one beside this program]
    #[arg(long, value_name = "PROGRAM")]
    ferry: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse::<f64>().ok();
    let time = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero()).ok_or_else(|| "give seconds, as 5, 0.5 or 1s".to_owned())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("perf-peers: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Grace after the first Ctrl-C. A turn that does not end within it, since a broker does not answer or a
/// package is being installed, is ended as by the second. The messages that are under way when a turn ends
/// are accounted for in much less.
const GRACE: Duration = Duration::from_secs(10);

fn run(arguments: &Arguments) -> Result<ExitCode> {
    if let Some(directory) = &arguments.from {
        println!("{}", page::write(directory)?.display());
        return Ok(ExitCode::SUCCESS);
    }
    let interrupt = interrupt::listen(Some(GRACE))?;
    let ferry = arguments.ferry.clone().map_or_else(compare::ferry, Ok)?;
    if arguments.links {
        let script = links::Script { seed: arguments.seed, cuts: arguments.cuts };
        let linked = brokers::linked(&ferry);
        return links::compare(linked, &arguments.peers, script, !arguments.no_install, &interrupt);
    }
    let all = brokers::all(&ferry);
    for name in &arguments.peers {
        let names: Vec<&str> = all.iter().map(|peer| peer.name()).collect();
        ensure!(names.contains(&name.as_str()), "there is no {name} here: {}", names.join(", "));
    }
    for workload in &arguments.workloads {
        ensure!(WORKLOADS.contains(&workload.as_str()), "there is no {workload}: {}", WORKLOADS.join(", "));
    }
    ensure!(arguments.clients.iter().all(|clients| *clients > 0), "there must be a client that asks");
    ensure!(
        arguments.size >= perf::tally::BODY_BYTES_MIN,
        "a message has at least {} bytes",
        perf::tally::BODY_BYTES_MIN
    );
    let is_wanted = |workload: &str| {
        arguments.workloads.is_empty() || arguments.workloads.iter().any(|wanted| wanted == workload)
    };
    let plan = Plan {
        points: WORKLOADS
            .iter()
            .filter(|workload| is_wanted(workload))
            .flat_map(|workload| {
                let points = points::of(workload, &arguments.clients, arguments.preloaded);
                if arguments.quick { points::ends(points) } else { points }
            })
            .collect(),
        run: Run { warm_up: arguments.warm_up, measure: arguments.time, bytes: arguments.size },
        jms_warm_up: arguments.jms_warm_up,
        repetitions: arguments.repeat,
        installs: !arguments.no_install,
        results: arguments.results.clone(),
        ferry,
    };
    let mut comparison = Comparison::new(&plan, &interrupt)?;
    comparison.print_head()?;
    for peer in all {
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
        if arguments.peers.is_empty() || arguments.peers.iter().any(|name| name == peer.name()) {
            comparison.with(&*peer);
        }
    }
    // What there is until somebody ends it is worth a page.
    if let Some(directory) = arguments.results.as_ref().filter(|_| comparison.has_kept) {
        println!("\n{}", page::write(directory)?.display());
    }
    if interrupt.load(Ordering::Relaxed) {
        eprintln!("interrupted: what is printed is what there was until then");
        return Ok(ExitCode::FAILURE);
    }
    Ok(if comparison.has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
