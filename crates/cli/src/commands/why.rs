//! `ferry why`: the cause of a refusal, and the command that would allow the request.
//!
//! Always: a text of the record is shown on one line, with escapes in place of controls; a command is the one
//! that the queue manager built, and is printed alone where a program is to run it.

use std::path::Path;

use clap::Args;
use mqi::{QueueManagerName, constants};
use serde_json::Value;
use server::audit::{self, Found};
use server::instances;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, harmless, in_shell};

use crate::stores::Whose;

/// Refusals that are listed where none is named: a screen of them.
const LISTED: usize = 20;

/// A refusal.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 it was found, 1 no command allows it (--command), 3 it is not there.")]
pub(crate) struct Arguments {
    /// Queue manager
    #[arg(value_name = "QM")]
    name: String,
    /// Number of the refusal, from the error log (FRY5012W) or the answer to a command; without it the last
    /// refusals are listed
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print the command that would allow the request and nothing else, for ferry mqsc
    #[arg(long, requires = "id")]
    command: bool,
}

/// Prints the record of a refusal, or the last ones.
pub(crate) fn run(whose: &Whose<'_>, Arguments { name, id, command }: &Arguments) -> Result<()> {
    let name: QueueManagerName =
        name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let folder = instances::find(whose.data, &name)?.folder.audit();
    let Some(id) = id else { return list(whose.format, &name, &folder) };
    let found = audit::find(&folder, id).map_err(|error| unread(&folder, &error))?;
    let Some(found) = found else {
        return Err(Failure::new(Exit::NotFound, format!("there is no refusal {id} of {name}")).next(
            format!(
                "ferry why {} lists the last ones; the oldest refusals are gone",
                in_shell(name.as_str())
            ),
        ));
    };
    if *command {
        return print_command(&found);
    }
    match whose.format {
        Format::Json => output::print_json(&in_full(id, found))?,
        Format::Table => output::print_line(text(id, &found))?,
    }
    Ok(())
}

fn unread(folder: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Failed, format!("cannot read {}: {error}", folder.display()))
        .next("run the command as the user of the queue manager")
}

/// Prints the last refusals, the newest last.
fn list(format: Format, name: &QueueManagerName, folder: &Path) -> Result<()> {
    let last = audit::last(folder, LISTED).map_err(|error| unread(folder, &error))?;
    if last.is_empty() {
        output::say(format!("{name} has no record of a refusal"));
    }
    for refusal in &last {
        match format {
            Format::Json => output::print_json(refusal)?,
            Format::Table => output::print_line(line(refusal))?,
        }
    }
    Ok(())
}

/// Prints the command that allows a request and nothing else.
fn print_command(Found { record, is_counted, .. }: &Found) -> Result<()> {
    let command = record["judged"]["allowed_by"].as_str();
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
        .next("ferry why without --command shows the refusal")),
    }
}

/// The reason for which there is no command.
fn reason_without(record: &Value, is_counted: bool) -> &'static str {
    let judged = &record["judged"];
    match judged["name"].as_str() {
        _ if is_counted => "the refusal was counted, and the record is that of another request",
        _ if judged.is_null() => "no authority record decided",
        Some(name) if name.starts_with("SYSTEM.") => "system objects are for administrators",
        _ => "no authority record can mean the user or the object",
    }
}

/// A text of the record, on one line.
fn of(value: &Value) -> String {
    harmless(value.as_str().unwrap_or_default()).into_owned()
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
        of(&refusal["object"]),
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
        of(&refusal["object"]),
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
    if judged["allowed_by"].is_string() {
        text + &format!("\nallowed by  {}", of(&judged["allowed_by"]))
    } else {
        text + &format!("\nallowed by  no command: {}", reason_without(refusal, false))
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
