//! The last commit of each client instance, so that a repeated one is answered as the first was.
//!
//! ```text
//! count u32, count times, oldest first:  instance 16 bytes | number u64
//! ```

use std::collections::BTreeMap;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use storage::Lsn;
use storage::record::ClientCommit;

/// Most instances remembered. A client that commits again after so many others did is told that its outcome
/// is not known, which is true.
const INSTANCES_MAX: usize = 65_536;

/// The table, bounded; the instance that committed longest ago goes first.
#[derive(Debug, Default)]
pub struct ClientCommits {
    last: HashMap<[u8; 16], Last, FixedState>,
    by_age: BTreeMap<u64, [u8; 16]>,
    stamp: u64,
}

#[derive(Clone, Copy, Debug)]
struct Last {
    number: u64,
    need: Lsn,
    stamp: u64,
}

impl ClientCommits {
    /// A commit was appended.
    pub fn remember(&mut self, commit: ClientCommit, need: Lsn) {
        self.stamp += 1;
        let stamp = self.stamp;
        let last = Last { number: commit.number, need, stamp };
        if let Some(before) = self.last.insert(commit.instance, last) {
            self.by_age.remove(&before.stamp);
        }
        self.by_age.insert(stamp, commit.instance);
        if self.last.len() > INSTANCES_MAX
            && let Some((_, oldest)) = self.by_age.pop_first()
        {
            self.last.remove(&oldest);
        }
    }

    /// The number of the last commit of an instance, and its need.
    pub fn last(&self, instance: &[u8; 16]) -> Option<(u64, Lsn)> {
        self.last.get(instance).map(|last| (last.number, last.need))
    }

    /// The table for a checkpoint.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.by_age.len() as u32).to_le_bytes());
        for instance in self.by_age.values() {
            bytes.extend(instance);
            bytes.extend(self.last[instance].number.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ClientCommits, INSTANCES_MAX};
    use storage::Lsn;
    use storage::record::ClientCommit;

    fn commit(instance: u32, number: u64) -> ClientCommit {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&instance.to_le_bytes());
        ClientCommit { instance: bytes, number }
    }

    #[test]
    fn the_table_is_bounded_and_forgets_who_committed_longest_ago() {
        let mut table = ClientCommits::default();
        for instance in 0..=INSTANCES_MAX as u32 {
            table.remember(commit(instance, 1), Lsn(u64::from(instance)));
            table.remember(commit(0, 2), Lsn(7));
        }
        assert_eq!(table.last(&commit(0, 0).instance), Some((2, Lsn(7))));
        assert_eq!(table.last(&commit(1, 0).instance), None);
        assert_eq!(table.last(&commit(2, 0).instance), Some((1, Lsn(2))));
    }
}
