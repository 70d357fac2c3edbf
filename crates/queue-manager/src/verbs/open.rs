//! MQOPEN.

use std::sync::Arc;

use mqi::constants::{MQREADA_DISABLED, MQREADA_YES};
use mqi::{CloseOptions, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Opened, Reason, Text};
use objects::{DefaultShare, DefinitionType, ObjectType};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::explanation::is_of_system;
use queues::ground::time::moment;
use queues::queue::Queue;
use queues::queue::ending::Use as QueueUse;
use queues::queue::marks::Owner;
use queues::queue::request::HandleMemo;
use security::{Asked, Object as AskedObject, ObjectKind, Part, Use};
use selector::Selector;
use storage::Lsn;

use crate::authority::Granted;
use crate::catalogue::{ChangeError, Changed, Current, Existing, Lifetime, Object};
use crate::connection::{Connection, Handle, Target};
use crate::conversation::Registration;
use crate::engine::Engine;
use crate::naming::dynamic::definition_of;
use crate::naming::resolve::{Meaning, Resolved, ResolvedQueue};
use crate::naming::way::Way;
use crate::publishing::TopicTarget;

/// Options that let a handle take messages.
const INPUT: OpenOptions =
    OpenOptions::INPUT_AS_Q_DEF.union(OpenOptions::INPUT_SHARED).union(OpenOptions::INPUT_EXCLUSIVE);

/// Hexadecimal digits that make the name of a dynamic queue unique.
const UNIQUE_DIGITS: usize = 15;

/// A queue to be opened.
struct Opening {
    /// The name by which its program knows it from now on.
    name: ObjectName,
    opened: Arc<Object<Arc<Queue>>>,
    queue: Arc<Queue>,
    way: Option<Arc<Way>>,
    is_creator: bool,
    selector: Option<Arc<Selector>>,
}

/// The object that a name leads to, for an open.
pub(super) enum LookUp {
    /// The local definition of a remote queue, which is opened itself.
    Definition(Lsn, Arc<Object<Arc<Queue>>>),
    /// Any other, or the reason why there is none.
    Resolved(Lsn, Result<Resolved, Reason>),
}

impl Connection {
    /// Opens an object to receive from. A temporary queue is received from by the connection that made it;
    /// another's is closed again and refused.
    pub fn open_to_receive(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Outcome<Opened> {
        let opened = self.open(object, options);
        let Some(handle) = opened.value().as_ref().ok().map(|opened| opened.handle) else { return opened };
        let belongs_elsewhere = self.handle(handle).is_ok_and(|open| match &open.target {
            Target::Queue { queue, opened, .. } => {
                queue.attributes().definition_type == DefinitionType::TemporaryDynamic
                    && !self.has_made(opened.name())
            }
            _ => false,
        });
        if !belongs_elsewhere {
            return opened;
        }
        let closed = self.close(handle, CloseOptions::EMPTY).and_needs(opened.need());
        closed.changed(|_| Err(Reason::OPTION_NOT_VALID_FOR_TYPE))
    }

    /// MQOPEN.
    pub fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Outcome<Opened> {
        let opened = self.open_uncounted(object, options);
        if self.conversation.party.calls.is_any_counted() {
            self.count_open(object, opened.value().as_ref().ok().map(|opened| opened.handle));
        }
        opened
    }

    pub(crate) fn open_uncounted(
        &mut self,
        object: &ObjectDescriptor,
        options: OpenOptions,
    ) -> Outcome<Opened> {
        let checked = self
            .usable(options.contains(OpenOptions::FAIL_IF_QUIESCING))
            .and_then(|()| check(options))
            .and_then(|()| self.room_for_handle());
        if let Err(reason) = checked {
            return Gated::free(Err(reason));
        }
        let selector = match selector(object, options) {
            Ok(selector) => selector,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let alternate_user = options
            .contains(OpenOptions::ALTERNATE_USER_AUTHORITY)
            .then_some(object.alternate_user_identifier);
        let look = |meaning: &Meaning<'_>| self.look_up(meaning, options);
        match self.granted_and_found(object, Use::Open(options), alternate_user, look) {
            Ok((granted, found)) => {
                self.open_found(found, object, options, selector, &granted).and_needs(granted.need())
            }
            Err((need, reason)) => Gated::new(need, Err(reason)),
        }
    }

    /// Judges the use of a named object, and looks it up by its name once that is granted. A definition that
    /// was changed in between has both done again: what was judged is what is used.
    pub(super) fn granted_and_found<'a, T>(
        &self,
        object: &'a ObjectDescriptor,
        used: Use<'a>,
        alternate_user: Option<Text<12>>,
        look: impl Fn(&Meaning<'_>) -> T,
    ) -> Result<(Granted<'a>, T), (Lsn, Reason)> {
        loop {
            let meaning = self.engine.directory.meaning(object, &mut ());
            let granted = self.granted(&meaning, used, alternate_user)?;
            let found = look(&meaning);
            if granted.is_judged(self.engine.directory.door.generation()) {
                return Ok((granted, found));
            }
        }
    }

    /// Judges the use of an object by the meaning of its name.
    pub(super) fn granted<'a>(
        &self,
        meaning: &Meaning<'a>,
        used: Use<'a>,
        alternate_user: Option<Text<12>>,
    ) -> Result<Granted<'a>, (Lsn, Reason)> {
        let named = self.engine.directory.asked_by(meaning).map_err(|reason| (Lsn::ZERO, reason))?;
        let asked = Asked::new(named, used).for_user(alternate_user);
        self.engine.directory.door.authorize(&self.conversation.principal, asked)
    }

