//! A message of commands in binary form: its header and its parameters, as bytes and back.
//!
//! ```text
//! header     type i32 | length i32 = 36 | version | command | sequence number | control | completion code
//!            | reason | count of parameters
//! number     type = 3  | length = 16 | parameter | value i32
//! number 64  type = 23 | length = 24 | parameter | reserved | value i64
//! numbers    type = 5  | length | parameter | count | as many i32
//! numbers 64 type = 25 | length | parameter | count | as many i64
//! text       type = 4  | length | parameter | character set | length of text | text, padded
//! texts      type = 6  | length | parameter | character set | count | length of each | texts, padded
//! bytes      type = 9  | length | parameter | length of bytes | bytes, padded
//! conditions type = 13 | length = 20 | parameter | operator | value i32
//!            type = 14 | length | parameter | operator | character set | length of text | text, padded
//!            type = 15 | length | parameter | operator | length of bytes | bytes, padded
//! group      type = 20 | length = 16 | parameter | count of the parameters that follow and belong to it
//! ```
//!
//! Padding goes up to a multiple of 4. Integers are in the byte order that the message's encoding says. Texts
//! are taken as UTF-8, of which the characters of names and keywords are the same in most character sets;
//! others become replacement characters.

use mqi::constants::*;

use super::lengths::Lengths;

/// In which order the bytes of integers stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

/// A command, or an answer to one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its kind and its result.
    pub header: Header,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
}

/// The head of a message; the count of parameters is that of the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// An MQCFT_ value.
    pub kind: i32,
    /// 1 to 3.
    pub version: i32,
    /// An MQCMD_ value.
    pub command: i32,
    /// The number of this message among those that answer one command, from 1.
    pub sequence: i32,
    /// MQCFC_LAST or MQCFC_NOT_LAST.
    pub control: i32,
    /// An MQCC_ value.
    pub completion: i32,
    /// An MQRC_ or MQRCCF_ value.
    pub reason: i32,
}

/// One parameter: its number and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// An MQIA_, MQCA_, MQIACF_, MQCACF_ value or the like.
    pub identifier: i32,
    /// Its content.
    pub content: Content,
}

/// The content of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// MQCFIN.
    Integer(i32),
    /// MQCFIN64.
    Integer64(i64),
    /// MQCFIL.
    Integers(Vec<i32>),
    /// MQCFIL64.
    Integers64(Vec<i64>),
    /// MQCFST.
    Text(String),
    /// MQCFSL.
    Texts(Vec<String>),
    /// MQCFBS.
    Bytes(Vec<u8>),
    /// MQCFIF: an operator and a number.
    IntegerFilter(i32, i32),
    /// MQCFSF: an operator and a text.
    TextFilter(i32, String),
    /// MQCFBF: an operator and bytes.
    BytesFilter(i32, Vec<u8>),
    /// MQCFGR.
    Group(Vec<Parameter>),
}

/// Why bytes are not a message: the reason an answer gives, and what about it was wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("reason {reason} at byte {offset}")]
pub struct DecodeError {
    /// An MQRCCF_ value.
    pub reason: i32,
    /// Where the structure begins that is wrong.
    pub offset: usize,
    /// Its parameter, if it came to that.
    pub parameter: Option<i32>,
}

/// Most levels of groups in groups.
pub const NESTING_MAX: usize = 8;

impl ByteOrder {
    /// The order of this machine.
    pub const NATIVE: Self = if cfg!(target_endian = "big") { Self::Big } else { Self::Little };

    /// The order that an MQENC_ value says; none when it says neither.
    pub fn of_encoding(encoding: i32) -> Option<Self> {
        match encoding & MQENC_INTEGER_MASK {
            MQENC_INTEGER_NORMAL => Some(Self::Big),
            MQENC_INTEGER_REVERSED => Some(Self::Little),
            _ => None,
        }
    }
}

impl Header {
    /// The head of a command.
    pub fn command(command: i32) -> Self {
        Self {
            kind: MQCFT_COMMAND,
            version: MQCFH_VERSION_1,
            command,
            sequence: 1,
            control: MQCFC_LAST,
            completion: MQCC_OK,
            reason: MQRC_NONE,
        }
    }
}

impl Parameter {
    /// A parameter with this number.
    pub fn new(identifier: i32, content: Content) -> Self {
        Self { identifier, content }
    }

    /// A number.
    pub fn integer(identifier: i32, value: i32) -> Self {
        Self::new(identifier, Content::Integer(value))
    }

    /// A text.
    pub fn text(identifier: i32, text: impl Into<String>) -> Self {
        Self::new(identifier, Content::Text(text.into()))
    }
}

