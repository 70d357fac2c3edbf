//! The queue manager that `-m` names, for commands whose first word is the name of one.
//!
//! Lives here: putting the name where such a command wants it. Lives elsewhere: commands that take a name or
//! `-m` (`terminal::common`).
//!
//! Always: words that name the queue manager in its place keep their meaning; two different names are
//! refused.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, CommandFactory as _, Parser as _};

use crate::arguments::Arguments;

/// The name of the value that is a queue manager.
const QUEUE_MANAGER: &str = "QM";

/// The variable that names the queue manager where nothing else does.
const VARIABLE: &str = "FERRY_QMGR";

/// Reads the words, the name of the program first.
///
/// # Errors
/// When the words are wrong, or two queue managers are named.
pub(crate) fn parse(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let typed = Arguments::try_parse_from(words);
    let Some(leaf) = Leaf::find(words) else { return typed };
    let missing = typed.as_ref().is_err_and(|error| error.kind() == ErrorKind::MissingRequiredArgument);
    let by_variable = || std::env::var_os(VARIABLE).filter(|name| missing && !name.is_empty());
    let Some(name) = leaf.option.clone().or_else(by_variable) else { return typed };
    if leaf.placed(words).is_some_and(|placed| placed == name) {
        return typed;
    }
    let mut with_name = words.to_vec();
    with_name.insert(leaf.place, name.clone());
    match (Arguments::try_parse_from(with_name), typed) {
        (Ok(arguments), _) => Ok(arguments),
        (Err(_), Ok(_)) => {
            let text = format!(
                "two queue managers are named: {}, and {} by -m",
                leaf.placed(words).unwrap_or_default().display(),
                name.display()
            );
            Err(Arguments::command().error(ErrorKind::ArgumentConflict, text))
        }
        (Err(of_name), Err(typed)) => {
            // Of both faults the one that is left with the name is meant.
            Err(if typed.kind() == ErrorKind::MissingRequiredArgument { of_name } else { typed })
        }
    }
}

/// A command whose first word is the name of a queue manager.
struct Leaf {
    /// The place of that word.
    place: usize,
    /// The names of the commands that lead to it.
    path: Vec<String>,
    /// The identifier of the word.
    id: clap::Id,
    /// The value of `-m`.
    option: Option<OsString>,
}

impl Leaf {
    /// Finds the command among the words; none if its first word is no queue manager, or need not be there.
    fn find(words: &[OsString]) -> Option<Self> {
        let root = Arguments::command();
        let (mut command, mut path, mut place) = (&root, Vec::new(), None);
        let mut option = None;
        let mut rest = words.iter().enumerate().skip(1);
        while let Some((at, word)) = rest.next() {
            let word = word.to_str()?;
            if word == "--" {
                break;
            }
            if let Some(value) = word.strip_prefix("--qmgr=") {
                option = Some(OsString::from(value));
            } else if word.starts_with('-') && word.len() > 1 {
                let Some(found) = option_of(&root, command, word) else { continue };
                let is_name = found.get_id() == "qmgr";
                let attached = (!word.starts_with("--")).then(|| &word[2..]).filter(|rest| !rest.is_empty());
                if !found.get_action().takes_values() || word.contains('=') {
                    continue;
                }
                let value = match attached {
                    Some(value) => OsString::from(value.trim_start_matches('=')),
                    None => rest.next()?.1.clone(),
                };
                if is_name {
                    option = Some(value);
                }
            } else if let Some(next) = command.find_subcommand(word) {
                path.push(next.get_name().to_owned());
                (command, place) = (next, Some(at + 1));
            }
        }
        let first = command.get_positionals().next().filter(|first| names_queue_manager(first))?;
        Some(Self { place: place?, path, id: first.get_id().clone(), option })
    }

    /// The name that stands in its place, if the words are right as they are.
    fn placed(&self, words: &[OsString]) -> Option<OsString> {
        let matches = Arguments::command().try_get_matches_from(words).ok()?;
        let leaf = self
            .path
            .iter()
            .try_fold(&matches, |matches: &ArgMatches, name| matches.subcommand_matches(name))?;
        leaf.get_one::<String>(self.id.as_str()).map(OsString::from)
    }
}

fn names_queue_manager(argument: &Arg) -> bool {
    let names = argument.get_value_names().unwrap_or_default();
    argument.is_required_set() && names.iter().any(|name| name.as_str() == QUEUE_MANAGER)
}

/// The option that a word is, of a command or of all.
fn option_of<'a>(root: &'a Command, command: &'a Command, word: &str) -> Option<&'a Arg> {
    let is_meant = |argument: &&Arg| match word.strip_prefix("--") {
        Some(long) => argument.get_long() == long.split('=').next(),
        None => argument.get_short() == word.chars().nth(1),
    };
    command.get_arguments().chain(root.get_arguments()).find(is_meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Command as Verb;
    use crate::commands::{tls, user};

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn an_option_names_the_queue_manager_of_each_command_that_wants_one_first() {
        for text in [
            "ferry user list QM1",
            "ferry -m QM1 user list",
            "ferry user -m QM1 list",
            "ferry user list -m QM1",
            "ferry user list --qmgr QM1",
            "ferry user list --qmgr=QM1",
            "ferry user list -mQM1",
            "ferry user list -m QM1 QM1",
            "ferry --data d -o json user list -m QM1",
        ] {
            let parsed = parse(&words(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(
                matches!(parsed.command, Verb::User(user::Command::List(of)) if of.name() == "QM1"),
                "{text}"
            );
        }
        for text in [
            "ferry tls bundle QM1 app app.pem",
            "ferry tls bundle -m QM1 app app.pem",
            "ferry tls -m QM1 bundle app app.pem --address h(1)",
            "ferry tls bundle --address h(1) -m QM1 app app.pem",
        ] {
            let parsed = parse(&words(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(matches!(parsed.command, Verb::Tls(tls::Command::Bundle(_))), "{text}");
        }
        let parsed = parse(&words("ferry why -m QM1 00000000000000AB")).expect("a number");
        let Verb::Why(why) = parsed.command else { panic!("another command") };
        assert_eq!((why.name(), why.id()), ("QM1", Some("00000000000000AB")));
    }

    #[test]
    fn two_names_and_too_few_words_are_refused() {
        for (text, expected) in [
            ("ferry user list -m QM2 QM1", "two queue managers are named: QM1, and QM2 by -m"),
            ("ferry user add -m QM1", "<USER>"),
            ("ferry user add QM1", "<USER>"),
            ("ferry tls bundle -m QM1 app", "<FILE>"),
            ("ferry user list -m", "--qmgr"),
        ] {
            let error = parse(&words(text)).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
