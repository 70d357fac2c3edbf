//! Values to bytes, each in its shortest encoding.

use super::codes::*;
use super::value::Value;

/// Bytes of a list's head of four-byte size and count, beside those of the shorter one.
const HEAD_MORE: usize = 6;

/// Appends nothing, as a value.
pub fn put_null(out: &mut Vec<u8>) {
    out.push(NULL);
}

/// Appends a boolean.
pub fn put_boolean(out: &mut Vec<u8>, is: bool) {
    out.push(if is { TRUE } else { FALSE });
}

/// Appends an unsigned number of one byte.
pub fn put_ubyte(out: &mut Vec<u8>, number: u8) {
    out.extend_from_slice(&[UBYTE, number]);
}

/// Appends an unsigned number of two bytes.
pub fn put_ushort(out: &mut Vec<u8>, number: u16) {
    let [high, low] = number.to_be_bytes();
    out.extend_from_slice(&[USHORT, high, low]);
}

/// Appends an unsigned number of four bytes.
#[inline]
pub fn put_uint(out: &mut Vec<u8>, number: u32) {
    match number {
        0 => out.push(UINT_0),
        1..=255 => out.extend_from_slice(&[UINT_1, number as u8]),
        _ => put_wide(out, UINT, number.to_be_bytes()),
    }
}

/// Appends an unsigned number of eight bytes.
pub fn put_ulong(out: &mut Vec<u8>, number: u64) {
    match number {
        0 => out.push(ULONG_0),
        1..=255 => out.extend_from_slice(&[ULONG_1, number as u8]),
        _ => put_wide(out, ULONG, number.to_be_bytes()),
    }
}

fn put_wide<const N: usize>(out: &mut Vec<u8>, code: u8, bytes: [u8; N]) {
    out.push(code);
    out.extend_from_slice(&bytes);
}

