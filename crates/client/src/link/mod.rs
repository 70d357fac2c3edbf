//! One socket to a queue manager, shared by its conversations.
//!
//! No thread reads for it: one of the waiting threads reads for all (`lead`). `mailboxes` tells waiters of
//! its end, `cork` sends corked bytes, `sending` picks the thread that sends, `turns` the one that goes on
//! among many that stream, and `looks` notices an end while no thread waits. A request may wait for others
//! that are about to come.
//!
//! Always: a thread with the turn to read does not wait for the turn to send; the turn to send is taken
//! before the writer's lock; once broken, a link stays so.

mod filing;
mod looks;
mod turns;

use crate::cork::Cork;
use crate::flusher::{self, Corked};
use crate::inbox::{Answer, Arrived, Inbox};
use crate::lead::{Lead, Told, Turn, Waiter};
use crate::mailboxes::{Broken, Mailboxes};
use crate::patience::Patience;
use crate::reader::{Read, Reader};
use crate::sending::Sending;
use crate::socket::Socket;
use crate::{Address, ConnectError, Options};
use ::channel::client::{Get, fragment};
use ::channel::frame::LOGIN_FRAME_BYTES_MAX;
use ::channel::login::{VERSION_OF_EXTENSIONS, VERSIONS};
use ::channel::{
    Conversation, Error, Flags, Hello, Kind, Limits, Output, Refused, Request, RequestNumber, Ways, Welcome,
};
use bytes::Bytes;
use filing::{Filing, Receiving};
use looks::Looks;
use mqi::{GetFlags, GetOptions, ObjectHandle, Reason};
use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Mutex, MutexGuard};
use std::io::{self, IoSlice};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use turns::{HeldBack, Turns};
use zeroize::Zeroizing;

/// Bytes that a segment of TCP carries within a machine, where packets have 64 KiB: less the headers of IPv6
/// and TCP and a timestamp, which leaves a little of the room under IPv4. A slightly longer write costs two
/// segments, and for sender and receiver the second is as dear as the first.
const SEGMENT_BYTES: usize = 64 * 1024 - (40 + 20 + 12);

/// A thread with more corked bytes than this waits its turn to send while another thread is sending. It is
/// four times the bytes that are sent without a reason, so that the threads of a socket do not wait for each
/// other at every write.
const GATHERED_BYTES_MAX: usize = 4 * SEGMENT_BYTES;

/// A server that has not spoken for so many intervals, although it is waited for or was asked for a sign, is
/// taken to be gone.
pub(crate) const SILENCES_MAX: u32 = 3;

/// A request behind so much that is corked does not wait for others.
const DEFERRED_BYTES_MAX: usize = 32 * 1024;

/// Most reads of a thread that reads for others before it tells them, while there is more than a read takes:
/// enough that a burst does not wake every thread for each part of it, and few enough that none waits long
/// beside its input.
const READS_MAX: usize = 4;

/// One socket, logged in.
#[derive(Debug)]
pub(crate) struct Link {
    socket: Socket,
    pub(crate) welcome: Welcome,
    /// The compression that was agreed.
    ways: Ways,
    /// The channel that the login named.
    channel: Arc<str>,
    writer: Cork<Writer>,
    turns: Turns,
    sending: Sending<Output>,
    reader: Lead<Receiving>,
    mailboxes: Mailboxes,
    looks: Looks,
    /// True if the server asked if we are here.
    is_asked: AtomicBool,
    /// True if the server spoke since a thread without room for its requests looked last.
    has_spoken: AtomicBool,
    /// Reason that the server gave at the end.
    farewell: Mutex<Option<Reason>>,
}

/// The writing half.
#[derive(Debug, Default)]
struct Writer {
    output: Output,
    /// True if the corked output was there when the flusher looked last.
    is_stale: bool,
    /// True if a thread wants it to leave now.
    is_wanted: bool,
    held_back: HeldBack,
}

impl Link {
    /// Connects to the first address that lets us in.
    pub(crate) fn connect(
        options: &Options,
        instance: [u8; 16],
        patience: Patience<'_>,
    ) -> Result<Self, ConnectError> {
        let mut furthest = ConnectError::NoAddress;
        for address in &options.addresses {
            match Self::connect_to(address, options, instance, patience) {
                Ok(link) => return Ok(link),
                // The socket beside the rings leads to the same judge, and each refusal is a record there.
                Err(error) if matches!(address, Address::Rings(_)) && error.is_of_user() => {
                    return Err(error);
                }
                Err(error) if error.progress() >= furthest.progress() => furthest = error,
                Err(_) => {}
            }
        }
        Err(furthest)
    }

