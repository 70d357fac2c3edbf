//! A message of a program to what it asks for.

use mqi::constants::*;
use mqi::{NamePattern, ObjectName};

use super::commands::{ABSENT, Action, EMPTY, FamilyRow, meaning};
use super::structure::{Content, Message, Parameter};
use crate::attributes::{self, Attribute, Kind, StatusType, Subject};
use crate::mqsc::{
    self, Alter, Clear, ClearTopic, Command, ConnectionAnswers, Define, Delete, Display, Filter, Move,
    Operator, Refresh, Refreshed, Relation, Reset, Resolution, Resolve, Setting, Shown, Target,
};
use crate::object_type::{Family, ObjectType};
use crate::value::{Value, ValueError};

/// The request in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// A command, to be answered in full.
    Command(Command),
    /// The names of objects alone.
    Names(Names),
    /// A command in text.
    Escape(String),
}

/// A question for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    /// The question that finds the objects.
    pub command: Command,
    pub(super) names: i32,
    pub(super) types: Option<i32>,
}

/// Why a message asks for nothing that can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// An MQRCCF_ value.
    pub reason: i32,
    /// The parameter that is wrong or missing.
    pub parameter: Option<i32>,
}

type Parsed<T> = Result<T, Refusal>;

/// Reads the request in a message.
pub fn request(message: &Message) -> Result<Request, Refusal> {
    let header = message.header;
    if header.kind != MQCFT_COMMAND && header.kind != MQCFT_COMMAND_XR {
        return Err(refusal(MQRCCF_CFH_TYPE_ERROR));
    }
    if header.sequence != 1 {
        return Err(refusal(MQRCCF_CFH_MSG_SEQ_NUMBER_ERR));
    }
    if header.control != MQCFC_LAST {
        return Err(refusal(MQRCCF_CFH_CONTROL_ERROR));
    }
    let mut given = Given { rest: message.parameters.clone() };
    let asked = match meaning(header.command) {
        Some((Action::Inquire, row)) => Request::Command(Command::Display(given.inquire(row)?)),
        Some((Action::InquireNames, row)) => given.inquire_names(row)?,
        Some((Action::Create, row)) => Request::Command(Command::Define(given.create(row)?)),
        Some((Action::Copy, row)) => Request::Command(Command::Define(given.copy(row)?)),
        Some((Action::Change, row)) => Request::Command(Command::Alter(given.change(row)?)),
        Some((Action::Delete, row)) => Request::Command(Command::Delete(given.delete(row)?)),
        None => given.other(header.command)?,
    };
    match given.rest.first() {
        Some(left) => Err(unknown_parameter(left)),
        None => Ok(asked),
    }
}

fn refusal(reason: i32) -> Refusal {
    Refusal { reason, parameter: None }
}

fn missing(parameter: i32) -> Refusal {
    Refusal { reason: MQRCCF_PARM_MISSING, parameter: Some(parameter) }
}

fn wrong_value(parameter: i32) -> Refusal {
    Refusal { reason: MQRCCF_PARM_VALUE_ERROR, parameter: Some(parameter) }
}

/// The reason for a parameter that the command does not have, by the structure it came in.
fn unknown_parameter(parameter: &Parameter) -> Refusal {
    let reason = match parameter.content {
        Content::Integer(_) | Content::Integer64(_) => MQRCCF_CFIN_PARM_ID_ERROR,
        Content::Integers(_) | Content::Integers64(_) => MQRCCF_CFIL_PARM_ID_ERROR,
        Content::Text(_) => MQRCCF_CFST_PARM_ID_ERROR,
        Content::Texts(_) => MQRCCF_CFSL_PARM_ID_ERROR,
        Content::Bytes(_) => MQRCCF_CFBS_PARM_ID_ERROR,
        Content::IntegerFilter(..) => MQRCCF_CFIF_PARM_ID_ERROR,
        Content::TextFilter(..) => MQRCCF_CFSF_PARM_ID_ERROR,
        Content::BytesFilter(..) => MQRCCF_CFBF_PARM_ID_ERROR,
        Content::Group(_) => MQRCCF_CFGR_PARM_ID_ERROR,
    };
    Refusal { reason, parameter: Some(parameter.identifier) }
}

