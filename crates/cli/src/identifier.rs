//! Message and correlation identifiers as people type them.

/// Bytes of an identifier.
const LENGTH: usize = mqi::MessageId::LENGTH;

/// Reads 48 hexadecimal digits, or a text of at most 24 bytes, which is padded with zeros.
pub(crate) fn parse(text: &str) -> Result<[u8; LENGTH], String> {
    if text.is_empty() {
        return Err("an identifier cannot be empty".to_owned());
    }
    if let Ok(identifier) = text.parse::<mqi::MessageId>() {
        return Ok(*identifier.as_bytes());
    }
    if text.len() > LENGTH {
        return Err(format!(
            "the identifier \"{text}\" has {} bytes; write at most {LENGTH}, or {} hexadecimal digits",
            text.len(),
            LENGTH * 2
        ));
    }
    let mut bytes = [0; LENGTH];
    bytes[..text.len()].copy_from_slice(text.as_bytes());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn an_identifier_is_hexadecimal_or_a_short_text() {
        let mut order = [0; 24];
        order[..8].copy_from_slice(b"order-17");
        assert_eq!(parse("order-17"), Ok(order));
        assert_eq!(parse(&"AB".repeat(24)), Ok([0xAB; 24]));
        assert!(parse(&"x".repeat(25)).is_err());
        assert!(parse("").is_err());
    }
}
