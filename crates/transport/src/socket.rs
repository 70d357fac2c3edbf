//! One connected stream, TCP, Unix or rings in shared memory, and its other end.

use std::fmt;
use std::io::{self, IoSlice, Write};
use std::net::{IpAddr, Shutdown, SocketAddr};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use mio::event::Source;
use mio::{Interest, Registry, Token};
use rustix::io::Errno;
use rustix::net::{SendFlags, sockopt};
use socket2::{Domain, Protocol, Type};

use crate::cover::{Cover, Covered};
use crate::dial::{From, give_up_in_time};
use crate::rings::Served;

/// The other end of a connection.
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

/// Progress of a connection that this side opens.
#[derive(Debug)]
pub(crate) enum Opening {
    /// The other end has not answered.
    Begun,
    /// The connection is there.
    Done,
    /// It will not be there.
    Failed(io::Error),
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
    /// Over TCP, under a cover.
    Covered(Box<Covered>),
}

impl Socket {
    /// Writes as much of the slices as the kernel takes now.
    ///
    /// # Errors
    /// `WouldBlock` when it takes nothing now; anything else ends the connection.
    pub fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        match (self, slices) {
            (Self::Rings(served), slices) => served.write(slices),
            (Self::Covered(covered), slices) => covered.write(slices),
            // A single piece needs no list, which the kernel would copy and check.
            (socket, [piece]) => Ok(rustix::net::send(&*socket, piece, SendFlags::NOSIGNAL)?),
            (Self::Tcp(stream), slices) => stream.write_vectored(slices),
            (Self::Unix(stream), slices) => stream.write_vectored(slices),
        }
    }

    /// The address of this end; none for a program of this machine.
    pub(crate) fn local(&self) -> Option<SocketAddr> {
        match self {
            Self::Tcp(stream) => stream.local_addr().ok(),
            Self::Covered(covered) => covered.stream.local_addr().ok(),
            Self::Unix(_) | Self::Rings(_) => None,
        }
    }

    /// Begins to connect to an address, from another, without waiting for the other end; under a cover if
    /// there is one.
    ///
    /// # Errors
    /// When the system has no socket to give.
    pub(crate) fn open(
        address: SocketAddr,
        from: From,
        cover: Option<Box<dyn Cover>>,
    ) -> io::Result<(Self, Opening)> {
        let socket = socket2::Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_nonblocking(true)?;
        prepare_tcp(&socket, address.ip())?;
        give_up_in_time(&socket)?;
        let connected = from.bind(&socket, address).and_then(|()| socket.connect(&address.into()));
        let opening = match connected {
            Err(error) if error.raw_os_error() != Some(Errno::INPROGRESS.raw_os_error()) => {
                Opening::Failed(error)
            }
            _ => Opening::Begun,
        };
        let stream = mio::net::TcpStream::from_std(socket.into());
        let opened = match cover {
            Some(cover) => Self::Covered(Box::new(Covered::new(stream, cover))),
            None => Self::Tcp(stream),
        };
        Ok((opened, opening))
    }

    /// Looks how far a connection that this side opens is.
    pub(crate) fn opening(&self) -> Opening {
        let stream = match self {
            Self::Tcp(stream) => stream,
            Self::Covered(covered) => covered.stream(),
            Self::Unix(_) | Self::Rings(_) => return Opening::Done,
        };
        match stream.take_error() {
            Ok(Some(error)) | Err(error) => Opening::Failed(error),
            Ok(None) if stream.peer_addr().is_ok() => Opening::Done,
            Ok(None) => Opening::Begun,
        }
    }

    /// Has the system probe the other end after so long a silence.
    pub(crate) fn keep_alive(&self, silence: Duration) -> io::Result<()> {
        let stream = match self {
            Self::Tcp(stream) => stream,
            Self::Covered(covered) => covered.stream(),
            Self::Unix(_) | Self::Rings(_) => return Ok(()),
        };
        sockopt::set_socket_keepalive(stream, true)?;
        Ok(sockopt::set_tcp_keepidle(stream, silence)?)
    }

    /// Says that nothing more will be sent.
    pub(crate) fn shut_down(&mut self) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Write),
            Self::Unix(stream) => stream.shutdown(Shutdown::Write),
            Self::Rings(served) => served.shut_down(),
            Self::Covered(covered) => covered.shut_down(),
        }
    }

    /// The rings, if it has any.
    pub(crate) fn rings(&mut self) -> Option<&mut Served> {
        match self {
            Self::Rings(served) => Some(served),
            Self::Tcp(_) | Self::Unix(_) | Self::Covered(_) => None,
        }
    }

    /// Makes the cover of a connection that this side opened speak first; none where there is no cover.
    pub(crate) fn begin_cover(&mut self) -> Option<io::Result<()>> {
        self.covered().map(Covered::begin)
    }

    /// The stream under a cover, if it has one.
    pub(crate) fn covered(&mut self) -> Option<&mut Covered> {
        match self {
            Self::Covered(covered) => Some(covered),
            Self::Tcp(_) | Self::Unix(_) | Self::Rings(_) => None,
        }
    }
}

/// The congestion algorithm within a machine, where nothing is congested. An algorithm that paces (BBR, where
/// an administrator chose it for the network) keeps its books for every segment and holds messages back with
/// timers. Every kernel has this one.
#[cfg(target_os = "linux")]
const CONGESTION_WITHIN: &str = "reno";

