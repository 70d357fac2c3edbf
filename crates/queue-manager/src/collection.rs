//! Collection of accounting and statistics from all connections, and the times at which it is told.
//!
//! Lives here: taking into use what attributes of the queue manager ask for, the ends of periods, and the
//! counts of connections that are over. Lives elsewhere: the messages (`accounting`), the same figures for
//! other readers (`call_figures`).

use std::sync::Arc;

use platform::Monotonic;
use platform::sync::atomic::Ordering;
use queues::counters::collecting::Counted;
use queues::ground::time::moment;
use storage::Lsn;

use crate::accounting::Period;
use crate::conversation::Conversation;
use crate::engine::Engine;

impl Engine {
    /// Takes attributes of the queue manager into use that control the collection.
    pub(crate) fn collect(&self) {
        let _deciding = self.queues.collecting.deciding.lock();
        let collected = self.directory.catalogue.manager().attributes.collected;
        self.message_channels.collect(collected.channel_statistics);
        let begins = collected.statistics && !self.queues.collecting.is(Counted::Calls);
        if !collected.statistics && self.queues.collecting.is(Counted::Calls) {
            // What was counted until now is told.
            self.tell_statistics(self.ground().now());
        }
        self.queues.collecting.set(Counted::Calls, collected.statistics);
        if begins {
            // Earlier calls are not reported.
            let _before = self.take_period(self.ground().now());
        }
        let (mut counts_queues, mut counts_accounts) = (false, false);
        for queue in self.queues.all() {
            let measuring = self.directory.remeasure(&queue);
            counts_queues |= measuring.statistics || measuring.watched;
            counts_accounts |= measuring.accounting;
        }
        self.queues.collecting.set(Counted::Queues, counts_queues);
        self.queues.collecting.set(Counted::Accounts, counts_accounts);
    }

    /// Tells statistics when it is time.
    pub(crate) fn tell_statistics_in_time(&self, now: Monotonic) {
        let collected = self.directory.catalogue.manager().attributes.collected;
        let is_wanted = self.queues.collecting.is(Counted::Calls)
            || self.queues.collecting.is(Counted::Queues)
            || self.message_channels.has_tallies();
        let Some(interval) = collected.statistics_interval.filter(|_| is_wanted) else { return };
        if now.since(self.queues.collecting.since.lock().since) >= interval {
            self.tell_statistics(now);
        }
    }

    /// Reports the counts since the last report, and begins anew.
    pub(crate) fn tell_statistics(&self, now: Monotonic) -> Lsn {
        self.directory.tell_period(&self.take_period(now))
    }

    /// Tells of connections that go on, when it is time.
    pub(crate) fn tell_accounting_in_time(&self, now: Monotonic) {
        let collected = self.directory.catalogue.manager().attributes.collected;
        let Some(interval) = collected.accounting_interval else { return };
        let is_due = |conversation: &&Arc<Conversation>| {
            (conversation.party.calls.choice.is_chosen || self.queues.collecting.is(Counted::Accounts))
                && now.since(conversation.accounts.reported()) >= interval
        };
        let due: Vec<_> = self.conversations.lock().values().filter(is_due).cloned().collect();
        for conversation in due {
            self.directory.tell_accounting(&conversation.accounted(), now, None);
        }
    }

    /// Takes the counts of all connections since the last report.
    fn take_period(&self, now: Monotonic) -> Period {
        let mut since = self.queues.collecting.since.lock();
        let mut all = since.gone.clone();
        let connections = self.conversations.lock();
        connections.values().for_each(|conversation| all.add(&conversation.party.calls.totals()));
        let connections_most =
            self.queues.collecting.connections_most.swap(connections.len() as u64, Ordering::Relaxed);
        drop(connections);
        let noted = std::array::from_fn(|what| self.queues.collecting.noted[what].load(Ordering::Relaxed));
        let calls = all.since(&since.told);
        let noted_since = std::array::from_fn(|what| noted[what] - since.noted[what]);
        (since.told, since.noted) = (all, noted);
        let (began, ended) = (since.began, moment(self.ground().world.clock.wall()));
        (since.began, since.since) = (ended, now);
        Period { began, ended, calls, noted: noted_since, connections_most }
    }

    /// Keeps the counts of a connection that is over.
    pub(crate) fn count_out(&self, conversation: &Conversation) {
        let mut since = self.queues.collecting.since.lock();
        since.gone.add(&conversation.party.calls.totals());
        let mut conversations = self.conversations.lock();
        if conversations.remove(&conversation.party.id).is_some() && !conversation.is_limited {
            self.uncounted.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
