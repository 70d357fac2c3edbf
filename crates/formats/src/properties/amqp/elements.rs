//! Maps and streams of JMS that programs of the interface put as XML, as values of AMQP.
//!
//! Always: a text that is no such XML is none of these, and stays the text that it is; each value costs its
//! length.

use amqp::Value;
use amqp::types::write::{put_list, put_map, put_scalar, put_string};

use crate::properties::folder::plain;

/// Appends the map or the list that a text with this outer element stands for; false where it is none, and
/// nothing is appended.
pub(super) fn put(out: &mut Vec<u8>, text: &str, element: &str) -> bool {
    let Some(elements) = read(text, element) else { return false };
    let count = elements.len() as u32;
    match element {
        "map" => {
            let mut names: Vec<&str> =
                elements.iter().filter_map(|element| element.name.as_deref()).collect();
            names.sort_unstable();
            let is_map = names.len() == elements.len() && names.windows(2).all(|pair| pair[0] != pair[1]);
            if is_map {
                put_map(out, count, |out| {
                    for Element { name, value } in &elements {
                        put_string(out, name.as_deref().unwrap_or_default());
                        out.extend_from_slice(value);
                    }
                });
            }
            is_map
        }
        _ => {
            put_list(out, count, |out| {
                elements.iter().for_each(|element| out.extend_from_slice(&element.value));
            });
            true
        }
    }
}

/// One value, encoded, and the name that it has in a map.
struct Element {
    name: Option<String>,
    value: Vec<u8>,
}

/// Reads `<map><elt name="a" dt='i4'>7</elt></map>`, and the like.
fn read(text: &str, element: &str) -> Option<Vec<Element>> {
    let (attributes, mut rest) = tag(text.trim(), element)?;
    let mut elements = Vec::new();
    if attributes.ends_with('/') {
        return rest.is_empty().then_some(elements);
    }
    loop {
        rest = rest.trim_start();
        if let Some(end) = rest.strip_prefix("</") {
            return (end.strip_prefix(element)?.trim_start() == ">").then_some(elements);
        }
        let (attributes, behind) = tag(rest, "elt")?;
        let (attributes, content) = match attributes.strip_suffix('/') {
            Some(attributes) => {
                rest = behind;
                (attributes, "")
            }
            None => {
                let (content, behind) = behind.split_once("</elt>")?;
                rest = behind;
                (attributes, content)
            }
        };
        elements.push(value(attributes, content)?);
    }
}

/// The attributes of a tag at the front of a text, and what is behind it.
fn tag<'t>(text: &'t str, name: &str) -> Option<(&'t str, &'t str)> {
    let (attributes, behind) = text.strip_prefix('<')?.strip_prefix(name)?.split_once('>')?;
    let is_named = attributes.is_empty() || attributes.starts_with(['/', ' ', '\t', '\r', '\n']);
    is_named.then_some((attributes, behind))
}

fn value(mut attributes: &str, content: &str) -> Option<Element> {
    let (mut name, mut kind, mut is_null) = (None, String::new(), false);
    loop {
        attributes = attributes.trim_start();
        if attributes.is_empty() {
            break;
        }
        let (key, behind) = attributes.split_once('=')?;
        let quote = behind.trim_start().chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (said, behind) = behind.trim_start()[1..].split_once(quote)?;
        let said = plain(said)?;
        match key.trim_end() {
            "name" => name = Some(said),
            "dt" => kind = said,
            "xsi:nil" => is_null = said == "true" || said == "1",
            _ => {}
        }
        attributes = behind;
    }
    let content = plain(content)?;
    let text = content.as_str();
    let bytes;
    let value = match kind.as_str() {
        _ if is_null => Value::Null,
        "" | "string" => Value::String(text),
        "boolean" => match text {
            "1" | "true" => Value::Boolean(true),
            "0" | "false" => Value::Boolean(false),
            _ => return None,
        },
        "i1" => Value::Byte(text.parse().ok()?),
        "i2" => Value::Short(text.parse().ok()?),
        "i4" | "int" => Value::Int(text.parse().ok()?),
        "i8" => Value::Long(text.parse().ok()?),
        "r4" => Value::Float(text.parse().ok()?),
        "r8" => Value::Double(text.parse().ok()?),
        "char" => Value::Char(only(text)?),
        "bin.hex" => {
            bytes = of_hex(text)?;
            Value::Binary(&bytes)
        }
        _ => return None,
    };
    let mut encoded = Vec::new();
    put_scalar(&mut encoded, &value);
    Some(Element { name, value: encoded })
}

fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn of_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let pairs = digits.len().is_multiple_of(2).then(|| digits.chunks(2))?;
    Some(pairs.map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

#[cfg(test)]
mod tests {
    use super::put;
    use amqp::Value;
    use amqp::types::one;

    fn values(text: &str, element: &str) -> Option<Vec<String>> {
        let mut out = Vec::new();
        if !put(&mut out, text, element) {
            assert!(out.is_empty(), "nothing is left behind");
            return None;
        }
        Some(match one(&out).unwrap().0 {
            Value::Map(entries) => entries.map(|(key, value)| format!("{key:?}={value:?}")).collect(),
            Value::List(items) => items.map(|value| format!("{value:?}")).collect(),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn elements_become_values_of_their_types() {
        for (element, expected) in [
            ("<elt>a &amp; b</elt>", "String(\"a & b\")"),
            ("<elt dt='string'></elt>", "String(\"\")"),
            ("<elt dt='boolean'>1</elt>", "Boolean(true)"),
            ("<elt dt=\"i1\">-7</elt>", "Byte(-7)"),
            ("<elt dt='i2'>7</elt>", "Short(7)"),
            ("<elt dt='i4'>7</elt>", "Int(7)"),
            ("<elt dt='i8'>7</elt>", "Long(7)"),
            ("<elt dt='r4'>1.5</elt>", "Float(1.5)"),
            ("<elt dt='r8'>-1.5</elt>", "Double(-1.5)"),
            ("<elt dt='char'>\u{e4}</elt>", "Char('\u{e4}')"),
            ("<elt dt='bin.hex'>00fF</elt>", "Binary([0, 255])"),
            ("<elt xsi:nil='true'></elt>", "Null"),
            ("<elt xsi:nil=\"true\"/>", "Null"),
        ] {
            let stream = format!(" <stream>\n {element} </stream>\n");
            assert_eq!(values(&stream, "stream"), Some(vec![expected.to_owned()]), "{element}");
        }
        let map = "<map><elt name=\"a\">text</elt><elt name='b' dt='i4'>7</elt></map>";
        let expected = ["String(\"a\")=String(\"text\")", "String(\"b\")=Int(7)"].map(str::to_owned);
        assert_eq!(values(map, "map"), Some(expected.to_vec()));
        assert_eq!((values("<map/>", "map"), values("<map></map>", "map")), (Some(vec![]), Some(vec![])));
    }

    #[test]
    fn a_text_that_is_none_of_these_stays_a_text() {
        for wrong in [
            "",
            "map",
            "<map>",
            "<mapped></mapped>",
            "<map><elt>no name</elt></map>",
            "<map><elt name='a'>1</elt><elt name='a'>2</elt></map>",
            "<map><elt name='a' dt='i4'>x</elt></map>",
            "<map><elt name='a' dt='i4'>99999999999</elt></map>",
            "<map><elt name='a' dt='none'>x</elt></map>",
            "<map><elt name='a'>&none;</elt></map>",
            "<map><elt name=a>x</elt></map>",
            "<map><elt name='a'>x</elt></map> behind",
            "<map><other name='a'>x</other></map>",
            "<map><elt name='a' dt='bin.hex'>0</elt></map>",
            "<map><elt name='a' dt='char'>xy</elt></map>",
        ] {
            assert_eq!(values(wrong, "map"), None, "{wrong}");
        }
    }
}
