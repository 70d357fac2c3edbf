//! One object: its type, its name, and the values of its attributes.
//!
//! Lives here: reading and changing values. Lives elsewhere: keeping them (`values`), the stored form
//! (`encoding`), the attributes that the engine reads on its way to a message (`queue`, `queue_manager`),
//! attributes within CUSTOM (`custom`).
//!
//! Always: `values` holds only values that differ from the row's default, and each is one its row
//! accepts. A definition with nothing said costs a name, which matters to those with 100,000 queues.

mod channel_rule;
mod custom;
mod encoding;
mod queue;
mod queue_manager;
mod rules;
#[cfg(test)]
pub(crate) mod tests;
mod values;

pub use encoding::DecodeError;
pub use queue::{
    Count, DefaultShare, DefinitionType, DeliverySequence, DepthEvents, NonPersistentClass, PropertyControl,
    QueueAttributes, Remote, ServiceIntervalEvents, Stream, TargetType, Trigger, TriggerKind, Usage,
};
pub use queue_manager::{Collected, CommandEvents, Events, QueueManagerAttributes, effective};
pub use rules::Contradiction;
pub(crate) use rules::MANAGED_QUEUES;

use mqi::constants::{
    MQBACF_DESTINATION_CORREL_ID, MQCA_CUSTOM, MQCA_NAMES, MQCA_TOPIC_STRING, MQCACF_OBJECT_NAME,
    MQCACF_SUB_NAME, MQCACF_SUB_SELECTOR, MQCACF_TOPIC, MQCACH_SSL_CIPHER_SPEC, MQIA_CAP_EXPIRY,
    MQIA_DEFINITION_TYPE, MQIACF_SUB_OPTIONS, MQQDT_PREDEFINED, MQSELTYPE_NONE, MQSELTYPE_STANDARD,
    MQSO_SET_CORREL_ID,
};
use mqi::name::ObjectName;
use mqi::ours::{FULL_ACTION, QUEUE_QUOTA, SYNCPOINT_REQUIRED};

use crate::attributes::{self, Access, Attribute, Derived, Number};
use crate::moment::Moment;
use crate::mqsc::Setting;
use crate::object_type::ObjectType;
use crate::secrets::SIGN;
use crate::value::{Value, ValueError, quoted};
use values::Values;

/// A defined object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    object_type: ObjectType,
    name: ObjectName,
    created: Moment,
    altered: Moment,
    values: Values,
}

/// Why a value was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The attribute is not one of this type.
    #[error("{object_type} has no attribute {keyword}", object_type = .object_type.keyword())]
    NotAnAttribute {
        /// The type of object.
        object_type: ObjectType,
        /// The attribute.
        keyword: &'static str,
    },
    /// The attribute is not the administrator's to set.
    #[error("{keyword} is set by the queue manager")]
    ReadOnly {
        /// The attribute.
        keyword: &'static str,
    },
    /// The attribute is given when the object is defined, and not later.
    #[error("{keyword} is given when the object is defined and cannot be altered")]
    Fixed {
        /// The attribute.
        keyword: &'static str,
    },
    /// The value does not fit.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// The attributes do not agree with one another.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

impl Definition {
    /// An object with every attribute at its default.
    pub fn new(object_type: ObjectType, name: ObjectName, created: Moment) -> Self {
        Self { object_type, name, created, altered: created, values: Values::default() }
    }

    /// A new object with the values of this one, as LIKE asks: all that an administrator can set, but for
    /// secrets and for the name in AMQP, which leads to one object.
    pub fn copy(&self, name: ObjectName, created: Moment) -> Self {
        self.copy_as(self.object_type, name, created)
    }

    /// A new object of another type, with those values that both types have: how a model makes a queue.
    pub fn copy_as(&self, object_type: ObjectType, name: ObjectName, created: Moment) -> Self {
        let mut copy = Self::new(object_type, name, created);
        for row in attributes::stored(object_type).filter(|row| row.is_given_on()) {
            let own = row.number().and_then(|number| attributes::by_number(self.object_type, number));
            if let Some(value) = own.map(|own| self.stored(own)).filter(|value| value.check(row).is_ok()) {
                copy.keep(row, value);
            }
        }
        copy
    }

    /// Returns the type of the object.
    pub fn object_type(&self) -> ObjectType {
        self.object_type
    }

    /// Returns true for a local queue that was made from a model.
    pub fn is_dynamic(&self) -> bool {
        self.object_type == ObjectType::LocalQueue && self.integer(MQIA_DEFINITION_TYPE) != MQQDT_PREDEFINED
    }

    /// Its name.
    pub fn name(&self) -> &ObjectName {
        &self.name
    }

