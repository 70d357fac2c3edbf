//! The machine of a pipe OUT with SERVICE(HIGH): messages are sent, confirmed, and then committed.
//!
//! Non-persistent messages are got outside a unit of work, the others in one that ends after the confirms.
//!
//! Always: no state and no branch. A break may double persistent messages, and loses messages that were got
//! outside the unit.

use std::time::Duration;

use channel::message::{BatchNumber, Line, Mark};

use crate::batch::{Fill, Limits};
use crate::bind::{Bind, Machine};
use crate::exchange::{Call, DeadLetterUnit, Event, Foreign, GotMessage, Local};
use crate::refusal::Refusal;
use crate::state::PipeState;

/// The machine. Batches count up from 1 with each bind, to tell answers apart.
#[derive(Clone, Debug)]
pub struct HighOutbound {
    bind: Bind,
    limits: Limits,
    uses_dead_letters: bool,
    batch: BatchNumber,
    fill: Fill,
    /// Messages of the batch that are not confirmed or put away: true while they are.
    open: Vec<bool>,
    /// Identifiers are not needed: persistence says in which unit a dead letter goes.
    is_persistent: Vec<bool>,
    is_getting: bool,
    is_idle: bool,
    is_committing: bool,
    is_ending: bool,
}

impl HighOutbound {
    /// Begins, stopped: the first event is [`Event::Start`].
    #[must_use]
    pub fn new(host: String, random: [u8; 16], limits: Limits, uses_dead_letters: bool) -> Self {
        Self {
            bind: Bind::new(host, random, None),
            limits,
            uses_dead_letters,
            batch: BatchNumber(0),
            fill: Fill::after(Mark::START, &limits),
            open: Vec::new(),
            is_persistent: Vec::new(),
            is_getting: false,
            is_idle: false,
            is_committing: false,
            is_ending: false,
        }
    }

    fn hear_bind(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        if self.bind.hear(event, now, calls).is_some() {
            self.begin_batch();
        }
    }

    fn begin_batch(&mut self) {
        self.batch = self.batch.next();
        self.fill = Fill::after(Mark::START, &self.limits);
        self.open.clear();
        self.is_persistent.clear();
    }

    fn hear_got(&mut self, messages: Vec<GotMessage>, is_idle: bool, now: Duration, calls: &mut Vec<Call>) {
        (self.is_getting, self.is_idle) = (false, is_idle);
        for message in messages {
            let index = self.open.len() as u64;
            self.fill.take(message.facts(), false, now);
            self.open.push(true);
            self.is_persistent.push(message.is_persistent);
            match message.refusal {
                Some(refusal) => self.hear_refused(Some(index), refusal, now, calls),
                None => calls.push(Call::Foreign(Foreign::Send { batch: self.batch, index, id: None })),
            }
        }
    }

    fn hear_refused(&mut self, index: Option<u64>, refusal: Refusal, now: Duration, calls: &mut Vec<Call>) {
        let place = index.and_then(|index| usize::try_from(index).ok());
        let is_persistent = place.and_then(|place| self.is_persistent.get(place)).copied();
        match (refusal.under(self.uses_dead_letters), index, is_persistent) {
            (Refusal::Permanent { reason, .. }, Some(index), Some(is_persistent)) => {
                let unit = if is_persistent { DeadLetterUnit::Batch } else { DeadLetterUnit::Alone };
                let batch = self.batch;
                calls.push(Call::Local(Local::DeadLetter {
                    line: Line::NONE,
                    batch,
                    index,
                    place: None,
                    reason,
                    unit,
                }));
                if is_persistent {
                    self.close(index);
                }
            }
            _ => self.break_off(now, calls),
        }
    }

    fn close(&mut self, index: u64) {
        if let Some(open) = usize::try_from(index).ok().and_then(|index| self.open.get_mut(index)) {
            *open = false;
        }
    }
}

impl Machine for HighOutbound {
    fn begin(&mut self) {
        self.is_ending = false;
    }

    fn hear(&mut self, event: Event, now: Duration, calls: &mut Vec<Call>) {
        match event {
            event if !self.bind.is_bound() => self.hear_bind(event, now, calls),
            Event::Arrived => self.is_idle = false,
            Event::Got { batch, messages, is_idle } if batch == self.batch => {
                self.hear_got(messages, is_idle, now, calls);
            }
            Event::Acknowledged { batch, index } | Event::Noted { batch, index } if batch == self.batch => {
                self.close(index);
            }
            Event::Refused { batch, index, refusal } if batch == self.batch => {
                self.hear_refused(index, refusal, now, calls);
            }
            Event::Committed => {
                self.is_committing = false;
                self.begin_batch();
                self.bind.prosper();
            }
            _ => {}
        }
    }

    fn break_off(&mut self, now: Duration, calls: &mut Vec<Call>) {
        self.begin_batch();
        (self.is_getting, self.is_idle, self.is_committing) = (false, false, false);
        calls.push(self.bind.break_off(now));
    }

    fn end(&mut self, _: &mut Vec<Call>) {
        self.is_ending = true;
    }

    fn advance(&mut self, now: Duration, calls: &mut Vec<Call>) {
        if !self.bind.is_bound() || self.is_committing || self.is_getting {
            return;
        }
        let is_over = self.fill.messages() > 0 && (self.is_ending || self.fill.is_due(now, self.is_idle));
        if is_over {
            if self.open.iter().all(|open| !open) {
                self.is_committing = true;
                calls.push(Call::Local(Local::CommitUnit { expected: None, state: None }));
            }
        } else if self.is_ending && self.fill.messages() == 0 {
            self.bind.stop();
            calls.push(Call::Reset);
        } else if !self.is_idle && !self.is_ending {
            self.is_getting = true;
            let (messages_max, bytes_max) = (self.fill.messages_left(), self.fill.bytes_left());
            calls.push(Call::Local(Local::Get {
                line: Line::NONE,
                batch: self.batch,
                messages_max,
                bytes_max,
            }));
        }
    }

    fn due_at(&self) -> Option<Duration> {
        self.bind.due_at().or_else(|| self.fill.due_at(self.is_idle))
    }

    fn bind(&self) -> &Bind {
        &self.bind
    }

    fn state(&self) -> Option<&PipeState> {
        None
    }
}
