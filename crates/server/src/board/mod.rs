//! The board: all figures at one moment as finished bytes, made once a second while a reader asks.
//!
//! Lives here: the thread that makes them, and the hand that gives them out. `checks` judges health by them,
//! `readers` the readers that are shown a part.
//! Lives elsewhere: the rows (`figures`), readings (`monitoring`), the topics below `$SYS` (`monitoring`).
//!
//! Always: a reactor hands out bytes that are there and makes none. Figures of messages pass the gate; while
//! the log does not become durable, the last that did are given, with their time, beside checks that are new.
//! Nobody is shown the row of an object that it may not display.

mod checks;
mod interval_figures;
mod readers;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use figures::metrics::{
    Block, ChannelBlock, Check, QueueBlock, SubscriptionBlock, TopicBlock, Verdict, channel_values,
    manager_values, queue_values, subscription_values, sum_values, topic_values,
};
use figures::{Manager, Queue};
use mqi::ObjectName;
use objects::messages::FIGURES_LEFT_OUT;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::{Clock as _, Monotonic, Parker, WallTime, os::OsClock};
use queue_manager::{
    ChannelOverview, Gated, Host as _, Overview, QueueManager, ShownTopics, SubscriptionOverview,
    TopicsOverview,
};
use security::{Object, ObjectKind, Principal};

use crate::configuration::{Configuration, Health, Metrics};
use crate::control::Standings;
use crate::host::ServerHost;
use crate::monitoring::reading;
use crate::sleeping::{End, Then};
pub(crate) use checks::CHECKS;
use checks::{Channels, Facts};
use interval_figures::IntervalFigures;
use readers::{ASKED_WITHIN, Readers};

/// The time between two makings.
const INTERVAL: Duration = Duration::from_secs(1);

/// Checks that are older say nothing: what makes them hangs.
const CHECKS_WITHIN: Duration = Duration::from_secs(5);

/// The pause between two looks at the log while figures wait for it.
const LOOK_AT_GATE: Duration = Duration::from_millis(20);

/// The figures that are there, and the wish for them.
pub(crate) struct Board {
    bell: Arc<Parker>,
    /// Time of the last question, in nanoseconds of the clock that only goes on; 0 for never.
    asked: AtomicU64,
    made: Mutex<Made>,
    /// Readers that are shown a part.
    readers: Mutex<Readers>,
    /// The control process.
    pub(crate) control: Arc<Standings>,
    /// Listeners besides those that are objects.
    pub(crate) listeners: OnceLock<usize>,
}

#[derive(Default)]
struct Made {
    block: Bytes,
    checks: Option<(Monotonic, Vec<Check>)>,
}

impl Default for Board {
    fn default() -> Self {
        Self {
            bell: Parker::new(),
            asked: AtomicU64::new(0),
            made: Mutex::default(),
            readers: Mutex::default(),
            control: Arc::default(),
            listeners: OnceLock::new(),
        }
    }
}

impl Board {
    /// The bell of its thread.
    pub(crate) fn bell(&self) -> &Parker {
        &self.bell
    }

    /// The figures that a reader is shown, as bytes; none where none were made for it since it asked, and
    /// then they are made.
    pub(crate) fn block(&self, queue_manager: &QueueManager, reader: &Principal) -> Bytes {
        if queue_manager.may_display_all(reader) {
            return self.whole();
        }
        self.ask();
        let (block, is_new) = self.readers.lock().block_of(reader, OsClock.now());
        if is_new {
            self.bell.unpark();
        }
        block
    }

    /// All figures, for a reader that may see them.
    pub(crate) fn whole(&self) -> Bytes {
        self.ask();
        self.made.lock().block.clone()
    }

