//! From the text of a table to its rules.
//!
//! Always: all of a table is read, so that everything wrong with it is told at once.

use std::fmt;
use std::time::Duration;

use mqi::constants::{self, number_of};

use super::table::{
    Action, Authority, Control, ForwardManager, ForwardQueue, Pattern, Rule, RulesTable, Waiting,
};
use super::values::{Number, Words};
use crate::dead_letters::handler::INTERVAL_MIN;

/// Most that a number may be.
const NUMBER_MAX: u32 = 999_999_999;

/// Most mistakes that are told.
const PROBLEMS_MAX: usize = 100;

/// The faults of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    /// Everything found, in the order of the text.
    pub problems: Vec<Problem>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line where the entry begins, from 1.
    pub line: usize,
    /// The fault there.
    pub what: String,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(ToString::to_string).collect();
        formatter.write_str(&lines.join("\n"))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.what)
    }
}

/// An entry: a line with those that continue it.
struct Entry {
    line: usize,
    text: String,
}

/// A keyword and what stands behind it in brackets.
struct Word {
    keyword: String,
    value: String,
    quoted: bool,
}

const CONTROLS: [&str; 4] = ["INPUTQ", "INPUTQM", "RETRYINT", "WAIT"];

impl RulesTable {
    /// Reads a table.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its line.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parse(text)
    }
}

fn parse(text: &str) -> Result<RulesTable, Error> {
    let mut problems = Vec::new();
    let mut table = RulesTable { control: Control::default(), rules: Vec::new() };
    for (index, entry) in entries(text).iter().enumerate() {
        let read = words(&entry.text).and_then(|words| {
            distinct(&words)?;
            let is_control = words.iter().any(|word| CONTROLS.contains(&word.keyword.as_str()));
            match is_control {
                true if index > 0 => Err("control data stands in the first entry".to_owned()),
                true => control(&words).map(|control| table.control = control),
                false => rule(&words).map(|rule| table.rules.push(rule)),
            }
        });
        if let Err(what) = read
            && problems.len() < PROBLEMS_MAX
        {
            problems.push(Problem { line: entry.line, what });
        }
    }
    if problems.is_empty() && table.rules.is_empty() {
        problems.push(Problem { line: 1, what: "there is no rule".to_owned() });
    }
    if problems.is_empty() { Ok(table) } else { Err(Error { problems }) }
}

/// The lines that are not comments, each with those that continue it.
fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut continued: Option<char> = None;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with('*') || (continued.is_none() && line.trim().is_empty()) {
            continue;
        }
        let trimmed = line.trim_end();
        let ends = trimmed.chars().next_back().filter(|last| matches!(last, '+' | '-'));
        let own = ends.map_or(line, |_| &trimmed[..trimmed.len() - 1]);
        match (continued, entries.last_mut()) {
            (Some('+'), Some(entry)) => entry.text.push_str(own.trim_start()),
            (Some(_), Some(entry)) => entry.text.push_str(own),
            _ => entries.push(Entry { line: index + 1, text: own.to_owned() }),
        }
        continued = ends;
    }
    entries
}

fn words(text: &str) -> Result<Vec<Word>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_matches(|c: char| c.is_whitespace() || c == ',');
    while !rest.is_empty() {
        let Some((keyword, after)) = rest.split_once('(') else {
            return Err(format!("\"{}\" has no value in brackets", shortened(rest)));
        };
        let keyword = keyword.trim().to_ascii_uppercase();
        if keyword.is_empty() || !keyword.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Err(format!("\"{}\" is no keyword", shortened(&keyword)));
        }
        let (value, quoted, after) = value(&keyword, after.trim_start())?;
        words.push(Word { keyword, value, quoted });
        rest = after.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
    }
    Ok(words)
}