/// Appends bytes.
pub fn put_binary(out: &mut Vec<u8>, bytes: &[u8]) {
    put_binary_head(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Appends what stands before so many bytes.
pub fn put_binary_head(out: &mut Vec<u8>, length: usize) {
    put_length(out, BINARY_1, length);
}

/// Appends a text.
pub fn put_string(out: &mut Vec<u8>, text: &str) {
    put_string_head(out, text.len());
    out.extend_from_slice(text.as_bytes());
}

/// Appends what stands before a text of so many bytes.
pub fn put_string_head(out: &mut Vec<u8>, length: usize) {
    put_length(out, STRING_1, length);
}

/// Appends a symbol.
///
/// # Panics
/// When it is not ASCII.
pub fn put_symbol(out: &mut Vec<u8>, symbol: &str) {
    assert!(symbol.is_ascii(), "a symbol is ASCII");
    put_length(out, SYMBOL_1, symbol.len());
    out.extend_from_slice(symbol.as_bytes());
}

fn put_length(out: &mut Vec<u8>, short: u8, length: usize) {
    match u8::try_from(length) {
        Ok(length) => out.extend_from_slice(&[short, length]),
        Err(_) => put_wide(out, short + 0x10, length_of(length).to_be_bytes()),
    }
}

/// A length as it is written.
///
/// # Panics
/// When it is 4 GiB or more, which no message is.
fn length_of(length: usize) -> u32 {
    u32::try_from(length).expect("a value has less than 4 GiB")
}

/// Appends a list of so many values, which `content` appends.
pub fn put_list(out: &mut Vec<u8>, count: u32, content: impl FnOnce(&mut Vec<u8>)) {
    if count == 0 {
        return out.push(LIST_0);
    }
    put_compound(out, LIST_1, count, content);
}

/// Appends a map of so many pairs, whose keys and values `content` appends in turn.
pub fn put_map(out: &mut Vec<u8>, pairs: u32, content: impl FnOnce(&mut Vec<u8>)) {
    put_compound(out, MAP_1, 2 * pairs, content);
}

/// Appends an array of symbols.
///
/// # Panics
/// When one is not ASCII.
pub fn put_symbols(out: &mut Vec<u8>, symbols: &[&str]) {
    assert!(symbols.iter().all(|symbol| symbol.is_ascii()), "a symbol is ASCII");
    put_compound(out, ARRAY_1, length_of(symbols.len()), |out| {
        out.push(SYMBOL_4);
        for symbol in symbols {
            out.extend_from_slice(&length_of(symbol.len()).to_be_bytes());
            out.extend_from_slice(symbol.as_bytes());
        }
    });
}

fn put_compound(out: &mut Vec<u8>, short: u8, count: u32, content: impl FnOnce(&mut Vec<u8>)) {
    let begin = out.len();
    out.extend_from_slice(&[short, 0, 0]);
    content(out);
    set_head(out, begin, short, count);
}

/// Says size and count of a list, map or array that began at `begin` with a short head; makes it a long one
/// where they do not fit.
fn set_head(out: &mut Vec<u8>, begin: usize, short: u8, count: u32) {
    let content = out.len() - begin - 3;
    if let (Ok(size), Ok(count)) = (u8::try_from(content + 1), u8::try_from(count)) {
        out[begin + 1] = size;
        out[begin + 2] = count;
        return;
    }
    out.splice(begin + 3..begin + 3, [0; HEAD_MORE]);
    out[begin] = short + 0x10;
    out[begin + 1..begin + 5].copy_from_slice(&length_of(content + 4).to_be_bytes());
    out[begin + 5..begin + 9].copy_from_slice(&count.to_be_bytes());
}

/// Appends the descriptor of a type.
#[inline]
pub fn put_descriptor(out: &mut Vec<u8>, code: u64) {
    out.push(DESCRIBED);
    put_ulong(out, code);
}

/// A described list of fields on its way. Fields at its end that have no value are left out.
#[derive(Debug)]
pub struct Composite<'o> {
    out: &'o mut Vec<u8>,
    begin: usize,
    count: u32,
    /// The end of the last field that has a value, and its number.
    last: (usize, u32),
}

impl<'o> Composite<'o> {
    /// Begins the list of a described type.
    #[inline]
    pub fn begin(out: &'o mut Vec<u8>, descriptor: u64) -> Self {
        put_descriptor(out, descriptor);
        let begin = out.len();
        out.extend_from_slice(&[LIST_1, 0, 0]);
        let last = (out.len(), 0);
        Self { out, begin, count: 0, last }
    }

    /// Appends a field that has a value.
    #[inline]
    pub fn put(&mut self, field: impl FnOnce(&mut Vec<u8>)) {
        field(self.out);
        self.count += 1;
        self.last = (self.out.len(), self.count);
    }

    /// Appends a field that has a value or none.
    #[inline]
    pub fn put_or_null<T>(&mut self, field: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
        match field {
            Some(field) => self.put(|out| put(out, field)),
            None => {
                put_null(self.out);
                self.count += 1;
            }
        }
    }

    /// Ends the list.
    #[inline]
    pub fn end(self) {
        let (end, count) = self.last;
        self.out.truncate(end);
        if count == 0 {
            self.out.truncate(self.begin);
            self.out.push(LIST_0);
            return;
        }
        set_head(self.out, self.begin, LIST_1, count);
    }
}

/// Appends a value that is made of no others; false for another, of which nothing is appended.
pub fn put_scalar(out: &mut Vec<u8>, value: &Value<'_>) -> bool {
    match *value {
        Value::Null => put_null(out),
        Value::Boolean(is) => put_boolean(out, is),
        Value::Ubyte(number) => put_ubyte(out, number),
        Value::Ushort(number) => put_ushort(out, number),
        Value::Uint(number) => put_uint(out, number),
        Value::Ulong(number) => put_ulong(out, number),
        Value::Byte(number) => out.extend_from_slice(&[BYTE, number as u8]),
        Value::Short(number) => put_wide(out, SHORT, number.to_be_bytes()),
        Value::Int(number) => match i8::try_from(number) {
            Ok(number) => out.extend_from_slice(&[INT_1, number as u8]),
            Err(_) => put_wide(out, INT, number.to_be_bytes()),
        },
        Value::Long(number) => match i8::try_from(number) {
            Ok(number) => out.extend_from_slice(&[LONG_1, number as u8]),
            Err(_) => put_wide(out, LONG, number.to_be_bytes()),
        },
        Value::Float(number) => put_wide(out, FLOAT, number.to_be_bytes()),
        Value::Double(number) => put_wide(out, DOUBLE, number.to_be_bytes()),
        Value::Decimal32(bytes) => put_wide(out, DECIMAL_32, bytes),
        Value::Decimal64(bytes) => put_wide(out, DECIMAL_64, bytes),
        Value::Decimal128(bytes) => put_wide(out, DECIMAL_128, bytes),
        Value::Char(character) => put_wide(out, CHAR, u32::from(character).to_be_bytes()),
        Value::Timestamp(at) => put_wide(out, TIMESTAMP, at.to_be_bytes()),
        Value::Uuid(bytes) => put_wide(out, UUID, bytes),
        Value::Binary(bytes) => put_binary(out, bytes),
        Value::String(text) => put_string(out, text),
        Value::Symbol(symbol) => put_symbol(out, symbol),
        Value::List(_) | Value::Map(_) | Value::Array(_) | Value::Described(..) => return false,
    }
    true
}
