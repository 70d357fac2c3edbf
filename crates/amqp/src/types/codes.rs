//! Constructors, the bytes that say of what type a value is and how long it is.
//!
//! The upper half of a constructor is the width of what follows it:
//!
//! ```text
//! 0x4_ nothing   0x5_ 1 byte   0x6_ 2   0x7_ 4   0x8_ 8   0x9_ 16
//! 0xA_ a length of 1 byte and so many bytes     0xB_ a length of 4
//! 0xC_ size and count of 1 byte, then values    0xD_ of 4
//! 0xE_ size and count of 1 byte, one constructor, then elements without one    0xF_ of 4
//! ```

pub(super) const DESCRIBED: u8 = 0x00;
pub(super) const NULL: u8 = 0x40;
pub(super) const TRUE: u8 = 0x41;
pub(super) const FALSE: u8 = 0x42;
pub(super) const UINT_0: u8 = 0x43;
pub(super) const ULONG_0: u8 = 0x44;
pub(super) const LIST_0: u8 = 0x45;
pub(super) const UBYTE: u8 = 0x50;
pub(super) const BYTE: u8 = 0x51;
pub(super) const UINT_1: u8 = 0x52;
pub(super) const ULONG_1: u8 = 0x53;
pub(super) const INT_1: u8 = 0x54;
pub(super) const LONG_1: u8 = 0x55;
pub(super) const BOOLEAN: u8 = 0x56;
pub(super) const USHORT: u8 = 0x60;
pub(super) const SHORT: u8 = 0x61;
pub(super) const UINT: u8 = 0x70;
pub(super) const INT: u8 = 0x71;
pub(super) const FLOAT: u8 = 0x72;
pub(super) const CHAR: u8 = 0x73;
pub(super) const DECIMAL_32: u8 = 0x74;
pub(super) const ULONG: u8 = 0x80;
pub(super) const LONG: u8 = 0x81;
pub(super) const DOUBLE: u8 = 0x82;
pub(super) const TIMESTAMP: u8 = 0x83;
pub(super) const DECIMAL_64: u8 = 0x84;
pub(super) const DECIMAL_128: u8 = 0x94;
pub(super) const UUID: u8 = 0x98;
pub(super) const BINARY_1: u8 = 0xA0;
pub(super) const STRING_1: u8 = 0xA1;
pub(super) const SYMBOL_1: u8 = 0xA3;
pub(super) const BINARY_4: u8 = 0xB0;
pub(super) const STRING_4: u8 = 0xB1;
pub(super) const SYMBOL_4: u8 = 0xB3;
pub(super) const LIST_1: u8 = 0xC0;
pub(super) const MAP_1: u8 = 0xC1;
pub(super) const LIST_4: u8 = 0xD0;
pub(super) const MAP_4: u8 = 0xD1;
pub(super) const ARRAY_1: u8 = 0xE0;
pub(super) const ARRAY_4: u8 = 0xF0;

/// Returns the number of bytes behind a constructor where any bytes are a value; none where they have to be
/// checked.
pub(super) fn width_of_any(code: u8) -> Option<usize> {
    match code {
        UBYTE | BYTE | UINT_1 | ULONG_1 | INT_1 | LONG_1 => Some(1),
        USHORT | SHORT => Some(2),
        UINT | INT | FLOAT | DECIMAL_32 => Some(4),
        ULONG | LONG | DOUBLE | TIMESTAMP | DECIMAL_64 => Some(8),
        DECIMAL_128 | UUID => Some(16),
        _ => None,
    }
}

/// Says whether a value of this constructor is made of others.
pub(super) fn has_parts(code: u8) -> bool {
    matches!(code, DESCRIBED | LIST_1 | MAP_1 | ARRAY_1 | LIST_4 | MAP_4 | ARRAY_4)
}

/// Says whether a value of this constructor has no bytes behind it.
pub(super) fn has_no_bytes(code: u8) -> bool {
    code & 0xF0 == 0x40
}
