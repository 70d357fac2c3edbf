//! `ferry put`: messages from arguments, files or standard input onto a queue.
//!
//! Always: memory is bounded by one unit of work, whatever comes in; what is reported as put is committed.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use clap::Args;
use client::Connection;
use mqi::{
    CloseOptions, CorrelationId, Expiry, MessageDescriptor, MessageId, ObjectHandle, ObjectName, OpenOptions,
    Persistence, Priority, PutFlags, PutOptions, Reason, Verbs,
};
use serde_json::json;

use crate::arguments::Common;
use crate::connect::Session;
use crate::failure::{Exit, Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Format};
use crate::progress::Progress;
use crate::{connect, identifier, units};

/// What to put, where and how.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Queue to put on
    queue: String,
    /// Messages, one for each argument; without any, standard input is read
    #[arg(value_name = "TEXT")]
    texts: Vec<String>,
    /// Put a whole file as one message (may be repeated)
    #[arg(short, long = "file", value_name = "FILE", conflicts_with = "texts")]
    files: Vec<PathBuf>,
    /// Put all of standard input as one message, rather than one for each line
    #[arg(long, conflicts_with_all = ["texts", "files"])]
    whole: bool,
    /// Put everything so many times
    #[arg(short = 'n', long, default_value_t = 1, value_name = "TIMES", hide_default_value = true)]
    repeat: u64,
    #[command(flatten)]
    attributes: MessageAttributes,
    /// Messages in one unit of work; 0 puts each outside syncpoint and waits for its reply
    #[arg(long, default_value_t = 500, value_name = "MESSAGES")]
    batch: u64,
}

/// What a message that is put says about itself.
#[derive(Debug, Args)]
pub(crate) struct MessageAttributes {
    /// The messages survive a restart of the queue manager
    #[arg(short = 'P', long, conflicts_with = "non_persistent")]
    persistent: bool,
    /// The messages are kept in memory only
    #[arg(short = 'N', long)]
    non_persistent: bool,
    /// Priority: 9 is delivered first, 0 last
    #[arg(short, long, value_parser = clap::value_parser!(u8).range(0..=9), value_name = "0-9")]
    priority: Option<u8>,
    /// Drop the message if nobody got it in time (such as 30s, 5m)
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME")]
    expiry: Option<Duration>,
    /// Message identifier: a text of at most 24 bytes, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    message_id: Option<[u8; 24]>,
    /// Correlation identifier: a text of at most 24 bytes, or 48 hexadecimal digits
    #[arg(long, value_parser = identifier::parse, value_name = "ID")]
    correlation_id: Option<[u8; 24]>,
    /// Queue that replies should go to
    #[arg(long, value_name = "QUEUE")]
    reply_to: Option<String>,
}

impl MessageAttributes {
    /// The descriptor each message starts from.
    pub(crate) fn descriptor(&self) -> Result<MessageDescriptor> {
        let reply_to_queue = match &self.reply_to {
            Some(name) => connect::queue_name(name)?,
            None => ObjectName::BLANK,
        };
        Ok(MessageDescriptor {
            persistence: match (self.persistent, self.non_persistent) {
                (true, _) => Persistence::Persistent,
                (_, true) => Persistence::NotPersistent,
                _ => Persistence::AsQueueDefault,
            },
            priority: self.priority.map_or(Priority::AS_Q_DEF, Priority::new),
            expiry: self.expiry.map_or(Expiry::UNLIMITED, expiry),
            message_id: self.message_id.map_or(MessageId::NONE, MessageId::from_bytes),
            correlation_id: self.correlation_id.map_or(CorrelationId::NONE, CorrelationId::from_bytes),
            format: MessageDescriptor::string_format(),
            reply_to_queue,
            ..MessageDescriptor::default()
        })
    }
}

