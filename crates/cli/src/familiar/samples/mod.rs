//! amqsput, amqsget, amqsgbr, amqsbcg, amqsreq, amqspub, amqssub: programs that scripts put, get, look at,
//! publish and subscribe with.
//!
//! Lives here: how they connect and open, and how they end; each program has a file. Lives elsewhere: which
//! queue manager is meant (`connect`), what a person uses instead (`ferry put`, `get`, `browse`, `request`,
//! `pub`, `sub`).
//!
//! Always: what they print on standard output has the shape that scripts look for. A call that is refused is
//! told there by its reason, and the program ends with the last byte of it; one of two names differs in
//! connecting as a client, to what MQSERVER names.

mod browse;
mod browse_bodies;
mod get;
mod publish;
mod put;
mod request;
mod subscribe;

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal as _, Read as _, Write};

use mqi::{CloseOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Opened, Reason, Verbs};

use super::clients;
use super::tool::{Answer, Tool, Trouble, as_user, common, note};
use super::words::Typed;
use crate::commands::put::alone;
use crate::message::MESSAGE_BYTES_MAX;
use crate::{bounded_input, text};
use terminal::common::Common;
use terminal::connect::{self, Place, Session};
use terminal::output::{self, Output, harmless};

pub(super) const TOOLS: [Tool; 14] = [
    tool("amqsput", &put::PROGRAM, |typed| run(&put::PROGRAM, Way::Ordinary, typed)),
    tool("amqsputc", &put::PROGRAM, |typed| run(&put::PROGRAM, Way::Client, typed)),
    tool("amqsget", &get::PROGRAM, |typed| run(&get::PROGRAM, Way::Ordinary, typed)),
    tool("amqsgetc", &get::PROGRAM, |typed| run(&get::PROGRAM, Way::Client, typed)),
    tool("amqsgbr", &browse_bodies::PROGRAM, |typed| run(&browse_bodies::PROGRAM, Way::Ordinary, typed)),
    tool("amqsgbrc", &browse_bodies::PROGRAM, |typed| run(&browse_bodies::PROGRAM, Way::Client, typed)),
    tool("amqsbcg", &browse::PROGRAM, |typed| run(&browse::PROGRAM, Way::Ordinary, typed)),
    tool("amqsbcgc", &browse::PROGRAM, |typed| run(&browse::PROGRAM, Way::Client, typed)),
    tool("amqsreq", &request::PROGRAM, |typed| run(&request::PROGRAM, Way::Ordinary, typed)),
    tool("amqsreqc", &request::PROGRAM, |typed| run(&request::PROGRAM, Way::Client, typed)),
    tool("amqspub", &publish::PROGRAM, |typed| run(&publish::PROGRAM, Way::Ordinary, typed)),
    tool("amqspubc", &publish::PROGRAM, |typed| run(&publish::PROGRAM, Way::Client, typed)),
    tool("amqssub", &subscribe::PROGRAM, |typed| run(&subscribe::PROGRAM, Way::Ordinary, typed)),
    tool("amqssubc", &subscribe::PROGRAM, |typed| run(&subscribe::PROGRAM, Way::Client, typed)),
];

const fn tool(name: &'static str, program: &Program, run: fn(&Typed) -> Answer) -> Tool {
    Tool { name, usage: program.usage, options: &[], misuse: MISUSED, run }
}

/// The name of a queue or topic is missing.
const MISSING: u8 = 99;
/// Exit code after arguments that cannot be used.
const MISUSED: u8 = 98;

/// The variable that names the user to connect as; its password is asked for.
const USER_VARIABLE: &str = "MQSAMP_USER_ID";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To a queue manager of this machine.
    Ordinary,
    /// To what MQSERVER names.
    Client,
}

/// The first and last words of a program, and its work between them.
struct Program {
    application: &'static str,
    /// Arguments behind its name in its help.
    usage: &'static str,
    /// Argument that must be typed.
    object: &'static str,
    first_line: &'static str,
    last_line: &'static str,
    run: fn(&mut Sample, &[String]) -> Result<(), Stopped>,
}

/// A program at work.
struct Sample {
    session: Session,
    output: Output,
}

/// Why a program does not go on.
enum Stopped {
    /// A call was refused, and what is to be said of it.
    Refused { call: &'static str, reason: Reason, remark: Option<&'static str> },
    /// A fault of the arguments, the input or the output.
    Trouble(Trouble),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Trouble(error.into())
    }
}

/// Names the call that is refused.
fn refused(call: &'static str) -> impl Fn(Reason) -> Stopped {
    move |reason| Stopped::Refused { call, reason, remark: None }
}

fn misused(words: String) -> Stopped {
    Stopped::Trouble(Trouble::new(MISUSED, words))
}

fn run(program: &Program, way: Way, typed: &Typed) -> Answer {
    output::print_line(program.first_line)?;
    if typed.rest.is_empty() {
        output::print_line(format!("Required parameter missing - {} name", program.object))?;
        return Ok(MISSING);
    }
    let queue_manager = typed.rest.get(1).map(String::as_str).filter(|name| !name.trim().is_empty());
    let session = match connected(program, way, common(queue_manager)) {
        Ok(session) => session,
        Err(stopped) => return told(stopped),
    };
    let mut sample = Sample { session, output: output::standard() };
    let outcome = (program.run)(&mut sample, &typed.rest);
    let Sample { session, mut output } = sample;
    output.flush()?;
    let code = match outcome {
        Ok(()) => super::ended::OK,
        Err(stopped) => told(stopped)?,
    };
    // What was put and got is settled; nobody misses the end of the connection.
    let _ = session.disconnect();
    output::print_line(program.last_line)?;
    Ok(code)
}

