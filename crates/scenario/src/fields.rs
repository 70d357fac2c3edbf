//! Options and descriptor fields under the names C programs know them by, so that a scenario can say anything
//! the interface can.
//!
//! | words | meaning |
//! |---|---|
//! | `+MQGMO_LOCK` | the option, in the set its prefix names: `MQOO_` `MQPMO_` `MQGMO_` `MQMO_` `MQCO_` `MQSO_` `MQSRO_`, `MQRO_` for reports asked for, `MQMF_` for message flags |
//! | `+MQGMO_0x8` | the same by number, also one that has no name |
//! | `md.Feedback MQFB_COA` | the field of the descriptor; a number by name or digits, an identifier as text or 48 hexadecimal digits |
//! | `md.MsgId some` | in a result: anything but none |

use std::time::Duration;

use mqi::constants::number_of;
use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, Persistence, Priority, PutApplicationType, ReportOptions, Text,
};

/// An option by name: its prefix and its bits.
pub(super) fn option(word: &str) -> Result<(&str, i32), String> {
    let (prefix, rest) = word.split_once('_').ok_or_else(|| format!("not an option: {word}"))?;
    let bits = match rest.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok().map(u32::cast_signed),
        None => number_of(word),
    };
    Ok((prefix, bits.ok_or_else(|| format!("no such option: {word}"))?))
}

/// A number: digits, or the name of a constant.
pub(super) fn number(word: &str) -> Result<i32, String> {
    word.parse().ok().or_else(|| number_of(word)).ok_or_else(|| format!("not a number: {word}"))
}

/// An identifier: hexadecimal digits for all of it, or a text padded with zeros.
pub(super) fn identifier<const N: usize>(text: &str) -> Result<[u8; N], String> {
    let mut bytes = [0; N];
    if text.len() == 2 * N && text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).expect("two hexadecimal digits");
        }
        return Ok(bytes);
    }
    let place = bytes.get_mut(..text.len()).ok_or_else(|| format!("an identifier has at most {N} bytes"))?;
    place.copy_from_slice(text.as_bytes());
    Ok(bytes)
}

/// Gives a field of the descriptor the value of a word.
pub(super) fn set(descriptor: &mut MessageDescriptor, field: &str, word: &str) -> Result<(), String> {
    fn text<const N: usize>(word: &str) -> Result<Text<N>, String> {
        word.parse().map_err(|error| format!("{word}: {error}"))
    }
    let refused = |reason: mqi::Reason| format!("{field} {word}: {reason}");
    match field {
        "Report" => descriptor.report = ReportOptions::from_bits(number(word)?),
        "MsgType" => descriptor.message_type = MessageType(number(word)?),
        "Expiry" => descriptor.expiry = Expiry::from_code(number(word)?).map_err(refused)?,
        "Feedback" => descriptor.feedback = Feedback(number(word)?),
        "Encoding" => descriptor.encoding = Encoding(number(word)?),
        "CodedCharSetId" => descriptor.coded_character_set = number(word)?,
        "Format" => descriptor.format = text(word)?,
        "Priority" => descriptor.priority = Priority::from_code(number(word)?).map_err(refused)?,
        "Persistence" => descriptor.persistence = Persistence::from_code(number(word)?).map_err(refused)?,
        "MsgId" => descriptor.message_id = MessageId::from_bytes(identifier(word)?),
        "CorrelId" => descriptor.correlation_id = CorrelationId::from_bytes(identifier(word)?),
        "BackoutCount" => descriptor.backout_count = number(word)?,
        "ReplyToQ" => descriptor.reply_to_queue = text::<48>(word)?.into(),
        "ReplyToQMgr" => descriptor.reply_to_queue_manager = text::<48>(word)?.into(),
        "UserIdentifier" => descriptor.user_identifier = text(word)?,
        "AccountingToken" => descriptor.accounting_token = AccountingToken::from_bytes(identifier(word)?),
        "ApplIdentityData" => descriptor.application_identity_data = text::<32>(word)?.into(),
        "PutApplType" => descriptor.put_application_type = PutApplicationType(number(word)?),
        "PutApplName" => descriptor.put_application_name = text(word)?,
        "PutDate" => descriptor.put_date = text(word)?,
        "PutTime" => descriptor.put_time = text(word)?,
        "ApplOriginData" => descriptor.application_origin_data = text(word)?,
        "GroupId" => descriptor.group_id = GroupId::from_bytes(identifier(word)?).into(),
        "MsgSeqNumber" => descriptor.message_sequence_number = number(word)?,
        "Offset" => descriptor.offset = number(word)?,
        "MsgFlags" => descriptor.message_flags = MessageFlags::from_bits(number(word)?),
        "OriginalLength" => descriptor.original_length = number(word)?,
        _ => return Err(format!("a descriptor has no field {field}")),
    }
    Ok(())
}

