//! The requests that a command consists of.
//!
//! Each command is judged for the object that it names, and for others that it takes from or gives to. The
//! objects and users that a definition names are judged once it is finished (`rights::lending`). A
//! command about several objects is judged for each that it meets ([`Reach`]): one that its caller may not
//! use is left out, as if it were not there.

use mqi::constants::{MQCA_TOPIC_NAME, MQCA_TOPIC_STRING};
use mqi::{NamePattern, ObjectName, SubscribeOptions};
use objects::mqsc::{Define, Display, Name, Names, Target};
use objects::{Command, Message, ObjectType, Response, Setting, messages};
use queues::gate::{BehindGate, Gated};
use security::{Asked, Command as Verb, Object, ObjectKind, Principal, Use};
use smallvec::SmallVec;
use storage::Lsn;

pub(crate) use super::types::{kind_of, of_definition};
use super::{Door, Granted, Judged, Refused};

/// The requests of one command, with that for the object that it names first.
type Requests<'a> = SmallVec<[Asked<'a>; 3]>;

impl Door {
    /// Judges a command.
    ///
    /// # Errors
    /// The answer to a refused one.
    pub(crate) fn admit<'a>(
        &self,
        principal: &Principal,
        command: &'a Command,
    ) -> Result<Granted<'a>, Gated<Response>> {
        let requests = requests(command);
        let (first, others) = requests.split_first().expect("a command asks for something");
        if is_by_object(command) {
            let granted = Granted::new(principal, *first, (Lsn::ZERO, self.generation()));
            return Ok(Granted { is_by_object: true, ..granted });
        }
        let mut granted = self.admit_one(principal, *first)?;
        for asked in others {
            granted.need = granted.need.max(self.admit_one(principal, *asked)?.need);
        }
        Ok(granted)
    }

    /// Judges one request of a command. A refusal is recorded, and the answer has its number.
    fn admit_one<'a>(&self, principal: &Principal, asked: Asked<'a>) -> Result<Granted<'a>, Gated<Response>> {
        let Judged { need, generation, verdict } = self.judge(principal, &asked);
        match verdict {
            Ok(()) => Ok(Granted::new(principal, asked, (need, generation))),
            Err(refused) => Err(self.refuse_command(principal, &asked, &refused, need)),
        }
    }

    /// The answer to a command of which a request was refused, which is recorded. Called without locks.
    #[cold]
    pub(crate) fn refuse_command(
        &self,
        principal: &Principal,
        asked: &Asked<'_>,
        refused: &Refused,
        need: Lsn,
    ) -> Gated<Response> {
        let id = self.record(principal, asked, refused, need);
        let doing = format!("{} of {}", asked.used, asked.object);
        let inserts = [principal.name().to_owned(), doing, refused.reason.to_string(), format!("{id:016X}")];
        Gated::new(need, Response::message(Message::new(&messages::COMMAND_REFUSED, inserts)))
    }
}

/// The objects that a granted command may tell of.
pub(crate) struct Reach<'a> {
    door: &'a Door,
    granted: &'a Granted<'a>,
    /// The position that must be durable before an answer that rests on the verdicts may be known outside.
    need: Lsn,
    /// The answer, where an object that was asked for by its name may not be told of.
    refused: Option<Response>,
}

impl<'a> Reach<'a> {
    pub(crate) fn of(door: &'a Door, granted: &'a Granted<'a>) -> Self {
        Self { door, granted, need: Lsn::ZERO, refused: None }
    }

    /// True if the command may show an object that it met. An object that is left out of several is not
    /// recorded as a refusal: the command did not ask for it.
    pub(crate) fn has(&mut self, object: Object<'_>) -> bool {
        let Granted { principal, asked, is_by_object, .. } = self.granted;
        if !is_by_object && asked.object == object {
            return true;
        }
        let asked = Asked { object, ..*asked };
        if *is_by_object {
            let Judged { need, verdict, .. } = self.door.judge(principal, &asked);
            self.need = self.need.max(need);
            return verdict.is_ok();
        }
        match self.door.admit_one(principal, asked) {
            Ok(granted) => {
                self.need = self.need.max(granted.need);
                true
            }
            Err(refused) => {
                self.need = self.need.max(refused.need());
                self.refused = Some(refused.into_inner());
                false
            }
        }
    }

    pub(crate) fn need(&self) -> Lsn {
        self.need
    }

    /// Takes the answer to a request for one object that was refused when it was met.
    pub(crate) fn take_refused(&mut self) -> Option<Response> {
        self.refused.take()
    }
}

