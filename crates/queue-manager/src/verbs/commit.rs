//! MQBEGIN, MQCMIT, MQBACK and MQDISC.

use mqi::Reason;
use platform::sync::atomic::Ordering;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::unit_of_work::prepared::PreparedPurpose;
use queues::unit_of_work::{RESERVED_TO_PREPARE, Unit};
use storage::record::{ChannelCommit, ClientCommit, Counterpart};
use storage::{Purpose, RESERVED_END, UnitId};

use crate::connection::Connection;
use crate::conversation::Conversation;

impl Connection {
    /// MQBEGIN. No resource manager but this one takes part in a unit of work, which the warning says; the
    /// unit begins with the first message put or got in it.
    pub fn begin(&mut self) -> Outcome<Option<Reason>> {
        let begun = self.usable(false).and_then(|()| self.not_in_branch()).and_then(|()| {
            let mut unit = self.conversation.party.unit.lock();
            self.acknowledge(&mut unit)?;
            if unit.operations.is_empty() { Ok(()) } else { Err(Reason::UOW_IN_PROGRESS) }
        });
        Gated::free(begun.map(|()| Some(Reason::NO_EXTERNAL_PARTICIPANTS)))
    }

    /// MQCMIT. A commit that its client counts and that was done before, on an earlier connection of the same
    /// instance, is answered as it was then.
    pub fn commit(&mut self, client: Option<ClientCommit>) -> Outcome<()> {
        let committed = self.commit_uncounted(client);
        if self.conversation.party.calls.is_any_counted() {
            self.conversation.party.calls.count_commit(committed.value().is_ok());
        }
        committed
    }

    fn commit_uncounted(&self, client: Option<ClientCommit>) -> Outcome<()> {
        if let Err(reason) = self.usable(false).and_then(|()| self.not_in_branch()) {
            return Gated::free(Err(reason));
        }
        let _settling = client.map(|_| self.conversation.settling.lock());
        let work = {
            let mut unit = self.conversation.party.unit.lock();
            if let Err(reason) = self.acknowledge(&mut unit) {
                return Gated::free(Err(reason));
            }
            if let Some(client) = client
                && unit.operations.is_empty()
                && let Some((number, need)) = self.engine.queues.clients.lock().last(&client.instance)
                && client.number <= number
            {
                return Gated::new(need, Ok(()));
            }
            self.conversation.party.courses.end_unit(true);
            unit.take()
        };
        self.engine.broker.commit(work, client.map(Counterpart::Client))
    }

    /// Tells the application that its unit was backed out, if it does not know: the next calls of its handles
    /// begin at the place before it.
    fn acknowledge(&self, unit: &mut Unit) -> Result<(), Reason> {
        let known = unit.acknowledge();
        if known.is_err() {
            self.conversation.party.courses.end_unit(false);
        }
        known
    }

    /// MQBACK.
    pub fn back(&mut self) -> Outcome<()> {
        if let Err(reason) = self.usable(false).and_then(|()| self.not_in_branch()) {
            return Gated::free(Err(reason));
        }
        let work = {
            let mut unit = self.conversation.party.unit.lock();
            // A unit that the queue manager backed out before is as its application wants it.
            let _ = unit.acknowledge();
            self.conversation.party.courses.end_unit(false);
            unit.take()
        };
        self.engine.queues.back_out(work);
        if self.conversation.party.calls.is_any_counted() {
            self.conversation.party.calls.count_backout();
        }
        Gated::free(Ok(()))
    }

    /// Commits the open unit of work as a batch of a message channel that arrived: the channel counts it by
    /// the record of the commit itself.
    pub fn commit_batch(&mut self, batch: ChannelCommit) -> Outcome<()> {
        if let Err(reason) = self.usable(false) {
            return Gated::free(Err(reason));
        }
        if let Err(refused) = self.engine.queues.state_objects.lock().check_sync(batch.sync_object) {
            return refused;
        }
        // A batch of which nothing outlives a restart is counted all the same.
        let mut room = match self.engine.queues.reserve(RESERVED_END, Purpose::Drain) {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        // A newer connection of the partner ends this one first, and reads the last batch then.
        let _settling = self.conversation.settling.lock();
        let work = {
            let mut unit = self.conversation.party.unit.lock();
            if let Err(reason) = self.acknowledge(&mut unit) {
                return Gated::free(Err(reason));
            }
            unit.begin(&self.engine.queues, &mut room);
            self.conversation.party.courses.end_unit(true);
            unit.take()
        };
        self.engine.broker.commit(work, Some(Counterpart::Channel(batch)))
    }

    /// Sets room aside for the record that prepares the unit of work: neither that nor its end lacks room in
    /// the log then. It goes with the unit. A refusal (2102) passes: a checkpoint is on its way.
    pub fn expect_prepare(&mut self) -> Outcome<()> {
        let kept = self.usable(false).and_then(|()| {
            if self.conversation.party.unit.lock().is_to_be_prepared() {
                return Ok(());
            }
            let room = self.engine.queues.reserve(RESERVED_TO_PREPARE, Purpose::Drain);
            let room = room.inspect_err(|_| self.engine.leave_checkpoint_for_parked())?;
            let mut unit = self.conversation.party.unit.lock();
            // One that was backed out underneath has none to keep: the next call in it says so.
            if unit.is_open() {
                unit.keep_to_prepare(room);
            }
            Ok(())
        });
        Gated::free(kept)
    }

    /// Prepares the open unit of work: only a decision ends it, by its name, from anywhere. The connection
    /// goes on with an empty one. Without a name the unit did nothing, and nothing is to be decided.
    pub fn prepare(&mut self, purpose: PreparedPurpose) -> Outcome<Option<UnitId>> {
        match self.usable(false) {
            Ok(()) => {
                let Conversation { party, principal, settling, .. } = &*self.conversation;
                let maker = self.engine.directory.door.maker(principal);
                // A newer connection of a channel reads what is prepared once this one has ended.
                let _settling = settling.lock();
                self.engine.queues.prepare_unit(party, &maker, purpose)
            }
            Err(reason) => Gated::free(Err(reason)),
        }
    }

    /// MQDISC: commits the open unit of work and ends the connection.
    pub fn disconnect(self) -> Outcome<()> {
        self.conversation.disconnects.store(true, Ordering::Release);
        self.commit_uncounted(None)
    }
}
