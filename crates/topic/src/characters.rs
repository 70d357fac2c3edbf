//! Subscriptions by the characters of their patterns, `*` and `?` among them.
//!
//! A tree whose edges are texts, `?` and `*`. As in `levels`, a topic is followed down every way at once that
//! may still match, here character by character, and slashes are characters like others.
//!
//! Always: the texts of a node's edges begin with different characters; after a `*` there is no other `*`.

use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashSet;

use crate::SubscriptionId;
use crate::arena::{Arena, NodeId, ROOT};
use crate::map::{self, Sparse};
use crate::pattern::{Part, Pattern};
use crate::subscription::{Found, Here};

#[derive(Clone, Debug)]
pub(crate) struct Characters<S> {
    nodes: Arena<Node<S>>,
}

#[derive(Clone, Debug)]
struct Node<S> {
    here: Here<S>,
    texts: Sparse<char, Edge>,
    /// After `?`.
    one: Option<NodeId>,
    /// After `*`.
    many: Option<NodeId>,
}

#[derive(Clone, Debug)]
struct Edge {
    text: Arc<str>,
    to: NodeId,
}

impl<S> Default for Node<S> {
    fn default() -> Self {
        Self { here: Here::None, texts: None, one: None, many: None }
    }
}

impl<S: Clone> Default for Characters<S> {
    fn default() -> Self {
        Self { nodes: Arena::default() }
    }
}

impl<S> Node<S> {
    /// The edge whose text begins with a character.
    fn edge(&self, first: char) -> Option<&Edge> {
        self.texts.as_ref()?.get(&first)
    }

    fn is_bare(&self) -> bool {
        self.here.is_empty() && self.texts.is_none() && self.one.is_none() && self.many.is_none()
    }
}

/// The edge taken from a node.
#[derive(Clone, Copy)]
enum Taken {
    Text(char),
    One,
    Many,
}

impl<S: Clone> Characters<S> {
    pub(crate) fn insert(&mut self, pattern: &Pattern, id: SubscriptionId, subscription: S) {
        let mut at = ROOT;
        for part in pattern.parts() {
            at = match part {
                Part::Text(text) => self.enter_text(at, &text),
                Part::One => {
                    let next = self.nodes.node(at).one;
                    next.unwrap_or_else(|| self.add(at, |node, next| node.one = Some(next)))
                }
                Part::Many => {
                    let next = self.nodes.node(at).many;
                    next.unwrap_or_else(|| self.add(at, |node, next| node.many = Some(next)))
                }
            };
        }
        self.nodes.node_mut(at).here.insert(id, pattern.fixed_levels(), subscription);
    }

    fn add(&mut self, at: NodeId, link: impl FnOnce(&mut Node<S>, NodeId)) -> NodeId {
        let next = self.nodes.add(Node::default());
        link(self.nodes.node_mut(at), next);
        next
    }

    /// The node after a text, which may have to be made within an edge that there is.
    fn enter_text(&mut self, mut at: NodeId, mut text: &str) -> NodeId {
        while let Some(first) = text.chars().next() {
            let Some(edge) = self.nodes.node(at).edge(first).cloned() else {
                let text = Arc::from(text);
                return self.add(at, |node, to| map::insert(&mut node.texts, first, Edge { text, to }));
            };
            let common = common_bytes(&edge.text, text);
            at = if common == edge.text.len() { edge.to } else { self.split(at, first, &edge, common) };
            text = &text[common..];
        }
        at
    }

    /// Puts a node into an edge, behind so many bytes of its text.
    fn split(&mut self, at: NodeId, first: char, edge: &Edge, bytes: usize) -> NodeId {
        let (before, after) = edge.text.split_at(bytes);
        let mut middle = Node::default();
        let first_after = after.chars().next().expect("the edge goes on after what is common");
        map::insert(&mut middle.texts, first_after, Edge { text: after.into(), to: edge.to });
        let to = self.nodes.add(middle);
        map::insert(&mut self.nodes.node_mut(at).texts, first, Edge { text: before.into(), to });
        to
    }

    /// The subscription of a pattern.
    pub(crate) fn get(&self, pattern: &Pattern, id: SubscriptionId) -> Option<&S> {
        let (_, at) = self.way_to(pattern)?;
        self.nodes.node(at).here.get(id)
    }

    /// The node of a pattern, and the edges taken to it.
    fn way_to(&self, pattern: &Pattern) -> Option<(Vec<(NodeId, Taken)>, NodeId)> {
        let mut way = Vec::new();
        let mut at = ROOT;
        for part in pattern.parts() {
            match part {
                Part::Text(text) => {
                    let mut text = &*text;
                    while let Some(first) = text.chars().next() {
                        let edge = self.nodes.node(at).edge(first)?;
                        text = text.strip_prefix(&*edge.text)?;
                        way.push((at, Taken::Text(first)));
                        at = edge.to;
                    }
                }
                Part::One => {
                    way.push((at, Taken::One));
                    at = self.nodes.node(at).one?;
                }
                Part::Many => {
                    way.push((at, Taken::Many));
                    at = self.nodes.node(at).many?;
                }
            }
        }
        Some((way, at))
    }