    /// When it was made.
    pub fn created(&self) -> Moment {
        self.created
    }

    /// When it was last changed.
    pub fn altered(&self) -> Moment {
        self.altered
    }

    /// This definition for an object that exists: DEFINE with REPLACE keeps the time of making and the maker,
    /// and a subscription's identifier.
    #[must_use]
    pub fn replacing(mut self, existing: &Self) -> Self {
        self.created = existing.created;
        self.name = existing.name;
        if self.object_type != ObjectType::QueueManager {
            self.set_maker(existing.maker());
        }
        self
    }

    /// The user that made the object; blank for an administrator.
    #[must_use]
    pub fn maker(&self) -> &str {
        self.stored_text(mqi::ours::MAKER).unwrap_or_default()
    }

    /// The name by which clients of AMQP find the object beside its own; empty without one.
    #[must_use]
    pub fn amqp_name(&self) -> &str {
        const NUMBER: Number = Number(mqi::ours::AMQP_NAME as u16);
        self.values.text(NUMBER).unwrap_or_default()
    }

    /// Notes the user that makes the object.
    pub fn set_maker(&mut self, user: &str) {
        self.set_internal(mqi::ours::MAKER, Value::from(user));
    }

    /// Sets what a DEFINE or ALTER says.
    pub fn apply(&mut self, settings: &[Setting], now: Moment) -> Result<(), SettingError> {
        let mut changed = self.clone();
        for setting in settings {
            changed.set(setting.attribute, setting.value.clone())?;
        }
        if self.object_type == ObjectType::Bridge {
            changed.keep_password_at_its_address(self, settings);
        }
        changed.altered = now;
        *self = changed;
        Ok(())
    }

    /// Forgets the password of a bridge that leads elsewhere now: it was given for the former address.
    fn keep_password_at_its_address(&mut self, before: &Self, settings: &[Setting]) {
        let differs = |number| self.stored(self.row(number)) != before.stored(self.row(number));
        let places =
            [mqi::constants::MQCACH_CONNECTION_NAME, mqi::constants::MQCA_CERT_LABEL, mqi::ours::BRIDGE_TLS];
        let is_elsewhere = places.into_iter().any(differs);
        if is_elsewhere && !settings.iter().any(|setting| setting.secret().is_some()) {
            self.keep(self.row(mqi::ours::BRIDGE_PASSWORD), Value::from(""));
        }
    }

    /// Does what a DEFINE says: all of it, or nothing when it does not agree.
    pub fn define(&mut self, settings: &[Setting], now: Moment) -> Result<(), SettingError> {
        let mut changed = self.clone();
        changed.apply(settings, now)?;
        if settings.iter().any(|setting| setting.attribute.identifier_number() == MQCACH_SSL_CIPHER_SPEC) {
            changed.check_cipher()?;
        }
        changed.check()?;
        *self = changed;
        Ok(())
    }

    /// Does what an ALTER says: all of it, or nothing when some of it cannot be altered or does not agree.
    pub fn alter(&mut self, settings: &[Setting], now: Moment) -> Result<(), SettingError> {
        if let Some(fixed) = settings.iter().find(|setting| setting.attribute.access == Access::Definable) {
            return Err(SettingError::Fixed { keyword: fixed.attribute.keyword });
        }
        self.define(settings, now)
    }

    /// Sets one attribute that an administrator may set.
    pub fn set(&mut self, attribute: &Attribute, value: Value) -> Result<(), SettingError> {
        let keyword = attribute.keyword;
        let row = attribute
            .number()
            .and_then(|number| attributes::by_number(self.object_type, number))
            .or_else(|| attributes::by_keyword(attributes::Subject::Object(self.object_type), keyword))
            .ok_or(SettingError::NotAnAttribute { object_type: self.object_type, keyword })?;
        if !row.is_settable() {
            return Err(SettingError::ReadOnly { keyword });
        }
        value.check(row)?;
        if !row.is_secret {
            self.keep(row, value);
            return Ok(());
        }
        match value.as_text().unwrap_or_default() {
            // The secret stays as it is.
            SIGN => {}
            "" => self.keep(row, value),
            _ => self.keep(row, Value::from(SIGN)),
        }
        Ok(())
    }

    /// Notes that a secret is kept.
    pub(crate) fn note_secret(&mut self, attribute: &Attribute) {
        self.keep(attribute, Value::from(SIGN));
    }