    fn connect_to(
        address: &Address,
        options: &Options,
        instance: [u8; 16],
        patience: Patience<'_>,
    ) -> Result<Self, ConnectError> {
        let unreachable = |error| ConnectError::of_socket(address, error);
        let socket = Socket::connect(address, options, patience)?;
        if options.credentials.is_some() && !socket.is_protected().map_err(unreachable)? {
            return Err(ConnectError::Unprotected { address: address.clone() });
        }
        let deadline = patience.deadline();
        let login = login(options, instance);
        let mut sent = 0;
        while sent < login.len() {
            sent += socket.send(&[IoSlice::new(&login[sent..])]).map_err(unreachable)?;
        }
        drop(login);
        let mut reader = Reader::new();
        let protocol = |error| ConnectError::Protocol { address: address.clone(), error };
        let welcome = loop {
            if let Some(frame) = reader.frame(LOGIN_FRAME_BYTES_MAX).map_err(protocol)? {
                let bytes = frame.bytes();
                let welcome = match frame.header.kind {
                    Kind::Welcome => Welcome::decode(frame.payload).map_err(protocol)?,
                    Kind::Refused => {
                        let Refused { reason, text } = Refused::decode(frame.payload).map_err(protocol)?;
                        return Err(ConnectError::Refused { address: address.clone(), reason, text });
                    }
                    kind => {
                        let why = "the answer to a hello is a welcome or a refusal";
                        return Err(protocol(Error::Unexpected { kind, why }));
                    }
                };
                reader.consume(bytes);
                break welcome;
            }
            let step = patience.step(deadline).map_err(unreachable)?;
            match reader.read(&socket, LOGIN_FRAME_BYTES_MAX, Some(step)).map_err(unreachable)? {
                Read::End => return Err(ConnectError::Ended { address: address.clone() }),
                Read::Some | Read::None => {}
            }
        };
        Ok(Self {
            socket,
            ways: Ways { bodies: welcome.body_compression, heads: welcome.head_compression },
            welcome,
            channel: options.channel.as_str().into(),
            writer: Cork::new(Writer::default()),
            turns: Turns::default(),
            sending: Sending::new(Output::default()),
            reader: Lead::new(Receiving::new(reader)),
            mailboxes: Mailboxes::default(),
            looks: Looks::default(),
            is_asked: AtomicBool::new(false),
            has_spoken: AtomicBool::new(false),
            farewell: Mutex::new(None),
        })
    }

    /// The channel that the login named; empty for the default.
    pub(crate) fn channel(&self) -> &Arc<str> {
        &self.channel
    }

    /// The limits that were agreed.
    pub(crate) fn limits(&self) -> Limits {
        self.welcome.limits
    }

    /// A get in the words of the agreed version: before version 4 none asks for the extension
    /// of the descriptor.
    pub(crate) fn get(&self, handle: ObjectHandle, mut options: GetOptions, bytes_max: u32) -> Get {
        if self.welcome.version < VERSION_OF_EXTENSIONS {
            options.flags.remove(GetFlags::DESCRIPTOR_EXTENSION);
        }
        Get { handle, options, bytes_max }
    }

    pub(crate) fn is_broken(&self) -> bool {
        self.mailboxes.is_broken()
    }

    /// Reason that a program is given for a broken link.
    pub(crate) fn reason(&self) -> Reason {
        self.farewell.lock().unwrap_or(Reason::CONNECTION_BROKEN)
    }

    /// A number for a new conversation, and its mailbox.
    pub(crate) fn register(&self) -> Result<(Conversation, Arc<Inbox>), Reason> {
        self.mailboxes.register(self.limits().conversations_max).ok_or(Reason::MAX_CONNS_LIMIT_REACHED)
    }

    /// True if [`register`](Self::register) would find a number on a link that is whole.
    pub(crate) fn has_room(&self) -> bool {
        self.mailboxes.has_room(self.limits().conversations_max)
    }

    /// True if any conversation is here.
    pub(crate) fn is_used(&self) -> bool {
        self.mailboxes.is_used()
    }

    /// Forgets a conversation; its number may be used again once the server has ended it. False when it was
    /// forgotten before.
    pub(crate) fn forget(&self, conversation: Conversation, has_ended: bool) -> bool {
        self.mailboxes.forget(conversation, has_ended)
    }

