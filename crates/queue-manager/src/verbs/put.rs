//! MQPUT and MQPUT1.

use std::sync::Arc;

use bytes::Bytes;
use mqi::{
    Body, CorrelationId, Expiry, MessageDescriptor, MessageFlags, MessageHandle, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, Persistence, Priority, PutFlags, PutOptions, Rare, Reason,
    constants,
};
use objects::pcf::Traced;
use objects::{DefinitionType, ObjectType};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::report::Report;
use queues::message::report_kind::{self, Kind};
use queues::message::{Payload, ReportRights, SharedDescriptor, context};
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Facts, Life, Placing};
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::slot::UnitSlot;
use storage::Lsn;

use crate::PutDone;
use crate::catalogue::Object;
use crate::connection::{Connection, Target};

use crate::naming::transmission;
use crate::naming::way::{Elsewhere, Way, asked_as};
use crate::publishing::check_topics_served;
use crate::verbs::descriptor::check_descriptor;
use crate::verbs::grouped_put as grouped;
use crate::verbs::length::{check_length, data_length};
use crate::verbs::publish::Publishing;
use crate::verbs::put_request::PutRequest;
use crate::verbs::right::Right;
use crate::verbs::told::{Remark, Told, show_as_given};

/// The target that a put names: one opened before, or one opened for this message.
#[derive(Clone, Copy, Debug)]
pub enum PutTarget<'a> {
    /// Of MQPUT.
    Handle(ObjectHandle),
    /// Of MQPUT1.
    Object(&'a ObjectDescriptor),
}

/// Where a put goes, borrowed from a handle or a name just resolved.
pub(super) struct Destination<'a> {
    pub(super) opened: &'a Object<Arc<Queue>>,
    pub(super) queue: &'a Arc<Queue>,
    /// Way from the name to the queue, when that has another name.
    pub(super) way: Option<&'a Way>,
    pub(super) right: Right<'a>,
    /// The handle, whose puts may have to follow each other.
    pub(super) handle: Option<ObjectHandle>,
}

/// The features of a message that a plain one has not: each has a way of its own onto the queue.
#[derive(Clone, Copy)]
struct Special {
    /// It may go in segments.
    may_be_split: bool,
    /// Its queue has a stream queue.
    is_streamed: bool,
    /// Its arrival is reported.
    is_reported: bool,
    /// It makes a trigger message due.
    fires: bool,
    /// Its format may be that of a trace.
    may_be_traced: bool,
    /// It goes to another queue manager.
    goes_elsewhere: bool,
    /// Its queue takes messages of programs in units of work alone.
    requires_unit: bool,
}

impl Special {
    /// The features of a message that has any: each put looks, so this is in line.
    #[inline]
    fn of(to: &Destination<'_>, arrival: &Arrival) -> Option<Self> {
        let descriptor = &arrival.payload.descriptor;
        let goes_elsewhere = to.way.is_some_and(|way| way.elsewhere.is_some());
        let special = Self {
            may_be_split: descriptor.message_flags.contains(MessageFlags::SEGMENTATION_ALLOWED),
            is_streamed: arrival.facts.is_streamed,
            // What goes elsewhere arrives there.
            is_reported: !goes_elsewhere
                && !descriptor.report.is_empty()
                && Kind::Arrival.is_asked(descriptor.report),
            fires: arrival.facts.fires,
            may_be_traced: Traced::may_be(descriptor.format.as_bytes()),
            goes_elsewhere,
            requires_unit: arrival.facts.requires_unit,
        };
        let is_any = special.may_be_split
            || special.is_streamed
            || special.is_reported
            || special.fires
            || special.may_be_traced
            || special.goes_elsewhere
            || special.requires_unit;
        is_any.then_some(special)
    }
}

impl Connection {
    /// MQPUT.
    pub fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Outcome<PutDone> {
        self.put_body(handle, descriptor, options, body.into())
    }

    /// Puts a message whose body may be the caller's.
    pub fn put_body(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Body<'_>,
    ) -> Outcome<PutDone> {
        self.put_to_handle(handle, &PutRequest::new(descriptor, options), body)
    }

    /// A put through a handle, and its count.
    #[inline]
    pub(super) fn put_to_handle(
        &mut self,
        handle: ObjectHandle,
        request: &PutRequest<'_>,
        body: Body<'_>,
    ) -> Outcome<PutDone> {
        let bytes = body.len();
        let put = self.put_uncounted(handle, request, body);
        if self.conversation.party.calls.is_any_counted() {
            self.count_put(handle, bytes, &put);
        }
        put
    }