    /// Returns true if one check is well, or all are; nothing while they are being made.
    pub(crate) fn are_well(&self, check: Option<usize>) -> Option<bool> {
        self.ask();
        let made = self.made.lock();
        let (at, checks) = made.checks.as_ref()?;
        if OsClock.now().since(*at) > CHECKS_WITHIN {
            return None;
        }
        let is_well = |check: &Check| check.verdict != Verdict::Critical;
        Some(match check {
            Some(place) => checks.get(place).is_some_and(is_well),
            None => checks.iter().all(is_well),
        })
    }

    /// Notes that a reader wants figures. Those from before a pause are gone.
    fn ask(&self) {
        let now = OsClock.now();
        let before = self.asked.swap(now.0.max(1), Ordering::Relaxed);
        if before == 0 || now.since(Monotonic(before)) > ASKED_WITHIN {
            *self.made.lock() = Made::default();
            self.bell.unpark();
        }
    }

    fn is_wanted(&self) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        asked > 0 && OsClock.now().since(Monotonic(asked)) <= ASKED_WITHIN
    }

    /// Makes figures until the queue manager ends.
    pub(crate) fn work(
        &self,
        queue_manager: &QueueManager,
        host: &ServerHost,
        end: &End,
        settings: &Configuration,
        started: WallTime,
    ) {
        let mut maker = Maker {
            board: self,
            queue_manager,
            host,
            health: settings.health.clone(),
            metrics: settings.metrics.clone(),
            started,
            due: OsClock.now(),
            pending: None,
            shown: None,
            told: LeftOut::default(),
        };
        end.work_until(&self.bell, || {
            if self.is_wanted() {
                return maker.turn();
            }
            (maker.pending, maker.shown, maker.due) = (None, None, OsClock.now());
            *self.readers.lock() = Readers::default();
            Then::Sleeps
        });
    }
}

/// Figures of one moment, as they are shown.
struct Shown {
    block: Block,
    dead_letters: u64,
    channels: Channels,
    passed: IntervalFigures,
}

struct Maker<'a> {
    board: &'a Board,
    queue_manager: &'a QueueManager,
    host: &'a ServerHost,
    health: Health,
    metrics: Metrics,
    started: WallTime,
    /// When figures are made next.
    due: Monotonic,
    /// An overview that waits for the log, and the rest of its moment.
    pending: Option<(Gated<Overview>, Manager, WallTime)>,
    /// The last that passed the gate.
    shown: Option<Shown>,
    told: LeftOut,
}

/// Kinds of objects of which some have no series since their bound is reached.
#[derive(Clone, Copy, Debug, Default)]
struct LeftOut {
    topics: bool,
    subscriptions: bool,
}

