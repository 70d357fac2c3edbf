//! `cargo xtask interop mqi|jms|amqp`: open bindings and clients, unchanged, against our library and our queue manager.
//!
//! Lives here: the queue manager they run against, and the table of what ran. `python`, `node` and `go` install a binding and
//! run it, and `samples` what it ships, for which `tokens` stands in for a token server; `rates` measures instead. `jms` has
//! programs in Java, `amqp` clients of other languages. Lives elsewhere: the library under the names that they load (`libraries`).
//!
//! Always: bindings are taken from their registries as published, at versions named here, without running anything while they
//! are installed; what cannot be installed is said and is no failure, what was installed and does not run is one. This is no
//! gate: it needs the network.

mod amqp;
mod go;
mod jms;
mod node;
mod python;
mod rates;
mod samples;
mod tokens;

use crate::install;
use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use tokens::TokenServer;

/// Runs what is asked for.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = Options::parse(arguments)?;
    let place = root.join("target/interop").join(options.what.name());
    let (prefix, profile) = match options.measures() {
        true => (place.join("measured"), rates::PROFILE),
        false => (place.join("prefix"), "dev"),
    };
    let prefix = match options.prefix.clone() {
        Some(prefix) => prefix,
        None => {
            install::for_ourselves(root, &prefix, profile)?;
            prefix
        }
    };
    let mut served = Served::start(&prefix, &place.join("data"))?;
    if options.what == What::Amqp {
        served.start_again(amqp::SETTING)?;
    }
    let mut table = Table::default();
    match options.what {
        What::Jms => {
            jms::run(&place, &served, options.part.as_deref(), &mut table)?;
            return Ok(table.print());
        }
        What::Amqp => {
            amqp::run(&place, &served, options.part.as_deref(), &mut table)?;
            return Ok(table.print());
        }
        What::Mqi => served.tokens = TokenServer::start(&served.data),
    }
    if options.measures() {
        return rates::run(root, &place.join("rates"), &served, &options);
    }
    python::run(&place.join("python"), &served, &mut table)?;
    node::run(&place.join("node"), &served, &mut table)?;
    go::run(&place.join("go"), &served, &mut table)?;
    Ok(table.print())
}

/// What was asked for.
#[derive(Debug, Default, PartialEq)]
struct Options {
    /// The clients that run.
    what: What,
    /// The only part of them that is to run.
    part: Option<String>,
    /// An installation to take.
    prefix: Option<PathBuf>,
    /// Whether to measure our library.
    rates: bool,
    /// An mq-cph to measure.
    cph: Option<PathBuf>,
    /// How long each is measured each time.
    seconds: Option<f64>,
}

/// The clients of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum What {
    #[default]
    Mqi,
    Jms,
    Amqp,
}

impl What {
    const ALL: [Self; 3] = [Self::Mqi, Self::Jms, Self::Amqp];

    fn name(self) -> &'static str {
        match self {
            Self::Mqi => "mqi",
            Self::Jms => "jms",
            Self::Amqp => "amqp",
        }
    }
}

/// The longest that each may be measured: what works with it goes on for longer.
const SECONDS_MAX: f64 = 20.0;

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let named = arguments.split_first().and_then(|(name, rest)| {
            What::ALL.into_iter().find(|what| what.name() == *name).map(|what| (what, rest))
        });
        let Some((what, mut rest)) = named else { bail!("`cargo xtask interop` runs: mqi, jms, amqp") };
        let mut options = Self { what, ..Self::default() };
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--prefix", folder, after @ ..] => {
                    options.prefix = Some(PathBuf::from(folder));
                    after
                }
                ["--part", part, after @ ..] if what != What::Mqi => {
                    options.part = Some((*part).to_owned());
                    after
                }
                ["--cph", program, after @ ..] if what == What::Mqi => {
                    let program = Path::new(program).canonicalize();
                    options.cph = Some(program.context("--cph names a program that is not there")?);
                    after
                }
                ["-t", time, after @ ..] if what == What::Mqi => {
                    let seconds: Option<f64> = time.strip_suffix('s').unwrap_or(time).parse().ok();
                    let is_meant = |seconds: &f64| *seconds > 0.0 && *seconds <= SECONDS_MAX;
                    let Some(seconds) = seconds.filter(is_meant) else {
                        bail!("-t {time} is no time such as 0.5s, up to {SECONDS_MAX}s");
                    };
                    options.seconds = Some(seconds);
                    after
                }
                ["--rates", after @ ..] if what == What::Mqi => {
                    options.rates = true;
                    after
                }
                [other, ..] if what == What::Mqi => bail!(
                    "`cargo xtask interop mqi` does not know \"{other}\"; it takes --prefix DIR, and to measure instead --rates, --cph PROGRAM, each for -t SECONDS"
                ),
                [other, ..] => bail!(
                    "`cargo xtask interop {}` does not know \"{other}\"; it takes --prefix DIR and --part NAME",
                    what.name()
                ),
            };
        }
    }

    /// Whether rates are wanted, which nothing else may run beside.
    fn measures(&self) -> bool {
        self.rates || self.cph.is_some()
    }
}

