//! The steps from a name to a queue, noted for a display.
//!
//! Always: a program's own call notes nothing, and pays nothing.

use mqi::ObjectName;
use objects::{ObjectType, Remote};

/// Takes note of the objects that a name leads to, in their order, and of those that were looked for in vain.
pub(crate) trait Trail {
    /// An object was looked for.
    fn look(&mut self, rule: Rule, name: &ObjectName, found: impl FnOnce() -> Option<SeenObject>);
}

impl Trail for () {
    #[inline]
    fn look(&mut self, _: Rule, _: &ObjectName, _: impl FnOnce() -> Option<SeenObject>) {}
}

impl Trail for Vec<Look> {
    fn look(&mut self, rule: Rule, name: &ObjectName, found: impl FnOnce() -> Option<SeenObject>) {
        self.push(Look { rule, name: *name, found: found() });
    }
}

/// The rule by which an object was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The queue that was asked for.
    Asked,
    /// The queue manager that was asked for: a transmission queue or an alias has its name.
    QueueManager,
    /// An alias stands for the queue.
    Target,
    /// An alias of a queue manager stands for this one.
    OwnName,
    /// XMITQ of the definition of a remote queue.
    TransmissionQueue,
    /// The transmission queue with the name of the queue manager.
    SameName,
    /// DEFXMITQ.
    Default,
}

/// An object that was looked for.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) rule: Rule,
    pub(crate) name: ObjectName,
    pub(crate) found: Option<SeenObject>,
}

/// The part of a definition that leads on.
#[derive(Clone, Debug)]
pub(crate) struct SeenObject {
    pub(crate) object_type: ObjectType,
    pub(crate) target: Option<ObjectName>,
    pub(crate) remote: Option<Remote>,
    pub(crate) takes_puts: bool,
}

impl Rule {
    /// The words for a person.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Asked => "the name that was asked for",
            Self::QueueManager => "the object with the name of the queue manager that was asked for",
            Self::Target => "TARGET of the alias",
            Self::OwnName => "the alias stands for this queue manager, so the queue is looked for here",
            Self::TransmissionQueue => "XMITQ of the definition",
            Self::SameName => "XMITQ is blank: the transmission queue with the name of the queue manager",
            Self::Default => "DEFXMITQ: no other rule gives a transmission queue",
        }
    }
}
