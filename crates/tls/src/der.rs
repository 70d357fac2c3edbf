//! Values in DER, the form of certificates and of lists of revoked ones, read one after the other.
//!
//! Lives here: tags, lengths, object identifiers and moments. Lives elsewhere: the values of a certificate
//! and their order (`certificate`, `revocation`); every proof (`verify`, by the TLS library).
//!
//! Always: a tag has one byte and a length its shortest form, else the bytes do not read. Nothing is copied,
//! and no bytes cause a panic.

use std::fmt::Write as _;

use time::{Date, Month, PrimitiveDateTime, Time};

pub(crate) const BOOLEAN: u8 = 0x01;
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const BIT_STRING: u8 = 0x03;
pub(crate) const OCTET_STRING: u8 = 0x04;
pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(crate) const UTF8_STRING: u8 = 0x0C;
pub(crate) const PRINTABLE_STRING: u8 = 0x13;
pub(crate) const IA5_STRING: u8 = 0x16;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;

/// The tag of a part that has a number in place of a kind, and values inside.
pub(crate) const fn part(number: u8) -> u8 {
    0xA0 | number
}

/// The tag of a part that has a number in place of a kind, and bytes inside.
pub(crate) const fn plain_part(number: u8) -> u8 {
    0x80 | number
}

/// Tells if a tag is that of a moment.
pub(crate) fn is_moment(tag: u8) -> bool {
    matches!(tag, UTC_TIME | GENERALIZED_TIME)
}

/// Why bytes do not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Malformed {
    #[error("it is cut off in {0}")]
    Cut(&'static str),
    #[error("the form of {0} is not that of DER")]
    Form(&'static str),
    #[error("something else stands in place of {0}")]
    Other(&'static str),
    #[error("{bytes} bytes are behind {what}")]
    Behind { what: &'static str, bytes: usize },
}

/// A value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) tag: u8,
    pub(crate) content: &'a [u8],
    /// Its content with tag and length.
    pub(crate) bytes: &'a [u8],
}

impl<'a> Value<'a> {
    /// The values inside.
    pub(crate) fn inside(&self) -> Values<'a> {
        Values { rest: self.content }
    }
}

/// Values that stand one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Values<'a> {
    rest: &'a [u8],
}

