//! The reactor: one thread that serves many connections.
//!
//! Lives here: the turn. Gather what is ready (`wait`), read it, let the handler end the tick, bury what
//! ended.
//! Lives elsewhere: the connections and their sockets (`table`), the handler's view of them (`tick`).
//!
//! Always: a connection is read for at most its share of a turn, so that a loud one does not keep others
//! waiting; a connection whose output piles up is not read.

mod table;
mod tick;
mod wait;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::BytesMut;

use crate::cover::News;
use crate::dial::{Dialling, From};
use crate::handler::{Accepted, Closed, Flow, Handler, Next, Place, Refused};
use crate::input::{self, Received};
use crate::listener::{ListenAddress, Listener, ListenerId};
use crate::output::Outgoing;
use crate::remote::{Arrival, ConnectionId, Remote, Shared, Wake};
use crate::socket::Socket;
use crate::spin::Spin;
use table::{Table, WAKER, listener_of};
pub use tick::Tick;

/// Bounds of a reactor.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most connections at one time, besides those of favoured programs.
    pub connections_max: usize,
    /// Most connections of favoured programs where all ordinary places are taken.
    pub favoured_max: usize,
    /// Most bytes read from one connection in one turn, to within one system call.
    pub turn_bytes_max: usize,
    /// A connection with more output waiting than this is not read until half of it is gone.
    pub backlog_bytes_max: usize,
    /// Longest time from connecting to the end of the handshake, for connections under a cover.
    pub handshake_within: Duration,
    /// Spins at all.
    pub spin: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections_max: 10_000,
            favoured_max: 0,
            turn_bytes_max: 256 << 10,
            backlog_bytes_max: 4 << 20,
            handshake_within: Duration::from_secs(10),
            spin: true,
        }
    }
}

/// Most connections accepted in one turn of a listener.
const ACCEPTS_MAX: usize = 64;

/// A turn in which so many connections are read is one with bursts.
const CROWD: usize = 6;

/// Pause in accepting when the system has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// One thread's event loop over the connections of `H`.
pub struct Reactor<H: Handler> {
    table: Table<H::Connection, H::Output>,
    events: mio::Events,
    shared: Arc<Shared>,
    noted: Vec<ConnectionId>,
    input: BytesMut,
    listeners: Vec<Option<Listening>>,
    siblings: Vec<Remote>,
    next_sibling: usize,
    limits: Limits,
    spin: Spin,
    /// When the kernel was last asked.
    polled_at: Instant,
}

struct Listening {
    id: ListenerId,
    listener: Listener,
    ready: bool,
    pause_until: Option<Instant>,
}

