//! The check of the marks of reason codes against the sources: a reason that a source gives is marked so, and
//! a test that is said to provoke a reason exists and names it.

use std::collections::BTreeMap;

use super::sources::Sources;
use crate::marks::{Mark, PATH};

/// Sources whose reasons reach a program. Headers are read for many; what a verb makes of a fault in them is
/// its own.
const GIVE: [&str; 10] = [
    "agents",
    "callbacks",
    "channel",
    "client",
    "formats",
    "mqi",
    "queue-manager",
    "queues",
    "selector",
    "server",
];
const EXCEPT: [&str; 2] = ["crates/formats/src/headers/", "crates/mqi/src/reason/"];

pub(super) fn check(marks: &BTreeMap<String, Mark>, sources: &Sources, faults: &mut Vec<String>) {
    for file in sources.files() {
        let gives = GIVE.iter().any(|krate| file.path.starts_with(&format!("crates/{krate}/src/")));
        if !gives
            || EXCEPT.iter().any(|folder| file.path.starts_with(folder))
            || file.path.ends_with("tests.rs")
        {
            continue;
        }
        for (line, name) in reasons_in(without_tests(&file.text)) {
            match marks.get(name) {
                Some(Mark::Given { .. } | Mark::Told(_)) | None => {}
                Some(mark) => faults.push(format!(
                    "{}:{line}: gives {name}, which {PATH} marks \"{}\"; mark it given, and provoke it in a scenario or \
                     name the test that does",
                    file.path,
                    mark.words()
                )),
            }
        }
    }
    for (reason, mark) in marks {
        let Mark::Given { test: Some((path, name)) } = mark else { continue };
        let text = sources.files().iter().find(|file| file.path == *path).map(|file| file.text.as_str());
        match text.and_then(|text| passage_of(text, name)) {
            None => {
                faults.push(format!("{PATH}: {reason} is provoked by {name}, which is no test in {path}"))
            }
            Some(passage) if !names(passage, reason) => {
                faults.push(format!(
                    "{PATH}: {reason} is provoked by {name} in {path}, which does not name it"
                ));
            }
            Some(_) => {}
        }
    }
}

/// Each reason that a text names, and the line.
fn reasons_in(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(index, line)| {
        line.split("Reason::").skip(1).filter_map(move |rest| {
            let end = rest.find(|character: char| !is_of_a_name(character)).unwrap_or(rest.len());
            (end > 1).then_some((index + 1, &rest[..end]))
        })
    })
}

fn is_of_a_name(character: char) -> bool {
    character.is_ascii_uppercase() || character.is_ascii_digit() || character == '_'
}

/// A file without the module of its tests at its end.
fn without_tests(text: &str) -> &str {
    text.find("#[cfg(test)]\nmod tests {").map_or(text, |place| &text[..place])
}

/// A test with what stands above it since the test before: helpers that only it has.
fn passage_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let Some(place) = text.find(&format!("fn {name}(")) else { return made_by_a_macro(text, name) };
    let before = &text[..place];
    let attributes = &before[before.rfind("\n\n").map_or(0, |place| place + 2)..];
    if !attributes.contains("#[test]") || attributes.contains("#[ignore") {
        return None;
    }
    let own = before.rfind("#[test]")?;
    let start = text[..own].rfind("#[test]").map_or(0, |earlier| {
        let closing = if text[earlier..].starts_with("#[test]\n    ") { "\n    }\n" } else { "\n}\n" };
        text[earlier..].find(closing).map_or(earlier, |length| earlier + length)
    });
    let end = text[place..].find("#[test]").map_or(text.len(), |length| place + length);
    Some(&text[start..end])
}

/// A test that a macro makes of the name it is given first.
fn made_by_a_macro<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let place = text.find(&format!("\n    {name},\n"))?;
    let opening = text[..=place].rfind("!(\n")?;
    let is_within = !text[opening..place].contains("\n);");
    let end = text[place..].find("\n);")?;
    is_within.then_some(&text[place..place + end])
}

fn names(passage: &str, reason: &str) -> bool {
    let is_whole = |rest: &str| !rest.starts_with(is_of_a_name);
    passage.split("Reason::").skip(1).any(|rest| rest.strip_prefix(reason).is_some_and(is_whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found_where_they_are_given_and_in_the_test_that_names_them() {
        let text = "fn a() { Err(Reason::Q_FULL).or(Reason::by_name()) }\n\n#[cfg(test)]\nmod tests {\n Reason::NONE }\n";
        assert_eq!(reasons_in(without_tests(text)).collect::<Vec<_>>(), [(1, "Q_FULL")]);
        let tests = "#[test]\nfn one() {\n    Reason::A;\n}\n\nstruct Helper;\n// Reason::B_LONG\n\n#[test]\nfn two() {\n}\n\n\
                     #[test]\n#[ignore]\nfn three() {\n}\n";
        let two = passage_of(tests, "two").expect("a test");
        assert!(names(two, "B_LONG") && !names(two, "B") && !names(two, "A"));
        let made = "on_every!(\n    four_and_more,\n    \"\", {\n        Reason::C\n    }\n);\nReason::D\n";
        let passage = passage_of(made, "four_and_more").expect("a test");
        assert!(names(passage, "C") && !names(passage, "D"));
        assert!(passage_of(tests, "three").is_none() && passage_of(tests, "four").is_none());
    }
}
