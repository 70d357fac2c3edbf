//! `ferry sub`: publications to standard output, as they come.
//!
//! Always: a publication leaves its subscription only after it was written out. A subscription without a name
//! ends with the command, one with a name stays, and what is published meanwhile comes the next time.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::Args;
use mqi::properties::PropertyValue;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Reason, SubscribeOptions,
    Subscribed, SubscriptionDescriptor, Verbs, Wait,
};

use super::get::{self, MESSAGE_BYTES_MAX};
use super::publish::{topic, warn_of_other_wildcards};
use super::stopped::Stopped;
use crate::message::{BodyForm, Message, RawArgument};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, Output, harmless};
use terminal::units;

/// Subscribes to a topic.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Topic; + stands for one level, # for any number of them: price/+, price/#
    topic: String,
    /// End after this number of publications
    #[arg(short = 'n', long, value_name = "PUBLICATIONS")]
    count: Option<u64>,
    /// End when no publication came within this time (such as 500ms, 5s; 0 prints those already there)
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME")]
    wait: Option<Duration>,
    /// Keep the subscription under this name: publications since then are printed the next time
    #[arg(long, value_name = "NAME")]
    durable: Option<String>,
    /// End the subscription of that name afterwards
    #[arg(long, requires = "durable")]
    remove: bool,
    /// Only publications that meet this condition, such as "JMSPriority > 4"
    #[arg(long, value_name = "CONDITION")]
    selector: Option<String>,
    /// Leave out publications that were retained before
    #[arg(long)]
    new_only: bool,
    /// Print the topic before each publication
    #[arg(short, long)]
    topics: bool,
    /// Print the descriptor and the properties before each publication
    #[arg(short, long)]
    describe: bool,
    #[command(flatten)]
    raw: RawArgument,
}

impl Arguments {
    fn descriptor(&self) -> Result<SubscriptionDescriptor> {
        let mut options = SubscribeOptions::CREATE
            | SubscribeOptions::RESUME
            | SubscribeOptions::MANAGED
            | SubscribeOptions::FAIL_IF_QUIESCING;
        match &self.durable {
            Some(_) => options.insert(SubscribeOptions::DURABLE),
            // One without a name cannot be there already.
            None => options.remove(SubscribeOptions::RESUME),
        }
        if self.new_only {
            options.insert(SubscribeOptions::NEW_PUBLICATIONS_ONLY);
        }
        Ok(SubscriptionDescriptor {
            name: self.durable.clone().unwrap_or_default(),
            selection_string: self.selector.clone().unwrap_or_default(),
            ..SubscriptionDescriptor::to(topic(&self.topic)?, options)
        })
    }
}

/// Subscribes and prints.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let descriptor = arguments.descriptor()?;
    warn_of_other_wildcards(&arguments.topic);
    let mut session = connect::session(common)?;
    let subscribed = session.verbs().subscribe(&descriptor, None);
    let subscribed = subscribed.map_err(|reason| refused(arguments, &session, reason))?;
    let outcome = listen(&mut session, &subscribed, common.output, arguments);
    let closing = if arguments.remove { CloseOptions::REMOVE_SUB } else { CloseOptions::EMPTY };
    let subscription = format!("{} at {}", arguments.topic, session.queue_manager());
    match outcome {
        Ok(()) => {
            session.verbs().close(subscribed.subscription, closing).map_err(|reason| {
                Failure::of_call(format!("cannot end the subscription to {subscription}"), reason)
            })?;
            session.disconnect()
        }
        Err(Stopped::Reason(reason)) => {
            Err(Failure::of_call(format!("cannot get publications of {subscription}"), reason))
        }
        Err(Stopped::Output(error)) => Err(error.into()),
        Err(Stopped::Line(what)) => Err(Failure::new(Exit::TimedOut, what).next(format!(
            "ferry pub {} TEXT publishes; ferry topic tree shows who publishes where",
            arguments.topic
        ))),
    }
}

