//! Commands about the queue manager: PING, RESET and REFRESH QMGR, DISPLAY QMGR and QMSTATUS.

use std::fmt;

use mqi::NamePattern;
use mqi::constants::*;

use super::display::Target;
use super::form::{Form, Head, Question, Work};
use super::log::LogStep;
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::object_type::{Family, ObjectType};
use crate::pcf::parameters::{Parameters, Read, missing, wrong_value};
use crate::value::quoted;

pub(super) const PING: Form<()> = Form {
    head: Head { verb: "PING", subject: "QMGR", synonyms: &[], work: Work::Short, number: MQCMD_PING_Q_MGR },
    text: |_| Ok(()),
    read: |_| Ok(()),
};

pub(super) const RESET: Form<Reset> = Form {
    head: Head {
        verb: "RESET",
        subject: "QMGR",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_RESET_Q_MGR,
    },
    text: |parser| parser.reset_queue_manager(),
    read: |given| given.reset(),
};

pub(super) const REFRESH: Form<Refresh> = Form {
    head: Head {
        verb: "REFRESH",
        subject: "QMGR",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_REFRESH_Q_MGR,
    },
    text: |parser| parser.refresh_queue_manager(),
    read: |given| given.refresh(),
};

pub(super) const DEFINITION: Question = Question {
    keyword: "QMGR",
    synonyms: &[],
    work: Work::Short,
    text: |_| Ok(Target::QueueManager),
    number: MQCMD_INQUIRE_Q_MGR,
    read: |given| given.display(Target::QueueManager, MQIACF_Q_MGR_ATTRS),
};

pub(super) const STATUS: Question = Question {
    keyword: "QMSTATUS",
    synonyms: &[],
    work: Work::OfImages,
    text: |_| Ok(Target::QueueManagerStatus),
    number: MQCMD_INQUIRE_Q_MGR_STATUS,
    read: |given| given.display(Target::QueueManagerStatus, MQIACF_Q_MGR_STATUS_ATTRS),
};

/// RESET QMGR TYPE(what).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// Tell statistics, and begin to count anew.
    Statistics,
    /// A step of the recovery log.
    Log(LogStep),
}

/// REFRESH QMGR TYPE(what).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refresh {
    /// Asks for configuration events, rather than subscriptions for other queue managers.
    pub is_configuration: bool,
    /// The kinds of object they are to tell of.
    pub objects: Refreshed,
    /// The names of those.
    pub names: Option<NamePattern>,
    /// Only objects changed in so many minutes; none for all.
    pub minutes: u32,
}

/// Kinds of object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refreshed {
    /// All.
    #[default]
    All,
    /// Objects of one family.
    Family(Family),
    /// Objects of one type.
    Type(ObjectType),
}

impl Refresh {
    /// Returns true if it is about objects of a type.
    #[must_use]
    pub fn is_about(&self, object_type: ObjectType) -> bool {
        match self.objects {
            Refreshed::All => true,
            Refreshed::Family(family) => object_type.family() == family,
            Refreshed::Type(wanted) => object_type == wanted,
        }
    }
}

impl Reset {
    pub(super) fn write(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, _) = RESETS.iter().find(|(_, reset)| *reset == self).expect("each has a word");
        write!(formatter, " TYPE({word})")
    }
}

impl Refresh {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_configuration { "CONFIGEV" } else { "PROXYSUB" };
        write!(formatter, " TYPE({what})")?;
        match self.objects {
            Refreshed::All => {}
            Refreshed::Family(family) => write!(formatter, " OBJECT({})", family.keyword())?,
            Refreshed::Type(object_type) => write!(formatter, " OBJECT({})", object_type.keyword())?,
        }
        if let Some(names) = &self.names {
            write!(formatter, " NAME({})", quoted(&names.to_string()))?;
        }
        if self.minutes > 0 { write!(formatter, " INCLINT({})", self.minutes) } else { Ok(()) }
    }
}

/// Words that RESET QMGR takes for TYPE.
const RESETS: &[(&str, Reset)] = &[
    ("ADVANCELOG", Reset::Log(LogStep::Advance)),
    ("ARCHIVED", Reset::Log(LogStep::Archived)),
    ("REDUCELOG", Reset::Log(LogStep::Reduce)),
    ("STATISTICS", Reset::Statistics),
];

impl Parser<'_> {
    /// Takes the rest of RESET QMGR.
    fn reset_queue_manager(&mut self) -> Parsed<Reset> {
        self.word_of("TYPE", &["TYPE"], |word| (word == "TYPE").then_some(()))?;
        let reset = self.one_of("TYPE", RESETS)?;
        let more = match reset {
            Reset::Log(step) => step.parameter(),
            Reset::Statistics => None,
        };
        if let Some(more) = more.filter(|_| self.peek().is_some()) {
            self.word_of(more, &[more], |word| (word == more).then_some(()))?;
            self.content(more)?;
        }
        Ok(reset)
    }

    /// Takes the rest of REFRESH QMGR.
    fn refresh_queue_manager(&mut self) -> Parsed<Refresh> {
        const WORDS: [&str; 4] = ["TYPE", "OBJECT", "NAME", "INCLINT"];
        let mut refresh = Refresh::default();
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of REFRESH QMGR", &WORDS, &mut said)?;
            match word {
                "TYPE" => {
                    refresh.is_configuration =
                        self.one_of(word, &[("CONFIGEV", true), ("PROXYSUB", false)])?
                }
                "OBJECT" => refresh.objects = self.one_of(word, &refreshed())?,
                "NAME" => refresh.names = Some(self.name_pattern(word)?),
                _ => {
                    let content = self.content(word)?;
                    let minutes = content.text.trim().parse().ok().filter(|minutes| *minutes <= 999_999);
                    refresh.minutes = minutes.ok_or_else(|| {
                        Fault::new(content.span, "INCLINT takes a number of minutes from 0 to 999999")
                    })?;
                }
            }
        }
        if said.contains(&"TYPE") { Ok(refresh) } else { Err(self.unexpected("TYPE")) }
    }
}

impl Parameters {
    fn reset(&mut self) -> Read<Reset> {
        match self.integer(MQIACF_ACTION)?.ok_or_else(|| missing(MQIACF_ACTION))? {
            MQACT_COLLECT_STATISTICS => Ok(Reset::Statistics),
            action => LogStep::of(action).map(Reset::Log).ok_or_else(|| wrong_value(MQIACF_ACTION)),
        }
    }

    fn refresh(&mut self) -> Read<Refresh> {
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
                let found = ObjectType::definable().find(|object_type| object_type.mqot() == other);
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
}

/// The words for kinds of objects.
fn refreshed() -> Vec<(&'static str, Refreshed)> {
    let queues = Family::Queue.types().map(|queue| (queue.keyword(), Refreshed::Type(queue)));
    let manager = [("QMGR", Refreshed::Type(ObjectType::QueueManager)), ("ALL", Refreshed::All)];
    let families = Family::definable().filter(|family| *family != Family::QueueManager);
    let families = families.map(|family| (family.keyword(), Refreshed::Family(family)));
    families.chain(queues).chain(manager).collect()
}
