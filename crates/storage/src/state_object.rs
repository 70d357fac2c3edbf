//! Objects that the queue manager defines for itself: state that a Define record or a checkpoint keeps.
//!
//! ```text
//! mark u8 = 240, which no definition by command begins with | kind u8 | version u8 | then by kind, version 1
//!
//! kind 1, the state of one end of a message channel towards one partner:
//!  3  direction u8: 1 sends, 2 receives
//!  4  flags u8: 1 the line was used, 2 a line was used before, 4 a stop named a line,
//!               8 batches were resolved by hand, 16 and then committed, 32 the receiver wants a new line
//!  5  lengths u8 each: channel (20 at most), partner's name (48), its identifier (48)
//!  8  line
//! 16  the line used before: its line, last batch, chain u64 each, last sequence number u32
//! 44  the line that a stop named u64
//! 52  by hand: first and last batch, time u64 each
//! 76  length of the name in the partner's certificate u16 (1,024 at most)
//! 78  channel, partner's name, its identifier, name in its certificate
//!
//! kind 2, a branch that was decided by hand:
//!  3  outcome u8: 1 committed, 2 backed out
//!  4  unit: epoch u32, counter u64
//! 16  prepared at u64 | decided at u64
//! 32  format u32
//! 36  lengths u8 each: global part, qualifier, user that prepared it, user that decided (64 at most)
//! 40  global part, qualifier, user that prepared it, user that decided
//!
//! kind 3, an authority record:
//!  3  number of the type of object i32
//!  7  flags u8: 1 a group has it, else a user
//!  8  authorities u32: bit n is set for the authority of number n
//! 12  lengths u8 each: profile (48 at most), name of the user or group (64 at most)
//! 14  profile, name
//!     in version 2: length u8 of the name of the user that made it (1 to 64) | that name
//!
//! kind 4, the mark that requests are judged:
//!  3  time u64 of the first user or record
//! ```
//!
//! Integers are little-endian, times are microseconds of the time of day. What a flag says is not there is
//! zero. Decoding accepts only what encoding writes.

use crate::UnitId;
use crate::input::Input;

const MARK: u8 = 240;
const OF_SYNC: u8 = 1;
const OF_RESOLVED: u8 = 2;
const OF_AUTHORITY: u8 = 3;
const OF_JUDGING: u8 = 4;
const VERSION: u8 = 1;
/// The version of an authority record that says its maker.
const VERSION_WITH_MAKER: u8 = 2;

const SENDS: u8 = 1;
const RECEIVES: u8 = 2;
const COMMITTED: u8 = 1;
const BACKED_OUT: u8 = 2;

const USED: u8 = 1;
const HAS_BEFORE: u8 = 2;
const STOPPED: u8 = 4;
const BY_HAND: u8 = 8;
const BY_HAND_COMMITTED: u8 = 16;
const WANTS_RESET: u8 = 32;
const FLAGS: u8 = USED | HAS_BEFORE | STOPPED | BY_HAND | BY_HAND_COMMITTED | WANTS_RESET;

/// An object that the queue manager defines for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateObject {
    /// The state of a message channel.
    Sync(SyncObject),
    /// A branch that was decided by hand.
    Resolved(ResolvedBranch),
    /// An authority record.
    Authority(AuthorityRecord),
    /// Requests are judged since this time, in microseconds of the time of day.
    Judging(i64),
}

/// The side of a message channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It sends messages.
    Sends,
    /// It receives messages.
    Receives,
}

/// A numbering of batches that both ends of a channel began together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line(pub u64);

/// The end of a line that gave way to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEnd {
    /// The line.
    pub line: Line,
    /// The number of its last batch.
    pub batch: u64,
    /// The fold of all its batches.
    pub chain: u64,
    /// The sequence number of its last message.
    pub sequence: u32,
}

/// Batches of a channel that a person decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResolvedBatches {
    /// The first.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// True when they were committed; else they were backed out.
    pub is_committed: bool,
    /// When, in microseconds of the time of day.
    pub at: i64,
}

