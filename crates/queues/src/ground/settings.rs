//! Settings of a queue manager, and how it is ended.

use std::time::Duration;

use mqi::constants::{MQIA_MAX_HANDLES, MQIA_MAX_UNCOMMITTED_MSGS};
use mqi::{QueueManagerName, Selector};

use super::growth::GrowthBounds;

/// Connections that the user who runs the queue manager has by the local socket when all others are taken:
/// for a few commands at one time.
pub const ADMINISTRATORS_KEPT: usize = 4;

/// The bounds for branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchBounds {
    /// Most branches of one user that are not prepared.
    pub open_max: u32,
    /// Longest time that a branch is kept once no connection that took part is there.
    pub idle: Duration,
    /// Longest time from its beginning to its preparation; none for no bound.
    pub active: Option<Duration>,
    /// Most messages of branches that are prepared, puts and gets together: each has 17 bytes in every
    /// checkpoint.
    pub prepared_messages_max: u64,
}

impl Default for BranchBounds {
    fn default() -> Self {
        let idle = Duration::from_secs(300);
        Self { open_max: 1_000, idle, active: None, prepared_messages_max: 1_000_000 }
    }
}

/// The longest time that a put waits for room on its queue, unless it is set.
pub const HOLD: Duration = Duration::from_secs(30);

/// Settings of one queue manager. Each has its home in `ferry.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its name.
    pub name: QueueManagerName,
    /// Most bytes of message bodies kept in memory; beyond, bodies are read back from log, store or spill
    /// file.
    pub memory_budget_bytes: u64,
    /// The ceiling of MAXHANDS, the most handles that one connection may have open.
    pub handles_max: u32,
    /// The ceiling of MAXUMSGS, the most uncommitted messages of one unit of work.
    pub uncommitted_messages_max: u32,
    /// Most connections, besides those that are kept for administrators of this machine.
    pub connections_max: u32,
    /// The log and the store.
    pub storage: storage::Settings,
    /// At least this often a checkpoint while there is activity.
    pub checkpoint_interval: Duration,
    /// Bounds for what users make and what outlives their programs.
    pub growth: GrowthBounds,
    /// Bounds for branches of transactions.
    pub branches: BranchBounds,
    /// Longest time that a put waits for room on its queue.
    pub hold: Duration,
}

/// A setting that bounds the same as an attribute of the queue manager: the lower value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ceiling {
    /// The attribute.
    pub keyword: &'static str,
    /// The attribute, as MQINQ names it.
    pub selector: Selector,
    /// The setting.
    pub setting: &'static str,
    /// The value of the setting.
    pub most: u32,
}

impl Settings {
    /// The settings that bound an attribute.
    pub fn ceilings(&self) -> [Ceiling; 2] {
        [
            Ceiling {
                keyword: "MAXHANDS",
                selector: Selector(MQIA_MAX_HANDLES),
                setting: "limits.handles_max",
                most: self.handles_max,
            },
            Ceiling {
                keyword: "MAXUMSGS",
                selector: Selector(MQIA_MAX_UNCOMMITTED_MSGS),
                setting: "limits.uncommitted_messages_max",
                most: self.uncommitted_messages_max,
            },
        ]
    }
}

/// Way of ending a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quiesce {
    /// Waits for applications to disconnect; calls with FAIL_IF_QUIESCING answer 2161.
    Controlled,
    /// Lets running calls end, then answers 2162.
    Immediate,
}
