//! REFRESH SECURITY: has logins, rights and keys judged again by what holds now.

use std::fmt;

use mqi::constants::*;

use super::form::{Form, Head, Work};
use crate::mqsc::lexer::TokenKind;
use crate::mqsc::parser::{Parsed, Parser};
use crate::pcf::parameters::{Parameters, Read, wrong_value};

/// TYPE of REFRESH SECURITY.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refreshing {
    /// Groups of users, and the rights of what is open.
    #[default]
    Authorities,
    /// Users, and the logins of connections.
    Logins,
    /// Keys, trusted certificates and lists of revoked ones, and the connections by them.
    Keys,
    /// All of these.
    All,
}

/// The words that TYPE takes, and their numbers in binary form. That of ALL is ours: the family has none.
const TYPES: [(&str, Refreshing, i32); 4] = [
    ("AUTHSERV", Refreshing::Authorities, MQSECTYPE_AUTHSERV),
    ("CONNAUTH", Refreshing::Logins, MQSECTYPE_CONNAUTH),
    ("SSL", Refreshing::Keys, MQSECTYPE_SSL),
    ("ALL", Refreshing::All, 0),
];

impl Refreshing {
    /// The word that TYPE takes for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        let row = TYPES.iter().find(|(_, refreshing, _)| *refreshing == self);
        row.expect("each has a word").0
    }

    /// Returns true if connections are judged again by the rules of logins.
    #[must_use]
    pub fn is_of_logins(self) -> bool {
        matches!(self, Self::Logins | Self::All)
    }

    /// Returns true if files of keys are read again.
    #[must_use]
    pub fn is_of_keys(self) -> bool {
        matches!(self, Self::Keys | Self::All)
    }

    /// Returns true if rights are judged again.
    #[must_use]
    pub fn is_of_rights(self) -> bool {
        matches!(self, Self::Authorities | Self::All)
    }

    pub(super) fn write(self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, " TYPE({})", self.word())
    }
}

pub(super) const REFRESH: Form<Refreshing> = Form {
    head: Head {
        verb: "REFRESH",
        subject: "SECURITY",
        synonyms: &["SEC"],
        // It reads files.
        work: Work::Long,
        number: MQCMD_REFRESH_SECURITY,
    },
    text: |parser| parser.refresh_security(),
    read: |given| given.refresh_security(),
};

impl Parser<'_> {
    /// Takes the rest of REFRESH SECURITY: (*), which says nothing, and TYPE.
    fn refresh_security(&mut self) -> Parsed<Refreshing> {
        if self.peek_is(&TokenKind::Open) {
            self.content("SECURITY")?;
        }
        let mut refreshing = Refreshing::default();
        let mut said: Vec<&str> = Vec::new();
        while self.peek().is_some() {
            let word = self.option("an option of REFRESH SECURITY", &["TYPE"], &mut said)?;
            refreshing = self.one_of(word, &TYPES.map(|(word, refreshing, _)| (word, refreshing)))?;
        }
        Ok(refreshing)
    }
}

impl Parameters {
    fn refresh_security(&mut self) -> Read<Refreshing> {
        let Some(number) = self.integer(MQIACF_SECURITY_TYPE)? else { return Ok(Refreshing::default()) };
        let row = TYPES.iter().find(|(_, _, of)| *of == number);
        row.map(|(_, refreshing, _)| *refreshing).ok_or_else(|| wrong_value(MQIACF_SECURITY_TYPE))
    }
}
