//! The kept form of a message that came by AMQP: a header with its encoded sections before its payload.
//!
//! ```text
//! 0      4       8      12       16    20       28    32      36
//! "FRYA" version length encoding ccsid format(8) flags framing | constructors | sections | payload
//! ```
//!
//! `length` is that of all before the payload; `encoding`, `ccsid` and `format` are the payload's;
//! `framing` is the length of the constructors. Numbers have their most significant byte first. A
//! constructor is the bytes before the content of a section of the body, as they came; there is none where
//! there is no body. The sections are message-annotations, properties, application-properties and footer,
//! those that came, as they came. The payload is the contents of the body's sections, one behind the other.
//!
//! Always: the bare message, its annotations and its footer are given back byte by byte; a header that reads
//! has sections that were walked over.

use amqp::sections::{DATA, Parts, Properties, SEQUENCE, VALUE};
use amqp::{DecodeError, Sections};
use mqi::{Encoding, Reason, Text};

use super::address;
use super::annotations::{self, DESTINATION_KIND, REPLY_KIND};
use crate::headers::Place;

/// The format of a message in the kept form. No program is given it.
pub const FORMAT: &str = "FRYAMQP ";

const ID: &[u8; 4] = b"FRYA";
const VERSION: u32 = 1;
const FIELDS_BYTES: usize = 36;

/// Most bytes by which a message grows by [`named_at`]: a scheme and the name of a queue manager for each of
/// two addresses, and longer fields for their lengths.
pub const NAMES_BYTES_MAX: usize = 160;

/// The encoding of null.
pub(super) const NULL: u8 = 0x40;

/// Most bytes of the constructors of a body: that of a body of sixteen thousand sections.
const FRAMING_BYTES_MAX: usize = 128 * 1024;

/// A message in the kept form, as its parts.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The bytes before the payload.
    pub length: usize,
    /// The form of the payload.
    pub following: Place,
    constructors: &'a [u8],
    /// The sections, but for the body: those before it, then the footer.
    sections: Sections<'a>,
    payload: &'a [u8],
}

/// Says whether a body is in the kept form.
#[must_use]
pub fn is_kept(place: &Place) -> bool {
    place.is(FORMAT)
}

impl<'a> Kept<'a> {
    /// Reads a body of the kept form.
    ///
    /// # Errors
    /// `MQRC_RFH_ERROR` for bytes that are none.
    pub fn read(body: &'a [u8]) -> Result<Self, Reason> {
        Self::read_parts(body).ok_or(Reason::RFH_ERROR)
    }

    fn read_parts(body: &'a [u8]) -> Option<Self> {
        let (fields, _) = body.split_first_chunk::<FIELDS_BYTES>()?;
        let number =
            |at: usize| u32::from_be_bytes([fields[at], fields[at + 1], fields[at + 2], fields[at + 3]]);
        if fields[..4] != *ID || number(4) != VERSION || number(28) != 0 {
            return None;
        }
        let (length, framing) = (number(8) as usize, number(32) as usize);
        let constructors = body.get(FIELDS_BYTES..FIELDS_BYTES.checked_add(framing)?)?;
        let own = body.get(FIELDS_BYTES + framing..length)?;
        let sections = Sections::of(own).ok()?;
        let is_bare = sections.header.is_empty() && sections.delivery_annotations.is_empty();
        if !is_bare || !sections.body.is_empty() {
            return None;
        }
        let format = std::str::from_utf8(&fields[20..28]).ok().filter(|format| format.is_ascii())?;
        let following = Place {
            encoding: Encoding(number(12).cast_signed()),
            coded_character_set: number(16).cast_signed(),
            format: Text::truncated(format.trim_end_matches(['\0', ' '])),
        };
        let kept = Self { length, following, constructors, sections, payload: &body[length..] };
        kept.frames_all().then_some(kept)
    }

    /// Says whether the constructors are those of the whole payload.
    fn frames_all(&self) -> bool {
        let mut pieces = self.pieces();
        let all: usize = pieces.by_ref().map(|piece| piece.content.len()).sum();
        !pieces.is_broken && all == self.payload.len()
    }

    /// The sections of the message, but for its body.
    #[must_use]
    pub fn sections(&self) -> &Sections<'a> {
        &self.sections
    }

    /// The bytes before the data that a program is given: the whole payload, or of a body that is one plain
    /// value the data of this.
    #[must_use]
    pub fn data_at(&self) -> usize {
        let mut pieces = self.pieces();
        let data = match (pieces.next(), pieces.next()) {
            (Some(piece), None) => piece.plain().map_or(piece.content, |plain| plain.data()),
            _ => self.payload,
        };
        self.length + self.payload.len() - data.len()
    }

    /// The content of the body, without constructors.
    #[must_use]
    pub fn payload(&self) -> &'a [u8] {
        self.payload
    }

    /// The sections of the body, each as its constructor and its content.
    #[must_use]
    pub fn pieces(&self) -> Pieces<'a> {
        Pieces { constructors: self.constructors, payload: self.payload, is_broken: false }
    }

    /// The body as it came.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.constructors.len() + self.payload.len());
        for piece in self.pieces() {
            body.extend_from_slice(piece.constructor);
            body.extend_from_slice(piece.content);
        }
        body
    }
}

/// A section of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The number of its type.
    pub code: u64,
    /// The bytes before its content.
    pub constructor: &'a [u8],
    /// Its content.
    pub content: &'a [u8],
    /// Says whether the content is the characters of a text, or bytes, and no encoded value.
    pub is_bare: bool,
}