impl<'a> Values<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The tag of the next value.
    pub(crate) fn tag(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The next value, of any tag.
    pub(crate) fn any(&mut self, what: &'static str) -> Result<Value<'a>, Malformed> {
        let bytes = self.rest;
        let [tag, first, ..] = *bytes else { return Err(Malformed::Cut(what)) };
        if tag & 0x1F == 0x1F {
            return Err(Malformed::Form(what));
        }
        let (length, head) = match first {
            0x00..=0x7F => (usize::from(first), 2),
            0x81..=0x84 => {
                let head = 2 + usize::from(first & 0x7F);
                let digits = bytes.get(2..head).ok_or(Malformed::Cut(what))?;
                let length = digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit));
                let is_shortest = length >= 0x80 && digits[0] != 0;
                (if is_shortest { length } else { return Err(Malformed::Form(what)) }, head)
            }
            _ => return Err(Malformed::Form(what)),
        };
        let (bytes, rest) = bytes.split_at_checked(head + length).ok_or(Malformed::Cut(what))?;
        self.rest = rest;
        Ok(Value { tag, content: &bytes[head..], bytes })
    }

    /// The next value, which has this tag.
    pub(crate) fn take(&mut self, tag: u8, what: &'static str) -> Result<Value<'a>, Malformed> {
        let value = self.any(what)?;
        if value.tag == tag { Ok(value) } else { Err(Malformed::Other(what)) }
    }

    /// The next value, if it has this tag.
    pub(crate) fn take_if(&mut self, tag: u8, what: &'static str) -> Result<Option<Value<'a>>, Malformed> {
        if self.tag() == Some(tag) { self.any(what).map(Some) } else { Ok(None) }
    }

    /// Nothing may be left.
    pub(crate) fn end(self, what: &'static str) -> Result<(), Malformed> {
        match self.rest.len() {
            0 => Ok(()),
            bytes => Err(Malformed::Behind { what, bytes }),
        }
    }

    /// The next value as a moment, in seconds since 1970.
    pub(crate) fn moment(&mut self, what: &'static str) -> Result<i64, Malformed> {
        let value = self.any(what)?;
        let moment = match (value.tag, value.content.split_last()) {
            (UTC_TIME, Some((b'Z', [year @ .., _, _, _, _, _, _, _, _, _, _]))) if year.len() == 2 => {
                number(year).map(|year| if year < 50 { 2_000 + year } else { 1_900 + year })
            }
            (GENERALIZED_TIME, Some((b'Z', [year @ .., _, _, _, _, _, _, _, _, _, _])))
                if year.len() == 4 =>
            {
                number(year)
            }
            (UTC_TIME | GENERALIZED_TIME, _) => return Err(Malformed::Form(what)),
            _ => return Err(Malformed::Other(what)),
        };
        let within = &value.content[value.content.len() - 11..value.content.len() - 1];
        moment.and_then(|year| seconds(year, within)).ok_or(Malformed::Form(what))
    }
}

/// Seconds since 1970 at a year and the figures of month, day, hour, minute and second.
fn seconds(year: u16, within: &[u8]) -> Option<i64> {
    let mut pairs = within.chunks_exact(2).map(|pair| number(pair).and_then(|pair| u8::try_from(pair).ok()));
    let mut next = || pairs.next().flatten();
    let date = Date::from_calendar_date(i32::from(year), Month::try_from(next()?).ok()?, next()?).ok()?;
    let time = Time::from_hms(next()?, next()?, next()?).ok()?;
    Some(PrimitiveDateTime::new(date, time).assume_utc().unix_timestamp())
}

/// The number that some figures write.
fn number(figures: &[u8]) -> Option<u16> {
    let digit = |figure: &u8| figure.is_ascii_digit().then(|| u16::from(figure - b'0'));
    figures.iter().try_fold(0, |number: u16, figure| Some(number * 10 + digit(figure)?))
}

/// An object identifier with dots, such as `2.5.4.3`.
pub(crate) fn dotted(identifier: &[u8], what: &'static str) -> Result<String, Malformed> {
    let mut text = String::new();
    let mut number = 0_u64;
    for (index, byte) in identifier.iter().enumerate() {
        let begins = index == 0 || identifier[index - 1] & 0x80 == 0;
        if (begins && *byte == 0x80) || number > u64::MAX >> 7 {
            return Err(Malformed::Form(what));
        }
        number = number << 7 | u64::from(byte & 0x7F);
        if byte & 0x80 == 0 {
            let written = if text.is_empty() {
                // The first two numbers stand together.
                let first = (number / 40).min(2);
                write!(text, "{first}.{}", number - 40 * first)
            } else {
                write!(text, ".{number}")
            };
            written.expect("a text takes all");
            number = 0;
        }
    }
    if identifier.last().is_none_or(|last| last & 0x80 != 0) { Err(Malformed::Form(what)) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_with_its_tag_and_length_and_others_do_not_read() {
        let long = [&[0x04, 0x81, 0x80][..], &[7; 0x80]].concat();
        let mut values = Values::of(&long);
        assert_eq!(values.take(OCTET_STRING, "bytes").unwrap().content, [7; 0x80]);
        values.end("bytes").unwrap();
        for bytes in [
            &[][..],
            &[0x30],
            &[0x30, 0x01],
            &[0x30, 0x80, 0x00, 0x00],
            &[0x30, 0x81, 0x01, 0x00],
            &[0x30, 0x82, 0x00, 0x80],
            &[0x30, 0x85, 0x01, 0x00, 0x00, 0x00, 0x00],
            &[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
            &[0x3F, 0x81, 0x00],
            &[0x31, 0x00],
        ] {
            Values::of(bytes).take(SEQUENCE, "a sequence").unwrap_err();
        }
        assert_eq!(Values::of(&[0x05, 0x00]).end("all"), Err(Malformed::Behind { what: "all", bytes: 2 }));
    }

    #[test]
    fn moments_are_read_in_both_forms_of_dates_and_no_others() {
        let moment = |tag: u8, text: &str| {
            Values::of(&[&[tag, text.len() as u8], text.as_bytes()].concat()).moment("a date")
        };
        assert_eq!(moment(UTC_TIME, "700101000000Z"), Ok(0));
        assert_eq!(moment(UTC_TIME, "491231235959Z"), Ok(2_524_607_999));
        assert_eq!(moment(UTC_TIME, "500101000000Z"), Ok(-631_152_000));
        assert_eq!(moment(GENERALIZED_TIME, "20260228120000Z"), Ok(1_772_280_000));
        for text in ["260229000000Z", "2601010000Z", "260101000000+0100", "26010100000xZ", "", "Z"] {
            assert_eq!(moment(UTC_TIME, text), Err(Malformed::Form("a date")), "{text}");
        }
        assert_eq!(moment(GENERALIZED_TIME, "260101000000Z"), Err(Malformed::Form("a date")));
        assert_eq!(moment(INTEGER, "700101000000Z"), Err(Malformed::Other("a date")));
    }

    #[test]
    fn identifiers_have_dots_and_those_that_do_not_end_do_not_read() {
        assert_eq!(dotted(&[0x55, 0x04, 0x03], "it").unwrap(), "2.5.4.3");
        assert_eq!(dotted(&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D], "it").unwrap(), "1.2.840.113549");
        assert_eq!(dotted(&[0x88, 0x37, 0x03], "it").unwrap(), "2.999.3");
        for bytes in [&[][..], &[0x86], &[0x55, 0x80, 0x01], &[0xFF; 12]] {
            assert_eq!(dotted(bytes, "it"), Err(Malformed::Form("it")), "{bytes:?}");
        }
    }
}
