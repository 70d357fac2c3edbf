//! Functions that give the name of a number: `MQRC_STR(2033)` is "MQRC_NO_MSG_AVAILABLE".

use super::super::interface::Interface;
use crate::facts::Constant;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Text before the functions. Functions that a program does not call must not cost a warning, in C of 1990
/// either, which has no `inline`.
const INTRODUCTION: &str = "\
/*
 * The name of a number within its group, or an empty text. Of several names it is the one that programs
 * of the family are told, else the first one that is no bound of the group.
 */

#if defined(__GNUC__)
#define MQ_STR_FUNCTION static __inline__ char *
#else
#define MQ_STR_FUNCTION static char *
#endif

";

/// A function for each group of numbers that has names worth telling, and one for each part of a group in the
/// table of those, in order of their names.
pub(super) fn declared(interface: &Interface) -> Result<String> {
    let mut functions: BTreeMap<String, Vec<&Constant>> = BTreeMap::new();
    for constant in interface.constants.iter().filter(|constant| is_told(constant)) {
        functions.entry(format!("{}STR", constant.group)).or_default().push(constant);
    }
    for [function, name] in &interface.name_functions {
        let constant = interface.constants.iter().find(|constant| constant.name == *name);
        functions.entry(function.clone()).or_default().extend(constant);
    }
    let mut text = INTRODUCTION.to_owned();
    for (function, constants) in functions {
        let names = names(&constants, &interface.preferred).with_context(|| function.clone())?;
        let _ = write!(
            text,
            "MQ_STR_FUNCTION {function} (MQLONG v)\n{{\n   const char *c;\n   switch (v)\n   {{\n"
        );
        for (number, name) in names {
            let _ = writeln!(text, "   case {}: c = \"{name}\"; break;", as_label(number));
        }
        text.push_str("   default: c = \"\"; break;\n   }\n   return (char *)c;\n}\n\n");
    }
    Ok(text)
}

/// Numbers a program is told or tells; how long a structure is and which version it has are told otherwise.
fn is_told(constant: &Constant) -> bool {
    let is_number = matches!(constant.c_type.as_str(), "MQLONG" | "MQHCONN" | "MQHOBJ");
    let own = constant.name.strip_prefix(&constant.group).unwrap_or(&constant.name);
    let kind = own
        .trim_start_matches("CURRENT_")
        .trim_end_matches(|last: char| last.is_ascii_digit() || last == '_');
    let is_of_a_structure = own != kind && matches!(kind, "VERSION" | "LENGTH");
    is_number && !is_of_a_structure && constant.group != "MQ_"
}

/// Each number once, ascending.
fn names<'a>(constants: &[&'a Constant], preferred: &BTreeSet<String>) -> Result<BTreeMap<i32, &'a str>> {
    let mut constants = constants.to_vec();
    // Stable: those of one rank stay in the order of the table.
    constants.sort_by_key(|constant| (!preferred.contains(&constant.name), is_bound(&constant.name)));
    let mut names = BTreeMap::new();
    for constant in constants {
        names.entry(constant.value.parse()?).or_insert(constant.name.as_str());
    }
    Ok(names)
}

/// True if a name marks the beginning or the end of its group.
fn is_bound(name: &str) -> bool {
    ["_FIRST", "_LAST", "_LAST_USED"].iter().any(|ending| name.ends_with(ending))
}

/// The least number has no literal of its own in C.
fn as_label(number: i32) -> String {
    if number == i32::MIN { "(-2147483647 - 1)".to_owned() } else { number.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{Constant, is_told, names};
    use std::collections::BTreeSet;

    fn constant(name: &str, value: &str) -> Constant {
        let group = format!("{}_", name.split('_').next().unwrap_or_default());
        Constant {
            name: name.into(),
            value: value.into(),
            group,
            c_type: "MQLONG".into(),
            header: "cmqc".into(),
        }
    }

    #[test]
    fn a_number_with_several_names_has_the_preferred_one_or_the_first_that_is_no_bound() {
        let rows = [
            constant("MQIA_FIRST", "1"),
            constant("MQIA_APPL_TYPE", "1"),
            constant("MQIA_APPL_KIND", "1"),
            constant("MQIA_LAST", "2000"),
            constant("MQIA_OLD", "7"),
            constant("MQIA_NEW", "7"),
        ];
        let rows: Vec<&Constant> = rows.iter().collect();
        let preferred = BTreeSet::from(["MQIA_NEW".to_owned()]);
        let names = names(&rows, &preferred).unwrap_or_default();
        let expected = [(1, "MQIA_APPL_TYPE"), (7, "MQIA_NEW"), (2000, "MQIA_LAST")];
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn versions_and_lengths_of_structures_are_not_told() {
        for (name, expected) in [
            ("MQMD_VERSION_2", false),
            ("MQMD_CURRENT_VERSION", false),
            ("MQMD_LENGTH_1", false),
            ("MQMD_CURRENT_LENGTH", false),
            ("MQIASY_VERSION", true),
            ("MQRC_NONE", true),
        ] {
            assert_eq!(is_told(&constant(name, "1")), expected, "{name}");
        }
    }
}
