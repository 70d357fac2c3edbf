//! Every test that the page of promises names must be there, by path and name, and must be run.

use super::sources::Sources;

/// The page, which is made from the table in the server.
pub(super) const PAGE: &str = "docs/reference/promises.md";

pub(super) fn check(page: &str, sources: &Sources, faults: &mut Vec<String>) {
    let mut found = 0;
    for (index, line) in page.lines().enumerate() {
        let Some((name, path)) = named_test(line) else { continue };
        found += 1;
        let text = sources.files().iter().find(|file| file.path == path).map(|file| file.text.as_str());
        match text.and_then(|text| attributes_of(text, name)) {
            None => faults.push(format!(
                "{PAGE}:{}: promises by the test {name}, which is not in {path}; name the one that holds it now in \
                 crates/server/src/promises/table.rs",
                index + 1
            )),
            Some(attributes) if attributes.contains("#[ignore") => faults.push(format!(
                "{PAGE}:{}: promises by the test {name} in {path}, which is ignored",
                index + 1
            )),
            Some(_) => {}
        }
    }
    if found == 0 {
        faults.push(format!("{PAGE}: names no test at all; has its form changed?"));
    }
}

/// The test and the file of a line "- test `name` in `path`".
fn named_test(line: &str) -> Option<(&str, &str)> {
    let (name, path) = line.strip_prefix("- test `")?.split_once("` in `")?;
    Some((name, path.strip_suffix('`')?))
}

/// Returns the lines right above a test function, with or without arguments that a property draws.
pub(super) fn attributes_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let before = &text[..text.find(&format!("fn {name}("))?];
    let start = before.rfind("\n\n").map_or(0, |place| place + 2);
    let attributes = &before[start..];
    attributes.contains("#[test]").then_some(attributes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_found_by_name_and_only_if_it_is_one() {
        assert_eq!(named_test("- test `a_b` in `c/d.rs`"), Some(("a_b", "c/d.rs")));
        assert_eq!(named_test("- figure R1, `x`, in `c/d.rs`"), None);
        let text = "#[test]\nfn a_b() {}\n\n#[test]\n#[ignore = \"slow\"]\nfn c() {}\n\nfn d() {}\n";
        assert_eq!(attributes_of(text, "a_b"), Some("#[test]\n"));
        assert!(attributes_of(text, "c").is_some_and(|attributes| attributes.contains("#[ignore")));
        assert_eq!((attributes_of(text, "d"), attributes_of(text, "a")), (None, None));
    }
}