/// The value at the beginning of a text, whether it was in quotes, and what follows its bracket.
fn value<'a>(keyword: &str, text: &'a str) -> Result<(String, bool, &'a str), String> {
    let open = || format!("the bracket of {keyword} is not closed");
    let Some(mut rest) = text.strip_prefix('\'') else {
        let (value, after) = text.split_once(')').ok_or_else(open)?;
        let value = value.trim();
        return match value {
            "" => Err(format!("{keyword} has no value")),
            value if value.contains(['\'', '(']) => {
                Err(format!("the value of {keyword}, {}, needs quotes", shortened(value)))
            }
            value => Ok((value.to_ascii_uppercase(), false, after)),
        };
    };
    let mut value = String::new();
    loop {
        let (part, after) =
            rest.split_once('\'').ok_or_else(|| format!("the quote of {keyword} is not closed"))?;
        value.push_str(part);
        match after.strip_prefix('\'') {
            Some(after) => {
                value.push('\'');
                rest = after;
            }
            None => {
                let after = after.trim_start().strip_prefix(')').ok_or_else(open)?;
                let nothing = format!("{keyword} has no value");
                return if value.is_empty() { Err(nothing) } else { Ok((value, true, after)) };
            }
        }
    }
}

fn distinct(words: &[Word]) -> Result<(), String> {
    for (index, word) in words.iter().enumerate() {
        if words[..index].iter().any(|other| other.keyword == word.keyword) {
            return Err(format!("{} stands there twice", word.keyword));
        }
    }
    Ok(())
}

fn control(words: &[Word]) -> Result<Control, String> {
    let mut control = Control::default();
    for word in words {
        match word.keyword.as_str() {
            "INPUTQ" => control.queue = named(word)?,
            "INPUTQM" => control.queue_manager = named(word)?,
            "RETRYINT" => {
                control.retry_interval = Duration::from_secs(number(word)?.into()).max(INTERVAL_MIN);
            }
            "WAIT" => {
                control.wait = match word.value.as_str() {
                    "YES" => Waiting::Always,
                    "NO" => Waiting::For(Duration::ZERO),
                    _ => Waiting::For(Duration::from_secs(number(word)?.into())),
                }
            }
            other => return Err(format!("{other} does not belong to control data")),
        }
    }
    Ok(control)
}

fn rule(words: &[Word]) -> Result<Rule, String> {
    let mut pattern = Pattern::default();
    let mut attempts = 1;
    let (mut action, mut queue, mut manager) = (None, None, None);
    let (mut keeps_header, mut authority) = (None, None);
    for word in words {
        match word.keyword.as_str() {
            "REASON" => pattern.reason = any_number(word)?,
            "DESTQ" => pattern.destination_queue = text(word, 48)?,
            "DESTQM" => pattern.destination_queue_manager = text(word, 48)?,
            "APPLNAME" => pattern.put_application_name = text(word, 28)?,
            "APPLTYPE" => pattern.put_application_type = any_number(word)?,
            "FORMAT" => pattern.format = text(word, 8)?,
            "MSGTYPE" => pattern.message_type = any_number(word)?,
            "FEEDBACK" => pattern.feedback = any_number(word)?,
            "PERSIST" => pattern.persistence = any_number(word)?,
            "REPLYQ" => pattern.reply_to_queue = text(word, 48)?,
            "REPLYQM" => pattern.reply_to_queue_manager = text(word, 48)?,
            "USERID" => pattern.user_identifier = text(word, 12)?,
            "APPLIDAT" => pattern.application_identity_data = text(word, 32)?,
            "ACTION" => action = Some(word.value.as_str()),
            "FWDQ" => {
                queue = Some(match word.value.as_str() {
                    "&DESTQ" => ForwardQueue::Destination,
                    "&REPLYQ" => ForwardQueue::ReplyTo,
                    _ => ForwardQueue::Named(named(word)?.ok_or("FWDQ names no queue")?),
                });
            }
            "FWDQM" => {
                manager = Some(match word.value.as_str() {
                    "&DESTQM" => ForwardManager::Destination,
                    "&REPLYQM" => ForwardManager::ReplyTo,
                    _ => ForwardManager::Named(named(word)?.unwrap_or_default()),
                });
            }
            "HEADER" => {
                keeps_header = Some(match word.value.as_str() {
                    "YES" => true,
                    "NO" => false,
                    other => return Err(format!("HEADER is YES or NO, not {}", shortened(other))),
                });
            }
            "PUTAUT" => {
                authority = Some(match word.value.as_str() {
                    "DEF" => Authority::Own,
                    "CTX" => Authority::Context,
                    other => return Err(format!("PUTAUT is DEF or CTX, not {}", shortened(other))),
                });
            }
            "RETRY" => {
                attempts = number(word)?;
                if attempts == 0 {
                    return Err("RETRY is at least 1".to_owned());
                }
            }
            other => return Err(format!("there is no keyword {}", shortened(other))),
        }
    }
    let of_forward =
        [("FWDQ", queue.is_some()), ("FWDQM", manager.is_some()), ("HEADER", keeps_header.is_some())];
    let out_of_place = of_forward.iter().find(|(_, is_said)| *is_said && action != Some("FWD"));
    if let (Some((keyword, _)), Some(action)) = (out_of_place, action) {
        return Err(format!("{keyword} belongs to ACTION(FWD), not to ACTION({})", shortened(action)));
    }
    let authority = authority.unwrap_or_default();
    let action = match action {
        Some("DISCARD") => Action::Discard,
        Some("IGNORE") => Action::Ignore,
        Some("RETRY") => Action::Retry { authority },
        Some("FWD") => Action::Forward {
            queue: queue.ok_or("ACTION(FWD) needs FWDQ")?,
            queue_manager: manager.unwrap_or(ForwardManager::Named(mqi::QueueManagerName::BLANK)),
            keeps_header: keeps_header.unwrap_or(true),
            authority,
        },
        Some(other) => {
            return Err(format!("ACTION is DISCARD, IGNORE, RETRY or FWD, not {}", shortened(other)));
        }
        None => return Err("the rule has no ACTION".to_owned()),
    };
    Ok(Rule { pattern, action, attempts })
}

