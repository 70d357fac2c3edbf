//! Settings of a queue manager, and how it is ended.

use std::time::Duration;

use mqi::QueueManagerName;

use super::growth::GrowthBounds;

/// Settings of one queue manager. Each has its home in `ferry.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name.
    pub name: QueueManagerName,
    /// Most bytes of message bodies kept in memory; beyond, bodies are read back from log, store or spill
    /// file.
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
    /// Bounds for what users make and what outlives their programs.
    pub growth: GrowthBounds,
}

/// Way of ending a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiesce {
    /// Waits for applications to disconnect; calls with FAIL_IF_QUIESCING answer 2161.
    Controlled,
    /// Lets running calls end, then answers 2162.
    Immediate,
}
