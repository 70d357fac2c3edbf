//! The authorities that calls and commands need.
//!
//! Lives here: for each call, option and command the authorities, the objects that they are needed on, and
//! the user whose authorities count. Lives elsewhere: records and verdicts (`authority`), finding out which
//! object a name means (`queue-manager`).
//!
//! Always: an option that an object cannot have needs an authority that no record can give; every command
//! needs to connect and to display the queue manager.

#[cfg(test)]
mod tests;

use mqi::{CloseOptions, OpenOptions, PutFlags, SubscribeOptions};
use smallvec::SmallVec;

use crate::authority::{ObjectType, Set};

/// The object that an authority is needed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum On {
    /// The object that the request names: the first definition, not its target.
    Object,
    /// The queue manager.
    QueueManager,
    /// The topic that an alias queue leads to.
    TopicOfAlias,
    /// The dynamic queue that a model makes, by its name; needed if a profile other than `**` covers the
    /// name.
    DynamicQueue,
    /// The queue that messages go to: publications, or those that MOVE moves.
    Destination,
    /// The object whose values a new one takes: LIKE, or the default object.
    Like,
}

/// The user whose authorities count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum By {
    /// The user that the request is for: the alternate user, or that of a subscription, where one is given.
    User,
    /// The user of the connection, always.
    Caller,
}

/// Authorities that are needed on one object of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Need {
    /// The object.
    pub on: On,
    /// The user.
    pub by: By,
    /// The authorities.
    pub set: Set,
}

/// All that a request needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs(SmallVec<[Need; 4]>);

impl Needs {
    /// The needs, one for each object and user.
    pub fn iter(&self) -> impl Iterator<Item = Need> {
        self.0.iter().copied()
    }

    fn add(&mut self, on: On, by: By, set: Set) {
        if set.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|need| need.on == on && need.by == by) {
            Some(need) => need.set = need.set.with(set),
            None => self.0.push(Need { on, by, set }),
        }
    }
}

/// The kinds of object that MQOPEN, MQPUT1 and MQSUB tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A local queue, an alias of a queue, a remote or cluster queue, an alias of a queue manager that is
    /// opened itself.
    Queue,
    /// A transmission queue that is named itself.
    TransmissionQueue,
    /// A model queue.
    ModelQueue,
    /// An alias queue that leads to a topic.
    AliasOfTopic,
    /// A topic.
    Topic,
    /// Another queue manager, whose queue is named with it.
    RemoteQueueManager,
    /// A process.
    Process,
    /// A namelist.
    Namelist,
    /// The queue manager.
    QueueManager,
}

impl Kind {
    /// The type of object whose records count for [`On::Object`].
    #[must_use]
    pub const fn object_type(self) -> ObjectType {
        match self {
            Self::Queue | Self::TransmissionQueue | Self::ModelQueue | Self::AliasOfTopic => {
                ObjectType::Queue
            }
            Self::Topic => ObjectType::Topic,
            Self::RemoteQueueManager => ObjectType::RemoteQueueManager,
            Self::Process => ObjectType::Process,
            Self::Namelist => ObjectType::Namelist,
            Self::QueueManager => ObjectType::QueueManager,
        }
    }
}

/// The needs of MQCONN; a part of the queue manager in a process of its own connects as such.
#[must_use]
pub fn connect(is_part: bool) -> Needs {
    let mut needs = Needs::default();
    needs.add(On::QueueManager, By::Caller, Set::CONNECT);
    if is_part {
        needs.add(On::QueueManager, By::Caller, Set::SYSTEM);
    }
    needs
}

/// Options of MQOPEN that take messages.
const INPUT: OpenOptions =
    OpenOptions::INPUT_AS_Q_DEF.union(OpenOptions::INPUT_SHARED).union(OpenOptions::INPUT_EXCLUSIVE);

/// Options that choose the context of messages that are put, each with its authority, and if the queue
/// manager is asked for it too.
const CONTEXT: [(OpenOptions, Set, bool); 4] = [
    (OpenOptions::PASS_IDENTITY_CONTEXT, Set::PASSID, false),
    (OpenOptions::PASS_ALL_CONTEXT, Set::PASSALL, false),
    (OpenOptions::SET_IDENTITY_CONTEXT, Set::SETID, true),
    (OpenOptions::SET_ALL_CONTEXT, Set::SETALL, true),
];

