//! Values of AMQP 1.0: each begins with a byte that says its type and how long it is.

use std::ops::Range;

use anyhow::{Context as _, Result, ensure};

const DESCRIBED: u8 = 0x00;
const NULL: u8 = 0x40;
const TRUE: u8 = 0x41;
const FALSE: u8 = 0x42;
const UINT_0: u8 = 0x43;
const ULONG_0: u8 = 0x44;
const EMPTY_LIST: u8 = 0x45;
const UBYTE: u8 = 0x50;
const UINT_SMALL: u8 = 0x52;
const ULONG_SMALL: u8 = 0x53;
const BOOLEAN: u8 = 0x56;
const UINT: u8 = 0x70;
const ULONG: u8 = 0x80;
const BINARY_SHORT: u8 = 0xA0;
const STRING_SHORT: u8 = 0xA1;
const SYMBOL_SHORT: u8 = 0xA3;
const BINARY: u8 = 0xB0;
const MAP_SHORT: u8 = 0xC1;
const LIST_SHORT: u8 = 0xC0;
const LIST: u8 = 0xD0;

/// Writes a described list.
pub(super) fn write_list(output: &mut Vec<u8>, descriptor: u8, write: impl FnOnce(&mut Fields<'_>)) {
    output.extend_from_slice(&[DESCRIBED, ULONG_SMALL, descriptor, LIST]);
    let length_at = output.len();
    output.extend_from_slice(&[0; 8]);
    let mut fields = Fields { output, count: 0 };
    write(&mut fields);
    let count = fields.count;
    let length = (output.len() - length_at - 4) as u32;
    output[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    output[length_at + 4..length_at + 8].copy_from_slice(&count.to_be_bytes());
}

/// Writes the section of a message that is its body.
pub(super) fn write_body(output: &mut Vec<u8>, section: u8, body: &[u8]) {
    output.extend_from_slice(&[DESCRIBED, ULONG_SMALL, section, BINARY]);
    output.extend_from_slice(&(body.len() as u32).to_be_bytes());
    output.extend_from_slice(body);
}

/// Fields of a list in the order of the specification; those behind the last one that is given are not sent.
pub(super) struct Fields<'a> {
    output: &'a mut Vec<u8>,
    count: u32,
}

impl Fields<'_> {
    fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.output.extend_from_slice(bytes);
        self.count += 1;
        self
    }

    pub(super) fn nothing(&mut self) -> &mut Self {
        self.field(&[NULL])
    }

    pub(super) fn boolean(&mut self, value: bool) -> &mut Self {
        self.field(&[if value { TRUE } else { FALSE }])
    }

    pub(super) fn octet(&mut self, value: u8) -> &mut Self {
        self.field(&[UBYTE, value])
    }

    pub(super) fn number(&mut self, value: u32) -> &mut Self {
        let [a, b, c, d] = value.to_be_bytes();
        self.field(&[UINT, a, b, c, d])
    }

    pub(super) fn binary(&mut self, value: &[u8]) -> &mut Self {
        self.short(BINARY_SHORT, value)
    }

    pub(super) fn text(&mut self, value: &str) -> &mut Self {
        self.short(STRING_SHORT, value.as_bytes())
    }

    pub(super) fn symbol(&mut self, value: &str) -> &mut Self {
        self.short(SYMBOL_SHORT, value.as_bytes())
    }

    /// Names and selectors here are short.
    fn short(&mut self, kind: u8, value: &[u8]) -> &mut Self {
        self.field(&[kind, value.len() as u8]);
        self.output.extend_from_slice(value);
        self
    }

    pub(super) fn list(&mut self, descriptor: u8, write: impl FnOnce(&mut Fields<'_>)) -> &mut Self {
        write_list(self.output, descriptor, write);
        self.count += 1;
        self
    }

    /// A map of one entry, whose value is text with a descriptor.
    pub(super) fn map_to_described(&mut self, key: &str, descriptor: u64, text: &str) -> &mut Self {
        let mut entry = Vec::new();
        let mut fields = Fields { output: &mut entry, count: 0 };
        fields.symbol(key).field(&[DESCRIBED, ULONG]).field(&descriptor.to_be_bytes()).text(text);
        // Length counts the byte that counts the values.
        self.field(&[MAP_SHORT, entry.len() as u8 + 1, 2]);
        self.output.extend_from_slice(&entry);
        self
    }
}

/// A value that was received: the places of its beginning and its content, and its type; of a list, the place
/// of its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// Where its descriptor is, if it has one.
    pub(super) start: usize,
    kind: u8,
    pub(super) content: Range<usize>,
}

const CUT: &str = "a frame that ends early";

fn byte(bytes: &[u8], at: usize) -> Result<u8> {
    bytes.get(at).copied().context(CUT)
}

fn four(bytes: &[u8], at: usize) -> Result<usize> {
    let four = bytes.get(at..at + 4).context(CUT)?;
    Ok(u32::from_be_bytes(four.try_into()?) as usize)
}

