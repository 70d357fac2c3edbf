//! Topics: their strings, their inherited properties, and their subscriptions.
//!
//! Lives here: topic strings (`string`), wildcards of both kinds (`pattern`), the properties of a place in
//! the topic tree and their inheritance (`attributes`, `objects`), finding the subscriptions that a
//! publication is for (`levels`, `characters`), all of it as one snapshot (`tree`) that is read without a
//! lock (`published`).
//! Lives elsewhere: delivering a publication to a subscription (`queue-manager`), the definitions
//! (`objects`).
//!
//! Always: a snapshot never changes. Inheritance is worked out when a snapshot is made, not when it is read.
//! Finding the subscriptions of a topic takes time by its length and by those found, not by the number of
//! others.
//!
//! ```
//! use topic::{Pattern, Subscription, SubscriptionId, TopicString, Tree, Wildcards};
//!
//! let mut tree = Tree::new();
//! let pattern = Pattern::new("price/+/close", Wildcards::Levels)?;
//! tree.subscribe(Subscription::new(SubscriptionId(1), pattern, "the kept"));
//! let found = tree.subscribers(&TopicString::new("price/tin/close")?);
//! assert_eq!(found.iter().map(|found| found.kept).collect::<Vec<_>>(), ["the kept"]);
//! assert!(tree.subscribers(&TopicString::new("price/tin/spot/close")?).is_empty());
//! # Ok::<(), topic::Error>(())
//! ```

mod arena;
mod attributes;
mod characters;
mod levels;
mod map;
mod objects;
mod pattern;
mod published;
mod string;
mod subscription;
mod tree;

pub use attributes::{
    Delivery, Depth, ExpiryCap, Resolved, Response, Scope, Settings, TopicObject, Wildcard,
};
pub use pattern::{Pattern, Wildcards};
pub use published::{Published, Publisher};
pub use string::{Error, LENGTH_MAX, TopicString};
pub use subscription::{LEVEL_MAX, SelectionLevel, Subscription, SubscriptionId, intercepting};
pub use tree::Tree;
