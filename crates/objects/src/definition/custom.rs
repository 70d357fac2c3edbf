//! CUSTOM: attributes as text, `KEYWORD(value) KEYWORD(value)`, for tools that do not know their keywords.
//!
//! An attribute given there acts as if it were given by itself, unless it is. What is not known there is kept and has no effect.

use crate::attributes::words::COUNT_MAX;

/// The value of an attribute in such a text.
fn find<'a>(custom: &'a str, keyword: &str) -> Option<&'a str> {
    let mut rest = custom;
    while let Some((name, behind)) = rest.split_once('(') {
        let (value, behind) = behind.split_once(')')?;
        if name.trim_matches([' ', ',']).eq_ignore_ascii_case(keyword) {
            return Some(value.trim_matches([' ', '\'']));
        }
        rest = behind;
    }
    None
}

/// CAPEXPRY in such a text, in tenths of a second; none without it or with NOLIMIT.
///
/// # Errors
/// What stands there instead of a value.
pub(super) fn expiry_max(custom: &str) -> Result<Option<u32>, &str> {
    let Some(value) = find(custom, "CAPEXPRY") else { return Ok(None) };
    if value.eq_ignore_ascii_case("NOLIMIT") {
        return Ok(None);
    }
    let tenths = value.parse().ok().filter(|tenths| (1..=COUNT_MAX.unsigned_abs()).contains(tenths));
    tenths.map_or(Err(value), |tenths| Ok(Some(tenths)))
}

#[cfg(test)]
mod tests {
    use super::expiry_max;

    #[test]
    fn an_expiry_is_found_among_other_attributes() {
        for (custom, expected) in [
            ("", Ok(None)),
            ("CAPEXPRY(600)", Ok(Some(600))),
            ("capexpry( 600 )", Ok(Some(600))),
            ("OWNER(me) CAPEXPRY(1)", Ok(Some(1))),
            ("OWNER(me),CAPEXPRY('20')", Ok(Some(20))),
            ("CAPEXPRY(NOLIMIT)", Ok(None)),
            ("CAPEXPRY(0)", Err("0")),
            ("CAPEXPRY(1000000000)", Err("1000000000")),
            ("CAPEXPRY(soon)", Err("soon")),
            ("CAPEXPRY(600", Ok(None)),
            ("NOCAPEXPRY(600)", Ok(None)),
            ("free text", Ok(None)),
        ] {
            assert_eq!(expiry_max(custom), expected, "{custom}");
        }
    }
}
