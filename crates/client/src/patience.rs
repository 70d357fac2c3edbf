//! The wait of a thread that connects, and its end when the connection is not wanted any more.
//!
//! Always: a thread that waits here checks every [`LOOK`] if it is still wanted, so a host that never answers
//! does not hold up a caller that gave up. Only the look-up of a host's name by the system cannot be ended
//! so.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with, sockopt};
use rustix::time::Timespec;
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};
use transport::inheritance::NotInherited;
use transport::socket::prepare_tcp;

/// Interval at which a thread that connects, or waits for another that does, checks if the connection is
/// still wanted.
pub(crate) const LOOK: Duration = Duration::from_millis(10);

/// Says that it is not wanted any more to connect.
pub(crate) type IsOff<'a> = &'a dyn Fn() -> bool;

/// Limits of one attempt to connect.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    /// Longest time for each address.
    pub(crate) limit: Duration,
    pub(crate) is_off: IsOff<'a>,
}

impl Patience<'_> {
    /// The moment when a wait that begins now is over.
    pub(crate) fn deadline(self) -> Instant {
        Instant::now() + self.limit
    }

    /// Time to wait before looking again.
    ///
    /// # Errors
    /// `TimedOut` when the wait is over, or not wanted any more.
    pub(crate) fn step(self, deadline: Instant) -> io::Result<Duration> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() || (self.is_off)() {
            Err(io::ErrorKind::TimedOut.into())
        } else {
            Ok(left.min(LOOK))
        }
    }

    /// Connects to an address.
    ///
    /// # Errors
    /// As of [`step`](Self::step), and what the system says.
    pub(crate) fn connect(self, address: &SocketAddr) -> io::Result<NotInherited<TcpStream>> {
        let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = NotInherited::new(socket_with(family, SocketType::STREAM, flags, None)?);
        prepare_tcp(&socket, address.ip())?;
        match connect(&socket, address) {
            Ok(()) => {}
            Err(Errno::INPROGRESS) => self.wait_for(&socket)?,
            Err(error) => return Err(error.into()),
        }
        let stream = socket.map(TcpStream::from);
        stream.set_nonblocking(false)?;
        Ok(stream)
    }

    /// Waits until a socket that connects has done so.
    fn wait_for(self, socket: &NotInherited<OwnedFd>) -> io::Result<()> {
        let deadline = self.deadline();
        loop {
            let step = self.step(deadline)?;
            let step = Timespec { tv_sec: 0, tv_nsec: step.subsec_nanos().into() };
            match poll(&mut [PollFd::new(socket, PollFlags::OUT)], Some(&step)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return Ok(sockopt::socket_error(socket)??),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Patience;
    use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};
    use std::cell::Cell;
    use std::io::ErrorKind;
    use std::net::{Ipv4Addr, SocketAddr, TcpListener};
    use std::time::{Duration, Instant};

    const LONG: Duration = Duration::from_secs(30);

    /// Connects to an address, is called off at that look, and returns the outcome.
    fn outcome(address: &SocketAddr, limit: Duration, looks: u32) -> Result<(), ErrorKind> {
        let looked = Cell::new(0);
        let is_off = || looked.replace(looked.get() + 1) >= looks;
        Patience { limit, is_off: &is_off }.connect(address).map(drop).map_err(|error| error.kind())
    }

    #[test]
    fn one_who_listens_is_reached_and_one_who_does_not_is_told_of() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(outcome(&address, LONG, 100), Ok(()));
        drop(listener);
        assert_eq!(outcome(&address, LONG, 100), Err(ErrorKind::ConnectionRefused));
    }

    #[test]
    fn a_host_that_never_answers_holds_nobody_up() {
        // Who listens and takes nobody answers no more when its queue is full.
        let deaf = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        bind(&deaf, &SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).unwrap();
        listen(&deaf, 0).unwrap();
        let address = SocketAddr::try_from(getsockname(&deaf).unwrap()).unwrap();
        let _first = std::net::TcpStream::connect(address).unwrap();
        let begun = Instant::now();
        assert_eq!(outcome(&address, LONG, 5), Err(ErrorKind::TimedOut), "called off");
        assert_eq!(outcome(&address, Duration::from_millis(50), u32::MAX), Err(ErrorKind::TimedOut), "over");
        assert!(begun.elapsed() < LONG / 2, "{:?}", begun.elapsed());
    }
}
