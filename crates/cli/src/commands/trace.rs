//! `ferry trace`: a trace-route message that is sent, and the activities that come back.
//!
//! Always: a message of the command never stays behind: it is discarded at its target unless it is to be
//! delivered, and its queue for answers goes with the connection.

use std::io::Write as _;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use mqi::constants::*;
use mqi::{
    CloseOptions, Expiry, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, Persistence, Priority, QueueManagerName, Reason, ReportOptions,
    Text, Wait,
};
use objects::Moment;
use objects::pcf::{
    ByteOrder, Content, Header, Message, Parameter, TraceRoute, Traced, read_activity_report,
};
use serde_json::{Value, json};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless};
use terminal::units;

use crate::command_queue::alone;

/// A queue for the answers is made from this model.
const REPLY_MODEL: &str = "SYSTEM.DEFAULT.MODEL.QUEUE";

/// Longest answer that is read: what 65 queue managers write is far less.
const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Most answers that are waited for: two reports of each of 64 channels, the reply, and some to spare.
const ANSWERS_MAX: usize = 256;

/// The activities that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Detail {
    /// Of programs alone
    Low,
    /// Of programs and channels
    Medium,
    /// All that programs can tell
    High,
}

impl Detail {
    fn value(self) -> i32 {
        match self {
            Self::Low => MQROUTE_DETAIL_LOW,
            Self::Medium => MQROUTE_DETAIL_MEDIUM,
            Self::High => MQROUTE_DETAIL_HIGH,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TraceArguments {
    /// Queue to send the message to, as a program would open it
    queue: String,
    /// Queue manager, as a program would name it with the queue
    #[arg(default_value = "")]
    queue_manager: String,
    /// Put the message on its target queue; else it is discarded there
    #[arg(long)]
    deliver: bool,
    /// Have each activity reported as it happens, not only at the end of the way
    #[arg(long)]
    reports: bool,
    /// Activities to note
    #[arg(long, value_enum, default_value_t = Detail::Medium)]
    detail: Detail,
    /// Discard the message after this number of activities; 0 for no limit
    #[arg(long, value_name = "N", default_value_t = 0)]
    max: u32,
    /// Longest wait for the answers (such as 500ms, 5s)
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "10s")]
    wait: Duration,
}

/// A trace-route message that is to be sent.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) queue: ObjectName,
    pub(crate) queue_manager: QueueManagerName,
    pub(crate) route: TraceRoute,
    pub(crate) report: i32,
    pub(crate) persistence: Persistence,
    pub(crate) priority: Priority,
    pub(crate) expiry: Expiry,
    /// The queue for answers; none for one that is made for this.
    pub(crate) reply_to: Option<(ObjectName, QueueManagerName)>,
    /// The program that is told as the one that put it.
    pub(crate) application: &'static str,
    pub(crate) binds_once: bool,
}

/// An activity that was told, in the order of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Activity {
    pub(crate) application: String,
    pub(crate) description: String,
    pub(crate) operations: Vec<Operation>,
}

/// A step of an activity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub(crate) kind: i32,
    pub(crate) at: String,
    pub(crate) queue_manager: String,
    /// The facts of the step: a label and a value each.
    pub(crate) facts: Vec<(&'static str, String)>,
}

/// The words for an operation.
pub(crate) fn word_of(kind: i32) -> &'static str {
    match kind {
        MQOPER_BROWSE => "Browse",
        MQOPER_DISCARD => "Discard",
        MQOPER_GET => "Get",
        MQOPER_PUT => "Put",
        MQOPER_PUT_REPLY => "Put Reply",
        MQOPER_PUT_REPORT => "Put Report",
        MQOPER_RECEIVE => "Receive",
        MQOPER_SEND => "Send",
        MQOPER_TRANSFORM => "Transform",
        MQOPER_PUBLISH => "Publish",
        _ => "Unknown",
    }
}

/// The facts of an operation that are shown, by their parameters.
const FACTS: [(i32, &str); 9] = [
    (MQCA_Q_NAME, "queue"),
    (MQCACF_RESOLVED_Q_NAME, "resolved"),
    (MQCA_REMOTE_Q_NAME, "remote queue"),
    (MQCA_REMOTE_Q_MGR_NAME, "remote queue manager"),
    (MQCACH_CHANNEL_NAME, "channel"),
    (MQIACH_CHANNEL_TYPE, "channel type"),
    (MQCACH_XMIT_Q_NAME, "transmission queue"),
    (MQIACF_FEEDBACK, "feedback"),
    (MQIACF_MSG_LENGTH, "bytes"),
];

