//! Figures of all programs, and of single queues, for the topics below `$SYS`; statistics messages have their
//! own.
//!
//! Always: calls are counted only while a reader asked for that; figures only go up.

use std::collections::{BTreeMap, BTreeSet};

use figures::Calls;
use mqi::{ObjectName, OpenOptions};
use platform::sync::atomic::Ordering;
use queues::counters::collecting::{Counted, Noted};
use queues::counters::figures::{both, sum, traffic};
use queues::counters::{
    BACKOUTS, CALLS, CLOSES, CLOSES_FAILED, COMMITS, COMMITS_FAILED, INQUIRES, INQUIRES_FAILED, OPENS,
    OPENS_FAILED, SETS, SETS_FAILED, TOPIC_PUT_BYTES, TOPIC_PUTS, TOPIC_PUTS_FAILED, Totals,
};
use queues::queue::measured::Measuring;

use crate::engine::Engine;

impl Engine {
    /// Counts the calls of every program from now on, or does so no more unless statistics are wanted.
    pub(crate) fn watch_calls(&self, is_watched: bool) {
        self.queues.collecting.set(Counted::Watched, is_watched);
    }

    /// Counts and measures these queues from now on; others only while statistics or accounting want it.
    pub(crate) fn watch_queues(&self, names: &BTreeSet<ObjectName>) {
        let _deciding = self.queues.collecting.deciding.lock();
        let watches = &self.queues.collecting.watches_queues;
        if !watches.swap(!names.is_empty(), Ordering::Relaxed) && names.is_empty() {
            return;
        }
        let mut is_any_counted = false;
        for queue in self.queues.all() {
            let watched = names.contains(&queue.name);
            let measuring = queue.measuring();
            if measuring.watched != watched {
                queue.measure(|measuring| Measuring { watched, ..measuring });
            }
            is_any_counted |= watched || measuring.statistics;
        }
        self.queues.collecting.set(Counted::Queues, is_any_counted);
    }

    /// The figures of these queues, without those that do not exist.
    pub(crate) fn queue_figures(&self, names: &BTreeSet<ObjectName>) -> BTreeMap<ObjectName, figures::Queue> {
        let queues = self.queues.all();
        let wanted = queues.iter().filter(|queue| names.contains(&queue.name));
        let mut all: BTreeMap<_, _> = wanted.map(|queue| (queue.name, queue.figures())).collect();
        if all.is_empty() {
            return all;
        }
        for connection in self.connections() {
            for handle in connection.handles {
                let queue = handle.queue.and_then(|name| all.get_mut(&name));
                if let Some(queue) = queue.filter(|_| handle.options.contains(OpenOptions::BROWSE)) {
                    queue.browse_handles += 1;
                }
            }
        }
        all
    }

    /// Returns the counts until now.
    pub(crate) fn call_counts(&self, deliveries: bool, takes_marks: bool) -> Calls {
        // Held meanwhile, so that a connection that ends is counted once.
        let since = self.queues.collecting.since.lock();
        let mut all = since.gone();
        let connections = self.conversations.lock();
        connections.values().for_each(|conversation| all.add(&conversation.party.calls.totals()));
        let now = connections.len() as u64;
        let most = if takes_marks {
            self.queues.collecting.connections_most_watched.swap(now, Ordering::Relaxed)
        } else {
            now
        };
        drop(connections);
        drop(since);
        let noted = |what: Noted| self.queues.collecting.noted[what as usize].load(Ordering::Relaxed);
        Calls {
            connections_most: most,
            delivered: if deliveries { self.directory.catalogue.delivered() } else { 0 },
            subscriptions: self.directory.catalogue.subscription_marks(takes_marks),
            ..counts_of(&all, noted)
        }
    }
}

fn counts_of(all: &Totals<CALLS>, noted: impl Fn(Noted) -> u64) -> Calls {
    Calls {
        connects: noted(Noted::Connected),
        connects_failed: noted(Noted::NotConnected),
        disconnects: noted(Noted::Disconnected) + noted(Noted::Vanished) + noted(Noted::Ended),
        opens: sum(all, OPENS),
        opens_failed: sum(all, OPENS_FAILED),
        closes: sum(all, CLOSES),
        closes_failed: sum(all, CLOSES_FAILED),
        inquires: sum(all, INQUIRES),
        inquires_failed: sum(all, INQUIRES_FAILED),
        sets: sum(all, SETS),
        sets_failed: sum(all, SETS_FAILED),
        traffic: traffic(all),
        status_calls: noted(Noted::StatusAsked),
        commits: sum(all, COMMITS),
        commits_failed: sum(all, COMMITS_FAILED),
        backouts: sum(all, BACKOUTS),
        expired: noted(Noted::Expired),
        queues_purged: noted(Noted::QueuePurged),
        topic_puts: both(all, TOPIC_PUTS),
        topic_puts_failed: sum(all, TOPIC_PUTS_FAILED),
        topic_put_bytes: sum(all, TOPIC_PUT_BYTES),
        subscriptions_made: [noted(Noted::MadeBrief), noted(Noted::MadeDurable)],
        subscriptions_altered: noted(Noted::Altered),
        subscriptions_resumed: noted(Noted::Resumed),
        subscribes_failed: noted(Noted::NotSubscribed),
        subscriptions_ended: [noted(Noted::EndedBrief), noted(Noted::EndedDurable)],
        removals_failed: noted(Noted::NotRemoved),
        requests: noted(Noted::Requested),
        requests_failed: noted(Noted::NotRequested),
        ..Calls::default()
    }
}
