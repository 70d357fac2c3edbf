//! The request that every put is to the verbs, whichever call makes it.

use std::sync::Arc;

use mqi::{MessageDescriptor, PutFlags, PutOptions};
use platform::WallTime;
use queues::unit_of_work::slot::UnitSlot;

/// A put as it is asked for, besides its target and its body.
#[derive(Clone, Copy)]
pub(super) struct PutRequest<'a> {
    pub(super) descriptor: &'a MessageDescriptor,
    pub(super) options: &'a PutOptions,
    /// The unit of work of a put with MQPMO_SYNCPOINT, where it is one beside the connection.
    pub(super) unit: Option<&'a Arc<UnitSlot>>,
    /// Time of day before which the message is not delivered; 0 for at once.
    pub(super) deliver_at: i64,
    /// The queue managers that the message has passed, with this one; 0 for one that is put here first.
    pub(super) hops: u8,
}

impl<'a> PutRequest<'a> {
    /// A put of MQPUT or MQPUT1.
    #[inline]
    pub(super) const fn new(descriptor: &'a MessageDescriptor, options: &'a PutOptions) -> Self {
        Self { descriptor, options, unit: None, deliver_at: 0, hops: 0 }
    }

    /// The unit of work that it belongs to, if it belongs to one; `own` is that of the connection.
    #[inline]
    pub(super) fn unit<'b>(&self, own: &'b Arc<UnitSlot>) -> Option<&'b Arc<UnitSlot>>
    where
        'a: 'b,
    {
        self.options.flags.contains(PutFlags::SYNCPOINT).then(|| self.unit.unwrap_or(own))
    }

    /// True if the message is to be delivered at once.
    #[inline]
    pub(super) fn is_at_once(&self) -> bool {
        self.deliver_at == 0 && self.options.delivery_delay.is_zero()
    }

    /// The time of day before which the message is not delivered; 0 for at once.
    #[inline]
    pub(super) fn due(&self, put_at: WallTime) -> i64 {
        if self.options.delivery_delay.is_zero() {
            return self.deliver_at;
        }
        let delay = i64::try_from(self.options.delivery_delay.as_micros()).unwrap_or(i64::MAX);
        put_at.0.saturating_add(delay)
    }
}
