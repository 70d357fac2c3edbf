//! `ferry why`: the cause of a refusal, and the command that would allow the request.

use clap::Args;
use mqi::{QueueManagerName, constants};
use serde_json::Value;
use server::{audit, instances};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format};

use crate::stores::Whose;

/// A refusal.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Queue manager
    #[arg(value_name = "QM")]
    name: String,
    /// Number of the refusal, from the error log (FRY5012W) or the answer to a command
    #[arg(value_name = "ID")]
    id: String,
}

/// Prints the record of a refusal.
pub(crate) fn run(whose: &Whose<'_>, Arguments { name, id }: &Arguments) -> Result<()> {
    let name: QueueManagerName =
        name.parse().map_err(|error: mqi::NameError| Failure::usage(error.to_string()))?;
    let folder = instances::find(whose.data, &name)?.folder.audit();
    let found = audit::find(&folder, id).map_err(|error| {
        Failure::new(Exit::Failed, format!("cannot read {}: {error}", folder.display()))
            .next("run the command as the user of the queue manager")
    })?;
    let Some(refusal) = found else {
        return Err(Failure::new(Exit::NotFound, format!("there is no refusal {id} of {name}"))
            .next("take the number from FRY5012W in the error log; the oldest refusals are gone"));
    };
    match whose.format {
        Format::Json => output::print_json(&refusal)?,
        Format::Table => output::print_line(text(&refusal))?,
    }
    Ok(())
}

fn text(refusal: &Value) -> String {
    let of = |value: &Value| value.as_str().unwrap_or_default().escape_debug().to_string();
    let mut text = format!(
        "{}  user {} ({}) was refused {} of {}",
        of(&refusal["time"]),
        of(&refusal["user"]),
        of(&refusal["identity"]),
        of_request(&of(&refusal["request"])),
        of(&refusal["object"]),
    );
    let login = &refusal["login"];
    if !login.is_null() {
        text += &format!("\nfrom        {}\ncause       {}", of(&login["from"]), of(&login["cause"]));
    }
    let judged = &refusal["judged"];
    if judged.is_null() {
        return text;
    }
    let record = match judged["record"].as_str() {
        Some(record) => record.to_owned(),
        None => "none".to_owned(),
    };
    text += &format!(
        "\njudged for  {}\nobject      {} {}\nneeded      {}\nhad         {}\nrecord      {record}",
        of(&judged["user"]),
        of(&judged["type"]),
        of(&judged["name"]),
        of(&judged["needed"]),
        of(&judged["had"]),
    );
    match judged["allowed_by"].as_str() {
        Some(command) => text += &format!("\nallowed by  {command}"),
        None => text += "\nallowed by  no command: system objects are for administrators",
    }
    text
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
    use serde_json::json;

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
            assert_eq!(super::of_request(request), expected);
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
        let text = super::text(&refusal);
        assert!(text.contains("user a\\nb (proved) was refused MQOPEN MQOO_OUTPUT of queue Q"), "{text}");
        assert!(text.contains("needed      PUT") && text.ends_with("allowed by  SET AUTHREC"), "{text}");
    }
}
