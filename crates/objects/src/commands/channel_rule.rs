//! Commands about channel authentication records: SET CHLAUTH, DISPLAY CHLAUTH.

use std::fmt;

use mqi::constants::*;

use super::display::{Display, RuleMatch, Target};
use super::form::{Form, Head, Question, Work};
use crate::attributes::{self, Subject};
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::mqsc::setting::{Change, Setting, write_settings};
use crate::object_type::ObjectType;
use crate::pcf::parameters::{Parameters, Read, Refusal, missing, wrong_value};
use crate::value::{Value, quoted};

/// SET CHLAUTH(profile) TYPE(type).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetChannelRule {
    /// The channels: a name, or a pattern with `*`.
    pub profile: Box<str>,
    /// The type: an MQCAUT_ value.
    pub rule_type: i32,
    /// The change.
    pub action: RuleAction,
    /// The values said.
    pub settings: Vec<Setting>,
}

/// ACTION of SET CHLAUTH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleAction {
    /// Adds a record, or entries to its list.
    Add,
    /// Adds a record, or puts it in the place of the one for the same partner.
    Replace,
    /// Removes a record, or entries of its list.
    Remove,
    /// Removes every record of the type for the profile.
    RemoveAll,
}

/// The words that ACTION takes.
const ACTIONS: [(&str, RuleAction); 4] = [
    ("ADD", RuleAction::Add),
    ("REPLACE", RuleAction::Replace),
    ("REMOVE", RuleAction::Remove),
    ("REMOVEALL", RuleAction::RemoveAll),
];

pub(super) const SET: Form<SetChannelRule> = Form {
    head: Head {
        verb: "SET",
        subject: "CHLAUTH",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_SET_CHLAUTH_REC,
    },
    text: |parser| parser.set_channel_rule(),
    read: |given| given.set_channel_rule(),
};

pub(super) const RULES: Question = Question {
    keyword: "CHLAUTH",
    synonyms: &[],
    work: Work::Short,
    number: MQCMD_INQUIRE_CHLAUTH_RECS,
    text: |parser| Ok(Target::ChannelRules { profile: parser.profile()?, matching: RuleMatch::Generic }),
    read: |given| given.inquire_channel_rules(),
};

impl SetChannelRule {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "({}) TYPE({})", quoted(&self.profile), type_word(self.rule_type))?;
        if self.action != RuleAction::Add {
            let (word, _) =
                ACTIONS.iter().find(|(_, action)| *action == self.action).expect("each has a word");
            write!(formatter, " ACTION({word})")?;
        }
        write_settings(&self.settings, formatter)
    }

    /// The settings of the record that the command is about: those that were said, its profile and its type.
    pub fn all_settings(&self) -> Vec<Setting> {
        let own = [
            (MQCACH_CHANNEL_NAME, Value::from(&*self.profile)),
            (MQIACF_CHLAUTH_TYPE, Value::Integer(self.rule_type)),
        ];
        let own = own.into_iter().map(|(number, value)| {
            let attribute = attributes::by_pcf(ObjectType::ChannelRule, number);
            Setting { attribute: attribute.expect("records have it"), value }
        });
        own.chain(self.settings.iter().cloned()).collect()
    }
}

/// The word of a type of record.
fn type_word(rule_type: i32) -> &'static str {
    let row = attributes::by_pcf(ObjectType::ChannelRule, MQIACF_CHLAUTH_TYPE).expect("records have it");
    row.word_text(rule_type).unwrap_or_default()
}

/// Says if a value is given by its own place in the command.
fn is_said_apart(setting: &Setting) -> bool {
    [MQCACH_CHANNEL_NAME, MQIACF_CHLAUTH_TYPE].contains(&setting.attribute.identifier_number())
}

impl Parser<'_> {
    /// Takes `(profile)`: the name of a channel, or a pattern with asterisks.
    fn profile(&mut self) -> Parsed<Box<str>> {
        let content = self.content("CHLAUTH")?;
        let text = content.text.trim();
        if is_profile(text) {
            return Ok(text.into());
        }
        let problem = format!("CHLAUTH takes up to {MQ_CHANNEL_NAME_LENGTH} characters of a name, and *");
        Err(Fault::new(content.span, problem))
    }

    fn set_channel_rule(&mut self) -> Parsed<SetChannelRule> {
        let profile = self.profile()?;
        let (mut rule_type, mut action) = (None, None);
        let mut settings: Vec<Setting> = Vec::new();
        while self.peek().is_some() {
            let at = self.here();
            if self.is_word("ACTION") {
                if action.is_some() {
                    return Err(self.repeated("ACTION"));
                }
                self.next += 1;
                action = Some(self.one_of("ACTION", &ACTIONS)?);
                continue;
            }
            let setting = self.setting((ObjectType::ChannelRule, Change::Define), &["ACTION"])?;
            let keyword = setting.attribute.keyword;
            match setting.attribute.identifier_number() {
                MQCACH_CHANNEL_NAME => return Err(Fault::new(at, "CHLAUTH is given twice")),
                MQIACF_CHLAUTH_TYPE if rule_type.is_none() => rule_type = setting.value.as_integer(),
                MQIACF_CHLAUTH_TYPE => return Err(Fault::new(at, "TYPE is given twice")),
                _ if settings.iter().any(|earlier| earlier.attribute == setting.attribute) => {
                    return Err(Fault::new(at, format!("{keyword} is given twice")));
                }
                _ => settings.push(setting),
            }
        }
        let words = attributes::CHANNEL_RULE_TYPES.iter().map(|word| word.text);
        let rule_type = rule_type.ok_or_else(|| {
            Fault::new(self.end(), "SET CHLAUTH needs TYPE, which decides what values there are")
                .expect("", words)
        })?;
        Ok(SetChannelRule { profile, rule_type, action: action.unwrap_or(RuleAction::Add), settings })
    }
}