/// The parameters that were not looked at yet.
struct Given {
    rest: Vec<Parameter>,
}

impl Given {
    fn take(&mut self, identifier: i32) -> Option<Content> {
        let index = self.rest.iter().position(|parameter| parameter.identifier == identifier)?;
        Some(self.rest.remove(index).content)
    }

    fn integer(&mut self, identifier: i32) -> Parsed<Option<i32>> {
        match self.take(identifier) {
            None => Ok(None),
            Some(Content::Integer(value)) => Ok(Some(value)),
            Some(content) => Err(unknown_parameter(&Parameter { identifier, content })),
        }
    }

    fn text(&mut self, identifier: i32) -> Parsed<Option<String>> {
        match self.take(identifier) {
            None => Ok(None),
            Some(Content::Text(text)) => Ok(Some(text)),
            Some(content) => Err(unknown_parameter(&Parameter { identifier, content })),
        }
    }

    /// A switch such as MQIACF_REPLACE.
    fn is_said(&mut self, identifier: i32) -> Parsed<bool> {
        match self.integer(identifier)? {
            None | Some(0) => Ok(false),
            Some(1) => Ok(true),
            Some(_) => Err(wrong_value(identifier)),
        }
    }

    fn pattern(&mut self, identifier: i32) -> Parsed<NamePattern> {
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        text.parse().map_err(|_| wrong_value(identifier))
    }

    fn object_name(&mut self, identifier: i32) -> Parsed<ObjectName> {
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        match text.parse::<ObjectName>() {
            Ok(name) if !name.is_blank() => Ok(name),
            _ => Err(Refusal { reason: MQRCCF_OBJECT_NAME_ERROR, parameter: Some(identifier) }),
        }
    }

    /// The name of an object of a family, in this parameter.
    fn name(&mut self, family: Family, identifier: i32) -> Parsed<mqsc::Name> {
        if family != Family::Subscription {
            return self.object_name(identifier).map(mqsc::Name::Object);
        }
        if let Some(Content::Bytes(bytes)) = self.take(MQBACF_SUB_ID) {
            let digits = hexadecimal(&bytes).parse().map_err(|_| wrong_value(MQBACF_SUB_ID))?;
            return Ok(mqsc::Name::SubscriptionIdentifier(digits));
        }
        let text = self.text(identifier)?.ok_or_else(|| missing(identifier))?;
        let is_name = !text.is_empty() && text.len() <= MQ_SUB_NAME_LENGTH;
        is_name
            .then(|| mqsc::Name::Subscription(text.into()))
            .ok_or(Refusal { reason: MQRCCF_SUB_NAME_ERROR, parameter: Some(identifier) })
    }

    /// The name of an object that is to be made, which must be one that a command in text can have too.
    fn new_name(&mut self, object_type: ObjectType, identifier: i32) -> Parsed<mqsc::Name> {
        let family = object_type.family();
        let name = self.name(family, identifier)?;
        let text = name.as_str();
        if text.len() <= object_type.name_length_max() && !text.chars().any(char::is_control) {
            return Ok(name);
        }
        let reason = match family {
            Family::Channel => MQRCCF_CHANNEL_NAME_ERROR,
            Family::Service => MQRCCF_SERVICE_NAME_ERROR,
            Family::Subscription => MQRCCF_SUB_NAME_ERROR,
            _ => MQRCCF_OBJECT_NAME_ERROR,
        };
        Err(Refusal { reason, parameter: Some(identifier) })
    }

