//! `ferry export` and `ferry import`: the messages of a queue as lines of JSON, and back.
//!
//! Always: an exported message leaves its queue, if it shall, only after its line would outlast a power cut,
//! and a file that cannot be written on ends with the last that left; imported messages are put in units of
//! work, and what is said to be imported is committed.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use clap::Args;
use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags,
    PutOptions, Reason, Verbs, Wait,
};
use serde_json::json;

use super::stopped::Stopped;
use super::taking::{BATCH, following};
use crate::interrupt::Interrupt;
use crate::lines::{self, Unread};
use crate::message::{MESSAGE_BYTES_MAX, Message};
use crate::own_folder;
use crate::progress::Progress;
use terminal::common::Common;
use terminal::connect;
use terminal::durable_output::{DurableFile, DurableLines, DurableOutput, Mark};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format};
use terminal::units;

/// Exports messages.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// Queue whose messages are written out
    queue: String,
    /// File to write, which must not exist; without it, standard output
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take the messages off the queue, up to 100 in a unit of work, once the file has them for good or the
    /// pipe has them; otherwise they stay
    #[arg(long)]
    take: bool,
    /// Maximum number of messages
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
}

/// Imports messages.
#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// Queue to put the messages on
    queue: String,
    /// File with a message on each line; without it, or for -, standard input
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Messages in one unit of work
    #[arg(long, default_value_t = 100, value_name = "MESSAGES", value_parser = clap::value_parser!(u64).range(1..))]
    batch: u64,
}

/// Most bytes of a line: each byte of the longest body as a character that JSON has to escape in six, and the
/// rest of the message.
const LINE_BYTES_MAX: usize = 6 * MESSAGE_BYTES_MAX + (1 << 20);

/// Writes messages out.
pub(crate) fn export(common: &Common, arguments: &ExportArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    arguments.file.as_deref().map_or(Ok(()), own_folder::check)?;
    let mut session = connect::session(common)?;
    let how = if arguments.take { OpenOptions::INPUT_AS_Q_DEF } else { OpenOptions::BROWSE };
    let opened = session.open_queue(name, how | OpenOptions::FAIL_IF_QUIESCING)?;
    let output: Box<dyn DurableOutput> = match &arguments.file {
        None => Box::new(io::stdout().lock()),
        Some(path) => Box::new(DurableFile::create(path).map_err(|error| {
            Failure::new(Exit::Failed, format!("cannot make the file {}: {error}", path.display()))
                .next("name a file that does not exist, in a directory that does")
        })?),
    };
    let interrupt = Interrupt::listen()?;
    let mut exporter = Exporter::new(session.verbs(), opened.handle, output, arguments.take);
    let outcome = exporter.export(arguments.count, &interrupt);
    let exported = exporter.end(outcome.as_ref().err());
    if let Err(early) = outcome {
        let output = arguments.file.as_ref().map(|path| format!("the file {}", path.display()));
        let output = output.as_deref().unwrap_or("standard output");
        return Err(exported.failure(&name, output, arguments.take, early));
    }
    session.disconnect()?;
    if arguments.file.is_some() {
        report(common.output, ("exported", "of"), exported.written, &name)?;
    }
    Ok(())
}

fn report(
    format: Format,
    (done, relation): (&str, &str),
    messages: u64,
    queue: &ObjectName,
) -> io::Result<()> {
    match format {
        Format::Json => output::print_json(&json!({ "queue": queue.as_str(), done: messages })),
        Format::Table => {
            output::print_line(format!("{done} {} {relation} {queue}", units::counted(messages, "message")))
        }
    }
}

struct Exporter<'a> {
    verbs: &'a mut dyn Verbs,
    handle: ObjectHandle,
    lines: DurableLines,
    takes: bool,
    /// The end of the last line whose message is off the queue for good.
    taken: Mark,
    uncommitted: u64,
}

/// Why an export ended before all was exported.
#[derive(Debug)]
enum Early {
    /// It was told to, and what was written is complete.
    Told,
    /// A call was refused, and what was written before is complete.
    Refused(Reason),
    /// The last unit of work is backed out.
    BackedOut(Reason),
    /// The last unit of work is committed or backed out, unknown which.
    InDoubt(Reason),
    /// The output failed.
    Output(io::Error),
}

