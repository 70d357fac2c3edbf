//! A command as text that reads back to the same command.

use std::fmt;

use super::command::{Command, ConnectionAnswers, Define, Delete, Display, Setting, Shown, Target};
use super::filter::Filter;
use crate::attributes::{Kind, StatusType};
use crate::object_type::ObjectType;
use crate::value::quoted;

impl fmt::Display for Command {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Define(define) => write_define(define, formatter),
            Self::Alter(alter) => {
                write!(formatter, "ALTER {}", alter.object_type.keyword())?;
                if alter.object_type != ObjectType::QueueManager {
                    write!(formatter, "({})", quoted(alter.name.as_str()))?;
                }
                if alter.force {
                    formatter.write_str(" FORCE")?;
                }
                write_settings(&alter.settings, formatter)
            }
            Self::Delete(delete) => write_delete(delete, formatter),
            Self::Display(display) => write_display(display, formatter),
            Self::Clear(clear) => write!(formatter, "CLEAR QLOCAL({})", quoted(clear.name.as_str())),
            Self::PingQueueManager => formatter.write_str("PING QMGR"),
        }
    }
}

fn write_define(define: &Define, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "DEFINE {}({})", define.object_type.keyword(), quoted(define.name.as_str()))?;
    if define.replace {
        formatter.write_str(" REPLACE")?;
    }
    if let Some(like) = &define.like {
        write!(formatter, " LIKE({})", quoted(like.as_str()))?;
    }
    write_settings(&define.settings, formatter)
}

fn write_delete(delete: &Delete, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(formatter, "DELETE {}({})", delete.object_type.keyword(), quoted(delete.name.as_str()))?;
    if delete.purge {
        formatter.write_str(" PURGE")?;
    }
    if delete.ignore_missing {
        formatter.write_str(" IGNSTATE(YES)")?;
    }
    Ok(())
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
        Target::QueueManager => {}
        Target::Queues { names, .. } => write!(formatter, "({})", quoted(&names.to_string()))?,
        Target::QueueStatus { names, kind } => {
            write!(formatter, "({})", quoted(&names.to_string()))?;
            if *kind == StatusType::QueueHandle {
                formatter.write_str(" TYPE(HANDLE)")?;
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
    if let Some(filter) = &display.filter {
        write_filter(filter, &display.target, formatter)?;
    }
    match &display.shown {
        Shown::Usual => Ok(()),
        Shown::All => formatter.write_str(" ALL"),
        Shown::Listed(keywords) => keywords.iter().try_for_each(|keyword| write!(formatter, " {keyword}")),
    }
}

fn write_filter(filter: &Filter, target: &Target, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(attribute) = target.attribute(filter.keyword) else { return Err(fmt::Error) };
    let shown = filter.operand.shown(attribute);
    let operand = match attribute.kind {
        Kind::Text { .. } | Kind::Name { .. } => quoted(&shown),
        _ => shown,
    };
    write!(formatter, " WHERE({} {} {operand})", filter.keyword, filter.operator.keyword())
}