    /// The type that a family's own parameter says; none for all types.
    fn subtype(&mut self, row: &FamilyRow) -> Parsed<Option<ObjectType>> {
        let Some((identifier, all)) = row.subtype else { return Ok(row.family.types().next()) };
        match self.integer(identifier)? {
            None => Ok(None),
            Some(value) if value == all => Ok(None),
            Some(value) => {
                let found = row.family.types().find(|found| found.subtype_value() == Some(value));
                found.map(Some).ok_or_else(|| wrong_type(row.family, identifier))
            }
        }
    }

    fn one_type(&mut self, row: &FamilyRow) -> Parsed<ObjectType> {
        let identifier = row.subtype.map_or(0, |(identifier, _)| identifier);
        self.subtype(row)?.ok_or_else(|| missing(identifier))
    }

    fn create(&mut self, row: &FamilyRow) -> Parsed<Define> {
        let object_type = self.one_type(row)?;
        let name = self.new_name(object_type, name_identifier(row.family))?;
        let replace = self.is_said(MQIACF_REPLACE)?;
        Ok(Define { object_type, name, replace, like: None, settings: self.settings(object_type)? })
    }

    fn copy(&mut self, row: &FamilyRow) -> Parsed<Define> {
        let object_type = self.one_type(row)?;
        let like = Some(self.name(row.family, row.from)?);
        let name = self.new_name(object_type, row.to)?;
        let replace = self.is_said(MQIACF_REPLACE)?;
        Ok(Define { object_type, name, replace, like, settings: self.settings(object_type)? })
    }

    fn change(&mut self, row: &FamilyRow) -> Parsed<Alter> {
        let object_type = self.one_type(row)?;
        let name = self.name(row.family, name_identifier(row.family))?;
        let force = self.is_said(MQIACF_FORCE)?;
        Ok(Alter { object_type, name, force, settings: self.settings(object_type)? })
    }

    fn delete(&mut self, row: &FamilyRow) -> Parsed<Delete> {
        let family = row.family;
        let mut object_type = self.subtype(row)?;
        let name = self.name(family, name_identifier(family))?;
        let purge = self.is_said(MQIACF_PURGE)?;
        let ignore_missing = self.is_said(MQIACF_IGNORE_STATE)?;
        // There are no authorities to remove or to keep.
        let _ = self.integer(MQIACF_REMOVE_AUTHREC)?;
        if family == Family::Channel && self.integer(MQIACH_CHANNEL_TABLE)? == Some(MQCHTAB_CLNTCONN) {
            object_type = Some(ObjectType::ClientConnectionChannel);
        }
        // The type of queue may be left out: a local queue is meant.
        if family == Family::Queue && object_type.is_none() {
            object_type = Some(ObjectType::LocalQueue);
        }
        Ok(Delete { family, object_type, name, purge, ignore_missing })
    }

    fn inquire(&mut self, row: &FamilyRow) -> Parsed<Display> {
        let family = row.family;
        let object_type = match row.subtype {
            Some(_) => self.subtype(row)?,
            None => None,
        };
        let names = self.names(family)?;
        self.display(Target::Objects { family, names, object_type }, row.attributes)
    }

    fn names(&mut self, family: Family) -> Parsed<mqsc::Names> {
        let identifier = name_identifier(family);
        if family != Family::Subscription {
            return self.pattern(identifier).map(mqsc::Names::Objects);
        }
        match self.name(family, identifier)? {
            mqsc::Name::SubscriptionIdentifier(digits) => Ok(mqsc::Names::SubscriptionIdentifier(digits)),
            name => Ok(mqsc::Names::Subscriptions(name.as_str().into())),
        }
    }

    fn inquire_names(&mut self, row: &FamilyRow) -> Parsed<Request> {
        let object_type = match row.subtype {
            Some(_) => self.subtype(row)?,
            None => None,
        };
        let names = self.names(row.family)?;
        let target = Target::Objects { family: row.family, names, object_type };
        let command = Command::Display(question(target, Shown::Listed(Vec::new()), None));
        Ok(Request::Names(Names { command, names: row.names, types: row.types }))
    }

