//! The topics below `$SYS/MQ/INFO/QMGR`: the work of the machine, the disk and the queue manager, published
//! to subscribers.
//!
//! Lives here: the thread that publishes, readings of machine and queue manager (`reading`), and the bodies
//! in binary form (`bodies`).
//! Lives elsewhere: the rows, one for each figure (`figures`); counting of calls (`queue-manager`,
//! `accounting`), only while there is a subscription to it.
//!
//! Retained publications below `…/Monitor/METADATA`, published at each start, list the subscriptions to make:
//! classes, the types of each class, the elements of each type. At every interval the monitor looks for
//! subscribed figures. It publishes them for the interval that is over, provided that they were subscribed at
//! its beginning.
//!
//! Always: without subscribers nothing is counted, measured or published.

mod bodies;
pub(crate) mod reading;
mod topics;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bytes::Bytes;
use figures::{CLASSES, Class, Counting, Elements, Manager, Queue, Type};
use mqi::constants::MQFMT_ADMIN;
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectName, Persistence, PutFlags, PutOptions, Reason, Text, Verbs,
};
use platform::{Clock as _, os::OsClock};
use queue_manager::{Part, QueueManager};

use crate::embedded::Connection;
use crate::host::ServerHost;
use crate::sleeping::{End, Then};
pub(crate) use reading::resident_bytes;
use topics::{elements_topic, figures_topic, types_topic};

/// Publishes every so often until the queue manager ends.
///
/// Publishes figures. With `always_counts` calls are counted even without subscribers: another reader reports
/// them.
pub(crate) fn publish(
    queue_manager: &QueueManager,
    host: &ServerHost,
    end: &End,
    interval: Duration,
    always_counts: bool,
) {
    let mut monitor = Monitor { queue_manager, host, always_counts, is_described: false, begun: None };
    end.work_until(&host.monitor_bell, || {
        // What the queue manager refuses now is tried again at the next turn: metadata until they are
        // retained, figures as new ones.
        if !monitor.is_described {
            monitor.is_described = monitor.tell_metadata().is_ok();
        }
        let _ = monitor.tell_figures();
        Then::SleepsUntil(OsClock.now().after(interval))
    });
}

struct Monitor<'a> {
    queue_manager: &'a QueueManager,
    host: &'a ServerHost,
    always_counts: bool,
    /// True if the catalogue of subscriptions is retained.
    is_described: bool,
    /// The beginning of the interval, if it had subscribers then.
    begun: Option<Begun>,
}

/// Readings at the beginning of an interval.
struct Begun {
    reading: Manager,
    /// Queues that are counted since.
    queues: BTreeMap<ObjectName, Queue>,
    /// The topics of what is counted and read since.
    topics: BTreeSet<String>,
}

