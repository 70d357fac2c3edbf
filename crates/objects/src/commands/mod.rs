//! Commands, a file for each family of them.
//!
//! Lives here: the commands, by family. A family's file has its types, their form in text, the text written
//! back, their binary form and the length of their work.
//! Lives elsewhere: reading words and values of a text (`mqsc::parser`), parameters of a message
//! (`pcf::given`), doing what is asked (`queue-manager`, by the same families).
//!
//! Always: a new command is a part of its family's file and a variant of [`Command`] with its line in a
//! table; both forms find it there.

mod absent;
mod authority;
mod channel;
mod channel_rule;
mod choices;
mod conditions;
mod connection;
mod definition;
mod display;
mod form;
mod listener;
mod log;
mod manager;
mod page;
mod queue;
mod rights;
mod route;
mod security;
mod subscription;
mod topic;

use std::borrow::Cow;
use std::fmt;

use mqi::NamePattern;
use mqi::constants::{MQCMD_CHANGE_Q_MGR, MQRCCF_CFH_COMMAND_ERROR, MQRCCF_FUNCTION_RESTRICTED};

use crate::mqsc::name::Names;
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::mqsc::setting::Setting;
use crate::object_type::{Family, ObjectType};
use crate::pcf::families::{Action, number_of};
use crate::pcf::parameters::{Parameters, Read, refusal};
use crate::value::quoted;
pub use absent::{Absent, AbsentCommand, Missing};
pub use channel::{PingChannel, ResetChannel, ResolveChannel, StartChannel, StopChannel, StopChannelMode};
pub(crate) use channel_rule::making as making_channel_rule;
pub use channel_rule::{RuleAction, SetChannelRule};
pub use choices::OpenType;
pub use connection::{Resolution, Resolve};
pub use definition::{Alter, Define, Delete, Replace};
pub use display::{ChannelInstances, ConnectionAnswers, Display, Relation, RuleMatch, Shown, Target};
pub use form::Work;
use form::{Form, Head, Question};
pub use listener::ListenerStep;
pub use log::LogStep;
pub use manager::{Refresh, Refreshed, Reset};
pub use page::{KEY_END, Page, Part, name_of_key};
pub use queue::{Clear, Move, Recover};
pub use rights::{
    AuthorityChoice, AuthorityRecords, CheckedRequest, ENTITIES_MAX, EntityChoice, Matching, SetAuthority,
};
pub use security::Refreshing;
pub use topic::ClearTopic;

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Make an object.
    Define(Define),
    /// Change an object.
    Alter(Alter),
    /// Remove an object.
    Delete(Delete),
    /// Show definitions or status.
    Display(Display),
    /// Remove the messages of a queue.
    Clear(Clear),
    /// Forget what is retained for a topic.
    ClearTopic(ClearTopic),
    /// Put the messages of a queue on another.
    Move(Move),
    /// Give messages of a queue back that cannot be read.
    Recover(Recover),
    /// End a connection, named by its identifier.
    StopConnection(String),
    /// Have a channel call, or let partners and programs come by it again.
    StartChannel(StartChannel),
    /// End the instances of a channel.
    StopChannel(StopChannel),
    /// Ask whether the partner of a channel answers.
    PingChannel(PingChannel),
    /// Have both ends of a channel count anew.
    ResetChannel(ResetChannel),
    /// End the batches of a channel that are in doubt.
    ResolveChannel(ResolveChannel),
    /// Have messages on transmission queues start channels again.
    StartInitiator,
    /// Have them start none.
    StopInitiator,
    /// Have a listener accept connections.
    StartListener(ListenerStep),
    /// Have a listener accept no more.
    StopListener(ListenerStep),
    /// End a connection's unit of work.
    Resolve(Resolve),
    /// Tell what was counted of queues, and begin to count anew; of those in a part of the answer.
    ResetStatistics(NamePattern, Option<Part>),
    /// RESET QMGR.
    ResetQueueManager(Reset),
    /// REFRESH QMGR.
    RefreshQueueManager(Refresh),
    /// REFRESH SECURITY.
    RefreshSecurity(Refreshing),
    /// Ask whether the queue manager answers.
    PingQueueManager,
    /// Give or take rights.
    SetAuthority(SetAuthority),
    /// Remove records of rights.
    DeleteAuthority(AuthorityRecords),
    /// Change channel authentication records.
    SetChannelRule(SetChannelRule),
    /// A command about what there is not.
    Absent(Absent),
}

