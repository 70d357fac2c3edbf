//! Figures of a channel that statistics tell, since they were told last.

use objects::ChannelAttributes;

/// Net times of batches, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetTimes {
    /// The shortest.
    pub least: u64,
    /// The longest.
    pub most: u64,
    /// All together.
    pub sum: u64,
    /// Batches that were measured.
    pub count: u64,
}

/// Counts of a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChannelTally {
    /// Messages that are not persistent, and messages that are.
    pub messages: [u64; 2],
    /// Bytes of their bodies.
    pub bytes: [u64; 2],
    /// Batches that ended with as many messages as they may have.
    pub full_batches: u64,
    /// Batches that ended with fewer.
    pub incomplete_batches: u64,
    /// Messages of all these batches.
    pub batch_messages: u64,
    /// Puts that were tried again.
    pub retries: u64,
    /// From the end of a batch to its confirmation, without the receiver's own time.
    pub net_times: NetTimes,
}

impl NetTimes {
    /// Takes the time of one batch in.
    pub fn take(&mut self, micros: u64) {
        self.add(&Self { least: micros, most: micros, sum: micros, count: 1 });
    }

    fn add(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.least = if self.count == 0 { other.least } else { self.least.min(other.least) };
        self.most = self.most.max(other.most);
        self.sum = self.sum.saturating_add(other.sum);
        self.count += other.count;
    }

    /// The mean; 0 without a batch.
    #[must_use]
    pub fn mean(&self) -> u64 {
        self.sum.checked_div(self.count).unwrap_or(0)
    }
}

impl ChannelTally {
    /// Takes a message in.
    pub fn take_message(&mut self, is_persistent: bool, bytes: usize) {
        let kind = usize::from(is_persistent);
        self.messages[kind] += 1;
        self.bytes[kind] += bytes as u64;
    }

    /// Takes the end of a batch in.
    pub fn take_batch(&mut self, messages: u32, messages_max: u32) {
        if messages >= messages_max {
            self.full_batches += 1
        } else {
            self.incomplete_batches += 1
        }
        self.batch_messages += u64::from(messages);
    }

    /// Messages of a batch, on the average.
    #[must_use]
    pub fn batch_size(&self) -> u64 {
        let batches = self.full_batches + self.incomplete_batches;
        self.batch_messages.checked_div(batches).unwrap_or(0)
    }

    /// Adds what another has.
    pub fn add(&mut self, other: &Self) {
        for kind in 0..2 {
            self.messages[kind] += other.messages[kind];
            self.bytes[kind] += other.bytes[kind];
        }
        self.full_batches += other.full_batches;
        self.incomplete_batches += other.incomplete_batches;
        self.batch_messages += other.batch_messages;
        self.retries += other.retries;
        self.net_times.add(&other.net_times);
    }

    /// True where there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The figures of an instance, as statistics tell them.
#[derive(Clone, Debug)]
pub(crate) struct Tallied {
    pub(crate) attributes: ChannelAttributes,
    pub(crate) partner: String,
    pub(crate) address: String,
    pub(crate) tally: ChannelTally,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_add_up_and_keep_the_extremes() {
        let mut tally = ChannelTally::default();
        assert!(tally.is_empty() && tally.batch_size() == 0 && tally.net_times.mean() == 0);
        tally.take_message(true, 100);
        tally.take_message(false, 7);
        tally.take_batch(50, 50);
        tally.take_batch(3, 50);
        tally.net_times.take(30);
        let mut sum = ChannelTally { retries: 2, ..tally };
        sum.net_times.take(10);
        sum.add(&tally);
        assert_eq!((sum.messages, sum.bytes), ([2, 2], [14, 200]));
        assert_eq!((sum.full_batches, sum.incomplete_batches, sum.batch_size(), sum.retries), (2, 2, 26, 2));
        assert_eq!(sum.net_times, NetTimes { least: 10, most: 30, sum: 70, count: 3 });
        let before = sum;
        sum.add(&ChannelTally::default());
        assert_eq!(sum, before, "nothing is no time of zero");
    }
}
