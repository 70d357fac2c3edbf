//! A command as text that reads back to the same command.

use std::fmt;

use super::absent::Absent;
use super::command::{
    Command, ConnectionAnswers, Define, Delete, Display, Refresh, Refreshed, Relation, Reset, Resolution,
    Setting, Shown, Target,
};
use super::filter::Filter;
use super::name::{Name, Names};
use crate::attributes::{Kind, StatusType};
use crate::object_type::{Family, ObjectType};
use crate::value::{Value, quoted};

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Define(define) => write_define(define, formatter),
            Self::Alter(alter) => {
                formatter.write_str("ALTER ")?;
                write_object(alter.object_type, &alter.name, formatter)?;
                if alter.force {
                    formatter.write_str(" FORCE")?;
                }
                write_settings(&alter.settings, formatter)
            }
            Self::Delete(delete) => write_delete(delete, formatter),
            Self::Display(display) => write_display(display, formatter),
            Self::Clear(clear) => write!(formatter, "CLEAR QLOCAL({})", quoted(clear.name.as_str())),
            Self::ClearTopic(clear) => {
                write!(formatter, "CLEAR TOPICSTR({}) CLRTYPE(RETAINED)", quoted(&clear.topic))
            }
            Self::Move(moved) => {
                let (from, to) = (quoted(moved.from.as_str()), quoted(moved.to.as_str()));
                write!(formatter, "MOVE QLOCAL({from}) TOQLOCAL({to})")?;
                if moved.add { formatter.write_str(" TYPE(ADD)") } else { Ok(()) }
            }
            Self::Recover(recover) => write!(formatter, "RECOVER QLOCAL({})", quoted(recover.name.as_str())),
            Self::StopConnection(identifier) => write!(formatter, "STOP CONN({identifier})"),
            Self::Resolve(resolve) => {
                let action = match resolve.resolution {
                    Resolution::Commit => "COMMIT",
                    Resolution::Backout => "BACKOUT",
                };
                write!(formatter, "RESOLVE INDOUBT({}) ACTION({action})", resolve.identifier)
            }
            Self::ResetStatistics(names) => {
                write!(formatter, "RESET QSTATS({})", quoted(&names.to_string()))
            }
            Self::ResetQueueManager(reset) => {
                formatter.write_str("RESET QMGR TYPE(")?;
                formatter.write_str(match reset {
                    Reset::Statistics => "STATISTICS)",
                    Reset::AdvanceLog => "ADVANCELOG)",
                    Reset::ReduceLog => "REDUCELOG)",
                    Reset::Archived => "ARCHIVED)",
                })
            }
            Self::RefreshQueueManager(refresh) => write_refresh(refresh, formatter),
            Self::PingQueueManager => formatter.write_str("PING QMGR"),
            Self::Absent(absent) => write_absent(absent, formatter),
        }
    }
}

fn write_refresh(refresh: &Refresh, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let what = if refresh.is_configuration { "CONFIGEV" } else { "PROXYSUB" };
    write!(formatter, "REFRESH QMGR TYPE({what})")?;
    match refresh.objects {
        Refreshed::All => {}
        Refreshed::Family(family) => write!(formatter, " OBJECT({})", family.keyword())?,
        Refreshed::Type(object_type) => write!(formatter, " OBJECT({})", object_type.keyword())?,
    }
    if let Some(names) = &refresh.names {
        write!(formatter, " NAME({})", quoted(&names.to_string()))?;
    }
    if refresh.minutes > 0 { write!(formatter, " INCLINT({})", refresh.minutes) } else { Ok(()) }
}

fn write_define(define: &Define, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("DEFINE ")?;
    write_object(define.object_type, &define.name, formatter)?;
    if define.replace {
        formatter.write_str(" REPLACE")?;
    }
    if let Some(like) = &define.like {
        write!(formatter, " LIKE({})", quoted(like.as_str()))?;
    }
    write_settings(&define.settings, formatter)
}

fn write_delete(delete: &Delete, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    formatter.write_str("DELETE ")?;
    match (delete.family, delete.object_type) {
        (Family::Channel, Some(ObjectType::ClientConnectionChannel)) => {
            delete.name.write("CHANNEL", formatter)?;
            formatter.write_str(" CHLTABLE(CLNTTAB)")?;
        }
        (_, Some(object_type)) => write_object(object_type, &delete.name, formatter)?,
        (family, None) => delete.name.write(family.keyword(), formatter)?,
    }
    if delete.purge {
        formatter.write_str(" PURGE")?;
    }
    if delete.ignore_missing {
        formatter.write_str(" IGNSTATE(YES)")?;
    }
    Ok(())
}

