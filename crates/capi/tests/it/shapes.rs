//! The headers keep the shapes that programs rely on which read them line by line, as no compiler would.

use crate::{compiler, facts};
use std::collections::{BTreeMap, BTreeSet};

const HEADERS: [&str; 8] = ["cmqc", "cmqxc", "cmqec", "cmqzc", "cmqcfc", "cmqbc", "cmqpsc", "cmqstrc"];

fn text_of(header: &str) -> String {
    std::fs::read_to_string(compiler::headers().join(format!("{header}.h"))).expect("a header")
}

/// The lines of all headers.
fn lines() -> Vec<String> {
    HEADERS.iter().flat_map(|header| text_of(header).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn each_header_has_one_guard_and_no_condition_within_another() {
    for header in HEADERS {
        let text = text_of(header);
        let guard = format!("{}_INCLUDED", header[1..].to_uppercase());
        let (comment, rest) = text.split_once("*/\n\n").expect("a comment first");
        assert!(comment.starts_with("/*"), "{header}");
        assert!(rest.starts_with(&format!("#if !defined({guard})\n#define {guard}\n")), "{header}");
        assert!(text.ends_with("\n#endif /* End of header file */\n"), "{header}");
        let mut depth = 0;
        for line in rest.lines() {
            if line.starts_with("#if") {
                depth += 1;
            } else if line.starts_with("#endif") {
                depth -= 1;
            }
            assert!((0..=2).contains(&depth) && !line.starts_with("#elif"), "{header}: {line}");
            assert!(line.is_ascii() && !line.contains('\t') && line.trim_end() == line, "{header}: {line}");
        }
        assert_eq!(depth, 0, "{header}");
    }
}

#[test]
fn each_macro_has_its_line_and_only_initial_values_go_on() {
    let initials: BTreeSet<String> =
        facts::rows(facts::DEFAULTS).into_iter().map(|row| row["macro"].clone()).collect();
    let mut found = BTreeSet::new();
    for line in lines() {
        let Some(definition) = line.strip_prefix("#define ") else { continue };
        let name = definition.split_whitespace().next().expect("a name").to_owned();
        assert!(!name.contains('('), "{name} takes arguments");
        assert_eq!(line.ends_with('\\'), initials.contains(&name), "{line}");
        assert!(found.insert(name) || line.contains("MQ_STR_FUNCTION"), "{line}");
    }
    assert!(initials.is_subset(&found), "{:?}", initials.difference(&found).next());
}

/// A value as a reader without a compiler sees it.
#[derive(Debug, PartialEq, Eq)]
enum Value {
    Number(i64),
    Text(Vec<u8>),
}

fn value(text: &str) -> Option<Value> {
    let bare = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    if let Some(digits) = bare.strip_prefix("0x") {
        let bits = u32::from_str_radix(digits, 16).ok()?;
        return Some(Value::Number(i64::from(bits.cast_signed())));
    }
    if let Some(character) = bare.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return Some(Value::Number(i64::from(*unescaped(character).first()?)));
    }
    if let Some(string) = bare.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return Some(Value::Text(unescaped(string)));
    }
    bare.parse().ok().map(Value::Number)
}

/// Characters of C, of which these headers escape some: hexadecimal where one stands alone, else octal.
fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        if let [b'x', high, low, after @ ..] = rest {
            let digits = [*high, *low].map(|digit| char::from(digit).to_digit(16).expect("a digit") as u8);
            bytes.push(digits[0] * 16 + digits[1]);
            rest = after;
            continue;
        }
        let digits = rest.iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        let code = rest[..digits].iter().fold(0, |code, digit| code * 8 + (digit - b'0'));
        bytes.push(code);
        rest = &rest[digits..];
    }
    bytes
}

#[test]
fn a_reader_of_lines_finds_every_constant_with_its_value() {
    let mut read: BTreeMap<String, String> = BTreeMap::new();
    for line in lines() {
        if let Some((name, rest)) = line.strip_prefix("#define ").and_then(|rest| rest.split_once(' ')) {
            read.insert(name.to_owned(), rest.trim().to_owned());
        }
    }
    for row in facts::rows(facts::CONSTANTS) {
        let (name, value_in_table) = (&row["name"], &row["value"]);
        let expected = match row["ctype"].as_str() {
            "string" => Value::Text(value_in_table.clone().into_bytes()),
            "bytes" => Value::Text(vec![0; value_in_table.matches("\\x00").count()]),
            "charv-initialiser(string)" => continue,
            _ => Value::Number(value_in_table.parse().expect("a number")),
        };
        assert_eq!(value(&read[name]), Some(expected), "{name}");
        if name.contains("_VERSION") && row["ctype"] == "MQLONG" && !value_in_table.starts_with('-') {
            assert!(read[name].bytes().all(|byte| byte.is_ascii_digit()), "{name} {}", read[name]);
        }
    }
}

