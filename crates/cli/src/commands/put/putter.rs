//! Putting messages in units of work, knowing which of them are committed.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use bytes::Bytes;
use client::Connection;
use mqi::{MessageId, ObjectHandle, Persistence, PutFlags, PutOptions, PutStatus, Reason, Verbs as _};

use super::How;
use super::source::{BodySource, read_lines};
use crate::interrupt::Interrupt;
use crate::lines::Unread;
use crate::progress::Progress;
use terminal::output;

/// Most bytes of one unit of work, unless one message alone has more: a command must not need the memory of
/// what it puts.
const UNIT_BYTES_MAX: u64 = 8 << 20;

/// A unit of work is committed when no line came for this long.
const IDLE: Duration = Duration::from_millis(20);

/// Messages that were put for good.
#[derive(Clone, Debug)]
pub(super) struct Done {
    pub(super) messages: u64,
    pub(super) bytes: u64,
    pub(super) units: u64,
    /// As the queue manager said of the last message whose put was answered.
    pub(super) persistence: Option<Persistence>,
    pub(super) message_id: MessageId,
    /// Publications that reached no subscription.
    pub(super) unheard: u64,
    pub(super) elapsed: Duration,
    /// Time after which getters are given them.
    pub(super) delay: Duration,
    /// True if it was told to end before all was put.
    pub(super) is_cut_off: bool,
}

/// Why putting stopped.
#[derive(Debug)]
pub(super) struct Stopped {
    pub(super) reason: Reason,
    /// Fault of the input, if that was the cause.
    pub(super) input: Option<Unread>,
}

impl From<Reason> for Stopped {
    fn from(reason: Reason) -> Self {
        Self { reason, input: None }
    }
}

impl From<Unread> for Stopped {
    fn from(unread: Unread) -> Self {
        Self { reason: Reason::NONE, input: Some(unread) }
    }
}

/// Puts messages in units of work, and knows which of them are committed.
pub(super) struct Putter<'a> {
    connection: &'a mut Connection,
    handle: ObjectHandle,
    how: How,
    started: Instant,
    /// The messages of the open unit of work, to be put again when it must be.
    unit: Vec<Bytes>,
    unit_bytes: u64,
    /// Publications of the open unit of work that are known to reach no subscription.
    unit_unheard: u64,
    /// Time at which a put first found no room; none while there is room.
    stuck_since: Option<Instant>,
    /// The wait for room was told.
    has_told_wait: bool,
    done: Done,
    progress: Progress,
}

impl<'a> Putter<'a> {
    pub(super) fn new(connection: &'a mut Connection, handle: ObjectHandle, how: How) -> Self {
        let done = Done {
            messages: 0,
            bytes: 0,
            units: 0,
            persistence: None,
            message_id: MessageId::NONE,
            unheard: 0,
            elapsed: Duration::ZERO,
            delay: how.delay,
            is_cut_off: false,
        };
        Self {
            connection,
            handle,
            how,
            started: Instant::now(),
            unit: Vec::new(),
            unit_bytes: 0,
            unit_unheard: 0,
            stuck_since: None,
            has_told_wait: false,
            done,
            progress: Progress::new(None, "messages"),
        }
    }

    /// Puts until the source ends or an end is wanted; messages put by then are committed.
    pub(super) fn put_all(
        &mut self,
        source: BodySource,
        repeat: u64,
        interrupt: &Interrupt,
    ) -> Result<(), Stopped> {
        match source {
            BodySource::Fixed(bodies) => {
                let single = repeat == 1 && bodies.len() == 1;
                for body in (0..repeat).flat_map(|_| &bodies) {
                    if interrupt.is_wanted() {
                        self.done.is_cut_off = true;
                        break;
                    }
                    if single {
                        self.put_alone(body)?;
                    } else {
                        self.put(body.clone())?;
                    }
                }
            }
            BodySource::Lines => self.put_lines(interrupt)?,
        }
        Ok(self.commit()?)
    }