/// Says whether a command is judged for each object that it meets, because it looks for several.
fn is_by_object(command: &Command) -> bool {
    match command {
        Command::Display(display) => match &display.target {
            Target::Objects { names, .. } | Target::SubscriptionStatus { names } => names.is_generic(),
            Target::QueueStatus { names, .. }
            | Target::ChannelStatus { names, .. }
            | Target::ListenerStatus { names } => names.is_generic(),
            Target::TopicStatus { .. } => display.target.is_generic(),
            Target::QueueManager
            | Target::QueueManagerStatus
            | Target::PublishSubscribe { .. }
            | Target::ChannelRules { .. }
            | Target::Connections { .. }
            | Target::AuthorityRecords(_)
            | Target::EntityAuthority(_)
            | Target::AuthorityService
            | Target::Route { .. } => false,
        },
        Command::ResetStatistics(names, _) => names.is_generic(),
        _ => false,
    }
}

impl Granted<'_> {
    /// Stops the process when the grant is not for this command.
    pub(crate) fn must_be_for_command(&self, principal: &Principal, command: &Command) {
        self.must_be(principal, &requests(command)[0]);
    }
}

fn requests(command: &Command) -> Requests<'_> {
    let mut requests = Requests::new();
    let mut ask = |object, verb| requests.push(Asked::new(object, Use::Command(verb)));
    match command {
        Command::Define(define) => return of_define(define),
        Command::Alter(alter) => {
            ask(named(alter.object_type, &alter.name), Verb::Alter);
            if alter.object_type == ObjectType::Subscription {
                let name = alter.name.as_str();
                requests.extend(of_subscription(name, SubscribeOptions::ALTER, &alter.settings));
            }
        }
        Command::Delete(delete) => {
            let object_type = delete.object_type.or_else(|| delete.family.types().next());
            let object_type = object_type.expect("a family has types");
            ask(named(object_type, &delete.name), Verb::Delete);
        }
        Command::Display(display) => ask(displayed(display), Verb::Display),
        Command::Clear(clear) => ask(queue(clear.name), Verb::Clear),
        Command::ClearTopic(clear) => {
            ask(place(&clear.topic), Verb::Clear);
        }
        Command::Move(moved) => {
            ask(queue(moved.from), Verb::Move);
            ask(queue(moved.to), Verb::MoveTo);
        }
        Command::Recover(recover) => ask(queue(recover.name), Verb::Recover),
        Command::StopConnection(_) => ask(Object::MANAGER, Verb::Stop),
        Command::SetChannelRule(_) => ask(Object::MANAGER, Verb::Set),
        Command::StartChannel(start) => ask(channel(start.name), Verb::Start),
        Command::StopChannel(stop) => ask(channel(stop.name), Verb::Stop),
        Command::PingChannel(ping) => ask(channel(ping.name), Verb::Ping),
        Command::ResetChannel(reset) => ask(channel(reset.name), Verb::Reset),
        Command::ResolveChannel(resolve) => ask(channel(resolve.name), Verb::Resolve),
        Command::StartInitiator => ask(Object::MANAGER, Verb::Start),
        Command::StopInitiator => ask(Object::MANAGER, Verb::Stop),
        Command::StartListener(step) => ask(listener(step.name), Verb::Start),
        Command::StopListener(step) => ask(listener(step.name), Verb::Stop),
        Command::Resolve(_) => ask(Object::MANAGER, Verb::Resolve),
        Command::ResetStatistics(names, _) => ask(patterned(ObjectKind::Queue, names), Verb::Reset),
        Command::ResetQueueManager(_) => ask(Object::MANAGER, Verb::Reset),
        Command::RefreshQueueManager(_) | Command::RefreshSecurity(_) => ask(Object::MANAGER, Verb::Refresh),
        Command::PingQueueManager => ask(Object::MANAGER, Verb::Ping),
        Command::SetAuthority(_) | Command::DeleteAuthority(_) => ask(Object::MANAGER, Verb::Set),
        Command::Absent(absent) => {
            let kind = absent_kind(absent.command.subject);
            let name = absent.name.as_deref().unwrap_or_default();
            ask(Object::texted(kind, ObjectName::BLANK, name), absent_verb(absent.command.verb));
        }
    }
    requests
}

/// The verb by which DEFINE is judged.
pub(crate) fn verb_of(define: &Define) -> Verb {
    if define.replaces() { Verb::Replace } else { Verb::Define }
}

fn of_define(define: &Define) -> Requests<'_> {
    let mut requests = Requests::new();
    requests.push(Asked::new(named(define.object_type, &define.name), Use::Command(verb_of(define))));
    match (&define.like, define.object_type.default_object()) {
        (Some(like), _) => {
            requests.push(Asked::new(named(define.object_type, like), Use::Command(Verb::Like)));
        }
        // A subscription has rights by its topic alone.
        (None, Some(default)) if define.object_type != ObjectType::Subscription => {
            let default = default.parse().expect("default objects have names");
            let default = Object::named(kind_of(define.object_type), default);
            requests.push(Asked::new(default, Use::Command(Verb::Like)));
        }
        (None, _) => {}
    }
    if define.object_type == ObjectType::Subscription {
        let name = define.name.as_str();
        requests.extend(of_subscription(name, SubscribeOptions::CREATE, &define.settings));
    }
    requests
}

