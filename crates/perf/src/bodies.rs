//! Bodies of messages, whose content says how well they compress.
//!
//! Always: a body has exactly the bytes asked for, and room for a mark at the place that `tally` looks for
//! it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tally;

/// The content of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bodies {
    /// One byte again and again.
    #[default]
    Filled,
    /// An order as JSON text: names that repeat, and numbers that do not.
    Json,
    /// Records as JSON text: keys that repeat, words of a vocabulary, and references that never repeat.
    Records,
}

/// Fewest bytes of a body of JSON: its mark and the end.
pub const JSON_BYTES_MIN: usize = 64;

/// The beginning of a body of JSON, the mark behind it.
const HEAD: &str = tally::JSON_HEAD;

/// Between the mark and the lines of an order.
const LINES: &str = "\",\"lines\":[";

/// Before the blanks that fill a body up, and behind them.
const FILL: &str = "],\"note\":\"";
const END: &str = "\"}";

/// Words of the vocabulary of records. A body of 2 KB repeats few of them, one of 20 KB most.
const VOCABULARY_WORDS: u64 = 300;

/// Words of the remark of a record.
const REMARK_WORDS: usize = 19;

/// Characters of references, which are spread evenly over 62 of them.
const REFERENCE_CHARACTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const ARTICLES: [&str; 8] = ["bolt", "bracket", "cable", "filter", "gasket", "hinge", "relay", "valve"];

impl fmt::Display for Bodies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Filled => "",
            Self::Json => " of JSON",
            Self::Records => " of JSON records",
        })
    }
}

impl Bodies {
    /// Returns true for the content that there is unless another is asked for.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(crate) fn are_filled(&self) -> bool {
        *self == Self::Filled
    }

    /// A body of so many bytes; one of JSON has at least [`JSON_BYTES_MIN`].
    #[must_use]
    pub fn make(self, bytes: usize) -> Vec<u8> {
        match self {
            Self::Filled => vec![0x5A; bytes],
            Self::Json => json(bytes),
            Self::Records => records(bytes),
        }
    }
}

fn json(bytes: usize) -> Vec<u8> {
    let mut text = format!("{HEAD}{}{LINES}", "0".repeat(tally::BODY_BYTES_MIN));
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    for number in 0_u32.. {
        let random = numbers.next();
        let separator = if number == 0 { "" } else { "," };
        let article = ARTICLES[(random % 8) as usize];
        let (quantity, cents) = (random % 97 + 1, random % 100_003);
        let line = format!(
            "{separator}{{\"article\":\"{article}-{}\",\"quantity\":{quantity},\"price\":\"{}.{:02}\"}}",
            random % 9_973,
            cents / 100,
            cents % 100
        );
        if text.len() + line.len() + FILL.len() + END.len() > bytes {
            break;
        }
        text.push_str(&line);
    }
    text.push_str(FILL);
    let blanks = bytes.saturating_sub(text.len() + END.len());
    text.push_str(&" ".repeat(blanks));
    text.push_str(END);
    text.into_bytes()
}

/// The same numbers each time, so that every run compresses alike.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// So many characters that look like nothing before them.
    fn reference(&mut self, characters: usize) -> String {
        (0..characters).map(|_| char::from(REFERENCE_CHARACTERS[(self.next() % 62) as usize])).collect()
    }

    /// A word of the vocabulary: five to nine letters, which the number of the word decides.
    fn word(&mut self) -> String {
        let mut letters = Self((self.next() % VOCABULARY_WORDS) << 40);
        let length = 5 + letters.next() % 5;
        (0..length).map(|_| char::from(b'a' + (letters.next() % 26) as u8)).collect()
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }
}

/// Records of some 330 bytes: a fifth are keys, half are words, the rest are references and amounts. The last
/// remark goes on to the end, so that nothing but records is in the body.
fn records(bytes: usize) -> Vec<u8> {
    let mut text = format!("{HEAD}{}{LINES}", "0".repeat(tally::BODY_BYTES_MIN));
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    for number in 0_u32.. {
        let separator = if number == 0 { "" } else { "," };
        let record = format!(
            "{separator}{{\"order\":\"{}\",\"customer\":\"{}\",\"reference\":\"{}\",\"total\":\"{}.{:02}\",\"remark\":\"{}\"}}",
            numbers.reference(20),
            numbers.words(2),
            numbers.reference(24),
            numbers.next() % 1_000_000,
            numbers.next() % 100,
            numbers.words(REMARK_WORDS),
        );
        if text.len() + record.len() + FILL.len() + END.len() > bytes {
            break;
        }
        text.push_str(&record);
    }
    text.push_str(FILL);
    let end = bytes.saturating_sub(END.len());
    while text.len() < end {
        text.push_str(&numbers.word());
        text.push(' ');
    }
    text.truncate(end.max(HEAD.len()));
    text.push_str(END);
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_their_length_and_are_json_with_and_without_a_mark() {
        for bytes in [JSON_BYTES_MIN, 65, 100, 200, 2_048, 20_480, 204_800] {
            for bodies in [Bodies::Json, Bodies::Records] {
                let mut body = bodies.make(bytes);
                assert_eq!(body.len(), bytes);
                assert_eq!(body, bodies.make(bytes), "every run has the same");
                for (putter, sequence) in [(0, 0), (7, 1 << 40), (tally::PUTTER_MAX, tally::SEQUENCE_MAX)] {
                    tally::mark(&mut body, putter, sequence);
                    assert_eq!(tally::mark_of(&body).unwrap(), (putter, sequence));
                    let read: serde_json::Value = serde_json::from_slice(&body).unwrap();
                    assert!(read["lines"].is_array(), "{read}");
                }
            }
        }
        assert_eq!(Bodies::Filled.make(16), [0x5A; 16]);
    }

    #[test]
    fn a_larger_body_has_more_lines() {
        let lines = |bytes| {
            let read: serde_json::Value = serde_json::from_slice(&Bodies::Json.make(bytes)).unwrap();
            read["lines"].as_array().map_or(0, Vec::len)
        };
        assert!(lines(2_048) > 20 && lines(20_480) > 9 * lines(2_048), "{} {}", lines(2_048), lines(20_480));
    }

    #[test]
    fn records_have_words_that_come_again_and_references_that_do_not() {
        let read: serde_json::Value = serde_json::from_slice(&Bodies::Records.make(204_800)).unwrap();
        let lines = read["lines"].as_array().unwrap();
        assert!((500..800).contains(&lines.len()), "{}", lines.len());
        let texts = |key: &str| -> Vec<String> {
            lines.iter().map(|line| line[key].as_str().unwrap().to_owned()).collect()
        };
        let remarks = texts("remark").join(" ");
        let words: std::collections::BTreeSet<&str> = remarks.split(' ').collect();
        assert!((250..=300).contains(&words.len()), "{}", words.len());
        let references: std::collections::BTreeSet<String> = texts("reference").into_iter().collect();
        assert_eq!(references.len(), lines.len());
    }
}
