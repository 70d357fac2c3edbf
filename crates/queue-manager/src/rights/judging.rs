//! The judgement of a request by the authority records.
//!
//! Lives here: the objects on which a request needs rights, by the definitions there are, and the first need
//! that no record meets. Lives elsewhere: what each call needs (`security::needs`), records and verdicts
//! (`security::authority`), the words for a refusal (`ground::explanation`).
//!
//! Always: a name is judged whether there is such an object or not; of definitions nothing is told but by the
//! verdict; `ferry auth check`, DISPLAY ENTAUTH and every call are judged here.

use std::sync::Arc;

use mqi::constants::{
    MQ_USER_ID_LENGTH, MQCA_TOPIC_STRING, MQCACF_SUB_USER_ID, MQIACF_SUB_TYPE, MQSUBTYPE_API,
};
use mqi::{ObjectName, OpenOptions, SubscribeOptions, Text};
use objects::{Definition, Family, ObjectType as DefinedType, TargetType, Usage};
use queues::ground::explanation::{Explanation, is_of_system};
use queues::queue::Queue;
use security::authority::{ObjectType, Set, What, Who};
use security::needs::{self, By, Destination, Kind, Need, Needs, On, Subscription};
use security::{Asked, Command, Object as AskedObject, ObjectKind, Principal, Use};
use smallvec::SmallVec;
use storage::Lsn;
use topic::{Pattern, TopicString, Wildcards};

use crate::authority::{Rules, type_of};
use crate::catalogue::{Object, topics_of};
use crate::directory::Directory;

/// Authorities that are needed on one object.
struct Want {
    place: Place,
    by: By,
    set: Set,
}

/// The object of a need, as records name it.
enum Place {
    /// An object by its name; the queue manager has none.
    Named(ObjectType, ObjectName),
    /// A place in the topic tree: the nearest topic object decides, or one above it that grants.
    Topic(ObjectName, String),
    /// The queue that a model makes: its name counts where a profile but `**` covers it.
    Covered(ObjectName),
}

/// A request that is being judged.
struct Case<'a> {
    directory: &'a Directory,
    rules: &'a Rules,
    principal: &'a Principal,
    asked: &'a Asked<'a>,
    /// The position that must be durable before the verdict may be known outside.
    need: Lsn,
}

/// Judges a request that no login of an administrator makes for itself.
pub(super) fn judge(
    directory: &Directory,
    rules: &Rules,
    principal: &Principal,
    asked: &Asked<'_>,
) -> (Lsn, Result<(), Box<Explanation>>) {
    let mut case = Case { directory, rules, principal, asked, need: rules.need() };
    let wants = case.wants();
    let judged = wants.iter().try_for_each(|want| case.meet(want)).and_then(|()| case.may_make());
    (case.need, judged)
}

impl Directory {
    /// True for a subscription of this user, or of the user that it acts for. One that an administrator has
    /// defined for no user is nobody's own.
    pub(crate) fn is_subscription_of(
        &self,
        subscription: &Definition,
        principal: &Principal,
        alternate: Option<Text<12>>,
    ) -> bool {
        let owner = subscription.text(MQCACF_SUB_USER_ID);
        if let Some(user) = alternate {
            return owner == user.as_str().trim_end();
        }
        if owner.is_empty() {
            return principal.name().is_empty() && subscription.integer(MQIACF_SUB_TYPE) == MQSUBTYPE_API;
        }
        // A definition may name a user whole, a program's subscription has what messages carry of the name.
        if owner.len() > MQ_USER_ID_LENGTH {
            return owner == principal.name();
        }
        // Of users whose names begin alike the host knows the one that is meant.
        match self.ground().host.user_of_identifier(&owner) {
            Some(whole) => *whole == *principal.name(),
            None => owner == principal.short_name().as_str(),
        }
    }
}

/// The place in the topic tree that a subscription is for.
fn topic_of(subscription: &Definition) -> Place {
    let place = topics_of(subscription).map(|pattern| pattern.fixed_part().to_owned());
    Place::Topic(ObjectName::BLANK, place.unwrap_or_default())
}

