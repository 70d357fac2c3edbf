//! DISPLAY ROUTE: the way of a message from a name to the queue or the channel that takes it.
//!
//! Lives here: the steps as rows. Lives elsewhere: the steps themselves, by the function that puts by name
//! use (`naming::resolve`).

use mqi::{ObjectDescriptor, ObjectName, QueueManagerName, Reason};
use objects::attributes::{
    ROUTE_CHANNEL, ROUTE_ELSEWHERE, ROUTE_END, ROUTE_LOCAL, ROUTE_NOWHERE, ROUTE_OBJECT,
};
use objects::{Attribute, ChannelAttributes, Message, StatusType, Subject, Trigger, Value, messages};
use queues::gate::BehindGate;
use queues::queue::Queue;
use storage::Direction;

use super::display::Answer;
use super::values::count;
use crate::authority::commands;
use crate::engine::Engine;
use crate::message_channels::Standing;
use crate::naming::resolve::{Resolved, ResolvedQueue};
use crate::naming::trail::{Look, SeenObject};
use crate::naming::way::Elsewhere;

const SUBJECT: Subject = Subject::Status(StatusType::Route);

/// The last step.
struct End {
    ends: i32,
    reason: Reason,
    /// The queue that takes the messages, and where they go from there.
    queue: Option<ObjectName>,
    elsewhere: Option<Elsewhere>,
    rule: String,
}

/// A channel that takes messages from a transmission queue.
struct Leaving {
    attributes: ChannelAttributes,
    state: i32,
    partner: String,
    rule: String,
}

/// The rule of an end that its caller may not display.
const HIDDEN: &str = "the way goes on over objects that you have no right to display";

impl Answer<'_> {
    /// The steps from a name, each with its rule; the channels that take the messages; the end.
    pub(super) fn route(
        &mut self,
        engine: &Engine,
        name: ObjectName,
        queue_manager: QueueManagerName,
    ) -> Message {
        let object =
            ObjectDescriptor { object_queue_manager_name: queue_manager, ..ObjectDescriptor::queue(name) };
        let mut looks: Vec<Look> = Vec::new();
        let (need, resolved) = engine.directory.resolve_by(&object, &mut looks);
        self.needs(need);
        let mut step = 0;
        let mut is_last_shown = true;
        for look in &looks {
            is_last_shown = self.reach.has(commands::queue(look.name));
            if is_last_shown {
                step += 1;
                if !self.has_turn(|| format!("{step:010}")) {
                    continue;
                }
                self.add(SUBJECT, &messages::ROUTE_DETAILS, |row| look_value(engine, row, step, look));
            }
        }
        let end = match resolved {
            Ok(Resolved::Queue(ResolvedQueue { queue, way, .. })) => {
                match way.as_deref().and_then(|way| way.elsewhere) {
                    None => at_queue(&queue),
                    Some(elsewhere) => {
                        let channels = self.leave_by(engine, &queue, &mut step);
                        leaves(&queue, elsewhere, channels)
                    }
                }
            }
            Ok(Resolved::Model(_)) => dead_end(
                Reason::NONE,
                "an open of this model makes a queue; no message arrives at the model itself",
            ),
            Ok(Resolved::Topic(_)) => End {
                ends: ROUTE_LOCAL,
                ..dead_end(
                    Reason::NONE,
                    "the alias stands for a topic, and each of its subscribers has a copy",
                )
            },
            Ok(Resolved::Manager | Resolved::Defined(_)) => dead_end(Reason::NONE, "it is no queue"),
            Err(reason) => dead_end(reason, &why_not(reason, &looks)),
        };
        // What the end says is about the last name, and that may be for others.
        let end = if is_last_shown {
            end
        } else {
            End { queue: None, elsewhere: None, rule: HIDDEN.to_owned(), ..end }
        };
        step += 1;
        if self.has_turn(|| format!("{step:010}")) {
            self.add(SUBJECT, &messages::ROUTE_DETAILS, |row| end_value(engine, row, step, &end));
        }
        Message::new(&messages::NOTHING_MATCHES, ["route", name.as_str()])
    }

    /// The channels that take messages from a transmission queue; how many there are.
    fn leave_by(&mut self, engine: &Engine, queue: &Queue, step: &mut u32) -> usize {
        let mut shown = 0;
        for attributes in engine.directory.message_channels_defined() {
            let takes = attributes.kind.sends() && attributes.transmission_queue == Some(queue.name);
            if !takes || !self.reach.has(commands::channel(attributes.name)) {
                continue;
            }
            let leaving = leaving(engine, queue, attributes);
            *step += 1;
            let step = *step;
            shown += 1;
            if !self.has_turn(|| format!("{step:010}")) {
                continue;
            }
            self.add(SUBJECT, &messages::ROUTE_DETAILS, |row| channel_value(row, step, &leaving));
        }
        shown
    }
}

