//! Reading calls about subscriptions.

use mqi::{
    AccountingToken, CloseOptions, CorrelationId, Expiry, RequestOptions, SubscribeOptions,
    SubscriptionDescriptor, constants,
};

use super::{Call, Word, Words};
use crate::fields::{self, identifier};

pub(super) fn subscribe(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let topic = words.plain("a topic string")?;
    let mut descriptor = SubscriptionDescriptor::to(topic, SubscribeOptions::EMPTY);
    name.as_str().clone_into(&mut descriptor.name);
    let mut into = None;
    while let Some(word) = words.next() {
        match word {
            Word::Plain("create") => descriptor.options |= SubscribeOptions::CREATE,
            Word::Plain("resume") => descriptor.options |= SubscribeOptions::RESUME,
            Word::Plain("alter") => descriptor.options |= SubscribeOptions::ALTER,
            Word::Plain("durable") => descriptor.options |= SubscribeOptions::DURABLE,
            Word::Plain("managed") => descriptor.options |= SubscribeOptions::MANAGED,
            Word::Plain("into") => into = Some(words.name()?),
            Word::Plain("topic") => descriptor.object_name = words.name()?,
            Word::Plain("name") => words.plain("a name")?.clone_into(&mut descriptor.name),
            Word::Plain("user-data") => words.plain("user data")?.clone_into(&mut descriptor.user_data),
            Word::Plain("selector") => {
                words.plain("a selector")?.clone_into(&mut descriptor.selection_string);
            }
            Word::Plain("level") => descriptor.level = words.number("a level")?,
            Word::Plain("priority") => {
                descriptor.priority = fields::number(words.plain("a priority")?)?;
            }
            Word::Plain("expiry") => {
                let tenths = words.duration("an expiry")?.as_millis() / 100;
                descriptor.expiry = Expiry::tenths(u32::try_from(tenths).map_err(|error| error.to_string())?);
            }
            Word::Plain("correlation-id") => {
                descriptor.correlation_id =
                    CorrelationId::from_bytes(identifier(words.plain("a correlation identifier")?)?);
            }
            Word::Plain("token") => {
                descriptor.accounting_token =
                    AccountingToken::from_bytes(identifier(words.plain("an accounting token")?)?);
            }
            Word::Plain("identity-data") => {
                let data = words.plain("identity data")?;
                descriptor.application_identity_data =
                    data.parse().map_err(|error| format!("{data}: {error}"))?;
            }
            Word::Plain(word) if word.starts_with('+') => match fields::option(&word[1..])? {
                ("MQSO", bits) => descriptor.options |= SubscribeOptions::from_bits(bits),
                _ => return Err(format!("a subscribe does not know {word}")),
            },
            other => return Err(format!("a subscribe does not know {other:?}")),
        }
    }
    Ok(Call::Subscribe { name, descriptor: Box::new(descriptor), into })
}

pub(super) fn unsubscribe(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut options = CloseOptions::EMPTY;
    while let Some(word) = words.next() {
        options |= match word {
            Word::Plain("keep") => CloseOptions::KEEP_SUB,
            Word::Plain("remove") => CloseOptions::REMOVE_SUB,
            Word::Plain(word) if word.starts_with("+MQCO_") => {
                CloseOptions::from_bits(fields::option(&word[1..])?.1)
            }
            other => return Err(format!("an unsubscribe does not know {other:?}")),
        };
    }
    Ok(Call::Unsubscribe { name, options })
}

pub(super) fn request(mut words: Words<'_>) -> Result<Call, String> {
    let name = words.name()?;
    let mut action = constants::MQSR_ACTION_PUBLICATION;
    let mut options = RequestOptions::EMPTY;
    while let Some(word) = words.next() {
        match word {
            Word::Plain("action") => action = fields::number(words.plain("an action")?)?,
            Word::Plain(word) if word.starts_with("+MQSRO_") => {
                options |= RequestOptions::from_bits(fields::option(&word[1..])?.1);
            }
            other => return Err(format!("a request does not know {other:?}")),
        }
    }
    Ok(Call::Request { name, action, options })
}
