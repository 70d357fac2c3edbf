//! The definition of the queue manager at one moment.

use objects::{Definition, QueueManagerAttributes};
use storage::Lsn;

/// Definition of the queue manager at one moment.
#[derive(Clone, Debug)]
pub struct ManagerCurrent {
    /// All of it.
    pub definition: Definition,
    /// Attributes that the verbs read.
    pub attributes: QueueManagerAttributes,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

impl ManagerCurrent {
    pub(super) fn new(definition: Definition, need: Lsn) -> Self {
        Self { attributes: QueueManagerAttributes::new(&definition), definition, need }
    }
}
