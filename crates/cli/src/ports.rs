//! Addresses that other programs have.
//!
//! Always: an address is looked at for a moment and kept by nobody; a start may still find it taken.

use std::io;
use std::net::{SocketAddr, TcpListener};

/// Returns true if another process listens on an address; port 0 is never taken.
pub(crate) fn is_taken(address: &SocketAddr) -> bool {
    address.port() != 0
        && matches!(TcpListener::bind(address), Err(error) if error.kind() == io::ErrorKind::AddrInUse)
}