/// Sets a TCP socket up for messages that is about to connect: what is written leaves at once.
///
/// # Errors
/// The system's error.
pub fn prepare_tcp(socket: impl AsFd, peer: IpAddr) -> io::Result<()> {
    sockopt::set_tcp_nodelay(&socket, true)?;
    // Before it connects: once an algorithm that paces had a connection, the kernel goes on pacing whatever
    // is chosen then.
    #[cfg(target_os = "linux")]
    if peer.to_canonical().is_loopback() {
        // Where it may not be chosen, the other works too.
        let _ = sockopt::set_tcp_congestion(&socket, CONGESTION_WITHIN);
    }
    Ok(())
}

/// The system's congestion algorithm, for connections to a listener from elsewhere; those of this machine
/// have [`CONGESTION_WITHIN`], since the listener has.
#[derive(Debug)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "nothing is chosen there"))]
pub(crate) struct Elsewhere(Option<String>);

impl Elsewhere {
    /// Sets a listener up for messages, before the first program connects.
    pub(crate) fn prepare(listener: impl AsFd, address: IpAddr) -> Self {
        #[cfg(target_os = "linux")]
        if address.to_canonical().is_loopback() || address.is_unspecified() {
            let usual = sockopt::tcp_congestion(&listener).ok();
            let is_set = sockopt::set_tcp_congestion(&listener, CONGESTION_WITHIN).is_ok();
            return Self(usual.filter(|_| is_set));
        }
        let _ = (listener, address);
        Self(None)
    }

    /// Sets a connection up for messages that the listener was given.
    ///
    /// # Errors
    /// When the connection is gone already.
    pub(crate) fn prepare_accepted(&self, stream: impl AsFd, peer: IpAddr) -> io::Result<()> {
        sockopt::set_tcp_nodelay(&stream, true)?;
        #[cfg(target_os = "linux")]
        if let Some(usual) = self.0.as_ref().filter(|_| !peer.to_canonical().is_loopback()) {
            // It was the system's choice when the listener was made.
            let _ = sockopt::set_tcp_congestion(&stream, usual);
        }
        let _ = peer;
        Ok(())
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
            Self::Rings(served) => served.stream().as_fd(),
            Self::Covered(covered) => covered.stream().as_fd(),
        }
    }
}

impl Source for Socket {
    fn register(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.register(registry, token, interests),
            Self::Unix(stream) => stream.register(registry, token, interests),
            Self::Rings(served) => served.stream_mut().register(registry, token, interests),
            Self::Covered(covered) => covered.stream_mut().register(registry, token, interests),
        }
    }

    fn reregister(&mut self, registry: &Registry, token: Token, interests: Interest) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.reregister(registry, token, interests),
            Self::Unix(stream) => stream.reregister(registry, token, interests),
            Self::Rings(served) => served.stream_mut().reregister(registry, token, interests),
            Self::Covered(covered) => covered.stream_mut().reregister(registry, token, interests),
        }
    }

    fn deregister(&mut self, registry: &Registry) -> io::Result<()> {
        match self {
            Self::Tcp(stream) => stream.deregister(registry),
            Self::Unix(stream) => stream.deregister(registry),
            Self::Rings(served) => served.stream_mut().deregister(registry),
            Self::Covered(covered) => covered.stream_mut().deregister(registry),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{CONGESTION_WITHIN, Elsewhere, prepare_tcp};
    use rustix::net::{AddressFamily, SocketType, connect, socket, sockopt};
    use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};

    /// An address that is never of this machine: one for documentation.
    const AFAR: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));

    #[test]
    fn both_ends_within_the_machine_start_with_what_does_not_pace() {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        let usual = sockopt::tcp_congestion(&listener).unwrap();
        let elsewhere = Elsewhere::prepare(&listener, Ipv4Addr::UNSPECIFIED.into());
        let port = listener.local_addr().unwrap().port();

        let ours = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        prepare_tcp(&ours, Ipv4Addr::LOCALHOST.into()).unwrap();
        assert_eq!(sockopt::tcp_congestion(&ours).unwrap(), CONGESTION_WITHIN, "before it connects");
        connect(&ours, &std::net::SocketAddr::from((Ipv4Addr::LOCALHOST, port))).unwrap();
        assert_eq!(sockopt::tcp_congestion(&ours).unwrap(), CONGESTION_WITHIN);

        let (theirs, peer) = listener.accept().unwrap();
        assert_eq!(sockopt::tcp_congestion(&theirs).unwrap(), CONGESTION_WITHIN, "from its first moment");
        elsewhere.prepare_accepted(&theirs, peer.ip()).unwrap();
        assert_eq!(sockopt::tcp_congestion(&theirs).unwrap(), CONGESTION_WITHIN);
        elsewhere.prepare_accepted(&theirs, AFAR).unwrap();
        assert_eq!(sockopt::tcp_congestion(&theirs).unwrap(), usual, "of those who come from elsewhere");
    }

    #[test]
    fn who_comes_from_elsewhere_has_what_the_system_has() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let usual = sockopt::tcp_congestion(&listener).unwrap();
        let elsewhere = Elsewhere::prepare(&listener, AFAR);
        let _ours = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (theirs, _) = listener.accept().unwrap();
        elsewhere.prepare_accepted(&theirs, AFAR).unwrap();
        assert_eq!(sockopt::tcp_congestion(&theirs).unwrap(), usual);
    }
}
