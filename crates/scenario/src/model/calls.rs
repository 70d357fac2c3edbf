//! The effects of the verbs.

use mqi::{
    AttributeValue, GetFlags, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags,
    PutOptions, Reason, RequestOptions, Selector, StatusType, SubscribeOptions, constants,
};

use super::definitions::Kind;
use super::getting::{Asked, Cursor};
use super::groups::{Calls, Course};
use super::known::{check, is_of_no_concern, question};
use super::publishing::Publishing;
use super::putting::{Carried, Target, is_asynchronous};
use super::queue::{Message, QueueId};
use super::selecting::Selector as Condition;
use super::{Client, Manager, Outcome, Time, Unmodelled, Version, refused};
use crate::call::Counts;
use crate::through::Through;
use crate::{Call, Expected};

/// An open queue.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    /// The name it was opened by.
    pub(super) name: String,
    pub(super) queue: QueueId,
    pub(super) options: OpenOptions,
    /// True if it has exclusive input.
    pub(super) exclusive: bool,
    /// True if closing it ends the queue: it made a temporary one.
    pub(super) is_creator: bool,
    pub(super) cursor: Option<Cursor>,
    /// Of its puts, its gets and its browses.
    pub(super) courses: [Course; 3],
    /// Courses of puts and gets before the open unit of work moved them.
    pub(super) courses_before: [Option<Course>; 2],
    /// The context of the message it got last, when it keeps that.
    pub(super) saved: Option<Box<MessageDescriptor>>,
    pub(super) selector: Option<Condition>,
    /// DEFPRESP as it was when it was opened.
    pub(super) puts_asynchronously: bool,
}

impl Handle {
    /// A put or get is about to move its course, within a unit of work or not.
    pub(super) fn keep_course(&mut self, calls: Calls, within: bool) {
        let before = &mut self.courses_before[calls as usize];
        let first = before.take().unwrap_or_else(|| self.courses[calls as usize].clone());
        *before = within.then_some(first);
    }
}

/// A get under way.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) queue: QueueId,
    pub(super) deadline: Option<Time>,
    /// Number of the wait: the lowest is served first.
    pub(super) number: u64,
    pub(super) asked: Asked,
}

/// Outcomes of asynchronous puts, since the last report.
#[derive(Clone, Debug, Default)]
pub(super) struct Counted {
    counts: Counts,
    reason: Option<Reason>,
    need: Version,
    /// True if the unit of work must not stand.
    pub(super) is_unit_failed: bool,
}

/// A reply that comes at once, or none yet.
pub(super) type Replied = Result<Option<(Expected, Version)>, Reason>;

pub(super) fn inputs() -> OpenOptions {
    OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE
}

impl Handle {
    pub(super) fn gets(&self) -> bool {
        self.options.intersects(inputs())
    }

    pub(super) fn co_operates(&self) -> bool {
        self.options.contains(OpenOptions::CO_OP)
    }

    /// True if the selector it was opened with takes a message.
    pub(super) fn selects(&self, message: &Message) -> bool {
        self.selector.as_ref().is_none_or(|selector| selector.takes(message))
    }
}

/// True if a call asks to fail where the queue manager quiesces.
fn is_to_fail(call: &Call) -> bool {
    match call {
        Call::Open { options, .. } => options.contains(OpenOptions::FAIL_IF_QUIESCING),
        Call::Put { options, .. } | Call::Put1 { options, .. } => {
            options.flags.contains(PutFlags::FAIL_IF_QUIESCING)
        }
        Call::Get { options, .. } => options.flags.contains(GetFlags::FAIL_IF_QUIESCING),
        Call::Subscribe { descriptor, .. } => {
            descriptor.options.contains(SubscribeOptions::FAIL_IF_QUIESCING)
        }
        Call::Request { options, .. } => options.contains(RequestOptions::FAIL_IF_QUIESCING),
        Call::Naming { call, .. } | Call::Through { call, .. } => is_to_fail(call),
        _ => false,
    }
}

