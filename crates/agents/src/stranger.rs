//! A program that has connected and said nothing: what an agent of any protocol needs to serve it.

use std::sync::Arc;

use queue_manager::QueueManager;

use crate::agent::{PeerInfo, Wake};
use crate::client_connection::limits::Limits;
use crate::logins::Logins;

/// A program that has said nothing.
pub struct Stranger {
    /// The queue manager that it has connected to.
    pub queue_manager: QueueManager,
    /// Facts that the host knows of it.
    pub peer: PeerInfo,
    /// Bounds of its connection.
    pub limits: Limits,
    /// The judge of logins, if the host has one.
    pub logins: Option<Arc<dyn Logins>>,
    /// The one that wakes its agent.
    pub waker: Arc<dyn Wake>,
}

impl std::fmt::Debug for Stranger {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Stranger").field("origin", &self.peer.origin).finish_non_exhaustive()
    }
}
