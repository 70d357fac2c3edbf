//! Settings of a queue manager, and the requests of its host that name nothing of the engine.

use std::sync::Arc;
use std::time::Duration;

use mqi::{AccountingChoice, QueueManagerName};

use super::host::Completions;

/// Settings of one queue manager. Each has its home in `ferry.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name.
    pub name: QueueManagerName,
    /// Most bytes of message bodies kept in memory; beyond, bodies are read back from log, store or spill file.
    pub memory_budget_bytes: u64,
    /// Most handles one connection may have open (MAXHANDS).
    pub handles_max: u32,
    /// Most uncommitted messages of one unit of work (MAXUMSGS).
    pub uncommitted_messages_max: u32,
    /// Most connections.
    pub connections_max: u32,
    /// The log and the store.
    pub storage: storage::Settings,
    /// At least this often a checkpoint while there is activity.
    pub checkpoint_interval: Duration,
}

/// How a queue manager is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiesce {
    /// Waits for applications to disconnect; calls with FAIL_IF_QUIESCING answer 2161.
    Controlled,
    /// Lets running calls end, then answers 2162.
    Immediate,
}

/// Who connects.
#[derive(Clone)]
pub struct ConnectRequest {
    /// Name of the application, shown by DISPLAY CONN.
    pub application: String,
    /// Where it comes from: `tcp 127.0.0.1:4711`, `unix`, `embedded`, or the name of a channel.
    pub origin: String,
    /// Its process, shown by DISPLAY CONN; 0 when it is not known.
    pub process: u32,
    /// The client instance, zero when it has none; a returning one ends its old connection first (rule 24).
    pub instance: [u8; 16],
    /// Counted up by the client with every link; the instance's connection that is there already stays if this is not newer.
    pub generation: u64,
    /// User identifier for the message context.
    pub user: String,
    /// What of it is to be accounted for, where the queue manager lets it choose.
    pub accounting: AccountingChoice,
    /// Where outcomes of waits go.
    pub completions: Arc<dyn Completions>,
}
