//! Native fields of a descriptor, and the descriptor that native fields give.
//!
//! Always: the second is what a foreign message without headers of ours becomes. The way out compares it with
//! the descriptor it started from, and writes a header for each field that differs.

use bytes::Bytes;
use formats::properties::amqp::address::{Address, of_queue};
use mqi::message_descriptor::{MessageDescriptor, put_milliseconds};
use mqi::properties::bytes_from_hex;
use mqi::properties::identifier::{of_binary, of_string};
use mqi::{CorrelationId, Expiry, MessageId, Persistence, Priority, Text, constants};

use super::form::{Form, Resolution, Traits};
use super::message::{Identifier, NativeFields, Trail};

/// UTF-8.
pub(super) const UTF_8: i32 = 1208;

/// The type of text in UTF-8.
const TEXT: &str = "text/plain; charset=utf-8";
/// The type of other bodies.
const BYTES: &str = "application/octet-stream";

/// Longest address for an answer in a native field, in bytes.
const REPLY_TO_BYTES_MAX: usize = 255;

/// The native fields of a descriptor. `is_text` says that the body is text in UTF-8.
pub(super) fn of_descriptor(
    descriptor: &MessageDescriptor,
    trail: &Trail,
    form: Form,
    is_text: bool,
) -> NativeFields {
    let traits = form.traits();
    let identifier = |bytes: &[u8; 24]| {
        let is_there = traits.has_identifiers && *bytes != [0; 24];
        is_there.then(|| identifier(bytes, &traits))
    };
    let priority = u8::try_from(descriptor.priority.code()).ok().filter(|level| *level <= 9);
    let lifetime = || {
        let tenths = descriptor.expiry.limit()?;
        let most = traits.lifetime_max?;
        Some((u64::from(tenths) * 100).min(most) as i64)
    };
    let created = || {
        let milliseconds = put_milliseconds(descriptor.put_date.as_bytes(), descriptor.put_time.as_bytes())?;
        match traits.created {
            Resolution::None => None,
            Resolution::Milliseconds => Some(milliseconds),
            Resolution::Seconds => Some(milliseconds.div_euclid(1000) * 1000),
        }
    };
    NativeFields {
        message_id: identifier(&descriptor.message_id.0),
        correlation_id: identifier(&descriptor.correlation_id.0),
        reply_to: traits.has_reply_to.then(|| reply_to(descriptor, trail)).flatten(),
        is_durable: match descriptor.persistence {
            Persistence::Persistent => Some(true),
            Persistence::NotPersistent => Some(false),
            Persistence::AsQueueDefault => None,
        }
        .filter(|_| traits.has_durability),
        priority: priority.filter(|_| traits.has_priority),
        lifetime: lifetime(),
        created: created(),
        content_type: traits.has_content_type.then(|| if is_text { TEXT } else { BYTES }.to_owned()),
    }
}

fn identifier(bytes: &[u8; 24], traits: &Traits) -> Identifier {
    if traits.is_binary_identifier {
        Identifier::Bytes(Bytes::copy_from_slice(bytes))
    } else {
        Identifier::Text(MessageId(*bytes).to_string())
    }
}

/// The address for an answer: a name, or an address with the queue manager.
fn reply_to(descriptor: &MessageDescriptor, trail: &Trail) -> Option<String> {
    let (queue, manager) = (&descriptor.reply_to_queue, &descriptor.reply_to_queue_manager);
    let (address, is_long) = match (&trail.reply_to, queue.is_blank(), manager.is_blank()) {
        (Some(address), ..) => (address.clone(), true),
        (None, true, true) => return None,
        (None, false, true) => (queue.as_str().to_owned(), false),
        _ => (of_queue(queue.as_str(), manager.as_str()), false),
    };
    let is_address = address.len() <= REPLY_TO_BYTES_MAX && !address.chars().any(char::is_control);
    // What comes back in another field is no address for this one.
    let comes_back = take_reply_to(&mut MessageDescriptor::default(), &address).is_some() == is_long;
    (is_address && comes_back).then_some(address)
}

/// The descriptor that native fields give, with the rest of an address that is too long for it.
pub(super) fn to_descriptor(
    native: &NativeFields,
    declared: Option<bool>,
    body: &[u8],
) -> (MessageDescriptor, Option<String>) {
    let mut descriptor =
        MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
    if let Some(identifier) = &native.message_id {
        descriptor.message_id = MessageId(bytes_of(identifier));
    }
    if let Some(identifier) = &native.correlation_id {
        descriptor.correlation_id = CorrelationId(bytes_of(identifier));
    }
    let rest = native.reply_to.as_deref().and_then(|address| take_reply_to(&mut descriptor, address));
    if native.is_durable == Some(false) {
        descriptor.persistence = Persistence::NotPersistent;
    }
    if let Some(level) = native.priority {
        descriptor.priority = Priority::new(level.min(9));
    }
    if let Some(milliseconds) = native.lifetime {
        descriptor.expiry = expiry_of(milliseconds);
    }
    if let Some((date, time)) = native.created.and_then(put_moment) {
        (descriptor.put_date, descriptor.put_time) = (date, time);
    }
    let says_text = native.content_type.as_deref().is_some_and(is_text_type);
    if declared.unwrap_or(says_text) && std::str::from_utf8(body).is_ok() {
        descriptor.format = Text::truncated(constants::MQFMT_STRING.trim_end());
        descriptor.coded_character_set = UTF_8;
    }
    (descriptor, rest)
}

