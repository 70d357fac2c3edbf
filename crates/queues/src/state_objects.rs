//! Objects that the queue manager defines for itself: sync objects of channels, branches decided by hand.
//!
//! ```text
//! count u32, count times, ascending:  identifier u64 | length u32 | the object, see `storage::StateObject`
//! count u32, count times, ascending:  a channel that counts its batches
//!     sync object u64 | batch u64 | sequence number u32 | chain u64
//! ```
//!
//! Lives here: the table, and its part of a checkpoint. Lives elsewhere: defining them (`sync_objects`,
//! `unit_of_work::by_hand`), their bytes (`storage`).
//!
//! Always: a record about one is appended under the lock of the table, so that a checkpoint has both the
//! record and the entry, or neither.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

use mqi::Reason;
use mqi::branch::BranchId;
use storage::record::{ChannelBatch, ChannelCommit};
use storage::{Lsn, ObjectId, ResolvedBranch, StateObject, SyncObject, UnitId};

use crate::gate::{Gated, Outcome};

/// Most state objects of channels: more than a queue manager serves at a time.
const OBJECTS_MAX: usize = 10_000;

/// Most partners of one channel whose state is kept: one that calls under a new name each time leaves room
/// for the partners of other channels.
const PARTNERS_MAX: usize = 1_000;

/// A value, and the position that must be durable before a caller learns it.
#[derive(Clone, Debug)]
struct Known<T> {
    value: T,
    need: Lsn,
}

/// The state of a message channel as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelState {
    /// The object that keeps it.
    pub object: ObjectId,
    /// The object.
    pub sync: SyncObject,
    /// The last batch that is confirmed, if one is.
    pub confirmed: Option<ChannelCommit>,
}

/// A batch of a channel that is prepared and waits for its partner's word.
#[derive(Clone, Copy, Debug)]
pub struct BatchInDoubt {
    /// Its unit of work.
    pub unit: UnitId,
    /// The batch.
    pub batch: ChannelBatch,
    /// The messages that it carries.
    pub messages: u32,
}

/// The state that the log keeps of one end of a channel towards one partner.
#[derive(Clone, Debug)]
pub struct KeptChannel {
    /// The state as it is listed.
    pub state: ChannelState,
    /// The batches in doubt, oldest first.
    pub in_doubt: Vec<BatchInDoubt>,
}

/// The state objects there are.
#[derive(Debug, Default)]
pub struct StateObjects {
    objects: BTreeMap<ObjectId, Known<StateObject>>,
    /// The branches decided by hand among them, by the units of work that they were.
    resolved_units: BTreeSet<(UnitId, ObjectId)>,
    /// The same by the identifiers that their coordinators gave.
    resolved_branches: BTreeSet<(BranchId, ObjectId)>,
    /// The last batch that each channel counts as arrived.
    confirmed: BTreeMap<ObjectId, Known<ChannelCommit>>,
    /// The users for whose bounds the branches that were decided by hand count.
    makers: BTreeMap<ObjectId, Box<str>>,
    /// The position that must be durable before a caller learns that an object is not there.
    removed: Lsn,
}

impl StateObjects {
    /// True when there is no room for another of this kind, or for another partner of its channel.
    pub fn is_full(&self, object: &StateObject) -> bool {
        let kind = discriminant(object);
        let (mut alike, mut partners) = (0, 0);
        for known in self.objects.values().filter(|known| discriminant(&known.value) == kind) {
            alike += 1;
            if let (StateObject::Sync(one), StateObject::Sync(new)) = (&known.value, object) {
                partners += usize::from(one.channel == new.channel);
            }
        }
        alike >= OBJECTS_MAX || partners >= PARTNERS_MAX
    }

    /// The need of the state that a channel keeps towards the partner of this one already, if it does.
    pub fn alike(&self, object: &StateObject) -> Option<Lsn> {
        let StateObject::Sync(new) = object else { return None };
        let is_alike = |known: &&Known<StateObject>| {
            matches!(&known.value, StateObject::Sync(one) if one.direction == new.direction
                && one.channel == new.channel
                && one.partner == new.partner
                && one.partner_identifier == new.partner_identifier)
        };
        self.objects.values().find(is_alike).map(|known| known.need)
    }

    /// An object is defined, anew or again.
    /// A channel that begins a new line has confirmed no batch of it.
    pub fn define(&mut self, id: ObjectId, object: StateObject, need: Lsn) {
        if let (StateObject::Sync(new), Some((old, _))) = (&object, self.sync(id))
            && new.line != old.line
        {
            self.confirmed.remove(&id);
        }
        self.unlist(id);
        if let StateObject::Resolved(branch) = &object {
            self.resolved_units.insert((branch.unit, id));
            self.resolved_branches.extend(branch_id(branch).map(|branch| (branch, id)));
        }
        self.objects.insert(id, Known { value: object, need });
    }

