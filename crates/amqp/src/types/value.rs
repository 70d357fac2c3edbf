//! Values, and the compound ones among them as the bytes that they are made of.

/// The name of a described type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor<'a> {
    /// A number: a domain in its upper half, an identifier in its lower.
    Code(u64),
    /// A symbol.
    Name(&'a str),
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// Nothing.
    Null,
    /// True or false.
    Boolean(bool),
    /// An unsigned number of one byte.
    Ubyte(u8),
    /// An unsigned number of two bytes.
    Ushort(u16),
    /// An unsigned number of four bytes.
    Uint(u32),
    /// An unsigned number of eight bytes.
    Ulong(u64),
    /// A number of one byte.
    Byte(i8),
    /// A number of two bytes.
    Short(i16),
    /// A number of four bytes.
    Int(i32),
    /// A number of eight bytes.
    Long(i64),
    /// A floating-point number of four bytes.
    Float(f32),
    /// A floating-point number of eight bytes.
    Double(f64),
    /// A decimal number of four bytes, as it came.
    Decimal32([u8; 4]),
    /// A decimal number of eight bytes, as it came.
    Decimal64([u8; 8]),
    /// A decimal number of sixteen bytes, as it came.
    Decimal128([u8; 16]),
    /// A character.
    Char(char),
    /// Milliseconds since 1970.
    Timestamp(i64),
    /// A universally unique identifier.
    Uuid([u8; 16]),
    /// Bytes.
    Binary(&'a [u8]),
    /// A text.
    String(&'a str),
    /// A text of ASCII characters from a known set.
    Symbol(&'a str),
    /// Values, one after the other.
    List(Items<'a>),
    /// Pairs of values.
    Map(Entries<'a>),
    /// Values of one type.
    Array(Items<'a>),
    /// A value with the name of its type; the bytes are those of the value.
    Described(Descriptor<'a>, &'a [u8]),
}

impl<'a> Value<'a> {
    /// The text of a string or a symbol.
    #[must_use]
    pub fn text(&self) -> Option<&'a str> {
        match self {
            Self::String(text) | Self::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a symbol, or of a string that can be one: peers mix them up.
    #[must_use]
    pub fn symbol(&self) -> Option<&'a str> {
        self.text().filter(|text| text.is_ascii())
    }

    /// The number of an integral value.
    #[must_use]
    pub fn integer(&self) -> Option<i128> {
        Some(match *self {
            Self::Ubyte(number) => number.into(),
            Self::Ushort(number) => number.into(),
            Self::Uint(number) => number.into(),
            Self::Ulong(number) => number.into(),
            Self::Byte(number) => number.into(),
            Self::Short(number) => number.into(),
            Self::Int(number) => number.into(),
            Self::Long(number) => number.into(),
            _ => return None,
        })
    }
}

/// The values of a list or an array, in their order. The bytes were walked over, but for those of fields,
/// which are checked as they are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Items<'a> {
    pub(super) rest: &'a [u8],
    pub(super) left: u32,
    /// The constructor of the elements of an array.
    pub(super) element: Option<u8>,
}

impl<'a> Items<'a> {
    /// No values.
    pub const EMPTY: Items<'static> = Items { rest: &[], left: 0, element: None };

    /// The number of values to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.left as usize
    }

    /// The bytes of the values to come.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns true if no value is to come.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left == 0
    }
}

/// The pairs of a map, in their order. The bytes were walked over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entries<'a>(pub(super) Items<'a>);

impl<'a> Entries<'a> {
    /// No pairs.
    pub const EMPTY: Entries<'static> = Entries(Items::EMPTY);

    /// The number of pairs to come.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len() / 2
    }

    /// The bytes of the pairs to come.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.0.bytes()
    }

    /// Returns true if no pair is to come.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