/// A text with wildcards that some field of so many characters can match.
fn text(word: &Word, characters_max: usize) -> Result<Words, String> {
    let counted = word.value.trim_end().chars().filter(|character| *character != '*').count();
    if counted > characters_max {
        return Err(format!("{} has at most {characters_max} characters, not {counted}", word.keyword));
    }
    let plain = |character: char| character.is_ascii_alphanumeric() || "./_%*?&".contains(character);
    if !word.quoted && !word.value.chars().all(plain) {
        return Err(format!("the value of {}, {}, needs quotes", word.keyword, shortened(&word.value)));
    }
    Ok(Words::from(word.value.as_str()))
}

/// A name; none when it is blank.
fn named<N: std::str::FromStr<Err = mqi::NameError>>(word: &Word) -> Result<Option<N>, String> {
    let name = word.value.trim();
    if name.is_empty() {
        return Ok(None);
    }
    name.parse().map(Some).map_err(|error| format!("{}: {error}", word.keyword))
}

fn number(word: &Word) -> Result<u32, String> {
    let is_number = !word.value.is_empty() && word.value.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.value.parse().ok().filter(|number| is_number && *number <= NUMBER_MAX);
    number.ok_or_else(|| {
        format!("{} is a number up to {NUMBER_MAX}, not {}", word.keyword, shortened(&word.value))
    })
}

/// A number, its name, or an asterisk.
fn any_number(word: &Word) -> Result<Number, String> {
    if word.value == "*" {
        return Ok(Number::Any);
    }
    if word.value.starts_with(|first: char| first.is_ascii_digit()) {
        return number(word).map(|number| Number::Is(number.cast_signed()));
    }
    let prefixes: &[&str] = match word.keyword.as_str() {
        "REASON" => &["MQRC_", "MQFB_"],
        "FEEDBACK" => &["MQFB_", "MQRC_"],
        "APPLTYPE" => &["MQAT_"],
        "MSGTYPE" => &["MQMT_"],
        _ => &["MQPER_"],
    };
    let named = prefixes.iter().any(|prefix| word.value.starts_with(prefix));
    let number = named
        .then(|| number_of(&word.value))
        .flatten()
        .filter(|number| *number != constants::MQPER_PERSISTENCE_AS_Q_DEF || word.keyword != "PERSIST");
    number.map(Number::Is).ok_or_else(|| {
        format!(
            "{} is a number, one by its name {}..., or *, not {}",
            word.keyword,
            prefixes[0],
            shortened(&word.value)
        )
    })
}

/// As much of a text as a person wants to see.
fn shortened(text: &str) -> String {
    const CHARACTERS_MAX: usize = 40;
    let mut short: String = text.chars().take(CHARACTERS_MAX).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