impl<'a> Piece<'a> {
    /// The value of the section, if it is a plain one.
    #[must_use]
    pub fn plain(&self) -> Option<Plain<'a>> {
        match *self.content {
            _ if self.code != VALUE => None,
            ref text if self.is_bare => Some(Plain::Text(text)),
            [NULL] => Some(Plain::Null),
            [0xA0, _, ref bytes @ ..] | [0xB0, _, _, _, _, ref bytes @ ..] => Some(Plain::Bytes(bytes)),
            _ => None,
        }
    }
}

/// A value that has a form outside AMQP. A program is given its data; any other value keeps its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain<'a> {
    /// The characters of a text.
    Text(&'a [u8]),
    /// The bytes of a binary value.
    Bytes(&'a [u8]),
    /// No data.
    Null,
}

impl<'a> Plain<'a> {
    fn data(self) -> &'a [u8] {
        match self {
            Self::Text(data) | Self::Bytes(data) => data,
            Self::Null => &[],
        }
    }
}

/// The sections of a body, in their order.
#[derive(Clone, Debug)]
pub struct Pieces<'a> {
    constructors: &'a [u8],
    payload: &'a [u8],
    is_broken: bool,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.constructors.is_empty() || self.is_broken {
            return None;
        }
        let piece = self.next_piece();
        self.is_broken = piece.is_none();
        piece
    }
}

impl<'a> Pieces<'a> {
    fn next_piece(&mut self) -> Option<Piece<'a>> {
        let (code, descriptor_bytes) = amqp::sections::section_head(self.constructors)?;
        if !(DATA..=VALUE).contains(&code) {
            return None;
        }
        let behind = &self.constructors[descriptor_bytes..];
        // A text or bytes have their length in the constructor; of another value it is in its encoding.
        let (head_bytes, content_bytes, is_bare) = match *behind {
            [0xA0 | 0xA1, length, ..] => (2, length.into(), true),
            [0xB0 | 0xB1, a, b, c, d, ..] => (5, u32::from_be_bytes([a, b, c, d]) as usize, true),
            _ if code == DATA => return None,
            _ => (0, amqp::types::walk(self.payload).ok()?, false),
        };
        if code == SEQUENCE && is_bare {
            return None;
        }
        let (constructor, constructors) = self.constructors.split_at(descriptor_bytes + head_bytes);
        let (content, payload) = self.payload.split_at_checked(content_bytes)?;
        (self.constructors, self.payload) = (constructors, payload);
        Some(Piece { code, constructor, content, is_bare })
    }
}

/// The kept form of a message that leaves its queue manager, with the addresses that are queues of that one:
/// another would take them for its own. None for one without such an address.
#[must_use]
pub fn named_at(body: &[u8], manager: &str) -> Option<Vec<u8>> {
    let kept = Kept::read(body).ok()?;
    let sections = kept.sections();
    let said = sections.properties();
    let annotations = sections.message_annotations();
    let named = |text: Option<&str>, kind| {
        address::named_at(text?, annotations::is_topic(&annotations, kind), manager)
    };
    let (to, reply_to) = (named(said.to, DESTINATION_KIND), named(said.reply_to, REPLY_KIND));
    if to.is_none() && reply_to.is_none() {
        return None;
    }
    let (to, reply_to) = (to.as_deref().or(said.to), reply_to.as_deref().or(said.reply_to));
    let mut properties = Vec::with_capacity(sections.properties.len() + NAMES_BYTES_MAX);
    Properties { to, reply_to, ..*said }.write(&mut properties);
    let before = kept.length - sections.application_properties.len() - sections.footer.len();
    let before = before - sections.properties.len();
    let mut out = Vec::with_capacity(body.len() + properties.len());
    out.extend_from_slice(&body[..before]);
    out.extend_from_slice(&properties);
    out.extend_from_slice(&body[before + sections.properties.len()..]);
    let length = kept.length + properties.len() - sections.properties.len();
    out[8..12].copy_from_slice(&(length as u32).to_be_bytes());
    Some(out)
}

/// The kept form of a message, whose payload has this form.
///
/// # Errors
/// When its body has more sections than are kept.
pub fn write(sections: &Sections<'_>, following: &Place) -> Result<Vec<u8>, DecodeError> {
    let framing: usize = sections.parts().map(|part| part.head.len()).sum();
    if framing > FRAMING_BYTES_MAX {
        return Err(DecodeError::Size);
    }
    let own =
        [sections.message_annotations, sections.properties, sections.application_properties, sections.footer];
    let length = FIELDS_BYTES + framing + own.iter().map(|section| section.len()).sum::<usize>();
    let mut out = Vec::with_capacity(length + sections.body.len() - framing);
    out.extend_from_slice(ID);
    for number in [VERSION, length as u32, following.encoding.0.cast_unsigned()] {
        out.extend_from_slice(&number.to_be_bytes());
    }
    out.extend_from_slice(&following.coded_character_set.to_be_bytes());
    out.extend_from_slice(&following.format.to_padded());
    out.extend_from_slice(&0_u32.to_be_bytes());
    out.extend_from_slice(&(framing as u32).to_be_bytes());
    let parts: Parts<'_> = sections.parts();
    parts.for_each(|part| out.extend_from_slice(part.head));
    own.iter().for_each(|section| out.extend_from_slice(section));
    parts.for_each(|part| out.extend_from_slice(part.content));
    Ok(out)
}
