//! A bound on how often one event is written: the first ones of each second, then a count.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::FLOOD_WINDOW;

/// Events admitted and left out lately, for each number.
pub(super) struct Flood {
    admitted_max: u32,
    numbers: BTreeMap<u16, Window>,
}

struct Window {
    id: String,
    began: Instant,
    admitted: u32,
    left_out: u64,
}

/// Events that were not written.
pub(super) struct LeftOut {
    pub(super) id: String,
    pub(super) count: u64,
    pub(super) within: Duration,
}

impl Flood {
    pub(super) fn new(admitted_max: u32) -> Self {
        Self { admitted_max, numbers: BTreeMap::new() }
    }

    /// True if this event is to be written.
    pub(super) fn admits(&mut self, number: u16, id: impl FnOnce() -> String, now: Instant) -> bool {
        let fresh = || Window { id: id(), began: now, admitted: 0, left_out: 0 };
        let window = self.numbers.entry(number).or_insert_with(fresh);
        if window.admitted < self.admitted_max {
            window.admitted += 1;
            return true;
        }
        window.left_out += 1;
        false
    }

    /// Closes the windows that are over and says what was left out in them.
    pub(super) fn left_out(&mut self, now: Instant) -> Vec<LeftOut> {
        let over = self.numbers.extract_if(.., |_, window| now.duration_since(window.began) >= FLOOD_WINDOW);
        let told = over.filter(|(_, window)| window.left_out > 0);
        told.map(|(_, window)| LeftOut {
            id: window.id,
            count: window.left_out,
            within: now.duration_since(window.began),
        })
        .collect()
    }
}
