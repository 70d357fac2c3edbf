//! Next steps: what a person can do after an answer or a failure, with the commands to type.
//!
//! Lives here: the one place where the options that were typed are added to the commands of a next step.
//! Without them a command would reach another queue manager, or none. Lives elsewhere: failures, which have
//! a next step (`failure`).
//!
//! Always: a step with a command is printed with the options of its person.

use std::borrow::Cow;
use std::path::Path;

use crate::output::in_shell;

/// The beginning of a command in the text of a next step.
const COMMAND: &str = "ferry ";

/// Commands that connect to a queue manager.
const CONNECTING: [&str; 27] = [
    "auth",
    "bridge",
    "browse",
    "channel",
    "check",
    "config",
    "control",
    "dlq",
    "events",
    "export",
    "get",
    "import",
    "jndi",
    "move",
    "mqsc",
    "pub",
    "put",
    "queues",
    "reply",
    "request",
    "route",
    "sub",
    "top",
    "topic",
    "trace",
    "trigger-monitor",
    "uow",
];

/// Commands that work on the files of a data directory.
const OF_DATA: [&str; 15] = [
    "backup",
    "container",
    "dev",
    "doctor",
    "guarantees",
    "list",
    "log",
    "qmgr",
    "recover",
    "restore",
    "stop",
    "support",
    "tls",
    "user",
    "why",
];

/// Commands that work on files of a data directory, or on a connection that is typed.
const OF_BOTH: [&str; 2] = ["qmgr stop", "stop"];

/// Says whether a command works on a queue manager or a data directory, so that options can name them.
#[must_use]
pub fn has_place(command: &str) -> bool {
    CONNECTING.contains(&command) || OF_DATA.contains(&command)
}

/// A next step in words. Its commands have no options that say which queue manager is meant, and nothing
/// prints it before [`NextStep::at`] adds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextStep {
    words: Cow<'static, str>,
    commands: Commands,
}

/// The place of the commands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Commands {
    /// Anywhere outside of quotes.
    Anywhere,
    /// In backticks, as errors below the terminal have them.
    InBackticks,
}

/// Makes a next step of a format string and its values.
#[macro_export]
macro_rules! next_step {
    ($($words:tt)*) => { $crate::next_step::NextStep::from(format!($($words)*)) };
}

impl NextStep {
    /// A next step without values.
    #[must_use]
    pub const fn of(words: &'static str) -> Self {
        Self { words: Cow::Borrowed(words), commands: Commands::Anywhere }
    }

    /// The text of an error, whose commands are in backticks.
    pub(crate) fn of_error(words: &str) -> Self {
        Self { words: Cow::Owned(words.to_owned()), commands: Commands::InBackticks }
    }

    /// This step, and another one.
    #[must_use]
    pub fn and(self, separator: &str, other: &Self) -> Self {
        Self::from(format!("{}{separator}{}", self.words, other.words))
    }

    /// The text with the options that were typed.
    #[must_use]
    pub fn at(&self, options: &PlaceOptions) -> String {
        let mut whole = String::with_capacity(self.words.len());
        let mut rest = &*self.words;
        while let Some(at) = self.next_command(&whole, rest) {
            let (before, command) = rest.split_at(at + COMMAND.len());
            whole.push_str(before);
            // The words up to the next command may have options already.
            let end = self.next_command(&whole, command).unwrap_or(command.len());
            whole.push_str(&options.missing(&command[..end]));
            whole.push_str(&command[..end]);
            rest = &command[end..];
        }
        whole.push_str(rest);
        whole
    }

    /// The text as it is: for another machine, where the options that were typed here say nothing, or for a
    /// step that has them.
    #[must_use]
    pub fn elsewhere(&self) -> &str {
        &self.words
    }

    /// The place of the next command in a text that follows another.
    fn next_command(&self, before: &str, text: &str) -> Option<usize> {
        let mut last = before.chars().next_back();
        let mut quote = None;
        for (at, letter) in text.char_indices() {
            let begins_word = last.is_none_or(|last| !last.is_alphanumeric() && last != '/');
            let is_quoted = quote.is_some();
            let is_meant = match self.commands {
                Commands::Anywhere => begins_word,
                Commands::InBackticks => last == Some('`'),
            };
            if !is_quoted && is_meant && text[at..].starts_with(COMMAND) {
                return Some(at);
            }
            match letter {
                '"' | '\'' if quote == Some(letter) => quote = None,
                // An apostrophe within a word opens nothing.
                '"' | '\'' if !is_quoted && begins_word && self.commands == Commands::Anywhere => {
                    quote = Some(letter);
                }
                _ => {}
            }
            last = Some(letter);
        }
        None
    }
}

impl From<String> for NextStep {
    fn from(words: String) -> Self {
        Self { words: Cow::Owned(words), commands: Commands::Anywhere }
    }
}

impl From<&str> for NextStep {
    fn from(words: &str) -> Self {
        Self::from(words.to_owned())
    }
}

