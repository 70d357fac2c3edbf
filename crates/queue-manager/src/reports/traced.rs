//! Activities of message channels, written into trace-route messages and told by activity reports.
//!
//! Lives here: the groups of an activity, and who is told. Lives elsewhere: the form of the messages
//! (`objects::pcf`), when a channel sends and receives (`agents`).
//!
//! Always: a message that asks for none of this pays one look at its format and at its report options.

use bytes::Bytes;
use mqi::constants::*;
use mqi::{
    Encoding, Feedback, MessageDescriptor, MessageType, ObjectDescriptor, ObjectName, QueueManagerName, Text,
};
use objects::pcf::{Content, Parameter, TraceFate, Traced, activity_report};
use objects::{Moment, Usage};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::message::{Payload, ReportRights};
use queues::queue::Queue;
use security::Principal;

use crate::directory::Directory;
use crate::naming::resolve::{Resolved, ResolvedQueue};
use crate::naming::transmission::Transmission;

const ACTIVITY_QUEUE: &str = "SYSTEM.ADMIN.ACTIVITY.QUEUE";
const TRACE_ROUTE_QUEUE: &str = "SYSTEM.ADMIN.TRACE.ROUTE.QUEUE";

/// The application that the activities of channels are of.
const APPLICATION: &str = "message channel";

/// The character set of the groups: their texts are names.
const UTF_8: i32 = 1208;

/// A channel and its partner, as activities tell them.
#[derive(Clone, Debug)]
pub struct ChannelPlace {
    /// The channel.
    pub channel: ObjectName,
    /// Its type, an MQCHT_ value.
    pub kind: i32,
    /// The queue manager at the other end.
    pub partner: String,
}

/// A report of an activity, on its way to the queue that is told.
#[derive(Clone, Debug)]
pub struct ActivityReport(pub(crate) Box<Report>);

/// The end of a trace-route message that is put.
pub(crate) struct TraceEnd {
    /// It is put nowhere.
    pub(crate) is_discarded: bool,
    pub(crate) reply: Option<Report>,
}

/// The place where a message is put: the name in its header, and the queue that takes it.
struct PutPlace {
    queue: ObjectName,
    resolved: Option<ObjectName>,
    /// The queue at another queue manager, where it goes on to one.
    remote: Option<(ObjectName, ObjectName)>,
    leaves: bool,
}

impl Directory {
    /// Notes that a channel got a message and sends it. Returns the report that the message asks for.
    pub(crate) fn trace_sending(
        &self,
        by: &ChannelPlace,
        transmission_queue: ObjectName,
        carried: &mut Transmission,
    ) -> Option<Report> {
        if !is_told(&carried.descriptor) {
            return None;
        }
        let queue = Parameter::text(MQCA_Q_NAME, transmission_queue.as_str());
        let resolved = Parameter::text(MQCACF_RESOLVED_Q_NAME, transmission_queue.as_str());
        let get = self.operation(MQOPER_GET, carried.body.len(), vec![queue, resolved]);
        let mut sent = of_channel(by);
        sent.push(Parameter::text(MQCACH_XMIT_Q_NAME, transmission_queue.as_str()));
        let send = self.operation(MQOPER_SEND, carried.body.len(), sent);
        let activity = activity("Sending message channel agent", vec![get, send]);
        let (body, report) = self.note(&carried.descriptor, carried.rights, &carried.body, activity);
        carried.body = body.unwrap_or_else(|| carried.body.clone());
        report
    }

    /// Notes that a channel received a message and puts it. Returns the message as it is put, and the report
    /// that it asks for; nothing for a message that notes nothing.
    pub(crate) fn trace_arrival(
        &self,
        by: &ChannelPlace,
        login: &Principal,
        queue: ObjectName,
        queue_manager: QueueManagerName,
        descriptor: &MessageDescriptor,
        body: &Bytes,
    ) -> Option<(Option<Bytes>, Option<Report>)> {
        if !is_told(descriptor) {
            return None;
        }
        let place = self.put_place(queue, queue_manager);
        let receive = self.operation(MQOPER_RECEIVE, body.len(), of_channel(by));
        let fate = read(descriptor, body).map(|traced| {
            let mut route = traced.route;
            // As it is once this activity was counted.
            route.unrecorded = route.unrecorded.saturating_add(1);
            route.fate(place.leaves)
        });
        let put = self.put_operation(body.len(), &place, fate.unwrap_or(TraceFate::Put));
        let activity = activity("Receiving message channel agent", vec![receive, put]);
        let rights = self.rights_of_reports(login, descriptor);
        Some(self.note(descriptor, rights, body, activity))
    }