    /// The connection that is meant: the end of its identifier. Before that all connections of a queue
    /// manager have the same bytes.
    fn connection(&mut self) -> Parsed<String> {
        match self.take(MQBACF_CONNECTION_ID) {
            Some(Content::Bytes(bytes)) if bytes.len() >= 8 => Ok(hexadecimal(&bytes[bytes.len() - 8..])),
            Some(_) => Err(refusal(MQRCCF_CONNECTION_ID_ERROR)),
            None => Err(missing(MQBACF_CONNECTION_ID)),
        }
    }

    /// Commands that are not about objects of a family.
    fn other(&mut self, command: i32) -> Parsed<Request> {
        let command = match command {
            MQCMD_ESCAPE => {
                if self.integer(MQIACF_ESCAPE_TYPE)?.ok_or_else(|| missing(MQIACF_ESCAPE_TYPE))? != MQET_MQSC
                {
                    let parameter = Some(MQIACF_ESCAPE_TYPE);
                    return Err(Refusal { reason: MQRCCF_ESCAPE_TYPE_ERROR, parameter });
                }
                let text = self.text(MQCACF_ESCAPE_TEXT)?.ok_or_else(|| missing(MQCACF_ESCAPE_TEXT))?;
                return Ok(Request::Escape(text));
            }
            MQCMD_PING_Q_MGR => Command::PingQueueManager,
            MQCMD_RESET_Q_MGR => Command::ResetQueueManager(self.reset()?),
            MQCMD_REFRESH_Q_MGR => Command::RefreshQueueManager(self.refresh()?),
            MQCMD_CHANGE_Q_MGR => {
                let object_type = ObjectType::QueueManager;
                let force = self.is_said(MQIACF_FORCE)?;
                let name = mqsc::Name::Object(ObjectName::BLANK);
                Command::Alter(Alter { object_type, name, force, settings: self.settings(object_type)? })
            }
            MQCMD_INQUIRE_Q_MGR => Command::Display(self.display(Target::QueueManager, MQIACF_Q_MGR_ATTRS)?),
            MQCMD_INQUIRE_Q_MGR_STATUS => {
                Command::Display(self.display(Target::QueueManagerStatus, MQIACF_Q_MGR_STATUS_ATTRS)?)
            }
            MQCMD_RESET_Q_STATS => Command::ResetStatistics(self.pattern(MQCA_Q_NAME)?),
            MQCMD_CLEAR_Q => Command::Clear(Clear { name: self.object_name(MQCA_Q_NAME)? }),
            MQCMD_MOVE_Q => {
                let add = match self.integer(MQIACF_MOVE_TYPE)? {
                    None | Some(MQIACF_MOVE_TYPE_MOVE) => false,
                    Some(MQIACF_MOVE_TYPE_ADD) => true,
                    Some(_) => return Err(wrong_value(MQIACF_MOVE_TYPE)),
                };
                let from = self.object_name(MQCACF_FROM_Q_NAME)?;
                Command::Move(Move { from, to: self.object_name(MQCACF_TO_Q_NAME)?, add })
            }
            MQCMD_STOP_CONNECTION => Command::StopConnection(self.connection()?),
            // The number is the interface's, which has no form of its own for it: this follows that of
            // MQCMD_RESOLVE_CHANNEL.
            MQCMD_RESOLVE_INDOUBT => {
                let identifier = self.connection()?;
                let resolution = match self.integer(MQIACH_IN_DOUBT)? {
                    Some(MQIDO_COMMIT) => Resolution::Commit,
                    Some(MQIDO_BACKOUT) => Resolution::Backout,
                    Some(_) => return Err(wrong_value(MQIACH_IN_DOUBT)),
                    None => return Err(missing(MQIACH_IN_DOUBT)),
                };
                Command::Resolve(Resolve { identifier, resolution })
            }
            MQCMD_INQUIRE_Q_STATUS => {
                let kind = match self.integer(MQIACF_Q_STATUS_TYPE)? {
                    None | Some(MQIACF_Q_STATUS) => StatusType::Queue,
                    Some(MQIACF_Q_HANDLE) => StatusType::QueueHandle,
                    Some(_) => return Err(wrong_value(MQIACF_Q_STATUS_TYPE)),
                };
                let names = self.pattern(MQCA_Q_NAME)?;
                Command::Display(self.display(Target::QueueStatus { names, kind }, MQIACF_Q_STATUS_ATTRS)?)
            }
            MQCMD_INQUIRE_TOPIC_STATUS => {
                let kind = match self.integer(MQIACF_TOPIC_STATUS_TYPE)? {
                    None | Some(MQIACF_TOPIC_STATUS) => StatusType::Topic,
                    Some(MQIACF_TOPIC_SUB) => StatusType::TopicSubscription,
                    Some(MQIACF_TOPIC_PUB) => StatusType::TopicPublisher,
                    Some(_) => return Err(wrong_value(MQIACF_TOPIC_STATUS_TYPE)),
                };
                let topics = self.text(MQCA_TOPIC_STRING)?.ok_or_else(|| missing(MQCA_TOPIC_STRING))?;
                let target = Target::TopicStatus { topics: topics.into(), kind };
                Command::Display(self.display(target, MQIACF_TOPIC_STATUS_ATTRS)?)
            }
            MQCMD_INQUIRE_SUB_STATUS => {
                let names = self.names(Family::Subscription)?;
                let target = Target::SubscriptionStatus { names };
                Command::Display(self.display(target, MQIACF_SUB_STATUS_ATTRS)?)
            }
            MQCMD_INQUIRE_PUBSUB_STATUS => {
                let of = match self.integer(MQIACF_PS_STATUS_TYPE)? {
                    None | Some(MQPSST_ALL) => Relation::All,
                    Some(MQPSST_LOCAL) => Relation::Local,
                    Some(MQPSST_PARENT) => Relation::Parent,
                    Some(MQPSST_CHILD) => Relation::Child,
                    Some(_) => return Err(wrong_value(MQIACF_PS_STATUS_TYPE)),
                };
                let target = Target::PublishSubscribe { of };
                Command::Display(self.display(target, MQIACF_PUBSUB_STATUS_ATTRS)?)
            }
            MQCMD_CLEAR_TOPIC_STRING => Command::ClearTopic(self.clear_topic()?),
            MQCMD_INQUIRE_CONNECTION => Command::Display(self.inquire_connection()?),
            // Nobody archives the extents of the log.
            MQCMD_SET_LOG => return Err(refusal(MQRCCF_LOG_TYPE_ERROR)),
            command if let Some(row) = EMPTY.iter().find(|row| row.command == command) => {
                let is_named = |names: i32| self.text(names)?.map(drop).ok_or_else(|| missing(names));
                row.names.map_or(Ok(()), is_named)?;
                return Err(refusal(row.none));
            }
            command if ABSENT.contains(&command) => return Err(refusal(MQRCCF_FUNCTION_RESTRICTED)),
            _ => return Err(refusal(MQRCCF_CFH_COMMAND_ERROR)),
        };
        Ok(Request::Command(command))
    }

