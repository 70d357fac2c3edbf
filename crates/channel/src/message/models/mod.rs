//! Both machines, their logs and the link between them, explored: every order of their steps, crashes that
//! keep any part of a log past its durable end, cuts, an old receiver that still reads, RESET at either end,
//! RESOLVE by hand, pauses and refusals, fast messages, one end restored from a backup.
//!
//! Wrong is a message doubled, lost or inverted that no finding named, and a stop that no hand has caused.
//! Stuck is a state from which no way leads to the end. Faults are planted in the steps between the machines;
//! each has to be found.
//!
//! ```text
//! small, in seconds:  cargo test -p channel --lib message::models
//! whole, with counts: cargo test --release -p channel --lib message::models -- --ignored --nocapture
//! ```

mod breaks;
mod receiver;
mod sender;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use super::negotiate::Terms;
use super::*;
use Fault::*;

/// A message, by its number.
type Number = u8;

/// Bounds of a run.
#[derive(Clone, Copy, Debug)]
struct Run {
    name: &'static str,
    messages: Number,
    has_fast: bool,
    crashes: u8,
    cuts: u8,
    resolves: u8,
    resets: u8,
    wishes: u8,
    fills: u8,
    refusals: u8,
    restores: u8,
}

const NOTHING: Run = Run {
    name: "",
    messages: 2,
    has_fast: false,
    crashes: 1,
    cuts: 1,
    resolves: 0,
    resets: 0,
    wishes: 0,
    fills: 0,
    refusals: 0,
    restores: 0,
};
const WHOLE: [Run; 6] = [
    Run { name: "base", messages: 3, crashes: 2, ..NOTHING },
    Run { name: "reset", crashes: 2, resets: 1, wishes: 1, ..NOTHING },
    Run { name: "byhand", resolves: 1, resets: 1, ..NOTHING },
    Run { name: "pause", messages: 3, fills: 1, refusals: 1, ..NOTHING },
    Run { name: "fast", has_fast: true, fills: 1, refusals: 1, ..NOTHING },
    Run { name: "restore", resets: 1, restores: 1, ..NOTHING },
];
/// The questions of the full run, with fewer steps.
const SMALL: [Run; 7] = [
    Run { name: "base", ..NOTHING },
    Run { name: "reset", messages: 1, resets: 1, wishes: 1, ..NOTHING },
    Run { name: "byhand", cuts: 0, resolves: 1, resets: 1, ..NOTHING },
    Run { name: "pause", crashes: 0, fills: 1, refusals: 1, ..NOTHING },
    Run { name: "fast", messages: 1, has_fast: true, crashes: 0, fills: 1, refusals: 1, ..NOTHING },
    Run { name: "restore", crashes: 0, restores: 1, ..NOTHING },
    Run { name: "restore", messages: 1, cuts: 0, resets: 1, restores: 1, ..NOTHING },
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    AsDesigned,
    EndBeforePrepare,
    DoneBeforeCommit,
    PrepareForgotten,
    OldAgentLives,
    LineNotConfirmed,
    LineBeforeDurable,
    PositionBeforeDurable,
    ResetInDoubt,
    ReceiverForgets,
    ResetForgets,
    ResolveWithoutNumbers,
    ResolveSilent,
    RefusalOvertakes,
    RefusedGoesOn,
    PausedLives,
    PausedIsSkipped,
    FastSentAgain,
    FastDropped,
    ChainIgnored,
    OtherLineTaken,
    NoLineTaken,
    NumberBesideCommit,
}

/// Each fault, and the run that has to find it.
const FAULTS: [(Fault, &str); 22] = [
    (EndBeforePrepare, "base"),
    (DoneBeforeCommit, "base"),
    (PrepareForgotten, "base"),
    (OldAgentLives, "base"),
    (NumberBesideCommit, "base"),
    (LineNotConfirmed, "reset"),
    (LineBeforeDurable, "reset"),
    (PositionBeforeDurable, "reset"),
    (ResetInDoubt, "reset"),
    (ReceiverForgets, "reset"),
    (ResetForgets, "byhand"),
    (ResolveWithoutNumbers, "byhand"),
    (ResolveSilent, "byhand"),
    (RefusalOvertakes, "pause"),
    (RefusedGoesOn, "pause"),
    (PausedLives, "pause"),
    (PausedIsSkipped, "pause"),
    (FastSentAgain, "fast"),
    (FastDropped, "fast"),
    (ChainIgnored, "restore"),
    (OtherLineTaken, "restore"),
    (NoLineTaken, "restore"),
];

