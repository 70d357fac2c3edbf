//! The numbers of calls as figures that other readers take.

use figures::{Both, Traffic};

use super::{
    BROWSE_BYTES, BROWSES, BROWSES_FAILED, BROWSES_TRUNCATED, BROWSES_WITHOUT, Count, GET_BYTES, GETS,
    GETS_FAILED, GETS_TRUNCATED, GETS_WITHOUT, PUT_BYTES, PUT1S, PUT1S_FAILED, PUTS, PUTS_FAILED,
    QUEUE_CLOSES, QUEUE_INQUIRES, QUEUE_OPENS, QUEUE_SETS, TRAFFIC, Totals,
};

/// The sum of a count over all of its cells.
pub fn sum<const COUNT: usize>(all: &Totals<COUNT>, count: Count) -> u64 {
    all.of(count).iter().sum()
}

/// A count of messages that are not persistent and of persistent ones.
pub fn both<const COUNT: usize>(all: &Totals<COUNT>, count: Count) -> Both {
    match *all.of(count) {
        [nonpersistent, persistent] => Both { nonpersistent, persistent },
        _ => Both::default(),
    }
}

/// Puts and gets of messages.
pub fn traffic<const COUNT: usize>(all: &Totals<COUNT>) -> Traffic {
    Traffic {
        puts: both(all, PUTS),
        puts_failed: sum(all, PUTS_FAILED),
        put1s: both(all, PUT1S),
        put1s_failed: sum(all, PUT1S_FAILED),
        put_bytes: both(all, PUT_BYTES),
        gets: both(all, GETS),
        gets_failed: sum(all, GETS_FAILED),
        gets_without_message: sum(all, GETS_WITHOUT),
        gets_truncated: sum(all, GETS_TRUNCATED),
        get_bytes: both(all, GET_BYTES),
        browses: both(all, BROWSES),
        browses_failed: sum(all, BROWSES_FAILED),
        browses_without_message: sum(all, BROWSES_WITHOUT),
        browses_truncated: sum(all, BROWSES_TRUNCATED),
        browse_bytes: both(all, BROWSE_BYTES),
    }
}

/// The calls on a queue; the rest of its figures is nothing.
pub(crate) fn queue_calls(all: &Totals<TRAFFIC>) -> figures::Queue {
    figures::Queue {
        opens: sum(all, QUEUE_OPENS),
        closes: sum(all, QUEUE_CLOSES),
        inquires: sum(all, QUEUE_INQUIRES),
        sets: sum(all, QUEUE_SETS),
        traffic: traffic(all),
        ..figures::Queue::default()
    }
}
