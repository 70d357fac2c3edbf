//! Rates of the library for C beside those of the client for Rust, call for call, and beside those of an
//! mq-cph that somebody has.
//!
//! Lives here: the workloads, and how programs are started for one and their rate read. Lives elsewhere: what
//! the modules do (`examples/c/rates.c`, `crates/client/examples/rates.rs`).
//!
//! Always: programs take turns at a workload, so that what slows the machine slows each of them; they are
//! compared turn by turn, and the middle counts.

use super::InteropOptions;
use super::served::Served;
use crate::steps;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

/// Profile of every build: the one in which the library is shipped.
pub(super) const PROFILE: &str = crate::libraries::PROFILE;

/// The queues of our programs, and those that mq-cph uses when it is told no others. A sender may be far
/// ahead of its receiver.
const OBJECTS: &str = "DEFINE QLOCAL(RATES.QUEUE) MAXDEPTH(999999999) REPLACE
DEFINE QLOCAL(RATES.REQUEST) REPLACE
DEFINE QLOCAL(RATES.REPLY) REPLACE
DEFINE QLOCAL(DEST) MAXDEPTH(999999999) REPLACE
DEFINE QLOCAL(REQUEST) REPLACE
DEFINE QLOCAL(REPLY) REPLACE
";

/// Duration of each measurement of our programs by default, in seconds.
const SECONDS: f64 = 0.5;

/// Duration of a measurement of a way.
const SECONDS_OF_WAY: f64 = 1.0;

/// Shortest duration of mq-cph, which takes whole seconds.
const SECONDS_OF_CPH: f64 = 2.0;

/// Time limit of a part whose partner ends it.
const SECONDS_OF_PARTNER: &str = "30";

/// Number of turns for each.
const TURNS: usize = 3;

/// Number of turns at a workload where [`SHARE_MIN`] is in doubt.
const TURNS_MAX: usize = 9;

/// Time for partners to begin.
const BEGINS_WITHIN: Duration = Duration::from_millis(200);

/// The share of the client's rate that the library reaches.
const SHARE_MIN: f64 = 0.85;

/// Smallest ratio of pairs by rings to pairs by the Unix socket, where no disk is waited for.
const RINGS_MIN: f64 = 2.0;

/// Workload to measure.
#[derive(Clone, Copy)]
struct Workload {
    /// The part that is measured, and the part that works with it: names of our programs.
    parts: (&'static str, Option<&'static str>),
    /// The same names in mq-cph.
    in_cph: (&'static str, Option<&'static str>),
    threads: u32,
    persists: bool,
    in_units: bool,
    /// Duration of each measurement.
    seconds: f64,
}

fn workloads(seconds: f64) -> Vec<Workload> {
    let modules = [
        (("requester", Some("responder")), ("Requester", Some("Responder"))),
        (("sender", Some("receiver")), ("Sender", Some("Receiver"))),
        (("putget", None), ("PutGet", None)),
    ];
    let mut all = Vec::new();
    for (parts, in_cph) in modules {
        for (persists, in_units) in [(false, false), (false, true), (true, false), (true, true)] {
            for threads in [1, 10, 100] {
                all.push(Workload { parts, in_cph, threads, persists, in_units, seconds });
            }
        }
    }
    all
}

impl Workload {
    fn title(&self) -> String {
        let kind = if self.persists { "persistent" } else { "non-persistent" };
        let unit = if self.in_units { ", in syncpoint" } else { "" };
        format!("{}, {kind}{unit}, {} thread(s)", self.in_cph.0, self.threads)
    }
}

/// A way to a queue manager.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// That of a program bound to the queue manager of its machine.
    Local,
    Socket,
    Network,
}

impl Way {
    /// Where the client for Rust goes for it.
    fn address(self, served: &Served) -> String {
        let folder = served.data.join("QM1");
        match self {
            Self::Local => format!("rings:{}", folder.join("rings").display()),
            Self::Socket => format!("unix:{}", folder.join("socket").display()),
            Self::Network => format!("127.0.0.1:{}", served.port),
        }
    }
}

/// A program that does workloads.
enum Program {
    InC(PathBuf),
    InRust(PathBuf),
    /// An mq-cph.
    Cph(PathBuf),
}

