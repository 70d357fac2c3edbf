//! The topics below `$SYS/MQ/INFO/QMGR`: what the machine, the disk and the queue manager do, told to who subscribes.
//!
//! Lives here: the thread that publishes. What there is to be told is in `classes`, as rows; how it is measured in `reading`; the
//! bodies, in binary form, in `bodies`.
//! Lives elsewhere: counting of calls (`queue-manager`, `accounting`), which goes on only while somebody subscribes to it.
//!
//! What can be subscribed to is told by retained publications below `…/Monitor/METADATA`, published at each start: classes, the types
//! of each class, the elements of each type. At every interval it is looked which figures somebody subscribes to. Those are published
//! for the interval that is over, provided that it was known at its beginning that they would be wanted.
//!
//! Always: while nobody subscribes nothing is counted, measured or published.

mod bodies;
mod classes;
pub(crate) mod reading;

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use mqi::constants::MQFMT_ADMIN;
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectName, Persistence, PutFlags, PutOptions, Reason, Text, Verbs,
};
use platform::{Clock as _, os::OsClock};
use queue_manager::{QueueCounters, QueueManager};

use crate::embedded::Connection;
use crate::host::ServerHost;
use crate::sleeping::{End, Then};
use classes::{CLASSES, Class, Told, Type};
pub(crate) use reading::resident_bytes;
use reading::{OfQueue, Reading};

/// Publishes every so often until the queue manager ends.
pub(crate) fn publish(queue_manager: &QueueManager, host: &ServerHost, end: &End, interval: Duration) {
    let mut monitor = Monitor { queue_manager, host, is_described: false, begun: None };
    end.work_until(&host.monitor_bell, || {
        // What the queue manager refuses now is tried again at the next turn: metadata until they are retained, figures as new ones.
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
    /// Whether what there is to subscribe to is retained.
    is_described: bool,
    /// The beginning of the interval, if somebody subscribed then.
    begun: Option<Begun>,
}

/// What was read at the beginning of an interval.
struct Begun {
    reading: Reading,
    queues: BTreeMap<ObjectName, QueueCounters>,
    /// Whether calls are counted since.
    counts_calls: bool,
}

impl Monitor<'_> {
    /// Where everything of this queue manager is.
    fn root(&self) -> String {
        format!("$SYS/MQ/INFO/QMGR/{}/Monitor", self.queue_manager.name())
    }

    fn connect(&self) -> Result<Connection, Reason> {
        Connection::connect_own(self.queue_manager, &self.host.waiting, "resource monitor")
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
            retain(verbs, &class.types_topic(root), bodies::types(root, number, class))?;
            for (kind, of) in class.types.iter().enumerate() {
                let body = bodies::elements(root, (number, class), (kind, of));
                retain(verbs, &class.elements_topic(root, of), body)?;
            }
        }
        Ok(())
    }

    /// Publishes the figures of the interval that is over, and begins the next.
    fn tell_figures(&mut self) -> Result<(), Reason> {
        let queues = self.queue_manager.queue_counters();
        let wanted = wanted(self.queue_manager, &self.root(), &queues);
        let counts_calls = wanted.iter().any(|wanted| wanted.class.counts_calls);
        self.queue_manager.watch_calls(counts_calls);
        let begun = self.begun.take();
        if wanted.is_empty() {
            return Ok(());
        }
        let reading = Reading::take(self.queue_manager, self.host);
        let now = Begun { reading, queues: queues.into_iter().collect(), counts_calls };
        let told = begun.map_or(Ok(()), |before| self.tell(&wanted, &before, &now));
        self.begun = Some(now);
        told
    }

    fn tell(&self, wanted: &[Wanted], before: &Begun, now: &Begun) -> Result<(), Reason> {
        let mut verbs = self.connect()?;
        let micros = now.reading.micros_since(&before.reading);
        let manager = self.queue_manager.name();
        let known = wanted.iter().filter(|wanted| before.counts_calls || !wanted.class.counts_calls);
        for Wanted { topic, number, kind, of, queue, .. } in known {
            let figures = figures(of, queue.as_ref(), before, now);
            let body = bodies::figures(manager.as_str(), *queue, (*number, *kind), micros, &figures);
            put(&mut verbs, topic, body, PutFlags::NO_SYNCPOINT)?;
        }
        verbs.disconnect()
    }
}

/// The figures of a type in the order of its elements; of this queue where they are of queues.
fn figures(of: &Type, queue: Option<&ObjectName>, before: &Begun, now: &Begun) -> Vec<i64> {
    let counted = |at: &Begun| queue.and_then(|queue| at.queues.get(queue).copied()).unwrap_or_default();
    let of_queue = OfQueue { before: counted(before), now: counted(now) };
    let elements = of.elements.iter();
    elements
        .map(|element| match element.told {
            Told::OfManager(figure) => figure(&before.reading, &now.reading),
            Told::OfQueue(figure) => figure(&of_queue),
        })
        .collect()
}

/// Figures that somebody subscribes to.
struct Wanted {
    topic: String,
    class: &'static Class,
    number: usize,
    kind: usize,
    of: &'static Type,
    queue: Option<ObjectName>,
}

fn wanted(queue_manager: &QueueManager, root: &str, queues: &[(ObjectName, QueueCounters)]) -> Vec<Wanted> {
    let mut wanted = Vec::new();
    for (number, class) in CLASSES.iter().enumerate() {
        for (kind, of) in class.types.iter().enumerate() {
            let mut ask = |queue: Option<ObjectName>| {
                let name = queue.as_ref().map(ObjectName::as_str);
                let topic = class.figures_topic(root, name, of);
                if queue_manager.is_subscribed(&topic) {
                    wanted.push(Wanted { topic, class, number, kind, of, queue });
                }
            };
            match class.is_of_queues {
                false => ask(None),
                true => queues.iter().for_each(|(name, _)| ask(Some(*name))),
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
