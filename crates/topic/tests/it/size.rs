//! Costs of a tree of many subscriptions, counted and not timed.

use topic::{Pattern, Subscription, SubscriptionId, TopicString, Tree, Wildcards};

const MANY: u64 = 100_000;

fn pattern(number: u64) -> Pattern {
    let (text, wildcards) = match number % 4 {
        0 => (format!("plant/{}/sensor/{number}", number % 100), Wildcards::Levels),
        1 => (format!("plant/{}/sensor/{number}/#", number % 100), Wildcards::Levels),
        2 => (format!("plant/+/meter/{number}"), Wildcards::Levels),
        _ => (format!("plant/*/valve/{number}"), Wildcards::Characters),
    };
    Pattern::new(&text, wildcards).expect("a pattern")
}

#[test]
fn each_of_a_hundred_thousand_subscriptions_is_found_and_removed() {
    let mut tree = Tree::new();
    for number in 0..MANY {
        tree.subscribe(Subscription::new(SubscriptionId(number), pattern(number), ()));
    }
    assert_eq!(tree.subscriptions() as u64, MANY);
    for number in (0..MANY).step_by(997) {
        let topic = match number % 4 {
            0 => format!("plant/{}/sensor/{number}", number % 100),
            1 => format!("plant/{}/sensor/{number}/x/y", number % 100),
            2 => format!("plant/7/meter/{number}"),
            _ => format!("plant/7/8/valve/{number}"),
        };
        let topic = TopicString::new(&topic).expect("a topic");
        let found: Vec<_> = tree.subscribers(&topic).iter().map(|found| found.id.0).collect();
        assert_eq!(found, [number], "{topic}");
    }
    for number in 0..MANY {
        assert!(tree.unsubscribe(&pattern(number), SubscriptionId(number)).is_some());
    }
    assert_eq!(tree.subscriptions(), 0);
}

#[test]
fn a_pattern_and_a_topic_of_thousands_of_levels_are_walked_without_recursion() {
    let deep = "a/".repeat(5_000) + "a";
    let wild = "#/a/".repeat(250) + "#";
    let mut tree = Tree::new();
    for (id, text) in [(1, deep.as_str()), (2, wild.as_str()), (3, "#/b")] {
        let pattern = Pattern::new(text, Wildcards::Levels).expect("a pattern");
        tree.subscribe(Subscription::new(SubscriptionId(id), pattern, ()));
    }
    let stars = "*a".repeat(300);
    let pattern = Pattern::new(&stars, Wildcards::Characters).expect("a pattern");
    tree.subscribe(Subscription::new(SubscriptionId(4), pattern, ()));
    let topic = TopicString::new(&deep).expect("a topic");
    let found: Vec<_> = tree.subscribers(&topic).iter().map(|found| found.id.0).collect();
    assert_eq!(found, [1, 2, 4]);
}