fn at_queue(queue: &Queue) -> End {
    let inhibited =
        if queue.attributes().put_inhibited { ", which takes no messages now: PUT(DISABLED)" } else { "" };
    End {
        ends: ROUTE_LOCAL,
        reason: Reason::NONE,
        queue: Some(queue.name),
        elsewhere: None,
        rule: format!("the message arrives on queue {} here{inhibited}", queue.name),
    }
}

fn leaves(queue: &Queue, elsewhere: Elsewhere, channels: usize) -> End {
    let Elsewhere { queue: remote, queue_manager } = elsewhere;
    let (ends, rule) = match channels {
        0 => (
            ROUTE_NOWHERE,
            format!(
                "messages wait on {0}, and no sender or server channel takes them away: define one with XMITQ({0})",
                queue.name
            ),
        ),
        _ => {
            let rule = format!("the message leaves for queue {remote} of queue manager {queue_manager}");
            (ROUTE_ELSEWHERE, rule)
        }
    };
    End { ends, reason: Reason::NONE, queue: Some(queue.name), elsewhere: Some(elsewhere), rule }
}

fn dead_end(reason: Reason, rule: &str) -> End {
    End { ends: ROUTE_NOWHERE, reason, queue: None, elsewhere: None, rule: rule.to_owned() }
}

/// The reason for which a name leads nowhere, and the step that mends it.
fn why_not(reason: Reason, looks: &[Look]) -> String {
    let last = looks.last().map(|look| look.name).unwrap_or_default();
    match reason {
        Reason::UNKNOWN_OBJECT_NAME => {
            format!("nothing here has the name {last}: define it, or correct the name")
        }
        Reason::UNKNOWN_REMOTE_Q_MGR => format!(
            "no transmission queue or alias has the name {last}, and the queue manager has no DEFXMITQ: define a \
             transmission queue of that name, or set DEFXMITQ"
        ),
        Reason::UNKNOWN_ALIAS_BASE_Q => {
            format!("the alias stands for {last}, which does not exist: define it")
        }
        Reason::ALIAS_BASE_Q_TYPE_ERROR => {
            format!("the alias stands for {last}, and an alias stands for a local or a remote queue alone")
        }
        Reason::REMOTE_Q_NAME_ERROR => {
            "the definition names no queue of the other queue manager: give RNAME".to_owned()
        }
        Reason::UNKNOWN_XMIT_Q => {
            format!("XMITQ names {last}, which does not exist: define it with USAGE(XMITQ)")
        }
        Reason::XMIT_Q_USAGE_ERROR | Reason::DEF_XMIT_Q_USAGE_ERROR => {
            format!("{last} has USAGE(NORMAL): alter it to USAGE(XMITQ)")
        }
        Reason::XMIT_Q_TYPE_ERROR | Reason::DEF_XMIT_Q_TYPE_ERROR => {
            format!("{last} is no local queue, and messages for another queue manager wait on one")
        }
        Reason::UNKNOWN_DEF_XMIT_Q => format!("DEFXMITQ names {last}, which does not exist: define it"),
        reason => format!("an open fails with {reason}"),
    }
}

