//! The queue manager that `-m` names, for commands whose first word is the name of one.
//!
//! Lives here: putting the name where such a command wants it. Lives elsewhere: commands that take a name or
//! `-m` (`terminal::common`).
//!
//! Always: words that name the queue manager in its place keep their meaning; two different names are
//! refused.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _};

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
    let mut root = Arguments::command();
    let leaf = Leaf::find(&root, words);
    let mut words = words.to_vec();
    if let Some((leaf, name)) = leaf.as_ref().and_then(|leaf| Some((leaf, leaf.name_to_insert()?))) {
        words.insert(leaf.place, name);
    }
    let read = root.try_get_matches_from_mut(words);
    let read = read.and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches));
    read.map_err(|error| match leaf.and_then(Leaf::two_names) {
        Some(text) if error.kind() == ErrorKind::UnknownArgument => {
            root.error(ErrorKind::ArgumentConflict, text)
        }
        _ => error.format(&mut root),
    })
}

/// A command whose first word is the name of a queue manager, as it was typed.
struct Leaf {
    /// The place of that word.
    place: usize,
    /// The words of the command that are no options.
    words: Vec<OsString>,
    /// The fewest such words that it takes.
    words_min: usize,
    /// The most such words that it takes.
    words_max: usize,
    /// The value of `-m`.
    option: Option<OsString>,
}

impl Leaf {
    /// Finds the command among the words; none if its first word is no queue manager, or need not be there.
    fn find(root: &Command, words: &[OsString]) -> Option<Self> {
        let (mut command, mut place) = (root, None);
        let (mut option, mut plain) = (None, Vec::new());
        let mut rest = words.iter().enumerate().skip(1);
        while let Some((at, whole)) = rest.next() {
            let word = whole.to_str()?;
            if word == "--" {
                plain.extend(rest.by_ref().map(|(_, word)| word.clone()));
            } else if word.starts_with('-') && word.len() > 1 {
                let Some((found, attached)) = option_with_value(root, command, word) else { continue };
                let value = match attached {
                    Some(value) => OsString::from(value),
                    None => rest.next()?.1.clone(),
                };
                if found.get_id() == "qmgr" {
                    option = Some(value);
                }
            } else if let Some(next) = command.find_subcommand(word) {
                (command, place) = (next, Some(at + 1));
            } else {
                plain.push(whole.clone());
            }
        }
        command.get_positionals().next().filter(|first| names_queue_manager(first))?;
        Some(Self {
            place: place?,
            words: plain,
            words_min: command.get_positionals().filter(|word| word.is_required_set()).count(),
            words_max: command.get_positionals().count(),
            option,
        })
    }

    /// The name that an option or the variable gives, unless it stands in its place.
    fn name_to_insert(&self) -> Option<OsString> {
        let are_enough = self.words.len() >= self.words_min;
        match &self.option {
            Some(name) => (!are_enough || self.words.first() != Some(name)).then(|| name.clone()),
            None if are_enough => None,
            None => std::env::var_os(VARIABLE).filter(|name| !name.is_empty()),
        }
    }

    /// Says which two queue managers are named, if the option leaves one word too many.
    fn two_names(self) -> Option<String> {
        let (first, name) = (self.words.first()?, self.option?);
        let is_meant = self.words.len() == self.words_max && *first != name;
        is_meant.then(|| {
            format!("two queue managers are named: {}, and {} by -m", first.display(), name.display())
        })
    }
}

fn names_queue_manager(argument: &Arg) -> bool {
    let names = argument.get_value_names().unwrap_or_default();
    argument.is_required_set() && names.iter().any(|name| name.as_str() == QUEUE_MANAGER)
}

/// The option in a word that takes a value, of a command or of all, and the value where the word has it.
fn option_with_value<'a, 'w>(
    root: &'a Command,
    command: &'a Command,
    word: &'w str,
) -> Option<(&'a Arg, Option<&'w str>)> {
    let known = || command.get_arguments().chain(root.get_arguments());
    let takes_value = |option: &&Arg| option.get_action().takes_values();
    if let Some(long) = word.strip_prefix("--") {
        let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
        let found = known().find(|option| option.get_long() == Some(name));
        return found.filter(takes_value).map(|option| (option, value));
    }
    // Of letters that stand together, the first that takes a value has the rest.
    word.char_indices().skip(1).find_map(|(at, letter)| {
        let found = known().find(|option| option.get_short() == Some(letter)).filter(takes_value)?;
        let rest = &word[at + letter.len_utf8()..];
        Some((found, (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest))))
    })
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
            "ferry user list -m QM1 -- QM1",
            "ferry --data d -o json user list -m QM1",
        ] {
            let parsed = parse(&words(text)).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!(
                matches!(parsed.command, Verb::User(user::UserCommand::List(of)) if of.name() == "QM1"),
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
            assert!(matches!(parsed.command, Verb::Tls(tls::TlsCommand::Bundle(_))), "{text}");
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
            ("ferry user list -m QM1 --wrong", "--wrong"),
            ("ferry user add -m QM2 QM1 ada", "two queue managers are named: QM1, and QM2 by -m"),
        ] {
            let error = parse(&words(text)).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
