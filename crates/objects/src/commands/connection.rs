//! Commands about connections: STOP CONN, RESOLVE INDOUBT, DISPLAY CONN.

use mqi::ours::IN_DOUBT_FORGET;
use std::fmt;

use mqi::branch::BranchId;
use mqi::constants::*;

use super::display::{ConnectionAnswers, Display, Target};
use super::form::{Form, Head, Question, Work};
use crate::mqsc::parser::{Fault, Parsed, Parser};
use crate::pcf::parameters::{
    Parameters, Read, Refusal, branch_of, hexadecimal, missing, refusal, unit_number, wrong_value,
};
use crate::pcf::structure::Content;

pub(super) const STOP: Form<String> = Form {
    head: Head {
        verb: "STOP",
        subject: "CONN",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_STOP_CONNECTION,
    },
    text: |parser| parser.stop_connection(),
    read: |given| given.connection(),
};

pub(super) const RESOLVE: Form<Resolve> = Form {
    head: Head {
        verb: "RESOLVE",
        subject: "INDOUBT",
        synonyms: &[],
        work: Work::Short,
        number: MQCMD_RESOLVE_INDOUBT,
    },
    text: |parser| parser.resolve(),
    read: |given| given.resolve(),
};

pub(super) const CONNECTIONS: Question = Question {
    keyword: "CONN",
    synonyms: &[],
    work: Work::Short,
    text: |parser| {
        let identifiers = parser.connection_pattern()?;
        Ok(Target::Connections { identifiers, answers: ConnectionAnswers::Connection })
    },
    number: MQCMD_INQUIRE_CONNECTION,
    read: Parameters::inquire_connection,
};

/// The words that TYPE of DISPLAY CONN takes.
pub(super) const TYPES: &[(&str, ConnectionAnswers)] = &[
    ("CONN", ConnectionAnswers::Connection),
    ("HANDLE", ConnectionAnswers::Handles),
    ("ALL", ConnectionAnswers::All),
    ("*", ConnectionAnswers::All),
];

/// The words that ACTION of RESOLVE takes.
pub(super) const ACTIONS: [(&str, Resolution); 3] =
    [("COMMIT", Resolution::Commit), ("BACKOUT", Resolution::Backout), ("FORGET", Resolution::Forget)];

impl Resolve {
    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.identifier {
            branch if branch.contains(':') => write!(formatter, "('{branch}')")?,
            other => write!(formatter, "({other})")?,
        }
        write!(formatter, " ACTION({})", self.resolution.word())
    }
}

/// RESOLVE INDOUBT(unit) ACTION(how).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolve {
    /// The connection of the unit of work, in hexadecimal; or the number m.n of one that belongs to none; or
    /// the identifier of a branch, `FORMAT:GLOBAL:QUALIFIER` in hexadecimal.
    pub identifier: String,
    /// The way it ends.
    pub resolution: Resolution,
}

/// The end of a unit of work by command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// Commits it.
    Commit,
    /// It falls.
    Backout,
    /// The decision of a person about it is forgotten.
    Forget,
}

impl Resolution {
    /// The word of ACTION.
    pub(super) fn word(self) -> &'static str {
        let action = ACTIONS.iter().find(|(_, resolution)| *resolution == self);
        action.expect("each has a word").0
    }
}

impl Parser<'_> {
    fn stop_connection(&mut self) -> Parsed<String> {
        let identifier = self.connection_identifier("CONN")?;
        if self.is_word("EXTCONN") {
            self.next += 1;
            // It is the same for all connections of a queue manager.
            self.content("EXTCONN")?;
        }
        Ok(identifier)
    }

    fn resolve(&mut self) -> Parsed<Resolve> {
        let identifier = self.unit_identifier()?;
        self.word_of("ACTION", &["ACTION"], |word| (word == "ACTION").then_some(()))?;
        let resolution = self.one_of("ACTION", &ACTIONS)?;
        Ok(Resolve { identifier, resolution })
    }

    /// Takes `(m.n)`, the number of a unit of work that belongs to no connection, the identifier of a branch,
    /// or that of a connection.
    fn unit_identifier(&mut self) -> Parsed<String> {
        let before = self.next;
        let content = self.content("INDOUBT")?;
        let text = content.text.trim();
        if is_unit_number(text) {
            return Ok(text.to_owned());
        }
        if text.contains(':') {
            let branch = text.parse::<BranchId>().map_err(|_| {
                let problem = "a branch is named by FORMAT:GLOBAL:QUALIFIER in hexadecimal digits";
                Fault::new(content.span, problem).hint("DISPLAY CONN(*) EXTURID shows these parts.")
            })?;
            return Ok(branch.typed());
        }
        self.next = before;
        self.connection_identifier("INDOUBT")
    }

    /// Takes `(IDENTIFIER)`, which names one connection.
    fn connection_identifier(&mut self, of: &str) -> Parsed<String> {
        let content = self.content(of)?;
        let identifier = content.text.trim().to_ascii_uppercase();
        let is_hexadecimal = identifier.bytes().all(|byte| byte.is_ascii_hexdigit());
        if identifier.is_empty() || identifier.len() > 16 || !is_hexadecimal {
            let problem = format!("{of} names one connection by up to sixteen hexadecimal digits");
            return Err(Fault::new(content.span, problem).hint("DISPLAY CONN(*) shows the connections."));
        }
        Ok(identifier)
    }

    /// Takes `(identifier)` of a connection: sixteen hexadecimal digits, or fewer and an asterisk.
    fn connection_pattern(&mut self) -> Parsed<String> {
        const DIGITS: usize = 16;
        let content = self.content("CONN")?;
        let pattern = content.text.trim().to_ascii_uppercase();
        let digits = pattern.strip_suffix('*').unwrap_or(&pattern);
        let is_generic = digits.len() < pattern.len();
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hexadecimal && (digits.len() == DIGITS || is_generic && digits.len() < DIGITS) {
            return Ok(pattern);
        }
        Err(Fault::new(content.span, "CONN takes a connection's sixteen hexadecimal digits, or fewer and *"))
    }
}

