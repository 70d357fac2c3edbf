//! How a program connects to a queue manager.

use crate::Text;

/// How calls reach the queue manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Binding {
    /// Locally when the queue manager runs here, otherwise over the network.
    #[default]
    Default,
    /// Locally, the queue manager being another process.
    Standard,
    /// Locally, the queue manager being in this process.
    Fastpath,
    /// Over the network.
    Client,
}

/// What a client does when its connection breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reconnect {
    /// As configured.
    #[default]
    AsDefault,
    /// Report it.
    Disabled,
    /// Connect again, to any queue manager of the group.
    AnyQueueManager,
    /// Connect again, to the same queue manager.
    SameQueueManager,
}

/// What a program says about itself when it connects.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectOptions {
    /// The name shown for the program; blank for the name of its executable.
    pub application_name: Text<28>,
    /// How calls reach the queue manager.
    pub binding: Binding,
    /// What to do when the connection breaks.
    pub reconnect: Reconnect,
    /// The user to act as; blank for the user the process runs as.
    pub user_identifier: Text<64>,
}
