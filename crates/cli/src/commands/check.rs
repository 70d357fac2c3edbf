//! `ferry check`: health in one line and an exit code, as Nagios and its heirs take them.
//!
//! Always: it asks the queue manager itself, so the answer does not depend on the control process; and it
//! ends within seconds even if a part hangs.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use clap::Args;
use figures::metrics::{Block, Check, Verdict};
use serde_json::json;
use server::instances::{self, Instance};
use server::{State, health};

use super::queue_manager;
use terminal::common::Common;
use terminal::connect::{self, Place, Session};
use terminal::contexts;
use terminal::failure::{Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless};

/// A check of health.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.\n\
    Checks: live, ready, log_room, log_force, disk_free, memory, dead_letters, in_doubt, oldest_unit, \
    channels, control.")]
pub(crate) struct CheckArguments {
    /// Only this check; all of them unless named
    check: Option<String>,
}

/// Longest time for the whole of it.
const WITHIN: Duration = Duration::from_secs(8);

/// Longest time for an answer of the thread that answers probes.
const PROBE_WITHIN: Duration = Duration::from_secs(3);

/// The pause between two looks for the first figures.
const LOOK: Duration = Duration::from_millis(5);

/// Codes of monitoring systems.
const UNKNOWN: u8 = 3;

/// The words for a verdict, by its number.
const WORDS: [&str; 4] = ["OK", "WARNING", "CRITICAL", "UNKNOWN"];

/// The outcome of the checks.
struct Found {
    name: String,
    checks: Vec<Check>,
}

/// Checks, prints a line and ends with its code.
pub(crate) fn run(common: &Common, arguments: &CheckArguments) -> Result<()> {
    let (tell, told) = std::sync::mpsc::channel();
    let (common_of_thread, wanted) = (common.clone(), arguments.check.clone());
    // On a thread of its own, so that a queue manager that hangs does not hold this up.
    std::thread::spawn(move || tell.send(find(&common_of_thread, wanted.as_deref())));
    let (code, line, found) = match told.recv_timeout(WITHIN) {
        Ok(Ok(mut found)) => {
            for check in &mut found.checks {
                check.words = NextStep::from(check.words.as_str()).at(&common.typed);
            }
            let worst = found.checks.iter().map(|check| check.verdict).max().unwrap_or(Verdict::Well);
            (worst.number(), line(&found), Some(found))
        }
        Ok(Err(failure)) => (UNKNOWN, failure.at(&common.typed).what().to_owned(), None),
        Err(_) => (Verdict::Critical.number(), format!("no answer within {} s", WITHIN.as_secs()), None),
    };
    match common.output {
        Format::Table => {
            output::print_line(format!("FERRY {} - {}", WORDS[usize::from(code)], harmless(&line)))?;
        }
        Format::Json => {
            let checks = found.iter().flat_map(|found| &found.checks).map(|check| {
                json!({
                    "check": check.name, "verdict": WORDS[usize::from(check.verdict.number())],
                    "words": check.words,
                })
            });
            let name = found.as_ref().map(|found| found.name.as_str());
            output::print_json(&json!({
                "queue_manager": name, "verdict": WORDS[usize::from(code)], "text": line,
                "checks": checks.collect::<Vec<_>>(),
            }))?;
        }
    }
    if code == 0 { Ok(()) } else { Err(Failure::with_code(code)) }
}

/// Tells the checks that are not well first; then a number for each, as data of performance.
fn line(found: &Found) -> String {
    let mut worst: Vec<&Check> = found.checks.iter().filter(|check| check.verdict > Verdict::Well).collect();
    worst.sort_by_key(|check| std::cmp::Reverse(check.verdict));
    let mut line = format!("{}: ", found.name);
    match (&worst[..], &found.checks[..]) {
        ([], [only]) => line.push_str(&only.words),
        ([], checks) => {
            // Writing to a String does not fail.
            let _ = write!(line, "alive, ready, all {} checks passed", checks.len());
        }
        (worst, _) => {
            let words: Vec<String> =
                worst.iter().map(|check| format!("{}: {}", check.name, check.words)).collect();
            line.push_str(&words.join("; "));
        }
    }
    line.push_str(" |");
    for check in &found.checks {
        let _ = write!(line, " {}={}", check.name, check.verdict.number());
    }
    line
}