impl Message {
    /// The message as bytes, its texts as they are; they are said to be of the character set 1208.
    pub fn encode(&self, order: ByteOrder) -> Vec<u8> {
        self.encode_with(order, Lengths::AsGiven)
    }

    /// The message as bytes, its texts padded with blanks to these lengths.
    pub fn encode_with(&self, order: ByteOrder, lengths: Lengths) -> Vec<u8> {
        let mut writer = Writer { bytes: Vec::with_capacity(256), order, lengths };
        let Header { kind, version, command, sequence, control, completion, reason } = self.header;
        for number in
            [kind, MQCFH_STRUC_LENGTH as i32, version, command, sequence, control, completion, reason]
        {
            writer.integer(number);
        }
        writer.count(self.parameters.len());
        self.parameters.iter().for_each(|parameter| writer.parameter(parameter));
        writer.bytes
    }

    /// Reads a message: a header and as many parameters as it says, with nothing behind them.
    pub fn decode(bytes: &[u8], order: ByteOrder) -> Result<Self, DecodeError> {
        let mut reader = Reader { bytes, offset: 0, order };
        let short = DecodeError { reason: MQRCCF_MSG_LENGTH_ERROR, offset: 0, parameter: None };
        let mut field = || reader.integer().ok_or(short);
        let kind = field()?;
        let length = field()?;
        let mut header = Header::command(0);
        header.kind = kind;
        header.version = field()?;
        header.command = field()?;
        header.sequence = field()?;
        header.control = field()?;
        header.completion = field()?;
        header.reason = field()?;
        let count = field()?;
        if length != MQCFH_STRUC_LENGTH as i32 {
            return Err(DecodeError { reason: MQRCCF_CFH_LENGTH_ERROR, ..short });
        }
        if !(MQCFH_VERSION_1..=MQCFH_VERSION_3).contains(&header.version) {
            return Err(DecodeError { reason: MQRCCF_CFH_VERSION_ERROR, ..short });
        }
        let count = usize::try_from(count)
            .map_err(|_| DecodeError { reason: MQRCCF_CFH_PARM_COUNT_ERROR, ..short })?;
        let mut parameters = Vec::new();
        for _ in 0..count {
            if reader.offset == bytes.len() {
                return Err(DecodeError {
                    reason: MQRCCF_PARM_COUNT_TOO_BIG,
                    offset: reader.offset,
                    parameter: None,
                });
            }
            parameters.push(reader.parameter(0)?);
        }
        if reader.offset < bytes.len() {
            let reason = MQRCCF_PARM_COUNT_TOO_SMALL;
            return Err(DecodeError { reason, offset: reader.offset, parameter: None });
        }
        Ok(Self { header, parameters })
    }
}

struct Writer {
    bytes: Vec<u8>,
    order: ByteOrder,
    lengths: Lengths,
}

impl Writer {
    fn integer(&mut self, value: i32) {
        match self.order {
            ByteOrder::Big => self.bytes.extend(value.to_be_bytes()),
            ByteOrder::Little => self.bytes.extend(value.to_le_bytes()),
        }
    }

    fn integer64(&mut self, value: i64) {
        match self.order {
            ByteOrder::Big => self.bytes.extend(value.to_be_bytes()),
            ByteOrder::Little => self.bytes.extend(value.to_le_bytes()),
        }
    }

    fn count(&mut self, count: usize) {
        self.integer(i32::try_from(count).expect("messages are shorter than 2 GiB"));
    }

    fn head(&mut self, kind: i32, length: usize, identifier: i32) {
        self.integer(kind);
        self.count(length);
        self.integer(identifier);
    }

    /// Writes bytes and fills them up with zeros to a multiple of 4.
    fn filled(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let missing = filled(bytes.len()) - bytes.len();
        self.bytes.extend(std::iter::repeat_n(0, missing));
    }