/// The state of one end of a message channel towards one partner, but for the batch that it confirmed last:
/// that is in the record of the batch's own commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncObject {
    /// The channel.
    pub channel: String,
    /// The side that this is.
    pub direction: Direction,
    /// The partner's name.
    pub partner: String,
    /// The partner's identifier, which is another when a queue manager is made anew.
    pub partner_identifier: String,
    /// The name in the certificate with which the line began.
    pub certificate: String,
    /// The present line.
    pub line: Line,
    /// True when a batch of it was prepared, or arrived.
    pub is_used: bool,
    /// The end of the last line that was used before.
    pub before: Option<LineEnd>,
    /// The line that a stop named: a reset replaces it.
    pub stopped_at: Option<Line>,
    /// The batches that a person decided last.
    pub resolved: Option<ResolvedBatches>,
    /// True when the receiver asks for a new line.
    pub wants_reset: bool,
}

impl SyncObject {
    /// Most bytes of the name of a channel.
    pub const CHANNEL_BYTES_MAX: usize = 20;
    /// Most bytes of the partner's name, and of its identifier.
    pub const PARTNER_BYTES_MAX: usize = 48;
    /// Most bytes of the name in a certificate.
    pub const CERTIFICATE_BYTES_MAX: usize = 1024;

    /// True when each text is as short as it must be.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.channel.len() <= Self::CHANNEL_BYTES_MAX
            && self.partner.len() <= Self::PARTNER_BYTES_MAX
            && self.partner_identifier.len() <= Self::PARTNER_BYTES_MAX
            && self.certificate.len() <= Self::CERTIFICATE_BYTES_MAX
    }

    fn flags(&self) -> u8 {
        let resolved =
            self.resolved.map(|resolved| if resolved.is_committed { BY_HAND_COMMITTED } else { 0 });
        [
            (self.is_used, USED),
            (self.before.is_some(), HAS_BEFORE),
            (self.stopped_at.is_some(), STOPPED),
            (self.wants_reset, WANTS_RESET),
        ]
        .into_iter()
        .filter(|(is_set, _)| *is_set)
        .fold(resolved.map_or(0, |committed| BY_HAND | committed), |flags, (_, flag)| flags | flag)
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(match self.direction {
            Direction::Sends => SENDS,
            Direction::Receives => RECEIVES,
        });
        bytes.push(self.flags());
        let names = [&self.channel, &self.partner, &self.partner_identifier];
        bytes.extend(names.map(|name| name.len() as u8));
        bytes.extend(self.line.0.to_le_bytes());
        let none = LineEnd { line: Line(0), batch: 0, chain: 0, sequence: 0 };
        let LineEnd { line, batch, chain, sequence } = self.before.unwrap_or(none);
        bytes.extend([line.0, batch, chain].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(sequence.to_le_bytes());
        bytes.extend(self.stopped_at.unwrap_or_default().0.to_le_bytes());
        let none = ResolvedBatches { first: 0, last: 0, is_committed: false, at: 0 };
        let ResolvedBatches { first, last, at, .. } = self.resolved.unwrap_or(none);
        bytes.extend([first, last, at.cast_unsigned()].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend((self.certificate.len() as u16).to_le_bytes());
        names.into_iter().chain([&self.certificate]).for_each(|text| bytes.extend(text.as_bytes()));
    }

    fn decode(input: &mut Input<'_>) -> Option<Self> {
        let direction = match input.u8()? {
            SENDS => Direction::Sends,
            RECEIVES => Direction::Receives,
            _ => return None,
        };
        let flags = input.u8().filter(|flags| flags & !FLAGS == 0)?;
        let has = |flag| flags & flag != 0;
        let (channel, partner, identifier) = (input.u8()?, input.u8()?, input.u8()?);
        let line = Line(input.u64()?);
        let before = LineEnd {
            line: Line(input.u64()?),
            batch: input.u64()?,
            chain: input.u64()?,
            sequence: input.u32()?,
        };
        let stopped_at = Line(input.u64()?);
        let (first, last, at) = (input.u64()?, input.u64()?, input.i64()?);
        let resolved = ResolvedBatches { first, last, at, is_committed: has(BY_HAND_COMMITTED) };
        let certificate = usize::from(input.u16()?);
        let mut text = |length: usize| String::from_utf8(input.take(length)?.to_vec()).ok();
        Some(Self {
            direction,
            line,
            is_used: has(USED),
            before: has(HAS_BEFORE).then_some(before),
            stopped_at: has(STOPPED).then_some(stopped_at),
            resolved: has(BY_HAND).then_some(resolved),
            wants_reset: has(WANTS_RESET),
            channel: text(usize::from(channel))?,
            partner: text(usize::from(partner))?,
            partner_identifier: text(usize::from(identifier))?,
            certificate: text(certificate)?,
        })
    }
}

/// A branch of a transaction that a person decided while its coordinator had not. It is remembered until it
/// is forgotten by order, so that the coordinator is told when it asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedBranch {
    /// The unit of work that it was.
    pub unit: UnitId,
    /// True when it was committed; else it was backed out.
    pub is_committed: bool,
    /// When it was prepared, in microseconds of the time of day.
    pub prepared_at: i64,
    /// When it was decided, in microseconds of the time of day.
    pub decided_at: i64,
    /// The format of its identifier.
    pub format: i32,
    /// The part of the identifier that all branches of the transaction share.
    pub global: Vec<u8>,
    /// The part of this branch.
    pub qualifier: Vec<u8>,
    /// The user that prepared it.
    pub user: Vec<u8>,
    /// The user that decided it.
    pub decided_by: Vec<u8>,
}