/// A channel, with the reason why it does not run or does not start.
fn leaving(engine: &Engine, queue: &Queue, attributes: ChannelAttributes) -> Leaving {
    let name = attributes.name;
    let running = engine.message_channels.states().into_iter().find(|run| run.attributes.name == name);
    let schedule = engine.message_channels.schedule(&name);
    let states = engine.channel_states().into_inner();
    let met = states
        .iter()
        .rfind(|state| state.sync.channel == name.as_str() && state.sync.direction == Direction::Sends);
    let partner =
        running.as_ref().map(|run| run.progress.partner.clone()).filter(|partner| !partner.is_empty());
    let partner = partner.or_else(|| met.map(|state| state.sync.partner.clone())).unwrap_or_default();
    let fault = schedule.last_error.as_ref().map(|error| error.text.as_str()).unwrap_or_default();
    let state = running.as_ref().map_or_else(|| schedule.standing.state(), |run| run.progress.state.value());
    let rule = match schedule.standing {
        Standing::Stopped if fault.is_empty() => "a command stopped it: START CHANNEL lets it run".to_owned(),
        Standing::Stopped => format!("it stopped: {fault}; then START CHANNEL"),
        Standing::Retries(_) => format!("it tries again by itself: {fault}"),
        _ if running.is_some() => "it takes messages from the transmission queue".to_owned(),
        _ => {
            if starts_by_itself(engine, queue, &attributes) {
                "a message starts it".to_owned()
            } else {
                format!(
                    "no message starts it: START CHANNEL does, or TRIGGER INITQ(SYSTEM.CHANNEL.INITQ) of queue {}",
                    queue.name
                )
            }
        }
    };
    Leaving { attributes, state, partner, rule }
}

fn starts_by_itself(engine: &Engine, queue: &Queue, attributes: &ChannelAttributes) -> bool {
    let trigger = queue.attributes().trigger.clone();
    let names = |trigger: &Trigger| {
        let named = trigger.data.trim();
        named.is_empty() || named == attributes.name.as_str()
    };
    attributes.calls()
        && trigger.is_some_and(|trigger| engine.directory.starts_channel(queue, &trigger) && names(&trigger))
}

fn look_value(engine: &Engine, row: &Attribute, step: u32, look: &Look) -> Option<Value> {
    let found = look.found.as_ref();
    let remote = found.and_then(|found| found.remote.as_ref());
    Some(match row.keyword {
        "STEP" => count(step),
        "KIND" => Value::Integer(ROUTE_OBJECT),
        "NAME" => Value::from(&look.name),
        "OBJTYPE" => Value::from(found.map_or("NONE", |found| found.object_type.keyword())),
        "RULE" => {
            let words = look.rule.words();
            Value::from(
                match found {
                    None => format!("{words}; nothing has the name {}", look.name),
                    Some(SeenObject { takes_puts: false, .. }) => format!("{words}; PUT(DISABLED)"),
                    Some(_) => words.to_owned(),
                }
                .as_str(),
            )
        }
        "TARGET" => Value::from(&found?.target?),
        "RNAME" => Value::from(&remote?.queue?),
        "RQMNAME" => Value::from(&remote?.queue_manager?),
        "XMITQ" => Value::from(&remote?.transmission_queue?),
        "CURDEPTH" => return depth(engine, &look.name),
        _ => return None,
    })
}

fn depth(engine: &Engine, name: &ObjectName) -> Option<Value> {
    let object = engine.directory.catalogue.find(name).object?;
    Some(count(object.queue()?.depth()))
}

fn channel_value(row: &Attribute, step: u32, leaving: &Leaving) -> Option<Value> {
    let Leaving { attributes, state, partner, rule } = leaving;
    Some(match row.keyword {
        "STEP" => count(step),
        "KIND" => Value::Integer(ROUTE_CHANNEL),
        "NAME" => Value::from(&attributes.name),
        "RULE" => Value::from(rule.as_str()),
        "RQMNAME" if !partner.is_empty() => Value::from(partner.as_str()),
        "XMITQ" => Value::from(&attributes.transmission_queue?),
        "CHLTYPE" => Value::Integer(attributes.kind.object_type().subtype_value()?),
        "STATUS" => Value::Integer(*state),
        "CONNAME" => Value::from(&*attributes.connection_name),
        _ => return None,
    })
}

fn end_value(engine: &Engine, row: &Attribute, step: u32, end: &End) -> Option<Value> {
    let elsewhere = end.elsewhere.as_ref();
    Some(match row.keyword {
        "STEP" => count(step),
        "KIND" => Value::Integer(ROUTE_END),
        "NAME" if elsewhere.is_none() => Value::from(&end.queue?),
        "XMITQ" if elsewhere.is_some() => Value::from(&end.queue?),
        "RULE" => Value::from(end.rule.as_str()),
        "RNAME" => Value::from(&elsewhere?.queue),
        "RQMNAME" => Value::from(&ObjectName::from(elsewhere?.queue_manager)),
        "CURDEPTH" => return depth(engine, &end.queue?),
        "ENDS" => Value::Integer(end.ends),
        "REASON" => Value::Integer(end.reason.code()),
        _ => return None,
    })
}
