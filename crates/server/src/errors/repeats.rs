//! States that last and are noted at each try: told once, and at their end with a count.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use objects::messages::{self, MessageRow};

/// Events that are noted again as long as a state lasts, and how long after the last one it is over: longer
/// than from one try to the next, which is 100 ms for new connections, a second for records of refusals and
/// `checkpoint.interval_seconds` for checkpoints as delivered.
static LASTING: [(&MessageRow, Duration); 3] = [
    (&messages::ACCEPTING_PAUSED, Duration::from_secs(2)),
    (&messages::REFUSALS_NOT_RECORDED, Duration::from_secs(5)),
    (&messages::CHECKPOINT_NOT_TAKEN, Duration::from_secs(150)),
];

/// The states that last now; no more than there are rows of them.
#[derive(Debug, Default)]
pub(super) struct Repeats(BTreeMap<u16, Repeat>);

#[derive(Debug)]
struct Repeat {
    row: &'static MessageRow,
    inserts: Vec<String>,
    over_after: Duration,
    began: Instant,
    last: Instant,
    again: u64,
}

/// A state that is over, or that events describe in other words now.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Over {
    pub(super) row: &'static MessageRow,
    /// Number of times that it was noted after the first.
    pub(super) again: u64,
    pub(super) within: Duration,
}

impl Repeats {
    /// Notes an event: true when it says again what the last of its kind said. When it says something else,
    /// the state before it is over.
    pub(super) fn note(
        &mut self,
        row: &'static MessageRow,
        inserts: &[String],
        now: Instant,
    ) -> (bool, Option<Over>) {
        let Some((_, over_after)) = LASTING.iter().find(|(lasting, _)| lasting.number == row.number) else {
            return (false, None);
        };
        if let Some(state) = self.0.get_mut(&row.number).filter(|state| state.inserts == inserts) {
            (state.last, state.again) = (now, state.again + 1);
            return (true, None);
        }
        let repeat = Repeat {
            row,
            inserts: inserts.to_vec(),
            over_after: *over_after,
            began: now,
            last: now,
            again: 0,
        };
        (false, self.0.insert(row.number, repeat).and_then(Repeat::told))
    }

    /// Removes the states that are over now.
    pub(super) fn over(&mut self, now: Instant) -> Vec<Over> {
        let over = self.0.extract_if(.., |_, state| now.duration_since(state.last) >= state.over_after);
        over.filter_map(|(_, state)| state.told()).collect()
    }

    /// Removes every state: the last call, after which nothing is noted.
    pub(super) fn end(&mut self) -> Vec<Over> {
        std::mem::take(&mut self.0).into_values().filter_map(Repeat::told).collect()
    }
}

impl Repeat {
    fn told(self) -> Option<Over> {
        let within = self.last.duration_since(self.began);
        (self.again > 0).then_some(Over { row: self.row, again: self.again, within })
    }
}
