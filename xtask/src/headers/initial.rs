//! The initial values of a structure's fields, as the tables write them.

use anyhow::{Context, Result, bail};

/// The value, whatever the language that will write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Initial {
    /// A pointer to nothing.
    Null,
    /// A pointer to no function.
    NoFunction,
    Number(i64),
    Numbers(Vec<i64>),
    /// Characters, as many as the field has.
    Text(Vec<u8>),
    /// One character that is no array.
    Character(u8),
    /// Bytes, each zero, and how many.
    Zeros(usize),
}

impl Initial {
    pub(super) fn parse(c_type: &str, value: &str) -> Result<Self> {
        if value == "NULL" && c_type.starts_with("PMQ_") {
            return Ok(Self::NoFunction);
        }
        if value == "NULL" || (c_type == "MQHCONFIG" && value == "0*8") {
            return Ok(Self::Null);
        }
        if c_type == "MQCHAR" {
            return match text(value)?.as_slice() {
                [character] => Ok(Self::Character(*character)),
                _ => bail!("more than one character"),
            };
        }
        if c_type.starts_with("MQCHAR") {
            let text = text(value)?;
            let length = length_of_characters(c_type)?;
            if text.len() != length {
                bail!("{} characters for {length}", text.len());
            }
            return Ok(Self::Text(text));
        }
        if let Some(count) = value.strip_prefix("0*") {
            let count: usize = count.parse()?;
            // The table counts bytes; a 64-bit number has eight.
            return if c_type.starts_with("MQINT64") {
                Ok(Self::Numbers(vec![0; count / 8]))
            } else {
                Ok(Self::Zeros(count))
            };
        }
        let numbers = value.split(' ').map(str::parse).collect::<Result<Vec<i64>, _>>()?;
        match numbers.as_slice() {
            [number] if !c_type.ends_with(']') => Ok(Self::Number(*number)),
            _ => Ok(Self::Numbers(numbers)),
        }
    }
}

fn length_of_characters(c_type: &str) -> Result<usize> {
    let digits = c_type.trim_start_matches("MQCHAR").trim_matches(['[', ']']);
    digits.parse().with_context(|| format!("{c_type} says no length"))
}

/// Reads pieces joined by `+`, each a text in quotes or `\0`, perhaps repeated by `*N`.
fn text(value: &str) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for piece in value.split('+') {
        let (piece, count) = match piece.rsplit_once('*') {
            Some((piece, count)) if count.bytes().all(|byte| byte.is_ascii_digit()) => {
                (piece, count.parse()?)
            }
            _ => (piece, 1),
        };
        let quoted = piece.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let piece = match (piece, quoted) {
            ("\\0", _) => &[0],
            (_, Some(quoted)) => quoted.as_bytes(),
            _ => bail!("{piece} is neither text in quotes nor \\0"),
        };
        text.extend(piece.repeat(count));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::Initial;

    #[test]
    fn initial_values_are_read_as_the_table_writes_them() {
        let text = |text: &[u8]| Initial::Text(text.to_vec());
        for (c_type, value, expected) in [
            ("MQCHAR4", r#""MD  ""#, text(b"MD  ")),
            ("MQCHAR8", r#"" "*8"#, text(b"        ")),
            ("MQCHAR[1]", r"\0", text(&[0])),
            ("MQCHAR8", r#""AMQ.*"+\0*3"#, text(b"AMQ.*\0\0\0")),
            ("MQCHAR", r#""C""#, Initial::Character(b'C')),
            ("MQBYTE24", "0*24", Initial::Zeros(24)),
            ("MQINT64[1]", "0*8", Initial::Numbers(vec![0])),
            ("MQHCONFIG", "0*8", Initial::Null),
            ("MQPTR", "NULL", Initial::Null),
            ("PMQ_GET_CALL", "NULL", Initial::NoFunction),
            ("MQLONG", "-1", Initial::Number(-1)),
            ("MQLONG[1]", "0", Initial::Numbers(vec![0])),
            ("MQLONG[2]", "0 -1", Initial::Numbers(vec![0, -1])),
        ] {
            assert_eq!(Initial::parse(c_type, value).ok(), Some(expected), "{c_type} {value}");
        }
        assert!(Initial::parse("MQCHAR4", r#""MD ""#).is_err());
    }
}
