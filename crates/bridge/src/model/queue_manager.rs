//! A queue manager as the host of a pipe sees it: a connector queue, a queue of the other direction, dead
//! letters, seat, state, notes, branches, and a log of which a crash takes any part that was not forced.
//!
//! Always: a crash leaves what some prefix of the log has, with every forced record in it; prepared branches
//! stay, without their non-persistent messages, and open units are backed out.

use std::collections::BTreeMap;

use channel::message::{BatchNumber, Line, Mark};

use super::case::{Answer, Message, Number};
use super::dice::Dice;
use crate::exchange::{Books, DeadLetterUnit, Event, GotMessage, Local, PreparedBranch};
use crate::refusal::{DeadReason, Refusal};
use crate::seat::Seat;
use crate::state::{Note, PipeState};

/// A link to the queue manager, by its number.
pub(super) type LinkId = u64;

/// Effects of a unit of work that are not visible yet.
#[derive(Clone, Debug, Default)]
struct Unit {
    gets: Vec<Message>,
    puts: Vec<Number>,
    dead: Vec<Number>,
    /// The state that it has got, and the one that it puts.
    state: Option<(Option<String>, String)>,
    notes: Vec<Note>,
}

impl Unit {
    fn is_empty(&self) -> bool {
        self.gets.is_empty() && self.puts.is_empty() && self.dead.is_empty()
    }
}

#[derive(Clone, Debug, Default)]
struct Branch {
    unit: Unit,
    is_prepared: bool,
}

/// Everything that a log can have.
#[derive(Clone, Debug, Default)]
struct Store {
    /// The connector queue, by the order of its messages: a backout returns a message to its place.
    queue: BTreeMap<Number, Message>,
    target: Vec<Number>,
    dead: Vec<Number>,
    seat: Option<Seat>,
    state: Option<String>,
    notes: Vec<Note>,
    branches: BTreeMap<(u64, u64), Branch>,
    unit: Unit,
}

impl Store {
    /// A unit comes to nothing.
    fn back_out(&mut self, unit: Unit) {
        self.queue.extend(unit.gets.into_iter().map(|message| (message.number, message)));
        self.notes.extend(unit.notes);
        if let Some((before, _)) = unit.state {
            self.state = before;
        }
    }

    fn commit(&mut self, unit: Unit) {
        self.target.extend(unit.puts);
        self.dead.extend(unit.dead);
        if let Some((_, state)) = unit.state {
            self.state = Some(state);
        }
    }

    /// Backs out what is open and not prepared.
    fn back_out_open(&mut self) {
        let unit = std::mem::take(&mut self.unit);
        self.back_out(unit);
        let open: Vec<_> =
            self.branches.iter().filter(|(_, branch)| !branch.is_prepared).map(|(name, _)| *name).collect();
        for name in open.into_iter().rev() {
            let branch = self.branches.remove(&name).expect("it was there");
            self.back_out(branch.unit);
        }
    }
}

/// The model.
#[derive(Clone, Debug)]
pub(super) struct QueueManager {
    now: Store,
    /// States of the log since the last force, oldest first.
    unforced: Vec<Store>,
    forced: Store,
    /// The conversation with the highest generation, while the queue manager runs.
    conversation: Option<(u64, LinkId)>,
    /// A get found the queue empty: the link hears of the next message.
    waits: Option<LinkId>,
    /// A link whose wait ended, as a later conversation began.
    overtaken: Option<LinkId>,
    random: [u8; 16],
    /// Gets take non-persistent messages outside the branch.
    is_if_persistent: bool,
    /// Messages that have no form in the foreign system.
    unmappable: Vec<Number>,
    /// Planted: state and messages in two units.
    is_state_apart: bool,
}

fn read(text: &str) -> PipeState {
    PipeState::decode(text).expect("a state that was written is read")
}

fn name(line: Line, batch: BatchNumber) -> (u64, u64) {
    (line.0, batch.0)
}

impl QueueManager {
    pub(super) fn new(
        random: [u8; 16],
        is_if_persistent: bool,
        unmappable: Vec<Number>,
        is_state_apart: bool,
    ) -> Self {
        Self {
            now: Store::default(),
            unforced: Vec::new(),
            forced: Store::default(),
            conversation: None,
            waits: None,
            overtaken: None,
            random,
            is_if_persistent,
            unmappable,
            is_state_apart,
        }
    }