impl Program {
    /// The command for a part of a workload.
    fn part(&self, served: &Served, way: Way, workload: Workload, measured: bool) -> Option<Command> {
        let choose =
            |parts: (&'static str, Option<&'static str>)| if measured { Some(parts.0) } else { parts.1 };
        let part = choose(workload.parts)?;
        let seconds = |of_part: f64| match measured {
            true => of_part.to_string(),
            false => SECONDS_OF_PARTNER.to_owned(),
        };
        let path = match self {
            Self::InC(path) | Self::InRust(path) | Self::Cph(path) => path,
        };
        let mut command = served.command(path, way == Way::Network);
        match self {
            Self::InC(_) => {}
            Self::InRust(_) => {
                command.arg(way.address(served));
            }
            Self::Cph(_) => {
                let seconds = seconds(workload.seconds.max(SECONDS_OF_CPH).ceil());
                command.args(arguments_of_cph(choose(workload.in_cph)?, workload, &seconds));
                match way {
                    Way::Local | Way::Socket => command.args(["-jt", "mqb"]),
                    Way::Network => {
                        command.args(["-jt", "mqc", "-jh", "127.0.0.1", "-jp", &served.port.to_string()])
                    }
                };
                return Some(command);
            }
        }
        command.args([part, &workload.threads.to_string(), &seconds(workload.seconds)]);
        command.args(workload.persists.then_some("p")).args(workload.in_units.then_some("t"));
        Some(command)
    }

    /// The rate of the part that is measured.
    fn rate(&self, served: &Served, way: Way, workload: Workload) -> Result<f64> {
        served
            .define("CLEAR QLOCAL(RATES.QUEUE)\nCLEAR QLOCAL(RATES.REQUEST)\nCLEAR QLOCAL(RATES.REPLY)\n")?;
        served.define("CLEAR QLOCAL(DEST)\nCLEAR QLOCAL(REQUEST)\nCLEAR QLOCAL(REPLY)\n")?;
        let partner = self.part(served, way, workload, false);
        let partner =
            partner.map(|mut command| command.stdout(Stdio::null()).spawn().map(Partner)).transpose()?;
        if partner.is_some() {
            std::thread::sleep(BEGINS_WITHIN);
        }
        let measured = self.part(served, way, workload, true).context("a part that is measured")?;
        let rate = rate_of(measured);
        if let Some(partner) = partner {
            partner.end()?;
        }
        rate.with_context(|| workload.title())
    }
}

/// The rate that a program tells.
fn rate_of(mut program: Command) -> Result<f64> {
    let output = program.output().with_context(|| format!("{}", program.get_program().display()))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match rate_in(&said) {
        Some(rate) if output.status.success() => Ok(rate),
        _ => bail!("{}", super::table::tail(&output)),
    }
}

/// A part that works with the one that is measured; ended when this is.
struct Partner(Child);

