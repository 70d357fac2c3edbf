//! The schedule of channels that are to call: times in, wishes out.
//!
//! Always: a channel that a command stopped is wished by nothing but a command; one that retries goes on
//! until its tries are used up; no two wishes for one channel are out at a time. A fault stops the end that
//! calls, and towards the partner of the fault alone.

use std::collections::BTreeMap;
use std::time::Duration;

use mqi::constants::{MQCHS_INACTIVE, MQCHS_RETRYING, MQCHS_STARTING, MQCHS_STOPPED};
use mqi::{ObjectName, Reason};
use objects::Retry;
use platform::Monotonic;

/// The seconds between the first tries: most partners are back within these.
const QUICK: [u64; 6] = [1, 2, 5, 10, 20, 40];

/// A queue manager at the other end of a channel; blank for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Partner {
    /// Its QMID.
    pub(crate) identifier: Box<str>,
    pub(crate) name: Box<str>,
}

impl Partner {
    /// True where words about this partner concern the one of this identifier.
    fn includes(&self, identifier: &str) -> bool {
        self.identifier.is_empty() || *self.identifier == *identifier
    }
}

/// A fault that ended a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LastError {
    pub(crate) reason: Reason,
    pub(crate) text: String,
}

/// The state of a channel in the schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nothing is wanted of it.
    #[default]
    Inactive,
    /// Calls at this time.
    Due(Monotonic),
    /// It failed, and is to call again at this time.
    Retries(Monotonic),
    /// Its instance calls, or runs.
    Active,
    /// It stays ended until a command starts it.
    Stopped,
}

impl Standing {
    /// The MQCHS_ value of a channel without an instance.
    pub(crate) fn state(self) -> i32 {
        match self {
            Self::Retries(_) => MQCHS_RETRYING,
            Self::Stopped => MQCHS_STOPPED,
            Self::Due(_) | Self::Active => MQCHS_STARTING,
            Self::Inactive => MQCHS_INACTIVE,
        }
    }
}

/// One channel in the schedule.
#[derive(Clone, Debug, Default)]
struct Want {
    standing: Standing,
    attempts: Option<Attempts>,
    last_error: Option<LastError>,
    /// The partner with which the channel failed last, and towards which alone a fault stops it.
    failed_with: Partner,
    /// It is stopped by a fault, not by a command.
    is_halted: bool,
    /// The queue manager at the other end, once it was met.
    partner: Box<str>,
}

/// The tries since the channel last worked.
#[derive(Clone, Copy, Debug)]
struct Attempts {
    since: Monotonic,
    quick: usize,
    short: u32,
    long: u32,
}

/// A channel as it is displayed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) standing: Standing,
    /// Short and long tries that were made.
    pub(crate) tried: (u32, u32),
    pub(crate) last_error: Option<LastError>,
    /// The partner with which that happened.
    pub(crate) failed_with: Partner,
    /// A fault stopped it, not a command.
    pub(crate) is_halted: bool,
}

impl Schedule {
    /// The fault that ended the channel towards this partner last.
    pub(crate) fn last_error_with(&self, identifier: &str) -> Option<&LastError> {
        self.last_error.as_ref().filter(|_| self.failed_with.includes(identifier))
    }
}

/// The channels that something is wanted of: as many as are defined, at most.
#[derive(Debug, Default)]
pub(crate) struct Wanted {
    channels: BTreeMap<ObjectName, Want>,
}

impl Wanted {
    /// A command starts a channel. Its tries begin anew. Returns false if it is active.
    pub(crate) fn start(&mut self, channel: ObjectName, now: Monotonic) -> bool {
        let want = self.channels.entry(channel).or_default();
        if want.standing == Standing::Active {
            return false;
        }
        (want.attempts, want.is_halted) = (None, false);
        want.failed_with = Partner::default();
        want.standing = Standing::Due(now);
        true
    }