    /// An object is gone, with what its channel counted. What is not known does nothing.
    pub fn remove(&mut self, id: ObjectId, need: Lsn) {
        self.unlist(id);
        if self.objects.remove(&id).is_some() {
            self.confirmed.remove(&id);
            self.removed = self.removed.max(need);
        }
    }

    /// Removes an object from the indexes of branches.
    fn unlist(&mut self, id: ObjectId) {
        if let Some(Known { value: StateObject::Resolved(branch), .. }) = self.objects.get(&id) {
            self.resolved_units.remove(&(branch.unit, id));
            if let Some(branch) = branch_id(branch) {
                self.resolved_branches.remove(&(branch, id));
            }
        }
    }

    /// Notes the user for whose bounds a branch counts that was decided by hand.
    pub(crate) fn note_maker(&mut self, id: ObjectId, maker: &str) {
        self.makers.insert(id, maker.into());
    }

    /// Takes that note back.
    pub(crate) fn take_maker(&mut self, id: ObjectId) -> Box<str> {
        self.makers.remove(&id).unwrap_or_default()
    }

    /// The position that must be durable before a caller learns that an object is not there.
    pub fn absence_need(&self) -> Lsn {
        self.removed
    }

    /// A channel counts a batch as arrived. One whose object is gone is not there any more.
    pub fn confirm(&mut self, commit: ChannelCommit, need: Lsn) {
        if self.sync(commit.sync_object).is_some() {
            self.confirmed.insert(commit.sync_object, Known { value: commit, need });
        }
    }

    /// The sync object of an identifier, and its need.
    pub fn sync(&self, id: ObjectId) -> Option<(&SyncObject, Lsn)> {
        let known = self.objects.get(&id)?;
        match &known.value {
            StateObject::Sync(sync) => Some((sync, known.need)),
            StateObject::Resolved(_) | StateObject::Authority(_) | StateObject::Judging(_) => None,
        }
    }

    /// Refuses an object that keeps no channel's state.
    pub fn check_sync<T>(&self, id: ObjectId) -> Result<(), Outcome<T>> {
        match self.sync(id) {
            Some(_) => Ok(()),
            None => Err(Gated::new(self.removed, Err(Reason::UNKNOWN_OBJECT_NAME))),
        }
    }

    /// The last batch that a channel counts as arrived, and its need.
    pub fn confirmed(&self, id: ObjectId) -> Option<(ChannelCommit, Lsn)> {
        self.confirmed.get(&id).map(|known| (known.value, known.need))
    }

    /// The identifiers of sync objects.
    pub fn syncs(&self) -> Vec<ObjectId> {
        self.objects.keys().copied().filter(|id| self.sync(*id).is_some()).collect()
    }

    /// The branches that were decided by hand, in the order in which they were, each with its need.
    pub(crate) fn resolved(&self) -> impl Iterator<Item = (ObjectId, &ResolvedBranch, Lsn)> {
        self.objects.keys().filter_map(|id| self.resolved_at(*id))
    }

    fn resolved_at(&self, id: ObjectId) -> Option<(ObjectId, &ResolvedBranch, Lsn)> {
        let known = self.objects.get(&id)?;
        match &known.value {
            StateObject::Resolved(branch) => Some((id, branch, known.need)),
            StateObject::Sync(_) | StateObject::Authority(_) | StateObject::Judging(_) => None,
        }
    }

    /// The branch that was this unit of work and was decided by hand.
    pub(crate) fn resolved_unit(&self, unit: UnitId) -> Option<(ObjectId, &ResolvedBranch, Lsn)> {
        let (_, id) =
            self.resolved_units.range((unit, ObjectId(0))..).next().filter(|(of, _)| *of == unit)?;
        self.resolved_at(*id)
    }

    /// The branch with this identifier that was decided by hand, and its need.
    pub(crate) fn resolved_branch(&self, branch: &BranchId) -> Option<(&ResolvedBranch, Lsn)> {
        let mut from_it = self.resolved_branches.range((*branch, ObjectId(0))..);
        let (_, id) = from_it.next().filter(|(of, _)| of == branch)?;
        self.resolved_at(*id).map(|(_, branch, need)| (branch, need))
    }