    /// Writes texts of one parameter, each padded with blanks to the length, then fills up to a multiple of
    /// 4.
    fn texts<'text>(&mut self, texts: impl Iterator<Item = &'text str>, length: usize) {
        let start = self.bytes.len();
        for text in texts {
            self.bytes.extend(text.as_bytes());
            self.bytes.extend(std::iter::repeat_n(b' ', length.saturating_sub(text.len())));
        }
        let written = self.bytes.len() - start;
        self.bytes.extend(std::iter::repeat_n(0, filled(written) - written));
    }

    /// The length of a parameter's texts: the defined one, or that of the longest where there is none.
    fn length<'text>(&self, identifier: i32, texts: impl Iterator<Item = &'text str>) -> usize {
        let defined = self.lengths.of(identifier).unwrap_or(0);
        texts.map(str::len).max().unwrap_or(0).max(defined)
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let identifier = parameter.identifier;
        match &parameter.content {
            Content::Integer(value) => {
                self.head(MQCFT_INTEGER, 16, identifier);
                self.integer(*value);
            }
            Content::Integer64(value) => {
                self.head(MQCFT_INTEGER64, 24, identifier);
                self.integer(0);
                self.integer64(*value);
            }
            Content::Integers(values) => {
                self.head(MQCFT_INTEGER_LIST, 16 + 4 * values.len(), identifier);
                self.count(values.len());
                values.iter().for_each(|value| self.integer(*value));
            }
            Content::Integers64(values) => {
                self.head(MQCFT_INTEGER64_LIST, 16 + 8 * values.len(), identifier);
                self.count(values.len());
                values.iter().for_each(|value| self.integer64(*value));
            }
            Content::Text(text) => {
                let text = || std::iter::once(text.as_str());
                let length = self.length(identifier, text());
                self.head(MQCFT_STRING, 20 + filled(length), identifier);
                self.integer(CHARACTER_SET);
                self.count(length);
                self.texts(text(), length);
            }
            Content::Texts(texts) => {
                let each = || texts.iter().map(String::as_str);
                let length = self.length(identifier, each());
                self.head(MQCFT_STRING_LIST, 24 + filled(length * texts.len()), identifier);
                self.integer(CHARACTER_SET);
                self.count(texts.len());
                self.count(length);
                self.texts(each(), length);
            }
            Content::Bytes(bytes) => {
                self.head(MQCFT_BYTE_STRING, 16 + filled(bytes.len()), identifier);
                self.count(bytes.len());
                self.filled(bytes);
            }
            Content::IntegerFilter(operator, value) => {
                self.head(MQCFT_INTEGER_FILTER, 20, identifier);
                self.integer(*operator);
                self.integer(*value);
            }
            Content::TextFilter(operator, text) => {
                let text = || std::iter::once(text.as_str());
                let length = self.length(identifier, text());
                self.head(MQCFT_STRING_FILTER, 24 + filled(length), identifier);
                self.integer(*operator);
                self.integer(CHARACTER_SET);
                self.count(length);
                self.texts(text(), length);
            }
            Content::BytesFilter(operator, bytes) => {
                self.head(MQCFT_BYTE_STRING_FILTER, 20 + filled(bytes.len()), identifier);
                self.integer(*operator);
                self.count(bytes.len());
                self.filled(bytes);
            }
            Content::Group(parameters) => {
                self.head(MQCFT_GROUP, 16, identifier);
                self.count(parameters.len());
                parameters.iter().for_each(|parameter| self.parameter(parameter));
            }
        }
    }
}

/// UTF-8.
const CHARACTER_SET: i32 = 1208;

/// The length with what fills it up.
fn filled(length: usize) -> usize {
    length.next_multiple_of(4)
}

struct Reader<'bytes> {
    bytes: &'bytes [u8],
    offset: usize,
    order: ByteOrder,
}

