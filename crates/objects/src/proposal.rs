//! Commands of MQSC that are proposed to an administrator, who pastes them or lets a program run them.
//!
//! Lives here: building them. Lives elsewhere: the right or the rule that a command gives, and the words
//! around it.
//!
//! Always: a proposal is one command of one line, in which each value from outside stands between quotes; a
//! value that could be anything else than the value has no proposal.

use std::fmt::Write as _;

use security::check_given_name;
use security::letters::is_harmful;

use crate::value::quoted;

/// A command that is being built.
#[derive(Clone, Debug)]
#[must_use = "a proposal is built to be told"]
pub struct Proposal {
    text: String,
    is_possible: bool,
}

impl Proposal {
    /// Begins a command by its first words.
    pub fn new(words: &'static str) -> Self {
        Self { text: words.to_owned(), is_possible: true }
    }

    /// Adds words of the language, such as the value of a choice.
    pub fn words(self, keyword: &str, value: &str) -> Self {
        let is_word = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"_,-".contains(&byte);
        let is_possible = !value.is_empty() && value.bytes().all(is_word);
        self.add(keyword, value, is_possible)
    }

    /// Adds a text.
    pub fn text(self, keyword: &str, value: &str) -> Self {
        self.add(keyword, &quoted(value), !value.contains(is_harmful))
    }

    /// Adds several texts.
    pub fn texts<'a>(self, keyword: &str, values: impl IntoIterator<Item = &'a str>) -> Self {
        let values: Vec<&str> = values.into_iter().collect();
        let is_possible = !values.iter().any(|value| value.contains(is_harmful));
        let listed: Vec<String> = values.into_iter().map(quoted).collect();
        self.add(keyword, &listed.join(","), is_possible)
    }

    /// Adds the name of a user or a group.
    pub fn user(self, keyword: &str, name: &str) -> Self {
        self.add(keyword, &quoted(name), check_given_name(name).is_ok())
    }

    /// The command; none where no command has these values.
    #[must_use]
    pub fn command(self) -> Option<String> {
        self.is_possible.then_some(self.text)
    }

    fn add(mut self, keyword: &str, value: &str, is_possible: bool) -> Self {
        let _ = write!(self.text, " {keyword}({value})");
        self.is_possible &= is_possible;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mqsc::{self, Command};

    fn of_user(name: &str) -> Option<String> {
        Proposal::new("SET AUTHREC")
            .words("OBJTYPE", "QMGR")
            .user("PRINCIPAL", name)
            .words("AUTHADD", "CONNECT")
            .command()
    }

    #[test]
    fn a_proposal_is_one_command_about_the_value_that_was_given_or_none() {
        for (name, is_possible) in [
            ("ada", true),
            ("o'hara", true),
            ("x')PRINCIPAL('y", true),
            ("a)AUTHADD(ALL", true),
            ("größe", true),
            ("a -b +", true),
            ("", false),
            ("*", false),
            ("*MQADMIN", false),
            ("\nallowed by  SET AUTHREC OBJTYPE(QMGR)PRINCIPAL(X)AUTHADD(ALL);", false),
            ("a\u{202e}b", false),
            ("a\u{9b}b", false),
            ("a\0", false),
            (&"a".repeat(64), true),
            (&"a".repeat(65), false),
            (&"a\n".repeat(2_000), false),
        ] {
            let proposed = of_user(name);
            assert_eq!(proposed.is_some(), is_possible, "{name:?}: {proposed:?}");
            let Some(proposed) = proposed else { continue };
            let commands = mqsc::parse(&proposed).expect("it is MQSC");
            let [Command::SetAuthority(set)] = &*commands else { panic!("{proposed}: {commands:?}") };
            let [entity] = &*set.records.entities else { panic!("{proposed}") };
            assert_eq!((entity.is_group, &*entity.name), (false, name));
            assert_eq!(set.remove, None);
        }
    }

    #[test]
    fn words_and_texts_that_say_more_than_a_value_have_no_command() {
        let set = || Proposal::new("SET CHLAUTH('*')");
        assert_eq!(set().words("TYPE", "USERMAP) ACTION(REMOVEALL").command(), None);
        assert_eq!(set().words("TYPE", "").command(), None);
        assert_eq!(set().text("DESCR", "it's\n").command(), None);
        assert_eq!(set().texts("USERLIST", ["a", "b\r"]).command(), None);
        let command = set().texts("USERLIST", ["*MQADMIN", "o'hara"]).text("DESCR", "").command();
        assert_eq!(command.unwrap(), "SET CHLAUTH('*') USERLIST('*MQADMIN','o''hara') DESCR(' ')");
    }
}
