//! The tables as a test reads them, apart from the program that makes layouts and headers of them.

use std::collections::BTreeMap;

pub(crate) const CONSTANTS: &str = include_str!("../../../mqi/facts/mqi_constants.csv");
pub(crate) const NAME_FUNCTIONS: &str = include_str!("../../../mqi/facts/mqi_name_functions.csv");
pub(crate) const STRUCTURES: &str = include_str!("../../../mqi/facts/mqi_structs.csv");
pub(crate) const SIZES: &str = include_str!("../../../mqi/facts/mqi_struct_sizes.csv");
pub(crate) const FUNCTIONS: &str = include_str!("../../../mqi/facts/mqi_functions.csv");
pub(crate) const TYPES: &str = include_str!("../../../mqi/facts/mqi_types.csv");
pub(crate) const DEFAULTS: &str = include_str!("../../../mqi/facts/mqi_defaults.csv");

/// Rows of a table by the names of their columns.
pub(crate) fn rows(table: &str) -> Vec<BTreeMap<&str, String>> {
    let mut lines = table.lines();
    let columns: Vec<&str> = lines.next().expect("a line of names").split(',').collect();
    lines
        .map(|line| {
            let fields = fields(line);
            assert_eq!(fields.len(), columns.len(), "{line}");
            columns.iter().copied().zip(fields).collect()
        })
        .collect()
}

/// Fields between commas; in one that begins with a quote, commas count for nothing and doubled quotes for
/// one.
fn fields(line: &str) -> Vec<String> {
    let mut fields = Vec::new();
    let mut rest = line;
    loop {
        let (field, after) = match rest.strip_prefix('"') {
            None => match rest.split_once(',') {
                Some((field, after)) => (field.to_owned(), Some(after)),
                None => (rest.to_owned(), None),
            },
            Some(quoted) => {
                let masked = quoted.replace("\"\"", "\u{1}\u{1}");
                let end = masked.find('"').expect("a closing quote");
                let field = masked[..end].replace("\u{1}\u{1}", "\"");
                (field, quoted[end + 1..].strip_prefix(','))
            }
        };
        fields.push(field);
        match after {
            Some(after) => rest = after,
            None => return fields,
        }
    }
}

/// The bytes that a value of the table of initial values has in memory, where the field has so many.
pub(crate) fn bytes(value: &str, c_type: &str, size: usize) -> Vec<u8> {
    let is_text = c_type.starts_with("MQCHAR");
    let mut bytes = Vec::new();
    if is_text {
        for piece in value.split('+') {
            let (content, times) = match piece.rsplit_once('*') {
                Some((content, times)) if !times.contains('"') => (content, times.parse().expect("a count")),
                _ => (piece, 1),
            };
            let content = if content == "\\0" { "\0" } else { content.trim_matches('"') };
            bytes.extend(content.repeat(times).into_bytes());
        }
    } else if value == "NULL" || value.starts_with("0*") {
        bytes.resize(size, 0);
    } else {
        let numbers: Vec<i64> = value.split(' ').map(|number| number.parse().expect("a number")).collect();
        let width = size / numbers.len();
        for number in numbers {
            bytes.extend_from_slice(&number.to_le_bytes()[..width]);
        }
    }
    assert_eq!(bytes.len(), size, "{value} for {c_type}");
    bytes
}
