//! Readers that are shown a part of the figures: those of objects that they may display.
//!
//! Always: the thread of the board makes each part. A reactor hands out what is there.

use std::time::Duration;

use bytes::Bytes;
use platform::Monotonic;
use security::Principal;

/// Most readers at one time. Of more the one that asked longest ago gives way, and is made anew when it asks.
const READERS_MAX: usize = 16;

/// Figures are made for so long after somebody asked: longer than monitoring systems pause between scrapes.
pub(super) const ASKED_WITHIN: Duration = Duration::from_secs(90);

/// All readers that are shown a part.
#[derive(Default)]
pub(super) struct Readers(Vec<Reader>);

struct Reader {
    principal: Principal,
    asked: Monotonic,
    /// The part; none before the first is made.
    block: Option<Bytes>,
}

impl Readers {
    /// The part of a reader, and whether it has none yet and waits.
    pub(super) fn block_of(&mut self, principal: &Principal, now: Monotonic) -> (Bytes, bool) {
        if let Some(reader) = self.0.iter_mut().find(|reader| reader.principal == *principal) {
            // The groups of a user change from login to login.
            reader.principal = principal.clone();
            reader.asked = now;
            return reader.block.clone().map_or((Bytes::new(), true), |block| (block, false));
        }
        if self.0.len() >= READERS_MAX {
            let oldest = self.0.iter().enumerate().min_by_key(|(_, reader)| reader.asked.0);
            let place = oldest.map(|(place, _)| place).unwrap_or_default();
            self.0.swap_remove(place);
        }
        self.0.push(Reader { principal: principal.clone(), asked: now, block: None });
        (Bytes::new(), true)
    }

    /// Returns the readers that a part is to be made for: all that asked lately where there is something new,
    /// else the ones that have none.
    pub(super) fn waiting(&mut self, now: Monotonic, is_new: bool) -> Vec<Principal> {
        self.0.retain(|reader| now.since(reader.asked) <= ASKED_WITHIN);
        let waiting = self.0.iter().filter(|reader| is_new || reader.block.is_none());
        waiting.map(|reader| reader.principal.clone()).collect()
    }

    /// Shows a reader its part, unless it has given way meanwhile.
    pub(super) fn show(&mut self, principal: &Principal, block: Bytes) {
        if let Some(reader) = self.0.iter_mut().find(|reader| reader.principal == *principal) {
            reader.block = Some(block);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use security::Identity;

    fn user(number: usize) -> Principal {
        Principal::new(&format!("user{number}"), Identity::Proved).unwrap()
    }

    #[test]
    fn a_reader_waits_for_its_part_and_is_given_it_until_it_asks_no_more() {
        let mut readers = Readers::default();
        let begun = Monotonic(1);
        assert_eq!(readers.block_of(&user(1), begun), (Bytes::new(), true));
        assert_eq!(readers.waiting(begun, false), [user(1)]);
        readers.show(&user(1), Bytes::from("part"));
        assert_eq!(readers.block_of(&user(1), begun), (Bytes::from("part"), false));
        assert!(readers.waiting(begun, false).is_empty(), "nothing is new");
        assert_eq!(readers.waiting(begun, true), [user(1)]);
        assert_eq!(readers.block_of(&user(2), begun), (Bytes::new(), true), "not the part of another");
        let late = begun.after(ASKED_WITHIN + Duration::from_secs(1));
        assert!(readers.waiting(late, true).is_empty());
        assert_eq!(readers.block_of(&user(1), late), (Bytes::new(), true), "it is made anew");
    }

    #[test]
    fn of_too_many_readers_the_one_that_asked_longest_ago_gives_way() {
        let mut readers = Readers::default();
        for number in 0..READERS_MAX {
            readers.block_of(&user(number), Monotonic(10 + number as u64));
            readers.show(&user(number), Bytes::from("part"));
        }
        readers.block_of(&user(0), Monotonic(1_000));
        assert_eq!(readers.block_of(&user(99), Monotonic(1_001)), (Bytes::new(), true));
        assert_eq!(readers.0.len(), READERS_MAX);
        assert!(!readers.block_of(&user(0), Monotonic(1_002)).1, "it asked lately");
        assert!(readers.block_of(&user(1), Monotonic(1_003)).1, "it asked longest ago");
    }
}