fn group_of(parameter: &Parameter, identifier: i32) -> Option<&[Parameter]> {
    match &parameter.content {
        Content::Group(group) if parameter.identifier == identifier => Some(group),
        _ => None,
    }
}

fn value_of(group: &[Parameter], identifier: i32) -> Option<String> {
    let found = group.iter().find(|parameter| parameter.identifier == identifier)?;
    match &found.content {
        Content::Text(text) => Some(harmless(text.trim()).into_owned()),
        Content::Integer(number) if identifier == MQIACF_FEEDBACK => {
            let name = names_of(*number, "MQFB_").next();
            Some(name.map_or_else(|| number.to_string(), |name| format!("{number} {name}")))
        }
        Content::Integer(number) => Some(number.to_string()),
        _ => None,
    }
}

impl Activity {
    /// Reads the group of an activity.
    pub(crate) fn read(group: &[Parameter]) -> Self {
        let operations = group.iter().filter_map(|parameter| group_of(parameter, MQGACF_OPERATION));
        Self {
            application: value_of(group, MQCACF_APPL_NAME).unwrap_or_default(),
            description: value_of(group, MQCACF_ACTIVITY_DESC).unwrap_or_default(),
            operations: operations.map(Operation::read).collect(),
        }
    }

    fn as_json(&self) -> Value {
        let operations: Vec<Value> = self.operations.iter().map(Operation::as_json).collect();
        json!({
            "application": self.application, "description": self.description, "operations": operations,
        })
    }

    /// True for the last activity of a way: a discard, or a put on a queue that no channel takes from.
    fn is_last(&self) -> bool {
        let fact =
            |operation: &Operation, label: &str| operation.facts.iter().any(|(known, _)| *known == label);
        self.operations.iter().any(|operation| match operation.kind {
            MQOPER_DISCARD => true,
            MQOPER_PUT => !fact(operation, "remote queue manager"),
            _ => false,
        })
    }
}

impl Operation {
    fn read(group: &[Parameter]) -> Self {
        let message =
            group.iter().find_map(|parameter| group_of(parameter, MQGACF_MESSAGE)).unwrap_or_default();
        let kind = match group.iter().find(|parameter| parameter.identifier == MQIACF_OPERATION_TYPE) {
            Some(Parameter { content: Content::Integer(kind), .. }) => *kind,
            _ => MQOPER_UNKNOWN,
        };
        let date = value_of(group, MQCACF_OPERATION_DATE).unwrap_or_default();
        let time = value_of(group, MQCACF_OPERATION_TIME).unwrap_or_default();
        let facts = FACTS.iter().filter_map(|(identifier, label)| {
            Some((*label, value_of(group, *identifier).or_else(|| value_of(message, *identifier))?))
        });
        Self {
            kind,
            at: format!("{date} {time}").trim().to_owned(),
            queue_manager: value_of(group, MQCA_Q_MGR_NAME).unwrap_or_default(),
            facts: facts.collect(),
        }
    }

    fn as_json(&self) -> Value {
        let mut told =
            json!({ "operation": word_of(self.kind), "at": self.at, "queue_manager": self.queue_manager });
        for (label, value) in &self.facts {
            told[label.replace(' ', "_")] = value.as_str().into();
        }
        told
    }
}

/// The answers to a trace-route message.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// Activities that reports told, in the order in which they came.
    pub(crate) reported: Vec<Activity>,
    /// The reply from the end of the way.
    pub(crate) reply: Option<(Vec<Activity>, TraceRoute, i32)>,
    /// Other reports: their MQFB_ values.
    pub(crate) others: Vec<i32>,
    /// Answers that do not read.
    pub(crate) faults: Vec<String>,
}