/// The topic that a subscription is for, as far as a command says it.
fn of_subscription<'a>(
    subscription: &'a str,
    options: SubscribeOptions,
    settings: &'a [Setting],
) -> impl Iterator<Item = Asked<'a>> {
    let text = |selector| {
        let found = settings.iter().find(|setting| setting.attribute.identifier_number() == selector);
        found.and_then(|setting| setting.value.as_text())
    };
    let name = |selector| {
        let name: Option<ObjectName> = text(selector).and_then(|name| name.parse().ok());
        name.filter(|name| !name.is_blank())
    };
    let (object, string) = (name(MQCA_TOPIC_NAME), text(MQCA_TOPIC_STRING));
    let topic = (object.is_some() || string.is_some()).then(|| {
        let object = object.unwrap_or(ObjectName::BLANK);
        let object = Object::texted(ObjectKind::Topic, object, string.unwrap_or_default());
        Asked::new(object, Use::Subscribe { options, subscription })
    });
    topic.into_iter()
}

pub(crate) fn channel(name: ObjectName) -> Object<'static> {
    Object::named(ObjectKind::Channel, name)
}

pub(crate) fn listener(name: ObjectName) -> Object<'static> {
    Object::named(ObjectKind::Listener, name)
}

pub(crate) fn queue(name: ObjectName) -> Object<'static> {
    Object::named(ObjectKind::Queue, name)
}

/// The object that a command on one names.
pub(crate) fn named(object_type: ObjectType, name: &Name) -> Object<'_> {
    match name {
        _ if object_type == ObjectType::QueueManager => Object::MANAGER,
        Name::Object(name) | Name::SubscriptionIdentifier(name) => Object::named(kind_of(object_type), *name),
        Name::Subscription(text) => Object::texted(kind_of(object_type), ObjectName::BLANK, text),
    }
}

/// The topic at a place of the tree.
pub(crate) fn place(topic: &str) -> Object<'_> {
    Object::texted(ObjectKind::Topic, ObjectName::BLANK, topic)
}

/// The objects of which DISPLAY tells, by the names that it looks for.
fn displayed(display: &Display) -> Object<'_> {
    match &display.target {
        Target::Objects { family, names, object_type } => {
            let object_type = object_type.or_else(|| family.types().next());
            listed(kind_of(object_type.expect("a family has types")), names)
        }
        Target::QueueStatus { names, .. } => patterned(ObjectKind::Queue, names),
        Target::Route { queue: name, .. } => queue(*name),
        Target::ChannelStatus { names, .. } => patterned(ObjectKind::Channel, names),
        Target::ListenerStatus { names } => patterned(ObjectKind::Listener, names),
        Target::TopicStatus { topics, .. } => place(topics),
        Target::SubscriptionStatus { names } => listed(ObjectKind::Subscription, names),
        Target::QueueManager
        | Target::QueueManagerStatus
        | Target::PublishSubscribe { .. }
        | Target::ChannelRules { .. }
        | Target::Connections { .. }
        | Target::AuthorityRecords(_)
        | Target::EntityAuthority(_)
        | Target::AuthorityService => Object::MANAGER,
    }
}

fn listed(kind: ObjectKind, names: &Names) -> Object<'_> {
    match names {
        Names::Objects(pattern) => patterned(kind, pattern),
        Names::Subscriptions(text) => Object::texted(kind, ObjectName::BLANK, text),
        Names::SubscriptionIdentifier(name) => Object::named(kind, *name),
    }
}

/// Objects by their names; behind the beginning of several stands an asterisk.
fn patterned(kind: ObjectKind, pattern: &NamePattern) -> Object<'_> {
    match pattern {
        NamePattern::Exact(name) => Object::named(kind, *name),
        NamePattern::Prefix(beginning) => Object::texted(kind, *beginning, "*"),
    }
}

/// The kind of object that the second word of a command names; the queue manager where it has no rights of
/// its own.
fn absent_kind(subject: &str) -> ObjectKind {
    match subject {
        "CHANNEL" => ObjectKind::Channel,
        "SERVICE" | "SVSTATUS" => ObjectKind::Service,
        _ => ObjectKind::QueueManager,
    }
}

/// The verb that the first word of a command is; one that is not listed changes the queue manager.
fn absent_verb(verb: &str) -> Verb {
    match verb {
        "START" => Verb::Start,
        "STOP" => Verb::Stop,
        "PING" => Verb::Ping,
        "PURGE" => Verb::Purge,
        "RESET" => Verb::Reset,
        "RESOLVE" => Verb::Resolve,
        "REFRESH" => Verb::Refresh,
        "SUSPEND" | "RESUME" => Verb::Suspend,
        "DELETE" => Verb::Delete,
        "DISPLAY" => Verb::Display,
        _ => Verb::Set,
    }
}
