//! A blocking stream socket, or rings beside one, that can also be asked without waiting.

use crate::covered::{Covered, Partner, TlsError};
use crate::patience::Patience;
use crate::{Address, ConnectError, Options};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{RecvFlags, SendAncillaryBuffer, SendFlags};
use rustix::time::Timespec;
use std::io::{self, IoSlice};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;
use transport::inheritance::NotInherited;
use transport::rings::Program;

/// After so long without room a writer looks whether the other side waits for it to read.
const WRITE_PATIENCE: Duration = Duration::from_millis(20);

/// A connected socket. Reading and writing may happen from different threads. A child of the process has one
/// that leads nowhere.
#[derive(Debug)]
pub(crate) enum Socket {
    Tcp(NotInherited<TcpStream>),
    Unix(NotInherited<UnixStream>),
    Rings(Program),
    Covered(Box<Covered>),
}

impl Socket {
    /// Connects to an address, by TLS where the options say so and a network lies between.
    pub(crate) fn connect(
        address: &Address,
        options: &Options,
        patience: Patience<'_>,
    ) -> Result<Self, ConnectError> {
        let unreachable = |error| ConnectError::Unreachable { address: address.clone(), error };
        let socket = Self::reach(address, options.keep_alive, patience).map_err(unreachable)?;
        let (Some(how), Address::Tcp { host, .. }) = (&options.tls, address) else { return Ok(socket) };
        let Self::Tcp(stream) = socket else { return Ok(socket) };
        let partner = Partner { host, channel: &options.channel, user: &options.user };
        match Covered::shake(stream, how, partner, patience) {
            Ok(covered) => Ok(Self::Covered(Box::new(covered))),
            Err(TlsError::Io(error)) => Err(unreachable(error)),
            Err(error) => Err(ConnectError::Tls { address: address.clone(), error }),
        }
    }

    fn reach(address: &Address, keep_alive: bool, patience: Patience<'_>) -> io::Result<Self> {
        let socket = match address {
            Address::Unix(path) => Self::Unix(NotInherited::new(UnixStream::connect(path)?)),
            Address::Rings(path) => Self::Rings(Program::accept(UnixStream::connect(path)?, patience.limit)?),
            Address::Tcp { host, port } => {
                let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
                let mut connected = None;
                for address in (host.as_str(), *port).to_socket_addrs()? {
                    match patience.connect(&address) {
                        Ok(stream) => {
                            connected = Some(stream);
                            break;
                        }
                        Err(error) => last = error,
                    }
                }
                Self::Tcp(connected.ok_or(last)?)
            }
        };
        match &socket {
            Self::Tcp(stream) => {
                rustix::net::sockopt::set_socket_keepalive(stream, keep_alive)?;
                stream.set_write_timeout(Some(WRITE_PATIENCE))?;
            }
            Self::Unix(stream) => stream.set_write_timeout(Some(WRITE_PATIENCE))?,
            Self::Rings(_) | Self::Covered(_) => {}
        }
        Ok(socket)
    }

    /// Returns true if no third party reads its bytes: they never leave this machine, or are encrypted.
    pub(crate) fn is_protected(&self) -> io::Result<bool> {
        match self {
            Self::Tcp(stream) => stream.peer_addr().map(|peer| peer.ip().to_canonical().is_loopback()),
            Self::Unix(_) | Self::Rings(_) | Self::Covered(_) => Ok(true),
        }
    }

    /// Sets the longest wait of a read; `None` for no limit.
    pub(crate) fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        // A timeout of zero is not a timeout.
        let timeout = timeout.map(|timeout| timeout.max(Duration::from_micros(1)));
        match self {
            Self::Tcp(stream) => stream.set_read_timeout(timeout),
            Self::Unix(stream) => stream.set_read_timeout(timeout),
            Self::Rings(program) => program.stream().set_read_timeout(timeout),
            Self::Covered(covered) => covered.stream().set_read_timeout(timeout),
        }
    }

    pub(crate) fn receive(&self, buffer: &mut [u8], may_wait: bool) -> io::Result<usize> {
        match self {
            Self::Rings(program) => return program.receive(buffer, may_wait),
            Self::Covered(covered) => return covered.receive(buffer, may_wait),
            Self::Tcp(_) | Self::Unix(_) => {}
        }
        let flags = if may_wait { RecvFlags::empty() } else { RecvFlags::DONTWAIT };
        let (_, received) = rustix::net::recv(self.as_fd(), buffer, flags)?;
        Ok(received)
    }

    /// Writes some of the pieces. A closed socket is an error and not a signal, which would end a program
    /// that has not asked to be spared.
    pub(crate) fn send(&self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match self {
            Self::Rings(program) => return program.send(pieces, WRITE_PATIENCE),
            Self::Covered(covered) => return covered.send(pieces),
            Self::Tcp(_) | Self::Unix(_) => {}
        }
        let sent = match pieces {
            [piece] => rustix::net::send(self.as_fd(), piece, SendFlags::NOSIGNAL),
            pieces => {
                let mut nothing = SendAncillaryBuffer::default();
                rustix::net::sendmsg(self.as_fd(), pieces, &mut nothing, SendFlags::NOSIGNAL)
            }
        };
        Ok(sent?)
    }

    /// Returns true if the other side sends no more. Bytes that it sent before may still be there to read.
    pub(crate) fn is_closed_there(&self) -> bool {
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        // An error of the socket is reported too; one of the call says nothing.
        poll(&mut [PollFd::new(self, PollFlags::RDHUP)], Some(&at_once)).is_ok_and(|ready| ready > 0)
    }

    /// Ends both directions, so that the reader is woken.
    pub(crate) fn shut_down(&self) {
        // It may have ended by itself.
        let _ = match self {
            Self::Tcp(stream) => stream.shutdown(Shutdown::Both),
            Self::Unix(stream) => stream.shutdown(Shutdown::Both),
            Self::Rings(program) => program.stream().shutdown(Shutdown::Both),
            Self::Covered(covered) => covered.stream().shutdown(Shutdown::Both),
        };
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Tcp(stream) => stream.as_fd(),
            Self::Unix(stream) => stream.as_fd(),
            Self::Rings(program) => program.as_fd(),
            Self::Covered(covered) => covered.stream().as_fd(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    #[test]
    fn the_system_asks_a_silent_host_if_the_options_want_that() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let address = Address::Tcp { host: "127.0.0.1".into(), port };
        for keep_alive in [true, false] {
            let patience = Patience { limit: Duration::from_secs(10), is_off: &|| false };
            let socket = Socket::reach(&address, keep_alive, patience).unwrap();
            assert_eq!(rustix::net::sockopt::socket_keepalive(&socket).unwrap(), keep_alive);
        }
    }
}