/// Makes a command from the form of a family.
macro_rules! form {
    ($form:expr => $command:expr) => {
        Form {
            head: $form.head,
            text: |parser| ($form.text)(parser).map($command),
            read: |given| ($form.read)(given).map($command),
        }
    };
}

/// The commands that are not about definitions.
static FORMS: &[Form<Command>] = &[
    form!(queue::CLEAR => Command::Clear),
    form!(queue::MOVE => Command::Move),
    form!(queue::RECOVER => Command::Recover),
    form!(queue::RESET => |names| Command::ResetStatistics(names, None)),
    form!(topic::CLEAR => Command::ClearTopic),
    form!(connection::STOP => Command::StopConnection),
    form!(connection::RESOLVE => Command::Resolve),
    form!(channel::START => Command::StartChannel),
    form!(channel::STOP => Command::StopChannel),
    form!(channel_rule::SET => Command::SetChannelRule),
    form!(listener::START => Command::StartListener),
    form!(listener::STOP => Command::StopListener),
    form!(authority::SET => Command::SetAuthority),
    form!(authority::DELETE => Command::DeleteAuthority),
    form!(manager::PING => |()| Command::PingQueueManager),
    form!(manager::RESET => Command::ResetQueueManager),
    form!(manager::REFRESH => Command::RefreshQueueManager),
    form!(security::REFRESH => Command::RefreshSecurity),
    form!(channel::PING => Command::PingChannel),
    form!(channel::RESET => Command::ResetChannel),
    form!(channel::RESOLVE => Command::ResolveChannel),
    form!(channel::START_INITIATOR => |()| Command::StartInitiator),
    form!(channel::STOP_INITIATOR => |()| Command::StopInitiator),
];

/// The subjects of DISPLAY besides definitions.
static QUESTIONS: &[&Question] = &[
    &manager::DEFINITION,
    &manager::STATUS,
    &queue::STATUS,
    &topic::STATUS,
    &subscription::STATUS,
    &topic::PUBLISH_SUBSCRIBE,
    &connection::CONNECTIONS,
    &listener::STATUS,
    &channel::STATUS,
    &authority::RECORDS,
    &authority::ENTITY,
    &authority::SERVICE,
    &channel_rule::RULES,
    &route::ROUTE,
];

/// The first word of a statement and its abbreviations.
const VERBS: &[(&str, &[&str])] = &[
    ("DEFINE", &["DEF"]),
    ("ALTER", &["ALT"]),
    ("DELETE", &["DEL"]),
    ("DISPLAY", &["DIS", "DISP"]),
    ("CLEAR", &[]),
    ("MOVE", &[]),
    ("RECOVER", &[]),
    ("PING", &[]),
    ("START", &["STA"]),
    ("STOP", &[]),
    ("RESET", &[]),
    ("REFRESH", &["REF"]),
    ("RESOLVE", &["RES"]),
    ("RESUME", &[]),
    ("SUSPEND", &[]),
    ("SET", &[]),
    ("PURGE", &[]),
];

fn questions() -> impl Iterator<Item = &'static Question> {
    QUESTIONS.iter().copied()
}

/// Takes the words of one command, to the end.
pub(crate) fn command(parser: &mut Parser<'_>) -> Parsed<Command> {
    let verbs: Vec<&str> = VERBS.iter().map(|(word, _)| *word).collect();
    let verb = parser.word_of("a command", &verbs, |word| {
        let is_meant = |(keyword, synonyms): &&(&str, &[&str])| *keyword == word || synonyms.contains(&word);
        VERBS.iter().find(is_meant).map(|(keyword, _)| *keyword)
    })?;
    if let Some(absent) = parser.absent(verb)? {
        return Ok(Command::Absent(absent));
    }
    let command = match verb {
        "DEFINE" => Command::Define(parser.define()?),
        "ALTER" => Command::Alter(parser.alter()?),
        "DELETE" => match parser.form(verb) {
            Some(form) => (form.text)(parser)?,
            None => {
                let forms = FORMS.iter().filter(|form| form.head.verb == verb);
                let others: Vec<_> = forms.map(|form| form.head.subject).collect();
                Command::Delete(parser.delete(&others)?)
            }
        },
        "DISPLAY" => Command::Display(parser.display()?),
        verb => (subject(parser, verb)?.text)(parser)?,
    };
    match parser.peek() {
        Some(_) => {
            let problem = format!("{} follows the end of the command", parser.written());
            Err(Fault::new(parser.here(), problem)
                .hint("Put the next command on a line of its own, or after a semicolon."))
        }
        None => Ok(command),
    }
}

