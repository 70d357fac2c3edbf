//! Commands about listeners besides their definitions: START and STOP LISTENER, DISPLAY LSSTATUS.

use std::fmt;

use mqi::ObjectName;
use mqi::constants::*;

use super::display::Target;
use super::form::{Form, Head, Question, Work};
use crate::mqsc::lexer::TokenKind;
use crate::mqsc::parser::{Parsed, Parser};
use crate::object_type::ObjectType;
use crate::pcf::parameters::{Parameters, Read, wrong_value};
use crate::value::quoted;

/// START or STOP LISTENER(name).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenerStep {
    /// The listener.
    pub name: ObjectName,
    /// One that runs already, or does not, is no error.
    pub ignore_state: bool,
}

impl ListenerStep {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({})", quoted(self.name.as_str()))?;
        formatter.write_str(if self.ignore_state { " IGNSTATE(YES)" } else { "" })
    }
}

/// The words of a command on a listener.
const fn head(verb: &'static str, number: i32) -> Head {
    Head { verb, subject: "LISTENER", synonyms: &["LSTR"], work: Work::Long, number }
}

pub(super) const START: Form<ListenerStep> = Form {
    head: head("START", MQCMD_START_CHANNEL_LISTENER),
    text: |parser| parser.listener(),
    read: |given| given.listener(),
};

pub(super) const STOP: Form<ListenerStep> = Form {
    head: head("STOP", MQCMD_STOP_CHANNEL_LISTENER),
    text: |parser| parser.listener(),
    read: |given| given.listener(),
};

pub(super) const STATUS: Question = Question {
    keyword: "LSSTATUS",
    synonyms: &[],
    work: Work::Short,
    number: MQCMD_INQUIRE_LISTENER_STATUS,
    text: |parser| Ok(Target::ListenerStatus { names: parser.name_pattern("LSSTATUS")? }),
    read: |given| {
        let names = given.pattern(MQCACH_LISTENER_NAME)?;
        given.display(Target::ListenerStatus { names }, MQIACF_LISTENER_STATUS_ATTRS)
    },
};

/// The listener of a command that names none.
fn default_listener() -> ObjectName {
    let name = ObjectType::Listener.default_object().and_then(|name| name.parse().ok());
    name.expect("listeners have a default object")
}

impl Parser<'_> {
    /// Takes the name of a listener, if one follows, TRPTYPE, which is TCP, and IGNSTATE.
    fn listener(&mut self) -> Parsed<ListenerStep> {
        let name = if self.peek_is(&TokenKind::Open) { self.name("LISTENER")? } else { default_listener() };
        let mut step = ListenerStep { name, ignore_state: false };
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            match self.option("TRPTYPE or IGNSTATE", &["TRPTYPE", "IGNSTATE"], &mut said)? {
                "TRPTYPE" => self.one_of("TRPTYPE", &[("TCP", ())])?,
                word => step.ignore_state = self.one_of(word, &[("NO", false), ("YES", true)])?,
            }
        }
        Ok(step)
    }
}

impl Parameters {
    fn listener(&mut self) -> Read<ListenerStep> {
        let ignore_state = self.is_said(MQIACF_IGNORE_STATE)?;
        match self.integer(MQIACH_XMIT_PROTOCOL_TYPE)? {
            None | Some(MQXPT_TCP) => {}
            Some(_) => return Err(wrong_value(MQIACH_XMIT_PROTOCOL_TYPE)),
        }
        if self.rest.iter().all(|parameter| parameter.identifier != MQCACH_LISTENER_NAME) {
            return Ok(ListenerStep { name: default_listener(), ignore_state });
        }
        Ok(ListenerStep { name: self.object_name(MQCACH_LISTENER_NAME)?, ignore_state })
    }
}