    /// A command opens a channel that is called: it is not stopped any more.
    pub(crate) fn open(&mut self, channel: ObjectName) {
        let want = self.channels.entry(channel).or_default();
        if want.standing == Standing::Stopped {
            (want.standing, want.is_halted) = (Standing::Inactive, false);
        }
        want.last_error = None;
        want.failed_with = Partner::default();
    }

    /// A message waits for the channel. One that is stopped, active, or between two tries stays as it is.
    pub(crate) fn wish(&mut self, channel: ObjectName, now: Monotonic) -> bool {
        let want = self.channels.entry(channel).or_default();
        let is_new = want.standing == Standing::Inactive;
        if is_new {
            want.standing = Standing::Due(now);
        }
        is_new
    }

    /// The partner of a channel is known.
    pub(crate) fn meet(&mut self, channel: ObjectName, partner: &str) {
        self.channels.entry(channel).or_default().partner = partner.into();
    }

    /// A partner is there: the channels to it that retry do so at once.
    pub(crate) fn hurry(&mut self, partner: &str, now: Monotonic) {
        for want in self.channels.values_mut().filter(|want| !partner.is_empty() && *want.partner == *partner)
        {
            if let Standing::Retries(_) = want.standing {
                want.standing = Standing::Due(now);
            }
        }
    }

    /// True where a partner that calls is refused: a command stopped the channel, or a fault towards it did.
    pub(crate) fn refuses(&self, channel: &ObjectName, identifier: &str) -> bool {
        let is_closed =
            |want: &Want| want.standing == Standing::Stopped && want.failed_with.includes(identifier);
        self.channels.get(channel).is_some_and(is_closed)
    }

    /// An instance with this partner ended by a fault, and the channel stays as it is.
    pub(crate) fn note_error(&mut self, channel: ObjectName, error: LastError, partner: Partner) {
        let want = self.channels.entry(channel).or_default();
        if want.standing != Standing::Stopped {
            (want.last_error, want.failed_with) = (Some(error), partner);
        } else if want.failed_with.includes(&partner.identifier) {
            // Stopped as before: by a command towards each partner, or by a fault with this one.
            want.last_error = Some(error);
        }
    }

    /// Has a ping take the place of a channel that stands still, or give it back: its tries and its last
    /// fault stay as they are.
    pub(crate) fn lend(&mut self, channel: ObjectName, standing: Standing) {
        self.channels.entry(channel).or_default().standing = standing;
    }

    /// A channel is over by command, or ended as it should.
    pub(crate) fn settle(&mut self, channel: ObjectName, standing: Standing) {
        let want = self.channels.entry(channel).or_default();
        want.standing = standing;
        (want.attempts, want.is_halted) = (None, false);
        want.failed_with = Partner::default();
        if standing == Standing::Inactive {
            want.last_error = None;
        }
    }

    /// The channel works with this partner: its next failure is its first. The fault with another stays told.
    pub(crate) fn works(&mut self, channel: &ObjectName, identifier: &str) {
        if let Some(want) = self.channels.get_mut(channel) {
            want.attempts = None;
            if want.failed_with.includes(identifier) {
                want.last_error = None;
                want.failed_with = Partner::default();
            }
        }
    }

    /// A channel that calls is stopped for a fault that no try would mend.
    pub(crate) fn halt(&mut self, channel: ObjectName, error: LastError, partner: Partner) {
        let want = self.channels.entry(channel).or_default();
        want.standing = Standing::Stopped;
        (want.attempts, want.is_halted) = (None, true);
        want.last_error = Some(error);
        want.failed_with = partner;
    }

    /// The channel failed. It is to try again, unless its tries are used up: then it is stopped. `chance` is
    /// random, so that channels which failed together do not call together.
    pub(crate) fn fail(
        &mut self,
        channel: ObjectName,
        error: LastError,
        (short, long): (Retry, Retry),
        now: Monotonic,
        chance: u64,
    ) -> Standing {
        let want = self.channels.entry(channel).or_default();
        let begun = Attempts { since: now, quick: 0, short: 0, long: 0 };
        let attempts = want.attempts.get_or_insert(begun);
        let delay = attempts.next_delay(short, long, now, chance);
        want.last_error = Some(error);
        want.failed_with = Partner::default();
        want.standing = delay.map_or(Standing::Stopped, |delay| Standing::Retries(now.after(delay)));
        want.is_halted = delay.is_none();
        want.standing
    }

