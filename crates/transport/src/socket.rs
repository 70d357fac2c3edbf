//! One connected stream, TCP, Unix or rings in shared memory, and who is at its other end.

use std::fmt;
use std::io::{self, IoSlice, Write};
use std::net::{IpAddr, Shutdown, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd};

use mio::event::Source;
use mio::{Interest, Registry, Token};
use rustix::net::{SendFlags, sockopt};

use crate::rings::Served;

/// Who is at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A program that came over TCP.
    Tcp(SocketAddr),
    /// A program of this machine that came over a Unix socket.
    Unix {
        /// Its process, where the kernel tells.
        process: Option<u32>,
        /// Its user, where the kernel tells.
        user: Option<u32>,
    },
}

impl fmt::Display for Peer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(formatter, "tcp {address}"),
            Self::Unix { process: Some(process), .. } => write!(formatter, "unix process {process}"),
            Self::Unix { process: None, .. } => write!(formatter, "unix"),
        }
    }
}

/// A connected stream that does not block.
#[derive(Debug)]
pub enum Socket {
    /// Over TCP, with Nagle's delay off.
    Tcp(mio::net::TcpStream),
    /// Over a Unix socket.
    Unix(mio::net::UnixStream),
    /// Over rings in shared memory, beside a Unix socket.
    Rings(Box<Served>),
}

impl Socket {
    /// Writes as much of the slices as the kernel takes now.
    ///
    /// # Errors
    /// `WouldBlock` when it takes nothing now; anything else ends the connection.
    pub fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match (self, slices) {
            (Self::Rings(served), slices) => served.write(slices),
            // A single piece needs no list, which the kernel would copy and check.
            (socket, [piece]) => Ok(rustix::net::send(&*socket, piece, SendFlags::NOSIGNAL)?),
            (Self::Tcp(stream), slices) => stream.write_vectored(slices),
            (Self::Unix(stream), slices) => stream.write_vectored(slices),
        }
    }

    /// Says that nothing more will be sent.
    pub(crate) fn shut_down(&self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
            Self::Rings(served) => served.shut_down(),
        }
    }

    /// The rings, if it has any.
    pub(crate) fn rings(&mut self) -> Option<&mut Served> {
        match self {
            Self::Rings(served) => Some(served),
            Self::Tcp(_) | Self::Unix(_) => None,
        }
    }
}

/// Sets a TCP connection up for messages: what is written leaves at once.
///
/// # Errors
/// When the connection is gone already.
pub fn prepare_tcp(stream: impl AsFd, peer: IpAddr) -> io::Result<()> {
    sockopt::set_tcp_nodelay(&stream, true)?;
    // Within a machine nothing is congested, yet an algorithm that paces (BBR, where an administrator chose it for
    // the network) keeps its books for every segment and holds messages back with timers.
    #[cfg(target_os = "linux")]
    if peer.to_canonical().is_loopback() {
        // Every kernel has this one; where it may not be chosen, the other works too.
        let _ = sockopt::set_tcp_congestion(&stream, "reno");
    }
    Ok(())
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
            Self::Rings(served) => served.stream().as_fd(),
        }
    }
}

impl Source for Socket {
    fn register(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.register(registry, token, interests),
            Self::Unix(stream) => stream.register(registry, token, interests),
            Self::Rings(served) => served.stream_mut().register(registry, token, interests),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.reregister(registry, token, interests),
            Self::Unix(stream) => stream.reregister(registry, token, interests),
            Self::Rings(served) => served.stream_mut().reregister(registry, token, interests),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.deregister(registry),
            Self::Unix(stream) => stream.deregister(registry),
            Self::Rings(served) => served.stream_mut().deregister(registry),
        }
    }
}
