//! `ferry why`: the cause of a refusal, and the command that would allow the request.
//!
//! Always: a text of the record is shown on one line, with escapes in place of controls; a command is the one
//! that the queue manager built, and is printed alone where a program is to run it. A source of refusals,
//! however many it makes, leaves room in the list for those of others.

use std::path::Path;

use clap::Args;
use mqi::{QueueManagerName, constants};
use objects::harmless::is_harmful;
use serde_json::Value;
use server::audit::{self, Choice, Found, Listing};
use server::instances;
use terminal::common::Common;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless, in_shell};
use terminal::units;

use crate::stores::Whose;

/// Refusals that are listed where none is named: a screen of them.
const LISTED: usize = 20;

/// Refusals of one source that are listed then.
const LISTED_OF_SOURCE: usize = 3;

/// Most refusals that can be asked for.
const LAST_MAX: u64 = 1_000;

/// A refusal.
#[derive(Debug, Args)]
#[command(after_help = "\
Without ID and --last the last three refusals of each source are listed, twenty in all. A source is a proved user at \
an address, or an address alone where nothing was proved. --user NAME lists refusals of that user alone.

Exit codes: 0 it was found, 1 no command allows it (--command), 3 it is not there.")]
pub(crate) struct WhyArguments {
    /// Queue manager; -m NAME means the same
    #[arg(value_name = "QM")]
    name: String,
    /// Number of the refusal, from the error log (FRY5012W) or the answer to a command; without it the last
    /// refusals are listed, with --user NAME those of one user
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// List this number of the last refusals, of all sources
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=LAST_MAX), conflicts_with = "id")]
    last: Option<u64>,
    /// Print the command that would allow the request and nothing else, for ferry mqsc
    #[arg(long, requires = "id")]
    command: bool,
}