impl Maker<'_> {
    fn turn(&mut self) -> Then {
        let now = OsClock.now();
        if now >= self.due {
            self.due = now.after(INTERVAL);
            self.make();
        }
        self.tell_readers(false);
        let Some((overview, reading, taken)) = self.pending.take() else {
            return Then::SleepsUntil(self.due);
        };
        match overview.open(self.queue_manager.durable()) {
            Ok(overview) => {
                self.show(&overview, reading, taken);
                Then::SleepsUntil(self.due)
            }
            Err(gated) => {
                self.pending = Some((gated, reading, taken));
                Then::SleepsUntil(now.after(LOOK_AT_GATE).min(self.due))
            }
        }
    }

    fn make(&mut self) {
        // Checks that are new also while the log holds the figures up.
        self.tell();
        let reading = self.read();
        self.pending = Some((self.queue_manager.figures().overview(), reading, OsClock.wall()));
    }

    /// Shows figures that passed the gate.
    fn show(&mut self, overview: &Overview, mut reading: Manager, taken: WallTime) {
        reading.units = overview.units;
        reading.process.channels_max = overview.channel_limits.current_max.into();
        reading.process.channels_active_max = overview.channel_limits.active_max.into();
        let passed = IntervalFigures::after(self.shown.take().map(|shown| shown.passed), &reading, overview);
        let block = Block {
            manager: self.queue_manager.name().to_string(),
            machine: self.host.machine(),
            taken: taken.0,
            ..block(&reading, overview, &passed, &self.metrics)
        };
        self.tell_left_out(&overview.topics);
        let dead = overview.dead_letter_queue;
        let is_dead = |(queue, _): &&(ObjectName, Queue)| Some(*queue) == dead;
        let dead_letters = overview.queues.iter().find(is_dead).map_or(0, |(_, figures)| figures.depth);
        let channels = Channels::of(&overview.channels, &self.health);
        self.shown = Some(Shown { block, dead_letters, channels, passed });
        self.tell();
    }

    /// Notes once in the error log that topics or subscriptions are left out.
    fn tell_left_out(&mut self, overview: &TopicsOverview) {
        let ShownTopics { left_out, is_full, .. } = overview.topics;
        let are_left_out = overview.subscriptions_in_all > overview.subscriptions.len();
        for (is_so, was_told, what) in [
            (left_out > 0 || is_full, &mut self.told.topics, "topics"),
            (are_left_out, &mut self.told.subscriptions, "subscriptions"),
        ] {
            if is_so && !std::mem::replace(was_told, true) {
                let (names, bound) = (format!("metrics.{what}"), format!("metrics.{what}_max"));
                self.host.errors.write(&FIGURES_LEFT_OUT, [what.to_owned(), names, bound]);
            }
        }
    }

    fn read(&self) -> Manager {
        let wanted = reading::Wanted { deliveries: true, images: false, takes_marks: false };
        let storage = self.queue_manager.log().statistics();
        let named = self.host.listeners().len();
        let process = figures::Process {
            started_micros: u64::try_from(self.started.0).unwrap_or_default(),
            connections: self.queue_manager.figures().connections() as u64,
            listeners: (named + self.board.listeners.get().copied().unwrap_or_default()) as u64,
            failed_listeners: self.host.listeners.failed() as u64,
            message_bytes: self.queue_manager.figures().memory_used(),
            spill_bytes: storage.spill_bytes,
            checkpoints: storage.checkpoints,
            refusals: self.host.errors.refusals(),
            events: self.host.errors.events(),
            ..figures::Process::default()
        };
        Manager { process, ..reading::take(self.queue_manager, self.host, wanted) }
    }

    /// Shows what passed the gate last, with checks of this moment.
    fn tell(&mut self) {
        let mut reading = reading::take_room(self.queue_manager, self.host);
        reading.units = self.shown.as_ref().map_or_else(figures::Units::default, |shown| shown.passed.units);
        let force = self.queue_manager.log().force_under_way().map(|began| OsClock.now().since(began));
        let facts = Facts {
            reading: &reading,
            bounds: &self.health,
            force,
            dead_letters: self.shown.as_ref().map_or(0, |shown| shown.dead_letters),
            channels: self.shown.as_ref().map_or_else(Channels::default, |shown| shown.channels),
            failed_listeners: self.host.listeners.failed(),
            control: self.board.control.now(),
        };
        let checks = checks::judge(&facts);
        let block = self.shown.as_mut().map_or_else(Bytes::new, |shown| {
            shown.block.checks.clone_from(&checks);
            Bytes::from(shown.block.encode())
        });
        *self.board.made.lock() = Made { block, checks: Some((OsClock.now(), checks)) };
        self.tell_readers(true);
    }

    /// Shows each reader its part: all of them what is new, or those who have nothing yet.
    fn tell_readers(&self, is_new: bool) {
        let Some(shown) = &self.shown else { return };
        let waiting = self.board.readers.lock().waiting(OsClock.now(), is_new);
        for reader in waiting {
            let part = part_of(&shown.block, |kind, name| {
                let object = match kind {
                    ObjectKind::Topic | ObjectKind::Subscription => {
                        Some(Object::texted(kind, ObjectName::BLANK, name))
                    }
                    _ => name.parse().ok().map(|name| Object::named(kind, name)),
                };
                object.is_some_and(|object| self.queue_manager.may_display(&reader, object))
            });
            self.board.readers.lock().show(&reader, Bytes::from(part.encode()));
        }
    }
}

