//! Puts: what a message is to be, and its arrival.

use bytes::Bytes;
use mqi::{
    AccountingToken, Expiry, MessageDescriptor, MessageFlags, MessageId, OpenOptions, Persistence, Priority,
    PutApplicationType, PutFlags, PutOptions, Rare, Reason, Text, constants,
};

use super::calls::Replied;
use super::groups::{Calls, GroupName, Manner};
use super::properties::{Property, take_apart};
use super::queue::{Message, QueueId, State};
use super::reports::{Asked as ReportsAsked, Kind as ReportKind};
use super::{Manager, Unmodelled, Version};
use crate::{Call, Expected};

/// Where a put goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    /// The name that was opened, or given.
    pub(super) name: &'a str,
    pub(super) queue: QueueId,
    /// The handle; none for MQPUT1.
    pub(super) handle: Option<u64>,
}

/// Headers, each with what it begins with and the reason for one that does not.
const HEADERS: [(&str, &str, Reason); 6] = [
    (constants::MQFMT_DEAD_LETTER_HEADER, constants::MQDLH_STRUC_ID, Reason::DLH_ERROR),
    (constants::MQFMT_XMIT_Q_HEADER, constants::MQXQH_STRUC_ID, Reason::XQH_ERROR),
    (constants::MQFMT_CICS, constants::MQCIH_STRUC_ID, Reason::HEADER_ERROR),
    (constants::MQFMT_IMS, constants::MQIIH_STRUC_ID, Reason::IIH_ERROR),
    (constants::MQFMT_MD_EXTENSION, constants::MQMDE_STRUC_ID, Reason::MDE_ERROR),
    (constants::MQFMT_RF_HEADER_2, constants::MQRFH_STRUC_ID, Reason::RFH_ERROR),
];

/// Options of a program that was written for version 7 of the interface.
const OF_VERSION_7: PutFlags = PutFlags::ASYNC_RESPONSE
    .union(PutFlags::SYNC_RESPONSE)
    .union(PutFlags::SUPPRESS_REPLYTO)
    .union(PutFlags::SCOPE_QMGR)
    .union(PutFlags::NOT_OWN_SUBS)
    .union(PutFlags::RETAIN)
    .union(PutFlags::WARN_IF_NO_SUBS_MATCHED);

/// The character set of a queue manager.
pub(super) const CHARACTER_SET: i32 = 1208;
/// The user of all clients.
const USER: &str = "scenario";
/// Application type of a program under this system.
const PROGRAM: i32 = 6;

/// Options that say where the context comes from, of which one may be given.
const CONTEXTS: [PutFlags; 6] = [
    PutFlags::DEFAULT_CONTEXT,
    PutFlags::NO_CONTEXT,
    PutFlags::PASS_IDENTITY_CONTEXT,
    PutFlags::PASS_ALL_CONTEXT,
    PutFlags::SET_IDENTITY_CONTEXT,
    PutFlags::SET_ALL_CONTEXT,
];

/// Why options of a put make no sense, alone or together.
pub(super) fn check(flags: PutFlags) -> Result<(), Reason> {
    let contradicts = flags.contains(PutFlags::SYNCPOINT | PutFlags::NO_SYNCPOINT)
        || flags.contains(PutFlags::ASYNC_RESPONSE | PutFlags::SYNC_RESPONSE)
        || !flags.unknown().is_empty()
        || CONTEXTS.iter().filter(|context| flags.contains(**context)).count() > 1;
    if contradicts {
        return Err(Reason::OPTIONS_ERROR);
    }
    if flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY) { Err(Reason::MD_ERROR) } else { Ok(()) }
}

