//! The course of a batch from its first message to its commit.

use std::time::Duration;

use channel::message::{BatchNumber, Line};

use super::{Batch, Item, Outbound, Stage, Status, foreign, local};
use crate::bind::Machine as _;
use crate::exchange::{Call, DeadLetterUnit, Foreign, GotMessage, Local};
use crate::refusal::{DeadReason, Next, Refusal};
use crate::state::Note;
use crate::system::Delivery;

impl Outbound {
    pub(super) fn hear_got(
        &mut self,
        number: BatchNumber,
        messages: Vec<GotMessage>,
        is_idle: bool,
        now: Duration,
        calls: &mut Vec<Call>,
    ) {
        // Others may have arrived, and been told of, since the host looked.
        self.is_idle = is_idle;
        let is_fenced = self.settings.delivery.is_fenced();
        let line = self.state.as_ref().map(|state| state.line).unwrap_or_default();
        let [current, next] = [&mut self.current, &mut self.next];
        let Some(batch) = [current, next].into_iter().flatten().find(|batch| batch.number == number) else {
            return;
        };
        batch.is_getting = false;
        for message in messages {
            let is_in_branch = message.is_persistent;
            batch.fill.take(message.facts(), is_in_branch, now);
            let index = batch.items.len() as u64;
            let place = is_in_branch.then_some(batch.places);
            batch.places += u32::from(is_in_branch);
            let refusal = message.refusal.or_else(|| self.search.judge(&message.identifier));
            let status = match refusal.map(|refusal| refusal.under(self.settings.uses_dead_letters)) {
                None => Status::Waiting,
                Some(Refusal::Transient(_)) => return self.break_off(now, calls),
                // Not fenced, it is told apart only once the branch is prepared: what a later settle sends
                // has to be the same.
                Some(Refusal::Permanent { reason, .. }) if !is_fenced && is_in_branch => {
                    Status::Condemned(reason)
                }
                Some(Refusal::Permanent { reason, .. }) => {
                    let unit = if is_fenced { DeadLetterUnit::Batch } else { DeadLetterUnit::Alone };
                    local(calls, Local::DeadLetter { line, batch: number, index, place: None, reason, unit });
                    if is_fenced { Status::Dead } else { Status::Noting }
                }
            };
            batch.items.push(Item { identifier: message.identifier, place, status });
        }
    }

    pub(super) fn hear_prepared(&mut self, number: BatchNumber, calls: &mut Vec<Call>) {
        let Some(batch) = self.current.as_mut().filter(|batch| is_at(batch, number, Stage::Preparing)) else {
            return;
        };
        let (line, mark) = (batch.state.as_ref().map(|state| state.line).unwrap_or_default(), batch.mark());
        if self.settings.delivery.is_fenced() {
            batch.stage = Stage::Committing;
            if !self.settings.delivery.sends_early() {
                self.send_waiting(calls);
            }
            foreign(calls, Foreign::Commit { line, mark });
            return;
        }
        batch.stage = Stage::Confirming;
        for (index, item) in batch.items.iter_mut().enumerate() {
            if let Status::Condemned(reason) = item.status {
                item.status = Status::Noting;
                local(calls, dead_letter(line, number, (index as u64, item.place), reason));
            }
        }
        self.send_waiting(calls);
    }