/// The needs of MQOPEN.
#[must_use]
pub fn open(kind: Kind, options: OpenOptions) -> Needs {
    let mut needs = Needs::default();
    if options.contains(OpenOptions::ALTERNATE_USER_AUTHORITY) {
        needs.add(On::QueueManager, By::Caller, Set::ALTUSR);
    }
    let mut asked = Set::EMPTY;
    for (option, authority) in [
        (OpenOptions::INQUIRE, Set::INQ),
        (OpenOptions::SET, Set::SET),
        (OpenOptions::BROWSE, Set::BROWSE),
        (INPUT.union(OpenOptions::SAVE_ALL_CONTEXT), Set::GET),
    ] {
        if options.intersects(option) {
            asked = asked.with(authority);
        }
    }
    let mut context = Set::EMPTY;
    for (option, authority, of_queue_manager) in CONTEXT {
        if options.contains(option) {
            context = context.with(authority);
            if of_queue_manager {
                needs.add(On::QueueManager, By::Caller, authority);
            }
        }
    }
    // The options of context are for messages that are put.
    if options.contains(OpenOptions::OUTPUT) || !context.is_empty() {
        match kind {
            // Messages that stand there are under way, and say in their headers where they come from.
            Kind::TransmissionQueue => {
                needs.add(On::Object, By::Caller, Set::SETALL);
                needs.add(On::QueueManager, By::Caller, Set::SETALL);
            }
            Kind::Topic => asked = asked.with(Set::PUB),
            Kind::AliasOfTopic => {
                asked = asked.with(Set::PUT);
                needs.add(On::TopicOfAlias, By::User, Set::PUB);
                needs.add(On::TopicOfAlias, By::Caller, context);
            }
            _ => asked = asked.with(Set::PUT),
        }
    }
    // A record for another queue manager can give the right to put, and no more.
    if kind != Kind::RemoteQueueManager {
        needs.add(On::Object, By::Caller, context);
    }
    if kind == Kind::ModelQueue {
        needs.add(On::DynamicQueue, By::User, asked);
        needs.add(On::DynamicQueue, By::Caller, context);
        asked = asked.with(Set::DSP);
    }
    needs.add(On::Object, By::User, asked);
    needs
}

/// The needs of MQPUT1: those of MQOPEN to put, with the options of the context.
#[must_use]
pub fn put_one(kind: Kind, flags: PutFlags) -> Needs {
    let mut options = OpenOptions::OUTPUT;
    for (flag, option) in [
        (PutFlags::PASS_IDENTITY_CONTEXT, OpenOptions::PASS_IDENTITY_CONTEXT),
        (PutFlags::PASS_ALL_CONTEXT, OpenOptions::PASS_ALL_CONTEXT),
        (PutFlags::SET_IDENTITY_CONTEXT, OpenOptions::SET_IDENTITY_CONTEXT),
        (PutFlags::SET_ALL_CONTEXT, OpenOptions::SET_ALL_CONTEXT),
        (PutFlags::ALTERNATE_USER_AUTHORITY, OpenOptions::ALTERNATE_USER_AUTHORITY),
    ] {
        if flags.contains(flag) {
            options |= option;
        }
    }
    open(kind, options)
}

/// The needs of MQCLOSE: none of the handle that made the dynamic queue, nor of the user of the subscription.
#[must_use]
pub fn close(options: CloseOptions, is_maker: bool) -> Needs {
    let mut needs = Needs::default();
    if is_maker {
        return needs;
    }
    if options.intersects(CloseOptions::DELETE | CloseOptions::DELETE_PURGE) {
        needs.add(On::Object, By::User, Set::DLT);
    }
    if options.contains(CloseOptions::REMOVE_SUB) {
        needs.add(On::Object, By::User, Set::SUB);
        needs.add(On::QueueManager, By::Caller, Set::ALTUSR);
    }
    needs
}

/// The queue of a subscription, as MQSUB gives or asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Destination {
    /// The queue manager makes and keeps it.
    Managed,
    /// The program gives the handle of a queue.
    Given,
    /// The program has given it once, and asks for a handle of it now.
    Returned,
}

/// The subscription that MQSUB names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subscription {
    /// No subscription of this name exists.
    New,
    /// It is there, and the user's own.
    Open,
    /// It is there, another user's, and not fixed to this one.
    OfAnother,
    /// It is there, another user's, and fixed to this one.
    FixedToAnother,
}

/// A subscription belongs to its user alone; no authority of another counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the subscription is fixed to another user; only that user alters or resumes it")]
pub struct AnotherUsers;