    /// MQPUT without a result for its caller: a put that succeeds returns a warning at most.
    pub fn put_without_reply(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Body<'_>,
    ) -> Outcome<Option<Reason>> {
        // Who counts looks at what was filled in.
        if self.conversation.party.calls.is_any_counted() {
            let put = self.put_body(handle, descriptor, options, body);
            return put.map(|put| put.map(|done| done.warning));
        }
        let request = PutRequest::new(descriptor, options);
        let put = self.put_uncounted::<Remark>(handle, &request, body);
        put.map(|put| put.map(|Remark(remark)| remark))
    }

    pub(super) fn put_uncounted<T: Told>(
        &self,
        handle: ObjectHandle,
        request: &PutRequest<'_>,
        body: Body<'_>,
    ) -> Outcome<T> {
        let source = match self.may_put(request.options) {
            Ok(source) => source,
            Err(reason) => return Gated::free(Err(reason)),
        };
        // Whose authority counts is said where it is judged: by the open, and by a put that opens.
        if request.options.flags.contains(PutFlags::ALTERNATE_USER_AUTHORITY) {
            return Gated::free(Err(Reason::OPTIONS_ERROR));
        }
        let found = match self.handle(handle) {
            Ok(found) => found,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if !found.options.contains(OpenOptions::OUTPUT) {
            return Gated::free(Err(Reason::NOT_OPEN_FOR_OUTPUT));
        }
        if let Err((need, reason)) = self.may_use(found) {
            return Gated::new(need, Err(reason));
        }
        let (opened, queue, way) = match &found.target {
            Target::Queue { opened, queue, way } => (opened, queue, way),
            Target::Topic(target) => {
                let manager = self.engine.directory.catalogue.manager();
                if let Err((need, reason)) = check_topics_served(&manager) {
                    return Gated::new(need, Err(reason));
                }
                let publishing = Publishing { target, manager: &manager, right: Right::Handle(found) };
                return self.publish(&publishing, source, request, body);
            }
            Target::Definition(_) | Target::Manager | Target::Defined(_) | Target::Subscription(_) => {
                return Gated::free(Err(Reason::NOT_OPEN_FOR_OUTPUT));
            }
        };
        let way = way.as_deref();
        let right = Right::Handle(found);
        let destination = Destination { opened, queue, way, right, handle: Some(handle) };
        self.put_to(&destination, source, request, body.into_bytes())
    }

    /// Checks that this connection may put now with these options, and returns the context's source.
    #[inline]
    pub(super) fn may_put(&self, options: &PutOptions) -> Result<context::Source, Reason> {
        self.usable(options.flags.contains(PutFlags::FAIL_IF_QUIESCING))?;
        let source = check(options.flags)?;
        // Handles are the host's: what they hold is in the message by now.
        let names_one = options.original_message_handle != MessageHandle::NONE
            || options.new_message_handle != MessageHandle::NONE;
        if names_one {
            return Err(Reason::HMSG_ERROR);
        }
        if options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY) {
            return Err(Reason::MD_ERROR);
        }
        Ok(source)
    }

    pub(super) fn put_to<T: Told>(
        &self,
        to: &Destination<'_>,
        source: context::Source,
        request: &PutRequest<'_>,
        body: Bytes,
    ) -> Outcome<T> {
        if let Right::Name(granted) = to.right {
            let (kind, name) = asked_as(to.opened.name(), to.way);
            granted.must_put(&self.conversation.principal, (kind, &name));
        }
        let (arrival, remark) = match self.arrival(to, source, request, body) {
            Ok(arrived) => arrived,
            // A queue that is gone takes nothing, whatever else is wrong with the message.
            Err((need, reason)) => {
                let reason = if to.queue.is_deleted() { Reason::Q_DELETED } else { reason };
                self.tell_inhibited(*to.opened.name(), reason, need);
                return Gated::new(need, Err(reason));
            }
        };
        let told: T = self.told_of(to, request.descriptor, &arrival.payload, remark);
        let in_group = self.concerns_groups(&arrival.payload.descriptor, request.options.flags);
        let moving = to.handle.filter(|_| in_group);
        let step = moving.and_then(|handle| self.step(handle, &arrival, request.options.flags));
        let unit = request.unit(self.unit_slot());
        let put = match Special::of(to, &arrival) {
            Some(special) => self.put_special(to, special, arrival, unit, request.options.flags),
            None => self.put_plain(to.queue, arrival, unit, request.options.flags),
        };
        put.changed(|put| {
            put.map(|()| {
                step.into_iter().for_each(|step| self.go(step));
                told
            })
        })
    }