/// A field of the descriptor as text: numbers in digits, identifiers in hexadecimal.
pub(super) fn get(descriptor: &MessageDescriptor, field: &str) -> Result<String, String> {
    Ok(match field {
        "Report" => descriptor.report.bits().to_string(),
        "MsgType" => descriptor.message_type.code().to_string(),
        "Expiry" => descriptor.expiry.code().to_string(),
        "Feedback" => descriptor.feedback.code().to_string(),
        "Encoding" => descriptor.encoding.code().to_string(),
        "CodedCharSetId" => descriptor.coded_character_set.to_string(),
        "Format" => descriptor.format.to_string(),
        "Priority" => descriptor.priority.code().to_string(),
        "Persistence" => descriptor.persistence.code().to_string(),
        "MsgId" => descriptor.message_id.to_string(),
        "CorrelId" => descriptor.correlation_id.to_string(),
        "BackoutCount" => descriptor.backout_count.to_string(),
        "ReplyToQ" => descriptor.reply_to_queue.to_string(),
        "ReplyToQMgr" => descriptor.reply_to_queue_manager.to_string(),
        "UserIdentifier" => descriptor.user_identifier.to_string(),
        "AccountingToken" => descriptor.accounting_token.to_string(),
        "ApplIdentityData" => descriptor.application_identity_data.to_string(),
        "PutApplType" => descriptor.put_application_type.code().to_string(),
        "PutApplName" => descriptor.put_application_name.to_string(),
        "PutDate" => descriptor.put_date.to_string(),
        "PutTime" => descriptor.put_time.to_string(),
        "ApplOriginData" => descriptor.application_origin_data.to_string(),
        "GroupId" => descriptor.group_id.to_string(),
        "MsgSeqNumber" => descriptor.message_sequence_number.to_string(),
        "Offset" => descriptor.offset.to_string(),
        "MsgFlags" => descriptor.message_flags.bits().to_string(),
        "OriginalLength" => descriptor.original_length.to_string(),
        _ => return Err(format!("a descriptor has no field {field}")),
    })
}

/// Value that a scenario expects of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldExpected {
    field: String,
    /// As [`get`] writes it; nothing for "anything but none".
    value: Option<String>,
}

impl FieldExpected {
    /// Returns the value of another descriptor there.
    pub(super) fn of(descriptor: &MessageDescriptor, field: &str) -> Self {
        let value = get(descriptor, field).expect("a field of the descriptor");
        Self { field: field.to_owned(), value: Some(value) }
    }

    pub(super) fn parse(field: &str, word: &str) -> Result<Self, String> {
        let mut descriptor = MessageDescriptor::default();
        let value = if word == "some" {
            get(&descriptor, field)?;
            None
        } else {
            set(&mut descriptor, field, word)?;
            Some(get(&descriptor, field)?)
        };
        Ok(Self { field: field.to_owned(), value })
    }

    pub(super) fn agrees(&self, descriptor: &MessageDescriptor) -> bool {
        let found = get(descriptor, &self.field).expect("the field was known when the scenario was read");
        match &self.value {
            Some(value) => found == *value,
            None => !found.trim_matches('0').is_empty(),
        }
    }

    /// Takes less time for what was left to a message, by up to `late`, as if nothing had been late.
    pub(super) fn forgive(&self, descriptor: &mut MessageDescriptor, late: Duration) {
        let expected = self.value.as_deref().filter(|_| self.field == "Expiry");
        let (Some(expected), left) =
            (expected.and_then(|value| value.parse().ok()), descriptor.expiry.code())
        else {
            return;
        };
        let missing = u64::try_from(expected - left).map(|tenths| Duration::from_millis(100 * tenths));
        if left > 0 && missing.is_ok_and(|missing| missing <= late) {
            descriptor.expiry = Expiry::from_code(expected).expect("as it was read");
        }
    }

    /// The field and what the message has there.
    pub(super) fn found(&self, descriptor: &MessageDescriptor) -> String {
        let found = get(descriptor, &self.field).unwrap_or_default();
        format!("md.{} {found}", self.field)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{FieldExpected, option, set};
    use mqi::{Feedback, MessageDescriptor, constants};

    #[test]
    fn what_is_left_of_the_time_of_a_message_may_be_less_by_how_late_it_was() {
        let expected = FieldExpected::parse("Expiry", "30").unwrap();
        for (left, late, agrees) in [
            ("30", 0, true),
            ("29", 0, false),
            ("25", 500, true),
            ("24", 500, false),
            ("31", 500, false),
            ("-1", 9000, false),
        ] {
            let mut descriptor = MessageDescriptor::default();
            set(&mut descriptor, "Expiry", left).unwrap();
            expected.forgive(&mut descriptor, Duration::from_millis(late));
            assert_eq!(expected.agrees(&descriptor), agrees, "{left} after {late} ms");
        }
    }

    #[test]
    fn options_and_fields_go_by_their_names() {
        assert_eq!(option("MQGMO_LOCK"), Ok(("MQGMO", constants::MQGMO_LOCK)));
        assert_eq!(option("MQPMO_0x80000000"), Ok(("MQPMO", i32::MIN)));
        assert!(option("MQGMO_NO_SUCH").is_err());
        let mut descriptor = MessageDescriptor::default();
        set(&mut descriptor, "Feedback", "MQFB_COA").unwrap();
        set(&mut descriptor, "CorrelId", "a").unwrap();
        assert_eq!(descriptor.feedback, Feedback::COA);
        assert!(set(&mut descriptor, "NoSuchField", "1").is_err());
        for (field, word, agrees) in [
            ("Feedback", "259", true),
            ("Feedback", "MQFB_COD", false),
            ("CorrelId", "a", true),
            ("CorrelId", "some", true),
            ("MsgId", "some", false),
            ("Format", "", true),
        ] {
            let expected = FieldExpected::parse(field, word).unwrap();
            assert_eq!(expected.agrees(&descriptor), agrees, "{field} {word}");
        }
    }
}
