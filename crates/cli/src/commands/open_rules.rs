//! The warning about channel rules of an earlier release that ask for no password, where a command starts the
//! queue manager or makes the user or key from which on the rules are asked.
//!
//! Lives elsewhere: finding such rules, and the commands that close them (the engine, which DISPLAY CHLAUTH
//! shows); `ferry doctor`, which also names an administrator's own rules of the kind.
//!
//! Always: it changes nothing, and no command fails because of it.

use objects::messages;
use serde_json::Value;
use server::instances::{self, Instance};
use server::{DataDirectory, Folder};
use terminal::connect::{self, Place, Session};
use terminal::output;

use super::answer;

/// The question whose answer has the warnings.
const QUESTION: &str = "DISPLAY CHLAUTH(*)";

/// Prints the warnings about a queue manager of this directory, if it runs.
pub(crate) fn say_of(data: &DataDirectory, name: &str) {
    let instance = name.parse().ok().and_then(|name| instances::find(data, &name).ok());
    if let Some(Instance { folder, running: Some(running) }) = instance {
        say(&folder, &running.listens);
    }
}

/// Prints the warnings about a running queue manager.
pub(crate) fn say(folder: &Folder, listens: &[String]) {
    let address = connect::addresses(folder, listens).into_iter().next();
    for warning in
        address.and_then(|address| warnings(&Place::named(address, *folder.name()))).into_iter().flatten()
    {
        output::say(warning);
    }
}

fn warnings(place: &Place) -> Option<Vec<String>> {
    let mut session = Session::connect(place).ok()?;
    let response = session.command(QUESTION).ok()?;
    let _ = session.disconnect();
    let answer = answer::read(QUESTION, &response.json).ok()?;
    Some(warnings_of(&answer).collect())
}

/// The warnings of an answer.
pub(crate) fn warnings_of(answer: &Value) -> impl Iterator<Item = String> {
    let id = messages::RULE_ASKS_NO_PASSWORD.id();
    let messages = answer["messages"].as_array().into_iter().flatten();
    let meant = messages.filter(move |message| message["id"].as_str() == Some(&*id));
    meant.filter_map(|message| Some(message["text"].as_str()?.to_owned()))
}
