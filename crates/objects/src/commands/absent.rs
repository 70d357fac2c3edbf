//! Commands of the language about things that this queue manager does not have. They are understood, and
//! answered by naming the thing that is missing, so that a script that has them can be read to its end.

use std::fmt;

use mqi::constants::*;

use crate::mqsc::lexer::{Token, TokenKind};
use crate::mqsc::parser::{Between, Parsed, Parser};
use crate::object_type::Family;
use crate::pcf::parameters::{Parameters, Read, missing, refusal};
use crate::value::quoted;

/// A command that is understood and cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absent {
    /// The command in two words: `START CHANNEL`.
    pub command: &'static AbsentCommand,
    /// The name it gave, if any.
    pub name: Option<String>,
    /// The rest of it, as it was written.
    pub rest: String,
}

/// A row: a command about what is not there.
#[derive(Debug, PartialEq, Eq)]
pub struct AbsentCommand {
    /// Its first word.
    pub verb: &'static str,
    /// Its second word.
    pub subject: &'static str,
    /// Other spellings of the second word.
    pub synonyms: &'static [&'static str],
    /// The name that follows.
    pub naming: Naming,
    /// The thing that is missing.
    pub missing: Missing,
}

/// A name in parentheses after the second word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// It must.
    Required,
    /// It may.
    Optional,
    /// No name is given.
    None,
}

/// A thing that this queue manager does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Channels of MQTT.
    Channels,
    /// Services: programs that the queue manager would start.
    Services,
    /// Clusters.
    Clusters,
    /// Protection of messages by policy.
    Policies,
    /// Steps of the recovery log that a command asks for.
    Log,
    /// Applications that a group of queue managers shares out.
    Balancing,
}

impl Missing {
    /// The sentence that says so, without its full stop.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Channels => "channels of MQTT can be defined but not run yet",
            Self::Services => {
                "services can be defined but are never executed: no program is started for them"
            }
            Self::Clusters => "there are no clusters yet",
            Self::Policies => "there is no protection of messages by policy",
            Self::Log => {
                "no extent of the recovery log waits to be archived; ferry log prune removes those that no image needs"
            }
            Self::Balancing => "applications are not shared out among queue managers",
        }
    }
}

impl AbsentCommand {
    /// Returns true if it asks for things of which there are none, and so finds nothing.
    pub fn finds_nothing(&self) -> bool {
        self.verb == "DISPLAY"
    }
}

const fn row(
    verb: &'static str,
    subject: &'static str,
    synonyms: &'static [&'static str],
    naming: Naming,
    missing: Missing,
) -> AbsentCommand {
    AbsentCommand { verb, subject, synonyms, naming, missing }
}

/// Every such command.
static ABSENT: &[AbsentCommand] = &[
    row("START", "SERVICE", &[], Naming::Required, Missing::Services),
    row("STOP", "SERVICE", &[], Naming::Required, Missing::Services),
    row("PURGE", "CHANNEL", &["CHL"], Naming::Required, Missing::Channels),
    row("RESET", "CLUSTER", &[], Naming::Required, Missing::Clusters),
    row("REFRESH", "CLUSTER", &[], Naming::Required, Missing::Clusters),
    row("RESUME", "QMGR", &[], Naming::None, Missing::Clusters),
    row("SUSPEND", "QMGR", &[], Naming::None, Missing::Clusters),
    row("SET", "POLICY", &[], Naming::Required, Missing::Policies),
    row("SET", "LOG", &[], Naming::None, Missing::Log),
    row("DELETE", "POLICY", &[], Naming::Required, Missing::Policies),
    row("DISPLAY", "CLUSQMGR", &[], Naming::Required, Missing::Clusters),
    row("DISPLAY", "QCLUSTER", &["QC"], Naming::Required, Missing::Clusters),
    row("DISPLAY", "TCLUSTER", &[], Naming::Required, Missing::Clusters),
    row("DISPLAY", "SVSTATUS", &[], Naming::Required, Missing::Services),
    row("DISPLAY", "POLICY", &[], Naming::Required, Missing::Policies),
    row("DISPLAY", "APSTATUS", &[], Naming::Optional, Missing::Balancing),
];

impl Absent {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.command.verb, self.command.subject)?;
        if let Some(name) = &self.name {
            write!(formatter, "({})", quoted(name))?;
        }
        if self.rest.is_empty() { Ok(()) } else { write!(formatter, " {}", self.rest) }
    }
}

