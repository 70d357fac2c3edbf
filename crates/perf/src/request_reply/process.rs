//! Clients in a process of their own: the side that starts it, and the process.
//!
//! They talk in lines of JSON. The process is given its order, says that its clients are connected, and is
//! told when to begin, when it is measured and when that is over. Then it tells the account of its requesters
//! and, when all requesters of all processes are done, how many requests its responders answered. It ends
//! with its input.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use anyhow::{Context as _, Error, Result, anyhow, bail};
use mqi::ObjectName;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Workload;
use super::client::{Account, Plan};
use super::crew::{Crew, Share};
use crate::access::{Access, Channels, Way};
use crate::belongings::Group;
use crate::latency::Counts;
use crate::run::{Phase, Shared};

/// The order of a process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) way: Way,
    pub(super) workload: Workload,
    pub(super) share: Share,
    pub(super) requests: Vec<String>,
    pub(super) replies: Vec<String>,
}

/// A word to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Told {
    Begin,
    Measure,
    /// Asks if a round trip was measured.
    Look,
    Done,
    /// All requesters of all processes are done.
    End,
}

/// A word of the process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    Connected,
    HasMeasured(bool),
    Requesters { requested: u64, replied: u64, measured: u64, latencies: Counts },
    Responders { answered: u64 },
    Failed(String),
}

/// A process of clients, as the one that started it sees it; it ends when this is dropped.
pub(super) struct Process {
    group: Group,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts one, by the program that this process runs, and gives it its order.
    pub(super) fn start(order: &Order) -> Result<Self> {
        let program = std::env::current_exe().context("this program does not know where it is")?;
        let mut command = Command::new(&program);
        command.args(["bench", "clients"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut group =
            Group::start(&mut command).with_context(|| format!("cannot run {}", program.display()))?;
        let input = group.leader.stdin.take().context("a process of clients has no input")?;
        let output = group.leader.stdout.take().context("a process of clients has no output")?;
        let mut process = Self { group, input, output: BufReader::new(output) };
        write_line(&mut process.input, order)?;
        Ok(process)
    }

    pub(super) fn id(&self) -> u32 {
        self.group.leader.id()
    }

    /// Waits until its clients are connected.
    pub(super) fn wait_connected(&mut self) -> Result<()> {
        match self.hear()? {
            Said::Connected => Ok(()),
            said => Err(unexpected(said)),
        }
    }

    pub(super) fn tell(&mut self, told: Told) -> Result<()> {
        write_line(&mut self.input, &told)
    }

    /// Returns true if its clients measured a round trip, or one of them failed.
    pub(super) fn has_measured(&mut self) -> Result<bool> {
        self.tell(Told::Look)?;
        match self.hear()? {
            Said::HasMeasured(has_measured) => Ok(has_measured),
            said => Err(unexpected(said)),
        }
    }

    /// Returns the account of its requesters, when they are done.
    pub(super) fn requesters(&mut self) -> Result<Account> {
        match self.hear()? {
            Said::Requesters { requested, replied, measured, latencies } => {
                Ok(Account { requested, replied, measured, latencies: latencies.into() })
            }
            said => Err(unexpected(said)),
        }
    }

    /// Returns the number of requests its responders answered.
    pub(super) fn responders(&mut self) -> Result<u64> {
        self.tell(Told::End)?;
        match self.hear()? {
            Said::Responders { answered } => Ok(answered),
            said => Err(unexpected(said)),
        }
    }

    fn hear(&mut self) -> Result<Said> {
        read_line(&mut self.output)?.context("a process of clients ended without a word")
    }
}

fn unexpected(said: Said) -> Error {
    match said {
        Said::Failed(reason) => anyhow!("a process of clients: {reason}"),
        said => anyhow!("a process of clients says {said:?} out of turn"),
    }
}

fn write_line(output: &mut impl Write, line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    output.write_all(text.as_bytes()).context("the other process is gone")?;
    output.flush().context("the other process is gone")
}

/// The next line; none at the end.
fn read_line<T: DeserializeOwned>(input: &mut impl BufRead) -> Result<Option<T>> {
    let mut text = String::new();
    if input.read_line(&mut text)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&text)?))
}

/// Runs `ferry bench clients`: a process of clients, ordered through its input.
///
/// # Errors
/// When a client fails, which is said on standard output as well, or the other side is gone.
pub fn serve() -> Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let served = serve_order(&mut input, &mut output);
    if let Err(error) = &served {
        write_line(&mut output, &Said::Failed(format!("{error:#}")))?;
    }
    served
}

fn serve_order(input: &mut impl BufRead, output: &mut impl Write) -> Result<()> {
    let order: Order = read_line(input)?.context("no order came")?;
    let access: Arc<dyn Access> = Arc::new(Channels::by(&order.way)?);
    let shared = Arc::new(Shared::default());
    shared.enter(Phase::WarmUp);
    let requests: Result<Vec<ObjectName>, _> = order.requests.iter().map(|name| name.parse()).collect();
    let plan = Arc::new(Plan { workload: order.workload, requests: requests? });
    let replies: Result<Vec<ObjectName>, _> = order.replies.iter().map(|name| name.parse()).collect();
    let mut crew = Crew::start(&access, &plan, &shared, &order.share, &replies?)?;
    crew.wait_connected();
    write_line(output, &Said::Connected)?;
    expect(input, Told::Begin)?;
    crew.begin();
    expect(input, Told::Measure)?;
    shared.enter(Phase::Measure);
    loop {
        match hear_told(input)? {
            Told::Look => write_line(output, &Said::HasMeasured(shared.has_measured()))?,
            Told::Done => break,
            told => bail!("was told {told:?} while it measured"),
        }
    }
    shared.enter(Phase::Done);
    let mut failures = Vec::new();
    let account = crew.requesters(&mut failures);
    // A responder that failed left its requests without an answer, and says why at its end.
    let Account { requested, replied, measured, latencies } = account;
    if failures.is_empty() {
        write_line(output, &Said::Requesters { requested, replied, measured, latencies: latencies.into() })?;
        expect(input, Told::End)?;
    }
    let answered = crew.responders(&mut failures);
    match failures.into_iter().next() {
        Some(error) => Err(error),
        None => write_line(output, &Said::Responders { answered }),
    }
}

fn expect(input: &mut impl BufRead, told: Told) -> Result<()> {
    match hear_told(input)? {
        line if line == told => Ok(()),
        line => bail!("was told {line:?} instead of {told:?}"),
    }
}

fn hear_told(input: &mut impl BufRead) -> Result<Told> {
    read_line(input)?.context("nobody tells it to go on")
}
