//! The descriptor of a logged message as bytes.
//!
//! ```text
//! version u8 = 1 | present u32, a bit for each field that is not at its default, and two of its own |
//! the present fields, in order
//! a number: i32 | a text or name: length u8, bytes | the accounting token: 32 bytes
//! ```
//!
//! The bits 30 and 31 of `present` stand for no field: the rights of the reports about the message
//! (`report_rights`). Releases before them pass them over.
//!
//! Integers are little-endian. What the record's head says (identifiers, expiry) and what the queue keeps (backout
//! count, persistence) is not repeated.

use std::num::NonZeroU32;

use mqi::message_descriptor::put_milliseconds;
use mqi::{
    AccountingToken, Encoding, Feedback, MessageDescriptor, MessageFlags, MessageType, Persistence, Priority,
    PutApplicationType, ReportOptions, Text,
};

use super::report_rights::ReportRights;

const VERSION: u8 = 1;

/// An encoded descriptor. In a box, because it is handed on several times.
pub(crate) type Encoded = Box<[u8]>;

/// Most bytes of one: the version and the mask, eleven numbers, the token, and nine texts at their longest with their lengths.
const ENCODED_BYTES_MAX: usize = 5 + 11 * 4 + 32 + (8 + 48 + 48 + 12 + 32 + 28 + 8 + 8 + 4) + 9;

/// Why bytes are not a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The version is none that is known.
    #[error("the descriptor has format version {0}; this release reads version {VERSION}")]
    Version(u8),
    /// It ends before its last field.
    #[error("the descriptor ends in the middle of field {0}")]
    Truncated(u32),
    /// A field has a value that it cannot have.
    #[error("field {0} of the descriptor has a value it does not take")]
    Value(u32),
    /// Bytes follow the last field.
    #[error("{0} bytes follow the descriptor")]
    Excess(usize),
}

/// The place of the rights of reports in the mask.
const RIGHTS_AT: u32 = 30;

/// Writes the descriptor of a message, with the rights of the reports about it.
pub fn encode(descriptor: &MessageDescriptor, rights: ReportRights) -> Encoded {
    let mut writer = Writer { bytes: [0; ENCODED_BYTES_MAX], length: 5, present: 0, field: 0 };
    let default = MessageDescriptor::default();
    writer.number(descriptor.report.bits(), default.report.bits());
    writer.number(descriptor.message_type.code(), default.message_type.code());
    writer.number(descriptor.feedback.code(), default.feedback.code());
    writer.number(descriptor.encoding.code(), default.encoding.code());
    writer.number(descriptor.coded_character_set, default.coded_character_set);
    writer.text(descriptor.format.as_bytes());
    writer.number(descriptor.priority.code(), default.priority.code());
    writer.text(descriptor.reply_to_queue.as_bytes());
    writer.text(descriptor.reply_to_queue_manager.as_bytes());
    writer.text(descriptor.user_identifier.as_bytes());
    writer.fixed(&descriptor.accounting_token.0);
    writer.text(descriptor.application_identity_data.as_bytes());
    writer.number(descriptor.put_application_type.code(), default.put_application_type.code());
    writer.text(descriptor.put_application_name.as_bytes());
    writer.text(descriptor.put_date.as_bytes());
    writer.text(descriptor.put_time.as_bytes());
    writer.text(descriptor.application_origin_data.as_bytes());
    writer.number(descriptor.message_sequence_number, default.message_sequence_number);
    writer.number(descriptor.offset, default.offset);
    writer.number(descriptor.message_flags.bits(), default.message_flags.bits());
    writer.number(descriptor.original_length, default.original_length);
    writer.bytes[0] = VERSION;
    let present = writer.present | u32::from(rights.bits()) << RIGHTS_AT;
    writer.bytes[1..5].copy_from_slice(&present.to_le_bytes());
    writer.bytes[..writer.length].into()
}

