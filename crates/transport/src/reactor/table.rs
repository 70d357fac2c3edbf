//! The connections of a reactor: their sockets, what was read and not yet taken, what waits to be written.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use mio::event::Event;
use mio::{Interest, Registry, Token};

use super::Limits;
use crate::cover::{Cover, CoverError, News};
use crate::dial::From;
use crate::handler::{Closed, Place, Refused};
use crate::input::{self, Received};
use crate::output::{Flushed, Outgoing, flush};
use crate::remote::{ConnectionId, Shared, Wake};
use crate::rings::Served;
use crate::socket::{Opening, Peer, Socket};

/// The token of the reactor's wake-up.
pub(super) const WAKER: Token = Token(usize::MAX);

/// Set in the tokens of listeners; connections have a generation of 31 bits above their slot.
const LISTENER_BIT: usize = 1 << 63;

/// Most connections whose rings are watched: the reactor looks at these again and again while it spins.
const WATCHED_MAX: usize = 32;

/// Most connections at one time that are there only to be told that they have no place.
const BEYOND_MAX: usize = 16;

/// Longest time for a connection that is being ended to accept its last output.
const FINISH_WITHIN: Duration = Duration::from_secs(5);

/// Longest time for the other end to close after our last byte: closing first could destroy that byte on its
/// way.
const LINGER: Duration = Duration::from_secs(1);

pub(super) fn token_of_listener(index: usize) -> Token {
    Token(LISTENER_BIT | index)
}

pub(super) fn listener_of(token: Token) -> Option<usize> {
    (token.0 & LISTENER_BIT != 0).then_some(token.0 & !LISTENER_BIT)
}

fn token_of(id: ConnectionId) -> Token {
    Token((id.generation as usize) << 32 | id.slot as usize)
}

fn connection_of(token: Token) -> ConnectionId {
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of the token")]
    ConnectionId { slot: token.0 as u32, generation: (token.0 >> 32) as u32 }
}

/// One connection.
pub(super) struct Slot<C, O> {
    pub(super) connection: C,
    pub(super) output: O,
    /// The rest of an unfinished frame, or frames beyond this turn's share.
    pub(super) input: BytesMut,
    /// There may be bytes in the socket.
    pub(super) readable: bool,
    /// Complete frames are in `input`.
    pub(super) more: bool,
    /// The other end announced that it sends no more; its last bytes may still be in the socket.
    pub(super) end_announced: bool,
    /// The other end sent its last byte and it was read.
    pub(super) ended: bool,
    /// Not read because too much output waits.
    pub(super) stalled: bool,
    /// The handler wants no input until it says so.
    pub(super) paused: bool,
    /// The handler wants no more input.
    pub(super) stopped: bool,
    /// Our last byte is written; what still comes is thrown away.
    pub(super) draining: bool,
    /// This side opens the connection, and the other end has not answered.
    opening: bool,
    /// The handshake of its cover is not done.
    uncovered: bool,
    pub(super) socket: Socket,
    peer: Peer,
    place: Place,
    wake: Arc<Wake>,
    /// The kernel took no more output; a writable event will follow.
    blocked: bool,
    /// It ends when its output is written.
    finishing: bool,
    deadline: Option<Instant>,
    queued: bool,
    touched: bool,
    dead: bool,
}

impl<C, O> Slot<C, O> {
    /// The address of this end; none for a program of this machine.
    pub(super) fn local(&self) -> Option<SocketAddr> {
        self.socket.local()
    }

