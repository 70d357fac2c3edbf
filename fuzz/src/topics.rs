//! Topic strings and patterns, found by the tree and judged by themselves.

use topic::{Pattern, Subscription, SubscriptionId, TopicString, Tree, Wildcards};

/// A topic's string, and after a zero byte each a pattern: what the tree finds is what each pattern says by
/// itself.
pub fn topic_strings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut texts = text.split('\0');
    let topic = match TopicString::new(texts.next().unwrap_or_default()) {
        Ok(topic) => topic,
        Err(error) => return drop(error.to_string()),
    };
    let mut tree = Tree::new();
    let mut fitting = Vec::new();
    for (text, number) in texts.zip(0..) {
        for (wildcards, id) in [(Wildcards::Levels, 2 * number), (Wildcards::Characters, 2 * number + 1)] {
            let pattern = match Pattern::new(text, wildcards) {
                Ok(pattern) => pattern,
                Err(error) => {
                    drop(error.to_string());
                    continue;
                }
            };
            if pattern.matches(&topic) {
                fitting.push(id);
            }
            tree.subscribe(Subscription::new(SubscriptionId(id), pattern, ()));
        }
    }
    let found: Vec<u64> = tree.subscribers(&topic).iter().map(|found| found.id.0).collect();
    assert_eq!(found, fitting, "a tree finds what fits");
}
