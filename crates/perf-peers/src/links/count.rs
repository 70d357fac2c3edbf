//! The count of what a link handed over.

use std::collections::BTreeSet;

/// Messages by their number, which is the order in which they were put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Put, and confirmed to the putter.
    pub(crate) confirmed: usize,
    /// Confirmed, and never came.
    pub(crate) lost: usize,
    /// Came again.
    pub(crate) doubled: usize,
    /// Came for the first time behind one that was put later.
    pub(crate) inverted: usize,
}

impl Count {
    /// A message that was put and not confirmed may come or not.
    pub(crate) fn of(confirmed: &[u64], came: &[u64]) -> Self {
        let (mut seen, mut highest) = (BTreeSet::new(), None);
        let mut count = Self { confirmed: confirmed.len(), ..Self::default() };
        for number in came {
            if !seen.insert(*number) {
                count.doubled += 1;
            } else if highest.is_some_and(|highest| highest > *number) {
                count.inverted += 1;
            }
            highest = highest.max(Some(*number));
        }
        count.lost = confirmed.iter().filter(|number| !seen.contains(number)).count();
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_of_a_link_is_counted_once() {
        let count = |lost, doubled, inverted| Count { confirmed: 4, lost, doubled, inverted };
        for (came, expected) in [
            (&[0, 1, 2, 4][..], count(0, 0, 0)),
            // The third was put and not confirmed.
            (&[0, 1, 2, 3, 4], count(0, 0, 0)),
            (&[0, 2, 4], count(1, 0, 0)),
            (&[0, 1, 2, 1, 2, 4], count(0, 2, 0)),
            (&[0, 2, 1, 4], count(0, 0, 1)),
            (&[], count(4, 0, 0)),
        ] {
            assert_eq!(Count::of(&[0, 1, 2, 4], came), expected, "{came:?}");
        }
    }
}