impl Answers {
    /// Takes an answer in. Returns true when none is to follow.
    pub(crate) fn take(&mut self, descriptor: &MessageDescriptor, body: &[u8], awaits_reply: bool) -> bool {
        if let Some(traced) = Traced::read(descriptor.format.as_str(), descriptor.encoding.0, body) {
            let activities = traced.activities().map(Activity::read).collect();
            self.reply = Some((activities, traced.route, descriptor.feedback.0));
            return true;
        }
        if descriptor.feedback.0 != MQFB_ACTIVITY {
            self.others.push(descriptor.feedback.0);
            return false;
        }
        match read_activity_report(descriptor.encoding.0, body) {
            Ok(report) => {
                let groups = report.parameters.iter().filter_map(|one| group_of(one, MQGACF_ACTIVITY));
                let told: Vec<Activity> = groups.map(Activity::read).collect();
                let is_last = told.iter().any(Activity::is_last);
                self.reported.extend(told);
                is_last && !awaits_reply
            }
            Err(fault) => {
                self.faults.push(fault);
                false
            }
        }
    }

    /// The activities that are known, in the order of the way.
    pub(crate) fn activities(&self) -> &[Activity] {
        self.reply.as_ref().map_or(&self.reported, |(activities, _, _)| activities)
    }
}

/// Sends and shows.
pub(crate) fn run(common: &Common, arguments: &TraceArguments) -> Result<()> {
    let queue: ObjectName = arguments
        .queue
        .parse()
        .map_err(|_| Failure::usage(format!("{} is no name of a queue", arguments.queue)))?;
    let queue_manager = arguments
        .queue_manager
        .parse()
        .map_err(|_| Failure::usage(format!("{} is no name of a queue manager", arguments.queue_manager)))?;
    let max = i32::try_from(arguments.max).map_err(|_| Failure::usage("--max is too large".to_owned()))?;
    let wanted = Wanted {
        queue,
        queue_manager,
        route: TraceRoute {
            detail: arguments.detail.value(),
            recorded: 0,
            unrecorded: 0,
            discontinuities: 0,
            activities_max: max,
            accumulate: MQROUTE_ACCUMULATE_AND_REPLY,
            forward: MQROUTE_FORWARD_ALL,
            deliver: if arguments.deliver { MQROUTE_DELIVER_YES } else { MQROUTE_DELIVER_NO },
        },
        report: if arguments.reports { MQRO_ACTIVITY } else { MQRO_NONE },
        // Its answers go to a temporary queue, which takes none that are persistent.
        persistence: Persistence::NotPersistent,
        priority: Priority::AS_Q_DEF,
        expiry: Expiry::tenths(u32::try_from(arguments.wait.as_millis() / 100).unwrap_or(u32::MAX).max(10)),
        reply_to: None,
        application: "ferry trace",
        binds_once: false,
    };
    let mut session = connect::session(common)?;
    let sent = send(&mut session, &wanted)?;
    let answers = sent.answers(&mut session, arguments.wait)?;
    sent.end(&mut session)?;
    session.disconnect()?;
    show(common, &answers)?;
    if answers.reply.is_none() {
        let waited =
            format!("no answer came from the end of the way within {} ms", arguments.wait.as_millis());
        return Err(Failure::new(Exit::Failed, waited).next(NextStep::of(
            "ferry route QUEUE explains the way; the activities above tell how far the message came",
        )));
    }
    Ok(())
}

/// A trace-route message that was sent, and the queue for its answers.
pub(crate) struct Sent {
    pub(crate) message_id: mqi::MessageId,
    replies: Option<ObjectHandle>,
    awaits_reply: bool,
    /// True where the target is a queue here.
    is_local: bool,
}

