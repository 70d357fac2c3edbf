//! The text of a page: OpenMetrics, or the older text form (0.0.4).
//!
//! Always: a family stands once, its samples behind it; values of labels are escaped, for any name.

use std::fmt::Write as _;

use super::block::{Block, ChannelBlock, QueueBlock, SubscriptionBlock, TopicBlock};
use super::familiar::FAMILIAR;
use super::family::{Family, Kind, Scale, Series};
use super::rows::{CHANNEL, MANAGER, QUEUE, QUEUES, SUBSCRIPTION, TOPIC};

/// The form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text 0.0.4.
    Text,
    /// OpenMetrics 1.0.0.
    OpenMetrics,
}

/// The names on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// The names of FerryMQ.
    Own,
    /// The names that dashboards of other exporters ask for.
    Familiar,
}

/// A label with its value.
pub type Label<'a> = (&'a str, &'a str);

/// Writes families one after another.
pub struct Printer {
    out: String,
    form: Form,
    prefix: &'static str,
}

impl Printer {
    /// A page without families.
    #[must_use]
    pub fn new(form: Form, names: Names) -> Self {
        let prefix = match names {
            Names::Own => "ferry_",
            Names::Familiar => "ibmmq_",
        };
        Self { out: String::new(), form, prefix }
    }

    /// Begins a family.
    pub fn family(&mut self, name: &str, kind: Kind, help: &str) {
        let (prefix, kind_word) = (self.prefix, kind.word());
        let behind = if self.form == Form::Text { self.behind(kind) } else { "" };
        // Writing to a String does not fail.
        let _ = writeln!(self.out, "# HELP {prefix}{name}{behind} {help}");
        let _ = writeln!(self.out, "# TYPE {prefix}{name}{behind} {kind_word}");
    }

