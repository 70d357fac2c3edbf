//! Clients in a process of their own, as the one that started it sees them: of this program, or of Java.
//!
//! They talk in lines of JSON. The process says that its clients are connected, and is told when to begin,
//! when it is measured and when that is over. Then it tells what those of its clients did that send first
//! and, when all of all processes are done, what those did that receive. It ends with its input.

use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Error, Result, anyhow};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::belongings::Group;
use crate::latency::Counts;

/// A word to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Told {
    Begin,
    Measure,
    /// Asks if a round trip was measured.
    Look,
    Done,
    /// All that send first, of all processes, are done.
    End,
}

/// A word of the process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Said {
    Connected,
    HasMeasured(bool),
    Requesters { requested: u64, replied: u64, measured: u64, latencies: Counts },
    Responders { answered: u64 },
    Publishers { published: u64, measured: u64, latencies: Counts },
    Subscribers { received: u64, measured: u64 },
    Failed(String),
}

/// A process of clients; it ends when this is dropped.
pub(crate) struct Process {
    group: Group,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts one.
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let program = command.get_program().to_owned();
        let mut group = Group::start(command).with_context(|| format!("cannot run {}", program.display()))?;
        let input = group.leader.stdin.take().context("a process of clients has no input")?;
        let output = group.leader.stdout.take().context("a process of clients has no output")?;
        Ok(Self { group, input, output: BufReader::new(output) })
    }

    pub(crate) fn id(&self) -> u32 {
        self.group.leader.id()
    }

    /// Waits until its clients are connected.
    pub(crate) fn wait_connected(&mut self) -> Result<()> {
        match self.hear()? {
            Said::Connected => Ok(()),
            said => Err(unexpected(said)),
        }
    }

    pub(crate) fn tell(&mut self, told: Told) -> Result<()> {
        self.write(&told)
    }

    pub(crate) fn write(&mut self, line: &impl Serialize) -> Result<()> {
        write_line(&mut self.input, line)
    }

    /// Returns true if its clients measured a round trip, or one of them failed.
    pub(crate) fn has_measured(&mut self) -> Result<bool> {
        self.tell(Told::Look)?;
        match self.hear()? {
            Said::HasMeasured(has_measured) => Ok(has_measured),
            said => Err(unexpected(said)),
        }
    }

    /// Its next word.
    pub(crate) fn hear(&mut self) -> Result<Said> {
        read_line(&mut self.output)?.context("a process of clients ended without a word")
    }
}

/// The error of a word that is not the one that was due.
pub(crate) fn unexpected(said: Said) -> Error {
    match said {
        Said::Failed(reason) => anyhow!("a process of clients: {reason}"),
        said => anyhow!("a process of clients says {said:?} out of turn"),
    }
}

pub(crate) fn write_line(output: &mut impl Write, line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    output.write_all(text.as_bytes()).context("the other process is gone")?;
    output.flush().context("the other process is gone")
}

/// The next line; none at the end.
pub(crate) fn read_line<T: DeserializeOwned>(input: &mut impl BufRead) -> Result<Option<T>> {
    let mut text = String::new();
    if input.read_line(&mut text)? == 0 {
        return Ok(None);
    }
    Ok(Some(serde_json::from_str(&text)?))
}
