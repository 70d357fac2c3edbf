//! Clients in a process of their own: the side that starts it, and the process.
//!
//! The words between the two are those of `told`; the process is given its order first.

use std::io::{self, BufRead, Write};
use std::process::Command;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use mqi::ObjectName;
use serde::{Deserialize, Serialize};

use super::RequestReplyWorkload;
use super::client::{Account, Plan};
use super::crew::{Crew, Share};
use crate::access::{Access, Channels, Way};
use crate::jms::{Java, Requests};
use crate::run::{Phase, Shared};
use crate::told::{Process, Said, Told, read_line, unexpected, write_line};

/// The order of a process.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) way: Way,
    pub(super) workload: RequestReplyWorkload,
    pub(super) share: Share,
    pub(super) requests: Vec<String>,
    pub(super) replies: Vec<String>,
}

/// A process of requesters and responders; it ends when this is dropped.
pub struct ClientProcess(Process);

impl ClientProcess {
    /// Starts one, by the program that this process runs, and gives it its order.
    pub(super) fn start(order: &Order) -> Result<Self> {
        let program = std::env::current_exe().context("this program does not know where it is")?;
        let mut process = Process::start(Command::new(&program).args(["bench", "clients"]))?;
        process.write(order)?;
        Ok(Self(process))
    }

    /// Starts clients of JMS, which connect.
    ///
    /// # Errors
    /// When there is no Java, or a library cannot be had.
    pub fn of_jms(clients: &Requests<'_>) -> Result<Self> {
        let mut command = Java::prepared()?.command(clients.address, &clients.order());
        Process::start(&mut command).map(Self)
    }

    pub(super) fn process(&self) -> &Process {
        &self.0
    }

    pub(super) fn process_mut(&mut self) -> &mut Process {
        &mut self.0
    }

    /// Returns the identifier of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.0.id()
    }

    /// Waits until its clients are connected, and lets them begin.
    ///
    /// # Errors
    /// When one of them cannot connect.
    pub fn begin(&mut self) -> Result<()> {
        self.0.wait_connected()?;
        self.0.tell(Told::Begin)
    }

    /// Has it measure from now on.
    ///
    /// # Errors
    /// When the process is gone.
    pub fn measure(&mut self) -> Result<()> {
        self.0.tell(Told::Measure)
    }

    /// Ends its clients; returns the account of the requesters, and the number of requests answered.
    ///
    /// # Errors
    /// The first failure of a client.
    pub fn end(mut self) -> Result<(Account, u64)> {
        self.0.tell(Told::Done)?;
        Ok((self.requesters()?, self.responders()?))
    }

    /// Returns the account of its requesters, when they are done.
    pub(super) fn requesters(&mut self) -> Result<Account> {
        match self.0.hear()? {
            Said::Requesters { requested, replied, measured, latencies } => {
                Ok(Account { requested, replied, measured, latencies: latencies.into() })
            }
            said => Err(unexpected(said)),
        }
    }

    /// Returns the number of requests its responders answered.
    pub(super) fn responders(&mut self) -> Result<u64> {
        self.0.tell(Told::End)?;
        match self.0.hear()? {
            Said::Responders { answered } => Ok(answered),
            said => Err(unexpected(said)),
        }
    }
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