    /// The table for a checkpoint, with other objects of the same form, which are kept elsewhere.
    pub fn encode(&self, others: Vec<(ObjectId, StateObject)>, bytes: &mut Vec<u8>) {
        let own = self.objects.iter().map(|(id, known)| (*id, known.value.encode()));
        let others = others.into_iter().map(|(id, object)| (id, object.encode()));
        let mut objects: Vec<_> = own.chain(others).collect();
        objects.sort_unstable_by_key(|(id, _)| *id);
        bytes.extend((objects.len() as u32).to_le_bytes());
        for (id, object) in objects {
            bytes.extend(id.0.to_le_bytes());
            bytes.extend((object.len() as u32).to_le_bytes());
            bytes.extend(object);
        }
        bytes.extend((self.confirmed.len() as u32).to_le_bytes());
        for known in self.confirmed.values() {
            let ChannelCommit { sync_object, chain, batch, sequence } = known.value;
            bytes.extend(sync_object.0.to_le_bytes());
            bytes.extend(batch.to_le_bytes());
            bytes.extend(sequence.to_le_bytes());
            bytes.extend(chain.to_le_bytes());
        }
    }
}

/// The identifier that the coordinator of a branch gave it.
pub(crate) fn branch_id(branch: &ResolvedBranch) -> Option<BranchId> {
    BranchId::new(branch.format, &branch.global, &branch.qualifier).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage::{Direction, Line};

    fn state(channel: &str, partner: usize) -> StateObject {
        StateObject::Sync(SyncObject {
            channel: channel.to_owned(),
            direction: Direction::Receives,
            partner: format!("QM{partner}"),
            partner_identifier: format!("QM{partner}_1"),
            certificate: String::new(),
            line: Line(1),
            is_used: false,
            before: None,
            stopped_at: None,
            resolved: None,
            wants_reset: false,
        })
    }

    #[test]
    fn a_partner_under_ever_new_names_by_one_channel_leaves_room_for_others() {
        let mut table = StateObjects::default();
        let mut ids = (1..).map(ObjectId);
        for partner in 0..PARTNERS_MAX {
            assert!(!table.is_full(&state("IN", partner)));
            table.define(ids.next().unwrap(), state("IN", partner), Lsn::ZERO);
        }
        assert!(table.is_full(&state("IN", PARTNERS_MAX)) && !table.is_full(&state("OTHER", 0)));
        table.remove(ObjectId(7), Lsn::ZERO);
        assert!(!table.is_full(&state("IN", PARTNERS_MAX)));
        for partner in 0..=OBJECTS_MAX - PARTNERS_MAX {
            table.define(ids.next().unwrap(), state(&format!("C{}", partner % 20), partner), Lsn::ZERO);
        }
        assert!(table.is_full(&state("OTHER", 0)));
    }

    #[test]
    fn a_branch_decided_by_hand_is_found_by_its_unit_and_its_identifier_until_it_is_removed() {
        let decided = |number: u8| ResolvedBranch {
            unit: UnitId { epoch: 1, counter: number.into() },
            is_committed: true,
            prepared_at: 0,
            decided_at: 0,
            format: 1,
            global: vec![number],
            qualifier: Vec::new(),
            user: Vec::new(),
            decided_by: Vec::new(),
        };
        let found = |table: &StateObjects, number: u8| {
            let ResolvedBranch { unit, .. } = decided(number);
            let by_branch = table.resolved_branch(&BranchId::new(1, &[number], b"").unwrap());
            let by_unit = table.resolved_unit(unit).map(|(id, branch, need)| (id.0, branch.clone(), need));
            assert_eq!(
                by_unit.as_ref().map(|(_, branch, need)| (branch, *need)),
                by_branch,
                "both indexes of branch {number}"
            );
            by_unit.map(|(id, branch, need)| (id, branch.global[0], need.0))
        };
        let mut table = StateObjects::default();
        for number in [3, 1, 2] {
            let id = ObjectId(10 + u64::from(number));
            table.define(id, StateObject::Resolved(decided(number)), Lsn(number.into()));
        }
        assert_eq!(
            [0, 1, 2, 3, 4].map(|number| found(&table, number)),
            [None, Some((11, 1, 1)), Some((12, 2, 2)), Some((13, 3, 3)), None]
        );
        // An object that is defined again is another branch from then on.
        table.define(ObjectId(12), StateObject::Resolved(decided(4)), Lsn(9));
        table.remove(ObjectId(13), Lsn(9));
        table.remove(ObjectId(13), Lsn(9));
        assert_eq!(
            [1, 2, 3, 4].map(|number| found(&table, number)),
            [Some((11, 1, 1)), None, None, Some((12, 4, 9))]
        );
        assert_eq!((table.resolved_units.len(), table.resolved_branches.len()), (2, 2));
    }
}