/// Takes the second word of a command.
fn subject(parser: &mut Parser<'_>, verb: &str) -> Parsed<&'static Form<Command>> {
    let forms = || FORMS.iter().filter(|form| form.head.verb == verb);
    let mut words: Vec<&str> = forms().map(|form| form.head.subject).collect();
    words.extend(parser.absent_subjects(verb));
    parser.word_of(&format!("the subject of {verb}"), &words, |word| {
        forms().find(|form| form.head.is_subject(word))
    })
}

/// Reads the parameters of a command of this number that is not about definitions.
pub(crate) fn read(number: i32, given: &mut Parameters) -> Read<Command> {
    if let Some(form) = FORMS.iter().find(|form| form.head.number == number && number != 0) {
        return (form.read)(given);
    }
    if let Some(question) = questions().find(|question| question.number == number) {
        return (question.read)(given).map(Command::Display);
    }
    if absent::refusal_of(number, given)? {
        Err(refusal(MQRCCF_FUNCTION_RESTRICTED))
    } else {
        Err(refusal(MQRCCF_CFH_COMMAND_ERROR))
    }
}

impl Command {
    /// Returns true if the command only asks and changes nothing.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Display(_) | Self::PingQueueManager | Self::PingChannel(_))
    }

    /// The facts about a command that is not about definitions.
    fn head(&self) -> Option<Head> {
        Some(match self {
            Self::Clear(_) => queue::CLEAR.head,
            Self::ClearTopic(_) => topic::CLEAR.head,
            Self::Move(_) => queue::MOVE.head,
            Self::Recover(_) => queue::RECOVER.head,
            Self::ResetStatistics(..) => queue::RESET.head,
            Self::StopConnection(_) => connection::STOP.head,
            Self::Resolve(_) => connection::RESOLVE.head,
            Self::StartChannel(_) => channel::START.head,
            Self::StopChannel(_) => channel::STOP.head,
            Self::PingChannel(_) => channel::PING.head,
            Self::ResetChannel(_) => channel::RESET.head,
            Self::ResolveChannel(_) => channel::RESOLVE.head,
            Self::StartInitiator => channel::START_INITIATOR.head,
            Self::StopInitiator => channel::STOP_INITIATOR.head,
            Self::SetChannelRule(_) => channel_rule::SET.head,
            Self::StartListener(_) => listener::START.head,
            Self::StopListener(_) => listener::STOP.head,
            Self::ResetQueueManager(_) => manager::RESET.head,
            Self::RefreshQueueManager(_) => manager::REFRESH.head,
            Self::RefreshSecurity(_) => security::REFRESH.head,
            Self::PingQueueManager => manager::PING.head,
            Self::SetAuthority(_) => authority::SET.head,
            Self::DeleteAuthority(_) => authority::DELETE.head,
            Self::Define(_) | Self::Alter(_) | Self::Delete(_) | Self::Display(_) | Self::Absent(_) => {
                return None;
            }
        })
    }

    /// The command for a part of its answer, behind a key that the parts before have, with `shown` objects;
    /// none where the answer is one message.
    pub fn in_part(&self, room: usize, after: Option<Box<str>>, shown: usize) -> Option<Self> {
        let part = Part { room, after, shown };
        match self {
            Self::Display(display) => Some(Self::Display(display.in_part(part))),
            Self::ResetStatistics(names, _) => Some(Self::ResetStatistics(*names, Some(part))),
            _ => None,
        }
    }

    /// The time that its work takes.
    pub fn work(&self) -> Work {
        match self {
            Self::Define(define) if define.object_type == ObjectType::Subscription => Work::Long,
            // A listener that runs follows before the answer: a request to the host.
            Self::Define(Define { object_type: ObjectType::Listener, .. })
            | Self::Alter(Alter { object_type: ObjectType::Listener, .. }) => Work::Long,
            // Secrets are kept, or forgotten, before the answer: a request to the host too.
            command if command.brings_secret() => Work::Long,
            Self::Define(Define { object_type, replace: Replace::Yes, .. })
                if matches!(object_type.family(), Family::Authentication | Family::Channel) =>
            {
                Work::Long
            }
            Self::Alter(alter) if alter.settings.iter().any(|setting| setting.attribute.is_secret) => {
                Work::Long
            }
            Self::Delete(Delete { family: Family::Authentication | Family::Channel, .. }) => Work::Long,
            Self::Display(display) => display.target.question().map_or(Work::Short, |question| question.work),
            command => command.head().map_or(Work::Short, |head| head.work),
        }
    }

    /// Its number in binary form; zero for one that has none.
    pub fn number(&self) -> i32 {
        match self {
            Self::Define(define) => number_of(define.object_type.family(), Action::Create),
            Self::Alter(alter) if alter.object_type == ObjectType::QueueManager => MQCMD_CHANGE_Q_MGR,
            Self::Alter(alter) => number_of(alter.object_type.family(), Action::Change),
            Self::Delete(delete) => number_of(delete.family, Action::Delete),
            Self::Display(display) => match &display.target {
                Target::Objects { family, .. } => number_of(*family, Action::Inquire),
                target => target.question().map_or(0, |question| question.number),
            },
            command => command.head().map_or(0, |head| head.number),
        }
    }
}

