//! One call for the bytes that a socket of the system's has.

use std::io;
use std::os::fd::AsFd;

use bytes::BytesMut;
use rustix::net::RecvFlags;

/// The outcome of one receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// This many bytes, and there may be more.
    Some(usize),
    /// This many bytes, and the socket was empty afterwards.
    Last(usize),
    /// The other end will send no more.
    End,
    /// Nothing now.
    Nothing,
    /// This many bytes that are for the cover alone; there may be more.
    Inner(usize),
}

/// Receives once from a socket of the system's.
pub(crate) fn receive_from(socket: impl AsFd, buffer: &mut BytesMut, room: usize) -> io::Result<Received> {
    // For a socket shorter than `read`, which goes by way of files first.
    let outcome = rustix::net::recv(socket, &mut buffer.spare_capacity_mut()[..room], RecvFlags::empty());
    let received = match outcome {
        Ok(((received, _), _)) => received.len(),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => return Ok(Received::Nothing),
        Err(error) => return Err(error.into()),
    };
    #[expect(unsafe_code, reason = "the kernel wrote these bytes; there is no safe way to say so")]
    // SAFETY: `recv` reports `received` bytes at the start of the spare capacity as written.
    unsafe {
        buffer.set_len(buffer.len() + received);
    }
    Ok(match received {
        0 => Received::End,
        all if all == room => Received::Some(all),
        part => Received::Last(part),
    })
}