    /// The place where a message that a channel brings is put.
    fn put_place(&self, name: ObjectName, queue_manager: QueueManagerName) -> PutPlace {
        let object =
            ObjectDescriptor { object_queue_manager_name: queue_manager, ..ObjectDescriptor::queue(name) };
        let mut place = PutPlace { queue: name, resolved: None, remote: None, leaves: false };
        if let Ok(Resolved::Queue(ResolvedQueue { queue, way, .. })) = self.resolve(&object).1 {
            let elsewhere = way.as_ref().and_then(|way| way.elsewhere);
            place.resolved = Some(queue.name);
            place.remote = elsewhere.map(|to| (to.queue, to.queue_manager.into()));
            place.leaves = leaves(&queue, elsewhere.is_some());
        }
        place
    }

    fn put_operation(&self, bytes: usize, place: &PutPlace, fate: TraceFate) -> Parameter {
        let mut parameters = vec![Parameter::text(MQCA_Q_NAME, place.queue.as_str())];
        if let TraceFate::Discard(feedback) = fate {
            parameters.push(Parameter::integer(MQIACF_FEEDBACK, feedback));
            return self.operation(MQOPER_DISCARD, bytes, parameters);
        }
        if let Some(resolved) = place.resolved {
            parameters.push(Parameter::text(MQCACF_RESOLVED_Q_NAME, resolved.as_str()));
        }
        if let Some((queue, manager)) = place.remote {
            parameters.push(Parameter::text(MQCA_REMOTE_Q_NAME, queue.as_str()));
            parameters.push(Parameter::text(MQCA_REMOTE_Q_MGR_NAME, manager.as_str()));
        }
        self.operation(MQOPER_PUT, bytes, parameters)
    }

    /// The end of a trace-route message that is put on a queue; nothing for another message.
    #[cold]
    pub(crate) fn trace_end(
        &self,
        payload: &Payload,
        queue: &Queue,
        is_for_others: bool,
    ) -> Option<TraceEnd> {
        let traced = read(&payload.descriptor, &payload.body)?;
        let leaves = leaves(queue, is_for_others);
        let fate = traced.route.fate(leaves);
        let is_discarded = fate != TraceFate::Put;
        let recording = self.recording(MQIA_TRACE_ROUTE_RECORDING);
        let is_wanted =
            (is_discarded || !leaves) && traced.route.wants_reply() && recording != MQRECORDING_DISABLED;
        let reply = is_wanted.then(|| {
            let feedback = match fate {
                TraceFate::Discard(feedback) => Feedback(feedback),
                TraceFate::Put => Feedback::NONE,
            };
            let mut reply = self.told_about(payload, feedback, traced.reply(), MQFMT_ADMIN);
            reply.descriptor.message_type = MessageType::REPLY;
            if recording == MQRECORDING_Q {
                reply.reply_to = ObjectDescriptor::queue(named(TRACE_ROUTE_QUEUE));
                reply.rights = ReportRights::OF_QUEUE_MANAGER;
            }
            reply
        });
        Some(TraceEnd { is_discarded, reply })
    }

    /// Writes an activity into the message and makes the report, as far as each is wanted and allowed.
    fn note(
        &self,
        descriptor: &MessageDescriptor,
        rights: ReportRights,
        body: &Bytes,
        activity: Parameter,
    ) -> (Option<Bytes>, Option<Report>) {
        let traced = read(descriptor, body);
        let recording = self.recording(MQIA_ACTIVITY_RECORDING);
        let is_wanted = traced.as_ref().is_none_or(|traced| traced.route.wants_channels());
        let is_reported = asks_for_reports(descriptor) && recording != MQRECORDING_DISABLED && is_wanted;
        let may = self.recording(MQIA_TRACE_ROUTE_RECORDING) != MQRECORDING_DISABLED;
        let noted = traced.map(|mut traced| {
            traced.note(activity.clone(), may, is_reported);
            traced
        });
        let report = is_reported.then(|| {
            let original = Payload::new(descriptor.clone(), body.clone()).with_report_rights(rights);
            let told = activity_report(activity, noted.as_ref().map(|traced| &traced.route));
            let mut report = self.told_about(&original, Feedback(MQFB_ACTIVITY), told, MQFMT_EMBEDDED_PCF);
            if recording == MQRECORDING_Q {
                report.reply_to = ObjectDescriptor::queue(named(ACTIVITY_QUEUE));
                report.rights = ReportRights::OF_QUEUE_MANAGER;
            }
            report
        });
        (noted.map(|traced| traced.encode().into()), report)
    }