/// The type and name of an object, with what tells types of one word apart.
fn write_object(object_type: ObjectType, name: &Name, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    name.write(object_type.keyword(), formatter)?;
    match (object_type.family().selector(), object_type.subtype()) {
        (Some(selector), Some(word)) => write!(formatter, " {selector}({word})"),
        _ => Ok(()),
    }
}

fn write_absent(absent: &Absent, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "{} {}", absent.command.verb, absent.command.subject)?;
    if let Some(name) = &absent.name {
        write!(formatter, "({})", quoted(name))?;
    }
    if absent.rest.is_empty() { Ok(()) } else { write!(formatter, " {}", absent.rest) }
}

fn write_settings(settings: &[Setting], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    for setting in settings {
        let mut text = String::from(" ");
        setting.value.write_mqsc(setting.attribute, &mut text);
        formatter.write_str(&text)?;
    }
    Ok(())
}

fn write_display(display: &Display, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "DISPLAY {}", display.target.keyword())?;
    match &display.target {
        Target::QueueManager | Target::QueueManagerStatus => {}
        Target::SubscriptionStatus { names } => write_names(names, formatter)?,
        Target::Objects { family, names, object_type } => {
            write_names(names, formatter)?;
            if let (Some(selector), Some(word)) =
                (family.selector(), object_type.and_then(ObjectType::subtype))
            {
                write!(formatter, " {selector}({word})")?;
            }
        }
        Target::QueueStatus { names, kind } => {
            write!(formatter, "({})", quoted(&names.to_string()))?;
            if *kind == StatusType::QueueHandle {
                formatter.write_str(" TYPE(HANDLE)")?;
            }
        }
        Target::TopicStatus { topics, kind } => {
            write!(formatter, "({})", quoted(topics))?;
            match kind {
                StatusType::TopicSubscription => formatter.write_str(" TYPE(SUB)")?,
                StatusType::TopicPublisher => formatter.write_str(" TYPE(PUB)")?,
                _ => {}
            }
        }
        Target::PublishSubscribe { of } => {
            let (word, _) =
                Relation::WORDS.iter().find(|(_, relation)| relation == of).expect("each has one");
            if *of != Relation::All {
                write!(formatter, " TYPE({word})")?;
            }
        }
        Target::Connections { identifiers, answers } => {
            write!(formatter, "({identifiers})")?;
            match answers {
                ConnectionAnswers::Connection => {}
                ConnectionAnswers::Handles => formatter.write_str(" TYPE(HANDLE)")?,
                ConnectionAnswers::All => formatter.write_str(" TYPE(ALL)")?,
            }
        }
    }
    write_settings(&display.selection, formatter)?;
    if let Some(filter) = &display.filter {
        write_filter(filter, &display.target, formatter)?;
    }
    match &display.shown {
        Shown::Usual => Ok(()),
        Shown::All => formatter.write_str(" ALL"),
        Shown::Listed(keywords) => keywords.iter().try_for_each(|keyword| write!(formatter, " {keyword}")),
    }
}

fn write_names(names: &Names, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    match names {
        Names::SubscriptionIdentifier(digits) => write!(formatter, " SUBID({digits})"),
        names => write!(formatter, "({})", quoted(&names.to_string())),
    }
}

fn write_filter(filter: &Filter, target: &Target, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut attributes = target.attributes_named(filter.keyword);
    let fitting = attributes.find(|attribute| filter.operand.check(attribute).is_ok());
    // What is only compared with may be beyond what the attribute can have.
    let attribute = fitting.or_else(|| target.attribute(filter.keyword)).ok_or(fmt::Error)?;
    let operand = match (&filter.operand, attribute.kind) {
        (Value::Integer(_), _) | (_, Kind::Words { .. }) => filter.operand.shown(attribute),
        (operand, _) => quoted(&operand.shown(attribute)),
    };
    write!(formatter, " WHERE({} {} {operand})", filter.keyword, filter.operator.keyword())
}
