//! Channel rules that queue managers of earlier releases have from birth, where they still let a program act
//! as any user without a password.
//!
//! Lives here: finding them, the command that closes each, and the occasions on which they are reported.
//! Lives elsewhere: the rules of a new queue manager (`catalogue/system.mqsc`), the verdict on a login
//! (`security`).
//!
//! Always: nothing is changed. An administrator's own rules for other partners are not reported here.

use mqi::constants::{MQCACH_CHANNEL_NAME, MQCHK_REQUIRED, MQIA_CHECK_CLIENT_BINDING};
use objects::mqsc::{Display, RuleMatch, Target};
use objects::{Definition, Family, Message, ObjectType, Response, Setting, Value, attributes, messages};
use queues::ground::host::Event;
use security::channel_rules::{CredentialCheck, Record};
use security::wildcard::Wildcard;

use crate::Issuer;
use crate::catalogue::system_definitions;
use crate::channel_rules::record_of;
use crate::engine::Engine;

/// Added to the command while no password is looked at.
const CONNAUTH_IS_BLANK: &str = "; before that, name an AUTHINFO that judges passwords, such as ALTER QMGR \
                                 CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS): none is judged now, and the rule would answer \
                                 2063 to each program";

impl Engine {
    /// Writes to the error log which rules of birth ask for no password.
    pub(crate) fn tell_open_rules(&self) {
        for rule in self.open_rules(|_| true) {
            let inserts = rule.inserts().to_vec();
            self.ground().host.event(&Event::new("FRY5033W", inserts));
        }
    }

    /// The answer to a question with its warnings: about channel rules, those of birth that ask for no
    /// password; about the queue manager, those of its host; about the part that judges rights, the logins
    /// that it would refuse, without that of the issuer.
    pub(crate) fn with_warnings(&self, issuer: &Issuer, display: &Display, mut answer: Response) -> Response {
        // Once, behind the last part.
        if answer.rest.is_some() {
            return answer;
        }
        if let Target::ChannelRules {
            profile,
            matching: RuleMatch::Exact | RuleMatch::Generic | RuleMatch::All,
        } = &display.target
            && let Some(asked) = Wildcard::new(profile)
        {
            let is_meant = |rule: &Definition| asked.matches(&rule.text(MQCACH_CHANNEL_NAME));
            answer.messages.extend(self.open_rules(is_meant));
        }
        match display.target {
            Target::QueueManager => answer.messages.extend(self.ground().host.security_warnings()),
            Target::AuthorityService => answer.messages.extend(self.known_logins_refused(issuer.login)),
            _ => {}
        }
        answer
    }

    /// Messages about those rules of birth that ask for no password, each with the command that closes it;
    /// only about the definitions that are meant.
    pub(crate) fn open_rules(&self, is_meant: impl Fn(&Definition) -> bool) -> Vec<Message> {
        // A password that the queue manager asks of everybody names the user.
        let terms = self.conn_auth().ok();
        if terms.is_some_and(|terms| terms.client == CredentialCheck::Required && terms.adopts) {
            return Vec::new();
        }
        let judges_none = terms.is_some_and(|terms| terms.client == CredentialCheck::None);
        let rules = system_definitions(self.time_of_day()).into_iter();
        let of_birth: Vec<Record> = rules
            .filter(|found| found.object_type() == ObjectType::ChannelRule)
            .filter_map(|found| record_of(&found).ok())
            .filter(|record| !record.asserts() && record.takes_user_of_channel())
            .collect();
        let mut messages = Vec::new();
        for found in self.directory.catalogue.all_defined(Family::ChannelRule) {
            let current = found.current();
            let Ok(record) = record_of(&current.definition) else { continue };
            let is_of_birth = of_birth.iter().any(|own| own.is_for_same(&record));
            if is_of_birth && record.asserts() && is_meant(&current.definition) {
                let command = self.with_password(&current.definition);
                let then = if judges_none { CONNAUTH_IS_BLANK } else { "" };
                let inserts = [record.to_string(), command, then.to_owned()];
                messages.push(Message::new(&messages::RULE_ASKS_NO_PASSWORD, inserts));
            }
        }
        messages
    }

    /// The command that sets a rule again, with CHCKCLNT(REQUIRED).
    fn with_password(&self, rule: &Definition) -> String {
        let attribute = attributes::by_pcf(ObjectType::ChannelRule, MQIA_CHECK_CLIENT_BINDING);
        let attribute = attribute.expect("records have it");
        let mut closed = rule.clone();
        let setting = Setting { attribute, value: Value::Integer(MQCHK_REQUIRED) };
        let applied = closed.apply(&[setting], self.time_of_day());
        applied.unwrap_or_else(|error| panic!("CHCKCLNT(REQUIRED) of a channel rule: {error}"));
        closed.to_mqsc()
    }
}
