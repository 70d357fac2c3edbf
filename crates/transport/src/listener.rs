//! Sockets that wait for programs to connect.
//!
//! A listener is bound before the reactor that serves it starts, so that a port in use is an answer to the
//! command that starts the server and not an event in a log.

use std::fmt;
use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use mio::Interest;
use socket2::{Domain, Protocol, SockAddr, Type};

use crate::cover::{Covered, SharedCovers};
use crate::rings::{Held, Served};
use crate::socket::{Elsewhere, Peer, Socket};

/// Connections the kernel keeps while the reactor is busy elsewhere.
const BACKLOG: i32 = 1024;

/// Most bytes of a Unix socket's path: the system's limit, less the byte that ends it.
const UNIX_PATH_BYTES_MAX: usize = 107;

/// Names a listener to the handlers of its connections. The host chooses it, so that reactors that share
/// connections agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListenerId(pub u32);

/// Where a listener waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// On this address and port.
    Tcp(SocketAddr),
    /// At this path.
    Unix(PathBuf),
    /// At this path, for rings in shared memory.
    Rings(PathBuf),
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(formatter, "{address}"),
            Self::Unix(path) | Self::Rings(path) => write!(formatter, "{}", path.display()),
        }
    }
}

/// Reason for which a listener cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program, or another listener of this one, has the port.
    #[error(
        "port {} of {} is in use by another program or listener: end that one, or choose another port",
        .0.port(), .0.ip()
    )]
    PortInUse(SocketAddr),
    /// A program answers at the path.
    #[error("another program listens at {0}: end it first, or use another data directory")]
    PathInUse(PathBuf),
    /// Something else than a socket is at the path.
    #[error("{0} is in the way of the local socket and is not a socket: move it elsewhere")]
    PathTaken(PathBuf),
    /// The path has more bytes than the system allows for a socket.
    #[error(
        "{0} is too long for a local socket (at most {UNIX_PATH_BYTES_MAX} bytes): use a data directory with a \
         shorter path"
    )]
    PathTooLong(PathBuf),
    /// The system refused otherwise.
    #[error("cannot listen on {bound}: {source}: listen elsewhere, or start as a user who may listen there")]
    Io {
        /// Where.
        bound: ListenAddress,
        /// The system's error.
        source: io::Error,
    },
}

enum Kind {
    Tcp(mio::net::TcpListener, Elsewhere, Option<SharedCovers>),
    Unix(mio::net::UnixListener),
    Rings(mio::net::UnixListener, Held),
}

/// A bound socket that waits for programs to connect. A Unix socket's path goes with it, unless another
/// file is there by then: the folder may be one that another server was given meanwhile.
pub struct Listener {
    kind: Kind,
    bound: ListenAddress,
    /// Device and number of the file that a Unix socket made.
    own: Option<(u64, u64)>,
}

impl fmt::Debug for Listener {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Listener({})", self.bound)
    }
}

impl Listener {
    /// Listens on a TCP address; port 0 lets the system choose.
    ///
    /// # Errors
    /// When the port is taken or the system refuses.
    pub fn tcp(address: SocketAddr) -> Result<Self, BindError> {
        Self::tcp_with(address, BACKLOG)
    }

    /// Listens on a TCP address; so many connections may wait to be accepted.
    ///
    /// # Errors
    /// As of [`tcp`](Self::tcp).
    pub fn tcp_with(address: SocketAddr, backlog: i32) -> Result<Self, BindError> {
        let attempt = || -> io::Result<_> {
            let socket =
                socket2::Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
            socket.set_nonblocking(true)?;
            socket.set_reuse_address(true)?;
            if address.ip() == Ipv6Addr::UNSPECIFIED {
                // Programs come by IPv4 as well, whatever the system usually does.
                socket.set_only_v6(false)?;
            }
            socket.bind(&address.into())?;
            let elsewhere = Elsewhere::prepare(&socket, address.ip());
            socket.listen(backlog)?;
            let listener: std::net::TcpListener = socket.into();
            let bound = listener.local_addr()?;
            let kind = Kind::Tcp(mio::net::TcpListener::from_std(listener), elsewhere, None);
            Ok((kind, ListenAddress::Tcp(bound)))
        };
        match attempt() {
            Ok((kind, bound)) => Ok(Self { kind, bound, own: None }),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(BindError::PortInUse(address)),
            Err(source) => Err(BindError::Io { bound: ListenAddress::Tcp(address), source }),
        }
    }

    /// With a cover for each connection. Connections within the machine have none.
    #[must_use]
    pub fn covered(mut self, covers: SharedCovers) -> Self {
        if let Kind::Tcp(.., own) = &mut self.kind {
            *own = Some(covers);
        }
        self
    }

    /// Listens at a path for programs of the same user. What a killed server left there is replaced.
    ///
    /// # Errors
    /// When a program answers there already, something else is in the way, or the system refuses.
    pub fn unix(path: &Path) -> Result<Self, BindError> {
        let bound = ListenAddress::Unix(path.to_owned());
        Ok(Self { kind: Kind::Unix(bind(path, &bound)?), bound, own: identity(path) })
    }

