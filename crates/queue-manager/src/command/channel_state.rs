//! RESET and RESOLVE CHANNEL: the state that message channels keep towards their partners.
//!
//! Always: neither is done while the channel runs, so that its agent and a person never decide at once.

use objects::mqsc::{ResetChannel, Resolution, ResolveChannel};
use objects::{Message, Response, messages};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::state_objects::{BatchInDoubt, ChannelState, KeptChannel};
use queues::unit_of_work::prepared::Decision;
use storage::record::ChannelCommit;
use storage::{Direction, Line, LineEnd, Lsn, ResolvedBatches, SyncObject};

use super::answer::answer;
use super::channel::find_message_channel;
use crate::engine::Engine;

impl Engine {
    /// The states of a channel, one for each side and partner, each with its batches in doubt.
    fn kept_of(&self, channel: &str) -> Gated<Vec<KeptChannel>> {
        let kept = self.kept_channels();
        let need = kept.need();
        let mut kept = kept.into_inner();
        kept.retain(|kept| kept.state.sync.channel == channel);
        Gated::new(need, kept)
    }
}

impl Engine {
    /// RESET CHANNEL.
    pub(super) fn reset_channel(&self, command: &ResetChannel) -> Gated<Response> {
        reset(self, command)
    }

    /// RESOLVE CHANNEL.
    pub(super) fn resolve_channel(&self, command: &ResolveChannel) -> Gated<Response> {
        resolve(self, command)
    }
}

fn reset(engine: &Engine, reset: &ResetChannel) -> Gated<Response> {
    let name = &reset.name;
    let (attributes, mut need) = match find_message_channel(engine, "RESET", name) {
        Ok(found) => found,
        Err(refused) => return refused,
    };
    let Some(_held) = engine.message_channels.hold(*name) else {
        return answer(need, Message::new(&messages::CHANNEL_RUNS, [name]));
    };
    let kept = engine.kept_of(name.as_str());
    need = need.max(kept.need());
    let sends = attributes.kind.sends();
    let not_reset = |why: &str, need: Lsn| {
        let inserts = [name.to_string(), why.to_owned()];
        answer(need, Message::new(&messages::CHANNEL_NOT_RESET, inserts))
    };
    let direction = if sends { Direction::Sends } else { Direction::Receives };
    let mut kept = kept.into_inner();
    kept.retain(|kept| kept.state.sync.direction == direction);
    if !sends && reset.sequence != 1 {
        return not_reset(
            "a receiver asks its sender for a new line, which counts from 1: give SEQNUM there",
            need,
        );
    }
    if reset.sequence > attributes.sequence_wrap {
        return not_reset(
            "SEQNUM is above SEQWRAP, behind which the numbers begin again: give a smaller one",
            need,
        );
    }
    if kept.is_empty() && reset.sequence != 1 {
        return not_reset("it has met no partner yet, and counts from 1 with the first", need);
    }
    if let Some(refused) = refusal_in_doubt(name.as_str(), &kept, need) {
        return refused;
    }
    for KeptChannel { state, .. } in kept {
        let done = if sends { new_line(engine, state, reset.sequence) } else { ask(engine, &state) };
        need = need.max(done.need());
        if let Err(reason) = done.into_inner() {
            return not_reset(&reason.to_string(), need);
        }
    }
    let inserts = [name.to_string(), reset.sequence.to_string()];
    answer(need, Message::new(&messages::CHANNEL_RESET, inserts))
}

/// Begins a line that no batch has used. One that was not used goes on, and its numbers alone change, unless
/// a stop named it: then it is given up, and the partner is told so.
fn new_line(engine: &Engine, state: ChannelState, sequence: u32) -> Outcome<()> {
    let ChannelState { object, sync, confirmed } = state;
    let goes_on = !sync.is_used && sync.line != Line::default() && sync.stopped_at != Some(sync.line);
    let (batch, chain, last) = confirmed.map_or((0, 0, 0), |last| (last.batch, last.chain, last.sequence));
    let ended = LineEnd { line: sync.line, batch, chain, sequence: last };
    let new = SyncObject {
        line: if goes_on { sync.line } else { random_line(engine) },
        is_used: false,
        before: if sync.is_used { Some(ended) } else { sync.before },
        // At a sender: the line that the stop named is to be replaced.
        wants_reset: sync.stopped_at.is_some(),
        // The next certificate is the one of the new line.
        certificate: String::new(),
        ..sync.clone()
    };
    let defined = engine.define_sync(Some((object, &sync)), new);
    let need = defined.need();
    if let Err(reason) = defined.into_inner() {
        return Gated::new(need, Err(reason));
    }
    // A batch before the first, which moves no message and sets the number of the next.
    let start = ChannelCommit { sync_object: object, chain: 0, batch: 0, sequence: sequence - 1 };
    engine.confirm_line(start).and_needs(need)
}