impl Manager {
    /// A client makes a call. Its outcome is asked for with [`told`](Self::told).
    ///
    /// # Errors
    /// When the model does not know such calls.
    pub(crate) fn call(&mut self, client: &str, call: &Call) -> Result<(), Unmodelled> {
        check(call)?;
        let carried = self.carried(client, call)?;
        self.expire();
        let is_late = self.is_quiescing && !self.clients.contains_key(client);
        let caller = self.client(client);
        (caller.outcome, caller.given) = (None, None);
        caller.is_late |= is_late;
        if caller.is_late {
            caller.outcome = Some(Outcome { reply: Some(refused(Reason::Q_MGR_QUIESCING)), need: 0 });
            return Ok(());
        }
        if self.is_quiescing && matches!(call, Call::Consume { .. } | Call::Control(_)) {
            return Err(Unmodelled::change("consumers of a queue manager that quiesces"));
        }
        if let Call::Handle(call) = call {
            let reply = self.call_on_handle(client, call);
            self.client(client).outcome = Some(Outcome { reply, need: 0 });
            return Ok(());
        }
        if is_of_no_concern(call) {
            self.client(client).outcome = Some(Outcome { reply: None, need: 0 });
            return Ok(());
        }
        if let Call::Convert(conversion) = call {
            self.client(client).outcome =
                Some(Outcome { reply: Some(super::converting::reply(conversion)), need: 0 });
            return Ok(());
        }
        let (reply, need) = match self.try_call(client, call, carried) {
            Ok(None) => return Ok(()),
            Ok(Some(replied)) => replied,
            // A refusal for what the queues are depends on what made them so.
            Err(reason) => (refused(reason), self.first_version),
        };
        let reply = question(call).is_none().then_some(reply);
        self.client(client).outcome = Some(Outcome { reply, need });
        Ok(())
    }

    fn try_call(&mut self, client: &str, call: &Call, carried: Result<Carried<'_>, Reason>) -> Replied {
        match call {
            Call::Through { call, through } if !through.is_usual() => {
                return match self.chosen(client, call, *through) {
                    Some(handle) => self.try_call_through(client, call, carried, handle),
                    None => carried.and_then(|_| self.misdirected(client, call)),
                };
            }
            Call::Through { call, .. } => return self.try_call(client, call, carried),
            _ => {}
        }
        let handle = match call.needs_open() {
            Some((name, options)) => self.handle(client, name.as_str(), options)?,
            None => 0,
        };
        self.try_call_through(client, call, carried, handle)
    }

    /// The handle that a call chooses, if it is one of the client's.
    fn chosen(&mut self, client: &str, call: &Call, through: Through) -> Option<u64> {
        let client = self.client(client);
        let handle = match (through.number(), through.opened_for()) {
            (Some(number), _) => {
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                *client.opened.get(index)?
            }
            (None, Some(options)) => {
                *client.open.get(&(call.object()?.as_str().to_owned(), options.bits()))?
            }
            (None, None) => return None,
        };
        let is_open = client.handles.contains_key(&handle) || client.publishing.contains_key(&handle);
        is_open.then_some(handle)
    }