/// Puts a trace-route message.
pub(crate) fn send(session: &mut Session, wanted: &Wanted) -> Result<Sent> {
    let failure = |what: &str| {
        let what = what.to_owned();
        move |reason: Reason| Failure::of_call(what, reason)
    };
    let wants_answers = wanted.route.wants_reply() || wanted.report != MQRO_NONE;
    let mut reply_to = wanted.reply_to;
    let mut replies = None;
    if wants_answers {
        let name = reply_to.map_or_else(|| REPLY_MODEL.parse(), |(queue, _)| Ok(queue));
        let name = name.map_err(|_| Failure::usage("the queue for answers has no name".to_owned()))?;
        let is_here = reply_to
            .is_none_or(|(_, manager)| manager.is_blank() || manager.as_str() == session.queue_manager());
        if is_here {
            let opened =
                session.open_queue(name, OpenOptions::INPUT_SHARED | OpenOptions::FAIL_IF_QUIESCING)?;
            replies = Some(opened.handle);
            reply_to = reply_to.or(Some((opened.object_name, QueueManagerName::BLANK)));
        }
    }
    let bind = if wanted.binds_once { OpenOptions::BIND_ON_OPEN } else { OpenOptions::EMPTY };
    let object = ObjectDescriptor {
        object_queue_manager_name: wanted.queue_manager,
        ..ObjectDescriptor::queue(wanted.queue)
    };
    let opened = session.verbs().open(&object, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING | bind);
    let opened = opened.map_err(failure(&format!("cannot open queue {}", wanted.queue)))?;
    let is_local = opened.resolved_queue_manager_name.as_str() == session.queue_manager();
    let mut descriptor = MessageDescriptor {
        message_type: if wants_answers { MessageType::REQUEST } else { MessageType::DATAGRAM },
        format: Text::truncated(MQFMT_ADMIN.trim_end()),
        report: ReportOptions::from_bits(wanted.report),
        persistence: wanted.persistence,
        priority: wanted.priority,
        expiry: wanted.expiry,
        ..MessageDescriptor::default()
    };
    if let Some((queue, manager)) = reply_to {
        descriptor.reply_to_queue = queue.into();
        descriptor.reply_to_queue_manager = Text::truncated(manager.as_str()).into();
    }
    let body = body_of(wanted, &opened, session.queue_manager(), is_local);
    let mut options = alone();
    session
        .verbs()
        .put(opened.handle, &mut descriptor, &mut options, body.into())
        .map_err(failure(&format!("cannot put the trace-route message on queue {}", wanted.queue)))?;
    session
        .verbs()
        .close(opened.handle, CloseOptions::EMPTY)
        .map_err(failure(&format!("cannot close queue {}", wanted.queue)))?;
    let awaits_reply = wanted.route.wants_reply();
    Ok(Sent { message_id: descriptor.message_id, replies, awaits_reply, is_local })
}

/// The body: the wishes, and the put of this program as the first activity.
fn body_of(wanted: &Wanted, opened: &mqi::Opened, own: &str, is_local: bool) -> Vec<u8> {
    let now = Moment(i64::try_from(crate::clock::now()).unwrap_or(i64::MAX));
    let mut put = vec![
        Parameter::integer(MQIACF_OPERATION_TYPE, MQOPER_PUT),
        Parameter::text(MQCACF_OPERATION_DATE, now.date()),
        Parameter::text(MQCACF_OPERATION_TIME, now.time()),
        Parameter::text(MQCA_Q_MGR_NAME, own),
        Parameter::text(MQCA_Q_NAME, wanted.queue.as_str()),
    ];
    let resolved = opened.resolved_queue_name.as_str();
    if is_local {
        put.push(Parameter::text(MQCACF_RESOLVED_Q_NAME, resolved))
    } else {
        put.push(Parameter::text(MQCA_REMOTE_Q_NAME, resolved));
        let manager = opened.resolved_queue_manager_name;
        put.push(Parameter::text(MQCA_REMOTE_Q_MGR_NAME, manager.as_str()));
    }
    let activity = vec![
        Parameter::text(MQCACF_APPL_NAME, wanted.application),
        Parameter::integer(MQIA_APPL_TYPE, MQAT_USER),
        Parameter::text(MQCACF_ACTIVITY_DESC, "Sending the trace-route message"),
        Parameter::new(MQGACF_OPERATION, Content::Group(put)),
    ];
    let writes = wanted.route.accumulates();
    let route = if writes {
        TraceRoute { recorded: 1, ..wanted.route }
    } else {
        TraceRoute { unrecorded: 1, ..wanted.route }
    };
    let mut header = Header::command(MQCMD_TRACE_ROUTE);
    (header.kind, header.version) = (MQCFT_TRACE_ROUTE, MQCFH_VERSION_3);
    let own = writes.then(|| Parameter::new(MQGACF_ACTIVITY, Content::Group(activity)));
    let parameters = std::iter::once(route.group()).chain(own).collect();
    Message { header, parameters }.encode(ByteOrder::NATIVE)
}