impl ResolvedBranch {
    /// Most bytes of each part.
    pub const PART_BYTES_MAX: usize = 64;

    fn parts(&self) -> [&Vec<u8>; 4] {
        [&self.global, &self.qualifier, &self.user, &self.decided_by]
    }

    /// True when each part is as short as it must be.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.parts().into_iter().all(|part| part.len() <= Self::PART_BYTES_MAX)
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.push(if self.is_committed { COMMITTED } else { BACKED_OUT });
        bytes.extend(self.unit.epoch.to_le_bytes());
        bytes.extend(self.unit.counter.to_le_bytes());
        bytes.extend(self.prepared_at.to_le_bytes());
        bytes.extend(self.decided_at.to_le_bytes());
        bytes.extend(self.format.to_le_bytes());
        bytes.extend(self.parts().map(|part| part.len() as u8));
        self.parts().into_iter().for_each(|part| bytes.extend(part));
    }

    fn decode(input: &mut Input<'_>) -> Option<Self> {
        let is_committed = match input.u8()? {
            COMMITTED => true,
            BACKED_OUT => false,
            _ => return None,
        };
        let unit = UnitId { epoch: input.u32()?, counter: input.u64()? };
        let (prepared_at, decided_at) = (input.i64()?, input.i64()?);
        let format = input.u32()?.cast_signed();
        let lengths: [u8; 4] = input.array()?;
        let mut parts = lengths.into_iter().map(|length| input.take(usize::from(length)).map(<[u8]>::to_vec));
        let mut part = || parts.next().flatten();
        let (global, qualifier, user, decided_by) = (part()?, part()?, part()?, part()?);
        Some(Self {
            unit,
            is_committed,
            prepared_at,
            decided_at,
            format,
            global,
            qualifier,
            user,
            decided_by,
        })
    }
}

/// The objects of an authority record, and the user or group that has it: one record has both.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AuthorityKey {
    /// The number of the type of object.
    pub object_type: i32,
    /// The objects, as the administrator wrote them.
    pub profile: Box<str>,
    /// A group has it, else a user.
    pub is_group: bool,
    /// The user or group.
    pub entity: Box<str>,
}

/// An authority record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorityRecord {
    /// The objects and the user or group.
    pub key: AuthorityKey,
    /// Bit n is set for the authority of number n.
    pub authorities: u32,
    /// The user that made the record, where it counts for a bound of that user; else blank.
    pub maker: Box<str>,
}

impl AuthorityRecord {
    /// Most bytes of a profile.
    pub const PROFILE_BYTES_MAX: usize = 48;
    /// Most bytes of the name of a user or group.
    pub const ENTITY_BYTES_MAX: usize = 64;