impl From<io::Error> for Early {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

/// Progress of an export, in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exported {
    /// Whole in the output.
    written: u64,
    /// Of these, the first so many are off the queue for good.
    taken: u64,
}

impl<'a> Exporter<'a> {
    fn new(
        verbs: &'a mut dyn Verbs,
        handle: ObjectHandle,
        output: Box<dyn DurableOutput>,
        takes: bool,
    ) -> Self {
        let lines = DurableLines::to(output);
        Self { verbs, handle, lines, takes, taken: Mark::default(), uncommitted: 0 }
    }

    fn export(&mut self, most: u64, interrupt: &Interrupt) -> std::result::Result<(), Early> {
        let mut progress = Progress::new(None, "messages");
        for number in 0..most {
            if interrupt.is_wanted() {
                self.complete(most)?;
                return Err(Early::Told);
            }
            let how = match (self.takes, number) {
                (true, _) => GetFlags::SYNCPOINT,
                (false, 0) => GetFlags::BROWSE_FIRST,
                (false, _) => GetFlags::BROWSE_NEXT,
            };
            let flags = how | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
            let options = GetOptions::with(flags, Wait::No);
            let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..options };
            let mut descriptor = MessageDescriptor::default();
            match self.verbs.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
                Ok(got) => {
                    let message = Message { descriptor, body: got.body };
                    self.uncommitted += u64::from(self.takes);
                    self.lines.write(&message.exported())?;
                    progress.add(1);
                }
                Err(Reason::NO_MSG_AVAILABLE) => break,
                // What was got goes back when the connection is lost before it is committed.
                Err(reason @ (Reason::CONNECTION_BROKEN | Reason::BACKED_OUT)) if self.takes => {
                    return Err(Early::BackedOut(reason));
                }
                Err(reason) => {
                    self.complete(most)?;
                    return Err(Early::Refused(reason));
                }
            }
            if self.uncommitted >= BATCH {
                self.complete(most)?;
            }
        }
        self.complete(most)
    }

    /// Commits the gets once their messages are written for good.
    fn complete(&mut self, most: u64) -> std::result::Result<(), Early> {
        self.lines.settle()?;
        if self.uncommitted > 0 {
            let is_last = self.taken.lines + self.uncommitted == most;
            self.lines.wait_for_reader(following(is_last, self.taken.lines))?;
            self.verbs.commit().map_err(|reason| match reason {
                Reason::BACKED_OUT => Early::BackedOut(reason),
                _ => Early::InDoubt(reason),
            })?;
            self.taken = self.lines.out();
            self.uncommitted = 0;
        }
        Ok(())
    }

    /// When it ended early, gives back what was got and not committed, and cuts its lines off where that can
    /// be done.
    fn end(mut self, early: Option<&Early>) -> Exported {
        let mut written = self.lines.out();
        if let Some(early) = early {
            let is_back = self.uncommitted > 0 && !matches!(early, Early::InDoubt(_));
            if is_back {
                // It goes back with the connection otherwise; who looks now need not wait for that.
                let _ = self.verbs.back();
            }
            written = self.lines.end_at(if is_back { self.taken } else { written });
        }
        Exported { written: written.lines, taken: self.taken.lines }
    }
}