    /// Encodes requests behind those that are corked. They leave with the next call that waits, when as many
    /// more would not go into the segment, or after a moment.
    pub(crate) fn cork<T>(self: &Arc<Self>, encode: impl FnOnce(&mut Output) -> T) -> Result<T, Broken> {
        self.cork_of(false, encode)
    }

    /// Encodes a request and corks it, for a thread that may stream: it puts one message after the other and
    /// waits for nothing.
    pub(crate) fn cork_of<T>(
        self: &Arc<Self>,
        streams: bool,
        encode: impl FnOnce(&mut Output) -> T,
    ) -> Result<T, Broken> {
        let mut writer = self.writer.lock();
        let before = writer.output.len();
        let result = encode(&mut writer.output);
        let corked = writer.output.len();
        let is_full = corked + (corked - before) > SEGMENT_BYTES;
        if !is_full {
            self.leave_corked(writer);
        } else if !writer.is_wanted || corked >= GATHERED_BYTES_MAX {
            if streams && writer.is_wanted && self.turns.hold_back(&mut writer) {
                return Ok(result);
            }
            self.send_now(writer)?;
        }
        Ok(result)
    }

    fn leave_corked(self: &Arc<Self>, writer: MutexGuard<'_, Writer>) {
        self.writer.leave_corked(writer, || flusher::watch(Arc::downgrade(self)));
    }

    /// Encodes a request and sends it with all corked output, in one write; or leaves it to a thread that is
    /// sending or about to.
    pub(crate) fn send<T>(self: &Arc<Self>, encode: impl FnOnce(&mut Output) -> T) -> Result<T, Broken> {
        let mut writer = self.writer.lock();
        let result = encode(&mut writer.output);
        self.turns.go_on(&mut writer.held_back);
        self.send_soon(writer)?;
        Ok(result)
    }

    /// Sends corked output, or leaves it to a thread that is sending or about to.
    pub(crate) fn flush_soon(self: &Arc<Self>) -> Result<(), Broken> {
        let writer = self.writer.lock();
        if writer.output.is_empty() { Ok(()) } else { self.send_soon(writer) }
    }

    /// Sends corked output, or leaves it to a thread that is sending.
    pub(crate) fn flush(&self) -> Result<(), Broken> {
        self.send_now(self.writer.lock())
    }

    fn send_soon(self: &Arc<Self>, writer: MutexGuard<'_, Writer>) -> Result<(), Broken> {
        // Under the writer's lock, so that the thread told to send finds the request.
        if writer.output.len() < DEFERRED_BYTES_MAX && self.reader.defer() {
            self.leave_corked(writer);
            return Ok(());
        }
        self.send_now(writer)
    }

    fn send_now(&self, mut writer: MutexGuard<'_, Writer>) -> Result<(), Broken> {
        writer.is_wanted = true;
        let is_much = writer.output.len() >= GATHERED_BYTES_MAX;
        drop(writer);
        self.sending.send_wanted(
            is_much,
            || self.writer.lock().is_wanted,
            |output| {
                self.write(output)?;
                self.load(output);
                self.write(output)
            },
        )
    }

    /// Takes what is corked to be sent, once all before it was.
    fn load(&self, output: &mut Output) {
        let mut writer = self.writer.lock();
        (writer.is_wanted, writer.is_stale) = (false, false);
        let bytes = writer.output.len();
        self.turns.leave(&mut writer.held_back, bytes);
        std::mem::swap(&mut writer.output, output);
        drop(writer);
        if !self.ways.is_none() {
            self.compress(output);
        }
    }

    /// Makes the frames that are about to leave smaller, on the thread that sends them.
    #[cold]
    fn compress(&self, output: &mut Output) {
        let mut plain = std::mem::take(output);
        while self.ways.pass(&mut plain, output).is_some() {}
    }

    /// Sends what is left of a long body; other conversations have their turns between fragments.
    pub(crate) fn send_rest(
        self: &Arc<Self>,
        conversation: Conversation,
        request: RequestNumber,
        mut rest: Bytes,
    ) -> Result<(), Broken> {
        let fragment_bytes = self.limits().fragment_bytes();
        while !rest.is_empty() {
            self.send(|output| fragment(output, conversation, request, &mut rest, fragment_bytes))?;
        }
        Ok(())
    }

