//! Completion in the shell: keywords, and the names of objects between brackets.
//!
//! Lives here: the kind of name that the text before the cursor asks for, and names as MQSC writes them.
//! Lives elsewhere: the names that there are (`names`, as for the shell of the system), the keywords
//! (`objects::mqsc`).

use objects::{mqsc, quoted};
use reedline::{Completer, Span, Suggestion};

use crate::commands::names::{Finder, Kind};

/// Characters that a word begins behind.
const SEPARATORS: [char; 7] = [' ', '(', ')', ',', '\'', ';', '\n'];

/// Keywords whose value is a name, each with the kind. Queues of one type have a display of their own, so
/// that no other queue is proposed.
const NAMED: &[(&[&str], Kind)] = &[
    (&["QUEUE", "Q", "QSTATUS", "QS", "TARGET", "TARGQ", "DEST"], Kind::Queue),
    (&["XMITQ", "DEFXMITQ", "DEADQ", "INITQ", "BOQNAME", "STREAMQ"], QLOCAL),
    (&["QLOCAL", "QL", "TOQLOCAL"], QLOCAL),
    (&["QALIAS", "QA"], Kind::Object("QALIAS", "queue")),
    (&["QREMOTE", "QR"], Kind::Object("QREMOTE", "queue")),
    (&["QMODEL", "QM"], Kind::Object("QMODEL", "queue")),
    (&["CHANNEL", "CHL", "CHSTATUS", "CHS", "CHLAUTH"], Kind::Channel),
    (&["TOPIC", "TOPICOBJ"], Kind::Object("TOPIC", "topic")),
    (&["TOPICSTR", "TPSTATUS", "TPS"], Kind::Topic),
    (&["SUB", "SBSTATUS", "SBS"], Kind::Object("SUB", "sub")),
    (&["PROCESS", "PRO"], Kind::Object("PROCESS", "process")),
    (&["NAMELIST", "NL"], Kind::Object("NAMELIST", "namelist")),
    (&["LISTENER", "LSTR", "LSSTATUS"], Kind::Object("LISTENER", "listener")),
    (&["AUTHINFO", "CONNAUTH"], Kind::Object("AUTHINFO", "authinfo")),
    (&["SERVICE"], Kind::Object("SERVICE", "service")),
];

const QLOCAL: Kind = Kind::Object("QLOCAL", "queue");

/// Completes a statement at the cursor.
pub(super) struct Statements {
    pub(super) names: Finder,
}

impl Completer for Statements {
    fn complete(&mut self, line: &str, position: usize) -> Vec<Suggestion> {
        let Some(before) = line.get(..position) else { return Vec::new() };
        let start = before.rfind(SEPARATORS).map_or(0, |index| index + 1);
        let (known, begun) = before.split_at(start);
        let is_quoted = known.ends_with('\'');
        let names = wanted(known).map(|kind| (self.names)(kind, begun)).unwrap_or_default();
        let names = names.into_iter().map(|name| written(&name, is_quoted));
        let suggestion =
            |value| Suggestion { value, span: Span::new(start, position), ..Suggestion::default() };
        names.chain(mqsc::completions(before)).map(suggestion).collect()
    }
}

/// The kind of the names that can follow an unfinished statement.
fn wanted(before: &str) -> Option<Kind> {
    let statement = before.rsplit(';').next()?;
    let (outside, inside) = statement.rsplit_once('(')?;
    if inside.contains(')') {
        return None;
    }
    let mut words = outside.split(|character: char| character.is_whitespace() || "()'".contains(character));
    let mut words = words.by_ref().filter(|word| !word.is_empty()).map(str::to_ascii_uppercase);
    let (verb, subject) = (words.next()?, words.next()?);
    let keyword = words.last();
    let is_new = keyword.is_none() && verb.starts_with("DEF");
    let keyword = keyword.filter(|keyword| keyword != "LIKE").unwrap_or(subject);
    let named = NAMED.iter().find(|(keywords, _)| keywords.contains(&keyword.as_str()));
    named.map(|(_, kind)| *kind).filter(|_| !is_new)
}