    /// Sets an attribute that the queue manager alone sets, such as DEFTYPE of a queue made from a model.
    ///
    /// # Panics
    /// When the object has no such attribute or the attribute does not take the value: both are fixed in our
    /// code.
    pub fn set_internal(&mut self, selector: i32, value: Value) {
        let row = self.row(selector);
        assert!(value.check(row).is_ok(), "{} does not take {value:?}", row.keyword);
        self.keep(row, value);
    }

    /// Returns the value of an attribute of this object; nothing for those only the running queue manager
    /// knows.
    pub fn value(&self, attribute: &Attribute) -> Option<Value> {
        match attribute.access {
            _ if attribute.identifier_number() == MQBACF_DESTINATION_CORREL_ID => {
                Some(self.correlation(attribute))
            }
            Access::Alterable | Access::Definable | Access::Stored | Access::Asked => {
                Some(self.stored(attribute))
            }
            Access::Derived(derived) => Some(match derived {
                Derived::Name => Value::from(&self.name),
                Derived::Type => Value::Integer(self.object_type.subtype_value().unwrap_or_default()),
                Derived::CreationDate => Value::from(self.created.date().as_str()),
                Derived::CreationTime => Value::from(self.created.time().as_str()),
                Derived::AlterationDate => Value::from(self.altered.date().as_str()),
                Derived::AlterationTime => Value::from(self.altered.time().as_str()),
                Derived::NameCount => {
                    let names = self.texts(MQCA_NAMES).len();
                    Value::Integer(i32::try_from(names).unwrap_or(i32::MAX))
                }
                Derived::SelectorType => Value::Integer(if self.text(MQCACF_SUB_SELECTOR).is_empty() {
                    MQSELTYPE_NONE
                } else {
                    MQSELTYPE_STANDARD
                }),
                Derived::Constant => attribute.default_value(),
            }),
            Access::Live | Access::Hidden | Access::Elsewhere => None,
        }
    }

    /// The topic string of a topic or a subscription, with what the topic object of the latter gave to it.
    pub fn topic_string(&self) -> String {
        let whole = match self.object_type {
            ObjectType::Subscription => self.text(MQCACF_TOPIC),
            _ => String::new(),
        };
        if whole.is_empty() { self.text(MQCA_TOPIC_STRING) } else { whole }
    }

    /// The correlation identifier of a subscription: its own, unless another was said or a program asked for
    /// none.
    fn correlation(&self, attribute: &Attribute) -> Value {
        let said = self.stored(attribute);
        let is_template = self.object_type.default_object() == Some(self.shown_name());
        let asks_for_none = self.integer(MQIACF_SUB_OPTIONS) & MQSO_SET_CORREL_ID != 0;
        if said != attribute.default_value() || is_template || asks_for_none {
            return said;
        }
        Value::from(&self.name)
    }

    /// The number of a stored attribute, by selector.
    ///
    /// # Panics
    /// When objects of this type have no such number.
    pub fn integer(&self, selector: i32) -> i32 {
        let row = self.row(selector);
        self.stored(row).as_integer().unwrap_or_else(|| panic!("{} is not a number", row.keyword))
    }

    /// The name in a stored attribute, by selector; nothing when it is blank.
    ///
    /// # Panics
    /// When objects of this type have no such name.
    pub fn name_in(&self, selector: i32) -> Option<ObjectName> {
        let row = self.row(selector);
        let value = self.stored(row);
        let text = value.as_text().unwrap_or_else(|| panic!("{} is not a name", row.keyword));
        if text.is_empty() {
            return None;
        }
        Some(
            text.parse()
                .unwrap_or_else(|error| panic!("{} was checked when it was set: {error}", row.keyword)),
        )
    }

    /// The text of a stored attribute, by its number in PCF.
    ///
    /// # Panics
    /// When objects of this type have no such text.
    pub fn text(&self, identifier: i32) -> String {
        let row = self.row(identifier);
        match self.stored(row) {
            Value::Text(text) => text.into(),
            _ => panic!("{} is not a text", row.keyword),
        }
    }

    /// The numbers of a stored attribute that is a list of words, by its number in PCF.
    ///
    /// # Panics
    /// When objects of this type have no such list.
    pub fn integers(&self, identifier: i32) -> Box<[i32]> {
        let row = self.row(identifier);
        match self.stored(row) {
            Value::Integers(numbers) => numbers,
            _ => panic!("{} is not a list of words", row.keyword),
        }
    }

    /// The texts of a stored attribute that is a list of them, by its number in PCF.
    ///
    /// # Panics
    /// When objects of this type have no such list.
    pub fn texts(&self, identifier: i32) -> Box<[Box<str>]> {
        let row = self.row(identifier);
        match self.stored(row) {
            Value::Texts(texts) => texts,
            _ => panic!("{} is not a list of texts", row.keyword),
        }
    }