    /// The result of a put that succeeds.
    #[inline]
    fn told_of<T: Told>(
        &self,
        to: &Destination<'_>,
        given: &MessageDescriptor,
        payload: &Arc<Payload>,
        remark: Option<Reason>,
    ) -> T {
        let descriptor = &payload.descriptor;
        let elsewhere = to.way.and_then(|way| way.elsewhere);
        let exceeds = descriptor.priority.exceeds_maximum().then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
        // Judged before, so what is left is a remark at most.
        let unknown = report_kind::check(descriptor.report, elsewhere.is_some()).ok().flatten();
        let there = match elsewhere {
            Some(Elsewhere { queue, queue_manager }) => (queue, queue_manager),
            None => (to.queue.name, self.engine.directory.name),
        };
        let mut told = T::of(|| SharedDescriptor::of(payload), there, remark.or(exceeds).or(unknown));
        show_as_given(&mut told, given, descriptor, &self.engine.directory.name);
        told
    }

    /// Puts a message that only takes its place on the queue.
    #[inline]
    fn put_plain(
        &self,
        queue: &Arc<Queue>,
        arrival: Arrival,
        unit: Option<&Arc<UnitSlot>>,
        flags: PutFlags,
    ) -> Outcome<()> {
        // Nobody waits for the answer to an asynchronous put, so nobody could be held up by the getter.
        let is_awaited = !flags.contains(PutFlags::ASYNC_RESPONSE);
        let placing = match unit {
            Some(unit) => Placing::within(unit, 1),
            None => Placing::AtOnce { answered: is_awaited.then_some(&self.conversation.party) },
        };
        queue.put(&self.engine.queues, arrival, placing)
    }

    /// Puts a message with special features: one way onto the queue for each, and what follows from it.
    #[inline(never)]
    fn put_special(
        &self,
        to: &Destination<'_>,
        special: Special,
        arrival: Arrival,
        unit: Option<&Arc<UnitSlot>>,
        flags: PutFlags,
    ) -> Outcome<()> {
        // What a channel brings is in a unit of the queue manager's own, if in no other.
        if special.requires_unit && unit.is_none() && arrival.facts.hops == 0 {
            return Gated::new(to.queue.last_change(), Err(Reason::UNIT_OF_WORK_NOT_STARTED));
        }
        let elsewhere = to.way.and_then(|way| way.elsewhere);
        // One that may not be split is only longer than its queue takes by its properties.
        let is_split = special.may_be_split && self.is_too_long(to.queue, special.goes_elsewhere, &arrival);
        let mut trace_reply = None;
        if special.may_be_traced
            && let Some(end) =
                self.engine.directory.trace_end(&arrival.payload, to.queue, special.goes_elsewhere)
        {
            if end.is_discarded {
                return self.reply_to_trace(end.reply, unit);
            }
            trace_reply = end.reply;
        }
        if is_split {
            let put = self.put_in_segments(to.queue, elsewhere.as_ref(), &arrival, unit);
            return self.and_reply_to_trace(put, trace_reply, unit);
        }
        let arrival = match &elsewhere {
            Some(elsewhere) => match self.engine.directory.for_transmission(elsewhere, arrival) {
                Ok(arrival) => arrival,
                Err(reason) => return Gated::free(Err(reason)),
            },
            None => arrival,
        };
        let put = match unit {
            _ if special.is_streamed => self.engine.directory.put_streamed(to.queue, arrival, unit),
            _ if special.is_reported => self.engine.directory.put_and_report(to.queue, arrival, unit),
            None if special.fires || special.requires_unit => {
                self.engine.directory.put_in_own_unit(to.queue, arrival, |_| {})
            }
            _ => self.put_plain(to.queue, arrival, unit, flags),
        };
        self.and_reply_to_trace(put, trace_reply, unit)
    }

    /// Puts the reply to a trace-route message after the message, if that was put.
    fn and_reply_to_trace(
        &self,
        put: Outcome<()>,
        reply: Option<Report>,
        unit: Option<&Arc<UnitSlot>>,
    ) -> Outcome<()> {
        if reply.is_none() || put.value().is_err() {
            return put;
        }
        let need = put.need();
        self.reply_to_trace(reply, unit).and_needs(need)
    }