impl Command {
    /// The settings of a command that has some.
    pub fn settings(&self) -> &[Setting] {
        match self {
            Self::Define(define) => &define.settings,
            Self::Alter(alter) => &alter.settings,
            Self::SetChannelRule(set) => &set.settings,
            _ => &[],
        }
    }

    /// Returns true if the command brings a secret.
    pub fn brings_secret(&self) -> bool {
        self.settings().iter().any(|setting| setting.secret().is_some_and(|secret| !secret.is_empty()))
    }

    /// The command with the sign in the place of each secret, to be shown or recorded.
    pub fn without_secrets(&self) -> Cow<'_, Self> {
        if !self.brings_secret() {
            return Cow::Borrowed(self);
        }
        let masked = |settings: &[Setting]| settings.iter().map(Setting::masked).collect();
        Cow::Owned(match self {
            Self::Define(define) => {
                Self::Define(Define { settings: masked(&define.settings), ..define.clone() })
            }
            Self::Alter(alter) => Self::Alter(Alter { settings: masked(&alter.settings), ..alter.clone() }),
            other => other.clone(),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Head { verb, subject, .. }) = self.head() {
            write!(formatter, "{verb} {subject}")?;
        }
        match self {
            Self::Define(define) => define.write(formatter),
            Self::Alter(alter) => alter.write(formatter),
            Self::Delete(delete) => delete.write(formatter),
            Self::Display(display) => display.write(formatter),
            Self::Clear(Clear { name }) | Self::Recover(Recover { name }) => {
                write!(formatter, "({})", quoted(name.as_str()))
            }
            Self::ClearTopic(clear) => write!(formatter, "({}) CLRTYPE(RETAINED)", quoted(&clear.topic)),
            Self::Move(moved) => moved.write(formatter),
            Self::StopConnection(identifier) => write!(formatter, "({identifier})"),
            Self::StartChannel(start) => start.write(formatter),
            Self::StopChannel(stop) => stop.write(formatter),
            Self::PingChannel(ping) => ping.write(formatter),
            Self::ResetChannel(reset) => reset.write(formatter),
            Self::ResolveChannel(resolve) => resolve.write(formatter),
            Self::SetChannelRule(set) => set.write(formatter),
            Self::StartInitiator | Self::StopInitiator => Ok(()),
            Self::StartListener(step) | Self::StopListener(step) => step.write(formatter),
            Self::Resolve(resolve) => resolve.write(formatter),
            Self::ResetStatistics(names, _) => write!(formatter, "({})", quoted(&names.to_string())),
            Self::ResetQueueManager(reset) => reset.write(formatter),
            Self::RefreshQueueManager(refresh) => refresh.write(formatter),
            Self::RefreshSecurity(refreshing) => refreshing.write(formatter),
            Self::PingQueueManager => Ok(()),
            Self::SetAuthority(set) => set.write(formatter),
            Self::DeleteAuthority(records) => records.write(formatter),
            Self::Absent(absent) => absent.write(formatter),
        }
    }
}

