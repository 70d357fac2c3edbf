//! Sources of refusals, and the share of the record that each may have.
//!
//! Lives here: the source of a refusal, the number that are recorded in full within a second, and the bytes
//! of a source in the files. Lives elsewhere: the lines and the files (`audit`).
//!
//! Always: a refusal is recorded, or counted with one of its source that is; a counted one has a number from
//! which that of the record follows; whatever one source asks for, others are recorded as if it asked for
//! nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use queue_manager::{Identity, Refusal};

use super::files::{FILE_BYTES_MAX, FILES};
use crate::strangers;

/// Refusals of a source that are recorded within a second: as many as a person reads.
pub(super) const RECORDED_MAX: u32 = 10;

/// The time in which so many are.
const WINDOW: Duration = Duration::from_secs(1);

/// Most bytes of one source in all files: a quarter of them.
pub(super) const SHARE_BYTES_MAX: u64 = FILE_BYTES_MAX * FILES as u64 / 4;

/// Most sources that are known. Of more, one that is quiet and has little in the files is forgotten.
pub(super) const SOURCES_MAX: usize = 4_096;

/// A source with more bytes in the files is not forgotten. Fewer than [`SOURCES_MAX`] have so many.
const LITTLE_BYTES_MAX: u64 = 64 << 10;

/// The time between two lines about the counted refusals of a source.
const TOLD_AGAIN: Duration = Duration::from_secs(60);

/// The lower bits of a number, in which those of counted refusals differ from that of their record.
const COUNTED_BITS: u32 = 20;
const COUNTED_MASK: u64 = (1 << COUNTED_BITS) - 1;

/// The source of refusals.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A user that is proved, at an address; none for this machine.
    User(Box<str>, Option<strangers::Source>),
    /// An address, of programs that prove nothing: their names are their own choice.
    Address(Option<strangers::Source>),
    /// Messages: the names in them are the choice of programs and partners.
    Messages,
    /// More sources than are known.
    Others,
}

impl Source {
    pub(super) fn of(refusal: &Refusal) -> Self {
        let user = &refusal.user;
        let address = user.address().map(strangers::Source::of);
        match user.identity() {
            // A login that is refused proves nothing.
            _ if refusal.login.is_some() => Self::Address(address),
            Identity::Asserted => Self::Address(address),
            Identity::Message => Self::Messages,
            Identity::Proved | Identity::Kernel | Identity::Process | Identity::Part(_) => {
                Self::User(user.name().into(), address)
            }
        }
    }
}

impl Source {
    /// Reads a source as a line has it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let place = |text: &str| match text {
            HERE => Some(None),
            address => address.parse().ok().map(Some),
        };
        match text {
            MESSAGES => Some(Self::Messages),
            OTHERS => Some(Self::Others),
            _ => match text.strip_prefix(USER).and_then(|text| text.rsplit_once(AT)) {
                Some((name, address)) => Some(Self::User(name.into(), place(address)?)),
                None => place(text).map(Self::Address),
            },
        }
    }
}

/// The words for sources in lines.
const MESSAGES: &str = "messages";
const OTHERS: &str = "other sources";
const HERE: &str = "this machine";
const USER: &str = "user ";
const AT: &str = " at ";

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |address: &Option<strangers::Source>| match address {
            Some(address) => address.to_string(),
            None => HERE.to_owned(),
        };
        match self {
            Self::User(name, address) => write!(formatter, "{USER}{name}{AT}{}", place(address)),
            Self::Address(address) => write!(formatter, "{}", place(address)),
            Self::Messages => formatter.write_str(MESSAGES),
            Self::Others => formatter.write_str(OTHERS),
        }
    }
}

/// The treatment of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Treatment {
    /// It has a record.
    Recorded,
    /// It is counted with the last record of its source, under this number.
    Counted(u64),
}

/// Refusals of a source that have no record of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) source: Source,
    pub(super) refusals: u64,
    /// The number of the record that they are counted with.
    pub(super) with: u64,
}

/// All sources that are known.
#[derive(Debug, Default)]
pub(super) struct Sources {
    known: BTreeMap<Source, Known>,
}

