//! Descriptors, compactly: a mask of the fields that differ from their defaults, then those fields.
//!
//! A datagram with a format costs 13 bytes where the structure has 364. Numbers are written so that small
//! ones, negative ones too, take one byte.

use mqi::{
    AccountingToken, CorrelationId, Encoding, Expiry, Feedback, GroupId, MessageDescriptor, MessageFlags,
    MessageId, MessageType, ObjectDescriptor, ObjectType, Persistence, Priority, PutApplicationType, Reason,
    ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text,
};
use wire::Error;
use wire::fields::{Fields, number, put_long_text, put_number, put_short, put_u32};

/// A set of fields of the message descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldSet(u32);

impl FieldSet {
    /// No field.
    pub const NONE: Self = Self(0);
    /// Every field.
    pub const ALL: Self = Self((1 << FIELDS) - 1);

    /// Both together.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The fields in both.
    #[must_use]
    #[inline]
    pub(crate) const fn among(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The fields in this and not in the other.
    #[must_use]
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The fields that are written before a message's identifiers, which stand one behind the other.
    pub(crate) const BEFORE_IDENTIFIERS: Self = Self(Self::MESSAGE_ID.0 - 1);

    /// True if all of `other` is in here.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Fields that MQPUT fills in.
    pub const FILLED_BY_PUT: Self = Self::MESSAGE_ID
        .and(Self::CORRELATION_ID)
        .and(Self::PRIORITY)
        .and(Self::PERSISTENCE)
        .and(Self::BACKOUT_COUNT)
        .and(Self::REPLY_TO_QUEUE_MANAGER)
        .and(Self::USER_IDENTIFIER)
        .and(Self::ACCOUNTING_TOKEN)
        .and(Self::APPLICATION_IDENTITY_DATA)
        .and(Self::PUT_APPLICATION_TYPE)
        .and(Self::PUT_APPLICATION_NAME)
        .and(Self::PUT_DATE)
        .and(Self::PUT_TIME)
        .and(Self::APPLICATION_ORIGIN_DATA)
        .and(Self::GROUP_ID)
        .and(Self::MESSAGE_SEQUENCE_NUMBER)
        .and(Self::OFFSET)
        .and(Self::MESSAGE_FLAGS)
        .and(Self::ORIGINAL_LENGTH);

    /// Fields that MQGET reads.
    pub const READ_BY_GET: Self = Self::MESSAGE_ID
        .and(Self::CORRELATION_ID)
        .and(Self::GROUP_ID)
        .and(Self::MESSAGE_SEQUENCE_NUMBER)
        .and(Self::OFFSET)
        .and(Self::ENCODING)
        .and(Self::CODED_CHARACTER_SET);
}

/// Writes the descriptor's coder from one line for each field, in the order of the structure.
macro_rules! descriptor_fields {
    ($($constant:ident, $field:ident, |$fields:ident, $name:ident| $read:expr, |$out:ident, $value:ident| $write:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($constant,)* Count }

        const FIELDS: u32 = Place::Count as u32;

        impl FieldSet {
            $(
                #[doc = concat!("The field `", stringify!($field), "`.")]
                pub const $constant: Self = Self(1 << Place::$constant as u32);
            )*
        }

        /// Appends those fields of `descriptor` that are `among` the ones wanted and are not as by default.
        /// Returns where its message and correlation identifiers begin, or would if it had such.
        pub fn put_descriptor(out: &mut Vec<u8>, descriptor: &MessageDescriptor, among: FieldSet) -> usize {
            // Looked up once: each look asks whether it was made.
            let default: &MessageDescriptor = &DEFAULT;
            out.reserve(DESCRIPTOR_BYTES_MAX);
            let at = out.len();
            put_u32(out, 0);
            let mut mask = 0_u32;
            let mut identifiers_at = at;
            $(
                if FieldSet::$constant.0 == FieldSet::MESSAGE_ID.0 {
                    identifiers_at = out.len();
                }
                if among.contains(FieldSet::$constant) && descriptor.$field != default.$field {
                    mask |= FieldSet::$constant.0;
                    let ($out, $value) = (&mut *out, &descriptor.$field);
                    $write;
                }
            )*
            out[at..at + 4].copy_from_slice(&mask.to_le_bytes());
            identifiers_at
        }

        /// True if two descriptors agree in the fields of `among`.
        #[inline]
        pub(crate) fn are_equal(one: &MessageDescriptor, other: &MessageDescriptor, among: FieldSet) -> bool {
            $((!among.contains(FieldSet::$constant) || one.$field == other.$field))&&*
        }

        /// Copies those fields that are `among` the ones meant.
        pub fn copy_fields(from: &MessageDescriptor, to: &mut MessageDescriptor, among: FieldSet) {
            $(
                if among.contains(FieldSet::$constant) {
                    to.$field.clone_from(&from.$field);
                }
            )*
        }

        /// Reads the fields of `present` into `descriptor`; of those `among` the ones meant, what is absent
        /// becomes its default.
        pub(crate) fn take_fields(
            source: &mut Fields<'_>,
            present: FieldSet,
            descriptor: &mut MessageDescriptor,
            among: FieldSet,
        ) -> Result<(), Error> {
            let default: &MessageDescriptor = &DEFAULT;
            $(
                if present.contains(FieldSet::$constant) {
                    let $fields = &mut *source;
                    let $name = stringify!($field);
                    descriptor.$field = $read;
                } else if among.contains(FieldSet::$constant) {
                    descriptor.$field.clone_from(&default.$field);
                }
            )*
            Ok(())
        }
    };
}

/// Reads which fields of a descriptor are there.
pub(crate) fn take_present(source: &mut Fields<'_>) -> Result<FieldSet, Error> {
    let present = FieldSet(source.u32("descriptor fields")?);
    if !FieldSet::ALL.contains(present) {
        return Err(Error::Field { field: "descriptor fields", reason: Reason::MD_ERROR });
    }
    Ok(present)
}

/// Reads fields into `descriptor`; of those `among` the ones meant, what is absent becomes its default.
pub(crate) fn take_descriptor(
    source: &mut Fields<'_>,
    descriptor: &mut MessageDescriptor,
    among: FieldSet,
) -> Result<(), Error> {
    let present = take_present(source)?;
    take_fields(source, present, descriptor, among)
}

/// Returns the bytes that [`put_descriptor`] writes for all fields of descriptors that differ in their
/// correlation identifier alone, made from one of them, for [`put_written`] to write. Two bytes in front give
/// the place of the identifier.
#[must_use]
pub fn written(descriptor: &MessageDescriptor) -> Vec<u8> {
    let before = FieldSet::BEFORE_IDENTIFIERS.and(FieldSet::MESSAGE_ID);
    let mut bytes = Vec::new();
    put_descriptor(&mut bytes, descriptor, before);
    let at = bytes.len() as u16;
    bytes.clear();
    bytes.extend_from_slice(&at.to_le_bytes());
    // One that is not left out.
    let correlation_id = CorrelationId([u8::MAX; 24]);
    put_descriptor(&mut bytes, &MessageDescriptor { correlation_id, ..descriptor.clone() }, FieldSet::ALL);
    bytes
}

/// True if bytes have room for a correlation identifier where those of [`written`] do.
pub(crate) fn written_has_gap(written: &[u8]) -> bool {
    gap_of(written).is_some()
}

/// Where a correlation identifier goes in what was written, and the bytes of that.
fn gap_of(written: &[u8]) -> Option<(usize, &[u8])> {
    let (at, bytes) = written.split_first_chunk::<2>()?;
    let gap = usize::from(u16::from_le_bytes(*at));
    let has_room = bytes.len() >= gap + CorrelationId::NONE.0.len();
    has_room.then_some((gap, bytes))
}

/// Appends a descriptor of which all but the correlation identifier was written before.
///
/// # Panics
/// When the bytes are not those of [`written`].
pub fn put_written(out: &mut Vec<u8>, written: &[u8], correlation_id: &CorrelationId) {
    let (gap, bytes) = gap_of(written).expect("what was written has a gap for a correlation identifier");
    let gap = out.len() + gap;
    out.extend_from_slice(bytes);
    out[gap..gap + correlation_id.0.len()].copy_from_slice(&correlation_id.0);
}

/// Room for any descriptor: its structure's bytes, and a mask, lengths and long numbers besides.
pub(crate) const DESCRIPTOR_BYTES_MAX: usize = 512;

/// Values of absent fields.
static DEFAULT: std::sync::LazyLock<MessageDescriptor> = std::sync::LazyLock::new(MessageDescriptor::default);

descriptor_fields! {
    REPORT, report, |f, n| ReportOptions::from_bits(f.i32(n)?), |o, v| put_i32(o, v.bits());
    MESSAGE_TYPE, message_type, |f, n| MessageType(number(f, n)?), |o, v| put_number(o, v.code());
    EXPIRY, expiry, |f, n| valued(n, Expiry::from_code(number(f, n)?))?, |o, v| put_number(o, v.code());
    FEEDBACK, feedback, |f, n| Feedback(number(f, n)?), |o, v| put_number(o, v.code());
    ENCODING, encoding, |f, n| Encoding(number(f, n)?), |o, v| put_number(o, v.code());
    CODED_CHARACTER_SET, coded_character_set, |f, n| number(f, n)?, |o, v| put_number(o, *v);
    FORMAT, format, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    PRIORITY, priority, |f, n| valued(n, Priority::from_code(number(f, n)?))?, |o, v| put_number(o, v.code());
    PERSISTENCE, persistence, |f, n| valued(n, Persistence::from_code(number(f, n)?))?, |o, v| put_number(o, v.code());
    MESSAGE_ID, message_id, |f, n| MessageId(f.array(n)?), |o, v| o.extend_from_slice(v.as_bytes());
    CORRELATION_ID, correlation_id, |f, n| CorrelationId(f.array(n)?), |o, v| o.extend_from_slice(v.as_bytes());
    BACKOUT_COUNT, backout_count, |f, n| number(f, n)?, |o, v| put_number(o, *v);
    REPLY_TO_QUEUE, reply_to_queue, |f, n| f.fixed_text::<48>(n)?.into(), |o, v| put_short(o, v.as_bytes());
    REPLY_TO_QUEUE_MANAGER, reply_to_queue_manager, |f, n| f.fixed_text::<48>(n)?.into(), |o, v| put_short(o, v.as_bytes());
    USER_IDENTIFIER, user_identifier, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    ACCOUNTING_TOKEN, accounting_token, |f, n| AccountingToken(f.array(n)?), |o, v| o.extend_from_slice(v.as_bytes());
    APPLICATION_IDENTITY_DATA, application_identity_data, |f, n| f.fixed_text::<32>(n)?.into(), |o, v| put_short(o, v.as_bytes());
    PUT_APPLICATION_TYPE, put_application_type, |f, n| PutApplicationType(number(f, n)?), |o, v| put_number(o, v.code());
    PUT_APPLICATION_NAME, put_application_name, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    PUT_DATE, put_date, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    PUT_TIME, put_time, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    APPLICATION_ORIGIN_DATA, application_origin_data, |f, n| f.fixed_text(n)?, |o, v| put_short(o, v.as_bytes());
    GROUP_ID, group_id, |f, n| GroupId(f.array(n)?).into(), |o, v| o.extend_from_slice(v.as_bytes());
    MESSAGE_SEQUENCE_NUMBER, message_sequence_number, |f, n| number(f, n)?, |o, v| put_number(o, *v);
    OFFSET, offset, |f, n| number(f, n)?, |o, v| put_number(o, *v);
    MESSAGE_FLAGS, message_flags, |f, n| MessageFlags::from_bits(f.i32(n)?), |o, v| put_i32(o, v.bits());
    ORIGINAL_LENGTH, original_length, |f, n| number(f, n)?, |o, v| put_number(o, *v);
}

/// Appends an object descriptor: a byte of what is there besides the name, then that.
pub(crate) fn put_object(out: &mut Vec<u8>, object: &ObjectDescriptor) {
    let default_dynamic = object.dynamic_queue_name == "AMQ.*";
    let present = u8::from(object.object_type != ObjectType::Queue)
        | u8::from(!object.object_queue_manager_name.is_blank()) << 1
        | u8::from(!default_dynamic) << 2
        | u8::from(!object.alternate_user_identifier.is_blank()) << 3
        | u8::from(!object.object_string.is_empty()) << 4
        | u8::from(!object.selection_string.is_empty()) << 5;
    out.push(present);
    put_short(out, object.object_name.as_bytes());
    if present & 1 != 0 {
        put_number(out, object.object_type.code());
    }
    if present & 2 != 0 {
        put_short(out, object.object_queue_manager_name.as_bytes());
    }
    if present & 4 != 0 {
        put_short(out, object.dynamic_queue_name.as_bytes());
    }
    if present & 8 != 0 {
        put_short(out, object.alternate_user_identifier.as_bytes());
    }
    if present & 16 != 0 {
        put_long_text(out, &object.object_string);
    }
    if present & 32 != 0 {
        put_long_text(out, &object.selection_string);
    }
}

/// Reads an object descriptor.
pub(crate) fn take_object(fields: &mut Fields<'_>) -> Result<ObjectDescriptor, Error> {
    let present = fields.u8("object fields")?;
    if present >= 64 {
        return Err(Error::Field { field: "object fields", reason: Reason::OD_ERROR });
    }
    let mut object =
        ObjectDescriptor { object_name: fields.object_name("object name")?, ..ObjectDescriptor::default() };
    if present & 1 != 0 {
        object.object_type = ObjectType::from_code(number(fields, "object type")?);
    }
    if present & 2 != 0 {
        object.object_queue_manager_name = fields.queue_manager_name("object queue manager name")?;
    }
    if present & 4 != 0 {
        object.dynamic_queue_name = fields.fixed_text("dynamic queue name")?;
    }
    if present & 8 != 0 {
        object.alternate_user_identifier = fields.fixed_text("alternate user identifier")?;
    }
    if present & 16 != 0 {
        object.object_string = fields.long_text("object string")?.to_owned();
    }
    if present & 32 != 0 {
        object.selection_string = fields.long_text("selection string")?.to_owned();
    }
    Ok(object)
}

/// Appends a subscription descriptor.
pub(crate) fn put_subscription(out: &mut Vec<u8>, descriptor: &SubscriptionDescriptor) {
    put_i32(out, descriptor.options.bits());
    put_short(out, descriptor.object_name.as_bytes());
    put_long_text(out, &descriptor.object_string);
    put_long_text(out, &descriptor.name);
    put_long_text(out, &descriptor.user_data);
    put_long_text(out, &descriptor.selection_string);
    out.extend_from_slice(&descriptor.correlation_id.0);
    put_number(out, descriptor.priority);
    put_number(out, descriptor.expiry.code());
    out.extend_from_slice(&descriptor.accounting_token.0);
    put_short(out, descriptor.application_identity_data.as_bytes());
    put_number(out, descriptor.level);
}

/// Reads a subscription descriptor.
pub(crate) fn take_subscription(fields: &mut Fields<'_>) -> Result<SubscriptionDescriptor, Error> {
    Ok(SubscriptionDescriptor {
        options: SubscribeOptions::from_bits(fields.i32("subscribe options")?),
        object_name: fields.object_name("object name")?,
        object_string: fields.long_text("object string")?.to_owned(),
        alternate_user_identifier: Text::BLANK,
        name: fields.long_text("subscription name")?.to_owned(),
        user_data: fields.long_text("subscription user data")?.to_owned(),
        selection_string: fields.long_text("selection string")?.to_owned(),
        correlation_id: CorrelationId(fields.array("correlation identifier")?),
        priority: number(fields, "priority")?,
        expiry: Expiry::from_code(number(fields, "expiry")?)
            .map_err(|reason| Error::Field { field: "expiry", reason })?,
        accounting_token: AccountingToken(fields.array("accounting token")?),
        application_identity_data: fields.fixed_text("application identity data")?,
        level: number(fields, "subscription level")?,
    })
}

fn put_i32(out: &mut Vec<u8>, value: i32) {
    wire::fields::put_i32(out, value);
}

fn valued<T>(field: &'static str, value: Result<T, Reason>) -> Result<T, Error> {
    value.map_err(|reason| Error::Field { field, reason })
}