impl Parameters {
    /// The connection that is meant: the end of its identifier. Before that all connections of a queue
    /// manager have the same bytes.
    fn connection(&mut self) -> Read<String> {
        match self.take(MQBACF_CONNECTION_ID) {
            Some(Content::Bytes(bytes)) if bytes.len() >= 8 => Ok(hexadecimal(&bytes[bytes.len() - 8..])),
            Some(_) => Err(refusal(MQRCCF_CONNECTION_ID_ERROR)),
            None => Err(missing(MQBACF_CONNECTION_ID)),
        }
    }

    fn inquire_connection(&mut self) -> Read<Display> {
        let answers = match self.integer(MQIACF_CONN_INFO_TYPE)? {
            None | Some(MQIACF_CONN_INFO_CONN) => ConnectionAnswers::Connection,
            Some(MQIACF_CONN_INFO_HANDLE) => ConnectionAnswers::Handles,
            Some(MQIACF_CONN_INFO_ALL) => ConnectionAnswers::All,
            Some(_) => return Err(wrong_value(MQIACF_CONN_INFO_TYPE)),
        };
        // Zeros stand for any; the last eight bytes tell connections of one queue manager apart.
        let is_any = self.is_any(MQBACF_GENERIC_CONNECTION_ID);
        let generic = self.take(MQBACF_GENERIC_CONNECTION_ID);
        let exact = self.take(MQBACF_CONNECTION_ID);
        let identifiers = match (exact, generic) {
            (Some(Content::Bytes(bytes)), _) if bytes.len() >= 8 => hexadecimal(&bytes[bytes.len() - 8..]),
            (None, Some(Content::Bytes(bytes))) => {
                let own = bytes.get(16..).unwrap_or_default();
                if own.len() >= 8 { hexadecimal(&own[..8]) } else { format!("{}*", hexadecimal(own)) }
            }
            (None, None) if is_any => "*".to_owned(),
            (None, None) => return Err(missing(MQBACF_CONNECTION_ID)),
            _ => return Err(Refusal { reason: MQRCCF_CONNECTION_ID_ERROR, parameter: None }),
        };
        self.display(Target::Connections { identifiers, answers }, MQIACF_CONNECTION_ATTRS)
    }

    /// The number is the interface's, which has no form of its own for it: this follows that of
    /// MQCMD_RESOLVE_CHANNEL.
    fn resolve(&mut self) -> Read<Resolve> {
        let unit = self.take(MQBACF_Q_MGR_UOW_ID);
        let identifier = match (unit, self.take(MQBACF_EXTERNAL_UOW_ID)) {
            (Some(Content::Bytes(bytes)), None) => {
                unit_number(&bytes).ok_or_else(|| wrong_value(MQBACF_Q_MGR_UOW_ID))?
            }
            (Some(_), _) => return Err(wrong_value(MQBACF_Q_MGR_UOW_ID)),
            (None, Some(Content::Bytes(bytes))) => {
                let branch = branch_of(&bytes).ok_or_else(|| wrong_value(MQBACF_EXTERNAL_UOW_ID))?;
                branch.typed()
            }
            (None, Some(_)) => return Err(wrong_value(MQBACF_EXTERNAL_UOW_ID)),
            (None, None) => self.connection()?,
        };
        Ok(Resolve { identifier, resolution: self.resolution()? })
    }

    /// The end of what is in doubt.
    pub(super) fn resolution(&mut self) -> Read<Resolution> {
        match self.integer(MQIACH_IN_DOUBT)? {
            Some(MQIDO_COMMIT) => Ok(Resolution::Commit),
            Some(MQIDO_BACKOUT) => Ok(Resolution::Backout),
            Some(IN_DOUBT_FORGET) => Ok(Resolution::Forget),
            Some(_) => Err(wrong_value(MQIACH_IN_DOUBT)),
            None => Err(missing(MQIACH_IN_DOUBT)),
        }
    }
}

/// True for the number of a unit of work: m.n.
fn is_unit_number(text: &str) -> bool {
    text.split_once('.').is_some_and(|(epoch, counter)| {
        let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
        let are_numbers = is_number(epoch) && is_number(counter);
        are_numbers && epoch.parse::<u32>().is_ok() && counter.parse::<u64>().is_ok()
    })
}