impl Target {
    /// Its row; none for definitions of objects.
    fn question(&self) -> Option<&'static Question> {
        Some(match self {
            Self::Objects { .. } => return None,
            Self::QueueManager => &manager::DEFINITION,
            Self::QueueManagerStatus => &manager::STATUS,
            Self::QueueStatus { .. } => &queue::STATUS,
            Self::TopicStatus { .. } => &topic::STATUS,
            Self::SubscriptionStatus { .. } => &subscription::STATUS,
            Self::PublishSubscribe { .. } => &topic::PUBLISH_SUBSCRIBE,
            Self::Connections { .. } => &connection::CONNECTIONS,
            Self::ListenerStatus { .. } => &listener::STATUS,
            Self::ChannelStatus { .. } => &channel::STATUS,
            Self::AuthorityRecords(_) => &authority::RECORDS,
            Self::EntityAuthority(_) => &authority::ENTITY,
            Self::AuthorityService => &authority::SERVICE,
            Self::ChannelRules { .. } => &channel_rule::RULES,
            Self::Route { .. } => &route::ROUTE,
        })
    }

    /// The word that follows DISPLAY.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Objects { family: Family::Queue, object_type: Some(object_type), .. } => {
                object_type.keyword()
            }
            Self::Objects { family, .. } => family.keyword(),
            other => other.question().expect("the others are questions").keyword,
        }
    }
}

impl Parser<'_> {
    /// Takes the second word of a command that shares its first with those about definitions.
    fn form(&mut self, verb: &str) -> Option<&'static Form<Command>> {
        let form = FORMS.iter().find(|form| form.head.verb == verb && self.is_word(form.head.subject))?;
        self.next += 1;
        Some(form)
    }

    pub(super) fn target(&mut self) -> Parsed<Target> {
        let families = || Family::definable().filter(|family| *family != Family::QueueManager);
        let mut words: Vec<&str> = families().map(Family::keyword).collect();
        words.extend(questions().map(|question| question.keyword));
        words.extend(Family::Queue.types().map(ObjectType::keyword));
        words.extend(self.absent_subjects("DISPLAY"));
        let status = |word: &str| {
            let found = questions().find(|question| question.is_meant(word));
            found.map(|question| (question.keyword, None))
        };
        let queue = |word: &str| ObjectType::from_keyword(word).find(|found| found.is_queue());
        let family = |word: &str| {
            let family = Family::from_keyword(word).filter(|family| *family != Family::QueueManager);
            queue(word)
                .map(|queue| (Family::Queue, Some(queue)))
                .or_else(|| family.map(|family| (family, None)))
        };
        let (word, objects) = self.word_of("what to display", &words, |word| {
            let objects = || family(word).map(|(family, queue)| (family.keyword(), Some((family, queue))));
            status(word).or_else(objects)
        })?;
        if let Some((family, object_type)) = objects {
            let names = match family {
                Family::Subscription => self.subscription_names()?,
                _ => Names::Objects(self.name_pattern(object_type.map_or(word, ObjectType::keyword))?),
            };
            return Ok(Target::Objects { family, names, object_type });
        }
        let question = questions().find(|question| question.keyword == word);
        (question.expect("the word is that of a question").text)(self)
    }

    pub(super) fn answer_type(&mut self, target: &mut Target) -> Parsed<()> {
        match target {
            Target::Objects { family, object_type, .. } => {
                let subtyped = family.types().filter_map(|found| Some((found.subtype()?, Some(found))));
                let words: Vec<_> = subtyped.chain([("ALL", None)]).collect();
                let wanted = self.one_of(family.selector().unwrap_or("TYPE"), &words)?;
                *object_type = wanted.or(*object_type);
            }
            Target::QueueStatus { kind, .. } => {
                *kind = self.one_of("TYPE", queue::TYPES)?;
            }
            Target::TopicStatus { kind, .. } => {
                *kind = self.one_of("TYPE", topic::TYPES)?;
            }
            Target::Connections { answers, .. } => {
                *answers = self.one_of("TYPE", connection::TYPES)?;
            }
            Target::PublishSubscribe { of } => *of = self.one_of("TYPE", Relation::WORDS)?,
            Target::Route { queue_manager, .. } => {
                let content = self.content("QMNAME")?;
                let wrong = |_| Fault::new(content.span, "QMNAME takes the name of a queue manager");
                *queue_manager = content.text.trim().parse().map_err(wrong)?;
            }
            Target::ChannelRules { matching, .. } => {
                *matching = self.one_of("MATCH", RuleMatch::WORDS)?;
            }
            Target::QueueManager
            | Target::QueueManagerStatus
            | Target::SubscriptionStatus { .. }
            | Target::ListenerStatus { .. }
            | Target::ChannelStatus { .. }
            | Target::AuthorityRecords(_)
            | Target::EntityAuthority(_)
            | Target::AuthorityService => {
                return Err(self.unexpected("an attribute name alone"));
            }
        }
        Ok(())
    }
}
