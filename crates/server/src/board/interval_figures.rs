//! Figures that need more than one reading: those of an interval, and sums that outlive their queues.
//!
//! Always: the figures of an interval are the same for every reader, and a sum never goes back.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use figures::metrics::{CHANNEL_INTERVAL, TOPIC_INTERVAL, familiar_values};
use figures::{Channel, Manager, Queue, Units};
use mqi::ObjectName;
use queue_manager::Overview;

/// The interval that figures under familiar names are for.
pub(super) const INTERVAL: Duration = Duration::from_secs(10);

/// The counters of one queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counters {
    puts: u64,
    gets: u64,
    waited: u64,
    waited_micros: u64,
}

/// The outcome of all readings until one.
#[derive(Clone, Debug, Default)]
pub(super) struct IntervalFigures {
    /// Units of work at the last reading.
    pub(super) units: Units,
    /// Messages put on all queues, those that are gone included.
    pub(super) puts: u64,
    /// Messages got from them.
    pub(super) gets: u64,
    /// Values under familiar names in the last whole interval.
    pub(super) familiar: Vec<u64>,
    /// Of each queue in that interval: messages put, messages got, mean microseconds on it.
    pub(super) interval: BTreeMap<ObjectName, [u64; 3]>,
    /// The counters at the last reading.
    last: BTreeMap<ObjectName, Counters>,
    /// The readings at the beginning of the interval.
    begun: Manager,
    begun_queues: BTreeMap<ObjectName, Counters>,
    /// Of each channel in that interval: messages, bytes sent and received, buffers sent and received,
    /// batches.
    pub(super) channels: Interval<ObjectName, CHANNEL_INTERVAL>,
    /// Of each topic: messages published and received.
    pub(super) topics: Interval<Arc<str>, TOPIC_INTERVAL>,
    /// Of each subscription, by its identifier: messages received.
    pub(super) subscriptions: Interval<ObjectName, 1>,
}

/// The increase of the counters of objects of a kind in the last whole interval.
#[derive(Clone, Debug)]
pub(super) struct Interval<K, const COUNT: usize> {
    passed: BTreeMap<K, [u64; COUNT]>,
    /// The counters at the beginning of the present interval; none before the first reading.
    begun: Option<BTreeMap<K, [u64; COUNT]>>,
}

impl<K, const COUNT: usize> Default for Interval<K, COUNT> {
    fn default() -> Self {
        Self { passed: BTreeMap::new(), begun: None }
    }
}

impl<K: Ord + Clone, const COUNT: usize> Interval<K, COUNT> {
    /// The increase of an object's counters; zero for one that was not there.
    pub(super) fn of<Q: Ord + ?Sized>(&self, object: &Q) -> [u64; COUNT]
    where
        K: Borrow<Q>,
    {
        self.passed.get(object).copied().unwrap_or([0; COUNT])
    }

    /// Takes the counters of a reading, which may end the interval.
    fn read(&mut self, now: BTreeMap<K, [u64; COUNT]>, is_over: bool) {
        let Some(begun) = &self.begun else {
            self.begun = Some(now);
            return;
        };
        if is_over {
            let since = |(object, counters): (&K, &[u64; COUNT])| {
                (object.clone(), since(counters, begun.get(object)))
            };
            self.passed = now.iter().map(since).collect();
            self.begun = Some(now);
        }
    }
}

fn counters_of(channel: &Channel) -> [u64; CHANNEL_INTERVAL] {
    let Channel { messages, bytes_sent, bytes_received, buffers_sent, buffers_received, batches, .. } =
        *channel;
    [messages, bytes_sent, bytes_received, buffers_sent, buffers_received, batches]
}

/// The increase since another reading; since nothing where the object was made anew.
fn since<const COUNT: usize>(now: &[u64; COUNT], before: Option<&[u64; COUNT]>) -> [u64; COUNT] {
    let is_later = |before: &&[u64; COUNT]| before.iter().zip(now).all(|(before, now)| before <= now);
    let before = before.filter(is_later).copied().unwrap_or([0; COUNT]);
    std::array::from_fn(|place| now[place] - before[place])
}

impl Counters {
    fn of(queue: &Queue) -> Self {
        let Queue { puts, gets, waited, waited_micros, .. } = *queue;
        Self { puts, gets, waited, waited_micros }
    }

    /// The increase since another reading; since nothing where the queue was made anew.
    fn since(self, before: Option<&Self>) -> Self {
        let before = before.copied().filter(|before| before.puts <= self.puts && before.gets <= self.gets);
        let before = before.unwrap_or_default();
        Self {
            puts: self.puts - before.puts,
            gets: self.gets - before.gets,
            waited: self.waited.saturating_sub(before.waited),
            waited_micros: self.waited_micros.saturating_sub(before.waited_micros),
        }
    }
}

