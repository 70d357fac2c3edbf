//! The result of a put that succeeded, for its putter.

use mqi::{MessageDescriptor, ObjectName, QueueManagerName, Reason};
use queues::message::SharedDescriptor;

use crate::PutDone;

/// Result of a put.
pub(super) trait Told: Sized {
    /// True if the result includes the descriptor.
    const SHOWS_DESCRIPTOR: bool;

    /// That a message was put there; the descriptor is asked for where it is shown.
    fn of(
        descriptor: impl FnOnce() -> SharedDescriptor,
        there: (ObjectName, QueueManagerName),
        remark: Option<Reason>,
    ) -> Self;

    /// Changes the descriptor that is shown, so that it differs from the message's.
    fn show(&mut self, change: impl FnOnce(&mut MessageDescriptor));

    /// Remarks on the put, unless something else is to be said.
    fn remark(&mut self, remark: Reason);
}

impl Told for PutDone {
    const SHOWS_DESCRIPTOR: bool = true;

    #[inline]
    fn of(
        descriptor: impl FnOnce() -> SharedDescriptor,
        (resolved_queue_name, resolved_queue_manager_name): (ObjectName, QueueManagerName),
        warning: Option<Reason>,
    ) -> Self {
        Self { descriptor: descriptor(), resolved_queue_name, resolved_queue_manager_name, warning }
    }

    fn show(&mut self, change: impl FnOnce(&mut MessageDescriptor)) {
        change(&mut self.descriptor);
    }

    fn remark(&mut self, remark: Reason) {
        self.warning.get_or_insert(remark);
    }
}

/// Shows the putter what it gave where the message has something else: flags that come with others, and the
/// queue for answers.
#[inline]
pub(super) fn show_as_given<T: Told>(
    told: &mut T,
    given: &MessageDescriptor,
    filled: &MessageDescriptor,
    own: &QueueManagerName,
) {
    // A comparison of pointers for most puts, which name no queue for answers.
    let is_otherwise = || filled.message_flags != given.message_flags || !given.reply_to_queue.is_usual();
    if T::SHOWS_DESCRIPTOR && is_otherwise() {
        show_otherwise(told, given, filled, own);
    }
}

#[cold]
fn show_otherwise<T: Told>(
    told: &mut T,
    given: &MessageDescriptor,
    filled: &MessageDescriptor,
    own: &QueueManagerName,
) {
    if filled.message_flags != given.message_flags {
        told.show(|shown| shown.message_flags = given.message_flags);
    }
    // Where a definition led answers elsewhere, what it says is for the getter, and the putter may have no
    // right to display it.
    if given.reply_to_queue.is_blank() || !given.reply_to_queue_manager.is_blank() {
        return;
    }
    let is_own = filled.reply_to_queue_manager.as_str() == own.as_str();
    let is_suppressed = filled.reply_to_queue_manager.is_blank();
    if !is_suppressed && (!is_own || filled.reply_to_queue != given.reply_to_queue) {
        told.show(|shown| {
            shown.reply_to_queue.clone_from(&given.reply_to_queue);
            shown.reply_to_queue_manager = (*own).into();
        });
    }
}

/// Nothing but a remark.
pub(super) struct Remark(pub(super) Option<Reason>);

impl Told for Remark {
    const SHOWS_DESCRIPTOR: bool = false;

    #[inline]
    fn of(
        _: impl FnOnce() -> SharedDescriptor,
        _: (ObjectName, QueueManagerName),
        remark: Option<Reason>,
    ) -> Self {
        Self(remark)
    }

    fn show(&mut self, _: impl FnOnce(&mut MessageDescriptor)) {}

    fn remark(&mut self, remark: Reason) {
        self.0.get_or_insert(remark);
    }
}
