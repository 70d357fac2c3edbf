//! Constants as macros.

use super::super::interface::Interface;
use super::{heading, place_of};
use crate::facts::Constant;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;

/// The widest name that values are still lined up behind.
const NAME_WIDTH: usize = 32;

/// Every constant of a header, the groups of the tables apart.
pub(super) fn declared(header: &str, interface: &Interface) -> Result<String> {
    let mut text = String::new();
    let mut group = "";
    for constant in interface.constants.iter().filter(|row| place_of(&row.name, &row.header) == header) {
        if constant.group != group {
            if !group.is_empty() {
                text.push('\n');
            }
            group = &constant.group;
            let _ = write!(text, "/* {}... */\n\n", group);
        }
        text.push_str(&macros(constant).with_context(|| constant.name.clone())?);
    }
    if !text.is_empty() {
        text = heading("Constants") + &text;
        text.push('\n');
    }
    Ok(text)
}

fn define(name: &str, value: &str) -> String {
    format!("#define {name:NAME_WIDTH$} {value}\n")
}

/// The macro of a constant, and for text its twin that initialises an array without a zero after it.
fn macros(constant: &Constant) -> Result<String> {
    let Constant { name, value, .. } = constant;
    Ok(match constant.c_type.as_str() {
        // A program may say which character set its texts are in, before it includes the header.
        "MQLONG" if name == "MQCCSI_APPL" => {
            format!("#if !defined({name})\n{}#endif\n", define(name, &number(name, value)?))
        }
        "MQLONG" | "MQHCONN" | "MQHOBJ" | "MQHMSG" | "int-length" => define(name, &number(name, value)?),
        "char" => {
            let code: u8 = value.parse()?;
            define(name, &lone_character(code))
        }
        "string" => {
            let mut text = define(name, &format!("\"{}\"", value.escape_default()));
            // Names and values of command messages have any length, and are no fields.
            if constant.header != "cmqpsc" {
                text.push_str(&define(&format!("{name}_ARRAY"), &characters(value.as_bytes())));
            }
            text
        }
        "charv-initialiser(string)" => {
            let text = value.escape_default();
            define(name, &format!("(MQPTR)(char *)\"{text}\", 0, 0, {}, MQCCSI_APPL", value.len()))
        }
        "bytes" => {
            let count = zeros(value)?;
            define(name, &format!("\"{}\"", "\\0".repeat(count)))
                + &define(&format!("{name}_ARRAY"), &characters(&vec![0; count]))
        }
        other => bail!("unknown C type {other}"),
    })
}

/// A number as a macro: a version must be what `#if` can compare, a mask whose highest bit is set has no
/// sign.
fn number(name: &str, value: &str) -> Result<String> {
    let number: i64 = value.parse()?;
    Ok(match i32::try_from(number) {
        Ok(number) if number < 0 && name.ends_with("_MASK") => {
            format!("{:#010X}", number.cast_unsigned()).replace("0X", "0x")
        }
        Ok(number) if number < 0 => format!("({number})"),
        Ok(number) => number.to_string(),
        Err(_) => bail!("{number} has more than 32 bits"),
    })
}

/// Characters between commas, as they initialise an array.
pub(super) fn characters(text: &[u8]) -> String {
    text.iter().map(|byte| character(*byte)).collect::<Vec<_>>().join(",")
}

/// A character that is a constant by itself. One that cannot be printed is hexadecimal, as readers of headers
/// without a compiler expect it.
fn lone_character(code: u8) -> String {
    match code {
        b' '..=b'~' => character(code),
        _ => format!("'\\x{code:02x}'"),
    }
}

pub(super) fn character(code: u8) -> String {
    match code {
        b'\'' | b'\\' => format!("'\\{}'", char::from(code)),
        b' '..=b'~' => format!("'{}'", char::from(code)),
        0 => "'\\0'".to_owned(),
        _ => format!("'\\{code:03o}'"),
    }
}

/// Counts the zero bytes that are written as `\x00\x00`.
fn zeros(value: &str) -> Result<usize> {
    let count = value.len() / 4;
    if *value != "\\x00".repeat(count) {
        bail!("only runs of zero bytes are expected, found {value}");
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::{character, lone_character, macros, number};
    use crate::facts::Constant;

    #[test]
    fn numbers_are_what_the_preprocessor_can_compare() {
        for (name, value, expected) in [
            ("MQMD_VERSION_2", "2", "2"),
            ("MQWI_UNLIMITED", "-1", "(-1)"),
            ("MQENC_RESERVED_MASK", "-4096", "0xFFFFF000"),
            ("MQENC_INTEGER_MASK", "15", "15"),
        ] {
            assert_eq!(number(name, value).ok().as_deref(), Some(expected), "{name}");
        }
        assert!(number("MQ_TOO_MUCH", "4294967296").is_err());
    }

    #[test]
    fn texts_have_a_twin_that_initialises_an_array() {
        let constant = |value: &str, c_type: &str, header: &str| Constant {
            name: "MQX_Y".into(),
            value: value.into(),
            group: "MQX_".into(),
            c_type: c_type.into(),
            header: header.into(),
        };
        let lines = |row: Constant| -> Vec<String> {
            let text = macros(&row).unwrap_or_default();
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
        };
        assert_eq!(
            lines(constant("A'", "string", "cmqc")),
            ["#define MQX_Y \"A\\'\"", "#define MQX_Y_ARRAY 'A','\\''"]
        );
        assert_eq!(lines(constant("Name", "string", "cmqpsc")), ["#define MQX_Y \"Name\""]);
        assert_eq!(
            lines(constant("\\x00\\x00", "bytes", "cmqc")),
            ["#define MQX_Y \"\\0\\0\"", "#define MQX_Y_ARRAY '\\0','\\0'"]
        );
        assert_eq!(
            (lone_character(25), lone_character(0), lone_character(32)),
            ("'\\x19'".into(), "'\\x00'".into(), "' '".into())
        );
        assert_eq!((character(12), character(32)), ("'\\014'".to_owned(), "' '".to_owned()));
    }
}
