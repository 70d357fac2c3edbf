//! Commands about listeners besides their definitions: START and STOP LISTENER, DISPLAY LSSTATUS.

use mqi::ObjectName;
use mqi::constants::*;

use super::display::Target;
use super::form::{Form, Head, Question, Work};
use crate::mqsc::lexer::TokenKind;
use crate::mqsc::parser::{Parsed, Parser};
use crate::object_type::ObjectType;
use crate::pcf::given::{Given, Read, wrong_value};

/// The words of a command on a listener.
const fn head(verb: &'static str, number: i32) -> Head {
    Head { verb, subject: "LISTENER", synonyms: &["LSTR"], work: Work::Long, number }
}

pub(super) const START: Form<ObjectName> = Form {
    head: head("START", MQCMD_START_CHANNEL_LISTENER),
    text: |parser| parser.listener(),
    read: |given| given.listener(),
};

pub(super) const STOP: Form<ObjectName> = Form {
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
    /// Takes the name of a listener, if one follows, and TRPTYPE, which is TCP.
    fn listener(&mut self) -> Parsed<ObjectName> {
        let name = if self.peek_is(&TokenKind::Open) { self.name("LISTENER")? } else { default_listener() };
        if self.peek().is_some() {
            self.word_of("TRPTYPE", &["TRPTYPE"], |word| (word == "TRPTYPE").then_some(()))?;
            self.one_of("TRPTYPE", &[("TCP", ())])?;
        }
        Ok(name)
    }
}

impl Given {
    fn listener(&mut self) -> Read<ObjectName> {
        match self.integer(MQIACH_XMIT_PROTOCOL_TYPE)? {
            None | Some(MQXPT_TCP) => {}
            Some(_) => return Err(wrong_value(MQIACH_XMIT_PROTOCOL_TYPE)),
        }
        if self.rest.iter().all(|parameter| parameter.identifier != MQCACH_LISTENER_NAME) {
            return Ok(default_listener());
        }
        self.object_name(MQCACH_LISTENER_NAME)
    }
}
