//! mqrc: the names of reason codes.

use mqi::constants;

use super::tool::{Answer, Tool, Trouble, ended};
use super::words::Typed;
use terminal::output;

pub(super) const EXPLAIN: Tool = Tool {
    name: "mqrc",
    usage: "[-a] [-b] CODE...   (2033, 0x7f1, MQRC_NO_MSG_AVAILABLE)",
    options: &["a", "b"],
    misuse: NOT_FOUND,
    run: explain,
};

const NOT_FOUND: u8 = 1;

/// Beginnings of reason codes of calls and of commands.
const PREFIXES: [&str; 2] = ["MQRC_", "MQRCCF_"];

fn explain(typed: &Typed) -> Answer {
    if typed.rest.is_empty() {
        return Err(Trouble::new(NOT_FOUND, format!("Usage: mqrc {}", EXPLAIN.usage)));
    }
    let mut code = ended::OK;
    for word in &typed.rest {
        let Some(number) = number(word) else {
            return Err(Trouble::new(
                NOT_FOUND,
                format!("\"{word}\" is neither a number nor the name of a reason code"),
            ));
        };
        let names: Vec<&str> =
            PREFIXES.iter().flat_map(|prefix| constants::names_of(number, prefix)).collect();
        output::print_line("")?;
        if names.is_empty() {
            code = NOT_FOUND;
            output::print_line(format!("No reason code is {number}."))?;
        }
        for name in names {
            output::print_line(format!("{number:>10}  {number:#010x}  {name}"))?;
        }
        output::print_line("")?;
    }
    Ok(code)
}

fn number(word: &str) -> Option<i32> {
    let lower = word.to_ascii_lowercase();
    if let Some(digits) = lower.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok().map(u32::cast_signed);
    }
    if let Ok(number) = word.parse() {
        return Some(number);
    }
    let name = word.to_ascii_uppercase();
    let is_reason = PREFIXES.iter().any(|prefix| name.starts_with(prefix));
    is_reason.then(|| constants::number_of(&name)).flatten()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn codes_are_named_and_numbered_in_two_ways() {
        for (word, expected) in [
            ("2033", Some(2033)),
            ("0x7F1", Some(2033)),
            ("mqrc_no_msg_available", Some(2033)),
            ("MQRCCF_CFH_TYPE_ERROR", Some(3001)),
            ("MQGMO_WAIT", None),
            ("nothing", None),
        ] {
            assert_eq!(number(word), expected, "{word}");
        }
    }
}