/// Options that say which queue manager is meant, as typed.
#[derive(Clone, Debug, Default)]
pub struct PlaceOptions {
    /// For commands that connect.
    connecting: Vec<(&'static str, String)>,
    /// For commands that work on files.
    of_files: Vec<(&'static str, String)>,
}

impl PlaceOptions {
    /// Takes options with their values.
    pub(crate) fn new(typed: Vec<(&'static str, String)>) -> Self {
        let of_files = typed.iter().filter(|(option, _)| matches!(*option, "--data" | "--context"));
        Self { of_files: of_files.cloned().collect(), connecting: typed }
    }

    /// Has commands that work on files name this data directory, where nothing that was typed leads to it.
    #[must_use]
    pub(crate) fn or_data(self, data: &Path) -> Self {
        if self.of_files.is_empty() {
            Self { of_files: vec![("--data", data.to_string_lossy().into_owned())], ..self }
        } else {
            self
        }
    }

    /// Options that a command lacks, each with a blank behind it.
    fn missing(&self, command: &str) -> String {
        let begins_with = |words: &str| {
            let goes_on = |letter: char| letter.is_ascii_lowercase() || letter == '-';
            command.strip_prefix(words).is_some_and(|rest| !rest.starts_with(goes_on))
        };
        let is_far = self.connecting.iter().any(|(option, _)| *option == "--connect");
        let wanted =
            if CONNECTING.into_iter().any(begins_with) || is_far && OF_BOTH.into_iter().any(begins_with) {
                &self.connecting[..]
            } else if OF_DATA.into_iter().any(begins_with) {
                &self.of_files[..]
            } else {
                &[]
            };
        let is_missing = |option: &str| !command.split(' ').any(|word| word == option);
        let missing = wanted.iter().filter(|(option, _)| is_missing(option));
        missing.map(|(option, value)| format!("{option} {} ", in_shell(value))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(typed: &[(&'static str, &str)], step: &NextStep) -> String {
        let typed = typed.iter().map(|(option, value)| (*option, (*value).to_owned()));
        step.at(&PlaceOptions::new(typed.collect()))
    }

    #[test]
    fn commands_of_the_next_step_have_the_options_that_were_typed() {
        for (next, expected) in [
            ("ferry browse Q shows it", "ferry -m LYON --data '/a b' browse Q shows it"),
            (
                "ferry get Q waits; ferry qmgr list shows them, ferry explain 2033 too",
                "ferry -m LYON --data '/a b' get Q waits; ferry --data '/a b' qmgr list shows them, ferry explain \
                 2033 too",
            ),
            ("ferry qmgr start LYON starts it", "ferry --data '/a b' qmgr start LYON starts it"),
            ("ferry qmgr start LYON --data /c", "ferry qmgr start LYON --data /c"),
            ("ferry qmgr stop LYON", "ferry --data '/a b' qmgr stop LYON"),
            ("ferry browse LYON.Q shows it", "ferry -m LYON --data '/a b' browse LYON.Q shows it"),
            ("ferry auth grant ada get -m LYON", "ferry --data '/a b' auth grant ada get -m LYON"),
            ("ferry trigger-monitor runs them", "ferry -m LYON --data '/a b' trigger-monitor runs them"),
            (
                "ferry tls init LYON && ferry list",
                "ferry --data '/a b' tls init LYON && ferry --data '/a b' list",
            ),
            ("a queue manager's log: ferry list", "a queue manager's log: ferry --data '/a b' list"),
            ("a ferry command of the same release", "a ferry command of the same release"),
            ("ferry pub 'ferry get x' y", "ferry -m LYON --data '/a b' pub 'ferry get x' y"),
            ("target/ferry get x", "target/ferry get x"),
            ("nothing to type", "nothing to type"),
        ] {
            assert_eq!(placed(&[("-m", "LYON"), ("--data", "/a b")], &NextStep::from(next)), expected);
        }
    }

    #[test]
    fn a_step_goes_to_the_address_that_was_typed_as_the_same_user() {
        let words = [("--connect", "far:1415"), ("--user", "ada"), ("--tls", "ANY"), ("--key-store", "k")];
        for (next, expected) in [
            ("ferry get Q", "ferry --connect far:1415 --user ada --tls ANY --key-store k get Q"),
            ("ferry qmgr stop A", "ferry --connect far:1415 --user ada --tls ANY --key-store k qmgr stop A"),
            ("ferry stop A", "ferry --connect far:1415 --user ada --tls ANY --key-store k stop A"),
            ("ferry qmgr start A", "ferry qmgr start A"),
        ] {
            assert_eq!(placed(&words, &NextStep::from(next)), expected);
        }
        assert_eq!(placed(&[("--context", "two")], &NextStep::of("ferry list")), "ferry --context two list");
        assert_eq!(placed(&[("--with", "b.pem")], &NextStep::of("ferry get Q")), "ferry --with b.pem get Q");
    }

    #[test]
    fn commands_in_the_text_of_an_error_are_in_backticks() {
        let error =
            NextStep::of_error("LYON runs: stop it with `ferry qmgr stop LYON`; ferry list; `ferry x`");
        let expected = "LYON runs: stop it with `ferry --data d qmgr stop LYON`; ferry list; `ferry x`";
        assert_eq!(placed(&[("--data", "d")], &error), expected);
    }
}