/// A queue manager for the programs, which ends with this.
struct Served {
    program: Child,
    prefix: PathBuf,
    data: PathBuf,
    port: u16,
    /// What stands in for a token server, or why there is none.
    tokens: Result<TokenServer, String>,
}

impl Served {
    fn start(prefix: &Path, data: &Path) -> Result<Self> {
        // What an earlier run left is not what this one is about.
        let _absent = std::fs::remove_dir_all(data);
        let program = Self::spawn(prefix, data)?;
        let tokens = Err("no program of this run takes tokens".to_owned());
        let mut served = Self { program, prefix: prefix.to_owned(), data: data.to_owned(), port: 0, tokens };
        served.hear_port()?;
        Ok(served)
    }

    fn spawn(prefix: &Path, data: &Path) -> Result<Child> {
        Command::new(prefix.join("bin/ferry"))
            .args(["dev", "--port", &free_port(), "-o", "json"])
            .env("FERRY_DATA", data)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", prefix.join("bin/ferry").display()))
    }

    fn hear_port(&mut self) -> Result<()> {
        let output = self.program.stdout.take().context("its output cannot be read")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line)?;
        self.port = port_of(&line).with_context(|| format!("ferry dev said {line:?}"))?;
        Ok(())
    }

    /// Starts it again with a line of its settings replaced by another.
    fn start_again(&mut self, (line, other): (&str, &str)) -> Result<()> {
        self.program.kill()?;
        self.program.wait()?;
        let path = self.data.join("QM1/ferry.toml");
        let settings = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        if !settings.contains(line) {
            bail!("{} has no line {line:?}", path.display());
        }
        std::fs::write(&path, settings.replace(line, other))?;
        self.program = Self::spawn(&self.prefix, &self.data)?;
        self.hear_port()
    }

    /// Runs commands, all of which must succeed.
    fn define(&self, commands: &str) -> Result<()> {
        let script = self.data.join("interop.mqsc");
        // Samples give users and passwords of their own, which are no users here.
        std::fs::write(&script, format!("ALTER QMGR CONNAUTH(' ')\n{commands}"))?;
        let mut ferry = Command::new(self.prefix.join("bin/ferry"));
        ferry.args(["mqsc", "-f"]).arg(&script).env("FERRY_DATA", &self.data);
        prepare(&mut ferry).map_err(|why| anyhow::anyhow!("the objects of the samples: {why}"))
    }

    /// A program that loads the library, for a limited time; over the network when it is to.
    fn command(&self, program: &Path, over_the_network: bool) -> Command {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "60"]).arg(program);
        command.env("LD_LIBRARY_PATH", self.prefix.join("lib64")).env("FERRY_DATA", &self.data);
        if over_the_network {
            command
                .env("MQ_CONNECT_TYPE", "CLIENT")
                .env("MQSERVER", format!("SYSTEM.DEF.SVRCONN/TCP/{}", self.host()));
        }
        command
    }

    /// The most memory that the queue manager has taken so far, in MiB.
    fn memory_mib_max(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.program.id()))?;
        let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = most.and_then(|most| most.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        kib.map(|kib| kib / 1024).context("the process does not tell how much memory it took")
    }

    fn host(&self) -> String {
        format!("127.0.0.1({})", self.port)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, and its data are of no further use.
        let _ended = self.program.kill();
        let _ended = self.program.wait();
    }
}

/// The port that samples go to when nobody tells them another, if it is free; any port otherwise.
fn free_port() -> String {
    const USUAL: u16 = 1414;
    let is_free = std::net::TcpListener::bind(("127.0.0.1", USUAL)).is_ok();
    if is_free { USUAL } else { 0 }.to_string()
}

