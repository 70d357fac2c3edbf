use std::time::Duration;

use bytes::Bytes;
use formats::headers::{DeadLetterHeader, Place};
use mqi::{MessageDescriptor, MessageToken, PutApplicationType, Text};

use mqi::QueueManagerName;

use super::*;
use crate::dead_letters::letter::Letter;

fn table(text: &str) -> RulesTable {
    RulesTable::parse(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

#[test]
fn a_table_is_control_data_and_rules() {
    let table = table(
        "* A comment\n\
         inputqm(QM1) inputq('DEAD') retryint(30), wait(no)\n\n\
         REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(5)\n\
         * Another\n\
         DESTQ(AA.*) MSGTYPE(MQMT_REQUEST) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM) HEADER(NO) PUTAUT(CTX)\n\
         APPLNAME('it''s me?') PERSIST(1) ACTION(DISCARD)\n\
         ACTION(IGNORE)\n",
    );
    assert_eq!(table.control.queue.unwrap().as_str(), "DEAD");
    assert_eq!(table.control.queue_manager.unwrap().as_str(), "QM1");
    assert_eq!(table.control.retry_interval, Duration::from_secs(30));
    assert_eq!(table.control.wait, Waiting::For(Duration::ZERO));
    let [full, forwarded, named, rest] = &table.rules[..] else { panic!("{:?}", table.rules) };
    assert_eq!((full.pattern.reason, full.attempts), (Number::Is(2053), 5));
    assert_eq!(full.action, Action::Retry { authority: Authority::Own });
    assert_eq!(forwarded.pattern.destination_queue, Words::from("AA.*"));
    assert_eq!(forwarded.pattern.message_type, Number::Is(1));
    assert_eq!(
        forwarded.action,
        Action::Forward {
            queue: ForwardQueue::ReplyTo,
            queue_manager: ForwardManager::ReplyTo,
            keeps_header: false,
            authority: Authority::Context,
        }
    );
    assert_eq!(named.pattern.put_application_name, Words::from("it's me?"));
    assert_eq!((rest.pattern.clone(), rest.action.clone()), (Pattern::default(), Action::Ignore));
}

#[test]
fn what_is_left_out_has_its_default() {
    let table = table("ACTION(FWD) FWDQ(OTHER)");
    assert_eq!(table.control, Control::default());
    assert_eq!(table.control.wait, Waiting::Always);
    assert_eq!(table.control.retry_interval, Duration::from_secs(60));
    assert_eq!(
        table.rules,
        [Rule::once(
            Pattern::default(),
            Action::Forward {
                queue: ForwardQueue::Named("OTHER".parse().unwrap()),
                queue_manager: ForwardManager::Named(QueueManagerName::BLANK),
                keeps_header: true,
                authority: Authority::Own,
            }
        )]
    );
    assert_eq!(RulesTable::parse("inputq(' ')\naction(ignore)").unwrap().control.queue, None);
}

#[test]
fn lines_go_on_where_a_plus_or_a_minus_says() {
    for text in [
        "DESTQ(ABC+\n   D) ACTION(DISCARD)",
        "DESTQ(AB-\nCD) ACT+\n* between\nION(DISCARD)",
        "DESTQ('ABCD') +\n   ACTION(DISCARD)\n\n",
    ] {
        assert_eq!(table(text).rules[0].pattern.destination_queue, Words::from("ABCD"), "{text}");
    }
    let blanks = table("APPLNAME('A-\n  B') ACTION(DISCARD)");
    assert_eq!(blanks.rules[0].pattern.put_application_name, Words::from("A  B"));
}

#[test]
fn everything_wrong_is_told_with_its_line() {
    for (text, expected) in [
        ("", "line 1: there is no rule"),
        ("* only\nWAIT(YES)", "line 1: there is no rule"),
        ("DESTQ(A)", "line 1: the rule has no ACTION"),
        ("ACTION(RETRY) ACTION(RETRY)", "line 1: ACTION stands there twice"),
        ("ACTION(RETRY)\nWAIT(NO)", "line 2: control data stands in the first entry"),
        ("WAIT(NO) ACTION(RETRY)", "line 1: ACTION does not belong to control data"),
        ("ACTION(LOSE)", "line 1: ACTION is DISCARD, IGNORE, RETRY or FWD, not LOSE"),
        ("ACTION(FWD)", "line 1: ACTION(FWD) needs FWDQ"),
        ("ACTION(RETRY) HEADER(NO)", "line 1: HEADER belongs to ACTION(FWD), not to ACTION(RETRY)"),
        ("ACTION(RETRY) RETRY(0)", "line 1: RETRY is at least 1"),
        ("ACTION(RETRY) RETRY(1000000000)", "line 1: RETRY is a number up to 999999999, not 1000000000"),
        ("FORMAT() ACTION(RETRY)", "line 1: FORMAT has no value"),
        ("FORMAT('') ACTION(RETRY)", "line 1: FORMAT has no value"),
        ("FORMAT(ABCDEFGHI) ACTION(RETRY)", "line 1: FORMAT has at most 8 characters, not 9"),
        ("FORMAT(A ACTION(RETRY)", "line 1: the value of FORMAT, A ACTION(RETRY, needs quotes"),
        ("FORMAT('A ACTION(RETRY)", "line 1: the quote of FORMAT is not closed"),
        ("MSGTYPE('2*') ACTION(RETRY)", "line 1: MSGTYPE is a number up to 999999999, not 2*"),
        (
            "MSGTYPE(MQRC_NONE) ACTION(RETRY)",
            "line 1: MSGTYPE is a number, one by its name MQMT_..., or *, not MQRC_NONE",
        ),
        ("FWDQ(A B) ACTION(FWD)", "line 1: FWDQ: "),
        ("NOTHING(A) ACTION(RETRY)", "line 1: there is no keyword NOTHING"),
        ("\n\nACTION", "line 3: \"ACTION\" has no value in brackets"),
        ("DESTQ(A)\nDESTQ(B)", "line 1: the rule has no ACTION\nline 2: the rule has no ACTION"),
    ] {
        let error = RulesTable::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
    for text in [
        "FORMAT(A*B*C*D*E*F*G*H) ACTION(IGNORE)",
        "MSGTYPE('*') ACTION(IGNORE)",
        "FORMAT(' ') ACTION(IGNORE)",
    ] {
        table(text);
    }
}

#[test]
fn the_application_is_that_which_put_the_message() {
    let header = DeadLetterHeader {
        reason: 2053,
        destination_queue: Text::truncated("A"),
        destination_queue_manager: Text::truncated("QM1"),
        following: Place::default(),
        put_application_type: PutApplicationType::QMGR,
        put_application_name: Text::truncated("QM1"),
        put_date: Text::BLANK,
        put_time: Text::BLANK,
    };
    let descriptor = MessageDescriptor {
        put_application_type: PutApplicationType::UNIX,
        put_application_name: Text::truncated("payroll"),
        ..MessageDescriptor::default()
    };
    let letter = Letter { descriptor, body: Bytes::new(), token: MessageToken::NONE, header: Ok(header) };
    for (pattern, expected) in [
        ("APPLNAME('payroll')", true),
        ("APPLNAME(QM1)", false),
        ("APPLTYPE(MQAT_UNIX)", true),
        ("APPLTYPE(MQAT_QMGR)", false),
    ] {
        let table = table(&format!("{pattern} ACTION(DISCARD)"));
        assert_eq!(table.rules[0].pattern.matches(&letter), expected, "{pattern}");
    }
}
