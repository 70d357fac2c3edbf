//! The nodes of a tree by number: flat, so that a tree of thousands of levels is made, changed and dropped
//! without recursion.
//!
//! Always: the number of a removed node is used again before a new one is made, so there are never more
//! places than there were nodes at one time.

use std::num::NonZeroU32;

use archery::ArcTK;
use rpds::{ListSync, Vector};

/// Why a node is found.
const NAMED: &str = "a node is named as long as it is there";

/// Names a node as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(NonZeroU32);

/// The node a tree begins with.
pub(crate) const ROOT: NodeId = NodeId(NonZeroU32::MIN);

/// Nodes kept, and copied, together: more take less memory each, and make a change dearer.
const TOGETHER: usize = 8;

/// Copies share what they have in common: changing a copy copies the node, the few beside it, and a few dozen
/// pointers.
#[derive(Clone, Debug)]
pub(crate) struct Arena<N> {
    /// All but the last have as many as are kept together.
    nodes: Vector<Vec<N>, ArcTK>,
    free: ListSync<NodeId>,
}

impl NodeId {
    /// Returns the index of the group that it is kept in, and its place there.
    fn place(self) -> (usize, usize) {
        let place = self.0.get() as usize - 1;
        (place / TOGETHER, place % TOGETHER)
    }

    /// The node at a place.
    fn at(together: usize, place: usize) -> Self {
        let number = u32::try_from(together * TOGETHER + place + 1).ok().and_then(NonZeroU32::new);
        Self(number.expect("fewer nodes than memory has room for"))
    }
}

impl<N: Clone + Default> Default for Arena<N> {
    fn default() -> Self {
        let mut arena = Self { nodes: Vector::new_with_ptr_kind(), free: ListSync::new_sync() };
        assert!(arena.add(N::default()) == ROOT, "the first node is the root");
        arena
    }
}

impl<N> Arena<N> {
    /// Number of nodes, the root included.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        let all = self.nodes.iter().map(Vec::len).sum::<usize>();
        all - self.free.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &N {
        let (together, place) = id.place();
        &self.nodes.get(together).expect(NAMED)[place]
    }
}

impl<N: Clone + Default> Arena<N> {
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut N {
        let (together, place) = id.place();
        &mut self.nodes.get_mut(together).expect(NAMED)[place]
    }

    pub(crate) fn add(&mut self, node: N) -> NodeId {
        if let Some(id) = self.free.first().copied() {
            self.free.drop_first_mut();
            *self.node_mut(id) = node;
            return id;
        }
        if self.nodes.last().is_none_or(|last| last.len() == TOGETHER) {
            self.nodes.push_back_mut(Vec::new());
        }
        let together = self.nodes.len() - 1;
        let last = self.nodes.get_mut(together).expect("there is one");
        // A copy has no room: without this one more would make room for as many again.
        last.reserve_exact(1);
        last.push(node);
        NodeId::at(together, last.len() - 1)
    }

    pub(crate) fn remove(&mut self, id: NodeId) {
        assert!(id != ROOT, "the root stays");
        *self.node_mut(id) = N::default();
        self.free.push_front_mut(id);
    }
}

#[cfg(test)]
mod tests {
    use super::{Arena, ROOT, TOGETHER};

    #[test]
    fn a_copy_stays_as_it_was_and_what_is_added_takes_no_room_ahead() {
        let mut arena = Arena::<u32>::default();
        let mut before = Vec::new();
        for number in 1..=5 * TOGETHER as u32 {
            // Somebody reads the tree while it changes.
            before.push(arena.clone());
            let id = arena.add(number);
            assert_eq!(*arena.node(id), number);
        }
        assert!(before.iter().zip(1..).all(|(before, nodes)| before.count() == nodes));
        assert!(arena.nodes.iter().all(|together| together.capacity() == together.len()));
        *arena.node_mut(ROOT) = 7;
        assert!(before.iter().all(|before| *before.node(ROOT) == 0));
    }
}
