//! The catalogue across restarts: a snapshot in the checkpoint, and the records after it.
//!
//! ```text
//! version u8 = 1 | next identifier u64 | identifier of the queue manager u64 | count u32
//! count times, ascending:  identifier u64 | length u32 | definition
//! ```
//!
//! Integers are little-endian; definitions are as `objects` encodes them, the queue manager's own among them.

use std::collections::BTreeMap;
use std::sync::Arc;

use mqi::QueueManagerName;
use objects::{DecodeError, Definition, Moment, ObjectType};
use storage::ObjectId;

use super::{Catalogue, Defined, Lifetime, ManagerCurrent, Object, system};

const VERSION: u8 = 1;
/// Bytes before the objects.
const HEAD_BYTES: usize = 1 + 8 + 8 + 4;
/// Bytes before the definition of each.
const ENTRY_HEAD_BYTES: usize = 8 + 4;

/// The objects as far as restart has read.
pub struct Restored {
    pub(super) objects: BTreeMap<ObjectId, Definition>,
    pub(super) manager: Definition,
    pub(super) manager_id: ObjectId,
    pub(super) next_id: ObjectId,
    /// True if the queue manager's own definition was found, which a new one writes last.
    has_manager: bool,
}

/// Why restart cannot make sense of the objects.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// The snapshot was written by a later release.
    #[error(
        "the snapshot of the objects has format version {found}, this program reads version {VERSION}; start the queue \
         manager with the release or build that wrote it, or restore a backup"
    )]
    Version {
        /// The version found.
        found: u8,
    },
    /// The snapshot is shorter than it says.
    #[error("the snapshot of the objects is cut short; restore a backup")]
    Truncated,
    /// An object has the last identifier there is, which is never given.
    #[error("an object of the snapshot has identifier {}, which is never given; restore a backup", u64::MAX)]
    Identifier,
    /// A definition cannot be read.
    #[error(
        "object {object}: {source}; if a later release or an unreleased build wrote it, start the queue manager with \
         that, otherwise restore a backup",
        object = .object.0
    )]
    Definition {
        /// The object.
        object: ObjectId,
        /// Why.
        source: DecodeError,
    },
}

impl Restored {
    /// A queue manager without objects.
    pub fn empty(name: QueueManagerName) -> Self {
        Self {
            objects: BTreeMap::new(),
            manager: Definition::new(ObjectType::QueueManager, name.into(), Moment::default()),
            manager_id: ObjectId(0),
            next_id: ObjectId(1),
            has_manager: false,
        }
    }

    /// The objects of a checkpoint.
    pub fn from_snapshot(name: QueueManagerName, snapshot: &[u8]) -> Result<Self, RestoreError> {
        let mut restored = Self::empty(name);
        let mut rest = snapshot;
        let [found] = take(&mut rest)?;
        if found != VERSION {
            return Err(RestoreError::Version { found });
        }
        let next_id = ObjectId(u64::from_le_bytes(take(&mut rest)?));
        restored.manager_id = ObjectId(u64::from_le_bytes(take(&mut rest)?));
        for _ in 0..u32::from_le_bytes(take(&mut rest)?) {
            let object = ObjectId(u64::from_le_bytes(take(&mut rest)?));
            let length = u32::from_le_bytes(take(&mut rest)?) as usize;
            let (definition, after) = rest.split_at_checked(length).ok_or(RestoreError::Truncated)?;
            rest = after;
            restored.define(object, definition)?;
        }
        restored.next_id = restored.next_id.max(next_id);
        if rest.is_empty() { Ok(restored) } else { Err(RestoreError::Truncated) }
    }

    /// Replays a definition; replaying one again changes nothing. Tells what it defined.
    pub fn define(&mut self, object: ObjectId, definition: &[u8]) -> Result<&Definition, RestoreError> {
        let definition =
            Definition::decode(definition).map_err(|source| RestoreError::Definition { object, source })?;
        self.note_identifier(object)?;
        if definition.object_type() == ObjectType::QueueManager {
            self.manager = definition;
            self.manager_id = object;
            self.has_manager = true;
            return Ok(&self.manager);
        }
        Ok(self.objects.entry(object).insert_entry(definition).into_mut())
    }

    /// Takes note of the identifier of an object that is not in the catalogue: it is never given again.
    pub fn note_identifier(&mut self, object: ObjectId) -> Result<(), RestoreError> {
        let next_id = object.0.checked_add(1).ok_or(RestoreError::Identifier)?;
        self.next_id = self.next_id.max(ObjectId(next_id));
        Ok(())
    }

    /// Replays a removal; of an object that is not there, it does nothing.
    pub fn delete(&mut self, object: ObjectId) {
        self.next_id = self.next_id.max(ObjectId(object.0.saturating_add(1)));
        self.objects.remove(&object);
    }

    /// The definition of an object, if it is still there.
    pub fn definition(&self, object: ObjectId) -> Option<&Definition> {
        self.objects.get(&object)
    }

    /// Every definition, the queue manager's own among them.
    pub fn into_definitions(self) -> impl Iterator<Item = Definition> {
        self.objects.into_values().chain([self.manager])
    }

