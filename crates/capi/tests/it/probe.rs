//! A C program with everything the headers declare says what the tables say.

use crate::{compiler, facts};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::Command;

const INCLUDES: &str = "#include <stdio.h>\n#include <stddef.h>\n#include <cmqc.h>\n#include <cmqxc.h>\n#include <cmqcfc.h>\n\
                        #include <cmqbc.h>\n#include <cmqpsc.h>\n#include <cmqstrc.h>\n#include <cmqzc.h>\n#include <cmqec.h>\n\n";

/// Prints so many bytes from an address in hexadecimal, behind some words.
const SHOW: &str = "static void show(const char *what, const void *from, size_t count) {\n\
                    const unsigned char *byte = (const unsigned char *)from;\n printf(\"%s \", what);\n\
                    while (count-- > 0) printf(\"%02x\", *byte++);\n printf(\"\\n\");\n}\n\n";

/// Compiles and runs a program; the lines it writes.
fn lines_of(source: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, program) = (folder.path().join("probe.c"), folder.path().join("probe"));
    std::fs::write(&path, source).expect("a source");
    compiler::must_compile("cc", "c11", &path, &["-o", program.to_str().expect("a path")]);
    let output = Command::new(&program).output().expect("a run");
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// Lines are compared one by one, so that the first that differs is named.
fn assert_same(told: &[String], expected: &[String]) {
    for (told, expected) in told.iter().zip(expected) {
        assert_eq!(told, expected);
    }
    assert_eq!(told.len(), expected.len());
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn c_sees_the_sizes_and_offsets_of_the_tables() {
    let (mut body, mut expected) = (String::new(), Vec::new());
    for row in facts::rows(facts::SIZES) {
        let name = &row["struct"];
        let _ = writeln!(body, "{{\"{name}\", sizeof({name}), _Alignof({name})}},");
        expected.push(format!("{name} {} {}", row["size"], row["align"]));
    }
    for row in facts::rows(facts::STRUCTURES) {
        let (owner, field) = (&row["struct"], &row["field"]);
        let _ = writeln!(
            body,
            "{{\"{owner}.{field}\", offsetof({owner}, {field}), sizeof((({owner} *)0)->{field})}},"
        );
        expected.push(format!("{owner}.{field} {} {}", row["offset"], row["size"]));
    }
    let told = lines_of(&format!(
        "{INCLUDES}static const struct {{ const char *name; size_t one, other; }} rows[] = {{\n{body}}};\n\
         int main(void) {{\n for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)\n  \
         printf(\"%s %zu %zu\\n\", rows[i].name, rows[i].one, rows[i].other);\n return 0;\n}}\n"
    ));
    assert!(expected.len() > 1100);
    assert_same(&told, &expected);
}

#[test]
fn c_sees_the_constants_of_the_tables() {
    let (mut numbers, mut texts, mut conditions) = (String::new(), String::new(), String::new());
    let (mut expected, mut expected_texts) = (Vec::new(), Vec::new());
    for row in facts::rows(facts::CONSTANTS) {
        let (name, value) = (&row["name"], &row["value"]);
        let mut text = |macro_name: &str, bytes: &[u8], declared: &str| {
            let _ = writeln!(texts, "{{ {declared} show(\"{macro_name}\", t, {}); }}", bytes.len());
            expected_texts.push(format!("{macro_name} {}", hexadecimal(bytes)));
        };
        let declared = |length: usize| {
            format!(
                "static const char t[] = {name}; typedef char length[sizeof t == {length} + 1 ? 1 : -1]; (void)sizeof(length);"
            )
        };
        let twin = |length: usize| {
            format!(
                "static const char t[] = {{{name}_ARRAY}}; typedef char length[sizeof t == {length} ? 1 : -1]; (void)sizeof(length);"
            )
        };
        match row["ctype"].as_str() {
            "string" => {
                text(name, value.as_bytes(), &declared(value.len()));
                if row["header"] != "cmqpsc" {
                    text(&format!("{name}_ARRAY"), value.as_bytes(), &twin(value.len()));
                }
            }
            "bytes" => {
                let bytes = vec![0; value.matches("\\x00").count()];
                text(name, &bytes, &declared(bytes.len()));
                text(&format!("{name}_ARRAY"), &bytes, &twin(bytes.len()));
            }
            "charv-initialiser(string)" => {
                let declared =
                    format!("static const MQCHARV v = {{{name}}}; const char *t = (const char *)v.VSPtr;");
                text(name, value.as_bytes(), &declared);
                let length = format!("{declared} t = (const char *)&v.VSLength;");
                text(
                    &format!("{name}.VSLength"),
                    &i32::try_from(value.len()).expect("a length").to_le_bytes(),
                    &length,
                );
            }
            c_type => {
                let _ = writeln!(numbers, "{{\"{name}\", (MQLONG)({name})}},");
                expected.push(format!("{name} {value}"));
                // A character is no number for the preprocessor alone, and a mask without a sign is another
                // number.
                if c_type != "char" && !(name.ends_with("_MASK") && value.starts_with('-')) {
                    let _ = writeln!(conditions, "#if {name} != {value}\n#error {name}\n#endif");
                }
            }
        }
    }
    let told = lines_of(&format!(
        "{INCLUDES}{SHOW}{conditions}static const struct {{ const char *name; MQLONG value; }} rows[] = {{\n{numbers}}};\n\
         int main(void) {{\n for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)\n  \
         printf(\"%s %d\\n\", rows[i].name, rows[i].value);\n{texts} return 0;\n}}\n"
    ));
    expected.extend(expected_texts);
    assert!(expected.len() > 5500);
    assert_same(&told, &expected);
}

#[test]
fn c_structures_start_as_the_tables_say() {
    let (mut body, mut expected, mut current) = (String::new(), Vec::new(), String::new());
    let sizes = sizes_of_fields();
    for row in facts::rows(facts::DEFAULTS) {
        let (macro_name, owner, field) = (&row["macro"], &row["struct"], &row["field"]);
        if *macro_name != current {
            let _ = writeln!(body, "static const {owner} v_{macro_name} = {{{macro_name}}};");
            current.clone_from(macro_name);
        }
        let size = sizes[&format!("{owner}.{field}")];
        expected.push(format!(
            "{macro_name}.{field} {}",
            hexadecimal(&facts::bytes(&row["value"], &row["ctype"], size))
        ));
    }
    body.push_str("int main(void) {\n");
    for row in facts::rows(facts::DEFAULTS) {
        let (macro_name, field) = (&row["macro"], &row["field"]);
        let _ = writeln!(
            body,
            "show(\"{macro_name}.{field}\", &v_{macro_name}.{field}, sizeof v_{macro_name}.{field});"
        );
    }
    let told = lines_of(&format!("{INCLUDES}{SHOW}{body} return 0;\n}}\n"));
    assert!(expected.len() > 1200);
    assert_same(&told, &expected);
}

/// Sizes by structure and field, those of a structure inside through a dot.
fn sizes_of_fields() -> BTreeMap<String, usize> {
    let rows = facts::rows(facts::STRUCTURES);
    let mut sizes = BTreeMap::new();
    for row in &rows {
        let place = format!("{}.{}", row["struct"], row["field"]);
        for inner in rows.iter().filter(|inner| inner["struct"] == row["ctype"]) {
            sizes.insert(format!("{place}.{}", inner["field"]), inner["size"].parse().expect("a size"));
        }
        sizes.insert(place, row["size"].parse().expect("a size"));
    }
    sizes
}

#[test]
fn c_functions_and_types_are_those_of_the_tables() {
    // What is declared again must be declared alike, or the compiler refuses.
    let mut source = INCLUDES.to_owned();
    let mut functions: Vec<(String, String, Vec<String>)> = Vec::new();
    for row in facts::rows(facts::FUNCTIONS) {
        if functions.last().is_none_or(|(name, ..)| *name != row["function"]) {
            functions.push((row["function"].clone(), row["header"].clone(), Vec::new()));
        }
        if let Some((_, _, parameters)) = functions.last_mut() {
            parameters.push(row["ctype"].clone());
        }
    }
    let is_type = |name: &str| {
        functions.iter().any(|(function, header, _)| function == name && header.starts_with("typedef:"))
    };
    for row in facts::rows(facts::TYPES) {
        let (name, definition) = (&row["name"], &row["definition"]);
        let _ = match (definition.as_str(), definition.split_once('[')) {
            ("fnptr", _) => Ok(()),
            (function, _) if is_type(function) => writeln!(source, "typedef {function} *{name};"),
            (_, Some((element, length))) => writeln!(source, "typedef {element} {name}[{length};"),
            (_, None) => writeln!(source, "typedef {definition} {name};"),
        };
    }
    for (name, header, parameters) in &functions {
        let keyword = if header.starts_with("typedef:") { "typedef void" } else { "void" };
        let _ = writeln!(source, "{keyword} MQENTRY {name}({});", parameters.join(", "));
    }
    source.push_str("int main(void) { return 0; }\n");
    assert_eq!(functions.len(), 68 + 84);
    assert!(lines_of(&source).is_empty());
}

/// Names that known programs call.
const NAMED_GROUPS: [&str; 17] = [
    "MQCC_",
    "MQRC_",
    "MQCMD_",
    "MQOT_",
    "MQCHT_",
    "MQPL_",
    "MQIA_",
    "MQCA_",
    "MQIACF_",
    "MQCACF_",
    "MQIACH_",
    "MQCACH_",
    "MQIAMO_",
    "MQIAMO64_",
    "MQCAMO_",
    "MQBACF_",
    "MQRCCF_",
];

#[test]
fn numbers_are_told_by_a_name_that_they_have() {
    let header = std::fs::read_to_string(compiler::headers().join("cmqstrc.h")).expect("a header");
    let has_function = |group: &str| header.contains(&format!(" {group}STR (MQLONG v)"));
    for group in NAMED_GROUPS {
        assert!(has_function(group), "{group}");
    }
    let mut names: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for row in facts::rows(facts::CONSTANTS) {
        let is_number = matches!(row["ctype"].as_str(), "MQLONG" | "MQHCONN" | "MQHOBJ");
        if is_number && has_function(&row["group"]) {
            let key = (row["group"].clone(), row["value"].clone());
            names.entry(key).or_default().insert(row["name"].clone());
        }
    }
    // Those of a part of a group stand beside the one of the whole.
    for row in facts::rows(facts::NAME_FUNCTIONS) {
        let constant =
            facts::rows(facts::CONSTANTS).into_iter().find(|constant| constant["name"] == row["name"]);
        let group = row["function"].trim_end_matches("STR").to_owned();
        assert!(has_function(&group), "{group}");
        let value = constant.expect("a name of the table of functions is a constant")["value"].clone();
        names.entry((group, value)).or_default().insert(row["name"].clone());
    }
    let mut rows = String::new();
    for (group, value) in names.keys() {
        let _ = writeln!(rows, "{{{group}STR, {value}}},");
    }
    let told = lines_of(&format!(
        "{INCLUDES}static const struct {{ char *(*name)(MQLONG); MQLONG value; }} rows[] = {{\n{rows}}};\n\
         int main(void) {{\n for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)\n  \
         puts(rows[i].name(rows[i].value));\n puts(MQRC_STR(-12345));\n return 0;\n}}\n"
    ));
    assert_eq!(told.len(), names.len() + 1);
    assert_eq!(told.last().map(String::as_str), Some(""), "a number that has no name");
    for (((group, value), names), told) in names.iter().zip(&told) {
        let is_of_a_structure = |name: &String| name.contains("_VERSION") || name.contains("_LENGTH");
        assert!(
            names.contains(told) || (told.is_empty() && names.iter().all(is_of_a_structure)),
            "{group} {value}: \"{told}\""
        );
    }
    for (call, expected) in [
        (("MQIA_", "1"), "MQIA_APPL_TYPE"),
        (("MQRC_", "2033"), "MQRC_NO_MSG_AVAILABLE"),
        (("MQQA_GET_", "1"), "MQQA_GET_INHIBITED"),
        (("MQQA_PUT_", "1"), "MQQA_PUT_INHIBITED"),
        (("MQSUITE_", "2"), "MQ_SUITE_B_128_BIT"),
        (("MQMON_OVERRIDE_", "0"), "MQMON_DISABLED"),
    ] {
        let place = names.keys().position(|(group, value)| (group.as_str(), value.as_str()) == call);
        assert_eq!(place.map(|place| told[place].as_str()), Some(expected));
    }
}