    /// Judges the use of the topic that an alias stands for as well.
    pub(super) fn granted_behind_alias<'a>(
        &self,
        target: &TopicTarget,
        granted: &Granted<'a>,
    ) -> Result<Option<Granted<'a>>, (Lsn, Reason)> {
        if target.alias.is_none() {
            return Ok(None);
        }
        let asked = granted.of_object(AskedObject::named(ObjectKind::Topic, target.object));
        self.engine.directory.door.authorize(&self.conversation.principal, asked).map(Some)
    }

    /// Looks an object up to be opened.
    pub(super) fn look_up(&self, meaning: &Meaning<'_>, options: OpenOptions) -> LookUp {
        if let Some((need, definition)) = self.definition_meant(meaning, options) {
            return LookUp::Definition(need, definition);
        }
        let (need, resolved) = self.engine.directory.resolve_meaning(meaning, &mut ());
        LookUp::Resolved(need, resolved)
    }

    /// Opens an object that was found, after its request was granted.
    pub(super) fn open_found(
        &mut self,
        found: LookUp,
        object: &ObjectDescriptor,
        options: OpenOptions,
        selector: Option<Arc<Selector>>,
        granted: &Granted<'_>,
    ) -> Outcome<Opened> {
        let (need, resolved) = match found {
            LookUp::Definition(need, definition) => {
                return self.open_definition(definition, options, granted).and_needs(need);
            }
            LookUp::Resolved(need, resolved) => (need, resolved),
        };
        match resolved {
            Err(reason) => {
                self.tell_refused(object, reason, need);
                Gated::new(need, Err(reason))
            }
            Ok(Resolved::Manager) => {
                let manager = (self.engine.directory.name.into(), ObjectType::QueueManager.mqot());
                self.open_to_inquire(Target::Manager, manager, options, granted).and_needs(need)
            }
            Ok(Resolved::Defined(found)) => {
                let named = (object.object_name, found.object_type().mqot());
                self.open_to_inquire(Target::Defined(found), named, options, granted).and_needs(need)
            }
            Ok(Resolved::Topic(named)) => {
                self.open_topic(TopicTarget::of(named), options, granted).and_needs(need)
            }
            Ok(Resolved::Queue(ResolvedQueue { opened, queue, way })) => {
                if way.as_ref().is_some_and(|way| !way.allows(options)) {
                    return Gated::new(need, Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
                }
                let name = object.object_name;
                let opening = Opening { name, opened, queue, way, is_creator: false, selector };
                self.open_queue(&opening, options, granted).and_needs(need)
            }
            Ok(Resolved::Model(model)) => match self.make_dynamic(&model, object, options, granted) {
                Err((observed, reason)) => Gated::new(need.max(observed), Err(reason)),
                Ok((opening, made, granted)) => {
                    let opening = Opening { selector, ..opening };
                    self.open_queue(&opening, options, &granted).and_needs(need.max(made))
                }
            },
        }
    }

    /// The local definition of a remote queue, where it is named itself for what is not about messages.
    fn definition_meant(
        &self,
        meaning: &Meaning<'_>,
        options: OpenOptions,
    ) -> Option<(Lsn, Arc<Object<Arc<Queue>>>)> {
        let name = meaning.queue_here()?;
        if options.contains(OpenOptions::OUTPUT) {
            return None;
        }
        let found = self.engine.directory.catalogue.find(&name);
        let definition = found.object.filter(|object| object.object_type() == ObjectType::RemoteQueue)?;
        Some((found.need, definition))
    }

    /// Opens the local definition of a remote queue for what is not about messages: the queue itself need not
    /// be reachable.
    fn open_definition(
        &mut self,
        object: Arc<Object<Arc<Queue>>>,
        options: OpenOptions,
        granted: &Granted<'_>,
    ) -> Outcome<Opened> {
        if wanted_input(options) {
            return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
        }
        let remote = object.current().attributes.remote.clone();
        let named = |name: Option<ObjectName>| name.unwrap_or(ObjectName::BLANK);
        let queue = named(remote.as_ref().and_then(|remote| remote.queue));
        let manager = named(remote.and_then(|remote| remote.queue_manager));
        let name = (*object.name(), object.object_type().mqot());
        let opened = self.register(Target::Definition(object), name, options, granted);
        Gated::free(Ok(Opened {
            resolved_queue_name: queue,
            resolved_queue_manager_name: manager.as_str().parse().unwrap_or(self.engine.directory.name),
            ..opened
        }))
    }

    /// Opens what has no messages.
    fn open_to_inquire(
        &mut self,
        target: Target,
        (object, object_type): (ObjectName, i32),
        options: OpenOptions,
        granted: &Granted<'_>,
    ) -> Outcome<Opened> {
        let of_queues = OpenOptions::INPUT_AS_Q_DEF
            | OpenOptions::INPUT_SHARED
            | OpenOptions::INPUT_EXCLUSIVE
            | OpenOptions::BROWSE
            | OpenOptions::OUTPUT
            | OpenOptions::SET;
        if options.intersects(of_queues) {
            return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
        }
        Gated::free(Ok(self.register(target, (object, object_type), options, granted)))
    }

    /// Opens a topic to publish.
    fn open_topic(
        &mut self,
        target: TopicTarget,
        options: OpenOptions,
        granted: &Granted<'_>,
    ) -> Outcome<Opened> {
        let of_queues = OpenOptions::INQUIRE | OpenOptions::SET;
        if wanted_input(options) || options.intersects(of_queues) || !options.contains(OpenOptions::OUTPUT) {
            return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
        }
        let behind = match self.granted_behind_alias(&target, granted) {
            Ok(behind) => behind,
            Err((need, reason)) => return Gated::new(need, Err(reason)),
        };
        let granted = behind.as_ref().unwrap_or(granted);
        if let Err((need, reason)) = self.may_publish(&target, &self.engine.directory.catalogue.manager()) {
            return Gated::new(need, Err(reason));
        }
        let named = (target.name, target.object_type());
        let opened = self.register(Target::Topic(Arc::new(target)), named, options, granted);
        Gated::new(granted.need(), Ok(opened))
    }

    fn register(
        &mut self,
        target: Target,
        (object, object_type): (ObjectName, i32),
        options: OpenOptions,
        granted: &Granted<'_>,
    ) -> Opened {
        let number = self.next_number();
        let topic = match &target {
            Target::Topic(topic) => Some(Arc::clone(topic)),
            _ => None,
        };
        let puts_asynchronously =
            topic.as_ref().is_some_and(|topic| self.published_by_default(topic).asynchronous);
        self.conversation.registrations.lock().push(Registration {
            handle: number,
            object,
            object_type,
            options,
            queue: None,
            used: QueueUse::default(),
            memo: None,
            account: None,
            is_creator: false,
            subscription: None,
            topic: topic.clone(),
            right: None,
        });
        let handle = Handle { puts_asynchronously, ..Handle::new(options, target) };
        self.add_handle(number, handle, granted);
        Opened {
            handle: ObjectHandle(number),
            object_name: object,
            resolved_queue_name: ObjectName::BLANK,
            resolved_queue_manager_name: self.engine.directory.name,
            topic_string: topic.map(|topic| topic.topic.to_string()),
            puts_asynchronously,
            reads_ahead: false,
        }
    }

    /// Returns the memory of a handle opened with these options.
    fn memo(&self, number: i32, options: OpenOptions) -> Option<Arc<HandleMemo>> {
        let saves_context = options.contains(OpenOptions::SAVE_ALL_CONTEXT);
        let browses = options.contains(OpenOptions::BROWSE);
        (saves_context || browses).then(|| {
            Arc::new(HandleMemo {
                owner: Owner { connection: self.conversation.party.id, handle: number },
                saves_context,
                browses,
                co_operates: options.contains(OpenOptions::CO_OP),
                state: Default::default(),
            })
        })
    }

    fn open_queue(
        &mut self,
        opening: &Opening,
        options: OpenOptions,
        granted: &Granted<'_>,
    ) -> Outcome<Opened> {
        let Opening { name, opened, queue, way, is_creator, selector } = opening;
        let is_command_server = self.conversation.principal.part() == Some(Part::CommandServer);
        let used = QueueUse {
            // The command server leaves its queue to a program that wants it alone, and to changes of it.
            input: input(options, queue).filter(|_| !is_command_server),
            output: options.contains(OpenOptions::OUTPUT),
            co_operates: options.contains(OpenOptions::CO_OP),
        };
        let entered = queue.enter(used);
        let need = entered.need();
        let number = self.next_number();
        let is_first_getter = match entered.into_inner() {
            Ok(is_first_getter) => is_first_getter,
            Err(reason) => return Gated::new(need, Err(reason)),
        };
        let memo = self.memo(number, options);
        let account = self.account_of(queue);
        if let Some(account) = &account {
            account.note_opened(moment(self.engine.ground().world.clock.wall()));
        }
        let registration = Registration {
            handle: number,
            object: *opened.name(),
            object_type: opened.object_type().mqot(),
            options,
            queue: Some(Arc::clone(queue)),
            used,
            memo: memo.clone(),
            account: account.clone(),
            is_creator: *is_creator,
            subscription: None,
            topic: None,
            right: None,
        };
        let mut registrations = self.conversation.registrations.lock();
        if self.conversation.party.has_ended() {
            drop(registrations);
            self.engine.close(&registration);
            return Gated::free(Err(Reason::CONNECTION_BROKEN));
        }
        registrations.push(registration);
        drop(registrations);
        let target = Target::Queue { opened: Arc::clone(opened), queue: Arc::clone(queue), way: way.clone() };
        let elsewhere = way.as_ref().and_then(|way| way.elsewhere);
        let attributes = &opened.current().attributes;
        let puts_asynchronously = attributes.default_put_asynchronous;
        let handle = Handle {
            memo,
            account,
            selector: selector.clone(),
            puts_asynchronously,
            ..Handle::new(options, target)
        };
        self.add_handle(number, handle, granted);
        if is_first_getter {
            self.engine.directory.taken_from(queue);
        }
        Gated::new(
            need,
            Ok(Opened {
                handle: ObjectHandle(number),
                object_name: *name,
                resolved_queue_name: elsewhere.map_or(queue.name, |elsewhere| elsewhere.queue),
                resolved_queue_manager_name: elsewhere
                    .map_or(self.engine.directory.name, |elsewhere| elsewhere.queue_manager),
                topic_string: None,
                puts_asynchronously,
                reads_ahead: reads_ahead(options, attributes.default_read_ahead),
            }),
        )
    }

    /// Makes a queue from a model, once its name is granted. Both requests are judged again where it is made:
    /// that for the model, and that for the name.
    fn make_dynamic(
        &self,
        model: &Object<Arc<Queue>>,
        object: &ObjectDescriptor,
        options: OpenOptions,
        of_model: &Granted<'_>,
    ) -> Result<(Opening, Lsn, Granted<'static>), (Lsn, Reason)> {
        let engine = &*self.engine;
        let current = model.current();
        let is_temporary = current.attributes.definition_type != DefinitionType::PermanentDynamic;
        let lifetime = if is_temporary { Lifetime::ThisRun } else { Lifetime::Logged };
        loop {
            let (name, is_unique) = dynamic_name(engine, object.dynamic_queue_name.as_str())
                .map_err(|reason| (Lsn::ZERO, reason))?;
            let making = Use::Make { model: *model.name(), options };
            let alternate_user = options
                .contains(OpenOptions::ALTERNATE_USER_AUTHORITY)
                .then_some(object.alternate_user_identifier);
            let asked =
                Asked::new(AskedObject::named(ObjectKind::Queue, name), making).for_user(alternate_user);
            let granted = engine.directory.door.authorize(&self.conversation.principal, asked)?;
            let refused = |reason| Err((granted.need(), reason));
            let mut judged = Ok(granted.need());
            let made = make_for_program(engine, &granted, model, name, lifetime, || {
                judged = engine.directory.door.judge_changed_under_lock([of_model, &granted]);
                // Whatever is said here: the refusal is told below.
                if judged.is_ok() { Ok(()) } else { Err(ChangeError::NotFound) }
            });
            let judged = judged.map_err(|lost| engine.directory.door.refuse_lost(&lost))?;
            match made {
                Ok(changed) => {
                    let queue = Arc::clone(changed.object.queue().expect("a local queue was made"));
                    let opening = Opening {
                        name,
                        opened: changed.object,
                        queue,
                        way: None,
                        is_creator: is_temporary,
                        selector: None,
                    };
                    return Ok((opening, changed.need.max(granted.need()).max(judged), granted));
                }
                Err(ChangeError::Exists(_) | ChangeError::OtherType { .. }) if is_unique => {}
                Err(ChangeError::Exists(_) | ChangeError::OtherType { .. }) => {
                    return refused(Reason::OBJECT_ALREADY_EXISTS);
                }
                Err(ChangeError::OutOfSpace(_)) => return refused(Reason::RESOURCE_PROBLEM),
                // The queues that were counted may not be durable yet.
                Err(ChangeError::Beyond(_)) => {
                    return Err((engine.ground().storage.appended(), Reason::RESOURCE_PROBLEM));
                }
                Err(
                    ChangeError::NotFound
                    | ChangeError::ReplacesDynamic(_)
                    | ChangeError::DynamicTransmission
                    | ChangeError::Multicast
                    | ChangeError::AboveSetting { .. }
                    | ChangeError::Setting(_)
                    | ChangeError::NotAuthorized(_)
                    | ChangeError::TopicString { .. }
                    | ChangeError::AmqpName { .. }
                    | ChangeError::Subscription(_),
                ) => return refused(Reason::UNEXPECTED_ERROR),
            }
        }
    }
}

