//! Many profiles with a value each, and the most specific one for a name.
//!
//! Names without `?` and `*` are found by hash. All others lie in buckets by the characters in front of the
//! first `?` or `*`, sorted by their steps: the walk narrows a range of them step by step along the name, as
//! in a tree of characters. A longer beginning is more specific than a shorter one, so that the first bucket
//! decides.
//!
//! Always: the profile that is found is the least of those that match, in the order of
//! `Profile::by_specificity`.

use super::form::{Profile, token};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use mqi::name::LENGTH_MAX;
use std::ops::Range;

/// Profiles, each with a value.
#[derive(Clone, Debug)]
pub struct Index<V> {
    names: HashMap<Profile, V, FixedState>,
    buckets: HashMap<Box<[u8]>, Bucket<V>, FixedState>,
    /// The number of buckets by the length of their beginnings.
    lengths: [u32; LENGTH_MAX + 1],
}

/// Profiles with the same characters in front of the first `?` or `*`.
#[derive(Clone, Debug)]
struct Bucket<V> {
    /// Sorted by their steps; `values` has the value of each at the same place.
    profiles: Vec<Profile>,
    values: Vec<V>,
}

impl<V> Default for Index<V> {
    fn default() -> Self {
        let (names, buckets) = (HashMap::with_hasher(FixedState::default()), HashMap::default());
        Self { names, buckets, lengths: [0; LENGTH_MAX + 1] }
    }
}

impl<V> Index<V> {
    /// The number of profiles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len() + self.buckets.values().map(|bucket| bucket.profiles.len()).sum::<usize>()
    }

    /// Tells if there is no profile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.buckets.is_empty()
    }

    /// The value of this very profile.
    #[must_use]
    pub fn get(&self, profile: &Profile) -> Option<&V> {
        if !profile.is_generic() {
            return self.names.get(profile);
        }
        let bucket = self.buckets.get(profile.beginning())?;
        bucket.profiles.binary_search(profile).ok().map(|at| &bucket.values[at])
    }

    /// Adds a profile, or gives it another value; returns the one that it had.
    pub fn insert(&mut self, profile: Profile, value: V) -> Option<V> {
        if !profile.is_generic() {
            return self.names.insert(profile, value);
        }
        let beginning = profile.beginning();
        let Some(bucket) = self.buckets.get_mut(beginning) else {
            self.lengths[beginning.len()] += 1;
            self.buckets.insert(beginning.into(), Bucket { profiles: vec![profile], values: vec![value] });
            return None;
        };
        match bucket.profiles.binary_search(&profile) {
            Ok(at) => Some(std::mem::replace(&mut bucket.values[at], value)),
            Err(at) => {
                bucket.profiles.insert(at, profile);
                bucket.values.insert(at, value);
                None
            }
        }
    }

    /// Takes a profile away, and returns its value.
    pub fn remove(&mut self, profile: &Profile) -> Option<V> {
        if !profile.is_generic() {
            return self.names.remove(profile);
        }
        let beginning = profile.beginning();
        let bucket = self.buckets.get_mut(beginning)?;
        let at = bucket.profiles.binary_search(profile).ok()?;
        bucket.profiles.remove(at);
        let value = bucket.values.remove(at);
        if bucket.profiles.is_empty() {
            self.buckets.remove(beginning);
            self.lengths[beginning.len()] -= 1;
        }
        Some(value)
    }

    /// Every profile with its value: those of names in the order of their text, then the others.
    pub fn iter(&self) -> impl Iterator<Item = (&Profile, &V)> {
        let generic = self.buckets.values().flat_map(|own| own.profiles.iter().zip(&own.values));
        let mut names: Vec<_> = self.names.iter().collect();
        let mut generic: Vec<_> = generic.collect();
        names.sort_unstable_by_key(|(profile, _)| **profile);
        generic.sort_unstable_by_key(|(profile, _)| **profile);
        names.into_iter().chain(generic)
    }

    /// The most specific profile that matches a name, with its value.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(&Profile, &V)> {
        if let Some(found) = Profile::exact(name).and_then(|exact| self.names.get_key_value(&exact)) {
            return Some(found);
        }
        let longest = name.len().min(LENGTH_MAX);
        let lengths = (0..=longest).rev().filter(|length| self.lengths[*length] > 0);
        { lengths }.find_map(|length| {
            let bucket = self.buckets.get(&name.as_bytes()[..length])?;
            let seen = HashSet::with_hasher(FixedState::default());
            let at = Walk { generic: &bucket.profiles, name, seen }.best(
                0..bucket.profiles.len(),
                length,
                length,
            )?;
            Some((&bucket.profiles[at], &bucket.values[at]))
        })
    }
}