    /// The end of the name of a counter; familiar names are as they are.
    fn behind(&self, kind: Kind) -> &'static str {
        if kind == Kind::Counter && self.prefix == "ferry_" { "_total" } else { "" }
    }

    /// A sample of the family that was begun last.
    pub fn sample(&mut self, (name, kind, suffix): (&str, Kind, &str), labels: &[Label<'_>], value: f64) {
        let behind = self.behind(kind);
        let _ = write!(self.out, "{}{name}{suffix}{behind}", self.prefix);
        let mut open = '{';
        for (label, value) in labels {
            let _ = write!(self.out, "{open}{label}=\"");
            escape(&mut self.out, value);
            self.out.push('"');
            open = ',';
        }
        if open == ',' {
            self.out.push('}');
        }
        let _ = writeln!(self.out, " {value}");
    }

    /// A family of one sample.
    pub fn one(&mut self, name: &str, kind: Kind, help: &str, labels: &[Label<'_>], value: f64) {
        self.family(name, kind, help);
        self.sample((name, kind, ""), labels, value);
    }

    /// The page.
    #[must_use]
    pub fn finish(mut self) -> String {
        if self.form == Form::OpenMetrics {
            self.out.push_str("# EOF\n");
        }
        self.out
    }

    /// The families of some rows: `of` has the labels and the values of each object.
    fn families<R>(&mut self, rows: &[Family<R>], of: &[(Vec<Label<'_>>, &[u64])]) {
        let mut first = 0;
        for family in rows {
            if !of.is_empty() {
                self.family(family.name, family.kind, family.help);
            }
            for (labels, values) in of {
                let values = values.get(first..).unwrap_or_default();
                for (series, value) in family.series.iter().zip(values) {
                    self.series(family, series, labels, *value);
                }
            }
            first += family.series.len();
        }
    }

    fn series<R>(&mut self, family: &Family<R>, series: &Series<R>, labels: &[Label<'_>], value: u64) {
        let labels: Vec<Label<'_>> = labels.iter().chain(series.labels).copied().collect();
        self.sample((family.name, family.kind, series.suffix), &labels, series.scale.shown(value));
    }
}

impl Kind {
    const fn word(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

fn escape(out: &mut String, value: &str) {
    for letter in value.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
}

/// Writes a block under these names; `now` is the time in microseconds since 1970.
pub fn print(printer: &mut Printer, block: &Block, names: Names, now: i64) {
    match names {
        Names::Own => print_own(printer, block, now),
        Names::Familiar => print_familiar(printer, block, now),
    }
}

fn print_own(printer: &mut Printer, block: &Block, now: i64) {
    let manager = ("qmgr", block.manager.as_str());
    let only = |values| vec![(vec![manager], values)];
    printer.one("up", Kind::Gauge, "1 while the queue manager answers.", &[manager], 1.0);
    let version = ("version", block.version.as_str());
    printer.one("build_info", Kind::Gauge, "The release, as a label.", &[manager, version], 1.0);
    let age = seconds(now.saturating_sub(block.taken));
    printer.one("figures_age_seconds", Kind::Gauge, "Age of the figures.", &[manager], age);
    printer.families(MANAGER, &only(block.values.as_slice()));
    printer.families(QUEUES, &only(block.sums.as_slice()));
    let all = f64::from(block.queues_in_all);
    printer.one("queues", Kind::Gauge, "Local queues.", &[manager], all);
    let not_shown = all - count(block.queues.len());
    let help = "Local queues without series of their own: metrics.queues and metrics.queues_max choose them.";
    printer.one("queues_not_shown", Kind::Gauge, help, &[manager], not_shown);
    let queues: Vec<(Vec<Label<'_>>, &[u64])> = block
        .queues
        .iter()
        .map(|queue| (vec![manager, ("queue", queue.name.as_str())], queue.values.as_slice()))
        .collect();
    printer.families(QUEUE, &queues);
    let all = f64::from(block.channels_in_all);
    printer.one("channels", Kind::Gauge, "Channels that are defined.", &[manager], all);
    let not_shown = all - count(block.channels.len());
    let help = "Channels without series of their own: metrics.channels and metrics.channels_max choose them.";
    printer.one("channels_not_shown", Kind::Gauge, help, &[manager], not_shown);
    let channels: Vec<(Vec<Label<'_>>, &[u64])> = block
        .channels
        .iter()
        .map(|channel| {
            let labels = vec![manager, ("channel", channel.name.as_str()), ("type", channel.kind.as_str())];
            (labels, channel.values.as_slice())
        })
        .collect();
    printer.families(CHANNEL, &channels);
    print_topics(printer, block, manager);
    if !block.checks.is_empty() {
        printer.family("check", Kind::Gauge, "Checks of health: 0 well, 1 warning, 2 critical.");
    }
    for check in &block.checks {
        let labels = [manager, ("check", check.name.as_str())];
        printer.sample(("check", Kind::Gauge, ""), &labels, f64::from(check.verdict.number()));
    }
}

fn print_topics(printer: &mut Printer, block: &Block, manager: Label<'_>) {
    let not_shown = f64::from(block.topics_in_all) - count(block.topics.len());
    let help = "Topics of metrics.topics in use without series of their own, beyond metrics.topics_max.";
    printer.one("topics_not_shown", Kind::Gauge, help, &[manager], not_shown);
    let topics: Vec<(Vec<Label<'_>>, &[u64])> = block
        .topics
        .iter()
        .map(|topic| (vec![manager, ("topic", topic.name.as_str())], topic.values.as_slice()))
        .collect();
    printer.families(TOPIC, &topics);
    let not_shown = f64::from(block.subscriptions_in_all) - count(block.subscriptions.len());
    let help = "Subscriptions of metrics.subscriptions without series, beyond metrics.subscriptions_max.";
    printer.one("subscriptions_not_shown", Kind::Gauge, help, &[manager], not_shown);
    let subscriptions: Vec<(Vec<Label<'_>>, &[u64])> = block
        .subscriptions
        .iter()
        .map(|subscription| {
            let SubscriptionBlock { name, kind, topic, values, .. } = subscription;
            let labels =
                vec![manager, ("subscription", name.as_str()), ("topic", topic), ("type", kind.as_str())];
            (labels, values.as_slice())
        })
        .collect();
    printer.families(SUBSCRIPTION, &subscriptions);
}

fn print_familiar(printer: &mut Printer, block: &Block, now: i64) {
    let named = [("qmgr", block.manager.as_str()), ("platform", "UNIX")];
    let described = [
        named[0],
        named[1],
        ("description", block.description.as_str()),
        ("hostname", block.machine.as_str()),
    ];
    let own = |name: &str| own_value(block, name).unwrap_or_default();
    let uptime = seconds(now) - own("start_time_seconds");
    for (name, help, value) in [
        ("qmgr_status", "2 while the queue manager runs.", 2.0),
        ("qmgr_uptime", "Seconds since the start.", uptime.floor()),
        ("qmgr_connection_count", "Connections of programs.", own("connections")),
        ("qmgr_active_listeners", "Listeners that accept programs.", own("listeners")),
        ("qmgr_channel_initiator_status", "2: channels are run by the queue manager itself.", 2.0),
        ("qmgr_command_server_status", "2: commands are taken.", 2.0),
        ("qmgr_max_channels", "Most channels that may be current.", own("channels_max")),
        (
            "qmgr_max_active_channels",
            "Most channels that may run.",
            value_of(MANAGER, &block.values, "channels_max", 1).unwrap_or_default(),
        ),
        ("qmgr_exporter_publications", "Publications that the figures needed: none.", 0.0),
    ] {
        printer.one(name, Kind::Gauge, help, &described, value);
    }
    for (familiar, value) in FAMILIAR.iter().zip(&block.familiar) {
        let name = format!("qmgr_{}", familiar.name);
        let value = count_of(*value) * count_of(familiar.times) / count_of(familiar.divisor);
        printer.one(&name, Kind::Gauge, "As below $SYS/MQ, for the last ten seconds.", &described, value);
    }
    for (name, help, value) in FAMILIAR_OF_QUEUES {
        if !block.queues.is_empty() {
            printer.family(name, Kind::Gauge, help);
        }
        for queue in &block.queues {
            let labels = [
                named[0],
                named[1],
                ("queue", queue.name.as_str()),
                ("usage", if queue.is_transmission { "XMITQ" } else { "NORMAL" }),
                ("cluster", "-"),
                ("description", "-"),
            ];
            printer.sample((name, Kind::Gauge, ""), &labels, value(queue, now));
        }
    }
    print_familiar_channels(printer, block, named, now);
    print_familiar_topics(printer, block, named, now);
}

fn print_familiar_channels(printer: &mut Printer, block: &Block, named: [Label<'_>; 2], now: i64) {
    fn known(text: &str) -> &str {
        if text.is_empty() { "-" } else { text }
    }
    for (name, help, value) in FAMILIAR_OF_CHANNELS {
        if !block.channels.is_empty() {
            printer.family(name, Kind::Gauge, help);
        }
        for channel in &block.channels {
            let labels = [
                named[0],
                named[1],
                ("channel", channel.name.as_str()),
                ("type", channel.kind.as_str()),
                ("rqmname", known(&channel.partner)),
                ("connname", known(&channel.connection_name)),
                ("jobname", known(&channel.job)),
                ("sslciph", known(&channel.cipher)),
                ("description", known(&channel.description)),
            ];
            printer.sample((name, Kind::Gauge, ""), &labels, value(channel, now));
        }
    }
}

/// A name of each channel, its meaning, and its value at a time.
type OfChannel = (&'static str, &'static str, fn(&ChannelBlock, i64) -> f64);

static FAMILIAR_OF_CHANNELS: [OfChannel; 18] = [
    ("channel_status", "The number of its status.", |channel, _| status_of(channel).0),
    ("channel_status_squash", "0 not running, 1 in between, 2 running.", |channel, _| status_of(channel).1),
    ("channel_cur_inst", "Instances.", |channel, _| {
        [0, 1, 5].into_iter().map(|place| of_channel(channel, "channel_status", place)).sum()
    }),
    ("channel_attribute_max_inst", "MAXINST.", |channel, _| of_channel(channel, "channel_instances_max", 0)),
    ("channel_attribute_max_instc", "MAXINSTC.", |channel, _| {
        of_channel(channel, "channel_instances_max", 1)
    }),
    ("channel_messages", "Messages, or calls of clients, in the last ten seconds.", |channel, _| {
        of_interval(channel, 0)
    }),
    ("channel_bytes_sent", "Bytes sent in the last ten seconds.", |channel, _| of_interval(channel, 1)),
    ("channel_bytes_rcvd", "Bytes received in the last ten seconds.", |channel, _| of_interval(channel, 2)),
    ("channel_buffers_sent", "Writes in the last ten seconds.", |channel, _| of_interval(channel, 3)),
    ("channel_buffers_rcvd", "Reads in the last ten seconds.", |channel, _| of_interval(channel, 4)),
    ("channel_batches", "Batches in the last ten seconds.", |channel, _| of_interval(channel, 5)),
    ("channel_batchsz_short", "Messages of a batch.", |channel, _| {
        of_channel(channel, "channel_batch_messages", 0)
    }),
    ("channel_batchsz_long", "Messages of a batch.", |channel, _| {
        of_channel(channel, "channel_batch_messages", 1)
    }),
    ("channel_nettime_short", "Microseconds.", |channel, _| micros_of(channel, "channel_net_seconds", 0)),
    ("channel_nettime_long", "Microseconds.", |channel, _| micros_of(channel, "channel_net_seconds", 1)),
    ("channel_xmitq_time_short", "Microseconds.", |channel, _| micros_of(channel, "channel_wait_seconds", 0)),
    ("channel_xmitq_time_long", "Microseconds.", |channel, _| micros_of(channel, "channel_wait_seconds", 1)),
    ("channel_time_since_msg", "Seconds since the last message.", |channel, now| {
        since(of_channel(channel, "channel_last_message_seconds", 0), now)
    }),
];

/// The number of the status that tells most, as the family counts, and its part of running.
fn status_of(channel: &ChannelBlock) -> (f64, f64) {
    let has = |place| of_channel(channel, "channel_status", place) > 0.0;
    match () {
        // RUNNING, STOPPING, RETRYING, STOPPED, BINDING, INACTIVE.
        () if has(0) => (3.0, 2.0),
        () if has(1) => (4.0, 1.0),
        () if has(2) => (5.0, 1.0),
        () if has(3) => (6.0, 0.0),
        () if has(5) => (1.0, 1.0),
        () => (0.0, 0.0),
    }
}

fn of_channel(channel: &ChannelBlock, name: &str, place: usize) -> f64 {
    value_of(CHANNEL, &channel.values, name, place).unwrap_or_default()
}

fn of_interval(channel: &ChannelBlock, place: usize) -> f64 {
    value_at(&channel.interval, place)
}

fn value_at(interval: &[u64], place: usize) -> f64 {
    interval.get(place).map_or(0.0, |value| count_of(*value))
}

fn micros_of(channel: &ChannelBlock, name: &str, place: usize) -> f64 {
    (of_channel(channel, name, place) * 1e6).round()
}

fn print_familiar_topics(printer: &mut Printer, block: &Block, named: [Label<'_>; 2], now: i64) {
    for (name, kind, help, value) in FAMILIAR_OF_TOPICS {
        if !block.topics.is_empty() {
            printer.family(name, Kind::Gauge, help);
        }
        for topic in &block.topics {
            let labels = [named[0], named[1], ("topic", topic.name.as_str()), ("type", kind)];
            printer.sample((name, Kind::Gauge, ""), &labels, value(topic, now));
        }
    }
    for (name, help, value) in FAMILIAR_OF_SUBSCRIPTIONS {
        if !block.subscriptions.is_empty() {
            printer.family(name, Kind::Gauge, help);
        }
        for subscription in &block.subscriptions {
            let labels = [
                named[0],
                named[1],
                ("subscription", subscription.name.as_str()),
                ("subid", subscription.identifier.as_str()),
                ("topic", subscription.topic.as_str()),
                ("type", subscription.kind.as_str()),
            ];
            printer.sample((name, Kind::Gauge, ""), &labels, value(subscription, now));
        }
    }
}

/// A name of each topic, the type of status that it is of, its meaning, and its value at a time.
type OfTopic = (&'static str, &'static str, &'static str, fn(&TopicBlock, i64) -> f64);

static FAMILIAR_OF_TOPICS: [OfTopic; 6] = [
    ("topic_publisher_count", "status", "Handles that publish to the topic.", |topic, _| {
        of_topic(topic, "topic_publishers", 0)
    }),
    ("topic_subscriber_count", "status", "Subscriptions with the topic string.", |topic, _| {
        of_topic(topic, "topic_subscribers", 0)
    }),
    ("topic_messages_published", "pub", "Publications in the last ten seconds.", |topic, _| {
        value_at(&topic.interval, 0)
    }),
    ("topic_time_since_msg_published", "pub", "Seconds since the last publication.", |topic, now| {
        since(of_topic(topic, "topic_last_message_seconds", 0), now)
    }),
    ("topic_messages_received", "sub", "Publications received in the last ten seconds.", |topic, _| {
        value_at(&topic.interval, 1)
    }),
    ("topic_time_since_msg_received", "sub", "Seconds since the last was received.", |topic, now| {
        since(of_topic(topic, "topic_last_message_seconds", 1), now)
    }),
];

/// A name of each subscription, its meaning, and its value at a time.
type OfSubscription = (&'static str, &'static str, fn(&SubscriptionBlock, i64) -> f64);

/// The first is spelt as other exporters spell it.
static FAMILIAR_OF_SUBSCRIPTIONS: [OfSubscription; 2] = [
    (
        "subscription_messsages_received",
        "Publications received in the last ten seconds.",
        |subscription, _| value_at(&subscription.interval, 0),
    ),
    (
        "subscription_time_since_message_published",
        "Seconds since the last was received.",
        |subscription, now| {
            let last = value_of(SUBSCRIPTION, &subscription.values, "subscription_last_message_seconds", 0);
            since(last.unwrap_or_default(), now)
        },
    ),
];

fn of_topic(topic: &TopicBlock, name: &str, place: usize) -> f64 {
    value_of(TOPIC, &topic.values, name, place).unwrap_or_default()
}

/// A name of each queue, its meaning, and its value at a time.
type OfQueue = (&'static str, &'static str, fn(&QueueBlock, i64) -> f64);

static FAMILIAR_OF_QUEUES: [OfQueue; 14] = [
    ("queue_depth", "Messages on the queue.", |queue, _| own_of(queue, "queue_depth", 0)),
    ("queue_attribute_max_depth", "MAXDEPTH.", |queue, _| own_of(queue, "queue_depth_max", 0)),
    ("queue_qfile_current_size", "Megabytes of the messages.", |queue, _| megabytes(queue)),
    ("queue_qfile_max_size", "Megabytes at MAXDEPTH, if messages stay as long as they are.", |queue, _| {
        let (depth, most) = (own_of(queue, "queue_depth", 0), own_of(queue, "queue_depth_max", 0));
        if depth > 0.0 { (megabytes(queue) * most / depth).max(1.0) } else { 1.0 }
    }),
    ("queue_uncommitted_messages", "Messages of open units of work.", |queue, _| {
        own_of(queue, "queue_uncommitted", 0)
    }),
    ("queue_oldest_message_age", "Seconds.", |queue, _| own_of(queue, "queue_oldest_seconds", 0)),
    ("queue_input_handles", "Handles for input.", |queue, _| own_of(queue, "queue_handles", 0)),
    ("queue_output_handles", "Handles for output.", |queue, _| own_of(queue, "queue_handles", 1)),
    ("queue_mqput_mqput1_count", "Messages put in the last ten seconds.", |queue, _| in_interval(queue, 0)),
    ("queue_mqget_count", "Messages got in the last ten seconds.", |queue, _| in_interval(queue, 1)),
    ("queue_qtime_short", "Mean microseconds on the queue.", |queue, _| in_interval(queue, 2)),
    ("queue_qtime_long", "Mean microseconds on the queue.", |queue, _| in_interval(queue, 2)),
    ("queue_time_since_put", "Seconds since the last put.", |queue, now| {
        since(own_of(queue, "queue_last_put_seconds", 0), now)
    }),
    ("queue_time_since_get", "Seconds since the last get.", |queue, now| {
        since(own_of(queue, "queue_last_get_seconds", 0), now)
    }),
];

fn in_interval(queue: &QueueBlock, place: usize) -> f64 {
    value_at(&queue.interval, place)
}

fn megabytes(queue: &QueueBlock) -> f64 {
    own_of(queue, "queue_bytes", 0) / count_of(1 << 20)
}

/// Seconds since a moment; 0 before the first.
fn since(last: f64, now: i64) -> f64 {
    if last > 0.0 { (seconds(now) - last).max(0.0).floor() } else { 0.0 }
}

/// The value of a series of a queue, by the name of its family and its place there.
fn own_of(queue: &QueueBlock, name: &str, place: usize) -> f64 {
    value_of(QUEUE, &queue.values, name, place).unwrap_or_default()
}

fn own_value(block: &Block, name: &str) -> Option<f64> {
    value_of(MANAGER, &block.values, name, 0)
}

fn value_of<R>(rows: &[Family<R>], values: &[u64], name: &str, place: usize) -> Option<f64> {
    let first: usize = rows.iter().take_while(|family| family.name != name).map(|row| row.series.len()).sum();
    let family = rows.iter().find(|family| family.name == name)?;
    Some(family.series.get(place)?.scale.shown(*values.get(first + place)?))
}

fn seconds(micros: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "monitoring systems count in floating point")]
    let micros = micros as f64;
    micros / 1e6
}

fn count_of(value: u64) -> f64 {
    Scale::One.shown(value)
}

fn count(value: usize) -> f64 {
    count_of(value as u64)
}
