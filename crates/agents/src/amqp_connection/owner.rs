//! Names of links and of their deliveries.

use queue_manager::WaitToken;

/// Names a link among all of a connection that ever were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LinkId(pub(super) u32);

/// A link where frames name it: its identifier, its channel and its handle there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) id: LinkId,
    pub(super) channel: u16,
    pub(super) handle: u32,
}

/// The name of the wait for a delivery of a link.
pub(super) fn token(id: LinkId, number: u32) -> WaitToken {
    WaitToken(u64::from(id.0) << 32 | u64::from(number))
}

/// The link and the number of a delivery, by the name of its wait.
pub(super) fn of_token(token: WaitToken) -> (LinkId, u32) {
    (LinkId((token.0 >> 32) as u32), token.0 as u32)
}