    /// Puts the reply to a trace-route message that has come to its end, in the unit of work of the put.
    #[cold]
    fn reply_to_trace(&self, reply: Option<Report>, unit: Option<&Arc<UnitSlot>>) -> Outcome<()> {
        let Some(reply) = reply else { return Gated::free(Ok(())) };
        let mut whose = unit.map_or_else(Whose::own, Whose::current);
        let _ = self.engine.directory.send(reply, &mut whose, &mut None);
        self.engine.queues.commit_own(whose)
    }

    /// True if groups play a part in a put: by its message, its order, or the place of a handle in one.
    #[inline]
    fn concerns_groups(&self, descriptor: &MessageDescriptor, flags: PutFlags) -> bool {
        !descriptor.message_flags.is_empty()
            || flags.contains(PutFlags::LOGICAL_ORDER)
            || self.conversation.party.courses.are_used()
    }

    /// The message as it will be on the queue: every field of the descriptor filled.
    fn arrival(
        &self,
        to: &Destination<'_>,
        source: context::Source,
        request: &PutRequest<'_>,
        body: Bytes,
    ) -> Result<(Arrival, Option<Reason>), (Lsn, Reason)> {
        let PutRequest { descriptor, options, hops, .. } = *request;
        let manager = self.engine.directory.catalogue.manager();
        let attributes = to.queue.attributes();
        // Defaults come from the object opened, the first on the way to the queue.
        let first = (to.opened.object_type() != ObjectType::LocalQueue).then(|| to.opened.current());
        let opened = first.as_ref().map_or(&**attributes, |first| &first.attributes);
        let expiry_max = to.way.map_or(Ok(None), Way::check)?;
        if attributes.put_inhibited {
            return Err((to.queue.last_change(), Reason::PUT_INHIBITED));
        }
        let is_leaving = to.way.is_some_and(|way| way.elsewhere.is_some());
        let mut payload = Payload::in_place(descriptor, body);
        let own = Payload::own(&mut payload);
        grouped::without_extension(own).map_err(|reason| (Lsn::ZERO, reason))?;
        let Payload { descriptor: filled, body, is_of_administrator, report_rights, .. } = own;
        let in_order = options.flags.contains(PutFlags::LOGICAL_ORDER);
        check_descriptor(filled, in_order, is_leaving).map_err(|reason| (Lsn::ZERO, reason))?;
        let judges = || judges_headers(to, options.flags, filled.message_flags);
        let length =
            data_length(filled, body, &manager.attributes, judges).map_err(|reason| (Lsn::ZERO, reason))?;
        if !filled.message_flags.contains(MessageFlags::SEGMENTATION_ALLOWED) {
            let in_front = if is_leaving { transmission::header_bytes(filled) } else { 0 };
            check_length(length, in_front, &attributes, manager.attributes.message_bytes_max)
                .map_err(|reason| (Lsn::ZERO, reason))?;
        }
        let put_at = self.engine.ground().world.clock.wall();
        let mut persistent = match filled.persistence {
            Persistence::Persistent => true,
            Persistence::NotPersistent => false,
            Persistence::AsQueueDefault => opened.default_persistent,
        };
        if persistent && attributes.definition_type == DefinitionType::TemporaryDynamic {
            // JMS has everything sent persistent unless told otherwise, to temporary queues as well.
            if !self.conversation.party.is_of_amqp() {
                return Err((Lsn::ZERO, Reason::PERSISTENT_NOT_ALLOWED));
            }
            persistent = false;
        }
        filled.persistence = if persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        if filled.priority == Priority::AS_Q_DEF {
            filled.priority = Priority::new(opened.default_priority);
        }
        let priority = filled.priority.level().unwrap_or(opened.default_priority).min(9);
        self.fill_identifiers(filled, options.flags);
        let remark = if self.concerns_groups(filled, options.flags) {
            let manner = grouped::manner(options.flags, persistent);
            self.number(to.handle, filled, body.len(), manner).map_err(|reason| (Lsn::ZERO, reason))?
        } else {
            // In no group, and none is left for it.
            filled.group_id = Rare::USUAL;
            (filled.message_sequence_number, filled.offset) = (1, 0);
            filled.original_length = constants::MQOL_UNDEFINED;
            None
        };
        self.fill_reply_to(filled).map_err(|reason| (Lsn::ZERO, reason))?;
        let capped = |expiry: Expiry, most: Option<u32>| match most {
            Some(most) => Expiry::tenths(expiry.limit().map_or(most, |limit| limit.min(most))),
            None => expiry,
        };
        filled.expiry = capped(capped(filled.expiry, expiry_max), attributes.expiry_max);
        if filled.coded_character_set == constants::MQCCSI_Q_MGR {
            filled.coded_character_set = manager.attributes.coded_character_set;
        }
        filled.backout_count = 0;
        self.fill_context(filled, source, to.right.options(), options, put_at)
            .map_err(|reason| (Lsn::ZERO, reason))?;
        let is_own_context = source == context::Source::Default;
        let is_of_login = is_own_context && self.conversation.principal.is_administrator();
        let acts_for_itself = is_of_login && !to.right.is_for_another();
        *is_of_administrator = acts_for_itself && filled.format.as_bytes() == ADMINISTRATION;
        if acts_for_itself {
            *report_rights = ReportRights::OF_ADMINISTRATOR;
        } else if !is_own_context {
            *report_rights = self.engine.directory.rights_of_reports(&self.conversation.principal, filled);
        }
        let life = Life::of(self.engine.ground(), filled.expiry, put_at);
        let life = if request.is_at_once() { life } else { life.delivered_at(request.due(put_at), put_at) };
        let facts = Facts {
            persistent,
            priority,
            life,
            put_at,
            may_trigger: true,
            is_streamed: attributes.stream.is_some(),
            requires_unit: attributes.requires_unit,
            fires: attributes.fires_for_each() && !life.is_later(),
            is_promised: false,
            uses_spare: false,
            hops,
        };
        Ok((Arrival::new(payload, facts), remark))
    }

