//! The bounds for branches that are prepared, which keep no channel from its batches.

use mqi::branch::{BranchCommit, BranchPrepared, BranchRefusal, BranchStart, RollbackCause};
use queue_manager::{Decision, PreparedPurpose};
use storage::UnitId;
use storage::record::ChannelBatch;

use super::*;

const NO_ROOM: BranchRefusal = BranchRefusal::RolledBack(RollbackCause::NoRoom);

fn numbered(number: u32) -> BranchId {
    BranchId::new(1, b"bounds", &number.to_be_bytes()).unwrap()
}

impl Session {
    /// A branch with so many messages that is prepared, or refused.
    fn prepare_with(&mut self, branch: &BranchId, messages: u32) -> Result<BranchPrepared, BranchRefusal> {
        self.start(branch, BranchStart::New).unwrap();
        let queue = self.open("Q", OUTPUT);
        for _ in 0..messages {
            self.put_within(queue, true, "in doubt");
        }
        self.end(branch, BranchEnd::Success).unwrap();
        self.prepare(branch)
    }
}

/// A batch of a channel with so many messages is prepared, and sent.
fn a_channel_runs(bench: &Bench, object: storage::ObjectId, batch: u64, messages: u32) {
    let mut channel = bench.connect();
    let queue = channel.open("Q", OUTPUT);
    for _ in 0..messages {
        channel.put_within(queue, true, "of the batch");
    }
    let batch =
        ChannelBatch { sync_object: object, batch, first_sequence: 1, last_sequence: messages, chain: 9 };
    let prepared = channel.connection.prepare(PreparedPurpose::Channel(batch));
    let name: UnitId = bench.open(prepared).unwrap().expect("it did something");
    bench.open(bench.manager.units().settle_batch(name, Decision::BackOut)).unwrap();
}

fn told(bench: &Bench, what: &str) -> usize {
    bench.host.events.lock().iter().filter(|event| event.contains("FRY7483W") && event.contains(what)).count()
}

#[test]
fn prepared_branches_have_so_many_messages_together_and_channels_go_on() {
    let branches = BranchBounds { prepared_messages_max: 10, ..BranchBounds::default() };
    let mut bench = Bench::with(Settings { branches, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let object =
        bench.open(bench.manager.channels().define_state(None, sync(1, storage::Direction::Sends))).unwrap();
    let mut one = bench.connect();
    assert_eq!(one.prepare_with(&numbered(1), 6), Ok(BranchPrepared::Prepared));
    assert_eq!(one.prepare_with(&numbered(2), 5), Err(NO_ROOM));
    assert_eq!(told(&bench, "xa.prepared_messages_max"), 1);
    assert_eq!(one.roll_back(&numbered(2)), Err(BranchRefusal::Unknown), "it is rolled back");
    assert_eq!(one.prepare_with(&numbered(3), 4), Ok(BranchPrepared::Prepared));
    assert_eq!(one.prepare_with(&numbered(4), 1), Err(NO_ROOM));
    assert_eq!(one.prepare_with(&numbered(5), 0), Ok(BranchPrepared::ReadOnly));
    a_channel_runs(&bench, object, 1, 20);
    drop(one);
    bench = bench.crash(Survival::Nothing);
    let mut two = bench.connect();
    assert_eq!(two.prepare_with(&numbered(6), 1), Err(NO_ROOM), "a restart counts what it finds");
    a_channel_runs(&bench, object, 2, 20);
    two.commit_branch(&numbered(1), BranchCommit::TwoPhase).unwrap();
    assert_eq!(two.prepare_with(&numbered(7), 6), Ok(BranchPrepared::Prepared));
    let name = bench.open(bench.manager.units().prepared())[0].name;
    bench.mqsc(&format!("RESOLVE INDOUBT({}.{}) ACTION(BACKOUT)", name.epoch, name.counter));
    assert_eq!(two.prepare_with(&numbered(8), 4), Ok(BranchPrepared::Prepared), "a person made room");
    assert_eq!(two.prepare_with(&numbered(9), 1), Err(NO_ROOM));
}
