//! Warnings about the judgement of logins: channel rules of an earlier release that ask for no password,
//! where a command starts the queue manager or makes the user or key from which on the rules are asked; and
//! programs that the judgement would refuse, where a command switches it on. Beside them in the answer to SET
//! AUTHREC: a right that has no effect.
//!
//! Lives elsewhere: finding both, and the commands that mend them (the engine, which DISPLAY CHLAUTH and
//! DISPLAY AUTHSERV show); `ferry doctor`, which also names an administrator's own rules of the kind.
//!
//! Always: it changes nothing, and no command fails because of it.

use objects::messages::{self, MessageRow};
use serde_json::Value;
use server::instances::{self, Instance};
use server::{DataDirectory, Folder};
use terminal::connect::{self, Place, Session};
use terminal::output;

use super::answer;

/// The question whose answer has the warnings about rules.
const RULES: &str = "DISPLAY CHLAUTH(*)";

/// The question whose answer has those about programs.
pub(crate) const LOGINS: &str = "DISPLAY AUTHSERV";

/// The messages that are warnings of this kind.
const WARNINGS: [&MessageRow; 4] = [
    &messages::RULE_ASKS_NO_PASSWORD,
    &messages::LOGIN_WOULD_BE_REFUSED,
    &messages::MORE_LOGINS_WOULD_BE_REFUSED,
    &messages::CREATION_WITHOUT_EFFECT,
];

/// Prints the warnings about a queue manager of this directory that was given a user or key, if it runs.
pub(crate) fn say_of(data: &DataDirectory, name: &str) {
    let instance = name.parse().ok().and_then(|name| instances::find(data, &name).ok());
    if let Some(Instance { folder, running: Some(running) }) = instance {
        say_answers(&folder, &running.listens, &[RULES, LOGINS]);
    }
}

/// Prints the warnings about the rules of a running queue manager.
pub(crate) fn say(folder: &Folder, listens: &[String]) {
    say_answers(folder, listens, &[RULES]);
}

fn say_answers(folder: &Folder, listens: &[String], questions: &[&str]) {
    let Some(address) = connect::addresses(folder, listens).into_iter().next() else { return };
    let place = Place::named(address, *folder.name());
    warnings(&place, questions).into_iter().flatten().for_each(output::say);
}

fn warnings(place: &Place, questions: &[&str]) -> Option<Vec<String>> {
    let mut session = Session::connect(place).ok()?;
    let mut warnings = Vec::new();
    for question in questions {
        let response = session.command(question).ok()?;
        warnings.extend(warnings_of(&answer::read(question, &response.json).ok()?));
    }
    let _ = session.disconnect();
    Some(warnings)
}

/// The warnings of an answer.
pub(crate) fn warnings_of(answer: &Value) -> impl Iterator<Item = String> {
    let ids = WARNINGS.map(MessageRow::id);
    let messages = answer["messages"].as_array().into_iter().flatten();
    let meant = messages.filter(move |message| ids.iter().any(|id| message["id"].as_str() == Some(id)));
    meant.filter_map(|message| Some(message["text"].as_str()?.to_owned()))
}