    /// An application puts a message.
    pub(super) fn put(&mut self, message: Message) {
        self.now.queue.insert(message.number, message);
        self.force();
    }

    pub(super) fn dead(&self) -> &[Number] {
        &self.now.dead
    }

    pub(super) fn target(&self) -> &[Number] {
        &self.now.target
    }

    /// True if no message waits and no unit is open.
    pub(super) fn is_quiet(&self) -> bool {
        self.now.queue.is_empty() && self.now.branches.is_empty() && self.now.unit.is_empty()
    }

    /// The link whose wait ends now, if one does, and what it hears.
    pub(super) fn end_of_wait(&mut self) -> Option<(LinkId, Answer)> {
        if let Some(link) = self.overtaken.take() {
            return Some((link, Event::Broken("2009: a later conversation began".to_owned()).into()));
        }
        if self.now.queue.is_empty() { None } else { Some((self.waits.take()?, Event::Arrived.into())) }
    }

    fn force(&mut self) {
        self.forced = self.now.clone();
        self.unforced.clear();
    }

    fn log(&mut self) {
        self.unforced.push(self.now.clone());
    }

    /// Power goes and comes back. Links have to end with it.
    pub(super) fn crash(&mut self, dice: &mut Dice) {
        let kept = dice.below(self.unforced.len() + 1);
        self.now = if kept == 0 { self.forced.clone() } else { self.unforced[kept - 1].clone() };
        self.now.back_out_open();
        self.now.queue.retain(|_, message| message.is_persistent);
        for branch in self.now.branches.values_mut() {
            branch.unit.gets.retain(|message| message.is_persistent);
        }
        (self.conversation, self.waits) = (None, None);
        self.force();
    }

    /// A link ends, and is known to.
    pub(super) fn end_link(&mut self, link: LinkId) {
        if self.conversation.is_some_and(|(_, holder)| holder == link) {
            self.now.back_out_open();
            self.log();
            (self.conversation, self.waits) = (None, None);
        }
    }

    /// Serves a call. Returns its answer, where it has one.
    pub(super) fn call(&mut self, link: LinkId, call: &Local, of: &[Number], host: &str) -> Option<Answer> {
        let is_before = matches!(call, Local::TakeSeat | Local::Begin { .. });
        if !is_before && self.conversation.is_none_or(|(_, holder)| holder != link) {
            return Some(Event::Broken("2009: another conversation of this instance began".into()).into());
        }
        match call {
            Local::TakeSeat => {
                let former = self.now.seat.clone();
                let seat = Seat::next(former.as_ref(), self.random, host);
                self.now.seat = Some(seat.clone());
                self.force();
                Some(Event::SeatTaken { seat, former }.into())
            }
            Local::Begin { generation, .. } => {
                if self.conversation.is_some_and(|(newest, _)| newest > *generation) {
                    return Some(Event::Broken("2009: a later generation is there".into()).into());
                }
                self.now.back_out_open();
                self.log();
                self.overtaken = self.waits.take();
                self.conversation = Some((*generation, link));
                Some(Event::Begun.into())
            }
            Local::ReadBooks => Some(self.books()),
            Local::PutState { expected, state } => {
                if !self.is_state(expected.as_ref()) {
                    return Some(Event::StateDiffers.into());
                }
                self.now.state = Some(state.encode());
                self.force();
                Some(Event::StatePut.into())
            }
            Local::Get { line, batch, messages_max, .. } => {
                Some(self.get(link, *line, *batch, *messages_max))
            }
            Local::Put { branch, .. } => {
                self.unit(*branch).puts.extend(of);
                None
            }
            Local::Prepare { line, batch, expected, state, clears_notes } => {
                if !self.is_state(Some(expected)) {
                    return Some(Event::StateDiffers.into());
                }
                let before = self.now.state.take();
                let notes = if *clears_notes { std::mem::take(&mut self.now.notes) } else { Vec::new() };
                let branch = self.now.branches.entry(name(*line, *batch)).or_default();
                branch.unit.state = Some((before, state.encode()));
                branch.unit.notes.extend(notes);
                branch.is_prepared = true;
                self.force();
                Some(Event::Prepared(*batch).into())
            }
            Local::Commit { line, batch } => {
                let branch =
                    self.now.branches.remove(&name(*line, *batch)).expect("a branch that is prepared");
                assert!(branch.is_prepared, "only a prepared branch is committed");
                self.now.commit(branch.unit);
                self.log();
                None
            }
            Local::BackOut { line, batch } => {
                if let Some(branch) = self.now.branches.remove(&name(*line, *batch)) {
                    self.now.back_out(branch.unit);
                }
                self.log();
                Some(Event::BackedOut.into())
            }
            Local::CommitUnit { expected, state } => {
                Some(self.commit_unit(expected.as_ref(), state.as_ref()))
            }
            Local::DeadLetter { line, batch, index, place, unit, .. } => match unit {
                DeadLetterUnit::Batch => {
                    self.unit(Some((*line, *batch)).filter(|(line, _)| *line != Line::NONE)).dead.extend(of);
                    None
                }
                DeadLetterUnit::Noted | DeadLetterUnit::Alone => {
                    self.now.dead.extend(of);
                    let place = place.filter(|_| *unit == DeadLetterUnit::Noted);
                    self.now.notes.extend(place.map(|index| Note { line: *line, batch: *batch, index }));
                    self.force();
                    Some(Event::Noted { batch: *batch, index: *index }.into())
                }
            },
        }
    }

