//! CUSTOM: attributes as text, `KEYWORD(value) KEYWORD(value)`, for tools that do not know their keywords.
//!
//! An attribute given there acts as if it were given by itself, unless it is. Unknown attributes are kept and
//! have no effect.

use crate::attributes::words::COUNT_MAX;
use crate::attributes::{Attribute, Kind};

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

/// A numeric attribute in such a text, as it would be by itself; none without it.
///
/// # Errors
/// The text that stands there instead of a value.
pub(super) fn number<'a>(custom: &'a str, attribute: &Attribute) -> Result<Option<i32>, &'a str> {
    let Some(value) = find(custom, attribute.keyword) else { return Ok(None) };
    let has_numbers = !matches!(attribute.kind, Kind::Choice { .. });
    let number = value.parse().ok().filter(|number| has_numbers && (1..=COUNT_MAX).contains(number));
    attribute.word_value(&value.to_ascii_uppercase()).or(number).map(Some).ok_or(value)
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::attributes::{Subject, by_keyword};
    use crate::object_type::ObjectType;

    #[test]
    fn an_expiry_is_found_among_other_attributes() {
        let of = |object_type| by_keyword(Subject::Object(object_type), "CAPEXPRY").unwrap();
        for (custom, expected) in [
            ("", Ok(None)),
            ("CAPEXPRY(600)", Ok(Some(600))),
            ("capexpry( 600 )", Ok(Some(600))),
            ("OWNER(me) CAPEXPRY(1)", Ok(Some(1))),
            ("OWNER(me),CAPEXPRY('20')", Ok(Some(20))),
            ("CAPEXPRY(NoLimit)", Ok(Some(-1))),
            ("CAPEXPRY(ASPARENT)", Err("ASPARENT")),
            ("CAPEXPRY(0)", Err("0")),
            ("CAPEXPRY(1000000000)", Err("1000000000")),
            ("CAPEXPRY(soon)", Err("soon")),
            ("CAPEXPRY(600", Ok(None)),
            ("NOCAPEXPRY(600)", Ok(None)),
            ("free text", Ok(None)),
        ] {
            assert_eq!(number(custom, of(ObjectType::LocalQueue)), expected, "{custom}");
        }
        assert_eq!(number("CAPEXPRY(ASPARENT)", of(ObjectType::Topic)), Ok(Some(-2)));
        let row = by_keyword(Subject::Object(ObjectType::LocalQueue), "QUOTA").unwrap();
        for (custom, expected) in [
            ("CAPEXPRY(600) QUOTA(64)", Ok(Some(64))),
            ("QUOTA(nolimit)", Ok(Some(-1))),
            ("CAPEXPRY(600)", Ok(None)),
            ("QUOTA(0)", Err("0")),
            ("QUOTA(1.5)", Err("1.5")),
        ] {
            assert_eq!(number(custom, row), expected, "{custom}");
        }
        let row = by_keyword(Subject::Object(ObjectType::LocalQueue), "SYNCREQ").unwrap();
        for (custom, expected) in [
            ("CAPEXPRY(600) SYNCREQ(yes)", Ok(Some(1))),
            ("SYNCREQ(NO)", Ok(Some(0))),
            ("CAPEXPRY(600)", Ok(None)),
            ("SYNCREQ(1)", Err("1")),
            ("SYNCREQ(MAYBE)", Err("MAYBE")),
        ] {
            assert_eq!(number(custom, row), expected, "{custom}");
        }
    }
}