/// Makes a queue of this name for a program that opens a model, where `check` agrees under the lock of the
/// change: the queue is its own by the time that others find it.
fn make_for_program(
    engine: &Engine,
    granted: &Granted<'_>,
    model: &Object<Arc<Queue>>,
    name: ObjectName,
    lifetime: Lifetime,
    check: impl FnOnce() -> Result<(), ChangeError>,
) -> Result<Changed<Arc<Queue>>, ChangeError> {
    let definition = definition_of(&engine.directory, granted, model, name, lifetime);
    let record = engine.prepare_maker(&name, granted.principal(), lifetime);
    let mut need = Lsn::ZERO;
    let make = |id, current: &Current| {
        let queue = engine.directory.new_queue(id, current);
        need = engine.give_to_maker(&queue, granted.principal(), record);
        queue
    };
    let made =
        engine.directory.catalogue.define_if(definition, Existing::Refuse, lifetime, |_, _| check(), make)?;
    Ok(Changed { need: made.need.max(need), ..made })
}

/// Returns true if messages are read ahead, by the options or by DEFREADA: never for a handle that only
/// browses.
fn reads_ahead(options: OpenOptions, default_read_ahead: i32) -> bool {
    let is_asked = match default_read_ahead {
        MQREADA_DISABLED => false,
        _ if options.contains(OpenOptions::READ_AHEAD) => true,
        default => default == MQREADA_YES && !options.contains(OpenOptions::NO_READ_AHEAD),
    };
    is_asked && options.intersects(INPUT)
}

