//! Words of documentation, and the width of comments.

use super::lexer::{Kind, parts};
use super::sources::SourceFile;

/// Words that open no line of documentation: it begins with a noun or a verb.
const OPENINGS: &[&str] = &["What", "Who", "Whom", "Whose", "Which", "Whether", "How", "Those"];

/// Words for people that have a role instead: the caller, the putter, the getter.
const PEOPLE: &[&str] = &["whom", "whoever"];

/// Most characters of a line, for code and comments alike; rustfmt keeps code to it.
const WIDTH_MAX: usize = 110;

/// Lines of documentation, by number from 1, that open with one of [`OPENINGS`].
pub(super) fn opened_badly(file: &SourceFile) -> Vec<usize> {
    if file.is_generated() {
        return Vec::new();
    }
    comments_that(file, opens_badly)
}

/// Lines of documentation with any words, by number from 1.
pub(super) fn documented(file: &SourceFile) -> Vec<usize> {
    comments_that(file, |comment| documentation(comment).is_some_and(|said| !said.trim().is_empty()))
}

fn comments_that(file: &SourceFile, is_meant: impl Fn(&str) -> bool) -> Vec<usize> {
    let comments = parts(&file.text).into_iter().filter(|part| part.kind == Kind::Comment);
    let meant = comments.filter(|part| is_meant(&file.text[part.range.clone()]));
    meant.map(|part| line_of(&file.text, part.range.start)).collect()
}

fn documentation(comment: &str) -> Option<&str> {
    comment.strip_prefix("///").or_else(|| comment.strip_prefix("//!"))
}

fn opens_badly(comment: &str) -> bool {
    let Some(said) = documentation(comment) else { return false };
    let said = said.trim_start_matches(|mark: char| mark.is_whitespace() || "-*_>|#".contains(mark));
    let end = said.find(|character: char| !character.is_alphanumeric()).unwrap_or(said.len());
    OPENINGS.contains(&&said[..end])
}

/// Lines, by number from 1, with one of [`PEOPLE`].
pub(super) fn with_people(text: &str) -> Vec<usize> {
    let names_people = |line: &str| {
        line.split(|character: char| !character.is_alphanumeric())
            .any(|word| PEOPLE.iter().any(|person| word.eq_ignore_ascii_case(person)))
    };
    text.lines().enumerate().filter(|(_, line)| names_people(line)).map(|(index, _)| index + 1).collect()
}

/// Lines, by number from 1, on which a comment goes past [`WIDTH_MAX`].
pub(super) fn too_wide(file: &SourceFile) -> Vec<usize> {
    if file.is_generated() {
        return Vec::new();
    }
    let mut wide = Vec::new();
    for part in parts(&file.text).into_iter().filter(|part| part.kind == Kind::Comment) {
        let line_start = file.text[..part.range.start].rfind('\n').map_or(0, |at| at + 1);
        let first = line_of(&file.text, part.range.start);
        let lines = file.text[line_start..part.range.end].lines().enumerate();
        let past = lines.filter(|(_, line)| line.chars().count() > WIDTH_MAX);
        wide.extend(past.map(|(index, _)| first + index));
    }
    wide.dedup();
    wide
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].bytes().filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> SourceFile {
        SourceFile { path: "a.rs".into(), text: text.into() }
    }

    #[test]
    fn documentation_opens_with_a_noun_or_a_verb() {
        for (line, expected) in [
            ("/// What a message is.", 1),
            ("//! - Whether it fits.", 1),
            ("    /// How", 1),
            ("/// Those are", 1),
            ("/// Returns what it is.", 0),
            ("/// whether", 0),
            ("/// Whatever", 0),
            ("// What a plain comment says.", 0),
            ("const TEXT: &str = \"/// What\";", 0),
        ] {
            assert_eq!(opened_badly(&file(line)).len(), expected, "{line}");
        }
        assert_eq!(opened_badly(&file("/// One\n/// Which\nfn two() {}\n/// Who\n")), [2, 4]);
    }

    #[test]
    fn people_are_found_as_whole_words() {
        assert_eq!(with_people("to whom\nWhoever asks\nwhomever\na who\n"), [1, 2]);
    }

    #[test]
    fn a_comment_is_as_wide_as_code_may_be() {
        let exact = format!("//{}", "é".repeat(108));
        let behind_code = format!("let a = 1; //{}", "b".repeat(100));
        let text =
            format!("{exact}\n{exact}c\n{behind_code}\nlet d = \"{exact}\";\n/* {exact} */ let e = 2;\n");
        assert_eq!(too_wide(&file(&text)), [2, 3, 5]);
    }
}
