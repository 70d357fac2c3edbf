//! Units of work beside a connection, and puts that say more than MQPUT can: such a unit, or a time of
//! delivery.
//!
//! Lives here: opening a unit, and a put within it. Lives elsewhere: the unit (`unit_of_work::slot`), the
//! request that every put is (`put_request`), taking what was set aside into one (`get`).

use mqi::{Body, MessageDescriptor, PutFlags, PutOptions, Reason};
use platform::WallTime;
use queues::gate::{Gated, Outcome};

use super::put::PutTarget;
use super::put_request::PutRequest;
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