fn port_of(ready: &str) -> Option<u16> {
    let ready: serde_json::Value = serde_json::from_str(ready).ok()?;
    let addresses = ready["listens"].as_array()?.iter().filter_map(serde_json::Value::as_str);
    addresses
        .filter(|address| !address.contains('/'))
        .find_map(|address| address.rsplit_once(':').and_then(|(_, port)| port.parse().ok()))
}

/// What became of a program.
#[derive(PartialEq, Eq)]
enum Verdict {
    Ran,
    /// So many tests of it passed, and none failed.
    Passed(usize),
    /// It does, and this says what that shows and what not.
    RanWith(&'static str),
    /// It does not, and why not is known.
    NotYet(&'static str),
    NotInstalled(String),
    Failed(String),
}

/// What became of all of them.
#[derive(Default)]
struct Table {
    rows: Vec<(String, Verdict)>,
}

impl Table {
    fn add(&mut self, name: impl Into<String>, verdict: Verdict) {
        self.rows.push((name.into(), verdict));
    }

    fn print(&self) -> ExitCode {
        let width = self.rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        for (name, verdict) in &self.rows {
            let told = match verdict {
                Verdict::Ran => "ran".to_owned(),
                Verdict::Passed(tests) => format!("{tests} passed"),
                Verdict::RanWith(what) => format!("ran {what}"),
                Verdict::NotYet(why) => format!("not yet: {why}"),
                Verdict::NotInstalled(why) => format!("not installed: {why}"),
                Verdict::Failed(why) => format!("FAILED: {why}"),
            };
            println!("{name:width$}  {told}");
        }
        let count = |is: fn(&Verdict) -> bool| self.rows.iter().filter(|(_, verdict)| is(verdict)).count();
        let failed = count(|verdict| matches!(verdict, Verdict::Failed(_)));
        let ran = count(|verdict| matches!(verdict, Verdict::Ran | Verdict::RanWith(_) | Verdict::Passed(_)));
        let passed = |(_, verdict): &(String, Verdict)| match verdict {
            Verdict::Passed(tests) => *tests,
            _ => 0,
        };
        let tests: usize = self.rows.iter().map(passed).sum();
        let tests = if tests == 0 { String::new() } else { format!(", {tests} tests passed") };
        println!("{ran} of {} ran, {failed} failed{tests}", self.rows.len());
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Runs a step of an installation; the last line of what it says when it fails.
fn prepare(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(told.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it does not say why").to_owned())
}

/// The last lines of what a program said.
fn tail(output: &std::process::Output) -> String {
    let all = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let text = String::from_utf8_lossy(&all).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" / ")
}

/// Makes an empty folder for a binding.
fn emptied(folder: &Path) -> Result<()> {
    let _absent = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::{Options, What, port_of};
    use std::path::Path;

    #[test]
    fn rates_are_measured_of_our_library_or_of_a_program_that_is_there() {
        let options = Options::parse(&["mqi", "--rates", "--prefix", "/opt"]).unwrap();
        assert!(options.measures() && options.prefix.as_deref() == Some(Path::new("/opt")));
        assert!(!Options::parse(&["mqi"]).unwrap().measures());
        assert!(Options::parse(&["mqi", "--cph", "/bin/sh"]).unwrap().measures());
        assert_eq!(Options::parse(&["mqi", "--rates", "-t", "1s"]).unwrap().seconds, Some(1.0));
        assert_eq!(Options::parse(&["mqi", "--rates", "-t", "0.1"]).unwrap().seconds, Some(0.1));
        for wrong in [
            &["mqi", "--cph", "/nowhere/cph"][..],
            &["mqi", "--cph"],
            &["mqi", "-t", "0s"],
            &["mqi", "-t", "1m"],
            &["mqi", "-t"],
            &["jms", "--rates"],
            &["amqp", "--part"],
            &["stomp"],
            &[],
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn clients_of_amqp_run_whole_or_in_part() {
        let options = Options::parse(&["jms", "--part", "joram", "--prefix", "/opt"]).unwrap();
        assert_eq!((options.what, options.part.as_deref()), (What::Jms, Some("joram")));
        assert_eq!(Options::parse(&["amqp"]).unwrap().what, What::Amqp);
    }

    #[test]
    fn the_port_is_that_of_the_address_which_is_no_socket() {
        let ready = r#"{"listens":["/tmp/q/socket","127.0.0.1:24141"]}"#;
        assert_eq!(port_of(ready), Some(24141));
        assert_eq!(port_of("Queue manager started"), None);
    }
}