/// Why there is no subscription, and what to do.
fn refused(arguments: &Arguments, session: &Session, reason: Reason) -> Failure {
    let topic = &arguments.topic;
    let failure =
        Failure::of_call(format!("cannot subscribe to {topic} at {}", session.queue_manager()), reason);
    let name = arguments.durable.as_deref().unwrap_or_default();
    match reason {
        Reason::SUBSCRIPTION_IN_USE => failure.next(format!(
            "another program uses {name}: ferry mqsc -e \"DISPLAY SBSTATUS('{name}')\" names its connection"
        )),
        Reason::TOPIC_NOT_ALTERABLE | Reason::SELECTOR_NOT_ALTERABLE => failure.next(format!(
            "{name} is about something else: ferry mqsc -e \"DISPLAY SUB('{name}')\" shows what, another name makes \
             another subscription"
        )),
        Reason::SUB_INHIBITED => failure.next(format!(
            "ferry mqsc -e \"DISPLAY TPSTATUS('{topic}')\" shows what holds there (SUB)"
        )),
        _ => failure,
    }
}

/// Prints publications until as many as wanted have come, or none comes any more.
fn listen(
    session: &mut Session,
    subscribed: &Subscribed,
    format: Format,
    arguments: &Arguments,
) -> std::result::Result<(), Stopped> {
    let queue = subscribed.queue.ok_or(Reason::HOBJ_ERROR)?;
    let is_terminal = io::stdout().is_terminal();
    if is_terminal {
        output::say(format!("Subscribed to {}; Ctrl-C ends.", arguments.topic));
    }
    let printer =
        get::Printer { format, describe: arguments.describe, form: arguments.raw.form(), is_terminal };
    let printer = Printer { printer, topics: arguments.topics };
    let mut listener = Listener { verbs: session.verbs(), queue, output: output::standard(), printer };
    let wait = match arguments.wait {
        None => Wait::Unlimited,
        Some(time) if time.is_zero() => Wait::No,
        Some(time) => Wait::from(time),
    };
    let wanted = arguments.count.unwrap_or(u64::MAX);
    for got in 0..wanted {
        match listener.next(wait) {
            Ok(()) => {}
            Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if arguments.count.is_none() => break,
            Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) => {
                let of = units::counted(wanted, "publication");
                let topic = &arguments.topic;
                return Err(Stopped::Line(format!("received {got} of {of} on {topic} within the wait")));
            }
            Err(stopped) => return Err(stopped),
        }
    }
    Ok(())
}

struct Listener<'a> {
    verbs: &'a mut dyn Verbs,
    queue: ObjectHandle,
    output: Output,
    printer: Printer,
}

impl Listener<'_> {
    /// Gets one, and commits it once it is written.
    fn next(&mut self, wait: Wait) -> std::result::Result<(), Stopped> {
        // The topic is a property.
        let flags = GetFlags::SYNCPOINT | GetFlags::FAIL_IF_QUIESCING | GetFlags::PROPERTIES_FORCE_MQRFH2;
        let mut options = GetOptions::with(flags, wait);
        let mut descriptor = MessageDescriptor::default();
        let got = self.verbs.get(self.queue, &mut descriptor, &mut options, MESSAGE_BYTES_MAX)?;
        self.printer.print(&mut self.output, &Message { descriptor, body: got.body })?;
        self.output.flush()?;
        Ok(self.verbs.commit()?)
    }
}

/// Prints publications in one way.
struct Printer {
    printer: get::Printer,
    topics: bool,
}

impl Printer {
    fn print(&self, output: &mut Output, publication: &Message) -> io::Result<()> {
        if self.printer.format == Format::Table && !self.topics {
            return self.printer.print(output, publication);
        }
        let apart = publication.parts(BodyForm::Apart);
        let topic = match apart.property("MQTopicString") {
            Some(PropertyValue::Text(topic)) => topic.as_str(),
            _ => "",
        };
        let parts = publication.parts(self.printer.form);
        if self.printer.format == Format::Json {
            let is_retained = apart.property("MQIsRetained") == Some(&PropertyValue::Boolean(true));
            let mut object = parts.to_json();
            object["topic"] = topic.into();
            object["retained"] = is_retained.into();
            return output::json_line(output, &object);
        }
        if self.printer.describe {
            output.write_all(parts.description().as_bytes())?;
        }
        write!(output, "{}  ", harmless(topic))?;
        parts.write_body(output, self.printer.is_terminal)
    }
}
