//! Trees and plain lists given the same changes, and asked the same.

use std::cell::Cell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use topic::{
    Pattern, Settings, Subscription, SubscriptionId, TopicObject, TopicString, Tree, Wildcard, Wildcards,
};

/// One change.
#[derive(Clone, Debug)]
enum Change {
    Subscribe(u64, String, Wildcards),
    Unsubscribe(u64),
    SetObject(String, Option<u8>, Wildcard),
    RemoveObject(String),
}

/// The root as `way` says it, apart from a first level that is empty.
const ROOT: &str = "the root";

/// Lists, searched from one end to the other.
#[derive(Clone, Default)]
struct Model {
    subscriptions: BTreeMap<u64, Pattern>,
    objects: BTreeMap<String, (Option<u8>, Wildcard)>,
}

fn named(place: &str) -> String {
    if place.is_empty() { ROOT.to_owned() } else { place.to_owned() }
}

fn split(text: &str) -> Vec<&str> {
    if text.is_empty() { Vec::new() } else { text.split('/').collect() }
}

fn levels_fit(pattern: &[&str], topic: &[&str]) -> bool {
    match pattern.split_first() {
        None => topic.is_empty(),
        Some((&"#", rest)) => (0..=topic.len()).any(|skipped| levels_fit(rest, &topic[skipped..])),
        Some((&"+", rest)) => !topic.is_empty() && levels_fit(rest, &topic[1..]),
        Some((level, rest)) => topic.first() == Some(level) && levels_fit(rest, &topic[1..]),
    }
}

fn characters_fit(pattern: &[char], topic: &[char]) -> bool {
    match pattern {
        [] => topic.is_empty(),
        ['*', rest @ ..] => (0..=topic.len()).any(|skipped| characters_fit(rest, &topic[skipped..])),
        ['?', rest @ ..] => !topic.is_empty() && characters_fit(rest, &topic[1..]),
        ['%', escaped, rest @ ..] => topic.first() == Some(escaped) && characters_fit(rest, &topic[1..]),
        [character, rest @ ..] => topic.first() == Some(character) && characters_fit(rest, &topic[1..]),
    }
}

fn fits(pattern: &Pattern, topic: &str) -> bool {
    match pattern.wildcards() {
        Wildcards::Levels => levels_fit(&split(pattern.as_str()), &split(topic)),
        Wildcards::Characters => {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            characters_fit(&characters(pattern.as_str()), &characters(topic))
        }
    }
}

/// The levels before the first wildcard, when there is one.
fn fixed(pattern: &Pattern) -> Option<usize> {
    match pattern.wildcards() {
        Wildcards::Levels => split(pattern.as_str()).iter().position(|level| ["+", "#"].contains(level)),
        Wildcards::Characters => {
            let mut slashes = 0;
            let mut characters = pattern.as_str().chars();
            while let Some(character) = characters.next() {
                match character {
                    '%' => drop(characters.next()),
                    '*' | '?' => return Some(slashes),
                    '/' => slashes += 1,
                    _ => {}
                }
            }
            None
        }
    }
}

impl Model {
    /// The places from the root to a topic. The one below the root whose level is empty cannot be named by
    /// itself.
    fn way(topic: &str) -> Vec<String> {
        let levels = split(topic);
        let place = |depth: usize| if depth == 1 { levels[0].to_owned() } else { levels[..depth].join("/") };
        (0..=levels.len()).map(|depth| if depth == 0 { ROOT.to_owned() } else { place(depth) }).collect()
    }

    fn priority(&self, topic: &str) -> u8 {
        let way = Self::way(topic);
        way.iter().rev().find_map(|place| self.objects.get(place)?.0).unwrap_or(0)
    }

    fn subscribers(&self, topic: &str) -> Vec<u64> {
        let way = Self::way(topic);
        let is_block =
            |place: &String| self.objects.get(place).is_some_and(|object| object.1 == Wildcard::Block);
        let blocked = way.iter().rposition(is_block).unwrap_or(0);
        let all = self.subscriptions.iter();
        all.filter(|(_, pattern)| fits(pattern, topic) && fixed(pattern).is_none_or(|fixed| fixed >= blocked))
            .map(|(id, _)| *id)
            .collect()
    }