    /// Lines are read by a thread of their own, so that a unit of work does not stay open while the pipe is
    /// silent.
    fn put_lines(&mut self, interrupt: &Interrupt) -> Result<(), Stopped> {
        let lines = read_lines();
        while !interrupt.is_wanted() {
            match lines.recv_timeout(IDLE) {
                Ok(Ok(lines)) => {
                    for line in lines {
                        self.put(line.into())?;
                    }
                }
                Ok(Err(unread)) => {
                    self.commit()?;
                    return Err(unread.into());
                }
                Err(RecvTimeoutError::Timeout) => self.commit()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
        // A person who types has said so.
        self.done.is_cut_off = !io::stdin().is_terminal();
        Ok(())
    }

    /// Adds a message to the unit of work and commits it when it is full.
    fn put(&mut self, body: Bytes) -> Result<(), Reason> {
        if self.how.batch == 0 {
            return self.put_alone(&body);
        }
        self.unit_bytes += body.len() as u64;
        self.unit.push(body);
        if let Err(reason) = self.put_last() {
            self.put_unit_again(reason)?;
        }
        if self.unit.len() as u64 >= self.how.batch || self.unit_bytes >= UNIT_BYTES_MAX {
            self.commit()?;
        }
        Ok(())
    }

    /// The first put of a unit of work waits for its reply: it tells the persistence, and a queue that takes
    /// nothing refuses at once. The others do not; what they met comes with the commit.
    fn put_last(&mut self) -> Result<(), Reason> {
        let response = if self.unit.len() > 1 { PutFlags::ASYNC_RESPONSE } else { PutFlags::SYNC_RESPONSE };
        let body = self.unit.last().cloned().unwrap_or_default();
        self.put_with(PutFlags::SYNCPOINT | response, body)
    }

    /// Puts outside units of work and waits for the outcome, under any default of the object.
    fn put_alone(&mut self, body: &Bytes) -> Result<(), Reason> {
        let flags = PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE;
        while let Err(reason) = self.put_with(flags, body.clone()) {
            if reason == Reason::UNIT_OF_WORK_NOT_STARTED {
                // Its queue has SYNCREQ(YES): each message is in a unit of work of its own.
                self.how.batch = 1;
                return self.put(body.clone());
            }
            self.wait_for_room(reason)?;
        }
        self.stuck_since = None;
        self.done.messages += 1;
        self.done.bytes += body.len() as u64;
        self.done.unheard += std::mem::take(&mut self.unit_unheard);
        self.progress.add(1);
        Ok(())
    }

    fn put_with(&mut self, flags: PutFlags, body: Bytes) -> Result<(), Reason> {
        let mut descriptor = self.how.descriptor.clone();
        let mut options = PutOptions {
            delivery_delay: self.how.delay,
            ..PutOptions::with(flags | self.how.flags | PutFlags::FAIL_IF_QUIESCING)
        };
        self.connection.put(self.handle, &mut descriptor, &mut options, body)?;
        if !flags.contains(PutFlags::ASYNC_RESPONSE) {
            self.unit_unheard += u64::from(options.warning == Some(Reason::NO_SUBS_MATCHED));
            self.done.persistence = Some(descriptor.persistence);
            self.done.message_id = descriptor.message_id;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Reason> {
        if self.unit.is_empty() {
            return Ok(());
        }
        while let Err(reason) = self.try_commit() {
            self.put_unit_again(reason)?;
        }
        self.stuck_since = None;
        self.count_unheard()?;
        self.done.messages += self.unit.len() as u64;
        self.done.bytes += self.unit_bytes;
        self.done.units += 1;
        self.progress.add(self.unit.len() as u64);
        self.unit.clear();
        self.unit_bytes = 0;
        Ok(())
    }

    /// Counts the publications of the unit just committed that reached no subscription.
    ///
    /// The puts without a reply tell it by their status.
    fn count_unheard(&mut self) -> Result<(), Reason> {
        if self.unit.len() > 1 && self.how.flags.contains(PutFlags::WARN_IF_NO_SUBS_MATCHED) {
            let status = self.connection.status()?;
            self.count_warnings(&status);
        }
        self.done.unheard += std::mem::take(&mut self.unit_unheard);
        Ok(())
    }

    /// Commits. When it fails because an asynchronous put had failed, the error is the reason of that put,
    /// which says more than that the unit was backed out.
    fn try_commit(&mut self) -> Result<(), Reason> {
        self.check_unanswered()?;
        let Err(reason) = self.connection.commit() else { return Ok(()) };
        let status = self.connection.status().ok();
        Err(status.and_then(|status| status.reason).unwrap_or(reason))
    }

    /// Asks for puts without a reply that failed: the commit fails by itself only for persistent messages.
    fn check_unanswered(&mut self) -> Result<(), Reason> {
        if self.unit.len() < 2 || self.done.persistence == Some(Persistence::Persistent) {
            return Ok(());
        }
        let status = self.connection.status()?;
        if status.failures > 0 {
            self.connection.back()?;
            return Err(status.reason.unwrap_or(Reason::BACKED_OUT));
        }
        self.count_warnings(&status);
        Ok(())
    }

    /// Adds warned publications. Warnings of puts without a reply are of one kind here.
    fn count_warnings(&mut self, status: &PutStatus) {
        if status.reason == Some(Reason::NO_SUBS_MATCHED) {
            self.unit_unheard += u64::from(status.warnings);
        }
    }

    /// Begins the unit of work anew when it failed for lack of room, which passes.
    fn put_unit_again(&mut self, reason: Reason) -> Result<(), Reason> {
        let mut reason = reason;
        loop {
            self.wait_for_room(reason)?;
            self.connection.back()?;
            // What is known of failures so far belongs to the unit that is over.
            self.connection.status()?;
            self.unit_unheard = 0;
            let bodies = std::mem::take(&mut self.unit);
            let outcome = bodies.iter().try_for_each(|body| {
                self.unit.push(body.clone());
                self.put_last()
            });
            self.unit = bodies;
            match outcome {
                Ok(()) => return Ok(()),
                Err(again) => reason = again,
            }
        }
    }

    /// Waits for room, which comes when the queue manager has moved messages out of its log, or a getter
    /// takes some. Gives the reason back when it is another, or no put succeeded for too long.
    fn wait_for_room(&mut self, reason: Reason) -> Result<(), Reason> {
        let since = *self.stuck_since.get_or_insert_with(Instant::now);
        if reason != Reason::STORAGE_MEDIUM_FULL || since.elapsed() >= PATIENCE {
            return Err(reason);
        }
        if since.elapsed() >= SILENT_MAX && !self.has_told_wait {
            self.has_told_wait = true;
            output::say(
                "ferry: the queue manager has no room for persistent messages; waiting up to 30 s for some",
            );
        }
        std::thread::sleep(PAUSE);
        Ok(())
    }

    /// Counts so far.
    pub(super) fn done(&self) -> Done {
        self.progress.finish();
        Done { elapsed: self.started.elapsed(), ..self.done.clone() }
    }
}

/// The longest wait for room.
const PATIENCE: Duration = Duration::from_secs(30);

/// Longest wait for room without a word.
const SILENT_MAX: Duration = Duration::from_secs(2);

/// Time between two tries.
const PAUSE: Duration = Duration::from_millis(100);
