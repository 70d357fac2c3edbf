//! `ferry export` and `ferry import`: the messages of a queue as lines of JSON, and back.
//!
//! Always: an exported message leaves its queue, if it shall, only after its line would outlast a power cut; imported
//! messages are put in units of work, and what is said to be imported is committed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::{Path, PathBuf};

use clap::Args;
use mqi::{
    GetFlags, GetOptions, MatchOptions, MessageDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags,
    PutOptions, Reason, Verbs, Wait,
};
use serde_json::json;

use super::get::MESSAGE_BYTES_MAX;
use super::stopped::Stopped;
use crate::arguments::Common;
use crate::connect;
use crate::failure::{Exit, Failure, Result};
use crate::interrupt::Interrupt;
use crate::lasting::{Lasting, LastingFile};
use crate::lines::{Lines, Unread};
use crate::message::Message;
use crate::output::{self, Format};
use crate::progress::Progress;
use crate::units;

/// What to export.
#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// Queue whose messages are written out
    queue: String,
    /// File to write, which must not exist; without it, standard output
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Take the messages off the queue once the file has them for good; otherwise they stay
    #[arg(long)]
    take: bool,
    /// At most so many
    #[arg(short = 'n', long, value_name = "MESSAGES", default_value_t = u64::MAX, hide_default_value = true)]
    count: u64,
}

/// What to import.
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

/// Messages taken in one unit of work.
const BATCH: u64 = 100;

/// Most bytes of a line: each byte of the longest body as a character that JSON has to escape in six, and the rest of the message.
const LINE_BYTES_MAX: usize = 6 * MESSAGE_BYTES_MAX + (1 << 20);

/// Writes messages out.
pub(crate) fn export(common: &Common, arguments: &ExportArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let mut session = connect::session(common)?;
    let how = if arguments.take { OpenOptions::INPUT_AS_Q_DEF } else { OpenOptions::BROWSE };
    let opened = session.open_queue(name, how | OpenOptions::FAIL_IF_QUIESCING)?;
    let output: Box<dyn Lasting> = match &arguments.file {
        None => Box::new(output::standard()),
        Some(path) => Box::new(BufWriter::new(LastingFile::create(path).map_err(|error| {
            Failure::new(Exit::Failed, format!("cannot make the file {}: {error}", path.display()))
                .next("name a file that does not exist, in a directory that does")
        })?)),
    };
    let mut exporter = Exporter {
        verbs: session.verbs(),
        handle: opened.handle,
        output,
        takes: arguments.take,
        done: 0,
        uncommitted: 0,
    };
    let outcome = exporter.export(arguments.count, &Interrupt::listen()?);
    let done = exporter.done;
    drop(exporter);
    match outcome {
        Ok(()) => session.disconnect()?,
        Err(Stopped::Reason(reason)) => {
            let what = format!("exported {} of {name}, then failed", units::counted(done, "message"));
            return Err(Failure::of_call(what, reason));
        }
        Err(Stopped::Output(error)) => return Err(error.into()),
        Err(Stopped::Line(what)) => return Err(Failure::new(Exit::Failed, what)),
    }
    if arguments.file.is_some() {
        report(common.output, "exported", done, &name)?;
    }
    Ok(())
}

fn report(format: Format, done: &str, messages: u64, queue: &ObjectName) -> io::Result<()> {
    match format {
        Format::Json => output::print_json(&json!({ "queue": queue.as_str(), done: messages })),
        Format::Table => {
            output::print_line(format!("{done} {} of {queue}", units::counted(messages, "message")))
        }
    }
}

struct Exporter<'a> {
    verbs: &'a mut dyn Verbs,
    handle: ObjectHandle,
    output: Box<dyn Lasting>,
    takes: bool,
    /// Written out, and committed where they are taken.
    done: u64,
    uncommitted: u64,
}

impl Exporter<'_> {
    fn export(&mut self, most: u64, interrupt: &Interrupt) -> std::result::Result<(), Stopped> {
        let mut progress = Progress::new(None, "messages");
        let mut is_first = true;
        while self.done + self.uncommitted < most && !interrupt.is_wanted() {
            let how = match (self.takes, is_first) {
                (true, _) => GetFlags::SYNCPOINT,
                (false, true) => GetFlags::BROWSE_FIRST,
                (false, false) => GetFlags::BROWSE_NEXT,
            };
            is_first = false;
            let flags = how | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
            let options = GetOptions::with(flags, Wait::No);
            let mut options = GetOptions { match_options: MatchOptions::EMPTY, ..options };
            let mut descriptor = MessageDescriptor::default();
            match self.verbs.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
                Ok(got) => {
                    let message = Message { descriptor, body: got.body };
                    output::json_line(&mut self.output, &message.exported())?;
                    self.uncommitted += 1;
                    progress.add(1);
                }
                Err(Reason::NO_MSG_AVAILABLE) => break,
                Err(reason) => {
                    self.commit()?;
                    return Err(reason.into());
                }
            }
            if self.uncommitted >= BATCH {
                self.commit()?;
            }
        }
        self.commit()?;
        Ok(self.output.settle()?)
    }

    /// What was written lasts before it is gone.
    fn commit(&mut self) -> std::result::Result<(), Stopped> {
        if self.takes && self.uncommitted > 0 {
            self.output.settle()?;
            self.verbs.commit()?;
        }
        self.done += std::mem::take(&mut self.uncommitted);
        Ok(())
    }
}