    pub(super) fn hear_refused(
        &mut self,
        number: BatchNumber,
        index: Option<u64>,
        refusal: Refusal,
        now: Duration,
        calls: &mut Vec<Call>,
    ) {
        let line = self.state.as_ref().map(|state| state.line).unwrap_or_default();
        let Some(batch) = self.current.as_mut().filter(|batch| batch.number == number) else { return };
        let Refusal::Permanent { reason, text } = refusal.under(self.settings.uses_dead_letters) else {
            return self.break_off(now, calls);
        };
        let refused =
            index.and_then(|index| usize::try_from(index).ok()).filter(|index| *index < batch.items.len());
        match (self.settings.delivery, refused) {
            (Delivery::Numbered | Delivery::Confirmed, None) => self.break_off(now, calls),
            (Delivery::Numbered | Delivery::Confirmed, Some(index)) => {
                let item = &mut batch.items[index];
                item.status = Status::Noting;
                local(calls, dead_letter(line, number, (index as u64, item.place), reason));
            }
            (Delivery::Transaction, Some(index)) if batch.stage == Stage::Filling => {
                let unit = DeadLetterUnit::Batch;
                let index = index as u64;
                local(calls, Local::DeadLetter { line, batch: number, index, place: None, reason, unit });
                batch.items[index as usize].status = Status::Dead;
                for item in &mut batch.items {
                    if matches!(item.status, Status::Sent | Status::Safe) {
                        item.status = Status::Waiting;
                    }
                }
                self.aborts += 1;
                foreign(calls, Foreign::Abort);
                self.send_waiting(calls);
            }
            (Delivery::Transaction | Delivery::Atomic, refused) => {
                let live = batch.live().count() as u32;
                let found = match refused {
                    Some(index) => Some(batch.items[index].identifier),
                    None if self.search.refused(live) == Next::Found => {
                        batch.live().next().map(|item| item.identifier)
                    }
                    None => None,
                };
                if let Some(identifier) = found {
                    self.search.condemn(identifier, reason, text);
                }
                self.start_over(calls);
            }
        }
    }

    /// The foreign side has nothing of the batch, by its own word: its messages are got again.
    fn start_over(&mut self, calls: &mut Vec<Call>) {
        let line = self.bound_state().line;
        if self.settings.delivery == Delivery::Transaction {
            self.aborts += 1;
            foreign(calls, Foreign::Abort);
        }
        for batch in [self.next.take(), self.current.take()].into_iter().flatten() {
            self.backouts += 1;
            local(calls, Local::BackOut { line, batch: batch.number });
        }
        self.is_idle = false;
    }

    pub(super) fn hear_committed(&mut self, number: BatchNumber, calls: &mut Vec<Call>) {
        if self.current.as_ref().is_some_and(|batch| is_at(batch, number, Stage::Committing)) {
            self.commit(calls);
        }
    }

    pub(super) fn hear_noted(&mut self, number: BatchNumber, index: u64) {
        let batches = [&self.current, &self.next].into_iter().flatten();
        let item =
            batches.filter(|batch| batch.number == number).find_map(|batch| batch.items.get(index as usize));
        if let (Some(place), Some(state)) = (item.and_then(|item| item.place), &self.state) {
            self.notes.push(Note { line: state.line, batch: number, index: place });
        }
        self.set_status(number, index, Status::Noting, Status::Dead);
    }

    pub(super) fn set_status(&mut self, number: BatchNumber, index: u64, from: Status, to: Status) {
        let batches = [&mut self.current, &mut self.next].into_iter().flatten();
        let Some(batch) = batches.into_iter().find(|batch| batch.number == number) else { return };
        let item = usize::try_from(index).ok().and_then(|index| batch.items.get_mut(index));
        if let Some(item) = item.filter(|item| item.status == from) {
            item.status = to;
        }
    }

    fn commit(&mut self, calls: &mut Vec<Call>) {
        let Some(batch) = self.current.take() else { return };
        let state = batch.state.expect("a prepared batch has its state");
        local(calls, Local::Commit { line: state.line, batch: batch.number });
        self.state = Some(state);
        self.search.accepted();
        self.bind.prosper();
    }

    /// Takes batches a step on. Returns true if another step may follow at once.
    pub(super) fn go_on_with_batches(&mut self, now: Duration, calls: &mut Vec<Call>) -> bool {
        let is_confirmed = |batch: &Batch| batch.stage == Stage::Confirming && batch.is_settled();
        if self.current.as_ref().is_some_and(is_confirmed) {
            self.commit(calls);
        }
        if self.current.is_none() {
            self.current = self.next.take();
            if self.current.is_none() && self.is_ending {
                self.rest();
                calls.push(Call::Reset);
                return false;
            }
            let last = self.bound_state().last;
            self.current.get_or_insert_with(|| Batch::after(last, &self.settings.limits));
        }
        self.get(calls);
        if self.settings.delivery.sends_early() {
            self.send_waiting(calls);
        }
        self.end_batch(now, calls)
    }