/// Tenths of a second, rounded up, since a message that was to live a while must not die at once.
fn expiry(time: Duration) -> Expiry {
    u32::try_from(time.as_millis().div_ceil(100)).map_or(Expiry::UNLIMITED, Expiry::tenths)
}

/// Puts the messages and says what was put.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let descriptor = arguments.attributes.descriptor()?;
    let source = Source::of(arguments)?;
    let mut session = connect::session(common)?;
    let opened = session.open_queue(name, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING)?;
    let mut putter = Putter::new(session.connection(), opened.handle, descriptor, arguments.batch);
    let interrupt = Interrupt::listen()?;
    let outcome = putter.put_all(source, arguments.repeat, &interrupt);
    let done = putter.done();
    let queue = format!("{name} at {}", session.queue_manager());
    match outcome {
        Ok(()) => {
            report(common.output, &name, &session, &done)?;
            let _ = session.verbs().close(opened.handle, CloseOptions::EMPTY);
            session.disconnect()
        }
        Err(reason) => {
            let what = if done.messages == 0 {
                format!("cannot put on {queue}")
            } else {
                format!("put {} on {queue}, then failed", units::counted(done.messages, "message"))
            };
            let failure = Failure::of_call(what, reason.reason);
            Err(match reason.input {
                Some(error) => Failure::new(Exit::Failed, format!("{}: {error}", failure.what())),
                None => failure,
            })
        }
    }
}

fn report(format: Format, name: &ObjectName, session: &Session, done: &Done) -> Result<()> {
    let rate = units::rate(done.messages, done.elapsed);
    if format == Format::Json {
        return Ok(output::print_json(&json!({
            "queue": name.as_str(),
            "queue_manager": session.queue_manager(),
            "messages": done.messages,
            "bytes": done.bytes,
            "persistent": done.persistence.map(|persistence| persistence == Persistence::Persistent),
            "units_of_work": done.units,
            "message_id": (done.messages == 1).then(|| done.message_id.to_string()),
            "seconds": done.elapsed.as_secs_f64(),
            "messages_per_second": rate,
        }))?);
    }
    let durability = match done.persistence {
        Some(Persistence::Persistent) => ", persistent (on disk now)",
        Some(_) => ", non-persistent (in memory)",
        None => "",
    };
    let mut line = format!(
        "put {} on {name}  {}{durability}  {}",
        units::counted(done.messages, "message"),
        units::bytes(done.bytes),
        units::duration(done.elapsed)
    );
    if done.messages > 1 {
        line.push_str(&format!("  {}/s", units::count(rate as u64)));
    }
    Ok(output::print_line(line)?)
}

/// What was put for good.
#[derive(Clone, Debug)]
struct Done {
    messages: u64,
    bytes: u64,
    units: u64,
    persistence: Option<Persistence>,
    message_id: MessageId,
    elapsed: Duration,
}

/// Why putting stopped.
#[derive(Debug)]
struct Stopped {
    reason: Reason,
    input: Option<io::Error>,
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        Self { reason, input: None }
    }
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self { reason: Reason::NONE, input: Some(error) }
    }
}

/// Puts messages in units of work, and knows which of them are committed.
struct Putter<'a> {
    connection: &'a mut Connection,
    handle: ObjectHandle,
    descriptor: MessageDescriptor,
    batch: u64,
    started: Instant,
    open_messages: u64,
    open_bytes: u64,
    done: Done,
    progress: Progress,
}

impl<'a> Putter<'a> {
    fn new(
        connection: &'a mut Connection,
        handle: ObjectHandle,
        descriptor: MessageDescriptor,
        batch: u64,
    ) -> Self {
        let done = Done {
            messages: 0,
            bytes: 0,
            units: 0,
            persistence: None,
            message_id: MessageId::NONE,
            elapsed: Duration::ZERO,
        };
        Self {
            connection,
            handle,
            descriptor,
            batch,
            started: Instant::now(),
            open_messages: 0,
            open_bytes: 0,
            done,
            progress: Progress::new(None, "messages"),
        }
    }