impl Exported {
    /// Makes the failure's text, with its remedy.
    fn failure(self, queue: &ObjectName, output: &str, takes: bool, early: Early) -> Failure {
        let Self { written, taken } = self;
        let so_far = format!("exported {} of {queue}", units::counted(written, "message"));
        let rest = match (takes, taken) {
            (false, _) => format!("every message is still on {queue}"),
            (true, 0) => format!("no message was taken off {queue}"),
            (true, taken) if taken == written => {
                format!("what was exported is off {queue}, and the rest is still on it")
            }
            (true, taken) => format!(
                "the first {} are off {queue}, and the rest is still on it: leave out the lines behind these",
                units::counted(taken, "message")
            ),
        };
        match early {
            Early::Told => Failure::new(Exit::Failed, format!("{so_far}, then was told to end")).next(rest),
            Early::Refused(reason) => Failure::of_call(format!("{so_far}, then failed"), reason),
            Early::BackedOut(reason) => Failure::of_call(format!("{so_far}, then failed"), reason).next(rest),
            Early::InDoubt(reason) => {
                let last = match written - taken {
                    1 => "message".to_owned(),
                    several => units::counted(several, "message"),
                };
                Failure::of_call(format!("{so_far}, then the end of a unit of work failed"), reason).next(
                    next_step!(
                        "the last {last} may be off {queue} or still on it: look with ferry browse {queue} before \
                         these lines are used"
                    ),
                )
            }
            Early::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                let what = format!("{so_far} whole, then the reader of {output} ended");
                let next = if takes {
                    next_step!("{rest}; ferry export {queue} --take -n 2 takes two and no more")
                } else {
                    next_step!("{rest}")
                };
                Failure::new(Exit::Failed, what).next(next)
            }
            Early::Output(error) => {
                Failure::new(Exit::Failed, format!("{so_far} whole, then {output} failed: {error}"))
                    .next(format!("{rest}; make room, or see that somebody reads, and export again"))
            }
        }
    }
}

/// Puts messages of lines.
pub(crate) fn import(common: &Common, arguments: &ImportArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let input: Box<dyn Read + Send> = match arguments.file.as_deref() {
        None => Box::new(io::stdin()),
        Some(path) if path == Path::new("-") => Box::new(io::stdin()),
        Some(path) => Box::new(File::open(path).map_err(|error| {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Failed };
            Failure::new(exit, format!("cannot read the file {}: {error}", path.display()))
                .next("check the path; - means standard input")
        })?),
    };
    let mut session = connect::session(common)?;
    let how = OpenOptions::OUTPUT | OpenOptions::SET_ALL_CONTEXT | OpenOptions::FAIL_IF_QUIESCING;
    let opened = session.open_queue(name, how)?;
    let mut importer = Importer {
        verbs: session.verbs(),
        handle: opened.handle,
        batch: arguments.batch,
        done: 0,
        uncommitted: 0,
    };
    let outcome = importer.import(&lines::read_ahead(input, LINE_BYTES_MAX), &Interrupt::listen()?);
    let done = importer.done;
    let so_far = || format!("imported {} to {name}, then", units::counted(done, "message"));
    match outcome {
        Ok(None) => session.disconnect()?,
        // Who removes the file when this has ended well must not remove what is nowhere else.
        Ok(Some(line)) => {
            return Err(Failure::new(Exit::Failed, format!("{} was told to end", so_far()))
                .next(format!("import the rest, from line {line} on: the lines before are on the queue")));
        }
        Err(Stopped::Reason(reason)) => return Err(Failure::of_call(format!("{} failed", so_far()), reason)),
        Err(Stopped::Output(error)) => {
            return Err(Failure::new(Exit::Failed, format!("{} the input failed: {error}", so_far())).next(
                format!("import the rest again, from where it can be read: what was imported is on {name}"),
            ));
        }
        Err(Stopped::Line(what)) => {
            return Err(Failure::new(Exit::Usage, format!("{} {what}", so_far()))
                .next("correct the line, and import the rest: the lines before are on the queue"));
        }
    }
    Ok(report(common.output, ("imported", "to"), done, &name)?)
}

/// A unit of work is committed when no line came for this long.
const IDLE: Duration = Duration::from_millis(20);

struct Importer<'a> {
    verbs: &'a mut dyn Verbs,
    handle: ObjectHandle,
    batch: u64,
    done: u64,
    uncommitted: u64,
}

