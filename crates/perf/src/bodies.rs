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

const ARTICLES: [&str; 8] = ["bolt", "bracket", "cable", "filter", "gasket", "hinge", "relay", "valve"];

impl fmt::Display for Bodies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Filled => "",
            Self::Json => " of JSON",
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
        }
    }
}

fn json(bytes: usize) -> Vec<u8> {
    let mut text = format!("{HEAD}{}{LINES}", "0".repeat(tally::BODY_BYTES_MIN));
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    for number in 0_u32.. {
        // The same numbers each time, so that every run compresses alike.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = seed >> 33;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_their_length_and_are_json_with_and_without_a_mark() {
        for bytes in [JSON_BYTES_MIN, 65, 100, 200, 2_048, 20_480, 204_800] {
            let mut body = Bodies::Json.make(bytes);
            assert_eq!(body.len(), bytes);
            assert_eq!(body, Bodies::Json.make(bytes), "every run has the same");
            for (putter, sequence) in [(0, 0), (7, 1 << 40), (tally::PUTTER_MAX, tally::SEQUENCE_MAX)] {
                tally::mark(&mut body, putter, sequence);
                assert_eq!(tally::mark_of(&body).unwrap(), (putter, sequence));
                let read: serde_json::Value = serde_json::from_slice(&body).unwrap();
                assert!(read["lines"].is_array(), "{read}");
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
}
