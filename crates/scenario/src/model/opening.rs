//! Opening and closing, and where names lead.

use std::collections::BTreeSet;

use mqi::{CloseOptions, ObjectDescriptor, OpenOptions, Reason};

use super::calls::{Handle, Replied, inputs};
use super::definitions::{Definition, Kind};
use super::groups::Calls;
use super::queue::QueueId;
use super::selecting::Selector;
use super::{Manager, Version};
use crate::Expected;
use crate::call::{OF_SUBSCRIPTION, kinds_served};

/// Why options of an open make no sense, alone or together.
fn check(options: OpenOptions) -> Result<(), Reason> {
    let count = |choices: &[OpenOptions]| choices.iter().filter(|choice| options.contains(**choice)).count();
    let ways_in = [OpenOptions::INPUT_AS_Q_DEF, OpenOptions::INPUT_SHARED, OpenOptions::INPUT_EXCLUSIVE];
    let bindings = [OpenOptions::BIND_ON_OPEN, OpenOptions::BIND_NOT_FIXED, OpenOptions::BIND_ON_GROUP];
    let others = OpenOptions::BROWSE | OpenOptions::OUTPUT | OpenOptions::INQUIRE | OpenOptions::SET;
    let of_output = OpenOptions::PASS_IDENTITY_CONTEXT
        | OpenOptions::PASS_ALL_CONTEXT
        | OpenOptions::SET_IDENTITY_CONTEXT
        | OpenOptions::SET_ALL_CONTEXT;
    let needs =
        |option: OpenOptions, other: OpenOptions| options.intersects(option) && !options.intersects(other);
    let contradicts = count(&ways_in) > 1
        || count(&bindings) > 1
        || !options.intersects(inputs() | others) && count(&bindings) == 0
        || !options.unknown().is_empty()
        || needs(of_output, OpenOptions::OUTPUT)
        || needs(OpenOptions::SAVE_ALL_CONTEXT, inputs())
        || needs(OpenOptions::CO_OP, OpenOptions::BROWSE)
        || needs(OpenOptions::NO_MULTICAST, OpenOptions::OUTPUT)
        || options.contains(OpenOptions::READ_AHEAD | OpenOptions::NO_READ_AHEAD);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

/// Why options of a close make no sense.
pub(super) fn check_close(options: CloseOptions) -> Result<(), Reason> {
    let deleting = CloseOptions::DELETE | CloseOptions::DELETE_PURGE;
    let of_subscriptions = CloseOptions::KEEP_SUB | CloseOptions::REMOVE_SUB;
    let both = options.contains(deleting) || options.contains(of_subscriptions);
    let contradicts = both || !options.unknown().is_empty();
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

impl Manager {
    /// The client's handle for a kind of call on a queue, which is opened if it is not.
    pub(super) fn handle(&mut self, client: &str, name: &str, options: OpenOptions) -> Result<u64, Reason> {
        if let Some(handle) = self.client(client).open.get(&(name.to_owned(), options.bits())) {
            return Ok(*handle);
        }
        let object_name = name.parse().expect("the name of a queue that was read as one");
        self.open(client, &ObjectDescriptor { object_name, ..ObjectDescriptor::default() }, options)
    }

    /// Why a handle cannot be used any more: its queue is gone, or its name leads to another.
    pub(super) fn still_leads(&self, name: &str, queue: QueueId) -> Result<(), Reason> {
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
            Kind::Alias if found.is("TARGTYPE", "TOPIC") => Err(Reason::OBJECT_TYPE_ERROR),
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

    pub(super) fn open(
        &mut self,
        client: &str,
        object: &ObjectDescriptor,
        options: OpenOptions,
    ) -> Result<u64, Reason> {
        check(options)?;
        if self.client(client).open_objects() >= self.settings.handles_max {
            return Err(Reason::HANDLE_NOT_AVAILABLE);
        }
        let text = object.selection_string.trim();
        let selector = Some(text).filter(|text| !text.is_empty());
        if let Some(meant) = self.meant_topic(object) {
            if selector.is_some() {
                return Err(Reason::SELECTOR_INVALID_FOR_TYPE);
            }
            return self.open_topic(client, meant?, options);
        }
        if selector.is_some() && !options.intersects(inputs() | OpenOptions::BROWSE) {
            return Err(Reason::SELECTOR_INVALID_FOR_TYPE);
        }
        let selector = selector.and_then(Selector::read);
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
        let handle = Handle {
            name: name.clone(),
            queue,
            options,
            exclusive,
            is_creator,
            cursor: None,
            courses: Default::default(),
            courses_before: Default::default(),
            saved: None,
            selector,
            puts_asynchronously: self.objects.get(&name).is_some_and(|by| by.is("DEFPRESP", "ASYNC")),
        };
        let client = self.client(client);
        client.handles.insert(number, handle);
        client.opened.push(number);
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

    pub(super) fn close(&mut self, client: &str, name: &str, options: CloseOptions) -> Replied {
        let closing: BTreeSet<u64> = {
            let is_meant = |open: &str, kind: i32| open == name && kind != OF_SUBSCRIPTION;
            let open = self.client(client).open.iter().filter(|((open, kind), _)| is_meant(open, *kind));
            open.map(|(_, handle)| *handle).collect()
        };
        self.client(client).open.retain(|(open, kind), _| open != name || *kind == OF_SUBSCRIPTION);
        let mut last = Err(Reason::HOBJ_ERROR);
        for handle in closing {
            last = self.close_handle(client, handle, options);
        }
        let (remark, need) = last?;
        Ok(Some((Expected { reason: remark, ..Expected::default() }, need)))
    }

    /// Closes one handle, whatever its queue is called.
    pub(super) fn close_one(&mut self, client: &str, handle: u64, options: CloseOptions) -> Replied {
        self.client(client).open.retain(|_, open| *open != handle);
        let (remark, need) = self.close_handle(client, handle, options)?;
        Ok(Some((Expected { reason: remark, ..Expected::default() }, need)))
    }

    fn close_handle(
        &mut self,
        client: &str,
        handle: u64,
        options: CloseOptions,
    ) -> Result<(Option<Reason>, Version), Reason> {
        check_close(options)?;
        let deleting = CloseOptions::DELETE | CloseOptions::DELETE_PURGE;
        let of_subscriptions = CloseOptions::KEEP_SUB | CloseOptions::REMOVE_SUB;
        if options.intersects(of_subscriptions) {
            return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
        }
        let deletes = options.intersects(deleting);
        if self.client(client).publishing.contains_key(&handle) {
            if deletes {
                return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
            }
            self.client(client).publishing.remove(&handle);
            return Ok((None, 0));
        }
        let queue = self.client(client).handles[&handle].queue;
        if deletes && !self.queues.contains_key(&queue) {
            self.client(client).handles.remove(&handle);
            return Err(Reason::Q_DELETED);
        }
        if deletes && !self.definition_of(queue).is_some_and(|definition| definition.dynamic) {
            return Err(Reason::OPTION_NOT_VALID_FOR_TYPE);
        }
        let closed = self.client(client).handles.remove(&handle).expect("looked up above");
        self.let_go(queue, handle);
        let courses = [Calls::Puts, Calls::Gets].map(|calls| closed.courses[calls as usize].left());
        let left: Vec<Reason> = courses.into_iter().flatten().collect();
        let of_message = left.iter().find(|reason| **reason == Reason::INCOMPLETE_MSG);
        let remark = of_message.or_else(|| left.first()).copied();
        if self.closed(&closed) {
            return Ok((remark, 0));
        }
        if !deletes {
            return Ok((remark, 0));
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
        Ok((remark, self.note()))
    }

    /// A handle is gone; true when its queue is, too.
    pub(super) fn closed(&mut self, handle: &Handle) -> bool {
        if handle.gets() && self.queues.contains_key(&handle.queue) {
            self.reconsider(handle.queue);
        }
        if handle.is_creator {
            self.remove_queue(handle.queue);
        }
        handle.is_creator
    }

    pub(super) fn remove_queue(&mut self, queue: QueueId) {
        self.drop_queue(queue);
        self.objects.retain(|_, definition| definition.queue != Some(queue));
        self.note();
    }
}