/// The needs of MQSUB.
///
/// # Errors
/// When the subscription is fixed to another user.
pub fn subscribe(
    options: SubscribeOptions,
    destination: Destination,
    subscription: Subscription,
) -> Result<Needs, AnotherUsers> {
    if subscription == Subscription::FixedToAnother {
        return Err(AnotherUsers);
    }
    let mut needs = Needs::default();
    let is_taken = subscription == Subscription::OfAnother
        && options.intersects(SubscribeOptions::RESUME | SubscribeOptions::ALTER);
    if is_taken || options.contains(SubscribeOptions::ALTERNATE_USER_AUTHORITY) {
        needs.add(On::QueueManager, By::Caller, Set::ALTUSR);
    }
    let resumes = options.contains(SubscribeOptions::RESUME)
        && !options.contains(SubscribeOptions::ALTER)
        && (subscription != Subscription::New || !options.contains(SubscribeOptions::CREATE));
    needs.add(On::Object, By::User, if resumes { Set::RESUME } else { Set::SUB });
    match destination {
        Destination::Managed => {}
        Destination::Given => needs.add(On::Destination, By::User, Set::PUT),
        Destination::Returned => {
            needs.add(On::Destination, By::User, Set::PUT.with(Set::GET).with(Set::BROWSE));
        }
    }
    if options.contains(SubscribeOptions::SET_IDENTITY_CONTEXT) {
        needs.add(On::QueueManager, By::Caller, Set::SETID);
        if destination != Destination::Managed {
            needs.add(On::Destination, By::Caller, Set::SETID);
        }
    }
    Ok(needs)
}

/// The kinds of command that needs tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// DEFINE of an object that is not there.
    Define,
    /// DEFINE REPLACE of one that is.
    Replace,
    /// ALTER of an object.
    Alter,
    /// DELETE of an object.
    Delete,
    /// CLEAR QLOCAL, CLEAR TOPICSTR.
    Clear,
    /// MOVE QLOCAL.
    Move,
    /// DISPLAY of an object, or of its status.
    Display,
    /// RESET QSTATS.
    ResetStatistics,
    /// START, STOP and PING of a channel, listener or service.
    Control,
    /// RESET CHANNEL, RESOLVE CHANNEL.
    ControlExtended,
    /// DISPLAY of QMGR, CONN, AUTHREC, ENTAUTH, CHLAUTH, AUTHSERV, QMSTATUS, and the statistics.
    DisplayQueueManager,
    /// ALTER QMGR, SET and DELETE AUTHREC, SET CHLAUTH, REFRESH, STOP CONN, RESOLVE INDOUBT, RECOVER, the end
    /// of the queue manager.
    Administer,
    /// DEFINE SUB, ALTER SUB, for the caller.
    DefineSubscription,
    /// DEFINE SUB, ALTER SUB with SUBUSER of another.
    DefineSubscriptionOfAnother,
    /// DELETE SUB, ALTER SUB and DEFINE SUB REPLACE of one that is there, for its topic.
    DeleteSubscription,
    /// The same of a subscription of another user, fixed or not.
    DeleteSubscriptionOfAnother,
}

/// The needs of a command, by MQSC or in binary form.
#[must_use]
pub fn command(command: Command) -> Needs {
    let mut needs = Needs::default();
    needs.add(On::QueueManager, By::Caller, Set::CONNECT.with(Set::DSP));
    let on_object = match command {
        Command::Define => Set::CRT,
        Command::Replace | Command::Alter => Set::CHG,
        Command::Delete => Set::DLT,
        Command::Clear => Set::CLR,
        Command::Move => Set::CLR.with(Set::GET),
        Command::Display => Set::DSP,
        Command::ResetStatistics => Set::DSP.with(Set::CHG),
        Command::Control => Set::CTRL,
        Command::ControlExtended => Set::CTRLX,
        Command::DisplayQueueManager | Command::Administer => Set::EMPTY,
        Command::DefineSubscription
        | Command::DefineSubscriptionOfAnother
        | Command::DeleteSubscription
        | Command::DeleteSubscriptionOfAnother => Set::SUB,
    };
    needs.add(On::Object, By::User, on_object);
    match command {
        Command::Define | Command::Replace => needs.add(On::Like, By::User, Set::DSP),
        Command::Move => {
            needs.add(On::Destination, By::User, Set::PUT);
            needs.add(On::Destination, By::Caller, Set::PASSALL);
        }
        Command::DefineSubscription => needs.add(On::Destination, By::User, Set::PUT),
        Command::DefineSubscriptionOfAnother => {
            needs.add(On::Destination, By::User, Set::PUT);
            needs.add(On::QueueManager, By::Caller, Set::ALTUSR);
        }
        Command::DeleteSubscriptionOfAnother => needs.add(On::QueueManager, By::Caller, Set::ALTUSR),
        Command::Administer => needs.add(On::QueueManager, By::Caller, Set::CHG),
        _ => {}
    }
    needs
}
