//! Values that are made of no others, and the heads of those that are.

use wire::Fields;

use super::codes::*;
use super::value::{Descriptor, Items, Value};
use crate::error::DecodeError;

/// The size of the content of a list, map or array, without its count, and that count.
pub(super) fn size_and_count(rest: &mut Fields<'_>, code: u8) -> Result<(usize, u32), DecodeError> {
    let (size, width, count) = match code & 0xF0 {
        0xC0 | 0xE0 => (rest.u8("size")?.into(), 1, rest.u8("count")?.into()),
        _ => {
            let size = rest.array("size").map(u32::from_be_bytes)?;
            (size as usize, 4, rest.array("count").map(u32::from_be_bytes)?)
        }
    };
    Ok((size.checked_sub(width).ok_or(DecodeError::Size)?, count))
}

/// The constructor of the elements of an array. Of described elements the descriptor is passed over: none of
/// the types of the protocol needs it.
pub(super) fn element_constructor(rest: &mut Fields<'_>) -> Result<u8, DecodeError> {
    let code = rest.u8("constructor")?;
    if code != DESCRIBED {
        return Ok(code);
    }
    descriptor(rest)?;
    let code = rest.u8("constructor")?;
    if code == DESCRIBED { Err(DecodeError::Descriptor) } else { Ok(code) }
}

/// A descriptor, behind the byte that announces it.
pub(crate) fn descriptor<'a>(rest: &mut Fields<'a>) -> Result<Descriptor<'a>, DecodeError> {
    let code = rest.u8("descriptor")?;
    match code {
        // All that the protocol has fit in a byte.
        ULONG_1 => return Ok(Descriptor::Code(rest.u8("descriptor")?.into())),
        ULONG_0 | ULONG | SYMBOL_1 | SYMBOL_4 => {}
        _ => return Err(DecodeError::Descriptor),
    }
    match scalar(rest, code)? {
        Value::Ulong(code) => Ok(Descriptor::Code(code)),
        Value::Symbol(name) => Ok(Descriptor::Name(name)),
        _ => Err(DecodeError::Descriptor),
    }
}

/// A value that is made of no others, or the empty list.
pub(super) fn scalar<'a>(rest: &mut Fields<'a>, code: u8) -> Result<Value<'a>, DecodeError> {
    let text = |bytes| std::str::from_utf8(bytes).map_err(|_| DecodeError::Text);
    let symbol = |bytes: &'a [u8]| if bytes.is_ascii() { text(bytes) } else { Err(DecodeError::Text) };
    Ok(match code {
        NULL => Value::Null,
        TRUE => Value::Boolean(true),
        FALSE => Value::Boolean(false),
        UINT_0 => Value::Uint(0),
        ULONG_0 => Value::Ulong(0),
        LIST_0 => Value::List(Items::EMPTY),
        UBYTE => Value::Ubyte(rest.u8("ubyte")?),
        BYTE => Value::Byte(rest.u8("byte")? as i8),
        UINT_1 => Value::Uint(rest.u8("uint")?.into()),
        ULONG_1 => Value::Ulong(rest.u8("ulong")?.into()),
        INT_1 => Value::Int((rest.u8("int")? as i8).into()),
        LONG_1 => Value::Long((rest.u8("long")? as i8).into()),
        BOOLEAN => match rest.u8("boolean")? {
            0 => Value::Boolean(false),
            1 => Value::Boolean(true),
            _ => return Err(DecodeError::Field("boolean")),
        },
        USHORT => Value::Ushort(u16::from_be_bytes(rest.array("ushort")?)),
        SHORT => Value::Short(i16::from_be_bytes(rest.array("short")?)),
        UINT => Value::Uint(u32::from_be_bytes(rest.array("uint")?)),
        INT => Value::Int(i32::from_be_bytes(rest.array("int")?)),
        FLOAT => Value::Float(f32::from_be_bytes(rest.array("float")?)),
        CHAR => {
            let number = u32::from_be_bytes(rest.array("char")?);
            Value::Char(char::from_u32(number).ok_or(DecodeError::Text)?)
        }
        DECIMAL_32 => Value::Decimal32(rest.array("decimal32")?),
        ULONG => Value::Ulong(u64::from_be_bytes(rest.array("ulong")?)),
        LONG => Value::Long(i64::from_be_bytes(rest.array("long")?)),
        DOUBLE => Value::Double(f64::from_be_bytes(rest.array("double")?)),
        TIMESTAMP => Value::Timestamp(i64::from_be_bytes(rest.array("timestamp")?)),
        DECIMAL_64 => Value::Decimal64(rest.array("decimal64")?),
        DECIMAL_128 => Value::Decimal128(rest.array("decimal128")?),
        UUID => Value::Uuid(rest.array("uuid")?),
        BINARY_1 | STRING_1 | SYMBOL_1 | BINARY_4 | STRING_4 | SYMBOL_4 => {
            let length = match code & 0xF0 {
                0xA0 => rest.u8("length")?.into(),
                _ => rest.array("length").map(u32::from_be_bytes)? as usize,
            };
            let bytes = rest.take(length, "bytes")?;
            match code & 0x0F {
                0 => Value::Binary(bytes),
                1 => Value::String(text(bytes)?),
                _ => Value::Symbol(symbol(bytes)?),
            }
        }
        _ => return Err(DecodeError::Constructor(code)),
    })
}