/// Says if a text can name channels.
fn is_profile(text: &str) -> bool {
    let is_of_profile = |byte: u8| byte.is_ascii_alphanumeric() || b"._/%*".contains(&byte);
    (1..=MQ_CHANNEL_NAME_LENGTH).contains(&text.len()) && text.bytes().all(is_of_profile)
}

impl Parameters {
    fn profile(&mut self) -> Read<Box<str>> {
        let profile = self.text(MQCACH_CHANNEL_NAME)?.ok_or_else(|| missing(MQCACH_CHANNEL_NAME))?;
        let parameter = Some(MQCACH_CHANNEL_NAME);
        if is_profile(&profile) {
            Ok(profile.into())
        } else {
            Err(Refusal { reason: MQRCCF_CHLAUTH_NAME_ERROR, parameter })
        }
    }

    fn set_channel_rule(&mut self) -> Read<SetChannelRule> {
        let profile = self.profile()?;
        let rule_type = self.integer(MQIACF_CHLAUTH_TYPE)?.ok_or_else(|| missing(MQIACF_CHLAUTH_TYPE))?;
        if type_word(rule_type).is_empty() {
            let parameter = Some(MQIACF_CHLAUTH_TYPE);
            return Err(Refusal { reason: MQRCCF_CHLAUTH_TYPE_ERROR, parameter });
        }
        let action = match self.integer(MQIACF_ACTION)? {
            None | Some(MQACT_ADD) => RuleAction::Add,
            Some(MQACT_REPLACE) => RuleAction::Replace,
            Some(MQACT_REMOVE) => RuleAction::Remove,
            Some(MQACT_REMOVEALL) => RuleAction::RemoveAll,
            Some(_) => {
                let parameter = Some(MQIACF_ACTION);
                return Err(Refusal { reason: MQRCCF_CHLAUTH_ACTION_ERROR, parameter });
            }
        };
        let settings = self.settings(ObjectType::ChannelRule)?;
        Ok(SetChannelRule { profile, rule_type, action, settings })
    }

    fn inquire_channel_rules(&mut self) -> Read<Display> {
        let profile = self.profile()?;
        let matching = match self.integer(MQIACH_MATCH)? {
            None | Some(MQMATCH_GENERIC) => RuleMatch::Generic,
            Some(MQMATCH_EXACT) => RuleMatch::Exact,
            Some(MQMATCH_ALL) => RuleMatch::All,
            Some(MQMATCH_RUNCHECK) => RuleMatch::RunCheck,
            Some(_) => return Err(wrong_value(MQIACH_MATCH)),
        };
        let mut selection = Vec::new();
        let rows = || attributes::of(Subject::Object(ObjectType::ChannelRule));
        let target = Target::ChannelRules { profile, matching };
        for row in rows().filter(|row| target.describes(row.keyword)) {
            if let Some(text) = self.text(row.identifier_number())? {
                selection.push(Setting { attribute: row, value: Value::from(text.as_str()) });
            }
        }
        match self.integer(MQIACF_CHLAUTH_TYPE)? {
            None | Some(MQCAUT_ALL) => {}
            Some(value) if type_word(value).is_empty() => return Err(wrong_value(MQIACF_CHLAUTH_TYPE)),
            Some(value) => {
                let attribute = rows().find(|row| row.identifier_number() == MQIACF_CHLAUTH_TYPE);
                let attribute = attribute.expect("records have it");
                selection.push(Setting { attribute, value: Value::Integer(value) });
            }
        }
        let display = self.display(target, MQIACF_CHLAUTH_ATTRS)?;
        Ok(Display { selection, ..display })
    }
}

/// The command that makes a record of these settings, in the place of one for the same partner.
pub(crate) fn making(settings: Vec<Setting>) -> SetChannelRule {
    let of = |number| {
        let is_meant = |setting: &&Setting| setting.attribute.identifier_number() == number;
        settings.iter().find(is_meant).map(|setting| setting.value.clone())
    };
    let profile = of(MQCACH_CHANNEL_NAME).and_then(|value| value.as_text().map(Into::into));
    // A type that is the default of its row differs from none.
    let rule_type = of(MQIACF_CHLAUTH_TYPE).and_then(|value| value.as_integer());
    SetChannelRule {
        profile: profile.unwrap_or_default(),
        rule_type: rule_type.unwrap_or(MQCAUT_ADDRESSMAP),
        action: RuleAction::Replace,
        settings: settings.into_iter().filter(|setting| !is_said_apart(setting)).collect(),
    }
}
