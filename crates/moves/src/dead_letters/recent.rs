//! Letters that a handler put elsewhere lately.
//!
//! A letter comes back if its way leads to the queue that it was on: through another handler, a subscription,
//! or a program that gives up. It has the identifier and the body that it had.
//!
//! Always: a letter that is known here is not handled again before its time.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::Instant;

use super::letter::Letter;

/// Most letters that are remembered, some 5 MB of memory. Beyond that the oldest are forgotten.
const LETTERS_MAX: usize = 100_000;

/// Equal for a letter and the one that it comes back as, with its header or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Fingerprint(u64);

impl Fingerprint {
    fn of(letter: &Letter) -> Self {
        let mut hasher = DefaultHasher::new();
        letter.descriptor.message_id.as_bytes().hash(&mut hasher);
        letter.original().1.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// The letters, each until its time.
#[derive(Debug, Default)]
pub(crate) struct Recent {
    due: HashMap<Fingerprint, Instant>,
    /// In the order in which they are forgotten.
    order: VecDeque<(Fingerprint, Instant)>,
}

impl Recent {
    /// Remembers a letter until a time.
    pub(crate) fn insert(&mut self, letter: &Letter, due: Instant) {
        let fingerprint = Fingerprint::of(letter);
        self.due.insert(fingerprint, due);
        self.order.push_back((fingerprint, due));
        if self.order.len() > LETTERS_MAX {
            self.forget_oldest();
        }
    }

    /// Returns true if the letter was put elsewhere and its time has not come.
    pub(crate) fn contains(&self, letter: &Letter) -> bool {
        !self.due.is_empty() && self.due.contains_key(&Fingerprint::of(letter))
    }

    /// Forgets the letters whose time has come.
    pub(crate) fn forget(&mut self, now: Instant) {
        while self.order.front().is_some_and(|(_, due)| *due <= now) {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        // A letter that was put again meanwhile has a later entry.
        if let Some((fingerprint, due)) = self.order.pop_front()
            && self.due.get(&fingerprint) == Some(&due)
        {
            self.due.remove(&fingerprint);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mqi::{MessageDescriptor, MessageId, MessageToken};

    use super::*;

    fn letter(number: u32) -> Letter {
        let mut id = [0; 24];
        id[..4].copy_from_slice(&number.to_le_bytes());
        let descriptor =
            MessageDescriptor { message_id: MessageId::from_bytes(id), ..MessageDescriptor::default() };
        Letter::new(descriptor, "body".into(), MessageToken::NONE)
    }

    #[test]
    fn a_letter_is_known_until_its_latest_time() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut recent = Recent::default();
        recent.insert(&letter(1), start + second);
        recent.insert(&letter(1), start + 2 * second);
        recent.forget(start + second);
        assert!(recent.contains(&letter(1)) && !recent.contains(&letter(2)));
        let other = Letter { body: "other".into(), ..letter(1) };
        assert!(!recent.contains(&other), "two letters of one identifier are two");
        recent.forget(start + 2 * second);
        assert!(!recent.contains(&letter(1)) && recent.due.is_empty());
    }

    #[test]
    fn the_memory_has_a_bound() {
        let now = Instant::now();
        let mut recent = Recent::default();
        let most = u32::try_from(LETTERS_MAX).unwrap();
        (0..=most).for_each(|number| recent.insert(&letter(number), now));
        assert!(
            !recent.contains(&letter(0)) && recent.contains(&letter(1)) && recent.contains(&letter(most))
        );
        assert_eq!((recent.due.len(), recent.order.len()), (LETTERS_MAX, LETTERS_MAX));
    }
}
