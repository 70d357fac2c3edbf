//! `ferry pub`: messages from arguments, files or standard input to a topic.
//!
//! Lives elsewhere: putting them in units of work, and saying what was put (`put`).

use clap::Args;
use mqi::{ObjectDescriptor, OpenOptions, PutFlags, Verbs as _};

use super::put::{self, Bodies, How, MessageAttributes, Source, Target};
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Failure, Result};

/// What to publish, where and how.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Topic to publish to, such as price/tin
    topic: String,
    #[command(flatten)]
    bodies: Bodies,
    /// Keep the message as the last of its topic, for who subscribes later
    #[arg(short, long)]
    retain: bool,
    #[command(flatten)]
    attributes: MessageAttributes,
    /// Messages in one unit of work; 0 puts each outside syncpoint and waits for its reply
    #[arg(long, default_value_t = 500, value_name = "MESSAGES")]
    batch: u64,
}

/// Publishes and says what was published.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let topic = topic(&arguments.topic)?;
    let descriptor = arguments.attributes.descriptor()?;
    let source = Source::of(&arguments.bodies)?;
    let mut session = connect::session(common)?;
    let object = ObjectDescriptor::topic(topic);
    let opened = session.connection().open(&object, OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING);
    let opened = opened.map_err(|reason| {
        Failure::of_call(format!("cannot open topic {topic} at {}", session.queue_manager()), reason)
    })?;
    let target = Target { kind: "topic", name: topic, verb: "publish", past: "published", preposition: "to" };
    let flags = if arguments.retain { PutFlags::RETAIN } else { PutFlags::EMPTY };
    let how = How { descriptor, flags, batch: arguments.batch };
    put::put_all(common.output, session, &opened, &target, how, (source, arguments.bodies.repeat))
}

/// A topic as typed.
pub(super) fn topic(text: &str) -> Result<&str> {
    match text {
        "" => Err(Failure::usage("the topic is empty").next("name one: ferry pub price/tin 12")),
        text => Ok(text),
    }
}