impl Reader<'_> {
    fn array<const COUNT: usize>(&mut self) -> Option<[u8; COUNT]> {
        let taken = *self.bytes.get(self.offset..)?.first_chunk()?;
        self.offset += COUNT;
        Some(taken)
    }

    fn integer(&mut self) -> Option<i32> {
        let bytes = self.array()?;
        Some(match self.order {
            ByteOrder::Big => i32::from_be_bytes(bytes),
            ByteOrder::Little => i32::from_le_bytes(bytes),
        })
    }

    fn integer64(&mut self) -> Option<i64> {
        let bytes = self.array()?;
        Some(match self.order {
            ByteOrder::Big => i64::from_be_bytes(bytes),
            ByteOrder::Little => i64::from_le_bytes(bytes),
        })
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    fn text(&mut self, length: usize) -> Option<String> {
        let bytes = self.bytes.get(self.offset..)?.get(..length)?;
        self.offset += length;
        let text = String::from_utf8_lossy(bytes);
        Some(text.trim_end_matches(['\0', ' ']).to_owned())
    }

    fn raw(&mut self, length: usize) -> Option<Vec<u8>> {
        let bytes = self.bytes.get(self.offset..)?.get(..length)?;
        self.offset += length;
        Some(bytes.to_vec())
    }

    /// Reads one structure; it ends at its stated length, for any content.
    fn parameter(&mut self, depth: usize) -> Result<Parameter, DecodeError> {
        let start = self.offset;
        let fault = |reason, parameter| DecodeError { reason, offset: start, parameter };
        let short = fault(MQRCCF_MSG_LENGTH_ERROR, None);
        let kind = self.integer().ok_or(short)?;
        let length = self.count().ok_or(short)?;
        let identifier = self.integer().ok_or(short)?;
        let Some(length_error) = length_error(kind) else {
            return Err(fault(MQRCCF_STRUCTURE_TYPE_ERROR, Some(identifier)));
        };
        let wrong_length = fault(length_error, Some(identifier));
        let end = start.checked_add(length).filter(|end| *end <= self.bytes.len()).ok_or(wrong_length)?;
        let mut inside = Reader { bytes: &self.bytes[..end], offset: self.offset, order: self.order };
        let content = inside.content(kind).ok_or(wrong_length)?;
        if end < inside.offset || end - inside.offset > 3 {
            return Err(wrong_length);
        }
        self.offset = end;
        let content = match content {
            Read::Content(content) => content,
            Read::Group(count) => {
                if depth == NESTING_MAX {
                    return Err(fault(MQRCCF_CFGR_PARM_COUNT_ERROR, Some(identifier)));
                }
                let mut parameters = Vec::new();
                for _ in 0..count {
                    if self.offset == self.bytes.len() {
                        return Err(fault(MQRCCF_CFGR_PARM_COUNT_ERROR, Some(identifier)));
                    }
                    parameters.push(self.parameter(depth + 1)?);
                }
                Content::Group(parameters)
            }
        };
        Ok(Parameter { identifier, content })
    }

    fn content(&mut self, kind: i32) -> Option<Read> {
        Some(Read::Content(match kind {
            MQCFT_INTEGER => Content::Integer(self.integer()?),
            MQCFT_INTEGER64 => {
                self.integer()?;
                Content::Integer64(self.integer64()?)
            }
            MQCFT_INTEGER_LIST => {
                let count = self.count()?;
                Content::Integers((0..count).map(|_| self.integer()).collect::<Option<_>>()?)
            }
            MQCFT_INTEGER64_LIST => {
                let count = self.count()?;
                Content::Integers64((0..count).map(|_| self.integer64()).collect::<Option<_>>()?)
            }
            MQCFT_STRING => {
                self.integer()?;
                let length = self.count()?;
                Content::Text(self.text(length)?)
            }
            MQCFT_STRING_LIST => {
                self.integer()?;
                let (count, length) = (self.count()?, self.count()?);
                let total = count.checked_mul(length)?;
                // Texts of no length take no bytes, so their number bounds nothing.
                if total > self.bytes.len() - self.offset || length == 0 && count > 0 {
                    return None;
                }
                Content::Texts((0..count).map(|_| self.text(length)).collect::<Option<_>>()?)
            }
            MQCFT_BYTE_STRING => {
                let length = self.count()?;
                Content::Bytes(self.raw(length)?)
            }
            MQCFT_INTEGER_FILTER => Content::IntegerFilter(self.integer()?, self.integer()?),
            MQCFT_STRING_FILTER => {
                let operator = self.integer()?;
                self.integer()?;
                let length = self.count()?;
                Content::TextFilter(operator, self.text(length)?)
            }
            MQCFT_BYTE_STRING_FILTER => {
                let operator = self.integer()?;
                let length = self.count()?;
                Content::BytesFilter(operator, self.raw(length)?)
            }
            MQCFT_GROUP => return self.count().map(Read::Group),
            _ => return None,
        }))
    }
}

/// The content of a structure: a value, or the number of parameters that follow and belong to it.
enum Read {
    Content(Content),
    Group(usize),
}

/// The reason for a structure whose length is wrong; none when there is no such structure.
fn length_error(kind: i32) -> Option<i32> {
    Some(match kind {
        MQCFT_INTEGER | MQCFT_INTEGER64 => MQRCCF_CFIN_LENGTH_ERROR,
        MQCFT_INTEGER_LIST | MQCFT_INTEGER64_LIST => MQRCCF_CFIL_LENGTH_ERROR,
        MQCFT_STRING => MQRCCF_CFST_LENGTH_ERROR,
        MQCFT_STRING_LIST => MQRCCF_CFSL_LENGTH_ERROR,
        MQCFT_BYTE_STRING => MQRCCF_CFBS_LENGTH_ERROR,
        MQCFT_INTEGER_FILTER => MQRCCF_CFIF_LENGTH_ERROR,
        MQCFT_STRING_FILTER => MQRCCF_CFSF_LENGTH_ERROR,
        MQCFT_BYTE_STRING_FILTER => MQRCCF_CFBF_LENGTH_ERROR,
        MQCFT_GROUP => MQRCCF_CFGR_LENGTH_ERROR,
        _ => return None,
    })
}