    fn try_call_through(
        &mut self,
        client: &str,
        call: &Call,
        carried: Result<Carried<'_>, Reason>,
        handle: u64,
    ) -> Replied {
        if self.is_quiescing && is_to_fail(call) {
            return Err(Reason::Q_MGR_QUIESCING);
        }
        if let Some(to) = self.client(client).publishing.get(&handle).cloned() {
            return self.try_publish(client, call, carried, (handle, &to));
        }
        let is_open_for = |client: &Client, option| client.handles[&handle].options.contains(option);
        match call {
            Call::Close { options, .. } if handle != 0 => self.close_one(client, handle, *options),
            Call::Open { object, options } => {
                self.open(client, object, *options)?;
                self.done(0)
            }
            Call::Close { name, options } => self.close(client, name.as_str(), *options),
            Call::Put { options, .. } => {
                let carried = carried?;
                let open = self.client(client).handles[&handle].clone();
                let Handle { name: opened, queue, .. } = open;
                let options = &*options.answered_as(open.puts_asynchronously);
                let target = Target { name: &opened, queue, handle: Some(handle) };
                let put = super::putting::check_by_handle(options.flags);
                let put = put.and_then(|()| match is_open_for(self.client(client), OpenOptions::OUTPUT) {
                    true => Ok(()),
                    false => Err(Reason::NOT_OPEN_FOR_OUTPUT),
                });
                let put = put.and_then(|()| self.put(client, target, &carried, options));
                self.reflect(&carried, &put, options.flags);
                let default = || self.objects.get(&opened).is_some_and(|opened| opened.is("DEFPSIST", "YES"));
                let takes_unit = is_persistent(&carried.descriptor, default);
                self.answer(client, options.flags, put, (&opened, Some(queue)), takes_unit)
            }
            Call::Put1 { object, options, .. } => {
                let carried = carried?;
                let put = self.put1(client, object, &carried, options);
                self.reflect(&carried, &put, options.flags);
                let takes_unit = is_persistent(&carried.descriptor, || self.defaults_to_persistent(object));
                self.answer(client, options.flags, put, (object.object_name.as_str(), None), takes_unit)
            }
            Call::Get { descriptor, options, bytes_max, .. } => {
                let message_handle = carried?.message_handle;
                self.get(client, handle, (descriptor, options), (*bytes_max, message_handle))
            }
            Call::Naming { call, .. } => self.try_call(client, call, carried),
            Call::Subscribe { name, descriptor, into } => {
                self.subscribe(client, *name, descriptor, into.map(|_| handle))
            }
            Call::Unsubscribe { name, options } => self.unsubscribe(client, name.as_str(), *options),
            Call::Request { name, action, options } => self.request(client, name.as_str(), *action, *options),
            Call::Set { .. } if !is_open_for(self.client(client), OpenOptions::SET) => {
                Err(Reason::NOT_OPEN_FOR_SET)
            }
            Call::Inquire { .. } if !is_open_for(self.client(client), OpenOptions::INQUIRE) => {
                Err(Reason::NOT_OPEN_FOR_INQUIRE)
            }
            Call::Set { .. } | Call::Inquire { .. } if self.is_gone(client, handle) => Err(Reason::Q_DELETED),
            Call::Set { values, .. } => {
                let name = self.client(client).handles[&handle].name.clone();
                self.set(&name, values)
            }
            Call::Connect(_) => {
                self.end(client, false);
                if self.is_quiescing { Err(Reason::Q_MGR_QUIESCING) } else { self.done(0) }
            }
            Call::Consume { get, asked } => self.consume(client, handle, get, *asked),
            Call::Control(control) => super::consuming::control(*control).and_then(|()| self.done(0)),
            Call::Begin if self.client(client).unit.is_empty() => Err(Reason::NO_EXTERNAL_PARTICIPANTS),
            Call::Begin => Err(Reason::UOW_IN_PROGRESS),
            Call::Commit | Call::Disconnect | Call::Prepare if self.client(client).counted.is_unit_failed => {
                if matches!(call, Call::Disconnect) {
                    self.end(client, false);
                } else {
                    self.back_out(client);
                }
                Err(Reason::BACKED_OUT)
            }
            Call::Prepare => self.prepare(client),
            Call::Decide { commits } => self.decide(*commits),
            Call::Commit => {
                let need = self.commit(client);
                self.done(need)
            }
            Call::Back => {
                self.back_out(client);
                self.done(0)
            }
            Call::Disconnect => {
                let need = self.end(client, true);
                self.done(need)
            }
            Call::Inquire { selector, .. } => self.inquire(client, handle, *selector),
            Call::Stat(StatusType::AsyncError) => Ok(Some(self.tell_counted(client))),
            Call::Stat(_) => Err(Reason::ENVIRONMENT_ERROR),
            Call::Handle(_) | Call::Convert(_) => unreachable!("no queue is asked"),
            Call::Through { .. } => unreachable!("a call that chooses its handle was refused above"),
        }
    }

    /// True if the queue of a handle is gone.
    fn is_gone(&mut self, client: &str, handle: u64) -> bool {
        let queue = self.client(client).handles[&handle].queue;
        !self.queues.contains_key(&queue)
    }

    /// Returns the result of a call through a handle of nothing.
    fn misdirected(&mut self, client: &str, call: &Call) -> Replied {
        let none = Reason::HOBJ_ERROR;
        match call {
            Call::Naming { call, .. } => self.misdirected(client, call),
            Call::Close { options, .. } => {
                super::opening::check_close(*options).map_or_else(Err, |()| Err(none))
            }
            Call::Put { options, descriptor, .. } => {
                let put = super::putting::check_by_handle(options.flags).map_or_else(Err, |()| Err(none));
                self.answer(client, options.flags, put, ("", None), is_persistent(descriptor, || true))
            }
            Call::Get { options, .. } => {
                super::browsing::check_unlock(options).map_or_else(Err, |()| Err(none))
            }
            _ => Err(none),
        }
    }