    fn clear_topic(&mut self) -> Parsed<ClearTopic> {
        match self.integer(MQIACF_CLEAR_TYPE)?.ok_or_else(|| missing(MQIACF_CLEAR_TYPE))? {
            MQCLRT_RETAINED => {}
            _ => return Err(wrong_value(MQIACF_CLEAR_TYPE)),
        }
        // There are no other queue managers that it could reach.
        if !matches!(self.integer(MQIACF_CLEAR_SCOPE)?, None | Some(MQCLRS_LOCAL | MQCLRS_GLOBAL)) {
            return Err(wrong_value(MQIACF_CLEAR_SCOPE));
        }
        let topic = self.text(MQCA_TOPIC_STRING)?.filter(|topic| !topic.is_empty());
        Ok(ClearTopic { topic: topic.ok_or_else(|| missing(MQCA_TOPIC_STRING))?.into() })
    }

    fn reset(&mut self) -> Parsed<Reset> {
        match self.integer(MQIACF_ACTION)?.ok_or_else(|| missing(MQIACF_ACTION))? {
            MQACT_COLLECT_STATISTICS => Ok(Reset::Statistics),
            MQACT_ADVANCE_LOG => Ok(Reset::AdvanceLog),
            MQACT_REDUCE_LOG => Ok(Reset::ReduceLog),
            MQACT_ARCHIVE_LOG => Ok(Reset::Archived),
            _ => Err(wrong_value(MQIACF_ACTION)),
        }
    }