/// Reads a descriptor, and the rights of the reports about its message; what is not in these bytes is left at
/// its default.
pub fn decode(bytes: &[u8]) -> Result<(MessageDescriptor, ReportRights), DecodeError> {
    let (&version, rest) = bytes.split_first().ok_or(DecodeError::Truncated(0))?;
    if version != VERSION {
        return Err(DecodeError::Version(version));
    }
    let (present, rest) = rest.split_first_chunk().ok_or(DecodeError::Truncated(0))?;
    let present = u32::from_le_bytes(*present);
    let rights = ReportRights::from_bits((present >> RIGHTS_AT) as u8);
    let mut reader = Reader { rest, present, field: 0 };
    let mut descriptor = MessageDescriptor { persistence: Persistence::Persistent, ..Default::default() };
    reader.number(|value| descriptor.report = ReportOptions::from_bits(value))?;
    reader.number(|value| descriptor.message_type = MessageType(value))?;
    reader.number(|value| descriptor.feedback = Feedback(value))?;
    reader.number(|value| descriptor.encoding = Encoding(value))?;
    reader.number(|value| descriptor.coded_character_set = value)?;
    reader.text(|text| descriptor.format = Text::from_padded(text))?;
    let mut priority = descriptor.priority.code();
    reader.number(|value| priority = value)?;
    descriptor.priority = Priority::from_code(priority).map_err(|_| DecodeError::Value(reader.field))?;
    reader.text(|text| descriptor.reply_to_queue = Text::from_padded(text).into())?;
    reader.text(|text| descriptor.reply_to_queue_manager = Text::from_padded(text).into())?;
    reader.text(|text| descriptor.user_identifier = Text::from_padded(text))?;
    reader.fixed(|token| descriptor.accounting_token = AccountingToken(token))?;
    reader.text(|text| descriptor.application_identity_data = Text::from_padded(text).into())?;
    reader.number(|value| descriptor.put_application_type = PutApplicationType(value))?;
    reader.text(|text| descriptor.put_application_name = Text::from_padded(text))?;
    reader.text(|text| descriptor.put_date = Text::from_padded(text))?;
    reader.text(|text| descriptor.put_time = Text::from_padded(text))?;
    reader.text(|text| descriptor.application_origin_data = Text::from_padded(text))?;
    reader.number(|value| descriptor.message_sequence_number = value)?;
    reader.number(|value| descriptor.offset = value)?;
    reader.number(|value| descriptor.message_flags = MessageFlags::from_bits(value))?;
    reader.number(|value| descriptor.original_length = value)?;
    if reader.rest.is_empty() {
        Ok((descriptor, rights))
    } else {
        Err(DecodeError::Excess(reader.rest.len()))
    }
}

/// The second of the put, counted from 1970, that an encoded descriptor has; none where a program set its
/// context to no time, or to one before that. Reads no more than it needs: a start does this for every
/// message of the log.
pub fn put_second(bytes: &[u8]) -> Option<NonZeroU32> {
    let (_, rest) = bytes.split_first().filter(|(version, _)| **version == VERSION)?;
    let (present, rest) = rest.split_first_chunk()?;
    let mut reader = Reader { rest, present: u32::from_le_bytes(*present), field: 0 };
    // Report, type, feedback, encoding, character set.
    for _ in 0..5 {
        reader.number(|_| ()).ok()?;
    }
    // Format, priority, reply queue and its queue manager, user, token, application's identity.
    reader.text(|_| ()).ok()?;
    reader.number(|_| ()).ok()?;
    for _ in 0..3 {
        reader.text(|_| ()).ok()?;
    }
    reader.fixed(|_| ()).ok()?;
    reader.text(|_| ()).ok()?;
    // The kind of the putter, and its name.
    reader.number(|_| ()).ok()?;
    reader.text(|_| ()).ok()?;
    let (mut date, mut time): (&[u8], &[u8]) = (&[], &[]);
    reader.text(|text| date = text).ok()?;
    reader.text(|text| time = text).ok()?;
    let milliseconds = put_milliseconds(date, time)?;
    NonZeroU32::new(u32::try_from(milliseconds / 1000).ok()?)
}

