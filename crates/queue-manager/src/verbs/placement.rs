//! Units of work beside a connection, and puts that say more than MQPUT can: such a unit, or a time of
//! delivery.
//!
//! Lives here: opening a unit, a put within it, and the request that every put is to the verbs. Lives
//! elsewhere: the unit (`unit_of_work::owned`), taking what was set aside into one (`get`).

use std::sync::Arc;

use mqi::{Body, MessageDescriptor, PutFlags, PutOptions, Reason};
use platform::WallTime;
use queues::gate::{Gated, Outcome};
use queues::unit_of_work::owned::UnitSlot;

use super::put::PutTarget;
use crate::PutDone;
use crate::connection::Connection;
use crate::verbs::unit::UnitOfWork;

/// The place of a put beyond its target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Placement<'a> {
    /// The unit of work it belongs to: one beside a connection. None leaves that to the options of the put.
    pub unit: Option<&'a UnitOfWork>,
    /// Time of day before which the message is not delivered. It is accepted, logged and counted at once.
    pub deliver_at: Option<WallTime>,
}

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

impl Connection {
    /// Opens a unit of work beside the one of this connection.
    ///
    /// # Errors
    /// 2102 when it has as many as it may have; the reason for which calls do not go on.
    pub fn open_unit(&mut self) -> Result<UnitOfWork, Reason> {
        self.usable(false)?;
        UnitOfWork::beside(&self.engine, &self.conversation.party)
    }

    /// MQPUT or MQPUT1 with a placement. Within a unit of work beside a connection the options may say
    /// MQPMO_SYNCPOINT or nothing of units, and not MQPMO_LOGICAL_ORDER: the order of a handle is that of its
    /// connection's unit.
    pub fn put_placed(
        &mut self,
        target: PutTarget<'_>,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Body<'_>,
        placement: Placement<'_>,
    ) -> Outcome<PutDone> {
        let deliver_at = placement.deliver_at.map_or(0, |time| time.0);
        let request = PutRequest { deliver_at, ..PutRequest::new(descriptor, options) };
        let Some(unit) = placement.unit else { return self.put_on(target, &request, body) };
        if options.flags.intersects(PutFlags::NO_SYNCPOINT | PutFlags::LOGICAL_ORDER) {
            return Gated::free(Err(Reason::OPTIONS_ERROR));
        }
        if !unit.is_of(&self.engine) {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        let mut options = options.clone();
        options.flags.insert(PutFlags::SYNCPOINT);
        self.put_on(target, &PutRequest { options: &options, unit: Some(unit.slot()), ..request }, body)
    }

    fn put_on(
        &mut self,
        target: PutTarget<'_>,
        request: &PutRequest<'_>,
        body: Body<'_>,
    ) -> Outcome<PutDone> {
        match target {
            PutTarget::Handle(handle) => self.put_to_handle(handle, request, body),
            PutTarget::Object(object) => self.put_to_object(object, request, body.into_bytes()),
        }
    }
}