/// Returns true for a type of text in UTF-8, or of one that does not say.
fn is_text_type(said: &str) -> bool {
    let said = said.to_ascii_lowercase();
    let charset = said.split_once("charset=").map(|(_, set)| set.trim_matches(['"', ' ']));
    let is_text = said.starts_with("text/")
        || said.starts_with("application/json")
        || said.starts_with("application/xml");
    is_text && charset.is_none_or(|set| matches!(set, "utf-8" | "utf8" | "us-ascii"))
}

/// The 24 bytes of an identifier. The one that 24 bytes were written as gives them back.
fn bytes_of(identifier: &Identifier) -> [u8; 24] {
    match identifier {
        Identifier::Bytes(bytes) => <[u8; 24]>::try_from(&bytes[..]).unwrap_or_else(|_| of_binary(bytes)),
        Identifier::Text(text) => {
            let written = bytes_from_hex(text).and_then(|bytes| <[u8; 24]>::try_from(bytes).ok());
            written.filter(|bytes| MessageId(*bytes).to_string() == *text).unwrap_or_else(|| of_string(text))
        }
    }
}

/// Puts an address into the descriptor. Returns it where it does not fit.
fn take_reply_to(descriptor: &mut MessageDescriptor, address: &str) -> Option<String> {
    let (queue, manager) = match Address::of(address) {
        Address::Queue { manager, name, is_bare: false } => (name, manager),
        _ => (address, ""),
    };
    let parts: (Result<Text<48>, _>, Result<Text<48>, _>) = (queue.parse(), manager.parse());
    match parts {
        (Ok(queue), Ok(manager)) => {
            (descriptor.reply_to_queue, descriptor.reply_to_queue_manager) = (queue.into(), manager.into());
            None
        }
        _ => Some(address.to_owned()),
    }
}

/// The expiry of a time to live: at least a tenth of a second.
pub(super) fn expiry_of(milliseconds: i64) -> Expiry {
    let tenths = milliseconds.max(1).unsigned_abs().div_ceil(100);
    Expiry::tenths(u32::try_from(tenths).unwrap_or(u32::MAX))
}

/// Date and time of a put, `YYYYMMDD` and `HHMMSSTH`; none outside the years 0 to 9999.
fn put_moment(milliseconds: i64) -> Option<(Text<8>, Text<8>)> {
    let (days, within) = (milliseconds.div_euclid(86_400_000), milliseconds.rem_euclid(86_400_000));
    // The civil calendar in years that begin in March.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    if !(0..=9999).contains(&year) {
        return None;
    }
    let hundredths = within / 10;
    let (seconds, hundredths) = (hundredths / 100, hundredths % 100);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let date = Text::truncated(&format!("{year:04}{month:02}{day:02}"));
    Some((date, Text::truncated(&format!("{hour:02}{minute:02}{second:02}{hundredths:02}"))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_time_to_live_of_nothing_is_a_tenth_and_a_long_one_has_no_end() {
        for (milliseconds, expected) in [(-5, 1), (0, 1), (1, 1), (100, 1), (101, 2), (i64::MAX, -1)] {
            assert_eq!(expiry_of(milliseconds).code(), expected, "{milliseconds}");
        }
    }

    #[test]
    fn text_is_what_is_declared_and_valid() {
        for (said, expected) in [
            ("text/plain", true),
            ("TEXT/plain; charset=UTF-8", true),
            ("text/plain; charset=\"utf-8\"", true),
            ("application/json", true),
            ("text/plain; charset=iso-8859-1", false),
            ("application/octet-stream", false),
            ("", false),
        ] {
            let native = NativeFields { content_type: Some(said.to_owned()), ..NativeFields::default() };
            let (descriptor, _) = to_descriptor(&native, None, b"a");
            assert_eq!(descriptor.format.as_str() == "MQSTR", expected, "{said}");
            let (descriptor, _) = to_descriptor(&native, None, &[0xFF]);
            assert!(descriptor.format.is_blank(), "{said}: bytes that are no UTF-8 have no format");
        }
    }

    proptest! {
        #[test]
        fn a_moment_is_the_inverse_of_its_milliseconds(hundredths in -6_216_721_920_000_i64..25_340_230_080_000) {
            let (date, time) = put_moment(hundredths * 10).unwrap();
            prop_assert_eq!(put_milliseconds(date.as_bytes(), time.as_bytes()), Some(hundredths * 10));
        }
    }
}