    /// Listens at a path for programs of the same user that take the memory offered to them; others come by
    /// another way. The socket that a killed server left there is replaced.
    ///
    /// # Errors
    /// As of [`unix`](Self::unix).
    pub fn rings(path: &Path) -> Result<Self, BindError> {
        let bound = ListenAddress::Rings(path.to_owned());
        let kind = Kind::Rings(bind(path, &bound)?, Held::default());
        Ok(Self { kind, bound, own: identity(path) })
    }

    /// Where it waits; for port 0 the port the system chose.
    #[must_use]
    pub fn bound(&self) -> &ListenAddress {
        &self.bound
    }

    pub(crate) fn register(&mut self, registry: &mio::Registry, token: mio::Token) -> io::Result<()> {
        match &mut self.kind {
            Kind::Tcp(listener, ..) => registry.register(listener, token, Interest::READABLE),
            Kind::Unix(listener) | Kind::Rings(listener, _) => {
                registry.register(listener, token, Interest::READABLE)
            }
        }
    }

    pub(crate) fn deregister(&mut self, registry: &mio::Registry) {
        // A listener that is dropped is taken out by the kernel; this only saves a stale event.
        let _ = match &mut self.kind {
            Kind::Tcp(listener, ..) => registry.deregister(listener),
            Kind::Unix(listener) | Kind::Rings(listener, _) => registry.deregister(listener),
        };
    }

    /// The next program that connected.
    pub(crate) fn accept(&self) -> io::Result<(Socket, Peer)> {
        match &self.kind {
            Kind::Tcp(listener, elsewhere, covers) => {
                let (stream, address) = listener.accept()?;
                // A program that comes by IPv4 to a socket of IPv6 has the address that it has anywhere.
                let address = SocketAddr::new(address.ip().to_canonical(), address.port());
                elsewhere.prepare_accepted(&stream, address.ip())?;
                let socket = match covers {
                    Some(covers) => Socket::Covered(Box::new(Covered::new(stream, covers.cover()))),
                    None => Socket::Tcp(stream),
                };
                Ok((socket, Peer::Tcp(address)))
            }
            Kind::Unix(listener) => {
                let (stream, _) = listener.accept()?;
                let peer = local_peer(&stream);
                Ok((Socket::Unix(stream), peer))
            }
            Kind::Rings(listener, held) => loop {
                let (stream, _) = listener.accept()?;
                let peer = local_peer(&stream);
                // One who cannot be given rings finds the connection ended, and comes by the socket.
                if let Ok(served) = Served::offer(stream, held) {
                    return Ok((Socket::Rings(Box::new(served)), peer));
                }
            },
        }
    }
}

/// The program at the other end of a Unix socket, as far as the kernel tells.
fn local_peer(stream: &mio::net::UnixStream) -> Peer {
    let credentials = rustix::net::sockopt::socket_peercred(stream).ok();
    let process = credentials.and_then(|of| u32::try_from(of.pid.as_raw_nonzero().get()).ok());
    Peer::Unix { process, user: credentials.map(|of| of.uid.as_raw()) }
}

impl Drop for Listener {
    fn drop(&mut self) {
        if let ListenAddress::Unix(path) | ListenAddress::Rings(path) = &self.bound
            && self.own.is_some()
            && identity(path) == self.own
        {
            // Left behind it would be replaced at the next start; removed, `ls` tells the truth.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Device and number of the file at a path.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::symlink_metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// A socket at a path, for programs of the same user.
fn bind(path: &Path, bound: &ListenAddress) -> Result<mio::net::UnixListener, BindError> {
    if path.as_os_str().as_bytes().len() > UNIX_PATH_BYTES_MAX {
        return Err(BindError::PathTooLong(path.to_owned()));
    }
    remove_left_over(path)?;
    let attempt = || -> io::Result<_> {
        let socket = socket2::Socket::new(Domain::UNIX, Type::STREAM, None)?;
        socket.set_nonblocking(true)?;
        socket.bind(&SockAddr::unix(path)?)?;
        platform::os::private::inherit(path)?;
        socket.listen(BACKLOG)?;
        let listener = std::os::unix::net::UnixListener::from(OwnedFd::from(socket));
        Ok(mio::net::UnixListener::from_std(listener))
    };
    attempt().map_err(|source| BindError::Io { bound: bound.clone(), source })
}

/// Removes the socket of a server that was killed; refuses when a server answers or it is no socket.
fn remove_left_over(path: &Path) -> Result<(), BindError> {
    let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if !found.file_type().is_socket() {
        return Err(BindError::PathTaken(path.to_owned()));
    }
    if std::os::unix::net::UnixStream::connect(path).is_ok() {
        return Err(BindError::PathInUse(path.to_owned()));
    }
    std::fs::remove_file(path)
        .map_err(|source| BindError::Io { bound: ListenAddress::Unix(path.to_owned()), source })
}