impl Monitor<'_> {
    /// Where everything of this queue manager is.
    fn root(&self) -> String {
        format!("$SYS/MQ/INFO/QMGR/{}/Monitor", self.queue_manager.name())
    }

    fn connect(&self) -> Result<Connection, Reason> {
        let monitor = ("resource monitor", Part::ResourceMonitor);
        Connection::connect_own(self.queue_manager, &self.host.waiting, monitor)
    }

    /// Retains what there is to subscribe to.
    fn tell_metadata(&self) -> Result<(), Reason> {
        let mut verbs = self.connect()?;
        let root = self.root();
        let told = self.tell_classes(&mut verbs, &root);
        verbs.disconnect()?;
        told
    }

    fn tell_classes(&self, verbs: &mut Connection, root: &str) -> Result<(), Reason> {
        retain(verbs, &format!("{root}/METADATA/CLASSES"), bodies::classes(root))?;
        for (number, class) in CLASSES.iter().enumerate() {
            retain(verbs, &types_topic(root, class), bodies::types(root, number, class))?;
            for (kind, of) in class.types.iter().enumerate() {
                let body = bodies::elements(root, (number, class), (kind, of));
                retain(verbs, &elements_topic(root, class, of), body)?;
            }
        }
        Ok(())
    }

    /// Publishes the figures of the interval that is over, and begins the next.
    fn tell_figures(&mut self) -> Result<(), Reason> {
        let wanted = wanted(self.queue_manager, &self.root());
        let counts_calls = wanted.iter().any(|wanted| wanted.class.counting == Counting::Calls);
        self.queue_manager.figures().watch_calls(counts_calls || self.always_counts);
        let queues: BTreeSet<ObjectName> = wanted.iter().filter_map(|wanted| wanted.queue).collect();
        self.queue_manager.figures().watch_queues(&queues);
        let begun = self.begun.take();
        if wanted.is_empty() {
            return Ok(());
        }
        let is_wanted = |class: &str, of: &str| {
            wanted.iter().any(|wanted| wanted.class.name == class && wanted.of.name == of)
        };
        let costly = reading::Wanted {
            deliveries: is_wanted("STATMQI", "PUBLISH"),
            images: is_wanted("DISK", "Log"),
            takes_marks: true,
        };
        let reading = reading::take(self.queue_manager, self.host, costly);
        let topics = wanted.iter().map(|wanted| wanted.topic.clone()).collect();
        let now = Begun { reading, queues: self.queue_manager.figures().queue_figures(&queues), topics };
        let told = begun.map_or(Ok(()), |before| self.tell(&wanted, &before, &now));
        self.begun = Some(now);
        told
    }

    fn tell(&self, wanted: &[Wanted], before: &Begun, now: &Begun) -> Result<(), Reason> {
        let mut verbs = self.connect()?;
        let micros = now.reading.micros.saturating_sub(before.reading.micros);
        let micros = i64::try_from(micros).unwrap_or(i64::MAX);
        let manager = self.queue_manager.name();
        let known = wanted.iter().filter(|wanted| before.topics.contains(&wanted.topic));
        for Wanted { topic, number, kind, of, queue, .. } in known {
            let Some(figures) = figures(of, queue.as_ref(), before, now) else { continue };
            let body = bodies::figures(manager.as_str(), *queue, (*number, *kind), micros, &figures);
            put(&mut verbs, topic, body, PutFlags::NO_SYNCPOINT)?;
        }
        verbs.disconnect()
    }
}

/// The figures of a type in the order of its elements; none of a queue that was not counted at the beginning.
fn figures(of: &Type, queue: Option<&ObjectName>, before: &Begun, now: &Begun) -> Option<Vec<i64>> {
    match of.elements {
        Elements::OfManager(rows) => {
            let (before, now) = (&before.reading, &now.reading);
            Some(rows.iter().map(|row| row.source.value(before, now)).collect())
        }
        Elements::OfQueue(rows) => {
            let (before, now) = (before.queues.get(queue?)?, now.queues.get(queue?)?);
            Some(rows.iter().map(|row| row.source.value(before, now)).collect())
        }
    }
}

/// Figures that are subscribed to.
struct Wanted {
    topic: String,
    class: &'static Class,
    number: usize,
    kind: usize,
    of: &'static Type,
    queue: Option<ObjectName>,
}

fn wanted(queue_manager: &QueueManager, root: &str) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    let queues = queue_manager.figures().queue_names();
    for (number, class) in CLASSES.iter().enumerate() {
        for (kind, of) in class.types.iter().enumerate() {
            let mut ask = |queue: Option<ObjectName>| {
                let name = queue.as_ref().map(ObjectName::as_str);
                let topic = figures_topic(root, class, name, of);
                if queue_manager.figures().is_subscribed(&topic) {
                    wanted.push(Wanted { topic, class, number, kind, of, queue });
                }
            };
            match class.counting {
                Counting::None | Counting::Calls => ask(None),
                Counting::Queue => queues.iter().for_each(|name| ask(Some(*name))),
            }
        }
    }
    wanted
}

fn retain(verbs: &mut Connection, topic: &str, body: Vec<u8>) -> Result<(), Reason> {
    put(verbs, topic, body, PutFlags::NO_SYNCPOINT | PutFlags::RETAIN)
}

fn put(verbs: &mut Connection, topic: &str, body: Vec<u8>, flags: PutFlags) -> Result<(), Reason> {
    let mut descriptor = MessageDescriptor {
        format: Text::from_padded(MQFMT_ADMIN.as_bytes()),
        coded_character_set: 1208,
        persistence: Persistence::NotPersistent,
        ..MessageDescriptor::default()
    };
    let mut options = PutOptions::with(flags);
    verbs.put1(&ObjectDescriptor::topic(topic), &mut descriptor, &mut options, Bytes::from(body))
}