/// The same for MQPUT: whose authority counts was said when the queue was opened.
pub(super) fn check_by_handle(flags: PutFlags) -> Result<(), Reason> {
    check(flags)?;
    let is_said_again = flags.contains(PutFlags::ALTERNATE_USER_AUTHORITY);
    if is_said_again { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

/// True if a put is asynchronous.
pub(super) fn is_asynchronous(flags: PutFlags) -> bool {
    flags.contains(PutFlags::ASYNC_RESPONSE) && !flags.contains(PutFlags::SYNC_RESPONSE)
}

/// Gives a descriptor the identity and origin of another.
fn pass(from: &MessageDescriptor, to: &mut MessageDescriptor, origin: bool) {
    to.user_identifier = from.user_identifier;
    to.accounting_token = from.accounting_token;
    to.application_identity_data.clone_from(&from.application_identity_data);
    if origin {
        to.put_application_type = from.put_application_type;
        to.put_application_name = from.put_application_name;
        to.application_origin_data = from.application_origin_data;
    }
}

/// Returns the context of a program.
pub(super) fn own_context(client: &str) -> MessageDescriptor {
    MessageDescriptor {
        user_identifier: Text::truncated(USER),
        accounting_token: AccountingToken::NONE,
        application_identity_data: Rare::USUAL,
        put_application_type: PutApplicationType(PROGRAM),
        put_application_name: Text::truncated(client),
        application_origin_data: Text::BLANK,
        ..MessageDescriptor::default()
    }
}

/// Message of a put, and the message handles that a call names.
#[derive(Clone, Debug)]
pub(super) struct Carried<'a> {
    /// Of the body, without the header of properties.
    pub(super) descriptor: Box<MessageDescriptor>,
    pub(super) body: Bytes,
    pub(super) properties: Vec<Property>,
    /// The handle that has what is put.
    new_handle: Option<&'a str>,
    /// The handle to be filled by a get.
    pub(super) message_handle: Option<&'a str>,
    /// The queue whose saved context is passed on.
    pub(super) context: Option<String>,
}

/// The handle of a name, unless that stands for none.
fn given(name: Option<&String>) -> Option<&str> {
    name.map(String::as_str).filter(|name| *name != "none")
}

impl Manager {
    /// Returns the message of a call, or the reason for refusing its message handles.
    ///
    /// # Errors
    /// When the model does not know what the handles have, or what stands before the body.
    pub(super) fn carried<'a>(
        &mut self,
        client: &str,
        call: &'a Call,
    ) -> Result<Result<Carried<'a>, Reason>, Unmodelled> {
        let unknown = || Unmodelled::change("a put of properties");
        let (call, context) = match call {
            Call::Through { call, through } => (&**call, through.context()),
            call => (call, None),
        };
        let (call, naming) = match call {
            Call::Naming { call, naming } => (&**call, Some(naming)),
            call => (call, None),
        };
        let mut carried = Carried {
            descriptor: Box::default(),
            body: Bytes::new(),
            properties: Vec::new(),
            new_handle: naming.and_then(|naming| given(naming.new.as_ref())),
            message_handle: naming.and_then(|naming| given(naming.message.as_ref())),
            context: context.map(|name| name.to_string()),
        };
        if let Some(name) = carried.message_handle
            && !self.has_handle(client, name)
        {
            return Ok(Err(Reason::HMSG_ERROR));
        }
        let (Call::Put { descriptor, options, body, .. } | Call::Put1 { descriptor, options, body, .. }) =
            call
        else {
            return Ok(Ok(carried));
        };
        (carried.descriptor, carried.body) = (descriptor.clone(), body.clone());
        let announced = HEADERS.iter().find(|(format, ..)| descriptor.format.as_str() == format.trim_end());
        let is_header = announced.is_none_or(|(_, identifier, _)| body.starts_with(identifier.as_bytes()));
        if let Some((format, _, reason)) = announced.filter(|_| !is_header) {
            // An extension of the descriptor is read for every putter.
            if *format == constants::MQFMT_MD_EXTENSION || options.flags.intersects(OF_VERSION_7) {
                return Ok(Err(*reason));
            }
        } else if descriptor.format.as_str() == constants::MQFMT_RF_HEADER_2.trim_end() {
            let (properties, body, described) = take_apart(descriptor, body).ok_or_else(unknown)?;
            (carried.properties, carried.body, carried.descriptor) = (properties, body, Box::new(described));
        }
        if let Some(naming) = naming
            && (given(naming.new.as_ref()), given(naming.original.as_ref())) != (None, None)
        {
            let composed = self.composed(client, naming, options.action)?;
            if !carried.properties.is_empty() || options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY) {
                return Err(unknown());
            }
            match composed {
                Ok(properties) => carried.properties = properties,
                Err(reason) => return Ok(Err(reason)),
            }
        } else if options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY) {
            return Ok(Err(Reason::MD_ERROR));
        }
        let splits = MessageFlags::SEGMENTATION_ALLOWED | MessageFlags::SEGMENT | MessageFlags::LAST_SEGMENT;
        let is_more = !descriptor.report.is_empty() || descriptor.message_flags.intersects(splits);
        if !carried.properties.is_empty() && is_more {
            return Err(unknown());
        }
        Ok(Ok(carried))
    }

    /// The handle of a message that was put has what was put.
    pub(super) fn reflect(&mut self, carried: &Carried<'_>, put: &Replied, flags: PutFlags) {
        if let (Some(handle), Ok(_), false) = (carried.new_handle, put, is_asynchronous(flags)) {
            self.stand_for(handle, carried.properties.clone());
        }
    }

    /// The context that is passed on.
    fn saved(&mut self, client: &str, from: Option<&str>) -> Result<Box<MessageDescriptor>, Reason> {
        let name = from.ok_or(Reason::CONTEXT_HANDLE_ERROR)?.to_owned();
        let client = self.client(client);
        let handle = client.open.get(&(name, OpenOptions::INPUT_AS_Q_DEF.bits()));
        let handle = handle.and_then(|handle| client.handles.get(handle));
        let handle = handle.filter(|handle| handle.options.contains(OpenOptions::SAVE_ALL_CONTEXT));
        let saved = handle.ok_or(Reason::CONTEXT_HANDLE_ERROR)?.saved.clone();
        saved.ok_or(Reason::CONTEXT_NOT_AVAILABLE)
    }

    /// Fills in whose message it is.
    pub(super) fn give_context(
        &mut self,
        (client, opened): (&str, Option<OpenOptions>),
        options: &PutOptions,
        from: Option<&str>,
        shown: &mut MessageDescriptor,
    ) -> Result<(), Reason> {
        let has = |option| options.flags.contains(option);
        let may = |allowing: OpenOptions, refusal| match opened {
            Some(opened) if !opened.intersects(allowing) => Err(refusal),
            _ => Ok(()),
        };
        let own = own_context(client);
        if has(PutFlags::NO_CONTEXT) {
            pass(&MessageDescriptor::default(), shown, true);
        } else if has(PutFlags::SET_ALL_CONTEXT) {
            may(OpenOptions::SET_ALL_CONTEXT, Reason::NOT_OPEN_FOR_SET_ALL)?;
        } else if has(PutFlags::SET_IDENTITY_CONTEXT) {
            let allowing = OpenOptions::SET_ALL_CONTEXT | OpenOptions::SET_IDENTITY_CONTEXT;
            may(allowing, Reason::NOT_OPEN_FOR_SET_IDENT)?;
            let identity = shown.clone();
            pass(&own, shown, true);
            pass(&identity, shown, false);
        } else if has(PutFlags::PASS_ALL_CONTEXT) {
            may(OpenOptions::PASS_ALL_CONTEXT, Reason::NOT_OPEN_FOR_PASS_ALL)?;
            pass(&*self.saved(client, from)?, shown, true);
        } else if has(PutFlags::PASS_IDENTITY_CONTEXT) {
            let allowing = OpenOptions::PASS_ALL_CONTEXT | OpenOptions::PASS_IDENTITY_CONTEXT;
            may(allowing, Reason::NOT_OPEN_FOR_PASS_IDENT)?;
            let saved = self.saved(client, from)?;
            pass(&own, shown, true);
            pass(&saved, shown, false);
        } else {
            pass(&own, shown, true);
        }
        Ok(())
    }

    pub(super) fn put(
        &mut self,
        client: &str,
        target: Target<'_>,
        carried: &Carried<'_>,
        options: &PutOptions,
    ) -> Replied {
        let Target { name, queue, handle } = target;
        let Carried { descriptor, body, .. } = carried;
        check(options.flags)?;
        self.still_leads(name, queue)?;
        let opened = &self.objects[name];
        let base = self.definition_of(queue).expect("a queue has a definition");
        let persistent = match descriptor.persistence {
            Persistence::Persistent => true,
            Persistence::NotPersistent => false,
            Persistence::AsQueueDefault => opened.is("DEFPSIST", "YES"),
        };
        if opened.is("PUT", "DISABLED") || base.is("PUT", "DISABLED") {
            return Err(Reason::PUT_INHIBITED);
        }
        let in_order = options.flags.contains(PutFlags::LOGICAL_ORDER);
        let remark = super::reports::judge(descriptor, in_order)?;
        let longest = base.number("MAXMSGL");
        let may_be_split = descriptor.message_flags.contains(MessageFlags::SEGMENTATION_ALLOWED);
        if body.len() > longest && !may_be_split {
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        if body.len() > self.settings.message_bytes_max && !may_be_split {
            return Err(Reason::MSG_TOO_BIG_FOR_Q_MGR);
        }
        if persistent && base.temporary {
            return Err(Reason::PERSISTENT_NOT_ALLOWED);
        }
        let priority = match descriptor.priority {
            Priority::AS_Q_DEF => i32::try_from(opened.number("DEFPRTY")).expect("0 to 9"),
            priority => priority.code(),
        };
        let requires_unit = base.requires_unit();
        let expiry_max: Vec<u64> = [opened, base].iter().filter_map(|one| one.expiry_max()).collect();
        let new_group = GroupName::Made(self.number());
        let opened = handle.map(|handle| self.client(client).handles[&handle].clone());
        let mut shown = descriptor.clone();
        if shown.coded_character_set == 0 {
            shown.coded_character_set = CHARACTER_SET;
        }
        let within = options.flags.contains(PutFlags::SYNCPOINT);
        let manner = Manner { persistent, within };
        let course =
            opened.as_ref().map(|opened| opened.courses[Calls::Puts as usize].clone()).unwrap_or_default();
        let (group, off_course) = course.number(&mut shown, body.len(), in_order, manner, new_group)?;
        let open_for = opened.as_ref().map(|opened| opened.options);
        self.give_context((client, open_for), options, carried.context.as_deref(), &mut shown)?;
        let now = self.now;
        let asked = match descriptor.expiry {
            Expiry::UNLIMITED => None,
            tenths => Some(u64::try_from(tenths.code()).expect("a limit is not negative")),
        };
        let expires = asked.into_iter().chain(expiry_max).min().map(|tenths| now + tenths * 100);
        let is_new = |option| options.flags.contains(option);
        let (published, properties): (Vec<_>, Vec<_>) =
            carried.properties.iter().cloned().partition(Property::is_of_publication);
        let message = Message {
            number: self.number(),
            body: body.clone(),
            message_id: if is_new(PutFlags::NEW_MSG_ID) { MessageId::NONE } else { descriptor.message_id },
            correlation_id: (!is_new(PutFlags::NEW_CORREL_ID)).then_some(descriptor.correlation_id),
            priority,
            persistent,
            expires,
            backout: 0,
            state: if within { State::PutBy(client.to_owned()) } else { State::Available },
            asked: ReportsAsked::of(descriptor),
            shown,
            group,
            properties,
            published,
            marked_by: Default::default(),
            marked_until: None,
        };
        if requires_unit && !within {
            return Err(Reason::UNIT_OF_WORK_NOT_STARTED);
        }
        let is_split = may_be_split && body.len() > longest;
        let messages = match is_split {
            false => vec![message.clone()],
            true if persistent && !within && !self.client(client).unit.is_empty() => {
                return Err(Reason::UOW_NOT_AVAILABLE);
            }
            true => self.split(&message, longest)?,
        };
        let lengths: Vec<usize> = messages.iter().map(|message| message.body.len()).collect();
        self.check_room(queue, &lengths)?;
        self.check_quota(&lengths)?;
        let mut copies = Vec::new();
        for message in &messages {
            let copy = self.streamed(queue, message, within, &copies)?;
            copies.extend(copy);
        }
        let reports = messages.iter().filter(|message| message.asked.asks(ReportKind::Arrival)).count();
        let in_unit = self.client(client).unit.len() + messages.len() + copies.len() + reports;
        if within && in_unit > self.settings.unit_max {
            return Err(Reason::SYNCPOINT_LIMIT_REACHED);
        }
        let mut arriving: Vec<_> = messages.into_iter().map(|message| (queue, message)).collect();
        arriving.append(&mut copies);
        let need = self.arrive(client, &arriving, within);
        if let Some(handle) = handle {
            let handle = self.client(client).handles.get_mut(&handle).expect("it is open");
            handle.keep_course(Calls::Puts, within);
            handle.courses[Calls::Puts as usize].moved(&message, in_order, manner, None);
        }
        let exceeds = (priority > 9).then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
        let reason = off_course.or(exceeds).or(remark);
        Ok(Some((Expected { reason, ..Expected::default() }, need)))
    }

    /// A message in segments of at most so many bytes, rounded down to 16.
    fn split(&mut self, message: &Message, longest: usize) -> Result<Vec<Message>, Reason> {
        let most = longest / 16 * 16;
        if most == 0 {
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        let flags = message.shown.message_flags;
        let ends = !flags.contains(MessageFlags::SEGMENT) || flags.contains(MessageFlags::LAST_SEGMENT);
        let count = message.body.len().div_ceil(most);
        let mut segments = Vec::new();
        for index in 0..count {
            let from = index * most;
            let mut segment = message.clone();
            segment.body = message.body.slice(from..message.body.len().min(from + most));
            let shown = &mut segment.shown;
            shown.message_flags = flags.without(MessageFlags::LAST_SEGMENT) | MessageFlags::SEGMENT;
            if ends && index + 1 == count {
                shown.message_flags |= MessageFlags::LAST_SEGMENT;
            }
            let length = |bytes: usize| i32::try_from(bytes).expect("a short message");
            shown.offset += length(from);
            shown.original_length = length(segment.body.len());
            if index > 0 {
                (segment.number, segment.message_id) = (self.number(), MessageId::NONE);
            }
            segments.push(segment);
        }
        let is_report = message.shown.message_type == mqi::MessageType::REPORT;
        if is_report && flags.contains(MessageFlags::SEGMENT) {
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        Ok(segments)
    }

    /// Messages arrive together, each on its queue, with the reports of it.
    pub(super) fn arrive(&mut self, client: &str, messages: &[(QueueId, Message)], within: bool) -> Version {
        let mut triggers = Vec::new();
        for (queue, message) in messages {
            triggers.extend(self.is_trigger(*queue, message.priority).then_some(*queue));
            self.queue(*queue).messages.push(message.clone());
        }
        let unit = within.then_some(client);
        if within {
            let puts = messages.iter().map(|(queue, message)| (*queue, message.number, true));
            self.client(client).unit.extend(puts);
            self.client(client).triggers.append(&mut triggers);
        }
        let reports =
            messages.iter().flat_map(|(_, message)| self.report(ReportKind::Arrival, message, unit));
        let reports: Vec<QueueId> = reports.collect();
        if within {
            return 0;
        }
        triggers.append(&mut self.due);
        let fired = self.fire_each(&mut triggers);
        let mut need = 0;
        if fired.lasts || messages.iter().any(|(_, message)| message.persistent) {
            need = self.note();
            for queue in messages.iter().map(|(queue, _)| queue).chain(&reports) {
                self.queue(*queue).changed = need;
            }
        }
        let mut offered: Vec<QueueId> = messages.iter().map(|(queue, _)| *queue).collect();
        offered.dedup();
        offered.into_iter().for_each(|queue| self.offer(queue));
        reports.into_iter().for_each(|reports| self.offer(reports));
        self.offer_fired(&fired, need);
        need.max(self.fire_all(triggers))
    }
}