    /// A message of the queue manager's own about another, as reports are made, with a body of its own.
    fn told_about(&self, original: &Payload, feedback: Feedback, body: Vec<u8>, format: &str) -> Report {
        let left = original.descriptor.expiry;
        let mut report = self.report_about(Kind::Exception(feedback), original, left);
        let descriptor = &mut report.descriptor;
        descriptor.format = Text::truncated(format.trim_end());
        descriptor.encoding = Encoding::NATIVE;
        descriptor.coded_character_set = UTF_8;
        descriptor.original_length = MQOL_UNDEFINED;
        report.body = body.into();
        report
    }

    fn recording(&self, selector: i32) -> i32 {
        self.catalogue.manager().definition.integer(selector)
    }

    fn operation(&self, kind: i32, bytes: usize, more: Vec<Parameter>) -> Parameter {
        let now: Moment = self.time_of_day();
        let length = i32::try_from(bytes).unwrap_or(i32::MAX);
        let mut group = vec![
            Parameter::integer(MQIACF_OPERATION_TYPE, kind),
            Parameter::text(MQCACF_OPERATION_DATE, now.date()),
            Parameter::text(MQCACF_OPERATION_TIME, now.time()),
            Parameter::new(
                MQGACF_MESSAGE,
                Content::Group(vec![Parameter::integer(MQIACF_MSG_LENGTH, length)]),
            ),
            Parameter::text(MQCA_Q_MGR_NAME, self.name.as_str()),
        ];
        group.extend(more);
        Parameter::new(MQGACF_OPERATION, Content::Group(group))
    }
}

fn activity(description: &str, operations: Vec<Parameter>) -> Parameter {
    let mut group = vec![
        Parameter::text(MQCACF_APPL_NAME, APPLICATION),
        Parameter::integer(MQIA_APPL_TYPE, MQAT_QMGR),
        Parameter::text(MQCACF_ACTIVITY_DESC, description),
    ];
    group.extend(operations);
    Parameter::new(MQGACF_ACTIVITY, Content::Group(group))
}

fn of_channel(by: &ChannelPlace) -> Vec<Parameter> {
    vec![
        Parameter::text(MQCA_REMOTE_Q_MGR_NAME, by.partner.as_str()),
        Parameter::text(MQCACH_CHANNEL_NAME, by.channel.as_str()),
        Parameter::integer(MQIACH_CHANNEL_TYPE, by.kind),
    ]
}

fn named(name: &str) -> ObjectName {
    name.parse().expect("it is a name")
}

fn asks_for_reports(descriptor: &MessageDescriptor) -> bool {
    descriptor.report.bits() & MQRO_ACTIVITY != 0
}

/// True for a message of which activities may be told.
fn is_told(descriptor: &MessageDescriptor) -> bool {
    asks_for_reports(descriptor) || may_be_traced(descriptor)
}

/// True for a message that may be a trace-route message: an answer to one has its form, and is none.
fn may_be_traced(descriptor: &MessageDescriptor) -> bool {
    let is_answer = matches!(descriptor.message_type, MessageType::REPLY | MessageType::REPORT);
    !is_answer && Traced::may_be(descriptor.format.as_bytes())
}

fn read(descriptor: &MessageDescriptor, body: &[u8]) -> Option<Traced> {
    if !may_be_traced(descriptor) {
        return None;
    }
    Traced::read(descriptor.format.as_str(), descriptor.encoding.0, body)
}

/// True where a message that is put waits for a channel.
fn leaves(queue: &Queue, is_for_others: bool) -> bool {
    is_for_others || queue.attributes().usage == Usage::Transmission
}
