//! A session of an AMQP connection.

use std::collections::BTreeMap;

use queue_manager::Connection;
use storage::Lsn;

use super::owner::LinkId;
use super::subscription_life::Holds;

/// A session.
#[derive(Default)]
pub(super) struct Session {
    /// The verbs, from the first link on.
    pub(super) connection: Option<Connection>,
    /// The position that its beginning depends on.
    pub(super) need: Lsn,
    /// Its links by their handles.
    pub(super) links: BTreeMap<u32, LinkId>,
    /// Holds of subscriptions that may not begin to end before it does.
    pub(super) holds: Holds,
}