    /// Returns the result of a call on an open topic.
    fn try_publish(
        &mut self,
        client: &str,
        call: &Call,
        carried: Result<Carried<'_>, Reason>,
        (handle, to): (u64, &Publishing),
    ) -> Replied {
        match call {
            Call::Naming { call, .. } => self.try_publish(client, call, carried, (handle, to)),
            Call::Close { options, .. } => self.close_one(client, handle, *options),
            Call::Put { options, .. } => {
                let carried = carried?;
                let put = super::putting::check_by_handle(options.flags);
                let put = put.and_then(|()| self.publish(client, to, true, &carried, options));
                self.reflect(&carried, &put, options.flags);
                let takes_unit = is_persistent(&carried.descriptor, || self.publishes_persistently(to));
                self.answer(client, options.flags, put, (&to.name, None), takes_unit)
            }
            Call::Get { options, .. } => {
                super::browsing::check_unlock(options)?;
                Err(Reason::NOT_OPEN_FOR_INPUT)
            }
            Call::Set { .. } => Err(Reason::NOT_OPEN_FOR_SET),
            _ => Err(Reason::NOT_OPEN_FOR_INQUIRE),
        }
    }

    fn put1(
        &mut self,
        client: &str,
        object: &ObjectDescriptor,
        carried: &Carried<'_>,
        options: &PutOptions,
    ) -> Replied {
        super::putting::check(options.flags)?;
        if options.flags.contains(PutFlags::LOGICAL_ORDER) {
            return Err(Reason::OPTIONS_ERROR);
        }
        if let Some(meant) = self.meant_topic(object) {
            return self.publish(client, &meant?, false, carried, options);
        }
        let name = object.object_name.as_str();
        let queue = self.resolve(name)?;
        self.put(client, Target { name, queue, handle: None }, carried, options)
    }

    /// Returns true if messages put by a name are persistent by default, and where the name leads nowhere.
    fn defaults_to_persistent(&self, object: &ObjectDescriptor) -> bool {
        if let Some(meant) = self.meant_topic(object) {
            return meant.map_or(true, |to| self.publishes_persistently(&to));
        }
        let name = object.object_name.as_str();
        self.resolve(name).is_err() || self.objects[name].is("DEFPSIST", "YES")
    }

    /// Answers a put: with nothing, at once, if nobody waits for its outcome. A failed put may take its unit
    /// of work with it.
    fn answer(
        &mut self,
        client: &str,
        flags: PutFlags,
        put: Replied,
        (name, queue): (&str, Option<QueueId>),
        takes_unit: bool,
    ) -> Replied {
        // What a program's own side refuses is refused at once.
        if !is_asynchronous(flags) || put == Err(Reason::MD_ERROR) {
            return put;
        }
        let name_of = |id| self.objects.iter().find(|(_, definition)| definition.queue == Some(id));
        // A queue that is gone had the name that it was opened by: it was a temporary one.
        let led_to = queue.map(|queue| name_of(queue).map_or(name, |(found, _)| found.as_str()));
        let led_to = led_to.unwrap_or_default();
        let objects = name.parse().ok().zip(led_to.parse().ok());
        let counted = &mut self.client(client).counted;
        let Counts { puts, warnings, failures, .. } = &mut counted.counts;
        let told = match put {
            Ok(Some((Expected { reason: None, .. }, need))) => {
                (counted.need, *puts) = (counted.need.max(need), *puts + 1);
                return self.done(0);
            }
            Ok(Some((Expected { reason, .. }, need))) => {
                (counted.need, *warnings) = (counted.need.max(need), *warnings + 1);
                reason.filter(|_| counted.reason.is_none())
            }
            Ok(None) => unreachable!("a put does not wait"),
            Err(reason) => {
                *failures += 1;
                counted.is_unit_failed |= takes_unit && flags.contains(PutFlags::SYNCPOINT);
                Some(reason).filter(|_| *failures == 1)
            }
        };
        if told.is_some() {
            counted.reason = told;
            counted.counts.objects = objects;
        }
        self.done(0)
    }

    /// MQSTAT tells what was counted, once.
    fn tell_counted(&mut self, client: &str) -> (Expected, Version) {
        let counted = &mut self.client(client).counted;
        let Counted { counts, reason, need, is_unit_failed } = std::mem::take(counted);
        counted.is_unit_failed = is_unit_failed;
        let reply = Expected { counts: Some(counts), reason, ..Expected::default() };
        (reply, need)
    }

    pub(super) fn done(&self, need: Version) -> Replied {
        Ok(Some((Expected::default(), need)))
    }

    pub(super) fn client(&mut self, name: &str) -> &mut Client {
        self.clients.entry(name.to_owned()).or_default()
    }

