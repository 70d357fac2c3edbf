//! Refusals: that of a request, and that of a change, whose author may not make it, or whose definition would
//! lend what its author does not have.
//!
//! Lives elsewhere: the judgement (`rights::lending`), the change (`catalogue`).

use mqi::{ObjectName, Reason};
use queues::ground::explanation::Explanation;
use security::{Asked, Object, ObjectKind, Principal, Use};
use storage::Lsn;

/// A refusal.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) reason: Reason,
    /// The right that is missing, where the records decided.
    pub(crate) explanation: Option<Box<Explanation>>,
}

impl Refused {
    pub(super) fn without_explanation(reason: Reason) -> Self {
        Self { reason, explanation: None }
    }
}

/// A request of a change that was refused under the lock that makes it. It is recorded once the change is
/// given up.
#[derive(Debug)]
pub struct Denied {
    pub(crate) author: Principal,
    pub(crate) kind: ObjectKind,
    pub(crate) name: ObjectName,
    pub(crate) text: String,
    pub(crate) used: Use<'static>,
    pub(crate) refused: Refused,
    /// The position that must be durable before the refusal may be known outside.
    pub(crate) need: Lsn,
}

impl Denied {
    /// The request.
    pub(crate) fn asked(&self) -> Asked<'_> {
        Asked::new(Object::texted(self.kind, self.name, &self.text), self.used)
    }
}
