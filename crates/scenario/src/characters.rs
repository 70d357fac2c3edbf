//! MQXCNVC in a scenario: characters from one set to another.
//!
//! | verb | words that may follow |
//! |---|---|
//! | `convert "TEXT" 819 37`, `convert hex C1C2 37 819` | `buffer N`, options by name: `+MQDCC_FILL_TARGET_BUFFER` |
//!
//! The text, or the bytes, are in the first set. The result is `hex C1C2` or a reason.

use bytes::Bytes;
use mqi::properties::bytes_from_hex;
use mqi::{Characters, Reason};

use super::call::{Reply, Word, Words};
use super::fields;

/// A conversion that a client asks for.
#[derive(Clone, Debug)]
pub struct Conversion {
    pub(super) options: i32,
    pub(super) bytes: Bytes,
    pub(super) from: i32,
    pub(super) to: i32,
    pub(super) bytes_max: usize,
}

/// Enough for any conversion that does not ask for a buffer of its own.
const BUFFER_BYTES: usize = 1 << 10;

impl Conversion {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, String> {
        let bytes = match words.next() {
            Some(Word::Quoted(text)) => Bytes::copy_from_slice(text.as_bytes()),
            Some(Word::Plain("hex")) => {
                bytes_from_hex(words.plain("bytes")?).ok_or("not hexadecimal digits")?.into()
            }
            other => return Err(format!("expected characters, found {other:?}")),
        };
        let mut set = |what: &str| fields::number(words.plain(what)?);
        let (from, to) = (set("a character set")?, set("another character set")?);
        let mut conversion = Self { options: 0, bytes, from, to, bytes_max: BUFFER_BYTES };
        while let Some(word) = words.next() {
            match word {
                Word::Plain("buffer") => {
                    let word = words.plain("a buffer length")?;
                    conversion.bytes_max = word.parse().map_err(|_| format!("not a length: {word}"))?;
                }
                Word::Plain(word) if word.starts_with("+MQDCC_") => {
                    conversion.options |= fields::option(&word[1..])?.1;
                }
                other => return Err(format!("a conversion does not know {other:?}")),
            }
        }
        Ok(conversion)
    }

    /// Makes the call by what converts characters over a connection.
    pub(super) fn make(
        &self,
        convert: impl FnOnce(i32, Characters<'_>, i32, usize) -> Result<Bytes, Reason>,
    ) -> Reply {
        let from = Characters { ccsid: self.from, bytes: &self.bytes };
        match convert(self.options, from, self.to, self.bytes_max) {
            Ok(bytes) => Reply::Facts { facts: vec![hexadecimal(&bytes)], reason: None },
            Err(reason) => Reply::Refused(reason),
        }
    }
}

/// The fact that a conversion tells.
pub(super) fn hexadecimal(bytes: &[u8]) -> (String, String) {
    ("hex".to_owned(), bytes.iter().map(|byte| format!("{byte:02X}")).collect())
}