    fn write(&self, output: &mut Output) -> Result<(), Broken> {
        let mut since = None;
        while !output.is_empty() {
            if self.is_broken() {
                return Err(Broken);
            }
            let mut slices = [IoSlice::new(&[]); 64];
            let filled = output.slices(&mut slices);
            match self.socket.send(&slices[..filled]) {
                Ok(0) => return Err(self.break_off()),
                Ok(sent) => {
                    output.advance(sent);
                    since = None;
                }
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                        // The server may have stopped reading until we read what it sends.
                        if let Some(mut receiving) = self.reader.try_turn() {
                            self.read_without_waiting(&mut receiving)?;
                        }
                        // A server that speaks is there, and has its reasons to take nothing; any thread may
                        // have read it.
                        if self.has_spoken.swap(false, Ordering::Relaxed) {
                            since = None;
                        }
                        let since = *since.get_or_insert_with(Instant::now);
                        if self.patience().is_some_and(|patience| since.elapsed() > patience) {
                            return Err(self.break_off());
                        }
                    }
                    _ => return Err(self.break_off()),
                },
            }
        }
        Ok(())
    }

    /// Writes as much as the socket takes in one write.
    fn write_some(&self, output: &mut Output) {
        if output.is_empty() {
            self.load(output);
        }
        let mut slices = [IoSlice::new(&[]); 64];
        let filled = output.slices(&mut slices);
        match self.socket.send(&slices[..filled]) {
            Ok(sent) => output.advance(sent),
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {}
                _ => {
                    self.break_off();
                }
            },
        }
    }

    /// Time that a silent server is trusted to be there, when it agreed to speak.
    fn patience(&self) -> Option<Duration> {
        self.heartbeat().map(|interval| SILENCES_MAX * interval)
    }

    /// Interval at which a server speaks to a program that waits for it, when it agreed to.
    pub(crate) fn heartbeat(&self) -> Option<Duration> {
        self.limits().heartbeat()
    }

    /// Waits for the answer to a request.
    pub(crate) fn wait(
        self: &Arc<Self>,
        inbox: &Arc<Inbox>,
        request: RequestNumber,
    ) -> Result<Answer, Broken> {
        self.wait_until(inbox, None, |arrived| arrived.take(request)).map(|answer| {
            // Without a deadline it cannot run out.
            answer.unwrap_or(Answer::Failed { reason: Reason::UNEXPECTED_ERROR, data_length: 0 })
        })
    }

    /// Waits until `look` finds something in the mailbox, or the deadline.
    pub(crate) fn wait_until<T>(
        self: &Arc<Self>,
        inbox: &Arc<Inbox>,
        deadline: Option<Instant>,
        look: impl FnMut(&mut Arrived) -> Option<T>,
    ) -> Result<Option<T>, Broken> {
        let mut waiter = self.reader.waiter(inbox);
        let found = self.wait_as(&mut waiter, inbox, deadline, look);
        if waiter.leave() {
            // What was found is found, even if the link breaks now.
            let _ = self.flush();
        }
        found
    }

    fn wait_as<T>(
        self: &Arc<Self>,
        waiter: &mut Waiter<'_, Receiving>,
        inbox: &Arc<Inbox>,
        deadline: Option<Instant>,
        mut look: impl FnMut(&mut Arrived) -> Option<T>,
    ) -> Result<Option<T>, Broken> {
        let mut quiet_since = None;
        loop {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let mut arrived = inbox.lock();
            if let Some(found) = self.mailboxes.look(&mut arrived, &mut look)? {
                return Ok(Some(found));
            }
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(None);
            }
            let Some((receiving, told)) = waiter.turn_or_sleep(arrived, left) else {
                if waiter.take_due() {
                    self.flush()?;
                }
                continue;
            };
            let trust = self.patience();
            let timeout = match (left.map(on_ladder), trust) {
                (Some(left), Some(trust)) => Some(left.min(trust)),
                (left, trust) => left.or(trust),
            };
            let began = Instant::now();
            if self.read(receiving, told, timeout)? {
                quiet_since = None;
            } else {
                // Nothing came. A server that does not keep its heartbeat is gone.
                let since = *quiet_since.get_or_insert(began);
                if trust.is_some_and(|trust| since.elapsed() >= trust) {
                    return Err(self.break_off());
                }
            }
            if self.is_asked.swap(false, Ordering::Relaxed) {
                waiter.pass_on();
                self.send(|output| {
                    Request::Heartbeat.encode(
                        output.cork(),
                        Conversation::CONNECTION,
                        RequestNumber(0),
                        Flags::NO_REPLY,
                    );
                })?;
            }
        }
    }

    fn read_without_waiting(&self, receiving: &mut Turn<'_, Receiving>) -> Result<(), Broken> {
        match receiving.reader.poll(&self.socket, self.limits().frame_bytes_max) {
            Ok(Read::Some) => {
                self.has_spoken.store(true, Ordering::Relaxed);
                self.file(receiving, &mut Filing::telling(&mut Told::default()))
            }
            Ok(Read::None) => Ok(()),
            Ok(Read::End) | Err(_) => Err(self.break_off()),
        }
    }

    /// Reads input and files whole frames; true if any bytes came. `told` gathers the receivers to tell.
    fn read(
        &self,
        receiving: &mut Receiving,
        told: &mut Told,
        timeout: Option<Duration>,
    ) -> Result<bool, Broken> {
        let frame_bytes_max = self.limits().frame_bytes_max;
        match receiving.reader.read(&self.socket, frame_bytes_max, timeout) {
            Ok(Read::Some) => self.has_spoken.store(true, Ordering::Relaxed),
            Ok(Read::None) => return Ok(false),
            Ok(Read::End) | Err(_) => return Err(self.break_off()),
        }
        let mut filing = Filing::telling(told);
        self.file(receiving, &mut filing)?;
        for _ in 1..READS_MAX {
            if !receiving.reader.is_full() {
                break;
            }
            match receiving.reader.poll(&self.socket, frame_bytes_max) {
                Ok(Read::Some) => self.file(receiving, &mut filing)?,
                // Input before the end counts: the next reader meets the end again.
                Ok(Read::None | Read::End) | Err(_) => break,
            }
        }
        Ok(true)
    }

    /// Ends the link and tells every waiter.
    pub(crate) fn break_off(&self) -> Broken {
        self.mailboxes.break_off(|| self.socket.shut_down())
    }
}