    /// Puts until the source ends or somebody wants an end; what is put by then is committed.
    fn put_all(
        &mut self,
        source: Source,
        repeat: u64,
        interrupt: &Interrupt,
    ) -> std::result::Result<(), Stopped> {
        match source {
            Source::Fixed(bodies) => {
                let single = repeat == 1 && bodies.len() == 1;
                for body in (0..repeat).flat_map(|_| &bodies) {
                    if interrupt.is_wanted() {
                        break;
                    }
                    if single {
                        self.put_alone(body.clone())?;
                    } else {
                        self.put(body.clone())?;
                    }
                }
            }
            Source::Lines => self.put_lines(interrupt)?,
        }
        Ok(self.commit()?)
    }

    /// Lines are read by a thread of their own, so that a unit of work does not stay open while the pipe is silent.
    fn put_lines(&mut self, interrupt: &Interrupt) -> std::result::Result<(), Stopped> {
        let lines = read_lines();
        while !interrupt.is_wanted() {
            match lines.recv_timeout(IDLE) {
                Ok(Ok(batch)) => {
                    for line in batch {
                        self.put(line)?;
                    }
                }
                Ok(Err(error)) => {
                    self.commit()?;
                    return Err(error.into());
                }
                Err(RecvTimeoutError::Timeout) => self.commit()?,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(())
    }

    /// The first put of a unit of work waits for its reply: it tells the persistence, and a queue that takes
    /// nothing refuses at once. The others do not; what they met comes with the commit.
    fn put(&mut self, body: Bytes) -> std::result::Result<(), Reason> {
        if self.batch == 0 {
            return self.put_alone(body);
        }
        let mut flags = PutFlags::SYNCPOINT | PutFlags::FAIL_IF_QUIESCING;
        if self.open_messages > 0 {
            flags |= PutFlags::ASYNC_RESPONSE;
        }
        self.open_bytes += body.len() as u64;
        self.put_with(flags, body)?;
        self.open_messages += 1;
        if self.open_messages >= self.batch {
            self.commit()?;
        }
        Ok(())
    }

    fn put_alone(&mut self, body: Bytes) -> std::result::Result<(), Reason> {
        let length = body.len() as u64;
        self.put_with(PutFlags::NO_SYNCPOINT | PutFlags::FAIL_IF_QUIESCING, body)?;
        self.done.messages += 1;
        self.done.bytes += length;
        self.progress.add(1);
        Ok(())
    }

    fn put_with(&mut self, flags: PutFlags, body: Bytes) -> std::result::Result<(), Reason> {
        let mut descriptor = self.descriptor.clone();
        self.connection.put(self.handle, &mut descriptor, &mut PutOptions::with(flags), body)?;
        if !flags.contains(PutFlags::ASYNC_RESPONSE) {
            self.done.persistence = Some(descriptor.persistence);
            self.done.message_id = descriptor.message_id;
        }
        Ok(())
    }

    fn commit(&mut self) -> std::result::Result<(), Reason> {
        if self.open_messages == 0 {
            return Ok(());
        }
        if let Err(reason) = self.connection.commit() {
            // A put without a reply that failed is why; what it met says more than that its unit was backed out.
            let status = self.connection.status().ok();
            return Err(status.and_then(|status| status.reason).unwrap_or(reason));
        }
        self.done.messages += self.open_messages;
        self.done.bytes += self.open_bytes;
        self.done.units += 1;
        self.progress.add(self.open_messages);
        (self.open_messages, self.open_bytes) = (0, 0);
        Ok(())
    }

    fn done(&self) -> Done {
        self.progress.finish();
        Done { elapsed: self.started.elapsed(), ..self.done.clone() }
    }
}

/// A unit of work is committed when no line came for this long.
const IDLE: Duration = Duration::from_millis(20);

/// Most lines handed over at once: enough that handing over costs nothing.
const LINES_MAX: usize = 256;

/// Most bytes of lines handed over at once.
const LINES_BYTES_MAX: usize = 256 << 10;

/// Where messages come from.
enum Source {
    Fixed(Vec<Bytes>),
    Lines,
}

impl Source {
    fn of(arguments: &Arguments) -> Result<Self> {
        if !arguments.texts.is_empty() {
            return Ok(Self::Fixed(arguments.texts.iter().map(|text| Bytes::from(text.clone())).collect()));
        }
        if !arguments.files.is_empty() {
            return Ok(Self::Fixed(
                arguments.files.iter().map(|path| read_file(path)).collect::<Result<_>>()?,
            ));
        }
        if arguments.whole {
            let mut body = Vec::new();
            io::stdin().lock().read_to_end(&mut body)?;
            return Ok(Self::Fixed(vec![body.into()]));
        }
        if arguments.repeat != 1 {
            return Err(Failure::usage("lines of standard input can be put only once")
                .next("give the message as an argument: ferry put Q TEXT --repeat 1000"));
        }
        if io::stdin().is_terminal() {
            eprintln!("One message a line; Ctrl-D ends.");
        }
        Ok(Self::Lines)
    }
}

fn read_file(path: &Path) -> Result<Bytes> {
    match std::fs::read(path) {
        Ok(body) => Ok(body.into()),
        Err(error) => {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Failed };
            Err(Failure::new(exit, format!("cannot read the file {}: {error}", path.display()))
                .next("check the path; to put the text itself, leave out --file"))
        }
    }
}

/// Lines of standard input without their ends, in handfuls; at most two handfuls wait.
fn read_lines() -> Receiver<io::Result<Vec<Bytes>>> {
    let (sender, receiver) = mpsc::sync_channel(2);
    std::thread::spawn(move || {
        let mut input = io::BufReader::with_capacity(LINES_BYTES_MAX, io::stdin().lock());
        loop {
            match read_handful(&mut input) {
                Ok(lines) if lines.is_empty() => return,
                outcome => {
                    let failed = outcome.is_err();
                    if sender.send(outcome).is_err() || failed {
                        return;
                    }
                }
            }
        }
    });
    receiver
}

/// The lines that are there, at least one unless the input ended; waits only for the first.
fn read_handful(input: &mut io::BufReader<impl io::Read>) -> io::Result<Vec<Bytes>> {
    let mut lines = Vec::new();
    let mut bytes = 0;
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(lines);
        }
        if line.ends_with(b"\n") {
            line.pop();
        }
        if line.ends_with(b"\r") {
            line.pop();
        }
        bytes += line.len();
        lines.push(line.into());
        let more_is_there = input.buffer().contains(&b'\n');
        if lines.len() == LINES_MAX || bytes >= LINES_BYTES_MAX || !more_is_there {
            return Ok(lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_handfuls_and_lose_nothing() {
        let text: String =
            (0..1000).map(|number| format!("line {number}\r\n")).collect::<String>() + "\nlast";
        let mut input = io::BufReader::with_capacity(64, text.as_bytes());
        let mut lines = Vec::new();
        loop {
            let handful = read_handful(&mut input).unwrap();
            if handful.is_empty() {
                break;
            }
            assert!(handful.len() <= LINES_MAX);
            lines.extend(handful);
        }
        assert_eq!(lines.len(), 1002);
        assert_eq!(lines[999], "line 999");
        assert_eq!((&lines[1000][..], &lines[1001][..]), (&b""[..], &b"last"[..]));
    }

    #[test]
    fn an_expiry_never_rounds_down_to_nothing() {
        assert_eq!(expiry(Duration::from_millis(1)).limit(), Some(1));
        assert_eq!(expiry(Duration::from_millis(1001)).limit(), Some(11));
        assert_eq!(expiry(Duration::from_secs(1 << 40)), Expiry::UNLIMITED);
    }
}
