//! Connections that another thread has a reactor open.
//!
//! Lives here: the address to call, the address to call from, the cover, and the time for it. Lives
//! elsewhere: opening (`reactor`), the names that addresses have (the host).
//!
//! Always: the reactor's thread never waits for the other end, nor for a free port.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use rustix::io::Errno;

use crate::cover::Cover;

/// Longest time for sent bytes to be answered by the other end's machine: a dead link is noticed so soon,
/// with any heartbeats.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

/// Names a connection that is to be opened, for the handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DialId(pub u64);

/// The address that a connection is opened from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct From {
    /// An address of this machine; none for the one that the system picks.
    pub address: Option<IpAddr>,
    /// The first and the last port that may be taken; none for any.
    pub ports: Option<(u16, u16)>,
}

/// A connection to be opened.
pub struct Dialling {
    /// Its name.
    pub id: DialId,
    /// The address to call.
    pub to: SocketAddr,
    /// The address to call from.
    pub from: From,
    /// The encryption of the connection; none for one in the clear.
    pub cover: Option<Box<dyn Cover>>,
    /// The longest time for the other end to be there.
    pub within: Duration,
}

impl fmt::Debug for Dialling {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { id, to, from, cover, within } = self;
        formatter
            .debug_struct("Dialling")
            .field("id", id)
            .field("to", to)
            .field("from", from)
            .field("is_covered", &cover.is_some())
            .field("within", within)
            .finish()
    }
}

impl From {
    /// Binds a socket that is about to connect.
    ///
    /// # Errors
    /// When the address is none of this machine, is of the other family, or all ports are taken.
    pub(crate) fn bind(self, socket: &socket2::Socket, to: SocketAddr) -> io::Result<()> {
        let Self { address, ports } = self;
        if address.is_none() && ports.is_none() {
            return Ok(());
        }
        let any = match to {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        };
        let address = address.unwrap_or(any);
        let (first, last) = ports.unwrap_or((0, 0));
        let mut refused = None;
        for port in first..=last {
            match socket.bind(&SocketAddr::new(address, port).into()) {
                Ok(()) => return Ok(()),
                Err(error) if error.raw_os_error() == Some(Errno::ADDRINUSE.raw_os_error()) => {
                    refused = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(refused.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
    }
}

/// Makes the system give up a connection whose bytes stay unanswered.
///
/// # Errors
/// The system's error.
pub(crate) fn give_up_in_time(socket: &socket2::Socket) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let millis = u32::try_from(ANSWERED_WITHIN.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(socket, millis)?;
    }
    let _ = socket;
    Ok(())
}
