//! dspmqrte: the way of a trace-route message, or of one that was sent before.

use std::time::Duration;

use mqi::constants::*;
use mqi::{CorrelationId, Expiry, OpenOptions, Persistence, Priority, QueueManagerName};
use objects::pcf::TraceRoute;
use terminal::connect::{self, Session};
use terminal::output::{self, harmless};

use super::tool::{Answer, Tool, Trouble, common, ended, note};
use super::words::Typed;
use crate::commands::trace::{Activity, Answers, Wanted, lines, next, send, word_of};
use crate::identifier;

pub(super) const SHOW: Tool = Tool {
    name: "dspmqrte",
    usage: "-q QUEUE [-m QMGR] [-qm TARGET_QMGR] [-ac [-ar]] [-d yes | no] [-f yes | no] [-l yes | no] [-o] \
            [-p PRIORITY] [-ro none | activity,coa,cod,exception,expiration,discard] [-rq QUEUE [-rqm QMGR]] \
            [-s ACTIVITIES] [-t low | medium | high] [-xp yes | no] [-xs SECONDS] [-n | -b] [-i CORRELID] \
            [-v none | outline | summary | all] [-w SECONDS] [-c]",
    options: &[
        "c", "q=", "m=", "qm=", "ac", "ar", "d=", "f=", "l=", "o", "p=", "ro=", "rq=", "rqm=", "s=", "t=",
        "xp=", "xs=", "n", "b", "i=", "v=", "w=",
    ],
    misuse: WRONG,
    run: show,
};

/// The codes of this one.
const WRONG: u8 = 10;
const FAILED: u8 = ended::NOT_RUN;

/// Seconds that answers are waited for, and that the message lives, where nothing else is said.
const SECONDS: u32 = 60;

/// The activities that are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    None,
    /// The operations by name.
    Outline,
    /// The queue managers.
    Summary,
    All,
}

fn wrong(words: impl Into<String>) -> Trouble {
    Trouble::new(WRONG, words.into())
}

fn yes(typed: &Typed, option: &str, usual: bool) -> Result<bool, Trouble> {
    match typed.value(option).map(str::to_ascii_lowercase).as_deref() {
        None => Ok(usual),
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        Some(other) => Err(wrong(format!("-{option} is yes or no, and not {other}"))),
    }
}

fn number(typed: &Typed, option: &str, usual: u32, most: u32) -> Result<u32, Trouble> {
    let Some(text) = typed.value(option) else { return Ok(usual) };
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| wrong(format!("-{option} takes a number from 0 to {most}, and not {text}")))
}

fn name<T: std::str::FromStr>(typed: &Typed, option: &str) -> Result<Option<T>, Trouble> {
    let read = |text: &str| text.parse().map_err(|_| wrong(format!("-{option} {text} is no name")));
    typed.value(option).map(read).transpose()
}

fn report_options(typed: &Typed) -> Result<Option<i32>, Trouble> {
    let Some(text) = typed.value("ro") else { return Ok(None) };
    let mut bits = MQRO_NONE;
    for word in text.split(',') {
        bits |= match word.trim().to_ascii_lowercase().as_str() {
            "none" if text.trim().eq_ignore_ascii_case("none") => MQRO_NONE,
            "activity" => MQRO_ACTIVITY,
            "coa" => MQRO_COA,
            "cod" => MQRO_COD,
            "exception" => MQRO_EXCEPTION,
            "expiration" => MQRO_EXPIRATION,
            "discard" => MQRO_DISCARD_MSG,
            other => return Err(wrong(format!("-ro {other} is no report that can be asked for"))),
        };
    }
    Ok(Some(bits))
}

fn view(typed: &Typed) -> Result<View, Trouble> {
    match typed.value("v").map(str::to_ascii_lowercase).as_deref() {
        None | Some("summary") => Ok(View::Summary),
        Some("none") => Ok(View::None),
        Some("all") => Ok(View::All),
        // The parts that can be named behind it are in the lines of each operation.
        Some(text) if text.split(',').next() == Some("outline") => Ok(View::Outline),
        Some(other) => Err(wrong(format!("-v is none, outline, summary or all, and not {other}"))),
    }
}

