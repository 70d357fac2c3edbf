//! Attributes as MQINQ and MQSET pass them: numbers in one array, texts one behind the other, each at its
//! full width.

use mqi::{AttributeValue, Inquired, Reason, Selector};
use objects::ObjectType;
use objects::attributes::{self, Identifier, Kind, Subject};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Bytes of each attribute that is text, by its selector.
static WIDTHS: LazyLock<BTreeMap<i32, usize>> = LazyLock::new(|| {
    let rows = ObjectType::all().flat_map(|object_type| attributes::of(Subject::Object(object_type)));
    let width = |row: &attributes::Attribute| match (row.identifier, row.kind) {
        (
            Identifier::Selector(selector),
            Kind::Text { length_max } | Kind::Name { length_max } | Kind::Names { length_max, .. },
        ) => Some((selector, length_max)),
        (Identifier::Selector(_) | Identifier::Pcf(_), _) => None,
    };
    rows.filter_map(width).collect()
});

/// Width of an attribute.
///
/// # Errors
/// `MQRC_SELECTOR_ERROR` for a selector of no text.
fn width(selector: Selector) -> Result<usize, Reason> {
    WIDTHS.get(&selector.0).copied().ok_or(Reason::SELECTOR_ERROR)
}

/// Result of an inquiry for a C program.
pub(crate) struct Returned {
    pub(crate) integers: Vec<i32>,
    pub(crate) characters: Vec<u8>,
    /// True if texts were left out for lack of room.
    pub(crate) lacks_characters: bool,
}

/// Lays out inquired values for a C program: the names of a list one behind the other, all others padded. The
/// first text without room is left out as a whole, and so are those behind it.
pub(crate) fn returned(selectors: &[Selector], inquired: &Inquired, room: usize) -> Returned {
    let mut returned = Returned { integers: Vec::new(), characters: Vec::new(), lacks_characters: false };
    for (selector, value) in selectors.iter().zip(&inquired.values) {
        match value {
            AttributeValue::Integer(number) => returned.integers.push(*number),
            AttributeValue::Text(text) => {
                let width = width(*selector).unwrap_or_default();
                // A list of names is a multiple of the width, and none of it when it is empty.
                let is_list = text.len() > width || selector.0 == mqi::constants::MQCA_NAMES;
                let width = if is_list { text.len() } else { width };
                let start = returned.characters.len();
                returned.lacks_characters |= start + width > room;
                if !returned.lacks_characters {
                    returned.characters.extend_from_slice(text.as_bytes());
                    returned.characters.resize(start + width, b' ');
                }
            }
        }
    }
    returned
}

/// The values a program sets, from its arrays.
///
/// # Errors
/// `MQRC_SELECTOR_ERROR`, `MQRC_INT_ATTR_COUNT_ERROR` and `MQRC_CHAR_ATTR_LENGTH_ERROR` when there are fewer
/// values than selectors.
pub(crate) fn to_set(
    selectors: &[Selector],
    integers: &[i32],
    characters: &[u8],
) -> Result<Vec<(Selector, AttributeValue)>, Reason> {
    let (mut integers, mut characters) = (integers.iter(), characters);
    let value = |selector: &Selector| {
        if selector.is_integer() {
            let number = integers.next().ok_or(Reason::INT_ATTR_COUNT_ERROR)?;
            return Ok((*selector, AttributeValue::Integer(*number)));
        }
        let (text, rest) =
            characters.split_at_checked(width(*selector)?).ok_or(Reason::CHAR_ATTR_LENGTH_ERROR)?;
        characters = rest;
        let text = String::from_utf8_lossy(text);
        let text = text.split('\0').next().unwrap_or_default().trim_end_matches(' ');
        Ok((*selector, AttributeValue::Text(text.to_owned())))
    };
    selectors.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::{returned, to_set, width};
    use mqi::constants::{MQCA_Q_DESC, MQCA_Q_NAME, MQCA_TRIGGER_DATA, MQIA_INHIBIT_GET};
    use mqi::{AttributeValue, Inquired, Reason, Selector};

    #[test]
    fn texts_are_returned_at_their_width_in_the_order_asked() {
        let selectors = [Selector(MQCA_Q_DESC), Selector(MQIA_INHIBIT_GET), Selector(MQCA_Q_NAME)];
        let values = vec!["desc".into(), 1.into(), "Q".into()];
        let inquired = Inquired { values, warning: None };
        let both = format!("{:64}{:48}", "desc", "Q");
        for (room, expected, lacks) in
            [(200, &both[..], false), (112, &both, false), (111, &both[..64], true), (63, "", true)]
        {
            let found = returned(&selectors, &inquired, room);
            assert_eq!(found.integers, [1]);
            assert_eq!(found.characters, expected.as_bytes(), "in {room} bytes");
            assert_eq!(found.lacks_characters, lacks, "in {room} bytes");
        }
    }

    #[test]
    fn values_to_set_are_taken_from_both_arrays() {
        let selectors = [Selector(MQCA_TRIGGER_DATA), Selector(MQIA_INHIBIT_GET)];
        let text = format!("{:64}", "data");
        let expected = vec![
            (selectors[0], AttributeValue::Text("data".to_owned())),
            (selectors[1], AttributeValue::Integer(1)),
        ];
        assert_eq!(to_set(&selectors, &[1], text.as_bytes()), Ok(expected));
        assert_eq!(to_set(&selectors, &[1], b"data"), Err(Reason::CHAR_ATTR_LENGTH_ERROR));
        assert_eq!(to_set(&selectors, &[], text.as_bytes()), Err(Reason::INT_ATTR_COUNT_ERROR));
        assert_eq!(to_set(&[Selector(1_000_000)], &[], b""), Err(Reason::SELECTOR_ERROR));
        assert_eq!(width(Selector(MQCA_Q_NAME)), Ok(48));
    }
}