    /// True when each text is as short as it must be.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.key.profile.len() <= Self::PROFILE_BYTES_MAX
            && [&self.key.entity, &self.maker].iter().all(|name| name.len() <= Self::ENTITY_BYTES_MAX)
    }

    /// The version that has its fields: a record without a maker is as earlier releases wrote it.
    fn version(&self) -> u8 {
        if self.maker.is_empty() { VERSION } else { VERSION_WITH_MAKER }
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        let AuthorityKey { object_type, profile, is_group, entity } = &self.key;
        bytes.extend(object_type.to_le_bytes());
        bytes.push(u8::from(*is_group));
        bytes.extend(self.authorities.to_le_bytes());
        bytes.extend([profile.len() as u8, entity.len() as u8]);
        bytes.extend(profile.as_bytes());
        bytes.extend(entity.as_bytes());
        if self.version() == VERSION_WITH_MAKER {
            bytes.push(self.maker.len() as u8);
            bytes.extend(self.maker.as_bytes());
        }
    }

    fn decode(input: &mut Input<'_>, version: u8) -> Option<Self> {
        let object_type = input.u32()?.cast_signed();
        let is_group = match input.u8()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let authorities = input.u32()?;
        let (profile, entity) = (input.u8()?, input.u8()?);
        let mut text = |length: u8| {
            String::from_utf8(input.take(usize::from(length))?.to_vec()).ok().map(String::into_boxed_str)
        };
        let (profile, entity) = (text(profile)?, text(entity)?);
        let maker = match version {
            VERSION_WITH_MAKER => {
                let length = input.u8()?;
                String::from_utf8(input.take(usize::from(length))?.to_vec()).ok()?.into()
            }
            _ => Box::default(),
        };
        Some(Self { key: AuthorityKey { object_type, profile, is_group, entity }, authorities, maker })
    }
}

/// Why bytes with the mark of a state object are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateObjectError {
    /// Written by a later release.
    #[error(
        "a state object is of kind {kind} and version {version}, which this release does not know; start the queue \
         manager with the release that wrote it, or a later one"
    )]
    Unknown {
        /// The kind found.
        kind: u8,
        /// The version found.
        version: u8,
    },
    /// The bytes are not as any release writes them.
    #[error("the bytes of a state object are not whole; restore the log or a backup")]
    Broken,
}

impl StateObject {
    /// True when the definition in a Define record is that of a state object, not one by command.
    #[must_use]
    pub fn is_marked(definition: &[u8]) -> bool {
        definition.first() == Some(&MARK)
    }