impl<H: Handler> Reactor<H> {
    /// A reactor without connections.
    ///
    /// # Errors
    /// When the system gives no event queue.
    pub fn new(limits: Limits) -> io::Result<Self> {
        let poll = mio::Poll::new()?;
        let shared = Arc::new(Shared::new(mio::Waker::new(poll.registry(), WAKER)?));
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            table: Table::new(poll, &limits),
            events: mio::Events::with_capacity(1024),
            shared,
            noted: Vec::new(),
            input: BytesMut::with_capacity(input::SHARED_BYTES),
            listeners: Vec::new(),
            siblings: Vec::new(),
            next_sibling: 0,
            limits,
            spin: Spin::new(if limits.spin { processors } else { 1 }),
            polled_at: Instant::now(),
        })
    }

    /// Returns the handle by which other threads reach it.
    #[must_use]
    pub fn remote(&self) -> Remote {
        Remote { shared: Arc::clone(&self.shared) }
    }

    /// Serves the connections of this listener too; their handler is given its name.
    ///
    /// # Errors
    /// When the system refuses to watch it.
    pub fn listen(&mut self, id: ListenerId, mut listener: Listener) -> io::Result<()> {
        let free = self.listeners.iter().position(Option::is_none);
        let index = free.unwrap_or(self.listeners.len());
        listener.register(self.table.registry(), table::token_of_listener(index))?;
        let listening = Some(Listening { id, listener, ready: true, pause_until: None });
        match self.listeners.get_mut(index) {
            Some(place) => *place = listening,
            None => self.listeners.push(listening),
        }
        Ok(())
    }

    /// Ends a listener; programs that it accepted stay.
    fn end_listener(&mut self, id: ListenerId) {
        for place in &mut self.listeners {
            if let Some(mut listening) = place.take_if(|listening| listening.id == id) {
                listening.listener.deregister(self.table.registry());
            }
        }
    }

    /// Where it listens.
    pub fn bound(&self) -> impl Iterator<Item = &ListenAddress> {
        self.listeners.iter().flatten().map(|listening| listening.listener.bound())
    }

    /// Begins a connection, as [`Tick::connect`] does.
    ///
    /// # Errors
    /// As of [`Tick::connect`].
    pub fn connect(
        &mut self,
        address: SocketAddr,
        within: Duration,
        connection: impl FnOnce(Arc<Wake>) -> H::Connection,
    ) -> Result<ConnectionId, Refused> {
        self.table.connect((address, From::default(), None), within, &self.shared, connection)
    }

    /// Deals the connections it accepts in turn to itself and to these reactors.
    pub fn share_with(&mut self, siblings: Vec<Remote>) {
        self.siblings = siblings;
    }

    /// Serves until the handler says to stop; then every connection is closed.
    ///
    /// # Errors
    /// When the system's event queue fails.
    pub fn run(&mut self, handler: &mut H) -> io::Result<()> {
        let mut again = false;
        loop {
            self.wait(again, handler.deadline())?;
            self.take_notes(handler);
            self.tell_reached(handler);
            self.accept(handler);
            self.read(handler);
            self.table.pass_deadlines();
            let mut tick = Tick::new(&mut self.table, &mut self.listeners, &self.shared, &mut self.noted);
            let next = handler.end_of_tick(&mut tick);
            self.table.forget_tick();
            self.shared.turned();
            let buried = self.bury(handler);
            match next {
                // A handler that waits for the last connection to end hears of it in a tick.
                Next::Wait => again = buried,
                Next::Again => again = true,
                Next::Stop => break,
            }
        }
        for id in self.table.ids() {
            self.table.end(id, Closed::ByUs);
        }
        self.bury(handler);
        Ok(())
    }

    /// Takes the notes of other threads: connections with news, sockets accepted by a sibling, listeners.
    fn take_notes(&mut self, handler: &mut H) {
        let mut noted = std::mem::take(&mut self.noted);
        for arrival in self.shared.take(&mut noted) {
            match arrival {
                Arrival::Socket(socket, accepted) => self.add(socket, &accepted, handler),
                // One that the system does not watch is closed again, so that programs are refused.
                Arrival::Listener(id, listener, _done) => drop(self.listen(id, listener)),
                Arrival::End(id, _done) => self.end_listener(id),
                Arrival::Dial(dialling) => self.dial(dialling, handler),
            }
        }
        for id in noted.drain(..) {
            self.table.news(id);
        }
        self.noted = noted;
    }

    /// Opens a connection for another thread.
    fn dial(&mut self, Dialling { id, to, from, cover, within }: Dialling, handler: &mut H) {
        let connect = |wake| handler.dialled(id, wake);
        if let Err(refused) = self.table.connect((to, from, cover), within, &self.shared, connect) {
            handler.undialled(id, refused);
        }
    }

    /// Tells the handler of connections that were opened and are there.
    fn tell_reached(&mut self, handler: &mut H) {
        while let Some(slot) = self.table.next_reached() {
            let local = slot.local();
            handler.reached(&mut slot.connection, local);
        }
    }

    fn accept(&mut self, handler: &mut H) {
        for index in 0..self.listeners.len() {
            for _ in 0..ACCEPTS_MAX {
                let Some((socket, accepted)) = self.accept_one(index, handler) else { break };
                if !handler.admits(&accepted) {
                    continue;
                }
                if self.siblings.is_empty() {
                    self.add(socket, &accepted, handler);
                    continue;
                }
                self.next_sibling = (self.next_sibling + 1) % (self.siblings.len() + 1);
                match self.siblings.get(self.next_sibling) {
                    Some(sibling) => sibling.give(socket, accepted),
                    None => self.add(socket, &accepted, handler),
                }
            }
        }
    }

    fn accept_one(&mut self, index: usize, handler: &mut H) -> Option<(Socket, Accepted)> {
        let listening = self.listeners[index].as_mut()?;
        if !listening.ready || listening.pause_until.is_some_and(|until| Instant::now() < until) {
            return None;
        }
        listening.pause_until = None;
        match listening.listener.accept() {
            Ok((socket, peer)) => {
                let local = socket.local();
                return Some((
                    socket,
                    Accepted { listener: listening.id, peer, local, place: Place::Ordinary },
                ));
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => listening.ready = false,
            Err(error) if is_lack_of_resources(&error) => {
                listening.pause_until = Some(Instant::now() + ACCEPT_PAUSE);
                handler.refused(Refused::NoResources(error));
            }
            // The one who knocked is gone again; the next turn looks for others.
            Err(_) => {}
        }
        None
    }

    fn add(&mut self, socket: Socket, accepted: &Accepted, handler: &mut H) {
        let is_favoured = handler.is_favoured(accepted);
        // The handler hears of one that is turned away before that one does.
        let accepted = match self.table.place_for(accepted.peer, is_favoured) {
            Ok(place) => Accepted { place, ..*accepted },
            Err(refused) => return handler.refused(refused),
        };
        let connect = |wake| handler.connected(&accepted, wake);
        match self.table.add(socket, accepted.peer, accepted.place, &self.shared, connect) {
            Ok(id) => self.table.open(id),
            Err(refused) => handler.refused(refused),
        }
    }

    /// Reads every connection that is ready, once around.
    fn read(&mut self, handler: &mut H) {
        let is_crowded = self.table.ready_count() >= CROWD;
        for _ in 0..self.table.ready_count() {
            let Some(id) = self.table.next_ready() else { break };
            if let Err(error) = self.read_one(id, handler) {
                self.table.broken(id, error);
            }
            if is_crowded {
                self.pass_news(handler);
            }
        }
    }

    /// Lets connections that were noted while one was read act on it at once.
    fn pass_news(&mut self, handler: &mut H) {
        self.shared.take_noted(&mut self.noted);
        for id in self.noted.drain(..) {
            self.table.news(id);
            if let Some(slot) = self.table.get_mut(id) {
                handler.news(&mut slot.connection);
            }
        }
    }

    /// Reads one connection for its share of the turn.
    fn read_one(&mut self, id: ConnectionId, handler: &mut H) -> io::Result<()> {
        self.table.touch(id);
        let Some(slot) = self.table.get_mut(id) else { return Ok(()) };
        if slot.draining {
            return self.table.discard(id, &mut self.input);
        }
        let mut budget = self.limits.turn_bytes_max;
        while !slot.stopped && !slot.paused && budget > 0 {
            if slot.output.pending() > self.limits.backlog_bytes_max {
                slot.stalled = true;
                return Ok(());
            }
            if !slot.more {
                if !slot.readable {
                    break;
                }
                match slot.receive(&mut self.input)? {
                    Received::Inner(bytes) => {
                        budget = budget.saturating_sub(bytes);
                        let Some(news) = slot.take_news() else { continue };
                        let facts = match news {
                            News::Covered(facts) => Some(*facts),
                            News::Bare => None,
                        };
                        handler.covered(&mut slot.connection, facts);
                        self.table.covered(id);
                        self.table.queue(id);
                        return Ok(());
                    }
                    Received::Nothing => {
                        slot.readable = false;
                        self.table.rest(id);
                        return Ok(());
                    }
                    Received::End => {
                        (slot.readable, slot.ended) = (false, true);
                        break;
                    }
                    // The socket was empty, so the next bytes raise an event; only an end that was there
                    // already raises none.
                    Received::Last(bytes) => {
                        slot.readable = slot.end_announced;
                        budget = budget.saturating_sub(bytes);
                    }
                    Received::Some(bytes) => budget = budget.saturating_sub(bytes),
                }
            }
            let buffer = if slot.input.is_empty() { &mut self.input } else { &mut slot.input };
            let flow = handler.receive(&mut slot.connection, buffer, &mut slot.output);
            slot.keep_rest(&mut self.input);
            slot.more = flow == Flow::More;
            slot.paused = flow == Flow::Pause;
            slot.stopped = flow == Flow::Stop;
            if slot.more {
                break;
            }
        }
        if slot.paused || slot.stopped {
            return Ok(());
        }
        if slot.ended && !slot.more {
            self.table.end(id, Closed::ByPeer);
        } else if slot.more || slot.readable {
            self.table.queue(id);
        }
        Ok(())
    }

    /// Gives the handler back what it knows of connections that ended; whether there were any.
    fn bury(&mut self, handler: &mut H) -> bool {
        let mut buried = false;
        while let Some((connection, peer, why)) = self.table.next_dead() {
            handler.closed(connection, &peer, why);
            buried = true;
        }
        buried
    }
}

fn is_lack_of_resources(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM]
        .iter()
        .any(|lack| error.raw_os_error() == Some(lack.raw_os_error()))
}

impl<H: Handler> Reactor<H> {
    /// Notes what the events say; reads nothing.
    fn note_events(&mut self) {
        for event in &self.events {
            if event.token() == WAKER {
                continue;
            }
            if let Some(index) = listener_of(event.token()) {
                if let Some(Some(listening)) = self.listeners.get_mut(index) {
                    listening.ready = true;
                }
                continue;
            }
            self.table.note_event(event);
        }
    }
}