/// The value that begins here; its descriptor is passed over.
pub(super) fn value(bytes: &[u8], at: usize) -> Result<Value> {
    let kind = byte(bytes, at)?;
    if kind == DESCRIBED {
        let descriptor = value(bytes, at + 1)?;
        // A descriptor is a number or a symbol, which have none of their own.
        ensure!(byte(bytes, descriptor.content.end)? != DESCRIBED, "a description of a description");
        return Ok(Value { start: at, ..value(bytes, descriptor.content.end)? });
    }
    let after = at + 1;
    let content = match kind >> 4 {
        0x4 => after..after,
        width @ 0x5..=0x9 => after..after + (1 << (width - 5)),
        0xA | 0xC | 0xE => after + 1..after + 1 + usize::from(byte(bytes, after)?),
        0xB | 0xD | 0xF => after + 4..after + 4 + four(bytes, after)?,
        _ => anyhow::bail!("a value of the unknown type {kind:#x}"),
    };
    ensure!(content.end <= bytes.len(), CUT);
    Ok(Value { start: at, kind, content })
}

/// Returns the descriptor of a list or section, and its value.
pub(super) fn described(bytes: &[u8], at: usize) -> Result<(u64, Value)> {
    ensure!(byte(bytes, at)? == DESCRIBED, "a value that does not say what it is");
    let descriptor = value(bytes, at + 1)?;
    Ok((descriptor.number(bytes)?, value(bytes, descriptor.content.end)?))
}

impl Value {
    /// A number without a sign.
    pub(super) fn number(&self, bytes: &[u8]) -> Result<u64> {
        ensure!(
            matches!(self.kind, UINT_0 | ULONG_0 | UBYTE | UINT_SMALL | ULONG_SMALL | 0x60 | UINT | ULONG),
            "a value of the type {:#x} where a number was due",
            self.kind
        );
        Ok(bytes[self.content.clone()].iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(super) fn is_true(&self, bytes: &[u8]) -> bool {
        self.kind == TRUE || self.kind == BOOLEAN && bytes[self.content.start] == 1
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.kind == NULL
    }

    pub(super) fn is_binary(&self) -> bool {
        matches!(self.kind, BINARY_SHORT | BINARY)
    }

    /// The fields of a list, one after the other.
    pub(super) fn fields<'a>(&self, bytes: &'a [u8]) -> Result<Received<'a>> {
        let (left, at) = match self.kind {
            EMPTY_LIST => (0, self.content.start),
            LIST_SHORT => (usize::from(byte(bytes, self.content.start)?), self.content.start + 1),
            LIST => (four(bytes, self.content.start)?, self.content.start + 4),
            kind => anyhow::bail!("a value of the type {kind:#x} where a list was due"),
        };
        Ok(Received { bytes, at, left })
    }
}

/// Fields of a list that was received.
pub(super) struct Received<'a> {
    bytes: &'a [u8],
    at: usize,
    left: usize,
}

impl Received<'_> {
    /// The next field; none where it was left out.
    pub(super) fn next(&mut self) -> Result<Option<Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let value = value(self.bytes, self.at)?;
        self.at = value.content.end;
        Ok(Some(value).filter(|value| !value.is_nothing()))
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<&mut Self> {
        for _ in 0..count {
            self.next()?;
        }
        Ok(self)
    }

    pub(super) fn number(&mut self) -> Result<Option<u32>> {
        let number = self.next()?.map(|value| value.number(self.bytes)).transpose()?;
        number.map(|number| u32::try_from(number).context("a number too great")).transpose()
    }

    pub(super) fn is_true(&mut self) -> Result<bool> {
        Ok(self.next()?.is_some_and(|value| value.is_true(self.bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_as_it_was_written() {
        let mut bytes = Vec::new();
        write_list(&mut bytes, 0x13, |fields| {
            fields.number(7).nothing().boolean(true).octet(3).text("text").binary(b"bin");
            fields.list(0x28, |inner| {
                inner.symbol("name");
            });
            fields.map_to_described("key", 0x468C_0000_0004, "a = 'b'");
        });
        let (descriptor, list) = described(&bytes, 0).expect("it is described");
        assert_eq!((descriptor, list.content.end), (0x13, bytes.len()));
        let mut fields = list.fields(&bytes).expect("a list");
        assert_eq!(fields.number().expect("a number"), Some(7));
        assert_eq!(fields.number().expect("left out"), None);
        assert!(fields.is_true().expect("a truth"));
        assert_eq!(fields.number().expect("a number"), Some(3));
        let text = fields.next().expect("a value").expect("it is there");
        assert_eq!(&bytes[text.content.clone()], b"text");
        text.number(&bytes).expect_err("no number");
        assert!(fields.next().expect("a value").expect("it is there").is_binary());
        let inner = fields.next().expect("a value").expect("it is there");
        let name = inner.fields(&bytes).expect("a list").next().expect("a value").expect("it is there");
        assert_eq!(&bytes[name.content], b"name");
        assert!(fields.next().expect("a map").is_some());
        assert_eq!(fields.next().expect("the end"), None);
        for cut in 0..bytes.len() {
            described(&bytes[..cut], 0).expect_err("it is cut");
        }
    }
}