impl Sent {
    /// Waits for the answers, until the last has come.
    pub(crate) fn answers(&self, session: &mut Session, wait: Duration) -> Result<Answers> {
        let mut answers = Answers::default();
        let Some(replies) = self.replies else { return Ok(answers) };
        // Channels report; where none takes the message nothing follows but the reply.
        if self.is_local && !self.awaits_reply {
            return Ok(answers);
        }
        let until = Instant::now() + wait;
        for _ in 0..ANSWERS_MAX {
            let left = until.saturating_duration_since(Instant::now());
            let wanted = mqi::CorrelationId::from(self.message_id);
            let Some((descriptor, body)) = next(session, replies, wanted, left, false)? else { break };
            if answers.take(&descriptor, &body, self.awaits_reply) {
                break;
            }
        }
        Ok(answers)
    }

    /// Gives the queue for answers up.
    pub(crate) fn end(&self, session: &mut Session) -> Result<()> {
        let Some(replies) = self.replies else { return Ok(()) };
        let closed = session.verbs().close(replies, CloseOptions::EMPTY);
        closed
            .map(drop)
            .map_err(|reason| Failure::of_call("cannot close the queue for answers".to_owned(), reason))
    }
}

/// The next answer to a message; none when none comes in time.
pub(crate) fn next(
    session: &mut Session,
    replies: ObjectHandle,
    to: mqi::CorrelationId,
    within: Duration,
    browses: bool,
) -> Result<Option<(MessageDescriptor, bytes::Bytes)>> {
    let browse = if browses { GetFlags::BROWSE_NEXT } else { GetFlags::EMPTY };
    let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::ACCEPT_TRUNCATED_MSG | browse;
    let wait = Wait::Milliseconds(u32::try_from(within.as_millis()).unwrap_or(u32::MAX));
    let mut options = GetOptions::with(flags, wait);
    let mut descriptor = MessageDescriptor { correlation_id: to, ..MessageDescriptor::default() };
    match session.verbs().get(replies, &mut descriptor, &mut options, ANSWER_BYTES_MAX) {
        Ok(got) => Ok(Some((descriptor, got.body))),
        Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
        Err(reason) => Err(Failure::of_call("answers cannot be got".to_owned(), reason)),
    }
}

fn show(common: &Common, answers: &Answers) -> Result<()> {
    let mut out = output::standard();
    if common.output == Format::Json {
        for activity in answers.activities() {
            output::json_line(&mut out, &activity.as_json())?;
        }
        if let Some((_, route, feedback)) = &answers.reply {
            let counted = json!({
                "recorded": route.recorded, "unrecorded": route.unrecorded,
                "discontinuities": route.discontinuities, "feedback": feedback,
            });
            output::json_line(&mut out, &counted)?;
        }
        return Ok(out.flush()?);
    }
    for activity in answers.activities() {
        let (application, description) = (harmless(&activity.application), harmless(&activity.description));
        writeln!(out, "{application}: {description}")?;
        for line in lines(activity) {
            writeln!(out, "  {}", harmless(&line))?;
        }
    }
    for fault in &answers.faults {
        writeln!(out, "an answer does not read: {}", harmless(fault))?;
    }
    if let Some((_, route, feedback)) = &answers.reply {
        let ended = match *feedback {
            MQFB_NONE => "it was put on its target queue".to_owned(),
            feedback => {
                let name = names_of(feedback, "MQFB_").next().unwrap_or("unknown");
                format!("it was discarded with feedback {feedback}, {name}")
            }
        };
        writeln!(out, "activities: {} recorded, {} not; {ended}", route.recorded, route.unrecorded)?;
    }
    Ok(out.flush()?)
}

/// The operations of an activity, a line each.
pub(crate) fn lines(activity: &Activity) -> Vec<String> {
    let line = |operation: &Operation| {
        let facts: Vec<String> =
            operation.facts.iter().map(|(label, value)| format!("{label} {value}")).collect();
        format!(
            "{:8} {} at {}: {}",
            word_of(operation.kind),
            operation.at,
            operation.queue_manager,
            facts.join(", ")
        )
    };
    activity.operations.iter().map(line).collect()
}