    /// Returns its name for people: the object's name; for a subscription, the text that names it, if there
    /// is one.
    pub fn shown_name(&self) -> &str {
        let text = match self.object_type {
            ObjectType::Subscription => self.stored_text(MQCACF_SUB_NAME),
            ObjectType::ChannelRule => self.stored_text(MQCACF_OBJECT_NAME),
            _ => None,
        };
        text.unwrap_or_else(|| self.name.as_str())
    }

    /// A stored text that differs from its default.
    fn stored_text(&self, identifier: i32) -> Option<&str> {
        self.values.text(self.row(identifier).number()?)
    }

    /// The stored attributes that differ from their defaults.
    pub fn changed(&self) -> impl Iterator<Item = (&'static Attribute, Value)> {
        self.values.iter().filter_map(|(number, value)| {
            attributes::by_number(self.object_type, number).map(|row| (row, value))
        })
    }

    /// Returns the settings that would make another definition of this one; none when they say the same. Of
    /// secrets it says nothing.
    pub fn differences(&self, wanted: &Self) -> Option<Vec<Setting>> {
        let settings: Vec<Setting> = attributes::stored(wanted.object_type)
            .filter(|row| row.is_settable() && !row.is_secret && self.stored(row) != wanted.stored(row))
            .map(|attribute| Setting { attribute, value: wanted.stored(attribute) })
            .collect();
        (!settings.is_empty()).then_some(settings)
    }

    /// The command that makes this object, with what differs from the defaults.
    pub fn to_mqsc(&self) -> String {
        let mut text = match self.object_type {
            ObjectType::QueueManager => "ALTER QMGR".to_owned(),
            ObjectType::ChannelRule => return self.rule_to_mqsc(),
            object_type => {
                let mut text = format!("DEFINE {}({})", object_type.keyword(), quoted(self.shown_name()));
                if let (Some(selector), Some(word)) = (object_type.family().selector(), object_type.subtype())
                {
                    text.push_str(&format!(" {selector}({word})"));
                }
                text
            }
        };
        for (attribute, value) in self.changed().filter(|(row, _)| row.is_settable()) {
            text.push(' ');
            value.write_mqsc(attribute, &mut text);
        }
        text
    }

    /// CAPEXPRY of a queue or a topic, its own or else that in CUSTOM: tenths of a second, or the number of
    /// one of its words.
    #[must_use]
    pub fn expiry_max(&self) -> i32 {
        self.number_in_effect(MQIA_CAP_EXPIRY)
    }

    /// SYNCREQ(YES) of a queue that holds messages, its own or else that in CUSTOM.
    #[must_use]
    pub fn requires_unit(&self) -> bool {
        self.number_in_effect(SYNCPOINT_REQUIRED) == 1
    }

    /// QUOTA of a queue that holds messages in kilobytes, its own or else that in CUSTOM; none for NOLIMIT.
    #[must_use]
    pub fn quota(&self) -> Option<u32> {
        u32::try_from(self.number_in_effect(QUEUE_QUOTA)).ok()
    }

    /// FULLACT(HOLD) of a queue that holds messages, its own or else that in CUSTOM.
    #[must_use]
    pub fn holds_puts(&self) -> bool {
        self.number_in_effect(FULL_ACTION) == attributes::FULL_ACTION_HOLD
    }

    /// A number that CUSTOM may give too: the attribute itself or, where that was left as it is, the number
    /// in CUSTOM.
    ///
    /// # Panics
    /// When objects of this type have no such number.
    #[must_use]
    pub fn number_in_effect(&self, selector: i32) -> i32 {
        let row = self.row(selector);
        let own = self.integer(selector);
        if self.stored(row) != row.default_value() {
            return own;
        }
        let in_custom = custom::number(&self.text(MQCA_CUSTOM), row).ok().flatten();
        in_custom.unwrap_or(own)
    }

    fn row(&self, identifier: i32) -> &'static Attribute {
        let number = u16::try_from(identifier).ok().map(Number);
        number.and_then(|number| attributes::by_number(self.object_type, number)).unwrap_or_else(|| {
            panic!("{} has no stored attribute with number {identifier}", self.object_type.keyword())
        })
    }

    pub(crate) fn stored(&self, attribute: &Attribute) -> Value {
        let value = attribute.number().and_then(|number| self.values.get(number));
        value.unwrap_or_else(|| attribute.default_value())
    }

    fn keep(&mut self, row: &Attribute, value: Value) {
        let number = row.number().expect("a stored attribute has a number");
        if value == row.default_value() { self.values.remove(number) } else { self.values.set(number, value) }
    }
}
