//! Receiving: from a socket into a buffer, without writing zeros first.
//!
//! Most frames are small and arrive whole, so all connections of a reactor share one buffer; only the rest of
//! an unfinished frame is kept with its connection. A decoder that knows the length of its frame reserves
//! that much, and the rest is received in place, not copied.

use std::io;

use crate::received::receive_from;
use crate::socket::Socket;
use bytes::BytesMut;

pub(crate) use crate::received::Received;

/// Room in the shared buffer: what one system call may bring for a connection without a frame under way.
pub(crate) const SHARED_BYTES: usize = 64 << 10;

/// The beginning of a frame up to this long goes in front of what comes next in the shared buffer.
pub(crate) const MOVED_BYTES_MAX: usize = SHARED_BYTES / 4;

/// From this much reserved room on, a connection's own buffer is received into directly.
const DIRECT_BYTES_MIN: usize = 16 << 10;

/// Most bytes one system call brings for a frame that is under way: a large body in few calls, yet others get
/// their turn.
const DIRECT_BYTES_MAX: usize = 1 << 20;

/// Receives once into the room `buffer` has.
pub(crate) fn receive(socket: &mut Socket, buffer: &mut BytesMut) -> io::Result<Received> {
    let room = (buffer.capacity() - buffer.len()).min(DIRECT_BYTES_MAX);
    debug_assert!(room > 0, "receiving needs room");
    match socket {
        Socket::Rings(rings) => rings.receive(buffer, room),
        Socket::Covered(covered) => covered.receive(buffer, room),
        socket => receive_from(&*socket, buffer, room),
    }
}

/// Returns true if a connection's own buffer has room worth receiving into directly.
pub(crate) fn has_room(own: &BytesMut) -> bool {
    own.capacity() - own.len() >= DIRECT_BYTES_MIN
}
