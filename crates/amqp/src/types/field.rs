//! Values as fields of the types that a described list has.

use super::read::one;
use super::value::{Entries, Value};
use super::write::*;

/// A type that a field can have.
pub trait Field<'a>: Sized {
    /// The field that a value is; none where it is of another type.
    fn of(value: Value<'a>) -> Option<Self>;

    /// Appends it as a value.
    fn write(&self, out: &mut Vec<u8>);
}

/// Makes a type of fields for a kind of value.
macro_rules! fields {
    ($($field:ty: $kind:ident, $put:ident;)+) => {$(
        impl<'a> Field<'a> for $field {
            fn of(value: Value<'a>) -> Option<Self> {
                match value {
                    Value::$kind(value) => Some(value),
                    _ => None,
                }
            }

            fn write(&self, out: &mut Vec<u8>) {
                $put(out, *self);
            }
        }
    )+};
}

fields! {
    bool: Boolean, put_boolean;
    u8: Ubyte, put_ubyte;
    u16: Ushort, put_ushort;
    u32: Uint, put_uint;
    u64: Ulong, put_ulong;
    &'a [u8]: Binary, put_binary;
}

impl<'a> Field<'a> for &'a str {
    /// A string or a symbol: peers mix them up, and no field can be either.
    fn of(value: Value<'a>) -> Option<Self> {
        value.text()
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_string(out, self);
    }
}

/// A symbol. One that was read is ASCII, so that it can be written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symbol<'a>(pub &'a str);

impl<'a> Field<'a> for Symbol<'a> {
    fn of(value: Value<'a>) -> Option<Self> {
        value.symbol().map(Symbol)
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_symbol(out, self.0);
    }
}

/// Milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp(pub i64);

impl<'a> Field<'a> for Timestamp {
    fn of(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Timestamp(at) => Some(Self(at)),
            _ => None,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_scalar(out, &Value::Timestamp(self.0));
    }
}

/// Symbols of a field that may have several: an array, a list, or one that stands alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbols<'a> {
    /// Read from bytes. Each is ASCII.
    Came(Value<'a>),
    /// To be written.
    Ours(&'a [&'a str]),
}

impl<'a> Symbols<'a> {
    /// Says whether this one is among them.
    #[must_use]
    pub fn contains(&self, symbol: &str) -> bool {
        match *self {
            Self::Ours(symbols) => symbols.contains(&symbol),
            Self::Came(Value::Array(mut items) | Value::List(mut items)) => {
                items.any(|item| item.text() == Some(symbol))
            }
            Self::Came(value) => value.text() == Some(symbol),
        }
    }
}

impl<'a> Field<'a> for Symbols<'a> {
    fn of(value: Value<'a>) -> Option<Self> {
        let fits = match value {
            Value::Array(mut items) | Value::List(mut items) => items.all(|item| item.symbol().is_some()),
            _ => value.symbol().is_some(),
        };
        fits.then_some(Self::Came(value))
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Ours(symbols) => put_symbols(out, symbols),
            Self::Came(Value::Array(items) | Value::List(items)) => {
                let symbols: Vec<&str> = items.filter_map(|item| item.symbol()).collect();
                put_symbols(out, &symbols);
            }
            Self::Came(value) => put_symbol(out, value.symbol().unwrap_or_default()),
        }
    }
}

/// A map of a field. Its keys are different.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fields<'a>(pub Entries<'a>);

impl<'a> Fields<'a> {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Value<'a>> {
        self.0.get(key)
    }
}

impl<'a> Field<'a> for Fields<'a> {
    fn of(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Map(entries) if entries.check_keys().is_ok() => Some(Self(entries)),
            _ => None,
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        put_map(out, self.0.len() as u32, |out| out.extend_from_slice(self.0.bytes()));
    }
}

/// A value of any type, as the bytes it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a>(pub &'a [u8]);

impl<'a> Raw<'a> {
    /// The value; null for bytes that are none.
    #[must_use]
    pub fn value(&self) -> Value<'a> {
        one(self.0).map_or(Value::Null, |(value, _)| value)
    }
}