    /// Receives once: into the shared buffer, behind the beginning of an unfinished frame; into the
    /// connection's own if that has room for more of a long frame.
    pub(super) fn receive(&mut self, shared: &mut BytesMut) -> io::Result<Received> {
        if !self.input.is_empty() && input::has_room(&self.input) {
            return input::receive(&mut self.socket, &mut self.input);
        }
        shared.clear();
        shared.reserve(input::SHARED_BYTES);
        // The rest of frames that follow each other closely is shorter than what comes, so it is the rest
        // that is moved.
        let moves = self.input.len() <= input::MOVED_BYTES_MAX;
        if moves {
            shared.extend_from_slice(&self.input);
        }
        let received = input::receive(&mut self.socket, shared);
        match received {
            Ok(Received::Some(_) | Received::Last(_)) if moves => self.input.clear(),
            Ok(Received::Some(_) | Received::Last(_)) => {
                self.input.extend_from_slice(shared);
                shared.clear();
            }
            // The next who finds the shared buffer may be another connection.
            Ok(Received::End | Received::Nothing | Received::Inner(_)) | Err(_) => shared.clear(),
        }
        received
    }

    /// The next news of its cover.
    pub(super) fn take_news(&mut self) -> Option<News> {
        self.socket.covered()?.take_news()
    }

    /// Keeps what the handler left in the shared buffer, and gives an emptied own buffer back.
    pub(super) fn keep_rest(&mut self, shared: &mut BytesMut) {
        if !shared.is_empty() {
            if shared.capacity() > 2 * input::SHARED_BYTES {
                // The handler reserved the length of its frame: that room stays with the connection.
                self.input = std::mem::take(shared);
            } else {
                self.input.extend_from_slice(shared);
                shared.clear();
            }
        } else if self.input.is_empty() && self.input.capacity() > 0 {
            self.input = BytesMut::new();
        }
    }
}

/// All connections of a reactor.
pub(super) struct Table<C, O> {
    poll: mio::Poll,
    slots: Vec<Entry<C, O>>,
    free: Vec<u32>,
    live: usize,
    /// Number of live connections that are there only to be told that they have no place.
    beyond: usize,
    ready: VecDeque<ConnectionId>,
    touched: Vec<ConnectionId>,
    /// The deadlines of all connections, the first first.
    deadlines: BTreeSet<(Instant, ConnectionId)>,
    /// Connections whose deadline has passed, for the handler.
    due: Vec<ConnectionId>,
    /// Connections that were opened and are there, for the handler.
    reached: Vec<ConnectionId>,
    dead: Vec<(ConnectionId, Closed)>,
    /// Connections whose rings the reactor looks at itself, so that no bell is rung.
    watched: Vec<ConnectionId>,
    backlog_bytes_max: usize,
    connections_max: usize,
    favoured_max: usize,
    handshake_within: Duration,
}

struct Entry<C, O> {
    generation: u32,
    slot: Option<Box<Slot<C, O>>>,
}

impl<C, O: Outgoing + Default> Table<C, O> {
    pub(super) fn new(poll: mio::Poll, limits: &Limits) -> Self {
        Self {
            poll,
            slots: Vec::new(),
            free: Vec::new(),
            live: 0,
            beyond: 0,
            ready: VecDeque::new(),
            touched: Vec::new(),
            deadlines: BTreeSet::new(),
            due: Vec::new(),
            reached: Vec::new(),
            dead: Vec::new(),
            watched: Vec::with_capacity(WATCHED_MAX),
            backlog_bytes_max: limits.backlog_bytes_max,
            connections_max: limits.connections_max,
            favoured_max: limits.favoured_max,
            handshake_within: limits.handshake_within,
        }
    }

    pub(super) fn registry(&self) -> &Registry {
        self.poll.registry()
    }

    pub(super) fn poll(&mut self, events: &mut mio::Events, timeout: Option<Duration>) -> io::Result<()> {
        self.poll.poll(events, timeout)
    }

    pub(super) fn ids(&self) -> Vec<ConnectionId> {
        let live = self.slots.iter().zip(0..).filter(|(entry, _)| entry.slot.is_some());
        live.map(|(entry, slot)| ConnectionId { slot, generation: entry.generation }).collect()
    }