    /// A channel whose time came finds no room to run: it waits until then.
    pub(crate) fn put_off(&mut self, channel: ObjectName, until: Monotonic, error: LastError) {
        let want = self.channels.entry(channel).or_default();
        want.standing = Standing::Due(until);
        want.last_error = Some(error);
        want.failed_with = Partner::default();
    }

    /// The channels that retry or are stopped.
    pub(crate) fn held(&self) -> usize {
        let is_held = |want: &&Want| matches!(want.standing, Standing::Retries(_) | Standing::Stopped);
        self.channels.values().filter(is_held).count()
    }

    /// The channels whose time has come, of those that may; they are active from now on.
    pub(crate) fn take_due(&mut self, now: Monotonic, may: impl Fn(&ObjectName) -> bool) -> Vec<ObjectName> {
        let is_due = |want: &Want| match want.standing {
            Standing::Due(at) | Standing::Retries(at) => at <= now,
            Standing::Inactive | Standing::Active | Standing::Stopped => false,
        };
        let due = self.channels.iter_mut().filter(|(channel, want)| is_due(want) && may(channel));
        let taken = due.map(|(channel, want)| {
            want.standing = Standing::Active;
            *channel
        });
        taken.collect()
    }

    /// The time of the next wish.
    pub(crate) fn next(&self) -> Option<Monotonic> {
        let times = self.channels.values().filter_map(|want| match want.standing {
            Standing::Due(at) | Standing::Retries(at) => Some(at),
            Standing::Inactive | Standing::Active | Standing::Stopped => None,
        });
        times.min()
    }

    /// A channel as it stands.
    pub(crate) fn schedule(&self, channel: &ObjectName) -> Schedule {
        let Some(want) = self.channels.get(channel) else { return Schedule::default() };
        let tried = want.attempts.map_or((0, 0), |attempts| (attempts.short, attempts.long));
        let Want { standing, last_error, failed_with, is_halted, .. } = want;
        Schedule {
            standing: *standing,
            tried,
            last_error: last_error.clone(),
            failed_with: failed_with.clone(),
            is_halted: *is_halted,
        }
    }

    /// Lists the channels of which something is wanted, or that ended by a fault.
    pub(crate) fn all(&self) -> impl Iterator<Item = ObjectName> + '_ {
        let is_told = |want: &Want| want.standing != Standing::Inactive || want.last_error.is_some();
        self.channels.iter().filter(move |(_, want)| is_told(want)).map(|(channel, _)| *channel)
    }

    /// The definition of a channel is gone.
    pub(crate) fn forget(&mut self, channel: &ObjectName) {
        self.channels.remove(channel);
    }
}

