//! A branch in doubt where a former holder may yet send it: the same messages go out again, with the same
//! identifiers.

use std::time::Duration;

use super::{Batch, Item, Outbound, Phase, Stage, Status, local};
use crate::bind::{Machine as _, Told};
use crate::exchange::{Books, Call, Event, Last, Local, PreparedBranch, Stop};
use crate::refusal::Refusal;
use crate::settlement::{Settlement, Step, unaccounted};
use crate::state::{Note, PipeState, Position, Published};

impl Outbound {
    /// Both sides are connected.
    pub(super) fn hear_bound(&mut self, books: Books, told: Told, now: Duration, calls: &mut Vec<Call>) {
        let last = match told {
            Told::Last(last) => last,
            Told::Nothing | Told::Source(_) => Last::Unknown,
        };
        if self.settings.delivery.is_fenced() {
            let is_record_evictable = self.settings.is_record_evictable;
            let (settlement, step) =
                Settlement::begin(books, last, self.bind.fresh_line(), is_record_evictable);
            self.phase = Phase::Settling(Box::new(settlement));
            self.go_on(step, calls);
        } else {
            self.phase = Phase::Running;
            self.compare(last, books, now, calls);
        }
    }

    /// Hears an event while branches are settled by the number of the foreign side.
    pub(super) fn hear_settlement(&mut self, event: Event, calls: &mut Vec<Call>) {
        let Phase::Settling(settlement) = &mut self.phase else { return };
        let step = settlement.step(event);
        self.go_on(step, calls);
    }

    fn go_on(&mut self, step: Step, calls: &mut Vec<Call>) {
        match step {
            Step::Calls(more) => calls.extend(more),
            Step::Done { calls: more, state, backouts } => {
                calls.extend(more);
                (self.state, self.backouts) = (Some(state), backouts);
                self.phase = Phase::Running;
            }
            Step::Stop(stop) => self.stop(stop, calls),
        }
    }

    /// Compares what the foreign side tells with the books, where a former holder is not fenced.
    fn compare(&mut self, last: Last, books: Books, now: Duration, calls: &mut Vec<Call>) {
        let told = match last {
            Last::Published(highest) => Some(highest),
            Last::Batch(_) | Last::Unknown => None,
        };
        let Some(state) = books.state.clone() else {
            let position =
                told.map_or(Position::None, |highest| Position::Published(Published::begin(highest)));
            let state = PipeState { position, ..PipeState::default() }.with_line(self.bind.fresh_line());
            self.state = Some(state.clone());
            self.phase = Phase::Naming;
            return local(calls, Local::PutState { expected: None, state });
        };
        if let Some(stop) = unaccounted(&state, &books.branches) {
            return self.stop(stop, calls);
        }
        if let (Some(theirs), Position::Published(ours)) = (told, &state.position)
            && let Some(stop) = judge_published(ours, theirs, &state, &books)
        {
            return self.stop(stop, calls);
        }
        (self.state, self.notes) = (Some(state), books.notes);
        if let Some(branch) = books.branches.first() {
            self.send_again(branch, now, calls);
        }
    }

    /// Takes the prepared branch as the batch that is out.
    fn send_again(&mut self, branch: &PreparedBranch, now: Duration, calls: &mut Vec<Call>) {
        let state = self.bound_state().clone();
        let mut batch = Batch::after(state.last, &self.settings.limits);
        for message in branch.messages.iter().filter(|message| message.is_persistent) {
            batch.fill.take(message.facts(), true, now);
            let place = batch.places;
            batch.places += 1;
            let of_message = (branch.line, branch.mark.batch, place);
            let is_noted = self.notes.iter().any(|note| (note.line, note.batch, note.index) == of_message);
            let refusal =
                message.refusal.clone().map(|refusal| refusal.under(self.settings.uses_dead_letters));
            let status = match refusal {
                _ if is_noted => Status::Dead,
                Some(Refusal::Permanent { reason, .. }) => Status::Condemned(reason),
                Some(Refusal::Transient(_)) => return self.break_off(now, calls),
                None => Status::Waiting,
            };
            batch.items.push(Item { identifier: message.identifier, place: Some(place), status });
        }
        batch.stage = Stage::Preparing;
        batch.state = Some(state.with_batch(batch.mark(), self.position_behind(batch.places)));
        self.current = Some(batch);
        self.hear_prepared(branch.mark.batch, calls);
    }

    pub(super) fn position_behind(&self, places: u32) -> Position {
        let state = self.bound_state();
        match &state.position {
            Position::Published(published) => {
                Position::Published(published.with_batch(places, &refused_places(state, &self.notes)))
            }
            _ => Position::None,
        }
    }
}

/// Places of messages in the last batch that the server refused.
fn refused_places(state: &PipeState, notes: &[Note]) -> Vec<u32> {
    let is_of_last = |note: &&Note| (note.line, note.batch) == (state.line, state.last.batch);
    notes.iter().filter(is_of_last).map(|note| note.index).collect()
}

/// Compares the highest publishing identifiers of both sides.
fn judge_published(ours: &Published, theirs: u64, state: &PipeState, books: &Books) -> Option<Stop> {
    let persistent =
        |branch: &PreparedBranch| branch.messages.iter().filter(|message| message.is_persistent).count();
    let in_doubt = books.branches.first().map_or(0, persistent) as u64;
    let settled = ours.highest(&refused_places(state, &books.notes));
    let most = if in_doubt == 0 { settled } else { ours.last + in_doubt };
    (!(settled..=most).contains(&theirs)).then_some(Stop::Published { ours: settled, theirs })
}