    /// The place for one more program; none where there are as many as may be.
    pub(super) fn place_for(&self, peer: Peer, is_favoured: bool) -> Result<Place, Refused> {
        let kept = if is_favoured { self.favoured_max } else { 0 };
        if self.live - self.beyond < self.connections_max + kept {
            return Ok(Place::Ordinary);
        }
        let beyond = Place::Beyond { connections_max: self.connections_max };
        if self.beyond < BEYOND_MAX { Ok(beyond) } else { Err(self.too_many(peer)) }
    }

    fn too_many(&self, peer: Peer) -> Refused {
        Refused::TooMany { peer, connections_max: self.connections_max }
    }

    /// Adds a connection that is not there yet; [`open`](Self::open) follows when it is.
    pub(super) fn add(
        &mut self,
        mut socket: Socket,
        peer: Peer,
        place: Place,
        shared: &Arc<Shared>,
        connect: impl FnOnce(Arc<Wake>) -> C,
    ) -> Result<ConnectionId, Refused> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Entry { generation: 0, slot: None });
            u32::try_from(self.slots.len() - 1).expect("fewer connections than 2^32")
        });
        let id = ConnectionId { slot, generation: self.slots[slot as usize].generation };
        let interests = Interest::READABLE | Interest::WRITABLE;
        if let Err(error) = self.poll.registry().register(&mut socket, token_of(id), interests) {
            self.free.push(slot);
            return Err(Refused::NoResources(error));
        }
        let wake = Arc::new(Wake::new(id, Arc::clone(shared)));
        self.slots[slot as usize].slot = Some(Box::new(Slot {
            connection: connect(Arc::clone(&wake)),
            output: O::default(),
            input: BytesMut::new(),
            readable: false,
            more: false,
            end_announced: false,
            ended: false,
            stalled: false,
            paused: false,
            stopped: false,
            draining: false,
            opening: true,
            uncovered: false,
            socket,
            peer,
            place,
            wake,
            blocked: false,
            finishing: false,
            deadline: None,
            queued: false,
            touched: false,
            dead: false,
        }));
        self.live += 1;
        self.beyond += usize::from(place != Place::Ordinary);
        Ok(id)
    }

    /// Begins a connection to an address, from another, under a cover if there is one.
    pub(super) fn connect(
        &mut self,
        (address, from, cover): (SocketAddr, From, Option<Box<dyn Cover>>),
        within: Duration,
        shared: &Arc<Shared>,
        connect: impl FnOnce(Arc<Wake>) -> C,
    ) -> Result<ConnectionId, Refused> {
        let peer = Peer::Tcp(address);
        if self.live - self.beyond >= self.connections_max {
            return Err(self.too_many(peer));
        }
        let (socket, opening) = Socket::open(address, from, cover).map_err(Refused::NoResources)?;
        let id = self.add(socket, peer, Place::Ordinary, shared, connect)?;
        match opening {
            Opening::Failed(error) => self.end(id, Closed::Unreached(error)),
            Opening::Begun | Opening::Done => self.put_deadline(id, Some(Instant::now() + within)),
        }
        Ok(id)
    }

    /// A connection is there: it is read, and due for the first time.
    pub(super) fn open(&mut self, id: ConnectionId) {
        let handshake_within = self.handshake_within;
        let Some(slot) = self.get_mut(id) else { return };
        (slot.opening, slot.readable) = (false, true);
        slot.uncovered = slot.socket.covered().is_some();
        let handshake_by = slot.uncovered.then(|| Instant::now() + handshake_within);
        self.put_deadline(id, handshake_by);
        self.due.push(id);
        self.queue(id);
    }

    /// The handshake of a connection's cover is done: the deadline is the handler's from now on, and output
    /// that waited leaves.
    pub(super) fn covered(&mut self, id: ConnectionId) {
        let Some(slot) = self.get_mut(id) else { return };
        slot.uncovered = false;
        self.put_deadline(id, None);
        self.due.push(id);
        self.touch(id);
        self.flush(id);
    }

    /// Looks how far a connection is that this side opens; whether it is there.
    fn is_reached(&mut self, id: ConnectionId) -> bool {
        let Some(slot) = self.get_mut(id) else { return false };
        match slot.socket.opening() {
            Opening::Begun => false,
            Opening::Done => {
                self.open(id);
                self.reached.push(id);
                if let Some(Err(error)) = self.get_mut(id).and_then(|slot| slot.socket.begin_cover()) {
                    self.broken(id, error);
                    return false;
                }
                self.flush(id);
                true
            }
            Opening::Failed(error) => {
                self.end(id, Closed::Unreached(error));
                false
            }
        }
    }

    /// The next connection that was opened and is there.
    pub(super) fn next_reached(&mut self) -> Option<&mut Slot<C, O>> {
        while let Some(id) = self.reached.pop() {
            self.touch(id);
            if self.get_mut(id).is_some() {
                return self.get_mut(id);
            }
        }
        None
    }

    pub(super) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut Slot<C, O>> {
        let entry = self.slots.get_mut(id.slot as usize)?;
        let slot = entry.slot.as_deref_mut()?;
        (entry.generation == id.generation && !slot.dead).then_some(slot)
    }

    /// A connection broke. One whose cover gave up had a last word for the other end, which closes first.
    pub(super) fn broken(&mut self, id: ConnectionId, error: io::Error) {
        let Some(slot) = self.get_mut(id) else { return };
        let gave_up = slot.socket.covered().is_some_and(|covered| covered.failure().is_some());
        if gave_up && !slot.draining {
            (slot.stopped, slot.finishing) = (true, true);
            self.drain(id);
        } else {
            self.end(id, Closed::Broken(error));
        }
    }

    /// Notes what an event of the kernel says about a connection.
    pub(super) fn note_event(&mut self, event: &Event) {
        let id = connection_of(event.token());
        if self.get_mut(id).is_some_and(|slot| slot.opening) && !self.is_reached(id) {
            return;
        }
        // The event that tells of its beginning may tell of its end, too.
        let Some(slot) = self.get_mut(id) else { return };
        let announces_end = event.is_read_closed() || event.is_error();
        let mut has_rings = false;
        match &mut slot.socket {
            Socket::Rings(rings) => {
                rings.hears_bell(announces_end);
                has_rings = true;
            }
            // The last flight of a handshake has no output behind it that would be flushed.
            Socket::Covered(covered) if event.is_writable() => {
                if let Err(error) = covered.push() {
                    return self.broken(id, error);
                }
            }
            _ => {}
        }
        if event.is_readable() || announces_end {
            slot.end_announced |= announces_end;
            self.note_readable(id);
        }
        // With rings, room is told of by a bell.
        if (event.is_writable() || has_rings) && self.get_mut(id).is_some_and(|slot| slot.blocked) {
            self.flush(id);
            // There is room for more output now, which the handler may have.
            self.touch(id);
        }
    }

    /// There may be bytes for a connection; whether it will be read.
    fn note_readable(&mut self, id: ConnectionId) -> bool {
        let Some(slot) = self.get_mut(id) else { return false };
        slot.readable = true;
        let is_read = slot.draining || !(slot.stalled || slot.paused || slot.stopped);
        if is_read {
            self.queue(id);
        }
        is_read
    }

    fn rings(&mut self, id: ConnectionId) -> Option<&mut Served> {
        self.get_mut(id).and_then(|slot| slot.socket.rings())
    }

    /// Rests a connection that is read to its end. If it has rings, the reactor looks there until it sleeps,
    /// or has a bell rung.
    pub(super) fn rest(&mut self, id: ConnectionId) {
        if self.watched.contains(&id) {
            return;
        }
        let has_room = self.watched.len() < WATCHED_MAX;
        let Some(rings) = self.rings(id) else { return };
        if has_room {
            rings.wakes_up();
            self.watched.push(id);
        } else if !rings.falls_asleep() {
            self.note_readable(id);
        }
    }

    /// Looks whether anything has come to the rings that are watched.
    pub(super) fn look_at_rings(&mut self) -> bool {
        let mut found = false;
        for place in 0..self.watched.len() {
            let id = self.watched[place];
            found |= self.rings(id).is_some_and(|rings| rings.has_some()) && self.note_readable(id);
        }
        found
    }

    /// Watches no rings from now on, so that bells are rung; false when something has come that is to be read
    /// first.
    pub(super) fn look_away(&mut self) -> bool {
        let mut may_sleep = true;
        while let Some(id) = self.watched.pop() {
            let has_some = self.rings(id).is_some_and(|rings| !rings.falls_asleep());
            may_sleep &= !(has_some && self.note_readable(id));
        }
        may_sleep
    }

    /// Another thread has news for the connection.
    pub(super) fn news(&mut self, id: ConnectionId) {
        if let Some(slot) = self.get_mut(id) {
            slot.wake.taken();
            self.touch(id);
        }
    }

    pub(super) fn queue(&mut self, id: ConnectionId) {
        if let Some(slot) = self.get_mut(id)
            && !slot.queued
        {
            slot.queued = true;
            self.ready.push_back(id);
        }
    }

    /// Goes on with a paused connection; complete frames may be left in its input.
    pub(super) fn resume(&mut self, id: ConnectionId) {
        if let Some(slot) = self.get_mut(id)
            && slot.paused
        {
            slot.paused = false;
            slot.more = !slot.input.is_empty();
            self.queue(id);
        }
    }

    pub(super) fn ready_count(&self) -> usize {
        self.ready.len()
    }

    pub(super) fn next_ready(&mut self) -> Option<ConnectionId> {
        let id = self.ready.pop_front()?;
        if let Some(slot) = self.get_mut(id) {
            slot.queued = false;
        }
        Some(id)
    }

    pub(super) fn touch(&mut self, id: ConnectionId) {
        if let Some(slot) = self.get_mut(id)
            && !slot.touched
        {
            slot.touched = true;
            self.touched.push(id);
        }
    }

    pub(super) fn next_touched(&mut self) -> Option<ConnectionId> {
        while let Some(id) = self.touched.pop() {
            if let Some(slot) = self.get_mut(id) {
                slot.touched = false;
                return Some(id);
            }
        }
        None
    }

    /// The tick is over: forgets what the handler did not ask for.
    pub(super) fn forget_tick(&mut self) {
        while self.next_touched().is_some() {}
        self.due.clear();
    }

    pub(super) fn flush(&mut self, id: ConnectionId) {
        let backlog_bytes_max = self.backlog_bytes_max;
        let Some(slot) = self.get_mut(id) else { return };
        if slot.draining || slot.opening {
            return;
        }
        match flush(&mut slot.socket, &mut slot.output) {
            Ok(flushed) => {
                slot.blocked = flushed == Flushed::Blocked;
                let resumes = slot.stalled && slot.output.pending() <= backlog_bytes_max / 2;
                if resumes {
                    slot.stalled = false;
                }
                if slot.finishing && !slot.blocked {
                    self.drain(id);
                } else if resumes {
                    self.queue(id);
                }
            }
            Err(error) => self.broken(id, error),
        }
    }

    /// Ends a connection once its output is written, or after a while.
    pub(super) fn finish(&mut self, id: ConnectionId) {
        let Some(slot) = self.get_mut(id) else { return };
        if slot.opening || slot.uncovered {
            return self.end(id, Closed::ByUs);
        }
        if slot.finishing {
            return;
        }
        (slot.stopped, slot.finishing) = (true, true);
        self.put_deadline(id, Some(Instant::now() + FINISH_WITHIN));
        self.flush(id);
    }

    /// Our last byte is written: says so, and lets the other end close first.
    fn drain(&mut self, id: ConnectionId) {
        let Some(slot) = self.get_mut(id) else { return };
        slot.draining = true;
        let outcome = slot.socket.shut_down();
        if slot.ended || outcome.is_err() {
            self.end(id, Closed::ByUs);
        } else {
            self.put_deadline(id, Some(Instant::now() + LINGER));
            self.queue(id);
        }
    }

    /// Reads and throws away what still comes after our last byte.
    pub(super) fn discard(&mut self, id: ConnectionId, shared: &mut BytesMut) -> io::Result<()> {
        let Some(slot) = self.get_mut(id) else { return Ok(()) };
        shared.clear();
        shared.reserve(input::SHARED_BYTES);
        let received = input::receive(&mut slot.socket, shared)?;
        shared.clear();
        match received {
            Received::End => self.end(id, Closed::ByUs),
            Received::Some(_) | Received::Inner(_) => self.queue(id),
            Received::Last(_) if slot.end_announced => self.queue(id),
            Received::Last(_) | Received::Nothing => {}
        }
        Ok(())
    }

    /// The first of all deadlines.
    pub(super) fn first_deadline(&self) -> Option<Instant> {
        self.deadlines.first().map(|(deadline, _)| *deadline)
    }

    /// Sets a deadline for the handler.
    pub(super) fn set_deadline(&mut self, id: ConnectionId, deadline: Option<Instant>) {
        if self.get_mut(id).is_some_and(|slot| !slot.opening && !slot.uncovered && !slot.finishing) {
            self.put_deadline(id, deadline);
        }
    }

    fn put_deadline(&mut self, id: ConnectionId, deadline: Option<Instant>) {
        let Some(slot) = self.get_mut(id) else { return };
        if let Some(before) = std::mem::replace(&mut slot.deadline, deadline) {
            self.deadlines.remove(&(before, id));
        }
        if let Some(deadline) = deadline {
            self.deadlines.insert((deadline, id));
        }
    }

    /// Ends connections whose time to open or to finish is over, and notes for the handler those of its
    /// deadlines that have passed.
    pub(super) fn pass_deadlines(&mut self) {
        if self.deadlines.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(&(deadline, id)) = self.deadlines.first()
            && deadline <= now
        {
            self.deadlines.pop_first();
            let Some(slot) = self.get_mut(id) else { continue };
            slot.deadline = None;
            if slot.opening {
                self.end(id, Closed::Unreached(io::ErrorKind::TimedOut.into()));
            } else if slot.finishing {
                self.end(id, Closed::ByUs);
            } else if slot.uncovered {
                self.end(id, Closed::Uncovered(CoverError::TooSlow(self.handshake_within)));
            } else {
                self.due.push(id);
            }
        }
    }

    /// The next connection whose deadline has passed.
    pub(super) fn next_due(&mut self) -> Option<ConnectionId> {
        while let Some(id) = self.due.pop() {
            if self.get_mut(id).is_some_and(|slot| !slot.opening && !slot.uncovered && !slot.finishing) {
                return Some(id);
            }
        }
        None
    }

    /// Ends a connection; the handler hears of it when the tick is over.
    pub(super) fn end(&mut self, id: ConnectionId, why: Closed) {
        self.put_deadline(id, None);
        if let Some(slot) = self.get_mut(id) {
            let failure = slot.socket.covered().and_then(|covered| covered.failure());
            let why = failure.cloned().map_or(why, Closed::Uncovered);
            slot.dead = true;
            self.dead.push((id, why));
        }
    }

    /// Frees the next connection that ended, socket first.
    pub(super) fn next_dead(&mut self) -> Option<(C, Peer, Closed)> {
        let (id, why) = self.dead.pop()?;
        let entry = &mut self.slots[id.slot as usize];
        let mut slot = entry.slot.take().expect("a dead connection is freed once");
        entry.generation = (entry.generation + 1) & 0x7FFF_FFFF;
        // Dropping the socket deregisters it too; this only spares a stale event.
        let _ = self.poll.registry().deregister(&mut slot.socket);
        self.free.push(id.slot);
        self.live -= 1;
        self.beyond -= usize::from(slot.place != Place::Ordinary);
        Some((slot.connection, slot.peer, why))
    }
}
