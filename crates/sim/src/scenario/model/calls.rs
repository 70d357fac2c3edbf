//! What the verbs do.

use std::collections::BTreeSet;

use bytes::Bytes;
use mqi::{
    AttributeValue, CloseOptions, Expiry, GetFlags, GetOptions, MatchOptions, MessageDescriptor,
    ObjectDescriptor, OpenOptions, Persistence, Priority, PutFlags, PutOptions, Reason, Selector,
    Wait as Patience, constants,
};

use super::definitions::{Definition, Kind};
use super::queue::{Place, QueueId, Wanted};
use super::reports::{Asked as ReportsAsked, Kind as ReportKind};
use super::{Client, Manager, Message, Outcome, State, Time, Unmodelled, Version, refused};
use crate::scenario::call::kinds_served;
use crate::scenario::{Call, Expected};

/// An open queue.
#[derive(Clone, Debug)]
pub(super) struct Handle {
    /// The name it was opened by.
    pub(super) name: String,
    pub(super) queue: QueueId,
    options: OpenOptions,
    /// Whether it gets alone.
    exclusive: bool,
    cursor: Option<Place>,
    /// Whether closing it ends the queue: it made a temporary one.
    is_creator: bool,
}

/// A get under way.
#[derive(Clone, Debug)]
pub(super) struct Wait {
    pub(super) queue: QueueId,
    pub(super) deadline: Option<Time>,
    /// Who waited first is served first.
    number: u64,
    asked: Asked,
}

/// What a get asks for.
#[derive(Clone, Debug)]
struct Asked {
    handle: u64,
    wanted: Wanted,
    flags: GetFlags,
    bytes_max: usize,
}

/// A reply that comes at once, or none yet.
type Replied = Result<Option<(Expected, Version)>, Reason>;

fn inputs() -> OpenOptions {
    OpenOptions::INPUT_AS_Q_DEF | OpenOptions::INPUT_SHARED | OpenOptions::INPUT_EXCLUSIVE
}

impl Handle {
    fn gets(&self) -> bool {
        self.options.intersects(inputs())
    }
}

impl Manager {
    /// A client makes a call. Its outcome is asked for with [`told`](Self::told).
    ///
    /// # Errors
    /// When the model does not know such calls.
    pub(in crate::scenario) fn call(&mut self, client: &str, call: &Call) -> Result<(), Unmodelled> {
        check(call)?;
        self.expire();
        self.clients.entry(client.to_owned()).or_default().outcome = None;
        let (reply, need) = match self.try_call(client, call) {
            Ok(None) => return Ok(()),
            Ok(Some(replied)) => replied,
            // A refusal for what the queues are depends on what made them so.
            Err(reason) => (refused(reason), self.first_version),
        };
        let reply = question(call).is_none().then_some(reply);
        self.client(client).outcome = Some(Outcome { reply, need });
        Ok(())
    }

    fn try_call(&mut self, client: &str, call: &Call) -> Replied {
        let handle = match call.needs_open() {
            Some((name, options)) => self.handle(client, name.as_str(), options)?,
            None => 0,
        };
        match call {
            Call::Open { object, options } => {
                self.open(client, object, *options)?;
                self.done(0)
            }
            Call::Close { name, options } => self.close(client, name.as_str(), *options),
            Call::Put { descriptor, options, body, .. } => {
                let handle = self.client(client).handles[&handle].clone();
                self.put(client, (&handle.name, handle.queue), descriptor, options, body)
            }
            Call::Put1 { name, descriptor, options, body } => {
                check_put(options)?;
                let queue = self.resolve(name.as_str())?;
                self.put(client, (name.as_str(), queue), descriptor, options, body)
            }
            Call::Get { descriptor, options, bytes_max, .. } => {
                let asked = Asked {
                    handle,
                    wanted: wanted(descriptor, options),
                    flags: options.flags,
                    bytes_max: *bytes_max,
                };
                self.get(client, asked, options.wait)
            }
            Call::Set { name, values } => self.set(name.as_str(), values),
            Call::Begin if self.client(client).unit.is_empty() => Err(Reason::NO_EXTERNAL_PARTICIPANTS),
            Call::Begin => Err(Reason::UOW_IN_PROGRESS),
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
            Call::Stat(_) => unreachable!("the model does not know what puts came to"),
            // They change nothing that a queue manager knows, and their answers are not judged.
            Call::Handle(_) => self.done(0),
            Call::Naming { .. } => unreachable!("a call that names handles was refused above"),
        }
    }