#[test]
fn a_reader_of_lines_finds_every_structure_with_its_fields() {
    let mut read: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in lines() {
        if let Some(name) = line.strip_prefix("struct tag").and_then(|rest| rest.strip_suffix(" {")) {
            assert!(read.insert(name.to_owned(), Vec::new()).is_none(), "{name} twice");
            current = Some(name.to_owned());
        } else if line == "};" {
            current = None;
        } else if let Some(fields) = current.as_ref().and_then(|name| read.get_mut(name)) {
            let (declaration, _comment) = line.split_once(';').expect("a field to a line");
            let mut words = declaration.split_whitespace();
            let (Some(c_type), Some(name), None) = (words.next(), words.next(), words.next()) else {
                panic!("{line}");
            };
            fields.push((c_type.to_owned(), name.to_owned()));
        }
    }
    let mut expected: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in facts::rows(facts::STRUCTURES) {
        let field = match row["ctype"].split_once('[') {
            Some((element, length)) => (element.to_owned(), format!("{}[{length}", row["field"])),
            None => (row["ctype"].clone(), row["field"].clone()),
        };
        expected.entry(row["struct"].clone()).or_default().push(field);
    }
    assert_eq!(read, expected);
    let lines: BTreeSet<String> = lines().into_iter().collect();
    for name in expected.keys() {
        assert!(lines.contains(&format!("typedef struct tag{name} {name};")), "{name}");
        assert!(lines.contains(&format!("typedef {name} MQPOINTER P{name};")), "{name}");
    }
}

#[test]
fn a_reader_that_begins_a_structure_at_its_name_finds_its_own_fields() {
    let mut read: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut current = None;
    for line in lines() {
        if let Some(rest) = line.strip_prefix("typedef struct tag") {
            let name = rest.split_once(' ').expect("a name").0.to_owned();
            read.insert(name.clone(), Vec::new());
            current = Some(name);
        } else if line == "};" {
            current = None;
        } else if let (Some(name), Some((declaration, _))) = (&current, line.split_once(';')) {
            let words: Vec<&str> = declaration.split_whitespace().collect();
            if let [.., c_type, field] = words[..]
                && c_type.contains("MQ")
                && c_type != "MQPOINTER"
            {
                read.get_mut(name).expect("a structure").push(field.to_owned());
            }
        }
    }
    let mut expected: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in facts::rows(facts::STRUCTURES) {
        let length = row["ctype"].split_once('[').map_or(String::new(), |(_, length)| format!("[{length}"));
        let fields = expected.entry(row["struct"].clone()).or_default();
        fields.push(format!("{}{length}", row["field"]));
    }
    // An earlier header than that of their fields names these two, for its pointers.
    expected.retain(|name, _| !["MQCD", "MQIEP"].contains(&name.as_str()));
    assert!(expected.len() > 80, "{}", expected.len());
    for (name, fields) in expected {
        assert_eq!(read.get(&name), Some(&fields), "{name}");
    }
}

#[test]
fn a_reader_of_lines_finds_every_function_with_its_parameters() {
    let mut read: Vec<(String, Vec<(String, String)>)> = Vec::new();
    let mut is_inside = false;
    for line in lines() {
        let opening = line.strip_prefix("typedef ").unwrap_or(&line).strip_prefix("void MQENTRY ");
        if let Some(name) = opening.and_then(|rest| rest.strip_suffix(" (")) {
            read.push((name.to_owned(), Vec::new()));
            is_inside = true;
        } else if is_inside {
            let (c_type, name) = line.trim().split_once(' ').expect("a parameter to a line");
            is_inside = !name.ends_with(");");
            let name = name.trim().trim_end_matches([',', ')', ';']);
            read.last_mut().expect("a function").1.push((c_type.to_owned(), name.to_owned()));
        }
    }
    let mut expected: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for row in facts::rows(facts::FUNCTIONS) {
        let parameter = (row["ctype"].clone(), row["param"].clone());
        expected.entry(row["function"].clone()).or_default().push(parameter);
    }
    assert_eq!(read.len(), expected.len());
    assert_eq!(read.into_iter().collect::<BTreeMap<_, _>>(), expected);
}
