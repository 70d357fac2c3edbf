//! `ferry pub`: messages from arguments, files or standard input to a topic.
//!
//! Lives elsewhere: putting them in units of work, and saying what was put (`put`).

use std::time::Duration;

use clap::Args;
use mqi::{ObjectDescriptor, OpenOptions, PutFlags, Verbs as _};

use super::put::{self, Bodies, BodySource, How, MessageAttributes, Target};
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Failure, Result};
use terminal::next_step::NextStep;
use terminal::output;

/// Publishes messages.
#[derive(Debug, Args)]
pub(crate) struct PublishArguments {
    /// Topic to publish to, such as price/tin
    topic: String,
    #[command(flatten)]
    bodies: Bodies,
    /// Retain the message for future subscribers
    #[arg(short, long)]
    retain: bool,
    #[command(flatten)]
    attributes: MessageAttributes,
    /// Messages in one unit of work; 0 puts each outside syncpoint and waits for its reply
    #[arg(long, default_value_t = 500, value_name = "MESSAGES")]
    batch: u64,
    /// Print nothing when all went well
    #[arg(short, long)]
    quiet: bool,
}

/// Publishes and says what was published.
pub(crate) fn run(common: &Common, arguments: &PublishArguments) -> Result<()> {
    let topic = topic(&arguments.topic)?;
    if topic.split('/').any(|level| matches!(level, "#" | "+")) {
        return Err(Failure::usage(format!("nothing is published to several topics at once: {topic}"))
            .next(NextStep::of("name one topic, without + and #; ferry sub takes these")));
    }
    warn_of_other_wildcards(topic);
    let descriptor = arguments.attributes.descriptor()?;
    let source = BodySource::of(&arguments.bodies)?;
    let mut session = connect::session(common)?;
    let object = ObjectDescriptor::topic(topic);
    let opened = session.connection().open(&object, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING);
    let opened = opened.map_err(|reason| {
        Failure::of_call(format!("cannot open topic {topic} at {}", session.queue_manager()), reason)
    })?;
    let target = Target { kind: "topic", name: topic, verb: "publish", past: "published", preposition: "to" };
    let flags = if arguments.retain { PutFlags::RETAIN } else { PutFlags::EMPTY };
    let how = How { descriptor, flags, delay: Duration::ZERO, batch: arguments.batch };
    put::put_all(
        common.output,
        arguments.quiet,
        session,
        &opened,
        &target,
        how,
        (source, arguments.bodies.repeat),
    )
}

/// Says so where a topic has the wildcards of other brokers, which are ordinary letters here.
pub(super) fn warn_of_other_wildcards(topic: &str) {
    if let Some(ours) = in_our_wildcards(topic) {
        output::say(format!(
            "{topic}: * and > stand for themselves here, and a dot is no end of a level; + stands for one \
             level and # for any number, as in {ours}"
        ));
    }
}

/// The topic as it would be written here, if it has wildcards of other brokers: `orders.*`, `orders.>`,
/// `price/*`.
fn in_our_wildcards(topic: &str) -> Option<String> {
    let between = if topic.contains('/') { '/' } else { '.' };
    let levels: Vec<&str> = topic.split(between).collect();
    levels.iter().any(|level| matches!(*level, "*" | ">")).then(|| {
        let ours = levels.iter().map(|level| match *level {
            "*" => "+",
            ">" => "#",
            level => level,
        });
        ours.collect::<Vec<_>>().join("/")
    })
}

/// A topic as typed.
pub(super) fn topic(text: &str) -> Result<&str> {
    match text {
        "" => {
            Err(Failure::usage("the topic is empty").next(NextStep::of("name one: ferry pub price/tin 12")))
        }
        text => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::in_our_wildcards;

    #[test]
    fn wildcards_of_other_brokers_are_seen_where_they_are_a_whole_level() {
        for (topic, ours) in [
            ("orders.*", Some("orders/+")),
            ("orders.>", Some("orders/#")),
            ("price/*/close", Some("price/+/close")),
            (">", Some("#")),
            ("price/+", None),
            ("price/a*b", None),
            ("orders.eu", None),
        ] {
            assert_eq!(in_our_wildcards(topic).as_deref(), ours, "{topic}");
        }
    }
}
