//! Subscriptions by the levels of their patterns, `+` and `#` among them.
//!
//! A tree whose edges are levels. A topic is followed down every way at once that may still match: the
//! level's own, `+`, and from any `#` met before. Only beginnings of patterns that fit the topic so far are
//! looked at.
//!
//! Always: a node but the root has a subscription, or an edge; after a `#` there is no other `#`.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::SubscriptionId;
use crate::arena::{Arena, NodeId, ROOT};
use crate::map::{self, Sparse};
use crate::pattern::{Level, Pattern};
use crate::subscription::{Found, Here};

#[derive(Clone, Debug)]
pub(crate) struct Levels<S> {
    nodes: Arena<Node<S>>,
}

#[derive(Clone, Debug)]
struct Node<S> {
    here: Here<S>,
    exact: Sparse<Arc<str>, NodeId>,
    /// After `+`.
    one: Option<NodeId>,
    /// After `#`.
    many: Option<NodeId>,
}

impl<S> Default for Node<S> {
    fn default() -> Self {
        Self { here: Here::None, exact: None, one: None, many: None }
    }
}

impl<S: Clone> Default for Levels<S> {
    fn default() -> Self {
        Self { nodes: Arena::default() }
    }
}

impl<S> Node<S> {
    fn next(&self, level: Level<'_>) -> Option<NodeId> {
        match level {
            Level::Exact(text) => self.exact.as_ref()?.get(text).copied(),
            Level::One => self.one,
            Level::Many => self.many,
        }
    }

    fn is_bare(&self) -> bool {
        self.here.is_empty() && self.exact.is_none() && self.one.is_none() && self.many.is_none()
    }
}

impl<S: Clone> Levels<S> {
    pub(crate) fn insert(&mut self, pattern: &Pattern, id: SubscriptionId, subscription: S) {
        let mut at = ROOT;
        for level in pattern.levels() {
            at = match self.nodes.node(at).next(level) {
                Some(next) => next,
                None => {
                    let next = self.nodes.add(Node::default());
                    let node = self.nodes.node_mut(at);
                    match level {
                        Level::Exact(text) => map::insert(&mut node.exact, text.into(), next),
                        Level::One => node.one = Some(next),
                        Level::Many => node.many = Some(next),
                    }
                    next
                }
            };
        }
        self.nodes.node_mut(at).here.insert(id, pattern.fixed_levels(), subscription);
    }

    pub(crate) fn remove(&mut self, pattern: &Pattern, id: SubscriptionId) -> Option<S> {
        let mut way = Vec::new();
        let mut at = ROOT;
        for level in pattern.levels() {
            way.push((at, level));
            at = self.nodes.node(at).next(level)?;
        }
        let removed = self.nodes.node_mut(at).here.remove(id)?;
        while self.nodes.node(at).is_bare()
            && let Some((parent, level)) = way.pop()
        {
            self.nodes.remove(at);
            let node = self.nodes.node_mut(parent);
            match level {
                Level::Exact(text) => map::remove(&mut node.exact, text),
                Level::One => node.one = None,
                Level::Many => node.many = None,
            }
            at = parent;
        }
        Some(removed)
    }

    /// The subscription of a pattern.
    pub(crate) fn get(&self, pattern: &Pattern, id: SubscriptionId) -> Option<&S> {
        let at = pattern.levels().try_fold(ROOT, |at, level| self.nodes.node(at).next(level))?;
        self.nodes.node(at).here.get(id)
    }

    /// Finds the subscriptions whose patterns fit a topic.
    pub(crate) fn find<'a>(&'a self, topic: &str, blocked: u32, found: &mut Found<'a, S>) {
        let mut walk =
            Walk { levels: self, moving: Vec::new(), staying: Vec::new(), entered: HashSet::default() };
        walk.enter(ROOT);
        for level in crate::string::levels(topic) {
            walk.step(level);
        }
        for node in walk.moving.iter().chain(&walk.staying) {
            node.here.collect(blocked, found);
        }
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.nodes.count()
    }
}

/// Where the patterns stand that fit a topic so far.
struct Walk<'a, S> {
    levels: &'a Levels<S>,
    moving: Vec<&'a Node<S>>,
    /// After a `#`, which fits any levels that follow.
    staying: Vec<&'a Node<S>>,
    entered: HashSet<NodeId, FixedState>,
}

impl<S> Walk<'_, S> {
    fn enter(&mut self, id: NodeId) {
        let node = self.levels.nodes.node(id);
        self.moving.push(node);
        // `#` stands for no level at all, too.
        if let Some(many) = node.many
            && self.entered.insert(many)
        {
            self.staying.push(self.levels.nodes.node(many));
        }
    }

    fn step(&mut self, level: &str) {
        let before = std::mem::take(&mut self.moving);
        let stayed = self.staying.len();
        for index in 0..before.len() + stayed {
            let node = before.get(index).copied().unwrap_or_else(|| self.staying[index - before.len()]);
            if let Some(next) = node.next(Level::Exact(level)) {
                self.enter(next);
            }
            if let Some(next) = node.one {
                self.enter(next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Levels;
    use crate::subscription::Found;
    use crate::{Pattern, SubscriptionId, Wildcards};

    /// There may be 100,000 subscriptions with a node or two each.
    #[test]
    fn a_node_is_small() {
        assert!(size_of::<super::Node<std::sync::Arc<()>>>() <= 40);
    }

    #[test]
    fn what_is_removed_leaves_nothing_behind() {
        let mut levels = Levels::default();
        let patterns = ["a/b/c", "a/+/c", "a/#", "#/c", "a/b/c", "+", "#"]
            .map(|text| Pattern::new(text, Wildcards::Levels).expect("a pattern"));
        for (pattern, id) in patterns.iter().zip(0..) {
            levels.insert(pattern, SubscriptionId(id), id);
        }
        let mut found = Found::new();
        levels.find("a/b/c", 0, &mut found);
        assert_eq!(levels.get(&patterns[1], SubscriptionId(1)), Some(&1));
        assert_eq!(levels.get(&patterns[1], SubscriptionId(2)), None);
        assert_eq!(found.into_values().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 6]);
        for (pattern, id) in patterns.iter().zip(0..) {
            assert_eq!(levels.remove(pattern, SubscriptionId(id)), Some(id));
            assert_eq!(levels.remove(pattern, SubscriptionId(id)), None);
        }
        assert_eq!(levels.count(), 1, "the root");
    }
}
