//! `ferry sub`: publications to standard output, as they come.
//!
//! Lives elsewhere: taking the publications in units of work (`taking`).
//!
//! Always: a subscription without a name ends with the command, one with a name stays, and what is published
//! meanwhile comes the next time.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::Duration;

use clap::Args;
use mqi::properties::PropertyValue;
use mqi::{
    CloseOptions, GetFlags, MessageDescriptor, Reason, SubscribeOptions, Subscribed, SubscriptionDescriptor,
    Wait,
};

use super::get::{self, Condition};
use super::publish::{topic, warn_of_other_wildcards};
use super::stopped::Stopped;
use super::taking::{Taken, Taker, unread};
use crate::message::{BodyForm, Message, RawArgument};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::output::{self, Format, Output, harmless, in_shell};
use terminal::units;

/// Subscribes to a topic.
#[derive(Debug, Args)]
pub(crate) struct SubscribeArguments {
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
    #[command(flatten)]
    condition: Condition,
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

impl SubscribeArguments {
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
            selection_string: self.condition.condition.clone(),
            ..SubscriptionDescriptor::to(topic(&self.topic)?, options)
        })
    }
}

/// Subscribes and prints.
pub(crate) fn run(common: &Common, arguments: &SubscribeArguments) -> Result<()> {
    let descriptor = arguments.descriptor()?;
    warn_of_other_wildcards(&arguments.topic);
    let mut session = connect::session(common)?;
    let subscribed = session.verbs().subscribe(&descriptor, None);
    let subscribed = subscribed.map_err(|reason| refused(arguments, &session, reason))?;
    let subscription = format!("{} at {}", arguments.topic, session.queue_manager());
    listen(&mut session, &subscribed, common.output, arguments, &subscription)?;
    let closing = if arguments.remove { CloseOptions::REMOVE_SUB } else { CloseOptions::EMPTY };
    session.verbs().close(subscribed.subscription, closing).map_err(|reason| {
        Failure::of_call(format!("cannot end the subscription to {subscription}"), reason)
    })?;
    session.disconnect()
}

/// Why there is no subscription, and what to do.
fn refused(arguments: &SubscribeArguments, session: &Session, reason: Reason) -> Failure {
    let topic = &arguments.topic;
    let failure =
        Failure::of_call(format!("cannot subscribe to {topic} at {}", session.queue_manager()), reason);
    let name = arguments.durable.as_deref().unwrap_or_default();
    match reason {
        Reason::SUBSCRIPTION_IN_USE => failure.next(next_step!(
            "another program uses {name}: ferry mqsc -e \"DISPLAY SBSTATUS('{name}')\" names its connection"
        )),
        Reason::TOPIC_NOT_ALTERABLE | Reason::SELECTOR_NOT_ALTERABLE => failure.next(next_step!(
            "{name} is about something else: ferry mqsc -e \"DISPLAY SUB('{name}')\" shows what, another name makes \
             another subscription"
        )),
        Reason::SUB_INHIBITED => failure.next(next_step!(
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
    arguments: &SubscribeArguments,
    subscription: &str,
) -> Result<()> {
    let refused = |reason| Failure::of_call(format!("cannot get publications of {subscription}"), reason);
    let queue = subscribed.queue.ok_or_else(|| refused(Reason::HOBJ_ERROR))?;
    let is_terminal = io::stdout().is_terminal();
    if is_terminal {
        output::say(format!("Subscribed to {}; Ctrl-C ends.", arguments.topic));
    }
    let printer =
        get::Printer { format, describe: arguments.describe, form: arguments.raw.form(), is_terminal };
    let printer = Printer { printer, topics: arguments.topics };
    let wait = match arguments.wait {
        None => Wait::Unlimited,
        Some(time) if time.is_zero() => Wait::No,
        Some(time) => Wait::from(time),
    };
    let wanted = arguments.count.unwrap_or(u64::MAX);
    let mut taker = Taker {
        verbs: session.verbs(),
        handle: queue,
        pattern: MessageDescriptor::default(),
        // The topic is a property.
        flags: GetFlags::FAIL_IF_QUIESCING | GetFlags::PROPERTIES_FORCE_MQRFH2,
        print: &|output, publication| printer.print(output, publication),
        output: output::standard(),
        progress: None,
        taken: Taken::default(),
    };
    let outcome = taker.take(wanted, wait);
    let Taken { got, committed } = taker.taken;
    match outcome {
        Ok(()) => Ok(()),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if arguments.count.is_none() => Ok(()),
        Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) => {
            let of = units::counted(wanted, "publication");
            let topic = &arguments.topic;
            let what = format!("received {got} of {of} on {topic} within the wait");
            Err(Failure::new(Exit::TimedOut, what).next(next_step!(
                "ferry pub {topic} TEXT publishes; ferry topic tree shows who publishes where"
            )))
        }
        Err(Stopped::Reason(reason)) => Err(refused(reason)),
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            let topic = in_shell(&arguments.topic);
            let again = next_step!("ferry sub {topic} -n 2 takes two and no more");
            Err(unread(committed, "publication", subscription, again))
        }
        Err(Stopped::Output(error)) => Err(error.into()),
        Err(Stopped::Line(what)) => Err(Failure::new(Exit::Failed, what)),
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
