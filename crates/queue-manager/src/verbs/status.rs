//! MQSTAT: the outcomes of puts whose caller did not wait.

use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectType, PutFlags, PutObject, PutOptions,
    PutStatus, Reason,
};
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use storage::Lsn;

use crate::connection::{Connection, Target};
use crate::verbs::put::PutTarget;

/// Puts of one connection whose caller did not wait: counted until they are asked about. A host that lets
/// callers go on keeps one beside each connection.
///
/// Always: an answer waits for the log as far as the puts it counts. A unit of work in which such a put of a
/// persistent message failed is not committed.
#[derive(Debug, Default)]
pub struct AsyncPuts {
    status: PutStatus,
    need: Lsn,
    is_unit_failed: bool,
}

impl AsyncPuts {
    /// Notes the outcome of a put, which may be a remark. `object` names its target, and `takes_unit` says
    /// whether its failure is that of the unit of work it was part of.
    #[inline]
    pub fn keep(
        &mut self,
        outcome: Outcome<Option<Reason>>,
        takes_unit: impl FnOnce() -> bool,
        object: impl FnOnce() -> PutObject,
    ) {
        self.need = self.need.max(outcome.need());
        // The value is shown to nobody: the count leaves through the gate, with the need above.
        let result = outcome.into_inner();
        self.is_unit_failed |= result.is_err() && takes_unit();
        self.status.count(result, object);
    }

    /// Notes a put that was refused before it could be made.
    pub fn refuse(&mut self, reason: Reason, takes_unit: bool) {
        self.is_unit_failed |= takes_unit;
        self.status.count(Err(reason), PutObject::default);
    }

    /// Something else failed in the unit of work whose caller did not wait.
    pub fn fail_unit(&mut self) {
        self.is_unit_failed = true;
    }

    /// True if the unit of work must not be committed.
    pub fn is_unit_failed(&self) -> bool {
        self.is_unit_failed
    }

    /// True if the unit of work must not be committed; this call resets it.
    pub fn take_unit_failure(&mut self) -> bool {
        std::mem::take(&mut self.is_unit_failed)
    }

    /// Takes the counts since the last report.
    fn tell(&mut self) -> Gated<PutStatus> {
        Gated::new(std::mem::take(&mut self.need), std::mem::take(&mut self.status))
    }
}

impl Connection {
    /// MQSTAT: the counts of puts whose caller did not wait, since the last report.
    pub fn put_status(&self, puts: &mut AsyncPuts) -> Gated<PutStatus> {
        self.note(Noted::StatusAsked);
        puts.tell()
    }

    /// Returns true if an asynchronous put takes its unit of work with it when it fails: so does a persistent
    /// message, and one whose target is unknown.
    #[must_use]
    pub fn takes_unit(
        &self,
        target: PutTarget<'_>,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
    ) -> bool {
        options.flags.contains(PutFlags::SYNCPOINT)
            && self.is_persistent(target, descriptor.persistence).unwrap_or(true)
    }

    /// Returns the object of puts through a handle.
    #[must_use]
    pub fn put_object(&self, handle: ObjectHandle) -> PutObject {
        let (opened, queue, way) = match self.handle(handle).map(|found| &found.target) {
            Ok(Target::Queue { opened, queue, way }) => (opened, queue, way),
            Ok(Target::Topic(target)) => {
                return PutObject {
                    object_type: Some(ObjectType::from_code(target.object_type())),
                    object_name: target.name,
                    object_queue_manager_name: self.engine.directory.name,
                    ..PutObject::default()
                };
            }
            _ => return PutObject::default(),
        };
        let elsewhere = way.as_ref().and_then(|way| way.elsewhere);
        PutObject {
            object_type: Some(ObjectType::from_code(opened.object_type().mqot())),
            object_name: *opened.name(),
            object_queue_manager_name: self.engine.directory.name,
            resolved_object_name: elsewhere.map_or(queue.name, |elsewhere| elsewhere.queue),
            resolved_queue_manager_name: elsewhere
                .map_or(self.engine.directory.name, |elsewhere| elsewhere.queue_manager),
        }
    }

    /// Returns the object of an MQPUT1.
    #[must_use]
    pub fn put1_object(&self, object: &ObjectDescriptor) -> PutObject {
        PutObject {
            object_type: Some(object.object_type),
            object_name: object.object_name,
            object_queue_manager_name: object.object_queue_manager_name,
            ..PutObject::default()
        }
    }
}