    fn is_state(&self, expected: Option<&PipeState>) -> bool {
        self.now.state == expected.map(PipeState::encode)
    }

    fn unit(&mut self, branch: Option<(Line, BatchNumber)>) -> &mut Unit {
        match branch {
            Some((line, batch)) => &mut self.now.branches.entry(name(line, batch)).or_default().unit,
            None => &mut self.now.unit,
        }
    }

    fn books(&mut self) -> Answer {
        let mut state = self.now.state.clone();
        let mut notes = self.now.notes.clone();
        let mut branches = Vec::new();
        let mut messages = Vec::new();
        for ((line, batch), branch) in &self.now.branches {
            let mut mark = Mark { batch: BatchNumber(*batch), ..Mark::START };
            if let Some((before, after)) = &branch.unit.state {
                state = before.clone().or(state);
                mark = read(after).last;
            }
            notes.extend(branch.unit.notes.iter().copied());
            messages.extend(branch.unit.gets.iter().copied());
            let gets = branch.unit.gets.iter().map(|message| self.got(message)).collect();
            branches.push(PreparedBranch { line: Line(*line), mark, messages: gets });
        }
        let state = state.map(|text| read(&text));
        Answer { event: Event::Books(Books { state, branches, notes }), messages }
    }

    fn got(&self, message: &Message) -> GotMessage {
        let is_bad = self.unmappable.contains(&message.number);
        GotMessage {
            identifier: message.identifier(),
            bytes: 10 + message.number,
            is_persistent: message.is_persistent,
            refusal: is_bad.then(|| Refusal::permanent(DeadReason::UNMAPPABLE, "it has no form there")),
        }
    }

    fn get(&mut self, link: LinkId, line: Line, batch: BatchNumber, messages_max: u32) -> Answer {
        let numbers: Vec<Number> = self.now.queue.keys().copied().take(messages_max as usize).collect();
        let mut messages = Vec::new();
        for number in numbers {
            let message = self.now.queue.remove(&number).expect("it was there");
            messages.push(message);
            if message.is_persistent || !self.is_if_persistent {
                let branch = Some((line, batch)).filter(|(line, _)| *line != Line::NONE);
                self.unit(branch).gets.push(message);
            }
        }
        self.log();
        let is_idle = self.now.queue.is_empty();
        self.waits = is_idle.then_some(link);
        let got = messages.iter().map(|message| self.got(message)).collect();
        Answer { event: Event::Got { batch, messages: got, is_idle }, messages }
    }

    fn commit_unit(&mut self, expected: Option<&PipeState>, state: Option<&PipeState>) -> Answer {
        if expected.is_some() && !self.is_state(expected) {
            return Event::StateDiffers.into();
        }
        let unit = std::mem::take(&mut self.now.unit);
        self.now.commit(unit);
        if self.is_state_apart {
            self.force();
        }
        if let Some(state) = state {
            self.now.state = Some(state.encode());
        }
        if self.is_state_apart {
            self.log()
        } else {
            self.force()
        }
        Event::Committed.into()
    }
}