/// A name as a statement has it: one that is not in capitals needs quotes.
fn written(name: &str, is_quoted: bool) -> String {
    let is_plain = name.bytes().all(|byte| mqi::name::is_name_byte(byte) && !byte.is_ascii_lowercase());
    match is_plain {
        _ if is_quoted => name.replace('\'', "''"),
        true => name.to_owned(),
        false => quoted(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str, names: &'static [&str]) -> Vec<(String, Span)> {
        let found = |_, begun: &str| {
            let begun = begun.to_ascii_uppercase();
            let fits = |name: &&&str| name.to_ascii_uppercase().starts_with(&begun);
            names.iter().filter(fits).map(|name| (*name).to_owned()).collect()
        };
        let mut statements = Statements { names: Box::new(found) };
        let found = statements.complete(line, line.len());
        found.into_iter().map(|suggestion| (suggestion.value, suggestion.span)).collect()
    }

    #[test]
    fn a_keyword_is_completed_where_it_stands() {
        let found = completed("DEFINE QLO", &[]);
        assert!(found.iter().any(|(value, _)| value.starts_with("QLOCAL")), "{found:?}");
        assert!(found.iter().all(|(_, span)| *span == Span::new(7, 10)), "{found:?}");
    }

    #[test]
    fn a_name_is_completed_where_it_stands_with_the_quotes_that_it_needs() {
        let names: &[&str] = &["ORDERS", "orders.old", "IT'S"];
        let completed = |line| completed(line, names);
        let orders = ("ORDERS".to_owned(), Span::new(14, 17));
        assert_eq!(completed("DISPLAY QUEUE(ORD"), [orders, ("'orders.old'".to_owned(), Span::new(14, 17))]);
        let quoted = completed("DISPLAY QUEUE('ord");
        assert_eq!(quoted[1], ("orders.old".to_owned(), Span::new(15, 18)));
        assert_eq!(completed("CLEAR QLOCAL(I")[0].0, "'IT''S'");
        assert_eq!(completed("CLEAR QLOCAL('I")[0].0, "IT''S");
    }

    #[test]
    fn the_text_before_the_cursor_says_which_names_can_follow() {
        let topic = Kind::Object("TOPIC", "topic");
        for (before, expected) in [
            ("DISPLAY QUEUE(", Some(Kind::Queue)),
            ("dis q(", Some(Kind::Queue)),
            ("CLEAR QLOCAL (", Some(QLOCAL)),
            ("DEFINE QLOCAL(", None),
            ("DEF QL(", None),
            ("DEFINE QLOCAL(A) LIKE(", Some(QLOCAL)),
            ("DEFINE QALIAS(A) TARGET(", Some(Kind::Queue)),
            ("ALTER QREMOTE(A) XMITQ(", Some(QLOCAL)),
            ("ALTER QMGR DEADQ(", Some(QLOCAL)),
            ("ALTER QLOCAL(A) DESCR('(x)') BOQNAME('", Some(QLOCAL)),
            ("STOP CHANNEL(", Some(Kind::Channel)),
            ("DISPLAY CHSTATUS(", Some(Kind::Channel)),
            ("DISPLAY TPSTATUS('", Some(Kind::Topic)),
            ("ALTER TOPIC(", Some(topic)),
            ("CLEAR QLOCAL(A); ALTER TOPIC(", Some(topic)),
            ("DISPLAY QUEUE(A) ", None),
            ("DISPLAY QUEUE(A) WHERE(", None),
            ("ALTER QLOCAL(A) MAXDEPTH(", None),
            ("DISPLAY", None),
            ("(", None),
            ("", None),
        ] {
            assert_eq!(wanted(before), expected, "{before}");
        }
    }
}
