//! `ferry why`: the cause of a refusal, and the command that would allow the request.

use clap::Args;
use mqi::QueueManagerName;
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
    /// Number of the refusal, as the error log (FRY5012W) and the answer to a command tell it
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
        of(&refusal["request"]),
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

#[cfg(test)]
mod tests {
    use serde_json::json;

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
        assert!(text.contains("user a\\nb (proved) was refused MQOPEN 0x10 of queue Q"), "{text}");
        assert!(text.contains("needed      PUT") && text.ends_with("allowed by  SET AUTHREC"), "{text}");
    }
}
