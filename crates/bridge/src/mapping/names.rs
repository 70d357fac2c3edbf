//! Names of headers and names of properties.
//!
//! A property `usr.colour` is the header `colour`; of other folders the whole name is the header's. A
//! character that no name of a property has, as in `x-trace`, is `_x2D_` there: the hexadecimal number of the
//! character.
//!
//! Always: the header of a property leads back to it, or the property has none; a header that foreign
//! programs or the system itself give a meaning is never made of a property.

use mqi::properties::name as properties;

use super::form::{Form, Traits};

/// Beginning of the names of our headers.
pub(super) const OURS: &str = "ferry-";

/// The folder of properties of the bridge itself.
pub(super) const FOLDER: &str = "ferry.";

/// The name of the header of a property, by its full name; none where it needs another way.
pub(super) fn header_of(property: &str, form: Form) -> Option<String> {
    let name = match property.strip_prefix("usr.") {
        Some(name) if !name.contains('.') => name,
        _ => property,
    };
    let header = unescaped(name);
    (is_header(&header, &form.traits()) && property_of(&header) == property).then_some(header)
}

/// The full name of the property of a header.
pub(super) fn property_of(header: &str) -> String {
    let name = escaped(header);
    if name.contains('.') { name } else { format!("usr.{name}") }
}

/// Returns true if a header of this name can stand in the form and means nothing there.
fn is_header(name: &str, traits: &Traits) -> bool {
    let begins =
        |prefix: &str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let is_line = || name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
    !name.is_empty()
        && name.len() <= traits.name_bytes_max
        && !begins(OURS)
        && !begins(traits.reserved)
        && (traits.headers != super::form::HeaderKind::Line || is_line())
}

/// The name with every character that a name of a property cannot have at its place as a number.
fn escaped(header: &str) -> String {
    let mut name = String::with_capacity(header.len() + 8);
    let mut rest = header;
    let mut starts = true;
    while let Some(character) = rest.chars().next() {
        let is_point = character == '.' && !starts && rest.len() > 1;
        // What looks like a number, or would with the one behind it, would be read as one.
        if (is_point || is_plain(character, starts)) && !begins_number(rest) {
            name.push(character);
        } else {
            name.push_str(&format!("_x{:X}_", u32::from(character)));
        }
        starts = is_point;
        rest = &rest[character.len_utf8()..];
    }
    name
}

/// Returns true if a name of a property can have the character at this place.
fn is_plain(character: char, starts: bool) -> bool {
    let is_allowed = if starts { properties::is_start(character) } else { properties::is_part(character) };
    is_allowed && u32::from(character) <= 0xFFFF
}

/// Returns true if a text begins as a number does, and goes on with an underscore, or with a character whose
/// own number begins with one.
fn begins_number(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("_x") else { return false };
    let behind = digits.trim_start_matches(|digit: char| matches!(digit, '0'..='9' | 'A'..='F'));
    let next = behind.chars().next();
    behind.len() < digits.len() && next.is_some_and(|next| next == '_' || !is_plain(next, false))
}

/// The name of a property with such numbers as characters.
fn unescaped(name: &str) -> String {
    let mut header = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(character) = rest.chars().next() {
        let length = match number_at(rest) {
            Some((character, length)) => {
                header.push(character);
                length
            }
            None => {
                header.push(character);
                character.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    header
}

/// The character whose number stands at the front of a text, and the bytes of that.
fn number_at(text: &str) -> Option<(char, usize)> {
    let digits = text.strip_prefix("_x")?;
    let (digits, _) = digits.split_once('_')?;
    let is_written = (1..=6).contains(&digits.len())
        && (digits == "0" || !digits.starts_with('0'))
        && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    let character = if is_written { char::from_u32(u32::from_str_radix(digits, 16).ok()?) } else { None };
    character.map(|character| (character, digits.len() + 3))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn headers_are_properties_and_what_no_property_has_is_a_number() {
        for (header, property) in [
            ("colour", "usr.colour"),
            ("shop.item", "shop.item"),
            ("x-trace-id", "usr.x_x2D_trace_x2D_id"),
            ("1st", "usr._x31_st"),
            ("a b", "usr.a_x20_b"),
            ("gr\u{f6}\u{df}e", "usr.gr\u{f6}\u{df}e"),
            ("\u{1F600}", "usr._x1F600_"),
            (".a", "usr._x2E_a"),
            ("a.", "usr.a_x2E_"),
            ("a..b", "a._x2E_b"),
            ("a_x2D_b", "usr.a_x5F_x2D_b"),
            ("", "usr."),
        ] {
            assert_eq!(property_of(header), property, "{header}");
            assert_eq!(unescaped(&escaped(header)), header, "{header}");
        }
        assert_eq!(header_of("usr.x_x2D_trace", Form::Kafka).as_deref(), Some("x-trace"));
        assert_eq!(header_of("usr.a.b", Form::Kafka).as_deref(), Some("usr.a.b"));
    }

    #[test]
    fn a_property_takes_no_header_that_means_something() {
        for (property, form) in [
            ("usr.ferry_x2D_user", Form::Kafka),
            ("usr.FERRY_x2D_user", Form::Amqp),
            ("usr.Nats_x2D_Msg_x2D_Id", Form::Nats),
            ("usr.gr\u{f6}\u{df}e", Form::Nats),
            ("usr.x_x2D_delay", Form::RabbitMq),
            ("usr.JMS_IBM_Format", Form::Amqp),
            // Made otherwise than by a foreign name.
            ("usr.a_x5F_b", Form::Kafka),
            ("usr.a-b", Form::Kafka),
        ] {
            assert_eq!(header_of(property, form), None, "{property}");
        }
        let long = format!("usr.{}", "n".repeat(256));
        assert_eq!(header_of(&long, Form::RabbitMq), None);
        assert!(header_of(&long, Form::Kafka).is_some());
    }

    proptest! {
        #[test]
        fn every_header_comes_back_from_its_property(header in ".{1,40}|[a_x5F2D.-]{1,20}") {
            let property = property_of(&header);
            prop_assert_eq!(&unescaped(&escaped(&header)), &header);
            if let Some(back) = header_of(&property, Form::Kafka) {
                prop_assert_eq!(back, header);
            }
        }

        #[test]
        fn the_header_of_a_property_leads_back_to_it(name in "(usr|shop)(\\.[a-z_x5F2D$]{1,12}){1,3}") {
            for form in Form::ALL {
                if let Some(header) = header_of(&name, form) {
                    prop_assert_eq!(property_of(&header), name.clone());
                }
            }
        }
    }
}
