//! `ferry topic`: the topic tree as it stands.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::answer;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless};

/// Shows topics.
#[derive(Debug, Subcommand)]
pub(crate) enum TopicCommand {
    /// Show the topic tree with its publishers, subscribers and retained publications
    Tree(TreeArguments),
}

/// Choice of a part of the tree.
#[derive(Debug, Args)]
pub(crate) struct TreeArguments {
    /// Topic whose part of the tree is shown; without it, all of it
    topic: Option<String>,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &TopicCommand) -> Result<()> {
    let TopicCommand::Tree(arguments) = command;
    tree(common, arguments)
}

fn tree(common: &Common, arguments: &TreeArguments) -> Result<()> {
    let mut session = connect::session(common)?;
    let below = arguments.topic.as_deref().map(|topic| topic.trim_end_matches('/'));
    let places = places(&mut session, below)?;
    let queue_manager = session.queue_manager().to_owned();
    session.disconnect()?;
    if places.is_empty() {
        let topic = below.unwrap_or_default();
        return Err(Failure::new(
            Exit::NotFound,
            format!("nothing is at {topic} or below, at {queue_manager}"),
        )
        .next(NextStep::of("ferry topic tree shows all there is")));
    }
    let mut output = output::standard();
    match common.output {
        Format::Json => {
            for place in &places {
                output::json_line(&mut output, &place.told)?;
            }
        }
        Format::Table => {
            let paint = Paint::for_stream(io::stdout().is_terminal());
            for place in &places {
                writeln!(output, "{}", place.line(paint))?;
            }
        }
    }
    Ok(output.flush()?)
}

/// A place in the tree, as the queue manager shows it.
struct Place {
    topic: String,
    told: Value,
}

impl Place {
    /// Its last level, behind as much space as levels are above it, and what is there.
    fn line(&self, paint: Paint) -> String {
        let number = |name: &str| self.told[name].as_u64().unwrap_or(0);
        let object = self.told["admin"].as_str().map(str::trim).filter(|name| !name.is_empty());
        let mut facts: Vec<String> = object.map(|name| format!("({})", harmless(name))).into_iter().collect();
        for (count, one, many) in [
            (number("pubcount"), "publisher", "publishers"),
            (number("subcount"), "subscription", "subscriptions"),
        ] {
            if count > 0 {
                facts.push(format!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        if self.told["retained"] == "YES" {
            facts.push("retained".to_owned());
        }
        let (space, level) = match self.topic.as_str() {
            "" => (0, "all topics"),
            topic => (2 * topic.split('/').count(), topic.rsplit('/').next().unwrap_or_default()),
        };
        let level = if level.is_empty() { Cow::Borrowed("''") } else { harmless(level) };
        format!("{:space$}{}  {}", "", paint.strong(level), paint.dim(facts.join(", "))).trim_end().to_owned()
    }
}

/// The places at a topic and below, or all of them; parents before their children.
fn places(session: &mut Session, below: Option<&str>) -> Result<Vec<Place>> {
    let pattern = below.map_or_else(|| "#".to_owned(), |topic| format!("{topic}/#"));
    let quoted = pattern.replace('\'', "''");
    let question = format!("DISPLAY TPSTATUS('{quoted}') ADMIN PUBCOUNT SUBCOUNT RETAINED");
    let response = session.command(&question)?;
    let mut places: Vec<Place> = answer::objects(&answer::read(&question, &response.json)?)
        .into_iter()
        .map(|told| Place { topic: told["tpstatus"].as_str().unwrap_or_default().trim().to_owned(), told })
        .collect();
    places.sort_by(|one, other| one.topic.split('/').cmp(other.topic.split('/')));
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::Place;
    use serde_json::json;
    use terminal::output::Paint;

    #[test]
    fn a_place_is_shown_under_those_above_it() {
        for (topic, told, expected) in [
            ("", json!({"admin": "SYSTEM.BASE.TOPIC"}), "all topics  (SYSTEM.BASE.TOPIC)"),
            ("price", json!({"admin": " "}), "  price"),
            (
                "price/tin",
                json!({"pubcount": 1, "subcount": 2, "retained": "YES"}),
                "    tin  1 publisher, 2 subscriptions, retained",
            ),
            ("price/", json!({}), "    ''"),
        ] {
            let place = Place { topic: topic.to_owned(), told };
            assert_eq!(place.line(Paint::PLAIN), expected);
        }
    }
}