    fn refresh(&mut self) -> Parsed<Refresh> {
        let what = self.integer(MQIACF_REFRESH_TYPE)?.ok_or_else(|| missing(MQIACF_REFRESH_TYPE))?;
        let is_configuration = match what {
            MQRT_CONFIGURATION => true,
            MQRT_PROXYSUB => false,
            _ => return Err(wrong_value(MQIACF_REFRESH_TYPE)),
        };
        let objects = match self.integer(MQIACF_OBJECT_TYPE)? {
            None | Some(MQOT_ALL) => Refreshed::All,
            Some(MQOT_Q) => Refreshed::Family(Family::Queue),
            Some(MQOT_CHANNEL) => Refreshed::Family(Family::Channel),
            Some(other) => {
                let found = ObjectType::all().find(|object_type| object_type.mqot() == other);
                Refreshed::Type(found.ok_or_else(|| wrong_value(MQIACF_OBJECT_TYPE))?)
            }
        };
        let names = match self.text(MQCACF_OBJECT_NAME)? {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| wrong_value(MQCACF_OBJECT_NAME))?),
        };
        let minutes = self.integer(MQIACF_REFRESH_INTERVAL)?.unwrap_or(0);
        let minutes = u32::try_from(minutes).ok().filter(|minutes| *minutes <= 999_999);
        let minutes = minutes.ok_or_else(|| wrong_value(MQIACF_REFRESH_INTERVAL))?;
        Ok(Refresh { is_configuration, objects, names, minutes })
    }

    fn inquire_connection(&mut self) -> Parsed<Display> {
        let answers = match self.integer(MQIACF_CONN_INFO_TYPE)? {
            None | Some(MQIACF_CONN_INFO_CONN) => ConnectionAnswers::Connection,
            Some(MQIACF_CONN_INFO_HANDLE) => ConnectionAnswers::Handles,
            Some(MQIACF_CONN_INFO_ALL) => ConnectionAnswers::All,
            Some(_) => return Err(wrong_value(MQIACF_CONN_INFO_TYPE)),
        };
        // The last eight bytes tell connections of one queue manager apart.
        let generic = self.take(MQBACF_GENERIC_CONNECTION_ID);
        let exact = self.take(MQBACF_CONNECTION_ID);
        let identifiers = match (exact, generic) {
            (Some(Content::Bytes(bytes)), _) if bytes.len() >= 8 => hexadecimal(&bytes[bytes.len() - 8..]),
            (None, Some(Content::Bytes(bytes))) => {
                let own = bytes.get(16..).unwrap_or_default();
                if own.len() >= 8 { hexadecimal(&own[..8]) } else { format!("{}*", hexadecimal(own)) }
            }
            (None, None) => return Err(missing(MQBACF_CONNECTION_ID)),
            _ => return Err(Refusal { reason: MQRCCF_CONNECTION_ID_ERROR, parameter: None }),
        };
        self.display(Target::Connections { identifiers, answers }, MQIACF_CONNECTION_ATTRS)
    }

    /// A question with the list of attributes wanted and the condition, if there are any.
    fn display(&mut self, target: Target, attributes: i32) -> Parsed<Display> {
        let shown = match self.take(attributes) {
            None => Shown::All,
            Some(Content::Integers(wanted)) if wanted.contains(&MQIACF_ALL) => Shown::All,
            Some(Content::Integers(wanted)) => {
                let mut listed = Vec::new();
                for identifier in wanted {
                    match (&target, identifier) {
                        (Target::QueueManagerStatus, MQIACF_Q_MGR_STATUS_LOG) => {
                            listed.extend(attributes::LOG_ATTRIBUTES);
                        }
                        _ => {
                            let unknown =
                                Refusal { reason: MQRC_SELECTOR_ERROR, parameter: Some(identifier) };
                            listed.push(row_of(&target, identifier).ok_or(unknown)?.keyword);
                        }
                    }
                }
                Shown::Listed(listed)
            }
            Some(content) => {
                return Err(unknown_parameter(&Parameter { identifier: attributes, content }));
            }
        };
        let filter = self.filter(&target)?;
        let mut display = question(target, shown, filter);
        display.selection = self.selection(&display.target)?;
        Ok(display)
    }

    fn filter(&mut self, target: &Target) -> Parsed<Option<Filter>> {
        let is_filter = |parameter: &Parameter| {
            matches!(
                parameter.content,
                Content::IntegerFilter(..) | Content::TextFilter(..) | Content::BytesFilter(..)
            )
        };
        let Some(index) = self.rest.iter().position(is_filter) else { return Ok(None) };
        let parameter = self.rest.remove(index);
        if self.rest.iter().any(is_filter) {
            return Err(refusal(MQRCCF_TOO_MANY_FILTERS));
        }
        let row = row_of(target, parameter.identifier).ok_or_else(|| unknown_parameter(&parameter))?;
        let (operator, operand, wrong) = match &parameter.content {
            Content::IntegerFilter(operator, value) => {
                (*operator, Value::Integer(*value), MQRCCF_CFIF_OPERATOR_ERROR)
            }
            Content::TextFilter(operator, text) => {
                (*operator, Value::from(text.as_str()), MQRCCF_CFSF_OPERATOR_ERROR)
            }
            Content::BytesFilter(operator, bytes) => {
                (*operator, Value::from(hexadecimal(bytes).as_str()), MQRCCF_CFBF_OPERATOR_ERROR)
            }
            _ => return Err(unknown_parameter(&parameter)),
        };
        let refused = Refusal { reason: wrong, parameter: Some(parameter.identifier) };
        let operator = operator_of(operator).ok_or(refused)?;
        Ok(Some(Filter { keyword: row.keyword, operator, operand }))
    }

    /// Takes the rest, which must be attributes of subscriptions that choose among them.
    fn selection(&mut self, target: &Target) -> Parsed<Vec<Setting>> {
        let mut selection = Vec::new();
        for identifier in [MQIACF_SUB_TYPE, MQIACF_DURABLE_SUBSCRIPTION] {
            let Some(attribute) = row_of(target, identifier) else { continue };
            match self.integer(identifier)? {
                None | Some(MQSUBTYPE_ALL) => {}
                Some(value) => selection.push(Setting { attribute, value: Value::Integer(value) }),
            }
        }
        Ok(selection)
    }

    /// All that is left, as attributes of an object.
    fn settings(&mut self, object_type: ObjectType) -> Parsed<Vec<Setting>> {
        let mut settings: Vec<Setting> = Vec::new();
        for parameter in std::mem::take(&mut self.rest) {
            let rows = || attributes::of(Subject::Object(object_type));
            let attribute = rows()
                .find(|row| row.is_settable() && row.identifier_number() == parameter.identifier)
                .ok_or_else(|| unknown_parameter(&parameter))?;
            if settings.iter().any(|earlier| earlier.attribute == attribute) {
                return Err(duplicate(&parameter));
            }
            let value = value(attribute, &parameter)?;
            value.check(attribute).map_err(|error| {
                let reason = match error {
                    ValueError::TooLong { .. } => MQRCCF_CFST_STRING_LENGTH_ERR,
                    _ => MQRCCF_ATTR_VALUE_ERROR,
                };
                Refusal { reason, parameter: Some(parameter.identifier) }
            })?;
            settings.push(Setting { attribute, value });
        }
        Ok(settings)
    }
}