fn find(typed: &Common, wanted: Option<&str>) -> Result<Found> {
    let common = &contexts::applied(typed)?;
    let (place, mut checks, name) = if common.connect.is_some() {
        let place = connect::place(typed)?;
        match wanted {
            // Its probes are for its own machine and its own probers: here it is asked as programs ask.
            Some(probe @ ("live" | "ready")) => return Ok(reached(&place, probe)),
            _ => (Some(place), Vec::new(), None),
        }
    } else {
        let data = connect::data_directory(common)?;
        let name = queue_manager::name_or_running(common, None, &data)?;
        let instance = instances::find(&data, &name)?;
        let probed = Probed::of(&instance);
        let place = probed.is_live.then(|| connect::address_of(&instance)).flatten();
        (place.map(|address| Place::named(address, name)), probed.checks(), Some(name.to_string()))
    };
    let is_probe = wanted.is_some_and(|wanted| matches!(wanted, "live" | "ready"));
    let is_well = checks.iter().all(|check| check.verdict == Verdict::Well);
    let mut name = name;
    if let Some(place) = place.filter(|_| is_well && !is_probe) {
        let block = block(&place)?;
        checks.extend(block.checks);
        name = name.or(Some(block.manager));
    }
    if let Some(wanted) = wanted {
        let is_known = is_probe || health::check_names().any(|name| name == wanted);
        if !is_known {
            let known = health::check_names().collect::<Vec<_>>().join(", ");
            return Err(Failure::usage(format!(
                "there is no check {wanted}: there are live, ready, {known}"
            )));
        }
        // One that is not alive or not ready has no other figures.
        let is_meant =
            |check: &Check| check.name == wanted || !is_probe && check.verdict == Verdict::Critical;
        let has_it = checks.iter().any(|check| check.name == wanted);
        checks.retain(|check| if has_it { check.name == wanted } else { is_meant(check) });
    }
    Ok(Found { name: name.unwrap_or_default(), checks })
}

/// The answer of a queue manager that is somewhere else: it takes this program, or does not.
fn reached(place: &Place, probe: &str) -> Found {
    let check = |verdict, words: &str| Check { name: probe.to_owned(), verdict, words: words.to_owned() };
    match Session::connect(place) {
        Ok(session) => {
            let name = session.queue_manager().to_owned();
            Found { name, checks: vec![check(Verdict::Well, "accepts programs")] }
        }
        Err(failure) => {
            let name = place.name.map_or_else(|| place.address.to_string(), |name| name.to_string());
            Found { name, checks: vec![check(Verdict::Critical, failure.what())] }
        }
    }
}

/// The figures of a queue manager.
fn block(place: &Place) -> Result<Block> {
    let mut session = Session::connect(place)?;
    let until = Instant::now() + WITHIN;
    loop {
        let refused = |reason| Failure::of_call("the queue manager does not tell its figures", reason);
        let bytes = session.connection().figures().map_err(refused)?;
        if !bytes.is_empty() || Instant::now() >= until {
            session.disconnect()?;
            let wrong = |error: figures::metrics::BlockError| Failure::usage(error.to_string());
            return Block::decode(&bytes).map_err(wrong);
        }
        std::thread::sleep(LOOK);
    }
}

/// The answers of a queue manager of this machine to probes.
pub(crate) struct Probed {
    /// Alive: else it is to be started again.
    pub(crate) is_live: bool,
    /// Ready for programs.
    pub(crate) is_ready: bool,
    words: &'static str,
}

impl Probed {
    /// Asks the one of a folder.
    pub(crate) fn of(instance: &Instance) -> Self {
        let Some(running) = &instance.running else {
            return Self { is_live: false, is_ready: false, words: "not running" };
        };
        let words = match running.state {
            State::Starting => "starting",
            State::Running => "running",
            State::Ending(_) | State::Ended(_) => "ending",
        };
        let place = health::place(&instance.folder).filter(|place| place.process == running.process);
        match place {
            Some(place) => Self {
                is_live: is_well(place.address, "/livez"),
                is_ready: is_well(place.address, "/readyz"),
                words,
            },
            // Where health is answered nowhere, what it says of itself has to do.
            None => Self { is_live: true, is_ready: running.state == State::Running, words },
        }
    }

    fn checks(&self) -> Vec<Check> {
        let check = |name: &str, is_well: bool| Check {
            name: name.to_owned(),
            verdict: if is_well { Verdict::Well } else { Verdict::Critical },
            words: self.words.to_owned(),
        };
        vec![check("live", self.is_live), check("ready", self.is_ready)]
    }
}

/// Returns true if a probe is answered with success.
fn is_well(address: SocketAddr, path: &str) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = TcpStream::connect_timeout(&address, PROBE_WITHIN)?;
        stream.set_read_timeout(Some(PROBE_WITHIN))?;
        stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())?;
        let mut status = [0; 12];
        stream.read_exact(&mut status)?;
        Ok(&status == b"HTTP/1.1 200")
    };
    ask().unwrap_or(false)
}