/// A record in the log of the sender's queue manager.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    Line(Line),
    /// The number before the first message of the line.
    Start(Sequence),
    /// A stop named a line of the receiver.
    Told(Line),
    Prepared(Mark, Vec<Number>),
    Committed(BatchNumber),
    BackedOut(BatchNumber),
    CommittedByHand(BatchNumber),
    BackedOutByHand(BatchNumber),
}

/// A record in the log of the receiver's queue manager.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Taken {
    Line(Line),
    /// The number before the first message of the line.
    Start(Sequence),
    Wish,
    Forgotten,
    Batch(Mark, Vec<Number>),
    /// Planted: messages whose number comes later.
    Unnumbered(Vec<Number>),
}

/// A log, and how much of it is durable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Log<R> {
    records: Vec<R>,
    durable: usize,
}

impl<R: Clone> Log<R> {
    fn with(&self, records: impl IntoIterator<Item = R>) -> Self {
        let mut log = self.clone();
        log.records.extend(records);
        log
    }

    fn cut(&self, length: usize) -> Self {
        Self { records: self.records[..length].to_vec(), durable: length }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum ToReceiver {
    Hello,
    Resume(Resume),
    Batch(Vec<Number>, EndOfBatch),
    Fast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ToSender {
    Position(Position),
    Done(BatchNumber),
    Refused(BatchNumber),
}

/// A frame that waits for room at the destination, and whether it is tried once more.
type Hold = Option<(ToReceiver, bool)>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Link {
    to_receiver: VecDeque<ToReceiver>,
    to_sender: VecDeque<ToSender>,
    sending: Sending,
    /// None before the Hello was read, and after a refusal.
    receiving: Option<Receiving>,
    has_ended: bool,
    /// A new line is named once it is durable.
    names_line: bool,
    /// Ends of batches that were sent on this link.
    sent: usize,
    gated: VecDeque<(usize, ToSender)>,
    hold: Hold,
}

/// A receiver that reads on from a link that the sender has left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Ghost {
    frames: VecDeque<ToReceiver>,
    receiving: Receiving,
    hold: Hold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum FastPlace {
    Absent,
    Queued,
    Sent,
    Held,
    Put,
    Lost,
    Silent,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    sender: Log<Kept>,
    receiver: Log<Taken>,
    link: Option<Link>,
    ghost: Option<Ghost>,
    is_full: bool,
    left: [u8; 8],
    named: BTreeSet<Number>,
    fast: (FastPlace, u8),
    is_stopped: bool,
}

const CRASHES: usize = 0;
const CUTS: usize = 1;
const RESOLVES: usize = 2;
const RESETS: usize = 3;
const WISHES: usize = 4;
const FILLS: usize = 5;
const REFUSALS: usize = 6;
const RESTORES: usize = 7;

/// The sender's log, read as a restart reads it.
struct SenderBooks {
    state: SenderState,
    gone: BTreeSet<Number>,
    by_hand: BTreeSet<Number>,
    available: Vec<Number>,
    /// Batches by line and number, those that were backed out left out.
    own: BTreeMap<(Line, BatchNumber), Vec<Number>>,
}

const TERMS: Terms = Terms {
    batch_messages_max: 2,
    batch_bytes_max: None,
    message_bytes_max: 100,
    heartbeat_seconds: 0,
    highest: Sequence(100),
    in_flight_max: 2,
    is_fast: true,
};

fn facts(number: &[u8; 24]) -> Facts<'_> {
    Facts { identifier: number, bytes: 0 }
}

fn sender_books(records: &[Kept], messages: Number, fault: Fault) -> SenderBooks {
    let mut state = SenderState::default();
    let (mut gone, mut by_hand, mut own) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    let mut held: BTreeMap<BatchNumber, (Mark, Vec<Number>)> = BTreeMap::new();
    let mut told = Line::NONE;
    for record in records {
        match record {
            Kept::Line(line) => {
                if state.is_used {
                    state.before = Some(LineEnd { line: state.line, mark: state.confirmed });
                }
                let stays = *line == state.line && !state.is_used;
                state = SenderState {
                    line: *line,
                    confirmed: if stays { state.confirmed } else { Mark::START },
                    before: state.before,
                    replaces: std::mem::take(&mut told),
                    resolved: state.resolved,
                    ..SenderState::default()
                };
            }
            Kept::Start(sequence) => state.confirmed = Mark::start_behind(*sequence),
            Kept::Told(line) => told = *line,
            Kept::Prepared(mark, numbers) => {
                if !state.is_used {
                    state = SenderState { is_used: true, resolved: None, replaces: Line::NONE, ..state };
                }
                state.prepared.push_back(*mark);
                held.insert(mark.batch, (*mark, numbers.clone()));
                own.insert((state.line, mark.batch), numbers.clone());
            }
            Kept::Committed(batch) | Kept::CommittedByHand(batch) => {
                let (mark, numbers) = held.remove(batch).expect("a batch that is in doubt");
                state.prepared.retain(|prepared| prepared.batch != *batch);
                gone.extend(&numbers);
                let is_by_hand = matches!(record, Kept::CommittedByHand(_));
                if is_by_hand {
                    by_hand.extend(&numbers);
                    state.resolved = Some(resolved(state.resolved, *batch, true));
                }
                if !(is_by_hand && fault == ResolveWithoutNumbers) {
                    state.confirmed = mark;
                }
            }
            Kept::BackedOut(batch) | Kept::BackedOutByHand(batch) => {
                held.remove(batch);
                state.prepared.retain(|prepared| prepared.batch != *batch);
                own.remove(&(state.line, *batch));
                if matches!(record, Kept::BackedOutByHand(_)) {
                    state.resolved = Some(resolved(state.resolved, *batch, false));
                }
            }
        }
    }
    let in_doubt: BTreeSet<Number> = held.values().flat_map(|(_, numbers)| numbers.clone()).collect();
    let available = (1..=messages).filter(|one| !gone.contains(one) && !in_doubt.contains(one)).collect();
    SenderBooks { state, gone, by_hand, available, own }
}

fn resolved(before: Option<Resolved>, batch: BatchNumber, is_committed: bool) -> Resolved {
    match before {
        Some(one) if one.is_committed == is_committed => {
            Resolved { first: one.first.min(batch), last: one.last.max(batch), is_committed }
        }
        _ => Resolved { first: batch, last: batch, is_committed },
    }
}

fn receiver_books(records: &[Taken]) -> (ReceiverState, Vec<(BatchNumber, Vec<Number>)>) {
    let (mut state, mut batches) = (ReceiverState::default(), Vec::new());
    for record in records {
        match record {
            Taken::Line(line) => {
                let last = if *line == state.line { state.last } else { Mark::START };
                (state, batches) =
                    (ReceiverState { line: *line, last, ..ReceiverState::default() }, Vec::new());
            }
            Taken::Start(sequence) => state.last = Mark::start_behind(*sequence),
            Taken::Wish => state.wants_reset = true,
            Taken::Forgotten => (state, batches) = (ReceiverState::default(), Vec::new()),
            Taken::Batch(mark, numbers) => {
                state.last = *mark;
                batches.push((mark.batch, numbers.clone()));
            }
            Taken::Unnumbered(_) => {}
        }
    }
    (state, batches)
}

fn got(records: &[Taken]) -> Vec<Number> {
    let mut got = Vec::new();
    let mut unnumbered: &[Number] = &[];
    for record in records {
        match record {
            Taken::Unnumbered(numbers) => {
                got.extend(numbers);
                unnumbered = numbers;
            }
            Taken::Batch(_, numbers) if numbers == unnumbered => unnumbered = &[],
            Taken::Batch(_, numbers) => got.extend(numbers),
            _ => {}
        }
    }
    got
}

/// An old receiver reads on what the sender left behind.
fn left_behind(link: &Link, ghost: &Option<Ghost>) -> Option<Ghost> {
    match &link.receiving {
        Some(receiving) if !link.has_ended => Some(Ghost {
            frames: link.to_receiver.clone(),
            receiving: receiving.clone(),
            hold: link.hold.clone(),
        }),
        _ => ghost.clone(),
    }
}

fn lost(fast: (FastPlace, u8)) -> (FastPlace, u8) {
    match fast.0 {
        FastPlace::Sent | FastPlace::Held => (FastPlace::Lost, fast.1),
        _ => fast,
    }
}

fn put(fast: (FastPlace, u8)) -> (FastPlace, u8) {
    (if fast.0 == FastPlace::Queued { fast.0 } else { FastPlace::Put }, fast.1 + 1)
}

fn held(fast: (FastPlace, u8)) -> (FastPlace, u8) {
    (if fast.0 == FastPlace::Queued { fast.0 } else { FastPlace::Held }, fast.1)
}

/// One way in which a receiver that works on a frame goes on.
enum Work {
    /// It waits, perhaps for the last time.
    Holds(bool, (FastPlace, u8)),
    /// The fast message is put.
    Fast((FastPlace, u8)),
    /// The batch is committed.
    Commits,
    /// The batch is refused.
    Refuses,
}

struct Model {
    run: Run,
    fault: Fault,
}

type Steps = Result<Vec<State>, String>;

impl Model {
    fn all(&self) -> BTreeSet<Number> {
        (1..=self.run.messages).collect()
    }

    fn is_restored(&self, state: &State) -> bool {
        self.run.restores > state.left[RESTORES]
    }

    fn check(&self, state: &State) -> Result<(), String> {
        let received = got(&state.receiver.records);
        let mut first: Vec<Number> = Vec::new();
        for number in &received {
            if !first.contains(number) {
                first.push(*number);
            } else if !state.named.contains(number) {
                return Err(format!("message {number} is doubled in silence"));
            }
        }
        first.retain(|number| !state.named.contains(number));
        if !first.is_sorted() {
            return Err(format!("inverted: {first:?}"));
        }
        let restored = self.is_restored(state);
        let durable: BTreeSet<Number> =
            got(&state.receiver.records[..state.receiver.durable]).into_iter().collect();
        let arrived: BTreeSet<Number> = received.into_iter().collect();
        for length in [state.sender.durable, state.sender.records.len()] {
            let books = sender_books(&state.sender.records[..length], self.run.messages, self.fault);
            let mut sure = books.gone.difference(&books.by_hand);
            if !restored && let Some(number) = sure.find(|number| !durable.contains(*number)) {
                return Err(format!("message {number} is lost"));
            }
        }
        if state.link.as_ref().is_some_and(|link| link.sending.is_bound()) {
            let books = sender_books(&state.sender.records, self.run.messages, self.fault);
            let judged = if restored { &books.gone } else { &books.by_hand };
            if judged.iter().any(|number| !arrived.contains(number) && !state.named.contains(number)) {
                return Err("missing in silence".into());
            }
        }
        if state.fast.1 > 1 || state.fast.0 == FastPlace::Silent {
            return Err(format!("the fast message is doubled or dropped: {:?}", state.fast));
        }
        Ok(())
    }

    fn is_done(&self, state: &State) -> bool {
        let books = sender_books(&state.sender.records, self.run.messages, self.fault);
        let arrived = got(&state.receiver.records);
        let restored = self.is_restored(state);
        books.gone == self.all()
            && self.all().iter().all(|number| {
                let is_excused = books.by_hand.contains(number) || restored;
                arrived.contains(number) || (is_excused && state.named.contains(number))
            })
            && matches!(state.fast.0, FastPlace::Absent | FastPlace::Put | FastPlace::Lost)
    }

    fn successors(&self, state: &State) -> Steps {
        let mut steps = Vec::new();
        self.logs_and_room(state, &mut steps);
        match &state.link {
            None => self.unlinked(state, &mut steps),
            Some(link) => self.linked(state, link, &mut steps)?,
        }
        self.ghost(state, &mut steps);
        self.breaks(state, &mut steps);
        Ok(steps)
    }

    fn logs_and_room(&self, state: &State, steps: &mut Vec<State>) {
        if state.sender.durable < state.sender.records.len() {
            let mut next = state.clone();
            next.sender.durable = next.sender.records.len();
            steps.push(next);
        }
        if state.receiver.durable < state.receiver.records.len() {
            let mut next = state.clone();
            next.receiver.durable = next.receiver.records.len();
            steps.push(next);
        }
        if state.is_full {
            steps.push(State { is_full: false, ..state.clone() });
        } else if state.left[FILLS] > 0 {
            steps.push(State { is_full: true, ..state.clone() }.less(FILLS));
        }
    }
}

impl State {
    fn less(mut self, budget: usize) -> Self {
        self.left[budget] -= 1;
        self
    }

    fn first(run: &Run) -> Self {
        Self {
            sender: Log { records: Vec::new(), durable: 0 },
            receiver: Log { records: Vec::new(), durable: 0 },
            link: None,
            ghost: None,
            is_full: false,
            left: [
                run.crashes,
                run.cuts,
                run.resolves,
                run.resets,
                run.wishes,
                run.fills,
                run.refusals,
                run.restores,
            ],
            named: BTreeSet::new(),
            fast: (if run.has_fast { FastPlace::Queued } else { FastPlace::Absent }, 0),
            is_stopped: false,
        }
    }
}

/// States, those at the end, and one that is wrong or from which no way leads to the end.
struct Explored {
    states: usize,
    ends: usize,
    wrong: Option<String>,
}

fn explore(run: Run, fault: Fault) -> Explored {
    let model = Model { run, fault };
    let first = State::first(&run);
    let mut known = HashMap::with_hasher(FixedState::default());
    known.insert(first.clone(), 0_usize);
    let mut queue = VecDeque::from([first]);
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new()];
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(state) = queue.pop_front() {
        let steps = model.check(&state).and_then(|()| model.successors(&state));
        let steps = match steps {
            Ok(steps) => steps,
            Err(wrong) => {
                let wrong = Some(format!("{wrong}, in {state:#?}"));
                return Explored { states: known.len(), ends: ends.len(), wrong };
            }
        };
        if model.is_done(&state) {
            ends.push(at as u32);
        }
        for step in steps {
            let count = predecessors.len();
            let index = match known.entry(step) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    queue.push_back(new.key().clone());
                    new.insert(count);
                    predecessors.push(Vec::new());
                    count
                }
            };
            predecessors[index].push(at as u32);
        }
        at += 1;
    }
    let mut reaches = vec![false; predecessors.len()];
    let mut open: Vec<u32> = ends.clone();
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut reaches[index as usize], true) {
            open.extend(&predecessors[index as usize]);
        }
    }
    let stuck = reaches.iter().position(|reaches| !reaches);
    let wrong = stuck.map(|stuck| {
        let state = known.iter().find(|(_, index)| **index == stuck).expect("each state is known").0;
        format!("no way leads to the end from {state:#?}")
    });
    Explored { states: known.len(), ends: ends.len(), wrong }
}

