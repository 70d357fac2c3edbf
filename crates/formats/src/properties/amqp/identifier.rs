//! Identifiers of AMQP in the 24 bytes that an identifier of the interface has
//! (`mqi::properties::identifier`).

use amqp::Value;
use mqi::properties::identifier::{of_binary, of_string, of_ulong, of_uuid, to_ulong, to_uuid};

/// The 24 bytes of an identifier; zeros for a value that is none.
#[must_use]
pub fn of_value(value: &Value<'_>) -> [u8; 24] {
    match *value {
        Value::Uuid(uuid) => of_uuid(uuid),
        Value::Ulong(number) => of_ulong(number),
        Value::Binary(binary) => of_binary(binary),
        Value::String(text) => of_string(text),
        _ => [0; 24],
    }
}

/// The identifier that 24 bytes stand for: the uuid or the ulong that they were made of, else binary.
#[must_use]
pub fn to_value(bytes: &[u8; 24]) -> Value<'_> {
    let uuid = to_uuid(bytes).map(Value::Uuid);
    uuid.or_else(|| to_ulong(bytes).map(Value::Ulong)).unwrap_or(Value::Binary(bytes))
}
