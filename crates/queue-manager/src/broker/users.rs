//! The connections that use subscriptions.
//!
//! Always: a subscription that is not shared is used by one connection at a time; one whose end has begun is
//! used by no other any more; a hold keeps nobody from using it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use mqi::ObjectName;
use smallvec::SmallVec;

/// The subscriptions that are in use or held, by their identifiers.
#[derive(Debug, Default)]
pub(crate) struct Users {
    used: BTreeMap<ObjectName, UsedBy>,
    /// Holds of each.
    held: BTreeMap<ObjectName, usize>,
}

/// The connections that use a subscription, one entry for each handle.
#[derive(Debug)]
struct UsedBy {
    connections: SmallVec<[u64; 1]>,
    is_shared: bool,
    /// The last one ends the subscription.
    is_ending: bool,
}

impl UsedBy {
    fn leave(&mut self, connection: u64) {
        if let Some(index) = self.connections.iter().position(|user| *user == connection) {
            self.connections.swap_remove(index);
        }
    }
}

impl Users {
    /// Notes that the time of a subscription may not begin.
    pub(crate) fn hold(&mut self, id: &ObjectName) {
        *self.held.entry(*id).or_default() += 1;
    }

    /// Gives a hold up.
    pub(crate) fn let_go(&mut self, id: &ObjectName) {
        if let Entry::Occupied(mut holds) = self.held.entry(*id) {
            *holds.get_mut() -= 1;
            if *holds.get() == 0 {
                holds.remove();
            }
        }
    }

    /// Returns true for a subscription that is in use or held.
    pub(crate) fn is_needed(&self, id: &ObjectName) -> bool {
        self.used.contains_key(id) || self.held.contains_key(id)
    }

    /// Returns true for a subscription that a connection uses and no other does.
    pub(crate) fn is_alone(&self, id: &ObjectName, connection: u64) -> bool {
        self.used.get(id).is_some_and(|used| used.connections.iter().all(|user| *user == connection))
    }

    /// Takes the use of a subscription, unless another has it; several take that of one that is shared.
    pub(crate) fn claim(&mut self, id: &ObjectName, connection: u64, is_shared: bool) -> bool {
        match self.used.get_mut(id) {
            None => {
                let connections = SmallVec::from_elem(connection, 1);
                self.used.insert(*id, UsedBy { connections, is_shared, is_ending: false });
                true
            }
            Some(used) if is_shared && used.is_shared && !used.is_ending => {
                used.connections.push(connection);
                true
            }
            Some(_) => false,
        }
    }

    /// Gives the use of a subscription by a connection up.
    pub(crate) fn release(&mut self, id: &ObjectName, connection: u64) {
        let Some(used) = self.used.get_mut(id) else { return };
        used.leave(connection);
        if used.connections.is_empty() {
            self.used.remove(id);
        }
    }

    /// Keeps others from taking a subscription into use that its user is about to end. False when others use
    /// it.
    pub(crate) fn claim_end(&mut self, id: &ObjectName) -> bool {
        let Some(used) = self.used.get_mut(id).filter(|used| used.connections.len() == 1) else {
            return false;
        };
        used.is_ending = true;
        true
    }

    /// Gives up the use of a subscription, except the last use: there it returns true, and the caller ends
    /// the subscription and then gives that use up.
    pub(crate) fn leave_to_others(&mut self, id: &ObjectName, connection: u64) -> bool {
        if self.used.get(id).is_none_or(|used| used.connections.len() <= 1) {
            self.claim_end(id);
            return true;
        }
        self.release(id, connection);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Users;

    #[test]
    fn one_is_the_last_to_leave_what_several_share() {
        let (mut users, id) = (Users::default(), "S".parse().unwrap());
        assert!(users.claim(&id, 1, true));
        assert!(!users.claim(&id, 2, false), "it is shared with those who share");
        assert!(users.claim(&id, 2, true) && users.claim(&id, 2, true));
        assert!(!users.claim_end(&id));
        assert!(!users.leave_to_others(&id, 2) && !users.leave_to_others(&id, 1));
        assert!(users.is_alone(&id, 2) && !users.is_alone(&id, 1));
        assert!(users.leave_to_others(&id, 2));
        assert!(!users.claim(&id, 3, true), "it ends");
        users.release(&id, 2);
        assert!(users.claim(&id, 3, false), "it is gone");
    }
}