#[derive(Debug)]
struct Known {
    window: Instant,
    recorded: u32,
    /// The number of the record that further ones are counted with.
    with: Option<u64>,
    counted: u64,
    /// Refusals counted so far that no line tells.
    untold: u64,
    told_at: Option<Instant>,
    /// Bytes in the files, the newest first.
    bytes: [u64; FILES as usize],
}

impl Known {
    fn new(now: Instant) -> Self {
        let bytes = [0; FILES as usize];
        Self { window: now, recorded: 0, with: None, counted: 0, untold: 0, told_at: None, bytes }
    }

    fn bytes(&self) -> u64 {
        self.bytes.iter().sum()
    }

    fn is_forgettable(&self, now: Instant) -> bool {
        self.untold == 0 && now.duration_since(self.window) >= WINDOW && self.bytes() < LITTLE_BYTES_MAX
    }
}

impl Sources {
    /// Takes a refusal of a source.
    pub(super) fn take(&mut self, source: Source, id: u64, now: Instant) -> Treatment {
        let known = self.known(source, now);
        if now.duration_since(known.window) >= WINDOW {
            (known.window, known.recorded) = (now, 0);
        }
        // The first of all is recorded: there is nothing that it could be counted with.
        let has_room = known.recorded < RECORDED_MAX && known.bytes() < SHARE_BYTES_MAX;
        match known.with {
            Some(with) if !has_room => {
                known.counted += 1;
                known.untold += 1;
                // Not its own number, however many there are.
                let step = 1 + known.counted % COUNTED_MASK;
                Treatment::Counted(with & !COUNTED_MASK | (with + step) & COUNTED_MASK)
            }
            _ => {
                known.recorded += 1;
                known.with = Some(id);
                Treatment::Recorded
            }
        }
    }

    /// Takes the counts that are due to be told, or `all` of them.
    pub(super) fn take_counts(&mut self, now: Instant, all: bool) -> Vec<Count> {
        let is_due = |known: &Known| {
            let is_recent = |at: Instant| now.duration_since(at) < TOLD_AGAIN;
            known.untold > 0 && (all || !known.told_at.is_some_and(is_recent))
        };
        let due = self.known.iter_mut().filter(|(_, known)| is_due(known));
        due.map(|(source, known)| {
            known.told_at = Some(now);
            let with = known.with.unwrap_or_default();
            Count { source: source.clone(), refusals: std::mem::take(&mut known.untold), with }
        })
        .collect()
    }

    /// Notes that a line about a source is in a file: the newest, or one of so many before it.
    pub(super) fn note_line(&mut self, source: Source, bytes: u64, file: usize, now: Instant) {
        let known = self.known(source, now);
        if let Some(own) = known.bytes.get_mut(file) {
            *own += bytes;
        }
    }

    /// A new file was begun, and the oldest is gone.
    pub(super) fn rotate(&mut self) {
        for known in self.known.values_mut() {
            known.bytes.rotate_right(1);
            known.bytes[0] = 0;
        }
    }

    fn known(&mut self, source: Source, now: Instant) -> &mut Known {
        let source =
            if self.known.contains_key(&source) || self.has_room(now) { source } else { Source::Others };
        self.known.entry(source).or_insert_with(|| Known::new(now))
    }

    /// Makes room for one more, if any may be forgotten.
    fn has_room(&mut self, now: Instant) -> bool {
        if self.known.len() >= SOURCES_MAX {
            self.known.retain(|_, known| !known.is_forgettable(now));
        }
        self.known.len() < SOURCES_MAX
    }
}

