//! Names of compressions, and the one that both sides can do.
//!
//! Lives here: their lists in a login and in definitions. Lives elsewhere: compressing (`compression`).

use crate::Error;
use mqi::Reason;
use mqi::constants::{
    MQCOMPRESS_ANY, MQCOMPRESS_LZ4FAST, MQCOMPRESS_LZ4HIGH, MQCOMPRESS_NONE, MQCOMPRESS_RLE,
    MQCOMPRESS_SYSTEM, MQCOMPRESS_ZLIBFAST, MQCOMPRESS_ZLIBHIGH,
};
use wire::fields::Fields;

/// Most entries of a list: as many as COMPMSG of a channel may have.
pub const COMPRESSIONS_MAX: usize = 16;

/// A way to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Runs of equal bytes.
    Rle,
    /// Zlib, fast.
    ZlibFast,
    /// Zlib, small.
    ZlibHigh,
    /// The way of the system, for heads alone.
    System,
    /// LZ4, fast.
    Lz4Fast,
    /// LZ4, small.
    Lz4High,
}

impl Compression {
    /// Every way.
    pub const ALL: [Self; 6] =
        [Self::Rle, Self::ZlibFast, Self::ZlibHigh, Self::System, Self::Lz4Fast, Self::Lz4High];

    /// Its number in frames, which is that of the interface.
    #[must_use]
    pub const fn number(self) -> u8 {
        let number = match self {
            Self::Rle => MQCOMPRESS_RLE,
            Self::ZlibFast => MQCOMPRESS_ZLIBFAST,
            Self::ZlibHigh => MQCOMPRESS_ZLIBHIGH,
            Self::System => MQCOMPRESS_SYSTEM,
            Self::Lz4Fast => MQCOMPRESS_LZ4FAST,
            Self::Lz4High => MQCOMPRESS_LZ4HIGH,
        };
        number as u8
    }

    /// The word for it in COMPMSG and COMPHDR.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rle => "RLE",
            Self::ZlibFast => "ZLIBFAST",
            Self::ZlibHigh => "ZLIBHIGH",
            Self::System => "SYSTEM",
            Self::Lz4Fast => "LZ4FAST",
            Self::Lz4High => "LZ4HIGH",
        }
    }

    /// True for a way that takes several times as long as the others, for the last per cent.
    #[must_use]
    pub const fn is_slow(self) -> bool {
        matches!(self, Self::ZlibHigh | Self::Lz4High)
    }

    /// The way of a number; `None` for one that this release does not know.
    #[must_use]
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.number() == number)
    }

    /// Reads the way that was agreed; 0 for none.
    pub(super) fn agreed_in(fields: &mut Fields<'_>, field: &'static str) -> Result<Option<Self>, Error> {
        match fields.u8(field)? {
            0 => Ok(None),
            // A server agrees to nothing that was not offered.
            number => {
                Self::of_number(number).map(Some).ok_or_else(|| Error::field(field, Reason::OPTIONS_ERROR))
            }
        }
    }
}

/// The compressions a side can do, the preferred one first. At most [`COMPRESSIONS_MAX`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compressions(Vec<Compression>);

impl Compressions {
    /// The first of them that `others` has, too: the preference of the side that calls counts.
    #[must_use]
    pub fn agreed(&self, others: &Self) -> Option<Compression> {
        self.0.iter().copied().find(|one| others.0.contains(one))
    }

    /// The list of a definition, by the numbers of the interface. ANY stands for every way that is for
    /// messages. The end that calls prefers none of the ways behind NONE to none at all; the end that is
    /// called can always do without.
    #[must_use]
    pub fn of_values(values: &[i32], calls: bool) -> Self {
        let mut ways: Vec<Compression> = Vec::new();
        for value in values {
            let is_meant = |way: &Compression| match *value {
                MQCOMPRESS_ANY => *way != Compression::System,
                value => i32::from(way.number()) == value,
            };
            if *value == MQCOMPRESS_NONE && calls {
                break;
            }
            for way in Compression::ALL.into_iter().filter(is_meant) {
                if !ways.contains(&way) {
                    ways.push(way);
                }
            }
        }
        ways.into_iter().collect()
    }

    /// The list of an end that calls, from the words of COMPMSG or COMPHDR in any case. NONE ends it.
    ///
    /// # Errors
    /// With the first word that is none of them.
    pub fn of_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, &'a str> {
        let mut ways = Vec::new();
        for word in words {
            let word = word.trim();
            if word.eq_ignore_ascii_case("NONE") {
                break;
            }
            let way = Compression::ALL.into_iter().find(|way| word.eq_ignore_ascii_case(way.word()));
            ways.push(way.ok_or(word)?);
        }
        Ok(ways.into_iter().collect())
    }

    /// True where nothing is offered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.push(self.0.len() as u8);
        out.extend(self.0.iter().map(|one| one.number()));
    }

    /// Reads a list; a number that only a later release knows is skipped.
    pub(crate) fn decode(fields: &mut Fields<'_>, field: &'static str) -> Result<Self, Error> {
        let count = usize::from(fields.u8(field)?);
        Error::check_length(field, count, COMPRESSIONS_MAX)?;
        let numbers = fields.take(count, field)?;
        Ok(Self(numbers.iter().filter_map(|number| Compression::of_number(*number)).collect()))
    }
}

impl FromIterator<Compression> for Compressions {
    /// Entries beyond the bound are left out: they are the least preferred.
    fn from_iter<T: IntoIterator<Item = Compression>>(ways: T) -> Self {
        Self(ways.into_iter().take(COMPRESSIONS_MAX).collect())
    }
}