impl Case<'_> {
    /// The needs of the request, each with its object.
    fn wants(&mut self) -> SmallVec<[Want; 4]> {
        let object = self.asked.object;
        match self.asked.used {
            Use::Connect => self.place_all(&needs::connect(false)),
            Use::Open(options) => {
                let kind = self.kind();
                self.place_all(&needs::open(kind, options))
            }
            Use::Put(flags) => {
                let kind = self.kind();
                self.place_all(&needs::put_one(kind, flags))
            }
            Use::Make { options, .. } => {
                let needs = needs::open(Kind::ModelQueue, options);
                let of_queue = needs.iter().filter(|need| need.on == On::DynamicQueue);
                let want = |Need { by, set, .. }| Want { place: Place::Covered(object.name), by, set };
                of_queue.map(want).collect()
            }
            Use::Close { options, is_maker } => {
                let is_maker = is_maker || self.is_subscriber();
                self.place_all(&needs::close(options, is_maker))
            }
            Use::Subscribe { options, subscription } => self.of_subscribe(options, subscription),
            Use::Receive => self.of_copies(Set::PUT),
            Use::Lend { needed, is_raw: true, .. } => self.of_copies(needed),
            Use::Lend { needed, is_raw: false, .. } => self.alone(On::Object, needed),
            Use::Command(Command::Like) => self.alone(On::Object, Set::DSP),
            // As if a program put the messages that it got, with their context.
            Use::Command(Command::MoveTo) => {
                let kind = self.kind();
                self.place_all(&needs::open(kind, OpenOptions::OUTPUT | OpenOptions::PASS_ALL_CONTEXT))
            }
            Use::Command(command) => {
                let needs = self.of_command(command);
                self.place_all(&needs)
            }
        }
    }

    /// The needs of a subscription: on the topic that the request names, and on that of the subscription
    /// there is, which a request may leave unsaid.
    fn of_subscribe(&mut self, options: SubscribeOptions, subscription: &str) -> SmallVec<[Want; 4]> {
        let found = self.subscription(subscription);
        let standing = match &found {
            None => Subscription::New,
            Some(found) if self.is_own(found) => Subscription::Open,
            Some(_) => Subscription::OfAnother,
        };
        let needs = needs::subscribe(options, Destination::Managed, standing);
        let needs = needs.expect("a subscription that is fixed to another is refused where it is found");
        let object = self.asked.object;
        let names_topic = !object.name.is_blank() || !object.text.is_empty();
        let mut wants = if found.is_none() || names_topic { self.place_all(&needs) } else { SmallVec::new() };
        let Some(found) = found else { return wants };
        for Need { on, by, set } in needs.iter() {
            let place = match on {
                On::Object => Some(topic_of(&found)),
                _ if names_topic => None,
                on => self.place(on),
            };
            wants.extend(place.map(|place| Want { place, by, set }));
        }
        wants
    }

    /// The needs on a queue on which messages come as they were put: on a transmission queue also those of a
    /// program that puts there.
    fn of_copies(&mut self, needed: Set) -> SmallVec<[Want; 4]> {
        let mut wants = self.alone(On::Object, needed);
        if self.kind() == Kind::TransmissionQueue {
            let needs = needs::open(Kind::TransmissionQueue, OpenOptions::OUTPUT);
            wants.extend(self.place_all(&needs));
        }
        wants
    }

    fn alone(&mut self, on: On, set: Set) -> SmallVec<[Want; 4]> {
        let place = self.place(on);
        SmallVec::from_iter(place.map(|place| Want { place, by: By::User, set }))
    }

    fn place_all(&mut self, needs: &Needs) -> SmallVec<[Want; 4]> {
        let mut wants = SmallVec::new();
        for Need { on, by, set } in needs.iter() {
            if let Some(place) = self.place(on) {
                wants.push(Want { place, by, set });
            }
        }
        wants
    }

    /// The object of a need; none where a request of its own asks for it.
    fn place(&mut self, on: On) -> Option<Place> {
        let object = self.asked.object;
        match on {
            On::QueueManager => Some(Place::Named(ObjectType::QueueManager, ObjectName::BLANK)),
            On::Object => match object.kind {
                ObjectKind::Topic => Some(self.topic()),
                ObjectKind::Subscription => Some(topic_of(&self.own_subscription()?)),
                kind => type_of(kind).map(|object_type| Place::Named(object_type, object.name)),
            },
            On::TopicOfAlias => {
                let target = self.queue(&object.name)?.current().attributes.target?;
                let place = self.topic_string(&target)?;
                Some(Place::Topic(target, place))
            }
            On::DynamicQueue | On::Destination | On::Like => None,
        }
    }

    /// The kind of object that a name to be opened means. What is not there is judged like what usually is.
    fn kind(&mut self) -> Kind {
        match self.asked.object.kind {
            ObjectKind::Topic => Kind::Topic,
            ObjectKind::RemoteQueueManager => Kind::RemoteQueueManager,
            ObjectKind::Process => Kind::Process,
            ObjectKind::Namelist => Kind::Namelist,
            ObjectKind::QueueManager => Kind::QueueManager,
            _ => {
                let name = self.asked.object.name;
                let Some(found) = self.queue(&name) else { return Kind::Queue };
                let current = found.current();
                let attributes = &current.attributes;
                match found.object_type() {
                    DefinedType::ModelQueue => Kind::ModelQueue,
                    DefinedType::AliasQueue if attributes.target_type == TargetType::Topic => {
                        Kind::AliasOfTopic
                    }
                    DefinedType::LocalQueue if attributes.usage == Usage::Transmission => {
                        Kind::TransmissionQueue
                    }
                    _ => Kind::Queue,
                }
            }
        }
    }

    fn queue(&mut self, name: &ObjectName) -> Option<Arc<Object<Arc<Queue>>>> {
        let found = self.directory.catalogue.find(name);
        self.need = self.need.max(found.need);
        found.object
    }

    /// The definition of the subscription that the request is about, by its name, or by its identifier alone.
    fn own_subscription(&mut self) -> Option<Definition> {
        let object = self.asked.object;
        if !object.text.is_empty() || object.name.is_blank() {
            return self.subscription(object.text);
        }
        self.need = self.need.max(self.directory.catalogue.absence_need());
        let all = self.directory.catalogue.all_defined(Family::Subscription);
        let found = all
            .into_iter()
            .map(|found| found.current())
            .find(|found| found.definition.name() == &object.name)?;
        self.need = self.need.max(found.need);
        Some(found.definition.clone())
    }

    /// The definition of a subscription, by its name.
    fn subscription(&mut self, name: &str) -> Option<Definition> {
        if name.is_empty() {
            return None;
        }
        let space = DefinedType::Subscription.name_space();
        let (found, need) = self.directory.catalogue.find_defined(space, name);
        self.need = self.need.max(need);
        found.map(|found| found.current().definition.clone())
    }

    /// True for the user that the subscription of the request belongs to.
    fn is_subscriber(&mut self) -> bool {
        if self.asked.object.kind != ObjectKind::Subscription {
            return false;
        }
        let definition = self.own_subscription();
        definition.is_some_and(|found| self.is_own(&found))
    }

    /// True for a subscription of the user that the request is for.
    fn is_own(&self, subscription: &Definition) -> bool {
        let alternate = self.asked.alternate_user.filter(|user| !user.is_blank());
        self.directory.is_subscription_of(subscription, self.principal, alternate)
    }

    fn topic_string(&mut self, name: &ObjectName) -> Option<String> {
        let space = DefinedType::Topic.name_space();
        let (found, need) = self.directory.catalogue.find_defined(space, name.as_str());
        self.need = self.need.max(need);
        found.map(|found| found.current().definition.text(MQCA_TOPIC_STRING))
    }

    /// The topic that is named: by an object, by a string, or by both.
    fn topic(&mut self) -> Place {
        let object = self.asked.object;
        let first =
            if object.name.is_blank() { Some(String::new()) } else { self.topic_string(&object.name) };
        let Some(first) = first else {
            // What is not there has rights by its name alone.
            return Place::Named(ObjectType::Topic, object.name);
        };
        let whole = TopicString::joined(&first, object.text);
        let whole = whole.map(|whole| whole.as_str().to_owned()).unwrap_or(first);
        let wildcards = match self.asked.used {
            Use::Subscribe { options, .. } if options.contains(SubscribeOptions::WILDCARD_CHAR) => {
                Some(Wildcards::Characters)
            }
            Use::Subscribe { .. } => Some(Wildcards::Levels),
            _ => None,
        };
        let fixed = wildcards.and_then(|wildcards| Pattern::new(&whole, wildcards).ok());
        let place = fixed.map(|pattern| pattern.fixed_part().to_owned()).unwrap_or(whole);
        Place::Topic(object.name, place)
    }

    /// The needs of a command on one object.
    fn of_command(&mut self, command: Command) -> Needs {
        use needs::Command as Kind;
        let object = self.asked.object;
        let of_manager = object.kind == ObjectKind::QueueManager;
        let of_subscription = object.kind == ObjectKind::Subscription;
        let is_there = |case: &mut Self| case.is_there();
        let kind = match command {
            // The topic and the queue of a subscription are requests of their own.
            Command::Define if of_subscription => Kind::DisplayQueueManager,
            Command::Replace | Command::Alter | Command::Delete if of_subscription => {
                match self.own_subscription() {
                    None => Kind::DisplayQueueManager,
                    Some(found) if self.is_own(&found) => Kind::DeleteSubscription,
                    Some(_) => Kind::DeleteSubscriptionOfAnother,
                }
            }
            Command::Display if of_subscription || of_manager => Kind::DisplayQueueManager,
            Command::Alter if of_manager => Kind::Administer,
            Command::Define => Kind::Define,
            Command::Replace if is_there(self) => Kind::Replace,
            Command::Replace => Kind::Define,
            Command::Alter => Kind::Alter,
            Command::Delete => Kind::Delete,
            Command::Display => Kind::Display,
            Command::Clear => Kind::Clear,
            Command::Move => Kind::Move,
            Command::Start | Command::Stop | Command::Ping if !of_manager => Kind::Control,
            Command::Ping | Command::Statistics => Kind::DisplayQueueManager,
            Command::Reset if object.kind == ObjectKind::Queue => Kind::ResetStatistics,
            Command::Reset | Command::Resolve | Command::Purge if !of_manager => Kind::ControlExtended,
            Command::Recover
            | Command::Reset
            | Command::Refresh
            | Command::Resolve
            | Command::Start
            | Command::Stop
            | Command::Set
            | Command::Suspend
            | Command::Purge
            | Command::Like
            | Command::MoveTo => Kind::Administer,
        };
        needs::command(kind)
    }

    /// Tells if there is an object of the name that a command gives.
    fn is_there(&mut self) -> bool {
        let object = self.asked.object;
        if object.kind == ObjectKind::Queue {
            return self.queue(&object.name).is_some();
        }
        let family = match object.kind {
            ObjectKind::Topic => Family::Topic,
            ObjectKind::Process => Family::Process,
            ObjectKind::Namelist => Family::Namelist,
            ObjectKind::Channel | ObjectKind::ClientChannel => Family::Channel,
            ObjectKind::Listener => Family::Listener,
            ObjectKind::Service => Family::Service,
            ObjectKind::Authentication => Family::Authentication,
            ObjectKind::CommunicationInformation => Family::CommunicationInformation,
            ObjectKind::Bridge => Family::Bridge,
            ObjectKind::Pipe => Family::Pipe,
            ObjectKind::QueueManager
            | ObjectKind::Queue
            | ObjectKind::RemoteQueueManager
            | ObjectKind::Subscription => return false,
        };
        let name = object.name;
        family.name_spaces().into_iter().any(|space| {
            let (found, need) = self.directory.catalogue.find_defined(space, name.as_str());
            self.need = self.need.max(need);
            found.is_some()
        })
    }

    /// Refuses a new object with a name of the system's, which the rights to make objects do not cover: parts
    /// of the queue manager and tools of administrators look for such names.
    fn may_make(&mut self) -> Result<(), Box<Explanation>> {
        let AskedObject { kind, name, text } = self.asked.object;
        let name = if kind == ObjectKind::Subscription { text } else { name.as_str() };
        let makes = match self.asked.used {
            Use::Command(Command::Define) => true,
            Use::Command(Command::Replace) if kind == ObjectKind::Subscription => {
                self.subscription(name).is_none()
            }
            Use::Command(Command::Replace) => !self.is_there(),
            _ => false,
        };
        if !makes || !is_of_system(name) {
            return Ok(());
        }
        // A subscription has the rights of its topic.
        let object_type = type_of(kind).unwrap_or(ObjectType::Topic);
        Err(Box::new(Explanation::of_new_system_object(self.principal, object_type, name)))
    }

    /// Meets one need by the records, or explains why it is not met.
    fn meet(&mut self, want: &Want) -> Result<(), Box<Explanation>> {
        let alternate = self.asked.alternate_user.filter(|_| want.by == By::User);
        let named = alternate.as_ref().map(|user| user.as_str().trim_end());
        // A login makes an administrator, a name never does.
        if named.is_none() && self.principal.is_administrator() {
            return Ok(());
        }
        let groups: SmallVec<[Box<str>; 8]> = match named {
            Some(user) => self.directory.ground().host.groups(user).into(),
            None if self.principal.identity() == security::Identity::Message
                || self.directory.ground().host.has_users() =>
            {
                self.directory.ground().host.groups(self.principal.name()).into()
            }
            None => self.principal.groups().into(),
        };
        let user = named.unwrap_or_else(|| self.principal.name());
        let who = Who { user, groups: &groups, is_administrator: false };
        let met = match &want.place {
            Place::Named(object_type, name) => {
                if *object_type == ObjectType::Queue && self.is_maker(user, name) {
                    return Ok(());
                }
                self.judge_name(who, *object_type, name, want.set)
            }
            Place::Covered(name) if !self.rules.authorities().covers(ObjectType::Queue, name.as_str()) => {
                Ok(())
            }
            Place::Covered(name) => self.judge_name(who, ObjectType::Queue, name, want.set),
            Place::Topic(named, place) => self.judge_topic(who, named, place, want.set),
        };
        met.map_err(|why| {
            // The name of an administrator that proved nothing needs a proof, and no record.
            let is_administrator = named.is_none()
                && self.principal.identity() == security::Identity::Asserted
                && self.directory.ground().host.is_administrator(user);
            if is_administrator { Box::new(Explanation { remedy: None, ..*why }) } else { why }
        })
    }

    fn judge_name(
        &self,
        who: Who<'_>,
        object_type: ObjectType,
        name: &ObjectName,
        needed: Set,
    ) -> Result<(), Box<Explanation>> {
        let what = What { object_type, name: name.as_str(), needed };
        let verdict = self.rules.authorities().judge(who, what);
        if verdict.is_granted() {
            return Ok(());
        }
        Err(Box::new(Explanation::of(self.rules.authorities(), (who, what), &verdict)))
    }

    fn judge_topic(
        &mut self,
        who: Who<'_>,
        named: &ObjectName,
        place: &str,
        needed: Set,
    ) -> Result<(), Box<Explanation>> {
        let topics = self.directory.catalogue.topics();
        self.need = self.need.max(topics.need);
        let mut nearest: Option<ObjectName> = (!named.is_blank()).then_some(*named);
        let above = topics.tree.objects_above(place).map(|object| object.name);
        let names: SmallVec<[ObjectName; 4]> = nearest.into_iter().chain(above).collect();
        let grants = |name: &ObjectName| {
            let what = What { object_type: ObjectType::Topic, name: name.as_str(), needed };
            self.rules.authorities().judge(who, what).is_granted()
        };
        if names.iter().any(grants) {
            return Ok(());
        }
        let name = *nearest.get_or_insert_with(|| names.first().copied().unwrap_or_default());
        self.judge_name(who, ObjectType::Topic, &name, needed)
    }

    /// True for the user that has made a dynamic queue by opening its model.
    fn is_maker(&mut self, user: &str, name: &ObjectName) -> bool {
        let found = self.queue(name);
        found.is_some_and(|found| found.queue().is_some_and(|queue| queue.is_made_by(user)))
    }
}