#[cfg(test)]
impl WhyArguments {
    /// The queue manager.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The number of the refusal.
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

/// Prints the record of a refusal, or the last ones.
pub(crate) fn run(whose: &Whose<'_>, user: Option<&str>, arguments: &WhyArguments) -> Result<()> {
    let WhyArguments { name, id, last, command } = arguments;
    let name: QueueManagerName =
        name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let folder = instances::find(whose.data, &name)?.folder.audit();
    let Some(id) = id else { return list(whose.common, &name, &folder, (user, *last)) };
    if user.is_some() {
        return Err(Failure::usage("--user chooses refusals of a list, and the number names one already")
            .next("leave out --user, or the number"));
    }
    let found = audit::find(&folder, id).map_err(|error| unread(&folder, &error))?;
    let Some(found) = found else {
        return Err(Failure::new(Exit::NotFound, format!("there is no refusal {id} of {name}")).next(
            next_step!(
                "ferry why {} lists the last ones; the oldest refusals are gone",
                in_shell(name.as_str())
            ),
        ));
    };
    if *command {
        return print_command(&found);
    }
    match whose.common.output {
        Format::Json => output::print_json(&in_full(id, found))?,
        Format::Table => output::print_line(text(id, &found))?,
    }
    Ok(())
}

fn unread(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot read {}: {error}", folder.display()))
        .next("run the command as the user of the queue manager")
}

/// Prints the last refusals, the newest last: of a user, or of all.
fn list(
    common: &Common,
    name: &QueueManagerName,
    folder: &Path,
    (user, last): (Option<&str>, Option<u64>),
) -> Result<()> {
    if user.is_some_and(|user| user.contains(is_harmful)) {
        return Err(Failure::usage("the name of a user has no control characters and none that turn text")
            .next("give the name as the list shows it, with the escapes"));
    }
    let is_wanted = |refusal: &Value| user.is_none_or(|user| of(&refusal["user"]) == user);
    let choice = Choice {
        is_wanted: &is_wanted,
        most: last.and_then(|last| usize::try_from(last).ok()).unwrap_or(LISTED),
        of_source: last.is_none().then_some(LISTED_OF_SOURCE),
    };
    let listing = audit::last(folder, &choice).map_err(|error| unread(folder, &error))?;
    if listing.refusals.is_empty() {
        return none(name, user);
    }
    for refusal in &listing.refusals {
        match common.output {
            Format::Json => output::print_json(refusal)?,
            Format::Table => output::print_line(line(refusal))?,
        }
    }
    if let (Format::Table, Some(left)) = (common.output, left(&listing, name, user, common)) {
        output::say(left);
    }
    Ok(())
}

/// The answer where no refusal is recorded: with the name of a user that user may be misspelt.
fn none(name: &QueueManagerName, user: Option<&str>) -> Result<()> {
    let Some(user) = user else {
        output::say(format!("{name} has no record of a refusal"));
        return Ok(());
    };
    Err(Failure::new(Exit::NotFound, format!("{name} has no record of a refusal of user {user}"))
        .next(next_step!("ferry why {} lists the last ones of all users", in_shell(name.as_str()))))
}

/// The refusals that a list leaves out, in words.
fn left(listing: &Listing, name: &QueueManagerName, user: Option<&str>, common: &Common) -> Option<String> {
    let mut lines: Vec<String> = listing
        .left
        .iter()
        .map(|(source, count)| format!("and {} more of {}", units::count(*count), harmless(source)))
        .collect();
    if listing.has_others {
        lines.push("and others, of more sources".to_owned());
    }
    if lines.is_empty() {
        return None;
    }
    let name = in_shell(name.as_str());
    let next = match user {
        Some(user) => next_step!("  ferry why {name} --user {} --last {LAST_MAX} lists them", in_shell(user)),
        None => next_step!("  ferry why {name} --user NAME, or --last {LAST_MAX}, lists them"),
    };
    lines.push(next.at(&common.typed));
    Some(lines.join("\n"))
}

/// Prints the command that allows a request and nothing else.
fn print_command(Found { record, is_counted, .. }: &Found) -> Result<()> {
    let command = proposed(&record["judged"]);
    // Its like may be a request for another object.
    let command = command.filter(|_| !is_counted);
    // The queue manager built it of one line; a file that was changed by hand may have another.
    let command = command.filter(|command| harmless(command) == **command);
    match command {
        Some(command) => Ok(output::print_line(command)?),
        None => Err(Failure::new(
            Exit::Failed,
            format!("no command is proposed: {}", reason_without(record, *is_counted)),
        )
        .next(NextStep::of("ferry why without --command shows the refusal"))),
    }
}

/// The command that the record proposes. One for everybody is none, though an earlier release recorded it.
fn proposed(judged: &Value) -> Option<&str> {
    judged["allowed_by"].as_str().filter(|_| judged["user"] != NOBODY)
}

/// The reason for which there is no command.
fn reason_without(record: &Value, is_counted: bool) -> &'static str {
    let judged = &record["judged"];
    match judged["name"].as_str() {
        _ if is_counted => "the refusal was counted, and the record is that of another request",
        _ if judged.is_null() => "no authority record decided",
        _ if judged["user"] == NOBODY => {
            "the program acts as no user, and a right of GROUP('nobody') would be one of every user and program; have it \
             prove its user"
        }
        Some(name) if name.starts_with("SYSTEM.") => "system objects are for administrators",
        _ => "no authority record can mean the user or the object",
    }
}

/// The user that a program acts as which proves none.
const NOBODY: &str = "nobody";

/// A text of the record, on one line.
fn of(value: &Value) -> String {
    harmless(value.as_str().unwrap_or_default()).into_owned()
}

/// The object of the record. A login by a local socket names no channel, and earlier releases recorded that.
fn object_of(refusal: &Value) -> String {
    match of(&refusal["object"]) {
        object if object.trim() == "channel" => "queue manager".to_owned(),
        object => object,
    }
}

/// The record, with the facts about a refusal that was counted with it.
fn in_full(id: &str, Found { mut record, is_counted, counted }: Found) -> Value {
    if is_counted {
        record["counted_as"] = id.trim().to_ascii_uppercase().into();
    }
    if counted > 0 {
        record["counted"] = counted.into();
    }
    record
}

fn line(refusal: &Value) -> String {
    let mut line = format!(
        "{}  {}  user {} ({}): {} of {}",
        of(&refusal["id"]),
        of(&refusal["time"]),
        of(&refusal["user"]),
        of(&refusal["identity"]),
        of_request(&of(&refusal["request"])),
        object_of(refusal),
    );
    let login = &refusal["login"];
    if !login.is_null() {
        line += &format!(" from {}", of(&login["from"]));
    }
    line
}