    /// All handles of all clients.
    pub(super) fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.clients.values().flat_map(|client| client.handles.values())
    }

    /// Number of handles that get from a queue.
    pub(super) fn inputs(&self, id: QueueId) -> usize {
        self.handles().filter(|handle| handle.queue == id && handle.gets()).count()
    }

    fn inquire(&mut self, client: &str, handle: u64, selector: Selector) -> Replied {
        let handle = self.client(client).handles[&handle].clone();
        let queue = &self.queues[&handle.queue];
        let of_queue = |wanted: &dyn Fn(&Handle) -> bool| {
            self.handles().filter(|other| other.queue == handle.queue && wanted(other)).count()
        };
        let definition = &self.objects[&handle.name];
        let inhibited = |keyword| i32::from(definition.is(keyword, "DISABLED"));
        let count = |count: usize| i32::try_from(count).expect("a count");
        let value = match selector.0 {
            constants::MQCA_Q_DESC => AttributeValue::from(definition.attributes["DESCR"].as_str()),
            constants::MQIA_INHIBIT_PUT => AttributeValue::Integer(inhibited("PUT")),
            constants::MQIA_INHIBIT_GET => AttributeValue::Integer(inhibited("GET")),
            constants::MQIA_TRIGGER_CONTROL if definition.kind == Kind::Local => {
                AttributeValue::Integer(i32::from(definition.is("TRIGGER", "YES")))
            }
            _ if definition.kind != Kind::Local => return Err(Reason::SELECTOR_NOT_FOR_TYPE),
            constants::MQIA_CURRENT_Q_DEPTH => AttributeValue::Integer(count(queue.depth())),
            constants::MQIA_OPEN_INPUT_COUNT => AttributeValue::Integer(count(of_queue(&Handle::gets))),
            constants::MQIA_OPEN_OUTPUT_COUNT => {
                let puts = |other: &Handle| other.options.contains(OpenOptions::OUTPUT);
                AttributeValue::Integer(count(of_queue(&puts)))
            }
            _ => AttributeValue::Integer(count(definition.number("MAXDEPTH"))),
        };
        Ok(Some((Expected { value: Some(value), ..Expected::default() }, queue.changed)))
    }

    /// All attributes of an object are set, or none.
    fn set(&mut self, name: &str, values: &[(Selector, AttributeValue)]) -> Replied {
        let mut definition = self.objects[name].clone();
        for (selector, value) in values {
            let number = |max: i32, refusal: Reason| match value {
                AttributeValue::Integer(number) if (0..=max).contains(number) => Ok(number.to_string()),
                _ => Err(refusal),
            };
            let (keyword, word) = match selector.0 {
                constants::MQIA_TRIGGER_CONTROL => {
                    let on = number(1, Reason::TRIGGER_CONTROL_ERROR)? == "1";
                    ("TRIGGER", if on { "YES" } else { "NO" }.to_owned())
                }
                constants::MQIA_TRIGGER_MSG_PRIORITY => {
                    ("TRIGMPRI", number(9, Reason::TRIGGER_MSG_PRIORITY_ERR)?)
                }
                constants::MQIA_TRIGGER_DEPTH => {
                    ("TRIGDPTH", number(999_999_999, Reason::TRIGGER_DEPTH_ERROR)?)
                }
                selector => (inhibition(selector)?, inhibited(value)?.to_owned()),
            };
            definition.attributes.insert(keyword.to_owned(), word);
        }
        self.change(name, definition);
        let need = self.note();
        self.done(need)
    }
}

/// Returns the persistence that a message states, and otherwise the default.
fn is_persistent(descriptor: &MessageDescriptor, default: impl FnOnce() -> bool) -> bool {
    match descriptor.persistence {
        Persistence::Persistent => true,
        Persistence::NotPersistent => false,
        Persistence::AsQueueDefault => default(),
    }
}

/// The keyword of an attribute that allows or inhibits.
fn inhibition(selector: i32) -> Result<&'static str, Reason> {
    match selector {
        constants::MQIA_INHIBIT_PUT => Ok("PUT"),
        constants::MQIA_INHIBIT_GET => Ok("GET"),
        _ => Err(Reason::SELECTOR_ERROR),
    }
}

fn inhibited(value: &AttributeValue) -> Result<&'static str, Reason> {
    match value {
        AttributeValue::Integer(0) => Ok("ENABLED"),
        AttributeValue::Integer(1) => Ok("DISABLED"),
        _ => Err(Reason::INHIBIT_VALUE_ERROR),
    }
}
