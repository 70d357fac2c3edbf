//! One connected stream, TCP or Unix, and who is at its other end.

use std::fmt;
use std::io::{self, IoSlice, Write};
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd};

use mio::event::Source;
use mio::{Interest, Registry, Token};
use rustix::net::{SendFlags, sockopt};

/// Who is at the other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// A program that came over TCP.
    Tcp(SocketAddr),
    /// A program of this machine that came over the Unix socket.
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
}

impl Socket {
    /// Writes as much of the slices as the kernel takes now.
    ///
    /// # Errors
    /// `WouldBlock` when it takes nothing now; anything else ends the connection.
    pub fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        // A single piece needs no list, which the kernel would copy and check.
        if let [piece] = slices {
            return Ok(rustix::net::send(&*self, piece, SendFlags::NOSIGNAL)?);
        }
        match self {
            Self::Tcp(stream) => stream.write_vectored(slices),
            Self::Unix(stream) => stream.write_vectored(slices),
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
        }
    }
}

impl Source for Socket {
    fn register(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.register(registry, token, interests),
            Self::Unix(stream) => stream.register(registry, token, interests),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.reregister(registry, token, interests),
            Self::Unix(stream) => stream.reregister(registry, token, interests),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.deregister(registry),
            Self::Unix(stream) => stream.deregister(registry),
        }
    }
}