impl Partner {
    /// Ends it, so that the next begins alone.
    fn end(mut self) -> Result<()> {
        // `timeout` passes the signal on.
        let _ended = Command::new("kill").arg(self.0.id().to_string()).status()?;
        self.0.wait()?;
        Ok(())
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        // It has ended, or does so when its time is over.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

/// The arguments of mq-cph for a workload, but for the way.
fn arguments_of_cph(module: &str, workload: Workload, seconds: &str) -> Vec<String> {
    let fixed = ["-tc", module, "-ms", "2048", "-ss", "0", "-wi", "0", "-jb", "QM1", "-rl", seconds];
    let mut arguments: Vec<String> = fixed.map(str::to_owned).into();
    for (option, value) in [
        ("-nt", workload.threads.to_string()),
        ("-pp", workload.persists.to_string()),
        ("-tx", workload.in_units.to_string()),
    ] {
        arguments.extend([option.to_owned(), value]);
    }
    arguments
}

/// The rate that a program tells at its end: `rate=` of ours, `avgRate=` of mq-cph, which tells rates
/// meanwhile too.
fn rate_in(said: &str) -> Option<f64> {
    let (_, rest) = said.rsplit_once("avgRate=").or_else(|| said.rsplit_once("rate="))?;
    rest.split([',', '\n', ' ']).next()?.trim().parse().ok()
}

/// Rates of the programs at a workload, turn by turn, in the order of the programs.
struct Turns(Vec<Vec<f64>>);

impl Turns {
    /// Has the programs take turns: more of them where the second does not reach its share of the first, and
    /// all count.
    fn taken(programs: &[Program], served: &Served, way: Way, workload: Workload) -> Result<Self> {
        let mut turns = Self(vec![Vec::new(); programs.len()]);
        for number in 0..TURNS_MAX {
            if number >= TURNS && turns.shares().get(1).is_none_or(|share| *share >= SHARE_MIN) {
                break;
            }
            for (program, rates) in programs.iter().zip(&mut turns.0) {
                rates.push(program.rate(served, way, workload)?);
            }
        }
        Ok(turns)
    }

    /// The rate in the middle of each program's.
    fn rates(&self) -> Vec<f64> {
        self.0.iter().cloned().map(middle).collect()
    }

    /// The share in the middle of those that each program had of the first program's rate in the same turn.
    fn shares(&self) -> Vec<f64> {
        let of_first =
            |rates: &Vec<f64>| middle(rates.iter().zip(&self.0[0]).map(|(own, first)| own / first).collect());
        self.0.iter().map(of_first).collect()
    }
}

fn middle(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

/// Prints how many pairs of put and get one thread makes by each way to a queue manager of its machine, by
/// the client for Rust and by the library in C, whose standard bindings are the rings; whether rings are
/// worth having.
fn compare_ways(in_rust: &Path, in_c: Option<&Path>, served: &Served, seconds: f64) -> Result<bool> {
    let ways = [("rings", Way::Local), ("Unix socket", Way::Socket), ("TCP", Way::Network)];
    println!("Pairs of put and get a second, one thread; and how many times those by the Unix socket:");
    println!("{:34}{}", "", ways.map(|(title, _)| format!("{title:>20}")).concat());
    let mut are_worth_it = true;
    for (kind, letters) in [("non-persistent", &[][..]), ("persistent", &["p"])] {
        let measured = |command: &mut Command| {
            command.args(["putget", "1", &seconds.to_string()]).args(letters);
        };
        let (mut rates, mut rates_in_c) = (ways.map(|_| Vec::new()), ways.map(|_| Vec::new()));
        for _ in 0..TURNS {
            for (place, (_, way)) in ways.into_iter().enumerate() {
                let mut command = served.command(in_rust, false);
                measured(command.arg(way.address(served)));
                rates[place].push(rate_of(command)?);
                // A program in C is bound to the queue manager or a client of it; the socket is taken where
                // there are no rings.
                if let Some(path) = in_c.filter(|_| way != Way::Socket) {
                    let mut command = served.command(path, way == Way::Network);
                    measured(&mut command);
                    rates_in_c[place].push(rate_of(command)?);
                }
            }
        }
        let rates = rates.map(middle);
        let [rings, socket, _] = rates;
        let told = rates.map(|rate| format!("{rate:>14.0} {:>4.1}x", rate / socket));
        println!("{:34}{}", format!("Rust client, {kind}"), told.concat());
        if in_c.is_some() {
            let told = rates_in_c.map(|rates| match rates.is_empty() {
                true => format!("{:>20}", "-"),
                false => {
                    let rate = middle(rates);
                    format!("{rate:>14.0} {:>4.1}x", rate / socket)
                }
            });
            println!("{:34}{}", format!("C, standard bindings, {kind}"), told.concat());
        }
        are_worth_it &= !letters.is_empty() || rings >= socket * RINGS_MIN;
    }
    let judged = if are_worth_it { "are" } else { "are NOT" };
    println!(
        "by rings there {judged} {RINGS_MIN:.0} times the pairs by the Unix socket, where no disk is waited for"
    );
    Ok(are_worth_it)
}

/// Measures the client for Rust, our program in C when that is wanted and an mq-cph when there is one, and
/// prints a table; a failure when the library for C is too slow.
pub(super) fn run(root: &Path, folder: &Path, served: &Served, options: &InteropOptions) -> Result<ExitCode> {
    super::table::emptied(folder)?;
    served.define(OBJECTS)?;
    let in_rust = client_program(root)?;
    let in_c = if options.rates { Some(c_program(root, folder, served)?) } else { None };
    let seconds_of_way = options.seconds.unwrap_or(SECONDS_OF_WAY);
    let are_rings_worth_it = compare_ways(&in_rust, in_c.as_deref(), served, seconds_of_way)?;
    let ours = in_c.is_some();
    let mut programs = vec![Program::InRust(in_rust)];
    let mut titles = vec!["Rust client".to_owned()];
    if let Some(path) = in_c {
        programs.push(Program::InC(path));
        titles.push("C library".to_owned());
    }
    if let Some(path) = &options.cph {
        programs.push(Program::Cph(path.clone()));
        titles.push("cph".to_owned());
    }
    let heads: String = titles.iter().map(|title| format!("{title:>18}")).collect();
    println!(
        "Turns a second, and the share of the client's in the same turn, the middle of {TURNS} to {TURNS_MAX} each:"
    );
    println!("{:56}{heads}{heads}", "bound to the queue manager of the machine, then TCP");
    let mut slow = 0;
    for workload in workloads(options.seconds.unwrap_or(SECONDS)) {
        let mut line = format!("{:56}", workload.title());
        for way in [Way::Local, Way::Network] {
            let turns = Turns::taken(&programs, served, way, workload)?;
            let shares = turns.shares();
            for (rate, share) in turns.rates().iter().zip(&shares) {
                line += &format!("{rate:>12.0} {:>4.0}%", share * 100.0);
            }
            slow += usize::from(ours && shares[1] < SHARE_MIN);
        }
        println!("{line}");
    }
    println!("{slow} below {:.0} %", SHARE_MIN * 100.0);
    Ok(if slow == 0 && are_rings_worth_it { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds the client's program.
fn client_program(root: &Path) -> Result<PathBuf> {
    let build =
        ["cargo", "build", "--quiet", "--profile", PROFILE, "--package", "client", "--example", "rates"];
    steps::program(root, &build, &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join(PROFILE).join("examples/rates"))
}

/// Builds the program in C.
fn c_program(root: &Path, folder: &Path, served: &Served) -> Result<PathBuf> {
    let path = folder.join("rates");
    let mut compiler = Command::new("cc");
    compiler.args(["-O2", "-pthread", "-I"]).arg(served.prefix.join("inc"));
    compiler.arg(root.join("examples/c/rates.c")).arg("-L").arg(served.prefix.join("lib64"));
    super::table::prepare(compiler.args(["-lmqm_r", "-o"]).arg(&path))
        .map_err(|why| anyhow::anyhow!("examples/c/rates.c: {why}"))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::{Turns, arguments_of_cph, rate_in, workloads};
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    #[test]
    fn programs_are_compared_turn_by_turn() {
        let turns = Turns(vec![vec![100.0, 50.0, 80.0], vec![90.0, 45.0, 40.0]]);
        assert_eq!(turns.rates(), [80.0, 45.0]);
        assert_eq!(turns.shares(), [1.0, 0.9]);
    }

    #[test]
    fn the_rate_is_that_of_the_end() {
        for (said, rate) in [
            ("done=10 rate=5.5\n", Some(5.5)),
            ("rate=9.00,threads=1\ntotalIterations=8,totalSeconds=2.00,avgRate=4.00\n", Some(4.0)),
            ("controlThread START\n", None),
            ("avgRate=no", None),
        ] {
            assert_eq!(rate_in(said), rate, "{said}");
        }
    }

    /// Not mq-cph: a script in its place that reads the same options, and tells what it was given in the same
    /// form.
    const STAND_IN: &str = r#"#!/bin/sh
echo "a stand-in for cph: nothing is measured"
while [ $# -gt 1 ]; do
    case $1 in
        -tc) module=$2;; -nt) threads=$2;; -rl) seconds=$2;; -pp) persists=$2;; -tx) units=$2;;
        -ms|-ss|-wi|-jb) ;;
        *) echo "unknown option $1"; exit 1;;
    esac
    shift 2
done
[ $# = 0 ] || exit 1
echo "rate=1.00,threads=$threads"
echo "$module $threads $seconds $persists $units"
echo "totalIterations=1,totalSeconds=$seconds.00,avgRate=$threads.50"
"#;

    #[test]
    fn a_program_that_reads_the_options_of_cph_is_told_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("stand-in");
        std::fs::write(&path, STAND_IN).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        for workload in workloads(2.0) {
            let output = Command::new("sh")
                .arg(&path)
                .args(arguments_of_cph("PutGet", workload, "2"))
                .output()
                .unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success(), "{said}");
            let told = format!("PutGet {} 2 {} {}\n", workload.threads, workload.persists, workload.in_units);
            assert!(said.contains(&told), "{said}");
            assert_eq!(rate_in(&said), Some(f64::from(workload.threads) + 0.5));
        }
    }
}
