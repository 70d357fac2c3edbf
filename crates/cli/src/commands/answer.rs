//! Answers of the queue manager to displays, as commands read them.

use serde_json::Value;

use super::pages;
use terminal::connect::Session;
use terminal::failure::{Exit, Failure, Result};

/// There is none of this name, or none that matches.
const ABSENT: [&str; 3] = ["FRY8147E", "FRY8154I", "FRY8155I"];

/// Reads the answer to a command.
///
/// # Errors
/// When it is no JSON, which only another release gives.
pub(super) fn read(command: &str, json: &str) -> Result<Value> {
    serde_json::from_str(json).map_err(|error| {
        Failure::new(Exit::Failed, format!("the answer to {command} is no JSON: {error}"))
            .next("use a queue manager and a ferry command of the same release")
    })
}

/// Returns true if an answer says that there is nothing of the name.
pub(super) fn is_absent(json: &str) -> bool {
    let answer: Value = serde_json::from_str(json).unwrap_or_default();
    answer["messages"][0]["id"].as_str().is_some_and(|id| ABSENT.contains(&id))
}

/// The objects of an answer.
pub(super) fn objects(answer: &Value) -> Vec<Value> {
    answer["objects"].as_array().cloned().unwrap_or_default()
}

/// The objects that a DISPLAY shows; none where there is nothing of this name.
///
/// # Errors
/// When the queue manager refuses the display.
pub(crate) fn shown(session: &mut Session, display: &str) -> Result<Vec<Value>> {
    let mut shown = Vec::new();
    pages::ask(session, display, &mut |page, _| {
        let answer = read(display, &page.json)?;
        let is_missing = answer["messages"][0]["id"].as_str().is_some_and(|id| ABSENT.contains(&id));
        if page.failed && !is_missing {
            return Err(Failure::new(Exit::Refused, page.text.trim()).in_lines());
        }
        shown.extend(objects(&answer));
        Ok(())
    })?;
    Ok(shown)
}
