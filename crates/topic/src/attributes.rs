//! The properties of a place in the topic tree: as a topic object states them, and as they are once
//! everything it leaves open is taken from above.
//!
//! Always: what is resolved leaves nothing open; the root says everything.

use mqi::ObjectName;

/// Subscribers that must get a publication for it to succeed (NPMSGDLV, PMSGDLV).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// All, or none gets it.
    All,
    /// All durable ones, or none gets it; of the others, all that can.
    AllDurable,
    /// All that can.
    AllAvailable,
}

/// Reach of publications or subscriptions (PUBSCOPE, SUBSCOPE).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This queue manager.
    QueueManager,
    /// The queue managers connected in a hierarchy or cluster, too.
    All,
}

/// The answer to a publisher that leaves open if it waits for one (DEFPRESP).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Response {
    /// The publisher waits for it.
    Synchronous,
    /// The publisher does not wait.
    Asynchronous,
}

/// Effect of a place on wildcards that begin higher (WILDCARD).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wildcard {
    /// They go on to what is here and below.
    #[default]
    PassThrough,
    /// They do not reach what is here and below.
    Block,
}

/// The longest expiry a publication may have (CAPEXPRY).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpiryCap {
    /// Any.
    NoLimit,
    /// Tenths of a second.
    Tenths(u32),
}

/// Levels above a place: the root has none.
pub type Depth = u32;

/// Makes both forms from one list: with each property left open or not, and with none left open.
macro_rules! properties {
    ($($(#[doc = $means:literal])+ $name:ident: $type:ty = $at_root:expr;)+) => {
        /// The properties as a topic object states them; one that is none is taken from the next place above
        /// that states it.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Settings {
            $($(#[doc = $means])+ pub $name: Option<$type>,)+
            /// The effect on wildcards from above. It holds for all that is below, and is never left open.
            pub wildcard: Wildcard,
        }

        /// The properties of a place with nothing left open.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Resolved {
            $($(#[doc = $means])+ pub $name: $type,)+
            /// The depth of the nearest place that blocks wildcards, here or above. Wildcards that begin
            /// higher do not reach here.
            pub blocked_above: Depth,
            /// The nearest topic object, here or above.
            pub object: Option<ObjectName>,
        }

        impl Settings {
            /// The properties of the root of a tree without any topic object: nothing is left open.
            #[must_use]
            pub fn at_root() -> Self {
                Self { $($name: Some($at_root),)+ wildcard: Wildcard::PassThrough }
            }

            /// Returns true if a place with these takes nothing from above.
            #[must_use]
            pub fn is_isolated(&self) -> bool {
                $(self.$name.is_some())&&+
            }
        }

        impl Default for Resolved {
            fn default() -> Self {
                Self { $($name: $at_root,)+ blocked_above: 0, object: None }
            }
        }

        impl Resolved {
            /// Returns the properties at a place below this one, or at the same.
            pub(crate) fn with(&self, object: &TopicObject, depth: Depth) -> Self {
                let settings = &object.settings;
                Self {
                    $($name: settings.$name.unwrap_or(self.$name),)+
                    blocked_above: match settings.wildcard {
                        Wildcard::Block => depth,
                        Wildcard::PassThrough => self.blocked_above,
                    },
                    object: Some(object.name),
                }
            }
        }
    };
}

properties! {
    /// Messages may be published (PUB).
    publish: bool = true;
    /// Subscriptions may be made (SUB).
    subscribe: bool = true;
    /// Durable subscriptions may be made (DURSUB).
    durable_subscriptions: bool = true;
    /// A publication that asks for the topic's persistence is persistent (DEFPSIST).
    default_persistent: bool = false;
    /// The priority of one that asks for the topic's (DEFPRTY).
    default_priority: u8 = 0;
    /// The answer to a publisher that leaves it open (DEFPRESP).
    default_response: Response = Response::Synchronous;
    /// Subscribers that must get a non-persistent publication (NPMSGDLV).
    nonpersistent_delivery: Delivery = Delivery::AllAvailable;
    /// Subscribers that must get a persistent publication (PMSGDLV).
    persistent_delivery: Delivery = Delivery::AllDurable;
    /// Publications that cannot be delivered go to the dead-letter queue (USEDLQ).
    use_dead_letter_queue: bool = true;
    /// Reach of publications (PUBSCOPE).
    publication_scope: Scope = Scope::All;
    /// Reach of subscriptions (SUBSCOPE).
    subscription_scope: Scope = Scope::All;
    /// The longest expiry of a publication (CAPEXPRY).
    expiry_cap: ExpiryCap = ExpiryCap::NoLimit;
    /// The model for queues of durable subscriptions that the queue manager looks after (MDURMDL).
    durable_model: ObjectName = model("SYSTEM.DURABLE.MODEL.QUEUE");
    /// Model of managed queues of other subscriptions (MNDURMDL).
    nondurable_model: ObjectName = model("SYSTEM.NDURABLE.MODEL.QUEUE");
}

fn model(name: &str) -> ObjectName {
    name.parse().expect("a name of ours is one")
}

/// A topic object: the properties of the place it stands at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicObject {
    /// Its name.
    pub name: ObjectName,
    /// The properties that it states.
    pub settings: Settings,
}
