//! Topic objects at their places, and the properties of every place.
//!
//! Always: each place has its properties at hand, so that nothing walks up to find them. A change works out
//! anew the places below it and no others.

use std::sync::Arc;

use crate::arena::{Arena, NodeId, ROOT};
use crate::attributes::{Depth, Resolved, TopicObject};
use crate::map::Map;
use crate::string::levels;

#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    nodes: Arena<Node>,
    count: usize,
}

#[derive(Clone, Debug, Default)]
struct Node {
    object: Option<Arc<TopicObject>>,
    resolved: Arc<Resolved>,
    children: Map<Arc<str>, NodeId>,
}

impl Objects {
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns the properties of a place. The text is empty for the root.
    pub(crate) fn resolved(&self, place: &str) -> &Arc<Resolved> {
        let mut node = self.nodes.node(ROOT);
        for level in levels(place) {
            match node.children.get(level) {
                Some(child) => node = self.nodes.node(*child),
                // No object is further down.
                None => break,
            }
        }
        &node.resolved
    }

    /// The object at a place.
    pub(crate) fn at(&self, place: &str) -> Option<&TopicObject> {
        self.find(place).and_then(|id| self.nodes.node(id).object.as_deref())
    }

    fn find(&self, place: &str) -> Option<NodeId> {
        levels(place).try_fold(ROOT, |at, level| self.nodes.node(at).children.get(level).copied())
    }

    /// Puts an object at a place, instead of the one there.
    pub(crate) fn set(&mut self, place: &str, object: TopicObject) {
        let (mut at, mut depth) = (ROOT, 0);
        let mut above = Arc::<Resolved>::default();
        for level in levels(place) {
            above = Arc::clone(&self.nodes.node(at).resolved);
            depth += 1;
            at = match self.nodes.node(at).children.get(level) {
                Some(child) => *child,
                None => {
                    let child = Node { resolved: Arc::clone(&above), ..Node::default() };
                    let child = self.nodes.add(child);
                    self.nodes.node_mut(at).children.insert_mut(level.into(), child);
                    child
                }
            };
        }
        let before = self.nodes.node_mut(at).object.replace(Arc::new(object));
        self.count += usize::from(before.is_none());
        self.resolve(at, above, depth);
    }

    /// Takes the object at a place away.
    pub(crate) fn remove(&mut self, place: &str) -> Option<Arc<TopicObject>> {
        let mut way = Vec::new();
        let mut at = ROOT;
        let mut above = Arc::<Resolved>::default();
        for level in levels(place) {
            above = Arc::clone(&self.nodes.node(at).resolved);
            way.push((at, level));
            at = *self.nodes.node(at).children.get(level)?;
        }
        self.nodes.node(at).object.as_ref()?;
        let removed = self.nodes.node_mut(at).object.take();
        self.count -= 1;
        self.resolve(at, above, way.len() as Depth);
        while self.nodes.node(at).object.is_none()
            && self.nodes.node(at).children.is_empty()
            && let Some((parent, level)) = way.pop()
        {
            self.nodes.remove(at);
            self.nodes.node_mut(parent).children.remove_mut(level);
            at = parent;
        }
        removed
    }

    /// Works out what holds at a place and below it.
    fn resolve(&mut self, from: NodeId, above: Arc<Resolved>, depth: Depth) {
        let mut left = vec![(from, above, depth)];
        while let Some((id, above, depth)) = left.pop() {
            let node = self.nodes.node(id);
            let resolved = match &node.object {
                Some(object) => Arc::new(above.with(object, depth)),
                None => above,
            };
            // What is below says the same as long as this does.
            if *resolved == *node.resolved && id != from {
                continue;
            }
            left.extend(node.children.values().map(|child| (*child, Arc::clone(&resolved), depth + 1)));
            self.nodes.node_mut(id).resolved = resolved;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Objects;
    use crate::attributes::{Delivery, Resolved, Settings, TopicObject, Wildcard};

    fn object(name: &str, settings: Settings) -> TopicObject {
        TopicObject { name: name.parse().expect("a name"), settings }
    }

    #[test]
    fn what_is_left_open_comes_from_the_nearest_place_above() {
        let mut objects = Objects::default();
        let of_price = Settings { default_priority: Some(7), publish: Some(false), ..Settings::default() };
        objects.set("price", object("PRICE", of_price));
        objects
            .set("price/metal/tin", object("TIN", Settings { publish: Some(true), ..Settings::default() }));
        let tin = objects.resolved("price/metal/tin/close");
        assert_eq!((tin.default_priority, tin.publish), (7, true));
        assert_eq!(tin.object.expect("an object").as_str(), "TIN");
        let metal = objects.resolved("price/metal");
        assert_eq!((metal.default_priority, metal.publish), (7, false), "a place without an object inherits");
        assert_eq!(**objects.resolved("weather"), Resolved::default());
    }

    #[test]
    fn a_change_above_reaches_all_who_inherit_at_once() {
        let mut objects = Objects::default();
        let isolated = Settings { default_priority: Some(1), ..Settings::at_root() };
        assert!(isolated.is_isolated() && !Settings::default().is_isolated());
        objects.set("a/b", object("B", Settings::default()));
        objects.set("a/isolated", object("I", isolated));
        let root = Settings {
            nonpersistent_delivery: Some(Delivery::All),
            default_priority: Some(5),
            ..Settings::default()
        };
        objects.set("", object("SYSTEM.BASE.TOPIC", root));
        let of = |objects: &Objects, place: &str| {
            let resolved = objects.resolved(place);
            (resolved.nonpersistent_delivery, resolved.default_priority)
        };
        assert_eq!(of(&objects, "a/b/c"), (Delivery::All, 5));
        assert_eq!(of(&objects, "a/isolated/c"), (Delivery::AllAvailable, 1));
        objects.set("a", object("A", Settings { default_priority: Some(3), ..Settings::default() }));
        assert_eq!(of(&objects, "a/b"), (Delivery::All, 3));
        objects.remove("a");
        assert_eq!(of(&objects, "a/b"), (Delivery::All, 5));
        objects.remove("");
        assert_eq!(of(&objects, "a/b"), (Delivery::AllAvailable, 0));
        assert_eq!(objects.count(), 2);
    }

    #[test]
    fn wildcards_are_blocked_from_the_place_that_says_so() {
        let mut objects = Objects::default();
        let block = Settings { wildcard: Wildcard::Block, ..Settings::default() };
        objects.set("sport/football", object("FOOTBALL", block));
        objects.set("sport/football/scores", object("SCORES", Settings::default()));
        for (place, depth) in
            [("sport", 0), ("sport/football", 2), ("sport/football/scores/x", 2), ("sport/golf", 0)]
        {
            assert_eq!(objects.resolved(place).blocked_above, depth, "{place}");
        }
    }

    #[test]
    fn what_is_removed_leaves_nothing_behind() {
        let mut objects = Objects::default();
        for place in ["a/b/c", "a", ""] {
            objects.set(place, object("X", Settings::default()));
        }
        assert!(objects.at("a/b").is_none() && objects.at("a/b/c").is_some());
        for place in ["a", "a/b/c", ""] {
            assert!(objects.remove(place).is_some() && objects.remove(place).is_none(), "{place}");
        }
        assert_eq!(objects.nodes.count(), 1, "the root");
    }
}