/// True if a refusal of this number may be counted with the record of that.
pub(super) fn is_counted_with(counted: u64, record: u64) -> bool {
    counted & !COUNTED_MASK == record & !COUNTED_MASK
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    fn user(name: &str) -> Source {
        Source::User(name.into(), None)
    }

    fn address(text: &str) -> Source {
        Source::Address(Some(strangers::Source::of(text.parse::<IpAddr>().unwrap())))
    }

    #[test]
    fn a_source_reads_back_as_lines_have_it() {
        let far = Some(strangers::Source::of("2001:db8::1".parse().unwrap()));
        let sources = [
            user("ada"),
            user("at at at"),
            user(""),
            Source::User("messages".into(), far),
            address("10.0.0.1"),
            Source::Address(far),
            Source::Address(None),
            Source::Messages,
            Source::Others,
        ];
        for source in sources {
            assert_eq!(Source::parse(&source.to_string()), Some(source.clone()), "{source}");
        }
        assert_eq!(Source::parse("forged"), None);
    }

    #[test]
    fn ten_of_a_source_are_recorded_within_a_second_and_the_rest_have_numbers_of_the_last() {
        let (mut sources, began) = (Sources::default(), Instant::now());
        let mut treated = Vec::new();
        for id in 0..1_000_u64 {
            treated.push(sources.take(user("eve"), id << 32 | 0xF_FFFE, began));
        }
        assert!(treated[..10].iter().all(|one| *one == Treatment::Recorded), "{:?}", &treated[..10]);
        let last = 9 << 32 | 0xF_FFFE;
        let mut numbers: Vec<u64> = treated[10..]
            .iter()
            .map(|one| match one {
                Treatment::Counted(number) => *number,
                Treatment::Recorded => panic!("an eleventh"),
            })
            .collect();
        assert!(numbers.iter().all(|number| is_counted_with(*number, last) && *number != last));
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), 990, "each has a number of its own");
        let count = Count { source: user("eve"), refusals: 990, with: last };
        assert_eq!(sources.take_counts(began, false), [count]);
        // A second later there are ten more.
        let later = began + WINDOW;
        assert_eq!(sources.take(user("eve"), 7, later), Treatment::Recorded);
        assert_eq!(sources.take_counts(later, true), []);
    }

    #[test]
    fn another_user_address_and_network_are_sources_of_their_own_and_names_without_a_proof_are_none() {
        let (mut sources, now) = (Sources::default(), Instant::now());
        for id in 0..100 {
            sources.take(user("eve"), id, now);
            sources.take(address("10.0.0.1"), id, now);
            sources.take(address("2001:db8::1"), id, now);
        }
        for (source, expected) in [
            (user("ada"), true),
            (Source::User("eve".into(), Some(strangers::Source::of("10.0.0.1".parse().unwrap()))), true),
            (address("10.0.0.2"), true),
            (address("::ffff:10.0.0.1"), false),
            (address("2001:db8::ffff:2"), false),
            (address("2001:db8:0:1::1"), true),
            (Source::Messages, true),
        ] {
            let is_recorded = sources.take(source.clone(), 1, now) == Treatment::Recorded;
            assert_eq!(is_recorded, expected, "{source}");
        }
    }

    #[test]
    fn a_source_that_has_its_quarter_of_the_files_is_counted_until_files_go() {
        let (mut sources, mut now) = (Sources::default(), Instant::now());
        sources.take(user("eve"), 1, now);
        sources.note_line(user("eve"), SHARE_BYTES_MAX, 0, now);
        for _ in 0..FILES {
            now += WINDOW;
            assert!(matches!(sources.take(user("eve"), 2, now), Treatment::Counted(_)));
            assert_eq!(sources.take(user("ada"), 2, now), Treatment::Recorded);
            sources.rotate();
        }
        now += WINDOW;
        assert_eq!(sources.take(user("eve"), 3, now), Treatment::Recorded);
    }

    #[test]
    fn more_sources_than_are_known_share_a_place_and_those_with_much_in_the_files_are_remembered() {
        let (mut sources, began) = (Sources::default(), Instant::now());
        sources.take(user("eve"), 1, began);
        sources.note_line(user("eve"), SHARE_BYTES_MAX, 0, began);
        for number in 0..2 * SOURCES_MAX {
            sources.take(user(&number.to_string()), 1, began);
        }
        assert!(sources.known.len() <= SOURCES_MAX + 1, "{}", sources.known.len());
        let shared = sources.take(user("another"), 1, began);
        assert!(matches!(shared, Treatment::Counted(_)), "the rest share ten a second: {shared:?}");
        // Once they are quiet, there is room, and it is no way to another quarter.
        let later = began + WINDOW;
        sources.take_counts(later, true);
        assert_eq!(sources.take(user("another"), 1, later), Treatment::Recorded);
        assert!(matches!(sources.take(user("eve"), 2, later), Treatment::Counted(_)));
    }
}