fn wanted(typed: &Typed) -> Result<Wanted, Trouble> {
    let queue = name(typed, "q")?.ok_or_else(|| wrong("-q names the target queue, and is needed"))?;
    let accumulates = typed.has("ac");
    if typed.has("ar") && !accumulates {
        return Err(wrong("-ar asks for what -ac accumulates: give both"));
    }
    let asked = report_options(typed)?;
    let mut report = asked.unwrap_or(if accumulates { MQRO_NONE } else { MQRO_ACTIVITY });
    if yes(typed, "xp", false)? {
        report |= MQRO_PASS_DISCARD_AND_EXPIRY;
    }
    let detail = match typed.value("t").map(str::to_ascii_lowercase).as_deref() {
        Some("low") => MQROUTE_DETAIL_LOW,
        None | Some("medium") => MQROUTE_DETAIL_MEDIUM,
        Some("high") => MQROUTE_DETAIL_HIGH,
        Some(other) => return Err(wrong(format!("-t is low, medium or high, and not {other}"))),
    };
    let reply_queue: Option<mqi::ObjectName> = name(typed, "rq")?;
    let reply_manager = name(typed, "rqm")?.unwrap_or(QueueManagerName::BLANK);
    if reply_queue.is_none() && !reply_manager.is_blank() {
        return Err(wrong("-rqm names the queue manager of -rq: give both"));
    }
    let persistence =
        if yes(typed, "l", false)? { Persistence::Persistent } else { Persistence::NotPersistent };
    let wants_answers = typed.has("ar") || report != MQRO_NONE;
    if reply_queue.is_none() && wants_answers && (persistence == Persistence::Persistent || typed.has("n")) {
        return Err(wrong("with -l yes or -n the answers need a queue that stays: name it by -rq"));
    }
    let seconds = number(typed, "xs", SECONDS, 99_999_999)?;
    Ok(Wanted {
        queue,
        queue_manager: name(typed, "qm")?.unwrap_or(QueueManagerName::BLANK),
        route: TraceRoute {
            detail,
            recorded: 0,
            unrecorded: 0,
            discontinuities: 0,
            activities_max: i32::try_from(number(typed, "s", 0, 999_999_999)?).unwrap_or(i32::MAX),
            accumulate: match (accumulates, typed.has("ar")) {
                (false, _) => MQROUTE_ACCUMULATE_NONE,
                (true, false) => MQROUTE_ACCUMULATE_IN_MSG,
                (true, true) => MQROUTE_ACCUMULATE_AND_REPLY,
            },
            forward: if yes(typed, "f", false)? { MQROUTE_FORWARD_ALL } else { MQROUTE_FORWARD_IF_SUPPORTED },
            deliver: if yes(typed, "d", false)? { MQROUTE_DELIVER_YES } else { MQROUTE_DELIVER_NO },
        },
        report,
        persistence,
        priority: match typed.value("p") {
            None => Priority::AS_Q_DEF,
            Some(_) => Priority::new(u8::try_from(number(typed, "p", 0, 9)?).unwrap_or(0)),
        },
        expiry: Expiry::tenths(seconds.saturating_mul(10)),
        reply_to: reply_queue.map(|queue| (queue, reply_manager)),
        application: "dspmqrte",
        binds_once: typed.has("o"),
    })
}

fn show(typed: &Typed) -> Answer {
    if let Some(word) = typed.rest.first() {
        return Err(wrong(format!("{word} is no option; a queue is named by -q")));
    }
    let wait = Duration::from_secs(number(typed, "w", SECONDS, 99_999_999)?.into());
    let view = view(typed)?;
    let failed = Trouble::of(FAILED);
    if let Some(digits) = typed.value("i") {
        let identifier = identifier::parse(digits).map_err(wrong)?;
        return shown_again(typed, CorrelationId(identifier), (view, wait));
    }
    let wanted = wanted(typed)?;
    let mut session = connect::session(&common(typed.value("m"))).map_err(failed)?;
    let told = sent(&mut session, &wanted, typed.has("n"), wait).map_err(Trouble::of(FAILED))?;
    session.disconnect().map_err(Trouble::of(FAILED))?;
    match told {
        Told::Identifier(digits) => output::print_line(&digits)?,
        Told::Answers(answers) => print(&answers, view)?,
    }
    Ok(ended::OK)
}

/// The result of a message that was sent.
enum Told {
    Identifier(String),
    Answers(Box<Answers>),
}

fn sent(
    session: &mut Session,
    wanted: &Wanted,
    is_silent: bool,
    wait: Duration,
) -> terminal::failure::Result<Told> {
    let sent = send(session, wanted)?;
    if is_silent {
        return Ok(Told::Identifier(sent.message_id.to_string()));
    }
    let answers = sent.answers(session, wait)?;
    sent.end(session)?;
    Ok(Told::Answers(Box::new(answers)))
}

/// Shows the activities that a message left on a queue, by its identifier.
fn shown_again(typed: &Typed, to: CorrelationId, (view, wait): (View, Duration)) -> Answer {
    let queue =
        name(typed, "q")?.ok_or_else(|| wrong("-q names the queue with the activities, and is needed"))?;
    let browses = typed.has("b");
    let mut session = connect::session(&common(typed.value("m"))).map_err(Trouble::of(FAILED))?;
    let how = if browses { OpenOptions::BROWSE } else { OpenOptions::INPUT_SHARED };
    let opened =
        session.open_queue(queue, how | OpenOptions::FAIL_IF_QUIESCING).map_err(Trouble::of(FAILED))?;
    let mut answers = Answers::default();
    let mut wait = wait;
    while let Some((descriptor, body)) =
        next(&mut session, opened.handle, to, wait, browses).map_err(Trouble::of(FAILED))?
    {
        answers.take(&descriptor, &body, true);
        // The first is waited for; those that are there with it follow.
        wait = Duration::ZERO;
    }
    session.disconnect().map_err(Trouble::of(FAILED))?;
    print(&answers, view)?;
    Ok(ended::OK)
}

