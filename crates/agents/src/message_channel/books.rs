//! The state of a channel's ends, between the log's state objects and the machines.
//!
//! Always: a machine begins with what is durable, and a line is told only after its object is.

use std::collections::VecDeque;

use channel::message::{
    BatchNumber, Chain, Line, LineEnd, Mark, ReceiverState, Resolved, SenderState, Sequence,
};
use queue_manager::{ChannelState, Gated, Outbound, Outcome, PreparedPurpose, PreparedUnit, QueueManager};
use storage::record::ChannelCommit;
use storage::{Direction, Lsn, ObjectId, SyncObject, UnitId};

/// The partner of a channel, as it introduced itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Partner {
    pub(super) name: String,
    pub(super) identifier: String,
    /// The name in the certificate that it showed; blank without one.
    pub(super) certificate: String,
}

/// State that was read, and leaves for the partner once it is durable.
pub(super) struct Reading {
    pub(super) partner: Partner,
    pub(super) outbound: Outbound,
    pub(super) states: Option<Gated<Vec<ChannelState>>>,
    pub(super) prepared: Option<Gated<Vec<PreparedUnit>>>,
}

impl Reading {
    /// The position at which they are durable.
    pub(super) fn need(&self) -> Lsn {
        let states = self.states.as_ref().map(Gated::need).unwrap_or_default();
        states.max(self.prepared.as_ref().map(Gated::need).unwrap_or_default())
    }
}

/// The state of a channel as the log has it, by the last look or change of this end.
#[derive(Clone, Debug)]
pub(super) struct StateObject {
    /// None until it is defined.
    object: Option<ObjectId>,
    known: SyncObject,
}

impl StateObject {
    /// The object, once it is durable.
    pub(super) fn object(&self) -> Option<ObjectId> {
        self.object
    }

    /// The object of a new state is durable.
    pub(super) fn note_defined(&mut self, object: ObjectId) {
        self.object = Some(object);
    }

    /// Changes the state. Refused with 2041 where another connection of the channel changed it since this end
    /// looked.
    pub(super) fn change(&mut self, manager: &QueueManager, sync: &SyncObject) -> Outcome<ObjectId> {
        let known = std::mem::replace(&mut self.known, sync.clone());
        manager.channels().define_state(self.object.map(|object| (object, &known)), sync.clone())
    }

    /// The same with a new line, whose first message has the number behind this one.
    pub(super) fn begin_line(
        &mut self,
        manager: &QueueManager,
        sync: &SyncObject,
        before_first: Sequence,
    ) -> Outcome<ObjectId> {
        let known = std::mem::replace(&mut self.known, sync.clone());
        let known = self.object.map(|object| (object, &known));
        manager.channels().begin_line(known, sync.clone(), before_first.0)
    }
}

/// The state of a channel towards a partner, and what is prepared by it.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) state: StateObject,
    /// The state as this end goes on with it.
    pub(super) sync: SyncObject,
    pub(super) confirmed: Mark,
    /// Batches in doubt, oldest first.
    pub(super) prepared: VecDeque<(Mark, UnitId)>,
    /// The other partner with which batches of the channel are in doubt.
    pub(super) in_doubt_with: Option<String>,
}