fn explore_all(runs: &[Run]) {
    for run in runs {
        let Explored { states, ends, wrong } = explore(*run, AsDesigned);
        println!("{:8} as designed: {states} states, {ends} ends", run.name);
        assert!(ends > 0 && wrong.is_none(), "{}: {}", run.name, wrong.unwrap_or_default());
    }
}

fn find_all(runs: &[Run]) {
    let mut missed = Vec::new();
    for (fault, name) in FAULTS {
        let mut is_found = false;
        for run in runs.iter().filter(|run| run.name == name) {
            let Explored { states, wrong, .. } = explore(*run, fault);
            let found = wrong.as_ref().map(|wrong| wrong.lines().next().unwrap_or_default());
            println!("{name:8} {fault:?} after {states} states: {found:?}");
            is_found |= found.is_some();
        }
        if !is_found {
            missed.push(fault);
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn no_order_of_steps_loses_doubles_inverts_or_sticks() {
    explore_all(&SMALL);
}

#[test]
fn each_planted_fault_is_found() {
    find_all(&SMALL);
}

#[test]
#[ignore = "minutes: every order of the whole model"]
fn no_order_of_steps_of_the_whole_model_loses_doubles_inverts_or_sticks() {
    explore_all(&WHOLE);
}

#[test]
#[ignore = "minutes: every planted fault in the whole model"]
fn each_planted_fault_is_found_by_the_whole_model() {
    find_all(&WHOLE);
}