/// A look for one name.
struct Walk<'i> {
    generic: &'i [Profile],
    name: &'i str,
    /// Ranges behind a `*`, by their first place and depth, and the end of the qualifier that the `*` stands
    /// in. One that comes again later in the same qualifier finds nothing new.
    seen: HashSet<(usize, usize, usize), FixedState>,
}

impl Walk<'_> {
    /// The place of the most specific profile of a range that matches. All of the range have `depth` steps in
    /// common, and these have taken `at` characters of the name.
    fn best(&mut self, range: Range<usize>, depth: usize, at: usize) -> Option<usize> {
        if range.is_empty() {
            return None;
        }
        if range.len() == 1 {
            return self.generic[range.start].matches(self.name).then_some(range.start);
        }
        let name = self.name.as_bytes();
        // In the order of ranks: what is found first beats all that could be found later.
        if let Some(byte) = name.get(at) {
            // No profile has a character that is numbered as another step; a text that is no name may.
            if *byte > token::CHARACTER
                && let Some(found) = self.best(self.with(&range, depth, *byte), depth + 1, at + 1)
            {
                return Some(found);
            }
            if *byte != b'.'
                && let Some(found) = self.best(self.with(&range, depth, token::CHARACTER), depth + 1, at + 1)
            {
                return Some(found);
            }
        } else if self.generic[range.start].tokens[depth] == token::END {
            return Some(range.start);
        }
        self.behind_characters(&range, depth, at).or_else(|| self.behind_qualifiers(&range, depth, at))
    }

    fn behind_characters(&mut self, range: &Range<usize>, depth: usize, at: usize) -> Option<usize> {
        let narrowed = self.with(range, depth, token::CHARACTERS);
        if narrowed.is_empty() {
            return None;
        }
        let end = self.next_dot(at);
        if !self.seen.insert((narrowed.start, depth, end)) {
            return None;
        }
        let found = (at..=end).filter_map(|at| self.best(narrowed.clone(), depth + 1, at)).collect();
        self.least(found)
    }

    fn behind_qualifiers(&mut self, range: &Range<usize>, depth: usize, at: usize) -> Option<usize> {
        let narrowed = self.with(range, depth, token::QUALIFIERS);
        let name = self.name.as_bytes();
        let is_first = depth == 0;
        let is_edge = is_first || name.get(at).is_none_or(|byte| *byte == b'.');
        if narrowed.is_empty() || !is_edge {
            return None;
        }
        // The one that ends here stands first, and matches whatever follows.
        let ends = self.generic[narrowed.start].tokens[depth + 1] == token::END;
        let rest = narrowed.start + usize::from(ends)..narrowed.end;
        let starts = (at..name.len()).filter(|dot| name[*dot] == b'.').map(|dot| dot + 1);
        let starts = is_first.then_some(0).into_iter().chain(starts);
        let mut found: Vec<usize> = starts.filter_map(|at| self.best(rest.clone(), depth + 1, at)).collect();
        found.extend(ends.then_some(narrowed.start));
        self.least(found)
    }

    fn least(&self, found: Vec<usize>) -> Option<usize> {
        found.into_iter().min_by(|one, other| self.generic[*one].by_specificity(&self.generic[*other]))
    }

    fn next_dot(&self, at: usize) -> usize {
        let rest = &self.name.as_bytes()[at..];
        rest.iter().position(|byte| *byte == b'.').map_or(self.name.len(), |length| at + length)
    }

    /// The part of a range that has a step next.
    fn with(&self, range: &Range<usize>, depth: usize, step: u8) -> Range<usize> {
        let step_at = |at: usize| self.generic[at].tokens[depth];
        let (first, last) = (step_at(range.start), step_at(range.end - 1));
        if first > step || last < step {
            return range.start..range.start;
        }
        let within = &self.generic[range.clone()];
        let start = if first == step { 0 } else { within.partition_point(|own| own.tokens[depth] < step) };
        let length = if last == step {
            within.len() - start
        } else {
            within[start..].partition_point(|own| own.tokens[depth] == step)
        };
        range.start + start..range.start + start + length
    }
}
