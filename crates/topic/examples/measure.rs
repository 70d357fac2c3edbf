//! Measures what finding the subscribers of a topic costs beside few and many subscriptions, and what these
//! take in memory: `cargo run --release -p topic --example measure`.

#![expect(
    clippy::disallowed_methods,
    reason = "a measurement needs a clock, and the system's count of pages"
)]
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::hint::black_box;
use std::time::Instant;

use topic::{Pattern, Publisher, Subscription, SubscriptionId, TopicString, Tree, Wildcards};

const ROUNDS: u32 = 200_000;

fn pattern(number: u64) -> Pattern {
    let (text, wildcards) = match number % 4 {
        0 => (format!("plant/{}/sensor/{number}", number % 100), Wildcards::Levels),
        1 => (format!("plant/{}/sensor/{number}/#", number % 100), Wildcards::Levels),
        2 => (format!("plant/+/meter/{number}"), Wildcards::Levels),
        _ => (format!("plant/*/valve/{number}"), Wildcards::Characters),
    };
    Pattern::new(&text, wildcards).expect("a pattern")
}

fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

fn main() {
    let topic = TopicString::new("plant/4/sensor/4").expect("a topic");
    for count in [10, 1_000, 100_000] {
        let before = resident_bytes();
        let began = Instant::now();
        let mut tree = Tree::new();
        for number in 0..count {
            tree.subscribe(Subscription::new(SubscriptionId(number), pattern(number), ()));
        }
        let made = began.elapsed();
        let bytes = resident_bytes().saturating_sub(before) / count;
        let mut publisher = Publisher::new(tree);
        let published = publisher.published();
        let began = Instant::now();
        for _ in 0..ROUNDS {
            assert_eq!(black_box(published.load().subscribers(black_box(&topic))).len(), 1);
        }
        let find = began.elapsed() / ROUNDS;
        let began = Instant::now();
        for number in 0..1_000 {
            let subscription = Subscription::new(SubscriptionId(count + number), pattern(count + number), ());
            publisher.change(|tree| tree.subscribe(subscription));
        }
        let change = began.elapsed() / 1_000;
        println!(
            "{count} subscriptions: made in {made:?}, {bytes} bytes each; a topic's subscribers found in {find:?}; a \
             change published in {change:?}"
        );
    }
}
