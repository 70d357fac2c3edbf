//! The figures of a channel since the start: those of its instances that are over, and of those that run.
//!
//! Always: what an instance counted is added when it ends, so that no sum goes back while its channel is
//! defined.

use objects::Moment;
use platform::Monotonic;

use super::progress::{Averages, ChannelProgress, ChannelTraffic, CompressionProgress};

/// The figures of one channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChannelTotals {
    pub(crate) messages: u64,
    pub(crate) traffic: ChannelTraffic,
    pub(crate) batches: u64,
    /// Faults after which it tries again.
    pub(crate) retries: u64,
    pub(crate) batch_messages: Averages,
    pub(crate) net_time: Averages,
    pub(crate) queue_time: Averages,
    /// Per cent that compression saves.
    pub(crate) saved: Averages,
    pub(crate) last_message: Option<Moment>,
    /// When its last instance ended.
    pub(crate) ended: Option<Monotonic>,
}

impl ChannelTotals {
    /// Adds an instance of a message channel.
    pub(super) fn add(&mut self, progress: &ChannelProgress) {
        self.add_traffic(&progress.traffic, progress.messages, &progress.compression, progress.last_message);
        self.batches += progress.batches;
        for (own, of_instance) in [
            (&mut self.batch_messages, progress.batch_messages),
            (&mut self.net_time, progress.net_time),
            (&mut self.queue_time, progress.queue_time),
        ] {
            own.follow(of_instance);
        }
    }

    /// Adds the connection of any instance.
    pub(crate) fn add_traffic(
        &mut self,
        traffic: &ChannelTraffic,
        messages: u64,
        compression: &CompressionProgress,
        last_message: Option<Moment>,
    ) {
        self.messages += messages;
        self.traffic.add(traffic);
        self.saved.follow(compression.saved);
        self.last_message = self.last_message.max(last_message);
    }
}

impl Averages {
    /// Takes the place of an earlier instance's, where anything was measured.
    fn follow(&mut self, newer: Self) {
        if newer != Self::default() {
            *self = newer;
        }
    }
}

impl ChannelTraffic {
    fn add(&mut self, other: &Self) {
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        self.writes += other.writes;
        self.reads += other.reads;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_add_up_and_the_newest_averages_stand() {
        let mut progress = ChannelProgress { messages: 3, batches: 2, ..ChannelProgress::default() };
        progress.traffic = ChannelTraffic { bytes_sent: 10, bytes_received: 20, writes: 1, reads: 2 };
        progress.net_time = Averages { short: 8, long: 9 };
        progress.last_message = Some(Moment(50));
        let mut totals = ChannelTotals::default();
        totals.add(&progress);
        totals.add(&ChannelProgress {
            net_time: Averages::default(),
            queue_time: Averages { short: 5, long: 5 },
            last_message: None,
            ..progress
        });
        assert_eq!((totals.messages, totals.batches, totals.last_message), (6, 4, Some(Moment(50))));
        assert_eq!((totals.traffic.bytes_received, totals.traffic.reads), (40, 4));
        assert_eq!(totals.net_time, Averages { short: 8, long: 9 }, "nothing was measured since");
        assert_eq!(totals.queue_time, Averages { short: 5, long: 5 });
    }
}
