//! Commands about channels besides their definitions: START and STOP CHANNEL, DISPLAY CHSTATUS.

use std::fmt;

use mqi::ObjectName;
use mqi::constants::*;

use super::display::Target;
use super::form::{Form, Head, Question, Work};
use crate::mqsc::parser::{Parsed, Parser};
use crate::pcf::given::{Given, Read, wrong_value};
use crate::value::quoted;

/// STOP CHANNEL(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopChannel {
    /// The channel.
    pub name: ObjectName,
    /// STATUS(INACTIVE): programs may come by it again at once.
    pub stays_open: bool,
    /// Ends only the instances that come from this address.
    pub address: Option<Box<str>>,
}

pub(super) const START: Form<ObjectName> = Form {
    head: Head {
        verb: "START",
        subject: "CHANNEL",
        synonyms: &["CHL"],
        work: Work::Short,
        number: MQCMD_START_CHANNEL,
    },
    text: |parser| parser.name("CHANNEL"),
    read: |given| given.object_name(MQCACH_CHANNEL_NAME),
};

pub(super) const STOP: Form<StopChannel> = Form {
    head: Head {
        verb: "STOP",
        subject: "CHANNEL",
        synonyms: &["CHL"],
        work: Work::Short,
        number: MQCMD_STOP_CHANNEL,
    },
    text: |parser| parser.stop_channel(),
    read: |given| given.stop_channel(),
};

pub(super) const STATUS: Question = Question {
    keyword: "CHSTATUS",
    synonyms: &["CHS"],
    work: Work::Short,
    number: MQCMD_INQUIRE_CHANNEL_STATUS,
    text: |parser| Ok(Target::ChannelStatus { names: parser.name_pattern("CHSTATUS")? }),
    read: |given| {
        let names = given.pattern(MQCACH_CHANNEL_NAME)?;
        given.display(Target::ChannelStatus { names }, MQIACH_CHANNEL_INSTANCE_ATTRS)
    },
};

impl StopChannel {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({})", quoted(self.name.as_str()))?;
        if self.stays_open {
            formatter.write_str(" STATUS(INACTIVE)")?;
        }
        match &self.address {
            Some(address) => write!(formatter, " CONNAME({})", quoted(address)),
            None => Ok(()),
        }
    }
}

impl Parser<'_> {
    /// Takes the name and the options. A client has no batch to finish, so that the modes are alike.
    fn stop_channel(&mut self) -> Parsed<StopChannel> {
        const WORDS: [&str; 3] = ["MODE", "STATUS", "CONNAME"];
        let name = self.name("CHANNEL")?;
        let mut stop = StopChannel { name, stays_open: false, address: None };
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of STOP CHANNEL", &WORDS, &mut said)?;
            match word {
                "MODE" => self.one_of(word, &[("QUIESCE", ()), ("FORCE", ()), ("TERMINATE", ())])?,
                "STATUS" => stop.stays_open = self.one_of(word, &[("STOPPED", false), ("INACTIVE", true)])?,
                _ => stop.address = Some(self.content(word)?.text.trim().into()),
            }
        }
        Ok(stop)
    }
}

impl Given {
    fn stop_channel(&mut self) -> Read<StopChannel> {
        let name = self.object_name(MQCACH_CHANNEL_NAME)?;
        if !matches!(
            self.integer(MQIACF_MODE)?,
            None | Some(MQMODE_QUIESCE | MQMODE_FORCE | MQMODE_TERMINATE)
        ) {
            return Err(wrong_value(MQIACF_MODE));
        }
        let stays_open = match self.integer(MQIACH_CHANNEL_STATUS)? {
            None | Some(MQCHS_STOPPED) => false,
            Some(MQCHS_INACTIVE) => true,
            Some(_) => return Err(wrong_value(MQIACH_CHANNEL_STATUS)),
        };
        let address = self.text(MQCACH_CONNECTION_NAME)?.map(|address| address.trim().into());
        Ok(StopChannel { name, stays_open, address })
    }
}
