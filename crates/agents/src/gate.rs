//! Replies on their way out: in order, and each only when its gate is open.
//!
//! Lives here: the queue of replies of one conversation (or link, or client), of any kind, and the turns of
//! several. Lives elsewhere: their encoding ([`Pending`]), the list of those that have one (each agent).
//!
//! Always: a reply leaves behind those before it, and with proof of durability; the bytes of the bodies that
//! wait are counted, so that an agent takes no more when they are many.

use queue_manager::Gated;
use std::collections::VecDeque;
use storage::{Durable, Lsn};

/// Frames one queue of replies sends before the next has its turn.
const FRAMES_PER_TURN: usize = 64;

/// The way out of a connection, where replies become bytes.
pub(crate) trait Way {
    /// A queue of replies has its turn.
    fn begin_turn(&mut self);

    /// Says whether the others should have theirs.
    fn is_turn_over(&self) -> bool;

    /// Says whether so much waits to be written that no more may be encoded.
    fn is_full(&self) -> bool;

    /// Says whether more may be encoded in this turn.
    fn has_room(&self) -> bool {
        !self.is_full() && !self.is_turn_over()
    }
}

/// A reply that waits.
pub(crate) trait Pending {
    /// Its way out.
    type Way<'a>: Way;
    /// The one it is for.
    type Owner: Copy;
    /// The part that did not fit the frames sent so far.
    type Rest;

    /// Appends its frame from where it lies, and keeps nothing of what is in it; what one frame does not hold
    /// is left.
    fn encode(&mut self, owner: Self::Owner, way: &mut Self::Way<'_>) -> Option<Self::Rest>;

    /// Appends the next fragment; false when it was the last.
    fn go_on(rest: &mut Self::Rest, owner: Self::Owner, way: &mut Self::Way<'_>) -> bool;
}

/// Result of a turn at the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Nothing is left.
    Empty,
    /// The next reply must wait for the log.
    Gated(Lsn),
    /// The next reply must wait until a message is with its getter.
    Awaits,
    /// More is left to send.
    More,
}

/// Result of the turns of all that are listed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Round {
    /// True if some had no turn, since the way was full.
    pub(crate) is_held: bool,
    /// The least position of the log that a reply waits for.
    pub(crate) lowest_need: Option<Lsn>,
    /// Queues of replies that wait for the log.
    pub(crate) waiting_for_log: usize,
}

/// Gives each queue of replies on a list its turns, one after the other, until all are empty or wait, or the
/// way is full. Those that are not empty stay listed; `waiting` is empty, and kept for its memory.
pub(crate) fn take_turns<P: Pending, T: Copy>(
    listed: &mut Vec<T>,
    waiting: &mut Vec<T>,
    sink: &mut Sink<'_, P>,
    mut turn: impl FnMut(T, &mut Sink<'_, P>) -> Turn,
) -> Round {
    let mut round = Round::default();
    while !listed.is_empty() {
        if sink.way.is_full() {
            round.is_held = true;
            break;
        }
        listed.retain(|one| {
            match turn(*one, sink) {
                Turn::More => return true,
                Turn::Gated(need) => {
                    round.lowest_need = Some(round.lowest_need.map_or(need, |lowest| lowest.min(need)));
                    round.waiting_for_log += 1;
                    waiting.push(*one);
                }
                // The inbox wakes the agent when that is decided.
                Turn::Awaits => waiting.push(*one),
                Turn::Empty => {}
            }
            false
        });
    }
    listed.append(waiting);
    round
}

/// Where replies are sent.
pub(crate) struct Sink<'a, P: Pending> {
    pub(crate) proof: Durable,
    pub(crate) way: P::Way<'a>,
}

/// Replies of one owner.
pub(crate) struct Replies<P: Pending> {
    owner: P::Owner,
    waiting: VecDeque<Waiting<P>>,
    /// Bytes of the bodies of all that wait.
    bytes: usize,
    sending: Option<P::Rest>,
}

/// A reply that waits, and the bytes of the body that it brings.
struct Waiting<P> {
    reply: Gated<P>,
    bytes: usize,
}

impl<P: Pending> Replies<P> {
    pub(crate) fn of(owner: P::Owner) -> Self {
        Self { owner, waiting: VecDeque::new(), bytes: 0, sending: None }
    }

    pub(crate) fn push(&mut self, reply: Gated<P>) {
        self.push_body(reply, 0);
    }

    /// Has a reply wait that brings a body of so many bytes.
    pub(crate) fn push_body(&mut self, reply: Gated<P>, bytes: usize) {
        self.bytes += bytes;
        self.waiting.push_back(Waiting { reply, bytes });
    }

    /// Returns the number that wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the bytes of the bodies that wait.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Says whether nothing is left to send.
    pub(crate) fn is_empty(&self) -> bool {
        self.sending.is_none() && self.waiting.is_empty()
    }

    /// Says whether a reply was sent in part.
    pub(crate) fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    /// Takes back replies that have not been sent.
    pub(crate) fn withdraw(&mut self, is_withdrawn: impl Fn(&P) -> bool + Copy + 'static) {
        let kept = self.waiting.drain(..).filter_map(|Waiting { reply, bytes }| {
            Some(Waiting { reply: reply.unless(is_withdrawn)?, bytes })
        });
        self.waiting = kept.collect();
        self.bytes = self.waiting.iter().map(|waiting| waiting.bytes).sum();
    }

    /// Sends a reply with a body of so many bytes at once where none is before it and nothing holds it back;
    /// else it waits for its turn.
    pub(crate) fn send_or_keep(&mut self, mut reply: Gated<P>, bytes: usize, sink: Option<&mut Sink<'_, P>>) {
        let is_next = self.is_empty();
        match sink.filter(|sink| is_next && sink.way.has_room()) {
            Some(Sink { proof, way }) if let Some(pending) = reply.opened(*proof) => {
                self.sending = pending.encode(self.owner, way);
            }
            _ => self.push_body(reply, bytes),
        }
    }

    /// Sends in order what the gate lets through: a few frames, or one fragment of a large body.
    pub(crate) fn turn(&mut self, sink: &mut Sink<'_, P>) -> Turn {
        let Sink { proof, way } = sink;
        let proof = *proof;
        if let Some(rest) = &mut self.sending {
            if !P::go_on(rest, self.owner, way) {
                self.sending = None;
            }
            return if self.is_empty() { Turn::Empty } else { Turn::More };
        }
        let mut sent = 0;
        let mut turn = Turn::Empty;
        way.begin_turn();
        let mut left = 0;
        for Waiting { reply, bytes } in &mut self.waiting {
            if sent == FRAMES_PER_TURN || way.is_turn_over() {
                turn = Turn::More;
                break;
            }
            let Some(pending) = reply.opened(proof) else {
                turn = if reply.awaits_getter() { Turn::Awaits } else { Turn::Gated(reply.need()) };
                break;
            };
            self.sending = pending.encode(self.owner, way);
            sent += 1;
            left += *bytes;
            if self.sending.is_some() {
                turn = Turn::More;
                break;
            }
        }
        self.waiting.drain(..sent);
        self.bytes -= left;
        turn
    }
}
