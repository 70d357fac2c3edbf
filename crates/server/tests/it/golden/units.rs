//! Units of work that are prepared, and what is kept about them: by the engine itself, since no protocol
//! leads there.

use std::fmt::Write as _;
use std::path::Path;

use queue_manager::{Decision, PreparedBranch, PreparedPurpose};
use storage::record::{ChannelBatch, ChannelCommit};
use storage::{Direction, Line, LineEnd, SyncObject, UnitId};
use testing::engine::Offline;

fn start(data: &Path, name: &str) -> Offline {
    let folder = data.join(name);
    let configuration = server::Configuration::read(&folder.join("ferry.toml")).unwrap();
    Offline::start(&folder, configuration.engine(name.parse().unwrap()))
}

fn branch(qualifier: &str) -> PreparedPurpose {
    PreparedPurpose::Branch(PreparedBranch {
        prepared_at: 1_700_000_000_000_000,
        format: 7,
        global: b"golden transaction".to_vec(),
        qualifier: qualifier.as_bytes().to_vec(),
        user: b"anna".to_vec(),
    })
}

/// One of everything, one part of which a checkpoint has, and the other the log alone.
pub(super) fn work(data: &Path, name: &str) {
    for part in ["BEFORE", "AFTER"] {
        let offline = start(data, name);
        let manager = &offline.manager;
        let of = |what: &str| format!("GOLDEN.{part}.{what}");
        for what in ["BRANCH", "BATCH", "COMMITTED", "BACKED.OUT"] {
            offline.command(&format!("DEFINE QLOCAL({})", of(what)));
        }
        let sync = |channel: &str, direction| SyncObject {
            channel: channel.to_owned(),
            direction,
            partner: "PARTNER".to_owned(),
            partner_identifier: "PARTNER_2026".to_owned(),
            certificate: "CN=partner".to_owned(),
            line: Line(71),
            is_used: true,
            before: Some(LineEnd { line: Line(70), batch: 3, chain: 33, sequence: 9 }),
            stopped_at: None,
            resolved: None,
            wants_reset: part == "AFTER",
        };
        let define = |channel: &str, direction| {
            offline.open(manager.channels().define_state(None, sync(channel, direction))).unwrap()
        };
        let sends = define(&format!("{part}.SENDS"), Direction::Sends);
        let receives = define(&format!("{part}.RECEIVES"), Direction::Receives);
        offline.prepared(&of("BRANCH"), branch(part));
        let batch =
            ChannelBatch { sync_object: sends, batch: 4, first_sequence: 10, last_sequence: 11, chain: 44 };
        offline.prepared(&of("BATCH"), PreparedPurpose::Channel(batch));
        for (what, decision) in [("COMMITTED", Decision::Commit), ("BACKED.OUT", Decision::BackOut)] {
            let name = offline.prepared(&of(what), branch(what));
            offline.open(manager.units().resolve_by_hand(name, decision, "beate")).unwrap();
        }
        let mut arrived = offline.unit(&of("BATCH"));
        let count = ChannelCommit { sync_object: receives, chain: 55, batch: 5, sequence: 12 };
        offline.open(arrived.commit_batch(count)).unwrap();
        drop(arrived);
        if part == "BEFORE" {
            manager.close();
        }
    }
}

/// The units in doubt, and the state that is kept about them, field by field: later versions may have more.
pub(super) fn audit(data: &Path, name: &str, text: &mut String) {
    let offline = start(data, name);
    let manager = &offline.manager;
    for unit in offline.open(manager.units().prepared()) {
        let purpose = match unit.purpose {
            PreparedPurpose::Channel(ChannelBatch {
                batch,
                first_sequence,
                last_sequence,
                chain,
                sync_object,
            }) => {
                let object = sync_object.0;
                format!(
                    "batch {batch} of object {object}, {first_sequence} to {last_sequence}, chain {chain}"
                )
            }
            PreparedPurpose::Branch(branch) => {
                let parts = [&branch.global, &branch.qualifier, &branch.user].map(|part| part.escape_ascii());
                let [global, qualifier, user] = parts;
                format!("branch {} {global} {qualifier} of {user} at {}", branch.format, branch.prepared_at)
            }
        };
        let _ = writeln!(text, "in doubt {}.{}: {purpose}", unit.name.epoch, unit.name.counter);
        for message in unit.messages {
            let queue = message.queue.expect("its queue is there");
            let done = if message.is_put { "put on" } else { "got from" };
            let _ = writeln!(text, "  {done} {queue}, {} bytes", message.bytes);
        }
    }
    for branch in offline.open(manager.units().resolved_by_hand()) {
        let outcome = if branch.is_committed { "committed" } else { "backed out" };
        let UnitId { epoch, counter } = branch.unit;
        let [qualifier, by] = [&branch.qualifier, &branch.decided_by].map(|part| part.escape_ascii());
        let _ = writeln!(text, "by hand {epoch}.{counter}: {outcome} by {by}, {} {qualifier}", branch.format);
    }
    for state in offline.open(manager.channels().states()) {
        let SyncObject { channel, direction, partner, partner_identifier, certificate, line, .. } =
            &state.sync;
        let (object, line, wants) = (state.object.0, line.0, state.sync.wants_reset);
        let _ =
            write!(text, "channel state {object}: {channel} {direction:?} {partner} {partner_identifier} ");
        let _ = write!(text, "{certificate} line {line} wants a new one {wants}");
        if let Some(LineEnd { line, batch, chain, sequence }) = state.sync.before {
            let _ = write!(text, " after {} {batch} {chain} {sequence}", line.0);
        }
        if let Some(ChannelCommit { batch, sequence, chain, .. }) = state.confirmed {
            let _ = write!(text, " confirmed {batch} {sequence} {chain}");
        }
        text.push('\n');
    }
}