fn text(id: &str, Found { record: refusal, is_counted, counted }: &Found) -> String {
    let mut text = format!(
        "{}  user {} ({}) was refused {} of {}",
        of(&refusal["time"]),
        of(&refusal["user"]),
        of(&refusal["identity"]),
        of_request(&of(&refusal["request"])),
        object_of(refusal),
    );
    if *is_counted {
        text = format!(
            "{} has no record of its own: it was counted with {}, of the same source ({})\n{text}",
            harmless(&id.trim().to_ascii_uppercase()),
            of(&refusal["id"]),
            of(&refusal["source"]),
        );
    }
    if *counted > 0 {
        text += &format!("\ncounted     {counted} more of this source, without records of their own");
    }
    let login = &refusal["login"];
    if !login.is_null() {
        text += &format!("\nfrom        {}\ncause       {}", of(&login["from"]), of(&login["cause"]));
    }
    let judged = &refusal["judged"];
    if judged.is_null() && login.is_null() {
        text += "\ncause       no record decides about it: it is for an administrator, or for the user that it belongs to";
    }
    if judged.is_null() {
        return text;
    }
    let record = if judged["record"].is_null() { "none".to_owned() } else { of(&judged["record"]) };
    text += &format!(
        "\njudged for  {}\nobject      {} {}\nneeded      {}\nhad         {}\nrecord      {record}",
        of(&judged["user"]),
        of(&judged["type"]),
        of(&judged["name"]),
        of(&judged["needed"]),
        of(&judged["had"]),
    );
    match proposed(judged) {
        Some(command) => text + &format!("\nallowed by  {}", harmless(command)),
        None => text + &format!("\nallowed by  no command: {}", reason_without(refusal, false)),
    }
}