    /// The local queues, in the order of their identifiers.
    pub fn local_queues(&self) -> impl Iterator<Item = (ObjectId, &Definition)> {
        self.objects
            .iter()
            .filter(|(_, definition)| definition.object_type() == ObjectType::LocalQueue)
            .map(|(id, definition)| (*id, definition))
    }

    /// True if this queue manager was created completely: its system objects are there.
    pub fn is_complete(&self) -> bool {
        self.has_manager
    }
}

/// Owner of a definition in a snapshot.
enum Held<Q> {
    Queue(Arc<Object<Q>>),
    Other(Arc<Defined>),
    Manager(Arc<ManagerCurrent>),
}

impl<Q: super::LocalQueue> Held<Q> {
    fn with_definition<R>(&self, look: impl FnOnce(&Definition) -> R) -> R {
        match self {
            Self::Queue(object) => look(&object.current().definition),
            Self::Other(object) => look(&object.current().definition),
            Self::Manager(current) => look(&current.definition),
        }
    }
}

impl<Q: super::LocalQueue> Catalogue<Q> {
    /// Appends the catalogue's state for restart to other bytes. A change is either in it or in the log after
    /// the position that was appended to before this call.
    ///
    /// There may be 100,000 definitions: room for all is made at once, and one after the other is written
    /// into it, since memory taken in small pieces for a moment stays with the process.
    pub fn write_snapshot(&self, bytes: &mut Vec<u8>) {
        let changes = self.changes.lock();
        let queues =
            self.all().into_iter().map(|object| (object.id(), object.lifetime(), Held::Queue(object)));
        let others = self.defined.values().into_iter();
        let others = others.map(|object| (object.id(), object.lifetime(), Held::Other(object)));
        let mut objects: Vec<_> = queues
            .chain(others)
            .filter(|(_, lifetime, _)| *lifetime == Lifetime::Logged)
            .map(|(id, _, held)| (id, held))
            .collect();
        objects.push((self.manager_id, Held::Manager(self.manager.load_full())));
        objects.sort_unstable_by_key(|(id, _)| *id);
        let room: usize = objects
            .iter()
            .map(|(_, held)| ENTRY_HEAD_BYTES + held.with_definition(Definition::encoded_bytes))
            .sum();
        bytes.reserve_exact(HEAD_BYTES + room);
        bytes.push(VERSION);
        bytes.extend(changes.next_id.0.to_le_bytes());
        bytes.extend(self.manager_id.0.to_le_bytes());
        bytes.extend(u32::try_from(objects.len()).expect("fewer objects than identifiers").to_le_bytes());
        for (id, held) in objects {
            bytes.extend(id.0.to_le_bytes());
            held.with_definition(|definition| {
                let length = definition.encoded_bytes();
                bytes.extend(u32::try_from(length).expect("definitions are small").to_le_bytes());
                definition.encode_into(bytes);
            });
        }
    }

    /// Makes the system objects that a queue manager of an earlier release lacks. Objects that are there stay
    /// as they are. What finds no room in the log is made at a later start.
    pub fn gain(&self, now: Moment, mut make: impl FnMut(ObjectId, &super::Current) -> Q) {
        let is_there = |name: &str| {
            let queue = name.parse().is_ok_and(|name| self.find(&name).object.is_some());
            queue || self.find_defined(ObjectType::Service.name_space(), name).0.is_some()
        };
        for definition in system::added_definitions(now, is_there) {
            if self.make_if_missing(definition, &mut make).is_err() {
                // The rest would find no room either.
                return;
            }
        }
    }

    fn make_if_missing(
        &self,
        definition: Definition,
        make: &mut impl FnMut(ObjectId, &super::Current) -> Q,
    ) -> Result<(), super::ChangeError> {
        let made = if definition.object_type().is_queue() {
            self.define(definition, super::Existing::Refuse, Lifetime::Logged, make).map(drop)
        } else {
            self.define_other(definition, super::Existing::Refuse, Lifetime::Logged).map(drop)
        };
        match made {
            Ok(()) | Err(super::ChangeError::Exists(_) | super::ChangeError::OtherType { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Makes the system objects that are missing, and then the queue manager's own definition: to be called
    /// when [`Restored::is_complete`] said no. Cut short, it is simply done again.
    pub fn complete(
        &self,
        now: Moment,
        mut make: impl FnMut(ObjectId, &super::Current) -> Q,
    ) -> Result<storage::Lsn, super::ChangeError> {
        for definition in system::system_definitions(now) {
            self.make_if_missing(definition, &mut make)?;
        }
        let name = *self.manager().definition.name();
        self.alter_manager(|definition| {
            *definition = system::manager_definition(name, now);
            Ok(())
        })
    }
}

fn take<const COUNT: usize>(rest: &mut &[u8]) -> Result<[u8; COUNT], RestoreError> {
    let (taken, after) = rest.split_first_chunk().ok_or(RestoreError::Truncated)?;
    *rest = after;
    Ok(*taken)
}