/// Puts messages of lines.
pub(crate) fn import(common: &Common, arguments: &ImportArguments) -> Result<()> {
    let name = connect::queue_name(&arguments.queue)?;
    let input: Box<dyn BufRead> = match arguments.file.as_deref() {
        None => Box::new(io::stdin().lock()),
        Some(path) if path == Path::new("-") => Box::new(io::stdin().lock()),
        Some(path) => Box::new(BufReader::new(File::open(path).map_err(|error| {
            let exit = if error.kind() == io::ErrorKind::NotFound { Exit::NotFound } else { Exit::Failed };
            Failure::new(exit, format!("cannot read the file {}: {error}", path.display()))
                .next("check the path; - means standard input")
        })?)),
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
    let outcome = importer.import(input, &Interrupt::listen()?);
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
            return Err(Failure::new(Exit::Failed, format!("{} the input failed: {error}", so_far())));
        }
        Err(Stopped::Line(what)) => {
            return Err(Failure::new(Exit::Usage, format!("{} {what}", so_far()))
                .next("correct the line, and import the rest: the lines before are on the queue"));
        }
    }
    Ok(report(common.output, "imported", done, &name)?)
}

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
        input: Box<dyn BufRead>,
        interrupt: &Interrupt,
    ) -> std::result::Result<Option<usize>, Stopped> {
        let mut progress = Progress::new(None, "messages");
        let mut lines = Lines::of(input, LINE_BYTES_MAX);
        loop {
            if interrupt.is_wanted() {
                self.commit()?;
                return Ok(Some(lines.read() + 1));
            }
            let put = match lines.next() {
                Ok(None) => break,
                Ok(Some(line)) => self.put(lines.read(), &line),
                Err(Unread::Io(error)) => Err(Stopped::Output(error)),
                Err(unread @ Unread::TooLong { .. }) => {
                    Err(Stopped::Line(format!("{unread}, which no message has")))
                }
                Err(unread @ Unread::NotText { .. }) => Err(Stopped::Line(unread.to_string())),
            };
            if let Err(stopped) = put {
                self.commit()?;
                return Err(stopped);
            }
            progress.add(1);
            if self.uncommitted >= self.batch {
                self.commit()?;
            }
        }
        self.commit()?;
        Ok(None)
    }

    fn put(&mut self, number: usize, line: &str) -> std::result::Result<(), Stopped> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let message = Message::imported(line);
        let Message { mut descriptor, body } =
            message.map_err(|error| Stopped::Line(format!("line {number} is no message: {error}")))?;
        let flags = PutFlags::SYNCPOINT | PutFlags::SET_ALL_CONTEXT | PutFlags::FAIL_IF_QUIESCING;
        self.verbs.put(self.handle, &mut descriptor, &mut PutOptions::with(flags), body)?;
        self.uncommitted += 1;
        Ok(())
    }

    fn commit(&mut self) -> std::result::Result<(), Stopped> {
        if self.uncommitted > 0 {
            self.verbs.commit()?;
            self.done += std::mem::take(&mut self.uncommitted);
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

    const MESSAGES: usize = 3;

    /// Takes messages off a queue to a file of this disk; how many it says, and how many are on the queue then.
    fn taken_to(disk: &SimulatedDisk) -> (std::result::Result<u64, Stopped>, usize) {
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
        let file = LastingFile::create_on(Arc::new(disk.clone()), Path::new("out")).unwrap();
        let output: Box<dyn Lasting> = Box::new(BufWriter::new(file));
        let mut exporter =
            Exporter { verbs: &mut verbs, handle, output, takes: true, done: 0, uncommitted: 0 };
        let outcome = exporter.export(u64::MAX, &Interrupt::listen().unwrap()).map(|()| exporter.done);
        drop(exporter);
        verbs.back().unwrap();
        let left = std::iter::from_fn(|| {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            verbs.get(handle, &mut MessageDescriptor::default(), &mut options, 10).ok()
        });
        let left = left.count();
        verbs.disconnect().unwrap();
        queue_manager.close(Mode::Immediate);
        (outcome, left)
    }

    #[test]
    fn messages_taken_to_a_file_outlast_a_power_cut_there() {
        let disk = SimulatedDisk::new(1);
        let (outcome, left) = taken_to(&disk);
        assert_eq!((outcome.ok(), left), (Some(MESSAGES as u64), 0));
        let after = disk.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Nothing));
        let text = String::from_utf8(after.content(Path::new("out")).expect("its name lasts")).unwrap();
        assert_eq!(text.lines().count(), MESSAGES, "{text}");
    }

    #[test]
    fn messages_stay_on_their_queue_when_the_file_cannot_be_made_to_last() {
        for kind in [OperationKind::Sync, OperationKind::SyncDirectory] {
            let disk = SimulatedDisk::new(1);
            disk.plan(Fault { kind: Some(kind), nth: 1, failure: Fails::InputOutput, repeat: Repeat::Once });
            let (outcome, left) = taken_to(&disk);
            assert!(matches!(outcome, Err(Stopped::Output(_))), "{kind:?}");
            assert_eq!(left, MESSAGES, "{kind:?}");
        }
    }
}
