//! The nodes of a tree by number: flat, so that a tree of thousands of levels is made, changed and dropped without
//! recursion.
//!
//! Always: the number of a node that was removed is given again before a new one is made, so that there are as many places as there
//! ever were nodes at one time.

use std::num::NonZeroU32;

use archery::ArcTK;
use rpds::{ListSync, Vector};

/// Names a node as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(NonZeroU32);

/// The node a tree begins with.
pub(crate) const ROOT: NodeId = NodeId(NonZeroU32::MIN);

/// Copies share what they have in common: changing a copy copies the node, and a few dozen pointers.
#[derive(Clone, Debug)]
pub(crate) struct Arena<N> {
    nodes: Vector<N, ArcTK>,
    free: ListSync<NodeId>,
}

impl NodeId {
    fn place(self) -> usize {
        self.0.get() as usize - 1
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
    /// How many nodes there are, the root included.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    pub(crate) fn node(&self, id: NodeId) -> &N {
        self.nodes.get(id.place()).expect("a node is named as long as it is there")
    }
}

impl<N: Clone + Default> Arena<N> {
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut N {
        self.nodes.get_mut(id.place()).expect("a node is named as long as it is there")
    }

    pub(crate) fn add(&mut self, node: N) -> NodeId {
        if let Some(id) = self.free.first().copied() {
            self.free.drop_first_mut();
            *self.node_mut(id) = node;
            return id;
        }
        self.nodes.push_back_mut(node);
        let number = u32::try_from(self.nodes.len()).ok().and_then(NonZeroU32::new);
        NodeId(number.expect("fewer nodes than memory has room for"))
    }

    pub(crate) fn remove(&mut self, id: NodeId) {
        assert!(id != ROOT, "the root stays");
        *self.node_mut(id) = N::default();
        self.free.push_front_mut(id);
    }
}