    pub(crate) fn remove(&mut self, pattern: &Pattern, id: SubscriptionId) -> Option<S> {
        let (mut way, mut at) = self.way_to(pattern)?;
        let removed = self.nodes.node_mut(at).here.remove(id)?;
        while self.nodes.node(at).is_bare()
            && let Some((parent, taken)) = way.pop()
        {
            self.nodes.remove(at);
            let node = self.nodes.node_mut(parent);
            match taken {
                Taken::Text(first) => map::remove(&mut node.texts, &first),
                Taken::One => node.one = None,
                Taken::Many => node.many = None,
            }
            at = parent;
        }
        Some(removed)
    }

    /// Finds the subscriptions whose patterns fit a topic.
    pub(crate) fn find<'a>(&'a self, topic: &str, blocked: u32, found: &mut Found<'a, S>) {
        if self.nodes.node(ROOT).is_bare() {
            return;
        }
        let mut walk = Walk {
            characters: self,
            moving: Vec::new(),
            within: Vec::new(),
            staying: Vec::new(),
            entered: HashSet::default(),
        };
        walk.enter(ROOT);
        for character in topic.chars() {
            walk.step(character);
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

/// Returns the bytes of the whole characters that two texts have in common at their beginnings.
fn common_bytes(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs.take_while(|(one, other)| one == other).map(|(one, _)| one.len_utf8()).sum()
}

/// Where the patterns stand that fit a topic so far.
struct Walk<'a, S> {
    characters: &'a Characters<S>,
    moving: Vec<&'a Node<S>>,
    /// Within an edge, of which this is left.
    within: Vec<(&'a str, NodeId)>,
    /// After a `*`, which fits any characters that follow.
    staying: Vec<&'a Node<S>>,
    entered: HashSet<NodeId, FixedState>,
}

impl<S> Walk<'_, S> {
    fn enter(&mut self, id: NodeId) {
        let node = self.characters.nodes.node(id);
        self.moving.push(node);
        if let Some(many) = node.many
            && self.entered.insert(many)
        {
            self.staying.push(self.characters.nodes.node(many));
        }
    }

    fn step(&mut self, character: char) {
        let before = std::mem::take(&mut self.moving);
        let within = std::mem::take(&mut self.within);
        let stayed = self.staying.len();
        for (left, to) in within {
            if let Some(left) = left.strip_prefix(character) {
                self.go_on(left, to);
            }
        }
        for index in 0..before.len() + stayed {
            let node = before.get(index).copied().unwrap_or_else(|| self.staying[index - before.len()]);
            if let Some(edge) = node.edge(character) {
                self.go_on(&edge.text[character.len_utf8()..], edge.to);
            }
            if let Some(next) = node.one {
                self.enter(next);
            }
        }
    }
}

impl<'a, S> Walk<'a, S> {
    /// Goes on with an edge of which so much is left.
    fn go_on(&mut self, left: &'a str, to: NodeId) {
        if left.is_empty() {
            self.enter(to);
        } else {
            self.within.push((left, to));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Characters;
    use crate::subscription::Found;
    use crate::{Pattern, SubscriptionId, Wildcards};

    /// There may be 100,000 subscriptions with a node or two each.
    #[test]
    fn a_node_is_small() {
        assert!(size_of::<super::Node<std::sync::Arc<()>>>() <= 40);
    }

    #[test]
    fn what_is_removed_is_found_no_more() {
        let mut characters = Characters::default();
        let patterns = ["price/*", "price/t?n", "pri*", "*n", "price/té*", "*", "price/*"]
            .map(|text| Pattern::new(text, Wildcards::Characters).expect("a pattern"));
        for (pattern, id) in patterns.iter().zip(0..) {
            characters.insert(pattern, SubscriptionId(id), id);
        }
        let find = |characters: &Characters<u64>, topic: &str| {
            let mut found = Found::new();
            characters.find(topic, 0, &mut found);
            found.into_values().copied().collect::<Vec<_>>()
        };
        assert_eq!(find(&characters, "price/tin"), [0, 1, 2, 3, 5, 6]);
        assert_eq!(characters.get(&patterns[6], SubscriptionId(6)), Some(&6));
        assert_eq!(characters.get(&patterns[6], SubscriptionId(1)), None);
        assert_eq!(find(&characters, "price/té"), [0, 2, 4, 5, 6]);
        for (pattern, id) in patterns.iter().zip(0..) {
            assert_eq!(characters.remove(pattern, SubscriptionId(id)), Some(id));
            assert_eq!(characters.remove(pattern, SubscriptionId(id)), None);
        }
        assert_eq!(find(&characters, "price/tin"), []);
        assert_eq!(characters.count(), 1, "the root");
    }
}