    /// Where answers go: to a queue of this queue manager unless the descriptor, or a definition that leads
    /// elsewhere by the name it gives, says otherwise.
    #[inline]
    pub(super) fn fill_reply_to(&self, filled: &mut MessageDescriptor) -> Result<(), Reason> {
        if filled.reply_to_queue.is_blank() || !filled.reply_to_queue_manager.is_blank() {
            Ok(())
        } else {
            self.complete_reply_to(filled)
        }
    }

    /// Completes a reply-to queue that is named without its queue manager.
    #[inline(never)]
    fn complete_reply_to(&self, filled: &mut MessageDescriptor) -> Result<(), Reason> {
        filled.reply_to_queue_manager = self.engine.directory.name.into();
        // What is no name is that of no definition.
        let Ok(name) = ObjectName::try_from(*filled.reply_to_queue) else { return Ok(()) };
        let found = self.engine.directory.catalogue.find(&name).object;
        let Some(remote) = found.filter(|object| object.object_type() == ObjectType::RemoteQueue) else {
            return Ok(());
        };
        if let Some(remote) = &remote.current().attributes.remote {
            filled.reply_to_queue = remote.queue.unwrap_or(ObjectName::BLANK).into();
            if let Some(manager) = remote.queue_manager {
                filled.reply_to_queue_manager =
                    manager.as_str().parse().map_err(|_| Reason::REMOTE_Q_NAME_ERROR)?;
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn fill_identifiers(&self, filled: &mut MessageDescriptor, flags: PutFlags) {
        if filled.message_id.is_none() || flags.contains(PutFlags::NEW_MSG_ID) {
            filled.message_id = self.next_message_id();
        }
        if flags.contains(PutFlags::NEW_CORREL_ID) {
            filled.correlation_id = CorrelationId(self.next_message_id().0);
        }
    }

    #[inline]
    pub(super) fn fill_context(
        &self,
        filled: &mut MessageDescriptor,
        source: context::Source,
        opened: OpenOptions,
        options: &PutOptions,
        put_at: platform::WallTime,
    ) -> Result<(), Reason> {
        if source == context::Source::Default {
            self.conversation.party.origin.fill(filled, put_at);
            Ok(())
        } else {
            self.fill_chosen_context(filled, source, opened, options, put_at)
        }
    }

    /// Fills the context for a putter that chooses it.
    #[inline(never)]
    fn fill_chosen_context(
        &self,
        filled: &mut MessageDescriptor,
        source: context::Source,
        opened: OpenOptions,
        options: &PutOptions,
        put_at: platform::WallTime,
    ) -> Result<(), Reason> {
        use context::Source;
        let origin = &self.conversation.party.origin;
        let allowed = |needed: [OpenOptions; 2], refusal| {
            if needed.iter().any(|option| opened.contains(*option)) { Ok(()) } else { Err(refusal) }
        };
        match source {
            Source::Default => origin.fill(filled, put_at),
            Source::None => context::clear(filled),
            Source::SetAll => {
                allowed([OpenOptions::SET_ALL_CONTEXT; 2], Reason::NOT_OPEN_FOR_SET_ALL)?;
            }
            Source::SetIdentity => {
                let needed = [OpenOptions::SET_IDENTITY_CONTEXT, OpenOptions::SET_ALL_CONTEXT];
                allowed(needed, Reason::NOT_OPEN_FOR_SET_IDENT)?;
                origin.fill_origin(filled, put_at);
            }
            Source::PassAll => {
                allowed([OpenOptions::PASS_ALL_CONTEXT; 2], Reason::NOT_OPEN_FOR_PASS_ALL)?;
                self.saved_context(options)?.pass_all(filled);
            }
            Source::PassIdentity => {
                let needed = [OpenOptions::PASS_IDENTITY_CONTEXT, OpenOptions::PASS_ALL_CONTEXT];
                allowed(needed, Reason::NOT_OPEN_FOR_PASS_IDENT)?;
                self.saved_context(options)?.pass_identity(filled);
                origin.fill_origin(filled, put_at);
            }
        }
        Ok(())
    }

    fn saved_context(&self, options: &PutOptions) -> Result<context::Saved, Reason> {
        let handle = options.context.ok_or(Reason::CONTEXT_HANDLE_ERROR)?;
        let found = self.handle(handle).map_err(|_| Reason::CONTEXT_HANDLE_ERROR)?;
        let memo =
            found.memo.as_ref().filter(|memo| memo.saves_context).ok_or(Reason::CONTEXT_HANDLE_ERROR)?;
        let saved = memo.state.lock().context.as_deref().cloned();
        saved.ok_or(Reason::CONTEXT_NOT_AVAILABLE)
    }
}

/// The context's source, when the options make sense together.
#[inline]
fn check(flags: PutFlags) -> Result<context::Source, Reason> {
    let contradicts = flags.contains(PutFlags::SYNCPOINT | PutFlags::NO_SYNCPOINT)
        || flags.contains(PutFlags::ASYNC_RESPONSE | PutFlags::SYNC_RESPONSE)
        || !flags.unknown().is_empty();
    if contradicts {
        return Err(Reason::OPTIONS_ERROR);
    }
    context::Source::of(flags).ok_or(Reason::OPTIONS_ERROR)
}

/// The format of commands in binary form.
const ADMINISTRATION: &[u8] = constants::MQFMT_ADMIN.as_bytes().trim_ascii_end();

/// Options of a put that came with version 7 of the interface.
const PUT_OF_VERSION_7: PutFlags = PutFlags::ASYNC_RESPONSE
    .union(PutFlags::SYNC_RESPONSE)
    .union(PutFlags::WARN_IF_NO_SUBS_MATCHED)
    .union(PutFlags::RETAIN)
    .union(PutFlags::MD_FOR_OUTPUT_ONLY)
    .union(PutFlags::SCOPE_QMGR)
    .union(PutFlags::SUPPRESS_REPLYTO)
    .union(PutFlags::NOT_OWN_SUBS);

/// Options of an open that came with it or later.
const OPEN_OF_VERSION_7: OpenOptions = OpenOptions::READ_AHEAD
    .union(OpenOptions::NO_READ_AHEAD)
    .union(OpenOptions::BIND_ON_GROUP)
    .union(OpenOptions::NO_MULTICAST)
    .union(OpenOptions::CO_OP);

/// Returns true if the headers of a message must be what its format says: the options show a putter that was
/// written for version 7 of the interface or later. A segment may begin anywhere.
#[inline]
fn judges_headers(to: &Destination<'_>, mut put: PutFlags, message: MessageFlags) -> bool {
    if to.right.puts_asynchronously() {
        put.remove(PutFlags::ASYNC_RESPONSE);
    }
    (put.intersects(PUT_OF_VERSION_7) || to.right.options().intersects(OPEN_OF_VERSION_7))
        && !message.intersects(MessageFlags::SEGMENT | MessageFlags::LAST_SEGMENT)
}