    fn done(&self, need: Version) -> Replied {
        Ok(Some((Expected::default(), need)))
    }

    pub(super) fn client(&mut self, name: &str) -> &mut Client {
        self.clients.entry(name.to_owned()).or_default()
    }

    /// All handles of all clients.
    pub(super) fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.clients.values().flat_map(|client| client.handles.values())
    }

    /// How many handles get from a queue.
    pub(super) fn inputs(&self, id: QueueId) -> usize {
        self.handles().filter(|handle| handle.queue == id && handle.gets()).count()
    }

    /// The client's handle for a kind of call on a queue, which is opened if it is not.
    fn handle(&mut self, client: &str, name: &str, options: OpenOptions) -> Result<u64, Reason> {
        if let Some(handle) = self.client(client).open.get(&(name.to_owned(), options.bits())) {
            return Ok(*handle);
        }
        let object_name = name.parse().expect("the name of a queue that was read as one");
        self.open(client, &ObjectDescriptor { object_name, ..ObjectDescriptor::default() }, options)
    }

    /// Why a handle cannot be used any more: its queue is gone, or its name leads to another.
    fn still_leads(&self, name: &str, queue: QueueId) -> Result<(), Reason> {
        if !self.queues.contains_key(&queue) {
            return Err(Reason::Q_DELETED);
        }
        if self.resolve(name) == Ok(queue) { Ok(()) } else { Err(Reason::OBJECT_CHANGED) }
    }

    /// The queue that a name leads to.
    pub(super) fn resolve(&self, name: &str) -> Result<QueueId, Reason> {
        let found = self.objects.get(name).ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
        match found.kind {
            Kind::Local => Ok(found.queue.expect("a local queue has messages")),
            Kind::Model => Err(Reason::UNKNOWN_OBJECT_NAME),
            Kind::Alias => {
                let target = &found.attributes["TARGET"];
                let base = self.objects.get(target).ok_or(if target.is_empty() {
                    Reason::ALIAS_BASE_Q_TYPE_ERROR
                } else {
                    Reason::UNKNOWN_ALIAS_BASE_Q
                })?;
                base.queue.ok_or(Reason::ALIAS_BASE_Q_TYPE_ERROR)
            }
        }
    }

    fn open(&mut self, client: &str, object: &ObjectDescriptor, options: OpenOptions) -> Result<u64, Reason> {
        let asked = object.object_name.as_str().to_owned();
        let (name, is_creator) = match self.objects.get(&asked) {
            Some(model) if model.kind == Kind::Model => {
                let model = model.clone();
                self.make_dynamic(&model, object.dynamic_queue_name.as_str())?
            }
            _ => (asked, false),
        };
        let queue = self.resolve(&name)?;
        let base = self.definition_of(queue).expect("a queue has a definition");
        let by_default = options.contains(OpenOptions::INPUT_AS_Q_DEF) && base.is("DEFSOPT", "EXCL");
        let exclusive = options.contains(OpenOptions::INPUT_EXCLUSIVE) || by_default;
        let others = self.inputs(queue);
        let is_held = self.handles().any(|handle| handle.queue == queue && handle.exclusive);
        if options.intersects(inputs()) && (is_held || others > 0 && (exclusive || base.is("SHARE", "NO"))) {
            return Err(Reason::OBJECT_IN_USE);
        }
        let number = self.number();
        let handle = Handle { name: name.clone(), queue, options, exclusive, cursor: None, is_creator };
        let client = self.client(client);
        client.handles.insert(number, handle);
        for kind in kinds_served(options) {
            client.open.insert((name.clone(), kind.bits()), number);
        }
        if options.intersects(inputs()) && others == 0 {
            self.taken_from(queue);
        }
        Ok(number)
    }

    pub(super) fn definition_of(&self, queue: QueueId) -> Option<&Definition> {
        self.objects.values().find(|definition| definition.queue == Some(queue))
    }

    /// Makes a queue from a model: its name, and whether it ends with the handle.
    fn make_dynamic(&mut self, model: &Definition, name: &str) -> Result<(String, bool), Reason> {
        if self.objects.contains_key(name) {
            return Err(Reason::OBJECT_ALREADY_EXISTS);
        }
        let temporary = model.is("DEFTYPE", "TEMPDYN");
        let mut attributes = model.attributes.clone();
        attributes.remove("DEFTYPE");
        let definition = Definition { kind: Kind::Local, attributes, temporary, dynamic: true, queue: None };
        self.objects.insert(name.to_owned(), definition);
        self.make_queue(name);
        self.note();
        Ok((name.to_owned(), temporary))
    }

    fn close(&mut self, client: &str, name: &str, options: CloseOptions) -> Replied {
        let closing: BTreeSet<u64> = {
            let open = self.client(client).open.iter().filter(|((open, _), _)| open == name);
            open.map(|(_, handle)| *handle).collect()
        };
        self.client(client).open.retain(|(open, _), _| open != name);
        let mut last = Err(Reason::HOBJ_ERROR);
        for handle in closing {
            last = self.close_handle(client, handle, options);
        }
        let need = last?;
        self.done(need)
    }

    fn close_handle(&mut self, client: &str, handle: u64, options: CloseOptions) -> Result<Version, Reason> {
        let deletes = options.intersects(CloseOptions::DELETE | CloseOptions::DELETE_PURGE);
        let queue = self.client(client).handles[&handle].queue;
        if deletes && !self.queues.contains_key(&queue) {
            self.client(client).handles.remove(&handle);
            return Err(Reason::Q_DELETED);
        }
        if deletes && !self.definition_of(queue).is_some_and(|definition| definition.dynamic) {
            return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
        }
        let closed = self.client(client).handles.remove(&handle).expect("looked up above");
        if self.closed(&closed) {
            return Ok(0);
        }
        if !deletes {
            return Ok(0);
        }
        if self.handles().any(|handle| handle.queue == queue) {
            return Err(Reason::OBJECT_IN_USE);
        }
        let purges = options.contains(CloseOptions::DELETE_PURGE);
        let held = &self.queues[&queue];
        if held.uncommitted() > 0 || !purges && held.depth() > 0 {
            return Err(Reason::Q_NOT_EMPTY);
        }
        self.remove_queue(queue);
        Ok(self.note())
    }

    /// A handle is gone; true when its queue is, too.
    fn closed(&mut self, handle: &Handle) -> bool {
        if handle.gets() && self.queues.contains_key(&handle.queue) {
            self.reconsider(handle.queue);
        }
        if handle.is_creator {
            self.remove_queue(handle.queue);
        }
        handle.is_creator
    }

    fn remove_queue(&mut self, queue: QueueId) {
        self.drop_queue(queue);
        self.objects.retain(|_, definition| definition.queue != Some(queue));
        self.note();
    }

    fn put(
        &mut self,
        client: &str,
        (name, queue): (&str, QueueId),
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: &Bytes,
    ) -> Replied {
        check_put(options)?;
        self.still_leads(name, queue)?;
        let opened = &self.objects[name];
        let base = self.definition_of(queue).expect("a queue has a definition");
        let persistent = match descriptor.persistence {
            Persistence::Persistent => true,
            Persistence::NotPersistent => false,
            Persistence::AsQueueDefault => opened.is("DEFPSIST", "YES"),
        };
        if opened.is("PUT", "DISABLED") {
            return Err(Reason::PUT_INHIBITED);
        }
        let remark = super::reports::judge(descriptor)?;
        if body.len() > base.number("MAXMSGL") {
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        if persistent && base.temporary {
            return Err(Reason::PERSISTENT_NOT_ALLOWED);
        }
        if base.is("PUT", "DISABLED") {
            return Err(Reason::PUT_INHIBITED);
        }
        if self.queues[&queue].depth() >= base.number("MAXDEPTH") {
            return Err(Reason::Q_FULL);
        }
        let priority = match descriptor.priority {
            Priority::AS_Q_DEF => i32::try_from(opened.number("DEFPRTY")).expect("0 to 9"),
            priority => priority.code(),
        };
        let within = options.flags.contains(PutFlags::SYNCPOINT);
        let expires = match descriptor.expiry {
            Expiry::UNLIMITED => None,
            tenths => Some(u64::try_from(tenths.code()).expect("a limit is not negative") * 100),
        };
        let is_trigger = self.is_trigger(queue, priority);
        let number = self.number();
        let message = Message {
            number,
            body: body.clone(),
            message_id: descriptor.message_id,
            correlation_id: Some(descriptor.correlation_id),
            priority,
            persistent,
            expires: expires.map(|after| self.now + after),
            backout: 0,
            state: if within { State::PutBy(client.to_owned()) } else { State::Available },
            asked: ReportsAsked::of(descriptor),
        };
        self.queue(queue).messages.push(message.clone());
        let mut need = 0;
        if within {
            self.client(client).unit.push((queue, number, true));
            if is_trigger {
                self.client(client).triggers.push(queue);
            }
            self.report(ReportKind::Arrival, &message, Some(client));
        } else {
            let reported = self.report(ReportKind::Arrival, &message, None);
            if persistent {
                need = self.changed(queue);
                self.queues.entry(reported.unwrap_or(queue)).and_modify(|queue| queue.changed = need);
            }
            self.offer(queue);
            reported.into_iter().for_each(|reports| self.offer(reports));
            if is_trigger {
                let after = self.queues[&queue].changed;
                need = need.max(self.fire(queue, after));
            }
            need = need.max(self.fire_due());
        }
        let warning = (priority > 9).then_some(Reason::PRIORITY_EXCEEDS_MAXIMUM).or(remark);
        Ok(Some((Expected { reason: warning, ..Expected::default() }, need)))
    }

    /// Notes that what a queue holds for good has changed; whoever sees the queue depends on it.
    fn changed(&mut self, queue: QueueId) -> Version {
        let need = self.note();
        self.queue(queue).changed = need;
        need
    }

    fn get(&mut self, client: &str, asked: Asked, patience: Patience) -> Replied {
        let handle = self.client(client).handles[&asked.handle].clone();
        let browses = is_browse(asked.flags);
        if asked.flags.intersects(GetFlags::SET_SIGNAL | GetFlags::MARK_SKIP_BACKOUT)
            || ways_named(&asked.flags) > usize::from(!browses)
        {
            return Err(Reason::OPTIONS_ERROR);
        }
        if !browses && !handle.gets() {
            return Err(Reason::NOT_OPEN_FOR_INPUT);
        }
        let at_cursor = asked.flags.contains(GetFlags::MSG_UNDER_CURSOR);
        if (browses || at_cursor) && !handle.options.contains(OpenOptions::BROWSE) {
            return Err(Reason::NOT_OPEN_FOR_BROWSE);
        }
        self.still_leads(&handle.name, handle.queue)?;
        let base = self.definition_of(handle.queue).expect("a queue has a definition");
        if self.objects[&handle.name].is("GET", "DISABLED") || base.is("GET", "DISABLED") {
            return Err(Reason::GET_INHIBITED);
        }
        if let Some(found) = self.find(&handle, &asked) {
            return Ok(Some(self.deliver(client, handle.queue, &asked, found)));
        }
        let need = self.queues[&handle.queue].changed;
        if at_cursor {
            return Ok(Some((refused(Reason::NO_MSG_UNDER_CURSOR), need)));
        }
        let deadline = match patience {
            Patience::No => return Ok(Some((refused(Reason::NO_MSG_AVAILABLE), need))),
            Patience::Milliseconds(wait) => Some(self.now + u64::from(wait)),
            Patience::Unlimited => None,
        };
        let number = self.number();
        self.client(client).wait = Some(Wait { queue: handle.queue, deadline, number, asked });
        Ok(None)
    }

    fn find(&self, handle: &Handle, asked: &Asked) -> Option<u64> {
        let queue = &self.queues[&handle.queue];
        if asked.flags.contains(GetFlags::MSG_UNDER_CURSOR) {
            return queue.at(handle.cursor?);
        }
        let after = handle.cursor.filter(|_| asked.flags.contains(GetFlags::BROWSE_NEXT));
        queue.first(&asked.wanted, after)
    }

    /// Gives a message to a client, as it asked.
    fn deliver(&mut self, client: &str, id: QueueId, asked: &Asked, number: u64) -> (Expected, Version) {
        assert!(self.is_available(id, number), "only what nobody holds is given out");
        let queue = self.queue(id);
        let seen = queue.changed;
        let message = queue.message(number).clone();
        let place = queue.place(&message);
        let is_cut = message.body.len() > asked.bytes_max;
        if is_cut && !asked.flags.contains(GetFlags::ACCEPT_TRUNCATED_MSG) {
            return (refused(Reason::TRUNCATED_MSG_FAILED), seen);
        }
        let reply = Expected {
            body: Some(message.body.slice(..message.body.len().min(asked.bytes_max))),
            priority: Some(message.priority),
            backout: Some(message.backout),
            persistence: Some(if message.persistent {
                Persistence::Persistent
            } else {
                Persistence::NotPersistent
            }),
            correlation_id: message.correlation_id,
            length: Some(message.body.len()),
            reason: is_cut.then_some(Reason::TRUNCATED_MSG_ACCEPTED),
            ..Expected::default()
        };
        if is_browse(asked.flags) {
            let handle = self.client(client).handles.get_mut(&asked.handle);
            handle.expect("it browses").cursor = Some(place);
            return (reply, seen);
        }
        let if_persistent = asked.flags.contains(GetFlags::SYNCPOINT_IF_PERSISTENT) && message.persistent;
        if if_persistent || asked.flags.contains(GetFlags::SYNCPOINT) {
            self.queue(id).message(number).state = State::GotBy(client.to_owned());
            self.client(client).unit.push((id, number, false));
            self.report(ReportKind::Delivery, &message, Some(client));
            return (reply, seen);
        }
        self.queue(id).remove(number);
        let reported = self.report(ReportKind::Delivery, &message, None);
        let need = if message.persistent { self.changed(id) } else { seen };
        if let Some(reports) = reported {
            let queue = self.queue(reports);
            queue.changed = queue.changed.max(need);
            self.offer(reports);
        }
        let need = need.max(self.fire_due());
        (reply, need)
    }

    /// Serves those who wait on a queue, while there is something for any of them; the first who waited first.
    pub(super) fn offer(&mut self, id: QueueId) {
        loop {
            let mut waits: Vec<(u64, String, Asked)> = Vec::new();
            for (name, client) in &self.clients {
                if let Some(wait) = client.wait.as_ref().filter(|wait| wait.queue == id) {
                    waits.push((wait.number, name.clone(), wait.asked.clone()));
                }
            }
            waits.sort_by_key(|(number, ..)| *number);
            let served = waits.into_iter().find_map(|(_, name, asked)| {
                let found = self.find(&self.clients[&name].handles[&asked.handle], &asked)?;
                Some((name, asked, found))
            });
            let Some((name, asked, found)) = served else { return };
            self.client(&name).wait = None;
            let (reply, need) = self.deliver(&name, id, &asked, found);
            let client = self.client(&name);
            client.outcome = Some(Outcome { reply: Some(reply), need });
        }
    }

    /// The client's unit of work stands: all of it is durable at once, then it is seen.
    fn commit(&mut self, client: &str) -> Version {
        let unit = std::mem::take(&mut self.client(client).unit);
        let mut need = 0;
        let mut lasts = false;
        // Seen or not, all of it stands before any of it is given to others.
        let mut arrived = Vec::new();
        for (id, number, was_put) in unit {
            let Some(queue) = self.queues.get_mut(&id) else { continue };
            need = need.max(queue.changed);
            lasts |= queue.message(number).persistent;
            if was_put {
                queue.message(number).state = State::Available;
            } else {
                queue.remove(number);
            }
            arrived.push(id);
        }
        if lasts {
            need = self.note();
        }
        for id in &arrived {
            let changed = self.queues[id].changed.max(need);
            self.queue(*id).changed = changed;
        }
        // What stands may be too old by now to be given to anybody.
        self.expire();
        for id in arrived {
            self.offer(id);
        }
        let triggers = std::mem::take(&mut self.client(client).triggers);
        need.max(self.fire_at_end(triggers, true))
    }

    /// The client's unit of work falls: what it put is gone, what it got is back, once more backed out. That this is
    /// so needs nothing of the log; only the counts are told to it.
    fn back_out(&mut self, client: &str) {
        let unit = std::mem::take(&mut self.client(client).unit);
        let mut returned = Vec::new();
        for (id, number, was_put) in unit.into_iter().rev() {
            let Some(queue) = self.queues.get_mut(&id) else { continue };
            if was_put {
                queue.remove(number);
                continue;
            }
            let message = queue.message(number);
            message.backout += 1;
            message.state = State::Available;
            returned.push(id);
        }
        self.note();
        self.expire();
        for id in returned {
            self.offer(id);
        }
        let triggers = std::mem::take(&mut self.client(client).triggers);
        self.fire_at_end(triggers, false);
    }

    /// The client's connection ends: with a disconnect its unit of work stands, otherwise it falls.
    pub(super) fn end(&mut self, name: &str, in_order: bool) -> Version {
        self.client(name).wait = None;
        let need = if in_order {
            self.commit(name)
        } else {
            self.back_out(name);
            0
        };
        for handle in std::mem::take(&mut self.client(name).handles).into_values() {
            self.closed(&handle);
        }
        *self.client(name) = Client::default();
        need
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

/// How many ways to take a message the options name; a browse takes it in none but the one outside units of work.
fn ways_named(flags: &GetFlags) -> usize {
    let outside = if is_browse(*flags) { GetFlags::EMPTY } else { GetFlags::NO_SYNCPOINT };
    let ways = [GetFlags::SYNCPOINT, GetFlags::SYNCPOINT_IF_PERSISTENT, outside];
    ways.iter().filter(|way| !way.is_empty() && flags.contains(**way)).count()
}

fn is_browse(flags: GetFlags) -> bool {
    flags.intersects(GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT)
}

fn wanted(descriptor: &MessageDescriptor, options: &GetOptions) -> Wanted {
    let matches = |option| options.match_options.contains(option);
    Wanted {
        message_id: matches(MatchOptions::MATCH_MSG_ID).then_some(descriptor.message_id),
        correlation_id: matches(MatchOptions::MATCH_CORREL_ID).then_some(descriptor.correlation_id),
    }
}

fn check_put(options: &PutOptions) -> Result<(), Reason> {
    let both = |one, other| options.flags.contains(one | other);
    let contradicts = both(PutFlags::SYNCPOINT, PutFlags::NO_SYNCPOINT)
        || both(PutFlags::DEFAULT_CONTEXT, PutFlags::NO_CONTEXT);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

/// The kind of a question whose answer the model does not judge, if the call is one.
pub(in crate::scenario) fn question(call: &Call) -> Option<String> {
    let known = [
        constants::MQCA_Q_DESC,
        constants::MQIA_INHIBIT_PUT,
        constants::MQIA_INHIBIT_GET,
        constants::MQIA_CURRENT_Q_DEPTH,
        constants::MQIA_OPEN_INPUT_COUNT,
        constants::MQIA_OPEN_OUTPUT_COUNT,
        constants::MQIA_MAX_Q_DEPTH,
        constants::MQIA_TRIGGER_CONTROL,
    ];
    match call {
        Call::Inquire { selector, .. } if !known.contains(&selector.0) => {
            Some("inquire of other attributes".to_owned())
        }
        Call::Handle(_) => Some("calls on message handles".to_owned()),
        _ => None,
    }
}

/// Refuses options that the model does not know, so that a new word of the language is not passed over.
fn check(call: &Call) -> Result<(), Unmodelled> {
    let unknown = |prefix: &str, found: i32, known: i32| match found & !known {
        0 => Ok(()),
        // The lowest of them names the kind.
        unknown => Err(Unmodelled::change(format!("{prefix}_{:#x}", unknown & unknown.wrapping_neg()))),
    };
    match call {
        Call::Open { object, .. } if !object.selection_string.is_empty() => {
            Err(Unmodelled::change("an open with a selector"))
        }
        Call::Open { object, .. } if !object.object_queue_manager_name.is_blank() => {
            Err(Unmodelled::change("an open of another queue manager's queue"))
        }
        Call::Open { options, .. } => {
            let known = inputs() | OpenOptions::OUTPUT | OpenOptions::BROWSE | OpenOptions::INQUIRE;
            unknown("MQOO", options.bits(), (known | OpenOptions::SET).bits())
        }
        Call::Close { options, .. } => {
            unknown("MQCO", options.bits(), (CloseOptions::DELETE | CloseOptions::DELETE_PURGE).bits())
        }
        Call::Naming { .. } => Err(Unmodelled::change("a message handle of a put or a get")),
        Call::Put { descriptor, .. } | Call::Put1 { descriptor, .. }
            if descriptor.format.as_str() == constants::MQFMT_RF_HEADER_2.trim_end() =>
        {
            Err(Unmodelled::change("a put of properties"))
        }
        Call::Put { options, descriptor, .. } | Call::Put1 { options, descriptor, .. } => {
            if options.flags.contains(PutFlags::LOGICAL_ORDER) || descriptor.message_flags.bits() & 0x1F != 0
            {
                return Err(Unmodelled::change("groups"));
            }
            unknown("MQMF", descriptor.message_flags.bits(), 0x000F_FFE0)?;
            let flags = PutFlags::SYNCPOINT
                | PutFlags::NO_SYNCPOINT
                | PutFlags::DEFAULT_CONTEXT
                | PutFlags::NO_CONTEXT
                | PutFlags::SYNC_RESPONSE
                | PutFlags::ALTERNATE_USER_AUTHORITY;
            unknown("MQPMO", options.flags.bits(), flags.bits())
        }
        Call::Get { options, .. } => {
            let flags = GetFlags::SYNCPOINT
                | GetFlags::SYNCPOINT_IF_PERSISTENT
                | GetFlags::NO_SYNCPOINT
                | GetFlags::BROWSE_FIRST
                | GetFlags::BROWSE_NEXT
                | GetFlags::MSG_UNDER_CURSOR
                | GetFlags::SET_SIGNAL
                | GetFlags::MARK_SKIP_BACKOUT
                | GetFlags::ACCEPT_TRUNCATED_MSG;
            let of_groups = GetFlags::LOGICAL_ORDER
                | GetFlags::COMPLETE_MSG
                | GetFlags::ALL_MSGS_AVAILABLE
                | GetFlags::ALL_SEGMENTS_AVAILABLE;
            if options.flags.intersects(of_groups) {
                return Err(Unmodelled::change("groups"));
            }
            let matches = MatchOptions::MATCH_MSG_ID | MatchOptions::MATCH_CORREL_ID;
            unknown("MQMO", options.match_options.bits(), matches.bits())?;
            unknown("MQGMO", options.flags.bits(), flags.bits())
        }
        Call::Set { values, .. } => {
            let known = [
                constants::MQIA_INHIBIT_PUT,
                constants::MQIA_INHIBIT_GET,
                constants::MQIA_MAX_Q_DEPTH,
                constants::MQIA_TRIGGER_CONTROL,
                constants::MQIA_TRIGGER_DEPTH,
                constants::MQIA_TRIGGER_MSG_PRIORITY,
            ];
            match values.iter().find(|(selector, _)| !known.contains(&selector.0)) {
                Some((selector, _)) => Err(Unmodelled::change(format!("set of selector {}", selector.0))),
                None => Ok(()),
            }
        }
        Call::Stat(_) => Err(Unmodelled::change("MQSTAT")),
        Call::Handle(_)
        | Call::Inquire { .. }
        | Call::Begin
        | Call::Commit
        | Call::Back
        | Call::Disconnect => Ok(()),
    }
}