impl Corked for Link {
    fn flush_stale(&self) -> bool {
        let mut is_corked = true;
        self.sending.attempt(
            || self.writer.lock().is_wanted,
            |output| {
                let Some(mut writer) = self.writer.try_lock() else {
                    return true;
                };
                if output.is_empty() && writer.output.is_empty() || self.is_broken() {
                    is_corked = false;
                    return false;
                }
                let was_stale = std::mem::replace(&mut writer.is_stale, true);
                let is_due = was_stale || writer.is_wanted;
                drop(writer);
                if is_due {
                    self.write_some(output);
                }
                !is_due || output.is_empty()
            },
        );
        is_corked
    }

    fn leave_unwatched(&self) -> bool {
        // What is on its way counts as corked, and so does what somebody is sending.
        let is_idle = || self.sending.try_turn().is_some_and(|output| output.is_empty());
        self.writer.leave_unwatched(|writer| writer.output.is_empty() && is_idle())
    }

    fn end_elsewhere(self) {
        // The server may take what is left slowly. Without a thread it leaves from here, which holds up what
        // others have corked.
        let _ = thread::Builder::new().name("ferry-farewell".to_owned()).spawn(move || drop(self));
    }
}

/// The first bytes of a connection, in one piece: they are overwritten when they were sent, for credentials
/// may be among them.
fn login(options: &Options, instance: [u8; 16]) -> Zeroizing<Vec<u8>> {
    let mut bytes = Zeroizing::new(::channel::preamble::MAGIC.to_vec());
    let hello = Hello {
        versions: VERSIONS,
        identifies: options.credentials.is_some(),
        limits: options.limits,
        instance,
        process: std::process::id(),
        channel: options.channel.clone(),
        queue_manager: options.queue_manager.clone(),
        application: options.application.clone(),
        user: options.user.clone(),
        body_compressions: options.compression.bodies.clone(),
        head_compressions: options.compression.heads.clone(),
        ..Hello::default()
    };
    hello.encode(&mut bytes);
    if let Some(credentials) = &options.credentials {
        credentials.encode(&mut bytes);
    }
    bytes
}

/// The longest of a few times that is not longer than `left`: a read that ends early is repeated, and a
/// socket whose timeout stays the same need not be told.
fn on_ladder(left: Duration) -> Duration {
    const STEPS: [u64; 5] = [16_000, 4_000, 1_000, 200, 20];
    let steps = STEPS.into_iter().map(Duration::from_millis);
    steps.into_iter().find(|step| *step <= left).unwrap_or(left)
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.is_broken() {
            // The server sees the end in any case; said, it is no fault.
            let mut writer = self.writer.lock();
            Request::Disconnect.encode(
                writer.output.cork(),
                Conversation::CONNECTION,
                RequestNumber(0),
                Flags::NO_REPLY,
            );
            let _ = self.send_now(writer);
        }
    }
}

#[cfg(test)]
mod tests;
