//! Sets with one byte a character, read from the table of facts when they are first used.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::losses::Losses;

/// One line a set: its number, then four hexadecimal digits for each byte, `----` where it is no character.
pub(super) const FACTS: &str = include_str!("../../facts/single_byte.txt");

/// One set.
#[derive(Debug)]
pub(super) struct SingleByte {
    ccsid: i32,
    characters: [Option<char>; 256],
    /// Characters and their bytes, ascending.
    bytes: Vec<(char, u8)>,
    /// True if the first half is ASCII, so that such texts are read without the table.
    begins_as_ascii: bool,
}

/// The table of a number, if it is a single-byte set.
pub(super) fn by_ccsid(ccsid: i32) -> Option<&'static SingleByte> {
    static SETS: OnceLock<Vec<SingleByte>> = OnceLock::new();
    let sets = SETS.get_or_init(|| FACTS.lines().map(SingleByte::read).collect());
    sets.binary_search_by_key(&ccsid, |set| set.ccsid).ok().map(|index| &sets[index])
}

impl SingleByte {
    fn read(line: &str) -> Self {
        let (ccsid, codes) = line.split_once(' ').expect("a line has a number and codes");
        let code = |byte: usize| u32::from_str_radix(&codes[4 * byte..4 * byte + 4], 16).ok();
        let mut characters = [None; 256];
        let mut bytes = Vec::with_capacity(256);
        for (byte, character) in characters.iter_mut().enumerate() {
            *character = code(byte).and_then(char::from_u32);
            bytes.extend(character.map(|character| (character, byte as u8)));
        }
        bytes.sort_unstable();
        let begins_as_ascii = (0..128_u8).all(|byte| characters[usize::from(byte)] == Some(char::from(byte)));
        let ccsid = ccsid.parse().expect("a line begins with a number");
        Self { ccsid, characters, bytes, begins_as_ascii }
    }

    pub(super) fn decode<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, Losses) {
        if self.begins_as_ascii
            && let (true, Ok(text)) = (bytes.is_ascii(), std::str::from_utf8(bytes))
        {
            return (Cow::Borrowed(text), Losses::default());
        }
        let mut losses = Losses::default();
        let text = bytes.iter().map(|byte| {
            self.characters[usize::from(*byte)].unwrap_or_else(|| {
                losses.malformed += 1;
                char::REPLACEMENT_CHARACTER
            })
        });
        let text: String = text.collect();
        (Cow::Owned(text), losses)
    }

    pub(super) fn byte_of(&self, character: char) -> Option<u8> {
        let index = self.bytes.binary_search_by_key(&character, |(character, _)| *character).ok()?;
        Some(self.bytes[index].1)
    }

    /// Byte that replaces a character the set does not have: its SUB, as converters of the family write.
    pub(super) fn substitute(&self) -> u8 {
        self.byte_of('\u{1A}').unwrap_or(b'?')
    }
}