fn check(options: OpenOptions) -> Result<(), Reason> {
    let inputs = [OpenOptions::INPUT_AS_Q_DEF, OpenOptions::INPUT_SHARED, OpenOptions::INPUT_EXCLUSIVE];
    let inputs = inputs.iter().filter(|input| options.contains(**input)).count();
    let bindings = [OpenOptions::BIND_ON_OPEN, OpenOptions::BIND_NOT_FIXED, OpenOptions::BIND_ON_GROUP];
    let bindings = bindings.iter().filter(|binding| options.contains(**binding)).count();
    let does_something = inputs > 0
        || bindings > 0
        || options
            .intersects(OpenOptions::BROWSE | OpenOptions::OUTPUT | OpenOptions::INQUIRE | OpenOptions::SET);
    let of_output = OpenOptions::PASS_IDENTITY_CONTEXT
        | OpenOptions::PASS_ALL_CONTEXT
        | OpenOptions::SET_IDENTITY_CONTEXT
        | OpenOptions::SET_ALL_CONTEXT;
    let contradicts = inputs > 1
        || bindings > 1
        || !does_something
        || !options.unknown().is_empty()
        || (options.intersects(of_output) && !options.contains(OpenOptions::OUTPUT))
        || (options.contains(OpenOptions::SAVE_ALL_CONTEXT) && inputs == 0)
        || (options.contains(OpenOptions::CO_OP) && !options.contains(OpenOptions::BROWSE))
        || (options.contains(OpenOptions::NO_MULTICAST) && !options.contains(OpenOptions::OUTPUT))
        || options.contains(OpenOptions::READ_AHEAD | OpenOptions::NO_READ_AHEAD);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

/// The selector of an open, if it has one: it chooses among messages that are got or browsed.
fn selector(object: &ObjectDescriptor, options: OpenOptions) -> Result<Option<Arc<Selector>>, Reason> {
    if object.selection_string.trim_matches(' ').is_empty() {
        return Ok(None);
    }
    if object.object_type != mqi::ObjectType::Queue || !wanted_input(options) {
        return Err(Reason::SELECTOR_INVALID_FOR_TYPE);
    }
    Selector::parse(&object.selection_string)
        .map(|selector| Some(Arc::new(selector)))
        .map_err(|error| error.reason())
}

fn wanted_input(options: OpenOptions) -> bool {
    options.intersects(INPUT | OpenOptions::BROWSE)
}

/// Returns the sharing of an open for input, true if exclusive; none where it is not for input.
fn input(options: OpenOptions, queue: &Queue) -> Option<bool> {
    if options.contains(OpenOptions::INPUT_EXCLUSIVE) {
        Some(true)
    } else if options.contains(OpenOptions::INPUT_SHARED) {
        Some(false)
    } else if options.contains(OpenOptions::INPUT_AS_Q_DEF) {
        Some(queue.attributes().default_share == DefaultShare::Exclusive)
    } else {
        None
    }
}

/// The name of a dynamic queue, and whether it was made up: a name that ends in an asterisk is a prefix.
fn dynamic_name(engine: &Engine, wanted: &str) -> Result<(ObjectName, bool), Reason> {
    let (prefix, is_unique) = match wanted.strip_suffix('*') {
        Some(prefix) => (prefix, true),
        None => (wanted, false),
    };
    let is_reserved = is_of_system(prefix);
    let is_too_long = is_unique && prefix.len() > ObjectName::LENGTH_MAX - UNIQUE_DIGITS;
    if is_reserved || is_too_long || (prefix.is_empty() && !is_unique) {
        return Err(Reason::DYNAMIC_Q_NAME_ERROR);
    }
    let name = if is_unique {
        let number = engine.directory.identifiers.next_number() & ((1 << (4 * UNIQUE_DIGITS)) - 1);
        format!("{prefix}{number:0UNIQUE_DIGITS$X}")
    } else {
        prefix.to_owned()
    };
    name.parse().map(|name| (name, is_unique)).map_err(|_| Reason::DYNAMIC_Q_NAME_ERROR)
}