impl Attempts {
    fn next_delay(&mut self, short: Retry, long: Retry, now: Monotonic, chance: u64) -> Option<Duration> {
        if short.count == 0 && long.count == 0 {
            return None;
        }
        if let Some(seconds) = QUICK.get(self.quick)
            && now.since(self.since) + Duration::from_secs(*seconds) <= short.interval
        {
            self.quick += 1;
            // Between eighty and a hundred and twenty of a hundred.
            let hundredths = 80 + chance % 41;
            return Some(Duration::from_millis(seconds * 10 * hundredths));
        }
        self.quick = QUICK.len();
        if self.short < short.count {
            self.short += 1;
            return Some(short.interval);
        }
        if self.long < long.count {
            self.long += 1;
            return Some(long.interval);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Retry = Retry { count: 2, interval: Duration::from_secs(60) };
    const LONG: Retry = Retry { count: 1, interval: Duration::from_secs(1_200) };

    fn channel() -> ObjectName {
        "TO.B".parse().unwrap()
    }

    fn due(wanted: &mut Wanted, now: Monotonic) -> Vec<ObjectName> {
        wanted.take_due(now, |_| true)
    }

    fn error() -> LastError {
        LastError { reason: Reason::HOST_NOT_AVAILABLE, text: "it refused".to_owned() }
    }

    /// Seconds between the failures of a channel that fails at once each time.
    fn delays(short: Retry, long: Retry) -> Vec<u64> {
        let mut wanted = Wanted::default();
        let mut now = Monotonic(0);
        let mut delays = Vec::new();
        wanted.start(channel(), now);
        for _ in 0..100 {
            assert_eq!(due(&mut wanted, now), [channel()]);
            match wanted.fail(channel(), error(), (short, long), now, 20) {
                Standing::Retries(at) => {
                    delays.push(at.since(now).as_secs());
                    assert_eq!(wanted.next(), Some(at));
                    assert!(due(&mut wanted, now).is_empty(), "not before its time");
                    now = at;
                }
                Standing::Stopped => return delays,
                other => panic!("{other:?}"),
            }
        }
        panic!("it never ends");
    }

    #[test]
    fn tries_come_quickly_first_then_as_the_definition_says_and_then_no_more() {
        assert_eq!(delays(SHORT, LONG), [1, 2, 5, 10, 20, 60, 60, 1_200]);
        let quick_alone = Retry { interval: Duration::from_secs(600), ..SHORT };
        assert_eq!(delays(quick_alone, LONG), [1, 2, 5, 10, 20, 40, 600, 600, 1_200]);
        let none = Retry { count: 0, interval: Duration::from_secs(60) };
        assert_eq!(delays(none, none), [0; 0]);
    }

    #[test]
    fn chance_moves_a_quick_try_by_a_fifth_at_most() {
        for (chance, millis) in [(0, 800), (20, 1_000), (40, 1_200), (41, 800)] {
            let mut wanted = Wanted::default();
            let standing = wanted.fail(channel(), error(), (SHORT, LONG), Monotonic(0), chance);
            assert_eq!(standing, Standing::Retries(Monotonic(millis * 1_000_000)), "{chance}");
        }
    }

    #[test]
    fn a_channel_that_worked_begins_its_tries_anew() {
        let mut wanted = Wanted::default();
        let now = Monotonic(0);
        for _ in 0..3 {
            wanted.fail(channel(), error(), (SHORT, LONG), now, 20);
        }
        wanted.works(&channel(), "B_1");
        assert_eq!(wanted.schedule(&channel()).last_error, None);
        let standing = wanted.fail(channel(), error(), (SHORT, LONG), now, 20);
        assert_eq!(standing, Standing::Retries(now.after(Duration::from_secs(1))));
    }

    #[test]
    fn a_message_wakes_no_channel_that_is_stopped_active_or_between_tries() {
        let now = Monotonic(0);
        let mut wanted = Wanted::default();
        wanted.settle(channel(), Standing::Stopped);
        assert!(!wanted.wish(channel(), now) && due(&mut wanted, now).is_empty());
        wanted.start(channel(), now);
        assert_eq!(due(&mut wanted, now), [channel()]);
        assert!(!wanted.wish(channel(), now) && !wanted.start(channel(), now));
        wanted.fail(channel(), error(), (SHORT, LONG), now, 20);
        assert!(!wanted.wish(channel(), now) && due(&mut wanted, now).is_empty());
        wanted.meet(channel(), "B");
        wanted.hurry("C", now);
        assert_eq!(due(&mut wanted, now), [] as [ObjectName; 0], "another called");
        wanted.hurry("B", now);
        assert_eq!(due(&mut wanted, now), [channel()], "the partner called");
        wanted.settle(channel(), Standing::Inactive);
        assert!(wanted.wish(channel(), now));
        assert_eq!(due(&mut wanted, now), [channel()]);
        let later = now.after(Duration::from_secs(5));
        wanted.put_off(channel(), later, error());
        assert!(due(&mut wanted, now).is_empty(), "as many run as may");
        assert_eq!((wanted.held(), wanted.next()), (0, Some(later)));
        assert_eq!(due(&mut wanted, later), [channel()]);
    }
}