    /// The bytes of it.
    ///
    /// # Panics
    /// When a text is longer than it may be: the engine refuses such an object before.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![MARK];
        match self {
            Self::Sync(sync) => {
                assert!(sync.fits(), "the texts of a sync object are short");
                bytes.extend([OF_SYNC, VERSION]);
                sync.encode(&mut bytes);
            }
            Self::Resolved(branch) => {
                assert!(branch.fits(), "the parts of a resolved branch are short");
                bytes.extend([OF_RESOLVED, VERSION]);
                branch.encode(&mut bytes);
            }
            Self::Authority(record) => {
                assert!(record.fits(), "the texts of an authority record are short");
                bytes.extend([OF_AUTHORITY, record.version()]);
                record.encode(&mut bytes);
            }
            Self::Judging(since) => {
                bytes.extend([OF_JUDGING, VERSION]);
                bytes.extend(since.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads it back.
    pub fn decode(bytes: &[u8]) -> Result<Self, StateObjectError> {
        let &[MARK, kind, version, ref rest @ ..] = bytes else { return Err(StateObjectError::Broken) };
        let mut input = Input::new(rest);
        let object = match (kind, version) {
            (OF_SYNC, VERSION) => SyncObject::decode(&mut input).filter(SyncObject::fits).map(Self::Sync),
            (OF_RESOLVED, VERSION) => {
                ResolvedBranch::decode(&mut input).filter(ResolvedBranch::fits).map(Self::Resolved)
            }
            (OF_AUTHORITY, VERSION | VERSION_WITH_MAKER) => AuthorityRecord::decode(&mut input, version)
                .filter(AuthorityRecord::fits)
                .map(Self::Authority),
            (OF_JUDGING, VERSION) => input.i64().map(Self::Judging),
            _ => return Err(StateObjectError::Unknown { kind, version }),
        };
        object.filter(|object| object.encode() == bytes).ok_or(StateObjectError::Broken)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn line_end()(line: u64, batch: u64, chain: u64, sequence: u32) -> LineEnd {
            LineEnd { line: Line(line), batch, chain, sequence }
        }
    }

    prop_compose! {
        fn resolved_batches()(first: u64, last: u64, is_committed: bool, at: i64) -> ResolvedBatches {
            ResolvedBatches { first, last, is_committed, at }
        }
    }

    prop_compose! {
        fn sync()(
            channel in "[A-Z.]{0,20}", sends: bool, partner in "[A-Z.]{0,48}", partner_identifier in "[A-Z_]{0,48}",
            certificate in "[A-Za-zä=,]{0,400}", line: u64, is_used: bool,
            before in proptest::option::of(line_end()), stopped_at in proptest::option::of(any::<u64>()),
            resolved in proptest::option::of(resolved_batches()), wants_reset: bool,
        ) -> StateObject {
            let direction = if sends { Direction::Sends } else { Direction::Receives };
            StateObject::Sync(SyncObject {
                channel, direction, partner, partner_identifier, certificate, line: Line(line), is_used, before,
                stopped_at: stopped_at.map(Line), resolved, wants_reset,
            })
        }
    }

    prop_compose! {
        fn resolved()(
            epoch: u32, counter: u64, is_committed: bool, prepared_at: i64, decided_at: i64, format: i32,
            parts in [vec(any::<u8>(), 0..=64), vec(any::<u8>(), 0..=64), vec(any::<u8>(), 0..=64), vec(any::<u8>(), 0..=64)],
        ) -> StateObject {
            let [global, qualifier, user, decided_by] = parts;
            let unit = UnitId { epoch, counter };
            StateObject::Resolved(ResolvedBranch {
                unit, is_committed, prepared_at, decided_at, format, global, qualifier, user, decided_by,
            })
        }
    }

    prop_compose! {
        fn authority()(
            object_type: i32, profile in "[A-Z.*?]{0,48}", is_group: bool, entity in "[a-zä=,]{0,32}", authorities: u32,
            maker in "[a-zä=,]{0,32}",
        ) -> StateObject {
            let (profile, entity, maker) = (profile.into(), entity.into(), maker.into());
            let key = AuthorityKey { object_type, profile, is_group, entity };
            StateObject::Authority(AuthorityRecord { key, authorities, maker })
        }
    }

    fn any_object() -> impl Strategy<Value = StateObject> {
        prop_oneof![sync(), resolved(), authority(), any::<i64>().prop_map(StateObject::Judging)]
    }

    proptest! {
        #[test]
        fn state_objects_come_back(object in any_object()) {
            let bytes = object.encode();
            prop_assert!(StateObject::is_marked(&bytes));
            prop_assert_eq!(StateObject::decode(&bytes), Ok(object));
        }

        #[test]
        fn nothing_but_whole_state_objects_is_read(
            object in any_object(), at: prop::sample::Index, byte: u8,
        ) {
            let bytes = object.encode();
            for length in 0..bytes.len() {
                prop_assert_eq!(StateObject::decode(&bytes[..length]), Err(StateObjectError::Broken));
            }
            let mut longer = bytes.clone();
            longer.push(0);
            prop_assert_eq!(StateObject::decode(&longer), Err(StateObjectError::Broken));
            // With another byte it is another object, or none.
            let mut changed = bytes.clone();
            changed[at.index(bytes.len())] = byte;
            if let Ok(read) = StateObject::decode(&changed) {
                prop_assert_eq!(read.encode(), changed);
            }
        }
    }

    #[test]
    fn a_state_object_of_a_later_release_is_refused_by_its_version() {
        let refused = StateObject::decode(&[MARK, OF_RESOLVED, 2, 0]);
        assert_eq!(refused, Err(StateObjectError::Unknown { kind: OF_RESOLVED, version: 2 }));
        let refused = StateObject::decode(&[MARK, 200, VERSION]);
        assert_eq!(refused, Err(StateObjectError::Unknown { kind: 200, version: VERSION }));
    }

    #[test]
    fn what_a_flag_says_is_not_there_is_zero() {
        let sync = SyncObject {
            channel: "TO.B".to_owned(),
            direction: Direction::Sends,
            partner: "B".to_owned(),
            partner_identifier: "B_1".to_owned(),
            certificate: String::new(),
            line: Line(7),
            is_used: false,
            before: None,
            stopped_at: None,
            resolved: None,
            wants_reset: false,
        };
        let mut bytes = StateObject::Sync(sync).encode();
        bytes[16] = 1;
        assert_eq!(StateObject::decode(&bytes), Err(StateObjectError::Broken));
    }
}