impl Books {
    /// Finds them among all; new ones where the channel never met this partner.
    pub(super) fn find(
        channel: &str,
        direction: Direction,
        partner: &Partner,
        states: Vec<ChannelState>,
        prepared: &[PreparedUnit],
    ) -> Self {
        let batches_of = |object: ObjectId| {
            prepared.iter().filter_map(move |unit| match &unit.purpose {
                PreparedPurpose::Channel(batch) if batch.sync_object == object => {
                    let mark = Mark {
                        batch: BatchNumber(batch.batch),
                        sequence: Sequence(batch.last_sequence),
                        chain: Chain(batch.chain),
                    };
                    Some((mark, unit.name))
                }
                _ => None,
            })
        };
        let mut others = None;
        let mut found = None;
        for state in states {
            let is_of_channel = state.sync.channel == channel && state.sync.direction == direction;
            if !is_of_channel {
                continue;
            }
            let SyncObject { partner: name, partner_identifier: identifier, .. } = &state.sync;
            if (name, identifier) == (&partner.name, &partner.identifier) {
                found = Some(state);
            } else if batches_of(state.object).next().is_some() {
                others = Some(format!("{name} (QMID {identifier})"));
            }
        }
        let Some(ChannelState { object, mut sync, confirmed }) = found else {
            let sync = new_object(channel, direction, partner);
            return Self {
                state: StateObject { object: None, known: sync.clone() },
                sync,
                confirmed: Mark::START,
                prepared: VecDeque::new(),
                in_doubt_with: others,
            };
        };
        let state = StateObject { object: Some(object), known: sync.clone() };
        if sync.certificate.is_empty() {
            sync.certificate.clone_from(&partner.certificate);
        }
        let mut prepared: Vec<_> = batches_of(object).collect();
        prepared.sort_by_key(|(mark, _)| mark.batch);
        Self {
            state,
            sync,
            confirmed: confirmed.map_or(Mark::START, mark_of),
            prepared: prepared.into(),
            in_doubt_with: others,
        }
    }

    /// The state that the sender's machine begins with.
    pub(super) fn of_sender(&self) -> SenderState {
        let sync = &self.sync;
        let stopped_at = sync.stopped_at.filter(|_| sync.wants_reset);
        SenderState {
            line: Line(sync.line.0),
            is_used: sync.is_used || !self.prepared.is_empty(),
            confirmed: self.confirmed,
            prepared: self.prepared.iter().map(|(mark, _)| *mark).collect(),
            before: sync.before.map(|before| LineEnd {
                line: Line(before.line.0),
                mark: Mark {
                    batch: BatchNumber(before.batch),
                    sequence: Sequence(before.sequence),
                    chain: Chain(before.chain),
                },
            }),
            replaces: stopped_at.map_or(Line::NONE, |line| Line(line.0)),
            resolved: sync.resolved.map(|resolved| Resolved {
                first: BatchNumber(resolved.first),
                last: BatchNumber(resolved.last),
                is_committed: resolved.is_committed,
            }),
            is_in_doubt_with_another: self.in_doubt_with.is_some(),
        }
    }

    /// The state that the receiver's machine begins with.
    pub(super) fn of_receiver(&self) -> ReceiverState {
        let SyncObject { line, wants_reset, .. } = self.sync;
        ReceiverState { line: Line(line.0), last: self.confirmed, wants_reset }
    }
}

/// The object with another line, and the end of the one before if there is one to tell.
pub(super) fn with_line(sync: &SyncObject, line: Line, before: Option<LineEnd>) -> SyncObject {
    let before = before.map(|before| storage::LineEnd {
        line: storage::Line(before.line.0),
        batch: before.mark.batch.0,
        chain: before.mark.chain.0,
        sequence: before.mark.sequence.0,
    });
    SyncObject {
        line: storage::Line(line.0),
        is_used: false,
        before: before.or(sync.before),
        wants_reset: sync.direction == Direction::Sends && sync.wants_reset,
        ..sync.clone()
    }
}

/// The record by which a batch counts.
pub(super) fn commit_of(object: ObjectId, mark: Mark) -> ChannelCommit {
    ChannelCommit { sync_object: object, chain: mark.chain.0, batch: mark.batch.0, sequence: mark.sequence.0 }
}

fn mark_of(commit: ChannelCommit) -> Mark {
    let ChannelCommit { chain, batch, sequence, .. } = commit;
    Mark { batch: BatchNumber(batch), sequence: Sequence(sequence), chain: Chain(chain) }
}

fn new_object(channel: &str, direction: Direction, partner: &Partner) -> SyncObject {
    SyncObject {
        channel: channel.to_owned(),
        direction,
        partner: partner.name.clone(),
        partner_identifier: partner.identifier.clone(),
        certificate: partner.certificate.clone(),
        line: storage::Line(0),
        is_used: false,
        before: None,
        stopped_at: None,
        resolved: None,
        wants_reset: false,
    }
}
