//! The relay between those that ask and those that answer, which only copies.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use transport::spin::{SPIN_MAX, Spin, give_way};

use super::READ_BYTES;

/// Sockets that are told of at once.
const EVENTS: usize = 256;

/// The sockets, and what is on its way.
pub(super) struct Between {
    poll: Poll,
    peers: Vec<Peer>,
    requesters: usize,
    message_bytes: usize,
    spin: Spin,
    /// Peers with something to be written to them.
    written_to: Vec<usize>,
}

/// One socket.
struct Peer {
    stream: TcpStream,
    /// A message that came in part.
    input: Vec<u8>,
    output: Vec<u8>,
    has_left: bool,
}

impl Between {
    /// With nobody yet; the first so many will be those who ask.
    pub(super) fn new(requesters: usize, message_bytes: usize) -> Result<Self> {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            poll: Poll::new().context("cannot ask the system for events")?,
            peers: Vec::new(),
            requesters,
            message_bytes,
            spin: Spin::new(processors),
            written_to: Vec::new(),
        })
    }

    /// The next one.
    pub(super) fn take(&mut self, stream: std::net::TcpStream) -> Result<()> {
        stream.set_nonblocking(true).context("cannot set a socket up")?;
        let mut stream = TcpStream::from_std(stream);
        let interest = Interest::READABLE | Interest::WRITABLE;
        self.poll
            .registry()
            .register(&mut stream, Token(self.peers.len()), interest)
            .context("cannot watch a socket")?;
        self.peers.push(Peer { stream, input: Vec::new(), output: Vec::new(), has_left: false });
        Ok(())
    }

    /// Copies until all who ask have left.
    pub(super) fn run(mut self) -> Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        let mut buffer = vec![0; READ_BYTES];
        while !self.peers[..self.requesters].iter().all(|peer| peer.has_left) {
            self.wait(&mut events).context("cannot wait for events")?;
            for event in &events {
                let Token(number) = event.token();
                if event.is_readable() {
                    self.read(number, &mut buffer).context("cannot read")?;
                }
                if event.is_writable() && !self.peers[number].output.is_empty() {
                    self.written_to.push(number);
                }
            }
            for number in std::mem::take(&mut self.written_to) {
                self.peers[number].write().context("cannot write")?;
            }
        }
        Ok(())
    }

    /// Asks again and again for a moment where that has paid, as a queue manager does, and sleeps otherwise.
    fn wait(&mut self, events: &mut Events) -> io::Result<()> {
        let start = Instant::now();
        if self.spin.worth_it(start) {
            let (mut now, mut step) = (start, Duration::ZERO);
            while now - start < SPIN_MAX {
                self.poll.poll(events, Some(Duration::ZERO))?;
                let then = std::mem::replace(&mut now, Instant::now());
                step = step.max(now - then);
                if !events.is_empty() {
                    self.spin.spun(true, step, now);
                    return Ok(());
                }
                give_way();
            }
            self.spin.spun(false, step, now);
        }
        loop {
            match self.poll.poll(events, None) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                outcome => {
                    self.spin.slept(start.elapsed());
                    return outcome;
                }
            }
        }
    }

    /// Takes what has come from a peer, and passes each message to the peer it is for.
    fn read(&mut self, number: usize, buffer: &mut [u8]) -> io::Result<()> {
        loop {
            let peer = &mut self.peers[number];
            let read = match peer.stream.read(buffer) {
                Ok(0) => {
                    peer.has_left = true;
                    return Ok(());
                }
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut rest = &buffer[..read];
            if !peer.input.is_empty() {
                let (more, behind) = rest.split_at(rest.len().min(self.message_bytes - peer.input.len()));
                peer.input.extend_from_slice(more);
                rest = behind;
                if peer.input.len() == self.message_bytes {
                    let message = std::mem::take(&mut peer.input);
                    self.give(number, &message);
                }
            }
            let messages = rest.chunks_exact(self.message_bytes);
            let part = messages.remainder();
            messages.for_each(|message| self.give(number, message));
            self.peers[number].input.extend_from_slice(part);
            // A socket that gave less than was asked for is empty.
            if read < buffer.len() {
                return Ok(());
            }
        }
    }

    /// From who asks to one who answers, and back to who asked.
    fn give(&mut self, from: usize, message: &[u8]) {
        let to = if from < self.requesters {
            self.requesters + from % (self.peers.len() - self.requesters)
        } else {
            let mut number = [0; 8];
            number.copy_from_slice(&message[..8]);
            usize::from_le_bytes(number)
        };
        let output = &mut self.peers[to].output;
        if output.is_empty() {
            self.written_to.push(to);
        }
        output.extend_from_slice(message);
    }
}

impl Peer {
    /// Writes what the socket takes; for the rest it says when it takes more.
    fn write(&mut self) -> io::Result<()> {
        let mut written = 0;
        while written < self.output.len() {
            match self.stream.write(&self.output[written..]) {
                Ok(more) => written += more,
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.output.drain(..written);
        Ok(())
    }
}
