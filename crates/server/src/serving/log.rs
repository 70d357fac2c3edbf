//! The log as a reactor looks after it: when a block is worth a write, and where it is written.

use std::time::{Duration, Instant};

use agents::Agent;
use storage::{Durable, Lsn};
use transport::{Next, spin};

use super::{Serving, Ticking};
use crate::gathering;

/// Longest time that records stay unwritten when no program waits for them: long enough that a commit takes
/// them along, short enough that the commit's own write stays small.
const UNNEEDED_WRITE_DELAY: Duration = Duration::from_millis(1);

impl Serving {
    /// Writes the log if it is worth it, after asking other sockets for more for the same block; releases the
    /// outcomes that this made durable.
    pub(super) fn look_after_log(&mut self, proof: Durable, touched: bool, tick: &mut Ticking<'_>) -> Next {
        if !self.common.queue_manager.log().waits() {
            self.begin_next_block();
            return Next::Wait;
        }
        if !self.is_worth_a_write() {
            return Next::Wait;
        }
        self.common.queue_manager.log().forces_take(self.common.host.writes.recent());
        let waiting =
            || self.gated.iter().filter_map(|id| Some(tick.get(*id)?.0.agent.waiting_for_log())).sum();
        match self.gathering.next(touched, waiting) {
            gathering::Then::Looks => return Next::Again,
            gathering::Then::GivesWay => {
                spin::give_way_for(gathering::STEP);
                return Next::Again;
            }
            gathering::Then::Writes => self.begin_next_block(),
        }
        self.ungated_traffic = self.ungated_traffic.saturating_sub(1);
        let driven = self.drive(proof, tick);
        if driven.lsn() == proof.lsn() {
            return Next::Wait;
        }
        self.open_gates(driven, tick);
        if self.common.queue_manager.log().waits() { Next::Again } else { Next::Wait }
    }

    /// Begins the next block: no program waits for it yet.
    fn begin_next_block(&mut self) {
        self.gathering.begin_anew();
        self.write_by = None;
    }

    /// Returns true if a connection here waits for unwritten records, or they have waited long enough. Puts
    /// of a unit of work need no write of their own: the commit's takes them along.
    fn is_worth_a_write(&mut self) -> bool {
        let now = Instant::now();
        let by = *self.write_by.get_or_insert(now + UNNEEDED_WRITE_DELAY);
        !self.gated.is_empty() || now >= by
    }

    /// Writes the log, here or by its thread. Returns the proof of durability then.
    fn drive(&mut self, before: Durable, tick: &mut Ticking<'_>) -> Durable {
        let holds_up = self.ungated_traffic > 0 && self.connections > 1 || tick.more_is_ready();
        if !self.common.driving.inline(self.common.host.writes.recent(), holds_up) {
            self.common.host.log_bell.unpark();
            return before;
        }
        let began = Instant::now();
        let proof = self.common.queue_manager.drive();
        if proof.lsn() > before.lsn() {
            self.common.host.writes.took(began.elapsed());
        }
        proof
    }

    /// Before sleeping: lets the host know whether this reactor must hear of durability, and looks once more,
    /// because the log may have advanced before it was known.
    pub(super) fn watch_the_log(&mut self, seen: Lsn, next: Next) -> Next {
        if self.gated.is_empty() {
            self.holds_gated.clear();
            return next;
        }
        self.holds_gated.set();
        if next == Next::Wait && self.common.queue_manager.durable().lsn() > seen {
            return Next::Again;
        }
        next
    }
}
