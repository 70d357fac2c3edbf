//! Getting through several handles at once, for a dispatcher that calls a program's consumers (MQCB, MQCTL).
//!
//! Lives here: what such a caller asks of a connection. Lives elsewhere: the consumers and the thread they
//! are called on (`callbacks`), how a connection waits (`client`, `server`).

use bytes::Bytes;

use crate::{GetOptions, Got, MessageDescriptor, ObjectHandle, Reason, Verbs};
use std::time::Duration;

/// One handle and its way of getting messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Getter {
    /// The handle.
    pub handle: ObjectHandle,
    /// Values to match.
    pub descriptor: MessageDescriptor,
    /// Options of the get; its wait is not used.
    pub options: GetOptions,
    /// Most bytes of a message.
    pub bytes_max: usize,
}

/// Result of listening on one handle.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Index of the getter that it is for.
    pub getter: usize,
    /// The descriptor as the get filled it.
    pub descriptor: MessageDescriptor,
    /// The options as the get filled them.
    pub options: GetOptions,
    /// The message, or why there will be none.
    pub got: Result<Got, Reason>,
    /// Bytes that fit of a message that is too long and stays on its queue (`TRUNCATED_MSG_FAILED`).
    pub shown: Bytes,
    /// True if messages came ahead of it, and none of them is left.
    pub is_last_ahead: bool,
}

/// Ends the wait of a [`Listen::listen`] that another thread is in.
pub type Wake = Box<dyn Fn() + Send + Sync>;

/// Takes the events of a connection, on any thread; it must return soon and make no call on the connection.
pub type OnEvent = Box<dyn Fn(Reason) + Send + Sync>;

/// A connection that can wait for a message through any of several handles.
///
/// A message is in the unit of work, or gone from its queue, only once it was heard; what lies ready for a
/// handle goes back when the handle is not listened to any more. Where it matters what else of a group is
/// there, nothing lies ready: it is got when there is something.
pub trait Listen: Verbs {
    /// Checks that messages may be got so.
    ///
    /// # Errors
    /// The reason a get would be refused with, apart from the content of the queue and from quiescing.
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason>;

    /// Checks that a call with a fail-if-quiescing option would still be made.
    ///
    /// # Errors
    /// `Q_MGR_QUIESCING` or `CONNECTION_QUIESCING` when they are not; what concerns the whole connection.
    fn check_quiescing(&mut self) -> Result<(), Reason>;

    /// Waits for the first message through any of the handles, beginning to look at the getter `first`;
    /// nothing when the time is over, there is an [`event`](Self::event) or another thread used the
    /// [`waker`](Self::waker). Handles that were listened to before and are not named now are let go.
    ///
    /// # Errors
    /// A reason that concerns the whole connection.
    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason>;

    /// Returns the next event of the connection while it was listened to, each once and in order.
    /// `RECONNECTING` comes before the next call of [`listen`](Self::listen) connects again, then
    /// `RECONNECTED`. `Q_MGR_QUIESCING` comes when its queue manager is about to end, even if no getter is to
    /// fail then, and even if there is no listener.
    fn event(&mut self) -> Option<Reason> {
        None
    }

    /// Sets the receiver of the connection's events without a listener: `RECONNECTING` and `RECONNECTED`
    /// within a call that connects again, or the reason for which it cannot be used any more.
    fn when_not_listened_to(&mut self, _: OnEvent) {}

    /// Returns a waker that ends the wait of a call of [`listen`](Self::listen), from any thread; one that
    /// comes between two calls ends the next.
    fn waker(&self) -> Wake;

    /// True if a unit of work is open.
    fn has_unit(&self) -> bool;
}
