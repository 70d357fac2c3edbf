//! Commands about topics: CLEAR TOPICSTR, DISPLAY TPSTATUS and PUBSUB.

use mqi::constants::*;

use super::display::{Relation, Target};
use super::form::{Form, Head, Question, Work};
use crate::attributes::StatusType;
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read, missing, wrong_value};

pub(super) const CLEAR: Form<ClearTopic> = Form {
    head: Head {
        verb: "CLEAR",
        subject: "TOPICSTR",
        synonyms: &[],
        work: Work::Long,
        number: MQCMD_CLEAR_TOPIC_STRING,
    },
    text: |parser| parser.clear_topic(),
    read: |given| given.clear_topic(),
};

pub(super) const STATUS: Question = Question {
    keyword: "TPSTATUS",
    synonyms: &["TPS"],
    work: Work::Long,
    text: |parser| {
        let topics = parser.content("TPSTATUS")?.text.trim_end_matches(' ').into();
        Ok(Target::TopicStatus { topics, kind: StatusType::Topic })
    },
    number: MQCMD_INQUIRE_TOPIC_STATUS,
    read: |given| {
        let kind = match given.integer(MQIACF_TOPIC_STATUS_TYPE)? {
            None | Some(MQIACF_TOPIC_STATUS) => StatusType::Topic,
            Some(MQIACF_TOPIC_SUB) => StatusType::TopicSubscription,
            Some(MQIACF_TOPIC_PUB) => StatusType::TopicPublisher,
            Some(_) => return Err(wrong_value(MQIACF_TOPIC_STATUS_TYPE)),
        };
        let topics = given.text(MQCA_TOPIC_STRING)?.ok_or_else(|| missing(MQCA_TOPIC_STRING))?;
        given.display(Target::TopicStatus { topics: topics.into(), kind }, MQIACF_TOPIC_STATUS_ATTRS)
    },
};

pub(super) const PUBLISH_SUBSCRIBE: Question = Question {
    keyword: "PUBSUB",
    synonyms: &[],
    work: Work::Long,
    text: |_| Ok(Target::PublishSubscribe { of: Relation::All }),
    number: MQCMD_INQUIRE_PUBSUB_STATUS,
    read: |given| {
        let of = match given.integer(MQIACF_PS_STATUS_TYPE)? {
            None | Some(MQPSST_ALL) => Relation::All,
            Some(MQPSST_LOCAL) => Relation::Local,
            Some(MQPSST_PARENT) => Relation::Parent,
            Some(MQPSST_CHILD) => Relation::Child,
            Some(_) => return Err(wrong_value(MQIACF_PS_STATUS_TYPE)),
        };
        given.display(Target::PublishSubscribe { of }, MQIACF_PUBSUB_STATUS_ATTRS)
    },
};

/// The words that TYPE of DISPLAY TPSTATUS takes.
pub(super) const TYPES: &[(&str, StatusType)] = &[
    ("TOPIC", StatusType::Topic),
    ("SUB", StatusType::TopicSubscription),
    ("PUB", StatusType::TopicPublisher),
];

/// CLEAR TOPICSTR(topic) CLRTYPE(RETAINED).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearTopic {
    /// The topic string.
    pub topic: Box<str>,
}

impl Parser<'_> {
    /// Takes TOPICSTR(topic) CLRTYPE(RETAINED): nothing else of a topic can be cleared. There are no other
    /// queue managers that SCOPE could mean.
    fn clear_topic(&mut self) -> Parsed<ClearTopic> {
        const WORDS: [&str; 2] = ["CLRTYPE", "SCOPE"];
        let content = self.content("TOPICSTR")?;
        let topic = content.text.trim_end_matches(' ');
        if topic.is_empty() {
            return Err(Fault::new(content.span, "TOPICSTR needs a topic string between the parentheses"));
        }
        let mut is_type_said = false;
        while self.peek().is_some() {
            let word =
                self.word_of("CLRTYPE", &WORDS, |word| WORDS.iter().find(|known| **known == word).copied())?;
            match word {
                "CLRTYPE" => {
                    self.one_of(word, &[("RETAINED", ())])?;
                    is_type_said = true;
                }
                word => self.one_of(word, &[("LOCAL", ()), ("GLOBAL", ())])?,
            }
        }
        if is_type_said {
            Ok(ClearTopic { topic: topic.into() })
        } else {
            Err(self.unexpected("CLRTYPE(RETAINED)"))
        }
    }
}

impl Parameters {
    fn clear_topic(&mut self) -> Read<ClearTopic> {
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
}
