//! A queue of a few lines: a sorted list and what each client has under way.

use std::fmt;

use super::{Call, MessageNumber, Operation, Told};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Available,
    PutBy(u8),
    GotBy(u8),
}

/// Where a browse stands: nine less the priority of what it last saw, and how many entries are not after
/// that. Arrivals have no numbers, so that two orders of calls which come to the same are seen to.
type Cursor = (u8, usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Entry {
    /// Nine less priority.
    rank: u8,
    message: MessageNumber,
    correlation: u8,
    deadline: u32,
    state: State,
}

/// The whole queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Model {
    clock: u32,
    /// By rank, then by arrival.
    entries: Vec<Entry>,
    /// Where each client's browse stands.
    cursors: Vec<Option<Cursor>>,
}

impl fmt::Display for Model {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "clock {}", self.clock)?;
        self.entries.iter().try_for_each(|entry| write!(formatter, "\n      {entry:?}"))
    }
}

impl Model {
    pub(super) fn new(clients: usize) -> Self {
        Self { cursors: vec![None; clients], ..Self::default() }
    }

    /// Every state in which the queue may be after a client was told this now; none when it cannot have been.
    pub(super) fn after(&self, client: usize, operation: &Operation) -> Vec<Self> {
        let mut states: Vec<Self> = Vec::new();
        // The last first: it is nearly always the one.
        for clock in (operation.clock..=self.clock).rev() {
            if let Some(state) = self.after_at(client, operation, clock)
                && !states.contains(&state)
            {
                states.push(state);
            }
            if !depends_on_clock(&operation.call) {
                break;
            }
        }
        states
    }

    fn after_at(&self, client: usize, operation: &Operation, clock: u32) -> Option<Self> {
        let mut next = self.clone();
        let told = next.apply(client, operation.call, clock);
        (told == operation.told).then_some(next)
    }

    fn apply(&mut self, client: usize, call: Call, clock: u32) -> Told {
        let by = u8::try_from(client).expect("few clients");
        match call {
            Call::Put { message, priority, correlation, expiry, in_unit } => {
                let rank = 9 - priority;
                let deadline = expiry.map_or(u32::MAX, |expiry| clock + expiry);
                let state = if in_unit { State::PutBy(by) } else { State::Available };
                self.insert(Entry { rank, message, correlation, deadline, state });
                Told::Done
            }
            Call::Get { correlation, in_unit } => {
                let wanted = |entry: &Entry| correlation.is_none_or(|wanted| entry.correlation == wanted);
                let found = self.entries.iter().position(|entry| entry.is_there(clock) && wanted(entry));
                let Some(index) = found else { return Told::Nothing };
                let message = self.entries[index].message;
                if in_unit {
                    self.entries[index].state = State::GotBy(by);
                } else {
                    self.remove(index);
                }
                Told::Message(message)
            }
            Call::Browse { first } => {
                let start = self.cursors[client].filter(|_| !first).map_or(0, |(_, seen)| seen);
                let found = self.entries[start..].iter().position(|entry| entry.is_there(clock));
                let Some(index) = found.map(|index| start + index) else { return Told::Nothing };
                let Entry { rank, message, .. } = self.entries[index];
                self.cursors[client] = Some((rank, index + 1));
                Told::Message(message)
            }
            Call::Commit | Call::Backout => {
                let gone = if call == Call::Commit { State::GotBy(by) } else { State::PutBy(by) };
                self.remove_all(|entry| entry.state == gone);
                let own = |state| state == State::GotBy(by) || state == State::PutBy(by);
                for entry in self.entries.iter_mut().filter(|entry| own(entry.state)) {
                    entry.state = State::Available;
                }
                Told::Done
            }
            Call::Tick => {
                self.clock += 1;
                Told::Done
            }
        }
    }

    /// Drops what no call can see that reads the clock from now on.
    pub(super) fn forget_expired(&mut self, clock: u32) {
        self.remove_all(|entry| entry.deadline <= clock);
    }

    fn insert(&mut self, entry: Entry) {
        let index = self.entries.partition_point(|other| other.rank <= entry.rank);
        for (rank, seen) in self.cursors.iter_mut().flatten() {
            // It comes after all of its rank, so also after those that were seen.
            *seen += usize::from(entry.rank < *rank);
        }
        self.entries.insert(index, entry);
    }

    fn remove(&mut self, index: usize) -> Entry {
        for (_, seen) in self.cursors.iter_mut().flatten() {
            *seen -= usize::from(index < *seen);
        }
        self.entries.remove(index)
    }

    fn remove_all(&mut self, goes: impl Fn(&Entry) -> bool) {
        for index in (0..self.entries.len()).rev() {
            if goes(&self.entries[index]) {
                self.remove(index);
            }
        }
    }
}

impl Entry {
    fn is_there(&self, clock: u32) -> bool {
        self.state == State::Available && self.deadline > clock
    }
}

/// Calls that read the clock before they take effect.
fn depends_on_clock(call: &Call) -> bool {
    matches!(call, Call::Put { expiry: Some(_), .. } | Call::Get { .. } | Call::Browse { .. })
}