fn print(answers: &Answers, view: View) -> Result<(), Trouble> {
    for fault in &answers.faults {
        note(&format!("an answer does not read: {fault}"));
    }
    match view {
        View::None => return Ok(()),
        View::Summary => {
            for name in managers(answers.activities()) {
                output::print_line(format!("The message was at queue manager {name}."))?;
            }
        }
        View::Outline => {
            for activity in answers.activities() {
                let words: Vec<&str> = activity.operations.iter().map(|one| word_of(one.kind)).collect();
                output::print_line(harmless(&format!("{}: {}", activity.application, words.join(", "))))?;
            }
        }
        View::All => {
            for activity in answers.activities() {
                let head = format!("{}: {}", activity.application, activity.description);
                output::print_line(harmless(&head))?;
                for line in lines(activity) {
                    output::print_line(harmless(&format!("  {line}")))?;
                }
            }
        }
    }
    if let Some((_, route, feedback)) = &answers.reply {
        let counted = format!(
            "Activities: {} recorded, {} not. Feedback: {feedback}.",
            route.recorded, route.unrecorded
        );
        output::print_line(&counted)?;
    }
    if answers.activities().is_empty() {
        note("no activity was told; -w waits longer");
    }
    Ok(())
}

/// The queue managers of some activities, in their order, each once in a row.
fn managers(activities: &[Activity]) -> Vec<&str> {
    let operations = activities.iter().flat_map(|activity| &activity.operations);
    let mut names: Vec<&str> = operations.map(|operation| operation.queue_manager.as_str()).collect();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Wanted, String> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let typed = Typed::read(SHOW.options, &arguments)?;
        wanted(&typed).map_err(|trouble| trouble.words)
    }

    #[test]
    fn options_become_the_wishes_of_a_trace_route_message() {
        let usual = read(&["-q", "Q"]).unwrap();
        assert_eq!((usual.report, usual.route.accumulate), (MQRO_ACTIVITY, MQROUTE_ACCUMULATE_NONE));
        assert_eq!(
            (usual.route.deliver, usual.route.forward),
            (MQROUTE_DELIVER_NO, MQROUTE_FORWARD_IF_SUPPORTED)
        );
        assert_eq!((usual.route.detail, usual.expiry), (MQROUTE_DETAIL_MEDIUM, Expiry::tenths(600)));
        let all = read(&[
            "-q", "Q", "-qm", "QM2", "-ac", "-ar", "-d", "yes", "-f", "yes", "-p", "7", "-s", "9", "-t",
            "high", "-xs", "5", "-rq", "R", "-rqm", "QM3", "-l", "yes", "-xp", "yes", "-o",
        ])
        .unwrap();
        assert_eq!(
            (all.report, all.route.accumulate),
            (MQRO_PASS_DISCARD_AND_EXPIRY, MQROUTE_ACCUMULATE_AND_REPLY)
        );
        assert_eq!((all.route.deliver, all.route.forward), (MQROUTE_DELIVER_YES, MQROUTE_FORWARD_ALL));
        assert_eq!((all.route.activities_max, all.route.detail), (9, MQROUTE_DETAIL_HIGH));
        assert_eq!(
            (all.expiry, all.persistence, all.binds_once),
            (Expiry::tenths(50), Persistence::Persistent, true)
        );
        assert_eq!(
            all.reply_to.map(|(queue, manager)| (queue.to_string(), manager.to_string())),
            Some(("R".into(), "QM3".into()))
        );
        let reports = read(&["-q", "Q", "-ro", "coa,exception,discard"]).unwrap();
        assert_eq!(reports.report, MQRO_COA | MQRO_EXCEPTION | MQRO_DISCARD_MSG);
        assert_eq!(read(&["-q", "Q", "-ro", "none"]).unwrap().report, MQRO_NONE);
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_words() {
        for (arguments, words) in [
            (&[][..], "-q names the target queue"),
            (&["-q", "a b"], "is no name"),
            (&["-q", "Q", "-ar"], "give both"),
            (&["-q", "Q", "-d", "maybe"], "-d is yes or no"),
            (&["-q", "Q", "-f", ""], "-f is yes or no"),
            (&["-q", "Q", "-l", "q"], "-l is yes or no"),
            (&["-q", "Q", "-p", "10"], "-p takes a number from 0 to 9"),
            (&["-q", "Q", "-s", "-1"], "-s takes a number"),
            (&["-q", "Q", "-t", "full"], "-t is low, medium or high"),
            (&["-q", "Q", "-ro", "pan"], "-ro pan is no report"),
            (&["-q", "Q", "-ro", "coa,none"], "-ro none is no report"),
            (&["-q", "Q", "-rqm", "QM"], "give both"),
            (&["-q", "Q", "-l", "yes"], "name it by -rq"),
            (&["-q", "Q", "-n"], "name it by -rq"),
            (&["-q", "Q", "-ts", "a/b"], ""),
        ] {
            let refused = read(arguments).unwrap_err();
            assert!(refused.contains(words), "{arguments:?}: {refused}");
        }
    }
}
