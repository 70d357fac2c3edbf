//! Commands in texts that programs print for a person: each is a next step, which is printed with the options
//! that say which queue manager is meant.
//!
//! Always: a text with a command and without those options is a fault, but for the help of the program and
//! for a text that is `ferry` and one word, the name of an application.

use super::lexer::{Kind, parts};
use super::sources::{SourceFile, Sources, is_test};

/// The file that has the commands, and adds the options.
const HOME: &str = "crates/terminal/src/next_step.rs";

/// The file of the examples, which are a part of the help.
const EXAMPLES: &str = "crates/cli/src/examples.rs";

/// The crates whose texts are for a person at a terminal.
const PROGRAMS: [&str; 2] = ["crates/cli/src/", "crates/terminal/src/"];

/// The beginning of a command.
const COMMAND: &str = "ferry ";

/// Code before a text that makes it a next step.
const MAKERS: [&str; 2] = ["next_step!(", "NextStep::of("];

/// Adds a fault for each text with a command that is no next step.
pub(super) fn check(sources: &Sources, faults: &mut Vec<String>) {
    let Some(home) = sources.files().iter().find(|file| file.path == HOME) else {
        faults.push(format!("{HOME}: the file of next steps is not there"));
        return;
    };
    let commands = commands_of(&home.text);
    let is_meant = |file: &&SourceFile| {
        PROGRAMS.iter().any(|program| file.path.starts_with(program))
            && ![HOME, EXAMPLES].contains(&file.path.as_str())
            && !is_test(&file.path)
    };
    for file in sources.files().iter().filter(is_meant) {
        for line in bare_commands(&file.text, &commands) {
            faults.push(format!(
                "{}:{line}: a text with a command of ferry: make it by next_step! or NextStep::of, and print it by \
                 NextStep::at, which adds the options that were typed",
                file.path
            ));
        }
    }
}

/// The commands that work on a queue manager or a data directory: the texts of the constants.
fn commands_of(text: &str) -> Vec<String> {
    let constants =
        text.split("\nconst ").skip(1).filter_map(|item| item.split_once("] = [")?.1.split_once("];"));
    let literals = constants.flat_map(|(list, _)| list.split('"').skip(1).step_by(2));
    literals.filter(|word| !word.contains(' ')).map(str::to_owned).collect()
}

/// Lines, by number from 1, with a text that has a command and is no next step. What follows the tests of a
/// file is not looked at.
fn bare_commands(text: &str, commands: &[String]) -> Vec<usize> {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let mut lines = Vec::new();
    let mut brackets = 0_usize;
    let mut before = "";
    for part in parts(&text[..end]) {
        let piece = &text[part.range.clone()];
        match part.kind {
            Kind::Comment => {}
            Kind::Code => {
                brackets = brackets_of_attribute(piece, brackets);
                before = piece.trim_end();
            }
            Kind::Literal => {
                let is_step = MAKERS.iter().any(|maker| before.ends_with(maker));
                if brackets == 0 && !is_step && has_command(piece.trim_matches('"'), commands) {
                    lines.push(text[..part.range.start].matches('\n').count() + 1);
                }
            }
        }
    }
    lines
}

/// Brackets of an attribute that are open at the end of a piece of code.
fn brackets_of_attribute(code: &str, open: usize) -> usize {
    let mut open = open;
    let mut before = ' ';
    for letter in code.chars().filter(|letter| !letter.is_whitespace() && *letter != '!') {
        match letter {
            '[' if open > 0 || before == '#' => open += 1,
            ']' => open = open.saturating_sub(1),
            _ => {}
        }
        before = letter;
    }
    open
}

fn has_command(literal: &str, commands: &[String]) -> bool {
    // The letter of an escape is not of a word.
    let text = literal.replace("\\n", "\n");
    let begins = text.match_indices(COMMAND).filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|before| !before.is_alphanumeric() && before != '/')
    });
    let mut words = begins.map(|(at, _)| {
        let rest = &text[at + COMMAND.len()..];
        &rest[..rest.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(rest.len())]
    });
    let is_name =
        text.strip_prefix(COMMAND).is_some_and(|word| commands.iter().any(|command| command == word));
    !is_name && words.any(|word| commands.iter().any(|command| command == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_a_command_is_a_next_step() {
        let commands = commands_of(
            "use a;\nconst CONNECTING: [&str; 2] = [\n    \"get\",\n    \"trigger-monitor\",\n];\nconst OF: [&str; 2] = [\"qmgr stop\", \"stop\"];\nconst COMMAND: &str = \"ferry \";\n",
        );
        assert_eq!(commands, ["get", "trigger-monitor", "stop"]);
        for (text, expected) in [
            ("output::say(\"x\\nferry get Q gets\");", &[1][..]),
            ("failure\n    .next(format!(\n    \"`ferry stop {name}` ends it\"))", &[3]),
            ("const NEXT: &str = \"ferry trigger-monitor Q\";", &[1]),
            ("next_step!(\n    \"ferry get {name} gets\"\n)", &[]),
            ("NextStep::of(\"ferry get Q, ferry stop\")", &[]),
            ("format!(\"{}\", next_step!(\"ferry get Q\"), \"ferry get Q\")", &[1]),
            ("#[command(after_help = concat!(\"ferry get Q\"))]\nfn f() {}", &[]),
            ("#[derive(A)]\nfn f() { say(\"ferry get Q\") }", &[2]),
            ("let a = [1]; // \"ferry get Q\"", &[]),
            ("application: \"ferry get\"", &[]),
            ("say(\"ferry getter, a ferry, target/ferry get, ferry explain 2033\")", &[]),
            ("fn f() {}\n#[cfg(test)]\nmod tests { const A: &str = \"ferry get Q\"; }", &[]),
        ] {
            assert_eq!(bare_commands(text, &commands), expected, "{text}");
        }
    }
}
