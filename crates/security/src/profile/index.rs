//! Many profiles with a value each, and the most specific one for a name.
//!
//! Names without `?` and `*` are found by hash. All others lie sorted by their steps, so that those with the
//! same beginning are neighbours: the walk narrows a range of them step by step along the name, as in a tree
//! of characters.
//!
//! Always: the profile that is found is the least of those that match, in the order of
//! `Profile::by_specificity`.

use super::form::{Profile, TOKENS_MAX, token};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::ops::Range;

/// Profiles, each with a value.
#[derive(Clone, Debug)]
pub struct Index<V> {
    names: HashMap<Profile, V, FixedState>,
    /// Sorted by their steps; `values` has the value of each at the same place.
    generic: Vec<Profile>,
    values: Vec<V>,
}

impl<V> Default for Index<V> {
    fn default() -> Self {
        Self { names: HashMap::with_hasher(FixedState::default()), generic: Vec::new(), values: Vec::new() }
    }
}

impl<V> Index<V> {
    /// The number of profiles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len() + self.generic.len()
    }

    /// Tells if there is no profile.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of this very profile.
    #[must_use]
    pub fn get(&self, profile: &Profile) -> Option<&V> {
        if !profile.is_generic() {
            return self.names.get(profile);
        }
        self.generic.binary_search(profile).ok().map(|at| &self.values[at])
    }

    /// Adds a profile, or gives it another value; returns the one that it had.
    pub fn insert(&mut self, profile: Profile, value: V) -> Option<V> {
        if !profile.is_generic() {
            return self.names.insert(profile, value);
        }
        match self.generic.binary_search(&profile) {
            Ok(at) => Some(std::mem::replace(&mut self.values[at], value)),
            Err(at) => {
                self.generic.insert(at, profile);
                self.values.insert(at, value);
                None
            }
        }
    }

    /// Takes a profile away, and returns its value.
    pub fn remove(&mut self, profile: &Profile) -> Option<V> {
        if !profile.is_generic() {
            return self.names.remove(profile);
        }
        let at = self.generic.binary_search(profile).ok()?;
        self.generic.remove(at);
        Some(self.values.remove(at))
    }

    /// Every profile with its value: those of names in the order of their text, then the others.
    pub fn iter(&self) -> impl Iterator<Item = (&Profile, &V)> {
        let mut names: Vec<_> = self.names.iter().collect();
        names.sort_unstable_by_key(|(profile, _)| **profile);
        names.into_iter().chain(self.generic.iter().zip(&self.values))
    }

    /// The most specific profile that matches a name, with its value.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(&Profile, &V)> {
        if let Some(found) = Profile::exact(name).and_then(|exact| self.names.get_key_value(&exact)) {
            return Some(found);
        }
        if name.len() >= TOKENS_MAX {
            return None;
        }
        let mut walk =
            Walk { generic: &self.generic, name, seen: HashSet::with_hasher(FixedState::default()) };
        let at = walk.best(0..self.generic.len(), 0, 0)?;
        Some((&self.generic[at], &self.values[at]))
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
            if let Some(found) = self.best(self.with(&range, depth, *byte), depth + 1, at + 1) {
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
        self.name[at..].find('.').map_or(self.name.len(), |length| at + length)
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
