//! Mixed EBCDIC sets: characters of one byte, and between shift-out and shift-in characters of two, read
//! from the table of facts when they are first used.
//!
//! ```text
//! single CCSID PLANE   four digits a byte, `----` where it is no character of one byte
//! row PLANE LEAD       from trail 40: four digits a character, `+NN` for NN that follow on,
//!                      `-NN` for NN without one
//! also PLANE CHARACTER CODE   a character that is written as the code of another
//! digest CCSID READS WRITES   of all answers of the source of these facts, for the tests
//! ```
//!
//! Always: a text begins in the state of one byte, and a written one ends in it; the end of a text that is
//! read ends a shift, as in the source, but a half character is malformed.

use std::sync::OnceLock;

use super::losses::Losses;

/// Written by `facts/character_sets.py` from the converters of ICU.
pub(super) const FACTS: &str = include_str!("../../facts/mixed.txt");

const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;
/// The first value of a lead and of a trail.
const PAIRS_FROM: u8 = 0x40;
/// Stands for a character the set does not have: the SUB of one byte.
const SUBSTITUTE: u8 = 0x3F;
/// No character, and no code.
const NONE: u16 = 0;

/// Numbers that go by the table of another: they differ in how many characters a user may define.
const LIKE: [(i32, i32); 2] = [(5026, 930), (5035, 939)];

/// One set.
#[derive(Debug)]
pub(super) struct Mixed {
    single: [Option<char>; 256],
    /// Characters of one byte, ascending, and their bytes.
    bytes: Vec<(char, u8)>,
    plane: &'static Plane,
}

/// Characters of two bytes, all of them of the first plane of Unicode.
#[derive(Debug)]
struct Plane {
    /// By code; `NONE` where there is no character.
    characters: Box<[u16]>,
    /// By character; `NONE` where there is no code.
    codes: Box<[u16]>,
}

/// One state of reading and writing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shift {
    In,
    Out,
}

/// The table of a number, if it is a mixed set.
pub(super) fn by_ccsid(ccsid: i32) -> Option<&'static Mixed> {
    static JAPANESE: OnceLock<Plane> = OnceLock::new();
    static CHINESE: OnceLock<Plane> = OnceLock::new();
    static SETS: [OnceLock<Mixed>; 3] = [const { OnceLock::new() }; 3];
    let ccsid = LIKE.iter().find(|(like, _)| *like == ccsid).map_or(ccsid, |(_, table)| *table);
    let (set, plane, number) = match ccsid {
        930 => (&SETS[0], &JAPANESE, "300"),
        939 => (&SETS[1], &JAPANESE, "300"),
        1388 => (&SETS[2], &CHINESE, "4933"),
        _ => return None,
    };
    Some(set.get_or_init(|| Mixed::read(ccsid, plane.get_or_init(|| Plane::read(number)))))
}

/// The words behind a kind and a first word, of every line that begins with both.
fn lines(kind: &str, first: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    FACTS.lines().filter_map(move |line| {
        let (second, third) = line
            .strip_prefix(kind)?
            .strip_prefix(' ')?
            .strip_prefix(first)?
            .strip_prefix(' ')?
            .split_once(' ')?;
        Some((second, third))
    })
}

fn hexadecimal(digits: &str) -> u16 {
    u16::from_str_radix(digits, 16).expect("the facts have hexadecimal digits here")
}

impl Mixed {
    fn read(ccsid: i32, plane: &'static Plane) -> Self {
        let (_, codes) = lines("single", &ccsid.to_string()).next().expect("each set has a line");
        let mut single = [None; 256];
        let mut bytes = Vec::with_capacity(256);
        for (byte, character) in (0..=255).zip(&mut single) {
            let at = 4 * usize::from(byte);
            *character = u32::from_str_radix(&codes[at..at + 4], 16).ok().and_then(char::from_u32);
            bytes.extend(character.map(|character| (character, byte)));
        }
        bytes.sort_unstable();
        Self { single, bytes, plane }
    }