/// A line that no other is: zero is none.
fn random_line(engine: &Engine) -> Line {
    Line(engine.ground().world.entropy.next_u64().max(1))
}

/// Makes a receiver ask its partner for a new line when they next meet.
fn ask(engine: &Engine, state: &ChannelState) -> Outcome<()> {
    let sync = SyncObject { wants_reset: true, certificate: String::new(), ..state.sync.clone() };
    let defined = engine.define_sync(Some((state.object, &state.sync)), sync);
    let need = defined.need();
    Gated::new(need, defined.into_inner().map(drop))
}

fn resolve(engine: &Engine, resolve: &ResolveChannel) -> Gated<Response> {
    let name = &resolve.name;
    // A state outlives the definition of its channel, and can be forgotten then.
    let mut need = match find_message_channel(engine, "RESOLVE", name) {
        Ok((_, need)) => need,
        Err(_) if resolve.resolution == Resolution::Forget => engine.directory.catalogue.absence_need(),
        Err(refused) => return refused,
    };
    let Some(_held) = engine.message_channels.hold(*name) else {
        return answer(need, Message::new(&messages::CHANNEL_RUNS, [name]));
    };
    let kept = engine.kept_of(name.as_str());
    need = need.max(kept.need());
    let kept = kept.into_inner();
    let decision = match resolve.resolution {
        Resolution::Commit => Decision::Commit,
        Resolution::Backout => Decision::BackOut,
        Resolution::Forget => return forget(engine, name.as_str(), &kept, need),
    };
    let (mut resolved, mut messages) = (Vec::new(), 0);
    for KeptChannel { state, in_doubt: mut batches } in kept {
        let (Some(first), Some(last)) = (batches.first().copied(), batches.last().copied()) else { continue };
        let by_hand = ResolvedBatches {
            first: first.batch.batch,
            last: last.batch.batch,
            is_committed: decision == Decision::Commit,
            at: engine.ground().world.clock.wall().0,
        };
        // Before they end: what ended by hand is remembered in any case.
        let sync = SyncObject { resolved: Some(by_hand), ..state.sync.clone() };
        let remembered = engine.define_sync(Some((state.object, &state.sync)), sync);
        need = need.max(remembered.need());
        if let Err(reason) = remembered.into_inner() {
            let inserts = [format!("RESOLVE CHANNEL({name})"), reason.to_string()];
            return answer(need, Message::new(&messages::COMMAND_FAILED, inserts));
        }
        if decision == Decision::BackOut {
            batches.reverse();
        }
        for found in &batches {
            need = need.max(engine.queues.settle_batch(found.unit, decision).need());
            messages += found.messages;
        }
        resolved.extend(batches);
    }
    if resolved.is_empty() {
        return answer(need, Message::new(&messages::CHANNEL_NOT_IN_DOUBT, [name]));
    }
    resolved.sort_by_key(|found| found.batch.batch);
    let ended = if decision == Decision::Commit { "committed" } else { "backed out" };
    let inserts = [name.to_string(), ended.to_owned(), numbers(&resolved), messages.to_string()];
    answer(need, Message::new(&messages::CHANNEL_RESOLVED, inserts))
}

fn forget(engine: &Engine, name: &str, kept: &[KeptChannel], mut need: Lsn) -> Gated<Response> {
    if let Some(refused) = refusal_in_doubt(name, kept, need) {
        return refused;
    }
    let mut forgotten = 0;
    for KeptChannel { state, .. } in kept {
        let done = engine.forget_sync(state.object);
        need = need.max(done.need());
        forgotten += usize::from(done.into_inner().is_ok());
    }
    let inserts = [name.to_owned(), forgotten.to_string()];
    answer(need, Message::new(&messages::CHANNEL_FORGOTTEN, inserts))
}

/// The answer to a command that batches in doubt keep from its work.
fn refusal_in_doubt(name: &str, kept: &[KeptChannel], need: Lsn) -> Option<Gated<Response>> {
    let KeptChannel { in_doubt, .. } = kept.iter().find(|kept| !kept.in_doubt.is_empty())?;
    let inserts = [name.to_owned(), numbers(in_doubt)];
    Some(answer(need, Message::new(&messages::CHANNEL_IN_DOUBT, inserts)))
}

/// The numbers of batches, for people.
fn numbers(batches: &[BatchInDoubt]) -> String {
    let shown: Vec<String> = batches.iter().map(|found| found.batch.batch.to_string()).collect();
    shown.join(", ")
}
