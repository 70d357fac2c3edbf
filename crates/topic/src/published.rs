//! The tree as all threads read it: a cell that holds the newest snapshot.
//!
//! Always: a reader takes no lock and waits for nothing. Changes are made one at a time, since a change needs
//! the publisher itself. A reader that began before a change goes on with the snapshot it has.

use std::fmt;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};

use crate::Tree;

/// The newest snapshot, for reading. Cheap to clone.
pub struct Published<K> {
    cell: Arc<ArcSwap<Tree<K>>>,
}

/// The only one that changes the tree.
pub struct Publisher<K> {
    cell: Arc<ArcSwap<Tree<K>>>,
}

impl<K> Clone for Published<K> {
    fn clone(&self) -> Self {
        Self { cell: Arc::clone(&self.cell) }
    }
}

impl<K> Published<K> {
    /// The tree as it is now.
    #[must_use]
    pub fn load(&self) -> Guard<Arc<Tree<K>>> {
        self.cell.load()
    }
}

impl<K> Publisher<K> {
    /// Publishes a first tree.
    #[must_use]
    pub fn new(tree: Tree<K>) -> Self {
        Self { cell: Arc::new(ArcSwap::from_pointee(tree)) }
    }

    /// Returns the readers' side.
    #[must_use]
    pub fn published(&self) -> Published<K> {
        Published { cell: Arc::clone(&self.cell) }
    }

    /// Publishes a change. What several changes at once make is seen together.
    pub fn change<R>(&mut self, change: impl FnOnce(&mut Tree<K>) -> R) -> R {
        let mut tree = Tree::clone(&self.cell.load());
        let result = change(&mut tree);
        self.cell.store(Arc::new(tree));
        result
    }
}

impl<K> fmt::Debug for Published<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tree = self.load();
        let (objects, subscriptions) = (tree.objects(), tree.subscriptions());
        write!(formatter, "a tree of {objects} topic objects and {subscriptions} subscriptions")
    }
}

impl<K> fmt::Debug for Publisher<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.published().fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::Publisher;
    use crate::{Pattern, Subscription, SubscriptionId, TopicString, Tree, Wildcards};

    #[test]
    fn who_read_before_a_change_goes_on_with_what_was() {
        let mut publisher = Publisher::new(Tree::new());
        let published = publisher.published();
        let topic = TopicString::new("a/b").expect("a topic");
        let pattern = Pattern::new("a/#", Wildcards::Levels).expect("a pattern");
        let before = published.load();
        publisher.change(|tree| tree.subscribe(Subscription::new(SubscriptionId(1), pattern.clone(), ())));
        assert_eq!((before.subscribers(&topic).len(), before.generation()), (0, 0));
        let after = published.load();
        assert_eq!((after.subscribers(&topic).len(), after.generation()), (1, 1));
        assert!(publisher.change(|tree| tree.unsubscribe(&pattern, SubscriptionId(1))).is_some());
        assert_eq!((after.subscriptions(), published.load().subscriptions()), (1, 0));
    }
}