    fn apply(&mut self, tree: &mut Tree<()>, change: &Change) {
        match change {
            Change::Subscribe(id, text, wildcards) => {
                let Ok(pattern) = Pattern::new(text, *wildcards) else { return };
                if self.subscriptions.contains_key(id) {
                    return;
                }
                self.subscriptions.insert(*id, pattern.clone());
                tree.subscribe(Subscription::new(SubscriptionId(*id), pattern, ()));
            }
            Change::Unsubscribe(id) => {
                if let Some(pattern) = self.subscriptions.remove(id) {
                    assert!(tree.unsubscribe(&pattern, SubscriptionId(*id)).is_some());
                    assert!(tree.unsubscribe(&pattern, SubscriptionId(*id)).is_none());
                }
            }
            Change::SetObject(place, default_priority, wildcard) => {
                self.objects.insert(named(place), (*default_priority, *wildcard));
                let settings = Settings {
                    default_priority: *default_priority,
                    wildcard: *wildcard,
                    ..Settings::default()
                };
                let name = "AN.OBJECT".parse().expect("a name");
                tree.set_object(place, TopicObject { name, settings });
            }
            Change::RemoveObject(place) => {
                assert_eq!(tree.remove_object(place).is_some(), self.objects.remove(&named(place)).is_some());
            }
        }
    }

    fn agree(&self, tree: &Tree<()>, topics: &[String], asked: &Asked) {
        assert_eq!((tree.subscriptions(), tree.objects()), (self.subscriptions.len(), self.objects.len()));
        for text in topics {
            let Ok(topic) = TopicString::new(text) else { continue };
            asked.topics.set(asked.topics.get() + 1);
            asked.patterns.set(asked.patterns.get() + self.subscriptions.len() as u64);
            let found: Vec<u64> = tree.subscribers(&topic).iter().map(|found| found.id.0).collect();
            assert_eq!(found, self.subscribers(text), "{text} with {:?}", self.subscriptions);
            assert_eq!(tree.resolved(&topic).default_priority, self.priority(text), "{text}");
            for pattern in self.subscriptions.values() {
                assert_eq!(pattern.matches(&topic), fits(pattern, text), "{pattern:?} against {text}");
            }
        }
    }
}

fn texts(levels: &'static [&'static str]) -> impl Strategy<Value = String> {
    proptest::collection::vec(proptest::sample::select(levels), 1..6).prop_map(|levels| levels.join("/"))
}

fn topic() -> impl Strategy<Value = String> {
    texts(&["a", "b", "", "ab", "*", "+"])
}

fn change() -> impl Strategy<Value = Change> {
    let id = || 0_u64..30;
    let characters = texts(&["a", "b", "", "*", "?", "a*", "?b", "%*", "ab"]);
    let object = (topic(), proptest::option::of(0_u8..10), any::<bool>());
    let place = || prop_oneof![1 => Just(String::new()), 8 => topic()];
    prop_oneof![
        4 => (id(), texts(&["a", "b", "", "+", "#", "ab", "*"])).prop_map(|(id, text)| Change::Subscribe(id, text, Wildcards::Levels)),
        4 => (id(), characters).prop_map(|(id, text)| Change::Subscribe(id, text, Wildcards::Characters)),
        3 => id().prop_map(Change::Unsubscribe),
        2 => (place(), object).prop_map(|(place, (_, priority, blocks))| {
            Change::SetObject(place, priority, if blocks { Wildcard::Block } else { Wildcard::PassThrough })
        }),
        1 => place().prop_map(Change::RemoveObject),
    ]
}

/// Counts of comparisons.
#[derive(Default)]
struct Asked {
    cases: Cell<u64>,
    topics: Cell<u64>,
    patterns: Cell<u64>,
}

/// As many cases as `PROPTEST_CASES` says:
/// `PROPTEST_CASES=1000000 cargo test --release -p topic --test it -- --nocapture`.
#[test]
fn a_tree_and_its_earlier_snapshots_agree_with_lists() {
    let changes = proptest::collection::vec(change(), 0..60);
    let topics = proptest::collection::vec(topic(), 1..12);
    let asked = Asked::default();
    let compared = TestRunner::default().run(&(changes, topics), |(changes, topics)| {
        asked.cases.set(asked.cases.get() + 1);
        let (mut tree, mut model) = (Tree::new(), Model::default());
        let mut snapshots = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            if index % 20 == 10 {
                snapshots.push((tree.clone(), model.clone()));
            }
            model.apply(&mut tree, change);
        }
        snapshots.push((tree, model));
        for (tree, model) in &snapshots {
            model.agree(tree, &topics, &asked);
        }
        Ok(())
    });
    if let Err(failure) = compared {
        panic!("{failure}");
    }
    let Asked { cases, topics, patterns } = asked;
    println!(
        "{} cases: subscribers of {} topics, and {} patterns, as lists have them",
        cases.get(),
        topics.get(),
        patterns.get()
    );
}