/// Fills an array that holds any descriptor: a list that grows is asked for room at each field.
struct Writer {
    bytes: [u8; ENCODED_BYTES_MAX],
    length: usize,
    present: u32,
    field: u32,
}

impl Writer {
    fn mark(&mut self, differs: bool) -> bool {
        self.present |= u32::from(differs) << self.field;
        self.field += 1;
        differs
    }

    fn number(&mut self, value: i32, default: i32) {
        if self.mark(value != default) {
            self.put(&value.to_le_bytes());
        }
    }

    fn text(&mut self, text: &[u8]) {
        if self.mark(!text.is_empty()) {
            self.put(&[text.len() as u8]);
            self.put(text);
        }
    }

    fn fixed(&mut self, bytes: &[u8; 32]) {
        if self.mark(*bytes != [0; 32]) {
            self.put(bytes);
        }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.length..][..bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

struct Reader<'a> {
    rest: &'a [u8],
    present: u32,
    field: u32,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> bool {
        self.field += 1;
        self.present & (1 << (self.field - 1)) != 0
    }

    fn number(&mut self, set: impl FnOnce(i32)) -> Result<(), DecodeError> {
        if self.next() {
            let (bytes, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Truncated(self.field))?;
            self.rest = rest;
            set(i32::from_le_bytes(*bytes));
        }
        Ok(())
    }

    fn text(&mut self, set: impl FnOnce(&'a [u8])) -> Result<(), DecodeError> {
        if self.next() {
            let (&length, rest) = self.rest.split_first().ok_or(DecodeError::Truncated(self.field))?;
            let (text, rest) =
                rest.split_at_checked(usize::from(length)).ok_or(DecodeError::Truncated(self.field))?;
            self.rest = rest;
            set(text);
        }
        Ok(())
    }

    fn fixed(&mut self, set: impl FnOnce([u8; 32])) -> Result<(), DecodeError> {
        if self.next() {
            let (bytes, rest) = self.rest.split_first_chunk().ok_or(DecodeError::Truncated(self.field))?;
            self.rest = rest;
            set(*bytes);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::{DecodeError, ENCODED_BYTES_MAX, Encoded, ReportRights, put_second};
    use mqi::{
        Encoding, Feedback, MessageDescriptor, MessageFlags, MessageType, Persistence, Priority,
        PutApplicationType, ReportOptions, Text,
    };

    fn encode(descriptor: &MessageDescriptor) -> Encoded {
        super::encode(descriptor, ReportRights::OF_USER)
    }

    fn decode(bytes: &[u8]) -> Result<MessageDescriptor, DecodeError> {
        super::decode(bytes).map(|(descriptor, rights)| {
            assert_eq!(rights, ReportRights::OF_USER);
            descriptor
        })
    }

    #[test]
    fn the_second_of_the_put_is_read_from_among_any_fields() {
        let second = NonZeroU32::new(1_795_255_240);
        let plain =
            MessageDescriptor { put_date: full().put_date, put_time: full().put_time, ..Default::default() };
        for descriptor in [full(), longest_fields(), plain] {
            let dated = MessageDescriptor {
                put_date: Text::truncated("20261121"),
                put_time: Text::truncated("10004070"),
                ..descriptor
            };
            assert_eq!(put_second(&encode(&dated)), second, "{dated:?}");
            for (date, time) in
                [("", ""), ("20261121", ""), ("", "10004070"), ("19691231", "10004070"), ("x", "y")]
            {
                let dated = MessageDescriptor {
                    put_date: Text::truncated(date),
                    put_time: Text::truncated(time),
                    ..dated.clone()
                };
                assert_eq!(put_second(&encode(&dated)), None, "{date} {time}");
            }
            let bytes = encode(&dated);
            for length in 0..bytes.len() {
                let found = put_second(&bytes[..length]);
                assert!(found.is_none() || found == second, "{length} bytes");
            }
        }
        assert_eq!(put_second(&[2, 0xFF, 0xFF, 0xFF, 0xFF]), None, "of another version");
    }

    #[test]
    fn the_rights_of_reports_are_kept_in_two_bits_that_stand_for_no_field() {
        for (rights, mask) in
            [(ReportRights::OF_USER, 0), (ReportRights::OF_ADMINISTRATOR, 0x40), (ReportRights::NONE, 0x80)]
        {
            let bytes = super::encode(&full(), rights);
            assert_eq!(super::decode(&bytes), Ok((full(), rights)));
            // The mask is behind the version, its last byte has the bits of no field.
            assert_eq!(bytes[4], mask, "{rights:?}");
            let mut earlier = bytes.clone();
            earlier[4] = 0;
            assert_eq!(earlier, encode(&full()), "nothing else differs from earlier releases");
        }
        assert_eq!(ReportRights::from_bits(0xFC), ReportRights::OF_USER);
    }

    fn full() -> MessageDescriptor {
        MessageDescriptor {
            message_type: MessageType::REQUEST,
            priority: Priority::new(12),
            persistence: Persistence::Persistent,
            format: Text::truncated("MQSTR"),
            reply_to_queue: "REPLY.1".parse().expect("a name"),
            reply_to_queue_manager: "QM1".parse().expect("a name"),
            accounting_token: mqi::AccountingToken([7; 32]),
            put_date: Text::truncated("20261121"),
            put_time: Text::truncated("10203040"),
            offset: 77,
            ..Default::default()
        }
    }

    #[test]
    fn a_descriptor_reads_back_as_it_was_written() {
        let defaults = MessageDescriptor { persistence: Persistence::Persistent, ..Default::default() };
        for descriptor in [full(), defaults] {
            assert_eq!(decode(&encode(&descriptor)), Ok(descriptor));
        }
    }

    fn longest_fields() -> MessageDescriptor {
        fn longest<const N: usize>() -> Text<N> {
            Text::truncated(&"x".repeat(N))
        }
        let name = "N".repeat(48);
        MessageDescriptor {
            report: ReportOptions::COA,
            feedback: Feedback(1),
            encoding: Encoding(1),
            coded_character_set: 1,
            format: longest(),
            reply_to_queue: name.parse().expect("a name"),
            reply_to_queue_manager: name.parse().expect("a name"),
            user_identifier: longest(),
            application_identity_data: longest().into(),
            put_application_type: PutApplicationType(1),
            put_application_name: longest(),
            put_date: longest(),
            put_time: longest(),
            application_origin_data: longest(),
            message_sequence_number: 2,
            message_flags: MessageFlags::from_bits(1),
            original_length: 1,
            ..full()
        }
    }

    #[test]
    fn the_longest_descriptor_has_room() {
        let descriptor = longest_fields();
        let bytes = encode(&descriptor);
        assert_eq!(bytes.len(), ENCODED_BYTES_MAX);
        assert_eq!(decode(&bytes), Ok(descriptor));
    }

    #[test]
    fn cut_or_altered_bytes_are_an_error_and_never_a_panic() {
        let bytes = encode(&full());
        for length in 0..bytes.len() {
            assert!(decode(&bytes[..length]).is_err(), "cut to {length} bytes");
        }
        let mut longer = bytes.to_vec();
        longer.push(0);
        assert_eq!(decode(&longer), Err(DecodeError::Excess(1)));
        for index in 0..bytes.len() {
            let mut altered = bytes.clone();
            altered[index] ^= 0x5A;
            let _ = super::decode(&altered);
        }
    }
}