/// Tells on standard output which call was refused, or passes on what else went wrong.
fn told(stopped: Stopped) -> Answer {
    match stopped {
        Stopped::Trouble(trouble) => Err(trouble),
        Stopped::Refused { call, reason, remark } => {
            output::print_line(format!("{call} ended with reason code {}", reason.code()))?;
            if let Some(remark) = remark {
                output::print_line(remark)?;
            }
            let [last, ..] = reason.code().to_le_bytes();
            Ok(last.max(1))
        }
    }
}

fn connected(program: &Program, way: Way, mut common: Common) -> Result<Session, Stopped> {
    if let Some(user) = std::env::var_os(USER_VARIABLE).filter(|user| !user.is_empty()) {
        output::print_line("Enter password: ")?;
        let failed = Trouble::of(super::ended::UNEXPECTED);
        common =
            as_user(common, &user.to_string_lossy(), "").map_err(|error| Stopped::Trouble(failed(error)))?;
    }
    let places = match way {
        Way::Ordinary => vec![common],
        Way::Client => clients::places(&common).map_err(misused)?,
    };
    let mut outcome = Err(Reason::Q_MGR_NOT_AVAILABLE);
    for common in places {
        outcome = place(&common).and_then(|place| {
            Session::open(&place, program.application).map_err(|error| match (way, error.reason()) {
                (Way::Ordinary, Reason::HOST_NOT_AVAILABLE) => Reason::Q_MGR_NOT_AVAILABLE,
                (_, reason) => reason,
            })
        });
        if outcome.is_ok() {
            break;
        }
    }
    outcome.map_err(refused(match way {
        Way::Ordinary => "MQCONN",
        Way::Client => "MQCONNX",
    }))
}

/// Where the queue manager is, or the reason of a connect call that does not find it.
fn place(common: &Common) -> Result<Place, Reason> {
    connect::place(common).map_err(|failure| {
        note(&harmless(failure.what()));
        if failure.is_not_found() { Reason::Q_MGR_NAME_ERROR } else { Reason::Q_MGR_NOT_AVAILABLE }
    })
}

impl Sample {
    fn verbs(&mut self) -> &mut dyn Verbs {
        self.session.verbs()
    }

    /// Opens a queue; `remark` is said when it cannot be.
    fn open(
        &mut self,
        object: &ObjectDescriptor,
        options: OpenOptions,
        remark: &'static str,
    ) -> Result<Opened, Stopped> {
        let opened = self.verbs().open(object, options);
        opened.map_err(|reason| Stopped::Refused { call: "MQOPEN", reason, remark: Some(remark) })
    }

    /// Puts each line of standard input.
    fn put_lines(&mut self, opened: &Opened) -> Result<(), Stopped> {
        each_line(io::stdin().lock(), |line| {
            let format = MessageDescriptor::string_format();
            let mut descriptor = MessageDescriptor { format, ..MessageDescriptor::default() };
            let mut how = alone();
            self.verbs().put(opened.handle, &mut descriptor, &mut how, line.into()).map_err(refused("MQPUT"))
        })
    }

    fn close(&mut self, opened: &Opened, options: CloseOptions) -> Result<(), Stopped> {
        self.verbs().close(opened.handle, options).map_err(refused("MQCLOSE")).map(drop)
    }
}

/// A queue as typed.
fn queue(name: &str) -> Result<ObjectDescriptor, Stopped> {
    let name = name.parse().map_err(|_| refused("MQOPEN")(Reason::OBJECT_NAME_ERROR))?;
    Ok(ObjectDescriptor::queue(name))
}

/// Options typed as a number, or the usual ones.
fn options(typed: Option<&String>, usual: i32) -> Result<i32, Stopped> {
    typed.map_or(Ok(usual), |text| {
        text.parse().map_err(|_| misused(format!("{text} is no number; options are given as one")))
    })
}

/// The lines of an input up to an empty one, each with what is done with it.
fn each_line(
    mut input: impl BufRead,
    mut act: impl FnMut(Vec<u8>) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MESSAGE_BYTES_MAX as u64 + 1).read_until(b'\n', &mut line)?;
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        if line.len() > MESSAGE_BYTES_MAX {
            return Err(bounded_input::too_long("a line", "message", MESSAGE_BYTES_MAX).into());
        }
        if line.is_empty() {
            return Ok(());
        }
        act(line)?;
    }
}

/// A body as the programs print it: up to a NUL, to a terminal without what could upset it, elsewhere as it
/// is.
fn text_of(body: &[u8]) -> Cow<'_, [u8]> {
    let text = body.split(|byte| *byte == 0).next().unwrap_or_default();
    if !io::stdout().is_terminal() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text::printable(text).into_owned().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_end_is_no_message_and_does_not_fill_the_memory() {
        let mut lines = Vec::new();
        let endless = io::Read::chain(&b"one\n"[..], io::BufReader::new(io::repeat(b'x')));
        let outcome = each_line(endless, |line| {
            lines.push(line);
            Ok(())
        });
        let Err(Stopped::Trouble(trouble)) = outcome else { panic!("{lines:?}") };
        assert!(trouble.words.contains("a line has more than 100 MiB, which no message has"));
        assert_eq!(lines, [b"one"]);
    }
}