    pub(super) fn decode(&self, bytes: &[u8]) -> (String, Losses) {
        let mut losses = Losses::default();
        let mut text = String::with_capacity(bytes.len());
        let mut shift = Shift::In;
        let mut rest = bytes;
        while let [first, behind @ ..] = rest {
            rest = behind;
            let character = match (*first, shift) {
                (SHIFT_OUT, _) => {
                    shift = Shift::Out;
                    continue;
                }
                (SHIFT_IN, _) => {
                    shift = Shift::In;
                    continue;
                }
                (byte, Shift::In) => self.single[usize::from(byte)],
                (lead, Shift::Out) => match behind {
                    // A byte that is no trail is read again: it may be the shift that a cut text lacks.
                    [trail, behind @ ..] if lead >= PAIRS_FROM && *trail >= PAIRS_FROM => {
                        rest = behind;
                        self.plane.character(u16::from_be_bytes([lead, *trail]))
                    }
                    _ => None,
                },
            };
            losses.malformed += usize::from(character.is_none());
            text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        (text, losses)
    }

    pub(super) fn encode(&self, text: &str) -> (Vec<u8>, Losses) {
        let mut losses = Losses::default();
        let mut bytes = Vec::with_capacity(text.len());
        let mut shift = Shift::In;
        for character in text.chars() {
            let byte = self.byte_of(character);
            let code = if byte.is_none() { self.plane.code(character) } else { None };
            losses.substituted += usize::from(byte.is_none() && code.is_none());
            let wanted = if code.is_some() { Shift::Out } else { Shift::In };
            if shift != wanted {
                bytes.push(if wanted == Shift::Out { SHIFT_OUT } else { SHIFT_IN });
                shift = wanted;
            }
            match code {
                Some(code) => bytes.extend(code.to_be_bytes()),
                None => bytes.push(byte.unwrap_or(SUBSTITUTE)),
            }
        }
        if shift == Shift::Out {
            bytes.push(SHIFT_IN);
        }
        (bytes, losses)
    }

    fn byte_of(&self, character: char) -> Option<u8> {
        let index = self.bytes.binary_search_by_key(&character, |(character, _)| *character).ok()?;
        Some(self.bytes[index].1)
    }
}

impl Plane {
    fn read(number: &str) -> Self {
        let mut plane = Self {
            characters: vec![NONE; 1 << 16].into_boxed_slice(),
            codes: vec![NONE; 1 << 16].into_boxed_slice(),
        };
        for (lead, row) in lines("row", number) {
            let mut code = hexadecimal(lead) << 8 | u16::from(PAIRS_FROM);
            let mut last = NONE;
            let mut rest = row;
            while !rest.is_empty() {
                let (token, behind) = rest.split_at(if rest.starts_with(['+', '-']) { 3 } else { 4 });
                rest = behind;
                if let Some(count) = token.strip_prefix('-') {
                    code = code.wrapping_add(hexadecimal(count));
                    continue;
                }
                let run = token.strip_prefix('+').map(hexadecimal);
                let characters = match run {
                    Some(count) => last + 1..=last + count,
                    None => hexadecimal(token)..=hexadecimal(token),
                };
                for character in characters {
                    plane.characters[usize::from(code)] = character;
                    plane.codes[usize::from(character)] = code;
                    (code, last) = (code.wrapping_add(1), character);
                }
            }
        }
        for (character, code) in lines("also", number) {
            plane.codes[usize::from(hexadecimal(character))] = hexadecimal(code);
        }
        plane
    }

    fn character(&self, code: u16) -> Option<char> {
        let character = self.characters[usize::from(code)];
        if character == NONE { None } else { char::from_u32(u32::from(character)) }
    }

    fn code(&self, character: char) -> Option<u16> {
        let code = self.codes[usize::from(u16::try_from(u32::from(character)).ok()?)];
        (code != NONE).then_some(code)
    }
}