fn question(target: Target, shown: Shown, filter: Option<Filter>) -> Display {
    Display { target, selection: Vec::new(), filter, shown }
}

/// The parameter that names objects of a family.
fn name_identifier(family: Family) -> i32 {
    let object_type = family.types().next().expect("a family has types");
    let row = attributes::of(Subject::Object(object_type)).next().expect("an object has a name");
    row.identifier_number()
}

/// The row of an attribute, by its number, in the first subject that has it.
fn row_of(target: &Target, identifier: i32) -> Option<&'static Attribute> {
    let subjects = target.subjects().into_iter();
    subjects.flat_map(attributes::of).find(|row| row.identifier_number() == identifier)
}

fn value(attribute: &Attribute, parameter: &Parameter) -> Parsed<Value> {
    let texts = |texts: &[String]| {
        let texts = texts.iter().filter(|text| !text.is_empty());
        Value::Texts(texts.map(|text| text.as_str().into()).collect())
    };
    match (&parameter.content, attribute.kind) {
        (Content::Integer(value), Kind::Integer { .. } | Kind::Choice { .. } | Kind::Switch { .. }) => {
            Ok(Value::Integer(*value))
        }
        // Strengths that are combined come as a list.
        (Content::Integers(values), Kind::Choice { .. }) => {
            Ok(Value::Integer(values.iter().fold(0, |all, value| all | value)))
        }
        (Content::Integers(values), Kind::Words { .. }) => Ok(Value::Integers(values.as_slice().into())),
        (Content::Text(text), Kind::Text { .. } | Kind::Name { .. }) => Ok(Value::from(text.as_str())),
        (Content::Text(text), Kind::Texts { .. } | Kind::Names { .. }) => {
            Ok(texts(std::slice::from_ref(text)))
        }
        (Content::Texts(list), Kind::Texts { .. } | Kind::Names { .. }) => Ok(texts(list)),
        (Content::Bytes(bytes), Kind::Bytes { length }) => {
            let digits = hexadecimal(bytes);
            Ok(Value::from(format!("{digits:0<width$}", width = 2 * length).as_str()))
        }
        _ => Err(unknown_parameter(parameter)),
    }
}

