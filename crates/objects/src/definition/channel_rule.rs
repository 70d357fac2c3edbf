//! Channel authentication records as definitions.
//!
//! Lives here: making one, its key, and the values that it is shown with. Lives elsewhere: the rule that it
//! stands for (`security`), the commands that set it (`commands::channel_rule`).

use mqi::ObjectName;
use mqi::constants::*;

use super::{Definition, SettingError};
use crate::attributes::Attribute;
use crate::moment::Moment;
use crate::mqsc::Setting;
use crate::object_type::ObjectType;
use crate::value::{Value, quoted};

impl Definition {
    /// A channel authentication record with these values, its profile and its type among them.
    ///
    /// # Errors
    /// When a value does not fit.
    pub fn channel_rule(settings: &[Setting], now: Moment) -> Result<Self, SettingError> {
        let mut rule = Self::new(ObjectType::ChannelRule, ObjectName::BLANK, now);
        rule.define(settings, now)?;
        Ok(rule.keyed())
    }

    /// Puts the record under the key that its values give.
    pub(crate) fn keyed(mut self) -> Self {
        let key = self.rule_key();
        self.set_internal(MQCACF_OBJECT_NAME, Value::from(key.as_str()));
        self
    }

    /// Puts the record under the key of another, which it replaces.
    #[must_use]
    pub fn with_key_of(mut self, other: &Self) -> Self {
        self.set_internal(MQCACF_OBJECT_NAME, Value::from(other.shown_name()));
        self
    }

    /// The values that tell a record from others: no two have the same.
    fn rule_key(&self) -> String {
        let kind = self.integer(MQIACF_CHLAUTH_TYPE);
        let partner = [
            MQCACH_CONNECTION_NAME,
            MQCACH_CLIENT_USER_ID,
            MQCA_REMOTE_Q_MGR_NAME,
            MQCACH_SSL_PEER_NAME,
            MQCA_SSL_CERT_ISSUER_NAME,
        ];
        let mut key = format!("{} {kind}", self.text(MQCACH_CHANNEL_NAME));
        // The length before each, so that no text can be two records.
        for text in partner.map(|number| self.text(number)) {
            key.push_str(&format!(" {}:{text}", text.len()));
        }
        key
    }

    /// The command that makes the record, in the place of one for the same partner.
    pub(super) fn rule_to_mqsc(&self) -> String {
        let mut text = format!("SET CHLAUTH({})", quoted(&self.text(MQCACH_CHANNEL_NAME)));
        let kind = self.row(MQIACF_CHLAUTH_TYPE);
        let said = self.changed().filter(|(row, _)| {
            row.is_settable()
                && ![MQCACH_CHANNEL_NAME, MQIACF_CHLAUTH_TYPE].contains(&row.identifier_number())
        });
        for (attribute, value) in [(kind, self.stored(kind))].into_iter().chain(said) {
            text.push(' ');
            value.write_mqsc(attribute, &mut text);
        }
        text + " ACTION(REPLACE)"
    }

    /// The value of an attribute as DISPLAY shows it; none for one that records of this type do not have.
    #[must_use]
    pub fn rule_value(&self, attribute: &Attribute) -> Option<Value> {
        let rule_type = self.integer(MQIACF_CHLAUTH_TYPE);
        let source = self.integer(MQIACH_USER_SOURCE);
        let is_map = !matches!(rule_type, MQCAUT_BLOCKUSER | MQCAUT_BLOCKADDR);
        let has = match attribute.identifier_number() {
            MQCACH_CONNECTION_NAME => {
                rule_type == MQCAUT_ADDRESSMAP || is_map && !self.text(MQCACH_CONNECTION_NAME).is_empty()
            }
            MQCACH_CONNECTION_NAME_LIST => rule_type == MQCAUT_BLOCKADDR,
            MQCACH_MCA_USER_ID_LIST => rule_type == MQCAUT_BLOCKUSER,
            MQCACH_CLIENT_USER_ID => rule_type == MQCAUT_USERMAP,
            MQCA_REMOTE_Q_MGR_NAME => rule_type == MQCAUT_QMGRMAP,
            MQCACH_SSL_PEER_NAME => rule_type == MQCAUT_SSLPEERMAP,
            MQCA_SSL_CERT_ISSUER_NAME => {
                rule_type == MQCAUT_SSLPEERMAP && !self.text(MQCA_SSL_CERT_ISSUER_NAME).is_empty()
            }
            MQIACH_USER_SOURCE => is_map,
            MQCACH_MCA_USER_ID => is_map && source == MQUSRC_MAP,
            MQIA_CHECK_CLIENT_BINDING => is_map && rule_type != MQCAUT_QMGRMAP && source != MQUSRC_NOACCESS,
            MQIACH_WARNING => !is_map || source == MQUSRC_NOACCESS,
            _ => true,
        };
        if has { self.value(attribute) } else { None }
    }
}