impl Parser<'_> {
    /// Takes the rest of a command if it is one of those; the verb is taken already.
    pub(super) fn absent(&mut self, verb: &str) -> Parsed<Option<Absent>> {
        let Some(Token { kind: TokenKind::Word(word), .. }) = self.peek() else { return Ok(None) };
        let word = self.cluster_subject(verb, word).unwrap_or(word.as_str());
        let is_meant =
            |row: &&AbsentCommand| row.verb == verb && (row.subject == word || row.synonyms.contains(&word));
        let Some(command) = ABSENT.iter().find(is_meant) else { return Ok(None) };
        self.next += 1;
        let has_name = self.peek_is(&TokenKind::Open);
        let name = match command.naming {
            Naming::Required => Some(self.content(command.subject)?.text),
            Naming::Optional if has_name => Some(self.content(command.subject)?.text),
            Naming::Optional | Naming::None => None,
        };
        let from = self.here().start;
        self.skip_parameters()?;
        let rest = self.text[from.min(self.text.len())..].trim().to_owned();
        Ok(Some(Absent { command, name, rest }))
    }

    /// The second word of a display that asks by its type for objects of clusters alone.
    fn cluster_subject(&self, verb: &str, word: &str) -> Option<&'static str> {
        let (subject, keyword) = match Family::from_keyword(word).filter(|_| verb == "DISPLAY")? {
            Family::Queue => ("QCLUSTER", "QCLUSTER"),
            Family::Topic => ("TCLUSTER", "CLUSTER"),
            _ => return None,
        };
        let is_word = |token: &Token, wanted: &[&str]| matches!(&token.kind, TokenKind::Word(word) if wanted.contains(&word.as_str()));
        let is_type = |three: &[Token]| {
            let is_open = three[1].kind == TokenKind::Open;
            is_word(&three[0], &["TYPE", "QTYPE"]) && is_open && is_word(&three[2], &[keyword])
        };
        self.tokens[self.next..].windows(3).any(is_type).then_some(subject)
    }

    /// The second words of such commands.
    pub(super) fn absent_subjects(&self, verb: &str) -> Vec<&'static str> {
        ABSENT.iter().filter(|row| row.verb == verb).map(|row| row.subject).collect()
    }

    /// Takes words, each with a value in parentheses or without, to the end.
    fn skip_parameters(&mut self) -> Parsed<()> {
        while self.peek().is_some() {
            let is_word = |token: &Token| matches!(token.kind, TokenKind::Word(_));
            if !self.peek().is_some_and(is_word) {
                return Err(self.unexpected("a parameter"));
            }
            let word = self.written().to_ascii_uppercase();
            self.next += 1;
            if self.peek_is(&TokenKind::Open) {
                self.content_of(&word, Between::CommasOrBlanks)?;
            }
        }
        Ok(())
    }
}

/// The commands about what this queue manager does not have: understood, and answered so.
#[rustfmt::skip]
const NUMBERS: &[i32] = &[
    MQCMD_PURGE_CHANNEL,
    MQCMD_START_SERVICE, MQCMD_STOP_SERVICE, MQCMD_REFRESH_CLUSTER,
    MQCMD_RESET_CLUSTER, MQCMD_RESUME_Q_MGR_CLUSTER, MQCMD_SUSPEND_Q_MGR_CLUSTER,
    MQCMD_SET_PROT_POLICY, MQCMD_DELETE_PROT_POLICY,
];

/// A question about what this queue manager has none of.
struct EmptyRow {
    command: i32,
    /// The parameter that must say which are meant.
    names: Option<i32>,
    /// The reason that says that there is none.
    none: i32,
}

const fn empty(command: i32, names: Option<i32>, none: i32) -> EmptyRow {
    EmptyRow { command, names, none }
}

/// Questions that find nothing in any case. Questions about rights are not here: an answer without rules
/// would mean that no user is let in, or every user.
const EMPTY: &[EmptyRow] = &[
    empty(MQCMD_INQUIRE_SERVICE_STATUS, Some(MQCA_SERVICE_NAME), MQRCCF_SERV_STATUS_NOT_FOUND),
    empty(MQCMD_INQUIRE_CLUSTER_Q_MGR, Some(MQCA_CLUSTER_Q_MGR_NAME), MQRC_UNKNOWN_OBJECT_NAME),
    empty(MQCMD_INQUIRE_APPL_STATUS, None, MQRCCF_APPL_STATUS_NOT_FOUND),
    empty(MQCMD_INQUIRE_PROT_POLICY, Some(MQCA_POLICY_NAME), MQRCCF_POLICY_NOT_FOUND),
];

/// Returns true for the number of a command about what is not there.
///
/// # Errors
/// The reason that says that there is none, for a question.
pub(super) fn refusal_of(number: i32, given: &mut Parameters) -> Read<bool> {
    // Nobody archives the extents of the log.
    if number == MQCMD_SET_LOG {
        return Err(refusal(MQRCCF_LOG_TYPE_ERROR));
    }
    let Some(row) = EMPTY.iter().find(|row| row.command == number) else {
        return Ok(NUMBERS.contains(&number));
    };
    let is_named = |names: i32| given.text(names)?.map(drop).ok_or_else(|| missing(names));
    row.names.map_or(Ok(()), is_named)?;
    Err(refusal(row.none))
}