/// The part of a block about objects that may be shown, and about the queue manager as a whole.
fn part_of(block: &Block, may_show: impl Fn(ObjectKind, &str) -> bool) -> Block {
    let mut part = block.clone();
    part.queues.retain(|queue| may_show(ObjectKind::Queue, &queue.name));
    part.channels.retain(|channel| may_show(ObjectKind::Channel, &channel.name));
    part.topics.retain(|topic| may_show(ObjectKind::Topic, &topic.name));
    part.subscriptions.retain(|subscription| may_show(ObjectKind::Subscription, &subscription.name));
    part
}

/// The block of a reading, but for its names and its checks.
fn block(reading: &Manager, overview: &Overview, passed: &IntervalFigures, metrics: &Metrics) -> Block {
    let shown = overview.queues.iter().filter(|(name, _)| metrics.queues.has(name.as_str()));
    let queues = shown.take(metrics.queues_max as usize).map(|(name, queue)| QueueBlock {
        name: name.to_string(),
        values: queue_values(queue),
        interval: passed.interval.get(name).copied().unwrap_or_default().to_vec(),
        is_transmission: queue.is_transmission,
    });
    let Overview { topics: of_topics, .. } = overview;
    let topics = of_topics.topics.topics.iter().map(|(topic, figures)| TopicBlock {
        name: topic.to_string(),
        values: topic_values(figures),
        interval: passed.topics.of(topic).to_vec(),
    });
    let subscriptions = of_topics.subscriptions.iter();
    let subscriptions = subscriptions.map(|subscription| subscription_block(subscription, passed));
    let mut sum = Queue { puts: passed.puts, gets: passed.gets, ..Queue::default() };
    for (_, queue) in &overview.queues {
        sum.depth += queue.depth;
        sum.bytes += queue.bytes;
    }
    let channels = overview.channels.iter().filter(|channel| metrics.channels.has(channel.name.as_str()));
    let channels = channels.take(metrics.channels_max as usize).map(|channel| channel_block(channel, passed));
    Block {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        description: overview.description.trim_end().to_owned(),
        interval: u64::try_from(interval_figures::INTERVAL.as_micros()).unwrap_or(u64::MAX),
        values: manager_values(reading),
        sums: sum_values(&sum),
        familiar: passed.familiar.clone(),
        queues_in_all: number(overview.queues.len()),
        queues: queues.collect(),
        channels_in_all: number(overview.channels.len()),
        channels: channels.collect(),
        topics_in_all: number(of_topics.topics.topics.len() + of_topics.topics.left_out),
        topics: topics.collect(),
        subscriptions_in_all: number(of_topics.subscriptions_in_all),
        subscriptions: subscriptions.collect(),
        ..Block::default()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn subscription_block(subscription: &SubscriptionOverview, passed: &IntervalFigures) -> SubscriptionBlock {
    let SubscriptionOverview { name, identifier, kind, topic, figures } = subscription;
    SubscriptionBlock {
        name: name.clone(),
        identifier: identifier.to_string(),
        kind: (*kind).to_owned(),
        topic: topic.clone(),
        values: subscription_values(figures),
        interval: passed.subscriptions.of(identifier).to_vec(),
    }
}

fn channel_block(channel: &ChannelOverview, passed: &IntervalFigures) -> ChannelBlock {
    let ChannelOverview { name, kind, description, partner, connection_name, cipher, figures } = channel;
    let runs = figures.running + figures.ending + figures.changing > 0;
    ChannelBlock {
        name: name.to_string(),
        kind: (*kind).to_owned(),
        description: description.clone(),
        partner: partner.clone(),
        connection_name: connection_name.clone(),
        // The agents of all channels are in one process.
        job: if runs { format!("{:08X}", std::process::id()) } else { String::new() },
        cipher: cipher.clone(),
        values: channel_values(figures),
        interval: passed.channels.of(name).to_vec(),
    }
}