impl Importer<'_> {
    /// Puts all; or, when it is told to end, what comes before a line, whose number it gives.
    fn import(
        &mut self,
        lines: &Receiver<std::result::Result<Vec<Vec<u8>>, Unread>>,
        interrupt: &Interrupt,
    ) -> std::result::Result<Option<usize>, Stopped> {
        let mut progress = Progress::new(None, "messages");
        let mut number = 1;
        loop {
            if interrupt.is_wanted() {
                self.commit()?;
                return Ok(Some(number));
            }
            let put = match lines.recv_timeout(IDLE) {
                Ok(Ok(lines)) => lines.into_iter().try_for_each(|line| {
                    self.put(number, line)?;
                    number += 1;
                    progress.add(1);
                    Ok(())
                }),
                Ok(Err(unread)) => Err(unread.into()),
                Err(RecvTimeoutError::Timeout) => self.commit(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(stopped) = put {
                self.commit()?;
                return Err(stopped);
            }
        }
        self.commit()?;
        Ok(None)
    }

    /// Puts the message of a line; the unit of work is committed when it is full.
    fn put(&mut self, number: usize, line: Vec<u8>) -> std::result::Result<(), Stopped> {
        let line = lines::text(line, number)?;
        if line.trim().is_empty() {
            return Ok(());
        }
        let message = Message::imported(&line);
        let Message { mut descriptor, body } =
            message.map_err(|error| Stopped::Line(format!("line {number} is no message: {error}")))?;
        let flags = PutFlags::SYNCPOINT
            | PutFlags::SYNC_RESPONSE
            | PutFlags::SET_ALL_CONTEXT
            | PutFlags::FAIL_IF_QUIESCING;
        self.verbs.put(self.handle, &mut descriptor, &mut PutOptions::with(flags), body)?;
        self.uncommitted += 1;
        if self.uncommitted >= self.batch { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> std::result::Result<(), Stopped> {
        let messages = std::mem::take(&mut self.uncommitted);
        if messages > 0 {
            self.verbs.commit()?;
            self.done += messages;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use platform::simulated::{
        CrashPolicy, Failure as Fails, Fault, OperationKind, Random, Repeat, SimulatedDisk, Survival,
    };
    use server::Mode;
    use server::embedded::QueueManager;

    use super::*;

    const MESSAGES: usize = 250;

    /// Takes messages off a queue to a file of this disk; how it ended, what it says, and the number of the
    /// first message that is on the queue then.
    fn taken_to(disk: &SimulatedDisk) -> (std::result::Result<(), Early>, Exported, Option<usize>) {
        let directory = tempfile::tempdir().unwrap();
        let queue_manager = QueueManager::open(directory.path(), &"QM1".parse().unwrap()).unwrap();
        queue_manager.command("DEFINE QLOCAL(Q)").unwrap();
        let queue = mqi::ObjectDescriptor::queue("Q".parse().unwrap());
        let mut verbs = queue_manager.connect("test").unwrap();
        let putting = verbs.open(&queue, OpenOptions::OUTPUT).unwrap().handle;
        for number in 0..MESSAGES {
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            verbs
                .put(putting, &mut MessageDescriptor::default(), &mut options, number.to_string().into())
                .unwrap();
        }
        let handle = verbs.open(&queue, OpenOptions::INPUT_AS_Q_DEF).unwrap().handle;
        let file = DurableFile::create_on(Arc::new(disk.clone()), Path::new("out")).unwrap();
        let mut exporter = Exporter::new(&mut verbs, handle, Box::new(file), true);
        let outcome = exporter.export(u64::MAX, &Interrupt::listen().unwrap());
        let exported = exporter.end(outcome.as_ref().err());
        let left: Vec<usize> = std::iter::from_fn(|| {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = verbs.get(handle, &mut MessageDescriptor::default(), &mut options, 10).ok()?;
            Some(std::str::from_utf8(&got.body).unwrap().parse().unwrap())
        })
        .collect();
        let first = left.first().copied();
        assert_eq!(left, (first.unwrap_or(MESSAGES)..MESSAGES).collect::<Vec<_>>());
        verbs.disconnect().unwrap();
        queue_manager.close(Mode::Immediate);
        (outcome, exported, first)
    }

    /// The lines of what a power cut leaves of the file.
    fn lines_after(disk: &SimulatedDisk) -> Vec<String> {
        let after = disk.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Nothing));
        let text = String::from_utf8(after.content(Path::new("out")).unwrap_or_default()).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn messages_taken_to_a_file_outlast_a_power_cut_there() {
        let disk = SimulatedDisk::new(1);
        let (outcome, exported, first) = taken_to(&disk);
        let all = MESSAGES as u64;
        assert!(outcome.is_ok());
        assert_eq!((exported, first), (Exported { written: all, taken: all }, None));
        assert_eq!(lines_after(&disk).len(), MESSAGES);
    }

    #[test]
    fn a_file_that_cannot_be_written_on_has_what_was_taken_and_the_queue_has_the_rest() {
        let mut most = 0;
        for (kind, failure) in [
            (OperationKind::Write, Fails::NoSpace),
            (OperationKind::Write, Fails::Short),
            (OperationKind::Sync, Fails::InputOutput),
            (OperationKind::SyncDirectory, Fails::InputOutput),
        ] {
            for nth in 1.. {
                let disk = SimulatedDisk::new(1);
                disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
                let (outcome, exported, first) = taken_to(&disk);
                let Err(early) = outcome else { break };
                assert!(matches!(early, Early::Output(_)), "{kind:?} {nth}: {early:?}");
                let lines = lines_after(&disk);
                let counts = (exported.written, exported.taken, first.unwrap() as u64);
                let lasting = lines.len() as u64;
                assert_eq!(counts, (lasting, lasting, lasting), "{kind:?} {nth}");
                most = most.max(lines.len());
            }
        }
        assert_eq!(most, 200, "some were taken before it failed");
    }

    #[test]
    fn what_is_said_of_a_failed_export_is_what_is_where() {
        let queue = "ORDERS".parse().unwrap();
        let said = |written, taken, takes, early| {
            Exported { written, taken }.failure(&queue, "the file out", takes, early).to_string()
        };
        let full = || Early::Output(io::ErrorKind::StorageFull.into());
        insta::assert_snapshot!([
            said(1, 0, false, full()),
            said(0, 0, true, full()),
            said(7, 0, true, full()),
            said(200, 200, true, full()),
            said(207, 200, true, full()),
            said(12, 0, false, Early::Told),
            said(100, 100, true, Early::BackedOut(Reason::CONNECTION_BROKEN)),
            said(201, 200, true, Early::InDoubt(Reason::CONNECTION_BROKEN)),
            said(3, 3, true, Early::Refused(Reason::GET_INHIBITED)),
        ].join("\n"), @r"
            ferry: exported 1 message of ORDERS whole, then the file out failed: no storage space
              next: every message is still on ORDERS; make room, or see that somebody reads, and export again
            ferry: exported 0 messages of ORDERS whole, then the file out failed: no storage space
              next: no message was taken off ORDERS; make room, or see that somebody reads, and export again
            ferry: exported 7 messages of ORDERS whole, then the file out failed: no storage space
              next: no message was taken off ORDERS; make room, or see that somebody reads, and export again
            ferry: exported 200 messages of ORDERS whole, then the file out failed: no storage space
              next: what was exported is off ORDERS, and the rest is still on it; make room, or see that somebody reads, and export again
            ferry: exported 207 messages of ORDERS whole, then the file out failed: no storage space
              next: the first 200 messages are off ORDERS, and the rest is still on it: leave out the lines behind these; make room, or see that somebody reads, and export again
            ferry: exported 12 messages of ORDERS, then was told to end
              next: every message is still on ORDERS
            ferry: exported 100 messages of ORDERS, then failed: 2009 MQRC_CONNECTION_BROKEN
              The connection to the queue manager ended; calls in flight may or may not have been done, and an open unit of work is backed out.
              next: what was exported is off ORDERS, and the rest is still on it
            ferry: exported 201 messages of ORDERS, then the end of a unit of work failed: 2009 MQRC_CONNECTION_BROKEN
              The connection to the queue manager ended; calls in flight may or may not have been done, and an open unit of work is backed out.
              next: the last message may be off ORDERS or still on it: look with ferry browse ORDERS before these lines are used
            ferry: exported 3 messages of ORDERS, then failed: 2016 MQRC_GET_INHIBITED
              Gets from this queue are switched off.
              next: Wait, or switch them on (`ALTER QLOCAL(...) GET(ENABLED)`).
        ");
    }
}