fn duplicate(parameter: &Parameter) -> Refusal {
    let reason = match parameter.content {
        Content::Integer(_) | Content::Integer64(_) => MQRCCF_CFIN_DUPLICATE_PARM,
        Content::Texts(_) => MQRCCF_CFSL_DUPLICATE_PARM,
        Content::Bytes(_) => MQRCCF_CFBS_DUPLICATE_PARM,
        _ => MQRCCF_CFST_DUPLICATE_PARM,
    };
    Refusal { reason, parameter: Some(parameter.identifier) }
}

fn wrong_type(family: Family, parameter: i32) -> Refusal {
    let reason = match family {
        Family::Queue => MQRCCF_Q_TYPE_ERROR,
        Family::Channel => MQRCCF_CHANNEL_TYPE_ERROR,
        _ => MQRCCF_PARM_VALUE_ERROR,
    };
    Refusal { reason, parameter: Some(parameter) }
}

fn operator_of(operator: i32) -> Option<Operator> {
    Some(match operator {
        MQCFOP_EQUAL => Operator::Equal,
        MQCFOP_NOT_EQUAL => Operator::NotEqual,
        MQCFOP_LESS => Operator::Less,
        MQCFOP_GREATER => Operator::Greater,
        MQCFOP_NOT_GREATER => Operator::LessOrEqual,
        MQCFOP_NOT_LESS => Operator::GreaterOrEqual,
        MQCFOP_LIKE => Operator::Like,
        MQCFOP_NOT_LIKE => Operator::NotLike,
        MQCFOP_CONTAINS => Operator::Contains,
        MQCFOP_EXCLUDES => Operator::Excludes,
        MQCFOP_CONTAINS_GEN => Operator::ContainsLike,
        MQCFOP_EXCLUDES_GEN => Operator::ExcludesLike,
        _ => return None,
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
