//! Commands about queues: CLEAR, MOVE and RECOVER QLOCAL, RESET QSTATS, DISPLAY QSTATUS.

use std::fmt;

use mqi::constants::*;
use mqi::{NamePattern, ObjectName};

use super::display::Target;
use super::form::{Form, Head, Question, Work};
use crate::attributes::StatusType;
use crate::mqsc::parser::{Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read, refusal, wrong_value};
use crate::value::quoted;

/// CLEAR QLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clear {
    /// The queue.
    pub name: ObjectName,
}

/// MOVE QLOCAL(name) TOQLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The queue whose messages are moved.
    pub from: ObjectName,
    /// The queue they are put on.
    pub to: ObjectName,
    /// The queue may hold messages already: TYPE(ADD).
    pub add: bool,
}

/// RECOVER QLOCAL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recover {
    /// The queue.
    pub name: ObjectName,
}

pub(super) const CLEAR: Form<Clear> = Form {
    head: Head {
        verb: "CLEAR",
        subject: "QLOCAL",
        synonyms: &["QL"],
        work: Work::Short,
        number: MQCMD_CLEAR_Q,
    },
    text: |parser| Ok(Clear { name: parser.name("QLOCAL")? }),
    read: |given| Ok(Clear { name: given.object_name(MQCA_Q_NAME)? }),
};

pub(super) const MOVE: Form<Move> = Form {
    head: Head { verb: "MOVE", subject: "QLOCAL", synonyms: &["QL"], work: Work::Long, number: MQCMD_MOVE_Q },
    text: |parser| parser.move_messages(),
    read: |given| given.move_messages(),
};

/// RECOVER QLOCAL, which has no number.
pub(super) const RECOVER: Form<Recover> = Form {
    head: Head { verb: "RECOVER", subject: "QLOCAL", synonyms: &["QL"], work: Work::Long, number: 0 },
    text: |parser| Ok(Recover { name: parser.name("QLOCAL")? }),
    read: |_| Err(refusal(MQRCCF_CFH_COMMAND_ERROR)),
};

pub(super) const RESET: Form<NamePattern> = Form {
    head: Head {
        verb: "RESET",
        subject: "QSTATS",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_RESET_Q_STATS,
    },
    text: |parser| parser.name_pattern("QSTATS"),
    read: |given| given.pattern(MQCA_Q_NAME),
};

pub(super) const STATUS: Question = Question {
    keyword: "QSTATUS",
    synonyms: &["QS"],
    work: Work::OfImages,
    text: |parser| {
        Ok(Target::QueueStatus { names: parser.name_pattern("QSTATUS")?, kind: StatusType::Queue })
    },
    number: MQCMD_INQUIRE_Q_STATUS,
    read: |given| {
        let kind = match given.integer(MQIACF_Q_STATUS_TYPE)? {
            None | Some(MQIACF_Q_STATUS) => StatusType::Queue,
            Some(MQIACF_Q_HANDLE) => StatusType::QueueHandle,
            Some(_) => return Err(wrong_value(MQIACF_Q_STATUS_TYPE)),
        };
        let names = given.pattern(MQCA_Q_NAME)?;
        given.display(Target::QueueStatus { names, kind }, MQIACF_Q_STATUS_ATTRS)
    },
};

/// The words that TYPE of DISPLAY QSTATUS takes.
pub(super) const TYPES: &[(&str, StatusType)] =
    &[("QUEUE", StatusType::Queue), ("HANDLE", StatusType::QueueHandle)];

impl Move {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (quoted(self.from.as_str()), quoted(self.to.as_str()));
        write!(formatter, "({from}) TOQLOCAL({to})")?;
        if self.add { formatter.write_str(" TYPE(ADD)") } else { Ok(()) }
    }
}

impl Parser<'_> {
    fn move_messages(&mut self) -> Parsed<Move> {
        let from = self.name("QLOCAL")?;
        let to_word = |word: &str| (word == "TOQLOCAL").then_some(());
        self.word_of("TOQLOCAL", &["TOQLOCAL"], to_word)?;
        let to = self.name("TOQLOCAL")?;
        let mut add = false;
        if self.peek().is_some() {
            self.word_of("TYPE", &["TYPE"], |word| (word == "TYPE").then_some(()))?;
            add = self.one_of("TYPE", &[("MOVE", false), ("ADD", true)])?;
        }
        Ok(Move { from, to, add })
    }
}

impl Parameters {
    fn move_messages(&mut self) -> Read<Move> {
        let add = match self.integer(MQIACF_MOVE_TYPE)? {
            None | Some(MQIACF_MOVE_TYPE_MOVE) => false,
            Some(MQIACF_MOVE_TYPE_ADD) => true,
            Some(_) => return Err(wrong_value(MQIACF_MOVE_TYPE)),
        };
        let from = self.object_name(MQCACF_FROM_Q_NAME)?;
        Ok(Move { from, to: self.object_name(MQCACF_TO_Q_NAME)?, add })
    }
}