    /// Asks for messages of the batch that is being filled.
    fn get(&mut self, calls: &mut Vec<Call>) {
        if self.is_idle || self.is_ending {
            return;
        }
        let line = self.bound_state().line;
        let limit = self.search.limit();
        let Some(current) = &mut self.current else { return };
        let batch = if current.stage == Stage::Filling {
            current
        } else {
            // A search takes one batch after the other.
            if self.settings.limits.in_flight < 2 || limit.is_some() {
                return;
            }
            let mark = current.mark();
            self.next.get_or_insert_with(|| Batch::after(mark, &self.settings.limits))
        };
        let left = batch.fill.messages_left();
        let messages_max = limit.map_or(left, |limit| left.min(limit.saturating_sub(batch.fill.messages())));
        if batch.is_getting || messages_max == 0 {
            return;
        }
        batch.is_getting = true;
        local(
            calls,
            Local::Get { line, batch: batch.number, messages_max, bytes_max: batch.fill.bytes_left() },
        );
    }

    fn send_waiting(&mut self, calls: &mut Vec<Call>) {
        let is_numbered = self.settings.delivery == Delivery::Numbered;
        let has_answers = self.settings.delivery != Delivery::Atomic;
        let published = self.published();
        let Some(batch) = &mut self.current else { return };
        for (index, item) in batch.items.iter_mut().enumerate() {
            if item.status == Status::Waiting {
                item.status = if has_answers { Status::Sent } else { Status::Safe };
                let id = item.place.filter(|_| is_numbered).map(|place| published + u64::from(place) + 1);
                foreign(calls, Foreign::Send { batch: batch.number, index: index as u64, id });
            }
        }
    }

    /// Ends the batch if it is due. Returns true if it is prepared by that.
    fn end_batch(&mut self, now: Duration, calls: &mut Vec<Call>) -> bool {
        let limit = self.search.limit();
        let (is_idle, is_ending) = (self.is_idle, self.is_ending);
        let Some(batch) = &mut self.current else { return false };
        let is_filled = batch.stage == Stage::Filling && !batch.is_getting && batch.fill.messages() > 0;
        let is_at_limit = limit.is_some_and(|limit| batch.fill.messages() >= limit);
        if !is_filled || !(is_ending || is_at_limit || batch.fill.is_due(now, is_idle)) {
            let is_empty = batch.stage == Stage::Filling && !batch.is_getting && batch.items.is_empty();
            if is_ending && is_empty {
                self.current = None;
            }
            return is_ending && is_empty;
        }
        if self.settings.delivery.sends_early() && (self.aborts > 0 || !batch.is_settled()) {
            return false;
        }
        batch.stage = Stage::Preparing;
        let (mark, places, number) = (batch.mark(), batch.places, batch.number);
        let expected = self.bound_state().clone();
        let state = expected.with_batch(mark, self.position_behind(places));
        // Their part of the position is in the state now.
        let clears_notes = !self.notes.is_empty();
        let line = state.line;
        if let Some(batch) = &mut self.current {
            batch.state = Some(state.clone());
        }
        local(calls, Local::Prepare { line, batch: number, expected, state, clears_notes });
        self.notes.clear();
        true
    }
}

fn is_at(batch: &Batch, number: BatchNumber, stage: Stage) -> bool {
    batch.number == number && batch.stage == stage
}

fn dead_letter(line: Line, batch: BatchNumber, message: (u64, Option<u32>), reason: DeadReason) -> Local {
    let (index, place) = message;
    let unit = if place.is_some() { DeadLetterUnit::Noted } else { DeadLetterUnit::Alone };
    Local::DeadLetter { line, batch, index, place, reason, unit }
}