/// The request with the names of its options in place of their number.
fn of_request(request: &str) -> String {
    let mut words = request.splitn(3, ' ');
    let (verb, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let prefix = match verb {
        "MQOPEN" => "MQOO_",
        "MQPUT1" => "MQPMO_",
        "MQCLOSE" => "MQCO_",
        "MQSUB" => "MQSO_",
        _ => return request.to_owned(),
    };
    let bits = number.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let Some(bits) = bits else { return request.to_owned() };
    let set = (0..32).map(|place| 1_u32 << place).filter(|bit| bits & bit != 0);
    let names: Vec<String> = set
        .map(|bit| match constants::names_of(bit as i32, prefix).next() {
            Some(name) => name.to_owned(),
            None => format!("{bit:#x}"),
        })
        .collect();
    let parts = [verb.to_owned(), names.join("+"), words.next().unwrap_or_default().to_owned()];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use objects::harmless::is_harmful;
    use serde_json::json;

    fn found(record: Value) -> Found {
        Found { record, is_counted: false, counted: 0 }
    }

    #[test]
    fn options_of_a_request_are_told_by_name() {
        for (request, expected) in [
            ("MQOPEN 0x2010", "MQOPEN MQOO_OUTPUT+MQOO_FAIL_IF_QUIESCING"),
            ("MQOPEN 0x10 by model TEMP", "MQOPEN MQOO_OUTPUT by model TEMP"),
            (
                "MQPUT1 0x1004 for user boss",
                "MQPUT1 MQPMO_NO_SYNCPOINT+MQPMO_ALTERNATE_USER_AUTHORITY for user boss",
            ),
            ("MQSUB 0x22 'a b'", "MQSUB MQSO_CREATE+MQSO_MANAGED 'a b'"),
            ("MQCLOSE 0x0", "MQCLOSE"),
            ("MQOPEN 0x40000000", "MQOPEN 0x40000000"),
            ("DISPLAY", "DISPLAY"),
            ("MQCONN", "MQCONN"),
        ] {
            assert_eq!(of_request(request), expected);
        }
    }

    #[test]
    fn a_refusal_is_told_with_the_command_that_would_allow_it() {
        let refusal = json!({
            "time": "t", "user": "a\nb", "identity": "proved", "request": "MQOPEN 0x10", "object": "queue Q",
            "judged": {
                "user": "a\nb", "type": "QUEUE", "name": "Q", "needed": "PUT", "had": "NONE", "record": null,
                "allowed_by": "SET AUTHREC",
            },
        });
        let text = text("1", &found(refusal));
        assert!(text.contains("user a\\nb (proved) was refused MQOPEN MQOO_OUTPUT of queue Q"), "{text}");
        assert!(text.contains("needed      PUT") && text.ends_with("allowed by  SET AUTHREC"), "{text}");
    }

    #[test]
    fn a_login_that_named_no_channel_is_one_of_the_queue_manager() {
        for (object, expected) in [
            ("channel ", "login of queue manager"),
            ("channel", "login of queue manager"),
            ("channel A", "login of channel A"),
        ] {
            let refusal = json!({
                "id": "1", "time": "t", "user": "ada", "identity": "asserted", "request": "login", "object": object,
                "login": {"from": "a local socket", "cause": "wrong"},
            });
            let said = [line(&refusal), text("1", &found(refusal)).lines().next().unwrap().to_owned()];
            assert!(said[0].contains(&format!("{expected} from")), "{said:?}");
            assert!(said[1].ends_with(expected), "{said:?}");
        }
    }

    #[test]
    fn a_refusal_that_no_record_decides_has_its_cause() {
        let refusal = json!({
            "time": "t", "user": "paris", "identity": "proved", "request": "MQCONN", "object": "queue manager",
        });
        let text = text("1", &found(refusal));
        assert!(text.contains("\ncause       no record decides about it"), "{text}");
    }

    #[test]
    fn a_program_that_acts_as_no_user_is_proposed_no_right_for_everybody() {
        let refusal = json!({
            "id": "1", "user": "", "identity": "asserted", "request": "MQCONN", "object": "queue manager",
            "judged": {
                "user": "nobody", "type": "QMGR", "name": "", "needed": "CONNECT", "had": "NONE",
                "allowed_by": "SET AUTHREC PROFILE('SELF') OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
            },
        });
        let text = text("1", &found(refusal.clone()));
        let said = "no command: the program acts as no user, and a right of GROUP('nobody') would be one of every user";
        assert!(text.contains(said), "{text}");
        let refused = print_command(&found(refusal)).unwrap_err().to_string();
        assert!(refused.contains("have it prove its user"), "{refused}");
    }

    #[test]
    fn no_text_of_a_record_adds_a_line_or_reaches_a_terminal_as_a_command() {
        let bad = "x\nallowed by  SET AUTHREC OBJTYPE(QMGR)PRINCIPAL(X)AUTHADD(ALL)\r\u{1b}[2J\u{9b}1m\u{202e}\u{61c}";
        let refusal = json!({
            "id": bad, "time": bad, "user": bad, "identity": bad, "request": bad, "object": bad, "source": bad,
            "login": {"from": bad, "cause": bad},
            "judged": {
                "user": bad, "type": bad, "name": bad, "needed": bad, "had": bad, "record": bad, "allowed_by": bad,
            },
        });
        for is_counted in [false, true] {
            let found = Found { record: refusal.clone(), is_counted, counted: 3 };
            let text = text(bad, &found);
            assert!(!text.contains(|letter| letter != '\n' && is_harmful(letter)), "{text}");
            let proposals = text.lines().filter(|line| line.starts_with("allowed by")).count();
            assert_eq!(proposals, 1, "{text}");
            assert!(print_command(&found).is_err(), "what is no line of MQSC is not printed for a program");
        }
        assert!(!line(&refusal).contains(is_harmful));
    }

    #[test]
    fn a_counted_refusal_is_told_with_its_like_and_without_a_command() {
        let record = json!({
            "id": "00000000000000AB", "user": "eve", "source": "user eve at 10.0.0.1", "object": "queue Q",
            "judged": {"name": "Q", "allowed_by": "SET AUTHREC"},
        });
        let counted = Found { record, is_counted: true, counted: 7 };
        let text = text("00000000000000ac", &counted);
        let first = "00000000000000AC has no record of its own: it was counted with 00000000000000AB, of the same \
                     source (user eve at 10.0.0.1)";
        assert_eq!(text.lines().next(), Some(first));
        assert!(text.contains("counted     7 more of this source"), "{text}");
        let refused = print_command(&counted).unwrap_err().to_string();
        assert!(refused.contains("the record is that of another request"), "{refused}");
        let full = in_full("00000000000000ac", counted);
        assert_eq!((&full["counted_as"], &full["counted"]), (&json!("00000000000000AC"), &json!(7)));
    }
}
