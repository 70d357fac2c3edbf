//! The nodes of a tree by number: flat, so that a tree of thousands of levels is made, changed and dropped without
//! recursion.

use std::sync::Arc;

use crate::map::{self, Map};

/// Names a node; never given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(u64);

/// The node a tree begins with.
pub(crate) const ROOT: NodeId = NodeId(0);

#[derive(Clone, Debug)]
pub(crate) struct Arena<N> {
    nodes: Map<NodeId, Arc<N>>,
    next: u64,
}

impl<N: Clone + Default> Default for Arena<N> {
    fn default() -> Self {
        let mut arena = Self { nodes: map::empty(), next: 0 };
        assert!(arena.add(N::default()) == ROOT, "the first node is the root");
        arena
    }
}

impl<N> Arena<N> {
    /// How many nodes there are, the root included.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.nodes.size()
    }

    pub(crate) fn node(&self, id: NodeId) -> &N {
        self.nodes.get(&id).expect("a node is named as long as it is there")
    }
}

impl<N: Clone> Arena<N> {
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut N {
        Arc::make_mut(self.nodes.get_mut(&id).expect("a node is named as long as it is there"))
    }

    pub(crate) fn add(&mut self, node: N) -> NodeId {
        let id = NodeId(self.next);
        self.next += 1;
        self.nodes.insert_mut(id, Arc::new(node));
        id
    }

    pub(crate) fn remove(&mut self, id: NodeId) {
        assert!(id != ROOT, "the root stays");
        self.nodes.remove_mut(&id);
    }
}