impl IntervalFigures {
    /// The outcome after one more reading.
    pub(super) fn after(before: Option<Self>, now: &Manager, overview: &Overview) -> Self {
        let Overview { queues, channels, topics: of_topics, .. } = overview;
        let channels = channels.iter().map(|channel| (channel.name, counters_of(&channel.figures))).collect();
        let topics = of_topics.topics.topics.iter();
        let topics = topics.map(|(topic, now)| (Arc::clone(topic), [now.published, now.received])).collect();
        let subscriptions = of_topics.subscriptions.iter();
        let subscriptions = subscriptions.map(|now| (now.identifier, [now.figures.messages])).collect();
        let last: BTreeMap<_, _> = queues.iter().map(|(name, queue)| (*name, Counters::of(queue))).collect();
        let mut passed = before.unwrap_or_else(|| Self {
            familiar: familiar_values(now, now),
            begun: now.clone(),
            begun_queues: last.clone(),
            ..Self::default()
        });
        for (name, counters) in &last {
            let more = counters.since(passed.last.get(name));
            passed.puts += more.puts;
            passed.gets += more.gets;
        }
        passed.units = now.units;
        let interval = u64::try_from(INTERVAL.as_micros()).unwrap_or(u64::MAX);
        let is_over = now.micros.saturating_sub(passed.begun.micros) >= interval;
        passed.channels.read(channels, is_over);
        passed.topics.read(topics, is_over);
        passed.subscriptions.read(subscriptions, is_over);
        if is_over {
            passed.familiar = familiar_values(&passed.begun, now);
            let of_interval = |(name, counters): (&ObjectName, &Counters)| {
                let more = counters.since(passed.begun_queues.get(name));
                let mean = more.waited_micros.checked_div(more.waited).unwrap_or_default();
                (*name, [more.puts, more.gets, mean])
            };
            passed.interval = last.iter().map(of_interval).collect();
            passed.begun = now.clone();
            passed.begun_queues.clone_from(&last);
        }
        passed.last = last;
        passed
    }
}

#[cfg(test)]
mod tests {
    use queue_manager::ChannelOverview;

    use super::*;

    fn queues(named: &[(&str, u64)]) -> Overview {
        let queue =
            |(name, puts): &(&str, u64)| (name.parse().unwrap(), Queue { puts: *puts, ..Queue::default() });
        Overview { queues: named.iter().map(queue).collect(), ..Overview::default() }
    }

    fn channels(messages: u64) -> Overview {
        let figures = Channel { messages, bytes_sent: 10 * messages, ..Channel::default() };
        let channel = ChannelOverview { name: "C".parse().unwrap(), figures, ..ChannelOverview::default() };
        Overview { channels: vec![channel], ..Overview::default() }
    }

    #[test]
    fn a_channel_has_the_increase_of_ten_seconds_and_one_made_anew_all_that_it_did() {
        let name: ObjectName = "C".parse().unwrap();
        let first = IntervalFigures::after(None, &at(100, 0), &channels(7));
        let ten = IntervalFigures::after(Some(first), &at(110, 0), &channels(19));
        assert_eq!(ten.channels.of(&name), [12, 120, 0, 0, 0, 0]);
        let anew = IntervalFigures::after(Some(ten), &at(120, 0), &channels(3));
        assert_eq!(anew.channels.of(&name), [3, 30, 0, 0, 0, 0]);
        let gone = IntervalFigures::after(Some(anew), &at(130, 0), &Overview::default());
        assert_eq!(gone.channels.of(&name), [0; 6]);
    }

    fn at(seconds: u64, puts: u64) -> Manager {
        let mut now = Manager { micros: seconds * 1_000_000, ..Manager::default() };
        now.calls.traffic.puts.persistent = puts;
        now
    }

    #[test]
    fn a_sum_does_not_go_back_when_a_queue_is_deleted_or_made_anew() {
        let first = IntervalFigures::after(None, &at(0, 0), &queues(&[("A", 5), ("B", 7)]));
        assert_eq!(first.puts, 12);
        let gone = IntervalFigures::after(Some(first), &at(1, 0), &queues(&[("A", 6)]));
        assert_eq!(gone.puts, 13);
        let anew = IntervalFigures::after(Some(gone), &at(2, 0), &queues(&[("A", 2), ("B", 1)]));
        assert_eq!(anew.puts, 16);
    }

    #[test]
    fn figures_of_an_interval_are_those_of_ten_seconds_and_stay_for_the_next_ten() {
        let first = IntervalFigures::after(None, &at(100, 50), &queues(&[("A", 5)]));
        let name: ObjectName = "A".parse().unwrap();
        let five = IntervalFigures::after(Some(first), &at(105, 60), &queues(&[("A", 9)]));
        assert_eq!((five.familiar[0], five.interval.get(&name)), (0, None), "no interval is over");
        let ten = IntervalFigures::after(Some(five), &at(110, 70), &queues(&[("A", 15)]));
        assert_eq!((ten.familiar[0], ten.interval.get(&name)), (20, Some(&[10, 0, 0])));
        let fifteen = IntervalFigures::after(Some(ten), &at(115, 1_000), &queues(&[("A", 900)]));
        assert_eq!((fifteen.familiar[0], fifteen.interval.get(&name)), (20, Some(&[10, 0, 0])));
    }
}
