//! Messages that come by AMQP, and messages that go by it.
//!
//! Lives here: the kept form, which a queue has of a message that came by AMQP (`kept`); the descriptor
//! that it gets (`incoming`); calls on branches
//! (`branch_calls`); what a program of the interface is given of it (`folders`, `body`); and the
//! sections of any message for a receiver of AMQP (`outgoing`). Lives elsewhere: bytes of AMQP (the crate
//! `amqp`), the choice of a form (`queue-manager`).
//!
//! Always: a message that came by AMQP goes by AMQP as it came, byte by byte, but for its header, the
//! annotations that are for one hop, and, where it came over a message channel, queues of the queue manager
//! that it left.

pub mod address;
mod annotations;
mod body;
pub mod branch_calls;
mod elements;
mod folders;
pub mod identifier;
mod incoming;
pub mod kept;
mod outgoing;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use mqi::Reason;

use super::parts::Parts;
use super::property::Property;
pub use incoming::Incoming;
use kept::Kept;
pub use outgoing::{Known, Outgoing};

/// The properties of a message in the kept form.
///
/// # Errors
/// `MQRC_RFH_ERROR` for bytes that are none.
pub(super) fn read(body: &[u8]) -> Result<Vec<Property>, Reason> {
    Ok(folders::properties(&Kept::read(body)?))
}

/// A message in the kept form taken apart: folders, and the payload for a program of the interface.
///
/// # Errors
/// `MQRC_RFH_ERROR` for bytes that are none.
pub fn take_out(body: &Bytes) -> Result<Parts, Reason> {
    let kept = Kept::read(body)?;
    let (place, payload) = body::of_program(&kept, body);
    Ok(Parts { folders: folders::texts(&kept), place, body: payload })
}

/// The length of the bytes before the payload that a program is given of a message in the kept form.
///
/// # Errors
/// `MQRC_RFH_ERROR` for bytes that are none.
pub(super) fn length(body: &[u8]) -> Result<usize, Reason> {
    Kept::read(body).map(|kept| kept.data_at())
}
